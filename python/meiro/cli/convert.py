"""``meiro convert``: the maze of a file in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meiro.cli.shared.arguments import _natural, _value, command_parser, road_of
from meiro.cli.shared.streams import input_file, output_file
from meiro.io.files import read, save

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXAMPLES = """\
  meiro convert a.map b.png
  meiro convert maze.png - | meiro solve -
  meiro convert maze.npz -- -.svg > maze.svg
"""


def run(words: Sequence[str]) -> None:
    """Read a maze, and write it."""
    parser = command_parser("convert", "Write the maze of a file in another format.", _EXAMPLES)
    parser.add_argument("source", metavar="FROM", help="a file; - is standard input")
    parser.add_argument(
        "target", metavar="TO", help="a file; - is .npz on standard output, -.svg another format"
    )
    parser.add_argument(
        "--road", nargs="+", type=_value, metavar="V", help="the value of a road in .csv and .npy, if not 0"
    )
    parser.add_argument("--scale", type=_natural, metavar="N", help="pixels a site in pictures")
    args = parser.parse_args(words)
    with input_file(args.source) as path:
        maze = read(path, road=road_of(args))
    with output_file(args.target) as path:
        save(maze, path, scale=args.scale)
