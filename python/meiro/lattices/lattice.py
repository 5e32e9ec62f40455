"""The class Lattice: the cells of a maze that is not square, and the walls between them."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.arrays import LISTED, array_digest, read_only, same_arrays
from meiro._utils.cell_words import MIDDLE, name_of
from meiro._utils.messages import refuse_change, short_repr
from meiro._utils.validation import (
    integer,
    integer_pairs,
    integers,
    items_of,
    number_array,
    plain_array,
    require_shape,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.cell_words import Words

_put = object.__setattr__
MOST_CELLS, MOST_EDGES = (1 << 31) - 2, (1 << 30) - 1  # numbers of slots are 32 bits wide
_NEAR = 1e-9  # of the extent: what is less is rounding
_MOST_AXES = 64  # that are looked at in a cell


class Outline(NamedTuple):
    """Where the cells and walls of a lattice lie. Units are arbitrary; x goes right, y goes down.

    Attributes
    ----------
    corners : ndarray of float64, shape (k, 2)
        The corners of all polygons.
    indptr, indices : ndarray of int64, shapes (n_cells + 1,) and (...)
        The corners of cell i are ``indices[indptr[i]:indptr[i + 1]]``, in order around it.
    walls : ndarray of float64, shape (n_edges, 2, 2)
        The two ends of the wall that each edge goes through.
    rim : ndarray of float64, shape (r, 2, 2)
        The walls between a cell and no cell.
    rim_cells : ndarray of int32, shape (r,)
        The cell of each wall of the rim.
    wall_arcs, rim_arcs : ndarray of bool, shapes (n_edges,) and (r,), or None
        Which of them are arcs around the origin, clockwise as seen from the first end to the second (x right,
        y down), a whole circle if both are equal; None: all are straight.
    more_walls : ndarray of float64, shape (k, 2, 2), or None
        Further segments: of walls that are bent, or that are drawn twice where a surface was cut open.
    more_edges : ndarray of int32, shape (k,), or None
        The edge of each of them.

    Examples
    --------
    >>> outline = meiro.lattices.hexagonal(2, 3).outline
    >>> outline.corners.shape, outline.walls.shape, outline.rim.shape
    ((22, 2), (9, 2, 2), (18, 2, 2))
    """

    corners: NDArray[np.float64]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int64]
    walls: NDArray[np.float64]
    rim: NDArray[np.float64]
    rim_cells: NDArray[np.int32]
    wall_arcs: NDArray[np.bool_] | None = None
    rim_arcs: NDArray[np.bool_] | None = None
    more_walls: NDArray[np.float64] | None = None
    more_edges: NDArray[np.int32] | None = None


class Lattice:
    """Cells 0 .. n-1 and the edges between adjacent cells: any graph, with or without a place in the plane.

    `meiro.lattices` makes them: ``meiro.lattices.hexagonal(20, 30)``, ``meiro.lattices.from_graph(graph)``.
    The number of an edge is the number of the wall between its cells. Frozen: all arrays are read-only.

    Parameters
    ----------
    n_cells : int
        At least 1.
    edges : array_like of int, shape (n_edges, 2)
        Pairs of adjacent cells. Parallel edges are different edges; a self loop is never opened.
    positions : array_like of float, shape (n_cells, 2) or (n_cells, 3), optional
        Where the cells lie; x goes right, y goes down.
    labels : sequence of hashable, optional
        A name for each cell, such as the nodes of the graph that it comes from; None is no name.

    Attributes
    ----------
    name : str
        The kind of lattice: the name of the function of `meiro.lattices`.
    edges : ndarray of int32, shape (n_edges, 2)
    indptr, neighbors, neighbor_edges : ndarray of int32
        Compressed rows: the neighbours of cell ``i`` are ``neighbors[indptr[i]:indptr[i + 1]]``, and
        `neighbor_edges` are the edges to them, in order of their numbers. Without self loops.
    positions : ndarray of float64, shape (n_cells, 2) or (n_cells, 3), or None
    outline : Outline or None
        Polygons of the cells, and segments of the walls and of the rim, if the lattice lies in the plane.
    layers : ndarray of int32, shape (n_cells,), or None
        The layer of each cell where cells lie above one another: the level of a `box`, 1 for bridges and 0
        for all else of a `weave`.
    labels : tuple or None

    Raises
    ------
    ValueError
        If an edge names a cell that is not there, or positions or labels are not one for each cell.

    Notes
    -----
    A lattice keeps the passages of the maze about which `solve`, `distances` or another search was asked
    last, so that the next question is answered sooner: four bytes a cell, one an edge and 16 a passage.

    Examples
    --------
    >>> lattice = meiro.Lattice(3, [(0, 1), (1, 2), (2, 0)])
    >>> lattice
    <Lattice graph: 3 cells, 3 edges>
    >>> lattice.neighbors[lattice.indptr[1]:lattice.indptr[2]]
    array([0, 2], dtype=int32)
    """

    __module__ = "meiro"

    __slots__ = (
        *("name", "edges", "indptr", "neighbors", "neighbor_edges", "positions", "outline", "layers"),
        "labels",
        *("_recipe", "_graph", "_hints", "_parts", "_hash", "_cell_of", "_rim", "_coordinates", "_cell_at"),
        "__weakref__",
    )

    name: str
    edges: NDArray[np.int32]
    indptr: NDArray[np.int32]
    neighbors: NDArray[np.int32]
    neighbor_edges: NDArray[np.int32]
    positions: NDArray[np.float64] | None
    outline: Outline | None
    layers: NDArray[np.int32] | None
    labels: tuple[Hashable, ...] | None
    _recipe: dict[str, Any] | None
    _graph: _core.Graph
    _hints: tuple[NDArray[np.uint64] | None, NDArray[np.int32] | None]
    _parts: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32] | None]
    _hash: int | None
    _cell_of: dict[Hashable, int] | None
    _rim: Any  # of _rim.py, once it is asked for
    _coordinates: tuple[NDArray[np.int64] | None] | None
    _cell_at: NDArray[np.int32] | None

    def __init__(
        self,
        n_cells: int,
        edges: ArrayLike,
        positions: ArrayLike | None = None,
        labels: Sequence[Hashable] | None = None,
    ) -> None:
        cells = integer(n_cells, "n_cells", 1, MOST_CELLS + 1)
        make_lattice(
            cells,
            _checked_edges(edges, cells),
            name="graph",
            positions=None if positions is None else _checked_positions(positions, cells),
            labels=None if labels is None else checked_labels(labels, cells),
            lattice=self,
        )

    __setattr__ = __delattr__ = refuse_change

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return len(self.indptr) - 1

    @property
    def n_edges(self) -> int:
        """Number of edges, self loops included."""
        return len(self.edges)

    def __len__(self) -> int:
        """Return the number of cells."""
        return self.n_cells

    @property
    def degrees(self) -> NDArray[np.int32]:
        """The number of neighbours of each cell; parallel edges count each."""
        return np.diff(self.indptr)

    @property
    def knows_straight(self) -> bool:
        """Whether going straight on has a meaning, as ``run=`` of `meiro.generate` needs."""
        return self._hints[1] is not None

    @property
    def has_bent_walls(self) -> bool:
        """Whether a wall may be a line of several segments, as borders of districts are."""
        return self.name == "polygons"

    @property
    def has_own_points(self) -> bool:
        """Whether the places of cells are points of the user's own, which may lie at the rim of a cell."""
        return self.name == "voronoi"

    @property
    def is_network(self) -> bool:
        """Whether it is a graph of the user's own without polygons, whose cells may lie anywhere."""
        return self.name == "graph" and self.outline is None

    @property
    def rim(self) -> NDArray[np.int64]:
        """The sides of cells with no cell behind them, shape (k, 2): where `meiro.with_openings` opens.

        Cell and side: side j runs from corner j to corner j + 1 of `polygon`. The outer rim comes first, then
        the rims of holes, each from top to bottom and from left to right. Of districts a side is all that
        lies between two neighbours, named by that at its middle. Empty where the lattice is closed, as a
        torus, or has no outline.

        Examples
        --------
        >>> meiro.lattices.hexagonal(2, 3).rim[:3].tolist()
        [[0, 5], [0, 0], [1, 5]]
        """
        from meiro.lattices._rim import rim_of

        return rim_of(self).places

    @property
    def n_components(self) -> int:
        """Number of connected components."""
        return len(self._parts[0])

    @property
    def components(self) -> NDArray[np.int32]:
        """The component of each cell, numbered in the order of their first cells."""
        labels = self._parts[2]
        return read_only(np.zeros(self.n_cells, np.int32)) if labels is None else labels

    @property
    def recipe(self) -> dict[str, Any]:
        """The function of `meiro.lattices` and its arguments, or cells and edges, as plain values.

        `meiro.lattices.from_recipe` makes the lattice again, and `meiro.generate` takes a recipe, too. Of
        edges and positions of more than 10,000 numbers it holds only a digest; it never holds labels.
        """
        if self._recipe is not None:
            return dict(self._recipe)
        parts = {"edges": self.edges, "positions": self.positions}
        listed = {
            name: array.tolist() if array.size <= LISTED else array_digest(array)
            for name, array in parts.items()
            if array is not None
        }
        return {"lattice": "graph", "n_cells": self.n_cells, **listed}

    @property
    def coordinates(self) -> NDArray[np.int64] | None:
        """The coordinates of each cell, shape (n_cells, k), which name cells; None if cells have no names.

        (row, col) where cells lie in rows, from the top and from the left: `square`, `hexagonal`,
        `triangular`, `moebius` and `zeta`; of `upsilon`, `kagome` and `cairo`, where rows of two kinds of
        cells take turns, as they say. (ring, sector) of `polar`, clockwise from the top; a number for each
        axis of `box`, levels first. Paths, starts and goals come in them, unless there are `labels`.

        Examples
        --------
        >>> meiro.lattices.polar(4).coordinates[:4].tolist()
        [[0, 0], [1, 0], [1, 1], [1, 2]]
        """
        if self._coordinates is None:
            from meiro.lattices._coordinates import find_coordinates

            _put(self, "_coordinates", (find_coordinates(self),))
        return self._coordinates[0]  # type: ignore[index]  # it is set by now

    def cell(self, label: Hashable) -> int:
        """Return the number of a cell: of a label, of its coordinates, or of the number itself.

        Parameters
        ----------
        label : hashable
            A label of this lattice; where there are no labels a number. Or `coordinates`, as a tuple. Or
            "middle": the cell that lies nearest to the middle, of several the first.

        Examples
        --------
        >>> meiro.lattices.hexagonal(20, 30).cell((2, 5))
        65
        >>> meiro.Lattice(2, [(0, 1)], labels=["home", "away"]).cell("away")
        1
        """
        return cell_of(self, label, "label")

    def polygon(self, cell: int) -> NDArray[np.float64]:
        """Return the corners of a cell, shape (k, 2), in order around it.

        Parameters
        ----------
        cell : int
            Its number.

        Examples
        --------
        >>> meiro.lattices.hexagonal(2, 3).polygon(0).shape
        (6, 2)
        """
        i = integer(cell, "cell", 0, self.n_cells)
        if self.outline is None:
            raise ValueError(f"{self!r} has no polygons: its cells do not lie in the plane")
        indptr = self.outline.indptr
        return self.outline.corners[self.outline.indices[indptr[i] : indptr[i + 1]]]

    def mask(self, cells: ArrayLike) -> Lattice:
        """Return the lattice of some of the cells, numbered anew in their order.

        Parameters
        ----------
        cells : array_like of bool, shape (n_cells,), or of int
            True where a cell stays; or the numbers of those that stay.

        Returns
        -------
        Lattice
            `labels` and `coordinates` are those of the cells that stay; where there are neither, their old
            numbers are labels. A wall to a cell that is gone belongs to the rim.

        Raises
        ------
        ValueError
            If no cell stays, or there is no such cell.

        Examples
        --------
        >>> ring = meiro.lattices.square(3, 3).mask([0, 1, 2, 3, 5, 6, 7, 8])
        >>> ring, meiro.number_of_mazes(ring)
        (<Lattice square: 8 cells, 8 edges>, 8)
        """
        from meiro.lattices._masked import masked

        return masked(self, cells)

    def __iter__(self) -> Iterator[int]:
        """Iterate over the numbers of the cells."""
        return iter(range(self.n_cells))

    def __eq__(self, other: object) -> bool:
        """Return whether kind, edges, places and labels are the same."""
        if not isinstance(other, Lattice):
            return NotImplemented
        if self is other:
            return True
        return (
            (self.name, self.n_cells, self.labels) == (other.name, other.n_cells, other.labels)
            and same_arrays(self.edges, other.edges)
            and same_arrays(self.positions, other.positions)
            and same_arrays(self.layers, other.layers)
            and all(same_arrays(a, b) for a, b in zip(self._hints, other._hints, strict=True))
            and (self.outline is None) == (other.outline is None)
            and all(map(same_arrays, self.outline or (), other.outline or ()))
        )

    def __hash__(self) -> int:
        """Return a hash that equal lattices share, in any process."""
        if self._hash is None:
            import hashlib

            digest = hashlib.sha256(f"{self.name} {self.n_cells} ".encode())
            digest.update(self.edges.tobytes())
            _put(self, "_hash", int.from_bytes(digest.digest()[:7], "little"))
        return int(self._hash)  # type: ignore[arg-type]  # it is set by now

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what the lattice is; what follows from the edges is made again."""
        return (
            *(self.name, self.n_cells, self.edges, self.positions, self.outline and tuple(self.outline)),
            *(self.layers, self.labels, self._recipe, self._hints),
        )

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Make the lattice of what a pickle holds."""
        name, cells, edges, positions, outline, layers, labels, recipe, hints = state
        make_lattice(
            cells,
            _checked_edges(edges, cells),
            name=name,
            recipe=recipe,
            positions=None if positions is None else _checked_positions(positions, cells),
            outline=None if outline is None else Outline(*outline),
            layers=layers,
            labels=labels,
            weight_addresses=hints[0],
            straight=hints[1],
            lattice=self,
        )

    def __repr__(self) -> str:
        """Return one line."""
        return f"<Lattice {self.description}>"

    @property
    def description(self) -> str:
        """Kind and size, as in the repr."""
        parts = f", {self.n_components:,} components" if self.n_components > 1 else ""
        return f"{self.name}: {self.n_cells:,} cells, {self.n_edges:,} edges{parts}"

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import lattice_html

        return lattice_html(self)


