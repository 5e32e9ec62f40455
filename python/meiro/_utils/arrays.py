"""Conversion of users' arrays to the 0 (road) and 1 (wall) of the core, to masks and to weights."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro._utils.characters import MarkedWalls, read_characters, signs_of
from meiro._utils.memory import require
from meiro._utils.messages import held, invalid_as, short_repr
from meiro._utils.validation import is_masked, number_array, plain_array

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    Scalar = str | bytes | float | np.floating[Any]

BYTES = np.dtype(np.uint8)
LISTED = 10_000  # numbers of an array that a recipe lists
_SHOWN = 5  # values named in a message
_MOST_ROADS = 1 << 12
_PEERS = {
    "labmaze": "from_labmaze",
    "maze_dataset": "from_maze_dataset",
    "mazelib": "from_mazelib",
}

Array = TypeVar("Array", bound="NDArray[Any]")


def walls(x: ArrayLike, *, road: object = None, name: str = "x") -> NDArray[np.uint8]:
    """Convert any two-dimensional array to walls and roads.

    Parameters
    ----------
    x : array_like of shape (h, w)
        Booleans, integers, floats or single characters, also in a pandas frame; or a text, or its rows, as
        `meiro.read` takes it from a file: rows of one length as they are, else without the blanks around. A
        masked entry of a ``numpy.ma`` array is a wall.
    road : scalar or sequence of scalars, optional
        The value of a road, or several; every other value is a wall. Each letter of a string counts, if `x`
        holds single characters. Without it `x` must be boolean (True is a wall), hold only 0 (road) and 1
        (wall), or characters as in `meiro.Maze.from_text`.
    name : str
        The name of the array in messages.

    Returns
    -------
    ndarray of uint8, shape (h, w), C order
        0 for a road, 1 for a wall. It may share memory with `x`.

    Raises
    ------
    ValueError
        If `x` is not two-dimensional, is empty, holds NaN, or does not say which value is road.
    TypeError
        If the entries cannot be compared with `road`, or `x` is a graph.

    Examples
    --------
    >>> meiro._utils.arrays.walls(["#.#", "#.."])
    array([[1, 0, 1],
           [1, 0, 0]], dtype=uint8)
    """
    return marked_walls(x, road=road, name=name).walls


def marked_walls(x: ArrayLike, *, road: object = None, name: str = "x") -> MarkedWalls:
    """Convert an array as `walls` does, and find start and goal, if it is drawn in characters."""
    refuse_graph(x, name)
    if road is None and is_pillow_image(x):
        from meiro.io.image import from_image

        x = from_image(x)
    if (text := _text_of(x)) is not None:
        from meiro.drawing.text.parse import sites_of_text

        with invalid_as(name, ValueError):
            return sites_of_text(text, road=road, exact=not isinstance(x, str)).marked_walls
    array = _two_dimensional(plain_array(x, name, masked=True), name)
    plain = array.data if is_masked(array) else array
    letters = plain.dtype.kind in "US" and int(np.char.str_len(plain).max()) <= 1
    if letters:  # "0" and "1" of NumPy's astype(str) have room for 21 characters
        plain = plain.astype(f"{plain.dtype.kind}1", copy=False)
    most = plain.max() if road is None and plain.dtype.kind in "uif" else None
    if most == 3:
        marked = signs_of(plain)
        plain, letters = (plain, letters) if marked is None else (marked, True)
    roads = None if road is None else road_values(road, several=letters)
    found = _plain_walls(plain, name, most) if roads is None and not letters else plain
    if roads is not None:
        found = _compared(plain, roads, road, name)
    start = goal = None
    if letters:
        chars = np.char.decode(plain, "latin-1") if plain.dtype.kind == "S" else plain
        signs = None if roads is None else [*map(_text, roads)]
        found, start, goal = read_characters(chars, signs, lambda row, col: f"{name}[{row}, {col}]")
    if is_masked(array):
        found = (found != 0) | np.ma.getmaskarray(array)
    return MarkedWalls(np.ascontiguousarray(found, np.uint8), start, goal)


def is_pillow_image(x: object) -> bool:
    """Return whether `x` is an image of Pillow, which is bright where an array of booleans would be wall."""
    return hasattr(x, "convert") and hasattr(x, "mode")


def refuse_graph(x: object, name: str = "maze") -> None:
    """Refuse graphs and sparse matrices, which NumPy would take for arrays, and what is on a lattice.

    The message says what takes it. Classes of layers above are known by their names.
    """
    kind = type(x).__name__
    peer = type(x).__module__.partition(".")[0]
    if peer in _PEERS and not isinstance(x, np.ndarray):
        raise TypeError(f"{name} is a {kind} of {peer}: meiro.io.{_PEERS[peer]} makes a Maze of it")
    if type(x).__module__ == "meiro" and kind in {"GraphMaze", "GraphBatch", "Lattice"}:
        raise TypeError(
            f"{name} is a {kind}, whose cells have no rows and columns, and this needs them. solve, "
            "distances, measure, check, braid, join_regions, with_ends, plot and save take a GraphMaze; "
            "on rows and columns meiro.generate((rows, cols)) makes a Maze"
        )
    if hasattr(x, "is_directed") and hasattr(x, "nodes"):
        raise TypeError(
            f"{name} is a networkx graph, not an array: meiro.Maze.from_networkx makes a maze of nodes "
            "(row, col), meiro.GraphMaze.from_networkx of any"
        )
    if (hint := held(x, name)) is not None:
        raise TypeError(hint)
    if hasattr(x, "tocoo") or hasattr(x, "get_edgelist"):
        what = "sparse matrix: .toarray() is an array of walls and roads" if hasattr(x, "tocoo") else "graph"
        raise TypeError(
            f"{name} is a {what}; the maze of a graph is meiro.GraphMaze(lattice, range(lattice.n_edges)) on "
            "lattice = meiro.lattices.from_graph(graph)"
        )


def _text_of(x: object) -> str | None:
    """Return a text of several lines, or rows of text, as one text; None if `x` is not a text."""
    if isinstance(x, str):
        return x if "\n" in x.strip() or "[" in x or "{" in x else None
    if isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype.kind in "US":
        require(x.size * (64 + x.itemsize), f"a text of {x.size:,} rows", "give a smaller one")
        x = x.tolist()
    if not isinstance(x, list | tuple) or not x or not all(isinstance(row, str | bytes) for row in x):
        return None
    return "\n".join(_text(row).rstrip("\r\n") for row in x)


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def mask_shape(mask: ArrayLike) -> tuple[int, int]:
    """Return the shape of the maze that a mask is of."""
    array = plain_array(mask, "mask")
    shape = array.shape
    if len(shape) != 2 or 0 in shape:
        text = "; meiro.mask_from_text reads a text" if array.dtype.kind in "US" else ""
        raise ValueError(f"mask must be 2-D with at least one cell, not of shape {shape}{text}")
    return shape


def mask_of(x: ArrayLike | None, shape: tuple[int, int], *, name: str = "mask") -> NDArray[np.bool_] | None:
    """Convert a mask: True where a cell exists.

    Parameters
    ----------
    x : array_like of bool, shape `shape`, or None
        Zeros and ones are accepted as well.
    shape : (int, int)
        Rows and columns, in cells.
    name : str
        The name of the array in messages.

    Returns
    -------
    ndarray of bool or None
        In C order; None if every cell exists.

    Raises
    ------
    ValueError
        If the array has another shape, holds values other than 0 and 1, or no cell exists.
    TypeError
        If the entries are not booleans or numbers, or the array is a ``numpy.ma`` array.
    """
    if x is None:
        return None
    array = _of_values(plain_array(x, name), name)
    if array.shape != tuple(shape):
        raise ValueError(f"{name} has shape {array.shape}, the maze has {tuple(shape)} (rows, cols)")
    inside = _plain_walls(array, name, road_needed=False).astype(np.bool_, order="C")
    if inside.all():
        return None
    if not inside.any():
        raise ValueError(f"{name} is False everywhere: True is where a cell exists")
    return read_only(inside)


def weights_of(x: ArrayLike, shape: tuple[int, ...], space: str) -> NDArray[np.float64]:
    """Convert the costs of entering each place: numbers, 0 or more; infinite where nothing enters.

    Parameters
    ----------
    x : array_like of float, shape `shape`
    shape : tuple of int
        Of the maze in cells, or of the array.
    space : str
        "cells" or "sites", for the messages.

    Returns
    -------
    ndarray of float64, in C order

    Raises
    ------
    ValueError
        If the array has another shape, or a weight is negative or NaN.
    TypeError
        If they are not numbers.
    """
    array = number_array(x, "weights")
    if array.shape != tuple(shape):
        raise ValueError(f"weights has shape {array.shape}, x has {tuple(shape)} ({space})")
    return checked_costs(array)


def checked_costs(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return costs; a ValueError if one is negative or NaN."""
    if not costs.min(initial=0) >= 0:
        place = tuple(map(int, np.argwhere(~(costs >= 0))[0]))
        at = f"weights{list(place)}"
        raise ValueError(f"{at} is {costs[place]}: weights are numbers, 0 or more, infinite for an obstacle")
    return costs


