"""Surveys in a folder: complete files only, resumed after an interruption, nothing counted twice."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import power
import pyarrow.parquet as pq
import pytest
from programs import run_python

import meiro
from meiro import _core
from meiro.stats.surveys import jobs

KINDS: list[Any] = ["wilson", ("growing_tree", {"choose": "oldest"})]
SHAPES = [(8, 8), (5, 12)]
N = 500
GIVEN: dict[str, Any] = {"algorithms": KINDS, "shapes": SHAPES, "n": N, "rng": 7}
PART = 64 * 100  # cells
SMALL = f"from meiro.stats.surveys import jobs; jobs.PART_CELLS, jobs.JOB_CELLS = {PART}, {PART // 4}"


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PART_CELLS", PART)
    monkeypatch.setattr(jobs, "JOB_CELLS", PART // 4)


def rows_of(folder: Path) -> pd.DataFrame:
    frame = pd.read_parquet(folder)
    keys = ["algorithm", "rows", "cols", "replicate"]
    assert not frame.duplicated(keys).any(), "nothing is there twice"
    return frame.sort_values(keys, ignore_index=True)


def files(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


def test_survey_folder_holds_the_rows_and_the_summary(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    told = meiro.survey(**GIVEN, by="maze", out=folder)
    assert told == meiro.survey(**GIVEN)
    wanted = meiro.survey(**GIVEN, by="maze").to_pandas()
    keys = ["algorithm", "rows", "cols", "replicate"]
    pd.testing.assert_frame_equal(rows_of(folder), wanted.sort_values(keys, ignore_index=True))
    assert len(files(folder)) == 2 * (5 + 5), "100 mazes of 8 x 8 each, and 106 of 5 x 12"
    assert pq.read_metadata(min(folder.iterdir())).num_rows == 100


def run(code: str) -> subprocess.CompletedProcess[str]:
    return run_python(
        f"{SMALL}\nimport os, resource, signal, meiro\nGIVEN = {GIVEN!r}\n{textwrap.dedent(code)}"
    )


@pytest.mark.long
def test_survey_that_was_killed_is_resumed(tmp_path: Path) -> None:
    done = run(f"""
        def kill(done, total):
            if done > 830: os.kill(os.getpid(), signal.SIGKILL)
        meiro.survey(**GIVEN, by="maze", out={str(tmp_path)!r}, progress=kill)
        """)
    assert done.returncode == -signal.SIGKILL, done.stderr
    before = files(tmp_path)
    assert 8 <= len(before) <= 9
    told: list[int] = []
    again = {**GIVEN, "rng": None}  # the folder knows its seed
    table = meiro.survey(
        **again, by="maze", out=tmp_path, resume=True, progress=lambda now, _: told.append(now)
    )
    assert table == meiro.survey(**GIVEN)
    assert len(rows_of(tmp_path)) == 4 * N
    assert min(told) > 800
    assert told[-1] == 4 * N
    after = files(tmp_path)
    assert len(after) == 20
    assert before.items() <= after.items(), "what was there is left as it was"
    assert meiro.survey(**GIVEN, by="maze", out=tmp_path, resume=True) == table, "all was done"
    assert files(tmp_path) == after


@pytest.mark.long
def test_survey_folder_has_whole_parts_after_ctrl_c(tmp_path: Path) -> None:
    def stop(done: int, _total: int) -> None:
        if done >= 500 + 106 + 50:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        meiro.survey(**GIVEN, by="maze", out=tmp_path, progress=stop)
    assert len(files(tmp_path)) == 6
    partial = stopped.value.partial  # type: ignore[attr-defined]
    whole = meiro.survey(**GIVEN)
    finished = partial["cols"] == 8
    assert partial[finished] == whole[: finished.sum()]
    assert set(partial["algorithm"]) == {"wilson"}
    assert meiro.survey(**GIVEN, by="maze", out=tmp_path, resume=True) == whole
    assert len(rows_of(tmp_path)) == 4 * N


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"n": 21}, "n is 20 in part-.*, not 21"),
        ({"rng": 8}, "seed is "),
        ({"measures": ["turns"]}, "measures is "),
        ({"shapes": SHAPES[:1]}, "mazes is "),
        (
            {"algorithms": ["wilson", ("growing_tree", {"choose": "newest"})]},
            "mazes is .*oldest.*not .*newest",
        ),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else "",
)
def test_survey_folder_of_another_survey_is_refused(
    other: dict[str, Any], words: str, tmp_path: Path
) -> None:
    small = {**GIVEN, "n": 20}
    meiro.survey(**small, by="maze", out=tmp_path)
    before = files(tmp_path)
    for resume in (True, False):
        with pytest.raises(ValueError, match=f"{re.escape(str(tmp_path))} holds another survey: {words}"):
            meiro.survey(**{**small, **other}, by="maze", out=tmp_path, resume=resume)
    with pytest.raises(FileExistsError, match="holds parts of this survey: resume=True"):
        meiro.survey(**small, by="maze", out=tmp_path)
    assert files(tmp_path) == before


def test_survey_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    meiro.survey((8, 8), "wilson", 20, rng=7, by="maze", out=tmp_path)
    (part,) = tmp_path.iterdir()
    part.rename(part.with_name("part-0000-000000000100.parquet"))
    with pytest.raises(
        ValueError, match=f"part of this survey under another name: it was written as {part.name} with 20"
    ):
        meiro.survey((8, 8), "wilson", 20, rng=7, by="maze", out=tmp_path, resume=True)
    meiro.survey((8, 8), "wilson", 120, rng=7, by="maze", out=tmp_path / "more")
    more = tmp_path / "more/part-0000-000000000100.parquet"
    more.rename(tmp_path / more.name)
    with pytest.raises(ValueError, match="holds another survey: n is 120"):
        meiro.survey((8, 8), "wilson", 20, rng=7, by="maze", out=tmp_path, resume=True)
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "part-0000-000000000100.parquet")
    with pytest.raises(ValueError, match="is not part of a survey"):
        meiro.survey((8, 8), "wilson", 20, by="maze", out=tmp_path, resume=True)
    with pytest.raises(FileExistsError):
        meiro.survey((8, 8), "wilson", 20, by="maze", out=tmp_path / "part-0000-000000000100.parquet")


def test_survey_folder_with_a_part_of_the_same_size_in_place_of_another(tmp_path: Path) -> None:
    meiro.survey((8, 8), "wilson", 200, rng=7, by="maze", out=tmp_path)
    first, second = sorted(tmp_path.iterdir())
    second.write_bytes(first.read_bytes())
    with pytest.raises(ValueError, match=f"{second.name} is a part of this survey under another name"):
        meiro.survey((8, 8), "wilson", 200, rng=7, by="maze", out=tmp_path, resume=True)


def assert_damage_is_seen(part: Path, again: Callable[[], meiro.Table]) -> None:
    with pytest.raises(OSError, match=r"part is damaged, .*: delete it, and resume=True makes it again") as e:
        again()
    assert e.value.filename == str(part), "the error names the file"


@pytest.mark.parametrize("rng", [7, None], ids=["seed given", "seed of the folder"])
def test_survey_folder_with_a_damaged_part(rng: int | None, tmp_path: Path) -> None:
    """No bit of a part can change without being seen: numbers, nulls, names, statistics, the digest."""
    given: dict[str, Any] = {"algorithms": "wilson", "shapes": [(1, 1), (4, 4)], "n": 20, "by": "maze"}
    given |= {"measures": ["dead_ends", "horizontal_share"], "out": tmp_path}
    whole = meiro.survey(**given, rng=7)
    part = min(tmp_path.iterdir())
    good = part.read_bytes()

    def again() -> meiro.Table:
        return meiro.survey(**given, rng=rng, resume=True)

    draw = random.Random(1)
    for place in draw.sample(range(len(good)), power.samples(1500)):
        changed = bytearray(good)
        changed[place] ^= 1 << draw.randrange(8)
        part.write_bytes(changed)
        assert_damage_is_seen(part, again)
    old = b'"part": "', b'"Part": "'  # stands for a part that was written before there were digests
    marked = b'"sha256": "', b'"SHA256": "'
    for bad in (good[:-20], good[:100], b"", good + b"0", good.replace(*old), good.replace(*marked)):
        part.write_bytes(bad)
        assert_damage_is_seen(part, again)
    part.unlink()
    assert again() == whole
    assert part.read_bytes() == good


def test_survey_passes_the_exception_of_a_signal_handler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that looks like an error of a disk."""

    def expire(_signal: int, _frame: object) -> None:
        raise TimeoutError("time is up")

    old = signal.signal(signal.SIGALRM, expire)
    real = os.fsync

    def slow(handle: int) -> None:
        signal.raise_signal(signal.SIGALRM)
        real(handle)

    monkeypatch.setattr("os.fsync", slow)
    try:
        with pytest.raises(TimeoutError, match=r"^time is up$"):
            meiro.survey((8, 8), "wilson", 200, rng=7, by="maze", out=tmp_path)
    finally:
        signal.signal(signal.SIGALRM, old)
    assert not list(tmp_path.iterdir())


