"""What is drawn of a maze, whatever its cells: layers of lines and areas, its path, marks, labels and titles.

Squares and lattices make the same `Picture`, and SVG, PDF and the displays of notebooks draw from it. Lengths
are cells, x to the right and y down from the upper left corner. Locks are a line across the passage of each
door, with a capital letter; keys are labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import count, groupby, islice, product
from operator import attrgetter, itemgetter
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from meiro._utils.square import E, N, S, W, existing_cell
from meiro.drawing.graph_outline import (
    CORRIDOR,
    Plane,
    Title,
    all_walls,
    bridge_parts,
    joined,
    long_arcs,
    merged,
    plane_to_plot,
    rooms,
    stairs,
    ways_in,
)
from meiro.drawing.labels import DIGIT, digit_heights, label_height, texts_of
from meiro.drawing.lattice_layers import drawn_of, shape_layers, still_paints
from meiro.drawing.lines import (
    Lines,
    chords,
    dots_at,
    lattice_outlines,
    lines_between,
    square_outlines,
)
from meiro.drawing.palette import COLORS
from meiro.drawing.raster import run_boxes
from meiro.drawing.raster import wall_segments as square_walls
from meiro.drawing.routes import Route, parse_routes
from meiro.lattices.lattice import cell_of
from meiro.mazes._openings import cells_beside
from meiro.mazes.graph_maze import ends_of_graph_maze
from meiro.spaces.space_of import is_maze, mazes_of, on_lattice, space_of
from meiro.transforms.locks import cells_at_doors, sides_of_doors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from meiro._utils.paper import Outside
    from meiro._utils.square import Cell
    from meiro.drawing.lattice_layers import ShapeLayer
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.locks import Locks
    from meiro.spaces.space import Space

    Point = tuple[float, float]
    Geometry: TypeAlias = "_OnSquares | _OnLattice"

MARKS: Mapping[str, tuple[float, float]] = {"start": (0.28, 0.0), "goal": (0.2, 0.16)}
"""The radius of a mark and the width of its rim, in cells: a dot, and a ring that is white inside."""

BEHIND_LABELS = 0.5
"""How opaque a path is where cells have labels."""

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
"""The corners of a square with sides of 2, closed."""

_ARROW = 0.3, 1.05, 0.12, 0.3, 0.42  # begin and end beyond the rim, half of shaft and head, its length
_DISC, _LEAST_DISC = 0.5, 0.2  # of a cell: the most and the least that the disc of a letter is wide
_DOOR = 0.44  # the width of the line of a door, as a share of that of a disc
_ACROSS = CORRIDOR + 0.28  # of a cell: how long a door is where passages have no walls
_SIDES = {N: ((0, 0), (1, 0)), E: ((1, 0), (1, 1)), S: ((0, 1), (1, 1)), W: ((0, 0), (0, 1))}  # of a square
_TILE = 0.8  # of a cell: the side of the square of a start or goal that has a label
_THIN = 0.14  # of a cell: as thin as a path may be where walls are close
_FAR = 1000  # cells, more than the maze is wide


class Pen(NamedTuple):
    """How lines are drawn; a width of None follows from the cell."""

    wall: float | None
    path: float | None
    caps: str
    colors: Mapping[str, str]
    outside: Outside
    outline: float | None = None
    """How far the outlines of walls are apart, in millimetres; None: walls are lines."""

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


class Word(NamedTuple):
    """A label: its middle, the size of its letters, the colour that it stands on, and its cell or -1."""

    text: str
    x: float
    y: float
    size: float
    ground: str
    number: int = -1


class Picture(NamedTuple):
    """A maze, its paths, where its marks and labels lie, and what stands below.

    Attributes
    ----------
    geometry : Geometry
    routes : list of Route
        Files show one.
    ends : dict of str to list of int
        The cells that are marked as start and as goal.
    middles : list of (str, (float, float))
        Of those without a label: a start is a dot, a goal a ring.
    words : tuple of Word
    over : tuple of Layer
        What is drawn over the maze and its paths: arrows at openings, squares, which are ends with labels,
        and doors.
    caption : str
    """

    geometry: Geometry
    routes: Sequence[Route]
    ends: dict[str, list[int]]
    middles: list[tuple[str, Point]]
    words: tuple[Word, ...] = ()
    over: tuple[Layer, ...] = ()
    caption: str = ""

    @property
    def seen(self) -> NDArray[np.bool_] | None:
        """The places that are drawn as visited, if there is one path."""
        return self.routes[0].seen if len(self.routes) == 1 else None

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the maze, its arrows and the discs of its doors."""
        around = [
            layer.lines.points + self.geometry.corner + sign * (layer.width or 0) / 2
            for layer in self.over
            if layer.caps == "round"
            for sign in (-1, 1)
        ]
        corners = np.concatenate([[(0.0, 0.0), self.geometry.size], *around])
        return *corners.min(axis=0).tolist(), *corners.max(axis=0).tolist()

    @property
    def size(self) -> Point:
        """Width and height."""
        left, top, right, bottom = self.box
        return right - left, bottom - top


