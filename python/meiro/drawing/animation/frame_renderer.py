"""Frames of one or several traces as pictures whose pixels are indices into a palette.

An index is the colour of a site (0 to 15, see `meiro.colors.Theme`; with clusters 0 to 24) plus 16 (or 25)
times the amount of ink on it, in `_LEVELS` steps: so letters are smooth, and a picture has 16 colours without
letters and 128 (or 200) with them; and mixtures with the walls of lattices.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro._utils.pixel_layout import Layout, layout_of
from meiro.colors import Color, Theme
from meiro.drawing.frame_raster import INKS, SquaresRaster, free_side, ink_colors, raster_of
from meiro.drawing.numbers import STANDING, Numbers, paints_of, wall_places, with_clusters
from meiro.drawing.palette import luminance, needs_bright_ink
from meiro.traces.events import Paint, label_text
from meiro.traces.frame_deltas import common_legend, frame_colors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from PIL import ImageFont

    from meiro._utils.paper import Outside
    from meiro._utils.square import Shape
    from meiro.traces.trace import Trace

    Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_LEVELS = 8
_SMOOTH = 16 * (_LEVELS - 1)  # from the mixtures with ink to those with a wall
_HALF = slice(INKS // 2, INKS // 2 + 1)  # of the mixtures with a wall, the one in the middle
_INK = Theme._fields.index("ink")
_CAPTION = 15  # pixels, the size of its letters
_SPACE = "  "  # one is too narrow in this size
_SMALLEST, _LARGEST = 9, 40  # sizes of digits: the smallest that can be read, and past the largest
_ROOMS_LEFT_OUT = 0.25  # of the cells may be too small for their numbers
_GAP = 16  # pixels between pictures
_MARGIN = 8  # around them, where there are captions
_LONGEST = 160  # pixels of a title wider than its picture
_IN_A_ROW = 3  # more are arranged in a square


class FrameRenderer:
    """Draws traces side by side, after any number of events.

    Attributes
    ----------
    size : (int, int)
        Height and width in pixels.
    colors : ndarray of uint8, shape (n, 3), n <= 256
        Red, green and blue of what `draw` returns.
    """

    def __init__(
        self,
        traces: Sequence[Trace],
        titles: Sequence[str] | None,
        *,
        numbers: Numbers,
        size: int,
        theme: str,
        outside: Outside,
        legend: bool = False,
        own: Any = None,
    ) -> None:
        colors = paints_of(theme, own)
        walls_smooth = any(trace.lattice is not None for trace in traces)
        self._paints = len(colors) if numbers == "clusters" else 16
        self._renderers = [
            _TraceRenderer(trace, size, numbers=numbers, paints=self._paints, outside=outside)
            for trace in traces
        ]
        lettered = bool(numbers) or legend or titles is not None
        self.colors: NDArray[np.uint8] = _colors(colors, self._paints, ink=lettered or walls_smooth)
        if walls_smooth:
            walls = ink_colors(colors, self._paints).reshape(INKS, -1, 3)
            amounts = slice(1, None) if self._paints == 16 else _HALF
            self.colors = np.concatenate([self.colors, walls[amounts].reshape(-1, 3)])
        self._titles = titles
        if titles is None:
            self.size: Shape = self._renderers[0].size
        else:
            self._font = _font(_CAPTION)
            self._arrange([title.replace(" ", _SPACE) for title in titles])
        sheet, self._legend = self.size, None
        if legend:
            entries = common_legend(traces, clusters=numbers == "clusters")
            self._legend = _legend(entries, self.size[1], self._paints)
            height, width = self._legend.shape
            self.size = self.size[0] + height, max(self.size[1], width)
        height, width = self.size
        what = f"pictures of {height:,} x {width:,} pixels"
        require(4 * height * width, what, "give a smaller size=, or watch a smaller maze")
        if titles is not None:
            self._blank = np.zeros(sheet, np.uint8)
            for title, (top, left), width in zip(self._cut, self._corners, self._widths, strict=True):
                self._write_text(self._blank, title, top, (left, left + width), right=False)

    def draw(self, events: int) -> NDArray[np.uint8]:
        """Return the picture after a number of events."""
        picture = self._draw(events)
        if self._legend is None:
            return picture
        sheet = np.zeros(self.size, np.uint8)
        for part, top in ((picture, 0), (self._legend, self.size[0] - len(self._legend))):
            height, width = part.shape[0], min(part.shape[1], self.size[1])
            left = (self.size[1] - width) // 2
            sheet[top : top + height, left : left + width] = part[: self.size[0] - top, :width]
        return sheet

    def _draw(self, events: int) -> NDArray[np.uint8]:
        if self._titles is None:
            return self._renderers[0].draw(events)
        sheet = self._blank.copy()
        for renderer, (top, left), width in zip(self._renderers, self._corners, self._widths, strict=True):
            self._write_text(
                sheet, _count_text(renderer.trace, events), top, (left, left + width), right=True
            )
            picture = renderer.draw(events)
            height, across = picture.shape
            sheet[top + self._line : top + self._line + height, left : left + across] = picture
        return sheet

    def _arrange(self, titles: Sequence[str]) -> None:
        """Lay out the traces and their captions."""
        counts = [
            math.ceil(self._font.getlength(_count_text(p.trace, _span(p.trace)) + 2 * _SPACE))
            for p in self._renderers
        ]
        widths = [max(p.size[1] - n, _LONGEST) for p, n in zip(self._renderers, counts, strict=True)]
        self._cut = [_cut(title, self._font, width) for title, width in zip(titles, widths, strict=True)]
        self._line = round(1.5 * _CAPTION)
        self._widths = [
            max(renderer.size[1], math.ceil(self._font.getlength(title)) + count)
            for renderer, title, count in zip(self._renderers, self._cut, counts, strict=True)
        ]
        many = len(titles)
        columns = many if many <= _IN_A_ROW else math.isqrt(many - 1) + 1
        wide = [max(self._widths[i::columns]) for i in range(columns)]
        high = [
            max(p.size[0] for p in self._renderers[i : i + columns]) + self._line
            for i in range(0, many, columns)
        ]
        lefts, tops = (np.cumsum([_MARGIN, *(n + _GAP for n in sides)]).tolist() for sides in (wide, high))
        self._corners = [(tops[i // columns], lefts[i % columns]) for i in range(many)]
        self.size = tops[-1] - _GAP + _MARGIN, lefts[-1] - _GAP + _MARGIN

    def _write_text(
        self, sheet: NDArray[np.uint8], text: str, top: int, sides: tuple[int, int], *, right: bool
    ) -> None:
        ink = _ink(text, self._font, self._line, round(0.35 * _CAPTION)) * np.uint8(self._paints)
        left = sides[1] - ink.shape[1] if right else sides[0]
        sheet[top : top + len(ink), left : left + ink.shape[1]] += ink


class _TraceRenderer:
    """Draws one trace. The walls of lattices have smooth edges: the last colours are their mixtures.

    With the colours of clusters only one mixture of each fits into a palette.
    """

    def __init__(self, trace: Trace, size: int, *, numbers: Numbers, paints: int, outside: Outside) -> None:
        self.trace, self._outside, self._paints = trace, outside, paints
        raster = self._raster = raster_of(trace, size, paints)
        self.size: Shape = raster.size
        self._writing, self._walls = _Writing(self.size, paints), np.empty((0, 3), np.int64)
        for text, x, y, high in raster.titles:
            letters = min(round(high), _CAPTION)
            if letters >= _SMALLEST:
                self._writing.write_title(text, letters, (x, y))
        if numbers == "walls" and isinstance(raster, SquaresRaster):
            self._walls = wall_places(trace)
            self._write_wall_ids(raster.layout)
        elif numbers:
            rooms, digits = raster.rooms, len(str(len(raster.rooms)))
            room = float(np.quantile(rooms[rooms > 0], _ROOMS_LEFT_OUT, method="lower"))

            def fits(letters: int, room: float = room) -> bool:
                return _fits(_digit(_font(letters)), digits, room)

            letters = _largest(fits)
            if not letters and trace.lattice is None:
                _refuse(trace, digits, lambda layout: fits(_SMALLEST, free_side(layout)))
            if not letters:
                _, wide = _digit(_font(_SMALLEST))
                raise _unreadable(digits, math.ceil(size * max(_SMALLEST, wide * digits) / room) + 1)
            self._writing.write_numbers(letters, raster.centers, rooms)

    def _write_wall_ids(self, layout: Layout) -> None:
        """Write the ids of the walls that stand from now on, each in the middle of its wall."""
        digits, pitch = len(str(self._walls[:, 0].max(initial=0))), layout.wall + layout.cell
        letters = _largest(lambda letters: _fits_wall(letters, digits, pitch))
        if len(self._walls) and not letters:
            _refuse(
                self.trace, digits, lambda layout: _fits_wall(_SMALLEST, digits, layout.wall + layout.cell)
            )
        ends = (np.append(0, np.cumsum(layout.lines(count))) for count in self.trace.grid_shape)
        rows, cols = ((end[at] + end[at + 1]) / 2 for end, at in zip(ends, self._walls[:, 1:].T, strict=True))
        rooms = np.full(len(self._walls), np.inf)
        self._writing.write_numbers(letters, np.stack([cols, rows], axis=1), rooms, ground=1)

    def draw(self, events: int) -> NDArray[np.uint8]:
        frame = _frame_after(self.trace, events)
        places = frame_colors(self.trace, frame, outside=self._outside)
        shown = with_clusters(self.trace, places, frame) if self._paints > 16 else places
        picture = self._raster.draw(shown)
        if self.trace.lattice is not None and self._paints == 16:
            picture[picture >= 16] += np.uint8(_SMOOTH)
        elif self.trace.lattice is not None:
            ink, picture = np.divmod(picture, np.uint8(self._paints))
            picture[ink >= _HALF.start // 2] += np.uint8(_LEVELS * self._paints)
            picture[ink >= INKS - _HALF.start // 2] = Paint.WALL
        if len(self._walls):
            ids, *places_of = self._walls.T
            self._writing.renew(np.where(STANDING[places[*places_of]], ids, -1))
        elif self._writing.has_numbers:
            self._writing.renew(self.trace.frame(frame).labels)
        self._writing.put_on(picture)
        return picture


def _span(trace: Trace) -> int:
    """Return the number of events of the window."""
    return trace.window[1] - trace.window[0]


def _frame_after(trace: Trace, events: int) -> int:
    """Return the number of the frame after some events of the window."""
    return len(trace) - 1 if events >= _span(trace) else events // trace.every - 1


def _count_text(trace: Trace, events: int) -> str:
    """Return how many events have happened, in words."""
    done = trace.position(_frame_after(trace, events)) + trace.window[0]
    return f"{done:,}{_SPACE}event" + "s" * (done != 1)


def _largest(fits: Callable[[int], bool]) -> int:
    """Return the largest font size that fits and can be read, 0 if no size does."""
    return max(filter(fits, range(_SMALLEST, _LARGEST)), default=0)


def _fits(digit: Sequence[int], digits: int, room: float) -> bool:
    """Return whether a number can be written in a cell; `digit` is the height and width of one."""
    high, wide = digit
    return high <= min(max(0.6 * room, _SMALLEST), room) and wide * digits <= room


class _Writing:
    """Titles, and numbers in cells or on walls; only numbers that change are drawn anew."""

    has_numbers = False

    def __init__(self, size: Shape, paints: int) -> None:
        self._paints = paints
        self._sheet: NDArray[np.uint8] | None = None
        self._size = size

    def write_title(self, text: str, letters: int, place: tuple[float, float]) -> None:
        """Write a line of text, with the middle of its base line at a place."""
        ink = _ink(text, _font(letters), round(1.3 * letters), round(0.3 * letters)) * np.uint8(self._paints)
        x, y = place
        self._write(ink, (x, y - ink.shape[0] / 4))

    def write_numbers(
        self, letters: int, centers: NDArray[Any], rooms: NDArray[Any], *, ground: int = 0
    ) -> None:
        """Write numbers from now on, around these centres where they have room.

        With `ground` each stands on a piece of bare ground, which is wider by so many pixels.
        """
        self._digits, self.has_numbers = _digits(letters, self._paints), True
        self._centers, self._rooms, self._ground = centers, rooms, ground
        self._labels = np.full(len(rooms), -1, np.int32)
        self._boxes: dict[int, tuple[slice, slice]] = {}

    def put_on(self, picture: NDArray[np.uint8]) -> None:
        """Write on the picture of a frame, but not on walls that are mixtures."""
        for box in self._boxes.values() if self.has_numbers and self._ground else ():
            picture[box] = 0
        if self._sheet is not None:
            picture += np.where(picture < self._paints, self._sheet, 0).astype(np.uint8)

    def renew(self, labels: NDArray[Any] | None) -> None:
        """Change the numbers: a cell of -1 gets no number, and without `labels` no cell does."""
        labels = np.full(len(self._rooms), -1, np.int32) if labels is None else labels.reshape(-1)
        for cell in np.flatnonzero(labels != self._labels).tolist():
            if self._sheet is not None and cell in self._boxes:
                self._sheet[self._boxes.pop(cell)] = 0
            if labels[cell] != -1:
                ink = np.pad(np.hstack([self._digits[d] for d in label_text(labels[cell])]), self._ground)
                if _fits(ink.shape, 1, self._rooms[cell]):
                    self._boxes[cell] = self._write(ink, self._centers[cell].tolist())
        self._labels = labels

    def _write(self, ink: NDArray[np.uint8], center: Sequence[float]) -> tuple[slice, slice]:
        """Write ink around a place, and return where it is."""
        if self._sheet is None:
            self._sheet = np.zeros(self._size, np.uint8)
        high, wide = ink.shape
        left, top = (
            max(min(int(at - side / 2 + 0.5), most - side), 0)
            for at, side, most in zip(center, (wide, high), self._size[::-1], strict=True)
        )
        box = slice(top, top + high), slice(left, left + wide)
        under = self._sheet[box]
        under[:] = ink[: under.shape[0], : under.shape[1]]
        return box


def _fits_wall(size: int, digits: int, pitch: int) -> bool:
    high, wide = _digit(_font(size))
    return size < 2 * _SMALLEST and high <= 0.4 * pitch and wide * digits + 2 <= 0.75 * pitch


def _unreadable(digits: int, size: int) -> ValueError:
    """Build an error that names the smallest size= at which numbers can be read."""
    return ValueError(
        f"numbers of up to {digits} digits cannot be read in cells this small: "
        f"give size={size} or more, or numbers=False"
    )


def _refuse(trace: Trace, digits: int, fits: Callable[[Layout], bool]) -> NoReturn:
    """Raise a ValueError that names the smallest size= of squares at which numbers can be read."""
    cells, grid = trace.space == "cells", trace.grid_shape
    long = max(grid) // 2 if cells else max(grid)
    for pitch in range(1, 100):
        if fits(layout_of(grid, cells=cells, size=pitch * long)):
            raise _unreadable(digits, pitch * long)
    raise ValueError(
        f"numbers of up to {digits} digits fit no cell: watch a smaller maze, or give numbers=False"
    )


def _colors(colors: Sequence[Color], paints: int, *, ink: bool) -> NDArray[np.uint8]:
    """Return the first `paints` colours, and their mixtures with dark or bright ink, which contrasts more."""
    plain = np.array(colors[:paints], np.float64)
    if not ink:
        return plain.astype(np.uint8)
    dark, bright = sorted((colors[_INK], colors[0]), key=luminance)
    inks = np.where(needs_bright_ink(plain)[:, None], bright, dark)
    share = np.linspace(0, 1, _LEVELS)[:, None, None]
    return np.rint(plain + (inks - plain) * share).astype(np.uint8).reshape(-1, 3)


@lru_cache(maxsize=64)
def _font(size: int) -> Font:
    with requires_extra("image", "Pillow"):
        from PIL import ImageFont
    return ImageFont.load_default(size)


def _digit(font: Font) -> tuple[int, int]:
    """Return the height and width of digits."""
    _, top, right, bottom = font.getbbox("0123456789", anchor="ls")
    return math.ceil(bottom - top), math.ceil(right / 10)


def _legend(entries: dict[int, str], width: int, paints: int) -> NDArray[np.uint8]:
    """Return a legend about as wide as a picture: a square of each colour, and what it means."""
    font, high = _font(_CAPTION), round(1.5 * _CAPTION)
    parts = []
    for paint, text in entries.items():
        square = np.zeros((high, high + _MARGIN), np.uint8)
        square[4:-4, 4 : high - 4] = Paint.WALL  # a frame
        square[5:-5, 5 : high - 5] = paint
        ink = _ink(text.replace(" ", _SPACE), font, high, round(0.35 * _CAPTION)) * np.uint8(paints)
        parts.append(np.hstack([square, ink, np.zeros((high, _GAP), np.uint8)]))
    wide = max(width, max((part.shape[1] for part in parts), default=0))
    rows: list[list[NDArray[np.uint8]]] = [[]]
    for part in parts:
        if sum(other.shape[1] for other in rows[-1]) + part.shape[1] > wide:
            rows.append([])
        rows[-1].append(part)
    picture = np.zeros((len(rows) * high + _MARGIN, wide), np.uint8)
    for i, row in enumerate(rows):
        line = np.hstack(row) if row else np.zeros((high, 0), np.uint8)
        picture[_MARGIN + i * high : _MARGIN + (i + 1) * high, : line.shape[1]] = line
    return picture


def _digits(size: int, paints: int) -> dict[str, NDArray[np.uint8]]:
    """Return the ink of the digits, ready to be added to a picture."""
    font = _font(size)
    high, wide = _digit(font)
    digits = {str(d): _ink(str(d), font, high, 0, wide) for d in range(10)}
    return {d: ink * np.uint8(paints) for d, ink in (digits | _arrows(high, wide)).items()}


def _arrows(high: int, wide: int) -> dict[str, NDArray[np.uint8]]:
    """Return arrows as large as a digit, which fonts need not have: triangles that point to a side."""
    half = max(min(high, wide + 2) // 2, 2)
    across = np.abs(np.arange(-half, half + 1))
    up = (across[np.newaxis] <= np.arange(half + 1)[:, np.newaxis]) * np.uint8(_LEVELS - 1)
    return {label_text(-2 - d): np.rot90(up, -d) for d in range(4)}


def _cut(title: str, font: Font, width: int) -> str:
    """Return a title, cut to the width if it is too long."""
    if font.getlength(title) <= width:
        return title
    while title and font.getlength(title + "...") > width:
        title = title[:-1]
    return title + "..."


def _ink(text: str, font: Font, height: int, below: int, width: int | None = None) -> NDArray[np.uint8]:
    """Return the ink of a line of text, 0 to `_LEVELS` - 1, its baseline `below` pixels above the end."""
    from PIL import Image, ImageDraw

    wide = math.ceil(font.getlength(text)) if width is None else width
    image = Image.new("L", (max(wide, 1), height))
    ImageDraw.Draw(image).text((0, height - below), text, fill=255, font=font, anchor="ls")
    return np.rint(np.asarray(image) * ((_LEVELS - 1) / 255)).astype(np.uint8)
