"""Occupancy grids of ROS: round trips, PyYAML and Pillow as judges, damaged files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from arbitrary_mazes import mazes
from hypothesis import given
from PIL import Image

import meiro
from meiro.io import read_occupancy_grid, save_occupancy_grid

if TYPE_CHECKING:
    from pathlib import Path

YAML = """image: map.pgm
resolution: 0.1
origin: [0.0, 0.0, 0.0]
occupied_thresh: 0.65
free_thresh: 0.196
negate: 0
"""
PGM = b"P5\n3 2\n255\n\x00\xcd\xfe\xff\xce\x60"


@given(maze=mazes())
def test_a_maze_comes_back(maze: meiro.Maze, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("ros") / "map.yaml"
    save_occupancy_grid(maze, path)
    np.testing.assert_array_equal(read_occupancy_grid(path).walls, maze.grid)


def test_others_read_it(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
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
    with pytest.raises(ValueError, match=r"sites must have shape \(\.\.\., 2\)"):
        room.metres([1, 2, 3])
    with pytest.raises(TypeError, match="sites"):
        room.metres([1.5, 2])


def test_thresholds_negate_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    (tmp_path / "map.pgm").write_bytes(PGM)
    path.write_text(YAML)  # the example of the format; 205 is unknown, 206 free
    assert read_occupancy_grid(path).walls.tolist() == [[1, 1, 0], [0, 0, 1]]
    assert read_occupancy_grid(path).unknown.tolist() == [[False, True, False], [False, False, True]]
    path.write_text("# map\n" + YAML.replace("negate: 0", "negate: 1  # white is occupied"))
    assert read_occupancy_grid(path).walls.tolist() == [[0, 1, 1], [1, 1, 1]]
    path.write_text(
        YAML.replace("0.196", "0.65").replace("map.pgm", "'map.pgm' # here").replace("\n", "\r\n")
    )
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
        ("negate: 0", "negate: 0\nmode: scale", ", line 7: mode 'scale' is not trinary"),
        ("negate: 0", "negate: 0\nmode: !!python/name:os.system", ", line 7: mode"),
        ("negate: 0", "negate: &a 0", ", line 6"),
        ("negate: 0", "color: 0", ", line 6: 'color: 0' is not 'key: value'"),
        ("negate: 0", "- negate: 0", ", line 6"),
        ("0.1\n", ".nan\n", ", line 2: resolution '.nan' is not a finite number"),
        ("0.1\n", "0\n", ", line 2: resolution '0' must be more than 0"),
        ("0.1\n", "1e999\n", ", line 2: resolution '1e999' is not a finite"),
        ("[0.0, 0.0, 0.0]", "[0.0, 0.0]", r", line 3: origin '\[0.0, 0.0\]' must be"),
        ("[0.0, 0.0, 0.0]", "\n- 0.0\n- 0.0\n- 0.0", ", line 3: origin '' must be"),
        ("0.65", "1.5", ", line 4: occupied_thresh '1.5' must be from 0 to 1"),
        ("0.65", "0.1", ", line 5: free_thresh is more than occupied_thresh"),
        ("map.pgm", "../map.pgm", ", line 1: the image '../map.pgm' must be"),
        ("map.pgm", "/etc/passwd", ", line 1: the image '/etc/passwd' must be"),
        ("map.pgm", "link.pgm", ", line 1: the image 'link.pgm' is not in its folder"),
        ("map.pgm", "C:\\map.pgm", ", line 1"),
        ("map.pgm", "'map.pgm' x", ", line 1: .* goes on behind its quotes"),
        ("map.pgm", "", ", line 1: the image '' must be"),
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
    with pytest.raises(ValueError, match=rf"map\.yaml'{message}"):
        read_occupancy_grid(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "byte 0"),
        (b"P2\n3 2\n255\n", "byte 0: b'P2' is not P5"),
        (b"P5", "byte 2: there is no width"),
        (b"P53 2\n255\n" + b"\0" * 6, "byte 2: there is no width"),
        (b"P5\n3 0\n255\n", "byte 4: there is no height"),
        (b"P5\n3 2\n65535\n" + b"\0" * 12, "byte 12: the largest value is 65535"),
        (b"P5\n9999999999 9999999999\n255\n" + b"\0" * 12, "the end; 9,999,999,999 x"),
        (b"P5\n3 99999999999\n255\n", "byte 4: there is no height"),
        (PGM[:-1], "byte 16: the end"),
        (b"P5\n1 1\n100\n\x65", "byte 11: the pixel is 101, more than 100"),
    ],
)
def test_damaged_pictures_are_refused(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(YAML)
    (tmp_path / "map.pgm").write_bytes(data)
    with pytest.raises(ValueError, match=rf"map\.pgm', .*{message}"):
        read_occupancy_grid(tmp_path / "map.yaml")


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must end in .yaml or .yml"):
        save_occupancy_grid([[0]], tmp_path / "map.pgm")
    with pytest.raises(ValueError, match="resolution must be"):
        save_occupancy_grid([[0]], tmp_path / "map.yaml", resolution=0)
    with pytest.raises(ValueError, match="origin must be x, y and yaw, three numbers, not 2"):
        save_occupancy_grid([[0]], tmp_path / "map.yaml", origin=(0, 0))
    with pytest.raises(ValueError, match="without quotes"):
        save_occupancy_grid([[0]], tmp_path / 'a"b.yaml')
    assert not list(tmp_path.iterdir())
