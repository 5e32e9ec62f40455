"""Mazes as text: an array of characters, and the role of each (wall, path, start, ...).

`Maze.to_text` joins the characters; the command line colours them by their roles. Of mazes on lattices
squares and levels are drawn by their walls, weave mazes by their roads.
"""

from __future__ import annotations

from codecs import utf_32_le_decode, utf_32_le_encode
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, get_args
from unicodedata import category, east_asian_width

import numpy as np

from meiro._utils.memory import require
from meiro._utils.options import TextStyle
from meiro._utils.square import Cell, CellLike, existing_cell
from meiro._utils.validation import one_of
from meiro.drawing.labels import array_of_shape, label_texts
from meiro.drawing.routes import parse_route, parse_routes, path_sites
from meiro.lattices._rim import rim_of
from meiro.lattices.lattice import cell_of
from meiro.mazes._grid import roads_beside_filled
from meiro.mazes.coordinates import explored_sites, steps_between
from meiro.results.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import ArrayLike, NDArray

    from meiro.drawing.routes import Route
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

Style = TextStyle
STYLES: tuple[Style, ...] = get_args(Style)


class Role(IntEnum):
    """What a character of a drawing shows."""

    ROAD = 0
    WALL = 1
    VISITED = 2
    PATH = 3
    START = 4
    GOAL = 5


class Drawing(NamedTuple):
    """Characters and their roles, two arrays of one shape (lines, characters)."""

    chars: NDArray[np.uint32]  # code points
    roles: NDArray[np.uint8]  # Role

    def __str__(self) -> str:
        """Join the characters; newlines between lines, not at the end."""
        return _joined(self.chars)


class _Glyphs(NamedTuple):
    """The characters of a style."""

    posts: str  # by arms: N=1, E=2, S=4, W=8
    across: str
    down: str
    fill: str  # a cell that does not exist
    path: str
    solid: bool = False  # the path fills wide sites from side to side
    joined: bool = False  # a post shows the walls that meet there
    width: int = 1  # characters a site, at least


_SHADE = "▓"  # of cells that do not exist, where blocks alone would not tell them from dead ends
_LINES = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
_GLYPHS: dict[str, _Glyphs] = {
    "unicode": _Glyphs(_LINES, "─", "│", "░", "•", joined=True),
    "ascii": _Glyphs("+" * 16, "-", "|", "#", "*"),
    "block": _Glyphs("█" * 16, "█", "█", "█", "░", solid=True, width=2),
    "posts": _Glyphs(_LINES, "─", "│", "░", "•"),
}
_STAIRS = {"unicode": "↑↓↕", "posts": "↑↓↕", "block": "↑↓↕", "ascii": "^v%"}  # up, down, both
_BETWEEN = 2  # characters between levels
# The roads of a weave maze as `_LINES`: heavy where a path leads, and in ASCII.
_HEAVY = "·╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
_ASCII = "ooo+o|++o+-+++++"
_BRIDGES = "╪╫"  # from west to east, from north to south
_CROSSED = {(False, False): "", (True, False): "┿", (False, True): "╂", (True, True): "╋"}


