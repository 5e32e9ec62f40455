"""Mazes and arrays of every kind, by seed or as Hypothesis strategies."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from periodic_mazes import WRAPS, periodic_maze, periodic_mazes

import meiro
from meiro import Maze
from meiro._utils.square import n_walls

# The first worked example of the source articles: the order in which its walls fall, and the nine steps.
W1_ORDER = [7, 2, 11, 6, 1, 10, 4, 8, 0, 3, 5, 9]
W1_AREAS = """012345678 012315678 012115678 012115675 002005675 000005675 000005605 000005005 000000000"""

shapes = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def mazes(draw: st.DrawFn) -> meiro.Maze:
    """Any maze: loops, isolated and masked-out cells, components, openings in the border."""
    shape = draw(shapes)
    stands = draw(st.lists(st.booleans(), min_size=n_walls(shape), max_size=n_walls(shape)))
    mask = np.array(draw(st.lists(st.booleans(), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])))
    mask = mask.reshape(shape)
    if not mask.any():
        mask[0, 0] = True
    maze = meiro.Maze.from_wall_ids(shape, np.flatnonzero(stands), mask=mask)
    places = [(row, col) for row, col in rim_of(maze) if row in (0, 2 * shape[0]) or col in (0, 2 * shape[1])]
    openings = draw(st.lists(st.sampled_from(places), unique=True, max_size=3)) if places else []
    return meiro.Maze(maze.passages, mask, openings)


masks = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda shape: (
        st.lists(st.booleans(), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
        .filter(any)
        .map(lambda bits: np.array(bits).reshape(shape))
    )
)


def few_mazes() -> list[meiro.Maze]:
    """Return a maze of each kind: one cell, a row, of options, with a mask, with openings and ends."""
    mask = np.ones((6, 5), np.bool_)
    mask[2:4, 1:3] = False
    return [
        meiro.Maze([[0]]),
        meiro.generate((1, 9), "backtracker", rng=1),
        meiro.generate((20, 33), "backtracker", rng=[2, 3], after_dead_end="random", start=(3, 4)),
        meiro.generate((6, 5), "backtracker", rng=3, mask=mask),
        meiro.Maze([[2, 8]], openings=[(0, 1), (2, 3)], start=(0, 1), goal=(0, 0)),
    ]


def loose_mazes(most: int) -> st.SearchStrategy[meiro.Maze]:
    """Any maze of `most` rows and columns at most, or one on a periodic lattice."""
    sides, seeds = st.integers(1, most), st.integers(0, 999)
    return st.builds(loose_maze, sides, sides, seeds, holes=st.booleans()) | periodic_mazes()


ROUND = np.hypot(*(np.mgrid[:9, :9] - 4)) < 4.5


def loose_maze(rows: int, cols: int, seed: int, *, holes: bool = False) -> meiro.Maze:
    """Return any maze: loops, isolated cells, several components, and masked-out cells."""
    rng = np.random.default_rng(seed)
    edges = meiro.wall_cells((rows, cols), np.arange(rows * (cols - 1) + (rows - 1) * cols))
    mask = rng.random((rows, cols)) < 0.8 if holes else np.ones((rows, cols), bool)
    mask.flat[rng.integers(rows * cols)] = True
    edges = edges[(rng.random(len(edges)) < 0.6) & mask.reshape(-1)[edges].all(axis=1)]
    return meiro.Maze.from_edges((rows, cols), edges, mask=mask)


def open_maze(seed: int, wrap: tuple[bool, bool] = (False, False), *, holes: bool = False) -> Maze:
    """Return a maze of which most walls are open, so that it has rooms and free posts."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(3, 14, 2).tolist())
    mask = rng.random(shape) < 0.9 if holes else None
    p = float(rng.choice([0.6, 0.8, 0.95, 1]))
    return meiro.generate(shape, "percolation", p=p, wrap=wrap, mask=mask, rng=seed)


open_mazes = st.builds(
    open_maze, st.integers(0, 10_000), st.tuples(st.booleans(), st.booleans()), holes=st.booleans()
)


def some_array(seed: int) -> NDArray[np.uint8]:
    """Percolation, rooms with doors, open rooms, thin strips: something else for every seed."""
    rng = np.random.default_rng(seed)
    height, width = rng.integers(1, 40, 2)
    if seed % 7 == 0:
        height = 1
    walls: NDArray[np.uint8] = (rng.random((height, width)) < (0.0, 0.2, 0.38, 0.42)[seed % 4]).astype(
        np.uint8
    )
    if seed % 3 == 0:
        walls[::5] = 1
        walls[:, ::7] = 1
        walls[rng.random(walls.shape) < 0.1] = 0
    walls[0, 0] = 0
    return walls


