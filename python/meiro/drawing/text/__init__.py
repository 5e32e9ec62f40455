"""Mazes as text."""
