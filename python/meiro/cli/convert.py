"""``meiro convert``: the maze of a file in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    parser.add_argument("source", metavar="FROM", help="a file; - is standard input")
    parser.add_argument(
        "target", metavar="TO", help="a file; - is .npz on standard output, -.svg another format"
    )
    parser.add_argument(
        "--road",
        nargs="+",
        type=values.value,
        metavar="V",
        help="the value of a road in .txt, .csv and .npy, if not 0",
    )
    parser.add_argument(
        "--layer", nargs="+", metavar="NAME", help="the layers of walls in .dxf, .geojson, .tmx and .tmj"
    )
    parser.add_argument("--scale", type=values.natural, metavar="N", help="pixels a site in pictures")
    args = parser.parse_args(words)

    from meiro.io.files import read, save

    with input_file(args.source) as path:
        maze = read(path, road=road_of(args), layer=args.layer)
    with output_file(args.target) as path:
        save(maze, path, scale=args.scale)
    return 0
