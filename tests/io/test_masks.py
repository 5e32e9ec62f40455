"""Masks and brightness from text and pictures."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from refusals import refused

import meiro


def slow_boxes(pixels: NDArray[Any], shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return the mean of each cell's area, in fractions."""
    height, width = pixels.shape
    out = np.empty(shape)
    for row, col in np.ndindex(shape):
        top, bottom = (Fraction((row + i) * height, shape[0]) for i in (0, 1))
        left, right = (Fraction((col + i) * width, shape[1]) for i in (0, 1))
        total = Fraction(0)
        for y, x in np.ndindex(pixels.shape):
            high = max(min(bottom, y + 1) - max(top, y), 0)
            wide = max(min(right, x + 1) - max(left, x), 0)
            total += high * wide * int(pixels[y, x])
        out[row, col] = total / ((bottom - top) * (right - left))
    return out


sides = st.integers(1, 7)


@settings(deadline=None)
@given(st.tuples(sides, sides), st.tuples(sides, sides), st.integers(0, 2**32 - 1))
def test_mask_cell_has_the_mean_of_its_area(size: tuple[int, int], shape: tuple[int, int], seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, size, np.uint8)
    pixels[0, 0] = 255  # what holds only 0 and 1 does not say what white is
    slow = slow_boxes(pixels, shape)
    np.testing.assert_array_equal(meiro.brightness(pixels, shape), slow / 255)
    assert (meiro.mask_from_image(pixels, shape, threshold=0)).all()
    if (slow >= 127.5).any():
        np.testing.assert_array_equal(meiro.mask_from_image(pixels, shape), slow >= 127.5)
    if (slow < 99).any():
        dark = meiro.mask_from_image(pixels, shape, threshold=99, inside="dark")
        np.testing.assert_array_equal(dark, slow < 99)


