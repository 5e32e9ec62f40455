"""A maze in a photograph: of what may be its frame, the candidate that is a maze.

Candidates (`frame`) are looked at one after the other, dark walls before bright ones: each is viewed from
the front, parted into walls and roads by its own light (`light`), and its cells are looked for (`cells`), or
the openings of its outline (`outline`). The first with cells that are clear and connected, and with a way in,
is taken; else one with an outline. If no candidate has one, paper is put around the picture: it may be cut
at thick walls, which are then no edge of the light. Last, sheets of paper are looked at alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.memory import require
from meiro._utils.polygon import twice_area
from meiro.io.pictures.cells import Cells, find_cells, mend, reach, voted
from meiro.io.pictures.color_marks import without_colors
from meiro.io.pictures.frame import Frame, frames, frames_on_paper, frames_on_sheets, viewed
from meiro.io.pictures.light import Light, light_of
from meiro.io.pictures.local_threshold import is_wall
from meiro.io.pictures.outline import close_outline
from meiro.io.pictures.speckles import road_labels
from meiro.results.picture_array import Perspective

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell

_GOOD, _BEST = 3, 4
_SAME = 0.85  # of the area of a hull: another is no smaller
_MOST_WALL = 0.75  # of the box around a maze, and what is outside of it


class Photograph(NamedTuple):
    """A maze in a photograph, viewed from the front.

    Attributes
    ----------
    walls : ndarray of uint8, shape (h, w)
    threshold : Light or float
    frame : Frame
    colored : int
        How many pixels were no walls because of their colour.
    cells : Cells or None
    openings : list of (int, int)
        In the outline of a maze that has no frame of four sides.
    quality : int
        4: a maze with two openings, or with marks and none; 3: a closed one, or one without four sides that
        is alone; 2: others; 1: no clear cells, or few.
    """

    walls: NDArray[np.uint8]
    threshold: Light | float
    frame: Frame
    colored: int
    cells: Cells | None
    openings: list[Cell]
    quality: int

    def view(self, picture: NDArray[Any]) -> NDArray[Any]:
        """Return the nearest pixels of another picture of the same shape."""
        return viewed(picture, self.frame.perspective, self.frame.shape, nearest=True)

    @property
    def angle(self) -> float:
        """The tilt in degrees, clockwise: of the upper side and the lower one, on average."""
        corners = self.frame.corners
        down, across = corners[1] - corners[0] + corners[2] - corners[3]
        return math.degrees(math.atan2(down, across))


def photographed(
    values: NDArray[Any],
    full: float,
    limit: float | None,
    colorful: NDArray[np.bool_] | None,
    *,
    marked: bool,
) -> Photograph:
    """Return the maze in a photograph; a ValueError if no maze is found.

    Parameters
    ----------
    values : ndarray, shape (h, w)
        Luminance, which is `full` at most.
    full : float
    limit : float or None
        The least luminance of roads; by default it follows the light.
    colorful : ndarray of bool, shape (h, w), or None
        What is no wall, unless all is drawn in colour.
    marked : bool
        Whether start or goal are marked, so that there need be no openings.
    """
    require(12 * values.size, "looking for a frame", "leave out deskew=, or scale the picture down")
    best: Photograph | None = None
    squares: list[float] = []  # areas of hulls with four sides
    for candidates in (frames, frames_on_paper, frames_on_sheets):
        for frame in candidates(values, full):
            found = _looked_at(values, full, limit, colorful, frame, marked=marked)
            area = abs(twice_area(frame.hull))
            if frame.straight:
                squares.append(area)
            elif found is not None and any(_SAME * area < other < area / _SAME for other in squares):
                found = found._replace(quality=2)  # of the same hull, whose sides are not clear
            if found is not None and (best is None or found.quality > best.quality):
                best = found
                if found.quality == _BEST:
                    return best
        if best is not None and best.quality >= _GOOD:
            return best
    if best is None:
        raise ValueError(
            "deskew: the picture has no frame of a maze, whose walls are darker, or brighter, than all "
            "around: cut it to the maze, or give deskew=False"
        )
    return best


def _looked_at(
    values: NDArray[Any],
    full: float,
    limit: float | None,
    colorful: NDArray[np.bool_] | None,
    frame: Frame,
    *,
    marked: bool,
) -> Photograph | None:
    """Return what is in a frame, or in the box around a hull; None if it is no maze."""
    if not frame.straight:
        frame = _box(frame, values.shape)
    seen = viewed(values, frame.perspective, frame.shape)
    threshold = light_of(seen, full) if limit is None else limit
    walls = np.empty(seen.shape, np.uint8)
    is_wall(seen, threshold, walls.view(np.bool_))
    del seen
    if frame.bright:
        np.equal(walls, 0, out=walls.view(np.bool_))
    colored = 0
    if colorful is not None:
        colored = without_colors(walls, viewed(colorful, frame.perspective, frame.shape, nearest=True))
    found = Photograph(walls, threshold, frame, colored, None, [], 1)
    if frame.straight:
        cells = find_cells(walls)
        if cells is not None and cells.openings > (0 if marked else 2):
            cells = _looked_around(values, found, cells, colorful) or cells
        quality = 1 if cells is None else _quality_of(cells, marked=marked)
        if cells is not None:
            mend(walls, cells)
        return found._replace(cells=cells, quality=quality)
    if not walls.any():
        return None
    corner = frame.perspective.in_picture(np.zeros((1, 2)))[0, ::-1]
    openings = close_outline(walls, frame.hull - corner)
    labels = road_labels(walls)
    joined = len({int(labels[opening]) for opening in openings}) == 1
    if walls.mean() > _MOST_WALL or (not marked and (len(openings) != 2 or not joined)):
        return None
    return found._replace(openings=openings, quality=_GOOD if frame.alone else 2)


def _looked_around(
    values: NDArray[Any], found: Photograph, cells: Cells, colorful: NDArray[np.bool_] | None
) -> Cells | None:
    """Return the cells if walls of the frame bend outwards as well, as those of a hand do."""
    height, width = found.walls.shape
    edge = round(max(reach(float(at[1] - at[0]), cells.thickness) for at in (cells.down, cells.across))) + 2
    matrix = np.array(found.frame.perspective.matrix) @ [[1, 0, -edge], [0, 1, -edge], [0, 0, 1]]
    around = Perspective(tuple(map(tuple, matrix.tolist())))
    shape = height + 2 * edge, width + 2 * edge
    limit = found.threshold
    least = (
        limit if isinstance(limit, float) else np.pad(limit.rows(slice(0, height), width), edge, mode="edge")
    )
    walls = ((viewed(values, around, shape) < least) != found.frame.bright).astype(np.uint8)
    if colorful is not None and found.colored:
        walls[viewed(colorful, around, shape, nearest=True)] = 0
    walls[edge:-edge, edge:-edge] = found.walls
    return voted(walls, cells.down, cells.across, cells.thickness, edge)


def _quality_of(cells: Cells, *, marked: bool) -> int:
    """Return how much a grid of cells seems to be a maze: see `Photograph`."""
    entered = cells.openings == (0 if marked else 2)
    if min(cells.shape) < 3:
        return 2 if min(cells.shape) > 1 and entered and cells.is_tree else 1
    if not cells.connected or cells.grid[1::2, 1::2].any():
        return 2  # what is between bright and dark lines may seem to be cells, too
    if entered:
        return _BEST
    return _GOOD if marked or not cells.openings else 2


def _box(frame: Frame, shape: tuple[int, ...]) -> Frame:
    """Return the upright box around a hull."""
    left, top = np.maximum(np.floor(frame.hull.min(axis=0)).astype(int) - 1, 0).tolist()
    right, bottom = np.ceil(frame.hull.max(axis=0)).astype(int).tolist()
    height, width = min(bottom + 2, shape[0]) - top, min(right + 2, shape[1]) - left
    moved = Perspective(((1.0, 0.0, float(top)), (0.0, 1.0, float(left)), (0.0, 0.0, 1.0)))
    return frame._replace(perspective=moved, shape=(height, width))
