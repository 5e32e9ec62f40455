"""Rows of a table that belong together, and tables with more than one dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import missing_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

    import xarray as xr
    from numpy.typing import NDArray


def first_come(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the different values in the order in which they first come, and which each row has."""
    values, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(order.size, np.intp)
    rank[order] = np.arange(order.size)
    return values[order], rank[inverse]


def groups_of(columns: list[NDArray[Any]], n_rows: int) -> list[NDArray[np.intp]]:
    """Return the numbers of the rows that have the same values in all columns."""
    which = np.zeros(n_rows, np.intp)
    for column in columns:
        values, at = first_come(column)
        which = first_come(which * max(values.size, 1) + at)[1]
    order = np.argsort(which, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(which[order])) + 1) if n_rows else []


def dataset(table: Mapping[str, NDArray[Any]], names: list[str]) -> xr.Dataset:
    """Return what `meiro.Table.to_xarray` says."""
    try:
        import xarray as xr
    except ImportError as e:
        raise missing_extra("data", "xarray") from e  # noqa: EM101
    if not names:
        return xr.Dataset({name: ("row", column) for name, column in table.items()})
    found = [first_come(table[name]) for name in names]
    shape = tuple(values.size for values, _ in found)
    place = np.zeros(found[0][1].size, np.intp)
    for side, (_, at) in zip(shape, found, strict=True):
        place = place * side + at
    order = np.argsort(place, kind="stable")
    twice = np.flatnonzero(place[order][1:] == place[order][:-1])
    if twice.size:
        a, b = order[twice[0]], order[twice[0] + 1]
        others = [name for name in table if name not in names and table[name][a] != table[name][b]]
        msg = f"rows {a} and {b} are the same in {', '.join(names)}; they differ in {', '.join(others)}"
        raise ValueError(msg)
    data = {name: (names, _spread(table[name], place, shape)) for name in table if name not in names}
    return xr.Dataset(data, {name: values for name, (values, _) in zip(names, found, strict=True)})


def _spread(column: NDArray[Any], place: NDArray[np.intp], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return an array with the column's values at their places."""
    size = int(np.prod(shape))
    kind = np.float64 if place.size < size and column.dtype.kind in "biu" else column.dtype
    out = np.full(size, "" if column.dtype.kind == "U" else np.nan if place.size < size else 0, kind)
    out[place] = column
    return out.reshape(shape)
