"""Windows of mazes: byte for byte those of the whole maze."""

from __future__ import annotations

import itertools
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sampling
from power import samples
from timing import best, seconds

import meiro
from meiro._utils.square import E, N
from meiro.generators import region
from meiro.generators.region import SAME_TREE

if TYPE_CHECKING:
    from numpy.typing import NDArray

CORNERS = ("north_west", "north_east", "south_east", "south_west")
SIDES = ("north", "east", "south", "west")
CALLS: list[tuple[str, dict[str, Any]]] = [
    *(("binary_tree", {"corner": corner}) for corner in CORNERS),
    *(("sidewinder", {"towards": side}) for side in SIDES),
    *(("pole_toppling", {"towards": side}) for side in SIDES),
    *((name, {}) for name in SAME_TREE),
    *(("kruskal", {"bias": bias}) for bias in (0.2, 5)),
    *(("percolation", {"p": p}) for p in (0.5, 0.0, 0.25, 0.3, 1.0)),
]
HUGE = (10**9, 10**9)
FAR = slice(10**9 - 3, None)


@pytest.mark.parametrize(("algorithm", "options"), CALLS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (4, 5)])
def test_every_window_of_a_small_maze(
    algorithm: str, options: dict[str, Any], shape: tuple[int, int]
) -> None:
    whole = meiro.generate(shape, algorithm, rng=3, **options).passages
    rows, cols = ([slice(a, b) for a, b in itertools.combinations(range(side + 1), 2)] for side in shape)
    for window in itertools.product(rows, cols):
        part = region(shape, algorithm, rng=3, rows=window[0], cols=window[1], **options)
        np.testing.assert_array_equal(part, whole[window], str(window))


@pytest.mark.parametrize(("algorithm", "options"), CALLS)
@pytest.mark.parametrize("shape", [(7, 300), (300, 7), (6, 2000), (40, 130)])
def test_windows_across_strips_of_rows_and_blocks_of_words(
    algorithm: str, options: dict[str, Any], shape: tuple[int, int]
) -> None:
    whole = meiro.generate(shape, algorithm, rng=3, **options).passages
    drawn = np.random.default_rng(1)
    for threads in (1, 2, 1, 1, 1, 1, 1, 1):
        top, bottom = sorted(map(int, drawn.choice(shape[0] + 1, 2, replace=False)))
        left, right = sorted(map(int, drawn.choice(shape[1] + 1, 2, replace=False)))
        rows, cols = slice(top, bottom), slice(left, right)
        part = region(shape, algorithm, rng=3, rows=rows, cols=cols, threads=threads, **options)
        np.testing.assert_array_equal(part, whole[rows, cols], f"{rows} {cols}")


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [
        ("sidewinder", {}),
        ("sidewinder", {"towards": "west"}),
        ("pole_toppling", {}),
        ("pole_toppling", {"towards": "east"}),
        ("binary_tree", {}),
        ("percolation", {}),
        ("percolation", {"p": 0.3}),
    ],
)
def test_windows_of_long_rows_begin_in_any_segment(algorithm: str, options: dict[str, Any]) -> None:
    shape = (200_000, 3) if "towards" in options else (3, 200_000)
    whole = meiro.generate(shape, algorithm, rng=3, **options).passages
    drawn = np.random.default_rng(1)
    segments = np.arange(1 << 16, 200_000, 1 << 12)
    begins = [*drawn.choice(segments, 150), *drawn.integers(0, 200_000, 50)]
    for i, begin in enumerate(begins):
        first = min(max(0, int(begin) + int(drawn.integers(-40, 40))), 199_999)
        along = slice(first, min(200_000, first + 1 + int(drawn.integers((3, 90, 9000)[i % 3]))))
        across = slice(int(drawn.integers(3)), 3)
        rows, cols = (along, across) if shape[1] == 3 else (across, along)
        part = region(shape, algorithm, rng=3, rows=rows, cols=cols, **options)
        np.testing.assert_array_equal(part, whole[rows, cols], f"{rows} {cols}")


@pytest.mark.parametrize("algorithm", ["percolation", "pole_toppling", "sidewinder"])
def test_the_first_segment_of_a_row_does_not_depend_on_its_length(algorithm: str) -> None:
    options: dict[str, Any] = {"p": 0.3} if algorithm == "percolation" else {}
    short = meiro.generate((9, 1 << 16), algorithm, rng=3, **options).passages
    long = meiro.generate((9, (1 << 16) + 5), algorithm, rng=3, **options).passages
    before = (1 << 16) - 40  # a run that ends beyond may open anywhere in it
    np.testing.assert_array_equal(short[:, :before], long[:, :before])


