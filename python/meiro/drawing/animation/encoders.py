"""Animations in files: GIF and APNG, WebP by Pillow, and MP4 by ffmpeg.

A GIF or APNG holds the first frame whole; of each further frame it holds the smallest rectangle around all
pixels that change, transparent where a pixel in it does not. That makes files several times smaller. Both are
written as the frames come, so that no more than two frames are in memory.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import tempfile
import zlib
from struct import pack
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils import png
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray
    from PIL import Image

    from meiro._utils.square import Shape

FASTEST = 50
"""Frames per second of GIF, APNG and WebP: browsers slow down faster ones, GIFs to 10."""

STAY = 2
"""Seconds for which the last frame is shown."""


class FrameStream(NamedTuple):
    """Frames of one size, each pixel an index into fewer than 256 colours."""

    size: Shape
    colors: NDArray[np.uint8]
    pictures: Iterable[NDArray[np.uint8]]
    frames: int
    fps: float


class DirtyRect(NamedTuple):
    """The rectangle around the pixels that change in a frame, and for how many ticks the frame is shown.

    A pixel in it that does not change has the index after the last colour.
    """

    top: int
    left: int
    pixels: NDArray[np.uint8]
    ticks: int


def frame_durations(stream: FrameStream, per_second: int) -> NDArray[np.int64]:
    """Return for how many ticks each frame is shown, rounded so that their sum is right."""
    fps = min(stream.fps, FASTEST)
    ticks: NDArray[np.int64] = np.diff(np.rint(np.arange(stream.frames + 1) * (per_second / fps))).astype(int)
    ticks[-1] = max(ticks[-1], STAY * per_second)
    return ticks


def _dirty_rects(stream: FrameStream, per_second: int) -> Iterator[DirtyRect]:
    """Yield what changes in each frame; one pixel of a frame in which nothing changes."""
    clear = np.uint8(len(stream.colors))
    last: NDArray[np.uint8] | None = None
    for picture, ticks in zip(stream.pictures, frame_durations(stream, per_second).tolist(), strict=True):
        if last is None:
            yield DirtyRect(0, 0, picture, ticks)
        else:
            differs = picture != last
            (top, bottom), (left, right) = (_ends(differs.any(axis=axis)) for axis in (1, 0))
            part = np.s_[top:bottom, left:right]
            yield DirtyRect(top, left, np.where(differs[part], picture[part], clear), ticks)
        last = picture


def _ends(differs: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the first and past the last True; 0 and 1 if no entry is True."""
    found = np.flatnonzero(differs)
    return (int(found[0]), int(found[-1]) + 1) if len(found) else (0, 1)


def _check_sides(stream: FrameStream, most: int, what: str) -> None:
    if max(stream.size) > most:
        height, width = stream.size
        raise ValueError(
            f"{what} has at most {most:,} pixels a side, and these frames are {height:,} x {width:,}"
        )


def _image(pixels: NDArray[np.uint8]) -> Image.Image:
    with requires_extra("image", "Pillow"):
        from PIL import Image
    return Image.frombytes("P", (pixels.shape[1], pixels.shape[0]), pixels.tobytes())


def write_gif(file: IO[bytes], stream: FrameStream) -> None:
    """Write GIF89a, with one palette for all frames."""
    with requires_extra("image", "Pillow"):
        from PIL.GifImagePlugin import getdata
    _check_sides(stream, 65535, "GIF")
    height, width = stream.size
    clear = len(stream.colors)
    bits = clear.bit_length()
    file.write(b"GIF89a" + pack("<HHBBB", width, height, 0xF0 | bits - 1, 0, 0))
    file.write(stream.colors.tobytes().ljust(3 << bits, b"\0"))
    file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")  # loop for ever
    for top, left, pixels, ticks in _dirty_rects(stream, 100):
        how = {"duration": 10 * ticks, "transparency": clear, "disposal": 1, "interlace": 0}
        file.writelines(getdata(_image(pixels), (left, top), **how))
    file.write(b";")


