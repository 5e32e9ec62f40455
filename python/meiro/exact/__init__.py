"""Exact mathematics: laws, counts, ranks and edge probabilities of perfect mazes."""

from __future__ import annotations

from meiro._public_names import import_late

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = {
    "exact.counting": "log_number_of_mazes number_of_mazes",
    "exact.edge_probabilities": "edge_probabilities",
    "exact.goodness_of_fit": "SamplerTest sampler_test",
    "exact.laws": "Law law",
    "exact.ranking": "enumerate_mazes rank unrank",
}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
