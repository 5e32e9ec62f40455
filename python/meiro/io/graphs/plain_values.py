"""Labels and cells as files hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import short_repr

if TYPE_CHECKING:
    from collections.abc import Hashable

_PLAIN = str, int, float, bool, type(None)


def plain_label(label: Hashable) -> object:
    """Return a label as JSON can hold it; a TypeError if it cannot."""
    if type(label) is tuple:
        return {"tuple": [plain_label(part) for part in label]}
    if isinstance(label, np.generic):
        label = label.item()
    if type(label) in _PLAIN:
        return label
    msg = (
        f"label {short_repr(label)} cannot be saved: str, int, float, bool, None and tuples of them can; "
        "make the lattice with such labels, or without"
    )
    raise TypeError(msg)


def label_of(plain: Any) -> Hashable:
    """Return the label of what JSON held, checked."""
    if isinstance(plain, dict):
        return tuple(label_of(part) for part in plain["tuple"])
    if type(plain) not in _PLAIN:
        msg = f"a label is {short_repr(plain)}"
        raise TypeError(msg)
    return plain  # type: ignore[no-any-return]  # it was checked


def cell_number(value: Any, cells: int) -> int:
    """Return the number of a cell, checked."""
    if type(value) is not int or not 0 <= value < cells:
        msg = f"{short_repr(value)} is no cell: cells are 0..{cells - 1}"
        raise ValueError(msg)
    return value
