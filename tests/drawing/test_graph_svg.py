"""SVG of mazes on lattices, parsed back: which walls stand, and that paths go through none of them."""

from __future__ import annotations

import importlib
import math
import re
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from refusals import refused
from svg_paths import lines_of_path

import meiro
from meiro.drawing.graph_outline import merged, plane_of, polygons, wall_segments
from meiro.drawing.lines import Lines, chords
from meiro.drawing.routes import parse_routes
from meiro.lattices import Lattice

shapely = pytest.importorskip("shapely")
la = meiro.lattices
PLANE = importlib.import_module("plane_lattices").PLANE  # needs shapely
CORRIDORS = {
    "weave": la.weave(6, 7, rng=3),
    "zeta": la.zeta(5, 6),
    "graph": la.from_graph([(0, 1), (1, 2), (2, 0)], positions=[(0, 0), (1, 0), (0, 1)]),
}
plane_lattices = pytest.mark.parametrize("lattice", PLANE.values(), ids=PLANE)
lattices = pytest.mark.parametrize("lattice", {**PLANE, **CORRIDORS}.values(), ids=[*PLANE, *CORRIDORS])


def drawn(data: str) -> Any:
    return shapely.MultiLineString(lines_of_path(data))


def lines_of(text: str, *, faint: bool) -> list[Any]:
    root = ET.fromstring(text)  # noqa: S314  # our own
    paths = [x.attrib for x in root.iter() if x.tag.endswith("path") and x.attrib["fill"] == "none"]
    return [drawn(path["d"]) for path in paths if ("stroke-opacity" in path) == faint]


def walls_of(text: str) -> Any:
    return lines_of(text, faint=False)[0]


@plane_lattices
@pytest.mark.parametrize("seed", [1, 2])
def test_walls_stand_where_edges_are_closed(lattice: Lattice, seed: int) -> None:
    maze = meiro.generate(lattice, "wilson", rng=seed)
    plane = plane_of(lattice)
    walls = walls_of(maze.to_svg()).buffer(0.01)
    outline = plane.outline
    assert outline is not None
    arcs = np.zeros(len(outline.walls), np.bool_) if outline.wall_arcs is None else outline.wall_arcs
    for edge, (is_open, ends, arc) in enumerate(zip(maze.open, outline.walls, arcs, strict=True)):
        if plane.stairs is not None and plane.stairs[edge]:
            continue
        lines = Lines(ends, np.array([0, 2]), np.array([False, bool(arc)]))
        line = shapely.LineString(chords(lines, plane.cell).points / plane.cell)
        if line.length < 0.15:  # the ends of its neighbours cover much of it
            continue
        share = line.intersection(walls).length / line.length
        assert share < 0.3 if is_open else share > 0.99, (edge, share)
    if outline.rim_arcs is None and len(outline.rim):
        rim = shapely.MultiLineString(list(outline.rim / plane.cell))
        assert walls.buffer(0.001).covers(rim)


@plane_lattices
@pytest.mark.parametrize("seed", [3, 4])
def test_a_path_crosses_no_wall(lattice: Lattice, seed: int) -> None:
    maze = meiro.generate(lattice, "wilson", rng=seed)
    plane = plane_of(lattice)
    segments, arcs = wall_segments(plane, maze.open)
    lines = merged(segments, arcs, plane.cell)
    flat = chords(lines, plane.cell)
    pieces = np.split(flat.points, flat.starts[1:-1])
    walls = shapely.MultiLineString([piece for piece in pieces if len(piece) > 1])
    for goal in range(1, lattice.n_cells, 7):
        found = meiro.solve(maze, None, goal if lattice.labels is None else lattice.labels[goal])
        (route,) = parse_routes(maze, found, plane)
        path = chords(route.line, plane.cell)
        for piece in np.split(path.points, path.starts[1:-1]):
            if len(piece) > 1 and np.ptp(piece, axis=0).max() > 0:
                # Across a seam a path ends at a wall's place, where no wall stands.
                assert not shapely.LineString(piece).crosses(walls), (goal, piece)


def test_a_path_around_rings_turns_only_where_it_changes_the_ring() -> None:
    maze = meiro.generate(PLANE["polar"], "wilson", rng=3)
    plane = plane_of(maze.lattice)
    for goal in range(1, maze.n_cells, 5):
        (route,) = parse_routes(maze, meiro.solve(maze, 0, goal), plane)
        line = route.line
        assert np.allclose(line.points[[0, -1]], plane.positions[route.cells[[0, -1]]])
        assert line.arcs is not None
        (x, y), (x1, y1) = line.points[:-1].T, line.points[1:].T
        straight = ~line.arcs[1:]
        assert np.allclose((x * y1 - y * x1)[straight], 0)  # outwards or inwards
        assert np.allclose(np.hypot(x, y)[~straight], np.hypot(x1, y1)[~straight])  # around


