"""Maps of Tiled: both forms, all encodings, damaged files; judges are pytiled-parser and Tiled itself."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import subprocess
import sys
import zlib
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from arbitrary_mazes import mazes
from hypothesis import given
from hypothesis import strategies as st
from periodic_mazes import WRAPS, periodic_maze
from PIL import Image
from programs import needs
from refusals import refused

import meiro
from meiro.io import read_tiled, save_tiled

SUFFIXES = ["tmx", "tmj"]
PACKED = ["", "zlib", "gzip"]
ROOMS = meiro.generate((7, 9), "rooms", rng=3)
EMPTY = '<layer name="a"><data/></layer>'


def require_same(one: Any, other: meiro.Maze) -> None:
    """Assert that two mazes are the same, with openings in their order, start and goal."""
    assert isinstance(one, meiro.Maze)
    assert one == other
    assert (one.start, one.goal, one.openings.tolist()) == (other.start, other.goal, other.openings.tolist())


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(maze=mazes(), ends=st.sampled_from([{}, {"start": -1, "goal": 0}, {"goal": 0}]))
def test_a_maze_comes_back(
    maze: meiro.Maze, ends: dict[str, int], suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("tiled") / f"a.{suffix}"
    cells = np.argwhere(np.ones(maze.shape) if maze.mask is None else maze.mask).tolist()
    places: dict[str, Any] = {name: cells[i] for name, i in ends.items()}
    one = meiro.Maze(maze.passages, maze.mask, maze.openings, **places)
    save_tiled(one, path)
    require_same(meiro.read(path), one)
    for tiles in ("wide", "blob"):
        save_tiled(one, path, tiles=tiles)
        np.testing.assert_array_equal(read_tiled(path), one.grid)
        require_same(meiro.read(path), one)
        save_tiled(one, path, tiles=tiles, posts=False)
        np.testing.assert_array_equal(read_tiled(path), one.to_grid(posts=False))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("wrap", WRAPS)
def test_periodic_mazes_come_back(wrap: tuple[bool, bool], suffix: str, tmp_path: Path) -> None:
    maze = periodic_maze((4, 5), wrap, 3, 1)
    save_tiled(maze, tmp_path / f"a.{suffix}")
    assert read_tiled(tmp_path / f"a.{suffix}") == maze
    for tiles in ("wide", "blob"):
        with pytest.raises(ValueError, match="cannot hold a periodic maze"):
            save_tiled(maze, tmp_path / f"a.{suffix}", tiles=tiles)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("tiles", "wrap"),
    [("passages", (True, True)), *((tiles, (False, False)) for tiles in ("passages", "wide", "blob"))],
)
def test_doors_and_keys_are_objects(wrap: tuple[bool, bool], tiles: Any, suffix: str, tmp_path: Path) -> None:
    maze = meiro.generate((7, 9), rng=4, wrap=wrap)
    locks = meiro.locks(maze, 2, (3, 4), (6, 8), rng=2)
    path = tmp_path / f"a.{suffix}"
    save_tiled(locks, path, tiles=tiles)
    require_same(meiro.read(path), meiro.with_ends(maze, ((3, 4), (6, 8))))
    unit, middle = (8, 0) if tiles == "passages" else (16, 8)
    found: dict[str, list[tuple[int, int]]] = {}
    for name, kind, number, x, y in objects_of(path):
        if kind:
            assert name == f"{kind} {number}"
            found.setdefault(name, []).append((int(y - middle) // unit, int(x - middle) // unit))
    for i, (door, key) in enumerate(zip(locks.doors, locks.keys, strict=True), 1):
        assert found.pop(f"key {i}") == [tuple((2 * key + 1).tolist())]
        sites = found.pop(f"door {i}")
        if np.abs(door[0] - door[1]).max() == 1:
            assert sites == [tuple((door.sum(axis=0) + 1).tolist())]
        else:  # on both sides of the border
            assert len(sites) == 2
            assert any(0 in site for site in sites)
    assert found == {}


def objects_of(path: Path) -> list[tuple[str, str, int, float, float]]:
    """Name, class, number, x and y of each object."""
    if path.suffix == ".tmj":
        own = json.loads(path.read_text())["layers"][-1]["objects"]
        facts = [{p["name"]: p["value"] for p in one.get("properties", [])} | one for one in own]
        return [(one["name"], one["type"], one.get("number", 0), one["x"], one["y"]) for one in facts]
    found = []
    for one in ET.parse(path).iter("object"):  # noqa: S314  # our own file
        numbers = [int(p.attrib["value"]) for p in one.iter("property") if p.attrib["name"] == "number"]
        place = float(one.attrib["x"]), float(one.attrib["y"])
        found.append((one.attrib["name"], one.get("type", ""), sum(numbers), *place))
    return found


def put_start(path: Path, place: dict[str, float], alignment: str = "unspecified") -> None:
    """Give a map of ours another object as its start."""
    if path.suffix == ".tmj":
        own = json.loads(path.read_text())
        own["layers"][-1]["objects"][0] = {"id": 1, "name": "start"} | place
        own["tilesets"][0]["objectalignment"] = alignment
        path.write_text(json.dumps(own))
        return
    attributes = "".join(f' {key}="{value}"' for key, value in place.items())
    text = re.sub('<object id="1".*</object>', f'<object id="1" name="start"{attributes}/>', path.read_text())
    path.write_text(text.replace("<tileset ", f'<tileset objectalignment="{alignment}" '))


TILE = {"gid": 3, "width": 16, "height": 16}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("place", "alignment", "start"),
    [
        ({"x": 8, "y": 13}, "unspecified", (0, 0)),
        ({"x": 13.5, "y": 8}, "unspecified", (0, 0)),
        ({"x": 8, "y": 46}, "unspecified", (2, 0)),
        ({"x": 63.9, "y": 16}, "unspecified", (1, 3)),
        ({"x": 0, "y": 16, "width": 16, "height": 16}, "unspecified", (1, 0)),
        ({"x": 18, "y": 3, "width": 20, "height": 10}, "center", (0, 1)),
        ({"x": 32, "y": 16, "width": 16, "height": 16, "rotation": 90}, "unspecified", (1, 1)),
        ({"x": 0, "y": 16, **TILE}, "unspecified", (0, 0)),
        ({"x": 0, "y": 16, "gid": 3 | 5 << 29}, "unspecified", (0, 0)),  # turned, by an old version
        ({"x": 16, "y": 16, **TILE, "rotation": 90}, "unspecified", (1, 1)),
        ({"x": 16, "y": 16, **TILE}, "topleft", (1, 1)),
        ({"x": 16, "y": 16, **TILE}, "right", (1, 0)),
        ({"x": 24, "y": 24, **TILE}, "center", (1, 1)),
        ({"x": 24, "y": 32, **TILE}, "bottom", (1, 1)),
    ],
)
def test_a_start_that_was_moved(place: Any, alignment: str, start: Any, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{suffix}"
    save_tiled(meiro.generate((3, 4), rng=7), path)
    put_start(path, place, alignment)
    found = read_tiled(path)
    assert isinstance(found, meiro.Maze)
    assert (found.start, found.goal) == (start, None)


@pytest.mark.parametrize("tiles", ["passages", "wide", "blob"])
def test_marks_of_a_map_that_was_edited(tiles: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    maze = meiro.with_openings(meiro.generate((3, 4), rng=7), [((0, 3), "north"), ((2, 0), "west")])
    save_tiled(maze, path, tiles=tiles)
    side = 16 if tiles == "passages" else 32
    put_start(path, {"x": 1.5 * side + 1, "y": 2.5 * side - 1})
    found = meiro.read(path)
    assert isinstance(found, meiro.Maze)
    assert (found.start, found.goal, found.openings.tolist()) == ((2, 1), None, maze.openings.tolist())
    if tiles == "passages":  # beside the wall, or in the cell
        text = path.read_text()
        for x, y in ((55, 2), (51, 4), (56, -3)):
            path.write_text(text.replace('name="opening" x="56" y="0"', f'name="opening" x="{x}" y="{y}"'))
            assert read_tiled(path).openings.tolist() == maze.openings.tolist()  # type: ignore[union-attr]
        path.write_text(text.replace('name="opening" x="56" y="0"', 'name="opening" x="24" y="24"'))
        refused(ValueError, r"openings: .3, 3. is not the site of a wall", read_tiled, path)


@pytest.mark.parametrize(
    ("flags", "turned"),
    [
        (0x80000000, np.fliplr),
        (0x40000000, np.flipud),
        (0x20000000, np.transpose),
        (0xC0000000, lambda x: np.rot90(x, 2)),
        (0xA0000000, lambda x: np.rot90(x, -1)),
        (0x60000000, np.rot90),
        (0xE0000000, lambda x: np.rot90(x.T, 2)),
        (0x10000000, np.array),
    ],
)
def test_turned_tiles_are_turned_cells(flags: int, turned: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.tmj"
    maze = meiro.generate((5, 5), rng=3)
    save_tiled(maze, path)
    own = json.loads(path.read_text())
    own["layers"][0]["data"] = turned(maze.passages.astype(int) + 1 + flags).ravel().tolist()
    path.write_text(json.dumps(own))
    found = read_tiled(path)
    assert isinstance(found, meiro.Maze)
    np.testing.assert_array_equal(found.grid, turned(maze.grid))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_openings_are_open_sides_of_their_tiles(suffix: str, tmp_path: Path) -> None:
    corner = meiro.transforms.with_openings(ROOMS, [((0, 0), "north"), ((0, 0), "west")])
    ring = meiro.generate(mask=np.pad([[False]], 1, constant_values=True), rng=1)
    ring = meiro.transforms.with_openings(ring, [((0, 1), "south"), ((2, 2), "east"), ((2, 0), "south")])
    path = tmp_path / f"a.{suffix}"
    for maze in (corner, ring):
        road = maze.grid == 0
        sides = [road[:-1:2, 1::2], road[1::2, 2::2], road[2::2, 1::2], road[1::2, :-1:2]]
        codes = sum(side.astype(int) << i for i, side in enumerate(sides))
        tiles = np.where(road[1::2, 1::2], codes + 1, 0)
        save_tiled(maze, path)
        assert np.array_equal(read_tiled(path, wall=0), tiles == 0)
        numbers = [int(number) for number in re.findall(r"\d+", tiles_of(path))]
        assert numbers == tiles.ravel().tolist()
        assert read_tiled(path) == maze
        closed = np.where(road[1::2, 1::2], maze.passages + 1, 0).ravel().tolist()  # as older versions wrote
        path.write_text(path.read_text().replace(tiles_of(path), str(closed)[1:-1]))
        assert read_tiled(path) == maze


def tiles_of(path: Path) -> str:
    """Return the part of a map that has the numbers of the tiles."""
    (found,) = re.findall(r'(?:csv">|"data": \[)([\d,\s]+)', path.read_text())
    return str(found)


def test_damaged_maps_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    for old, new, message in (
        ("<map ", "<!DOCTYPE a [<!ENTITY b 'c'>]><map ", "a DOCTYPE"),
        ("<map ", "<mop ", "mismatched tag: line"),
        ("UTF-8", "UTB-8", "unknown encoding"),
        ("</map>", "", "no element found: line"),
        ('value="passages"', 'value="other"', "property tiles of the map is 'other': meiro did not"),
        ('name="maze" width="9"', 'name="maze" width="8"', "the layer has 63 tiles, and its size is 56"),
        ('name="maze" width="9"', 'name="maze" width="9999999999"', "more than the file can hold"),
        ('name="maze" width="9"', 'name="maze" width="-9"', "width is -9, less than 1"),
        ('name="maze" width="9"', 'name="maze" width="1e3"', "width is '1e3', not a whole number"),
        ('<layer id="1" name="maze"', f'{EMPTY}<layer name="b"', "'maze', layer=: there are .'a', 'b'"),
        ('encoding="csv"', 'encoding="zstd"', "its tiles are in 'zstd'"),
        ('encoding="csv">\n', 'encoding="csv">\n9', "the tile in row 0, column 0 is 9"),
        ('name="start" x="', 'name="start" x="inf', "could not convert|is inf"),
    ):
        save_tiled(ROOMS, path)
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        refused(ValueError, rf"a\.tmx': .*({message})", read_tiled, path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expecting value"),
        ("[]", "not a map of Tiled"),
        ("[" * 100_000, "recursion"),
        ('{"type": "tileset"}', "not a map of Tiled"),
        ('{"layers": 3, "properties": [1]}', "damaged or not of Tiled"),
        ('{"layers": null}', "damaged or not of Tiled"),
        ("<tileset/>", "<tileset> is not <map>"),
    ],
)
def test_other_json_and_xml_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / ("a.tmx" if text.startswith("<") else "a.tmj")
    path.write_text(text)
    refused(ValueError, rf"{path.name}': .*{message}", read_tiled, path)


FOREIGN = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.5" orientation="orthogonal" width="4" height="2" tilewidth="32" tileheight="32" infinite="0">
 <tileset firstgid="1" source="floor.tsx"/>
 <layer id="1" name="ground" width="4" height="2"><data encoding="csv">1,1,1,1,
1,1,1,1</data></layer>
 <layer id="2" name="blocks" width="4" height="2"><data encoding="csv">7,0,3221225479,8,
9,0,0,1</data></layer>
</map>
"""


