"""Walls and paths as lines in the plane, y up, as maps, drawings and meshes take them, and read back.

`wall_shapes` and `maze_of_lines` are the inverse of each other for a `Maze`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, short_repr
from meiro._utils.paper import CELL, millimetres, require_corridor, thickness
from meiro._utils.square import FLAT, checked_shape, checked_wrap
from meiro.drawing.graph_outline import merged, wall_segments
from meiro.drawing.lines import Lines, chords, lattice_outlines, lines_between, some_lines, square_outlines
from meiro.drawing.picture import picture_of
from meiro.drawing.raster import wall_segments as square_walls
from meiro.drawing.routes import parse_route
from meiro.mazes._outside import outside_sites
from meiro.mazes.graph_maze import GraphMaze
from meiro.mazes.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.results.solution import Solution

_WRITING = 100  # bytes a cell while its walls are written; 60 were measured
_ON_LATTICES = 1500  # Python objects, of a merged line
_FLIP = np.array([1.0, -1.0])
_READING = 16  # bytes a cell while they are read
_EXACT = 0.02  # of a cell: how far the middles of places that are one may be from its corners
_NEAR = 0.1  # of a cell: how far ends may be, and places that are one from each other
_NOISE = 1e-11  # of the largest coordinate: differences that are rounding
_ROUNDING = 1e-6  # of a cell: places that are nearer to multiples of it are these
_THIN = 0.004  # of the next gap: gaps of a drawing that are meant are larger
_CHANCE = 1e-6
_DAMAGED = ValueError, TypeError, RecursionError, OverflowError
_MOST_PARTS = 1000  # of the smallest gap
_MOST_SIDE = 1 << 31


def wall_shapes(
    maze: Maze | GraphMaze,
    solution: Solution | None = None,
    *,
    mm: float | None = None,
    wall: float | None = None,
    kerf: float | None = None,
) -> tuple[Lines, Lines | None, dict[str, str]]:
    """Return the walls of a maze and the path of a solution; in millimetres, if `mm` or `wall` is given.

    Walls between two cells that do not exist are left out, and periodic borders are open where passages
    cross them.

    Returns
    -------
    walls : Lines
        Straight, each as long as it can be, or closed around walls of a thickness. Of a `Maze` in cells,
        (0, 0) the lower left corner; of a `GraphMaze` in the units of its lattice, whose y is turned up; or
        in millimetres. Arcs are chords.
    path : Lines or None
        In pieces where it crosses a periodic border; none of a path of one cell.
    facts : dict
        As JSON: the recipe of the maze, if it has one; and of a `Maze` what its walls do not say, by which
        `maze_of_lines` reads it: shape, wrap if it is periodic, and mask (`packed`); mm; and wall, if lines
        are closed around walls.

    Raises
    ------
    ValueError
        If the maze has no walls in the plane, or `solution` is of another maze.

    Examples
    --------
    >>> walls, *_ = meiro.io.shapes.wall_lines.wall_shapes(meiro.Maze([[2, 8]]))
    >>> walls.points.reshape(-1, 2, 2).tolist()[0]
    [[0.0, 1.0], [2.0, 1.0]]
    """
    recipe = maze.recipe
    facts = {} if recipe is None else {"recipe": json.dumps(recipe)}
    thick = thickness(wall, kerf)
    cell = 1.0
    if mm is not None or thick is not None:
        cell = CELL if mm is None else millimetres(mm)
        facts["mm"] = json.dumps(cell)
    if thick is not None:
        require_corridor(thick, cell)
    if isinstance(maze, GraphMaze):
        require(_ON_LATTICES * maze.lattice.n_edges, f"the walls of {maze!r}", "write a .npz file")
        picture = picture_of(maze, solution)
        plane: Any = picture.geometry.plane
        walls = walls_on_lattice(maze, plane)
        scale = cell / plane.cell if "mm" in facts else 1.0
        if thick is not None:
            walls = lattice_outlines(walls, thick / scale, plane.cell)
        path = None
        if solution is not None:
            path = _turned(chords(picture.routes[0].line, plane.cell))
        return _scaled(walls, scale), path and _scaled(path, scale), facts
    require(_WRITING * maze.passages.size, f"the walls of {maze!r}", "crop() it")
    facts["shape"] = json.dumps(maze.shape)
    if any(maze.wrap):
        facts["wrap"] = json.dumps(maze.wrap)
    if maze.mask is not None:
        facts["mask"] = json.dumps(packed(maze.mask))
    if thick is None:
        walls = lines_between(square_walls(maze))
    else:
        facts["wall"] = json.dumps(thick)
        walls = square_outlines(maze, thick / cell)
    walls = walls._replace(points=walls.points * _FLIP + (0, maze.rows))
    path = None
    if solution is not None:
        line = parse_route(maze, solution, "solution").line
        path = _without_dots(line._replace(points=line.points * _FLIP + (0.5, maze.rows - 0.5)))
    return _scaled(walls, cell), path and _scaled(path, cell), facts


def _scaled(lines: Lines, scale: float) -> Lines:
    return lines if scale == 1 else lines._replace(points=lines.points * scale)


def walls_on_lattice(maze: GraphMaze, plane: Plane) -> Lines:
    """Return the walls of a maze on a lattice, y up; a ValueError says why it has none in the plane."""
    if plane.outline is None:
        raise ValueError(f"{maze!r} has no walls in the plane: its cells have no outlines; draw it as a .svg")
    if plane.stairs is not None and plane.stairs.any():
        raise ValueError(f"{maze!r} lies on several levels, and its stairs are no walls; draw it as a .svg")
    return _turned(chords(merged(*wall_segments(plane, maze.open), plane.cell), plane.cell))


def _turned(lines: Lines) -> Lines:
    """Return lines with y up."""
    return _without_dots(lines._replace(points=lines.points * _FLIP + 0.0))


def _without_dots(lines: Lines) -> Lines:
    """Leave out lines of a single place."""
    first, last = lines.starts[:-1], lines.starts[1:] - 1
    short = np.diff(lines.starts) < 2
    pairs = np.diff(lines.starts) == 2
    short[pairs] = (lines.points[first[pairs]] == lines.points[last[pairs]]).all(axis=1)
    return some_lines(lines, ~short) if short.any() else lines


def texts(lines: Lines, form: Callable[[int], str], between: str = "") -> Iterator[str]:
    """Yield the text of lines in pieces; `form` gives the format of a line by how many points it has."""
    known: dict[int, str] = {}
    counts: NDArray[np.int64] = np.diff(lines.starts)
    for band in bands(len(counts), 16):
        sizes = counts[band].tolist()
        for size in {*sizes} - {*known}:
            known[size] = form(size)
        points = lines.points[lines.starts[band.start] : lines.starts[band.stop]]
        head = between if band.start else ""
        yield head + between.join(known[size] for size in sizes) % tuple(points.reshape(-1).tolist())


def segments_of(
    points: NDArray[np.float64], of: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the straight pieces of lines, shape (n, 2, 2), and their lines; `of` has that of each point."""
    within = of[1:] == of[:-1]
    pieces = np.stack([points[:-1], points[1:]], axis=1)[within]
    dots = (pieces[:, 0] == pieces[:, 1]).all(axis=1)
    return pieces[~dots], of[1:][within][~dots]


