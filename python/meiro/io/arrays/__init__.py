"""Mazes and batches as named arrays: the files of NumPy and zarr, data sets of xarray."""

from __future__ import annotations

BATCHES = (".npz", ".zarr", ".zanj")
"""The suffixes of files that hold batches: see `batch_files`."""
