"""Surveys of mazes that are changed before they are measured, by measures of the user's own, over options."""

from __future__ import annotations

import itertools
import json
import math
import multiprocessing
import pickle
import re
import runpy
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from programs import run_python
from refusals import refused
from same_tables import same

import meiro
from meiro.seeds import seed_of
from meiro.stats import each
from meiro.stats.surveys import executors, jobs

HEXAGONS = meiro.lattices.hexagonal(4, 5)
N = 40
NAMES = ["dead_ends", "solution_length", "loops"]
BRAID = ("braid", {"p": 0.5})


def ends(batch: Any) -> NDArray[np.int64]:
    """Count dead ends."""
    edges = (np.asarray(maze.edges()) for maze in batch)
    cells = (pairs.reshape(2 * len(pairs), -1) for pairs in edges)
    return np.array([(np.unique(both, axis=0, return_counts=True)[1] == 1).sum() for both in cells])


def length(maze: Any) -> Any:
    return maze.measure("solution_length")["solution_length"]


@each
def reach(maze: Any) -> float:
    """Return the steps to the farthest cell, or NaN where some have an even number."""
    far = int(meiro.distances(maze, 0 if hasattr(maze, "lattice") else (0, 0)).max())
    return math.nan if far % 2 else far


OWN: list[Any] = [ends, each(length), reach]


def assert_measured(table: meiro.Table, mazes: Any, names: list[str]) -> None:
    """Hold rows of mazes to what meiro measures of a batch, and the functions of each maze alone."""
    for name, column in mazes.measure(names).items():
        if name in names:
            np.testing.assert_array_equal(table[name], column, err_msg=name)
    np.testing.assert_array_equal(table["ends"], mazes.measure("dead_ends")["dead_ends"])
    np.testing.assert_array_equal(table["length"], mazes.measure("solution_length")["solution_length"])
    np.testing.assert_array_equal(table["reach"], reach(mazes))
    np.testing.assert_array_equal(table["reach"][:1], reach(mazes[:1]))


OPENED = ("with_passages", {"open": [((0, 0), (0, 1))]})
AGAIN = meiro.Seed(seed_of((*seed_of(7).key, 1)).key)


@pytest.mark.parametrize(
    ("shape", "openings", "steps", "by_hand"),
    [
        ((5, 6), None, [BRAID], [("braid", {"p": 0.5, "rng": 7})]),
        ((5, 6), None, [("braid", {"p": 0.5, "rng": 3})], [("braid", {"p": 0.5, "rng": 3})]),
        (
            (5, 6),
            None,
            [BRAID, ("fill_dead_ends", {}), ("add_loops", {"share": 0.3}), BRAID],
            [
                ("braid", {"p": 0.5, "rng": 7}),
                ("fill_dead_ends", {}),
                ("add_loops", {"share": 0.3, "rng": 7}),
                ("braid", {"p": 0.5, "rng": AGAIN}),
            ],
        ),
        ((5, 6), "random", [("crop", {"window": np.s_[1:, :4]})], [("crop", {"window": np.s_[1:, :4]})]),
        (
            (5, 6),
            "random",
            [("with_ends", {"ends": "random"})],
            [("with_ends", {"ends": "random", "rng": AGAIN})],
        ),
        ((5, 6), None, [OPENED], [OPENED]),
        (
            (5, 6),
            "corners",
            [("with_ends", {"ends": "random"})],
            [("with_ends", {"ends": "random", "rng": 7})],
        ),
        ((5, 6), "corners", [], []),
        ((5, 6), None, [], []),
        (HEXAGONS, "farthest", [BRAID], [("braid", {"p": 0.5, "rng": 7})]),
        (HEXAGONS, None, [], []),
    ],
    ids=str,
)  # fmt: skip
def test_mazes_are_those_of_generate_many(shape: Any, openings: Any, steps: Any, by_hand: Any) -> None:
    given: dict[str, Any] = {"rng": 7, "openings": openings}
    kruskal = ("kruskal", {"weights": np.arange(1.0, 50)}) if shape == (5, 6) else "kruskal"
    found = meiro.survey(
        shape, [kruskal, "wilson"], N, **given, transforms=steps, measures=[*OWN, *NAMES], by="maze"
    )
    assert list(found)[-6:] == ["ends", "length", "reach", *NAMES]
    for k, name in enumerate(("kruskal", "wilson")):
        options: dict[str, Any] = {"weights": np.arange(1.0, 50)} if k == 0 and shape == (5, 6) else {}
        mazes = meiro.generate_many(shape, name, N, **given, transforms=by_hand, **options)
        assert_measured(found[k * N : (k + 1) * N], mazes, NAMES)


