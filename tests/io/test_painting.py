"""Paths painted over the pictures in which they were found."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from files.camera import Taken
from numpy.typing import NDArray
from PIL import Image
from refusals import refused

import meiro
from meiro import colors

CELL = 14  # pixels
TAKEN = Taken(3, (8, 11), corridor=CELL, margin=30, marks=True, degrees=5, blur=0.8, noise=12, darkest=0.35)
MAZE = TAKEN.maze


def painted(path: Path, color: tuple[int, ...] = tuple(colors.PATH)) -> NDArray[np.bool_]:
    """Return the pixels of the colour of the path."""
    with Image.open(path) as picture:
        return np.asarray((np.asarray(picture.convert("RGB"), int) == color).all(axis=2))


@pytest.mark.parametrize("kind", ["path", "image", "array"])
def test_a_path_is_painted_over_a_photograph(kind: str, tmp_path: Path) -> None:
    photo, _ = TAKEN.take()
    photo.save(tmp_path / "photo.png")
    source: Any = {"path": tmp_path / "photo.png", "image": photo, "array": np.asarray(photo)}[kind]
    x = meiro.from_image(source, threshold="local", start="red", goal="green", speckles=20, deskew=True)
    found = meiro.solve(x, centre=True)
    found.save(tmp_path / "out.png", picture=x)
    line = painted(tmp_path / "out.png")
    with Image.open(tmp_path / "out.png") as picture:
        pixels = np.asarray(picture)
    assert pixels.shape == (photo.height, photo.width, 3)
    beside = np.pad(line, 1)
    beside = beside[:-2] | beside[1:-1] | beside[2:]
    beside = beside[:, :-2] | beside[:, 1:-1] | beside[:, 2:]
    assert np.array_equal(pixels[~beside], np.asarray(photo)[~beside])  # all else is the photograph
    assert 0.2 < (pixels != np.asarray(photo))[beside & ~line].mean() < 1  # the edge of the line is smooth
    for end, name in ((found.start, "start"), (found.goal, "goal")):
        row, col = x.decisions[name]["pixel"]
        assert line[row - 1 : row + 2, col - 1 : col + 2].any(), (end, name)
    n = meiro.components((~line).astype(np.uint8))[1]
    assert n == 1
    walls = walls_of_the_photograph(photo.size)
    assert not (line & walls).any()
    width = line.sum() / found.length
    assert 0.25 * CELL < width < 0.7 * CELL


def walls_of_the_photograph(size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the true walls of the photograph, without their blurred edges."""
    clean, _ = dataclasses.replace(TAKEN, marks=False, blur=0, noise=0, darkest=1).take()
    assert clean.size == size
    return np.asarray(clean.convert("L")) < 60


@pytest.mark.parametrize("scale", [1, 3, 8])
@pytest.mark.parametrize("sites", [False, True])
def test_a_path_is_painted_over_a_picture_of_meiro(scale: int, sites: bool, tmp_path: Path) -> None:  # noqa: FBT001
    MAZE.save(tmp_path / "maze.png", scale=scale)
    found = meiro.solve(MAZE.grid, (1, 1), (15, 21)) if sites else meiro.solve(MAZE)
    found.save(tmp_path / "out.png", picture=tmp_path / "maze.png", color="blue")
    line = painted(tmp_path / "out.png", (0, 0, 255))
    middle = line[scale // 2 :: scale, scale // 2 :: scale]
    assert np.array_equal(middle, found.mask)
    assert not line[MAZE.grid.repeat(scale, axis=0).repeat(scale, axis=1) == 1].any()
    assert line.sum() >= 0.9 * found.mask.sum() * scale


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp", ".TIF"])
@pytest.mark.parametrize("width", [None, 1, 2.5, 6])
def test_width_and_format(suffix: str, width: float | None, tmp_path: Path) -> None:
    x = meiro.from_image(TAKEN.page, start="red", goal="green")
    found = meiro.solve(x, centre=True)
    found.save(tmp_path / f"out{suffix}", picture=x, width=width, color="#00f")
    with Image.open(tmp_path / f"out{suffix}") as picture:
        blue = np.asarray(picture.convert("RGB")).astype(int)
    line = (blue[..., 2] > 150) & (blue[..., 0] < 110)
    wide = CELL / 2 if width is None else width
    assert 0.6 * wide < line.sum() / found.length < 1.7 * wide + 0.3


def test_a_narrow_place_makes_the_line_narrow_there_only(tmp_path: Path) -> None:
    x = np.ones((41, 200), np.uint8)
    x[10:31, 1:100] = x[18:23, 100:130] = x[10:31, 130:199] = 0
    found = meiro.solve(x, (20, 10), (20, 190), centre=True)
    found.save(tmp_path / "out.png", picture=255 * (1 - x))
    line = painted(tmp_path / "out.png").sum(axis=0)
    assert set(line[20:90]) <= {9, 10}  # without its edges
    assert set(line[105:125]) <= {1, 2, 3}
    assert not painted(tmp_path / "out.png")[x == 1].any()


def test_what_cannot_be_painted_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    x = meiro.from_image(TAKEN.page, start="red", goal="green")
    found = meiro.solve(x)
    file = io.BytesIO()
    TAKEN.page.save(file, "PNG")
    file.seek(0)
    words = r"picture has 17 x 23 pixels, and .* was found in 208 x 262"
    refused(ValueError, words, found.save, out, picture=MAZE.grid * 255)
    refused(ValueError, "color must be #rrggbb", found.save, out, picture=x, color="rot")
    refused(ValueError, "width must be", found.save, out, picture=x, width=-1)
    refused(TypeError, "width must be a number", found.save, out, picture=x, width="2")
    opened = meiro.from_image(file)
    refused(ValueError, "picture was read from an open file", found.save, out, picture=opened)
    refused(ValueError, "picture was read from an open file, or is a part", found.save, out, picture=x[:])
    refused(FileNotFoundError, "none", found.save, out, picture=tmp_path / "none.png")
    with pytest.raises(ValueError, match=r"suffix '\.xyz' is not one of a picture"):
        found.save(tmp_path / "out.xyz", picture=x)
    with pytest.raises(ValueError, match="there is no path to paint: "):
        meiro.solve(MAZE, algorithm="random_mouse", max_steps=1, rng=1).save(out, picture=x)
    turned = meiro.from_image(TAKEN.take()[0], threshold="local", deskew=True)
    refused(ValueError, r"give picture= what meiro\.from_image returned", found.save, out, picture=turned)
    assert not list(tmp_path.iterdir())


def test_a_long_path_is_painted_in_pieces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    MAZE.save(tmp_path / "maze.png")
    found = meiro.solve(MAZE.grid, (1, 1), (15, 21))
    monkeypatch.setattr("meiro.results.solution._CHUNK", 7)
    found.save(tmp_path / "out.png", picture=tmp_path / "maze.png")
    assert np.array_equal(painted(tmp_path / "out.png"), found.mask)
    wide = meiro.solve(MAZE.to_grid(corridor=9, wall=3), (5, 5), (-5, -5), centre=True)
    picture = 255 * (1 - MAZE.to_grid(corridor=9, wall=3))
    wide.save(tmp_path / "wide.png", picture=picture)
    assert meiro.components((~painted(tmp_path / "wide.png")).astype(np.uint8))[1] == 1
