"""All symmetries of a lattice, a group: what makes two mazes on it images of each other.

They are the isometries of the places of the cells that take edges to edges: turns and mirror images of the
plane, of space, or of a box of any dimension. On what closes on itself, so that it has no places in the plane
that tell all distances, they are those of the closed thing: of a cube, of a Moebius strip.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from meiro._utils.memory import require
from meiro.lattices._recipes import from_recipe
from meiro.lattices._rim import rim_of
from meiro.lattices._surfaces import middles_on_cube
from meiro.transforms._symmetry import (
    Image,
    Motion,
    around_middle,
    classes,
    image_of_rim,
    image_or_none,
    image_through,
    matched,
    places_of,
    unit_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

    Numbers = NDArray[np.integer[Any]]
    Points = NDArray[np.float64]

_BYTES = 24  # of a cell or an edge of an image, while mazes are compared


class Symmetries(NamedTuple):
    """Where each symmetry of a lattice takes its cells, edges and places of the rim: a row each.

    The images are on one lattice, which all lattices have in common that are images of each other by quarter
    turns, mirroring, exchange of axes, or a symmetry of the lattice without its mask.
    """

    lattice: Lattice
    cells: Numbers
    edges: Numbers
    rim: Numbers


_known: WeakKeyDictionary[Lattice, Any] = WeakKeyDictionary()


def symmetries_of(lattice: Lattice) -> Symmetries:
    """Return the symmetries of a lattice, found once; of one without places only that which keeps all."""
    known = _known.get(lattice)
    if known is None:
        known = _find(lattice)
        if known.lattice is lattice:
            known = known._replace(lattice=None)  # type: ignore[arg-type]  # what is kept must not hold it
        _known[lattice] = known
    found: Symmetries = known if known.lattice is not None else known._replace(lattice=lattice)
    return found


def _find(lattice: Lattice) -> Symmetries:
    recipe = lattice.recipe
    stays = recipe.pop("mask", None)
    if any(isinstance(part, dict) for part in recipe.values()):  # a digest: only the lattice itself is there
        stays = None
    whole = lattice if stays is None else from_recipe(recipe)
    plane = _in_plane(lattice, whole)
    further = _beyond_plane(whole)
    if further is None or (stays is not None and whole.outline is not None):
        return plane
    if stays is None:
        return further if len(further.cells) >= len(plane.cells) else plane
    # All masks of a lattice are to have the same choice.
    larger = len(further.cells) >= len(_in_plane(whole, whole).cells)
    return _masked(whole, further, stays) if larger else plane


def _beyond_plane(lattice: Lattice) -> Symmetries | None:
    """Return the symmetries of a lattice that is not one of the plane, or not only; None if it is."""
    recipe, places, found = lattice.recipe, lattice.positions, None
    if recipe["lattice"] == "box":
        found = _of_box(lattice, recipe["shape"])
    elif recipe["lattice"] == "cube":
        found = _in_space(lattice, middles_on_cube(recipe["n"]))
    elif recipe["lattice"] == "moebius":
        found = _of_strip(lattice, recipe["rows"], recipe["cols"])
    elif places is not None and places.shape[1] == 3:
        found = _in_space(lattice, places)
    return found


def _of_box(lattice: Lattice, shape: list[int]) -> Symmetries | None:
    """Return the symmetries of a box that does not lie flat, with images on that with its sides in order."""
    if len(shape) <= 2 or max(shape) == 1:
        return None
    other = lattice if shape == sorted(shape) else from_recipe({"lattice": "box", "shape": sorted(shape)})
    places, others = (np.indices(each.recipe["shape"]).reshape(len(shape), -1).T for each in (lattice, other))
    return _in_space(lattice, places.astype(np.float64), other, others.astype(np.float64))


def _in_space(
    lattice: Lattice, places: Points, other: Lattice | None = None, others: Points | None = None
) -> Symmetries | None:
    """Return what exchange and reversal of axes make of places of the cells, in space of any dimension."""
    if other is None or others is None:
        other, others = lattice, places
    unit = 1.0 if lattice.positions is None else unit_of(lattice)
    if not _are_apart(places, unit):
        return None
    sides, other_sides = (np.append(np.ptp(each, axis=0), 0.0)[:, np.newaxis] for each in (places, others))
    kinds = classes(sides, other_sides, unit)
    own, wanted = (of[:-1, 0] for of in kinds)  # 0 of axes along which all is flat
    order = np.argsort(wanted, kind="stable")[(wanted == 0).sum() :]
    alike = [np.flatnonzero(own == kind).tolist() for kind in np.unique(wanted[wanted > 0])]
    count = 2 ** len(order) * math.prod(math.factorial(len(axes)) for axes in alike)
    need = _BYTES * count * (lattice.n_cells + lattice.n_edges)
    require(need, f"the {count:,} symmetries of {lattice!r}", "take a smaller lattice")
    middle, other_middle = (each.mean(axis=0) for each in (places, others))
    targets = (others - other_middle)[:, order]
    found = []
    for axes in itertools.product(*map(itertools.permutations, alike)):
        exchanged = (places - middle)[:, list(itertools.chain(*axes))]
        for signs in itertools.product((1, -1), repeat=len(order)):
            cells = matched(exchanged * signs, targets, unit)
            image = None if cells is None else image_through(lattice, other, cells)
            if image is not None:
                found.append((image.cells, image.edges, np.arange(0)))
    return _stacked(other, found)


def _of_strip(lattice: Lattice, rows: int, cols: int) -> Symmetries:
    """Return the symmetries of a Moebius strip: steps along it, twice around, and back from its other end."""
    row, col = np.divmod(np.arange(lattice.n_cells), cols)
    rim = rim_of(lattice)
    found = []
    for way, step in itertools.product((1, -1), range(2 * cols)):
        turns, to = np.divmod(way * col + step, cols)
        turned = turns % 2 == 1
        cells = np.where(turned, rows - 1 - row, row) * cols + to
        image = image_through(lattice, lattice, cells)
        cell, side = rim.places.T
        places = np.stack([cells[cell], np.where(turned[cell], 2 - side, side)], axis=1)  # top 0, bottom 2
        if image is not None:
            found.append((image.cells, image.edges, rim.find(places)))
    return _stacked(lattice, found)


def _masked(whole: Lattice, symmetries: Symmetries, stays: list[int]) -> Symmetries:
    """Return the symmetries of some of the cells of a lattice without a rim, by those of all."""
    images = np.zeros(symmetries.cells.shape, np.bool_)
    np.put_along_axis(images, symmetries.cells[:, stays], values=True, axis=1)
    of_rows = np.packbits(images, axis=1)
    least = min(range(len(images)), key=lambda k: of_rows[k].tobytes())
    same = (of_rows == of_rows[least]).all(axis=1)
    inside = np.zeros(whole.n_cells, np.bool_)
    inside[stays] = True
    kept = inside[whole.edges].all(axis=1)
    there = images[least]
    other = symmetries.lattice
    cell, edge = (np.cumsum(each) - 1 for each in (there, there[other.edges].all(axis=1)))
    return Symmetries(
        other.mask(np.flatnonzero(there)),
        cell[symmetries.cells[same][:, stays]],
        edge[symmetries.edges[same][:, kept]],
        symmetries.rim[same],
    )


def _in_plane(lattice: Lattice, whole: Lattice) -> Symmetries:
    """Return the turns and mirror images of the plane; `whole` is the lattice without its mask."""
    if lattice.positions is None or not _are_apart(places_of(lattice), unit_of(lattice)):
        sizes = lattice.n_cells, lattice.n_edges, len(rim_of(lattice).places)
        return Symmetries(lattice, *(np.arange(n)[np.newaxis] for n in sizes))
    image, rim = min(_images(lattice, _motions(whole)), key=lambda one: _order(one[0].lattice))
    least = image.lattice
    own = [one for one in _images(least, _motions(least)) if one[0].lattice is least]
    return _stacked(
        least, [(to.cells[image.cells], to.edges[image.edges], places[rim]) for to, places in own]
    )


def _stacked(lattice: Lattice, images: Sequence[tuple[Numbers, Numbers, Numbers]]) -> Symmetries:
    return Symmetries(lattice, *map(np.stack, zip(*images, strict=True)))


def _are_apart(places: Points, unit: float) -> bool:
    """Return whether no two cells are at one place."""
    keys = classes(places, places[:0], unit)[0]
    return len(np.unique(keys, axis=0)) == len(keys)


def _order(lattice: Lattice) -> tuple[int, bytes]:
    return hash(lattice), lattice.positions.tobytes()  # type: ignore[union-attr]  # there are positions


def _images(lattice: Lattice, motions: list[Motion]) -> Iterator[tuple[Image, Numbers]]:
    """Yield what those motions make of a lattice and its rim that are symmetries of it."""
    for motion in motions:
        image = image_or_none(lattice, motion)
        rim = None if image is None else image_of_rim(lattice, image, motion)
        if image is not None and rim is not None:
            yield image, rim


def _motions(lattice: Lattice) -> list[Motion]:
    """Return motions among which are all symmetries of a lattice, and those of the square."""
    at = around_middle(lattice, lattice.positions)
    far = np.hypot(*at.T[:2])[:, np.newaxis]
    rings, none = classes(far, np.zeros((1, 1)), unit_of(lattice))
    sizes = np.bincount(rings[:, 0])
    sizes[none[0]] = 0
    ways = [(degrees, mirrored) for degrees in (0.0, 90.0, 180.0, 270.0) for mirrored in (False, True)]
    if sizes.any():  # the fewest cells that are equally far from the middle: a symmetry exchanges them
        x, y = at[rings[:, 0] == np.flatnonzero(sizes)[sizes[sizes > 0].argmin()]].T[:2]
        angles = np.degrees(np.arctan2(-y, x))
        ways += [(degrees, False) for degrees in ((angles - angles[0]) % 360).tolist()]
        ways += [(degrees, True) for degrees in ((180 - angles - angles[0]) % 360).tolist()]
    found: dict[tuple[float, bool], Motion] = {}
    for degrees, mirrored in ways:  # quarter turns come first, for they are exact
        found.setdefault((round(degrees, 6) % 360, mirrored), Motion(degrees, mirrored, ""))
    return list(found.values())
