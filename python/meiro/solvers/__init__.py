"""Solvers, distances and other questions about paths, in mazes and in arrays of walls and roads."""