def draw(
    maze: Maze,
    style: Style = "unicode",
    *,
    solution: Solution | ArrayLike | None = None,
    start: CellLike | None = None,
    goal: CellLike | None = None,
    labels: ArrayLike | None = None,
    explored: bool = False,
) -> Drawing:
    """Draw a maze as an array of characters and an array of their roles.

    As `Maze.to_text`; with `explored` the roads that a `Solution` explored have the role VISITED.

    Raises
    ------
    ValueError
        If the style is unknown, the path is not one in the maze, or a label cannot be told from the maze.

    Examples
    --------
    >>> print(meiro.Maze([[2, 12], [2, 9]]).to_text("posts", labels=[[0, 1], [2, 3]]))
    ┌─┬─┐
    │0 1│
    ├─┼ ┤
    │2 3│
    └─┴─┘
    """
    one_of(style, "style", STYLES)
    glyphs = _GLYPHS[style]
    grid = maze.grid
    route = None if solution is None else path_sites(maze, solution, "solution")
    if isinstance(solution, Solution) and not solution.found and solution.space == "cells":
        start, goal = start or solution.start, goal or solution.goal
    marks = _sites(maze, start, goal)
    letters = None if labels is None else _label_chars(labels, grid, glyphs, set(marks.values()))
    width = glyphs.width if letters is None else letters.shape[2]
    marks = _ends(maze, route, hidden=labels is not None) | marks

    chars = wall_chars(grid, style)
    if style == "block" and roads_beside_filled(grid, marked=False).any():
        chars[1::2, 1::2][grid[1::2, 1::2] != 0] = ord(_SHADE)
    roles = grid.astype(np.bool_).view(np.uint8)
    if explored and isinstance(solution, Solution):
        seen = solution.explored
        seen = explored_sites(seen, 0, len(grid), maze.wrap) if solution.space == "cells" else seen
        roles[seen & (grid == 0)] = Role.VISITED
    # beside the middle of a site
    left, right = (chars.copy() if width > 1 else chars for _ in range(2))
    if route is not None:
        _draw_path((left, chars, right), roles, route, glyphs)
    for role in (Role.GOAL, Role.START):  # if they are one, it is the start
        if role in marks:
            chars[marks[role]], roles[marks[role]] = ord("SG"[role - Role.START]), role
    if width > 1:
        chars, roles = _widen((left, chars, right), roles, glyphs.width, width)
    if letters is not None:
        first = glyphs.width + (glyphs.width + width) * np.arange(letters.shape[1])
        cells = (first[:, None] + np.arange(width)).ravel()
        lines = letters.reshape(len(letters), -1)
        chars[1::2, cells] = np.where(lines != 0, lines, chars[1::2, cells])
    return Drawing(chars, roles)


def wall_chars(grid: NDArray[np.uint8], style: Style) -> NDArray[np.uint32]:
    """Draw the walls, one character a site; roads are spaces."""
    glyphs, wall = _GLYPHS[style], grid != 0
    across, down = wall[0::2, 1::2], wall[1::2, 0::2]
    cell = np.pad(~wall[1::2, 1::2], 1)
    if glyphs.joined:  # a wall without a cell on either side is filled, not drawn as a line
        across_line = across & (cell[:-1, 1:-1] | cell[1:, 1:-1])
        down_line = down & (cell[1:-1, :-1] | cell[1:-1, 1:])
    else:
        across_line, down_line = np.ones_like(across), np.ones_like(down)
    arms = np.zeros((across.shape[0], down.shape[1]), np.uint8)
    arms[1:] |= down_line
    arms[:, :-1] |= across_line.astype(np.uint8) << 1
    arms[:-1] |= down_line.astype(np.uint8) << 2
    arms[:, 1:] |= across_line.astype(np.uint8) << 3

    space, fill = ord(" "), ord(glyphs.fill)
    chars = np.full(grid.shape, space, np.uint32)
    posts = np.array([ord(glyph) for glyph in glyphs.posts], np.uint32)[arms]
    if glyphs.joined:
        near = cell[:-1, :-1] | cell[:-1, 1:] | cell[1:, :-1] | cell[1:, 1:]
        posts[~near] = fill
    chars[0::2, 0::2] = posts
    chars[0::2, 1::2] = np.where(across, np.where(across_line, ord(glyphs.across), fill), space)
    chars[1::2, 0::2] = np.where(down, np.where(down_line, ord(glyphs.down), fill), space)
    chars[1::2, 1::2] = np.where(wall[1::2, 1::2], fill, space)
    return chars


def _draw_path(
    chars: tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]],
    roles: NDArray[np.uint8],
    route: NDArray[np.int64],
    glyphs: _Glyphs,
) -> None:
    """Draw a path into the characters for the left, the middle and the right, which may be one array."""
    left, middle, right = chars
    arms = None if left is middle or glyphs.solid else _arms(route, roles.shape)
    at = route[:, 0], route[:, 1]
    middle[at], roles[at] = ord(glyphs.path), Role.PATH
    if left is not middle:
        here = 15 if arms is None else arms[at]
        left[at], right[at] = (np.where(here & arm, ord(glyphs.path), ord(" ")) for arm in (8, 2))


