"""Mazes as text and back."""

from __future__ import annotations

import re
from functools import partial

import hypothesis.strategies as st
import numpy as np
import pytest
from arbitrary_mazes import W1_AREAS, W1_ORDER, mazes
from hypothesis import given
from periodic_mazes import periodic_mazes
from refusals import refused
from timing import best, seconds

import meiro
from meiro.drawing.text.parse import from_text, sites_of_text
from meiro.drawing.text.render import STYLES, Role, Style, draw

to_text = meiro.Maze.to_text
W1 = [[4, 6, 12], [3, 13, 5], [2, 9, 1]]
W1_FIRST = """
┌─┬─┬─┐
│0│1│2│
├─┼─┼─┤
│3│4│5│
├─┼─┼─┤
│6│7│8│
└─┴─┴─┘
"""
W1_JOINED = """
┌─┬───┐
│S│•••│
│•╵•╷•│
│•••│•│
├─╴ │•│
│   │G│
└───┴─┘
"""
W1_ASCII = """
+-+-+-+
|S|***|
+*+*+*+
|***|*|
+-+ +*+
|   |G|
+-+-+-+
"""
W1_BLOCK = """
██████████████
██  ██      ██
██  ██  ██  ██
██      ██  ██
██████  ██  ██
██      ██  ██
██████████████
"""


def same(one: meiro.Maze, other: meiro.Maze) -> bool:
    """Whether two mazes have one grid; a mask of all cells counts as None."""
    return one == other and np.array_equal(one.grid, other.grid)


def stages() -> list[tuple[str, str]]:
    """Pictures of the nine steps: what the maze is after k walls fell, and its labels."""
    walls = {7: (2, 3), 2: (3, 2), 11: (4, 5), 6: (2, 1), 1: (1, 4), 10: (4, 3), 4: (5, 2), 8: (2, 5)}
    pictures = []
    for step, areas in enumerate(W1_AREAS.split()):
        sites = [list(line) for line in W1_FIRST.strip().split("\n")]
        for wall in W1_ORDER[:step]:
            row, col = walls[wall]
            sites[row][col] = " "
        for row in range(3):
            sites[2 * row + 1][1::2] = areas[3 * row : 3 * row + 3]
        pictures.append(("\n".join(map("".join, sites)), areas))
    return pictures


@pytest.mark.parametrize(("picture", "areas"), stages())
def test_text_of_the_article(picture: str, areas: str) -> None:
    maze = from_text(picture)
    labels = np.array(list(areas), int).reshape(3, 3)
    assert to_text(maze, "posts", labels=labels) == picture
    assert same(maze, from_text(to_text(maze)))
    assert str(maze) == to_text(maze)
    assert maze == meiro.Maze(W1) or areas != "000000000"


def test_text_in_every_style() -> None:
    path = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (1, 2), (2, 2)]
    maze = meiro.Maze(W1)
    assert to_text(maze, solution=path) == W1_JOINED.strip()
    assert to_text(maze, "ascii", solution=path) == W1_ASCII.strip()
    assert to_text(maze, "block") == W1_BLOCK.strip()


def test_text_with_openings_and_wide_labels() -> None:
    maze = from_text("#.###\n#....\n#.#.#\n#...#\n#####")
    assert (
        to_text(maze, labels=np.array([[-1, "ab"], [2, None]], object))
        == "╷  ╶──╴\n│   ab \n│  ·  ╷\n│2    │\n└─────┘"
    )
    assert same(maze, from_text("╷  ╶──╴\n│   ab\n│  ·  ╷\n│2    │\n└─────┘"))


def test_text_fills_masked_out_cells() -> None:
    mask = np.array([[True, False, False], [True, True, False]])
    maze = meiro.Maze.from_wall_ids(mask.shape, [], mask=mask)
    closed = meiro.Maze(np.zeros(mask.shape, np.uint8), mask)
    assert to_text(closed) == "┌─┐░░░░\n│ │░░░░\n├─┼─┐░░\n│ │ │░░\n└─┴─┘░░"
    assert to_text(closed, "ascii").split("\n")[1] == "| |#|#|"
    for style in STYLES:
        assert same(from_text(to_text(closed, style)), closed)
        assert same(from_text(to_text(maze, style)), maze)