_MANY = "; many mazes are a list or a batch"


def _of_values(array: NDArray[Any], name: str) -> NDArray[Any]:
    if array.dtype.kind not in "biufUS":
        what, hint = str(array.dtype), ""
        if array.dtype.kind == "O":
            odd = [item for item in array.flat if not isinstance(item, bool | int | float | str)]
            what = f"{short_repr(odd[0])} ({type(odd[0]).__name__})" if odd else "numbers and texts"
            if odd and (array.ndim == 1 or hasattr(odd[0], "__iter__")):
                hint = _MANY
            if any(map(_is_missing, array.flat)):
                hint = '; .fillna(" ") of a frame makes missing ones blank'
        raise TypeError(f"{name} holds {what}, not booleans, integers, floats or characters{hint}")
    return array


def _is_missing(item: object) -> bool:
    """Return whether pandas calls an item missing."""
    return type(item).__name__ in {"NoneType", "NAType"} or (isinstance(item, float) and math.isnan(item))


def _two_dimensional(array: NDArray[Any], name: str) -> NDArray[Any]:
    array = _of_values(array, name)
    if array.ndim != 2:
        more = "; a picture with colours goes through meiro.from_image" if array.ndim == 3 else ""
        more += _MANY if array.ndim > 2 else ""
        if array.dtype.kind in "US" and array.ndim == 0:
            more = "; meiro.Maze.from_text reads a text, meiro.read a file"
        raise ValueError(f"{name} has shape {array.shape}; walls and roads need two dimensions{more}")
    if array.size == 0:
        raise ValueError(f"{name} is empty: its shape is {array.shape}")
    return array


