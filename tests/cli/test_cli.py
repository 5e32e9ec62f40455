from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pytest
from files.camera import Taken
from pseudo_terminal import Screen

import meiro
from meiro._utils import progress
from meiro.cli import generate, listing, main
from meiro.cli.arguments import generate_parser
from meiro.cli.shared import streams
from meiro.colors import DARK
from meiro.drawing.terminal import ansi
from meiro.drawing.text.render import STYLES, Drawing, draw
from meiro.io.png import write_png

Run = Callable[..., tuple[int, str, str]]
ESCAPE = re.compile(r"\x1b\[[\d;]*m")
LOOP = np.array([int(site) for site in "101111100001101101100001111101111101"]).reshape(6, 6)


def process(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "meiro", *words],
        check=False,
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=60,
        env=os.environ | options.pop("env", {}),
        **options,
    )


# Making


def test_cli_prints_71_x_21_characters(run: Run, algorithm: str) -> None:
    status, out, err = run(35, 10, "-a", algorithm, "--style", "ascii", "--seed", 5)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 21
    assert {len(line) for line in lines} == {71}
    assert set(out) <= set("+-| \n")
    maze = meiro.Maze.from_text(out)
    assert maze == meiro.generate((10, 35), algorithm, rng=5)
    if meiro.ALGORITHMS[algorithm].perfect:
        assert maze.is_perfect
        assert len(maze.wall_ids()) == 306


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("6 4 -a クラスタリング法 --seed 1", "6 4 -a kruskal --seed 1"),
        ("--grid 15 9 --seed 3", "7 4 --seed 3"),
        ("generate 9 4 --seed 3", "9 4 --seed 3"),
        ("list", "--list"),
        ("solve maze.npz --start 1 1", "--input maze.npz --start 1 1"),
    ],
)
def test_cli_has_several_words_for_one_thing(run: Run, words: str, same: str) -> None:
    meiro.generate((5, 6), rng=2).save("maze.npz")
    found = run(*words.split())
    assert found == run(*same.split())
    assert found[0] == 0


def test_cli_prints_a_seed_that_makes_the_maze_again(run: Run) -> None:
    status, out, err = run(9, 5)
    assert status == 0
    found = re.fullmatch(r"seed (\d+)\n", err)
    assert found
    assert run(9, 5, "--seed", found[1]) == (0, out, "")
    assert run(9, 5)[2] != err


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("more", [[], ["--solve"], ["--solve", "--check", "--seed", "3", "--dot"]])
def test_cli_without_a_size_fits_the_terminal(
    run: Run, style: str, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns, lines in ((80, 24), (33, 17)):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(lines))
        status, out, err = run("--style", style, *more)
        assert status == 0
        shown = (out + err).splitlines()
        assert lines - 2 <= len(shown) <= lines - 1
        assert columns - (4 if style == "block" else 2) < len(shown[0]) <= columns


