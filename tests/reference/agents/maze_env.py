"""An agent in mazes, step by step: slow and obvious."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import meiro
from meiro import _core
from meiro.gym._sides import sides_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west


class ReferenceEnv:
    """What `meiro.gym.MazeEnv` does; where an episode has ended, the next step begins the next one."""

    def __init__(
        self,
        shape: tuple[int, int],
        algorithm: str = "wilson",
        *,
        mazes: meiro.MazeBatch | None = None,
        observation: str = "cell",
        window: int = 5,
        ends: str = "own",
        time_limit: int = 1,
        rewards: tuple[float, float, float] = (-0.01, 0.0, 1.0),
    ) -> None:
        self.shape, self.algorithm, self.mazes, self.ends = shape, algorithm, mazes, ends
        self.observation, self.window, self.time_limit = observation, window, time_limit
        self.rewards = [np.float32(reward) for reward in rewards]

    def reset(self, seed: int | None = None) -> NDArray[Any]:
        if seed is not None:
            self.seed, self.episode = seed, 0
        rows, cols = self.shape
        key, words = meiro.replicate(self.seed, self.episode), iter(range(1000))

        def below(n: int) -> int:
            while True:  # Lemire's draw
                address = (*key.key, key.replicate, 0)
                (word,) = _core.random_words(address, _core.PURPOSE_AGENTS, next(words), 1)
                high, low = divmod(int(word) * n, 1 << 64)
                if low >= (1 << 64) % n:
                    return high

        start, goal = 0, rows * cols - 1
        if self.mazes is None:
            self.maze = self.make(key)
        else:
            self.maze = self.mazes[below(len(self.mazes))]
            (start, goal) = (row * cols + col for row, col in self.maze.endpoints)
        if self.ends == "random":
            start, goal = below(rows * cols), below(rows * cols - 1)
            goal += goal >= start
        self.cell, self.goal = divmod(start, cols), divmod(goal, cols)
        self.left, self.over = self.time_limit, False
        self.episode += 1
        return self.observe()

    def make(self, key: meiro.Seed) -> Any:
        return meiro.generate(self.shape, self.algorithm, rng=key)

    def moved(self, action: int) -> tuple[int, int] | None:
        """Return the cell behind a passage; None where there is none."""
        if not self.maze.passages[self.cell] >> action & 1:
            return None
        return self.cell[0] + MOVES[action][0], self.cell[1] + MOVES[action][1]

    def step(self, action: int) -> tuple[NDArray[Any], np.float32, bool, bool]:
        if self.over:
            return self.reset(), np.float32(0), False, False
        step, wall, goal = self.rewards
        to = self.moved(action)
        reward = step if to else np.float32(step + wall)
        self.cell = to or self.cell
        self.left -= 1
        terminated = self.cell == self.goal
        if terminated:
            reward = np.float32(reward + goal)
        truncated = self.left == 0 and not terminated
        self.over = terminated or truncated
        return self.observe(), reward, terminated, truncated

    def observe(self) -> NDArray[Any]:
        if self.observation == "cell":
            return np.array([*self.cell, *self.goal], np.int32)
        if self.observation == "sight":
            return np.array([self.free(d) for d in range(4)], np.int32)
        grid: NDArray[Any] = self.maze.to_grid().astype(np.uint8)
        grid[[0, -1]] = grid[:, [0, -1]] = 1  # openings are closed
        grid[2 * self.goal[0] + 1, 2 * self.goal[1] + 1] = 2
        row, col = 2 * self.cell[0] + 1, 2 * self.cell[1] + 1
        if self.observation == "grid":
            grid[row, col] = 3
            return grid
        margin = self.window // 2
        padded = np.pad(grid, margin, constant_values=1)
        return padded[row : row + self.window, col : col + self.window]

    def free(self, direction: int) -> int:
        """Count the open steps in a direction."""
        (row, col), steps = self.cell, 0
        while self.maze.passages[row, col] >> direction & 1:
            row, col, steps = row + MOVES[direction][0], col + MOVES[direction][1], steps + 1
        return steps


class ReferenceEnvOnLattice(ReferenceEnv):
    """The same on a lattice, whose cells are in one row."""

    def __init__(self, lattice: meiro.Lattice, algorithm: str, **task: Any) -> None:
        super().__init__((1, lattice.n_cells), algorithm, **task)
        self.lattice, self.sides = lattice, sides_of(lattice)

    def make(self, key: meiro.Seed) -> Any:
        return meiro.generate(self.lattice, self.algorithm, rng=key)

    def edge(self, action: int) -> int:
        """Return the edge of an action; -1 for none."""
        row = self.sides.edges[slice(*self.sides.indptr[self.cell[1] : self.cell[1] + 2])]
        return int(row[action]) if action < len(row) else -1

    def moved(self, action: int) -> tuple[int, int] | None:
        edge = self.edge(action)
        if edge < 0 or not self.maze.open[edge]:
            return None
        return 0, int(self.lattice.edges[edge].sum()) - self.cell[1]

    def observe(self) -> NDArray[Any]:
        at, (_, cell), (_, goal) = self.lattice.coordinates, self.cell, self.goal
        return np.array([cell, goal] if at is None else [*at[cell], *at[goal]])