def _plain_walls(
    array: NDArray[Any], name: str, most: Any = None, *, road_needed: bool = True
) -> NDArray[Any]:
    """Check that an array holds only 0 and 1; its greatest number may be known."""
    kind = array.dtype.kind
    if kind == "b":
        return array
    if kind in "US":
        if not road_needed:
            raise TypeError(f"{name} holds characters: give booleans")
        raise ValueError(f'{name} holds words, the {_values(array)}: say which is road, as road="floor"')
    if kind in "ui":
        good = (array.max() if most is None else most) <= 1 and (kind == "u" or array.min() >= 0)
    else:
        _refuse_nan(array, name)
        good = bool(((array == 0) | (array == 1)).all())
    if not good:
        msg = f"{name} holds the {_values(array)}"
        if road_needed:
            msg += f": say road={_likely_roads(array)!r}, or whichever is road (without road= only 0, road, "
            msg += "and 1, wall, are taken; for pictures: meiro.from_image; for costs: weights=)"
        else:
            msg += f", not only 0 and 1: {name} != 0 does"
        raise ValueError(msg)
    return array


def _likely_roads(array: NDArray[Any]) -> float | list[float]:
    """Return what is most likely road: all but 1 where there is 0, too; 0 beside -1; or the largest."""
    found = np.unique(array)
    if (finite := np.isfinite(found)).any():
        found = found[finite]  # infinite is what cannot be entered
    if found[0] == 0 and 1 in found and len(found) <= _SHOWN:
        return [value.item() for value in found if value != 1]
    return 0 if found[0] < 0 and 0 in found else found[-1].item()


def _compared(array: NDArray[Any], roads: tuple[Scalar, ...], road: object, name: str) -> NDArray[Any]:
    kind = array.dtype.kind
    items = [value.encode() if kind == "S" and isinstance(value, str) else value for value in roads]
    for value in items:
        if not isinstance(value, {"U": str, "S": bytes}.get(kind, int | float | np.floating)):
            wanted = "a character" if kind in "US" else "a number"
            raise TypeError(
                f"road={short_repr(road)} cannot be compared with the {array.dtype} of {name}: give {wanted}"
            )
    if kind == "f":
        _refuse_nan(array, name)
    found: NDArray[np.bool_] = array != items[0]
    for value in items[1:]:
        found &= array != value
    if found.all():
        raise ValueError(
            f"{name} has no road: no site equals road={short_repr(road)}; there are the {_values(array)}"
        )
    return found