def test_masks_wraps_and_the_last_replicates_are_changed_too() -> None:
    mask = np.ones((5, 6), np.bool_)
    mask[2, 3] = False
    root = meiro.Seed((5, 6), 2**64 - 3)
    given: dict[str, Any] = {"mask": mask, "wrap": (False, True)}
    table = meiro.survey((5, 6), ("wilson", given), 9, rng=root, transforms=[BRAID], measures=OWN, by="maze")
    mazes = meiro.braid(meiro.generate_many((5, 6), "wilson", 9, rng=root, **given), 0.5, rng=root)
    assert_measured(table, mazes, [])


def test_a_transform_that_comes_again_draws_other_numbers() -> None:
    """With the same ones a dead end that was kept would be kept again."""
    twice = meiro.survey((9, 9), "wilson", N, rng=7, transforms=[BRAID, BRAID], measures="dead_ends")
    once = meiro.survey((9, 9), "wilson", N, rng=7, transforms=[BRAID], measures="dead_ends")
    assert twice["mean"][0] < 0.7 * once["mean"][0]


@pytest.mark.parametrize("shape", [(6, 6), HEXAGONS], ids=str)
def test_a_list_has_several_values_of_an_argument(shape: Any) -> None:
    """Each row is that of a survey with one of them, of the same mazes; a list of cells is one value."""
    steps = [
        ("with_ends", {"ends": [1, 7] if shape is HEXAGONS else [(0, 1), (3, 2)]}),
        ("braid", {"p": [0, 0.5, 1]}),
        ("rotate", {"k": [2]}),
        ("braid", {"p": [0.25, 1.0]}),
    ]
    given: dict[str, Any] = {"rng": 7, "measures": NAMES}
    algorithms: Any = {"growing_tree": {"choose": ["newest", "random"]}, "wilson": {}}
    axes = ["transform_braid_p", "transform_rotate_k", "transform_braid_2_p"]
    for by in ("summary", "maze"):
        table = meiro.survey(shape, algorithms, 20, **given, transforms=steps, by=by)
        assert [name for name in table if name.startswith("transform")] == axes
        assert [table[name].dtype.kind for name in axes] == ["f", "i", "f"]
        rows = 0
        single: list[Any] = [("growing_tree", {"choose": how}) for how in ("newest", "random")] + ["wilson"]
        for algorithm, p, again in itertools.product(single, (0, 0.5, 1), (0.25, 1.0)):
            one = [steps[0], ("braid", {"p": p}), ("rotate", {"k": 2}), ("braid", {"p": again})]
            wanted = meiro.survey(shape, algorithm, 20, **given, transforms=one, by=by)
            some = table[rows : rows + len(wanted)]
            rows += len(wanted)
            assert [{*some[name].tolist()} for name in axes] == [{p}, {2}, {again}]
            for name in wanted:
                np.testing.assert_array_equal(some[name], wanted[name])  # NaN is NaN
        assert rows == len(table)


def test_exponents_are_found_for_each_value_of_an_argument() -> None:
    shapes = [(8, 8), (16, 16), (32, 32)]
    steps = [("braid", {"p": [0.0, 0.5]})]
    table = meiro.survey(shapes, "wilson", 50, rng=7, transforms=steps, measures="solution_length")
    found = meiro.stats.scaling(table, "solution_length").fits
    assert found["transform_braid_p"].tolist() == [0.0, 0.5]
    assert found["exponent"][0] > found["exponent"][1]


GIVEN: dict[str, Any] = {
    "shapes": [(5, 6), HEXAGONS],
    "algorithms": {"growing_tree": {"start": ["random"]}, "wilson": {}},
    "n": N,
    "rng": 7,
    "openings": "random",
    "transforms": [("braid", {"p": [0.5, 0.75]})],
    "measures": ["dead_ends", *OWN],
}


