# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro.generators.cellular_automaton import cellular_automaton as cellular_automaton
from meiro.generators.eller import EllerRows as EllerRows
from meiro.generators.eller import eller as eller
from meiro.generators.eller import eller_rows as eller_rows
from meiro.generators.endless import EndlessMaze as EndlessMaze
from meiro.generators.endless import endless as endless
from meiro.generators.generate import generate as generate
from meiro.generators.generate import generate_many as generate_many
from meiro.generators.kruskal_rows import EndlessKruskalRows as EndlessKruskalRows
from meiro.generators.kruskal_rows import KruskalRows as KruskalRows
from meiro.generators.region import region as region
from meiro.generators.row_stream import RowStream as RowStream
from meiro.generators.spanning_tree import spanning_tree as spanning_tree
from meiro.generators.stream import stream as stream

_PUBLIC: dict[str, str]

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
