"""The way from start to goal."""

from __future__ import annotations

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
    Goals,
    SearchSpace,
    as_search_space,
    checked_moves,
    no_path_error,
    resolve_endpoints,
)
from meiro.solvers.solution import Solution, cost_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.maze.maze import Maze

_LETTERS = "NESW"
_NO_SEED = Seed((0, 0))


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
    """Find a way through a maze, or through any two-dimensional array of walls and roads.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, which is walked from cell to cell; or a wall/road array (0 is road), which is walked
        from site to site, with all its rooms, loops and wide corridors.
    start, goal : (int, int)
        Row and column, in cells of a maze or sites of an array; negative ones count from the end. By
        default those of the maze, else its first and last cell; of an array its two openings, if it
        has exactly two. `goal` may be a list of several: the nearest is looked for by what finds a shortest
        way, the first that is met by all others.
    algorithm : str
        One of `meiro.SOLVERS`. The default finds a shortest way.
    directions : str or sequence of str
        The order in which directions are looked at: each of N, E, S, W once. "NESW" by default;
        "NSWE" is up, down, left, right. It decides which of several ways is found.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        "dfs": go on in a random direction, instead of the first. "random_mouse" always does.
    hand : {"right", "left"}
        The hand that stays at the wall; right by default.
    max_steps : int
        After how many steps a random walk gives up.
    moves : {4, 8}
        With 8, an array is also walked diagonally, but not around a corner: both sites beside the step must
        be road. "dijkstra" and "a_star" then find a way of the least cost, where a diagonal step costs the
        square root of 2; "bfs" one of the fewest steps.
    weights : array_like of float, shape of the maze in cells or of the array
        What it costs to enter each place, 0 or more; a diagonal step costs the square root of 2 times that.
        The start is free.
    order : bool
        Whether `Solution.order` is kept, which takes 8 bytes a cell or site.
    road : scalar
        The value of a road in an array that does not hold 0 and 1 (or booleans, True a wall) alone.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells or sites, of which not all may be needed.

    Returns
    -------
    Solution
        In the units of `x`. If start is goal, a path of one. Where there is a way that the algorithm cannot
        find (its facts say when), ``found`` is False and ``reason`` says why.

    Raises
    ------
    NoPathError
        If there is no way.
    ValueError
        If start or goal is outside or in a wall, or must be given; if `x` is no wall/road array; if
        weights are negative, not finite, or of another shape.
    TypeError
        If the algorithm does not take an option, or no maze that wraps.

    Examples
    --------
    >>> maze = meiro.generate((20, 30), rng=7)
    >>> meiro.solve(maze).path[[0, -1]].tolist()
    [[0, 0], [19, 29]]
    >>> meiro.solve([[1, 0, 1], [1, 0, 0], [1, 1, 1]])
    <Solution of 2 steps in sites, bfs from (0, 1) to (1, 2), 3 explored>
    """
    given: dict[str, Any] = {
        "directions": directions,
        "rng": rng,
        "hand": hand,
        "max_steps": max_steps,
        "moves": moves,
    }
    given |= {"weights": weights, "order": order, "road": road, "progress": progress}
    return run_solver(_core.solve, x, start, goal, algorithm=algorithm, **given)


def run_solver(
    run: Callable[..., dict[str, Any]],
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
    progress: Progress = False,
) -> Solution:
    """Do what `solve` says, with `run` in the place of the core's `solve`."""
    facts = SOLVERS.find(algorithm)
    asked: dict[str, object] = {"directions": directions, "rng": rng, "hand": hand}
    asked |= {"max_steps": max_steps, "weights": weights, "moves": None if moves == 4 else moves}
    for name, value in asked.items():
        if value is not None and name not in facts.options:
            raise TypeError(unknown_option(facts.name, name, facts.options))
    if directions is not None and rng is not None:
        msg = "directions and rng both say where to go first: give one of them"
        raise TypeError(msg)
    on = as_search_space(x, road)
    ways = checked_moves(moves, on)
    if any(on.wrap) and not facts.wraps:
        msg = f"{facts.name!r} takes no maze that wraps; it needs a plane. 'bfs' takes any"
        raise TypeError(msg)
    bound = -1 if max_steps is None else integer(max_steps, "max_steps", 0, 1 << 62)
    options = {
        "directions": _order(directions),
        "random": rng is not None,
        "left": _hand(hand) == "left",
        "max_steps": bound,
        "order": bool(order),
    }
    begin, goals = resolve_endpoints(on, start, goal)
    costs = np.empty((0, 0)) if weights is None else weights_of(weights, on.shape, on.space)
    size = on.shape[0] * on.shape[1]
    need = facts.scratch + on.copied + 8 * bool(order)
    require(int(size * need), f"{facts.name} on {size:,} {on.space}", "leave out order= or take a part")
    require(bound, f"a walk of {bound:,} steps", "give a smaller max_steps")
    seed = seed_of(rng) if rng is not None or facts.random else _NO_SEED
    found = run(
        facts.name,
        on.array,
        on.sites,
        on.wrap,
        ways,
        on.number(begin),
        goals,
        costs,
        (*seed.key, seed.replicate),
        options,
        reporter(progress),
    )
    if not found["found"]:
        _refuse(facts, on, begin, goals, ways, found["explored"])
    reached_goal = divmod(found["goal"] if found["found"] else int(goals[0]), on.shape[1])
    return Solution(
        facts.name,
        on.space,
        on.shape,
        begin,
        reached_goal,
        found=found["found"],
        reason=found["reason"],
        order=found["order"],
        remains=None if found["remains"] is None else found["remains"].view(np.bool_),
        wrap=on.wrap,
        moves=ways,
        cost=cost_of(found, costs, begin, on.shape, ways),
        _steps=found["steps"],
        _walk=found["walk"],
        _reached=found["reached"],
        _n_explored=found["explored"],
    )


def _refuse(  # noqa: PLR0917  # what was asked
    facts: SolverFacts,
    on: SearchSpace,
    begin: Cell,
    goals: NDArray[np.int64],
    moves: int,
    explored: int,
) -> None:
    """Say that there is no way, if that is why none was found."""
    if not facts.complete or facts.name == "chain":  # perhaps it is the algorithm; chain need not see all
        plain = {"directions": [0, 1, 2, 3], "random": False, "left": False, "max_steps": -1, "order": False}
        asked = ("bfs", on.array, on.sites, on.wrap, moves, on.number(begin), goals)
        by_bfs = _core.solve(*asked, np.empty((0, 0)), (0, 0, 0), plain, None)
        if by_bfs["found"]:
            return
        explored = by_bfs["explored"]
    elif facts.fills or facts.name == "bidirectional":
        explored = 0
    raise no_path_error(begin, goals, on, explored)


def _order(directions: str | Sequence[str] | None) -> list[int]:
    """Return 0 (N), 1 (E), 2 (S), 3 (W) in the order that is asked for."""
    if directions is None:
        return [0, 1, 2, 3]
    try:
        found = [_LETTERS.index(letter.upper()) for letter in directions]
    except (AttributeError, TypeError, ValueError):
        found = []
    if sorted(found) != [0, 1, 2, 3]:
        msg = f"directions must hold each of N, E, S, W once, as in 'NSWE', not {short_repr(directions)}"
        raise ValueError(msg)
    return found


def _hand(hand: str | None) -> str:
    if hand not in {None, "right", "left"}:
        msg = f'hand must be "right" or "left", not {short_repr(hand)}'
        raise ValueError(msg)
    return hand or "right"
