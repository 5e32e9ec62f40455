"""A slow and obvious PNG writer for the tests: every colour type, depth and filter, interlaced or not."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
KINDS = [
    (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16),
    (6, 8), (6, 16),
]  # fmt: skip
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def encode(
    samples: NDArray[np.int64],
    colors: int,
    depth: int,
    *,
    filters: Callable[[], int] = lambda: 0,
    palette: bytes = b"",
    clear: bytes = b"",
    interlaced: bool = False,
    pieces: int = 1 << 20,
) -> bytes:
    """Return the file of samples of shape (h, w, channels)."""
    height, width, channels = samples.shape
    raw = b""
    for x, y, dx, dy in PASSES if interlaced else [(0, 0, 1, 1)]:
        part = samples[y::dy, x::dx]
        if part.size == 0:
            continue
        above = b""
        for row in part:
            packed = _packed(row, depth)
            raw += _filtered(packed, above or bytes(len(packed)), max(1, channels * depth // 8), filters())
            above = packed
    head = (
        width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([depth, colors, 0, 0, int(interlaced)])
    )
    data = zlib.compress(raw)
    return (
        SIGNATURE
        + chunk(b"IHDR", head)
        + chunk(b"tEXt", b"Comment\0by hand")
        + (chunk(b"PLTE", palette) if palette else b"")
        + (chunk(b"tRNS", clear) if clear else b"")
        + b"".join(chunk(b"IDAT", data[i : i + pieces]) for i in range(0, len(data), pieces))
        + chunk(b"IEND", b"")
    )


def _packed(row: NDArray[np.int64], depth: int) -> bytes:
    values = row.reshape(-1)
    if depth == 16:
        return values.astype(">u2").tobytes()
    bits = "".join(f"{value:0{depth}b}" for value in values.tolist())
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))


def _filtered(row: bytes, above: bytes, pixel: int, kind: int) -> bytes:
    out = bytearray([kind])
    for i, value in enumerate(row):
        left = row[i - pixel] if i >= pixel else 0
        corner = above[i - pixel] if i >= pixel else 0
        up = above[i]
        guess = left + up - corner
        paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[
            2
        ]
        out.append((value - (0, left, up, (left + up) // 2, paeth)[kind]) % 256)
    return bytes(out)


def brightness(
    samples: NDArray[np.int64], colors: int, depth: int, palette: bytes = b"", clear: bytes = b""
) -> NDArray[np.float64]:
    """Return the brightness of each pixel on white, 0 to 255, by the standard's definitions and floats."""
    full = (1 << depth) - 1
    alpha = np.full(samples.shape[:2], 1.0)
    if colors == 3:
        table = np.frombuffer(palette, np.uint8).reshape(-1, 3).astype(float)
        rgb = table[samples[..., 0]]
        opacity = np.full(len(table), 255.0)
        opacity[: len(clear)] = np.frombuffer(clear, np.uint8)
        alpha = opacity[samples[..., 0]] / 255
    else:
        high = samples >> 8 if depth == 16 else samples
        scaled = high * 255 / (255 if depth == 16 else full)
        rgb = scaled[..., :3] if colors in {2, 6} else scaled[..., :1].repeat(3, axis=2)
        if colors in {4, 6}:
            alpha = scaled[..., -1] / 255
        elif clear:
            key = np.frombuffer(clear, ">u2").astype(np.int64)
            alpha = np.where((samples == key).all(axis=2), 0.0, 1.0)
    light: NDArray[np.float64] = rgb @ np.array([0.299, 0.587, 0.114])
    on_white: NDArray[np.float64] = light * alpha + 255 * (1 - alpha)
    return on_white