def are_on_layers(layers: Sequence[str], names: Sequence[str], name: str) -> list[bool]:
    """Return which lines are on the layers with the names, whose case does not count."""
    there, wanted = [layer.upper() for layer in layers], [one.upper() for one in names]
    for one, upper in zip(names, wanted, strict=True):
        if upper not in there:
            found = short_repr(sorted({*layers} - {""}))
            raise ValueError(f"{name}: no line is on a layer {one!r}, layer=: there are {found}")
    return [layer in wanted for layer in there]


def maze_of_lines(
    segments: NDArray[np.float64], place: Callable[[int], str], facts: Mapping[str, str], name: str
) -> Maze | NDArray[np.uint8]:
    """Return the maze of lines with facts, or the walls (1) and roads (0) of other lines.

    Parameters
    ----------
    segments : ndarray of float64, shape (n, 2, 2)
        Both ends (x, y) of straight lines, y up.
    place : callable
        ``place(i)`` says where in the file segment i stands.
    facts : mapping of str
        As of `wall_shapes`; empty if another program wrote the file.
    name : str
        Of the file.

    Raises
    ------
    ValueError
        If a line is not parallel to an axis, or an end is no corner of a cell; with its place.
    MemoryError
        If the maze is too large.
    """
    wrong = ~np.isfinite(segments).all(axis=(1, 2))
    if wrong.any():
        raise ValueError(f"{name}, {place(int(wrong.argmax()))}: a coordinate is not finite")
    if "shape" in facts:
        told = _told(facts, name)
        shape, unit = told.shape, told.unit
        require(_READING * shape[0] * shape[1], f"{name}, a maze of {shape}", "cut it into parts")
        low = _low_of(segments, told)
        half = told.wall / unit / 2
    else:
        shape, half = None, 0.0
        if not len(segments):
            raise ValueError(f"{name} has no lines, so that nothing says how large its maze is")
        low, unit = raster_of(segments)
    if 4 * (rounding := np.spacing(np.abs(segments).max(initial=0.0))) > unit:
        msg = f"{name}: its coordinates are so large that they are rounded to {rounding:g}, and cells have a "
        msg += f"side of {unit:g}: move all lines to near (0, 0)"
        raise ValueError(msg)
    corners = (segments - low) / unit
    ends = np.rint(corners)
    apart = np.abs(corners[:, 0] - corners[:, 1]) > 2 * _NEAR
    slanted = (apart | (ends[:, 0] != ends[:, 1])).all(axis=1)
    scaled = "shape" in facts and half == 0 and (ends[:, 0] == ends[:, 1]).all()
    off = (np.abs(np.abs(corners - ends) - half) > _NEAR).any(axis=(1, 2)) | scaled
    if (off | slanted).any():
        i = int((slanted if slanted.any() else off).argmax())
        (x, y), (x1, y1) = segments[i].tolist()
        line = f"{name}, {place(i)}: the line from ({x:.12g}, {y:.12g}) to ({x1:.12g}, {y1:.12g})"
        why = f"ends inside a cell: cells have a side of {unit:g}"
        if slanted[i]:
            why = "is not parallel to an axis: turn all until they are; a GraphMaze is read from .npz"
        raise ValueError(f"{line} {why}")
    if shape is None:
        cols, rows = (int(side) for side in np.clip(ends.max(axis=(0, 1)), 0, _MOST_SIDE))
        if rows == 0 or cols == 0:
            raise ValueError(f"{name}: its lines lie in one row, so that there is no cell between them")
        shape = rows, cols
        require(_READING * rows * cols, f"{name}, a maze of {shape}", "cut it into parts")
    outside = ((ends < 0) | (ends > shape[::-1])).any(axis=(1, 2))
    if outside.any():
        i = int(outside.argmax())
        raise ValueError(
            f"{name}, {place(i)}: the line leaves the maze, of {shape[0]:,} x {shape[1]:,} cells"
        )
    sites = _inside(corners, shape) if half else _sites(ends.astype(np.int64), shape)
    return _maze_of_sites(sites, told, name) if "shape" in facts else sites