def write_apng(file: IO[bytes], stream: FrameStream) -> None:
    """Write an APNG; viewers without support for APNG show the first frame."""
    _check_sides(stream, (1 << 31) - 1, "PNG")
    height, width = stream.size
    file.write(png.SIGNATURE)
    png.write_chunk(file, b"IHDR", pack(">IIBBBBB", width, height, 8, png.PALETTE, 0, 0, 0))
    png.write_chunk(file, b"acTL", pack(">II", stream.frames, 0))
    png.write_chunk(file, b"PLTE", stream.colors.tobytes() + b"\0\0\0")
    png.write_chunk(file, b"tRNS", b"\xff" * len(stream.colors) + b"\0")
    for i, (top, left, pixels, ticks) in enumerate(_dirty_rects(stream, 1000)):
        high, wide = pixels.shape
        number = max(2 * i - 1, 0)  # of the chunk: each further frame has two
        control = pack(">IIIIIHHBB", number, wide, high, left, top, ticks, 1000, 0, i > 0)
        png.write_chunk(file, b"fcTL", control)
        rows = np.pad(pixels, ((0, 0), (1, 0)))  # filter 0
        data = zlib.compress(rows.data, 4)
        if i:
            png.write_chunk(file, b"fdAT", pack(">I", number + 1) + data)
        else:
            png.write_chunk(file, b"IDAT", data)
    png.write_chunk(file, b"IEND", b"")


def write_webp(file: IO[bytes], stream: FrameStream) -> None:
    """Write WebP without loss, by Pillow, which needs all frames in memory."""
    _check_sides(stream, 16383, "WebP")
    height, width = stream.size
    what = f"{stream.frames:,} frames of {height:,} x {width:,} pixels"
    require(stream.frames * height * width, what, "save a .gif or .png, whose frames are written one by one")
    palette = stream.colors.tobytes()
    images = []
    for picture in stream.pictures:
        image = _image(picture)
        image.putpalette(palette)
        images.append(image)
    durations = frame_durations(stream, 1000).tolist()
    how = {"lossless": True, "quality": 0, "method": 0, "kmin": 0, "kmax": 0}  # without keyframes: smaller
    images[0].save(file, "WEBP", save_all=True, append_images=images[1:], duration=durations, loop=0, **how)


def write_mp4(file: IO[bytes], stream: FrameStream) -> None:
    """Write H.264 by ffmpeg, which seeks in the file and so needs its name."""
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        raise FileNotFoundError(
            ".mp4 needs the program ffmpeg, which is not on the PATH: install it (apt install ffmpeg, "
            "brew install ffmpeg, conda install ffmpeg), or save a .gif, .png or .webp"
        )
    height, width = (side + side % 2 for side in stream.size)  # colours are stored for 2 x 2 pixels
    command = [
        ffmpeg, "-nostdin", "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", f"{width}x{height}",
        "-framerate", f"{stream.fps:.6f}", "-i", "pipe:0",
        "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
        "-crf", "18", "-movflags", "+faststart", "-f", "mp4", f"file:{file.name}",
    ]  # fmt: skip
    with tempfile.TemporaryFile() as log:
        # In a session of its own: Ctrl-C reaches Python only, which ends the process below.
        process = subprocess.Popen(  # noqa: S603  # the command is ours
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True,
        )  # fmt: skip
        try:
            _feed(process, stream, (height, width))
            code = process.wait()
        finally:
            process.kill()
            process.wait()
        log.seek(0)
        words = log.read()[-2000:].decode(errors="replace").strip()
        if os.strerror(errno.ENOSPC) in words:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if code or words:  # it may end with 0 although the last bytes were not written
            raise RuntimeError(f"ffmpeg failed with {code}: {words or 'without a message'}")


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
    except BrokenPipeError:  # ffmpeg ended; its message is read by the caller
        pass


WRITERS: dict[str, Callable[[Any, FrameStream], None]] = {
    ".gif": write_gif,
    ".png": write_apng,
    ".apng": write_apng,
    ".webp": write_webp,
    ".mp4": write_mp4,
}
