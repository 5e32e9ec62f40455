"""GeoJSON: walls and path as two features, for maps, GIS and shapely."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING

from meiro.io.shapes.wall_shapes import texts, wall_shapes

if TYPE_CHECKING:
    from meiro.drawing.graph_outline import Lines
    from meiro.graphs.graph_maze import GraphMaze
    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution


def write_geojson(file: IO[bytes], maze: Maze | GraphMaze, *, solution: Solution | None = None) -> None:
    """Write a feature of walls, with the recipe among its properties, and one of the path of a solution.

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
