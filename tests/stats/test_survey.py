"""Surveys: right numbers, the same for any split into jobs, and seeds of the mazes."""

from __future__ import annotations

import importlib
import math
import os
import signal
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from refusals import refused

import meiro
from meiro import _core
from meiro.stats.surveys import jobs

COUNTED = ["dead_ends", "turns"]  # integers
SHARED = ["dead_end_share", "horizontal_share"]  # floats
MEASURES = [*COUNTED, *SHARED]
OLDEST = ("growing_tree", {"choose": "oldest"})
ALGORITHMS: list[Any] = ["wilson", "kruskal", OLDEST]
SHAPES = [(8, 8), (5, 12)]
DEGREE = np.array([bits.bit_count() for bits in range(16)])


def by_hand(passages: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """Return the measures of many mazes, in the plainest way."""
    degree = DEGREE[passages]
    dead_ends = (degree == 1).sum(axis=(1, 2))
    straights = np.isin(passages, (5, 10)).sum(axis=(1, 2))
    return {
        "dead_ends": dead_ends,
        "turns": (degree == 2).sum(axis=(1, 2)) - straights,
        "dead_end_share": dead_ends / passages[0].size,
        "horizontal_share": (passages & 2 > 0).sum(axis=(1, 2)) / (degree.sum(axis=(1, 2)) / 2),
    }


def lines(table: meiro.Table) -> list[dict[str, Any]]:
    return [dict(zip(table, row, strict=True)) for row in zip(*(table[name] for name in table), strict=True)]


def bits_of(table: meiro.Table) -> dict[str, tuple[str, bytes]]:
    """Return all that a table holds, to the last bit."""
    return {name: (table[name].dtype.str, table[name].tobytes()) for name in table}


def test_survey_summary_is_that_of_the_mazes() -> None:
    table = meiro.survey(SHAPES, ALGORITHMS, 300, rng=7, measures=MEASURES)
    rows = iter(lines(table))
    for algorithm in ALGORITHMS:
        name, options = algorithm if isinstance(algorithm, tuple) else (algorithm, {})
        for shape in SHAPES:
            of = by_hand(meiro.generate_many(shape, name, 300, rng=7, **options).passages)
            for measure in MEASURES:
                row, x = next(rows), of[measure].astype(float)
                assert (row["algorithm"], row["rows"], row["cols"]) == (name, *shape)
                assert row["option_choose"] == options.get("choose", "")
                assert (row["measure"], row["n"]) == (measure, 300)
                assert row["mean"] == pytest.approx(x.mean(), rel=1e-14)
                assert row["sd"] == pytest.approx(x.std(ddof=1), rel=1e-12)
                assert row["standard_error"] == pytest.approx(x.std(ddof=1) / math.sqrt(300), rel=1e-12)
                assert (row["min"], row["max"]) == (x.min(), x.max())
                wanted = np.quantile(x, [0.05, 0.25, 0.5, 0.75, 0.95])
                assert [row[f"q{p:02}"] for p in (5, 25, 50, 75, 95)] == pytest.approx(wanted, rel=1e-12)
    assert next(rows, None) is None


def test_survey_table_does_not_depend_on_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: tuple[Any, Any] = ("summary", "maze")
    wanted = [bits_of(meiro.survey(SHAPES, ALGORITHMS, 100, rng=7, by=by)) for by in kinds]
    pieces: list[tuple[int, Any]] = [(200, 1), (1000, 2), (64 * 99, "all")]
    for job, threads in pieces:
        monkeypatch.setattr(jobs, "JOB_CELLS", job)
        for by, bits in zip(kinds, wanted, strict=True):
            again = meiro.survey(SHAPES, ALGORITHMS, 100, rng=7, by=by, threads=threads)
            assert bits_of(again) == bits, (job, by)


def test_survey_has_a_row_for_each_maze() -> None:
    table = meiro.survey(SHAPES, ALGORITHMS, 50, rng=7, measures=MEASURES, by="maze")
    assert len(table) == 6 * 50
    seed = ["replicate", "seed_0", "seed_1", "stream", "version"]
    assert list(table) == ["algorithm", "option_choose", "rows", "cols", *seed, *MEASURES]
    assert set(table["stream"]) == {meiro.seeds.STREAM}
    assert {table[name].dtype.kind for name in COUNTED} == {"i"}
    assert set(table["version"]) == {meiro.__version__}
    assert table["replicate"].tolist() == list(range(50)) * 6
    many = meiro.generate_many((5, 12), "growing_tree", 50, choose="oldest", rng=7)
    mine = table[(table["algorithm"] == "growing_tree") & (table["rows"] == 5)]
    for name, column in by_hand(many.passages).items():
        assert mine[name].tolist() == column.tolist()


def test_survey_outlier_is_made_again() -> None:
    table = meiro.survey((6, 6), "kruskal", 400, rng=(3, 4), measures="dead_ends", by="maze")
    i = int(table["dead_ends"].argmax())
    maze = meiro.generate((6, 6), "kruskal", rng=meiro.replicate((3, 4), int(table["replicate"][i])))
    seed = meiro.Seed((table["seed_0"][i], table["seed_1"][i]), table["replicate"][i])
    assert maze == meiro.generate((6, 6), "kruskal", rng=seed)
    assert (DEGREE[maze.passages] == 1).sum() == table["dead_ends"].max() > table["dead_ends"].mean() + 4


def test_survey_of_any_root_seed() -> None:
    """A Seed begins at its replicate, over the end too; a Generator is advanced once."""
    root = meiro.Seed((5, 6), 2**64 - 3)
    table = meiro.survey((4, 4), ["wilson", "kruskal"], 5, rng=root, measures="dead_ends", by="maze")
    assert table["replicate"].tolist() == [2**64 - 3, 2**64 - 2, 2**64 - 1, 0, 1] * 2
    many = meiro.generate_many((4, 4), "wilson", 5, rng=root)
    assert table["dead_ends"][:5].tolist() == by_hand(many.passages)["dead_ends"].tolist()
    first, second = (np.random.default_rng(1) for _ in range(2))
    meiro.survey([(4, 4), (5, 5)], "wilson", 5, rng=first, measures="turns")
    meiro.generate((3, 3), rng=second)
    assert first.random() == second.random()
    assert meiro.survey((4, 4), "wilson", 9) != meiro.survey((4, 4), "wilson", 9), "entropy of the system"


def test_survey_summary_of_rows_is_the_summary() -> None:
    rows = meiro.survey(SHAPES, ALGORITHMS, 80, rng=7, measures=MEASURES, by="maze")
    wanted = meiro.survey(SHAPES, ALGORITHMS, 80, rng=7, measures=MEASURES)
    of = ("algorithm", "option_choose", "rows", "cols")
    for i in range(0, len(wanted), len(MEASURES)):
        these = wanted[i : i + len(MEASURES)]
        own: NDArray[np.bool_] = np.all([rows[name] == these[name][0] for name in of], axis=0)
        assert own.sum() == 80
        again = rows[own].describe()
        assert bits_of(again) == {name: bits for name, bits in bits_of(these).items() if name in again}


@pytest.mark.parametrize("by", ["summary", "maze"])
def test_survey_of_no_mazes(by: Any) -> None:
    empty = meiro.survey(SHAPES, ALGORITHMS, 0, rng=7, measures=MEASURES, by=by)
    some = meiro.survey(SHAPES, ALGORITHMS, 2, rng=7, measures=MEASURES, by=by)
    assert len(empty) == 0
    assert {k: empty[k].dtype.kind for k in empty} == {k: some[k].dtype.kind for k in some}
    assert "0 rows" in repr(empty)


def test_survey_has_all_measures_by_default_and_nulls() -> None:
    table = meiro.survey((1, 1), "wilson", 3, rng=1, by="maze")
    assert set(MEASURES) < set(table)
    assert np.isnan(table["horizontal_share"]).all(), "a maze without passages"
    (row,) = lines(meiro.survey((1, 1), "wilson", 3, rng=1, measures="horizontal_share"))
    assert row["n"] == 0
    assert math.isnan(row["mean"])
    assert math.isnan(row["q50"])
    (one,) = lines(meiro.survey((2, 2), "wilson", 1, rng=1, measures="dead_ends"))
    assert (one["n"], one["mean"], math.isnan(one["sd"])) == (1, 2, True)


def test_survey_columns_of_options() -> None:
    weights = np.arange(1.0, 25)
    several: list[Any] = [
        ("percolation", {"p": 0.25}),
        ("recursive_division", {"room": 3}),
        ("growing_tree", {"choose": {"newest": 3, "random": 1}, "start": None}),
        ("wilson", {"weights": weights}),
        ("kruskal", {"wrap": (True, True), "mask": np.arange(16).reshape(4, 4) > 0}),
    ]
    refused(ValueError, "weights must have shape", meiro.survey, (5, 5), several, 1, measures="turns")
    table = meiro.survey((4, 4), several, 1, rng=1, measures="turns")
    options = {name: table[name].tolist() for name in table if name.startswith("option_")}
    assert np.array_equal(options.pop("option_p"), [0.25, *[math.nan] * 4], equal_nan=True)
    assert np.array_equal(options.pop("option_room"), [math.nan, 3, *[math.nan] * 3], equal_nan=True)
    assert options.pop("option_choose") == ["", "", "{'newest': 3, 'random': 1}", "", ""]
    assert options.pop("option_wrap")[4] == "(True, True)"
    assert options.pop("option_mask")[4].startswith("bool (4, 4) sha256:")
    assert options.pop("option_weights")[3].startswith("float64 (24,) sha256:")
    assert not options
    whole = meiro.survey(
        (4, 4), [("recursive_division", {"room": room}) for room in (2, 3)], 1, measures="turns"
    )
    assert whole["option_room"].dtype == np.int64


def test_survey_of_masks_and_wraps() -> None:
    mask = np.ones((5, 5), bool)
    mask[2, 2] = mask[0, :2] = mask[4, 3:] = False
    given: dict[str, Any] = {"mask": mask, "wrap": (False, True)}
    names = ["dead_ends", "solution_length"]  # from the first cell that exists to the last
    table = meiro.survey((5, 5), ("kruskal", given), 40, rng=1, measures=names, by="maze")
    many = meiro.generate_many((5, 5), "kruskal", 40, rng=1, **given)
    assert table["dead_ends"].tolist() == by_hand(many.passages)["dead_ends"].tolist()
    assert table["solution_length"].tolist() == many.solve((0, 2), (4, 2)).lengths.tolist()


def test_survey_means_are_the_known_ones() -> None:
    """Within five standard errors where there is one, and none for another law."""
    laws: list[Any] = [
        "wilson",
        "aldous_broder",
        "binary_tree",
        ("binary_tree", {"corner": "south_east"}),
        "sidewinder",
    ]
    names = ["dead_ends", "corridors", "junctions", "crossroads", "straights", "turns", "dead_end_share"]
    names += ["passages", "horizontal_passages", "vertical_passages", "horizontal_share", "isolated"]
    table = meiro.survey([(10, 10), (4, 4), (3, 9)], laws, 3000, rng=11, measures=names)
    told = ~np.isnan(table["expected"])
    assert told.all()
    assert (np.abs(table["z"][told]) < 5).all()
    assert ((table["source"] != "") == told).all()
    assert np.array_equal(np.isnan(table["z"]), ~told)
    random = table[table["sd"] > 0]
    assert {"passages", "isolated"} == set(names) - set(random["measure"])
    z = (random["mean"] - random["expected"]) / random["standard_error"]
    assert z == pytest.approx(random["z"])
    assert (table["z"][table["sd"] == 0] == 0).all()
    others: list[Any] = ["kruskal", ("wilson", {"bias": 2}), ("origin_shift", {"steps": 9}), "eller"]
    found = meiro.survey((4, 4), others, 5, measures=names)
    assert np.isnan(found["expected"]).all()
    biased = meiro.survey((4, 4), "kruskal", 3000, rng=11, measures=names[:6])
    wilson = meiro.survey((4, 4), "wilson", 3000, rng=11, measures=names[:6])
    off = (biased["mean"] - wilson["expected"]) / biased["standard_error"]
    assert np.abs(off).max() > 7, "the same numbers find Kruskal not uniform"


@pytest.mark.parametrize("algorithm", [a for a, facts in meiro.ALGORITHMS.items() if facts.law])
def test_survey_of_the_smallest_mazes_has_the_means_of_the_law(algorithm: str) -> None:
    """All measures; the mean of one that is undefined in some mazes is that of the others."""
    table = meiro.survey([(2, 3), (3, 3)], algorithm, 3000, rng=11)
    known = ~np.isnan(table["expected"])
    assert (np.abs(table["z"][known]) < 5).all()
    assert (table["n"][~known] == 0).all()
    assert set(table["source"][known]) == {"exact: meiro.law"}


HOLES = np.random.default_rng(3).random((12, 17)) < 0.85


@pytest.mark.parametrize(
    "algorithm",
    [
        pytest.param(("wilson", {"mask": HOLES}), id="mask"),
        ("wilson", {"wrap": (True, False)}),
        pytest.param(("wilson", {"mask": HOLES, "wrap": (True, True)}), id="masked torus"),
        ("origin_shift", {"start": (5, 5)}),
        ("sidewinder", {"towards": "east"}),
        ("binary_tree", {"corner": "north_east"}),
        "pole_toppling",
        ("pole_toppling", {"towards": "west"}),
        ("percolation", {"p": 0.3}),
        pytest.param(("percolation", {"p": 0.8, "mask": HOLES, "wrap": (False, True)}), id="percolation"),
    ],
    ids=str,
)
def test_survey_means_of_other_shapes_are_known(algorithm: Any) -> None:
    names = ["isolated", "dead_ends", "corridors", "junctions", "crossroads", "straights", "turns"]
    names += ["dead_end_share", "passages", "horizontal_passages", "vertical_passages"]
    table = meiro.survey((12, 17), algorithm, 3000, rng=11, measures=names, threads=2)
    assert (np.abs(table["z"]) < 5).all()
    rare = table["mean"] < 1
    error = (table["standard_error"][~rare] / table["mean"][~rare]).max()
    assert error < 0.02, "a mean that is off by a tenth would be seen"


@pytest.mark.long
def test_survey_without_known_means(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too large is not computed, and what ends early has the mazes measured up to then."""
    wide = meiro.survey([(1, 17_000), (530, 512)], "wilson", 2, measures="dead_ends", rng=1)
    assert np.isnan(wide["expected"]).all()
    assert not np.isnan(meiro.survey((300, 300), "wilson", 2, measures="dead_ends", rng=1)["expected"]).any()

    hole = np.ones((40, 40), np.bool_)
    hole[5, 5] = False
    with monkeypatch.context() as patch:
        patch.setattr(importlib.import_module("meiro.stats.surveys.expected_values"), "fits", lambda _: False)
        short = meiro.survey((40, 40), ("wilson", {"mask": hole}), 2, measures="dead_ends", rng=1)
    assert np.isnan(short["expected"]).all()

    def out_of_memory(*_: object, **__: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(importlib.import_module("meiro.exact.local_patterns"), "resistances", out_of_memory)
        with pytest.raises(MemoryError):
            meiro.survey((40, 40), ("wilson", {"mask": hole}), 2, measures="dead_ends", rng=1)

    def stop(done: int, total: int) -> None:
        raise RuntimeError(done, total)

    with pytest.raises(RuntimeError) as failed:
        meiro.survey((30, 30), "wilson", 2000, measures="dead_ends", rng=1, progress=stop)
    partial: meiro.Table = failed.value.partial  # type: ignore[attr-defined]
    assert not np.isnan(partial["expected"]).any()


def test_survey_means_are_the_published_ones() -> None:
    several: list[Any] = ["kruskal", ("backtracker", {"start": "random"}), "backtracker", "eller"]
    table = meiro.survey((100, 100), several, 30, rng=17, measures="dead_end_share", threads=2)
    rows = lines(table)
    assert ["Pullen" in row["source"] for row in rows] == [True, True, False, False]
    torus = ("kruskal", {"wrap": (True, True)})
    assert meiro.survey((100, 100), torus, 2, measures="dead_end_share")["source"].tolist() == [""]
    assert all(abs(row["z"]) < 5 for row in rows[:2])
    assert rows[1]["expected"] == 0.1
    off = rows[1]["mean"] - 0.1
    assert rows[1]["z"] == pytest.approx(off / math.hypot(rows[1]["standard_error"], 0.005 / math.sqrt(3)))


def peak(n: int, **options: Any) -> int:
    tracemalloc.start()
    meiro.survey((8, 8), "binary_tree", n, rng=1, measures=MEASURES, **options)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_survey_memory_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "JOB_CELLS", 64 * 500)
    peak(500)
    small, large = peak(1000), peak(20_000)
    assert large < 1.2 * small
    assert peak(20_000, by="maze") > 2 * large, "this test can fail"


def test_survey_refuses_bad_arguments() -> None:
    for given, error, words in (
        ({"algorithms": "wilsom"}, ValueError, "no algorithm 'wilsom'; did you mean 'wilson'"),
        ({"algorithms": [len]}, TypeError, "algorithms must be a name"),
        ({"algorithms": []}, ValueError, "algorithms must hold at least one"),
        ({"algorithms": 3}, TypeError, "algorithms must be a sequence, not 3"),
        ({"algorithms": ["wilson", "Wilson"]}, ValueError, "'wilson' of .4, 4. comes twice with the same"),
        ({"algorithms": ("wilson", {"choose": "oldest"})}, TypeError, "'wilson' takes no option 'choose'"),
        ({"algorithms": ("eller", {"wrap": (True, True)})}, TypeError, "'eller' takes no wrap"),
        ({"shapes": []}, ValueError, "shapes must hold at least one"),
        ({"shapes": 4}, TypeError, "shapes must be a sequence, not 4"),
        ({"shapes": [(4, 0)]}, ValueError, "shape must be at least .1, 1., not .4, 0."),
        ({"shapes": [4, 4, 4]}, TypeError, "shape must be a pair of integers, not 4"),
        ({"shapes": [(4, 4), [4, 4]]}, ValueError, "'wilson' of .4, 4. comes twice"),
        ({"n": -1}, ValueError, "n must be at least 0, not -1"),
        ({"n": 2.0}, TypeError, "n must be an integer, not 2.0"),
        ({"n": True}, TypeError, "n must be an integer, not True"),
        ({"measures": "dead_end"}, ValueError, "no measure 'dead_end'.*dead_ends"),
        ({"measures": [len]}, TypeError, "measure.* must be"),
        ({"by": "mazes"}, ValueError, "by must be 'summary' or 'maze', not 'mazes'"),
        ({"out": "here"}, ValueError, 'out= keeps the row of each maze: give by="maze"'),
        ({"resume": True}, ValueError, "resume=True continues the survey in a folder"),
        ({"shapes": (1 << 23, 1 << 23)}, MemoryError, "wilson of|mazes of"),
        ({"n": 1 << 40, "by": "maze"}, MemoryError, "a table of 1,099,511,627,776 mazes takes .*by="),
    ):
        refused(error, words, meiro.survey, **{"algorithms": "wilson", "shapes": (4, 4), "n": 3, **given})


def test_survey_takes_one_shape_in_any_form() -> None:
    wanted = meiro.survey([(4, 5)], "wilson", 9, rng=1)
    for shape in ((4, 5), np.array([4, 5]), np.array([[4, 5]]), iter([(4, 5)])):
        assert meiro.survey(shape, ["wilson"], 9, rng=1) == wanted  # type: ignore[arg-type]


def test_survey_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "JOB_CELLS", 1600)
    told: list[tuple[int, int]] = []
    meiro.survey((4, 4), ["wilson", "kruskal"], 250, rng=1, progress=lambda *now: told.append(now))
    assert told == sorted(told)
    assert told[-1] == (500, 500)
    assert {100, 200, 250, 350} <= {done for done, _ in told}


def test_survey_progress_bars(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "JOB_CELLS", 1600)
    meiro.survey((4, 4), "wilson", 250, rng=1, progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "250/250" in shown.err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    meiro.survey((4, 4), "wilson", 250, rng=1, progress=True)
    assert "[####" in capsys.readouterr().err


@pytest.mark.parametrize("by", ["summary", "maze"])
def test_survey_stopped_by_ctrl_c_keeps_what_is_done(by: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "JOB_CELLS", 1600)

    def stop(done: int, total: int) -> None:
        assert total == 1000
        if done >= 700:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        meiro.survey((4, 4), ["wilson", "kruskal"], 500, rng=1, by=by, progress=stop)
    partial = stopped.value.partial  # type: ignore[attr-defined]
    finished = meiro.survey((4, 4), "wilson", 500, rng=1, by=by)
    assert partial[partial["algorithm"] == "wilson"] == finished
    rest = partial[partial["algorithm"] == "kruskal"]
    begun = (meiro.survey((4, 4), "kruskal", n, rng=1, by=by) for n in (100, 200))
    assert any(rest == some for some in begun), "the job that was stopped may have been at its end"


def test_survey_raises_what_its_callback_raises() -> None:
    def fail(done: int, _total: int) -> None:
        if done:
            raise LookupError("of the user's own")

    with pytest.raises(LookupError, match=r"^of the user's own\nwhile measuring 'wilson' of") as failed:
        meiro.survey((4, 4), "wilson", 5, rng=1, progress=fail)
    assert len(failed.value.partial) >= 0  # type: ignore[attr-defined]


def test_survey_errors_name_the_mazes(monkeypatch: pytest.MonkeyPatch) -> None:
    real = _core.measure_many

    def fails(*args: Any) -> Any:
        if args[3][2] >= 300:
            raise OSError("no luck")
        return real(*args)

    monkeypatch.setattr(_core, "measure_many", fails)
    monkeypatch.setattr(jobs, "JOB_CELLS", 1600)
    with pytest.raises(
        OSError, match=r"^no luck\nwhile measuring .wilson. of .4, 4., replicates 300 to 399$"
    ) as failed:
        meiro.survey((4, 4), "wilson", 500, rng=1)
    assert failed.value.partial == meiro.survey((4, 4), "wilson", 300, rng=1)  # type: ignore[attr-defined]


def test_the_users_own_progress_is_not_closed() -> None:
    class Callback:
        closed = False

        def __call__(self, done: int, total: int) -> None: ...

        def close(self) -> None:
            self.closed = True

    callback = Callback()
    meiro.survey((4, 4), "wilson", 5, rng=1, progress=callback)
    assert not callback.closed
