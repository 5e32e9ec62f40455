"""Mazes as other libraries of mazes hold them, both ways."""