def picture_of(  # what files take
    maze: Maze | GraphMaze,
    path: Any = None,
    start: Any = None,
    goal: Any = None,
    *,
    marks: Any = None,
    labels: Any = None,
    explored: bool = False,
    puzzle: bool = False,
    network: bool = False,
    name: str = "solution",
    locks: Locks | None = None,
) -> Picture:
    """Return a maze with its path and the ends of it, checked.

    With `puzzle` or ``marks=True`` a maze is marked where `meiro.solve` would begin and end: a cell by a dot
    or a ring, an opening by an arrow. With `network` the edges of a lattice are lines from dot to dot, of
    which all are seen where they cross.

    Raises
    ------
    ValueError
        If the path or an end is not in the maze, several paths are given, or a lattice has no place in the
        plane.
    """
    drawn: Any = maze
    geometry = geometry_of(drawn, network=network)
    routes = parse_routes(maze, path, geometry.plane, name)
    if len(routes) != 1:
        raise ValueError(f"{name}= holds {len(routes)} paths: a file shows one; meiro.plot shows several")
    first, last = (
        own if given is None else geometry.cell(given, word)
        for own, given, word in zip(routes[0].ends, (start, goal), ("start", "goal"), strict=True)
    )
    route = routes[0]._replace(ends=(first, last))
    if start is not None or goal is not None:  # no arrows, but what is given
        route = route._replace(doors=(None, None))
    usual = True if marks is None and puzzle else marks
    route = route if explored else route._replace(seen=None)
    return picture_on(geometry, space_of(maze), [route], marks=usual, labels=labels, locks=locks)


