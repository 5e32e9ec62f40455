"""`meiro.dask.generate`: byte for byte the mazes of `meiro.generate`, for any chunks and schedulers."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import dask.array
import numpy as np
import pytest
from refusals import refused

import meiro
import meiro.dask
from meiro.generators.pieces import apply, merge, open_within, reduce_piece
from meiro.generators.region import SAME_TREE, large_maze

CALLS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in SAME_TREE),
    ("kruskal", {"bias": 0.3}),
    ("binary_tree", {"corner": "south_east"}),
    ("percolation", {"p": 0.3}),
    ("pole_toppling", {}),
    ("sidewinder", {"towards": "east"}),
]


@pytest.mark.parametrize(("algorithm", "options"), CALLS)
@pytest.mark.parametrize(
    ("shape", "chunks"),
    [
        ((1, 1), 1),
        ((30, 50), (7, 9)),
        ((30, 50), -1),
        ((64, 65), ((10, 1, 53), (64, 1))),
        ((100, 3), "auto"),
        ((40, 41), {0: 5}),
        ((5, 4), (1, 1)),
    ],
)
def test_any_chunks_give_the_maze_of_generate(algorithm: str, options: Any, shape: Any, chunks: Any) -> None:
    made: Any = meiro.dask.generate(shape, algorithm, rng=4, chunks=chunks, **options)
    assert made.dtype == np.uint8
    whole = meiro.generate(shape, algorithm, rng=4, **options).passages
    np.testing.assert_array_equal(made.compute(scheduler="threads"), whole)


def test_chunks_of_several_tiles_of_the_core() -> None:
    made: Any = meiro.dask.generate((700, 900), "kruskal", rng=4, chunks=((257, 443), (301, 599)))
    np.testing.assert_array_equal(made, meiro.generate((700, 900), "kruskal", rng=4).passages)


def test_a_window_makes_only_the_chunks_that_it_needs() -> None:
    large = (10**6, 10**5)
    made: Any = meiro.dask.generate(large, "binary_tree", rng=4, chunks=(5000, 5000))
    rows, cols = slice(123_456, 123_466), slice(-7, None)
    part = made[rows, cols].compute(scheduler="sync")
    window = meiro.generators.region(large, "binary_tree", rng=4, rows=rows, cols=cols)
    np.testing.assert_array_equal(part, window)


def test_the_name_says_maze_and_chunks() -> None:
    biases: list[dict[str, Any]] = [{}, {"bias": 2}]
    names = {
        meiro.dask.generate(shape, "kruskal", rng=seed, chunks=chunks, **options).name
        for shape in ((20, 30), (30, 20))
        for seed in (1, meiro.replicate(1, 1))
        for chunks in (5, 10)
        for options in biases
    }
    assert len(names) == 16
    assert meiro.dask.generate((20, 30), "kruskal", rng=1, chunks=5).name in names


def copied(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # what was written here


def test_pieces_can_be_pickled_and_merged_in_any_order() -> None:
    maze = large_maze((40, 60), "kruskal", 4, {}, "")
    corners = {(r, c): (20, 30) for r in (0, 20) for c in (0, 30)}
    a, b, c, d = (copied(reduce_piece(maze, first, size)) for first, size in corners.items())
    by_rows = [merge(maze, a, b), merge(maze, c, d)]
    by_cols = [merge(maze, a, c), merge(maze, b, d)]
    whole = meiro.generate((40, 60), "kruskal", rng=4).passages
    for halves in (by_rows, by_cols):
        root = copied(merge(maze, halves[0].piece, halves[1].piece))
        assert not len(root.piece.critical)
        for first, size in corners.items():
            walls = open_within(maze, first, size, root.open, *(half.open for half in halves))
            part = whole[first[0] : first[0] + 20, first[1] : first[1] + 30]
            np.testing.assert_array_equal(apply(maze, first, size, walls), part)
    refused(ValueError, "side by side", merge, maze, a, d)


def test_a_piece_has_fewer_critical_walls_than_cells_on_its_rim() -> None:
    maze = large_maze((10**9, 10**9), "kruskal", 4, {}, "")
    piece = reduce_piece(maze, (10**8 + 1, 10**8 + 1), (400, 300))
    assert 0 < len(piece.critical) < 2 * (400 + 300)
    assert (piece.critical[:, 1] < 2 * 10**18).all()
    corner = reduce_piece(maze, (10**9 - 400, 10**9 - 300), (400, 300))
    assert 0 < len(corner.critical) < 400 + 300


@pytest.mark.parametrize("chunks", [(7, 20), 50, (30, 1)])
def test_zarr_holds_the_maze(chunks: Any, tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    made: Any = meiro.dask.generate((30, 50), "kruskal", rng=4, chunks=chunks)
    made.to_zarr(tmp_path / "maze.zarr")
    stored = zarr.open(tmp_path / "maze.zarr", mode="r")
    assert stored.chunks == made.chunksize
    assert meiro.Maze(stored) == meiro.Maze(meiro.generate((30, 50), "kruskal", rng=4).passages)
    arrays: Any = dask.array
    again = arrays.from_zarr(tmp_path / "maze.zarr")
    assert again.chunks == made.chunks
    assert meiro.dask.measure(again) == meiro.dask.measure(made)


def test_wrong_arguments() -> None:
    for changed, error, message in (
        ({"chunks": 0}, ValueError, "chunks must be at least 1 x 1 cells, not 0"),
        ({"chunks": (5, -3)}, ValueError, r"chunks must be at least .* not \(5, -3\)"),
        ({"chunks": ((3, 3), (5,))}, ValueError, "chunks .* do not cut a maze of .*not add up"),
        ({"chunks": ((0, 30), (50,))}, ValueError, r"chunks must be at least 1 x 1 cells, not \(\(0, 30"),
        ({"chunks": "many"}, ValueError, "chunks 'many' do not cut"),
        ({"chunks": (1, 2, 3)}, TypeError, r"chunks must be .* not \(1, 2, 3\)"),
        ({"chunks": 2.5}, TypeError, "chunks must be .* not 2.5"),
        ({"chunks": (5, 2.5)}, TypeError, "chunks must be .* not 2.5"),
        ({"shape": (10**9, 10**9), "chunks": 1}, ValueError, "chunks 1 are 1,0.* make them larger"),
        ({"shape": (10**9, 10**9)}, ValueError, "chunks 'auto' are .* make them larger"),
        ({"shape": (10**6, 10**6), "chunks": -1}, ValueError, r"chunks must have fewer than 2\*\*31 cells"),
        ({"algorithm": "wilson"}, ValueError, "algorithm: .*'wilson'; they can by .*kruskal"),
        ({"weights": [1, 2]}, TypeError, "weights= is an array of the whole maze: generate does not take it"),
    ):
        refused(error, message, meiro.dask.generate, **{"shape": (30, 50), "algorithm": "kruskal", **changed})
