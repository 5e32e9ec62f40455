"""The palette of meiro, light and dark.

Any two of `COLORS`, and of the `ROUTES` of a theme, have a CIE 1976 difference of at least 24 in normal
sight and in simulated protanopia, deuteranopia and tritanopia (Machado et al. 2009); a test computes it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Color(NamedTuple):
    """Red, green, blue, each 0 to 255."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """The colour as ``#rrggbb``.

        Examples
        --------
        >>> meiro.colors.PATH.hex
        '#d7191c'
        """
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    @property
    def unit(self) -> tuple[float, float, float]:
        """The colour as three numbers from 0 to 1, as matplotlib takes them."""
        return self.red / 255, self.green / 255, self.blue / 255


class Theme(NamedTuple):
    """The colours of a picture. `State` and `Paint` of `meiro.traces.events` are indices."""

    road: Color
    """Places without an event yet; the others up to `current` are a `meiro.State` each."""
    frontier: Color
    walk: Color
    in_maze: Color
    visited: Color
    filled: Color
    path: Color
    kept: Color
    growing: Color
    built: Color
    torn_down: Color
    current: Color
    wall: Color
    closed: Color
    """A cell that is not in the maze yet."""
    start: Color
    goal: Color
    ink: Color
    """The colour of text."""
    masked: Color
    """Cells that do not exist, where they are not walls."""


LIGHT = Theme(
    road=Color(0xFF, 0xFF, 0xFF),
    frontier=Color(0xFC, 0xE2, 0xAE),
    walk=Color(0xF0, 0x9C, 0xC4),
    in_maze=Color(0xFF, 0xFF, 0xFF),
    visited=Color(0xA6, 0xD5, 0xF7),
    filled=Color(0xBD, 0xBD, 0xBD),
    path=Color(0xD7, 0x19, 0x1C),
    kept=Color(0x7A, 0x5C, 0x3E),
    growing=Color(0x8E, 0x44, 0xAD),
    built=Color(0x14, 0x14, 0x14),
    torn_down=Color(0xF6, 0xB3, 0xA8),
    current=Color(0xF5, 0xA3, 0x00),
    wall=Color(0x14, 0x14, 0x14),
    closed=Color(0xD6, 0xDA, 0xE0),
    start=Color(0x1D, 0x3F, 0xB8),
    goal=Color(0x1F, 0xB8, 0x5C),
    ink=Color(0x14, 0x14, 0x14),
    masked=Color(0x9A, 0x9A, 0x9A),
)
DARK = Theme(
    road=Color(0x1B, 0x20, 0x2A),
    frontier=Color(0x6E, 0x55, 0x22),
    walk=Color(0x9D, 0x4B, 0x7B),
    in_maze=Color(0x1B, 0x20, 0x2A),
    visited=Color(0x2A, 0x5F, 0x91),
    filled=Color(0x5C, 0x61, 0x6B),
    path=Color(0xFF, 0x5D, 0x52),
    kept=Color(0xB3, 0x9A, 0x7C),
    growing=Color(0xC3, 0x8F, 0xF0),
    built=Color(0xDD, 0xE2, 0xEA),
    torn_down=Color(0x7E, 0x3C, 0x38),
    current=Color(0xFF, 0xB4, 0x2B),
    wall=Color(0xDD, 0xE2, 0xEA),
    closed=Color(0x3B, 0x43, 0x51),
    start=Color(0x7B, 0xA4, 0xFF),
    goal=Color(0x3D, 0xD6, 0x82),
    ink=Color(0xF2, 0xF4, 0xF8),
    masked=Color(0x80, 0x86, 0x90),
)
THEMES: Mapping[str, Theme] = MappingProxyType({"light": LIGHT, "dark": DARK})

ROUTES: Mapping[str, tuple[Color, ...]] = MappingProxyType(
    {
        "light": (LIGHT.path, Color(0x00, 0x9E, 0x9E), LIGHT.current, Color(0xC8, 0x90, 0xFF), LIGHT.growing),
        "dark": (DARK.path, Color(0x4C, 0xC3, 0xFF), DARK.current, Color(0x8F, 0x5B, 0xFF), DARK.walk),
    },
)
"""The colours of several routes in one picture; the first is that of a single one."""

GROUPS: Mapping[str, tuple[Color, ...]] = MappingProxyType(
    {
        "light": (
            *ROUTES["light"],
            Color(0x0C, 0x00, 0xD8),
            Color(0x60, 0x0C, 0x3C),
            Color(0x9C, 0xC0, 0x84),
            Color(0x30, 0x00, 0x60),
            Color(0x3C, 0x24, 0x00),
            Color(0x9C, 0x3C, 0x60),
            Color(0x90, 0x6C, 0xF0),
            Color(0x6C, 0x84, 0x54),
            Color(0xB4, 0xA8, 0x54),
            Color(0x60, 0x18, 0xB4),
            Color(0x24, 0x78, 0x18),
            Color(0xFF, 0x48, 0x9C),
            Color(0x30, 0x3C, 0x6C),
            Color(0x30, 0x54, 0xFF),
            Color(0xE4, 0x9C, 0xD8),
        ),
        "dark": (
            *ROUTES["dark"],
            Color(0xFF, 0xE4, 0xCC),
            Color(0xA8, 0x18, 0x0C),
            Color(0x9C, 0xB4, 0xB4),
            Color(0x54, 0x48, 0x90),
            Color(0x90, 0x30, 0x3C),
            Color(0x90, 0xFF, 0x6C),
            Color(0xFF, 0x24, 0x18),
            Color(0x60, 0x0C, 0xFF),
            Color(0x84, 0x0C, 0xC0),
            Color(0x84, 0x90, 0xFF),
            Color(0xD8, 0x6C, 0xC0),
            Color(0xC0, 0xB4, 0x84),
            Color(0xA8, 0x78, 0x78),
            Color(0xCC, 0xFF, 0xA8),
            Color(0xCC, 0x24, 0xC0),
        ),
    },
)
"""The colours of twenty groups in plots of tables; any two differ by at least 18, the first five by 24."""

CLUSTERS: Mapping[str, tuple[Color, ...]] = MappingProxyType(
    {
        "light": (
            Color(0xC0, 0xD8, 0xFC),
            Color(0xFC, 0xE4, 0xA8),
            Color(0xC0, 0x90, 0x84),
            Color(0x9C, 0xFC, 0xE4),
            Color(0x84, 0x90, 0xE4),
            Color(0x00, 0xA8, 0xB4),
            Color(0x90, 0xA8, 0x54),
        ),
        "dark": (
            Color(0xD8, 0x60, 0x9C),
            Color(0x84, 0x0C, 0x0C),
            Color(0x00, 0x90, 0xE4),
            Color(0x90, 0x6C, 0x54),
            Color(0x54, 0x30, 0x84),
            Color(0x78, 0x90, 0x24),
            Color(0x00, 0x48, 0x48),
        ),
    },
)
"""The colours of clusters, which take turns; any two differ by at least 20, as those above by 24."""

WALL = LIGHT.wall
ROAD = LIGHT.road
VISITED = LIGHT.visited
PATH = LIGHT.path
START = LIGHT.start
GOAL = LIGHT.goal
HEAD = LIGHT.current
"""The current position of an algorithm."""
MASKED = LIGHT.masked
"""Cells that do not exist."""

COLORS: Mapping[str, Color] = MappingProxyType(
    {
        "wall": WALL,
        "road": ROAD,
        "visited": VISITED,
        "path": PATH,
        "start": START,
        "goal": GOAL,
        "head": HEAD,
        "masked": MASKED,
    },
)
"""The colours of a finished picture by name, in the order of the palette of a PNG."""
