"""Samples for supervised learning: against the calls on each maze alone, and the same in any batches."""

from __future__ import annotations

import importlib.util
import itertools
import pickle
import sys
from abc import ABCMeta
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.datasets import SampleBatches, supervised

INPUTS, TARGETS = ("grid", "passages"), ("path", "distances", "policy")
MASK = np.tri(5, 6, 2, dtype=bool)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("inputs", INPUTS)
@pytest.mark.parametrize("options", [{}, {"mask": MASK}, {"wrap": (False, True)}], ids=str)
def test_samples_are_what_each_maze_alone_gives(inputs: Any, target: Any, options: dict[str, Any]) -> None:
    found = supervised((5, 6), "kruskal", 9, inputs=inputs, target=target, rng=3, **options)
    assert found.mazes == meiro.generate_many((5, 6), "kruskal", 9, rng=3, **options)
    starts, goals = meiro.endpoints(found.mazes, rng=3)
    for i, maze in enumerate(found.mazes):
        start, goal = tuple(starts[i].tolist()), tuple(goals[i].tolist())
        grid = inputs == "grid"
        walls, begin, end = found.inputs[i]
        assert np.array_equal(walls, maze.grid if grid else maze.passages)
        for channel, cell in ((begin, start), (end, goal)):
            assert np.argwhere(channel).tolist() == [[2 * x + 1 if grid else x for x in cell]]
        steps = meiro.distances(maze, goal)
        if target == "distances":
            wanted, mask = steps, steps >= 0
        elif target == "policy":
            wanted = meiro.policy(maze, goal)
            mask = steps > 0
        else:
            solution = meiro.solve(maze, start, goal)
            sites = solution.grid_path if grid else solution.path
            wanted = np.zeros(walls.shape, bool)
            wanted[*np.asarray(sites).T] = True
            exist = np.ones((5, 6), bool) if maze.mask is None else maze.mask
            mask = maze.grid == 0 if grid else exist
        assert np.array_equal(found.targets[i], wanted)
        assert np.array_equal(found.masks[i], mask)


