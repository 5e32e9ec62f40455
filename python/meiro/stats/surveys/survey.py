"""Surveys: generate, measure and forget many mazes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Literal, Never

import numpy as np

from meiro._utils.messages import refuse_unknown
from meiro._utils.progress import Progress, close_bar, reporter, survey_bar
from meiro._utils.validation import Threads, boolean, checked_path, one_of, thread_count
from meiro.seeds import RNG, seed_of
from meiro.stats.measure import require_memory
from meiro.stats.surveys.changes import parse_changes
from meiro.stats.surveys.collect import RowCollector, SummaryCollector
from meiro.stats.surveys.executors import Report, measure_job, run_inline, run_on_executor, summarize_job
from meiro.stats.surveys.jobs import Algorithms, SurveyRequest, SurveyShape, parse_survey
from meiro.stats.surveys.parquet import SurveyFolder, seed_of_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from numpy.typing import ArrayLike

    from meiro._utils.options import OpeningsWord
    from meiro.results.table import Table
    from meiro.stats.surveys.own_measures import OwnMeasure


def survey(
    shapes: SurveyShape | Sequence[SurveyShape],
    algorithms: Algorithms,
    n: int,
    *,
    rng: RNG = None,
    openings: OpeningsWord | ArrayLike | Sequence[Any] | None = None,
    transforms: Sequence[Sequence[Any]] | None = None,
    measures: str | OwnMeasure | Sequence[str | OwnMeasure] | None = None,
    by: Literal["summary", "maze"] = "summary",
    threads: Threads = None,
    executor: Executor | Any = None,
    progress: Progress = False,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **unknown: Never,
) -> Table:
    """Generate and measure `n` mazes of every algorithm and shape, and return their statistics.

    No maze is kept. The table is the same, to the last bit, for any number of threads, any executor and any
    number of interruptions, because sums are exact. Maze ``i`` of each configuration is
    ``meiro.generate(shape, algorithm, rng=meiro.replicate(rng, i))``, so that every maze can be generated
    again; openings and transforms change it before it is measured.

    Parameters
    ----------
    shapes : (int, int), Lattice or recipe of one, or sequence of these
        Rows and columns, in cells; or lattices, on which mazes are measured from the first cell to the last.
    algorithms : str, (str, dict), sequence of these, or dict
        Names, or names with options: ``("growing_tree", {"choose": "oldest"})``. In addition to the options
        of `meiro.generate`, ``mask`` and ``wrap`` are allowed. Each algorithm is combined with each shape. In
        a dict of names and options a list has several values of an option, and each combination of options
        is a configuration: ``{"growing_tree": {"choose": ["newest", "random"]}, "wilson": {}}``. One value
        that is a list stands there in a list of its own.
    n : int
        Number of mazes of each configuration. 0 returns an empty table with all its columns.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The seed of the first maze of each configuration; the other mazes have the following replicates. None
        takes entropy from the system or, with `resume`, the seed of the survey in `out`.
    openings : str, array_like, or sequence of (cell, side), optional
        As in `meiro.generate`, with the seed of each maze; measures of a path are then from the first to the
        last.
    transforms : sequence of (str, dict), optional
        Names in `meiro.transforms` with their arguments, in order: ``[("braid", {"p": 0.5})]``. Without an
        ``rng`` among them a transform draws from the seed of each maze, as `meiro.generate_many` with
        ``transforms=[("braid", {"p": 0.5, "rng": rng})]``; one that comes again, and random ends after random
        openings, from another seed made of it. Only such as take a batch. As of an option of an algorithm a
        list has several values, ``[("braid", {"p": [0, 0.5, 1]})]``, and each combination is done to the same
        mazes of each algorithm and shape; of an argument that takes a list itself it is one value.
    measures : str, callable, or sequence of these
        Names from ``meiro.MEASURES``; all by default; with lattices those of `MeasureFacts.graphs`. A
        callable is a measure of your own: it takes a `MazeBatch` (on lattices a `GraphBatch`) of some of the
        mazes and returns a number for each, NaN where a maze has none, which depends on that maze alone.
        `meiro.stats.each` makes one of a function of a single maze. Its ``__name__`` is its name, its values
        are float64.
    by : "summary" or "maze"
        Whether a row is a measure of a configuration, or one maze.
    threads : int or "all"
        Number of threads, 1 by default; with an executor, the number of threads of each worker.
    executor : concurrent.futures.Executor or dask.distributed.Client
        Threads, processes, loky, ``client.get_executor()`` and the like. It stays open. Measures of your own
        must be safe in several threads, and for processes what `pickle` takes: functions at the top of a
        module.
    progress : bool or callable
        True for a progress bar (of tqdm if it is installed), or ``callable(done, total)``, in mazes.
    out : path-like
        With ``by="maze"``: a folder for the rows, which are then not kept in memory. They are written in
        parts, as Parquet files, each when it is complete (``pd.read_parquet(out)`` reads them all); the
        summary is returned. Needs the extra ``data``.
    resume : bool
        Continue the survey in `out` where it was interrupted; an empty folder begins a new survey. Measures
        of your own must not have changed (`meiro.stats.each` says what is seen of them).

    Returns
    -------
    Table
        With ``by="summary"``: ``algorithm``; ``option_*`` for each option that any configuration has;
        ``transform_*``, as ``transform_braid_p``, for each argument of a transform with several values (if
        braid comes again, ``transform_braid_2_p``);
        ``lattice`` and ``cells`` if any shape is a lattice, for which ``rows`` and ``cols`` then are NaN;
        ``rows``, ``cols``, ``measure``; ``n`` (mazes for which the measure is defined), ``mean``, ``sd`` (of
        the sample), ``standard_error``, ``min``, ``max``; the quantiles ``q05``, ``q25``, ``q50``, ``q75``,
        ``q95`` (exact for a measure with at most 65,536 different values, otherwise with an error below
        0.013 %); and if the mean is known, ``expected``, ``expected_variance`` (of which ``sd ** 2`` is the
        estimate; NaN if only the mean is known), ``z`` and ``z_variance`` (the deviations of the mean and of
        the variance in their standard errors) and ``source``. The z of a published number counts its
        rounding as an error too.
        With ``by="maze"``: the same columns up to ``cols``; ``replicate``, ``seed_0``, ``seed_1``, from which
        ``meiro.Seed((seed_0, seed_1), replicate)`` generates the maze, and as ``rng`` of transforms changes
        it again; ``stream`` (the version of
        `meiro.seeds.STREAM`); ``version`` (of meiro); then the measures, as integers if all values are, NaN
        where a measure is undefined.

    Raises
    ------
    ValueError
        If an algorithm, a shape, the value of an option, or a measure does not exist (the message suggests
        similar names); if `n` is negative; if the executor is shut down; if `out` holds another survey, or
        one with a measure of your own that has changed since; if such a measure returns an infinite number,
        or not a number for each maze.
    TypeError
        If an algorithm does not take an option, or an argument has a wrong type; if a measure of your own
        returns no numbers, or has no source and no version, and `out` is given.
    FileExistsError
        If `out` holds this survey already, and `resume` is False.
    OSError
        If a part cannot be written; finished parts stay. If a part has changed since it was written: each
        holds a digest of all its bytes, and the error names the file that is to be deleted.
    MemoryError
        If the rows do not fit in memory; checked before allocation.
    RuntimeError
        If a worker fails, or returns the result of another job or of another stream; the message names
        algorithm, shape, replicates, and the cause: a measure of your own, and by `meiro.stats.each` the
        seed of the maze. Without workers the cause itself is raised, with this in its notes.

    See Also
    --------
    meiro.measure : Measure mazes that are in memory.
    meiro.stats.each : A measure of your own from a function of one maze.
    meiro.Table.describe : Statistics of a table's columns.

    Notes
    -----
    The exception that ends a survey early, Ctrl-C included, has an attribute ``partial``: the table of all
    mazes measured up to then. What `progress` or a signal handler raises is raised as it is.

    These means are known, as long as no option and no transform changes the law, and with openings those of
    measures that do not depend on start and goal:

    - of all measures, up to 3 x 3 cells, of every algorithm with a law (`meiro.law`);
    - of the numbers of dead ends, corridors, junctions, crossroads, straights, turns, isolated cells and
      passages (all, horizontal, vertical), ``dead_end_share`` and ``horizontal_share``: of uniform mazes up
      to 512 x 512 cells, with any mask and wrap, by their exact edge probabilities (up to a second before
      the first maze; a mask of that size takes half a minute, and 0.8 GB);
      of ``binary_tree``, ``sidewinder`` and ``pole_toppling`` of any size; and of ``percolation``;
    - on lattices: of all measures with at most 16 cells, 16 edges and 200 mazes, of uniform mazes and those
      of ``kruskal``, ``prim`` and ``boruvka``; of the numbers of dead ends, corridors, junctions, crossroads,
      isolated cells and passages, and ``dead_end_share``, of uniform mazes, with ``weights`` too, up to 8,192
      cells (a second before the first maze; lattices far from the plane, such as a box of 8 x 30 x 30, are
      given up after as much), and of ``percolation`` of any size;
    - dead ends and solutions of 100 x 100 cells of eight other algorithms, as published.

    Variances are known under those laws that are listed (of the smallest shapes and lattices), and of the
    counts and shares above in uniform mazes, with ``weights`` too, up to 1,024 cells of 6 neighbours, or 550
    of 8 (a second or two more before the first maze of a shape; 0.3 s at 20 x 20 cells); beyond, ``source``
    says why there is no variance. The standard error of a variance is estimated from the fourth central
    moment, whatever the law.

    References
    ----------
    R. Burton, R. Pemantle, Ann. Probab. 21 (1993) 1329-1371. doi:10.1214/aop/1176989121
    W. D. Pullen, "Maze Algorithms", Think Labyrinth!, https://www.astrolog.org/labyrnth/algrithm.htm

    Examples
    --------
    >>> table = meiro.survey((8, 8), ["wilson", "kruskal"], 2000, rng=7, measures=["dead_ends"])
    >>> dict(zip(table["algorithm"].tolist(), table["mean"].round(1).tolist()))
    {'wilson': 18.9, 'kruskal': 19.6}
    >>> abs(table["z"][0]) < 4
    np.True_

    The maze of Kruskal with the most dead ends:

    >>> mazes = meiro.survey((8, 8), "kruskal", 2000, rng=7, measures=["dead_ends"], by="maze")
    >>> i = mazes["dead_ends"].argmax()
    >>> maze = meiro.generate((8, 8), "kruskal", rng=meiro.replicate(7, i))
    >>> meiro.measure(maze)["dead_ends"] == mazes["dead_ends"][i]
    np.True_

    A measure of your own, of braided mazes for each value of an option:

    >>> def crossings(batch):
    ...     return (np.bitwise_count(batch.passages) >= 3).sum(axis=(1, 2))
    >>> choices = {"growing_tree": {"choose": ["newest", "random"]}}
    >>> half = [("braid", {"p": 0.5})]
    >>> table = meiro.survey((8, 8), choices, 100, rng=7, transforms=half, measures=["loops", crossings])
    >>> table[["option_choose", "measure", "mean"]]
    <Table: 4 rows x 3 columns>
    option_choose  measure     mean
    newest         loops       3.94
    newest         crossings   9.52
    random         loops        7.4
    random         crossings  18.23
    """
    refuse_unknown("survey", unknown, survey.__annotations__)
    one_of(by, "by", ("summary", "maze"))
    boolean(resume, "resume")
    if out is not None:
        checked_path(out, "out")
    if out is None and resume:
        raise ValueError("resume=True continues the survey in a folder: give the folder by out=")
    if out is not None and by != "maze":
        raise ValueError('out= keeps the row of each maze: give by="maze" (the summary is returned)')
    seed = (seed_of_folder(out) if rng is None and resume and out is not None else None) or seed_of(rng)
    pipelines = parse_changes(openings, transforms, seed)
    request = parse_survey(shapes, algorithms, n, measures, seed=seed, pipelines=pipelines)
    n_threads = thread_count(threads)
    report = survey_bar() if progress is True else reporter(progress)
    for configuration in request.configurations:
        configuration.allocate(n_threads, n_threads)
        place = configuration.lattice or configuration.shape
        known = [name for name in request.names if name not in request.own]
        require_memory(place, configuration.wrap, known, n_threads)
    folder = None if out is None else SurveyFolder(out, request, resume=resume)
    rows = by == "maze" and folder is None
    collector: RowCollector | SummaryCollector = (RowCollector if rows else SummaryCollector)(request)
    try:
        collector.prepare()
        run(request, collector, folder, executor, threads=n_threads, report=report)
    except BaseException as error:
        error.partial = collector.table()  # type: ignore[attr-defined]
        raise
    finally:
        close_bar(report)
    return collector.table()


def run(
    request: SurveyRequest,
    collector: RowCollector | SummaryCollector,
    folder: SurveyFolder | None,
    executor: Any,
    *,
    threads: int,
    report: Report,
) -> None:
    """Read the finished parts, then run the remaining jobs and collect their results.

    Parameters
    ----------
    request : SurveyRequest
    collector : RowCollector or SummaryCollector
    folder : SurveyFolder or None
        For the rows of all mazes.
    executor : Executor or None
        None runs the jobs in this process.
    threads : int
        Of each job.
    report : callable or None
        Progress in mazes.
    """
    done = 0

    def tell(current: int) -> None:
        if report is not None:
            report(done + current, request.total)

    for configuration, first, n in request.parts():
        if folder is None:
            break
        if n == 0:
            folder.write((configuration, first), np.empty((len(request.names), 0)))
        elif (configuration, first) in folder.finished:
            collector.add(configuration, first, folder.read((configuration, first)))
            done += n
    jobs = (
        job
        for part in request.parts()
        if folder is None or part[:2] not in folder.finished
        for job in request.jobs(part, threads, shared=executor is not None)
    )
    summary_only = folder is None and isinstance(collector, SummaryCollector)
    work: Callable[..., Any] = summarize_job if summary_only else measure_job
    if executor is None:
        results = run_inline(work, jobs, tell if report else None)
    else:
        results = run_on_executor(work, jobs, executor)
    with contextlib.closing(results):
        for job, result in results:
            collector.add(job.configuration, job.first, result)
            if folder is not None:
                folder.add(job, result)
            done += job.n
            tell(0)
