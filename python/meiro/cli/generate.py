"""``meiro generate``, ``meiro solve`` and ``meiro watch``: one maze, or the maze of a file."""

from __future__ import annotations

import json
import math
import secrets
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.cell_words import MIDDLE
from meiro._utils.memory import require
from meiro._utils.square import Shape, checked_shape
from meiro.cli import on_lattice
from meiro.cli.arguments import FOR_PICTURES, TRIES, is_given
from meiro.cli.listing import default_algorithm, print_listing
from meiro.cli.shared.parser import road_of
from meiro.cli.shared.streams import input_file, is_stream, note, output_file, progress_bar
from meiro.drawing.terminal import ansi
from meiro.drawing.text.render import Style, draw
from meiro.errors import NoPathError
from meiro.generators.generate import generate
from meiro.generators.options import FACTS, unknown_option
from meiro.io.formats import format_of, reads_pictures
from meiro.mazes._endpoints import ends_of
from meiro.registry import ALGORITHMS, MEASURES, SOLVERS
from meiro.spaces.space_of import are_several, is_maze, lattice_of

if TYPE_CHECKING:
    import argparse

    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution

_BOXES = "─│┼•█░"
_DRAWING = 24  # bytes a character of a drawing, at most; 16 were measured


def run(args: argparse.Namespace) -> int:
    """Make or read a maze; solve, draw and write it."""
    if args.list:
        print_listing()
        return 0
    style = _style(args.style)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    x = _generate(args, style, seed) if args.input is None else _read_input(args)
    report = None
    if args.check:
        from meiro.stats.check import check

        report = check(x)
    query, solution = _solved(x, args) if args.solve else (None, None)
    if args.watch:
        _watch(x, query, style, args)
    if is_stream(args.output):
        args.quiet = True  # nothing else is on standard output
    written = _write_files(x, solution, args)
    if args.json and not is_stream(args.output):
        facts: dict[str, Any] = {} if report is None else {"check": str(report)}
        if args.input is None:
            facts |= {"algorithm": args.algorithm or default_algorithm(generate), "seed": seed}
        _print_json(x, solution, facts, args)
        return 0
    if not args.quiet:
        _draw(args, style, x, solution)
    _tell(args, report, solution, seed, written)
    return 0


def _watch(x: Any, query: dict[str, Any] | None, style: Style, args: argparse.Namespace) -> None:
    from meiro.cli.watch import watch

    if why_not := watch(x, query, style, generated=args.input is None, fps=args.fps):
        note(f"meiro: {why_not}")


def _own_picture(args: argparse.Namespace) -> bool:
    """Return whether a picture is read that meiro did not write."""
    return any(is_given(args, name) for name in FOR_PICTURES)


def _read_input(args: argparse.Namespace) -> Any:
    from meiro.io.files import read
    from meiro.io.image import from_image

    if _own_picture(args):
        start, goal = args.marks or (None, None)
        how = {"threshold": args.threshold, "speckles": args.speckles or 0, "deskew": args.deskew}
        with input_file(args.input) as path:
            return from_image(path, start=start, goal=goal, **how)
    with input_file(args.input) as path:
        x: Any = read(path, road=road_of(args), layer=args.layer)
    if are_several(x):
        raise ValueError(  # the file is not what is needed
            f"{args.input!r} holds {len(x):,} mazes: in Python, meiro.read(file)[i].save(...) writes one"
        )
    if not (is_maze(x) or isinstance(x, np.ndarray)):
        raise ValueError(  # the file is not what is needed
            f"{args.input!r} holds a Lattice, which is no maze: in Python, meiro.generate(meiro.read(file))"
        )
    return x


def _tell(  # what there is to tell
    args: argparse.Namespace, report: object, solution: Solution | None, seed: int, written: list[str]
) -> None:
    """Print what was found, and in notes the seed and the files."""
    if is_stream(args.output):
        if solution is not None and not solution.found:
            _print_length(solution)
        return
    if report is not None:
        print(report)
    if solution is not None:
        _print_length(solution)
    if args.quiet:
        return
    if sys.stdout is not None:
        sys.stdout.flush()  # the maze comes first
    if args.input is None and args.seed is None:
        note(f"seed {seed}")
    for name in written:
        note(f"wrote {name}")


def _print_json(x: Any, solution: Solution | None, facts: dict[str, Any], args: argparse.Namespace) -> None:
    """Print facts, and those of the maze and its path, as one line of JSON."""
    facts = {"shape": [x.n_cells] if lattice_of(x) is not None else list(x.shape)} | facts
    if solution is not None:
        facts |= {"solver": solution.algorithm, "space": solution.space, "found": bool(solution.found)}
        if solution.found:
            facts |= {"steps": int(solution.length), "path": np.asarray(solution.path).tolist()}
    print(json.dumps(facts | {"files": _files_of(args)}))
    if solution is not None and not solution.found:
        _print_length(solution)


def _print_length(solution: Solution) -> None:
    """Print the length of the path; without a path, raise NoPathError with the reason."""
    if not solution.found:
        ends = f"from {solution.start} to {solution.goal}"
        raise NoPathError(f"{solution.algorithm} found no path {ends}: {solution.reason}")
    space = "cells" if solution.space == "vertices" else solution.space
    print(f"steps {solution.length}\n{space} {solution.length + 1}")


# Generating, solving


def _generate(args: argparse.Namespace, style: Style, seed: int) -> Maze | GraphMaze:
    name, options = args.algorithm or default_algorithm(generate), dict(args.option or ())
    if strange := [option for option in options if option not in FACTS]:
        raise TypeError(unknown_option(name, strange[0], ALGORITHMS.find(name).options))
    if args.lattice is not None:
        shape: Shape | Lattice = on_lattice.lattice_of(args.lattice, seed)
    else:
        shape = _shape(args, style)
    options["openings"] = args.openings
    with progress_bar(args) as progress:
        if args.best is None:
            return generate(shape, name, rng=seed, progress=progress, **options)
        return _best(shape, name, args, rng=seed, progress=progress, **options)


