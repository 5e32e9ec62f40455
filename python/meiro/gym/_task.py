"""What the environments share: their arguments, their spaces, agents of the core, the best return."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from gymnasium import spaces

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import refuse_unknown, short_repr
from meiro._utils.square import FLAT
from meiro._utils.validation import integer, number, one_of, require_type
from meiro.drawing.text.render import has_text
from meiro.generators.generate import generate, generate_many
from meiro.generators.options import GenerateOptions
from meiro.generators.request import parse_request
from meiro.gym._picture import picture
from meiro.gym._sides import sides_of
from meiro.lattices.lattice import graph_of
from meiro.registry import ALGORITHMS
from meiro.seeds import Seed, replicate_of, seed_of
from meiro.spaces.space_of import are_several, is_maze, mazes_of
from meiro.transforms.passages import with_passages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import SupportsIndex

    from numpy.typing import NDArray

    from meiro.generators.request import GenerateRequest
    from meiro.spaces.space import EitherMaze, ManyMazes, MazeSpace

ObservationName = Literal["cell", "window", "grid", "sight"]
EndsName = Literal["own", "random"]
RENDER_MODES = ["ansi", "rgb_array"]

_MOST_WINDOW = 1024  # sites
_MOST_REWARD = 1e6
_MOST_LOCKS = 64
_SHAPE, _ALGORITHM = (16, 16), "wilson"
_ENDS = ("start", "goal")
_PICTURES = {"window", "grid"}
_NO_MASKS = "gym has no mazes that are masked or wrap around"


class TaskArguments(GenerateOptions, total=False):
    """The arguments of an environment beside shape and algorithm, as `MazeEnv` describes them."""

    mazes: EitherMaze | ManyMazes | None
    observation: ObservationName
    window: SupportsIndex
    ends: EndsName
    time_limit: SupportsIndex | None
    goal_reward: float
    step_reward: float
    wall_reward: float
    locks: SupportsIndex
    key_reward: float


_DEFAULTS: dict[str, Any] = {
    "mazes": None,
    "observation": "cell",
    "window": 5,
    "ends": "own",
    "time_limit": None,
    "goal_reward": 1.0,
    "step_reward": -0.01,
    "wall_reward": 0.0,
    "locks": 0,
    "key_reward": 0.0,
}


class Task:
    """Agents in mazes: checked arguments, spaces, episodes.

    Attributes
    ----------
    space : MazeSpace
        Of the levels; of none where they are generated.
    """

    def __init__(self, n: int, shape: Any, algorithm: Any, given: Mapping[str, Any]) -> None:
        self._made_of = n, shape, algorithm, given
        self.n = n
        self.seeds: list[Seed] = []
        said = {**_DEFAULTS, **given}
        options = {name: x for name, x in given.items() if name not in _DEFAULTS and x is not None}
        _refuse_unknown(options)
        ends = one_of(said["ends"], "ends", get_args(EndsName))
        observation = one_of(said["observation"], "observation", get_args(ObservationName))
        side = integer(said["window"], "window", 1, _MOST_WINDOW)
        if side % 2 == 0:
            raise ValueError(f"window must be odd, with the agent in the middle, not {side}")
        self.rewards = (
            _reward(said, "step_reward", -_MOST_REWARD, 0),
            _reward(said, "wall_reward", -_MOST_REWARD, 0),
            _reward(said, "goal_reward", 0, _MOST_REWARD),
            _reward(said, "key_reward", 0, _MOST_REWARD),
        )
        locks = integer(said["locks"], "locks", 0, _MOST_LOCKS + 1)
        side = side if observation == "window" else 0
        self.space: MazeSpace[Any]
        core_options: dict[str, Any] = {}
        algorithm_name, levels, cells = None, None, None
        if said["mazes"] is None:
            request = _request(shape, algorithm, options)
            algorithm_name, core_options = request.facts.name, request.options
            place = request.shape if request.lattice is None else request.lattice
            _require(n, place, request.shape, observation, side)
            self.space = mazes_of(generate_many(place, algorithm_name, 0, **options))
            self._make = partial(generate, place, algorithm_name, **options)
        else:
            also = [
                name
                for name, x in {"shape": shape, "algorithm": algorithm, **options}.items()
                if x is not None
            ]
            self.space = _levels(said["mazes"], also)
            _require(n, getattr(self.space, "lattice", None), self.space.shape, observation, side)
            levels = np.ascontiguousarray(self.space.passages)
            cells = _own_ends(self.space) if ends == "own" else None
        ground, self.n_actions = _ground(self.space)
        self.observation_space = _observation_space(
            observation, self.space, side, self.n_actions, locks=locks > 0
        )
        time_limit = said["time_limit"]
        self.agents = _core.Agents(
            ground,
            n,
            observation,
            side,
            ends == "random",
            2 * (locks + 1) * self.space.size
            if time_limit is None
            else integer(time_limit, "time_limit", 1, 1 << 31),
            locks,
            self.rewards,
            algorithm_name,
            core_options,
            levels,
            cells,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the agents again, where they are."""
        return _resumed, (self._made_of, self.seeds, self.agents.saved() if self.seeds else None)

    def begin(self, seeds: Sequence[int | None] | None, options: Any) -> NDArray[Any]:
        """Begin the next episodes, or the first ones of seeds that are given; return the observations."""
        ends = self._ends(options)
        if seeds is None:
            return self.agents.begin(None, ends)
        made = [self.seeds[i] if seed is None else seed_of(seed) for i, seed in enumerate(seeds)]
        keys = [(*one.key, seed is not None) for one, seed in zip(made, seeds, strict=True)]
        observations = self.agents.begin(np.array(keys, np.uint64), ends)
        self.seeds = made
        return observations

    def _ends(self, options: Any) -> NDArray[np.int64] | None:
        """Return the starts and goals, (n, 2), that options of ``reset`` give; -1 for none."""
        if options is None:
            return None
        require_type(options, Mapping, "options", "None or a dict")
        ends = np.full((self.n, 2), -1, np.int64)
        for name, cells in options.items():
            if name not in _ENDS:
                raise ValueError(
                    f"options must have no other keys than 'start' and 'goal', not {short_repr(name)}"
                )
            numbers = self.space.numbers(cells, name)
            if len(numbers) not in {1, self.n}:
                raise ValueError(f"{name} has {len(numbers)} cells, but there are {self.n} environments")
            ends[:, _ENDS.index(name)] = numbers
        same = np.flatnonzero((ends[:, 0] == ends[:, 1]) & (ends[:, 0] >= 0))
        if same.size:
            cell = short_repr(self.space.cell(int(ends[same[0], 0])))
            raise ValueError(f"start and goal are both {cell}: give two different cells")
        return ends

    def maze(self, i: int) -> Any:
        """Return the maze of agent `i`."""
        _, _, episode, level, *_ = self.agents.state(i)
        return self._make(rng=replicate_of(self.seeds[i], episode)) if level < 0 else self.space.x[level]

    def cell_and_goal(self, i: int) -> tuple[Any, Any]:
        """Return where agent `i` is, and where it should go."""
        cell, goal, *_ = self.agents.state(i)
        return self.space.cell(cell), self.space.cell(goal)

    def over(self) -> bool:
        """Whether the episode of agent 0 has ended."""
        return self.agents.state(0)[4]

    def optimal_actions(self) -> NDArray[np.bool_]:
        """Return the actions of each agent that begin a shortest path."""
        return self.agents.best()[1]

    def optimal_returns(self, gamma: Any) -> NDArray[np.float64]:
        """Return the greatest return that each agent can still have.

        No reward but those of keys and of the goal is positive, and keys are met in one order. So the best is
        a shortest way over all keys, as far as the steps left go; without one to walk without meeting a wall
        until they are used up.
        """
        discount = number(gamma, "gamma", 0, 1)
        steps, _, left, free = self.agents.best()
        step, wall, goal, key = self.rewards
        reached = (steps > 0) & (steps <= left[:, np.newaxis])
        taken = np.where(reached[:, -1], steps[:, -1], left)
        each = np.where(free, step, step + wall)
        sums = taken if discount == 1 else (1 - discount**taken) / (1 - discount)
        gained = np.append(np.full(steps.shape[1] - 1, key), goal) * discount ** np.where(
            reached, steps - 1, 0
        )
        return np.asarray(each * sums + np.where(reached, gained, 0).sum(axis=1), np.float64)

    def render_modes(self, mode: Any) -> list[str]:
        """Return the modes in which these mazes are rendered; `mode` must be one of them, or None."""
        if mode is not None:
            one_of(mode, "render_mode", RENDER_MODES)
        space: Any = self.space  # which has a lattice, as its mazes have
        if not space.on_lattice or has_text(space):
            return RENDER_MODES
        if mode == "ansi":
            raise ValueError(f"render_mode='ansi': mazes on {space.lattice!r} have no text, take 'rgb_array'")
        return RENDER_MODES[1:]

    def frame(self, i: int, mode: str) -> str | NDArray[np.uint8]:
        """Return a picture of agent `i`, or a text."""
        maze, (cell, goal, *_, locks) = self.maze(i), self.agents.state(i)
        if mode == "rgb_array":
            return picture(maze, (cell, goal), locks)
        named = self.space.cell
        if len(locks):
            maze = with_passages(
                maze, close=[(named(one), named(other)) for one, other, *_ in locks.tolist()]
            )
        labels = {}
        if len(locks) and not self.space.on_lattice:
            letters = np.zeros(self.space.size, "U1")
            letters[locks[:, 3]] = "K"
            labels = {"labels": letters.reshape(self.space.shape)}
        text: str = maze.to_text(start=named(cell), goal=named(goal), **labels)
        return text + "\n"


