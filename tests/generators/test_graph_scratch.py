"""Algorithms on lattices take no more scratch memory than the registry says, and a trace changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import meiro
from meiro import _core
from meiro.generators.options import FACTS

COMPLETE = [(i, j) for i in range(120) for j in range(i + 1, 120)]
LATTICES = {
    "square": lambda: meiro.lattices.square(100, 120),
    "hexagonal": lambda: meiro.lattices.hexagonal(80, 90),
    "complete": lambda: meiro.lattices.from_graph(COMPLETE),
    "star": lambda: meiro.lattices.from_graph([(0, i) for i in range(1, 8000)]),
    "line": lambda: meiro.lattices.from_graph([(i, i + 1) for i in range(8000)]),
}
OPTIONS: dict[str, Any] = {
    "start": "random", "after_dead_end": "random", "choose": "random", "trees": 20, "steps": 500, "p": 0.4,
    "run": 3.0,
}  # fmt: skip


def options_of(facts: Any, lattice: meiro.Lattice) -> list[dict[str, Any]]:
    given: list[dict[str, Any]] = [{}]
    for name in facts.graph_options:
        if name in {"weights", "order"}:
            numbers = np.random.default_rng(1).permutation(lattice.n_edges)
            given.append({name: numbers if name == "order" else numbers + 1.0})
        elif name != "run" or lattice.knows_straight:
            given.append({name: OPTIONS[name]})
    if "trees" in facts.graph_options:
        given += [{"trees": lattice.n_cells // k} for k in (1, 2, 40)]
    return given


@pytest.mark.long
@pytest.mark.parametrize("name", LATTICES)
@pytest.mark.parametrize("algorithm", [f.name for f in meiro.ALGORITHMS.values() if f.graphs])
def test_generators_take_the_stated_scratch(algorithm: str, name: str) -> None:
    lattice = LATTICES[name]()
    facts = meiro.ALGORITHMS[algorithm]
    for options in options_of(facts, lattice):
        if name == "line" and algorithm == "aldous_broder":
            continue  # takes the square of the cells
        meiro.generate(lattice, algorithm, rng=1, **options)
        bytes_a_place = facts.graph_scratch + sum(FACTS[option]["scratch"] for option in options)
        assert _core.last_call()[1] <= bytes_a_place * (lattice.n_cells + lattice.n_edges) + 2000, options


@pytest.mark.parametrize("name", LATTICES)
@pytest.mark.parametrize("algorithm", [f.name for f in meiro.SOLVERS.values() if f.graphs])
def test_solvers_take_the_stated_scratch(algorithm: str, name: str) -> None:
    lattice = LATTICES[name]()
    if algorithm == "wall_follower" and lattice.outline is None:
        return
    maze = meiro.generate(lattice, "kruskal", rng=1)
    facts = meiro.SOLVERS[algorithm]
    options: dict[str, Any] = {"rng": 1, "max_steps": 1000} if algorithm == "random_mouse" else {}
    meiro.solve(maze, algorithm=algorithm, **options)
    walk = 8 * options.get("max_steps", 0)
    assert _core.last_call()[1] <= facts.graph_scratch * (lattice.n_cells + lattice.n_edges) + walk + 2000
