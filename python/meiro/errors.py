"""The errors of meiro beyond the ordinary ``ValueError`` and ``TypeError``."""

from __future__ import annotations


class NoPathError(ValueError):
    """The goal is not reachable from the start."""

    __module__ = "meiro"