@plane_lattices
def test_merged_lines_are_the_segments_each_once(lattice: Lattice) -> None:
    maze = meiro.generate(lattice, "kruskal", rng=4)
    plane = plane_of(lattice)
    segments, arcs = wall_segments(plane, maze.open)
    kept = ~np.isnan(segments[:, 0, 0])
    segments, arcs = segments[kept], None if arcs is None else arcs[kept]
    both = chords(merged(segments, arcs, plane.cell), plane.cell)
    kinds = None if arcs is None else np.stack([np.zeros_like(arcs), arcs], axis=1).reshape(-1)
    alone = chords(Lines(segments.reshape(-1, 2), np.arange(0, 2 * len(segments) + 1, 2), kinds), plane.cell)

    def length(lines: Lines) -> float:
        parts = np.split(lines.points, lines.starts[1:-1])
        return sum(float(np.hypot(*np.diff(part, axis=0).T).sum()) for part in parts)

    assert length(both) == pytest.approx(length(alone), rel=2e-3)
    assert len(both.starts) < len(alone.starts)


@pytest.mark.parametrize("lattice", [la.cube(3), la.moebius(4, 9), la.moebius(4, 9).mask(np.arange(1, 36))])
def test_open_seams_of_surfaces_have_faint_lines(lattice: Lattice) -> None:
    text = meiro.generate(lattice, "wilson", rng=4).to_svg()
    (faint,), walls = lines_of(text, faint=True), walls_of(text)
    around = shapely.union_all([shapely.Polygon(lattice.polygon(cell)) for cell in lattice]).boundary
    assert faint.length > 0
    assert faint.difference(around).length == 0
    assert faint.intersection(walls).length == 0
    assert around.difference(faint).difference(walls).length == 0


@pytest.mark.parametrize("lattice", [la.polar(1, 3), la.polar(4, 5), la.polar(9), PLANE["masked rings"]])
def test_cells_of_rings_are_filled_to_their_round_walls(lattice: Lattice) -> None:
    outline, unit = lattice.outline, plane_of(lattice).cell
    assert outline is not None
    assert lattice.positions is not None
    places = lattice.positions
    ring = np.floor(np.hypot(*places.T)).astype(int)
    whole = la.polar(**{name: lattice.recipe[name] for name in ("rings", "first")})
    counts = np.bincount(np.floor(np.hypot(*whole.positions.T)).astype(int))  # type: ignore[union-attr]
    areas = math.pi * (2 * ring + 1) / counts[ring]
    roads = meiro.generate(lattice, rng=1).to_svg(colors={"road": "#ffe08a"})
    lines = drawn(re.findall(r'fill="#ffe08a" d="([^"]*)"', roads)[0])
    found = [shapely.Polygon(line) for line in lines.geoms]
    assert all(one.is_valid for one in found)
    assert [one.area * unit**2 for one in found] == pytest.approx(areas.tolist(), abs=4e-3)
    corners, starts, _ = chords(polygons(outline), unit)
    parts = [shapely.Polygon(one) for one in np.split(np.round(corners / unit, 9), starts[1:-1])]
    assert max(map(shapely.hausdorff_distance, parts, found)) < 0.006
    # No seams between them: a side is that of two cells, or of the outline of all.
    shared = sum(shapely.intersection(parts[one], parts[other]).length for one, other in lattice.edges)
    lengths = sum(one.length for one in parts)
    assert lengths == pytest.approx(shapely.union_all(parts).length + 2 * shared, rel=1e-9)


@lattices
def test_every_lattice_has_a_picture_with_its_solution(lattice: Lattice) -> None:
    maze = meiro.generate(lattice, "wilson", rng=5)
    text = maze.to_svg(solution=meiro.solve(maze), page="A4", title="A & B")
    root = ET.fromstring(text)  # noqa: S314  # our own
    assert root.attrib["width"] in {"210mm", "297mm"}
    assert text.count("<circle") == 2
    assert "nan" not in text
    assert maze.to_svg(solution=meiro.solve(maze)) == maze.to_svg(solution=meiro.solve(maze).path)


def test_districts_of_a_country_are_drawn_as_near_ones() -> None:
    found = []
    for x, y in ((0, -29.2), (4_500_000.123, 5_512_345.678)):
        cells = [
            shapely.box(x + a, y + b, x + a + 7.3, y + b + 7.3) for a, b in 7.3 * np.argwhere(np.ones((5, 4)))
        ]
        maze = meiro.generate(meiro.lattices.from_polygons(cells), rng=1, openings="top_bottom")
        found.append(re.sub("</?g[^>]*>", "", maze.to_svg(solution=maze.solve(), explored=True, marks=True)))
    assert found[0] == found[1]


