"""One frame of a trace as a picture, as text, and on axes; pictures on pages that are light or dark."""

from __future__ import annotations

import base64
import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from arbitrary_mazes import ROUND
from periodic_mazes import periodic_maze
from PIL import Image
from refusals import refused

import meiro
from meiro._utils.pixel_layout import layout_of
from meiro.colors import LIGHT
from meiro.drawing.notebook.rich_display import MOST_BYTES
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOM = np.array([[0, 0, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0]], np.uint8)
TRACES = {
    "kruskal": lambda: meiro.trace((4, 6), "kruskal", rng=7),
    "masked": lambda: meiro.trace(algorithm="backtracker", mask=ROUND, rng=7),
    "walls": lambda: meiro.trace((5, 4), "wilson", rng=7),
    "torus": lambda: meiro.trace((4, 5), "prim", wrap=(True, True), rng=7),
    "search": lambda: meiro.trace_solve(meiro.generate((6, 5), rng=7), algorithm="dfs"),
    "searched torus": lambda: meiro.trace_solve(periodic_maze((4, 5), (True, True), 1)),
    "array": lambda: meiro.trace_solve(ROOM, (0, 0), (2, 0)),
}
traces = pytest.mark.parametrize("name", TRACES)


@traces
def test_html_of_a_frame_shows_its_colours_and_numbers(name: str) -> None:
    trace = TRACES[name]()
    for k in (0, len(trace) // 2, len(trace) - 1):
        frame = trace[k]
        html = frame._repr_html_()
        (data,) = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            picture = np.asarray(image.convert("RGB"))
        layout = layout_of(trace.grid_shape, cells=trace.space == "cells", size=360)
        assert (picture == np.array(LIGHT[:16])[layout.pixels(frame_colors(trace, k))]).all()
        written = [int(word) for word in re.findall(r"<text [^>]*>(\d+)</text>", html)]
        assert written == ([] if frame.labels is None else frame.labels[frame.labels >= 0].tolist())
        assert f"<code>trace[{k}]</code>" in html
        assert frame.note.split("'")[0] in html
    assert "trace[" not in trace.before._repr_html_()


def test_html_of_a_frame_on_a_lattice_shows_openings() -> None:
    maze = meiro.generate(meiro.lattices.hexagonal(4, 5), rng=7)
    opened = meiro.transforms.with_openings(maze, "farthest")
    pictures = [trace.before._repr_html_() for trace in map(meiro.trace_solve, (maze, opened))]
    darkness = []
    for html in pictures:
        (data,) = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            darkness.append((np.asarray(image.convert("L")) < 128).sum())
    assert darkness[1] < darkness[0]


@pytest.mark.parametrize(
    "shape", [(300, 200), (1, 700), (500, 500), pytest.param((1500, 1500), marks=pytest.mark.long)]
)
def test_html_of_a_large_frame_is_bounded(shape: tuple[int, int]) -> None:
    trace = meiro.trace(shape, "kruskal", rng=1, window=(0, 50_000), every=50_000)
    html = trace[0]._repr_html_()
    assert len(html) < MOST_BYTES
    assert ("too large" in html.lower()) == (shape[0] == 1500)
    assert "<text" not in html


@traces
def test_a_frame_prints_as_text(name: str) -> None:
    trace = TRACES[name]()
    frame = trace[len(trace) // 2]
    *drawn, note = str(frame).split("\n")
    assert note == frame.note
    assert "\n" not in repr(frame)
    if name == "array":
        walls = [[char == "#" for char in line] for line in drawn]
        assert np.array_equal(walls, ROOM)
    else:
        assert "\n".join(drawn) == frame.maze().to_text("posts", labels=frame.labels)


def test_frames_know_their_maze() -> None:
    trace = TRACES["masked"]()
    assert trace[-1].maze() == trace.result
    assert trace.before.maze().edges().size == 0
    search = TRACES["search"]()
    assert search[3].maze() is search.domain.maze
    refused(ValueError, "an array is searched", TRACES["array"]()[0].maze)


@traces
def test_plot_draws_a_frame_as_plot_trace_does(name: str) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    trace = TRACES[name]()
    k = len(trace) // 2
    for theme in ("light", "dark"):
        (wanted,) = meiro.plot_trace(trace, [k], theme=theme)
        ax = meiro.plot(trace[k], ax=plt.figure().add_subplot(), theme=theme)
        drawn, expected = (np.asarray(a.images[0].get_array()) for a in (ax, wanted))
        assert np.array_equal(drawn, expected)
        assert ax.images[0].get_extent() == wanted.images[0].get_extent()
        assert (ax.get_xlim(), ax.get_ylim()) == (wanted.get_xlim(), wanted.get_ylim())
        assert len(ax.artists) + len(ax.patches) == len(wanted.artists) + len(wanted.patches)
    part = meiro.plot(trace[k], ax=plt.figure().add_subplot(), region=np.s_[1:3, 0:2])
    assert (part.get_xlim(), part.get_ylim()) == ((-0.75, 1.75), (2.75, 0.25))


def test_plot_of_a_frame_refuses_what_is_for_mazes() -> None:
    for name, value in (
        *(("solution", [[0, 0]]), ("values", np.ones((4, 6))), ("cmap", "viridis"), ("vmin", 0), ("vmax", 1)),
        *(("labels", np.ones((4, 6))), ("path_color", "red"), ("wall_color", "red"), ("legend", True)),
        *(("road", 0), ("explored", False), ("colorbar", False)),
    ):
        pytest.importorskip("matplotlib")
        refused(TypeError, f"{name}= is not for a Frame", meiro.plot, TRACES["kruskal"]()[3], **{name: value})
        refused(ValueError, "theme", meiro.plot, TRACES["kruskal"]()[3], theme="blue")


PAGES = [
    ("light", "", "", False),
    ("dark", "", "", True),
    ("dark", "", 'data-jp-theme-light="true"', False),
    ("light", "", 'data-jp-theme-light="false"', True),
    ("dark", "", 'class="vscode-light"', False),
    ("light", "", 'class="vscode-dark"', True),
    ("light", "", 'class="vscode-high-contrast"', True),
    ("dark", "", 'class="vscode-high-contrast-light vscode-high-contrast"', False),
    ("dark", 'theme="light"', "", False),
    ("light", 'theme="dark"', "", True),
    ("dark", 'data-theme="light"', "", False),
    ("light", 'data-theme="dark"', "", True),
]


@pytest.mark.browser
def test_every_display_is_dark_on_dark_pages_alone(browser: Browser) -> None:
    maze = meiro.generate((5, 6), rng=1)
    trace = meiro.trace((3, 4), "kruskal", rng=7)
    things: list[Any] = [maze, meiro.generate_many((5, 5), n=3, rng=1), meiro.solve(maze), trace, trace[4]]
    things += [meiro.generate((80, 80), rng=1), meiro.solve(meiro.generate((300, 300), rng=1))]
    things += [meiro.animate(trace)]
    shows = [thing._repr_html_() for thing in things]
    pictures = sum(len(re.findall("<img|<svg xmlns=[^ ]* role", html)) for html in shows)
    widgets = [w._repr_mimebundle_()[0]["text/html"] for w in (meiro.player(trace), meiro.play(maze))]
    body = "".join([*shows, *widgets])
    for scheme, root, attributes, dark in PAGES:
        page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_content(f"<!DOCTYPE html><html {root}><body {attributes}>{body}</body></html>")
        filters = page.locator(".meiro-card").evaluate_all("all => all.map(e => getComputedStyle(e).filter)")
        assert len(filters) == pictures
        assert {f != "none" for f in filters} == {dark}, (scheme, root, attributes)
        themes = page.evaluate(
            "[...document.querySelectorAll('div')].flatMap(d => d.shadowRoot"
            " ? [d.shadowRoot.querySelector('.root').dataset.theme] : [])"
        )
        assert themes == [["light", "dark"][dark]] * 2, (scheme, root, attributes)
        with Image.open(io.BytesIO(page.locator(".meiro-card").first.screenshot())) as shot:
            middle = np.median(np.asarray(shot.convert("L")))
        assert (middle < 60) == dark
        page.emulate_media(media="print")
        assert page.locator(".meiro-card").first.evaluate("e => getComputedStyle(e).filter") == "none"
        page.close()
