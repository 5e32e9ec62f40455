"""`edge_probabilities`: the probability of each passage in a uniform maze, an effective resistance.

With a resistor of 1 ohm for every wall, the probability that an edge belongs to the uniform spanning tree is
the resistance between its two cells (G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497,
doi:10.1002/andp.18471481202).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.square import FLAT, Shape, ShapeLike, Wrap, n_walls
from meiro.exact._domain import Graph, Squares, domain_of
from meiro.generators.options import OptionContext, prepare_options
from meiro.lattices.lattice import graph_of
from meiro.registry import ALGORITHMS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.exact._domain import Domain
    from meiro.lattices.lattice import Lattice

_BLOCK = 128  # rows of a matrix that NumPy inverts in one call


def edge_probabilities(
    shape: ShapeLike | Lattice | None = None,
    *,
    mask: ArrayLike | None = None,
    wrap: Wrap = FLAT,
    weights: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the probability of each wall to be open in a uniform perfect maze.

    Parameters
    ----------
    shape : (int, int) or Lattice, optional
        Rows and columns, in cells. May be omitted if a mask is given. Or any lattice, without mask and wrap.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and along columns.
    weights : array_like of float, shape (n_edges,), optional
        Conductances of the edges of a lattice: probabilities under ``generate(lattice, weights=weights)``.

    Returns
    -------
    ndarray of float64, shape (walls,)
        By wall id (see `meiro.wall_cells`), or number of the edge; NaN beside a masked-out cell. The sum is
        the number of passages: cells minus connected components.

    Raises
    ------
    ValueError
        If shape, mask or wrap is invalid.
    TypeError
        If neither shape nor mask is given.
    MemoryError
        If the memory does not suffice: a mask takes 8 bytes a cell and column (or row, if they are fewer).

    See Also
    --------
    position_map : Sampled shares of open walls, degrees and other local measures, by cell.
    number_of_mazes : The number of perfect mazes.

    Notes
    -----
    Without a mask the eigenvectors give it in cells * (rows + cols) operations: 0.3 s at 1000 x 1000 cells.
    A mask takes cells * cols^2 (rows, if they are fewer; twice as many if periodic): 1 s at 256 x 256.

    References
    ----------
    G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497-508. doi:10.1002/andp.18471481202

    Examples
    --------
    >>> meiro.edge_probabilities((2, 2))
    array([0.75, 0.75, 0.75, 0.75])
    >>> meiro.edge_probabilities((1, 3), mask=[[1, 1, 0]])
    array([ 1., nan])
    """
    domain, conductances = weighted_domain(shape, mask, wrap, weights)
    if isinstance(domain, Graph):
        found = np.empty(domain.lattice.n_edges)
        _core.log_forests(graph_of(domain.lattice), conductances, found)
        return found if conductances is None else found * conductances
    if domain.rectangle is not None:
        return _of_rectangle(*domain.rectangle)
    probabilities = np.full(n_walls(domain.shape, domain.wrap), np.nan)
    if domain.walls.size:
        probabilities[domain.walls] = resistances_of_mask(domain, domain.lattice.edges)
    return probabilities


def weighted_domain(
    shape: ShapeLike | Lattice | None, mask: ArrayLike | None, wrap: Wrap, weights: ArrayLike | None
) -> tuple[Domain, NDArray[np.float64] | None]:
    """Return the domain that a user gives, and the conductances of its edges, checked."""
    domain = domain_of(shape, mask, wrap)
    if weights is None:
        return domain, None
    if not isinstance(domain, Graph):
        msg = "weights: give a lattice, such as meiro.lattices.square(rows, cols), instead of a shape"
        raise TypeError(msg)
    context = OptionContext(ALGORITHMS["wilson"], (1, domain.n_cells), None, FLAT, domain.lattice)
    options: dict[str, Any] = dict(prepare_options(context, {"weights": weights})[0])
    return domain, options["weights"]


def _of_rectangle(shape: Shape, wrap: Wrap) -> NDArray[np.float64]:
    rows, cols = shape
    along, across, _ = currents_of_rectangle(shape, wrap)
    parts = (across[:, : cols - 1], along[: rows - 1], across[:, cols - 1 :], along[rows - 1 :])
    return np.concatenate([part.reshape(-1) for part in parts])


