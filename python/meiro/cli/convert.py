"""``meiro convert``: the maze of a file in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meiro.cli.arguments import add_reading
from meiro.cli.shared import values
from meiro.cli.shared.parser import command_parser, road_of
from meiro.cli.shared.streams import input_file, output_file

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXAMPLES = """\
  meiro convert a.map b.png
  meiro convert maze.png - | meiro solve -
  meiro convert maze.npz -- -.svg > maze.svg
"""


def run(command: str, words: Sequence[str]) -> int:
    """Read a maze, and write it."""
    parser = command_parser(command, "Write the maze of a file in another format.", _EXAMPLES)
    add = parser.add_argument
    add("source", metavar="FROM", help="a file; - is standard input")
    add("target", metavar="TO", help="a file; - is .npz on standard output, -.svg another format")
    add_reading(add)
    add("--scale", type=values.natural, metavar="N", help="pixels a site in pictures")
    args = parser.parse_args(words)

    from meiro.io.files import read, save

    with input_file(args.source) as path:
        maze = read(path, road=road_of(args), layer=args.layer)
    with output_file(args.target) as path:
        save(maze, path, scale=args.scale)
    return 0