@pytest.mark.parametrize("style", STYLES)
def test_cli_in_the_smallest_terminal_shows_the_smallest_maze(
    run: Run, style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1")
    monkeypatch.setenv("LINES", "1")
    status, out, _ = run("--style", style)
    assert status == 0
    assert meiro.Maze.from_text(out).passages.shape == (1, 1)


# Solving


@pytest.mark.parametrize("style", STYLES)
def test_cli_shows_and_counts_the_path(run: Run, style: Any, solver: str) -> None:
    maze = meiro.generate((8, 12), rng=4)
    solution = meiro.solve(maze)
    _, out, err = run(12, 8, "--seed", 4, "--solve", "--solver", solver, "--style", style)
    shown = maze.to_text(style, solution=solution)
    assert out == f"{shown}\nsteps {solution.length}\ncells {solution.length + 1}\n"
    assert err == ""


def test_cli_start_and_goal_are_row_and_column(run: Run) -> None:
    maze = meiro.generate((4, 9), rng=4)
    solution = meiro.solve(maze, (1, 7), (3, 0))
    _, out, _ = run(9, 4, "--seed", 4, "--start", 1, 7, "--goal", -1, 0)
    assert out.startswith(maze.to_text(solution=solution))
    assert out.endswith(f"cells {solution.length + 1}\n")


def test_cli_quiet_prints_the_numbers_only(run: Run) -> None:
    assert run(9, 4, "--quiet") == (0, "", "")
    status, out, err = run(9, 4, "-q", "--solve")
    assert (status, err) == (0, "")
    assert re.fullmatch(r"steps \d+\ncells \d+\n", out)


def test_cli_check_prints_words(run: Run) -> None:
    words = "no islands, no enclosed regions: one way from any cell to any other\n"
    assert run(9, 4, "--check", "--quiet")[1] == words
    out = run(9, 4, "--check", "--solve")[1].splitlines()
    assert out[9:] == [words.strip(), *out[-2:]]


def test_cli_pictures_and_texts_show_the_path(run: Run) -> None:
    run(12, 8, "--seed", 4, "--solve", "-o", "a.png", "--scale", 3)
    maze = meiro.generate((8, 12), rng=4)
    maze.save("own.png", solution=meiro.solve(maze), scale=3)
    assert Path("a.png").read_bytes() == Path("own.png").read_bytes()


def test_cli_text_file_has_the_given_style(run: Run) -> None:
    run(12, 8, "--seed", 4, "--style", "posts", "-o", "maze.txt", "--quiet")
    assert Path("maze.txt").read_text("utf-8") == meiro.generate((8, 12), rng=4).to_text("posts") + "\n"


def test_cli_prints_a_written_maze_if_it_fits(run: Run) -> None:
    assert run(39, 11, "-o", "maze.png", "--seed", 1)[1].count("\n") == 23
    assert run(39, 12, "-o", "maze.png", "--seed", 1)[1] == ""
    assert run(40, 11, "-o", "maze.png", "--seed", 1)[1] == ""
    assert run(40, 11, "-o", "maze.png", "--seed", 1, "--style", "ascii")[1].count("\n") == 23


@pytest.mark.parametrize(
    ("words", "name"),
    [("--dot 35 10", "maze.dot"), ("35 10 --dot=x.dot", "x.dot"), ("35 10 --dot y.gv", "y.gv")],
)
def test_cli_writes_a_graph(run: Run, words: str, name: str) -> None:
    maze = meiro.generate((10, 35), rng=1)
    assert run(*words.split(), "--seed", 1) == (0, f"{maze}\n", f"wrote {name}\n")
    assert Path(name).read_text("utf-8") == maze.to_dot() + "\n"


def test_cli_graph_has_the_solved_start_and_goal(run: Run) -> None:
    run(5, 4, "--start", 1, 2, "--goal", 3, 3, "--dot", "-q")
    filled = re.findall(r"^ *(\d+) .*filled", Path("maze.dot").read_text("utf-8"), re.MULTILINE)
    assert filled == ["7", "18"]


@pytest.mark.parametrize(
    ("words", "openings"),
    [("random", "random"), ("0,5,north 7,0,S", [((0, 5), "north"), ((7, 0), "south")])],
)
@pytest.mark.parametrize("suffix", [".png", ".txt", ".npz"])
def test_cli_mazes_with_openings_are_solved_between_them(
    run: Run, words: str, openings: Any, suffix: str
) -> None:
    maze = meiro.generate((8, 12), rng=4, openings=openings)
    solution = meiro.solve(maze)
    status, out, _ = run(12, 8, "--seed", 4, "--openings", words, "--solve", "-o", f"maze{suffix}")
    assert status == 0
    assert out == f"{maze.to_text(solution=solution)}\nsteps {solution.length}\ncells {solution.length + 1}\n"
    assert meiro.read(f"maze{suffix}") == maze
    steps = len(solution.grid_path) - 1
    if suffix == ".txt":  # S and G are in the text
        steps -= 2
    assert run("--input", f"maze{suffix}", "-q")[1] == f"steps {steps}\nsites {steps + 1}\n"


def test_cli_chooses_the_best_between_openings(run: Run) -> None:
    words = ["--best", "solution_length", "--tries", 30, "--openings", "top_bottom", "--solve"]
    out = run(6, 6, "--seed", 4, *words)[1]
    options: Any = {"n": 1, "candidates": 30, "rng": 4, "openings": "top_bottom"}
    (maze,) = meiro.datasets.by_measure((6, 6), "wilson", "solution_length", math.inf, **options)
    assert out.startswith(maze.to_text(solution=meiro.solve(maze)))


# Reading one's own


def write(name: str, array: np.ndarray[Any, Any]) -> str:
    if name.endswith(".png"):
        with Path(name).open("wb") as file:
            write_png(file, array)
    elif name.endswith(".npy"):
        np.save(name, array)
    else:
        Path(name).write_text("\n".join(",".join(map(str, row)) for row in array.tolist()) + "\n", "utf-8")
    return name


@pytest.mark.parametrize("name", ["own.png", "own.csv", "own.npy"])
@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("", "██S░████████\n██░░░░░░░░██\n██  ████░░██\n██      ░░██\n████████░░██\n████████G░██\n"),
        ("--style ascii", "#S####\n#****#\n# ##*#\n#   *#\n####*#\n####G#\n"),
        ("--style ascii --check --solve", "#S####\n#****#\n# ##*#\n#   *#\n####*#\n####G#\n"),
        ("--style ascii --check", "# ####\n#    #\n# ## #\n#    #\n#### #\n#### #\n"),
    ],
)
def test_cli_solves_walls_and_roads_of_any_kind(run: Run, words: str, shown: str, name: str) -> None:
    status, out, err = run("--input", write(name, LOOP), *words.split())
    assert (status, err) == (0, "")
    told = f"{meiro.check(LOOP)}\n" * ("--check" in words) + "steps 8\nsites 9\n" * ("G" in shown)
    assert out == shown + told


