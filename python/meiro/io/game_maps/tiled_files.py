"""The files of Tiled: maps and sets of tiles in XML (TMX, TSX) and in JSON (TMJ, TSJ).

Both are read into what the JSON has. Tiles may be lists, CSV, base64 (alone, or in zlib, gzip or zstd), XML
elements, and in chunks; layers may be in groups, and sets of tiles in files of their own.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import json
import math
import os
import sys
import xml.etree.ElementTree as ET
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, listed, requires_extra, short_repr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

NUMBER = (1 << 28) - 1  # the other bits of the number of a tile say how it is turned
_RATIO = 1 << 15  # tiles that a byte of zstd can hold
_INSTEAD = "cut it into parts"
_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "group": "group"}
_TRUE = {"true", "1", "yes"}  # words for it, as old versions had only text

Properties = dict[str, Any]


# Reading: both forms as JSON has them


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Raise a ValueError that says what is read, and where Python stumbles that it is damaged."""
    with (
        invalid_as(what, ET.ParseError, ValueError, RecursionError, OverflowError),
        invalid_as("it is damaged or not of Tiled", TypeError, LookupError, AttributeError),
    ):
        yield


def read_file(path: Path, kind: str) -> Properties:
    """Return a map, a set of tiles or a template of objects as its JSON has it, whatever its suffix."""
    require(40 * path.stat().st_size, repr(path.name), _INSTEAD)
    data = path.read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = data.decode("utf-16").encode("utf-8-sig")
    if data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<"):
        return _from_xml(data, kind)
    found = json.loads(data)
    if not isinstance(found, dict) or found.get("type", kind) != kind:
        raise ValueError(f"it is not a {kind} of Tiled")
    return found


def _from_xml(data: bytes, kind: str) -> Properties:
    if b"<!ENTITY" in data:
        raise ValueError("a DOCTYPE with entities, which maps have not")
    encoding = "utf-8" if data.startswith(codecs.BOM_UTF8) else None
    root = ET.fromstring(data, ET.XMLParser(encoding=encoding))  # noqa: S314  # without entities
    if root.tag != kind:
        raise ValueError(f"<{root.tag[:40]}> is not <{kind}>")
    if kind == "template":
        return {one.tag: _of_xml(one) for one in root if one.tag in {"object", "tileset"}}
    return _of_xml(root)


def _of_xml(element: ET.Element) -> Properties:
    """Return an element, and those in it, as the JSON has them."""
    found: Properties = {**element.attrib, "properties": {}}
    for one in element.findall("properties/property"):
        value = one.get("value", one.text or "")
        found["properties"][one.get("name", "")] = value == "true" if one.get("type") == "bool" else value
    for tag in ("tileset", "tile", "object"):
        found[f"{tag}s"] = [_of_xml(one) for one in element.findall(tag)]
    layers = (
        one for one in element if one.tag in _LAYERS and (one.tag != "layer" or one.find("data") is not None)
    )
    found["layers"] = [_of_xml(one) | {"type": _LAYERS[one.tag]} for one in layers]
    if (data := element.find("data")) is not None:
        found |= {key: data.get(key) for key in ("encoding", "compression")}
        chunks = [{**chunk.attrib, "data": _tiles_of_xml(chunk)} for chunk in data.findall("chunk")]
        found |= {"chunks": chunks} if chunks else {"data": _tiles_of_xml(data)}
    for kind in ("polygon", "polyline"):
        if (shape := element.find(kind)) is not None:
            pairs = (pair.split(",") for pair in shape.get("points", "").split())
            found[kind] = [{"x": x, "y": y} for x, y in pairs]
    return found


def _tiles_of_xml(data: ET.Element) -> str | list[str]:
    tiles = data.findall("tile")
    return [tile.get("gid", "0") for tile in tiles] if tiles else data.text or ""


# Layers of tiles


def properties_of(own: Properties) -> Properties:
    """Return the properties of a map, layer, tile or object; old versions have no types."""
    found = own.get("properties") or {}
    return found if isinstance(found, dict) else {one["name"]: one["value"] for one in found}


