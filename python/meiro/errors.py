"""What can go wrong, beyond the ordinary ``ValueError`` and ``TypeError``."""

from __future__ import annotations


class NoPathError(ValueError):
    """There is no way from start to goal."""


def missing(extra: str, package: str) -> ImportError:
    """Return the error of a function whose optional package is not installed."""
    return ImportError(f"this needs {package}: pip install 'meiro[{extra}]'")


def shown(value: object) -> str:
    """Return ``repr(value)``, cut to what fits an error message."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
