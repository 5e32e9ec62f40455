"""The commands with parsers of their own: ``meiro measure`` and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meiro.cli import bench, completion, convert, measure, sampler_test, survey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS: dict[str, Callable[[Sequence[str]], None]] = {
    "measure": measure.run,
    "survey": survey.run,
    "convert": convert.run,
    "sampler-test": sampler_test.run,
    "bench": bench.run,
    "completion": completion.run,
}
