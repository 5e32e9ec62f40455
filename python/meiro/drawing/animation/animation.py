"""Animations of traces: `animate`, and the class `Animation`."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np

from meiro._utils import png
from meiro._utils.atomic import atomic
from meiro._utils.messages import requires_extra
from meiro._utils.progress import Progress, close_bar, reporter
from meiro._utils.set_module import set_module
from meiro._utils.validation import boolean, checked_outside, checked_path, frames_per_second, integer, one_of
from meiro.colors import THEMES
from meiro.drawing.animation.encoders import STAY, WRITERS, FrameStream, write_apng
from meiro.drawing.animation.frame_renderer import FrameRenderer
from meiro.drawing.card import RULES, card, png_of, url_of
from meiro.drawing.numbers import Numbers, checked_numbers
from meiro.traces.frames import frame_number
from meiro.traces.trace import Trace, named_traces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType
    from numpy.typing import NDArray

    from meiro._utils.paper import Outside


MOST_BYTES = 1_500_000
"""Size of the largest animation that a notebook shows; of a larger one it shows the last frame."""

_FPS = 0.02, 1000.0  # the least and the most
_MOST_PIXELS = 1 << 28  # of all frames of such an animation: about two seconds of work
_STILL = 800  # pixels of a side of the last frame, where that alone is shown


def animate(
    traces: Trace | Iterable[Trace] | Mapping[str, Trace],
    *,
    fps: float = 20,
    every: int | None = None,
    max_frames: int = 300,
    numbers: Numbers = False,
    size: int = 480,
    theme: str = "light",
    outside: Outside = "blank",
    legend: bool = False,
    colors: Mapping[str, ColorType] | None = None,
) -> Animation:
    """Animate traces: how mazes are generated or searched.

    The first frame shows the state before the first event, the last frame the result, for 2 seconds.

    Parameters
    ----------
    traces : Trace, list of Trace, or dict of str to Trace
        From `meiro.trace`, `meiro.trace_solve` or `meiro.trace_eller`. Several are shown side by side, each
        with the name of its algorithm (or its key in the dict) and the number of events so far. All advance
        by the same number of events per frame; a trace that has ended stays as it is.
    fps : float
        Frames per second, 0.02 to 1000.
    every : int, optional
        Events per frame. Default: the fewest for which there are at most `max_frames` frames.
    max_frames : int
        The most frames, if `every` is not given.
    numbers : bool, "clusters" or "walls"
        Whether the numbers of `Frame.labels` are written into the cells. "clusters" gives each cluster of
        joined cells its colour as well (kruskal, boruvka, eller, percolation); "walls" writes instead the ids
        of `meiro.wall_ids` on the walls that stand.
    size : int
        Pixels of the longer side of each maze, about; a cell has at most 40.
    theme : "light" or "dark"
        The colours: `meiro.colors.THEMES`.
    outside : {"blank", "wall"}
        How cells that do not exist, of a mask, are drawn: as paper, or as wall.
    legend : bool
        Whether a legend below says what the colours mean.
    colors : mapping of str to color, optional
        Colours for "wall", "road", "visited", "path", "start", "goal" and "text", in place of those of the
        theme, as in `meiro.plot`.

    Returns
    -------
    Animation
        Frames are drawn when they are used.

    Raises
    ------
    ValueError
        If there is no trace, a number is out of range, or the cells are too small for `numbers`: the message
        names the smallest `size` at which they can be read.
    TypeError
        If `traces` holds anything but traces, or an argument that must be a number is not a number.
    ImportError
        If there is text to draw and Pillow is not installed.
    MemoryError
        If a frame does not fit into memory, before any is allocated.

    See Also
    --------
    player : a widget with buttons, for notebooks and web pages.
    plot_trace : frames side by side, for print.

    Examples
    --------
    >>> maze = meiro.generate((8, 12), rng=7)
    >>> searches = [meiro.trace_solve(maze, algorithm=name) for name in ("dfs", "bfs")]
    >>> animation = meiro.animate(searches)
    >>> animation
    <Animation of 137 frames, 365 x 1,006 pixels, 20 a second>
    >>> animation.save("search.gif")
    """
    pairs = named_traces(traces)
    listed = [trace for _, trace in pairs]
    alone = len(pairs) == 1 and pairs[0][0] is None
    titles = None if alone else [title or trace.algorithm for title, trace in pairs]
    speed = frames_per_second(fps, *_FPS)
    most = integer(max_frames, "max_frames", 1, 1 << 62)
    span = max(trace.window[1] - trace.window[0] for trace in listed)
    if every is None:
        unit = min(trace.every for trace in listed)
        step = unit * max(-(-span // (unit * max(most - 1, 1))), 1)
    else:
        step = integer(every, "every", 1, 1 << 62)
        most = span + 1
    moments = np.append(np.arange(0, span if most > 1 else 0, step), span)
    renderer = FrameRenderer(
        listed,
        titles,
        numbers=checked_numbers(numbers, listed),
        size=integer(size, "size", 1),
        theme=one_of(theme, "theme", THEMES),
        outside=checked_outside(outside),
        legend=boolean(legend, "legend"),
        own=colors,
    )
    return Animation(renderer, moments, speed)


@set_module("meiro")
class Animation:
    """An animation of traces, made by `meiro.animate`.

    ``animation[k]`` is frame `k` as an array of uint8, shape (height, width, 3); a slice is an animation of
    some of the frames. Frames are drawn at each access and not kept. A notebook shows a small animation, and
    of a large one the last frame.

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

    @contextmanager
    def _frame_stream(self, progress: Progress) -> Iterator[FrameStream]:
        """Yield the frames for an encoder, and close the progress bar at the end."""
        if not len(self):
            raise ValueError("there is no frame to save")
        report = reporter(progress)

        def pictures() -> Iterator[NDArray[np.uint8]]:
            for i, moment in enumerate(self._moments.tolist()):
                yield self._renderer.draw(moment)
                if report is not None:
                    report(i + 1, len(self))

        try:
            yield FrameStream(self.size, self._renderer.colors, pictures(), len(self), self.fps)
        finally:
            close_bar(report)

    def save(self, path: str | os.PathLike[str], *, progress: Progress = False) -> None:
        """Write the animation to a file in the format of its suffix. The last frame is shown for 2 seconds.

        ===================== ===============================================================================
        ``.gif``              lossless, since there are at most 240 colours; needs Pillow
        ``.png``, ``.apng``   an animated PNG
        ``.webp``             lossless; needs Pillow, and memory for all frames
        ``.mp4``              a video (H.264); needs the program ffmpeg
        ===================== ===============================================================================

        GIF, APNG and WebP loop for ever and have at most 50 frames per second, since browsers slow down
        faster ones. GIF counts time in 1/100 s, the other two in 1/1000 s; frames are rounded so that the
        total time is right. A video with an odd side gets one more row or column in the colour of the
        background.

        Parameters
        ----------
        path : path
            The file. It is replaced only when all of it is written.
        progress : bool or callable
            True draws a progress bar on standard error; a callable is called with ``(done, total)`` frames.

        Raises
        ------
        ValueError
            If the suffix is unknown, or the frames are larger than the format allows.
        ImportError, FileNotFoundError
            If Pillow or ffmpeg is not installed.
        RuntimeError
            If ffmpeg fails; the message is that of ffmpeg.
        MemoryError
            If the frames of a ``.webp`` do not fit into memory.

        Examples
        --------
        >>> meiro.animate(meiro.trace((4, 6), rng=7)).save("wilson.gif")
        """
        suffix = checked_path(path).suffix.lower()
        if suffix not in WRITERS:
            raise ValueError(f"{os.fspath(path)!r}: suffix {suffix!r} is not one of {', '.join(WRITERS)}")
        with self._frame_stream(progress) as stream, atomic(path) as file:
            WRITERS[suffix](file, stream)

    def save_frames(self, pattern: str | os.PathLike[str], *, progress: Progress = False) -> list[Path]:
        """Write each frame as a PNG.

        Parameters
        ----------
        pattern : path
            With a field for the number, such as ``"step_{:04}.png"``: `str.format` puts 0, 1, 2, ... there.
        progress : bool or callable
            As in `save`.

        Returns
        -------
        list of Path
            The files. Each is replaced only when all of it is written.

        Raises
        ------
        ValueError
            If `pattern` is not a format string, gives two frames the same name, or does not end in ``.png``;
            before any file is written.

        Examples
        --------
        >>> paths = meiro.animate(meiro.trace((2, 2), rng=7)).save_frames("step_{:02}.png")
        >>> paths[-1].name
        'step_03.png'
        """
        names = _names(os.fspath(checked_path(pattern, "pattern")), len(self))
        with self._frame_stream(progress) as stream:
            for name, picture in zip(names, stream.pictures, strict=True):
                with atomic(name) as file:
                    png.write_indexed(file, picture, stream.colors)
        return names

    def to_matplotlib(self, ax: Axes | None = None) -> FuncAnimation:
        """Return a matplotlib animation, for your own figure or for matplotlib's writers.

        Parameters
        ----------
        ax : Axes, optional
            Default: axes that fill a new figure with as many pixels as a frame.

        Returns
        -------
        FuncAnimation
            Keep a reference to it, or it stops.

        Raises
        ------
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> moving = meiro.animate(meiro.trace((4, 6), rng=7)).to_matplotlib()
        >>> moving.save("wilson.png", writer="pillow")
        """
        with requires_extra("plot", "matplotlib"):
            from matplotlib import pyplot as plt
            from matplotlib.animation import FuncAnimation

            from meiro.drawing.matplotlib.overlays import rectilinear
        if ax is None:
            height, width = self.size
            figure = plt.figure(figsize=(width / 100, height / 100), dpi=100)
            ax = figure.add_axes((0, 0, 1, 1))
        ax = rectilinear(ax)
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
        """Return HTML of less than `MOST_BYTES`, made in about two seconds at most."""
        if not len(self):
            return "an animation without frames"
        height, width = self.size
        note = ""
        data = None
        if len(self) * height * width <= _MOST_PIXELS:
            with suppress(_TooLargeError), self._frame_stream(progress=False) as stream:
                write_apng(file := _Bounded(), stream)
                data = file.getvalue()
        if data is None:
            part = max(-(-max(height, width) // _STILL), 1)
            end = np.ascontiguousarray(self._renderer.draw(int(self._moments[-1]))[::part, ::part])
            data = png_of(end, self._renderer.colors)
            every = f", one of {part} x {part} pixels" if part > 1 else ""
            note = (
                f"<div>The last of {len(self):,} frames{every}: all of them are too large for a notebook. "
                'Write them to a file: <code>.save("maze.gif")</code></div>'
            )
        about = f"animation of {len(self):,} frames"
        image = f'<img alt="{about}" style="max-width:100%" src="{url_of(data)}">'
        if self._renderer.colors[0].tolist() != list(THEMES["light"].road):
            return f"<div>{image}{note}</div>"  # dark already
        return f"<div>{RULES}{card(image)}{note}</div>"


class _TooLargeError(Exception):
    """The animation is too large for a notebook."""


class _Bounded(io.BytesIO):
    """Bytes of which base64 makes less than `MOST_BYTES`."""

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
        raise ValueError(f"{pattern!r} is not a pattern such as {example}: {e}") from None
    if len({*map(str, names), other}) <= count:
        raise ValueError(f"pattern {pattern!r} has no field for the number of a frame, as {example} has")
    if Path(other).suffix.lower() != ".png":
        raise ValueError(f"{pattern!r}: frames are written as .png, not {Path(other).suffix!r}")
    return names
