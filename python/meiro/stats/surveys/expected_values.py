"""Means that are known, exactly or as published: the numbers of exact/data/known_values.json."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from meiro.generators.request import GenerateRequest

_COUNTS = {
    "dead_ends": "dead",
    "corridors": "deg2",
    "junctions": "deg3",
    "crossroads": "deg4",
    "straights": "straight",
    "turns": "turn",
}
_PULLEN_COLUMNS = {"dead_end_share": (0, 0.5), "solution_share": (1, 0.05)}  # column, rounding error in %
_LAW_PRESERVING_OPTIONS = {"uniform": {"start"}, "binary_tree": {"corner"}, "sidewinder": {"towards"}}


class ExpectedMean(NamedTuple):
    """The known mean of a measure."""

    value: float
    uncertainty: float  # of the value itself, as a standard deviation; 0 if it is exact
    source: str

    def z(self, mean: float, standard_error: float) -> float:
        """Return the deviation of a sample mean in standard errors."""
        difference = mean - self.value
        error = math.hypot(standard_error, self.uncertainty)
        if error == 0:  # the measure is the same in every maze
            return 0.0 if math.isclose(mean, self.value) else math.copysign(math.inf, difference)
        return difference / error


def expected_mean(request: GenerateRequest, measure: str) -> ExpectedMean | None:
    """Return the known mean of a measure of a configuration, or None."""
    if request.mask is not None or any(request.wrap):
        return None
    return _exact_mean(request, measure) or _published_mean(request, measure)


@functools.cache
def _known_values() -> Mapping[str, Any]:
    path = Path(__file__).parents[2] / "exact/data/known_values.json"
    values: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return values


def _exact_mean(request: GenerateRequest, measure: str) -> ExpectedMean | None:
    law, cells = request.facts.law, math.prod(request.shape)
    if law not in _LAW_PRESERVING_OPTIONS or not set(request.kept) <= _LAW_PRESERVING_OPTIONS[law]:
        return None
    if measure == "dead_end_share":
        count = _exact_mean(request, "dead_ends")
        return None if count is None else count._replace(value=count.value / cells)
    values, size = _known_values()[law], _size(request.shape)
    source = str(values["source_of_counts"])
    if law == "uniform" and measure in _COUNTS:
        counts = values["expected_counts"].get(size)
        return None if counts is None else ExpectedMean(counts[_COUNTS[measure]], 0, source)
    if law == "binary_tree" and measure == "dead_ends" and min(request.shape) > 1:
        rule = values["expected_dead_ends"]
        return ExpectedMean(cells * rule["of_cells"] + rule["plus"], 0, source)
    if law == "sidewinder" and measure == "dead_ends" and size in values["expected_dead_ends"]:
        return ExpectedMean(values["expected_dead_ends"][size], 0, source)
    return None


def _published_mean(request: GenerateRequest, measure: str) -> ExpectedMean | None:
    """Return Pullen's number, if the configuration is his: a random start cell, at his size."""
    pullen = _known_values()["walter_pullen_think_labyrinth"]
    row = pullen.get(request.facts.name, ())
    options = {"start": "random"} if "start" in request.facts.options else {}
    if (
        measure not in _PULLEN_COLUMNS
        or len(row) != 2
        or request.kept != options
        or _size(request.shape) != pullen["shape"]
    ):
        return None
    column, rounding = _PULLEN_COLUMNS[measure]
    return ExpectedMean(row[column] / 100, rounding / 100 / math.sqrt(3), pullen["source"])


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[0]}x{shape[1]}"
