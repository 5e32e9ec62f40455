"""Single walls, opened and closed by hand, against the edges of networkx."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from refusals import refused

import meiro

MASK = np.ones((4, 5), bool)
MASK[1, 2] = False
MAZES: dict[str, Any] = {
    "squares": meiro.generate((4, 5), "kruskal", rng=7),
    "masked": meiro.with_ends(meiro.generate(mask=MASK, rng=7), [(0, 0), (3, 4)]),
    "cylinder": meiro.generate((4, 5), wrap=(False, True), rng=7),
    "torus": meiro.generate((4, 3), wrap=(True, True), rng=7),
    "hexagons": meiro.generate(meiro.lattices.hexagonal(4, 5), rng=7),
    "labels": meiro.generate(
        meiro.lattices.from_graph(nx.relabel_nodes(nx.cycle_graph(5), "abcde".__getitem__))
    ),
    "parallel": meiro.GraphMaze(meiro.Lattice(3, [(0, 1), (1, 2), (0, 1), (2, 2)]), [1]),
}


def edges(maze: Any) -> set[frozenset[Any]]:
    return {frozenset(edge[:2]) for edge in maze.to_networkx().edges if edge[0] != edge[1]}


def walls(maze: Any) -> list[tuple[Any, Any]]:
    """All pairs of adjacent cells."""
    room = meiro.add_loops(maze, share=1, rng=1)
    return [tuple(pair) for pair in map(sorted, edges(room))]


@pytest.mark.parametrize("name", MAZES)
def test_what_is_named_changes_and_nothing_else(name: str) -> None:
    maze = MAZES[name]
    pairs = walls(maze)
    for i in range(0, len(pairs), 3):
        opened, closed = pairs[i : i + 1], pairs[i + 1 : i + 3]
        made = maze.with_passages(open=opened, close=closed)
        assert edges(made) == (edges(maze) | set(map(frozenset, opened))) - set(map(frozenset, closed))
        assert meiro.with_passages(made, open=opened, close=closed) == made
        assert (made.seed, made.start, made.goal) == (None, maze.start, maze.goal)
    assert edges(maze.with_passages(close=pairs)) == set()
    assert edges(maze.with_passages(open=pairs)) == set(map(frozenset, pairs))
    assert maze.with_passages() == maze


def test_a_side_is_as_the_cell_there() -> None:
    maze = MAZES["cylinder"]
    for side, other in {"north": (0, 0), "E": (1, 1), "down": (2, 0), "west": (1, 4)}.items():
        assert maze.with_passages(open=[((1, 0), side)]) == maze.with_passages(open=[((1, 0), other)])
    array = np.array([[(1, 0), (1, 1)], [(-1, 0), (3, 1)]])
    assert maze.with_passages(close=array) == maze.with_passages(close=[((1, 0), "right"), ((3, 0), (3, 1))])


def test_what_is_no_wall_is_refused() -> None:
    for name, pairs, message in (
        ("squares", [((0, 0), (1, 1))], r"open\[0\]: cells \(0, 0\) and \(1, 1\) are not adjacent"),
        ("squares", [((0, 0), (0, 1)), ((0, 0), "north")], r"open\[1\]: no cell is north of \(0, 0\)"),
        ("squares", [((0, 0), (0, 0))], "not adjacent"),
        ("squares", [((0, 0), "under")], "under"),
        ("squares", [((0, 9), (0, 8))], r"open\[0\] \(0, 9\) is outside"),
        ("squares", [((0, 0),)], r"open\[0\] must be two adjacent cells, or a cell and a side"),
        ("squares", 3, "open must be pairs of adjacent cells, not 3"),
        ("masked", [((1, 1), "east")], r"open\[0\] \(1, 2\) is masked out"),
        ("hexagons", [(0, 19)], r"open\[0\]: cells \(0, 0\) and \(3, 4\) are not adjacent"),
        ("hexagons", [(0, "east")], r"open\[0\]: on a lattice .* the two cells beside it, not by 'east'"),
        ("hexagons", [3], r"open\[0\] must be two adjacent cells, not 3"),
        ("labels", [("a", "c")], "cells 'a' and 'c' are not adjacent"),
        ("parallel", [(2, 2)], "not adjacent"),
    ):
        refused((TypeError, ValueError), message, MAZES[name].with_passages, open=pairs)


def test_a_wall_is_named_once() -> None:
    with pytest.raises(ValueError, match="is to be opened and closed: name each wall once"):
        MAZES["squares"].with_passages(open=[((0, 0), "east")], close=[((0, 1), "west")])
