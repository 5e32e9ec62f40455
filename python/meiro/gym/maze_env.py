"""One maze at a time as an environment of Gymnasium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import gymnasium
import numpy as np

from meiro._utils.validation import integer
from meiro.gym._task import RENDER_MODES, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

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
            msg = "the episode has ended: call reset()" if self._task.seeds else "call reset() before step()"
            raise gymnasium.error.ResetNeeded(msg)
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