def picture_on(
    geometry: Geometry,
    space: Space[Any],
    routes: Sequence[Route],
    *,
    marks: Any,
    labels: Any,
    locks: Locks | None = None,
    part: tuple[slice, slice] | None = None,
) -> Picture:
    """Return a maze or an array with paths, their ends, arrows at openings, labels, doors and keys.

    `space` is that of the same maze or array; `marks` and `labels` are as in `meiro.plot`, and of `part` are
    the rows and columns that are drawn.
    """
    places, arrows = _ends_and_arrows(routes, marks, geometry)
    ends = {word: [geometry.number(end) for end in found] for word, found in places.items()}
    areas, words = [*arrows.items()], list[Word]()
    middles: list[tuple[str, Point]] = []
    signs = marks if isinstance(marks, Mapping) else None
    texts = texts_of(space, labels, signs if locks is None else {**_keys_of(locks), **(signs or {})}, part)
    rooms: dict[int, float] = {}
    if texts is not None:
        numbers, spelled = texts
        visited, room = np.zeros(len(numbers), np.bool_), geometry.rooms(numbers)
        if len(routes) == 1 and routes[0].seen is not None:
            visited = routes[0].seen.reshape(-1)[numbers]
        grounds = np.where(visited, "visited", np.where(geometry.are_walls(numbers), "wall", "road"))
        for word, of in ends.items():
            grounds[np.isin(numbers, of)] = word
        sizes, spots = digit_heights(spelled, room) / DIGIT, geometry.spots(numbers)
        columns = (spelled, *spots.T, sizes, grounds, numbers)
        words += [Word(*word) for word in zip(*(column.tolist() for column in columns), strict=True)]
        rooms = dict(zip(numbers.tolist(), room.tolist(), strict=True))
    for word, of in ends.items():
        spots = geometry.spots(np.array(of, np.int64))
        for number, (x, y) in zip(of, spots.tolist(), strict=True):
            if number in rooms:
                areas.append((word, (x, y) + tile_side(rooms[number]) / 2 * SQUARE))
            else:
                middles.append((word, (x, y)))
    over = [Layer(Lines(area - geometry.corner, np.array([0, len(area)])), name) for name, area in areas]
    doors, letters = ((), ()) if locks is None else doors_in(geometry, locks)
    return Picture(geometry, routes, ends, middles, (*words, *letters), (*over, *doors))


def geometry_of(maze: Any, *, network: bool = False) -> Geometry:
    """Return where the parts of a maze lie."""
    return _OnLattice(maze, network=network) if on_lattice(maze) else _OnSquares(maze)


def doors_in(geometry: Geometry, locks: Locks) -> tuple[tuple[Layer, Layer], tuple[Word, ...]]:
    """Return the lines of doors and discs on them, and letters on these where they have room.

    A door is where a border was cut open on both sides.
    """
    plane, space = geometry.plane, mazes_of(locks.maze)
    segments, arcs, middles, texts = list[Any](), list[bool](), list[Any](), list[str]()
    for letter, sides in zip(_letters(len(locks)), sides_of_doors(locks), strict=True):
        if plane is None:
            parts = _door_on_squares(sides, space.shape[1])
        else:
            parts = _door_on_lattice(plane, space.lattice, sides[0][0])
        for part, bent in parts:
            segments += part
            arcs += [bent] * len(part)
            middles.append(_middle_of(np.array(part, np.float64), bent=bent))
            texts.append(letter.upper())
    ends, places = np.array(segments, np.float64) / geometry.side, np.array(middles) / geometry.side
    lines = lines_between(ends, np.array(arcs) if any(arcs) else None)
    room = geometry.rooms(np.concatenate(cells_at_doors(locks)))
    disc = min(_DISC, room[room > 0].min(initial=_DISC))
    layers = Layer(lines, "door", _DOOR * disc, "butt"), Layer(dots_at(places), "door", disc)
    if disc < _LEAST_DISC:
        return layers, ()
    size = 1.5 * disc * label_height(np.array(texts)) / DIGIT
    letters = zip(texts, (places + geometry.corner).tolist(), strict=True)
    return layers, tuple(Word(text, x, y, size, "door") for text, (x, y) in letters)


