"""PNG files: a pixel a site, or what matplotlib draws: lattices, and mazes with what only pages have."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils import png
from meiro._utils.arrays import walls
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro._utils.paper import checked_colors
from meiro._utils.square import FLAT, Wrap
from meiro._utils.validation import Threads, boolean, checked_outside, integer, thread_count
from meiro.colors import COLORS, LIGHT
from meiro.io.arrays.site_bands import SITES, site_bands
from meiro.mazes._outside import outside_sites
from meiro.mazes.maze import Maze
from meiro.spaces.space_of import are_several, lattice_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.paper import Outside
    from meiro.generators.row_stream import StreamedMaze
    from meiro.io.arrays.site_bands import Band
    from meiro.results.solution import Solution

PALETTE = b"".join(bytes(color) for color in list(COLORS.values())[:6])
OUTSIDE = 6
"""The number of the colour outside a mask: white, and transparent."""

_INDEX = {name: index for index, name in enumerate(COLORS)}
_PATH, _START, _GOAL = (np.uint8(_INDEX[name]) for name in ("path", "start", "goal"))
_SCALE = 24  # pixels a cell
_PRINT = 300 / 25.4  # pixels a millimetre of a page
_MOST_PIXELS = 23_000  # a side, in what matplotlib draws
_OF_PIXELS = {"solution", "scale", "outside", "posts", "threads", "explored", "colors"}


def write_png(
    file: IO[bytes], x: Any, *, outside: Outside = "blank", posts: bool = True, **options: Any
) -> None:
    """Write a maze of any kind, several, an array or a stream as a picture."""
    boolean(options.get("explored", True), "explored")
    if not are_several(x) and lattice_of(x) is None and options.keys() <= _OF_PIXELS:
        outside, posts = checked_outside(outside), boolean(posts, "posts")
        _write_sites(file, x, outside=outside, posts=posts, **options)
        return
    for name, value, usual in (("posts", posts, True), ("threads", options.pop("threads", None), None)):
        if value != usual:
            *_, other = options.keys() - _OF_PIXELS or ["a lattice"]
            raise ValueError(f"{name}= is for pictures of a pixel a site, which have no {other}=")
    _draw(file, x, {"outside": outside, "explored": True, **options})


def _write_sites(
    file: IO[bytes],
    x: Maze | StreamedMaze | ArrayLike,
    *,
    solution: Solution | None = None,
    scale: int = 1,
    outside: Outside = "blank",
    posts: bool = True,
    explored: bool = True,
    colors: Mapping[str, Any] | None = None,
    threads: Threads = None,
) -> None:
    """Write a picture in bands of rows, so that little memory is taken beyond the maze.

    A picture without a solution has 1 bit a pixel; with one it has 4, and shows the sites visited, the path,
    start and goal. Outside a mask the pixels have a colour of their own, a transparent white, in 4 bits too;
    `meiro.from_image` takes it for wall, so that the maze is read back.

    Parameters
    ----------
    file : binary file
    x : Maze, StreamedMaze or array_like of shape (h, w)
        A maze, or walls (1) and roads (0).
    solution : Solution, optional
        What `meiro.solve` found in `x`.
    scale : int
        Pixels a site, each way.
    outside : {"blank", "wall"}
        Whether pixels outside a mask are transparent, or wall.
    posts : bool
        Whether the posts of a maze at which no wall ends are drawn.
    explored : bool
        Whether the sites that the search visited have a colour.
    colors : mapping of str to color, optional
        Others than those of the palette.
    threads : int or "all"
        How many compress; the file is the same.

    Raises
    ------
    TypeError
        If `scale` is not an integer.
    ValueError
        If `scale` is less than 1, or `solution` is of another maze: of another shape, or through a wall.
    """
    scale, n = integer(scale, "scale", 1, 1 << 31), thread_count(threads)
    height, width, source = site_bands(x, SITES // scale, posts=posts)
    if max(height, width) * scale >= 1 << 31:
        raise ValueError(
            f"scale={scale} makes {width * scale:,} x {height * scale:,} pixels; PNG ends at 2,147,483,647"
        )
    size = height * scale, width * scale
    mask, wrap = (x.mask, x.wrap) if isinstance(x, Maze) and outside == "blank" else (None, FLAT)
    if solution is None and mask is None and colors is None:
        one_bit = (np.packbits(_widen(band ^ np.uint8(1), scale), axis=1) for _, band in source)
        png.write(file, size, one_bit, depth=1, repeat=scale, threads=n)
        return
    colored: Iterator[Band] = ((first, band ^ np.uint8(1)) for first, band in source)
    if solution is not None:
        from meiro.drawing.routes import site_pieces

        drawn = x if isinstance(x, Maze) else walls(x)  # type: ignore[arg-type]  # a stream has no solution
        pieces = site_pieces(drawn, solution, "solution")
        path = np.concatenate([np.empty(0, np.int64), *(piece @ (width, 1) for piece in pieces)])
        path.sort()
        colored = _with_solution(colored, width, solution, path, posts=posts, explored=explored)
    palette, transparent = PALETTE, None
    if colors is not None:
        paints = checked_colors(colors, {name: color.hex for name, color in COLORS.items()})
        palette = bytes.fromhex("".join(paints.values()).replace("#", ""))[: len(PALETTE)]
    if mask is not None:
        palette, transparent = palette + bytes(LIGHT.road), OUTSIDE
        colored = _without_outside(colored, mask, wrap)
    four_bits = (png.pack_nibbles(_widen(band, scale)) for _, band in colored)
    png.write(
        file,
        size,
        four_bits,
        depth=4,
        palette=palette,
        transparent=transparent,
        repeat=scale,
        threads=n,
    )


def _widen(band: NDArray[np.uint8], scale: int) -> NDArray[np.uint8]:
    return band if scale == 1 else np.repeat(band, scale, axis=1)


def _without_outside(source: Iterator[Band], mask: NDArray[np.bool_], wrap: Wrap) -> Iterator[Band]:
    """Color the sites that touch no cell."""
    for first, colors in source:
        colors[outside_sites(mask, wrap, first, first + len(colors))] = OUTSIDE
        yield first, colors


def _with_solution(
    source: Iterator[Band],
    width: int,
    solution: Solution,
    path: NDArray[np.int64],
    *,
    posts: bool,
    explored: bool,
) -> Iterator[Band]:
    """Color bands: wall 0, road 1, visited 2, path 3, start 4, goal 5; `path` is sorted row * width + col."""
    from meiro.mazes.coordinates import explored_sites

    in_cells = solution.space == "cells"
    for first, band in source:
        last = first + len(band)
        if not explored:
            seen = np.zeros(band.shape, np.bool_)
        elif in_cells:
            seen = explored_sites(solution.explored, first, last, solution.wrap)
            if not posts:  # between two pairs of explored cells
                rows = seen[first % 2 :: 2]
                rows[:, 2:-1:2] = rows[:, 1:-2:2] & rows[:, 3::2]
                rows[:, 0] = rows[:, -1] = rows[:, 1] & rows[:, -2]
        else:
            seen = solution.explored[first:last]
        colors = band + (seen & band)  # a road that was seen: 2, as the palette has it
        flat = colors.reshape(-1)
        begin, end = np.searchsorted(path, [first * width, last * width])
        flat[path[begin:end] - first * width] = _PATH
        for place, color in ((solution.start, _START), (solution.goal, _GOAL)):
            row, col = (2 * place[0] + 1, 2 * place[1] + 1) if in_cells else place
            if first <= row < last:
                colors[row - first, col] = color
        yield first, colors


def _draw(file: IO[bytes], x: Any, options: dict[str, Any]) -> None:
    """Draw as on a page, `scale` pixels a cell, or as a printer does where lengths are given."""
    from meiro.drawing.page import page_of
    from meiro.io.paper import pictures_of, require_pdf

    scale = options.pop("scale", None)
    on_paper = any(options.get(name) is not None for name in ("page", "mm"))
    pictures = pictures_of(x, options, puzzle=options.get("page") is not None)
    require_pdf(pictures)
    page = page_of(pictures, options if on_paper else {**options, "mm": 5.0}, "fit")
    cell = page.mazes[0].cell
    resolution = (
        _PRINT if on_paper and scale is None else integer(scale or _SCALE, "scale", 1, 1 << 16) / cell
    )
    width, height = (max(round(side * resolution), 1) for side in (page.width, page.height))
    if max(width, height) > _MOST_PIXELS:
        raise ValueError(
            f"scale={resolution * cell:.6g} makes {width:,} x {height:,} pixels: at most {_MOST_PIXELS:,} a "
            "side are drawn"
        )
    require(12 * width * height, f"a picture of {width:,} x {height:,} pixels", "give a smaller scale=")
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.pdf import write_pixels
    write_pixels(file, page, resolution)
