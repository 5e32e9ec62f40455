"""Searches that stop: against the exact law of a slow version, and what they promise."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import power
import pytest
from refusals import refused
from sampling import check_counts, codes

import meiro
from meiro.datasets import partial_mazes

Cell = tuple[int, int]
Edges = frozenset[frozenset[Cell]]
LIMITS: dict[str, dict[str, Any]] = {
    "none": {},
    "cells": {"cells": 4},
    "depth": {"depth": 2},
    "no forks": {"forks": False},
    "all": {"cells": 5, "depth": 3},
    "share": {"cells": 0.5},
}


def law(shape: tuple[int, int], limits: dict[str, Any]) -> dict[Edges, Fraction]:
    """Follow every choice of the search."""
    size = shape[0] * shape[1]
    cells, depth = limits.get("cells", size), limits.get("depth", size)
    if isinstance(cells, float):
        cells = int(np.ceil(cells * size))
    found: dict[Edges, Fraction] = defaultdict(Fraction)

    def follow(path: list[Cell], visited: frozenset[Cell], edges: Edges, share: Fraction) -> None:
        row, col = path[-1]
        ways = [
            (r, c)
            for r, c in ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1))
            if 0 <= r < shape[0] and 0 <= c < shape[1] and (r, c) not in visited
        ]
        if len(visited) == cells:
            found[edges] += share
        elif ways and len(path) - 1 < depth:
            for to in ways:
                grown = edges | {frozenset((path[-1], to))}
                follow([*path, to], visited | {to}, grown, share / len(ways))
        elif limits.get("forks", True) and len(path) > 1:
            follow(path[:-1], visited, edges, share)
        else:
            found[edges] += share

    for cell in np.ndindex(shape):
        follow([cell], frozenset([cell]), frozenset(), Fraction(1, size))
    return found


@pytest.mark.laws
@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("shape", [(2, 3), (3, 3)])
def test_partial_mazes_have_the_exact_law(shape: tuple[int, int], limits: dict[str, Any]) -> None:
    n = power.samples(200_000)
    mazes = partial_mazes(shape, n, rng=5, **limits)
    _, at, counts = np.unique(codes(mazes.passages), return_index=True, return_counts=True)
    seen: Counter[Edges] = Counter()
    for maze, count in zip(mazes[at], counts.tolist(), strict=True):
        edges = maze.edges().tolist()
        seen[frozenset(frozenset(divmod(cell, shape[1]) for cell in edge) for edge in edges)] += count
    check_counts(seen, law(shape, limits), n)


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_partial_mazes_are_perfect_on_their_cells(limits: dict[str, Any]) -> None:
    mazes = partial_mazes((7, 9), 50, rng=3, **limits)
    assert mazes.starts is not None
    for maze, start in zip(mazes, mazes.starts.tolist(), strict=True):
        assert maze.is_perfect
        assert maze.start == tuple(start)
        exist = np.ones((7, 9), bool) if maze.mask is None else maze.mask
        cells = limits.get("cells", 63)
        assert exist.sum() <= (np.ceil(cells * 63) if isinstance(cells, float) else cells)
        if "cells" in limits and "depth" not in limits:
            assert exist.sum() == (32 if isinstance(cells, float) else cells)
        steps = meiro.distances(maze, maze.start)
        assert (steps >= 0).sum() == exist.sum()  # one part, around the start
        assert steps.max() <= limits.get("depth", 63)
        if not limits.get("forks", True):
            assert meiro.measure(maze)["junctions"] == 0


def test_a_maze_is_the_same_alone_and_on_any_threads() -> None:
    many = partial_mazes((9, 8), 40, cells=0.6, rng=7)
    assert partial_mazes((9, 8), 40, cells=0.6, rng=7, threads=2) == many
    for i in (0, 1, 17, 39):
        (alone,) = partial_mazes((9, 8), 1, cells=0.6, rng=meiro.replicate(7, i))
        assert alone == many[i]
        assert alone.seed == many[i].seed == meiro.replicate(7, i)
    assert len(partial_mazes((9, 8), 0)) == 0


def test_they_are_inputs_of_supervised() -> None:
    samples = meiro.datasets.supervised(partial_mazes((6, 6), 20, cells=15, rng=1), target="distances", rng=1)
    assert samples.masks.sum(axis=(1, 2)).tolist() == [15] * 20


def test_wrong_limits() -> None:
    refused(ValueError, "cells", partial_mazes, (4, 5), n=3, cells=0)
    refused(ValueError, "cells", partial_mazes, (4, 5), n=3, cells=1.5)
    refused(ValueError, "depth", partial_mazes, (4, 5), n=3, depth=-1)
    refused(TypeError, "depth", partial_mazes, (4, 5), n=3, depth="3")
    refused(ValueError, "start", partial_mazes, (4, 5), n=3, start=(9, 0))
    refused(TypeError, "forks", partial_mazes, (4, 5), n=3, forks="no")
    refused(ValueError, "n must", partial_mazes, (4, 5), n=-1)
    refused(MemoryError, "mazes of 4 x 5 cells", partial_mazes, (4, 5), n=10**15)
