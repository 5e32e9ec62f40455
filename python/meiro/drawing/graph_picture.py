"""A maze on a lattice as layers of lines and areas, in cells: for SVG and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro.drawing.graph_outline import (
    CLOSED,
    CORRIDOR,
    DOT_WIDTH,
    FAINT,
    PASSAGE,
    Lines,
    Plane,
    Title,
    bridges,
    corridors,
    long_arcs,
    merged,
    network,
    open_seams,
    plane_of,
    polygons,
    stairs,
    wall_segments,
)
from meiro.drawing.graph_paths import path_line
from meiro.drawing.graph_routes import graph_routes
from meiro.lattices.lattice import cell_of
from meiro.mazes.graph_maze import ends_of_graph_maze

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from numpy.typing import NDArray

    from meiro.drawing.graph_routes import GraphRoute
    from meiro.mazes.graph_maze import GraphMaze


class GraphPicture(NamedTuple):
    """A maze on a lattice, its path, the cells with marks, and what stands below."""

    maze: GraphMaze
    plane: Plane
    route: GraphRoute
    ends: Mapping[str, int | None]
    caption: str = ""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, in cells."""
        left, top, right, bottom = self.plane.box
        return (right - left) / self.plane.cell, (bottom - top) / self.plane.cell

    def middles(self) -> dict[str, tuple[float, float]]:
        """Return where the marks lie, in cells."""
        left, top, *_ = self.plane.box
        return {
            name: tuple(((self.plane.positions[cell] - (left, top)) / self.plane.cell).tolist())
            for name, cell in self.ends.items()
            if cell is not None
        }

    def titles(self) -> list[Title]:
        """Return the titles of levels, in cells."""
        left, top, *_ = self.plane.box
        cell = self.plane.cell
        return [
            Title(text, (x - left) / cell, (y - top) / cell, size / cell)
            for text, x, y, size in self.plane.titles
        ]


class Layer(NamedTuple):
    """Lines of one width, or areas where it is None; colours are named as in ``colors=``."""

    lines: Lines
    color: str
    width: float | None = None
    caps: str = "round"
    opacity: float = 1.0


def graph_picture_of(
    maze: GraphMaze,
    path: object = None,
    start: Hashable = None,
    goal: Hashable = None,
    *,
    marks: bool = True,
    puzzle: bool = False,
) -> GraphPicture:
    """Return a maze with its path and the ends of it, checked; else as `meiro.drawing.page.picture_of`."""
    plane = plane_of(maze.lattice, maze.openings)
    routes = graph_routes(maze, path)
    if len(routes) != 1:
        msg = f"solution= holds {len(routes)} paths: a file shows one; meiro.plot shows several"
        raise ValueError(msg)
    ends = dict(zip(("start", "goal"), routes[0].ends, strict=True))
    for word, cell in (("start", start), ("goal", goal)):
        if cell is not None:
            ends[word] = cell_of(maze.lattice, cell, word)
    if puzzle and not len(maze.openings) and None in ends.values():
        usual = dict(zip(("start", "goal"), ends_of_graph_maze(maze), strict=True))
        ends = {word: usual[word] if cell is None else cell for word, cell in ends.items()}
    return GraphPicture(maze, plane, routes[0], ends if marks else {})


def layers(picture: GraphPicture, *, wall: float, path: float, caps: str, road: bool) -> Iterator[Layer]:
    """Yield what is drawn of a maze, from below, widths in cells; `road`: roads have a colour, too."""
    maze, plane, route, *_ = picture
    line = _in_cells(path_line(plane, route), plane)
    if plane.network:
        closed, open_, dots = (_in_cells(one, plane) for one in network(plane, maze.lattice, maze.open))
        yield Layer(closed, "wall", CLOSED, opacity=FAINT)
        yield Layer(open_, "wall", PASSAGE)
        yield Layer(line, "path", path)
        yield Layer(dots, "wall", DOT_WIDTH)
        return
    if plane.outline is None:
        flat = _in_cells(corridors(plane, maze.lattice, maze.open)[0], plane)
        sides, over = (_in_cells(lines, plane) for lines in bridges(plane, maze, wall))
        yield Layer(flat, "wall", CORRIDOR + 2 * wall)
        yield Layer(flat, "road", CORRIDOR)
        yield Layer(line, "path", path)
        if len(over.points):
            yield Layer(sides, "wall", CORRIDOR + 2 * wall, "butt")
            yield Layer(over, "road", CORRIDOR, "butt")
            yield Layer(_above(picture), "path", path)
        return
    if road:
        yield Layer(_in_cells(long_arcs(polygons(plane.outline)), plane), "road")
    seams = merged(open_seams(plane, maze.open)[0], None, plane.cell)
    yield Layer(_in_cells(seams, plane), "wall", CLOSED, opacity=FAINT)
    walls = merged(*wall_segments(plane, maze.open), plane.cell)
    yield Layer(_in_cells(walls, plane), "wall", wall, caps)
    yield Layer(line, "path", path)
    for signs, _ in stairs(plane, maze.lattice, maze.open):
        yield Layer(_in_cells(signs, plane), "wall")


def _above(picture: GraphPicture) -> Lines:
    """Return the part of the path that leads over bridges, in cells."""
    maze, plane, route, *_ = picture
    on_path = np.zeros(len(maze.open), np.bool_)
    on_path[route.edges] = True
    return _in_cells(corridors(plane, maze.lattice, maze.open, on_path)[1], plane)


def _in_cells(lines: Lines, plane: Plane) -> Lines:
    """Return lines around the origin of the lattice in cells."""
    points: NDArray[np.float64] = lines.points / plane.cell
    return lines._replace(points=points)
