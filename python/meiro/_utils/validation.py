"""Argument checks: integers, numbers, arrays, words, booleans, slices, threads, paths.

Each check returns the argument as a plain Python value, or raises an error that names the argument and its
value. Integers are what ``operator.index`` takes, without booleans.
"""

from __future__ import annotations

import math
import operator
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, cast

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import listed, short_repr

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

Threads = int | Literal["all"] | None


_FAR = 1 << 400  # no cell, side or word of a seed is as large; messages can show smaller ones
_MOST_AXES = 64  # of an array of NumPy


def integer(value: object, name: str, least: int | None = None, below: int | None = None) -> int:
    """Return an integer from `least` on and below `below`."""
    if type(value) is int:
        number = value
    else:
        try:
            if isinstance(value, bool | np.bool_):
                raise TypeError  # noqa: TRY301  # the message is written once
            number = operator.index(value)  # type: ignore[arg-type]  # the question itself
        except TypeError:
            raise TypeError(f"{name} must be an integer, not {short_repr(value)}") from None
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, not {short_repr(number)}")
    if below is not None and number >= below:
        power = below.bit_length() - 1
        limit = f"2**{power}" if power >= 20 and below == 1 << power else str(below)
        raise ValueError(f"{name} must be less than {limit}, not {short_repr(number)}")
    return number


def require_type(value: object, kind: type, name: str, what: str, instead: str = "") -> None:
    """Raise a TypeError unless an argument is of a type: it says what it must be, and perhaps what to do."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {what}, not {short_repr(value)}{instead}")


def require_shape(array: NDArray[Any], shape: tuple[int, ...], name: str, each: str) -> None:
    """Raise a ValueError unless an array has a shape; `each` says what there is of its items."""
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, {each}, not {array.shape}")


def is_masked(x: object) -> TypeGuard[np.ma.MaskedArray[Any, Any]]:
    """Return whether `x` is a ``numpy.ma`` array, which takes long to load: it is not loaded."""
    return "numpy.ma" in sys.modules and isinstance(x, np.ma.MaskedArray)


def _refuse_endless(values: Any) -> None:
    """Raise a ValueError for a list that holds itself, which NumPy would follow on all ways."""
    for _ in range(_MOST_AXES):
        if not (isinstance(values, list | tuple) and values):
            return
        values = values[0]
    raise ValueError(f"it is nested {_MOST_AXES} deep")


def plain_array(values: Any, name: str, *, masked: bool = False) -> NDArray[Any]:
    """Return an array of an argument; every array of a user comes in here.

    A ``numpy.ma`` array is refused, unless the caller takes its mask into account and says `masked`. One that
    must be copied, because its strides are not those of a whole array, must fit in memory.
    """
    if type(values) is np.ndarray and values.flags.c_contiguous and values.dtype.kind != "O":
        return values
    try:
        if isinstance(values, range):  # which NumPy would read number by number
            require(8 * len(values), "the array", "give fewer items")
            values = np.arange(values.start, values.stop, values.step)
        _refuse_endless(values)
        array: NDArray[Any] = np.asanyarray(values)
    except (MemoryError, OverflowError) as error:
        raise MemoryError(f"{name} is too long for an array: {short_repr(values)}") from error
    except (TypeError, ValueError, RecursionError) as error:  # rows of different lengths, for one
        raise (TypeError if isinstance(error, TypeError) else ValueError)(
            f"{name} is not an array: {error}"
        ) from error
    if is_masked(array):
        if masked:
            return array
        raise TypeError(f"{name} is a numpy.ma array: give a plain one, as .filled(value) returns")
    if array.dtype.names is not None:
        raise TypeError(f"{name} is a table or a structured array: give one of its columns")
    if not array.flags.c_contiguous:
        require(array.nbytes, f"{name} of shape {array.shape}", "give a smaller one")
    return _of_objects(array) if array.dtype.kind == "O" else np.asarray(array)


_PLAIN = bool, int, float, np.bool_, np.integer, np.floating


def _of_objects(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of objects, as frames with nullable columns give it, as one of numbers or of texts."""
    kinds = set(map(type, array.flat))
    if kinds and all(issubclass(kind, _PLAIN) for kind in kinds):
        return np.array(array.tolist())
    if kinds and all(issubclass(kind, str) for kind in kinds):
        return array.astype(f"U{max(map(len, array.flat))}", order="C")
    return np.asarray(array)


