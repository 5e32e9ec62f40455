"""Mazes on lattices as graphs of other libraries, and meiro as a backend of networkx."""
