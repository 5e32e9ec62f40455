"""Mazes by Kruskal whose height is not given: the rows of each such maze, decided as early as they can be."""

from __future__ import annotations

import copy
import importlib
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro._utils import memory
from meiro.generators import EndlessKruskalRows, kruskal_rows, pieces, row_stream
from meiro.generators.kruskal_rows import band_height_ahead, memory_needed_ahead
from meiro.generators.region import SAME_TREE

if TYPE_CHECKING:
    from pathlib import Path

stream = meiro.generators.stream


@pytest.fixture(autouse=True)
def low_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kruskal_rows, "_LEAST_AHEAD", 8)


def kruskal(cols: int, algorithm: str = "kruskal", **options: Any) -> EndlessKruskalRows:
    made = stream(algorithm, cols, rng=7, **options)
    assert isinstance(made, EndlessKruskalRows)
    return made


@pytest.mark.parametrize("cols", [1, 2, 7, 40, 131, 700])
@pytest.mark.parametrize("options", [{}, {"bias": 3.0}, {"threads": 2}], ids=str)
@pytest.mark.parametrize("algorithm", SAME_TREE)
def test_rows_are_those_of_generate(cols: int, options: dict[str, Any], algorithm: str) -> None:
    draws, made = np.random.default_rng(cols), []
    rows = kruskal(cols, algorithm, **options)
    for _ in range(6):
        made.append(rows.rows(int(draws.integers(0, 60))))
        rows = pickle.loads(pickle.dumps(rows)) if draws.random() < 0.5 else copy.copy(rows)  # noqa: S301
    made.extend((next(rows)[None], rows.finish()))
    passages = np.vstack(made)
    whole = meiro.generate(passages.shape, algorithm, rng=7, **options)
    assert np.array_equal(passages, whole.passages)
    assert (rows.row, rows.height, rows.finished, rows.seed) == (len(passages), None, True, whole.seed)


def test_the_rest_depends_on_the_rows_and_not_on_the_calls_that_made_them() -> None:
    one, other, third = kruskal(50), kruskal(50), kruskal(50)
    one.rows(60)
    for _ in range(60):
        next(other)
    copy.copy(third).rows(500)
    third.rows(60)
    assert one == other == third
    rest = one.finish()
    assert len(rest) > 0
    assert np.array_equal(rest, other.finish())
    assert np.array_equal(rest, third.finish())
    assert len(kruskal(50).finish()) > 0


def test_interrupted_rows_were_never_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    real, reduced = pieces.reduce_piece, []

    def stops(maze: Any, first: tuple[int, int], *rest: Any) -> Any:
        reduced.append(first[0])
        if len(reduced) == 9:
            raise KeyboardInterrupt
        return real(maze, first, *rest)

    monkeypatch.setattr(kruskal_rows, "reduce_piece", stops)
    rows, other = kruskal(50), kruskal(50)
    rows.rows(10)
    with pytest.raises(KeyboardInterrupt):
        rows.rows(500)
    assert rows.row == 10
    assert np.array_equal(rows.rows(20), other.rows(30)[10:])
    assert np.array_equal(rows.finish(), other.finish())


def test_rows_that_another_thread_made_meanwhile_do_not_end_the_maze() -> None:
    rows, other = kruskal(50), kruskal(50)
    rows.rows(10)
    other.rows(10)
    n = len(copy.copy(rows).finish())
    rows.rows(3)
    with pytest.raises(ValueError, match="another thread has made rows meanwhile"):
        row_stream.fill(rows, np.empty((n, 50), np.uint8), last=True)
    other.rows(3)
    assert np.array_equal(rows.finish(), other.finish())


def test_the_memory_of_what_waits_has_a_bound() -> None:
    cols = 60
    rows, most = kruskal(cols), 0
    for _ in range(400):
        rows.rows(50)
        most = max(most, sum(walls.nbytes for walls in rows._so_far[2].opened))
    assert 0 < most < memory_needed_ahead(cols)
    assert memory_needed_ahead(10**5) < 2 * 10**9
    for cols in (1, 10, 1000, 10**5, 1 << 30):
        assert band_height_ahead(cols) >= 1
        assert band_height_ahead(cols) * cols < 1 << 31


def test_the_last_row_that_a_stream_has_ends_the_maze(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("row_stream", "kruskal_rows", "stream"):
        monkeypatch.setattr(importlib.import_module(f"meiro.generators.{name}"), "MOST_ROWS", 50)
    whole = meiro.generate((50, 9), "kruskal", rng=7).passages
    assert np.array_equal(kruskal(9).rows(50), whole)
    assert np.array_equal(list(kruskal(9)), whole)
    refused(ValueError, "51 rows would make 51: a stream by kruskal has 50", kruskal(9).rows, 51)


def test_measures_files_and_paths_take_the_number_of_rows(tmp_path: Path) -> None:
    whole = meiro.generate((60, 50), "prim", rng=7, bias=2)
    rows = kruskal(50, "prim", bias=2)
    assert meiro.measure(rows, ["dead_ends", "turns"], rows=60) == meiro.measure(
        whole, ["dead_ends", "turns"]
    )
    meiro.save(rows, tmp_path / "a.png", rows=60)
    meiro.save(whole, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    path = meiro.solvers.solve_by_bands(rows, rows=60)
    assert np.array_equal(path, whole.solve((0, 0), (59, 49)).path)
    assert rows.row == 0


def test_streams_are_equal_if_what_follows_is() -> None:
    one, other = kruskal(50), kruskal(50, threads=2)
    assert one == other
    one.rows(3)
    assert one != other
    assert one != stream("kruskal", 50, rows=60, rng=7)
    assert repr(one) == "<EndlessKruskalRows 3 rows x 50 cols>"
    one.finish()
    refused(ValueError, "the maze is finished", one.finish)


def test_memory_is_asked_for_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 10**9)
    refused(MemoryError, r"kruskal of 1,073,741,824 columns in bands of 1 rows takes", kruskal, 1 << 30)
