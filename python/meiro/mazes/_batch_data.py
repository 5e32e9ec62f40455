"""The arrays of a batch: mazes of a list, passages of the user, two batches in one, openings; seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeVar

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of, read_only, same_arrays
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, Wrap, checked_wrap
from meiro._utils.validation import integer, integers, items_of, plain_array
from meiro.mazes._openings import sorted_sites
from meiro.mazes._recipe import has_steps, kept_recipe, moved, number_of
from meiro.mazes._validation import validate_maze
from meiro.mazes.maze import Maze
from meiro.seeds import Root, Seed, root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

M = TypeVar("M")

_MAZE_BYTES = 600  # of a Maze in memory, without its arrays


class BatchData(NamedTuple):
    """What a batch holds, in the order of its pickles."""

    passages: NDArray[np.uint8]
    mask: NDArray[np.bool_] | None
    root: Root | None
    numbers: range | NDArray[np.uint64]
    recipe: Mapping[str, object] | None
    wrap: Wrap
    masks: NDArray[np.bool_] | None = None
    openings: NDArray[np.int64] | None = None
    starts: NDArray[np.int64] | None = None
    goals: NDArray[np.int64] | None = None


def data_of_mazes(mazes: object) -> BatchData:
    """Return the arrays of several mazes of one shape and wrap."""
    given = given_mazes(
        mazes,
        Maze,
        "several mazes",
        lambda maze: maze.passages.size + _MAZE_BYTES,
        ": of passages, (n, rows, cols), MazeBatch.from_passages makes a batch",
    )
    if not given:
        raise ValueError(
            "mazes is empty, so there is no shape: MazeBatch.from_passages takes an array (0, rows, cols)"
        )
    passages, wrap = stacked(given, "mazes")
    own = [maze.mask for maze in given]
    alike = all(same_arrays(mask, own[0]) for mask in own[1:])
    n, shape = len(given), passages.shape[1:]
    require(0 if alike else passages.size, f"the masks of {n:,} mazes", "take fewer")
    masks = None if alike else np.stack([np.ones(shape, np.bool_) if m is None else m for m in own])
    parts = common_parts(given, [(maze.start, maze.goal) for maze in given])
    return BatchData(passages, own[0] if alike else None, wrap=wrap, masks=masks, **parts)


def given_mazes(
    mazes: object, kind: type[M], what: str, size: Callable[[M], int], instead: str = ""
) -> list[M]:
    """Return the mazes of ``mazes=``, all of one kind; `size`: the bytes of one."""
    if isinstance(mazes, kind | str):  # a maze and a text are iterable in other ways
        raise TypeError(f"mazes must be {what}, not {short_repr(mazes)}")
    given = []
    for i, maze in enumerate(items_of(mazes, "mazes", what)):
        if not isinstance(maze, kind):
            raise TypeError(f"mazes[{i}] must be a {kind.__name__}, not {short_repr(maze)}{instead}")
        if i & (i - 1) == 0:  # i is 0 or a power of two: an iterator may be endless
            require(2 * i * size(maze), f"{2 * i:,} mazes", "take fewer")
        given.append(maze)
    return given


def common_parts(mazes: Sequence[Any], ends: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    """Return what the data of batches of any kind hold of several mazes: seeds, recipe, ends and openings."""
    ones = [1] * len(mazes)
    root, numbers, recipe = _provenance([maze.seed for maze in mazes], list(map(kept_recipe, mazes)))
    starts, goals = (
        joined_arrays([None if end is None else np.array([end]) for end in each], ones)
        for each in zip(*ends, strict=True)
    )
    openings = joined_arrays([maze.openings[np.newaxis] for maze in mazes], ones)
    own = {"root": root, "numbers": numbers, "recipe": recipe}
    return own | {"starts": starts, "goals": goals, "openings": openings}


def _provenance(
    seeds: Sequence[Seed | None], recipes: Sequence[Mapping[str, object] | None]
) -> tuple[Root | None, range | NDArray[np.uint64], Mapping[str, object] | None]:
    """Return root, replicates and recipe of several mazes, if they have one key and one recipe."""
    numbers = [number_of(recipe, seed) for recipe, seed in zip(recipes, seeds, strict=True)]
    recipes = [moved(recipe, -(number or 0)) for recipe, number in zip(recipes, numbers, strict=True)]
    alike = all(equal_recipes(recipe, recipes[0]) for recipe in recipes[1:])
    known = [seed for seed in seeds if seed is not None]
    seeded = alike and len(known) == len(seeds) and len({seed.key for seed in known}) == 1
    kept = recipes[0] if alike else None
    begin = kept is not None and has_steps(kept)
    found = np.array(numbers, np.uint64) if seeded or begin else range(len(seeds))
    return root_of(known[0]) if seeded else None, found, kept


def stacked(mazes: Sequence[Maze], name: str) -> tuple[NDArray[np.uint8], Wrap]:
    """Return the passages of mazes, at least one, in one array, and their wrap, if they agree in both."""
    first = mazes[0]
    for i, maze in enumerate(mazes):
        if maze.passages.shape != first.passages.shape or maze.wrap != first.wrap:
            one, other = (f"{m.passages.shape} with wrap={m.wrap}" for m in (first, maze))
            raise ValueError(
                f"{name} must be of one shape and wrap: {name}[0] is {one}, {name}[{i}] is {other}"
            )
    require(len(mazes) * first.passages.size, f"{len(mazes):,} mazes in one array", "take fewer")
    return np.stack([maze.passages for maze in mazes]), first.wrap


def data_of_passages(passages: ArrayLike, mask: ArrayLike | None, wrap: object) -> BatchData:
    """Return the arrays of mazes, checked; an error names the first one that is wrong."""
    given = plain_array(passages, "passages")
    if given.dtype != np.uint8:
        given = integers(given, "passages")
    if given.ndim != 3 or 0 in given.shape[1:]:
        raise ValueError(
            f"passages must be of shape (n, rows, cols), of one cell at least, not {given.shape}"
        )
    require(2 * given.size, f"{len(given):,} mazes in one array", "take fewer")
    shape = given.shape[1], given.shape[2]
    sides = FLAT if wrap is FLAT else checked_wrap(wrap, shape)
    shared, masks = _masks_of(mask, (len(given), *shape))
    small = given.astype(np.uint8, order="C")
    number = -1
    if given.dtype != np.uint8 and len(faults := np.argwhere((given > 15) | (given < 0))):
        number = int(faults[0][0])
    if number < 0:
        cells = shared if masks is None else masks
        number, _ = _core.first_fault(small, cells, sides)
    if number >= 0:
        try:
            validate_maze(given[number], shared if masks is None else masks[number], (), sides)
        except ValueError as error:
            raise ValueError(f"maze {number}: {error}") from None
    small.flags.writeable = False
    return BatchData(small, shared, None, range(len(small)), None, sides, masks)


def _masks_of(
    mask: ArrayLike | None, shape: tuple[int, int, int]
) -> tuple[NDArray[np.bool_] | None, NDArray[np.bool_] | None]:
    """Return the mask of all mazes, or the mask of each."""
    if mask is None:
        return None, None
    array = plain_array(mask, "mask")
    if array.ndim != 3:
        return mask_of(array, shape[1:]), None
    if array.shape != shape:
        raise ValueError(
            f"mask must have the shape of the mazes, {shape[1:]}, or one for each, {shape}, not {array.shape}"
        )
    each = [mask_of(one, shape[1:], name=f"mask[{i}]") for i, one in enumerate(array)]
    return None, np.stack([np.ones(shape[1:], np.bool_) if one is None else one for one in each])


def joined_data(one: BatchData, other: BatchData) -> BatchData:
    """Return the arrays of two batches, one after the other."""
    shapes, counts = [x.passages.shape[1:] for x in (one, other)], [len(x.passages) for x in (one, other)]
    for name, mine, theirs in (("shape", *shapes), ("wrap", one.wrap, other.wrap)):
        if mine != theirs:
            raise ValueError(
                f"+ takes batches of one {name}, not {mine} and {theirs}: keep them as two batches"
            )
    if not same_arrays(one.mask, other.mask):
        first, second = (
            "no mask" if x.mask is None else f"a mask of {np.count_nonzero(x.mask):,} cells"
            for x in (one, other)
        )
        second = f"another of {second.split(' of ')[-1]}" if first == second else second
        msg = f"+ takes batches of one mask, not {first} and {second}: "
        raise ValueError(msg + "meiro.MazeBatch([*one, *other]) keeps a mask for each maze")
    masks = None
    if one.masks is not None or other.masks is not None:
        shared = True if one.mask is None else one.mask
        each = [
            np.broadcast_to(shared, (count, *shapes[0])) if x.masks is None else x.masks
            for x, count in zip((one, other), counts, strict=True)
        ]
        masks = read_only(np.concatenate(each))
    data: BatchData = joined(one, other, "passages")
    return data._replace(masks=masks)


def joined(one: Any, other: Any, passages: str) -> Any:
    """Return the data of two batches of any one kind, one after the other, with all else of the first."""
    mine, theirs = getattr(one, passages), getattr(other, passages)
    counts = len(mine), len(theirs)
    require(2 * sum(counts) * mine[:1].size, f"{sum(counts):,} mazes in one array", "take fewer")
    alike = equal_recipes(one.recipe, other.recipe)
    arrays = {
        passages: read_only(np.concatenate([mine, theirs])),
        **{
            name: joined_arrays([getattr(one, name), getattr(other, name)], counts)
            for name in ("starts", "goals", "openings")
        },
    }
    return one._replace(
        root=one.root if alike and (one.root or (None,))[0] == (other.root or (None,))[0] else None,
        numbers=np.concatenate([np.asarray(x.numbers, np.uint64) for x in (one, other)]),
        recipe=one.recipe if alike else None,
        **arrays,
    )


def equal_recipes(one: Mapping[str, object] | None, other: Mapping[str, object] | None) -> bool:
    """Return whether two recipes are the same, with the arrays that they hold."""
    if one is None or other is None:
        return one is other
    return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())


def _same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is other or np.array_equal(one, other)  # type: ignore[arg-type]
    return one is other or bool(one == other)


def joined_arrays(
    parts: Sequence[NDArray[np.int64] | None], counts: Sequence[int]
) -> NDArray[np.int64] | None:
    """Return starts, goals or openings of batches of `counts` mazes each in one array, padded with -1.

    None where no batch has any.
    """
    shapes = {part.shape[1:] for part in parts if part is not None and part.size}
    if not shapes:
        return None
    out = np.full((sum(counts), *map(max, zip(*shapes, strict=True))), -1, np.int64)
    first = 0
    for part, n in zip(parts, counts, strict=True):
        if part is not None and part.size:
            out[tuple(map(slice, (first, *[0] * (part.ndim - 1)), (first + n, *part.shape[1:])))] = part
        first += n
    return read_only(out)


def same_openings(one: NDArray[np.int64] | None, other: NDArray[np.int64] | None) -> bool:
    """Return whether the mazes of two batches have the same openings, in any order and however padded."""
    n = max(0 if sites is None else len(sites) for sites in (one, other))
    both = joined_arrays([one, other], [n, n])
    if both is None:
        return True
    ordered = sorted_sites(both)
    return np.array_equal(ordered[:n], ordered[n:])


def same_masks(
    one: NDArray[np.bool_] | None, other: NDArray[np.bool_] | None, shape: tuple[int, ...]
) -> bool:
    """Return whether the mazes of two batches, (n, rows, cols), have the same cells."""
    if one is other or (one is not None and other is not None and one.ndim == other.ndim == 2):
        return same_arrays(one, other)
    mine, theirs = (np.broadcast_to(True if mask is None else mask, shape) for mask in (one, other))
    return np.array_equal(mine, theirs)


def picked_numbers(given: object, n: int) -> NDArray[np.int64]:
    """Return the numbers of the mazes that a list or an array picks of `n`."""
    array = plain_array(given, "i") if isinstance(given, list | range | np.ndarray) else np.array("")
    if array.ndim != 1 or (array.dtype.kind not in "biu" and array.size):
        raise TypeError(
            f"a batch takes an integer, a slice, several integers or a mask, not {short_repr(given)}"
        )
    if array.dtype == np.bool_:
        if len(array) != n:
            raise IndexError(f"a mask of a batch of {n} must have as many values, not {len(array)}")
        return np.flatnonzero(array)
    for end in (array.min(), array.max()) if array.size else ():
        picked_number(end, n)
    numbers = array.astype(np.int64)
    return np.where(numbers < 0, numbers + n, numbers)


def picked_number(i: SupportsIndex, n: int) -> int:
    """Return the number of maze `i` of `n`; negative ones count from the end."""
    number = integer(i, "the number of a maze")
    if not -n <= number < n:
        raise IndexError(f"there is no maze {short_repr(number)} in a batch of {n}")
    return number % n


def classes_of(*arrays: NDArray[Any] | None) -> NDArray[np.int64]:
    """Return for each maze the number of its class of mazes that are equal in all these arrays."""
    there = [array for array in arrays if array is not None]
    classes: dict[tuple[bytes, ...], int] = {}
    numbers = (
        classes.setdefault(tuple(row.tobytes() for row in rows), len(classes))
        for rows in zip(*there, strict=True)
    )
    return np.fromiter(numbers, np.int64, len(there[0]))