def names_of(own: Properties, *kinds: str) -> set[str]:
    """Return the class, and each property: its name if it is true, its value if that is another text."""
    found = {str(own.get(kind) or "") for kind in kinds}
    for name, value in properties_of(own).items():
        if isinstance(value, str):
            found.add(name if value.lower() in _TRUE else value)
        elif value:
            found.add(name)
    return found - {""}


def layers_of(own: Properties, kind: str, at: tuple[float, float] = (0.0, 0.0)) -> Iterator[Properties]:
    """Yield the layers of a kind, also those in groups, with the sum of their offsets as ``"at"``, (x, y)."""
    for layer in own.get("layers", []):
        x, y = (
            before + float(layer.get(key) or 0)
            for before, key in zip(at, ("offsetx", "offsety"), strict=True)
        )
        if layer.get("type") == "group":
            yield from layers_of(layer, kind, (x, y))
        elif layer.get("type") == kind:
            yield layer | {"at": (x, y)}


def grids_of(
    chosen: Sequence[Properties], every: Sequence[Properties], size: int
) -> tuple[list[NDArray[np.int64]], tuple[int, int]]:
    """Return the tiles of the chosen layers of a file of some bytes, and the row and column where they begin.

    Infinite maps begin and end where all their tiles do.
    """
    if not any("chunks" in layer for layer in every):
        found = [_piece(layer, layer, size) for layer in chosen]
        if len(shapes := {gids.shape for gids in found}) > 1:
            several = listed(map(str, sorted(shapes)))
            raise ValueError(f"its layers have tiles of different shapes, {several}: say which, layer=")
        return found, (0, 0)
    chunks = [
        (layer, np.array([whole(part, "y", None), whole(part, "x", None)]), _piece(layer, part, size))
        for layer in every
        for part in layer.get("chunks", [])
    ]
    places = [np.argwhere(gids) + at for _, at, gids in chunks]
    there = np.concatenate([np.empty((0, 2), np.int64), *places])
    if not len(there):
        raise ValueError("there is no tile in it")
    first, (rows, cols) = there.min(axis=0), (np.ptp(there, axis=0) + 1).tolist()
    _require_tiles(rows, cols, size)
    found = [np.zeros((rows, cols), np.int64) for _ in chosen]
    for layer, grid in zip(chosen, found, strict=True):
        for (owner, _, gids), at in zip(chunks, places, strict=True):
            if owner is layer:
                grid[tuple((at - first).T)] = gids[gids != 0]
    return found, (int(first[0]), int(first[1]))


def whole(own: Properties, key: str, least: int | None = 1) -> int:
    """Return a whole number that a file has."""
    value = own.get(key)
    text = str(value)
    digits = text.removeprefix("-")
    if isinstance(value, bool) or not (digits.isascii() and digits.isdecimal() and len(digits) <= 10):
        raise ValueError(f"{key} is {short_repr(value)}, not a whole number")
    if least is not None and int(text) < least:
        raise ValueError(f"{key} is {text}, less than {least}")
    return int(text)


def _require_tiles(rows: int, cols: int, size: int) -> None:
    if rows * cols > _RATIO * size:
        raise ValueError(f"{rows:,} x {cols:,} tiles are more than the file can hold")
    require(40 * rows * cols, f"the {rows:,} x {cols:,} tiles", _INSTEAD)


def _piece(layer: Properties, part: Properties, size: int) -> NDArray[np.int64]:
    """Return the tiles of a layer, or of a chunk of it."""
    rows, cols = whole(part, "height"), whole(part, "width")
    _require_tiles(rows, cols, size)
    n, data = rows * cols, part.get("data")
    encoding, compression = layer.get("encoding"), layer.get("compression") or ""
    if isinstance(data, list) or encoding == "csv":
        items = data if isinstance(data, list) else str(data).strip().removesuffix(",").split(",")
        if len(items) != n:
            raise ValueError(f"the layer has {len(items):,} tiles, and its size is {n:,}")
        found = [
            item
            if type(item) is int and 0 <= item < 1 << 32
            else whole({"a tile": str(item).strip()}, "a tile", 0)
            for item in items
        ]
        return np.array(found, np.int64).reshape(rows, cols)
    if encoding != "base64" or compression not in _UNPACKED:
        raise ValueError(f"its tiles are in {short_repr(encoding)} {short_repr(compression)}: save it as CSV")
    try:
        packed = _UNPACKED[compression](base64.b64decode("".join(str(data).split()), validate=True), 4 * n)
    except (binascii.Error, zlib.error, EOFError, RuntimeError) as e:
        raise ValueError(f"the tiles are damaged: {e}") from e
    if len(packed) != 4 * n:
        raise ValueError(
            f"the layer has {len(packed):,} bytes of tiles or more, and its size needs {4 * n:,}"
        )
    return np.frombuffer(packed, "<u4").astype(np.int64).reshape(rows, cols)


