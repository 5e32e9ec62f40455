"""Mazes in files: read and written by suffix, never half-written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.arrays import walls
from meiro._utils.atomic import atomic
from meiro._utils.messages import short_repr
from meiro.solvers.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from meiro.maze.maze import Maze

_PICTURES = {
    ".bmp",
    ".gif",
    ".jpeg",
    ".jpg",
    ".pbm",
    ".pgm",
    ".png",
    ".pnm",
    ".ppm",
    ".tif",
    ".tiff",
    ".webp",
}


def save(
    maze: Maze, path: str | os.PathLike[str], *, solution: Solution | None = None, scale: int = 1
) -> None:
    """Write a maze to a file; the suffix says how.

    ========== ==========================================================================================
    ``.png``   a picture, one pixel a site (or ``scale=``), with the solution in colours
    ``.svg``   a picture for print, as of ``Maze.to_svg``, with the path if a solution is given
    ``.csv``   the grid, 0 (road) and 1 (wall) between commas
    ``.txt``   the text of ``Maze.to_text``, with the path if a solution is given
    ``.dot``   Graphviz, also ``.gv``
    ``.npy``   the grid as an array of uint8
    ``.npz``   everything: passages, mask, openings, wrap, ends, seed, recipe and version
    ========== ==========================================================================================

    Of a maze that wraps all but ``.npz`` show the open border alone, and are read back with openings there;
    ``Maze.from_grid(grid, wrap=)`` makes passages of them again.

    Parameters
    ----------
    maze : Maze
        What to write.
    path : path
        Where to. The file appears only when all of it is written.
    solution : Solution, optional
        What `meiro.solve` found in it; for ``.png``, ``.svg`` and ``.txt``.
    scale : int
        Pixels a site in a picture.

    Raises
    ------
    ValueError
        If the suffix is unknown, the format has no place for a solution, or the solution is of another maze.
    TypeError
        If `solution` is none.

    See Also
    --------
    read : the way back.

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> meiro.save(maze, "maze.npz")
    >>> meiro.read("maze.npz") == maze
    True
    """
    suffix = Path(path).suffix.lower()
    writers: dict[str, Callable[[], None]] = {
        ".png": lambda: _save_png(maze, path, solution, scale),
        ".svg": lambda: _save_text(path, lambda: maze.to_svg(path=solution) + "\n"),
        ".txt": lambda: _save_text(path, lambda: maze.to_text(path=solution) + "\n"),
        ".dot": lambda: _save_text(path, maze.to_dot),
        ".gv": lambda: _save_text(path, maze.to_dot),
        ".csv": lambda: _save_csv(maze, path),
        ".npy": lambda: _save_npy(maze, path),
        ".npz": lambda: _save_npz(maze, path),
    }
    if suffix not in writers:
        msg = f"{os.fspath(path)!r}: suffix {suffix!r} is none of {', '.join(writers)}"
        raise ValueError(msg)
    if solution is not None and suffix not in {".png", ".svg", ".txt"}:
        msg = f"a {suffix} file has no place for solution=; .png, .svg and .txt have"
        raise ValueError(msg)
    if solution is not None and not isinstance(solution, Solution):
        msg = f"solution must be a Solution (see meiro.solve), not {short_repr(solution)}"
        raise TypeError(msg)
    if scale != 1 and suffix != ".png":
        msg = f"scale={short_repr(scale)} is for .png files, not for {suffix}"
        raise ValueError(msg)
    writers[suffix]()


def read(path: str | os.PathLike[str], *, road: object = None) -> Maze | NDArray[np.uint8]:
    """Read a maze from a file; the suffix says how.

    Parameters
    ----------
    path : path
        ``.npz`` and ``.txt`` as `save` writes them; ``.csv`` and ``.npy`` with any walls and roads; ``.png``
        and, with Pillow, other pictures: bright is road (`meiro.from_image` has more to say on them).
    road : scalar, optional
        The value of a road in a ``.csv`` or ``.npy`` file that holds other values than 0 (road) and 1 (wall).

    Returns
    -------
    Maze or ndarray of uint8, shape (h, w)
        A `Maze` where the file holds a maze grid. Otherwise, as with wide corridors or even sides, the
        walls (1) and roads (0), which `meiro.solve` and `meiro.check` take as they are.

    Raises
    ------
    ValueError
        If the file is damaged, foreign or ragged; with its name and the place.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> maze = meiro.generate((4, 4), rng=7)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "maze.csv")
    ...     maze.save(path)
    ...     meiro.read(path) == maze
    True
    """
    from meiro.maze.maze import Maze

    name = os.fspath(path)
    suffix = Path(path).suffix.lower()
    if road is not None and suffix not in {".csv", ".npy"}:
        msg = f"road= is for .csv and .npy files, not for {name!r}"
        raise ValueError(msg)
    if suffix == ".npz":
        from meiro.io.npz import read_npz

        return read_npz(path)
    if suffix == ".txt":
        return _read_text(path)
    if suffix == ".csv":
        from meiro.io.csv import read_csv

        array = read_csv(path, road=road)
    elif suffix == ".npy":
        from meiro.io.npz import read_npy

        array = walls(read_npy(path), road=road, name=name)
    elif suffix in _PICTURES:
        from meiro.io.image import from_image

        array = from_image(path)
    else:
        more = "; DOT and SVG are only written" if suffix in {".dot", ".gv", ".svg"} else ""
        msg = (
            f"{name!r}: suffix {suffix!r} is none of .npz, .txt, .csv, .npy, .png or another picture's{more}"
        )
        raise ValueError(msg)
    try:
        return Maze.from_grid(array)
    except ValueError:
        return array


def _save_png(maze: Maze, path: str | os.PathLike[str], solution: Solution | None, scale: int) -> None:
    from meiro.io.png_writer import write_png

    with atomic(path) as file:
        write_png(file, maze, solution=solution, scale=scale)


def _save_text(path: str | os.PathLike[str], text: Callable[[], str]) -> None:
    drawn = text()
    with atomic(path, "w") as file:
        file.write(drawn)


def _save_csv(maze: Maze, path: str | os.PathLike[str]) -> None:
    from meiro.io.csv import write_csv

    with atomic(path) as file:
        write_csv(file, maze)


def _save_npy(maze: Maze, path: str | os.PathLike[str]) -> None:
    grid = maze.grid
    with atomic(path) as file:
        np.lib.format.write_array(file, grid, allow_pickle=False)


def _save_npz(maze: Maze, path: str | os.PathLike[str]) -> None:
    from meiro.io.npz import write_npz

    with atomic(path) as file:
        write_npz(file, maze)


def _read_text(path: str | os.PathLike[str]) -> Maze:
    from meiro.drawing.text.parse import from_text

    try:
        return from_text(Path(path).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as e:
        msg = f"{os.fspath(path)!r} is no UTF-8 text: byte {e.start} is {e.object[e.start]:#04x}"
        raise ValueError(msg) from e
    except ValueError as e:
        msg = f"{os.fspath(path)!r}: {e}"
        raise ValueError(msg) from e
