"""DXF for CAD, laser cutters and plotters: release 12 (AC1009), layers WALLS and SOLUTION.

ezdxf takes more than twice as long as this reader, and is asked for what it lacks: blocks and binary files.
"""

from __future__ import annotations

import codecs
import io
import re
import struct
from itertools import compress
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.memory import whole_file
from meiro._utils.messages import invalid_as, requires_extra, short_repr
from meiro._utils.validation import layer_names
from meiro.drawing.lines import Lines
from meiro.io.shapes.wall_lines import are_on_layers, maze_of_lines, segments_of, texts, wall_shapes

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution

    Group = tuple[int, object]

_COMMENT = 200  # letters; a line of a DXF has at most 255
_MORE = "... "  # at the begin of a comment that goes on
_MEMORY = 60  # bytes a byte of the file
_BINARY = b"AutoCAD Binary DXF\r\n\x1a\0"
_DAMAGED = (AssertionError, AttributeError, LookupError, OSError, TypeError, ValueError, struct.error)
_DEEPEST = 16  # of blocks in blocks
_MOST_DRAWN = 10_000_000
_NOT_LINES = {"ARC", "CIRCLE", "ELLIPSE", "INSERT", "MLINE", "SPLINE"}
_CLOSED = _FROZEN = 1
_IN_SPACE = 8
_CURVE_OR_MESH = 2 | 4 | 16 | 64
_INVISIBLE, _ON_PAPER = 60, 67
_FLAT = 1e-9  # of a normal of length 1: how far it may lean
_MILLIMETRES = 4
_WALLS = "WALLS"
_COLORS = {_WALLS: 7, "SOLUTION": 1}  # black or white, against the ground; red


