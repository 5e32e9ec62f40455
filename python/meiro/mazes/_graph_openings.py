"""Openings of mazes on lattices: which places of the rim they are, and the words that choose two."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import direction_word
from meiro._utils.validation import integer, integers, items_of
from meiro.lattices._rim import rim_of
from meiro.lattices.lattice import cell_of, graph_of, name_of_cell
from meiro.mazes._openings import (
    DRAWN,
    checked_word,
    no_places,
    openings_of_all,
    openings_of_each,
    places_of_each,
    refuse_word,
    two_of_each,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice
    from meiro.mazes._openings import Choice

COMPASS = ("east", "south_east", "south", "south_west", "west", "north_west", "north", "north_east")
_TOWARDS = math.cos(math.radians(50))
_MOST = 1 << 20  # places or mazes in a list
_SWEEP = 10  # bytes a cell
_ROUND = 1e9  # of what is compared, so that rounding decides nothing


def checked_graph_openings(lattice: Lattice, openings: Any, n: int | None = None) -> NDArray[np.int64]:
    """Return places of the rim in their order, (1, k, 2), read-only; a ValueError names one outside of it.

    Parameters
    ----------
    openings : array_like of int, shape (k, 2), or sequence
        Numbers of cells and sides, as in `Lattice.rim`; in a list, cells by label and sides by words, too.
    n : int, optional
        The number of mazes of a batch, as in `checked_openings`.
    """
    places = places_of_each(_places(lattice, openings), n, 'a cell and its side each, as [(0, "north")]')
    _refuse_inner(lattice, places[~no_places(places, n)])
    return openings_of_each(places, n)


def _places(lattice: Lattice, openings: Any) -> NDArray[np.int64]:
    refuse_word(openings, "places")
    if isinstance(openings, np.ndarray):
        return integers(openings, "openings").astype(np.int64)
    several = items_of(openings, "openings", 'a cell and its side each, as [(0, "north")]', ordered=True)
    given = list(islice(several, _MOST))  # it may be endless
    places = []
    for i, one in enumerate(given):
        name = f"openings[{i}]"
        if isinstance(one, np.ndarray) or (
            isinstance(one, list | tuple) and one and isinstance(one[0], list)
        ):
            return integers(given, "openings").astype(np.int64)  # numbers, of each maze
        if isinstance(one, str) or not isinstance(one, list | tuple) or len(one) != 2:
            raise TypeError(f'{name} must be a cell and its side, as (0, "north"), not {short_repr(one)}')
        cell = cell_of(lattice, one[0], name)
        places.append((cell, _side(lattice, cell, one[1], name)))
    return np.array(places, np.int64).reshape(-1, 2)


def _side(lattice: Lattice, cell: int, side: Any, name: str) -> int:
    """Return the number of a side in the rim, that may be named by where it is, seen from the cell."""
    if not isinstance(side, str):
        return integer(side, f"{name}: a side", 0)
    word = direction_word(side)
    if word not in COMPASS:
        named = ", ".join(f'"{one}"' for one in COMPASS)
        raise ValueError(f"{name}: the side of a cell is its number or {named}, not {short_repr(side)}")
    numbers, headings = _sides_of(lattice, cell)
    turn = COMPASS.index(word) * math.pi / 4
    towards = np.round((headings @ (math.cos(turn), math.sin(turn))) * _ROUND) / _ROUND
    if not len(numbers) or towards.max() < _TOWARDS:
        where = f", none of them in the {word.replace('_', ' ')}" if len(numbers) else ""
        raise ValueError(f"{name}: {_which_sides(lattice, cell)}{where}")
    return int(numbers[towards.argmax()])


def _sides_of(lattice: Lattice, cell: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the sides of a cell in the rim, and their headings from its middle, vectors of length 1."""
    rim = rim_of(lattice)
    own = np.flatnonzero(rim.places[:, 0] == cell)
    vectors = rim.middles[own] - lattice.polygon(cell).mean(axis=0) if len(own) else np.empty((0, 2))
    return rim.places[own, 1], vectors / np.maximum(np.hypot(*vectors.T), np.finfo(float).tiny)[:, None]


