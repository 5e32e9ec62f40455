# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro.exact.counting import log_number_of_mazes as log_number_of_mazes
from meiro.exact.counting import number_of_mazes as number_of_mazes
from meiro.exact.edge_probabilities import edge_probabilities as edge_probabilities
from meiro.exact.expected_counts import expected_counts as expected_counts
from meiro.exact.goodness_of_fit import SamplerTest as SamplerTest
from meiro.exact.goodness_of_fit import sampler_test as sampler_test
from meiro.exact.laws import Law as Law
from meiro.exact.laws import law as law
from meiro.exact.ranking import enumerate_mazes as enumerate_mazes
from meiro.exact.ranking import rank as rank
from meiro.exact.ranking import unrank as unrank

_PUBLIC: dict[str, str]

__all__ = [
    "Law",
    "SamplerTest",
    "edge_probabilities",
    "enumerate_mazes",
    "expected_counts",
    "law",
    "log_number_of_mazes",
    "number_of_mazes",
    "rank",
    "sampler_test",
    "unrank",
]
