"""The table that ``meiro --list`` prints."""

from __future__ import annotations

import inspect
import unicodedata
from typing import TYPE_CHECKING

from meiro.generators.generate import generate
from meiro.registry import ALGORITHMS, SOLVERS
from meiro.solvers.solve import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from meiro.registry import AlgorithmFacts, SolverFacts

_INDENT = 2
_GAP = 2


def listing(width: int, can_write: Callable[[str], bool] = bool) -> str:
    """Return all algorithms and solvers, with what they are good for, their other names and their options.

    Parameters
    ----------
    width : int
        How many characters a line may have.
    can_write : callable
        Which of the other names can be written; all of them if it is not given.
    """
    tables: tuple[tuple[str, Mapping[str, AlgorithmFacts | SolverFacts], str], ...] = (
        ("algorithms (-a NAME)", ALGORITHMS, usual(generate)),
        ("solvers (--solver NAME)", SOLVERS, usual(solve)),
    )
    widest = max(len(name) for _, table, _ in tables for name in table)
    parts = []
    for title, table, default in tables:
        lines = [title]
        for facts in table.values():
            room = width - _INDENT - widest - _GAP
            text = _wrapped([*facts.good_for.split(), *["(the usual one)"] * (facts.name == default)], room)
            if also := [alias for alias in facts.aliases if can_write(alias)]:
                text += _wrapped(["also", *(f"{alias}," for alias in also[:-1]), also[-1]], room)
            if table is ALGORITHMS and facts.options:
                text += _wrapped(f"takes {', '.join(facts.options)}".split(), room)
            left = [facts.name, *[""] * (len(text) - 1)]
            lines += [
                " " * _INDENT + f"{name:<{widest}}" + " " * _GAP + line
                for name, line in zip(left, text, strict=True)
            ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def usual(function: Callable[..., object]) -> str:
    """Return the algorithm that a function takes if none is named."""
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
    """Return how many columns of a terminal a text takes: characters of East Asia take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
