"""`number_of_mazes` and its logarithm, by Kirchhoff's matrix-tree theorem.

G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497, doi:10.1002/andp.18471481202; the eigenvalues of rectangles,
cylinders and tori: G. Kreweras, J. Comb. Theory B 24 (1978) 202, doi:10.1016/0095-8956(78)90021-7.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of, mask_shape
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro._utils.square import FLAT, Shape, ShapeLike, Wrap, checked_shape, checked_wrap, n_walls, wall_cells
from meiro.exact import _counting_mod_p
from meiro.exact.graph_trees import count_trees, log_trees
from meiro.generators.on_lattices import refuse_square_arguments
from meiro.lattices.lattice import Lattice

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


MOST_BITS = 1 << 21
"""Numbers with more bits are refused: they take minutes, and finally more primes than exist below 2^31."""

_BLOCK = 1 << 20  # eigenvalues summed at a time


class SquareLattice(NamedTuple):
    """A rectangle of cells with a mask and periodic sides, checked."""

    shape: Shape
    mask: NDArray[np.bool_] | None
    wrap: Wrap

    def __str__(self) -> str:
        """Return the shape in words, for messages."""
        return f"{'a mask of ' * (self.mask is not None)}{self.shape}"

    def cells(self) -> NDArray[np.bool_]:
        """Return True where a cell exists."""
        return np.ones(self.shape, np.bool_) if self.mask is None else self.mask

    def walls(self) -> NDArray[np.int64]:
        """Return the ids of the walls between two existing cells."""
        ids = np.arange(n_walls(self.shape, self.wrap))
        if self.mask is None:
            return ids
        return ids[self.mask.reshape(-1)[wall_cells(self.shape, ids, wrap=self.wrap)].all(axis=1)]

    def roots(self) -> NDArray[np.int64]:
        """Return the first cell of each connected component, as an area number."""
        if self.mask is None:
            return np.zeros(1, np.int64)
        # Along a periodic side the core treats the two ends of an array as one site.
        sites = np.pad(self.mask, [(0, int(around)) for around in self.wrap], mode="wrap")
        labels: NDArray[np.int64] = _core.labels(sites.view(np.uint8), 1, self.wrap).astype(np.int64)
        values, first = np.unique(labels[: self.shape[0], : self.shape[1]], return_index=True)
        return first[values > 0]

    def diagonal(self) -> NDArray[np.int64]:
        """Return the degree of each cell, plus 1 at the first cell of each connected component.

        With this diagonal the determinant of the Laplacian is the number of spanning forests with one tree
        in each component.
        """
        ends = wall_cells(self.shape, self.walls(), wrap=self.wrap)
        degree = np.bincount(ends.reshape(-1), minlength=math.prod(self.shape))
        degree[self.roots()] += 1
        return degree.reshape(self.shape)


def parse_square(shape: ShapeLike | None, mask: ArrayLike | None, wrap: object) -> SquareLattice:
    """Check shape, mask and wrap."""
    if shape is None and mask is None:
        msg = "give shape=(rows, cols) in cells, or mask="
        raise TypeError(msg)
    if mask is not None and shape is None:
        shape = mask_shape(mask)
    cells = checked_shape(shape)
    return SquareLattice(cells, mask_of(mask, cells), checked_wrap(wrap, cells))


def number_of_mazes(
    shape: ShapeLike | Lattice | None = None, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
) -> int:
    """Return the exact number of perfect mazes of a shape.

    Parameters
    ----------
    shape : (int, int) or Lattice, optional
        Rows and columns, in cells. May be omitted if a mask is given. Or any lattice, without mask and wrap:
        then a maze is a spanning tree, or one of each component.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists. If the cells are not connected, a maze has one tree in each connected
        component, and the number is the product over the components.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and along columns.

    Returns
    -------
    int
        All of its digits.

    Raises
    ------
    ValueError
        If shape, mask or wrap is invalid, or the number has more than about 600,000 digits.
    TypeError
        If neither shape nor mask is given.

    Notes
    -----
    Nothing is rounded: the number is reconstructed from its remainders modulo primes (Chinese remainder
    theorem). Rectangles, cylinders and tori of 64 x 64 cells take 12 ms, of 256 x 256 0.3 s, of 1000 x 1000
    half a minute; masks of 64 x 64 a second, of 128 x 128 20 s; lattices of 4,096 cells a second. Python
    prints more than 4,300 digits only after ``sys.set_int_max_str_digits(0)``.

    References
    ----------
    G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497-508. doi:10.1002/andp.18471481202
    G. Kreweras, J. Comb. Theory B 24 (1978) 202-212. doi:10.1016/0095-8956(78)90021-7

    See Also
    --------
    log_number_of_mazes : The logarithm, for any size.
    enumerate_mazes : All mazes, one after the other.

    Examples
    --------
    >>> meiro.number_of_mazes((3, 3))
    192
    >>> meiro.number_of_mazes((8, 8))
    126231322912498539682594816
    >>> meiro.number_of_mazes(mask=[[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    16
    >>> meiro.number_of_mazes(meiro.Lattice(4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]))
    16
    """
    if isinstance(shape, Lattice):
        refuse_square_arguments(mask=mask, wrap=wrap)
        return count_trees(shape)
    lattice = parse_square(shape, mask, wrap)
    if lattice.mask is None:
        # The logarithm is exact to far more digits than this margin.
        bits = int(_log_of_rectangle(lattice.shape, lattice.wrap) / math.log(2) * (1 + 1e-6)) + 64
    else:
        # Hadamard: a determinant is at most the product of the diagonal, at most 5 at roots and 4 elsewhere.
        bits = 2 * int(lattice.mask.sum()) + len(lattice.roots())
    if bits > MOST_BITS:
        msg = (
            f"shape: the number of mazes of {lattice} has up to {int(bits * math.log10(2)):,} digits: "
            "meiro.log_number_of_mazes returns its logarithm"
        )
        raise ValueError(msg)
    if lattice.mask is None:
        return _counting_mod_p.count_rectangle(lattice.shape, lattice.wrap, 1 << bits)
    diagonal = lattice.diagonal()
    bound = math.prod(diagonal[lattice.mask].tolist())
    return _counting_mod_p.count_masked(lattice.mask, lattice.wrap, diagonal, bound)


def log_number_of_mazes(
    shape: ShapeLike | Lattice | None = None, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
) -> float:
    """Return the natural logarithm of the number of perfect mazes of a shape.

    Parameters
    ----------
    shape : (int, int) or Lattice, optional
        Rows and columns, in cells. May be omitted if a mask is given. Or any lattice, without mask and wrap:
        then a maze is a spanning tree, or one of each component.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and along columns.

    Returns
    -------
    float
        Accurate to about 13 digits.

    Raises
    ------
    ValueError
        If shape, mask or wrap is invalid.
    TypeError
        If neither shape nor mask is given.
    ImportError
        If a mask is given and scipy is not installed.
    MemoryError
        If a mask needs more memory than there is: about 2 kB a cell.

    Notes
    -----
    Rectangles, cylinders and tori of any size take milliseconds: one term for each row or column, whichever
    are fewer. The logarithm per cell tends to 4 G / pi = 1.16624 (G is Catalan's constant). A mask takes a
    sparse factorisation: 25 s at 1000 x 1000 cells.

    References
    ----------
    G. Kreweras, J. Comb. Theory B 24 (1978) 202-212. doi:10.1016/0095-8956(78)90021-7

    See Also
    --------
    number_of_mazes : The number itself, exactly.

    Examples
    --------
    >>> round(math.exp(meiro.log_number_of_mazes((3, 3))), 9)
    192.0
    >>> round(meiro.log_number_of_mazes((100_000, 100_000)) / 1e10, 6)
    1.166226
    """
    if isinstance(shape, Lattice):
        refuse_square_arguments(mask=mask, wrap=wrap)
        return log_trees(shape)
    lattice = parse_square(shape, mask, wrap)
    if lattice.mask is None:
        return _log_of_rectangle(lattice.shape, lattice.wrap)
    return _log_of_mask(lattice, lattice.mask)


def _log_of_rectangle(shape: Shape, wrap: Wrap) -> float:
    """Sum log det(L + x) over x: L is the Laplacian of the longer side, x an eigenvalue of the shorter.

    With x = 4 h^2 and t = 2 asinh(h) it is x sinh(n t) / sinh(t) for a path, 4 sinh(n t / 2)^2 for a cycle.
    """
    (short, round_), (long, long_round) = sorted(zip(shape, wrap, strict=True))
    sums = [math.log(long / short if long_round else 1 / short)]
    for first in range(1, short, _BLOCK):
        h = np.sin(np.arange(first, min(first + _BLOCK, short)) * (math.pi / short / (1 if round_ else 2)))
        far = 2 * long * np.arcsinh(h)
        if long_round:
            terms = far + 2 * np.log1p(-np.exp(-far))
        else:
            terms = far + np.log1p(-np.exp(-2 * far)) + np.log(h) - np.log1p(h * h) / 2
        sums.append(float(terms.sum()))
    return math.fsum(sums)


def _log_of_mask(lattice: SquareLattice, mask: NDArray[np.bool_]) -> float:
    with requires_extra("data", "scipy"):
        from scipy.sparse import coo_array
        from scipy.sparse.linalg import splu
    cells = int(mask.sum())
    require(2000 * cells, f"the logarithm of {lattice}", "take a smaller mask")
    number = np.cumsum(mask.reshape(-1)) - 1
    one, other = number[wall_cells(lattice.shape, lattice.walls(), wrap=lattice.wrap)].T
    each = np.arange(cells)
    values = np.concatenate([lattice.diagonal()[mask], np.full(2 * len(one), -1)]).astype(float)
    places = np.concatenate([each, one, other]), np.concatenate([each, other, one])
    matrix = coo_array((values, places), shape=(cells, cells)).tocsc()
    factors = splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True})
    return float(np.log(factors.U.diagonal()).sum())
