"""Mazes on lattices of any kind: GraphMaze and GraphBatch."""
