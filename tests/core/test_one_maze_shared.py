"""One maze shared by threads: the same result for any number of them, also of more threads than rows."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import loose_maze
from numpy.typing import NDArray
from periodic_mazes import WRAPS
from reference_graphs import existing

import meiro

THREADS = (2, 3, 40)
SHAPES = ((1, 1), (1, 50), (17, 1), (31, 5), (33, 4), (64, 9), (150, 37))  # bands have 16 rows at least


def mazes(shape: tuple[int, int]) -> Iterator[meiro.Maze]:
    """Yield mazes of a shape: perfect, with loops, of several parts, masked, periodic."""
    rows, cols = shape
    for algorithm in ("wilson", "backtracker", "kruskal"):
        yield meiro.generate(shape, algorithm, rng=rows)
    yield meiro.braid(meiro.generate(shape, rng=cols), rng=1)
    for seed in range(3):
        yield loose_maze(rows, cols, seed)
        yield loose_maze(rows, cols, seed, holes=True)
    if min(shape) >= 3:
        for wrap in WRAPS:
            yield meiro.generate(shape, "kruskal", rng=2, wrap=wrap)
            yield meiro.generate(shape, "percolation", rng=3, wrap=wrap)
            mask = np.random.default_rng(rows).random(shape) < 0.9
            yield meiro.generate(shape, "percolation", rng=4, wrap=wrap, p=0.7, mask=mask)


def fields(maze: meiro.Maze) -> tuple[bytes, bytes | None]:
    """Return what filling changes."""
    return maze.passages.tobytes(), None if maze.mask is None else maze.mask.tobytes()


def filled(maze: meiro.Maze, threads: int) -> list[object]:
    """Fill corridors across the borders of bands, and trees in one or several, with kept cells or without."""
    cells = np.argwhere(existing(maze))
    kept: list[Any] = [None, [], cells[[0]], cells[[0, -1, len(cells) // 2]]]
    return [fields(meiro.fill_dead_ends(maze, keep=keep, threads=threads)) for keep in kept]


def solved(algorithm: str, maze: meiro.Maze, threads: int) -> list[object]:
    """Return what a solver finds."""
    try:
        solution = meiro.solve(maze, algorithm=algorithm, threads=threads)
    except meiro.NoPathError as error:
        return [str(error)]
    remains = None if solution.remains is None else solution.remains.tolist()
    return [solution.path.tolist(), solution.explored.tolist(), repr(solution), remains]


def measured(maze: meiro.Maze, threads: int) -> list[object]:
    """Measure, to the last bit, and say why some measures are undefined."""
    found = meiro.measure(maze, threads=threads)
    return [np.array([*found.values()], float).tobytes(), found.reasons]


SHARED: dict[str, Callable[[meiro.Maze, int], object]] = {
    "check": lambda maze, threads: [meiro.check(x, threads=threads) for x in (maze, maze.grid)],
    "fill_dead_ends": filled,
    "measure": measured,
    **{name: functools.partial(solved, name) for name, facts in meiro.SOLVERS.items() if facts.fills},
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", SHARED)
def test_one_maze_has_the_same_result_for_any_number_of_threads(name: str, shape: tuple[int, int]) -> None:
    for maze in mazes(shape):
        alone = SHARED[name](maze, 1)
        for threads in THREADS:
            assert SHARED[name](maze, threads) == alone


@pytest.mark.parametrize("shape", SHAPES)
def test_rooms_and_islands_across_bands_are_counted_by_any_number_of_threads(shape: tuple[int, int]) -> None:
    for k in range(9):
        x = (np.random.default_rng(k).random(shape) < k / 8).astype(np.uint8)
        assert [meiro.check(x, threads=threads) for threads in THREADS] == [meiro.check(x)] * len(THREADS)


@pytest.mark.parametrize("shape", SHAPES)
def test_all_dead_ends_are_filled_as_by_rounds(shape: tuple[int, int]) -> None:
    for maze in mazes(shape):
        rounds = meiro.sparsify(maze, maze.rows * maze.cols)  # one round after the other
        assert fields(meiro.fill_dead_ends(maze, keep=[])) == fields(rounds)


# Strips have 16 rows at least and 2^18 cells: one of them, two, and three, whose last is beside the first.
@pytest.mark.parametrize("shape", [(31, 2000), (47, 20_000), (50, 20_000), (1400, 400)])
@pytest.mark.parametrize("wrap", [(False, False), (True, True)])
def test_braid_is_the_same_for_any_number_of_threads(shape: tuple[int, int], wrap: tuple[bool, bool]) -> None:
    """Pairs of dead ends are joined, and walls are opened, across the borders of strips as well."""
    maze = meiro.generate(shape, "kruskal", rng=1, wrap=wrap, threads=2)
    for p in (1.0, 0.5):
        alone = meiro.braid(maze, p, rng=2)
        for threads in THREADS:
            assert meiro.braid(maze, p, rng=2, threads=threads) == alone
        ends = np.isin(alone.passages, (1, 2, 4, 8)).sum() / np.isin(maze.passages, (1, 2, 4, 8)).sum()
        assert ends == 0 if p == 1 else 0.3 < ends < 0.5  # and those that joined a taken one
        opened_south = (alone.passages & ~maze.passages & 4 != 0)[:-1].mean(axis=1)
        assert opened_south.min() > opened_south.mean() / 3  # in each row, also the last ones of strips


@pytest.mark.parametrize("wrap", [(False, False), (True, True)])
def test_remove_islands_is_the_same_for_any_number_of_threads(wrap: tuple[bool, bool]) -> None:
    """Of several regions, in several tiles."""
    maze = meiro.generate((300, 301), "percolation", rng=1, wrap=wrap, p=0.6)
    alone = meiro.remove_islands(maze, rng=2)
    before, after = meiro.check(maze), meiro.check(alone)
    assert before.loops > 0 == after.loops
    assert before.regions == after.regions > 1
    assert not (alone.passages & ~maze.passages).any()
    for threads in THREADS:
        assert meiro.remove_islands(maze, rng=2, threads=threads) == alone


def test_strips_of_equal_rows_are_braided_by_numbers_of_their_own() -> None:
    """Three times the same rows."""
    strip = meiro.generate((16, 20_000), "kruskal", rng=1).passages
    made = meiro.braid(meiro.Maze(np.vstack([strip] * 3)), rng=2).passages.reshape(3, 16, -1)[:, 2:-2]
    opened = np.count_nonzero(made[0] != strip[2:-2])
    assert np.count_nonzero(made[0] != made[1]) > opened / 2
    assert np.count_nonzero(made[0] != made[2]) > opened / 2


def test_solvers_say_which_of_them_use_threads() -> None:
    """The visit order, which is that of one thread, is kept if it is asked for."""
    names = [name for name, facts in meiro.SOLVERS.items() if facts.threads]
    assert names == ["bfs", "dead_end_filling"]
    for name in names:
        for x in (meiro.generate((70, 9), rng=1), np.zeros((300, 900), np.uint8)):
            one, two = (
                meiro.solve(x, (0, 0), (-1, -1), algorithm=name, visit_order=True, threads=threads)
                for threads in (1, 2)
            )
            assert one.visit_order is not None
            np.testing.assert_array_equal(one.visit_order, two.visit_order)


def rooms(shape: tuple[int, int]) -> Iterator[NDArray[np.uint8]]:
    """Yield wall/road arrays: open, with few walls, and with as many as leave islands; corners are road."""
    for density in (0, 0.05, 0.35):
        walls = (np.random.default_rng(4).random(shape) < density).astype(np.uint8)
        walls[:: shape[0] - 1 or 1, :: shape[1] - 1 or 1] = 0
        yield walls


@pytest.mark.parametrize("shape", [(1, 1), (3, 50), (900, 1100)])  # levels of 512 sites are shared
def test_distances_in_a_room_are_the_same_for_any_number_of_threads(shape: tuple[int, int]) -> None:
    corners = [(0, 0), (shape[0] - 1, 0), (-1, -1)]
    for walls in rooms(shape):
        for sources in (corners[0], corners):
            alone = meiro.distances(walls, sources)
            for threads in (2, 3, 7):
                told: list[tuple[int, int]] = []
                shared = meiro.distances(
                    walls, sources, threads=threads, progress=lambda *now, told=told: told.append(now)
                )
                assert (shared == alone).all()
                assert sorted(told) == told
                assert all(done <= walls.size == total for done, total in told)


def test_distances_that_threads_find_not_to_fit() -> None:
    """All threads end, and the message is that of one thread."""
    room, sources = np.zeros((300, 2000), np.uint8), [(0, col) for col in range(2000)]
    out = np.empty(room.shape, np.int8)
    for threads in (1, 2, 7):
        with pytest.raises(ValueError, match=r"a distance of 128 does not fit out= of int8"):
            meiro.distances(room, sources, out=out, threads=threads)


@functools.cache
def large(kind: str) -> Any:
    """Return a maze that is measured in some tenths of a second."""
    if kind == "array":
        return large("tree").grid[:2501]
    algorithm = "percolation" if "loops" in kind else "kruskal"
    if "lattice" in kind:
        return meiro.generate(meiro.lattices.hexagonal(1100, 1100), algorithm, rng=1)
    return meiro.generate((2500, 2500), algorithm, rng=1, wrap=(kind == "periodic",) * 2)


def comes_in_steps(kind: str, call: Callable[..., Any], **given: Any) -> bool:
    """Say whether progress is told in the midst of a call, in cells; it is asked fifty times a second."""
    told: list[tuple[int, int]] = []
    maze = large(kind)
    call(maze, **given, progress=lambda done, total: told.append((done, total)))
    assert len({total for _, total in told}) == 1
    assert sorted(told) == told
    assert told[-1][0] == told[-1][1] > 1_000_000
    return any(0.1 < done / total < 0.95 for done, total in told)


@pytest.mark.long
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("call", [meiro.check, meiro.measure])
@pytest.mark.parametrize("kind", ["tree", "loops", "periodic", "array", "lattice", "lattice with loops"])
def test_progress_of_one_maze_comes_in_steps(kind: str, call: Callable[..., Any], threads: int) -> None:
    assert comes_in_steps(kind, call, threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("call", "kind", "given"),
    [
        (meiro.add_loops, "tree", {"n": 10, "rng": 1}),
        (meiro.braid, "tree", {"rng": 1}),
        (meiro.fill_dead_ends, "tree", {}),
        (meiro.join_regions, "loops", {"rng": 1}),
        (meiro.remove_islands, "loops", {"rng": 1}),
        (meiro.origin_shift, "tree", {"steps": 100, "rng": 1}),
        (meiro.perturb, "tree", {"steps": 10, "rng": 1}),
    ],
)
def test_progress_of_a_transform_comes_in_steps(
    call: Callable[..., Any], kind: str, given: dict[str, Any], threads: int
) -> None:
    assert comes_in_steps(kind, call, threads=threads, **given)
