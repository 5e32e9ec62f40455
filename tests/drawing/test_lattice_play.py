"""Walks on lattices: what Python sends, and where keys and clicks lead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from browser import model_value, pixels, show
from refusals import refused
from some_lattices import EVERY

import meiro
from meiro.colors import LIGHT
from meiro.drawing.graph_outline import plane_to_plot

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

la = meiro.lattices
LATTICES = {
    **{name: EVERY[name] for name in ("square", "hexagonal", "polar", "voronoi", "box", "weave", "cube")},
    "graph": la.from_graph([(0, 1), (1, 2), (2, 0), (2, 3)], positions=[(0, 0), (2, 0), (1, 2), (4, 2)]),
}
KEYS = {
    "ArrowUp": (0, -1),
    "d": (1, 0),
    "s": (0, 1),
    "ArrowLeft": (-1, 0),
    "q": (-1, -1),
    "PageUp": (1, -1),
    "z": (-1, 1),
    "c": (1, 1),
}


def maze_on(name: str) -> meiro.GraphMaze:
    return meiro.generate(LATTICES[name], "wilson", rng=3)


def spots(scene: dict[str, Any]) -> Any:
    return np.frombuffer(scene["spots"], "<u2").reshape(-1, 2) / scene["fine"]


def nearest(maze: meiro.GraphMaze, cell: int, key: str) -> int:
    """Return the cell that a key leads to on a flat lattice; the slow way."""
    places = maze.lattice.positions
    assert places is not None
    best, least = cell, np.pi / 2 - 1e-3
    for other in sorted({*maze.edges()[(maze.edges() == cell).any(axis=1)].ravel().tolist()} - {cell}):
        (x, y), (dx, dy) = places[other] - places[cell], KEYS[key]
        off = np.arccos(np.clip((x * dx + y * dy) / np.hypot(x, y) / np.hypot(dx, dy), -1, 1))
        if off < least - 1e-4:
            best, least = other, off
    return best


@pytest.mark.parametrize("name", ["square", "hexagonal", "polar", "weave", "graph"])
def test_keys_lead_to_the_nearest_neighbour(page: Page, name: str) -> None:
    maze = maze_on(name)
    start, goal = 0, maze.n_cells - 1
    game = meiro.play(maze, start, goal)
    show(page, game)
    page.locator(".root").focus()
    rng, at, steps = np.random.default_rng(1), start, 0
    for key in rng.choice(list(KEYS), 150).tolist():
        page.keyboard.press(key)
        before, at = at, nearest(maze, at, key) if at != goal else at
        steps += at != before
        assert (model_value(page, "position"), model_value(page, "steps")) == (at, steps)
    assert steps > 10 or at == goal


@pytest.mark.parametrize("lattice", [la.cube(2), la.moebius(3, 5)])
def test_keys_lead_over_the_seams_of_surfaces(page: Page, lattice: meiro.Lattice) -> None:
    outline, places = lattice.outline, lattice.positions
    assert outline is not None
    assert outline.more_walls is not None
    assert outline.more_edges is not None
    assert places is not None
    rng = np.random.default_rng(1)
    maze = meiro.add_loops(meiro.generate(lattice, "wilson", rng=1), 6, rng=1)
    # The passages by where the wall would be: the middle of a side of a square.
    doors = [*zip(outline.walls.mean(axis=1).tolist(), range(lattice.n_edges), strict=True)]
    doors += zip(outline.more_walls.mean(axis=1).tolist(), outline.more_edges.tolist(), strict=True)
    behind = {tuple(middle): set(lattice.edges[edge].tolist()) for middle, edge in doors if maze.open[edge]}

    def beyond(cell: int, key: str) -> int:
        right, down = KEYS[key]
        x, y = places[cell].tolist()
        sides = [(x + right / 2, y)] * abs(right) + [(x, y + down / 2)] * abs(down)
        return min((other for side in sides for other in behind.get(side, {cell}) - {cell}), default=cell)

    show(page, meiro.play(maze, 0, lattice.n_cells - 1))
    page.locator(".root").focus()
    at, over = 0, 0
    for key in rng.choice(list(KEYS), 300).tolist():
        page.keyboard.press(key)
        before, at = at, beyond(at, key)
        over += np.hypot(*(places[at] - places[before])) > 1.1
        assert model_value(page, "position") == at
        if at == lattice.n_cells - 1:
            page.keyboard.press("r")
            at = 0
    assert over > 5


@pytest.mark.parametrize("name", LATTICES)
def test_clicks_lead_to_the_goal(page: Page, name: str) -> None:
    maze = maze_on(name)
    game = meiro.play(maze)
    scene = game.given["scenes"][0]
    show(page, game)
    page.emulate_media(color_scheme="light")
    places = spots(scene)
    path = meiro.solve(maze).path_numbers.tolist()
    far = next(cell for cell in path[::-1] if cell != path[0])
    box = page.locator("canvas.picture").bounding_box()
    assert box is not None
    for cell in (far, *path[1:]) if len(path) > 2 else path[1:]:
        page.mouse.click(box["x"] + places[cell][0], box["y"] + places[cell][1])
    assert model_value(page, "position") == path[-1]
    assert model_value(page, "steps") == game.shortest == len(path) - 1
    assert model_value(page, "solved")
    (picture,) = pixels(page.locator("canvas.picture"))
    wanted = np.zeros(maze.n_cells, int)
    wanted[path] = LIGHT._fields.index("visited")
    wanted[path[0]], wanted[path[-1]] = LIGHT._fields.index("start"), LIGHT._fields.index("current")
    for cell, (x, y) in enumerate(places):
        if name == "weave" or (name == "box" and (picture[int(y), int(x)] == LIGHT.wall).all()):
            continue  # another cell lies above it, or the sign of a stair
        assert tuple(picture[int(y), int(x)]) == LIGHT[wanted[cell]], (cell, wanted[cell])


def test_stairs_have_keys_of_their_own(page: Page) -> None:
    lattice = la.box(2, 1, 2)
    game = meiro.play(meiro.GraphMaze(lattice, np.ones(lattice.n_edges, bool)), 0, 1)
    show(page, game)
    page.locator(".root").focus()
    for key, cell in (("q", 0), ("e", 2), ("PageUp", 2), ("PageDown", 0), ("PageUp", 2), ("d", 3), ("q", 1)):
        page.keyboard.press(key)
        assert model_value(page, "position") == cell
    assert page.get_by_role("button", name="One level up").is_visible()


def test_walk_on_a_lattice_in_python() -> None:
    game = meiro.play(maze_on("hexagonal"), 3, 7)
    assert (game.position, game.start, game.goal) == (3, 3, 7)
    game.position = 5
    game.restart()
    assert game.position == 3
    for wrong, error in ((30, ValueError), (-1, ValueError), ((0, 1), TypeError)):
        with pytest.raises(error, match="position must be"):
            game.position = wrong
    assert "data:image/svg+xml" in game._repr_mimebundle_()[0]["text/html"]
    maze = maze_on("hexagonal")
    refused(TypeError, r"takes no (road|outside)=", meiro.play, maze, road=0)
    refused(TypeError, r"takes no (road|outside)=", meiro.play, maze, outside="wall")
    many = meiro.Lattice(2001, [(i, i + 1) for i in range(2000)])
    words = "has no positions, and more than 2,000 cells are not laid out: give"
    refused(ValueError, words, meiro.play, meiro.GraphMaze(many, np.ones(2000, bool)))


def test_graphs_without_positions_are_laid_out_as_in_plots() -> None:
    maze = meiro.generate(la.from_graph(nx.karate_club_graph()), rng=1)
    places = plane_to_plot(maze.lattice).positions
    for shown in (meiro.play(maze), meiro.player(meiro.trace(maze.lattice, rng=1))):
        scene = shown.given["scenes"][0]
        spots = np.frombuffer(scene["spots"], "<u2").reshape(-1, 2)
        apart = [np.hypot(*(one - one[0]).T) for one in (places, spots.astype(float))]
        assert apart[0] * (apart[1][1] / apart[0][1]) == pytest.approx(apart[1], rel=1e-3)
