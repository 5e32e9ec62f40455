"""Players and walks: the state that Python sends, and the page that the script makes of it."""

from __future__ import annotations

import base64
import io
import itertools
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from browser import expect, go, model_value, notebook, pixels, show
from PIL import Image
from refusals import refused

import meiro
from meiro._utils.pixel_layout import layout_of
from meiro.colors import DARK, LIGHT, Theme
from meiro.drawing.notebook import widgets
from meiro.drawing.notebook.html_page import SCRIPT, fragment
from meiro.drawing.numbers import STANDING, paints_of, wall_places, with_clusters
from meiro.traces import captions, frame_deltas
from meiro.traces.events import LEGEND
from meiro.traces.frame_deltas import frame_colors, legend_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray
    from playwright.sync_api import Page

    from meiro.traces.trace import Trace

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def trace() -> Trace:
    return meiro.trace((4, 6), "kruskal", rng=7)


def picture(trace: Trace, k: int, size: int, theme: Theme = LIGHT) -> NDArray[np.uint8]:
    """Return what a canvas must show: the Python renderer's pixels."""
    layout = layout_of(trace.grid_shape, cells=trace.space == "cells", size=size)
    return np.array(theme, np.uint8)[layout.pixels(frame_colors(trace, k))]


# ---- in Python


def test_player_of_several_traces(trace: Trace) -> None:
    import anywidget

    player = meiro.player([trace, meiro.trace((4, 6), "wilson", rng=1)])
    assert isinstance(player, anywidget.AnyWidget)
    assert player.n_frames == max(len(trace), len(meiro.trace((4, 6), "wilson", rng=1)))
    assert (player.frame, player.playing, player.numbers) == (-1, False, False)
    assert repr(player) == f"<Player of {player.n_frames} frames: kruskal, wilson>"
    named = meiro.player({"one": trace, 2: trace}, every=5, fps=7, numbers=True)  # type: ignore[dict-item]
    assert repr(named) == f"<Player of {-(-len(trace) // 5)} frames: one, 2>"
    assert (named.fps, named.numbers) == (7.0, True)
    assert 2 <= meiro.player(trace).fps <= meiro.player(meiro.trace((40, 40), "kruskal", rng=1)).fps


def test_player_frame_is_checked(trace: Trace) -> None:
    player = meiro.player(trace)
    last = len(trace) - 1
    for frame in (0, last, -1, np.int64(3)):
        player.frame = frame
        assert player.frame == frame
    for wrong in (-2, last + 1, 10**20):
        with pytest.raises(IndexError, match=f"no frame {wrong}: they go from -1, .* to {last}"):
            player.frame = wrong
    for value in (1.5, "3", None, True):
        with pytest.raises(TypeError, match=f"frame must be an integer, not {re.escape(repr(value))}"):
            player.frame = value
    assert player.frame == 3


@pytest.mark.parametrize("fps", [0, -1, 0.4, 10_001, float("nan"), float("inf"), "30", True, [1]])
def test_player_fps_is_checked(trace: Trace, fps: Any) -> None:
    player = meiro.player(trace)
    number = isinstance(fps, int | float) and fps is not True
    text = r"fps must be from 0\.5 to 10,000 frames a second" if number else "fps must be a number"
    with pytest.raises(ValueError if number else TypeError, match=f"{text}, not {re.escape(repr(fps))}"):
        player.fps = fps
    refused(ValueError if number else TypeError, text, meiro.player, trace, fps=fps)


