"""Maps and scenarios of the MovingAI benchmarks for path finding (``.map``, ``.scen``)."""

from __future__ import annotations

import codecs
import math
import os
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.arrays import road_values
from meiro._utils.atomic import atomic
from meiro._utils.memory import require, whole_file
from meiro._utils.messages import short_repr
from meiro._utils.square import ROAD, WALL
from meiro._utils.validation import checked_path, plain_array
from meiro.solvers.distances import distances
from meiro.spaces.grids import Grid
from meiro.spaces.space_of import sites_of, space_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro.mazes.maze import Maze

_ROADS, _WALLS = b".GSE", b"@OTW"
_MARKS = np.frombuffer(b".@", np.uint8)
_NEITHER = 2
_MEANING = np.full(256, _NEITHER, np.uint8)
_MEANING[list(_ROADS)], _MEANING[list(_WALLS)] = ROAD, WALL
_HEAD = 1 << 10  # bytes that a header may take
_SIDE = "(height|width) ([0-9]{1,10})", "height or width, and a number from 1 on"
_HEADER = ("type octile",) * 2, _SIDE, _SIDE, ("map",) * 2  # what each line is, as an expression and in words
_DIGITS = 10
_LINE = 1 << 12  # bytes of a line of a scenario
_FIELDS = ("bucket", "map", "width", "height", "start x", "start y", "goal x", "goal y", "length")
_BUCKET = 4  # lengths a bucket
_MEMORY = 5  # bytes a byte of a map


class Scenarios(NamedTuple):
    """What a file of scenarios says.

    Attributes
    ----------
    map_name : str
        The map, as the file names it.
    shape : (int, int)
        Rows and columns of the map, in sites.
    tasks : ndarray of int64, shape (n, 2, 2)
        Start and goal of each task, (row, col), in sites of the map.
    lengths : ndarray of float64, shape (n,)
        The optimal length of each, as the file says.

    Examples
    --------
    >>> maze = meiro.generate((4, 5), rng=7)
    >>> meiro.io.save_scenarios(maze, [[(0, 0), (3, 4)]], "maze.map.scen")
    >>> scenarios = meiro.io.read_scenarios("maze.map.scen")
    >>> scenarios.shape, (scenarios.tasks // 2).tolist()
    ((9, 11), [[[0, 0], [3, 4]]])
    """

    map_name: str
    shape: tuple[int, int]
    tasks: NDArray[np.int64]
    lengths: NDArray[np.float64]


def write_map(file: IO[bytes], x: Maze | ArrayLike) -> None:
    """Write the sites of a maze or array: ``.`` road, ``@`` wall."""
    grid = sites_of(x)
    height, width = grid.shape
    file.write(f"type octile\nheight {height}\nwidth {width}\nmap\n".encode())
    file.write(np.pad(_MARKS[grid], ((0, 0), (0, 1)), constant_values=ord("\n")).data)


def read_map(path: str | os.PathLike[str], *, road: object = None) -> NDArray[np.uint8]:
    """Read a map: ``.``, ``G``, ``S`` and ``E`` are road, ``@``, ``O``, ``T`` and ``W`` (water) wall.

    ``S`` is a swamp, and like ``E`` a place of the League of Robot Runners. White space behind rows does not
    count.

    Parameters
    ----------
    path : path
    road : str or sequence of str, optional
        The characters that are roads, if they are others; all others are walls.

    Returns
    -------
    ndarray of uint8, shape (h, w)
        0 for a road, 1 for a wall.

    Raises
    ------
    ValueError
        If the header is another, a row is missing, longer or shorter, or holds another character; with the
        line, and the column, both counted from 1. If no place is one of `road`.
    """
    meaning = _MEANING if road is None else _meaning_of(road)
    name, data = whole_file(path, _MEMORY)
    data = data.removeprefix(codecs.BOM_UTF8)
    height, width, begin = _header(data, name)
    lines = data[begin:].replace(b"\r\n", b"\n").split(b"\n")
    while lines and not lines[-1].strip() and len(lines) > height:
        del lines[-1]
    rows = [line if line[width:].strip() else line[:width] for line in lines]
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError(f"{name}, {_wrong_shape(rows, height, width)}")
    sites = meaning[np.frombuffer(b"".join(rows), np.uint8).reshape(height, width)]
    if sites.max() == _NEITHER:
        row, column = divmod(int((sites == _NEITHER).argmax()), width)
        msg = f"{name}, line {row + 5}, column {column + 1}: {chr(rows[row][column])!r} is not one of the "
        msg += f"characters {(_ROADS + _WALLS).decode()}; others are read with road="
        raise ValueError(msg)
    if road is not None and sites.all():
        raise ValueError(f"{name} has no road: no character is road={short_repr(road)}")
    return sites


