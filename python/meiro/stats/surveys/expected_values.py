"""What a mean must be where that is known, exactly or as published: the numbers of data/known_values.json."""

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
_PULLEN_COLUMNS = {
    "dead_end_share": (0, 0.5),
    "solution_share": (1, 0.05),
}  # which of his numbers; what rounding hides
_LAW_PRESERVING_OPTIONS = {"uniform": {"start"}, "binary_tree": {"corner"}, "sidewinder": {"towards"}}


class ExpectedMean(NamedTuple):
    """What a mean is expected to be."""

    value: float
    uncertainty: float  # of the value itself, as a standard deviation; 0 if it is exact
    source: str

    def z(self, mean: float, standard_error: float) -> float:
        """Return by how many standard errors a mean is off."""
        off = mean - self.value
        error = math.hypot(standard_error, self.uncertainty)
        if error == 0:  # a measure that is the same in every maze
            return 0.0 if math.isclose(mean, self.value) else math.copysign(math.inf, off)
        return off / error


def expected_mean(request: GenerateRequest, measure: str) -> ExpectedMean | None:
    """Return what the mean of a measure is known to be for such mazes, or None."""
    if request.mask is not None or any(request.wrap):
        return None
    return _exact(request, measure) or _published(request, measure)


@functools.cache
def _values() -> Mapping[str, Any]:
    values: Mapping[str, Any] = json.loads(
        (Path(__file__).parents[2] / "exact/data/known_values.json").read_text("utf-8")
    )
    return values


def _exact(request: GenerateRequest, measure: str) -> ExpectedMean | None:
    law, cells = request.facts.law, math.prod(request.shape)
    if law not in _LAW_PRESERVING_OPTIONS or not set(request.kept) <= _LAW_PRESERVING_OPTIONS[law]:
        return None
    if measure == "dead_end_share":
        count = _exact(request, "dead_ends")
        return None if count is None else count._replace(value=count.value / cells)
    mine, side = _values()[law], _side(request.shape)
    source = str(mine["source_of_counts"])
    if law == "uniform" and measure in _COUNTS:
        counts = mine["expected_counts"].get(side)
        return None if counts is None else ExpectedMean(counts[_COUNTS[measure]], 0, source)
    if law == "binary_tree" and measure == "dead_ends" and min(request.shape) > 1:
        rule = mine["expected_dead_ends"]
        return ExpectedMean(cells * rule["of_cells"] + rule["plus"], 0, source)
    if law == "sidewinder" and measure == "dead_ends" and side in mine["expected_dead_ends"]:
        return ExpectedMean(mine["expected_dead_ends"][side], 0, source)
    return None


def _published(request: GenerateRequest, measure: str) -> ExpectedMean | None:
    """Return Pullen's number, if the rule is his: begun anywhere."""
    his = _values()["walter_pullen_think_labyrinth"]
    row = his.get(request.facts.name, ())
    anywhere = {"start": "random"} if "start" in request.facts.options else {}
    if (
        measure not in _PULLEN_COLUMNS
        or len(row) != 2
        or request.kept != anywhere
        or _side(request.shape) != his["shape"]
    ):
        return None
    which, half = _PULLEN_COLUMNS[measure]
    return ExpectedMean(row[which] / 100, half / 100 / math.sqrt(3), his["source"])


def _side(shape: tuple[int, int]) -> str:
    return f"{shape[0]}x{shape[1]}"
