"""Exact mathematics: laws, counts, ranks and edge probabilities of perfect mazes."""

from __future__ import annotations

from meiro.exact.counting import log_number_of_mazes, number_of_mazes
from meiro.exact.edge_probabilities import edge_probabilities
from meiro.exact.goodness_of_fit import SamplerTest, sampler_test
from meiro.exact.laws import Law, law
from meiro.exact.ranking import enumerate_mazes, rank, unrank

__all__ = [
    "Law",
    "SamplerTest",
    "edge_probabilities",
    "enumerate_mazes",
    "law",
    "log_number_of_mazes",
    "number_of_mazes",
    "rank",
    "sampler_test",
    "unrank",
]