def test_mask_bands_leave_no_seams(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.random.default_rng(1).random((53, 47))
    whole = meiro.brightness(pixels, (31, 90))
    monkeypatch.setattr("meiro.io.masks._BAND", 200)
    np.testing.assert_array_equal(meiro.brightness(pixels, (31, 90)), whole)
    np.testing.assert_allclose(whole.mean(), pixels.mean())


def test_mask_without_a_shape_has_a_cell_per_pixel() -> None:
    pixels = np.array([[0, 51, 255]], np.uint8)
    assert meiro.brightness(pixels).tolist() == [[0, 0.2, 1]]
    assert meiro.brightness(pixels.astype(np.float32) / 255).shape == (1, 3)
    assert meiro.brightness(np.array([[True, False]])).tolist() == [[1, 0]]
    np.testing.assert_allclose(meiro.brightness(np.full((2, 2, 3), 65535, np.uint16)), 1, rtol=1e-15)
    for threshold in (None, 51, 52):
        road = meiro.from_image(pixels, threshold=threshold) == 0
        np.testing.assert_array_equal(meiro.mask_from_image(pixels, threshold=threshold), road)


def test_mask_from_files(tmp_path: Path) -> None:
    maze = meiro.generate((5, 7), rng=3)
    for suffix in ("png", "bmp"):
        file = tmp_path / f"maze.{suffix}"
        if suffix == "png":
            maze.save(file)
        else:
            image = pytest.importorskip("PIL.Image")
            image.fromarray((1 - maze.grid) * 255).save(file)
        np.testing.assert_array_equal(meiro.brightness(file), 1 - maze.grid)
        np.testing.assert_array_equal(meiro.mask_from_image(file, inside="dark"), maze.grid)
        with file.open("rb") as opened:
            np.testing.assert_allclose(meiro.brightness(opened, (1, 1)), 1 - maze.grid.mean(), rtol=1e-15)


def test_mask_from_a_picture_makes_a_maze() -> None:
    disc = np.hypot(*np.mgrid[-1:1:50j, -1:1:50j]) < 0.9
    mask = meiro.mask_from_image(disc, (20, 20))
    maze = meiro.generate(mask=mask, rng=1)
    assert maze.is_perfect
    assert maze.mask is not None
    np.testing.assert_array_equal(maze.mask, mask)
    assert not mask[0, 0]
    assert mask[10, 10]


def test_mask_refuses_bad_arguments() -> None:
    for picture, options, error, message in (
        ([[0, 255]], {"inside": "white"}, ValueError, "inside must be 'bright' or 'dark', not 'white'"),
        ([[0, 255]], {"threshold": 256}, ValueError, "no cell is bright at threshold 256.*inside='dark'"),
        ([[9, 255]], {"threshold": 9, "inside": "dark"}, ValueError, "no cell is dark at threshold 9"),
        ([[0, 255]], {"threshold": np.nan}, ValueError, "threshold must be finite, not nan"),
        ([[0, 1000]], {}, ValueError, r"greatest value is 1000.*say threshold= \(of what is bright\)"),
        ([[0, 255]], {"shape": (0, 2)}, ValueError, r"shape must be at least \(1, 1\), not \(0, 2\)"),
        ([[0, 255]], {"shape": 3}, TypeError, "shape must be a pair of integers, not 3"),
        ([[np.inf, 1.0]], {"threshold": 1}, ValueError, "infinity"),
        ([["a"]], {}, TypeError, "a picture holds numbers"),
    ):
        refused(error, message, meiro.mask_from_image, picture, **options)


def test_brightness_refuses_bad_arguments() -> None:
    refused(ValueError, "bright at 255: give floats from 0 to 1", meiro.brightness, [[0, 1000]])
    with pytest.raises(MemoryError, match=r"the brightness of \(1000000, 1000000\) cells"):
        meiro.brightness([[0, 255]], (10**6, 10**6))


def test_mask_from_text() -> None:
    mask = meiro.mask_from_text("\n\n.. #\r\nX.\n\n#. .\n\n")
    assert mask.astype(int).tolist() == [[1, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 1, 1]]
    assert mask.dtype == np.bool_
    assert meiro.mask_from_text("\ufeffab.\nc", inside="ca").tolist() == [[True, False, False]] * 2
    assert meiro.mask_from_text("迷路", inside="路").tolist() == [[False, True]]
    maze = meiro.generate(mask=meiro.mask_from_text("..#\n...\n#.."), rng=1)
    assert str(maze).count("\n") > 3


def test_mask_refuses_bad_text() -> None:
    with pytest.raises(ValueError, match=r"line 3 of text has 'o' at column 2.*inside='o'"):
        meiro.mask_from_text("\n..\n.o", inside=None)
    refused(ValueError, r"line 2 of text has '\\t' at column 1", meiro.mask_from_text, "..\n\t.", inside=None)
    with pytest.raises(ValueError, match=r"no cell of text is inside: it has no character of '. '"):
        meiro.mask_from_text("##\nXX", inside=None)
    refused(ValueError, "it has no character of 'x'", meiro.mask_from_text, "oo", inside="x")
    refused(ValueError, "inside='' holds no character", meiro.mask_from_text, "oo", inside="")
    refused(ValueError, "text is empty", meiro.mask_from_text, "\n\r\n", inside=None)
    refused(TypeError, "inside must be a string, not 1", meiro.mask_from_text, "..", inside=1)
    refused(TypeError, "text must be a string", meiro.mask_from_text, ["..", ".."], inside=None)


@pytest.mark.parametrize(
    "text", [".##.##.\n#######\n.#####.\n..###..", " ## ##\n#######\n #####\n  ###", "  ##  \n"]
)
def test_a_figure_of_signs_is_not_taken_for_a_hole_without_a_word(text: str) -> None:
    with pytest.warns(UserWarning, match="inside='#' takes the figure"):
        around = meiro.mask_from_text(text)
    assert np.array_equal(around, meiro.mask_from_text(text, inside=". "))
    figure = meiro.mask_from_text(text, inside="#")
    assert not (figure & around).any()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "text", ["#..#..#\n.......\n#.....#\n###.###", ".....\n.###.\n.....", "......\n....", "#.\n#."]
)
def test_a_mask_of_dots_is_what_it_was(text: str) -> None:
    assert meiro.mask_from_text(text).sum() == text.count(".")


def test_a_mask_in_text_is_refused_with_what_reads_it() -> None:
    with pytest.raises(ValueError, match=r"shape \(2,\); meiro\.mask_from_text reads a text"):
        meiro.generate(mask=["##", "#."])
