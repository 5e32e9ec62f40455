"""What knows no maze: argument checks, users' arrays, memory, progress, atomic files, pixels."""
