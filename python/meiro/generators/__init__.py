"""Generators: mazes from seeds."""
