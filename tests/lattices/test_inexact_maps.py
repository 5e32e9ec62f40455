"""Maps whose polygons and points are inexact, or far from the origin, as people's are."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from refusals import refused

import meiro
from meiro import lattices
from meiro.lattices import _voronoi as voronoi

Points = NDArray[np.float64]

pytest.importorskip("shapely")
pytest.importorskip("scipy")
RNG = np.random.default_rng(7)
MOVES: dict[str, Callable[[Points], Points]] = {
    "as it is": lambda p: p,
    "degrees": lambda p: p * 1e-3 + (139.767, 35.681),
    "UTM": lambda p: p * 1e4 + (4.5e5, 5.4e6),
    "far": lambda p: p + 1e9,
    "small": lambda p: p * 1e-6 + 1e3,
    "huge": lambda p: p * 1e300,
    "tiny": lambda p: p * 1e-200,
    "turned": lambda p: p @ [[math.cos(1), math.sin(1)], [-math.sin(1), math.cos(1)]],
}


def hexagon(row: int, col: int) -> list[tuple[float, float]]:
    x, y = math.sqrt(3) * (col + row % 2 / 2), 1.5 * row
    return [(x + math.sin(k * math.pi / 3), y + math.cos(k * math.pi / 3)) for k in range(6)]


def test_hexagons_by_sine_and_cosine_are_neighbours() -> None:
    districts = lattices.from_polygons([hexagon(row, col) for row in range(5) for col in range(6)])
    expected = lattices.hexagonal(5, 6)
    assert {frozenset(pair) for pair in districts.edges.tolist()} == {
        frozenset(pair) for pair in expected.edges.tolist()
    }
    assert len(districts.rim) == len(np.unique(expected.rim[:, 0]))  # one line a cell between two neighbours


def test_a_corner_on_a_side_that_no_float_is_on() -> None:
    corner = (1 / 3, 0.1 / 3)
    above = [(0, 0), (1, 0.1), (1, 1), (0, 1)]
    left, right = [(0, 0), corner, (corner[0], -1), (0, -1)], [corner, (1, 0.1), (1, -1), (corner[0], -1)]
    assert lattices.from_polygons([above, left, right]).edges.tolist() == [[0, 1], [0, 2], [1, 2]]


@pytest.mark.parametrize("gap", [0.0, 2.0**-50, -(2.0**-50), 1e-7, -1e-7, 1e-6, -1e-6])
def test_gaps_and_overlaps_up_to_a_millionth_of_the_extent_are_none(gap: float) -> None:
    one = [(0, 0), (1, 0), (1, 1), (0, 1)]
    other = [(1 + gap, 0), (2, 0), (2, 1), (1 + gap, 1)]
    assert lattices.from_polygons([one, other]).n_edges == 1


def test_wider_gaps_are_named_and_wider_overlaps_refused() -> None:
    one = [(0, 0), (1, 0), (1, 1), (0, 1)]
    with pytest.warns(
        UserWarning, match=r"2 components, with no side in common: polygons\[0\]; polygons\[1\]"
    ):
        lattices.from_polygons([one, [(1.0001, 0), (2, 0), (2, 1), (1.0001, 1)]])
    with pytest.raises(ValueError, match=r"polygons\[0\] and polygons\[1\] overlap: by an area of 0.0001"):
        lattices.from_polygons([one, [(0.9999, 0), (2, 0), (2, 1), (0.9999, 1)]])


@pytest.mark.parametrize("move", MOVES)
def test_voronoi_cells_do_not_depend_on_where_they_lie(move: str) -> None:
    for _ in range(20):
        points = RNG.random((25, 2))
        base, moved = lattices.voronoi(points), lattices.voronoi(MOVES[move](points))
        assert moved.n_components == 1
        assert all(len(moved.polygon(i)) >= 3 for i in range(25))
        if move == "turned":  # in another rectangle, with other neighbours at its sides
            continue
        assert moved.edges.tolist() == base.edges.tolist()
        assert moved.rim.shape == base.rim.shape


@pytest.mark.parametrize("kind", ["uniform", "exponential", "standard_cauchy", "ring"])
@pytest.mark.parametrize("n", [60, 500])
def test_voronoi_cells_of_many_points_are_those_of_one_triangulation(
    monkeypatch: pytest.MonkeyPatch, kind: str, n: int
) -> None:
    for _ in range(5):
        if kind == "ring":
            turn = RNG.random((n, 1)) * 7
            points = np.hstack([np.cos(turn), np.sin(turn)]) * RNG.uniform(0.9, 1, (n, 1))
        else:
            points = getattr(RNG, kind)(size=(n, 2))
        outlines, pairs = [], []
        for least_rim in (n, 0):  # 0: points near a side are always triangulated by themselves
            monkeypatch.setattr(voronoi, "_ONCE", least_rim)
            cells = lattices.voronoi(points)
            outlines.append(cells.outline)
            pairs.append(cells.edges.tolist())
        one, two = outlines
        assert one is not None
        assert two is not None
        assert pairs[0] == pairs[1]
        assert one.indptr.tolist() == two.indptr.tolist()
        apart = one.corners[one.indices] - two.corners[two.indices]
        assert np.abs(apart).max() <= 1e-9 * np.ptp(points)


def test_voronoi_refuses_points_with_no_side_between_them() -> None:
    points = RNG.random((20, 2))
    points[7] = points[3] + 1e-15
    refused(ValueError, r"points\[3\] and points\[7\] are 1.\d+e-15 apart", lattices.voronoi, points)


@pytest.mark.parametrize("noise", [0.0, 1e-15, 1e-12, 1e-9, 1e-7])
@pytest.mark.parametrize("move", ["as it is", "degrees", "UTM", "turned"])
def test_digitised_districts_have_the_neighbours_of_exact_ones(move: str, noise: float) -> None:
    """Cells of Voronoi whose corners each polygon has for itself, with a noise of its own."""
    for _ in range(5):
        cells = lattices.voronoi(RNG.random((40, 2)))
        assert cells.outline is not None
        walls = cells.outline.walls
        certain = np.hypot(*(walls[:, 1] - walls[:, 0]).T) > 1e-4
        polygons = []
        for i in range(cells.n_cells):
            corners = cells.polygon(i)
            shifts = RNG.uniform(-1, 1, corners.shape) * noise
            polygons.append(MOVES[move](corners + shifts))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            districts = lattices.from_polygons(polygons)
        found = {tuple(sorted(pair)) for pair in districts.edges.tolist()}
        expected = [tuple(sorted(pair)) for pair in cells.edges.tolist()]
        assert {pair for pair, sure in zip(expected, certain, strict=True) if sure} <= found <= set(expected)


def test_the_rim_of_inexact_districts_is_that_of_their_map() -> None:
    exact = lattices.from_polygons(
        [[(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)] for r in range(4) for c in range(5)]
    )
    squares = [
        np.array([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]) + RNG.uniform(-1e-6, 1e-6, (4, 2))
        for r in range(4)
        for c in range(5)
    ]
    noisy = lattices.from_polygons(squares)
    assert noisy.edges.tolist() == exact.edges.tolist()
    assert noisy.rim.tolist() == exact.rim.tolist()
    assert meiro.generate(noisy, rng=1, openings="top_bottom").openings.tolist() == (
        meiro.generate(exact, rng=1, openings="top_bottom").openings.tolist()
    )
