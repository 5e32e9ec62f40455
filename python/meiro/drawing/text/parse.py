"""Mazes read from text.

A drawing is split into sites: its lines are the rows of the grid, its characters belong to columns of posts
and columns of cells, each of a fixed width. The widths are found by trying: they are the smallest for which
every character is allowed where it is.
"""

from __future__ import annotations

import itertools
import re
from codecs import utf_32_le_encode
from collections import Counter
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar
from unicodedata import east_asian_width
from unicodedata import name as name_of

import numpy as np

from meiro._utils.arrays import road_values
from meiro._utils.characters import (
    BLANKS,
    ENDS,
    MarkedWalls,
    ends_of_letters,
    read_characters,
    refuse_several,
)
from meiro._utils.messages import listed, short_repr
from meiro._utils.validation import one_of
from meiro.drawing.text.fields import are_numbers, read_fields, separator_of
from meiro.mazes._grid import roads_beside_filled
from meiro.mazes.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from meiro._utils.characters import Site
    from meiro._utils.square import Cell

# What a character may be: ACROSS a wall between a cell and the one below it, DOWN one between a cell and the
# one to its right, ROAD an opening in either, MARK a letter in an opening of the border.
_POST, _ACROSS, _DOWN, _ROAD, _FILL, _CELL, _BLANK, _MARK = (1 << bit for bit in range(8))
_Item = TypeVar("_Item", np.uint8, np.uint32)
_BLANK_CODE = ord(" ")
_WIDE_BLANK = "\N{IDEOGRAPHIC SPACE}"
_UNSHOWN = BLANKS + "*•░"  # of a cell without a label
_OF_A_PROGRAM = re.compile(r"\s*([\w\s.,:*<>\[\]]*=\s*)?(new\b[\w\s,\[\]]*)?([\w.]+\()?[\[{]")
_PAIR = re.compile(r"\s*(\d+)[\s,x]+(\d+)\s*")
_FILE = re.compile(r".*\w\.[a-zA-Z]{2,4}")
_HEAD = 200  # characters in which a program's array begins
_LEAST_SIZE = 4  # rows or columns: 0 to 3 are also signs
_FEWEST_DIGITS = 5  # that no drawing with two signs and two ends has
_LAST = 0x2600  # characters from here on are all the same


class _Family(NamedTuple):
    """The characters that are allowed at each kind of site."""

    walls: str  # in words
    posts: str
    across: str
    down: str
    fill: str  # a cell that does not exist
    road: str  # between cells, also as part of a path. A label in a cell holds none of these, but in "ascii"


_BOX = "".join(map(chr, range(0x2500, 0x2580)))
_LEADS_DOWN = frozenset(char for char in _BOX if {"DOWN", "VERTICAL"} & set(name_of(char).split()))
_FAMILIES = {
    "lines": _Family("a box-drawing line", _BOX + "·░", "─━═╌╍┄┅┈┉╼╾░", "│┃║╎╏┆┇┊┋╽╿░", "░", BLANKS + "•"),
    "ascii": _Family("+", "+o", "-=", "|", "#", BLANKS + "*.•·"),  # o in files of micromouse
    "block": _Family("█", "█", "█", "█", "█▓", BLANKS + "░▒•"),
}
_MARKED = "lines", "ascii"  # a filled cell looks unlike a wall, so that a road beside it is an opening
_BY_STYLE = {
    "unicode": ("lines",),
    "ascii": ("ascii",),
    "block": ("block",),
    "posts": ("lines",),
    "plain": (),
}


class _Lines(NamedTuple):
    """Lines of a text, without blank ones around and without common indent."""

    lines: list[str]
    first: int  # number of the first line in the text
    indent: int

    def place(self, line: int, column: int) -> str:
        """Return where a character is, as an editor counts."""
        return f"line {line + self.first}, column {column + self.indent + 1}"

    def refuse(self, line: int, column: int, expected: str, found: str = "") -> NoReturn:
        """Raise a ValueError that names line and column."""
        text = self.lines[line]
        found = found or (repr(text[column]) if column < len(text) else "the end of the line")
        raise ValueError(f"{self.place(line, column)}: expected {expected}, found {found}")

    def padded(self, width: int) -> NDArray[np.uint32]:
        """Return the code points, each line filled with blanks to a width."""
        text = "".join(line[:width].ljust(width) for line in self.lines)
        return np.frombuffer(utf_32_le_encode(text, "surrogatepass")[0], "<u4").reshape(-1, width)


