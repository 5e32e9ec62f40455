"""Mazes made from mazes."""
