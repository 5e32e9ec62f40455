"""Work on arrays in bands is the work on the whole array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro._utils import bands
from meiro._utils.validation import plain_array


@pytest.fixture(autouse=True)
def _small_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bands, "BAND", 7)


def test_bands_cover_every_row_once() -> None:
    for n, width in ((0, 1), (1, 1), (7, 1), (8, 1), (20, 3), (5, 100), (4, 0)):
        found = [i for band in bands.bands(n, width) for i in range(band.start, band.stop)]
        assert found == list(range(n))


@pytest.mark.parametrize("wrap", [(False, False), (True, False), (False, True), (True, True)])
def test_mazes_do_not_depend_on_the_size_of_a_band(
    wrap: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def everything() -> list[Any]:
        mask = np.ones((6, 9), bool)
        mask[2:4, 3:5] = False
        maze = meiro.generate((6, 9), "kruskal", rng=3, wrap=wrap, mask=mask)
        walk = meiro.solve(maze, algorithm="random_mouse", rng=1).walk
        assert walk is not None
        sites = meiro.cells_to_grid(walk, shape=(6, 9), wrap=wrap)
        picture = np.random.default_rng(1).integers(0, 256, (9, 8, 4), np.uint8)
        return [
            maze.edges(),
            maze.wall_ids(),
            meiro.wall_cells((6, 9), maze.wall_ids(), wrap=wrap),
            meiro.Maze.from_wall_ids((6, 9), maze.wall_ids(), mask=mask, wrap=wrap),
            meiro.Maze.from_edges((6, 9), maze.edges(), mask=mask, wrap=wrap).passages,
            hash(meiro.Maze(maze.passages, mask, wrap=wrap)),
            sites,
            meiro.grid_to_cells(sites),
            [maze.to_text(style) for style in ("unicode", "ascii", "block", "posts")],
            maze.to_svg(),
            meiro.from_image(picture, threshold=100),
            meiro.brightness(picture),
            meiro.brightness(picture, (3, 3)),
            meiro.edge_probabilities((6, 9), wrap=wrap).round(12),
        ]

    small = everything()
    monkeypatch.undo()
    for one, other in zip(small, everything(), strict=True):
        assert np.array_equal(one, other, equal_nan=True) if isinstance(one, np.ndarray) else one == other


def test_errors_name_the_first_wrong_item_of_any_band() -> None:
    refused(ValueError, "there is no wall 99", meiro.wall_cells, (6, 9), [*range(20), 99, 100])
    with pytest.raises(ValueError, match=r"\(0, 30\) and \(0, 33\) are not adjacent"):
        meiro.cells_to_grid([*((0, i) for i in range(31)), (0, 33)])
    refused(ValueError, "NaN", meiro.from_image, np.where(np.arange(40).reshape(20, 2) == 33, np.nan, 0.5))


@pytest.mark.parametrize("items", [range(-20, 40, 3), range(40, -20, -7), range(1)], ids=repr)
def test_array_of_a_range_is_that_of_its_numbers(items: range) -> None:
    found, expected = plain_array(items, "x"), np.array([*items])
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("items", [[[1, 2]] * 9 + [[3]], [[1, 2]] * 9 + [3], [[1]] * 9 + [[1, 2]] * 9])
def test_array_of_items_of_different_shapes_is_refused(items: Any) -> None:
    refused(ValueError, "x is not an array", plain_array, items, "x")


def test_array_of_too_many_items_is_refused_before_it_is_read() -> None:
    itself: list[Any] = []
    itself += [itself] * 9
    refused(ValueError, "x is not an array", plain_array, itself, "x")
    for n in (10**15, 10**18, 10**30):
        refused(MemoryError, r"x is too long for an array: range\(0, 10", plain_array, range(n), "x")
