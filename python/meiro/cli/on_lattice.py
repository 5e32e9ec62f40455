"""What the command does with mazes on lattices."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

from meiro import lattices
from meiro.drawing.terminal import ansi
from meiro.drawing.text.render import graph_text, has_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.results.solution import Solution

NAMES = sorted(name for name in lattices.__all__ if name.islower() and not name.startswith("from_"))


def lattice_of(words: Sequence[object], seed: int) -> Lattice:
    """Return the lattice of ``--lattice NAME SIZE...``, with the seed of the command if it has random parts.

    Examples
    --------
    >>> from meiro.cli.on_lattice import lattice_of
    >>> lattice_of(["hexagonal", 20, 30], 7), lattice_of(["triangular", ("side", 5)], 7)
    (<Lattice hexagonal: 600 cells, 1,701 edges>, <Lattice triangular: 25 cells, 30 edges>)
    """
    name, *sizes = words
    if name not in NAMES:
        raise ValueError(f"--lattice: there is no {name!r}; there are {', '.join(NAMES)}")
    make: Any = getattr(lattices, str(name))
    takes = inspect.signature(make).parameters
    given: dict[str, object] = {"rng": seed} if "rng" in takes else {}
    given |= dict(size for size in sizes if isinstance(size, tuple))
    numbers = [size for size in sizes if not isinstance(size, tuple)]
    try:
        inspect.signature(make).bind(*numbers, **given)
    except TypeError as error:
        form = ", ".join(one for one in takes if one != "rng")
        raise TypeError(f"--lattice {name}: {error}; in Python it is {name}({form})") from None
    made: Lattice = make(*numbers, **given)
    return made


def one_cell(word: str, given: list[Any] | None) -> Any:
    """Return the number, label or coordinates of a cell that ``--start`` or ``--goal`` gives."""
    if given is not None and len(given) > 1 and not all(type(part) is int for part in given):
        raise ValueError(
            f"--{word} is one cell of a lattice, its number, its label or its coordinates, not "
            f"{' '.join(map(str, given))!r}"
        )
    if given is None or len(given) == 1:
        return None if given is None else given[0]
    return tuple(given)


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
