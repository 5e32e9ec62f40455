"""The lattices: counts, Euler's formula, polygons that tile, walls between their cells, steps straight on."""

from __future__ import annotations

import itertools
import json
import pickle
from typing import Any, cast

import networkx as nx
import numpy as np
import pytest
import shapely
from refusals import refused
from timing import seconds

import meiro
from meiro import lattices

DISTRICTS = [
    [(0, 0), (4, 0), (4, 1), (2, 1.5), (0, 1)],
    [(0, 1), (2, 1.5), (2, 4), (0, 4)],
    [(2, 1.5), (4, 1), (4, 2), (2, 2)],
    [(2, 2), (3, 2), (4, 2), (4, 4), (2, 4)],  # its upper side has a corner more than the neighbour's
]
PLANE = {
    "square": [lattices.square(1, 1), lattices.square(3, 5)],
    "hexagonal": [lattices.hexagonal(1, 2), lattices.hexagonal(4, 5)],
    "hexagon": [lattices.hexagonal(side=1), lattices.hexagonal(side=4)],
    "triangle of hexagons": [
        lattices.hexagonal(side=2, shape="triangle"),
        lattices.hexagonal(side=5, shape="triangle"),
    ],
    "triangular": [lattices.triangular(1, 1), lattices.triangular(4, 7)],
    "triangle": [lattices.triangular(side=1), lattices.triangular(side=5)],
    "polar": [lattices.polar(1, first=3), lattices.polar(9)],
    "upsilon": [lattices.upsilon(1, 1), lattices.upsilon(4, 5)],
    "kagome": [lattices.kagome(1, 2), lattices.kagome(5, 4)],
    "cairo": [lattices.cairo(1, 2), lattices.cairo(4, 5)],
    "voronoi": [lattices.voronoi(n=2, rng=1), lattices.voronoi(n=150, rng=1)],
    "grid of points": [lattices.voronoi([(x, y) for y in range(4) for x in range(5)])],
    "districts": [lattices.from_polygons(DISTRICTS[:1]), lattices.from_polygons(DISTRICTS)],
    "masked": [lattices.hexagonal(5, 5).mask(np.arange(25) % 7 > 0), lattices.polar(5).mask(range(40))],
}
SURFACES = {
    "cube": [lattices.cube(1), lattices.cube(4)],
    "moebius": [lattices.moebius(1, 3), lattices.moebius(4, 7)],
}
OTHERS = {
    "zeta": [lattices.zeta(1, 2), lattices.zeta(4, 5)],
    "box": [lattices.box(3), lattices.box(3, 4), lattices.box(3, 4, 5), lattices.box(2, 2, 3, 2)],
    "weave": [lattices.weave(2, 2, rng=1), lattices.weave(9, 12, rng=1)],
    "graph": [lattices.from_graph(nx.petersen_graph()), lattices.from_graph(nx.les_miserables_graph())],
}


def each(table: dict[str, list[meiro.Lattice]]) -> pytest.MarkDecorator:
    cases = {f"{name} {i}": lattice for name, some in table.items() for i, lattice in enumerate(some)}
    return pytest.mark.parametrize("lattice", cases.values(), ids=cases)


def polygons(lattice: meiro.Lattice) -> list[Any]:
    return [shapely.Polygon(lattice.polygon(cell)) for cell in lattice]


@each({**PLANE, **SURFACES, **OTHERS})
def test_neighbours_recipe_and_pickle(lattice: meiro.Lattice) -> None:
    ends = lattice.edges
    degrees = np.bincount(ends.reshape(-1), minlength=len(lattice))
    assert np.array_equal(lattice.degrees, degrees)
    for cell in range(0, len(lattice), 7):
        slots = slice(lattice.indptr[cell], lattice.indptr[cell + 1])
        of_edges = {(int(e), int(ends[e].sum() - cell)) for e in np.flatnonzero((ends == cell).any(axis=1))}
        found = zip(lattice.neighbor_edges[slots].tolist(), lattice.neighbors[slots].tolist(), strict=True)
        assert set(found) == of_edges
    assert pickle.loads(pickle.dumps(lattice)) == lattice  # noqa: S301  # our own
    assert hash(pickle.loads(pickle.dumps(lattice))) == hash(lattice)  # noqa: S301
    if lattice.name != "polygons" and lattice.labels is None:
        assert lattices.from_recipe(json.loads(json.dumps(lattice.recipe))) == lattice
    graph = nx.MultiGraph(ends.tolist())
    graph.add_nodes_from(lattice)
    assert lattice.n_components == nx.number_connected_components(graph)


