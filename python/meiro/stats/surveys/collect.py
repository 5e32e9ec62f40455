"""Collect the results of jobs into the table of a survey: a summary, or a row for each maze."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.memory import require
from meiro.results.table import Table
from meiro.stats.measure import measure_columns
from meiro.stats.surveys.executors import accumulate
from meiro.stats.surveys.expected_values import ExpectedValues, expected_values, of_passages
from meiro.stats.surveys.tables import maze_columns, summary_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.results.accumulators import Accumulator
    from meiro.stats.surveys.jobs import SurveyRequest


class SummaryCollector:
    """The statistics of all mazes measured so far."""

    def __init__(self, request: SurveyRequest) -> None:
        self._request = request
        self._found: dict[int, list[Accumulator]] = {}
        self._expected: list[dict[str, ExpectedValues]] = []

    def prepare(self) -> None:
        """Compute known means and variances; a summary of a survey that ends before has none."""
        request = self._request
        names = [name for name in request.names if name not in request.own]
        if request.changes.openings is not None:
            names = of_passages(names)
        if request.changes.steps:  # which make mazes of another law
            names = []
        for configuration in request.configurations:
            self._expected.append(expected_values(configuration, names))

    def add(self, configuration: int, _first: int, result: list[Accumulator] | NDArray[np.float64]) -> None:
        """Add the statistics of a job, or the measures of mazes."""
        new = accumulate(result) if isinstance(result, np.ndarray) else result
        old = self._found.get(configuration)
        merged = new if old is None else [a.merged(b) for a, b in zip(old, new, strict=True)]
        self._found[configuration] = merged  # in one step: Ctrl-C may come between two measures

    def table(self) -> Table:
        """Return the summary."""
        return summary_table(self._request, self._found, self._expected)


class RowCollector:
    """The measures of all mazes measured so far, a row for each."""

    def __init__(self, request: SurveyRequest) -> None:
        columns = len(request.names)
        bytes_ = request.total * (16 * columns + 120)
        require(bytes_, f"a table of {request.total:,} mazes", 'give a folder by out=, or take by="summary"')
        self._request = request
        self._values = np.empty((columns, request.total))
        self._done = np.zeros(request.total, np.bool_)

    def prepare(self) -> None:
        """Compute nothing: rows need no known means."""

    def add(self, configuration: int, first: int, result: NDArray[np.float64]) -> None:
        """Add the measures of a job."""
        begin = configuration * self._request.n + first
        self._values[:, begin : begin + len(result)] = result.T
        self._done[begin : begin + len(result)] = True

    def table(self) -> Table:
        """Return the rows measured so far."""
        values = self._values if self._done.all() else self._values[:, self._done]
        configuration, number = np.divmod(np.flatnonzero(self._done), max(self._request.n, 1))
        columns = maze_columns(self._request, configuration, number.astype(np.uint64), values)
        known = [name for name in self._request.names if name not in self._request.own]
        typed = np.array([columns[name] for name in known]).reshape(len(known), len(configuration))
        return Table(columns | measure_columns(typed.T, known))
