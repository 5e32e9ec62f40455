"""Animations: every frame that is written is the one that is drawn, as the trace has it."""

from __future__ import annotations

import base64
import errno
import io
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from PIL import Image
from refusals import refused
from timing import best, seconds

import meiro
from meiro._utils.pixel_layout import layout_of
from meiro.colors import LIGHT, THEMES
from meiro.drawing.animation import animation as shown
from meiro.drawing.notebook.html_page import fragment
from meiro.drawing.numbers import paints_of
from meiro.traces.events import Paint, State
from meiro.traces.frame_deltas import frame_colors
from meiro.traces.trace import Trace

HERE = Path()  # each test has a folder of its own
PICTURES = [".gif", ".png", ".apng", ".webp"]
MAZE = meiro.generate((6, 9), rng=5)


def painted(trace: Trace, k: int, size: int = 480, theme: str = "light") -> NDArray[np.uint8]:
    """Draw a frame of a trace the slow way."""
    colors = np.array(THEMES[theme][:16], np.uint8)[frame_colors(trace, k)]
    layout = layout_of(trace.grid_shape, cells=trace.space == "cells", size=size)
    height, width = trace.grid_shape
    out = np.empty((*layout.size(trace.grid_shape), 3), np.uint8)
    y = 0
    for row in range(height):
        x, high = 0, layout.wall if row % 2 == 0 else layout.cell
        for col in range(width):
            wide = layout.wall if col % 2 == 0 else layout.cell
            out[y : y + high, x : x + wide] = colors[row, col]
            x += wide
        y += high
    return out


def read(path: Path) -> tuple[list[NDArray[np.uint8]], list[int]]:
    """Return the frames of a file and their milliseconds, as Pillow reads them."""
    with Image.open(path) as image:
        frames, lasts = [], []
        for k in range(getattr(image, "n_frames", 1)):
            image.seek(k)
            image.load()
            frames.append(np.asarray(image.convert("RGB")))
            lasts.append(int(image.info["duration"]))
        assert image.info.get("loop", 0) == 0
        return frames, lasts


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("suffix", PICTURES)
def test_animation_frames_are_read_back_as_drawn(tmp_path: Path, suffix: str, theme: str) -> None:
    trace = meiro.trace((6, 9), "backtracker", rng=5)
    animation = meiro.animate(trace, theme=theme, size=90)
    animation.save(tmp_path / ("maze" + suffix))
    frames, _ = read(tmp_path / ("maze" + suffix))
    assert len(frames) == len(animation) == len(trace) + 1
    for k, frame in enumerate(frames):
        assert (frame == painted(trace, k - 1, 90, theme)).all(), k
        assert (frame == animation[k]).all(), k


@pytest.mark.parametrize("suffix", PICTURES)
def test_animation_frames_with_captions_and_numbers_are_read_back(tmp_path: Path, suffix: str) -> None:
    traces = [meiro.trace((3, 4), name, rng=1) for name in ("kruskal", "prim")]
    animation = meiro.animate(traces, numbers=True)
    animation.save(tmp_path / ("mazes" + suffix))
    frames, _ = read(tmp_path / ("mazes" + suffix))
    assert len(frames) == len(animation)
    assert all((frame == drawn).all() for frame, drawn in zip(frames, animation, strict=True))


@pytest.mark.parametrize("fps", [0.02, 7, 20, 30, 50, 60])
@pytest.mark.parametrize("suffix", [".gif", ".png", ".webp"])
def test_animation_frames_last_as_long_as_fps_says(tmp_path: Path, suffix: str, fps: float) -> None:
    animation = meiro.animate(meiro.trace((3, 3), "prim", rng=1), fps=fps, size=30)
    animation.save(tmp_path / ("maze" + suffix))
    _, lasts = read(tmp_path / ("maze" + suffix))
    unit = 10 if suffix == ".gif" else 1
    each = 1000 / min(fps, 50)
    assert max(abs(last - each) for last in lasts[:-1]) <= unit
    assert abs(sum(lasts[:-1]) - each * (len(lasts) - 1)) <= unit
    assert lasts[-1] == max(2000, round(each))


