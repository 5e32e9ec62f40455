"""Cells come out of every verb in the words of their lattice, and every verb takes them in again."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest
from cell_numbers import cell_number, cell_numbers
from refusals import refused
from some_lattices import EVERY

import meiro

la = meiro.lattices
LATTICES = {name: lattice for name, lattice in EVERY.items() if lattice.n_cells > 9} | {
    "moebius": la.moebius(4, 9),
    "letters": meiro.Lattice(5, [(0, 1), (1, 2), (2, 3), (3, 4)], labels=["a", ("b", 1), 0, "d", "e"]),
}
every = pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES.keys())


@every
def test_what_goes_out_is_taken_in(lattice: meiro.Lattice) -> None:
    maze = meiro.generate(lattice, "wilson", rng=3)
    found: Any = maze.solve()
    n = len(found.path)
    assert len(found.path_numbers) == n
    assert cell_numbers(lattice, found.path).tolist() == found.path_numbers.tolist()
    assert cell_numbers(lattice, maze.endpoints).tolist() == [0, lattice.n_cells - 1]
    if lattice.coordinates is not None:
        assert found.path.shape == (n, lattice.coordinates.shape[1])
    assert maze.solve(found.start, found.goal) == maze.solve(found.path[0], found.path[-1]) == found
    assert maze.solve(*meiro.with_ends(maze, "farthest").endpoints).length == meiro.longest_path(maze).length
    assert meiro.distances(maze, found.path[3])[found.path_numbers[3]] == 0
    assert meiro.distances(maze, found.path)[found.mask].tolist() == [0] * n
    assert meiro.distances(maze, found.path_numbers)[found.mask].tolist() == [0] * n
    assert meiro.distances(maze, list(found.path)).tolist() == meiro.distances(maze, found.path).tolist()
    assert (
        meiro.distances(maze, found.path[:2]).tolist()
        == meiro.distances(maze, found.path_numbers[:2].copy()).tolist()
    )
    for cell, number in zip(found.path, found.path_numbers.tolist(), strict=True):
        assert cell_number(lattice, cell) == lattice.cell(cell) == number
    ended = meiro.with_ends(maze, (found.path[1], found.path[-2]))
    assert ended.endpoints == (ended.start, ended.goal)
    assert meiro.with_ends(maze, ended.endpoints).solve() == ended.solve()
    assert (
        meiro.GraphMaze(lattice, maze.open, start=ended.start, goal=ended.goal).endpoints == ended.endpoints
    )
    between = meiro.bottlenecks(maze)
    assert cell_numbers(lattice, between).tolist() == found.path_numbers[1:-1].tolist()
    assert maze.solve(between[0], between[-1]).length == found.length - 2
    longest = meiro.longest_path(maze)
    assert maze.solve(longest.start, longest.goal).length == longest.length == len(longest.path) - 1
    one, two = (meiro.shortest_paths(maze, *ends) for ends in ((), (found.start, [found.goal])))
    assert (one.start, one.goal) == (two.start, two.goal) == (found.start, found.goal)
    (path,) = meiro.all_shortest_paths(maze)
    assert path.tolist() == found.path.tolist()
    closed = meiro.with_passages(maze, close=[(found.path[0], found.path[1])])
    assert len(closed.edge_ids()) == len(maze.edge_ids()) - 1
    assert meiro.fill_dead_ends(maze, keep=[found.path[0], found.path[-1]]).open.sum() <= found.length


@every
def test_pickles_and_walks_keep_the_words(lattice: meiro.Lattice) -> None:
    maze = meiro.with_ends(meiro.generate(lattice, "wilson", rng=3), "farthest")
    found: Any = maze.solve(algorithm="random_mouse", rng=1)
    again = pickle.loads(pickle.dumps(found))  # noqa: S301
    assert again == found
    for one in (found, again):
        assert one.path.tolist() == found.path.tolist()
        assert one.walk.tolist()[-1] == found.path.tolist()[-1]
        assert not hasattr(one, "grid_path")
    assert pickle.loads(pickle.dumps(maze)).endpoints == maze.endpoints  # noqa: S301


@every
def test_batches_say_and_take_the_same_words(lattice: meiro.Lattice, tmp_path: Any) -> None:
    many = meiro.add_loops(meiro.generate_many(lattice, "wilson", 5, rng=3), share=0.2, rng=1)
    starts, goals = meiro.endpoints(many, rng=1)
    solved: Any = meiro.solve_many(many, starts, goals, paths=True, threads=2)
    assert meiro.solve_many(many, starts, goals).masks is None
    ended: Any = meiro.with_ends(many, (starts, goals))
    assert not hasattr(solved, "grid_paths")
    for i, maze in enumerate(ended):
        found: Any = maze.solve()
        assert found.path.tolist() == solved.paths[i, : found.length + 1].tolist()
        assert found.path_numbers.tolist() == solved.path_numbers[i, : found.length + 1].tolist()
        assert (solved.path_numbers[i, found.length + 1 :] == -1).all()
        assert maze.start == found.start
        assert cell_number(lattice, starts[i]) == cell_number(lattice, maze.start)
        assert np.array_equal(solved.masks[i], found.mask)
    assert ended.starts.tolist() == starts.tolist() == ended.endpoints[0].tolist()
    for same in (ended.solve(ended.starts, ended.goals), ended.solve(), meiro.solve_many(list(ended))):
        assert same.lengths.tolist() == solved.lengths.tolist()
    numbers = cell_numbers(lattice, starts)
    for given in (starts, numbers, list(starts)):
        assert meiro.distances(many, given)[range(5), numbers].tolist() == [0] * 5
    both = np.stack([starts, goals], axis=1)  # several for each
    assert (meiro.distances(many, both)[range(5), cell_numbers(lattice, goals)] == 0).all()
    none: Any = starts.copy(), goals.copy()
    for ends in none:
        ends[2] = None if ends.dtype == object else -1
    some: Any = meiro.with_ends(many, none)
    assert [maze.start is None for maze in some] == [False, False, True, False, False]
    assert some.starts.tolist() == none[0].tolist()
    some.save(tmp_path / "some.npz")
    read: Any = meiro.read(tmp_path / "some.npz")
    assert read.starts.tolist() == none[0].tolist()


@every
def test_pictures_take_paths_in_words(lattice: meiro.Lattice) -> None:
    maze = meiro.generate(lattice, "wilson", rng=3)
    if lattice.positions is None or (lattice.positions.shape[1] == 3 and lattice.name != "box"):
        return  # it lies in no plane
    found: Any = maze.solve()
    ways = found.path, list(found.path), found.path.tolist(), found.path_numbers
    pictures = {maze.to_svg(solution=path) for path in ways}
    assert len(pictures) == 1
    assert maze.to_svg(start=found.path[1], goal=found.goal) == maze.to_svg(
        start=tuple(found.path[1].tolist()) if lattice.coordinates is not None else found.path[1],
        goal=found.goal,
    )


@every
def test_the_middle_is_a_cell(lattice: meiro.Lattice) -> None:
    maze = meiro.generate(lattice, "wilson", rng=3)
    if lattice.positions is None:
        refused(ValueError, r'start="middle": .* has no positions', maze.solve, "middle")
        return
    places = lattice.positions
    away = np.hypot.reduce(places - (places.min(axis=0) + places.max(axis=0)) / 2, axis=1)
    found = maze.solve("middle")
    number = cell_number(lattice, found.start)
    assert away[number] <= away.min() + 1e-6
    assert meiro.with_ends(maze, ["middle", found.goal]).start == found.start
    assert meiro.distances(maze, "middle")[number] == 0
    many = meiro.generate_many(lattice, "wilson", 3, rng=3)
    assert (meiro.distances(many, "middle")[:, number] == 0).all()
    assert (
        cell_numbers(lattice, meiro.with_ends(many, ["middle", found.goal]).starts).tolist() == [number] * 3
    )


def test_the_middle_of_squares() -> None:
    maze = meiro.generate((5, 8), rng=1)
    assert maze.solve("middle").start == (2, 3)
    assert (
        meiro.with_ends(maze, ["middle", (0, 0)]).start
        == (2, 3)
        == meiro.Maze(maze.passages, start="middle").start
    )
    many = meiro.generate_many((5, 8), n=3, rng=1)
    assert meiro.with_ends(many, ["middle", (0, 0)]).starts.tolist() == [[2, 3]] * 3  # type: ignore[union-attr]
    assert (meiro.distances(many, "middle")[:, 2, 3] == 0).all()
    mask = np.ones((5, 8), bool)
    mask[1:4, 2:5] = False
    holed = meiro.generate((5, 8), rng=1, mask=mask)
    assert holed.solve("middle").start == (2, 5)
    assert meiro.solve(np.zeros((3, 3), int), "middle", (0, 0)).start == (1, 1)
    assert meiro.solve([[0, 0, 0], [0, 1, 0], [0, 0, 0]], "middle", (2, 2)).start == (0, 1)
    assert la.polar(5).cell("middle") == la.polar(5).cell((0, 0)) == 0
    assert meiro.Lattice(2, [(0, 1)], labels=["end", "middle"]).cell("middle") == 1  # a label comes first
    assert meiro.generate((5, 8), "backtracker", start="middle", rng=1) == meiro.generate(
        (5, 8), "backtracker", start=(2, 3), rng=1
    )


def test_numbers_and_coordinates_are_told_apart() -> None:
    maze = meiro.generate(la.hexagonal(5, 6), "wilson", rng=3)
    numbers, place = np.array([1, 2]), maze.lattice.coordinates[8]  # type: ignore[index]
    assert np.flatnonzero(meiro.distances(maze, numbers) == 0).tolist() == [1, 2]
    assert place.tolist() == [1, 2]
    assert np.flatnonzero(meiro.distances(maze, place) == 0).tolist() == [8]
    assert np.flatnonzero(meiro.distances(maze, (1, 2)) == 0).tolist() == [8]
    for computed in (place + 0, place.max(), maze.lattice.coordinates @ (6, 1)):  # type: ignore[operator]
        assert type(computed) in {np.ndarray, np.int64}
    refused(ValueError, r"there is no cell \(5, 0\)", meiro.distances, maze, np.array([(0, 0), (5, 0)]))
    tens = meiro.generate(la.from_graph([(10, "a"), ("a", 30)]), rng=1)
    assert meiro.distances(tens, [10, 30]).tolist() == meiro.distances(tens, np.array([0, 2])).tolist()
    refused(
        ValueError, "labels are given as a list; .* less than 3, not 10", tens.distances, np.array([10, 30])
    )
    with pytest.raises(ValueError, match=r"of shape \(3, k, 2\)"):
        meiro.distances(meiro.generate_many(maze.lattice, n=3, rng=1), np.zeros((3, 4), int))


def test_path_numbers_of_squares() -> None:
    many = meiro.generate_many((4, 7), n=3, rng=1)
    solved: Any = many.solve(paths=True)
    for maze, numbers in zip(many, solved.path_numbers, strict=True):
        found = maze.solve()
        assert numbers[numbers >= 0].tolist() == found.path_numbers.tolist() == (found.path @ (7, 1)).tolist()


class Frame(NamedTuple):
    """What is asked of a GeoDataFrame or GeoSeries."""

    index: Any
    geometry: list[Any]


def test_districts_are_named_by_their_index() -> None:
    shapely = pytest.importorskip("shapely")
    boxes = [shapely.box(i % 3, i // 3, i % 3 + 1, i // 3 + 1) for i in range(9)]
    assert la.from_polygons(Frame(range(9), boxes)).labels is None
    lattice = la.from_polygons(Frame(list("abcdefghi"), boxes))
    assert lattice.labels == tuple("abcdefghi")
    maze = meiro.generate(lattice, "wilson", rng=1)
    found = maze.solve("a", "i")
    assert (found.path[0], found.path[-1]) == ("a", "i")
    assert meiro.distances(maze, found.path[1])[found.path_numbers[1]] == 0
    refused(ValueError, "number in an array must be less than 9", meiro.distances, maze, np.array([24]))
    shifted = la.from_polygons(Frame(range(1, 10), boxes))
    assert meiro.generate(shifted, "wilson", rng=1).solve(1, 9).path.tolist()[0] == 1
    refused(ValueError, "'a' comes more than once", la.from_polygons, Frame(list("aacdefghi"), boxes))
