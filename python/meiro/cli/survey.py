"""``meiro survey``: many mazes, generated and measured."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from meiro.cli.shared import values
from meiro.cli.shared.parser import command_parser

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXAMPLES = """\
  meiro survey 20 20 -a wilson kruskal -m dead_ends
  meiro survey 50 50 -n 10000 --threads all -o table.parquet
  meiro survey 20 20 --by maze -o mazes.csv
  meiro survey 20 20 --transform braid:p=0.5 -m loops
  meiro survey 20 20 --transform "braid:p=[0,0.5,1]" -m loops
"""


def run(command: str, words: Sequence[str]) -> int:
    """Print or write the table of a survey."""
    parser = command_parser(command, "Generate and measure many mazes.", _EXAMPLES)
    add = parser.add_argument
    add("width", type=values.natural, metavar="WIDTH", help="size in cells")
    add("height", type=values.natural, metavar="HEIGHT", help="the same")
    add(
        "-a", "--algorithm", nargs="+", default=["wilson"], metavar="NAME", help="algorithms; default: wilson"
    )
    add("-n", type=values.natural, default=1000, metavar="N", help="mazes of each algorithm; default: 1000")
    add("-m", "--measures", nargs="+", metavar="NAME", help="which, such as dead_ends; default: all")
    add("--openings", type=values.openings, metavar="WHERE", help="as of meiro generate: corners ...")
    add(
        "--transform",
        nargs="+",
        type=values.transform,
        metavar="NAME:KEY=VALUE",
        help="what is done to the mazes before, as braid:p=0.5",
    )
    add("--by", choices=("summary", "maze"), default="summary", help="a row a measure, or a row a maze")
    add("--seed", type=values.seed, metavar="N", help="the same mazes every time")
    add("--threads", type=values.value, default=1, metavar="N", help="a number, or all; default: 1")
    add("-o", "--output", metavar="FILE", help="write .csv, .json or .parquet; - is .csv on standard output")
    add("--json", action="store_true", help="print a list of JSON objects")
    add("-q", "--quiet", action="store_true", help="show no progress")
    args = parser.parse_args(words)

    from meiro.cli.shared.tables import check_suffix, printed, rows_of, write_table
    from meiro.stats.surveys.survey import survey

    if args.output is not None:
        check_suffix(args.output)  # before the work
    shows = not args.quiet and sys.stderr is not None and sys.stderr.isatty()
    table = survey(
        (args.height, args.width),
        args.algorithm,
        args.n,
        rng=args.seed,
        openings=args.openings,
        transforms=args.transform,
        measures=args.measures,
        by=args.by,
        threads=args.threads,
        progress=shows,
    )
    if args.output is not None:
        write_table(table, args.output)
    elif args.json:
        print(json.dumps(rows_of(table)))
    else:
        print(printed(rows_of(table), notes=["source"]))
    return 0