def _widen(
    chars: tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]],
    roles: NDArray[np.uint8],
    post: int,
    cell: int,
) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Widen the columns of posts and of cells, by characters for the left, the middle and the right."""
    widths = np.full(roles.shape[1], post)
    widths[1::2] = cell
    site = np.repeat(np.arange(len(widths)), widths)
    middle = np.cumsum(widths) - widths + (widths - 1) // 2
    offset = np.arange(len(site)) - middle[site]
    out = chars[1].take(site, axis=1)
    for part, beside in ((chars[0], offset < 0), (chars[2], offset > 0)):
        out[:, beside] = part[:, site[beside]]
    return out, roles.take(site, axis=1)


def _sites(maze: Maze, start: CellLike | None, goal: CellLike | None) -> dict[Role, Cell]:
    """Return the sites of the cells to mark."""
    sites = {}
    for role, cell in ((Role.START, start), (Role.GOAL, goal)):
        if cell is not None:
            row, col = existing_cell(cell, (maze.rows, maze.cols), maze.mask, role.name.lower())
            sites[role] = 2 * row + 1, 2 * col + 1
    return sites


def _ends(maze: Maze, route: NDArray[np.int64] | None, *, hidden: bool) -> dict[Role, Cell]:
    """Return the sites to mark by default: the ends of the path, or of the maze."""
    if route is None:
        return {} if hidden else _sites(maze, maze.start, maze.goal)
    # A path of sites may begin and end in an opening, or in one of a periodic border and go over it.
    first, last = (end[(end % 2).all(axis=1)].tolist() for end in (route[:3], route[-3:]))
    return {Role.START: tuple(first[0]), Role.GOAL: tuple(last[-1])} if first and last else {}


def _label_chars(
    labels: ArrayLike, grid: NDArray[np.uint8], glyphs: _Glyphs, marks: set[Cell]
) -> NDArray[np.uint32]:
    """Return the code points of labels, (rows, cols, width of a cell); 0 where a cell has no label.

    Numbers are aligned to the right, other labels are centred. A cell whose site is in `marks` has no label.
    """
    exists = grid[1::2, 1::2] == 0
    for row, col in marks:
        exists[row // 2, col // 2] = False
    given = array_of_shape(labels, exists.shape, "labels")
    texts = np.where(exists, label_texts(given), "").ravel().tolist()
    for place, text in enumerate(texts):
        if not (text.isascii() and text.isalnum()) and not _readable(text, glyphs.fill):
            row, col = divmod(place, exists.shape[1])
            raise ValueError(
                f"labels[{row}, {col}]={text!r} cannot be told from the maze: "
                "give characters one column wide, no spaces, no lines or blocks"
            )
    width = max(glyphs.width, *map(len, texts))
    pad = str.rjust if given.dtype.kind in "iuf" else str.center
    padded = "".join(pad(text, width) if text else "\0" * width for text in texts)
    return np.frombuffer(utf_32_le_encode(padded)[0], "<u4").reshape(*exists.shape, width).astype(np.uint32)


def _readable(text: str, fill: str) -> bool:
    """Return whether a label can be told from the maze when the text is read."""
    return set(text) != {fill} and all(
        char.isprintable()
        and char not in " •·"
        and not "\u2500" <= char <= "\u259f"
        and category(char)[0] != "M"
        and east_asian_width(char) not in "WF"
        for char in text
    )


def _arms(sites: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the directions in which the path leaves each site: N=1, E=2, S=4, W=8."""
    arms = np.zeros(shape, np.uint8)
    # A jump is a step over a periodic border.
    steps, _ = steps_between(sites, (shape[0], shape[1]), (True, True))
    step = steps @ np.array([3, 1])
    for towards, ahead, back in ((-3, 1, 4), (1, 2, 8), (3, 4, 1), (-1, 8, 2)):
        for arm, ends in ((ahead, sites[:-1]), (back, sites[1:])):
            at = ends[step == towards]
            arms[at[:, 0], at[:, 1]] |= arm
    return arms


