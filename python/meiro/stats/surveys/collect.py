"""The results of a survey's jobs put together: summed up, or a row for each maze; and a folder for rows."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro.stats.surveys.executors import Told, condensed, measured, run_inline, run_on_executor, stats_of
from meiro.stats.surveys.tables import maze_table, summary_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from meiro.stats.accumulators import Accumulator
    from meiro.stats.surveys.jobs import SurveyRequest
    from meiro.stats.surveys.parquet import Folder
    from meiro.stats.table import Table


class SummaryCollector:
    """The summary of what is done."""

    def __init__(self, plan: SurveyRequest) -> None:
        self._plan = plan
        self._stats: dict[int, list[Accumulator]] = {}

    def add(self, kind: int, _first: int, result: list[Accumulator] | NDArray[np.float64]) -> None:
        """Take in the results of a job, or the measures of a part."""
        new = stats_of(result) if isinstance(result, np.ndarray) else result
        old = self._stats.get(kind)
        merged = new if old is None else [a.merged(b) for a, b in zip(old, new, strict=True)]
        self._stats[kind] = merged  # at once: Ctrl-C may come between two measures

    def table(self) -> Table:
        """Return the summary."""
        return summary_table(self._plan, self._stats)


class RowCollector:
    """The rows of what is done."""

    def __init__(self, plan: SurveyRequest) -> None:
        columns = len(plan.names)
        bytes_ = plan.total * (16 * columns + 120)
        require(bytes_, f"a table of {plan.total:,} mazes", 'give a folder by out=, or take by="summary"')
        self._plan = plan
        self._values = np.empty((columns, plan.total))
        self._done: list[tuple[int, int]] = []

    def add(self, kind: int, first: int, result: NDArray[np.float64]) -> None:
        """Take in the measures of a job."""
        begin = kind * self._plan.n + first
        self._values[:, begin : begin + len(result)] = result.T
        self._done.append((begin, len(result)))

    def table(self) -> Table:
        """Return the rows that are there."""
        rows = np.zeros(self._plan.total, np.bool_)
        for begin, n in self._done:
            rows[begin : begin + n] = True
        values = self._values if rows.all() else self._values[:, rows]
        kind, number = np.divmod(np.flatnonzero(rows), max(self._plan.n, 1))
        return maze_table(self._plan, kind, number.astype(np.uint64), values)


def run(
    plan: SurveyRequest,
    kept: RowCollector | SummaryCollector,
    folder: Folder | None,
    executor: Any,
    *,
    threads: int,
    told: Told,
) -> None:
    """Do what is not done yet, and keep it."""
    done = 0

    def tell(now: int) -> None:
        if told is not None:
            told(done + now, plan.total)

    for kind, first, n in plan.parts():
        if folder is None:
            break
        if n == 0:
            folder.write((kind, first), np.empty((len(plan.names), 0)))
        elif (kind, first) in folder.finished:
            kept.add(kind, first, folder.read((kind, first)))
            done += n
    jobs = (
        job
        for part in plan.parts()
        if folder is None or part[:2] not in folder.finished
        for job in plan.jobs(part, threads, shared=executor is not None)
    )
    work: Callable[..., Any] = (
        condensed if folder is None and isinstance(kept, SummaryCollector) else measured
    )
    results = (
        run_inline(work, jobs, tell if told else None)
        if executor is None
        else run_on_executor(work, jobs, executor)
    )
    with contextlib.closing(results):
        for job, result in results:
            kept.add(job.kind, job.first, result)
            if folder is not None:
                folder.add(job, result)
            done += job.n
            tell(0)
