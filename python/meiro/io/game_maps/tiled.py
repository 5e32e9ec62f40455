"""Maps of Tiled (``.tmx``, ``.tmj``): a layer of tiles, and one of start, goal, openings, rooms and doors."""

from __future__ import annotations

import base64
import binascii
import html
import json
import os
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from meiro._utils import png
from meiro._utils.atomic import atomic
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, short_repr
from meiro._utils.validation import checked_path, integer, one_of, plain_array
from meiro.mazes._from_core import require_maze
from meiro.mazes._openings import cells_beside, checked_openings
from meiro.mazes.maze import Maze

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Shape

_FORMAT, _TILED = "1.10", "1.10.2"
_SUFFIXES = (".tmx", ".tmj")
_TILES = ("passages", "wide")
PICTURE = ".tiles.png"  # ".png" alone would be the picture of the maze, which `save` writes
_SIDES = {"north": (0, 1), "east": (1, 2), "south": (2, 1), "west": (1, 0)}
_BITS = np.array([[0, 1, 0], [8, 0, 2], [0, 4, 0]], np.uint8)  # by the place of a side around its cell
_LAYER = "maze"
_TURNED = 1 << 29  # bits of a number from here on say how a tile is turned
_ENDS = ("start", "goal")
_RATIO = 1100  # pixels that a byte of zlib can hold
_INSTEAD = "cut it into parts"

Properties = dict[str, Any]


class _Place(NamedTuple):
    """An object: name, x, y, width and height in pixels (0: a point)."""

    name: str
    x: float
    y: float
    width: float = 0
    height: float = 0


def save_tiled(
    maze: Maze,
    path: str | os.PathLike[str],
    *,
    tiles: Literal["passages", "wide"] = "passages",
    tile_size: int = 16,
) -> None:
    """Write a maze as a map of Tiled, XML or JSON, with a picture of its tiles beside it.

    Parameters
    ----------
    maze : Maze
        With its openings, start and goal.
    path : path
        ``.tmx`` or ``.tmj``. The picture has the same name with ``.tiles.png``, and replaces one that is
        there; another of the same size makes another look.
    tiles : {"passages", "wide"}
        A tile for each cell, whose number in the set is the code of its passages and openings (north 1,
        east 2, south 4, west 8), none where no cell is; or one for each site of the grid, 0 road and 1 wall.
    tile_size : int
        Pixels a tile, from 4 to 256.

    Raises
    ------
    ValueError
        If the suffix is another, the name has control characters, `tile_size` is outside, or a periodic
        maze is written in wide tiles.

    See Also
    --------
    read_tiled : the inverse.

    Notes
    -----
    The layer of objects, "places", has points "start", "goal", "opening" and "door", and a rectangle "room"
    around each room. Properties of the map are "tiles", "wrap_rows", "wrap_cols" and, of a maze that
    `generate` made, "recipe", as JSON with its seed.

    References
    ----------
    https://doc.mapeditor.org/en/stable/reference/tmx-map-format/

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> meiro.io.save_tiled(maze, "maze.tmx")
    >>> meiro.io.read_tiled("maze.tmx") == maze
    True
    """
    require_maze(maze)
    final = checked_path(path)
    if final.suffix.lower() not in _SUFFIXES:
        msg = f"path {short_repr(os.fspath(path))} must end in {' or '.join(_SUFFIXES)}"
        raise ValueError(msg)
    if not final.name.isprintable():
        msg = f"the name of path {short_repr(os.fspath(path))} holds characters that XML cannot"
        raise ValueError(msg)
    one_of(tiles, "tiles", _TILES)
    size = integer(tile_size, "tile_size", 4, 257)
    if tiles == "wide" and any(maze.wrap):
        msg = 'tiles="wide" cannot hold a periodic maze: take tiles="passages"'
        raise ValueError(msg)
    require(40 * maze.passages.size, f"the tiles of {maze!r}", "crop() it")
    if tiles == "wide":
        gids = maze.to_grid() + np.uint8(1)
    else:
        gids = maze.passages + np.uint8(1)
        cells, bits = _sides_of_openings(maze.openings, maze.shape, maze.mask)
        np.add.at(gids, cells, bits)
        if maze.mask is not None:
            gids[~maze.mask] = 0
    properties: Properties = {
        "tiles": tiles,
        "wrap_rows": bool(maze.wrap[0]),
        "wrap_cols": bool(maze.wrap[1]),
    }
    if (recipe := maze.recipe) is not None:
        properties["recipe"] = json.dumps(recipe)
    picture = final.with_suffix(PICTURE)
    places = _places(maze, size / 2 if tiles == "passages" else size, 0 if tiles == "passages" else 0.5)
    write = _tmx if final.suffix.lower() == ".tmx" else _tmj
    data = write(_map_of(gids, size, properties, places, picture.name)).encode()
    look = _picture(size, wide=tiles == "wide")
    with atomic(path) as file, atomic(picture) as beside:
        file.write(data)
        file.flush()  # a full disk is an error before either file is replaced
        png.write(beside, look.shape, iter([np.packbits(look, axis=1)]), depth=1)


