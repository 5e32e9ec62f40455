"""How many threads share the work."""

from __future__ import annotations

import operator
import os
from typing import Literal

from meiro.errors import shown

Threads = int | Literal["all"] | None


def threads_of(threads: Threads) -> int:
    """Return a number of threads: 1 for None, the process's share of the machine for "all"."""
    if threads is None:
        return 1
    if threads == "all":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        count = operator.index(threads)
    except TypeError:
        msg = f'threads must be a positive integer or "all", not {shown(threads)}'
        raise TypeError(msg) from None
    if isinstance(threads, bool) or count < 1:
        msg = f'threads must be a positive integer or "all", not {threads}'
        raise ValueError(msg)
    return min(count, 1024)
