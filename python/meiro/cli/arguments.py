"""The arguments of the command ``meiro``."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from meiro import _core
from meiro._utils.messages import listed
from meiro._utils.options import OpeningsWord, TextStyle
from meiro.cli.shared import values
from meiro.cli.shared.parser import Parser, command_parser
from meiro.io.formats import suffixes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

_USAGE = "meiro [generate] [WIDTH HEIGHT] [options]\n       meiro COMMAND [--help]"
_EXAMPLES = """\
examples:
  meiro --solve                      a maze as large as the terminal, solved
  meiro 35 10 -a kruskal --seed 7    another algorithm, the same maze each time
  meiro 35 10 -a growing_tree -O choose=random
                                     with an option of the algorithm
  meiro 35 10 --watch --solve        watch it being generated, and searched
  meiro 500 500 --solve -o maze.png  a picture of a large maze, solved
  meiro 40 55 --best difficulty -o maze.pdf
                                     the most difficult of 100 mazes, to print
  meiro 20 10 --openings top_bottom --solve
                                     from an entrance to an exit
  meiro --lattice hexagonal 20 30 --solve -o hex.svg
                                     hexagons, circles, levels and more
  meiro solve maze.png               the shortest path through your own maze
  meiro solve photo.jpg --deskew --marks red lime --centre -o solved.png
                                     through a photograph, painted over it
  meiro 35 10 -o - | meiro solve - -o x.svg
                                     through a pipe: - is a standard stream

commands:
  generate      the default: meiro 35 10 is meiro generate 35 10
  solve         find a path through the maze of a file
  watch         meiro watch 35 10 shows how it is generated
  play          walk through a maze without borders
  measure       print measures of mazes
  survey        generate and measure many mazes
  convert       write the maze of a file in another format
  sampler-test  test any program that prints mazes against an exact law
  list          the algorithms and solvers
  completion    a script for bash, zsh or fish

exit status: 0; 1 if there is no path; 2 on an error; 130 after Ctrl-C
"""
SOLVE_EXAMPLES = """\
  meiro solve maze.png                   the shortest path, counted in sites
  meiro solve maze.png -o solved.png     a picture of it
  meiro 35 10 -o - | meiro solve -       the maze of a pipe
  meiro solve maze.npz --json            for other programs
"""
_WATCH_EXAMPLES = """\
examples:
  meiro watch                            a maze as large as the terminal
  meiro watch 35 10 -a wilson --fps 10   how wilson makes it, slowly
  meiro watch 35 10 --solver a_star      and how it is searched
  meiro watch --lattice hexagonal 10 16  hexagons, circles, levels and more
"""
TRIES = 100
"""The number of mazes of which --best takes one."""

FOR_PICTURES = ("marks", "threshold", "speckles", "deskew")
"""The options for reading a picture that meiro did not write."""

_FOR_MAKING = ("size", "grid", "lattice", "algorithm", "option", "seed", "best", "openings")


def run(command: str, words: Sequence[str]) -> int:
    """Run `generate`, `watch` or `solve`."""
    args = parse_arguments(command, words)
    from meiro.cli.generate import run as run_with  # loads NumPy, and help needs none

    return run_with(args)


def parse_arguments(command: str, argv: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments of `generate`, `watch` or `solve`; ValueError says what is wrong."""
    words = list(argv)
    for i, word in enumerate(words):
        named = i + 1 < len(words) and words[i + 1].lower().endswith((".dot", ".gv"))
        if word == "--dot" and not named:
            words[i] = "--dot=maze.dot"  # lest WIDTH be taken for its value
        if word in {"-o", "--output"} and i + 1 < len(words) and words[i + 1].startswith("-."):
            words[i : i + 2] = [f"--output={words[i + 1]}"]
    parser = solve_parser() if command == "solve" else generate_parser(command)
    args = parser.parse_args(words)
    if len(args.size) not in {0, 2}:
        parser.error(f"give WIDTH and HEIGHT, two numbers, not {len(args.size)}")
    _check_lattice(parser, args)
    if args.size and args.grid:
        parser.error("WIDTH HEIGHT and --grid both give the size: use one of them")
    _check_input(parser, args)
    for_input = ((name, "input") for name in ("road", "layer", "centre", *FOR_PICTURES))
    for name, other in (*for_input, ("tries", "best"), ("fps", "watch")):
        if is_given(args, name) and getattr(args, other) in {None, False}:
            parser.error(f"--{name} is for --{other}")
    asked = args.solve or args.solver is not None or args.start is not None or args.goal is not None
    args.solve = asked or (args.input is not None and not args.check)
    return args