@pytest.mark.parametrize(
    ("wall", "expected"),
    [
        (7, [[1, 0, 1, 0], [0, 0, 0, 0]]),  # one of them turned
        ([7, 8, 9], [[1, 0, 1, 1], [1, 0, 0, 0]]),
        (0, [[0, 1, 0, 0], [0, 1, 1, 0]]),
        (None, [[1, 0, 1, 1], [1, 0, 0, 1]]),
    ],
)
def test_walls_of_other_maps(wall: Any, expected: list[list[int]], tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(FOREIGN)
    found = read_tiled(path, layer="blocks", wall=wall)
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.uint8
    assert found.tolist() == expected
    if wall == 7:  # in any layer
        assert read_tiled(path, wall=wall).tolist() == expected  # type: ignore[union-attr]
        assert read_tiled(path, layer=["ground", "blocks"], wall=0).tolist() == [[0] * 4] * 2  # type: ignore[union-attr]
    with pytest.raises(ValueError, match=r"'maze', layer=: there are \['ground', 'blocks'\]"):
        read_tiled(path, layer="maze", wall=wall)
    same: Any = meiro.read(path, layer="blocks")
    assert np.array_equal(same, read_tiled(path, layer="blocks"))
    refused(ValueError, r"by wall= of meiro.io.read_tiled, .* layer=: .*'ground', 'blocks'", meiro.read, path)
    refused(ValueError, r"all places of layer=\['ground'\] have a tile", read_tiled, path, layer="ground")


WALLS = [[1, 0, 1], [0, 0, 1]]
GIDS = np.array([1, 0, 1, 0, 2, 1], "<u4")


def packed(how: str, data: bytes = GIDS.tobytes()) -> str:
    if how == "zstd":
        numcodecs = pytest.importorskip("numcodecs")
        data = numcodecs.Zstd().encode(data)
    else:
        data = zlib.compress(data) if how == "zlib" else gzip.compress(data) if how == "gzip" else data
    return base64.b64encode(data).decode()


def chunk(x: int, y: int, gids: list[int], cols: int = 2) -> str:
    sides = f'x="{x}" y="{y}" width="{cols}" height="{len(gids) // cols}"'
    return f"<chunk {sides}>{','.join(map(str, gids))}</chunk>"


LAYER = '<layer id="1" name="Walls" width="3" height="2"><data {}>{}</data></layer>'
IN_CSV = partial(LAYER.format, 'encoding="csv"')
CSV = IN_CSV("1,0,1,\n0,2,1,\n")
LOW = CSV.replace('height="2"', 'height="1"').replace("\n0,2,1,", "")
BODIES = {
    "tiles": LAYER.format("", "".join(f'<tile gid="{gid}"/>' if gid else "<tile/>" for gid in GIDS)),
    "CSV": CSV,
    "group": f'<group id="2"><group id="3" name="g">{CSV}</group></group>',
    "later": f"{CSV.replace('Walls', 'Floor').replace('0', '3')}<group>{CSV}</group>",
    "chunks": IN_CSV(chunk(-2, -1, [0, 1, 0, 0]) + chunk(0, -1, [0, 1, 2, 1]) + chunk(16, 64, [0, 0])),
    "packed chunks": LAYER.format(
        'encoding="base64" compression="zlib"',
        f'<chunk x="8" y="-4" width="3" height="2">{packed("zlib")}</chunk>',
    ),
}


def write_foreign(
    path: Path, body: str, sets: str = '<tileset firstgid="1" source="no.tsx"/>', **how: str
) -> Path:
    """Write a map as other programs do, as JSON by way of a reader of XML that is not ours."""
    given = {"orientation": "orthogonal", "tilewidth": "16", "infinite": str(int("chunk" in body))} | how
    named = "".join(f' {key}="{value}"' for key, value in given.items())
    named += ' width="3" height="2" tileheight="16"'
    path.write_text(f"<map{named}>{sets}{body}</map>")
    return path


@pytest.mark.parametrize("body", [*BODIES, *PACKED, "zstd"])
def test_tiles_in_every_form(body: str, tmp_path: Path) -> None:
    how = f'encoding="base64" compression="{body}"'
    text = BODIES[body] if body in BODIES else LAYER.format(how, f"\n  {packed(body)}\n ")
    path = write_foreign(tmp_path / "a.tmx", text)
    found = read_tiled(path, layer="Walls", wall=1)
    assert isinstance(found, np.ndarray)
    assert found.tolist() == WALLS
    for encoding in ("utf-16", "utf-8-sig", "iso-8859-1"):
        head = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?><!DOCTYPE map SYSTEM "m">'
        named = write_foreign(path, text).read_text().replace("Walls", "Wände")
        path.write_text(head + named, encoding)
        assert read_tiled(path, layer="Wände", wall=[1]).tolist() == WALLS  # type: ignore[union-attr]


@pytest.mark.parametrize("how", [*PACKED, "zstd", "chunks"])
def test_tiles_in_every_form_of_json(how: str, tmp_path: Path) -> None:
    layer: dict[str, Any] = {"name": "Walls", "type": "tilelayer", "width": 3, "height": 2}
    if how == "chunks":
        layer["chunks"] = [{"x": -8, "y": 3, "width": 3, "height": 2, "data": GIDS.tolist()}]
    else:
        layer |= {"encoding": "base64", "compression": how, "data": packed(how)}
    own = {"infinite": how == "chunks", "layers": [{"type": "group", "name": "g", "layers": [layer]}]}
    path = tmp_path / "level.json"  # the suffix of Tiled's older versions
    path.write_text(json.dumps(own | {"tilewidth": 16, "tileheight": 16, "tilesets": []}))
    assert read_tiled(path, layer="Walls", wall=1).tolist() == WALLS  # type: ignore[union-attr]
    refused(ValueError, r"it is a map of Tiled: rename it to \.tmj", meiro.read, path)
    if how != "chunks":
        path.write_text(path.read_text().replace(packed(how), packed(how)[:-8]))
        refused(ValueError, r"json': the (tiles are damaged|layer has)", read_tiled, path, layer="Walls")


def test_zstd_needs_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_foreign(tmp_path / "a.tmx", LAYER.format('encoding="base64" compression="zstd"', "KLUv/SA="))
    if sys.version_info < (3, 14):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, "numcodecs.zstd", None)
            words = r"numcodecs, or a map without .* zstd: pip install 'meiro\[dist\]'"
            refused(ImportError, words, read_tiled, path, layer="Walls")
        pytest.importorskip("numcodecs")
    refused(ValueError, "the tiles are damaged", read_tiled, path, layer="Walls")


