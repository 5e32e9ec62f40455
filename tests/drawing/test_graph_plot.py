"""`meiro.plot` of mazes on lattices, and their displays in notebooks."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from refusals import refused
from some_lattices import LATTICES
from timing import best, seconds

import meiro
from meiro.colors import DARK, LIGHT
from meiro.drawing.graph_outline import plane_to_plot

la = meiro.lattices
lattices = pytest.mark.parametrize("name", LATTICES)


@lattices
def test_every_option_on_every_lattice(name: str) -> None:
    maze = meiro.generate(LATTICES[name], "wilson", rng=1)
    numbers = np.arange(maze.n_cells)
    for theme in ("light", "dark"):
        _, ax = plt.subplots()
        found = [meiro.solve(maze), meiro.solve(maze, algorithm="dfs")]
        assert meiro.plot(maze, ax=ax, solution=found, values=numbers, labels=numbers, theme=theme) is ax
        ax.figure.canvas.draw()
        plt.close("all")


def test_cells_lie_at_their_positions() -> None:
    maze = meiro.generate(LATTICES["hexagonal"], "wilson", rng=1)
    ax = meiro.plot(maze, solution=meiro.solve(maze))
    assert ax.yaxis_inverted()
    line = next(line for line in ax.lines if np.size(line.get_xdata()) > 1)
    ends = np.array(line.get_xydata())[[0, -1]]
    assert np.allclose(ends, maze.lattice.positions[[0, -1]])  # type: ignore[index]


def test_values_colour_the_cells() -> None:
    maze = meiro.generate(LATTICES["hexagonal"], "wilson", rng=1)
    values = np.full(maze.n_cells, np.nan)
    values[5] = 3
    ax = meiro.plot(maze, values=values, colorbar=False)
    (cells,) = ax.collections
    (path,) = cells.get_paths()
    assert path.contains_point(maze.lattice.positions[5])  # type: ignore[index]


@pytest.mark.parametrize(("name", "dark"), [("hexagonal", False), ("zeta", False), ("karate", True)])
def test_labels_can_be_read_on_what_they_stand_on(name: str, *, dark: bool) -> None:
    maze = meiro.generate(LATTICES[name], "wilson", rng=1)
    labels = np.arange(maze.n_cells)
    for theme, (paper, ink) in {"light": (DARK, LIGHT), "dark": (LIGHT, DARK)}.items():
        ax = meiro.plot(maze, labels=labels, theme=theme)  # type: ignore[call-overload]
        (shown,) = {p.get_facecolor()[:3] for p in ax.patches if type(p).__name__ == "CellLabels"}
        assert shown == (paper if dark else ink).ink.unit
        plt.close("all")
    (fill,) = {*re.findall(r'fill="(\S+)">\d+</text>', maze.to_svg(labels=labels, marks=False))}
    assert fill == (DARK if dark else LIGHT).ink.hex


def test_cells_that_all_lie_at_one_place_have_labels() -> None:
    maze = meiro.generate(meiro.Lattice(3, [(0, 1), (1, 2)], positions=[(0, 0)] * 3))
    meiro.plot(maze, labels=np.arange(3)).figure.canvas.draw()


@pytest.mark.parametrize(
    ("lattice", "side"),
    [(la.square(3, 4), 0.8), (la.upsilon(3, 4), 0.765), (la.zeta(3, 4), 0.4), (LATTICES["karate"], 0.34)],
    ids=repr,
)
def test_ends_with_labels_are_squares_within_their_cells(lattice: meiro.Lattice, side: float) -> None:
    maze = meiro.generate(lattice, rng=1)
    labels, cell = np.arange(maze.n_cells), plane_to_plot(lattice).cell
    ax = meiro.plot(maze, labels=labels, marks=True)
    (goal,) = (p for p in ax.patches if p.get_label() == "goal")
    assert np.ptp(goal.get_window_extent().get_points(), axis=0) == pytest.approx(
        np.abs(np.ptp(ax.transData.transform([(0, 0), (side * cell,) * 2]), axis=0)), rel=0.01
    )
    plt.close("all")
    (drawn,) = re.findall(f'"{LIGHT.goal.hex}" d="M[^h]+h([0-9.]+)v', maze.to_svg(labels=labels, marks=True))
    assert float(drawn) == pytest.approx(side, abs=1e-3)


@pytest.mark.parametrize("name", ["zeta", "weave"])
def test_corridors_have_the_colours_of_their_cells_up_to_the_middle_of_passages(name: str) -> None:
    lattice = LATTICES[name]
    maze = meiro.generate(lattice, "wilson", rng=3)
    rows, positions = np.arange(maze.n_cells), lattice.positions
    assert positions is not None
    figure, ax = plt.subplots(figsize=(6, 6))
    meiro.plot(maze, ax=ax, values=rows, cmap="viridis", colorbar=False)
    file = io.BytesIO()
    figure.savefig(file, format="rgba", dpi=100)
    picture = np.frombuffer(file.getvalue(), np.uint8).reshape(600, 600, 4)[..., :3].astype(int)
    table = np.array(plt.get_cmap("viridis")(rows / rows.max()))[:, :3] * 255
    layers = np.zeros(maze.n_cells, int) if lattice.layers is None else lattice.layers
    places = {tuple(place) for place in positions[layers > 0].tolist()}
    seen = 0
    for cell, other in [*maze.edges().tolist(), *maze.edges()[:, ::-1].tolist()]:
        if not layers[cell] and tuple(positions[cell].tolist()) in places:
            continue  # below a bridge
        if np.abs(positions[cell] - positions[other]).sum() > 1.5:
            continue  # a diagonal may be below another
        at = 0.7 * positions[cell] + 0.3 * positions[other]
        x, y = ax.transData.transform(at)
        assert np.abs(picture[len(picture) - 1 - int(y), int(x)] - table[cell]).max() <= 2
        seen += 1
    assert seen > 10


def test_a_lattice_of_corridors_shows_all_edges_that_cross() -> None:
    lattice = la.zeta(3, 4)
    (line,) = re.findall(r'stroke-width="0.14"[^>]* d="([^"]*)"', lattice._repr_html_())
    assert len(re.findall("M", line)) == lattice.n_edges


def test_a_box_in_space() -> None:
    maze = meiro.generate(LATTICES["box"], "wilson", rng=1)
    ax = meiro.plot(maze, three_d=True, solution=meiro.solve(maze))
    assert ax.name == "3d"
    with pytest.raises(ValueError, match="three_d= is for lattices in space"):
        meiro.plot(meiro.generate(la.square(2, 2), "wilson", rng=1), three_d=True)
    refused(TypeError, "three_d= is for a GraphMaze", meiro.plot, meiro.generate((2, 2)), three_d=True)


@pytest.mark.parametrize("name", ["zeta", "box"])
def test_what_has_no_length_has_pixels(name: str, tmp_path: Path) -> None:
    """Agg draws no line of no length: a cell without passages, and a path straight up through levels."""
    lattice = la.box(3, 2, 2) if name == "box" else LATTICES[name]
    maze = meiro.GraphMaze(lattice, np.full(lattice.n_edges, name == "box"))
    maze.save(tmp_path / "maze.png", solution=meiro.solve(maze, 1, 9) if name == "box" else None)
    pixels = plt.imread(tmp_path / "maze.png")[..., :3]
    red = (pixels[..., 0] > 0.8) & (pixels[..., 1:] < 0.2).all(axis=2)
    dark = (pixels < 0.2).all(axis=2)
    assert red.sum() > 15 if name == "box" else dark.sum() > 30 * lattice.n_cells


def test_bad_input() -> None:
    maze = meiro.generate(LATTICES["polar"], "wilson", rng=1)
    for given in ({"region": slice(3)}, {"outside": "wall"}, {"road": 0}):
        refused(TypeError, "is not for a GraphMaze", meiro.plot, maze, **given)
    refused(ValueError, "values must have shape", meiro.plot, maze, values=[1, 2])
    refused(TypeError, "values must be numbers", meiro.plot, maze, values=["a"] * maze.n_cells)
    large = meiro.generate(la.box(20, 20, 20, 20), "kruskal", rng=1)
    refused(ValueError, "has no positions", meiro.plot, large)


@lattices
def test_displays_say_what_they_show(name: str) -> None:
    lattice = LATTICES[name]
    maze, many = meiro.generate(lattice, "wilson", rng=7), meiro.generate_many(lattice, "wilson", 5, rng=7)
    solution = meiro.solve(maze)
    said = f"in vertices, bfs from {solution.start} to {solution.goal}"
    texts: list[tuple[Any, str]] = [(maze, maze.description), (many, "5 mazes"), (solution, said)]
    for shown, words in ((lattice, lattice.description), *texts):
        html = shown._repr_html_()
        assert words in html
        assert "<svg" in html
        assert ("#d7191c" in html) == (shown is solution and name != "one")
        assert ("rng=7" in html) == (shown is maze)


@pytest.mark.parametrize("lattice", [la.polar(70), la.hexagonal(60, 60), la.zeta(80, 80), la.square(1, 3000)])
def test_large_ones_are_reduced(lattice: meiro.Lattice) -> None:
    html = meiro.generate(lattice, "wilson", rng=7)._repr_html_()
    assert len(html) < 100_000
    assert re.search("reduced to [0-9]+ x [0-9]+ pixels", html)


@pytest.mark.clock
def test_a_hundred_thousand_cells_within_a_second() -> None:
    maze = meiro.generate(la.hexagonal(300, 334), "wilson", rng=1)

    def draw() -> None:
        plt.close("all")
        meiro.plot(maze).figure.canvas.draw()

    assert best(lambda: seconds(draw), 1) < 1
