"""Cells of lattices in numbers: by a dictionary of labels or of coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meiro import Lattice


def cell_number(lattice: Lattice, cell: Any) -> int:
    """Return the number of a cell that a verb returned; -1 for none."""
    return int(cell_numbers(lattice, [cell])[0])


def cell_numbers(lattice: Lattice, cells: Any) -> NDArray[np.int64]:
    """Return the numbers of several cells, such as a path."""
    if lattice.labels is not None:
        names: list[Any] = list(lattice.labels)
    elif lattice.coordinates is not None:
        names, cells = list(map(tuple, lattice.coordinates.tolist())), map(tuple, np.asarray(cells).tolist())
    else:
        return np.array(cells, np.int64)
    numbers = {name: i for i, name in enumerate(names)}
    return np.array([numbers.get(cell, -1) for cell in cells], np.int64)
