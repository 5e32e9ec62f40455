"""Openings in the rim of any lattice: where they may be, which ones a word chooses, where they are kept."""

from __future__ import annotations

import importlib
import json
import pickle
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cell_numbers import cell_number, cell_numbers
from refusals import refused

import meiro
from meiro import Lattice
from meiro.drawing.graph_outline import plane_of, wall_segments
from meiro.drawing.picture import picture_of
from meiro.drawing.routes import parse_routes
from meiro.lattices._rim import rim_of
from meiro.mazes._openings import outer_rim

pytest.importorskip("shapely")
PLANE = importlib.import_module("plane_lattices").PLANE
OPEN = {name: lattice for name, lattice in PLANE.items() if len(lattice.rim) > 1}
WORDS = ("corners", "top_bottom", "left_right", "random", "farthest")
with_rims = pytest.mark.parametrize("lattice", OPEN.values(), ids=OPEN)
RNG = np.random.default_rng(3)


def site_of(lattice: Lattice, place: Any) -> tuple[int, int]:
    """Return the site, in the grid of squares, of a place in the rim of a lattice of squares."""
    rim = rim_of(lattice)
    x, y = np.round(2 * rim.middles[rim.find(np.array([place]))[0]]).astype(int).tolist()
    return y, x


def corner(lattice: Lattice) -> Any:
    assert lattice.outline is not None
    return lattice.outline.corners.min(axis=0)


