from __future__ import annotations

import base64
import functools
import io
import pickle
import re
import sys
import xml.etree.ElementTree as ET
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from arbitrary_mazes import ROUND, drawn_grid, loose_maze, loose_mazes
from hypothesis import example, given
from numpy.typing import NDArray
from periodic_mazes import periodic_maze
from PIL import Image
from timing import best, seconds
from written_calls import OBJECTS

import meiro
from meiro._utils.pixel_layout import Layout, layout_of
from meiro.colors import GOAL, LIGHT, START, WALL
from meiro.drawing.card import RULES
from meiro.drawing.notebook import rich_display
from meiro.drawing.notebook.rich_display import MOST_BYTES
from meiro.traces.frame_deltas import frame_colors

MAZES = loose_mazes(9)
LINE = re.compile(r"M(\d+) (\d+)([hv])(\d+)")


def shown(x: object) -> str:
    html = x._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(html, str)
    assert len(html.encode()) < MOST_BYTES
    return html


def test_a_notebook_gets_the_repr_and_the_html_made_once_if_it_wants_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from IPython.core.formatters import DisplayFormatter

    notebook: Any = DisplayFormatter
    names = set()
    for name, make in OBJECTS.items():
        x = make()
        if not hasattr(x, "_repr_html_"):
            continue
        names.add(name)
        html = Mock(return_value=x._repr_html_())
        with monkeypatch.context() as patched:
            patched.setattr(type(x), "_repr_html_", html)
            bundle, metadata = notebook().format(x)
            assert (bundle.keys(), metadata) == ({"text/plain", "text/html"}, {}), name
            assert bundle["text/plain"].split() == repr(x).split()
            assert bundle["text/html"] == html.return_value
            for which in ({"include": {"text/plain"}}, {"exclude": {"text/html"}}):
                assert notebook().format(x, **which)[0].keys() == {"text/plain"}, name
            assert html.call_count == 1, name
    assert names >= {"Maze", "MazeBatch", "Solution", "Table", "Trace", "GraphMaze", "Lattice", "Registry"}


def tree_of(html: str) -> ET.Element:
    """Read the HTML without its style as XML: the one tag that needs no end gets one."""
    closed = re.sub(r"<img ([^>]*)>", r"<img \1/>", html.replace(RULES, ""))
    return ET.fromstring(closed)  # noqa: S314


def picture_of(html: str) -> NDArray[np.uint8]:
    """Return the one PNG, of greys, 0 to 255."""
    (picture,) = pictures_of(html)
    assert np.ptp(picture, axis=2).max() == 0
    return picture[..., 0]


@given(MAZES)
@example(meiro.Maze(np.full((3, 3), 15, np.uint8), wrap=(True, True)))
def test_html_of_a_small_maze_is_an_svg_with_one_path_of_walls(maze: meiro.Maze) -> None:
    html = shown(maze)
    assert len(html) < 20_000
    svg = next(e for e in tree_of(html).iter() if e.tag.endswith("svg"))
    paths = [e for e in svg if e.tag.endswith("path")]
    drawn = np.zeros_like(maze.grid)
    walls = paths[-1].attrib["d"] if paths else ""  # a torus may have no wall
    for x, y, way, steps in LINE.findall(walls):
        col, row = 2 * int(x), 2 * int(y)
        far = 2 * int(steps) + 1
        drawn[row : row + (far if way == "v" else 1), col : col + (far if way == "h" else 1)] = 1
    wanted = drawn_grid(maze)
    drawn[::2, ::2] = wanted[::2, ::2]
    assert np.array_equal(drawn, wanted)
    assert not walls or paths[-1].attrib["stroke"] == WALL.hex


def test_html_of_the_largest_svg_is_small() -> None:
    html = shown(meiro.generate((50, 50), "kruskal", rng=0))
    assert "<svg" in html
    assert len(html) < 20_000