@given(periodic_mazes(), st.sampled_from(STYLES))
def test_text_of_periodic_mazes_has_an_open_border(maze: meiro.Maze, style: Style) -> None:
    assert same(from_text(to_text(maze, style)), meiro.Maze.from_grid(maze.grid))
    far = meiro.distances(maze, (0, 0))
    goal = tuple(map(int, np.argwhere(far == far.max())[0]))
    solution = meiro.solve(maze, (0, 0), goal)
    text = to_text(maze, style, solution=solution)
    assert text == to_text(maze, style, solution=solution.path)
    assert np.array_equal(from_text(text).grid, maze.grid)
    drawing = draw(maze, style, solution=solution, explored=True)
    chars = draw(maze, style).chars.shape
    assert drawing.chars.shape == chars
    on_path = np.isin(drawing.roles, (Role.PATH, Role.START, Role.GOAL))
    if style in ("unicode", "ascii"):  # a character a site
        assert np.array_equal(on_path, solution.mask)
        seen = (drawing.roles == Role.VISITED) | on_path
        assert np.array_equal(seen[1::2, 1::2], solution.explored)
        for row, col in np.argwhere(maze.grid == 0).tolist():
            if row in (0, 2 * maze.rows):
                assert seen[row, col] == solution.explored[[0, -1], col // 2].all()
            elif col in (0, 2 * maze.cols):
                assert seen[row, col] == solution.explored[row // 2, [0, -1]].all()


def test_text_of_a_path_over_a_periodic_border() -> None:
    maze = meiro.Maze([[10] * 3], wrap=(False, True))
    assert to_text(maze, solution=[(0, 0), (0, 2)]) == "╶─────╴\n•S   G•\n╶─────╴"
    assert to_text(maze, "block", solution=[(0, 0), (0, 2)]).split("\n")[1] == "░░S░      G░░░"
    wide = to_text(maze, solution=[(0, 0), (0, 2)], labels=[["ab", "cd", "ef"]]).split("\n")[1]
    assert wide == "•ab cd ef•"
    tall = meiro.Maze([[5]] * 3, wrap=(True, False))
    assert to_text(tall, "ascii", solution=[(2, 0), (0, 0)]) == "+*+\n|G|\n+ +\n| |\n+ +\n|S|\n+*+"
    refused(ValueError, r"solution\[3\] is outside", to_text, maze, solution=[(0, 0), (0, 2), (0, 0), (1, 0)])
    refused(ValueError, r"solution\[1\] is outside", to_text, maze, solution=[(0, 1), (0, 3)])
    refused(ValueError, r"solution\[2\] is outside", to_text, maze, solution=[(0, 1), (0, 2), (0, 3)])
    with pytest.raises(ValueError, match=r"solution\[1\] goes through a wall, at cell \(0, 2\), on the way"):
        to_text(meiro.Maze([[2, 10, 8]], wrap=(False, True)), solution=[(0, 1), (0, 2), (0, 0)])
    with pytest.raises(ValueError, match=r"solution\[0\] and solution\[1\] are not adjacent"):
        to_text(meiro.Maze([[2, 10, 8]]), solution=[(0, 2), (0, 0)])


@given(mazes(), st.sampled_from(STYLES), st.data())
def test_text_round_trip(maze: meiro.Maze, style: Style, data: st.DataObject) -> None:
    labels = None
    if data.draw(st.booleans()):
        label = st.one_of(st.integers(-5, 2000), st.text("ABSGx-.*|+0", max_size=3))
        some = [[data.draw(label) for _ in range(maze.cols)] for _ in range(maze.rows)]
        labels = np.array(some, object)
    exists = np.ones((maze.rows, maze.cols), bool) if maze.mask is None else maze.mask
    cells = list(map(tuple, np.argwhere(exists).tolist()))
    start = data.draw(st.none() | st.sampled_from(cells))
    goal = data.draw(st.none() | st.sampled_from(cells))
    text = to_text(maze, style, start=start, goal=goal, labels=labels)
    mangle = data.draw(st.sampled_from(["", "crlf", "strip", "bom", "indent", "lines"]))
    if mangle == "strip":
        text = "\n".join(line.rstrip() or line for line in text.split("\n"))  # an empty line is between two
    elif mangle == "crlf":
        text = text.replace("\n", "\r\n") + "\r\n"
    elif mangle == "bom":
        text = "\ufeff" + text
    elif mangle == "indent":
        text = "\n    " + text.replace("\n", "\n    ") + "\n  "
    elif mangle == "lines":
        text = text.replace("\n", "  \n") + "\n\n"
    try:
        back = from_text(text)
    except ValueError as error:  # S and two other letters among the labels, or several G alone
        assert labels is not None, text
        assert re.search(r"the goal\? Write G|is in several places", str(error)), text  # noqa: PT017
        return
    assert np.array_equal(back.grid, maze.grid), text
    assert np.array_equal(back.passages, maze.passages), text
    assert sorted(back.openings.tolist()) == sorted(maze.openings.tolist()), text
    if labels is None:
        assert back.start == start, text
        assert goal in {back.goal, start}, text
        assert from_text(text, style=style) == back


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 2), (12, 12), (7, 30)])
def test_text_path_of_a_generated_maze(style: Style, shape: tuple[int, int]) -> None:
    maze = meiro.generate(shape, rng=3)
    solution = meiro.solve(maze)
    text = to_text(maze, style, solution=solution)
    back = from_text(text)
    assert same(meiro.Maze(back.passages, openings=back.openings), maze), text
    assert back.start == (0, 0)
    assert back.goal == (shape[0] - 1, shape[1] - 1) or shape == (1, 1)
    assert text == to_text(maze, style, solution=solution.path)
    assert same(
        from_text(
            to_text(maze, style, solution=solution, labels=np.arange(maze.passages.size).reshape(shape))
        ),
        maze,
    )


