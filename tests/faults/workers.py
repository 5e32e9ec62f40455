"""Workers of a survey that die, raise, or return what they should not; executors that lose them; bad files.

Each attempt runs one survey on an executor, with one fault at a random job. It must end within seconds: with
the table of the serial survey, to the last bit, or with a documented error. Rows that were measured before
are rows of the serial survey, none twice, and a survey in a folder that is continued has the serial table.
"""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
from same_tables import same

import meiro
from meiro.seeds import STREAM
from meiro.stats.surveys import jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from campaign import Campaign

GIVEN: dict[str, Any] = {
    "algorithms": ["wilson", ("growing_tree", {"choose": "random"})],
    "shapes": [(8, 8), (5, 12)],
    "n": 60,
    "rng": 7,
    "measures": ["dead_ends", "diameter", "horizontal_share"],
}
LIMIT = 30.0  # seconds for one survey, on a machine with other work
CLUSTER_STARTS = 40.0  # seconds that a cluster of Dask may need to start and to end
DOCUMENTED = (RuntimeError, ValueError, TypeError, MemoryError)

Work = Callable[[Any], Any]


class HungError(BaseException):
    """A survey took longer than `LIMIT`."""


class UnpicklableError(Exception):
    """Cannot be sent: it holds a lock."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.lock = threading.Lock()


class UnloadableError(Exception):
    """Can be sent and not be received: pickle calls the class with one argument."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(one + two)


# What the worker does in place of a job. `work` does the job.


def exits(_work: Work, _job: object) -> None:
    os._exit(3)


def is_killed(_work: Work, _job: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def raises(error: type[BaseException], _work: Work, _job: object) -> None:
    raise error("no luck")


def raises_unloadable(_work: Work, _job: object) -> None:
    raise UnloadableError(1, 2)


def is_late(work: Work, job: object) -> object:
    time.sleep(0.3)
    return work(job)


def returns_other(result: object, _work: Work, _job: object) -> object:
    return result


def does_another_job(change: dict[str, Any], work: Work, job: jobs.Job) -> object:
    return work(job._replace(**change))


def does_half(work: Work, job: jobs.Job) -> object:
    return work(job._replace(n=job.n // 2))


def has_another_stream(work: Work, job: object) -> object:
    """Be another version of meiro: its mark says so, as workers may share the memory of who compares it."""
    mark, result = work(job)
    return mark.replace(f"stream {STREAM}", "stream -1"), result


IN_WORKER: dict[str, Callable[..., object]] = {
    "raises OSError": functools.partial(raises, OSError),
    "raises MemoryError": functools.partial(raises, MemoryError),
    "raises an exception that cannot be sent": functools.partial(raises, UnpicklableError),
    "is late": is_late,
    "returns None": functools.partial(returns_other, None),
    "returns a pair": functools.partial(returns_other, (1, 2)),
    "does the first job again": functools.partial(does_another_job, {"first": 0, "replicate": 0}),
    "does the job of another configuration": functools.partial(does_another_job, {"configuration": 3}),
    "has another key": functools.partial(does_another_job, {"key": (1, 2)}),
    "does half of the job": does_half,
    "has another stream": has_another_stream,
}
IN_PROCESS: dict[str, Callable[..., object]] = {
    "exits": exits,
    "is killed": is_killed,
    "raises SystemExit": functools.partial(raises, SystemExit),
    "raises KeyboardInterrupt": functools.partial(raises, KeyboardInterrupt),
    "raises an exception that cannot be received": raises_unloadable,
}
HARMLESS = {"none", "is late"}  # faults after which the survey has its table
BREAKING = {*IN_PROCESS, "shuts down", "shuts down and cancels", "raises an exception that cannot be sent"}


# What the executor does in place of handing over a job.


def cancels(pool: Faulty, work: Work, job: object) -> Future[Any]:
    future = pool.own.submit(work, job)
    future.cancel()
    return future


def cancels_later(pool: Faulty, work: Work, job: object) -> Future[Any]:
    future = pool.own.submit(is_late, work, job)
    threading.Timer(0.05, future.cancel).start()
    return future


def repeats_a_future(pool: Faulty, work: Work, job: object) -> Future[Any]:
    return pool.last or pool.own.submit(work, job)


def shuts_down(pool: Faulty, work: Work, job: object) -> Future[Any]:
    future = pool.own.submit(work, job)
    pool.own.shutdown(wait=False)
    return future


def shuts_down_and_cancels(pool: Faulty, work: Work, job: object) -> Future[Any]:
    future = pool.own.submit(work, job)
    with contextlib.suppress(TypeError):  # Dask's takes no such argument
        pool.own.shutdown(wait=False, cancel_futures=True)
    return future


def hands_over_a_lambda(pool: Faulty, work: Work, job: object) -> Future[Any]:
    return pool.own.submit(lambda: work(job))


def fails_to_submit(pool: Faulty, work: Work, job: object) -> Future[Any]:
    pool.own.submit(work, job)
    raise RuntimeError("no luck")


IN_EXECUTOR: dict[str, Callable[..., Future[Any]]] = {
    "cancels": cancels,
    "cancels later": cancels_later,
    "repeats a future": repeats_a_future,
    "shuts down": shuts_down,
    "shuts down and cancels": shuts_down_and_cancels,
    "hands over a lambda": hands_over_a_lambda,
    "fails to submit": fails_to_submit,
}


class Faulty(Executor):
    """Hands jobs to another executor, and has one fault at one job."""

    def __init__(self, own: Executor, fault: str, at: int) -> None:
        self.own, self.fault, self.at = own, fault, at
        self.jobs = 0
        self.last: Future[Any] | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert not kwargs
        self.jobs += 1
        if self.jobs == self.at and self.fault in IN_EXECUTOR:
            return IN_EXECUTOR[self.fault](self, fn, *args)
        if self.jobs == self.at and self.fault != "none":
            return self.own.submit({**IN_WORKER, **IN_PROCESS}[self.fault], fn, *args)
        self.last = self.own.submit(fn, *args)
        return self.last


@contextlib.contextmanager
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


@contextlib.contextmanager
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("forkserver")) as pool:
        yield pool


@contextlib.contextmanager
def loky_processes() -> Iterator[Executor]:
    import loky

    pool = loky.ProcessPoolExecutor(2)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, kill_workers=True)


POOLS: dict[str, Callable[[], contextlib.AbstractContextManager[Executor]]] = {
    "threads": threads,
    "processes": processes,
    "loky": loky_processes,
}


def local_cluster(n_workers: int, scratch: str | Path, *, processes: bool = True) -> Any:
    """Return a cluster of Dask on this machine; its default folder is shared with all that runs here."""
    import distributed

    return distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=n_workers,
        threads_per_worker=1,
        processes=processes,
        host="127.0.0.1" if processes else None,
        dashboard_address="127.0.0.1:0",
        local_directory=str(scratch),
        silence_logs=50,
    )