@pytest.fixture(scope="module")
def wanted() -> dict[str, meiro.Table]:
    return {by: meiro.survey(**GIVEN, by=by) for by in ("maze", "summary")}


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "JOB_CELLS", 30 * 11)
    monkeypatch.setattr(jobs, "SHARED_CELLS", 1)
    monkeypatch.setattr(jobs, "PART_CELLS", 30 * 16)
    monkeypatch.setattr(executors, "_OWN_CELLS", 30 * 4)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("by", ["maze", "summary"])
def test_pieces_threads_and_workers_give_the_same_table(
    by: Any, wanted: dict[str, meiro.Table], processes: ProcessPoolExecutor
) -> None:
    assert same(meiro.survey(**GIVEN, by=by), wanted[by])
    assert same(meiro.survey(**GIVEN, by=by, threads=2), wanted[by])
    with ThreadPoolExecutor(2) as pool:
        assert same(meiro.survey(**GIVEN, by=by, executor=pool), wanted[by])
    assert same(meiro.survey(**GIVEN, by=by, executor=processes), wanted[by])


@pytest.mark.usefixtures("small_pieces")
def test_a_folder_is_resumed(wanted: dict[str, meiro.Table], tmp_path: Path) -> None:
    def stop(done: int, _total: int) -> None:
        if done > 2 * N:
            signal.raise_signal(signal.SIGINT)

    given: dict[str, Any] = {**GIVEN, "by": "maze", "out": tmp_path}
    with pytest.raises(KeyboardInterrupt):
        meiro.survey(**given, progress=stop)
    begun = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert 2 <= len(begun) < 12
    again = {**given, "rng": None}  # the folder knows its seed
    assert same(meiro.survey(**again, resume=True), wanted["summary"])
    assert all(path.read_bytes() == content for path, content in begun.items())
    assert len({str(pq.read_schema(path).remove_metadata()) for path in tmp_path.iterdir()}) == 1
    for other, words in (
        ({"transforms": [("braid", {"p": 0.25})]}, r"transforms is \[\['braid', {'p': 0.5}, .* in part"),
        (
            {"transforms": [("braid", {"p": 0.5, "rng": 8})]},
            r"transforms is .*, not \[\['braid', {'p': 0.5}, ",
        ),
        ({"transforms": [("braid", {"p": [0.5, 1]})]}, r"axes is \[.*'p': 0.75.*, not \[.*'p': 1}"),
        ({"transforms": [BRAID]}, "axes is .*, not None"),
        ({"transforms": None}, "transforms is .*, not None"),
        ({"openings": None}, "openings is random in part-.*, not None"),
        ({"measures": ["dead_ends", *OWN[:2]]}, "measures is "),
    ):
        with pytest.raises(ValueError, match=f"holds another survey: .*{words}"):
            meiro.survey(**{**given, **other}, resume=True)


def test_no_mazes_have_the_same_columns(wanted: dict[str, meiro.Table]) -> None:
    for by, table in wanted.items():
        empty = meiro.survey(**{**GIVEN, "n": 0, "by": by})
        assert {name: x.dtype.kind for name, x in empty.items()} == {
            name: x.dtype.kind for name, x in table.items()
        }


def test_known_means_are_those_of_the_law_alone() -> None:
    names = [*meiro.MEASURES, ends]
    plain, opened, braided = (
        meiro.survey((3, 3), "wilson", 500, rng=3, measures=names, **given)  # type: ignore[arg-type]
        for given in ({}, {"openings": "random"}, {"transforms": [BRAID]})
    )
    assert np.isnan(braided["expected"]).all()
    known = ~np.isnan(opened["expected"])
    assert {"dead_ends", "passages", "dead_end_share"} < set(opened["measure"][known])
    assert np.abs(opened["z"][known]).max() < 5
    unchanged = opened["mean"] == plain["mean"]
    assert unchanged[known].all()
    changed = set(opened["measure"][~unchanged & ~np.isnan(opened["mean"])])
    assert {"solution_length", "solution_share"} <= changed
    assert plain["source"][-1] == "", "of a measure of one's own no mean is known"
    assert np.isnan(plain["expected"][-1])
    share = meiro.survey((100, 100), "kruskal", 3, openings="random", measures="solution_share")
    assert share["source"].tolist() == [""]


