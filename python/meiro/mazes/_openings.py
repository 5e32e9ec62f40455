"""Openings: which sites lie on the rim of a maze, the cells beside them, and the words that choose two.

The rim are the walls between a cell and no cell: in the border of the grid, or beside a masked-out cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.options import OpeningsWord
from meiro._utils.square import Shape, Wrap, existing_cell, side_step
from meiro._utils.validation import integers, pair
from meiro.seeds import Seed, seed_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Mask = NDArray[np.bool_] | None

WORDS: tuple[str, ...] = get_args(OpeningsWord)
NO_OPENINGS = read_only(np.empty((0, 2), np.int64))

DRAWN = ("corners", "random", "farthest")  # in the order of the core
_NO_PATH = -2  # from the core
_LABELS = 6  # bytes a cell, to tell holes of a mask from what lies around it


class BatchArrays(NamedTuple):
    """The passages of mazes, (n, rows, cols), their masks, (rows, cols) or (n, rows, cols), and wrap."""

    passages: NDArray[np.uint8]
    masks: Mask
    wrap: Wrap


class Choice(NamedTuple):
    """How a word chooses: the seed of "random", threads, what reports progress, and the mazes in words."""

    seed: Seed | None
    threads: int
    report: Callable[[int, int], object] | None
    what: Callable[[int | None], str]

    @classmethod
    def for_mazes(
        cls, mazes: object, seed: Seed | None, threads: int, report: Callable[[int, int], object] | None
    ) -> Choice:
        """Return how a word chooses in a maze, or in each of a batch."""

        def what(i: int | None) -> str:
            if not isinstance(mazes, Sequence):
                return f"the maze {mazes!r}"
            return f"{mazes!r}" if i is None else f"maze {i} of {mazes!r}"

        return cls(seed, threads, report, what)


# Which sites


def _are_cells(places: NDArray[np.int64], shape: Shape, mask: Mask) -> NDArray[np.bool_]:
    """Return which places are cells; a mask of three axes is one for each row of places."""
    inside = np.asarray(((places >= 0) & (places < shape)).all(axis=-1))
    if mask is None:
        return inside
    row, col = np.moveaxis(np.where(inside[..., np.newaxis], places, 0), -1, 0)
    there = mask[row, col] if mask.ndim == 2 else mask[np.arange(len(mask))[:, np.newaxis], row, col]
    return np.asarray(inside & there)


def on_rim(sites: NDArray[np.int64], shape: Shape, mask: Mask, wrap: Wrap) -> NDArray[np.bool_]:
    """Return which sites, (..., 2), may be openings: of walls between a cell and no cell."""
    last = 2 * np.array(shape)
    walls = ((sites >= 0) & (sites <= last)).all(axis=-1) & ((sites % 2).sum(axis=-1) == 1)
    one, other = (_are_cells(places, shape, mask) for places in ((sites - 1) // 2, sites // 2))
    found: NDArray[np.bool_] = walls & (one != other)
    return found & ~(((sites == 0) | (sites == last)) & wrap).any(axis=-1) if any(wrap) else found


def cells_beside(sites: NDArray[np.int64], shape: Shape, mask: Mask) -> NDArray[np.int64]:
    """Return the cell beside each opening, (..., 2)."""
    before, after = (sites - 1) // 2, sites // 2
    return np.where(_are_cells(before, shape, mask)[..., np.newaxis], before, after)


def order_of_sites(sites: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what puts sites, (k, 2), into the order of the border: row by row."""
    return np.lexsort((sites[:, 1], sites[:, 0]))