def write_dxf(
    file: IO[bytes], maze: Maze | GraphMaze, *, solution: Solution | None = None, **sizes: float
) -> None:
    """Write a LINE for each straight line and a POLYLINE for each other; comments hold facts of the maze.

    References
    ----------
    https://help.autodesk.com/view/OARX/2024/ENU/?guid=GUID-235B22E0-A567-4CF6-92D3-38A2306D73F3
    """
    walls, path, facts = wall_shapes(maze, solution, **sizes)
    head: list[Group] = []
    for name, value in facts.items():
        parts = [value[i : i + _COMMENT] for i in range(0, len(value), _COMMENT)]
        head += [(999, f"{name}: {parts[0]}"), *((999, _MORE + part) for part in parts[1:])]
    head += [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009")]
    head += [(9, "$INSUNITS"), (70, _MILLIMETRES)] if "mm" in facts else []
    closed = sizes.get("wall") is not None
    if closed:  # an entity that is closed does not have its first point twice
        walls = Lines(
            np.delete(walls.points, walls.starts[1:] - 1, axis=0), walls.starts - np.arange(len(walls.starts))
        )
    layers = {_WALLS: walls} | ({} if path is None else {"SOLUTION": path})
    head += [(0, "ENDSEC"), (0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, len(layers))]
    for name in layers:
        head += [(0, "LAYER"), (2, name), (70, 0), (62, _COLORS[name]), (6, "CONTINUOUS")]
    head += [(0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    file.write(_groups(head).encode())
    for name, lines in layers.items():
        shut = closed and name == _WALLS
        for part in texts(lines, lambda n, name=name, shut=shut: _entity(n, name, closed=shut)):  # type: ignore[misc]
            file.write(part.encode())
    file.write(_groups([(0, "ENDSEC"), (0, "EOF")]).encode())


def _entity(n: int, layer: str, *, closed: bool) -> str:
    """Return the format of a line of `n` points."""
    if n == 2:
        ends: list[Group] = [(10, "%.12g"), (20, "%.12g"), (11, "%.12g"), (21, "%.12g")]
        return _groups([(0, "LINE"), (8, layer), *ends])
    head: list[Group] = [(0, "POLYLINE"), (8, layer), (66, 1), (10, 0), (20, 0), (30, 0)]
    head += [(70, _CLOSED)] if closed else []
    vertex: list[Group] = [(0, "VERTEX"), (8, layer), (10, "%.12g"), (20, "%.12g")]
    return _groups(head) + n * _groups(vertex) + _groups([(0, "SEQEND"), (8, layer)])


def _groups(pairs: Iterable[Group]) -> str:
    """Return pairs of code and value as lines."""
    return "".join(f"{code:3}\n{value}\n" for code, value in pairs)


def read_dxf(
    path: str | os.PathLike[str], *, layer: str | Sequence[str] | None = None
) -> Maze | NDArray[np.uint8]:
    """Read walls: LINE, LWPOLYLINE and POLYLINE of the layers that are named, whose case does not count.

    By default they are those of the layer WALLS, or of all layers if no line is on it. What is not seen is
    left out then, on layers that are off or frozen, and always what is invisible or in paper space, and
    circles and arcs beside the lines.

    Files with blocks, and binary ones, need the extra ``cad``: ezdxf draws blocks where they are inserted.

    Raises
    ------
    ValueError
        If the file is no DXF, its lines are no walls of a maze, or no line is on such a layer; with the line
        of the file.
    ImportError
        If the file has blocks or is binary, and ezdxf is not installed.
    """
    names = None if layer is None else layer_names(layer)
    name, data = whole_file(path, _MEMORY)
    facts, entities, hidden = _read_entities(data, name)
    if data.startswith(_BINARY) or any(one.kind == "INSERT" for one in entities):
        data = _without_blocks(path, name)
        name += ", its blocks drawn by ezdxf"
        _, entities, hidden = _read_entities(data, name)
    drawn = [one for one in _lines_of(entities, name) if one.wrong or len(one.points) > 1]
    lines = _on_layers(drawn, names, hidden, own="shape" in facts, name=name)
    straight = [one for one in lines if not one.wrong]
    points = np.concatenate([np.empty((0, 2)), *(one.points for one in straight)])
    if len(points):
        low, high = points.min(axis=0), points.max(axis=0)
        lines = [one for one in lines if not _is_beside(one, low, high)]
    for one in lines:
        if one.wrong:
            msg = f"{name}, line {one.place}: {one.wrong} is no straight line, as walls are"
            layers = _layers(lines)
            msg += f"; say which layers have walls, by layer=: there are {layers}" if "," in layers else ""
            raise ValueError(msg)
    number = np.repeat(np.arange(len(straight)), [len(one.points) for one in straight])
    segments, of = segments_of(points, number)
    return maze_of_lines(segments, lambda i: f"line {straight[of[i]].place}", facts, name)


def _on_layers(
    drawn: list[_Line], names: list[str] | None, hidden: set[str], *, own: bool, name: str
) -> list[_Line]:
    """Return the lines of the layers with the names, or those of walls that are seen."""
    if names is not None:
        return [*compress(drawn, are_on_layers([line.layer for line in drawn], names, name))]
    seen = [line for line in drawn if line.layer.upper() not in hidden]
    if drawn and not seen:
        msg = f"{name}: all its lines are on layers that are off or frozen: {_layers(drawn)}; "
        msg += "layer= reads them though"
        raise ValueError(msg)
    of_walls = [line for line in seen if line.layer.upper() == _WALLS]
    return of_walls if own or any(not line.wrong for line in of_walls) else seen


def _layers(lines: list[_Line]) -> str:
    return short_repr(sorted({line.layer for line in lines}))


def _without_blocks(path: str | os.PathLike[str], name: str) -> bytes:
    """Return a drawing in ASCII, with what blocks hold where they are inserted."""
    with requires_extra("cad", "ezdxf"):
        from ezdxf.filemanagement import readfile
        from ezdxf.lldxf.const import DXFError
    drawing = io.StringIO()
    with invalid_as(name, DXFError, *_DAMAGED):
        document: Any = readfile(path)
        frozen = {layer.dxf.name.upper() for layer in document.layers if layer.is_frozen()}
        for _ in range(_DEEPEST):
            inserts = document.modelspace().query("INSERT")
            if sum(one.mcount * len(one.block() or ()) for one in inserts) > _MOST_DRAWN:
                raise ValueError(f"its blocks draw more than {_MOST_DRAWN:,} entities")
            for one in inserts:
                layer = one.dxf.layer
                if layer.upper() in frozen or one.dxf.invisible:
                    document.modelspace().delete_entity(one)
                    continue
                for drawn in one.explode():
                    drawn.dxf.layer = layer if drawn.dxf.layer == "0" else drawn.dxf.layer
        document.write(drawing)
    return drawing.getvalue().encode(errors="replace")


def _read_entities(data: bytes, name: str) -> tuple[dict[str, str], list[_Entity], set[str]]:
    """Return the facts in the comments of a drawing, entities that may be seen, and layers that are not.

    There is nothing of a binary one.
    """
    facts: dict[str, str] = {}
    last, section = "", ""
    entities: list[_Entity] = []
    layers: list[_Entity] = []
    groups: list[tuple[int, int, str]] = []
    before: tuple[int, str] | None = None
    for line, code, value in () if data.startswith(_BINARY) else _read_groups(data, name):
        if code == 999 and not section:
            fact = re.fullmatch(r"(\w+): (.*)", value)
            if value.startswith(_MORE) and last:
                facts[last] += value.removeprefix(_MORE)
            elif fact:
                last, facts[fact[1]] = fact[1], fact[2]
        elif code == 2 and before == (0, "SECTION"):
            section = value
        elif code == 0 and value == "ENDSEC":
            section = ""
        elif section in {"ENTITIES", "TABLES"}:
            found = entities if section == "ENTITIES" else layers
            if code != 0:
                groups.append((line, code, value))
            elif value == "VERTEX" and found:
                groups = found[-1].vertices
            else:
                groups = []
                found += [] if value == "SEQEND" else [_Entity(value, line, groups, [])]
        before = code, value
    entities = [one for one in entities if not _is_away(one)]
    hidden = {_layer(one, 2).upper() for one in layers if one.kind == "LAYER" and _is_hidden(one, name)}
    return facts, entities, hidden


def _is_away(one: _Entity) -> bool:
    return any(code in {_INVISIBLE, _ON_PAPER} and value == "1" for _, code, value in one.groups)


def _is_hidden(layer: _Entity, name: str) -> bool:
    """Return whether a layer is off, which a negative colour says, or frozen."""
    return any(color < 0 for color in _all(layer, 62, name)) or bool(_flags(layer) & _FROZEN)


class _Entity(NamedTuple):
    """What begins with a group of code 0 at a line of the file, its groups, and those of its vertices."""

    kind: str
    place: int
    groups: list[tuple[int, int, str]]
    vertices: list[tuple[int, int, str]]


class _Line(NamedTuple):
    layer: str
    place: int
    points: NDArray[np.float64]
    wrong: str  # why it is no wall, or empty


def _read_groups(data: bytes, name: str) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the code and the value of each group."""
    try:
        data.decode()
        encoding, data = "utf-8", data.removeprefix(codecs.BOM_UTF8)
    except UnicodeDecodeError:
        encoding = "latin-1"  # before 2007
    rows = [row.strip().decode(encoding) for row in data.splitlines()]
    if len(rows) < 2 or "ENTITIES" not in rows:
        raise ValueError(f"{name} is not a DXF in ASCII: it has no section ENTITIES")
    for i in range(0, len(rows) - 1, 2):
        code = rows[i]
        if not re.fullmatch(r"-?[0-9]{1,4}", code):
            raise ValueError(f"{name}, line {i + 1}: {short_repr(code)} is not the code of a group")
        value = rows[i + 1]
        yield i + 1, int(code), value
        if code == "0" and value == "EOF":
            return
    raise ValueError(f"{name} ends at line {len(rows)}, before its EOF")


def _lines_of(entities: list[_Entity], name: str) -> Iterator[_Line]:
    """Yield the lines among entities."""
    for one in entities:
        if one.kind in _NOT_LINES:
            yield _Line(_layer(one), one.place, _box(one, name), one.kind)
        elif one.kind == "LINE":
            ends = [(_at(one, x, name), _at(one, x + 10, name)) for x in (10, 11)]
            yield _Line(_layer(one), one.place, np.array(ends), "")
        elif one.kind in {"LWPOLYLINE", "POLYLINE"}:
            yield _polyline(one, name)


def _box(one: _Entity, name: str) -> NDArray[np.float64]:
    """Return two corners of the square around a circle or an arc; nothing of others."""
    middle, radius = [*_all(one, 10, name), *_all(one, 20, name)], _all(one, 40, name)
    if one.kind not in {"ARC", "CIRCLE"} or len(middle) != 2 or len(radius) != 1:
        return np.empty((0, 2))
    return np.array(middle) * _side(one, name) + np.array([[-1], [1]]) * radius[0]


def _is_beside(one: _Line, low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    """Return whether something round lies outside of the drawing, so that it is no part of the walls."""
    if one.wrong not in {"ARC", "CIRCLE"} or not len(one.points):
        return False
    return bool(((one.points.min(axis=0) > high) | (one.points.max(axis=0) < low)).any())


def _polyline(one: _Entity, name: str) -> _Line:
    flags, side = _flags(one), _side(one, name)
    drawn = one._replace(groups=one.vertices) if one.kind == "POLYLINE" else one
    points = list(zip(_all(drawn, 10, name), _all(drawn, 20, name), strict=False))
    places = np.array(points + points[: flags & _CLOSED]).reshape(-1, 2)
    wrong = f"a {one.kind} with a bulge" if any(_all(drawn, 42, name)) else ""
    if one.kind == "POLYLINE" and flags & _CURVE_OR_MESH:
        wrong = "a POLYLINE of a curve or a mesh"
    elif one.kind == "LWPOLYLINE" or not flags & _IN_SPACE:
        places *= side
        wrong = wrong or ("" if side.any() else f"a {one.kind} in a tilted plane")
    return _Line(_layer(one), one.place, places, wrong)


def _side(one: _Entity, name: str) -> NDArray[np.float64]:
    """Return by what flat entities are multiplied: (1, 1), (-1, 1) if seen from below; (0, 0) if tilted."""
    x, y, z = ([*_all(one, code, name), default][0] for code, default in ((210, 0), (220, 0), (230, 1)))
    flat = max(abs(x), abs(y)) <= _FLAT * abs(z)
    return np.array([np.sign(z), 1.0]) if flat else np.zeros(2)


def _flags(one: _Entity) -> int:
    return next((int(value[:5]) for _, code, value in one.groups if code == 70 and value.isdecimal()), 0)


def _layer(one: _Entity, code: int = 8) -> str:
    """Return the name of the layer, in which releases before 2007 write foreign letters as numbers."""
    name = next((value for _, at, value in one.groups if at == code), "")
    return re.sub(r"\\U\+([0-9A-Fa-f]{4})", lambda found: chr(int(found[1], 16)), name)


def _at(one: _Entity, code: int, name: str) -> float:
    found = _all(one, code, name)
    if not found:
        raise ValueError(f"{name}, line {one.place}: this {one.kind} has no group {code}")
    return found[0]


def _all(one: _Entity, wanted: int, name: str) -> list[float]:
    found = []
    for line, code, value in one.groups:
        if code == wanted:
            try:
                found.append(float(value))
            except ValueError:
                raise ValueError(f"{name}, line {line + 1}: {short_repr(value)} is not a number") from None
    return found
