"""What ``colors=`` means: names of colours, and the theme that has those of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.paper import checked_colors
from meiro.colors import LIGHT, THEMES, Color, Theme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

# What a theme calls them; in frames of traces walls were perhaps built, and roads are in the maze.
_FIELDS = {
    "wall": ("wall", "built"),
    "road": ("road", "in_maze"),
    "visited": ("visited",),
    "path": ("path",),
    "start": ("start",),
    "goal": ("goal",),
    "text": ("ink",),
    "door": ("growing",),
}

_DARK = 0.19  # luminance below which a bright ink contrasts more

COLORS: Mapping[str, str] = {name: getattr(LIGHT, fields[0]).hex for name, fields in _FIELDS.items()}


def themed(name: str, own: Any = None) -> Theme:
    """Return a theme with colours of the user's own, checked."""
    usual = {word: getattr(THEMES[name], fields[0]).hex for word, fields in _FIELDS.items()}
    given = checked_colors(own, usual)
    changed = {
        field: Color(*bytes.fromhex(given[word][1:]))
        for word, fields in _FIELDS.items()
        if given[word] != usual[word]
        for field in fields
    }
    return THEMES[name]._replace(**changed)


def theme_color(theme: Theme, name: str) -> tuple[float, float, float]:
    """Return a colour of a theme by its name in ``colors=``, red, green and blue from 0 to 1."""
    color: Color = getattr(theme, _FIELDS[name][0])
    return color.unit


def luminance(colors: ArrayLike) -> Any:
    """Return how bright colours, 0 to 255, look, about as WCAG 2 has it, from 0 to 1."""
    return (np.asarray(colors) / 255) ** 2.2 @ (0.2126, 0.7152, 0.0722)


def needs_bright_ink(grounds: ArrayLike) -> Any:
    """Return whether letters on such colours, 0 to 255, are read better if they are bright."""
    return luminance(grounds) < _DARK
