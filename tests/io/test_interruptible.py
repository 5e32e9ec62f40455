"""Work of other libraries in a thread: results and errors come back, and Ctrl-C does not wait for it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from refusals import refused

from meiro._utils.interruptible import interruptible, result_of


def test_results_and_errors_come_back() -> None:
    before = threading.active_count()
    assert interruptible(lambda check: check() or 7) == 7  # type: ignore[func-returns-value]
    refused(ZeroDivisionError, "by zero", interruptible, lambda _: 1 // 0)
    assert threading.active_count() == before


def test_other_threads_work_themselves() -> None:
    found: list[bool] = []
    thread = threading.Thread(
        target=lambda: found.append(interruptible(lambda _: threading.current_thread() is thread))
    )
    thread.start()
    thread.join()
    assert found == [True]


def test_without_another_thread_the_main_one_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert interruptible(lambda _: threading.current_thread() is threading.main_thread())


def test_ctrl_c_ends_the_wait_at_once_and_the_work_at_its_next_check() -> None:
    steps: list[int] = []
    ended = threading.Event()

    def work(check: Callable[[], None]) -> None:
        try:
            for step in range(100):
                if step == 1:
                    os.kill(os.getpid(), signal.SIGINT)
                check()
                steps.append(step)
                time.sleep(0.3)
        finally:
            ended.set()

    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    assert len(steps) <= 2
    assert ended.wait(5)
    assert len(steps) <= 2


def test_ctrl_c_ends_waits_for_a_future_where_a_handler_has_system_calls_go_on() -> None:
    """As that of polars does, which Python is told of, but the wait is not."""
    signal.siginterrupt(signal.SIGINT, False)  # noqa: FBT003
    try:
        with ThreadPoolExecutor(1) as pool:
            assert result_of(pool.submit(int, "7")) == 7
            refused(ZeroDivisionError, "by zero", result_of, pool.submit(divmod, 1, 0))
            future = pool.submit(time.sleep, 3)
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            with pytest.raises(KeyboardInterrupt):
                result_of(future)
            assert not future.done()
    finally:
        signal.siginterrupt(signal.SIGINT, True)  # noqa: FBT003
