"""How cells of lattices are named: by labels, by coordinates, or by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    Words = tuple[Hashable, ...] | NDArray[np.int64] | None
    """Labels, or coordinates, (n_cells, axes); None where a number is the only name."""

MIDDLE = "middle"
"""The word for the cell nearest to the middle."""


class Coordinates(np.ndarray[Any, np.dtype[np.int64]]):
    """An array of coordinates, (axes,) or (..., axes), that verbs tell from an array of numbers.

    So that ``path[3]`` is one cell. What is computed from it is a plain array.
    """

    def __array_wrap__(self, array: Any, *_: Any) -> Any:
        """Return a result as a plain array or scalar."""
        return np.asarray(array)[()]

    def __repr__(self) -> str:
        """Return the repr of a plain array."""
        return repr(np.asarray(self))


def names_of(words: Words, numbers: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """Return cells by their names: (..., axes) of coordinates, else an array of the same shape."""
    if words is None:
        return numbers
    if isinstance(words, np.ndarray):
        named: NDArray[Any] = words[numbers]
        return named
    found = np.empty(numbers.size, object)
    for i, number in enumerate(numbers.reshape(-1).tolist()):
        found[i] = words[number]  # a label may be a tuple
    return found.reshape(numbers.shape)


def names_or_none(words: Words, numbers: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """Return cells by their names; -1, or None among labels, where a number is -1."""
    if words is None:
        return numbers
    found = names_of(words, np.maximum(numbers, 0))
    found[numbers < 0] = -1 if isinstance(words, np.ndarray) else None
    return found


def name_of(words: Words, number: int) -> Any:
    """Return one cell by its name: a label, a tuple of coordinates, or the number."""
    if words is None:
        return number
    return tuple(words[number].tolist()) if isinstance(words, np.ndarray) else words[number]
