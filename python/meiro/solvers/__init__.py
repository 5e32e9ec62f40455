"""Solvers, distances and other questions about paths, in mazes and in arrays of walls and roads."""

from __future__ import annotations

from meiro._public_names import import_late, names_within

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = names_within("solvers") | {"solvers.by_bands": "distances_by_bands solve_by_bands"}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
