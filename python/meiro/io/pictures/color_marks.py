"""Marks of a named colour in a picture: the start and the goal of a maze."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell

_COLORFUL = (0.4, 32.0)  # least saturation, and least difference between the channels, of a mark
_TINTED = (0.2, 16.0)  # of its blurred edge
_SAME_HUE = 0.75  # the square of the cosine of 30 degrees
_SAME_GREY = 48  # of 255, in each channel
_LARGE = 4  # marks of less than a fourth of the largest one do not count
_LISTED = 5
_EDGE, _SIMILAR, _EXACT = 1, 2, 4


class ColorMarks:
    """Finds the marks of a colour in bands of a picture.

    A pixel is of the colour exactly, or similar to it: colourful, and of a hue that differs by 30 degrees at
    most, so that it is found in a photograph; pixels around it with a tinge of the hue are its blurred edge.
    Greys are similar if no channel differs by more than 48.
    """

    def __init__(self, name: str, color: str, shape: tuple[int, int]) -> None:
        self.name, self.where = name, "of the picture"
        self.found = np.zeros(shape, np.uint8)
        self._rgb = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])
        self._hue = _hue(self._rgb.astype(np.float32))
        self._size = self._hue[0] ** 2 + self._hue[1] ** 2

    def see(self, first: int, rgb: NDArray[np.uint8]) -> None:
        """Mark the pixels of some rows, from row `first` on."""
        to = self.found[first : first + len(rgb)]
        red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
        if self._size:
            most, least = (pick(pick(red, green), blue) for pick in (np.maximum, np.minimum))
            colorful = np.nonzero(most - least >= _TINTED[1])
            to[colorful] = self._same_hue(rgb[colorful].astype(np.float32))
        else:
            to[(np.abs(rgb.astype(np.int16) - self._rgb) <= _SAME_GREY).all(axis=2)] = _SIMILAR
        exact = (red == self._rgb[0]) & (green == self._rgb[1]) & (blue == self._rgb[2])
        to[exact] |= _EXACT

    def _same_hue(self, rgb: NDArray[np.float32]) -> NDArray[np.uint8]:
        across, along = _hue(rgb)
        size = across**2 + along**2
        dot = across * self._hue[0] + along * self._hue[1]
        same = (dot > 0) & (dot**2 >= _SAME_HUE * self._size * size)
        brightest = rgb.max(axis=1)
        found = np.zeros(len(rgb), np.uint8)
        for (saturation, least), bit in ((_TINTED, _EDGE), (_COLORFUL, _SIMILAR)):
            limit = 2 * np.maximum(saturation * brightest, least)  # a pure hue is at twice the difference
            found[same & (size >= limit**2)] |= bit
        return found

    def mark(self, given: str) -> tuple[Cell, NDArray[np.int64], bool]:
        """Return the middle pixel of the one mark of the colour, all, and whether they have it exactly.

        A ValueError, with the colour as given, if there is not one mark.
        """
        found = self.found
        said = f"{self.name}={given!r}"
        rows, cols = (np.flatnonzero(found.any(axis=axis)) for axis in (1, 0))
        seen = np.bitwise_or.reduce(found, axis=None)
        bit = next((bit for bit in (_EXACT, _SIMILAR) if seen & bit), 0)
        if not bit:
            raise ValueError(
                f"{said}: no pixel {self.where} has that colour or one like it: give (row, col) of a pixel"
            )
        top, left = int(rows[0]), int(cols[0])
        part = np.ascontiguousarray(found[top : rows[-1] + 1, left : cols[-1] + 1])
        (labels,), (n,) = _core.components(((part == 0).view(np.uint8), 4), 1)
        counted = (part & bit) != 0
        counts = np.bincount(labels[counted], minlength=n + 1)
        counts[0] = 0
        large = np.flatnonzero(counts * _LARGE >= counts.max())
        places = [_middle_of_mark(labels, int(label), counted) for label in large[:_LISTED]]
        if len(large) > 1:
            listed = ", ".join(f"({row + top}, {col + left})" for (row, col), _ in places)
            more = ", ..." if len(large) > _LISTED else ""
            like = "that colour" if bit == _EXACT else "a colour like it"
            places_said = f"{len(large)} places {self.where} have {like}, at {listed}{more}"
            raise ValueError(f"{said}: {places_said}: give (row, col) of one")
        (row, col), pixels = places[0]
        return (row + top, col + left), pixels + np.array((top, left)), bit == _EXACT


def without_colors(walls: NDArray[np.uint8], colorful: NDArray[np.bool_]) -> int:
    """Make colourful pixels road if most walls are black or grey; return how many were walls."""
    colored = int(np.count_nonzero(walls[colorful]))
    if 2 * colored >= np.count_nonzero(walls):
        return 0  # all is drawn in colour
    walls[colorful] = 0
    return colored


def _hue(rgb: NDArray[Any]) -> tuple[Any, Any]:
    """Return the hue as a vector in the plane, as long as the colour is colourful."""
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    return 2 * red - green - blue, np.float32(3**0.5) * (green - blue)


def _middle_of_mark(
    labels: NDArray[Any], label: int, counted: NDArray[np.bool_]
) -> tuple[Cell, NDArray[np.int64]]:
    """Return the pixel of a component that is nearest to the centre of those counted, and all of them."""
    pixels = np.argwhere(labels == label)
    core = pixels[counted[tuple(pixels.T)]]
    row, col = core[((core - core.mean(axis=0)) ** 2).sum(axis=1).argmin()].tolist()
    return (row, col), pixels
