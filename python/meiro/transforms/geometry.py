"""Mazes turned, mirrored and cropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import close_border
from meiro._utils.validation import Threads, integer, number, thread_count, window_of
from meiro.lattices._rim import rim_of
from meiro.lattices.lattice import flags_of
from meiro.mazes._batch import changed, ends_or_none, provenance_after
from meiro.mazes._openings import NO_OPENINGS, on_rim, openings_of_each, openings_or_none
from meiro.spaces.space_of import mazes_of
from meiro.transforms._common import MazesOrGrid, drawn_like, is_grid, maze_drawn, plain_cells
from meiro.transforms._symmetry import TRANSPOSED, Motion, flipping, image_of, images_of_openings, rotation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro.mazes._recipe import Step
    from meiro.spaces.space import MazeSpace, Numbers


_TURNS: dict[tuple[float, bool], tuple[bool, bool, bool]] = {
    (0, False): (False, False, False),
    (90, False): (False, True, True),
    (180, False): (True, True, False),
    (270, False): (True, False, True),
    (180, True): (True, False, False),
    (0, True): (False, True, False),
    (270, True): (False, False, True),
}
"""Of each motion of squares: are rows reversed, columns reversed, and then rows and columns exchanged?"""


def rotate(
    maze: MazesOrGrid,
    k: SupportsIndex = 1,
    *,
    degrees: float | None = None,
    threads: Threads = None,
    progress: Progress = False,
) -> MazesOrGrid:
    """Rotate a maze by quarter turns, counterclockwise, as ``np.rot90`` rotates its grid.

    Mask, openings, wrap, start and goal are rotated as well; a perfect maze stays perfect. A maze on a
    lattice is rotated around the middle of its cells, if that takes cells to cells and neighbours to
    neighbours; rows and columns are exchanged where the lattice can have the others.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        It stays as it is. An array is the drawn grid of a maze.
    k : int
        Number of quarter turns; negative numbers turn clockwise.
    degrees : float, optional
        The angle instead of `k`: on a lattice 60 degrees may be possible, or a sector of rings.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        The rotated one, without seed.

    Raises
    ------
    ValueError
        If the lattice has no such symmetry, with those that it has; if `k` seems to be in degrees.
    TypeError
        If `maze` is no maze and no batch, or `k` not an integer.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    flip, transpose : the other symmetries of the square.
    symmetric : a maze that is its own image.

    Examples
    --------
    >>> maze = meiro.generate((2, 3), rng=7)
    >>> bool((meiro.rotate(maze).grid == np.rot90(maze.grid)).all())
    True
    >>> ring = meiro.generate(meiro.lattices.polar(4, first=5), rng=7)
    >>> meiro.rotate(meiro.rotate(ring, degrees=72), degrees=-72) == ring
    True
    """
    turns = integer(k, "k")
    if turns and turns % 90 == 0:
        raise ValueError(f"k={turns} is a number of quarter turns: give degrees={turns}")
    quarters = turns % 4
    angle = 90.0 * quarters if degrees is None else number(degrees, "degrees") % 360
    step = ("rotate", {"k": quarters} if degrees is None else {"degrees": angle})
    return _moved(maze, rotation(angle), step, (threads, progress))


def flip(
    maze: MazesOrGrid,
    axis: SupportsIndex | Sequence[SupportsIndex] | None = None,
    *,
    threads: Threads = None,
    progress: Progress = False,
) -> MazesOrGrid:
    """Mirror a maze, as ``np.flip`` mirrors its grid.

    Mask, openings, wrap, start and goal are mirrored as well; a perfect maze stays perfect. A maze on a
    lattice is mirrored if that takes cells to cells and neighbours to neighbours.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        It stays as it is. An array is the drawn grid of a maze.
    axis : int or tuple of int, optional
        0 reverses the rows (up and down), 1 the columns (left and right). Default: both.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        The mirrored one, without seed.

    Raises
    ------
    ValueError
        If an axis does not exist or is given twice, or the lattice has no such symmetry.
    TypeError
        If `maze` is no maze and no batch, or an axis not an integer.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    rotate, transpose : the other symmetries of the square.
    symmetric : a maze that is its own image.

    Examples
    --------
    >>> meiro.flip(meiro.Maze([[2, 10, 8, 0]]), 1).passages.tolist()
    [[0, 2, 10, 8]]
    """
    axes = (0, 1) if axis is None else axis if isinstance(axis, tuple | list) else (axis,)
    mirrored = [integer(one, "axis") for one in axes]
    if not all(-2 <= one < 2 for one in mirrored) or len({one % 2 for one in mirrored}) < len(mirrored):
        raise ValueError(f"axis must be 0 (rows), 1 (columns), or both, not {short_repr(axis)}")
    sides = sorted(one % 2 for one in mirrored)
    return _moved(maze, flipping(sides), ("flip", {"axis": sides}), (threads, progress))


def transpose(maze: MazesOrGrid, *, threads: Threads = None, progress: Progress = False) -> MazesOrGrid:
    """Exchange rows and columns of a maze, as ``np.transpose`` does for its grid.

    Mask, openings, wrap, start and goal are transposed as well; a perfect maze stays perfect. On a lattice it
    is mirrored in the diagonal, as by `flip`.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        It stays as it is. An array is the drawn grid of a maze.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        The transposed one, without seed.

    Raises
    ------
    ValueError
        If the lattice has no such symmetry.
    TypeError
        If `maze` is no maze and no batch.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    rotate, flip : the other symmetries of the square.

    Examples
    --------
    >>> meiro.transpose(meiro.Maze([[2, 8]])).passages.tolist()
    [[4], [1]]
    >>> meiro.transpose(meiro.generate_many((8, 16), n=1000, rng=7))
    <MazeBatch of 1000: 16 rows x 8 cols>
    """
    return _moved(maze, TRANSPOSED, ("transpose", {}), (threads, progress))


def crop(maze: MazesOrGrid, window: slice | tuple[slice, slice] | ArrayLike | Sequence[Any]) -> MazesOrGrid:
    """Cut a rectangle out of a maze, or some cells out of a maze on a lattice.

    Passages across the cut are closed, so a perfect maze may become a forest. Openings, start and goal
    inside the window stay; others are dropped. An axis stays periodic only if the window covers all of it.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        It stays as it is. An array is the drawn grid of a maze.
    window : slice or (slice, slice), or cells
        Rows and columns, in cells, as NumPy slices ``maze.passages``: ``np.s_[2:5, 3:9]``. On a lattice the
        cells that stay, as in `Lattice.mask`, or by their names.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        The cells of the window, without seed.

    Raises
    ------
    ValueError
        If no cell is left, or a slice has a step other than 1.
    TypeError
        If `maze` is no maze and no batch, or `window` not one or two slices, nor cells of a lattice.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    stitch : joins mazes edge to edge.

    Examples
    --------
    >>> meiro.crop(meiro.generate((20, 30), rng=7), np.s_[2:5, -9:])
    <Maze 3 rows x 9 cols>
    >>> ring = meiro.generate(meiro.lattices.polar(4), rng=7)
    >>> meiro.crop(ring, ring.lattice.coordinates[:, 0] > 0)
    <GraphMaze polar: 66 cells>
    """
    given: Any = maze
    made: MazesOrGrid
    if is_grid(given):
        made = drawn_like(given, crop(maze_drawn(given), window))
        return made
    space = mazes_of(given)
    made = _cells_of_lattice(space, window) if space.on_lattice else _rectangle(space, window)
    return made


def _moved(mazes: MazesOrGrid, motion: Motion, step: Step, shared: tuple[Threads, Progress]) -> MazesOrGrid:
    """Return mazes turned and mirrored."""
    made: MazesOrGrid
    if is_grid(mazes):
        made = drawn_like(mazes, _moved(maze_drawn(mazes), motion, step, shared))
        return made
    space, sharing = mazes_of(mazes), (thread_count(shared[0]), reporter(shared[1]))
    made = _lattice_moved(space, motion, step) if space.on_lattice else _turned(space, motion, step, sharing)
    return made


def _lattice_moved(space: MazeSpace[Any], motion: Motion, step: Step) -> Any:
    """Return mazes on the image of their lattice."""
    require(2 * space.passages.size, f"a copy of {space.x!r}", space.smaller)
    image = image_of(space.lattice, motion)
    open_ = np.empty_like(space.passages)
    open_[:, image.edges] = space.passages
    openings = space.openings_of_each()
    if openings is not None:
        openings = images_of_openings(space.lattice, image, motion, openings)
    ends = [image.of_cells(cells) for cells in space.given_starts_and_goals()]
    opened = space.shaped(open_.view(np.bool_))
    return _remade(space, step, ends, openings, lattice=image.lattice, open=opened)


def _cells_of_lattice(space: MazeSpace[Any], window: Any) -> Any:
    """Return mazes on some of the cells of their lattice."""
    lattice = space.lattice
    if any(isinstance(side, slice) for side in (window if isinstance(window, tuple) else (window,))):
        raise TypeError(
            f"window must be cells of {lattice!r}, not {short_repr(window)}: their names, or True for each "
            "that stays, as maze.lattice.positions[:, 0] < 5"
        )
    if isinstance(window, np.ndarray | list) and len(window) and isinstance(window[0], bool | np.bool_):
        stays = np.flatnonzero(flags_of(window, "window", lattice.n_cells, "cell"))
    else:
        stays = np.unique(space.numbers(window, "window"))
    require(2 * space.passages.size, f"a copy of {space.x!r}", space.smaller)
    part = lattice.mask(stays)
    number = np.full(lattice.n_cells + 1, -1, np.int64)  # the last one stands for no cell
    number[stays] = np.arange(len(stays))
    kept = (number[lattice.edges] >= 0).all(axis=1)
    ends = [number[cells] for cells in space.given_starts_and_goals()]
    openings = space.openings_of_each()
    if openings is not None:
        places = np.dstack([number[openings[..., 0]], openings[..., 1]])
        gone = (rim_of(part).find(places.reshape(-1, 2)) < 0).reshape(places.shape[:-1])
        openings = openings_of_each(np.where(gone[..., np.newaxis], -1, places), space.n)
    step = ("crop", {"window": plain_cells(space, stays)})
    opened = space.shaped(np.ascontiguousarray(space.passages[:, kept]).view(np.bool_))
    return _remade(space, step, ends, openings, lattice=part, open=opened)


def _turned(space: MazeSpace[Any], motion: Motion, step: Step, sharing: tuple[int, Any]) -> Any:
    """Return mazes of squares with rows reversed, columns reversed, rows and columns exchanged."""
    mazes: Any = space.x
    if motion[:2] not in _TURNS:
        raise ValueError(f"{motion.what}: squares turn by quarters, of 90 degrees each")
    how = _TURNS[motion[:2]]
    masks = mazes.mask if space.one else mazes.masks
    require((1 + (masks is not None)) * mazes.passages.size, f"a copy of {mazes!r}", _smaller(space))
    passages = _core.turned(space.passages, how, True, *sharing)  # noqa: FBT003  # they are passages

    def image(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        layers = np.ascontiguousarray(mask).reshape(-1, mazes.rows, mazes.cols).view(np.uint8)
        turned = _core.turned(layers, how, False, sharing[0], None).view(np.bool_)  # noqa: FBT003
        return read_only(turned.reshape(*mask.shape[:-2], *passages.shape[1:]))

    def places(at: Numbers, last: tuple[int, int]) -> Numbers:
        mirrored = np.where(how[:2], np.subtract(last, at), at)
        mirrored = np.where(at < 0, -1, mirrored)  # no place
        return read_only(np.ascontiguousarray(mirrored[..., ::-1] if how[2] else mirrored))

    openings = space.openings_of_each()
    if openings is not None:
        openings = places(openings, (2 * mazes.rows, 2 * mazes.cols))
    ends = [None if at is None else places(at, (mazes.rows - 1, mazes.cols - 1)) for at in _ends(space)]
    parts = {"mask": None if mazes.mask is None else image(mazes.mask)}
    if not space.one:
        parts["masks"] = None if masks is mazes.mask else image(masks)
    wrap = (mazes.wrap[1], mazes.wrap[0]) if how[2] else mazes.wrap
    return _remade(space, step, ends, openings, passages=space.shaped(passages), wrap=wrap, **parts)


def _rectangle(space: MazeSpace[Any], window: Any) -> Any:
    """Return the part of mazes of squares that lies in a window."""
    mazes: Any = space.x
    shape = mazes.rows, mazes.cols
    (top, rows), (left, cols) = window_of(window, shape)
    masks = mazes.mask if space.one else mazes.masks
    size = 1 + (masks is not None and masks.ndim == 3)
    what = f"a maze of ({rows}, {cols})" if space.one else f"{space.n:,} mazes of ({rows}, {cols})"
    require((1 + size) * space.n * rows * cols, what, "take a smaller part")
    wrap = mazes.wrap[0] and rows == shape[0], mazes.wrap[1] and cols == shape[1]
    kept = None
    if masks is not None:
        cells = masks[..., top : top + rows, left : left + cols]
        some = cells.any(axis=(-2, -1))
        if not some.all():
            which = repr(mazes) if cells.ndim == 2 else f"maze {int(some.argmin())} of {mazes!r}"
            raise ValueError(f"window {short_repr(window)} holds no cell of {which}: all are masked out")
        kept = None if cells.all() else read_only(cells.copy())
    passages = space.passages[:, top : top + rows, left : left + cols].copy()
    close_border(passages, wrap)
    openings = space.openings_of_each()
    if openings is not None:
        openings = openings - (2 * top, 2 * left)
        there = on_rim(openings, (rows, cols), kept, wrap)
        openings = openings_of_each(np.where(there[..., np.newaxis], openings, -1), space.n)
    ends: list[Numbers | None] = []
    for given in _ends(space):
        if given is None:
            ends.append(None)
            continue
        inside = ((given >= (top, left)) & (given < (top + rows, left + cols))).all(axis=1, keepdims=True)
        ends.append(read_only(np.where(inside, given - (top, left), -1)))
    parts = {"mask": None if kept is None or kept.ndim == 3 else kept}
    if not space.one:
        parts["masks"] = None if kept is None or kept.ndim == 2 else kept
    step = ("crop", {"window": [[top, top + rows], [left, left + cols]]})
    return _remade(space, step, ends, openings, passages=space.shaped(passages), wrap=wrap, **parts)


def _remade(
    space: MazeSpace[Any], step: Step, ends: Sequence[Numbers | None], openings: Numbers | None, **parts: Any
) -> Any:
    """Return the maze, or the mazes, of other parts; no start, goal or opening of a maze is -1."""
    provenance = provenance_after(space.x, [step])
    sites = NO_OPENINGS[np.newaxis] if openings is None else openings
    if space.one:
        start, goal = map(_one_end, ends)
        return changed(space.x, start=start, goal=goal, openings=sites[0], **parts, **provenance)
    starts, goals = (None if at is None else ends_or_none(at.copy()) for at in ends)
    own = openings_or_none(sites)
    return changed(space.x, starts=starts, goals=goals, openings=own, **parts, **provenance)


def _one_end(at: Numbers | None) -> Any:
    """Return the start or the goal of one maze: the number of a cell, or its row and column."""
    if at is None or at.min() < 0:
        return None
    return int(at[0]) if at.ndim == 1 else tuple(at[0].tolist())


def _ends(space: MazeSpace[Any]) -> Iterator[Numbers | None]:
    """Yield starts, then goals, of each maze of squares, (n, 2), -1 for none; None if no maze has one."""
    for numbers in space.given_starts_and_goals():
        yield None if (numbers < 0).all() else space.names_or_none(numbers)


def _smaller(space: MazeSpace[Any]) -> str:
    return "crop the maze" if space.one else "take a slice of it"
