"""Surveys: many mazes measured and not kept."""
