"""GeoJSON: walls and path as two features, for maps, GIS and shapely."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro.io.shapes.wall_shapes import texts, wall_shapes
from meiro.io.shapes.wall_sites import WallLines, maze_of_lines, segments_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Lines
    from meiro.graphs.graph_maze import GraphMaze
    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution


_MEMORY = 60  # bytes a byte of the file


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


def read_geojson(path: str | os.PathLike[str]) -> Maze | NDArray[np.uint8]:
    """Read walls: the lines of the feature with the layer "walls", or all lines if no feature has it.

    Raises
    ------
    ValueError
        If the file is no GeoJSON of lines, or these are no walls of a maze; with the feature.
    """
    name = repr(os.fspath(path))
    require(_MEMORY * Path(path).stat().st_size, name, "cut it into parts")
    try:
        found = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as e:
        msg = f"{name} is not JSON: {e}"
        raise ValueError(msg) from e
    features = found.get("features") if isinstance(found, dict) and "features" in found else [found]
    if not isinstance(features, list) or not all(isinstance(one, dict) for one in features):
        msg = f"{name}: its features are no list of objects, as those of a FeatureCollection of GeoJSON"
        raise ValueError(msg)
    named = [_properties(one).get("layer") == "walls" for one in features]
    lines: list[NDArray[np.float64]] = []
    of: list[int] = []
    facts: dict[str, str] = {}
    for i, (one, is_walls) in enumerate(zip(features, named, strict=True)):
        if any(named) and not is_walls:
            continue
        if is_walls and not facts:
            facts = {key: value for key, value in _properties(one).items() if isinstance(value, str)}
        new = _lines_of(one.get("geometry") if "geometry" in one else one, f"{name}, feature {i}")
        lines += new
        of += [i] * len(new)
    segments, line = segments_of(lines)
    return maze_of_lines(WallLines(segments, lambda k: f"feature {of[line[k]]}", facts), name)


def _properties(feature: dict[str, Any]) -> dict[str, Any]:
    found = feature.get("properties")
    return found if isinstance(found, dict) else {}


def _lines_of(geometry: object, where: str) -> list[NDArray[np.float64]]:
    """Return the points of each line of a geometry."""
    kind = geometry.get("type") if isinstance(geometry, dict) else None
    if not isinstance(geometry, dict) or kind not in {"LineString", "MultiLineString"}:
        msg = f"{where} is {short_repr(kind)}: walls are LineString or MultiLineString"
        raise ValueError(msg)
    given = geometry.get("coordinates")
    lines = [given] if kind == "LineString" else given
    if not isinstance(lines, list):
        msg = f"{where} has no list of coordinates but {short_repr(lines)}"
        raise ValueError(msg)  # noqa: TRY004  # what a file holds is a value
    found = []
    for line in lines:
        try:
            points = np.array(line)
        except ValueError:
            points = np.empty(0)
        if (
            points.ndim != 2
            or len(points) < 2
            or points.shape[1] not in {2, 3}
            or points.dtype.kind not in "iuf"
        ):
            msg = f"{where}: {short_repr(line)} is no line, a list of at least two pairs of numbers"
            raise ValueError(msg)
        found.append(points[:, :2].astype(np.float64))
    return found
