"""GeoJSON: walls and path as two features, for maps, GIS and shapely."""

from __future__ import annotations

import json
import os
from itertools import compress
from typing import IO, TYPE_CHECKING, Any

from meiro._utils.messages import invalid_as
from meiro._utils.validation import layer_names
from meiro.io.shapes.geometries import maze_of_geometries, shapely_and_text
from meiro.io.shapes.wall_shapes import texts, wall_shapes
from meiro.io.shapes.wall_sites import are_on_layers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from meiro.drawing.lines import Lines
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution


_RECORD = "\x1e"  # before each object of a sequence (RFC 8142)


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
        msg = f"{name}: its features are no list of objects, as those of a FeatureCollection of GeoJSON"
        raise ValueError(msg)
    given = {i: one.get("geometry") if "geometry" in one else one for i, one in enumerate(features)}
    facts: dict[str, str] = {}
    layers = [_layer_of(one) for one in features]
    if names is not None:
        walls = [*compress(given, are_on_layers(layers, names, name))]
    else:
        walls = [i for i in given if layers[i].lower() == "walls"]
    if walls:
        given = {i: given[i] for i in walls}
        facts = {
            key: value for key, value in _properties(features[walls[0]]).items() if isinstance(value, str)
        }
    geometries = {}
    for i, one in given.items():
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
