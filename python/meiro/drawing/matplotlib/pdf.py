"""Pages as PDF, by matplotlib's backend: vectors, and letters of its own font.

This module needs matplotlib; nothing imports it before a PDF is asked for. No figure of pyplot is made, and
of the settings of matplotlib that a user may have changed only those of PDF files (``pdf.``) have an effect.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf, PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from meiro.drawing.graph_outline import chords, dots_seen
from meiro.drawing.graph_picture import GraphPicture, layers
from meiro.drawing.page import COLORS, DOT, RING, Label
from meiro.drawing.raster import runs_of, wall_segments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.artist import Artist
    from matplotlib.transforms import Transform
    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Lines
    from meiro.drawing.page import Page, Pen, Picture, Placed

_INCH = 25.4
_POINT = _INCH / 72
_CHUNK = 1 << 13  # lines that are drawn at a time, so that Ctrl-C does not wait for all
_FONT = FontProperties(family="DejaVu Sans")  # part of matplotlib


def write_pages(file: IO[bytes], pages: Iterable[Page], title: str) -> None:
    """Write pages to a binary file; the same pages give the same bytes."""
    about = {"Creator": "meiro", "CreationDate": None, **({"Title": title} if title else {})}
    try:
        with PdfPages(file, metadata=about) as pdf:
            for page in pages:
                FigureCanvasPdf(_figure(page)).print_pdf(pdf)  # type: ignore[no-untyped-call]
    except Exception as e:
        # After an error of the disk matplotlib ends its open stream, and zlib's error hides the first one.
        cause: BaseException | None = e
        while cause is not None and not isinstance(cause, OSError):
            cause = cause.__context__
        if cause is None:
            raise
        raise cause from None


def write_pixels(file: IO[bytes], page: Page, scale: float) -> None:
    """Write a page as a PNG of `scale` pixels a millimetre."""
    figure = _figure(page)
    figure.patch.set(visible=True, facecolor="white")
    FigureCanvasAgg(figure)
    figure.savefig(file, format="png", dpi=scale * _INCH, facecolor="white", metadata={"Software": None})


def _figure(page: Page) -> Figure:
    figure = Figure((page.width / _INCH, page.height / _INCH), facecolor="none", edgecolor="none")
    figure.set_layout_engine("none")
    figure.patch.set_visible(False)
    for one in page.mazes:
        inches = Affine2D().scale(one.cell, -one.cell).translate(one.left, page.height - one.top)
        _draw(figure, one, page.pen, inches.scale(1 / _INCH) + figure.dpi_scale_trans)
        if isinstance(one.picture, GraphPicture):
            for text, x, y, size in one.picture.titles():
                place = one.left + x * one.cell, one.top + y * one.cell
                _write(figure, page, Label(text, *place, size * one.cell, page.pen.colors["text"]))
    for label in page.labels:
        _write(figure, page, label)
    return figure


def _draw(figure: Figure, one: Placed, pen: Pen, place: Transform) -> None:
    """Draw a maze; `place` is from cells to the page."""
    if isinstance(one.picture, GraphPicture):
        _draw_lattice(figure, one, one.picture, pen, place)
    else:
        _draw_squares(figure, one, one.picture, pen, place)
    radius, width = RING
    for name, middle in one.picture.middles().items():
        if name == "start":
            dot = PathPatch(Path.circle(middle, DOT), facecolor=pen.colors[name], linewidth=0)
            _add(figure, dot, place)
        else:
            ring = Path.circle(middle, radius)
            _add(figure, PathPatch(ring, facecolor="white", linewidth=0), place)
            _add(figure, _stroke(ring, pen.colors[name], width * one.cell, "round"), place)


def _draw_lattice(figure: Figure, one: Placed, picture: GraphPicture, pen: Pen, place: Transform) -> None:
    left, top, *_ = picture.plane.box
    cell = picture.plane.cell
    place = Affine2D().translate(-left / cell, -top / cell) + place
    road = pen.colors["road"] != COLORS["road"]
    shares = one.wall / one.cell, one.path / one.cell
    for layer in layers(picture, wall=shares[0], path=shares[1], caps=pen.caps, road=road):
        lines, color = dots_seen(chords(layer.lines, 1), 1), pen.colors[layer.color]
        for path in lattice_paths(lines, _CHUNK):
            if layer.width is None:
                path.should_simplify = False
                _add(figure, PathPatch(path, facecolor=color, edgecolor=color, linewidth=0.1), place)
            else:
                line = _stroke(path, color, layer.width * one.cell, layer.caps)
                line.set_alpha(None if layer.opacity == 1 else layer.opacity)
                _add(figure, line, place)


def lattice_paths(lines: Lines, chunk: int = 1 << 30) -> Iterable[Path]:
    """Yield lines as paths of matplotlib, some points at a time."""
    starts = lines.starts
    first = 0
    while first < len(starts) - 1:
        last = max(int(np.searchsorted(starts, starts[first] + chunk, side="right")) - 1, first + 1)
        points = lines.points[starts[first] : starts[last]]
        codes = np.full(len(points), Path.LINETO, Path.code_type)
        codes[starts[first:last] - starts[first]] = Path.MOVETO
        ends = starts[first + 1 : last + 1] - 1
        closed = (lines.points[ends] == lines.points[starts[first:last]]).all(axis=1)
        closed &= ends > starts[first:last]
        codes[ends[closed] - starts[first]] = Path.CLOSEPOLY
        yield Path(points, codes)
        first = last


def _draw_squares(figure: Figure, one: Placed, picture: Picture, pen: Pen, place: Transform) -> None:
    maze, corners, *_ = picture
    colors = pen.colors
    if colors["road"] != COLORS["road"]:
        cells = np.ones(maze.passages.shape, np.bool_) if maze.mask is None else maze.mask
        _fill(figure, cells, colors["road"], place)
    if maze.mask is not None and pen.outside == "wall":
        _fill(figure, ~maze.mask, colors["wall"], place)
    lines = wall_segments(maze, outside=pen.outside)
    for first in range(0, len(lines), _CHUNK):
        part = lines[first : first + _CHUNK]
        codes = np.tile(np.array([Path.MOVETO, Path.LINETO], Path.code_type), len(part))
        _add(figure, _stroke(Path(part.reshape(-1, 2), codes), colors["wall"], one.wall, pen.caps), place)
    if corners is not None and len(corners) > 1:
        for piece in _pieces(corners + np.float32(0.5)):
            _add(figure, _stroke(Path(piece), colors["path"], one.path, "round"), place)


def _pieces(corners: NDArray[np.float32]) -> Iterable[NDArray[np.float32]]:
    """Yield the corners of a path in pieces that begin where the piece before ends; NaN splits it."""
    for part in np.split(corners, np.flatnonzero(np.isnan(corners[:, 0]))):
        line = part[~np.isnan(part[:, 0])]
        for first in range(0, len(line) - 1, _CHUNK):
            yield line[first : first + _CHUNK + 1]


def _stroke(path: Path, color: str, width: float, caps: str) -> PathPatch:
    path.should_simplify = False  # every line counts
    line = PathPatch(path, fill=False, edgecolor=color, linewidth=width / _POINT)
    line.set_capstyle({"square": "projecting"}.get(caps, caps))  # type: ignore[arg-type]
    line.set_joinstyle("miter" if caps == "square" else "round")
    return line


def _fill(figure: Figure, cells: NDArray[np.bool_], color: str, place: Transform) -> None:
    runs = runs_of(cells)
    for begin in range(0, len(runs), _CHUNK):
        row, first, last = runs[begin : begin + _CHUNK].T
        corners = np.array([(first, row), (last, row), (last, row + 1), (first, row + 1), (first, row)])
        codes = np.tile(np.array([1, 2, 2, 2, 79], Path.code_type), len(row))
        path = Path(corners.transpose(2, 0, 1).reshape(-1, 2), codes)
        path.should_simplify = False
        _add(figure, PathPatch(path, facecolor=color, edgecolor=color, linewidth=0.1), place)


def _add(figure: Figure, artist: Artist, place: Transform) -> None:
    artist.set_transform(place)
    artist.set_sketch_params()
    artist.set_path_effects([])
    figure.add_artist(artist)


def _write(figure: Figure, page: Page, label: Label) -> None:
    font = get_font(findfont(_FONT))
    for letter in label.text:
        if not font.get_char_index(ord(letter)):
            msg = (
                f"{label.text!r}: the font of a PDF (DejaVu Sans) has no {letter!r}; write a .svg, which has"
            )
            raise ValueError(msg)
    text = Text(
        label.x / page.width,
        1 - label.y / page.height,
        label.text,
        color=label.color,
        fontproperties=FontProperties(family="DejaVu Sans", size=label.size / _POINT),
        ha="center",
        va="baseline",
        usetex=False,
        parse_math=False,
    )
    _add(figure, text, figure.transFigure)
