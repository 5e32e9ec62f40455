"""Generators: mazes from seeds."""

from __future__ import annotations

from meiro.generators.cellular_automaton import cellular_automaton
from meiro.generators.eller import EllerRows, eller, eller_rows
from meiro.generators.generate import generate, generate_many
from meiro.generators.region import region
from meiro.generators.spanning_tree import spanning_tree

__all__ = [
    "EllerRows",
    "cellular_automaton",
    "eller",
    "eller_rows",
    "generate",
    "generate_many",
    "region",
    "spanning_tree",
]