CLASSES = """<tileset name="walls" tilewidth="16" tileheight="16">
 <tile id="0" type="solid"/>
 <tile id="1" class="floor"><properties><property name="wall" type="bool" value="false"/></properties></tile>
 <tile id="2"><properties><property name="wall" type="bool" value="true"/><property name="kind" value="rock"/>
 </properties></tile>
</tileset>"""
PROPERTIES = {"2": {"wall": True, "kind": "rock"}, "1": {"wall": False}}
SETS = {
    "tsx": CLASSES,
    "tsj": json.dumps({
        "type": "tileset",
        "tilewidth": 16,
        "tiles": [
            {"id": 0, "type": "solid"},
            {"id": 1, "class": "floor"},
            {"id": 2, "properties": [{"name": "wall", "value": True}, {"name": "kind", "value": "rock"}]},
        ],
    }),
    "json": json.dumps({"tilewidth": 16, "tiles": {"0": {"type": "solid"}}, "tileproperties": PROPERTIES}),
}  # fmt: skip


@pytest.mark.parametrize("suffix", [*SETS, "inside"])
@pytest.mark.parametrize(
    ("wall", "expected"),
    [
        ("solid", [[1, 0, 0], [0, 0, 0]]),
        ("wall", [[0, 0, 1], [0, 0, 0]]),
        ("rock", [[0, 0, 1], [0, 0, 0]]),
        (["solid", "wall", 9], [[1, 0, 1], [0, 0, 1]]),
        ("hard", [[0, 0, 0], [1, 0, 0]]),
    ],
)
def test_walls_by_class_or_property(wall: Any, expected: object, suffix: str, tmp_path: Path) -> None:
    hard = '<layer name="b" width="3" height="2" class="hard"><data encoding="csv">0,0,0,4,0,0</data></layer>'
    if suffix == "inside":
        sets = CLASSES.replace("<tileset", '<tileset firstgid="4"')
    else:
        (tmp_path / "sets").mkdir()
        (tmp_path / "sets" / f"walls.{suffix}").write_text(SETS[suffix])
        slash = "\\" if suffix == "tsx" else "/"
        sets = f'<tileset firstgid="4" source="sets{slash}walls.{suffix}"/>'
    sets = f'<tileset firstgid="9" source="other.tsx"/>{sets}'
    body = LAYER.format('encoding="csv"', f"{4 | 1 << 31},5,6,0,5,9") + hard
    path = write_foreign(tmp_path / "a.tmx", body.replace(",4,0,0<", ",5,0,0<"), sets)
    assert read_tiled(path, wall=wall).tolist() == expected  # type: ignore[union-attr]
    words = r"property 'walls', wall=: .*'solid', 'wall'\]; not there: other.tsx"
    refused(ValueError, words, read_tiled, path, wall="walls")