def make_lattice(  # the parts of a lattice
    n_cells: int,
    edges: NDArray[Any],
    *,
    name: str,
    recipe: Mapping[str, Any] | None = None,
    positions: NDArray[np.float64] | None = None,
    outline: Outline | None = None,
    layers: NDArray[np.int32] | None = None,
    labels: tuple[Hashable, ...] | None = None,
    weight_addresses: NDArray[np.uint64] | None = None,
    straight: NDArray[np.int32] | None = None,
    lattice: Lattice | None = None,
) -> Lattice:
    """Return a lattice of arrays that a module of this folder has made: they are not checked or copied.

    `recipe` holds the arguments without the name. `weight_addresses`, shape (n_edges, 2), are lane and word
    of the random weight of each edge. `straight`, shape (n_edges, 2): ``straight[e, 0]`` is the step that
    goes straight on after edge ``e`` was taken from its first cell to its second, ``straight[e, 1]`` after
    the way back, -1 where none does; step ``2 * e`` is edge ``e`` from its first cell, ``2 * e + 1`` from its
    second. `lattice` is one without content, to be filled: a new one by default.
    """
    made: Lattice = object.__new__(Lattice) if lattice is None else lattice
    edges, hints = np.ascontiguousarray(edges, np.int32), (weight_addresses, straight)
    graph = _core.Graph(n_cells, edges, *hints)
    first, to, via, *parts = _core.graph_arrays(graph)
    for array in (edges, positions, layers, *hints, *(outline or ())):
        if array is not None:
            array.setflags(write=False)
    own = (name, edges, first, to, via, positions, outline, layers, labels)
    derived = (None if recipe is None else {"lattice": name, **recipe}, graph, hints, tuple(parts))
    for field, value in zip(Lattice.__slots__, (*own, *derived, *(None,) * 5), strict=False):
        _put(made, field, value)
    return made


