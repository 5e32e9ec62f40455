"""Statistics: measures of mazes, checks, tables and surveys."""
