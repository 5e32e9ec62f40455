"""The command with mazes on lattices."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import meiro
from meiro.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        "square 3 4", "hexagonal 3 4", "hexagonal side=3 shape=hexagon", "triangular 3 4", "polar 3",
        "upsilon 3 3", "zeta 3 3", "kagome 3 3", "cairo 3 3", "voronoi 12", "box 2 3 4", "cube 2",
        "moebius 3 6",
        "weave 4 5 crossings=0.4",
    ],
)  # fmt: skip
def test_every_lattice_is_made_solved_and_written(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--lattice", *words.split(), "--seed", "7", "--solve", "-o", "maze.npz"]) == 0
    maze = meiro.read("maze.npz")
    assert isinstance(maze, meiro.GraphMaze)
    assert maze.lattice.name == words.split(maxsplit=1)[0]
    assert maze == meiro.generate(maze.lattice, rng=7)
    assert maze.is_perfect
    told = capsys.readouterr().out
    assert f"steps {maze.solve().length}" in told
    assert main.main(["--input", "maze.npz", "-o", "again.svg", "--check"]) == 0
    assert "one way from any cell to any other" in capsys.readouterr().out


def test_text_is_printed_where_there_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--lattice", "box", "2", "3", "4", "--seed", "1", "--solve", "--style", "ascii"]) == 0
    maze = meiro.generate(meiro.lattices.box(2, 3, 4), rng=1)
    assert maze.to_text("ascii", solution=maze.solve()) in capsys.readouterr().out
    assert main.main(["--lattice", "polar", "3", "--seed", "1"]) == 0
    assert "polar: 43 cells, wilson; -o maze.svg draws it" in capsys.readouterr().out


def test_cells_are_numbers_or_labels(capsys: pytest.CaptureFixture[str]) -> None:
    graph = meiro.lattices.from_graph([("ann", "bob"), ("bob", "cid"), ("cid", "dan")])
    meiro.save(meiro.generate(graph, rng=1), "people.npz")
    assert main.main(["--input", "people.npz", "--start", "bob", "--goal", "dan"]) == 0
    assert "steps 2" in capsys.readouterr().out
    assert (
        main.main(
            ["--lattice", "hexagonal", "3", "3", "--start", "0", "--goal", "1", "--solver", "dfs", "-q"]
        )
        == 0
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--lattice hexagons 3 3", "there is no 'hexagons'; there are box, cairo, cube, hexagonal"),
        ("--lattice hexagonal 0 3", "rows must be at least 1, not 0"),
        ("--lattice hexagonal -2 3", "rows must be at least 1, not -2"),
        ("--lattice hexagonal 1000000 1000000", "is too large"),
        ("--lattice hexagonal", "hexagonal takes rows and cols, or side="),
        ("--lattice polar 3 4 5", "too many positional arguments; in Python it is polar(rings, first)"),
        ("--lattice polar 3 rows=2", "unexpected keyword argument 'rows'"),
        ("--lattice polar x", "rings must be an integer"),
        ("--lattice polar 3 -a eller", "'eller' needs rows and columns"),
        ("--lattice polar 3 --solver pledge", "these do: bfs, dfs"),
        ("20 30 --lattice polar 3", "the size of a lattice comes after its name"),
        ("--lattice polar 3 --best straightness", "straightness"),
        ("--lattice cube 3 --openings corners", "is closed: it has no rim to open"),
        ("--lattice polar 3 --start 1 x", "--start is one cell of a lattice"),
        ("--lattice polar 3 --start 1 99 --solve", "start: there is no cell (1, 99) in <Lattice polar"),
        ("--lattice polar 3 --start 99", "start"),
        ("--lattice polar 3 -o maze.csv", "csv"),
        ("--lattice polar 3 -o maze.txt", "no text form"),
        ("--lattice polar 3 --input x.npz", "--lattice is for generating a maze"),
    ],
)
def test_errors_are_one_line(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words.split()) == 2
    out, told = capsys.readouterr()
    assert not out
    assert told.startswith("meiro: ")
    assert message in told
    assert told.count("\n") == 1


def test_the_best_of_many(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--lattice hexagonal 5 5 --best dead_ends --tries 200 --seed 3 -o best.npz"
    assert main.main(words.split()) == 0
    lattice = meiro.lattices.hexagonal(5, 5)
    counts = meiro.measure(meiro.generate_many(lattice, n=200, rng=3), "dead_ends")["dead_ends"]
    best = meiro.read("best.npz")
    assert best == meiro.generate(lattice, rng=meiro.replicate(3, int(counts.argmax())))
    assert f"dead_ends {counts.max():g}, the greatest of 200" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "message"), [("--no-posts", "--no-posts"), ("--centre", "--centre")])
def test_a_saved_maze_of_a_lattice_refuses_what_is_for_grids(
    option: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    meiro.generate(meiro.lattices.hexagonal(3, 3), rng=1).save("maze.npz")
    assert main.main(["--input", "maze.npz", option, "-o", "maze.png", "--solve"]) == 2
    out, told = capsys.readouterr()
    assert not out
    assert message in told
    assert told.count("\n") == 1


def test_measure_prints_a_row_for_each_maze_of_a_batch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = meiro.generate_many(meiro.lattices.polar(4), n=3, rng=7)
    batch.save(tmp_path / "batch.npz")
    assert main.main(["measure", str(tmp_path / "batch.npz"), "-m", "dead_ends", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["dead_ends"] for row in rows] == batch.measure("dead_ends")["dead_ends"].tolist()


def test_an_unknown_keyword_of_save_is_named(tmp_path: Path) -> None:
    maze: Any = meiro.generate((2, 3), rng=1)
    with pytest.raises(TypeError, match=r"save\(\) takes no colour=.*scale="):
        maze.save(tmp_path / "maze.svg", colour="red")
