"""The two tables of a survey: a row for each maze, or for each measure of a kind of mazes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._core import __version__
from meiro.stats.accumulators import QUANTILES, Accumulator
from meiro.stats.measure import columns as measure_columns
from meiro.stats.surveys.expected_values import expected_mean
from meiro.stats.surveys.jobs import options_of, words_of
from meiro.stats.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.generators.request import GenerateRequest
    from meiro.stats.surveys.jobs import SurveyRequest

Columns = dict[str, "NDArray[Any]"]


def maze_columns(
    plan: SurveyRequest, kind: NDArray[np.intp], number: NDArray[np.uint64], values: NDArray[np.float64]
) -> Columns:
    """Return the columns of mazes: of which kind, which number in the survey, and their measures.

    Parameters
    ----------
    plan : SurveyRequest
    kind : ndarray of intp, shape (m,)
    number : ndarray of uint64, shape (m,)
    values : ndarray of float64, shape (measures, m)

    Returns
    -------
    dict of str to ndarray
        Measures as float64.
    """
    columns = {name: column[kind] for name, column in _names(plan.kinds).items()}
    columns["replicate"] = number + np.uint64(plan.seed.replicate)  # modulo 2**64
    for i, word in enumerate(plan.seed.key):
        columns[f"seed_{i}"] = np.full(kind.size, word, np.uint64)
    columns["version"] = np.full(kind.size, __version__)
    return columns | dict(zip(plan.names, values, strict=True))


def maze_table(
    plan: SurveyRequest, kind: NDArray[np.intp], number: NDArray[np.uint64], values: NDArray[np.float64]
) -> Table:
    """Return a table with a row for each maze; parameters as of `maze_columns`."""
    return Table(maze_columns(plan, kind, number, values) | measure_columns(values.T, plan.names))


def summary_table(plan: SurveyRequest, stats: dict[int, list[Accumulator]]) -> Table:
    """Return a table with a row for each measure of each kind of mazes.

    Parameters
    ----------
    plan : SurveyRequest
    stats : dict of int to list of Accumulator
        For the kinds there are, one for each measure.

    Returns
    -------
    Table
    """
    kinds = np.repeat(np.array(sorted(stats), np.intp), len(plan.names))
    columns = {name: column[kinds] for name, column in _names(plan.kinds).items()}
    columns["measure"] = np.array(plan.names * len(stats), f"<U{max(map(len, plan.names), default=1)}")
    rows = [
        _row(plan.kinds[kind], name, stat, whole=whole)
        for kind in sorted(stats)
        for name, whole, stat in zip(plan.names, plan.whole, stats[kind], strict=True)
    ]
    for name, empty in _row(None, "", Accumulator.of(np.empty(0)), whole=True).items():
        column = np.array([row[name] for row in rows])
        columns[name] = column if rows else np.array([empty])[:0]
    return Table(columns)


def _row(request: GenerateRequest | None, measure: str, stat: Accumulator, *, whole: bool) -> dict[str, Any]:
    row: dict[str, Any] = {**stat.summary()}
    for percent, x in zip(QUANTILES, stat.quantiles(whole=whole), strict=True):
        row[f"q{percent:02}"] = x
    fact = None if request is None else expected_mean(request, measure)
    row["expected"] = math.nan if fact is None else float(fact.value)
    row["z"] = math.nan if fact is None else fact.z(stat.mean, stat.standard_error)
    row["source"] = "" if fact is None else fact.source
    return row


def _names(kinds: list[GenerateRequest]) -> Columns:
    """Return what names the kinds of mazes: algorithm, options, rows, cols; an entry for each kind."""
    columns: Columns = {"algorithm": np.array([plan.facts.name for plan in kinds])}
    options = [options_of(plan) for plan in kinds]
    words = [words_of(plan) for plan in kinds]
    for name in dict.fromkeys(name for given in options for name in given):
        given = [option[name] for option in options if name in option]
        if all(isinstance(value, int) for value in given) and len(given) == len(kinds):
            columns[f"option_{name}"] = np.array(given, np.int64)
        elif all(isinstance(value, int | float) for value in given):
            numbers = [option.get(name, math.nan) for option in options]
            columns[f"option_{name}"] = np.array(numbers, np.float64)
        else:
            columns[f"option_{name}"] = np.array([word.get(name, "") for word in words])
    for i, side in enumerate(("rows", "cols")):
        columns[side] = np.array([plan.shape[i] for plan in kinds], np.int64)
    return columns