def same_sites(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Return whether two mazes have the same openings, in any order."""
    return len(one) == len(other) and np.array_equal(one[order_of_sites(one)], other[order_of_sites(other)])


def _why_not(site: tuple[int, int], shape: Shape, mask: Mask, wrap: Wrap) -> str:
    """Say why a site cannot be an opening, and what could."""
    row, col = site
    rows, cols = shape
    if not (0 <= row <= 2 * rows and 0 <= col <= 2 * cols and row % 2 + col % 2 == 1):
        return (
            f"{site} is not the site of a wall beside a cell: in a maze of {shape} its row is 0 to "
            f"{2 * rows}, its column 0 to {2 * cols}, and one of them is odd; or give a cell and its side, "
            'as ((0, 0), "north")'
        )
    if any(periodic and at in {0, 2 * n} for at, n, periodic in zip(site, shape, wrap, strict=True)):
        return f"{site} is in a border that is periodic, wrap={wrap}: what is open there is a passage"
    beside = [((row - 1) // 2, (col - 1) // 2), (row // 2, col // 2)]
    rim = "an opening is on the rim, between a cell and no cell"
    cells = _are_cells(np.array(beside), shape, mask)
    if cells.all():
        return f"{site} is inside the maze, between cells {beside[0]} and {beside[1]}: {rim}"
    return f"{site} is beside no cell but masked-out ones: {rim}"


def checked_openings(
    openings: Any, shape: Shape, mask: Mask, wrap: Wrap, n: int | None = None
) -> NDArray[np.int64]:
    """Return the sites of openings in their order, (1, k, 2), read-only; a ValueError names a wrong one.

    Parameters
    ----------
    openings : array_like of int, shape (k, 2), or sequence
        Sites, or cells with a side: ``((row, col), "north")``.
    shape : (int, int)
    mask : ndarray of bool or None
        As `MazeBatch.masks`.
    wrap : (bool, bool)
    n : int, optional
        The number of mazes of a batch: what is returned then is (n, k, 2), as `openings_of_each` returns it.
        Those of all mazes are given, or of each, (n, k, 2), (-1, -1) where there are fewer.
    """
    if isinstance(openings, list | tuple) and openings and all(isinstance(one, str) for one in openings):
        raise TypeError(
            'openings must be one word, as "top_bottom", or sites, or cells with a side, as '
            f'[((0, 0), "north")], not {short_repr(openings)}'
        )
    masks = mask if mask is not None and mask.ndim == 3 else None  # of each
    sites = integers(_sites_of_sides(openings, shape, mask if masks is None else None), "openings")
    sites = places_of_each(sites, n, "one site each", '; or give cells with a side, as [((0, 0), "north")]')
    if masks is not None:
        sites = np.broadcast_to(sites, (len(masks), *sites.shape[1:]))
    wrong = ~(on_rim(sites, shape, mask, wrap) | no_places(sites, n))
    if wrong.any():
        maze, i = np.argwhere(wrong)[0].tolist()
        row, col = sites[maze, i].tolist()
        own = mask if masks is None else masks[maze]
        where = "" if n is None else f", in maze {maze}"
        raise ValueError(f"openings: {_why_not((row, col), shape, own, wrap)}{where}")
    return openings_of_each(sites, n)


def places_of_each(places: NDArray[np.int64], n: int | None, what: str, hint: str = "") -> NDArray[np.int64]:
    """Return the openings of one maze, or of all `n` or each, with an axis of mazes; refuse other shapes."""
    if places.size == 0:
        return NO_OPENINGS[np.newaxis]
    if places.ndim == 3 and len(places) == n and places.shape[2] == 2:
        return places
    if places.ndim != 2 or places.shape[1] != 2:
        each = "" if n is None else f", or ({n}, k, 2), some for each maze"
        raise ValueError(f"openings must have shape (k, 2), {what}{each}, not {places.shape}{hint}")
    return places[np.newaxis]


def no_places(places: NDArray[np.int64], n: int | None) -> NDArray[np.bool_]:
    """Return where (-1, -1) stands for no opening, as it may in a batch of `n` mazes."""
    return np.asarray((places == -1).all(axis=2) & (n is not None))


def openings_of_each(places: NDArray[np.int64], n: int | None) -> NDArray[np.int64]:
    """Return checked openings of each maze of a batch, (n, k, 2), in their order, then -1.

    Raises
    ------
    ValueError
        If one is given twice.
    """
    refuse_twice(places)
    if n is None:
        return read_only(np.array(places))
    none = no_places(places, n)
    if none.any():  # they come last
        places = np.take_along_axis(places, np.argsort(none, axis=1, kind="stable")[..., np.newaxis], axis=1)
    places = places[:, : int((~none).sum(axis=1).max(initial=0))]
    return read_only(np.broadcast_to(places, (n, *places.shape[1:])).copy())


def openings_or_none(openings: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return the openings of each maze, (n, k, 2), as a batch has them: None if no maze has one."""
    return openings if openings.size else None


def openings_of_all(openings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the openings of one maze, (k, 2), if those of several, (n, k, 2), are the same."""
    return openings[0] if openings.ndim == 3 and (openings == openings[0]).all() else openings


def alike(openings: NDArray[np.int64] | None) -> NDArray[np.int64] | None:
    """Return the openings that all mazes of a batch have, (k, 2), perhaps none; None if they differ."""
    shared = NO_OPENINGS if openings is None else openings_of_all(openings)
    return shared if shared.ndim == 2 else None


def refuse_twice(sites: NDArray[np.int64]) -> None:
    """Refuse an opening that is given twice; (-1, -1) stands for no opening."""
    ordered = sorted_sites(sites)
    twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).all(axis=2)
    if twice.any():
        maze, i = np.argwhere(twice)[0].tolist()
        row, col = ordered[maze, i].tolist()
        of = f" in maze {maze}" if len(sites) > 1 else ""
        raise ValueError(f"openings: {row, col} is given twice{of}: give each once")


def sorted_sites(sites: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return openings of each maze, (n, k, 2), row by row; those of no opening first."""
    order = np.lexsort((sites[..., 1], sites[..., 0]), axis=1)
    return np.take_along_axis(sites, order[..., np.newaxis], axis=1)


def refuse_word(openings: object, needed: str) -> None:
    """Refuse a word where `needed` are needed: it is right in other places."""
    if isinstance(openings, str):
        words = ", ".join(f'"{word}"' for word in WORDS)
        raise ValueError(  # noqa: TRY004
            f"openings={short_repr(openings)}: {needed} are needed here; meiro.with_openings takes {words}"
        )


def _sites_of_sides(openings: Any, shape: Shape, mask: Mask) -> Any:
    """Return openings with each cell and side in place of its site."""
    refuse_word(openings, "sites")
    if not isinstance(openings, list | tuple) or not any(map(_has_side, openings)):
        if isinstance(openings, tuple) and _has_side(openings):
            raise TypeError(f"openings must be several: give [{short_repr(openings)}] for one")
        return openings
    sites = []
    for i, one in enumerate(openings):
        name = f"openings[{i}]"
        sites.append(_site_of(one, shape, mask, name) if _has_side(one) else pair(one, name))
    return sites


def _has_side(one: object) -> bool:
    """Return whether an item is a cell with a side."""
    return isinstance(one, list | tuple) and len(one) == 2 and isinstance(one[1], str)


def _site_of(one: Any, shape: Shape, mask: Mask, name: str) -> tuple[int, int]:
    cell, side = one
    row, col = existing_cell(cell, shape, mask, name)
    down, across = side_step(side, name)
    return 2 * row + 1 + down, 2 * col + 1 + across


# Words


def unknown_word(name: str, value: object, words: Sequence[str], what: str) -> str:
    """Return the message for an unknown word."""
    listed = ", ".join(f'"{word}"' for word in words)
    return f"{name} must be {listed} or {what}, not {short_repr(value)}"


def checked_word(word: str, others: str) -> None:
    """Raise a ValueError for an unknown word; `others` says what openings may be else."""
    if word not in WORDS:
        raise ValueError(unknown_word("openings", word, WORDS, others))


def openings_by_word(word: str, mazes: BatchArrays, choice: Choice) -> NDArray[np.int64]:
    """Return the two openings that a word chooses in each maze, (n, 2, 2), or (1, 2, 2) for all.

    Raises
    ------
    ValueError
        If the word is unknown, or there are no two such sites.
    """
    checked_word(word, "sites, or cells with a side")
    passages, masks, wrap = mazes
    if masks is not None and masks.ndim == 3:  # each has a rim of its own
        found = []
        for i, mask in enumerate(masks):
            seed = choice.seed and Seed(choice.seed.key, (choice.seed.replicate + i) % (1 << 64))
            own = Choice(seed, 1, None, partial(lambda number, _: choice.what(number), i))
            found.append(openings_by_word(word, BatchArrays(passages[i : i + 1], mask, wrap), own))
        return np.concatenate([np.empty((0, 2, 2), np.int64), *found])
    shape = passages.shape[1], passages.shape[2]
    if word not in DRAWN:
        axis = 0 if word == "top_bottom" else 1
        sites = _middle_sites(shape, masks, axis)
        if not on_rim(sites, shape, masks, wrap).all():
            what = f"{choice.what(None)} has wrap={wrap}"
            raise ValueError(f'openings="{word}" needs two sides that are not periodic; {what}')
        return sites[np.newaxis]
    rim = outer_rim(shape, masks, wrap)
    return rim[_two_of(rim, word, mazes, choice)]


def _two_of(rim: NDArray[np.int64], word: str, mazes: BatchArrays, choice: Choice) -> NDArray[np.int64]:
    """Return which two sites of the rim each maze gets, (n, 2), in order."""
    passages, mask, wrap = mazes
    n, rows, cols = passages.shape
    if word == "farthest":
        need = (3 + any(wrap)) * rows * cols * min(choice.threads, n)
        require(need, f"a double sweep of {choice.what(None)}", "give the sites themselves")
    beside = cells_beside(rim, (rows, cols), mask) @ (cols, 1)
    over = " (its border is periodic)" if any(wrap) else ""
    return two_of_each((passages, mask, wrap), beside, word, choice, over)


def two_of_each(
    space: Any, beside: NDArray[np.int64], word: str, choice: Choice, why_few: str
) -> NDArray[np.int64]:
    """Return which two places of the rim a word chooses in each maze, (n, 2), in order.

    `beside` has the number of the cell of each place; `why_few` says why there may be few.
    """
    seed = (0, 0, 0) if choice.seed is None else seed_words(choice.seed)
    how = DRAWN.index(word), seed if word == "random" else (0, 0, 0)
    found = _core.two_sites(space, beside, *how, choice.threads, choice.report)
    wrong = np.flatnonzero(found[:, 0] < 0)
    if wrong.size:
        i = int(wrong[0])
        which = choice.what(i)
        if found[i, 0] == _NO_PATH:
            raise ValueError(f'openings="farthest": no path in {which} connects two sites of its rim')
        raise ValueError(
            f'openings="{word}" needs two sites beside cells on the rim; {which} has {found[i, 1]}{why_few}'
        )
    return np.sort(found, axis=1)


def _middle_sites(shape: Shape, mask: Mask, axis: int) -> NDArray[np.int64]:
    """Return the sites before the first and behind the last cell of the line nearest to the middle."""
    cells = np.ones(shape, np.bool_) if mask is None else mask
    lines = cells if axis else cells.T  # each is a row, or a column
    there = np.flatnonzero(lines.any(axis=1))
    line = int(there[np.abs(2 * there - len(lines) + 1).argmin()])
    (places,) = lines[line].nonzero()
    across = [2 * int(places[0]), 2 * int(places[-1]) + 2]
    along = 2 * line + 1
    return np.array([(along, at) if axis else (at, along) for at in across], np.int64)


def outer_rim(shape: Shape, mask: Mask, wrap: Wrap) -> NDArray[np.int64]:
    """Return the sites between cells and what lies around a maze, row by row, (k, 2); not those of holes."""
    rows, cols = shape
    if mask is None:
        across, down = np.zeros((rows + 1, cols), np.bool_), np.zeros((rows, cols + 1), np.bool_)
        across[[0, -1]], down[:, [0, -1]] = not wrap[0], not wrap[1]
    else:
        around = _around(mask, wrap)
        cells = np.pad(mask, 1)
        across = (cells[1:, 1:-1] & around[:-1, 1:-1]) | (cells[:-1, 1:-1] & around[1:, 1:-1])
        down = (cells[1:-1, 1:] & around[1:-1, :-1]) | (cells[1:-1, :-1] & around[1:-1, 1:])
    sites = np.concatenate([np.argwhere(across) * 2 + (0, 1), np.argwhere(down) * 2 + (1, 0)])
    return sites[order_of_sites(sites)]


def _around(mask: NDArray[np.bool_], wrap: Wrap) -> NDArray[np.bool_]:
    """Return which places lie around a maze, with a frame of one place: no cells, and joined to the frame."""
    require(_LABELS * mask.size, f"the rim of a mask of {mask.shape}", "give the sites themselves")
    around = np.pad(~mask, 1, constant_values=True)
    if wrap[0]:
        around[[0, -1]] = False
    if wrap[1]:
        around[:, [0, -1]] = False
    if all(wrap):
        return np.zeros_like(around)
    (labels,), _ = _core.components(((~around).view(np.uint8), 4), 1)
    reached = np.zeros(int(labels.max(initial=0)) + 1, np.bool_)
    for side, periodic in ((labels[[0, -1]], wrap[0]), (labels[:, [0, -1]], wrap[1])):
        if not periodic:
            reached[side] = True
    reached[0] = False
    if any(wrap):  # a part may be reached over the periodic border, and others from there
        pairs = labels[[1, -2]].T if wrap[0] else labels[:, [1, -2]]
        pairs = pairs[(pairs > 0).all(axis=1)]
        while (fresh := reached[pairs].any(axis=1) & ~reached[pairs].all(axis=1)).any():
            reached[pairs[fresh]] = True
    found: NDArray[np.bool_] = reached[labels]
    return found
