"""What happened, in a plain sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meiro.traces.events import EventKind

if TYPE_CHECKING:
    from meiro._utils.square import Cell, Shape

NAMES = ("north", "east", "south", "west", "north-east", "south-east", "south-west", "north-west")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))
NOTHING = "Nothing has happened yet."
CELL, POST, SITE = "cell ({}, {})", "post ({}, {})", "site ({}, {})"
FROM = " from the {}"

SENTENCES = {
    EventKind.VISIT: "{Place} is entered{from_}.",
    EventKind.WALK: "A step {towards} from {place}, which may be undone.",
    EventKind.CARVE: "The wall between {place} and {other} falls.",
    EventKind.KEEP: "The wall between {place} and {other} stays.",
    EventKind.BUILD: "A wall is built from {place} to the {towards}.",
    EventKind.ERASE: "The wall from {place} to the {towards} is torn down.",
    EventKind.COMMIT: "What began at {place} is part of the maze now.",
    EventKind.BACK: "Back at {place}.",
    EventKind.MERGE: "The sets of {place} and {other} become one.",
    EventKind.CLOSE: "A wall is put between {place} and {other}.",
    EventKind.PATH: "{Place} is on the way.",
    EventKind.FILL: "{Place} leads nowhere and is filled.",
}


def describe_event(kind: int, at: Cell, direction: int, cells: Shape | None) -> str:
    """Return the sentence of an event at a place of the grid of so many cells, or of an array (None)."""
    step = STEPS[direction] if direction >= 0 else (0, 0)
    place = _named(at, cells)
    stride = 1 if cells is None else 2
    return SENTENCES[EventKind(kind)].format(
        place=place,
        Place=place[0].upper() + place[1:],
        other=_named((at[0] + stride * step[0], at[1] + stride * step[1]), cells),
        towards=NAMES[direction] if direction >= 0 else "",
        from_=FROM.format(NAMES[direction ^ 2]) if direction >= 0 else "",
    )


def _named(at: Cell, cells: Shape | None) -> str:
    if cells is None:
        return SITE.format(*at)
    if at[0] % 2 == 0:
        return POST.format(at[0] // 2, at[1] // 2)
    return CELL.format(at[0] // 2 % cells[0], at[1] // 2 % cells[1])
