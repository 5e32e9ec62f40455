"""Player and walk in JupyterLab."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from browser import Lab, expect, notebook, pixels

import meiro
from meiro._utils.pixel_layout import layout_of
from meiro.colors import DARK, LIGHT, Theme
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def run_all(page: Page, lab: Lab, name: str, *cells: str) -> None:
    (lab.folder / f"{name}.ipynb").write_text(notebook(*cells))
    page.goto(f"{lab.url}/lab/workspaces/{name}/tree/{name}.ipynb?reset")
    # Before the kernel is there, a question for the kernel would come first.
    expect(page.get_by_role("button", name="Python 3 (ipykernel) | Idle")).to_be_visible(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()


def kept(path: Path, wanted: Any) -> None:
    """Wait until a value has come to Python."""
    for _ in range(200):
        if path.exists() and path.read_text() == repr(wanted):
            return
        time.sleep(0.05)
    assert path.read_text() == repr(wanted)


WATCH = "{0}.observe(lambda change: pathlib.Path({1!r}).write_text(repr({0}.{1})), {1!r})"


def test_player_and_walk_in_jupyterlab(lab: Lab, page: Page) -> None:
    """One server and one kernel for both, because it is they that take the time."""
    run_all(
        page,
        lab,
        "watch",
        "import pathlib, meiro\n"
        "player = meiro.player(meiro.trace((10, 12), 'backtracker', rng=5), fps=200)\n"
        + "\n".join(WATCH.format("player", name) for name in ("frame", "playing"))
        + "\nplayer",
        "player.frame = 7",
        "game = meiro.play(meiro.generate((4, 5), 'backtracker', rng=2))\n"
        + "\n".join(WATCH.format("game", name) for name in ("position", "steps", "solved"))
        + "\ngame",
        "player.frame = 999",
    )
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    expect(page.get_by_text("there is no frame 999: they go from -1").first).to_be_visible(timeout=30_000)
    play(lab, page, cells.nth(0))
    walk(lab, page, cells.nth(2))
    assert cells.count() == 4, "no key was JupyterLab's"


def play(lab: Lab, page: Page, cell: Locator) -> None:
    trace = meiro.trace((10, 12), "backtracker", rng=5)
    last = len(trace) - 1
    frame = lab.folder / "frame"

    def drawn(k: int, theme: Theme = LIGHT) -> bool:
        layout = layout_of(trace.grid_shape, cells=True, size=480)
        wanted = np.array(theme, np.uint8)[layout.pixels(frame_colors(trace, k))]
        return np.array_equal(pixels(cell.locator("canvas.picture"))[0], wanted)

    # Set from Python.
    kept(frame, 7)
    expect(cell.locator("p.note")).to_have_text(trace[7].note)
    assert drawn(7)
    # Played to the end, and one step back.
    cell.get_by_role("button", name="Play", exact=True).click()
    kept(frame, last)
    kept(lab.folder / "playing", wanted=False)
    assert drawn(last)
    cell.get_by_role("button", name="One step back", exact=True).click()
    kept(frame, last - 1)
    assert drawn(last - 1)
    # The seek bar is dragged.
    bar = cell.get_by_role("slider", name="Frame")
    box = bar.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 8, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 3, middle, steps=5)
    page.mouse.up()
    at = bar.evaluate("bar => bar.valueAsNumber")
    assert last / 4 < at < last / 2
    kept(frame, at)
    assert drawn(at)
    # Keys. To JupyterLab A and B would mean a new cell, D D that this one goes.
    cell.locator("canvas.picture").click()
    for key in ("ArrowRight", "a", "d", "d", "ArrowRight", "b"):
        page.keyboard.press(key)
    kept(frame, at + 2)
    assert drawn(at + 2)
    page.keyboard.press("Home")
    kept(frame, -1)
    assert drawn(-1)
    # By night.
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert drawn(-1, DARK)


def walk(lab: Lab, page: Page, cell: Locator) -> None:
    way = meiro.solve(meiro.generate((4, 5), "backtracker", rng=2))
    cell.locator("canvas.picture").click()
    names = {(-1, 0): "w", (0, 1): "ArrowRight", (1, 0): "ArrowDown", (0, -1): "a"}
    for step in np.diff(way.path, axis=0).tolist():
        page.keyboard.press(names[tuple(step)])
    told = f"Solved in {way.length} steps. That is a shortest path."
    expect(cell.get_by_role("status")).to_have_text(told)
    kept(lab.folder / "solved", wanted=True)
    kept(lab.folder / "steps", way.length)
    kept(lab.folder / "position", way.goal)
