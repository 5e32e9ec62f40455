"""Run the jobs of a survey: in this process, or on an executor with a bounded number of pending jobs."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import pickle
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from meiro import _core
from meiro._core import __version__
from meiro._utils.messages import short_repr
from meiro.generators.generate import generate_many
from meiro.results.accumulators import Accumulator
from meiro.seeds import STREAM
from meiro.stats.measure import measure
from meiro.stats.surveys.jobs import lattice_of
from meiro.stats.surveys.own_measures import own_values, why_not_sent

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.stats.surveys.jobs import BatchWork, Job

T = TypeVar("T")
Report = Callable[[int, int], object] | None

_EDGES = 1 << 22  # of mazes on a lattice that are in memory at a time, or cells
_OWN_CELLS = 1 << 18  # for measures of the user's own, after which progress is told
PENDING_JOBS = 16  # at least, submitted to an executor


def measure_job(job: Job, report: Report = None) -> NDArray[np.float64]:
    """Return the measures of the mazes of a job, one row for each maze."""
    if job.batch is not None:
        return _measure_batches(job, job.batch, report)
    seed, shape = (*job.key, job.replicate), cast("tuple[int, int]", job.shape)
    values: NDArray[np.float64] = _core.measure_many(
        job.algorithm, job.n, shape, seed, job.mask, job.wrap, job.options, job.names, job.threads, report
    )
    return values


def _measure_batches(job: Job, work: BatchWork, report: Report) -> NDArray[np.float64]:
    """Return the measures of mazes that are made as batches, which need not fit into memory together."""
    lattice = None if job.lattice is None else lattice_of(job.lattice)
    given: dict[str, Any] = {"shape": lattice, "algorithm": job.algorithm, **job.options}
    if lattice is None:
        given |= {"shape": job.shape, "mask": job.mask, "wrap": job.wrap}
    places = math.prod(job.shape) if lattice is None else max(lattice.n_edges, 1)
    size = max(min((_OWN_CELLS if work.own else _EDGES) // places, job.n), 1)
    known = [name for name in job.names if name not in work.own]
    values = np.empty((job.n, len(job.names)))
    for first in range(0, job.n, size):
        piece = job.part(first, min(size, job.n - first))
        try:
            changes = work.changes.keywords(piece.first, job.threads)
            mazes = generate_many(**given, n=piece.n, rng=piece.seed(0), threads=job.threads, **changes)
            found: dict[str, Any] = {name: _own_values(piece, mazes, name) for name in work.own}
            if known:
                found |= measure(mazes, known, threads=job.threads)
        except Exception as error:
            error.add_note(f"among {piece}")
            raise
        for column, name in zip(values[first : first + piece.n].T, job.names, strict=True):
            column[:] = found[name]
        if report is not None:
            report(first + piece.n, job.n)
    return values


def _own_values(piece: Job, mazes: MazeBatch | GraphBatch, name: str) -> NDArray[np.float64]:
    """Return a measure of the user's own; an error says of which it is."""
    work: Any = piece.batch
    try:
        return own_values(work.own[name], mazes, lambda i: f"the maze of rng={piece.seed(i)!r}")
    except Exception as error:
        error.add_note(f"in measure {name!r}")
        raise


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
                    raise TypeError(f"executor must return {kind}: {short_repr(executor)}")
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
    """Return the mark of a job and its result: the work of a worker.

    An exception of the user's own that cannot be sent back is raised as one that can.
    """
    try:
        return _mark(job), work(job)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301  # made on the line
        except Exception:  # noqa: BLE001  # whatever its class does
            raise RuntimeError(_text_of(error)) from error
        raise


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
            raise TypeError(
                "executor is an asynchronous client of Dask: give one made with asynchronous=False"
            )
        status = getattr(executor, "status", "running")
        if status not in {"running", "connecting"}:
            raise ValueError(f"executor is a client of Dask that is {status}: make a new one")
        return _dask_executor(executor), sum(executor.nthreads().values())
    if not callable(getattr(executor, "submit", None)) or isinstance(executor, type):
        raise TypeError(
            "executor must be a concurrent.futures.Executor or a client of Dask, not " + short_repr(executor)
        )
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
        raise ValueError(
            f"executor is shut down ({error}): make a new one, and call survey inside its with block"
        ) from error


def _job_error(job: Job, error: BaseException) -> Exception:
    """Return an error that names the mazes of the job."""
    from concurrent.futures import BrokenExecutor

    kind = MemoryError if isinstance(error, MemoryError) else RuntimeError
    words = "pickle", "local object"  # of what cannot be sent: the second from CPython 3.13 on
    unsent = isinstance(error, BrokenExecutor) or any(word in str(error) for word in words)
    hint = why_not_sent(job.batch.own) if job.batch is not None and unsent else ""
    return kind(f"{job}: {_text_of(error)}{hint}")


def _text_of(error: BaseException) -> str:
    """Return the kind of an error, what it says, and its notes."""
    why = str(error) or "no reason was given: the worker or its scheduler may be closed"
    return "; ".join([f"{type(error).__name__}: {why}", *getattr(error, "__notes__", ())])
