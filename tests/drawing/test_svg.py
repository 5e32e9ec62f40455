"""SVG: read back as XML it has the walls of the maze and no others."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from arbitrary_mazes import ROUND, drawn_grid, loose_mazes
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from refusals import refused
from svg_paths import lines_of_path
from timing import best, seconds

import meiro
from meiro.cli import main
from meiro.colors import LIGHT
from meiro.mazes.coordinates import cells_to_grid

MAZES = loose_mazes(9)


def parts_of(svg: str) -> list[ET.Element]:
    """Return what is drawn, in order, on white paper."""
    root = ET.fromstring(svg)  # noqa: S314
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    ground, *parts = root
    assert [ground.attrib[name] for name in ("x", "y", "width", "height")] == root.attrib["viewBox"].split()
    assert ground.attrib["fill"] == "#fff"
    return parts


def points_of(element: ET.Element) -> list[list[tuple[float, float]]]:
    """Return the corners (x, y) of each piece of a path."""
    return lines_of_path(element.attrib["d"])


def sites_on(pieces: list[list[tuple[float, float]]], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Mark the sites of the grid that straight lines pass."""
    drawn = np.zeros(shape, np.uint8)
    for piece in pieces:
        for (x, y), (x1, y1) in itertools.pairwise(piece):
            (left, right), (top, bottom) = sorted((2 * x, 2 * x1)), sorted((2 * y, 2 * y1))
            drawn[int(top) : int(bottom) + 1, int(left) : int(right) + 1] = 1
    return drawn


@given(MAZES, st.booleans(), st.sampled_from(["blank", "wall"]))
def test_svg_read_back_has_the_walls_of_the_maze(
    maze: meiro.Maze,
    opened: bool,  # noqa: FBT001
    outside: Literal["blank", "wall"],
) -> None:
    if opened and maze.mask is None and not any(maze.wrap):
        maze = meiro.with_openings(maze)
    parts = parts_of(maze.to_svg(outside=outside))
    filled = maze.mask is not None and outside == "wall"
    assert filled <= len(parts) <= 1 + filled
    wanted = drawn_grid(maze, outside)
    lines = points_of(parts[-1]) if len(parts) > filled else []  # a torus may have no wall
    assert all(len(line) == 2 for line in lines)
    assert len({tuple(sorted(line)) for line in lines}) == len(lines)
    drawn = sites_on(lines, maze.grid.shape)
    if filled:
        for corners in points_of(parts[0]):
            (x, y), (x1, y1) = corners[0], corners[2]
            drawn[2 * int(y) + 1 : 2 * int(y1), 2 * int(x) + 1 : 2 * int(x1)] = 1
    drawn[::2, ::2] = wanted[::2, ::2]  # where no wall meets a post, none is drawn
    assert np.array_equal(drawn, wanted)
    ends = [corner for line in lines for corner in line]
    flat = [line for line in lines if line[0][1] == line[1][1]]
    for group in (flat, [line for line in lines if line not in flat]):  # as long as it can be
        firsts, lasts = {line[0] for line in group}, {line[1] for line in group}
        assert not firsts & lasts
    assert all(x == int(x) and y == int(y) for x, y in ends)


@given(MAZES, st.integers(0, 99))
def test_svg_path_is_that_of_the_solution(maze: meiro.Maze, seed: int) -> None:
    cells = np.argwhere(np.ones(maze.passages.shape, bool) if maze.mask is None else maze.mask)
    start, goal = cells[np.random.default_rng(seed).integers(len(cells), size=2)].tolist()
    try:
        solution = meiro.solve(maze, start, goal)
    except meiro.NoPathError:
        return
    svg = maze.to_svg(solution=solution)
    assert svg == maze.to_svg(solution=solution.path)
    parts = {e.attrib.get("stroke") or e.attrib["fill"]: e for e in parts_of(svg)}
    assert (LIGHT.path.hex in parts) == (solution.length > 0)
    if solution.length:
        drawn = sites_on(points_of(parts[LIGHT.path.hex]), maze.grid.shape)
        assert np.array_equal(drawn.astype(bool), solution.mask)
    for name, cell in (("start", solution.start), ("goal", solution.goal)):
        circle = parts[getattr(LIGHT, name).hex]
        if start != goal:
            assert (circle.attrib["cx"], circle.attrib["cy"]) == (str(cell[1] + 0.5), str(cell[0] + 0.5))


