"""The one palette of meiro.

Every two colours stay apart (CIE 1976 difference of 24 or more) for normal sight and for simulated
protanopia, deuteranopia and tritanopia (Machado et al. 2009); a test computes it.
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


WALL = Color(0x14, 0x14, 0x14)
ROAD = Color(0xFF, 0xFF, 0xFF)
VISITED = Color(0xA6, 0xD5, 0xF7)
PATH = Color(0xD7, 0x19, 0x1C)
START = Color(0x1D, 0x3F, 0xB8)
GOAL = Color(0x1F, 0xB8, 0x5C)
HEAD = Color(0xF5, 0xA3, 0x00)
"""Where an algorithm stands at the moment."""
MASKED = Color(0x9A, 0x9A, 0x9A)
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
"""All of them by name, in the order in which a picture's palette holds them."""