def _inflated(data: bytes, size: int) -> bytes:
    """Unpack zlib or gzip."""
    unpacking = zlib.decompressobj(47)
    found = unpacking.decompress(data, size + 1)
    if len(found) == size and not unpacking.eof:
        raise zlib.error("their end is missing")
    return found


def _unpacked_zstd(data: bytes, size: int) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd

        try:
            return zstd.ZstdDecompressor().decompress(data, size + 1)
        except zstd.ZstdError as e:
            raise zlib.error(str(e)) from e
    with requires_extra("dist", "numcodecs, or a map without compression by zstd"):
        from numcodecs.zstd import decompress
    return bytes(decompress(data, np.empty(size, np.uint8)))


_UNPACKED = {"": lambda data, _: data, "zlib": _inflated, "gzip": _inflated, "zstd": _unpacked_zstd}


# Sets of tiles


def tile_sets(read: Properties, folder: Path) -> list[Properties]:
    """Return the sets of tiles, by their first number; of one whose file is not there only ``"source"``."""
    found = []
    for one in read.get("tilesets", []):
        source = one.get("source")
        own = one
        if source and (file := _file_of(source, folder)) is not None:
            with reading(f"the set of tiles {short_repr(source)}"):
                own = read_file(file, "tileset") | {"firstgid": one.get("firstgid")}
        found.append(own | {"first": whole(own, "firstgid", 0)})
    return sorted(found, key=lambda one: one["first"])


def posix(source: str) -> str:
    """Return the path of a file as all systems have it."""
    return source.replace("\\", "/")


def _file_of(source: str, folder: Path) -> Path | None:
    """Return the file that another one names; None if it is not there."""
    files = (folder / one for one in (source, posix(source)))
    return next((file for file in files if os.path.isfile(file)), None)  # noqa: PTH113  # of any name


def set_of(gid: int, sets: Sequence[Properties]) -> Properties:
    """Return the set that a tile belongs to."""
    return next((one for one in reversed(sets) if one["first"] <= gid & NUMBER), {})


def named_tiles(sets: Sequence[Properties]) -> dict[str, list[int]]:
    """Return the numbers of the tiles with each class, or property."""
    found: dict[str, list[int]] = {}
    for one in sets:
        tiles = one.get("tiles") or []
        if isinstance(tiles, dict):  # of old versions
            tiles = [{"id": key, **value} for key, value in tiles.items()]
        tiles = tiles + [
            {"id": key, "properties": own} for key, own in (one.get("tileproperties") or {}).items()
        ]
        for tile in tiles:
            for name in names_of(tile, "type", "class"):
                found.setdefault(name, []).append(one["first"] + whole(tile, "id", 0))
    return found


# Objects


def template_of(source: str, folder: Path) -> tuple[Properties, list[Properties]]:
    """Return what objects of a template have if they do not say it, and the set of tiles of its number."""
    what = f"the template {short_repr(source)} of an object"
    file = _file_of(source, folder)
    if file is None:
        raise ValueError(f"{what} is not there: put it where the map names it")
    with reading(what):
        read = read_file(file, "template")
        sets = [read["tileset"]] if "tileset" in read else []
        return {**read.get("object", {})}, tile_sets({"tilesets": sets}, file.parent)