def _resumed(made_of: tuple[Any, ...], seeds: list[Seed], saved: Any) -> Task:
    """Return the agents of a pickle."""
    task = Task(*made_of)
    if saved is not None:
        task.agents.resume(saved)
        task.seeds = seeds
    return task


def _reward(said: Mapping[str, Any], name: str, least: float, most: float) -> float:
    """Return a reward as the core has it, of 32 bits."""
    return float(np.float32(number(said[name], name, least, most)))


def _request(shape: Any, algorithm: Any, options: dict[str, Any]) -> GenerateRequest:
    if is_maze(shape) or are_several(shape):
        raise TypeError(f"shape is {short_repr(shape)}: give mazes as mazes=")
    facts = ALGORITHMS.find(_ALGORITHM if algorithm is None else algorithm, "algorithm")
    if options.get("dead_ends") == "remove":
        raise ValueError(
            f"the environments do not take dead_ends='remove', which masks cells out: {_NO_MASKS}"
        )
    return parse_request(facts, _SHAPE if shape is None else shape, None, None, FLAT, options)


def _refuse_unknown(options: dict[str, Any]) -> None:
    for name in ("mask", "wrap", "openings", "grid_shape"):
        if name in options:
            raise TypeError(f"the environments take no {name}=: {_NO_MASKS}")
    known = (*TaskArguments.__annotations__, "shape", "algorithm", "render_mode")
    refuse_unknown("an environment", [name for name in options if name not in known], known)


