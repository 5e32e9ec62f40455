"""GeoJSON, WKT and DXF: walls are those of the maze, each once, as shapely reads them."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from arbitrary_mazes import drawn_grid, mazes, some_maze
from ezdxf.filemanagement import readfile
from hypothesis import given
from hypothesis import strategies as st
from periodic_mazes import WRAPS, periodic_maze
from refusals import refused
from some_lattices import EVERY

import meiro
from meiro import lattices
from meiro.drawing.lines import square_outlines

SUFFIXES = ["geojson", "wkt", "dxf"]
STRAIGHT = "square", "hexagonal", "triangular", "cairo", "voronoi", "moebius"


def read_lines(path: Path) -> list[Any]:
    """Return what shapely reads: the walls, and the path of a solution."""
    if path.suffix == ".wkt":
        found = shapely.from_wkt(path.read_text())
        parts = list(found.geoms) if found.geom_type == "GeometryCollection" else [found]
        return [part for part in parts if part.geom_type != "MultiPoint"]  # cells that do not exist
    if path.suffix == ".geojson":
        features = json.loads(path.read_text())["features"]
        assert [one["properties"]["layer"] for one in features] == ["walls", "solution"][: len(features)]
        return [shapely.from_geojson(json.dumps(one)) for one in features]
    layers: dict[str, list[Any]] = {}
    document: Any = readfile(path)
    audit = document.audit()
    assert (document.dxfversion, audit.errors, audit.fixes) == ("AC1009", [], [])
    for one in document.modelspace():
        line = one.dxftype() == "LINE"
        points = [one.dxf.start, one.dxf.end] if line else [vertex.dxf.location for vertex in one.vertices]
        layers.setdefault(one.dxf.layer, []).append(shapely.linestrings([(x, y) for x, y, _ in points]))
    assert list(layers) == ["WALLS", "SOLUTION"][: len(layers)]
    return [shapely.multilinestrings(lines) for lines in layers.values()]


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
    places = np.stack([rows[doors] - 2 * maze.rows, cols[doors]], axis=1)
    expected = sorted(map(tuple, places.tolist()))
    assert units(walls) == expected
    assert walls.length == len(expected)
    assert shapely.get_num_geometries(shapely.line_merge(walls)) <= shapely.get_num_geometries(walls)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(maze=mazes())
def test_walls_are_those_of_the_maze(maze: meiro.Maze, suffix: str, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("lines") / f"a.{suffix}"
    maze.save(path)
    if suffix == "dxf" and not read_lines(path):
        assert not drawn_grid(maze)[::2, 1::2].any()
        return
    require_walls(maze, path)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("wrap", WRAPS)
def test_periodic_borders_are_open_where_passages_cross_them(wrap: Any, suffix: str, tmp_path: Path) -> None:
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
    lattice = EVERY[name]
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
    assert walls.hausdorff_distance(shapely.multilinestrings(segments)) < 1e-9
    crossing = walls.intersection(way.buffer(1e-9))
    assert crossing.length < 1e-6
    assert len(walls.geoms) < len(segments)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_round_walls_are_chords(suffix: str, tmp_path: Path) -> None:
    maze = meiro.generate(lattices.polar(6), "wilson", rng=1)
    maze.save(tmp_path / f"a.{suffix}")
    (walls,) = read_lines(tmp_path / f"a.{suffix}")
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
        lines = (tmp_path / "a.dxf").read_text("ascii").splitlines()
        assert max(map(len, lines)) <= 255
        (recipe,) = (line.removeprefix("recipe: ") for line in lines if line.startswith("recipe: "))
    assert meiro.generate(**json.loads(recipe)) == maze


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("lattice", "message"),
    [
        (lattices.weave(4, 4, rng=1), "has no walls in the plane"),
        (lattices.box(2, 3, 2), "lies on several levels"),
        (lattices.from_graph([(0, 1), (1, 2)]), "has no walls in the plane"),
    ],
)
def test_what_has_no_walls_is_refused(
    lattice: meiro.Lattice, message: str, suffix: str, tmp_path: Path
) -> None:
    maze = meiro.generate(lattice, "wilson", rng=1)
    refused(ValueError, message, maze.save, tmp_path / f"a.{suffix}")
    assert not list(tmp_path.iterdir())


def test_a_solution_of_another_maze_is_refused(tmp_path: Path) -> None:
    other = meiro.solve(meiro.generate((3, 3), rng=1))
    refused(ValueError, "solution", meiro.generate((3, 4), rng=1).save, tmp_path / "a.dxf", solution=other)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(maze=mazes())
def test_mazes_are_read_from_their_walls(maze: meiro.Maze, suffix: str, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("lines") / f"a.{suffix}"
    solution = None
    with contextlib.suppress(meiro.NoPathError):
        solution = meiro.solve(maze)
    maze.save(path, solution=solution)
    border = [drawn_grid(maze)[side] for side in (0, -1, (slice(None), 0), (slice(None), -1))]
    if suffix == "wkt" and (any(maze.wrap) or not all(side[1::2].any() for side in border)):
        return  # lines alone do not say how large a maze without a border is
    found = meiro.read(path)
    assert isinstance(found, meiro.Maze)
    cells = found.passages, found.mask, found.openings, found.wrap
    again = meiro.Maze(*cells[:3], wrap=cells[3], start=maze.start, goal=maze.goal)
    assert again == maze


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_open_rooms_are_as_large_as_they_were(suffix: str, tmp_path: Path) -> None:
    for shape in ((2, 2), (2, 6), (6, 9), (1, 4)):
        maze = meiro.generate(shape, "percolation", p=1, rng=1)
        for solution in (None, maze.solve()):
            maze.save(tmp_path / f"a.{suffix}", solution=solution)
            assert meiro.read(tmp_path / f"a.{suffix}") == maze


@given(maze=mazes(), sizes=st.sampled_from([{"wall": 0.1}, {"wall": 3, "kerf": 0.2}, {"wall": 7, "mm": 8}]))
def test_mazes_are_read_from_the_outlines_of_their_walls(
    maze: meiro.Maze, sizes: dict[str, float], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("outlines") / "a.dxf"
    maze.save(path, **sizes)  # type: ignore[arg-type]
    found: Any = meiro.read(path)
    maze.save(path)
    assert found == meiro.read(path)


def moved_dxf(path: Path, dx: float, dy: float) -> None:
    document: Any = readfile(path)
    for one in document.modelspace():
        one.translate(dx, dy, 0)
    # ezdxf leaves comments out: those of the maze are put before its own drawing
    comments = path.read_text().partition("  0\nSECTION")[0]
    document.saveas(path)
    path.write_text(comments + path.read_text())


def moved_geojson(path: Path, dx: float, dy: float) -> None:
    found = json.loads(path.read_text())
    for one in found["features"]:
        lines = one["geometry"]["coordinates"]
        one["geometry"]["coordinates"] = [[[x + dx, y + dy] for x, y in line] for line in lines]
    path.write_text(json.dumps(found))


MOVED: list[tuple[Any, dict[str, float]]] = [
    (moved_geojson, {}),
    (moved_dxf, {}),
    (moved_dxf, {"mm": 25.4}),
    (moved_dxf, {"wall": 1.5, "mm": 7}),
]


@pytest.mark.parametrize("offset", [(0.5, -0.25), (-3, 7), (500_000.125, 4_000_000.5)])
@pytest.mark.parametrize(("move", "sizes"), MOVED)
def test_mazes_that_were_moved_are_read(
    move: Any, sizes: dict[str, Any], offset: tuple[float, float], tmp_path: Path
) -> None:
    path = tmp_path / move.__name__.replace("moved_", "a.")
    mask = np.pad(np.ones((3, 4), np.bool_), ((2, 1), (0, 3)))
    mask[3, 1] = False
    masked = meiro.generate(mask=mask, rng=3)
    for maze in (
        meiro.with_openings(meiro.generate((4, 6), rng=1)),
        masked,
        periodic_maze((4, 5), (True, False), 3, 1),
    ):
        maze.save(path, **sizes)
        expected = meiro.read(path)
        move(path, *offset)
        assert meiro.read(path) == expected


@pytest.mark.parametrize("digits", [3, 9])
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("cell", "low"), [(10, 0), (1 / 3, 1e6), (25.4, 17.123), (100 / 3, (12.3456, 6.7891))]
)
def test_lines_of_other_programs_have_cells_of_any_size(
    cell: float, low: Any, order: int, digits: int, tmp_path: Path
) -> None:
    maze = meiro.generate((70, 90), rng=3)
    maze.save(tmp_path / "a.wkt")
    (walls,) = read_lines(tmp_path / "a.wkt")
    lines = [np.round(shapely.get_coordinates(line) * cell + low, digits) for line in walls.geoms]
    (tmp_path / "b.geojson").write_text(json.dumps(lines_of([line[::order].tolist() for line in lines])))
    assert meiro.read(tmp_path / "b.geojson") == maze
    text = ", ".join(shapely.to_wkt(shapely.linestrings(line), rounding_precision=digits) for line in lines)
    (tmp_path / "b.wkt").write_text(f"GEOMETRYCOLLECTION ({text})")
    assert meiro.read(tmp_path / "b.wkt") == maze


@pytest.mark.parametrize(("cell", "low"), [(1e-5, 0), (3, 1e7)])
def test_a_masked_maze_may_be_moved_and_scaled(cell: float, low: float, tmp_path: Path) -> None:
    maze, path = meiro.generate(mask=[[0, 1, 1], [1, 1, 0]], rng=1), tmp_path / "a.wkt"
    maze.save(path)
    moved = shapely.transform(shapely.from_wkt(path.read_text()), lambda corners: cell * corners + low)
    path.write_text(shapely.to_wkt(moved, rounding_precision=-1))
    assert meiro.read(path) == maze


OFFSETS = (12.3456, 6.7891), (1000 + 1 / 3, 500_000 + 1 / 7)


@pytest.mark.parametrize(
    ("cell", "low", "noise", "digits"),
    [
        *((20, low, noise, 9) for low in (0, 4_000_000) for noise in (0, 0.002, 0.04)),
        *((cell, low, 0, digits) for cell in (25.4, 100 / 3) for low in OFFSETS for digits in (2, 3)),
    ],
)
def test_walls_of_two_lines_are_read(
    cell: float, low: Any, noise: float, digits: int, tmp_path: Path
) -> None:
    maze = meiro.with_openings(meiro.generate((4, 5), rng=2))
    found: list[Any] = []
    for moved in (0, noise):
        lines = square_outlines(maze, 3 / 20)
        points = np.round(lines.points * cell + low, digits)
        places = np.delete(np.stack([points[:-1], points[1:]], axis=1), lines.starts[1:-1] - 1, axis=0)
        places += moved * np.random.default_rng(1).uniform(-1, 1, places.shape)
        text = shapely.to_wkt(shapely.multilinestrings(places), rounding_precision=9)
        (tmp_path / "a.wkt").write_text(text)
        found.append(meiro.read(tmp_path / "a.wkt"))
    assert found[0].shape == (4 * 20 + 3, 5 * 20 + 3)
    assert found[0] == found[1]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", ["hexagonal", "triangular", "voronoi"])
def test_lines_of_lattices_are_refused_without_a_warning(name: str, suffix: str, tmp_path: Path) -> None:
    meiro.generate(EVERY[name], "wilson", rng=3).save(tmp_path / f"a.{suffix}")
    with pytest.raises(ValueError, match=r"turn all until they are; a GraphMaze is read from \.npz"):
        meiro.read(tmp_path / f"a.{suffix}")


FRAME = [[[0, 0], [3, 0]], [[3, 0], [3, 2], [0, 2]], [[0, 2], [0, 0]], [[1, 0], [1, 1]]]
ROOM = "┌─────┐\n│     │\n│ ╷ · │\n│ │   │\n└─┴───┘"


def feature(geometry: Any, **properties: str) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def lines_of(points: Any, kind: str = "MultiLineString") -> dict[str, Any]:
    return {"type": kind, "coordinates": points}


POINT = {"type": "Point", "coordinates": [0, 0]}
RAISED = [[[x, y, 5] for x, y in line] for line in FRAME]
OTHER_JSON: dict[str, Any] = {
    "a geometry": lines_of(FRAME),
    "a feature": feature(lines_of(FRAME)),
    "heights": lines_of(RAISED),
    "a collection": feature(
        {"type": "GeometryCollection", "geometries": [lines_of(FRAME[:3]), lines_of(FRAME[3], "LineString")]}
    ),
    "features": {"features": [feature(None), *(feature(lines_of(line, "LineString")) for line in FRAME)]},
    "a layer": {"features": [feature(POINT), feature(lines_of(FRAME), layer="walls"), feature(POINT)]},
    "two of a layer": {
        "features": [feature(lines_of(part), layer="walls") for part in (FRAME[2:], FRAME[:2])],
    },
}
LINES_OF_JSON = [json.dumps(feature(lines_of(line, "LineString"))) for line in FRAME]
OTHER_JSON |= {
    "a coordinate system": {"crs": {"type": "name", "properties": {"name": "EPSG:25832"}}, **lines_of(FRAME)},
    "a box and an id": {"bbox": [0, 3], "features": [feature(lines_of(FRAME)) | {"id": 7, "bbox": [0]}]},
    "no properties": {"type": "Feature", "geometry": lines_of(FRAME), "properties": None},
    "a mark of order": "\ufeff" + json.dumps(lines_of(FRAME)),
    "one a line": "\n".join(LINES_OF_JSON) + "\n",
    "records": "".join(f"\x1e{line}\n" for line in LINES_OF_JSON),
    "one record": f"\x1e{json.dumps(lines_of(FRAME))}",
}


@pytest.mark.parametrize("name", OTHER_JSON)
def test_geojson_of_other_programs(name: str, tmp_path: Path) -> None:
    text = OTHER_JSON[name]
    (tmp_path / "a.geojson").write_text(text if isinstance(text, str) else json.dumps(text), "utf-8")
    assert str(meiro.read(tmp_path / "a.geojson")) == ROOM


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("pretty", [False, True])
def test_wkt_of_other_programs(dimension: int, pretty: bool, tmp_path: Path) -> None:  # noqa: FBT001
    lines = [shapely.linestrings(line) for line in RAISED]
    walls = shapely.multilinestrings(lines)
    nested = shapely.geometrycollections([shapely.geometrycollections(lines[:2]), *lines[2:]])
    with_path = shapely.geometrycollections([walls, shapely.linestrings([[0.5, 0.5, 5], [1.5, 0.5, 5]])])
    for geometry in (walls, shapely.geometrycollections(lines), nested, with_path):
        text = shapely.to_wkt(geometry, trim=not pretty, output_dimension=dimension)
        (tmp_path / "a.wkt").write_text(text.replace(",", ",\n") if pretty else text.lower())
        assert str(meiro.read(tmp_path / "a.wkt")) == ROOM


EACH = "LINESTRING (0 0, 3 0)", "linestring (3 0, 3 2, 0 2)", "LineString (0 2, 0 0)", "LINESTRING (1 0, 1 1)"
NUMBERED = [f"SRID=4326;{one}" for one in EACH]
PARTS = "((0 0,3 0),(3 0,3 2,0 2,0 0),(1 0,1 1))"
OTHER_TEXT = {
    "EWKT": f"SRID=4326;MULTILINESTRING{PARTS}",
    "lower case EWKT": f"srid = 0 ; multilinestring{PARTS}",
    "EWKT of a collection": f"SRID=25832;GEOMETRYCOLLECTION({','.join(EACH)})",
    "Z": "MULTILINESTRING Z ((0 0 1,3 0 1),(3 0 1,3 2 1,0 2 1,0 0 1),(1 0 1,1 1 1))",
    "Z at the word": "MULTILINESTRINGZ((0 0 1,3 0 1),(3 0 1,3 2 1,0 2 1,0 0 1),(1 0 1,1 1 1))",
    "M": "MULTILINESTRING M ((0 0 7,3 0 8),(3 0 7,3 2 8,0 2 7,0 0 1),(1 0 1,1 1 1))",
    "ZM": "SRID=1;MULTILINESTRING ZM ((0 0 1 2,3 0 1 2),(3 0 1 2,3 2 1 2,0 2 1 2,0 0 1 2),(1 0 1 2,1 1 1 2))",
    "a ring": "GEOMETRYCOLLECTION(LINEARRING(0 0,3 0,3 2,0 2,0 0),LINESTRING(1 0,1 1))",
    "one a line": "\n".join(EACH),
    "one a line of Windows": "\r\n\r\n".join(EACH) + "\r\n",
    "semicolons": "; ".join(EACH) + ";\n",
    "EWKT, one a line": "\n".join(NUMBERED),
    "EWKT with semicolons": ";".join(NUMBERED) + ";",
    "several of parts": "MULTILINESTRING((0 0,3 0),(3 0,3 2,0 2))\nMULTILINESTRING((0 2,0 0),(1 0,1 1))",
    "one is empty": "LINESTRING EMPTY\nMULTILINESTRING EMPTY\n" + "\n".join(EACH),
    "a mark of order": f"\ufeffMULTILINESTRING{PARTS}",
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", OTHER_TEXT)
def test_text_of_databases(name: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.wkt").write_text(OTHER_TEXT[name].removeprefix("\ufeff" * (encoding != "utf-8")), encoding)
    assert str(meiro.read(tmp_path / "a.wkt")) == ROOM
    if encoding == "utf-8" and name != "a mark of order":
        assert str(meiro.read(io.BytesIO(OTHER_TEXT[name].encode()))) == ROOM


def test_polylines_of_other_programs_are_walls(tmp_path: Path) -> None:
    ezdxf = [
        *("0", "SECTION", "2", "ENTITIES"),
        *("0", "LWPOLYLINE", "8", "0", "90", "4", "70", "1"),
        *("10", "0", "20", "0", "10", "30", "20", "0", "10", "30", "20", "20", "10", "0", "20", "20"),
        *("0", "TEXT", "8", "0", "10", "5", "20", "5", "1", "a note"),
        *("0", "LINE", "8", "Å", "10", "10", "20", "0", "11", "10", "21", "10"),
        *("0", "ENDSEC", "0", "EOF"),
    ]
    (tmp_path / "a.dxf").write_text("\n".join(ezdxf), "utf-8")
    assert str(meiro.read(tmp_path / "a.dxf")) == ROOM


def test_a_polyline_without_an_end_mark_is_a_wall(tmp_path: Path) -> None:
    corners = [("10", x, "20", y) for x, y in (("0", "0"), ("30", "0"), ("30", "20"), ("0", "20"))]
    groups = [
        *("0", "SECTION", "2", "ENTITIES", "0", "POLYLINE", "8", "0", "66", "1", "70", "1"),
        *(word for corner in corners for word in ("0", "VERTEX", "8", "0", *corner)),
        *("0", "LINE", "8", "0", "10", "10", "20", "0", "11", "10", "21", "10"),
        *("0", "ENDSEC", "0", "EOF"),
    ]
    (tmp_path / "a.dxf").write_text("\n".join(groups), "ascii")
    assert str(meiro.read(tmp_path / "a.dxf")) == ROOM


BOX = "(0 0, 4 0), (4 0, 4 4), (4 4, 0 4), (0 4, 0 0), (1 0, 1 1)"
BAD_WKT = {
    "LINESTRING (0 0, 1 0)\nPOLYGON ((0 0, 1 0, 1 1, 0 0))": "line 1 is a Polygon: .*from_polygons",
    "SRID=x;LINESTRING (0 0, 1 0)": "is not well-known text",
    "POINT (1 2)": "line 0 is a Point: walls are LineString or MultiLineString",
    "": "is not well-known text",
    "é": "is not well-known text",
    f"MULTILINESTRING ({BOX}": "is not well-known text",
    f"MULTILINESTRING ({BOX}) x": "is not well-known text",
    "MULTILINESTRING ((0 0, 1))": "is not well-known text",
    "LINESTRING (0 0)": "is not well-known text",
    "CIRCULARSTRING (0 0, 1 1, 2 0)": "is not well-known text|line 0 is a CircularString",
    "GEOMETRYCOLLECTION (" * 100_000: "more than 100 brackets",
    "MULTILINESTRING ((0 0, 1 nan))": "line 0: a coordinate is not finite",
    f"MULTILINESTRING ({BOX}, (0 0, 1e999 0))": "line 5: a coordinate is not finite",
    f"MULTILINESTRING ({BOX}, (0 0, 2 1))": r"line from \(0, 0\) to \(2, 1\) is not parallel to an axis",
    "GEOMETRYCOLLECTION (MULTILINESTRING ((0 0, 2 0), (0 1e999, 0 0)), MULTIPOINT (1 1))": "is not finite",
    "MULTILINESTRING ((2e16 0, 20000000000000008 0), (2e16 0, 2e16 8), (2e16 4, 20000000000000004 4))": (
        r"so large that they are rounded to 4, and cells have a side of 4: move all lines to near \(0, 0\)"
    ),
    "MULTILINESTRING ((0 0, 4 0))": "its lines lie in one row",
    "MULTILINESTRING EMPTY": "has no lines",
    f"GEOMETRYCOLLECTION (MULTILINESTRING ({BOX})": "is not well-known text",
    f"GEOMETRYCOLLECTION (LINESTRING (0 0, 1 0), POLYGON ({BOX[:32]}))": "is not well-known text",
    "GEOMETRYCOLLECTION (LINESTRING (0 0, 1 0), POINT (0 0))": "line 1 is a Point",
}
BAD_JSON = {
    "[": "is not JSON",
    "[" * 100_000: "is not JSON",
    "[1]": "features are no list of objects",
    '{"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]}': (
        "feature 0 is a Polygon: .* shapely.boundary makes them; meiro.lattices.from_polygons takes"
    ),
    '{"type": "LineString", "coordinates": [[0, 0], [1, 2]]} x': "is not JSON",
    '{"features": 3}': "features are no list of objects",
    '{"type": "Polygon", "coordinates": []}': "feature 0 is a Polygon: walls are LineString",
    '{"type": "LineString", "coordinates": [[0, 0], ["1", 2]]}': "feature 0 is no geometry",
    '{"type": "LineString", "coordinates": [[0, 0], [1]]}': "feature 0 is no geometry",
    '{"type": "LineString", "coordinates": [[0, 0]]}': "feature 0 is no geometry",
    '{"type": "LineString", "coordinates": 7}': "feature 0 is no geometry",
    '{"type": "MultiLineString", "coordinates": 7}': "feature 0 is no geometry",
    '{"type": "LineString", "coordinates": [[0, 0], [NaN, 2]]}': "feature 0 is no geometry",
    '{"features": [{"geometry": null}, {"geometry": {"type": "Curve"}}]}': "feature 1 is no geometry",
    '{"features": [{"geometry": null}, {"type": "Point", "coordinates": [1, 2]}]}': "feature 1 is a Point",
    json.dumps(
        feature(lines_of(FRAME), layer="walls", shape="[2, 2]")
    ): "0: the line leaves the maze, of 2 x 2",
    '{"type": "GeometryCollection", "geometries": [' * 200: "more than 100 brackets",
}
HEAD = "0\nSECTION\n2\nENTITIES\n"
BAD_DXF = {
    "AutoCAD Binary DXF": "is not a DXF in ASCII",
    HEAD: "ends at line 4, before its EOF",
    f"{HEAD}x\ny\n0\nEOF": "line 5: 'x' is not the code of a group",
    f"{HEAD}0\nARC\n8\n0\n0\nENDSEC\n0\nEOF": "line 5: ARC is no straight line",
    f"{HEAD}0\nLINE\n10\n0\n20\n0\n0\nENDSEC\n0\nEOF": "line 5: this LINE has no group 11",
    f"{HEAD}0\nLINE\n10\nhere\n20\n0\n0\nENDSEC\n0\nEOF": "line 8: 'here' is not a number",
    f"{HEAD}0\nLWPOLYLINE\n10\n0\n20\n0\n42\n1\n0\nENDSEC\n0\nEOF": "LWPOLYLINE with a bulge",
}


@pytest.mark.parametrize(
    ("suffix", "text", "message"),
    [
        (suffix, *pair)
        for suffix, some in (("wkt", BAD_WKT), ("geojson", BAD_JSON), ("dxf", BAD_DXF))
        for pair in some.items()
    ],
)
def test_other_files_are_refused_with_the_place(suffix: str, text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as error:
        meiro.read(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("shape", "[3]", "what it says of its maze is damaged"),
        ("shape", "[0, 4]", "damaged"),
        ("shape", "[2, 2]", "its mask has 12 digits, and 4 cells need 2"),
        ("shape", "[" * 100_000, "damaged"),
        ("mm", "1e6", "ends inside a cell: cells have a side of 1e.06"),
        ("mm", "1" + "0" * 400, "damaged: int too large"),
        ("mask", '"ff"', "its mask has 2 digits, and 42 cells need 12"),
        ("mask", '"x"', "damaged"),
        ("wrap", "[true]", "damaged"),
    ],
)
def test_damaged_facts_are_refused(name: str, value: str, message: str, tmp_path: Path) -> None:
    heart = meiro.mask_from_text("#..#..#\n.......\n.......\n#.....#\n##...##\n###.###")
    path = tmp_path / "a.geojson"
    meiro.generate(mask=heart, rng=1).save(path)
    data = json.loads(path.read_text())
    data["features"][0]["properties"][name] = value
    path.write_text(json.dumps(data))
    refused(ValueError, message, meiro.read, path)


def test_outlines_that_were_scaled_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.dxf"
    meiro.generate((4, 5), rng=1).save(path, mm=7, wall=1.5)
    path.write_text(path.read_text().replace("mm: 7", "mm: 9"))
    refused(ValueError, r"line \d+: the line .* ends inside a cell: cells have a side of 9", meiro.read, path)


def test_huge_mazes_are_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.wkt"
    path.write_text(
        "MULTILINESTRING ((0 0, 1 0), (21 0, 421 0), (8421 0, 168421 0), (0 0, 0 3368421), (0 0, 3368421 0))"
    )
    refused(MemoryError, "take", meiro.read, path)


def rectangle(height: int, width: int, cell: float, low: float, noise: float) -> str:
    """Return the WKT of a rectangle, in whose corners each line ends a little elsewhere."""
    rng = np.random.default_rng([height, width])
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height), (0, 0)])
    lines = np.stack([corners[:-1], corners[1:]], axis=1) + rng.uniform(-noise, noise, (4, 2, 2))
    return str(shapely.to_wkt(shapely.multilinestrings(lines * cell + low), rounding_precision=-1))


@pytest.mark.parametrize(
    ("cell", "low", "noise"),
    [(1, 0, 0), (10, 0, 1e-9), (25.4, 100, 1e-6), (1 / 3, 1e3, 1e-9), (10, -3e4, 1e-4), (30, 0, 0.02)],
)
def test_sparse_drawings_have_the_largest_cells_that_fit(
    cell: float, low: float, noise: float, tmp_path: Path
) -> None:
    path = tmp_path / "rectangle.wkt"
    for height, width in np.ndindex(5, 9):
        path.write_text(rectangle(height + 1, width + 1, cell, low, noise))
        rows, cols = np.array([height + 1, width + 1]) // np.gcd(height + 1, width + 1)
        assert np.asarray(meiro.read(path)).shape == (2 * rows + 1, 2 * cols + 1)


@pytest.mark.parametrize("noise", [1e-9, 1e-6, 1e-3])
def test_noise_of_cad_is_none(noise: float, tmp_path: Path) -> None:
    maze = meiro.generate((30, 40), rng=3)
    maze.save(tmp_path / "a.wkt")
    (walls,) = read_lines(tmp_path / "a.wkt")
    rng = np.random.default_rng(7)
    lines = [7 * (shapely.get_coordinates(line) + rng.uniform(-noise, noise, 2)) for line in walls.geoms]
    (tmp_path / "b.geojson").write_text(json.dumps(lines_of([line.tolist() for line in lines])))
    assert meiro.read(tmp_path / "b.geojson") == maze


@pytest.mark.parametrize("key", ["layer", "Layer"])
@pytest.mark.parametrize("layer", ["Wände", ["WÄNDE"], ("Notes", "wände"), None])
def test_layers_of_geojson_with_walls_are_named(layer: Any, key: str, tmp_path: Path) -> None:
    drawn: dict[str, Any] = {"Wände": FRAME, "Notes": [[[0, 0], [0, 1]]], "Doors": [[[0, 0], [0.3, 0.7]]]}
    features = [feature(lines_of(lines), **{key: name}) for name, lines in drawn.items()]
    bare = {"type": "Feature", "properties": None, "geometry": None}
    path = tmp_path / "a.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [*features, bare]}))
    if layer is not None:
        assert str(meiro.read(path, layer=layer)) == ROOM
        return
    with pytest.raises(ValueError, match=r"no line is on a layer 'Walls', .*\['Doors', 'Notes', 'Wände'\]"):
        meiro.read(path, layer="Walls")
    refused(ValueError, "feature 2", meiro.read, path)
    path.write_text(path.read_text().replace(json.dumps("Wände"), '"WALLS"'))
    assert str(meiro.read(path)) == ROOM
