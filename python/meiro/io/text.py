"""Mazes in text files: the drawings of `Maze.to_text`, read and written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from meiro._utils.memory import require
from meiro.drawing.text.parse import from_text

if TYPE_CHECKING:
    from meiro.drawing.text.render import Style
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

_MEMORY = 14  # bytes that reading takes for a byte of the file, measured with style "ascii"
_PIECE = 1 << 20  # characters encoded at a time, so that Ctrl-C does not wait for all


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


def read_text(path: str | os.PathLike[str]) -> Maze:
    """Read the drawing of a maze; a ValueError names the file and the place."""
    require(_MEMORY * Path(path).stat().st_size, repr(os.fspath(path)), "cut it into parts")
    try:
        return from_text(Path(path).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as e:
        msg = f"{os.fspath(path)!r} is not UTF-8 text: byte {e.start} is {e.object[e.start]:#04x}"
        raise ValueError(msg) from e
    except ValueError as e:
        msg = f"{os.fspath(path)!r}: {e}"
        raise ValueError(msg) from e
