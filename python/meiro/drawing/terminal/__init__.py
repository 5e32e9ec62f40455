"""Terminals: colours and a screen."""
