"""Statistics: measures of mazes, checks, tables and surveys."""

from __future__ import annotations

from meiro._public_names import import_late

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = {
    "results.measures": "Measures",
    "results.table": "Table",
    "stats.check": "CheckReport check components",
    "stats.measure": "measure",
    "stats.position_map": "position_map",
    "stats.surveys.survey": "survey",
}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