@pytest.mark.parametrize("suffix", ["tsx", "tsj"])
def test_damaged_sets_are_refused(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"b.{suffix}").write_text(SETS[suffix][:-9])
    path = write_foreign(tmp_path / "a.tmx", CSV, f'<tileset firstgid="1" source="b.{suffix}"/>')
    refused(ValueError, rf"a\.tmx': the set of tiles 'b\.{suffix}': ", read_tiled, path, wall="solid")
    assert read_tiled(path, wall=1).tolist() == WALLS  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("objects", "how", "start"),
    [
        ('<object name="start" x="33" y="31"/>', {}, (1, 2)),
        ('<object type="Start" x="33" y="31"/>', {}, (1, 2)),
        ('<object class="start" x="33" y="31"/>', {}, (1, 2)),
        ('<object name="start" x="0" y="16"><polygon points="1,1 20,9 2,14"/></object>', {}, (1, 0)),
        ('<object name="start" x="17" y="8"/>', {"orientation": "isometric", "tilewidth": "32"}, (0, 1)),
        ('<object name="start" gid="1" x="0" y="16"/>', {"orientation": "isometric"}, (0, 0)),
        ('<object name="start" x="17" y="8"/>', {"orientation": "hexagonal"}, None),
        ('<object name="start" x="17" y="99"/>', {}, None),
        ('<object name="begin" x="17" y="8"/>', {}, None),
    ],
)
def test_starts_of_other_maps(objects: str, how: dict[str, str], start: object, tmp_path: Path) -> None:
    group = f'<objectgroup id="5">{objects}</objectgroup>'
    found = read_tiled(write_foreign(tmp_path / "a.tmx", CSV + group, **how), layer="Walls", wall=1)
    assert isinstance(found, meiro.io.PictureArray)
    assert (found.start, found.goal, found.tolist()) == (start, None, WALLS)


