"""Pictures as people have them: turned by EXIF, scaled, of cameras with 12 bits, with a path painted in."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import meiro
from meiro.io import image

Image = pytest.importorskip("PIL.Image")


MAZE = meiro.with_openings(meiro.generate((12, 16), "backtracker", rng=3), "top_bottom")
TURNED_BACK = {
    2: "FLIP_LEFT_RIGHT",
    3: "ROTATE_180",
    4: "FLIP_TOP_BOTTOM",
    5: "TRANSPOSE",
    6: "ROTATE_90",
    7: "TRANSVERSE",
    8: "ROTATE_270",
}


def picture_of(maze: meiro.Maze, corridor: int, wall: int) -> Any:
    walls = maze.to_grid(corridor=corridor, wall=wall)
    return Image.fromarray(np.where(walls, 0, 255).astype(np.uint8))


def cells_on(path: NDArray[Any], shape: tuple[int, ...], maze: meiro.Maze, corridor: int, wall: int) -> Any:
    """Return the cells that a path of pixels crosses, in order."""
    size = np.array([n * (corridor + wall) + wall for n in maze.shape])
    cells = ((path * size / shape - wall / 2) // (corridor + wall)).astype(int)
    cells = np.clip(cells, 0, np.array(maze.shape) - 1)
    return cells[np.append(True, (cells[1:] != cells[:-1]).any(axis=1))].tolist()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", TURNED_BACK)
def test_pictures_are_read_as_viewers_show_them(orientation: int, form: str, tmp_path: Path) -> None:
    upright = picture_of(MAZE, 8, 4).convert("RGB")
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = upright.transpose(getattr(Image.Transpose, TURNED_BACK[orientation]))
    path = tmp_path / f"photo.{form.lower()}"
    stored.save(path, form, exif=exif, **({"quality": 95} if form == "JPEG" else {}))
    expected = meiro.from_image(upright)
    with Image.open(path) as opened:
        for given in (path, opened, io.BytesIO(path.read_bytes())):
            assert meiro.from_image(given).tolist() == expected.tolist()
    masks = [meiro.mask_from_image(picture, MAZE.shape).tolist() for picture in (path, upright)]
    assert masks[0] == masks[1]
    solved = tmp_path / "solved.png"
    meiro.solve(meiro.from_image(path)).save(solved, picture=path)
    with Image.open(solved) as picture:
        assert picture.size == upright.size


@pytest.mark.parametrize("share", [0.9, 0.8, 0.7, 0.6, 0.5])
@pytest.mark.parametrize("way", ["BILINEAR", "BICUBIC", "LANCZOS", "BOX"])
def test_thin_walls_of_a_scaled_picture_stay_walls(way: str, share: float) -> None:
    picture = picture_of(MAZE, 19, 1)
    small = picture.resize([round(side * share) for side in picture.size], getattr(Image.Resampling, way))
    x = meiro.from_image(small)
    path = meiro.solve(x, centre=True).path
    assert cells_on(path, x.shape, MAZE, 19, 1) == MAZE.solve().path.tolist()


@pytest.mark.parametrize("corridor_and_wall", [(12, 12), (8, 8), (18, 2), (12, 6)])
@pytest.mark.parametrize("degrees", [0.5, 1, 3, 7, 9, -4])
def test_tilted_pictures_keep_their_openings(degrees: float, corridor_and_wall: tuple[int, int]) -> None:
    corridor, wall = corridor_and_wall
    drawn = picture_of(MAZE, corridor, wall).convert("RGB")
    page = Image.new("RGB", (drawn.width + 120, drawn.height + 120), "white")
    page.paste(drawn, (60, 60))
    page = page.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor="white")
    x = meiro.from_image(page, threshold="local", speckles=20, deskew=True)
    path = meiro.solve(x, centre=True).path
    assert cells_on(path, x.shape, MAZE, corridor, wall) == MAZE.solve().path.tolist()


@pytest.mark.parametrize("bits", [9, 10, 12, 14, 16])
def test_sixteen_bits_of_which_fewer_are_used(bits: int) -> None:
    walls = MAZE.to_grid(corridor=3, wall=2)
    most = (1 << bits) - 1
    values = np.where(walls, most // 10, most - most // 50).astype(np.uint16)
    file = io.BytesIO()
    Image.fromarray(values).save(file, "PNG")
    file.seek(0)
    assert meiro.from_image(file).tolist() == walls.tolist()
    file.seek(0)
    assert meiro.brightness(file).max() == pytest.approx(0.98, abs=0.01)
    file.seek(0)
    assert meiro.from_image(file, threshold=128).tolist() == walls.tolist()  # of 255, as in all files


def test_sixteen_bits_are_painted_as_bright_in_dark_parts_as_in_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(image, "bands", lambda rows, _: (slice(row, row + 1) for row in range(rows)))
    values = np.array([[0, 16, 255], [0, 2048, 4095]], np.uint16)
    painted = np.asarray(image.rgb_image(Image.fromarray(values)))
    assert painted[..., 0].tolist() == [[0, 1, 15], [0, 128, 255]]


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
@pytest.mark.parametrize("scale", [4, 8])
def test_a_picture_with_its_solution_is_the_maze_in_any_mode(form: str, scale: int, tmp_path: Path) -> None:
    again = io.BytesIO()
    path = tmp_path / "solved.png"
    MAZE.save(path, solution=MAZE.solve(), scale=scale)
    with Image.open(path) as drawn:
        drawn.convert("RGB").save(again, form)
    again.seek(0)
    x = meiro.from_image(again)
    assert np.abs(np.asarray(x, int) - np.kron(MAZE.grid, np.ones((scale, scale), int))).mean() < 0.01
    found = meiro.solve(x, centre=True)
    assert cells_on(found.path, x.shape, MAZE, scale, scale) == MAZE.solve().path.tolist()


def test_a_drawing_in_blue_ink_has_walls() -> None:
    walls = MAZE.to_grid(corridor=4, wall=2)
    picture = np.where(walls[..., None] == 1, (20, 40, 160), (255, 255, 250)).astype(np.uint8)
    assert meiro.from_image(picture).tolist() == walls.tolist()


def test_clear_pictures_have_the_threshold_in_the_middle() -> None:
    assert meiro.from_image([[0, 255], [255, 255]]).decisions == {"threshold": 127.5}
    assert math.isclose(meiro.from_image(np.array([[0.0, 1.0], [1.0, 1.0]])).decisions["threshold"], 0.5)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_an_image_of_pillow_is_bright_where_roads_are(mode: str) -> None:
    picture = picture_of(MAZE, 1, 1)
    if mode == "I;16":
        image = Image.fromarray(np.asarray(picture).astype(np.uint16) * 257)
    else:
        image = picture.convert(mode)
    assert meiro.solve(image).path.tolist() == meiro.solve(MAZE.grid).path.tolist()
    assert meiro.Maze.from_grid(image) == MAZE
    assert meiro.distances(image, (1, 1)).tolist() == meiro.distances(MAZE.grid, (1, 1)).tolist()
    assert meiro.solve(np.asarray(MAZE.grid == 1)).length == meiro.solve(MAZE.grid).length  # True is a wall