def test_player_refuses_bad_arguments(trace: Trace) -> None:
    for given, options, error, text in (
        ([], {}, ValueError, "at least one Trace"),
        ({}, {}, ValueError, "at least one Trace"),
        ("kruskal", {}, TypeError, "traces must be a Trace"),
        (3, {}, TypeError, "traces must be a Trace"),
        (meiro.Maze([[2, 8]]), {}, TypeError, "traces must be a Trace"),
        ([meiro.Maze([[2, 8]])], {}, TypeError, "traces must be a Trace"),
        (None, {"every": 0}, ValueError, "every must be at least 1, not 0"),
        (None, {"every": 1.5}, TypeError, "every must be an integer, not 1.5"),
        (None, {"every": True}, TypeError, "every must be an integer, not True"),
        (None, {"size": 15}, ValueError, "size must be at least 16, not 15"),
        (None, {"size": 16, "numbers": True}, ValueError, "numbers cannot be read in cells of so few pixels"),
        (None, {"size": "480"}, TypeError, "size must be an integer"),
    ):
        refused(error, text, meiro.player, trace if given is None else given, **options)


def test_player_refuses_too_many_frames(trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    corridor = meiro.trace((1, 9000), "spiral")
    with pytest.raises(ValueError, match=r"a picture of 3 x 18,001 pixels is too large .* 16,000 a side"):
        meiro.player(corridor)
    refused(ValueError, r"a picture of 3 x 18,001 pixels is too large", meiro.play, corridor.result)
    monkeypatch.setattr(frame_deltas, "MOST_CHANGES", 10)
    refused(ValueError, r"more than 10 places change.* by every=, more than 2", meiro.player, trace, every=2)


@pytest.mark.parametrize(
    "make", [lambda: meiro.player(meiro.trace((2, 3), rng=1)), lambda: meiro.play(meiro.Maze([[2, 8]]))]
)
def test_player_that_is_closed_says_so(make: Callable[[], Any]) -> None:
    widget = make()
    widget.close()
    name = type(widget).__name__
    values: dict[str, Any] = {"frame": 0, "playing": True, "fps": 3, "numbers": True}
    if name == "Play":
        values = {"position": (0, 1), "steps": 1, "solved": True}
        refused(RuntimeError, "this Play was closed", widget.restart)
    for trait, value in values.items():
        words = rf"this {name} was closed: make a new one with meiro\.{name.lower()}"
        refused(RuntimeError, words, setattr, widget, trait, value)
    assert repr(widget).endswith(", closed>")
    widget.close()


def test_walk_in_python() -> None:
    maze = meiro.generate((5, 7), rng=3, mask=np.tri(5, 7, 5, dtype=bool))
    game = meiro.play(maze, (0, 1), (4, 0))
    assert (game.position, game.start, game.goal) == ((0, 1), (0, 1), (4, 0))
    assert (game.steps, game.solved) == (0, False)
    assert game.shortest == meiro.solve(maze, (0, 1), (4, 0)).length
    game.position = (-1, 0)
    assert game.position == (4, 0)
    bad = [((5, 0), r"is outside: rows 0\.\.4"), ((0, 6), "is a wall or"), (3, "a pair of integers")]
    for wrong, text in bad:
        with pytest.raises((ValueError, TypeError), match=text):
            game.position = wrong
    game.steps = 4
    game.restart()
    assert (game.position, game.steps, game.solved) == ((0, 1), 0, False)
    assert meiro.play(maze, (1, 1), (1, 1)).solved
    refused(meiro.NoPathError, "no path", meiro.play, np.array([[0, 1, 0]]), (0, 0), (0, 2))
    room = np.array([[255, 255], [255, 0]])
    walk = meiro.play(room, (0, 0), (1, 0), road=255)
    with pytest.raises(ValueError, match=r"position \(1, 1\) is a wall"):
        walk.position = (1, 1)


def test_player_page_has_its_suffix_and_a_folder(trace: Trace, tmp_path: Path) -> None:
    player = meiro.player(trace)
    for name in ("a.gif", "a"):
        refused(ValueError, r"is not \.html or \.htm", player.save, tmp_path / name)
    with pytest.raises(FileNotFoundError):
        player.save(tmp_path / "nowhere" / "a.html")


def test_player_caption_cannot_end_the_script(trace: Trace, tmp_path: Path) -> None:
    evil = '</script><script>alert("x")</script>'
    meiro.player({evil: trace}).save(tmp_path / "x.htm")
    text = (tmp_path / "x.htm").read_text("utf-8")
    assert text.count("</script") == 1
    assert "<title>Player: &lt;/script&gt;" in text
    assert "</" not in SCRIPT.replace("</svg>", "")


def test_player_script_is_plain() -> None:
    assert SCRIPT.isascii()
    assert not re.search(r"https?:|\bimport\b|\brequire\b|fetch\(|XMLHttpRequest|eval\(", SCRIPT)


def test_player_state_that_a_notebook_keeps(trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle, _ = meiro.player(trace)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == f"<Player of {len(trace)} frames: kruskal>"
    assert len(bundle["text/html"]) < widgets.MOST_BYTES
    large, _ = meiro.player(meiro.trace((90, 90), "backtracker", rng=1))._repr_mimebundle_()
    assert set(large) == set(bundle) - {"text/html"}
    monkeypatch.setattr(widgets, "MOST_BYTES", len(bundle["text/html"]))
    assert meiro.player(trace)._repr_mimebundle_()[0].keys() == bundle.keys()
    monkeypatch.setattr(widgets, "MOST_BYTES", len(bundle["text/html"]) - 9)  # for a longer name of the page
    assert meiro.player(trace)._repr_mimebundle_()[0].keys() == large.keys()


def test_pages_hold_only_the_script_that_they_run() -> None:
    grid, hexagons = (meiro.generate(shape, rng=1) for shape in ((3, 3), meiro.lattices.hexagonal(3, 3)))
    for maze, classes in ((grid, 0), (hexagons, 1)):
        shown, walked = (
            fragment(one._state()) for one in (meiro.player(meiro.trace_solve(maze)), meiro.play(maze))
        )
        assert [text.count("class LatticePicture") for text in (shown, walked)] == [classes, classes]
        assert [text.count("function showWalk") for text in (shown, walked)] == [0, 1]


def test_player_page_holds_bytes_and_json_only() -> None:
    assert '"QUI="' in fragment({"given": {"scenes": [], "data": b"AB"}})
    with pytest.raises(TypeError, match="ndarray cannot be written as JSON"):
        fragment({"given": {"scenes": [], "data": np.zeros(3)}})


def test_player_page_shows_the_last_frame_where_scripts_do_not_run(trace: Trace) -> None:
    bundle, _ = meiro.player({"a <b>": trace, "c": trace})._repr_mimebundle_()
    stills = re.findall(r'<img alt="([^"]*)"[^>]* src="data:image/png;base64,([^"]+)"', bundle["text/html"])
    assert [alt for alt, _ in stills] == ["a &lt;b&gt;", "c"]
    with Image.open(io.BytesIO(base64.b64decode(stills[0][1]))) as image:
        shown = np.asarray(image.convert("RGB"))
    layout = layout_of(trace.grid_shape, cells=True, size=300)
    assert np.array_equal(shown, np.array(LIGHT[:16])[layout.pixels(frame_colors(trace, len(trace) - 1))])
    maze, _ = meiro.play(meiro.Maze([[2, 8]]))._repr_mimebundle_()
    assert maze["text/html"].count("<img") == 1
    large = meiro.play(np.pad(np.zeros((598, 598), np.uint8), 1), (1, 1), (5, 5), size=600)
    assert "<img" not in fragment(large._state())


# ---- in a page, with a model of our own


def shown_now(page: Page, i: int = 0) -> NDArray[np.uint8]:
    return pixels(page.locator("canvas.picture").nth(i))[0]


def traces() -> dict[str, Trace]:
    maze = meiro.generate((6, 7), rng=4)
    room = np.zeros((9, 8), np.uint8)
    room[2:7, 4] = 1
    options: dict[str, Any] = {"moves": 8}
    return {
        "backtracker": meiro.trace((6, 7), "backtracker", rng=1),
        "torus": meiro.trace((6, 7), "wilson", rng=2, wrap=(True, True)),
        "wall_extension": meiro.trace((6, 7), "wall_extension", rng=2),
        "division": meiro.trace((6, 7), "recursive_division", rng=2, window=(5, None)),
        "eller": meiro.trace((6, 7), "eller", rng=2, every=3),
        "spans": meiro.trace((6, 7), "kruskal", rng=2, every=4, max_events=40),
        "dfs": meiro.trace_solve(maze, algorithm="dfs"),
        "filling": meiro.trace_solve(maze, algorithm="dead_end_filling"),
        "diagonal": meiro.trace_solve(room, (0, 0), (8, 7), algorithm="a_star", **options),
        "one": meiro.trace((1, 1), "wilson", rng=1),
        "thin": meiro.trace((1, 9), "sidewinder", rng=1),
    }


def test_player_pixels_and_captions_of_every_kind(page: Page) -> None:
    """Forwards, backwards and by leaps, the canvas is what Python draws; and the sentence is the frame's."""
    given = traces()
    show(page, meiro.player(given, size=100))
    longest = max(map(len, given.values()))
    rng = np.random.default_rng(1)
    for k in [-1, 0, 1, 2, 3, 2, longest - 1, -1, *rng.integers(-1, longest, 6).tolist()]:
        go(page, frame=k)
        texts = page.locator("p.note").all_text_contents()
        pictures = pixels(page.locator("canvas.picture"))
        for i, trace in enumerate(given.values()):
            at = min(k, len(trace) - 1)
            assert np.array_equal(pictures[i], picture(trace, at, 100)), (trace, k)
            frame = trace[at] if at >= 0 else trace.before
            assert texts[i] == frame.note
            lit = page.locator(".source").nth(i).locator(".lit").all_text_contents()
            assert lit == ([] if frame.line is None else [trace.source[frame.line].strip()])


def test_player_captions_of_all_events(page: Page) -> None:
    """Each kind in each direction, over the rim too: words made by hand, put in the place of a trace's."""
    places = {"cells": [(1, 1), (7, 1), (5, 9), (0, 0), (4, 10)], "sites": [(0, 0), (3, 2)]}
    for trace, shape in ((traces()["torus"], (6, 7)), (traces()["diagonal"], None)):
        player = meiro.player(trace)
        width = trace.grid_shape[1]
        directions = [*range(4 if shape else 8), -1]
        asked = list(itertools.product(range(len(meiro.EventKind)), places[trace.space], directions))
        scene = player.given["scenes"][0]
        words = [(r * width + c) << 8 | kind << 4 | (d & 15) for kind, (r, c), d in asked]
        n = len(words)
        scene |= {"words": np.array(words, "<u8").tobytes(), "frames": n, "ends": bytes(4 * n)}
        scene |= {"number_ends": b"", "numbers": b"", "sides": b""}
        show(page, player)
        told = page.evaluate(
            """n => [...Array(n).keys()].map(k => {
                model.set("frame", k);
                return document.querySelector(".meiro").shadowRoot.querySelector(".note").textContent;
            })""",
            n,
        )
        assert told == [
            captions.describe_event(
                captions.pseudocode_of(trace.algorithm, trace.recording.kinds()).step(kind << 4)[1],
                place,
                d,
                shape,
            )
            for kind, place, d in asked
        ]


def test_player_buttons_and_keys(page: Page, trace: Trace) -> None:
    show(page, meiro.player(trace, fps=0.5))
    last = len(trace) - 1

    def frame_after(act: Callable[[], object]) -> int:
        saved = page.evaluate("saves")
        act()
        assert page.evaluate("saves") > saved
        return int(model_value(page, "frame"))

    def button(name: str) -> Callable[[], None]:
        return page.get_by_role("button", name=name, exact=True).click

    assert frame_after(button("One step")) == 0
    assert frame_after(button("One step")) == 1
    assert frame_after(button("One step back")) == 0
    assert frame_after(button("To the end")) == last
    assert frame_after(button("One step")) == last
    assert frame_after(button("To the start")) == -1
    assert frame_after(button("One step back")) == -1
    group = page.get_by_role("group", name="Player: kruskal")
    group.focus()
    for key, frame in (("ArrowRight", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("End", last), ("Home", -1)):
        assert frame_after(partial(page.keyboard.press, key)) == frame
    bar = page.get_by_role("slider", name="Frame")
    assert frame_after(lambda: bar.fill("5")) == 5
    assert bar.get_attribute("aria-valuetext") == f"frame 6 of {last + 1}"
    bar.focus()
    assert frame_after(lambda: page.keyboard.press("ArrowRight")) == 6, "once, not twice"
    assert page.locator(".place output").text_content() == f"\u20077 / {last + 1}"
    page.get_by_role("slider", name="Speed").fill(str(np.log(20)))
    assert model_value(page, "fps") == 20
    go(page, fps=0.5)
    note = page.locator("p.note")
    assert note.get_attribute("aria-live") == "polite"
    play = page.get_by_role("button", name="Play", exact=True)
    play.focus()
    page.keyboard.press(" ")  # the button's own press, once
    assert model_value(page, "playing")
    assert note.get_attribute("aria-live") == "off"
    group.focus()
    page.keyboard.press(" ")
    assert not model_value(page, "playing")
    assert play.is_visible()
    assert model_value(page, "frame") == 6


def test_player_keys_do_not_reach_the_page(page: Page, trace: Trace) -> None:
    """JupyterLab must not hear them: D, D deletes a cell there. What has Ctrl with it, and Tab, it may."""
    show(page, meiro.player(trace))
    page.evaluate("document.addEventListener('keydown', e => { (window.keys ??= []).push(e.key); })")
    page.locator(".root").focus()
    for key in ("ArrowDown", "d", "Home", "x", "Enter", "Control+s", "Tab"):
        page.keyboard.press(key)
    assert page.evaluate("keys") == ["Control", "s", "Tab"]
    assert page.locator("[data-lm-suppress-shortcuts=true] canvas.picture").count() == 1


def test_player_plays_to_the_end_and_starts_again(page: Page) -> None:
    trace = meiro.trace((12, 12), "backtracker", rng=1)
    player = meiro.player(trace, fps=1000)
    show(page, player)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("!model.get('playing')", timeout=10_000)
    assert model_value(page, "frame") == len(trace) - 1
    assert np.array_equal(shown_now(page), picture(trace, len(trace) - 1, 480))
    go(page, fps=1, playing=True)
    assert model_value(page, "frame") == -1
    go(page, playing=False, frame=3)
    go(page, fps=400, playing=True)
    page.wait_for_function("model.get('frame') > 20")
    saves, frame = page.evaluate("[saves, model.get('frame')]")
    assert saves < 12, "the kernel is told a few times a second, not at every frame"
    go(page, frame=frame + 100)
    page.wait_for_function(f"model.get('frame') > {frame + 101}")
    page.evaluate("end()")
    assert page.evaluate("heard.length") == 0, "nothing listens when the view is gone"


def test_player_in_two_views(page: Page, trace: Trace) -> None:
    show(page, meiro.player(trace, fps=50))
    page.evaluate("show(document.body)")
    page.get_by_role("button", name="Play", exact=True).nth(1).click()
    page.wait_for_function("!model.get('playing')", timeout=10_000)
    assert np.array_equal(shown_now(page, 0), shown_now(page, 1))
    assert np.array_equal(shown_now(page, 0), picture(trace, len(trace) - 1, 480))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_player_colors_follow_the_page(page: Page, trace: Trace, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    themes = {"light": LIGHT, "dark": DARK}
    other: Any = "dark" if theme == "light" else "light"
    show(page, meiro.player(trace))
    go(page, frame=5)
    assert np.array_equal(shown_now(page), picture(trace, 5, 480, themes[theme]))
    page.evaluate(f"document.body.dataset.jpThemeLight = '{str(other == 'light').lower()}'")
    assert np.array_equal(shown_now(page), picture(trace, 5, 480, themes[other]))
    page.evaluate("delete document.body.dataset.jpThemeLight")
    assert np.array_equal(shown_now(page), picture(trace, 5, 480, themes[theme]))
    page.emulate_media(color_scheme=other)
    page.wait_for_function(
        f"document.querySelector('.meiro').shadowRoot.querySelector('.root').dataset.theme == '{other}'"
    )
    assert np.array_equal(shown_now(page), picture(trace, 5, 480, themes[other]))


def test_player_clusters_are_those_of_animations(page: Page) -> None:
    for trace in (
        meiro.trace((5, 6), "boruvka", rng=3, wrap=(True, True)),
        meiro.trace((6, 7), "eller", rng=1),
    ):
        show(page, meiro.player(trace, numbers="clusters"))
        page.emulate_media(color_scheme="light")
        layout = layout_of(trace.grid_shape, cells=True, size=480)
        for k in (-1, 4, len(trace) - 1, 2):
            go(page, frame=k)
            tinted = with_clusters(trace, frame_colors(trace, k), k)
            assert np.array_equal(
                shown_now(page), np.array(paints_of("light"), np.uint8)[layout.pixels(tinted)]
            )
        page.get_by_role("button", name="Numbers").click()
        assert np.array_equal(shown_now(page), picture(trace, 2, 480))


def places_inked(page: Page, trace: Trace) -> set[int]:
    """Return the numbers of the places on which numbers are written."""
    inked = page.locator("canvas.numbers").evaluate(
        """canvas => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return [...Array(data.length / 4).keys()].filter(i => data[4 * i + 3] > 99);
        }"""
    )
    layout = layout_of(trace.grid_shape, cells=trace.space == "cells", size=480)
    places = layout.pixels(np.arange(np.prod(trace.grid_shape)).reshape(trace.grid_shape))  # type: ignore[arg-type]
    return set(places.reshape(-1)[inked].tolist())


def test_player_wall_ids_are_on_standing_walls(page: Page, trace: Trace) -> None:
    show(page, meiro.player(trace, numbers="walls"))
    for k in (-1, 12, len(trace) - 1):
        go(page, frame=k)
        found = places_inked(page, trace)
        paints = frame_colors(trace, k)
        for _, row, col in wall_places(trace).tolist():
            assert (row * trace.grid_shape[1] + col in found) == STANDING[paints[row, col]]
    page.get_by_role("button", name="Numbers").click()
    assert not page.locator("canvas.numbers").is_visible()


def test_player_legend_and_pseudocode(page: Page, trace: Trace) -> None:
    search = meiro.trace_solve(meiro.generate((4, 6), rng=1))
    show(page, meiro.player([trace, search]))
    expected = [text for paint, text in LEGEND.items() if paint in legend_of(trace) | legend_of(search)]
    assert page.locator(".legend li").all_text_contents() == expected
    assert page.locator("details").count() == 2
    assert not page.locator(".source").first.is_visible()
    for width, fits in ((1100, True), (620, False)):
        page.set_viewport_size({"width": width, "height": 800})
        show(page, meiro.player(trace))
        assert page.locator(".source").is_visible() == fits
        assert page.locator(".source li").all_text_contents() == [line.strip() for line in trace.source]


def test_player_numbers(page: Page, trace: Trace) -> None:
    """They are written over the cells that have one, in the colours of ink, and nowhere else."""
    room = np.zeros((3, 4), np.uint8)
    search = meiro.trace_solve(room, (0, 0), (2, 3))
    for one, cells in ((trace, True), (search, False)):
        show(page, meiro.player(one))
        overlay = page.locator("canvas.numbers")
        assert not overlay.is_visible()
        page.get_by_role("button", name="Numbers").click()
        assert model_value(page, "numbers")
        for k in (-1, 4, len(one) - 1, 2):
            go(page, frame=k)
            found = places_inked(page, one)
            labels = (one[k] if k >= 0 else one.before).labels
            assert labels is not None
            rows, cols = np.nonzero(labels >= 0)
            if cells:
                rows, cols = 2 * rows + 1, 2 * cols + 1
            assert found == set((rows * one.grid_shape[1] + cols).tolist()), k
    show(page, meiro.player(meiro.trace((60, 60), "kruskal", rng=1)))
    assert not page.get_by_role("button", name="Numbers").is_visible()


def test_player_of_200_x_200_cells_keeps_30_fps(page: Page) -> None:
    """Generously: each frame, far apart from the last, in a third of the time that it has."""
    show(page, meiro.player(meiro.trace((200, 200), "backtracker", rng=1)))
    forwards, leaps = page.evaluate(
        """() => {
            const last = model.get("given").scenes[0].frames - 1;
            const took = frames => {
                const begin = performance.now();
                for (const frame of frames) model.set("frame", frame);
                return (performance.now() - begin) / frames.length;
            };
            const steps = [...Array(60).keys()];
            const leaps = steps.map(i => (i * 7919) % last);
            return [took(steps.map(i => Math.floor(i * last / 60))), took(leaps)];
        }"""
    )
    assert forwards < 33, forwards
    assert leaps < 100, leaps


WALKS: dict[str, Callable[[], Any]] = {
    "maze": lambda: meiro.play(meiro.generate((5, 6), "backtracker", rng=2)),
    "torus": lambda: meiro.play(meiro.generate((5, 6), rng=2, wrap=(True, True)), (2, 2), (0, 5)),
    "sites": lambda: meiro.play(meiro.generate((4, 5), rng=2).grid, (1, 1), (7, 9)),
}


@pytest.mark.parametrize("kind", WALKS)
def test_walk_to_the_goal(page: Page, kind: str) -> None:
    game = WALKS[kind]()
    scene = game.given["scenes"][0]
    rows, cols = scene["shape"]
    ways = np.frombuffer(scene["ways"], np.uint8).reshape(rows, cols)
    cells = scene["space"] == "cells"
    wrap = (True, True) if kind == "torus" else (False, False)
    path = meiro.solve(meiro.Maze(ways, wrap=wrap) if cells else ways, game.start, game.goal).path.tolist()
    show(page, game)
    page.locator(".root").focus()
    names = {(-1, 0): "ArrowUp", (0, 1): "d", (1, 0): "s", (0, -1): "ArrowLeft"}
    if kind == "maze":
        page.keyboard.press("ArrowUp")
        assert model_value(page, "steps") == 0, "no way through a wall"
    for here, there in itertools.pairwise(path):
        down, right = there[0] - here[0], there[1] - here[1]
        down, right = (np.sign(d) * (1 if abs(d) == 1 else -1) for d in (down, right))
        page.keyboard.press(names[down, right])
        assert model_value(page, "position") == there
    assert model_value(page, "solved")
    assert model_value(page, "steps") == game.shortest
    told = page.get_by_role("status")
    assert told.text_content() == f"Solved in {game.shortest} steps. That is a shortest path."
    assert told.get_attribute("aria-live") == "polite"
    # The way, doors included, is drawn as visited; its ends as what they are.
    first = np.frombuffer(scene["first"], np.uint8).reshape(scene["grid"])
    solution = meiro.solve(meiro.Maze(ways, wrap=wrap) if cells else ways, game.start, game.goal)
    places = first.copy()
    trail = solution.mask & (first == 0)
    places[trail] = Theme._fields.index("visited")
    end = solution.grid_path[-1] if cells else solution.path[-1]
    places[tuple(end)] = Theme._fields.index("current")
    layout = layout_of(scene["grid"], cells=cells, size=480)
    assert np.array_equal(shown_now(page), np.array(LIGHT, np.uint8)[layout.pixels(places)])
    page.keyboard.press("ArrowLeft")
    assert model_value(page, "solved"), "it is over"
    page.get_by_role("button", name="From the start").click()
    now = [model_value(page, name) for name in ("position", "steps", "solved")]
    assert now == [list(game.start), 0, False]
    begin = first.copy()
    start = game.start if not cells else (2 * game.start[0] + 1, 2 * game.start[1] + 1)
    begin[start] = Theme._fields.index("current")
    assert np.array_equal(shown_now(page), np.array(LIGHT, np.uint8)[layout.pixels(begin)])


def test_walk_by_buttons(page: Page) -> None:
    show(page, meiro.play(meiro.Maze([[2, 12], [2, 9]]), (0, 0), (1, 0)))
    for name in ("Right", "Up", "Left", "Right", "Down"):
        page.get_by_role("button", name=name, exact=True).click()
    assert page.get_by_text("4 steps, the shortest path has 3").is_visible()
    page.get_by_role("button", name="Left", exact=True).click()
    assert page.get_by_role("status").text_content() == "Solved in 5 steps. The shortest path has 3."


# ---- pages of their own


def test_players_on_one_page_are_independent(page: Page, trace: Trace, tmp_path: Path) -> None:
    """A notebook turned into HTML by nbconvert, whose widgets have no stored state."""
    other = meiro.trace((4, 6), "wilson", rng=1)
    import nbformat  # it takes seconds, in each worker
    from nbconvert import HTMLExporter

    book = nbformat.reads(notebook("first", "second"), as_version=4)  # type: ignore[no-untyped-call]
    for cell, one in zip(book.cells, (trace, other), strict=True):
        bundle, _ = meiro.player(one)._repr_mimebundle_()
        cell.outputs = [nbformat.from_dict({"output_type": "display_data", "data": bundle, "metadata": {}})]  # type: ignore[no-untyped-call]
    exporter = HTMLExporter(embed_images=True)  # type: ignore[no-untyped-call]
    text, _ = exporter.from_notebook_node(book)
    (tmp_path / "x.html").write_text(re.sub(r'<script src="https?:[^>]*></script>', "", text), "utf-8")
    page.goto((tmp_path / "x.html").as_uri())
    page.get_by_role("button", name="To the end").nth(1).click()
    assert np.array_equal(shown_now(page, 0), picture(trace, -1, 480))
    assert np.array_equal(shown_now(page, 1), picture(other, len(other) - 1, 480))


def test_player_page_makes_no_request_and_fits(page: Page, trace: Trace, tmp_path: Path) -> None:
    player = meiro.player([trace, meiro.trace((4, 6), "eller", rng=1)], fps=500)
    player.frame = 3
    player.save(tmp_path / "p.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "p.html").as_uri())
    assert np.array_equal(shown_now(page), picture(trace, 3, 285))
    assert page.title() == "Player: kruskal, eller"
    page.keyboard.press(" ")  # it has the focus
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert np.array_equal(shown_now(page), picture(trace, len(trace) - 1, 285))
    for width in (320, 390, 768, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        beyond = page.evaluate(
            """() => {
                const root = document.querySelector(".meiro").shadowRoot.querySelector(".root");
                const box = root.getBoundingClientRect();
                return [...root.querySelectorAll("*")].filter(part => {
                    const { left, right, width } = part.getBoundingClientRect();
                    return width && (left < box.left || right > box.right);
                }).map(part => part.outerHTML);
            }"""
        )
        assert beyond == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert asked == [(tmp_path / "p.html").as_uri()]
