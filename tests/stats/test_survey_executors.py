"""The same table from threads, processes and a cluster, also where a worker fails."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import signal
import threading
import time
import types
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import distributed
import loky
import pytest
from refusals import refused
from same_tables import same
from workers import Faulty, local_cluster

import meiro
from meiro.seeds import STREAM
from meiro.stats.surveys import executors, jobs

GIVEN: dict[str, Any] = {
    "algorithms": ["kruskal", ("growing_tree", {"choose": {"newest": 2, "random": 1}})],
    "shapes": [(8, 8), (20, 30)],
    "n": 300,
    "rng": 7,
    "measures": ["dead_ends", "diameter", "horizontal_share", "mean_dead_end", "wiener_index"],
}


@pytest.fixture(autouse=True)
def small_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SHARED_CELLS", 1)


@pytest.fixture(scope="module")
def wanted() -> meiro.Table:
    return meiro.survey(**GIVEN)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def test_survey_in_threads(wanted: meiro.Table, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with ThreadPoolExecutor(3) as pool:
        table = meiro.survey(**GIVEN, executor=pool, threads=2, progress=lambda *now: told.append(now))
        assert same(table, wanted)
        rows = meiro.survey(**GIVEN, by="maze", executor=pool)
        assert same(meiro.survey(**GIVEN, by="maze", executor=pool, out=tmp_path), wanted)
        assert len(meiro.survey(**{**GIVEN, "n": 0}, executor=pool)) == 0
        assert pool.submit(abs, -1).result(5) == 1, "the pool is left open"
    assert same(rows, meiro.survey(**GIVEN, by="maze"))
    assert told[-1] == (1200, 1200)
    assert len(told) == len(set(told)) >= 4 * 30


def test_survey_in_processes(wanted: meiro.Table, processes: ProcessPoolExecutor) -> None:
    assert same(meiro.survey(**GIVEN, executor=processes), wanted)
    rows = meiro.survey(**GIVEN, by="maze", executor=processes)
    assert same(rows, meiro.survey(**GIVEN, by="maze"))


@pytest.mark.long
def test_survey_in_loky(wanted: meiro.Table) -> None:
    pool = loky.get_reusable_executor(max_workers=2, timeout=5)
    try:
        assert same(meiro.survey(**GIVEN, executor=pool), wanted)
    finally:
        pool.shutdown(wait=True, kill_workers=True)


@pytest.mark.long
@pytest.mark.timeout(400)  # five processes are started; on a machine with other work each takes its time
@pytest.mark.filterwarnings("ignore:Creating scratch directories:UserWarning")  # says Dask after a second
def test_survey_on_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    """One of two processes is killed in mid-run; the other repeats its jobs, which are counted once."""
    given = {**GIVEN, "n": 2000, "shapes": (20, 30), "measures": ["dead_ends", "horizontal_share"]}
    few = {**GIVEN, "n": 5}
    ended: list[int] = []
    with (
        local_cluster(2, tmp_path) as cluster,
        distributed.Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        pids = client.run(os.getpid)
        assert len(set(pids.values())) == 2
        assert os.getpid() not in pids.values()

        def end(done: int, total: int) -> None:
            if not ended and done > total // 10:
                ended.append(next(iter(pids.values())))
                os.kill(ended[0], signal.SIGKILL)

        table = meiro.survey(**given, executor=client, progress=end)
        assert len(ended) == 1
        again = meiro.survey(**few, by="maze", executor=client.get_executor(pure=False))
        words = r"'kruskal' of \(8, 8\), replicates \d+ to \d+: OSError: no luck"
        refused(RuntimeError, words, meiro.survey, **GIVEN, executor=Broken(client.get_executor(pure=False)))
        client.wait_for_workers(2)  # the cluster is not closed while it replaces the one that was killed
    assert same(table, meiro.survey(**given))
    assert same(again, meiro.survey(**few, by="maze"))
    refused(ValueError, "executor is a client of Dask that is closed", meiro.survey, **GIVEN, executor=client)


@pytest.mark.timeout(400)
@pytest.mark.filterwarnings("ignore:Creating scratch directories:UserWarning")
def test_survey_on_a_cluster_that_cancels_or_is_closed(tmp_path: Path) -> None:
    """The survey ends with an error; Dask's own executor may leave its futures pending."""
    with (
        local_cluster(1, tmp_path, processes=False) as cluster,
        distributed.Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):

        def cancel(_done: int, _total: int) -> None:
            client.cancel(
                [distributed.Future(key, client=client) for key in list(client.futures)], force=True
            )

        with pytest.raises(RuntimeError, match=r"replicates \d+ to \d+: .*Cancel"):
            meiro.survey(**{**GIVEN, "n": 3000}, executor=client, progress=cancel)
        closing = threading.Thread(target=cluster.close)

        def close(_done: int, _total: int) -> None:
            if closing.ident is None:
                closing.start()

        with pytest.raises((RuntimeError, ValueError), match=r"ancel|closed") as failed:
            meiro.survey(**{**GIVEN, "n": 3000}, executor=client, progress=close)
        closing.join()
    assert len(failed.value.partial) > 0  # type: ignore[attr-defined]


