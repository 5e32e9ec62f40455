"""Solve a maze: a path from start to goal by any of the solvers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro import _core
from meiro._utils.arrays import weights_of
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import integer
from meiro.generators.options import unknown_option
from meiro.registry import SOLVERS, Solver, SolverFacts
from meiro.seeds import RNG, Seed, seed_of
from meiro.solvers.search_space import (
    NO_WEIGHTS,
    Goals,
    SearchSpace,
    as_search_space,
    checked_moves,
    no_path_error,
    resolve_endpoints,
)
from meiro.solvers.solution import Solution, cost_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.maze.maze import Maze

_LETTERS = "NESW"
_NO_SEED = Seed((0, 0))
_DEFAULTS = {"directions": [0, 1, 2, 3], "random": False, "left": False, "max_steps": -1, "order": False}


def solve(
    x: Maze | ArrayLike,
    start: CellLike | None = None,
    goal: Goals | None = None,
    *,
    algorithm: Solver | str = "bfs",
    directions: str | Sequence[str] | None = None,
    rng: RNG = None,
    hand: Literal["right", "left"] | None = None,
    max_steps: int | None = None,
    moves: Literal[4, 8] = 4,
    weights: ArrayLike | None = None,
    order: bool = False,
    road: object = None,
    progress: Progress = False,
) -> Solution:
    """Find a path through a maze, or through any two-dimensional array of walls and roads.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, solved from cell to cell; or a wall/road array (0 is road), solved from site to site, with
        rooms, loops and wide corridors of any kind.
    start, goal : (int, int)
        Row and column, in cells of a maze or sites of an array; negative numbers count from the end. By
        default those of the maze, else its first and last cell; of an array its two openings, if it has
        exactly two. `goal` may be a list of several goals: algorithms that find a shortest path find the
        nearest goal, all others the first goal they reach.
    algorithm : str
        One of `meiro.SOLVERS`. The default finds a shortest path.
    directions : str or sequence of str
        The order in which directions are tried: each of N, E, S, W once. "NESW" by default; "NSWE" is up,
        down, left, right. It decides which of several paths is found.
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
        costs nothing.
    order : bool
        Whether `Solution.order` is kept, which takes 8 bytes a cell or site.
    road : scalar
        The value of a road, for an array with other values than 0 and 1 (or booleans, True a wall).
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells or sites; the search may end early.

    Returns
    -------
    Solution
        In the units of `x`. If start is goal, a path of one place. If a path exists that the algorithm
        cannot find (`meiro.SOLVERS` says when), ``found`` is False and ``reason`` says why.

    Raises
    ------
    NoPathError
        If no goal is reachable.
    ValueError
        If start or goal is outside the maze or in a wall, or has no default; if `x` is not a wall/road
        array; if weights are negative, not finite, or of another shape.
    TypeError
        If the algorithm does not take an option, or does not take a periodic maze.

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
    >>> meiro.solve([[1, 0, 1], [1, 0, 0], [1, 1, 1]])
    <Solution of 2 steps in sites, bfs from (0, 1) to (1, 2), 3 explored>
    """
    query = parse_query(
        x,
        start,
        goal,
        algorithm=algorithm,
        directions=directions,
        rng=rng,
        hand=hand,
        max_steps=max_steps,
        moves=moves,
        weights=weights,
        order=order,
        road=road,
    )
    return query.solution(query.run(reporter(progress)))


@dataclass(slots=True)
class SolverQuery:
    """What a solver is asked, checked."""

    facts: SolverFacts
    space: SearchSpace
    start: Cell
    goals: NDArray[np.int64]
    moves: int
    weights: NDArray[np.float64]
    seed: Seed
    options: dict[str, Any]

    def run(self, progress: Any = None, recording: _core.Recording | None = None) -> dict[str, Any]:
        """Run the solver of the core."""
        space, seed = self.space, self.seed
        return _core.solve(
            self.facts.name,
            space.array,
            space.sites,
            space.wrap,
            self.moves,
            space.number(self.start),
            self.goals,
            self.weights,
            (*seed.key, seed.replicate),
            {**_DEFAULTS, **self.options},
            progress,
            recording,
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
            order=found["order"],
            remains=None if remains is None else remains.view(np.bool_),
            wrap=space.wrap,
            moves=self.moves,
            cost=cost_of(found, self.weights, self.start, space.shape, self.moves),
            _steps=found["steps"],
            _walk=found["walk"],
            _reached=found["reached"],
            _n_explored=found["explored"],
        )

    def _require_path(self, explored: int) -> None:
        """Raise NoPathError, unless there is a path that the algorithm could not find."""
        facts = self.facts
        if not facts.complete or facts.name == "chain":  # chain need not explore the whole component
            bfs = SolverQuery(
                SOLVERS["bfs"], self.space, self.start, self.goals, self.moves, NO_WEIGHTS, _NO_SEED, {}
            ).run()
            if bfs["found"]:
                return
            explored = bfs["explored"]
        elif facts.fills or facts.name == "bidirectional":
            explored = 0  # not the size of the component
        raise no_path_error(self.start, self.goals, self.space, explored)


def parse_query(
    x: Maze | ArrayLike,
    start: CellLike | None,
    goal: Goals | None,
    *,
    algorithm: str,
    directions: str | Sequence[str] | None = None,
    rng: RNG = None,
    hand: Literal["right", "left"] | None = None,
    max_steps: int | None = None,
    moves: Literal[4, 8] = 4,
    weights: ArrayLike | None = None,
    order: bool = False,
    road: object = None,
) -> SolverQuery:
    """Check the arguments of `solve`."""
    facts = SOLVERS.find(algorithm)
    for name, given in (
        ("directions", directions is not None),
        ("rng", rng is not None),
        ("hand", hand is not None),
        ("max_steps", max_steps is not None),
        ("weights", weights is not None),
        ("moves", moves != 4),
    ):
        if given and name not in facts.options:
            raise TypeError(unknown_option(facts.name, name, facts.options))
    if directions is not None and rng is not None:
        msg = "directions= and rng= both choose the first direction: give one of them"
        raise TypeError(msg)
    space = as_search_space(x, road)
    steps = checked_moves(moves, space)
    if any(space.wrap) and not facts.wraps:
        msg = f"{facts.name!r} takes no periodic maze (wrap=); 'bfs' takes any"
        raise TypeError(msg)
    options: dict[str, Any] = {}
    if directions is not None:
        options["directions"] = _parse_directions(directions)
    if hand is not None:
        options["left"] = _is_left(hand)
    if rng is not None:
        options["random"] = True
    if max_steps is not None:
        options["max_steps"] = integer(max_steps, "max_steps", 0, 1 << 62)
        require(options["max_steps"], f"a walk of {options['max_steps']:,} steps", "give a smaller max_steps")
    if order:
        options["order"] = True
    begin, goals = resolve_endpoints(space, start, goal)
    costs = NO_WEIGHTS if weights is None else weights_of(weights, space.shape, space.units)
    space.require(facts.scratch + 8 * bool(order), facts.name, "leave out order= or take a smaller part")
    seed = seed_of(rng) if rng is not None or facts.random else _NO_SEED
    return SolverQuery(facts, space, begin, goals, steps, costs, seed, options)


def _parse_directions(directions: str | Sequence[str]) -> list[int]:
    """Return 0 (N), 1 (E), 2 (S), 3 (W) in the given order."""
    try:
        found = [_LETTERS.index(letter.upper()) for letter in directions]
    except (AttributeError, TypeError, ValueError):
        found = []
    if sorted(found) != [0, 1, 2, 3]:
        msg = f"directions must hold each of N, E, S, W once, as in 'NSWE', not {short_repr(directions)}"
        raise ValueError(msg)
    return found


def _is_left(hand: object) -> bool:
    if hand not in ("right", "left"):  # it need not be hashable
        msg = f'hand must be "right" or "left", not {short_repr(hand)}'
        raise ValueError(msg)
    return hand == "left"