def _places(maze: Maze, unit: float, middle: float) -> list[_Place]:
    """Return the objects of a maze; a site is `unit` pixels, a point `middle` of one from its corner."""

    def point(name: str, row: int, col: int) -> _Place:
        return _Place(name, (col + middle) * unit, (row + middle) * unit)

    start, goal = maze.endpoints
    found = [
        point("start", 2 * start[0] + 1, 2 * start[1] + 1),
        point("goal", 2 * goal[0] + 1, 2 * goal[1] + 1),
    ]
    found += [point("opening", row, col) for row, col in maze.openings.tolist()]
    for room in maze.rooms():
        corner = point("room", 2 * room.row, 2 * room.col)
        found.append(corner._replace(width=2 * room.width * unit, height=2 * room.height * unit))
        for (row, col), side in room.doors:
            found.append(point("door", 2 * row + _SIDES[side][0], 2 * col + _SIDES[side][1]))
    return found


def _sides_of_openings(
    openings: NDArray[np.int64], shape: Shape, mask: NDArray[np.bool_] | None
) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.uint8]]:
    """Return rows and columns of the cells beside openings, and the bits of the sides that are open."""
    cells = cells_beside(openings, shape, mask)
    return tuple(cells.T), _BITS[tuple((openings - 2 * cells).T)]


def _picture(size: int, *, wide: bool) -> NDArray[np.uint8]:
    """Return the tiles side by side, 1 for road: road and wall, or all sixteen codes."""
    if wide:
        return np.repeat(np.array([[1, 0]], np.uint8), size, axis=0).repeat(size, axis=1)
    wall = max(1, size // 8)
    found = np.zeros((size, 16 * size), np.uint8)
    for code in range(16):
        tile = found[:, code * size : (code + 1) * size]
        inner = slice(wall, -wall)
        tile[inner, inner] = 1
        tile[:wall, inner] |= code & 1
        tile[inner, -wall:] |= code >> 1 & 1
        tile[-wall:, inner] |= code >> 2 & 1
        tile[inner, :wall] |= code >> 3
    return found


def _map_of(
    gids: NDArray[Any], size: int, properties: Properties, places: list[_Place], picture: str
) -> Properties:
    """Return a map as TMJ has it, in the order of its keys; TMX has the same but what is always so."""
    rows, cols = gids.shape
    n = 2 if properties["tiles"] == "wide" else 16
    sides = {"tilewidth": size, "tileheight": size}
    common = {"opacity": 1, "visible": True, "x": 0, "y": 0}
    objects: list[Properties] = [
        {"id": i, **place._asdict(), "type": "", "rotation": 0, "visible": True}
        | ({} if place.width else {"point": True})
        for i, place in enumerate(places, 1)
    ]
    tileset = {
        "firstgid": 1,
        "name": _LAYER,
        **sides,
        "tilecount": n,
        "columns": n,
        "margin": 0,
        "spacing": 0,
    }
    layer: Properties = {"id": 1, "name": _LAYER, "type": "tilelayer", "width": cols, "height": rows}
    group: Properties = {"id": 2, "name": "places", "type": "objectgroup", "draworder": "topdown"}
    return {
        "type": "map",
        "version": _FORMAT,
        "tiledversion": _TILED,
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "infinite": False,
        "compressionlevel": -1,
        "width": cols,
        "height": rows,
        **sides,
        "nextlayerid": 3,
        "nextobjectid": len(places) + 1,
        "properties": [
            {"name": name, "type": "bool" if isinstance(value, bool) else "string", "value": value}
            for name, value in properties.items()
        ],
        "tilesets": [tileset | {"image": picture, "imagewidth": n * size, "imageheight": size}],
        "layers": [layer | common | {"data": gids.ravel().tolist()}, group | {"objects": objects} | common],
    }


def _tmj(tiled: Properties) -> str:
    return (
        "{" + ",\n ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in tiled.items()) + "}\n"
    )