def test_cli_large_maze_prints_its_numbers_only(run: Run) -> None:
    grid = np.array(meiro.generate((30, 60), rng=2).grid)
    grid[0, 1] = grid[-1, -2] = 0
    steps = meiro.solve(grid, (0, 1), (60, 119)).length
    numbers = f"steps {steps}\nsites {steps + 1}\n"
    name = write("own.png", grid)
    assert run("--input", name) == (0, numbers, "")
    out = run("--input", name, "--style", "unicode")[1]
    assert out.endswith(numbers)
    assert len(out.splitlines()) == 63


def test_cli_start_and_goal_of_a_masked_maze_are_existing_cells(run: Run) -> None:
    mask = np.ones((4, 5), bool)
    mask[0, 0] = mask[3, 4] = False
    maze = meiro.generate(mask=mask, rng=2)
    maze.save("maze.npz")
    steps = 2 * meiro.solve(maze, (0, 1), (3, 3)).length
    assert run("--input", "maze.npz", "-q")[1] == f"steps {steps}\nsites {steps + 1}\n"


def test_cli_marks_in_a_text_are_start_and_goal(run: Run) -> None:
    maze = meiro.generate((5, 6), rng=2)
    Path("maze.txt").write_text(maze.to_text(start=(4, 4), goal=(0, 3)), "utf-8")
    steps = 2 * meiro.solve(maze, (4, 4), (0, 3)).length
    assert run("--input", "maze.txt", "-q")[1] == f"steps {steps}\nsites {steps + 1}\n"


def test_cli_road_may_have_another_value(run: Run) -> None:
    name = write("own.csv", np.where(LOOP == 0, 255, 0))
    assert run("--input", name, "--road", 255, "-q")[1] == "steps 8\nsites 9\n"
    Path("own.csv").write_text("#,.,#\n#,.,#\n", "utf-8")
    assert run("--input", "own.csv", "--road", ".", "-q")[1] == "steps 1\nsites 2\n"
    Path("own.csv").write_text("1,0,1\n1,2,1\n", "utf-8")
    assert run("--input", "own.csv", "--road", 0, 2, "-q")[1] == "steps 1\nsites 2\n"


@pytest.mark.parametrize("scale", [1, 8])
def test_cli_solves_the_picture_that_it_wrote(run: Run, scale: int) -> None:
    assert run(20, 10, "--seed", 3, "-o", "maze.png", "--scale", scale, "-q")[0] == 0
    steps = 2 * meiro.solve(meiro.generate((10, 20), rng=3)).length
    assert run("--input", "maze.png", "-q")[1] == f"steps {steps}\nsites {steps + 1}\n"
    out = run("--input", "maze.png", "-q", "--start", 9, 1)[1]
    assert out.endswith(f"sites {2 * meiro.solve(meiro.generate((10, 20), rng=3), (4, 0)).length + 1}\n")


