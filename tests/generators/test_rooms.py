"""Rooms and corridors: rooms, how regions are joined, and the law."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sampling
from arbitrary_mazes import masks
from hypothesis import given
from hypothesis import strategies as st
from power import samples
from reference.rooms import rooms
from reference_graphs import parts_of, pieces
from scipy import ndimage
from scipy.stats import binomtest, chisquare
from timing import best, seconds

import meiro
from meiro._utils.square import E, S, W

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILLS = [a for a, facts in meiro.ALGORITHMS.items() if facts.masks and facts.perfect]
Room = tuple[int, int, int, int]  # row, column, height, width


def blocks(passages: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell for each inner post, (..., rows - 1, cols - 1), whether no wall meets it."""
    east, south = (passages & E) != 0, (passages & S) != 0
    found: NDArray[np.bool_] = (
        east[..., :-1, :-1] & east[..., 1:, :-1] & south[..., :-1, :-1] & south[..., :-1, 1:]
    )
    return found


def rooms_of(maze: meiro.Maze) -> list[Room]:
    """Return the rooms of a maze without further doors whose rooms have sides of at least 2.

    Corridors and doors close no circle, so that a block of 2 x 2 open cells is always within a room.
    """
    inside = np.zeros((maze.rows, maze.cols), bool)
    bare = blocks(maze.passages)
    for r, c in np.argwhere(bare):
        inside[r : r + 2, c : c + 2] = True
    found = []
    seen = np.zeros_like(inside)
    for r, c in map(tuple, np.argwhere(inside)):
        if seen[r, c]:
            continue
        height = width = 2
        while r + height < maze.rows and bare[r + height - 1, c]:
            height += 1
        while c + width < maze.cols and bare[r, c + width - 1]:
            width += 1
        assert bare[r : r + height - 1, c : c + width - 1].all(), "no rectangle"
        assert not seen[r : r + height, c : c + width].any()
        seen[r : r + height, c : c + width] = True
        found.append((r, c, height, width))
    assert (seen == inside).all()
    return found


def region_numbers(maze: meiro.Maze, found: list[Room]) -> NDArray[np.int64]:
    """Return the region of each cell: rooms from 1 on, parts of corridors after them; 0 outside."""
    left = np.ones((maze.rows, maze.cols), bool) if maze.mask is None else maze.mask.copy()
    region = np.zeros(left.shape, np.int64)
    for number, (r, c, height, width) in enumerate(found, 1):
        region[r : r + height, c : c + width] = number
        left[r : r + height, c : c + width] = False
    region[left] = ndimage.label(left)[0][left] + len(found)
    return region


def walls_between(region: NDArray[np.int64], passages: NDArray[np.uint8]) -> tuple[int, int]:
    """Count the walls between two regions, and those of them that are open."""
    east = (region[:, :-1] != region[:, 1:]) & (region[:, :-1] > 0) & (region[:, 1:] > 0)
    south = (region[:-1] != region[1:]) & (region[:-1] > 0) & (region[1:] > 0)
    doors = np.sum((passages[:, :-1] & E)[east] != 0) + np.sum((passages[:-1] & S)[south] != 0)
    return int(east.sum() + south.sum()), int(doors)


def degree(passages: NDArray[np.uint8]) -> NDArray[np.int64]:
    counts: NDArray[np.int64] = np.unpackbits(passages[..., None], axis=-1).sum(axis=-1, dtype=np.int64)
    return counts


options = st.fixed_dictionaries(
    {
        "tries": st.none() | st.integers(0, 30),
        "sides": st.tuples(st.integers(2, 4), st.integers(0, 3)).map(lambda s: (s[0], s[0] + s[1])),
        "fill": st.none() | st.sampled_from(FILLS),
        "rng": st.integers(0, 1000),
    }
)
whole = st.tuples(st.integers(1, 12), st.integers(1, 12)).map(lambda shape: np.ones(shape, bool))