def middle_of(one: Properties, sets: Sequence[Properties], usual: Properties) -> tuple[float, float]:
    """Return x and y of the middle of an object; `usual` holds of tiles whose set does not say it."""
    x, y, width, height, angle = (
        float(one.get(key) or 0) for key in ("x", "y", "width", "height", "rotation")
    )
    across, down = width / 2, height / 2
    if one.get("gid"):
        own = set_of(whole(one, "gid"), sets)
        if not (width and height):  # as old versions wrote them
            width, height = (float(own.get(key) or usual[key]) for key in ("tilewidth", "tileheight"))
        place = own.get("objectalignment", "unspecified")
        if place == "unspecified":
            place = usual["objectalignment"]
        across = width / 2 * (("left" in place) - ("right" in place))
        down = height / 2 * (("top" in place) - ("bottom" in place))
    elif corners := one.get("polygon") or one.get("polyline"):
        ways = [[float(corner[key]) for corner in corners] for key in ("x", "y")]
        across, down = ((min(way) + max(way)) / 2 for way in ways)
    turn = math.radians(angle)
    x += across * math.cos(turn) - down * math.sin(turn)
    y += across * math.sin(turn) + down * math.cos(turn)
    if not max(abs(x), abs(y)) < 1e12:
        raise ValueError(f"the object {short_repr(one.get('name'))} is at x={x:g}, y={y:g}")
    return x, y


# Writing


def written(tiled: Properties, suffix: str) -> bytes:
    """Return the file of a map that is given as its JSON has it."""
    return (_tmx if suffix == ".tmx" else _tmj)(tiled)


def _rows(layer: Properties) -> str:
    """Return the numbers of a layer between commas, a line a row: in Python, where Ctrl-C is seen."""
    cols, gids = layer["width"], layer["data"]
    return ",\n".join(",".join(map(str, gids[at : at + cols])) for at in range(0, len(gids), cols))


def _tmj(tiled: Properties) -> bytes:
    layers = []
    for layer in tiled["layers"]:
        own = json.dumps({key: value for key, value in layer.items() if key != "data"})
        layers.append(f'{own[:-1]}, "data": [{_rows(layer)}]}}' if "data" in layer else own)
    parts = {key: json.dumps(value) for key, value in tiled.items() if key != "layers"}
    parts["layers"] = f"[{', '.join(layers)}]"
    text = "{" + ",\n ".join(f"{json.dumps(key)}: {value}" for key, value in parts.items()) + "}\n"
    return text.encode()


def _tmx(tiled: Properties) -> bytes:
    root = _element("map", tiled, but=("type",))
    _add_properties(root, tiled)
    for own in tiled["tilesets"]:
        tiles = _element("tileset", own, root, but=("image", "imagewidth", "imageheight"))
        image = {"source": own["image"], "width": own["imagewidth"], "height": own["imageheight"]}
        _element("image", image, tiles)
        for tile in own.get("tiles", []):
            _element("tile", tile, tiles)
        for wang in own.get("wangsets", []):
            terrain = _element("wangset", wang, _element("wangsets", {}, tiles))
            for color in wang["colors"]:
                _element("wangcolor", color, terrain)
            for tile in wang["wangtiles"]:
                _element("wangtile", tile | {"wangid": ",".join(map(str, tile["wangid"]))}, terrain)
    for layer in tiled["layers"]:
        if layer["type"] == "tilelayer":
            cells = _element("data", {"encoding": "csv"}, _element("layer", layer, root, but=("type",)))
            cells.text = f"\n{_rows(layer)}\n"
            continue
        group = _element("objectgroup", layer, root, but=("type",))
        for one in layer["objects"]:
            place = _element("object", one, group, but=("point",))
            _add_properties(place, one)
            if "point" in one:
                ET.SubElement(place, "point")
    found: bytes = ET.tostring(root, "UTF-8", xml_declaration=True)
    return found


def _element(
    tag: str, own: Properties, parent: ET.Element | None = None, *, but: Sequence[str] = ()
) -> ET.Element:
    """Return a new element, whose attributes are what is no list: truth is 0 or 1, numbers are short."""
    element = ET.Element(tag)
    element.tail = "\n"
    for name, value in own.items():
        if name not in but and not isinstance(value, list):
            element.set(name, f"{value:.15g}" if isinstance(value, int | float) else value)
    if parent is not None:
        parent.text = "\n"
        parent.append(element)
    return element


def _add_properties(element: ET.Element, own: Properties) -> None:
    if given := own.get("properties"):
        group = ET.SubElement(element, "properties")
        for one in given:
            value = str(one["value"])
            ET.SubElement(
                group, "property", one | {"value": value if one["type"] == "string" else value.lower()}
            )