def _shape(args: argparse.Namespace, style: Style) -> Shape:
    """Return rows and columns, as given or as they fit; what will be printed must fit into memory."""
    if args.grid:
        shape = checked_shape(None, args.grid[::-1])
    elif args.size:
        shape = checked_shape(args.size[::-1])
    else:
        shape = _fitting(args, style)
    if not args.quiet and not _files_of(args):
        rows, cols = shape
        needed = _DRAWING * (2 * rows + 1) * ansi.width_of(2 * cols + 1, style)
        require(needed, f"printing {cols} x {rows} cells", "write a picture: --quiet -o maze.png")
    return shape


def _best(
    shape: Shape | Lattice, algorithm: str, args: argparse.Namespace, **options: Any
) -> Maze | GraphMaze:
    """Return the maze with the greatest measure of many, and tell it."""
    from meiro.datasets.by_measure import by_measure
    from meiro.stats.measure import measure

    name, tries = MEASURES.find(args.best, "--best").name, args.tries or TRIES
    (maze,) = by_measure(shape, algorithm, name, math.inf, n=1, candidates=tries, **options)
    if not args.quiet:
        note(f"{name} {measure(maze, name)[name]:g}, the greatest of {tries:,}")
    return maze


def _fitting(args: argparse.Namespace, style: Style) -> Shape:
    """Return the largest shape that leaves room for the lines printed below the maze."""
    columns, lines = ansi.size()
    sites = columns // ansi.width_of(1, style)
    below = 1 + (args.seed is None) + 2 * args.solve + args.check + len(_files_of(args))  # 1: the prompt
    return max((lines - below - 1) // 2, 1), max((sites - 1) // 2, 1)


def _solved(x: Any, args: argparse.Namespace) -> tuple[dict[str, Any], Solution]:
    """Return the arguments of `meiro.solve`, and what it found."""
    from meiro.solvers.solve import solve

    squares = lattice_of(x) is None
    place = _row_and_column if squares else on_lattice.one_cell
    start, goal = (place(word, getattr(args, word)) for word in ("start", "goal"))
    if args.input is not None and squares and is_maze(x):  # a file is solved site by site, as it is drawn
        first, last = (end.site or (2 * end.cell[0] + 1, 2 * end.cell[1] + 1) for end in ends_of(x))
        start, goal = start or first, goal or last
        x = x.grid
    solver = args.solver or default_algorithm(solve)
    rng = secrets.randbits(64) if SOLVERS.find(solver).random else None  # the same walk for --watch
    query = {"x": x, "start": start, "goal": goal, "algorithm": solver, "rng": rng}
    query |= {"centre": True} if args.centre else {}
    with progress_bar(args) as progress:
        return query, solve(**query, progress=progress)


def _row_and_column(word: str, given: Any) -> Any:
    if given == [MIDDLE]:
        return MIDDLE
    if given is not None and not (len(given) == 2 and all(type(part) is int for part in given)):
        msg = f"--{word} is a row and a column, two numbers, or middle, not {' '.join(map(str, given))!r}"
        if type(given[0]) is str:
            msg += "; --marks takes the colours of marks in a picture"
        raise ValueError(msg)
    return given


# Drawing, writing


def _files_of(args: argparse.Namespace) -> list[str]:
    return [name for name in (args.output, args.dot) if name is not None]


def _write_files(x: Any, solution: Solution | None, args: argparse.Namespace) -> list[str]:
    """Write the files, with the solution if their format shows one, and return their names."""
    if not _files_of(args):
        return []
    from meiro.io.files import save

    if (
        args.output is not None
        and _own_picture(args)
        and solution is not None
        and reads_pictures(args.output)
    ):
        with output_file(args.output) as path:
            solution.save(path, picture=x)
    elif args.output is not None:
        name = args.output if args.output != "-" else "-.npz"
        form = format_of(f"maze{name[1:]}" if is_stream(name) else name, "write")
        given: dict[str, Any] = {"solution": solution} if "solution" in form.takes else {}
        given |= {"style": args.style} if "style" in form.takes else {}
        given |= {"posts": False} if args.no_posts else {}
        with output_file(args.output) as path:
            save(x, path, scale=args.scale, **given)
    if args.dot is not None:
        save(x, args.dot, format="dot", solution=solution)
    return _files_of(args)


def _style(wanted: Style | None) -> Style:
    if ansi.can_write(_BOXES, sys.stdout):
        return wanted or "unicode"
    if wanted not in {None, "ascii"}:
        raise ValueError(
            f"--style {wanted} needs characters that are not in {sys.stdout.encoding}: use --style ascii"
        )
    return "ascii"


def _draw(args: argparse.Namespace, style: Style, x: Any, solution: Solution | None) -> None:
    """Print the maze: on request, or if it fits the terminal."""
    if lattice_of(x) is not None:
        print(on_lattice.shown(x, style, solution, args))
        return
    if not args.style and (args.input is not None or _files_of(args)):
        from meiro.cli.watch import sites_shape

        columns, lines = ansi.size()
        height, width = sites_shape(x)
        if height >= lines or ansi.width_of(width, style, maze=is_maze(x)) > columns:
            return
    drawing = (
        draw(x, style, solution=solution, explored=True)
        if is_maze(x)
        else ansi.draw_sites(x, style, solution)
    )
    for text in ansi.lines_of(drawing, colors=ansi.has_colors(sys.stdout)):
        print(text)