@pytest.mark.parametrize("batch_size", [1, 2, 3, 7, 20, 99])
@pytest.mark.parametrize("ends", ["random", "dead_ends"])
def test_batches_are_slices_of_the_whole(batch_size: int, ends: Any) -> None:
    def made(**more: Any) -> Any:
        return supervised((5, 6), "wilson", 20, inputs="passages", ends=ends, min_length=3, rng=5, **more)

    whole, batches = made(), pickle.loads(pickle.dumps(made(batch_size=batch_size, threads=2)))  # noqa: S301
    parts = list(batches)
    assert len(parts) == len(batches) == -(-20 // batch_size)
    for k, array in enumerate(whole[:3]):
        assert np.array_equal(np.concatenate([part[k] for part in parts]), array)
    assert np.array_equal(batches[-1][0], parts[-1][0])
    with pytest.raises(IndexError, match=f"k={len(parts)} is no batch"):
        batches[len(parts)]


def test_mazes_of_split_keep_their_ends() -> None:
    many = meiro.generate_many((6, 6), "wilson", 60, rng=7)
    train, test = meiro.split(many, *meiro.endpoints(many, "farthest"))
    for mazes in (train, test):
        found = supervised(mazes, target="distances", rng=1)
        assert found.mazes == mazes
        assert np.array_equal(np.argwhere(found.inputs[:, 1])[:, 1:], 2 * np.asarray(mazes.starts) + 1)
        assert np.array_equal(np.argwhere(found.inputs[:, 2])[:, 1:], 2 * np.asarray(mazes.goals) + 1)


def test_what_is_wrong_is_said() -> None:
    refused(ValueError, "inputs", supervised, (3, 4), n=5, rng=1, inputs="pixels")
    refused(ValueError, "target", supervised, (3, 4), n=5, rng=1, target="steps")
    refused(ValueError, "ends", supervised, (3, 4), n=5, rng=1, ends="far")
    refused(ValueError, "n must be", supervised, (3, 4), n=0, rng=1)
    refused(ValueError, "batch_size", supervised, (3, 4), n=5, rng=1, batch_size=0)
    with pytest.raises(ValueError, match="maze 0 has no start and goal of ends='random', min_length=99"):
        supervised((3, 4), n=5, rng=1, min_length=99)


def test_options_for_given_mazes_are_refused() -> None:
    with pytest.raises(TypeError, match="wrap: options are of the generator"):
        supervised(meiro.generate_many((3, 3), n=2, rng=1), wrap=True)


class Worker(NamedTuple):
    """What torch.utils.data.get_worker_info returns in a worker."""

    id: int
    num_workers: int


@pytest.mark.parametrize("workers", [1, 2, 3, 9])
def test_each_worker_of_a_data_loader_gives_batches_of_its_own(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = ABCMeta("IterableDataset", (), {})
    here: list[Worker | None] = [None]
    data = SimpleNamespace(IterableDataset=kind, get_worker_info=lambda: here[0])
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(utils=SimpleNamespace(data=data)))
    batches = supervised((5, 6), "wilson", 50, batch_size=8, rng=7)
    assert isinstance(batches, kind)
    whole = [inputs for inputs, _, _ in batches]
    shares = []
    for k in range(workers):
        here[0] = Worker(k, workers)
        shares.append([inputs for inputs, _, _ in batches])
    assert sum(map(len, shares)) == len(whole) == 7
    for k, inputs in enumerate(whole):
        assert np.array_equal(shares[k % workers][k // workers], inputs)


# PyTorch and its libraries are 3 GB, too much for any group of dependencies.
if importlib.util.find_spec("torch") is not None:

    @pytest.mark.parametrize("workers", [0, 1, 2])
    def test_a_data_loader_gives_each_maze_once(workers: int) -> None:
        data = importlib.import_module("torch.utils.data")
        batches = supervised((5, 6), "wilson", 50, batch_size=8, rng=7)
        assert isinstance(batches, data.IterableDataset)
        assert isinstance(batches, SampleBatches)
        loaded = list(data.DataLoader(batches, batch_size=None, num_workers=workers))
        for k, array in enumerate(supervised((5, 6), "wilson", 50, rng=7)[:3]):
            assert np.array_equal(np.concatenate([part[k].numpy() for part in loaded]), array)


def test_no_mazes_and_huge_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shape is <MazeBatch of 0.*holds no mazes"):
        meiro.datasets.supervised(meiro.generate_many((4, 4), n=3, rng=1)[:0])
    batches = meiro.datasets.supervised((4, 4), n=3, batch_size=2, rng=1)
    with pytest.raises(IndexError, match="k=a number of 16,610 bits is no batch of 2"):
        batches[10**5000]
    refused(ValueError, "min_length", meiro.datasets.supervised, (4, 4), n=3, min_length=10**5000)


def words_of(numbers: Any, shape: Any) -> list[str]:
    words = meiro.datasets.vocabulary(shape)
    said = [words[i] for i in numbers]
    kept = [word for word in said if word != "<PADDING>"]
    assert said == kept + ["<PADDING>"] * (len(said) - len(kept))
    return kept


@pytest.mark.parametrize("shape", [(1, 2), (4, 7), (6, 3)])
@pytest.mark.parametrize("algorithm", ["wilson", "percolation"])
def test_tokens_are_those_of_each_maze_alone(shape: tuple[int, int], algorithm: str) -> None:
    found = supervised(shape, algorithm, 12, inputs="tokens", target="tokens", rng=5)
    starts, goals = meiro.endpoints(found.mazes, rng=5)
    for i, maze in enumerate(found.mazes):
        start, goal = starts[i], goals[i]
        steps = meiro.distances(maze, goal)
        path = meiro.solve(maze, start, goal).path if steps[tuple(start)] >= 0 else ()
        numbers = found.inputs[i].tolist(), found.targets[i].tolist()
        alone = meiro.io.to_maze_dataset(maze, "tokens", solution=path if len(path) else None)
        assert words_of(numbers[0], shape) + words_of(numbers[1], shape) == alone
        assert (found.masks[i] == (found.targets[i] != 10)).all()
        assert found.masks[i].any() == (len(path) > 0)


def test_tokens_of_mazes_with_cells_that_do_not_exist_and_of_all_passages() -> None:
    made = meiro.datasets.partial_mazes((5, 5), 8, cells=9, rng=1)
    found = supervised(made, inputs="tokens", rng=1)
    assert (np.count_nonzero(found.inputs == 8, axis=1) == 8).all()  # <-->
    assert np.array_equal(found.targets, supervised(made, inputs="passages", rng=1).targets)
    open_ = meiro.MazeBatch([meiro.Maze(np.array([[6, 12], [3, 9]], np.uint8))])
    assert 10 not in supervised(open_, inputs="tokens", rng=1).inputs
    with pytest.raises(ValueError, match="periodic, which tokens do not hold"):
        supervised((5, 6), n=2, inputs="tokens", wrap=(True, False))


@pytest.mark.parametrize("part", ["train", "test"])
def test_a_part_is_the_set_of_split(part: Any) -> None:
    def made(shape: Any = (3, 3), **more: Any) -> Any:
        return supervised(shape, "wilson", 200, rng=5, **more)

    whole = supervised((3, 3), "wilson", 2000, rng=5)
    wanted = meiro.split(whole.mazes, test=0.3)[part == "test"]
    found = made(part=part, test=0.3)
    assert found.mazes == wanted[:200]
    assert len(found.mazes) == 200
    images = made(part=part, test=0.3, symmetries=True)
    assert images.mazes == meiro.split(whole.mazes, test=0.3, symmetries=True)[part == "test"][:200]
    batches = made(part=part, test=0.3, batch_size=7)
    assert batches.description != made(batch_size=7).description
    for k, array in enumerate(found[:3]):
        assert np.array_equal(np.concatenate([each[k] for each in batches]), array)
    for form, target in itertools.product(("grid", "tokens"), ("path", "distances", "policy", "tokens")):
        none = made(whole.mazes, part="test", test=0, inputs=form, target=target)
        assert [len(x) for x in none] == [0] * 4
        some = made(part="test", test=0.5, inputs=form, target=target)
        assert [x.shape[1:] for x in none[:3]] == [x.shape[1:] for x in some[:3]]
    refused(ValueError, "part", made, part="validation")
    refused(ValueError, "part='test' with test=0 holds 0 of 0 mazes, and there se", made, part="test", test=0)


def test_mazes_of_a_part_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that split looked at are those of the samples."""
    module = importlib.import_module("meiro.datasets.supervised")
    made: list[int] = []

    def counted(shape: Any, algorithm: Any, n: int, *, rng: meiro.Seed, **options: Any) -> Any:
        made.extend(range(rng.replicate, rng.replicate + n))
        return meiro.generate_many(shape, algorithm, n, rng=rng, **options)

    monkeypatch.setattr(module, "generate_many", counted)
    found = supervised((4, 4), n=200, rng=5, part="test")
    assert len(found.mazes) == 200
    assert made == list(range(len(made)))
    assert 800 < len(made) < 1300


def test_a_part_of_a_shape_that_has_none_of_its_mazes_is_refused() -> None:
    """Of the four mazes of 2 x 2 none may be in the test set: one does not look for it for ever."""
    every = meiro.MazeBatch(meiro.enumerate_mazes((2, 2)))
    least = min(map(hash, every)) / 2**61
    words = r"part='test' with test=.* holds 0 of .* mazes, and there seem to be no"
    refused(ValueError, words, supervised, (2, 2), n=1, part="test", test=least * 0.99)
    assert len(supervised((2, 2), n=50, part="test", test=least * 1.01).mazes.unique()) == 1


def test_given_mazes_of_a_part_keep_their_numbers() -> None:
    """Ends are drawn by the number of a maze in what was given; batches are full."""
    many = meiro.generate_many((4, 4), n=100, rng=1)
    whole, found = (supervised(many, rng=3, part=part) for part in (None, "test"))
    kept = np.flatnonzero([maze in set(found.mazes) for maze in many])
    assert found.mazes == many[kept]
    assert np.array_equal(found.mazes.starts, whole.mazes.starts[kept])
    batches = supervised(many, rng=3, part="test", batch_size=5)
    assert [len(inputs) for inputs, _, _ in batches][:-1] == [5] * (len(batches) - 1)
    assert np.array_equal(np.concatenate([inputs for inputs, _, _ in batches]), found.inputs)
