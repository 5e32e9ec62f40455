"""Solve a maze: a path from start to goal by any of the solvers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Never, overload

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import refuse_unknown, short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import DIRECTIONS, direction_word
from meiro._utils.validation import Threads, boolean, integer, number, one_of, thread_count
from meiro.generators.options import unknown_option
from meiro.lattices.lattice import words_of
from meiro.registry import SOLVERS, Solver, SolverFacts
from meiro.results.solution import GraphSolution, Solution
from meiro.seeds import RNG, Seed, seed_of, seed_words
from meiro.solvers.clearance import centre_weights
from meiro.solvers.rotation import clockwise_slots
from meiro.solvers.solve_many import solve_many
from meiro.spaces.space_of import are_several, is_default, refuse_grid_arguments, space_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.lattices.lattice import Lattice
    from meiro.results.solution_batch import SolutionBatch
    from meiro.solvers.solve_many import Cells
    from meiro.spaces.space import EitherMaze, Goals, ManyMazes, Space


@overload
def solve(
    x: ManyMazes,
    start: Cells | Hashable | list[Hashable] | None = None,
    goal: Cells | Hashable | list[Hashable] | None = None,
    *,
    threads: Threads = None,
    progress: Progress = False,
) -> SolutionBatch: ...
@overload
def solve(
    x: EitherMaze | ArrayLike,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    algorithm: Solver | str = "bfs",
    directions: str | Sequence[str] | None = None,
    rng: RNG = None,
    hand: Literal["right", "left"] | None = None,
    max_steps: int | None = None,
    moves: Literal[4, 8] = 4,
    corners: Literal["never", "one_free", "always"] = "never",
    wrap: tuple[bool, bool] | None = None,
    clearance: float | None = None,
    turn_cost: float | None = None,
    weights: ArrayLike | None = None,
    centre: bool = False,
    visit_order: bool = False,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
    **unknown: Never,
) -> Solution: ...
def solve(
    x: Any,
    start: Any = None,
    goal: Any = None,
    *,
    algorithm: Solver | str = "bfs",
    directions: str | Sequence[str] | None = None,
    rng: RNG = None,
    hand: Literal["right", "left"] | None = None,
    max_steps: int | None = None,
    moves: Literal[4, 8] = 4,
    corners: Literal["never", "one_free", "always"] = "never",
    wrap: tuple[bool, bool] | None = None,
    clearance: float | None = None,
    turn_cost: float | None = None,
    weights: ArrayLike | None = None,
    centre: bool = False,
    visit_order: bool = False,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
    **unknown: Never,
) -> Solution | SolutionBatch:
    """Find a path through a maze, or through any two-dimensional array of walls and roads.

    Parameters
    ----------
    x : Maze, GraphMaze, array_like of shape (h, w), or many mazes
        A maze, solved from cell to cell; or a wall/road array (0 is road), solved from site to site, with
        rooms, loops and wide corridors of any kind: also a list of strings as ``["#S##", "#..G"]``, a pandas
        frame, or what `from_image` returns. A batch or a list of mazes is solved as by `solve_many`, which
        takes `start`, `goal`, `threads` and `progress`.
    start, goal : (int, int)
        Row and column, in cells of a maze or sites of an array; negative numbers count from the end. Or
        "middle", the one nearest to the middle. Default:
        `Maze.endpoints`, which are those of the maze, else the cells at its first and last opening, else its
        first and last cell; of an array what it marks, as S and G or by a picture's colours, else its two
        openings, if it has exactly two: adjacent road sites in the border are one opening, and its middle is
        taken. `goal` may be a list of several goals: algorithms that find a shortest path find the nearest
        goal, all others the first goal they reach. Of a `GraphMaze` cells as paths have them: labels, tuples
        of coordinates, or numbers. Several are a list or an array: one of shape (k, axes) holds coordinates,
        one of shape (k,) numbers.
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
        With 8, steps in an array also go diagonally. "dijkstra" and "a_star" then find a path of minimum
        cost, where a diagonal step costs sqrt(2); "bfs" finds a path of the fewest steps.
    corners : {"never", "one_free", "always"}
        Which corners diagonal steps cut: "never" needs both sites beside the step to be road, "one_free" one
        of them, and "always" neither, as in pyastar2d and scikit-image.
    wrap : (bool, bool)
        Whether an array is periodic along rows and columns: steps then cross its borders, by four moves.
    clearance : float
        The radius of the walker in an array, in sites: the path keeps to sites whose centres are that far
        from the edge of every wall. Any road is 0.5 from a wall beside it; what is outside is no wall.
    turn_cost : float
        What each change of direction costs beside the steps, for "bfs", "dijkstra" and "a_star": 0.001 takes
        the straightest of the shortest paths. "bfs" counts every step as 1.
    weights : array_like of float, shape of the maze in cells or of the array
        The cost of entering each cell or site, 0 or more; infinity is an obstacle. A diagonal step costs
        sqrt(2) times that, and the start nothing. Of paths that cost the same the solution has the fewest
        steps. Of a `GraphMaze` the cost of each edge, shape (n_edges,); "a_star" estimates the rest by the
        straight line between positions, times the least cost of a passage per length.
    centre : bool
        Whether the path runs in the middle of wide corridors of an array, by "dijkstra", or "a_star" if
        named. Entering a site whose centre is d - 1/2 from the edge of the nearest wall then costs 1 / d^2:
        of several routes the path takes a wide one rather than a narrow one. `Solution.cost` is in these
        units.
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
    Solution or SolutionBatch
        Of many mazes as `solve_many` returns. Of one in the units of `x`; of a `GraphMaze` ``space`` is
        "vertices", `path` is in the words of the lattice, and `edge_ids` are the edges of the path. If start
        is goal, a path of one place. If a path exists that the algorithm cannot find (`meiro.SOLVERS` says
        when), ``found`` is False and ``reason`` says why.

    Raises
    ------
    NoPathError
        If no goal is reachable.
    ValueError
        If start or goal is outside the maze or in a wall, or has no default; if `x` is not a wall/road
        array; if weights are negative, NaN, or of another shape.
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
    <Solution of 78 steps in vertices, bfs from (0, 0) to (19, 29), 502 explored>
    >>> meiro.solve([[1, 0, 1], [1, 0, 0], [1, 1, 1]])
    <Solution of 2 steps in sites, bfs from (0, 1) to (1, 2), 3 explored>
    >>> meiro.solve(["#######", "#S....#", "#.....#", "#....G#", "#######"], centre=True).path[:, 0].tolist()
    [1, 1, 2, 2, 2, 3, 3]
    """
    if unknown:
        refuse_unknown("solve", unknown, solve.__annotations__)
    options: dict[str, Any] = {"directions": directions, "rng": rng, "hand": hand, "moves": moves}
    options |= {"max_steps": max_steps, "weights": weights, "visit_order": visit_order, "road": road}
    options |= {"corners": corners, "wrap": wrap, "clearance": clearance, "turn_cost": turn_cost}
    options["centre"] = centre
    if are_several(x):
        _refuse_of_many(options | {"algorithm": algorithm})
        return solve_many(x, start, goal, threads=threads, progress=progress)
    query = parse_query(x, start, goal, algorithm, options)
    query.options["threads"] = thread_count(threads)
    return query.solution(query.run(None if progress is False else reporter(progress)))


def _refuse_of_many(options: dict[str, Any]) -> None:
    """Refuse what only one maze is solved with."""
    for name, value in options.items():
        if value is not None and not is_default(name, value):
            raise TypeError(
                f"of many mazes solve takes no {name}=, but bfs alone: solve(x[i], ...) takes it of one"
            )


@dataclass(slots=True)
class SolverQuery:
    """A solver, the space it searches, and the other arguments of the core."""

    facts: SolverFacts
    space: Space[Any]
    start: int
    goals: NDArray[np.int64]
    moves: Literal[4, 8]
    seed: Seed | None
    options: dict[str, Any]
    openings: tuple[Cell | None, Cell | None] = (None, None)

    def run(self, progress: Any = None, recording: Any = None) -> dict[str, Any]:
        """Run the solver of the core; with a recording, its events are stored there."""
        return _core.solve(
            self.facts.name, self.space.core, self.start, self.goals, self.options, progress, recording
        )

    def solution(self, found: dict[str, Any]) -> Solution:
        """Return what `run` found; NoPathError if no goal is reachable."""
        space = self.space
        if not found["found"]:
            self._require_path(found["explored"])
        remains = found["remains"]
        values: dict[str, Any] = {
            "algorithm": self.facts.name,
            "space": space.space,
            "shape": space.shape,
            "start": space.cell(self.start),
            "goal": space.cell(found["goal"] if found["found"] else int(self.goals[0])),
            "found": found["found"],
            "reason": found["reason"],
            "visit_order": found["order"],
            "remains": None if remains is None else remains.view(np.bool_),
            "wrap": space.wrap,
            "moves": self.moves,
            "cost": found["cost"],
            "_steps": found["steps"],
            "_walk": found["walk"],
            "_reached": found["reached"],
            "_n_explored": found["explored"],
            "_searched": space.searched,
            "openings": self.openings,
        }
        if found["path"] is not None:
            return GraphSolution(**values, _path_cells=found["path"], _words=words_of(space.lattice))
        return Solution(**values)

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
        raise self.space.no_path(self.start, self.goals, explored)


def parse_query(x: Any, start: Any, goal: Any, algorithm: str, options: dict[str, Any]) -> SolverQuery:
    """Check the arguments of `solve`; `options` are its keywords from ``directions=`` on."""
    given = {name: value for name, value in options.items() if value is not None}
    in_centre = boolean(given.pop("centre", False), "centre")
    facts = SOLVERS.find("dijkstra" if in_centre and algorithm == "bfs" else algorithm, "algorithm")
    moves, road = given.pop("moves", 4), given.pop("road", None)
    ordered = given.pop("visit_order", False)
    rules = {name: given.pop(name) for name in ("corners", "wrap", "clearance") if name in given}
    space = space_of(x, road=road, moves=moves, centre=in_centre, **rules)
    if space.on_lattice:
        refuse_grid_arguments(x, turn_cost=given.get("turn_cost"))
    _check_options(facts, space, given if type(moves) is int and moves == 4 else {"moves": moves, **given})
    if in_centre:
        _check_centre(facts, space, given)
    begin, goals = space.endpoints(start, goal)
    core_options = _core_options(given, space)
    if boolean(ordered, "visit_order"):
        core_options["order"] = True
    states = 4 if moves == 4 else 8  # of a place, by the direction in which it is entered
    _require_memory(facts, space, states if core_options.get("turn_cost") else 0, ordered=bool(ordered))
    if in_centre:
        core_options["weights"] = centre_weights(space.core[0], space.wrap)
    if space.on_lattice:
        core_options |= _lattice_options(facts, space.lattice)
    seed = None
    if "rng" in given or facts.random:
        seed = seed_of(given.get("rng"))
        core_options |= {"seed": seed_words(seed), "random": "rng" in given}
    openings = space.openings_used(start, goal)
    return SolverQuery(facts, space, begin, goals, 8 if moves == 8 else 4, seed, core_options, openings)


def _check_options(facts: SolverFacts, space: Space[Any], given: dict[str, Any]) -> None:
    """Refuse many mazes, mazes that the solver cannot search, and options that it does not take."""
    if not space.one:
        raise TypeError(f"x is {space.x!r}: meiro.solve_many finds the paths of many mazes, each by bfs")
    if space.on_lattice and not facts.graphs:
        able = ", ".join(f.name for f in SOLVERS.values() if f.graphs)
        raise TypeError(f"{facts.name!r} needs rows and columns, and takes no GraphMaze; these do: {able}")
    options = dict.fromkeys(facts.graph_options, "") if space.on_lattice else facts.options
    for name in given:
        if name not in options:
            raise TypeError(unknown_option(facts.name, name, options, "", SOLVERS.values()))
    if "directions" in given and given.get("turn_cost"):
        raise TypeError("directions= and turn_cost= both choose the path: give one of them")
    if "directions" in given and "rng" in given:
        raise TypeError("directions= and rng= both choose the first direction: give one of them")
    if any(space.wrap) and not facts.wraps:
        raise TypeError(f"{facts.name!r} takes no periodic maze (wrap=); 'bfs' takes any")


def _require_memory(facts: SolverFacts, space: Space[Any], states: int, *, ordered: bool) -> None:
    """Raise MemoryError unless the search fits."""
    instead = "take a smaller part" if space.sites else "meiro.solvers.solve_by_bands takes less"
    if ordered:
        instead = "leave out visit_order="
    elif space.on_lattice:
        instead = ""
    scratch = SOLVERS["a_star"].scratch * states if states else facts.scratch
    scratch, on_graphs = scratch + 8 * ordered, facts.graph_scratch + 8 * ordered
    space.require_scratch(scratch, on_graphs, 1, 0, (facts.name, instead))


def _lattice_options(facts: SolverFacts, lattice: Lattice) -> dict[str, Any]:
    """Return what a solver asks of a lattice."""
    if facts.name == "wall_follower":
        return {"clockwise": clockwise_slots(lattice)}
    return {} if facts.name != "a_star" or lattice.positions is None else {"positions": lattice.positions}


def _check_centre(facts: SolverFacts, space: Space[Any], given: dict[str, Any]) -> None:
    """Refuse ``centre=True`` where it has no meaning."""
    if "weights" not in facts.options:
        raise TypeError(
            f"{facts.name!r} finds no path of least cost, as centre=True needs: 'dijkstra' and 'a_star' do"
        )
    if "weights" in given:
        raise TypeError("weights= and centre= both are the cost of places: give one of them")
    if not space.sites:
        raise TypeError(
            "centre=True is for arrays: corridors of a Maze are one cell wide; its grid is an array, x.grid"
        )


def _core_options(given: dict[str, Any], space: Space[Any]) -> dict[str, Any]:
    """Return the options of a solver as the core takes them."""
    options: dict[str, Any] = {}
    if "directions" in given:
        options["directions"] = _parse_directions(given["directions"])
    if "hand" in given:
        options["left"] = one_of(given["hand"], "hand", ("right", "left")) == "left"
    if "max_steps" in given:
        options["max_steps"] = bound = integer(given["max_steps"], "max_steps", 0, 1 << 62)
        require(
            bound * (8 if space.on_lattice else 1), f"a walk of {bound:,} steps", "give a smaller max_steps"
        )
    if "turn_cost" in given:
        options["turn_cost"] = number(given["turn_cost"], "turn_cost", 0)
    if "weights" in given:
        options["weights"] = space.weights(given["weights"])
    return options


def _parse_directions(directions: str | Sequence[str]) -> list[int]:
    """Return 0 (north), 1 (east), 2 (south), 3 (west) in the given order."""
    try:
        found = [DIRECTIONS.index(direction_word(word)) for word in islice(directions, 5)]
    except (AttributeError, TypeError, ValueError):
        found = []
    if sorted(found) != [0, 1, 2, 3]:
        words = "('north', 'south', 'west', 'east') or 'NSWE'"
        raise ValueError(
            f"directions must hold each direction once, as in {words}, not {short_repr(directions)}"
        )
    return found
