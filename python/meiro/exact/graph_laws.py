"""`law` on lattices: the exact probability of every spanning tree of a small one."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from meiro._utils.set_module import set_module
from meiro.exact._listed_law import ListedLaw
from meiro.exact.graph_trees import count_trees, enumerate_trees
from meiro.mazes.graph_maze import GraphMaze, require_graph_maze

if TYPE_CHECKING:
    from collections.abc import Mapping

    from meiro.lattices.lattice import Lattice

_MOST_TREES = 200_000
_RULES = {
    "uniform": "every perfect maze is equally likely",
    "random_mst": "the minimum spanning tree of independent weights of one continuous law",
}


@set_module("meiro.exact")
@dataclass(frozen=True, eq=False, repr=False)
class GraphLaw(ListedLaw[GraphMaze]):
    """The exact distribution of the mazes on a lattice: a mapping from each to its probability.

    Returned by `meiro.law`. The probabilities add up to 1.

    Attributes
    ----------
    algorithm : str
        The algorithm or law.
    rule : str
        The rule of the law, in a sentence.
    lattice : Lattice

    Examples
    --------
    >>> law = meiro.law(meiro.lattices.square(2, 3), "kruskal")
    >>> law
    <GraphLaw of kruskal: 15 mazes on square: 6 cells, 7 edges>
    >>> sum(law.values())
    Fraction(1, 1)
    """

    _kind = GraphMaze

    algorithm: str
    rule: str
    lattice: Lattice
    _mazes: Mapping[GraphMaze, Fraction] = field(repr=False)

    def __repr__(self) -> str:
        """Return one line."""
        mazes = f"{len(self):,} maze{'s' * (len(self) != 1)}"
        return f"<GraphLaw of {self.algorithm}: {mazes} on {self.lattice.description}>"

    def probability(self, maze: GraphMaze) -> Fraction:
        """Return the probability of a maze.

        Parameters
        ----------
        maze : GraphMaze
            On the lattice of the law.

        Returns
        -------
        Fraction
            0 for an impossible maze.

        Raises
        ------
        ValueError
            If the maze is on another lattice.

        Examples
        --------
        >>> lattice = meiro.lattices.square(2, 2)
        >>> meiro.law(lattice, "wilson").probability(meiro.generate(lattice, rng=7))
        Fraction(1, 4)
        """
        if require_graph_maze(maze).lattice != self.lattice:
            msg = f"maze must be on the lattice of the law, {self.lattice!r}, not {maze!r}"
            raise ValueError(msg)
        return self._mazes.get(maze, Fraction(0))


def law_on_lattice(lattice: Lattice, algorithm: str, law: str) -> GraphLaw:
    """Return the law of an algorithm on a lattice; `law` is the name of the law."""
    if law not in _RULES:
        msg = f"exact laws on lattices are known of 'uniform' and 'random_mst', not of {algorithm!r}"
        raise ValueError(msg)
    if (number := count_trees(lattice)) > _MOST_TREES:
        many = f"{number:,}" if number < 10**30 else f"a number of {number.bit_length():,} bits"
        msg = f"{lattice!r} has {many} mazes, too many to list them: at most {_MOST_TREES:,}"
        raise ValueError(msg)
    trees = enumerate_trees(lattice)
    if law == "uniform":
        mazes = dict.fromkeys(trees, Fraction(1, number))
    else:
        shares = _random_minimum_trees(lattice)
        mazes = {tree: shares[frozenset(tree.edge_ids().tolist())] for tree in trees}
    return GraphLaw(algorithm, _RULES[law], lattice, mazes)


def _random_minimum_trees(lattice: Lattice) -> dict[frozenset[int], Fraction]:
    """Return the probability of each tree under Kruskal's rule: the next edge that joins two is uniform."""
    ends = lattice.edges.tolist()
    forests: dict[frozenset[int], Fraction] = {frozenset(): Fraction(1)}
    for _ in range(lattice.n_cells - lattice.n_components):
        following: dict[frozenset[int], Fraction] = {}
        for forest, share in forests.items():
            label = list(range(lattice.n_cells))
            for edge in forest:
                one, other = label[ends[edge][0]], label[ends[edge][1]]
                label = [other if own == one else own for own in label]
            joining = [edge for edge, (one, other) in enumerate(ends) if label[one] != label[other]]
            for edge in joining:
                grown = forest | {edge}
                following[grown] = following.get(grown, Fraction(0)) + share / len(joining)
        forests = following
    return forests
