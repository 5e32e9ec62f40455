"""Some of the cells of a lattice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro.lattices.lattice import Outline, flags_of, make_lattice, words_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.lattices.lattice import Lattice


def masked(lattice: Lattice, cells: ArrayLike) -> Lattice:
    """Return the lattice of some of the cells; see `Lattice.mask`."""
    stays = flags_of(cells, "cells", lattice.n_cells, "cell")
    if not stays.any():
        raise ValueError("cells: no cell stays, and a lattice has at least one")
    number = np.cumsum(stays, dtype=np.int32) - 1
    kept: NDArray[np.bool_] = np.all(stays[lattice.edges], axis=1)
    names = words_of(lattice)
    if names is None:
        names = tuple(range(lattice.n_cells))
    addresses, straight = lattice._hints  # noqa: SLF001  # of this folder's own class
    recipe: dict[str, Any] = lattice.recipe
    kept_cells = np.flatnonzero(stays)
    if "mask" in recipe:  # of the lattice that was masked before
        kept_cells = np.array(recipe["mask"])[kept_cells]
    return make_lattice(
        int(stays.sum()),
        number[lattice.edges[kept]],
        name=lattice.name,
        recipe={
            **{k: v for k, v in recipe.items() if k != "lattice"},
            "mask": kept_cells.tolist(),
        },
        positions=None if lattice.positions is None else lattice.positions[stays],
        outline=None if lattice.outline is None else _outline(lattice, lattice.outline, stays, kept),
        layers=None if lattice.layers is None else lattice.layers[stays],
        labels=tuple(names[i] for i in np.flatnonzero(stays)) if isinstance(names, tuple) else None,
        weight_addresses=None if addresses is None else addresses[kept],
        straight=None if straight is None else _straight(straight, kept),
    )


def _outline(
    lattice: Lattice, outline: Outline, stays: NDArray[np.bool_], kept: NDArray[np.bool_]
) -> Outline:
    number = np.cumsum(stays, dtype=np.int32) - 1
    sizes = np.diff(outline.indptr)
    indices = outline.indices[np.repeat(stays, sizes)]
    inside = stays[lattice.edges]
    cut = np.flatnonzero(inside.any(axis=1) & ~kept)
    own = stays[outline.rim_cells]
    rims = [outline.rim[own], outline.walls[cut]]
    cells = [outline.rim_cells[own], lattice.edges[cut][inside[cut]]]
    more_walls, more_edges = outline.more_walls, outline.more_edges
    if more_walls is not None and more_edges is not None:
        gone = inside[more_edges].any(axis=1) & ~kept[more_edges]
        rims.append(more_walls[gone])
        cells.append(lattice.edges[more_edges[gone]][inside[more_edges[gone]]])
        left = kept[more_edges]
        more_walls = more_walls[left]
        more_edges = (np.cumsum(kept, dtype=np.int32) - 1)[more_edges[left]]
    wall_arcs, rim_arcs = outline.wall_arcs, outline.rim_arcs
    if wall_arcs is not None and rim_arcs is not None:
        rim_arcs = np.concatenate([rim_arcs[own], wall_arcs[cut]])
        wall_arcs = wall_arcs[kept]
    return Outline(
        outline.corners,
        np.append(0, np.cumsum(sizes[stays])),
        indices,
        outline.walls[kept],
        np.concatenate(rims),
        number[np.concatenate(cells)],
        wall_arcs,
        rim_arcs,
        more_walls,
        more_edges,
    )


def _straight(straight: NDArray[np.int32], kept: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the steps that go straight on, with the new numbers of the edges that stay."""
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    steps = straight[kept]
    edge = number[steps >> 1]
    return np.where((steps >= 0) & (edge >= 0), 2 * edge + (steps & 1), -1).astype(np.int32)