def _tmx(tiled: Properties) -> str:
    (tileset,), (layer, group) = tiled["tilesets"], tiled["layers"]
    image = {"source": tileset["image"], "width": tileset["imagewidth"], "height": tileset["imageheight"]}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<map{_attributes(tiled, 'version', 'tiledversion', 'orientation', 'renderorder')}",
        _attributes(tiled, "width", "height", "tilewidth", "tileheight", "infinite"),
        f"{_attributes(tiled, 'nextlayerid', 'nextobjectid')}>",
        " <properties>",
    ]
    for one in tiled["properties"]:
        typed = ("type",) if one["type"] == "bool" else ()
        value = one | {"value": str(one["value"]).lower()} if typed else one
        lines.append(f"  <property{_attributes(value, 'name', *typed, 'value')}/>")
    cols, tiles = layer["width"], layer["data"]
    lines += [
        " </properties>",
        f" <tileset{_attributes(tileset, 'firstgid', 'name', 'tilewidth', 'tileheight')}",
        f" {_attributes(tileset, 'tilecount', 'columns')}>",
        f"  <image{_attributes(image, *image)}/>",
        " </tileset>",
        f" <layer{_attributes(layer, 'id', 'name', 'width', 'height')}>",
        '  <data encoding="csv">',
        ",\n".join(",".join(map(str, tiles[at : at + cols])) for at in range(0, len(tiles), cols)),
        "</data>",
        " </layer>",
        f" <objectgroup{_attributes(group, 'id', 'name')}>",
    ]
    for place in group["objects"]:
        own = f"<object{_attributes(place, 'id', 'name', 'x', 'y')}"
        box = f"{_attributes(place, 'width', 'height')}/>"
        lines.append(f"  {own}{box if place['width'] else '><point/></object>'}")
    return "\n".join([*lines, " </objectgroup>", "</map>", ""])


def _attributes(own: Properties, *names: str) -> str:
    """Return attributes in XML: truth as 0 and 1, numbers as short as they are exact."""
    values = {
        name: f"{own[name]:.15g}" if isinstance(own[name], int | float) else own[name] for name in names
    }
    return "".join(f' {name}="{_escaped(value)}"' for name, value in values.items())


def _escaped(value: str) -> str:
    return html.escape(value).replace("\n", "&#10;").replace("\t", "&#9;")


def read_tiled(
    path: str | os.PathLike[str], *, layer: str = _LAYER, wall: ArrayLike | None = None
) -> Maze | NDArray[np.uint8]:
    """Read a maze from a map of Tiled, or walls from any map with a layer of tiles.

    Parameters
    ----------
    path : path
        What `save_tiled` wrote, or Tiled saved again: data as CSV, or as base64, alone or with zlib or gzip.
    layer : str
        The name of the layer of tiles; of several the first. Layers within groups are not read.
    wall : int or array_like of int, optional
        For maps that `save_tiled` did not write: the numbers in the layer (global tile ids, turned or not)
        that are walls; 0 is a place without a tile. All others are roads.

    Returns
    -------
    Maze or ndarray of uint8, shape (h, w)
        The maze, with openings, start and goal; of wide tiles the walls (1) and roads (0), which
        `Maze.from_grid` takes. With `wall` always walls and roads.

    Raises
    ------
    ValueError
        If the file is damaged, infinite, has no such layer, or no property "tiles" where `wall` is not given;
        or a number of `wall` is not in [0, 2**29).
    TypeError
        If `layer` is no text, or `wall` no integers.

    See Also
    --------
    save_tiled : the inverse.

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> meiro.io.save_tiled(maze, "maze.tmj", tiles="wide")
    >>> meiro.Maze.from_grid(meiro.io.read_tiled("maze.tmj")) == maze
    True
    >>> meiro.io.read_tiled("maze.tmj", wall=2).shape
    (7, 9)
    """
    final = checked_path(path)
    name = repr(os.fspath(path))
    if not isinstance(layer, str):
        msg = f"layer must be the name of a layer of tiles, not {short_repr(layer)}"
        raise TypeError(msg)
    solid = None if wall is None else _checked_wall(wall)
    if final.suffix.lower() not in _SUFFIXES:
        msg = f"path {short_repr(os.fspath(path))} must end in {' or '.join(_SUFFIXES)}"
        raise ValueError(msg)
    size = Path(path).stat().st_size
    require(40 * size, name, _INSTEAD)
    data = Path(path).read_bytes()
    with invalid_as(
        name, ET.ParseError, ValueError, RecursionError, TypeError, KeyError, OverflowError, AttributeError
    ):
        read = _from_xml if final.suffix.lower() == ".tmx" else _from_json
        return _maze_of(read(data), size, layer, solid)


