"""Lines on standard error, beside what is printed."""

from __future__ import annotations

import sys
from contextlib import suppress

from meiro._utils.messages import printable


def note(line: str) -> None:
    """Print a line on standard error, if there is one."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(printable(line), file=sys.stderr, flush=True)
