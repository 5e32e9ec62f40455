"""Samples of mazes on lattices: against the calls on each maze alone, and the same in any batches."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from cell_numbers import cell_numbers
from refusals import refused

import meiro
from meiro.datasets import GraphInputs, supervised

LATTICES = {
    "hexagonal": meiro.lattices.hexagonal(3, 4),
    "polar": meiro.lattices.polar(4),
    "masked": meiro.lattices.square(4, 4).mask([0, 1, 2, 4, 6, 7, 8, 10, 11]),  # labels are not its numbers
    "graph": meiro.Lattice(5, [(0, 1), (1, 1), (2, 1), (1, 2), (3, 4), (4, 0)]),  # a loop, parallel edges
    "apart": meiro.Lattice(5, [(0, 1), (1, 2), (3, 4)], labels="abcde"),
}
lattices = pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)


def labels_of(lattice: meiro.Lattice, cells: Any) -> list[Any]:
    return [lattice.labels[i] if lattice.labels else int(i) for i in cells]


@lattices
@pytest.mark.parametrize("target", ["path", "distances", "policy", "tokens"])
@pytest.mark.parametrize("algorithm", ["wilson", "percolation"])
def test_samples_are_what_each_maze_alone_gives(lattice: meiro.Lattice, target: Any, algorithm: str) -> None:
    found = supervised(lattice, algorithm, 9, target=target, rng=3)
    assert found.mazes == meiro.generate_many(lattice, algorithm, 9, rng=3)
    assert isinstance(found.inputs, GraphInputs)
    assert found.inputs.open.dtype == found.inputs.ends.dtype == np.uint8
    assert np.array_equal(found.inputs.open, found.mazes.open)
    ends = np.stack([cell_numbers(lattice, each) for each in meiro.endpoints(found.mazes, rng=3)], axis=1)
    assert found.targets.shape == found.masks.shape
    assert found.masks.dtype == np.bool_
    for i, maze in enumerate(found.mazes):
        assert np.argwhere(found.inputs.ends[i].T)[:, 1].tolist() == ends[i].tolist()
        start, goal = labels_of(lattice, ends[i])
        steps = meiro.distances(maze, goal)
        reached = steps[ends[i, 0]] >= 0
        path = maze.solve(start, goal).path_numbers.tolist() if reached else []
        wanted: Any
        if target == "distances":
            wanted, mask = steps, steps >= 0
        elif target == "policy":
            wanted, mask = meiro.policy(maze, goal), steps > 0
        elif target == "tokens":
            words = meiro.datasets.vocabulary(lattice)
            said = ["<PATH_START>", *(f"({cell})" for cell in path), "<PATH_END>"] if reached else []
            wanted = [words.index(word) for word in said] + [10] * (lattice.n_cells + 2 - len(said))
            mask = np.arange(len(wanted)) < len(said)
        else:
            wanted = np.isin(np.arange(lattice.n_cells), path)
            mask = np.ones(lattice.n_cells, bool)
        assert np.array_equal(found.targets[i], wanted)
        assert np.array_equal(found.masks[i], mask)


@lattices
def test_tokens_are_the_passages_start_and_goal(lattice: meiro.Lattice) -> None:
    found = supervised(lattice, "percolation", 9, inputs="tokens", rng=3)
    starts, goals = (cell_numbers(lattice, each) for each in meiro.endpoints(found.mazes, rng=3))
    words = meiro.datasets.vocabulary(lattice)
    loops = np.count_nonzero(lattice.edges[:, 0] == lattice.edges[:, 1])
    assert found.inputs.shape == (9, 4 * (lattice.n_edges - loops) + 8)
    assert found.inputs.dtype == np.int32
    for i, maze in enumerate(found.mazes):
        pairs = [word for a, b in maze.edges() for word in (f"({a})", "<-->", f"({b})", ";")]
        said = ["<ADJLIST_START>", *pairs, "<ADJLIST_END>"]
        said += ["<ORIGIN_START>", f"({starts[i]})", "<ORIGIN_END>"]
        said += ["<TARGET_START>", f"({goals[i]})", "<TARGET_END>"]
        told = [words[k] for k in found.inputs[i]]
        assert told == said + ["<PADDING>"] * (len(told) - len(said))


def same(one: Any, other: Any) -> bool:
    """Return whether two samples, or rows of them, are the same."""
    pairs = [*zip(one[0], other[0], strict=True), *zip(one[1:3], other[1:3], strict=True)]
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


def joined(batches: Any) -> tuple[Any, ...]:
    inputs, *others = zip(*batches, strict=True)
    opens, ends = zip(*inputs, strict=True)
    return GraphInputs(np.concatenate(opens), np.concatenate(ends)), *map(np.concatenate, others)


@pytest.mark.parametrize("batch_size", [1, 3, 20])
@pytest.mark.parametrize("part", [None, "train", "test"])
def test_batches_are_slices_of_the_whole_and_parts_those_of_split(batch_size: int, part: Any) -> None:
    lattice = LATTICES["hexagonal"]

    def made(n: int = 20, **more: Any) -> Any:
        return supervised(lattice, "wilson", n, ends="dead_ends", min_length=3, rng=5, test=0.4, **more)

    batches = pickle.loads(pickle.dumps(made(part=part, batch_size=batch_size, threads=2)))  # noqa: S301
    whole = made(part=part)
    assert same(joined(batches), whole)
    everything = made()
    if part is None:
        again = supervised(lattice.recipe, "wilson", 20, ends="dead_ends", min_length=3, rng=5)
        assert same(again, everything)
        return
    everything = made(100)
    assert whole.mazes == meiro.split(everything.mazes, test=0.4)[part == "test"][:20]
    which = np.flatnonzero([hash(maze) in set(map(hash, whole.mazes)) for maze in everything.mazes])[:20]
    assert len(whole.mazes) == 20 < which[-1]
    inputs, targets, masks, _ = everything
    assert same(whole, (GraphInputs(*(x[which] for x in inputs)), targets[which], masks[which]))


def test_given_mazes_are_taken_as_they_are() -> None:
    many = meiro.generate_many(LATTICES["polar"], "kruskal", 9, rng=1)
    found = supervised(many, target="distances", ends="farthest")
    assert found.mazes == many
    assert found.targets.max() == max(meiro.longest_path(maze).length for maze in many)
    refused(ValueError, "holds no mazes", supervised, many[:0])
    for target in ("path", "distances", "policy", "tokens"):
        inputs, *others = supervised(many, target=target, part="test", test=0)
        assert [len(x) for x in (*inputs, *others)] == [0] * 5


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"inputs": "grid"}, ValueError, "inputs='grid' is for mazes of rows and columns"),
        ({"algorithm": "sidewinder"}, TypeError, "'sidewinder' needs rows and columns"),
        ({"mask": [[True]]}, TypeError, "mask"),
        ({"wrap": (True, True)}, TypeError, "wrap"),
        ({"min_length": 99}, ValueError, "maze 0 has no start and goal of ends='random', min_length=99"),
    ],
)
@pytest.mark.parametrize("batch_size", [None, 2])
def test_what_has_no_meaning_on_a_lattice_is_said(given: Any, kind: Any, words: str, batch_size: Any) -> None:
    with pytest.raises(kind, match=words):
        supervised(LATTICES["hexagonal"], **{"n": 3, "rng": 1, "batch_size": batch_size, **given})
    if "algorithm" not in given and kind is TypeError:
        with pytest.raises(TypeError, match="options are of the generator"):
            supervised(meiro.generate_many(LATTICES["polar"], n=2, rng=1), **given)