def integers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Return an int64 array of integers; booleans and floats are refused."""
    array = plain_array(values, name)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, not {array.dtype}")
    if array.dtype.kind == "u" and array.itemsize == 8 and (most := array.max()) >= 1 << 63:
        raise ValueError(f"{name} must be less than 2**63, not {most}")
    return array.astype(np.int64, order="C")


def number_array(values: Any, name: str) -> NDArray[np.float64]:
    """Return a float64 array in C order, which may be the argument itself; text is refused."""
    array = plain_array(values, name)
    try:
        if array.dtype.kind not in "biufO":
            raise TypeError  # noqa: TRY301  # the message is written once
        require(8 * array.size * (array.dtype != np.float64), f"{name} of shape {array.shape}", "give fewer")
        return array.astype(np.float64, order="C", copy=False)
    except OverflowError:
        raise ValueError(
            f"{name} must be numbers that a float holds, up to 1.8e308, not {short_repr(values)}"
        ) from None
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers, not {short_repr(values)}") from None


def integer_pairs(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Return an array of pairs of integers, shape (n, 2); an empty array of any shape has none."""
    array = integers(values, name)
    if array.size and (array.ndim != 2 or array.shape[1] != 2):
        raise ValueError(f"{name} must have shape (n, 2), not {array.shape}")
    return array.reshape(-1, 2)


def pair(value: Any, name: str) -> tuple[int, int]:
    """Return two integers."""
    if (
        type(value) is tuple
        and len(value) == 2
        and type(value[0]) is type(value[1]) is int
        and -_FAR < value[0] < _FAR
        and -_FAR < value[1] < _FAR
    ):
        return value
    try:
        if isinstance(value, AbstractSet | Mapping | bytes) or getattr(value, "ndim", 1) != 1:
            raise TypeError  # noqa: TRY301  # it has no order, or is a text or a table of two columns
        first, second = value
        numbers = integer(first, name), integer(second, name)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a pair of integers, not {short_repr(value)}") from None
    if max(map(abs, numbers)) >= _FAR:
        raise ValueError(f"{name} must be a pair of integers of at most 400 bits, not {short_repr(value)}")
    return numbers


_NUMBERS = (float, int)
_NO_NUMBERS = (bool, np.bool_, str, bytes, np.complexfloating)


def number(value: Any, name: str, least: float = -math.inf, most: float = math.inf) -> float:
    """Return a finite number from `least` to `most`; booleans and text are refused."""
    try:
        if type(value) not in _NUMBERS and (
            isinstance(value, _NO_NUMBERS)
            or (isinstance(value, np.ndarray) and (value.ndim or is_masked(value)))
        ):
            raise TypeError  # noqa: TRY301  # the message is written once
        found = float(value)
    except OverflowError:
        low, high = max(least, -sys.float_info.max), min(most, sys.float_info.max)
        raise ValueError(f"{name} must be from {low:.2g} to {high:.2g}, not {short_repr(value)}") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {short_repr(value)}") from None
    if not (least <= found <= most and math.isfinite(found)):
        if most < math.inf:
            from fractions import Fraction

            limits = f"in [{Fraction(least)}, {Fraction(most)}]"
        else:
            limits = "finite" if least == -math.inf else f"at least {least:g} and finite"
        raise ValueError(f"{name} must be {limits}, not {found:g}")
    return found


def items_of(value: Any, name: str, what: str, *, ordered: bool = False) -> Iterator[Any]:
    """Return an iterator over an argument that holds several things; sets are refused for what is ordered."""
    try:
        if ordered and isinstance(value, AbstractSet | Mapping):
            raise TypeError  # noqa: TRY301  # the message is written once
        return iter(value)
    except TypeError:
        raise TypeError(f"{name} must be {what}, not {short_repr(value)}") from None