def _meaning_of(road: object) -> NDArray[np.uint8]:
    found = np.full(256, WALL, np.uint8)
    for value in road_values(road, several=True):
        mark = value.encode() if isinstance(value, str) else value
        if not isinstance(mark, bytes) or len(mark) != 1:
            raise ValueError(f"road must be characters of the map, as '.E', not {short_repr(road)}")
        found[mark[0]] = ROAD
    return found


def _header(data: bytes, name: str) -> tuple[int, int, int]:
    """Return height, width, and where the rows begin."""
    lines = data[:_HEAD].split(b"\n", 4)
    sides: dict[str, int] = {}
    for i, (form, wanted) in enumerate(_HEADER):
        line = lines[i].decode("ascii", "replace").strip() if i < len(lines) - 1 else None
        good = re.fullmatch(form, " ".join((line or "").split()))
        if good and good.lastindex:
            side, length = good[1], int(good[2])
            good = None if side in sides or length == 0 else good
            sides[side] = length
        if not good:
            found = "the end" if line is None else short_repr(line)
            raise ValueError(f"{name}, line {i + 1}: {found} is not {wanted}")
    return sides["height"], sides["width"], sum(len(line) + 1 for line in lines[:4])


def _wrong_shape(rows: list[bytes], height: int, width: int) -> str:
    """Return what is wrong with the rows of a map."""
    rows = rows[: len(rows) - (rows[-1:] == [b""])]
    for i, row in enumerate(rows[:height]):
        if len(row) != width:
            return f"line {i + 5}: a row of {len(row):,} characters, and the width is {width:,}"
    return f"line {min(len(rows), height) + 5}: {len(rows):,} rows, and the height is {height:,}"


