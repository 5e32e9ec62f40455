"""Walls and path for maps, GIS and shapely, which reads them: WKT, well-known text, and GeoJSON.

WKT has walls as one MULTILINESTRING; with a path, or a mask, the first of a collection, which ends with a
MULTIPOINT of the middles of masked-out cells, by which walls are read as the maze. GeoJSON has walls and path
as two features.
"""

from __future__ import annotations

import json
import os
import re
from itertools import compress
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.characters import decoded
from meiro._utils.memory import require, whole_file
from meiro._utils.messages import invalid_as, requires_extra
from meiro._utils.validation import layer_names
from meiro.drawing.lines import Lines
from meiro.io.shapes.wall_lines import (
    are_on_layers,
    maze_of_lines,
    packed,
    raster_of,
    segments_of,
    texts,
    wall_shapes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution

_MEMORY = 60  # bytes a byte of the file
_DEEPEST = 100  # of brackets in brackets; some 50,000 crash GEOS
_POINT, _LINE, _RING, _POLYGON = range(4)  # the types that have no parts
_NEAR = 0.1  # of a cell: how far its middle may be from where it is
_RECORD = "\x1e"  # before each object of a sequence (RFC 8142)
# Ends of lines and semicolons between geometries, and the numbers of their coordinate systems (EWKT).
_SYSTEM = r"(?:SRID\s*=\s*\d+\s*;\s*)?"
_BETWEEN = re.compile(rf"^\s*{_SYSTEM}|(?<=[)Y])[\s;]+{_SYSTEM}(?=[A-Z]|$)", re.IGNORECASE)


def shapely_and_text(path: str | os.PathLike[str], brackets: str) -> tuple[Any, str]:
    """Return shapely, and the text of a file whose brackets are not nested too deep for it.

    Raises
    ------
    ValueError
        If the file is no text, or nested too deep.
    ImportError
        If shapely is not installed.
    """
    with requires_extra("maps", "shapely"):
        import shapely
    name, data = whole_file(path, _MEMORY)
    step = np.zeros(256, np.int8)
    step[list(brackets.encode())] = 1, -1
    if np.cumsum(step[np.frombuffer(data, np.uint8)], dtype=np.int32).max(initial=0) > _DEEPEST:
        raise ValueError(f"{name}: more than {_DEEPEST} brackets {brackets} stand in each other")
    try:
        return shapely, decoded(data)
    except UnicodeDecodeError as e:
        raise ValueError(f"{name} is not text: byte {e.start} is {data[e.start]:#04x}") from e


def maze_of_geometries(
    geometries: Sequence[Any], place: Callable[[int, int], str], facts: Mapping[str, str], name: str
) -> Maze | NDArray[np.uint8]:
    """Return the maze, or walls and roads, of lines and of collections of lines.

    Parameters
    ----------
    geometries : sequence of shapely geometries
        LineStrings, MultiLineStrings, and collections of them.
    place : callable
        ``place(i, k)`` says where in the file geometry i and line k stand.
    facts, name
        As of `meiro.io.shapes.wall_lines.maze_of_lines`.

    Raises
    ------
    ValueError
        If something is no line, or the lines are no walls of a maze; with its place.
    """
    import shapely

    parts, of = np.array(geometries, object), np.arange(len(geometries))
    while (shapely.get_type_id(parts) > _POLYGON).any():
        parts, inner = shapely.get_parts(parts, return_index=True)
        of = of[inner]
    wrong = ~np.isin(shapely.get_type_id(parts), (_LINE, _RING))
    if wrong.any():
        i = int(wrong.argmax())
        msg = f"{name}, {place(of[i], i)} is a {parts[i].geom_type}: walls are LineString or MultiLineString"
        if shapely.get_type_id(parts[i]) == _POLYGON:
            msg += ", as shapely.boundary makes them; meiro.lattices.from_polygons takes polygons for cells"
        raise ValueError(msg)
    segments, line = segments_of(*shapely.get_coordinates(parts, return_index=True))
    return maze_of_lines(segments, lambda k: place(of[line[k]], line[k]), facts, name)


def write_wkt(file: IO[bytes], maze: Maze | GraphMaze, *, solution: Solution | None = None) -> None:
    """Write the walls; with a solution or a mask a GEOMETRYCOLLECTION."""
    walls, path, _ = wall_shapes(maze, solution)
    mask: NDArray[np.bool_] | None = None
    if not hasattr(maze, "lattice"):  # whose walls are not read
        walls, mask = _with_a_cell(walls), maze.mask
    collected = path is not None or mask is not None
    file.write(b"GEOMETRYCOLLECTION (" if collected else b"")
    _write_lines(file, b"MULTILINESTRING", walls)
    if path is not None:
        file.write(b",\n")
        _write_lines(file, b"MULTILINESTRING", path)
    if mask is not None:
        rows, cols = np.nonzero(~mask)
        middles = np.stack([cols + 0.5, len(mask) - 0.5 - rows], axis=1)
        file.write(b",\n")
        _write_lines(file, b"MULTIPOINT", Lines(middles, np.arange(len(middles) + 1)))
    file.write(b")\n" if collected else b"\n")


def _with_a_cell(walls: Lines) -> Lines:
    """Return walls with a point at the end of the first cell, if no other tells how large a cell is.

    In an open room all walls may be some cells long, and then all are read as one.
    """
    whole = walls.points.astype(np.int64)
    if np.gcd.reduce(whole, axis=None) < 2:
        return walls
    point = whole[0] + np.sign(whole[1] - whole[0])
    return walls._replace(points=np.insert(whole, 1, point, axis=0), starts=walls.starts + (walls.starts > 0))


def _write_lines(file: IO[bytes], kind: bytes, lines: Lines) -> None:
    if len(lines.starts) == 1:
        file.write(kind + b" EMPTY")
        return
    file.write(kind + b" (")
    for text in texts(lines, lambda n: f"({', '.join(['%.12g %.12g'] * n)})", ", "):
        file.write(text.encode())
    file.write(b")")


def read_wkt(path: str | os.PathLike[str]) -> Maze | NDArray[np.uint8]:
    """Read walls: the first MULTILINESTRING, or the lines of a collection; needs the extra ``maps``.

    Of several geometries, one after another as databases write them, all lines are walls. A MULTIPOINT of
    middles of cells after the first names those that do not exist.

    Raises
    ------
    ValueError
        If the file holds something else, or its lines are no walls of a maze; with the number of the line.
    ImportError
        If shapely is not installed.
    """
    name = repr(os.fspath(path))
    shapely, text = shapely_and_text(path, "()")
    with (
        invalid_as(f"{name} is not well-known text", shapely.errors.ShapelyError, NotImplementedError),
        np.errstate(all="ignore"),
    ):
        found = shapely.from_wkt([one for one in _BETWEEN.split(text) if one] or [""])
    parts = shapely.get_parts(found) if len(found) == 1 else []
    several = [part for part in parts if part.geom_type == "MultiLineString"]
    points = [shapely.get_coordinates(part) for part in parts if part.geom_type == "MultiPoint"]
    walls, facts = several[:1] or found, {}
    if several and points and len(points[0]) and np.isfinite(shapely.get_coordinates(found)).all():
        low, unit = raster_of(shapely.get_coordinates(several[0])[:, np.newaxis])
        low = np.minimum(low, points[0].min(axis=0) - unit / 2)
        moved = shapely.transform(walls, lambda corners: (corners - low) / unit)
        facts = _facts(shapely.get_coordinates(moved), (points[0] - low) / unit)
        walls = moved if facts else walls
    return maze_of_geometries(walls, lambda _, line: f"line {line:,}", facts, name)


def _facts(corners: NDArray[np.float64], middles: NDArray[np.float64]) -> dict[str, str]:
    """Return shape and mask, by the ends of walls and the middles of cells that do not exist."""
    places = np.floor(middles)
    if not (np.abs(middles - places - 0.5) <= _NEAR).all():
        return {}
    cols, rows = np.concatenate([corners, places + 1]).max(axis=0).astype(int).tolist()
    require(2 * rows * cols, f"a maze of ({rows}, {cols})", "cut it into parts")
    mask = np.ones((rows, cols), np.bool_)
    x, y = places.astype(int).T
    mask[rows - 1 - y, x] = False
    return {"shape": json.dumps((rows, cols)), "mask": json.dumps(packed(mask))}


def write_geojson(file: IO[bytes], maze: Maze | GraphMaze, *, solution: Solution | None = None) -> None:
    """Write a feature of walls, with facts of the maze among its properties, and one of a solution's path.

    RFC 7946 has degrees for coordinates; here they are cells, or the units of the lattice: those of the map,
    of `meiro.lattices.from_polygons`.

    References
    ----------
    https://www.rfc-editor.org/rfc/rfc7946
    """
    walls, path, facts = wall_shapes(maze, solution)
    file.write(b'{"type": "FeatureCollection", "features": [\n')
    _write_feature(file, walls, {"layer": "walls", **facts})
    if path is not None:
        file.write(b",\n")
        _write_feature(file, path, {"layer": "solution"})
    file.write(b"\n]}\n")


def _write_feature(file: IO[bytes], lines: Lines, properties: dict[str, str]) -> None:
    # in the order of the examples of the RFC, coordinates last
    head = f'{{"type": "Feature", "properties": {json.dumps(properties)},\n'
    file.write(f'{head} "geometry": {{"type": "MultiLineString", "coordinates": [\n'.encode())
    for text in texts(lines, lambda n: f"[{','.join(['[%.12g,%.12g]'] * n)}]", ",\n"):
        file.write(text.encode())
    file.write(b"\n]}}")


def read_geojson(
    path: str | os.PathLike[str], *, layer: str | Sequence[str] | None = None
) -> Maze | NDArray[np.uint8]:
    """Read walls: the lines of the features whose property "layer", in any case, has one of the names.

    By default they are those of the layer "walls", or all lines if no feature has it. Needs the extra
    ``maps``.

    Raises
    ------
    ValueError
        If the file is no GeoJSON of lines, these are no walls of a maze, or no feature is on such a layer;
        with the feature.
    ImportError
        If shapely is not installed.
    """
    name = repr(os.fspath(path))
    names = None if layer is None else layer_names(layer)
    shapely, text = shapely_and_text(path, "{}")
    with invalid_as(f"{name} is not JSON", ValueError, RecursionError):
        found = _loaded(text)
    features = found.get("features") if isinstance(found, dict) and "features" in found else [found]
    if not isinstance(features, list) or not all(isinstance(one, dict) for one in features):
        raise ValueError(
            f"{name}: its features are no list of objects, as those of a FeatureCollection of GeoJSON"
        )
    layers = [_layer_of(one) for one in features]
    on_layers = [one.lower() == "walls" for one in layers]
    if names is not None:
        on_layers = are_on_layers(layers, names, name)
    walls = [*compress(range(len(features)), on_layers)]
    own = _properties(features[walls[0]]) if walls else {}
    facts = {key: value for key, value in own.items() if isinstance(value, str)}
    geometries = {}
    for i in walls or range(len(features)):
        one = features[i].get("geometry") if "geometry" in features[i] else features[i]
        if one is not None:  # a feature that is nowhere
            with invalid_as(f"{name}, feature {i} is no geometry", shapely.errors.ShapelyError):
                geometries[i] = shapely.from_geojson(json.dumps(one))
    number = [*geometries]
    return maze_of_geometries([*geometries.values()], lambda i, _: f"feature {number[i]}", facts, name)


def _loaded(text: str) -> Any:
    """Return an object, or those of a sequence, one a line, as features."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as e:
        if e.msg != "Extra data" and not text.startswith(_RECORD):
            raise
        lines = text.replace(_RECORD, "").split("\n")
        return {"features": [json.loads(line) for line in lines if line.strip()]}


def _properties(feature: dict[str, Any]) -> dict[str, Any]:
    found = feature.get("properties")
    return found if isinstance(found, dict) else {}


def _layer_of(feature: dict[str, Any]) -> str:
    """Return the name of the layer, which ogr2ogr and QGIS write as "Layer" for drawings."""
    return next((str(value) for key, value in _properties(feature).items() if key.lower() == "layer"), "")
