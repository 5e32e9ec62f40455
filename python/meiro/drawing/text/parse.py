"""Mazes read from text.

A drawing is split into sites: its lines are the rows of the grid, its characters belong to columns of posts
and columns of cells, each of a fixed width. The widths are found by trying: they are the smallest for which
every character is allowed where it is.
"""

from __future__ import annotations

from codecs import utf_32_le_encode
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar
from unicodedata import name as name_of

import numpy as np

from meiro._utils.validation import one_of
from meiro.mazes.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro._utils.square import Cell

# What a character may be: ACROSS a wall between a cell and the one below it, DOWN one between a cell and the
# one to its right, ROAD an opening in either.
_POST, _ACROSS, _DOWN, _ROAD, _FILL, _CELL, _BLANK = (1 << bit for bit in range(7))
_Item = TypeVar("_Item", np.uint8, np.uint32)
_BLANKS = " \N{NO-BREAK SPACE}"
_LAST = 0x2600  # characters from here on are all the same


class _Family(NamedTuple):
    """The characters that are allowed at each kind of site."""

    walls: str  # in words
    posts: str
    across: str
    down: str
    fill: str  # a cell that does not exist
    road: str  # between cells, also as part of a path. A label in a cell holds none of these, but in "ascii"
    cells: str | None = None  # the characters allowed in a cell; None: all but walls


_BOX = "".join(map(chr, range(0x2500, 0x2580)))
_LEADS_DOWN = frozenset(char for char in _BOX if {"DOWN", "VERTICAL"} & set(name_of(char).split()))
_FAMILIES = {
    "lines": _Family("a box-drawing line", _BOX + "·░", "─━═╌╍┄┅┈┉╼╾░", "│┃║╎╏┆┇┊┋╽╿░", "░", _BLANKS + "•"),
    "ascii": _Family("+", "+", "-=", "|", "#", _BLANKS + "*.•·"),
    "block": _Family("█", "█", "█", "█", "█", _BLANKS + "░▒▓•"),
    "hash": _Family("#", "#", "#", "#", "#", _BLANKS + "*.•·", cells=_BLANKS + "*.•·SG"),
    "digits": _Family("1", "1", "1", "1", "1", "0", cells="0"),
}
_MARKED = "lines", "ascii"  # a filled cell looks unlike a wall, so that a road beside it is an opening
_BY_STYLE = {
    "unicode": ("lines",),
    "ascii": ("ascii",),
    "block": ("block",),
    "posts": ("lines",),
    "plain": ("hash", "digits"),
}


class _Lines(NamedTuple):
    """The text without byte order mark, blank lines around it and common indent; the codes are padded."""

    lines: list[str]
    codes: NDArray[np.uint32]
    first: int  # number of the first line in the text
    indent: int

    def refuse(self, line: int, column: int, expected: str, found: str = "") -> NoReturn:
        """Raise a ValueError that names line and column, as an editor counts them."""
        text = self.lines[line]
        found = found or (repr(text[column]) if column < len(text) else "the end of the line")
        msg = (
            f"line {line + self.first}, column {column + self.indent + 1}: expected {expected}, found {found}"
        )
        raise ValueError(msg)


def from_text(text: str, *, style: str | None = None) -> Maze:
    """Read a maze from text.

    Every style of `to_text` is read, and grids of ``#`` and space (or ``.``) and of 0 and 1. Openings beside
    masked-out cells are read where these have a sign of their own, as in all styles but "block" and "plain".
    Labels of cells and a path are ignored; S and G become the start and goal of the maze. Missing spaces at
    the ends of lines, a common indent, a byte order mark and any kind of newline are accepted.

    Parameters
    ----------
    text : str
        The drawing. To read a file use `meiro.read`.
    style : {"unicode", "ascii", "block", "posts", "plain"}, optional
        The style that the text must have; "plain" is ``#`` or 0 and 1. Default: recognised by the first
        character.

    Returns
    -------
    Maze
        With the passages, openings and masked-out cells that the text shows.

    Raises
    ------
    ValueError
        If the text is not a maze. The message names line and column, counted from 1, and the characters that
        are allowed at that place.

    Examples
    --------
    >>> meiro.Maze.from_text('''
    ... #####
    ... #S..#
    ... ###.#
    ... #G..#
    ... #####
    ... ''').goal
    (1, 0)
    """
    grid, start, goal = parse(text, style)
    cells = grid[1::2, 1::2] == 0
    maze = Maze.from_grid(grid, mask=cells if cells.any() else None)
    if start is None and goal is None:
        return maze
    return Maze(maze.passages, maze.mask, maze.openings, start=start, goal=goal)


