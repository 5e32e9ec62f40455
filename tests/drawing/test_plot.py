from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from arbitrary_mazes import drawn_grid, loose_maze, loose_mazes
from drawn_axes import at, axes, grid_of, legend_of, line_of, note_of, pixels
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from numpy.typing import NDArray
from programs import printed
from refusals import refused
from timing import best

import meiro
from meiro import colors
from meiro._utils.paper import Outside
from meiro.drawing import routes
from meiro.drawing.matplotlib import overlays, squares
from meiro.drawing.matplotlib.overlays import CellLabels
from meiro.drawing.raster import Span, wall_coverage, wall_segments
from meiro.mazes.coordinates import explored_sites
from meiro.spaces.space_of import space_of

OUTSIDE = st.sampled_from(["blank", "wall"])
MAZES = loose_mazes(8)


def saved(ax: Axes, **options: Any) -> bytes:
    file = io.BytesIO()
    assert isinstance(ax.figure, Figure)
    ax.figure.savefig(file, **options)
    return file.getvalue()


# What is seen


@settings(max_examples=25, deadline=None)
@given(MAZES, st.booleans(), OUTSIDE)
def test_plot_shows_every_wall_and_every_road(maze: meiro.Maze, as_image: bool, outside: Outside) -> None:  # noqa: FBT001
    ax = meiro.plot(maze, ax=axes(), outside=outside) if outside == "wall" else meiro.plot(maze, ax=axes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(squares, "LINES_UP_TO", 0 if as_image else squares.LINES_UP_TO)
        image = pixels(ax)
    found = grid_of(ax, image, maze.grid.shape)
    posts = np.zeros_like(found)
    posts[::2, ::2] = not as_image  # where no wall meets a post, lines show none
    assert np.array_equal(found | posts, (drawn_grid(maze, outside) == 1) | posts)
    assert note_of(ax) == ""


@pytest.mark.parametrize("zoom", [False, True])
@pytest.mark.parametrize("most", [0, 1 << 17])
def test_plot_openings_are_gaps_at_any_zoom(
    zoom: bool,  # noqa: FBT001
    most: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(squares, "LINES_UP_TO", most)
    bare = meiro.generate((9, 12), "kruskal", rng=3)
    maze = meiro.Maze(bare.passages, openings=[(0, 1), (18, 23), (5, 0), (7, 24)])
    ax = meiro.plot(maze, ax=axes())
    if zoom:
        ax.set(xlim=(2.2, 7.1), ylim=(8.4, 1.3))
    image = pixels(ax)
    for row, col in np.argwhere(np.ones_like(maze.grid)):
        x, y = (col - 1) / 2, (row - 1) / 2
        inside = 2.3 < x < 7 and 1.4 < y < 8.3
        if (inside or not zoom) and (row % 2 or col % 2):
            assert (at(ax, image, x, y).sum() < 100) == maze.grid[row, col], (row, col)


@pytest.mark.parametrize("flip", ["", "x", "y", "xy"])
def test_plot_axes_may_be_inverted(flip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(squares, "LINES_UP_TO", 0)
    maze = meiro.generate((6, 9), "backtracker", rng=1)
    ax = meiro.plot(maze, ax=axes())
    if "x" in flip:
        ax.invert_xaxis()
    if "y" in flip:
        ax.invert_yaxis()
    assert np.array_equal(grid_of(ax, pixels(ax), maze.grid.shape), maze.grid == 1)


@pytest.mark.parametrize("most", [0, 1 << 17])
def test_plot_of_what_is_not_in_view_is_blank(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(squares, "LINES_UP_TO", most)
    maze = meiro.generate((6, 9), "backtracker", rng=1)
    ax = meiro.plot(maze, ax=axes())
    (artist,) = (child for child in ax.get_children() if isinstance(child, squares.MazeArtist))
    seen = pixels(ax)
    assert len(np.unique(seen)) > 1
    artist.set_visible(False)
    assert len(np.unique(pixels(ax))) == 1
    artist.set_visible(True)
    assert np.array_equal(pixels(ax), seen)
    right, low = artist.extent[1], max(artist.extent[2:])
    for view in ({"xlim": (right + 3, right + 9)}, {"ylim": (low + 9, low + 3)}):
        blank = meiro.plot(maze, ax=axes())
        blank.set(**view)
        assert len(np.unique(pixels(blank))) == 1
    edge = meiro.plot(maze.grid, ax=axes())
    edge.set(xlim=(18.5 - 1e-9, 28), aspect="auto")  # of the last column there is less than a pixel
    assert len(np.unique(pixels(edge))) == 1


def test_plot_of_an_array_draws_its_sites() -> None:
    rng = np.random.default_rng(5)
    array = rng.integers(0, 2, (17, 30)) * 255
    ax = meiro.plot(array, ax=axes(), road=255)
    image = pixels(ax)
    found = np.array([[at(ax, image, col, row).sum() < 100 for col in range(30)] for row in range(17)])
    assert np.array_equal(found, array == 0)
    refused(ValueError, "road=255", meiro.plot, array, ax=axes())


def test_plot_walls_are_sharp() -> None:
    image = pixels(meiro.plot(meiro.generate((20, 20), "kruskal", rng=0), ax=axes(5, 5)))
    assert {tuple(c) for c in image.reshape(-1, 3).tolist()} == {tuple(colors.WALL), tuple(colors.ROAD)}


def test_plot_has_the_coordinates_of_the_graph() -> None:
    maze = meiro.generate((7, 11), "kruskal", rng=4)
    ax = meiro.plot(maze, ax=axes())
    limits = ax.get_xlim(), ax.get_ylim()
    graph = maze.to_networkx()
    places = meiro.positions(maze)
    nx.draw(graph, places, ax=ax, node_size=9, node_color="#ff00ff", edge_color="#00ff00")
    assert (ax.get_xlim(), ax.get_ylim()) == limits
    assert ax.yaxis_inverted(), "row 0 is at the top"
    image = pixels(ax)
    for row, col in graph:
        assert at(ax, image, col, row).tolist() == [255, 0, 255]
    for (r, c), (r1, c1) in graph.edges:
        assert at(ax, image, (c + c1) / 2, (r + r1) / 2)[1] > 200


# Lines and averages, by themselves


@given(MAZES, st.integers(0, 99), OUTSIDE)
def test_wall_segments_are_maximal(maze: meiro.Maze, seed: int, outside: Outside) -> None:
    rng = np.random.default_rng(seed)
    border = np.argwhere(np.pad(maze.grid[1:-1, 1:-1] * 0, 1, constant_values=1))
    beside = [site for site in border if site.sum() % 2]
    cells = [tuple(np.clip((site - 1) // 2, 0, (maze.rows - 1, maze.cols - 1))) for site in beside]
    sites = [s for s, c in zip(beside, cells, strict=True) if maze.mask is None or maze.mask[c]]
    rim = np.array(maze.grid.shape) - 1
    over = [(((site == 0) | (site == rim)) & maze.wrap).any() for site in sites]  # a passage or a wall
    openings = [s for s, o in zip(sites, over, strict=True) if not o and rng.random() < 0.2]
    maze = meiro.Maze(maze.passages, maze.mask, openings, wrap=maze.wrap)
    top, left = int(rng.integers(maze.rows)), int(rng.integers(maze.cols))
    bottom, right = int(rng.integers(top + 1, maze.rows + 1)), int(rng.integers(left + 1, maze.cols + 1))
    for rows, cols in (((0, maze.rows), (0, maze.cols)), ((top, bottom), (left, right))):
        drawn = np.zeros_like(maze.grid)
        lines = wall_segments(maze, rows, cols, outside=outside)
        for (x, y), (x1, y1) in 2 * lines:
            assert (x == x1) != (y == y1)
            drawn[y : y1 + 1, x : x1 + 1] = 1
        part = np.s_[2 * rows[0] : 2 * rows[1] + 1, 2 * cols[0] : 2 * cols[1] + 1]
        walls = drawn_grid(maze, outside)
        walls[1::2, 1::2] = 0  # a cell that does not exist is filled by itself
        walls[::2, ::2] = drawn[::2, ::2]
        assert np.array_equal(drawn[part], walls[part])
        assert drawn.sum() == drawn[part].sum()
        ends = {("h" if y == y1 else "v", x, y) for (x, y), (x1, y1) in lines.tolist()}
        assert not ends & {("h" if y == y1 else "v", x1, y1) for (x, y), (x1, y1) in lines.tolist()}


@pytest.mark.parametrize("outside", ["blank", "wall"])
@pytest.mark.parametrize(("height", "width"), [(21, 31), (64, 80), (200, 333)])
def test_plot_with_a_pixel_per_site_averages_nothing(height: int, width: int, outside: Outside) -> None:
    maze = loose_maze(10, 15, 7, holes=True)
    assert maze.mask is not None
    seen = np.random.default_rng(1).random((10, 15)) < 0.5
    spans = Span(0, 21 / height, height), Span(0, 31 / width, width)
    place = np.ix_(*((np.arange(n) * 2 + 1) * side // (2 * n) for n, side in ((height, 21), (width, 31))))
    seen[~maze.mask] = False
    walls, known = wall_coverage(space_of(maze), seen, *spans, outside=outside)
    assert known is not None
    assert np.array_equal(walls, drawn_grid(maze, outside)[place])
    assert np.array_equal(known, (explored_sites(seen, 0, 21) & (maze.grid == 0))[place])
    assert known.any()
    sites, _ = wall_coverage(space_of(maze.grid), None, *spans)
    assert np.array_equal(sites, maze.grid[place])


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.integers(2, 40), st.integers(2, 40)),
    st.tuples(st.integers(1, 30), st.integers(1, 30)),
    st.integers(0, 99),
    OUTSIDE,
)
def test_plot_averages_whole_cells(shape: Any, size: Any, seed: int, outside: Outside) -> None:
    rows, cols = shape
    height, width = min(size[0], rows), min(size[1], cols)
    maze = loose_maze(rows, cols, seed, holes=seed % 2 == 0)
    seen = np.random.default_rng(seed).random((rows, cols)) < 0.5
    seen &= maze.passages > 0  # of a masked-out cell nothing is seen
    grid = drawn_grid(maze, outside)
    down, across = Span(0, (2 * rows + 1) / height, height), Span(0, (2 * cols + 1) / width, width)
    blocks = grid[1:, 1:].reshape(rows, 2, cols, 2).sum(axis=(1, 3))  # a cell, its east, south and post
    cuts = [
        np.clip(np.floor(np.arange(span.pixels + 1) * span.step / 2).astype(int), 0, side)
        for span, side in ((down, rows), (across, cols))
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("meiro.drawing.raster._BAND", 50)
        walls, known = wall_coverage(space_of(maze), seen, down, across, outside=outside)
        sites, _ = wall_coverage(space_of(grid), None, down, across)
    assert known is not None
    for i, (top, bottom) in enumerate(zip(cuts[0][:-1], cuts[0][1:], strict=True)):
        for j, (left, right) in enumerate(zip(cuts[1][:-1], cuts[1][1:], strict=True)):
            # An opening or the rim of the last row may differ: a cell's own walls are what is counted.
            part = np.s_[top:bottom, left:right]
            assert walls[i, j] == pytest.approx(blocks[part].mean() / 4)
            assert known[i, j] == pytest.approx(((4 - blocks[part]) * seen[part]).mean() / 4)
            if i < height - 1 and j < width - 1:
                area = grid[2 * top : 2 * bottom, 2 * left : 2 * right]
                assert sites[i, j] == pytest.approx(area.mean())


@pytest.mark.parametrize("sides", [(3, 9), (31, 31), (32, 7), (1, 1001)])
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (5, 300)])
def test_plot_reduces_solid_wall_to_solid_wall(sides: tuple[int, int], size: tuple[int, int]) -> None:
    down, across = (Span(0, side / n, n) for side, n in zip(sides, size, strict=True))
    walls, seen = wall_coverage(space_of(np.ones(sides, np.uint8)), np.ones(sides, bool), down, across)
    assert seen is not None
    assert walls.shape == seen.shape == size
    assert walls.min() == walls.max() == 1
    assert not seen.any()


def test_plot_reduced_is_even_and_says_so() -> None:
    maze = meiro.generate((300, 300), "backtracker", rng=1)
    ax = meiro.plot(maze, ax=axes(2, 2))
    image = pixels(ax)
    assert note_of(ax) == "reduced: 300 x 300 cells in 200 x 200 pixels"
    rows, cols = image[..., 0].mean(axis=1), image[..., 0].mean(axis=0)
    assert np.ptp(rows) < 25  # no beat of pixels against cells
    assert np.ptp(cols) < 25
    ax.figure.set_dpi(1000)  # 6.7 pixels a cell: lines
    pixels(ax)
    assert note_of(ax) == ""


def test_plot_saved_at_a_higher_resolution_is_not_reduced() -> None:
    ax = meiro.plot(meiro.generate((150, 150), "backtracker", rng=1), ax=axes(2, 2))
    notes = []
    for dpi in (100, 500):
        saved(ax, dpi=dpi)
        notes.append(note_of(ax))
    assert notes == ["reduced: 150 x 150 cells in 200 x 200 pixels", ""]


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
@pytest.mark.parametrize("size", [8, 400])
def test_plot_is_saved_in_any_format(suffix: str, size: int) -> None:
    ax = meiro.plot(meiro.generate((size, size), "backtracker", rng=1), ax=axes())
    file = saved(ax, format=suffix, bbox_inches="tight")
    assert 500 < len(file) < 1_000_000
    if suffix == "svg" and size == 8:
        assert file.count(b"<path") < 12  # all walls are one


# The contract


def test_plot_draws_on_the_current_axes_and_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plt, "show", lambda: pytest.fail("shown"))
    _, (one, other) = plt.subplots(1, 2)
    maze = meiro.generate((5, 8), "kruskal", rng=0)
    assert meiro.plot(maze, values=np.ones((5, 8))) is other is plt.gca()
    assert meiro.plot(maze, ax=one) is one
    assert plt.gca() is other
    assert one.get_aspect() == 1
    assert one.get_xlim() == (-0.75, 7.75)
    assert one.get_ylim() == (4.75, -0.75)
    plt.close("all")
    assert isinstance(meiro.plot(maze), Axes)


def test_plot_of_a_solution_in_cells_or_sites() -> None:
    maze = meiro.generate((9, 14), "backtracker", rng=6)
    in_cells, in_sites = meiro.solve(maze), meiro.solve(maze.grid, (1, 1), (17, 27))
    corners = in_cells.path[[0, *(np.flatnonzero(np.diff(in_cells.path, 2, axis=0).any(axis=1)) + 1), -1]]
    for solution in (in_cells, in_sites, in_cells.path):
        ax = meiro.plot(maze, ax=axes(), solution=solution)
        assert np.array_equal(line_of(ax, "path"), corners[:, ::-1])
        assert line_of(ax, "start").tolist() == [[0, 0]]
        assert line_of(ax, "goal").tolist() == [[13, 8]]
        image = pixels(ax)
        colour = at(ax, image, *in_cells.path[len(in_cells.path) // 2][::-1])
        assert colour.tolist() == list(colors.PATH)
    for drawn in (in_cells, in_sites, in_sites.path):
        ax = meiro.plot(maze.grid, ax=axes(), solution=drawn)
        assert np.array_equal(line_of(ax, "path"), 2 * corners[:, ::-1] + 1)
    for path in (in_cells.path, in_sites.path):
        with pytest.raises(ValueError, match=r"outside"):
            meiro.plot(maze if path is in_sites.path else maze.grid[:5, :5], ax=axes(), solution=path)
    with pytest.raises(ValueError, match=r"found in \(9, 14\) cells; what is drawn has \(9, 13\)"):
        meiro.plot(meiro.generate((9, 13), "kruskal", rng=0), ax=axes(), solution=in_cells)
    refused(ValueError, "found in", meiro.plot, maze.grid[:5], ax=axes(), solution=in_cells)


def test_plot_path_over_a_periodic_border_reaches_both_sides() -> None:
    maze = meiro.Maze([[10] * 5, [0] * 5, [0] * 5], wrap=(True, True))
    solution = meiro.solve(maze, (0, 1), (0, 4))
    path = [[1, 0], [-0.5, 0], [np.nan, np.nan], [4.5, 0], [4, 0]]
    for drawn in (solution, [(0, 1), (0, 0), (0, 4)]):
        ax = meiro.plot(maze, ax=axes(), solution=drawn)
        np.testing.assert_array_equal(line_of(ax, "path"), path)
        assert line_of(ax, "goal").tolist() == [[4, 0]]
        image = pixels(ax)
        for x in (-0.4, 4.4):
            assert at(ax, image, x, 0).tolist() == list(colors.PATH)
        assert at(ax, image, 2, 0).tolist() != list(colors.PATH)
    ax = meiro.plot(maze.grid, ax=axes(), solution=solution)
    np.testing.assert_array_equal(line_of(ax, "path"), 2 * np.array(path) + 1)
    down = meiro.Maze([[5]] * 4, wrap=(True, False))
    line = line_of(meiro.plot(down, ax=axes(), solution=[(0, 0), (3, 0), (2, 0)]), "path")
    np.testing.assert_array_equal(line, [[0, 0], [0, -0.5], [np.nan, np.nan], [0, 3.5], [0, 2]])


@pytest.mark.parametrize("most", [0, 1 << 17])
@pytest.mark.parametrize("as_array", [False, True])
def test_plot_explored_cells_are_light_blue(
    most: int,
    as_array: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(squares, "LINES_UP_TO", most)
    maze = meiro.generate((9, 14), "backtracker", rng=6)
    solution = meiro.solve(maze)
    for explored in (True, False):
        x = maze.grid if as_array else maze
        ax = meiro.plot(x, ax=axes(7, 5), solution=solution, explored=explored)
        for line in list(ax.lines):
            line.remove()
        image = pixels(ax)
        for (row, col), seen in np.ndenumerate(solution.explored):
            place = (2 * col + 1, 2 * row + 1) if as_array else (col, row)
            expected = colors.VISITED if seen and explored else colors.ROAD
            assert at(ax, image, *place).tolist() == list(expected)
    assert solution.explored.any()
    assert not solution.explored.all()


def test_plot_marks_start_and_goal() -> None:
    bare = meiro.generate((5, 8), "kruskal", rng=0)
    ax = meiro.plot(meiro.Maze(bare.passages, start=(1, 2), goal=(4, 7)), ax=axes(), legend=True)
    image = pixels(ax)
    assert at(ax, image, 2, 1).tolist() == list(colors.START)
    assert at(ax, image, 7, 4).tolist() == list(colors.ROAD)  # a ring
    assert at(ax, image, 7, 3.8).tolist() == list(colors.GOAL)
    assert legend_of(ax) == ["start", "goal"]
    ax = meiro.plot(bare, ax=axes(), solution=meiro.solve(bare), legend=True)
    assert legend_of(ax) == ["start", "goal", "path", "visited"]


def test_plot_marks_where_solve_would_begin() -> None:
    maze = meiro.generate((5, 8), "kruskal", rng=0)
    for marks in (True, np.True_):
        ax = meiro.plot(maze, ax=axes(), marks=marks)  # type: ignore[arg-type]
        assert at(ax, pixels(ax), 0, 0).tolist() == list(colors.START)
    refused(TypeError, "marks must be True or False, not 1", meiro.plot, maze, ax=axes(), marks=1)


def test_plot_colors_may_be_chosen() -> None:
    maze = meiro.generate((5, 8), "kruskal", rng=0)
    solution = meiro.solve(maze)
    ax = meiro.plot(maze, ax=axes(), solution=solution, path_color="#00ff00", wall_color="#0000ff")
    image = pixels(ax)
    assert at(ax, image, *solution.path[1][::-1]).tolist() == [0, 255, 0]
    assert at(ax, image, 3, -0.5).tolist() == [0, 0, 255]
    refused(ValueError, "no colour", meiro.plot, maze, ax=axes(), wall_color="no colour")


def test_plot_values_are_colored_and_missing_ones_blank() -> None:
    maze = meiro.generate((4, 5), "kruskal", rng=0)
    values: NDArray[Any] = np.arange(20).reshape(4, 5)
    holes = {
        "integers": np.where(values == 7, -1, values),
        "floats": np.where(values == 7, np.nan, values - 5.0),
        "masked": np.ma.masked_equal(values, 7),
    }
    for numbers in holes.values():
        ax = meiro.plot(maze, ax=axes(), values=numbers, cmap="gray")
        image = pixels(ax)
        light = np.array([[at(ax, image, col, row).mean() for col in range(5)] for row in range(4)])
        assert light[1, 2] == 255
        light[1, 2] = light[1, 1:4:2].mean()
        assert (np.diff(light.ravel()) > 0).all()
        assert ax.images[0].colorbar is not None
    ax = meiro.plot(maze, ax=axes(), values=values, vmin=-10, vmax=40, colorbar=False)
    assert ax.images[0].colorbar is None
    assert ax.images[0].get_clim() == (-10, 40)
    assert not ax.child_axes
    ax = meiro.plot(maze.grid, ax=axes(), values=maze.grid * 1.0)
    assert tuple(ax.images[0].get_extent()) == (-0.5, 10.5, 8.5, -0.5)
    with pytest.raises(ValueError, match=r"values must have shape \(4, 5\).*\(5, 4\)"):
        meiro.plot(maze, ax=axes(), values=values.T)
    refused(TypeError, "values must be numbers", meiro.plot, maze, ax=axes(), values=values.astype(str))


@pytest.mark.parametrize("side", [11, 150])
def test_plot_values_of_an_array_leave_no_seams(side: int) -> None:
    maze = meiro.generate((side, side), "kruskal", rng=0)
    ax = meiro.plot(maze.grid, ax=axes(2.03, 2.03), values=meiro.distances(maze.grid, (1, 1)), cmap="cool")
    image = pixels(ax)[:, :200]  # the colour bar is outside
    assert not (image == 255).all(axis=2).any()
    assert note_of(ax) == ("" if side == 11 else "reduced: 301 x 301 sites in 203 x 203 pixels")


def test_plot_values_show_unreached_roads() -> None:
    array = np.array([[1, 1, 1, 1, 1], [1, 0, 1, 0, 1], [1, 1, 1, 1, 1]])
    ax = meiro.plot(array, ax=axes(), values=meiro.distances(array, (1, 1)), cmap="cool")
    image = pixels(ax)
    assert at(ax, image, 3, 1).tolist() == [255, 255, 255]
    assert at(ax, image, 1, 1).tolist() != [255, 255, 255]


def test_plot_averages_many_values() -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(-5, 100, (3, 5000))
    maze = meiro.Maze(np.zeros((3, 5000), np.uint8))
    shown = meiro.plot(maze, ax=axes(), values=values).images[0].get_array()
    assert shown is not None
    assert shown.shape == (3, 1024)
    cuts = np.arange(1025) * 5000 // 1024
    for col in (0, 1, 500, 1023):
        part = values[:, cuts[col] : cuts[col + 1]]
        for row in range(3):
            good = part[row][part[row] >= 0]
            got = np.ma.asarray(shown)[row, col]
            assert got is np.ma.masked if good.size == 0 else got == pytest.approx(good.mean())


def test_plot_labels_are_in_their_cells() -> None:
    maze = meiro.Maze.from_edges((3, 4), [(0, 1)])
    labels = np.array([["1", "22", "", None], [3, 4.5, float("nan"), 0], ["x", "", "", "yy"]], object)
    ax = meiro.plot(maze, ax=axes(), labels=labels)
    image = pixels(ax)
    for row in range(3):
        for col in range(4):
            left, up = ax.transData.transform((col - 0.4, row + 0.4))
            right, top = ax.transData.transform((col + 0.4, row - 0.4))
            part = image[400 - int(top) : 400 - int(up), int(left) : int(right)]
            inked = (part.sum(axis=2) < 300).any()
            blank = labels[row, col] in {"", None} or labels[row, col] != labels[row, col]
            assert inked != blank, (row, col)
    meiro.plot(maze, ax=axes(), labels=np.full((3, 4), -1))
    refused(ValueError, "labels must have shape", meiro.plot, maze, ax=axes(), labels=[1, 2])
    with pytest.raises(ValueError, match=r"labels: 10,100 are too many"):
        meiro.plot(meiro.Maze(np.zeros((101, 100), np.uint8)), ax=axes(), labels=np.zeros((101, 100)))


def test_labels_of_walls_are_bright() -> None:
    walls, values = np.array([[1, 0, 1]], np.uint8), np.array([[9.0, 0, 0]])
    for options in ({}, {"values": values, "colorbar": False}, {"theme": "dark"}):
        ax = meiro.plot(walls, ax=axes(), labels=[["1", "", "1"]], **options)
        (shown,) = (p for p in ax.patches if isinstance(p, CellLabels))
        assert shown.get_facecolor()[:3] == (colors.LIGHT if "theme" in options else colors.DARK).ink.unit


def test_plot_label_on_a_dark_cell_is_bright() -> None:
    maze = meiro.Maze([[2, 8], [2, 8]], start=(0, 0))
    ax = meiro.plot(maze, ax=axes(), labels=[["8", ""], ["", "8"]])
    faces = [np.sum(p.get_facecolor()[:3]) for p in ax.patches if p.get_zorder() == 2.3]
    assert sorted(faces) == pytest.approx([sum(colors.LIGHT.ink.unit), sum(colors.DARK.ink.unit)])


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (2, 3)])
def test_plot_of_small_and_thin_mazes(shape: tuple[int, int]) -> None:
    maze = meiro.generate(shape, "backtracker", rng=0)
    labels = np.arange(maze.passages.size).reshape(shape)
    ax = meiro.plot(maze, ax=axes(), solution=meiro.solve(maze), labels=labels, legend=True)
    pixels(ax)
    pixels(meiro.plot(maze, ax=axes(0.3, 0.3), values=labels))


@pytest.mark.parametrize("bad", [plt, "axes", (1, 2)])
def test_plot_refuses_other_axes(bad: Any) -> None:
    refused(TypeError, "ax must be ordinary matplotlib axes", meiro.plot, meiro.Maze([[0]]), ax=bad)
    with pytest.raises(TypeError, match="ax must be ordinary"):
        meiro.plot(meiro.Maze([[0]]), ax=Figure().add_subplot(projection="polar"))
    plt.axes(projection="polar")  # the current ones
    refused(TypeError, "ax must be ordinary matplotlib axes, not <PolarAxes", meiro.plot, meiro.Maze([[0]]))


# A part of it


@pytest.mark.parametrize("most", [0, 1 << 17])
def test_plot_of_a_region_is_part_of_the_whole(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(squares, "LINES_UP_TO", most)
    maze = meiro.generate((20, 30), "backtracker", rng=1)
    solution = meiro.solve(maze)
    values = np.arange(600).reshape(20, 30)
    for x, region, shape in ((maze, np.s_[5:9, -12:-4], (4, 8)), (maze.grid, np.s_[11:20, 37:54], (9, 17))):
        ax = meiro.plot(x, ax=axes(), region=region, solution=solution, legend=True)
        assert line_of(ax, "path").size
        image = pixels(ax)
        top, left = region[0].start, region[1].start % 30 if x is maze else region[1].start
        assert ax.get_ylim()[::-1] == (top - 0.75, top + shape[0] - 0.25)
        assert ax.get_xlim() == (left - 0.75, left + shape[1] - 0.25)
        for site, wall in np.ndenumerate(maze.grid):
            row, col = ((i - 1) / 2 for i in site) if x is maze else site
            inside = top - 0.7 < row < top + shape[0] - 0.3 and left - 0.7 < col < left + shape[1] - 0.3
            if inside and (x is not maze or site[0] % 2 or site[1] % 2):  # a post may stand alone
                assert (at(ax, image, col, row) == colors.WALL).all() == wall, site
        assert legend_of(ax)[0] == "path"
    ax = meiro.plot(maze, ax=axes(), region=np.s_[5:9, 18:26], values=values, labels=values, cmap="cool")
    (shown,) = ax.images
    assert tuple(shown.get_extent()) == (17.5, 25.5, 8.5, 4.5)
    assert np.array_equal(np.asarray(shown.get_array()), values[5:9, 18:26])
    words = [p for p in ax.patches if p.get_zorder() == 2.3]
    boxes = np.concatenate([np.asarray(p.get_path().vertices) for p in words])
    assert boxes.min() > 4.5
    assert 24.5 < boxes[:, 0].max() < 25.5
    assert 7.5 < boxes[:, 1].max() < 8.5


def test_plot_of_a_region_marks_its_ends_within_the_border() -> None:
    maze = meiro.Maze(meiro.generate((9, 9), rng=2).passages, start=(0, 0), goal=(8, 8))
    ax = meiro.plot(maze, ax=axes(), region=np.s_[:3])
    assert line_of(ax, "start").tolist() == [[0, 0]]
    assert [line.get_label() for line in ax.lines] == ["start"]
    assert ax.get_xlim() == (-0.75, 8.75)
    assert ax.get_ylim() == (2.75, -0.75)
    whole = meiro.plot(maze, ax=axes())
    assert (whole.get_xlim(), whole.get_ylim()) == ((-0.75, 8.75), (8.75, -0.75))


def test_plot_refuses_bad_regions_and_another_outside() -> None:
    for region, error, match in (
        (np.s_[9:], ValueError, r"region slice\(9, None, None\) holds no cell: rows are 0\.\.8"),
        (np.s_[:, 4:4], ValueError, "holds no cell: columns are"),
        (np.s_[::2], ValueError, "region: rows are cut in steps of 1, not 2"),
        ((1, 5), TypeError, r"region must be slices of rows and columns.*not \(1, 5\)"),
        ("a", TypeError, "region must be slices"),
    ):
        refused(error, match, meiro.plot, meiro.Maze(np.zeros((9, 9), np.uint8)), ax=axes(), region=region)
    words = "outside must be 'blank' or 'wall', not 'black'"
    refused(ValueError, words, meiro.plot, meiro.Maze([[0]]), ax=axes(), outside="black")


# Several ways


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scale", [1, 12])
def test_plot_paths_are_visible_where_they_overlap(theme: Any, scale: int) -> None:
    maze = meiro.Maze([[2, *[10] * (8 * scale), 8]])
    way = meiro.solve(maze)
    every: list[Any] = [[way] * 3, [way, way.path, way.path.tolist()], {"a": way, "b": way.path, "c": way}]
    for several in every:
        ax = meiro.plot(maze, ax=axes(), solution=several, theme=theme)
        column = pixels(ax)[:, 200]
        for color in colors.ROUTES[theme][:3]:
            assert np.abs(column - color).sum(axis=1).min() < 90, color  # a thin line is a little transparent


def test_plot_legend_names_several_paths() -> None:
    maze = meiro.generate((6, 6), rng=1)
    bfs, dfs = meiro.solve(maze), meiro.solve(maze, algorithm="dfs")
    lost = meiro.solve(maze, algorithm="random_mouse", max_steps=1)
    every: list[tuple[Any, list[str]]] = [
        ([bfs, dfs], ["bfs", "dfs"]),
        ((bfs, bfs, dfs.path), ["bfs 1", "bfs 2", "path"]),
        ({"first": bfs, "second": dfs.path}, ["first", "second"]),
        ([bfs, lost], ["bfs", "random_mouse: no path"]),
        ([[], bfs], ["path: no path", "bfs"]),
    ]
    for several, names in every:
        assert legend_of(meiro.plot(maze, ax=axes(), solution=several)) == ["start", "goal", *names]
    assert legend_of(meiro.plot(maze, ax=axes(), solution=[bfs, dfs], legend=False)) == []
    assert legend_of(meiro.plot(maze, ax=axes(), solution=bfs)) == []
    ax = meiro.plot(maze, ax=axes(), solution=[bfs, dfs], path_color=["#ff0000", "#00ff00"])
    assert [line.get_color() for line in ax.lines[:2]] == [(1, 0, 0), (0, 1, 0)]
    nothing = pixels(meiro.plot(maze, ax=axes(), solution=[]))
    assert np.array_equal(pixels(meiro.plot(maze, ax=axes(), solution=[[], []])), nothing)
    with pytest.raises(ValueError, match=r"solution= holds 6 paths, and 5 colours can be told apart"):
        meiro.plot(maze, ax=axes(), solution=[bfs] * 6)
    with pytest.raises(ValueError, match=r"path_color= must be a list of 2 colours"):
        meiro.plot(maze, ax=axes(), solution=[bfs, dfs], path_color=["red"])
    with pytest.raises(ValueError, match=r"solution\[1\]\[0\] is outside: there is no cell \(9, 9\)"):
        meiro.plot(maze, ax=axes(), solution=[bfs, [(9, 9)]])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"solution\['x'\] was found in \(2, 2\) cells"):
        meiro.plot(maze, ax=axes(), solution={"x": meiro.solve(meiro.generate((2, 2), rng=1))})


# Light and dark


@pytest.mark.parametrize(
    ("face", "theme", "expected"),
    [
        ("white", None, "light"),
        ("black", None, "dark"),
        ("#202020", None, "dark"),
        ((0, 0, 0, 0.1), None, "light"),
        ("black", "light", "light"),
        ("white", "dark", "dark"),
    ],
)
def test_plot_colors_are_those_of_the_theme(face: Any, theme: Any, expected: str) -> None:
    ax = axes()
    ax.figure.set_facecolor(face)
    maze = meiro.generate((9, 14), "backtracker", rng=6)
    solution = meiro.solve(maze)
    meiro.plot(maze, ax=ax, solution=solution, theme=theme, legend=True)
    image, own = pixels(ax), colors.THEMES[expected]
    assert at(ax, image, 3, -0.5).tolist() == list(own.wall)
    assert at(ax, image, *solution.path[5][::-1]).tolist() == list(own.path)
    assert at(ax, image, 0, 0).tolist() == list(own.start)
    assert at(ax, image, 13, 8).tolist() == list(own.road)  # in a ring
    assert at(ax, image, 13, 7.8).tolist() == list(own.goal)
    seen = solution.explored.copy()
    seen[tuple(solution.path.T)] = False
    for places, color in ((seen, own.visited), (~solution.explored, own.road)):
        row, col = np.argwhere(places)[0]
        assert at(ax, image, col, row).tolist() == list(color)
    around = colors.DARK if face in {"black", "#202020"} else colors.LIGHT
    legend = ax.get_legend()
    assert legend is not None
    for text in legend.get_texts():
        assert to_rgb(text.get_color()) == pytest.approx(around.ink.unit)


def test_plot_in_part_of_a_figure_is_as_dark_as_the_whole() -> None:
    figure = Figure(facecolor="black")
    ax = figure.add_subfigure(figure.add_gridspec(1, 2)[0]).add_subplot()
    FigureCanvasAgg(figure)
    meiro.plot(meiro.Maze([[2, 8]]), ax=ax, labels=[[1, 2]], values=[[1, 2]])
    (road, *_) = ax.patches
    assert road.get_facecolor()[:3] == colors.DARK.road.unit
    with pytest.raises(ValueError, match="theme must be 'light' or 'dark', not 'black'"):
        meiro.plot(meiro.Maze([[0]]), ax=axes(), theme="black")  # type: ignore[call-overload]


# Large


def test_plot_reads_and_draws_a_long_path_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    maze = meiro.generate((60, 60), "backtracker", rng=1)
    solution = meiro.solve(maze)
    on_path = {tuple(place) for place in solution.path.tolist()}
    images = []
    for at_once in (1 << 18, 101):
        monkeypatch.setattr(routes, "_AT_ONCE", at_once)
        monkeypatch.setattr(overlays, "_CHUNK", at_once)
        ax = meiro.plot(maze, ax=axes(), solution=solution, explored=False)
        image = pixels(ax)
        images.append(image)
        for row, col in solution.path[3:-3].tolist():  # not below the dots
            red, green, _ = at(ax, image, col, row)
            assert red - green > 60, (at_once, row, col)
        ax.set(xlim=(9.5, 19.5), ylim=(19.5, 9.5))
        image = pixels(ax)
        for row in range(10, 19):
            for col in range(10, 19):
                assert (at(ax, image, col, row) == colors.PATH).all() == ((row, col) in on_path)
    assert np.mean(images[0] != images[1]) < 0.01


on_linux = pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="peaks are read from Linux' /proc"
)


def seconds_and_kilobytes(*, solved: bool) -> tuple[float, float]:
    """Of a plot of 4000 x 4000 cells in a process of its own; the path has 1.7 million steps."""
    code = f"""
import io, time, meiro
from pathlib import Path
from matplotlib import pyplot as plt

def kilobytes(name):
    return int(Path("/proc/self/status").read_text().split(name + ":")[1].split()[0])

meiro.plot(meiro.generate((9, 9), rng=1), solution=[(0, 0)])
plt.savefig(io.BytesIO())
maze = meiro.generate((4000, 4000), "backtracker", rng=0)
solution = meiro.solve(maze) if {solved} else None
Path("/proc/self/clear_refs").write_text("5")
before, begin = kilobytes("VmRSS"), time.perf_counter()
plt.figure()
meiro.plot(maze, solution=solution)
plt.savefig(io.BytesIO())
print(time.perf_counter() - begin, kilobytes("VmHWM") - before)
"""
    took, size = map(float, printed(code).split())
    return took, size


@pytest.mark.clock
@on_linux
@pytest.mark.parametrize("solved", [False, True])
def test_plot_of_a_huge_maze_takes_little_time(solved: bool) -> None:  # noqa: FBT001
    assert best(lambda: seconds_and_kilobytes(solved=solved)[0], 1) < 3  # 0.3 s usually


@pytest.mark.long
@on_linux
@pytest.mark.parametrize("solved", [False, True])
def test_plot_of_a_huge_maze_takes_little_memory(solved: bool) -> None:  # noqa: FBT001
    assert seconds_and_kilobytes(solved=solved)[1] < (80_000 if solved else 50_000)


OTHER = meiro.solve(meiro.generate((3, 3), rng=2))


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ([(0, 0), (2, 2)], r"\[0\] and .*\[1\] are not adjacent: cells \(0, 0\) and \(2, 2\)"),
        ([(0, 0), (0, 1), (0, 2)], r"\[1\] goes through a wall, at cell \(0, 1\), on the way to \(0, 2\)"),
        ([(0, 0), (0, 1), (0, 0), (1, 0)], r"\[2\] goes through a wall, at cell \(0, 0\)"),
        ([(0, 0), (-1, 0)], r"\[1\] is outside: there is no cell \(-1, 0\) in \(3, 3\)"),
        (OTHER, "goes through a wall"),
        (meiro.solve(np.zeros((7, 7), int), (0, 0), (6, 6)), r"\[0\] goes through a wall, at site \(0, 0\)"),
        (meiro.solve(meiro.generate((3, 4), rng=0)), r"found in \(3, 4\) cells; what is drawn has \(3, 3\)"),
    ],
)
def test_paths_through_walls_are_refused_alike_by_plot_text_and_svg(given: Any, match: str) -> None:
    maze = meiro.Maze([[2, 12, 4], [6, 9, 5], [3, 10, 9]])
    for draw in (lambda: meiro.plot(maze, solution=given), lambda: maze.to_svg(solution=given)):
        refused(ValueError, match, draw)
    refused(ValueError, match, maze.to_text, solution=given)
    if given is OTHER:
        refused(ValueError, "goes through a wall, at cell", meiro.plot, maze.grid, solution=given)


def test_diagonal_steps_of_an_array_may_not_cut_a_corner() -> None:
    sites = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], np.uint8)
    solution = meiro.solve(sites, (0, 0), (2, 2), algorithm="a_star", moves=8)
    assert line_of(meiro.plot(sites, ax=axes(), solution=solution), "path").tolist() == [[0, 0], [2, 2]]
    with pytest.raises(ValueError, match=r"solution\[0\] goes through a wall, at site \(0, 1\), on the way"):
        meiro.plot(sites, ax=axes(), solution=[(0, 1), (1, 2)])


@pytest.mark.parametrize(
    ("unit", "shown"),
    [("Y", "2026"), ("D", "2026-11-05"), ("s", "2026-11-05T00:00:00"), ("ns", "2026-11-05T00:")],
)
def test_labels_may_be_dates(unit: str, shown: str) -> None:
    maze = meiro.Maze([[2, 10, 8]])
    dates: Any = np.ma.masked_array(np.array([["2026-11-05", "NaT", "2027-01-01"]], f"M8[{unit}]"))
    dates[0, 2] = np.ma.masked
    (line,) = (line for line in maze.to_text(labels=dates).split("\n") if shown in line)
    assert line.strip("│").split()[0].startswith(shown)
    assert "Na" not in line
    assert "2027" not in line
    ax = meiro.plot(maze, ax=axes(), labels=dates)
    pixels(ax)
    (labels,) = (artist for artist in ax.get_children() if isinstance(artist, CellLabels))
    assert np.asarray(labels.get_path().vertices)[:, 0].max() < 0.5  # only the first cell has one


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_labels_have_the_colour_of_text(theme: Any) -> None:
    labels = {(0, 0): "a", (0, 1): "b"}
    ax = meiro.plot(meiro.Maze([[2, 8]]), ax=axes(), labels=labels, theme=theme, colors={"text": "red"})
    shown = [patch.get_facecolor()[:3] for patch in ax.patches if isinstance(patch, CellLabels)]
    assert shown == [(1, 0, 0)]
    trace = meiro.trace((2, 2), "kruskal", rng=1)
    (ax,) = meiro.plot_trace(trace, [0], theme=theme, colors={"text": "red"})
    assert (1, 0, 0) in {patch.get_facecolor()[:3] for patch in ax.patches if isinstance(patch, CellLabels)}


def heights_of_labels(ax: Any) -> list[float]:
    drawn = (np.asarray(p.get_path().vertices)[:, 1] for p in ax.patches if isinstance(p, CellLabels))
    return sorted(float(np.ptp(y)) for y in drawn)


@pytest.mark.parametrize("x", [(2, 6), meiro.lattices.hexagonal(2, 6)], ids=["squares", "hexagons"])
def test_a_long_label_is_small_alone(x: Any) -> None:
    maze, long = meiro.generate(x, rng=7), "a name that is rather long"
    short = {(0, col): str(col) for col in range(6)}
    (usual,) = heights_of_labels(meiro.plot(maze, ax=axes(), labels=short))
    small, kept = heights_of_labels(meiro.plot(maze, ax=axes(), labels=short | {(1, 1): long}))
    assert small < usual / 4
    assert kept == pytest.approx(usual, rel=0.25)  # where two letters fit
    sizes = re.findall(r'font-size="([0-9.]+)"', maze.to_svg(labels=short | {(1, 1): long}))
    assert min(map(float, sizes)) < max(map(float, sizes)) / 4


def test_letters_of_labels_that_the_usual_font_has_not() -> None:
    maze, nobody_has, face = meiro.Maze([[2, 8]]), "\U00016fe1", "\U0001f600"  # Nushu
    drawn = (maze.plot(ax=axes(), labels={(0, 0): text}).patches[-1] for text in (face, 2 * face))
    wide, twice = (np.divide(*np.ptp(np.asarray(p.get_path().vertices), axis=0)) for p in drawn)
    assert twice > 1.8 * wide  # beside each other
    refused(ValueError, "no font that is installed here has", maze.plot, ax=axes(), labels=[[nobody_has, ""]])


def test_labels_may_hold_spaces_in_plots() -> None:
    maze = meiro.Maze([[2, 8]])
    blank, spaced = (pixels(maze.plot(ax=axes(), labels=[[text, ""]])) for text in ("  ", "a b"))
    assert (blank != spaced).any()


@pytest.mark.parametrize(
    "labels",
    [
        [[-1, 0, 12]],
        np.array([[-1, 0, 12]], object),
        np.array([[np.nan, 0, 12]]),
        np.array([[None, "0", " 12 "]], object),
        np.ma.masked_equal([[7, 0, 12]], 7),
    ],
)
def test_blank_labels_are_the_same_in_plots_and_text(labels: Any) -> None:
    maze = meiro.Maze([[2, 10, 8]])
    assert maze.to_text(labels=labels).split("\n")[1].split() == ["│", "0", "12│"]
    ax = meiro.plot(maze, ax=axes(), labels=labels)
    (drawn,) = (p for p in ax.patches if isinstance(p, CellLabels))
    x = np.asarray(drawn.get_path().vertices)[:, 0]
    assert 0.5 < x.min() < 1.5 < x.max() < 2.5
