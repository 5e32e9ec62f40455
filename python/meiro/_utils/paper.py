"""The keywords of printing, checked: sizes of paper, widths of lines, colours; lengths in millimetres."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from meiro._utils.messages import printable, requires_extra, right_word, short_repr
from meiro._utils.validation import number, one_of, require_type

PAGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "A3": (297.0, 420.0),
        "A4": (210.0, 297.0),
        "A5": (148.0, 210.0),
        "letter": (215.9, 279.4),
        "legal": (215.9, 355.6),
        "tabloid": (279.4, 431.8),
    }
)
"""Width and height of paper, upright."""

MOST_MM = 1_000_000.0
CELL = 10.0  # where mm= is not given, and no page says how large cells are
MARGIN = 15.0
MOST_PAGE = 5000.0  # a page of a PDF has at most 14,400 points a side, which are 5080 mm
_LEAST_PAGE = 10.0
_MOST_LETTERS = 200  # of a title
_NAMED = {
    "black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080", "white": "#ffffff",
    "maroon": "#800000", "red": "#ff0000", "purple": "#800080", "fuchsia": "#ff00ff", "green": "#008000",
    "lime": "#00ff00", "olive": "#808000", "yellow": "#ffff00", "navy": "#000080", "blue": "#0000ff",
    "teal": "#008080", "aqua": "#00ffff", "orange": "#ffa500",
}  # fmt: skip
_HEX = re.compile(r"#[0-9a-f]{6}|#[0-9a-f]{3}")

Outside = Literal["blank", "wall"]
"""How pictures show what is outside a mask: as paper, or as wall."""
Caps = Literal["round", "square"]


class Paper(NamedTuple):
    """The size of a page."""

    width: float
    height: float
    turns: bool
    """Whether it may lie on its side: a page that is given by its name may."""
    name: str = ""

    def __str__(self) -> str:
        """Return the size as text."""
        return f"{self.name} {self.width:g} x {self.height:g} mm".lstrip()

    def turned(self) -> Paper:
        """Return the page on its side."""
        return self._replace(width=self.height, height=self.width)


def checked_page(page: Any) -> Paper | None:
    """Return the size of a page; None for "fit", a page as large as the maze."""
    if isinstance(page, str):
        names = {name.lower(): name for name in (*PAGES, "fit")}
        if page.lower() not in names:
            words = " or ".join(map(repr, (*PAGES, "fit")))
            raise ValueError(
                f"page must be {words} or (width, height) in millimetres, not {short_repr(page)}"
            )
        name = names[page.lower()]
        return None if name == "fit" else Paper(*PAGES[name], turns=True, name=name)
    try:
        width, height = (number(side, "page") for side in page)
    except (TypeError, ValueError):
        raise TypeError(
            f"page must be a name such as 'A4' or (width, height) in millimetres, not {short_repr(page)}"
        ) from None
    if not _LEAST_PAGE <= min(width, height) <= max(width, height) <= MOST_PAGE:
        raise ValueError(
            f"page must have sides of {_LEAST_PAGE:g} to {MOST_PAGE:g} mm, not {width:g} x {height:g}"
        )
    return Paper(width, height, turns=False)


def millimetres(mm: Any) -> float:
    """Return the side of a cell."""
    side = number(mm, "mm")
    if not 0 < side <= MOST_MM:
        raise ValueError(
            f"mm must be a positive number up to {MOST_MM:,.0f}, the side of a cell in millimetres, "
            f"not {short_repr(mm)}"
        )
    return side


def thickness(wall: Any, kerf: Any) -> float | None:
    """Return how far the outlines of a wall are apart: what a cut of width `kerf` leaves of it is `wall`."""
    if wall is None:
        if kerf is not None:
            raise ValueError(
                "kerf= is of the outlines of walls: give wall=, their thickness in millimetres, too"
            )
        return None
    return length(wall, "wall") + (0.0 if kerf is None else length(kerf, "kerf", positive=False))


def require_corridor(thick: float, mm: float) -> None:
    """Raise a ValueError if there is nothing between outlines that are so far apart."""
    if thick >= mm:
        raise ValueError(
            f"wall= and kerf=, {thick:g} mm, must be less than a cell of {mm:g} mm: no corridor is left"
        )


def length(value: Any, name: str, *, positive: bool = True) -> float:
    """Return a length in millimetres."""
    found = number(value, name)
    if found < 0 or found > MOST_MM or (positive and found == 0):
        least = "positive" if positive else "0 or more"
        raise ValueError(
            f"{name} must be {least}, in millimetres, up to {MOST_MM:,.0f}, not {short_repr(value)}"
        )
    return found


def checked_caps(caps: Any) -> str:
    """Return the ends of lines."""
    return one_of(caps, "caps", ("round", "square"))


def checked_colors(given: Any, usual: Mapping[str, str]) -> dict[str, str]:
    """Return the usual colours with those that are given, all as ``#rrggbb``."""
    if given is None:
        return dict(usual)
    require_type(given, Mapping, "colors", f"a dict from {', '.join(usual)} to colours")
    for name in given:
        if name not in usual:
            hint = right_word(str(name), usual)
            raise ValueError(f"colors: {short_repr(name)} is not one of {', '.join(usual)}{hint}")
    return {**usual, **{name: checked_color(color, f"colors[{name!r}]") for name, color in given.items()}}


def checked_color(given: Any, name: str) -> str:
    """Return a colour, of `meiro.colors` or as matplotlib takes it, as ``#rrggbb``.

    Matplotlib is asked only for other words than the commonest ones and for numbers.
    """
    own = getattr(given, "hex", None)
    if isinstance(own, str):
        return own
    word = given.lower() if isinstance(given, str) else ""
    if _HEX.fullmatch(word):
        return word if len(word) == 7 else "#" + "".join(2 * digit for digit in word[1:])
    if word in _NAMED:
        return _NAMED[word]
    with requires_extra("plot", f"matplotlib, as {name} is not #rrggbb or one of {', '.join(_NAMED)}"):
        from matplotlib.colors import to_rgba
    try:
        *rgb, alpha = to_rgba(given)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"{name} must be #rrggbb, a word such as 'crimson' or (red, green, blue) from 0 to 1, as "
            f"matplotlib takes them, not {short_repr(given)}"
        ) from error
    if alpha < 1:
        raise ValueError(f"{name} must be an opaque colour, not {short_repr(given)}")
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


def checked_title(title: Any, name: str = "title") -> str:
    """Return a title: one line of text."""
    if title is None:
        return ""
    require_type(title, str, name, "a text")
    if printable(title) != title or len(title) > _MOST_LETTERS:
        raise ValueError(
            f"{name} must be a line of {_MOST_LETTERS} printable characters at most, not {short_repr(title)}"
        )
    return str(title).strip()


def text_width(text: str) -> float:
    """Return the width of a text in units of the size of its letters, about: no font is asked."""
    return sum(1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.62 for letter in text)
