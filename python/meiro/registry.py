"""`ALGORITHMS`, `SOLVERS` and `MEASURES`: the tables of the C++ core, with the texts of descriptions.json."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, Literal, TypeVar

from meiro import _core
from meiro._utils.messages import listed, short_repr

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


class _Described:
    """Facts that show themselves as a paragraph, a line for each."""

    __slots__ = ()
    name: str

    def __repr__(self) -> str:
        """Return the name, and every fact that is not empty in a line of its own."""
        lines = [self.name]
        for field in fields(self)[1:]:  # type: ignore[arg-type]  # every subclass is a dataclass
            value = getattr(self, field.name)
            if isinstance(value, dict):
                lines += [f"  {field.name}:"] * bool(value) + [f"    {k}: {v}" for k, v in value.items()]
            elif word := _word(value):
                lines.append(f"  {field.name}: {word}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, repr=False)
class AlgorithmFacts(_Described):
    """The facts of a generator.

    Attributes
    ----------
    name : str
    good_for : str
        Its use, in one line.
    law : str
        Name of its exact law; empty if no exact law is known.
    options : dict of str to str
        The keywords of `meiro.generate` that it takes, and what each does.
    masks : bool
        Whether it takes ``mask=``.
    wraps : bool
        Whether it takes ``wrap=``, a periodic lattice.
    perfect : bool
        Whether its mazes are perfect: a spanning tree of each connected component (unless an option changes
        that).
    threads : bool
        Whether one maze can use several threads.
    random : bool
        Whether the maze depends on the seed; if not, there is one maze of each shape.
    parts : tuple of str
        What it makes of a maze without the rest: "rows", one after the other; "windows"; "endless", windows
        of mazes without borders (`meiro.generators.stream`, `region` and `endless`).
    scratch : float
        Worst-case scratch memory beside the maze, in bytes a cell.
    wrapped : float
        Further scratch memory of a periodic lattice, in bytes a cell.
    masked : float
        Further scratch memory with a mask, in bytes a cell.
    graphs : bool
        Whether it takes a `meiro.Lattice` instead of a shape.
    graph_options : tuple of str
        The options that it takes there.
    graph_scratch : float
        Worst-case scratch memory there, in bytes a cell and edge.
    aliases : tuple of str
        Other names that are accepted.
    reference : str
    """

    name: str
    good_for: str
    law: str
    options: dict[str, str]
    masks: bool
    wraps: bool
    perfect: bool
    threads: bool
    random: bool
    parts: tuple[str, ...]
    scratch: float
    wrapped: float
    masked: float
    graphs: bool
    graph_options: tuple[str, ...]
    graph_scratch: float
    aliases: tuple[str, ...]
    reference: str


@dataclass(frozen=True, slots=True, repr=False)
class SolverFacts(_Described):
    """The facts of a solver.

    Attributes
    ----------
    name : str
    good_for : str
        Its use, in one line.
    solutions : str
        The paths it finds: ``"one"``, ``"a shortest"``, ``"all"`` or ``"all shortest"``.
    promise : str
        The condition under which it finds a path.
    shortest : bool
        Whether its path is a shortest one.
    complete : bool
        Whether it finds a path whenever there is one.
    sees : str
        ``"whole map"`` or ``"local"``: the knowledge of the maze that it needs.
    walks : bool
        Whether it moves step by step through the maze; `Solution.walk` holds every step.
    fills : bool
        Whether it fills places that lead nowhere; `Solution.remains` holds the remaining places.
    wraps : bool
        Whether it takes a periodic maze.
    random : bool
        Whether it always draws random numbers; others do so only with ``rng=``.
    threads : bool
        Whether several threads can share the search of one maze.
    options : dict of str to str
        The keywords of `meiro.solve` that it takes, and what each does.
    scratch : float
        Worst-case scratch memory beside the maze, in bytes a site.
    graphs : bool
        Whether it takes a `meiro.GraphMaze`.
    graph_options : tuple of str
        The options that it takes there.
    graph_scratch : float
        Worst-case scratch memory there, in bytes a cell and edge.
    aliases : tuple of str
        Other names that are accepted.
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
    threads: bool
    options: dict[str, str]
    scratch: float
    graphs: bool
    graph_options: tuple[str, ...]
    graph_scratch: float
    aliases: tuple[str, ...]
    reference: str


@dataclass(frozen=True, slots=True, repr=False)
class MeasureFacts(_Described):
    """The facts of a measure.

    Attributes
    ----------
    name : str
    unit : str
    kind : str
        ``"int"`` or ``"float"``.
    about : str
        Its definition or formula.
    needs : str
        ``"tree"`` (connected and without loops), ``"path"`` (a path from start to goal) or nothing.
    local : bool
        Whether it is a sum over cells, of which `meiro.position_map` makes a map.
    graphs : bool
        Whether a `meiro.GraphMaze` has it: it speaks of no rows, columns, turns and walls.
    aliases : tuple of str
        Other names that are accepted.
    source : str
    """

    name: str
    unit: str
    kind: str
    about: str
    needs: str
    local: bool
    graphs: bool
    aliases: tuple[str, ...]
    source: str

    @property
    def good_for(self) -> str:
        """The text beside the name in the table."""
        return self.about


_AROUND = re.compile(r"^randomi[sz]ed_|(?<=\w)['\u2019]s(?![^_])|(?<=\w)(_algorithm|_search|_method)+$")
_OTHER_CELLS = ("hex", "tri", "polar", "circ", "round", "theta", "voronoi", "box", "cube")
F = TypeVar("F", AlgorithmFacts, SolverFacts, MeasureFacts)