def has_text(maze: GraphMaze) -> bool:
    """Return whether a maze has a text form."""
    positions = maze.lattice.positions
    return maze.lattice.name in {"square", "box", "weave"} and positions is not None


def graph_text(
    maze: GraphMaze,
    style: Style = "unicode",
    *,
    solution: object = None,
    start: Hashable = None,
    goal: Hashable = None,
) -> str:
    """Return a maze on a lattice as text: see `GraphMaze.to_text`."""
    one_of(style, "style", STYLES)
    if not has_text(maze):
        raise ValueError(
            f"a maze on {maze.lattice!r} has no text form, as those on square, box and weave have: "
            "maze.save('maze.svg') or meiro.plot(maze) draws it"
        )
    require(40 * (maze.n_cells + maze.lattice.n_edges), f"the text of {maze!r}", "save a picture")
    route = parse_routes(maze, None)[0] if solution is None else parse_route(maze, solution, "solution")
    ends = [
        given if name is None else cell_of(maze.lattice, name, word)
        for given, name, word in zip(route.ends, (start, goal), ("start", "goal"), strict=True)
    ]
    if maze.lattice.name == "weave":
        return _weave(maze, style, route, ends)
    return _levels(maze, style, route, ends)


def _levels(maze: GraphMaze, style: Style, route: Route, ends: list[int | None]) -> str:
    """Return the levels side by side, lowest first; stairs are marked at both of their ends."""
    level, row, col = _places(maze)
    levels, rows, cols = (int(places.max(initial=0)) + 1 for places in (level, row, col))
    grid = np.ones((levels, 2 * rows + 1, 2 * cols + 1), np.uint8)
    grid[level, 2 * row + 1, 2 * col + 1] = 0
    one, other = maze.edges().T
    flat = level[one] == level[other]
    doors = tuple((at[one] + at[other] + 1)[flat] for at in (row, col))
    grid[level[one][flat], *doors] = 0
    rim = rim_of(maze.lattice)
    for middle in rim.middles[rim.find(maze.openings)]:
        grid[0, *_site(maze, middle)] = 0
    chars = np.stack([wall_chars(part, style) for part in grid])
    path = ord(_GLYPHS[style].path)
    for middle in route.doors:
        if middle is not None:
            chars[0, *_site(maze, middle)] = path
    for cell, following in zip(route.cells[:-1], route.cells[1:], strict=True):
        if level[cell] == level[following]:
            chars[level[cell], row[cell] + row[following] + 1, col[cell] + col[following] + 1] = path
    chars[level[route.cells], 2 * row[route.cells] + 1, 2 * col[route.cells] + 1] = path
    up = np.zeros(maze.n_cells, np.uint8)
    low, high = np.where(level[one] < level[other], (one, other), (other, one))[:, ~flat]
    up[low] |= 1
    up[high] |= 2
    signs = np.array([0, *map(ord, _STAIRS[style])], np.uint32)[up]
    stairs = np.flatnonzero(up)
    chars[level[stairs], 2 * row[stairs] + 1, 2 * col[stairs] + 1] = signs[stairs]
    for cell, letter in zip(reversed(ends), "GS", strict=True):
        if cell is not None:
            chars[level[cell], 2 * row[cell] + 1, 2 * col[cell] + 1] = ord(letter)
    if style == "block":  # two characters a site, of which letters and stairs take one
        single = np.isin(chars, [*map(ord, "SG" + _STAIRS[style])])
        chars = chars.repeat(2, axis=2)
        chars[:, :, 1::2][single] = ord(" ")
    space = np.full((chars.shape[1], _BETWEEN), ord(" "), np.uint32)
    sheet = np.hstack([part for one in chars for part in (one, space)][:-1])
    return _joined(sheet)


