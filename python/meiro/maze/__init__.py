"""Maze and MazeBatch, their checks, grids and coordinates."""
