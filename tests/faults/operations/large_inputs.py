"""Large inputs for long operations: mazes, lattices, arrays, batches, traces, tables, pictures, agents."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray


@functools.lru_cache(maxsize=3)
def maze_of(side: int, algorithm: str = "backtracker", *, torus: bool = False) -> meiro.Maze:
    """Return a square maze."""
    return meiro.generate((side, side), algorithm, rng=1, wrap=(torus, torus))


@functools.lru_cache(maxsize=2)
def batch_of(n: int, side: int = 16) -> meiro.MazeBatch:
    """Return many small mazes."""
    return meiro.generate_many((side, side), "sidewinder", n, rng=1)


@functools.lru_cache(maxsize=2)
def trace_of(side: int, *, solve: bool = False) -> meiro.Trace:
    """Return the trace of a generator or of a search."""
    most = 10**8
    if solve:
        return meiro.trace_solve(maze_of(side), algorithm="dfs", max_events=most)
    return meiro.trace((side, side), "backtracker", rng=1, max_events=most)


@functools.lru_cache(maxsize=2)
def solution_of(side: int, algorithm: str = "wall_follower") -> meiro.Solution:
    """Return a solution with a long walk."""
    return meiro.solve(maze_of(side, "serpentine"), algorithm=algorithm)


@functools.lru_cache(maxsize=2)
def table_of(rows: int) -> meiro.Table:
    """Return a table of numbers and words."""
    draw = np.random.default_rng(1)
    words = np.array(["wilson", "kruskal", "prim"])[draw.integers(3, size=rows)]
    return meiro.Table({"algorithm": words, "i": np.arange(rows), "x": draw.random(rows)})


def room_of(side: int) -> NDArray[np.uint8]:
    """Return an open room, with a wall before the goal."""
    room = np.zeros((side, side), np.uint8)
    room[1:, -2] = 1
    return room


def noise(side: int) -> NDArray[np.uint8]:
    """Return walls at random places, 0 and 1, with open corners."""
    walls = (np.random.default_rng(1).random((side, side)) < 0.3).astype(np.uint8)
    walls[:2, :2] = walls[-2:, -2:] = 0
    return walls


def holes(side: int) -> NDArray[np.bool_]:
    """Return a mask."""
    mask: NDArray[np.bool_] = np.random.default_rng(1).random((side, side)) < 0.8
    mask[0, 0] = mask[-1, -1] = True
    return mask


def weights(side: int) -> NDArray[np.float64]:
    """Return costs of places."""
    return np.random.default_rng(1).random((side, side))


def wall_weights(side: int) -> NDArray[np.float64]:
    """Return whole costs of walls, many of which are equal."""
    return np.random.default_rng(1).integers(1, 9, 2 * side * (side - 1)).astype(float)


def characters(side: int) -> NDArray[np.str_]:
    """Return a room drawn in characters."""
    return np.array(["#", "."])[1 - room_of(side)]


def picture_of(side: int) -> Any:
    """Return a Pillow image of a maze."""
    from PIL import Image

    return Image.fromarray((1 - maze_of(side).grid) * np.uint8(255))


@functools.lru_cache(maxsize=1)
def photograph_of(side: int) -> NDArray[np.uint8]:
    """Return a picture of a maze with wide corridors in uneven light, with a red and a green mark."""
    grid = maze_of(max(side // 8, 1)).to_grid(corridor=6, wall=2)
    light = np.linspace(0.6, 1, grid.shape[1])[:, np.newaxis]
    picture = ((40 + 200 * (1 - grid[..., np.newaxis])) * light).astype(np.uint8)
    picture = np.broadcast_to(picture, (*grid.shape, 3)).copy()
    picture[3:6, 3:6], picture[-6:-3, -6:-3] = (200, 20, 30), (20, 180, 30)
    return picture


def marked_photograph_of(side: int) -> meiro.io.PictureArray:
    """Return the walls of that picture, with start and goal."""
    return meiro.from_image(photograph_of(side), start="red", goal="#00ff00")


def colours(side: int) -> NDArray[np.uint8]:
    """Return a picture of noise."""
    return np.random.default_rng(1).integers(0, 256, (side, side, 3), dtype=np.uint8)


@functools.lru_cache(maxsize=2)
def lattice_of(side: int) -> meiro.Lattice:
    """Return a square lattice."""
    return meiro.lattices.square(side, side)


def polygons_of(side: int) -> list[NDArray[np.float64]]:
    """Return the hexagons of a lattice."""
    lattice = meiro.lattices.hexagonal(side, side)
    return [lattice.polygon(cell) for cell in lattice]


@functools.lru_cache(maxsize=2)
def graph_maze_of(side: int) -> meiro.GraphMaze:
    """Return a perfect maze on a lattice."""
    return meiro.generate(lattice_of(side), "kruskal", rng=1)


@functools.lru_cache(maxsize=2)
def open_maze_of(side: int) -> meiro.GraphMaze:
    """Return a lattice with nearly all edges open."""
    lattice = lattice_of(side)
    return meiro.GraphMaze(lattice, np.arange(lattice.n_edges) % 97 > 0)


@functools.lru_cache(maxsize=2)
def graph_batch_of(n: int) -> meiro.GraphBatch:
    """Return many small mazes on one lattice."""
    return meiro.generate_many(lattice_of(16), "kruskal", n, rng=1)


@functools.lru_cache(maxsize=2)
def graph_trace_of(side: int) -> meiro.Trace:
    """Return a trace on a lattice."""
    return meiro.trace(lattice_of(side), "kruskal", rng=1)


def environment_of(n: int, **options: Any) -> Any:
    """Return an environment with a large maze."""
    env = meiro.gym.MazeEnv((n, n), "backtracker", **options)
    env.reset(seed=1)
    return env


def environments_of(n: int, **options: Any) -> Any:
    """Return many environments with small mazes."""
    envs = meiro.gym.MazeVectorEnv(n * n, (16, 16), "backtracker", **options)
    envs.reset(seed=1)
    return envs