def _which_sides(lattice: Lattice, cell: int) -> str:
    """Say which sides of a cell are in the rim."""
    numbers, headings = _sides_of(lattice, cell)
    label = short_repr(name_of_cell(lattice, cell))
    if not len(numbers):
        return f"cell {label} of {lattice!r} has no side in the rim"
    turns = np.round(np.arctan2(*headings.T[::-1]) / (math.pi / 4)).astype(int) % 8
    sides = ", ".join(f"{n} ({COMPASS[t]})" for n, t in zip(numbers.tolist(), turns.tolist(), strict=True))
    return f"cell {label} has in the rim the sides {sides}"


def _refuse_inner(lattice: Lattice, places: NDArray[np.int64]) -> None:
    """Refuse a place that is not in the rim."""
    wrong = np.flatnonzero(rim_of(lattice).find(places) < 0)
    if not wrong.size:
        return
    if why := why_no_rim(lattice):
        raise ValueError(f"openings: {lattice!r} {why}")
    cell, side = places[wrong[0]].tolist()
    if not 0 <= cell < lattice.n_cells:
        raise ValueError(
            f"openings: there is no cell {cell} in {lattice!r}: cells are 0..{lattice.n_cells - 1}"
        )
    name = short_repr(name_of_cell(lattice, cell))
    raise ValueError(f"openings: side {side} of cell {name} is not in the rim: {_which_sides(lattice, cell)}")


def why_no_rim(lattice: Lattice) -> str:
    """Say why a lattice has no rim; empty if it has one."""
    if len(rim_of(lattice).places):
        return ""
    if lattice.outline is not None:
        return "is closed: it has no rim to open"
    if lattice.layers is not None:
        return "has cells above one another, and no rim in the plane to open"
    return "has no outline, so no rim to open: meiro.with_ends sets start and goal"


# Words


def graph_openings_by_word(
    lattice: Lattice, open_: NDArray[np.uint8], word: str, choice: Choice
) -> NDArray[np.int64]:
    """Return the two openings that a word chooses in each maze, (n, 2, 2), or (1, 2, 2) for all.

    Raises
    ------
    ValueError
        If the word is unknown, or there are no two such places.
    """
    checked_word(word, 'cells with a side, as [(0, "north")]')
    if why := why_no_rim(lattice):
        raise ValueError(f'openings="{word}": {lattice!r} {why}')
    rim = rim_of(lattice)
    places = rim.places[: rim.n_outer]
    if word not in DRAWN:
        return places[_across(rim.middles[: rim.n_outer], int(word == "top_bottom"))][np.newaxis]
    if word == "farthest":
        need = _SWEEP * (lattice.n_cells + lattice.n_edges) * min(choice.threads, len(open_))
        require(need, f"a double sweep of {choice.what(None)}", "give cells with a side")
    beside = np.ascontiguousarray(places[:, 0])
    return places[two_of_each((graph_of(lattice), open_), beside, word, choice, "")]


def _across(middles: NDArray[np.float64], axis: int) -> list[int]:
    """Return the first and the last place along an axis, 0 for x, near to the middle of the other axis."""
    low, high = middles.min(axis=0), middles.max(axis=0)
    size = float((high - low).max()) or 1.0
    shares = (middles - (low + high) / 2) / size
    found = []
    for end in (-1, 1):
        ahead = end * shares[:, axis] - np.abs(shares[:, 1 - axis])
        found.append(int(np.round(ahead * _ROUND).argmax()))
    return found


def cells_at_ends(openings: NDArray[np.int64] | None, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells at the first and the last opening of n mazes, (n, 2), and how many each maze has."""
    if openings is None or not openings.size:
        return np.zeros((n, 2), np.int64), np.zeros(n, np.int64)
    counts = (openings[..., 0] >= 0).sum(axis=1)
    last = openings[np.arange(n), np.maximum(counts, 1) - 1, 0]
    return np.stack([openings[:, 0, 0], last], axis=1), counts


def plain_openings(lattice: Lattice, openings: NDArray[np.int64] | None) -> Any:
    """Return openings as a recipe has them: cells by the labels that its lattice has, too."""
    if openings is None or not openings.size or lattice.recipe["lattice"] == "graph":
        return None
    shared = openings_of_all(openings)
    if lattice.labels is None or shared.ndim == 3:
        return shared.tolist()
    return [(lattice.labels[cell], side) for cell, side in shared.tolist()]
