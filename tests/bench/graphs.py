"""Mazes on lattices: a square lattice given as a graph, beside the yardstick and the libraries of graphs.

What other libraries are given, their graphs and weights, is made outside of the time that is taken, and so is
our lattice. All in turn in each round; medians of the rounds.
"""

from __future__ import annotations

import importlib
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from peers import TREES  # type: ignore[import-not-found]

import meiro

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Run = Callable[[int], object]

WALKS = {"aldous_broder", "origin_shift"}  # their time is not linear: one round
SMALL = 12  # the side at which networkx' uniform trees are timed


def report(side: int, repeats: int, yardstick: Callable[[int, int], Mapping[str, float]]) -> None:
    """Print the tables; `yardstick(side, seed)` returns its nanoseconds a cell, by algorithm."""
    lattice = meiro.lattices.square(side, side)
    _generators(lattice, side, repeats, yardstick)
    _beside_libraries(lattice, repeats)
    _whole_jobs(side)


def _generators(
    lattice: meiro.Lattice, side: int, repeats: int, yardstick: Callable[[int, int], Mapping[str, float]]
) -> None:
    print(f"\nsquare({side}, {side}), nanoseconds a cell, median of {repeats} rounds\n")
    print("| | textbook C++, on squares | meiro, on squares | meiro, on the lattice | times the textbook |")
    print("|---|--:|--:|--:|--:|")
    theirs = [yardstick(side, i + 1) for i in range(repeats)]
    for name in [name for name, facts in meiro.ALGORITHMS.items() if facts.graphs]:
        rounds = 1 if name in WALKS else repeats

        def run(where: Any, name: str = name) -> Run:
            return lambda i: meiro.generate(where, name, rng=i)

        times = _in_turn({"squares": run((side, side)), "lattice": run(lattice)}, rounds)
        squares, ours = (times[key] / side**2 * 1e9 for key in ("squares", "lattice"))
        known = name in theirs[0] and name not in {"aldous_broder", "prim"}  # a quarter of the side
        yard = statistics.median(each[name] for each in theirs) if known else None
        beside = (f"{yard:.1f}", f"{yard / ours:.2f}") if yard else ("", "")
        print(f"| {name} | {beside[0]} | {squares:.1f} | {ours:.1f} | {beside[1]} |", flush=True)


def _beside_libraries(lattice: meiro.Lattice, repeats: int) -> None:
    print(f"\nThe same, {lattice.n_cells:,} cells, beside libraries: milliseconds\n")
    print("| | meiro | library | times as fast |\n|---|--:|--:|--:|")
    weights = np.random.default_rng(7).random(lattice.n_edges) + 1e-9
    ours: Run = lambda _: meiro.generate(lattice, "kruskal", rng=7, weights=weights)  # noqa: E731
    for peer, make in TREES.items():
        theirs = _run(make, lattice.edges, weights, lattice.n_cells)
        _row(f"minimum spanning tree, {peer}", ours, theirs, repeats)
    maze = meiro.generate(lattice, "wilson", rng=7)
    all_open = meiro.GraphMaze(lattice, np.ones(lattice.n_edges, np.bool_))
    for name, on in (("a maze", maze), ("all edges", all_open)):
        search: Run = lambda _, on=on: meiro.distances(on, 0)  # type: ignore[misc]  # noqa: E731
        _row(f"breadth-first from a corner of {name}, scipy", search, _run(_scipy_search, on), repeats)
    networkx = importlib.import_module("networkx")
    small = networkx.grid_2d_graph(SMALL, SMALL)
    _row(
        f"random_spanning_tree of {SMALL} x {SMALL}, networkx",
        lambda i: meiro.spanning_tree(small, rng=i),
        lambda i: networkx.random_spanning_tree(small, seed=i),
        repeats,
    )


def _row(name: str, ours: Run, theirs: Run | None, repeats: int) -> None:
    if theirs is None:
        return
    times = _in_turn({"ours": ours, "theirs": theirs}, repeats)
    ms = times["ours"] * 1e3, times["theirs"] * 1e3
    print(f"| {name} | {ms[0]:.3g} | {ms[1]:.4g} | {ms[1] / ms[0]:.3g} |", flush=True)


def _whole_jobs(side: int) -> None:
    """Print what a user waits for from nothing on, once each."""
    print(f"\n{side * side:,} cells made, a maze generated and solved: seconds\n")
    print("| | made | of it scipy's triangulation | generated | solved |\n|---|--:|--:|--:|--:|")
    points = np.random.default_rng(7).random((side * side, 2))
    triangulation = importlib.import_module("scipy.spatial").Delaunay
    for name, make in (
        ("hexagonal", lambda: meiro.lattices.hexagonal(side, side)),
        ("voronoi", lambda: meiro.lattices.voronoi(points)),
    ):
        made, lattice = _timed(make)
        generated, maze = _timed(lambda lattice=lattice: meiro.generate(lattice, rng=7))  # type: ignore[misc]
        solved, _ = _timed(lambda maze=maze: meiro.solve(maze))  # type: ignore[misc]
        theirs = f"{_timed(lambda: triangulation(points))[0]:.2f} alone" if name == "voronoi" else ""
        print(f"| {name} | {made:.2f} | {theirs} | {generated:.2f} | {solved:.2f} |", flush=True)


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    made = call()
    return time.perf_counter() - begun, made


def _in_turn(runs: Mapping[str, Run], rounds: int) -> dict[str, float]:
    """Return the median seconds of each."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for i in range(rounds):
        for name, run in runs.items():
            begun = time.perf_counter()
            run(i)
            times[name].append(time.perf_counter() - begun)
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def _run(make: Callable[..., Callable[[], object]], *given: Any) -> Run | None:
    """Return a run of a library, or None if it is not installed."""
    try:
        call = make(*given)
    except ImportError:
        return None
    return lambda _: call()


def _csr(n: int, edges: NDArray[np.int32], weights: NDArray[np.float64]) -> Any:
    sparse = importlib.import_module("scipy.sparse")
    return sparse.csr_array((weights, (edges[:, 0], edges[:, 1])), shape=(n, n))


def _scipy_search(maze: meiro.GraphMaze) -> Callable[[], object]:
    csgraph = importlib.import_module("scipy.sparse.csgraph")
    one, other = maze.edges().T
    both = np.concatenate([np.stack([one, other], axis=1), np.stack([other, one], axis=1)])
    graph = _csr(maze.lattice.n_cells, both, np.ones(len(both)))
    return lambda: csgraph.breadth_first_order(graph, 0)
