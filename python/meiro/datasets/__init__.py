"""Data sets: equal difficulty, start and goal cells, train/test splits, samples for learning."""

from __future__ import annotations

from meiro.datasets.by_measure import by_measure
from meiro.datasets.endpoints import endpoints
from meiro.datasets.partial_mazes import partial_mazes
from meiro.datasets.samples import GraphInputs, Samples
from meiro.datasets.split import split
from meiro.datasets.supervised import SampleBatches, supervised
from meiro.datasets.tokens import vocabulary

__all__ = [
    "GraphInputs",
    "SampleBatches",
    "Samples",
    "by_measure",
    "endpoints",
    "partial_mazes",
    "split",
    "supervised",
    "vocabulary",
]
