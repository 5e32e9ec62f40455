"""Doing the jobs of a survey: here, or by the workers of an executor, a bounded number at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro.stats.accumulators import Accumulator

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

    from meiro.stats.surveys.jobs import Job

T = TypeVar("T")
Told = Callable[[int, int], object] | None

AHEAD = 16  # jobs at least that wait for a worker


def measured(job: Job, told: Told = None) -> NDArray[np.float64]:
    """Return the measures of the mazes of a job, one row for each."""
    seed = (*job.key, job.replicate)
    values: NDArray[np.float64] = _core.measure_many(
        job.algorithm, job.n, job.shape, seed, job.mask, job.wrap, job.options, job.names, job.threads, told
    )
    return values


def condensed(job: Job, told: Told = None) -> list[Accumulator]:
    """Return what is kept of the measures of a job."""
    return stats_of(measured(job, told))


def stats_of(values: NDArray[np.float64]) -> list[Accumulator]:
    """Return what is kept of measures, one row for each maze."""
    return [Accumulator.of(column) for column in np.ascontiguousarray(values.T)]


class _Teller:
    """Tells how many mazes of a survey are done, while one job is; keeps what the callback raises."""

    def __init__(self, tell: Callable[[int], object], n: int) -> None:
        self._tell = tell
        self._n = n
        self.raised: BaseException | None = None

    def __call__(self, done: int, total: int) -> None:
        try:
            self._tell(self._n * done // max(total, 1))
        except BaseException as error:
            self.raised = error
            raise


def run_inline(
    work: Callable[[Job, Told], T], jobs: Iterator[Job], tell: Callable[[int], object] | None
) -> Generator[tuple[Job, T]]:
    """Do one job after the other. Yields each with its result; `tell` hears how far the present one is."""
    for job in jobs:
        told = None if tell is None else _Teller(tell, job.n)
        try:
            result = work(job, told)
        except Exception as error:
            if told is not None and error is told.raised:
                raise
            raise _failed(job, error) from error
        yield job, result


def run_on_executor(work: Callable[[Job], T], jobs: Iterator[Job], executor: Any) -> Generator[tuple[Job, T]]:
    """Let an executor do the jobs. Yields each with its result, in the order in which they are done."""
    from concurrent.futures import FIRST_COMPLETED, Future, wait

    pool, workers = _pool(executor)
    ahead = max(AHEAD, 2 * workers)
    doing: dict[Future[T], Job] = {}
    try:
        while True:
            while len(doing) < ahead and (job := next(jobs, None)) is not None:
                future = _submit(pool, work, job)
                if not isinstance(future, Future):
                    msg = f"executor gives no concurrent.futures.Future: {short_repr(executor)}"
                    raise TypeError(msg)
                doing[future] = job
            if not doing:
                return
            done = wait(doing, 1, FIRST_COMPLETED).done  # Windows hears Ctrl-C only between waits
            for future in [f for f in doing if f in done]:  # the first that failed is named
                job = doing.pop(future)
                try:
                    result = future.result()
                except Exception as error:
                    raise _failed(job, error) from error
                yield job, result
    finally:
        for future in doing:
            future.cancel()


def _pool(executor: Any) -> tuple[Executor, int]:
    """Return what jobs are submitted to, and how many workers it has at least."""
    if hasattr(executor, "get_executor"):  # a client of Dask
        if getattr(executor, "asynchronous", False):
            msg = "executor is an asynchronous client of Dask: give one made with asynchronous=False"
            raise TypeError(msg)
        status = getattr(executor, "status", "running")
        if status not in {"running", "connecting"}:
            msg = f"executor is a client of Dask that is {status}: make a new one"
            raise ValueError(msg)
        return executor.get_executor(pure=False), sum(executor.nthreads().values())
    if not callable(getattr(executor, "submit", None)) or isinstance(executor, type):
        msg = f"executor must be a concurrent.futures.Executor or a Dask client, not {short_repr(executor)}"
        raise TypeError(msg)
    return executor, getattr(executor, "_max_workers", None) or os.cpu_count() or 1


def _submit(pool: Executor, work: Callable[[Job], T], job: Job) -> Future[T]:
    try:
        return pool.submit(work, job)
    except RuntimeError as error:
        if "shutdown" not in str(error):
            raise _failed(job, error) from error
        msg = f"executor is shut down ({error}): make a new one, and call survey inside its with block"
        raise ValueError(msg) from error


def _failed(job: Job, error: Exception) -> Exception:
    """Say which mazes could not be measured."""
    kind = MemoryError if isinstance(error, MemoryError) else RuntimeError
    return kind(f"{job}: {type(error).__name__}: {error}")
