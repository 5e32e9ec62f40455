"""Episodes of `meiro.gym` that are copied, pickled, or begun at given cells."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.gym import MazeEnv, MazeVectorEnv

HEXAGONS = meiro.lattices.hexagonal(3, 4)
LEVELS: dict[str, dict[str, Any]] = {
    "squares": {"shape": (4, 5), "algorithm": "growing_tree", "choose": {"newest": 1, "random": 1}},
    "given": {"mazes": meiro.generate_many((4, 5), n=6, rng=1)},
    "lattice": {"shape": HEXAGONS, "algorithm": "kruskal"},
    "given on a lattice": {"mazes": meiro.generate_many(HEXAGONS, n=6, rng=1)},
}


def pickled(x: Any) -> Any:
    return pickle.loads(pickle.dumps(x))  # noqa: S301  # its own


COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, pickled]


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize("observation", ["cell", "grid", "sight"])
@pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("after", [0, 5, 17])
def test_a_copy_goes_on_as_its_original(levels: str, observation: Any, copied: Any, after: int) -> None:
    given = LEVELS[levels]
    if observation == "grid" and "lattice" in levels:
        return
    envs = MazeVectorEnv(7, **given, ends="random", observation=observation, time_limit=6)
    envs.reset(seed=4)
    actions = np.random.default_rng(1).integers(0, 4, (40, 7))
    for some in actions[:after]:
        envs.step(some)
    other = copied(envs)
    assert other.mazes == envs.mazes
    for some in actions[after:]:
        assert np.array_equal(envs.optimal_return(), other.optimal_return())
        for one, same in zip(envs.step(some)[:4], other.step(some)[:4], strict=True):
            assert np.array_equal(one, same)
    assert np.array_equal(envs.reset()[0], other.reset()[0])
    assert np.array_equal(envs.action_space.sample(), other.action_space.sample())


def test_a_copy_of_what_has_not_begun_begins_alike() -> None:
    env = gymnasium.make("meiro/Maze-v0", shape=(3, 3))
    other = pickled(env)
    with pytest.raises(gymnasium.error.ResetNeeded):
        other.unwrapped.step(0)
    assert np.array_equal(env.reset(seed=3)[0], other.reset(seed=3)[0])
    env.step(1)
    other.step(1)
    again = copy.deepcopy(env)  # with its wrappers
    inner: list[Any] = [again.unwrapped, other.unwrapped]
    assert inner[0].cell == inner[1].cell
    assert inner[0].maze == inner[1].maze
    assert again.step(2)[1:] == env.step(2)[1:]


@pytest.mark.parametrize("ends", ["own", "random"])
@pytest.mark.parametrize(
    ("shape", "start", "goal"),
    [((4, 5), (1, 2), (3, 0)), (HEXAGONS, 6, 2), (HEXAGONS, (1, 2), (0, 2))],
    ids=["squares", "numbers", "coordinates"],
)
def test_an_episode_begins_and_ends_at_given_cells(shape: Any, start: Any, goal: Any, ends: Any) -> None:
    env = MazeEnv(shape, ends=ends, time_limit=1000)
    space = HEXAGONS.cell if shape is HEXAGONS else tuple
    plain = MazeEnv(shape, ends=ends, time_limit=1000)
    plain.reset(seed=3)
    env.reset(seed=3, options={"start": start, "goal": goal})
    assert (space(env.cell), space(env.goal)) == (space(start), space(goal))
    assert env.maze == plain.maze
    maze = env.maze
    walked = 0
    terminated = False
    while not terminated:
        _, _, terminated, _, _ = env.step(int(env.optimal_actions().argmax()))
        walked += 1
    assert walked == maze.solve(start, goal).length
    assert space(env.cell) == space(goal)
    env.reset()  # the next episode has its own again
    plain.reset()
    assert (env.cell, env.goal, env.maze) == (plain.cell, plain.goal, plain.maze)
    env.reset(options={"goal": plain.cell})
    plain.reset()


def test_an_end_that_is_given_where_the_other_one_is_changes_places_with_it() -> None:
    env = MazeEnv((3, 4), observation="grid")
    env.reset(seed=1, options={"start": (2, 3)})
    assert (env.cell, env.goal) == ((2, 3), (0, 0))
    seen, _ = env.reset(options={"goal": (0, 0)})
    assert (env.cell, env.goal) == ((2, 3), (0, 0))
    assert [seen[1, 1], seen[5, 7], np.count_nonzero(seen > 1)] == [2, 3, 2]
    seen, _ = env.reset(options={"start": (1, 1)})
    assert (env.cell, env.goal) == ((1, 1), (2, 3))
    assert [seen[3, 3], seen[5, 7], np.count_nonzero(seen > 1)] == [3, 2, 2]


def test_each_agent_may_have_ends_of_its_own() -> None:
    for shape, cells in (((3, 4), [(0, 1), (1, 1), (2, 2)]), (HEXAGONS, [1, 5, 10])):
        envs = MazeVectorEnv(3, shape, ends="random")
        envs.reset(seed=1, options={"start": cells, "goal": [*cells[1:], cells[0]]})
        a, b, c = (envs._task.space.number(cell, "cell") for cell in cells)
        wanted: Any = [(a, b), (b, c), (c, a)]
        assert [envs._task.agents.state(i)[:2] for i in range(3)] == wanted
        with pytest.raises(ValueError, match="start has 2 cells, but there are 3 environments"):
            envs.reset(options={"start": cells[:2]})
        refused(ValueError, "start and goal are both", envs.reset, options={"start": cells, "goal": cells[2]})
        assert [envs._task.agents.state(i)[:2] for i in range(3)] == wanted
