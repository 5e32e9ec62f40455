"""What there is: `ALGORITHMS` and `SOLVERS`, read from the tables of the C++ core and nowhere else."""

from __future__ import annotations

import difflib
import html
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, Literal, TypeVar

from meiro import _core

Algorithm = Literal[
    "aldous_broder",
    "backtracker",
    "binary_tree",
    "boruvka",
    "eller",
    "growing_forest",
    "growing_tree",
    "hunt_and_kill",
    "kruskal",
    "origin_shift",
    "percolation",
    "pole_toppling",
    "prim",
    "prim_frontier_cell",
    "prim_frontier_edge",
    "recursive_division",
    "rooms",
    "serpentine",
    "sidewinder",
    "spiral",
    "wall_extension",
    "wilson",
]
"""The names of the generators, for editors; a test holds them to the registry."""

Solver = Literal[
    "a_star",
    "bfs",
    "bidirectional",
    "blind_alley_filling",
    "chain",
    "collision",
    "cul_de_sac_filling",
    "dead_end_filling",
    "dfs",
    "dijkstra",
    "pledge",
    "random_mouse",
    "tremaux",
    "wall_follower",
]
"""The names of the solvers, for editors; a test holds them to the registry."""


@dataclass(frozen=True, slots=True)
class AlgorithmFacts:
    """What is known of a generator.

    Attributes
    ----------
    name : str
    good_for : str
        What it is good for, in one line.
    law : str
        Name of its exact law, empty if there is none.
    options : tuple of str
        The keywords of `meiro.generate` that it reads.
    masks : bool
        Whether it takes ``mask=``.
    wraps : bool
        Whether it takes ``wrap=``.
    perfect : bool
        Whether its mazes are perfect: one tree a part (unless an option says otherwise).
    threads : bool
        Whether it uses ``threads=`` for one maze.
    random : bool
        Whether the seed matters; if not, there is one maze of each shape.
    scratch : float
        Worst bytes a cell that it needs beside the maze.
    wrapped : float
        Worst bytes a cell that ``wrap=`` adds to them.
    aliases : tuple of str
        Other names that are understood.
    reference : str
    """

    name: str
    good_for: str
    law: str
    options: tuple[str, ...]
    masks: bool
    wraps: bool
    perfect: bool
    threads: bool
    random: bool
    scratch: float
    wrapped: float
    aliases: tuple[str, ...]
    reference: str


@dataclass(frozen=True, slots=True)
class SolverFacts:
    """What is known of a solver.

    Attributes
    ----------
    name : str
    good_for : str
        What it is good for, in one line.
    solutions : str
        What it finds: ``"one"`` way, ``"a shortest"``, ``"all"`` or ``"all shortest"``.
    promise : str
        When it finds a way, in words.
    shortest : bool
        Whether its path is a shortest one.
    complete : bool
        Whether it finds a path whenever there is one.
    sees : str
        ``"whole map"`` or ``"local"``: what the one who walks must know.
    walks : bool
        Whether somebody walks, and `Solution.walk` tells every step.
    fills : bool
        Whether it fills what leads nowhere, and `Solution.remains` is what is left.
    wraps : bool
        Whether it takes a maze that wraps.
    random : bool
        Whether it always draws at random; others do only if ``rng=`` is given.
    options : tuple of str
        The keywords of `meiro.solve` that it reads.
    scratch : float
        Worst bytes a site that it needs beside the maze.
    aliases : tuple of str
        Other names that are understood.
    reference : str
    """

    name: str
    good_for: str
    solutions: str
    promise: str
    shortest: bool
    complete: bool
    sees: str
    walks: bool
    fills: bool
    wraps: bool
    random: bool
    options: tuple[str, ...]
    scratch: float
    aliases: tuple[str, ...]
    reference: str


