"""The page that makes mazes in a browser: the core in it makes those of Python, and the page shows them."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from browser import expect, pixels

import meiro
from meiro.colors import DARK, LIGHT, Theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TOP = Path(__file__).parents[2]
SITE = TOP / "notebooks" / "site"
CORE = TOP / "build" / "wasm" / "src" / "meiro.wasm"

# Seeds of one word, of several, and of as many as the state of a SeedSequence has, and more.
CASES = [(1, 1, 0), (1, 9, 7), (9, 1, 2**32 - 1), (13, 21, 2**32), (40, 33, 2**64 + 5), (70, 130, 10**99)]


@pytest.fixture(scope="module")
def script() -> str:
    """The script of the page, with the core in it."""
    if not SITE.exists():
        pytest.skip("an sdist has no documentation")
    if not CORE.exists():
        pytest.skip("there is no core for browsers: cmake --workflow --preset wasm")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SITE))
        text: str = importlib.import_module("generated_pages").maker_script(CORE.read_bytes())
    return text


@pytest.fixture
def maker(script: str, page: Page, tmp_path: Path) -> Page:
    """The page, opened as a file."""
    found = re.search(r"```\{raw\} html\n(.*?)```", (SITE / "make/make.md").read_text("utf-8"), re.DOTALL)
    assert found
    body = found[1].replace("../make_mazes.js", "make_mazes.js")
    style = (SITE / "style.css").read_text("utf-8")
    (tmp_path / "make_mazes.js").write_text(script, "utf-8")
    head = f'<!DOCTYPE html><html data-theme="light"><meta charset="utf-8"><style>{style}</style>'
    (tmp_path / "make.html").write_text(f"{head}<body>{body}", "utf-8")
    page.goto((tmp_path / "make.html").as_uri())
    return page


def choose(page: Page, algorithm: str, shape: tuple[int, int], seed: int) -> meiro.Maze:
    """Choose a maze; return that of Python when the page shows its own."""
    page.select_option("#make-algorithm", algorithm)
    for name, value in zip(("rows", "cols", "seed"), (*shape, seed), strict=True):
        page.fill(f"#make-{name}", str(value))
    code = f'maze = meiro.generate({shape}, "{algorithm}", rng={seed})'
    expect(page.locator("#make-code")).to_have_text(code)
    expect(page.locator("#make-status")).to_contain_text("cells a second")
    space: dict[str, Any] = {"meiro": meiro}
    exec(code, space)  # noqa: S102  # the line that the page offers
    maze: meiro.Maze = space["maze"]
    return maze


def picture(maze: meiro.Maze, theme: Theme, *, path: bool) -> NDArray[np.uint8]:
    """Return the picture of a large maze: a pixel a site of its grid."""
    sites = np.where(maze.to_grid(posts=False) == 0, *(np.full((), name) for name in ("road", "wall")))
    if path:
        rows, cols = meiro.solve(maze).grid_path.T
        sites[rows, cols] = "path"
    shown = np.zeros((*sites.shape, 3), np.uint8)
    for name in np.unique(sites):
        shown[sites == name] = getattr(theme, name)
    return shown


def test_core_makes_the_mazes_of_python(maker: Page) -> None:
    made = maker.evaluate(
        """async ([names, cases]) => {
            // The worker's own functions, without the worker and its clock.
            const source = `${WORKER.replace("< 20", "< 0")}; core = given; return make;`;
            const make = new Function("given", source)(await compiled);
            const found = {};
            for (const algorithm of names) {
                found[algorithm] = cases.map(([rows, cols, entropy]) => {
                    const { passages, steps } = make({ algorithm, rows, cols, entropy });
                    return [Array.from(passages), steps === null ? null : Array.from(steps)];
                });
            }
            return found;
        }""",
        [[*meiro.ALGORITHMS], [[rows, cols, words_of(seed)] for rows, cols, seed in CASES]],
    )
    assert [*made] == [*meiro.ALGORITHMS]
    paths = 0
    for name, answers in made.items():
        for (rows, cols, seed), (passages, steps) in zip(CASES, answers, strict=True):
            maze = meiro.generate((rows, cols), name, rng=seed)
            np.testing.assert_array_equal(maze.passages, np.reshape(passages, (rows, cols)), name)
            if steps is None:
                with pytest.raises(meiro.NoPathError):
                    meiro.solve(maze)
                continue
            moves = np.array([(-1, 0), (0, 1), (1, 0), (0, -1)])[np.array(steps, int)]
            path = np.vstack([[0, 0], moves.reshape(-1, 2)]).cumsum(axis=0)
            np.testing.assert_array_equal(path, meiro.solve(maze).path, name)
            paths += 1
    assert paths > 5 * len(meiro.ALGORITHMS)


def words_of(seed: int) -> list[int]:
    return [seed >> shift & 0xFFFFFFFF for shift in range(0, max(seed.bit_length(), 1), 32)]


@pytest.mark.parametrize("seed", [0, 7, 2**32 + 1, 10**99 + 7])
def test_page_makes_the_maze_of_its_line_of_python(maker: Page, seed: int) -> None:
    maze = choose(maker, "prim_frontier_edge", (12, 17), seed)
    passages = maker.evaluate("Array.from(made.passages)")
    np.testing.assert_array_equal(maze.passages, np.reshape(passages, maze.shape))
    length = meiro.solve(maze).length
    expect(maker.locator("#make-status")).to_have_text(
        re.compile(rf"204 cells in [\d.]+ ms: [\d.]+ million cells a second; the path has {length} steps\.")
    )


@pytest.mark.parametrize(
    ("algorithm", "shape", "options"),
    [
        ("percolation", "rectangle", {"p": 0.3}),
        ("percolation", "ring", {"p": 1}),
        ("backtracker", "ellipse", {"start": "random", "after_dead_end": "random", "run": 3, "bias": 0.3}),
        ("growing_tree", "diamond", {"choose": "middle"}),
        ("growing_forest", "ring", {"choose": "oldest", "trees": 3}),
        ("hunt_and_kill", "ellipse", {"hunt": "random_row"}),
        ("wilson", "rectangle", {"walks": "cells"}),
        ("wilson", "ring", {"bias": 7}),
        ("origin_shift", "diamond", {"steps": 500}),
        ("binary_tree", "rectangle", {"corner": "south_east"}),
        ("sidewinder", "rectangle", {"towards": "west"}),
        ("recursive_division", "rectangle", {"room": 4}),
        (
            "rooms",
            "ellipse",
            {"tries": 9, "sides": (2, 3), "doors": 0.25, "dead_ends": "remove", "fill": "wilson"},
        ),
    ],
)
def test_options_and_shapes_are_those_of_the_lines_of_python(
    maker: Page, algorithm: str, shape: str, options: dict[str, Any]
) -> None:
    choose(maker, algorithm, (13, 18), 7)
    for name, value in options.items():
        field = maker.locator(f"#make-option-{name}")
        text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)
    if shape != "rectangle":
        maker.select_option("#make-cells", shape)
    words = [f"{name}={value!r}".replace("'", '"') for name, value in options.items()]
    expect(maker.locator("#make-code")).to_contain_text(", ".join([f'"{algorithm}"', "rng=7"]))
    for word in [*words, *(["mask=mask"] if shape != "rectangle" else [])]:
        expect(maker.locator("#make-code")).to_contain_text(word)
    space: dict[str, Any] = {"meiro": meiro, "np": np}
    exec(maker.locator("#make-code").inner_text(), space)  # noqa: S102  # the lines that the page offers
    maze: meiro.Maze = space["maze"]
    assert maze.shape == (13, 18)
    assert (maze.mask is None) == (shape == "rectangle")
    maker.wait_for_function("!working")
    passages, steps = maker.evaluate("[Array.from(made.passages), made.steps && Array.from(made.steps)]")
    np.testing.assert_array_equal(maze.passages, np.reshape(passages, maze.shape))
    assert maze != meiro.generate(maze.shape, algorithm, mask=maze.mask, rng=7)
    try:
        length = meiro.solve(maze).length
    except meiro.NoPathError:
        length = None
    assert (steps and len(steps)) == length
    n_cells = 234 if maze.mask is None else int(maze.mask.sum())
    expect(maker.locator("#make-status")).to_contain_text(f"{n_cells} cells in ")


def test_every_option_of_numbers_and_choices_is_offered(maker: Page) -> None:
    arrays = {"order", "weights", "falls"}
    for name, facts in meiro.ALGORITHMS.items():
        maker.select_option("#make-algorithm", name)
        found = maker.locator("#make-options label")
        assert [words.split()[0] for words in found.all_inner_texts()] == [
            option for option in facts.options if option not in arrays
        ]
        assert maker.locator("#make-cells").is_enabled() == facts.masks


@pytest.mark.parametrize("name", ["backtracker", "rooms"])
def test_canvas_shows_the_grid_of_a_large_maze_in_both_themes(maker: Page, name: str) -> None:
    maze = choose(maker, name, (450, 600), 3)
    canvas = maker.locator("#make-canvas")
    np.testing.assert_array_equal(pixels(canvas)[0], picture(maze, LIGHT, path=True))
    maker.evaluate("document.documentElement.dataset.theme = 'dark'")
    maker.uncheck("#make-solution")
    np.testing.assert_array_equal(pixels(canvas)[0], picture(maze, DARK, path=False))


def test_canvas_of_a_small_maze_fits_and_is_crisp(maker: Page) -> None:
    for shape in ((5, 8), (30, 40), (60, 20)):
        maze = choose(maker, "wilson", shape, 3)
        shown = pixels(maker.locator("#make-canvas"))[0]
        period = (shown.shape[1] - shown.shape[1] % shape[1]) // shape[1]
        wall = shown.shape[1] - period * shape[1]
        assert shown.shape == (period * shape[0] + wall, period * shape[1] + wall, 3)
        assert shown.shape[0] < 800
        assert shown.shape[1] < 1100
        colors = {tuple(color) for color in shown.reshape(-1, 3)}
        assert colors == {LIGHT.wall, LIGHT.road, LIGHT.path}
        # In the middle of each wall, and of each cell: the grid again, the path as road.
        at = [
            period * (i // 2) + (wall // 2 if i % 2 == 0 else wall + (period - wall) // 2) for i in range(130)
        ]
        rows, cols = (at[: 2 * side + 1] for side in shape)
        walls = (shown[np.ix_(rows, cols)] == LIGHT.wall).all(axis=2)
        np.testing.assert_array_equal(walls, maze.to_grid() == 1)


SEED = "The seed must be a whole number of at most 100 digits, 0 or more"
SIDES = "sides must be the least and the greatest side, as in 2, 5"


@pytest.mark.parametrize(
    ("algorithm", "field", "value", "message"),
    [
        ("wilson", "rows", "0", 'Rows must be a whole number from 1 to 2000, not "0"'),
        ("wilson", "cols", "2001", 'Columns must be a whole number from 1 to 2000, not "2001"'),
        ("wilson", "cols", "1.5", 'Columns must be a whole number from 1 to 2000, not "1.5"'),
        ("wilson", "seed", "-1", f'{SEED}, not "-1"'),
        ("wilson", "seed", "", f'{SEED}, not ""'),
        ("percolation", "option-p", "1.5", 'p must be from 0 to 1, not "1.5"'),
        ("backtracker", "option-run", "x", 'run must be from 0.0009765625 to 1024, not "x"'),
        ("rooms", "option-sides", "3, 2", f'{SIDES}, not "3, 2"'),
        ("growing_forest", "option-trees", "0", 'trees must be a whole number of at least 1, not "0"'),
    ],
)
def test_page_says_what_it_cannot_make(
    maker: Page, algorithm: str, field: str, value: str, message: str
) -> None:
    choose(maker, algorithm, (5, 5), 7)
    maker.fill(f"#make-{field}", value)
    fault = maker.locator("#make-status.fault")
    expect(fault).to_have_text(message)
    choose(maker, "wilson", (1, 1), 7)
    expect(fault).to_have_count(0)
    maker.select_option("#make-cells", "ring")
    expect(fault).to_have_text("No cell of 1 by 1 is in the ring")


def test_failure_of_the_core_is_told_and_forgotten(maker: Page) -> None:
    choose(maker, "wilson", (5, 5), 7)
    # The page itself never asks for so much memory.
    maker.evaluate("worker.postMessage({algorithm: 'wilson', rows: 60000, cols: 60000, entropy: [1]})")
    told = maker.locator("#make-status.fault")
    expect(told).to_have_text("It could not be made: there is no memory for 3600000000 cells")
    maker.evaluate(
        "worker.postMessage({algorithm: 'growing_forest', rows: 40000, cols: 40000, entropy: [1]})"
    )
    expect(told).to_have_text("It could not be made: there is no memory for 1600000000 cells", timeout=60_000)
    choose(maker, "wilson", (6, 5), 7)


def test_work_can_be_stopped(maker: Page) -> None:
    choose(maker, "wilson", (5, 5), 7)
    maker.evaluate("window.ready = Date.now()")
    for name, value in (("rows", "2000"), ("cols", "2000")):
        maker.fill(f"#make-{name}", value)
    maker.select_option("#make-algorithm", "origin_shift")
    maker.click("#make-stop")
    expect(maker.locator("#make-status")).to_have_text("Stopped.")
    expect(maker.locator("#make-stop")).to_be_hidden()
    choose(maker, "wilson", (6, 5), 7)


def test_buttons(maker: Page, tmp_path: Path) -> None:
    maze = choose(maker, "eller", (500, 600), 7)
    maker.uncheck("#make-solution")
    with maker.expect_download() as download:
        maker.click("#make-download")
    assert download.value.suggested_filename == "eller_500x600_7.png"
    path = tmp_path / "maze.png"
    download.value.save_as(path)
    assert meiro.Maze.from_image(path) == maze
    maker.context.grant_permissions(["clipboard-read", "clipboard-write"])
    maker.click("#make-copy")
    expect(maker.locator("#make-copy")).to_have_text("Copied")
    assert (
        maker.evaluate("navigator.clipboard.readText()")
        == 'maze = meiro.generate((500, 600), "eller", rng=7)'
    )
    maker.click("#make-another")
    expect(maker.locator("#make-code")).not_to_have_text(re.compile(r"rng=7\)"))
    link = maker.locator("#make-more")
    assert link.get_attribute("href") == "generators/eller.html"
