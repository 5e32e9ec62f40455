"""Lattices of all kinds: what `meiro.generate` takes instead of a shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meiro._utils.messages import short_repr
from meiro.lattices.archimedean import kagome, upsilon
from meiro.lattices.box import box
from meiro.lattices.cairo import cairo
from meiro.lattices.crossing import weave, zeta
from meiro.lattices.from_graph import from_graph
from meiro.lattices.from_polygons import from_polygons
from meiro.lattices.hexagonal import hexagonal
from meiro.lattices.lattice import Lattice, Outline
from meiro.lattices.polar import polar
from meiro.lattices.square import square
from meiro.lattices.surfaces import cube, moebius
from meiro.lattices.triangular import triangular
from meiro.lattices.voronoi import voronoi

__all__ = [
    "Lattice",
    "Outline",
    "box",
    "cairo",
    "cube",
    "from_graph",
    "from_polygons",
    "from_recipe",
    "hexagonal",
    "kagome",
    "moebius",
    "polar",
    "square",
    "triangular",
    "upsilon",
    "voronoi",
    "weave",
    "zeta",
]

_MAKERS = {
    make.__name__: make
    for make in (
        *(square, hexagonal, triangular, polar, upsilon, zeta, kagome, cairo, voronoi, box, cube, moebius),
        weave,
    )
}


def from_recipe(recipe: Mapping[str, Any]) -> Lattice:
    """Make a lattice again of its `Lattice.recipe`.

    Parameters
    ----------
    recipe : mapping
        The name of the family, and its arguments.

    Returns
    -------
    Lattice
        Equal to the one that has this recipe.

    Raises
    ------
    ValueError
        If it is no recipe of a lattice.
    TypeError
        If it holds only a digest of the edges, which were too many to list.

    Examples
    --------
    >>> lattice = meiro.lattices.square(3, 4)
    >>> meiro.lattices.from_recipe(lattice.recipe) == lattice
    True
    """
    if not isinstance(recipe, Mapping):
        msg = f"recipe must be a mapping, as Lattice.recipe is, not {short_repr(recipe)}"
        raise TypeError(msg)
    own = {key: value for key, value in recipe.items() if key != "lattice"}
    stays = own.pop("mask", None)
    if recipe.get("lattice") == "graph" and {"n_cells", "edges"} <= set(own):
        for name in ("edges", "positions"):
            if isinstance(own.get(name), dict):
                msg = f"the {name} of this recipe are only a digest: give the lattice itself"
                raise TypeError(msg)
        graph = Lattice(**own)
        return graph if stays is None else graph.mask(stays)
    make: Any = _MAKERS.get(recipe.get("lattice", ""))
    if make is None:
        names = ", ".join(map(repr, ("graph", *_MAKERS)))
        given = short_repr(dict(recipe))
        msg = f"the shape {given} is no recipe of a lattice: its 'lattice' must be one of {names}"
        raise ValueError(msg)
    lattice: Lattice = make(**own)
    return lattice if stays is None else lattice.mask(stays)
