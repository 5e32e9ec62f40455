"""Walls and roads drawn with characters, one a site: which are walls, and where start and goal are."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

Site = tuple[int, int]
BLANKS = " \N{NO-BREAK SPACE}"
_WALLS = "#█1"  # walls wherever they are
_OTHER_WALLS = "*Xx%@+Ww&$"  # walls where none of those is; there is one of them
_ROADS = BLANKS + "\N{IDEOGRAPHIC SPACE}.0·•_░"
_PATH = "*+▒▓"  # roads where one of `_WALLS` is
ENDS = "SGEFXABP"
_SIGNS = np.array([*"01SG"])  # of the numbers 0 to 3 in an array of a program
_SHOWN = 5  # places named in a message


class MarkedWalls(NamedTuple):
    """Walls (1) and roads (0), and the sites of start and goal, if they are drawn in characters."""

    walls: NDArray[np.uint8]
    start: Site | None
    goal: Site | None


def ends_of_letters(once: Mapping[str, Site], place: Callable[[int, int], str]) -> tuple[Site | None, ...]:
    """Return start and goal of the letters that are there once each.

    S is the start. G is the goal, else the only other letter, whatever it is. Without S the start is the A of
    A and B, or the P of P and G, and a letter alone is the goal if it is G, E or F.
    """
    upper = {letter.upper(): letter for letter in reversed([*once])}
    pairs = (("A", "B"), ("P", "G"))
    two = {*upper} if len(once) == 2 else set()
    start = "S" if "S" in upper else next((a for a, b in pairs if {a, b} == two), None)
    others = [letter for letter in once if start is None or letter != upper[start]]
    if "G" in upper:
        goal = upper["G"]
    elif len(others) == 1 and (start or others[0].upper() in {"E", "F"}):
        goal = others[0]
    elif len(others) == 2 and start:  # of more letters these are labels
        named = listed((f"{letter} ({place(*once[letter])})" for letter in others), "or")
        raise ValueError(f"{upper[start]} is the start, and is {named} the goal? Write G for it")
    else:
        goal = ""
    return (None if start is None else once[upper[start]]), once.get(goal)


def refuse_several(letters: Mapping[str, Sequence[Site]], place: Callable[[int, int], str]) -> None:
    """Raise a ValueError if S or G is at several sites."""
    for char, name in (("S", "start"), ("G", "goal")):
        sites = letters.get(char, ())
        if len(sites) > 1:
            shown = ", ".join(place(*site) for site in sites[:_SHOWN]) + ", ..." * (len(sites) > _SHOWN)
            raise ValueError(
                f"the {name}, {char}, is in several places: {shown}: leave one, or make them roads, and give "
                f"meiro.solve {name}="
            )


def signs_of(numbers: NDArray[Any]) -> NDArray[np.str_] | None:
    """Return the characters of numbers up to 3, if one is 2, the start, one 3, the goal, others 0 or 1."""
    if [np.count_nonzero(numbers == end) for end in (2, 3)] != [1, 1]:
        return None
    whole = np.isin(numbers, range(4)).all()
    return _SIGNS[numbers.astype(np.intp)] if whole else None


def read_characters(
    chars: NDArray[Any], roads: Iterable[str] | None, place: Callable[[int, int], str]
) -> MarkedWalls:
    """Tell walls, roads, start and goal in an array of single characters.

    Parameters
    ----------
    chars : ndarray of U1, shape (h, w)
    roads : iterable of str, optional
        The roads; all else is wall. By default `#`, the full block and `1` are walls; an array without these
        has one other sign as wall, that in its corner or else the most frequent one; among digits a single 2
        is the start and a single 3 the goal.
    place : callable
        ``place(row, col)`` says where a site is, for messages.

    Raises
    ------
    ValueError
        If there is a character that is neither, or it is not clear where start or goal is.
    """
    codes = np.ascontiguousarray(chars).view(np.uint32)
    present = _present(codes)
    if roads is None and present == "0123" and (signs := signs_of(codes - ord("0"))) is not None:
        return read_characters(signs, None, place)
    if roads is not None:
        taken = {*roads}
        walls = "".join(char for char in present if char not in taken)
    else:
        walls = _walls_in(codes, present)
    letters = {char: _sites(codes, char) for char in present if char.isalpha() and char not in walls}
    once = {char: sites[0] for char, sites in letters.items() if len(sites) == 1}
    if roads is not None:  # other letters may be roads of several kinds
        once = {char: site for char, site in once.items() if char.upper() in ENDS}
    else:
        refuse_several(letters, place)
    start, goal = ends_of_letters(once, place)
    if roads is None:
        marks = {char for char, site in once.items() if site in (start, goal)}
        if marks >= {*present}:  # words, no maze
            marks = set()
        _refuse_unknown(codes, present, walls, marks, place)
    return MarkedWalls(are_among(codes, walls).view(np.uint8), start, goal)


def _walls_in(codes: NDArray[np.uint32], present: str) -> str:
    """Return the characters that are walls."""
    if walls := "".join(char for char in present if char in _WALLS):
        return walls
    signs = [
        char for char in present if char not in _ROADS and not (char.isalpha() and _is_alone(codes, char))
    ]
    known = [char for char in signs if char in _OTHER_WALLS]
    corner = chr(codes[0, 0])
    if corner in known or (corner in signs and corner.isprintable() and not corner.isdigit()):
        return corner
    return max(known, key=lambda char: np.count_nonzero(codes == ord(char)), default="")


def _refuse_unknown(
    codes: NDArray[np.uint32],
    present: str,
    walls: str,
    marks: set[str],
    place: Callable[[int, int], str],
) -> None:
    """Raise a ValueError for characters that are neither wall nor road."""
    roads = _ROADS + (_PATH if walls and walls[0] in _WALLS else "")
    strange = [char for char in present if char not in walls and char not in roads and char not in marks]
    two_kinds = len(strange) == 1 and walls and not any(char in roads for char in present)
    if strange and not (two_kinds and not _is_alone(codes, strange[0])):  # then the other is road
        row, col = np.argwhere(are_among(codes, "".join(strange)))[0].tolist()
        found = chr(codes[row, col]).strip("\0")
        word = "".join(char for char in present if char in roads or char in marks) or "."
        raise ValueError(
            f"{place(row, col)}: expected a wall ({walls or '#'}) or a road, found {found!r}: say which are "
            f"road, as road={word!r}, or with it road={word + found!r}"
        )


def _is_alone(codes: NDArray[np.uint32], char: str) -> bool:
    return len(_sites(codes, char)) == 1


def _present(codes: NDArray[np.uint32]) -> str:
    """Return each character that is there, once."""
    there = np.zeros(int(codes.max(initial=0)) + 1, np.bool_)
    there[codes] = True
    return "".join(map(chr, np.flatnonzero(there).tolist()))


def are_among(codes: NDArray[np.uint32], chars: str) -> NDArray[np.bool_]:
    """Return which of some code points are those of `chars`."""
    found = np.zeros(codes.shape, np.bool_)
    for char in {*chars}:
        found |= codes == ord(char)
    return found


def _sites(codes: NDArray[np.uint32], char: str) -> list[Site]:
    """Return the first sites of a character, in order."""
    numbers = np.flatnonzero(codes == ord(char))[: _SHOWN + 1].tolist()
    return [divmod(number, codes.shape[1]) for number in numbers]


def decoded(data: bytes) -> str:
    """Return a text in UTF-8, or in UTF-16 as Windows writes it."""
    if data[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:
        return data.decode("utf-16")
    if data[1:2] == b"\0":
        return data.decode("utf-16-le")
    return data.decode("utf-8-sig")
