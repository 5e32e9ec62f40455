"""Streams in zarr: the passages of the maze, in one atomic folder; interrupted saves go on."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from files.changed_archives import rewrite_npz
from refusals import refused

import meiro
from meiro.generators import kruskal_rows, pieces
from meiro.io.arrays import streamed_zarr

zarr = pytest.importorskip("zarr")
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("eller", {}),
    ("sidewinder", {}),
    ("percolation", {"p": 0.3}),
    ("kruskal", {}),
    ("prim", {"bias": 2.0}),
]
SHAPE = 60, 50


@pytest.fixture(autouse=True)
def low_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kruskal_rows, "_LEAST_BAND", 8)
    monkeypatch.setattr(streamed_zarr, "_BAND", 350)


def stream(algorithm: str, rng: int = 7, **options: Any) -> Any:
    height: dict[str, Any] = {"rows": SHAPE[0]} if algorithm in {"kruskal", "prim"} else {}
    return meiro.generators.stream(algorithm, SHAPE[1], rng=rng, **height, **options)


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize(("algorithm", "options"), KINDS, ids=str)
def test_a_stream_in_zarr_is_the_maze(algorithm: str, options: Any, resume: Any, tmp_path: Path) -> None:
    path = tmp_path / "maze.zarr"
    whole = meiro.generate(SHAPE, algorithm, rng=7, **options)
    rows = stream(algorithm, **options)
    told: list[tuple[int, int]] = []
    for _ in range(2):  # the second one replaces the first
        meiro.save(rows, path, rows=SHAPE[0], resume=resume, progress=lambda *now: told.append(now))
    assert rows.row == 0
    assert meiro.read(path) == whole
    assert [file.name for file in tmp_path.iterdir()] == ["maze.zarr"]
    array = zarr.open_array(path, mode="r")
    assert array.chunks == (7, 50)
    assert array.attrs["meiro_maze"]["algorithm"] == algorithm
    assert told[-1][0] == told[-1][1] == (2 if algorithm in {"kruskal", "prim"} else 1) * 3000
    assert np.array_equal(meiro.solvers.distances_by_bands(array), meiro.distances(whole, (0, 0)))


def test_an_array_of_dask_in_zarr_is_read_as_a_maze_and_back(tmp_path: Path) -> None:
    dask_array = pytest.importorskip("dask.array")
    import meiro.dask

    whole = meiro.generate(SHAPE, "kruskal", rng=7)
    chunked: Any = meiro.dask.generate(SHAPE, "kruskal", rng=7, chunks=(20, 30))
    chunked.to_zarr(str(tmp_path / "dask.zarr"))
    assert meiro.read(tmp_path / "dask.zarr") == whole
    meiro.save(stream("kruskal"), tmp_path / "maze.zarr")
    assert np.array_equal(dask_array.from_zarr(str(tmp_path / "maze.zarr")).compute(), whole.passages)


class StopError(Exception):
    """What ends a save."""


@pytest.mark.parametrize(("algorithm", "options"), KINDS, ids=str)
@pytest.mark.parametrize("after", [0, 1, 3, 7])
def test_an_interrupted_save_goes_on_where_it_was(
    algorithm: str, options: dict[str, Any], after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "maze.zarr"
    written: list[slice] = []
    real = zarr.Array.__setitem__

    def writes(array: Any, place: slice, rows: Any) -> None:
        if len(written) == after:
            raise StopError
        real(array, place, rows)
        written.append(place)

    monkeypatch.setattr(zarr.Array, "__setitem__", writes)
    with pytest.raises(StopError):
        meiro.save(stream(algorithm, **options), path, rows=SHAPE[0], resume=True)
    assert not path.exists()

    def goes_on(array: Any, place: slice, rows: Any) -> None:
        real(array, place, rows)
        written.append(place)

    monkeypatch.setattr(zarr.Array, "__setitem__", goes_on)

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(kruskal_rows, "reduce_piece", refuse)  # the first pass is not made again
    meiro.save(stream(algorithm, **options), path, rows=SHAPE[0], resume=True)
    assert written == [slice(first, min(first + 7, 60)) for first in range(0, 60, 7)]
    assert meiro.read(path) == meiro.generate(SHAPE, algorithm, rng=7, **options)
    assert [file.name for file in tmp_path.iterdir()] == ["maze.zarr"]


def test_an_interrupted_first_pass_goes_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = pieces.reduce_piece
    reduced: list[int] = []

    def reduces(maze: Any, first: tuple[int, int], *rest: Any) -> Any:
        if len(reduced) == 2:
            reduced.append(-1)
            raise KeyboardInterrupt
        reduced.append(first[0])
        return real(maze, first, *rest)

    monkeypatch.setattr(kruskal_rows, "reduce_piece", reduces)
    with pytest.raises(KeyboardInterrupt):
        meiro.save(stream("kruskal"), tmp_path / "maze.zarr", resume=True)
    meiro.save(stream("kruskal"), tmp_path / "maze.zarr", resume=True)
    assert reduced == [0, 14, -1, 28, 42, 56]
    assert meiro.read(tmp_path / "maze.zarr") == meiro.generate(SHAPE, "kruskal", rng=7)


def test_without_resume_nothing_is_left_of_an_interrupted_save(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meiro.save(stream("eller"), tmp_path / "maze.zarr", rows=60, progress=stop)
    assert not list(tmp_path.iterdir())


def test_a_save_that_is_killed_goes_on_from_the_state_that_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    real = streamed_zarr.arrays_of  # type: ignore[attr-defined]

    def keeps(rows: Any) -> Any:
        kept.append(rows.row)
        if len(kept) == 8:  # what would be left of it now
            shutil.copytree(tmp_path / "b.zarr.part", tmp_path / "c.zarr.part")
        return real(rows)

    monkeypatch.setattr(streamed_zarr, "arrays_of", keeps)
    meiro.save(stream("eller"), tmp_path / "a.zarr", rows=60, resume=True)
    assert kept == [0]
    monkeypatch.setattr(streamed_zarr, "_OFTEN", 0)
    monkeypatch.setattr(streamed_zarr, "_SHARE", 0)
    for name in ("b", "c"):
        meiro.save(stream("eller"), tmp_path / f"{name}.zarr", rows=60, resume=True)
    assert kept[1:] == [*range(0, 60, 7), 60, *range(42, 60, 7), 60]  # after each band; again from row 35
    assert meiro.read(tmp_path / "c.zarr") == meiro.generate(SHAPE, "eller", rng=7)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.zarr", "b.zarr", "c.zarr"]


def interrupted(path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise StopError

    with pytest.raises(StopError):
        meiro.save(stream("eller"), path, rows=60, resume=True, progress=stop)


def test_what_does_not_belong_together_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "maze.zarr"
    interrupted(path)
    part = tmp_path / "maze.zarr.part"
    with pytest.raises(ValueError, match=r"maze\.zarr\.part' holds a part of another maze: remove it"):
        meiro.save(stream("eller", rng=8), path, rows=60, resume=True)
    with pytest.raises(ValueError, match="holds a part of another maze"):
        meiro.save(stream("eller"), path, rows=61, resume=True)
    with streamed_zarr._only_writer(part), pytest.raises(BlockingIOError, match="another process is writing"):
        meiro.save(stream("eller"), path, rows=60, resume=True)
    (part / "state.npz").write_bytes(b"PK")
    refused(ValueError, r"state\.npz' is damaged", meiro.save, stream("eller"), path, rows=60, resume=True)
    (tmp_path / "other.zarr").mkdir()
    with pytest.raises(FileExistsError, match="exists and holds no maze of a stream"):
        meiro.save(stream("eller"), tmp_path / "other.zarr", rows=60)
    refused(ValueError, "scale= is not for", meiro.save, stream("eller"), path, rows=60, scale=2)
    refused(TypeError, "road", meiro.save, stream("eller"), path, rows=60, road=2)
    refused(TypeError, "save needs rows=", meiro.save, stream("eller"), path)
    words = "resume=True is for a stream in a .zarr folder"
    refused(ValueError, words, meiro.save, stream("eller"), tmp_path / "a.png", rows=60, resume=True)
    refused(ValueError, "suffix '.zarr' is not one of", meiro.save, meiro.generate((3, 3)), path)
    monkeypatch.setitem(sys.modules, "zarr", None)
    refused(ImportError, r"meiro\[dist\]", meiro.save, stream("eller"), path, rows=60)


def test_damaged_states_and_arrays_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "maze.zarr"
    interrupted(path)
    state = tmp_path / "maze.zarr.part" / "state.npz"
    whole = state.read_bytes()
    for new in ({"row": -1}, {"sets": np.ones((1, 50), np.uint8) * 9}):
        state.write_bytes(whole)
        rewrite_npz(state, **new)
        refused(ValueError, "is damaged: remove it", meiro.save, stream("eller"), path, rows=60, resume=True)
    zarr.create_array(str(tmp_path / "b.zarr"), shape=(3, 4), dtype="int32")
    refused(ValueError, r"b\.zarr' holds int32", meiro.read, tmp_path / "b.zarr")
    zarr.create_array(str(tmp_path / "c.zarr"), shape=(3, 4), dtype="uint8", fill_value=2)
    refused(ValueError, "passages", meiro.read, tmp_path / "c.zarr")