@pytest.mark.parametrize("threshold", ["local", "0", "100"])
def test_cli_paints_the_path_over_a_picture_of_ones_own(run: Run, threshold: str) -> None:
    darkest = 0.4 if threshold == "local" else 1
    photo, _ = Taken(2, (5, 6), marks=True, degrees=3, noise=5, blur=0.8, darkest=darkest).take()
    photo.save("photo.png")
    words = ["--input", "photo.png", "--marks", "red", "#00ff00", "--threshold", threshold, "--centre", "-q"]
    if threshold == "0":
        assert run(*words, "-o", "out.png")[0] == 0  # all is road
        return
    status, out, _ = run(*words, "--speckles", 9, "--deskew", "-o", "out.png")
    assert status == 0
    ways: dict[str, Any] = {"speckles": 9, "deskew": True}
    ways["threshold"] = "local" if threshold == "local" else 100
    x = meiro.from_image(photo, start="red", goal="#00ff00", **ways)
    found = meiro.solve(x, centre=True)
    assert out == f"steps {found.length}\nsites {found.length + 1}\n"
    found.save("expected.png", picture=x)
    assert Path("out.png").read_bytes() == Path("expected.png").read_bytes()
    assert run(*words, "--deskew", "-o", "out.csv")[0] == 0
    assert np.array_equal(np.asarray(meiro.read("out.csv")).shape, x.shape)


def test_cli_check_of_a_file_without_openings(run: Run) -> None:
    closed = LOOP.copy()
    closed[0] = 1
    assert run("--input", write("own.csv", closed), "--check", "-q")[0] == 0


def test_cli_solves_a_picture_of_the_user(run: Run) -> None:
    run("--input", write("own.csv", LOOP), "-o", "solved.png", "-q")
    with Path("own.png").open("wb") as file:
        write_png(file, LOOP, solution=meiro.solve(LOOP))
    assert Path("solved.png").read_bytes() == Path("own.png").read_bytes()
    run("--input", "own.csv", "-o", "again.csv", "-q")
    assert Path("again.csv").read_bytes() == Path("own.csv").read_bytes()


def test_cli_without_a_path_exits_1(run: Run) -> None:
    closed = LOOP.copy()
    closed[4, 4] = 1
    status, out, err = run("--input", write("own.csv", closed))
    assert (status, out) == (1, "")
    assert re.fullmatch(r"meiro: there is no path from \(0, 1\) to \(5, 4\).*\n", err)


def test_cli_solver_that_misses_the_goal_exits_1(run: Run) -> None:
    room = np.pad(np.zeros((7, 7), int), 1, constant_values=1)
    name = write("own.csv", room)
    words = ["--input", name, "--start", 1, 1, "--goal", 4, 4]
    assert run(*words)[1].endswith("steps 6\nsites 7\n")
    status, out, err = run(*words, "--solver", "wall_follower", "--style", "ascii")
    assert status == 1
    assert out.count("\n") == 9
    assert "*" not in out
    assert re.fullmatch(r"meiro: wall_follower found no path from \(1, 1\) to \(4, 4\): .*\n", err)


def test_cli_without_outputs_writes_its_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:  # as pythonw.exe has it
        patched.setattr(sys, "stdout", None)
        patched.setattr(sys, "stderr", None)
        assert main.main(["6", "4", "--seed", "0", "-o", "maze.npz"]) == 0
        assert main.main(["6", "4", "--frob"]) == 2
    assert meiro.read("maze.npz") == meiro.generate((4, 6), rng=0)
    assert run(6, 4, "--seed", 0)[0] == 0


# What is wrong