@pytest.mark.laws
@pytest.mark.parametrize("algorithm", ["pole_toppling", "sidewinder"])
def test_rows_have_their_law_where_segments_meet(algorithm: str) -> None:
    n, meet = int(samples(100_000)), (1 << 16) + (1 << 12)

    def patterns(seed: int, col: int) -> NDArray[np.int64]:
        """Return the walls north and east of six cells of a row, as numbers; rows that share no posts."""
        rows, cols = slice(1, 2 * n + 1), slice(col - 3, col + 3)
        part = region((2 * n + 2, 1 << 17), algorithm, rng=seed, rows=rows, cols=cols)[::2]
        return np.asarray((part & (N | E)).astype(np.int64) @ 4 ** np.arange(6))

    assert sampling.contingency(patterns(3, meet), patterns(4, meet - 2000))[0] > sampling.FALSE_ALARM


@pytest.mark.clock
@pytest.mark.parametrize("algorithm", ["percolation", "pole_toppling", "sidewinder"])
def test_a_window_of_a_row_of_2_30_cells_does_not_draw_what_is_before_it(algorithm: str) -> None:
    options: dict[str, Any] = {"p": 0.3} if algorithm == "percolation" else {}
    corner = slice(-3, None)
    window = partial(region, (1 << 30, 1 << 30), algorithm, rng=3, rows=corner, cols=corner, **options)
    assert best(lambda: seconds(window), 0.01) < 0.01  # the whole rows take three seconds


@pytest.mark.parametrize("shape", [(300, 200), (1500, 1200)])
def test_windows_of_kruskal_where_contours_decide(shape: tuple[int, int]) -> None:
    drawn = np.random.default_rng(1)
    for seed in range(3):
        whole = meiro.generate(shape, "kruskal", rng=seed).passages
        for _ in range(40):
            height, width = map(int, drawn.integers(1, 20, 2))
            top, left = (int(drawn.integers(n - m)) for n, m in zip(shape, (height, width), strict=True))
            rows, cols = slice(top, top + height), slice(left, left + width)
            threads = int(drawn.integers(1, 4))
            part = region(shape, "kruskal", rng=seed, rows=rows, cols=cols, threads=threads)
            np.testing.assert_array_equal(part, whole[rows, cols], f"{seed} {rows} {cols}")


def test_the_middle_of_a_huge_maze_is_that_of_the_endless_one() -> None:
    middle = slice(5 * 10**8, 5 * 10**8 + 40)
    part = region(HUGE, "kruskal", rng=3, rows=middle, cols=middle)
    beyond = meiro.generators.endless("kruskal", rng=3).window(middle, middle)
    np.testing.assert_array_equal(part[1:-1, 1:-1], beyond.passages[1:-1, 1:-1])  # its rim has openings


@pytest.mark.parametrize("algorithm", ["binary_tree", "kruskal", "percolation"])
def test_the_far_corner_of_a_huge_maze(algorithm: str) -> None:
    part = region(HUGE, algorithm, rng=3, rows=FAR, cols=FAR)
    assert part.shape == (3, 3)
    assert not (part[:, -1] & 2).any()
    assert not (part[-1] & 4).any()
    larger = region(HUGE, algorithm, rng=3, rows=slice(-9, None), cols=slice(-300, None))
    np.testing.assert_array_equal(part, larger[-3:, -3:])


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"algorithm": "wilson"}, ValueError, "algorithm: .*'wilson'; they can by binary_tree, boruvka"),
        ({"shape": (0, 3)}, ValueError, r"shape .*not \(0, 3\)"),
        ({"shape": (2**30 + 1, 3)}, ValueError, r"shape .*not \(1073741825, 3\)"),
        ({"rows": slice(0, 4, 2)}, ValueError, "rows are cut in steps of 1, not 2"),
        ({"cols": slice(9, 20)}, ValueError, "holds no cell: columns are 0..5"),
        ({"rows": 3}, TypeError, "rows, cols.* must be slices .*, not "),
        ({"shape": HUGE}, MemoryError, "window of"),
        ({"p": 0.3}, TypeError, "takes no option 'p'"),
        ({"algorithm": "pole_toppling", "falls": [[1]]}, TypeError, "falls= is an array of the whole maze"),
    ],
)
def test_wrong_arguments(changed: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        region(**{"shape": (5, 6), "algorithm": "binary_tree", **changed})
