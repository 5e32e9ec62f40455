"""What the environments share: their arguments, their spaces, agents of the core, the best return."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from gymnasium import spaces

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.pixel_layout import layout_of
from meiro._utils.square import FLAT
from meiro._utils.validation import integer, number, one_of
from meiro.colors import LIGHT
from meiro.generators.request import GenerateRequest, parse_request
from meiro.mazes._endpoints import ends_of_many
from meiro.mazes._from_core import maze_from_core
from meiro.mazes.batch import MazeBatch
from meiro.registry import ALGORITHMS
from meiro.seeds import Seed, replicate_of, seed_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Cell
    from meiro.mazes.maze import Maze

ObservationName = Literal["cell", "window", "grid", "sight"]
EndsName = Literal["own", "random"]
RENDER_MODES = ("ansi", "rgb_array")

_MOST_WINDOW = 1024  # sites
_MOST_REWARD = 1e6
_PICTURE = 480  # pixels along the longer side
_SHAPE, _ALGORITHM = (16, 16), "wilson"
_NO_MASKS = "gym has no mazes that are masked or wrap around"


class Task:
    """Agents in mazes: checked arguments, spaces, episodes."""

    def __init__(
        self,
        n: int,
        *,
        shape: Any,
        algorithm: Any,
        mazes: Any,
        observation: Any,
        window: Any,
        ends: Any,
        time_limit: Any,
        rewards: dict[str, Any],
        options: dict[str, Any],
    ) -> None:
        self.request: GenerateRequest | None = None
        self.mazes: MazeBatch | None = None
        cells = None
        if mazes is None:
            self.request = _request(shape, algorithm, options)
            self.shape = self.request.shape
        else:
            given = {"shape": shape, "algorithm": algorithm, **options}
            self.mazes = _levels(mazes, [name for name, value in given.items() if value is not None])
            self.shape = self.mazes.rows, self.mazes.cols
        rows, cols = self.shape
        if rows * cols < 2:
            msg = f"a maze of {rows} x {cols} has no start and goal that differ: take 2 cells or more"
            raise ValueError(msg)
        one_of(ends, "ends", get_args(EndsName))
        if self.mazes is not None and ends == "own":
            cells = _own_ends(self.mazes)
        one_of(observation, "observation", get_args(ObservationName))
        side = integer(window, "window", 1, _MOST_WINDOW)
        if side % 2 == 0:
            msg = f"window must be odd, with the agent in the middle, not {side}"
            raise ValueError(msg)
        margin = side if observation == "window" else 0
        sites = (2 * rows + 1 + margin) * (2 * cols + 1 + margin) if observation in {"window", "grid"} else 0
        size = n * (6 * rows * cols + 2 * sites + 256)
        require(size, f"{n:,} mazes of ({rows}, {cols}) and their pictures", "take fewer or smaller ones")
        limit = 2 * rows * cols if time_limit is None else integer(time_limit, "time_limit", 1, 1 << 31)
        self.rewards = (
            _reward(rewards, "step_reward", -_MOST_REWARD, 0),
            _reward(rewards, "wall_reward", -_MOST_REWARD, 0),
            _reward(rewards, "goal_reward", 0, _MOST_REWARD),
        )
        self.n, self.limit = n, limit
        self.observation_space = _observation_space(observation, self.shape, side)
        self.seeds: list[Seed] = []
        self.agents = _core.Agents(
            self.shape,
            n,
            observation,
            side if observation == "window" else 0,
            ends == "random",
            limit,
            self.rewards,
            None if self.request is None else self.request.facts.name,
            {} if self.request is None else self.request.options,
            None if self.mazes is None else np.ascontiguousarray(self.mazes.passages),
            cells,
        )

    def begin(self, seeds: Sequence[int] | None) -> NDArray[Any]:
        """Begin the next episodes, or the first ones of these seeds; return the observations."""
        if seeds is None:
            return self.agents.begin(None)
        made = [seed_of(seed) for seed in seeds]
        observations = self.agents.begin(np.array([seed.key for seed in made], np.uint64))
        self.seeds = made
        return observations

    def maze(self, i: int) -> Maze:
        """Return the maze of agent `i`."""
        _, _, episode, level, _ = self.agents.state(i)
        if self.mazes is not None:
            return self.mazes[level]
        assert self.request is not None  # noqa: S101  # for mypy
        seed, recipe = replicate_of(self.seeds[i], episode), self.request.recipe()
        return maze_from_core(self.agents.passages(i), seed=seed, recipe=recipe)

    def cell_and_goal(self, i: int) -> tuple[Cell, Cell]:
        """Return where agent `i` is, and where it should go."""
        cell, goal, *_ = self.agents.state(i)
        return divmod(cell, self.shape[1]), divmod(goal, self.shape[1])

    def over(self) -> bool:
        """Whether the episode of agent 0 has ended."""
        return self.agents.state(0)[4]

    def optimal_actions(self) -> NDArray[np.bool_]:
        """Return the actions of each agent that begin a shortest path."""
        return self.agents.best()[1]

    def optimal_returns(self, gamma: Any) -> NDArray[np.float64]:
        """Return the greatest return that each agent can still have.

        No reward but the goal's is positive. So the best is a shortest path, if it fits in the steps left;
        else to walk without meeting a wall until they are used up.
        """
        discount = number(gamma, "gamma", 0, 1)
        steps, _, left, free = self.agents.best()
        step, wall, goal = self.rewards
        reached = (steps > 0) & (steps <= left)
        taken = np.where(reached, steps, left)
        each = np.where(free, step, step + wall)
        sums = taken if discount == 1 else (1 - discount**taken) / (1 - discount)
        last = np.where(reached, taken - 1, 0)
        return np.asarray(each * sums + np.where(reached, goal * discount**last, 0), np.float64)

    def frame(self, i: int, mode: str) -> str | NDArray[np.uint8]:
        """Return a picture of agent `i`, or a text."""
        maze, (cell, goal) = self.maze(i), self.cell_and_goal(i)
        if mode == "ansi":
            return maze.to_text(start=cell, goal=goal) + "\n"
        colors = np.array([LIGHT.road, LIGHT.wall, LIGHT.goal, LIGHT.current], np.uint8)
        places = maze.to_grid().astype(np.uint8)
        for (row, col), value in ((goal, 2), (cell, 3)):
            places[2 * row + 1, 2 * col + 1] = value
        layout = layout_of((places.shape[0], places.shape[1]), cells=True, size=_PICTURE)
        rows, cols = (np.arange(side).repeat(layout.lines(side)) for side in places.shape)
        return colors[places[rows][:, cols]]


def _reward(rewards: dict[str, Any], name: str, least: float, most: float) -> float:
    """Return a reward as the core has it, of 32 bits."""
    return float(np.float32(number(rewards[name], name, least, most)))


def _request(shape: Any, algorithm: Any, options: dict[str, Any]) -> GenerateRequest:
    facts = ALGORITHMS.find(_ALGORITHM if algorithm is None else algorithm, "algorithm")
    for name in ("mask", "wrap", "openings", "grid_shape"):
        if name in options:
            msg = f"the environments take no {name}=: {_NO_MASKS}"
            raise TypeError(msg)
    if options.get("dead_ends") == "remove":
        msg = f"the environments do not take dead_ends='remove', which masks cells out: {_NO_MASKS}"
        raise ValueError(msg)
    given = {name: value for name, value in options.items() if value is not None}
    return parse_request(facts, _SHAPE if shape is None else shape, None, None, FLAT, given)


def _levels(mazes: Any, also: list[str]) -> MazeBatch:
    if not isinstance(mazes, MazeBatch):
        msg = f"mazes must be a MazeBatch (see meiro.generate_many), not {short_repr(mazes)}"
        raise TypeError(msg)
    if also:
        msg = f"give either mazes= or {also[0]}=, not both"
        raise TypeError(msg)
    if len(mazes) == 0:
        msg = "mazes has no maze: give one or more"
        raise ValueError(msg)
    if mazes.masks is not None or any(mazes.wrap):
        msg = f"mazes must have no mask and no wrap: {_NO_MASKS}"
        raise ValueError(msg)
    return mazes


def _own_ends(mazes: MazeBatch) -> NDArray[np.int64]:
    """Return the numbers of start and goal of each maze, (n, 2)."""
    starts, goals = (end.cells @ (mazes.cols, 1) for end in ends_of_many(mazes))
    same = np.flatnonzero(starts == goals)
    if len(same):
        msg = (
            f"maze {same[0]} begins and ends at one cell: give it others by meiro.with_ends, or ends='random'"
        )
        raise ValueError(msg)
    return np.ascontiguousarray(np.stack([starts, goals], axis=1).astype(np.int64))


def _observation_space(name: str, shape: tuple[int, int], window: int) -> spaces.Box:
    rows, cols = shape
    if name == "window":
        return spaces.Box(0, 2, (window, window), np.uint8)
    if name == "grid":
        return spaces.Box(0, 3, (2 * rows + 1, 2 * cols + 1), np.uint8)
    sides = (rows, cols, rows, cols)
    high = np.array(sides, np.int32) - 1
    return spaces.Box(np.zeros(4, np.int32), high, dtype=np.int32)


def checked_render_mode(mode: Any) -> str | None:
    """Return a render mode, None for none."""
    return None if mode is None else one_of(mode, "render_mode", RENDER_MODES)


def refuse_reset_options(options: Any) -> None:
    """Raise an error for options of ``reset``: it takes none."""
    if options is None:
        return
    if not isinstance(options, Mapping):
        msg = f"options must be None or an empty dict, not {short_repr(options)}"
        raise TypeError(msg)
    if len(options) > 0:
        msg = f"options must be empty, as reset takes no options, not {short_repr(options)}"
        raise ValueError(msg)
