"""Surveys of mazes on lattices: each number is that of `generate` and `measure`, wherever it is computed."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from power import samples
from refusals import refused
from same_tables import same

import meiro

HEXAGONS = meiro.lattices.hexagonal(4, 5)
GRAPH = meiro.lattices.from_graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "f"), ("e", "f")])
SHAPES: list[Any] = [HEXAGONS, (3, 4), {"lattice": "polar", "rings": 3}, GRAPH]
NAMES = ["dead_ends", "solution_length", "passages"]


def table(**options: Any) -> meiro.Table:
    given: dict[str, Any] = {"rng": 7, "measures": NAMES, "by": "maze", **options}
    return meiro.survey(SHAPES, ["wilson", "kruskal"], 40, **given)


def test_rows_are_what_generate_and_measure_give() -> None:
    rows = table()
    lattices = {"hexagonal(rows=4, cols=5)": HEXAGONS, "polar(rings=3, first=6)": meiro.lattices.polar(3)}
    assert set(lattices) < set(rows["lattice"].tolist())
    for i in range(0, len(rows["cells"]), 7):
        name = str(rows["lattice"][i])
        shape: Any = (3, 4) if not name else lattices.get(name, GRAPH)
        seed = meiro.replicate(7, int(rows["replicate"][i]))
        maze = meiro.generate(shape, str(rows["algorithm"][i]), rng=seed)
        found = meiro.measure(maze, NAMES)
        for measure in NAMES:
            np.testing.assert_equal(float(rows[measure][i]), float(found[measure]))
        assert rows["cells"][i] == (12 if not name else shape.n_cells)
        np.testing.assert_equal(rows["rows"][i], 3.0 if not name else np.nan)


@pytest.mark.long
def test_any_number_of_threads_and_workers_gives_the_same_table() -> None:
    rows = table()
    assert same(table(threads=3), rows)
    with ThreadPoolExecutor(2) as pool:
        assert same(table(executor=pool), rows)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert same(table(executor=pool), rows)
    summary = table(by="summary")
    with ThreadPoolExecutor(2) as pool:
        assert same(table(by="summary", executor=pool), summary)


def test_pieces_of_a_job_give_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table()
    monkeypatch.setattr("meiro.stats.surveys.executors._EDGES", 100)
    assert same(table(), rows)


def test_summaries_are_those_of_the_rows() -> None:
    rows, summary = table(), table(by="summary")
    for i in range(len(summary["n"])):
        here = (rows["lattice"] == summary["lattice"][i]) & (rows["algorithm"] == summary["algorithm"][i])
        values = np.asarray(rows[str(summary["measure"][i])][here], np.float64)
        assert summary["n"][i] == np.isfinite(values).sum()
        if summary["n"][i]:
            np.testing.assert_allclose(summary["mean"][i], np.nanmean(values))


def test_a_folder_is_resumed_and_that_of_another_lattice_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    options: dict[str, Any] = {"by": "maze", "out": tmp_path / "out", "rng": 1, "measures": "dead_ends"}
    whole = meiro.survey(GRAPH, "wilson", 30, **options)
    (first, *_) = (tmp_path / "out").glob("*.parquet")
    first.unlink()
    assert same(meiro.survey(GRAPH, "wilson", 30, **options, resume=True), whole)
    other = meiro.Lattice(GRAPH.n_cells, GRAPH.edges[::-1])
    refused(ValueError, r"another|differ", meiro.survey, other, "wilson", 30, **options, resume=True)


def test_by_default_the_measures_are_those_of_lattices() -> None:
    shapes: list[Any] = [HEXAGONS, (3, 3)]
    rows = meiro.survey(shapes, "wilson", 3, rng=1, by="maze")
    assert {name for name in meiro.MEASURES if name in rows} == {
        name for name, facts in meiro.MEASURES.items() if facts.graphs
    }


def test_what_does_not_fit_is_named() -> None:
    refused(TypeError, "'eller' needs rows and columns", meiro.survey, HEXAGONS, "eller", 3)
    refused(TypeError, "a lattice takes no mask", meiro.survey, HEXAGONS, ("wilson", {"mask": [[True]]}), 3)
    with pytest.raises(TypeError, match="'turns' needs rows and columns"):
        meiro.survey(HEXAGONS, "wilson", 3, measures="turns")
    refused(ValueError, "comes twice", meiro.survey, [HEXAGONS, meiro.lattices.hexagonal(4, 5)], "wilson", 3)
    refused(ValueError, "is no recipe of a lattice", meiro.survey, {"lattice": "hexagons"}, "wilson", 3)


COUNTS = ["isolated", "dead_ends", "corridors", "junctions", "crossroads", "passages", "dead_end_share"]


@pytest.mark.laws
def test_known_means_are_those_of_the_samples() -> None:
    shapes: list[Any] = [HEXAGONS, GRAPH, meiro.lattices.polar(4), meiro.lattices.square(7, 6)]
    weights = ("aldous_broder", {"weights": np.random.default_rng(2).uniform(0.2, 5, HEXAGONS.n_edges)})
    rest: list[Any] = ["wilson", ("origin_shift", {"start": "random"}), ("percolation", {"p": 0.3})]
    n = samples(40_000)
    several = meiro.survey(shapes, rest, n, rng=7, measures=COUNTS)
    alone = meiro.survey(HEXAGONS, weights, n, rng=7, measures=COUNTS)
    for found in (several, alone):
        assert np.abs(found["z"]).max() < 5  # and known: NaN is not
    uniform = dict(zip(COUNTS, several["expected"][: len(COUNTS)].tolist(), strict=True))
    other = meiro.survey(HEXAGONS, "kruskal", n, rng=7, measures="dead_ends")
    assert np.isnan(other["expected"][0])
    assert abs(other["mean"][0] - uniform["dead_ends"]) > 10 * other["standard_error"][0]


@pytest.mark.laws
@pytest.mark.parametrize("algorithm", ["wilson", "boruvka"])
def test_small_lattices_have_the_means_of_all_measures(algorithm: Any) -> None:
    lattice: Any = meiro.lattices.hexagonal(2, 3)
    found = meiro.survey(lattice, algorithm, samples(40_000), rng=3)
    known = np.isfinite(found["expected"])
    assert set(found["source"][known].tolist()) == {"exact: meiro.law"}
    assert (known == (found["n"] > 0)).all()
    assert known.sum() > 15
    assert np.abs(found["z"][known]).max() < 5


def test_square_lattices_have_the_known_means_of_their_shapes() -> None:
    square: Any = meiro.lattices.square(9, 8)
    for algorithm in ("wilson", "percolation"):
        one = meiro.survey(square, algorithm, 2, rng=7, measures=COUNTS)
        other = meiro.survey((9, 8), algorithm, 2, rng=7, measures=COUNTS)
        np.testing.assert_allclose(one["expected"], other["expected"], atol=1e-9)


@pytest.mark.parametrize(
    "algorithm", ["kruskal", "backtracker", ("origin_shift", {"steps": 5}), ("kruskal", {"order": range(49)})]
)
def test_other_laws_have_no_known_means(algorithm: Any) -> None:
    lattice = meiro.lattices.square(5, 6)
    found = meiro.survey(lattice, algorithm, 3, rng=1, measures=COUNTS)
    assert np.isnan(found["expected"]).all()
    assert set(found["source"].tolist()) == {""}