def test_options_are_axes() -> None:
    mixed = {"newest": 1, "random": 1}
    axes = {"growing_tree": {"choose": ["newest", mixed], "start": ["random", (0, 0)]}, "wilson": {}}
    pairs: list[Any] = [
        ("growing_tree", {"choose": choose, "start": start})
        for choose in ("newest", mixed)
        for start in ("random", (0, 0))
    ]
    given: dict[str, Any] = {"n": 9, "rng": 7, "measures": "dead_ends"}
    table = meiro.survey([(4, 4), (5, 5)], axes, **given)
    assert same(table, meiro.survey([(4, 4), (5, 5)], [*pairs, "wilson"], **given))
    assert table["option_choose"].tolist() == ["newest"] * 4 + [str(mixed)] * 4 + [""] * 2
    one = meiro.survey((2, 2), {"kruskal": {"order": [[3, 0, 1, 2]]}}, **given)
    assert same(one, meiro.survey((2, 2), ("kruskal", {"order": [3, 0, 1, 2]}), **given))


def test_axes_that_do_not_fit_are_named() -> None:
    for algorithms, error, words in (
        ({}, ValueError, "algorithms must hold at least one"),
        ({"wilson": "start"}, TypeError, r"algorithms\['wilson'\] must be options, as .*, not 'start'"),
        ({"growing_tree": {"choose": []}}, ValueError, r"\['choose'\] must hold at least one value"),
        ({"growing_tree": {"choose": ["newest", "newest"]}}, ValueError, "comes twice with the same options"),
        ({"wilsom": {}}, ValueError, "no algorithm 'wilsom'; did you mean 'wilson'"),
        ({3: {}}, TypeError, "algorithms must be a name"),
        ({"wilson": {"choose": ["newest"]}}, TypeError, "'wilson' takes no option 'choose'"),
    ):
        refused(error, words, meiro.survey, (4, 4), algorithms, 3)


def test_changes_that_do_not_fit_are_named() -> None:
    for given, error, words in (
        ({"transforms": "braid"}, TypeError, r"transforms\[0\] must be a name and arguments"),
        ({"transforms": [("braids", {})]}, ValueError, r"transforms\[0\] is 'braids', and no transform"),
        ({"transforms": [("braid", {"p": 2})]}, ValueError, r"p must be in \[0, 1\], not 2"),
        ({"transforms": [("braid", {"p": [0, 2]})]}, ValueError, r"p must be in \[0, 1\], not 2"),
        (
            {"transforms": [("braid", {"p": []})]},
            ValueError,
            r"transforms\[0\]\['p'\] must hold at least one",
        ),
        ({"transforms": [("braid", {"p": [1, 1]})]}, ValueError, r"transforms\[0\]\['p'\] holds 1 twice"),
        ({"transforms": [("braid", {"q": 1})]}, TypeError, "unexpected keyword argument 'q'"),
        ({"transforms": [("braid", {"rng": -1})]}, ValueError, "rng must not be negative"),
        ({"transforms": [("symmetric", {})]}, TypeError, "must be a Maze, not MazeBatch"),
        ({"transforms": [("with_ends", {"ends": np.zeros((2, 3, 2), int)})]}, ValueError, "start"),
        ({"transforms": [("add_loops", {"n": 99})]}, ValueError, "n is 99, .*\namong 'wilson' of .*0 to 2\n"),
        ({"openings": "left"}, ValueError, "openings must be"),
    ):
        refused(error, words, meiro.survey, (4, 4), "wilson", 3, measures="dead_ends", **given)


def returning(result: Any, name: str = "mine") -> Any:
    def mine(_batch: Any) -> Any:
        return result

    mine.__name__ = name
    return mine


