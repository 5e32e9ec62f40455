"""Mazes: Maze, MazeBatch, GraphMaze, GraphBatch; openings, endpoints, grids, coordinates, recipes."""
