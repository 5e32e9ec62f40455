"""Mazes of the geometries of shapely, which reads WKT and GeoJSON."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.characters import decoded
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro.io.shapes.wall_sites import WallLines, maze_of_lines, segments_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from meiro.mazes.maze import Maze

_MEMORY = 60  # bytes a byte of the file
_DEEPEST = 100  # of brackets in brackets; some 50,000 crash GEOS
_POINT, _LINE, _RING, _POLYGON = range(4)  # the types that have no parts


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
    name = repr(os.fspath(path))
    require(_MEMORY * Path(path).stat().st_size, name, "cut it into parts")
    data = Path(path).read_bytes()
    step = np.zeros(256, np.int8)
    step[list(brackets.encode())] = 1, -1
    if np.cumsum(step[np.frombuffer(data, np.uint8)], dtype=np.int32).max(initial=0) > _DEEPEST:
        msg = f"{name}: more than {_DEEPEST} brackets {brackets} stand in each other"
        raise ValueError(msg)
    try:
        return shapely, decoded(data)
    except UnicodeDecodeError as e:
        msg = f"{name} is not text: byte {e.start} is {data[e.start]:#04x}"
        raise ValueError(msg) from e


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
        As of `meiro.io.shapes.wall_sites.maze_of_lines`.

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
    return maze_of_lines(WallLines(segments, lambda k: place(of[line[k]], line[k]), facts), name)
