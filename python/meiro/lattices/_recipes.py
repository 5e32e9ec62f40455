"""Recipes of lattices, and the modules of the families that they name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from meiro._utils.messages import short_repr
from meiro._utils.validation import require_type
from meiro.lattices.lattice import Lattice

MODULES = {
    "square": "lattices._square",
    "hexagonal": "lattices._hexagonal",
    "triangular": "lattices._triangular",
    "polar": "lattices._polar",
    "upsilon": "lattices._archimedean",
    "zeta": "lattices._crossing",
    "kagome": "lattices._archimedean",
    "cairo": "lattices._cairo",
    "voronoi": "lattices._voronoi",
    "box": "lattices._box",
    "cube": "lattices._surfaces",
    "moebius": "lattices._surfaces",
    "weave": "lattices._crossing",
}
"""The families that have recipes, and where their functions are, which are imported when they are named."""


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
    require_type(recipe, Mapping, "recipe", "a mapping, as Lattice.recipe is")
    own = {key: value for key, value in recipe.items() if key != "lattice"}
    stays = own.pop("mask", None)
    if recipe.get("lattice") == "graph" and {"n_cells", "edges"} <= set(own):
        for name in ("edges", "positions"):
            if isinstance(own.get(name), dict):
                raise TypeError(f"the {name} of this recipe are only a digest: give the lattice itself")
        graph = Lattice(**own)
        return graph if stays is None else graph.mask(stays)
    family = recipe.get("lattice")
    module = MODULES.get(family) if isinstance(family, str) else None
    if module is None:
        instead = f"its 'lattice' must be one of {', '.join(map(repr, ('graph', *MODULES)))}"
        if "algorithm" in recipe:
            instead = "give that of a maze as generate(**recipe)"
        raise ValueError(f"the shape {short_repr(dict(recipe))} is no recipe of a lattice: {instead}")
    lattice: Lattice = getattr(import_module(f"meiro.{module}"), recipe["lattice"])(**own)
    return lattice if stays is None else lattice.mask(stays)
