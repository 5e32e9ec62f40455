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


def _colors(digits: str) -> tuple[Color, ...]:
    """Return the colours of words of six hexadecimal digits each, as in CSS."""
    return tuple(Color(*bytes.fromhex(word)) for word in digits.split())


_LIGHT_AND_DARK = {
    "road": "ffffff 1b202a",
    "frontier": "fce2ae 6e5522",
    "walk": "f09cc4 9d4b7b",
    "in_maze": "ffffff 1b202a",
    "visited": "a6d5f7 2a5f91",
    "filled": "bdbdbd 5c616b",
    "path": "d7191c ff5d52",
    "kept": "7a5c3e b39a7c",
    "growing": "8e44ad c38ff0",
    "built": "141414 dde2ea",
    "torn_down": "f6b3a8 7e3c38",
    "current": "f5a300 ffb42b",
    "wall": "141414 dde2ea",
    "closed": "d6dae0 3b4351",
    "start": "1d3fb8 7ba4ff",
    "goal": "1fb85c 3dd682",
    "ink": "141414 f2f4f8",
    "masked": "9a9a9a 808690",
}
LIGHT, DARK = (
    Theme(**dict(zip(_LIGHT_AND_DARK, colors, strict=True)))
    for colors in zip(*map(_colors, _LIGHT_AND_DARK.values()), strict=True)
)
THEMES: Mapping[str, Theme] = MappingProxyType({"light": LIGHT, "dark": DARK})

ROUTES: Mapping[str, tuple[Color, ...]] = MappingProxyType(
    {
        "light": (LIGHT.path, Color(0x00, 0x9E, 0x9E), LIGHT.current, Color(0xC8, 0x90, 0xFF), LIGHT.growing),
        "dark": (DARK.path, Color(0x4C, 0xC3, 0xFF), DARK.current, Color(0x8F, 0x5B, 0xFF), DARK.walk),
    },
)
"""The colours of several routes in one picture; the first is that of a single one."""

_MORE_GROUPS = {
    "light": "0c00d8 600c3c 9cc084 300060 3c2400 9c3c60 906cf0 6c8454 b4a854 6018b4 247818 ff489c 303c6c "
    "3054ff e49cd8",
    "dark": "ffe4cc a8180c 9cb4b4 544890 90303c 90ff6c ff2418 600cff 840cc0 8490ff d86cc0 c0b484 a87878 "
    "ccffa8 cc24c0",
}
GROUPS: Mapping[str, tuple[Color, ...]] = MappingProxyType(
    {theme: ROUTES[theme] + _colors(more) for theme, more in _MORE_GROUPS.items()}
)
"""The colours of twenty groups in plots of tables; any two differ by at least 18, the first five by 24."""

CLUSTERS: Mapping[str, tuple[Color, ...]] = MappingProxyType(
    {
        "light": _colors("c0d8fc fce4a8 c09084 9cfce4 8490e4 00a8b4 90a854"),
        "dark": _colors("d8609c 840c0c 0090e4 906c54 543084 789024 004848"),
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
