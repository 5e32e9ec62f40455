"""Pictures of mazes that others drew or photographed."""

from __future__ import annotations

import io
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import ROUND
from files.camera import Taken
from numpy.typing import NDArray
from PIL import Image
from refusals import refused

import meiro
from meiro.io.pictures.blocks import pixels_a_site
from meiro.io.pictures.local_threshold import is_wall, local_threshold
from meiro.io.pictures.speckles import remove_speckles, road_labels, wall_labels

CELL, WALL, MARGIN = 14, 4, 30  # pixels
SIZES: Any = {"shape": (8, 11), "corridor": CELL, "wall": WALL, "margin": MARGIN}
MARKED = Taken(3, **SIZES, marks=True, degrees=5, blur=0.8, noise=12, darkest=0.35)
DRAWING = Taken(3, **SIZES, openings=[(0, 5), (16, 17)])
MAZE, OPEN = MARKED.maze, DRAWING.maze
PHOTO = MARKED.take()[0]
WAYS: dict[str, Any] = {"threshold": "local", "speckles": 20, "deskew": True}


# A photograph


def test_what_was_decided_is_told() -> None:
    told = meiro.from_image(PHOTO, start="red", goal="#00ff00", **WAYS).decisions
    assert told["angle"] == pytest.approx(5, abs=0.15)
    steps = ["threshold", "colors", "start", "goal", "speckles", "walls", "angle", "frame", "cells"]
    assert list(told) == steps
    assert (told["walls"], told["cells"]) == ("dark", MAZE.shape)
    low, high = told["threshold"]
    assert 30 < low < 80
    assert 100 < high < 140
    assert told["start"]["found"] == told["goal"]["found"] == "by hue"
    assert 30 < told["start"]["pixels"] < 100
    corners = np.array(told["frame"])
    sides = np.hypot(*np.diff(corners[[0, 1, 2, 3, 0]], axis=0).T)
    long, short = ((CELL + WALL) * n + WALL - 1 for n in (MAZE.cols, MAZE.rows))
    assert sides == pytest.approx([long, short, long, short], abs=3)
    slope = math.degrees(math.atan2(*(corners[1] - corners[0])))
    assert slope == pytest.approx(told["angle"], abs=0.05)
    plain = meiro.from_image([[0, 255], [255, 255]], start=(0, 1), speckles=1)
    assert plain.decisions == {"threshold": 127.5, "start": {"pixel": (0, 1)}, "speckles": (1, 0)}


def test_one_threshold_does_not_follow_the_light() -> None:
    with pytest.warns(
        UserWarning, match='not parted into dark walls and bright roads: try threshold="local"'
    ):
        one = meiro.from_image(PHOTO)
    assert one[:40, :40].mean() > 0.9
    assert not meiro.from_image(PHOTO, threshold="local", speckles=20)[:20, :20].any()


@pytest.mark.parametrize("least", [0.25, 0.5, 1.0])
def test_local_threshold_in_light_of_any_slope(least: float) -> None:
    values = np.where(MAZE.to_grid(corridor=12, wall=3) == 1, 40.0, 220.0)
    light = np.linspace(least, 1, values.shape[1])[np.newaxis]
    found = np.empty(values.shape, np.bool_)
    is_wall(values * light, local_threshold(values * light, 255.0), found)
    assert np.array_equal(found, values == 40)


@pytest.mark.parametrize("value", [0, 255])
def test_local_threshold_of_a_picture_of_one_colour(value: int) -> None:
    x = meiro.from_image(np.full((40, 50), value, np.uint8), threshold="local")
    assert x.min() == x.max() == (value == 0)


def test_large_walls_and_rooms_stay_whole_in_a_local_threshold() -> None:
    picture = np.full((300, 300), 200.0)
    picture[40:260, 40:160] = 30
    picture *= np.linspace(0.6, 1, 300)
    picture += np.random.default_rng(1).normal(0, 8, picture.shape)
    x = meiro.from_image(np.clip(picture, 0, 255).astype(np.uint8), threshold="local")
    assert x[40:260, 40:160].all()
    assert x.sum() == 220 * 120