def test_text_marks_start_and_goal() -> None:
    maze = meiro.Maze(W1, start=(0, 0), goal=(2, 2))
    assert to_text(maze).split("\n")[1][1] == "S"
    assert from_text(to_text(maze)) == maze
    assert from_text(to_text(maze, "block")).goal == (2, 2)
    assert "S" not in to_text(maze, labels=np.zeros((3, 3), int))
    assert to_text(maze, start=(1, 1), labels=np.zeros((3, 3), int)).split("\n")[3] == "│0 S│0│"


def test_text_without_a_path_marks_start_and_goal_of_the_search() -> None:
    maze = meiro.generate((2, 3), rng=1)
    missed = meiro.solve(maze, (1, 0), (0, 2), algorithm="random_mouse", max_steps=0, rng=1)
    assert not missed.found
    assert to_text(maze, solution=missed) == to_text(maze, start=(1, 0), goal=(0, 2))
    assert to_text(maze, solution=missed, start=(0, 0)) == to_text(maze, start=(0, 0), goal=(0, 2))


def test_text_path_from_opening_to_opening() -> None:
    maze = from_text("#.###\n#.#.#\n#.#.#\n#...#\n###.#")
    solution = meiro.solve(maze.grid)
    assert to_text(maze, solution=solution).split("\n") == ["╷•┌─┐", "│S│ │", "│•╵ │", "│••G│", "└─╴•╵"]


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("###\n# #\n###", "111/101/111"),
        ("###  \n#.#  \n###  ", "111/101/111"),  # as a terminal fills its lines
        ("#####\n#..S#\n#.#.#\n#.#.#\n#####", "11111/10001/10101/10101/11111"),
        ("111\n000\n111\n", "111/000/111"),
        ("######\n##  ##\n######", "111/101/111"),
        ("███\n█  \n███", "111/100/111"),
        ("██████\n\n██████", "111/000/111"),
        ("+---+---+\n| a |   |\n+   +   +\n|\n+---+---+", "11111/10101/10101/10000/11111"),
        ("+--+\n|##|\n+--+", "111/111/111"),
        ("┌─────┐\n│     │\n└─────┘", "1111111/1000001/1111111"),
        ("┏━┳━┓\n┃ ┃ ┃\n┗━┻━┛", "11111/10101/11111"),
        ("╔═╦═╗\n║ ║ ║\n╚═╩═╝", "11111/10101/11111"),
        ("┌──┬──┐\n│10 11│\n└──┴──┘", "11111/10001/11111"),
        ("┌──┬──┐\n│  │  │\n└──┴──┘", "11111/10101/11111"),
    ],
)
def test_text_drawn_by_others_is_read(text: str, grid: str) -> None:
    wanted = np.array([[int(digit) for digit in row] for row in grid.split("/")])
    assert np.array_equal(sites_of_text(text).walls, wanted)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "line 1, column 1", "found nothing"),
        (" \n\n", "line 1, column 1", "found nothing"),
        ("maze.txt", "line 1, column 1", "meiro.read takes the name of a file"),
        ("+-+\n| |", "line 2, column 1", "odd number of lines"),
        ("###", "line 1, column 1", "odd number of lines"),
        ("+-+\n| |\n+-", "line 3, column 3", "the end of the line"),
        ("+--+-+\n|  | |\n+--+-+", "line 1, column 6", "odd number of sites"),
        ("+-+\n| |\n+-+-", "line 3, column 4", "3 characters as in the first line"),
        ("+-+-+\n| \n+-+-+", "line 2, column 3", "5 characters as in the first line"),
        ("#####\n#.#.\n#####", "line 2, column 5", "5 characters as in the longest line"),
        ("11111\n1000\n11111", "line 2, column 5", "as in the longest line, found the end of the line"),
        ("┌──┐\n│  │\n└──┘", "line 1, column 4", "odd number of sites"),
        ("####\n#  #\n####", "line 1, column 4", "odd number of sites"),
        ("████\n█  █\n████", "line 1, column 4", "odd number of sites"),
        ("###\n#x#\n###", "line 2, column 2", "found 'x'"),
        ("111\n101\n121", "line 3, column 2", "found '2'"),
        ("000\n010\n000", "line 1, column 1", "expected a post, which is a wall, found a road"),
        ("#####\n#   #\n#   #\n#   #\n#####", "line 3, column 3", "a post, which is a wall"),
        ("┌─┬─┐\n│ x │\n└─┴─┘", "line 2, column 3", "found 'x'"),
        ("\n\n  ┌─┬─┐\n  │ x │\n  └─┴─┘", "line 4, column 5", "found 'x'"),
        ("\r\n┌─┬─┐\r\n│ │\t│\r\n└─┴─┘", "line 3, column 4", "found '\\t'"),
        ("┌─┬─┐\n│ │ │\n└─┴+┘", "line 3, column 4", "a wall (─) or a road"),
        ("+-+-+-+\n|# #|S|\n+-+-+-+", "line 2, column 3", "an adjacent cell is filled"),
        ("#####\n##  #\n#####", "line 2, column 3", "an adjacent cell is filled"),
        ("+-+-+\n|a|\ud800|\n+-+ -", "line 3, column 5", "a post (+)"),
        ("┌─┬─┐\n│ │ │\n│ ╵ │", "line 3, column 1", "a post of the last line, without a line down"),
        ("┌───┐\n│   │\n├─╴ │\n", "line 3, column 1", "the text goes on below"),
        ("╔═╗\n║ ║\n╚═╣", "line 3, column 3", "without a line down"),
        ("  ┌──┐\n  │10│\n  └──┤", "line 3, column 6", "without a line down"),
    ],
)
def test_text_errors_name_the_place(text: str, place: str, words: str) -> None:
    with pytest.raises(ValueError, match="line") as caught:
        from_text(text)
    assert str(caught.value).startswith(place + ":"), caught.value
    assert words in str(caught.value)


