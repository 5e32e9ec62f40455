"""Statistics: measures of mazes, checks, tables and surveys."""

from __future__ import annotations

from meiro._public_names import import_late, names_within

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = names_within("stats") | {
    "results.measures": "Measures",
    "results.table": "Table",
    "stats.surveys.own_measures": "each",
    "stats.scaling": "Scaling scaling",
}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