def test_levels_have_numbers_and_stairs_that_no_path_hides() -> None:
    lattice = la.box(3, 4, 5)
    maze = meiro.GraphMaze(lattice, np.ones(lattice.n_edges, np.bool_))
    text = maze.to_svg(solution=[2, 22, 42])
    root = ET.fromstring(text)  # noqa: S314  # our own
    assert [x.text for x in root.iter() if x.tag.endswith("text")] == ["level 1", "level 2", "level 3"]
    assert "level" not in meiro.generate(la.box(1, 4, 5), "wilson", rng=1).to_svg()
    upper = lattice.mask(np.arange(20, 60))
    assert re.findall("level [0-9]", meiro.generate(upper, rng=1).to_svg()) == ["level 2", "level 3"]
    filled = [x.attrib for x in root.iter() if x.tag.endswith("path") and x.attrib["fill"] != "none"]
    assert [x["d"].count("M") for x in filled] == [40, 40]  # a stair has a sign at its lower and upper end
    signs = shapely.MultiPolygon([shapely.Polygon(line) for x in filled for line in lines_of_path(x["d"])])
    middles = shapely.MultiPoint(plane_of(lattice).positions).buffer(0.14)  # half the width of a path
    assert signs.distance(shapely.MultiPoint(plane_of(lattice).positions)) > 0.2
    assert signs.intersection(middles).area == 0
    path = next(x.attrib["d"] for x in root.iter() if x.attrib.get("stroke") == "#d7191c")
    assert path.count("M") == 3  # a dot on each level


def test_cells_without_passages_are_seen() -> None:
    for lattice in (CORRIDORS["zeta"], CORRIDORS["graph"]):
        maze = meiro.GraphMaze(lattice, np.zeros(lattice.n_edges, np.bool_))
        assert maze.to_svg().count("h0") >= lattice.n_cells


def test_large_ones_are_small_files() -> None:
    text = meiro.generate(la.polar(40), "wilson", rng=1).to_svg()
    assert len(text) < 90_000
    arcs = text.count("a")
    assert arcs > 1000
    assert len(meiro.generate(la.square(40, 40), "wilson", rng=1).to_svg()) < 16_000


def test_bad_input() -> None:
    maze = meiro.generate(la.hexagonal(3, 3), "wilson", rng=1)
    closed = np.flatnonzero(~maze.open)[0]
    with pytest.raises(ValueError, match="goes through a wall: no passage joins cells"):
        maze.to_svg(solution=maze.lattice.edges[closed])
    refused(ValueError, "99", maze.to_svg, solution=[0, 99])
    refused(TypeError, "must be a Solution or a path", maze.to_svg, solution="here")
    with pytest.raises(ValueError, match="is of another maze"):
        maze.to_svg(solution=meiro.solve(meiro.generate((3, 3), rng=1)))
    with pytest.raises(ValueError, match="no positions, and more than 2,000 cells"):
        meiro.generate(la.box(7, 7, 7, 7), "wilson", rng=1).to_svg()
    in_space = la.from_graph([(0, 1), (1, 2)], positions=[(0, 0, 0), (1, 1, 2), (0, 3, 1)])
    refused(ValueError, "three_d=True", meiro.generate(in_space, "wilson", rng=1).to_svg)
    refused(ValueError, "is too small for a maze of", maze.to_svg, page=(20, 20), mm=10)


def test_of_a_bridge_the_upper_corridor_comes_later() -> None:
    lattice = la.weave(5, 5, crossings=1, rng=2)
    text = meiro.GraphMaze(lattice, np.ones(lattice.n_edges, np.bool_)).to_svg()
    widths = [float(x) for x in re.findall(r'stroke-width="([0-9.]+)"', text)]
    assert widths[0] > widths[1]
    assert widths[2:4] == widths[:2]
    assert text.count('stroke-linecap="butt"') == 2


@pytest.mark.parametrize("name", ["combs", "districts", "voronoi"])
def test_paths_between_cells_of_any_shape_keep_off_walls(name: str) -> None:
    maze = meiro.generate(PLANE[name], "backtracker", rng=1)
    way = meiro.longest_path(maze).path
    plane = plane_of(maze.lattice)
    (route,) = parse_routes(maze, way, plane)
    line = shapely.LineString(route.line.points)
    walls = shapely.MultiLineString(list(wall_segments(plane, maze.open)[0]))
    room = 2 * line.distance(walls) / plane.cell
    assert route.room / plane.cell == pytest.approx(min(room, 1.0))
    if name == "combs":
        assert room > 0.3  # corridors of 0.71 cells; the shortest way had 0.09
    (width,) = re.findall(r'stroke="#d7191c" stroke-width="([\d.]+)"', maze.to_svg(solution=way))
    assert float(width) == pytest.approx(min(0.28, max(0.14, room - 0.14)), abs=1e-3)
    drawn = re.findall(r'stroke="#d7191c" stroke-width="([\d.]+)"', maze.to_svg(solution=way, path_width=0.7))
    assert drawn == ["0.14"]  # as wide as is asked for: millimetres of cells of 5