@given(st.text("+-| #01█─│┌┐└┘S•░\n\t", max_size=40))
def test_text_of_any_kind_is_read_or_refused(text: str) -> None:
    try:
        maze = from_text(text)
    except ValueError as error:
        assert "line " in str(error)  # noqa: PT017  # either end is right
    else:
        assert same(from_text(to_text(maze, "ascii")), maze)


def test_text_style_is_the_given_one() -> None:
    text = to_text(meiro.Maze(W1), "ascii")
    words = r"line 1, column 1: expected a wall in the corner \(█\), found '\+'"
    refused(ValueError, words, from_text, text, style="block")
    refused(ValueError, r"style must be 'unicode' or .*, not 'oil'", from_text, text, style="oil")
    refused(ValueError, r"style must be 'unicode' or .*, not 'oil'", to_text, meiro.Maze(W1), "oil")
    refused(TypeError, "bytes; to read a file use", from_text, b"###")


def test_text_refuses_bad_arguments() -> None:
    maze = meiro.Maze(W1)
    for path, words in (
        ([(0, 0), (0, 1)], r"solution\[0\] goes through a wall, at cell \(0, 0\), on the way to \(0, 1\)"),
        ([(0, 0), (1, 1)], r"solution\[0\] and solution\[1\] are not adjacent"),
        ([(2, 2), (3, 2)], r"solution\[1\] is outside|solution\[0\] is outside"),
        ([0, 1], "shape"),
    ):
        refused(ValueError, words, to_text, maze, solution=path)
    refused(TypeError, "solution must be integers", to_text, maze, solution=[(0.0, 0.5)])
    refused(ValueError, r"start \(3, 0\) is outside", to_text, maze, start=(3, 0))
    refused(TypeError, "goal must be a pair", to_text, maze, goal=7)
    refused(ValueError, r"shape \(3, 3\), .*, not \(2, 2\)", to_text, maze, labels=[[1, 2], [3, 4]])
    refused(ValueError, "labels is not an array", to_text, maze, labels=[[1, 2], [3]])
    with pytest.raises(ValueError, match=r"labels\[1, 1\]='│'"):
        to_text(maze, labels=[["a", "b", "c"], ["a", "│", "c"], ["a", "b", "c"]])
    with pytest.raises(ValueError, match=r"labels\[1, 2\]='迷'"):
        to_text(maze, labels=[["a", "b", "c"], ["a", "b", "迷"], ["a", "b", "c"]])
    refused(ValueError, r"labels\[0, 0\]='a b'", to_text, maze, labels=[["a b", "b", "c"]] * 3)
    refused(ValueError, "labels", to_text, maze, "ascii", labels=[["#"] * 3] * 3)