# Marks


def marked(*marks: tuple[int, int, tuple[int, int, int]]) -> NDArray[np.uint8]:
    """Return white paper with a black frame and squares of colours, 3 pixels a side."""
    picture = np.full((20, 30, 3), 255, np.uint8)
    picture[[0, -1]] = picture[:, [0, -1]] = 0
    for row, col, color in marks:
        picture[row - 1 : row + 2, col - 1 : col + 2] = color
    return picture


RED, GREEN, DARK = (255, 0, 0), (0, 255, 0), (120, 20, 30)
THRICE = (4, 5, RED), (15, 25, RED), (8, 8, RED)
TWICE = (4, 5, DARK), (9, 9, DARK)


@pytest.mark.parametrize("form", ["array", "floats", "alpha", "Pillow", "palette", "file"])
def test_a_colour_is_the_middle_of_its_mark_in_every_form(form: str, tmp_path: Path) -> None:
    picture: Any = marked((4, 5, RED), (15, 25, GREEN))
    if form == "floats":
        picture = picture / 255
    elif form == "alpha":
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    elif form != "array":
        picture = Image.fromarray(picture)
    if form == "palette":
        picture = picture.convert("P", palette=Image.Palette.ADAPTIVE)
    if form == "file":
        picture.save(tmp_path / "x.png")
        picture = tmp_path / "x.png"
    x = meiro.from_image(picture, start="red", goal="lime")
    assert (x.start, x.goal) == ((4, 5), (15, 25))
    assert x[1:-1, 1:-1].sum() == 0
    assert meiro.solve(x).length == 31


@pytest.mark.parametrize(
    ("name", "color", "found"),
    [
        ("red", RED, "exactly"),
        ("#F00", RED, "exactly"),
        ("red", DARK, "by hue"),
        ("maroon", RED, "by hue"),
        ("green", GREEN, "by hue"),
        ("blue", (90, 110, 220), "by hue"),
        ("#808080", (128, 128, 128), "exactly"),
        ("gray", (110, 120, 130), "by hue"),
    ],
)
def test_a_colour_is_found_exactly_or_by_its_hue(name: str, color: tuple[int, int, int], found: str) -> None:
    x = meiro.from_image(marked((4, 5, color), (15, 25, (250, 180, 0))), start=name)
    assert (x.start, x.decisions["start"]) == ((4, 5), {"pixel": (4, 5), "pixels": 9, "found": found})
    assert x[3:6, 4:7].sum() == 0


def test_an_exact_colour_comes_before_a_similar_one() -> None:
    x = meiro.from_image(marked((4, 5, DARK), (15, 25, RED)), start="red", goal=(4, 5), threshold=30)
    assert x.start == (15, 25)


def test_specks_of_the_colour_do_not_count() -> None:
    picture = marked((4, 5, RED))
    picture[12, 20] = RED
    x = meiro.from_image(picture, start="red")
    assert x.start == (4, 5)
    assert x[12, 20] == 0  # a colour among grey walls is none


def test_what_is_not_in_the_picture_is_refused() -> None:
    for picture, ends, error, words in (
        (marked(), {"start": "red"}, ValueError, r"start='red': no pixel .* has that colour or one like it"),
        (marked((4, 5, RED)), {"goal": "#0f0"}, ValueError, r"goal='#0f0': no pixel"),
        (marked()[..., 0], {"start": "red"}, ValueError, "start='red': no pixel"),
        (marked(*THRICE), {"start": "red"}, ValueError, r"='red': 3 .*, at \(4, 5\), \(8, 8\), \(15, 25\):"),
        (marked(*TWICE), {"goal": "red"}, ValueError, "2 places .* have a colour like it"),
        (marked(), {"start": "rot"}, ValueError, "start must be #rrggbb, .*, not 'rot'"),
        (marked(), {"start": 5}, TypeError, "start must be a pair of integers, not 5"),
        (marked(), {"start": (20, 3)}, ValueError, r"start \(20, 3\) is outside: rows 0\.\.19, .* \(pixels"),
        (marked(), {"goal": (0, 3)}, ValueError, r"goal: pixel \(0, 3\) is wall"),
        (marked(), {"threshold": "global"}, ValueError, "threshold must be 'local', not 'global'"),
        (marked(), {"speckles": -1}, ValueError, "speckles must be at least 0, not -1"),
        (marked(), {"deskew": 1}, TypeError, "deskew must be True or False, not 1"),
        (np.full((9, 9), 255, np.uint8), {"deskew": True}, ValueError, "deskew: the picture has no frame"),
    ):
        refused(error, words, meiro.from_image, picture, **ends)


