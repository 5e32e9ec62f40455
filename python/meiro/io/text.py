"""Mazes in text files: the drawings of `Maze.to_text`, read and written, and SVG, written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

from meiro.drawing.text.parse import from_text

if TYPE_CHECKING:
    from meiro.drawing.text.render import Style
    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution


def write_text(
    file: IO[bytes], maze: Maze, *, solution: Solution | None = None, style: Style = "unicode"
) -> None:
    """Write the drawing of a maze, with the path of a solution, in UTF-8."""
    file.write(maze.to_text(style, path=solution).encode() + b"\n")


def write_svg(file: IO[bytes], maze: Maze, *, solution: Solution | None = None) -> None:
    """Write a maze as SVG, with the path of a solution."""
    file.write(maze.to_svg(path=solution).encode() + b"\n")


def read_text(path: str | os.PathLike[str]) -> Maze:
    """Read the drawing of a maze; a ValueError names the file and the place."""
    try:
        return from_text(Path(path).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as e:
        msg = f"{os.fspath(path)!r} is not UTF-8 text: byte {e.start} is {e.object[e.start]:#04x}"
        raise ValueError(msg) from e
    except ValueError as e:
        msg = f"{os.fspath(path)!r}: {e}"
        raise ValueError(msg) from e
