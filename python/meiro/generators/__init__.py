"""Generators: mazes from seeds."""

from __future__ import annotations

from meiro._public_names import import_late

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = {
    "generators.cellular_automaton": "cellular_automaton",
    "generators.eller": "EllerRows eller eller_rows",
    "generators.endless": "EndlessMaze endless",
    "generators.endless_kruskal_rows": "EndlessKruskalRows",
    "generators.generate": "generate generate_many",
    "generators.kruskal_rows": "KruskalRows",
    "generators.region": "region",
    "generators.row_stream": "RowStream",
    "generators.spanning_tree": "spanning_tree",
    "generators.stream": "stream",
}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
