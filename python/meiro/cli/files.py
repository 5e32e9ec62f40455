"""The files that the command writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from meiro._utils.atomic import atomic
from meiro.drawing.text.render import draw
from meiro.io.csv import write_csv
from meiro.io.files import save
from meiro.io.png_writer import write_png
from meiro.maze.maze import Maze

if TYPE_CHECKING:
    import argparse

    import numpy as np
    from numpy.typing import NDArray

    from meiro.drawing.text.render import Style
    from meiro.solvers.solution import Solution

    Picture = Maze | NDArray[np.uint8]  # a maze, or walls and roads that are no maze grid


def files_of(args: argparse.Namespace) -> list[str]:
    """Return the names of the files that are asked for."""
    return [name for name in (args.output, args.dot) if name is not None]


def write_files(x: Picture, solution: Solution | None, style: Style, args: argparse.Namespace) -> list[str]:
    """Write the files that are asked for, and return their names."""
    if args.output is not None:
        _save(x, args.output, solution, style if args.style else "unicode", args.scale)
    if args.dot is not None:
        _save_dot(x, args.dot, solution)
    return files_of(args)


def _save(x: Picture, name: str, solution: Solution | None, style: Style, scale: int) -> None:
    suffix = Path(name).suffix.lower()
    if scale != 1 and suffix != ".png":
        msg = f"--scale is for .png files, not for {name!r}"
        raise ValueError(msg)
    if suffix == ".png":
        with atomic(name) as file:
            write_png(file, x, solution=solution, scale=scale)
    elif suffix == ".csv":
        with atomic(name) as file:
            write_csv(file, x)
    elif suffix == ".txt":
        text = str(draw(_as_maze(x, name), style, path=solution))
        with atomic(name, "w") as file:
            file.write(text + "\n")
    elif suffix in {".dot", ".gv"}:
        _save_dot(x, name, solution)
    elif suffix == ".svg":
        save(_as_maze(x, name), name, solution=solution)
    else:
        save(_as_maze(x, name), name)


def _save_dot(x: Picture, name: str, solution: Solution | None) -> None:
    maze = _as_maze(x, name)
    cells = [] if solution is None or not solution.found else solution.cells[[0, -1]].tolist()
    text = maze.to_dot(start=cells[0] if cells else None, goal=cells[-1] if cells else None)
    with atomic(name, "w") as file:
        file.write(text + "\n")


def _as_maze(x: Picture, name: str) -> Maze:
    if isinstance(x, Maze):
        return x
    msg = f"{name!r}: what was read is no maze grid; walls and roads of other kinds go into .png and .csv"
    raise ValueError(msg)
