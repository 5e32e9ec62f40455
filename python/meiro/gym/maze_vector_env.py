"""Many mazes at a time as a vector environment of Gymnasium, stepped in C++."""

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
            msg = f"seed has {len(seed)} items, but there are {self.num_envs} environments"
            raise ValueError(msg)
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
            msg = f"actions must have the shape ({self.num_envs},), not {short_repr(chosen.shape)}"
            raise ValueError(msg)
        if not self._task.seeds:
            msg = "call reset() before step()"
            raise gymnasium.error.ResetNeeded(msg)
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
