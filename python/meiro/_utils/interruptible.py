"""Ctrl-C while a thread is waited for, such as one in which another library computes, which does not poll."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

Result = TypeVar("Result")
_WAIT = 0.05  # seconds; not every platform, nor every handler of signals, interrupts a wait


def interruptible(work: Callable[[Callable[[], None]], Result]) -> Result:
    """Return what ``work(check)`` returns.

    It runs in a thread, while the main thread waits for it or for Ctrl-C; after that it ends at its next call
    of `check`, which it makes between calls of the other library.
    """
    if threading.current_thread() is not threading.main_thread():
        return work(lambda: None)
    stopped = threading.Event()
    found: list[Result] = []
    failed: list[BaseException] = []

    def check() -> None:
        if stopped.is_set():
            raise InterruptedError

    def run() -> None:
        try:
            found.append(work(check))
        except BaseException as e:  # noqa: BLE001  # raised in the main thread
            failed.append(e)

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # there can be no more threads
        return work(lambda: None)
    try:
        while thread.is_alive():
            thread.join(_WAIT)
    finally:
        stopped.set()
    if failed:
        raise failed[0]
    return found[0]


def result_of(future: Future[Result]) -> Result:
    """Return the result of a future; Ctrl-C ends the wait for it."""
    from concurrent.futures import wait

    while not future.done():
        wait([future], _WAIT)
    return future.result()
