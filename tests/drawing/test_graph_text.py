"""Mazes on lattices as text: squares as `Maze.to_text` has them, levels, roads of a weave."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.drawing.text.render import Style

STYLES = get_args(Style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (4, 7)])
def test_squares_are_drawn_as_other_mazes(style: Style, shape: tuple[int, int]) -> None:
    maze = meiro.generate(shape, "kruskal", rng=3)
    on_lattice = meiro.generate(meiro.lattices.square(*shape), "kruskal", rng=3)
    assert on_lattice.to_text(style) == maze.to_text(style)
    assert str(on_lattice) == str(maze)
    lettered = meiro.with_ends(on_lattice, on_lattice.endpoints).to_text(style)
    assert lettered == meiro.with_ends(maze, maze.endpoints).to_text(style)
    if style != "block":  # whose path fills wide sites from side to side
        drawn = on_lattice.to_text(style, solution=on_lattice.solve())
        assert drawn == maze.to_text(style, solution=maze.solve())


def test_masked_squares_are_drawn() -> None:
    keep = np.array([[1, 1, 0], [1, 1, 1]], bool)
    lattice = meiro.lattices.square(2, 3).mask(keep.reshape(-1))
    maze = meiro.generate(lattice, "kruskal", rng=1)
    lines = maze.to_text("ascii").split("\n")
    assert len(lines) == 5
    assert {len(line) for line in lines} == {7}
    assert lines[1][5] == " " or lines[1][5] == "#" or lines[1][4] == "|"


def test_levels_stand_side_by_side_and_stairs_are_marked_at_both_ends() -> None:
    lattice = meiro.lattices.box(3, 2, 3)
    maze = meiro.generate(lattice, rng=4)
    text = maze.to_text()
    lines = text.split("\n")
    assert len(lines) == 5
    assert {len(line) for line in lines} == {3 * 7 + 2 * 2}
    levels = lattice.positions[:, 2]  # type: ignore[index]
    stairs = int((levels[maze.edges()[:, 0]] != levels[maze.edges()[:, 1]]).sum())
    count = {sign: text.count(sign) for sign in "↑↓↕"}
    assert count["↑"] + count["↓"] + 2 * count["↕"] == 2 * stairs
    solved = maze.to_text(solution=maze.solve())
    assert (solved.count("S"), solved.count("G")) == (1, 1)


def test_roads_of_a_weave() -> None:
    lattice = meiro.lattices.weave(8, 12, crossings=0.3, rng=5)
    maze = meiro.generate(lattice, "backtracker", rng=5)
    lines = maze.to_text().split("\n")
    assert [len(line) for line in lines] == [23] * 8
    signs = {"·": 0, "╵": 1, "╶": 2, "└": 3, "╷": 4, "│": 5, "┌": 6, "├": 7, "╴": 8, "┘": 9, "─": 10}
    signs |= {"┴": 11, "┐": 12, "┤": 13, "┬": 14, "┼": 15}
    layers = lattice.layers
    assert layers is not None
    places = np.floor(lattice.positions[:, ::-1]).astype(int).tolist()  # type: ignore[index]
    crossings = {tuple(place) for place, layer in zip(places, layers, strict=True) if layer}
    ways = [0] * lattice.n_cells
    for one, other in maze.edges().tolist():
        east = places[one][0] == places[other][0]
        ways[one] |= 2 if east else 4
        ways[other] |= 8 if east else 1
    for cell, (row, col) in enumerate(places[: 8 * 12]):
        if (row, col) in crossings:
            assert lines[row][2 * col] in "╪╫"
        else:
            assert signs[lines[row][2 * col]] == ways[cell]
    across = {lines[row][2 * col] for row, col in crossings}
    assert across == {"╪", "╫"}


def test_the_path_is_heavy() -> None:
    maze = meiro.generate(meiro.lattices.weave(6, 9, crossings=0.3, rng=2), "backtracker", rng=2)
    solution = maze.solve()
    text = maze.to_text(solution=solution)
    assert sum(text.count(sign) for sign in "┃━┏┓┗┛┿╂╋╹╺╻╸") > len(solution.path)
    assert not set(maze.to_text("ascii", solution=solution)) - set(" \n-|+o*SG")


@pytest.mark.parametrize("seed", range(4))
def test_roads_of_a_weave_are_read_back_from_ascii(seed: int) -> None:
    rows, cols = 7, 9
    lattice = meiro.lattices.weave(rows, cols, crossings=0.4, rng=seed)
    maze = meiro.generate(lattice, "percolation" if seed == 3 else "backtracker", rng=seed)
    solution = maze.solve() if maze.is_perfect else None
    lines = maze.to_text("ascii", solution=solution).split("\n")
    assert [len(line) for line in lines] == [4 * cols - 3] * (2 * rows - 1)
    layers, positions = lattice.layers, lattice.positions
    assert layers is not None
    assert positions is not None
    places = [(2 * int(y), 4 * int(x)) for x, y in positions.tolist()]
    roads = dict.fromkeys(maze.edge_ids().tolist(), "-|")
    if solution is not None:
        roads |= dict.fromkeys(np.array(solution.edge_ids).tolist(), "**")
    for edge, (one, other) in enumerate(lattice.edges.tolist()):
        (row, col), (row1, col1) = places[one], places[other]
        signs = lines[row][col + 1 : col1] if row == row1 else lines[row + 1][col]
        assert signs == (roads.get(edge, "  ")[row != row1]) * len(signs)
    ways: dict[int, set[tuple[int, int]]] = {cell: set() for cell in lattice}
    for one, other in maze.edges().tolist():
        step = tuple(np.sign(np.subtract(places[other], places[one])).tolist())
        ways[one].add(step)
        ways[other].add((-step[0], -step[1]))
    upper = {places[cell]: cell for cell in lattice if layers[cell]}
    path = set() if solution is None else set(solution.path.tolist())
    for cell in range(rows * cols):
        sign = lines[places[cell][0]][places[cell][1]]
        bridge = upper.get(places[cell], cell)
        shown = bridge if ways[bridge] else cell
        lines_there = {abs(step[0]) for step in ways[shown]}  # 0: from west to east
        wanted = "o" if len(ways[shown]) < 2 else "-|"[min(lines_there)] if len(lines_there) == 1 else "+"
        if shown != cell and ways[cell]:
            wanted = "-|"[min(lines_there)]
        assert sign == ("*" if shown in path else wanted) or sign in "SG"


def test_what_has_no_text_says_so() -> None:
    maze = meiro.generate(meiro.lattices.hexagonal(3, 3), rng=1)
    refused(ValueError, "has no text form, as those on square, box and weave have", maze.to_text)
    assert str(maze) == "<GraphMaze hexagonal: 9 cells, wilson>"
    refused(ValueError, "style must be", meiro.generate(meiro.lattices.square(2, 2)).to_text, "braille")
    with pytest.raises(ValueError, match="goes through a wall"):
        meiro.generate(meiro.lattices.square(2, 9), rng=1).to_text(solution=[0, 17])
