from __future__ import annotations

from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from refusals import refused

from meiro._utils.arrays import mask_of, walls

W1 = np.array([[1, 1, 1], [1, 0, 1], [0, 0, 1], [1, 1, 1]])


def like(array: NDArray[Any]) -> NDArray[Any]:
    """Return the same values as a view of every second row and column."""
    wide = np.zeros((2 * array.shape[0], 2 * array.shape[1]), array.dtype)
    wide[::2, ::2] = array
    return wide[::2, ::2]


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    array = array.copy()
    array.flags.writeable = False
    return array


FORMS: dict[str, Any] = {
    "uint8": W1.astype(np.uint8),
    "int8": W1.astype(np.int8),
    "big-endian": W1.astype(">i4"),
    "float": W1.astype(float),
    "half": W1.astype(np.float16),
    "bool": W1.astype(bool),
    "list": W1.tolist(),
    "fortran": np.asfortranarray(W1.astype(np.uint8)),
    "every second": like(W1.astype(np.uint8)),
    "bool, every second": like(W1.astype(bool)),
    "upside down twice": W1[::-1].copy()[::-1],
    "read-only": frozen(W1.astype(np.uint8)),
    "matrix": W1.astype(np.uint8).view(np.matrix),
}


@pytest.mark.parametrize("form", FORMS)
def test_walls_from_every_form_of_zeros_and_ones(form: str) -> None:
    found = walls(FORMS[form])
    assert type(found) is np.ndarray
    assert found.dtype == np.uint8
    assert found.flags.c_contiguous
    np.testing.assert_array_equal(found, W1)


@pytest.mark.parametrize(
    ("x", "road"),
    [
        (255 * (1 - W1.astype(np.uint8)), 255),
        (255 * (1 - W1.astype(np.uint8)), np.uint8(255)),
        (1 - W1, 1),
        (~W1.astype(bool), True),
        (np.where(W1 == 1, -7, 3), 3),
        (np.where(W1 == 1, 0.25, 0.5), 0.5),
        (np.where(W1 == 1, np.inf, 0), 0),
        (np.where(W1 == 1, "#", "."), "."),
        (np.where(W1 == 1, b"#", b"."), "."),
        (["###", "#.#", "..#", "###"], "."),
        (["迷迷迷", "迷路迷", "路路迷", "迷迷迷"], "路"),
        (["###", "#S#", ".G#", "###"], None),
        (["111", "101", " 01", "111"], None),
        (["###", "#S#", ".o#", "###"], ".oS"),
        ([b"###", b"#S#", b".o#", b"###"], ".oS"),
        (["###", "#S#", ".o#", "###"], [".", "o", "S"]),
        (np.where(W1 == 1, 9, np.arange(W1.size).reshape(W1.shape) % 3), (0, 1, 2)),
        (np.where(W1 == 1, 9, 0.5), {0.5, 7}),
        (pd.DataFrame(W1), None),
        (pd.DataFrame(np.where(W1 == 1, "#", ".")), None),
        (pd.DataFrame(W1).astype("Int64"), None),
        (pd.DataFrame(W1).astype("bool[pyarrow]"), None),
        (pd.DataFrame(np.where(W1 == 1, "#", "."), dtype="string"), None),
        (pd.DataFrame({"a": W1[:, 0], "b": W1[:, 1] == 1, "c": W1[:, 2] * 1.0}), None),
        (pl.DataFrame(W1, schema=list("abc")), None),
        (W1.astype(object), None),
        (np.where(W1 == 1, "#", ".").astype(object), None),
        (pd.DataFrame(np.where(W1 == 1, "wall", "floor")), "floor"),
        (pd.DataFrame(np.where(W1 == 1, "wall", "floor")), ["floor", "door"]),
    ],
)
def test_road_names_the_value_of_a_road(x: Any, road: object) -> None:
    found = walls(x, road=road)
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, W1)