def _require(n: int, place: Any, shape: tuple[int, ...], observation: str, side: int) -> None:
    """Check that there are two cells, and memory for the levels and pictures of `n` agents."""
    cells = math.prod(shape)
    if cells < 2:
        size = f"{shape[0]} x {shape[1]}" if len(shape) == 2 else "1 cell"
        raise ValueError(
            f"a maze of {size} has no start and goal that differ: shape= and mazes= take 2 cells or more"
        )
    if len(shape) == 1:
        if observation in _PICTURES:
            raise ValueError(
                f"observation={observation!r} is a picture of rows and columns, which {place!r} does not "
                "have: take 'cell' or 'sight'"
            )
        if not len(place.neighbors):
            raise ValueError(f"{place!r} has no edges for an agent to walk along")
        room = 4 * cells + 2 * place.n_edges + 8 * int(place.degrees.max())
    else:
        margin = 1 + (side if observation == "window" else 0)
        sites = math.prod(2 * length + margin for length in shape)
        room = 6 * cells + (2 * sites if observation in _PICTURES else 0)
    require(n * (room + 256), f"{n:,} mazes of {shape} and their pictures", "take fewer or smaller ones")


def _levels(mazes: Any, also: list[str]) -> MazeSpace[Any]:
    """Return the space of the levels that are given, one or more."""
    space: MazeSpace[Any] = mazes_of([mazes] if is_maze(mazes) else mazes, "mazes", many=True)
    if also:
        raise TypeError(f"give either mazes= or {also[0]}=, not both")
    if space.n == 0:
        raise ValueError("mazes has no maze: give one or more")
    if space.existing() is not None or any(space.wrap):
        raise ValueError(f"mazes must have no mask and no wrap: {_NO_MASKS}")
    return space


def _own_ends(space: MazeSpace[Any]) -> NDArray[np.int64]:
    """Return the numbers of start and goal of each maze, (n, 2)."""
    starts, goals = (end.numbers for end in space.ends())
    same = np.flatnonzero(starts == goals)
    if len(same):
        raise ValueError(
            f"maze {same[0]} begins and ends at one cell: give it others by meiro.with_ends, or ends='random'"
        )
    return np.ascontiguousarray(np.stack([starts, goals], axis=1).astype(np.int64))


def _ground(space: MazeSpace[Any]) -> tuple[tuple[Any, ...], int]:
    """Return where agents walk, as the core takes it, and the number of actions."""
    if not space.on_lattice:
        return space.shape, 4
    sides = sides_of(space.lattice)
    at = space.lattice.coordinates
    names = None if at is None else np.ascontiguousarray(at, np.int32)
    return (graph_of(space.lattice), *sides, names), int(np.diff(sides.indptr).max())


def _observation_space(
    name: str, space: MazeSpace[Any], window: int, actions: int, *, locks: bool
) -> spaces.Box:
    if name == "window":
        return spaces.Box(0, 5 if locks else 2, (window, window), np.uint8)
    if name == "grid":
        rows, cols = space.shape
        return spaces.Box(0, 5 if locks else 3, (2 * rows + 1, 2 * cols + 1), np.uint8)
    names = 3 if locks and name == "cell" else 2
    if not space.on_lattice:
        sides = space.shape * names
        high = np.array(sides, np.int32) - 1
    elif name == "sight":
        high = np.full(actions, space.size if space.lattice.knows_straight else 1, np.int32)
    else:
        at = space.lattice.coordinates
        most = np.array([space.size - 1]) if at is None else at.max(axis=0)
        high = np.tile(most, names).astype(np.int32)
    return spaces.Box(np.zeros(len(high), np.int32), high, dtype=np.int32)
