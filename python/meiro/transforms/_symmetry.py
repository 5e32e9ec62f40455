"""Motions of the plane that take the cells of a lattice to cells and its edges to edges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from meiro._utils.arrays import read_only
from meiro._utils.memory import require
from meiro.lattices._recipes import from_recipe
from meiro.lattices._rim import rim_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

    Numbers = NDArray[np.int64]
    Points = NDArray[np.float64]

_NEAR = 1e-6
"""Places that are closer than this are one, in parts of the way between two neighbours."""
_BYTES = 200  # a cell and an edge
_TURNS = (2, 3, 4, 5, 6, 8, 12)  # which a message looks for


class Motion(NamedTuple):
    """A motion of the plane, x to the right and y down: counterclockwise by degrees, then x mirrored or not.

    `what` is how it is asked for.
    """

    degrees: float
    mirrored: bool
    what: str

    def __call__(self, points: Points) -> Points:
        """Return the images of points, (k, 2) or (k, 3), which keep their heights."""
        turn = math.radians(self.degrees)
        cos, sin = (round(of, 15) for of in (math.cos(turn), math.sin(turn)))
        x, y = points.T[:2]
        left = cos * x + sin * y
        return np.stack([-left if self.mirrored else left, cos * y - sin * x, *points.T[2:]], axis=1)


FLIPS = {
    (): Motion(0, mirrored=False, what="flip(axis=())"),
    (0,): Motion(180, mirrored=True, what="flip(axis=0)"),
    (1,): Motion(0, mirrored=True, what="flip(axis=1)"),
    (0, 1): Motion(180, mirrored=False, what="flip()"),
}
TRANSPOSED = Motion(270, mirrored=True, what="transpose()")


def flipping(axes: Sequence[int]) -> Motion:
    """Return what reverses rows, 0, and columns, 1, given in order."""
    return FLIPS[tuple(axes)]


def rotation(degrees: float) -> Motion:
    """Return a rotation, counterclockwise."""
    if degrees % 90 == 0:
        return Motion(degrees % 360, mirrored=False, what=f"rotate({int(degrees // 90 % 4)})")
    return Motion(degrees % 360, mirrored=False, what=f"rotate(degrees={degrees:g})")


class Image(NamedTuple):
    """What a motion makes of a lattice.

    Attributes
    ----------
    lattice : Lattice
        The same, or that with rows and columns exchanged, or of other cells.
    cells, edges : ndarray of int64
        The images of each cell and of each edge.
    """

    lattice: Lattice
    cells: Numbers
    edges: Numbers

    def of_cells(self, cells: Numbers) -> Numbers:
        """Return the images of cells, -1 of -1."""
        return read_only(np.where(cells < 0, -1, self.cells[cells]))


def image_of(lattice: Lattice, motion: Motion) -> Image:
    """Return what a motion makes of a lattice, found once.

    Raises
    ------
    ValueError
        If the motion is no symmetry of the lattice, with those that are.
    """
    if lattice.positions is None:
        raise ValueError(f"{motion.what} needs places of the cells, and {lattice!r} has none")
    image = image_or_none(lattice, motion)
    if image is None:
        turns = (rotation(360 / n) for n in (lattice.recipe.get("first"), *_TURNS) if n)
        able = [
            one.what for one in (*list(FLIPS.values())[1:], TRANSPOSED, *turns) if image_or_none(lattice, one)
        ]
        have = f"it has {', '.join(dict.fromkeys(able))}" if able else "it has none"
        raise ValueError(f"{motion.what} is no symmetry of {lattice!r}: {have}")
    return image


def images_of_openings(lattice: Lattice, image: Image, motion: Motion, openings: Numbers) -> Numbers:
    """Return the images of openings, (..., 2), -1 of -1."""
    own, other = rim_of(lattice), rim_of(image.lattice)
    numbers = image_of_rim(lattice, image, motion)
    if numbers is None:
        raise ValueError(
            f"{motion.what} takes the cells of {lattice!r} to cells, but not the sides in its rim to sides"
        )
    flat = openings.reshape(-1, 2)
    found = np.full_like(flat, -1)
    there = flat[:, 0] >= 0
    found[there] = other.places[numbers[own.find(flat[there])]]
    return read_only(found.reshape(openings.shape))


def image_of_rim(lattice: Lattice, image: Image, motion: Motion) -> Numbers | None:
    """Return the image of each place of the rim, found once; None if one has no image."""
    known, key = _found_rims.setdefault(lattice, {}), motion[:2]
    if key not in known:
        points = (
            around_middle(lattice, rim_of(lattice).middles, motion),
            around_middle(image.lattice, rim_of(image.lattice).middles),
        )
        known[key] = matched(*points, unit_of(lattice))
    return known[key]


_found: WeakKeyDictionary[Lattice, dict[tuple[float, bool], Any]] = WeakKeyDictionary()
_found_rims: WeakKeyDictionary[Lattice, dict[tuple[float, bool], Numbers | None]] = WeakKeyDictionary()


def image_or_none(lattice: Lattice, motion: Motion) -> Image | None:
    """Return what a motion makes of a lattice; None if it is no symmetry."""
    known, key = _found.setdefault(lattice, {}), motion[:2]
    if key not in known:
        need = _BYTES * (lattice.n_cells + lattice.n_edges)
        require(need, f"the images of the cells of {lattice!r}", "take a smaller lattice")
        images = (_match(lattice, other, motion) for other in _candidates(lattice, motion))
        found = next((image for image in images if image is not None), None)
        if found is not None and found.lattice is lattice:
            found = found._replace(lattice=None)  # type: ignore[arg-type]  # what is kept must not hold it
        known[key] = found
    image: Image | None = known[key]
    return image._replace(lattice=lattice) if image is not None and image.lattice is None else image


def _candidates(lattice: Lattice, motion: Motion) -> Iterator[Lattice]:
    """Yield lattices that may be the image: itself, its rows and columns exchanged, or other cells of it."""
    recipe = lattice.recipe
    stays = recipe.pop("mask", None)
    yield lattice
    if recipe["lattice"] == "graph":
        return
    if stays is not None:
        image = image_or_none(from_recipe(recipe), motion)
        if image is not None:
            yield image.lattice.mask(image.cells[stays])
    elif recipe.get("rows") is not None and recipe["lattice"] != "moebius":
        yield from_recipe({**recipe, "rows": recipe["cols"], "cols": recipe["rows"]})
    elif recipe["lattice"] == "box" and len(recipe["shape"]) > 1:
        *levels, rows, cols = recipe["shape"]
        yield from_recipe({"lattice": "box", "shape": [*levels, cols, rows]})


def _match(one: Lattice, other: Lattice, motion: Motion) -> Image | None:
    """Return the image if a motion takes one lattice to the other."""
    if (one.n_cells, one.n_edges) != (other.n_cells, other.n_edges):
        return None
    unit = unit_of(one)
    cells = matched(places_of(one, motion), places_of(other), unit)
    if cells is None:
        return None
    walls = None
    if one.outline is not None and other.outline is not None:  # walls tell parallel edges apart
        moved = around_middle(one, one.outline.walls.mean(axis=1), motion)
        walls = classes(moved, around_middle(other, other.outline.walls.mean(axis=1)), unit)
    return image_through(one, other, cells, walls)


def image_through(
    one: Lattice, other: Lattice, cells: Numbers, walls: tuple[Numbers, Numbers] | None = None
) -> Image | None:
    """Return the image if a map of the cells takes the edges of one lattice to those of the other.

    `walls` are numbers of the walls of both, to tell parallel edges apart.
    """
    pairs: list[Any] = [np.sort(ends, axis=1) for ends in (cells[one.edges], other.edges)]
    if walls is not None:
        pairs = [np.column_stack([ends, at]) for ends, at in zip(pairs, walls, strict=True)]
    mine, yours = (np.lexsort(keys.T[::-1]) for keys in pairs)
    if not np.array_equal(pairs[0][mine, :2], pairs[1][yours, :2]):
        return None
    return Image(other, cells, _through(mine, yours))


def places_of(lattice: Lattice, motion: Motion | None = None) -> Points:
    """Return the places of the cells as `around_middle`, and their layers."""
    at = around_middle(lattice, lattice.positions, motion)
    return at if lattice.layers is None else np.column_stack([at, unit_of(lattice) * lattice.layers])


def around_middle(lattice: Lattice, points: Any, motion: Motion | None = None) -> Points:
    """Return points as seen from the middle of the cells, perhaps moved around it."""
    centre = np.zeros(points.shape[1])
    centre[:2] = lattice.positions[:, :2].mean(axis=0)  # type: ignore[index]  # there are positions
    return points - centre if motion is None else motion(points - centre)


def unit_of(lattice: Lattice) -> float:
    """Return the way between two neighbours, or between cells on an average."""
    at: Points = lattice.positions  # type: ignore[assignment]  # there are positions
    ways = np.linalg.norm(at[lattice.edges[:, 0]] - at[lattice.edges[:, 1]], axis=1)
    return float(np.median(ways[ways > 0])) if (ways > 0).any() else 1.0


def classes(one: Points, other: Points, unit: float) -> tuple[Numbers, Numbers]:
    """Return numbers for coordinates: the same for those that are as good as equal."""
    points = np.concatenate([one, other])
    found = np.empty(points.shape, np.int64)
    for axis, values in enumerate(points.T):
        order = np.argsort(values, kind="stable")
        apart = np.diff(values[order], prepend=values[order[:1]]) > _NEAR * unit
        found[order, axis] = np.cumsum(apart)
    return found[: len(one)], found[len(one) :]


def matched(one: Points, other: Points, unit: float) -> Numbers | None:
    """Return for each point the number of the other one at its place; None if a place has no other."""
    if one.shape != other.shape:
        return None
    keys = classes(one, other, unit)
    orders = [np.lexsort(of.T[::-1]) for of in keys]
    same = np.array_equal(keys[0][orders[0]], keys[1][orders[1]])
    return _through(*orders) if same else None


def _through(mine: Numbers, yours: Numbers) -> Numbers:
    """Return the permutation that takes the i-th of some to the i-th of others."""
    found = np.empty(len(mine), np.int64)
    found[mine] = yours
    return read_only(found)
