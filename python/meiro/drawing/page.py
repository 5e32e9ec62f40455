"""Mazes on paper: where each stands and how wide its lines are. SVG and PDF both draw from it.

All lengths are millimetres, x from the left and y from the top of the page.
"""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

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
    require_corridor,
    text_width,
    thickness,
)
from meiro._utils.validation import boolean, checked_outside
from meiro.colors import DARK
from meiro.drawing.labels import DIGIT, checked_marks
from meiro.drawing.lines import MITRE
from meiro.drawing.palette import COLORS, needs_bright_ink
from meiro.drawing.picture import BEHIND_LABELS, Pen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from meiro.drawing.picture import Layer, Picture, Word

WALL, PATH = 0.14, 0.28
"""How wide a wall and a path are, as shares of a cell."""

EDGE = 0.125  # of a cell, beyond the middle of the outer wall

_LEAST_CELL = 1.0  # a smaller one cannot be walked with a pencil
_WALLS, _PATHS = (0.25, 1.2), (0.45, 2.5)  # the least and the most of widths that follow from the cell
_TITLE, _LEAST_TITLE, _CAPTION, _FOOT = 7.0, 2.0, 4.5, 3.2  # sizes of letters
_SMALL_TITLE = 3.5  # a title of smaller letters is cut into lines
_LINE_SPACE = 1.35  # from line to line, as a share of the size
_FIT = 5.0  # mm of a cell where the page fits the maze
_LINE = 28  # letters of the line for a name
_OUTLINE = 0.1  # mm, the width of a line that is cut


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
        outline = None if pen.outline is None else pen.outline / self.cell
        for layer in self.picture.geometry.layers(self.picture.routes[0], pen, wall, path, outline):
            behind = layer.color == "path" and self.picture.words
            yield layer._replace(opacity=BEHIND_LABELS) if behind else layer
        yield from self.picture.over


class Label(NamedTuple):
    """A line of text: a point of its base line, and the size of its letters."""

    text: str
    x: float
    y: float
    size: float
    color: str
    anchor: Literal["middle", "end"] = "middle"
    """Whether the point is in the middle of the line or at its end."""


def label_of(word: Word, colors: Mapping[str, str]) -> Label:
    """Return the line of text of a label on a maze, in cells: bright on what is dark."""
    ground = bytes.fromhex(colors[word.ground][1:])
    ink = DARK.ink.hex if needs_bright_ink([*ground]) else colors["text"]
    return Label(word.text, word.x, word.y + DIGIT / 2 * word.size, word.size, ink)


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


def pen_of(pictures: Sequence[Picture], options: Mapping[str, Any]) -> Pen:
    """Return widths, caps and colours, checked: walls that meet at any angle have round ends by default."""
    wall, path = (
        None if options.get(name) is None else length(options[name], name)
        for name in ("wall_width", "path_width")
    )
    caps = checked_caps(pictures[0].geometry.caps if options.get("caps") is None else options["caps"])
    outline = thickness(options.get("wall"), options.get("kerf"))
    if outline is not None and options.get("outside", "blank") != "blank":
        raise ValueError(
            "outside= fills what is outside of a mask, where wall= draws outlines: leave one of them out"
        )
    return Pen(
        wall,
        path,
        caps,
        checked_colors(options.get("colors"), COLORS),
        checked_outside(options.get("outside", "blank")),
        outline,
    )


def format_of(options: Mapping[str, Any], usual: str) -> Format:
    """Return page, margin and the side of a cell, checked; `usual` is the page if none is given."""
    given = options.get("page")
    paper = checked_page(usual if given is None else given)
    margin = options.get("margin")
    margin = (MARGIN if paper else 0.0) if margin is None else length(margin, "margin", positive=False)
    mm = options.get("mm")
    return Format(paper, margin, (None if paper else _FIT) if mm is None else millimetres(mm))


def page_of(pictures: Sequence[Picture], options: Mapping[str, Any], usual: str) -> Page:
    """Return the page of pictures that options describe; `usual` is its size if none is given."""
    return lay_out(pictures, pen_of(pictures, options), format_of(options, usual), title_of(options))


