"""Mazes on paper: where each stands and how wide its lines are. SVG and PDF both draw from it.

All lengths are millimetres, x from the left and y from the top of the page.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from meiro._utils.messages import short_repr
from meiro._utils.paper import (
    MARGIN,
    Paper,
    checked_caps,
    checked_colors,
    checked_page,
    checked_title,
    length,
    millimetres,
    text_width,
)
from meiro._utils.validation import boolean
from meiro.drawing.picture import COLORS, Pen
from meiro.mazes._outside import checked_outside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from meiro.drawing.picture import Layer, Picture

WALL, PATH = 0.14, 0.28
"""How wide a wall and a path are, as shares of a cell."""

DOT = 0.28
"""The radius of the start, as a share of a cell."""

RING = 0.2, 0.16
"""The radius and the width of the goal."""

EDGE = 0.125  # of a cell, beyond the middle of the outer wall

_LEAST_CELL = 1.0  # a smaller one cannot be walked with a pencil
_WALLS, _PATHS = (0.25, 1.2), (0.45, 2.5)  # the least and the most of widths that follow from the cell
_TITLE, _LEAST_TITLE, _CAPTION, _FOOT = 7.0, 2.5, 4.5, 3.2  # sizes of letters
_FIT = 5.0  # mm of a cell where the page fits the maze


class Placed(NamedTuple):
    """A picture on a page: the corner of its first cell, the side of a cell, the widths of its lines."""

    picture: Picture
    left: float
    top: float
    cell: float
    wall: float
    path: float

    def layers(self, pen: Pen) -> Iterator[Layer]:
        """Yield what is drawn of the maze, in cells."""
        wall, path = self.wall / self.cell, self.path / self.cell
        return self.picture.geometry.layers(self.picture.route, pen, wall, path)


class Label(NamedTuple):
    """A line of text: the middle of its base line, and the size of its letters."""

    text: str
    x: float
    y: float
    size: float
    color: str


class Page(NamedTuple):
    """What is printed on one page."""

    width: float
    height: float
    mazes: list[Placed]
    labels: list[Label]
    pen: Pen


class Format(NamedTuple):
    """How mazes are arranged: the page (None: as large as they are), its margin, the side of a cell."""

    paper: Paper | None
    margin: float
    mm: float | None


def pen_of(options: Mapping[str, Any], usual_caps: str = "square") -> Pen:
    """Return widths, caps and colours, checked."""
    wall, path = (
        None if options.get(name) is None else length(options[name], name)
        for name in ("wall_width", "path_width")
    )
    caps = checked_caps(usual_caps if options.get("caps") is None else options["caps"])
    return Pen(
        wall,
        path,
        caps,
        checked_colors(options.get("colors"), COLORS),
        checked_outside(options.get("outside", "blank")),
    )


def format_of(options: Mapping[str, Any], usual: str) -> Format:
    """Return page, margin and the side of a cell, checked; `usual` is the page if none is given."""
    given = options.get("page")
    paper = checked_page(usual if given is None else given)
    margin = options.get("margin")
    margin = (MARGIN if paper else 0.0) if margin is None else length(margin, "margin", positive=False)
    mm = options.get("mm")
    return Format(paper, margin, (None if paper else _FIT) if mm is None else millimetres(mm))


def lay_out(pictures: Sequence[Picture], pen: Pen, form: Format, title: str = "", places: int = 0) -> Page:
    """Arrange mazes on a page, all with cells of one size, as large as they can be.

    Parameters
    ----------
    pictures : sequence of Picture
    pen : Pen
    form : Format
    title : str
        Stands above them.
    places : int
        Room is left for as many, so that the last page of a book is arranged as the others.

    Raises
    ------
    ValueError
        If the page is too small (the message names the smallest that is large enough), or a line is wider
        than a cell.
    """
    need = _need(pictures, title, max(len(pictures), places))
    if form.paper is None:
        grid, cell = _Grid.near_square(need), form.mm or _FIT
        width, height = (side + 2 * form.margin for side in grid.size(need, cell))
        paper = Paper(width, height, turns=False)
    else:
        paper, grid = _best(form, form.paper, need)
        cell = _checked_cell(form, paper, grid, need)
    wall, path = _widths(pen, cell, fits=form.paper is None)
    across, down = grid.room(need, paper, form.margin)
    last = 0 if places else len(pictures) % grid.cols  # mazes of a last row that is not full: in its middle
    mazes, labels = [], _title(title, paper, form.margin, pen)
    for i, one in enumerate(pictures):
        row, col = i // grid.cols, float(i % grid.cols)
        if i >= len(pictures) - last:
            col += (grid.cols - last) / 2
        left = form.margin + col * (across + grid.gap)
        top = form.margin + need.head + row * (down + grid.gap)
        width, height = (cell * side for side in one.geometry.size)
        x, y = left + (across - width) / 2, top + (down - need.below - height) / 2
        mazes.append(Placed(one, x, y, cell, wall, path))
        if one.caption:
            base = y + height + EDGE * cell + 1.35 * _CAPTION
            labels.append(Label(one.caption, left + across / 2, base, _CAPTION, pen.colors["text"]))
    return Page(paper.width, paper.height, mazes, labels, pen)


def largest_cell(pictures: Sequence[Picture], form: Format, title: str, places: int) -> float:
    """Return the side of the cells where a page has places for some mazes."""
    assert form.paper is not None  # noqa: S101  # a page that fits the mazes has no largest cells
    need = _need(pictures, title, places)
    paper, grid = _best(form, form.paper, need)
    return grid.cell(need, paper, form.margin)


def numbered(page: Page, number: str, margin: float) -> Page:
    """Return a page with its number in the middle of the lower margin, if there is room for it."""
    if margin < 2 * _FOOT:
        return page
    foot = Label(number, page.width / 2, page.height - margin / 2 + _FOOT / 3, _FOOT, "#808080")
    return page._replace(labels=[*page.labels, foot])


class _Need(NamedTuple):
    """What must find room: mazes of at most these rows and columns, and lines of text."""

    places: int
    rows: float
    cols: float
    head: float
    below: float


def _need(pictures: Sequence[Picture], title: str, places: int) -> _Need:
    cols, rows = (max(sides) for sides in zip(*(one.geometry.size for one in pictures), strict=True))
    below = 1.7 * _CAPTION if any(one.caption for one in pictures) else 0.0
    return _Need(places, rows, cols, 2 * _TITLE if title else 0.0, below)


class _Grid(NamedTuple):
    """Rows and columns of mazes, and the gap between them: the same on every page."""

    rows: int
    cols: int
    gap: float = 10.0

    @staticmethod
    def near_square(need: _Need) -> _Grid:
        """Return the arrangement whose sides differ least."""

        def difference(cols: int) -> float:
            return abs(math.log(cols * need.cols / (math.ceil(need.places / cols) * need.rows)))

        cols = min(range(1, need.places + 1), key=difference)
        return _Grid(math.ceil(need.places / cols), cols)

    def size(self, need: _Need, cell: float) -> tuple[float, float]:
        """Return the width and height that the mazes take."""
        width = self.cols * cell * (need.cols + 2 * EDGE) + (self.cols - 1) * self.gap
        height = self.rows * (cell * (need.rows + 2 * EDGE) + need.below) + (self.rows - 1) * self.gap
        return width, height + need.head

    def cell(self, need: _Need, paper: Paper, margin: float) -> float:
        """Return the side of the largest cells."""
        across, down = self.room(need, paper, margin)
        return min(across / (need.cols + 2 * EDGE), (down - need.below) / (need.rows + 2 * EDGE))

    def room(self, need: _Need, paper: Paper, margin: float) -> tuple[float, float]:
        """Return the width and height for each maze."""
        across = paper.width - 2 * margin - (self.cols - 1) * self.gap
        down = paper.height - 2 * margin - need.head - (self.rows - 1) * self.gap
        return across / self.cols, down / self.rows


def _best(form: Format, paper: Paper, need: _Need) -> tuple[Paper, _Grid]:
    """Return the page, turned on its side if that is better, and the arrangement with the largest cells."""
    papers = [paper, paper.turned()] if paper.turns else [paper]
    grids = [_Grid(math.ceil(need.places / cols), cols) for cols in range(1, need.places + 1)]

    def quality(choice: tuple[Paper, _Grid]) -> tuple[float, int]:
        page, grid = choice
        return round(grid.cell(need, page, form.margin), 6), -grid.rows * grid.cols

    return max(((page, grid) for page in papers for grid in grids), key=quality)


def _checked_cell(form: Format, paper: Paper, grid: _Grid, need: _Need) -> float:
    """Return the side of a cell; a ValueError if the page is too small."""
    largest = grid.cell(need, paper, form.margin)
    least = _LEAST_CELL if form.mm is None else form.mm
    if largest >= least * (1 - 1e-9):
        return largest if form.mm is None else form.mm
    sides = (math.ceil(10 * (side + 2 * form.margin) - 1e-6) / 10 for side in grid.size(need, least))
    what = f"{need.places} mazes" if need.places > 1 else "a maze"
    msg = (
        f"page {paper} is too small for {what} of {need.rows:.4g} x {need.cols:.4g} cells of {least:g} mm "
        f"with margin={form.margin:g}: the smallest page is {' x '.join(f'{side:g}' for side in sides)} mm"
    )
    raise ValueError(msg)


def _widths(pen: Pen, cell: float, *, fits: bool) -> tuple[float, float]:
    """Return the widths of walls and paths."""
    usual = [
        share * cell if fits else min(max(share * cell, least), most, 2 * share * cell)
        for share, (least, most) in ((WALL, _WALLS), (PATH, _PATHS))
    ]
    wall, path = (own if given is None else given for given, own in zip(pen[:2], usual, strict=True))
    for name, width, room in (("wall_width", wall, cell), ("path_width", path, cell - wall)):
        if width >= room:
            msg = f"{name}={width:g} must be less than {room:g} mm: a cell has {cell:g} mm here"
            raise ValueError(msg)
    return wall, path


def _title(title: str, paper: Paper, margin: float, pen: Pen) -> list[Label]:
    if not title:
        return []
    room = paper.width - 2 * margin
    size = min(_TITLE, room / text_width(title))
    if size < _LEAST_TITLE:
        msg = f"title {short_repr(title)} is too long for a line of {room:g} mm: shorten it"
        raise ValueError(msg)
    return [Label(title, paper.width / 2, margin + 0.8 * _TITLE, size, pen.colors["text"])]


def title_of(options: Mapping[str, Any]) -> str:
    """Return ``title=``, checked."""
    return checked_title(options.get("title"))


def marks_of(options: Mapping[str, Any]) -> bool:
    """Return ``marks=``, checked."""
    return boolean(options.get("marks", True), "marks")