def test_objects_are_measured_from_their_tiles(tmp_path: Path) -> None:
    goal = '<objectgroup offsety="16"><object name="goal" x="17" y="1"/></objectgroup>'
    group = f'<group offsetx="100" offsety="-50">{goal}</group>'
    body = CSV.replace("<layer", '<layer offsetx="100" offsety="-50"') + group
    found: Any = read_tiled(write_foreign(tmp_path / "a.tmx", body), wall=1)
    assert found.goal == (1, 1)
    body = f'<objectgroup><object name="start" x="{9 * 16}" y="{-4 * 16}"/></objectgroup>'
    found = read_tiled(write_foreign(tmp_path / "a.tmx", BODIES["packed chunks"] + body), wall=1)
    assert found.start == (0, 1)
    assert meiro.solve(found, goal=(1, 0)).path.tolist() == [[0, 1], [1, 1], [1, 0]]


TEMPLATES = {
    "tx": '<template><tileset firstgid="7" source="sets/walls.tsx"/>'
    '<object name="start" gid="9" width="16" height="16"/></template>',
    "tj": '{"type": "template", "tileset": {"firstgid": 7, "source": "sets\\\\walls.tsx"}, '
    '"object": {"name": "start", "gid": 9, "width": 16, "height": 16}}',
}


