"""``out=`` of `generate`, `Maze.to_grid` and `distances`: the user's memory, of a file or shared as well."""

from __future__ import annotations

import errno
import os
import shutil
from multiprocessing import shared_memory
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro import _core
from meiro._utils import memory

if TYPE_CHECKING:
    from pathlib import Path

SHAPE = (5, 6)


@pytest.mark.parametrize("algorithm", list(meiro.ALGORITHMS))
def test_generate_makes_the_maze_in_out(algorithm: str) -> None:
    out = np.full(SHAPE, 255, np.uint8)
    maze = meiro.generate(SHAPE, algorithm, rng=7, out=out)
    assert maze == meiro.generate(SHAPE, algorithm, rng=7)
    assert np.shares_memory(maze.passages, out)


def test_out_belongs_to_the_maze() -> None:
    out = np.empty(SHAPE, np.uint8)
    meiro.generate(SHAPE, rng=7, out=out)
    with pytest.raises(ValueError, match="read-only"):
        out[0, 0] = 1
    refused(ValueError, r"out must be writable, not read-only", meiro.generate, SHAPE, rng=8, out=out)


def test_out_with_mask_openings_and_removed_dead_ends() -> None:
    arguments: list[dict[str, Any]] = [
        {"mask": np.eye(9, dtype=bool), "algorithm": "kruskal"},
        {"openings": "random"},
        {"algorithm": "rooms", "dead_ends": "remove"},
        {"algorithm": "wilson", "wrap": (True, True)},
    ]
    for given in arguments:
        out = np.empty((9, 9), np.uint8)
        maze = meiro.generate((9, 9), rng=7, out=out, **given)
        assert maze == meiro.generate((9, 9), rng=7, **given)
        assert np.shares_memory(maze.passages, out)


def test_out_that_does_not_fit_is_refused_before_anything_is_written() -> None:
    words = r"out must be a uint8 array of shape \(5, 6\), not uint8 \(6, 5\)"
    out = np.zeros((6, 5), np.uint8)
    refused(ValueError, words, meiro.generate, SHAPE, rng=7, out=out)
    refused(ValueError, "out must be C-contiguous", meiro.generate, SHAPE, rng=7, out=out.T)
    assert not out.any()


def test_on_a_lattice_there_is_no_out() -> None:
    with pytest.raises(TypeError, match="a lattice takes no out"):
        meiro.generate(meiro.lattices.hexagonal(3, 4), rng=7, out=np.empty(3, np.uint8))


def test_interrupted_generate_leaves_out_to_its_owner() -> None:
    out = np.empty((400, 400), np.uint8)

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meiro.generate(out.shape, rng=7, out=out, progress=stop)
    out[:] = 0
    assert meiro.generate(out.shape, rng=7, out=out) == meiro.generate(out.shape, rng=7)


def test_memory_that_was_changed_behind_a_maze_is_an_error_and_not_a_crash() -> None:
    mine = np.empty((40, 50), np.uint8)
    maze = meiro.generate(mine.shape, rng=7, out=mine.view())
    mine[:] = 15
    for call in (meiro.measure, meiro.solve, meiro.distances):
        refused(ValueError, r"over the rim|does not agree", call, maze)


def test_with_out_only_the_scratch_memory_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    side = 12_000
    out = np.empty((side, side), np.uint8)  # no page of it is touched
    monkeypatch.setattr(memory, "available", lambda: side * side - 1)
    monkeypatch.setattr(_core, "generate", lambda *_: None)
    meiro.generate((side, side), "binary_tree", rng=7, out=out)
    refused(MemoryError, "binary_tree of", meiro.generate, (side, side), "binary_tree", rng=7)
    with pytest.raises(MemoryError, match="backtracker of"):
        meiro.generate((side, side), "backtracker", rng=7, out=np.empty((side, side), np.uint8))


def test_out_in_shared_memory() -> None:
    block = shared_memory.SharedMemory(create=True, size=SHAPE[0] * SHAPE[1])
    try:
        there = np.ndarray(SHAPE, np.uint8, block.buf)
        maze = meiro.generate(SHAPE, rng=7, out=np.ndarray(SHAPE, np.uint8, block.buf))
        assert (there == meiro.generate(SHAPE, rng=7).passages).all()
        del maze, there
    finally:
        block.close()
        block.unlink()


def test_open_memmap_is_for_generate_grids_and_distances(tmp_path: Path) -> None:
    passages = meiro.io.open_memmap(tmp_path / "passages.npy", SHAPE)
    maze = meiro.generate(SHAPE, rng=7, out=passages)
    grid = maze.to_grid(meiro.io.open_memmap(tmp_path / "grid.npy", (11, 13)))
    steps = meiro.distances(maze, out=meiro.io.open_memmap(tmp_path / "steps.npy", SHAPE, np.int32))
    assert (grid == maze.grid).all()
    assert (steps == meiro.distances(maze)).all()
    for array, name in ((passages, "passages"), (grid, "grid"), (steps, "steps")):
        assert isinstance(array, np.memmap)
        array.flush()
        assert (np.load(tmp_path / f"{name}.npy") == array).all()
    assert type(maze.passages) is np.ndarray


def test_open_memmap_makes_zeros_whose_bytes_are_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(b"old")
    array = meiro.io.open_memmap(path, (3, 1000, 1000), np.float32)
    assert array.shape == (3, 1000, 1000)
    assert array.dtype == np.float32
    assert not array.any()
    assert os.name != "posix" or path.stat().st_blocks * 512 >= array.nbytes


def test_open_memmap_without_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(b"old")
    with pytest.raises(
        OSError, match=r"2,000,000,000,000,000 bytes, and [\d,]+ are free: .*a\.npy"
    ) as caught:
        meiro.io.open_memmap(path, (10**9, 2 * 10**6))
    assert caught.value.errno == errno.ENOSPC
    assert path.read_bytes() == b"old"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(0, 0, 1 << 60))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)  # another process was faster
    refused(OSError, r"No space left on device: .*a\.npy", meiro.io.open_memmap, path, (10, 10))
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.npy"]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (("a.npz", (3, 3)), ValueError, "path 'a.npz' must end in .npy"),
        (("a.npy", ()), TypeError, r"shape must be the sides of an array, as \(rows, cols\), not \(\)"),
        (("a.npy", 9), TypeError, "shape must be .*, not 9"),
        (("a.npy", (3, 0)), ValueError, "shape must be at least 1, not 0"),
        (("a.npy", (1 << 60, 9)), ValueError, "is too large for a file"),
        (("a.npy", (3, 3), "O"), TypeError, "dtype must be of booleans, integers or floats, not object"),
        (("a.npy", (3, 3), "what"), TypeError, "dtype must be a dtype of NumPy, not 'what'"),
    ],
)
def test_open_memmap_refuses(
    given: Any, error: type[Exception], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(error, words, meiro.io.open_memmap, *given)
    assert not list(tmp_path.iterdir())
