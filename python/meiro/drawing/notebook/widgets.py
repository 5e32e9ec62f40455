"""The widgets of `meiro.player` and `meiro.play`; they need anywidget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import anywidget
import traitlets

from meiro._utils.atomic import atomic
from meiro._utils.messages import short_repr
from meiro._utils.square import Cell, checked_cell
from meiro._utils.validation import boolean, checked_path, frames_per_second, integer
from meiro.drawing.notebook.html_page import PLAYER_FPS, SCRIPT, fragment, page
from meiro.traces.events import Paint

if TYPE_CHECKING:
    import os
    from collections.abc import Callable


MOST_BYTES = 250_000
"""An output of a notebook has no more of HTML besides the widget."""


class _Checked(traitlets.TraitType[Any, Any]):
    """A value that ``check(widget, value, name)`` returns, checked."""

    def __init__(self, check: Callable[[Any, Any, str], Any], default: Any) -> None:
        super().__init__(default)
        self._check = check

    def validate(self, obj: Any, value: Any) -> Any:
        return self._check(obj, value, str(self.name))


def _frame(player: Any, value: Any, name: str) -> int:
    frame = integer(value, name)
    last = player.n_frames - 1
    if not -1 <= frame <= last:
        raise IndexError(
            f"there is no frame {short_repr(frame)}: they go from -1, before the first, to {last}"
        )
    return frame


def _place(walk: Any, value: Any, name: str) -> Cell | int:
    """Return a cell, or a site that is road; the number of a cell of a lattice."""
    (scene,) = walk.given["scenes"]
    if "layers" in scene:
        return integer(value, name, 0, scene["cells"])
    rows, cols = scene["shape"]
    place = checked_cell(value, (rows, cols), name, scene["space"][:-1])
    row, col = place if scene["space"] == "sites" else (2 * place[0] + 1, 2 * place[1] + 1)
    masked_out = scene["mask"] and not scene["mask"][place[0] * cols + place[1]]
    if masked_out or scene["first"][row * scene["grid"][1] + col] == Paint.WALL:
        raise ValueError(f"position {place} is a wall or masked out: it must be road")
    return place


def _is_true(_: Any, value: Any, name: str) -> bool:
    return boolean(value, name)


class _Shown(anywidget.AnyWidget):
    """Base of `Player` and `Play`: one script, saving as a page, closing."""

    _esm = SCRIPT
    _values: ClassVar[tuple[str, ...]] = ()
    _closed = False

    given = traitlets.Dict().tag(sync=True)
    """The data for the script; not for users."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a web page that needs neither a kernel nor a network, and has a light and a dark theme.

        The page of a player begins at the frame that is shown now; that of a walk at its start. A notebook
        that nbconvert turns into HTML plays as well, if this takes less than 250,000 bytes; but if the state
        of widgets is stored in the notebook, nbconvert uses that, and the page loads scripts from another
        host.

        Parameters
        ----------
        path : path
            A file of suffix ``.html`` or ``.htm``. It is replaced only when all of it is written.

        Raises
        ------
        ValueError
            If it has another suffix.
        """
        suffix = checked_path(path).suffix.lower()
        if suffix not in {".html", ".htm"}:
            raise ValueError(
                f"{str(path)!r}: suffix {suffix!r} is not .html or .htm; for pictures see meiro.animate"
            )
        text = page(self._state(), self.given["title"])
        with atomic(path, "w") as file:
            file.write(text)

    def close(self) -> None:
        """Close the widget: it disappears, and its attributes can no longer be set."""
        super().close()
        self._closed = True

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; an error if the widget is closed."""
        if self._closed and name in self._values:
            what = type(self).__name__
            raise RuntimeError(f"this {what} was closed: make a new one with meiro.{what.lower()}(...)")
        super().__setattr__(name, value)

    def _state(self) -> dict[str, Any]:
        return {"given": self.given, **{name: getattr(self, name) for name in self._values}}

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        binary = sum(len(v) for scene in self.given["scenes"] for v in scene.values() if type(v) is bytes)
        if bundle is not None and binary < MOST_BYTES:
            text = fragment(self._state())
            if len(text) <= MOST_BYTES:
                bundle[0]["text/html"] = text
        return bundle

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{type(self).__name__} {self._about()}{', closed' * self._closed}>"

    def _about(self) -> str:
        raise NotImplementedError


