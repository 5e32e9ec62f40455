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
from meiro.exact._domain import Graph, domain_of
from meiro.generators.options import OptionContext, prepare_options
from meiro.lattices.lattice import Lattice, graph_of
from meiro.registry import ALGORITHMS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.exact._domain import Domain

MOST_UPDATES = 1 << 36  # of an elimination: some minutes
ROUNDING = 1e-9  # of the share of passages, beyond which conductances are too unlike each other


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
        If shape, mask or wrap is invalid, a lattice is too large or too dense, or weights are too unlike each
        other for floats.
    TypeError
        If neither shape nor mask is given.
    MemoryError
        If the memory does not suffice: a mask or a lattice takes about 1 kB a cell.

    See Also
    --------
    position_map : Sampled shares of open walls, degrees and other local measures, by cell.
    number_of_mazes : The number of perfect mazes.

    Notes
    -----
    Without a mask the eigenvectors give it in cells * (rows + cols) operations: 0.3 s at 1000 x 1000 cells.
    A mask or a lattice is eliminated one cell after the other: 1 s at 256 x 256.

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
    if domain.rectangle is not None:
        return _of_rectangle(*domain.rectangle)
    own = None if conductances is None else scaled(conductances)
    found = resistances(domain, own)
    if own is not None:
        found *= own
        passages = domain.n_cells - domain.lattice.n_components
        if not abs(found.sum() - passages) <= ROUNDING * passages:  # or NaN
            raise ValueError(
                "weights are too unlike each other for the floats of probabilities: take a smaller ratio"
            )
    if isinstance(domain, Graph):
        return found
    probabilities = np.full(n_walls(domain.shape, domain.wrap), np.nan)
    probabilities[domain.walls] = found
    return probabilities


def resistances(
    domain: Domain,
    conductances: NDArray[np.float64] | None = None,
    pairs: NDArray[np.integer[Any]] | None = None,
    *,
    most_updates: int = MOST_UPDATES,
) -> NDArray[np.float64]:
    """Return the effective resistance of each edge, and then between pairs of cells.

    The core eliminates one cell after the other (`laplacian.hpp`); pairs are edges of conductance 0 to it.
    A ValueError if it takes more updates.
    """
    require(3000 * domain.n_cells, f"the resistances of {domain}", domain.smaller)
    lattice = domain.lattice
    own = np.ones(lattice.n_edges) if conductances is None else conductances
    if pairs is not None:
        lattice = Lattice(lattice.n_cells, np.concatenate([lattice.edges, pairs]))
        own = np.concatenate([own, np.zeros(len(pairs))])
    found = np.empty(lattice.n_edges)
    _core.log_forests(graph_of(lattice), own, found, most_updates)
    return found


def scaled(conductances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return conductances in the same ratios that are at most 1, as is the one of the ground in the core."""
    return np.asarray(conductances / conductances.max(initial=np.finfo(np.float64).tiny))


def weighted_domain(
    shape: ShapeLike | Lattice | None, mask: ArrayLike | None, wrap: Wrap, weights: ArrayLike | None
) -> tuple[Domain, NDArray[np.float64] | None]:
    """Return the domain that a user gives, and the conductances of its edges, checked."""
    domain = domain_of(shape, mask, wrap)
    if weights is None:
        return domain, None
    if not isinstance(domain, Graph):
        raise TypeError(
            "weights: give a lattice, such as meiro.lattices.square(rows, cols), instead of a shape"
        )
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
