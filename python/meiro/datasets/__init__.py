"""Data sets for training: start and goal cells, and splits."""