def parse(text: object, style: str | None = None) -> tuple[NDArray[np.uint8], Cell | None, Cell | None]:
    """Grid (WALL = 1), start and goal of a drawing; see `from_text`."""
    if not isinstance(text, str):
        msg = f"text must be a str, got {type(text).__name__}; to read a file use meiro.read"
        raise TypeError(msg)
    if style is not None:
        one_of(style, "style", _BY_STYLE)
    drawing = _take_lines(text)
    name = _family_of(drawing, style)
    family = _FAMILIES[name]
    count, width = drawing.codes.shape
    classes = _classes(name)[np.minimum(drawing.codes, _LAST)]
    if count % 2 == 0 or count == 1:
        drawing.refuse(count - 1, 0, "an odd number of lines, 2 * rows + 1", f"{count} lines")
    worst = (-1, 0, "")
    for post, cell in _widths(name, drawing):
        grid, bad = _sites(classes, post, cell, family)
        if bad is not None:
            worst = max(worst, bad)
        elif _proved(classes, post, cell, name):
            _check_cells(drawing, grid, post, cell, marked=name in _MARKED)
            _check_last_line(drawing, post, cell)
            return grid, _mark(drawing, "S", post, cell), _mark(drawing, "G", post, cell)
    if worst[0] < 0 or (width % 2 == 0 and (worst[0] <= 1 or name in ("hash", "digits"))):
        drawing.refuse(0, width - 1, "an odd number of sites in a line, 2 * cols + 1", f"{width} characters")
    return drawing.refuse(*worst)