@each(PLANE)
def test_plane_lattices_obey_eulers_formula_and_tile(lattice: meiro.Lattice) -> None:
    outline = lattice.outline
    assert outline is not None
    cells = polygons(lattice)
    assert all(cell.is_valid for cell in cells)
    union = shapely.union_all(np.array(cells))
    assert sum(cell.area for cell in cells) == pytest.approx(union.area)
    for cell, (x, y) in zip(cells, lattice.positions.tolist(), strict=True):  # type: ignore[union-attr]
        assert cell.contains(shapely.Point(x, y))
    # Walls and rim, as a plane graph: corners - walls + faces = 1 + parts, with the cells as inner faces.
    if outline.wall_arcs is not None or lattice.name == "polygons":
        return
    corner = {tuple(np.round(point, 9)): i for i, point in enumerate(outline.corners.tolist())}
    drawn = nx.Graph()
    for one, other in np.round(np.concatenate([outline.walls, outline.rim]), 9).tolist():
        drawn.add_edge(corner[tuple(one)], corner[tuple(other)])
    holes = sum(len(part.interiors) for part in shapely.get_parts(union))
    faces = len(lattice) + holes + 1
    parts = nx.number_connected_components(drawn)
    assert drawn.number_of_nodes() - drawn.number_of_edges() + faces == 1 + parts


@each({**PLANE, **SURFACES})
def test_walls_lie_between_their_cells(lattice: meiro.Lattice) -> None:
    outline = lattice.outline
    assert outline is not None
    cells = polygons(lattice)
    near = 1e-2 if outline.wall_arcs is not None else 1e-9  # polygons have chords for arcs
    more = {} if outline.more_edges is None else dict.fromkeys(outline.more_edges.tolist())
    for edge, (one, other) in enumerate(lattice.edges.tolist()):
        middle = shapely.LineString(outline.walls[edge]).centroid
        sides = [cells[cell].boundary.distance(middle) < near for cell in (one, other)]
        arc = outline.wall_arcs is not None and outline.wall_arcs[edge]
        assert all(sides) or arc or (edge in more and any(sides))
    for segment, cell in zip(outline.rim, outline.rim_cells.tolist(), strict=True):
        if outline.rim_arcs is None:
            assert cells[cell].boundary.distance(shapely.LineString(segment).centroid) < near
    if outline.wall_arcs is None and outline.more_edges is None:
        sides_of_cells = int(np.diff(outline.indptr).sum())
        assert 2 * lattice.n_edges + len(outline.rim) == sides_of_cells


@pytest.mark.parametrize(
    ("lattice", "degree"),
    [
        (lattices.hexagonal(9, 9), 6),
        (lattices.triangular(9, 9), 3),
        (lattices.cairo(9, 9), 5),
        (lattices.zeta(9, 9), 8),
        (lattices.box(5, 5, 5), 6),
        (lattices.cube(5), 4),
        (lattices.moebius(5, 5), 4),
    ],
    ids=str,
)
def test_inner_cells_have_the_degree_of_the_tiling(lattice: meiro.Lattice, degree: int) -> None:
    assert lattice.degrees.max() == degree
    assert np.median(lattice.degrees) == degree or lattice.name in {"box", "cairo"}


@each({**PLANE, **SURFACES, **OTHERS})
def test_going_straight_on_is_the_same_backwards(lattice: meiro.Lattice) -> None:
    straight = lattice._hints[1]
    assert (straight is not None) == lattice.knows_straight
    if straight is None:
        return
    steps = straight.reshape(-1)
    for step, ahead in enumerate(steps.tolist()):
        if ahead >= 0:
            assert steps[ahead ^ 1] == step ^ 1
            assert lattice.edges[step >> 1][1 - (step & 1)] == lattice.edges[ahead >> 1][ahead & 1]


@pytest.mark.parametrize(
    "lattice", [lattices.hexagonal(5, 5), lattices.cube(3), lattices.polar(6), lattices.zeta(4, 4)], ids=str
)
def test_a_mask_is_the_subgraph(lattice: meiro.Lattice) -> None:
    stays = np.random.default_rng(1).random(len(lattice)) < 0.7
    part = lattice.mask(stays)
    kept = nx.MultiGraph(lattice.edges.tolist()).subgraph(np.flatnonzero(stays).tolist())
    labels = np.flatnonzero(stays).tolist()
    if lattice.coordinates is None:
        assert part.labels == tuple(labels)
    else:
        assert part.labels is None
        np.testing.assert_array_equal(part.coordinates, lattice.coordinates[stays])
    pairs = sorted(tuple(sorted((labels[a], labels[b]))) for a, b in part.edges.tolist())
    assert pairs == sorted(tuple(sorted(edge)) for edge in kept.edges())
    assert lattices.from_recipe(part.recipe) == part
    refused(ValueError, "no cell stays", lattice.mask, np.zeros(len(lattice), bool))
    refused(ValueError, "is no cell", lattice.mask, [len(lattice)])
    refused(ValueError, "one for each cell", lattice.mask, np.ones(3, bool))