class TextSites(NamedTuple):
    """Walls (1) and roads (0) of a text, and the sites of start and goal."""

    walls: NDArray[np.uint8]
    start: Site | None
    goal: Site | None
    place: Callable[[int, int], str]
    marked: bool = False  # filled cells look unlike walls, so that a road beside one is an opening

    @property
    def marked_walls(self) -> MarkedWalls:
        """What `meiro.solve` needs of it."""
        return MarkedWalls(self.walls, self.start, self.goal)

    def maze(self) -> Maze:
        """Return this as a maze; a ValueError names the place where it is not one."""
        height, width = self.walls.shape
        if height % 2 == 0 or height == 1:
            self._refuse(height - 1, 0, f"an odd number of lines, 2 * rows + 1, found {height} lines")
        if width % 2 == 0 or width == 1:
            self._refuse(0, width - 1, f"an odd number of sites in a line, 2 * cols + 1, found {width}")
        for row, col in np.argwhere(self.walls[0::2, 0::2] == 0)[:1].tolist():
            self._refuse(2 * row, 2 * col, "a post, which is a wall, found a road")
        for row, col in np.argwhere(roads_beside_filled(self.walls, marked=self.marked))[:1].tolist():
            self._refuse(row, col, "a wall, since an adjacent cell is filled, found a road")
        ends = [
            None if site is None else self._cell_of(site, mark)
            for site, mark in ((self.start, "the start"), (self.goal, "the goal"))
        ]
        cells = self.walls[1::2, 1::2] == 0
        maze = Maze.from_grid(self.walls, mask=cells if cells.any() else None)
        if ends == [None, None]:
            return maze
        return Maze(maze.passages, maze.mask, maze.openings, start=ends[0], goal=ends[1])

    def _refuse(self, row: int, col: int, what: str) -> NoReturn:
        raise ValueError(
            f"{self.place(row, col)}: this is no maze of cells, walls and posts: expected {what}; "
            "meiro.solve(text) takes it as it is, and meiro.read a file of it"
        )

    def _cell_of(self, site: Site, mark: str) -> Cell:
        """Return the cell of a mark; of one in an opening, the cell inside."""
        cell = []
        for at, side in zip(site, self.walls.shape, strict=True):
            if at % 2 == 0 and 0 < at < side - 1:
                self._refuse(*site, f"{mark} in a cell, found it between two")
            cell.append(min(at // 2, side // 2 - 1))
        return cell[0], cell[1]


def from_text(text: str, *, style: str | None = None) -> Maze:
    """Read a maze from text.

    Every style of `to_text` is read, posts of ``+--+`` may be ``o``, drawings as ``|_|``, in which ``_`` is a
    wall below its cell, and grids of one character a site: walls of ``#``, of the full block or 1, or where
    none of these is, of another sign such as ``*`` or ``X``; roads of space, ``.`` or 0. The sites may have
    blanks or commas between them. Openings beside masked-out cells are read where these have a sign of their
    own, as in all styles of `to_text`. A path is ignored, and so are labels of cells but for letters that
    mark the ends: S is the start, G the goal, or the only other letter, as E; or A the start and B the goal.
    In the border a letter is an opening, too. Of digits a single 2 is the start, a single 3 the goal. Rows of
    hexadecimal digits are the walls of each cell (north 1, east 2, south 4, west 8), below which, after an
    empty line, column and row of the start and of the goal may stand. A first line with the numbers of rows
    and columns is left out. Missing and further spaces at the ends of lines, a common indent, a byte order
    mark and any kind of newline are accepted.

    Parameters
    ----------
    text : str
        The drawing. To read a file use `meiro.read`.
    style : {"unicode", "ascii", "block", "posts", "plain"}, optional
        The style that the text must have; "plain" is one character a site. Default: recognised by the first
        character.

    Returns
    -------
    Maze
        With the passages, openings and masked-out cells that the text shows.

    Raises
    ------
    ValueError
        If the text is not a maze. The message names line and column, counted from 1, and the characters that
        are allowed at that place. `meiro.solve` takes any walls and roads.

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
    return sites_of_text(text, style).maze()


def sites_of_text(
    text: object, style: str | None = None, *, road: object = None, exact: bool = False
) -> TextSites:
    """Return the walls and roads of a text that is one maze or grid; see `all_of_text`."""
    found = all_of_text(text, style, road=road, exact=exact)
    if len(found) > 1:
        begins = listed(part.place(0, 0).partition(",")[0] for part in found[:5])
        raise ValueError(
            f"there are {len(found)} mazes, which begin at {begins}: take one; meiro.read reads them all"
        )
    return found[0]


def all_of_text(
    text: object, style: str | None = None, *, road: object = None, exact: bool = False
) -> list[TextSites]:
    """Return the walls and roads of each maze or grid in a text; between two is an empty line.

    Parameters
    ----------
    text : str
    style : str, optional
        As of `from_text`.
    road : scalar or sequence of scalars, optional
        The character of a road, or several, each letter of a string; all others are walls.
    exact : bool
        Blanks around the lines are roads, if the lines are of one length.

    Raises
    ------
    ValueError
        If it is not clear what is wall and what road; with line and column.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {type(text).__name__}; to read a file use meiro.read")
    if (nul := text.find("\0")) >= 0:
        line = text.count("\n", 0, nul) + 1
        raise ValueError(
            f"line {line}: a NUL character is no part of a text: save it as UTF-8, or take it away"
        )
    if style is not None:
        one_of(style, "style", _BY_STYLE)
    lines = _take_lines(text, exact=exact)
    if road is style is None and (digits := _read_digits(lines)) is not None:
        return [digits]
    blocks = _blocks(lines)
    if len(blocks) > 1:
        with suppress(ValueError):  # an empty line may also be a row of roads
            return [_read_sites(block, style, road) for block in blocks]
    return [_read_sites(lines, style, road)]


def _take_lines(text: str, *, exact: bool) -> _Lines:
    """Split a text into lines."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\N{VARIATION SELECTOR-16}", "")  # which says that the sign before has a colour
    program = _OF_A_PROGRAM.match(text[:_HEAD])
    lines = _rows_in_brackets(text[program.end() - 1 :]) if program else text.split("\n")
    lines = ["" if line.lstrip().startswith("```") else line for line in lines]  # of Markdown
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if not filled:
        raise ValueError("line 1, column 1: expected a maze drawn with characters, found nothing")
    if exact and len({*map(len, lines)}) == 1:
        return _Lines(lines, 1, 0)
    first, lines = filled[0], lines[filled[0] : filled[-1] + 1]
    comments = [i for i, line in enumerate(lines) if line[:1] == "#" and line.count("#") == 1]
    kept = [i for i in range(len(lines)) if i not in comments]
    if comments and kept and all(are_numbers(lines[i]) for i in kept):  # of numpy.savetxt
        first, lines = first + kept[0], [lines[i] for i in kept]
    lines, first = _without_size(lines, first)
    indent = _indent(lines)
    inner = _indent(lines[1:]) if len(lines) > 1 and not indent else 0
    if inner and {len(line.rstrip()) for line in lines[1:]} == {len(lines[0].rstrip()) + inner}:
        lines[0] = " " * inner + lines[0]  # it stood behind quotes
        indent = inner
    lines = [line[indent:] for line in lines]
    if len({*map(len, lines)}) > 1 or all(map(str.strip, lines)):  # else one may be empty, or a row of roads
        width = max(len(line.rstrip()) for line in lines)
        lines = [line if len(line) <= width else line.rstrip().ljust(width) for line in lines]
    return _Lines(lines, first + 1, indent)


def _without_size(lines: list[str], first: int) -> tuple[list[str], int]:
    """Return the lines below one with the numbers of rows and columns, in any order; else all of them.

    Start and goal may stand below it, counted from 0 or 1: a ValueError says so.
    """
    pairs = [_PAIR.fullmatch(line) for line in lines[:4]]
    head = next((i for i, pair in enumerate(pairs) if pair is None), 0)
    if head == 0 or (pair := pairs[0]) is None:
        return lines, first
    row, size = lines[head].strip(), sorted(map(int, pair.groups()))
    widths = len(row), len(re.split(r"[\s,;]+", row))
    if max(size) < _LEAST_SIZE or all(sorted((len(lines) - head, width)) != size for width in widths):
        return lines, first
    if head > 1:
        raise ValueError(
            f"line {first + 2}, column 1: expected the first row of {' x '.join(pair.groups())}, "
            f"found {lines[1].strip()!r}: leave out all but the rows, and give meiro.solve start= and goal="
        )
    return lines[1:], first + 1


def _indent(lines: list[str]) -> int:
    """Return how many blanks and tabs all lines begin with, but for empty ones."""
    return min(len(line) - len(line.lstrip(" \t")) for line in lines if line.strip())


def _rows_in_brackets(text: str) -> list[str]:
    """Return the rows of an array as a program has it: lists of lists, or of strings."""
    rows: list[str] = re.findall(r"\[([^\[\]]*)\]", text.replace("{", "[").replace("}", "]"))
    if len(rows) == 1:
        items = [item.strip().strip("\"'") for item in rows[0].strip().rstrip(",").split(",")]
        rows = items if max(map(len, items)) > 1 else rows
    rows = [re.sub(r"\s*\n\s*", " ", row).strip().rstrip(",").replace("'", '"') for row in rows]
    return [re.sub(r",\s+", ",", row) for row in rows]


def _blocks(lines: _Lines) -> list[_Lines]:
    """Return the parts of a text between empty lines, if all have three lines or more."""
    width = max(map(len, lines.lines))
    empty = [i for i, line in enumerate(lines.lines) if not line.strip() and len(line) < width]
    ends = zip([-1, *empty], [*empty, len(lines.lines)], strict=True)
    parts = [(a + 1, b) for a, b in ends if b > a + 1]
    if len(parts) < 2 or min(b - a for a, b in parts) < 3:
        return [lines]
    return [lines._replace(lines=lines.lines[a:b], first=lines.first + a) for a, b in parts]


def _read_sites(lines: _Lines, style: str | None, road: object) -> TextSites:
    """Return the walls and roads of lines, by what stands in their first corner."""
    if road is style is None and re.fullmatch(" [ _]*_ *", lines.lines[0]) and "|" in "".join(lines.lines):
        return _read_underlined(lines)
    corner = lines.lines[0][:1]
    names = _BY_STYLE[style] if style else tuple(_FAMILIES)
    name = next((name for name in names if corner and corner in _FAMILIES[name].posts), "")
    if name and road is None:
        try:
            return _read_drawn(lines, name)
        except ValueError:
            drawn = "[-|]" if corner == "+" else r"\|"
            surely = name == "lines" or (name == "ascii" and re.search(drawn, "".join(lines.lines)))
            if surely or style is not None:
                raise
    elif len(lines.lines) == 1 and _FILE.fullmatch(lines.lines[0]):
        lines.refuse(0, 0, "a maze drawn with characters (meiro.read takes the name of a file)")
    elif style not in {None, "plain"}:
        walls = " or ".join(_FAMILIES[name].walls for name in names)
        lines.refuse(0, 0, f"a wall in the corner ({walls})")
    return _read_grid(lines, road)


def _read_underlined(lines: _Lines) -> TextSites:
    """Return the walls and roads of a drawing as ``|_|``: ``_`` a wall below, ``|`` one beside."""
    width = max(len(line.rstrip()) for line in lines.lines)
    codes = lines.padded(width)
    below, beside = codes == ord("_"), codes == ord("|")
    wrong = (codes != _BLANK_CODE) & ~below & ~beside
    wrong[:, 1::2] |= beside[:, 1::2]
    if wrong.any() or width % 2 == 0:
        line, column = np.argwhere(wrong)[0].tolist() if wrong.any() else (0, width - 1)
        what = "a wall below (_) or a road" if column % 2 else "a wall beside (|) or a road"
        lines.refuse(line, column, what)
    walls = np.ones((2 * len(codes) - 1, width), np.uint8)
    walls[1::2, 1::2] = 0
    walls[0::2, 1::2] = below[:, 1::2]
    walls[1::2, 0::2] = beside[1:, 0::2]
    return TextSites(walls, None, None, lambda row, col: lines.place((row + 1) // 2, col))


def _read_digits(lines: _Lines) -> TextSites | None:
    """Return the walls and roads of hexadecimal digits: of each cell the walls, N 1, E 2, S 4, W 8.

    Below an empty line may stand column and row of the start, those of the goal, and a path. None if the text
    is something else: both walls of the first corner stand, and fewer than five different digits are signs.
    """
    if lines.lines[0][:1] not in {*"9BDFbdf"}:
        return None
    rows = [line.strip() for line in itertools.takewhile(str.strip, lines.lines)]
    below = [i for i in range(len(rows), len(lines.lines)) if lines.lines[i].strip()]
    if len({*map(len, rows)}) > 1 or not re.fullmatch("[0-9A-Fa-f]+", "".join(rows)):
        return None
    digits = np.array([[int(digit, 16) for digit in row] for row in rows])
    walls = np.ones((2 * len(rows) + 1, 2 * len(rows[0]) + 1), np.uint8)
    walls[1::2, 1::2] = 0
    for bit, back, step, side, sites in (
        (4, 1, (1, 0), "south", walls[2::2, 1::2]),
        (2, 8, (0, 1), "east", walls[1::2, 2::2]),
    ):
        sites[...] = digits & bit != 0
        beside = digits[step[0] :, step[1] :] & back != 0
        wrong = np.argwhere(sites[: len(beside), : beside.shape[1]] != beside)
        if len(wrong) and len(np.unique(digits)) < _FEWEST_DIGITS:
            return None
        if len(wrong):
            row, col = wrong[0].tolist()
            kind = "with a" if beside[row, col] else "without a"
            lines.refuse(row, col, f"a digit {kind} wall in the {side}, as the next cell has it")
    walls[0, 1::2], walls[1::2, 0] = digits[0] & 1 != 0, digits[:, 0] & 8 != 0
    ends: list[Site | None] = [None, None]
    for end, line in enumerate(below[:2]):
        found = re.fullmatch(r"\s*\(?(\d+)[\s,]+(\d+)\)?\s*", lines.lines[line])
        col, row = map(int, found.groups()) if found else (-1, -1)
        if not (0 <= row < len(rows) and 0 <= col < len(rows[0])):
            what = f"column 0..{len(rows[0]) - 1} and row 0..{len(rows) - 1}"
            lines.refuse(line, 0, what, repr(lines.lines[line].strip()))
        ends[end] = 2 * row + 1, 2 * col + 1
    return TextSites(walls, ends[0], ends[1], lambda row, col: lines.place(row // 2, col // 2))


def _read_grid(lines: _Lines, road: object) -> TextSites:
    """Return walls and roads of one character a site, or a field."""
    lines = _without_pairs(lines)
    width = max(map(len, lines.lines))
    separator = separator_of(lines.lines[0])
    spaced = separator in {None, " "} and _is_spaced(codes := lines.padded(width))
    if separator and not spaced:
        found, place = read_fields(lines.lines, lines.first, separator, road)
        return TextSites(*found, place)
    roads = None if road is None else [str(value) for value in road_values(road, several=True)]
    if roads is not None and " " in roads:
        roads.append(_WIDE_BLANK)
    _refuse_ragged(lines, width, roads)
    step = 1 + spaced
    codes = np.ascontiguousarray(codes[:, ::step])

    def place_of_character(row: int, col: int) -> str:
        return lines.place(row, col * step)

    walls, start, goal = read_characters(codes.view("<U1"), roads, place_of_character)
    if roads is not None and walls.all():
        raise ValueError(f"there is no road: no character is road={short_repr(road)}")
    if _is_wide(walls):
        walls, step = np.ascontiguousarray(walls[:, ::2]), 2
        start, goal = (None if end is None else (end[0], end[1] // 2) for end in (start, goal))
    return TextSites(walls, start, goal, place_of_character)


def _without_pairs(lines: _Lines) -> _Lines:
    """Return lines with one character a site, if roads are two blanks and other signs as wide as these."""
    if len({*map(len, lines.lines)}) == 1:
        return lines
    single = [line.replace("  ", _WIDE_BLANK) for line in lines.lines]
    wide = all(east_asian_width(sign) in {"F", "W"} for sign in {*"".join(single)})
    return lines._replace(lines=single) if wide else lines


def _is_spaced(codes: NDArray[np.uint32]) -> bool:
    """Return whether there is a blank between any two sites."""
    width = codes.shape[1]
    if width == 1 or width % 2 == 0 or (codes[:, 1::2] != _BLANK_CODE).any():
        return False
    sites = codes[:, ::2]  # if they are all the same, there are corridors between
    drawn = sites != _BLANK_CODE
    if not drawn.all():  # blanks are roads, too: corridors that all go straight down, or spaced walls
        return bool(width >= 7 and 2 * np.count_nonzero(drawn) >= drawn.size)
    return bool((sites != sites[0, 0]).any())


def _is_wide(walls: NDArray[np.uint8]) -> bool:
    """Return whether this is a maze of which each site is two characters wide."""
    height, width = walls.shape
    if width % 4 != 2 or width == 2 or height % 2 == 0:
        return False
    return bool((walls[:, ::2] == walls[:, 1::2]).all() and walls[::2, ::4].all())


def _refuse_ragged(lines: _Lines, width: int, roads: list[str] | None) -> None:
    """Refuse lines that end early where roads are no blanks, which an editor may have taken away."""
    short = next((number for number, line in enumerate(lines.lines) if len(line) < width), None)
    if short is None or any(" " in line.strip() for line in lines.lines):
        return
    if roads is None and not any("." in line or "0" in line for line in lines.lines):
        return
    if roads is None or " " not in roads:
        lines.refuse(short, len(lines.lines[short]), f"{width} characters as in the longest line")


def _read_drawn(lines: _Lines, name: str) -> TextSites:
    """Return the walls and roads of a drawing with posts."""
    family = _FAMILIES[name]
    lines, codes = _drawn(lines)
    count, width = codes.shape
    classes = _classes(name)[np.minimum(codes, _LAST)]
    if count % 2 == 0 or count == 1:
        lines.refuse(count - 1, 0, "an odd number of lines, 2 * rows + 1", f"{count} lines")
    worst = (-1, 0, "")
    for post, cell in _widths(name, lines.lines[0], width):
        grid, bad = _sites(classes, post, cell, family)
        if bad is not None:
            worst = max(worst, bad)
        elif _proved(classes, post, cell, name):
            _check_last_line(lines, range(0, width, post + cell))

            def place(row: int, col: int, post: int = post, cell: int = cell) -> str:
                return lines.place(row, col // 2 * (post + cell) + col % 2 * post)

            start, goal = ends_of_letters(_letters(codes, post, cell, place), place)
            marked = name in _MARKED or "▓" in "".join(lines.lines)
            return TextSites(grid, start, goal, place, marked)
    if worst[0] < 0 or (width % 2 == 0 and worst[0] <= 1):
        lines.refuse(0, width - 1, "an odd number of sites in a line, 2 * cols + 1", f"{width} characters")
    return lines.refuse(*worst)


def _drawn(lines: _Lines) -> tuple[_Lines, NDArray[np.uint32]]:
    """Return the lines of a drawing, as long as the first, which ends with a post, and their code points."""
    width = len(lines.lines[0].rstrip())
    cut = [line if len(line) <= width else line[:width] + line[width:].rstrip() for line in lines.lines]
    text = lines._replace(lines=cut)
    for number, line in enumerate(cut):
        # An editor may have stripped spaces from the end, then all of them.
        if len(line) > width or (len(line) < width and line.endswith(" ")):
            text.refuse(number, min(width, len(line)), f"{width} characters as in the first line")
    return text, text.padded(width)


@cache
def _classes(name: str) -> NDArray[np.uint8]:
    """Return the allowed kinds of site of each character in a family, by its code point."""
    family = _FAMILIES[name]
    table = np.full(_LAST + 1, _CELL, np.uint8)
    table[:0x20] = table[0x7F:0xA0] = 0  # control characters
    if name == "ascii":
        table[[*map(ord, ENDS)]] |= _MARK
    else:
        table[[*map(ord, family.posts + family.fill)]] = 0
    for chars, bit in (
        (family.posts, _POST),
        (family.across, _ACROSS),
        (family.down, _DOWN),
        (family.road, _ROAD),
        (family.fill, _FILL),
        (BLANKS, _BLANK),
    ):
        table[[*map(ord, chars)]] |= bit
    return table


def _widths(name: str, first: str, width: int) -> Iterator[tuple[int, int]]:
    """Yield the widths of posts and cells that are possible for the first line and the width of a text."""
    if name == "ascii":  # its posts say it
        cell = first.find(first[0], 1) - 1
        if cell > 0 and width % (cell + 1) == 1:
            yield 1, cell
        return
    if width % 2 and width > 1:
        yield 1, 1
    widths = {"lines": (1, range(2, width - 1)), "block": (2, range(2, width - 3))}
    post, cells = widths[name]
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
    wrong_cell[[0, -1]] &= cells[[0, -1]] & _MARK == 0
    wrong_post[1::2, [0, -1]] &= posts[1::2, [0, -1]] & _MARK == 0
    if not (wrong_post.any() or wrong_cell.any()):
        return grid, None
    body = np.concatenate((wrong_post[:, :-1], wrong_cell), axis=2).reshape(len(classes), -1)
    wrong = np.concatenate((body, wrong_post[:, -1]), axis=1)
    line, column = divmod(int(wrong.argmax()), wrong.shape[1])
    in_post = column % (post + cell) < post
    if line % 2 == 0:
        wanted = f"a post ({family.walls})" if in_post else f"a wall ({family.across[0]}) or a road"
    else:
        wanted = (
            f"a wall ({family.down[0]}) or a road" if in_post else f"a road or a filled cell ({family.fill})"
        )
    return grid, (line, column, wanted)


def _proved(classes: NDArray[np.uint8], post: int, cell: int, name: str) -> bool:
    """Return whether wide cells are certain: by a label that fills one, or a post that is only a post."""
    if cell == post or name == "ascii":
        return True
    posts, cells = _split(classes, post, cell)
    full = (cells[1::2] & (_BLANK | _FILL) == 0).all(axis=2)
    corners = posts[0::2, 1:-1] & (_ACROSS | _DOWN) == 0
    return bool(full.any() or corners.any())


def _check_last_line(lines: _Lines, columns: range) -> None:
    """Refuse a post of the last line that has a line down: the end of the text is missing."""
    last = len(lines.lines) - 1
    for column in columns:
        if (post := lines.lines[last][column : column + 1]) in _LEADS_DOWN:
            found = f"{post!r}: the text goes on below, or is cut"
            lines.refuse(last, column, "a post of the last line, without a line down", found)


def _letters(
    codes: NDArray[np.uint32], post: int, cell: int, place: Callable[[int, int], str]
) -> dict[str, Site]:
    """Return the sites of cells, and openings of the border, whose label is a letter that no other has.

    Where there is nothing but S and G, these are no labels, and a ValueError says if one is there twice.
    """
    posts, cells = _split(codes, post, cell)
    bottom, right = len(cells) - 1, 2 * cells.shape[1]
    parts: tuple[tuple[NDArray[np.uint32], Callable[[int, int], Site]], ...] = (
        (cells[1::2], lambda row, col: (2 * row + 1, 2 * col + 1)),
        (cells[[0, -1]], lambda row, col: (row * bottom, 2 * col + 1)),
        (posts[1::2, [0, -1]], lambda row, col: (2 * row + 1, col * right)),
    )
    found: dict[str, Site] = {}
    times: Counter[str] = Counter()
    ends: dict[str, list[Site]] = {"S": [], "G": []}
    for labels, site in parts:
        shown = ~np.isin(labels, [*map(ord, _UNSHOWN)])
        single = np.where(shown.sum(axis=2) == 1, (labels * shown).sum(axis=2), 0)
        values, firsts, counts = np.unique(single, return_index=True, return_counts=True)
        for value, first, count in zip(values.tolist(), firsts.tolist(), counts.tolist(), strict=True):
            times[chr(value)] += count
            found[chr(value)] = site(*divmod(first, labels.shape[1]))
        for mark, sites in ends.items():
            sites += [site(row, col) for row, col in np.argwhere(single == ord(mark)).tolist()]
    if np.isin(cells[1::2], [*map(ord, [*ends, *_UNSHOWN])]).all():
        refuse_several(ends, place)
    return {label: site for label, site in found.items() if times[label] == 1 and label.isalpha()}
