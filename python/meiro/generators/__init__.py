"""Generators: mazes from seeds."""

from __future__ import annotations

from meiro.generators.cellular_automaton import cellular_automaton
from meiro.generators.eller import EllerRows, eller, eller_rows
from meiro.generators.endless import EndlessMaze, endless
from meiro.generators.endless_kruskal_rows import EndlessKruskalRows
from meiro.generators.generate import generate, generate_many
from meiro.generators.kruskal_rows import KruskalRows
from meiro.generators.region import region
from meiro.generators.row_stream import RowStream
from meiro.generators.spanning_tree import spanning_tree
from meiro.generators.stream import stream

__all__ = [
    "EllerRows",
    "EndlessKruskalRows",
    "EndlessMaze",
    "KruskalRows",
    "RowStream",
    "cellular_automaton",
    "eller",
    "eller_rows",
    "endless",
    "generate",
    "generate_many",
    "region",
    "spanning_tree",
    "stream",
]
