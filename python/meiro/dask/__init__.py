"""Mazes as arrays of Dask, on one machine or many: passages that no single memory holds."""

from __future__ import annotations

from meiro.dask.counts import Counts, check, measure
from meiro.dask.generate import generate
from meiro.dask.solve import distances, solve

__all__ = ["Counts", "check", "distances", "generate", "measure", "solve"]