def graph_of(lattice: Lattice) -> _core.Graph:
    """Return the graph that the core works on."""
    return lattice._graph  # noqa: SLF001  # of this module's own class


def cell_of(lattice: Lattice, label: Hashable, name: str) -> int:
    """Return the number of a cell, as `Lattice.cell`; messages call the argument `name`."""
    if lattice.labels is not None:
        if lattice._cell_of is None:  # noqa: SLF001  # of this module's own class
            _put(lattice, "_cell_of", {label: i for i, label in enumerate(lattice.labels)})
        try:
            return lattice._cell_of[label]  # type: ignore[index]  # noqa: SLF001  # it is set by now
        except (KeyError, TypeError):
            pass
    several = isinstance(label, tuple | list) or (isinstance(label, np.ndarray) and label.ndim > 0)
    if several and lattice.coordinates is not None:
        return _cell_at(lattice, label, name)
    if isinstance(label, str) and label == MIDDLE:
        return middle_of(lattice, name)
    if lattice.labels is None and not isinstance(label, str):
        return integer(label, name, 0, lattice.n_cells)
    if lattice.labels is None:
        raise TypeError(f'{name} must be a cell or "{MIDDLE}", not {short_repr(label)}')
    raise ValueError(f"{name}: {short_repr(label)} is no label of a cell of {lattice!r}")


