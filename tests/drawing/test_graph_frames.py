"""Frames of traces on lattices, as pixels: each place where it lies, in the colour of its state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import refused
from some_lattices import EVERY
from thinning import long_but

import meiro
from meiro.colors import THEMES
from meiro.drawing.animation.frame_renderer import FrameRenderer
from meiro.drawing.frame_raster import INKS, MOST_PLACES, GraphRaster, ink_colors
from meiro.drawing.graph_outline import plane_to_plot, rooms
from meiro.drawing.numbers import FIRST_CLUSTER, cluster_hues, paints_of, with_clusters
from meiro.traces.events import Paint, State
from meiro.traces.frame_deltas import frame_colors

plt = pytest.importorskip("matplotlib.pyplot")
shapely = pytest.importorskip("shapely")
from meiro.drawing.matplotlib.overlays import CellLabels  # noqa: E402  # it needs matplotlib

la = meiro.lattices
KINDS = "square", "hexagonal", "polar", "voronoi", "cube", "weave", "zeta", "karate"
LATTICES = {name: EVERY[name] for name in KINDS} | {"box": la.box(3, 4, 4), "one cell": la.hexagonal(1, 1)}


def raster_of(lattice: meiro.Lattice, side: int = 400) -> GraphRaster:
    return GraphRaster(lattice, plane_to_plot(lattice), side)


@pytest.mark.parametrize("name", LATTICES)
def test_cells_have_their_colours_where_they_lie(name: str) -> None:
    lattice = LATTICES[name]
    raster = raster_of(lattice)
    trace = meiro.trace(lattice, "prim_frontier_cell", rng=1)
    below = np.zeros(lattice.n_cells, np.bool_)
    if name == "weave":  # what lies below a bridge is not seen
        assert lattice.layers is not None
        bridges = lattice.positions[lattice.layers > 0]  # type: ignore[index]
        below = (lattice.positions[:, None] == bridges).all(axis=2).any(axis=1) & (lattice.layers == 0)  # type: ignore[index]
    for k in range(-1, len(trace), 7):
        paints = frame_colors(trace, k)
        picture = raster.draw(paints)
        col, row = raster.centers[~below].astype(int).T
        np.testing.assert_array_equal(picture[row, col], paints[: lattice.n_cells][~below])


@pytest.mark.parametrize("name", ["square", "hexagonal", "polar", "voronoi"])
def test_walls_stand_where_they_lie(name: str) -> None:
    lattice = LATTICES[name]
    outline = lattice.outline
    assert outline is not None
    raster = raster_of(lattice, 900)
    maze = meiro.generate(lattice, rng=2)
    paints = np.zeros(lattice.n_cells + lattice.n_edges, np.uint8)
    paints[lattice.n_cells :] = np.where(maze.open, 0, Paint.WALL)
    inks = raster.draw(paints) // 16
    middles = outline.walls.mean(axis=1)
    if outline.wall_arcs is not None:
        bent, far = outline.wall_arcs, np.hypot(*outline.walls[:, 0].T)
        middles[bent] *= (far / np.hypot(*middles.T))[bent, None]
    left, _, _, top = raster.extent
    col, row = ((middles - (left, top)) * raster.scale).astype(int).T
    solid = np.array([inks[r - 1 : r + 2, c - 1 : c + 2].max() for r, c in zip(row, col, strict=True)])
    long = np.hypot(*(outline.walls[:, 0] - outline.walls[:, 1]).T) * raster.scale > 40
    np.testing.assert_array_equal((solid == INKS - 1)[long], ~maze.open[long])
    assert long.mean() > 0.6


def test_walls_have_smooth_edges_and_their_colour() -> None:
    colors = ink_colors(paints_of("light"))
    assert colors.shape == (16 * INKS, 3)
    np.testing.assert_array_equal(colors[16 * (INKS - 1) :], [THEMES["light"].wall] * 16)
    raster = raster_of(LATTICES["hexagonal"])
    used = np.unique(raster.draw(frame_colors(meiro.trace(LATTICES["hexagonal"], rng=1), -1)) // 16)
    assert set(used.tolist()) == set(range(INKS))


@pytest.mark.parametrize("name", LATTICES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_animations_show_the_result_at_last(name: str, theme: Any, tmp_path: Any) -> None:
    lattice = LATTICES[name]
    trace = meiro.trace(lattice, "wilson", rng=1)
    animation = meiro.animate(trace, size=200, theme=theme, max_frames=20)
    shown = animation[-1].copy()
    last = frame_colors(trace, len(trace) - 1)
    raster = raster_of(lattice, 200)
    expected = ink_colors(paints_of(theme))[raster.draw(last)]
    for _, x, y, size in raster.titles:  # which are written on paper
        for picture in (shown, expected):
            picture[max(int(y - 1.2 * size), 0) : int(y + 0.3 * size), max(int(x - 3 * size), 0) :] = 0
    np.testing.assert_array_equal(shown, expected)
    animation.save(tmp_path / "x.gif")
    assert (tmp_path / "x.gif").stat().st_size > 100


def test_numbers_are_written_where_they_fit() -> None:
    trace = meiro.trace(LATTICES["hexagonal"], "backtracker", rng=1)
    with pytest.raises(ValueError, match="give size=") as caught:
        meiro.animate(trace, size=60, numbers=True)
    least = int(str(caught.value).split("size=")[1].split()[0])
    written = meiro.animate(trace, size=least, numbers=True)[-1]
    assert (written != meiro.animate(trace, size=least)[-1]).any()
    with pytest.raises(ValueError, match="rows and columns"):
        meiro.animate(meiro.trace(LATTICES["hexagonal"], "kruskal", rng=1), numbers="walls")
    refused(ValueError, "joins no clusters", meiro.animate, trace, numbers="clusters")


@pytest.mark.parametrize("algorithm", ["kruskal", "boruvka", "percolation"])
@pytest.mark.parametrize("name", ["hexagonal", "polar", "voronoi", "zeta", "karate"])
def test_clusters_have_colours(name: str, algorithm: str) -> None:
    lattice = LATTICES[name]
    trace = meiro.trace(lattice, algorithm, rng=3)
    n, colors = lattice.n_cells, paints_of("light")
    hues = cluster_hues(lattice)
    one, other = lattice.edges.T
    if name != "karate":  # which has more neighbours than there are colours
        assert (hues[one] != hues[other]).all()
    assert (hues == 0).sum() == 1
    size = 300 if name == "zeta" else 700  # wide corridors take long
    given: Any = {"numbers": "clusters", "size": size, "theme": "light", "outside": "blank", "legend": False}
    pictures = FrameRenderer([trace], None, **given)
    assert len(pictures.colors) <= 256
    raster = raster_of(lattice, size)
    large = raster.rooms >= np.median(raster.rooms)
    for k in (0, len(trace) // 3, len(trace) - 1):
        labels, plain = trace.frame(k).labels, frame_colors(trace, k)
        shown = with_clusters(trace, plain, k)
        assert labels is not None
        for cell in range(n):
            ground = plain[cell] in {0, Paint.CLOSED, State.IN_MAZE}
            assert shown[cell] == (FIRST_CLUSTER + hues[labels[cell]] if ground else plain[cell])
        for edge, (a, b) in enumerate(lattice.edges.tolist(), n):
            joined = labels[a] == labels[b] and plain[edge] in {0, Paint.CLOSED, State.IN_MAZE}
            assert shown[edge] == (FIRST_CLUSTER + hues[labels[a]] if joined else plain[edge])
        picture = pictures.colors[pictures.draw(trace.position(k))]
        drawn = raster.draw(plain)
        for cell, (x, y) in enumerate(raster.centers.tolist()):
            at = int(y - 0.45 * raster.rooms[cell]), int(x)  # above the number
            if large[cell] and name not in {"zeta", "karate"} and drawn[at] == plain[cell]:
                assert tuple(picture[at]) == colors[shown[cell]]


@pytest.mark.parametrize("name", ["square", "hexagonal", "polar", "voronoi", "upsilon", "combs"])
def test_numbers_have_room_in_their_cells(name: str) -> None:
    comb = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]
    lattice = ({"upsilon": la.upsilon(3, 3), "combs": la.from_polygons([comb])} | LATTICES)[name]
    plane = plane_to_plot(lattice)
    found = rooms(plane)
    for cell, (place, side) in enumerate(zip(plane.positions, found.tolist(), strict=True)):
        around = shapely.Polygon(lattice.polygon(cell))
        assert side > 0
        assert shapely.Point(place).buffer(0.49 * side).within(around)
    axes = meiro.plot(meiro.generate(lattice, rng=1), labels=np.arange(lattice.n_cells) + 10)
    written = [np.asarray(one.get_path().vertices) for one in axes.patches if isinstance(one, CellLabels)]
    assert sum(map(len, written)) > 0
    walls = shapely.union_all([shapely.Polygon(lattice.polygon(cell)).boundary for cell in lattice])
    assert walls.distance(shapely.MultiPoint(np.concatenate(written))) > 0.03 * found.min()


@pytest.mark.parametrize("name", long_but(LATTICES, "square", "voronoi", "karate"))
def test_notebooks_show_frames(name: str) -> None:
    lattice = LATTICES[name]
    trace = meiro.trace(lattice, "kruskal", rng=1)
    html = trace._repr_html_()
    assert html.count("<img") == min(4, len(trace))
    assert "meiro.player(trace)" in html
    assert len(html) < 100_000
    alone = trace[-1]._repr_html_()
    assert alone.count("<img") == 1
    assert len(alone) < 100_000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_frames_of_levels_have_their_numbers(theme: Any) -> None:
    trace = meiro.trace(LATTICES["box"], "kruskal", rng=1)
    picture = meiro.animate(trace, size=400, theme=theme)[-1]
    raster = raster_of(LATTICES["box"])
    assert [title.text for title in raster.titles] == ["level 1", "level 2", "level 3"]
    for _, x, y, size in raster.titles:
        part = picture[int(y - size) : int(y), int(x - size) : int(x + size)].astype(int)
        assert (np.abs(part - THEMES[theme].ink).max(axis=2) < 60).any()
    assert trace[-1]._repr_html_().count(">level ") == 3


def test_frames_of_large_lattices_are_told_not_drawn() -> None:
    lattice = meiro.lattices.square(1, MOST_PLACES)
    trace = meiro.trace(lattice, "kruskal", rng=1, window=(0, 10))
    assert "<img" not in trace[0]._repr_html_()
    refused(ValueError, "more than the 60,000", meiro.animate, trace)
    nowhere = meiro.Lattice(2001, [(i, i + 1) for i in range(2000)])
    html = meiro.trace(nowhere, "kruskal", rng=1, window=(0, 10))._repr_html_()
    assert "it has no place in the plane" in html
    assert "meiro.player" not in html


@pytest.mark.parametrize("name", ["hexagonal", "karate", "box"])
def test_plots_of_frames(name: str) -> None:
    trace = meiro.trace(LATTICES[name], "kruskal", rng=1)
    axes = meiro.plot_trace(trace, [None, 3, -1], numbers=True, legend=True)
    assert [ax.get_title() for ax in axes] == ["before", "frame 3", f"frame {len(trace) - 1}"]
    axes[0].figure.canvas.draw()
    plt.close(axes[0].figure)
    meiro.plot_trace(trace, 2, numbers="clusters", legend=True)[0].figure.canvas.draw()
    with pytest.raises(TypeError, match="region= is for mazes with rows and columns"):
        meiro.plot(trace[0], region=(slice(0, 1), slice(0, 1)))


def test_frames_beside_each_other_share_the_pixels_of_their_lattice(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(GraphRaster):
        def __init__(self, *given: Any) -> None:
            made.append(given)
            super().__init__(*given)

    monkeypatch.setattr("meiro.drawing.frame_raster.GraphRaster", Counted)
    trace = meiro.trace(LATTICES["hexagonal"], "kruskal", rng=1)
    images = [np.array(ax.images[0].get_array()) for ax in meiro.plot_trace(trace, 5)]
    assert len(made) == 1
    for k, image in zip([(i + 1) * len(trace) // 5 - 1 for i in range(5)], images, strict=True):
        plt.close("all")
        assert np.array_equal(image, np.array(meiro.plot(trace[k]).images[0].get_array()))
