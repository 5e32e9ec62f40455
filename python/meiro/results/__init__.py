"""What functions return beside mazes: Solution, SolutionBatch and Table hold arrays and know no Maze."""
