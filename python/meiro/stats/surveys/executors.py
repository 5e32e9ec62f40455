"""Run the jobs of a survey: in this process, or on an executor with a bounded number of pending jobs."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro.results.accumulators import Accumulator

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

    from meiro.stats.surveys.jobs import Job

T = TypeVar("T")
Report = Callable[[int, int], object] | None

PENDING_JOBS = 16  # at least, submitted to an executor


def measure_job(job: Job, report: Report = None) -> NDArray[np.float64]:
    """Return the measures of the mazes of a job, one row for each maze."""
    seed = (*job.key, job.replicate)
    values: NDArray[np.float64] = _core.measure_many(
        job.algorithm, job.n, job.shape, seed, job.mask, job.wrap, job.options, job.names, job.threads, report
    )
    return values


def summarize_job(job: Job, report: Report = None) -> list[Accumulator]:
    """Return the statistics of each measure of the mazes of a job."""
    return accumulate(measure_job(job, report))


def accumulate(values: NDArray[np.float64]) -> list[Accumulator]:
    """Return the statistics of each column of measures."""
    return [Accumulator.of(column) for column in np.ascontiguousarray(values.T)]


class _JobProgress:
    """Progress callback of one job, in mazes; remembers the exception of the user's callback."""

    def __init__(self, report: Callable[[int], object], n: int) -> None:
        self._report = report
        self._n = n
        self.raised: BaseException | None = None

    def __call__(self, done: int, total: int) -> None:
        try:
            self._report(self._n * done // max(total, 1))
        except BaseException as error:
            self.raised = error
            raise


def run_inline(
    work: Callable[[Job, Report], T], jobs: Iterator[Job], report: Callable[[int], object] | None
) -> Generator[tuple[Job, T]]:
    """Run the jobs one after the other.

    Yields each job with its result; `report` receives the number of finished mazes of the current job.
    """
    for job in jobs:
        progress = None if report is None else _JobProgress(report, job.n)
        try:
            result = work(job, progress)
        except Exception as error:
            if progress is not None and error is progress.raised:
                raise
            raise _job_error(job, error) from error
        yield job, result


def run_on_executor(work: Callable[[Job], T], jobs: Iterator[Job], executor: Any) -> Generator[tuple[Job, T]]:
    """Run the jobs on an executor. Yields each job with its result, in the order of completion."""
    from concurrent.futures import FIRST_COMPLETED, Future, wait

    pool, workers = _resolve_executor(executor)
    most = max(PENDING_JOBS, 2 * workers)
    pending: dict[Future[T], Job] = {}
    try:
        while True:
            while len(pending) < most and (job := next(jobs, None)) is not None:
                future = _submit(pool, work, job)
                if not isinstance(future, Future):
                    msg = f"executor must return concurrent.futures.Future objects: {short_repr(executor)}"
                    raise TypeError(msg)
                pending[future] = job
            if not pending:
                return
            done = wait(pending, 1, FIRST_COMPLETED).done  # Windows hears Ctrl-C only between waits
            for future in [f for f in pending if f in done]:  # the first failure is reported
                job = pending.pop(future)
                try:
                    result = future.result()
                except Exception as error:
                    raise _job_error(job, error) from error
                yield job, result
    finally:
        for future in pending:
            future.cancel()


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
        return executor.get_executor(pure=False), sum(executor.nthreads().values())
    if not callable(getattr(executor, "submit", None)) or isinstance(executor, type):
        msg = "executor must be a concurrent.futures.Executor or a client of Dask, not " + short_repr(
            executor
        )
        raise TypeError(msg)
    return executor, getattr(executor, "_max_workers", None) or os.cpu_count() or 1


def _submit(pool: Executor, work: Callable[[Job], T], job: Job) -> Future[T]:
    try:
        return pool.submit(work, job)
    except RuntimeError as error:
        if "shutdown" not in str(error):
            raise _job_error(job, error) from error
        msg = f"executor is shut down ({error}): make a new one, and call survey inside its with block"
        raise ValueError(msg) from error


def _job_error(job: Job, error: Exception) -> Exception:
    """Return an error that names the mazes of the job."""
    kind = MemoryError if isinstance(error, MemoryError) else RuntimeError
    return kind(f"{job}: {type(error).__name__}: {error}")
