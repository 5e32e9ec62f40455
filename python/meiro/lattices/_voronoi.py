"""Cells of points: what is nearer to a point than to every other one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.interruptible import interruptible
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.validation import integer
from meiro.lattices._tiling import lattice_of_polygons, random_words, require_size
from meiro.lattices.lattice import number_array
from meiro.seeds import RNG, plain_seed, seed_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.lattices.lattice import Lattice


def voronoi(points: ArrayLike | int | None = None, *, n: int | None = None, rng: RNG = None) -> Lattice:
    """Make a lattice of the Voronoi cells of points in a rectangle.

    Parameters
    ----------
    points : array_like of float, shape (n, 2)
        Different points; x goes right, y goes down. The rectangle is the smallest around them, with a margin
        of half of their mean distance.
    n : int
        Instead: so many random points, uniform in the unit square.
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
        msg = "voronoi takes points, or n= of them"
        raise TypeError(msg)
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
        msg = (
            f"points[{first}] and points[{second}] are {away[other]:.3g} apart, too near for a side between "
            f"them in a map of {np.ptp(places, axis=0).max():.3g}: points must differ"
        )
        raise ValueError(msg)


def _checked_points(points: Any) -> NDArray[np.float64]:
    places = number_array(points, "points")
    if places.ndim != 2 or places.shape[1] != 2 or len(places) == 0:
        msg = f"points must have shape (n, 2) with n > 0, not {places.shape}"
        raise ValueError(msg)
    bad = np.flatnonzero(~np.isfinite(places).all(axis=1))
    if bad.size:
        msg = f"points[{bad[0]}] = {short_repr(tuple(places[bad[0]].tolist()))} is not finite"
        raise ValueError(msg)
    order, again = _by_rows(places)
    same = np.flatnonzero(again)
    if same.size:
        one, other = sorted(order[same[0] - 1 : same[0] + 1].tolist())
        msg = f"points[{one}] and points[{other}] are both {tuple(places[one].tolist())}: points must differ"
        raise ValueError(msg)
    return places


def _cells(
    places: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.float64], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return corners and polygons: those of a triangulation with the points mirrored at the four sides.

    Only points near a side are mirrored; if that was too few, a cell leaves the rectangle, and more are.
    """
    with requires_extra("graph", "scipy"):
        from scipy.spatial import Delaunay
    n, wide = len(places), high - low
    band = 4 * float(np.sqrt(wide.prod() / n))
    while True:
        mirrored = [places]
        for axis in (0, 1):
            for side in (low[axis], high[axis]):
                near = places[np.abs(places[:, axis] - side) <= band]
                image = near.copy()
                image[:, axis] = 2 * side - near[:, axis]
                mirrored.append(image)
        every = np.concatenate(mirrored)
        order = _by_blocks(every)
        near = every[order]  # Qhull takes three quarters of the time if neighbours are near in memory, too
        triangles = order[interruptible(lambda _: Delaunay(near)).simplices]  # noqa: B023  # run before it returns
        triangles, centres, inside = _core.circumcentres(triangles, every, n, low.tolist(), high.tolist())
        if inside or band > wide.max():
            break
        band *= 2
    corners, names = _merged(centres, 1e-12 * float(wide.max()))
    return corners, _core.dual_polygons(triangles, names, corners, places)


def _by_blocks(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return an order in which points that are near each other follow each other: some ten in a square."""
    blocks = max(math.isqrt(len(points) // 10), 1)
    low, wide = points.min(axis=0), np.ptp(points, axis=0)
    x, y = ((points - low) / np.where(wide > 0, wide, 1) * blocks).astype(np.int64).T
    return np.argsort(y * (blocks + 1) + np.where(y % 2, blocks - x, x), kind="stable").astype(np.int32)


def _by_rows(points: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the order of points by y and then by x, and which of them are equal to the one before.

    A lexsort of few, the first of equals first: only points with the same y are sorted again.
    """
    x, y = points.T
    order = np.argsort(y)
    rows = y[order]
    tied = np.append(False, rows[1:] == rows[:-1])
    places = np.flatnonzero(tied | np.append(tied[1:], False))
    same = order[places]
    order[places] = same[np.lexsort((same, x[same], y[same]))]
    again = np.flatnonzero(tied)
    tied[again] = x[order[again]] == x[order[again - 1]]
    return order, tied


def _merged(points: NDArray[np.float64], tolerance: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Merge points that are equal up to a tolerance: where more than three cells meet."""
    order, again = _by_rows(np.round(points / (64 * tolerance)) if tolerance > 0 else points)
    names = np.empty(len(points), np.int64)
    names[order] = np.cumsum(~again) - 1
    return points[order[~again]], names
