"""Mazes from what users have: rows of characters, graphs and their edges, frames, values of several roads."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from refusals import refused

import meiro
from meiro.cli.main import main as cli

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


def test_single_letters_are_read_whatever_the_dtype_has_room_for() -> None:
    numbers = MAZE.grid.astype(str)
    assert numbers.dtype == "<U3"
    signs = np.where(MAZE.grid, "#", "..").astype("<U9")
    for given, road in (
        (numbers, None),
        (numbers.astype("S3"), None),
        (np.char.replace(signs, "..", "."), "."),
    ):
        assert meiro.Maze.from_grid(given, road=road) == MAZE
        assert meiro.solve(given, (1, 1), (7, 11), road=road).length == 2 * MAZE.solve((0, 0), (3, 5)).length


def test_bad_edges_are_refused() -> None:
    for edges, error, words in (
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
    ):
        refused(error, words, meiro.Maze.from_edges, (4, 6), edges)


def test_maze_names_the_function_that_takes_it() -> None:
    with pytest.raises(TypeError, match=r"passages is a networkx graph, .*: meiro.Maze.from_networkx makes"):
        meiro.Maze(nx.grid_2d_graph(2, 2))
    with pytest.raises(TypeError, match=r"characters: meiro.Maze.from_grid reads walls and roads"):
        meiro.Maze(["###", "#.#", "###"])
    refused(TypeError, "characters: meiro.Maze.from_text reads a text", meiro.Maze, "###\n#.#\n###")
    refused(ValueError, r"a wall, give 15 - passages$", meiro.Maze, 15 - MAZE.passages)
    refused(ValueError, r"over the border$", meiro.Maze, [[9, 3], [2, 7]])
    refused(ValueError, "a grid of walls and roads goes into Maze.from_grid", meiro.Maze, MAZE.grid)
    with pytest.raises(ValueError, match=r"a grid of walls and roads goes into Maze.from_grid"):
        meiro.Maze(pd.DataFrame(MAZE.grid))


@pytest.mark.parametrize("take", [meiro.solve, meiro.plot, meiro.check])
def test_a_graph_is_refused_with_the_function_that_takes_it(take: Any) -> None:
    with pytest.raises(TypeError, match=r"is a networkx graph, .*: meiro\.Maze\.from_networkx .*GraphMaze"):
        take(nx.grid_2d_graph(3, 3))


@pytest.mark.parametrize("take", [meiro.solve, meiro.Maze])
@pytest.mark.parametrize(
    ("peer", "function"),
    [
        ("labmaze.maze", "from_labmaze"),
        ("maze_dataset.maze", "from_maze_dataset"),
        ("mazelib", "from_mazelib"),
    ],
)
def test_a_maze_of_a_peer_is_refused_with_the_function_that_takes_it(
    take: Any, peer: str, function: str
) -> None:
    with pytest.raises(TypeError, match=rf"is a TheirMaze of \w+: meiro\.io\.{function} makes a Maze of it"):
        take(type("TheirMaze", (), {"__module__": peer})())


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
        refused(ValueError, r"S at \(1, 2\) lies between two cells", meiro.Maze.from_grid, rows, **more)
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
        refused(ValueError, words, meiro.read, path, road=road)
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


GRID = np.array([[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 0, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]])
ROWS = [[*map(str, row)] for row in GRID.tolist()]


def drawn(wall: str, road: str, between: str = "") -> str:
    return "\n".join(between.join(row) for row in np.where(GRID, wall, road).tolist())


def saved(**how: Any) -> str:
    with io.StringIO() as file:
        np.savetxt(file, GRID, **how)
        return file.getvalue()


TABLES = [pd.DataFrame(values) for values in (GRID, GRID * 1.0, GRID != 0, np.where(GRID, "#", "."))]
TABLES += [table.set_axis([f"c{k}" for k in range(5)], axis=1) for table in TABLES]
TEXTS = [
    *(
        drawn(*signs)
        for signs in ("# ", "#.", "*.", "x.", "█ ", "1 ", "10", "@.", "xo", "W ", "#-", "+.", "H.")
    ),
    *(drawn(*signs) for signs in (("##", "  "), ("██", "  "), ("🧱", "  "), ("⬛", "⬜"), ("🌲", " "))),
    *(drawn(*signs) for signs in (("⬛\ufe0f", "⬜\ufe0f"), ("⬛", "⬜\ufe0f"))),  # signs shown in colour
    *(drawn(signs[0], signs[1], " ") for signs in ("# ", "#.", "10", "1 ", "X.")),
    drawn("#", " ").replace("\n", "\r\n") + "\r\n",
    "\n\n" + drawn("#", " ").replace("\n", "   \n") + "\n\n",
    "\n    " + drawn("#", " ").replace("\n", "\n    ") + "\n    ",
    drawn("#", " ").replace("\n", "\n    ") + "\n    ",
    "\n\t" + drawn("#", ".").replace("\n", "\n\t") + "\n\t",
    *(saved(fmt=form) for form in ("%.18e", "%d", "%g", "%5.1f")),
    *(saved(fmt="%d", delimiter=sign) for sign in (",", ";", "; ", "\t", "|", "")),
    saved(fmt="%d", header="maze 5 x 5\nof numbers", footer="end"),
    *map(str, (GRID, repr(GRID), GRID.tolist(), ROWS, drawn("#", " ").split("\n"))),
    json.dumps(GRID.tolist(), indent=1),
    f"maze = {ROWS}",
    f"maze = {np.where(GRID, '#', ' ').tolist()}",
    "```text\n" + drawn("#", ".") + "\n```\n",
    drawn("\N{FULLWIDTH NUMBER SIGN}", "\N{IDEOGRAPHIC SPACE}"),
    "#####\n#+++#\n###+#\n#+++#\n#####",  # of mazelib, with its solution
    " ___ \n|_  |\n|___|\n",  # as in the tutorials of Jamis Buck
    " _ _\n|_  |\n|_ _|",
    "5 5\n" + drawn("#", "."),  # as puzzles for programs have it
    "5, 5\n" + drawn("1", "0"),
    f"5 5\n{saved(fmt='%d')}",
    "D3\nD6\n",  # hexadecimal digits, as in the projects of 42
    "int maze[5][5] = {\n" + ",\n".join("{" + ", ".join(row) + "}" for row in ROWS) + "\n};",
    "int[][] maze = new int[][] {\n" + ",\n".join("{" + ", ".join(row) + "}" for row in ROWS) + "\n};",
    "const char *maze[] = {\n" + ",\n".join(f'"{row}"' for row in drawn("#", ".").split("\n")) + "\n};",
    "\n".join(";".join(row).replace("0", "") for row in ROWS),  # of a spreadsheet, with empty cells
    "\n".join(";".join(row) + ";;" for row in ROWS) + "\n;;;;;;\n",  # and with cells that only had a format
    *(
        table.to_csv(**how)
        for table in TABLES
        for how in ({}, {"index": False}, {"header": False}, {"sep": ";"})
    ),
    TABLES[0].set_axis(list("vwxyz")).to_csv(),
    TABLES[0].rename_axis("row").to_csv(),
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_the_same_maze_for_all_that_read_it(text: str, tmp_path: Path) -> None:
    for name in ("x.txt", "x.csv"):
        (tmp_path / name).write_bytes(text.encode())
        maze = meiro.read(tmp_path / name)
        assert isinstance(maze, meiro.Maze)
        assert maze.grid.tolist() == GRID.tolist()
    assert meiro.Maze.from_text(text) == maze
    for rows in (text, text.splitlines()):
        assert meiro.solve(rows, (1, 1), (3, 1)).path.tolist() == [
            [1, 1], [1, 2], [1, 3], [2, 3], [3, 3], [3, 2], [3, 1],
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "start", "goal"),
    [
        ("#####B#\n##### #\n####  #\n#### ##\n     ##\nA######\n", (5, 0), (0, 5)),  # CS50
        ("#######\nS     #\n##### #\n#     #\n# #####\n#     E\n#######", (1, 0), (5, 6)),  # mazelib
        ("#######\n#...#E#\n#.#.#.#\n#.#...#\n###.#.#\n#S..#.#\n#######\n", (5, 1), (1, 5)),  # Advent of Code
        ("*****\n*s  *\n*** *\n*  f*\n*****\n", (1, 1), (3, 3)),
        ("######\n#S...#\n#.#..#\n#...X#\n######\n", (1, 1), (3, 4)),  # a room
        ("+---+---+\n| S | E |\n+   +   +\n|       |\n+---+---+", (1, 1), (1, 3)),
        ("┌─┬─┐\n│S│F│\n│ ╵ │\n│   │\n└───┘", (1, 1), (1, 3)),
        ('[["#","S",".","#"],["#",".",".","e"]]', (0, 1), (1, 3)),
        ("# # # # #\n# S . E #\n# # # # #", (1, 1), (1, 3)),
        ("*****\n*P.G*\n*****\n", (1, 1), (1, 3)),  # labmaze
        ("+S+-+-+\n|     |\n+ +-+-+\n|     |\n+-+-+F+", (0, 1), (4, 5)),  # in openings
        ("+--+--+\nA     |\n+  +--+\n|     B\n+--+--+", (1, 0), (3, 4)),
        ("o---o---o\n| S     |\no   o---o\n|     G |\no---o---o\n", (1, 1), (3, 3)),  # micromouse
        ("11111\n12001\n11101\n13001\n11111", (1, 1), (3, 1)),
        ("1,1,1,1\n1,S,,1\n1,1,,E\n", (1, 1), (2, 3)),
        ("W;W;W;W\nS;;;W\nW;W;;\nW;W;W;G\n", (1, 0), (3, 3)),
        ("1,1,1,1\n1,S,0,\n1,1,0,G\n", (1, 1), (2, 3)),
        ("[[2, 1, 1], [0, 0, 3]]", (0, 0), (1, 2)),
        ("9553\nA93A\nC6C6\n\n2,1\n1,1\nNWWSSENN\n", (3, 5), (3, 3)),  # 42
        ("9553\na93a\nc6c6\n\n0,0\n3,2\n", (1, 1), (5, 7)),
    ],
)
def test_letters_are_start_and_goal_for_all_that_read_them(
    text: str, start: tuple[int, int], goal: tuple[int, int], tmp_path: Path
) -> None:
    (tmp_path / "x.txt").write_text(text, encoding="utf-16")  # as Windows does
    read = meiro.read(tmp_path / "x.txt")
    assert isinstance(read, meiro.Maze | meiro.io.PictureArray)
    for end, site in ((read.start, start), (read.goal, goal)):
        cell = min(site[0] // 2, read.shape[0] - 1), min(site[1] // 2, read.shape[1] - 1)
        assert end == (cell if isinstance(read, meiro.Maze) else site)
    for rows in (text, text.splitlines()):
        found = meiro.solve(rows)
        assert (found.start, found.goal) == (start, goal)
    assert cli(["solve", str(tmp_path / "x.txt"), "--quiet"]) == 0


def test_a_text_is_refused_with_line_and_column(tmp_path: Path) -> None:
    for text, words in (
        (
            "#####\n#S.F#\n#.#.#\n#..E#\n#####\n",
            r"S is the start, and is E \(line 4, column 4\) or F \(line 2, column 4\)",
        ),
        (" ___\n|_x |\n|___|\n", r"line 2, column 3: expected a wall beside \(\|\) or a road, found 'x'"),
        (" __\n||_|\n|___|\n", r"line 2, column 2: expected a wall below \(_\) or a road, found '\|'"),
        (" ___\n|_ \n|__\n", r"line 1, column 4: expected a wall below"),
        ("#####\n#S.S#\n#####\n", "the start, S, is in several places: line 2, column 2, line 2, column 4"),
        ("+---+---+\n| S | G |\n+   +   +\n| G   G |\n+---+---+\n", "the goal, G, .*: leave one, .* goal="),
        (
            "#####\n#S~G#\n#####\n",
            r"line 2, column 3: expected a wall \(#\) or a road, found '~': .* road='GS', or .* road='GS~'",
        ),
        ("Maze:\n#####\n#S G#\n#####\n", "line 1, column 1: expected a wall .* found 'M'"),
        ("#####\n#S.G\n#####\n", "line 2, column 5: expected 5 characters as in the longest line"),
        ("1 1 1\n1 2 0\n1 1 1\n", "line 2, column 3: expected a wall .* found '2'.* road='02'"),
        ("1 1 1\n2 2 3\n1 1 0\n", "line 2, column 1: expected a wall .* found '2'"),
        ("1,1,1\n1,2,1\n1,1,1\n", "line 2, column 2: '2' is neither"),
        ("1,1,1\n1,\0,1\n1,1,1\n", "line 2: a NUL character is no part of a text"),
        ("a,b,c\n1,1,1\n1,2,1\n", "line 3, column 2: '2' is neither"),
        (",0,1,2\n0,1,1,1\n1,1,2,1\n", "line 3, column 3: '2' is neither"),
        ("+-+\n| |\n+x+", "line 3, column 2: expected a wall"),
        (
            "3 5\n1 1\n1 3\n#####\n#...#\n#####\n",
            "line 2, column 1: expected the first row of 3 x 5, found '1 1': .* give .* start= and goal=",
        ),
        (
            "9553\nA9BA\nC6C6\n",
            "line 2, column 2: expected a digit with a wall in the east, as the next .* '9'",
        ),
        (
            "9553\nA93A\nC6C6\n\n0,0\n0,3\n",
            r"line 6, column 1: expected column 0..3 and row 0..2, found '0,3'",
        ),
    ):
        for name in ("x.txt", "x.csv"):
            (tmp_path / name).write_text(text)
            refused(ValueError, rf"{name}': {words}", meiro.read, tmp_path / name)
        for rows in (text, text.splitlines()):
            refused(ValueError, f"x: {words}", meiro.solve, rows)


@pytest.mark.parametrize("given", [list, np.array, lambda rows: np.array(rows, float), pd.DataFrame])
def test_a_single_2_and_a_single_3_are_start_and_goal(given: Any, tmp_path: Path) -> None:
    rows = [[2, 1, 1], [0, 0, 3]]
    (tmp_path / "x.csv").write_text("\n".join(",".join(map(str, row)) for row in rows), "utf-8")
    takes: list[Any] = [given(rows), meiro.read(tmp_path / "x.csv")]
    for x in takes:
        assert meiro.solve(x).path.tolist() == [[0, 0], [1, 0], [1, 1], [1, 2]]
    refused(ValueError, r"say road=\[0", meiro.solve, given([[2, 1, 3], [0, 0, 3]]))


@pytest.mark.parametrize("style", ["unicode", "ascii", "block"])
def test_two_mazes_in_a_text_are_two(style: Any, tmp_path: Path) -> None:
    mazes = [meiro.generate((3, 4), rng=seed) for seed in (1, 2)]
    text = "\n\n".join(maze.to_text(style) for maze in mazes)
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    batch = meiro.read(tmp_path / "x.txt")
    assert isinstance(batch, meiro.MazeBatch)
    assert [*batch] == mazes
    with pytest.raises(ValueError, match="there are 2 mazes, which begin at line 1 and line 9: take one"):
        meiro.Maze.from_text(text)
    (tmp_path / "x.txt").write_text(text + "\n\n" + meiro.generate((2, 2)).to_text(style), encoding="utf-8")
    refused(ValueError, "3 parts with empty lines between, of several sizes", meiro.read, tmp_path / "x.txt")


@pytest.mark.parametrize("name", ["x.txt", "x.csv"])
@pytest.mark.parametrize("road", [".S~", [".", "S", "~"]])
def test_each_letter_of_road_counts_in_files(name: str, road: Any, tmp_path: Path) -> None:
    between = "," if name == "x.csv" else ""
    (tmp_path / name).write_text("\n".join(between.join(row) for row in ("####", "#.~S", "o###")))
    found = meiro.read(tmp_path / name, road=road)
    assert np.asarray(found).tolist() == [[1] * 4, [1, 0, 0, 0], [1] * 4]
    assert found.start == (1, 3)  # type: ignore[union-attr]


@pytest.mark.parametrize("road", [" 🚩", [" ", "🚩"], "\N{IDEOGRAPHIC SPACE}🚩"])
def test_signs_as_wide_as_two_blanks_may_be_roads(road: Any, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("🧱🧱🧱🧱\n🧱    🧱\n🧱🚩🧱🧱", "utf-8")
    refused(ValueError, "expected a wall .🧱. or a road, found '🚩'", meiro.read, tmp_path / "x.txt")
    found = np.asarray(meiro.read(tmp_path / "x.txt", road=road))
    assert found.tolist() == [[1] * 4, [1, 0, 0, 1], [1, 0, 1, 1]]


def test_letters_that_road_names_are_roads_where_there_are_several() -> None:
    ghosts = ["|------|", "|G..|.G|", "|....@.|", "|------|"]
    assert meiro.solve(ghosts, (1, 1), (1, 6), road=".G@").length == 7
