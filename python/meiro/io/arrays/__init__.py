"""Mazes and batches as named arrays: the files of NumPy and zarr, data sets of xarray."""
