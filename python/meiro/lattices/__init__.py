"""Lattices of all kinds: what `meiro.generate` takes instead of a shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meiro._utils.messages import short_repr
from meiro.lattices.from_graph import from_graph
from meiro.lattices.lattice import Lattice, Outline
from meiro.lattices.square import square

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Lattice", "Outline", "from_graph", "from_recipe", "square"]

_MAKERS = {make.__name__: make for make in (square,)}


def from_recipe(recipe: Mapping[str, Any]) -> Lattice:
    """Make a lattice again of its `Lattice.recipe`.

    Parameters
    ----------
    recipe : mapping

    Returns
    -------
    Lattice

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
    own = {key: value for key, value in recipe.items() if key != "lattice"}
    if recipe.get("lattice") == "graph" and {"n_cells", "edges"} <= set(own):
        for name in ("edges", "positions"):
            if isinstance(own.get(name), dict):
                msg = f"the {name} of this recipe are only a digest: give the lattice itself"
                raise TypeError(msg)
        return Lattice(**own)
    make = _MAKERS.get(recipe.get("lattice", ""))
    if make is None:
        names = ", ".join(map(repr, ("graph", *_MAKERS)))
        msg = f"{short_repr(dict(recipe))} is no recipe of a lattice: its 'lattice' must be one of {names}"
        raise ValueError(msg)
    return make(**own)
