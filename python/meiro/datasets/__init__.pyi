# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro.datasets.by_measure import by_measure as by_measure
from meiro.datasets.endpoints import endpoints as endpoints
from meiro.datasets.leaks import Leaks as Leaks
from meiro.datasets.leaks import Twins as Twins
from meiro.datasets.leaks import leaks as leaks
from meiro.datasets.partial_mazes import partial_mazes as partial_mazes
from meiro.datasets.samples import GraphInputs as GraphInputs
from meiro.datasets.samples import Samples as Samples
from meiro.datasets.split import split as split
from meiro.datasets.supervised import SampleBatches as SampleBatches
from meiro.datasets.supervised import supervised as supervised
from meiro.datasets.tokens import vocabulary as vocabulary

_PUBLIC: dict[str, str]

__all__ = [
    "GraphInputs",
    "Leaks",
    "SampleBatches",
    "Samples",
    "Twins",
    "by_measure",
    "endpoints",
    "leaks",
    "partial_mazes",
    "split",
    "supervised",
    "vocabulary",
]
