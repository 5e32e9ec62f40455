"""Streams of rows: those of `generate`, for any height; measured and saved band by band."""

from __future__ import annotations

import contextlib
import copy
import pickle
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.generators import row_stream
from meiro.generators.row_stream import streamed
from meiro.io import png
from meiro.io.arrays import site_bands
from meiro.stats.in_parts import IN_PARTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from meiro.generators import RowStream

CORNERS = ("north_west", "north_east", "south_east", "south_west")
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("eller", {}),
    ("sidewinder", {}),
    ("pole_toppling", {}),
    ("percolation", {}),
    ("percolation", {"p": 0.3}),
    *(("binary_tree", {"corner": corner}) for corner in CORNERS),
]
stream = meiro.generators.stream


@pytest.mark.parametrize(("algorithm", "options"), KINDS, ids=str)
@pytest.mark.parametrize("cols", [1, 2, 7, 63, 64, 65, 100, 300])
@pytest.mark.parametrize("height", [1, 2, 5, 40])
def test_rows_are_those_of_generate(algorithm: str, options: dict[str, Any], cols: int, height: int) -> None:
    whole = meiro.generate((height, cols), algorithm, rng=7, **options)
    rows = stream(algorithm, cols, rng=7, **options)
    made = [rows.rows(height // 3)]
    rows = pickle.loads(pickle.dumps(rows))  # noqa: S301
    made += [rows.rows(height - 1 - rows.row), rows.finish()]
    assert np.array_equal(np.vstack(made), whole.passages)
    assert {part.dtype for part in made} == {np.dtype(np.uint8)}
    assert (rows.row, rows.cols, rows.finished, rows.seed) == (height, cols, True, whole.seed)
    refused(ValueError, f"the maze is finished: its last row was made as number {height}", rows.rows, 1)
    assert list(rows) == []


@pytest.mark.parametrize(("algorithm", "options"), KINDS, ids=str)
def test_bands_measures_and_files_are_those_of_the_maze(
    algorithm: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for height, cols in ((1, 1), (1, 5), (30, 7), (60, 200)):
        rows, whole = (
            stream(algorithm, cols, rng=7, **options),
            meiro.generate((height, cols), algorithm, rng=7, **options),
        )
        bands = [band.copy() for band in streamed(rows, height, "").bands(cells=3 * cols)]
        assert np.array_equal(np.vstack([band[1:] for band in bands]), whole.passages)
        assert not bands[0][0].any()
        monkeypatch.setattr(row_stream, "_BAND", 3 * cols)
        found, known = meiro.measure(rows, rows=height), meiro.measure(whole, IN_PARTS)
        assert repr(found) == repr(known)  # NaN as well
        assert found.reasons == known.reasons
        for suffix, scale in ((".png", 2), (".png", None), (".npy", None), (".csv", None)):
            meiro.save(rows, tmp_path / f"a{suffix}", rows=height, scale=scale)
            meiro.save(whole, tmp_path / f"b{suffix}", scale=scale)
            assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
        assert rows.row == 0


def test_large_files_of_streams_have_several_bands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("PIL", reason="Pillow is not installed: pip install Pillow")
    monkeypatch.setattr(site_bands, "SITES", 1)
    monkeypatch.setattr(png, "SITES", 4000)
    rows, whole = stream("eller", 70, rng=7), meiro.generate((90, 70), "eller", rng=7)
    told: list[tuple[int, int]] = []
    meiro.save(rows, tmp_path / "a.png", rows=90, progress=lambda *now: told.append(now))
    assert meiro.read(tmp_path / "a.png") == whole
    assert told[-1] == (6300, 6300)


def test_the_height_matters_in_the_last_row_alone() -> None:
    for algorithm, options in KINDS:
        high = meiro.generate((40, 100), algorithm, rng=7, **options).passages
        low = meiro.generate((20, 100), algorithm, rng=7, **options).passages
        assert np.array_equal(high[:19], low[:19])


@pytest.mark.parametrize(("algorithm", "options"), KINDS, ids=str)
def test_streams_are_equal_if_what_follows_is(algorithm: str, options: dict[str, Any]) -> None:
    one = stream(algorithm, 9, rng=7, **options)
    assert one == stream(algorithm, 9, rng=7, **options)
    assert one != stream(algorithm, 9, rng=8, **options)
    assert one != stream(algorithm, 8, rng=7, **options)
    other = copy.copy(one)
    next(other)
    assert (one.row, other.row) == (0, 1)
    assert one != other
    one.rows(1)
    assert one == other
    assert one != "a stream"


def test_two_threads_do_not_make_rows_of_one_stream() -> None:
    rows = stream("binary_tree", 5, rng=7)
    with rows._busy, pytest.raises(ValueError, match="another thread is making rows of this RowStream"):
        rows.rows(1)
    assert rows.row == 0


class LateLock:
    """A lock before which another thread does something."""

    def __init__(self, lock: Any, first: Callable[[], object]) -> None:
        self._lock, self._first = lock, first

    def acquire(self, *, blocking: bool) -> bool:
        self._first()
        return bool(self._lock.acquire(blocking=blocking))

    def release(self) -> None:
        self._lock.release()


def with_late_lock(rows: RowStream, do: Callable[[RowStream], object]) -> RowStream:
    lock = rows._busy

    def first() -> None:
        rows._busy = lock
        do(rows)

    rows._busy = LateLock(lock, first)  # type: ignore[assignment]
    return rows


def test_rows_of_another_thread_come_first() -> None:
    rows = with_late_lock(stream("sidewinder", 9, rng=7), lambda other: other.rows(3))
    assert np.array_equal(rows.rows(2), meiro.generate((9, 9), "sidewinder", rng=7).passages[3:5])
    assert rows.row == 5


def test_no_rows_follow_the_last_one_of_another_thread() -> None:
    rows = with_late_lock(stream("sidewinder", 9, rng=7), lambda other: other.finish())
    refused(ValueError, "the maze is finished: its last row was made as number 1", rows.rows, 2)
    assert rows.finished


@pytest.mark.parametrize("algorithm", ["eller", "sidewinder"])
def test_rows_that_threads_share_are_those_of_the_seed(algorithm: str) -> None:
    rows = stream(algorithm, 40, rng=7)
    made: list[bytes] = []

    def work() -> None:
        for _ in range(200):
            with contextlib.suppress(ValueError):  # another thread is making rows
                made.append(next(rows).tobytes())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == sorted(row.tobytes() for row in stream(algorithm, 40, rng=7).rows(len(made)))


def test_interrupted_measure_and_save_leave_the_stream(tmp_path: Path) -> None:
    rows = stream("binary_tree", 5, rng=7)

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meiro.measure(rows, rows=9, progress=stop)
    with pytest.raises(KeyboardInterrupt):
        meiro.save(rows, tmp_path / "a.png", rows=9, progress=stop)
    assert not list(tmp_path.iterdir())
    assert rows == stream("binary_tree", 5, rng=7)


def wrong_calls() -> list[tuple[Any, type[Exception], str]]:
    rows, maze = stream("sidewinder", 5, rng=7), meiro.generate((3, 3), rng=7)
    begun = stream("eller", 5, rng=7)
    next(begun)
    return [
        (
            lambda: stream("wilson", 4),
            ValueError,
            "algorithm 'wilson' does not make rows one after the other",
        ),
        (lambda: stream("eller", 4, rows=4), TypeError, "rows= is for boruvka, kruskal, prim"),
        (lambda: stream("eller", 4, p=0.5), TypeError, "'eller' takes no option 'p'"),
        (lambda: stream("sidewinder", 4, corner="north_west"), TypeError, "takes no option 'corner'"),
        (lambda: stream("percolation", 0), ValueError, "cols must be at least 1, not 0"),
        (lambda: stream("binary_tree", 1 << 31), ValueError, "cols must be less than"),
        (lambda: rows.rows(-1), ValueError, "n must be at least 0, not -1"),
        (lambda: rows.rows(1 << 40), MemoryError, "1,099,511,627,776 rows of 5 cells takes"),
        (lambda: stream("binary_tree", 1).rows((1 << 30) + 1), ValueError, "would make 1,073,741,825: a"),
        (lambda: meiro.measure(rows), TypeError, "x is a stream: measure needs rows="),
        (lambda: meiro.measure(rows, rows=0), ValueError, "rows must be at least 1, not 0"),
        (lambda: meiro.measure(rows, "diameter", rows=3), ValueError, "'diameter' needs the whole maze"),
        (lambda: meiro.measure(rows, rows=3, start=(0, 0)), TypeError, r"start=\(0, 0\) is of a maze"),
        (lambda: meiro.measure(maze, rows=3), TypeError, "rows=3 is for a stream"),
        (lambda: meiro.measure(begun, rows=3), ValueError, "the stream has made 1 rows"),
        (lambda: meiro.save(rows, "a.png"), TypeError, "x is a stream: save needs rows="),
        (
            lambda: meiro.save(rows, "a.svg", rows=3),
            TypeError,
            r"x is a stream, .* it is written to .png, .csv, .npy and .zarr files",
        ),
        (lambda: meiro.save(maze, "a.png", rows=3), TypeError, "rows=3 is for a stream"),
        (lambda: meiro.save(rows, "a.png", rows=3, solution=[]), TypeError, "solution= is of a maze"),
        (lambda: meiro.save(rows, "a.png", rows=3, posts=False), ValueError, "posts=False is for a Maze"),
    ]


@pytest.mark.parametrize("which", range(len(wrong_calls())))
def test_streams_refuse(which: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call, error, words = wrong_calls()[which]
    refused(error, words, call)
    assert not list(tmp_path.iterdir())
