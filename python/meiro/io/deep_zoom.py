"""A picture of a maze at every scale, in tiles, and a page that shows it (Deep Zoom)."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from meiro._utils import png
from meiro._utils.atomic import atomic_folder
from meiro._utils.memory import require
from meiro._utils.progress import Progress, paced, reporter
from meiro._utils.validation import checked_path, integer, one_of
from meiro.colors import DARK, LIGHT
from meiro.generators.row_stream import RowStream, StreamedMaze, refuse_rows, streamed
from meiro.io.arrays.site_bands import site_bands
from meiro.spaces.space_of import is_maze

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from meiro.mazes.maze import Maze

_PICTURE = "maze.dzi"
_TILES = "maze_files"
_PAGE = Path(__file__).with_name("deep_zoom.html")
_SIZES = ("256", "512")
_BAND = 1 << 22  # sites
_PART = 1 << 20  # pixels whose means are taken at once


def pyramid(
    x: Maze | RowStream | ArrayLike,
    folder: str | os.PathLike[str],
    *,
    rows: SupportsIndex | None = None,
    tile: SupportsIndex = 256,
    progress: Progress = False,
) -> None:
    """Draw a maze of any size at every scale, to be looked at in a browser.

    The folder holds ``index.html``, a page that needs no network: moved by mouse, touch or arrow keys, zoomed
    by wheel, two fingers or + and -; and the picture as a Deep Zoom image (``maze.dzi`` and tiles in PNG),
    which other viewers show as well. The finest level has a pixel for each site, each other one the means of
    2 x 2 pixels of the one before, so that a pixel there stands for whole cells.

    Parameters
    ----------
    x : Maze, RowStream or array_like of shape (h, w)
        A maze, a stream of rows, in the memory of some of them, or walls (1) and roads (0).
    folder : path
        Appears when all of it is written. A pyramid of that name is replaced.
    rows : int, optional
        For a stream, the number of rows of its maze. The stream itself gives no rows away: it stays at its
        beginning.
    tile : 256 or 512
        Pixels a side of a tile: 10**9 cells make 81,000 files of 256, or 20,500 of 512.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells of a stream, else in
        rows of sites.

    Raises
    ------
    FileExistsError
        If there is a file or another folder of that name.
    ValueError, TypeError
        If `rows` is missing for a stream, or given for anything else, or `tile` is another number.
    OSError
        If the disk has no room.

    See Also
    --------
    meiro.save : one picture.
    meiro.generators.stream : mazes that are larger than memory.

    References
    ----------
    Deep Zoom: Microsoft, Deep Zoom file format overview (2008); OpenSeadragon shows it.

    Examples
    --------
    >>> meiro.io.pyramid(meiro.generators.stream("eller", 1000, rng=7), "tiles", rows=500)
    >>> import pathlib
    >>> sorted(file.name for file in pathlib.Path("tiles").iterdir())
    ['index.html', 'maze.dzi', 'maze_files']
    """
    side = integer(tile, "tile", 1, 1 << 31)
    one_of(str(side), "tile", _SIZES)
    path = checked_path(folder, "folder")
    if isinstance(x, RowStream):
        maze: Maze | StreamedMaze | ArrayLike = streamed(x, rows, "pyramid")._replace(progress=progress)
    else:
        refuse_rows(rows)
        maze = x
    height, width, source = site_bands(maze, _BAND)
    if path.exists() and not (path / _PICTURE).is_file():
        raise FileExistsError(
            f"folder: {os.fspath(folder)!r} exists and holds no pyramid: it is not replaced"
        )
    require(3 * side * width, f"strips of a picture of {width:,} pixels", "take fewer cols")
    tell = paced(None if isinstance(x, RowStream) else reporter(progress))
    with atomic_folder(path) as new:
        (new / _TILES).mkdir()
        level = _Level(new / _TILES, (max(height, width) - 1).bit_length(), (height, width), side)
        for first, band in source:
            level.add(band)
            tell(first + len(band), height)
        (new / _PICTURE).write_text(_xml(height, width, side), "utf-8", newline="\n")
        title = repr(x) if is_maze(x) else f"Maze of {height // 2:,} x {width // 2:,} cells"
        (new / "index.html").write_text(_page(height, width, side, title.strip("<>")), "utf-8", newline="\n")


class _Level:
    """A level of the picture, which is given rows from the top down, and gives means to the next."""

    def __init__(self, folder: Path, number: int, size: tuple[int, int], tile: int) -> None:
        self._folder, self._size, self._tile = folder / str(number), size, tile
        self._scale = 1  # a wall
        self._strip = np.empty((min(tile, size[0]), size[1]), np.uint8)
        self._filled = self._done = 0
        self._next: _Level | None = None
        self._folder.mkdir()
        if number:
            half = (size[0] + 1) // 2, (size[1] + 1) // 2
            self._next = _Level(folder, number - 1, half, tile)
            self._next._scale = 255  # noqa: SLF001  # of this class

    def add(self, rows: NDArray[np.uint8]) -> None:
        """Take some rows: the share of wall, 0 to the scale of the level."""
        while len(rows):
            n = min(len(rows), len(self._strip) - self._filled)
            self._strip[self._filled : self._filled + n] = rows[:n]
            self._filled += n
            rows = rows[n:]
            if self._filled == len(self._strip) or self._done + self._filled == self._size[0]:
                self._flush(self._strip[: self._filled])
                self._done += self._filled
                self._filled = 0

    def _flush(self, strip: NDArray[np.uint8]) -> None:
        """Write a row of tiles, and give their means to the next level."""
        row, side = self._done // self._tile, self._tile
        for col, first in enumerate(range(0, self._size[1], side)):
            part = strip[:, first : first + side]
            with (self._folder / f"{col}_{row}.png").open("wb") as file:
                if self._scale == 1:
                    png.write(file, part.shape, [np.packbits(part ^ np.uint8(1), axis=1)], depth=1)
                else:
                    png.write(file, part.shape, [~part], depth=8)
        if self._next is not None:
            for means in _halved(strip, self._scale):
                self._next.add(means)


def _halved(strip: NDArray[np.uint8], scale: int) -> Iterator[NDArray[np.uint8]]:
    """Yield the means of 2 x 2 pixels in 255ths, some rows at a time; at an odd end of 1 x 2."""
    height, width = strip.shape
    at_once = max(2, _PART // width // 2 * 2)
    means = np.rint(np.arange(4 * scale + 1) * (255 / (4 * scale))).astype(np.uint8)  # by the sum of four
    for first in range(0, height, at_once):
        part = strip[first : first + at_once]
        if len(part) % 2 or width % 2:
            part = np.pad(part, ((0, len(part) % 2), (0, width % 2)), mode="edge")
        pairs = part[::2].astype(np.uint16)
        pairs += part[1::2]
        yield means.take(pairs[:, ::2] + pairs[:, 1::2])


def _xml(height: int, width: int, tile: int) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="png" Overlap="0" '
        f'TileSize="{tile}">'
        f'<Size Width="{width}" Height="{height}"/></Image>\n'
    )


def _page(height: int, width: int, tile: int, title: str) -> str:
    """Return the page that shows the tiles beside it."""
    levels = (max(height, width) - 1).bit_length()
    values = {
        "title": html.escape(title),
        "facts": json.dumps({"width": width, "height": height, "tile": tile, "levels": levels}),
        "ink": LIGHT.ink.hex,
        "road": LIGHT.road.hex,
        "line": LIGHT.masked.hex,
        "focus": LIGHT.start.hex,
        "dark_ink": DARK.ink.hex,
        "dark_road": DARK.road.hex,
    }
    text = _PAGE.read_text("utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
