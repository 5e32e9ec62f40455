"""Files and pickles of another stream of random numbers: mazes are read, and their seeds are not claimed.

tests/data/stream_0 holds what was saved when the stream had the version 0.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro

OLD = Path(__file__).parents[1] / "data" / "stream_0"


def unpickled(name: str) -> Any:
    return pickle.loads((OLD / name).read_bytes())  # noqa: S301


def test_mazes_of_another_stream_are_read_without_seed_and_recipe() -> None:
    passages = np.load(OLD / "passages.npy")
    for maze in (meiro.read(OLD / "maze.npz"), unpickled("maze.pickle")):
        assert isinstance(maze, meiro.Maze)
        assert (maze.passages == passages).all()
        assert maze.seed is None
        assert maze.recipe is None
        assert pickle.loads(pickle.dumps(maze)) == maze  # noqa: S301


def test_batches_of_another_stream_are_read_without_seeds() -> None:
    passages = np.load(OLD / "passages_of_many.npy")
    for many in (meiro.MazeBatch.open(OLD / "many.npz"), unpickled("many.pickle")):
        assert (many.passages == passages).all()
        assert [many.seed(0), many.recipe, many[0].seed, many[0].recipe] == [None] * 4
        assert "kruskal" in repr(many)


@pytest.mark.parametrize("name", ["seed", "trace", "eller_rows"])
def test_what_only_a_seed_makes_is_refused_in_another_stream(name: str) -> None:
    message = r"a seed of stream 0 makes other mazes in stream 2, that of this meiro"
    refused(ValueError, message, unpickled, f"{name}.pickle")


def test_survey_of_another_stream_is_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    from meiro.stats.surveys import jobs

    def survey() -> None:
        meiro.survey((3, 4), "wilson", n=5, rng=7, by="maze", out=tmp_path, resume=True)

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "STREAM", 0)
        survey()
    refused(ValueError, r"holds another survey: stream is 0 in part-.*\.parquet, not 2", survey)
