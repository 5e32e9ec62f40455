"""Argument checks: integers, numbers, pairs, slices, threads, frames per second.

Each check returns the argument as a plain Python value, or raises an error that names the argument and its
value. Integers are what ``operator.index`` takes, without booleans.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro._utils.messages import short_repr

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Threads = int | Literal["all"] | None


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
            msg = f"{name} must be an integer, not {short_repr(value)}"
            raise TypeError(msg) from None
    if least is not None and number < least:
        msg = f"{name} must be at least {least}, not {_digits(number)}"
        raise ValueError(msg)
    if below is not None and number >= below:
        power = below.bit_length() - 1
        limit = f"2**{power}" if power >= 20 and below == 1 << power else str(below)
        msg = f"{name} must be less than {limit}, not {_digits(number)}"
        raise ValueError(msg)
    return number


def _digits(number: int) -> str:
    """Write a number; Python may refuse to write a long one."""
    bits = number.bit_length()
    return str(number) if bits <= 400 else f"a number of {bits:,} bits"


def integers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Return an int64 array of integers; booleans and floats are refused."""
    array = np.asarray(values)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        msg = f"{name} must be integers, not {array.dtype}"
        raise TypeError(msg)
    return array.astype(np.int64)


def integer_pairs(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Return an array of pairs of integers, shape (n, 2); an empty array of any shape has none."""
    array = integers(values, name)
    if array.size and (array.ndim != 2 or array.shape[1] != 2):
        msg = f"{name} must have shape (n, 2), not {array.shape}"
        raise ValueError(msg)
    return array.reshape(-1, 2)


def pair(value: Any, name: str) -> tuple[int, int]:
    """Return two integers."""
    if type(value) is tuple and len(value) == 2 and type(value[0]) is type(value[1]) is int:
        return value
    try:
        if isinstance(value, AbstractSet | Mapping):
            raise TypeError  # noqa: TRY301  # it has no order
        first, second = value
        return integer(first, name), integer(second, name)
    except (TypeError, ValueError):
        msg = f"{name} must be a pair of integers, not {short_repr(value)}"
        raise TypeError(msg) from None


def number(value: Any, name: str, least: float = -math.inf, most: float = math.inf) -> float:
    """Return a finite number from `least` to `most`; booleans and text are refused."""
    try:
        if isinstance(value, bool | np.bool_ | str | bytes):
            raise TypeError  # noqa: TRY301  # the message is written once
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        msg = f"{name} must be a number, not {short_repr(value)}"
        raise TypeError(msg) from None
    if not (least <= found <= most and math.isfinite(found)):
        if most < math.inf:
            from fractions import Fraction

            limits = f"in [{Fraction(least)}, {Fraction(most)}]"
        else:
            limits = "finite" if least == -math.inf else f"at least {least:g} and finite"
        msg = f"{name} must be {limits}, not {found:g}"
        raise ValueError(msg)
    return found


def frames_per_second(value: Any, least: float, most: float) -> float:
    """Return the frames per second of an animation or a player."""
    try:
        return number(value, "fps", least, most)
    except ValueError:
        msg = f"fps must be from {least:g} to {most:,.0f} frames a second, not {short_repr(value)}"
        raise ValueError(msg) from None


def thread_count(threads: Threads) -> int:
    """Return a number of threads: 1 for None, the process's share of the machine for "all"."""
    if threads is None:
        return 1
    if threads == "all":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        return min(integer(threads, "threads", 1), 1024)
    except (TypeError, ValueError) as error:
        msg = f'threads must be a positive integer or "all", not {short_repr(threads)}'
        raise type(error)(msg) from None


def window_of(window: object, shape: tuple[int, int], name: str = "window") -> list[tuple[int, int]]:
    """Return the first row of a rectangle and the number of its rows, and the same of columns."""
    sides = window if isinstance(window, tuple) else (window, slice(None))
    if len(sides) != 2 or not all(isinstance(side, slice) for side in sides):
        msg = f"{name} must be slices of rows and columns, as np.s_[2:5, 3:9], not {short_repr(window)}"
        raise TypeError(msg)
    found = []
    for side, size, lines in zip(sides, shape, ("rows", "columns"), strict=True):
        first, stop, step = side.indices(size)
        if step != 1:
            msg = f"{name}: {lines} are cut in steps of 1, not {step}; meiro.flip mirrors"
            raise ValueError(msg)
        if stop <= first:
            msg = f"{name} {short_repr(window)} holds no cell: {lines} are 0..{size - 1}"
            raise ValueError(msg)
        found.append((first, stop - first))
    return found