def _maze_of_sites(sites: NDArray[np.uint8], told: _Told, name: str) -> Maze:
    """Return the maze of walls (1) and roads (0) by what a file says of it."""
    if told.mask is not None:
        sites[outside_sites(told.mask, told.wrap)] = 1  # where `wall_shapes` has no lines
    with invalid_as(f"{name}: what it says of its maze is damaged", *_DAMAGED):
        return Maze.from_grid(sites, mask=told.mask, wrap=told.wrap)


class _Told(NamedTuple):
    """What a file says of its maze: also the side of its cells, and the thickness of walls or 0."""

    shape: tuple[int, int]
    unit: float
    wall: float
    wrap: tuple[bool, bool]
    mask: NDArray[np.bool_] | None


def _told(facts: Mapping[str, str], name: str) -> _Told:
    with invalid_as(f"{name}: what it says of its maze is damaged", *_DAMAGED):
        unit, wall = (float(json.loads(facts.get(*one))) for one in (("mm", "1"), ("wall", "0")))
        if not (0 < unit < np.inf and 0 <= wall < unit):
            raise ValueError(f"mm is {unit:g}, and wall {wall:g}")
        shape = checked_shape(json.loads(facts["shape"]))
        wrap = checked_wrap(json.loads(facts["wrap"]), shape) if "wrap" in facts else FLAT
        mask = _unpacked(json.loads(facts["mask"]), shape) if "mask" in facts else None
        return _Told(shape, unit, wall, wrap, mask)


