from __future__ import annotations

import re
import subprocess

import numpy as np
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
    assert text.startswith("graph ")
    assert [[int(a), int(b)] for a, b in EDGE.findall(text)] == maze.edges().tolist()
    exist = np.flatnonzero(np.ones(maze.shape) if maze.mask is None else maze.mask).tolist()
    nodes = [(int(name), int(x), int(y)) for name, x, y, _ in NODE.findall(text)]
    assert nodes == [(n, n % maze.cols * 36, (maze.rows - 1 - n // maze.cols) * 36) for n in exist]
    for color, end in ((START, exist[:1]), (GOAL, exist[1:][-1:])):
        assert [int(name) for name, *_, rest in NODE.findall(text) if color.hex in rest] == end


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