def run(campaign: Campaign) -> None:
    here, given = Path(__file__).parent, filter(None, [os.environ.get("PYTHONPATH")])
    os.environ["PYTHONPATH"] = os.pathsep.join([str(here), str(here.parent / "helpers"), *given])
    multiprocessing.set_forkserver_preload([__name__])
    jobs.SHARED_CELLS, jobs.PART_CELLS = 1, 64 * 20
    trials = Trials(campaign)
    turns = 0
    with without_the_errors_of_workers():
        while campaign.time_left() > 0:
            if campaign.time_left() > CLUSTER_STARTS:
                trials.on_a_cluster()
            turns += trials.on_pools()
    campaign.note("seconds of the longest survey", round(trials.longest, 2))
    campaign.note("every fault on every executor", f"{turns} times" if turns else "not in this time")


@contextlib.contextmanager
def without_the_errors_of_workers() -> Iterator[None]:
    """Send what workers write when they end to nowhere; a crash of this process is still described."""
    sys.stderr.flush()
    kept = os.dup(2)
    faulthandler.enable(kept)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        faulthandler.enable()
        os.close(kept)


def lines_of(table: meiro.Table) -> list[tuple[str, ...]]:
    """Return the rows as text, so that NaN is equal to itself."""
    return list(zip(*(map(str, table[name].tolist()) for name in table), strict=True))


