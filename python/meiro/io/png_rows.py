"""The bytes of a PNG picture: out of the zlib stream, unfiltered, unpacked, to brightness.

The filters None, Sub and Up are running sums. Average and Paeth need the left, the upper and the upper left
byte, so a row cannot be done in one NumPy call; the pixels of an anti-diagonal can. Rows with such filters go
through `_wave`, which walks over the diagonals: about width + rows steps for a whole band, not width * rows.
"""

from __future__ import annotations

import zlib
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

SUB, UP, AVERAGE, PAETH = 1, 2, 3, 4


def unfilter(lines: NDArray[np.uint8], above: NDArray[np.uint8], pixel: int) -> NDArray[np.uint8]:
    """Undo the filters of a band of rows.

    Parameters
    ----------
    lines : ndarray of uint8, shape (n, 1 + row bytes)
        The filter byte of each row, 0 to 4, and its bytes.
    above : ndarray of uint8, shape (row bytes,)
        The finished row above the band; zeros above the first.
    pixel : int
        Bytes from one pixel to the next, at least 1.

    Returns
    -------
    ndarray of uint8, shape (n, row bytes)
        The finished rows, a new array.
    """
    kinds = lines[:, 0]
    rows = np.ascontiguousarray(lines[:, 1:])
    hard = np.flatnonzero(kinds >= AVERAGE)
    first, last = (int(hard[0]), int(hard[-1]) + 1) if hard.size else (len(rows), len(rows))
    _sums(kinds[:first], rows[:first], above, pixel)
    if first < last:
        _wave(kinds[first:last], rows[first:last], rows[first - 1] if first else above, pixel)
    if last < len(rows):
        _sums(kinds[last:], rows[last:], rows[last - 1], pixel)
    return rows


def _sums(kinds: NDArray[np.uint8], rows: NDArray[np.uint8], above: NDArray[np.uint8], pixel: int) -> None:
    """None, Sub and Up, in place, a run of equal filters at a time."""
    if len(rows) == 0:
        return
    cuts = [0, *(np.flatnonzero(kinds[1:] != kinds[:-1]) + 1).tolist(), len(rows)]
    for start, stop in pairwise(cuts):
        run = rows[start:stop]
        if kinds[start] == SUB:
            for channel in range(pixel):
                part = run[:, channel::pixel]
                np.add.accumulate(part, axis=1, dtype=np.uint8, out=part)
        elif kinds[start] == UP:
            run[0] += rows[start - 1] if start else above
            for row in range(1, len(run)):
                run[row] += run[row - 1]


def _wave(kinds: NDArray[np.uint8], rows: NDArray[np.uint8], above: NDArray[np.uint8], pixel: int) -> None:
    """All filters, in place, one anti-diagonal after the other."""
    n, width = len(rows), rows.shape[1] // pixel
    # skew[d, i + 1] is the pixel of row i in column d - i - 1; slot 0 is the row above the band, in column d.
    # Columns left of the picture are zeros and stay so; what is right of it is read by no pixel inside.
    skew = np.zeros((width + n + 1, n + 1, pixel), np.uint8)
    step = (n + 2) * pixel, (n + 1) * pixel, 1
    inside = np.lib.stride_tricks.as_strided(skew.reshape(-1)[pixel * (n + 2) :], (n, width, pixel), step)
    inside[:] = rows.reshape(n, width, pixel)
    skew[:width, 0] = above.reshape(width, pixel)
    masks = {k: np.repeat(np.where(kinds == k, -1, 0).astype(np.int16), pixel) for k in set(kinds.tolist())}
    flat = skew.reshape(width + n + 1, -1)
    before = np.zeros((n + 1) * pixel, np.int16)
    last = flat[0].astype(np.int16)
    for d in range(1, width + n):
        now = flat[d].astype(np.int16)
        now[pixel:] += _predicted(last[pixel:], last[:-pixel], before[:-pixel], masks)
        now &= 255
        flat[d] = now
        before, last = last, now
    rows.reshape(n, width, pixel)[:] = inside


