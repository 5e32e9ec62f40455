"""Mazes on lattices, turned and mirrored: as squares are, and only where the lattice is symmetric."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reference_graphs import as_graph_maze
from refusals import refused

import meiro
from meiro.lattices._rim import rim_of

L = meiro.lattices
CHANGES: dict[str, Callable[[Any], Any]] = {
    "transpose()": meiro.transpose,
    "flip()": meiro.flip,
    "flip(axis=0)": lambda x: meiro.flip(x, 0),
    "flip(axis=1)": lambda x: meiro.flip(x, 1),
    "rotate(1)": meiro.rotate,
    "rotate(2)": lambda x: meiro.rotate(x, 2),
    "rotate(3)": lambda x: meiro.rotate(x, -1),
    "rotate(degrees=60)": lambda x: meiro.rotate(x, degrees=60),
    "rotate(degrees=72)": lambda x: meiro.rotate(x, degrees=72),
    "rotate(degrees=120)": lambda x: meiro.rotate(x, degrees=120),
}
INVERSE = {"rotate(1)": "rotate(3)", "rotate(3)": "rotate(1)"}
QUARTERS = {"transpose()", "rotate(1)", "rotate(3)"}
FLIPS = {"flip()", "flip(axis=0)", "flip(axis=1)", "rotate(2)"}
SIXTHS = {"rotate(degrees=60)", "rotate(degrees=120)"}
LATTICES = {  # and the symmetries that they have, as one sees by drawing them
    "square": (L.square(3, 4), FLIPS | QUARTERS),
    "hexagonal 4 x 5": (L.hexagonal(4, 5), {"flip()", "rotate(2)"}),
    "hexagonal 5 x 5": (L.hexagonal(5, 5), {"flip(axis=0)"}),
    "hexagon": (L.hexagonal(side=3), FLIPS | SIXTHS),
    "triangle": (L.triangular(side=4), {"flip(axis=1)", "rotate(degrees=120)"}),
    "rings": (L.polar(4), FLIPS | SIXTHS),
    "rings of five": (L.polar(3, first=5), {"flip(axis=1)", "rotate(degrees=72)"}),
    "box": (L.box(2, 3, 4), FLIPS | QUARTERS),
    "moebius": (L.moebius(3, 8), FLIPS),
    "voronoi": (L.voronoi(20, rng=1), set()),
}


@pytest.mark.parametrize("name", [name for name in CHANGES if "degrees" not in name])
@pytest.mark.parametrize("shape", [(3, 4), (4, 4), (1, 5)], ids=str)
def test_square_lattices_are_turned_as_squares(name: str, shape: tuple[int, int]) -> None:
    for seed in range(4):
        square = meiro.with_openings(
            meiro.braid(meiro.generate(shape, rng=seed), rng=seed), "random", rng=seed
        )
        square = meiro.with_ends(square, "random", rng=seed)
        other, wanted = CHANGES[name](on_lattice(square)), on_lattice(CHANGES[name](square))
        assert other == wanted
        assert (other.start, other.goal) == (wanted.start, wanted.goal)
        assert other.openings.tolist() == wanted.openings.tolist()


def test_cells_beside_openings_stay_on_a_lattice_as_on_squares() -> None:
    for seed in range(9):
        square = meiro.with_openings(meiro.generate((4, 5), rng=seed), "random", rng=seed)
        maze = on_lattice(square)
        for trimmed, lattice in (
            (meiro.sparsify(square, 3), meiro.sparsify(maze, 3)),
            (meiro.fill_dead_ends(square, keep=[]), meiro.fill_dead_ends(maze, keep=[])),
        ):
            assert sorted(map(sorted, lattice.edges().tolist())) == sorted(
                map(sorted, trimmed.edges().tolist())
            )
        many = meiro.GraphBatch([maze, meiro.GraphMaze(maze.lattice, maze.open)])
        assert list(meiro.sparsify(many, 3)) == [meiro.sparsify(one, 3) for one in many]


def on_lattice(square: meiro.Maze) -> meiro.GraphMaze:
    """The same maze on `lattices.square`, with its openings and ends."""
    maze = as_graph_maze(square)
    middles = rim_of(maze.lattice).middles
    sites = np.stack([np.round(2 * middles[:, 1]), np.round(2 * middles[:, 0])], axis=1).astype(int).tolist()
    openings = [maze.lattice.rim[sites.index(site)].tolist() for site in square.openings.tolist()]
    ends = (None if end is None else end[0] * square.cols + end[1] for end in (square.start, square.goal))
    start, goal = ends
    return meiro.GraphMaze(maze.lattice, maze.open, start=start, goal=goal, openings=np.array(openings))


def drawn(maze: meiro.GraphMaze) -> Any:
    """Where passages and openings are, from the middle of the cells."""
    places: Any = maze.lattice.positions
    centre = places.mean(axis=0)
    passages = places[maze.edges()].mean(axis=1) - centre
    middles = rim_of(maze.lattice).middles[rim_of(maze.lattice).find(maze.openings)] - centre[:2]
    return passages, middles


@pytest.mark.parametrize("which", LATTICES)
def test_a_lattice_has_the_symmetries_that_it_has(which: str) -> None:
    lattice, has = LATTICES[which]
    maze = meiro.generate(lattice, "kruskal", rng=2)
    if len(lattice.rim):
        maze = meiro.with_openings(maze, "random", rng=1)
    maze = meiro.with_ends(maze, np.array([0, 5]))
    many = meiro.GraphBatch([maze, meiro.generate(lattice, "wilson", rng=1)])
    for name, change in CHANGES.items():
        if name not in has:
            refused(ValueError, re.escape(f"{name} is no symmetry of {lattice!r}: it has"), change, maze)
            continue
        made = change(maze)
        assert made.is_perfect
        assert made.solve().length == maze.solve().length
        assert list(change(many)) == [change(one) for one in many]
        assert change(many)[0].start == made.start
        twice = made
        for _ in range(1 if name in INVERSE else 360 // int(name[15:-1]) - 1 if "degrees" in name else 1):
            twice = CHANGES[INVERSE.get(name, name)](twice)
        assert twice == maze
        assert (twice.start, twice.goal) == (maze.start, maze.goal)
    listed = re.findall(r"(?:flip|transpose|rotate)\([^)]*\)", error_of(maze).split("it has")[1])
    assert set(listed) - {"rotate(3)"} == {name for name in has if name != "rotate(3)"} or not has


def error_of(maze: meiro.GraphMaze) -> str:
    with pytest.raises(ValueError, match="is no symmetry") as error:
        meiro.rotate(maze, degrees=1)
    return str(error.value)


def test_what_is_seen_is_turned() -> None:
    ring = meiro.generate(L.polar(4, first=5), "kruskal", rng=2, openings="random")
    turn = np.deg2rad(72)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    for before, after in zip(drawn(ring), drawn(meiro.rotate(ring, degrees=72)), strict=True):
        moved = before @ matrix  # counterclockwise, where y goes down
        assert np.abs(moved[:, None] - after[None]).sum(axis=2).min(axis=1).max() < 1e-9


def test_masked_lattices_are_mirrored_with_their_cells() -> None:
    hook = meiro.generate(L.square(3, 4).mask([0, 1, 2, 3, 4, 8]), rng=1)
    made = meiro.flip(hook, 1)
    assert made.lattice == L.square(3, 4).mask([0, 1, 2, 3, 7, 11])
    assert meiro.flip(made, 1) == hook
    assert meiro.rotate(hook).lattice == L.square(4, 3).mask([0, 3, 6, 9, 10, 11])


def test_parallel_edges_go_along() -> None:
    lattice = meiro.Lattice(3, [(0, 1), (1, 0), (1, 2), (1, 2)], [[0, 0], [1, 0], [2, 0]])
    made = meiro.flip(meiro.GraphMaze(lattice, [1, 2, 3]), 1)
    assert sorted(map(sorted, made.edges().tolist())) == [[0, 1], [0, 1], [1, 2]]


def test_places_are_needed() -> None:
    maze = meiro.GraphMaze(meiro.Lattice(2, [(0, 1)]), [0])
    refused(
        ValueError, r"rotate\(1\) needs places of the cells, and <Lattice graph.*has none", meiro.rotate, maze
    )


def test_crop_of_a_lattice() -> None:
    lattice = L.hexagonal(4, 5)
    many = meiro.with_ends(meiro.generate_many(lattice, n=3, rng=1, openings="corners"), np.array([0, 19]))
    stays = lattice.coordinates[:, 0] < 2  # type: ignore[index]
    made = meiro.crop(many, stays)
    assert made.lattice == lattice.mask(stays)
    for one, maze in zip(made, many, strict=True):
        assert one == meiro.crop(maze, np.flatnonzero(stays)) == meiro.crop(maze, [(0, 0), *range(1, 10)])
        assert (one.start, one.goal) == ((0, 0), None)
        kept = stays[lattice.edges].all(axis=1)
        assert one.open.tolist() == maze.open[kept].tolist()
        assert one.openings.tolist() == maze.openings[:1].tolist()
    refused(ValueError, "no cell stays", meiro.crop, many, np.zeros(20, bool))
    for window in (np.s_[1:], np.s_[1:3, 2:]):
        refused(TypeError, "window must be cells of <Lattice .*positions", meiro.crop, many, window)
