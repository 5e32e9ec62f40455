"""The probability of each passage in a uniform maze: the effective resistance of its wall.

Every wall a resistor of 1 ohm: the probability that a passage is part of a uniform spanning tree is the
resistance between its two cells (G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497,
doi:10.1002/andp.18471481202).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.square import FLAT, n_walls, wall_cells
from meiro.exact.counting import lattice_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Shape, ShapeLike, Wrap
    from meiro.exact.counting import Lattice


def edge_probabilities(
    shape: ShapeLike | None = None, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
) -> NDArray[np.float64]:
    """Return the probability of each wall to be open, if all perfect mazes are equally likely.

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
    ndarray of float64, shape (walls,)
        By wall id (see `meiro.wall_cells`); NaN beside a cell that does not exist. They add up to the number
        of passages, cells - parts.

    Raises
    ------
    ValueError
        If there is no such shape, mask or wrap.
    TypeError
        If neither shape nor mask is given.
    MemoryError
        If what it takes cannot fit: a mask takes 8 bytes a cell and column (or row, if they are fewer).

    Notes
    -----
    Without a mask from the eigenvectors, in cells * (rows + cols) operations: 0.3 s at 1000 x 1000 cells.
    With a mask in cells * cols^2 (rows, if they are fewer; where they wrap, twice as many): 1 s at 256 x 256.

    Examples
    --------
    >>> meiro.edge_probabilities((2, 2))
    array([0.75, 0.75, 0.75, 0.75])
    >>> meiro.edge_probabilities((1, 3), mask=[[1, 1, 0]])
    array([ 1., nan])
    """
    ground = lattice_of(shape, mask, wrap)
    if ground.mask is None:
        return _of_a_product(ground.shape, ground.wrap)
    probabilities = np.full(n_walls(ground.shape, ground.wrap), np.nan)
    walls = ground.walls()
    if walls.size:
        probabilities[walls] = _of_a_mask(ground, ground.mask, walls)
    return probabilities


def _of_a_product(shape: Shape, wrap: Wrap) -> NDArray[np.float64]:
    """Add up the squares of the eigenvectors' differences, divided by the eigenvalues."""
    rows, cols = shape
    require(64 * rows * cols + 32 * (rows**2 + cols**2), f"walls of {shape}", "take a smaller shape")
    (down, here_down, step_down), (right, here_right, step_right) = map(_modes, shape, wrap)
    values = down[:, None] + right
    values[0, 0] = 1  # there the steps are 0
    np.reciprocal(values, out=values)
    across = here_down.T @ values @ step_right  # from each cell to the next in its row
    along = step_down.T @ values @ here_right
    parts = (across[:, : cols - 1], along[: rows - 1], across[:, cols - 1 :], along[rows - 1 :])
    return np.concatenate([part.reshape(-1) for part in parts])


def _modes(n: int, around: bool) -> tuple[NDArray[np.float64], ...]:  # noqa: FBT001
    """Return eigenvalues of a path or cycle; of its eigenvectors the squares and those of their steps."""
    k, place = np.arange(n)[:, None], np.arange(n)
    if around:
        values = 4 * np.sin(math.pi * k / n) ** 2
        return values[:, 0], np.full((n, n), 1 / n), np.repeat(values / n, n, axis=1)
    half = np.sin(math.pi / 2 * k / n) ** 2
    squares = 2 / n * np.cos(math.pi / (2 * n) * (k * (2 * place + 1) % (4 * n))) ** 2
    squares[0] = 1 / n
    steps = 8 / n * half * np.sin(math.pi / n * (k * (place[:-1] + 1) % (2 * n))) ** 2
    return 4 * half[:, 0], squares, steps


def _of_a_mask(ground: Lattice, mask: NDArray[np.bool_], walls: NDArray[np.int64]) -> NDArray[np.float64]:
    """Eliminate layer by layer, then go back for the parts of the inverse that are asked for.

    A layer is a row, or two that are equally far from the seam where rows wrap; the neighbours of its cells
    are in it or in the next. With D the layer's block after elimination, B its coupling to the next:
    D' = A' - B^T D^-1 B, and back G = D^-1 + D^-1 B G' B^T D^-1, between the two -D^-1 B G'.
    """
    layer = min((_layers(ground, mask, axis) for axis in (0, 1)), key=_cost)
    sizes = np.bincount(layer[layer >= 0])
    require(8 * int(_sum_of(sizes, 2)), f"the walls of {ground}", "take a smaller mask")
    place = np.empty(layer.shape, np.int64)
    order = np.argsort(layer, kind="stable")[-int(sizes.sum()) :]  # those that do not exist come first
    place[order] = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    ends = wall_cells(ground.shape, walls, wrap=ground.wrap)
    turned = layer[ends[:, 0]] > layer[ends[:, 1]]
    ends[turned] = ends[turned, ::-1]
    by_layer = np.argsort(layer[ends[:, 0]], kind="stable")
    groups = np.split(by_layer, np.cumsum(np.bincount(layer[ends[:, 0]], minlength=len(sizes)))[:-1])
    diagonal = np.split(ground.diagonal().reshape(-1)[order].astype(float), np.cumsum(sizes)[:-1])

    inverses, couplings = [], []
    less: Any = 0.0
    for number, group in enumerate(groups):
        one, other = place[ends[group]].T
        inside = layer[ends[group, 1]] == number
        block = np.diag(diagonal[number])
        block[one[inside], other[inside]] = block[other[inside], one[inside]] = -1
        inverses.append(np.linalg.inv(block - less))
        coupling = np.zeros((len(block), sizes[number + 1] if number + 1 < len(sizes) else 0))
        coupling[one[~inside], other[~inside]] = -1
        couplings.append(coupling)
        less = coupling.T @ inverses[-1] @ coupling

    found = np.empty(len(walls))
    after: NDArray[np.float64] = np.zeros((0, 0))
    for number in range(len(groups) - 1, -1, -1):
        group = groups[number]
        one, other = place[ends[group]].T
        inside = layer[ends[group, 1]] == number
        towards = inverses[number] @ couplings[number]
        between = -towards @ after
        here = inverses[number] - between @ towards.T
        own = np.diagonal(here)
        found[group] = own[one]
        found[group[inside]] += own[other[inside]] - 2 * here[one[inside], other[inside]]
        found[group[~inside]] += (
            np.diagonal(after)[other[~inside]] - 2 * between[one[~inside], other[~inside]]
        )
        after = here.astype(np.float64, copy=False)
    return found


def _layers(ground: Lattice, mask: NDArray[np.bool_], axis: int) -> NDArray[np.int64]:
    """Return the layer of each cell, -1 of those that do not exist."""
    layer = np.arange(ground.shape[axis])
    if ground.wrap[axis]:
        layer = np.minimum(layer, layer[::-1])
    whole = np.broadcast_to(layer[:, None] if axis == 0 else layer, ground.shape)
    _, packed = np.unique(whole[mask], return_inverse=True)
    found = np.full(ground.shape, -1)
    found[mask] = packed
    return found.reshape(-1)


def _cost(layer: NDArray[np.int64]) -> int:
    return _sum_of(np.bincount(layer[layer >= 0]), 3)


def _sum_of(sizes: NDArray[np.int64], exponent: int) -> int:
    return sum(size**exponent for size in sizes.tolist())
