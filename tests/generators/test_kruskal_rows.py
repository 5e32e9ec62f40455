"""Mazes by Kruskal in bands: those of `generate`, as streams and in files, whatever the bands."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro import _core
from meiro._utils import memory
from meiro.generators import KruskalRows, kruskal_rows, pieces, request
from meiro.generators.kruskal_rows import band_height, memory_needed
from meiro.generators.region import SAME_TREE
from meiro.generators.row_stream import streamed
from meiro.stats.in_parts import IN_PARTS

if TYPE_CHECKING:
    from pathlib import Path

stream = meiro.generators.stream
SEED = (1, 2, 0)


@pytest.fixture(autouse=True)
def low_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kruskal_rows, "_LEAST_BAND", 8)


def kruskal(rows: int, cols: int, algorithm: str = "kruskal", **options: Any) -> KruskalRows:
    made = stream(algorithm, cols, rows=rows, rng=7, **options)
    assert isinstance(made, KruskalRows)
    return made


@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 9), (9, 1), (40, 7), (7, 40), (200, 30), (30, 700), (150, 131)]
)
@pytest.mark.parametrize("options", [{}, {"bias": 3.0}, {"threads": 2}], ids=str)
@pytest.mark.parametrize("algorithm", SAME_TREE)
def test_rows_are_those_of_generate(shape: tuple[int, int], options: dict[str, Any], algorithm: str) -> None:
    whole = meiro.generate(shape, algorithm, rng=7, **options)
    height, draws = shape[0], np.random.default_rng(sum(shape))
    rows, made = kruskal(*shape, algorithm, **options), []
    while rows.row < height - 1:
        made.append(rows.rows(int(draws.integers(0, height - rows.row))))
        rows = pickle.loads(pickle.dumps(rows)) if draws.random() < 0.5 else copy.copy(rows)  # noqa: S301
    made.append(rows.finish())
    assert np.array_equal(np.vstack(made), whole.passages)
    assert (rows.row, rows.height, rows.finished, rows.seed) == (height, height, True, whole.seed)


def test_rows_and_iteration_make_the_last_row_as_well() -> None:
    whole = meiro.generate((9, 5), "kruskal", rng=7).passages
    assert np.array_equal(kruskal(9, 5).rows(9), whole)
    assert np.array_equal(list(kruskal(9, 5)), whole)


def test_bands_of_the_size_that_they_have() -> None:
    shapes = [(1 << 30, 1), (1, 1 << 30), (10**5, 10**5), (10**6, 10**6), (300, 400), (10**9, 10)]
    for rows, cols in shapes:
        height = band_height((rows, cols))
        assert 1 <= height <= rows
        assert height * cols < 1 << 31
    assert memory_needed((10**5, 10**5)) < 10**9
    assert band_height((300, 400)) == 34  # 2 times 17, the root of 300


def test_measures_files_and_paths_are_those_of_the_maze(tmp_path: Path) -> None:
    rows, whole = kruskal(60, 50), meiro.generate((60, 50), "kruskal", rng=7)
    for _ in range(2):  # the second time with the first pass done
        told: list[tuple[int, int]] = []
        assert meiro.measure(
            rows, IN_PARTS, progress=lambda *now, told=told: told.append(now)
        ) == meiro.measure(whole, IN_PARTS)
        assert told == sorted(told)
        assert {total for _, total in told} == {2 * 3000}
        assert told[-1][0] == 2 * 3000
    for suffix in (".png", ".npy", ".csv"):
        meiro.save(kruskal(60, 50), tmp_path / f"a{suffix}")
        meiro.save(whole, tmp_path / f"b{suffix}")
        assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    told = []
    path = meiro.solvers.solve_by_bands(kruskal(60, 50), progress=lambda *now: told.append(now))
    assert np.array_equal(path, whole.solve((0, 0), (59, 49)).path)
    assert told == sorted(told)
    assert told[-1] == (3 * 3000, 3 * 3000)
    meiro.io.pyramid(kruskal(60, 50), tmp_path / "tiles", progress=lambda *now: told.append(now))
    assert told[-1] == (2 * 3000, 2 * 3000)


def test_copies_share_the_first_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    reduced: list[int] = []
    real = pieces.reduce_piece

    def counting(maze: Any, first: tuple[int, int], *rest: Any) -> Any:
        reduced.append(first[0])
        return real(maze, first, *rest)

    monkeypatch.setattr(kruskal_rows, "reduce_piece", counting)
    rows = kruskal(60, 50)
    list(streamed(rows, None, "").bands())
    assert rows.row == 0
    bands = len(reduced)
    assert bands == len(set(reduced)) == -(-60 // band_height((60, 50))) > 3
    rows.rows(60)
    assert len(reduced) == bands


def test_an_interrupted_first_pass_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    real = pieces.reduce_piece
    reduced: list[int] = []

    def stops(maze: Any, first: tuple[int, int], *rest: Any) -> Any:
        if len(reduced) == 2:
            raise KeyboardInterrupt
        reduced.append(first[0])
        return real(maze, first, *rest)

    monkeypatch.setattr(kruskal_rows, "reduce_piece", stops)
    rows = kruskal(60, 50)
    with pytest.raises(KeyboardInterrupt):
        rows.rows(60)
    assert rows.row == 0
    again = pickle.loads(pickle.dumps(rows))  # noqa: S301
    reduced.append(-1)  # no longer 2
    assert np.array_equal(again.rows(60), meiro.generate((60, 50), "kruskal", rng=7).passages)
    assert len(reduced) == len(set(reduced))


def test_streams_are_equal_if_what_follows_is() -> None:
    one, other = kruskal(60, 50), kruskal(60, 50, threads=2)
    assert one == other
    one.rows(3)
    assert one != other
    other.rows(3)
    assert one == other
    assert kruskal(60, 50) != kruskal(61, 50)
    assert kruskal(60, 50) != stream("sidewinder", 50, rng=7)


def test_merging_high_pieces_takes_the_memory_of_their_width() -> None:
    shape, half, none = (1 << 30, 3), 1 << 29, np.empty((0, 4), np.int64)
    above, below = ((0, 0), (half, 3), none), ((half, 0), (5, 3), none)
    critical, opened = _core.tile_merge(shape, SEED, {}, *above, *below)
    assert len(critical) == 0
    assert (opened >> 1).tolist() == [(half - 1) * 3 + col for col in range(3)]


@pytest.mark.parametrize("shape", [(60, 50), (1, 1), (40, 333)])
@pytest.mark.parametrize("options", [{}, {"bias": 0.5}, {"threads": 2}, {"openings": "corners"}], ids=str)
def test_out_that_is_larger_than_memory_is_made_in_bands(
    shape: tuple[int, int], options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = meiro.generate(shape, "kruskal", rng=7, **options)
    monkeypatch.setattr(request, "_MANY", 1)

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(_core, "generate", refuse)
    told: list[tuple[int, int]] = []
    out = np.full(shape, 255, np.uint8)
    given = {**options, "progress": lambda *now: told.append(now)}
    maze = meiro.generate(shape, "kruskal", rng=7, out=out, **given)
    assert maze == whole
    assert maze.recipe == whole.recipe
    assert np.shares_memory(maze.passages, out)
    assert told == sorted(told)


def test_only_what_is_larger_than_memory_and_can_be_is_made_in_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(KruskalRows, "_prepare", refuse)
    meiro.generate((40, 50), "kruskal", rng=7, out=np.empty((40, 50), np.uint8))
    monkeypatch.setattr(request, "_MANY", 1)
    mask, order = np.ones((4, 5), bool), np.arange(31)
    mask[0, 0] = False
    others: tuple[dict[str, Any], ...] = ({"mask": mask}, {"wrap": (True, True)}, {"order": order})
    for given in others:
        out = np.empty((4, 5), np.uint8)
        assert meiro.generate((4, 5), "kruskal", rng=7, out=out, **given) == meiro.generate(
            (4, 5), "kruskal", rng=7, **given
        )
    meiro.generate((4, 5), "wilson", rng=7, out=np.empty((4, 5), np.uint8))
    with pytest.raises(AssertionError):
        meiro.generate((4, 5), "prim", rng=7, out=np.empty((4, 5), np.uint8))
    monkeypatch.setattr(request, "_MANY", 1 << 32)
    monkeypatch.setattr(memory, "available", lambda: 0)
    monkeypatch.setattr(memory, "CHECKED_FROM", 1)
    with pytest.raises(MemoryError, match=r"prim of \(4, 5\) in bands of 4 rows takes 100 bytes, and 0 are"):
        meiro.generate((4, 5), "prim", rng=7, out=np.empty((4, 5), np.uint8))


def wrong_calls() -> list[tuple[Any, type[Exception], str]]:
    rows = kruskal(9, 5)
    begun = kruskal(9, 5)
    begun.rows(3)
    return [
        (lambda: rows.rows(10), ValueError, "n must be at most 9, the rows that are left, not 10"),
        (begun.finish, ValueError, "1 rows were asked for as the last ones: 6 are left"),
        (
            lambda: meiro.measure(rows, rows=8),
            ValueError,
            "rows=8 is not the height of <KruskalRows 0 of 9 rows",
        ),
        (lambda: meiro.save(begun, "a.png"), ValueError, "the stream has made 3 rows"),
        (lambda: stream("kruskal", 4, rows=0), ValueError, "rows must be at least 1, not 0"),
        (lambda: stream("kruskal", 4, rows=1 << 31), ValueError, "rows must be less than"),
        (lambda: stream("kruskal", 4, rows=4, p=0.5), TypeError, "p"),
        (
            lambda: stream("kruskal", 1 << 30, rows=1 << 30),
            MemoryError,
            r"kruskal of \(1073741824, 1073741824\) in bands of 1 rows takes [0-9,]+ bytes",
        ),
    ]


@pytest.mark.parametrize("which", range(len(wrong_calls())))
def test_streams_refuse(which: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call, error, words = wrong_calls()[which]
    refused(error, words, call)
    assert not list(tmp_path.iterdir())