def _checked_wall(wall: ArrayLike) -> NDArray[np.int64]:
    array = plain_array(wall, "wall").reshape(-1)
    if array.dtype.kind not in "iu" or not len(array):
        msg = f"wall must be numbers of tiles, not {short_repr(wall)}"
        raise TypeError(msg)
    if array.min() < 0 or array.max() >= _TURNED:
        msg = f"wall must be numbers of tiles, 0 to {_TURNED - 1:,}, not {short_repr(wall)}"
        raise ValueError(msg)
    return array.astype(np.int64)


def _from_xml(data: bytes) -> Properties:
    """Return the map of a TMX, as TMJ has it; without DTD, so that no entity is expanded."""
    if b"<!DOCTYPE" in data:
        msg = "a DOCTYPE, which maps have not"
        raise ValueError(msg)
    root = ET.fromstring(data, ET.XMLParser(encoding="utf-8"))  # noqa: S314  # whatever it says, as Tiled writes
    if root.tag != "map":
        msg = f"<{root.tag[:40]}> is not <map>"
        raise ValueError(msg)
    layers: list[Properties] = []
    for one in root:
        if one.tag == "layer" and (tiles := one.find("data")) is not None:
            how = {key: tiles.get(key) for key in ("encoding", "compression")}
            layers.append({**one.attrib, "type": "tilelayer", **how, "data": tiles.text or ""})
        elif one.tag == "objectgroup":
            objects = [each.attrib for each in one.findall("object")]
            layers.append({**one.attrib, "type": "objectgroup", "objects": objects})
    return {
        **root.attrib,
        "infinite": root.get("infinite", "0") != "0",
        "properties": [
            {"name": one.get("name"), "value": one.get("value") == "true"}
            if one.get("type") == "bool"
            else {"name": one.get("name"), "value": one.get("value", "")}
            for one in root.findall("properties/property")
        ],
        "tilesets": [one.attrib for one in root.findall("tileset")],
        "layers": layers,
    }


def _from_json(data: bytes) -> Properties:
    found = json.loads(data)
    if not isinstance(found, dict) or found.get("type", "map") != "map":
        msg = "it is not a map of Tiled"
        raise ValueError(msg)
    return found


def _whole(own: Properties, key: str, least: int = 1) -> int:
    value = own.get(key)
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdecimal() and len(text) <= 10):
        msg = f"{key} is {short_repr(value)}, not a whole number"
        raise ValueError(msg)
    if int(text) < least:
        msg = f"{key} is {text}, less than {least}"
        raise ValueError(msg)
    return int(text)