def test_text_roles() -> None:
    maze = meiro.Maze(W1)
    solution = meiro.solve(maze, (2, 0), (2, 1))
    drawing = draw(maze, solution=solution, explored=True)
    assert (drawing.roles[5, 1], drawing.roles[5, 3]) == (Role.START, Role.GOAL)
    for one in (solution, meiro.solve(maze.grid, (1, 1), (1, 3))):  # of cells, of sites
        drawing = draw(maze, "unicode", solution=one, explored=True)
        shown = drawing.roles[1::2, 1::2] if one.space == "cells" else drawing.roles
        assert (np.isin(shown, (Role.VISITED, Role.PATH, Role.START, Role.GOAL)) == one.explored).all()
        assert (draw(maze, solution=one).roles != Role.VISITED).all()
        assert str(drawing) == to_text(maze, solution=one)
        wide = draw(maze, "block", solution=one, explored=True)
        assert wide.roles.shape == wide.chars.shape == (7, 14)
        assert np.array_equal(wide.roles, drawing.roles.repeat(2, axis=1))
    assert (drawing.roles == Role.VISITED).any()
    walked = draw(maze, solution=[(0, 0), (1, 0)], explored=True)
    assert walked.roles.tolist()[:4] == [
        [1] * 7,
        [1, 4, 1, 0, 0, 0, 1],
        [1, 3, 1, 0, 1, 0, 1],
        [1, 5, 0, 0, 1, 0, 1],
    ]


def test_text_path_may_cross_itself_or_be_empty() -> None:
    maze = meiro.Maze(W1)
    walk = [(0, 0), (1, 0), (1, 1), (1, 0), (0, 0)]
    assert to_text(maze, solution=walk).split("\n")[1] == "│S│   │"
    assert to_text(maze, solution=np.zeros((0, 2), int)) == to_text(maze)
    assert maze.to_svg(solution=[]) == maze.to_svg(solution=np.zeros((0, 2), int))
    assert to_text(maze, solution=walk, labels=np.full((3, 3), 100)).split("\n")[3] == "│100•100│100│"
    assert (
        to_text(maze, solution=walk, labels=[["", "", "abc"]] + [[""] * 3] * 2).split("\n")[3]
        == "│ ••••• │   │"
    )


@pytest.mark.clock
def test_text_of_a_million_sites_takes_less_than_1_s_to_write_and_1_s_to_read() -> None:
    maze = meiro.generate((500, 500), "kruskal", rng=1)
    solution = meiro.solve(maze)
    for style in STYLES:
        text = to_text(maze, style, solution=solution)
        assert np.array_equal(from_text(text).passages, maze.passages)
        assert best(partial(seconds, partial(to_text, maze, style, solution=solution)), 0.5) < 1, style
        assert best(partial(seconds, partial(from_text, text)), 0.5) < 1, style