def test_survey_folder_of_no_mazes(tmp_path: Path) -> None:
    given = {**GIVEN, "n": 0}
    assert len(meiro.survey(**given, by="maze", out=tmp_path)) == 0
    frame = rows_of(tmp_path)
    assert len(frame) == 0
    wanted = meiro.survey(**given, by="maze").to_pandas()
    assert frame.dtypes.equals(wanted.dtypes)
    assert len(meiro.survey(**given, by="maze", out=tmp_path, resume=True)) == 0


def test_survey_folder_that_is_empty_is_begun_with_a_new_seed(tmp_path: Path) -> None:
    given = {**GIVEN, "n": 20, "rng": None, "by": "maze", "out": tmp_path, "resume": True}
    begun = meiro.survey(**given)
    before = files(tmp_path)
    assert meiro.survey(**given) == begun, "the seed is that of the folder"
    assert files(tmp_path) == before
    assert meiro.survey(**{**given, "out": tmp_path / "other"}) != begun


def test_survey_folder_has_nulls_among_integers(tmp_path: Path) -> None:
    names = ["dead_ends", "horizontal_share"]
    meiro.survey([(1, 1), (2, 2)], "wilson", 5, rng=1, measures=names, by="maze", out=tmp_path)
    schemas = {str(pq.read_schema(file).remove_metadata()) for file in tmp_path.iterdir()}
    assert len(schemas) == 1, "all parts have the same columns"
    frame = rows_of(tmp_path)
    assert frame["dead_ends"].tolist() == [0] * 5 + [2] * 5
    assert frame["horizontal_share"].isna().tolist() == [True] * 5 + [False] * 5