@given(
    hnp.arrays(st.sampled_from([np.uint8, np.int64, np.float32]), (3, 4), elements=st.integers(0, 3)),
    st.integers(0, 3),
)
def test_walls_are_read_as_documented_or_refused(x: NDArray[Any], road: int) -> None:
    if (x == road).any():
        np.testing.assert_array_equal(walls(x, road=road), x != road)
    else:
        refused(ValueError, f"no site equals road={road}", walls, x, road=road)
    if x.max() <= 1:
        np.testing.assert_array_equal(walls(x), x)
    elif np.count_nonzero(x == 2) == np.count_nonzero(x == 3) == 1:  # start and goal
        np.testing.assert_array_equal(walls(x), x == 1)
    else:
        refused(ValueError, r"x holds the values .*: say road=", walls, x)


def test_walls_include_masked_entries() -> None:
    x = np.ma.array([[0, 0], [9, 1]], mask=[[False, True], [True, False]])
    refused(ValueError, r"values \{0, 1, 9\}", walls, x)
    x = np.ma.array([[0, 0], [0, 1]], mask=[[False, True], [False, False]])
    assert walls(x).tolist() == [[0, 1], [0, 1]]
    assert type(walls(x)) is np.ndarray
    assert walls(x + 4, road=4).tolist() == [[0, 1], [0, 1]]


def test_a_boolean_of_odd_bytes_is_still_a_boolean() -> None:
    odd = np.array([[0, 2, 255]], np.uint8).view(bool)
    assert walls(odd).tolist() == [[0, 1, 1]]


def test_walls_refuse_bad_arrays() -> None:
    for x, road, error, message in (
        ([[0, 255]], None, ValueError, r"foo holds the values \{0, 255\}: say road=255"),
        ([[0, -1]], None, ValueError, r"values \{-1, 0\}"),
        ([[0.0, 0.5]], None, ValueError, r"values \{0.0, 0.5\}"),
        ([[0, 1, 3]], None, ValueError, r"say road=\[0, 3\]"),
        ([[-1, 0, 100]], None, ValueError, "say road=0,"),
        (np.arange(100).reshape(10, 10), None, ValueError, "values 0 to 99, 100 of them: say road=99"),
        ([[0.2, 0.9, np.inf]], None, ValueError, "say road=0.9, .* for costs: weights="),
        ([[0.0, 1.0], [np.nan, 1.0]], None, ValueError, r"NaN, first at \(1, 0\): numpy.nan_to_num"),
        (pd.DataFrame([["x", np.nan]]), None, TypeError, "foo holds numbers and texts, .*; .fillna"),
        (pd.DataFrame([["x", None]]), None, TypeError, "foo holds None .* or characters; .fillna"),
        ([[0.0, 1.0], [np.nan, 1.0]], 0, ValueError, r"NaN, first at \(1, 0\)"),
        ([[0.0, 1.0]], np.nan, ValueError, "road is NaN"),
        ([[0, 1]], 5, ValueError, r"no site equals road=5; there are the values \{0, 1\}"),
        ([0, 1], None, ValueError, r"shape \(2,\); walls and roads need two dimensions"),
        (np.zeros((2, 2, 3)), None, ValueError, r"shape \(2, 2, 3\).*meiro.from_image"),
        (0, None, ValueError, r"shape \(\)"),
        ([[]], None, ValueError, r"foo is empty: its shape is \(1, 0\)"),
        ([[0, 1], [0]], None, ValueError, "foo is not an array"),
        (["##", "#"], ".", ValueError, "foo: line 2, column 2: expected 2 characters as in the longest line"),
        (["", ""], ".", ValueError, "foo: line 1, column 1: .* found nothing"),
        (
            ["#o"],
            None,
            ValueError,
            "foo: line 1, column 2: expected a wall .* found 'o': say which are road, as road=",
        ),
        (
            ["#.S", "S.#"],
            None,
            ValueError,
            "foo: the start, S, is in several places: line 1, column 3, line 2, column 1",
        ),
        (["#G.G"], None, ValueError, "foo: the goal, G, is in several places: line 1, column 2, line 1"),
        ("#S.G#", None, ValueError, "meiro.Maze.from_text reads a text, meiro.read a file"),
        (np.array([["#", "."]]), 0, TypeError, "road=0 cannot be compared .*: give a character"),
        ([[0, 1]], ".", TypeError, "road='.' cannot be compared .*: give a number"),
        ([[0, 1]], [[0]], TypeError, r"road must be a number or a character, or a list of them, not \[0\]"),
        ([[0, 1]], [], ValueError, r"road=\[\] holds no value"),
        ([[0, 1]], range(10**21), ValueError, r"road=range\(0, 1.*\) holds more than 4,096 values"),
        (["ab", "bb"], "a" * 5000, ValueError, r"road='a.* holds more than 4,096 values"),
        ([[0, 1]], [5, 7], ValueError, r"no site equals road=\[5, 7\]; there are the values \{0, 1\}"),
        (
            np.array([["#", "."]]),
            [".", 0],
            TypeError,
            r"road=\['\.', 0\] cannot be compared .*: give a character",
        ),
        (nx.path_graph(3), None, TypeError, "foo is a networkx graph, .*: meiro.Maze.from_networkx makes"),
        (sp.csr_array([[0, 1]]), None, TypeError, r"foo is a sparse matrix: \.toarray\(\)"),
        (
            igraph.Graph(2, [(0, 1)]),
            None,
            TypeError,
            "foo is a graph; the maze of a graph is meiro.GraphMaze",
        ),
        (np.array([[None, 1]], object), None, TypeError, r"foo holds None \(NoneType\), not booleans"),
        (np.array([["#", 1]], object), None, TypeError, "foo holds numbers and texts, not booleans"),
        (pd.DataFrame([[0, None]]).astype("Int64"), None, TypeError, r"foo holds <NA> \(NAType\)"),
        ([[1.0, np.inf]], None, ValueError, r"\{1.0, inf\}: say road=1.0,"),
        (np.array([[0j]]), None, TypeError, "foo holds complex128"),
        (np.array([["2020"]], "M8[Y]"), None, TypeError, "foo holds datetime64"),
        (None, None, TypeError, "foo holds None"),
    ):
        refused(error, message, walls, x, road=road, name="foo")