def some_maze(seed: int) -> Maze:
    """Perfect, with loops, of several components, masked, one row, on a cylinder or torus."""
    rng = np.random.default_rng(seed)
    rows, cols = (int(n) for n in rng.integers(1, 20, 2))
    if seed % 5 == 0:
        rows = 1
    if seed % 4 == 1:
        wrap = WRAPS[seed // 4 % 3]
        shape = max(rows, 3 * wrap[0]), max(cols, 3 * wrap[1])
        return periodic_maze(shape, wrap, seed, seed // 12 % 4)
    mask = None
    if seed % 3 == 0:
        mask = rng.random((rows, cols)) < 0.8
        mask[0, 0] = True
    maze = meiro.generate((rows, cols), "backtracker", rng=seed, mask=mask)
    if seed % 2:
        return maze
    grid = maze.grid.copy()  # doors opened and closed at random, between cells that exist
    doors = np.zeros(grid.shape, np.bool_)
    cells = grid[1::2, 1::2] == 0
    doors[1::2, 2:-1:2] = cells[:, 1:] & cells[:, :-1]
    doors[2:-1:2, 1::2] = cells[1:] & cells[:-1]
    grid[doors & (rng.random(grid.shape) < 0.2)] ^= 1
    return Maze.from_grid(grid)


def drawn_grid(maze: meiro.Maze, outside: str = "blank") -> NDArray[np.uint8]:
    """Return the grid as pictures show it: what touches no cell is road, unless `outside` is "wall"."""
    grid = maze.grid.copy()
    if maze.mask is None or outside == "wall":
        return grid
    for row, col in np.ndindex(*grid.shape):
        cells = {(r, c) for r in ((row - 1) // 2, row // 2) for c in ((col - 1) // 2, col // 2)}
        for r, c in cells:
            r1, c1 = r % maze.rows if maze.wrap[0] else r, c % maze.cols if maze.wrap[1] else c
            if 0 <= r1 < maze.rows and 0 <= c1 < maze.cols and maze.mask[r1, c1]:
                break
        else:
            grid[row, col] = 0
    return grid


# Where openings may lie, as plainly as can be

Cell = tuple[int, int]


def is_cell(maze: Maze, cell: Cell) -> bool:
    row, col = cell
    inside = 0 <= row < maze.rows and 0 <= col < maze.cols
    return inside and (maze.mask is None or bool(maze.mask[cell]))


def sides_of(site: Cell) -> tuple[Cell, Cell]:
    """The places on both sides of a wall, of which one may be outside the grid."""
    row, col = site
    return ((row - 1) // 2, (col - 1) // 2), (row // 2, col // 2)


def rim_of(maze: Maze) -> list[Cell]:
    """The sites with a cell on exactly one side and in no periodic border, row by row."""
    found = []
    for site in product(range(2 * maze.rows + 1), range(2 * maze.cols + 1)):
        over = (site[0] in {0, 2 * maze.rows} and maze.wrap[0]) or (
            site[1] in {0, 2 * maze.cols} and maze.wrap[1]
        )
        if sum(site) % 2 == 1 and sum(is_cell(maze, side) for side in sides_of(site)) == 1 and not over:
            found.append(site)
    return found


def outer_rim_of(maze: Maze) -> list[Cell]:
    """Those of the rim that are not of a hole: the places outside are joined to the frame around the grid."""
    rows = range(0 if maze.wrap[0] else -1, maze.rows + (not maze.wrap[0]))
    cols = range(0 if maze.wrap[1] else -1, maze.cols + (not maze.wrap[1]))
    frame = ((rows, maze.rows, maze.wrap[0]), (cols, maze.cols, maze.wrap[1]))
    todo = [
        place
        for place in product(rows, cols)
        if any(not over and at in {-1, n} for at, (_, n, over) in zip(place, frame, strict=True))
    ]
    around = set(todo)
    while todo:
        row, col = todo.pop()
        for down, across in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            r = (row + down) % maze.rows if maze.wrap[0] else row + down
            c = (col + across) % maze.cols if maze.wrap[1] else col + across
            if r in rows and c in cols and (r, c) not in around and not is_cell(maze, (r, c)):
                around.add((r, c))
                todo.append((r, c))
    return [site for site in rim_of(maze) if around & set(sides_of(site))]


def beside(maze: Maze, site: Cell) -> Cell:
    """The cell that an opening leads to."""
    (cell,) = (side for side in sides_of(site) if is_cell(maze, side))
    return cell
