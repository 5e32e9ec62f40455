"""Read PNG (ISO/IEC 15948) with NumPy and zlib alone, band by band."""

from __future__ import annotations

import zlib
from typing import IO, TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from meiro._utils import memory
from meiro._utils.png import ALPHA, GREY, PALETTE, RGB, SIGNATURE
from meiro.io.png_rows import Inflate, luminance, on_white, unfilter, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_PIECE = 1 << 18
_BAND = 1 << 20
_INFLATE_MOST = 1032  # no deflate stream grows by more


class Block(NamedTuple):
    """A part of a picture: where it goes and its brightness, 0 to 255."""

    rows: slice
    cols: slice
    values: NDArray[np.uint8]


class Reader:
    """A PNG file, read once, front to back.

    Every colour type and depth of the standard, interlaced or not. Transparent pixels lie on white, 16 bits
    are cut to the upper 8, colours become brightness by ITU-R BT.601 with the whole numbers that Pillow uses.

    Parameters
    ----------
    file : binary file
        At the first byte of the picture.
    name : str
        What messages call it.

    Attributes
    ----------
    height, width : int
        In pixels.
    depth, colors : int
        Bits a sample and colour type, as the standard numbers them.
    palette : bytes
        Three bytes a colour; empty if there is none.
    levels : ndarray of uint8 or None
        The brightness of every value a pixel can have, where a pixel is one number of at most 8 bits.

    Raises
    ------
    ValueError
        If this is no PNG file or a damaged one; with the place. While `blocks` is run through, too.
    MemoryError
        If its brightness would not fit into memory.
    """

    def __init__(self, file: IO[bytes], name: str = "PNG") -> None:
        self._file = file
        self._name = name
        self._at = 0
        self.palette = b""
        self._clear = b""
        if self._take(8) != SIGNATURE:
            self._fail("is no PNG file")
        kind, length = self._chunk()
        if kind != b"IHDR" or length != 13:
            self._fail("begins with no IHDR chunk")
        self._header(self._body(kind, length))
        while True:
            kind, length = self._chunk()
            if kind == b"IDAT":
                break
            if kind == b"PLTE":
                self.palette = self._palette(self._body(kind, length, 768))
            elif kind == b"tRNS":
                self._clear = self._body(kind, length, 256)
            else:
                self._skip(kind, length)
        self._length = length
        if self.colors == PALETTE and not self.palette:
            self._fail("has no palette")
        self.levels = self._levels()
        self._passes = self._parts()
        self._check_size()

    def blocks(
        self, finish: Callable[[NDArray[np.uint8]], NDArray[np.uint8]] | None = None
    ) -> Iterator[Block]:
        """Go through the picture, some rows at a time.

        Parameters
        ----------
        finish : callable, optional
            Maps brightness to what is wanted, element by element. Asked once if `levels` is not None.

        Yields
        ------
        Block
        """
        table = self.levels if finish is None or self.levels is None else finish(self.levels)
        pixel = max(1, _CHANNELS[self.colors] * self.depth // 8)
        inflate = Inflate(self._data(), self._fail)
        wanted = min(max(self.height * self.width >> 4, _BAND), _BAND << 4)
        for x, y, dx, dy, width, height, row_bytes in self._passes:
            above = np.zeros(row_bytes, np.uint8)
            at_once = max(1, wanted // max(row_bytes, width))
            for start in range(0, height, at_once):
                stop = min(start + at_once, height)
                lines = inflate.take((stop - start) * (row_bytes + 1)).reshape(-1, row_bytes + 1)
                if (worst := lines[:, 0].max()) > 4:
                    row = y + dy * (start + int(lines[:, 0].argmax()))
                    self._fail(f"has the unknown filter {worst} in row {row}")
                rows = unfilter(lines, above, pixel)
                above = rows[-1].copy()
                if table is not None:
                    values = unpack(rows, table, self.depth)[:, :width]
                else:
                    values = self._brightness(rows, width)
                    values = values if finish is None else finish(values)
                yield Block(slice(y + dy * start, y + dy * (stop - 1) + 1, dy), slice(x, None, dx), values)
        inflate.finish()

    def _brightness(self, rows: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
        channels = _CHANNELS[self.colors]
        samples = rows.reshape(len(rows), width, channels, self.depth // 8)
        high = samples[..., 0]
        values = luminance(high) if self.colors & RGB else high[..., 0]
        if self.colors & ALPHA:
            return on_white(values, high[..., -1])
        if self._clear:
            key = np.frombuffer(self._clear, ">u2").astype(np.uint16)
            whole = samples[..., 0].astype(np.uint16)
            if self.depth == 16:
                whole = whole << np.uint16(8) | samples[..., 1]
            values = np.where((whole == key).all(axis=2), np.uint8(255), values)
        return values

    def _levels(self) -> NDArray[np.uint8] | None:
        if self.depth > 8 or _CHANNELS[self.colors] > 1:
            return None
        count = 1 << self.depth
        levels = np.zeros(count, np.uint8)  # values beyond the palette are black
        if self.colors == GREY:
            levels[:] = np.arange(count) * (255 // (count - 1))
            if self._clear and int.from_bytes(self._clear, "big") < count:
                levels[int.from_bytes(self._clear, "big")] = 255
            return levels
        colors = luminance(np.frombuffer(self.palette, np.uint8).reshape(-1, 3))[:count]
        alpha = np.full(len(colors), 255, np.uint8)
        clear = np.frombuffer(self._clear, np.uint8)[: len(colors)]
        alpha[: len(clear)] = clear
        levels[: len(colors)] = on_white(colors, alpha)
        return levels

    def _header(self, head: bytes) -> None:
        self.width, self.height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
        self.depth, self.colors, method, filters, self._interlaced = head[8:]
        if not 0 < self.width < 1 << 31 or not 0 < self.height < 1 << 31:
            self._fail(f"says {self.width} x {self.height} pixels")
        if self.depth not in _DEPTHS.get(self.colors, ()):
            self._fail(
                f"says colour type {self.colors} with {self.depth} bits, which the standard does not know"
            )
        if method or filters or self._interlaced > 1:
            self._fail(
                f"says methods {method}, {filters}, {self._interlaced}, which the standard does not know"
            )

    def _palette(self, body: bytes) -> bytes:
        if len(body) % 3 or not body or self.palette:
            self._fail(f"has a palette of {len(body)} bytes")
        return body

    def _parts(self) -> list[tuple[int, int, int, int, int, int, int]]:
        """Return the passes: first column and row, steps, width, height, bytes a row."""
        bits = _CHANNELS[self.colors] * self.depth
        passes = []
        for x, y, dx, dy in _ADAM7 if self._interlaced else ((0, 0, 1, 1),):
            width, height = -(-(self.width - x) // dx), -(-(self.height - y) // dy)
            if width > 0 and height > 0:
                passes.append((x, y, dx, dy, width, height, (width * bits + 7) // 8))
        return passes

    def _check_size(self) -> None:
        """Refuse what cannot be true, or cannot be held, before anything is taken for it."""
        if self._clear and self.colors in {GREY, RGB} and len(self._clear) != 2 * _CHANNELS[self.colors]:
            self._fail(f"has a tRNS chunk of {len(self._clear)} bytes")
        needed = sum(height * (row_bytes + 1) for *_, height, row_bytes in self._passes)
        if self._file.seekable():
            here = self._file.tell()
            left = self._file.seek(0, 2) - here
            self._file.seek(here)
            if needed > left * _INFLATE_MOST:
                self._fail(
                    f"says {self.width} x {self.height} pixels, {needed:,} bytes; "
                    f"the {left:,} bytes that follow cannot hold them"
                )
        row = max(row_bytes for *_, row_bytes in self._passes)
        memory.require(
            self.width * self.height + 8 * row,
            f"{self._name}: a picture of {self.width} x {self.height} pixels",
            "cut it, or make it smaller",
        )

    def _data(self) -> Iterator[bytes]:
        """Yield what the IDAT chunks hold; then go on to the end of the file."""
        kind, length = b"IDAT", self._length
        while kind == b"IDAT":
            crc = zlib.crc32(kind)
            while length:
                piece = self._take(min(length, _PIECE))
                crc = zlib.crc32(piece, crc)
                length -= len(piece)
                yield piece
            self._check(kind, crc)
            kind, length = self._chunk()
        while kind != b"IEND":
            self._skip(kind, length)
            kind, length = self._chunk()
        self._skip(kind, length)

    def _chunk(self) -> tuple[bytes, int]:
        head = self._take(8)
        length, kind = int.from_bytes(head[:4], "big"), head[4:]
        if not kind.isalpha() or length >= 1 << 31:
            self._fail(f"has no chunk where one should be, but {head!r}")
        return kind, length

    def _body(self, kind: bytes, length: int, most: int = 13) -> bytes:
        if length > most:
            self._fail(f"has a {kind.decode()} chunk of {length:,} bytes")
        body = self._take(length)
        self._check(kind, zlib.crc32(body, zlib.crc32(kind)))
        return body

    def _skip(self, kind: bytes, length: int) -> None:
        if not kind[0] & 32 and kind not in {b"IEND", b"PLTE"}:
            self._fail(f"has a {kind.decode()} chunk, which nobody may skip")
        crc = zlib.crc32(kind)
        while length:
            piece = self._take(min(length, _PIECE))
            crc = zlib.crc32(piece, crc)
            length -= len(piece)
        self._check(kind, crc)

    def _check(self, kind: bytes, crc: int) -> None:
        if self._take(4) != crc.to_bytes(4, "big"):
            self._fail(f"has a damaged {kind.decode()} chunk: the checksum is wrong")

    def _take(self, length: int) -> bytes:
        parts = b""
        while len(parts) < length:
            piece = self._file.read(length - len(parts))
            if not piece:
                self._at += len(parts)
                self._fail("ends too early")
            parts += piece
        self._at += length
        return parts

    def _fail(self, what: str) -> NoReturn:
        msg = f"{self._name} {what} (at byte {self._at:,})"
        raise ValueError(msg)
