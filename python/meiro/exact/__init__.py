"""Exact mathematics: laws, counts, ranks and edge probabilities of perfect mazes."""