class Registry(Mapping[str, F], Generic[F]):
    """A read-only mapping from name to facts; aliases, any case and other scripts are accepted.

    Displayed as a table. Iteration yields the names.
    """

    def __init__(self, kind: str, facts: type[F], rows: list[dict[str, Any]], texts: dict[str, Any]) -> None:
        self._kind: str = kind
        # The table is wide as it is: what holds on lattices alone is told by the facts of each.
        columns = (f.name for f in fields(facts) if not f.name.startswith("graph_"))
        self._columns: tuple[str, ...] = tuple(columns)
        self._facts: dict[str, F] = {}
        self._aliases: dict[str, str] = {}
        for row in rows:
            name: str = row["name"]
            described: dict[str, Any] = row | texts[name]
            described["aliases"] = tuple(described["aliases"])
            self._facts[name] = facts(**described)
            self._aliases |= {plain_name(alias): name for alias in (name, *described["aliases"])}

    def find(self, name: str, argument: str = "name") -> F:
        """Return the facts of a name or alias; a ValueError suggests similar names.

        `argument` is what messages call the name.
        """
        if not isinstance(name, str):
            example = next(iter(self._facts))
            raise TypeError(f"{argument} must be a name such as {example!r}, not {short_repr(name)}")
        if name in self._facts:
            return self._facts[name]
        folded = plain_name(name)
        if folded in self._aliases:
            return self._facts[self._aliases[folded]]
        import difflib

        near = difflib.get_close_matches(folded[:99], self._aliases, n=3, cutoff=0.5)
        names = list(dict.fromkeys(self._aliases[alias] for alias in near))
        hint = f"did you mean {' or '.join(map(repr, names))}? " if names else ""
        if self._kind == "algorithm" and folded.startswith(_OTHER_CELLS):
            hint = "other cells are a lattice, instead of a shape, as meiro.lattices.hexagonal(20, 30); "
        if self._kind == "algorithm" and folded.startswith(("cellular", "cave")):
            hint = "meiro.generators.cellular_automaton makes caves; "
        which = f"{argument}: there is no {self._kind} {short_repr(name)}"
        raise ValueError(f"{which}; {hint}there are {', '.join(self._facts)}")

    def __getitem__(self, name: str) -> F:
        """Return the facts of a name or alias."""
        try:
            return self.find(name)
        except (TypeError, ValueError) as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._facts)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._facts)

    def rows(self) -> list[list[str]]:
        """Return the rows of the table, the header first."""
        return [list(self._columns), *([_word(getattr(f, c)) for c in self._columns] for f in self.values())]

    def __repr__(self) -> str:
        """Return the names and uses as lines."""
        width = max(map(len, self._facts), default=0)
        return "\n".join(f"{f.name:<{width}}  {f.good_for}" for f in self.values())

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import registry_html

        return registry_html(self.rows())


def plain_name(name: str) -> str:
    """Return a name without what books put around it, as in Prim's algorithm or depth-first search."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip().replace("-", "_").replace(" ", "_")
    return _AROUND.sub("", plain)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, tuple | dict):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


_SECTIONS: dict[str, tuple[type[_Described], list[dict[str, Any]], str]] = {
    "algorithms": (AlgorithmFacts, _core.GENERATORS, "options"),
    "solvers": (SolverFacts, _core.SOLVERS, "solver_options"),
    "measures": (MeasureFacts, _core.MEASURES, ""),
}
"""For each section of descriptions.json: its facts, what the core tells of them, the section of options."""

_MAY_BE_EMPTY = {"aliases", "source"}  # a plain count needs no source


def missing_texts(texts: Mapping[str, Any]) -> list[str]:
    """Return what descriptions.json lacks: every fact that the core does not tell, and every option."""
    missing: list[str] = []
    for section, (facts, rows, options) in _SECTIONS.items():
        entries = texts.get(section, {})
        for row in rows:
            needed = [fact.name for fact in fields(facts) if fact.name not in row]  # type: ignore[arg-type]
            name, entry = row["name"], entries.get(row["name"])
            if entry is None:
                missing.append(f"no entry {name!r} under {section!r} (it needs: {', '.join(needed)})")
                continue
            empty = [key for key in needed if not (entry.get(key) or (key in entry and key in _MAY_BE_EMPTY))]
            if empty:
                missing.append(f"no {listed(empty)} in the entry {name!r} under {section!r}")
        taken = dict.fromkeys(option for row in rows for option in row.get("options", ()))
        undescribed = [option for option in taken if not texts.get(options, {}).get(option)]
        missing += [f"no entry {option!r} under {options!r} (it needs: a line)" for option in undescribed]
    return missing


def _read_texts() -> dict[str, Any]:
    path = os.path.join(os.path.dirname(__file__), "descriptions.json")  # noqa: PTH118, PTH120
    with open(path, "rb") as file:  # noqa: PTH123  # pathlib takes longer to import than all texts to read
        texts: dict[str, Any] = json.loads(file.read())
    if missing := missing_texts(texts):
        raise ImportError(f"descriptions.json has {'; '.join(missing)}")
    return texts


def _registry(kind: str, facts: type[F], section: str) -> Registry[F]:
    _, rows, options = _SECTIONS[section]
    if options:
        texts = _TEXTS[options]
        rows = [row | {"options": {name: texts[name] for name in row["options"]}} for row in rows]
    return Registry(kind, facts, rows, _TEXTS[section])


_TEXTS = _read_texts()

ALGORITHMS: Registry[AlgorithmFacts] = _registry("algorithm", AlgorithmFacts, "algorithms")
"""Every generator and its facts."""

SOLVERS: Registry[SolverFacts] = _registry("solver", SolverFacts, "solvers")
"""Every solver and its facts."""

MEASURES: Registry[MeasureFacts] = _registry("measure", MeasureFacts, "measures")
"""Every measure and its facts."""
