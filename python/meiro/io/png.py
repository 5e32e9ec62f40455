"""PNG files: a pixel a site, or what matplotlib draws: lattices, and mazes with what only pages have."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro._utils.validation import boolean, integer
from meiro.io import png_writer
from meiro.mazes._outside import checked_outside
from meiro.spaces.space_of import are_several, lattice_of

if TYPE_CHECKING:
    from meiro._utils.paper import Outside

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
        png_writer.write_png(file, x, outside=outside, posts=posts, **options)
        return
    for name, value, usual in (("posts", posts, True), ("threads", options.pop("threads", None), None)):
        if value != usual:
            *_, other = options.keys() - _OF_PIXELS or ["a lattice"]
            msg = f"{name}= is for pictures of a pixel a site, which have no {other}="
            raise ValueError(msg)
    _draw(file, x, {"outside": outside, "explored": True, **options})


def _draw(file: IO[bytes], x: Any, options: dict[str, Any]) -> None:
    """Draw as on a page, `scale` pixels a cell, or as a printer does where lengths are given."""
    from meiro.drawing.page import format_of, lay_out, title_of
    from meiro.drawing.svg import pen_for
    from meiro.io.paper import pictures_of, require_pdf

    scale = options.pop("scale", None)
    on_paper = any(options.get(name) is not None for name in ("page", "mm"))
    pictures = pictures_of(x, options, puzzle=options.get("page") is not None)
    require_pdf(pictures)
    lengths = options if on_paper else {**options, "mm": 5.0}
    page = lay_out(pictures, pen_for(pictures, options), format_of(lengths, "fit"), title_of(options))
    cell = page.mazes[0].cell
    resolution = (
        _PRINT if on_paper and scale is None else integer(scale or _SCALE, "scale", 1, 1 << 16) / cell
    )
    width, height = (max(round(side * resolution), 1) for side in (page.width, page.height))
    if max(width, height) > _MOST_PIXELS:
        msg = (
            f"scale={resolution * cell:.6g} makes {width:,} x {height:,} pixels: at most {_MOST_PIXELS:,} a "
            "side are drawn"
        )
        raise ValueError(msg)
    require(12 * width * height, f"a picture of {width:,} x {height:,} pixels", "give a smaller scale=")
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.pdf import write_pixels
    write_pixels(file, page, resolution)
