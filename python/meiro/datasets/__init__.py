"""Data sets: mazes of equal difficulty, start and goal cells, and train/test splits."""

from __future__ import annotations

from meiro.datasets.by_measure import by_measure
from meiro.datasets.endpoints import endpoints
from meiro.datasets.split import split

__all__ = ["by_measure", "endpoints", "split"]