def lay_out(  # noqa: PLR0917
    pictures: Sequence[Picture], pen: Pen, form: Format, title: str = "", places: int = 0, name: str = ""
) -> Page:
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
    name : str
        Stands in a corner above them, before a line to write on.

    Raises
    ------
    ValueError
        If the page is too small (the message names the smallest that is large enough), or a line is wider
        than a cell.
    """
    need = _need(pictures, title, max(len(pictures), places), name)
    if form.paper is None:
        cell = form.mm or _FIT
        need = need._replace(edge=max(EDGE, *(outline_edge(one, pen, cell) for one in pictures)))
        grid = _Grid.near_square(need)
        width, height = (side + 2 * form.margin for side in grid.size(need, cell))
        paper = Paper(width, height, turns=False)
    else:
        paper, grid = _best(form, form.paper, need)
        cell = _checked_cell(form, paper, grid, need)
    wall, path = _widths(pen, cell, fits=form.paper is None)
    across, down = grid.room(need, paper, form.margin)
    last = 0 if places else len(pictures) % grid.cols  # mazes of a last row that is not full: in its middle
    mazes, labels = [], _head(title, name, paper, form.margin, pen)
    for i, one in enumerate(pictures):
        row, col = i // grid.cols, float(i % grid.cols)
        if i >= len(pictures) - last:
            col += (grid.cols - last) / 2
        left = form.margin + col * (across + grid.gap)
        top = form.margin + need.head + row * (down + grid.gap)
        width, height = (cell * side for side in one.size)
        x, y = left + (across - width) / 2, top + (down - need.below - height) / 2
        beyond_left, beyond_top, *_ = one.box
        mazes.append(Placed(one, x - cell * beyond_left, y - cell * beyond_top, cell, wall, path))
        if one.caption:
            base = y + height + EDGE * cell
            for line in one.caption.split("\n"):
                base += _LINE_SPACE * _CAPTION
                size = _fitting(line, across, _CAPTION, "titles")
                labels.append(Label(line, left + across / 2, base, size, pen.colors["text"]))
    return Page(paper.width, paper.height, mazes, labels, pen)


def outline_edge(picture: Picture, pen: Pen, cell: float) -> float:
    """Return how far outlines reach beyond the middle of the outer wall, in cells."""
    reach = 1 if picture.geometry.plane is None else MITRE  # of corners
    return reach * (pen.outline or 0) / cell / 2


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
    edge: float = EDGE


def _need(pictures: Sequence[Picture], title: str, places: int, name: str = "") -> _Need:
    cols, rows = (max(sides) for sides in zip(*(one.size for one in pictures), strict=True))
    lines = max(one.caption.count("\n") + bool(one.caption) for one in pictures)
    below = (0.35 + _LINE_SPACE * lines) * _CAPTION if lines else 0.0
    head = 2 * _TITLE * bool(title) + 2 * _CAPTION * bool(name)
    return _Need(places, rows, cols, head, below)


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
        width = self.cols * cell * (need.cols + 2 * need.edge) + (self.cols - 1) * self.gap
        height = self.rows * (cell * (need.rows + 2 * need.edge) + need.below) + (self.rows - 1) * self.gap
        return width, height + need.head

    def cell(self, need: _Need, paper: Paper, margin: float) -> float:
        """Return the side of the largest cells."""
        across, down = self.room(need, paper, margin)
        return min(across / (need.cols + 2 * need.edge), (down - need.below) / (need.rows + 2 * need.edge))

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
    raise ValueError(
        f"page {paper} is too small for {what} of {need.rows:.4g} x {need.cols:.4g} cells of {least:g} mm "
        f"with margin={form.margin:g}: the smallest page is {' x '.join(f'{side:g}' for side in sides)} mm"
    )


def _widths(pen: Pen, cell: float, *, fits: bool) -> tuple[float, float]:
    """Return the widths of walls and paths."""
    if pen.outline is not None:
        require_corridor(pen.outline, cell)
    usual = [
        share * cell if fits else min(max(share * cell, least), most, 2 * share * cell)
        for share, (least, most) in ((WALL, _WALLS), (PATH, _PATHS))
    ]
    if pen.outline is not None:
        usual[0] = _OUTLINE
    wall, path = (own if given is None else given for given, own in zip(pen[:2], usual, strict=True))
    for name, width, room in (("wall_width", wall, cell), ("path_width", path, cell - wall)):
        if width >= room:
            raise ValueError(f"{name}={width:g} must be less than {room:g} mm: a cell has {cell:g} mm here")
    return wall, path


def _head(title: str, name: str, paper: Paper, margin: float, pen: Pen) -> list[Label]:
    """Return the title in the middle, in up to three lines, and above it at the right the one for a name."""
    room, ink, below, labels = paper.width - 2 * margin, pen.colors["text"], 0.0, []
    if name:
        line = f"{name.removesuffix(':')}: {'_' * _LINE}"
        size, below = _fitting(line, room, _CAPTION, "name_line"), 2 * _CAPTION
        labels.append(Label(line, paper.width - margin, margin + 0.8 * _CAPTION, size, ink, "end"))
    lines, most = _lines_of(title, room)
    size = _fitting(max(lines, key=text_width), room, most, "title") if lines else most
    for i, line in enumerate(lines):
        base = margin + below + 0.8 * most + i * _LINE_SPACE * size
        labels.insert(i, Label(line, paper.width / 2, base, size, ink))
    return labels


def _lines_of(title: str, room: float) -> tuple[list[str], float]:
    """Return the fewest lines, up to three, in which a title can be read, and the most that letters have."""
    lines, most = [title] if title else [], _TITLE
    for n in (2, 3):
        if room < _SMALL_TITLE * max(map(text_width, lines), default=0):
            widths = range(math.ceil(len(title) / n), len(title) + 1)
            lines = next(cut for width in widths if len(cut := textwrap.wrap(title, width)) <= n)
            most = 2 * _TITLE / (n * _LINE_SPACE)
    return lines, most


def _fitting(text: str, room: float, usual: float, name: str) -> float:
    """Return the size of letters at which a text fits a line."""
    size = min(usual, room / text_width(text))
    if size < _LEAST_TITLE:
        raise ValueError(f"{name} {short_repr(text)} is too long for a line of {room:g} mm: shorten it")
    return size


def title_of(options: Mapping[str, Any]) -> str:
    """Return ``title=``, checked."""
    return checked_title(options.get("title"))


def shown_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of `picture_of` among options, checked; lasers cut marks only if asked for."""
    marks = checked_marks(options.get("marks", None if options.get("wall") is None else False))
    explored = boolean(options.get("explored", False), "explored")
    return {"marks": marks, "labels": options.get("labels"), "explored": explored}
