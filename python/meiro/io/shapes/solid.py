"""What the formats of meshes write: sizes, vertices, and triangles in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray


class Sizes(NamedTuple):
    """Lengths in millimetres: see `meiro.io.save_mesh`."""

    mm: float
    wall: float
    height: float
    base: float


class Mesh(NamedTuple):
    """A closed surface.

    Attributes
    ----------
    vertices : ndarray of float32, shape (n, 3)
        In millimetres, z up; no two are the same.
    n_triangles : int
    triangles : callable
        Returns an iterator over pieces of them, shape (k, 3), numbers of vertices, counterclockwise as seen
        from outside.
    """

    vertices: NDArray[np.float32]
    n_triangles: int
    triangles: Callable[[], Iterator[NDArray[np.integer]]]


def placed(lengths: NDArray[np.float64], sizes: Sizes) -> NDArray[np.float32]:
    """Return coordinates, all different, in the precision of files; ValueError if some fall together."""
    found = lengths.astype(np.float32)
    if (np.diff(found) == 0).any():
        given = ", ".join(f"{name}={value:g}" for name, value in sizes._asdict().items())
        msg = f"{given}: sizes differ too much, numbers of 32 bits cannot tell all places of the mesh"
        raise ValueError(msg)
    return found


def heights(sizes: Sizes) -> NDArray[np.float32]:
    """Return the heights of levels 0 (the bottom), 1 (the floor) and 2 (the top of walls)."""
    if sizes.base == 0:
        return placed(np.array([0, sizes.height]), sizes)[[0, 0, 1]]
    return placed(np.array([0, sizes.base, sizes.base + sizes.height]), sizes)