class Broken(Executor):
    """Hands other work to another executor."""

    def __init__(self, pool: Executor) -> None:
        self.pool = pool

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        del fn, args, kwargs
        return self.pool.submit(exec, "raise OSError('no luck')")


class Counting(Executor):
    """An executor with one slow thread that counts its pending jobs."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1)
        self.waiting = self.most = 0
        self.lock = threading.Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with self.lock:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
        future = self.pool.submit(fn, *args, **kwargs)
        future.add_done_callback(self._done)
        return future

    def _done(self, _: Future[Any]) -> None:
        with self.lock:
            self.waiting -= 1


def test_survey_submits_few_futures_at_a_time(wanted: meiro.Table) -> None:
    counting = Counting()
    with counting.pool:
        assert same(meiro.survey(**GIVEN, executor=counting), wanted)
    ahead = max(executors.PENDING_JOBS, 2 * (os.cpu_count() or 1))
    assert counting.most <= ahead < 4 * 30, "of some 120 jobs"


def test_survey_with_a_process_that_ends() -> None:
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), os._exit, (3,))
    words = r"'kruskal' of \(8, 8\), replicates \d+ to \d+: BrokenProcessPool: .*terminated abruptly"
    with pool, pytest.raises(RuntimeError, match=words):
        meiro.survey(**GIVEN, executor=pool)
    refused(RuntimeError, words, meiro.survey, **GIVEN, executor=pool)


def test_survey_with_an_executor_that_is_shut_down(tmp_path: Path) -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(ValueError, match=r"executor is shut down .*make a new one") as failed:
        meiro.survey(**GIVEN, executor=pool, by="maze", out=tmp_path)
    assert len(failed.value.partial) == 0  # type: ignore[attr-defined]
    assert not list(tmp_path.iterdir())


def test_survey_with_an_executor_shut_down_in_mid_run() -> None:
    pool = ThreadPoolExecutor(1)
    with pytest.raises((ValueError, RuntimeError), match=r"executor is shut down|CancelledError"):
        meiro.survey(
            **GIVEN, executor=pool, progress=lambda *_: pool.shutdown(wait=False, cancel_futures=True)
        )


RETURNED = r"replicates 20 to 29: ValueError: the executor returned the result of "
FAULTS: dict[str, tuple[type[Exception], str]] = {  # of the third job
    "raises OSError": (RuntimeError, r"'kruskal' of \(8, 8\), replicates 20 to 29: OSError: no luck"),
    "returns None": (RuntimeError, f"{RETURNED}None"),
    "does the first job again": (RuntimeError, f"{RETURNED}.*replicates 0 to 9"),
    "has another stream": (RuntimeError, f"stream -1.*, not of .*stream {STREAM}"),
    "repeats a future": (TypeError, "executor must return .*Future objects, a new one for each job"),
    "cancels": (RuntimeError, "replicates 20 to 29: CancelledError"),
    "fails to submit": (RuntimeError, "^no luck$"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_worker_or_of_the_executor_is_named(fault: str) -> None:
    error, words = FAULTS[fault]
    with ThreadPoolExecutor(1) as pool, pytest.raises(error, match=words) as failed:
        meiro.survey(**GIVEN, by="maze", executor=Faulty(pool, fault, 3))
    if fault == "raises OSError":
        assert isinstance(failed.value.__cause__, OSError)
        with pytest.raises(error) as summed:
            meiro.survey(**GIVEN, executor=Faulty(ThreadPoolExecutor(1), fault, 3))
        assert set(summed.value.partial["n"].tolist()) == {20}  # type: ignore[attr-defined]
    whole, partial = meiro.survey(**GIVEN, by="maze"), failed.value.partial  # type: ignore[attr-defined]
    assert same(partial, whole[: len(partial)])
    assert len(partial) <= 20


def test_survey_ends_when_its_last_futures_are_cancelled() -> None:
    """`shutdown` cancels them without waking a thread that waits for them."""
    begun, cancelled = threading.Event(), threading.Event()
    pool = ThreadPoolExecutor(1)

    def hold() -> None:
        begun.set()
        cancelled.wait(60)

    pool.submit(hold)

    def shut_down() -> None:
        while not begun.is_set() or pool._work_queue.empty():
            time.sleep(0.001)
        pool.shutdown(wait=False, cancel_futures=True)
        cancelled.set()

    thread = threading.Thread(target=shut_down)
    thread.start()
    with pytest.raises(RuntimeError, match="replicate 0: CancelledError: cancelled"):
        meiro.survey((8, 8), "wilson", 1, rng=1, executor=pool)
    thread.join()


# If it rings in a callback of the collector, Python prints the exception and goes on: it rings again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("in_threads", [False, True])
@pytest.mark.parametrize("error", [TimeoutError, RuntimeError, OSError, ValueError, ZeroDivisionError])
def test_survey_passes_the_exception_of_a_signal_handler(error: type[Exception], *, in_threads: bool) -> None:
    def expire(_signal: int, _frame: object) -> None:
        raise error("time is up")

    with ThreadPoolExecutor(2) as pool:
        old = signal.signal(signal.SIGALRM, expire)
        signal.setitimer(signal.ITIMER_REAL, 0.2, 2)
        try:
            with pytest.raises(error, match=r"^time is up") as raised:
                meiro.survey((300, 300), "wilson", 5000, rng=1, executor=pool if in_threads else None)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)
    assert type(raised.value) is error
    assert len(raised.value.partial) >= 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("what", [3, "dask", ThreadPoolExecutor, None.__class__], ids=repr)
def test_survey_refuses_other_executors(what: Any) -> None:
    words = r"executor must be a concurrent\.futures\.Executor or a client of Dask"
    refused(TypeError, words, meiro.survey, **GIVEN, executor=what)


def test_survey_takes_futures_of_another_kind() -> None:
    class Strange:
        def submit(self, fn: Callable[..., Any], job: Any) -> Any:
            return [fn, job]

    with pytest.raises(TypeError, match=r"executor must return concurrent\.futures\.Future"):
        meiro.survey(**GIVEN, executor=Strange())


def test_survey_refuses_what_cannot_be_pickled(processes: ProcessPoolExecutor) -> None:
    """What is sent to workers is checked before."""
    for given, error in (({"measures": [lambda: 1]}, TypeError), ({"algorithms": [lambda: 0]}, TypeError)):
        with pytest.raises(error):
            meiro.survey(**{**GIVEN, **given}, executor=processes)

    class Sends(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            return processes.submit(lambda: fn(*args, **kwargs))

    with pytest.raises(RuntimeError, match=r"'kruskal' of \(8, 8\), replicates 0 to 9: .*pickle"):
        meiro.survey(**GIVEN, executor=Sends())


def test_survey_stopped_by_ctrl_c_leaves_the_executor_usable() -> None:
    def stop(done: int, _total: int) -> None:
        if done > 400:
            signal.raise_signal(signal.SIGINT)

    counting = Counting()
    with counting.pool:
        with pytest.raises(KeyboardInterrupt) as stopped:
            meiro.survey(**GIVEN, by="maze", executor=counting, progress=stop)
        partial = stopped.value.partial  # type: ignore[attr-defined]
        assert 400 < len(partial) < 1200
        concurrent.futures.wait([counting.pool.submit(abs, 1)], timeout=5)
        assert counting.waiting <= 1, "what was not begun is cancelled"
    whole = meiro.survey(**GIVEN, by="maze")
    assert same(partial, whole[: len(partial)]), "one worker goes through them in order"


@pytest.mark.parametrize(
    ("state", "what"), [({"asynchronous": True}, TypeError), ({"status": "closed"}, ValueError)]
)
def test_survey_refuses_a_client_that_cannot_work(state: dict[str, Any], what: type[Exception]) -> None:
    client = types.SimpleNamespace(get_executor=None, **state)
    refused(what, r"^executor is an? (asynchronous )?client of Dask", meiro.survey, **GIVEN, executor=client)
