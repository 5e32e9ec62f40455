"""Plots on matplotlib axes."""
