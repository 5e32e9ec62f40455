"""What is drawn of a maze, whatever its cells: layers of lines and areas, its path, marks and titles.

Squares and lattices make the same `Picture`, and SVG, PDF and the displays of notebooks draw from it. Lengths
are cells, x to the right and y down from the upper left corner.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from meiro._utils.square import existing_cell
from meiro.colors import LIGHT
from meiro.drawing.graph_layout import plane_to_plot
from meiro.drawing.graph_outline import (
    CLOSED,
    CORRIDOR,
    DOT_WIDTH,
    FAINT,
    PASSAGE,
    Plane,
    Title,
    bridges,
    corridors,
    long_arcs,
    merged,
    network,
    open_seams,
    polygons,
    stairs,
    wall_segments,
)
from meiro.drawing.lines import Lines, lines_between
from meiro.drawing.raster import run_boxes
from meiro.drawing.raster import wall_segments as square_walls
from meiro.drawing.routes import Route, parse_routes
from meiro.lattices.lattice import cell_of
from meiro.mazes.graph_maze import ends_of_graph_maze
from meiro.spaces.space_of import on_lattice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from meiro._utils.paper import Outside
    from meiro._utils.square import Cell
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

    Point = tuple[float, float]


COLORS: Mapping[str, str] = {
    "wall": LIGHT.wall.hex,
    "road": LIGHT.road.hex,
    "path": LIGHT.path.hex,
    "start": LIGHT.start.hex,
    "goal": LIGHT.goal.hex,
    "text": LIGHT.ink.hex,
}


class Pen(NamedTuple):
    """How lines are drawn; a width of None follows from the cell."""

    wall: float | None
    path: float | None
    caps: str
    colors: Mapping[str, str]
    outside: Outside

    @property
    def colors_roads(self) -> bool:
        """Whether roads are not as white as paper."""
        return self.colors["road"] != COLORS["road"]


class Layer(NamedTuple):
    """Lines of one width, or areas where it is None; colours are named as in ``colors=``."""

    lines: Lines
    color: str
    width: float | None = None
    caps: str = "round"
    opacity: float = 1.0


class Geometry(Protocol):
    """Where the parts of a maze lie.

    Attributes
    ----------
    maze : Maze or GraphMaze
    caps : {"square", "round"}
        The ends of walls, if nobody wants others.
    places : int
        Cells and edges that may have to be drawn.
    size : (float, float)
        Width and height.
    corner : (float, float)
        Where the origin of the lines of layers lies, around which arcs go.
    plane : Plane or None
        Of a lattice.
    titles : list of Title
        Of levels.
    """

    maze: Any
    caps: str
    places: int
    size: Point
    corner: Point
    plane: Plane | None
    titles: list[Title]

    def cell(self, given: Any, name: str) -> Any:
        """Return a cell that is to be marked, checked."""

    def middle(self, end: Any) -> Point:
        """Return where the end of a route lies."""

    def layers(self, route: Route, pen: Pen, wall: float, path: float) -> Iterator[Layer]:
        """Yield what is drawn, from below, with walls and a path of these widths."""


class Picture(NamedTuple):
    """A maze, its path, where its marks lie, and what stands below."""

    geometry: Geometry
    route: Route
    middles: Mapping[str, Point]
    caption: str = ""


def picture_of(  # what files take
    maze: Maze | GraphMaze,
    path: Any = None,
    start: Any = None,
    goal: Any = None,
    *,
    marks: bool = True,
    puzzle: bool = False,
    network: bool = False,
    name: str = "solution",
) -> Picture:
    """Return a maze with its path and the ends of it, checked.

    With `puzzle`, a maze without ends and openings is marked where `meiro.solve` would begin and end. With
    `network` the edges of a lattice are lines from dot to dot, of which all are seen where they cross.

    Raises
    ------
    ValueError
        If the path or an end is not in the maze, several paths are given, or a lattice has no place in the
        plane.
    """
    drawn: Any = maze
    geometry: Any = _OnLattice(drawn, network=network) if on_lattice(maze) else _OnSquares(drawn)
    routes = parse_routes(maze, path, geometry.plane, name)
    if len(routes) != 1:
        msg = f"{name}= holds {len(routes)} paths: a file shows one; meiro.plot shows several"
        raise ValueError(msg)
    ends = dict(zip(("start", "goal"), routes[0].ends, strict=True))
    for word, cell in (("start", start), ("goal", goal)):
        if cell is not None:
            ends[word] = geometry.cell(cell, word)
    if puzzle and not len(maze.openings) and None in ends.values():
        usual_ends = ends_of_graph_maze(maze) if on_lattice(maze) else maze.endpoints
        usual = dict(zip(("start", "goal"), usual_ends, strict=True))
        ends = {word: usual[word] if cell is None else cell for word, cell in ends.items()}
    middles = {word: geometry.middle(end) for word, end in ends.items() if marks and end is not None}
    return Picture(geometry, routes[0], middles)


class _OnSquares:
    """Squares: walls that continue each other are one line."""

    caps, corner, plane = "square", (0.0, 0.0), None
    titles: list[Title] = []  # noqa: RUF012  # always empty

    def __init__(self, maze: Maze) -> None:
        self.maze, self.size, self.places = maze, (maze.cols, maze.rows), maze.passages.size

    def cell(self, given: Any, name: str) -> Cell:
        return existing_cell(given, self.maze.shape, self.maze.mask, name)

    def middle(self, end: Any) -> Point:
        """Return the middle of the cell of an end that may lie in an opening, or between two cells."""
        row, col = (
            min(max(math.ceil(at), 0), side - 1) + 0.5 for at, side in zip(end, self.maze.shape, strict=True)
        )
        return col, row

    def layers(self, route: Route, pen: Pen, wall: float, path: float) -> Iterator[Layer]:
        mask = self.maze.mask
        if pen.colors_roads:
            cells = np.ones(self.maze.shape, np.bool_) if mask is None else mask
            yield Layer(run_boxes(cells), "road")
        if mask is not None and pen.outside == "wall":
            yield Layer(run_boxes(~mask), "wall")
        yield Layer(lines_between(square_walls(self.maze, outside=pen.outside)), "wall", wall, pen.caps)
        line: Any = route.line
        yield Layer(line._replace(points=line.points + np.float32(0.5)), "path", path)


class _OnLattice:
    """A lattice in the plane."""

    caps = "round"

    def __init__(self, maze: GraphMaze, *, network: bool) -> None:
        self.maze, self.places = maze, maze.lattice.n_edges + maze.n_cells
        plane = plane_to_plot(maze.lattice, maze.openings)
        plane = plane._replace(network=plane.network or network)
        (left, top, right, bottom), cell = plane.box, plane.cell
        self.plane, self.size = plane, ((right - left) / cell, (bottom - top) / cell)
        self.corner = -left / cell, -top / cell
        self.titles = [
            Title(text, (x - left) / cell, (y - top) / cell, size / cell) for text, x, y, size in plane.titles
        ]

    def cell(self, given: Any, name: str) -> int:
        return cell_of(self.maze.lattice, given, name)

    def middle(self, end: Any) -> Point:
        x, y = ((self.plane.positions[end] - self.plane.box[:2]) / self.plane.cell).tolist()
        return x, y

    def layers(self, route: Route, pen: Pen, wall: float, path: float) -> Iterator[Layer]:
        for layer in self._in_units(route, pen, wall, path):
            points = layer.lines.points / self.plane.cell
            yield layer._replace(lines=layer.lines._replace(points=points))

    def _in_units(self, route: Route, pen: Pen, wall: float, path: float) -> Iterator[Layer]:
        """Yield layers whose lines are in units of the lattice, and their widths in cells."""
        maze, plane, line = self.maze, self.plane, Layer(route.line, "path", path)
        if plane.network:
            closed, open_, dots = network(plane, maze.lattice, maze.open)
            yield Layer(closed, "wall", CLOSED, opacity=FAINT)
            yield Layer(open_, "wall", PASSAGE)
            yield line
            yield Layer(dots, "wall", DOT_WIDTH)
        elif plane.outline is None:
            flat, _ = corridors(plane, maze.lattice, maze.open)
            sides, over = bridges(plane, maze, wall)
            yield Layer(flat, "wall", CORRIDOR + 2 * wall)
            yield Layer(flat, "road", CORRIDOR)
            yield line
            if len(over.points):
                yield Layer(sides, "wall", CORRIDOR + 2 * wall, "butt")
                yield Layer(over, "road", CORRIDOR, "butt")
                yield Layer(path_over_bridges(plane, maze, route), "path", path)
        else:
            if pen.colors_roads:
                yield Layer(long_arcs(polygons(plane.outline)), "road")
            seams = merged(open_seams(plane, maze.open)[0], None, plane.cell)
            yield Layer(seams, "wall", CLOSED, opacity=FAINT)
            yield Layer(merged(*wall_segments(plane, maze.open), plane.cell), "wall", wall, pen.caps)
            yield line
            for signs, _ in stairs(plane, maze.lattice, maze.open):
                yield Layer(signs, "wall")


def path_over_bridges(plane: Plane, maze: GraphMaze, route: Route) -> Lines:
    """Return the parts of a path that lead over bridges, in units of the lattice."""
    on_path = np.zeros(len(maze.open), np.bool_)
    on_path[route.edges] = True
    return corridors(plane, maze.lattice, maze.open, on_path)[1]