@pytest.mark.parametrize("suffix", TEMPLATES)
def test_objects_have_what_their_template_has(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "of" / "sets").mkdir(parents=True)
    centred = CLASSES.replace("<tileset", '<tileset objectalignment="center"')
    (tmp_path / "of" / "sets" / "walls.tsx").write_text(centred)
    (tmp_path / "of" / f"a.{suffix}").write_text(TEMPLATES[suffix])
    (tmp_path / "b.tx").write_text('<template><object type="goal" width="2" height="2"/></template>')
    objects = f'<object template="of\\a.{suffix}" x="33" y="17"/><object template="b.tx" x="15" y="1"/>'
    path = write_foreign(tmp_path / "a.tmx", f"{CSV}<objectgroup>{objects}</objectgroup>")
    found: Any = read_tiled(path, wall=1)
    assert (found.start, found.goal) == ((1, 2), (0, 1))
    path.write_text(path.read_text().replace('y="17"', 'y="17" name="goal"'))
    found = read_tiled(path, wall=1)
    assert (found.start, found.goal) == (None, (1, 2))
    (tmp_path / "b.tx").write_text("<template>")
    with pytest.raises(ValueError, match=r"a\.tmx': the template 'b\.tx' of an object: no element found"):
        read_tiled(path, wall=1)
    (tmp_path / "b.tx").unlink()
    with pytest.raises(ValueError, match=r"a\.tmx': the template 'b\.tx' of an object is not there: put it"):
        read_tiled(path, wall=1)


def test_damaged_foreign_maps_are_refused(tmp_path: Path) -> None:
    for body, message in (
        ("", "no layer has tiles"),
        (CSV + LOW, r"different shapes, .1, 3. and .2, 3.: say which, layer="),
        (IN_CSV(chunk(0, 0, [0, 0])), "there is no tile in it"),
        (IN_CSV(chunk(0, 0, [1, 0]) + chunk(9**9, 9**9, [1, 0])), "more than the file can"),
        (IN_CSV(chunk(0, 0, [1, 0, 1])), "the layer has 3 tiles, and its size is 2"),
        (LAYER.format("", '<tile gid="1"/>'), "the layer has 1 tiles, and its size is 6"),
    ):
        path = write_foreign(tmp_path / "a.tmx", body)
        refused(ValueError, rf"a\.tmx': .*{message}", read_tiled, path, wall=1)


def test_wrong_walls_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(FOREIGN)
    several: list[Any] = [1.5, [], True, ["solid", 1.5]]
    for wrong in several:
        refused(TypeError, "wall must be numbers of tiles", read_tiled, path, layer="blocks", wall=wrong)
    refused(ValueError, "wall must be numbers of tiles, 0 to", read_tiled, path, layer="blocks", wall=-1)
    refused(ValueError, "wall must be numbers of tiles, 0 to", read_tiled, path, layer="blocks", wall=1 << 28)
    there = r"no tile is \[6\], wall=: there are \[0, 1, 7, 8, 9\]"
    refused(ValueError, there, read_tiled, path, layer="blocks", wall=[6])
    for layer in (3, [], ["blocks", 3]):
        refused(TypeError, "layer must be the name", read_tiled, path, layer=layer)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    refused(ValueError, r"must end in \.tmx or \.tmj", save_tiled, ROOMS, tmp_path / "a.xml")
    refused(ValueError, "tile_size", save_tiled, ROOMS, tmp_path / "a.tmx", tile_size=3)
    refused(ValueError, r"passages. are drawn with posts", save_tiled, ROOMS, tmp_path / "a.tmx", posts=False)
    refused(ValueError, "that XML cannot", save_tiled, ROOMS, tmp_path / "a\x01.tmx")
    assert not list(tmp_path.iterdir())


