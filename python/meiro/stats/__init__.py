"""Statistics: measures of mazes, checks, tables and surveys."""

from __future__ import annotations

from meiro.results.measures import Measures
from meiro.results.table import Table
from meiro.stats.check import CheckReport, check, components
from meiro.stats.measure import measure
from meiro.stats.position_map import position_map
from meiro.stats.surveys.survey import survey

__all__ = ["CheckReport", "Measures", "Table", "check", "components", "measure", "position_map", "survey"]
