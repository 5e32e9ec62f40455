"""What a terminal can show: its size, the characters of its encoding, and colours."""

from __future__ import annotations

import os
import shutil
from codecs import utf_32_le_decode
from functools import cache
from typing import TYPE_CHECKING, TextIO

import numpy as np

from meiro.colors import DARK, LIGHT
from meiro.drawing.palette import needs_bright_ink
from meiro.drawing.text.render import Drawing, Role, Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro.colors import Color, Theme
    from meiro.results.solution import Solution

_RESET = "\x1b[0m"
_LEVELS = np.array([0, 95, 135, 175, 215, 255])  # of red, green and blue in the 256 colours of xterm
_AT_ONCE = 1 << 20  # characters


def size() -> tuple[int, int]:
    """Return the columns and lines of the terminal; 80 and 24 without one."""
    return shutil.get_terminal_size((80, 24))


def can_write(text: str, out: TextIO | None) -> bool:
    """Return whether the encoding of `out` can represent the text."""
    encoding = getattr(out, "encoding", None)  # None: text in memory
    try:
        text.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def has_colors(out: TextIO | None) -> bool:
    """Return whether `out` is a terminal with colours, and NO_COLOR is not set."""
    if out is None or not out.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width_of(sites: int, style: Style, *, maze: bool = True) -> int:
    """Return the width in characters of a number of sites, of a maze or of any other array."""
    return 2 * sites if style == "block" or (not maze and style != "ascii") else sites


def draw_sites(array: NDArray[np.uint8], style: Style, solution: Solution | None) -> Drawing:
    """Draw an array that is not a maze grid: blocks of two characters a site, or one ``#`` for "ascii"."""
    wall, path, width = ("#", "*", 1) if style == "ascii" else ("█", "░", 2)
    glyphs = np.array([[ord(glyph)] * width for glyph in (" ", wall, " ", path, "S", "G")], np.uint32)
    glyphs[[Role.START, Role.GOAL], 1:] = ord(path)
    roles = array.astype(np.uint8)
    if solution is not None:
        roles[solution.explored] = Role.VISITED
        roles[tuple(solution.path.T)] = Role.PATH
        roles[solution.goal] = Role.GOAL
        roles[solution.start] = Role.START
    chars = glyphs[roles].reshape(len(roles), -1)
    return Drawing(chars, np.repeat(roles, width, axis=1))


def lines_of(drawing: Drawing, *, colors: bool) -> Iterator[str]:
    """Yield a drawing some whole lines at a time, with or without colours."""
    at_once = max(1, _AT_ONCE // drawing.chars.shape[1])
    for first in range(0, len(drawing.chars), at_once):
        rows = slice(first, first + at_once)
        part = Drawing(drawing.chars[rows], drawing.roles[rows])
        yield painted(part) if colors else str(part)


def theme() -> Theme:
    """Return the theme for the terminal's background, dark if that is unknown."""
    return LIGHT if os.environ.get("COLORFGBG", "").endswith((";7", ";15")) else DARK


def nearest(color: Color) -> int:
    """Return the index of the nearest of the 256 colours of xterm."""
    cube = np.stack(np.meshgrid(_LEVELS, _LEVELS, _LEVELS, indexing="ij"), axis=-1).reshape(-1, 3)
    greys = np.repeat(np.arange(8, 248, 10), 3).reshape(-1, 3)
    away = ((np.concatenate([cube, greys]) - np.array(color)) ** 2).sum(axis=1)
    return 16 + int(away.argmin())


@cache
def codes_of(colors: Theme) -> dict[Role, str]:
    """Return the colour of each role as background, and a foreground that is legible on it."""
    codes = {}
    for role in (Role.VISITED, Role.PATH, Role.START, Role.GOAL):
        ground = getattr(colors, role.name.lower())
        ink = DARK.ink if needs_bright_ink(ground) else LIGHT.ink
        bold = "1;" if role in {Role.START, Role.GOAL} else ""
        codes[role] = f"\x1b[{bold}38;5;{nearest(ink)};48;5;{nearest(ground)}m"
    return codes


def painted(drawing: Drawing) -> str:
    """Return the text of a drawing, with escape sequences where the role changes."""
    line_end = (0, 0), (0, 1)
    chars = np.pad(drawing.chars, line_end, constant_values=ord("\n"))
    roles = np.pad(drawing.roles, line_end, constant_values=Role.ROAD)
    flat = np.where(roles == Role.WALL, np.uint8(Role.ROAD), roles).reshape(-1)  # neither has a colour
    changes = np.flatnonzero(np.diff(flat, prepend=np.uint8(Role.ROAD)))
    codes = [codes_of(theme()).get(role, _RESET) for role in Role]
    lengths = np.array([len(code) for code in codes])

    extra = np.zeros(flat.size, np.int64)
    extra[changes] = lengths[flat[changes]]
    at = np.arange(flat.size) + np.cumsum(extra)  # where each character goes, behind all sequences before it
    text = np.empty(at[-1] + 1, "<u4")
    text[at] = chars.reshape(-1)
    for role, code in zip(Role, codes, strict=True):
        there = at[changes[flat[changes] == role]] - len(code)
        for i, letter in enumerate(code):
            text[there + i] = ord(letter)
    return utf_32_le_decode(text.data)[0][:-1]