def _low_of(segments: NDArray[np.float64], told: _Told) -> NDArray[np.float64]:
    """Return the lower left corner of a maze: not (0, 0) if another program moved all lines.

    That is seen if they reach as far as the walls around all cells do.
    """
    mask = np.broadcast_to(np.True_, told.shape) if told.mask is None else told.mask
    rows, cols = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    if not (len(segments) and len(rows)):
        return np.zeros(2)
    least, most = segments.min(axis=(0, 1)) + told.wall / 2, segments.max(axis=(0, 1)) - told.wall / 2
    low = least - told.unit * np.array([cols[0], told.shape[0] - 1 - rows[-1]])
    rest = most - least - told.unit * np.array([np.ptp(cols) + 1, np.ptp(rows) + 1])
    moved = np.abs(low).max() > _NEAR * told.unit and np.abs(rest).max() <= _NEAR * told.unit
    return low if moved else np.zeros(2)


def packed(mask: NDArray[np.bool_]) -> str:
    """Return a mask as hexadecimal digits, eight cells a pair, row by row."""
    return np.packbits(mask).tobytes().hex()


def _unpacked(text: str, shape: tuple[int, int]) -> NDArray[np.bool_]:
    size = shape[0] * shape[1]
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8))
    if not 0 <= len(bits) - size < 8:
        raise ValueError(f"its mask has {len(text)} digits, and {size:,} cells need {-(-size // 8) * 2}")
    return bits[:size].reshape(shape).view(np.bool_)


