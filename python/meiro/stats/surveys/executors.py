"""Run the jobs of a survey: in this process, or on an executor with a bounded number of pending jobs."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro import _core
from meiro._core import __version__
from meiro._utils.messages import short_repr
from meiro.lattices.lattice import graph_of
from meiro.results.accumulators import Accumulator
from meiro.seeds import STREAM
from meiro.stats.surveys.jobs import lattice_of

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice
    from meiro.stats.surveys.jobs import Job

T = TypeVar("T")
Report = Callable[[int, int], object] | None

_EDGES = 1 << 22  # of mazes on a lattice that are in memory at a time
PENDING_JOBS = 16  # at least, submitted to an executor


def measure_job(job: Job, report: Report = None) -> NDArray[np.float64]:
    """Return the measures of the mazes of a job, one row for each maze."""
    seed = (*job.key, job.replicate)
    if job.lattice is not None:
        return _measure_on_lattice(job, lattice_of(job.lattice), report)
    shape: Any = job.shape
    values: NDArray[np.float64] = _core.measure_many(
        job.algorithm, job.n, shape, seed, job.mask, job.wrap, job.options, job.names, job.threads, report
    )
    return values


def _measure_on_lattice(job: Job, lattice: Lattice, report: Report) -> NDArray[np.float64]:
    """Return the measures of mazes on a lattice, some at a time, which need not fit into memory together."""
    graph, last = graph_of(lattice), lattice.n_cells - 1
    size = max(min(_EDGES // max(lattice.n_edges, 1), job.n), 1)
    passages = np.empty((size, lattice.n_edges), np.uint8)
    values = np.empty((job.n, len(job.names)))
    for first in range(0, job.n, size):
        part = passages[: min(size, job.n - first)]
        seed = *job.key, (job.replicate + first) % (1 << 64)
        _core.generate(job.algorithm, graph, part, seed, job.options, job.threads, None, None)
        starts, goals = np.zeros(len(part), np.int64), np.full(len(part), last)
        values[first : first + len(part)] = _core.measure(
            (graph, part), starts, goals, job.names, job.threads, None
        )
        if report is not None:
            report(first + len(part), job.n)
    return values


def summarize_job(job: Job, report: Report = None) -> list[Accumulator]:
    """Return the statistics of each measure of the mazes of a job."""
    return accumulate(measure_job(job, report))


def accumulate(values: NDArray[np.float64]) -> list[Accumulator]:
    """Return the statistics of each column of measures."""
    return [Accumulator.of(column) for column in np.ascontiguousarray(values.T)]


def run_inline(
    work: Callable[[Job, Report], T], jobs: Iterator[Job], report: Callable[[int], object] | None
) -> Generator[tuple[Job, T]]:
    """Run the jobs one after the other.

    Yields each job with its result; `report` receives the number of finished mazes of the current job. An
    exception passes through as it is, as it may be the user's: raised by `report` or by a signal handler.
    """
    for job in jobs:
        progress = None if report is None else functools.partial(_report_mazes, report, job.n)
        try:
            result = work(job, progress)
        except Exception as error:
            error.add_note(f"while measuring {job}")
            raise
        yield job, result


def _report_mazes(report: Callable[[int], object], n: int, done: int, total: int) -> None:
    report(n * done // max(total, 1))


def run_on_executor(work: Callable[[Job], T], jobs: Iterator[Job], executor: Any) -> Generator[tuple[Job, T]]:
    """Run the jobs on an executor. Yields each job with its result, in the order of completion."""
    from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait

    pool, workers = _resolve_executor(executor)
    most = max(PENDING_JOBS, 2 * workers)
    pending: dict[Future[tuple[str, T]], Job] = {}
    try:
        while True:
            while len(pending) < most and (job := next(jobs, None)) is not None:
                future = _submit(pool, work, job)
                if not isinstance(future, Future) or future in pending:
                    kind = "concurrent.futures.Future objects, a new one for each job"
                    msg = f"executor must return {kind}: {short_repr(executor)}"
                    raise TypeError(msg)
                pending[future] = job
            if not pending:
                return
            wait(pending, 1, FIRST_COMPLETED)  # Windows hears Ctrl-C only between waits
            # The first failure is reported. A cancelled future may end without waking `wait`.
            for future in [future for future in pending if future.done()]:
                job = pending.pop(future)
                error = CancelledError("cancelled") if future.cancelled() else future.exception()
                if error is not None:
                    raise _job_error(job, error) from error
                yield job, _result(job, future.result())
    finally:
        for future in pending:
            future.cancel()


def _answer(work: Callable[[Job], T], job: Job) -> tuple[str, T]:
    """Return the mark of a job and its result: the work of a worker."""
    return _mark(job), work(job)


def _mark(job: Job) -> str:
    """Return which mazes are measured in a job, and by what."""
    what = f"meiro {__version__}, stream {STREAM}"
    return f"{what}: {job}, configuration {job.configuration}, key {job.key}"


def _result(job: Job, answer: object) -> Any:
    """Return the result in the answer of a worker; that of another job, or of another stream, is refused."""
    mark, result = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    if mark != _mark(job):
        error = ValueError(f"the executor returned the result of {short_repr(mark)}, not of {_mark(job)}")
        raise _job_error(job, error)
    return result


def _resolve_executor(executor: Any) -> tuple[Executor, int]:
    """Return an executor of the standard library's kind, and its number of workers."""
    if hasattr(executor, "get_executor"):  # a Dask client
        if getattr(executor, "asynchronous", False):
            msg = "executor is an asynchronous client of Dask: give one made with asynchronous=False"
            raise TypeError(msg)
        status = getattr(executor, "status", "running")
        if status not in {"running", "connecting"}:
            msg = f"executor is a client of Dask that is {status}: make a new one"
            raise ValueError(msg)
        return _dask_executor(executor), sum(executor.nthreads().values())
    if not callable(getattr(executor, "submit", None)) or isinstance(executor, type):
        msg = "executor must be a concurrent.futures.Executor or a client of Dask, not " + short_repr(
            executor
        )
        raise TypeError(msg)
    return executor, getattr(executor, "_max_workers", None) or os.cpu_count() or 1


