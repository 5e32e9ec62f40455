"""Expected numbers of cells with 0, 1, 2, 3, and 4 or more passages on a lattice, exactly.

`local_patterns` has them for rows and columns, by direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.interruptible import interruptible
from meiro._utils.memory import fits
from meiro.exact._domain import Graph
from meiro.exact.edge_probabilities import ROUNDING, resistances, scaled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

    Floats = NDArray[np.float64]

MOST_CELLS = 1 << 13
MOST_DENSE = 1 << 12  # cells of graphs too dense to be eliminated one cell after the other
_MOST_WORK = 1 << 26  # sum of the third powers of the degrees
_MOST_UPDATES = 1 << 28  # beyond which all potentials at once are known sooner


def uniform_degrees(lattice: Lattice, weights: Floats | None = None) -> Floats | None:
    """Return the expected numbers under the uniform law, or with conductances, shape (5,).

    None if `star_currents` has none, or if the conductances are too unlike each other for floats.

    With K(e, f) the transfer current between edges e and f, the mean of z to the power of the number of open
    edges around a cell is det(I + (z - 1) K) over these edges: a sum of independent coins, with the
    eigenvalues of K as probabilities (R. Burton, R. Pemantle, Ann. Probab. 21 (1993) 1329,
    doi:10.1214/aop/1176989121; J. B. Hough, M. Krishnapur, Y. Peres, B. Virag, Probab. Surv. 3 (2006) 206,
    doi:10.1214/154957806000000078).
    """
    found = star_currents(lattice, weights)
    if found is None:
        return None
    law, whole = np.zeros(5), 0.0
    law[0] = np.count_nonzero(lattice.degrees == 0)
    for _, _, currents in found:
        if not are_currents(currents):
            return None
        shares = np.linalg.eigvalsh(currents).clip(0, 1)
        whole += float(shares.sum()) / 2
        shares[:, -1] = 1  # one passage at least
        law += coins(shares).sum(axis=0)
    passages = lattice.n_cells - lattice.n_components
    return law if abs(whole - passages) <= ROUNDING * passages else None


def star_currents(
    lattice: Lattice, weights: Floats | None = None
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32], Floats]] | None:
    """Return cells, the edges around each, and the transfer currents between these, some cells at a time.

    Their shapes are (k,), (k, degree) and (k, degree, degree); cells of no edge are left out. None if that
    would take long or more memory than is free. The currents follow from the resistances between the cell and
    its neighbours, and between two of them: these are edges of conductance 0.
    """
    degrees = lattice.degrees.astype(np.float64)
    if lattice.n_cells > MOST_CELLS or (degrees**3).sum() > _MOST_WORK:
        return None
    if not fits(int(100 * (degrees**2).sum())):
        return None
    n, m = lattice.n_cells, lattice.n_edges
    pairs = [np.empty(0, np.int64)]
    for _, near, _ in stars(lattice):
        one, other = np.triu_indices(near.shape[1], 1)
        pairs.append((near[:, one] * n + near[:, other]).reshape(-1))
        pairs.append((near[:, other] * n + near[:, one]).reshape(-1))
    known = np.unique(np.concatenate(pairs))
    known = known[known // n < known % n]
    own = np.ones(m) if weights is None else scaled(weights)
    try:
        ends = np.stack(np.divmod(known, n), axis=-1)
        found = resistances(Graph(lattice), own, ends, most_updates=_MOST_UPDATES)
    except ValueError:  # too dense to eliminate one cell after the other
        if n > MOST_DENSE or not fits(32 * n**2):
            return None
        potentials = green(lattice, own)
        return (
            (cells, edges, currents_between(potentials, cells[:, None], near, np.sqrt(own[edges])))
            for cells, near, edges in stars(lattice)
        )
    between = np.append(found[m:], 0)  # the last of a cell and itself: parallel edges

    def currents(near: NDArray[np.int64], edges: NDArray[np.int32]) -> Floats:
        ends = np.sort(np.stack(np.broadcast_arrays(near[:, :, None], near[:, None, :])), axis=0)
        at = np.searchsorted(known, ends[0] * n + ends[1])
        across = between[np.where(ends[0] == ends[1], -1, at)]
        towards, root = found[edges], np.sqrt(own[edges])
        return np.asarray(
            (towards[:, :, None] + towards[:, None, :] - across) / 2 * root[:, :, None] * root[:, None, :]
        )

    return ((cells, edges, currents(near, edges)) for cells, near, edges in stars(lattice))


@np.errstate(over="ignore", invalid="ignore")
def green(lattice: Lattice, weights: Floats) -> Floats:
    """Return the inverse of the Laplacian, with one cell of each component connected to the ground.

    Where conductances are too unlike each other for floats, some of it is infinite or NaN.
    """
    one, other = lattice.edges.T
    parts = one != other
    laplacian = np.zeros((lattice.n_cells, lattice.n_cells))
    for a, b in ((one, other), (other, one)):
        np.add.at(laplacian, (a[parts], b[parts]), -weights[parts])
        np.add.at(laplacian, (a[parts], a[parts]), weights[parts])
    ground = np.unique(lattice.components, return_index=True)[1]
    own = laplacian[ground, ground]
    laplacian[ground, ground] += np.where(own > 0, own, 1)
    return interruptible(lambda _: np.asarray(np.linalg.inv(laplacian), np.float64))


@np.errstate(over="ignore", invalid="ignore")
def currents_between(
    potentials: Floats, centre: NDArray[np.int64], near: NDArray[np.int64], root: Floats
) -> Floats:
    """Return the transfer currents between the edges of each row, from centres to neighbours, by `green`.

    `root` are the roots of the conductances. No current is above 1, but for rounding, where these are not too
    unlike each other for floats.
    """
    from_, to = np.broadcast_to(centre, near.shape)[:, :, None], near[:, :, None]
    there, beside = from_.swapaxes(1, 2), to.swapaxes(1, 2)
    across = potentials[from_, there] - potentials[from_, beside]
    across += potentials[to, beside] - potentials[to, there]
    return np.asarray(across * root[:, :, None] * root[:, None])


def are_currents(currents: Floats) -> bool:
    """Return whether none is above 1 by more than rounding, infinite or NaN."""
    return bool((np.abs(currents) < 2).all())


def percolation_degrees(lattice: Lattice, p: float) -> Floats:
    """Return the expected numbers where each edge is open with probability `p`, independently."""
    degrees, counts = np.unique(lattice.degrees, return_counts=True)
    law = np.zeros(5)
    for degree, count in zip(degrees.tolist(), counts.tolist(), strict=True):
        law += count * coins(np.full((1, degree), p))[0]
    return law


def coins(shares: Floats) -> Floats:
    """Return the law of the number of heads, 4 for more, of independent coins, (k, 5)."""
    law = np.zeros((len(shares), 5))
    law[:, 0] = 1
    for share in shares.T[:, :, None]:
        heads = share * law
        law -= heads
        law[:, 1:] += heads[:, :-1]
        law[:, 4:] += heads[:, 4:]
    return law


def stars(lattice: Lattice) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]]:
    """Yield cells of one degree, their neighbours and edges, both (cells, degree), some at a time."""
    for degree in np.unique(lattice.degrees).tolist():
        alike = np.flatnonzero(lattice.degrees == degree)
        for band in bands(len(alike) if degree else 0, 8 * degree**2):
            slots = lattice.indptr[alike[band]][:, None] + np.arange(degree)
            yield alike[band], lattice.neighbors[slots].astype(np.int64), lattice.neighbor_edges[slots]
