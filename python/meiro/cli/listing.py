"""``meiro list``: the algorithms and solvers."""

from __future__ import annotations

import inspect
import json
import sys
import unicodedata
from dataclasses import asdict
from itertools import zip_longest
from typing import TYPE_CHECKING

from meiro.cli.shared.parser import command_parser
from meiro.registry import ALGORITHMS, SOLVERS, AlgorithmFacts, SolverFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


_EXAMPLES = """\
  meiro list
  meiro list --json
"""


def run(command: str, words: Sequence[str]) -> int:
    """Print the algorithms and solvers."""
    parser = command_parser(command, "List the algorithms and solvers.", _EXAMPLES)
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    if parser.parse_args(words).json:
        print(json.dumps({"algorithms": _facts(ALGORITHMS), "solvers": _facts(SOLVERS)}, ensure_ascii=False))
    else:
        print_listing()
    return 0


def print_listing() -> None:
    """Print the table, as wide as the terminal."""
    from meiro.drawing.terminal import ansi

    print(listing(max(ansi.size()[0], 60), lambda name: ansi.can_write(name, sys.stdout)))


def _facts(table: Mapping[str, AlgorithmFacts | SolverFacts]) -> list[dict[str, object]]:
    return [asdict(facts) for facts in table.values()]


def listing(width: int, can_write: Callable[[str], bool] = bool) -> str:
    """Return all algorithms and solvers, with what they are good for, their aliases and their options.

    Parameters
    ----------
    width : int
        The greatest number of columns of a line.
    can_write : callable
        Whether an alias can be written in the encoding of the output. Default: all can.
    """
    from meiro.generators.generate import generate
    from meiro.solvers.solve import solve

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