@given(mask=masks | whole, given_=options)
def test_rooms_corridors_and_doors(mask: NDArray[np.bool_], given_: dict[str, Any]) -> None:
    maze = meiro.generate(None, "rooms", mask=mask, **given_)
    found = rooms_of(maze) if min(mask.shape) > 1 else []
    least, most = given_["sides"]
    for _, _, height, width in found:
        assert min(least, maze.rows) <= height <= min(most, maze.rows)
        assert min(least, maze.cols) <= width <= min(most, maze.cols)
    if min(mask.shape) == 1:  # a room is a piece of the corridor
        assert maze.is_perfect
        return
    region = region_numbers(maze, found)
    parts, regions = parts_of(mask), int(region.max())
    assert pieces(maze) == parts
    within = sum(h * (w - 1) + (h - 1) * w for _, _, h, w in found)
    corridors = int(mask.sum()) - sum(h * w for _, _, h, w in found)
    trees = corridors - (regions - len(found))
    assert len(maze.edges()) == within + trees + regions - parts
    walls, doors = walls_between(region, maze.passages)
    assert doors == regions - parts

    every = meiro.generate(None, "rooms", mask=mask, doors=1, **given_)
    assert walls_between(region, every.passages) == (walls, walls)
    assert len(every.edges()) == within + trees + walls
    some = meiro.generate(None, "rooms", mask=mask, doors=0.5, **given_)
    assert (maze.passages & ~some.passages == 0).all()
    assert (some.passages & ~every.passages == 0).all()

    for plain, doors_ in ((maze, 0.0), (some, 0.5)):
        left = meiro.generate(None, "rooms", mask=mask, dead_ends="remove", doors=doors_, **given_)
        if not found:
            assert (left.passages == plain.passages).all()
            continue
        corridor = region > len(found)
        assert (left.passages & ~plain.passages == 0).all()
        assert not (corridor & (degree(left.passages) == 1)).any()
        there = np.ones(mask.shape, bool) if left.mask is None else left.mask
        assert ((left.passages != 0) == there).all()
        parts_left = {int(n) for n in region_numbers(plain, [])[left.passages != 0]}
        assert pieces(left) == len(parts_left), "what is left of a component is connected"


@given(mask=masks, seed=st.integers(0, 1000), most=st.integers(1, 3))
def test_rooms_of_single_cells(mask: NDArray[np.bool_], seed: int, most: int) -> None:
    maze = meiro.generate(None, "rooms", mask=mask, rng=seed, sides=(1, most), tries=40)
    assert pieces(maze) == parts_of(mask)
    left = meiro.generate(None, "rooms", mask=mask, rng=seed, sides=(1, most), tries=40, dead_ends="remove")
    assert (left.passages & ~maze.passages == 0).all()
    assert left.passages.any() == maze.passages.any(), "never nothing"


@pytest.mark.parametrize("fill", FILLS)
def test_rooms_without_a_room_is_the_fill(fill: str) -> None:
    alone = meiro.generate((9, 14), fill, rng=5)
    for given_ in ({"tries": 0}, {"tries": 0, "dead_ends": "remove"}, {"tries": 0, "doors": 1}):
        assert (meiro.generate((9, 14), "rooms", fill=fill, rng=5, **given_).passages == alone.passages).all()
    lines = np.ones((9, 14), bool)
    lines[1::2] = False  # no room of 2 x 2 fits
    maze = meiro.generate(None, "rooms", mask=lines, fill=fill, rng=5)
    assert maze.is_perfect
    assert pieces(maze) == 5


def test_rooms_do_not_depend_on_the_fill() -> None:
    mazes = [meiro.generate((20, 30), "rooms", fill=fill, rng=5) for fill in FILLS]
    assert len({tuple(rooms_of(maze)) for maze in mazes}) == 1
    trees = {meiro.generate((20, 30), fill, rng=5) for fill in FILLS}
    assert len(set(mazes)) == len(trees)
    assert mazes[FILLS.index("backtracker")] == meiro.generate((20, 30), "rooms", rng=5)
    with pytest.raises(ValueError, match="fill must make perfect mazes and take a mask, not 'percolation'"):
        meiro.generate((5, 5), "rooms", fill="percolation")


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (3, 4), (9, 2)], ids=str)
def test_rooms_that_fill_the_whole_maze(shape: tuple[int, int]) -> None:
    maze = meiro.generate(shape, "rooms", sides=(10, 20), rng=1)
    rows, cols = shape
    assert len(maze.edges()) == rows * (cols - 1) + (rows - 1) * cols
    for given_ in ({"dead_ends": "remove"}, {"doors": 1}):
        assert (
            meiro.generate(shape, "rooms", sides=(10, 20), rng=1, **given_).passages == maze.passages
        ).all()


