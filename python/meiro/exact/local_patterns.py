"""Expected numbers of cells with each set of open sides, exactly, under laws where one cell can be computed.

A set is the direction bits of a cell, north 1, east 2, south 4, west 8; what is expected of degrees, straight
corridors and the like are sums over the 16 sets.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.square import STEPS, E, S
from meiro.exact.edge_probabilities import currents_of_rectangle, resistances

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from meiro._utils.square import Shape
    from meiro.exact._domain import Squares

    Patterns = NDArray[np.float64]  # shape (16,)

NORTH, EAST, SOUTH, WEST = range(4)  # places of the bits
BY_DEGREE = "isolated", "dead_ends", "corridors", "junctions", "crossroads"  # measures of degrees 0 to 4
_MOST_RUN = 64  # cells: longer runs to one side have a probability below 2^-64


def counted_sides() -> dict[str, NDArray[np.int64]]:
    """Return what a cell counts in each measure, by the direction bits of its passages."""
    sides = np.arange(16)
    degrees = np.bitwise_count(sides)
    straight = (sides == 0b0101) | (sides == 0b1010)
    found = {"horizontal_passages": sides & E > 0, "vertical_passages": sides & S > 0}
    found |= {name: degrees == degree for degree, name in enumerate(BY_DEGREE)}
    found |= {"straights": straight, "turns": (degrees == 2) & ~straight}
    return {name: counts.astype(np.int64) for name, counts in found.items()}


def uniform_patterns(domain: Squares) -> Patterns:
    """Return the expected numbers under the uniform law, by the transfer-current theorem.

    The walls T around a cell are all open with the probability det K(e, f), e and f in T, where K(e, f) is
    the current through f of a unit current that enters at the cell and leaves through e (R. Burton,
    R. Pemantle, Ann. Probab. 21 (1993) 1329, doi:10.1214/aop/1176989121).
    """
    currents = _currents(domain).reshape(-1, 4, 4)
    all_open = np.zeros(16)
    for band in bands(len(currents), 256):
        for bits in range(16):
            sides = [side for side in range(4) if bits >> side & 1]
            all_open[bits] += np.linalg.det(currents[band][:, sides][:, :, sides]).sum()
    all_open[0] = domain.cells.sum()
    found = _exactly(all_open)
    found[np.abs(found) < 1e-9] = 0  # rounding errors, as of the crossroads of a maze that can have none
    return found


def _exactly(all_open: Patterns) -> Patterns:
    """Return how many cells have just these sides open, from how many have at least these."""
    found = all_open.copy()
    for side, bits in itertools.product(range(4), range(16)):
        if not bits >> side & 1:
            found[bits] -= found[bits | 1 << side]
    return found


def _currents(domain: Squares) -> NDArray[np.float64]:
    """Return the transfer currents between the sides of each cell, shape (rows, cols, 4, 4); 0 at no wall."""
    there = _neighbours(domain)
    out = np.zeros((*domain.shape, 4, 4))
    (_fill_rectangle if domain.mask is None else _fill_mask)(domain, there, out)
    for a, b in itertools.product((NORTH, SOUTH), (EAST, WEST)):
        out[..., b, a] = out[..., a, b]
    for a in range(4):  # all that enters at a cell leaves through its walls
        across = 1 - out[..., a, :].sum(axis=-1)
        out[..., a, a ^ 2] = np.where(there[..., a] & there[..., a ^ 2], across, 0)
    return out


def _fill_rectangle(domain: Squares, there: NDArray[np.bool_], out: NDArray[np.float64]) -> None:
    """Enter the probabilities of the walls, and the currents from the north or south to the east or west."""
    south, east, corner = currents_of_rectangle(domain.shape, domain.wrap, corners=True)
    for side, values in ((SOUTH, south), (EAST, east)):
        rows, cols = values.shape
        out[:rows, :cols, side, side] = values
        beyond = np.roll(out[..., side, side], 1, axis=0 if side == SOUTH else 1)
        out[..., side ^ 2, side ^ 2] = np.where(there[..., side ^ 2], beyond, 0)
    out[..., SOUTH, EAST], out[..., SOUTH, WEST] = (
        corner,
        corner[:, ::-1],
    )  # the lattice is its own mirror image
    out[..., NORTH, EAST], out[..., NORTH, WEST] = corner[::-1], corner[::-1, ::-1]


def _fill_mask(domain: Squares, there: NDArray[np.bool_], out: NDArray[np.float64]) -> None:
    """Enter the same of a mask, from resistances: of walls, and of pairs of neighbours of a cell."""
    cells = np.arange(math.prod(domain.shape)).reshape(domain.shape)
    beside = np.stack([np.roll(cells, (-down, -right), (0, 1)).reshape(-1) for down, right in STEPS], axis=-1)
    there, out = there.reshape(-1, 4), out.reshape(-1, 4, 4)
    corners = list(itertools.product((NORTH, SOUTH), (EAST, WEST)))
    where = [np.flatnonzero(there[:, a] & there[:, b]) for a, b in corners]
    pairs = np.concatenate([beside[at][:, sides] for at, sides in zip(where, corners, strict=True)])
    found = resistances(domain, pairs=domain.numbers.reshape(-1)[pairs])
    edges = domain.lattice.edges
    for ends, directions in zip(edges.T, domain.directions, strict=True):
        side = np.bitwise_count(directions - 1)
        out[cells[domain.cells][ends], side, side] = found[: len(edges)]
    parts = np.split(found[len(edges) :], np.cumsum([len(at) for at in where])[:-1])
    for (a, b), at, across in zip(corners, where, parts, strict=True):
        out[at, a, b] = (out[at, a, a] + out[at, b, b] - across) / 2


def _neighbours(domain: Squares) -> NDArray[np.bool_]:
    """Return whether each cell exists and has a neighbour at each side, shape (rows, cols, 4)."""
    cells = domain.cells
    padded = np.pad(cells, 1)
    for axis, around in enumerate(domain.wrap):
        if around:
            ends = np.moveaxis(padded, axis, 0)
            ends[0], ends[-1] = ends[-2].copy(), ends[1].copy()
    rows, cols = domain.shape
    beside = [padded[1 + dr : 1 + dr + rows, 1 + dc : 1 + dc + cols] for dr, dc in STEPS]
    return np.stack(beside, axis=-1) & cells[..., None]


def percolation_patterns(domain: Squares, p: float) -> Patterns:
    """Return the expected numbers where each wall is open with probability `p`, independently."""
    there = _neighbours(domain) @ (1 << np.arange(4))
    cells = domain.cells
    counts = np.bincount(there[cells], minlength=16)
    all_open = [
        counts[[i & bits == bits for i in range(16)]].sum() * p ** bits.bit_count() for bits in range(16)
    ]
    return _exactly(np.array(all_open))


def binary_tree_patterns(shape: Shape) -> Patterns:
    """Return the expected numbers of `binary_tree`: each cell has drawn north or west by itself."""
    (rows, cols), weights = _narrowed(shape, 2, 2)

    def north(row: int, col: int) -> float:
        """Return the probability that a cell has opened its wall to the north, not to the west."""
        return float(0 if row == 0 else 1 if col == 0 else 0.5)

    def patterns(row: int, col: int) -> Patterns:
        own = np.zeros(16)
        if row or col:
            own[1], own[8] = north(row, col), 1 - north(row, col)
        else:
            own[0] = 1
        south = north(row + 1, col) if row + 1 < rows else 0.0
        east = 1 - north(row, col + 1) if col + 1 < cols else 0.0
        return _independently(own, {EAST: east, SOUTH: south})

    return _sum_of_cells(weights, patterns)


def sidewinder_patterns(shape: Shape) -> Patterns:
    """Return the expected numbers of `sidewinder`: one cell of each run of a row goes north."""
    (rows, cols), weights = _narrowed(shape, 2, _MOST_RUN)

    def run(col: int) -> Patterns:
        """Return the law of the sides north, east, west of a cell below the first row."""
        own = np.zeros(16)
        lefts = np.array([0.5 ** (i + (i < col)) for i in range(min(col, _MOST_RUN) + 1)])
        after = cols - 1 - col
        rights = np.array([0.5 ** (j + (j < after)) for j in range(min(after, _MOST_RUN) + 1)])
        i, j = np.ogrid[: lefts.size, : rights.size]
        each, chosen = np.outer(lefts, rights), 1 / (i + j + 1)
        sides = 8 * (i > 0) + 2 * (j > 0)
        np.add.at(own, sides, each * (1 - chosen))
        np.add.at(own, sides + 1, each * chosen)
        return own

    def patterns(row: int, col: int) -> Patterns:
        if row:
            own = run(col)
        else:
            own = np.zeros(16)
            own[8 * (col > 0) + 2 * (col < cols - 1)] = 1
        return _independently(own, {SOUTH: run(col)[1::2].sum() if row < rows - 1 else 0.0})

    return _sum_of_cells(weights, patterns)


def pole_toppling_patterns(shape: Shape) -> Patterns:
    """Return the expected numbers of `pole_toppling`: the poles of a row fall one after the other.

    Around a cell stand two poles of the row of posts above and two of that below, if there are such posts.
    """
    (rows, cols), weights = _narrowed(shape, 2, 32)  # a fall forgets those 32 posts before, but for 6^-32
    falls = {True: _joint_falls(cols, first=True), False: _joint_falls(cols, first=False)}
    # For each pair of falls of a row of posts, the sides of the cell that the two poles close.
    nothing = 4
    above, below = np.zeros((2, 5, 5), int)
    for one, other in itertools.product(range(5), repeat=2):
        above[one, other] = (
            (1 if one == EAST or other == WEST else 0) | 8 * (one == SOUTH) | 2 * (other == SOUTH)
        )
        below[one, other] = (
            (4 if one == EAST or other == WEST else 0) | 8 * (one == NORTH) | 2 * (other == NORTH)
        )
    border = np.zeros((5, 5))
    border[nothing, nothing] = 1

    def patterns(row: int, col: int) -> Patterns:
        rim = (row == 0) | 2 * (col == cols - 1) | 4 * (row == rows - 1) | 8 * (col == 0)
        top = border if row == 0 else falls[row == 1][col]
        bottom = border if row == rows - 1 else falls[row == 0][col]
        closed = above.reshape(-1, 1) | below.reshape(-1) | rim
        law = np.outer(top, bottom)
        found: Patterns = np.bincount(15 & ~closed.reshape(-1), law.reshape(-1), minlength=16).astype(float)
        return found

    return _sum_of_cells(weights, patterns)


def _joint_falls(cols: int, *, first: bool) -> list[NDArray[np.float64]]:
    """Return for each column the joint law of the falls of the posts to its left and right, 4 for no post."""
    free = np.array([1.0, 1, 1, 1, 0] if first else [0.0, 1, 1, 1, 0])
    taken = free * (1, 1, 1, 0, 0)
    found = []
    left = np.array([0.0, 0, 0, 0, 1])
    for col in range(cols):
        if col == cols - 1:
            joint = np.outer(left, [0, 0, 0, 0, 1])
        else:
            joint = np.outer(left, free / free.sum())
            joint[EAST] = left[EAST] * taken / taken.sum()
        found.append(joint)
        left = joint.sum(axis=0)
    return found


def _independently(own: Patterns, sides: dict[int, float]) -> Patterns:
    """Return the law of the sides of a cell if `sides` are open independently of its others."""
    for side, p in sides.items():
        own = own * (1 - p) + np.where(np.arange(16) >> side & 1, p * own[np.arange(16) & ~(1 << side)], 0)
    return own


def _narrowed(shape: Shape, rows: int, cols: int) -> tuple[Shape, NDArray[np.float64]]:
    """Return a shape without most of the lines at least `rows` or `cols` from both ends, which are alike.

    The second array, of this shape, has the number of cells that each stands for.
    """
    narrow = min(shape[0], 2 * rows + 1), min(shape[1], 2 * cols + 1)
    alike = [np.ones(side) for side in narrow]
    for lines, whole in zip(alike, shape, strict=True):
        lines[lines.size // 2] += whole - lines.size
    return narrow, np.outer(*alike)


def _sum_of_cells(weights: NDArray[np.float64], patterns: Callable[[int, int], Patterns]) -> Patterns:
    total = np.zeros(16)
    for (row, col), alike in np.ndenumerate(weights):
        total += alike * patterns(row, col)
    return total