def test_results_that_are_no_numbers_are_named() -> None:
    for measure, error, words in (
        (returning([1, 2]), ValueError, r"'mine' must have shape \(3,\), a number for each maze, not \(2,\)"),
        (returning(np.zeros((3, 1))), ValueError, r"'mine' must have shape \(3,\), .*, not \(3, 1\)"),
        (returning([1, None, 2]), TypeError, "'mine' must be 3 numbers, one for each maze, not .* of object"),
        (returning(["1", "2", "3"]), TypeError, "'mine' must be 3 numbers, .* of <U1"),
        (returning([1j, 2, 3]), TypeError, "'mine' must be 3 numbers, .* of complex128"),
        (returning(None), TypeError, "'mine' must be 3 numbers, one for each maze, not None"),
        (returning(4.0), TypeError, "'mine' must be 3 numbers, one for each maze, not 4.0"),
        (returning({"a": [1, 2, 3]}), TypeError, "'mine' must be 3 numbers, .* not {"),
        (returning([[1], [2, 3]]), ValueError, "'mine' is not an array"),
        (returning(np.ma.zeros(3)), TypeError, "'mine' is a numpy.ma array"),
        (returning([1, -math.inf, 2]), ValueError, "'mine' is -inf for .*replicate=1, .*: give NaN"),
        (each(returning("4")), TypeError, "'mine' must be a number, NaN for none, not '4'\n.*replicate=0"),
        (each(returning([4])), TypeError, r"'mine' must be a number, NaN for none, not \[4\]"),
        (each(returning(math.inf)), ValueError, "'mine' is inf: give NaN"),
        (each(returning(10**400)), OverflowError, "too large"),
    ):
        with pytest.raises(error, match=f"(?s){words}.*in measure 'mine'\n.*replicates 0 to 2"):
            meiro.survey((4, 4), "wilson", 3, rng=7, measures=measure)


def test_measures_that_do_not_fit_are_named() -> None:
    for measures, error, words in (
        (returning(0, "dead_ends"), ValueError, "'dead_ends' is a column of meiro's"),
        (returning(0, "replicate"), ValueError, "'replicate' is a column of meiro's"),
        (returning(0, "option_p"), ValueError, "'option_p' is a column of meiro's"),
        ([returning(0), returning(0)], ValueError, "two functions have the name 'mine'"),
        (lambda: 1, TypeError, "measures must be a function of one argument, .*: too many positional"),
        (lambda x, y: (x, y), TypeError, "measures must be a function of one argument, .*: missing"),
    ):
        refused(error, words, meiro.survey, (4, 4), "wilson", 3, measures=measures)


def test_results_of_any_kind_of_number_are_taken() -> None:
    for result in (
        [True, False, True],
        np.arange(3, dtype=np.uint8),
        np.array([1, math.nan, 2], np.float32),
        range(3),
    ):
        table = meiro.survey((4, 4), "wilson", 3, measures=[returning(result)] * 2, by="maze")
        assert table["mine"].dtype == np.float64
        np.testing.assert_array_equal(table["mine"], np.array(result, float))
    for value in (np.bool_(True), np.array(1), 1, np.float32(1)):  # noqa: FBT003
        table = meiro.survey((4, 4), "wilson", 3, measures=each(returning(value)))
        assert (table["n"][0], table["mean"][0]) == (3, 1)
    none = meiro.survey((4, 4), "wilson", 3, measures=each(returning(math.nan)))
    assert none["n"].tolist() == [0]


