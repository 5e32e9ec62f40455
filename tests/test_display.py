from __future__ import annotations

import base64
import io
import re
import sys
import time
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from rounds import round_maze, round_mazes
from test_graph import ROUND, loose_maze

import meiro
from meiro.colors import GOAL, START, WALL
from meiro.display import MOST_BYTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAZES = (
    st.builds(loose_maze, st.integers(1, 9), st.integers(1, 9), st.integers(0, 999), holes=st.booleans())
    | round_mazes()
)
LINE = re.compile(r"M(\d+) (\d+)([hv])(\d+)")


def shown(x: object) -> str:
    html = x._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(html, str)
    assert len(html.encode()) < MOST_BYTES
    return html


def tree_of(html: str) -> ET.Element:
    """Read the HTML as XML: the one tag that needs no end gets one."""
    return ET.fromstring(re.sub(r"<img ([^>]*)>", r"<img \1/>", html))  # noqa: S314


def picture_of(html: str) -> NDArray[np.uint8]:
    """Return the one PNG, 0 to 255."""
    (data,) = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    with Image.open(io.BytesIO(base64.b64decode(data, validate=True))) as image:
        return np.asarray(image.convert("L"))


@given(MAZES)
def test_a_small_maze_is_an_svg_with_all_its_walls_in_one_path(maze: meiro.Maze) -> None:
    html = shown(maze)
    assert len(html) < 20_000
    svg = next(e for e in tree_of(html).iter() if e.tag.endswith("svg"))
    paths = [e for e in svg if e.tag.endswith("path")]
    drawn = np.zeros_like(maze.grid)
    for x, y, way, steps in LINE.findall(paths[-1].attrib["d"]):
        col, row = 2 * int(x), 2 * int(y)
        far = 2 * int(steps) + 1
        drawn[row : row + (far if way == "v" else 1), col : col + (far if way == "h" else 1)] = 1
    for x, y, _, width in LINE.findall(paths[0].attrib["d"]) if maze.mask is not None else []:
        drawn[2 * int(y) + 1, 2 * int(x) + 1 : 2 * (int(x) + int(width)) : 2] = 1
    drawn[::2, ::2] = maze.grid[::2, ::2]
    assert np.array_equal(drawn, maze.grid)
    assert paths[-1].attrib["stroke"] == WALL.hex


def test_an_svg_of_the_largest_size_is_small() -> None:
    html = shown(meiro.generate((50, 50), "kruskal", rng=0))
    assert "<svg" in html
    assert len(html) < 20_000


@pytest.mark.parametrize("shape", [(51, 51), (100, 120), (3, 300), (349, 349)])
def test_a_larger_maze_is_a_png_with_a_pixel_a_site(shape: tuple[int, int]) -> None:
    maze = meiro.generate(shape, "kruskal", rng=0)
    html = shown(maze)
    assert np.array_equal(picture_of(html), 255 * (1 - maze.grid))
    width = int(re.findall(r'width="(\d+)"', html)[0])
    assert width % (2 * shape[1] + 1) == 0
    assert "reduced" not in html


@pytest.mark.parametrize("shape", [(351, 351), (1000, 700), (1, 40_000), (40_000, 2), (351, 3)])
def test_a_huge_maze_is_averaged_and_says_so(shape: tuple[int, int]) -> None:
    mask = np.ones(shape, bool)
    mask[: shape[0] // 2 or 1, shape[1] // 2 :] = False
    html = shown(meiro.generate(algorithm="backtracker", mask=mask, rng=0))
    image = picture_of(html)
    assert 8 <= min(image.shape) <= max(image.shape) == 360
    assert f"reduced to {image.shape[0]} x {image.shape[1]} pixels" in html
    height, width = image.shape
    if shape[0] > 1:
        assert image[: height // 2 - 1, width // 2 + 2 :].max() == 0
        assert 150 < image[height // 2 + 1 :].mean() < 220


def test_what_cannot_be_compressed_stays_bounded_too() -> None:
    rng = np.random.default_rng(0)
    for side in (349, 360, 600):
        shown(loose_maze(side, side, int(rng.integers(99))))
    batch = meiro.generate_many(3, (124, 124), "kruskal", rng=0)
    shown(batch)


def test_64_million_cells_are_shown_at_once() -> None:
    maze = meiro.Maze._made(np.broadcast_to(np.uint8(0), (8000, 8000)).copy())
    begin = time.perf_counter()
    html = shown(maze)
    assert time.perf_counter() - begin < 3  # 0.15 s alone on the machine
    assert "8000 rows x 8000 cols; reduced to 360 x 360 pixels" in html


def test_the_line_below_tells_what_it_is() -> None:
    maze = meiro.generate((4, 6), "kruskal", rng=7)
    text = "".join(tree_of(shown(maze)).itertext())
    assert text == f"4 rows x 6 cols, kruskal{maze.seed!r}"
    assert 'aria-label="maze, 4 rows x 6 cols, kruskal"' in shown(maze)
    assert "background:#fff" in shown(maze)  # seen on a dark page
    torus = "".join(tree_of(shown(round_maze((4, 5), (True, True), 1))).itertext())
    assert torus == "4 rows x 5 cols, torus"


def test_start_goal_openings_and_mask_are_shown() -> None:
    bare = meiro.generate(algorithm="backtracker", mask=ROUND, rng=1)
    maze = meiro.Maze(bare.passages, bare.mask, [(0, 9)], start=(0, 4), goal=(8, 3))
    html = shown(maze)
    assert f'cx="4.5" cy="0.5" r="0.28" fill="{START.hex}"' in html
    assert f'cx="3.5" cy="8.5" r="0.28" fill="{GOAL.hex}"' in html
    assert "M0 0h4M5 0h4" in html


def test_a_batch_shows_three() -> None:
    many = meiro.generate_many(1234, (8, 8), "kruskal", rng=7)
    html = shown(many)
    assert html.count("<svg") == 3
    assert "1,234 mazes, 8 rows x 8 cols, kruskal; the first 3 are shown" in html
    one = shown(many[:1])
    assert one.count("<svg") == 1
    assert ">1 maze, 8 rows x 8 cols, kruskal<" in one
    assert ">0 mazes, 8 rows x 8 cols, kruskal<" in shown(many[:0])
    for shape in ((60, 60), (400, 400)):
        large = shown(meiro.generate_many(4, shape, "kruskal", rng=7))
        assert large.count("<img") == 3
        tree_of(large)


def test_a_list_of_mazes_is_a_line_each() -> None:
    mazes = list(meiro.generate_many(50, (30, 30), "kruskal", rng=0))
    assert all("\n" not in repr(maze) and len(repr(maze)) < 80 for maze in mazes)


def test_it_needs_no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for size in (5, 100, 400):
        shown(meiro.generate((size, size), "kruskal", rng=0))


def test_the_registry_shows_itself_as_a_table() -> None:
    for registry in (meiro.ALGORITHMS, meiro.SOLVERS):
        table = tree_of(shown(registry))
        assert [e.text for e in table.iterfind("tbody/tr/td[1]")] == list(registry)
