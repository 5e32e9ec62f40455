from __future__ import annotations

import re
import subprocess

import pydot
import pytest
from arbitrary_mazes import ROUND, loose_mazes
from hypothesis import given, settings
from periodic_mazes import periodic_maze
from programs import needs
from refusals import refused

import meiro
from meiro._utils import memory
from meiro.colors import GOAL, START

MAZES = loose_mazes(7)


NODE = re.compile(r'^  (\d+) \[pos="(\d+),(\d+)!"(.*)\];$', re.MULTILINE)
EDGE = re.compile(r"^  (\d+) -- (\d+)(?: \[style=dashed\])?;$", re.MULTILINE)


def test_dot_of_35_by_10_is_a_tree(perfect: str) -> None:
    maze = meiro.generate((10, 35), perfect, rng=35)
    text = maze.to_dot()
    nodes = NODE.findall(text)
    edges = [(int(one), int(other)) for one, other in EDGE.findall(text)]
    assert text.startswith("graph ")
    assert len(nodes) == 350
    assert len(edges) == 349
    assert edges == [tuple(edge) for edge in maze.edges().tolist()]
    assert [name for name, *_, rest in nodes if START.hex in rest] == ["0"]
    assert [name for name, *_, rest in nodes if GOAL.hex in rest] == ["349"]
    assert all((int(x), int(y)) == (int(n) % 35 * 36, (9 - int(n) // 35) * 36) for n, x, y, _ in nodes)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning:pydot")  # it uses old names of pyparsing
def test_dot_is_read_by_pydot() -> None:
    maze = meiro.generate((10, 35), "kruskal", rng=35)
    read = pydot.graph_from_dot_data(maze.to_dot())
    assert read is not None
    nodes = [int(node.get_name()) for node in read[0].get_nodes() if node.get_name().isdigit()]
    assert nodes == list(range(350))
    edges = [(int(str(edge.get_source())), int(str(edge.get_destination()))) for edge in read[0].get_edges()]
    assert meiro.Maze.from_edges((10, 35), edges) == maze


@pytest.mark.parametrize("command", ["dot", "neato", "neato -n2", "neato -n", "dot -Kneato"])
def test_graphviz_draws_the_maze_as_it_lies(command: str) -> None:
    name, *options = command.split()
    maze = meiro.generate(algorithm="backtracker", mask=ROUND, rng=1)
    plain = subprocess.run(
        [needs(name, "graphviz"), *options, "-Tplain"],
        input=maze.to_dot(), capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert plain.stderr == ""
    lines = [line.split() for line in plain.stdout.splitlines()]
    places = {int(n): (float(x), float(y)) for kind, n, x, y, *_ in (e for e in lines if e[0] == "node")}
    left, top = min(x for x, _ in places.values()), max(y for _, y in places.values())
    for cell, (x, y) in places.items():
        assert (x - left, top - y) == pytest.approx((cell % 9 / 2, cell // 9 / 2), abs=0.01)
    assert len(places) == ROUND.sum()
    assert sum(line[0] == "edge" for line in lines) == len(maze.edges())


def test_dot_marks_the_ends_that_are_given() -> None:
    maze = meiro.Maze([[2, 10, 8]], start=(0, 2))
    for text, blue, green in ((maze.to_dot(goal=(0, 1)), 2, 1), (maze.to_dot(start=(0, -2)), 1, 2)):
        assert f'  {blue} [pos="{36 * blue},0!", style=filled, fillcolor="{START.hex}"' in text
        if blue != green:
            assert f'  {green} [pos="{36 * green},0!", style=filled, fillcolor="{GOAL.hex}"' in text
    refused(ValueError, r"goal \(1, 0\) is outside", maze.to_dot, goal=(1, 0))
    masked = meiro.Maze([[0, 0]], mask=[[True, False]])
    refused(ValueError, r"start \(0, 1\) is masked out", masked.to_dot, start=(0, 1))
    assert EDGE.search(masked.to_dot()) is None


@settings(max_examples=20)
@given(MAZES)
def test_dot_of_any_maze_is_read_back(maze: meiro.Maze) -> None:
    text = maze.to_dot()
    assert [[int(a), int(b)] for a, b in EDGE.findall(text)] == maze.edges().tolist()
    assert len(NODE.findall(text)) == (maze.rows * maze.cols if maze.mask is None else maze.mask.sum())


def test_dot_draws_what_goes_over_the_rim_dashed() -> None:
    maze = periodic_maze((3, 4), (True, True), 1, 2)
    over = {(one, other) for one, other in maze.edges().tolist() if other < one}
    assert len(over) == (maze.passages[0] & 1).sum() + (maze.passages[:, 0] & 8).astype(bool).sum() > 0
    dashed = re.findall(r"^  (\d+) -- (\d+) \[style=dashed\];$", maze.to_dot(), re.MULTILINE)
    assert {(int(one), int(other)) for one, other in dashed} == over


def test_dot_of_a_maze_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    maze = meiro.generate((600, 600), rng=1)
    monkeypatch.setattr(memory, "available", lambda: 1)
    refused(MemoryError, "DOT", maze.to_dot)