@pytest.mark.parametrize("share", [0.4, 0.7, 0.9])
def test_the_rim_of_masked_squares_is_that_of_a_mask(share: float) -> None:
    for _ in range(40):
        rows, cols = RNG.integers(1, 9, 2).tolist()
        mask = RNG.random((rows, cols)) < share
        mask[rows // 2, cols // 2] = True
        whole = meiro.lattices.square(rows, cols)
        rim = rim_of(whole.mask(mask.reshape(-1)))
        x, y = np.round(2 * (rim.middles - corner(whole))).astype(int).T
        outer = set(zip(y[: rim.n_outer].tolist(), x[: rim.n_outer].tolist(), strict=True))
        assert outer == set(map(tuple, outer_rim((rows, cols), mask, (False, False)).tolist()))


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("seed", [3, 4])
def test_words_choose_on_squares_what_they_choose_of_a_maze(word: Any, seed: int) -> None:
    lattice = meiro.lattices.square(6, 9)
    squares = meiro.generate((6, 9), "kruskal", rng=seed, openings=word)
    maze = meiro.generate(lattice, "kruskal", rng=seed, openings=word)
    sites = [site_of(lattice, place) for place in (maze.openings).tolist()]
    shift = 2 * corner(lattice)[::-1]
    found = [(row - int(shift[0]), col - int(shift[1])) for row, col in sites]
    if word == "farthest":  # there may be several
        assert meiro.solve(maze).length == meiro.solve(squares).length
    else:
        assert found == list(map(tuple, squares.openings.tolist()))


@with_rims
def test_a_place_of_the_rim_is_a_side_of_its_cell(lattice: Lattice) -> None:
    rim = rim_of(lattice)
    assert len(np.unique(rim.places, axis=0)) == len(rim.places)
    assert rim.find(rim.places).tolist() == list(range(len(rim.places)))
    assert rim.find(np.array([[0, 99_999]])).tolist() == [-1]
    assert lattice.outline is not None
    for (cell, side), line in zip(rim.places.tolist(), rim.lines, strict=True):
        assert side < len(lattice.polygon(cell))
        assert set(lattice.outline.rim_cells[line].tolist()) == {cell}


@with_rims
@pytest.mark.parametrize("word", WORDS)
def test_a_maze_with_openings_is_kept_everywhere(lattice: Lattice, word: Any, tmp_path: Path) -> None:
    maze = meiro.generate(lattice, "wilson", rng=5, openings=word)
    assert len(maze.openings) == 2
    assert maze != meiro.generate(lattice, "wilson", rng=5)
    assert maze == meiro.with_openings(meiro.generate(lattice, "wilson", rng=5), word, rng=5)
    again = pickle.loads(pickle.dumps(maze))  # noqa: S301  # our own
    assert (again, hash(again)) == (maze, hash(maze))
    maze.save(tmp_path / "maze.npz")
    assert meiro.read(tmp_path / "maze.npz") == maze
    assert meiro.GraphMaze(lattice, maze.open, openings=maze.openings[::-1]) == maze
    if maze.recipe is not None and maze.recipe["shape"]["lattice"] != "graph":
        assert (
            meiro.generate(**json.loads(json.dumps(maze.recipe))).openings.tolist() == maze.openings.tolist()
        )
    many = meiro.generate_many(lattice, "wilson", 4, rng=5, openings=word)
    assert many[0] == maze
    assert meiro.GraphBatch(list(many)) == many == (many + many)[4:]
    for i, ends in enumerate(zip(*(cell_numbers(lattice, each) for each in many.endpoints), strict=True)):
        assert ends == tuple(cell_numbers(lattice, many[i].endpoints))
    if word == "random":
        one = meiro.generate(lattice, "wilson", rng=meiro.replicate(5, 2), openings=word)
        assert many[2].openings.tolist() == one.openings.tolist()


@with_rims
def test_the_path_leads_from_opening_to_opening_through_gaps(lattice: Lattice) -> None:
    maze = meiro.generate(lattice, "kruskal", rng=5, openings="farthest")
    found: Any = maze.solve()
    assert cell_numbers(lattice, (found.start, found.goal)).tolist() == maze.openings[[0, -1], 0].tolist()
    assert [(cell_number(lattice, cell), side) for cell, side in found.openings] == list(
        map(tuple, maze.openings.tolist())
    )
    assert meiro.with_openings(maze, found.openings) == maze
    plane = plane_of(lattice, maze.openings)
    (route,) = parse_routes(maze, found, plane)
    points = route.line.points
    rim = rim_of(lattice)
    middles = rim.middles[rim.find(maze.openings)]
    np.testing.assert_array_equal(points[[0, -1]], middles)
    walls, arcs = wall_segments(plane, maze.open)
    straight = walls if arcs is None else walls[~arcs]
    begin, end = straight.transpose(1, 0, 2)
    for middle in middles:
        to, along = middle - begin, end - begin
        share = np.clip((to * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-30), 0, 1)
        assert np.nanmin(np.hypot(*(to - share[:, None] * along).T)) > 0.05 * plane.cell


@pytest.mark.parametrize("name", ["hexagonal", "polar", "districts", "masked"])
def test_farthest_is_the_longest_way_between_cells_of_the_rim_of_a_tree(name: str) -> None:
    lattice = OPEN[name]
    rim = rim_of(lattice)
    cells = np.unique(rim.places[: rim.n_outer, 0])
    for seed in range(5):
        maze = meiro.generate(lattice, "wilson", rng=seed, openings="farthest")
        names = cells.tolist() if lattice.labels is None else [lattice.labels[i] for i in cells]
        assert maze.solve().length == max(int(meiro.distances(maze, name)[cells].max()) for name in names)


def test_random_openings_are_all_pairs_alike() -> None:
    lattice = meiro.lattices.triangular(2, 2)
    places = list(map(tuple, lattice.rim.tolist()))
    pairs = dict.fromkeys(combinations(places, 2), 0)
    many = meiro.generate_many(lattice, "wilson", 400 * len(pairs), rng=9, openings="random")
    assert many.openings is not None
    for one, other in many.openings.tolist():
        pairs[tuple(one), tuple(other)] += 1
    counts = np.array(list(pairs.values()))
    assert ((counts - 400) ** 2 / 400).sum() < len(pairs) + 6 * np.sqrt(2 * len(pairs))


def test_sides_are_named_as_they_are_seen_from_the_cell() -> None:
    maze = meiro.generate(meiro.lattices.hexagonal(3, 3), rng=7)
    given = [(0, "north-west"), (2, "E"), (8, "south_east")]
    opened = meiro.with_openings(maze, given)
    lattice = maze.lattice
    for (cell, side), towards in zip(opened.openings.tolist(), [(-1, -1), (1, 0), (1, 1)], strict=True):
        ends = lattice.polygon(cell)[[side, (side + 1) % 6]]
        assert np.sign(np.round(ends.mean(axis=0) - lattice.polygon(cell).mean(axis=0), 6)).tolist() == list(
            towards
        )
    assert len(meiro.with_openings(opened, []).openings) == 0


def test_cells_of_a_labelled_lattice_are_named_by_label_in_lists_and_recipes() -> None:
    lattice = meiro.lattices.voronoi(40, rng=1).mask(range(1, 40))
    assert lattice.labels is not None
    (one, side), (other, across) = ((lattice.labels[cell], side) for cell, side in lattice.rim[:2].tolist())
    maze = meiro.generate(lattice, rng=1, openings=[(one, side), (other, across)])
    assert [lattice.labels[cell] for cell in maze.openings[:, 0]] == [one, other]
    assert maze.recipe is not None
    assert meiro.generate(**json.loads(json.dumps(maze.recipe))) == maze


def test_openings_that_cannot_be_are_named() -> None:
    maze = meiro.generate(meiro.lattices.hexagonal(3, 3), rng=7)
    for openings, words in (
        ("middle", 'openings must be "corners", "top_bottom"'),
        (
            [(4, "north")],
            r"openings\[0\]: cell \(1, 1\) of <Lattice hexagonal: 9 cells, .*> has no side in the rim",
        ),
        ([(1, "south")], r"openings\[0\]: cell \(0, 1\) has in the rim .*, none of them in the south"),
        ([(0, "up there")], 'the side of a cell is its number or "east"'),
        ([(0, 2)], r"side 2 of cell \(0, 0\) is not in the rim: cell \(0, 0\) has in the rim the sides"),
        ([(9, "north")], r"openings\[0\] must be less than 9, not 9"),
        (np.array([[9, 0]]), "there is no cell 9"),
        ([(0, "north_west"), (0, "north_west")], "is given twice"),
        (np.zeros((2, 2, 2), int), "a cell and its side each"),
    ):
        refused(ValueError, words, meiro.with_openings, maze, openings)


@pytest.mark.parametrize(
    ("lattice", "why"),
    [
        (meiro.lattices.cube(3), "is closed: it has no rim to open"),
        (meiro.lattices.box(2, 2, 2), "has cells above one another, and no rim in the plane to open"),
        (
            meiro.Lattice(2, [(0, 1)]),
            "has no outline, so no rim to open: meiro.with_ends sets start and goal",
        ),
    ],
    ids=["cube", "box", "graph"],
)
@pytest.mark.parametrize("openings", ["corners", [(0, 0)]])
def test_a_lattice_without_a_rim_says_why(lattice: Lattice, why: str, openings: Any) -> None:
    refused(ValueError, re.escape(why), meiro.generate, lattice, "wilson", rng=1, openings=openings)


def test_openings_of_squares_are_gaps_in_the_text() -> None:
    maze = meiro.generate(meiro.lattices.square(3, 4), "kruskal", rng=7, openings="top_bottom")
    squares = meiro.generate((3, 4), "kruskal", rng=7, openings="top_bottom")
    assert maze.to_text() == squares.to_text()
    assert maze.to_text(solution=maze.solve()) == squares.to_text(solution=squares.solve())


def test_a_batch_may_have_other_openings_in_each_maze(tmp_path: Path) -> None:
    many = meiro.generate_many(meiro.lattices.polar(3), n=3, rng=1)
    rim = many.lattice.rim
    each = np.full((3, 2, 2), -1)
    each[0], each[2, 1] = rim[:2], rim[5]
    opened = meiro.with_openings(many, each)
    assert [one.openings.tolist() for one in opened] == [rim[:2].tolist(), [], [rim[5].tolist()]]
    starts, goals = meiro.endpoints(opened, "openings")
    assert cell_numbers(many.lattice, starts).tolist() == [rim[0, 0], -1, -1]
    assert cell_numbers(many.lattice, goals).tolist() == [rim[1, 0], -1, -1]
    assert opened.unique() == opened
    for name in ("mazes.npz", "mazes.zarr"):
        opened.save(tmp_path / name)
        read = meiro.read(tmp_path / name)
        assert isinstance(read, meiro.GraphBatch)
        assert read == opened
        np.testing.assert_array_equal(read.openings, opened.openings)


def test_a_puzzle_with_openings_has_no_marks() -> None:
    closed = meiro.generate(meiro.lattices.hexagonal(4, 5), rng=7)
    opened = meiro.with_openings(closed, "top_bottom")
    assert {"start", "goal"} == {name for name, _ in picture_of(closed, puzzle=True).middles}
    assert not picture_of(opened, puzzle=True).middles
    assert {"start", "goal"} == {name for name, _ in picture_of(opened, opened.solve()).middles}
