"""Mazes on paper: what a PDF holds is read from the file itself, in millimetres."""

from __future__ import annotations

import importlib
import io
import itertools
import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import ROUND, drawn_grid, loose_maze
from files.pdf_reader import PdfPage, pages_of, rendered
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image
from programs import printed
from refusals import refused
from timing import best, seconds

import meiro
from meiro._utils.paper import PAGES
from meiro.drawing.page import EDGE
from meiro.io.paper import write_pdf

MAZE = meiro.generate((12, 9), rng=7)
WALL, PATH, GOAL = "#141414", "#d7191c", "#1fb85c"


def page_of(path: Path) -> PdfPage:
    (page,) = pages_of(path.read_bytes())
    return page


def saved(path: Path, maze: Any = MAZE, **options: Any) -> PdfPage:
    meiro.save(maze, path, **options)
    return page_of(path)


def lines_of(page: PdfPage, color: str) -> NDArray[np.float64]:
    return np.concatenate([stroke.lines for stroke in page.strokes if stroke.color == color])


def width_of(page: PdfPage, color: str) -> float:
    (width,) = {round(stroke.width, 6) for stroke in page.strokes if stroke.color == color}
    return width


def box_of(lines: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom."""
    return (*lines.min(axis=(0, 1)), *lines.max(axis=(0, 1)))


def grid_on(lines: NDArray[np.float64], maze: meiro.Maze) -> NDArray[np.uint8]:
    """Return the walls of a page as a grid; the page shows the whole of the maze."""
    left, top, right, _ = box_of(lines)
    sites = 2 * (lines - (left, top)) / ((right - left) / maze.cols)
    assert np.abs(sites - sites.round()).max() < 1e-3
    grid = np.zeros(maze.grid.shape, np.uint8)
    for (x, y), (x1, y1) in np.sort(sites.round().astype(int), axis=1):
        assert x == x1 or y == y1
        grid[y : y1 + 1, x : x1 + 1] = 1
    return grid


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 999))
def test_pdf_walls_are_those_of_the_maze(rows: int, cols: int, seed: int) -> None:

    maze = loose_maze(rows, cols, seed)
    write_pdf(file := io.BytesIO(), maze)
    (page,) = pages_of(file.getvalue())
    lines = lines_of(page, WALL)
    grid, wanted = grid_on(lines, maze), maze.grid.copy()
    wanted[::2, ::2] = grid[::2, ::2]  # where no wall meets a post, none is drawn
    assert np.array_equal(grid, wanted)
    grid[::2, ::2] = 1
    if maze.mask is None:
        assert np.array_equal(meiro.Maze.from_grid(grid).edges(), maze.edges())
    assert len(np.unique(lines.round(3), axis=0)) == len(lines)


def test_pdf_walls_are_merged_into_long_lines(tmp_path: Path) -> None:
    maze = meiro.Maze(np.zeros((20, 30), np.uint8))  # 630 + 620 walls
    assert len(lines_of(saved(tmp_path / "a.pdf", maze), WALL)) == 21 + 31


@pytest.mark.parametrize("name", PAGES)
def test_pdf_pages_have_their_size(name: str, tmp_path: Path) -> None:
    width, height = PAGES[name]
    tall, wide = meiro.generate((30, 10), rng=1), meiro.generate((10, 30), rng=1)
    for maze, size in ((tall, (width, height)), (wide, (height, width))):  # on its side: larger cells
        page = saved(tmp_path / "a.pdf", maze, page=name.lower())
        assert (page.width, page.height) == pytest.approx(size, abs=1e-3)
        left, top, right, bottom = box_of(lines_of(page, WALL))
        assert (left + right) / 2 == pytest.approx(page.width / 2, abs=1e-3)
        assert (top + bottom) / 2 == pytest.approx(page.height / 2, abs=1e-3)
        cell = (right - left) / maze.cols
        assert (bottom - top) / maze.rows == pytest.approx(cell, abs=1e-3)
        room = min((page.width - 30) / (maze.cols + 2 * EDGE), (page.height - 30) / (maze.rows + 2 * EDGE))
        assert cell == pytest.approx(room, abs=1e-3)
    assert saved(tmp_path / "a.pdf", wide, page=(width, height)).width == pytest.approx(width, abs=1e-3)


def test_pdf_lengths_are_millimetres(tmp_path: Path) -> None:
    way = meiro.solve(MAZE)
    sizes: dict[str, Any] = {"mm": 8, "margin": 20, "wall_width": 1.5, "path_width": 2}
    page = saved(tmp_path / "a.pdf", solution=way, page="A5", caps="round", **sizes)
    left, top, right, bottom = box_of(lines_of(page, WALL))
    assert (right - left, bottom - top) == pytest.approx((9 * 8, 12 * 8), abs=1e-3)
    assert (left, top) == pytest.approx(((148 - 72) / 2, (210 - 96) / 2), abs=1e-3)
    assert (width_of(page, WALL), width_of(page, PATH)) == pytest.approx((1.5, 2), abs=1e-3)
    assert {s.cap for s in page.strokes if s.color == WALL} == {1}
    assert {s.cap for s in saved(tmp_path / "b.pdf").strokes if s.color == WALL} == {2}
    path = np.unique(lines_of(page, PATH).reshape(-1, 2).round(3), axis=0)
    cells = np.unique((path - (left, top)) / 8 - 0.5, axis=0).round(2)
    turns = {tuple(way.path[0][::-1]), tuple(way.path[-1][::-1])}
    steps = np.diff(way.path, axis=0)
    turns |= {tuple(way.path[i + 1][::-1]) for i in np.flatnonzero((np.diff(steps, axis=0) != 0).any(axis=1))}
    assert {tuple(place) for place in cells.tolist()} == turns


def test_pdf_widths_follow_the_cells_within_what_prints_well(tmp_path: Path) -> None:
    for side, wall in ((3, 1.2), (40, 0.14 * 180 / 40.25), (170, 0.25)):
        page = saved(tmp_path / "a.pdf", meiro.generate((side, side), rng=1))
        assert width_of(page, WALL) == pytest.approx(wall, abs=1e-3)
    tiny = saved(tmp_path / "a.pdf", mm=0.5, solution=meiro.solve(MAZE))
    assert (width_of(tiny, WALL), width_of(tiny, PATH)) == pytest.approx((0.14, 0.28), abs=1e-3)


def test_pdf_fits_the_maze_on_request(tmp_path: Path) -> None:
    page = saved(tmp_path / "a.pdf", page="fit", mm=4, margin=3)
    assert (page.width, page.height) == pytest.approx((9.25 * 4 + 6, 12.25 * 4 + 6), abs=1e-3)
    page = saved(tmp_path / "a.pdf", page="fit")
    assert (page.width, page.height) == pytest.approx((9.25 * 5, 12.25 * 5), abs=1e-3)
    root = ET.fromstring(MAZE.to_svg(margin=3))  # noqa: S314
    assert (root.attrib["width"], root.attrib["height"]) == ("52.25mm", "67.25mm")


def test_pdf_is_no_longer_than_readers_take(tmp_path: Path) -> None:
    long = meiro.generate((1, 300), rng=1)
    words = r"a page of 6,\d+ x \d+ mm is too large, a PDF ends at 5,000: give a"
    refused(ValueError, words, saved, tmp_path / "a.pdf", long, page="fit", mm=20)
    assert saved(tmp_path / "a.pdf", long, page="fit", mm=16).width == pytest.approx(300.25 * 16, abs=1e-2)


def test_pdf_marks_start_and_goal(tmp_path: Path) -> None:
    def ring(page: PdfPage) -> bool:
        return GOAL in {stroke.color for stroke in page.strokes}

    opened = meiro.with_openings(MAZE)
    assert ring(saved(tmp_path / "a.pdf"))
    assert not ring(saved(tmp_path / "a.pdf", marks=False))
    assert not ring(saved(tmp_path / "a.pdf", opened))  # the openings say it
    assert ring(saved(tmp_path / "a.pdf", opened, goal=(3, 3)))
    (tmp_path / "a.svg").write_text(MAZE.to_svg(page="A4", start=(2, 1), goal=(3, 3)), "utf-8")
    svg = (tmp_path / "a.svg").read_text("utf-8")
    assert 'cx="1.5" cy="2.5"' in svg
    assert 'cx="3.5" cy="3.5"' in svg
    cases: list[tuple[dict[str, Any], list[tuple[int, int]]]] = [
        ({"goal": (3, 5)}, [(0, 0), (3, 5)]),  # a puzzle with a start of its own
        ({"start": (3, 5)}, [(3, 5), (11, 8)]),
        ({}, [(0, 0), (11, 8)]),
    ]
    for options, marks in cases:
        assert marked(MAZE.to_svg(page="A4", **options)) == marks
        left, top, right, _ = box_of(lines_of(page := saved(tmp_path / "a.pdf", **options), WALL))
        x, y = lines_of(page, GOAL).mean(axis=(0, 1)) - (left, top)
        row, col = marks[1]
        assert np.hypot(x - (right - left) / 9 * (col + 0.5), y - (right - left) / 9 * (row + 0.5)) < 5
    MAZE.save(tmp_path / "a.svg")
    assert marked((tmp_path / "a.svg").read_text("utf-8")) == []
    opened = meiro.with_openings(meiro.generate((4, 7), rng=1))
    assert marked(opened.to_svg(solution=meiro.solve(opened.grid, (0, 1), (8, 13)))) == [(0, 0), (3, 6)]


def marked(svg: str) -> list[tuple[int, int]]:
    """Return the cells with a mark."""
    circles = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle")  # noqa: S314
    return [(int(float(one.attrib["cy"])), int(float(one.attrib["cx"]))) for one in circles]


def test_pdf_of_40_x_55_cells_is_small_and_the_same_each_time(tmp_path: Path) -> None:
    maze = meiro.generate((55, 40), rng=7)
    for name in ("a.pdf", "b.pdf"):
        maze.save(tmp_path / name, solution=meiro.solve(maze), title="A maze")
    data = (tmp_path / "a.pdf").read_bytes()
    assert data == (tmp_path / "b.pdf").read_bytes()
    assert len(data) < 20_000  # 16,000 usually


def test_pdf_has_a_title_in_any_script_of_its_font(tmp_path: Path) -> None:
    page = saved(tmp_path / "a.pdf", title="A (small) maze, $5 \\alpha$")
    assert [text.replace("\\", "") for text in page.texts] == ["A (small) maze, $5 alpha$"]
    data = (tmp_path / "a.pdf").read_bytes()
    assert b"/Title (A \\(small\\) maze" in data
    saved(tmp_path / "a.pdf", title="Лабиринт № 7")
    nobody_has = "\U00016fe1"  # Nushu
    with pytest.raises(ValueError, match=r"no font that is installed here has .*write a \.svg"):
        saved(tmp_path / "b.pdf", title=nobody_has)
    assert "迷路" in MAZE.to_svg(title="迷路")
    assert not (tmp_path / "b.pdf").exists()


def test_pdf_title_that_is_long_is_smaller() -> None:
    def size(title: str) -> float:
        found = re.search(r'font-size="([\d.]+)"', MAZE.to_svg(page="A4", title=title))
        assert found
        return float(found[1])

    assert size("short") == 7
    assert 2.5 < size("W" * 60) < 7
    assert size("迷" * 50) == 3.6  # a letter is as wide as it is high
    long = "a long title " * 15
    assert " ".join(re.findall("<text.*?>(.*?)</text>", MAZE.to_svg(page="A4", title=long))) == long.strip()
    assert size(long) > 3.4  # in lines
    with pytest.raises(ValueError, match=r"title 'WW.*is too long for a line of 60 mm: shorten it"):
        MAZE.to_svg(page=(90, 90), title="W" * 150)


def test_several_mazes_stand_on_one_page(tmp_path: Path) -> None:
    many = meiro.generate_many((6, 8), n=5, rng=1)
    page = saved(tmp_path / "a.pdf", many, solution=[meiro.solve(maze) for maze in many], title="Five")
    assert page.texts == ["Five"]
    walls = [stroke.lines for stroke in page.strokes if stroke.color == WALL]
    assert len(walls) == 5
    for maze, lines in zip(many, walls, strict=True):
        wanted = maze.grid.copy()
        grid = grid_on(lines, maze)
        wanted[::2, ::2] = grid[::2, ::2]
        assert np.array_equal(grid, wanted)
    boxes = [box_of(lines) for lines in walls]
    for line in {round(box[1], 3) for box in boxes}:  # of mazes, the last of which is not full
        sides = [box[::2] for box in boxes if round(box[1], 3) == line]
        assert min(sides)[0] + max(sides)[1] == pytest.approx(page.width, abs=1e-3)
    assert len({round(right - left, 3) for left, _, right, _ in boxes}) == 1
    assert min(box[0] for box in boxes) >= 15
    assert max(box[3] for box in boxes) <= page.height - 15
    assert min(box[1] for box in boxes) >= 15 + 14  # below the title
    assert 15 < page.places[0][1] < 15 + 14
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])
            assert apart > 5
    meiro.save(list(many), tmp_path / "a.svg", page="A4")
    assert (tmp_path / "a.svg").read_text("utf-8").count("<g ") == 5


def test_mazes_of_all_kinds_stand_on_one_page(tmp_path: Path) -> None:
    lattices = [meiro.lattices.polar(4), meiro.lattices.hexagonal(5, 6), meiro.lattices.weave(5, 5, rng=1)]
    mazes: list[Any] = [meiro.generate(lattice, rng=1) for lattice in lattices]
    for several in (mazes, [MAZE, *mazes], meiro.generate_many(lattices[1], n=5, rng=1)):
        solutions: Any = [meiro.solve(maze) for maze in several]
        meiro.save(several, tmp_path / "a.svg", solution=solutions, page="A4", title="Several")
        svg = (tmp_path / "a.svg").read_text("utf-8")
        ET.fromstring(svg)  # noqa: S314  # our own
        assert svg.count("scale(") == len(several)
        page = saved(tmp_path / "a.pdf", several, solution=solutions, title="Several")
        assert page.texts == ["Several"]
        assert len({stroke.color for stroke in page.strokes}) >= 2
        with pytest.raises(ValueError, match=r"start= is for a single maze; give each maze its own by"):
            meiro.save(several, tmp_path / "a.svg", start=0)
        with pytest.raises(ValueError, match="outside= is for a Maze with a mask"):
            meiro.save(several, tmp_path / "a.svg", outside="wall")
        meiro.save(several, tmp_path / "a.png", solution=solutions, scale=9)
    with pytest.raises(TypeError, match=r"x\[1\] must be a Maze or a GraphMaze, not 3"):
        meiro.save([mazes[0], 3], tmp_path / "a.svg")
    with pytest.raises(ValueError, match=r"x holds no maze to draw in .*a\.svg'"):
        meiro.save(meiro.generate_many(lattices[0], n=0), tmp_path / "a.svg")


KINDS: dict[str, Any] = {
    **importlib.import_module("plane_lattices").PLANE,
    "weave": meiro.lattices.weave(5, 5, rng=1),
    "zeta": meiro.lattices.zeta(4, 5),
    "network": meiro.lattices.from_graph([(0, 1), (1, 2), (2, 0)], positions=[(0, 0), (1, 0), (0, 1)]),
    "squares": (7, 9),
}
DRAWN: list[dict[str, Any]] = [
    {},
    {"mm": 4, "marks": True, "explored": True, "colors": {"wall": "rebeccapurple", "visited": (1, 0.9, 0.6)}},
    {"page": "letter", "title": "A title", "marks": False},
    {"page": (90, 120), "margin": 5, "labels": "ends", "wall_width": 0.3, "caps": "round"},
    {"marks": "ends", "explored": False, "title": "Ω"},
]


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_drawn_in_every_format_with_every_option(
    name: str, suffix: str, tmp_path: Path
) -> None:
    found = meiro.solve(meiro.generate(KINDS[name], rng=3))
    ends = {found.start: "S", found.goal: "Z"}
    for i, options in enumerate(DRAWN):
        given = {key: ends if word == "ends" else word for key, word in options.items()}
        if suffix == ".png" and "page" in given:
            given["page"] = (90, 120)  # a letter has 8 million pixels
        found.save(tmp_path / f"{i}{suffix}", **given)
        if suffix == ".svg":
            texts = re.findall(r">([^<>]+)</text>", (tmp_path / f"{i}.svg").read_text("utf-8"))
            wanted = [options["title"]] if "title" in options else []
            wanted += ["S", "Z"] if "ends" in options.values() else []
            assert sorted(text for text in texts if "level" not in text) == sorted(wanted)
        elif suffix == ".pdf":
            colors = {stroke.color for stroke in page_of(tmp_path / f"{i}.pdf").strokes}
            assert colors >= {PATH, "#663399" if "mm" in options else WALL}
        else:
            drawn = np.asarray(Image.open(tmp_path / f"{i}.png").convert("RGB")).reshape(-1, 3)
            seen = (255, 230, 153) if "colors" in options else meiro.colors.VISITED
            assert (drawn == seen).all(axis=1).any() == options.get("explored", True)
            assert (drawn == meiro.colors.PATH).all(axis=1).any() or "ends" in options.values()


def test_svg_and_pdf_are_of_one_layout(tmp_path: Path) -> None:
    many = meiro.generate_many((6, 8), n=3, rng=1)
    meiro.save(many, tmp_path / "a.svg", page=(215.9, 279.4), title="Three", margin=12)
    root = ET.parse(tmp_path / "a.svg").getroot()  # noqa: S314
    assert (root.attrib["width"], root.attrib["height"]) == ("215.9mm", "279.4mm")
    assert root.attrib["viewBox"] == "0 0 215.9 279.4"
    page = saved(tmp_path / "a.pdf", many, page=(215.9, 279.4), title="Three", margin=12)
    places = [box_of(stroke.lines)[:2] for stroke in page.strokes if stroke.color == WALL]
    for group, place in zip(root.iter("{http://www.w3.org/2000/svg}g"), places, strict=True):
        moved = re.match(r"translate\((.*?) (.*?)\)", group.attrib["transform"])
        assert moved
        assert (float(moved[1]), float(moved[2])) == pytest.approx(place, abs=2e-3)


def test_pdf_written_in_pieces_has_all_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"solution": meiro.solve(MAZE), "colors": {"road": "yellow"}}
    whole = saved(tmp_path / "a.pdf", **options)
    filled = rendered(tmp_path / "a.pdf", dpi=50)
    monkeypatch.setattr("meiro.drawing.matplotlib.pdf._CHUNK", 5)
    parts = saved(tmp_path / "b.pdf", **options)
    for color in (WALL, PATH):
        assert np.array_equal(lines_of(parts, color), lines_of(whole, color))
    assert np.abs(rendered(tmp_path / "b.pdf", dpi=50).astype(int) - filled).max() < 128  # seams


@pytest.mark.parametrize("wrap", [(True, False), (False, True), (True, True)])
def test_pdf_path_ends_at_a_periodic_border_and_goes_on_behind_it(wrap: Any, tmp_path: Path) -> None:
    maze = meiro.generate((5, 6), wrap=wrap, rng=3)
    crossed = 0
    for goal in np.ndindex(5, 6):
        way = meiro.solve(maze, (0, 0), goal)
        over = int((np.abs(np.diff(way.path, axis=0)) > 1).sum())
        crossed += over > 0
        if over and crossed < 4:
            page = saved(tmp_path / "a.pdf", maze, solution=way)
            left, _, right, _ = box_of(lines_of(page, WALL))
            steps = np.abs(np.diff(lines_of(page, PATH), axis=1)).sum() / (right - left) * 6
            assert steps == pytest.approx(way.length, abs=1e-2)
    assert crossed


@pytest.mark.parametrize("outside", ["blank", "wall"])
@pytest.mark.parametrize("suffix", [".pdf", ".svg"])
def test_pages_show_what_is_outside_a_mask(suffix: str, outside: str, tmp_path: Path) -> None:
    maze = meiro.generate(algorithm="backtracker", mask=ROUND, rng=1)
    path = tmp_path / f"a{suffix}"
    options: dict[str, Any] = {"page": "fit", "mm": 8, "marks": False, "outside": outside}
    maze.save(path, **options)
    if suffix == ".svg":
        assert ('fill="#141414"' in path.read_text("utf-8")) == (outside == "wall")
        return
    image = rendered(path, dpi=127)  # 5 pixels a millimetre
    places = np.array([round(5 * (8 * EDGE + 4 * i)) for i in range(19)])
    dark = image.sum(axis=2)[np.ix_(places, places)] < 200
    wanted = drawn_grid(maze, outside) == 1
    dark[::2, ::2] = wanted[::2, ::2]
    assert np.array_equal(dark, wanted)


def test_pdf_rendered_is_the_maze_with_its_path(tmp_path: Path) -> None:
    way = meiro.solve(MAZE)
    MAZE.save(tmp_path / "a.pdf", solution=way, page="fit", mm=8)
    image = rendered(tmp_path / "a.pdf", dpi=127).astype(int)
    at = [np.array([round(5 * (8 * EDGE + 4 * i)) for i in range(n)]) for n in MAZE.grid.shape]
    colors = image[np.ix_(*at)]
    walls = colors.sum(axis=2) < 200
    walls[::2, ::2] = MAZE.grid[::2, ::2] == 1
    assert np.array_equal(walls, MAZE.grid == 1)
    red = (colors[..., 0] > 180) & (colors[..., 1:] < 80).all(axis=2)
    path = way.mask.copy()
    path[1, 1] = path[-2, -2] = False  # start and goal
    red[1, 1] = red[-2, -2] = False
    assert np.array_equal(red, path)


def test_pdf_colors(tmp_path: Path) -> None:
    colors = {"wall": "navy", "path": "#0F0", "text": "grey", "road": "#ffffee"}
    page = saved(tmp_path / "a.pdf", colors=colors, solution=meiro.solve(MAZE), title="x")
    assert {"#000080", "#00ff00"} <= {stroke.color for stroke in page.strokes}
    svg = MAZE.to_svg(colors=colors, title="x")
    for color in ("#000080", "#ffffee", "#808080"):
        assert color in svg


BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"page": "A9"}, ValueError, r"page must be 'A3' or .* or 'fit' or \(width, height\).*, not 'A9'"),
    ({"page": 7}, TypeError, r"page must be a name such as 'A4' or \(width, height\) in millimetres, not 7"),
    ({"page": (1, 2, 3)}, TypeError, "page must be a name"),
    ({"page": (5, 2)}, ValueError, "page must have sides of 10 to 5000 mm, not 5 x 2"),
    ({"page": (math.nan, 200)}, TypeError, "page must be a name"),
    ({"margin": -1}, ValueError, "margin must be 0 or more, in millimetres"),
    ({"margin": 104}, ValueError, "too small for a maze of 12 x 9 cells of 1 mm with margin=104: the"),
    ({"wall_width": 0}, ValueError, "wall_width must be positive, in millimetres"),
    ({"wall_width": 50}, ValueError, r"wall_width=50 must be less than [\d.]+ mm: a cell has [\d.]+ mm here"),
    ({"path_width": "1"}, TypeError, "path_width must be a number, not '1'"),
    ({"path_width": 19}, ValueError, r"path_width=19 must be less than"),
    ({"caps": np.zeros((2, 2))}, TypeError, "caps must be 'round' or 'square', not array"),
    ({"caps": "flat"}, ValueError, "caps must be 'round' or 'square', not 'flat'"),
    ({"colors": "red"}, TypeError, "from wall, road, visited, path, start, goal, text, door to colours"),
    ({"colors": {"sky": "red"}}, ValueError, "colors: 'sky' is not one of wall"),
    ({"colors": {"wall": "reddish"}}, ValueError, r"colors\['wall'\] must be #rrggbb, a word such"),
    ({"colors": {"wall": (1, 0, 0, 0.5)}}, ValueError, r"colors\['wall'\] must be an opaque colour, not \(1"),
    ({"colours": {}}, TypeError, r"takes no colours= \(did you mean 'colors'\?\); it takes solution=, road="),
    ({"solutions": 1}, TypeError, r"takes no solutions= \(did you mean 'solution'\?\)"),
    ({"title": 5}, TypeError, "title must be a text, not 5"),
    ({"title": "a\nb"}, ValueError, "title must be a line of 200 printable characters at most"),
    ({"marks": 1}, TypeError, "marks must be True or False, not 1"),
    ({"mm": 0}, ValueError, "mm must be a positive number"),
    ({"mm": 30}, ValueError, r"12 x 9 cells of 30 mm.*smallest page is 307\.5 x 397\.5 mm"),
    ({"outside": "black"}, ValueError, "outside must be 'blank' or 'wall', not 'black'"),
    ({"start": (99, 0)}, ValueError, "start"),
    ({"scale": 2}, ValueError, r"scale= is for \.png files"),
    ({"road": 0}, TypeError, "road"),
    ({"solution": 3}, TypeError, "solution must be a Solution"),
]


@pytest.mark.parametrize(("options", "kind", "message"), BAD, ids=str)
@pytest.mark.parametrize("suffix", [".pdf", ".svg"])
def test_pages_refuse_bad_options(suffix: str, options: Any, kind: Any, message: str, tmp_path: Path) -> None:
    refused(kind, message, meiro.save, MAZE, tmp_path / f"a{suffix}", **{"page": "A4", **options})
    assert not list(tmp_path.iterdir())


def test_pages_refuse_what_is_for_other_formats_and_other_mazes(tmp_path: Path) -> None:
    many = meiro.generate_many((3, 3), n=2, rng=1)
    way = meiro.solve(many[0])
    for option in ({"page": "A4"}, {"title": "x"}, {"start": (0, 0)}, {"marks": False}):
        with pytest.raises(ValueError, match=r"= is for \.png, \.svg and \.pdf files, not for"):
            meiro.save(MAZE, tmp_path / "a.txt", **option)
        words = r"= is for a maze \(Maze\.from_grid makes one .*, not for .*a\.png'"
        refused(ValueError, words, meiro.save, MAZE.grid, tmp_path / "a.png", **option)
    with pytest.raises(ValueError, match=r"outside= is for \.png, \.svg and \.pdf files"):
        MAZE.save(tmp_path / "a.txt", outside="wall")
    words = r"x holds several mazes, which '.*a\.csv' cannot: \.png, \.svg, \.pdf, \.npz, \.zarr"
    refused(TypeError, words, meiro.save, many, tmp_path / "a.csv")
    with pytest.raises(ValueError, match=r"solution= holds 1 for 2 mazes: give one, or None, for each"):
        meiro.save(many, tmp_path / "a.pdf", solution=[way])
    with pytest.raises(ValueError, match=r"solution= holds more than 2 for 2 mazes"):
        meiro.save(many, tmp_path / "a.pdf", solution=itertools.repeat(None))  # type: ignore[arg-type]
    refused(ValueError, r"start= is for a single maze", meiro.save, many, tmp_path / "a.pdf", start=(0, 0))
    with pytest.raises(ValueError, match=r"solution\[1\]\[\d+\] goes through a wall"):
        meiro.save(many, tmp_path / "a.pdf", solution=[None, way])
    with pytest.raises(TypeError, match=r"x\[1\] must be a Maze or a GraphMaze, not 7"):
        meiro.save([MAZE, 7], tmp_path / "a.pdf")  # type: ignore[arg-type]
    refused(TypeError, "only a Maze can be written to it", meiro.save, MAZE.grid, tmp_path / "a.pdf")
    refused(ValueError, r"\.pdf is only written", meiro.read, tmp_path / "a.pdf")
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_the_smallest_page_that_a_message_names_will_do(tmp_path: Path) -> None:
    cases: list[tuple[Any, dict[str, Any]]] = [
        (meiro.generate((300, 200), rng=1), {}),
        (MAZE, {"mm": 30, "title": "x", "margin": 0}),
        (meiro.generate_many((90, 90), n=7, rng=1), {"page": (50, 60), "title": "x"}),
    ]
    for maze, options in cases:
        with pytest.raises(ValueError, match="the smallest page is") as error:
            saved(tmp_path / "a.pdf", maze, **options)
        found = re.search(r"smallest page is ([\d.]+) x ([\d.]+) mm", str(error.value))
        assert found
        size = float(found[1]), float(found[2])
        page = saved(tmp_path / "a.pdf", maze, **{**options, "page": size})
        assert (page.width, page.height) == pytest.approx(size, abs=1e-2)
        (tmp_path / "a.pdf").unlink()
        with pytest.raises(ValueError, match="too small"):
            saved(tmp_path / "a.pdf", maze, **{**options, "page": (size[0] - 2, size[1] - 2)})


def test_pdf_does_not_depend_on_the_settings_of_matplotlib(tmp_path: Path) -> None:
    import matplotlib as mpl

    MAZE.save(tmp_path / "a.pdf", title="x")
    changed: Any = dict.fromkeys(("figure.autolayout", "text.usetex"), True)
    changed |= dict.fromkeys(("font.size", "lines.linewidth", "figure.dpi"), 30)
    changed |= dict.fromkeys(("figure.facecolor", "text.color"), "red")
    changed |= {"savefig.bbox": "tight", "path.sketch": (3, 10, 2), "font.family": ["serif"]}
    with mpl.rc_context(changed):
        MAZE.save(tmp_path / "b.pdf", title="x")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


@pytest.mark.long
def test_pdf_makes_no_figure_of_pyplot(tmp_path: Path) -> None:
    code = "import sys, meiro; meiro.Maze([[0]]).save('a.pdf'); print('matplotlib.pyplot' in sys.modules)"
    assert printed(code, cwd=tmp_path) == "False\n"


@pytest.mark.clock
def test_pdf_of_a_quarter_million_cells_takes_less_than_8_s(tmp_path: Path) -> None:
    maze = meiro.generate((500, 500), rng=0)
    save = lambda: maze.save(tmp_path / "a.pdf", page=(600, 600))  # noqa: E731
    assert best(lambda: seconds(save), 1) < 8  # 1.5 s usually
    assert (tmp_path / "a.pdf").stat().st_size < 1_200_000