def one_of(value: Any, name: str, words: Iterable[str]) -> str:
    """Return a word that is one of those allowed."""
    if isinstance(value, str) and value in words:
        return str(value)
    raise (ValueError if isinstance(value, str) else TypeError)(
        f"{name} must be {' or '.join(map(repr, words))}, not {short_repr(value)}"
    )


def checked_outside(value: Any) -> Literal["blank", "wall"]:
    """Return ``outside=``, checked."""
    return cast("Literal['blank', 'wall']", one_of(value, "outside", ("blank", "wall")))


def boolean(value: Any, name: str) -> bool:
    """Return True or False."""
    if type(value) is bool:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    raise TypeError(f"{name} must be True or False, not {short_repr(value)}")


def checked_dtype(dtype: Any) -> np.dtype[Any]:
    """Return a dtype of NumPy."""
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError, RecursionError) as error:
        raise TypeError(f"dtype must be a dtype of NumPy, not {short_repr(dtype)}") from error
    return found


def layer_names(layer: Any) -> list[str]:
    """Return the names of layers of a file that are asked for by `layer`; a TypeError if it is no text."""
    names = [layer] if isinstance(layer, str) else list(layer) if isinstance(layer, list | tuple) else []
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"layer must be the name of a layer, or several, not {short_repr(layer)}")
    return names


def checked_path(value: Any, name: str = "path") -> Path:
    """Return a path that the system can take."""
    from pathlib import Path

    try:
        found = Path(value)
        # fsencode(found) looks up __fspath__: a TypeError of CPython, too, where there is no memory for that.
        bad = b"\0" in os.fsencode(str(found))
    except TypeError:
        raise TypeError(f"{name} must be a path, not {short_repr(value)}") from None
    except ValueError:  # a surrogate
        bad = True
    if bad:
        raise ValueError(f"{name} must be the name of a file, not {short_repr(value)}")
    return found


def path_ending_in(suffixes: Iterable[str], value: Any) -> Path:
    """Return a path, which has one of the suffixes."""
    found = checked_path(value)
    if found.suffix.lower() not in suffixes:
        raise ValueError(f"path {short_repr(os.fspath(value))} must end in {listed(suffixes, 'or')}")
    return found


def frames_per_second(value: Any, least: float, most: float) -> float:
    """Return the frames per second of an animation or a player."""
    try:
        return number(value, "fps", least, most)
    except ValueError:
        raise ValueError(
            f"fps must be from {least:g} to {most:,.0f} frames a second, not {short_repr(value)}"
        ) from None


def thread_count(threads: Threads) -> int:
    """Return a number of threads: 1 for None, the process's share of the machine for "all"."""
    if threads is None:
        return 1
    if isinstance(threads, str) and threads == "all":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        return min(integer(threads, "threads", 1), 1024)
    except (TypeError, ValueError) as error:
        raise type(error)(f'threads must be a positive integer or "all", not {short_repr(threads)}') from None


def window_of(window: object, shape: tuple[int, int], name: str = "window") -> list[tuple[int, int]]:
    """Return the first row of a rectangle and the number of its rows, and the same of columns."""
    sides = window if isinstance(window, tuple) else (window, slice(None))
    try:
        cut = [(side.indices(size), size) for side, size in zip(sides, shape, strict=True)]
    except (AttributeError, TypeError, ValueError):
        raise TypeError(
            f"{name} must be slices of rows and columns, as np.s_[2:5, 3:9], not {short_repr(window)}"
        ) from None
    found = []
    for ((first, stop, step), size), lines in zip(cut, ("rows", "columns"), strict=True):
        if step != 1:
            raise ValueError(f"{name}: {lines} are cut in steps of 1, not {step}; meiro.flip mirrors")
        if stop <= first:
            raise ValueError(f"{name} {short_repr(window)} holds no cell: {lines} are 0..{size - 1}")
        found.append((first, stop - first))
    return found
