"""Surveys: many mazes of many kinds made, measured, and thrown away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, bar, reporter
from meiro._utils.validation import Threads, thread_count
from meiro.seeds import RNG, seed_of

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from meiro._utils.square import ShapeLike
    from meiro.stats.surveys.jobs import AlgorithmLike
    from meiro.stats.table import Table


def survey(
    algorithms: AlgorithmLike | Sequence[AlgorithmLike],
    shapes: ShapeLike | Sequence[ShapeLike],
    n: int,
    *,
    rng: RNG = None,
    measures: str | Sequence[str] | None = None,
    by: Literal["summary", "maze"] = "summary",
    threads: Threads = None,
    executor: Executor | Any = None,
    progress: Progress = False,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Table:
    """Make and measure `n` mazes of every algorithm and shape, and tell what they are like.

    No maze is kept. The table is the same, to the last bit, on any number of threads, with any executor, and
    however often it was interrupted: sums are exact. Maze ``i`` of each kind is
    ``meiro.generate(shape, algorithm, rng=meiro.replicate(rng, i))``, so that any one can be made again.

    Parameters
    ----------
    algorithms : str, (str, dict), or sequence of these
        Names, or names with options: ``("growing_tree", {"choose": "oldest"})``. Beside the options of
        `meiro.generate`, ``mask`` and ``wrap`` are taken.
    shapes : (int, int) or sequence of (int, int)
        Rows and columns, in cells. Each algorithm is combined with each shape.
    n : int
        How many mazes of each kind. 0 gives an empty table with all its columns.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The seed of the first maze of each kind; the others follow it. None takes entropy from the system, or,
        with `resume`, the seed of the survey in `out`.
    measures : str or sequence of str
        What is measured, of `meiro.MEASURES`; all by default.
    by : "summary" or "maze"
        Whether a row is a measure of a kind of mazes, or one maze.
    threads : int or "all"
        How many threads share the mazes, 1 by default; with an executor, those of each worker.
    executor : concurrent.futures.Executor or dask.distributed.Client
        Who does the work: threads, processes, loky, ``client.get_executor()`` and the like. Left open.
    progress : bool or callable
        True for a bar (that of tqdm if it is installed), or ``callable(done, total)`` in mazes.
    out : path-like
        With ``by="maze"``: a folder for the rows, instead of memory. They are written in parts, as Parquet
        files, each when it is complete (``pd.read_parquet(out)`` reads them all); what is returned is their
        summary. Needs the extra ``data``.
    resume : bool
        Go on with the survey that `out` holds, where it was stopped; begin it if there is none.

    Returns
    -------
    Table
        By summary: ``algorithm``; ``option_*`` for each option that is given anywhere; ``rows``, ``cols``,
        ``measure``; ``n`` (mazes for which the measure could be told), ``mean``, ``sd`` (of the sample),
        ``standard_error``, ``min``, ``max``; the quantiles ``q05``, ``q25``, ``q50``, ``q75``, ``q95`` (exact
        for a measure that takes at most 65,536 different values, else off by less than 0.013 %); and where
        the mean is known, ``expected``, ``z`` and ``source``. The z of a published number counts what its
        rounding hides as an error too.
        By maze: the same up to ``cols``; ``replicate``, ``seed_0``, ``seed_1``, of which
        ``meiro.Seed((seed_0, seed_1), replicate)`` makes the maze; ``version`` (of meiro); then the measures,
        integers where they can be, NaN where one cannot be told.

    Raises
    ------
    ValueError
        If there is no such algorithm, shape, value of an option, or measure (the near ones are named); `n` is
        negative; the executor is shut down; `out` holds another survey.
    TypeError
        If an algorithm does not take an option, or an argument is of another kind.
    FileExistsError
        If `out` holds this survey already, and `resume` is False.
    OSError
        If a part cannot be written. Those before it stay.
    MemoryError
        If the rows cannot fit, before anything is made.
    RuntimeError
        If a worker fails: with algorithm, shape, replicates, and why.

    Notes
    -----
    What ends a survey early, Ctrl-C too, has an attribute ``partial``: the table of all mazes that were done.

    Examples
    --------
    >>> table = meiro.survey(["wilson", "kruskal"], (8, 8), 2000, rng=7, measures=["dead_ends"])
    >>> dict(zip(table["algorithm"].tolist(), table["mean"].round(1).tolist()))
    {'wilson': 18.9, 'kruskal': 19.6}
    >>> abs(table["z"][0]) < 4
    np.True_

    The maze of Kruskal with the most dead ends:

    >>> mazes = meiro.survey("kruskal", (8, 8), 2000, rng=7, measures=["dead_ends"], by="maze")
    >>> i = mazes["dead_ends"].argmax()
    >>> maze = meiro.generate((8, 8), "kruskal", rng=meiro.replicate(7, i))
    >>> meiro.measure(maze)["dead_ends"] == mazes["dead_ends"][i]
    np.True_
    """
    from meiro.stats.measure import room_to_measure
    from meiro.stats.surveys.collect import RowCollector, SummaryCollector, run
    from meiro.stats.surveys.jobs import parse_survey
    from meiro.stats.surveys.parquet import Folder, seed_of_folder

    if by not in {"summary", "maze"}:
        msg = f'by must be "summary" or "maze", not {short_repr(by)}'
        raise ValueError(msg)
    if out is None and resume:
        msg = "resume=True goes on with the survey in a folder: give it by out="
        raise ValueError(msg)
    if out is not None and by != "maze":
        msg = 'out= keeps the row of each maze: give by="maze" (the summary is returned)'
        raise ValueError(msg)
    seed = (seed_of_folder(out) if rng is None and resume and out is not None else None) or seed_of(rng)
    plan = parse_survey(algorithms, shapes, n, seed, measures)
    n_threads = thread_count(threads)
    told = bar() if progress is True else reporter(progress)
    for kind in plan.kinds:
        kind.allocate(n_threads, n_threads)
        room_to_measure(kind.shape[0] * kind.shape[1], n_threads)
    folder = None if out is None else Folder(out, plan, resume=resume)
    kept: RowCollector | SummaryCollector = (
        RowCollector(plan) if by == "maze" and folder is None else SummaryCollector(plan)
    )
    try:
        run(plan, kept, folder, executor, threads=n_threads, told=told)
    except BaseException as error:
        error.partial = kept.table()  # type: ignore[attr-defined]
        raise
    finally:
        getattr(told, "close", int)()
    return kept.table()