def test_animation_number_of_frames() -> None:
    trace = meiro.trace((9, 9), "aldous_broder", rng=1)
    n = len(trace)
    assert len(meiro.animate(trace, every=1)) == n + 1
    assert len(meiro.animate(trace, every=7)) == -(-n // 7) + 1
    assert len(meiro.animate(trace, every=10 * n)) == 2
    for most in (1, 2, 3, 10, 50, n, n + 1, 9 * n):
        animation = meiro.animate(trace, max_frames=most)
        assert len(animation) <= most
        assert (animation[-1] == painted(trace, n - 1)).all()
        if most > 1:
            assert (animation[0] == painted(trace, -1)).all()
            every = -(-n // (most - 1))  # no fewer events a frame would do
            assert len(animation) == -(-n // every) + 1
            assert (animation[1] == painted(trace, min(every, n) - 1)).all()


@pytest.mark.parametrize("kept", [{"every": 7}, {"every": 7, "max_events": 200}, {"window": (20, 90)}])
def test_animation_of_a_trace_with_a_window(kept: dict[str, Any]) -> None:
    trace = meiro.trace((8, 8), "wilson", rng=2, **kept)
    animation = meiro.animate(trace, size=90)
    assert len(animation) == len(trace) + 1
    for k in (0, 1, len(trace) // 2, len(trace)):
        assert (animation[k] == painted(trace, k - 1, 90)).all()
    coarse = meiro.animate(trace, size=90, every=10)  # no multiple of 7: what was kept last is shown
    assert (coarse[3] == painted(trace, 30 // trace.every - 1, 90)).all()
    assert (coarse[-1] == painted(trace, len(trace) - 1, 90)).all()


def test_animation_side_by_side_keeps_pace_and_waits_for_the_longest() -> None:
    traces = [meiro.trace_solve(MAZE, algorithm=name) for name in ("dfs", "bfs")]
    both = meiro.animate(traces, size=120, every=2)
    alone = [meiro.animate(trace, size=120, every=2) for trace in traces]
    assert len(both) == max(map(len, alone)) > min(map(len, alone))
    height, width = alone[0].size
    for k in (0, 5, min(map(len, alone)), len(both) - 1):
        for left, one in zip((8, both.size[1] - 8 - both_width(both)), alone, strict=True):
            panel = both[k][-8 - height : -8, left : left + width]
            assert (panel == one[min(k, len(one) - 1)]).all(), k
    assert (both[0][:28] != both[1][:28]).any()  # the counts
    assert (both[-1][:28] == meiro.animate(traces, size=120, max_frames=1)[0][:28]).all()


def both_width(both: meiro.Animation) -> int:
    """Of each of two panels beside each other."""
    return (both.size[1] - 2 * 8 - 16) // 2


def test_animation_titles() -> None:
    trace = meiro.trace((12, 12), "wilson", rng=1)
    plain, listed = meiro.animate(trace), meiro.animate([trace])
    assert plain.size == listed.size
    named = {title: meiro.animate({title: trace}) for title in ("wilson", "W i l s o n", "long " * 50)}
    tall, wide = plain.size
    for animation in named.values():
        height, width = animation.size
        assert (height, width) == (tall + 16 + 22, wide + 16)  # a margin, and a line
        assert (animation[-1][30:-8, 8:-8] == plain[-1]).all()
    captions = [animation[-1][:30] for animation in named.values()]
    assert not any((captions[i] == captions[j]).all() for i, j in ((0, 1), (1, 2), (0, 2)))


@pytest.mark.parametrize(("many", "rows", "columns"), [(3, 1, 3), (4, 2, 2), (5, 2, 3), (10, 3, 4)])
def test_animation_of_more_than_three_is_a_square(many: int, rows: int, columns: int) -> None:
    trace = meiro.trace((12, 12), "wilson", rng=1)
    tall, wide = meiro.animate(trace).size
    size = meiro.animate([trace] * many).size
    assert size == (rows * (tall + 22 + 16), columns * (wide + 16))


def inks(frame: NDArray[np.uint8], trace: Trace, k: int) -> list[bytes]:
    """Return what is written into each cell: how its pixels differ from a frame without numbers."""
    layout = layout_of(trace.grid_shape, cells=True, size=480)
    written = (frame != painted(trace, k)).any(-1)
    pitch, (rows, cols) = sum(layout), trace.shape
    inside = np.zeros_like(written)
    out = []
    for row, col in np.ndindex(rows, cols):
        top, left = row * pitch + layout.wall, col * pitch + layout.wall
        part = np.s_[top : top + layout.cell, left : left + layout.cell]
        inside[part] = True
        out.append(written[part].tobytes() if written[part].any() else b"")
    assert not written[~inside].any()
    return out


@pytest.mark.parametrize("name", ["kruskal", "eller", "backtracker", "wall_extension"])
def test_animation_numbers_are_in_their_cells(name: str) -> None:
    trace = meiro.trace((5, 7), name, rng=2)
    animation = meiro.animate(trace, numbers=True)
    written: dict[int, bytes] = {}
    for k in [*range(-1, len(trace)), 3, 1]:  # backwards, too
        found = inks(animation[k + 1], trace, k)
        labels = (trace[k] if k >= 0 else trace.before).labels
        numbers = [-1] * len(found) if labels is None else labels.reshape(-1).tolist()
        for number, ink in zip(numbers, found, strict=True):
            assert (number < 0) == (ink == b"")
            assert written.setdefault(number, ink) == ink
    assert len(set(written.values())) == len(written)
    assert name == "wall_extension" or len(written) > 4


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("shape", [(4, 5), meiro.lattices.hexagonal(3, 4)], ids=["squares", "hexagonal"])
def test_animations_have_colors_of_the_users_own(shape: Any, theme: str) -> None:
    colors: dict[str, Any] = {"wall": "crimson", "road": (1, 1, 0), "text": "#00f"}
    trace = meiro.trace(shape, "kruskal", rng=1)
    usual, own = (meiro.animate(trace, theme=theme, colors=given)[-1] for given in (None, colors))
    for field, color in (("wall", (0xDC, 0x14, 0x3C)), ("in_maze", (255, 255, 0))):
        before = (usual == getattr(THEMES[theme], field)).all(axis=2)
        assert before.any()
        assert (own[before] == color).all()
    for draw in (meiro.animate, meiro.plot_trace, meiro.player):
        refused(ValueError, "colors: 'walls' is not one of wall, road", draw, trace, colors={"walls": "red"})


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("shape", [(4, 5), meiro.lattices.hexagonal(3, 4)], ids=["squares", "hexagonal"])
def test_plots_and_players_of_traces_have_the_colors_of_animations(shape: Any, theme: str) -> None:
    colors: dict[str, Any] = {"wall": "crimson", "road": (1, 1, 0)}
    trace = meiro.trace(shape, "kruskal", rng=1)
    wanted = paints_of(theme, colors)
    assert wanted[Paint.WALL] == (0xDC, 0x14, 0x3C)
    (ax,) = meiro.plot_trace(trace, 1, numbers=False, theme=theme, colors=colors)  # type: ignore[arg-type]
    image = np.asarray(ax.images[0].get_array()).reshape(-1, 3)
    found = {tuple(color) for color in image.tolist()}
    assert {tuple(wanted[Paint.WALL]), tuple(wanted[State.IN_MAZE])} <= found
    assert not {tuple(THEMES[theme].wall), tuple(THEMES[theme].in_maze)} & found
    assert ax.get_facecolor()[:3] == (1, 1, 0)
    plt.close("all")
    given = meiro.player(trace, colors=colors).given
    assert given["themes"][theme] == [color.hex for color in wanted]
    if theme == "light":  # a page shows the last frame where scripts do not run
        (kind, data) = re.findall(r'src="data:image/([^;]+);base64,([^"]+)"', fragment({"given": given}))[0]
        still = base64.b64decode(data)
        if kind == "png":
            with Image.open(io.BytesIO(still)) as picture:
                shown = {tuple(color) for color in np.asarray(picture.convert("RGB")).reshape(-1, 3).tolist()}
            assert tuple(wanted[Paint.WALL]) in shown
            assert tuple(LIGHT.wall) not in shown
        else:
            assert wanted[Paint.WALL].hex in still.decode()
            assert LIGHT.wall.hex not in still.decode()


@pytest.mark.parametrize("theme", THEMES)
def test_animation_numbers_are_legible_on_every_color(theme: str) -> None:
    maze = meiro.generate((9, 9), rng=1)
    animation = meiro.animate(meiro.trace_solve(maze, algorithm="bfs"), numbers=True, theme=theme)
    full = animation._renderer.colors.reshape(8, 16, 3)
    assert (full[0] == np.array(THEMES[theme][:16])).all()
    unit = full / 255  # WCAG 2.1, relative luminance
    linear = np.where(unit <= 0.04045, unit / 12.92, ((unit + 0.055) / 1.055) ** 2.4)
    light = linear @ [0.2126, 0.7152, 0.0722] + 0.05
    contrast = np.maximum(light[7], light[0]) / np.minimum(light[7], light[0])
    assert contrast.min() > 4.5
    assert (abs(np.diff(light, axis=0)) > 0).all()


@pytest.mark.long
def test_animation_refuses_illegible_numbers() -> None:
    for shape in ((20, 30), (60, 7), (100, 100)):
        trace = meiro.trace(shape, "prim", rng=1, every=100)
        with pytest.raises(ValueError, match=r"numbers of up to \d digits cannot be read") as error:
            meiro.animate(trace, numbers=True, size=200)
        (least,) = re.findall(r"size=(\d+) or more", str(error.value))
        assert len(meiro.animate(trace, numbers=True, size=int(least), max_frames=2)) == 2
        refused(ValueError, "cannot be read", meiro.animate, trace, numbers=True, size=int(least) - 1)
    million = meiro.trace((1001, 1000), "prim", rng=1, window=(0, 9))
    words = "numbers of up to 7 digits fit no cell: watch a smaller maze, or give"
    refused(ValueError, words, meiro.animate, million, numbers=True)
    room = meiro.trace_solve(np.zeros((6, 5), np.uint8), (0, 0), (5, 4), algorithm="bfs")
    refused(ValueError, "give size=", meiro.animate, room, numbers=True, size=30)
    assert meiro.animate(room, numbers=True).size == (240, 200)


def test_animation_of_traces_of_all_kinds(tmp_path: Path) -> None:
    bend = np.tri(6, 7, 2, dtype=bool)
    room = np.zeros((5, 8), np.uint8)
    room[1:, 3] = 1
    for trace in (
        meiro.trace((1, 1), "wilson", rng=1),
        meiro.trace((1, 7), "kruskal", rng=1),
        meiro.trace((7, 1), "backtracker", rng=1),
        meiro.trace((6, 7), "backtracker", rng=1, mask=bend),
        meiro.trace((6, 7), "wilson", rng=1, wrap=(True, True)),
        meiro.trace_eller([[0, 1, 0], [0, 0, 0]], [[0, 1, 1, 0], [0, 0, 0, 0]]),
        meiro.trace_solve(room, (0, 0), (4, 7), algorithm="a_star"),
        meiro.trace_solve(MAZE, window=(3, 3)),
    ):
        animation = meiro.animate(trace, numbers=True)
        assert animation[-1].shape == (*animation.size, 3)
        without = meiro.animate(trace)
        assert (without[-1] == painted(trace, len(trace) - 1)).all()
        assert len(without) == trace.window[1] - trace.window[0] + 1
        animation.save(tmp_path / "kind.gif")


def test_animation_is_a_sequence() -> None:
    animation = meiro.animate(meiro.trace((3, 4), "prim", rng=1), size=40)
    n = len(animation)
    assert animation[0].dtype == np.uint8
    assert (animation[-1] == animation[n - 1]).all()
    assert (animation[np.int64(2)] == animation[2]).all()
    for k in (n, -n - 1):
        with pytest.raises(IndexError, match=rf"no frame {k}: there are {n}"):
            animation[k]
    with pytest.raises(TypeError, match=r"by an integer or a slice, not 1\.5"):
        animation[1.5]  # type: ignore[call-overload]
    back = animation[::-1]
    assert isinstance(back, meiro.Animation)
    assert [frame.tobytes() for frame in back] == [frame.tobytes() for frame in animation][::-1]
    assert repr(back) == f"<Animation of {n} frames, 32 x 42 pixels, 20 a second>"
    assert len(animation[5:5]) == 0
    refused(ValueError, "there is no frame to save", animation[5:5].save, "x.gif")


TRACE = meiro.trace((3, 4), "prim", rng=1)


def test_animation_refuses_bad_arguments() -> None:
    with pytest.raises(ValueError, match=r"fps must be from 0\.02 to 1,000 frames a second, not 0"):
        meiro.animate(TRACE, fps=0)
    refused(TypeError, "fps must be a number, not '20'", meiro.animate, TRACE, fps="20")
    refused(ValueError, "every must be at least 1, not 0", meiro.animate, TRACE, every=0)
    refused(ValueError, "max_frames must be at least 1, not 0", meiro.animate, TRACE, max_frames=0)
    refused(ValueError, "size must be at least 1, not 0", meiro.animate, TRACE, size=0)
    refused(ValueError, "theme must be 'light' or 'dark', not 'night'", meiro.animate, TRACE, theme="night")
    refused(ValueError, "at least one Trace", meiro.animate, [])
    refused(ValueError, "at least one Trace", meiro.animate, {})
    refused(TypeError, "traces must be a Trace", meiro.animate, MAZE)
    refused(TypeError, "traces must be a Trace", meiro.animate, [TRACE, MAZE])
    refused(TypeError, "traces must be a Trace", meiro.animate, TRACE[:3])


def test_animation_refuses_unknown_suffixes_and_too_large_formats() -> None:
    animation = meiro.animate(TRACE)
    for name in ("x.avi", "x", "x.gif.zip"):
        refused(ValueError, r"is not one of \.gif, \.png, \.apng, \.webp, \.mp4", animation.save, name)
    long = meiro.animate(meiro.trace((1, 10_000), "prim", rng=1), max_frames=2)
    refused(ValueError, r"WebP has at most 16,383 pixels a side, .* 3 x 20,001", long.save, "x.webp")
    long.save("x.gif")
    frames, _ = read(HERE / "x.gif")
    assert (frames[-1] == long[-1]).all()


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def no_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that puts a script in the place of ffmpeg."""
    place = tmp_path / "bin"
    place.mkdir()

    def fake(script: str) -> None:
        (place / "ffmpeg").write_text("#!/bin/sh\n" + script)
        (place / "ffmpeg").chmod(0o755)

    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    return fake


@pytest.mark.parametrize("suffix", [*PICTURES, ".mp4"])
def test_animation_leaves_no_partial_file(tmp_path: Path, suffix: str, no_ffmpeg: Any) -> None:
    no_ffmpeg("cat >/dev/null")
    animation = meiro.animate(TRACE, size=40)
    target = tmp_path / ("maze" + suffix)

    def stop(done: int, total: int) -> None:
        assert total == len(animation)
        if done == 5:
            raise KeyboardInterrupt

    for before in (None, b"what was there"):
        if before is not None:
            target.write_bytes(before)
        with pytest.raises(KeyboardInterrupt):
            animation.save(target, progress=stop)
        assert [p.name for p in tmp_path.iterdir() if p.is_file()] == [target.name] * (before is not None)
    assert target.read_bytes() == b"what was there"


def test_animation_progress(capsys: pytest.CaptureFixture[str]) -> None:
    animation = meiro.animate(TRACE, size=40)
    told: list[tuple[int, int]] = []
    animation.save("x.gif", progress=lambda *now: told.append(now))
    assert told == [(i + 1, len(animation)) for i in range(len(animation))]
    animation.save_frames("x{}.png", progress=True)
    assert capsys.readouterr().err.endswith("\r")
    refused(TypeError, "progress must be", animation.save, "y.gif", progress=3)
    assert not (HERE / "y.gif").exists()


def test_animation_without_ffmpeg_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    refused(FileNotFoundError, r"apt install ffmpeg.* or save a \.gif", meiro.animate(TRACE).save, "x.mp4")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("reads", ["", "cat >/dev/null; "])
def test_animation_reports_a_failing_ffmpeg(reads: str, no_ffmpeg: Callable[[str], None]) -> None:
    no_ffmpeg(reads + 'echo "Unknown encoder" >&2; exit 8')
    refused(RuntimeError, "ffmpeg failed with 8: Unknown encoder", meiro.animate(TRACE).save, "x.mp4")
    assert not list(HERE.glob("*mp4*"))


def test_animation_on_a_full_disk_is_refused_though_ffmpeg_ends_with_0(no_ffmpeg: Any) -> None:
    no_ffmpeg('cat >/dev/null; echo "av_interleaved_write_frame(): No space left on device" >&2')
    with pytest.raises(OSError, match=r"No space left on device: .*x\.mp4") as caught:
        meiro.animate(TRACE).save("x.mp4")
    assert caught.value.errno == errno.ENOSPC
    no_ffmpeg('cat >/dev/null; echo "the end is missing" >&2')
    refused(RuntimeError, "ffmpeg failed with 0: the end is missing", meiro.animate(TRACE).save, "x.mp4")
    assert not list(HERE.glob("*mp4*"))


@pytest.mark.parametrize("fps", [20, 29.97])
def test_animation_as_a_video(needs: Callable[[str, str], str], fps: float) -> None:
    ffmpeg = needs("ffmpeg", "ffmpeg")
    animation = meiro.animate(meiro.trace((10, 11), "prim", rng=4), fps=fps, max_frames=60, size=200)
    height, width = (side + side % 2 for side in animation.size)
    assert (height, width) == (animation.size[0] + 1, animation.size[1] + 1)
    animation.save("x.mp4")
    command = [ffmpeg, "-v", "error", "-i", "x.mp4", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    frames = np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3)
    assert len(frames) == len(animation) + round(2 * fps) - 1
    for k in (0, 1, len(animation) // 2, len(animation) - 1):
        far = abs(frames[k][:-1, :-1].astype(int) - animation[k])
        assert np.median(far) <= 2, k
        assert far.mean() < 12, k
    assert abs(frames[-1].astype(int) - frames[len(animation)]).mean() < 2
    about = subprocess.run([ffmpeg, "-i", "x.mp4"], check=False, capture_output=True, text=True).stderr
    assert f"{width}x{height}" in about
    assert f"{fps:g} fps" in about
    assert "h264" in about


def test_animation_as_a_series_of_files(tmp_path: Path) -> None:
    animation = meiro.animate(meiro.trace((3, 4), "kruskal", rng=1), numbers=True)
    (tmp_path / "series").mkdir()
    paths = animation.save_frames("series/step_{:04}.png")
    assert [path.name for path in paths] == [f"step_{k:04}.png" for k in range(len(animation))]
    assert sorted(paths) == sorted((HERE / "series").iterdir())
    for path, frame in zip(paths, animation, strict=True):
        with Image.open(path) as image:
            assert image.mode == "P"
            assert (np.asarray(image.convert("RGB")) == frame).all()
    plain = meiro.animate(meiro.trace((3, 4), "kruskal", rng=1))
    with Image.open(plain.save_frames(tmp_path / "{}.png")[3]) as image:
        assert (np.asarray(image.convert("RGB")) == plain[3]).all()


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("step.png", "has no field for the number"),
        ("step_%04d.png", "has no field for the number of a frame, as 'step_{:04}.png' has"),
        ("step_{}_{}.png", "is not a pattern such as"),
        ("step_{name}.png", "is not a pattern such as"),
        ("step_{:q}.png", "is not a pattern such as"),
        ("step_{.png", "is not a pattern such as"),
        ("step_{0.x}.png", "is not a pattern such as"),
        ("step_{}.jpg", r"frames are written as \.png, not '\.jpg'"),
        ("step.{}", "frames are written as"),
    ],
)
def test_animation_refuses_bad_patterns(tmp_path: Path, pattern: str, words: str) -> None:
    refused(ValueError, words, meiro.animate(TRACE).save_frames, pattern)
    assert list(tmp_path.iterdir()) == []


def test_animation_in_matplotlib_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import pyplot as plt

    animation = meiro.animate(TRACE, fps=10, size=60)
    moving = animation.to_matplotlib()
    moving.save("x.png", writer="pillow")
    frames, lasts = read(HERE / "x.png")
    assert set(lasts) == {100}
    assert [frame.tobytes() for frame in frames] == [frame.tobytes() for frame in animation]
    figure, (left, right) = plt.subplots(1, 2)
    moving = animation.to_matplotlib(right)
    moving._init_draw()  # type: ignore[attr-defined]
    moving._draw_was_started = True  # type: ignore[attr-defined]
    assert len(left.images) == 0
    assert (right.images[0].get_array() == animation[0]).all()
    assert moving._fig is figure  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    refused(ImportError, r"matplotlib: pip install 'meiro\[plot\]'", animation.to_matplotlib)


def picture_of(html: str) -> Image.Image:
    (data,) = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    return Image.open(io.BytesIO(base64.b64decode(data, validate=True)))


def test_animation_in_a_notebook_moves_or_shows_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    animation = meiro.animate(meiro.trace((100, 100), "kruskal", rng=1))
    html = animation._repr_html_()
    assert len(html) < shown.MOST_BYTES
    with picture_of(html) as moving:
        assert moving.n_frames == len(animation)  # type: ignore[attr-defined]
    monkeypatch.setattr(shown, "MOST_BYTES", 100_000)
    still = animation._repr_html_()
    assert len(still) < 100_000
    assert "last of 297 frames: all of them are too large for a notebook" in still
    assert '.save("maze.gif")' in still
    with picture_of(still) as end:
        assert (np.asarray(end.convert("RGB")) == animation[-1]).all()
    large = meiro.animate(meiro.trace((900, 500), "binary_tree", rng=1))
    html = large._repr_html_()
    assert len(html) < shown.MOST_BYTES
    assert "one of 3 x 3 pixels" in html
    with picture_of(html) as end:
        assert (np.asarray(end.convert("RGB")) == large[-1][::3, ::3]).all()
    assert "without frames" in animation[5:5]._repr_html_()


@pytest.mark.parametrize("suffix", [".gif", ".png", ".webp"])
def test_animation_keeps_few_frames_in_memory(suffix: str) -> None:
    animation = meiro.animate(meiro.trace((300, 300), "backtracker", rng=1), max_frames=24, size=900)
    height, width = animation.size
    animation[0]
    tracemalloc.start()
    try:
        animation.save("x" + suffix)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 12 * height * width
    assert len(read(HERE / ("x" + suffix))[0]) == len(animation) > 20


@pytest.mark.clock
def test_gif_of_300_frames_of_100_x_100_cells_takes_less_than_2_s() -> None:
    animation = meiro.animate(meiro.trace((100, 100), "kruskal", rng=1))  # it happens all over the place
    assert len(animation) > 290
    assert animation.size == (401, 401)
    assert best(lambda: seconds(lambda: animation.save("x.gif")), 1) < 2