def _check_input(parser: Parser, args: argparse.Namespace) -> None:
    for name in _FOR_MAKING if args.input is not None else ():
        if getattr(args, name) not in (None, [], ()):  # --seed 0 is given
            word = "WIDTH HEIGHT" if name == "size" else f"--{name}"
            parser.error(f"{word} is for generating a maze, and --input reads one: use one of them")


def _check_lattice(parser: Parser, args: argparse.Namespace) -> None:
    if args.lattice is None:
        if isinstance(args.openings, list) and any(isinstance(cell, int) for cell, _ in args.openings):
            parser.error('--openings: must be cells with a side, as "0,5,north 9,0,south"')
        return
    if args.size or args.grid:
        parser.error("the size of a lattice comes after its name, as in --lattice hexagonal 20 30")
    if args.no_posts:
        parser.error("--no-posts is for mazes with rows and columns, not for --lattice")


def is_given(args: argparse.Namespace, name: str) -> bool:
    """Return whether an option is given, be it 0."""
    value = getattr(args, name)
    return value is not None and value is not False


def generate_parser(command: str = "generate") -> Parser:
    """Return the parser of ``meiro`` and of ``meiro watch``, which takes the same arguments."""
    if command == "watch":
        description = "Show how a maze is generated, and how it is searched."
        parser = Parser("meiro", description, _WATCH_EXAMPLES, "meiro watch [WIDTH HEIGHT] [options]")
    else:
        parser = Parser("meiro", "Generate a maze, or solve one.", _EXAMPLES, _USAGE)
    _add_making(parser)
    _add_solving(parser, "input")
    _add_pictures(parser)
    _add_showing(parser)
    parser.set_defaults(watch=command == "watch")
    add = parser.add_argument_group("other").add_argument
    add("--list", action="store_true", help="list the algorithms and solvers")
    add("--version", action="version", version=f"meiro {_core.__version__}", help="print the version")
    add("-h", "--help", action="help", help="print this help")
    return parser


def solve_parser() -> Parser:
    """Return the parser of ``meiro solve FILE``, of which the namespace is that of all options."""
    parser = command_parser("solve", "Find a path through the maze of a file.", SOLVE_EXAMPLES)
    file = f"the maze, {_or('read')}; or - for standard input; its sites are counted"
    parser.add_argument("input", metavar="FILE", help=file)
    _add_solving(parser, None)
    _add_pictures(parser)
    _add_showing(parser)
    absent = dict.fromkeys((*_FOR_MAKING, "tries"))
    parser.set_defaults(**absent | {"size": (), "solve": True, "list": False})
    return parser


def _add_solving(parser: Parser, file: str | None) -> None:
    add = parser.add_argument_group("solve").add_argument
    if file:
        add("--solve", action="store_true", help="find a path, draw it and print its length")
        add("--input", metavar="FILE", help="the same as meiro solve FILE; - is standard input")
    add_reading(add)
    start = "row and column of the start, from 0; in cells, or in sites with --input; or middle"
    add("--start", nargs="+", type=values.value, metavar=("R", "C"), help=start)
    goal = "the same for the goal; default: the openings (the middle of a wide one), or the corners"
    add("--goal", nargs="+", type=values.value, metavar=("R", "C"), help=goal)
    add("--solver", metavar="NAME", help="the solver, see --list")
    add("--centre", action="store_true", help="keep the path of --input in the middle of wide corridors")
    perfect = "print whether there is exactly one path between any two cells"
    add("--check", action="store_true", help=perfect)


