"""What two sets of mazes have in common: equal mazes, images, solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.set_module import set_module
from meiro.datasets.forms import forms_of, forms_of_solutions
from meiro.datasets.samples import Samples
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro.mazes._one_maze import AnyMaze
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch

    Mazes = MazeBatch | GraphBatch | Sequence[AnyMaze] | Samples


@set_module("meiro.datasets")
class Twins(NamedTuple):
    """The mazes of two sets that are alike in one way, in `Leaks`.

    Each pair is the number of a maze, and that of the first one that it is like.

    Attributes
    ----------
    train, test : ndarray of int64, shape (k, 2)
        Pairs within each set: the second of a pair is the earlier one.
    across : ndarray of int64, shape (k, 2)
        Pairs of a maze of the test set and one of the training set.

    Examples
    --------
    >>> many = meiro.generate_many((2, 2), n=20, rng=7)
    >>> meiro.datasets.leaks(many[:2], many[:4]).equal
    <Twins: 0 in train, 1 in test, 3 across>
    """

    train: NDArray[np.int64]
    test: NDArray[np.int64]
    across: NDArray[np.int64]

    def __repr__(self) -> str:
        """Return the counts."""
        train, test, across = map(len, self)
        return f"<Twins: {train:,} in train, {test:,} in test, {across:,} across>"


@set_module("meiro.datasets")
class Leaks(NamedTuple):
    """What two sets of mazes have in common, as `leaks` returns it.

    Attributes
    ----------
    equal : Twins
        Mazes that are equal, whatever their start and goal.
    symmetric : Twins
        Mazes that are images of each other, or equal, as ``meiro.split(..., symmetries=True)`` says it.
    solution : Twins
        Mazes whose solutions are images of each other, or equal: start, goal and the cells on the path
        between them, in either direction. The mazes may differ elsewhere.
    n_train, n_test : int
        The numbers of mazes.

    Examples
    --------
    >>> many = meiro.generate_many((4, 4), n=1000, rng=7)
    >>> train, test = meiro.split(many)
    >>> found = meiro.datasets.leaks(train, test)
    >>> found.equal, found.symmetric
    (<Twins: 7 in train, 2 in test, 0 across>, <Twins: 30 in train, 4 in test, 21 across>)
    >>> in_test, in_train = found.symmetric.across[0]
    >>> meiro.MazeBatch([train[in_train], test[in_test]]).unique(symmetries=True)
    <MazeBatch of 1: 4 rows x 4 cols, wilson>
    """

    equal: Twins
    symmetric: Twins
    solution: Twins
    n_train: int
    n_test: int

    def __repr__(self) -> str:
        """Return a table of the counts."""
        lines = [f"<Leaks: {self.n_train:,} mazes in train, {self.n_test:,} in test>"]
        lines.append(f"{'':9}{'in train':>11}{'in test':>11}{'across':>11}")
        for name, twins in zip(self._fields, self[:3], strict=False):
            lines.append(f"{name:9}" + "".join(f"{len(pairs):>11,}" for pairs in twins))
        return "\n".join(lines)


def leaks(train: Mazes, test: Mazes) -> Leaks:
    """Find what of a test set is in the training set, too: equal mazes, images, solutions.

    Parameters
    ----------
    train, test : MazeBatch, GraphBatch, list of mazes or Samples
        The two sets, of any shapes, or on any lattices.

    Returns
    -------
    Leaks
        Pairs of mazes that are alike, within each set and across; printed as a table of their counts.

    Raises
    ------
    TypeError
        If one of them holds no mazes.
    MemoryError
        If there are too many; nothing is allocated before.

    See Also
    --------
    meiro.split : sets without equal mazes, or without images.

    Notes
    -----
    Start and goal are those of the mazes, by default as `meiro.solve_many` takes them; mazes without a path
    have no solution. Of several shortest paths the one that `meiro.solve_many` finds counts. Small shapes and
    near ends have few solutions, so sets without a common maze may share nearly all of them.

    Examples
    --------
    >>> samples = meiro.datasets.supervised((5, 5), "wilson", 2000, ends="farthest", rng=7)
    >>> meiro.datasets.leaks(*meiro.split(samples, symmetries=True))
    <Leaks: 1,613 mazes in train, 387 in test>
                in train    in test     across
    equal              0          0          0
    symmetric          0          0          0
    solution          82          5         37
    """
    sets = [mazes_of(_mazes(given), name, many=True).x for given, name in ((train, "train"), (test, "test"))]
    equal, symmetric = (
        _twins(*(dict(enumerate(forms_of(mazes, symmetries=images).keys())) for mazes in sets))
        for images in (False, True)
    )
    return Leaks(equal, symmetric, _twins(*map(_solutions, sets)), *map(len, sets))


def _mazes(given: Any) -> Any:
    return given.mazes if isinstance(given, Samples) else given


def _solutions(mazes: Any) -> dict[int, Any]:
    """Return the keys of the solutions by the numbers of their mazes."""
    forms, solved = forms_of_solutions(mazes)
    return {i: key for i, (key, there) in enumerate(zip(forms.keys(), solved.tolist(), strict=True)) if there}


def _twins(train: dict[int, Any], test: dict[int, Any]) -> Twins:
    """Return pairs of numbers of equal keys."""
    firsts: list[dict[Any, int]] = [{}, {}]
    within: list[list[tuple[int, int]]] = [[], []]
    for keys, first, pairs in zip((train, test), firsts, within, strict=True):
        for i, key in keys.items():
            if (twin := first.setdefault(key, i)) != i:
                pairs.append((i, twin))
    across = [(i, firsts[0][key]) for i, key in test.items() if key in firsts[0]]
    return Twins(*(np.array(pairs, np.int64).reshape(-1, 2) for pairs in (*within, across)))
