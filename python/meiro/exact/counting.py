"""How many perfect mazes there are, by Kirchhoff's matrix-tree theorem.

G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497, doi:10.1002/andp.18471481202; the eigenvalues of rectangles,
cylinders and tori: G. Kreweras, J. Comb. Theory B 24 (1978) 202, doi:10.1016/0095-8956(78)90021-7.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of
from meiro._utils.memory import require
from meiro._utils.messages import missing_extra
from meiro._utils.square import FLAT, checked_shape, checked_wrap, n_walls, wall_cells
from meiro.exact import _counting_mod_p

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Shape, ShapeLike, Wrap

MOST_BITS = 1 << 21
"""Numbers with more bits are refused: they take minutes, and at last more primes than there are."""

_BLOCK = 1 << 20  # eigenvalues at a time


class Lattice(NamedTuple):
    """What mazes can be made on, checked."""

    shape: Shape
    mask: NDArray[np.bool_] | None
    wrap: Wrap

    def __str__(self) -> str:
        """Say what it is, for messages."""
        return f"{'a mask of ' * (self.mask is not None)}{self.shape}"

    def walls(self) -> NDArray[np.int64]:
        """Return the ids of the walls between two cells that exist."""
        ids = np.arange(n_walls(self.shape, self.wrap))
        if self.mask is None:
            return ids
        return ids[self.mask.reshape(-1)[wall_cells(self.shape, ids, wrap=self.wrap)].all(axis=1)]

    def roots(self) -> NDArray[np.int64]:
        """Return the first cell of each part, as an area number."""
        if self.mask is None:
            return np.zeros(1, np.int64)
        # Where sides wrap, the core takes the two ends of an array for one site.
        sites = np.pad(self.mask, [(0, int(around)) for around in self.wrap], mode="wrap")
        labels: NDArray[np.int64] = _core.labels(sites.view(np.uint8), 1, self.wrap).astype(np.int64)
        values, first = np.unique(labels[: self.shape[0], : self.shape[1]], return_index=True)
        return first[values > 0]

    def diagonal(self) -> NDArray[np.int64]:
        """Return the number of neighbours of each cell, 1 more at the first of each part.

        With that in its diagonal the determinant of the Laplacian is the number of spanning trees, of
        several parts the product of theirs.
        """
        ends = wall_cells(self.shape, self.walls(), wrap=self.wrap)
        degree = np.bincount(ends.reshape(-1), minlength=math.prod(self.shape))
        degree[self.roots()] += 1
        return degree.reshape(self.shape)


def lattice_of(shape: ShapeLike | None, mask: ArrayLike | None, wrap: object) -> Lattice:
    """Return what is to be made mazes on, or say why there are none."""
    if shape is None and mask is None:
        msg = "give shape=(rows, cols) in cells, or mask="
        raise TypeError(msg)
    if mask is not None and shape is None:
        shape = np.shape(mask)
        if len(shape) != 2:
            msg = f"mask must be 2-D, not {len(shape)}-D"
            raise ValueError(msg)
    cells = checked_shape(shape)
    return Lattice(cells, mask_of(mask, cells), checked_wrap(wrap, cells))


def number_of_mazes(
    shape: ShapeLike | None = None, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
) -> int:
    """Return how many perfect mazes there are, exactly.

    Parameters
    ----------
    shape : (int, int), optional
        Rows and columns, in cells. May be left out if there is a mask.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists. If these cells do not hang together, a maze is a tree in each part, and
        the number is the product of those of the parts.
    wrap : (bool, bool), optional
        Whether rows and columns go on at the other side.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If there is no such shape, mask or wrap, or the number has more than about 600,000 digits.
    TypeError
        If neither shape nor mask is given.

    Notes
    -----
    Nothing is rounded: remainders by enough primes are put together. Rectangles, cylinders and tori of 64 x
    64 cells take 12 ms, of 256 x 256 0.3 s, of 1000 x 1000 half a minute; masks of 64 x 64 a second, of
    128 x 128 20 s. To print more than 4,300 digits, Python wants ``sys.set_int_max_str_digits(0)``.

    See Also
    --------
    log_number_of_mazes : for any size.

    Examples
    --------
    >>> meiro.number_of_mazes((3, 3))
    192
    >>> meiro.number_of_mazes((8, 8))
    126231322912498539682594816
    >>> meiro.number_of_mazes(mask=[[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    16
    """
    ground = lattice_of(shape, mask, wrap)
    if ground.mask is None:
        # The logarithm is right to far more digits than this allows for.
        bits = int(_log_of_a_product(ground.shape, ground.wrap) / math.log(2) * (1 + 1e-6)) + 64
    else:
        # Hadamard: a determinant is at most the product of the diagonal, here at most 5 and else 4.
        bits = 2 * int(ground.mask.sum()) + len(ground.roots())
    if bits > MOST_BITS:
        msg = (
            f"the number of mazes of {ground} has up to {int(bits * math.log10(2)):,} digits: "
            "log_number_of_mazes tells its logarithm"
        )
        raise ValueError(msg)
    if ground.mask is None:
        return _counting_mod_p.count_rectangle(ground.shape, ground.wrap, 1 << bits)
    diagonal = ground.diagonal()
    bound = math.prod(diagonal[ground.mask].tolist())
    return _counting_mod_p.count_masked(ground.mask, ground.wrap, diagonal, bound)


def log_number_of_mazes(
    shape: ShapeLike | None = None, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
) -> float:
    """Return the natural logarithm of how many perfect mazes there are.

    Parameters
    ----------
    shape : (int, int), optional
        Rows and columns, in cells. May be left out if there is a mask.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists.
    wrap : (bool, bool), optional
        Whether rows and columns go on at the other side.

    Returns
    -------
    float
        Right to about 13 digits.

    Raises
    ------
    ValueError
        If there is no such shape, mask or wrap.
    TypeError
        If neither shape nor mask is given.
    ImportError
        If there is a mask, and scipy is not installed.
    MemoryError
        If what a mask takes cannot fit: about 2 kB a cell.

    Notes
    -----
    Rectangles, cylinders and tori of any size take milliseconds: one term for each row or column, whichever
    are fewer. For a cell of an infinite maze it tends to 4 G / pi = 1.16624 (G is Catalan's constant).
    A mask takes a sparse factorisation: 25 s at 1000 x 1000 cells.

    Examples
    --------
    >>> round(math.exp(meiro.log_number_of_mazes((3, 3))), 9)
    192.0
    >>> round(meiro.log_number_of_mazes((100_000, 100_000)) / 1e10, 6)
    1.166226
    """
    ground = lattice_of(shape, mask, wrap)
    if ground.mask is None:
        return _log_of_a_product(ground.shape, ground.wrap)
    return _log_of_a_mask(ground, ground.mask)


def _log_of_a_product(shape: Shape, wrap: Wrap) -> float:
    """Add up the logarithms of det(L + x), L the Laplacian of the longer side, x eigenvalues of the shorter.

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


def _log_of_a_mask(ground: Lattice, mask: NDArray[np.bool_]) -> float:
    try:
        from scipy.sparse import coo_array
        from scipy.sparse.linalg import splu
    except ImportError as e:
        raise missing_extra("data", "scipy") from e  # noqa: EM101
    cells = int(mask.sum())
    require(2000 * cells, f"the logarithm of {ground}", "take a smaller mask")
    number = np.cumsum(mask.reshape(-1)) - 1
    one, other = number[wall_cells(ground.shape, ground.walls(), wrap=ground.wrap)].T
    each = np.arange(cells)
    values = np.concatenate([ground.diagonal()[mask], np.full(2 * len(one), -1)]).astype(float)
    places = np.concatenate([each, one, other]), np.concatenate([each, other, one])
    matrix = coo_array((values, places), shape=(cells, cells)).tocsc()
    factors = splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True})
    return float(np.log(factors.U.diagonal()).sum())
