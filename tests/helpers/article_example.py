"""The first worked example of the source articles, which several tests replay."""

from __future__ import annotations

W1_ORDER = [7, 2, 11, 6, 1, 10, 4, 8, 0, 3, 5, 9]


W1_AREAS = """012345678 012315678 012115678 012115675 002005675 000005675 000005605 000005005 000000000"""