def test_polar_rings_divide_where_they_get_wide() -> None:
    lattice = lattices.polar(12)
    assert lattice.positions is not None
    radius = np.hypot(*lattice.positions[1:].T)
    counts = np.bincount(np.round(radius - 0.5).astype(int))[1:]
    widths = 2 * np.pi * np.arange(1, 13) / counts
    assert ((widths > 0.6) & (widths < 1.5)).all()


def test_crossings_of_a_weave_are_two_cells() -> None:
    lattice = lattices.weave(12, 15, crossings=0.2, rng=3)
    assert lattice.layers is not None
    assert lattice.positions is not None
    bridges = np.flatnonzero(lattice.layers)
    assert len(bridges) == 36
    for bridge in bridges.tolist():
        below = int(np.flatnonzero((lattice.positions[:180] == lattice.positions[bridge]).all(axis=1))[0])
        for cell in (bridge, below):
            slots = slice(lattice.indptr[cell], lattice.indptr[cell + 1])
            one, other = lattice.positions[lattice.neighbors[slots]]
            assert np.array_equal(one + other, 2 * lattice.positions[cell])  # on opposite sides
    assert lattices.weave(12, 15, rng=3) == lattice
    assert lattices.weave(12, 15, rng=4) != lattice
    assert lattices.weave(40, 40, crossings=1, rng=1).layers.sum() > 400  # type: ignore[union-attr]


def test_labels_name_cells() -> None:
    lattice = meiro.Lattice(2, [(0, 1)], labels=["a", ("b", 2)])
    assert lattice.cell(("b", 2)) == 1
    unknown: list[Any] = ["c", 0, []]
    for bad in unknown:
        refused(ValueError, "is no label", lattice.cell, bad)


BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda: lattices.square(0, 3), ValueError, "rows must be at least 1, not 0"),
    (lambda: lattices.hexagonal(-2, 3), ValueError, "rows must be at least 1, not -2"),
    (lambda: lattices.hexagonal(3), TypeError, "rows and cols, or side="),
    (lambda: lattices.hexagonal(side=3, shape=cast("Any", "heart")), ValueError, "'hexagon' or 'triangle'"),
    (lambda: lattices.triangular(10**6, 10**6), ValueError, "too large: at most"),
    (lambda: lattices.polar(3, first=2), ValueError, "first must be at least 3"),
    (lambda: lattices.cairo(1, 1), ValueError, "two squares at least"),
    (lambda: lattices.moebius(3, 2), ValueError, "cols must be at least 3"),
    (lattices.box, ValueError, "box needs its sides"),
    (lambda: lattices.cube(cast("Any", 2.5)), TypeError, "n must be an integer"),
    (lambda: lattices.weave(5, 5, crossings=1.5), ValueError, "crossings must be in"),
    (lattices.voronoi, TypeError, "points, or n="),
    (lambda: lattices.voronoi([(0, 0), (1, 1), (0, 0)]), ValueError, r"points\[0\] and points\[2\]"),
    (lambda: lattices.voronoi([(0, np.nan)]), ValueError, r"points\[0\].*not finite"),
    (lambda: lattices.from_polygons([]), ValueError, "there are no polygons"),
    (lambda: lattices.from_polygons([[(0, 0), (1, 0)]]), TypeError, r"polygons\[0\] must be a polygon"),
    (
        lambda: lattices.from_polygons([[(0, 0), (2, 0), (0, 2)], [(0, 0), (1, 0), (0, 1)]]),
        ValueError,
        r"polygons\[0\] and polygons\[1\] overlap",
    ),
    (lambda: lattices.from_polygons([[(0, 0), (1, 1), (1, 0), (0, 1)]]), ValueError, "Self-intersection"),
    (lambda: lattices.from_polygons([shapely.Polygon()]), ValueError, r"polygons\[0\] has no area"),
    (lambda: lattices.from_recipe({"lattice": "heart"}), ValueError, "must be one of 'graph', 'square'"),
    (lambda: lattices.from_recipe({"lattice": ["box"]}), ValueError, "must be one of 'graph', 'square'"),
    (lambda: meiro.generate(meiro.generate((2, 2)).recipe), ValueError, r"generate\(\*\*recipe\)"),
    (lambda: meiro.Lattice(0, []), ValueError, "n_cells must be at least 1"),
    (lambda: meiro.Lattice(2, [(0, 2)]), ValueError, r"edges\[0\] = \(0, 2\)"),
    (lambda: meiro.Lattice(2, [], [(0, 0)]), ValueError, r"shape \(2, 2\) or \(2, 3\)"),
    (lambda: meiro.Lattice(2, [], labels=["a", "a"]), ValueError, "labels must differ"),
    (lambda: meiro.Lattice(2, [], labels=["a", None]), ValueError, r"labels\[1\] is None"),
    (lambda: meiro.Lattice(2, [], labels={"a", "b"}), TypeError, "labels must be a list"),  # type: ignore[arg-type]
    (lambda: meiro.Lattice(2, [], labels={0: "a", 1: "b"}), TypeError, "labels must be a list"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("make", "error", "message"), BAD)
