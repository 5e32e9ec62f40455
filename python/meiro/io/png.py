"""PNG files: of squares a pixel a site, of lattices what matplotlib draws."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro._utils.validation import integer
from meiro.io import png_writer
from meiro.mazes._outside import checked_outside
from meiro.spaces.space_of import lattice_of

if TYPE_CHECKING:
    from meiro._utils.paper import Outside
    from meiro.mazes.graph_maze import GraphMaze

_SCALE = 24  # pixels a cell
_MOST_PIXELS = 23_000  # a side, in what matplotlib draws


def write_png(
    file: IO[bytes], x: Any, *, outside: Outside = "blank", posts: bool = True, **options: Any
) -> None:
    """Write a maze of any kind, an array or a stream as a picture."""
    if lattice_of(x) is None:
        png_writer.write_png(file, x, outside=checked_outside(outside), posts=posts, **options)
    else:
        _write_lattice(file, x, **options)


def _write_lattice(
    file: IO[bytes],
    maze: GraphMaze,
    *,
    scale: int = _SCALE,
    solution: Any = None,
    start: Any = None,
    goal: Any = None,
) -> None:
    """Write a maze on a lattice, `scale` pixels a cell, in true colours."""
    from meiro.drawing.page import format_of, lay_out
    from meiro.drawing.picture import picture_of
    from meiro.drawing.svg import pen_for
    from meiro.io.paper import require_pdf

    scale = integer(scale, "scale", 1, 1 << 16)
    picture = picture_of(maze, solution, start, goal)
    require_pdf([picture])
    page = lay_out([picture], pen_for([picture], {}), format_of({"mm": 1.0}, "fit"))
    width, height = (max(round(side * scale), 1) for side in (page.width, page.height))
    if max(width, height) > _MOST_PIXELS:
        msg = f"scale={scale} makes {width:,} x {height:,} pixels: at most {_MOST_PIXELS:,} a side are drawn"
        raise ValueError(msg)
    require(12 * width * height, f"a picture of {width:,} x {height:,} pixels", "give a smaller scale=")
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.pdf import write_pixels
    write_pixels(file, page, scale)
