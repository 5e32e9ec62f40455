"""Data sets for training: start and goal cells, and train/test splits."""
