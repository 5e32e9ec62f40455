"""`meiro --watch` of mazes on lattices: two pixels a character, and every frame is that of the trace."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pseudo_terminal import Screen

import meiro
from meiro.cli import watch
from meiro.cli.watch import BLOCK, LatticeFrames
from meiro.traces.events import Paint
from meiro.traces.frame_deltas import frame_colors

COLUMNS, LINES = 80, 30
Watched = list["NDArray[np.uint32]"]


def pixels_of(picture: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return the paints of half blocks; -1 where there is another character."""
    block = (picture & (1 << 21) - 1) == ord(BLOCK)
    upper, lower = (np.where(block, (picture >> shift & 31).astype(np.int64), -1) for shift in (21, 26))
    return np.stack([upper, lower], axis=1).reshape(-1, picture.shape[1]).astype(np.int64)


def text_of(lines: NDArray[np.uint32]) -> str:
    return " ".join("".join(chr(c & (1 << 21) - 1) for c in line).strip() for line in lines.tolist()).strip()


@pytest.fixture(name="watched")
def watched_fixture(
    monkeypatch: pytest.MonkeyPatch, written_by_watch: Callable[..., str]
) -> Callable[..., Watched]:
    """`watched("--lattice", "polar", 4)`: the pictures that it shows."""

    def run(*words: object, columns: int = COLUMNS, lines: int = LINES, encoding: str = "utf-8") -> Watched:
        pictures: Watched = []

        @contextmanager
        def shown(_: object) -> Iterator[SimpleNamespace]:
            yield SimpleNamespace(show=pictures.append, stale=lambda: False)

        with monkeypatch.context() as patched:
            patched.setattr(watch, "screen", shown)
            written_by_watch(*words, columns=columns, lines=lines, fps=10, encoding=encoding)
        return pictures

    return run


@pytest.mark.parametrize("words", ["square 5 9", "hexagonal 5 8", "cairo 4 6", "box 2 4 5", "voronoi 30"])
def test_each_frame_is_shown_as_large_as_it_fits(words: str, watched: Callable[..., Watched]) -> None:
    given = ["--lattice", *words.split(), "-a", "growing_tree", "--seed", 4, "--solver", "dfs"]
    pictures = watched(*given)
    name, *sizes = words.split()
    seed: Any = {"rng": 4} if name == "voronoi" else {}
    lattice = getattr(meiro.lattices, name)(*map(int, sizes), **seed)
    maze = meiro.generate(lattice, "growing_tree", rng=4)
    traces = {
        "growing_tree": meiro.trace(lattice, "growing_tree", rng=4),
        "dfs": meiro.trace_solve(maze, algorithm="dfs"),
    }
    raster = LatticeFrames(lattice, COLUMNS, LINES - 2)._raster
    cells = tuple(raster.centers.astype(int).T[::-1])
    sides = np.array([len(pictures[0]) - 2, pictures[0].shape[1]])
    assert (sides <= (LINES - 2, COLUMNS)).all()
    assert (sides >= (LINES - 3, COLUMNS - 1)).any()
    seen: dict[str, list[int]] = {"growing_tree": [], "dfs": []}
    for picture in pictures:
        told = re.match(r"(\w+) (\d+)/(\d+)  (.*)", text_of(picture[raster.size[0] + 1 >> 1 :]))
        assert told is not None
        trace, k = traces[told[1]], int(told[2]) - 1
        assert int(told[3]) == trace.n_events
        assert (trace[k] if k >= 0 else trace.before).note == told[4]
        paints, pixels = frame_colors(trace, k), pixels_of(picture)
        assert (pixels[cells] == paints[: lattice.n_cells]).all()
        if name == "square":
            one, other = raster.centers[lattice.edges].transpose(1, 0, 2)
            between = tuple(((one + other) / 2).astype(int).T[::-1])
            assert ((pixels[between] == Paint.WALL) == (paints[lattice.n_cells :] == Paint.WALL)).all()
        seen[told[1]].append(k)
    for algorithm, numbers in seen.items():
        assert numbers == list(range(-1, len(traces[algorithm]))), algorithm


@pytest.mark.parametrize("sizes", ["2 4 5", "2 5 12", "3 6 6"])
def test_levels_have_their_titles_above_their_walls(sizes: str, watched: Callable[..., Watched]) -> None:
    first = watched("--lattice", "box", *sizes.split())[0]
    lines = [text_of(first[i : i + 1]) for i in range(len(first) - 2)]
    titles = [f"level {1 + i}" for i in range(int(sizes[0]))]
    assert re.findall(r"level \d", " ".join(lines)) == titles
    pixels = pixels_of(first)
    for row in (i for i, line in enumerate(lines) if "level" in line):
        left = "".join(chr(c & (1 << 21) - 1) for c in first[row]).index("level")
        assert not (pixels[2 * row : 2 * row + 2, [left - 1, left + 7]] == Paint.WALL).any()


def test_what_cannot_be_shown_is_said(watched: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def told(*words: object, **terminal: Any) -> str:
        assert not watched(*words, "--seed", 1, **terminal)
        return str(capsys.readouterr().err)

    hexes = "--lattice", "hexagonal", 20, 30
    small = told(*hexes)
    found = re.search(r"needs (\d+) columns and (\d+) lines, and the terminal has 80 and 30", small)
    assert found is not None
    columns, lines = map(int, found.groups())
    assert watched(*hexes, columns=columns, lines=lines)
    assert "--watch needs" in told(*hexes, columns=columns * 9 // 10, lines=lines * 9 // 10)
    assert "more than the 60,000 of which frames are drawn" in told("--lattice", "square", 300, 300)
    blocks = "--watch of a lattice needs a terminal with colours and half blocks: only the result is printed"
    assert blocks in told("--lattice", "polar", 3, encoding="ascii")
    monkeypatch.setenv("NO_COLOR", "1")
    assert blocks in told("--lattice", "polar", 3)


@pytest.mark.long
def test_watch_of_a_lattice_ends_with_the_usual_output() -> None:
    words = ["-m", "meiro", "--lattice", "square", "3", "4", "--seed", "7", "--solve"]
    plain = Screen(*words, outputs="out", columns=80, lines=24)
    expected = plain.read()
    assert plain.wait() == 0
    watching = Screen(*words, "--watch", "--fps", "10000", outputs="out", columns=80, lines=24)
    seen = watching.read()
    assert watching.wait() == 0
    assert BLOCK in seen
    assert seen.startswith("\x1b[?1049h")
    assert seen.endswith("\x1b[?1049l" + expected)