def add_reading(add: Callable[..., object]) -> None:
    """Add how files are read whose walls are not clear."""
    road = f"the value of a road in {_or('road')}, if not 0, or several"
    add("--road", nargs="+", type=values.value, metavar="V", help=road)
    add("--layer", nargs="+", metavar="NAME", help=f"the names of the layers of walls in {_or('layer')}")


def _add_showing(parser: Parser) -> None:
    add = parser.add_argument_group("show and save").add_argument
    styles = get_args(TextStyle)
    add("--style", choices=styles, metavar="NAME", help=f"how to draw: {listed(styles, 'or')}")
    files = f"write {_or('write')}; the solution, if any, is shown in {_or('solution')}"
    add("-o", "--output", metavar="FILE", help=f"{files}; - is .npz on standard output, -.svg another format")
    scale = f"pixels a site in {_or('scale')}"
    add("--scale", type=values.natural, metavar="N", help=scale)
    add("--no-posts", action="store_true", help=f"draw the floors of rooms without posts in {_or('posts')}")
    add("--dot", nargs="?", metavar="FILE", help="write the graph for Graphviz; default: maze.dot")
    add("--json", action="store_true", help="print what was found as JSON, and no maze")
    add("-q", "--quiet", action="store_true", help="print no maze, no seed, no progress")

    add = parser.add_argument_group("watch").add_argument
    add("--watch", action="store_true", help="first show how the maze is generated, and how it is searched")
    fps = "frames a second, 30 by default; steps are left out so that a maze takes 10 s at most"
    add("--fps", type=values.rate, metavar="N", help=fps)


def _add_making(parser: Parser) -> None:
    add = parser.add_argument_group("generate").add_argument
    size = "size in cells; default: as large as the terminal"
    add("size", nargs="*", default=(), type=values.natural, metavar="WIDTH HEIGHT", help=size)
    grid = "size in sites, walls included; both odd"
    add("--grid", nargs=2, type=values.natural, metavar=("W", "H"), help=grid)
    lattice = "on a lattice of other cells, as hexagonal 20 30, polar 12, hexagonal side=8 or box 3 8 12"
    add("--lattice", nargs="+", type=values.size, metavar=("NAME", "SIZE"), help=lattice)
    add("-a", "--algorithm", metavar="NAME", help="the algorithm, see --list")
    option = "an option of the algorithm, as choose=oldest or start=3,4, see --list"
    add("-O", "--option", action="append", type=values.option, metavar="NAME=VALUE", help=option)
    seed = "generate the same maze every time; default: a random seed, which is printed"
    add("--seed", type=values.seed, metavar="N", help=seed)
    words = listed(get_args(OpeningsWord), "or")
    sides = '"0,5,north 9,0,south", of a lattice "0,north 47,south"'
    openings = f"an entrance and an exit: {words}; or cells with a side: {sides}"
    add("--openings", type=values.openings, metavar="WHERE", help=openings)
    best = "the maze with the greatest MEASURE of many, such as difficulty, dead_ends or solution_length"
    add("--best", metavar="MEASURE", help=best)
    tries = f"the number of mazes to choose from; {TRIES} by default"
    add("--tries", type=values.natural, metavar="N", help=tries)


def _add_pictures(parser: Parser) -> None:
    add = parser.add_argument_group("read a picture, which -o then shows with the path").add_argument
    marks = "the colours of a mark at the start and of one at the goal, as red lime or '#ff0000' '#00ff00'"
    add("--marks", nargs=2, metavar=("START", "GOAL"), help=marks)
    threshold = "the least brightness of a road, 0 to 255; or local, for uneven light; default: Otsu's"
    add("--threshold", type=values.value, metavar="V", help=threshold)
    speckles = "remove noise: specks of N pixels or fewer"
    add("--speckles", type=values.natural, metavar="N", help=speckles)
    deskew = (
        "look for the frame of the maze in a photograph, from any side and in any light, and cut it to that"
    )
    add("--deskew", action="store_true", help=deskew)


def _or(attribute: str) -> str:
    return listed(suffixes(attribute), "or")
