"""The argument `progress=`: when reports come, and what bars write."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import meiro
from meiro._utils import progress
from meiro.exact import _completions

ROOM = np.zeros((50, 50), np.uint8)
MAZE = meiro.generate((12, 10), rng=1)
MANY = meiro.generate_many((8, 8), n=2000, rng=2)
CALLS: dict[str, tuple[Callable[[Path, Any], object], int]] = {  # with the last total: of cells, mazes, rows
    "shortest_paths": (lambda _, p: meiro.shortest_paths(ROOM, (0, 0), (49, 49), progress=p), 2500),
    "solve_many": (lambda _, p: meiro.solve_many(MANY[:7], progress=p), 7 * 64),
    "measure": (lambda _, p: meiro.measure(MANY, progress=p), 2000),
    "position_map": (lambda _, p: meiro.position_map(MANY, "turns", progress=p), 2000),
    "generate_many": (lambda _, p: meiro.generate_many((40, 40), n=3000, rng=1, threads=2, progress=p), 3000),
    "generators.region": (
        lambda _, p: meiro.generators.region((900, 900), "sidewinder", rows=slice(100), progress=p),
        90_000,
    ),
    "solvers.distances_by_bands": (lambda _, p: meiro.solvers.distances_by_bands(MAZE, progress=p), 240),
    "origin_shift": (lambda _, p: meiro.origin_shift(MANY[:23], 30, rng=2, threads=2, progress=p), 23 * 64),
    "perturb": (lambda _, p: meiro.perturb(MANY[:23], 30, rng=2, threads=2, progress=p), 23 * 64),
    "rank": (lambda _, p: meiro.rank(MAZE, progress=p), 240),
    "unrank": (lambda _, p: meiro.unrank(10**20, (12, 10), progress=p), 240),
    "io.puzzle_book": (lambda at, p: meiro.io.puzzle_book(at / "a.pdf", MANY[:5], progress=p), 7),
    "io.pyramid": (lambda at, p: meiro.io.pyramid(MAZE, at / "tiles", progress=p), 25),
}


@pytest.mark.parametrize("name", CALLS)
def test_progress_ends_with_the_total_and_its_exception_stops_the_call(name: str, tmp_path: Path) -> None:
    call, total = CALLS[name]
    told: list[tuple[int, int]] = []
    _completions.elimination.cache_clear()
    call(tmp_path, lambda *now: told.append(now))
    assert told == sorted(told)
    assert told[0][0] >= 0
    assert told[-1] == (total, total)

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(tmp_path, stop)
    call(tmp_path, False)  # noqa: FBT003  # nothing stands in its way


@pytest.fixture(name="now")
def now_fixture(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in seconds."""
    now = [100.0]
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_bar_appears_after_a_while_and_is_erased(now: list[float]) -> None:
    out = io.StringIO()
    bar = progress.Bar(out, after=1.0)
    bar(1, 4)
    now[0] += 0.9
    bar(2, 4)
    assert out.getvalue() == ""
    now[0] += 2.1
    bar(3, 4)
    line = f"[{'#' * 30}{' ' * 10}]  75 %  3 s"
    assert out.getvalue() == f"\r{line}"
    bar(4, 4)
    assert out.getvalue() == f"\r{line}\r{' ' * len(line)}\r"
    bar.close()
    assert out.getvalue().count("\r") == 3, "it is erased once"


def test_paced_reports_come_every_20_ms_and_at_the_end(now: list[float]) -> None:
    seen: list[tuple[int, int]] = []
    tell = progress.paced(lambda done, total: seen.append((done, total)))
    for done in range(1, 11):
        tell(done, 10)
        now[0] += 0.008
    assert seen == [(1, 10), (4, 10), (7, 10), (10, 10)]
    tell(10, 10)
    assert seen[-2:] == [(10, 10), (10, 10)]


def test_two_passes_are_one_that_never_decreases() -> None:
    seen: list[tuple[int, int]] = []
    first, second = progress.two_pass_reporters(lambda done, total: seen.append((done, total)))
    assert first is not None
    assert second is not None
    for report in (first, second):
        for done in (0, 2, 5):
            report(done, 5)
    assert seen == [(0, 10), (2, 10), (5, 10), (5, 10), (7, 10), (10, 10)]
    assert progress.two_pass_reporters(None) == progress.two_pass_reporters(progress=False) == [None, None]


def test_bar_of_tqdm_is_made_by_the_first_report() -> None:
    steps: list[object] = []

    class Tqdm:
        def __init__(self, **given: object) -> None:
            steps.append(given)
            self.n = 0

        def update(self, more: int) -> None:
            self.n += more
            steps.append(self.n)

        def close(self) -> None:
            steps.append("closed")

    progress.close_bar(progress.TqdmBar(Tqdm))
    assert steps == []
    bar = progress.TqdmBar(Tqdm)
    bar(2, 9)
    bar(9, 9)
    progress.close_bar(bar)
    assert steps == [{"total": 9, "unit": " mazes"}, 2, 9, "closed"]
