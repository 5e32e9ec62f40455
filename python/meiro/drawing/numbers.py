"""What `numbers=` adds to frames of traces: numbers of cells, clusters in colours, or the ids of walls."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.messages import short_repr
from meiro._utils.square import n_walls
from meiro._utils.validation import boolean
from meiro.colors import CLUSTERS, Color
from meiro.drawing.labels import MOST_LABELS
from meiro.drawing.palette import themed
from meiro.traces.events import LabelKind, Paint, State, label_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice
    from meiro.traces.trace import Trace

Numbers: TypeAlias = bool | Literal["clusters", "walls"]

FIRST_CLUSTER = 18
"""The index of the first colour of clusters in `paints_of`, behind those of a `meiro.colors.Theme`."""

STANDING: NDArray[np.bool_] = np.isin(np.arange(16), [Paint.WALL, State.KEPT, State.GROWING, State.BUILT])
"""For each colour of a place whether a wall stands there."""

_GROUND = np.isin(np.arange(16), [State.UNTOUCHED, State.IN_MAZE, Paint.CLOSED])


def checked_numbers(numbers: Any, traces: Sequence[Trace]) -> Numbers:
    """Return what is to be shown, or raise an error if no trace has it."""
    if not isinstance(numbers, str):
        try:
            return boolean(numbers, "numbers")
        except TypeError:
            pass
    if not isinstance(numbers, str) or numbers not in {"clusters", "walls"}:
        raise (ValueError if isinstance(numbers, str) else TypeError)(
            f"numbers must be True or False, 'clusters' or 'walls', not {short_repr(numbers)}"
        )
    if numbers == "walls" and any(trace.lattice is not None for trace in traces):
        raise ValueError(
            "numbers='walls' is for mazes with rows and columns; True and 'clusters' are for lattices, too"
        )
    if numbers == "clusters" and not any(map(has_clusters, traces)):
        joiners = "kruskal, boruvka, eller and percolation"
        raise ValueError(
            f"numbers='clusters': {traces[0].algorithm} joins no clusters of cells, as {joiners} do"
        )
    if numbers == "walls" and not any(trace.space == "cells" for trace in traces):
        raise ValueError(
            "numbers='walls': walls of an array have no ids; trace a Maze (see meiro.Maze.from_grid)"
        )
    return "clusters" if numbers == "clusters" else "walls"


def paints_of(theme: str, own: Any = None) -> tuple[Color, ...]:
    """Return the colours of a theme, or the user's own, and those of clusters from `FIRST_CLUSTER` on."""
    return (*themed(theme, own), *CLUSTERS[theme])


def with_clusters(trace: Trace, places: NDArray[np.uint8], k: int) -> NDArray[np.uint8]:
    """Return the colours of frame `k`, with cells and what joins them in those of their clusters."""
    trace, k = trace.part_of(k)
    labels = trace.frame(k).labels
    if labels is None or not has_clusters(trace):
        return places
    if trace.lattice is not None:
        return _with_clusters_on_lattice(trace.lattice, places, labels)
    # Neighbours to begin with differ in colour, and nothing has that of cluster 0, often the largest.
    rows, cols = np.divmod(labels, trace.shape[1])
    hue = np.where(labels > 0, 1 + (3 * rows + cols) % (len(CLUSTERS["light"]) - 1), 0)
    cells = np.where((labels >= 0) & _GROUND[places[1::2, 1::2]], FIRST_CLUSTER + hue, 0)
    places = places.copy()
    for axis, doors in ((0, np.s_[::2, 1::2]), (1, np.s_[1::2, ::2])):
        either = np.take(labels, range(-1, labels.shape[axis]), axis, mode="wrap")
        other = np.take(labels, range(labels.shape[axis] + 1), axis, mode="wrap")
        hues = np.take(FIRST_CLUSTER + hue, range(-1, labels.shape[axis]), axis, mode="wrap")
        joined = (either == other) & (either >= 0) & _GROUND[places[doors]]
        places[doors] = np.where(joined, hues, places[doors])
    places[1::2, 1::2] = np.where(cells > 0, cells, places[1::2, 1::2])
    return places


def _with_clusters_on_lattice(
    lattice: Lattice, places: NDArray[np.uint8], labels: NDArray[np.int32]
) -> NDArray[np.uint8]:
    cells = np.where(labels >= 0, FIRST_CLUSTER + cluster_hues(lattice)[labels], 0)
    one, other = lattice.edges.T
    edges = np.where(labels[one] == labels[other], cells[one], 0)
    colors = np.concatenate([cells, edges])
    return np.where(_GROUND[places] & (colors > 0), colors, places).astype(np.uint8)


@lru_cache(maxsize=4)
def cluster_hues(lattice: Lattice) -> NDArray[np.uint8]:
    """Return the colour of the cluster of each number of a cell; those of neighbours differ if they can.

    Nothing has that of cluster 0, often the largest.
    """
    count = len(CLUSTERS["light"]) - 1
    first, to = lattice.indptr.tolist(), lattice.neighbors.tolist()
    hues = [0] * lattice.n_cells
    for cell in range(1, lattice.n_cells):
        taken = {hues[other] for other in to[first[cell] : first[cell + 1]] if other < cell}
        wanted = (1 + (cell + i) % count for i in range(count))
        hues[cell] = next((hue for hue in wanted if hue not in taken), 1 + cell % count)
    return read_only(np.array(hues, np.uint8))


def wall_places(trace: Trace) -> NDArray[np.int64]:
    """Return ids of walls and their places in the drawn grid, shape (n, 3); those over the rim come twice."""
    rows, cols = trace.shape
    count = n_walls(trace.shape, trace.wrap) if trace.space == "cells" else 0
    if not 0 < count <= 2 * MOST_LABELS:
        return np.empty((0, 3), np.int64)
    ids = np.arange(count)
    pairs = _core.wall_cells(ids, trace.shape, trace.wrap)
    if trace.mask is not None:
        exist = trace.mask.reshape(-1)[pairs].all(axis=1)
        ids, pairs = ids[exist], pairs[exist]
    row, col = np.divmod(pairs[:, 0], cols)
    east = row == pairs[:, 1] // cols
    places = np.stack([ids, 2 * row + 2 - east, 2 * col + 1 + east], axis=1)
    over = places[(places[:, 1:] == [2 * rows, 2 * cols]).any(axis=1)]
    over[:, 1:] %= 2 * rows, 2 * cols
    return np.concatenate([places, over])


def has_clusters(trace: Trace) -> bool:
    """Return whether the numbers in the cells say which of them are joined."""
    kinds = {label_kind(part.algorithm, part.recording.kinds()) for part in trace.parts}
    return not kinds.isdisjoint({LabelKind.AREAS, LabelKind.SETS})
