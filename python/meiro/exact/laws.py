"""`law`: the exact probability of every small maze under an algorithm.

The files in `data/laws` hold one law and shape each, as fractions.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro._utils.set_module import set_module
from meiro._utils.square import (
    FLAT,
    Shape,
    ShapeLike,
    checked_shape,
    n_walls,
    passages_of,
    require_shape_first,
)
from meiro.exact._listed_law import ListedLaw
from meiro.exact.graph_laws import GraphLaw, law_on_lattice
from meiro.lattices.lattice import Lattice
from meiro.mazes._from_core import maze_from_core, require_maze
from meiro.mazes.maze import Maze
from meiro.registry import ALGORITHMS, Algorithm

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


FOLDER = Path(__file__).parent / "data" / "laws"
"""`<law>_<rows>x<cols>.json`: every maze as a number; bit i is 1 if passage i of `edges` is open."""

_MOST = 3


@set_module("meiro")
@dataclass(frozen=True, eq=False, repr=False)
class Law(ListedLaw[Maze]):
    """The exact distribution of an algorithm's mazes: a mapping from each possible maze to its probability.

    Returned by `meiro.law`. The probabilities add up to 1.

    Attributes
    ----------
    algorithm : str
        The algorithm or law.
    rule : str
        The rule of the algorithm, in a sentence.
    shape : (int, int)
        Rows and columns, in cells.

    Examples
    --------
    >>> law = meiro.law((2, 3), "binary_tree")
    >>> law
    <Law of binary_tree: 4 mazes of (2, 3)>
    >>> set(law.values()), sum(law.values())
    ({Fraction(1, 4)}, Fraction(1, 1))
    >>> print(next(iter(law)).to_text("ascii"))
    +-+-+-+
    |     |
    + + + +
    | | | |
    +-+-+-+
    """

    _kind = Maze

    algorithm: str
    rule: str
    shape: Shape
    _mazes: Mapping[Maze, Fraction] = field(repr=False)

    def __repr__(self) -> str:
        """Return one line."""
        return f"<Law of {self.algorithm}: {len(self)} maze{'s' * (len(self) != 1)} of {self.shape}>"

    def probability(self, maze: Maze) -> Fraction:
        """Return the probability of a maze, 0 for an impossible one.

        Parameters
        ----------
        maze : Maze
            Of the shape of the law.

        Returns
        -------
        Fraction
            Exact.

        Raises
        ------
        TypeError
            If `maze` is not a `Maze`.
        ValueError
            If `maze` has another shape than the law.

        Examples
        --------
        >>> meiro.law((3, 3), "wilson").probability(meiro.generate((3, 3), "spiral"))
        Fraction(1, 192)
        """
        require_maze(maze)
        if (maze.rows, maze.cols) != self.shape:
            msg = f"maze must be of the shape of the law, {self.shape}, not {maze!r}"
            raise ValueError(msg)
        from fractions import Fraction

        return self._mazes.get(maze, Fraction(0))


@overload
def law(shape: Lattice, algorithm: Algorithm | str) -> GraphLaw: ...
@overload
def law(shape: ShapeLike, algorithm: Algorithm | str) -> Law: ...
def law(shape: ShapeLike | Lattice, algorithm: Algorithm | str) -> Law | GraphLaw:
    """Return the exact distribution of an algorithm's mazes, up to 3 x 3 cells.

    Parameters
    ----------
    shape : (int, int) or Lattice
        Rows and columns, in cells; at most 3 each. Or a lattice of at most 200,000 spanning trees: of that
        the laws "uniform" and "random_mst" are known.
    algorithm : str
        A name in `meiro.ALGORITHMS`, with default options; or the name of a law, as in their attribute
        ``law``: ``"uniform"``, ``"random_mst"``, ...; or ``"growing_tree_oldest"`` or
        ``"growing_tree_random"``, the laws of ``choose="oldest"`` and ``choose="random"``.

    Returns
    -------
    Law or GraphLaw
        A mapping from `Maze` or `GraphMaze` to `fractions.Fraction`.

    Raises
    ------
    ValueError
        If the algorithm or law is unknown, or no exact law is known for the algorithm or the shape.
    TypeError
        If `algorithm` is not a string.

    See Also
    --------
    sampler_test : Pearson's chi-square test of a sampler against a law.
    number_of_mazes : The number of perfect mazes of any shape.

    Examples
    --------
    >>> kruskal = meiro.law((3, 3), "kruskal")
    >>> len(kruskal), min(kruskal.values()), max(kruskal.values())
    (192, Fraction(167, 47520), Fraction(23, 3360))
    """
    require_shape_first(shape, algorithm, "law(shape, algorithm)")
    if isinstance(shape, Lattice):
        return law_on_lattice(shape, *_named(algorithm))
    rows, cols = checked_shape(shape)
    name, of = _named(algorithm)
    if max(rows, cols) > _MOST:
        msg = f"exact laws go up to ({_MOST}, {_MOST}) cells, not ({rows}, {cols})"
        if of == "uniform":
            msg += ": the law is 1 / meiro.number_of_mazes(shape) for each maze"
        raise ValueError(msg)
    return _read(name, of, (rows, cols))


@lru_cache(maxsize=64)
def _read(name: str, of: str, shape: Shape) -> Law:
    import json  # these two are a tenth of what `import meiro` takes
    from fractions import Fraction

    # With one row or column there is one maze, and no file.
    size = "x".join(map(str, shape if min(shape) > 1 else (2, 2)))
    stated = json.loads((FOLDER / f"{of}_{size}.json").read_text("utf-8"))
    if min(shape) == 1:
        only = maze_from_core(passages_of(shape, np.ones(n_walls(shape), np.bool_), FLAT))
        return Law(name, stated["rule"], shape, {only: Fraction(1)})
    walls = _core.wall_ids(np.array(stated["edges"]), shape, FLAT)
    mazes = {}
    for number, probability in stated["trees"]:
        open_ = np.empty(len(walls), np.bool_)
        open_[walls] = [number >> i & 1 for i in range(len(walls))]
        mazes[maze_from_core(passages_of(shape, open_, FLAT))] = Fraction(probability)
    return Law(name, stated["rule"], shape, mazes)


@lru_cache(maxsize=1)
def laws() -> tuple[str, ...]:
    """Return the names of all laws that have files."""
    return tuple(sorted({file.name.rpartition("_")[0] for file in FOLDER.iterdir()}))


def _named(algorithm: object) -> tuple[str, str]:
    """Return the name of the algorithm or law, and the name of its law."""
    if isinstance(algorithm, str) and algorithm in laws() and algorithm not in ALGORITHMS:
        return algorithm, algorithm
    try:
        facts = ALGORITHMS.find(algorithm, "algorithm")  # type: ignore[arg-type]  # a wrong type raises there
    except ValueError:
        near = difflib.get_close_matches(str(algorithm), {*laws(), *_with_law()}, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
        msg = f"there is no algorithm or law {short_repr(algorithm)}; {hint}{_known()}"
        raise ValueError(msg) from None
    if not facts.law:
        msg = f"no exact law of {facts.name!r} is known; {_known()}"
        raise ValueError(msg)
    return facts.name, facts.law


def _with_law() -> list[str]:
    return [name for name, facts in ALGORITHMS.items() if facts.law]


def _known() -> str:
    others = [name for name in laws() if name not in ALGORITHMS]
    return f"these algorithms have one: {', '.join(_with_law())}; further laws: {', '.join(others)}"