def test_svg_cell_has_the_given_millimetres() -> None:
    maze = meiro.generate((10, 35), rng=7)
    sides: tuple[Any, ...] = (5, 2.5, np.float32(12.7), 1 / 3)
    for mm in sides:
        root = ET.fromstring(maze.to_svg(mm=mm))  # noqa: S314
        box = [float(number) for number in root.attrib["viewBox"].split()]
        for side, size in (("width", box[2]), ("height", box[3])):
            assert root.attrib[side].endswith("mm")
            assert float(root.attrib[side][:-2]) / size == pytest.approx(float(mm))
        assert box == [-0.125, -0.125, 35.25, 10.25]
    for bad in (0, -1, 1e308):
        refused(ValueError, r"mm must be a positive number.*millimetres, not", maze.to_svg, mm=bad)
    for bad in (float("nan"), float("inf")):
        refused(ValueError, "mm must be finite", maze.to_svg, mm=bad)
    refused(ValueError, "mm must be from .* to 1.8e\\+308, not", maze.to_svg, mm=10**400)
    for wrong in ("5", [5]):
        refused(TypeError, "mm must be a number, not", maze.to_svg, mm=wrong)


@pytest.mark.clock
def test_svg_of_half_a_million_cells_takes_less_than_2_s() -> None:
    maze = meiro.generate((700, 700), rng=0)
    assert best(lambda: seconds(maze.to_svg), 1) < 2  # 0.2 s usually
    assert maze.to_svg().endswith("</svg>")


def test_svg_marks_start_and_goal() -> None:
    bare = meiro.generate(algorithm="backtracker", mask=ROUND, rng=1)
    maze = meiro.Maze(bare.passages, bare.mask, start=(0, 4), goal=(8, 3))
    assert maze.to_svg().count("<circle") == 2
    assert f'cx="2.5" cy="3.5" r="0.2" fill="#fff" stroke="{LIGHT.goal.hex}"' in maze.to_svg(goal=(3, 2))
    assert bare.to_svg().count("<circle") == 0
    for bad in ((0, 0), (9, 0)):
        refused(ValueError, "start", maze.to_svg, start=bad)
    with pytest.raises(ValueError, match=r"solution\[0\] and solution\[1\] are not adjacent"):
        maze.to_svg(solution=[(0, 4), (4, 4)])
    refused(ValueError, "goes through a wall", meiro.Maze([[0, 0]]).to_svg, solution=[(0, 0), (0, 1)])
    long = meiro.Maze([[2, *[10] * 8, 8]])
    none = meiro.solve(long, algorithm="random_mouse", max_steps=3)
    assert not none.found
    assert long.to_svg(solution=none).count("<circle") == 2


def test_svg_path_over_a_periodic_border_reaches_both_sides() -> None:
    maze = meiro.Maze([[10] * 5, [0] * 5, [0] * 5], wrap=(True, True))
    pieces = points_of(parts_of(maze.to_svg(solution=meiro.solve(maze, (0, 1), (0, 4))))[1])
    assert pieces == [[(1.5, 0.5), (0, 0.5)], [(5, 0.5), (4.5, 0.5)]]
    assert cells_to_grid([(0, 0), (0, 4)], shape=(3, 5), wrap=(True, True)).tolist()[1:3] == [[1, 0], [1, 10]]


