from __future__ import annotations

import io
import itertools
import time
import zlib
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from arbitrary_mazes import ROUND, drawn_grid, few_mazes
from numpy.typing import NDArray
from periodic_mazes import WRAPS
from PIL import Image
from refusals import refused

import meiro
from meiro import colors
from meiro.io.png import write_png
from meiro.results.solution import Solution


def expected_colors(grid: NDArray[np.uint8], solution: Solution) -> NDArray[np.uint8]:
    """Colour site by site, the slow and obvious way; a door is visited if both of its cells are."""
    seen: NDArray[Any] = solution.explored
    for around, width in zip(solution.wrap, [((1, 1), (0, 0)), ((0, 0), (1, 1))], strict=True):
        seen = np.pad(seen, width, "wrap" if around else "constant")
    picture = np.empty((*grid.shape, 3), np.uint8)
    for row, col in np.ndindex(*grid.shape):
        cells = [{(at + 1) // 2, at // 2 + 1} if solution.space == "cells" else {at + 1} for at in (row, col)]
        inside = all(seen[cell] for cell in itertools.product(*cells))
        picture[row, col] = colors.WALL if grid[row, col] else colors.VISITED if inside else colors.ROAD
    picture[tuple(solution.grid_path.T)] = colors.PATH
    picture[tuple(solution.grid_path[0])] = colors.START
    picture[tuple(solution.grid_path[-1])] = colors.GOAL
    return picture


@pytest.mark.parametrize("maze", few_mazes(), ids=repr)
@pytest.mark.parametrize("scale", [1, 3])
def test_image_of_a_maze(maze: meiro.Maze, scale: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meiro.io.png.SITES", 100)  # several bands
    file = io.BytesIO()
    write_png(file, maze, scale=scale)
    picture = Image.open(file)
    assert picture.mode == ("1" if maze.mask is None else "P")
    large, bright = (x.repeat(scale, 0).repeat(scale, 1) for x in (maze.grid, drawn_grid(maze) == 0))
    np.testing.assert_array_equal(np.asarray(picture.convert("L")) > 127, bright)
    blank = bright & (large == 1)
    np.testing.assert_array_equal(np.asarray(picture.convert("RGBA"))[..., 3] == 0, blank)
    file.seek(0)
    np.testing.assert_array_equal(meiro.from_image(file), large)
    if scale == 1:
        file.seek(0)
        assert meiro.Maze.from_image(file) == maze  # type: ignore[arg-type]
    filled = io.BytesIO()
    write_png(filled, maze, scale=scale, outside="wall")
    with Image.open(filled) as picture:
        assert picture.mode == "1"
        np.testing.assert_array_equal(np.asarray(picture), large == 0)


def test_image_of_a_solution_in_a_mask(tmp_path: Path) -> None:
    maze = meiro.generate(algorithm="backtracker", mask=ROUND, rng=1)
    solution = meiro.solve(maze)
    maze.save(tmp_path / "maze.png", solution=solution, scale=3)
    with Image.open(tmp_path / "maze.png") as picture:
        pixels = np.asarray(picture.convert("RGBA"))[1::3, 1::3]
    assert np.array_equal(pixels[..., 3] == 0, drawn_grid(maze) < maze.grid)
    path = (pixels[..., :3] == colors.PATH).all(axis=2)
    path[tuple(2 * np.array([solution.start, solution.goal]).T + 1)] = True
    assert np.array_equal(path, solution.mask)
    maze.save(tmp_path / "maze.png", solution=solution)
    assert meiro.read(tmp_path / "maze.png") == maze


@pytest.mark.parametrize("sites_a_band", [1, 100, 1 << 22])
@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("wrap", [(False, False), *WRAPS])
def test_image_of_a_solution(
    wrap: Any, sites_a_band: int, scale: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meiro.io.png.SITES", sites_a_band)
    maze = meiro.generate((12, 17), "backtracker", rng=5, wrap=wrap)
    in_cells = meiro.solve(maze, (0, 0), (10, 11))
    assert not in_cells.explored.all()
    assert (np.abs(np.diff(in_cells.path, axis=0)) > 1).any() == any(wrap)
    drawn: list[tuple[Any, Solution]] = [(maze, in_cells)]
    if not any(wrap):
        in_sites = meiro.solve(maze.grid, (1, 1), (21, 23))
        drawn += [(maze.grid, in_sites), (maze, in_sites)]
    for x, solution in drawn:
        file = io.BytesIO()
        write_png(file, x, solution=solution, scale=scale)
        picture = np.asarray(Image.open(file).convert("RGB"))
        np.testing.assert_array_equal(picture[0::scale], picture[scale - 1 :: scale])
        np.testing.assert_array_equal(picture[:, 0::scale], picture[:, scale - 1 :: scale])
        np.testing.assert_array_equal(picture[::scale, ::scale], expected_colors(maze.grid, solution))
        file.seek(0)
        np.testing.assert_array_equal(meiro.from_image(file)[::scale, ::scale], maze.grid)


def test_image_refuses_a_solution_of_another_maze() -> None:
    maze = meiro.generate((4, 5), "backtracker", rng=5)
    other = meiro.generate((4, 6), "backtracker", rng=5)
    solution = meiro.solve(other)
    with pytest.raises(ValueError, match=r"found in \(4, 6\) cells; what is drawn has \(4, 5\)"):
        write_png(io.BytesIO(), maze, solution=solution)


def test_a_solution_through_walls_is_refused_before_anything_is_written() -> None:
    maze, other = (meiro.generate((4, 5), "backtracker", rng=seed) for seed in (5, 6))
    for x in (maze, maze.grid):
        for solution in (meiro.solve(other), meiro.solve(other.grid, (1, 1), (7, 9))):
            file = io.BytesIO()
            refused(ValueError, r"solution\[\d+\] goes through a wall", write_png, file, x, solution=solution)
            assert file.getvalue() == b""


def test_image_refuses_a_bad_scale() -> None:
    refused(ValueError, "scale must be at least 1, not 0", write_png, io.BytesIO(), [[0, 1, 1]], scale=0)
    refused(TypeError, "scale must be an integer, not 1.5", write_png, io.BytesIO(), [[0, 1, 1]], scale=1.5)
    with pytest.raises(ValueError, match="scale=2000000000 makes 6,000,000,000 x 2,000,000,000 pixels"):
        write_png(io.BytesIO(), [[0, 1, 1]], scale=2_000_000_000)


def test_solved_pictures_take_the_same_time_a_pixel_at_every_size() -> None:
    """CPU time; level 9 of zlib, which takes 30 times as long, was once chosen for files below 1 MiB."""

    def ns_a_pixel(side: int) -> float:
        maze = meiro.generate((side, side), "backtracker", rng=1)
        solution, times = meiro.solve(maze), []
        for _ in range(3):
            begun = time.process_time_ns()
            write_png(io.BytesIO(), maze, solution=solution)
            times.append(time.process_time_ns() - begun)
        return min(times) / (2 * side + 1) ** 2

    large = ns_a_pixel(1000)
    for side in (200, 400, 700):
        assert ns_a_pixel(side) < 3 * large


def test_image_of_any_array(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, (50, 31)) * 255
    path = tmp_path / "x.png"
    with path.open("wb") as file:
        write_png(file, x == 0)
    np.testing.assert_array_equal(np.asarray(Image.open(path)), x == 255)
    refused(ValueError, "say road=255", write_png, io.BytesIO(), x)


@pytest.mark.filterwarnings("ignore:the picture is not parted")  # the greys of four pixels are not
def test_image_brightness_of_arrays() -> None:
    grey = np.array([[0, 127, 128, 255]], np.uint8)
    rgba = np.zeros((1, 2, 4), np.uint8)
    rgba[0, 0, 3] = 255  # black; the other is transparent, on white
    cases: list[tuple[Any, float | None, list[list[int]]]] = [
        (grey, None, [[1, 1, 0, 0]]),
        (grey, 127, [[1, 0, 0, 0]]),
        (grey, 255, [[1, 1, 1, 0]]),
        (grey.astype(np.uint16) * 257, None, [[1, 1, 0, 0]]),
        (grey.tolist(), None, [[1, 1, 0, 0]]),
        (grey / 255, None, [[1, 1, 0, 0]]),
        (grey[..., None], None, [[1, 1, 0, 0]]),
        (grey > 200, None, [[1, 1, 1, 0]]),
        (np.zeros((1, 2), np.uint8), None, [[1, 1]]),
        ([[0, 1]], 1, [[1, 0]]),
        ([[[255, 0, 0], [0, 255, 0]]], None, [[1, 0]]),
        ([[[255, 0], [0, 0]]], None, [[0, 0]]),
        (rgba, None, [[1, 0]]),
        (rgba / 255, None, [[1, 0]]),
    ]
    for x, threshold, expected in cases:
        found = meiro.from_image(x, threshold=threshold)
        assert found.tolist() == expected
        assert found.dtype == np.uint8


def test_image_refuses_bad_arrays() -> None:
    refused(ValueError, "greatest value is 1, .*say threshold=", meiro.from_image, [[0, 1]], threshold=None)
    with pytest.raises(ValueError, match=r"greatest value is 255.0, .*say threshold="):
        meiro.from_image([[0.0, 255.0]], threshold=None)
    refused(ValueError, "greatest value is 300", meiro.from_image, [[0, 300]], threshold=None)
    refused(ValueError, "NaN", meiro.from_image, [[0.0, np.nan]], threshold=None)
    refused(ValueError, r"not \(2,\)", meiro.from_image, [0, 255], threshold=None)
    refused(ValueError, r"not \(2, 2, 5\)", meiro.from_image, np.zeros((2, 2, 5)), threshold=None)
    refused(ValueError, "empty", meiro.from_image, np.zeros((0, 2)), threshold=None)
    refused(TypeError, "a picture holds numbers", meiro.from_image, [["#"]], threshold=None)
    with pytest.raises(TypeError, match=r"the bytes of a file go through io.BytesIO"):
        meiro.from_image(b"GIF89a", threshold=None)
    with pytest.raises(ValueError, match="threshold must be finite, not nan"):
        meiro.from_image([[0, 255]], threshold=float("nan"))


def test_a_mark_has_the_colour_of_three_numbers() -> None:
    picture = np.full((3, 5, 3), 255, np.uint8)
    picture[1, 1], picture[1, 3] = (255, 0, 0), (0, 0, 255)
    found = meiro.from_image(picture, start=(1, 0, 0), goal=(0.0, 0.0, 1.0))
    assert (found.start, found.goal) == ((1, 1), (1, 3))
    with pytest.raises(ValueError, match=r"start must be .* from 0 to 1, .* not \(255, 0, 0\)"):
        meiro.from_image(picture, start=(255, 0, 0))


def test_a_drawing_that_is_no_maze_may_be_a_photograph() -> None:
    maze = meiro.generate((5, 6), rng=1)
    bright = maze.to_grid(corridor=12, wall=3) * np.uint8(255)
    with pytest.raises(ValueError, match="with deskew=True corridors may be uneven, walls bright"):
        meiro.Maze.from_image(bright)
    assert meiro.Maze.from_image(bright, deskew=True) == maze


@pytest.mark.parametrize("suffix", ["png", "bmp", "gif", "webp", "tif", "ppm"])
@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB"])
def test_image_of_every_format_and_mode_is_read(suffix: str, mode: str, tmp_path: Path) -> None:
    maze = meiro.generate((9, 14), "backtracker", rng=4)
    path = tmp_path / f"x.{suffix}"
    picture = Image.fromarray(255 * (1 - maze.grid)).convert(mode)
    if suffix == "webp":
        picture.convert("RGB").save(path, lossless=True)
    else:
        picture.convert("L" if (suffix, mode) == ("ppm", "P") else mode).save(path)
    for source in (path, str(path), io.BytesIO(path.read_bytes())):
        np.testing.assert_array_equal(meiro.from_image(source), maze.grid)
    with Image.open(path) as opened:
        np.testing.assert_array_equal(meiro.from_image(opened), maze.grid)
    assert meiro.read(path) == maze


def test_image_with_transparency_is_read() -> None:
    picture = Image.new("RGBA", (3, 1), (0, 0, 0, 0))
    picture.putpixel((1, 0), (0, 0, 0, 255))
    assert meiro.from_image(picture).tolist() == [[0, 1, 0]]
    assert meiro.from_image(picture.convert("LA").convert("La")).tolist() == [[0, 1, 0]]
    assert meiro.from_image(picture.quantize(2)).tolist() == [[0, 1, 0]]
    assert meiro.from_image(Image.fromarray(np.array([[1, 40000]], np.uint16))).tolist() == [[1, 0]]
    refused(ValueError, r"mode 'F', of no known range", meiro.from_image, Image.new("F", (2, 2)))


@pytest.mark.parametrize("mode", ["RGBA", "RGBa", "LA", "La", "P", "array"])
def test_white_lines_of_dark_mode_are_refused(mode: str) -> None:
    lines = np.zeros((5, 5, 4), np.uint8)
    lines[[0, 4]] = lines[:, 4] = 255
    picture: Any = Image.fromarray(lines)
    if mode in {"La", "RGBa"}:
        picture = picture.convert(mode[:-1] + "A")
    picture = lines if mode == "array" else picture.quantize(4) if mode == "P" else picture.convert(mode)
    words = "white where it is not transparent, as in dark mode, .* give its alpha channel"
    for read in (meiro.from_image, meiro.mask_from_image, meiro.brightness):
        refused(ValueError, words, read, picture)
    assert meiro.from_image(255 - lines[..., 3]).any()
    assert not meiro.from_image(np.full_like(lines, 255)).any()
    assert not meiro.from_image(Image.new("RGBA", (3, 4), "white")).any()


def test_image_refuses_other_files(tmp_path: Path) -> None:
    path = tmp_path / "x.gif"
    path.write_bytes(b"no picture at all")
    refused(ValueError, r"x\.gif is not a picture", meiro.from_image, path)
    path.write_bytes(b"")
    refused(ValueError, r"x\.gif is empty", meiro.from_image, path)
    noise = np.random.default_rng(1).integers(0, 256, (64, 64), dtype=np.uint8)
    Image.fromarray(noise).save(path)
    path.write_bytes(path.read_bytes()[:800])
    refused(ValueError, r"x\.gif is damaged", meiro.from_image, path)
    with pytest.raises(FileNotFoundError):
        meiro.from_image(tmp_path / "none.png")
    with pytest.raises(TypeError, match="open it with 'rb'"), path.open(encoding="latin-1") as text:
        meiro.from_image(cast("Any", text))


def test_image_with_more_opacities_than_colours_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    Image.fromarray(np.eye(5, dtype=np.uint8), "P").save(path)
    good = path.read_bytes()
    at = good.index(b"IDAT") - 4
    opacities = b"tRNS" + bytes(300)
    check = zlib.crc32(opacities).to_bytes(4, "big")
    path.write_bytes(good[:at] + (300).to_bytes(4, "big") + opacities + check + good[at:])
    refused(ValueError, r"x\.png is damaged", meiro.read, path)


def test_image_colors_differ_in_brightness() -> None:
    """CIE 1976 differences, for normal sight and Machado's (2009) matrices of full severity."""
    sight = """
        1 0 0  0 1 0  0 0 1
        0.152286 1.052583 -0.204868   0.114503 0.786281 0.099216  -0.003882 -0.048116 1.051998
        0.367322 0.860646 -0.227968   0.280085 0.672501 0.047413  -0.011820  0.042940 0.968881
        1.255528 -0.076749 -0.178779  -0.078411 0.930809 0.147602  0.004733 0.691367 0.303900
    """  # normal, protanopia, deuteranopia, tritanopia

    def lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
        to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
        xyz = to_xyz @ linear.clip(0, 1) / [0.9505, 1, 1.089]
        f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
        return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])

    together = [list(colors.COLORS.values())]
    for name, ways in colors.ROUTES.items():
        together += [[*ways, colors.THEMES[name].road], [*ways, colors.THEMES[name].wall]]
        assert colors.GROUPS[name][: len(ways)] == ways
    clusters = [[*group, colors.THEMES[name].wall] for name, group in colors.CLUSTERS.items()]
    groups = [[*group, colors.THEMES[name].road] for name, group in colors.GROUPS.items()]
    for matrix in np.array(sight.split(), float).reshape(4, 3, 3):
        for group in together + clusters + groups:
            unit = np.array([color.unit for color in group])
            linear = np.where(unit <= 0.04045, unit / 12.92, ((unit + 0.055) / 1.055) ** 2.4)
            seen = [lab(matrix @ color) for color in linear]
            for one, other in itertools.combinations(range(len(group)), 2):
                least = 18 if group in groups else 20 if group in clusters else 24
                assert np.linalg.norm(seen[one] - seen[other]) > least, (group[one].hex, group[other].hex)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [((0, 255), np.int16), ((0, 255), np.uint16), ((-1, 0), np.int64), ((-0.5, 1), float)],
)
def test_image_refuses_ambiguous_arrays(values: tuple[float, float], dtype: type) -> None:
    array: NDArray[Any] = np.array([values], dtype)
    refused(ValueError, r"say threshold=", meiro.from_image, array)
    assert meiro.from_image(array, threshold=values[1]).tolist() == [[1, 0]]