def _door_on_squares(sides: Sequence[tuple[int, int]], cols: int) -> Iterator[tuple[Any, bool]]:
    """Yield the sides of cells, given by their bits, each once; both ends, and that it is no arc."""
    lines = {
        tuple((place % cols + x, place // cols + y) for x, y in _SIDES[bit]): None for place, bit in sides
    }
    for line in lines:
        yield [line], False


def _door_on_lattice(plane: Plane, lattice: Lattice, edge: int) -> Iterator[tuple[Any, bool]]:
    """Yield the walls of an edge, or what stands for them, each with all its segments."""
    if plane.stairs is not None and plane.stairs[edge]:
        only = np.arange(lattice.n_edges) == edge
        for signs, _ in stairs(plane, lattice, only):
            middle = signs.points[:3].mean(axis=0).tolist()
            yield [[middle, middle]], False
        return
    if plane.outline is None:
        first, last = plane.positions[lattice.edges[edge]]
        way = (last - first) / max(np.hypot(*(last - first)), 1e-300)
        beside = _ACROSS / 2 * plane.cell * np.array([-way[1], way[0]])
        middle = (first + last) / 2
        yield [[(middle - beside).tolist(), (middle + beside).tolist()]], False
        return
    edges, walls, arcs = all_walls(plane.outline)
    own = edges == edge
    if plane.districts:
        yield walls[own].tolist(), False
        return
    for line, bent in zip(walls[own].tolist(), arcs[own].tolist(), strict=True):
        yield [line], bent


def _middle_of(segments: NDArray[np.float64], *, bent: bool) -> NDArray[np.float64]:
    """Return the middle of an arc, or of the longest segment."""
    ends = segments[np.hypot(*(segments[:, 1] - segments[:, 0]).T).argmax()]
    middle: NDArray[np.float64] = ends.mean(axis=0)
    return middle * (np.hypot(*ends[0]) / np.hypot(*middle)) if bent else middle


def _keys_of(locks: Locks) -> dict[Any, str]:
    """Return the letters of keys by their cells."""
    space: Any = mazes_of(locks.maze)
    cells = map(space.cell, space.numbers(locks.keys, "keys").tolist())
    return dict(zip(cells, _letters(len(locks)), strict=True))


def _letters(n: int) -> Iterator[str]:
    """Yield a, b, ..., z, aa, ab and so on."""
    words = ("".join(word) for size in count(1) for word in product(ascii_lowercase, repeat=size))
    return islice(words, n)


def _ends_and_arrows(
    routes: Sequence[Route], marks: Any, geometry: Geometry
) -> tuple[dict[str, list[Any]], dict[str, NDArray[np.float64]]]:
    """Return the ends of routes that are marked, each once, and the arrows at openings.

    The corners of arrows are in the picture of this geometry. With ``marks=True`` these are openings, or
    where `meiro.solve` would begin and end. An array has none.
    """
    if marks is not None and marks is not True:
        return {}, {}
    ends = {
        name: list(dict.fromkeys(end for route in routes if (end := route.ends[i]) is not None))
        for i, name in enumerate(("start", "goal"))
    }
    maze: Any = geometry.maze
    if marks is None or not is_maze(maze):
        return ends, {}
    if not len(maze.openings):
        if not all(ends.values()):
            usual = ends_of_graph_maze(maze) if on_lattice(maze) else maze.endpoints
            ends = {name: ends[name] or [end] for name, end in zip(ends, usual, strict=True)}
        return ends, {}
    arrows = _arrows(geometry, routes[0])
    return {name: [] if name in arrows else places for name, places in ends.items()}, arrows


def _arrows(geometry: Geometry, route: Route) -> dict[str, NDArray[np.float64]]:
    """Return arrows at the openings of a path, or at two openings between which a maze is solved."""
    openings, inward = geometry.doors()
    doors: Mapping[str, Any] = {}
    if len(route.line.points):
        doors = {
            word: None if door is None else geometry.point(door)
            for word, door in zip(("start", "goal"), route.doors, strict=True)
        }
    elif len(openings) == 2 and route.ends == (None, None):
        doors = {"start": openings[0], "goal": openings[1]}
    arrows = {}
    for word, at in doors.items():
        if at is None:
            continue
        way = inward[int(np.hypot(*(openings - at).T).argmin())]
        near, far, shaft, head, length = _ARROW
        tip, back, step = (near, far, length) if word == "start" else (far, near, -length)
        outline = [(tip, 0), (tip + step, head), (tip + step, shaft), (back, shaft)]
        outline += [(along, -beside) for along, beside in outline[:0:-1]]
        along, beside = np.array([*outline, outline[0]]).T[..., None]
        arrows[word] = at - along * way + beside * way[::-1] * (-1, 1)
    return arrows


def fitting_width(path: float, room: float, wall: float) -> float:
    """Return the width of a path that goes between walls through so much room."""
    return min(path, max(room - wall, _THIN))


def tile_side(room: float) -> float:
    """Return the side of the square behind a label at an end, in a cell with so much room for it."""
    return min(_TILE, room or 1.0)


class _OnSquares:
    """Where the parts of a maze of squares, or of an array, lie: walls that continue each other are one line.

    Attributes
    ----------
    maze : Maze or ndarray
    caps : {"square", "round"}
        The ends of walls, if nobody wants others.
    side : float
        Of a cell, in the units of the lines of routes.
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

    caps, side, corner, plane = "square", 1.0, (0.0, 0.0), None
    titles: list[Title] = []  # noqa: RUF012  # always empty

    def __init__(self, maze: Any) -> None:
        self.maze, self.size, self.places = maze, maze.shape[::-1], math.prod(maze.shape)

    def cell(self, given: Any, name: str) -> Cell:
        """Return a cell that is to be marked, checked."""
        return existing_cell(given, self.maze.shape, self.maze.mask, name)

    def number(self, end: Any) -> int:
        """Return the number of the cell of an end that may lie in an opening, or between two cells."""
        row, col = (min(max(math.ceil(at), 0), n - 1) for at, n in zip(end, self.maze.shape, strict=True))
        return int(row * self.maze.shape[1] + col)

    def spots(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the middles of cells in the picture."""
        return np.stack(np.divmod(numbers, self.maze.shape[1])[::-1], axis=1) + 0.5

    def rooms(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the sides of squares in which labels have room."""
        return np.ones(len(numbers))

    def are_walls(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which places are as dark as walls if they have no other colour."""
        if is_maze(self.maze):
            return np.zeros(len(numbers), np.bool_)
        return np.asarray(self.maze.reshape(-1)[numbers] != 0)

    def doors(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the middles of the openings, and the directions that lead in through them."""
        maze = self.maze
        middles = maze.openings[:, ::-1] / 2
        cells = cells_beside(maze.openings, maze.shape, maze.mask)[:, ::-1] + 0.5
        return middles, 2 * (cells - middles)

    def point(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points of the line of a route in the picture."""
        return at + 0.5

    def back(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points of the picture in the units of the lines of routes."""
        return at - 0.5

    def layers(
        self, route: Route, pen: Pen, wall: float, path: float, outline: float | None
    ) -> Iterator[Layer]:
        """Yield what is drawn, from below, with lines of walls and a path of these widths, or outlines."""
        mask = self.maze.mask
        if pen.colors_roads:
            cells = np.ones(self.maze.shape, np.bool_) if mask is None else mask
            yield Layer(run_boxes(cells), "road")
        if route.seen is not None:
            yield Layer(run_boxes(route.seen), "visited")
        if mask is not None and pen.outside == "wall":
            yield Layer(run_boxes(~mask), "wall")
        if outline is None:
            walls = lines_between(square_walls(self.maze, outside=pen.outside))
        else:
            walls = square_outlines(self.maze, outline)
        yield Layer(walls, "wall", wall, pen.caps)
        line: Any = route.line
        yield Layer(line._replace(points=line.points + np.float32(0.5)), "path", path)


class _OnLattice:
    """The same of a maze on a lattice in the plane."""

    caps = "round"

    def __init__(self, maze: GraphMaze, *, network: bool) -> None:
        self.maze, self.places = maze, maze.lattice.n_edges + maze.n_cells
        plane = plane_to_plot(maze.lattice, maze.openings)
        plane = plane._replace(network=plane.network or network)
        (left, top, right, bottom), cell = plane.box, plane.cell
        self.plane, self.side, self.size = plane, cell, ((right - left) / cell, (bottom - top) / cell)
        # Far from its origin a maze has lines from its own corner: programs that show them have few digits.
        far = max(abs(left), abs(top)) / cell > _FAR + max(self.size)
        self.origin = np.array([left, top]) if far else np.zeros(2)
        self.corner = (self.origin[0] - left) / cell, (self.origin[1] - top) / cell
        self.titles = [
            Title(text, (x - left) / cell, (y - top) / cell, size / cell) for text, x, y, size in plane.titles
        ]

    def cell(self, given: Any, name: str) -> int:
        return cell_of(self.maze.lattice, given, name)

    def number(self, end: Any) -> int:
        return int(end)

    def spots(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        return self.point(self.plane.positions[numbers])

    def rooms(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = rooms(self.plane)[numbers] / self.plane.cell
        return found

    def are_walls(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.full(len(numbers), self.plane.network)  # its dots

    def point(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        return (at - self.plane.box[:2]) / self.plane.cell

    def back(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        return at * self.plane.cell + self.plane.box[:2]

    def doors(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        middles, inward = ways_in(self.maze, self.plane)
        return self.point(middles), inward

    def layers(
        self, route: Route, pen: Pen, wall: float, path: float, outline: float | None
    ) -> Iterator[Layer]:
        if outline is not None and (self.plane.network or self.plane.outline is None):
            raise ValueError(
                f"{self.maze!r} has no walls in the plane: its cells have no outlines; leave out wall="
            )
        for layer in self._in_units(route, pen, wall, path, outline):
            points = (layer.lines.points - self.origin) / self.plane.cell
            yield layer._replace(lines=layer.lines._replace(points=points))

    def _in_units(
        self, route: Route, pen: Pen, wall: float, path: float, outline: float | None
    ) -> Iterator[Layer]:
        """Yield layers whose lines are in units of the lattice, and their widths in cells."""
        maze, plane, cell = self.maze, self.plane, self.plane.cell
        if pen.path is None:
            path = fitting_width(path, route.room / cell, wall)
        paints = still_paints(maze.lattice, plane, maze.open, route.seen)
        needs_areas = pen.colors_roads or (route.seen is not None and bool(route.seen.any()))
        shapes = shape_layers(maze.lattice, plane, wall * cell, maze.open, areas=needs_areas, arcs=True)
        for over, layers in groupby(shapes, attrgetter("over_paths")):
            yield from self._drawn(layers, paints, pen, outline)
            if not over:
                yield Layer(route.line, "path", path)
        if plane.outline is None and not plane.network:
            yield Layer(path_over_bridges(plane, maze, route), "path", path)

    def _drawn(
        self, layers: Iterator[ShapeLayer], paints: NDArray[np.uint8], pen: Pen, outline: float | None
    ) -> Iterator[Layer]:
        """Yield what layers show, with lines of one look as one."""
        plane, cell = self.plane, self.plane.cell
        parts = (
            ((layer.kind, name, layer.width / cell, layer.caps, layer.opacity), lines)
            for layer in layers
            if outline is None or layer.opacity == 1
            for name, lines in drawn_of(layer, paints, roads=pen.colors_roads)
        )
        for (kind, name, width, caps, opacity), same in groupby(parts, itemgetter(0)):
            found = [lines for _, lines in same]
            if kind == "area":
                yield from (Layer(long_arcs(lines), name) for lines in found)
                continue
            lines = found[0] if plane.network or kind == "dot" else joined(found, cell)
            if outline is not None:
                lines = lattice_outlines(chords(lines, cell), outline * cell, cell)
            is_wall = plane.outline is not None and opacity == 1
            yield Layer(lines, name, width, pen.caps if is_wall else caps, opacity)


def path_over_bridges(plane: Plane, maze: GraphMaze, route: Route) -> Lines:
    """Return the parts of a path that lead over bridges, in units of the lattice."""
    parts, edges = bridge_parts(plane, maze.lattice, maze.open)
    walked = parts[np.isin(edges, route.edges)]
    return merged(walked, np.zeros(len(walked), np.bool_), plane.cell)