def save_scenarios(
    x: Maze | ArrayLike,
    tasks: ArrayLike | Sequence[object],
    path: str | os.PathLike[str],
    *,
    map_name: str | None = None,
    road: object = None,
) -> None:
    """Write starts and goals in a maze as scenarios of MovingAI, with the optimal lengths.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        The maze, or walls (1) and roads (0); `meiro.save` writes it as ``.map``.
    tasks : array_like of int, shape (n, 2, 2)
        Start and goal of each task, (row, col), in cells of a maze or sites of an array; as
        ``np.stack(meiro.endpoints(batch), axis=1)``.
    path : path
        ``.scen``.
    map_name : str, optional
        The name of the map in each line. Default: that of the file without ``.scen``, with ``.map``.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.

    Raises
    ------
    ValueError
        If there is no task, a place is outside or in a wall, a goal cannot be reached, the maze is periodic,
        or the name holds white space, which separates the fields.

    See Also
    --------
    read_scenarios : the inverse.
    meiro.distances : the lengths, with ``moves=8`` of the grid.

    Notes
    -----
    The lengths are those of the map, in sites: a diagonal step is sqrt(2) long and does not cut corners. In
    mazes no step is diagonal, and a step from cell to cell is 2 long. x is the column, y the row.
    Neither `.map` nor `.scen` has a place for comments or properties, so seed and recipe are not in them:
    ``maze.save("maze.npz")`` keeps these.

    References
    ----------
    N. Sturtevant, Benchmarks for grid-based pathfinding. IEEE Transactions on Computational Intelligence and
    AI in Games 4 (2012) 144-148. https://movingai.com/benchmarks/formats.html

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> maze.save("maze.map")
    >>> meiro.io.save_scenarios(maze, [((0, 0), (2, 3)), ((0, 1), (0, 0))], "maze.scen")
    >>> meiro.io.read_scenarios("maze.scen").lengths.tolist()
    [10.0, 2.0]
    """
    file_name = checked_path(path).name
    if map_name is None:
        stem = file_name.removesuffix(".scen")
        map_name = stem if stem.endswith(".map") else stem + ".map"
        if map_name.split() != [map_name]:
            raise ValueError(
                f"the name of path {short_repr(path)} has white space, which separates fields: give map_name="
            )
    if not isinstance(map_name, str) or map_name.split() != [map_name]:
        raise ValueError(
            f"map_name {short_repr(map_name)} must be a word: white space separates the fields of a line"
        )
    space = space_of(x, road=road)
    if not isinstance(space, Grid) or not space.one:
        raise TypeError(
            f"x must be a Maze or an array, not {short_repr(x)}: maps of MovingAI have rows and columns"
        )
    if any(space.wrap):
        raise ValueError("x is a periodic maze, and maps of MovingAI have borders: take a maze without wrap")
    given = plain_array(tasks, "tasks")
    if given.ndim != 3 or given.shape[1:] != (2, 2) or not len(given):
        raise ValueError(f"tasks must have shape (n, 2, 2), start and goal of each, not {given.shape}")
    places = given.reshape(-1, 2)
    numbers = space.numbers(places, "tasks").reshape(-1, 2)
    lengths = _lengths(space, numbers)
    if not np.isfinite(lengths).all():
        i = int(np.isinf(lengths).argmax())
        one, other = map(tuple, places[2 * i : 2 * i + 2].tolist())
        raise ValueError(f"tasks[{i}]: there is no way from {one} to {other}")
    step, first = (1, 0) if space.sites else (2, 1)
    height, width = (step * side + first for side in space.shape)
    rows, cols = (step * at + first for at in np.divmod(numbers, space.shape[1]))
    with atomic(path) as file:
        file.write(b"version 1\n")
        for row, col, length in zip(rows.tolist(), cols.tolist(), lengths.tolist(), strict=True):
            fields = (int(length // _BUCKET), map_name, width, height, col[0], row[0], col[1], row[1])
            file.write(("\t".join(map(str, fields)) + f"\t{length:.8f}\n").encode())


def _lengths(space: Any, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the octile length of each task in sites, infinity where there is no way: a search a start."""
    found = np.empty(len(numbers))
    order = np.argsort(numbers[:, 0], kind="stable")
    starts, first = np.unique(numbers[order, 0], return_index=True)
    for start, of_start in zip(starts.tolist(), np.split(order, first[1:]), strict=True):
        source = space.cell(start)
        steps = distances(space.walls, source, moves=8) if space.sites else distances(space.x, source)
        of_goals = steps.ravel()[numbers[of_start, 1]]
        found[of_start] = of_goals if space.sites else np.where(of_goals < 0, math.inf, 2.0 * of_goals)
    return found


def read_scenarios(path: str | os.PathLike[str]) -> Scenarios:
    """Read scenarios of MovingAI, version 1.

    Parameters
    ----------
    path : path
        ``.scen``.

    Returns
    -------
    Scenarios
        The name and shape of the map, tasks and lengths. Where the map is one of a maze, ``tasks // 2`` are
        cells.

    Raises
    ------
    ValueError
        If the header is another, or a line has other fields, another map or a place outside; with the line.

    See Also
    --------
    save_scenarios : the inverse.

    Examples
    --------
    >>> meiro.io.save_scenarios(["....", ".##."], [((1, 0), (0, 3))], "room.scen", map_name="maps/room.map")
    >>> scenarios = meiro.io.read_scenarios("room.scen")
    >>> scenarios.map_name, scenarios.shape, scenarios.tasks.tolist(), scenarios.lengths.tolist()
    ('maps/room.map', (2, 4), [[[1, 0], [0, 3]]], [4.0])
    """
    name = repr(os.fspath(checked_path(path)))
    require(8 * Path(path).stat().st_size, name, "cut it into parts")
    tasks: list[list[int]] = []
    lengths: list[float] = []
    first: tuple[str, int, int] | None = None
    with Path(path).open("rb") as file:
        number = 0
        while line := file.readline(_LINE):
            number += 1
            try:
                text = line.decode("utf-8-sig")
                if len(line) == _LINE:
                    raise ValueError("is longer than all lines of scenarios")  # noqa: TRY301
                if number == 1 and text.split() not in (["version", "1"], ["version", "1.0"]):
                    raise ValueError("is not 'version 1'")  # noqa: TRY301
                if number > 1 and text.strip():
                    head, task, length = _task(text, first)
                    first = first or head
                    tasks.append(task)
                    lengths.append(length)
            except ValueError as e:
                shown = short_repr(line[:80].decode("utf-8", "replace").rstrip())
                raise ValueError(f"{name}, line {number}: {shown} {e}") from e
    if first is None:
        raise ValueError(f"{name} holds no scenario")
    places = np.array(tasks, np.int64).reshape(-1, 2, 2)[:, :, ::-1]
    return Scenarios(first[0], (first[2], first[1]), np.ascontiguousarray(places), np.array(lengths))


def _task(line: str, first: tuple[str, int, int] | None) -> tuple[tuple[str, int, int], list[int], float]:
    """Return map, width and height, the four coordinates and the length in a line."""
    words = [word.strip() for word in line.split("\t")] if "\t" in line else line.split()
    if len(words) != len(_FIELDS):
        raise ValueError(
            f"has {len(words)} fields, not the {len(_FIELDS)} of a scenario: {', '.join(_FIELDS)}"
        )
    for field, word in zip(_FIELDS[:-1], words, strict=False):
        if field != "map" and not (word.isascii() and word.isdecimal() and len(word) <= _DIGITS):
            raise ValueError(f"has the {field} {short_repr(word)}, not a whole number")
    head = words[1], int(words[2]), int(words[3])
    if first is not None and head != first:
        msg = f"is of map {head[0]}, {head[1]} x {head[2]}, the lines before of {first[0]}, "
        msg += f"{first[1]} x {first[2]}: read each map from a file of its own"
        raise ValueError(msg)
    task = [int(word) for word in words[4:8]]
    for field, value, side in zip(_FIELDS[4:8], task, head[1:] * 2, strict=True):
        if value >= side:
            raise ValueError(f"has the {field} {value}, outside of {head[1]} x {head[2]}")
    try:
        length = float(words[8])
    except ValueError:
        length = math.nan
    if not 0 <= length < math.inf:
        raise ValueError(f"has the length {short_repr(words[8])}, not a number from 0 on")
    return head, task, length
