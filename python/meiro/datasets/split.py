"""Splits of mazes by content: equal mazes, and if asked their images, are always in the same part."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.validation import boolean, items_of, number
from meiro.datasets.forms import forms_of, hashes_of_rows
from meiro.datasets.samples import Samples, some_of
from meiro.mazes.batch import MazeBatch
from meiro.mazes.graph_batch import GraphBatch
from meiro.spaces.space_of import mazes_of
from meiro.transforms.openings import set_ends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import CellLike
    from meiro.spaces.space import MazeSpace

    Cells = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]

Batch = TypeVar("Batch", MazeBatch, GraphBatch, Samples)

_BITS = 61  # of the hash of a maze
_TEST = 0.2
_ROUNDING = 1e-9  # of a sum of shares


def split(
    batch: Batch,
    starts: Cells | None = None,
    goals: Cells | None = None,
    *,
    test: float = _TEST,
    parts: Sequence[float] | NDArray[np.floating[Any]] | None = None,
    symmetries: bool = False,
) -> tuple[Batch, ...]:
    """Split mazes into a training set and a test set, or any parts, with equal mazes in the same part.

    A maze is in the test set if ``hash(maze) < test * 2**61``: BLAKE2b of shape, passages, mask and wrap, the
    same in any process and on any machine. So its side depends on the maze alone, not on its position, its
    duplicates or the other mazes, and no maze is on both sides even across two batches. Its mirror image is
    another maze, and may be on the other side, unless `symmetries` is True.

    Parameters
    ----------
    batch : MazeBatch, GraphBatch, list of mazes or Samples
        The mazes to split, or what `meiro.datasets.supervised` made of them; it stays as it is.
    starts, goals : (int, int) or array_like of int, shape (n, 2), optional
        The start and the goal of each maze, as `endpoints` returns them; all parts get theirs, as by
        ``with_ends(batch, (starts, goals))``. By default those of the batch. On a lattice cells, shape (n,).
    test : float
        The share of all possible mazes in the test set, 0 to 1; about that share of `batch`.
    parts : sequence of float, optional
        The shares of any number of parts, instead of `test`, with the sum 1: ``(0.8, 0.1, 0.1)``. Parts
        ``(0.8, 0.2)`` are those of ``test=0.2``.
    symmetries : bool
        Whether mazes that are images of each other are in the same part, too: see Notes.

    Returns
    -------
    train, test : MazeBatch, GraphBatch or Samples
        In the order of the batch; ``seed(i)`` still is the seed of each maze, and ``starts`` and ``goals``
        are the cells of its own mazes. With `parts` as many as these.

    Raises
    ------
    ValueError
        If `test` or a share is not in [0, 1], the sum of `parts` is not 1, or a cell is outside its maze or
        masked out.
    MemoryError
        If a lattice has more symmetries than fit in memory; nothing is allocated before.
    TypeError
        If `batch` holds no mazes, `test` not a number, only one of `starts` and `goals` is given, both `test`
        and `parts`, or ends beside samples, which have theirs.

    See Also
    --------
    endpoints : start and goal for each maze.
    generate_many : makes a batch.
    meiro.datasets.leaks : what two sets have in common.

    Notes
    -----
    Small shapes have few mazes, and the shares may be off: a 2 x 2 maze is one of four. A maze that is in the
    test set at some share is so at any larger share. So a validation set can be split off the test set, again
    as a share of all mazes.

    Symmetries are rotations by quarter turns and mirror images, also of a 4 x 6 maze to one of 6 x 4, and on
    a side that wraps all translations. Mask and openings move along. Start and goal never decide: a maze with
    other ends, or with the two exchanged, is in the same part.

    On a lattice they are the isometries of the places of the cells that take edges to edges: the rotations
    and mirror images that `rotate` and `flip` know; of a `meiro.lattices.box`, and of a graph with places in
    space, also exchange and reversal of its axes, such as its levels; the 48 of a `meiro.lattices.cube`; and
    steps along a `meiro.lattices.moebius` strip. A graph without places has none; there only equal mazes are
    in the same part. Translations of a periodic graph are not looked for: its places do not tell them.

    References
    ----------
    J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn, C. Winnerlein, BLAKE2 (2013). doi:10.1007/978-3-642-38980-1_8

    Examples
    --------
    >>> many = meiro.generate_many((8, 8), n=10_000, rng=7)
    >>> train, rest = meiro.split(many, *meiro.endpoints(many, rng=7), test=0.3)
    >>> validation, test = meiro.split(rest, test=0.2)
    >>> len(train), len(validation), len(test), test.starts.shape
    (6930, 1027, 2043, (2043, 2))
    >>> [len(part) for part in meiro.split(many, parts=(0.8, 0.1, 0.1), symmetries=True)]
    [7977, 979, 1044]
    """
    given: Any = batch
    samples = given if isinstance(given, Samples) else None
    space = mazes_of(given if samples is None else samples.mazes, "batch", many=True)
    mazes = space.x
    for name, cells in (("starts", starts), ("goals", goals)):
        if samples is not None and cells is not None:
            raise TypeError(f"{name}= is for mazes: samples have starts and goals")
        if not space.on_lattice and isinstance(cells, str | int | float | np.generic):
            raise TypeError(
                f"{name} must be cells, not {short_repr(cells)}; the share of the test set is test="
            )
    if (starts is None) != (goals is None):
        only = "goals" if starts is None else "starts; the shares of the parts are parts="
        raise TypeError(f"give both starts and goals, not only {only}")
    if starts is not None and goals is not None:
        mazes = set_ends(mazes, {"starts": starts, "goals": goals})
    limits = _limits(test, parts)
    of_each = hashes(mazes, symmetries=boolean(symmetries, "symmetries"))
    which = np.searchsorted(limits, of_each, side="right")  # the last part has the least hashes
    numbers = [np.flatnonzero(which == k) for k in range(len(limits), -1, -1)]
    parted: Any = [mazes[each] if samples is None else some_of(samples, each) for each in numbers]
    return tuple(parted)


def in_test_set(mazes: MazeBatch | GraphBatch, test: float, *, symmetries: bool = False) -> NDArray[np.bool_]:
    """Return which mazes are in the test set."""
    limit: np.uint64 = _limits(test, None)[0]
    return hashes(mazes, symmetries=symmetries) < limit


def _limits(test: float, parts: Sequence[float] | NDArray[np.floating[Any]] | None) -> NDArray[np.uint64]:
    """Return below which hashes the last part ends, the last two, and so on, but not all."""
    if parts is None:
        shares = [number(test, "test", 0, 1)]
    elif test != _TEST:
        raise TypeError(f"give test= or parts=, not both: test={short_repr(test)}, parts={short_repr(parts)}")
    else:
        given = items_of(parts, "parts", "shares, as (0.8, 0.1, 0.1)", ordered=True)
        listed = [number(share, f"parts[{i}]", 0, 1) for i, share in enumerate(given)]
        if abs(math.fsum(listed) - 1) > _ROUNDING:
            raise ValueError(f"parts must have the sum 1, not {math.fsum(listed):g}: {short_repr(parts)}")
        shares = listed[:0:-1]
    return np.array([int(min(share, 1.0) * (1 << _BITS)) for share in np.cumsum(shares).tolist()], np.uint64)


def hashes(mazes: MazeBatch | GraphBatch, *, symmetries: bool = False) -> NDArray[np.uint64]:
    """Return ``hash(maze)`` of each maze, shape (n,); or one that its images under symmetries share."""
    space: MazeSpace[Any] = mazes_of(mazes)
    if symmetries:
        return forms_of(space.x, symmetries=True).hashes()
    batch = space.x
    if space.on_lattice or batch.masks is not batch.mask or batch.openings is not None:  # each has its own
        return np.fromiter(map(hash, batch), np.uint64, space.n)
    end = b"" if batch.mask is None else batch.mask.tobytes()
    if any(batch.wrap):
        end += bytes(batch.wrap)
    return hashes_of_rows(
        repr((batch.rows, batch.cols)).encode(), batch.passages.reshape(space.n, space.size), end
    )