def _take_lines(text: str) -> _Lines:
    """Split a text into lines and pad them to one length."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if not filled:
        msg = "line 1, column 1: expected a maze drawn with characters, found nothing"
        raise ValueError(msg)
    first, lines = filled[0], lines[filled[0] : filled[-1] + 1]
    indent = len(lines[0]) - len(lines[0].lstrip(" "))
    if indent and all(line.startswith(" " * indent) or not line.strip() for line in lines):
        lines = [line[indent:] for line in lines]
    else:
        indent = 0
    width = len(lines[0].rstrip())  # the first line ends with a post, so nothing was taken from it
    cut = [line if len(line) <= width else line[:width] + line[width:].rstrip() for line in lines]
    padded = "".join(line[:width].ljust(width) for line in cut)
    codes = np.frombuffer(utf_32_le_encode(padded, "surrogatepass")[0], "<u4")
    drawing = _Lines(cut, codes.reshape(len(cut), width), first + 1, indent)
    dotted = lines[0][0] == "#" and any("." in line for line in lines)
    for number, line in enumerate(cut):
        # An editor may have stripped spaces from the end, then all of them, and only if roads are spaces.
        if len(line) > width or (len(line) < width and (dotted or line.endswith(" "))):
            drawing.refuse(number, min(width, len(line)), f"{width} characters as in the first line")
    return drawing


def _family_of(drawing: _Lines, style: str | None) -> str:
    """Return the name of the family, by the first character, which is a post and so a wall."""
    corner = drawing.lines[0][0]
    names = _BY_STYLE[style] if style else tuple(_FAMILIES)
    for name in names:
        if corner in _FAMILIES[name].posts:
            return name
    walls = " or ".join(_FAMILIES[name].walls for name in names)
    return drawing.refuse(0, 0, f"a wall in the corner ({walls})")


@cache
def _classes(name: str) -> NDArray[np.uint8]:
    """Return the allowed kinds of site of each character in a family, by its code point."""
    family = _FAMILIES[name]
    table = np.zeros(_LAST + 1, np.uint8)
    if family.cells is None:
        table[:] = _CELL
        table[:0x20] = table[0x7F:0xA0] = 0  # control characters
        if name != "ascii":
            table[[*map(ord, family.posts + family.fill)]] = 0
    for chars, bit in (
        (family.posts, _POST),
        (family.across, _ACROSS),
        (family.down, _DOWN),
        (family.road, _ROAD),
        (family.fill, _FILL),
        (family.cells or family.road, _CELL),
        (_BLANKS, _BLANK),
    ):
        table[[*map(ord, chars)]] |= bit
    return table


def _widths(name: str, drawing: _Lines) -> Iterator[tuple[int, int]]:
    """Yield the widths of posts and cells that are possible for the width of the text."""
    width = drawing.codes.shape[1]
    if name == "ascii":  # its posts say it
        cell = drawing.lines[0].find("+", 1) - 1
        if cell > 0 and width % (cell + 1) == 1:
            yield 1, cell
        return
    if width % 2 and width > 1:
        yield 1, 1
    widths = {"lines": (1, range(2, width - 1)), "block": (2, range(2, width - 3)), "hash": (2, (2,))}
    post, cells = widths.get(name, (1, ()))
    yield from ((post, cell) for cell in cells if width > post and (width - post) % (post + cell) == 0)


def _split(table: NDArray[_Item], post: int, cell: int) -> tuple[NDArray[_Item], NDArray[_Item]]:
    """Return the columns of posts, (lines, cols + 1, post), and of cells, (lines, cols, cell)."""
    body = table[:, : table.shape[1] - post].reshape(len(table), -1, post + cell)
    posts = np.concatenate((body[:, :, :post], table[:, None, -post:]), axis=1)
    return posts, body[:, :, post:]


def _sites(
    classes: NDArray[np.uint8], post: int, cell: int, family: _Family
) -> tuple[NDArray[np.uint8], tuple[int, int, str] | None]:
    """Return the grid for these widths, and the first misplaced character: line, column, what is expected."""
    posts, cells = _split(classes, post, cell)
    across, down = cells[0::2] & _ACROSS != 0, posts[1::2] & _DOWN != 0
    grid = np.ones((len(classes), 2 * cells.shape[1] + 1), np.uint8)
    grid[0::2, 1::2] = across[:, :, 0]
    grid[1::2, 0::2] = down[:, :, 0]
    grid[1::2, 1::2] = masked = (cells[1::2] & _FILL != 0).all(axis=2)

    wrong_post, wrong_cell = np.empty(posts.shape, bool), np.empty(cells.shape, bool)
    wrong_post[0::2] = posts[0::2] & _POST == 0
    wrong_cell[0::2] = (cells[0::2] & (_ACROSS | _ROAD) == 0) | (across != across[:, :, :1])
    wrong_post[1::2] = (posts[1::2] & (_DOWN | _ROAD) == 0) | (down != down[:, :, :1])
    wrong_cell[1::2] = (cells[1::2] & _CELL == 0) & ~masked[:, :, None]
    if not (wrong_post.any() or wrong_cell.any()):
        return grid, None
    body = np.concatenate((wrong_post[:, :-1], wrong_cell), axis=2).reshape(len(classes), -1)
    wrong = np.concatenate((body, wrong_post[:, -1]), axis=1)
    line, column = divmod(int(wrong.argmax()), wrong.shape[1])
    in_post = column % (post + cell) < post
    road = "0" if family.cells == "0" else "a road"
    if line % 2 == 0:
        wanted = f"a post ({family.walls})" if in_post else f"a wall ({family.across[0]}) or {road}"
    else:
        wanted = (
            f"a wall ({family.down[0]}) or {road}" if in_post else f"{road} or a filled cell ({family.fill})"
        )
    return grid, (line, column, wanted)


def _proved(classes: NDArray[np.uint8], post: int, cell: int, name: str) -> bool:
    """Return whether wide cells are certain: by a label that fills one, or a post that is only a post."""
    if cell == post or name in ("ascii", "hash"):
        return True
    posts, cells = _split(classes, post, cell)
    full = (cells[1::2] & (_BLANK | _FILL) == 0).all(axis=2)
    corners = posts[0::2, 1:-1] & (_ACROSS | _DOWN) == 0
    return bool(full.any() or corners.any())


def _check_cells(drawing: _Lines, grid: NDArray[np.uint8], post: int, cell: int, *, marked: bool) -> None:
    """Refuse a road beside a filled cell; if these are `marked`, only one that is beside no cell at all."""
    filled = np.pad(grid[1::2, 1::2], 1, constant_values=marked) != 0
    both = np.logical_and if marked else np.logical_or
    wrong = np.zeros(grid.shape, bool)
    wrong[0::2, 1::2] = both(filled[:-1, 1:-1], filled[1:, 1:-1]) & (grid[0::2, 1::2] == 0)
    wrong[1::2, 0::2] = both(filled[1:-1, :-1], filled[1:-1, 1:]) & (grid[1::2, 0::2] == 0)
    if wrong.any():
        line, site = divmod(int(wrong.argmax()), grid.shape[1])
        column = site // 2 * (post + cell) + site % 2 * post
        drawing.refuse(line, column, "a wall, since an adjacent cell is filled")


def _check_last_line(drawing: _Lines, post: int, cell: int) -> None:
    """Refuse a post of the last line that has a line down: the end of the text is missing."""
    last = len(drawing.lines) - 1
    for column in range(0, drawing.codes.shape[1], post + cell):
        if chr(drawing.codes[last, column]) in _LEADS_DOWN:
            found = f"{chr(drawing.codes[last, column])!r}: the text goes on below, or is cut"
            drawing.refuse(last, column, "a post of the last line, without a line down", found)


def _mark(drawing: _Lines, letter: str, post: int, cell: int) -> Cell | None:
    """Return the cell that has this letter as its label, if there is exactly one."""
    cells = _split(drawing.codes, post, cell)[1][1::2]
    places = [
        (row, col)
        for row, col in np.argwhere((cells == ord(letter)).any(axis=2)).tolist()
        if "".join(map(chr, cells[row, col])).strip(_BLANKS + "*•░") == letter
    ]
    return places[0] if len(places) == 1 else None
