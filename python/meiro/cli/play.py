"""``meiro play``: walk through an endless maze in the terminal."""

from __future__ import annotations

import os
import re
import select
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import numpy as np

from meiro._utils.square import Cell, E, N, S, W
from meiro.cli.shared import values
from meiro.cli.shared.parser import command_parser
from meiro.colors import Theme
from meiro.drawing.terminal.ansi import can_write, has_colors
from meiro.drawing.terminal.screen import OWN, packed, screen, size
from meiro.generators.endless import COORDINATE_END, EndlessMaze, endless

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from meiro._utils.options import TextStyle
    from meiro.mazes.maze import Maze

_EXAMPLES = """\
  meiro play
  meiro play -a sidewinder --seed 7 --at 1000000 -5
"""
_LOOK = 0.2  # seconds between two checks of the size of the terminal
_EDGE = 2  # cells between the player and the border of the window, at least
_STEPS = {"w": (-1, 0, N), "s": (1, 0, S), "a": (0, -1, W), "d": (0, 1, E)}
_ARROWS = dict(zip("ABCD", "wsda", strict=True))
_KEY = re.compile(r"\x1b[\[O]([ABCD])|([wasdq\x04])|\x1b\[[\d;]*.|\x1b|.", re.DOTALL)
_TRAIL, _PLAYER = Theme._fields.index("path"), Theme._fields.index("current")


def run(command: str, words: Sequence[str]) -> int:
    """Let one walk; without a terminal print what would be seen."""
    parser = command_parser(command, "Walk through a maze without borders.", _EXAMPLES)
    names = "kruskal (the default), percolation, binary_tree, sidewinder or pole_toppling"
    parser.add_argument("-a", "--algorithm", default="kruskal", metavar="NAME", help=names)
    parser.add_argument("--seed", type=values.seed, metavar="N", help="the same maze every time")
    at = "where to begin; default: 0 0"
    parser.add_argument("--at", nargs=2, type=int, default=(0, 0), metavar=("ROW", "COL"), help=at)
    args = parser.parse_args(words)
    maze, start = endless(args.algorithm, rng=args.seed), (args.at[0], args.at[1])
    out, keys = sys.stdout, sys.stdin
    dumb = os.name != "posix" or os.environ.get("TERM") == "dumb"
    if dumb or out is None or keys is None or not (out.isatty() and keys.isatty()):
        print(View(maze, start, (80, 24)).window)
        return 0
    with screen(out) as shown, _unbuffered(keys) as keyboard:
        walk = Walk(maze, start, out)
        while True:
            shown.show(walk.picture())
            while not select.select([keyboard], [], [], _LOOK)[0]:
                if shown.stale():
                    shown.show(walk.picture())
            pressed = os.read(keyboard, 1024).decode("utf-8", "replace")
            if not pressed or not walk.press(pressed):
                return 0


class View:
    """The part of a maze that is seen: as much as the terminal holds, with the player in the middle."""

    def __init__(self, maze: EndlessMaze, place: Cell, room: tuple[int, int]) -> None:
        columns, lines = room
        self.room = room
        self.shape = tuple(max(side, 2 * _EDGE + 1) for side in ((lines - 2) // 2, (columns - 1) // 2))
        end, sides = COORDINATE_END, zip(place, self.shape, strict=True)
        self.first = tuple(max(-end, min(at - side // 2, end - side)) for at, side in sides)
        rows, cols = (slice(at, at + side) for at, side in zip(self.first, self.shape, strict=True))
        self.window: Maze = maze.window(rows, cols)

    def inside(self, place: Cell) -> Cell:
        """Return a cell as one of the window."""
        return place[0] - self.first[0], place[1] - self.first[1]

    def holds(self, place: Cell) -> bool:
        """Return whether a cell is in the window, and not near to its border."""
        sides = zip(self.inside(place), self.shape, strict=True)
        return all(_EDGE <= at < side - _EDGE for at, side in sides)


class Walk:
    """A walk: the cell of the player, and what is seen from there."""

    def __init__(self, maze: EndlessMaze, start: Cell, out: TextIO) -> None:
        self.maze, self.place, self.steps, self.out = maze, start, 0, out
        self.seen = {start}
        self.view = View(maze, start, size(out))
        marks = "●•" if can_write("●•│", out) else "@."
        self.player, self.trail = map(ord, marks)
        self.style: TextStyle = "unicode" if marks[0] == "●" else "ascii"
        self.colors = (_PLAYER, _TRAIL) if has_colors(out) else (OWN, OWN)

    def press(self, keys: str) -> bool:
        """Take the steps of some keys; return whether the walk goes on."""
        for arrow, letter in (found.groups() for found in _KEY.finditer(keys)):
            key = _ARROWS.get(arrow, letter)
            if key in {"q", "\x04"}:
                return False
            if key is None:
                continue
            down, across, bit = _STEPS[key]
            if self.view.window.passages[self.view.inside(self.place)] & bit:
                self.place = self.place[0] + down, self.place[1] + across
                self.seen.add(self.place)
                self.steps += 1
                if not self.view.holds(self.place):
                    self.view = View(self.maze, self.place, size(self.out))
        return True

    def picture(self) -> NDArray[np.uint32]:
        """Return what is seen, and a line that says where."""
        if self.view.room != size(self.out):
            self.view = View(self.maze, self.place, size(self.out))
        height, width = (2 * side + 1 for side in self.view.shape)
        lines = self.view.window.to_text(self.style).split("\n")
        where = f"row {self.place[0]}, column {self.place[1]}, {self.steps} step{'s' * (self.steps != 1)}; "
        where += "arrow keys to walk, q to quit"
        wide = max(width, len(where))
        text = "".join(line.ljust(wide) for line in [*lines, where])
        chars = np.frombuffer(text.encode("utf-32-le"), np.uint32).reshape(height + 1, wide).copy()
        inks = np.full(chars.shape, OWN, np.uint32)
        rows, cols = self.view.shape
        for place in self.seen:
            row, col = self.view.inside(place)
            if 0 <= row < rows and 0 <= col < cols:
                player = place == self.place
                chars[2 * row + 1, 2 * col + 1] = self.player if player else self.trail
                inks[2 * row + 1, 2 * col + 1] = self.colors[0 if player else 1]
        return packed(chars, inks, OWN)


@contextmanager
def _unbuffered(keys: TextIO) -> Iterator[int]:
    """Give the number of a terminal that hands over each key at once, and does not show it."""
    import termios
    import tty

    number = keys.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        yield number
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
