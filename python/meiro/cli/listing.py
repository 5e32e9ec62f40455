"""The table that ``meiro --list`` prints."""

from __future__ import annotations

import inspect
import unicodedata
from itertools import zip_longest
from typing import TYPE_CHECKING

from meiro.generators.generate import generate
from meiro.registry import ALGORITHMS, SOLVERS, AlgorithmFacts, SolverFacts
from meiro.solvers.solve import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def listing(width: int, can_write: Callable[[str], bool] = bool) -> str:
    """Return all algorithms and solvers, with what they are good for, their aliases and their options.

    Parameters
    ----------
    width : int
        The greatest number of columns of a line.
    can_write : callable
        Whether an alias can be written in the encoding of the output. Default: all can.
    """
    tables: tuple[tuple[str, Mapping[str, AlgorithmFacts | SolverFacts], str], ...] = (
        ("algorithms (-a NAME)", ALGORITHMS, default_algorithm(generate)),
        ("solvers (--solver NAME)", SOLVERS, default_algorithm(solve)),
    )
    widest = max(len(name) for _, table, _ in tables for name in table)
    parts = []
    for title, table, default in tables:
        lines = [title]
        for facts in table.values():
            room = width - widest - 4
            text = _wrapped([*facts.good_for.split(), *["(the default)"] * (facts.name == default)], room)
            if also := [alias for alias in facts.aliases if can_write(alias)]:
                text += _wrapped(["also", *(f"{alias}," for alias in also[:-1]), also[-1]], room)
            if table is ALGORITHMS and facts.options:
                text += _wrapped(f"takes {', '.join(facts.options)}".split(), room)
            left = zip_longest([facts.name], text, fillvalue="")
            lines += [f"  {name:<{widest}}  {line}" for name, line in left]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def default_algorithm(function: Callable[..., object]) -> str:
    """Return the default algorithm of a function."""
    return inspect.signature(function).parameters["algorithm"].default  # type: ignore[no-any-return]


def _wrapped(words: Iterable[str], width: int) -> list[str]:
    lines: list[str] = []
    room = 0
    for word in words:
        if lines and columns(word) < room:
            lines[-1] += " " + word
            room -= columns(word) + 1
        else:
            lines.append(word)
            room = width - columns(word)
    return lines


def columns(text: str) -> int:
    """Return the number of terminal columns of a text; wide characters of East Asia take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
