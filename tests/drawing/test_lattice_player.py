"""Players of traces on lattices: what they draw and say is what the frames of the trace are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from browser import go, pixels, show
from some_lattices import EVERY

import meiro
from meiro.colors import LIGHT
from meiro.drawing.numbers import paints_of, with_clusters
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

la = meiro.lattices
LATTICES = {
    **{name: EVERY[name] for name in ("hexagonal", "polar", "box", "weave")},
    "labels": la.from_graph(nx.cycle_graph(["ann", "bob", "cid"]), positions=[(0, 0), (4, 0), (2, 3)]),
}


@pytest.mark.parametrize(
    "algorithm", ["wilson", "kruskal", "hunt_and_kill", "bfs", "dead_end_filling", "tremaux"]
)
@pytest.mark.parametrize("name", LATTICES)
def test_sentences_and_colours_are_those_of_the_trace(page: Page, name: str, algorithm: str) -> None:
    lattice = LATTICES[name]
    if algorithm in meiro.ALGORITHMS:
        trace = meiro.trace(lattice, algorithm, rng=2, window=(0, 60))
    else:
        trace = meiro.trace_solve(meiro.generate(lattice, "wilson", rng=2), algorithm=algorithm)
    player = meiro.player(trace)
    scene = player.given["scenes"][0]
    spots = np.frombuffer(scene["spots"], "<u2").reshape(-1, 2) / scene["fine"]
    page.emulate_media(color_scheme="light")
    show(page, player)
    note = page.locator(".note")
    for k in range(-1, len(trace)):
        go(page, frame=k)
        assert note.text_content() == (trace.caption(k) if k >= 0 else trace.before.note)
    for k in (0, len(trace) // 2, len(trace) - 1, 1 % len(trace)):
        go(page, frame=k)
        paints = frame_colors(trace, k)[: lattice.n_cells]
        picture = pixels(page.locator("canvas.picture"))[0]
        above = np.ones(lattice.n_cells, np.bool_)
        if name in {"weave", "box"}:  # a bridge, or the sign of a stair may lie above
            above = np.array(
                [tuple(picture[int(y), int(x)]) == LIGHT[p] for (x, y), p in zip(spots, paints, strict=True)]
            )
            assert above.mean() > 0.6
        for cell in np.flatnonzero(above).tolist():
            x, y = spots[cell]
            assert tuple(picture[int(y), int(x)]) == LIGHT[paints[cell]], (k, cell)


def test_numbers_are_shown_where_they_can_be_read(page: Page) -> None:
    player = meiro.player(meiro.trace(LATTICES["hexagonal"], "backtracker", rng=1), numbers=True)
    show(page, player)
    go(page, frame=20)
    assert page.locator("canvas.numbers").is_visible()
    drawn = "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(value => value)"
    assert page.locator("canvas.numbers").evaluate(drawn)
    with pytest.raises(ValueError, match="larger size="):
        meiro.player(meiro.trace(la.hexagonal(40, 40), "kruskal", rng=1), numbers=True, size=100)
    with pytest.raises(ValueError, match="rows and columns"):
        meiro.player(meiro.trace(LATTICES["hexagonal"], "kruskal", rng=1), numbers="walls")


@pytest.mark.parametrize("name", ["hexagonal", "polar", "weave"])
def test_clusters_have_the_colours_of_frames(page: Page, name: str) -> None:
    trace = meiro.trace(LATTICES[name], "kruskal", rng=2)
    player = meiro.player(trace, numbers="clusters", size=480)
    scene = player.given["scenes"][0]
    spots = np.frombuffer(scene["spots"], "<u2").reshape(-1, 2) / scene["fine"]
    page.emulate_media(color_scheme="light")
    show(page, player)
    for k, numbers in ((3, True), (len(trace) // 2, True), (5, False), (len(trace) - 1, True)):
        go(page, frame=k, numbers=numbers)
        paints = frame_colors(trace, k)
        wanted = with_clusters(trace, paints, k) if numbers else paints
        (picture,) = pixels(page.locator("canvas.picture"))
        same = [
            tuple(picture[int(y), int(x)]) == paints_of("light")[wanted[cell]]
            for cell, (x, y) in enumerate(spots)
            if name != "weave" or not (np.hypot(*(spots - (x, y)).T) < 1).sum() > 1
        ]
        assert all(same), k


@pytest.mark.parametrize("name", LATTICES)
def test_what_changed_is_drawn_as_if_all_were_drawn(page: Page, name: str) -> None:
    trace = meiro.trace(LATTICES[name], "wilson", rng=2)
    show(page, meiro.player(trace))
    canvas = page.locator("canvas.picture")
    for k in (0, 1, 2, len(trace) // 2, 3, len(trace) - 2, len(trace) - 1):
        page.emulate_media(color_scheme="light")
        go(page, frame=k)
        (changed,) = pixels(canvas)
        for scheme in ("dark", "light"):  # all is drawn again
            page.emulate_media(color_scheme=scheme)
            page.locator(f".root[data-theme={scheme}]").wait_for()
        (whole,) = pixels(canvas)
        apart = np.abs(changed.astype(int) - whole).max(axis=2)
        assert (apart > 16).mean() < 1e-3, k  # of smooth edges a pixel here and there
        assert (apart > 1).mean() < 1e-2


@pytest.mark.clock
def test_a_frame_of_ten_thousand_cells_is_drawn_before_the_next_one(page: Page) -> None:
    trace = meiro.trace(la.hexagonal(100, 100), "backtracker", rng=1)
    show(page, meiro.player(trace, size=900))
    go(page, frame=len(trace) // 2)
    took = page.evaluate("""() => {
        const canvas = document.querySelector(".meiro").shadowRoot.querySelector("canvas.picture");
        const frame = () => {
            const begin = performance.now();
            model.set("frame", model.get("frame") + 1);
            canvas.getContext("2d").getImageData(0, 0, 1, 1);
            return performance.now() - begin;
        };
        return Array.from({ length: 41 }, frame).sort((one, other) => one - other)[20];
    }""")
    assert took < 16


def test_levels_have_their_numbers(page: Page) -> None:
    for shown in (
        meiro.player(meiro.trace(LATTICES["box"], rng=1)),
        meiro.play(meiro.generate(LATTICES["box"])),
    ):
        scene = shown.given["scenes"][0]
        assert [title[0] for title in scene["titles"]] == ["level 1", "level 2"]
        page.emulate_media(color_scheme="light")
        show(page, shown)
        (picture,) = pixels(page.locator("canvas.picture"))
        for _, x, y, size in scene["titles"]:
            part = picture[int(y - size) : int(y), int(x - size) : int(x + size)]
            assert (part == LIGHT.ink).all(axis=2).any()
        assert "data:image/svg+xml" in shown._repr_mimebundle_()[0]["text/html"]


def test_a_joined_trace_is_played(page: Page, tmp_path: Any) -> None:
    made = meiro.trace(LATTICES["polar"], "prim", rng=4)
    both = made + meiro.trace_solve(made.result)
    player = meiro.player(both)
    show(page, player)
    for k in (0, len(made) - 1, len(made), len(both) - 1, 3):
        go(page, frame=k)
        assert page.locator(".note").text_content() == both.caption(k)
    player.save(tmp_path / "both.html")
    page.goto((tmp_path / "both.html").as_uri())
    page.keyboard.press("End")
    assert page.locator(".note").text_content() == both.caption(len(both) - 1)
    meiro.play(made.result).save(tmp_path / "walk.html")
    page.goto((tmp_path / "walk.html").as_uri())
    page.keyboard.press("ArrowUp")
    page.get_by_text(re.compile("[01] steps?, the shortest path has")).wait_for()
