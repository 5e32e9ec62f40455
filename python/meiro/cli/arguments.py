"""The words that the command ``meiro`` understands."""

from __future__ import annotations

import argparse
import ast
import math
from typing import TYPE_CHECKING, NoReturn

from meiro import _core
from meiro._utils.messages import short_repr
from meiro.drawing.text.render import STYLES

if TYPE_CHECKING:
    from collections.abc import Sequence

_USAGE = "meiro [WIDTH HEIGHT] [options]\n       meiro --input FILE [options]"
_EXAMPLES = """\
examples:
  meiro --solve                      a maze as large as the terminal, solved
  meiro 35 10 -a kruskal --seed 7    another kind of maze, the same every time
  meiro 35 10 -a growing_tree -O choose=random
                                     with an option of its own
  meiro 35 10 --watch --solve        how it comes into being, and is searched
  meiro 500 500 --solve -o maze.png  a picture of a large one, with its solution
  meiro --input maze.png             the shortest way through a maze of your own

exit status: 0; 1 if there is no way; 2 if something is wrong; 130 after Ctrl-C
"""
_FOR_MAKING = {
    "size": "WIDTH HEIGHT",
    "grid": "--grid",
    "algorithm": "--algorithm",
    "option": "--option",
    "seed": "--seed",
}


class _Parser(argparse.ArgumentParser):
    """Errors become exceptions: one line is enough, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message.removeprefix("argument "))


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=24, width=80)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Say ``-a, --algorithm NAME``, as later Pythons do."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        return f"{', '.join(action.option_strings)} {self._format_args(action, '')}"


def parsed(argv: Sequence[str]) -> argparse.Namespace:
    """Return what the words say; a ValueError tells what is wrong with them."""
    words = list(argv)
    for i, word in enumerate(words):
        named = i + 1 < len(words) and words[i + 1].lower().endswith((".dot", ".gv"))
        if word == "--dot" and not named:
            words[i] = "--dot=maze.dot"  # so that it takes no WIDTH for a name
    args = _parser().parse_args(words)
    if len(args.size) not in {0, 2}:
        msg = f"give WIDTH and HEIGHT, two numbers, not {len(args.size)}"
        raise ValueError(msg)
    if args.size and args.grid:
        msg = "WIDTH HEIGHT and --grid both say the size: give one of them"
        raise ValueError(msg)
    if args.input is not None:
        for name, word in _FOR_MAKING.items():
            if getattr(args, name) not in (None, [], ()):  # --seed 0 is one
                msg = f"{word} is for making a maze, and --input reads one: give one of them"
                raise ValueError(msg)
    elif args.road is not None:
        msg = "--road is for --input"
        raise ValueError(msg)
    if args.fps is not None and not args.watch:
        msg = "--fps is for --watch"
        raise ValueError(msg)
    asked = args.solve or args.solver is not None or args.start is not None or args.goal is not None
    args.solve = asked or (args.input is not None and not args.check)
    return args


def _parser() -> _Parser:
    parser = _Parser(
        prog="meiro",
        usage=_USAGE,
        description="Make a maze, or solve one.",
        epilog=_EXAMPLES,
        formatter_class=_Help,
        add_help=False,
        allow_abbrev=False,
    )
    add = parser.add_argument_group("make").add_argument
    size = "size in cells; if not given, the maze fits the terminal"
    add("size", nargs="*", default=(), type=_natural, metavar="WIDTH HEIGHT", help=size)
    grid = "size in sites, walls included; both odd"
    add("--grid", nargs=2, type=_natural, metavar=("W", "H"), help=grid)
    add("-a", "--algorithm", metavar="NAME", help="the kind of maze, see --list")
    option = "an option of the algorithm, as choose=oldest or start=3,4, see --list"
    add("-O", "--option", action="append", type=_option, metavar="NAME=VALUE", help=option)
    seed = "makes the same maze every time; if not given, one is drawn and told"
    add("--seed", type=_seed, metavar="N", help=seed)

    add = parser.add_argument_group("solve").add_argument
    add("--solve", action="store_true", help="show the way, and how long it is")
    file = "solve a maze from a picture (bright is road), .csv, .txt, .npy or .npz; its sites are counted"
    add("--input", metavar="FILE", help=file)
    add("--road", type=_value, metavar="V", help="the value of a road in a .csv or .npy, if not 0")
    begin = "row and column to begin at, from 0; in cells, or sites of --input"
    add("--start", nargs=2, type=_whole, metavar=("R", "C"), help=begin)
    end = "the same of the end; usual are the corners, or the two openings"
    add("--goal", nargs=2, type=_whole, metavar=("R", "C"), help=end)
    add("--solver", metavar="NAME", help="who looks for the way, see --list")
    perfect = "tell whether there is one way from any cell to any other"
    add("--check", action="store_true", help=perfect)

    add = parser.add_argument_group("show and keep").add_argument
    styles = f"{', '.join(STYLES[:-1])} or {STYLES[-1]}"
    add("--style", choices=STYLES, metavar="NAME", help=f"how to draw: {styles}")
    files = "write .png, .svg or .txt (with the way, if solved), .csv, .dot, .npy or .npz"
    add("-o", "--output", metavar="FILE", help=files)
    add("--scale", type=_natural, default=1, metavar="N", help="pixels a site in a .png")
    add("--dot", nargs="?", metavar="FILE", help="write the graph for Graphviz, as maze.dot if not named")
    add("-q", "--quiet", action="store_true", help="print no maze, no seed, no progress")

    add = parser.add_argument_group("watch").add_argument
    watch = "show first how the maze comes into being, and how it is searched"
    add("--watch", action="store_true", help=watch)
    fps = "frames a second, usually 30; of so many steps each that a maze takes 10 s at most"
    add("--fps", type=_rate, metavar="N", help=fps)

    add = parser.add_argument_group("other").add_argument
    add("--list", action="store_true", help="list the algorithms and solvers")
    add("--version", action="version", version=f"meiro {_core.__version__}", help="print the version")
    add("-h", "--help", action="help", help="print this")
    return parser


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        msg = f"{short_repr(text)} is no whole number"
        raise argparse.ArgumentTypeError(msg) from None


def _natural(text: str) -> int:
    number = _whole(text)
    if number < 1:
        msg = f"must be at least 1, not {short_repr(number)}"
        raise argparse.ArgumentTypeError(msg)
    return number


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not 0 < rate < math.inf:
        msg = f"must be a number above 0, not {short_repr(text)}"
        raise argparse.ArgumentTypeError(msg)
    return rate


def _option(text: str) -> tuple[str, object]:
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        msg = f"must be NAME=VALUE, as choose=oldest, not {short_repr(text)}"
        raise argparse.ArgumentTypeError(msg)
    try:
        return name.replace("-", "_"), ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name.replace("-", "_"), value


def _seed(text: str) -> int:
    number = _whole(text)
    if number < 0:
        msg = f"must not be negative: {short_repr(number)}"
        raise argparse.ArgumentTypeError(msg)
    return number


def _value(text: str) -> float | int | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
