"""`expected_counts`: means and variances of the numbers of dead ends, junctions ... of uniform mazes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.square import FLAT
from meiro._utils.validation import boolean
from meiro.exact._domain import Graph
from meiro.exact.count_variances import uniform_variances
from meiro.exact.edge_probabilities import weighted_domain
from meiro.exact.local_degrees import MOST_CELLS, uniform_degrees
from meiro.exact.local_patterns import BY_DEGREE, counted_sides, uniform_patterns
from meiro.results.table import Table

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import ShapeLike, Wrap
    from meiro.exact._domain import Domain
    from meiro.lattices.lattice import Lattice


def expected_counts(
    shape: ShapeLike | Lattice | None = None,
    *,
    mask: ArrayLike | None = None,
    wrap: Wrap = FLAT,
    weights: ArrayLike | None = None,
    variances: bool = True,
) -> Table:
    """Return the mean and variance of the numbers of dead ends, junctions ... of a uniform perfect maze.

    Parameters
    ----------
    shape : (int, int) or Lattice, optional
        Rows and columns, in cells. May be omitted if a mask is given. Or any lattice, without mask and wrap.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and along columns.
    weights : array_like of float, shape (n_edges,), optional
        Conductances of the edges of a lattice: counts under ``generate(lattice, weights=weights)``.
    variances : bool, optional
        False for the means alone, which larger shapes have, too.

    Returns
    -------
    Table
        A row for each ``measure``, a name in ``meiro.MEASURES``, with its ``mean`` and ``variance``.
        Straights, turns, and passages by direction are for rows and columns only.

    Raises
    ------
    ValueError
        If shape, mask, wrap or weights are invalid, or weights too unlike each other for floats; beyond 8,192
        cells of a lattice; with variances, beyond 4,096 cells or 16 edges around a cell.
    TypeError
        If neither shape nor mask is given, or weights are given without a lattice.
    MemoryError
        If the memory does not suffice: variances take 24 bytes for each pair of cells.

    See Also
    --------
    survey : Means and standard deviations of generated mazes, with exact means and variances beside them.
    edge_probabilities : The probability of each passage.

    Notes
    -----
    Means take 1 s at 1000 x 1000 cells. Variances are a sum over all pairs of cells, exact but for rounding:
    0.4 s at 20 x 20 cells, 1.3 s at 32 x 32, and half a minute at 64 x 64; as long on hexagons. 4,096 cells
    of 8 neighbours take a minute and a half, of 16 neighbours six and a half.

    References
    ----------
    R. Burton, R. Pemantle, Ann. Probab. 21 (1993) 1329-1371. doi:10.1214/aop/1176989121

    Examples
    --------
    >>> meiro.expected_counts((5, 5))
    <Table: 9 rows x 3 columns>
    measure                  mean  variance
    horizontal_passages        12   3.07367
    vertical_passages          12   3.07367
    isolated                    0         0
    dead_ends             7.84131    1.8769
    corridors             11.8246   6.37805
    junctions             4.82678   2.03537
    crossroads           0.507266  0.429338
    straights             4.55042   3.50994
    turns                 7.27422   4.64335
    >>> table = meiro.expected_counts(meiro.lattices.hexagonal(5, 5))
    >>> dict(zip(table["measure"].tolist(), table["variance"].round(3).tolist()))
    {'isolated': 0.0, 'dead_ends': 2.144, 'corridors': 6.082, 'junctions': 2.448, 'crossroads': 0.785}
    """
    domain, conductances = weighted_domain(shape, mask, wrap, weights)
    with_variances = boolean(variances, "variances")
    means = _means(domain, conductances)
    columns = {"measure": np.array(list(means)), "mean": np.array(list(means.values()))}
    if with_variances:
        spread = uniform_variances(domain, conductances)
        columns["variance"] = np.array([spread[name] for name in means])
    return Table(columns)


def _means(domain: Domain, weights: NDArray[np.float64] | None) -> dict[str, float]:
    if not isinstance(domain, Graph):
        patterns = uniform_patterns(domain)
        return {name: float(counts @ patterns) for name, counts in counted_sides().items()}
    found = uniform_degrees(domain.lattice, weights)
    if found is None:
        why = (
            "it is too dense" if weights is None else "it is too dense, or weights are too unlike each other"
        )
        if domain.n_cells > MOST_CELLS:
            why = f"they are computed up to {MOST_CELLS:,} cells"
        raise ValueError(f"shape: there are no expected counts of {domain}: {why}")
    return dict(zip(BY_DEGREE, found.tolist(), strict=True))
