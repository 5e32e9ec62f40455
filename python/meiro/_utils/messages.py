"""Parts of error messages."""

from __future__ import annotations


def short_repr(value: object) -> str:
    """Return ``repr(value)``, cut to what fits an error message."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def missing_extra(extra: str, package: str) -> ImportError:
    """Return the error of a function whose optional package is not installed."""
    return ImportError(f"this needs {package}: pip install 'meiro[{extra}]'")
