"""Sentences that describe the events of a trace; player.js fills the same templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meiro.traces.events import EventKind

if TYPE_CHECKING:
    from meiro._utils.square import Cell, Shape

NAMES = ("north", "east", "south", "west", "north-east", "south-east", "south-west", "north-west")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))
BEFORE = "Nothing has happened yet."
NO_EVENTS = "There is nothing to decide: this is the result."
CELL, POST, SITE = "cell ({}, {})", "post ({}, {})", "site ({}, {})"
FROM = " from the {}"

SENTENCES = {
    EventKind.VISIT: "{Place} is entered{from_}.",
    EventKind.WALK: "A step {towards} from {place}, which may be undone.",
    EventKind.CARVE: "The wall between {place} and {other} is removed.",
    EventKind.KEEP: "The wall between {place} and {other} stays.",
    EventKind.BUILD: "A wall is built from {place} to the {towards}.",
    EventKind.ERASE: "The wall from {place} to the {towards} is torn down.",
    EventKind.COMMIT: "The walk or wall from {place} is part of the maze now.",
    EventKind.BACK: "Back at {place}.",
    EventKind.MERGE: "The sets of {place} and {other} are joined.",
    EventKind.CLOSE: "A wall is put between {place} and {other}.",
    EventKind.PATH: "{Place} is on the path.",
    EventKind.FILL: "{Place} is part of a dead end and is filled.",
}


def describe_event(kind: int, at: Cell, direction: int, cells: Shape | None) -> str:
    """Return the sentence of an event.

    Parameters
    ----------
    kind : int
        An `EventKind`.
    at : (int, int)
        The place in the drawn grid, or in the array.
    direction : int
        0 to 7, an index into `NAMES`; -1 for none.
    cells : (int, int) or None
        The shape of the maze in cells; None for an array of sites.

    Returns
    -------
    str
    """
    step = STEPS[direction] if direction >= 0 else (0, 0)
    place = _name_place(at, cells)
    stride = 1 if cells is None else 2
    return SENTENCES[EventKind(kind)].format(
        place=place,
        Place=place[0].upper() + place[1:],
        other=_name_place((at[0] + stride * step[0], at[1] + stride * step[1]), cells),
        towards=NAMES[direction] if direction >= 0 else "",
        from_=FROM.format(NAMES[direction ^ 2]) if direction >= 0 else "",
    )


def _name_place(at: Cell, cells: Shape | None) -> str:
    if cells is None:
        return SITE.format(*at)
    if at[0] % 2 == 0:
        return POST.format(at[0] // 2, at[1] // 2)
    return CELL.format(at[0] // 2 % cells[0], at[1] // 2 % cells[1])
