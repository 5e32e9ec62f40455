"""Solve a maze: a path from start to goal by any of the solvers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Never

import numpy as np

from meiro import _core
from meiro._utils.arrays import weights_of
from meiro._utils.memory import require
from meiro._utils.messages import refuse_unknown, short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import DIRECTIONS, direction_word
from meiro._utils.validation import Threads, boolean, integer, one_of, thread_count
from meiro.generators.options import unknown_option
from meiro.graphs.graph_maze import GraphMaze
from meiro.registry import SOLVERS, Solver, SolverFacts
from meiro.results.solution import Solution
from meiro.seeds import RNG, Seed, seed_of
from meiro.solvers.clearance import centre_weights
from meiro.solvers.graph_solve import parse_graph_query
from meiro.solvers.search_space import (
    Goals,
    SearchSpace,
    as_search_space,
    checked_moves,
    no_path_error,
    openings_used,
    resolve_endpoints,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.maze.maze import Maze


def solve(
    x: Maze | GraphMaze | ArrayLike,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    algorithm: Solver | str = "bfs",
    directions: str | Sequence[str] | None = None,
    rng: RNG = None,
    hand: Literal["right", "left"] | None = None,
    max_steps: int | None = None,
    moves: Literal[4, 8] = 4,
    weights: ArrayLike | None = None,
    centre: bool = False,
    visit_order: bool = False,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
    **unknown: Never,
) -> Solution:
    """Find a path through a maze, or through any two-dimensional array of walls and roads.

    Parameters
    ----------
    x : Maze, GraphMaze or array_like of shape (h, w)
        A maze, solved from cell to cell; or a wall/road array (0 is road), solved from site to site, with
        rooms, loops and wide corridors of any kind: also a list of strings as ``["#S##", "#..G"]``, a pandas
        frame, or what `from_image` returns.
    start, goal : (int, int)
        Row and column, in cells of a maze or sites of an array; negative numbers count from the end. Default:
        `Maze.endpoints`, which are those of the maze, else the cells at its first and last opening, else its
        first and last cell; of an array what it marks, as S and G or by a picture's colours, else its two
        openings, if it has exactly two: adjacent road sites in the border are one opening, and its middle is
        taken. `goal` may be a list of several goals: algorithms that find a shortest path find the nearest
        goal, all others the first goal they reach. Of a `GraphMaze` numbers of cells, or labels where its
        lattice has labels; several goals are a list or an array.
    algorithm : str
        One of `meiro.SOLVERS`. The default finds a shortest path.
    directions : str or sequence of str
        The order in which directions are tried, ``("north", "east", "south", "west")`` by default; "NSWE" is
        north, south, west, east. It decides which of several paths is found.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        "dfs": take a random direction instead of the first. "random_mouse" always does.
    hand : {"right", "left"}
        The hand that stays on the wall; right by default.
    max_steps : int
        The number of steps after which a random walk gives up.
    moves : {4, 8}
        With 8, steps in an array also go diagonally, but not around a corner: both sites beside the step
        must be road. "dijkstra" and "a_star" then find a path of minimum cost, where a diagonal step costs
        sqrt(2); "bfs" finds a path of the fewest steps.
    weights : array_like of float, shape of the maze in cells or of the array
        The cost of entering each cell or site, 0 or more; a diagonal step costs sqrt(2) times that. The start
        costs nothing. Of a `GraphMaze` the cost of each edge, shape (n_edges,); "a_star" estimates the rest
        by the straight line between positions, times the least cost of a passage per length.
    centre : bool
        Whether the path runs in the middle of wide corridors of an array, by "dijkstra", or "a_star" if
        named. Entering a site d steps from the nearest wall then costs 1 / d^2: the path stays on roads,
        and of several routes it takes a wide one rather than a narrow one. `Solution.cost` is in these units.
    visit_order : bool
        Whether `Solution.visit_order` is kept, which takes 8 bytes a cell or site.
    road : scalar or sequence of scalars
        The value of a road, or several, for an array with other values than 0 and 1 (or booleans, True a
        wall); in arrays of single characters each letter of a string counts. The characters "#" (wall) and
        space, ".", "S" and "G" (road) are known.
    threads : int or "all"
        Number of threads, 1 by default, for the solvers that can use several (``meiro.SOLVERS`` says which),
        without `visit_order`. "bfs" shares what is wide, such as a large open room, among up to four, but no
        narrow corridors, diagonal steps or periodic mazes. The solution does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells or sites; the search may end early.

    Returns
    -------
    Solution
        In the units of `x`; of a `GraphMaze` ``space`` is "vertices", `path` has shape (k,), and `edge_ids`
        are the edges of the path. If start is goal, a path of one place. If a path exists that the algorithm
        cannot find (`meiro.SOLVERS` says when), ``found`` is False and ``reason`` says why.

    Raises
    ------
    NoPathError
        If no goal is reachable.
    ValueError
        If start or goal is outside the maze or in a wall, or has no default; if `x` is not a wall/road
        array; if weights are negative, not finite, or of another shape.
    TypeError
        If the algorithm does not take an option, a periodic maze, or a `GraphMaze`.

    See Also
    --------
    solve_many : shortest paths through many mazes at once.
    distances : the distance of every place from one or several sources.
    shortest_paths, all_shortest_paths : how many shortest paths there are, and each of them.
    trace_solve : the search step by step.

    References
    ----------
    ``meiro.SOLVERS[algorithm].reference`` is the paper of each algorithm; of the default, E. F. Moore, The
    shortest path through a maze (1959).

    Examples
    --------
    >>> maze = meiro.generate((20, 30), rng=7)
    >>> meiro.solve(maze).path[[0, -1]].tolist()
    [[0, 0], [19, 29]]
    >>> meiro.solve(meiro.generate(meiro.lattices.square(20, 30), rng=7))
    <Solution of 78 steps in vertices, bfs from 0 to 599, 502 explored>
    >>> meiro.solve([[1, 0, 1], [1, 0, 0], [1, 1, 1]])
    <Solution of 2 steps in sites, bfs from (0, 1) to (1, 2), 3 explored>
    >>> meiro.solve(["#######", "#S....#", "#.....#", "#....G#", "#######"], centre=True).path[:, 0].tolist()
    [1, 1, 2, 2, 2, 3, 3]
    """
    refuse_unknown("solve", unknown, solve.__annotations__)
    options: dict[str, Any] = {"directions": directions, "rng": rng, "hand": hand, "moves": moves}
    options |= {"max_steps": max_steps, "weights": weights, "visit_order": visit_order, "road": road}
    options["centre"] = centre
    n_threads = thread_count(threads)
    if isinstance(x, GraphMaze):
        graph_query = parse_graph_query(x, (start, goal), algorithm, options)
        return graph_query.solution(graph_query.run(reporter(progress)))
    query = parse_query(x, start, goal, algorithm, options)  # type: ignore[arg-type]
    query.options["threads"] = n_threads
    return query.solution(query.run(reporter(progress)))


# Arguments by keyword are not safe in the core where memory is short: pybind11.
_DEFAULTS: dict[str, Any] = {
    "weights": None,
    "seed": (0, 0, 0),
    "directions": (0, 1, 2, 3),
    "random": False,
    "left": False,
    "max_steps": -1,
    "order": False,
    "threads": 1,
}


@dataclass(slots=True)
class SolverQuery:
    """A solver, the space it searches, and the other arguments of the core."""

    facts: SolverFacts
    space: SearchSpace
    start: Cell
    goals: NDArray[np.int64]
    moves: Literal[4, 8]
    seed: Seed | None
    options: dict[str, Any]
    openings: tuple[Cell | None, Cell | None] = (None, None)

    def run(self, progress: Any = None, recording: _core.Recording | None = None) -> dict[str, Any]:
        """Run the solver of the core."""
        return _core.solve(
            self.facts.name,
            self.space.array,
            self.space.sites,
            self.space.wrap,
            self.moves,
            self.space.number(self.start),
            self.goals,
            *[*(_DEFAULTS | self.options).values(), progress, recording],
        )

    def solution(self, found: dict[str, Any]) -> Solution:
        """Return what `run` found; NoPathError if no goal is reachable."""
        space = self.space
        if not found["found"]:
            self._require_path(found["explored"])
        goal = found["goal"] if found["found"] else int(self.goals[0])
        remains = found["remains"]
        return Solution(
            algorithm=self.facts.name,
            space=space.units,
            shape=space.shape,
            start=self.start,
            goal=divmod(goal, space.shape[1]),
            found=found["found"],
            reason=found["reason"],
            visit_order=found["order"],
            remains=None if remains is None else remains.view(np.bool_),
            wrap=space.wrap,
            moves=self.moves,
            cost=found["cost"],
            _steps=found["steps"],
            _walk=found["walk"],
            _reached=found["reached"],
            _n_explored=found["explored"],
            openings=self.openings,
            _searched=space.maze if space.maze is not None else np.packbits(space.array),
        )

    def _require_path(self, explored: int) -> None:
        """Raise NoPathError, unless there is a path that the algorithm could not find."""
        facts = self.facts
        if not facts.complete or facts.name == "chain":  # chain need not explore the whole component
            bfs = replace(self, facts=SOLVERS["bfs"], options={}).run()
            if bfs["found"]:
                return
            explored = bfs["explored"]
        elif facts.fills or facts.name == "bidirectional":
            explored = 0  # not the size of the component
        raise no_path_error(self.start, self.goals, self.space, explored)


def parse_query(
    x: Maze | ArrayLike, start: CellLike | None, goal: Goals | None, algorithm: str, options: dict[str, Any]
) -> SolverQuery:
    """Check the arguments of `solve`; `options` are its keywords from ``directions=`` on."""
    given = {name: value for name, value in options.items() if value is not None}
    in_centre = boolean(given.pop("centre", False), "centre")
    facts = SOLVERS.find("dijkstra" if in_centre and algorithm == "bfs" else algorithm, "algorithm")
    moves, visit_order, road = given.pop("moves", 4), given.pop("visit_order", False), given.pop("road", None)
    for name in given if type(moves) is int and moves == 4 else ("moves", *given):
        if name not in facts.options:
            raise TypeError(unknown_option(facts.name, name, facts.options))
    if "directions" in given and "rng" in given:
        msg = "directions= and rng= both choose the first direction: give one of them"
        raise TypeError(msg)
    space = as_search_space(x, road)
    moves = checked_moves(moves, space)
    if in_centre:
        _check_centre(facts, space, given)
    if any(space.wrap) and not facts.wraps:
        msg = f"{facts.name!r} takes no periodic maze (wrap=); 'bfs' takes any"
        raise TypeError(msg)
    begin, goals = resolve_endpoints(space, start, goal)
    core_options = _core_options(given, space)
    ordered = boolean(visit_order, "visit_order")
    if ordered:
        core_options["order"] = True
    instead = "take a smaller part" if space.maze is None else "meiro.solvers.solve_by_bands takes less"
    space.require(facts.scratch + 8 * ordered, facts.name, "leave out visit_order=" if ordered else instead)
    if in_centre:
        core_options["weights"] = centre_weights(space.array)
    seed = None
    if "rng" in given or facts.random:
        seed = seed_of(given.get("rng"))
        core_options |= {"seed": (*seed.key, seed.replicate), "random": "rng" in given}
    openings = openings_used(space.maze, start, goal)
    return SolverQuery(facts, space, begin, goals, moves, seed, core_options, openings)


def _check_centre(facts: SolverFacts, space: SearchSpace, given: dict[str, Any]) -> None:
    """Refuse ``centre=True`` where it has no meaning."""
    if "weights" not in facts.options:
        msg = f"{facts.name!r} finds no path of least cost, as centre=True needs: 'dijkstra' and 'a_star' do"
        raise TypeError(msg)
    if "weights" in given:
        msg = "weights= and centre= both are the cost of places: give one of them"
        raise TypeError(msg)
    if not space.sites:
        msg = "centre=True is for arrays: corridors of a Maze are one cell wide; its grid is an array, x.grid"
        raise TypeError(msg)


def _core_options(given: dict[str, Any], space: SearchSpace) -> dict[str, Any]:
    """Return the options of a solver as the core takes them."""
    options: dict[str, Any] = {}
    if "directions" in given:
        options["directions"] = _parse_directions(given["directions"])
    if "hand" in given:
        options["left"] = one_of(given["hand"], "hand", ("right", "left")) == "left"
    if "max_steps" in given:
        options["max_steps"] = bound = integer(given["max_steps"], "max_steps", 0, 1 << 62)
        require(bound, f"a walk of {bound:,} steps", "give a smaller max_steps")
    if "weights" in given:
        options["weights"] = weights_of(given["weights"], space.shape, space.units)
    return options


def _parse_directions(directions: str | Sequence[str]) -> list[int]:
    """Return 0 (north), 1 (east), 2 (south), 3 (west) in the given order."""
    try:
        found = [DIRECTIONS.index(direction_word(word)) for word in islice(directions, 5)]
    except (AttributeError, TypeError, ValueError):
        found = []
    if sorted(found) != [0, 1, 2, 3]:
        words = "('north', 'south', 'west', 'east') or 'NSWE'"
        msg = f"directions must hold each direction once, as in {words}, not {short_repr(directions)}"
        raise ValueError(msg)
    return found
