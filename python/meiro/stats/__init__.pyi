# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro.results.measures import Measures as Measures
from meiro.results.table import Table as Table
from meiro.stats.check import CheckReport as CheckReport
from meiro.stats.check import check as check
from meiro.stats.check import components as components
from meiro.stats.compare import Comparison as Comparison
from meiro.stats.compare import compare as compare
from meiro.stats.measure import measure as measure
from meiro.stats.position_map import position_map as position_map
from meiro.stats.scaling import Scaling as Scaling
from meiro.stats.scaling import scaling as scaling
from meiro.stats.surveys.own_measures import each as each
from meiro.stats.surveys.survey import survey as survey

_PUBLIC: dict[str, str]

__all__ = [
    "CheckReport",
    "Comparison",
    "Measures",
    "Scaling",
    "Table",
    "check",
    "compare",
    "components",
    "each",
    "measure",
    "position_map",
    "scaling",
    "survey",
]