def test_svg_is_saved_by_its_suffix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maze = meiro.generate((5, 8), rng=3)
    solution = meiro.solve(maze)
    for name, way in (("a.svg", None), ("b.SVG", solution)):
        maze.save(tmp_path / name, solution=way)
        assert (tmp_path / name).read_text("utf-8") == maze.to_svg(solution=way) + "\n"
    refused(ValueError, r"scale= is for \.png", maze.save, tmp_path / "c.svg", scale=2)
    refused(ValueError, r"\.svg is only written", meiro.read, tmp_path / "a.svg")
    for words in (["8", "5", "--seed", "3"], ["--input", str(tmp_path / "maze.csv")]):
        maze.save(tmp_path / "maze.csv")
        assert main.main([*words, "--solve", "-q", "-o", str(tmp_path / "d.svg")]) == 0
        found = {e.attrib.get("stroke"): e for e in parts_of((tmp_path / "d.svg").read_text("utf-8"))}
        drawn = sites_on(points_of(found[LIGHT.path.hex]), maze.grid.shape)
        assert np.array_equal(drawn.astype(bool), solution.mask)
    assert capsys.readouterr().err == ""
    assert not list(tmp_path.glob(".*"))


OPENED: list[Any] = [
    meiro.generate((5, 8), rng=3, openings="top_bottom"),
    meiro.generate(meiro.lattices.hexagonal(5, 6), rng=3, openings="left_right"),
    meiro.generate(meiro.lattices.polar(5), rng=3, openings="farthest"),
]


@pytest.mark.parametrize("maze", OPENED, ids=repr)
def test_arrows_stand_before_the_openings_and_lead_in_and_out(maze: Any) -> None:
    plain, found = maze.to_svg(), meiro.solve(maze)
    for way in (None, found):
        svg = maze.to_svg(solution=way, marks=True)
        assert "<circle" not in svg
        for color in (LIGHT.start.hex, LIGHT.goal.hex):
            assert svg.count(f'fill="{color}"') == 1
        sides = [[float(x) for x in ET.fromstring(text).attrib["viewBox"].split()] for text in (plain, svg)]  # noqa: S314
        assert sides[0][2] * sides[0][3] < sides[1][2] * sides[1][3]
    assert LIGHT.start.hex not in maze.to_svg(marks=False, solution=found)
    ax = meiro.plot(maze, marks=True, solution=found)
    assert len([one for one in ax.patches if np.allclose(one.get_facecolor()[:3], LIGHT.goal.unit)]) == 1


@pytest.mark.parametrize("maze", OPENED, ids=repr)
def test_some_cells_have_labels_and_marks_that_are_texts(maze: Any) -> None:
    found = meiro.solve(maze)
    for name in ("labels", "marks"):
        texts: dict[str, Any] = {name: {found.start: "in", found.goal: 7}}
        svg = maze.to_svg(solution=found, **texts)
        assert re.findall(r">([^<>]+)</text>", svg) == ["in", "7"]
        assert ("<circle" in svg, svg.count(f'fill="{LIGHT.start.hex}"')) == (False, int(name == "labels"))
        ax = meiro.plot(maze, solution=found, **texts)
        assert sum(type(one).__name__ == "CellLabels" for one in ax.get_children()) >= 1
    refused((ValueError, TypeError), "labels", maze.to_svg, labels={(99, 99): "x"})


@pytest.mark.parametrize(
    "color",
    ["crimson", "#dc143c", (220 / 255, 20 / 255, 60 / 255), meiro.colors.Color(220, 20, 60), "CRIMSON"],
)
def test_colors_are_any_of_matplotlib(color: Any) -> None:
    assert 'stroke="#dc143c"' in OPENED[0].to_svg(colors={"wall": color})
    assert meiro.plot(OPENED[0], colors={"start": color}, marks=True).patches[-2].get_facecolor()[:3] == (
        pytest.approx((220 / 255, 20 / 255, 60 / 255))
    )


def test_to_svg_refuses_unknown_words() -> None:
    with pytest.raises(TypeError, match=r"to_svg takes no argument 'colour' \(did you mean 'colors'\?\)"):
        OPENED[0].to_svg(colour="red")