@dataclass(frozen=True, slots=True)
class MeasureFacts:
    """What is known of a measure.

    Attributes
    ----------
    name : str
    unit : str
    kind : str
        ``"int"`` or ``"float"``.
    about : str
        Its formula, in a sentence.
    needs : str
        ``"tree"`` (no loops, one part), ``"path"`` (a way from start to goal) or nothing.
    local : bool
        Whether it is a sum over cells, of which `meiro.position_map` makes a map.
    aliases : tuple of str
        Other names that are understood.
    source : str
    """

    name: str
    unit: str
    kind: str
    about: str
    needs: str
    local: bool
    aliases: tuple[str, ...]
    source: str

    @property
    def good_for(self) -> str:
        """What the table shows beside the name."""
        return self.about


F = TypeVar("F", AlgorithmFacts, SolverFacts, MeasureFacts)


class Registry(Mapping[str, F], Generic[F]):
    """A read-only mapping from name to facts; aliases, any case and other scripts are understood.

    Shows itself as a table. Iterating yields the names.
    """

    def __init__(self, kind: str, facts: type[F], rows: list[dict[str, Any]]) -> None:
        self._kind: str = kind
        self._columns: tuple[str, ...] = tuple(f.name for f in fields(facts))
        self._facts: dict[str, F] = {row["name"]: facts(**row) for row in rows}
        self._aliases: dict[str, str] = {}
        known: F
        for name, known in self._facts.items():
            for alias in (name, *known.aliases):
                self._aliases[_folded(alias)] = name

    def find(self, name: str) -> F:
        """Return the facts of a name or alias; a ValueError names the near ones."""
        found = self._facts.get(name) if isinstance(name, str) else None
        if found is not None:
            return found
        if not isinstance(name, str):
            msg = f"{self._kind} must be a name such as {next(iter(self._facts))!r}, not {name!r}"
            raise TypeError(msg)
        folded = _folded(name)
        if folded in self._aliases:
            return self._facts[self._aliases[folded]]
        near = difflib.get_close_matches(folded, self._aliases, n=3, cutoff=0.5)
        names = list(dict.fromkeys(self._aliases[alias] for alias in near))
        hint = f"did you mean {' or '.join(map(repr, names))}? " if names else ""
        msg = f"there is no {self._kind} {name!r}; {hint}there are {', '.join(self._facts)}"
        raise ValueError(msg)

    def __getitem__(self, name: str) -> F:
        """Return the facts of a name or alias."""
        try:
            return self.find(name)
        except (TypeError, ValueError) as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._facts)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._facts)

    def rows(self) -> list[list[str]]:
        """Return the table, the head first."""
        return [list(self._columns), *([_word(getattr(f, c)) for c in self._columns] for f in self.values())]

    def __repr__(self) -> str:
        """Show the names and what they are good for."""
        width = max(map(len, self._facts), default=0)
        return "\n".join(f"{f.name:<{width}}  {f.good_for}" for f in self.values())

    def _repr_html_(self) -> str:
        style = {c: f"text-align:left;vertical-align:top;{_WIDTHS.get(c, '')}" for c in self._columns}
        head = "".join(f'<th style="{style[c]}">{c}</th>' for c in self._columns)
        lines = ""
        for row in self.rows()[1:]:
            words = {c: html.escape(word) for c, word in zip(self._columns, row, strict=True)}
            for c in _WIDTHS.keys() & words.keys():
                words[c] = re.sub("[_/]", r"\g<0><wbr/>", words[c])
            cells = "".join(f'<td style="{style[c]}">{word}</td>' for c, word in words.items())
            lines += f"<tr>{cells}</tr>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


_WIDTHS = {
    "good_for": "min-width:10em",
    "about": "min-width:16em",
    "options": "",
    "aliases": "min-width:7em",
    "reference": "min-width:9em",
    "source": "min-width:9em",
}  # of the columns with more than a word, where lines may also break within one


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip().replace("-", "_").replace(" ", "_")


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


ALGORITHMS: Registry[AlgorithmFacts] = Registry("algorithm", AlgorithmFacts, _core.generators())
"""Every generator and what is known of it."""

SOLVERS: Registry[SolverFacts] = Registry("solver", SolverFacts, getattr(_core, "solvers", list)())
"""Every solver and what is known of it."""

MEASURES: Registry[MeasureFacts] = Registry("measure", MeasureFacts, getattr(_core, "measures", list)())
"""Every measure and what is known of it."""
