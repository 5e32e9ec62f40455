"""Pages as PDF, by matplotlib's backend: vectors, and letters of its own font.

This module needs matplotlib; nothing imports it before a PDF is asked for. No figure of pyplot is made, and
of the settings of matplotlib that a user may have changed only those of PDF files (``pdf.``) have an effect.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf, PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from meiro.drawing.lines import chords, dots_seen
from meiro.drawing.matplotlib.fonts import fonts_for
from meiro.drawing.matplotlib.overlays import paths_of
from meiro.drawing.page import Label, label_of
from meiro.drawing.picture import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.artist import Artist
    from matplotlib.transforms import Transform

    from meiro.drawing.page import Page, Placed
    from meiro.drawing.picture import Pen

_INCH = 25.4
_POINT = _INCH / 72
_CHUNK = 1 << 13  # lines that are drawn at a time, so that Ctrl-C does not wait for all


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
        colors = page.pen.colors
        labels = [Label(*title, colors["text"]) for title in one.picture.geometry.titles]
        labels += [label_of(word, colors) for word in one.picture.words]
        for text, x, y, size, color, _ in labels:
            place = one.left + x * one.cell, one.top + y * one.cell
            _write_label(figure, page, Label(text, *place, size * one.cell, color))
    for label in page.labels:
        _write_label(figure, page, label)
    return figure


def _draw(figure: Figure, one: Placed, pen: Pen, place: Transform) -> None:
    """Draw a maze; `place` is from cells to the page."""
    around = Affine2D().translate(*one.picture.geometry.corner) + place
    for layer in one.layers(pen):
        color = pen.colors[layer.color]
        for path in paths_of(dots_seen(chords(layer.lines, 1), 1), _CHUNK):
            if layer.width is None:
                area = PathPatch(path, facecolor=color, edgecolor=color, linewidth=0.1)
                _add(figure, area, around)
            else:
                line = _stroke(path, color, layer.width * one.cell, layer.caps)
                line.set_alpha(None if layer.opacity == 1 else layer.opacity)
                _add(figure, line, around)
    for name, middle in one.picture.middles:
        (radius, rim), color = MARKS[name], pen.colors[name]
        circle = Path.circle(middle, radius)
        _add(figure, PathPatch(circle, facecolor="white" if rim else color, linewidth=0), place)
        if rim:
            _add(figure, _stroke(circle, color, rim * one.cell, "round"), place)


def _stroke(path: Path, color: str, width: float, caps: str) -> PathPatch:
    line = PathPatch(path, fill=False, edgecolor=color, linewidth=width / _POINT)
    line.set_capstyle({"square": "projecting"}.get(caps, caps))  # type: ignore[arg-type]
    line.set_joinstyle("miter" if caps == "square" else "round")
    return line


def _add(figure: Figure, artist: Artist, place: Transform) -> None:
    artist.set_transform(place)
    artist.set_sketch_params()
    artist.set_path_effects([])
    figure.add_artist(artist)


def _write_label(figure: Figure, page: Page, label: Label) -> None:
    text = Text(
        label.x / page.width,
        1 - label.y / page.height,
        label.text,
        color=label.color,
        fontproperties=FontProperties(family=fonts_for(label.text), size=label.size / _POINT),
        ha={"middle": "center", "end": "right"}[label.anchor],
        va="baseline",
        usetex=False,
        parse_math=False,
    )
    _add(figure, text, figure.transFigure)
