"""Files of batches: round trips, atomic writing, and refused content."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from files.changed_archives import rewrite_npz
from refusals import refused
from some_batches import BATCHES, HEXAGONS, MANY, MASK

import meiro
from meiro import MazeBatch
from meiro.io.arrays import zarr_folders

SUFFIXES = [".npz", ".zarr"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", BATCHES)
def test_batch_file_round_trip(name: str, suffix: str, tmp_path: Path) -> None:
    many, path = BATCHES[name], tmp_path / f"many{suffix}"
    MANY.save(str(path))  # which is replaced
    many.save(path)
    found: Any = meiro.read(path)
    assert type(found) is type(many)
    assert found == many
    assert found.replicates.tolist() == many.replicates.tolist()
    assert [np.array_equal(*ends) for ends in zip(found.endpoints, many.endpoints, strict=True)] == [True] * 2
    assert found.recipe == many.recipe
    repeats = getattr(getattr(many, "lattice", None), "labels", None) is None  # no recipe holds all labels
    if found.recipe is not None and repeats:
        assert meiro.generate_many(**found.recipe) == many
    for one, other in zip(found, many, strict=True):
        assert one == other
        assert (one.seed, one.start, one.goal) == (other.seed, other.start, other.goal)
        assert one.recipe == other.recipe
        if one.recipe is not None and repeats:
            assert meiro.generate(**one.recipe) == other
    refused(ValueError, "road= is for", meiro.read, path, road=1)
    with pytest.raises(ValueError, match="read-only"):
        (found.passages if isinstance(found, MazeBatch) else found.open)[...] = 0
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("many", [MANY, HEXAGONS], ids=["squares", "hexagons"])
def test_save_takes_batches_and_lists(many: Any, suffix: str, tmp_path: Path) -> None:
    for path, given in ((tmp_path / f"a{suffix}", many), (tmp_path / f"b{suffix}", list(many))):
        meiro.save(given, path)
        found: Any = meiro.read(path)
        assert found == many
        assert found.recipe == many.recipe
        with pytest.raises(ValueError, match=rf"title= is not for .*{path.name}', which holds a batch"):
            meiro.save(given, path, title="x")
        refused(TypeError, "road", meiro.save, given, path, road=1)


def test_a_batch_of_the_other_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "hexagons.npz"
    HEXAGONS.save(path)
    refused(ValueError, r"npz' holds <GraphBatch of 10.*, and no MazeBatch: meiro.r", MazeBatch.open, path)
    other = tmp_path / "hexagons.zanj"
    refused(ValueError, r"a \.zanj holds mazes of rows and columns, not <GraphBatch", HEXAGONS.save, other)
    refused(TypeError, r"x\[1\] is <GraphMaze", meiro.save, [MANY[0], HEXAGONS[0]], path)


def test_batch_folder_has_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zarr_folders, "_CHUNK", 3 * 12)
    MANY.save(tmp_path / "many.zarr")
    zarr = pytest.importorskip("zarr")
    group = zarr.open_group(tmp_path / "many.zarr", mode="r")
    assert group["passages"].chunks == (3, 3, 4)
    assert (group["passages"][4:6] == MANY.passages[4:6]).all()
    assert MazeBatch.open(tmp_path / "many.zarr") == MANY


def test_batch_file_of_another_stream_has_no_seeds(tmp_path: Path) -> None:
    for many in (MANY, BATCHES["masks"], HEXAGONS):
        many.save(tmp_path / "many.npz")
        rewrite_npz(tmp_path / "many.npz", "batch", stream=999)
        found: Any = meiro.read(tmp_path / "many.npz")
        assert found == many
        assert list(found) == list(many)
        assert [found.seed(0), found.recipe, found[0].seed, found[0].recipe] == [None] * 4
        assert repr(found) == repr(many)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"passages": np.full((10, 3, 4), 15, np.uint8)}, r"maze 0 do not agree .* at \(0, 0\)"),
    ({"passages": MANY.passages[0]}, r"must be uint8 \(n, rows, cols\), not uint8 \(3, 4\)"),
    ({"passages": MANY.passages.astype(int)}, r"must be uint8 \(n, rows, cols\), not int64"),
    ({"passages": np.empty((10, 0, 4), np.uint8)}, r"not uint8 \(10, 0, 4\)"),
    ({"replicates": np.arange(10)}, r"replicates must be uint64 \(10,\), not int64"),
    ({"replicates": np.arange(9, dtype=np.uint64)}, r"replicates must be uint64 \(10,\), not uint64 \(9,\)"),
    ({"mask": np.ones((4, 4), bool)}, "mask"),
    ({"mask": MASK}, "maze 0 do not agree"),
    ({"wrap": [True, 3]}, "wrap"),
    ({"format": 2}, "its format is 2, of meiro .*; this meiro reads 1"),
    ({"recipe": {}}, "its recipe names no algorithm"),
    ({"recipe": [1]}, "its recipe names no algorithm"),
    ({"key": [1]}, "key must be a pair of integers"),
    ({"masks": np.ones((2, 3, 4), bool)}, "masks must be bool"),
    ({"masks": np.zeros((10, 3, 4), bool)}, "passages of maze 0 do not agree"),
    ({"openings": np.zeros((10, 1, 2), np.int64)}, r"openings: \(0, 0\) is not the site of a wall"),
    ({"openings": np.zeros((10, 2), np.int64)}, "openings must be int64"),
    ({"openings": np.zeros((10, 1, 2), np.int32)}, "openings must be int64"),
    ({"starts": np.full((10, 2), 9, np.int64)}, r"start \(9, 9\) of maze 0 is outside"),
    ({"goals": np.zeros((3, 2), np.int64)}, "goals must be int64"),
]
BAD_HEXAGONS: list[tuple[dict[str, Any], str]] = [
    ({"open": HEXAGONS.open[0]}, r"open must be bool \(None, 23\), not bool \(23,\)"),
    ({"open": HEXAGONS.open.view(np.uint8)}, r"open must be bool \(None, 23\), not uint8"),
    ({"edges": HEXAGONS.lattice.edges[:, :1]}, r"edges must be int32 \(None, 2\)"),
    ({"edges": HEXAGONS.lattice.edges * 0}, "maze 0 opens a self loop, which cannot be open"),
    ({"starts": np.full(10, 12)}, "start must be less than 12, not 12"),
    ({"goals": np.full((10, 2), 1)}, r"goals must be int64 \(10,\), not int64 \(10, 2\)"),
    ({"replicates": np.arange(9, dtype=np.uint64)}, r"replicates must be uint64 \(10,\), not uint64 \(9,\)"),
    ({"lattice": {"n_cells": -1}}, "n_cells must be at least 1, not -1"),
    ({"lattice": 3}, "not subscriptable"),
    ({"recipe": {}}, "its recipe names no algorithm"),
]


@pytest.mark.parametrize(
    ("many", "new", "what"), [*((MANY, *bad) for bad in BAD), *((HEXAGONS, *bad) for bad in BAD_HEXAGONS)]
)
def test_batch_file_refuses_other_types(many: Any, new: dict[str, Any], what: str, tmp_path: Path) -> None:
    path = tmp_path / "many.npz"
    many.save(path)
    rewrite_npz(path, "batch", **new)
    for read in (meiro.read, MazeBatch.open) if many is MANY else (meiro.read,):
        refused(ValueError, rf"many\.npz' holds no batch of mazes: .*{what}", read, path)


def test_batch_file_whose_array_ends_early_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.npz"
    MANY.save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data[:-1] if name == "passages.npy" else data)
        archive.getinfo("passages.npy").file_size += 1  # the checksum is that of the shorter one
    refused(ValueError, r"passages.* is damaged: it ends early", MazeBatch.open, path)


def test_batch_file_of_other_content_is_refused(tmp_path: Path) -> None:
    one, many = tmp_path / "one.npz", tmp_path / "many.npz"
    MANY[0].save(one)
    MANY.save(many)
    with pytest.raises(ValueError, match=r"one\.npz' holds no batch but one maze, which meiro\.read reads"):
        MazeBatch.open(one)
    np.savez(one, a=[1])
    refused(ValueError, r"holds no batch but \['a'\]", MazeBatch.open, one)
    with zipfile.ZipFile(many) as archive_:
        assert "batch.npy" in archive_.namelist()
    many.write_bytes(many.read_bytes()[:200])
    refused(ValueError, r"many\.npz' is damaged", MazeBatch.open, many)
    for suffix in SUFFIXES:
        refused(FileNotFoundError, "nowhere", MazeBatch.open, tmp_path / f"nowhere{suffix}")
        refused(FileNotFoundError, "nowhere", MANY.save, tmp_path / "nowhere" / f"many{suffix}")
    for act in (MANY.save, MazeBatch.open):
        with pytest.raises(ValueError, match=r"many\.png': suffix '\.png' is not one of \.npz, \.zarr"):
            act(tmp_path / "many.png")


def test_batch_folder_of_others_is_not_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "mine.zarr"
    folder.mkdir()
    (folder / "precious").write_text("x", "utf-8")
    refused(FileExistsError, r"mine\.zarr' exists and holds no batch", MANY.save, folder)
    refused(ValueError, r"mine\.zarr' is damaged or holds no batch", MazeBatch.open, folder)
    assert (folder / "precious").read_text("utf-8") == "x"
    MANY.save(tmp_path / "many.zarr")
    (tmp_path / "many.zarr/passages/zarr.json").write_text("{", "utf-8")
    refused(ValueError, r"many\.zarr' is damaged", MazeBatch.open, tmp_path / "many.zarr")


def test_batch_folder_of_two_saves_is_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "one.zarr", tmp_path / "other.zarr"
    MANY.save(one)
    meiro.generate_many((3, 4), "kruskal", 10, rng=8).save(other)
    chunk = "passages/c/0/0/0"
    (one / chunk).write_bytes((other / chunk).read_bytes())
    (other / chunk).unlink()
    for path in (one, other):
        words = rf"{path.name}' is damaged: its chunks are not those of one save, .* again"
        refused(ValueError, words, MazeBatch.open, path)


def test_batch_folder_without_a_digest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "many.zarr"
    MANY.save(path)
    head = json.loads((path / "zarr.json").read_text("utf-8"))
    assert len(head["attributes"]["meiro_batch"].pop("digest")) == 32
    (path / "zarr.json").write_text(json.dumps(head), "utf-8")
    assert MazeBatch.open(path) == MANY


def test_batch_folder_that_claims_to_be_huge_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.zarr"
    for change in ({"shape": [10**6, 10**6, 4]}, {"chunk_shape": [10**6, 10**6, 4]}):
        MANY.save(path)
        file = path / "passages/zarr.json"
        head = json.loads(file.read_text("utf-8"))
        (head["chunk_grid"]["configuration"] if "chunk_shape" in change else head).update(change)
        file.write_text(json.dumps(head), "utf-8")
        refused(MemoryError, r"zarr' takes 8,000,000,000,\d{3} bytes, and .* are free", MazeBatch.open, path)


def test_ctrl_c_ends_the_thread_that_writes_a_batch_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zarr, path = pytest.importorskip("zarr"), tmp_path / "many.zarr"
    MANY.save(path)
    writers: list[threading.Thread] = []

    def write(*_: object) -> None:
        writers.append(threading.current_thread())
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # that of polars interrupts no wait
    with monkeypatch.context() as patch:
        patch.setattr(zarr_folders, "_CHUNK", 1)
        patch.setattr(zarr.Array, "__setitem__", write)
        with pytest.raises(KeyboardInterrupt):
            HEXAGONS.save(path)
    assert len(writers) == 1
    assert writers[0] is not threading.main_thread()
    assert MazeBatch.open(path) == MANY
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
