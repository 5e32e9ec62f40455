"""Solvers, distances and other questions about paths."""