def test_cli_road_of_digits_are_signs(run: Run) -> None:
    Path("digits.txt").write_text("111\n020\n111\n", "utf-8")
    assert run("solve", "digits.txt", "--road", "02", "-q") == (0, "steps 2\nsites 3\n", "")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("-3 5", "at least 1, not -3"),
        ("3.5 4", "'3.5' is not a whole number"),
        ("solv x", "no command 'solv' (did you mean 'solve'?)"),
        ("35", "WIDTH and HEIGHT, two numbers, not 1"),
        ("1 2 3", "two numbers, not 3"),
        (f"{'9' * 5000} 3", "..."),
        (f"{'9' * 50} 3", "which no memory can hold"),
        ("300000 300000", "bytes, and"),
        ("--grid 16 9", "16 is even; take 15 or 17"),
        ("--grid 1 9", "at least 3"),
        ("3 3 --grid 15 9", "use one of them"),
        ("3 3 -a kruskl", "did you mean 'kruskal'?"),
        ("3 3 --solver bsf", "did you mean 'bfs'?"),
        ("3 3 --seed -1", "must not be negative"),
        ("3 3 --style unicod", "invalid choice"),
        ("3 3 --start 0 9", "start (0, 9) is outside: rows 0..2, cols 0..2"),
        ("3 3 --start 5", "--start is a row and a column, two numbers, or middle, not '5'"),
        ("3 3 --road 1", "--road is for --input"),
        ("3 3 --openings middle", "--openings: must be corners, top_bottom, left_right, random or farthest"),
        ("3 3 --openings 0,1", "--openings: must be cells with a side, as"),
        ("3 3 --openings a,1,north", "--openings: 'a' is not a whole number"),
        ("3 3 --openings 1,1,above", """openings[0]: the side of a cell is "north", "east", "south" or"""),
        ("3 3 --openings 1,1,north", "is inside the maze, between cells (0, 1) and (1, 1)"),
        ("--input own.csv --openings corners", "--openings is for generating a maze"),
        ("3 3 -o x.foo", "suffix '.foo' is not one of"),
        ("3 3 -o nowhere/x.png", "nowhere/x.png: No such file"),
        ("3 3 -o x.csv --scale 3", "--scale is for .png"),
        ("3 3 -o x.png --scale 0", "at least 1"),
        ("3 3 --frob", "unrecognized arguments: --frob"),
        ("3 3 --sol", "unrecognized arguments: --sol (did you mean '--solve'?)"),
        ("3 3 --rng 3", "unrecognized arguments: --rng 3 (did you mean '--seed'?)"),
        ("hexagonal 3 3", "no command 'hexagonal' (a lattice is --lattice hexagonal)"),
        ("kruskal 3 3", "no command 'kruskal' (an algorithm is -a kruskal)"),
        ("--input nofile.png", "nofile.png: No such file or directory"),
        ("--input own.csv 3 3", "WIDTH HEIGHT is for generating a maze"),
        ("--input own.csv --seed 0", "--seed is for generating a maze"),
        ("--input own.csv -a eller", "--algorithm is for generating a maze"),
        ("--input own.csv --start 0 0", "start (0, 0) is in a wall"),
        ("--input own.csv --road 7", "there is no road: no field is --road 7"),
        ("3 3 --centre", "--centre is for --input"),
        ("3 3 --marks red lime", "--marks is for --input"),
        ("3 3 --threshold 0", "--threshold is for --input"),
        ("3 3 --speckles 4", "--speckles is for --input"),
        ("3 3 --deskew", "--deskew is for --input"),
        ("3 3 --layer WALLS", "--layer is for --input"),
        ("--input own.csv --deskew", "own.csv is not a picture of a known format"),
        ("--input own.csv --speckles 4", "own.csv is not a picture of a known format"),
        ("--input own.csv --layer WALLS", "--layer is for .tmx, .tmj, .geojson and .dxf files, not for"),
        ("--input own.csv --speckles 0", "at least 1"),
        ("--input own.csv -o x.npz", "only a Maze can be written"),
        ("--input closed.csv", "give --start and --goal: the border has no opening, not two"),
        ("--input strange.csv", "other values are read with --road"),
        ("--input ragged.csv", "line 2"),
        ("solve signs.txt", "found '~': say which are road, as --road GS, or with it --road 'GS~'"),
        ("solve digits.txt", "found '2': say which are road, as --road 0, or with it --road 02"),
        ("solve open.txt", "all of it is road; --deskew cuts a picture to its frame"),
        ("solve two.txt", "'two.txt' holds 2 mazes"),
        ("--lattice hexagons 3 3", "there is no 'hexagons'; there are box, cairo, cube, hexagonal"),
        ("--lattice hexagonal -2 3", "rows must be at least 1, not -2"),
        ("--lattice hexagonal", "hexagonal takes rows and cols, or side="),
        ("--lattice polar 3 4 5", "too many positional arguments; in Python it is polar(rings, first)"),
        ("--lattice polar 3 rows=2", "unexpected keyword argument 'rows'"),
        ("--lattice polar x", "rings must be an integer"),
        ("--lattice polar 3 -a eller", "'eller' needs rows and columns"),
        ("20 30 --lattice polar 3", "the size of a lattice comes after its name"),
        ("--lattice polar 3 --best straightness", "straightness"),
        ("--lattice polar 3 --start 1 x", "--start is one cell of a lattice"),
        ("--lattice polar 3 --start 1 99 --solve", "start: there is no cell (1, 99) in <Lattice polar"),
        ("--lattice polar 3 -o maze.csv", "csv"),
        ("--lattice polar 3 --input x.npz", "--lattice is for generating a maze"),
        ("--input hexagons.npz --no-posts -o maze.png --solve", "--no-posts"),
        ("--input hexagons.npz --centre -o maze.png --solve", "--centre"),
        ("--input many.npz", "'many.npz' holds 3 mazes: in Python, meiro.read(file)[i]"),
        ("9 5 -a growing_tree -O choose=", "must be NAME=VALUE"),
        ("9 5 -a growing_tree -O chose=oldest", "did you mean 'choose'"),
        ("9 5 -a growing_tree -O rng=4", "takes no option 'rng'"),
        ("9 5 -a growing_tree -O run=x", "run must be a number, not 'x'"),
        ("5 5 --best dificulty", "--best: there is no measure 'dificulty'; did you mean 'difficulty'?"),
        ("5 5 --tries 5", "--tries is for --best"),
        ("5 5 --best difficulty --tries 0", "--tries: must be at least 1, not 0"),
        ("--input a.png --best difficulty", "--best is for generating a maze, and --input reads one"),
        ("3 1 -a percolation -O p=0 --best diameter", "is defined for 0 of 100 candidates"),
    ],
)
def test_cli_errors_are_one_line_and_exit_2(run: Run, words: str, says: str) -> None:
    write("own.csv", LOOP)
    write("closed.csv", np.pad(LOOP, 1, constant_values=1))
    Path("strange.csv").write_text("0,1\n0,5\n", "utf-8")
    Path("ragged.csv").write_text("0,1,0\n0,1\n", "utf-8")
    Path("signs.txt").write_text("#####\n#S~G#\n#####\n", "utf-8")
    Path("digits.txt").write_text("111\n120\n111\n", "utf-8")
    Path("open.txt").write_text("....\n....\n....\n", "utf-8")
    Path("two.txt").write_text("#####\n#   #\n#####\n\n" * 2, "utf-8")
    meiro.generate(meiro.lattices.hexagonal(3, 3), rng=1).save("hexagons.npz")
    meiro.generate_many((2, 2), n=3, rng=1).save("many.npz")
    before = sorted(Path().iterdir())
    status, out, err = run(*words.split())
    assert (status, out) == (2, "")
    assert err.startswith("meiro: ")
    assert says in err
    assert err.count("\n") == 1
    assert len(err) < (600 if "--best" in words else 400)  # all measures are named
    assert sorted(Path().iterdir()) == before


