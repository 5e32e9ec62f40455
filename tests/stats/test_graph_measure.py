"""Measures and checks of mazes on graphs, compared with networkx and with the square core."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from reference.measures import hitting_time
from reference_graphs import multigraph, random_graph_mazes, square_pairs
from refusals import refused

import meiro
from meiro import GraphMaze, Lattice

pytestmark = pytest.mark.sanitize

ABLE = [facts.name for facts in meiro.MEASURES.values() if facts.graphs]
MAZES = list(random_graph_mazes(80, seed=4))


def test_which_measures() -> None:
    assert set(meiro.MEASURES) - set(ABLE) == {
        *("horizontal_passages", "vertical_passages", "horizontal_share", "straights", "turns"),
        *("solution_turns", "tortuosity", "difficulty", "complexity", "islands"),
    }
    maze = MAZES[0]
    assert list(meiro.measure(maze)) == ABLE
    with pytest.raises(TypeError, match=r"'turns' needs rows and columns.*it has cells, passages"):
        meiro.measure(maze, ["cells", "turns"])


@pytest.mark.parametrize("name", ABLE)
def test_squares(name: str) -> None:
    for pair, maze in square_pairs(40):
        if name == "solution_decisions" and not maze.is_perfect:
            continue  # of several shortest paths any may be taken
        found, expected = meiro.measure(pair, name), meiro.measure(maze, name)
        assert found == pytest.approx(expected, nan_ok=True, rel=0), maze
        assert found.reasons == expected.reasons
        assert type(found[name]) is type(expected[name])


@pytest.mark.parametrize("maze", MAZES[::2], ids=repr)
def test_any_graph(maze: GraphMaze) -> None:
    graph = multigraph(maze)
    start, goal = np.random.default_rng(maze.n_cells).integers(0, maze.n_cells, 2).tolist()
    found = meiro.measure(maze, start=start, goal=goal)
    path = meiro.solve(maze, start, goal).path_numbers.tolist() if nx.has_path(graph, start, goal) else []
    assert found == pytest.approx(measured(graph, start, goal, path), nan_ok=True)
    report = meiro.check(maze)
    parts = maze.lattice.n_components
    assert (report.regions, report.loops, report.parts) == (found["regions"], found["loops"], parts)
    assert report.perfect == maze.is_perfect == (report.regions == parts and report.loops == 0)


@pytest.mark.parametrize("maze", MAZES[::4], ids=repr)
def test_position_map_says_where_a_measure_counts(maze: GraphMaze) -> None:
    degrees = np.array([min(degree, 4) for _, degree in sorted(multigraph(maze).degree())])
    names = ["isolated", "dead_ends", "corridors", "junctions", "crossroads"]
    for degree, name in enumerate(names):
        np.testing.assert_array_equal(meiro.position_map(maze, name), degrees == degree)
    many = meiro.generate_many(maze.lattice, "percolation", 20, p=0.6, rng=1)
    found = meiro.position_map(many, "dead_ends")
    assert found.shape == (maze.n_cells,)
    assert found.sum() == pytest.approx(many.measure("dead_ends")["dead_ends"].mean())
    with pytest.raises(TypeError, match=r"'turns' needs rows and columns, .* it has isolated, dead_ends, "):
        meiro.position_map(many, "turns")
    with pytest.raises(ValueError, match="'diameter' is not a sum over cells; these are: isolated, "):
        meiro.position_map(many, "diameter")


def measured(graph: nx.MultiGraph[int], start: int, goal: int, path: list[int]) -> dict[str, float]:
    """All measures by their definitions; the path is that of bfs."""
    nan = math.nan
    degrees = dict(graph.degree())
    n, passages = len(graph), graph.number_of_edges()
    counts = [sum(min(d, 4) == k for d in degrees.values()) for k in range(5)]
    ends = [steps_of_dead_end(graph, cell) for cell in graph if degrees[cell] == 1]
    parts = list(nx.connected_components(graph))
    lonely = sum(len(part) for part in parts if all(degrees[cell] == 2 for cell in part))
    branch_ends = sum(d for d in degrees.values() if d != 2)
    length = nx.shortest_path_length(graph, start, goal) if nx.has_path(graph, start, goal) else nan
    tree = len(parts) == 1 and passages == n - 1
    values = dict(zip(("isolated", "dead_ends", "corridors", "junctions", "crossroads"), counts, strict=True))
    values |= {
        "cells": n,
        "passages": passages,
        "dead_end_share": counts[1] / n,
        "mean_dead_end": sum(ends) / len(ends) if ends else nan,
        "longest_dead_end": max(ends, default=nan),
        "river": 2 * (passages - lonely) / branch_ends if branch_ends else nan,
        "solution_length": length,
        "solution_share": (length + 1) / n,
        "regions": len(parts),
        "enclosed_regions": len(parts) - 1,
        "loops": passages - n + len(parts),
    }
    values["solution_decisions"] = nan
    if not math.isnan(length):
        more = [degrees[cell] > 2 - (cell == start) for cell in path[:-1]]
        values["solution_decisions"] = sum(more)
    names = ("absorption_time", "diameter", "radius", "wiener_index", "mean_distance")
    values |= dict.fromkeys(names, nan)
    if tree:
        simple = nx.Graph(graph)
        wiener = nx.wiener_index(simple)
        values |= {
            "absorption_time": hitting_time(simple, start, goal),
            "diameter": nx.diameter(simple),
            "radius": nx.radius(simple),
            "wiener_index": wiener,
            "mean_distance": wiener / (n * (n - 1) / 2) if n > 1 else nan,
        }
    return values


def steps_of_dead_end(graph: nx.MultiGraph[int], cell: int) -> int:
    behind, (at,) = cell, graph[cell]
    steps = 1
    while graph.degree(at) == 2:
        onward = [c for c in graph[at] if c != behind] or [behind]
        behind, at = at, onward[0]
        steps += 1
    return steps


def test_batches() -> None:
    lattice = meiro.lattices.square(7, 5)
    many = meiro.add_loops(meiro.generate_many(lattice, "wilson", 40, rng=2), 3, rng=2)
    many = many[np.arange(40) % 3 > 0]
    goals = np.arange(len(many))
    for threads in (1, 2):
        table = meiro.measure(many, goal=goals, threads=threads)
        for i, maze in enumerate(many):
            row = {name: table[name][i] for name in ABLE}
            assert row == pytest.approx(dict(meiro.measure(maze, goal=i)), nan_ok=True)
        assert table["replicate"].tolist() == many.replicates.tolist()
        checked = meiro.check(many, threads=threads)
        assert checked["loops"].tolist() == [3] * len(many)
        assert not checked["perfect"].any()
    refused(ValueError, "start must be one cell, or 26", meiro.measure, many, start=np.arange(3))


def test_texts() -> None:
    ring = GraphMaze(Lattice(4, [(0, 1), (1, 2), (2, 0)]), [True] * 3)
    assert str(meiro.check(ring)) == "1 enclosed region, 1 loop, 2 parts"
    assert str(meiro.check(meiro.generate(ring.lattice, "wilson", rng=1))).startswith("2 parts: one way")
    with pytest.raises(TypeError, match=r"meiro\.components"):
        _ = meiro.check(ring).road_labels
    assert meiro.measure(ring).reasons["diameter"] == "the maze has loops"


def test_check_of_a_maze_on_a_lattice_does_not_say_what_it_does_not_count() -> None:
    """None, not 0: a maze of hexagons may have islands."""
    lattice = meiro.lattices.hexagonal(3, 4)
    report = meiro.check(meiro.GraphMaze(lattice, np.ones(lattice.n_edges, np.bool_)))
    assert (report.islands, report.open_blocks, report.bare_posts) == (None, None, None)
    assert report.loops == lattice.n_edges - lattice.n_cells + 1
    assert str(report) == f"no enclosed regions, {report.loops} loops"
    assert report != meiro.check(meiro.generate(lattice, rng=1))
    with pytest.raises(TypeError, match=r"has no sites: meiro\.components labels its cells"):
        report.wall_labels  # noqa: B018
    assert "islands" not in meiro.check(meiro.generate_many(lattice, n=2, rng=1))
