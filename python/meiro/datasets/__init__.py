"""Data sets for training: start and goal cells, and train/test splits."""

from __future__ import annotations

from meiro.datasets.endpoints import endpoints
from meiro.datasets.split import split

__all__ = ["endpoints", "split"]