def _cell_at(lattice: Lattice, place: Any, name: str) -> int:
    """Return the cell with these coordinates."""
    table = _cell_table(lattice)
    if len(place) > _MOST_AXES:
        raise ValueError(f"{name} must be one cell, not {len(place):,} numbers")
    at = tuple(integer(i, f"{name}: a coordinate") for i in place)
    if len(at) == table.ndim and all(0 <= i < n for i, n in zip(at, table.shape, strict=True)):
        number = table.item(*at)
        if number >= 0:
            return number
    raise ValueError(_no_cell(lattice, at, name))


def cells_at(lattice: Lattice, places: NDArray[np.integer[Any]], name: str) -> NDArray[np.int64]:
    """Return the cells with these coordinates, (k,) for (k, axes), of a lattice that has coordinates."""
    table = _cell_table(lattice)
    inside = np.asarray(((places >= 0) & (places < table.shape)).all(axis=1))
    found = np.where(inside, table[tuple(np.where(inside[:, np.newaxis], places, 0).T)], -1)
    if (found < 0).any():
        raise ValueError(_no_cell(lattice, tuple(places[found.argmin()].tolist()), name))
    return found.astype(np.int64)


def _cell_table(lattice: Lattice) -> NDArray[np.int32]:
    """Return the number of the cell at each place; -1 where no cell is."""
    if lattice._cell_at is None:  # noqa: SLF001  # of this module's own class
        coordinates = np.asarray(lattice.coordinates)
        table = np.full(coordinates.max(axis=0) + 1, -1, np.int32)
        table[tuple(coordinates.T)] = np.arange(lattice.n_cells)
        _put(lattice, "_cell_at", table)
    return lattice._cell_at  # type: ignore[return-value]  # noqa: SLF001  # it is set by now


