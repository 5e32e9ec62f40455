"""Percolation, slow and obvious: every maze of a shape with its probability, a product over the walls."""

from __future__ import annotations

from fractions import Fraction


def percolation(walls: int, p: Fraction) -> dict[int, Fraction]:
    """Return the probability of each set of open walls, as a number whose bit ``i`` is wall ``i``."""
    law: dict[int, Fraction] = {}
    for opened in range(1 << walls):
        probability = Fraction(1)
        for wall in range(walls):
            probability *= p if opened >> wall & 1 else 1 - p
        law[opened] = probability
    return law