def test_rooms_are_placed_uniformly() -> None:
    shape, n = (4, 6), 24_000
    many = meiro.generate_many(shape, "rooms", n, tries=1, sides=(2, 3), rng=8)
    posts, counts = np.unique(blocks(many.passages).reshape(n, -1), axis=0, return_counts=True)
    seen: dict[Room, int] = {}
    for bare, count in zip(posts.reshape(-1, 3, 5), counts, strict=True):
        where = np.argwhere(bare)
        (row, col), size = where.min(axis=0), np.ptp(where, axis=0) + 2
        assert bare.sum() == np.prod(size - 1)
        seen[int(row), int(col), int(size[0]), int(size[1])] = int(count)
    expected = {
        (row, col, height, width): n / 4 / ((5 - height) * (7 - width))
        for height in (2, 3)
        for width in (2, 3)
        for row in range(5 - height)
        for col in range(7 - width)
    }
    assert set(seen) <= set(expected)
    assert (
        chisquare([seen.get(r, 0) for r in expected], list(expected.values())).pvalue > sampling.FALSE_ALARM
    )


CASES: list[dict[str, Any]] = [
    {"tries": 1, "sides": (1, 2), "doors": 0, "remove": False},
    {"tries": 3, "sides": (1, 2), "doors": 0.25, "remove": False},
    {"tries": 2, "sides": (2, 2), "doors": 0.5, "remove": True},
    {"tries": 3, "sides": (1, 3), "doors": 0, "remove": True},
]


@pytest.mark.laws
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("shape", [(3, 3), (2, 4)], ids=str)
def test_rooms_have_the_law_of_the_slow_one(shape: tuple[int, int], case: dict[str, Any]) -> None:
    rng = random.Random(9)
    slow = sampling.tree_numbers(shape, (rooms(*shape, **case, rng=rng) for _ in range(samples(12_000))))
    given_ = {**case, "dead_ends": "remove" if case["remove"] else "keep"}
    del given_["remove"]
    fast = meiro.generate_many(shape, "rooms", samples(200_000), rng=3, **given_).passages
    sampling.check_same_law(sampling.numbers(fast), slow)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_rooms_have_a_share_of_further_doors(p: float) -> None:
    plain = meiro.generate((300, 400), "rooms", rng=2)
    region = region_numbers(plain, rooms_of(plain))
    walls, joined = walls_between(region, plain.passages)
    _, doors = walls_between(region, meiro.generate((300, 400), "rooms", rng=2, doors=p).passages)
    assert binomtest(doors - joined, walls - joined, p).pvalue > sampling.FALSE_ALARM


def test_rooms_default_options() -> None:
    maze = meiro.generate((40, 60), "rooms", rng=1)
    said: dict[str, Any] = {"sides": (2, 5), "doors": 0, "fill": "backtracker"}
    assert maze == meiro.generate((40, 60), "rooms", rng=1, tries=240, **said)
    few = [meiro.generate((9, 9), "rooms", rng=seed) for seed in range(20)]
    assert few == [meiro.generate((9, 9), "rooms", rng=seed, tries=8) for seed in range(20)]
    assert few != [meiro.generate((9, 9), "rooms", rng=seed, tries=7) for seed in range(20)]
    assert {2, 3, 4, 5} == {side for room in rooms_of(maze) for side in room[2:]}


def stopped_tries() -> None:
    class StopError(Exception):
        pass

    def stop(*_: int) -> None:
        raise StopError

    with pytest.raises(StopError):
        meiro.generate((30, 30), "rooms", tries=10**12, rng=1, progress=stop)


@pytest.mark.clock
def test_rooms_of_a_million_million_tries_are_stopped_within_2_s() -> None:
    assert best(lambda: seconds(stopped_tries), 2) < 2


def test_rooms_of_a_million_million_tries_can_be_stopped() -> None:
    stopped_tries()
    # Where no cell is left, there is nothing to try.
    full = meiro.generate((30, 30), "rooms", tries=10**12, sides=(1, 2), rng=1)
    assert (full.passages != 0).all()


def test_rooms_in_batches_without_dead_ends() -> None:
    many = meiro.generate_many((12, 15), "rooms", 20, rng=4, dead_ends="remove", tries=5)
    for i, maze in enumerate(many):
        assert maze == meiro.generate(
            (12, 15), "rooms", rng=meiro.replicate(4, i), dead_ends="remove", tries=5
        )
        assert maze.mask is not None
        assert (maze.mask == (many.passages[i] != 0)).all()
        assert pieces(maze) == 1
        assert (maze.passages[:, 0] & W == 0).all()
