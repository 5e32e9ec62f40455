"""The results of `meiro.solve`: on rows and columns, and on a lattice."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Never, Unpack

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.cell_words import names_of
from meiro._utils.memory import require
from meiro._utils.messages import refuse_unknown

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from typing import IO

    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike, NDArray
    from PIL import Image

    from meiro._utils.options import SaveOptions
    from meiro._utils.square import Cell, Wrap

    Picture = str | os.PathLike[str] | IO[bytes] | Image.Image | ArrayLike

_NOWHERE = read_only(np.empty((0, 2), np.int64))

KEPT_PATH = 1 << 20
"""Up to this many steps a solution keeps its path; longer paths are built at each access."""

_CHUNK = 1 << 18  # steps


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution:
    """A path from start to goal, and the places explored to find it.

    All places are in the units of the input: cells of a `Maze`, or sites of a wall/road array. The arrays are
    read-only and built on access; a path is stored as one byte a step. Two solutions are equal if all their
    attributes are. Cells of a lattice ("vertices") are in its own words: `start` and `goal` labels, tuples of
    coordinates, or numbers; `path` and `walk` arrays of labels, shape (k,), of coordinates, (k, axes), or of
    numbers, (k,); `explored` and `visit_order` have shape (n_cells,).

    Attributes
    ----------
    algorithm : str
    space : "cells", "sites" or "vertices"
        The units of `path`, `explored`, `order`, `start`, `goal` and `shape`.
    shape : (int, int)
        Of the maze in cells, or of the array.
    start, goal : (int, int)
        Of several goals, the one that was found; the first of them if none was found.
    found : bool
        Whether a path was found. If not, `path` is empty, `length` is -1, and `reason` says why.
    reason : str
        Why the algorithm gave up; empty if a path was found.
    moves : 4 or 8
        8 if diagonal steps were allowed.
    cost : float
        The cost of the path: the sum over its steps of the weight of the place entered (1 without weights),
        times sqrt(2) if the step is diagonal, and of what its turns cost. Infinite without a path.
    wrap : (bool, bool)
        Whether the maze or array is periodic along rows and columns; steps of `path` may then cross the
        border.
    openings : ((int, int) or None, (int, int) or None)
        The openings at which the path comes in and goes out: sites of the grid of a `Maze`, a cell and the
        number of its side of a `GraphMaze`; None at an end that is no opening of its own, or was given.
    path : ndarray of int64, shape (k, 2)
        From start to goal, both included.
    length : int
        Steps of the path, ``k - 1``.
    path_numbers : ndarray of int64, shape (k,)
        The path in numbers of places: ``row * cols + col``, of a lattice the numbers of its cells.
    edge_ids : ndarray of int32, shape (k - 1,), or None
        The edges of the path of a `GraphMaze`; None of others.
    walk : ndarray of int64, shape (w, 2), or None
        All positions of the walk, in order, detours included; None for solvers that do not walk.
    remains : ndarray of bool, shape `shape`, or None
        True on the places left after dead ends were filled; None for solvers that do not fill.
    grid_path : ndarray of int64, shape (m, 2)
        The path in sites; of a `Maze`, in the sites of its grid, doors and `openings` included. A step across
        a periodic border leaves the grid at the border and enters at the opposite site, which is the same
        door. A lattice has no grid.
    cells : ndarray of int64, shape (n, 2)
        The path in cells; of an array, in the cells of the maze of which the array is the grid. A ValueError
        if the array cannot be such a grid.
    mask : ndarray of bool, shape of the grid or array
        True on the sites of the path.
    explored : ndarray of bool, shape `shape`
        The places that were reached, the goal included; for solvers that fill, the filled places as well.
    visit_order : ndarray of int64, shape `shape`, or None
        The number of each place in the order of exploration, 0 for the start, -1 if not reached. None unless
        ``visit_order=True``.

    See Also
    --------
    solve : returns a solution.
    cells_to_grid, grid_to_cells : convert paths between cells and sites.

    Examples
    --------
    >>> solution = meiro.solve(meiro.Maze([[2, 8]]))
    >>> solution
    <Solution of 1 step in cells, bfs from (0, 0) to (0, 1), 2 explored>
    >>> solution.path.tolist(), solution.grid_path.tolist()
    ([[0, 0], [0, 1]], [[1, 1], [1, 2], [1, 3]])
    """

    __module__ = "meiro"

    algorithm: str
    space: Literal["cells", "sites", "vertices"]
    shape: tuple[int, int]
    start: Cell
    goal: Cell
    found: bool
    reason: str
    visit_order: NDArray[np.int64] | None
    remains: NDArray[np.bool_] | None
    wrap: Wrap
    moves: int
    cost: float
    _steps: NDArray[np.uint8]
    _walk: NDArray[np.uint8] | None
    _reached: NDArray[np.uint8]
    _n_explored: int
    openings: tuple[Cell | None, Cell | None] = (None, None)
    _searched: Any = None  # for displays only: the Maze, or the walls of an array, packed into bits
    _explored: NDArray[np.bool_] | None = field(default=None, init=False)
    _path: NDArray[np.int64] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.visit_order, self.remains, self._steps, self._walk):
            if array is not None:
                array.flags.writeable = False

    @property
    def length(self) -> int:
        """Steps of the path; -1 without a path."""
        return len(self._steps) if self.found else -1

    @property
    def path(self) -> NDArray[np.int64]:
        """The path from start to goal, both included, as (row, col)."""
        if self._path is not None:
            return self._path
        path = self._places(self._steps, self.start, 1) if self.found else _NOWHERE
        if self.length <= KEPT_PATH:
            object.__setattr__(self, "_path", path)
        return path

    @property
    def path_numbers(self) -> NDArray[np.int64]:
        """The path in numbers of places, ``row * cols + col``."""
        return read_only(self.path @ (self.shape[1], 1))

    @property
    def edge_ids(self) -> NDArray[np.int32] | None:
        """The edges of the path, if the places are cells of a lattice; else None."""
        return None

    @property
    def grid_path(self) -> NDArray[np.int64]:
        """The path in sites."""
        if self.space == "sites":
            return self.path
        if not self.found:
            return _NOWHERE
        row, col = self.start
        path = self._places(self._steps, (2 * row + 1, 2 * col + 1), 2)
        before, after = (() if site is None else (site,) for site in self.openings)
        if not before and not after:
            return path
        first, last = (np.array(sites, np.int64).reshape(-1, 2) for sites in (before, after))
        return read_only(np.concatenate([first, path, last]))

    @property
    def walk(self) -> NDArray[np.int64] | None:
        """All positions of the walk, in order; None for solvers that do not walk."""
        return None if self._walk is None else self._places(self._walk, self.start, 1)

    @property
    def cells(self) -> NDArray[np.int64]:
        """The path in cells; a ValueError if the array cannot be the grid of a maze."""
        if self.space == "cells":
            return self.path
        path = self.path
        if any(side % 2 == 0 or side < 3 for side in self.shape):
            raise ValueError(
                f"an array of {self.shape} sites is not a maze grid, and the path has no cells: use .path"
            )
        odd = (path & 1) != 0
        posts = np.flatnonzero(~odd.any(axis=1))
        if posts.size:
            site = tuple(path[posts[0]].tolist())
            raise ValueError(
                f"the path crosses site {site}, a post of a maze grid, and has no cells: use .path"
            )
        return read_only(path[odd.all(axis=1)] >> 1)

    @property
    def mask(self) -> NDArray[np.bool_]:
        """True on the sites of the path."""
        rows, cols = self.shape
        mask = np.zeros((rows, cols) if self.space == "sites" else (2 * rows + 1, 2 * cols + 1), np.bool_)
        mask[tuple(self.grid_path.T)] = True
        return read_only(mask)

    @property
    def explored(self) -> NDArray[np.bool_]:
        """The places that were reached."""
        if self._explored is None:
            # In place: by which step a site was reached is not needed any more, and the memory is.
            np.minimum(self._reached, 1, out=self._reached)
            object.__setattr__(self, "_explored", read_only(self._reached.view(np.bool_)))
        return self._explored  # type: ignore[return-value]  # set above

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        picture: Picture | None = None,
        color: ColorType | None = None,
        width: float | None = None,
        **options: Unpack[SaveOptions],
    ) -> None:
        """Write the maze with the path to a file, or the picture in which it was found, painted.

        Parameters
        ----------
        path : path
            Where to. The suffix selects the format: one of those in which `meiro.save` shows a solution, as
            ``.png``, ``.svg`` and ``.pdf``, and of a picture one of Pillow's, as ``.png`` or ``.jpg``.
        picture : PictureArray, path, binary file, Pillow image, or array_like, optional
            What `meiro.from_image` returned, which says where its pixels are in the picture; or the picture
            itself, if a site of the path is a pixel of it, or a square of pixels. Default: the maze is drawn.
        color : color, optional
            Of the line on a picture, as matplotlib takes it. Default: the red of `meiro.colors`.
        width : float, optional
            Of the line, in pixels. Default: half of the width of a corridor in whose middle it runs, at each
            place by the distance from the nearest wall, and nowhere more than at half of the places;
            ``solve(..., centre=True)`` leaves room on both sides.
        **options
            Of a maze that is drawn: as `meiro.save` takes them.

        Raises
        ------
        ValueError
            If there is no path to paint, the picture has another size, the suffix is unknown, or there is
            neither a picture nor the maze, which a pickle does not hold.
        ImportError
            If Pillow is not installed, for pictures.

        See Also
        --------
        meiro.save : draws a maze with its solution.

        Examples
        --------
        >>> import numpy as np
        >>> photo = np.full((40, 60, 3), 255, np.uint8)
        >>> photo[:3, 8:] = photo[-3:, :-8] = photo[:, :3] = photo[:, -3:] = 0
        >>> x = meiro.from_image(photo)
        >>> meiro.solve(x, centre=True).save("solved.png", picture=x)
        >>> meiro.generate((6, 8), rng=7).solve().save("path.svg", explored=True)
        """
        from meiro.io.files import save
        from meiro.io.painting import paint_solution

        if picture is not None:
            refuse_unknown("save() with picture=", options, ("picture", "color", "width"))
            if self.space == "vertices":
                raise TypeError("no picture has cells of a lattice: without picture= the maze is drawn")
            paint_solution(self, path, picture=picture, color=color, width=width)
            return
        for name, given in (("color", color), ("width", width)):
            if given is not None:
                instead = "colors={'path': ...}" if name == "color" else "path_width="
                raise TypeError(f"{name}= is for a picture=; of a maze that is drawn, give {instead}")
        maze = self.searched()
        if maze is None:
            raise ValueError(
                f"{self!r} has no maze to draw, as it was in a pickle: meiro.save(maze, path, solution=...)"
            )
        save(maze, path, solution=self, **options)

    def path_chunks(self) -> Iterator[NDArray[np.int64]]:
        """Yield a long path in pieces, each of which begins where the one before ends.

        Examples
        --------
        >>> [len(piece) for piece in meiro.solve(meiro.generate((20, 30), rng=7)).path_chunks()]
        [77]
        """
        at = self.start
        for first in range(0, max(self.length, 1) if self.found else 0, _CHUNK):
            chunk = _core.walk(self._steps[first : first + _CHUNK], *at, 1, *self.shape, self.moves)
            at = chunk[-1].tolist()
            yield chunk

    def _places(self, steps: NDArray[np.uint8], at: Cell, stride: int) -> NDArray[np.int64]:
        require(16 * (len(steps) * stride + 1), f"the path of {self!r}", "solve a smaller maze")
        height, width = self.shape if stride == 1 else (2 * side + 1 for side in self.shape)
        return read_only(_core.walk(steps, *at, stride, height, width, self.moves))

    def _key(self) -> tuple[object, ...]:
        ends = self.start, self.goal, self.openings, self.found, self.reason, self.cost
        return (self.algorithm, self.space, self.shape, self.wrap, self.moves, *ends, self._n_explored)

    def __eq__(self, other: object) -> bool:
        """Return whether all attributes are equal."""
        if not isinstance(other, Solution):
            return NotImplemented
        return self._key() == other._key() and all(
            (mine is None and theirs is None) or np.array_equal(mine, theirs)  # type: ignore[arg-type]
            for mine, theirs in zip(self._arrays(), other._arrays(), strict=True)
        )

    def _arrays(self) -> tuple[NDArray[Any] | None, ...]:
        return self._steps, self._walk, self.explored, self.remains, self.visit_order

    def __hash__(self) -> int:
        """Return a hash that equal solutions share."""
        return hash((self._key(), self.length))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the attributes only, without the maze for displays; equal solutions have equal pickles."""
        _ = self.explored  # by which step a site was reached is overwritten
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.init and f.name != "_searched"}
        return partial(type(self), **kept), ()

    def searched(self) -> Any:
        """Return the `Maze` that was searched, or the walls (1) of an array; None after unpickling.

        Examples
        --------
        >>> meiro.solve([[0, 0, 1]], (0, 0), (0, 1)).searched().tolist()
        [[0, 0, 1]]
        """
        if not isinstance(self._searched, np.ndarray):
            return self._searched
        rows, cols = self.shape
        return np.unpackbits(self._searched, count=rows * cols).reshape(rows, cols)

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import solution_html

        return solution_html(self)

    @property
    def description(self) -> str:
        """Length, algorithm, start, goal and cells explored in one line, as in the repr."""
        ends = f"{self.algorithm} from {self.start} to {self.goal}, {self._n_explored:,} explored"
        if not self.found:
            return f"without a path in {self.space}, {ends}: {self.reason}"
        return f"{self.length:,} step{'s' * (self.length != 1)} in {self.space}, {ends}"

    def __repr__(self) -> str:
        """Return a summary of one line."""
        return f"<Solution {'of ' * self.found}{self.description}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GraphSolution(Solution):
    """A `Solution` whose places are the cells of a lattice: ``space`` is "vertices".

    `start`, `goal`, `path` and `walk` are in the words of the lattice: labels, else coordinates, else numbers
    of cells. `explored`, `remains`, `visit_order` and `mask` have shape (n_cells,). There is no `grid_path`,
    and no picture to `save`.

    Attributes
    ----------
    path_numbers : ndarray of int64, shape (k,)
        The numbers of the cells of the path.
    edge_ids : ndarray of int32, shape (k - 1,)
        The edges of the path.
    """

    _path_cells: Any = None
    _words: Any = None  # of `words_of` the lattice

    @property
    def edge_ids(self) -> NDArray[np.int32]:
        """The edges of the path."""
        return self._steps  # type: ignore[return-value]  # here the steps are edges

    @property
    def path_numbers(self) -> NDArray[np.int64]:
        """The numbers of the cells from start to goal, both included."""
        return read_only(self._path_cells)

    @property
    def path(self) -> NDArray[Any]:
        """The cells from start to goal, both included."""
        return read_only(names_of(self._words, self._path_cells))

    @property
    def cells(self) -> NDArray[Any]:
        """The same as `path`."""
        return self.path

    @property
    def walk(self) -> NDArray[Any] | None:
        """The cells of the walk, in order; None for solvers that do not walk."""
        return None if self._walk is None else read_only(names_of(self._words, self._walk))

    @property
    def mask(self) -> NDArray[np.bool_]:
        """True on the cells of the path."""
        mask = np.zeros(self.shape, np.bool_)
        mask[self.path_numbers] = True
        return read_only(mask)

    @property
    def grid_path(self) -> Never:
        """An AttributeError: cells of a lattice have no grid."""
        raise AttributeError("a path on a lattice has no sites of a grid: use .path, its cells")

    def path_chunks(self) -> Iterator[NDArray[np.int64]]:
        """Yield the path."""
        yield self.path
