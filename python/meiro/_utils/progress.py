"""``progress=``: nothing, a bar on standard error, or the user's own callable."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

Progress = bool | Callable[[int, int], object]
"""False, True, or ``callable(done, total)``, called about fifty times a second."""


def reporter(progress: Progress, unit: int = 1) -> Callable[[int, int], object] | None:
    """Return what the core calls with its counts of cells; `unit` cells make one of the user's units."""
    if progress is False or progress is None:
        return None
    told = Bar() if progress is True else progress
    if not callable(told):
        msg = f"progress must be False, True or a callable(done, total), not {progress!r}"
        raise TypeError(msg)
    if unit == 1:
        return told
    return lambda done, total: told(done // unit, total // unit)


def two_pass_reporters(progress: Progress | None) -> list[Callable[[int, int], object] | None]:
    """Return two reporters for work that is done twice: what they tell never goes back."""
    told = reporter(progress or False)
    if told is None:
        return [None, None]
    return [lambda done, total: told(done, 2 * total), lambda done, total: told(done + total, 2 * total)]


def bar() -> Callable[[int, int], object]:
    """Return a bar of tqdm, which knows notebooks too, or a `Bar` where it is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Bar()
    return _Tqdm(tqdm)


class _Tqdm:
    """A bar of tqdm, called as all others are."""

    def __init__(self, tqdm: Callable[..., Any]) -> None:
        self._tqdm = tqdm
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=total, unit=" mazes")
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Leave the bar as it is: what is written next begins a line."""
        if self._bar is not None:
            self._bar.close()


class Bar:
    """A line on `out` that is drawn over and over, from `after` seconds on, and wiped at the end."""

    def __init__(self, out: TextIO | None = None, after: float = 0.0) -> None:
        self._out = sys.stderr if out is None else out
        self._begun = time.monotonic()
        self._after = after
        self._drawn = 0

    def __call__(self, done: int, total: int) -> None:
        """Draw the bar as it is now."""
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
        """Leave no trace of the bar."""
        if self._drawn:
            self._out.write("\r" + " " * self._drawn + "\r")
            self._out.flush()
            self._drawn = 0
