"""Lattices of all kinds: what `meiro.generate` takes instead of a shape."""

from __future__ import annotations

from meiro.lattices.lattice import Lattice, Outline
from meiro.lattices.square import square

__all__ = ["Lattice", "Outline", "square"]
