"""`solve` and `solve_many` on a `GraphMaze` or a `GraphBatch`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT
from meiro._utils.validation import Threads, boolean, integer, one_of, thread_count
from meiro.generators.options import unknown_option
from meiro.graphs.graph_batch import GraphBatch, graph_batch
from meiro.lattices.lattice import graph_of
from meiro.registry import SOLVERS, SolverFacts
from meiro.results.graph_solution import GraphSolution
from meiro.results.solution_batch import SolutionBatch
from meiro.seeds import Seed, seed_of
from meiro.solvers.graph_cells import (
    batch_cells,
    edge_weights,
    graph_ends,
    no_graph_path,
    one_graph,
    refuse_grid_arguments,
    require_graph_memory,
)
from meiro.solvers.rotation import clockwise_slots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro.graphs.graph_maze import GraphMaze


@dataclass(frozen=True, slots=True)
class GraphQuery:
    """What `meiro.solve` was asked for on a lattice, checked."""

    facts: SolverFacts
    maze: GraphMaze
    begin: int
    goals: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    seed: Seed | None
    random: bool
    left: bool
    max_steps: int
    visit_order: bool

    def run(self, told: Any = None, recording: _core.GraphRecording | None = None) -> Any:
        """Run the solver, reporting progress; with a recording, its events are stored there."""
        return self._run(self.facts, told, recording)

    def _run(self, facts: SolverFacts, told: Any, recording: _core.GraphRecording | None) -> Any:
        lattice = self.maze.lattice
        return _core.solve_graph(
            facts.name,
            graph_of(lattice),
            self.maze.open.view(np.uint8),
            self.begin,
            self.goals,
            self.weights,
            lattice.positions if facts.name == "a_star" else None,
            clockwise_slots(lattice) if facts.name == "wall_follower" else None,
            (0, 0, 0) if self.seed is None else (*self.seed.key, self.seed.replicate),
            self.random,
            self.left,
            self.max_steps,
            self.visit_order,
            told,
            recording,
        )

    def solution(self, found: Any) -> GraphSolution:
        """Return the solution of a run; NoPathError if there is no path."""
        facts, maze = self.facts, self.maze
        if not found["found"]:
            exhaustive = facts.complete and not facts.fills and facts.name != "bidirectional"
            reached = found if exhaustive else self._run(SOLVERS["bfs"], None, None)
            if not reached["found"]:
                raise no_graph_path(maze, self.begin, self.goals, reached["n_explored"])
        remains = found["remains"]
        shape: Any = (maze.n_cells,)
        begin: Any = self.begin
        goal: Any = found["goal"] if found["found"] else int(self.goals[0])
        return GraphSolution(
            algorithm=facts.name,
            space="vertices",
            shape=shape,
            start=begin,
            goal=goal,
            found=found["found"],
            reason=found["reason"],
            visit_order=found["order"],
            remains=None if remains is None else remains.view(np.bool_),
            wrap=FLAT,
            moves=4,
            cost=found["cost"],
            _steps=found["edges"],
            _walk=found["walk"],
            _reached=found["explored"],
            _n_explored=found["n_explored"],
            _searched=maze,
            _path_cells=found["path"],
        )


def parse_graph_query(
    maze: GraphMaze, given_ends: tuple[Any, Any], algorithm: str, options: dict[str, Any]
) -> GraphQuery:
    """Check the arguments of `meiro.solve` for a maze on a lattice."""
    facts = SOLVERS.find(algorithm, "algorithm")
    given = {name: value for name, value in options.items() if value is not None}
    refuse_grid_arguments(maze, **{k: given.pop(k, None) for k in ("centre", "road", "moves")})
    order = boolean(given.pop("visit_order", False), "visit_order")
    _check_options(facts, given)
    begin, goals = graph_ends(maze, *given_ends)
    require_graph_memory(maze.lattice, facts.graph_scratch + 8 * order, facts.name)
    seed = seed_of(given.get("rng")) if "rng" in given or facts.random else None
    steps = -1
    if "max_steps" in given:
        steps = integer(given["max_steps"], "max_steps", 0, 1 << 62)
        require(8 * steps, f"a walk of {steps:,} steps", "give a smaller max_steps")
    left = "hand" in given and one_of(given["hand"], "hand", ("right", "left")) == "left"
    weights = edge_weights(maze.lattice, given["weights"]) if "weights" in given else None
    return GraphQuery(facts, maze, begin, goals, weights, seed, "rng" in given, left, steps, order)


def _check_options(facts: SolverFacts, given: dict[str, Any]) -> None:
    """Refuse a solver that needs rows and columns, and options that it does not take here."""
    if not facts.graphs:
        able = ", ".join(f.name for f in SOLVERS.values() if f.graphs)
        msg = f"{facts.name!r} needs rows and columns, and takes no GraphMaze; these do: {able}"
        raise TypeError(msg)
    for name in given:
        if name not in facts.graph_options:
            raise TypeError(unknown_option(facts.name, name, dict.fromkeys(facts.graph_options, "")))


def solve_graphs(  # as solve_many() has them
    batch: GraphBatch | Sequence[GraphMaze],
    ends: tuple[Any, Any],
    paths: object,
    threads: Threads,
    progress: Progress,
) -> SolutionBatch:
    """Find a shortest path through each of many mazes on one lattice."""
    many = batch if isinstance(batch, GraphBatch) else _stacked(batch)
    lattice, n = many.lattice, len(many)
    begin, end = (batch_cells(many, ends[i], ("starts", "goals")[i], i) for i in (0, 1))
    if many is not batch:  # mazes have endpoints of their own
        own = np.array([maze.endpoints for maze in batch], np.int64).reshape(-1, 2).T
        begin, end = (own[i] if ends[i] is None else cells for i, cells in enumerate((begin, end)))
    wanted, fewer = boolean(paths, "paths"), "solve fewer mazes at a time"
    n_threads = thread_count(threads)
    require_graph_memory(lattice, SOLVERS["bfs"].graph_scratch * min(n_threads, max(n, 1)), "shortest paths")

    def require_paths(places: int) -> None:
        require(8 * n * places, f"the paths of {n:,} mazes", fewer)

    lengths, found = _core.solve_graphs(
        graph_of(lattice),
        one_graph(many),
        np.ascontiguousarray(begin),
        np.ascontiguousarray(end),
        require_paths if wanted else None,
        n_threads,
        reporter(progress),
    )
    return SolutionBatch(lengths, found, (lattice.n_cells,))  # type: ignore[arg-type]  # not (rows, cols)


def _stacked(mazes: Sequence[GraphMaze]) -> GraphBatch:
    """Return several mazes as a batch; a ValueError names the first one on another lattice."""
    lattice = mazes[0].lattice
    for i, maze in enumerate(mazes):
        if maze.lattice != lattice:
            msg = f"batch[{i}] is on {maze.lattice!r}, and batch[0] on {lattice!r}: one lattice is needed"
            raise ValueError(msg)
    require(2 * len(mazes) * lattice.n_edges, f"{len(mazes):,} mazes", "take fewer")
    return graph_batch(
        lattice, np.stack([maze.open for maze in mazes]), None, np.zeros(len(mazes), np.uint64), None
    )
