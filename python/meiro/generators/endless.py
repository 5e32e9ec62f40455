"""Mazes without borders: windows of them, and paths in them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import Cell, CellLike, E, N, S, W
from meiro._utils.validation import Threads, integer, number, pair, require_type, thread_count
from meiro.errors import NoPathError
from meiro.generators.options import scaled
from meiro.mazes._openings import order_of_sites
from meiro.mazes.maze import maze_from_core
from meiro.registry import ALGORITHMS
from meiro.seeds import RNG, Seed, seed_of, seed_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.mazes.maze import Maze

EndlessAlgorithm = Literal["kruskal", "percolation", "binary_tree", "sidewinder", "pole_toppling"]
COORDINATE_END = 1 << 62
"""Rows and columns go from its negative to one less."""


def endless(algorithm: EndlessAlgorithm | str, *, rng: RNG = None, p: float | None = None) -> EndlessMaze:
    """Return a maze without borders, of which any part is made when it is asked for.

    Rows and columns are all integers from ``-2**62`` to ``2**62 - 1``. Nothing is stored and nothing is
    approximate: any two windows agree where they overlap, whatever was asked for before.

    Parameters
    ----------
    algorithm : str
        "kruskal" is the minimal spanning forest of the plane, the limit of
        ``meiro.generate((n, n), "kruskal")`` in the middle of ever larger mazes, with the same weights at the
        same cells. "binary_tree" has the coins of wide mazes of `meiro.generate`. "sidewinder" and
        "pole_toppling" are rows without begin: with the law of `meiro.generate` far from its borders, and
        without its first row. In "percolation" the walls whose weight in "kruskal" is below `p` are open.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed gives the same maze on every machine. None takes entropy from the system.
    p : float
        The probability that a wall is open, 0.5 by default; of "percolation" alone.

    Returns
    -------
    EndlessMaze
        All but "percolation" have exactly one path between any two cells, with probability 1.

    Raises
    ------
    ValueError
        If the algorithm is unknown, or has no endless form; or `p` is not in [0, 1].
    TypeError
        If `p` is given to another algorithm than "percolation".

    See Also
    --------
    meiro.generate : Mazes with borders.
    meiro.eller_rows : A maze with two borders, row by row.

    References
    ----------
    R. Lyons, Y. Peres, O. Schramm, Minimal spanning forests, Ann. Probab. 34 (2006) 1665-1692.
    doi:10.1214/009117906000000269

    Examples
    --------
    >>> maze = meiro.generators.endless("kruskal", rng=7)
    >>> print(maze.window(slice(-2, 2), slice(10**18, 10**18 + 6)))
    ╶─────┐ ╶─┐ ·
          │   │
    ┌─┐ ┌─┴─┬─┼─╴
    │ │ │   │ │
    ╵ │ │ ╷ ╵ ╵ ╷
      │ │ │     │
    ╶─┤ ├─┘ ┌───┘
      │ │   │
    · └─┴───┴───╴
    """
    return EndlessMaze(algorithm, seed_of(rng), p)


@dataclass(frozen=True, slots=True, repr=False)
class EndlessMaze:
    """A maze without borders: `endless` returns it.

    Frozen; two are equal if algorithm, seed and `p` are.

    Parameters
    ----------
    algorithm : str
        As of `endless`.
    seed : Seed
        ``meiro.generators.endless(algorithm, rng=seed)`` is the same maze.
    p : float or None
        The probability that a wall is open, if the algorithm is "percolation"; else None.

    Examples
    --------
    >>> meiro.generators.endless("kruskal", rng=7)
    <EndlessMaze kruskal>
    """

    __module__ = "meiro.generators"

    algorithm: str
    seed: Seed
    p: float | None = None

    def __post_init__(self) -> None:
        """Check algorithm, seed and `p`."""
        facts = ALGORITHMS.find(self.algorithm, "algorithm")
        name = facts.name
        if "endless" not in facts.parts:
            able = ", ".join(f.name for f in ALGORITHMS.values() if "endless" in f.parts)
            raise ValueError(f"algorithm {name!r} has no endless form: take {able}")
        require_type(self.seed, Seed, "seed", "a Seed", ": meiro.generators.endless takes rng=")
        p = self.p
        if name == "percolation":
            p = 0.5 if p is None else number(p, "p", 0, 1)
        elif p is not None:
            raise TypeError(f"{name!r} takes no option 'p': percolation does")
        object.__setattr__(self, "algorithm", name)
        object.__setattr__(self, "p", p)

    def __repr__(self) -> str:
        """Return one line."""
        return f"<EndlessMaze {self.algorithm}{'' if self.p is None else f', p={self.p:g}'}>"

    def __array__(self, dtype: object = None, copy: object = None) -> NDArray[np.uint8]:
        """Refuse: `solve`, `measure` and NumPy take arrays, which have ends."""
        raise TypeError(f"{self!r} has no ends: take a part, as maze.window(slice(0, 20), slice(0, 30))")

    def window(
        self, rows: slice, cols: slice, *, threads: Threads = None, progress: Progress = False
    ) -> Maze:
        """Return the cells of some rows and columns as a maze.

        Parameters
        ----------
        rows, cols : slice
            ``slice(first, stop)``, of any integers from ``-2**62`` to ``2**62``.
        threads : int or "all", optional
            Number of threads that share the window; the maze does not depend on it.
        progress : bool or callable
            True for a progress bar, or ``callable(done, total)``, counted in cells.

        Returns
        -------
        Maze
            Its cell (0, 0) is where both slices begin. Where a passage leads out of the window,
            the border has an opening; so two cells may be connected only outside of it. Without recipe.

        Raises
        ------
        ValueError
            If a slice has a step, is empty or leads beyond ``2**62``.
        TypeError
            If `rows` or `cols` is not a slice of two integers.
        MemoryError
            If the window does not fit in memory.

        Notes
        -----
        Kruskal: 256 x 256 cells take 15 ms and 8 x 8 cells 0.2 ms in the median; one window of 256 x 256 in a
        hundred takes seven times as long. Whether a wall opens may depend on what lies far away: the number
        of steps along the walls that decide it has no bound. The other algorithms take 5 to 20 ns a cell.

        Examples
        --------
        >>> maze = meiro.generators.endless("sidewinder", rng=7)
        >>> part = maze.window(slice(0, 10), slice(-5, 15))
        >>> part.shape, len(part.openings)
        ((10, 20), 35)
        """
        return self._window(
            _side(rows, "rows"), _side(cols, "cols"), thread_count(threads), progress=progress
        )

    def chunk(self, i: SupportsIndex, j: SupportsIndex, *, size: SupportsIndex = 64) -> Maze:
        """Return one of the squares of cells into which the plane is cut.

        Parameters
        ----------
        i, j : int
            Which one: that of the rows ``i * size`` to ``(i + 1) * size - 1``, and the same of columns.
        size : int
            Side of a square, in cells.

        Returns
        -------
        Maze
            As `window` returns it.

        Raises
        ------
        ValueError
            If the square leads beyond ``2**62``, or `size` is below 1.
        MemoryError
            If it does not fit in memory.

        Examples
        --------
        >>> maze = meiro.generators.endless("binary_tree", rng=7)
        >>> maze.chunk(-1, 0, size=5) == maze.window(slice(-5, 0), slice(0, 5))
        True
        """
        side = integer(size, "size", 1, COORDINATE_END)
        firsts = (integer(at, name) * side for at, name in ((i, "i"), (j, "j")))
        rows, cols = (
            _side(slice(first, first + side), name) for first, name in zip(firsts, "ij", strict=True)
        )
        return self._window(rows, cols)

    def _window(
        self, rows: tuple[int, int], cols: tuple[int, int], threads: int = 1, *, progress: Progress = False
    ) -> Maze:
        """Return a window by the first row and the number of rows, and the same of columns."""
        shape = rows[1], cols[1]
        require(2 * shape[0] * shape[1], f"a window of {shape}", "take fewer rows or columns")
        out = np.empty(shape, np.uint8)
        share = 0 if self.p is None else scaled(self.p, 1 << 63)
        words, first = seed_words(self.seed), (rows[0], cols[0])
        _core.endless_window(self.algorithm, out, first, words, share, threads, reporter(progress))
        return maze_from_core(out, None, _cut(out))

    def solve(
        self, start: CellLike, goal: CellLike, *, max_cells: SupportsIndex = 1 << 22
    ) -> NDArray[np.int64]:
        """Find the shortest path between two cells, in windows that grow until they hold it.

        Parameters
        ----------
        start, goal : (int, int)
            Row and column.
        max_cells : int
            The largest window that is searched, in cells.

        Returns
        -------
        ndarray of int64, shape (k, 2)
            The cells of the path, from `start` to `goal`.

        Raises
        ------
        NoPathError
            If there is no path ("percolation").
        ValueError
            If the path is not found within `max_cells`, or a cell is beyond ``2**62``.
        MemoryError
            If a window does not fit in memory.

        See Also
        --------
        meiro.solve : Paths in a window.

        Notes
        -----
        In "binary_tree", "sidewinder" and "pole_toppling" the way round between two cells at a distance d is
        often longer than d**2.

        Examples
        --------
        >>> maze = meiro.generators.endless("kruskal", rng=7)
        >>> path = maze.solve((0, 0), (3, 4))
        >>> len(path), path[-1].tolist()
        (12, [3, 4])
        """
        from meiro.solvers.distances import distances
        from meiro.solvers.solve import solve

        first, last = _checked_cell(start, "start"), _checked_cell(goal, "goal")
        most = integer(max_cells, "max_cells", 1)
        sides = [(min(pair), max(pair) + 1) for pair in zip(first, last, strict=True)]
        apart = abs(first[0] - last[0]) + abs(first[1] - last[1])
        margin = max(16, apart // 4)
        while True:
            around = self._around(margin)
            cuts = [
                (max(low - before, -COORDINATE_END), min(high + behind, COORDINATE_END))
                for (low, high), (before, behind) in zip(sides, around, strict=True)
            ]
            rows, cols = ((low, high - low) for low, high in cuts)
            if rows[1] * cols[1] > most:
                raise ValueError(
                    f"no path from start={first} to goal={last} was found within max_cells={most:,}: the "
                    f"next window, {rows[1]:,} x {cols[1]:,} cells, is larger"
                )
            window = self._window(rows, cols)
            ends = [(row - rows[0], col - cols[0]) for row, col in (first, last)]
            try:
                found = solve(window, *ends)
            except NoPathError:
                for end, cell in zip(ends, (first, last), strict=True):
                    reached = distances(window, end) >= 0
                    if not _leads_out(window, reached):
                        raise NoPathError(
                            f"no path: {cell} is connected with {int(reached.sum()) - 1:,} other cells only"
                        ) from None
                margin *= 2
                continue
            # A path that leaves the window is at least this long; in a tree there is no other path.
            if self.algorithm != "percolation" or found.length <= apart + 2 * (margin + 1):
                return np.add(found.path, (rows[0], cols[0]))
            margin = (found.length - apart) // 2

    def _around(self, margin: int) -> tuple[Cell, Cell]:
        """Return by how many rows and columns a window grows: to where paths lead in these mazes."""
        if self.algorithm == "binary_tree":
            return (margin, 0), (margin, 0)
        aside = 4 * math.isqrt(margin)  # a random walk, which in pole_toppling drifts
        if self.algorithm == "sidewinder":
            return (margin, 0), (aside, aside)
        if self.algorithm == "pole_toppling":
            return (margin, 0), (margin // 2 + aside, aside)
        return (margin, margin), (margin, margin)


def _side(given: slice, name: str) -> tuple[int, int]:
    """Return the first and the number of rows or columns."""
    if not isinstance(given, slice) or given.start is None or given.stop is None:
        raise TypeError(f"{name} must be a slice of two integers, as slice(-5, 20), not {short_repr(given)}")
    first, stop = integer(given.start, f"{name}.start"), integer(given.stop, f"{name}.stop")
    if given.step is not None and integer(given.step, f"{name}.step") != 1:
        raise ValueError(f"{name}: a window is cut in steps of 1, not {short_repr(given.step)}")
    if stop <= first:
        raise ValueError(f"{name} {short_repr(given)} holds no cell")
    if first < -COORDINATE_END or stop > COORDINATE_END:
        raise ValueError(f"{name} {short_repr(given)} leads beyond 2**62: an endless maze ends there")
    return first, stop - first


def _checked_cell(given: CellLike, name: str) -> Cell:
    row, col = pair(given, name)
    if not (-COORDINATE_END <= row < COORDINATE_END and -COORDINATE_END <= col < COORDINATE_END):
        raise ValueError(f"{name} {short_repr((row, col))} lies beyond 2**62: an endless maze ends there")
    return row, col


def _cut(passages: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Close the passages that lead out of a window; return their sites, row by row."""
    rows, cols = passages.shape
    sites = []
    for side, bit, at, axis in (
        (passages[0], N, 0, 0),
        (passages[:, 0], W, 0, 1),
        (passages[:, -1], E, 2 * cols, 1),
        (passages[-1], S, 2 * rows, 0),
    ):
        along = 2 * np.flatnonzero(side & bit) + 1
        across = np.full_like(along, at)
        sites.append(np.stack([along, across] if axis else [across, along], 1))
        np.bitwise_and(side, 15 - bit, out=side)
    found = np.concatenate(sites)
    return found[order_of_sites(found)]


def _leads_out(window: Maze, reached: NDArray[np.bool_]) -> bool:
    """Return whether an opening of a window is beside a cell that is reached."""
    rows, cols = window.shape
    beside = np.clip((window.openings - 1) // 2, 0, (rows - 1, cols - 1))
    return bool(reached[tuple(beside.T)].any())
