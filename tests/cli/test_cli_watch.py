"""`meiro --watch`: every frame is that of the trace, and the terminal is restored."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pseudo_terminal import Screen
from thinning import long_but
from timing import best

import meiro
from meiro.cli import main, watch
from meiro.colors import DARK, LIGHT, Color, Theme
from meiro.drawing.terminal import screen
from meiro.drawing.terminal.ansi import nearest
from meiro.traces.events import State
from meiro.traces.frame_deltas import frame_colors

SEQUENCE = re.compile(r"\x1b\[(\??)([\d;]*)([A-Za-z])?|\x1b|(.)", re.DOTALL)
POSTS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
WALL, CLOSED, START, GOAL = (Theme._fields.index(name) for name in ("wall", "closed", "start", "goal"))
WALLS = {WALL, State.KEPT, State.GROWING, State.BUILT}
Place = tuple[str, int | None, int | None]  # what is written, in which colour, on which
NOTHING: Place = (" ", None, None)


class Terminal:
    """What a terminal shows of the few sequences that are sent to it; another one is an error."""

    def __init__(self, columns: int, lines: int) -> None:
        self.columns, self.lines = columns, lines
        self.main, self.other = self.blank(), self.blank()
        self.on_main = self.cursor = True
        self.at = self.left = (0, 0)
        self.colors: tuple[int | None, int | None] = (None, None)
        self.frames: list[list[list[Place]]] = []  # each when the next one begins

    def blank(self) -> list[list[Place]]:
        return [[NOTHING] * self.columns for _ in range(self.lines)]

    @property
    def shown(self) -> list[list[Place]]:
        return self.main if self.on_main else self.other

    def frame(self) -> None:
        self.frames.append([row.copy() for row in self.other])

    def feed(self, text: str) -> Terminal:
        for found in SEQUENCE.finditer(text):
            private, numbers, letter, char = found.groups()
            if char is None and not letter:  # Ctrl-C came while it was written: the next one ends it
                assert text[found.end() :].startswith("\x1b"), "not an escape sequence"
            elif char is None:
                self.control(private, [int(n) for n in numbers.split(";") if n], letter)
            elif char == "\n":
                self.newline()
            else:
                row, col = self.at
                assert char.isprintable()
                assert row < self.lines, "written below the screen"
                assert col < self.columns, "written beside the screen"
                self.shown[row][col] = (char, *self.colors)
                self.at = (row, col + 1)
        return self

    def newline(self) -> None:
        assert self.on_main
        self.at = (self.at[0] + 1, 0)
        if self.at[0] == self.lines:
            self.main.append([NOTHING] * self.columns)
            self.main.pop(0)
            self.at = (self.lines - 1, 0)

    def control(self, private: str, numbers: list[int], letter: str) -> None:
        if private:
            assert (numbers, letter) in [([n], sign) for n in (25, 1049) for sign in "hl"]
            if numbers == [25]:
                self.cursor = letter == "h"
            elif letter == "h":
                self.left, self.on_main, self.other = self.at, False, self.blank()
            else:
                self.at, self.on_main = self.left, True
        elif letter == "H":
            row, col = numbers or (1, 1)
            if (row - 1, col - 1) < self.at and not self.on_main:
                self.frame()
            self.at = row - 1, col - 1
        elif letter == "J":
            assert numbers == [2]
            assert self.colors == (None, None), "erased in a colour"
            self.frame()
            self.shown[:] = self.blank()
        else:
            assert letter == "m"
            self.paint(numbers or [0])

    def paint(self, numbers: list[int]) -> None:
        front, back = self.colors
        while numbers:
            first = numbers.pop(0)
            if first == 0:
                front = back = None
            elif first != 1:  # bold
                assert numbers.pop(0) == 5
                front, back = (numbers.pop(0), back) if first == 38 else (front, numbers.pop(0))
        self.colors = front, back


def words_of(line: list[Place]) -> str:
    return "".join(char for char, _, _ in line).rstrip()


@pytest.fixture(name="watched")
def watched_fixture(written_by_watch: Callable[..., str]) -> Callable[..., Terminal]:
    """`watched("5", "4", ...)`: a terminal that showed every frame of it."""

    def run(*words: object, columns: int = 80, lines: int = 30, fps: float = 30) -> Terminal:
        written = written_by_watch(*words, columns=columns, lines=lines, fps=fps)
        terminal = Terminal(columns, lines).feed(written if "\x1b" in written else "")
        assert terminal.cursor
        assert terminal.on_main
        return terminal

    return run


def obvious(paints: NDArray[np.uint8], theme: Theme) -> list[list[Place]]:
    """Draw a frame place by place."""
    height, width = paints.shape

    def at(r: int, c: int) -> int:
        return int(paints[r, c]) if 0 <= r < height and 0 <= c < width else 0

    def place(r: int, c: int) -> Place:
        paint, wall = at(r, c), at(r, c) in WALLS
        near = [
            at(i, j)
            for i in range(max(r - 1, 0), min(r + 2, height))
            for j in range(max(c - 1, 0), min(c + 2, width))
            if i % 2 == j % 2 == 1
        ]
        behind = 0 if wall else paint
        if behind == 0 and (r % 2 == 0 or c % 2 == 0) and set(near) == {CLOSED}:
            behind = CLOSED
        back = nearest(theme[behind])
        if r % 2 == c % 2 == 0:
            sides = ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))
            arms = sum((at(*side) in WALLS) << i for i, side in enumerate(sides))
            return POSTS[arms], nearest(theme[paint if wall else WALL]), back
        if wall:
            return "│─"[c % 2], nearest(theme[paint]), back
        mark = {State.PATH: "•", START: "S", GOAL: "G"}.get(paint, " ")
        return mark, nearest(theme[0]), back

    return [[place(r, c) for c in range(width)] for r in range(height)]


def check_frames(terminal: Terminal, trace: meiro.Trace) -> int:
    """Compare each with the frame that its last line names, and return how many there are."""
    height, width = trace.grid_shape
    seen = []
    for frame in terminal.frames:
        told = " ".join(words_of(row) for row in frame[height : height + 2]).rstrip()
        found = re.match(rf"{trace.algorithm} ([\d,]+)/{trace.n_events:,}  (.*)", told)
        if found is None:
            continue
        k = -(-int(found[1].replace(",", "")) // trace.every) - 1
        note = (trace[k] if k >= 0 else trace.before).note
        assert note == found[2] or (len(frame) == height + 1 and note.startswith(found[2]))
        assert [row[:width] for row in frame[:height]] == obvious(frame_colors(trace, k), DARK), (trace, k)
        seen.append(k)
    assert seen == sorted(set(seen))
    assert seen[-1] == len(trace) - 1
    return len(seen)


@pytest.mark.parametrize("algorithm", long_but(meiro.ALGORITHMS, "wilson", "eller", "percolation", "kruskal"))
def test_watch_shows_every_frame_of_a_generator(algorithm: str, watched: Callable[..., Terminal]) -> None:
    terminal = watched(4, 3, "-a", algorithm, "--seed", 3, fps=10)
    n_events = meiro.trace((3, 4), algorithm, rng=3).n_events
    trace = meiro.trace((3, 4), algorithm, rng=3, every=-(-n_events // 100))
    assert check_frames(terminal, trace) == len(trace) + 1 <= 101
    assert "\n".join(map(words_of, terminal.main[:7])) == str(trace.result)


def test_a_maze_without_decisions_is_watched(watched: Callable[..., Terminal]) -> None:
    trace = meiro.trace((1, 6), "wilson", rng=3)
    assert trace.n_events == 0
    lines = [words_of(frame[3]) for frame in watched(6, 1, "--seed", 3).frames]
    assert f"wilson 0/0  {trace[0].note}" in lines


@pytest.mark.parametrize(
    "solver", long_but(meiro.SOLVERS, "bfs", "tremaux", "dead_end_filling", "random_mouse")
)
def test_watch_shows_every_frame_of_a_search(solver: str, watched: Callable[..., Terminal]) -> None:
    terminal = watched(4, 3, "--seed", 3, "--solver", solver, fps=4)
    maze = meiro.generate((3, 4), rng=3)
    if meiro.SOLVERS[solver].random:  # each time another one
        assert words_of(terminal.main[7]) == f"steps {meiro.solve(maze).length}"
        return
    n_events = meiro.trace_solve(maze, algorithm=solver).n_events
    trace = meiro.trace_solve(maze, algorithm=solver, every=-(-n_events // 40))
    assert check_frames(terminal, trace) == len(trace) + 1 <= 41
    shown = maze.to_text(solution=trace.result)
    assert "\n".join(map(words_of, terminal.main[:7])) == shown


def test_watch_uses_light_colors_in_a_light_terminal(watched: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def roads(terminal: Terminal) -> set[int | None]:
        return {place[2] for frame in terminal.frames for place in frame[1][1:8:2]}

    assert nearest(DARK.road) in roads(watched(4, 3))
    monkeypatch.setenv("COLORFGBG", "0;15")
    light = roads(watched(4, 3))
    assert nearest(LIGHT.road) in light
    assert nearest(DARK.road) not in light


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_watch_colors_differ_where_states_differ(theme: Theme) -> None:
    own = {color: nearest(color) for color in theme[:16]}
    assert len(set(own.values())) == len(own)
    levels = (0, 95, 135, 175, 215, 255)
    cube = {16 + i: tuple(levels[i // step % 6] for step in (36, 6, 1)) for i in range(216)}
    xterm = cube | {232 + i: (8 + 10 * i,) * 3 for i in range(24)}

    def away(color: Color, number: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(color, xterm[number], strict=True))

    for color, number in own.items():
        assert away(color, number) == min(away(color, other) for other in xterm)


@pytest.mark.parametrize("style", ["unicode", "ascii", "posts", "block"])
def test_watch_without_colors_uses_letters(watched: Any, style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = watched(6, 4, "--seed", 5, "--solver", "dfs", "--style", style, fps=10)
    assert {place[1:] for frame in terminal.frames for row in frame for place in row} == {(None, None)}
    maze = meiro.generate((4, 6), rng=5)
    trace = meiro.trace_solve(maze, algorithm="dfs")
    frame = next(f for f in terminal.frames if words_of(f[9]).startswith("dfs 12/"))
    width = 2 if style == "block" else 1
    letters = {State.VISITED: ".", State.FRONTIER: "?", State.CURRENT: "@", START: "S", GOAL: "G"}
    for (row, col), paint in np.ndenumerate(frame_colors(trace, 11)):
        char = frame[row][width * col][0]
        if paint in letters:
            assert char == letters[paint]  # type: ignore[index]
        elif row % 2 == 0 or col % 2 == 0:
            wall = row % 2 == col % 2 == 0 or paint == WALL
            assert (char != " ") == wall, (row, col)
    if style == "ascii":
        assert all(words_of(row).isascii() for f in terminal.frames for row in f)
        assert any("*" in words_of(row) for row in terminal.frames[-3][:9])


# What is read


@pytest.mark.parametrize("kind", ["maze.txt", "maze.npz", "room.csv", "room.npy"])
def test_watch_of_a_file_shows_the_search(kind: str, tmp_path: Path, watched: Any) -> None:
    file = str(tmp_path / kind)
    if kind == "maze.txt":
        meiro.save(meiro.generate((3, 5), rng=1), file)
    elif kind == "maze.npz":
        mask = np.ones((4, 5), bool)
        mask[1:3, 2:4] = False
        meiro.save(meiro.generate(algorithm="backtracker", mask=mask, rng=1), file)
    else:
        room = np.pad(np.zeros((4, 6), np.uint8), 1, constant_values=1)
        room[2, 1:5] = room[0, 1] = room[5, 6] = 1
        room[0, 1] = room[5, 6] = 0
        np.save(file, room) if kind == "room.npy" else np.savetxt(file, room, "%d", delimiter=",")
    terminal = watched("--input", file)
    notes = {words_of(row).split("  ")[0] for frame in terminal.frames for row in frame}
    assert any(note.startswith("bfs 1/") for note in notes)
    assert not any(note.startswith(("wilson", "backtracker")) for note in notes)
    assert any(words_of(row).startswith("steps ") for row in terminal.main)
    chars = {place[0] for frame in terminal.frames for row in frame for place in row}
    assert ("█" in chars) == kind.startswith("room")
    assert ("░" in chars) == (kind == "maze.npz")


def test_watch_refuses_what_has_no_frames(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main.main(["5", "3", "--seed", "2"]) == 0
    plain = capsys.readouterr().out
    assert main.main(["5", "3", "--seed", "2", "--watch"]) == 0
    assert capsys.readouterr() == (plain, "meiro: --watch needs a terminal: only the result is printed\n")
    file = str(tmp_path / "maze.txt")
    meiro.save(meiro.generate((3, 5), rng=1), file)
    assert main.main(["--input", file, "--check", "--watch"]) == 0
    assert "of a maze from a file only the search is shown" in capsys.readouterr().err


@pytest.mark.parametrize("size", [(10, 7), (11, 6), (4, 3)])
def test_watch_refuses_what_does_not_fit(size: Any, capsys: pytest.CaptureFixture[str], watched: Any) -> None:
    columns, lines = 21, 14
    terminal = watched(*size, "--seed", 2, columns=columns, lines=lines)
    err = capsys.readouterr().err
    cols, rows = size
    wide, high = 2 * cols + 1, 2 * rows + 2
    if wide > columns or high > lines:
        assert not terminal.frames
        assert f"needs {wide} columns and {high} lines, and the terminal has {columns} and {lines}" in err
    else:
        assert terminal.frames
        assert err == ""


@pytest.mark.parametrize("fps", ["0", "-3", "nan", "inf", "quick", ""])
def test_watch_refuses_bad_fps(fps: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["5", "3", "--watch", "--fps", fps]) == main.ERROR
    assert capsys.readouterr().err == f"meiro: --fps: must be a number above 0, not {fps!r}\n"
    assert main.main(["5", "3", "--fps", "3"]) == main.ERROR
    assert capsys.readouterr().err == "meiro: --fps is for --watch\n"


@pytest.mark.parametrize("fps", [0.01, 0.5, 30, 1e9])
def test_watch_takes_ten_seconds_at_most(fps: float, monkeypatch: pytest.MonkeyPatch, watched: Any) -> None:
    begun: list[float] = []
    ended: list[float] = []
    play = watch._play

    def clock() -> float:
        return float(vars(watch)["time"].monotonic())

    def timed(*given: Any) -> None:
        begun.append(clock())
        play(*given)
        ended.append(clock())

    monkeypatch.setattr(watch, "_play", timed)
    watched(6, 6, "-a", "aldous_broder", "--seed", 1, fps=fps)
    (took,) = (b - a for a, b in zip(begun, ended, strict=True))
    assert 0 < took <= watch._SECONDS + watch._HELD[1] + 1e-3


def test_watch_writes_only_changes() -> None:
    out = io.StringIO()
    shown = screen.Screen(out, DARK)
    picture = np.full((10, 40), screen.packed(ord("x"), 12, 0))
    shown.show(picture)
    before = len(out.getvalue())
    assert before >= 400
    changed = picture.copy()
    changed[3, [5, 8]] = screen.packed(ord("y"), 12, 0)
    shown.show(changed)
    assert out.getvalue()[before:] == "\x1b[4;6Hyxxy"
    shown.show(changed)
    assert out.getvalue()[before:] == "\x1b[4;6Hyxxy"


def test_screen_outside_the_main_thread_sets_no_handlers() -> None:
    out = io.StringIO()
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def show() -> None:
        with screen.screen(out) as shown:
            seen.append(signal.getsignal(signal.SIGTERM))
            shown.show(np.full((1, 2), screen.packed(ord("x"), screen.OWN, screen.OWN)))

    thread = threading.Thread(target=show)
    thread.start()
    thread.join()
    assert seen == [before]
    written = out.getvalue()
    assert "xx" in written
    assert (written.startswith(screen._BEGIN), written.endswith(screen._END)) == (True, True)


def test_screen_without_ctrl_z_restores_the_other_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = signal.SIGTSTP
    before = [signal.getsignal(number) for number in (stop, signal.SIGTERM)]
    monkeypatch.delattr(signal, "SIGTSTP")  # as on Windows
    with screen.screen(io.StringIO()):
        during = [signal.getsignal(number) for number in (stop, signal.SIGTERM)]
    assert during[0] == before[0]
    assert during[1] != before[1]
    assert [signal.getsignal(number) for number in (stop, signal.SIGTERM)] == before


def test_screen_is_restored_though_ctrl_c_comes_meanwhile() -> None:
    class Interrupted(io.StringIO):
        def write(self, text: str) -> int:
            if text == screen._END and screen._END[:5] not in self.getvalue():
                super().write(text[:5])
                raise KeyboardInterrupt
            return super().write(text)

    out = Interrupted()
    with pytest.raises(KeyboardInterrupt), screen.screen(out):
        pass
    assert out.getvalue() == screen._BEGIN + screen._END[:5] + screen._END


def test_screen_of_a_terminal_without_size_has_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "61")
    monkeypatch.setenv("LINES", "17")
    for size in ((0, 0), (80, 0), (100, 40)):
        monkeypatch.setattr(os, "get_terminal_size", lambda _, size=size: size)
        assert screen.size(sys.__stdout__ or sys.stdout) == ((100, 40) if all(size) else (61, 17))


# With a real terminal


def start(*words: object, columns: int = 80, lines: int = 24) -> Screen:
    return Screen("-m", "meiro", *map(str, words), outputs="out", columns=columns, lines=lines)


def left_clean(screen: Screen, seen: str, status: int, columns: int = 80, lines: int = 24) -> Terminal:
    """Read to the end, and see that the terminal is as it was."""
    terminal = Terminal(columns, lines).feed(seen + screen.read())
    assert screen.wait() == status
    assert terminal.cursor
    assert terminal.on_main
    assert terminal.colors == (None, None)
    return terminal


def test_watch_ends_with_the_usual_output(tmp_path: Path) -> None:
    words = [9, 5, "--seed", 7, "--solve", "--check"]
    plain = start(*words)
    expected = left_clean(plain, "", 0)
    file = tmp_path / "maze.png"
    watching = start(*words, "-o", file, "--watch", "--fps", 10_000)
    terminal = left_clean(watching, "", 0)
    assert terminal.main == expected.main
    assert terminal.at == expected.at
    assert file.is_file()
    notes = [words_of(frame[11]) for frame in terminal.frames]
    assert any(note.startswith("wilson ") for note in notes)
    assert any(note.startswith("bfs ") for note in notes)


def seconds_to_end_after(number: signal.Signals, file: Path) -> float:
    """Send the signal to a watch; check that it leaves the terminal clean and writes no file."""
    screen = start(35, 10, "-o", file, "--watch")
    seen = screen.read(b"wilson")
    sent = time.monotonic()
    screen.process.send_signal(number)
    terminal = left_clean(screen, seen, 128 + number)
    took = time.monotonic() - sent
    assert terminal.main == terminal.blank()
    assert not file.exists()
    return took


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watch_is_ended_by_a_signal_and_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    seconds_to_end_after(number, tmp_path / "maze.png")


@pytest.mark.clock
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watch_is_ended_by_a_signal_within_3_s(number: signal.Signals, tmp_path: Path) -> None:
    assert best(lambda: seconds_to_end_after(number, tmp_path / "maze.png"), 1) < 3


@pytest.mark.skipif(sys.platform == "win32", reason="there is no Ctrl-Z")
def test_watch_suspended_by_ctrl_z_restores_the_terminal() -> None:
    screen = start(35, 10, "--watch", "--fps", 20)
    seen = screen.read(b"wilson")
    screen.process.send_signal(signal.SIGTSTP)
    _, status = os.waitpid(screen.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    seen += screen.read(b"\x1b[?1049l")
    stopped = Terminal(80, 24).feed(seen)
    assert stopped.cursor
    assert stopped.on_main
    screen.process.send_signal(signal.SIGCONT)
    again = screen.read(b"wilson")
    assert again.startswith("\x1b[?1049h")
    screen.process.send_signal(signal.SIGINT)
    left_clean(screen, seen + again, main.INTERRUPTED)


def test_watch_redraws_and_clips_in_a_smaller_terminal() -> None:
    import fcntl
    import struct
    import termios

    screen = start(35, 10, "--watch", "--fps", 20)
    seen = screen.read(b"wilson")
    fcntl.ioctl(screen.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 9, 40, 0, 0))
    assert seen.count("\x1b[2J") == 1
    screen.read(b"\x1b[2J")
    after = screen.read(b"\x1b[9;")
    screen.process.send_signal(signal.SIGINT)
    small = Terminal(40, 9)
    small.on_main = False
    small.feed(after + screen.read())  # nothing is written beside or below it
    assert screen.wait() == main.INTERRUPTED
    assert words_of(small.frames[0][0]).startswith("┌─")


def test_screen_that_is_erased_gets_its_colors_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([(80, 24), (70, 20)])
    monkeypatch.setattr(screen, "size", lambda _: next(sizes))
    out = io.StringIO()
    shown = screen.Screen(out, DARK)
    picture = screen.packed([[ord("x")]], WALL, START)
    shown.show(picture)
    first = out.getvalue()
    shown.show(picture)
    assert out.getvalue() == 2 * first


def test_watch_ends_when_the_terminal_is_closed() -> None:
    screen = start(35, 10, "--watch")
    screen.read(b"wilson")
    assert screen.wait() in {main.ERROR, -signal.SIGHUP}