def test_walls_do_not_write_to_their_argument() -> None:
    x = np.array([[0, 255], [255, 0]], np.uint8)
    walls(x, road=255)[:] = 7
    assert x.tolist() == [[0, 255], [255, 0]]


@pytest.mark.parametrize(
    "x",
    [
        [[True, False], [True, True]],
        np.array([[1, 0], [1, 1]], np.uint8),
        [[1.0, 0.0], [1.0, 1.0]],
        np.asfortranarray([[True, False], [True, True]]),
    ],
)
def test_mask_from_every_form(x: Any) -> None:
    found = mask_of(x, (2, 2))
    assert found is not None
    assert found.dtype == np.bool_
    assert found.flags.c_contiguous
    assert found.tolist() == [[True, False], [True, True]]


def test_a_mask_does_not_share_memory() -> None:
    x = np.array([[True, False]])
    found = mask_of(x, (1, 2))
    assert found is not None
    assert not np.shares_memory(found, x)


def test_a_mask_of_all_cells_is_none() -> None:
    assert mask_of(None, (2, 3)) is None
    assert mask_of(np.ones((2, 3)), (2, 3)) is None


def test_mask_refuses_bad_arrays() -> None:
    refused(ValueError, "mask is False everywhere", mask_of, np.zeros((2, 3)), (2, 3))
    refused(ValueError, r"mask has shape \(3, 2\), the maze has \(2, 3\)", mask_of, np.ones((3, 2)), (2, 3))
    refused(ValueError, r"mask has shape \(\)", mask_of, True, (2, 3))  # noqa: FBT003
    with pytest.raises(ValueError, match=r"mask holds the values \{255\}, not only 0 and 1: mask != 0 does"):
        mask_of(np.full((2, 3), 255), (2, 3))
    refused(ValueError, "NaN", mask_of, np.full((2, 3), np.nan), (2, 3))
    refused(TypeError, "mask holds characters: give booleans", mask_of, [["#"] * 3] * 2, (2, 3))
    refused(TypeError, "numpy.ma", mask_of, np.ma.ones((2, 3)), (2, 3))
