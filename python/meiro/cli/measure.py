"""``meiro measure``: numbers of the mazes of files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from meiro.cli.shared.parser import command_parser
from meiro.cli.shared.streams import input_file

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXAMPLES = """\
  meiro measure maze.png
  meiro measure a.npz b.npz -m dead_ends difficulty
  meiro 35 10 -o - | meiro measure - --json
"""


def run(command: str, words: Sequence[str]) -> int:
    """Print the measures of mazes."""
    parser = command_parser(command, "Print measures of mazes.", _EXAMPLES)
    parser.add_argument("files", nargs="+", metavar="FILE", help="mazes; - is standard input")
    names = "which, such as dead_ends; default: all"
    parser.add_argument("-m", "--measures", nargs="+", metavar="NAME", help=names)
    parser.add_argument("--json", action="store_true", help="print a list of JSON objects")
    args = parser.parse_args(words)

    from meiro.cli.shared.tables import json_value, printed, rows_of
    from meiro.io.files import read
    from meiro.spaces.space_of import are_several
    from meiro.stats.measure import measure

    rows: list[dict[str, Any]] = []
    for name in args.files:
        with input_file(name) as path:
            x: Any = read(path)
        found = measure(x, args.measures)
        measured = rows_of(found) if are_several(x) else [dict(found)]
        rows += [{"file": name} | {key: json_value(row[key]) for key in row} for row in measured]
    if args.json:
        print(json.dumps(rows))
    elif len(rows) == 1 and len(rows[0]) > 2:
        print(
            printed([{"measure": name, "value": value} for name, value in rows[0].items() if name != "file"])
        )
    else:
        print(printed(rows))
    return 0