def test_bad_arguments_say_what_would_do(make: Any, error: type[Exception], message: str) -> None:
    refused(error, message, make)


@pytest.mark.clock
def test_a_million_hexagons_are_made_generated_and_solved_in_2_s() -> None:
    def work() -> None:
        maze = meiro.generate(lattices.hexagonal(1000, 1000), "kruskal", rng=1)
        meiro.solve(maze)

    assert seconds(work) < 4  # 2 on a machine of its own: see notebooks/guide/speed.md


@pytest.mark.parametrize(
    "make", [lambda: lattices.hexagonal(4, 5), lambda: lattices.from_graph(nx.path_graph(20))]
)
def test_the_recipe_of_a_mask_of_a_mask_makes_its_cells(make: Any) -> None:
    masked = make().mask(range(2, 20)).mask(range(3, 14))
    again = lattices.from_recipe(masked.recipe)
    assert np.array_equal(again.edges, masked.edges)
    assert np.array_equal(again.degrees, masked.degrees)
    np.testing.assert_array_equal(again.positions, masked.positions)


TURNS = [
    make(rows, cols)
    for make in (lattices.upsilon, lattices.kagome, lattices.cairo)
    for rows in range(1, 6)
    for cols in range(1, 6)
    if rows * cols > 1
]
IN_ROWS = [lattice for name in ("square", "hexagonal", "triangular", "polar") for lattice in PLANE[name]]
IN_ROWS += TURNS
IN_ROWS += [*PLANE["hexagon"], *PLANE["triangle of hexagons"], *PLANE["triangle"], *PLANE["masked"]]
IN_ROWS += [
    *OTHERS["box"],
    *OTHERS["zeta"],
    *SURFACES["moebius"],
    lattices.hexagonal(4, 5).mask([3, 4, 9]).mask([1, 2]),
]


@pytest.mark.parametrize("lattice", IN_ROWS, ids=lambda lattice: lattice.description)
def test_cells_are_named_by_their_coordinates(lattice: meiro.Lattice) -> None:
    coordinates = lattice.coordinates
    assert coordinates is not None
    assert [lattice.cell(tuple(place)) for place in coordinates.tolist()] == list(lattice)
    refused(ValueError, r"there is no cell \(-1,", lattice.cell, (-1,) * coordinates.shape[1])
    if lattice.name in {"hexagonal", "square", "polar"} and lattice.positions is not None:
        far = lattice.positions[:, 1] if lattice.name != "polar" else np.hypot(*lattice.positions.T)
        order = np.argsort(coordinates[:, 0], kind="stable")
        assert (np.diff(far[order]) >= -1e-9).all()  # rows go down, rings go out


@pytest.mark.parametrize("lattice", TURNS, ids=lambda lattice: lattice.description)
def test_rows_of_two_kinds_of_cells_take_turns(lattice: meiro.Lattice) -> None:
    row, col = np.asarray(lattice.coordinates).T
    x, y = lattice.positions.T  # type: ignore[union-attr]
    rows = [np.flatnonzero(row == i) for i in range(row.max() + 1)]
    for own in rows:
        order = own[np.argsort(col[own])]
        assert col[order].tolist() == list(range(len(own)))
        assert (np.diff(x[order]) > 0).all()
        assert len(set(np.diff(lattice.outline.indptr)[own].tolist())) == 1  # type: ignore[union-attr]
    assert all(y[upper].max() < y[lower].min() for upper, lower in itertools.pairwise(rows))