def test_a_mark_outside_of_the_frame_is_refused() -> None:
    picture = DRAWING.page
    picture.paste(RED, (4, 4, 9, 9))
    with pytest.raises(ValueError, match=r"start='red': no pixel in the frame has that colour"):
        meiro.from_image(picture, start="red", deskew=True)
    with pytest.raises(ValueError, match=r"start: pixel \(6, 6\) is outside of the frame: leave out start="):
        meiro.from_image(picture, start=(6, 6), deskew=True)


# Speckles, frame


def test_speckles_of_walls_and_roads_are_removed() -> None:
    x = np.zeros((12, 30), np.uint8)
    x[2, 2] = x[5, 5] = x[6, 6] = x[7, 7] = 1  # the last three are one, joined at their corners
    x[:, 12:] = 1
    x[3, 20] = x[8:10, 20:22] = 0
    for most, left in ((0, None), (1, (1, 1)), (3, (2, 1)), (4, (2, 2))):
        y = x.copy()
        assert (remove_speckles(y, most) if most else None) == left
        assert y[2, 2] == (most < 1)
        assert y[5, 5] == (most < 3)
        assert y[8, 20] == (most >= 4)
        assert y[:, 12:].sum() == 18 * 12 - (most < 1) - 4 * (most < 4)


def test_components_are_those_of_scipy() -> None:
    from scipy import ndimage

    x = (np.random.default_rng(1).random((40, 30)) < 0.3).astype(np.uint8)
    expected, n = ndimage.label(x == 0)
    assert np.array_equal(road_labels(x), expected)
    found = wall_labels(x)
    expected, n = ndimage.label(x, np.ones((3, 3)))
    for label in range(1, n + 1):
        assert len(np.unique(found[expected == label])) == 1
    far = np.zeros((9, 9), np.uint8)
    far[::3, ::3] = 1
    assert len(np.unique(wall_labels(far)[far == 1])) == 9


def test_a_drawing_that_is_upright_is_cut_to_its_frame() -> None:
    x = meiro.from_image(DRAWING.page, deskew=True)
    assert np.array_equal(x, OPEN.to_grid(corridor=CELL, wall=WALL))
    assert x.decisions["angle"] == 0
    assert x.decisions["frame"][0] == (MARGIN, MARGIN)
    assert meiro.Maze.from_grid(np.asarray(x), corridor=CELL, wall=WALL) == OPEN


def test_a_caption_is_not_the_frame() -> None:
    picture = DRAWING.page
    for left in range(40, 100, 12):
        picture.paste((0, 0, 0), (left, 5, left + 8, 12))
    assert meiro.from_image(picture, deskew=True).shape == OPEN.to_grid(corridor=CELL, wall=WALL).shape


# Arrays with what was decided


