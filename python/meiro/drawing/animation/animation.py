"""Traces as moving pictures."""

from __future__ import annotations

import base64
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.messages import missing_extra
from meiro._utils.progress import Progress, close_bar, reporter
from meiro.drawing.animation.encoders import STAY, WRITERS, FrameStream, write_apng, write_png
from meiro.traces.frames import frame_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from meiro.drawing.animation.frame_renderer import FrameRenderer

MOST_BYTES = 1_500_000
"""Of an animation that a notebook shows and keeps; of a longer one it shows the end alone."""

_MOST_PIXELS = 1 << 28  # of all its frames: about two seconds
_STILL = 800  # pixels of a side of the end


class Animation:
    """A moving picture of traces, made by `meiro.animate`.

    ``animation[k]`` is frame `k` as an array of uint8 and shape (height, width, 3), negative k count from the
    end, and slices are animations of some of the frames. Frames are drawn when they are asked for, and none
    is kept. A notebook shows it moving if it is small, else its end.

    Attributes
    ----------
    size : (int, int)
        Height and width in pixels.
    fps : float
        Frames a second.

    Examples
    --------
    >>> animation = meiro.animate(meiro.trace((4, 6), "kruskal", rng=7), numbers=True)
    >>> len(animation), animation[-1].shape
    (39, (167, 247, 3))
    """

    def __init__(self, renderer: FrameRenderer, moments: NDArray[np.int64], fps: float) -> None:
        self._renderer = renderer
        self._moments = moments
        self.fps: float = fps

    @property
    def size(self) -> tuple[int, int]:
        """Height and width in pixels."""
        return self._renderer.size

    def __len__(self) -> int:
        """Return how many frames there are."""
        return len(self._moments)

    @overload
    def __getitem__(self, k: SupportsIndex) -> NDArray[np.uint8]: ...
    @overload
    def __getitem__(self, k: slice) -> Animation: ...
    def __getitem__(self, k: SupportsIndex | slice) -> NDArray[np.uint8] | Animation:
        """Return a frame, or an animation of some of them."""
        if isinstance(k, slice):
            return Animation(self._renderer, self._moments[k], self.fps)
        place = frame_number(k, len(self))
        return self._renderer.colors[self._renderer.draw(int(self._moments[place]))]

    def __iter__(self) -> Iterator[NDArray[np.uint8]]:
        """Yield the frames."""
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        """Return one line."""
        height, width = self.size
        return f"<Animation of {len(self):,} frames, {height:,} x {width:,} pixels, {self.fps:g} a second>"

    def _frame_stream(self, progress: Progress) -> tuple[FrameStream, Any]:
        """Return what writers take, and who is told how far they are."""
        if not len(self):
            msg = "there is no frame to save"
            raise ValueError(msg)
        told = reporter(progress)

        def pictures() -> Iterator[NDArray[np.uint8]]:
            for i, moment in enumerate(self._moments.tolist()):
                yield self._renderer.draw(moment)
                if told is not None:
                    told(i + 1, len(self))

        return FrameStream(self.size, self._renderer.colors, pictures(), len(self), self.fps), told

    def save(self, path: str | os.PathLike[str], *, progress: Progress = False) -> None:
        """Write it to a file; the suffix says how. The last frame stays for 2 seconds.

        ===================== ===============================================================================
        ``.gif``              at most 128 colours, which is all that there are; needs Pillow
        ``.png``, ``.apng``   an animated PNG
        ``.webp``             without loss; needs Pillow
        ``.mp4``              a video (H.264), by the program ffmpeg, which must be installed
        ===================== ===============================================================================

        The first three go on for ever, and have at most 50 frames a second, since browsers slow down what is
        quicker. GIF counts in 1/100 s, the other two in 1/1000 s: each frame is rounded, so that the whole
        lasts as long as it should. A video whose sides are odd gets a row and a column of the ground colour.

        Parameters
        ----------
        path : path
            Where to. The file appears only when all of it is written.
        progress : bool or callable
            True draws a bar on standard error, a callable is told ``(done, total)`` frames.

        Raises
        ------
        ValueError
            If the suffix is unknown, or the pictures are larger than the format allows.
        ImportError, FileNotFoundError
            If Pillow or ffmpeg is not installed.
        RuntimeError
            If ffmpeg fails; with what it says.

        Examples
        --------
        >>> meiro.animate(meiro.trace((4, 6), rng=7)).save("wilson.gif")
        """
        suffix = Path(path).suffix.lower()
        if suffix not in WRITERS:
            msg = f"{os.fspath(path)!r}: suffix {suffix!r} is none of {', '.join(WRITERS)}"
            raise ValueError(msg)
        stream, told = self._frame_stream(progress)
        try:
            with atomic(path) as file:
                WRITERS[suffix](file, stream)
        finally:
            close_bar(told)

    def save_frames(self, pattern: str | os.PathLike[str], *, progress: Progress = False) -> list[Path]:
        """Write each frame as a PNG.

        Parameters
        ----------
        pattern : path
            With a place for the number, such as ``"step_{:04}.png"``: `str.format` puts 0, 1, 2, ... there.
        progress : bool or callable
            As in `save`.

        Returns
        -------
        list of Path
            What was written. Each file appears only when all of it is written.

        Raises
        ------
        ValueError
            If the pattern is none, gives two frames one name, or does not end in ``.png``; before anything is
            written.

        Examples
        --------
        >>> paths = meiro.animate(meiro.trace((2, 2), rng=7)).save_frames("step_{:02}.png")
        >>> paths[-1].name
        'step_03.png'
        """
        names = _names(os.fspath(pattern), len(self))
        stream, told = self._frame_stream(progress)
        try:
            for name, picture in zip(names, stream.pictures, strict=True):
                with atomic(name) as file:
                    write_png(file, picture, stream.colors)
        finally:
            close_bar(told)
        return names

    def to_matplotlib(self, ax: Axes | None = None) -> FuncAnimation:
        """Return an animation of matplotlib, for a figure of your own or a writer of matplotlib.

        Parameters
        ----------
        ax : Axes, optional
            Where it is drawn. Default: a new figure with as many pixels as it has.

        Returns
        -------
        FuncAnimation
            Keep it as long as it shall move.

        Raises
        ------
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> moving = meiro.animate(meiro.trace((4, 6), rng=7)).to_matplotlib()
        >>> moving.save("wilson.png", writer="pillow")
        """
        try:
            from matplotlib import pyplot as plt
            from matplotlib.animation import FuncAnimation
        except ImportError as e:
            raise missing_extra("plot", "matplotlib") from e  # noqa: EM101
        if ax is None:
            height, width = self.size
            figure = plt.figure(figsize=(width / 100, height / 100), dpi=100)
            ax = figure.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        image = ax.imshow(self[0], interpolation="nearest")

        def show(k: int) -> list[Any]:
            image.set_data(self[k])
            return [image]

        return FuncAnimation(
            ax.figure.figure, show, frames=len(self), interval=1000 / self.fps, blit=True,
            repeat_delay=1000 * STAY, cache_frame_data=False,
        )  # fmt: skip

    def _repr_html_(self) -> str:
        """Return what a notebook shows: less than `MOST_BYTES`, made in about two seconds at most."""
        if not len(self):
            return "an animation without frames"
        height, width = self.size
        note = ""
        data = None
        if len(self) * height * width <= _MOST_PIXELS:
            file = _Bounded()
            try:
                write_apng(file, self._frame_stream(progress=False)[0])
                data = file.getvalue()
            except _TooLargeError:
                pass
        if data is None:
            part = max(-(-max(height, width) // _STILL), 1)
            end = np.ascontiguousarray(self._renderer.draw(int(self._moments[-1]))[::part, ::part])
            still = io.BytesIO()
            write_png(still, end, self._renderer.colors)
            data = still.getvalue()
            every = f", one of {part} x {part} pixels" if part > 1 else ""
            note = (
                f"<div>The last of {len(self):,} frames{every}: all of them are too much for a notebook. "
                'Write them to a file: <code>.save("maze.gif")</code></div>'
            )
        picture = base64.b64encode(data).decode("ascii")
        about = f"animation of {len(self):,} frames"
        return f'<img alt="{about}" style="max-width:100%" src="data:image/png;base64,{picture}">{note}'


class _TooLargeError(Exception):
    """Enough."""


class _Bounded(io.BytesIO):
    """Bytes that a notebook can keep, a third of which base64 adds."""

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > (MOST_BYTES - 1000) * 3 // 4:
            raise _TooLargeError
        return super().write(data)


def _names(pattern: str, count: int) -> list[Path]:
    """Return the names of the frames."""
    example = "'step_{:04}.png'"
    try:
        names = [Path(pattern.format(k)) for k in range(count)]
        other = pattern.format(count)
    except (ValueError, LookupError, AttributeError, TypeError) as e:
        msg = f"{pattern!r} is no pattern such as {example}: {e}"
        raise ValueError(msg) from None
    if len({*map(str, names), other}) <= count:
        msg = f"{pattern!r} has no place for the number of a frame, as {example} has"
        raise ValueError(msg)
    if Path(other).suffix.lower() != ".png":
        msg = f"{pattern!r}: frames are written as .png, not {Path(other).suffix!r}"
        raise ValueError(msg)
    return names