def _predicted(
    left: NDArray[np.int16],
    up: NDArray[np.int16],
    corner: NDArray[np.int16],
    masks: dict[int, NDArray[np.int16]],
) -> NDArray[np.int16]:
    total = np.zeros_like(left)
    if PAETH in masks:
        by_left, by_up = up - corner, left - corner
        by_corner = np.abs(by_left + by_up)
        np.abs(by_left, out=by_left)
        np.abs(by_up, out=by_up)
        best = np.where(by_up < by_left, up, left)
        np.copyto(best, corner, where=by_corner < np.minimum(by_left, by_up))
        total += best & masks[PAETH]
    if AVERAGE in masks:
        total += ((left + up) >> 1) & masks[AVERAGE]
    if SUB in masks:
        total += left & masks[SUB]
    if UP in masks:
        total += up & masks[UP]
    return total


def unpack(rows: NDArray[np.uint8], table: NDArray[np.uint8], depth: int) -> NDArray[np.uint8]:
    """Look up each pixel of packed rows: one step for the 8 / depth pixels of a byte."""
    each = 8 // depth
    codes = np.arange(256)[:, None] >> np.arange(8 - depth, -1, -depth) & ((1 << depth) - 1)
    whole = np.ascontiguousarray(table[codes]).view(f"u{each}")[:, 0]
    return whole[rows].view(np.uint8)


def luminance(colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Brightness of (..., 3 or more) red, green, blue: ITU-R BT.601 in the whole numbers that Pillow uses."""
    total = colors[..., 0] * np.uint32(19595)
    total += colors[..., 1] * np.uint32(38470)
    total += colors[..., 2] * np.uint32(7471)
    total += np.uint32(0x8000)
    return (total >> 16).astype(np.uint8)


def on_white(values: NDArray[np.uint8], alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Brightness of what lies on white, `alpha` of 255 hiding it wholly."""
    dark = (np.uint16(255) - values) * alpha  # at most 255 * 255
    return (np.uint16(255) - (dark + np.uint16(127)) // np.uint16(255)).astype(np.uint8)


class Inflate:
    """Bytes out of a zlib stream that comes in pieces, as many as asked for.

    Parameters
    ----------
    pieces : iterator of bytes
        The stream. It is run to its end by `finish`.
    fail : callable
        Raises the exception that says what is wrong with the stream.
    """

    def __init__(self, pieces: Iterator[bytes], fail: Callable[[str], NoReturn]) -> None:
        self._pieces = pieces
        self._fail = fail
        self._stream = zlib.decompressobj()
        self._waiting = b""

    def take(self, count: int) -> NDArray[np.uint8]:
        """Return the next `count` bytes."""
        out = np.empty(count, np.uint8)
        done = 0
        while done < count:
            piece, ended = self._next(count - done)
            if not piece and ended:
                self._fail(f"ends too early: {count - done:,} bytes of pixels are missing")
            out[done : done + len(piece)] = np.frombuffer(piece, np.uint8)
            done += len(piece)
        return out

    def finish(self) -> None:
        """Check what follows the last pixel: the end of the stream and of the file."""
        while not self._next(1 << 16)[1]:  # more pixels than the picture has are left alone
            pass
        for _ in self._pieces:
            pass

    def _next(self, most: int) -> tuple[bytes, bool]:
        """Return at most so many bytes, and whether there was nothing left to make them of."""
        if self._stream.eof:
            return b"", True
        ended = False
        if not self._waiting:
            self._waiting = next(self._pieces, b"")
            ended = not self._waiting
        try:
            piece = self._stream.decompress(self._waiting, most)
        except zlib.error as e:
            self._fail(f"has damaged pixels: {e}")
        self._waiting = self._stream.unconsumed_tail
        return piece, ended and not piece
