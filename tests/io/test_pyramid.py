"""Pictures at every scale, in tiles (Deep Zoom), and the page that shows them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from refusals import refused

import meiro

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from playwright.sync_api import Page

    from meiro import Maze


def level(folder: Path, number: int, tile: int) -> NDArray[np.int64]:
    """Put the tiles of a level together: how bright the pixels are."""
    from PIL import Image

    tiles: dict[tuple[int, int], NDArray[Any]] = {}
    for file in (folder / "maze_files" / str(number)).iterdir():
        col, row = map(int, file.stem.split("_"))
        with Image.open(file) as picture:
            tiles[row, col] = np.array(picture.convert("L"), np.int64)
    rows, cols = (max(place[axis] for place in tiles) + 1 for axis in (0, 1))
    assert len(tiles) == rows * cols
    assert all(tiles[r, c].shape == (tile, tile) for r in range(rows - 1) for c in range(cols - 1))
    return np.vstack([np.hstack([tiles[r, c] for c in range(cols)]) for r in range(rows)])


def halved(bright: NDArray[np.int64]) -> NDArray[np.int64]:
    height, width = bright.shape
    wide = np.pad(255 - bright, ((0, height % 2), (0, width % 2)), mode="edge")
    means: NDArray[np.float64] = wide.reshape(len(wide) // 2, 2, -1, 2).mean(axis=(1, 3))
    return 255 - np.rint(means).astype(np.int64)


@pytest.mark.parametrize("shape", [(1, 1), (127, 128), (150, 333), (300, 20)])
@pytest.mark.parametrize("tile", [256, 512])
def test_levels_are_the_maze_and_means_of_the_level_before(shape: Any, tile: int, tmp_path: Path) -> None:
    folder = tmp_path / "tiles"
    maze = meiro.generate(shape, rng=7)
    meiro.io.pyramid(maze, folder, tile=tile)
    head = ET.parse(folder / "maze.dzi").getroot()  # noqa: S314  # written by this test
    size = [int(head[0].attrib[name]) for name in ("Height", "Width")]
    assert size == list(maze.grid.shape)
    assert (head.attrib["TileSize"], head.attrib["Overlap"], head.attrib["Format"]) == (str(tile), "0", "png")
    finest = (max(size) - 1).bit_length()
    assert {file.name for file in (folder / "maze_files").iterdir()} == {*map(str, range(finest + 1))}
    known = np.where(maze.grid == 0, 255, 0).astype(np.int64)
    for number in range(finest, -1, -1):
        assert np.array_equal(level(folder, number, tile), known), number
        known = halved(known)


def test_pyramid_of_a_stream_and_of_an_array_is_that_of_the_maze(tmp_path: Path) -> None:
    rows, maze = meiro.generators.stream("eller", 90, rng=7), meiro.generate((170, 90), "eller", rng=7)
    told: list[tuple[int, int]] = []
    meiro.io.pyramid(rows, tmp_path / "a", rows=170, progress=lambda *now: told.append(now))
    meiro.io.pyramid(maze, tmp_path / "b")
    meiro.io.pyramid(maze.grid, tmp_path / "c")
    assert told[-1] == (15300, 15300)
    files = sorted(file.relative_to(tmp_path / "a") for file in (tmp_path / "a").rglob("*.png"))
    assert files
    for file in files:
        data = (tmp_path / "a" / file).read_bytes()
        assert data == (tmp_path / "b" / file).read_bytes() == (tmp_path / "c" / file).read_bytes()


def test_pyramid_replaces_pyramids_only(tmp_path: Path) -> None:
    folder = tmp_path / "tiles"
    meiro.io.pyramid(meiro.generate((9, 9), rng=7), folder)
    meiro.io.pyramid(meiro.generate((3, 4), rng=7), folder)
    assert 'Width="9" Height="7"' in (folder / "maze.dzi").read_text("utf-8")
    for other in (tmp_path / "a folder", tmp_path / "a file"):
        other.mkdir() if "folder" in other.name else other.write_bytes(b"")
        with pytest.raises(FileExistsError, match="exists and holds no pyramid: it is not replaced"):
            meiro.io.pyramid(meiro.generate((3, 4), rng=7), other)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"tile": 300}, ValueError, "tile must be"),
        ({"tile": 2.5}, TypeError, "tile must be an integer"),
        ({"rows": 3}, TypeError, "rows=3 is for a stream"),
        ({"x": meiro.generators.stream("eller", 4)}, TypeError, "x is a stream: pyramid needs rows="),
        ({"folder": 3}, TypeError, "folder must be a path, not 3"),
    ],
)
def test_pyramid_refuses(given: Any, error: type[Exception], words: str, tmp_path: Path) -> None:
    call = {"x": meiro.generate((3, 4), rng=7), "folder": tmp_path / "tiles", **given}
    refused(error, words, meiro.io.pyramid, **call)
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Maze, Path]:
    maze = meiro.generate((400, 700), rng=7)
    folder = tmp_path_factory.mktemp("pyramid") / "tiles"
    meiro.io.pyramid(maze, folder)
    return maze, folder


@pytest.mark.browser
def test_the_page_shows_the_maze_where_it_says(tiles: tuple[Maze, Path], page: Page) -> None:
    """Zoomed in by wheel and moved by keys: the pixels of the middle are the sites that it names."""
    import io

    from PIL import Image

    maze, folder = tiles
    page.goto((folder / "index.html").as_uri())
    page.mouse.move(300, 200)
    for _ in range(20):
        page.mouse.wheel(0, -400)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(500)
    words = page.inner_text("output").replace(",", "").split()
    assert words[4:] == ["96", "px", "a", "cell"]
    scale, x, y = page.evaluate("[scale, x, y]")
    with Image.open(io.BytesIO(page.screenshot())) as shot:
        seen = np.array(shot.convert("L"))
    height, width = seen.shape
    for dy in range(-5, 4):
        for dx in range(-5, 6):
            row, col = int(y) + dy, int(x) + dx
            at = [int((row + 0.5 - y) * scale + height / 2), int((col + 0.5 - x) * scale + width / 2)]
            assert (seen[at[0], at[1]] < 128) == maze.grid[row, col]
    page.keyboard.press("0")
    page.wait_for_timeout(300)
    assert page.inner_text("output").startswith("row 199, col 349") or "row 200" in page.inner_text("output")


@pytest.mark.browser
def test_the_page_is_moved_by_mouse_and_buttons(tiles: tuple[Maze, Path], page: Page) -> None:
    page.goto((tiles[1] / "index.html").as_uri())
    page.click("#nearer")
    page.click("#nearer")
    scale, x, _ = page.evaluate("[scale, x, y]")
    page.mouse.move(500, 300)
    page.mouse.down()
    page.mouse.move(400, 300)
    page.mouse.up()
    moved, there, _ = page.evaluate("[scale, x, y]")
    assert moved == scale
    assert there == pytest.approx(x + 100 / scale)
    page.click("#all")
    assert page.evaluate("x") == pytest.approx(tiles[0].grid.shape[1] / 2)
