"""Wide corridors and thick walls: how large they are, where they lie, what stands for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.validation import integer

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


class Widths(NamedTuple):
    """How many sites wide corridors are, and how many thick walls are."""

    corridor: int
    wall: int

    def side(self, cells: int) -> int:
        """Return the sites along a side of so many cells."""
        return cells * (self.corridor + self.wall) + self.wall

    def cells(self, side: int, name: str) -> int:
        """Return the cells along a side of the grid, or say which sides there are."""
        cells = (side - self.wall) // sum(self)
        if cells >= 1 and self.side(cells) == side:
            return cells
        plain = "a maze grid is odd and at least 3"
        wide = f"a grid with corridor={self.corridor}, wall={self.wall} is {self.wall} + n * {sum(self)}"
        near = " or ".join(str(self.side(n)) for n in (cells, cells + 1) if n >= 1) or str(self.side(1))
        msg = f"the {name} of {plain if self == PLAIN else wide}, not {side}; {near} would do"
        raise ValueError(msg)

    def sites(self, i: int) -> slice:
        """Return where row or column `i` of the plain grid lies."""
        first = i // 2 * sum(self) + i % 2 * self.wall
        return slice(first, first + (self.corridor if i % 2 else self.wall))


PLAIN = Widths(1, 1)
_MOST = 1 << 31


def widths(corridor: SupportsIndex, wall: SupportsIndex) -> Widths:
    """Return how wide they are, or say why they cannot be."""
    if type(corridor) is type(wall) is int and corridor == wall == 1:  # no time is lost on the usual ones
        return PLAIN
    return Widths(integer(corridor, "corridor", 1, _MOST), integer(wall, "wall", 1, _MOST))


class Inks(NamedTuple):
    """What stands for road and for wall, in an array of one dtype."""

    dtype: np.dtype[Any]
    road: NDArray[Any]
    wall: NDArray[Any]


def inks(road: object, dtype: DTypeLike | None) -> Inks:
    """Return what stands for road and wall, or say why it cannot."""
    if isinstance(road, np.generic):
        road = road.item()
    character = isinstance(road, str | bytes)
    usual = ("U1" if isinstance(road, str) else "S1") if character else "u1"
    kind = np.dtype(usual if dtype is None else dtype)
    if kind in {np.dtype(str), np.dtype(bytes)}:
        kind = np.dtype(kind.kind + "1")
    if kind.kind not in "biufUS" or kind.str[1:] in {"U", "S"} or (kind.kind in "US" and kind.str[2:] != "1"):
        msg = f"dtype must be of booleans, whole numbers, floats or single characters, not {kind}"
        raise TypeError(msg)
    if character != (kind.kind in "US") or not isinstance(road, str | bytes | int | float):
        wanted = 'a character, as road="."' if kind.kind in "US" else "a number"
        msg = f"road must be {wanted}, for an array of {kind}, not {short_repr(road)}"
        raise TypeError(msg)
    item = _character(road, kind) if isinstance(road, str | bytes) else _number(road, kind)
    if character:
        return Inks(kind, item, np.array("#", kind))
    return Inks(kind, item, np.array(0 if item else 1, kind))


def narrowed(sites: NDArray[np.uint8], thick: Widths) -> NDArray[np.uint8]:
    """Return the plain grid of a wide one, or say which site is not as the rest of its block."""
    require(sites.size // sum(thick) ** 2 * 4, "the plain grid", "read it in parts")
    plain, fault = _core.narrow(sites, thick)
    if fault is not None:
        first = [_block(at, thick) for at in fault]
        kinds = ["wall" if sites[tuple(at)] else "road" for at in (fault, first)]
        msg = (
            f"grid{list(fault)} is {kinds[0]} and grid{first} is {kinds[1]}: with corridor={thick.corridor} "
            f"and wall={thick.wall} they are of one block"
        )
        raise ValueError(msg)
    return plain


def _block(at: int, thick: Widths) -> int:
    """Return where the block begins that a row or column is of."""
    rest = at % sum(thick)
    return at - rest + (thick.wall if rest >= thick.wall else 0)


def _character(road: str | bytes, kind: np.dtype[Any]) -> NDArray[Any]:
    given = road if isinstance(road, str) else road.decode("latin-1")
    if len(given) != 1 or given in "#\0" or (kind.kind == "S" and not given.isascii()):
        msg = f'road must be one character other than "#", which is a wall, not {short_repr(road)}'
        raise ValueError(msg)
    return np.array(road, kind)


def _number(road: float, kind: np.dtype[Any]) -> NDArray[Any]:
    try:
        with np.errstate(all="ignore"):
            item = np.array(road).astype(kind)
        fits = np.isfinite(item) and bool(item) == bool(road) if kind.kind == "f" else item.item() == road
    except OverflowError:
        fits = False
    if not fits:
        msg = f"road={road!r} does not fit an array of {kind}"
        raise ValueError(msg)
    return item
