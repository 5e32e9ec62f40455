"""Words and keywords that public functions take, as types; without NumPy, for the help of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike

    from meiro._utils.paper import Caps, Outside
    from meiro._utils.square import CellLike
    from meiro._utils.validation import Threads

OpeningsWord = Literal["corners", "top_bottom", "left_right", "random", "farthest"]
"""Which two openings a maze has."""
TextStyle = Literal["unicode", "ascii", "block", "posts"]
"""How a maze is drawn as text."""


class PlotOptions(TypedDict, total=False):
    """The keywords that `meiro.plot` has for one maze and for several."""

    explored: bool
    marks: bool | Mapping[Any, object] | None
    colors: Mapping[str, ColorType] | None
    theme: Literal["light", "dark"] | None
    outside: Outside


class PageOptions(TypedDict, total=False):
    """The keywords of a page: see `meiro.save`."""

    outside: Outside
    mm: float | None
    page: str | ArrayLike | None
    margin: float | None
    wall_width: float | None
    path_width: float | None
    caps: Caps
    colors: Mapping[str, ColorType] | None
    title: str | None
    marks: bool | Mapping[Any, object] | None


class PictureOptions(PageOptions, total=False):
    """The keywords of a picture of one maze: see `meiro.save`."""

    start: CellLike | Hashable
    goal: CellLike | Hashable
    labels: ArrayLike | Mapping[Any, object] | None
    explored: bool


class SaveOptions(PictureOptions, total=False):
    """The keywords of `meiro.save`, which says what they are."""

    format: str | None
    wall: float | None
    kerf: float | None
    scale: int | None
    style: TextStyle
    posts: bool
    threads: Threads
