"""Utilities without mazes: argument checks, users' arrays, memory, progress, atomic files, PNG, pixels."""
