"""GeoJSON, WKT and DXF: walls are those of the maze, each once, as shapely reads them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from arbitrary_mazes import drawn_grid, mazes, some_maze
from hypothesis import given
from hypothesis import strategies as st
from periodic_mazes import WRAPS, periodic_maze

import meiro
from meiro import lattices

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = ["geojson", "wkt", "dxf"]
STRAIGHT = {
    "square": lattices.square(4, 5),
    "hexagonal": lattices.hexagonal(5, 6),
    "triangular": lattices.triangular(4, 7),
    "cairo": lattices.cairo(3, 4),
    "voronoi": lattices.voronoi(40, rng=1),
    "moebius": lattices.moebius(3, 7),
}


def read_lines(path: Path) -> list[Any]:
    """Return what shapely reads: the walls, and the path of a solution."""
    if path.suffix == ".wkt":
        found = shapely.from_wkt(path.read_text())
        return list(found.geoms) if found.geom_type == "GeometryCollection" else [found]
    if path.suffix == ".geojson":
        features = json.loads(path.read_text())["features"]
        assert [one["properties"]["layer"] for one in features] == ["walls", "solution"][: len(features)]
        return [shapely.from_geojson(json.dumps(one)) for one in features]
    layers: dict[str, list[Any]] = {}
    points: list[list[float]] = []
    layer = ""
    for code, value in groups(path):
        if code == 0 and points and value != "VERTEX":
            layers.setdefault(layer, []).append(points)
            points = []
        if code == 8:
            layer = value
        if code in (10, 11):
            points.append([float(value)])
        if code in (20, 21):
            points[-1].append(float(value))
        if code == 30:  # the place of a polyline, which has none
            points = []
    return [shapely.multilinestrings([shapely.linestrings(one) for one in some]) for some in layers.values()]


def groups(path: Path) -> list[tuple[int, str]]:
    lines = path.read_text("ascii").splitlines()
    assert max(map(len, lines)) <= 255
    return list(zip(map(int, lines[::2]), lines[1::2], strict=True))


def units(walls: Any) -> list[tuple[int, ...]]:
    """Return the walls of single cells, (row, col) of their sites, of lines in cells."""
    found = []
    for line in shapely.get_parts(walls):
        (x, y), (x1, y1) = sorted(shapely.get_coordinates(line).tolist())
        assert (x, y, x1, y1) == (int(x), int(y), int(x1), int(y1))
        assert (x == x1) != (y == y1)
        found += [(int(-2 * y), int(2 * i + 1)) for i in range(int(x), int(x1))]
        found += [(int(-2 * i - 1), int(2 * x)) for i in range(int(y), int(y1))]
    return sorted(found)


def require_walls(maze: meiro.Maze, path: Path) -> None:
    (walls, *_) = read_lines(path)
    sites = drawn_grid(maze)
    rows, cols = np.nonzero(sites)
    doors = (rows + cols) % 2 == 1
    expected = sorted(
        (int(row) - 2 * maze.rows, int(col)) for row, col in zip(rows[doors], cols[doors], strict=True)
    )
    assert units(walls) == expected
    assert walls.length == len(expected)
    assert shapely.get_num_geometries(shapely.line_merge(walls)) <= shapely.get_num_geometries(walls)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(maze=mazes())
def test_walls_are_those_of_the_maze(
    maze: meiro.Maze, suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("lines") / f"a.{suffix}"
    maze.save(path)
    if suffix == "dxf" and not any(value == "LINE" for _, value in groups(path)):
        assert not drawn_grid(maze)[::2, 1::2].any()
        return
    require_walls(maze, path)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("wrap", WRAPS)
def test_periodic_borders_are_open_where_passages_cross_them(
    wrap: tuple[bool, bool], suffix: str, tmp_path: Path
) -> None:
    maze = periodic_maze((4, 5), wrap, 3, 1)
    maze.save(tmp_path / f"a.{suffix}")
    require_walls(maze, tmp_path / f"a.{suffix}")


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(seed=st.integers(0, 200))
def test_paths_are_as_long_as_the_solution_and_meet_no_wall(
    seed: int, suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    maze = some_maze(seed)
    try:
        solution = meiro.solve(maze)
    except meiro.NoPathError:
        return
    path = tmp_path_factory.mktemp("lines") / f"a.{suffix}"
    maze.save(path, solution=solution)
    if len(solution.path) < 2:
        assert len(read_lines(path)) == 1 or shapely.is_empty(read_lines(path)[1])
        return
    walls, way = read_lines(path)
    assert not walls.intersects(way)
    if not any(maze.wrap):
        assert way.length == solution.length
        (line,) = way.geoms
        (row, col), (row1, col1) = solution.path[[0, -1]]
        ends = [(col + 0.5, maze.rows - row - 0.5), (col1 + 0.5, maze.rows - row1 - 0.5)]
        np.testing.assert_array_equal(shapely.get_coordinates(line)[[0, -1]], ends)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_paths_go_through_openings(suffix: str, tmp_path: Path) -> None:
    maze = meiro.Maze([[2, 8]], openings=[(0, 1), (2, 3)])
    maze.save(tmp_path / f"a.{suffix}", solution=meiro.solve(maze))
    _, way = read_lines(tmp_path / f"a.{suffix}")
    assert shapely.get_coordinates(way).tolist() == [[0.5, 1], [0.5, 0.5], [1.5, 0.5], [1.5, 0]]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", STRAIGHT)
def test_walls_on_lattices(name: str, suffix: str, tmp_path: Path) -> None:
    lattice = STRAIGHT[name]
    maze = meiro.generate(lattice, "wilson", rng=3)
    outline = lattice.outline
    assert outline is not None
    solution = meiro.solve(maze, 0, lattice.n_cells - 1)
    maze.save(tmp_path / f"a.{suffix}", solution=solution)
    walls, way = read_lines(tmp_path / f"a.{suffix}")
    parts = [outline.walls[~maze.open], outline.rim]
    if outline.more_walls is not None:
        parts.append(outline.more_walls[~maze.open[outline.more_edges]])
    segments = shapely.linestrings(np.concatenate(parts) * (1, -1))
    assert walls.length == pytest.approx(shapely.length(segments).sum(), rel=1e-9)
    assert walls.hausdorff_distance(shapely.multilinestrings(segments)) < 1e-6
    crossing = walls.intersection(way.buffer(1e-9))
    assert crossing.length < 1e-6
    assert len(walls.geoms) < len(segments)


def test_round_walls_are_chords(tmp_path: Path) -> None:
    maze = meiro.generate(lattices.polar(6), "wilson", rng=1)
    maze.save(tmp_path / "a.wkt")
    (walls,) = read_lines(tmp_path / "a.wkt")
    rim = walls.convex_hull
    assert rim.area == pytest.approx(np.pi * rim.length**2 / (2 * np.pi) ** 2, rel=0.01)
    radii = np.hypot(*shapely.get_coordinates(walls).T)
    rings = np.unique(np.round(radii[radii > 1e-6], 6))
    assert len(rings) <= 7  # corners lie on the circles


def test_districts_keep_the_coordinates_of_their_map(tmp_path: Path) -> None:
    squares = [shapely.box(x, y, x + 2, y + 3) for x in (500_000, 500_002) for y in (4_000_000, 4_000_003)]
    maze = meiro.generate(lattices.from_polygons(squares), "wilson", rng=1)
    maze.save(tmp_path / "a.geojson")
    (walls,) = read_lines(tmp_path / "a.geojson")
    assert walls.bounds == (500_000, 4_000_000, 500_004, 4_000_006)
    assert walls.covered_by(shapely.union_all([one.boundary for one in squares]))


@pytest.mark.parametrize("suffix", ["geojson", "dxf"])
def test_recipes_are_kept(suffix: str, tmp_path: Path) -> None:
    maze = meiro.generate((3, 4), "growing_tree", choose={"newest": 2, "random": 1}, rng=12345678901234567890)
    maze.save(tmp_path / f"a.{suffix}")
    if suffix == "geojson":
        recipe = json.loads((tmp_path / "a.geojson").read_text())["features"][0]["properties"]["recipe"]
    else:
        comments = [value for code, value in groups(tmp_path / "a.dxf") if code == 999]
        recipe = "".join(comments).removeprefix("recipe: ")
    assert meiro.generate(**json.loads(recipe)) == maze


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("lattice", "message"),
    [
        (lattices.weave(4, 4, rng=1), "has no walls in the plane"),
        (lattices.box(2, 3, 2), "lies on several levels"),
        (lattices.from_graph([(0, 1), (1, 2)]), "has no positions"),
    ],
)
def test_what_has_no_walls_is_refused(
    lattice: meiro.Lattice, message: str, suffix: str, tmp_path: Path
) -> None:
    maze = meiro.generate(lattice, "wilson", rng=1)
    with pytest.raises(ValueError, match=message):
        maze.save(tmp_path / f"a.{suffix}")
    assert not list(tmp_path.iterdir())


def test_a_solution_of_another_maze_is_refused(tmp_path: Path) -> None:
    other = meiro.solve(meiro.generate((3, 3), rng=1))
    with pytest.raises(ValueError, match="solution"):
        meiro.generate((3, 4), rng=1).save(tmp_path / "a.dxf", solution=other)
    assert not list(tmp_path.iterdir())
