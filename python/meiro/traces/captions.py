"""Sentences and lines of pseudo-code for the events of a trace; player.js fills the same templates."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

from meiro._utils.square import DIRECTIONS
from meiro._utils.square import STEPS as SIDES
from meiro.traces.events import EventKind

if TYPE_CHECKING:
    from meiro._utils.square import Cell, Shape

NAMES = (*DIRECTIONS, "north-east", "south-east", "south-west", "north-west")
STEPS = (*SIDES, (-1, 1), (1, 1), (1, -1), (-1, -1))
BEFORE = "Nothing has happened yet."
NO_EVENTS = "There is nothing to decide: this is the result."
CELL, POST, SITE = "cell ({}, {})", "post ({}, {})", "site ({}, {})"
FROM = " from the {}"
PLACE_BITS = 52

SENTENCES = {
    EventKind.VISIT: "{Place} is entered{from_}.",
    EventKind.WALK: "A step {towards} from {place}, which may be undone.",
    EventKind.CARVE: "The wall between {place} and {other} is removed.",
    EventKind.KEEP: "The wall between {place} and {other} stays.",
    EventKind.BUILD: "A wall is built from {place} to the {towards}.",
    EventKind.ERASE: "The wall from {place} to the {towards} is torn down.",
    EventKind.COMMIT: "The walk or wall from {place} is part of the maze now.",
    EventKind.BACK: "Back at {place}.",
    EventKind.CLOSE: "A wall is put between {place} and {other}.",
    EventKind.PATH: "{Place} is on the path.",
    EventKind.FILL: "{Place} is part of a dead end and is filled.",
}
"""For events that the pseudo-code of an algorithm has no sentence for."""


class _Needed(TypedDict):
    source: list[str]
    events: dict[str, tuple[int, str]]


class Entry(_Needed, total=False):
    """What pseudocode.json has for an algorithm: its lines, and for its events the line and the sentence.

    The key of an event is its kind, as ``carve``, and its clause if it is not 0, as ``carve 1``; several keys
    stand between commas, and ``other`` is for all that have none. An empty sentence is that of `SENTENCES`.
    """

    before: str


@dataclass(frozen=True, slots=True)
class Pseudocode:
    """What an algorithm does, in about ten lines, and which of them makes which event.

    Attributes
    ----------
    name : str
        The algorithm and, if it has two forms, which of them.
    before : str
        What is said before the first event.
    source : tuple of str
    steps : tuple of (int, str)
        For each kind of event and clause: the line, -1 for none, and the template of its sentence. If a
        second template follows after ``|``, it is for events whose cells have numbers.
    which : bytes
        The step of ``clause << 4 | kind``.
    """

    name: str
    before: str
    source: tuple[str, ...]
    steps: tuple[tuple[int, str], ...]
    which: bytes

    def step(self, word: int) -> tuple[int, str]:
        """Return line and template of a packed event."""
        return self.steps[self.which[clause_and_kind(word)]]


def clause_and_kind(word: int) -> int:
    """Return ``clause << 4 | kind`` of a packed event."""
    return word >> (8 + PLACE_BITS) << 4 | word >> 4 & 15


@cache
def _table() -> dict[str, Entry]:
    table: dict[str, Entry] = json.loads(Path(__file__).with_name("pseudocode.json").read_text("utf-8"))
    return table


@cache
def pseudocode_of(algorithm: str, kinds: int, *, directions: bool = True) -> Pseudocode:
    """Return the pseudo-code of an algorithm; `kinds` has bit ``1 << kind`` for each `EventKind` of a run.

    Without `directions` the sentences name cells where they would name a direction. An algorithm whose
    entry is missing has no lines, and the sentences of `SENTENCES`.
    """
    if not directions:
        code = pseudocode_of(algorithm, kinds)
        return replace(code, steps=tuple((line, _without_directions(text)) for line, text in code.steps))
    posts = f"{algorithm} on posts"
    name = posts if kinds >> EventKind.BUILD & 1 and posts in _table() else algorithm
    entry = Entry(source=[], events={}) | _table().get(name, cast("Entry", {}))
    events = {one: step for keys, step in entry["events"].items() for one in keys.split(", ")}
    fallback = events.get("other", (-1, ""))
    steps: dict[tuple[int, str], int] = {}
    which = bytearray(256)
    for kind in EventKind:
        for clause in range(16):
            key = kind.name.lower()
            line, template = events.get(f"{key} {clause}" if clause else key, fallback)
            step = line, template or SENTENCES[kind]
            which[clause << 4 | kind] = steps.setdefault(step, len(steps))
    return Pseudocode(name, entry.get("before", BEFORE), tuple(entry["source"]), tuple(steps), bytes(which))


def describe_event(
    template: str, at: Cell, direction: int, cells: Shape | None, sides: tuple[int, int] = (-1, -1)
) -> str:
    """Return the sentence of an event.

    Parameters
    ----------
    template : str
        From `Pseudocode.steps`.
    at : (int, int)
        The place in the drawn grid, or in the array.
    direction : int
        0 to 7, an index into `NAMES`; -1 for none.
    cells : (int, int) or None
        The shape of the maze in cells; None for an array of sites.
    sides : (int, int)
        The numbers of the cells on the two sides before the event; -1 for none.

    Returns
    -------
    str
    """
    step = STEPS[direction] if direction >= 0 else (0, 0)
    place = _name_place(at, cells)
    stride = 1 if cells is None else 2
    other = _name_place((at[0] + stride * step[0], at[1] + stride * step[1]), cells)
    towards = NAMES[direction] if direction >= 0 else ""
    from_ = FROM.format(NAMES[direction ^ 2]) if direction >= 0 else ""
    return fill_template(template, place, other, sides, towards=towards, from_=from_)


def fill_template(template: str, place: str, other: str, sides: tuple[int, int], **words: str) -> str:
    """Return a sentence with the names of the cells on the two sides of an event, and their numbers."""
    plain, _, numbered = template.partition("|")
    return (numbered if numbered and sides[0] >= 0 else plain).format(
        place=place,
        Place=place[0].upper() + place[1:],
        other=other,
        Other=other[0].upper() + other[1:],
        mine=sides[0],
        theirs=sides[1],
        kept=min(sides),
        gone=max(sides),
        **words,
    )


def _name_place(at: Cell, cells: Shape | None) -> str:
    if cells is None:
        return SITE.format(*at)
    if at[0] % 2 == 0:
        return POST.format(at[0] // 2, at[1] // 2)
    return CELL.format(at[0] // 2 % cells[0], at[1] // 2 % cells[1])


def _without_directions(text: str) -> str:
    """Name cells where the sentences for rows and columns name a direction."""
    for old, new in (
        (" {towards}, to {place}", " to {place}"),
        ("to the {towards}", "to {other}"),
        ("{towards}", "to {other}"),
    ):
        text = text.replace(old, new)
    return text
