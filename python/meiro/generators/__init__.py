"""Generators: mazes from seeds."""

from __future__ import annotations

from meiro._public_names import import_late, names_within

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = names_within("generators") | {
    "generators.endless": "EndlessMaze endless",
    "generators.kruskal_rows": "EndlessKruskalRows KruskalRows",
    "generators.region": "region",
    "generators.row_stream": "RowStream",
    "generators.stream": "stream",
}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
