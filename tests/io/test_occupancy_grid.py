"""Occupancy grids of ROS: round trips, PyYAML and Pillow as judges, damaged files."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml
from arbitrary_mazes import mazes
from hypothesis import given
from PIL import Image
from refusals import refused

import meiro
from meiro.io import read_occupancy_grid, save_occupancy_grid

YAML = """image: map.pgm
resolution: 0.1
origin: [0.0, 0.0, 0.0]
occupied_thresh: 0.65
free_thresh: 0.196
negate: 0
"""
OTHER_YAML = [
    """\ufeff%YAML 1.1
---
image: ./maps/map.pgm # beside
resolution: &r 1.0e-1
origin:
- 0
- 0.0
- -0
occupied_thresh: 6.5e-1
free_thresh: .196
negate: false
mode: trinary
by: {me: [1, *r]}
...
""",
    """{"image": "maps/map.pgm", "resolution": "1e-1", "origin": [0, 0, 0], "negate": 0,
"occupied_thresh": 0.65, "free_thresh": 0.196}""",
]
BOMB = [*pairwise("abcdefghijklmnopqrstuvwxyz")]
PGM = b"P5\n3 2\n255\n\x00\xcd\xfe\xff\xce\x60"


@given(maze=mazes())
def test_a_maze_comes_back(maze: meiro.Maze, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("ros") / "map.yaml"
    save_occupancy_grid(maze, path)
    np.testing.assert_array_equal(read_occupancy_grid(path).walls, maze.grid)


def test_others_read_it(tmp_path: Path) -> None:
    maze = meiro.generate((5, 8), rng=3)
    path = tmp_path / "a map: no 1.yaml"
    save_occupancy_grid(maze, path, resolution=1e-5, origin=(-2, 1e20, 0.5))
    facts = yaml.safe_load(path.read_text())
    assert facts == {
        "image": "a map: no 1.pgm",
        "mode": "trinary",
        "resolution": 1e-5,
        "origin": [-2, 1e20, 0.5],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.196,
    }
    with Image.open(tmp_path / facts["image"]) as picture:
        occupied = (255 - np.asarray(picture, float)) / 255
    np.testing.assert_array_equal(occupied > facts["occupied_thresh"], maze.grid)
    np.testing.assert_array_equal(occupied < facts["free_thresh"], maze.grid == 0)
    recipe = json.loads(path.read_text().split("# recipe: ")[1])
    assert meiro.generate(**recipe) == maze
    np.testing.assert_array_equal(read_occupancy_grid(path).walls, maze.grid)


def test_sites_are_places_in_metres(tmp_path: Path) -> None:
    save_occupancy_grid(["....", ".##."], tmp_path / "a.yaml", resolution=0.5, origin=(-1, 2, 0))
    room = read_occupancy_grid(tmp_path / "a.yaml")
    assert (room.resolution, room.origin) == (0.5, (-1.0, 2.0, 0.0))
    assert not room.unknown.any()
    np.testing.assert_allclose(room.metres([(1, 0), (0, 3)]), [(-0.75, 2.25), (0.75, 2.75)])
    turned = room._replace(origin=(-1.0, 2.0, np.pi / 2))  # left becomes down
    np.testing.assert_allclose(turned.metres((1, 3)), (-1.25, 3.75))
    refused(ValueError, r"sites must have shape \(\.\.\., 2\)", room.metres, [1, 2, 3])
    refused(TypeError, "sites", room.metres, [1.5, 2])


@pytest.mark.parametrize("yaw", [0.0, 0.5, -3.0])
@pytest.mark.parametrize("resolution", [0.05, 1e-3, 7.0])
def test_places_in_metres_are_sites(yaw: float, resolution: float) -> None:
    walls = np.zeros((7, 9), np.uint8)
    room = meiro.io.OccupancyGrid(walls, walls > 0, resolution, (-12, 3, yaw))
    sites = np.argwhere(room.walls == 0)
    np.testing.assert_array_equal(room.sites(room.metres(sites)), sites)
    here = room.metres([(3, 4), (6, 0)])
    assert len(meiro.solve(room.walls, *room.sites(here + 0.4 * resolution)).path) == 8
    with pytest.raises(ValueError, match=r"\(-1000, 3\) is outside of the map, of .* origin at \(-12, 3, "):
        room.sites([here[0], (-1000, 3)])
    for far in ((np.nan, 0), (np.inf, 0), (1e308, 1e308)):
        refused(ValueError, r"outside of the map", room.sites, far)
    refused(ValueError, r"metres must have shape \(\.\.\., 2\)", room.sites, 1.0)


def test_thresholds_negate_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    (tmp_path / "map.pgm").write_bytes(PGM)
    path.write_text(YAML)  # the example of the format; 205 is unknown, 206 free
    assert read_occupancy_grid(path).walls.tolist() == [[1, 1, 0], [0, 0, 1]]
    assert read_occupancy_grid(path).unknown.tolist() == [[False, True, False], [False, False, True]]
    path.write_text("# map\n" + YAML.replace("negate: 0", "negate: 1  # white is occupied"))
    assert read_occupancy_grid(path).walls.tolist() == [[0, 1, 1], [1, 1, 1]]
    text = YAML.replace("0.196", "0.65").replace("map.pgm", "'map.pgm' # here")
    path.write_text(text.replace("\n", "\r\n"))
    assert read_occupancy_grid(path).walls.tolist() == [[1, 0, 0], [0, 0, 0]]
    (tmp_path / "map.pgm").write_bytes(b"P5 # a comment\n3\n# another\n1 100\n\x00\x51\x52")
    assert read_occupancy_grid(path).walls.tolist() == [[1, 0, 0]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("image: map.pgm\n", "", " has no image"),
        ("negate: 0\n", "", " has no negate"),
        ("negate: 0", "negate: maybe", ", line 6: negate 'maybe' must be 0 or 1"),
        ("negate: 0", "negate: 0\nnegate: 1", ", line 7: negate is there twice, in line 6"),
        ("negate: 0", "negate: [0, 1]", r", line 6: negate '\[0, 1\]' must be 0 or 1"),
        ("negate: 0", "negate: 0\nmode: grey", ", line 7: mode 'grey' is not trinary, scale or raw"),
        ("negate: 0", "negate: 0\nmode: !!python/name:os.system", ", line 7: mode '!!python/name:os.system'"),
        ("negate: 0", "color: 0", " has no negate"),
        ("negate: 0", "- negate: 0", ", line 6 is not YAML: expected <block end>, but found '-'"),
        ("negate: 0", "negate: *a", ", line 6 is not YAML: found undefined alias"),
        ("negate: 0", "negate: \0", " is not YAML: unacceptable character"),
        ("negate: 0", "negate: " + "[" * 1000, " is not YAML"),
        ("0.1\n", ".nan\n", ", line 2: resolution '.nan' must be a finite number, more than 0"),
        ("0.1\n", "0\n", ", line 2: resolution '0' must be a finite number, more than 0"),
        ("0.1\n", "1e999\n", ", line 2: resolution '1e999' must be a finite"),
        ("0.1\n", "1" * 500 + "\n", ", line 2: resolution '111"),
        ("0.1\n", "2001-02-30\n", ", line 2: resolution '2001-02-30' must be a finite"),
        ("[0.0, 0.0, 0.0]", "[0.0, 0.0]", r", line 3: origin '\[0.0, 0.0\]' must be"),
        ("[0.0, 0.0, 0.0]", "'123'", ", line 3: origin .* must be"),
        ("[0.0, 0.0, 0.0]", "[0, 0, .inf]", ", line 3: origin .* must be"),
        ("0.65", "1.5", ", line 4: occupied_thresh '1.5' must be from 0 to 1"),
        ("0.65", "0.1", ", line 5: free_thresh is more than occupied_thresh"),
        ("map.pgm", "../map.pgm", ", line 1: the image '../map.pgm' is not in its folder"),
        ("map.pgm", "/etc/passwd", ", line 1: the image '/etc/passwd' is not in its folder"),
        ("map.pgm", "a" * 999, ", line 1: the image 'aaa"),
        ("map.pgm", "other.pgm", ", line 1: the image 'other.pgm' is not in its folder: copy it there"),
        ("map.pgm", "link.pgm", ", line 1: the image 'link.pgm' is not in its folder"),
        ("map.pgm", "C:\\other.pgm", ", line 1"),
        ("map.pgm", "'map.pgm' x", ", line 1 is not YAML: expected <block end>"),
        ("map.pgm", "", ", line 1: image '' must be"),
    ],
)
def test_damaged_yaml_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    for name in (tmp_path / "map.pgm", folder / "map.pgm"):
        name.write_bytes(PGM)
    (folder / "link.pgm").symlink_to(tmp_path / "map.pgm")
    path = folder / "map.yaml"
    assert old in YAML
    path.write_text(YAML.replace(old, new, 1))
    refused(ValueError, rf"map\.yaml'{message}", read_occupancy_grid, path)


def test_yaml_of_other_programs(tmp_path: Path) -> None:
    """The same values, as the writers of YAML have them."""
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps/map.pgm").write_bytes(PGM)
    path = tmp_path / "map.yaml"
    path.write_text(YAML.replace("map.pgm", "maps/map.pgm"))
    wanted = read_occupancy_grid(path)
    for text in OTHER_YAML:
        path.write_text(text)
        found = read_occupancy_grid(path)
        np.testing.assert_array_equal(found.walls, wanted.walls)
        np.testing.assert_array_equal(found.unknown, wanted.unknown)
        assert found[2:4] == wanted[2:4]


def test_aliases_do_not_multiply(tmp_path: Path) -> None:
    (tmp_path / "map.pgm").write_bytes(PGM)
    bomb = "a: &a [0]\n" + "".join(f"{b}: &{b} [{', '.join(f'*{a}' for _ in range(9))}]\n" for a, b in BOMB)
    path = tmp_path / "map.yaml"
    path.write_text(bomb + YAML)
    assert read_occupancy_grid(path).resolution == 0.1
    path.write_text(bomb + YAML.replace("[0.0, 0.0, 0.0]", "*z"))
    refused(ValueError, r"origin .* must be", read_occupancy_grid, path)


SHADES = np.array([[0, 205, 254], [255, 206, 96]], np.uint8)
MEANING = [[1, 1, 0], [0, 0, 1]], [[False, True, False], [False, False, True]]


def value_of(pixel: tuple[int, ...], mode: str, negate: int) -> int:
    """Return the value of a pixel by the rules of map_server, with thresholds of 0.196 and 0.65."""
    opaque = len(pixel) in {1, 3}
    *colors, alpha = (*pixel, 255) if opaque else pixel
    channels = [*colors] * (3 // len(colors)) + [alpha] * (mode == "trinary" and not opaque)
    shade = sum(channels) / len(channels) / 255
    occupied = shade if negate else 1 - shade
    if mode == "raw":
        return round(shade * 255) if round(shade * 255) <= 100 else -1
    if mode == "scale" and alpha < 255:
        return -1
    if occupied > 0.65 or occupied < 0.196:
        return 100 if occupied > 0.65 else 0
    return round((occupied - 0.196) / (0.65 - 0.196) * 100) if mode == "scale" else -1


@pytest.mark.parametrize("negate", [0, 1])
@pytest.mark.parametrize("mode", ["trinary", "scale", "raw"])
@pytest.mark.parametrize("pixels", ["L", "LA", "RGB", "RGBA", "P", "I;16", "BMP"])
def test_values_are_those_of_map_server(pixels: str, mode: str, negate: int, tmp_path: Path) -> None:
    kind = {"I;16": "L", "BMP": "L", "P": "RGB"}.get(pixels, pixels)
    shades = np.random.default_rng(3).integers(0, 256, (16, 16, len(kind)), np.uint8)
    shades[0, :, 0] = [*range(94, 110)]
    shades[:8, :, kind.find("A")] = 255 if "A" in kind else shades[:8, :, 0]
    picture = Image.fromarray(shades if len(kind) > 1 else shades[..., 0], kind)
    if pixels == "P":
        picture = picture.quantize(64)
        shades = np.asarray(picture.convert("RGB"))
    elif pixels == "I;16":
        picture = Image.fromarray(np.asarray(picture, np.uint16) * 257)
    name = "a.bmp" if pixels == "BMP" else "a.png"
    picture.save(tmp_path / name)
    yaml_text = YAML.replace("map.pgm", name).replace("negate: 0", f"negate: {negate}")
    (tmp_path / "map.yaml").write_text(f"{yaml_text}mode: {mode}\n")
    found = read_occupancy_grid(tmp_path / "map.yaml")
    wanted = np.array([[value_of((*map(int, pixel),), mode, negate) for pixel in row] for row in shades])
    np.testing.assert_array_equal(found.values, wanted)
    sure = (wanted == 0) | (wanted == 100)
    if mode == "raw":
        sure = (wanted >= 0) & ((wanted < 19.6) | (wanted > 65))
    if mode != "scale":  # where 0 and 100 may be rounded
        np.testing.assert_array_equal(found.unknown, ~sure)
        np.testing.assert_array_equal(found.walls == 0, sure & (wanted < 50))
    assert found.walls[found.unknown | (wanted > 19.6)].all()


def test_a_picture_with_an_absolute_path_lies_beside(tmp_path: Path) -> None:
    (tmp_path / "map.pgm").write_bytes(PGM)
    for image in (tmp_path / "map.pgm", "/home/robot/maps/map.pgm", "'C:\\maps\\map.pgm'", "C:/map.pgm"):
        (tmp_path / "map.yaml").write_text(YAML.replace("map.pgm", str(image)))
        assert read_occupancy_grid(tmp_path / "map.yaml").walls.tolist() == [[1, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    "data",
    [
        b"P2\n# by hand\n3 2\n255\n0 205 254\n255 206 96\n",
        b"P5 3 2 65535 " + (SHADES.astype(">u2") * 257).tobytes(),
        b"P2\n3 2\n65535\n" + b" ".join(b"%d" % (257 * x) for x in SHADES.ravel().tolist()),
    ],
)
def test_graymaps_in_text_and_of_16_bits(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "map.pgm").write_bytes(data)
    (tmp_path / "map.yaml").write_text(YAML)
    found = read_occupancy_grid(tmp_path / "map.yaml")
    assert (found.walls.tolist(), found.unknown.tolist()) == MEANING


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"P2\n3 2\n255\n",
        b"P5",
        b"P53 2\n255\n" + b"\0" * 6,
        b"P5\n3 0\n255\n",
        b"P5\n3 99999999999\n255\n",
        b"Pf\n1 1\n-1.0\n\0\0\0\0",
        b"\x89PNG",
        PGM[:-1],
    ],
)
def test_damaged_pictures_are_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(YAML)
    (tmp_path / "map.pgm").write_bytes(data)
    refused(ValueError, r"map\.pgm' is no picture, or damaged: ", read_occupancy_grid, tmp_path / "map.yaml")


def test_huge_pictures_are_refused_before_memory_is_taken(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(YAML)
    (tmp_path / "map.pgm").write_bytes(b"P5\n9999999999 9999999999\n255\n" + b"\0" * 12)
    refused(MemoryError, r"map\.pgm' takes", read_occupancy_grid, tmp_path / "map.yaml")


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    refused(ValueError, r"must end in .yaml or .yml", save_occupancy_grid, [[0]], tmp_path / "map.pgm")
    refused(ValueError, "resolution must be", save_occupancy_grid, [[0]], tmp_path / "map.yaml", resolution=0)
    with pytest.raises(ValueError, match="origin must be x, y and yaw, three numbers, not 2"):
        save_occupancy_grid([[0]], tmp_path / "map.yaml", origin=(0, 0))
    refused(ValueError, "without quotes", save_occupancy_grid, [[0]], tmp_path / 'a"b.yaml')
    assert not list(tmp_path.iterdir())
