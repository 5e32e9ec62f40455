"""Samples in shards: round trips, runs that are resumed, and damaged folders."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.io import read_shards, write_shards

pytest.importorskip("pyarrow")
pytest.importorskip("zarr")

FORMATS = ("parquet", "arrow", "zarr")
formats = pytest.mark.parametrize("format_", FORMATS)


MASKED = meiro.lattices.square(4, 4).mask([0, 1, 2, 4, 6, 7, 8, 10, 11])
INPUTS: list[Any] = [((5, 7), "grid"), ((5, 7), "passages"), (MASKED, "passages"), (MASKED, "tokens")]


def samples(shape: Any = (5, 7), **options: Any) -> Any:
    return meiro.datasets.supervised(shape, "wilson", 11, **({"batch_size": 4, "rng": 7} | options))


@formats
@pytest.mark.parametrize(("shape", "inputs"), INPUTS)
@pytest.mark.parametrize("target", ["path", "distances", "policy"])
def test_shards_are_the_batches(format_: Any, shape: Any, inputs: Any, target: Any, tmp_path: Path) -> None:
    made = samples(shape, inputs=inputs, target=target)
    write_shards(made, tmp_path / "s", format=format_)
    shards = read_shards(tmp_path / "s")
    assert len(shards) == len(made) == 3
    assert shards.description == json.loads(json.dumps(made.description))
    for shard, batch in zip(shards, made, strict=True):
        assert isinstance(shard[0], type(batch[0]))
        pairs = [*zip(shard[0], batch[0], strict=True), *zip(shard[1:], batch[1:], strict=True)]
        for one, other in pairs:
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)
    assert np.array_equal(shards[-1][1], made[-1][1])
    with pytest.raises(IndexError, match="k=3"):
        shards[3]


@formats
def test_writing_is_resumed(format_: Any, tmp_path: Path) -> None:
    made, told = samples(), []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_shards(made, tmp_path, format=format_, progress=stop)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["00000", "00001"]
    refused(ValueError, r"has no 00002\.", read_shards, tmp_path)
    refused(FileExistsError, "resume=True", write_shards, made, tmp_path, format=format_)
    kept = (tmp_path / f"00001.{format_}").stat().st_mtime_ns
    write_shards(made, tmp_path, format=format_, resume=True)
    assert (tmp_path / f"00001.{format_}").stat().st_mtime_ns == kept
    assert [len(inputs) for inputs, _, _ in read_shards(tmp_path)] == [4, 4, 3]
    for other in ({"rng": 8}, {"target": "policy"}, {"batch_size": 5}, {"ends": "corners"}):
        with pytest.raises(ValueError, match="other samples"):
            write_shards(samples(**other), tmp_path, format=format_, resume=True)


def test_samples_of_given_mazes_are_told_apart(tmp_path: Path) -> None:
    many = meiro.generate_many((4, 4), n=6, rng=1)
    write_shards(meiro.datasets.supervised(many, batch_size=3, rng=1), tmp_path)
    again = meiro.datasets.supervised(many, batch_size=3, rng=1)
    write_shards(again, tmp_path, resume=True)
    with pytest.raises(ValueError, match="other samples"):
        write_shards(meiro.datasets.supervised(many[::-1], batch_size=3, rng=1), tmp_path, resume=True)
    shapes: list[Any] = [MASKED, meiro.lattices.polar(4)]
    for given in (shapes, [meiro.generate_many(shape, n=6, rng=1) for shape in shapes]):
        one, two = (meiro.datasets.supervised(x, batch_size=3, rng=1) for x in given)
        assert one.description != two.description


@formats
def test_damaged_shards_are_refused(format_: Any, tmp_path: Path) -> None:
    write_shards(samples(), tmp_path, format=format_)
    shards = read_shards(tmp_path)
    path = tmp_path / f"00001.{format_}"
    if format_ == "zarr":
        file = path / "targets" / "zarr.json"
        file.write_text(file.read_text().replace("uint8", "uint99"))
    else:
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
    with pytest.raises(ValueError, match=r"00001\..* is damaged, or no shard"):
        shards[1]
    assert len(shards[0][0]) == 4


@formats
def test_shards_of_two_runs_are_refused(format_: Any, tmp_path: Path) -> None:
    write_shards(samples(), tmp_path / "a", format=format_)
    write_shards(samples(rng=8), tmp_path / "b", format=format_)
    name = f"00002.{format_}"
    (tmp_path / "a" / name).rename(tmp_path / "away")
    (tmp_path / "b" / name).rename(tmp_path / "a" / name)
    with pytest.raises(ValueError, match="other samples than the first"):
        read_shards(tmp_path / "a")[2]


def test_wrong_arguments(tmp_path: Path) -> None:
    any_: Any = meiro.io
    with pytest.raises(TypeError, match=r"samples must be made by .*batch_size"):
        any_.write_shards(meiro.datasets.supervised((3, 3), n=2), tmp_path)
    with pytest.raises(ValueError, match="format must be 'parquet' or 'arrow' or 'zarr', not 'csv'"):
        any_.write_shards(samples(), tmp_path, format="csv")
    refused(ValueError, "holds no shards", read_shards, tmp_path)
    refused(ValueError, re.escape("is no folder of shards"), read_shards, tmp_path / "none")