def currents_of_rectangle(
    shape: Shape, wrap: Wrap, *, corners: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the transfer currents of the walls around each cell: sums over the eigenvectors.

    A unit current enters at a cell and leaves at a neighbour; the current from the cell to a neighbour is
    the sum of the products of the steps of the eigenvectors there, divided by the eigenvalues.

    Returns
    -------
    south : ndarray of float64, shape (rows, cols) or (rows - 1, cols) without periodic border
        To the south neighbour, of a current that leaves there: the probability of the passage.
    east : ndarray of float64, shape (rows, cols) or (rows, cols - 1)
        The same to the east.
    corner : ndarray of float64, shape (rows, cols)
        To the east, of a current that leaves at the south; 0 without such a neighbour. Only if `corners`.
    """
    rows, cols = shape
    require(72 * rows * cols + 40 * (rows**2 + cols**2), f"walls of {shape}", "take a smaller shape")
    (down, here_down, step_down, turn_down), (right, here_right, step_right, turn_right) = map(
        _modes, shape, wrap
    )
    values = down[:, None] + right
    values[0, 0] = 1  # its steps are 0
    np.reciprocal(values, out=values)
    corner = _product(turn_down.T, values, turn_right) if corners else np.empty((0, 0))
    return _product(step_down.T, values, here_right), _product(here_down.T, values, step_right), corner


def _product(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``a @ b @ c``, some rows at a time: Ctrl-C comes in between."""
    out = np.empty((len(a), c.shape[1]))
    for band in bands(len(a), b.size // 64):
        out[band] = a[band] @ b @ c
    return out


def _times(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``a @ b``, some rows at a time."""
    out = np.empty((len(a), b.shape[1]))
    for band in bands(len(a), b.size // 64):
        out[band] = a[band] @ b
    return out


def inverse(a: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse of a symmetric positive definite matrix, by Schur complements of small blocks."""
    half = len(a) // 2
    if half < _BLOCK:
        return np.linalg.inv(a).astype(np.float64, copy=False)
    first = inverse(a[:half, :half])
    across = _times(first, a[:half, half:])
    last = inverse(a[half:, half:] - _times(a[half:, :half], across))
    out = np.empty_like(a)
    beside = out[:half, half:]
    beside[...] = -_times(across, last)
    out[half:, :half] = beside.T
    out[:half, :half] = first - _times(beside, across.T)
    out[half:, half:] = last
    return out


def _modes(n: int, around: bool) -> tuple[NDArray[np.float64], ...]:  # noqa: FBT001
    """Return the eigenvalues of a path or cycle; of its eigenvectors the squares, those of steps, and both.

    The last are products of an entry and the step from it to the next, 0 beyond the end of a path.
    """
    k, place = np.arange(n)[:, None], np.arange(n)
    if around:
        values = 4 * np.sin(math.pi * k / n) ** 2
        steps = np.repeat(values / n, n, axis=1)
        return values[:, 0], np.full((n, n), 1 / n), steps, steps / 2
    half = np.sin(math.pi / 2 * k / n) ** 2
    squares, steps, both = np.empty((n, n)), np.empty((n, n - 1)), np.zeros((n, n))
    for band in bands(n, n):
        angles = math.pi / (2 * n) * (k[band] * (2 * place + 1) % (4 * n))
        entries = math.sqrt(2 / n) * np.cos(angles)
        squares[band] = entries**2
        angles = math.pi / n * (k[band] * (place[:-1] + 1) % (2 * n))
        differences = math.sqrt(8 / n) * np.sqrt(half[band]) * np.sin(angles)
        steps[band] = differences**2
        both[band, :-1] = entries[:, :-1] * differences
    squares[0] = 1 / n
    return 4 * half[:, 0], squares, steps, both


def resistances_of_mask(domain: Squares, pairs: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """Return the resistance between pairs of cells of one component, at most one row and one column apart.

    Cells have the numbers of `domain.lattice`. Eliminate layer by layer, then substitute back for the needed
    entries of the inverse.

    A layer is a row, or two rows at the same distance from a periodic border; the neighbours of its cells are
    in it or in the next layer. With D the layer's block after elimination and B its coupling to the next:
    D' = A' - B^T D^-1 B. Backwards, G = D^-1 + D^-1 B G' B^T D^-1 within a layer, and -D^-1 B G' between two.
    """
    layer = _thin_layers(domain)
    sizes = np.bincount(layer)
    require(8 * _sum_of_powers(layer, 2), f"the walls of {domain}", domain.smaller)
    place = np.empty(layer.shape, np.int64)
    order = np.argsort(layer, kind="stable")
    place[order] = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    walls, wall_groups = _by_layer(domain.lattice.edges, layer, len(sizes))
    ends, groups = _by_layer(pairs, layer, len(sizes))
    diagonal = np.split(domain.diagonal[order].astype(float), np.cumsum(sizes)[:-1])

    inverses, couplings = [], []
    less: Any = 0.0
    for number, group in enumerate(wall_groups):
        one, other = place[walls[group]].T
        inside = layer[walls[group, 1]] == number
        block = np.diag(diagonal[number])
        block[one[inside], other[inside]] = block[other[inside], one[inside]] = -1
        inverses.append(inverse(block - less))
        couplings.append((one[~inside], other[~inside], sizes[number + 1] if number + 1 < len(sizes) else 0))
        less = _coupled(_coupled(inverses[-1], *couplings[-1]).T, *couplings[-1])

    found = np.empty(len(ends))
    after: NDArray[np.float64] = np.zeros((0, 0))
    for number in range(len(groups) - 1, -1, -1):
        group = groups[number]
        one, other = place[ends[group]].T
        inside = layer[ends[group, 1]] == number
        towards = _coupled(inverses[number], *couplings[number])
        between = -_times(towards, after)
        here = inverses[number] - _times(between, towards.T)
        own = np.diagonal(here)
        found[group] = own[one]
        found[group[inside]] += own[other[inside]] - 2 * here[one[inside], other[inside]]
        found[group[~inside]] += (
            np.diagonal(after)[other[~inside]] - 2 * between[one[~inside], other[~inside]]
        )
        after = here.astype(np.float64, copy=False)
    return found


def cost_of_mask(domain: Squares) -> tuple[int, int]:
    """Return how many multiplications `resistances_of_mask` takes, divided by 10, and how many bytes."""
    layer = _thin_layers(domain)
    return _sum_of_powers(layer, 3), 8 * _sum_of_powers(layer, 2)


def _thin_layers(domain: Squares) -> NDArray[np.int64]:
    """Return the layers along rows or columns, whichever are eliminated faster."""
    return min((_layers(domain, axis) for axis in (0, 1)), key=lambda one: _sum_of_powers(one, 3))


def _coupled(
    a: NDArray[np.float64], one: NDArray[np.int64], other: NDArray[np.int64], size: int
) -> NDArray[np.float64]:
    """Return ``a @ b``, where b has `size` columns and -1 at (one, other), at most two in a column."""
    out = np.zeros((len(a), size))
    again = np.ones(len(other), np.bool_)
    again[np.unique(other, return_index=True)[1]] = False
    out[:, other[~again]] = -a[:, one[~again]]
    out[:, other[again]] -= a[:, one[again]]
    return out


def _by_layer(
    pairs: NDArray[np.integer[Any]], layer: NDArray[np.int64], n: int
) -> tuple[NDArray[np.integer[Any]], list[NDArray[np.int64]]]:
    """Return pairs of cells, the one in the lower layer first, and the numbers of those of each layer."""
    pairs = np.where((layer[pairs[:, 0]] > layer[pairs[:, 1]])[:, None], pairs[:, ::-1], pairs)
    first = layer[pairs[:, 0]]
    return pairs, np.split(np.argsort(first, kind="stable"), np.cumsum(np.bincount(first, minlength=n))[:-1])


def _layers(domain: Squares, axis: int) -> NDArray[np.int64]:
    """Return the layer of each cell."""
    layer = np.arange(domain.shape[axis])
    if domain.wrap[axis]:
        layer = np.minimum(layer, layer[::-1])
    _, packed = np.unique(layer[np.nonzero(domain.cells)[axis]], return_inverse=True)
    return packed


def _sum_of_powers(layer: NDArray[np.int64], exponent: int) -> int:
    """Return the sum of a power of the sizes of the layers."""
    return sum(size**exponent for size in np.bincount(layer).tolist())