class TwoWordsError(Exception):
    """Cannot be made again of its text, as processes do."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


@each
def unlucky(maze: Any) -> float:
    if maze.passages[0, 0] == 2 and maze.passages[3, 3] == 1:
        one = "this"
        raise TwoWordsError(one, "that")
    return 0


def test_the_seed_of_a_maze_that_fails_is_told(processes: ProcessPoolExecutor) -> None:
    with pytest.raises(TwoWordsError, match=r"^this and that\n") as failed:
        meiro.survey((4, 4), "wilson", 60, rng=7, measures=["turns", unlucky])
    told = [note for note in failed.value.__notes__ if "rng=" in note]
    (note,) = told
    one: Any = unlucky
    assert note.startswith("'unlucky' of the maze of rng=Seed(")
    seed = eval(note.partition("rng=")[2], {"Seed": meiro.Seed})  # noqa: S307
    assert 0 < seed.replicate < 60
    with pytest.raises(TwoWordsError):
        one.function(meiro.generate((4, 4), rng=seed))
    assert len(failed.value.partial) == 0  # type: ignore[attr-defined]
    with pytest.raises(TwoWordsError, match=rf"'unlucky' of mazes\[{seed.replicate}\]"):
        unlucky(meiro.generate_many((4, 4), n=60, rng=7))
    for pool in (processes, ThreadPoolExecutor(1)):
        words = rf"replicates 0 to 59: .*TwoWordsError: this and that; .*rng={note.partition('rng=')[2]}"
        words = words.replace("(", r"\(").replace(")", r"\)")
        with pytest.raises(RuntimeError, match=f"{words}; in measure 'unlucky'; among 'wilson' of"):
            meiro.survey((4, 4), "wilson", 60, rng=7, measures=unlucky, executor=pool)
    pool.shutdown()


def test_what_processes_cannot_have_is_told(processes: ProcessPoolExecutor) -> None:
    here: Any = {"measures": returning([0] * 3), "executor": processes}
    with pytest.raises(RuntimeError, match="'mine' cannot be pickled: define it at the top of a module"):
        meiro.survey((4, 4), "wilson", 3, **here)
    with ThreadPoolExecutor(1) as pool:
        assert len(meiro.survey((4, 4), "wilson", 3, **{**here, "executor": pool})) == 1


def test_each_is_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was decorated is under the name of its function, for processes and for notebooks."""
    mazes = meiro.generate_many((5, 6), n=4, rng=7)
    found: Any = [pickle.loads(pickle.dumps(one)) for one in (reach, reach, each(length, version=3))]  # noqa: S301
    for one in found[:2]:
        np.testing.assert_array_equal(one(mazes), reach(mazes))
    assert (found[2].function, found[2].version) == (length, 3)
    assert (found[2].__name__, repr(found[2])) == ("length", "each(length)")
    here: Any = {"__name__": "__main__", "each": each}
    exec("@each\ndef typed(maze): return maze.rows", here)  # noqa: S102
    monkeypatch.setattr(sys.modules["__main__"], "typed", here["typed"], raising=False)
    sent = cloudpickle.dumps(here["typed"])
    monkeypatch.undo()
    assert pickle.loads(sent)(mazes).tolist() == [5] * 4  # noqa: S301
    for wrong in ((7,), (lambda: 0,)):
        refused(TypeError, r"^function must be a function of one argument, not (7|<function)", each, *wrong)
    refused(TypeError, r"version must be a text or an integer, not 1\.5", each, length, version=1.5)


def test_ctrl_c_and_progress_in_a_slow_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_OWN_CELLS", 16 * 10)
    told: list[int] = []
    meiro.survey((4, 4), "wilson", 60, measures=each(length), progress=lambda done, _: told.append(done))
    assert told == [*range(10, 70, 10), 60]

    def stops(batch: Any) -> Any:
        if told[-1] >= 30:
            signal.raise_signal(signal.SIGINT)
        return np.zeros(len(batch))

    monkeypatch.setattr(jobs, "JOB_CELLS", 16 * 20)
    told[:] = [0]
    with pytest.raises(KeyboardInterrupt) as stopped:
        meiro.survey((4, 4), "wilson", 60, measures=stops, progress=lambda done, _: told.append(done))
    assert stopped.value.partial["n"].tolist() == [20]  # type: ignore[attr-defined]


def test_a_measure_runs_in_several_threads_of_an_executor() -> None:
    both = threading.Barrier(2, timeout=20)

    def meets(batch: Any) -> Any:
        both.wait()
        return np.zeros(len(batch))

    with ThreadPoolExecutor(2) as pool:
        meiro.survey([(4, 4), (5, 5)], "wilson", 2, measures=meets, executor=pool)


SOURCE = """
import functools
import numpy as np
GLOBAL = {glob}
def outer(factor, table):
    def inner(maze):
        return inner and factor * len(table)
    def mine(batch, by={default}, *, more={more}):
        return [inner(maze) * by + np.sum(more) for maze in batch]{change}
    return mine
def part(scale, batch):
    return [scale] * len(batch)
measures = {{"closure": outer({factor}, {table}), "partial": functools.partial(part, {factor})}}
measures["partial"].__name__ = "mine"
"""
USUAL = {"glob": "1", "default": "2", "more": "np.arange(3)", "change": "", "factor": "3"}
USUAL |= {"table": "({'a', 'bc', 'def'}, {2: None, 'x': max}, [np.float64(2), np.linalg.norm])"}


