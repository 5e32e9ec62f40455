"""The class Measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Measures(dict[str, int | float]):
    """The measures of a maze: a number for each name, NaN where the measure is undefined.

    Attributes
    ----------
    reasons : dict of str to str
        For each undefined measure, why it is undefined.

    See Also
    --------
    meiro.measure : Measure a maze.

    Examples
    --------
    >>> found = meiro.measure(meiro.Maze([[6, 12], [3, 9]]), ["turns", "diameter"])
    >>> found, found.reasons
    ({'turns': 4, 'diameter': nan}, {'diameter': 'the maze has loops'})
    """

    __module__ = "meiro"

    __slots__ = ("reasons",)

    def __init__(self, values: Mapping[str, int | float], reasons: Mapping[str, str]) -> None:
        super().__init__(values)
        self.reasons: dict[str, str] = dict(reasons)
