"""Mazes from what users have: rows of characters, graphs and their edges, frames, values of several roads."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import meiro

if TYPE_CHECKING:
    from pathlib import Path

MAZE = meiro.generate((4, 6), "backtracker", rng=1)


@pytest.mark.parametrize("kind", ["edges", "list", "array", "generator", "numbers"])
def test_edges_of_a_graph_make_a_maze(kind: str) -> None:
    edges = MAZE.to_networkx().edges
    given: Any = {
        "edges": edges,
        "list": list(edges),
        "array": np.array(list(edges)),
        "generator": (edge for edge in edges),
        "numbers": MAZE.edges(),
    }[kind]
    assert meiro.Maze.from_edges((4, 6), given) == MAZE


@pytest.mark.parametrize(
    ("edges", "error", "words"),
    [
        ([((0, 0), (0, 2))], ValueError, "edges: cells 0 and 2 are not adjacent"),
        (
            [((0, 0), (0, 1)), ((3, 5), (3, 6))],
            ValueError,
            r"edges\[1\]: there is no cell \(3, 6\) in .*\(4, 6\)",
        ),
        ([((0, 0), (-1, 0))], ValueError, r"edges\[0\]: there is no cell \(-1, 0\)"),
        ([((0.0, 0), (0, 1))], TypeError, "edges must be integers"),
        (nx.path_graph(3), TypeError, "edges is a networkx graph, .*: meiro.Maze.from_networkx makes a maze"),
        (nx.path_graph(["a", "b"]).edges, TypeError, "edges must be integers"),
    ],
)
def test_bad_edges_are_refused(edges: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        meiro.Maze.from_edges((4, 6), edges)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (
            nx.grid_2d_graph(2, 2),
            TypeError,
            "passages is a networkx graph, .*: meiro.Maze.from_networkx makes",
        ),
        (["###", "#.#", "###"], TypeError, "characters: meiro.Maze.from_grid reads walls and roads"),
        ("###\n#.#\n###", TypeError, "characters: meiro.Maze.from_text reads a text"),
        (MAZE.grid, ValueError, "a grid of walls and roads goes into Maze.from_grid"),
        (pd.DataFrame(MAZE.grid), ValueError, "a grid of walls and roads goes into Maze.from_grid"),
    ],
)
def test_maze_names_the_function_that_takes_it(given: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        meiro.Maze(given)


@pytest.mark.parametrize("take", [meiro.solve, meiro.plot, meiro.check])
def test_a_graph_is_refused_with_the_function_that_takes_it(take: Any) -> None:
    with pytest.raises(TypeError, match=r"is a networkx graph, not an array: meiro\.Maze\.from_networkx"):
        take(nx.grid_2d_graph(3, 3))


@pytest.mark.parametrize(
    ("rows", "more", "start", "goal"),
    [
        (["#######", "#S..#.#", "#.#.#.#", "#.#..G#", "#######"], {}, (0, 0), (1, 2)),
        (["#S#####", "#...#.#", "#.#.#.#", "#.#...G", "#######"], {}, (0, 0), (1, 2)),  # in openings
        (["#######", "#S.~#.#", "#.#.#.#", "#.#.~G#", "#######"], {"road": "~.SG"}, (0, 0), (1, 2)),
        (["#######", "#.S.#.#", "#.#.#.#", "#.#...#", "#######"], {"road": ".S"}, None, None),
        (["#######", "#...S.#", "#.....#", "#######"], {"corridor": 2}, (0, 1), None),
    ],
)
def test_s_and_g_of_a_grid_are_start_and_goal(
    rows: list[str], more: dict[str, Any], start: tuple[int, int] | None, goal: tuple[int, int] | None
) -> None:
    if start is None:
        with pytest.raises(ValueError, match=r"S at \(1, 2\) lies between two cells"):
            meiro.Maze.from_grid(rows, **more)
        return
    maze = meiro.Maze.from_grid(rows, **more)
    assert (maze.start, maze.goal) == (start, goal)


@pytest.mark.parametrize(
    ("text", "road", "words"),
    [
        ("1,1,1\n1,0,2\n1,1,1\n", [0, 2], None),
        ("1,1,1\n1,0,2\n1,1,1\n", (0, 2.0), None),
        ("1,1,1\n1,0,2\n1,1,1\n", {2}, "1,1"),
        ("#,#,#\n#,o,~\n#,#,#\n", ["o", "~"], None),
        ("#,#,#\n#,o,3\n#,#,#\n", ["o", 3], None),
        ("wall,wall,wall\nwall,floor,door\nwall,wall,wall\n", ["floor", "door"], None),
        ("1,1,1\n1,0,2\n1,1,1\n", [7, 8], r"no field is road=\(7, 8\)"),
    ],
)
def test_a_csv_file_with_several_values_of_road(
    text: str, road: object, words: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    if words == "1,1":
        assert np.array_equal(np.asarray(meiro.read(path, road=road)), [[1, 1, 1], [1, 1, 0], [1, 1, 1]])
    elif words:
        with pytest.raises(ValueError, match=words):
            meiro.read(path, road=road)
    else:
        assert np.array_equal(np.asarray(meiro.read(path, road=road)), [[1, 1, 1], [1, 0, 0], [1, 1, 1]])


def test_a_frame_of_several_values_is_solved_and_plotted() -> None:
    frame = pd.DataFrame(np.where(MAZE.grid == 1, "wall", "floor"))
    frame.iloc[1, 1] = "door"
    found = meiro.solve(frame, (1, 1), (7, 11), road=["floor", "door"])
    assert found.length == meiro.solve(MAZE.grid, (1, 1), (7, 11)).length
    meiro.plot(frame, solution=found, road=["floor", "door"])


def test_edges_of_an_endless_iterator_are_refused() -> None:
    with pytest.raises(ValueError, match="edges holds more than 12 pairs, four for each wall of a maze of"):
        meiro.Maze.from_edges((1, 4), itertools.repeat((0, 1)))  # type: ignore[arg-type]
