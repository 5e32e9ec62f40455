"""Maps of Tiled: both forms, all encodings, damaged files; judges are pytiled-parser and Tiled itself."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import mazes
from hypothesis import given
from periodic_mazes import WRAPS, periodic_maze
from PIL import Image
from programs import needs

import meiro
from meiro.io import read_tiled, save_tiled

SUFFIXES = ["tmx", "tmj"]
PACKED = ["", "zlib", "gzip"]
ROOMS = meiro.generate((7, 9), "rooms", rng=3)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(maze=mazes())
def test_a_maze_comes_back(maze: meiro.Maze, suffix: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("tiled") / f"a.{suffix}"
    if maze.mask is None or maze.mask.all() or all(maze.mask[cell] for cell in maze.endpoints):
        save_tiled(maze, path)
        again = read_tiled(path)
        assert again == maze
        assert isinstance(again, meiro.Maze)
        assert again.endpoints == maze.endpoints
    save_tiled(maze, path, tiles="wide")
    np.testing.assert_array_equal(read_tiled(path), maze.grid)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("wrap", WRAPS)
def test_periodic_mazes_come_back(wrap: tuple[bool, bool], suffix: str, tmp_path: Path) -> None:
    maze = periodic_maze((4, 5), wrap, 3, 1)
    save_tiled(maze, tmp_path / f"a.{suffix}")
    assert read_tiled(tmp_path / f"a.{suffix}") == maze
    with pytest.raises(ValueError, match="cannot hold a periodic maze"):
        save_tiled(maze, tmp_path / f"a.{suffix}", tiles="wide")


def pack(path: Path, maze: meiro.Maze, how: str) -> str:
    """Give a TMX of a maze its tiles as base64, packed as `how` says, and return them."""
    raw = (maze.passages + 1).astype("<u4").tobytes()
    packed = {"": raw, "zlib": zlib.compress(raw), "gzip": gzip.compress(raw)}[how]
    text = base64.b64encode(packed).decode()
    attribute = f' compression="{how}"' if how else ""
    new, n = re.subn(
        r"<data.*</data>",
        f'<data encoding="base64"{attribute}>\n  {text}\n</data>',
        path.read_text(),
        flags=re.DOTALL,
    )
    assert n == 1
    path.write_text(new)
    return text


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


@pytest.mark.parametrize("how", PACKED)
def test_other_encodings_are_read(how: str, tmp_path: Path) -> None:
    maze = ROOMS
    tmx, tmj = tmp_path / "a.tmx", tmp_path / "a.tmj"
    save_tiled(maze, tmx)
    text = pack(tmx, maze, how)
    assert read_tiled(tmx) == maze
    save_tiled(maze, tmj)
    own = json.loads(tmj.read_text())
    own["layers"][0] |= {"data": text, "encoding": "base64", "compression": how}
    tmj.write_text(json.dumps(own))
    assert read_tiled(tmj) == maze
    tmj.write_text(json.dumps(own).replace(text, text[:-8]))
    with pytest.raises(ValueError, match=r"a\.tmj': the (tiles are damaged|layer has)"):
        read_tiled(tmj)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<map ", "<!DOCTYPE a [<!ENTITY b 'c'>]><map ", "a DOCTYPE"),
        ("<map ", "<mop ", "mismatched tag: line"),
        ("</map>", "", "no element found: line"),
        ('infinite="0"', 'infinite="1"', "the map is infinite"),
        ('value="passages"', 'value="other"', "property tiles of the map is 'other'"),
        ('name="maze" width="9"', 'name="maze" width="8"', "the layer has 63 tiles, and its size is 56"),
        ('name="maze" width="9"', 'name="maze" width="9999999999"', "more than the file can hold"),
        ('name="maze" width="9"', 'name="maze" width="-9"', "width is '-9', not a whole number"),
        (
            'name="maze" width="9"',
            'name="other" width="9"',
            "no layer of tiles has the name 'maze', layer=: there are .'other'",
        ),
        ('encoding="csv"', 'encoding="zstd"', "its tiles are in 'zstd'"),
        ('encoding="csv">\n', 'encoding="csv">\n9', "the tile in row 0, column 0 is 9"),
        ('name="start" x="', 'name="start" x="inf', "could not convert|is inf"),
    ],
)
def test_damaged_maps_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    save_tiled(ROOMS, path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ValueError, match=rf"a\.tmx': .*({message})"):
        read_tiled(path)


def test_other_xml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text("<tileset/>")
    with pytest.raises(ValueError, match=r"a\.tmx': .*<tileset> is not <map>"):
        read_tiled(path)


@pytest.mark.parametrize(
    "text", ["", "[]", "[" * 100_000, '{"type": "tileset"}', '{"layers": 3, "properties": [1]}']
)
def test_damaged_json_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tmj"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"a\.tmj': "):
        read_tiled(path)


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
    ],
)
def test_walls_of_other_maps(wall: Any, expected: list[list[int]], tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(FOREIGN)
    found = read_tiled(path, layer="blocks", wall=wall)
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.uint8
    assert found.tolist() == expected
    with pytest.raises(ValueError, match=r"'maze', layer=: there are \['ground', 'blocks'\]"):
        read_tiled(path, wall=wall)
    with pytest.raises(ValueError, match=r"say which tiles are walls, by wall= of meiro.io.read_tiled"):
        read_tiled(path, layer="blocks")


def test_wrong_walls_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(FOREIGN)
    several: list[Any] = ["7", 1.5, [], True]
    for wrong in several:
        with pytest.raises(TypeError, match="wall must be numbers of tiles"):
            read_tiled(path, layer="blocks", wall=wrong)
    for number in (-1, 1 << 29):
        with pytest.raises(ValueError, match="wall must be numbers of tiles, 0 to"):
            read_tiled(path, layer="blocks", wall=number)
    with pytest.raises(TypeError, match="layer must be the name"):
        read_tiled(path, layer=3)  # type: ignore[arg-type]


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must end in \.tmx or \.tmj"):
        save_tiled(ROOMS, tmp_path / "a.xml")
    with pytest.raises(ValueError, match="tile_size"):
        save_tiled(ROOMS, tmp_path / "a.tmx", tile_size=3)
    with pytest.raises(ValueError, match="that XML cannot"):
        save_tiled(ROOMS, tmp_path / "a\x01.tmx")
    assert not list(tmp_path.iterdir())


def test_places_of_large_mazes_are_exact(tmp_path: Path) -> None:
    maze = meiro.Maze(meiro.generate((2, 9000), rng=1).passages, start=(1, 8998), goal=(0, 7777))
    save_tiled(maze, tmp_path / "a.tmx", tile_size=255)
    again = read_tiled(tmp_path / "a.tmx")
    assert isinstance(again, meiro.Maze)
    assert again.endpoints == ((1, 8998), (0, 7777))


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
    return {
        "masked": masked,
        "opened": opened,
        "rooms": ROOMS,
        "periodic": periodic_maze((4, 5), WRAPS[0], 3, 1),
    }


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
        read = read_tiled(again)
        assert isinstance(read, meiro.Maze)
        assert read == maze
        assert read.endpoints == maze.endpoints
        assert read.openings.tolist() == maze.openings.tolist()


@pytest.mark.peers
@pytest.mark.parametrize("how", PACKED)
def test_tiles_that_tiled_packed_are_read(how: str, tmp_path: Path) -> None:
    ours, again = tmp_path / "a.tmx", tmp_path / "again.tmx"
    save_tiled(ROOMS, ours)
    pack(ours, ROOMS, how)
    run_tiled("tiled", "--export-map", "tmx", ours, again)
    attribute = f' compression="{how}"' if how else ""
    assert f'<data encoding="base64"{attribute}>' in again.read_text()
    assert read_tiled(again) == ROOMS


@pytest.mark.peers
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("tiles", ["passages", "wide"])
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
    road = (bare[np.ix_(down, across)] == 255).all(axis=2)
    np.testing.assert_array_equal(road, maze.grid == 0)
    changed = (bare != whole).any(axis=2)
    points = [(2 * row + 1, 2 * col + 1) for row, col in maze.endpoints]
    points += [(row, col) for row, col in maze.openings.tolist()]
    for room in maze.rooms():
        points += [
            (2 * (room.row + room.height * i), 2 * (room.col + room.width * j)) for i, j in np.ndindex(2, 2)
        ]
    assert len(points) == {"masked": 2, "opened": 4, "rooms": 6}[kind]
    for row, col in points:
        y, x = first + site * row, first + site * col
        assert changed[max(y - 3, 0) : y + 3, max(x - 3, 0) : x + 3].any(), (
            row,
            col,
        )  # a corner, or the tip of a pin