def _no_cell(lattice: Lattice, place: tuple[int, ...], name: str) -> str:
    of = np.asarray(lattice.coordinates)
    ends = " to ".join(str(tuple(end.tolist())) for end in (of.min(axis=0), of.max(axis=0)))
    return f"{name}: there is no cell {short_repr(place)} in {lattice!r}; cells are within {ends}"


def middle_of(lattice: Lattice, name: str) -> int:
    """Return the cell whose place is nearest to the middle of all, the first of several."""
    if lattice.positions is None:
        raise ValueError(f'{name}="{MIDDLE}": {lattice!r} has no positions, so no middle')
    places = lattice.positions
    away = ((2 * places - places.min(axis=0) - places.max(axis=0)) ** 2).sum(axis=1)
    return int(np.flatnonzero(away <= away.min() + _NEAR * away.max())[0])


def words_of(lattice: Lattice) -> Words:
    """Return what names the cells for users: labels, else coordinates, else None, for their numbers."""
    return lattice.coordinates if lattice.labels is None else lattice.labels


def name_of_cell(lattice: Lattice, number: int) -> Any:
    """Return a cell as users name it."""
    return name_of(words_of(lattice), number)


def require_lattice(lattice: object) -> Lattice:
    """Return a Lattice; anything else is a TypeError."""
    if not isinstance(lattice, Lattice):
        raise TypeError(
            f"lattice must be a Lattice, not {type(lattice).__name__}: meiro.lattices makes them, "
            "meiro.lattices.from_graph of a graph"
        )
    return lattice