def _places(maze: GraphMaze) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return level, row and column of each cell."""
    positions = maze.lattice.positions
    assert positions is not None  # noqa: S101  # it has a text form
    places = np.floor(positions - positions.min(axis=0) + 0.5).astype(np.int64)
    level = places[:, 2] if places.shape[1] == 3 else np.zeros(len(places), np.int64)
    return level, places[:, 1], places[:, 0]


def _site(maze: GraphMaze, middle: NDArray[np.float64]) -> tuple[int, int]:
    """Return the row and the column of the middle of a wall in the grid of a maze on squares."""
    positions = maze.lattice.positions
    assert positions is not None  # noqa: S101  # it has a text form
    x, y = np.round(2 * (middle - positions.min(axis=0)) + 1).astype(int).tolist()
    return y, x


def _weave(maze: GraphMaze, style: Style, route: Route, ends: list[int | None]) -> str:
    """Return the roads as lines, a heavy one along the path; bridges are double."""
    _, row, col = _places(maze)
    layers = maze.lattice.layers
    above = np.zeros(maze.n_cells, np.bool_) if layers is None else layers > 0
    across = np.zeros(maze.n_cells, np.bool_)  # whether a cell leads from west to east
    one, other = maze.lattice.edges.T
    eastward = row[one] == row[other]
    across[one[eastward]] = across[other[eastward]] = True
    plain = style == "ascii"
    down, right = (2, 4) if plain else (1, 2)  # characters from cell to cell
    roads, heavy = (_ASCII, "*" * 16) if plain else (_LINES, _HEAVY)
    size = down * int(row.max(initial=0)) + 1, right * int(col.max(initial=0)) + 1
    sheet = np.full(size, ord(" "), np.uint32)
    ways, walked = np.zeros((2, maze.n_cells), np.uint8)
    lines = (("-", "|"), ("*", "*")) if plain else (("─", "│"), ("━", "┃"))
    for edges, to, (line, upright) in zip((maze.edge_ids(), route.edges), (ways, walked), lines, strict=True):
        (begin, end), east = maze.lattice.edges[edges].T, eastward[edges]
        np.bitwise_or.at(to, begin, np.where(east, 2, 4).astype(np.uint8))
        np.bitwise_or.at(to, end, np.where(east, 8, 1).astype(np.uint8))
        for step in range(1, right):
            sheet[down * row[begin][east], right * col[begin][east] + step] = ord(line)
        for step in range(1, down):
            sheet[down * row[begin][~east] + step, right * col[begin][~east]] = ord(upright)
    below = {(int(row[c]), int(col[c])): c for c in np.flatnonzero(~above).tolist()}
    for cell in [*np.flatnonzero(~above).tolist(), *np.flatnonzero(above & (ways > 0)).tolist()]:
        under = below[int(row[cell]), int(col[cell])]
        glyph = heavy[walked[cell]] if walked[cell] else roads[ways[cell]]
        if under != cell and ways[under]:
            glyph = _bridge(
                across=bool(across[cell]), walked=(bool(walked[cell]), bool(walked[under])), plain=plain
            )
        sheet[down * row[cell], right * col[cell]] = ord(glyph)
    for end, letter in zip(reversed(ends), "GS", strict=True):
        if end is not None:
            sheet[down * row[end], right * col[end]] = ord(letter)
    return _joined(sheet)


def _bridge(*, across: bool, walked: tuple[bool, bool], plain: bool) -> str:
    """Return the sign of a bridge; `walked`: whether a path leads over it, and whether one leads below it."""
    if plain:  # the road below ends on both sides of it
        return "*" if walked[0] else "-" if across else "|"
    return _CROSSED[walked if across else walked[::-1]] or _BRIDGES[0 if across else 1]


def _joined(chars: NDArray[np.uint32]) -> str:
    lines = np.full((len(chars), chars.shape[1] + 1), ord("\n"), "<u4")
    lines[:, :-1] = chars
    return utf_32_le_decode(lines.data)[0][:-1]  # bytes.decode may rewrite what a signal raises
