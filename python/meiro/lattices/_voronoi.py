"""Cells of points: what is nearer to a point than to every other one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.interruptible import interruptible
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.validation import integer, number_array
from meiro.lattices._tiling import lattice_of_polygons, random_words, require_size
from meiro.seeds import RNG, plain_seed, seed_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.lattices.lattice import Lattice

_ONCE = 8  # all points are triangulated with the images, unless fewer than one of this number is near a side


def voronoi(points: ArrayLike | int | None = None, *, n: int | None = None, rng: RNG = None) -> Lattice:
    """Make a lattice of the Voronoi cells of points in a rectangle.

    Parameters
    ----------
    points : array_like of float, shape (n, 2)
        Different points; x goes right, y goes down. The rectangle is the smallest around them, with a margin
        of half of their mean distance.
    n : int
        Instead: n random points, uniform in the unit square.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed gives the same points on every machine.

    Returns
    -------
    Lattice
        A cell for each point, at the point. Which cells share a side is found with floating-point numbers, by
        Qhull: where four points lie on a circle other machines may see it otherwise.

    Raises
    ------
    ValueError
        If two points are equal or one is not finite.
    ImportError
        If scipy is not installed.

    References
    ----------
    C. B. Barber, D. P. Dobkin, H. Huhdanpaa, The Quickhull algorithm for convex hulls, ACM Trans. Math.
    Softw. 22 (1996) 469. doi:10.1145/235815.235821

    Examples
    --------
    >>> meiro.lattices.voronoi(n=100, rng=7).n_cells
    100
    """
    if (points is None) == (n is None):
        raise TypeError("voronoi takes points, or n= of them")
    if points is None or isinstance(points, int | np.integer):
        count = integer(n, "n", 1, 1 << 31) if points is None else integer(points, "points", 1, 1 << 31)
        require_size("voronoi", count, 3 * count)
        seed = seed_of(rng)
        words = random_words(seed, 2 * count)
        places = (words >> np.uint64(11)).astype(np.float64).reshape(-1, 2) * 2.0**-53
        recipe: dict[str, Any] = {"n": count, "rng": plain_seed(seed)}
        corners, polygons = _cells(places, np.zeros(2), np.ones(2))
    else:
        places = _checked_points(points)
        require_size("voronoi", len(places), 3 * len(places))
        recipe = {"points": places.tolist()} if places.size <= 10_000 else {}
        # In coordinates from -1 to 1, so that nothing cancels where the points lie far from the origin.
        middle = places.min(axis=0) / 2 + places.max(axis=0) / 2
        size = float(np.abs(places - middle).max()) or 1.0
        near = (places - middle) / size
        high = np.abs(near).max(axis=0)
        margin = (
            max(float(np.sqrt(4 * high.prod() / len(near))), 2 * float(high.max()) / len(near)) / 2 or 0.5
        )
        corners, polygons = _cells(near, -high - margin, high + margin)
        _refuse_empty(places, polygons[0])
        corners = middle + size * corners
    return lattice_of_polygons("voronoi", recipe or None, corners, polygons, positions=places)


def _refuse_empty(places: NDArray[np.float64], indptr: NDArray[np.int64]) -> None:
    """Refuse two points between which there is no room for a side."""
    empty = np.flatnonzero(np.diff(indptr) < 3)
    if empty.size:
        one = int(empty[0])
        away = np.hypot(*(places - places[one]).T)
        away[one] = np.inf
        other = int(away.argmin())
        first, second = sorted((one, other))
        if not away[other]:
            same = tuple(places[one].tolist())
            raise ValueError(f"points[{first}] and points[{second}] are both {same}: points must differ")
        raise ValueError(
            f"points[{first}] and points[{second}] are {away[other]:.3g} apart, too near for a side between "
            f"them in a map of {np.ptp(places, axis=0).max():.3g}: points must differ"
        )


def _checked_points(points: Any) -> NDArray[np.float64]:
    places = np.array(number_array(points, "points"))
    if places.ndim != 2 or places.shape[1] != 2 or len(places) == 0:
        raise ValueError(f"points must have shape (n, 2) with n > 0, not {places.shape}")
    bad = np.flatnonzero(~np.isfinite(places).all(axis=1))
    if bad.size:
        raise ValueError(f"points[{bad[0]}] = {short_repr(tuple(places[bad[0]].tolist()))} is not finite")
    return places


def _cells(
    places: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.float64], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return corners and polygons: those of a triangulation with the points mirrored at the four sides.

    Only points near a side are mirrored; if that was too few, a cell leaves the rectangle, and more are. Of
    many points those near a side are triangulated with their images, and all of them without.
    """
    n, wide = len(places), high - low
    box = n, low.tolist(), high.tolist()
    band = 4 * float(np.sqrt(wide.prod() / n))
    while True:
        every, rim = [places], np.zeros(n, np.bool_)
        for axis in (0, 1):
            for side in (low[axis], high[axis]):
                mirrored = np.abs(places[:, axis] - side) <= band
                image = places[mirrored]
                image[:, axis] = 2 * side - image[:, axis]
                every.append(image)
                rim |= mirrored
        once = _ONCE * np.count_nonzero(rim) > n
        points = np.concatenate(every)
        used = np.flatnonzero(np.append(rim | once, np.ones(len(points) - n, np.bool_)))
        triangles, centres, whole = _core.circumcentres(
            _triangles(points, used), points, *box, np.inf if once else band, rim=True
        )
        if whole or band > wide.max():
            break
        band *= 2
    if not once:
        others = _core.circumcentres(_triangles(places, np.arange(n)), places, *box, band, rim=False)
        triangles, centres = np.concatenate([triangles, others[0]]), np.concatenate([centres, others[1]])
    near = 64e-12 * float(wide.max())
    corners, indptr, indices = _core.dual_polygons(triangles, centres, places, near)
    return corners, (indptr, indices)


def _triangles(points: NDArray[np.float64], used: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the triangles of some of the points.

    Qhull takes three quarters of the time if neighbours are near in memory, too.
    """
    with requires_extra("graph", "scipy"):
        from scipy.spatial import Delaunay
    order = used[_by_blocks(points[used])].astype(np.int32)
    triangulation = interruptible(lambda _: Delaunay(points[order]))
    triangles: NDArray[np.int32] = order[triangulation.simplices]
    return triangles


def _by_blocks(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return an order in which points that are near each other follow each other: some ten in a square."""
    blocks = max(math.isqrt(len(points) // 10), 1)
    low, wide = points.min(axis=0), np.ptp(points, axis=0)
    x, y = ((points - low) / np.where(wide > 0, wide, 1) * blocks).astype(np.int64).T
    return np.argsort(y * (blocks + 1) + np.where(y % 2, blocks - x, x), kind="stable")