def test_cli_too_little_memory_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(generate, "generate", no_memory)
    monkeypatch.setattr(generate, "default_algorithm", lambda _: "wilson")
    assert run(3, 3) == (2, "", "meiro: not enough memory\n")


# The process


def test_python_m_meiro_and_its_exit_status() -> None:
    done = process("5", "3", "--seed", "2", "--solve")
    assert done.returncode == 0
    assert done.stdout.endswith(f"cells {meiro.solve(meiro.generate((3, 5), rng=2)).length + 1}\n")
    assert process("5").returncode == 2
    assert process("--version").stdout == f"meiro {meiro.__version__}\n"


@pytest.mark.parametrize("words", [["4", "3", "--solve"], ["--list"], ["--help"]])
def test_cli_ascii_output_gets_ascii(words: list[str]) -> None:
    done = process(*words, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "?" not in done.stdout


def test_cli_style_that_cannot_be_encoded_is_refused() -> None:
    done = process("4", "3", "--style", "block", env={"PYTHONIOENCODING": "latin-1"})
    assert (done.returncode, done.stdout) == (2, "")
    assert "use --style ascii" in done.stderr


@pytest.mark.parametrize("size", ["300", "3"])  # more than a pipe holds; less than is written before the end
def test_cli_output_closed_early_is_no_error(size: str) -> None:
    reading, writing = os.pipe()
    if size == "3":
        os.close(reading)
    with subprocess.Popen(
        [sys.executable, "-m", "meiro", size, size], stdout=writing, stderr=subprocess.PIPE
    ) as running:
        os.close(writing)
        if size == "300":
            assert os.read(reading, 9)
            os.close(reading)
        _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (main.BROKEN_PIPE, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_cli_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = process("4", "3", stdout=full)
    assert (done.returncode, done.stderr) == (2, "meiro: No space left on device\n")


def test_cli_works_without_standard_output() -> None:
    code = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    words = [sys.executable, "-c", code, "-m", "meiro", "5", "3", "-o", "maze.csv", "--seed", "1"]
    done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert meiro.read("maze.csv") == meiro.generate((3, 5), rng=1)


@pytest.mark.long
def test_cli_ctrl_c_while_reading_is_silent() -> None:
    os.mkfifo("slow.csv")
    with (
        subprocess.Popen(
            [sys.executable, "-m", "meiro", "--input", "slow.csv"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as running,
        Path("slow.csv").open("w", encoding="utf-8"),
    ):  # waits until it is open there
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (main.INTERRUPTED, b"", b"")


@pytest.mark.parametrize(("interrupt", "status"), [(True, main.INTERRUPTED), (False, main.ERROR)])
def test_ctrl_c_that_an_extension_module_makes_an_import_error_is_ctrl_c(
    *, interrupt: bool, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(_: str) -> object:
        try:
            if interrupt:
                signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            pass
        message = "numpy._core.multiarray failed to import"
        raise ImportError(message)

    monkeypatch.setattr(main, "import_module", load)
    before = signal.getsignal(signal.SIGINT)
    assert main.main(["2", "2"]) == status
    assert signal.getsignal(signal.SIGINT) is before
    assert bool(capsys.readouterr().err) is not interrupt


# On a terminal


@pytest.mark.long
def test_cli_colors_are_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["-m", "meiro", "12", "5", "--seed", "3", "--solve"]
    plain = process(*words[2:]).stdout
    assert "\x1b" not in plain
    for name, value, colored in (
        ("TERM", "xterm-256color", True),
        ("NO_COLOR", "1", False),
        ("TERM", "dumb", False),
        ("NO_COLOR", "", True),
    ):
        with monkeypatch.context() as patched:
            patched.setenv(name, value)
            screen = Screen(*words, outputs="out")
            shown = screen.read()
            assert screen.wait() == 0
        assert ("\x1b" in shown) == colored, (name, value)
        assert ESCAPE.sub("", shown) == plain


def test_cli_size_is_that_of_the_terminal() -> None:
    screen = Screen("-m", "meiro", outputs="out err", columns=61, lines=18)
    shown = screen.read().splitlines()
    assert screen.wait() == 0
    assert len(shown) == 16
    assert {len(line) for line in shown[:-1]} == {61}
    assert shown[-1].startswith("seed ")


def test_cli_ctrl_c_while_generating_wipes_the_bar() -> None:
    code = (
        "import sys; from meiro._utils import progress; from meiro.cli import main\n"
        "from meiro.cli.shared import streams\n"
        "streams.Bar = lambda out, after: progress.Bar(out, after * 0)\n"  # at once
        "sys.exit(main.main())"
    )
    screen = Screen("-c", code, "3000", "3000", "-a", "kruskal", "-o", "maze.csv", outputs="err", columns=100)
    shown = screen.read(b"%")
    screen.process.send_signal(signal.SIGINT)
    shown += screen.read()
    assert screen.wait() == main.INTERRUPTED
    assert re.search(r"\r\[#* +\] +\d+ %", shown)
    assert re.search(r"\r +\r$", shown)
    assert "Traceback" not in shown
    assert list(Path().iterdir()) == []


def test_cli_progress_bar_is_for_terminals_and_appears_after_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[float] = []

    def bar(out: TextIO, after: float) -> progress.Bar:
        made.append(after)
        return progress.Bar(out, after)

    monkeypatch.setattr(streams, "Bar", bar)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main.main(["3", "3", "--solve", "--seed", "1"]) == 0
    assert made == [1.0, 1.0]
    assert main.main(["3", "3", "--solve", "--quiet"]) == 0
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    assert main.main(["3", "3", "--solve"]) == 0
    assert len(made) == 2


@pytest.mark.parametrize("style", STYLES)
def test_cli_every_role_has_its_color_to_the_end_of_the_line(
    style: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    maze = meiro.generate((9, 12), rng=3)
    solution = meiro.solve(maze)
    room = np.zeros((3, 5), np.uint8)
    monkeypatch.setattr(ansi, "_AT_ONCE", 200)
    check_colors(draw(maze, style, solution=solution, explored=True))
    check_colors(ansi.draw_sites(room, style, meiro.solve(room, (0, 4), (2, 4))))  # a path along its end


def check_colors(drawing: Drawing) -> None:
    text = "\n".join(ansi.lines_of(drawing, colors=True))
    codes = {code: role for role, code in ansi.codes_of(DARK).items()}
    for line, chars, roles in zip(text.split("\n"), drawing.chars, drawing.roles, strict=True):
        role, seen, shown = 0, [], ""
        for part in re.split(r"(\x1b\[[\d;]*m)", line):
            if part.startswith("\x1b"):
                role = codes.get(part, 0)
            else:
                shown += part
                seen += [role] * len(part)
        assert shown == "".join(map(chr, chars))
        assert seen == np.where(roles == 1, 0, roles).tolist()
        assert role == 0
    assert "\n".join(ansi.lines_of(drawing, colors=False)) == str(drawing)


# Help


def test_cli_help_names_every_option_and_fits_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main.main(["--help"])
    assert done.value.code == 0
    text = capsys.readouterr().out
    for action in generate_parser()._actions:
        assert all(option in text for option in action.option_strings)
        assert action.help
    for style in STYLES:
        assert style in text
    assert max(map(len, text.splitlines())) <= 80
    assert text.isascii()


def test_cli_examples_of_the_help_work(run: Run) -> None:
    examples = re.findall(r"^  meiro (.*?)  ", generate_parser().format_help(), re.MULTILINE)
    assert len(examples) >= 4
    for words in examples:
        status, _, err = run(*words.split())
        assert status == 0, err


def test_cli_list_is_the_registry(run: Run) -> None:
    status, out, _ = run("--list")
    assert status == 0
    joined = " ".join(out.split())
    for table in (meiro.ALGORITHMS, meiro.SOLVERS):
        for facts in table.values():
            assert re.search(rf"^  {facts.name} +{facts.good_for.split()[0]}", out, re.MULTILINE)
            assert facts.good_for in joined
            assert all(alias in joined for alias in facts.aliases)
    assert joined.count("(the default)") == 2


@pytest.mark.parametrize("width", [60, 80, 132])
def test_cli_list_fits_the_terminal(width: int) -> None:
    for line in listing.listing(width).splitlines():
        assert sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in line) <= width


def test_cli_options_reach_the_generator(run: Run) -> None:
    words = ["9", "5", "--seed", "3", "-a", "growing_tree", "--style", "ascii"]
    options: dict[str, Any] = {"choose=oldest": "oldest", "start=2,4": (2, 4), "run=2.5": 2.5}
    for word, value in options.items():
        made: Any = meiro.generate((5, 9), "growing_tree", rng=3, **{word.split("=")[0]: value})
        assert run(*words, "-O", word) == (0, made.to_text("ascii") + "\n", "")
    assert run(*words, "-O", "choose={'newest': 3, 'random': 1}", "--option", "start=random")[0] == 0


EVIL = "x\x1b[2J\x07\u202e\r\udcff"


def test_control_characters_in_names_do_not_reach_the_terminal(run: Run) -> None:
    shown = r"x\x1b[2J\x07\u202e\r\udcff"
    status, out, err = run("3", "2", "--seed", "1", "-q", "-o", f"{EVIL}.png")
    assert (status, out, err) == (0, "", "")
    assert run("3", "2", "--seed", "1", "-o", f"{EVIL}.csv")[2] == f"wrote {shown}.csv\n"
    Path(f"{EVIL}.csv").write_text("2")
    for words in (["--input", f"{EVIL}.txt"], ["--input", f"{EVIL}.csv"], ["-o", EVIL], ["-a", EVIL], [EVIL]):
        status, out, err = run(*words)
        assert (status, out) == (2, "")
        assert err.removesuffix("\n").isprintable(), err
        assert r"\x1b" in err


# The best of many


def test_cli_takes_the_best_of_many(run: Run) -> None:
    words = ["9", "6", "--best", "difficulty", "--seed", "3", "-o", "a.npz"]
    for tries in (100, 7):
        more = [] if tries == 100 else ["--tries", str(tries)]
        status, _, err = run(*words, *more)
        every = meiro.generate_many((6, 9), n=tries, rng=3)
        values = meiro.measure(every, "difficulty")["difficulty"]
        assert meiro.read("a.npz") == every[int(values.argmax())]
        assert (status, err.splitlines()[0]) == (0, f"difficulty {values.max():g}, the greatest of {tries}")
    assert run("9", "6", "--best", "difficulty", "--seed", "3", "-q", "-o", "b.npz")[2] == ""
    status, out, _ = run("9", "6", "--best", "dead_ends", "-a", "backtracker", "-O", "run=0.5", "--solve")
    assert status == 0
    assert "steps" in out
