"""Environments of Gymnasium: one maze at a time, or many that are stepped in C++."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from meiro._utils.messages import short_repr
from meiro._utils.validation import integer, integers
from meiro.gym._task import RENDER_MODES, Task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import ShapeLike
    from meiro.gym._task import TaskArguments
    from meiro.lattices.lattice import Lattice
    from meiro.registry import Algorithm


class MazeEnv(gymnasium.Env[Any, Any]):
    """An agent that walks to the goal of a maze; each episode has a maze of its own.

    The actions are 0 north, 1 east, 2 south, 3 west; on a lattice the sides of a cell, as the notes say. One
    that meets a wall, or that a cell does not have, leaves the agent where it is. The episode is terminated
    at the goal, and truncated when `time_limit` steps end elsewhere.

    Parameters
    ----------
    shape : (int, int) or Lattice, optional
        Rows and columns, (16, 16) by default; or a lattice, or its recipe.
    algorithm : str, optional
        A name from ``meiro.ALGORITHMS``, "wilson" by default.
    render_mode : {"rgb_array", "ansi"}, optional
        "ansi" is for mazes that have a text: of rows and columns, boxes and weaves.
    **arguments
        By name:

        mazes : MazeBatch, GraphBatch, list of mazes or one maze, optional
            Each episode draws one of these mazes instead, all equally likely. The two batches of
            `meiro.split` have no maze in common, and with ``symmetries=True`` no images of each other: levels
            to train and to test. Those of `meiro.datasets.by_measure` are equally hard.
        observation : {"cell", "window", "grid", "sight"}
            What the agent sees:

            ========== ======================== ===== ===================================================
            ``cell``   (4,), (2 k,) or (2,)     int32 row and column of the agent, and of the goal
            ``window`` (window, window)         uint8 the sites around the agent: 0 road, 1 wall, 2 goal
            ``grid``   (2 rows + 1, 2 cols + 1) uint8 the drawn maze: 0 road, 1 wall, 2 goal, 3 agent
            ``sight``  (4,) or (actions,)       int32 open steps to the north, east, south and west
            ========== ======================== ===== ===================================================

            With locks also 4 door and 5 key; and "cell" ends with the cell of the next key, or of the goal
            once all are held.
            On a lattice a cell is its `Lattice.coordinates`, else its number; "sight" has the open steps
            straight on by each action, 0 or 1 where the lattice does not know what that is; and there are no
            pictures.
        window : int
            The side of the local window in sites of the drawn maze, odd. Beyond the border all is wall.
        ends : {"own", "random"}
            Whether the episode goes from the start to the goal of the maze (those of `mazes`; the first and
            the last cell by default), or between two different cells, each pair as likely.
        time_limit : int, optional
            The most steps of an episode; by default twice the number of cells, times ``locks + 1``.
        goal_reward : float
            The reward at the goal, not negative.
        step_reward : float
            The reward of each step, not positive.
        wall_reward : float
            The further reward of a step that meets a wall, not positive.
        locks : int
            Doors on the way to the goal, and their keys, drawn for each episode as `meiro.locks` does; fewer
            where the maze has no place for as many. A door is a wall until the agent was at its key.
        key_reward : float
            The reward of each key, not negative.
        options of the algorithm
            As in `meiro.generate`; masks, wraps and openings are not taken.

    Raises
    ------
    ValueError
        If the value of an argument is not one of these, or a maze has a mask or a wrap, fewer than two cells,
        or one cell as start and goal; or an observation is a picture, and the mazes are on a lattice.
    TypeError
        If `mazes` are no mazes of one kind or given with a shape or an algorithm, or the algorithm does not
        take an option.
    MemoryError
        If the mazes do not fit in memory; nothing has been allocated then.

    See Also
    --------
    MazeVectorEnv : Many of them, stepped together in C++.
    meiro.split : Levels to train and to test without a maze in common.

    Notes
    -----
    Episode ``e`` after ``reset(seed=s)`` has the maze ``meiro.generate(shape, algorithm,
    rng=meiro.replicate(s, e))``, on any machine. A ``reset`` without a seed begins the next episode. Mazes of
    algorithms that leave cells apart, such as "percolation", may have no path to the goal. No agent leaves
    its maze: openings are closed, and windows and grids show them as walls. Pickles and copies go on in the
    middle of an episode.

    Action k of a lattice goes through side k of the cell, from corner k to corner k + 1 of `Lattice.polygon`,
    as sides are numbered in `Lattice.rim`. In a `box` and in `zeta` it is the k-th of all steps in the order
    of the coordinates, first (-1, 0, 0); elsewhere it leads to the k-th of the cell's `Lattice.neighbors`.

    References
    ----------
    M. Towers et al., Gymnasium: A Standard Interface for Reinforcement Learning Environments (2024).
    arXiv:2407.17032

    Examples
    --------
    >>> env = meiro.gym.MazeEnv((2, 3), "wilson", render_mode="ansi")
    >>> observation, info = env.reset(seed=7)
    >>> observation.tolist()
    [0, 0, 1, 2]
    >>> env.maze == meiro.generate((2, 3), "wilson", rng=7)
    True
    >>> action = env.optimal_actions().argmax()
    >>> observation, reward, terminated, truncated, info = env.step(action)
    >>> round(reward, 6), terminated, truncated
    (-0.01, False, False)
    >>> env = meiro.gym.MazeEnv(meiro.lattices.hexagonal(3, 4), observation="sight")
    >>> env.action_space, env.reset(seed=7)[0].shape
    (Discrete(6), (6,))
    """

    __module__ = "meiro.gym"

    metadata: dict[str, Any] = {  # noqa: RUF012  # as Gymnasium declares it
        "render_modes": RENDER_MODES,
        "render_fps": 10,
    }

    def __init__(
        self,
        shape: ShapeLike | Lattice | Mapping[str, Any] | None = None,
        algorithm: Algorithm | str | None = None,
        *,
        render_mode: str | None = None,
        **arguments: Unpack[TaskArguments],
    ) -> None:
        self._task = Task(1, shape, algorithm, arguments)
        self.metadata = self.metadata | {"render_modes": self._task.render_modes(render_mode)}
        self.render_mode = render_mode
        self.observation_space = self._task.observation_space
        self.action_space = gymnasium.spaces.Discrete(self._task.n_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode: the first of a seed, or the next.

        Parameters
        ----------
        seed : int, optional
            Not negative. Without one, the first call draws a seed.
        options : dict, optional
            "start" and "goal" of this episode: cells, instead of those that it has by itself. If one is
            given where the other one is, they change places.

        Returns
        -------
        observation : ndarray
            As `observation_space` says.
        info : dict
            Empty.

        Raises
        ------
        ValueError
            If `seed` is negative, or `options` has other keys, or gives one cell for both.
        TypeError
            If `seed` is not an integer, or `options` not a dict.

        Examples
        --------
        >>> env = meiro.gym.MazeEnv((4, 5))
        >>> observation, info = env.reset(seed=7)
        >>> observation.shape, info
        ((4,), {})
        """
        if seed is not None:
            seed = integer(seed, "seed", 0)
        super().reset(seed=seed)
        if seed is None and not self._task.seeds:
            seed = int(self.np_random.integers(1 << 62))
        return self._task.begin(None if seed is None else [seed], options)[0], {}

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Go in a direction.

        Parameters
        ----------
        action : int
            0 north, 1 east, 2 south, 3 west; on a lattice the number of a side.

        Returns
        -------
        observation : ndarray
            As `observation_space` says.
        reward : float
            For the goal, a step, or a wall.
        terminated : bool
            Whether the goal is reached.
        truncated : bool
            Whether the steps are used up elsewhere.
        info : dict
            Empty.

        Raises
        ------
        ValueError
            If there is no such action.
        TypeError
            If `action` is not an integer.
        gymnasium.error.ResetNeeded
            If the episode has ended, or no episode has begun.

        Examples
        --------
        >>> env = meiro.gym.MazeEnv((4, 5))
        >>> _ = env.reset(seed=7)
        >>> _, reward, terminated, truncated, _ = env.step(int(env.unwrapped.optimal_actions().argmax()))
        >>> reward, terminated, truncated
        (-0.01, False, False)
        """
        direction = integer(action, "action", 0, self._task.n_actions)
        if not self._task.seeds or self._task.over():
            raise gymnasium.error.ResetNeeded(
                "the episode has ended: call reset()" if self._task.seeds else "call reset() before step()"
            )
        observations, rewards, terminated, truncated = self._task.agents.step(np.array([direction]))
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), {}

    @property
    def maze(self) -> Any:
        """The maze of this episode, made again.

        Examples
        --------
        >>> env = meiro.gym.MazeEnv((2, 3), "wilson")
        >>> _ = env.reset(seed=7)
        >>> env.maze
        <Maze 2 rows x 3 cols, wilson>
        """
        return self._task.maze(0)

    @property
    def cell(self) -> Any:
        """The cell of the agent.

        Examples
        --------
        >>> env = meiro.gym.MazeEnv((2, 3))
        >>> _ = env.reset(seed=7)
        >>> env.cell, env.goal
        ((0, 0), (1, 2))
        """
        return self._task.cell_and_goal(0)[0]

    @property
    def goal(self) -> Any:
        """The cell where the episode ends."""
        return self._task.cell_and_goal(0)[1]

    def optimal_actions(self) -> NDArray[np.bool_]:
        """Return the actions that begin a shortest path to the goal.

        Returns
        -------
        ndarray of bool, shape (actions,)
            All False at the goal, and where no path leads to it.

        Examples
        --------
        >>> env = meiro.gym.MazeEnv((2, 3), "wilson")
        >>> _ = env.reset(seed=7)
        >>> env.optimal_actions().sum()
        np.int64(1)
        """
        actions: NDArray[np.bool_] = self._task.optimal_actions()[0]
        return actions

    def optimal_return(self, gamma: float = 1.0) -> float:
        """Return the greatest return that is still to be had: the sum of rewards from this state on.

        Parameters
        ----------
        gamma : float
            The discount: the reward after ``t`` further steps counts ``gamma**t``. 0 to 1.

        Returns
        -------
        float
            The steps left are counted: if they are fewer than those to the goal, the goal has no part in it.
            0 when the episode has ended.

        Raises
        ------
        ValueError
            If `gamma` is not in [0, 1].

        Examples
        --------
        >>> env = meiro.gym.MazeEnv((2, 3), "serpentine", time_limit=6)
        >>> _ = env.reset(seed=7)
        >>> round(env.optimal_return(), 6)
        0.97
        """
        return float(self._task.optimal_returns(gamma)[0])

    def render(self) -> Any:
        """Return the picture (uint8, RGB) or the text of the present state, by `render_mode`; else None.

        Examples
        --------
        >>> env = meiro.gym.MazeEnv((4, 5), render_mode="rgb_array")
        >>> _ = env.reset(seed=7)
        >>> env.render().dtype
        dtype('uint8')
        """
        return None if self.render_mode is None else self._task.frame(0, self.render_mode)


class MazeVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many agents, each in a maze of its own, stepped together in C++.

    Environment ``i`` after ``reset(seed=s)`` does what ``MazeEnv`` does after ``reset(seed=s + i)``. When its
    episode has ended, the next step begins the next one: that action is not read, the reward is 0
    (``AutoresetMode.NEXT_STEP``, Gymnasium's own default). The mazes of later episodes are made ahead, a few
    in each step, so that episodes that end together cost no pause.

    Parameters
    ----------
    num_envs : int
        The number of agents.
    shape, algorithm : various
        As in `MazeEnv`.
    render_mode : {"rgb_array", "ansi"}, optional
        As in `MazeEnv`; `render` then returns a tuple of one frame for each agent.
    **arguments
        All others of `MazeEnv`.

    Raises
    ------
    ValueError, TypeError, MemoryError
        As `MazeEnv`; also if `num_envs` is not an integer from 1 on.

    See Also
    --------
    MazeEnv : One of them, with a description of every argument.

    References
    ----------
    M. Towers et al., Gymnasium: A Standard Interface for Reinforcement Learning Environments (2024).
    arXiv:2407.17032

    Examples
    --------
    >>> envs = meiro.gym.MazeVectorEnv(1000, (16, 16), "backtracker", observation="window", time_limit=512)
    >>> observations, infos = envs.reset(seed=7)
    >>> observations.shape, observations.dtype
    ((1000, 5, 5), dtype('uint8'))
    >>> actions = envs.optimal_actions().argmax(axis=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards.shape, bool(terminations.any())
    ((1000,), False)
    """

    __module__ = "meiro.gym"

    metadata: dict[str, Any] = {  # noqa: RUF012  # as Gymnasium declares it
        "render_modes": RENDER_MODES,
        "render_fps": 10,
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        shape: ShapeLike | Lattice | Mapping[str, Any] | None = None,
        algorithm: Algorithm | str | None = None,
        *,
        render_mode: str | None = None,
        **arguments: Unpack[TaskArguments],
    ) -> None:
        self.num_envs = integer(num_envs, "num_envs", 1, 1 << 31)
        self._task = Task(self.num_envs, shape, algorithm, arguments)
        self.metadata = self.metadata | {"render_modes": self._task.render_modes(render_mode)}
        self.render_mode = render_mode
        self.single_observation_space = self._task.observation_space
        self.single_action_space = gymnasium.spaces.Discrete(self._task.n_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode of each agent: the first ones of a seed, or the next.

        Parameters
        ----------
        seed : int or sequence of int or None, optional
            Not negative: of each agent, or of agent 0, and then agent ``i`` has ``seed + i``. Without one,
            the first call draws it, and later an agent goes on with its next episode.
        options : dict, optional
            As in `MazeEnv.reset`: "start" and "goal", one cell for all agents, or a list of one for each.

        Returns
        -------
        observations : ndarray, shape (num_envs, ...)
            As `observation_space` says.
        infos : dict
            Empty.

        Raises
        ------
        ValueError
            If a seed is negative, there are not `num_envs` of them or of the cells, or `options` has others.
        TypeError
            If `seed` is neither an integer nor a sequence of integers and None, or `options` not a dict.

        Examples
        --------
        >>> envs = meiro.gym.MazeVectorEnv(3, (4, 5))
        >>> observations, infos = envs.reset(seed=7)
        >>> observations.shape
        (3, 4)
        """
        if seed is None:
            if self._task.seeds:
                return self._task.begin(None, options), {}
            seed = int(self.np_random.integers(1 << 62))
        seeds = self._seeds(seed)
        super().reset(seed=seeds[0])
        if not self._task.seeds:
            seeds = [int(self.np_random.integers(1 << 62)) if one is None else one for one in seeds]
        return self._task.begin(seeds, options), {}

    def _seeds(self, seed: Any) -> list[int | None]:
        several = isinstance(seed, list | tuple) or (isinstance(seed, np.ndarray) and seed.ndim == 1)
        if not several:
            first = integer(seed, "seed", 0)
            return [*range(first, first + self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"seed has {len(seed)} items, but there are {self.num_envs} environments")
        return [None if one is None else integer(one, "seed", 0) for one in seed]

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Move every agent, and begin the next episodes of those that have ended.

        Parameters
        ----------
        actions : array_like of int, shape (num_envs,)
            0 north, 1 east, 2 south, 3 west; on a lattice the numbers of sides.

        Returns
        -------
        observations : ndarray, shape (num_envs, ...)
            As `observation_space` says.
        rewards : ndarray of float32, shape (num_envs,)
            For the goal, a step, or a wall; 0 where an episode begins.
        terminations : ndarray of bool, shape (num_envs,)
            Whether the goal is reached.
        truncations : ndarray of bool, shape (num_envs,)
            Whether the steps are used up elsewhere.
        infos : dict
            Empty.

        Raises
        ------
        ValueError
            If there is no such action or the shape is wrong; no agent has moved then.
        TypeError
            If `actions` are not integers.
        gymnasium.error.ResetNeeded
            Before the first reset.

        Examples
        --------
        >>> envs = meiro.gym.MazeVectorEnv(3, (4, 5))
        >>> _ = envs.reset(seed=7)
        >>> envs.step(envs.optimal_actions().argmax(axis=1))[1].tolist()
        [-0.009999999776482582, -0.009999999776482582, -0.009999999776482582]
        """
        chosen = integers(actions, "actions")
        if chosen.shape != (self.num_envs,):
            raise ValueError(
                f"actions must have the shape ({self.num_envs},), not {short_repr(chosen.shape)}"
            )
        if not self._task.seeds:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        return *self._task.agents.step(np.ascontiguousarray(chosen)), {}

    @property
    def mazes(self) -> tuple[Any, ...]:
        """The maze of each agent, made again.

        Examples
        --------
        >>> envs = meiro.gym.MazeVectorEnv(2, (2, 3), "wilson")
        >>> _ = envs.reset(seed=7)
        >>> envs.mazes
        (<Maze 2 rows x 3 cols, wilson>, <Maze 2 rows x 3 cols, wilson>)
        """
        return tuple(self._task.maze(i) for i in range(self.num_envs))

    def optimal_actions(self) -> NDArray[np.bool_]:
        """Return the actions that begin a shortest path to the goal.

        Returns
        -------
        ndarray of bool, shape (num_envs, actions)
            All False at the goal, and where no path leads to it.

        Examples
        --------
        >>> envs = meiro.gym.MazeVectorEnv(2, (2, 3), "wilson")
        >>> _ = envs.reset(seed=7)
        >>> envs.optimal_actions().sum(axis=1).tolist()
        [1, 1]
        """
        return self._task.optimal_actions()

    def optimal_return(self, gamma: float = 1.0) -> NDArray[np.float64]:
        """Return the greatest return that each agent can still have in its episode.

        Parameters
        ----------
        gamma : float
            The discount, 0 to 1.

        Returns
        -------
        ndarray of float64, shape (num_envs,)
            As `MazeEnv.optimal_return`.

        Raises
        ------
        ValueError
            If `gamma` is not in [0, 1].

        Examples
        --------
        >>> envs = meiro.gym.MazeVectorEnv(2, (2, 3), "serpentine", time_limit=6)
        >>> _ = envs.reset(seed=7)
        >>> envs.optimal_return().round(6).tolist()
        [0.97, 0.97]
        """
        return self._task.optimal_returns(gamma)

    def render(self) -> Any:
        """Return a picture (uint8, RGB) or a text of each agent, by `render_mode`; else None.

        Examples
        --------
        >>> envs = meiro.gym.MazeVectorEnv(2, (4, 5), render_mode="ansi")
        >>> _ = envs.reset(seed=7)
        >>> len(envs.render())
        2
        """
        mode = self.render_mode
        return None if mode is None else tuple(self._task.frame(i, mode) for i in range(self.num_envs))
