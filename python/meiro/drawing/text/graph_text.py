"""Mazes on lattices as text: squares and levels by their walls, weave mazes by their roads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.memory import require
from meiro._utils.validation import one_of
from meiro.drawing.routes import parse_route, parse_routes
from meiro.drawing.text.render import STYLES, Style, wall_chars
from meiro.lattices._rim import rim_of
from meiro.lattices.lattice import cell_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from meiro.drawing.routes import Route
    from meiro.mazes.graph_maze import GraphMaze

_PATHS = {"unicode": "•", "posts": "•", "block": "░", "ascii": "*"}
_STAIRS = {"unicode": "↑↓↕", "posts": "↑↓↕", "block": "↑↓↕", "ascii": "^v%"}  # up, down, both
_BETWEEN = 2  # characters between levels
# By the ways out of a cell: north 1, east 2, south 4, west 8; light, and heavy where a path leads.
_ROADS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
_HEAVY = "·╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
_ASCII = "ooo+o|++o+-+++++"
_BRIDGES = "╪╫"  # from west to east, from north to south
_CROSSED = {(False, False): "", (True, False): "┿", (False, True): "╂", (True, True): "╋"}


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
        msg = (
            f"a maze on {maze.lattice!r} has no text form, as those on square, box and weave have: "
            "maze.save('maze.svg') or meiro.plot(maze) draws it"
        )
        raise ValueError(msg)
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
    for middle in route.doors:
        if middle is not None:
            chars[0, *_site(maze, middle)] = ord(_PATHS[style])
    for cell, following in zip(route.cells[:-1], route.cells[1:], strict=True):
        if level[cell] == level[following]:
            chars[level[cell], row[cell] + row[following] + 1, col[cell] + col[following] + 1] = ord(
                _PATHS[style]
            )
    chars[level[route.cells], 2 * row[route.cells] + 1, 2 * col[route.cells] + 1] = ord(_PATHS[style])
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
    if style == "block":  # two characters a site
        chars = chars.repeat(2, axis=2)
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
    ways, walked = np.zeros(maze.n_cells, np.uint8), np.zeros(maze.n_cells, np.uint8)
    across = np.zeros(maze.n_cells, np.bool_)  # whether a cell leads from west to east
    for edges, to in ((maze.edge_ids(), ways), (route.edges, walked)):
        one, other = maze.lattice.edges[edges].T
        eastward = row[one] == row[other]
        np.bitwise_or.at(to, one, np.where(eastward, 2, 4).astype(np.uint8))
        np.bitwise_or.at(to, other, np.where(eastward, 8, 1).astype(np.uint8))
    all_one, all_other = maze.lattice.edges.T
    level = row[all_one] == row[all_other]
    across[all_one[level]] = across[all_other[level]] = True
    plain = style == "ascii"
    down, right = (2, 4) if plain else (1, 2)  # characters from cell to cell
    roads, heavy = (_ASCII, "*" * 16) if plain else (_ROADS, _HEAVY)
    size = down * int(row.max(initial=0)) + 1, right * int(col.max(initial=0)) + 1
    sheet = np.full(size, ord(" "), np.uint32)
    for edges, (line, upright) in (
        (maze.edge_ids(), "-|" if plain else "─│"),
        (route.edges, "**" if plain else "━┃"),
    ):
        one, other = maze.lattice.edges[edges].T
        eastward = row[one] == row[other]
        for step in range(1, right):
            sheet[down * row[one][eastward], right * col[one][eastward] + step] = ord(line)
        for step in range(1, down):
            sheet[down * row[one][~eastward] + step, right * col[one][~eastward]] = ord(upright)
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


def _joined(sheet: NDArray[np.uint32]) -> str:
    return "\n".join("".join(map(chr, line)) for line in sheet.tolist())
