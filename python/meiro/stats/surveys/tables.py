"""The columns of a survey: with a row for each maze, or for each measure of each configuration."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._core import __version__
from meiro.results.accumulators import QUANTILES, Accumulator
from meiro.results.table import Table
from meiro.seeds import STREAM
from meiro.stats.surveys.expected_values import ExpectedValues
from meiro.stats.surveys.jobs import SurveyRequest, lattice_text, option_text, options_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


Columns = dict[str, "NDArray[Any]"]


def maze_columns(
    request: SurveyRequest,
    configuration: NDArray[np.intp],
    number: NDArray[np.uint64],
    values: NDArray[np.float64],
) -> Columns:
    """Return the columns of a table with a row for each maze.

    Parameters
    ----------
    request : SurveyRequest
    configuration : ndarray of intp, shape (m,)
    number : ndarray of uint64, shape (m,)
        Number of each maze within its configuration.
    values : ndarray of float64, shape (measures, m)

    Returns
    -------
    dict of str to ndarray
        Measures as float64.
    """
    columns = {name: column[configuration] for name, column in _identifiers(request).items()}
    columns["replicate"] = number + np.uint64(request.seed.replicate)  # modulo 2**64
    for i, word in enumerate(request.seed.key):
        columns[f"seed_{i}"] = np.full(configuration.size, word, np.uint64)
    columns["stream"] = np.full(configuration.size, STREAM)
    columns["version"] = np.full(configuration.size, __version__)
    return columns | dict(zip(request.names, values, strict=True))


def summary_table(
    request: SurveyRequest, found: dict[int, list[Accumulator]], expected: list[dict[str, ExpectedValues]]
) -> Table:
    """Return a table with a row for each measure of each configuration.

    Parameters
    ----------
    request : SurveyRequest
    found : dict of int to list of Accumulator
        For each finished configuration, one accumulator for each measure.
    expected : list of dict of str to ExpectedValues
        What is known of the first configurations, or of all.

    Returns
    -------
    Table
    """
    rows_of = np.repeat(np.array(sorted(found), np.intp), len(request.names))
    columns = {name: column[rows_of] for name, column in _identifiers(request).items()}
    width = max(map(len, request.names), default=1)
    columns["measure"] = np.array(request.names * len(found), f"<U{width}")
    rows = [
        _summary_row(values, expected[i].get(name) if i < len(expected) else None, whole=whole)
        for i in sorted(found)
        for name, whole, values in zip(request.names, request.whole, found[i], strict=True)
    ]
    for name, empty in _summary_row(Accumulator.of(np.empty(0)), None, whole=True).items():
        columns[name] = np.array([row[name] for row in rows]) if rows else np.array([empty])[:0]
    return Table(columns)


def _summary_row(values: Accumulator, expected: ExpectedValues | None, *, whole: bool) -> dict[str, Any]:
    row: dict[str, Any] = {**values.summary()}
    for percent, x in zip(QUANTILES, values.quantiles(whole=whole), strict=True):
        row[f"q{percent:02}"] = x
    known = expected or ExpectedValues(math.nan, math.nan, math.nan, "")
    row["expected"], row["expected_variance"] = float(known.mean), known.variance
    row["z"], row["z_variance"] = known.z(values)
    row["source"] = known.source
    return row


def _identifiers(survey: SurveyRequest) -> Columns:
    """Return the columns that identify a configuration: algorithm, options, rows, cols; an entry for each."""
    configurations = survey.configurations
    columns: Columns = {"algorithm": np.array([request.facts.name for request in configurations])}
    options = [
        {f"option_{name}": value for name, value in options_of(request).items()} | survey.changes_of(i).axes
        for i, request in enumerate(configurations)
    ]
    for name in dict.fromkeys(name for given in options for name in given):
        given = [option[name] for option in options if name in option]
        if all(isinstance(value, int) for value in given) and len(given) == len(configurations):
            columns[name] = np.array(given, np.int64)
        elif all(isinstance(value, int | float) for value in given):
            columns[name] = np.array([option.get(name, math.nan) for option in options], np.float64)
        else:
            texts = [option_text(option[name]) if name in option else "" for option in options]
            columns[name] = np.array(texts)
    lattices = [request.lattice for request in configurations]
    sides = np.array(
        [request.shape if request.lattice is None else (math.nan,) * 2 for request in configurations]
    )
    if any(lattices):
        columns["lattice"] = np.array([lattice_text(one) if one else "" for one in lattices])
        columns["cells"] = np.array([math.prod(request.shape) for request in configurations], np.int64)
    return columns | dict(zip(("rows", "cols"), sides.T, strict=True))
