"""The command with mazes on lattices."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import meiro

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    "words",
    [
        "square 3 4", "hexagonal 3 4", "hexagonal side=3 shape=hexagon", "triangular 3 4", "polar 3",
        "upsilon 3 3", "zeta 3 3", "kagome 3 3", "cairo 3 3", "voronoi 12", "box 2 3 4", "cube 2",
        "moebius 3 6",
        "weave 4 5 crossings=0.4",
    ],
)  # fmt: skip
def test_every_lattice_is_made_solved_and_written(run: Run, words: str) -> None:
    status, told, _ = run("--lattice", *words.split(), "--seed", 7, "--solve", "-o", "maze.npz")
    assert status == 0
    maze = meiro.read("maze.npz")
    assert isinstance(maze, meiro.GraphMaze)
    assert maze.lattice.name == words.split(maxsplit=1)[0]
    assert maze == meiro.generate(maze.lattice, rng=7)
    assert maze.is_perfect
    assert f"steps {maze.solve().length}" in told
    assert "one way from any cell to any other" in run("--input", "maze.npz", "-o", "again.svg", "--check")[1]


def test_text_is_printed_where_there_is_one(run: Run) -> None:
    maze = meiro.generate(meiro.lattices.box(2, 3, 4), rng=1)
    words = "--lattice box 2 3 4 --seed 1 --solve --style ascii"
    assert maze.to_text("ascii", solution=maze.solve()) in run(*words.split())[1]
    told = run("--lattice", "polar", 3, "--seed", 1)[1]
    assert "polar: 43 cells, wilson; -o maze.svg draws it" in told


def test_cells_are_numbers_or_labels(run: Run) -> None:
    graph = meiro.lattices.from_graph([("ann", "bob"), ("bob", "cid"), ("cid", "dan")])
    meiro.save(meiro.generate(graph, rng=1), "people.npz")
    assert "steps 2" in run("--input", "people.npz", "--start", "bob", "--goal", "dan")[1]
    words = "--lattice hexagonal 3 3 --start 0 --goal 1 --solver dfs -q"
    assert run(*words.split())[0] == 0


def test_the_best_of_many(run: Run) -> None:
    words = "--lattice hexagonal 5 5 --best dead_ends --tries 200 --seed 3 -o best.npz"
    status, _, told = run(*words.split())
    assert status == 0
    lattice = meiro.lattices.hexagonal(5, 5)
    counts = meiro.measure(meiro.generate_many(lattice, n=200, rng=3), "dead_ends")["dead_ends"]
    best = meiro.read("best.npz")
    assert best == meiro.generate(lattice, rng=meiro.replicate(3, int(counts.argmax())))
    assert f"dead_ends {counts.max():g}, the greatest of 200" in told
