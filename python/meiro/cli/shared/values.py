"""The values of arguments: what they are in Python, and what is wrong with them."""

from __future__ import annotations

import argparse
import ast
import math
import re
from contextlib import suppress
from typing import get_args

from meiro._utils.messages import listed, short_repr
from meiro._utils.options import OpeningsWord


def natural(text: str) -> int:
    """Return a whole number, at least 1."""
    number = _whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {short_repr(number)}")
    return number


def seed(text: str) -> int:
    """Return a whole number, at least 0."""
    number = _whole(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must not be negative: {short_repr(number)}")
    return number


def rate(text: str) -> float:
    """Return a number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {short_repr(text)}")
    return number


def value(text: str) -> float | int | str:
    """Return a number if it is one, or the word; 02 are the signs 0 and 2."""
    if text.isdigit() and text[0] == "0" and len(text) > 1:
        return text
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def size(text: str) -> object:
    """Return a number, or NAME=VALUE as a pair, or the word."""
    name, sign, given = text.partition("=")
    return (name, value(given)) if sign else value(text)


def option(text: str) -> tuple[str, object]:
    """Return the name and the value of NAME=VALUE."""
    name, sign, given = text.partition("=")
    if not (name and sign and given):
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, as choose=oldest, not {short_repr(text)}")
    with suppress(ValueError, SyntaxError):
        return name.replace("-", "_"), ast.literal_eval(given)
    return name.replace("-", "_"), given


def transform(text: str) -> tuple[str, dict[str, object]]:
    """Return the name and the arguments of NAME:NAME=VALUE,NAME=VALUE; a value may be a list, [0,0.5,1]."""
    name, _, given = text.partition(":")
    return name, dict(option(word) for word in re.split(r",(?=[\w-]+=)", given) if word)


def openings(text: str) -> object:
    """Return the word, or cells with a side."""
    if "," not in text:
        if text not in (words := get_args(OpeningsWord)):
            raise argparse.ArgumentTypeError(
                f'must be {listed(words, "or")}, or as "0,5,north 9,0,south", not {short_repr(text)}'
            )
        return text
    found = []
    for item in text.split():
        *cell, side = item.split(",")
        if len(cell) not in {1, 2}:
            raise argparse.ArgumentTypeError(
                'must be cells with a side, as "0,5,north 9,0,south", or "0,north 47,south" of a lattice, '
                f"not {short_repr(text)}"
            )
        numbers = tuple(map(_whole, cell))
        found.append((numbers if len(numbers) == 2 else numbers[0], int(side) if side.isdecimal() else side))
    return found


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{short_repr(text)} is not a whole number") from None
