"""Mazes in text files: drawings, and 0 and 1 between commas, are written; text of any kind is read."""

from __future__ import annotations

import codecs
import os
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.characters import decoded
from meiro._utils.memory import require, whole_file
from meiro.drawing.text.parse import all_of_text
from meiro.io.arrays.site_bands import site_bands
from meiro.mazes.batch import MazeBatch
from meiro.results.picture_array import picture_array
from meiro.spaces.space_of import is_maze

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.drawing.text.parse import TextSites
    from meiro.drawing.text.render import Style
    from meiro.generators.row_stream import StreamedMaze
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

_MEMORY = 20  # bytes that reading takes for a byte of the file; 17 were measured with style "ascii"
_PIECE = 1 << 20  # characters encoded at a time, so that Ctrl-C does not wait for all
_BAND = 1 << 22  # bytes checked at a time
_ZERO, _COMMA, _NEWLINE = b"0,\n"


def write_text(
    file: IO[bytes], maze: Maze | GraphMaze, *, solution: Any = None, style: Style = "unicode"
) -> None:
    """Write the drawing of a maze, with the path of a solution, in UTF-8."""
    write_in_pieces(file, maze.to_text(style, solution=solution))


def write_in_pieces(file: IO[bytes], text: str) -> None:
    """Write a text and a newline in UTF-8."""
    for first in range(0, len(text), _PIECE):
        file.write(text[first : first + _PIECE].encode())
    file.write(b"\n")


def read_text(path: str | os.PathLike[str], *, road: object = None) -> Maze | MazeBatch | NDArray[np.uint8]:
    """Read mazes, or walls and roads, from text of any kind: drawings, one character a site, fields.

    Parameters
    ----------
    path : path
    road : scalar or sequence of scalars, optional
        The value of a road, if not 0, or several; all others are walls.

    Returns
    -------
    Maze, MazeBatch or ndarray of uint8, shape (h, w)
        A batch if there are several mazes, with empty lines between.

    Raises
    ------
    ValueError
        If the text cannot be read; with the name of the file and the place.
    """
    if road is None and (digits := single_digits(path, Path(path).stat().st_size)) is not None:
        return digits
    name, data = whole_file(path, _MEMORY)
    try:
        found = [_maze_or_sites(sites) for sites in all_of_text(decoded(data), road=road)]
        if len(found) == 1:
            one: Maze | NDArray[np.uint8] = found[0]
            return one
        shapes = {maze.shape for maze in found}
        if len(shapes) > 1 or not is_maze(found[0]):
            what = "of several sizes" if len(shapes) > 1 else "that are grids of walls and roads, no mazes"
            raise ValueError(  # noqa: TRY301  # it gets the name of the file
                f"there are {len(found)} parts with empty lines between, {what}: make a file of each"
            )
        return MazeBatch(found)
    except UnicodeDecodeError as e:
        raise ValueError(f"{name} is not UTF-8 text: byte {e.start} is {e.object[e.start]:#04x}") from e
    except ValueError as e:
        raise ValueError(f"{name}: {e}") from e


def _maze_or_sites(sites: TextSites) -> Any:
    """Return a maze if it is one, else the array, with start and goal if these are marked."""
    with suppress(ValueError):
        return sites.maze()
    if sites.start is None and sites.goal is None:
        return sites.walls
    found = picture_array(sites.walls, None, {})
    found.start, found.goal = sites.start, sites.goal
    return found


def write_csv(file: IO[bytes], x: Maze | StreamedMaze | ArrayLike) -> None:
    """Write the sites of a maze or array in bands of rows."""
    _, width, source = site_bands(x)
    for _, band in source:
        text = np.full((len(band), width, 2), _COMMA, np.uint8)
        np.add(band, _ZERO, out=text[:, :, 0])
        text[:, -1, 1] = _NEWLINE
        file.write(text.data)


def single_digits(path: str | os.PathLike[str], size: int) -> NDArray[np.uint8] | None:
    """Read a file of lines of 0 and 1 with one separator between; None if there is anything else."""
    require(3 * size, repr(os.fspath(path)), "cut it into parts")
    text = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").rstrip() + b"\n"
    data, length = np.frombuffer(text, np.uint8), text.index(b"\n") + 1
    if len(data) % length or length % 2:
        return None
    lines = data.reshape(-1, length)
    separator = lines[0, 1] if length > 2 else _COMMA
    sites = np.empty((len(lines), length // 2), np.uint8)
    rows = max(1, _BAND // length)
    for first in range(0, len(lines), rows):
        part = lines[first : first + rows]
        digits = np.subtract(part[:, ::2], _ZERO, out=sites[first : first + rows])
        if (
            digits.max() > 1  # below "0" the difference wraps around to more than 1
            or (part[:, 1:-1:2] != separator).any()
            or (part[:, -1] != _NEWLINE).any()
        ):
            return None
    return sites if separator in b",;\t " else None
