"""Shapes, wall ids, and the sites of the grid."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from periodic_mazes import WRAPS, lattice_of
from refusals import refused

import meiro
from meiro._utils.square import checked_cell, checked_shape, checked_wrap, n_walls

pytestmark = pytest.mark.sanitize


@pytest.mark.parametrize(
    ("shape", "wrap"),
    [
        *((shape, wrap) for shape in ((3, 3), (3, 5), (6, 4)) for wrap in WRAPS),
        *((shape, (False, False)) for shape in ((1, 1), (1, 7), (7, 1), (2, 2), (3, 4), (9, 8))),
    ],
)
def test_wall_ids_are_a_bijection(shape: tuple[int, int], wrap: tuple[bool, bool]) -> None:
    ids = np.arange(n_walls(shape, wrap))
    cells = meiro.wall_cells(shape, ids, wrap=wrap)
    assert (meiro.wall_ids(shape, cells, wrap=wrap) == ids).all()
    assert (meiro.wall_ids(shape, cells[:, ::-1], wrap=wrap) == ids).all()
    expected = {
        frozenset((a * shape[1] + b, c * shape[1] + d)) for (a, b), (c, d) in lattice_of(shape, wrap).edges
    }
    assert {frozenset(pair) for pair in cells.tolist()} == expected
    assert len(expected) == len(ids)
    flat = n_walls(shape)
    assert flat == 2 * shape[0] * shape[1] - sum(shape)
    assert (cells[:flat] == meiro.wall_cells(shape, range(flat))).all()
    east = [[row * shape[1] + shape[1] - 1, row * shape[1]] for row in range(shape[0])] * wrap[1]
    south = [[(shape[0] - 1) * shape[1] + col, col] for col in range(shape[1])] * wrap[0]
    assert cells[flat:].tolist() == east + south
    for one, other in cells[flat:].tolist():
        with pytest.raises(ValueError, match=f"cells {one} and {other} are not adjacent"):
            meiro.wall_ids(shape, [(one, other)])
    with pytest.raises(ValueError, match=rf"no wall {len(ids)} .* 0\.\.{len(ids) - 1}"):
        meiro.wall_cells(shape, [len(ids)], wrap=wrap)


def test_wall_ids_of_thin_cylinders() -> None:
    assert meiro.wall_cells((1, 3), range(3), wrap=(False, True)).tolist() == [[0, 1], [1, 2], [2, 0]]
    assert meiro.wall_cells((3, 1), range(3), wrap=(True, False)).tolist() == [[0, 1], [1, 2], [2, 0]]
    refused(ValueError, "are not adjacent", meiro.wall_ids, (1, 3), [(0, 0)], wrap=(False, True))


@pytest.mark.parametrize(
    "wrap", [True, False, None, (1, 0), "ab", (True,), (True, True, True), {True, False}]
)
def test_wrap_is_two_bools(wrap: Any) -> None:
    refused(TypeError, r"wrap must be two bools, \(rows, cols\), not ", checked_wrap, wrap, (3, 3))


def test_a_side_that_wraps_is_3_long() -> None:
    assert checked_wrap([True, np.bool_(0)], (3, 1)) == (True, False)
    for wrap, name in (((True, False), "rows"), ((False, True), "cols")):
        words = rf"periodic {name} are at least 3, not 2: .* the same two cells"
        refused(ValueError, words, checked_wrap, wrap, (2, 2))


def test_worked_example_2() -> None:
    vertical = [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)]
    horizontal = [(0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 8)]
    assert meiro.wall_cells((3, 3), range(12)).tolist() == [list(p) for p in vertical + horizontal]
    assert meiro.wall_ids((3, 3), [(1, 4)]).tolist() == [7]  # the article's formula says 3


def test_wall_cells_refuse_unknown_ids() -> None:
    refused(ValueError, r"no wall 12 .* 0\.\.11", meiro.wall_cells, (3, 3), [0, 12])
    refused(ValueError, "cells 2 and 3 are not adjacent", meiro.wall_ids, (3, 3), [(2, 3)])
    refused(ValueError, "are not adjacent", meiro.wall_ids, (3, 3), [(8, 9)])
    refused(ValueError, "are not adjacent", meiro.wall_ids, (3, 1), [(0, 2)])
    refused(TypeError, "ids must be integers, not float64", meiro.wall_cells, (3, 3), [0.5])


def test_shapes_are_checked() -> None:
    refused(ValueError, r"at least \(1, 1\), not \(0, 3\)", checked_shape, (0, 3))
    refused(ValueError, "at least", checked_shape, (3, -1))
    refused(TypeError, r"pair of integers, not \(2.5, 3\)", checked_shape, (2.5, 3))
    refused(TypeError, "pair of integers", checked_shape, (True, 3))
    refused(TypeError, "not 7", checked_shape, 7)
    refused(TypeError, "pair of integers", checked_shape, (1, 2, 3))
    refused(TypeError, "pair of integers", checked_shape, "ab")
    refused(MemoryError, "no memory", checked_shape, (1 << 30, 1 << 30))


def test_grid_shape() -> None:
    assert checked_shape(None, (9, 15)) == (4, 7)
    refused(ValueError, r"16 is even; take 15 or 17 \(cells: 7 or 8\)", checked_shape, None, (9, 16))
    refused(ValueError, "odd and at least 3, not 1", checked_shape, None, (1, 9))
    refused(TypeError, "either shape", checked_shape, (3, 3), (7, 7))
    refused(TypeError, "either shape", checked_shape, None)


def test_cells_are_checked() -> None:
    assert checked_cell((-1, np.int8(2)), (3, 4), "start") == (2, 2)
    assert checked_cell((-3, -4), (3, 4), "start") == (0, 0)
    with pytest.raises(ValueError, match=r"start \(3, 0\) is outside: rows 0..2, cols 0..3"):
        checked_cell((3, 0), (3, 4), "start")
    refused(ValueError, r"\(-4, 0\) is outside", checked_cell, (-4, 0), (3, 4), "start")
    refused(TypeError, "goal must be a pair of integers", checked_cell, (0.0, 1), (3, 4), "goal")


@given(st.lists(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]), max_size=20))
def test_paths_go_to_sites_and_back(steps: list[tuple[int, int]]) -> None:
    cells = np.cumsum([(0, 0), *steps], axis=0)
    sites = meiro.cells_to_grid(cells)
    assert len(sites) == 2 * len(cells) - 1
    assert (np.abs(np.diff(sites, axis=0)).sum(axis=1) == 1).all()
    assert (meiro.grid_to_cells(sites) == cells).all()


@given(st.lists(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]), max_size=20), st.sampled_from(WRAPS))
def test_periodic_paths_go_to_sites_and_back(steps: list[tuple[int, int]], wrap: tuple[bool, bool]) -> None:
    shape = np.array([4, 3])
    free = np.cumsum([(0, 0), *steps], axis=0)
    if not (np.array(wrap) | ((free >= 0) & (free < shape)).all(axis=0)).all():
        return
    cells = free % shape
    sites = meiro.cells_to_grid(cells, shape=(4, 3), wrap=wrap)
    assert (meiro.grid_to_cells(sites) == cells).all()
    expected = [(1, 1)]
    for cell, (down, right) in zip(cells.tolist(), steps, strict=False):
        door = 2 * cell[0] + 1 + down, 2 * cell[1] + 1 + right
        expected.append(door)
        other = (8 - door[0] if down else door[0]), (6 - door[1] if right else door[1])
        if 0 in door or door[0] == 8 or door[1] == 6:  # it is seen on both sides
            expected.append(other)
            door = other
        expected.append((door[0] + down, door[1] + right))
    assert sites.tolist() == [list(site) for site in expected]


def test_periodic_paths_need_the_shape() -> None:
    refused(TypeError, "wrap= needs shape=", meiro.cells_to_grid, [(0, 0), (0, 4)], wrap=(False, True))
    with pytest.raises(ValueError, match=r"\(0, 0\) and \(0, 4\) are not adjacent cells"):
        meiro.cells_to_grid([(0, 0), (0, 4)], shape=(5, 5), wrap=(True, False))
    with pytest.raises(ValueError, match=r"path: \(1, 5\) is not a cell of a maze of \(5, 5\)"):
        meiro.cells_to_grid([(1, 1), (1, 5)], shape=(5, 5), wrap=(True, True))


def test_paths_of_any_kind_are_read_or_refused() -> None:
    assert meiro.cells_to_grid([]).shape == (0, 2)
    with pytest.raises(ValueError, match=r"\(0, 0\) and \(1, 1\) are not adjacent cells"):
        meiro.cells_to_grid([(0, 0), (1, 1)])
    refused(ValueError, r"shape \(n, 2\)", meiro.grid_to_cells, [1, 2, 3])


@pytest.mark.parametrize("value", [{3, 4}, frozenset({3, 4}), {3: 1, 4: 2}])
def test_pairs_have_an_order(value: Any) -> None:
    refused(TypeError, "pair of integers", checked_shape, value)
