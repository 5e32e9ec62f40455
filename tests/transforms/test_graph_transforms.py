"""Loops, dead ends and splits of mazes on graphs."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from reference_graphs import as_graph_maze, multigraph, random_graph_mazes, square_pairs
from refusals import refused
from sampling import check_counts

import meiro
from meiro import GraphMaze, Lattice

pytestmark = pytest.mark.sanitize

any_: Any = meiro  # what is wrong on purpose
MAZES = list(random_graph_mazes(60, seed=2))


@pytest.mark.parametrize("p", [0, 0.5, 1])
def test_braid(p: float) -> None:
    for seed, maze in enumerate(MAZES):
        braided = meiro.braid(maze, p, rng=seed)
        before, after = multigraph(maze), multigraph(braided)
        assert not (maze.open & ~braided.open).any()
        opened = np.flatnonzero(braided.open & ~maze.open)
        assert all(1 in {before.degree(c) for c in maze.lattice.edges[edge].tolist()} for edge in opened)
        assert p or not len(opened)
        assert braided.recipe is None
        if p == 1:
            for cell in (c for c in after if after.degree(c) == 1):  # with nothing to open
                beside = maze.lattice.neighbors[slice(*maze.lattice.indptr[cell : cell + 2])].tolist()
                walls = len(beside) - 1
                closed = [c for c in beside if before.degree(c) > 0 and not after.has_edge(c, cell)]
                assert not closed or walls == 0


def test_braid_prefers_dead_ends() -> None:
    """Of the dead ends 1, 2 and 5 the first two are joined, though each has another wall; 5 has none."""
    lattice = Lattice(6, [(0, 1), (0, 4), (4, 3), (3, 2), (4, 5), (1, 4), (1, 2), (2, 4)])
    maze = GraphMaze(lattice, [0, 1, 2, 3, 4])
    for seed in range(50):
        assert meiro.braid(maze, rng=seed).edge_ids().tolist() == [0, 1, 2, 3, 4, 6]


def test_braid_is_uniform_over_walls() -> None:
    lattice = Lattice(6, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (1, 3)])
    maze = GraphMaze(lattice, [0, 4, 5, 6, 7, 8, 9])  # 0 is the only dead end, with walls to 2, 3 and 4
    braided = (meiro.braid(maze, rng=seed).open for seed in range(3000))
    counts = Counter(tuple(np.flatnonzero(new & ~maze.open).tolist()) for new in braided)
    assert sorted(counts) == [(1,), (2,), (3,)]
    assert min(counts.values()) > 900


def test_add_loops_is_uniform() -> None:
    maze = GraphMaze(Lattice(3, [(0, 1), (1, 2), (0, 2), (0, 1), (2, 2)]), [True, False, False, False, False])
    counts = Counter(tuple(meiro.add_loops(maze, 2, rng=s).edge_ids().tolist()) for s in range(3000))
    assert sorted(counts) == [(0, *two) for two in itertools.combinations((1, 2, 3), 2)]
    assert min(counts.values()) > 900
    assert meiro.add_loops(maze, share=1, rng=1).open.sum() == 4
    refused(ValueError, "n is 4, but the maze has only 3 walls", meiro.add_loops, maze, 4)


def test_join_regions_and_remove_islands() -> None:
    for seed, maze in enumerate(MAZES):
        before, joined = meiro.check(maze), meiro.join_regions(maze, rng=seed)
        after = meiro.check(joined)
        assert not (maze.open & ~joined.open).any()
        assert (after.regions, after.loops) == (maze.lattice.n_components, before.loops)
        thinned = meiro.remove_islands(maze, rng=seed)
        after = meiro.check(thinned)
        assert not (thinned.open & ~maze.open).any()
        assert (after.regions, after.loops) == (before.regions, 0)
        assert meiro.join_regions(thinned, rng=seed).is_perfect
        assert (joined.seed, joined.recipe) == (meiro.replicate(seed, 0), None)


@pytest.mark.parametrize("transform", ["join_regions", "remove_islands"])
def test_walls_and_passages_are_visited_in_uniform_order(transform: str) -> None:
    """So the law of a tree made of nothing, and of one left of everything, is that of Kruskal's algorithm."""
    lattice = Lattice(5, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4), (4, 1), (1, 2)])
    law = meiro.law(lattice, "kruskal")
    edges = np.full(lattice.n_edges, transform == "remove_islands")
    many = meiro.GraphBatch([GraphMaze(lattice, edges)] * 20_000)
    made = getattr(meiro, transform)(many, rng=7, threads=2)
    seen = Counter(maze.open.tobytes() for maze in made)
    expected = {maze.open.tobytes(): p for maze, p in law.items()}
    check_counts(seen, expected, len(made))


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_sparsify(n: int) -> None:
    for maze in MAZES:
        graph = multigraph(maze)
        for _ in range(n):
            ends = [cell for cell in graph if graph.degree(cell) == 1]
            graph.remove_edges_from([edge for cell in ends for edge in graph.edges(cell, keys=True)])
        assert meiro.sparsify(maze, n).open.sum() == graph.number_of_edges()
    ended = GraphMaze(MAZES[-1].lattice, MAZES[-1].open, start=0, goal=1)
    assert meiro.sparsify(ended, 99) == meiro.fill_dead_ends(ended)


def test_fill_dead_ends() -> None:
    for seed, maze in enumerate(MAZES):
        keep = np.random.default_rng(seed).integers(0, maze.n_cells, seed % 3).tolist()
        graph = multigraph(maze)
        while ends := [c for c in graph if graph.degree(c) == 1 and c not in keep]:
            (edge,) = graph.edges(ends[0], keys=True)
            graph.remove_edge(*edge)
        left = sorted(key for *_, key in graph.edges(keys=True))
        assert meiro.fill_dead_ends(maze, keep=keep).edge_ids().tolist() == left
    for pair, square in square_pairs():
        if square.is_perfect:
            filled = meiro.fill_dead_ends(pair)
            assert sorted(filled.edge_ids()) == sorted(meiro.solve(pair).edge_ids)  # type: ignore[arg-type]  # of a lattice


def test_what_needs_a_grid() -> None:
    maze: Any = as_graph_maze(meiro.generate((3, 3), rng=1))
    for what, call in (
        ("cell is cut into four", lambda: meiro.unicursal(maze)),
        ("along whole borders", lambda: any_.stitch([[maze]])),
        ("corridor in the middle", lambda: meiro.symmetric(maze)),
    ):
        refused(TypeError, f"takes mazes of squares, and not <GraphMaze .*{what}", call)
    calls = (lambda: meiro.Maze.from_grid(maze), lambda: meiro.trace_solve(maze.lattice))
    for call in calls:
        refused(TypeError, r"no rows and columns.*solve, distances", call)