def road_values(road: object, *, several: bool = False) -> tuple[Scalar, ...]:
    """Return the values of roads, checked: one, or those of a list, tuple, set or array.

    With `several` each letter of a string is one.
    """
    values: Iterable[Any] = (road,)
    if several and isinstance(road, str | bytes) and len(road) > 1:
        values = (road[i : i + 1] for i in range(len(road)))
    elif isinstance(road, list | tuple | set | frozenset | range) or (
        isinstance(road, np.ndarray) and road.ndim
    ):
        values = road
    found = tuple(scalar_road(value) for value in islice(values, _MOST_ROADS + 1))
    if not 0 < len(found) <= _MOST_ROADS:
        held = f"more than {_MOST_ROADS:,} values" if found else "no value"
        raise ValueError(f"road={short_repr(road)} holds {held}")
    return found


def scalar_road(road: object) -> Scalar:
    """Return the value of a road, checked."""
    value = road.item() if isinstance(road, np.generic | np.ndarray) and road.ndim == 0 else road
    if not isinstance(value, str | bytes | int | float | np.floating):
        raise TypeError(f"road must be a number or a character, or a list of them, not {short_repr(road)}")
    if isinstance(value, int) and value.bit_length() > 64:
        raise ValueError(f"road must be a number that an array can hold, not {short_repr(road)}")
    if isinstance(value, float | np.floating) and math.isnan(value):
        raise ValueError("road is NaN, which equals nothing")
    return value


def _refuse_nan(array: NDArray[Any], name: str) -> None:
    if (nan := np.isnan(array)).any():
        row, col = np.unravel_index(int(nan.argmax()), array.shape)
        raise ValueError(f"{name} holds NaN, first at ({row}, {col}): numpy.nan_to_num makes it 0")


def _values(array: NDArray[Any]) -> str:
    found = np.unique(array)
    if len(found) > _SHOWN:
        return f"values {found[0].item()!r} to {found[-1].item()!r}, {len(found)} of them"
    return "values {" + ", ".join(repr(v.item()) for v in found) + "}"


def refuse_road(road: object) -> None:
    """Refuse `road=` for a maze, whose roads are known."""
    if road is not None:
        raise TypeError(f"road= is for arrays, and x is a Maze: leave out road={short_repr(road)}")


def check_out(
    out: object, shape: tuple[int, ...], dtype: np.dtype[Any] | type[np.signedinteger[Any]] = BYTES
) -> None:
    """Refuse an `out=` that is not a C-contiguous, writable array of this shape and dtype."""
    if isinstance(dtype, np.dtype):
        kind, fits = str(dtype), isinstance(out, np.ndarray) and out.dtype == dtype
    else:
        kind, fits = "signed integer", isinstance(out, np.ndarray) and out.dtype.kind == "i"
    if not fits or not isinstance(out, np.ndarray) or out.shape != shape or is_masked(out):
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        got += " of numpy.ma" if is_masked(out) else ""
        raise ValueError(f"out must be a {kind} array of shape {shape}, not {got}")
    wrong = [
        f"{words}, not {got}"
        for ok, words, got in (
            (out.flags.c_contiguous, "C-contiguous", f"of strides {out.strides}"),
            (out.flags.writeable, "writable", 'read-only (a memmap has mode "r+" for that)'),
            (out.flags.aligned, "aligned", f"at an address that is no multiple of {out.dtype.alignment}"),
            (out.dtype.isnative, "of the machine's byte order", repr(out.dtype.str)),
        )
        if not ok
    ]
    if wrong:
        raise ValueError(
            f"out must be {' and '.join(wrong)}: numpy.empty({shape}, {out.dtype.name!r}) would do"
        )


def whole_array(out: NDArray[np.uint8], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return an `out=` for the passages of one maze, checked, as the array of a batch of one."""
    check_out(out, shape)
    return np.asarray(out)[np.newaxis]


def read_only(array: Array) -> Array:
    """Return the array itself, read-only from now on."""
    array.flags.writeable = False
    return array


def same_arrays(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    """Return whether two arrays are equal, or both are None."""
    return a is b or (a is not None and b is not None and np.array_equal(a, b))


def array_digest(array: NDArray[Any]) -> dict[str, object]:
    """Return what stands for an array in a recipe or in the name of a survey."""
    import hashlib

    digest = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return {"array": list(array.shape), "dtype": str(array.dtype), "sha256": digest[:16]}
