"""What every campaign reports, and how long it may go on."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from pathlib import Path

T = TypeVar("T")
KINDS = ("crash", "hang", "undocumented exception", "wrong answer")
KEPT = 40  # findings of one kind that a report describes


class Campaign:
    """Counts of one campaign: attempts, and findings of each kind.

    A campaign is a module of this folder with ``def run(campaign: Campaign) -> None``. It begins each attempt
    with `attempt` and ends when `time_left` is not positive, or when everything has been tried.

    Parameters
    ----------
    seconds : float
        How long it may go on.
    seed : int
        What is random in it is made from this number.
    report : path
        File of the counts; written at the end, and by long campaigns from time to time.
    """

    def __init__(self, seconds: float, seed: int, report: Path) -> None:
        self.seconds = seconds
        self.seed = seed
        self.tried = 0
        self.counts: Counter[str] = Counter()
        self.findings: list[str] = []
        self.notes: dict[str, object] = {}
        self._report = report
        self._began = time.monotonic()
        self._current = os.open(report.with_suffix(".current"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    def prepared(self) -> None:
        """Begin to count the seconds: what there is to try is known."""
        self._began = time.monotonic()

    def time_left(self) -> float:
        """Return the seconds that are left."""
        return self.seconds - (time.monotonic() - self._began)

    def in_turn(self, things: Sequence[T], rng: random.Random) -> Iterator[T]:
        """Yield all things in random order, again and again, while time is left."""
        while True:
            for thing in rng.sample(things, len(things)):
                if self.time_left() <= 0:
                    return
                yield thing

    def attempt(self, what: str) -> None:
        """Count an attempt and keep its description, which names the culprit if the process dies."""
        self.tried += 1
        line = what.encode(errors="backslashreplace")[:2000]
        os.pwrite(self._current, line + b"\n", 0)
        os.ftruncate(self._current, len(line) + 1)

    def found(self, kind: str, what: str) -> None:
        """Count a finding of a kind of `KINDS` and describe it so that it can be repeated."""
        assert kind in KINDS, kind
        self.counts[kind] += 1
        if self.counts[kind] <= KEPT:
            self.findings.append(f"{kind}: {what}")

    def note(self, name: str, value: object) -> None:
        """Add a figure to the report, as a latency or a slope of memory."""
        self.notes[name] = value

    def write(self) -> None:
        """Write the report."""
        new = self._report.with_suffix(".new")
        new.write_text(
            json.dumps(
                {
                    "tried": self.tried,
                    "seconds": round(time.monotonic() - self._began, 1),
                    "counts": {kind: self.counts[kind] for kind in KINDS},
                    "findings": self.findings,
                    "notes": self.notes,
                },
                indent=1,
            ),
            "utf-8",
        )
        new.replace(self._report)