@pytest.mark.parametrize("shape", [(51, 51), (100, 120), (3, 300), (349, 349)])
def test_html_of_a_larger_maze_is_a_png_that_shows_each_site(shape: tuple[int, int]) -> None:
    maze = meiro.generate(shape, "kruskal", rng=0)
    mask = np.ones(shape, bool)
    mask[:1, 1:] = False
    masked = meiro.generate(algorithm="kruskal", mask=mask, rng=0)
    for one, grid in ((maze, maze.grid), (masked, drawn_grid(masked))):
        layout = layout_of(maze.grid.shape, cells=True, size=560)
        assert np.array_equal(picture_of(shown(one)), layout.pixels(np.where(grid, WALL.red, 255)))
    assert "reduced" not in shown(maze)


@pytest.mark.parametrize("shape", [(351, 351), (1000, 700), (1, 40_000), (40_000, 2), (351, 3)])
def test_html_of_a_huge_maze_is_averaged_and_says_so(shape: tuple[int, int]) -> None:
    mask = np.ones(shape, bool)
    mask[: shape[0] // 2 or 1, shape[1] // 2 :] = False
    html = shown(meiro.generate(algorithm="backtracker", mask=mask, rng=0))
    image = picture_of(html)
    assert 8 <= min(image.shape) <= max(image.shape) == 360
    assert f"reduced to {image.shape[0]} x {image.shape[1]} pixels" in html
    height, width = image.shape
    if shape[0] > 1:
        assert image[: height // 2 - 3, width * 3 // 4 :].min() == 255
        assert 150 < image[height // 2 + 1 :].mean() < 220


def test_html_of_incompressible_mazes_is_bounded() -> None:
    rng = np.random.default_rng(0)
    for side in (349, 360, 600):
        shown(loose_maze(side, side, int(rng.integers(99))))
    batch = meiro.generate_many((124, 124), "kruskal", 3, rng=0)
    shown(batch)


@pytest.mark.clock
def test_html_of_64_million_cells_takes_less_than_3_s() -> None:
    maze = meiro.Maze(np.zeros((8000, 8000), np.uint8))
    assert best(lambda: seconds(lambda: shown(maze)), 1) < 3  # 0.15 s usually


def test_html_caption_describes_the_maze() -> None:
    maze = meiro.generate((4, 6), "kruskal", rng=7)
    text = "".join(tree_of(shown(maze)).itertext())
    assert text == "4 rows x 6 cols, kruskalrng=7"
    assert 'aria-label="maze, 4 rows x 6 cols, kruskal"' in shown(maze)
    assert "background:#fff" in shown(maze)  # seen on a dark page
    torus = "".join(tree_of(shown(periodic_maze((4, 5), (True, True), 1))).itertext())
    assert torus == "4 rows x 5 cols, torus"


def test_html_shows_start_goal_openings_and_mask() -> None:
    bare = meiro.generate(algorithm="backtracker", mask=ROUND, rng=1)
    maze = meiro.Maze(bare.passages, bare.mask, [(0, 9)], start=(0, 4), goal=(8, 3))
    html = shown(maze)
    assert f'cx="4.5" cy="0.5" r="0.28" fill="{START.hex}"' in html
    assert f'cx="3.5" cy="8.5" r="0.2" fill="#fff" stroke="{GOAL.hex}"' in html
    assert "M2 0h2M5 0h2" in html  # the opening between, and nothing outside


def test_html_of_a_batch_shows_three_mazes() -> None:
    many = meiro.generate_many((8, 8), "kruskal", 1234, rng=7)
    html = shown(many)
    assert html.count("<svg") == 3
    assert "1,234 mazes, 8 rows x 8 cols, kruskal; the first 3 are shown" in html
    one = shown(many[:1])
    assert one.count("<svg") == 1
    assert ">1 maze, 8 rows x 8 cols, kruskal<" in one
    assert ">0 mazes, 8 rows x 8 cols, kruskal<" in shown(many[:0])
    for shape in ((60, 60), (400, 400)):
        large = shown(meiro.generate_many(shape, "kruskal", 4, rng=7))
        assert large.count("<img") == 3
        tree_of(large)


def test_repr_of_a_list_of_mazes_is_a_line_each() -> None:
    mazes = list(meiro.generate_many((30, 30), "kruskal", 50, rng=0))
    assert all("\n" not in repr(maze) and len(repr(maze)) < 80 for maze in mazes)


def test_html_needs_no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for size in (5, 100, 400):
        shown(meiro.generate((size, size), "kruskal", rng=0))


def test_html_of_the_registry_is_a_table() -> None:
    for registry in (meiro.ALGORITHMS, meiro.SOLVERS, meiro.MEASURES):
        table = tree_of(shown(registry))
        assert [e.text for e in table.iterfind("tbody/tr/td[1]")] == list(registry)
    assert all(facts.about in "".join(table.itertext()) for facts in meiro.MEASURES.values())


# Solutions, traces, tables


def pictures_of(html: str) -> list[NDArray[np.uint8]]:
    """Return every PNG in its colours."""
    found = []
    for data in re.findall(r'src="data:image/png;base64,([^"]+)"', html):
        with Image.open(io.BytesIO(base64.b64decode(data, validate=True))) as image:
            found.append(np.asarray(image.convert("RGB")))
    return found


def text_of(x: object) -> str:
    return "".join(tree_of(shown(x)).itertext())


def at_place(picture: NDArray[np.uint8], layout: Layout, row: int, col: int) -> tuple[int, ...]:
    """Return the colour in the middle of a place."""
    middle = [layout.lines(n + 1).cumsum()[n] - 1 for n in (row, col)]
    return tuple(picture[middle[0], middle[1]].tolist())


def test_html_of_a_solution_shows_path_and_explored_cells() -> None:
    small = meiro.solve(meiro.generate((10, 14), "backtracker", rng=3))
    lines = small.searched().to_svg(solution=small, explored=True)
    for color in (LIGHT.wall, LIGHT.visited, LIGHT.path, LIGHT.start, LIGHT.goal):
        (drawn,) = re.findall(rf'<[^>]*{color.hex}"[^>]*(?: d="[^"]*")?', lines)
        assert re.sub('stroke-width="[^"]*"|/$', "", drawn).split()[-1] in shown(small)
    maze = meiro.generate((56, 50), "backtracker", rng=3)  # too many cells for lines
    solution = meiro.solve(maze, (2, 1), (7, 9), algorithm="dfs")
    assert text_of(solution) == repr(solution).removeprefix("<Solution of ").strip("<>")
    (picture,) = pictures_of(shown(solution))
    layout = layout_of((113, 101), cells=True, size=420)
    assert picture.shape[:2] == layout.size((113, 101))
    path = set(map(tuple, solution.path.tolist()))
    for row, col in np.ndindex(56, 50):
        color = LIGHT.visited if solution.explored[row, col] else LIGHT.road
        color = LIGHT.path if (row, col) in path else color
        color = {(2, 1): LIGHT.start, (7, 9): LIGHT.goal}.get((row, col), color)
        assert at_place(picture, layout, 2 * row + 1, 2 * col + 1) == color
    for row, col in solution.grid_path[1:-1].tolist():
        assert at_place(picture, layout, row, col) == LIGHT.path
    for row, col in np.ndindex(113, 101):
        assert (at_place(picture, layout, row, col) == LIGHT.wall) == bool(maze.grid[row, col])


def test_html_of_a_solution_of_an_array_shows_sites() -> None:
    room = np.zeros((6, 9), np.uint8)
    room[1:5, 4] = 1
    solution = meiro.solve(room, (3, 0), (3, 8))
    room[:] = 1  # what is shown is what was searched
    (picture,) = pictures_of(shown(solution))
    side = 360 // 9
    paints = picture[side // 2 :: side, side // 2 :: side]
    assert (paints[3, 0] == LIGHT.start).all()
    assert (paints[3, 8] == LIGHT.goal).all()
    assert (paints[1:5, 4] == LIGHT.wall).all()
    assert (paints == LIGHT.wall).all(axis=2).sum() == 4
    assert (paints[tuple(solution.path[1:-1].T)] == LIGHT.path).all()


def test_html_of_a_solution_without_a_path_says_why() -> None:
    lost = meiro.solve(meiro.generate((5, 5), rng=1), algorithm="random_mouse", max_steps=3, rng=1)
    assert not lost.found
    assert lost.reason in text_of(lost)
    assert LIGHT.visited.hex in shown(lost)
    assert LIGHT.path.hex not in shown(lost)


@pytest.mark.parametrize("shape", [(201, 201), (400, 300), (1, 5000), (5000, 1), (3, 900)])
def test_html_of_a_large_solution_is_reduced(shape: tuple[int, int]) -> None:
    solution = meiro.solve(meiro.generate(shape, "kruskal", rng=1))
    (picture,) = pictures_of(shown(solution))
    assert 8 <= min(picture.shape[:2]) <= max(picture.shape[:2]) == 240
    assert f"reduced to {picture.shape[0]} x {picture.shape[1]} pixels" in text_of(solution)
    start, goal, path = ((51 * np.round(np.array(c) / 51)) for c in (LIGHT.start, LIGHT.goal, LIGHT.path))
    for corner, color in ((picture[:5, :5], start), (picture[-5:, -5:], goal)):
        assert (corner == color).all(axis=2).sum() == (picture == color).all(axis=2).sum() == 1
    drawn = (picture == path).all(axis=2)
    assert drawn.sum() >= max(picture.shape[:2]) - 2  # from one end to the other
    assert not drawn[0].all() or shape[0] == 1


def test_html_of_a_large_solution_from_a_pickle_shows_what_was_explored_where_it_was() -> None:
    solution = meiro.solve(meiro.generate((300, 400), rng=1), algorithm="a_star")
    read = pickle.loads(pickle.dumps(solution))  # noqa: S301
    whole, alone = (pictures_of(shown(one))[0].astype(int) for one in (solution, read))
    blue, blue_alone = (one[:, :, 2] - one[:, :, 0] > 40 for one in (whole, alone))
    assert (blue == blue_alone).mean() > 0.95


def test_html_of_a_large_solution_has_walls_and_explored_places() -> None:
    walls = np.zeros((600, 600), np.uint8)
    walls[:300, 300:] = 1  # one quarter is solid
    solution = meiro.solve(walls, (599, 0), (300, 299), algorithm="a_star")
    picture = pictures_of(shown(solution))[0].astype(int)
    assert picture[:100, 140:].max() < 60
    assert (picture[:100, :100] == 255).all()  # never reached
    explored = solution.explored[::5, ::5][:, :110].mean()
    blue = (picture[:, :, 2] - picture[:, :, 0] > 40)[::2, ::2][:, :110].mean()
    assert abs(explored - blue) < 0.05


def test_a_solution_from_a_pickle_shows_no_walls_and_says_so() -> None:
    solution = meiro.solve(meiro.generate((9, 9), rng=1))
    again = pickle.loads(pickle.dumps(solution))  # noqa: S301  # our own bytes
    assert again == solution
    assert len(pickle.dumps(meiro.solve(meiro.generate((90, 90), rng=1)))) < 12_000
    (picture,) = pictures_of(shown(again))
    assert not (picture == LIGHT.wall).all(axis=2).any()
    assert "its walls are not in a pickle" in text_of(again)
    assert "pickle" not in text_of(solution)


def test_html_leaves_out_a_path_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = meiro.solve(meiro.generate((300, 300), "serpentine"))
    assert "too long" not in text_of(solution)
    monkeypatch.setattr(rich_display, "_MOST_STEPS", 1000)
    assert "the path is too long to be drawn here" in text_of(solution)
    (picture,) = pictures_of(shown(solution))
    assert not (picture == LIGHT.path).all(axis=2).any()


@pytest.mark.parametrize("algorithm", ["wilson", "kruskal", "eller", "recursive_division"])
def test_html_of_a_trace_shows_four_frames(algorithm: str) -> None:
    trace = meiro.trace((6, 9), algorithm, rng=3)
    html = shown(trace)
    numbers = [int(k) for k in re.findall(r"trace\[(\d+)\]", html)]
    assert numbers[-1] == len(trace) - 1
    assert len(numbers) == 4
    layout = layout_of(trace.grid_shape, cells=True, size=200)
    for k, picture in zip(numbers, pictures_of(html), strict=True):
        assert (picture == np.array(LIGHT[:16])[layout.pixels(frame_colors(trace, k))]).all()
        assert trace[k].note in text_of(trace)
    assert "meiro.player(trace)" in text_of(trace)
    assert repr(trace).removeprefix("<Trace of ").rstrip(">") in text_of(trace)


def test_html_of_short_and_empty_traces() -> None:
    assert shown(meiro.trace((1, 1), "eller", rng=1)).count("<img") == 1
    assert shown(meiro.trace((1, 2), "kruskal", rng=1)).count("<img") == 1
    empty = meiro.trace((4, 4), rng=1, window=(5, 5))
    assert len(pictures_of(shown(empty))) == 1
    assert "Nothing has happened yet." in text_of(meiro.trace((4, 4), "kruskal", rng=1, window=(0, 0)))
    room = np.zeros((300, 9), np.uint8)
    assert shown(meiro.trace_solve(room, (0, 0), (299, 8))).count("<img") == 4


@pytest.mark.parametrize("shape", [(90, 90), (91, 91), (200, 90), (2, 900), (360, 360)])
def test_html_of_larger_traces_is_averaged(shape: tuple[int, int]) -> None:
    maze = meiro.generate(shape, "backtracker", rng=1)
    trace = meiro.trace_solve(maze)
    pictures = pictures_of(shown(trace))
    assert len(pictures) == 4
    colored = [(np.ptp(picture, axis=2) > 20).mean() for picture in pictures]
    assert colored[0] < colored[1] < colored[2]  # more and more is visited
    if max(shape) > 90:
        assert 8 <= min(pictures[0].shape[:2]) <= max(pictures[0].shape[:2]) <= 120


@functools.cache
def huge_values() -> tuple[meiro.Solution, meiro.Trace, meiro.Table]:
    return (
        meiro.solve(meiro.generate((8000, 8000), "sidewinder", rng=1)),
        meiro.trace((4000, 4000), "sidewinder", rng=1, window=(0, 100)),
        meiro.Table({"a": np.arange(1_000_000), "b": np.linspace(0, 1, 1_000_000)}),
    )


@pytest.mark.clock
def test_html_of_huge_values_takes_less_than_1_s() -> None:
    for x in huge_values():
        assert best(functools.partial(seconds, functools.partial(shown, x)), 0.5) < 1  # 0.05 s usually


def test_html_of_a_huge_trace_says_why_it_has_no_picture() -> None:
    assert "too large to be drawn here" in text_of(meiro.trace((1500, 1500), "sidewinder", window=(0, 9)))


def test_html_of_tables_is_bounded_and_escaped() -> None:
    nasty = '<script>"&' * 10
    table = meiro.Table({f"{nasty}{i}": np.array([nasty] * 30) for i in range(80)})
    html = shown(table)
    assert "<script" not in html
    assert "&lt;script" in html


@pytest.mark.parametrize("name", ["ALGORITHMS", "SOLVERS", "MEASURES", "solution", "trace", "table"])
def test_html_sets_no_text_color(name: str) -> None:
    """On a dark page black words would be lost; pictures have a white ground."""
    solution = meiro.solve(meiro.generate((5, 5), rng=1))
    things = {"solution": solution, "trace": meiro.trace((3, 3), rng=1), "table": meiro.Table({"a": [1]})}
    html = shown(things.get(name) or getattr(meiro, name))
    for style in re.findall(r'style="([^"]*)"', html):
        assert not re.search(r"(^|;)\s*color:", style)
        assert "background" not in style or "background:#fff" in style
    assert html.count("background:#fff") == html.count("<img") + html.count("<svg")