class Trials:
    """Surveys with faults, and the tables of the serial survey."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.draw = random.Random(campaign.seed)
        self.longest = 0.0  # seconds
        self.summary = meiro.survey(**GIVEN)
        self.rows = meiro.survey(**GIVEN, by="maze")
        self.lines = set(lines_of(self.rows))

    def on_pools(self) -> bool:
        """Try every fault on every executor; a pool that a fault may have ended is replaced by a new one."""
        for kind, make in POOLS.items():
            faults = ["none", *IN_WORKER, *IN_EXECUTOR, *(IN_PROCESS if kind != "threads" else ())]
            self.draw.shuffle(faults)
            while faults:
                with make() as pool:
                    fault = ""
                    while faults and fault not in BREAKING:
                        if self.campaign.time_left() <= 0:
                            return False
                        fault = faults.pop()
                        self.survey(f"{kind}: a worker or the executor {fault}", pool, fault)
                        if fault not in BREAKING and pool.submit(abs, -1).result(LIMIT) != 1:
                            self.campaign.found("wrong answer", f"{kind}: not usable after {fault}")
        return True

    def on_a_cluster(self) -> None:
        """Try the faults on one cluster of Dask; then a worker is killed, and the cluster is closed."""
        import distributed

        with (
            tempfile.TemporaryDirectory() as scratch,
            local_cluster(2, scratch) as cluster,
            distributed.Client(cluster) as client,  # type: ignore[no-untyped-call]
        ):
            pids = client.run(os.getpid)
            faults = ["none", *IN_WORKER, "cancels", "repeats a future", "fails to submit"]
            for fault in self.draw.sample(faults, len(faults)):
                pool = client.get_executor(pure=False)
                self.survey(f"dask: a worker or the executor {fault}", pool, fault)
            for what, action in {
                "a worker is killed": lambda: os.kill(next(iter(pids.values())), signal.SIGKILL),
                "the client is restarted": threading.Thread(target=client.restart).start,
                "the cluster is closed": threading.Thread(target=cluster.close).start,
            }.items():
                fault = "none" if "killed" in what else "ends"
                self.survey(f"dask: {what}", client, fault, at_half(action))

    def survey(
        self, what: str, pool: Any, fault: str, progress: Callable[[int, int], object] | None = None
    ) -> None:
        """Run one survey with one fault and report what is wrong with its end."""
        by = self.draw.choice(["summary", "maze", "folder"])
        at = self.draw.choice([1, 2, 30, 100, 116, self.draw.randint(1, 120)])  # of 120 jobs
        what = f"{what}, at job {at}, by={by}"
        self.campaign.attempt(what)
        given = {**GIVEN, "by": "summary" if by == "summary" else "maze"}
        with tempfile.TemporaryDirectory() as folder:
            if by == "folder":
                given["out"] = folder
            began = time.monotonic()
            executor = pool if progress else Faulty(pool, fault, at)
            self.check(what, fault, {**given, "executor": executor, "progress": progress or False})
            self.longest = max(self.longest, time.monotonic() - began)
            if by == "folder":
                again = meiro.survey(**given, resume=True)
                n = sum(pq.read_metadata(file).num_rows for file in Path(folder).glob("*.parquet"))
                if not same(again, self.summary) or n != len(self.rows):
                    self.campaign.found("wrong answer", f"{what}: another table when it was continued")

    def check(self, what: str, fault: str, given: dict[str, Any]) -> None:
        """Report a table that is not that of the serial survey, and an error that it should not raise."""
        wanted = self.rows if given["by"] == "maze" and "out" not in given else self.summary
        old = signal.signal(signal.SIGALRM, hung)
        signal.setitimer(signal.ITIMER_REAL, LIMIT)
        try:
            table = meiro.survey(**given)
        except HungError:
            self.campaign.found("hang", f"{what}: no end after {LIMIT} s")
        except BaseException as error:  # noqa: BLE001  # what a user would get
            if not isinstance(error, DOCUMENTED) or fault in HARMLESS:
                self.campaign.found("undocumented exception", f"{what}: {error!r}")
            if not self.are_mine(error.partial):  # type: ignore[attr-defined]
                self.campaign.found("wrong answer", f"{what}: rows that are not of the serial survey")
        else:
            if fault == "has another stream" or not same(table, wanted):
                self.campaign.found("wrong answer", f"{what}: another table")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)

    def are_mine(self, partial: meiro.Table) -> bool:
        """Return whether a table of a part of the mazes has rows of the serial survey, and none twice."""
        if "replicate" not in partial:  # a summary
            return all(n <= GIVEN["n"] for n in partial["n"].tolist())
        lines = lines_of(partial)
        return len(lines) == len(set(lines)) and self.lines.issuperset(lines)


def hung(_signal: int, _frame: object) -> None:
    raise HungError


def at_half(action: Callable[[], object]) -> Callable[[int, int], None]:
    """Return a progress callback that acts once, when half of the mazes are measured."""
    once = [action]

    def progress(done: int, total: int) -> None:
        if once and done > total // 2:
            once.pop()()

    return progress
