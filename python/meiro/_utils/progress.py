"""The argument ``progress=``: no report, a bar on standard error, or the user's own callable."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from meiro._utils.messages import short_repr

Progress = bool | Callable[[int, int], object]
"""False, True, or ``callable(done, total)``, called about fifty times a second."""


def reporter(progress: Progress, unit: int = 1) -> Callable[[int, int], object] | None:
    """Return the callback of the core, which counts cells; `unit` cells are one unit of the user."""
    if progress is False or progress is None:
        return None
    report = Bar() if progress is True else progress
    if not callable(report):
        raise TypeError(
            f"progress must be False, True or a callable(done, total), not {short_repr(progress)}"
        )
    if unit == 1:
        return report
    return lambda done, total: report(done // unit, total // unit)


def two_pass_reporters(progress: Progress | None) -> list[Callable[[int, int], object] | None]:
    """Split a progress callback over two passes, so that it never decreases."""
    report = reporter(False if progress is None else progress)
    if report is None:
        return [None, None]
    return [lambda done, total: report(done, 2 * total), lambda done, total: report(done + total, 2 * total)]


def paced(report: Callable[[int, int], object] | None) -> Callable[[int, int], object]:
    """Return a callback for calls from Python loops: one in 20 ms and the last are passed on, if any."""
    after = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal after
        if report is not None and (done == total or time.monotonic() >= after):
            after = time.monotonic() + 0.02
            report(done, total)

    return tell


def survey_bar() -> Callable[[int, int], object]:
    """Return a bar of tqdm, which draws in notebooks too, or a `Bar` if tqdm is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Bar()
    return TqdmBar(tqdm)


def close_bar(report: Callable[[int, int], object] | None) -> None:
    """Close the bar of ``progress=True``; a callable of the user is left as it is."""
    if isinstance(report, Bar | TqdmBar):
        report.close()


class TqdmBar:
    """A bar of tqdm as a progress callback."""

    def __init__(self, tqdm: Callable[..., Any]) -> None:
        self._tqdm = tqdm
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=total, unit=" mazes")
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """End the line of the bar, which stays visible."""
        if self._bar is not None:
            self._bar.close()


class Bar:
    """A line on `out` that is redrawn, from `after` seconds on, and erased at the end."""

    def __init__(self, out: TextIO | None = None, after: float = 0.0) -> None:
        self._out = sys.stderr if out is None else out
        self._begun = time.monotonic()
        self._after = after
        self._drawn = 0

    def __call__(self, done: int, total: int) -> None:
        """Redraw the bar."""
        if done >= total:
            self.close()
            return
        if time.monotonic() - self._begun < self._after:
            return
        share = done / total
        line = f"[{'#' * int(share * 40):<40}] {100 * share:3.0f} %  {time.monotonic() - self._begun:.0f} s"
        self._drawn = len(line)  # first: Ctrl-C may come while it is written
        self._out.write("\r" + line)
        self._out.flush()

    def close(self) -> None:
        """Erase the bar."""
        if self._drawn:
            self._out.write("\r" + " " * self._drawn + "\r")
            self._out.flush()
            self._drawn = 0
