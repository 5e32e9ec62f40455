"""Moving pictures in files: GIF, APNG, WebP, and MP4 by ffmpeg.

The first three hold a picture and then, frame by frame, the box around what changes, which is transparent
where nothing does: that makes files several times smaller where it happens here and there. They are written
as the frames come, so that no more than two of them are in memory.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
import zlib
from struct import pack
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils import png
from meiro._utils.messages import missing_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray
    from PIL import Image

    from meiro._utils.square import Shape

FASTEST = 50
"""Frames a second of pictures: browsers slow down what is quicker, GIFs to 10."""

STAY = 2
"""Seconds for which the last frame stays."""


class FrameStream(NamedTuple):
    """Pictures of one size, each pixel an index into fewer than 256 colours."""

    size: Shape
    colors: NDArray[np.uint8]
    pictures: Iterable[NDArray[np.uint8]]
    frames: int
    fps: float


class DirtyRect(NamedTuple):
    """What changes in a frame, and how long it is seen. What does not is the number after the last colour."""

    top: int
    left: int
    pixels: NDArray[np.uint8]
    ticks: int


def frame_durations(stream: FrameStream, per_second: int) -> NDArray[np.int64]:
    """Return how long each frame is seen, rounded so that the whole stays right."""
    fps = min(stream.fps, FASTEST)
    ticks: NDArray[np.int64] = np.diff(np.rint(np.arange(stream.frames + 1) * (per_second / fps))).astype(int)
    ticks[-1] = max(ticks[-1], STAY * per_second)
    return ticks


def _dirty_rects(stream: FrameStream, per_second: int, *, even: bool = False) -> Iterator[DirtyRect]:
    """Yield what changes; in a frame in which nothing does, a pixel."""
    clear = np.uint8(len(stream.colors))
    last: NDArray[np.uint8] | None = None
    for picture, ticks in zip(stream.pictures, frame_durations(stream, per_second).tolist(), strict=True):
        if last is None:
            yield DirtyRect(0, 0, picture, ticks)
        else:
            differs = picture != last
            (top, bottom), (left, right) = (_ends(differs.any(axis=axis), even=even) for axis in (1, 0))
            part = np.s_[top:bottom, left:right]
            yield DirtyRect(top, left, np.where(differs[part], picture[part], clear), ticks)
        last = picture


def _ends(differs: NDArray[np.bool_], *, even: bool) -> tuple[int, int]:
    found = np.flatnonzero(differs)
    if not len(found):
        return 0, 1
    first = int(found[0])
    return first - first % 2 if even else first, int(found[-1]) + 1


def _limit(stream: FrameStream, most: int, what: str) -> None:
    if max(stream.size) > most:
        height, width = stream.size
        msg = f"{what} ends at {most:,} pixels a side, and these are {height:,} x {width:,}"
        raise ValueError(msg)


def _image(pixels: NDArray[np.uint8]) -> Image.Image:
    from PIL import Image

    return Image.frombytes("P", (pixels.shape[1], pixels.shape[0]), pixels.tobytes())


def write_gif(file: IO[bytes], stream: FrameStream) -> None:
    """Write GIF89a, with one palette for all."""
    try:
        from PIL.GifImagePlugin import getdata
    except ImportError as e:
        raise missing_extra("image", "Pillow") from e  # noqa: EM101
    _limit(stream, 65535, "GIF")
    height, width = stream.size
    clear = len(stream.colors)
    bits = clear.bit_length()
    file.write(b"GIF89a" + pack("<HHBBB", width, height, 0xF0 | bits - 1, 0, 0))
    file.write(stream.colors.tobytes().ljust(3 << bits, b"\0"))
    file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")  # again and again
    for top, left, pixels, ticks in _dirty_rects(stream, 100):
        how = {"duration": 10 * ticks, "transparency": clear, "disposal": 1, "interlace": 0}
        parts = getdata(_image(pixels), (left, top), **how)
        file.write(b"".join(parts))
    file.write(b";")


def write_apng(file: IO[bytes], stream: FrameStream) -> None:
    """Write a PNG whose further frames follow the first; who knows no such thing shows that one."""
    _limit(stream, (1 << 31) - 1, "PNG")
    height, width = stream.size
    file.write(png.SIGNATURE)
    png.write_chunk(file, b"IHDR", pack(">IIBBBBB", width, height, 8, png.PALETTE, 0, 0, 0))
    png.write_chunk(file, b"acTL", pack(">II", stream.frames, 0))
    png.write_chunk(file, b"PLTE", stream.colors.tobytes() + b"\0\0\0")
    png.write_chunk(file, b"tRNS", b"\xff" * len(stream.colors) + b"\0")
    number = 0
    for i, (top, left, pixels, ticks) in enumerate(_dirty_rects(stream, 1000)):
        high, wide = pixels.shape
        control = pack(">IIIIIHHBB", number, wide, high, left, top, ticks, 1000, 0, i > 0)
        png.write_chunk(file, b"fcTL", control)
        rows = np.pad(pixels, ((0, 0), (1, 0)))  # filter 0
        data = zlib.compress(rows.data, 4)
        if i:
            number += 1
            data = pack(">I", number) + data
        png.write_chunk(file, b"fdAT" if i else b"IDAT", data)
        number += 1
    png.write_chunk(file, b"IEND", b"")


def write_png(file: IO[bytes], picture: NDArray[np.uint8], colors: NDArray[np.uint8]) -> None:
    """Write one picture."""
    rows = png.pack_nibbles(picture) if len(colors) <= 16 else picture
    size = picture.shape[0], picture.shape[1]
    png.write(file, size, [rows], depth=4 if len(colors) <= 16 else 8, palette=colors.tobytes())


def write_webp(file: IO[bytes], stream: FrameStream) -> None:
    """Write WebP without loss."""
    try:
        from PIL import Image
    except ImportError as e:
        raise missing_extra("image", "Pillow") from e  # noqa: EM101
    _limit(stream, 16383, "WebP")
    height, width = stream.size
    seen = np.pad(stream.colors, ((0, 1), (0, 1)))
    seen[:-1, 3] = 255
    chunks = [
        _chunk(b"VP8X", pack("<I", 0x12) + _three(width - 1, height - 1)),
        _chunk(b"ANIM", pack("<IH", 0xFFFFFFFF, 0)),
    ]
    for top, left, pixels, ticks in _dirty_rects(stream, 1000, even=True):
        still = io.BytesIO()
        Image.fromarray(seen[pixels]).save(still, "WEBP", lossless=True, quality=0, method=0)
        high, wide = pixels.shape
        place = _three(left // 2, top // 2, wide - 1, high - 1, ticks) + b"\0"  # laid over what is there
        chunks.append(_chunk(b"ANMF", place + _stream(still.getvalue())))
    file.write(_chunk(b"RIFF", b"WEBP" + b"".join(chunks)))


def _stream(still: bytes) -> bytes:
    """Return the chunk with the pixels of a WebP file."""
    at = 12
    while still[at : at + 4] != b"VP8L":
        size = int.from_bytes(still[at + 4 : at + 8], "little")
        at += 8 + size + size % 2
    return still[at:]


def _chunk(kind: bytes, body: bytes) -> bytes:
    return kind + pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def _three(*numbers: int) -> bytes:
    return b"".join(pack("<I", number)[:3] for number in numbers)


def write_mp4(file: IO[bytes], stream: FrameStream) -> None:
    """Write H.264 by ffmpeg, which goes back in the file: it must have a name."""
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        msg = (
            ".mp4 needs the program ffmpeg, and there is none on the PATH: install it (apt install ffmpeg, "
            "brew install ffmpeg, conda install ffmpeg), or save a .gif, .png or .webp, which need none"
        )
        raise FileNotFoundError(msg)
    height, width = (side + side % 2 for side in stream.size)  # a pixel of colour is 2 x 2
    command = [
        ffmpeg, "-nostdin", "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", f"{width}x{height}",
        "-framerate", f"{stream.fps:.6f}", "-i", "pipe:0",
        "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
        "-crf", "18", "-movflags", "+faststart", "-f", "mp4", f"file:{file.name}",
    ]  # fmt: skip
    with tempfile.TemporaryFile() as told:
        # In a session of its own: Ctrl-C comes here first, and ends it below.
        process = subprocess.Popen(  # noqa: S603  # the command is ours
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=told, start_new_session=True
        )
        try:
            _feed(process, stream, (height, width))
            code = process.wait()
        finally:
            process.kill()
            process.wait()
        if code:
            told.seek(0)
            words = told.read()[-2000:].decode(errors="replace").strip()
            msg = f"ffmpeg failed with {code}: {words or 'it does not say why'}"
            raise RuntimeError(msg)


def _feed(process: subprocess.Popen[bytes], stream: FrameStream, size: Shape) -> None:
    assert process.stdin is not None  # noqa: S101  # it is a pipe
    picture = np.empty((*size, 3), np.uint8)
    picture[:] = stream.colors[0]
    height, width = stream.size
    try:
        with process.stdin as pipe:
            for indices in stream.pictures:
                picture[:height, :width] = stream.colors[indices]
                pipe.write(picture.data)
            for _ in range(round(STAY * stream.fps) - 1):
                pipe.write(picture.data)
    except BrokenPipeError:  # it says why
        pass


WRITERS: dict[str, Callable[[Any, FrameStream], None]] = {
    ".gif": write_gif,
    ".png": write_apng,
    ".apng": write_apng,
    ".webp": write_webp,
    ".mp4": write_mp4,
}