def test_survey_folder_integers_with_nulls_round_trip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = _core.measure_many

    def gaps(*args: Any) -> Any:
        values = real(*args)
        values[::3, 0] = np.nan
        return values

    monkeypatch.setattr(_core, "measure_many", gaps)
    given = {**GIVEN, "n": 90, "measures": ["dead_ends", "turns"]}
    whole = meiro.survey(**given, by="maze", out=tmp_path)
    frame = rows_of(tmp_path)
    assert frame["dead_ends"].isna().sum() > 4 * 29
    assert str(pq.read_schema(min(tmp_path.iterdir())).field("dead_ends").type) == "int64"
    assert meiro.survey(**given, by="maze", out=tmp_path, resume=True) == whole, "as read back"


@pytest.mark.long
def test_survey_folder_on_a_full_disk(tmp_path: Path) -> None:
    """A file that cannot grow stands for it: the system call fails in the same way."""
    sizes = tmp_path / "sizes"
    meiro.survey(**GIVEN, by="maze", out=sizes)
    most = max(path.stat().st_size for path in sizes.iterdir())
    folder = tmp_path / "full"
    done = run(f"""
        def fill(done, total):
            if done >= 700: resource.setrlimit(resource.RLIMIT_FSIZE, ({most // 2}, -1))
        try:
            meiro.survey(**GIVEN, by="maze", out={str(folder)!r}, progress=fill)
        except OSError as error:
            resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
            print(type(error).__name__, error.errno, error, len(error.partial))
        """)
    assert done.returncode == 0, done.stderr
    assert re.match(
        r"OSError 27 .*too large: finished parts stay in .*full; resume=True goes on", done.stdout
    )
    before = files(folder)
    assert 5 <= len(before) < 9
    assert all(name.endswith(".parquet") for name in before), "nothing that is half done"
    assert meiro.survey(**GIVEN, by="maze", out=folder, resume=True) == meiro.survey(**GIVEN)
    assert len(rows_of(folder)) == 4 * N
