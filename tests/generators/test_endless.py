"""Endless mazes: windows agree, obey their rules, and look like the middle of large mazes."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sampling
from power import samples
from programs import needs_package
from reference.kruskal import in_forest, weight
from refusals import refused
from timing import SILENCE, best, seconds, silence

import meiro
from meiro._utils.square import E, N, S, W
from meiro.generators import EndlessMaze, endless

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

TREES = ("kruskal", "binary_tree", "sidewinder", "pole_toppling")
ALL = (*TREES, "percolation")
FAR = 1 << 62


def bits(maze: EndlessMaze, row: int, col: int, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the passages of a window with those that lead out of it."""
    window = maze.window(slice(row, row + shape[0]), slice(col, col + shape[1]))
    rows, cols = window.shape
    out = window.passages.copy()
    for r, c in window.openings.tolist():
        side = N if r == 0 else S if r == 2 * rows else W if c == 0 else E
        out[min(r // 2, rows - 1), min(c // 2, cols - 1)] |= side
    return out


@pytest.mark.parametrize("n", [100, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("algorithm", ALL)
def test_windows_agree_where_they_overlap(algorithm: str, n: int) -> None:
    """Compare `n` windows of 8 x 8 anywhere with others that overlap them."""
    rng = np.random.default_rng(5)
    for i in range(n):
        maze = endless(algorithm, rng=i % 50)
        row, col = rng.integers(-FAR, FAR - 16, 2).tolist() if i % 4 else rng.integers(-9, 2, 2).tolist()
        down, across = rng.integers(0, 8, 2).tolist()
        one = bits(maze, row, col, (8, 8))
        other = bits(maze, row + down, col - across, (8, 8))
        assert (one[down:, : 8 - across] == other[: 8 - down, across:]).all(), (row, col)


@pytest.mark.parametrize("algorithm", ALL)
def test_a_large_window_is_made_of_small_ones(algorithm: str) -> None:
    """Rectangles of 512 x 512 are made one by one, with other boxes around them."""
    maze = endless(algorithm, rng=3)
    large = bits(maze, -20, -500, (33, 530))
    for row, col, shape in ((-20, -500, (33, 100)), (-3, -7, (9, 20)), (5, 4, (8, 26))):
        small = bits(maze, row, col, shape)
        assert (large[row + 20 :, col + 500 :][: shape[0], : shape[1]] == small).all()


@pytest.mark.parametrize("corner", [(-7, -6), (FAR - 8, -FAR), (-FAR, FAR - 9)])
def test_kruskal_is_the_forest_of_the_slow_reference(corner: tuple[int, int]) -> None:
    maze = endless("kruskal", rng=meiro.replicate(11, 4))
    found = bits(maze, *corner, (8, 9))
    for (r, c), cell in np.ndenumerate(found):
        for side, south in ((E, False), (S, True)):
            expected = in_forest(maze.seed, corner[0] + r, corner[1] + c, south)
            assert bool(cell & side) == expected, (r, c, south)


@pytest.mark.parametrize(("n", "seeds"), [(60, 20), pytest.param(700, 40, marks=pytest.mark.long)])
def test_kruskal_in_a_box_has_the_walls_of_the_forest_open(n: int, seeds: int) -> None:
    """A wall that is open in the plane is so in any box; a few others are only because of its border."""
    extra = 0
    for seed in range(seeds):
        box = meiro.generate((n, n), "kruskal", rng=seed).passages
        middle = box[n // 4 : -(n // 4), n // 4 : -(n // 4)]
        forest = bits(endless("kruskal", rng=seed), n // 4, n // 4, middle.shape)
        assert not (forest & ~middle).any()
        extra += int(np.count_nonzero(middle & ~forest & (E | S)))
    assert extra < 3 * seeds


def test_binary_tree_has_the_coins_of_wide_mazes() -> None:
    maze = meiro.generate((40, 600), "binary_tree", rng=7).passages[1:-1, 1:-1]
    assert (bits(endless("binary_tree", rng=7), 1, 1, maze.shape) == maze).all()


def test_percolation_opens_walls_whose_weight_is_below_p() -> None:
    maze = endless("percolation", rng=7, p=0.3)
    for (r, c), cell in np.ndenumerate(bits(maze, -4, -5, (9, 8))):
        for side, south in ((E, False), (S, True)):
            assert bool(cell & side) == (weight(maze.seed, r - 4, c - 5, south) < 0.3 * 2**64)
    everything = endless("percolation", rng=1, p=1)
    assert (bits(everything, 5, 6, (3, 4)) == 15).all()
    assert not bits(endless("percolation", rng=1, p=0), 5, 6, (3, 4)).any()


@pytest.mark.parametrize("algorithm", TREES)
@pytest.mark.parametrize("n", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_no_window_has_a_cycle_or_an_island(algorithm: str, n: int) -> None:
    rng = np.random.default_rng(6)
    for i in range(n):
        row, col = rng.integers(-FAR, FAR - 64, 2).tolist()
        rows, cols = rng.integers(1, 40, 2).tolist()
        window = endless(algorithm, rng=i).window(slice(row, row + rows), slice(col, col + cols))
        labels, n_parts = meiro.components(window)
        inside = np.count_nonzero(window.passages & E) + np.count_nonzero(window.passages & S)
        assert inside == rows * cols - n_parts
        beside = np.clip((window.openings - 1) // 2, 0, (rows - 1, cols - 1))
        assert len(np.unique(labels[tuple(beside.T)])) == n_parts


def patterns(passages: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the walls of blocks of 2 x 2 cells that are ten cells apart, as numbers."""
    cells = [
        passages[r::10, c::10][: len(passages) // 10, : passages.shape[1] // 10]
        for r in (0, 1)
        for c in (0, 1)
    ]
    return sum((cell.astype(np.int64) >> 1 & 3) << 2 * i for i, cell in enumerate(cells)).ravel()  # type: ignore[union-attr]


@pytest.mark.laws
@pytest.mark.parametrize("algorithm", [pytest.param("kruskal", marks=pytest.mark.long), *ALL[1:]])
def test_windows_are_distributed_as_the_middle_of_large_mazes(algorithm: str) -> None:
    # A cell of a window of kruskal takes a hundred times as long as one of the others: fewer, but always all.
    blocks = 100_000 if algorithm == "kruskal" else samples(400_000)
    n, edge = int(blocks**0.5) * 10, 200
    found = patterns(bits(endless(algorithm, rng=2), -n // 2, 7, (n, n)))

    def p_value(other: str) -> float:
        whole = meiro.generate((n + 2 * edge, n + 2 * edge), other, rng=1).passages
        return sampling.contingency(patterns(whole[edge:-edge, edge:-edge]), found)[0]

    assert p_value(algorithm) > sampling.FALSE_ALARM
    assert p_value("wilson") < sampling.FALSE_ALARM


def test_openings_are_where_passages_lead_out() -> None:
    maze = endless("percolation", rng=7, p=1)
    window = maze.window(slice(-1, 1), slice(3, 6))
    assert window.openings.tolist() == [
        [0, 1], [0, 3], [0, 5], [1, 0], [1, 6], [3, 0], [3, 6], [4, 1], [4, 3], [4, 5],
    ]  # fmt: skip
    assert meiro.Maze(window.passages, openings=window.openings) == window
    assert window.recipe is None
    assert window.seed is None
    one = maze.window(slice(FAR - 1, FAR), slice(-FAR, 1 - FAR))
    assert one.passages.tolist() == [[0]]
    assert one.openings.tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]


def test_chunks_cut_the_plane() -> None:
    maze = endless("sidewinder", rng=7)
    assert maze.chunk(-2, 3, size=5) == maze.window(slice(-10, -5), slice(15, 20))
    assert maze.chunk(0, 0).shape == (64, 64)


@pytest.mark.parametrize("algorithm", ALL)
def test_paths_lead_from_start_to_goal(algorithm: str) -> None:
    maze = endless(algorithm, rng=6, p=0.6 if algorithm == "percolation" else None)
    path = maze.solve((2, -1), (-3, 1))
    assert path[0].tolist() == [2, -1]
    assert path[-1].tolist() == [-3, 1]
    assert path.dtype == np.int64
    assert (np.abs(np.diff(path, axis=0)).sum(axis=1) == 1).all()
    low, high = path.min(axis=0) - 50, path.max(axis=0) + 50
    window = maze.window(slice(int(low[0]), int(high[0])), slice(int(low[1]), int(high[1])))
    assert (meiro.solve(window, tuple(path[0] - low), tuple(path[-1] - low)).path + low == path).all()


def test_a_path_that_does_not_exist() -> None:
    maze = endless("percolation", rng=3, p=0.2)
    with pytest.raises(meiro.NoPathError, match=r"no path: \(0, 0\) is connected with \d+ other cells only"):
        maze.solve((0, 0), (3, 3))
    goal = endless("percolation", rng=3, p=0.52)
    walled_in = next((r, c) for r, c in np.ndindex(99, 99) if not bits(goal, r, c, (1, 1)).any())
    with pytest.raises(meiro.NoPathError, match="is connected with 0 other cells"):
        goal.solve(tuple(np.add(walled_in, (0, 9))), walled_in)


def test_a_path_that_is_too_far_away() -> None:
    maze = endless("kruskal", rng=7)
    words = "within max_cells=2,000: the next window, 54 x 150 cells, is larger"
    refused(ValueError, words, maze.solve, (0, 0), (3, 99), max_cells=2000)
    refused(ValueError, "max_cells", maze.solve, (0, 0), (FAR - 1, -FAR))
    assert maze.solve((FAR - 1, 5), (FAR - 1, 5)).tolist() == [[FAR - 1, 5]]


def test_endless_mazes_are_values() -> None:
    maze = endless("percolation", rng=7, p=0.25)
    assert repr(maze) == "<EndlessMaze percolation, p=0.25>"
    assert repr(endless("Kruskal")) == "<EndlessMaze kruskal>"
    assert maze == endless("percolation", rng=maze.seed, p=0.25) != endless("percolation", rng=7)
    assert pickle.loads(pickle.dumps(maze)) == copy.deepcopy(maze) == maze  # noqa: S301
    assert hash(maze) == hash(copy.copy(maze))
    with pytest.raises(AttributeError):
        maze.p = 0.5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("error", "match", "call"),
    [
        (ValueError, "'wilson' has no endless form: take kruskal", lambda: endless("wilson")),
        (ValueError, "there is no", lambda: endless("x")),
        (TypeError, "'kruskal' takes no option 'p'", lambda: endless("kruskal", p=0.5)),
        (ValueError, r"p must be in \[0, 1\], not 2", lambda: endless("percolation", p=2)),
        (TypeError, "seed must be a Seed, not 7", lambda: EndlessMaze("kruskal", 7)),  # type: ignore[arg-type]
    ],
)
def test_bad_mazes_are_refused(error: type[Exception], match: str, call: Any) -> None:
    refused(error, match, call)


@pytest.mark.parametrize(
    ("error", "match", "rows"),
    [
        (TypeError, r"rows must be a slice of two integers, as slice\(-5, 20\), not 7", 7),
        (TypeError, r"not slice\(None, 5, None\)", slice(5)),
        (TypeError, "rows.stop must be an integer, not 1.5", slice(0, 1.5)),
        (ValueError, "rows: a window is cut in steps of 1, not 2", slice(0, 4, 2)),
        (ValueError, r"rows slice\(5, 5, None\) holds no cell", slice(5, 5)),
        (ValueError, r"leads beyond 2\*\*62", slice(FAR, FAR + 1)),
        (ValueError, r"leads beyond 2\*\*62", slice(-FAR - 1, 0)),
        (MemoryError, "a window of", slice(0, 1 << 40)),
    ],
)
def test_bad_windows_are_refused(error: type[Exception], match: str, rows: Any) -> None:
    refused(error, match, endless("binary_tree", rng=1).window, rows, slice(0, 100))


def test_other_bad_arguments() -> None:
    maze = endless("binary_tree", rng=1)
    refused(ValueError, "size must be at least 1, not 0", maze.chunk, 0, 0, size=0)
    refused(ValueError, r"i slice.* leads beyond", maze.chunk, FAR, 0)
    refused(ValueError, r"goal \(.*\) lies beyond 2\*\*62", maze.solve, (0, 0), (0, FAR))


@pytest.mark.parametrize("call", [np.asarray, meiro.solve, meiro.measure, meiro.plot, meiro.check])
def test_what_takes_arrays_asks_for_a_window(call: Callable[[Any], object]) -> None:
    if call is meiro.plot:
        needs_package("matplotlib")
    refused(TypeError, r"<EndlessMaze kruskal> has no ends: .*maze\.window", call, endless("kruskal", rng=1))


@pytest.mark.parametrize("algorithm", ALL)
def test_threads_share_a_window(algorithm: str) -> None:
    maze, rows, cols = endless(algorithm, rng=8), slice(-70, 530), slice(FAR - 1100, FAR)
    one = maze.window(rows, cols)
    for threads in (2, 3, 17):
        assert maze.window(rows, cols, threads=threads) == one


@pytest.mark.parametrize("algorithm", ALL)
def test_windows_are_polled_and_tell_progress(algorithm: str) -> None:
    told: list[tuple[int, int]] = []
    endless(algorithm, rng=1).window(slice(0, 300), slice(0, 600), progress=lambda *now: told.append(now))
    assert told[-1] == (180_000, 180_000)


@pytest.mark.clock
@pytest.mark.parametrize(("side", "limit"), [(8, 0.001), (256, 0.15)])
def test_how_long_windows_take(side: int, limit: float) -> None:
    def median() -> float:
        calls = [partial(endless("kruskal", rng=seed).chunk, 3, 5, size=side) for seed in range(60)]
        return float(np.median([seconds(call) for call in calls]))

    assert best(median, limit) < limit


@pytest.mark.clock
@pytest.mark.parametrize("algorithm", ALL)
def test_the_longest_silence_of_a_window(algorithm: str) -> None:
    assert silence(lambda: endless(algorithm, rng=46).chunk(0, 0, size=1000)) < SILENCE
