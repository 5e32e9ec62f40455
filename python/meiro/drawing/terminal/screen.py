"""A full-screen picture in a terminal, redrawn where it changes; the terminal is restored at the end."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from meiro.drawing.terminal import ansi

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from numpy.typing import ArrayLike, NDArray

    from meiro.colors import Theme

OWN = 31
"""Instead of a colour of the theme: the terminal's own colour."""

_BEGIN = "\x1b[?1049h\x1b[?25l"  # another screen, no cursor
_END = "\x1b[0m\x1b[2J\x1b[H\x1b[?25h\x1b[?1049l"  # erased first, for terminals with one screen only
_ERASED = "\x1b[0m\x1b[2J"
_GLYPH = 21  # bits
_JUMP = 8  # unchanged characters that are written again, since moving the cursor takes as many bytes


def packed(chars: ArrayLike, front: ArrayLike, back: ArrayLike) -> NDArray[np.uint32]:
    """Pack characters with their foreground and background colours (of `meiro.colors.Theme`) into numbers."""
    glyph, ink, paper = (np.asarray(part, np.uint32) for part in (chars, front, back))
    return np.asarray(glyph + (1 << _GLYPH) * ink + (1 << _GLYPH + 5) * paper, np.uint32)


BLANK = packed(ord(" "), OWN, OWN)


@contextmanager
def screen(out: TextIO) -> Iterator[Screen]:
    """Yield a screen, and restore the terminal at the end, after exceptions, SIGTERM and Ctrl-Z as well."""
    shown = Screen(out, ansi.theme())

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    def pause(_: int, __: FrameType | None) -> None:
        shown.pausing = True

    handlers = {"SIGTERM": end, "SIGTSTP": pause}
    before: dict[int, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for name, handler in handlers.items():
                if number := getattr(signal, name, None):
                    before[number] = signal.signal(number, handler)
        _write_now(out, _BEGIN)
        yield shown
    finally:
        try:
            _restore(out)
        except KeyboardInterrupt:  # Ctrl-C may have cut the escape sequence
            _restore(out)
            raise
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class Screen:
    """The terminal's screen; only characters that change are written.

    Attributes
    ----------
    pausing : bool
        Whether Ctrl-Z was pressed: the process stops at the next `show`.
    """

    def __init__(self, out: TextIO, colors: Theme) -> None:
        self._out, self._theme = out, colors
        self._size = (0, 0)
        self._seen: NDArray[np.uint32] = np.empty((0, 0), np.uint32)
        self._style = -1
        self.pausing = False

    def stale(self) -> bool:
        """Return whether the picture must be shown again: the terminal was resized, or Ctrl-Z was pressed."""
        return self.pausing or self._size != size(self._out)

    def show(self, picture: NDArray[np.uint32]) -> None:
        """Show a picture made by `packed`, cut to the terminal's size."""
        if self.pausing:
            _restore(self._out)
            os.kill(os.getpid(), signal.SIGSTOP)
            self.pausing, self._size = False, (0, 0)
            _write_now(self._out, _BEGIN)
        columns, lines = now = size(self._out)
        text = ""
        if now != self._size:
            self._size, self._style, text = now, -1, _ERASED
            self._seen = np.full((lines, columns), BLANK)
        whole = np.full((lines, columns), BLANK)
        whole[: len(picture), : picture.shape[1]] = picture[:lines, :columns]
        text += "".join(self._changes(whole))
        self._seen = whole
        if text:
            _write_now(self._out, text)

    def _changes(self, picture: NDArray[np.uint32]) -> Iterator[str]:
        changed = picture != self._seen
        for row in np.flatnonzero(changed.any(axis=1)).tolist():
            places = np.flatnonzero(changed[row])
            for run in np.split(places, np.flatnonzero(np.diff(places) > _JUMP) + 1):
                yield f"\x1b[{row + 1};{run[0] + 1}H"
                for number in picture[row, run[0] : run[-1] + 1].tolist():
                    style = number >> _GLYPH
                    if style != self._style:
                        self._style = style
                        yield _colored(self._theme, style & 31, style >> 5)
                    yield chr(number & ((1 << _GLYPH) - 1))


def size(out: TextIO) -> tuple[int, int]:
    """Return the current columns and lines of the terminal."""
    with suppress(OSError, ValueError, AttributeError):
        columns, lines = os.get_terminal_size(out.fileno())
        if columns > 0 and lines > 0:
            return columns, lines
    return ansi.size()


def _write_now(out: TextIO, text: str) -> None:
    out.write(text)
    out.flush()


def _restore(out: TextIO) -> None:
    with suppress(OSError, ValueError):  # the terminal is closed
        _write_now(out, _END)


@cache
def _colored(colors: Theme, front: int, back: int) -> str:
    codes = [
        f";{ground};5;{ansi.nearest(colors[color])}"
        for ground, color in ((38, front), (48, back))
        if color != OWN
    ]
    return f"\x1b[0{''.join(codes)}m"