class Player(_Shown):
    """A player of traces, made by `meiro.player`.

    Attributes
    ----------
    frame : int
        The index of the frame that is shown, from -1 (before the first event) to ``n_frames - 1``. It follows
        the browser, a few times per second while it plays, and can be set.
    playing : bool
        Whether it plays; can be set.
    fps : float
        Frames per second; can be set.
    numbers : bool
        Whether numbers are shown; can be set.
    n_frames : int
        The number of frames of the longest trace.

    Examples
    --------
    >>> player = meiro.player(meiro.trace((3, 4), "kruskal", rng=7), every=2)
    >>> player.n_frames, player.frame
    (9, -1)
    >>> player.frame = 9
    Traceback (most recent call last):
    IndexError: there is no frame 9: they go from -1, before the first, to 8
    """

    _values = ("frame", "playing", "fps", "numbers")

    frame = _Checked(_frame, -1).tag(sync=True)
    playing = _Checked(_is_true, default=False).tag(sync=True)
    fps = _Checked(lambda _, value, __: frames_per_second(value, *PLAYER_FPS), 10.0).tag(sync=True)
    numbers = _Checked(_is_true, default=False).tag(sync=True)

    def __init__(self, given: dict[str, Any], *, fps: float, numbers: bool) -> None:
        super().__init__(given=given)
        self.fps, self.numbers = fps, numbers

    @property
    def n_frames(self) -> int:
        """The number of frames of the longest trace."""
        return max((scene["frames"] for scene in self.given["scenes"]), default=0)

    def _state(self) -> dict[str, Any]:
        return super()._state() | {"playing": False}

    def _about(self) -> str:
        captions = ", ".join(scene["caption"] for scene in self.given["scenes"])
        return f"of {self.n_frames:,} frames: {captions}"


class Play(_Shown):
    """A walk through a maze, made by `meiro.play`.

    Attributes
    ----------
    position : (int, int), or int
        The current cell of a maze or site of an array; of a `GraphMaze` the number of the cell. It can be
        set, which does not count as a step.
    steps : int
        The number of steps so far.
    solved : bool
        Whether the goal was reached.
    start, goal : (int, int), or int
    shortest : int
        The number of steps of the shortest path.

    Examples
    --------
    >>> game = meiro.play(meiro.Maze([[2, 8]]))
    >>> game
    <Play from (0, 0) to (0, 1): 0 steps, the shortest path has 1>
    >>> game.position = (0, 2)
    Traceback (most recent call last):
    ValueError: position (0, 2) is outside: rows 0..0, cols 0..1 (cells)
    """

    _values = ("position", "steps", "solved")

    position = _Checked(_place, traitlets.Undefined).tag(sync=True)
    steps = _Checked(lambda _, value, name: integer(value, name, 0, 1 << 53), 0).tag(
        sync=True
    )  # JavaScript's
    solved = _Checked(_is_true, default=False).tag(sync=True)

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__(given=given, position=given["start"], solved=given["start"] == given["goal"])

    @property
    def start(self) -> Cell | int:
        """The cell or site where the walk begins."""
        return _as_place(self.given["start"])

    @property
    def goal(self) -> Cell | int:
        """The cell or site where the walk ends."""
        return _as_place(self.given["goal"])

    @property
    def shortest(self) -> int:
        """The number of steps of the shortest path."""
        return int(self.given["shortest"])

    def restart(self) -> None:
        """Begin again at the start."""
        with self.hold_sync():
            self.steps, self.solved, self.position = 0, self.start == self.goal, self.start

    def _state(self) -> dict[str, Any]:
        begin = {"position": self.start, "steps": 0, "solved": self.start == self.goal}
        return super()._state() | begin

    def _about(self) -> str:
        what = f"from {self.start} to {self.goal}: {self.steps} step{'s' * (self.steps != 1)}"
        return f"{what}, the shortest path has {self.shortest}"


def _as_place(value: Any) -> Cell | int:
    return value if isinstance(value, int) else tuple(value)
