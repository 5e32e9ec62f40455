"""The errors of meiro beyond the ordinary ``ValueError`` and ``TypeError``."""

from __future__ import annotations

from meiro._utils.set_module import set_module


@set_module("meiro")
class NoPathError(ValueError):
    """The goal is not reachable from the start."""