def test_places_of_large_mazes_are_exact(tmp_path: Path) -> None:
    maze = meiro.Maze(meiro.generate((2, 9000), rng=1).passages, start=(1, 8998), goal=(0, 7777))
    save_tiled(maze, tmp_path / "a.tmx", tile_size=255)
    again = read_tiled(tmp_path / "a.tmx")
    assert isinstance(again, meiro.Maze)
    assert again.endpoints == ((1, 8998), (0, 7777))


@pytest.mark.parametrize("kind", ["masked", "opened", "rooms"])
def test_a_plan_has_an_edge_around_each_wall(kind: str, tmp_path: Path) -> None:
    maze, size, edge = judged_mazes()[kind], 16, 2
    save_tiled(maze, tmp_path / "a.tmj", tiles="blob", posts=False)
    own = json.loads((tmp_path / "a.tmj").read_text())
    with Image.open(tmp_path / "a.tiles.png") as image:
        look = np.array(image.convert("RGB")).reshape(size, -1, size, 3).swapaxes(0, 1)
    names = [tile["type"] for tile in own["tilesets"][0]["tiles"]]
    assert [names.count(name) for name in ("floor", "wall", "door", "opening")] == [1, 47, 2, 2]
    grid = maze.to_grid(posts=False)
    inside = np.ones(grid.shape, bool) if maze.mask is None else np.zeros(grid.shape, bool)
    for row, col in () if maze.mask is None else np.argwhere(maze.mask):
        inside[2 * row : 2 * row + 3, 2 * col : 2 * col + 3] = True
    data = [layer["data"] for layer in own["layers"] if "data" in layer]
    floor, walls, doors = (np.array(tiles).reshape(grid.shape) - 1 for tiles in data)
    np.testing.assert_array_equal(floor, np.where(inside, 0, -1))
    np.testing.assert_array_equal(walls >= 0, (grid == 1) & inside)
    solid = np.pad((walls >= 0).repeat(size, axis=0).repeat(size, axis=1), edge)
    steps = range(2 * edge + 1)
    sides = [side * size for side in grid.shape]
    deep = np.logical_and.reduce([solid[i : i + sides[0], j : j + sides[1]] for i in steps for j in steps])
    drawn = look[walls].swapaxes(1, 2).reshape(*sides, 3)
    here = solid[edge:-edge, edge:-edge]
    (wall,), (rim,) = (np.unique(drawn[part], axis=0).tolist() for part in (deep, here & ~deep))
    assert (wall, rim) == ([126, 136, 150], [45, 52, 64])
    there = {(*site, names[doors[tuple(site)]]) for site in np.argwhere(doors >= 0).tolist()}
    marks = {
        (int(one["y"] // size), int(one["x"] // size), one["name"])
        for one in own["layers"][-1]["objects"]
        if one["name"] in {"door", "opening"}
    }
    assert there == marks
    for row, col, _ in there:  # the bar lies in the direction of the wall
        bar = (look[doors[row, col]] != look[0]).any(axis=2)
        assert bar.all(axis=1 - row % 2).sum() == bar.sum() // size == 4
        assert grid[row, col] == 0


@pytest.mark.peers
def test_tiled_keeps_the_terrain_of_a_plan(tmp_path: Path) -> None:
    ours, again = tmp_path / "a.tmx", tmp_path / "again.tmj"
    maze = judged_mazes()["opened"]
    save_tiled(maze, ours, tiles="blob")
    run_tiled("tiled", "--export-map", "json", ours, again)
    (terrain,) = json.loads(again.read_text())["tilesets"][0]["wangsets"]
    assert (terrain["type"], len(terrain["wangtiles"])) == ("mixed", 46)  # all but the wall alone
    require_same(meiro.read(again), maze)


@pytest.mark.peers
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("tiles", ["passages", "wide"])
def test_pytiled_parser_reads_ours(suffix: str, tiles: Any, tmp_path: Path) -> None:
    import pytiled_parser

    path = tmp_path / f"a.{suffix}"
    save_tiled(ROOMS, path, tiles=tiles)
    theirs = pytiled_parser.parse_map(path)
    wanted = ROOMS.passages if tiles == "passages" else ROOMS.grid
    layer, places = theirs.layers
    assert isinstance(layer, pytiled_parser.TileLayer)
    assert isinstance(places, pytiled_parser.ObjectLayer)
    np.testing.assert_array_equal(np.array(layer.data) - 1, wanted)
    names = [place.name for place in places.tiled_objects]
    assert names[:2] == ["start", "goal"]
    assert names.count("room") == len(ROOMS.rooms())
    assert names.count("door") == sum(len(room.doors) for room in ROOMS.rooms())
    start = places.tiled_objects[0].coordinates
    assert (start.x, start.y) == ((8, 8) if tiles == "passages" else (24, 24))
    assert theirs.properties is not None
    assert meiro.generate(**json.loads(str(theirs.properties["recipe"]))) == ROOMS
    assert Path(str(theirs.tilesets[1].image)).name == "a.tiles.png"


def run_tiled(*command: str | Path) -> None:
    """Run `tiled` or `tmxrasterizer` without a screen; the last argument is the file that it writes."""
    program, *rest = command
    screen = {"QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": os.fspath(Path(rest[-1]).parent)}
    done = subprocess.run(
        [needs(str(program), "tiled"), *rest],
        env=os.environ | screen,
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    warnings = [line for line in done.stderr.splitlines() if not line.startswith("QStandardPaths: ")]
    assert (done.returncode, done.stdout, warnings) == (0, "", [])


def judged_mazes() -> dict[str, meiro.Maze]:
    mask = np.ones((7, 9), bool)
    mask[2:4, 3:6] = mask[6, :2] = False
    masked = meiro.generate(mask=mask, rng=4)
    opened = meiro.transforms.with_openings(masked, [(0, 3), (14, 5)])
    torus = periodic_maze((4, 5), WRAPS[0], 3, 1)
    return {"masked": masked, "opened": opened, "rooms": ROOMS, "periodic": torus}


@pytest.mark.peers
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", judged_mazes())
def test_tiled_saves_ours_again(kind: str, suffix: str, tmp_path: Path) -> None:
    maze = judged_mazes()[kind]
    save_tiled(maze, tmp_path / f"a.{suffix}")
    for other in SUFFIXES:
        again = tmp_path / f"again.{other}"
        form = "tmx" if other == "tmx" else "json"
        run_tiled("tiled", "--export-map", form, tmp_path / f"a.{suffix}", again)
        assert "tiledversion" in again.read_text()
        require_same(read_tiled(again), maze)


@pytest.mark.peers
@pytest.mark.parametrize("how", PACKED)
def test_tiles_that_tiled_packed_are_read(how: str, tmp_path: Path) -> None:
    ours, again = tmp_path / "a.tmx", tmp_path / "again.tmx"
    save_tiled(ROOMS, ours)
    attribute = f' compression="{how}"' if how else ""
    data = f'<data encoding="base64"{attribute}>'
    tiles = packed(how, (ROOMS.passages + 1).astype("<u4").tobytes())
    ours.write_text(re.sub("<data.*</data>", f"{data}{tiles}</data>", ours.read_text(), flags=re.DOTALL))
    run_tiled("tiled", "--export-map", "tmx", ours, again)
    assert data in again.read_text()
    assert read_tiled(again) == ROOMS


@pytest.mark.peers
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("tiles", ["passages", "wide", "blob"])
@pytest.mark.parametrize("kind", ["masked", "opened", "rooms"])
def test_tiled_draws_ours(kind: str, tiles: Any, suffix: str, tmp_path: Path) -> None:
    maze, size = judged_mazes()[kind], 20
    path, drawn = tmp_path / f"a.{suffix}", tmp_path / "drawn.png"

    def picture(*options: str) -> Any:
        run_tiled("tmxrasterizer", *options, path, drawn)
        with Image.open(drawn) as image:
            return np.array(image.convert("RGBA"))  # where no tile is, alpha is 0

    save_tiled(maze, path, tiles=tiles, tile_size=size)
    bare, whole = picture("--hide-layer", "places"), picture()
    site = size // 2 if tiles == "passages" else size  # pixels from one site of the grid to the next
    first = 0 if tiles == "passages" else size // 2
    down, across = (
        np.minimum(first + site * np.arange(2 * n + 1), side - 1)
        for n, side in zip(maze.shape, bare.shape, strict=False)
    )
    road = bare[np.ix_(down, across)][..., 0] > 140  # red of floors, doors and openings; walls have less
    np.testing.assert_array_equal(road, maze.grid == 0)
    changed = (bare != whole).any(axis=2)
    points = [(2 * row + 1, 2 * col + 1) for row, col in maze.endpoints]
    points += [(row, col) for row, col in maze.openings.tolist()]
    for room in maze.rooms():
        corners = np.ndindex(2, 2)
        points += [(2 * (room.row + room.height * i), 2 * (room.col + room.width * j)) for i, j in corners]
    assert len(points) == {"masked": 2, "opened": 4, "rooms": 6}[kind]
    for row, col in points:
        y, x = first + site * row, first + site * col
        around = changed[max(y - 3, 0) : y + 3, max(x - 3, 0) : x + 3]
        assert around.any(), (row, col)  # a corner, or the tip of a pin
