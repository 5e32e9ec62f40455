"""What makes a maze, checked: passages that agree with each other, mask and openings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of
from meiro._utils.memory import require
from meiro._utils.square import FLAT, E, N, S, W, Wrap, checked_wrap
from meiro._utils.validation import integers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

NO_OPENINGS = np.empty((0, 2), np.int64)
NO_OPENINGS.flags.writeable = False


def as_bytes(mask: NDArray[np.bool_] | None) -> NDArray[np.uint8] | None:
    """Return a mask as the core takes it, without a copy."""
    return None if mask is None else mask.view(np.uint8)


class Parts(NamedTuple):
    """What makes a maze, checked: all that `Maze._fill` needs of it."""

    passages: NDArray[np.uint8]
    mask: NDArray[np.bool_] | None
    openings: NDArray[np.int64]
    wrap: Wrap


def checked(passages: ArrayLike, mask: ArrayLike | None, openings: ArrayLike, wrap: object = FLAT) -> Parts:
    """Return copies of what makes a maze, or say where it does not."""
    if isinstance(getattr(passages, "passages", None), np.ndarray):  # a maze is an array too: its grid
        msg = f"passages is already a {type(passages).__name__}: use it as it is, or give its .passages"
        raise TypeError(msg)
    given = np.asarray(passages)
    if given.dtype != np.uint8:
        given = integers(passages, "passages")
    if given.ndim != 2 or given.size == 0:
        msg = f"passages must be 2-D with at least one cell, not of shape {given.shape}"
        raise ValueError(msg)
    require(given.size, f"a maze of {given.shape}", "take a smaller one")
    if given.max() > 15 or given.min() < 0:
        cell = tuple(map(int, np.argwhere((given < 0) | (given > 15))[0]))
        msg = f"passages{list(cell)} = {given[cell]} is no set of directions N=1, E=2, S=4, W=8"
        raise ValueError(msg)
    bytes_ = given.astype(np.uint8, order="C")
    there = None if mask is None else mask_of(mask, bytes_.shape)
    around = checked_wrap(wrap, bytes_.shape)
    fault = _core.first_fault(bytes_, as_bytes(there), around)
    if fault >= 0:
        raise ValueError(_fault(bytes_, there, around, divmod(fault, bytes_.shape[1])))
    return Parts(bytes_, there, checked_openings(openings, bytes_.shape, there, around), around)


def _fault(
    passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, wrap: Wrap, cell: tuple[int, int]
) -> str:
    row, col = cell
    if mask is not None and not mask[cell]:
        return f"passages{list(cell)} = {passages[cell]}, but the mask says that there is no cell"
    for name, bit, dr, dc in (("N", N, -1, 0), ("E", E, 0, 1), ("S", S, 1, 0), ("W", W, 0, -1)):
        if passages[cell] & bit:
            r, c = (
                place % side if around else place
                for place, side, around in zip((row + dr, col + dc), passages.shape, wrap, strict=True)
            )
            if not (0 <= r < passages.shape[0] and 0 <= c < passages.shape[1]):
                return f"passages{list(cell)} = {passages[cell]} opens {name}, over the rim"
            if mask is not None and not mask[r, c]:
                return f"passages{list(cell)} = {passages[cell]} opens {name}, to a cell that is masked out"
            back = {N: S, S: N, E: W, W: E}[bit]
            if not passages[r, c] & back:
                return (
                    f"passages{list(cell)} = {passages[cell]} opens {name}, "
                    f"but passages[{r}, {c}] = {passages[r, c]} is not open on its side"
                )
    return f"passages{list(cell)} = {passages[cell]} does not agree with its neighbours"


def checked_openings(
    openings: ArrayLike, shape: tuple[int, int], mask: NDArray[np.bool_] | None, wrap: Wrap = FLAT
) -> NDArray[np.int64]:
    """Return border sites in order, each once, or say which one is none beside a cell."""
    sites = integers(openings, "openings")
    if sites.size == 0:
        return NO_OPENINGS
    if sites.ndim != 2 or sites.shape[1] != 2:
        msg = f"openings must have shape (k, 2), one site each, not {sites.shape}"
        raise ValueError(msg)
    last = np.array([2 * shape[0], 2 * shape[1]])
    inside = ((sites >= 0) & (sites <= last)).all(axis=1)
    on_rim = ((sites == 0) | (sites == last)).sum(axis=1) == 1
    beside = (sites % 2).sum(axis=1) == 1
    good = inside & on_rim & beside
    if mask is not None and good.all():
        cells = np.clip((sites - 1) // 2, 0, np.array(shape) - 1)
        good = mask[tuple(cells.T)]
    if not good.all():
        bad = tuple(map(int, sites[np.flatnonzero(~good)[0]]))
        msg = f"openings: {bad} is no border site of the grid beside a cell of a maze of {shape}"
        raise ValueError(msg)
    over = (((sites == 0) | (sites == last)) & wrap).any(axis=1)
    if over.any():
        bad = tuple(map(int, sites[over.argmax()]))
        msg = f"openings: {bad} is in a side that wraps={wrap}: what is open there is a passage"
        raise ValueError(msg)
    unique = np.unique(sites, axis=0)
    unique.flags.writeable = False
    return unique


def border_roads(array: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the road sites in the border of a wall/road array, (row, col) each, in order."""
    height, width = array.shape
    sides = []
    for row in sorted({0, height - 1}):
        cols = np.flatnonzero(array[row] == 0)
        sides.append(np.stack([np.full_like(cols, row), cols], axis=1))
    ends = sorted({0, width - 1})
    rows, which = np.nonzero(array[1:-1, ends] == 0)
    between = np.stack([rows + 1, np.array(ends)[which]], axis=1)
    return np.concatenate([sides[0], between, *sides[1:]]).astype(np.int64, copy=False)


def grid_fault(kind: str, row: int, col: int, sites: NDArray[np.uint8]) -> str:
    """Say why a site makes an array no maze grid."""
    if kind == "seam":
        other = (len(sites) - 1, col) if row == 0 else (row, sites.shape[1] - 1)
        here, there = ("road" if sites[site] == 0 else "wall" for site in ((row, col), other))
        return (
            f"grid[{row}, {col}] is {here} and grid[{other[0]}, {other[1]}] is {there}: "
            "where the maze wraps they are one site"
        )
    if kind == "post":
        return (
            f"grid[{row}, {col}] is a post (both even) and road: this is no maze grid; "
            "meiro.solve and meiro.check take it as it is"
        )
    return f"grid[{row}, {col}] is road and leads to a cell that is wall: this is no maze grid"


def same_mask(a: NDArray[np.bool_] | None, b: NDArray[np.bool_] | None) -> bool:
    """Return whether two masks let the same cells exist."""
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b)


def mask_left(
    passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, recipe: Mapping[str, object]
) -> NDArray[np.bool_] | None:
    """Return the mask of a maze that was made: without its dead ends, where they are removed."""
    if recipe.get("dead_ends") != "remove":
        return mask
    left = passages != 0
    return mask if left.all() or not left.any() else left


def masks_left(
    passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, recipe: Mapping[str, object]
) -> NDArray[np.bool_] | None:
    """Return the mask of many mazes that were made: (rows, cols), or if they differ (n, rows, cols)."""
    if recipe.get("dead_ends") != "remove":
        return mask
    left = passages != 0
    count = left.sum(axis=(1, 2), keepdims=True)
    some = (count > 0) & (count < left[:1].size)
    return np.where(some, left, True if mask is None else mask)
