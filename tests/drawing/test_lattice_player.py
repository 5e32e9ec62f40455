"""Players of traces on lattices: what they draw and say is what the frames of the trace are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from browser import go, pixels, show

import meiro
from meiro.colors import LIGHT
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

la = meiro.lattices
LATTICES = {
    "hexagonal": la.hexagonal(4, 5),
    "polar": la.polar(4),
    "box": la.box(2, 3, 3),
    "weave": la.weave(5, 5, crossings=0.3, rng=3),
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
        meiro.player(meiro.trace(LATTICES["hexagonal"], "kruskal", rng=1), numbers="clusters")


def test_a_joined_trace_is_played(page: Page, tmp_path: Any) -> None:
    made = meiro.trace(LATTICES["polar"], "prim", rng=4)
    both = made + meiro.trace_solve(made.result)
    player = meiro.player(both)
    show(page, player)
    for k in (0, len(made) - 1, len(made), len(both) - 1, 3):
        go(page, frame=k)
        assert page.locator(".note").text_content() == both.caption(k)
    player.save(tmp_path / "both.html")
    assert (tmp_path / "both.html").stat().st_size > 10_000
