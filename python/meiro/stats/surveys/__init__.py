"""Surveys: many mazes generated and measured; only the statistics are kept."""
