"""What the command does with mazes on lattices."""

from __future__ import annotations

import inspect
import secrets
import sys
from typing import TYPE_CHECKING, Any

from meiro import lattices
from meiro.cli.listing import default_algorithm
from meiro.drawing.terminal import ansi
from meiro.drawing.text.graph_text import graph_text, has_text
from meiro.generators.generate import generate
from meiro.io.files import save, write_as
from meiro.io.formats import FORMATS, format_of
from meiro.registry import SOLVERS
from meiro.solvers.solve import solve

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from meiro.graphs.graph_maze import GraphMaze
    from meiro.lattices.lattice import Lattice
    from meiro.results.solution import Solution

_NAMES = [name for name in lattices.__all__ if name.islower() and not name.startswith("from_")]


def lattice_of(words: Sequence[object], seed: int) -> Lattice:
    """Return the lattice of ``--lattice NAME SIZE...``, with the seed of the command if it has random parts.

    Examples
    --------
    >>> from meiro.cli.on_lattice import lattice_of
    >>> lattice_of(["hexagonal", 20, 30], 7), lattice_of(["triangular", ("side", 5)], 7)
    (<Lattice hexagonal: 600 cells, 1,701 edges>, <Lattice triangular: 25 cells, 30 edges>)
    """
    name, *sizes = words
    if name not in _NAMES:
        msg = f"--lattice: there is no {name!r}; there are {', '.join(_NAMES)}"
        raise ValueError(msg)
    make: Any = getattr(lattices, str(name))
    takes = inspect.signature(make).parameters
    given: dict[str, object] = {"rng": seed} if "rng" in takes else {}
    given |= dict(size for size in sizes if isinstance(size, tuple))
    numbers = [size for size in sizes if not isinstance(size, tuple)]
    try:
        inspect.signature(make).bind(*numbers, **given)
    except TypeError as error:
        form = ", ".join(one for one in takes if one != "rng")
        msg = f"--lattice {name}: {error}; in Python it is {name}({form})"
        raise TypeError(msg) from None
    made: Lattice = make(*numbers, **given)
    return made


def generate_on(words: Sequence[object], algorithm: str, seed: int, **options: Any) -> GraphMaze:
    """Return a maze on the lattice of ``--lattice``."""
    return generate(lattice_of(words, seed), algorithm, rng=seed, **options)


def search(maze: GraphMaze, args: argparse.Namespace, progress: Any) -> Solution:
    """Solve a maze from ``--start`` to ``--goal``, which are numbers or labels of cells."""
    ends: list[Any] = []
    for word, given in (("--start", args.start), ("--goal", args.goal)):
        if given is not None and len(given) != 1:
            msg = f"{word} is one cell of a lattice, its number or label, not {' '.join(map(str, given))!r}"
            raise ValueError(msg)
        ends.append(None if given is None else given[0])
    solver = args.solver or default_algorithm(solve)
    rng = secrets.randbits(64) if SOLVERS.find(solver).random else None
    return solve(maze, *ends, algorithm=solver, rng=rng, progress=progress)


def write(maze: GraphMaze, solution: Solution | None, args: argparse.Namespace) -> None:
    """Write the files, with the solution if their format shows one."""
    if args.output is not None:
        takes = format_of(args.output, "write").graph_takes
        given: dict[str, Any] = {"solution": solution} if "solution" in takes else {}
        given |= {"style": args.style} if "style" in takes and args.style else {}
        save(maze, args.output, scale=args.scale, **given)
    if args.dot is not None:
        write_as(FORMATS[".dot"], maze, args.dot, solution=solution)


def shown(maze: GraphMaze, style: Any, solution: Solution | None, args: argparse.Namespace) -> str:
    """Return what is printed of a maze: a drawing that fits the terminal, or else what it is, in a line."""
    asked = args.style or not (args.output or args.dot or args.input)
    if has_text(maze) and asked:
        text = graph_text(maze, style, solution=solution if solution and solution.found else None)
        lines = text.splitlines()
        columns, rows = ansi.size()
        if args.style or not sys.stdout.isatty() or (len(lines) < rows and len(lines[0]) <= columns):
            return text
    draws = "" if args.output or args.dot else "; -o maze.svg draws it"
    return f"{maze.description}{draws}"