def _maze_of(
    read: Properties, size: int, name: str, wall: NDArray[np.int64] | None
) -> Maze | NDArray[np.uint8]:
    if read.get("infinite"):
        msg = "the map is infinite: switch that off in its properties"
        raise ValueError(msg)
    own = {item["name"]: item["value"] for item in read.get("properties", [])}
    kind = own.get("tiles")
    if kind not in _TILES and wall is None:
        msg = (
            f"the property tiles of the map is {short_repr(kind)}, not passages or wide: "
            "say which tiles are walls, by wall= of meiro.io.read_tiled"
        )
        raise ValueError(msg)
    layers = read.get("layers", [])
    layer = next((one for one in layers if one.get("name") == name and one.get("type") == "tilelayer"), None)
    if layer is None:
        names = [one.get("name") for one in layers if one.get("type") == "tilelayer"]
        msg = f"no layer of tiles has the name {short_repr(name)}, layer=: there are {short_repr(names)}"
        raise ValueError(msg)
    rows, cols = _whole(layer, "height"), _whole(layer, "width")
    if rows * cols > _RATIO * size:
        msg = f"{rows:,} x {cols:,} tiles are more than the file can hold"
        raise ValueError(msg)
    require(40 * rows * cols, f"the {rows:,} x {cols:,} tiles", _INSTEAD)
    gids = _gids(layer, rows * cols).reshape(rows, cols)
    if wall is not None:
        return np.isin(gids % _TURNED, wall).astype(np.uint8)
    first = _whole(read["tilesets"][0], "firstgid") if read.get("tilesets") else 1
    codes = gids - first
    wide = kind == "wide"
    wrong = (codes < 0) | (codes > (1 if wide else 15))
    if not wide:
        wrong &= gids != 0
    if wrong.any():
        row, col = np.argwhere(wrong)[0].tolist()
        msg = f"the tile in row {row}, column {col} is {gids[row, col]}, not one of the set"
        raise ValueError(msg)
    if wide:
        return codes.astype(np.uint8)
    mask = gids != 0
    passages = np.where(mask, codes, 0).astype(np.uint8)
    sites = _sites(read)
    start, goal = ((found[0][0] // 2, found[0][1] // 2) if (found := sites[end]) else None for end in _ENDS)
    wrap = own.get("wrap_rows") is True, own.get("wrap_cols") is True
    openings = checked_openings(sites["opening"], (rows, cols), mask, wrap)
    cells, bits = _sides_of_openings(openings, (rows, cols), mask)
    np.bitwise_and.at(passages, cells, ~bits)
    return Maze(passages, mask, openings, start=start, goal=goal, wrap=wrap)


def _sites(read: Properties) -> dict[str, list[tuple[int, int]]]:
    """Return the sites of start, goal and openings."""
    across, down = _whole(read, "tilewidth"), _whole(read, "tileheight")
    sites: dict[str, list[tuple[int, int]]] = {name: [] for name in (*_ENDS, "opening")}
    for group in read["layers"]:
        for place in group.get("objects", []) if group.get("type") == "objectgroup" else ():
            if (name := place.get("name")) in sites:
                sites[name].append((_site(place, "y", down), _site(place, "x", across)))
    return sites


def _site(place: Properties, key: str, side: int) -> int:
    value = float(place[key])
    if not abs(value) < 1e12:
        msg = f"{key} of the object {place['name']} is {value:g}"
        raise ValueError(msg)
    return round(2 * value / side)


def _gids(layer: Properties, n: int) -> NDArray[np.int64]:
    """Return the numbers of the tiles."""
    data, encoding, compression = layer.get("data"), layer.get("encoding"), layer.get("compression") or ""
    if isinstance(data, list) or encoding == "csv":
        items = data if isinstance(data, list) else str(data).split(",")
        if len(items) != n:
            msg = f"the layer has {len(items):,} tiles, and its size is {n:,}"
            raise ValueError(msg)
        found = [
            item
            if type(item) is int and 0 <= item < 1 << 32
            else _whole({"a tile": str(item).strip()}, "a tile", 0)
            for item in items
        ]
        return np.array(found, np.int64)
    if encoding != "base64" or compression not in {"", "zlib", "gzip"}:
        msg = f"its tiles are in {short_repr(encoding)} {short_repr(compression)}: save it as CSV"
        raise ValueError(msg)
    try:
        packed = base64.b64decode("".join(str(data).split()), validate=True)
        if compression:
            unpacking = zlib.decompressobj(47)  # of zlib or gzip
            packed = unpacking.decompress(packed, 4 * n + 1)
            if len(packed) == 4 * n and not unpacking.eof:
                raise zlib.error("their end is missing")  # noqa: EM101, TRY003, TRY301
    except (binascii.Error, zlib.error) as e:
        msg = f"the tiles are damaged: {e}"
        raise ValueError(msg) from e
    if len(packed) != 4 * n:
        msg = f"the layer has {len(packed):,} bytes of tiles or more, and its size needs {4 * n:,}"
        raise ValueError(msg)
    return np.frombuffer(packed, "<u4").astype(np.int64)