def measure_of(folder: Path, kind: str = "closure", **changed: str) -> Any:
    """Return a measure of a module that was written with these values."""
    path = folder / f"own{len(list(folder.iterdir()))}.py"
    path.write_text(SOURCE.format(**USUAL | changed), "utf-8")
    return runpy.run_path(str(path))["measures"][kind]


def digest_in(folder: Path) -> str:
    (part,) = folder.glob("*.parquet")
    found = json.loads(pq.read_metadata(part).metadata[b"meiro"])["measures"]
    assert found[0] == "turns"
    return str(found[1]["mine"])


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("closure", {"change": "  # other words"}),
        ("closure", {"default": "2.0"}),
        ("closure", {"more": "np.arange(3.0)"}),
        ("closure", {"more": "np.arange(1, 4)"}),
        ("closure", {"factor": "4"}),
        ("closure", {"table": USUAL["table"].replace("max", "min")}),
        ("closure", {"table": USUAL["table"].replace("'bc'", "'bd'")}),
        ("closure", {"table": USUAL["table"].replace("float64(2)", "float64(3)")}),
        ("partial", {"factor": "4"}),
    ],
    ids=str,
)
def test_a_measure_that_has_changed_is_refused(kind: str, changed: dict[str, str], tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    given: dict[str, Any] = {"shapes": (4, 4), "algorithms": "wilson", "n": 3, "rng": 7, "by": "maze"}
    given |= {"out": tmp_path / "rows"}
    meiro.survey(**given, measures=["turns", measure_of(sources, kind)])
    was = digest_in(tmp_path / "rows")
    for same_as_before in (measure_of(sources, kind), measure_of(sources, kind, glob="2")):
        meiro.survey(**given, measures=["turns", same_as_before], resume=True)
    other = measure_of(sources, kind, **changed)
    meiro.survey(**given | {"out": tmp_path / "other"}, measures=["turns", other])
    now = digest_in(tmp_path / "other")
    assert re.fullmatch("sha256 [0-9a-f]{16}", was)
    assert now != was
    words = f"measures is .*'mine': '{was}'.* in part-.*, not .*'mine': '{now}'"
    refused(ValueError, words, meiro.survey, **given, measures=["turns", other], resume=True)


def test_the_digest_is_the_same_in_every_process(tmp_path: Path) -> None:
    """Texts of a set are in another order in each."""
    path = tmp_path / "own.py"
    path.write_text(SOURCE.format(**USUAL), "utf-8")
    code = "import runpy, sys; from meiro.stats.surveys.own_measures import known_by\n"
    code += "print(known_by(runpy.run_path(sys.argv[1])['measures']['closure']))"
    one, other = (run_python(code, path, env={"PYTHONHASHSEED": str(k)}).stdout for k in range(2))
    assert one == other != ""


@pytest.mark.long
def test_a_version_stands_for_the_source(tmp_path: Path) -> None:
    made: Any = {}
    exec("def mine(maze): return 1", made)  # noqa: S102  # typed in at a prompt
    given: dict[str, Any] = {"shapes": (4, 4), "algorithms": "wilson", "n": 3, "rng": 7, "by": "maze"}
    given |= {"out": tmp_path}

    class Instance:
        def __call__(self, batch: Any) -> Any:
            return np.zeros(len(batch))

    for unknown in (each(made["mine"]), Instance(), returning(Instance()), len):
        with pytest.raises(TypeError, match=r"no digest tells whether .* give it a version, by each"):
            meiro.survey(**given, measures=unknown)
    assert not list(tmp_path.iterdir())
    meiro.survey(**given, measures=["turns", each(made["mine"], version=1)])
    assert digest_in(tmp_path) == "version 1"
    made["mine"].version = 1
    meiro.survey(**given, measures=["turns", each(made["mine"])], resume=True)
    with pytest.raises(ValueError, match=r"'mine': 'version 1'}\] in part-.*, not .*'mine': 'version 2'}\]"):
        meiro.survey(**given, measures=["turns", each(made["mine"], version=2)], resume=True)
