"""`law`: the exact probability of every small maze under an algorithm.

The files in `data/laws` hold one law and shape each, as fractions, up to 3 x 3 cells. `_rules` computes those
of larger shapes; on lattices spanning trees are listed.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, Shape, ShapeLike, require_shape_first
from meiro.exact._domain import Graph, domain_of, domain_of_maze
from meiro.exact.counting import count_trees, log_number_of_mazes
from meiro.exact.ranking import all_mazes
from meiro.registry import ALGORITHMS, Algorithm
from meiro.spaces.space_of import is_maze

if TYPE_CHECKING:
    from fractions import Fraction

    from meiro.exact._domain import Domain
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

M = TypeVar("M")

FOLDER = Path(__file__).parent / "data" / "laws"
"""`<law>_<rows>x<cols>.json`: every maze as a number; bit i is 1 if passage i of `edges` is open."""

_MOST = 4  # rows and columns
_MOST_STORED = 3
_MOST_DRAWN = 9  # cells of mazes each of which a test can draw many times
_MOST_CELLS = 12  # where nothing else judges
_MOST_TREES = 200_000  # of a lattice
_RULES = {
    "uniform": "every perfect maze is equally likely",
    "random_mst": "the minimum spanning tree of independent weights of one continuous law",
}


@dataclass(frozen=True, eq=False, repr=False)
class Law(Mapping[M, "Fraction"]):
    """The exact distribution of an algorithm's mazes: a mapping from each possible maze to its probability.

    Returned by `meiro.law`. The probabilities add up to 1.

    Attributes
    ----------
    algorithm : str
        The algorithm or law.
    rule : str
        The rule of the algorithm, in a sentence.
    shape : (int, int) or Lattice
        Rows and columns, in cells; or the lattice.

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
    >>> meiro.law(meiro.lattices.square(2, 3), "kruskal")
    <Law of kruskal: 15 mazes on square: 6 cells, 7 edges>
    """

    __module__ = "meiro"

    algorithm: str
    rule: str
    shape: Shape | Lattice
    _mazes: Mapping[M, Fraction] = field(repr=False)

    def __repr__(self) -> str:
        """Return one line."""
        domain = domain_of(self.shape)
        mazes = f"{len(self):,} maze{'s' * (len(self) != 1)}"
        return f"<Law of {self.algorithm}: {mazes} {domain.of} {domain.name}>"

    def __getitem__(self, maze: M) -> Fraction:
        """Return the probability of a possible maze; KeyError for an impossible one."""
        if is_maze(maze) and maze in self._mazes:
            return self._mazes[maze]
        raise KeyError(f"maze must be one of the law, not {short_repr(maze)}")

    def __iter__(self) -> Iterator[M]:
        """Iterate over the possible mazes."""
        return iter(self._mazes)

    def __len__(self) -> int:
        """Return the number of possible mazes."""
        return len(self._mazes)

    def probability(self, maze: M) -> Fraction:
        """Return the probability of a maze, 0 for an impossible one.

        Parameters
        ----------
        maze : Maze or GraphMaze
            Of the shape, or on the lattice, of the law.

        Returns
        -------
        Fraction
            Exact.

        Raises
        ------
        TypeError
            If `maze` is not a maze.
        ValueError
            If `maze` has another shape, or lies on another lattice, than the law.

        Examples
        --------
        >>> meiro.law((3, 3), "wilson").probability(meiro.generate((3, 3), "spiral"))
        Fraction(1, 192)
        """
        if domain_of_maze(maze)[0].shape != self.shape:
            raise ValueError(f"maze must be of the shape of the law, {self.shape}, not {maze!r}")
        from fractions import Fraction

        return self._mazes.get(maze, Fraction(0))


@overload
def law(shape: Lattice, algorithm: Algorithm | str) -> Law[GraphMaze]: ...
@overload
def law(shape: ShapeLike, algorithm: Algorithm | str) -> Law[Maze]: ...
def law(shape: ShapeLike | Lattice, algorithm: Algorithm | str) -> Law[Any]:
    """Return the exact distribution of an algorithm's mazes, up to 4 x 4 cells.

    Parameters
    ----------
    shape : (int, int) or Lattice
        Rows and columns, in cells; at most 4 each. Or a lattice of at most 200,000 spanning trees: of that
        the laws "uniform" and "random_mst" are known.
    algorithm : str
        A name in `meiro.ALGORITHMS`, with default options; or the name of a law, as in their attribute
        ``law``: ``"uniform"``, ``"random_mst"``, ...; or ``"growing_tree_oldest"`` or
        ``"growing_tree_random"``, the laws of ``choose="oldest"`` and ``choose="random"``.

    Returns
    -------
    Law
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

    Notes
    -----
    Laws are stored up to 3 x 3 cells. Beyond, every choice that the rule allows is followed (minimum
    spanning trees, of "random_mst", are joined from those of parts of the cells), and 16 laws are kept in
    memory. 3 x 4 cells have at most 2,415 mazes, and take half a second. 4 x 4 cells have at most
    100,352, which take up to 40 s (those of "wall_extension"; 6 s those of "random_mst") and 290 MB.

    Examples
    --------
    >>> kruskal = meiro.law((3, 3), "kruskal")
    >>> len(kruskal), min(kruskal.values()), max(kruskal.values())
    (192, Fraction(167, 47520), Fraction(23, 3360))
    >>> meiro.law((4, 4), "backtracker")
    <Law of backtracker: 322 mazes of (4, 4)>
    """
    require_shape_first(shape, algorithm, "law(shape, algorithm)")
    domain, (name, of) = domain_of(shape), _named(algorithm)
    if isinstance(domain, Graph):
        return law_on_lattice(domain, name, of)
    if max(domain.shape) > _MOST and min(domain.shape) > 1:
        msg = f"shape: the exact law of {name!r} goes up to ({_MOST}, {_MOST}) cells, not {domain}"
        if of == "uniform":
            msg += ": the law is 1 / meiro.number_of_mazes(shape) for each maze"
        raise ValueError(msg)
    rule, mazes = _mazes_of_law(of, domain.shape)
    return Law(name, rule, domain.shape, mazes)


@lru_cache(maxsize=16)
def _mazes_of_law(law: str, shape: Shape) -> tuple[str, dict[Maze, Fraction]]:
    """Return the rule, and the probabilities of all mazes."""
    import json  # these two are a tenth of what `import meiro` takes
    from fractions import Fraction

    from meiro.exact._rules import edges_of, law_by_rule

    domain = domain_of(shape)
    stored = min(shape) > 1 and max(shape) <= _MOST_STORED
    size = "x".join(map(str, shape if stored else (2, 2)))
    stated = json.loads((FOLDER / f"{law}_{size}.json").read_text("utf-8"))
    if stored:
        trees = {number: Fraction(probability) for number, probability in stated["trees"]}
    elif law == "uniform" or min(shape) == 1:
        found = list(all_mazes(domain))
        return stated["rule"], dict.fromkeys(found, Fraction(1, len(found)))
    else:
        trees = law_by_rule(law, shape)
    walls = _core.wall_ids(np.array(edges_of(shape)), shape, FLAT)
    mazes = {}
    for number, probability in trees.items():
        open_ = np.empty(len(walls), np.bool_)
        open_[walls] = [number >> i & 1 for i in range(len(walls))]
        mazes[domain.maze(open_)] = probability
    return stated["rule"], mazes


def law_on_lattice(domain: Graph, algorithm: str, law: str) -> Law[GraphMaze]:
    """Return the law of an algorithm on a lattice; `law` is the name of the law."""
    from fractions import Fraction

    if law not in _RULES:
        raise ValueError(
            f"exact laws on lattices are known of 'uniform' and 'random_mst', not of {algorithm!r}"
        )
    if (number := count_trees(domain)) > _MOST_TREES:
        many = f"{number:,}" if number < 10**30 else f"a number of {number.bit_length():,} bits"
        raise ValueError(f"{domain} has {many} mazes, too many to list them: at most {_MOST_TREES:,}")
    trees: Iterator[GraphMaze] = all_mazes(domain)
    if law == "uniform":
        mazes = dict.fromkeys(trees, Fraction(1, number))
    else:
        from meiro.exact._minimum_trees import minimum_trees

        if _has_long_blocks(domain.lattice):
            raise ValueError(
                f"{domain} has too many edges with cycles in common for the law of {algorithm!r}"
            )
        shares = minimum_trees(domain.lattice.edges.tolist())
        mazes = {tree: shares[sum(1 << edge for edge in tree.edge_ids().tolist())] for tree in trees}
    return Law(algorithm, _RULES[law], domain.shape, mazes)


def _has_long_blocks(lattice: Lattice) -> bool:
    """Return whether there are too many edges with cycles in common for laws of minimum trees."""
    from meiro.exact._minimum_trees import MOST_EDGES, blocks

    return any(len(block) > MOST_EDGES for block in blocks(lattice.edges.tolist()))


def is_listed(domain: Domain, law: str) -> bool:
    """Return whether all mazes of a law are listed, and few enough for each to be drawn many times."""
    if isinstance(domain, Graph):
        few = log_number_of_mazes(domain.shape) < math.log(_MOST_TREES + 0.5)
        return law in _RULES and few and (law == "uniform" or not _has_long_blocks(domain.lattice))
    follow = sum(algorithm.law == law for algorithm in ALGORITHMS.values())
    cells = _MOST_DRAWN if follow > 1 else _MOST_CELLS  # frequencies need another algorithm that follows it
    return max(domain.array_shape) <= _MOST and math.prod(domain.array_shape) <= cells


def law_named(algorithm: str) -> str:
    """Return the name of the law of an algorithm, or of a law."""
    return _named(algorithm)[1]


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
        raise ValueError(f"there is no algorithm or law {short_repr(algorithm)}; {hint}{_known()}") from None
    if not facts.law:
        raise ValueError(f"no exact law of {facts.name!r} is known; {_known()}")
    return facts.name, facts.law


def _with_law() -> list[str]:
    return [name for name, facts in ALGORITHMS.items() if facts.law]


def _known() -> str:
    others = [name for name in laws() if name not in ALGORITHMS]
    return f"these algorithms have one: {', '.join(_with_law())}; further laws: {', '.join(others)}"