def _dask_executor(client: Any) -> Executor:
    """Return an executor whose futures end when those of Dask do; its own do not when they are cancelled."""
    from concurrent.futures import Executor, Future, InvalidStateError

    class DaskExecutor(Executor):
        def submit(self, fn: Callable[..., T], /, *args: Any, **_: Any) -> Future[T]:
            future: Future[T] = Future()
            remote = client.submit(fn, *args, pure=False)

            def end(_: object) -> None:
                with contextlib.suppress(InvalidStateError):  # cancelled here
                    try:
                        future.set_result(remote.result())
                    except BaseException as error:  # noqa: BLE001  # CancelledError is one
                        future.set_exception(error)

            def cancel(_: object) -> None:
                if future.cancelled() and client.status == "running":
                    remote.cancel()

            remote.add_done_callback(end)
            future.add_done_callback(cancel)
            return future

    return DaskExecutor()


def _submit(pool: Executor, work: Callable[[Job], T], job: Job) -> Future[tuple[str, T]]:
    from concurrent.futures import BrokenExecutor

    try:
        return pool.submit(functools.partial(_answer, work), job)
    except RuntimeError as error:
        if isinstance(error, BrokenExecutor):
            raise _job_error(job, error) from error
        if "shutdown" not in str(error):
            raise
        msg = f"executor is shut down ({error}): make a new one, and call survey inside its with block"
        raise ValueError(msg) from error


def _job_error(job: Job, error: BaseException) -> Exception:
    """Return an error that names the mazes of the job."""
    kind = MemoryError if isinstance(error, MemoryError) else RuntimeError
    why = str(error) or "no reason was given: the worker or its scheduler may be closed"
    return kind(f"{job}: {type(error).__name__}: {why}")
