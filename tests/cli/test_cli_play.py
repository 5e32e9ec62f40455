"""`meiro play`: steps go through passages only, the picture follows, and the terminal is restored."""

from __future__ import annotations

import io
import os
import termios

import numpy as np
import pytest
from pseudo_terminal import Screen

import meiro
from meiro.cli.main import main
from meiro.cli.play import View, Walk
from meiro.drawing.terminal import ansi

FAR = 1 << 62


def drawn(walk: Walk) -> list[str]:
    picture = walk.picture() & ((1 << 21) - 1)
    return ["".join(map(chr, row)).rstrip() for row in picture.tolist()]


def test_a_walk_goes_through_passages_and_the_view_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ansi, "size", lambda: (31, 16))
    maze = meiro.generators.endless("kruskal", rng=7)
    path = maze.solve((0, 0), (20, 30))
    walk = Walk(maze, (0, 0), io.StringIO())
    names = {(-1, 0): "\x1b[A", (1, 0): "s", (0, 1): "\x1bOC", (0, -1): "a"}
    keys = [names[step[0], step[1]] for step in np.diff(path, axis=0).tolist()]
    assert walk.press("\x1b" + "".join(keys[:40]))
    assert walk.press("x\x1b[5~é" + "".join(keys[40:]))
    assert walk.place == (20, 30)
    assert walk.steps == len(path) - 1
    assert walk.view.holds((20, 30))
    *lines, where = drawn(walk)
    assert where.startswith("row 20, column 30, 160 steps; arrow keys to walk")
    row, col = walk.view.inside((20, 30))
    assert lines[2 * row + 1][2 * col + 1] == "●"
    plain = str(walk.view.window).splitlines()
    bare = [line.translate({ord("●"): " ", ord("•"): " "}).rstrip() for line in lines]
    assert bare == [line.rstrip() for line in plain]
    assert sum(line.count("•") for line in lines) > 5
    assert not walk.press("q")


def test_walls_and_the_end_of_the_plane_stop_a_step() -> None:
    walk = Walk(meiro.generators.endless("percolation", rng=7, p=0), (4, -5), io.StringIO())
    assert walk.press("wasd")
    assert (walk.place, walk.steps) == ((4, -5), 0)
    everything = meiro.generators.endless("percolation", rng=7, p=1)
    walk = Walk(everything, (FAR - 1, -FAR + 1), io.StringIO())
    assert walk.press("saaaa")
    assert walk.place == (FAR - 1, -FAR)
    assert View(everything, (0, 0), (1, 1)).shape == (5, 5)


def test_letters_alone_where_the_encoding_has_no_lines() -> None:
    out = io.TextIOWrapper(io.BytesIO(), "ascii")
    walk = Walk(meiro.generators.endless("sidewinder", rng=7), (0, 0), out)
    walk.press("wasdwasd")
    text = "\n".join(drawn(walk))
    assert text.isascii()
    assert "@" in text


def test_without_a_terminal_the_window_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "-a", "sidewinder", "--seed", "7", "--at", "-3", "5"]) == 0
    maze = meiro.generators.endless("sidewinder", rng=7)
    assert capsys.readouterr().out == f"{maze.window(slice(-8, 3), slice(-14, 25))}\n"
    assert main(["play", "-a", "wilson"]) == 2
    assert "has no endless form" in capsys.readouterr().err


def test_keys_are_read_and_the_terminal_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "-m", "meiro", "play", "--seed", "7"
    monkeypatch.setenv("TERM", "dumb")
    plain = Screen(*words, outputs="in out err")
    assert "\x1b" not in plain.read()
    assert plain.process.wait(timeout=60) == 0
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen(*words, outputs="in out err")
    screen.read(b"q to quit")
    os.write(screen.ours, b"wwaassddq")
    screen.read(b"?1049l")
    assert screen.process.wait(timeout=60) == 0
    assert termios.tcgetattr(screen.ours) == termios.tcgetattr(plain.ours)
    for each in (plain, screen):
        each.wait()
