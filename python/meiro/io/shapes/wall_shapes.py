"""Walls and paths as lines in the plane, y up, as maps, drawings and meshes take them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.paper import CELL, millimetres, require_corridor, thickness
from meiro.drawing.graph_outline import merged, wall_segments
from meiro.drawing.lines import Lines, chords, lines_between, some_lines
from meiro.drawing.outlines import lattice_outlines, square_outlines
from meiro.drawing.picture import picture_of
from meiro.drawing.raster import wall_segments as square_walls
from meiro.drawing.routes import parse_route
from meiro.io.shapes.wall_sites import packed
from meiro.mazes.graph_maze import GraphMaze

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution

_MEMORY = 100  # bytes a cell while its walls are written; 60 were measured
_ON_LATTICES = 1500  # Python objects, of a merged line
_FLIP = np.array([1.0, -1.0])


class WallShapes(NamedTuple):
    """The walls of a maze, each line as long as it can be, and the path of a solution.

    Attributes
    ----------
    walls : Lines
        Straight, or closed around walls of a thickness. Of a `Maze` in cells, (0, 0) the lower left corner;
        of a `GraphMaze` in the units of its lattice, whose y is turned up; or in millimetres. Arcs are
        chords.
    path : Lines or None
        In pieces where it crosses a periodic border; none of a path of one cell.
    facts : dict
        As JSON: the recipe of the maze, if it has one; and of a `Maze` what its walls do not say, by which
        `meiro.io.shapes.wall_sites` reads it: shape, wrap if it is periodic, and mask (`packed`);
        mm; and wall, if lines are closed around walls.
    """

    walls: Lines
    path: Lines | None
    facts: dict[str, str]


def wall_shapes(
    maze: Maze | GraphMaze,
    solution: Solution | None = None,
    *,
    mm: float | None = None,
    wall: float | None = None,
    kerf: float | None = None,
) -> WallShapes:
    """Return the walls of a maze and the path of a solution; in millimetres, if `mm` or `wall` is given.

    Walls between two cells that do not exist are left out, and periodic borders are open where passages
    cross them.

    Raises
    ------
    ValueError
        If the maze has no walls in the plane, or `solution` is of another maze.

    Examples
    --------
    >>> walls, *_ = meiro.io.shapes.wall_shapes.wall_shapes(meiro.Maze([[2, 8]]))
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
            path = _turned(chords(picture.route.line, plane.cell))
        return _scaled(WallShapes(walls, path, facts), scale)
    require(_MEMORY * maze.passages.size, f"the walls of {maze!r}", "crop() it")
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
    return _scaled(WallShapes(walls, path, facts), cell)


def _scaled(shapes: WallShapes, scale: float) -> WallShapes:
    if scale == 1:
        return shapes
    walls, path = shapes.walls, shapes.path
    path = path and path._replace(points=path.points * scale)
    return shapes._replace(walls=walls._replace(points=walls.points * scale), path=path)


def walls_on_lattice(maze: GraphMaze, plane: Plane) -> Lines:
    """Return the walls of a maze on a lattice, y up; a ValueError says why it has none in the plane."""
    if plane.outline is None:
        msg = f"{maze!r} has no walls in the plane: its cells have no outlines; draw it as a .svg"
        raise ValueError(msg)
    if plane.stairs is not None and plane.stairs.any():
        msg = f"{maze!r} lies on several levels, and its stairs are no walls; draw it as a .svg"
        raise ValueError(msg)
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