def test_a_picture_array_is_an_array() -> None:
    x = meiro.from_image(marked((4, 5, RED)), start="red")
    assert isinstance(x, np.ndarray)
    assert type(x) is meiro.io.PictureArray
    again = pickle.loads(pickle.dumps(x))  # noqa: S301
    assert np.array_equal(again, x)
    assert (again.start, again.goal, again.decisions) == (x.start, None, x.decisions)
    assert again.perspective == x.perspective
    parts: list[Any] = [x[2:], x.copy(), np.array(x, subok=True)]
    for part in parts:
        assert (part.start, part.decisions, part.source) == (None, {}, None)
    assert type(x ^ 1) is type(x == 0) is np.ndarray
    assert type(x.sum()) is np.uint64
    assert type(x.any()) is np.bool_
    kept = x
    kept |= x
    assert kept is x
    assert x.start == (4, 5)
    x[4, 6] = 1  # a wall drawn by hand
    assert meiro.solve(x, goal=(4, 8)).length == 5
    assert meiro.check(x).regions == 1
    assert isinstance(meiro.solve(x, (4, 3), (5, 9)).path, np.ndarray)


# Mazes that meiro wrote


@pytest.mark.parametrize("scale", [1, 2, 3, 8])
@pytest.mark.parametrize("kind", ["openings", "mask", "outside wall", "solution", "1 x 1", "row"])
def test_a_png_of_any_scale_is_the_maze_again(kind: str, scale: int, tmp_path: Path) -> None:
    maze: meiro.Maze = OPEN
    more: dict[str, Any] = {}
    if kind in {"mask", "outside wall"}:
        maze = meiro.generate(mask=ROUND, rng=1)
        more = {"outside": "wall"} if kind != "mask" else {}
    elif kind == "solution":
        more = {"solution": meiro.solve(OPEN)}
    elif kind != "openings":
        maze = meiro.generate((1, 1) if kind == "1 x 1" else (1, 9), rng=1)
    path = tmp_path / "maze.png"
    maze.save(path, scale=scale, **more)
    assert meiro.read(path) == maze
    assert meiro.Maze.from_image(path) == maze
    assert pixels_a_site(np.asarray(meiro.from_image(path))) == scale


@pytest.mark.parametrize("band", [7, 90, 1 << 19])
def test_pixels_a_site(band: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meiro._utils.bands.BAND", band)
    for maze in (MAZE, OPEN, meiro.generate(mask=ROUND, rng=2)):
        for scale in (1, 2, 5, 6):
            assert pixels_a_site(maze.grid.repeat(scale, axis=0).repeat(scale, axis=1)) == scale
    assert pixels_a_site(np.zeros((6, 9), np.uint8)) == 3
    large = OPEN.grid.repeat(4, axis=0).repeat(4, axis=1)
    large[17, 23] ^= 1
    assert pixels_a_site(large) == 1


@pytest.mark.parametrize(("corridor", "wall"), [(18, 2), (CELL, WALL), (3, 7), (1, 2), (5, 1)])
def test_a_drawing_with_walls_of_another_width_is_a_maze(corridor: int, wall: int, tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    drawn = 255 * (1 - OPEN.to_grid(corridor=corridor, wall=wall))
    Image.fromarray(drawn).save(path)
    assert meiro.read(path) == meiro.Maze.from_image(path) == OPEN
    drawn[wall + 1, wall] = 0 if corridor > 1 else 255 - drawn[wall + 1, wall]
    Image.fromarray(drawn).save(path)
    assert isinstance(meiro.read(path), meiro.io.PictureArray)


def test_wide_openings_of_a_picture_that_is_no_grid() -> None:
    x = meiro.from_image(255 * (1 - OPEN.to_grid(corridor=CELL, wall=WALL)))
    found = meiro.solve(x)
    assert found.start == (0, WALL + (CELL + WALL) * 2 + CELL // 2 - 1)
    assert found.goal[0] == len(x) - 1


def test_picture_from_an_open_file_and_from_16_bits() -> None:
    file = io.BytesIO()
    Image.fromarray(marked((4, 5, RED))).save(file, "PNG")
    file.seek(0)
    x = meiro.from_image(file, start="red")
    assert x.start == (4, 5)
    assert x.source is None
    deep = Image.fromarray(np.full((5, 5), 40000, np.uint16))
    refused(ValueError, "no pixel", meiro.from_image, deep, start="red")
