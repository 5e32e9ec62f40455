"""Data sets: equal difficulty, start and goal cells, train/test splits, samples for learning."""

from __future__ import annotations

from meiro._public_names import import_late, names_within

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = names_within("datasets") | {
    "datasets.by_measure": "by_measure",
    "datasets.leaks": "Leaks Twins leaks",
    "datasets.partial_mazes": "partial_mazes",
    "datasets.samples": "GraphInputs Samples",
    "datasets.supervised": "SampleBatches supervised",
    "datasets.tokens": "vocabulary",
}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