def raster_of(segments: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return the lower left corner, and the side of the largest cells at whose corners all lines end.

    Places that are much nearer to each other than others of their axis are taken for one, written inexactly,
    if that gives larger cells and they are not exact multiples of small ones. So are those that are so near
    only across axes, as rounded decimals are, if some line ends at the corners of every cell then, or if that
    many places are not so near to corners of cells by chance.
    """
    if not len(segments):
        return np.zeros(2), 1.0
    noise = _NOISE * float(np.abs(segments).max())
    axes = np.unique(segments[..., 0]), np.unique(segments[..., 1])
    gaps = [np.unique(np.diff(places)) for places in axes]
    pairs = [np.stack([some[:-1], some[1:]]) for some in (some[some > noise] for some in gaps)]
    small, next_one = np.concatenate(pairs, axis=1)
    coarser = np.unique(small[small <= 2 * _EXACT * next_one])[::-1].tolist()
    if coarser and (small > _THIN * next_one).all():
        exact = _fitted(axes, noise, _ROUNDING)
        if exact and coarser[0] <= 2 * exact[1]:
            return exact  # small cells, but what is multiples of them is not noise
    offsets = np.unique(np.concatenate([places - places[0] for places in axes]))
    apart = np.unique(np.diff(offsets))
    for inexact in apart[:-1][apart[:-1] <= 2 * _EXACT * apart[1:]][::-1].tolist():
        if found := _fitted(axes, inexact, _EXACT):
            steps = offsets / found[1]
            taken = np.unique(np.rint(steps))
            near = 2 * np.abs(steps - np.rint(steps)).max()  # the share of all places that are so near
            if len(taken) == taken[-1] + 1 > 2 or near ** (len(taken) - 2) < _CHANCE:
                return found
    for inexact in [*coarser, noise]:
        if found := _fitted(axes, inexact, _EXACT):
            return found
    return segments.min(axis=(0, 1)), min((float(some[-1]) for some in gaps if len(some)), default=1.0)


def _fitted(
    axes: Sequence[NDArray[np.float64]], near: float, share: float
) -> tuple[NDArray[np.float64], float] | None:
    """Return corner and side of the largest cells, if places nearer than `near` are one; None if none fit."""
    middles = [_one_of_near(places, near) for places in axes]
    low = np.array([places[0] for places in middles])
    places = _one_of_near(np.unique(np.concatenate([some - some[0] for some in middles])), 2 * near)
    places[0] = 0.0
    gaps = np.diff(places)
    if not len(gaps):
        return None
    gap = float(np.median(gaps[gaps <= (1 + 4 * _EXACT) * gaps.min()]))
    for parts in range(1, _MOST_PARTS + 1):
        if near > _NEAR * gap / parts:
            break
        if unit := _refined(places, gap / parts, near, share):
            return low, unit
    return None


def _refined(places: NDArray[np.float64], unit: float, noise: float, share: float) -> float | None:
    """Return what all places are multiples of, up to a share of it, if it is about `unit`.

    What is inexact adds up, so it is found from near to far.
    """
    reach = 1.0
    while True:
        near = places[: np.searchsorted(places, 1.5 * reach * unit)]
        steps = np.rint(near / unit)
        if (np.abs(near - unit * steps) > max(unit / 4, noise)).any():
            return None
        if steps.any():
            unit = float(near @ steps / (steps @ steps))
        if len(near) == len(places):
            exact = (np.abs(near - unit * steps) <= max(share * unit, noise)).all()
            return unit if exact else None
        reach *= 2


def _one_of_near(places: NDArray[np.float64], near: float) -> NDArray[np.float64]:
    """Return the middle of each run of places of which each is near to the next."""
    ends = np.flatnonzero(np.append(np.diff(places) > near, True))
    return np.asarray((places[np.append(0, ends[:-1] + 1)] + places[ends]) / 2)


def _sites(ends: NDArray[np.int64], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the grid of a maze with the walls between corners (x, y), y up."""
    rows, cols = shape
    sites = np.zeros((2 * rows + 1, 2 * cols + 1), np.uint8)
    sites[::2, ::2] = 1
    x, y = np.sort(ends, axis=1).transpose(2, 1, 0)
    flat = y[0] == y[1]
    across, down = np.zeros((rows + 1, cols + 1), np.int32), np.zeros((rows + 1, cols + 1), np.int32)
    np.add.at(across, (rows - y[0][flat], x[0][flat]), 1)
    np.add.at(across, (rows - y[0][flat], x[1][flat]), -1)
    np.add.at(down, (rows - y[1][~flat], x[0][~flat]), 1)
    np.add.at(down, (rows - y[0][~flat], x[0][~flat]), -1)
    sites[::2, 1::2] = across.cumsum(axis=1)[:, :-1] > 0
    sites[1::2, ::2] = down.cumsum(axis=0)[:-1] > 0
    return sites


def _inside(corners: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the grid of a maze whose walls are what closed lines are around.

    A site is inside if an odd number of upright pieces of lines is left of it.
    """
    rows, cols = shape
    crossed = np.zeros((2 * rows + 2, 2 * cols + 2), np.int32)
    x, ends = corners[..., 0].mean(axis=1), np.sort(corners[..., 1], axis=1)
    right = np.ceil(2 * x).clip(0, 2 * cols + 1).astype(np.int64)
    low, high = np.ceil(2 * ends).clip(0, 2 * rows + 1).astype(np.int64).T
    np.add.at(crossed, (low, right), 1)
    np.add.at(crossed, (high, right), -1)
    for axis in (0, 1):
        np.cumsum(crossed, axis=axis, out=crossed)
    sites = (crossed[-2::-1, :-1] & 1).astype(np.uint8)
    sites[::2, ::2] = 1
    return sites