def _checked_edges(values: ArrayLike, cells: int) -> NDArray[np.int32]:
    edges = integer_pairs(values, "edges")
    if len(edges) > MOST_EDGES:
        raise ValueError(f"edges must be at most {MOST_EDGES:,}, not {len(edges):,}")
    bad = np.flatnonzero(((edges < 0) | (edges >= cells)).any(axis=1))
    if bad.size:
        pair = tuple(map(int, edges[bad[0]]))
        raise ValueError(f"edges[{bad[0]}] = {pair} names a cell that is not there: cells are 0..{cells - 1}")
    return edges.astype(np.int32)


def _checked_positions(values: ArrayLike, cells: int) -> NDArray[np.float64]:
    positions = np.array(number_array(values, "positions"))
    if positions.shape not in {(cells, 2), (cells, 3)}:
        raise ValueError(f"positions must have shape ({cells}, 2) or ({cells}, 3), not {positions.shape}")
    if not np.isfinite(positions).all():
        i = int(np.flatnonzero(~np.isfinite(positions).all(axis=1))[0])
        raise ValueError(f"positions[{i}] = {tuple(positions[i].tolist())} is not finite")
    return positions


def checked_labels(values: Sequence[Hashable], cells: int) -> tuple[Hashable, ...]:
    """Return a name for each cell, hashable and all different."""
    if isinstance(values, set | frozenset | dict):
        raise TypeError(
            f"labels must be a list, a name for each cell in their order, not {short_repr(values)}"
        )
    labels = tuple(islice(items_of(values, "labels", "a name for each cell"), cells + 1))
    if len(labels) != cells:
        many = f"not {len(labels)}" if len(labels) < cells else "not more"
        raise ValueError(f"labels must be one for each of the {cells} cells, {many}")
    try:
        same = [label for label, n in Counter(labels).items() if n > 1]
    except TypeError as error:
        raise TypeError(f"labels must be hashable: {error}") from None
    if same:
        raise ValueError(f"labels must differ, and {short_repr(same[0])} comes more than once")
    if None in labels:
        raise ValueError(
            f"labels[{labels.index(None)}] is None, which as start= is no cell: give the cell another name"
        )
    return labels


def flags_of(values: ArrayLike, name: str, n: int, what: str) -> NDArray[np.bool_]:
    """Return which of n cells or edges are meant, as a new array: by a boolean each, or by their numbers."""
    given = plain_array(values, name)
    if given.dtype == np.bool_:
        require_shape(given, (n,), name, f"one for each {what}")
        return given.copy()
    numbers = integers(given, name).reshape(-1)
    bad = np.flatnonzero((numbers < 0) | (numbers >= n))
    if bad.size:
        wrong = short_repr(int(numbers[bad[0]]))
        raise ValueError(f"{name}[{bad[0]}] = {wrong} is no {what}: {what}s are 0..{n - 1}")
    found = np.zeros(n, np.bool_)
    found[numbers] = True
    return found
