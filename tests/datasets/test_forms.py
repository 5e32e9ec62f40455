"""Sets that do not leak: forms up to symmetry against all images, as pictures show them; parts; leaks."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from refusals import refused
from timing import TRIES, seconds

import meiro
from meiro import _core
from meiro.datasets import leaks, supervised
from meiro.datasets.forms import forms_of
from meiro.datasets.split import hashes
from meiro.lattices._rim import rim_of

SHAPES: dict[str, dict[str, Any]] = {
    "2 x 3": {"shape": (2, 3)},
    "3 x 3": {"shape": (3, 3), "algorithm": "percolation"},
    "1 x 4": {"shape": (1, 4), "algorithm": "percolation"},
    "torus": {"shape": (3, 4), "wrap": (True, True)},
    "wide torus": {"shape": (3, 10), "wrap": (True, True)},
    "square torus": {"shape": (3, 3), "wrap": (True, True), "algorithm": "percolation"},
    "rows wrap": {"shape": (3, 5), "wrap": (True, False)},
    "columns wrap": {"shape": (3, 3), "wrap": (False, True)},
    "tall": {"shape": (4, 3), "wrap": (False, True), "algorithm": "percolation"},
}
TURNS = list(itertools.product(range(4), (False, True)))


def turned(grid: NDArray[Any], k: int, mirrored: bool) -> NDArray[Any]:  # noqa: FBT001
    return np.rot90(np.flip(grid, 1) if mirrored else grid, k)


def images_of(grid: NDArray[np.uint8], wrap: Sequence[bool]) -> Iterator[tuple[Any, bytes]]:
    """Yield all images of the drawing of a maze: what is twice, where it wraps, is left out of them."""
    for k, mirrored in TURNS:
        image, around = turned(grid, k, mirrored), (wrap[::-1] if k % 2 else wrap)
        shape = [n - round_ for n, round_ in zip(image.shape, around, strict=True)]
        image = image[: shape[0], : shape[1]]
        steps = [range(0, n, 2) if round_ else [0] for n, round_ in zip(shape, around, strict=True)]
        for step in itertools.product(*steps):
            yield (*shape, *around), np.roll(image, step, (0, 1)).tobytes()


def orbit(maze: meiro.Maze) -> Hashable:
    return min(images_of(maze.grid, maze.wrap))


def assert_same_classes(one: Sequence[Hashable], other: Sequence[Hashable]) -> None:
    assert len({*one}) == len({*other}) == len({*zip(one, other, strict=True)})


def some_mazes(kind: str, n: int = 40) -> list[meiro.Maze]:
    """Return mazes among which are images of each other, with masks and openings, and without."""
    many = meiro.generate_many(n=n, rng=3, **SHAPES[kind])
    mazes: list[meiro.Maze] = list(many)
    draw = np.random.default_rng(7)
    for maze in many:
        mask = draw.random(maze.passages.shape) < 0.8
        if mask.any() and not mask.all():
            mazes.append(meiro.generate(mask=mask, wrap=maze.wrap, rng=int(draw.integers(99))))
    for maze in list(mazes):
        with contextlib.suppress(ValueError):  # there are not two places for openings
            mazes.append(meiro.with_openings(maze, "random", rng=int(draw.integers(99))))
    return mazes + [meiro.flip(maze, axis) for maze in mazes for axis in ((0,), (1,), (0, 1))]


@pytest.mark.parametrize("kind", SHAPES)
def test_forms_are_equal_for_images_only(kind: str) -> None:
    mazes = some_mazes(kind)
    batch = meiro.MazeBatch(mazes)
    keys = forms_of(batch, symmetries=True).keys()
    assert_same_classes(keys, [orbit(maze) for maze in mazes])
    assert len({*keys}) < len({*mazes})
    assert_same_classes(hashes(batch, symmetries=True).tolist(), keys)
    assert_same_classes(forms_of(batch, symmetries=False).keys(), mazes)
    across = meiro.transpose(batch)
    assert forms_of(across, symmetries=True).keys() == keys
    for rows, cols in itertools.product(range(batch.wrap[0] * 2 + 1), range(batch.wrap[1] * 2 + 1)):
        plain = meiro.generate_many(n=20, rng=1, **SHAPES[kind])
        moved = np.roll(plain.passages, (rows, cols), (1, 2))
        same = meiro.MazeBatch.from_passages(moved, wrap=plain.wrap)
        assert forms_of(same, symmetries=True).keys() == forms_of(plain, symmetries=True).keys()


def test_forms_of_all_mazes_of_three_by_three() -> None:
    every = meiro.MazeBatch(meiro.enumerate_mazes((3, 3)))
    assert len(every) == 192
    assert_same_classes(forms_of(every, symmetries=True).keys(), [orbit(maze) for maze in every])
    unique, counts = every.unique(symmetries=True, return_counts=True)
    assert len(unique) == len({orbit(maze) for maze in every}) == 28
    assert counts.sum() == 192
    places = [every.passages.tolist().index(maze.passages.tolist()) for maze in unique]
    assert places == sorted(places)


@pytest.mark.parametrize("wrap", [(True, True), (True, False), (False, True)])
def test_forms_of_tori_that_repeat(wrap: tuple[bool, bool]) -> None:
    """The least row begins at many places: in mazes without a passage, and with stripes."""
    rows = np.zeros((5, 6, 9), np.uint8)
    rows[1] = 10  # all rows are rings
    rows[2, ::2] = 10
    rows[3, 1::2] = 10
    rows[4, 2] = 10
    if not wrap[1]:
        rows[:, :, 0] &= 2
        rows[:, :, -1] &= 8
    batch = meiro.MazeBatch.from_passages(rows, wrap=wrap)
    assert_same_classes(forms_of(batch, symmetries=True).keys(), [orbit(maze) for maze in batch])


def distances(places: Any) -> NDArray[np.float64]:
    """Return how far each place is from each."""
    apart = np.array(places)[:, None] - np.array(places)
    far: NDArray[np.float64] = np.linalg.norm(apart, axis=2)
    return far


def isometries(lattice: meiro.Lattice, far: NDArray[np.float64]) -> list[tuple[int, ...]]:
    """All permutations of the cells that keep all distances, and edges, one cell after the other."""
    joined = np.zeros(far.shape, bool)
    joined[*lattice.edges.T] = joined[*lattice.edges.T[::-1]] = True
    found: list[tuple[int, ...]] = [()]
    for cell in range(lattice.n_cells):
        found = [
            (*images, image)
            for images in found
            for image in range(lattice.n_cells)
            if image not in images
            and np.allclose(far[cell, :cell], far[image, list(images)])
            and (joined[cell, :cell] == joined[image, list(images)]).all()
        ]
    return found


def all_maps(lattice: meiro.Lattice) -> tuple[meiro.Lattice, NDArray[np.float64]]:
    """Return a lattice of which all maps to itself are symmetries: no distance tells more than its edges."""
    return lattice, np.zeros((lattice.n_cells, lattice.n_cells))


HEXAGON = [1, 2, 3, 4, 5, 7, 8]
LATTICES: dict[str, tuple[Any, int]] = {
    "hexagonal": (meiro.lattices.hexagonal(3, 3), 2),
    "hexagon": (meiro.lattices.hexagonal(3, 3).mask(HEXAGON), 12),
    "triangular": (meiro.lattices.triangular(2, 4), 2),
    "square": (meiro.lattices.square(3, 3), 8),
    "oblong": (meiro.lattices.square(2, 4), 4),
    "polar": (meiro.lattices.polar(2, first=5), 10),
    "places": (meiro.Lattice(4, [(0, 1), (1, 2), (2, 3)], positions=[(0, 0), (1, 0), (1, 1), (0, 1)]), 2),
    "box": (meiro.lattices.box(2, 2, 3), 16),
    "die": (meiro.lattices.box(2, 2, 2), 48),
    "tall box": (meiro.lattices.box(3, 2, 1), 4),
    "masked box": (meiro.lattices.box(2, 2, 2).mask([0, 1, 2, 4]), 6),
    "4-D": (all_maps(meiro.lattices.box(2, 2, 2, 2)), 384),
    "cells in space": (meiro.Lattice(8, meiro.lattices.box(2, 2, 2).edges, list(np.ndindex(2, 2, 2))), 48),
    "cube": (all_maps(meiro.lattices.cube(1)), 48),
    "large cube": (all_maps(meiro.lattices.cube(2)), 48),
    "moebius": (all_maps(meiro.lattices.moebius(2, 5)), 20),
}
lattices = pytest.mark.parametrize(("given", "n"), LATTICES.values(), ids=LATTICES)


@lattices
def test_forms_on_lattices_are_equal_for_images_only(given: Any, n: int) -> None:
    lattice, far = given if isinstance(given, tuple) else (given, distances(given.positions))
    maps = isometries(lattice, far)
    assert len(maps) == n
    drawn = meiro.generate_many(lattice, "percolation", 100, rng=1)
    ways = [np.array(maps[i % n])[maze.edges()] for i, maze in enumerate(drawn)]
    images = [meiro.GraphMaze.from_edges(lattice, ends) for ends in ways]
    many = drawn + meiro.GraphBatch(images)
    numbers = {frozenset(pair): edge for edge, pair in enumerate(lattice.edges.tolist())}
    moved = np.array([[numbers[frozenset(m[cell] for cell in pair)] for pair in lattice.edges] for m in maps])
    orbits = [min(open_[image].tobytes() for image in moved) for open_ in many.open]

    keys = forms_of(many, symmetries=True).keys()
    assert_same_classes(keys, orbits)
    assert len(many.unique(symmetries=True)) == len({*keys}) < len(many.unique())
    parts = [{orbits[i] for i in np.flatnonzero(part)} for part in each_in_parts(many)]
    assert sum(map(len, parts)) == len({*orbits})


def each_in_parts(many: meiro.GraphBatch) -> list[NDArray[np.bool_]]:
    """Return which mazes are in each of three parts without images of each other."""
    parts = meiro.split(many, parts=(0.5, 0.3, 0.2), symmetries=True)
    rows = [{maze.open.tobytes() for maze in part} for part in parts]
    return [np.array([maze.open.tobytes() in part for maze in many]) for part in rows]


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 2, 3)])
def test_boxes_with_exchanged_sides_have_forms_in_common(shape: tuple[int, ...]) -> None:
    box = meiro.lattices.box(*shape)
    numbers = np.arange(box.n_cells).reshape(shape)
    for mazes in (meiro.generate_many(box, n=20, rng=1), meiro.generate_many(box.mask([0, 1, 2, 4, 7]), n=9)):
        keys = forms_of(mazes, symmetries=True).keys()
        cells = np.array(mazes.lattice.recipe.get("mask", range(box.n_cells)))
        for axes in itertools.permutations(range(3)):
            turned_ = numbers[::-1].transpose(axes)
            other = meiro.lattices.box(*turned_.shape)
            to = np.empty(box.n_cells, int)
            to[turned_.reshape(-1)] = np.arange(box.n_cells)
            stays = np.sort(to[cells])
            lattice = other if len(cells) == box.n_cells else other.mask(stays)
            ways = [np.searchsorted(stays, to[cells][maze.edges()]) for maze in mazes]
            images = [meiro.GraphMaze.from_edges(lattice, ends) for ends in ways]
            assert forms_of(meiro.GraphBatch(images), symmetries=True).keys() == keys


def test_openings_of_a_strip_of_moebius_move_along() -> None:
    """A step along the strip, cell by cell: beyond the last column what was above is below."""
    strip = meiro.lattices.moebius(3, 4)
    many = meiro.with_openings(meiro.generate_many(strip, n=200, rng=1), "random", rng=2)
    row, col = np.divmod(np.arange(12), 4)
    to = np.where(col == 3, 4 * (2 - row), 4 * row + col + 1)
    images = []
    for maze in many:
        cells, sides = maze.openings.T
        turned_ = np.where(col[cells] == 3, 2 - sides, sides)
        image = meiro.GraphMaze.from_edges(strip, to[maze.edges()])
        images.append(meiro.with_openings(image, np.stack([to[cells], turned_], axis=1)))
    keys = forms_of(many, symmetries=True).keys()
    assert forms_of(meiro.GraphBatch(images), symmetries=True).keys() == keys
    assert len({*keys}) > 100


def test_too_many_symmetries_are_said() -> None:
    box = meiro.lattices.box(shape=[2] * 10)
    with pytest.raises(MemoryError, match="the 3,715,891,200 symmetries of <Lattice box: 1,024 cells"):
        meiro.split(meiro.generate_many(box, n=2, rng=1), symmetries=True)


def as_squares(maze: meiro.GraphMaze, shape: tuple[int, int]) -> meiro.Maze:
    """Return a maze on a lattice of squares as one of rows and columns."""
    lattice = maze.lattice
    places: Any = lattice.positions
    rows, cols = np.divmod(np.arange(lattice.n_cells), shape[1])
    grid = np.ones((2 * shape[0] + 1, 2 * shape[1] + 1), np.uint8)
    grid[1::2, 1::2] = 0
    for a, b in maze.edges().tolist():
        grid[rows[a] + rows[b] + 1, cols[a] + cols[b] + 1] = 0
    rim = rim_of(lattice)
    for cell, middle in zip(maze.openings[:, 0], rim.middles[rim.find(maze.openings)], strict=True):
        right, down = np.sign(np.round(middle - places[cell], 6)).astype(int)
        grid[2 * rows[cell] + 1 + down, 2 * cols[cell] + 1 + right] = 0
    return meiro.Maze.from_grid(grid)


def test_a_lattice_of_squares_has_the_symmetries_of_squares() -> None:
    square = meiro.lattices.square(2, 3)
    many = meiro.with_openings(meiro.generate_many(square, n=300, rng=1), "random", rng=2)
    same = meiro.MazeBatch([as_squares(maze, (2, 3)) for maze in many])
    keys = forms_of(many, symmetries=True).keys()
    assert_same_classes(keys, forms_of(same, symmetries=True).keys())
    assert_same_classes(forms_of(many, symmetries=False).keys(), list(same))
    across = meiro.transpose(many)
    assert across.lattice != square
    assert forms_of(across, symmetries=True).keys() == keys


def test_masks_of_a_lattice_move_along() -> None:
    whole = meiro.lattices.hexagonal(3, 3)
    for cells in ([0, 1, 3], [0, 3, 6], [0, 1, 2, 3, 4]):
        many = meiro.generate_many(whole.mask(cells), "percolation", 30, rng=1)
        for axis in (0, 1):
            try:
                other = meiro.flip(many, axis)
            except ValueError:
                continue
            assert forms_of(other, symmetries=True).keys() == forms_of(many, symmetries=True).keys()


def test_a_graph_without_places_has_no_symmetries_but_the_exchange_of_ends() -> None:
    ring = meiro.Lattice(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    many = meiro.generate_many(ring, n=100, rng=1)
    assert len(many.unique()) == len(many.unique(symmetries=True)) == 4
    ends: list[Any] = [(0, 2), (2, 0)]
    one, other = (meiro.with_ends(many, pair) for pair in ends)
    assert [*map(len, leaks(one[:1], other[:1]).solution)] == [0, 0, 1]


@pytest.mark.parametrize("symmetries", [False, True])
def test_no_mirror_image_of_a_test_maze_is_in_train(symmetries: bool) -> None:  # noqa: FBT001
    many = meiro.generate_many((4, 4), n=50_000, rng=7).unique()
    train, test = meiro.split(many, symmetries=symmetries)
    known = {maze.tobytes() for maze in train.passages}
    for images in (meiro.flip(test, 1), meiro.rotate(test), meiro.transpose(test)):
        share = np.mean([maze.tobytes() in known for maze in images.passages])
        assert share == 0 if symmetries else share > 0.25
    assert abs(len(test) / len(many) - 0.2) < 0.02


def parts_of(batch: Any, **options: Any) -> NDArray[np.int64]:
    """Return the number of the part of each maze, which its replicate tells."""
    found = np.full(len(batch), -1)
    for k, part in enumerate(meiro.split(batch, **options)):
        found[part.replicates.astype(np.int64)] = k
    return found


@pytest.mark.parametrize("shape", [(3, 4), meiro.lattices.hexagonal(3, 4)], ids=["squares", "hexagons"])
def test_the_part_depends_on_the_maze_alone(shape: Any) -> None:
    many = meiro.generate_many(shape, n=500, rng=1)
    options: dict[str, Any] = {"parts": (0.5, 0.3, 0.2), "symmetries": True}
    parts = parts_of(many, **options)
    assert {*parts.tolist()} == {0, 1, 2}
    order = np.random.default_rng(1).permutation(500)
    assert [list(part) for part in meiro.split(many[order], **options)] == [
        [many[int(i)] for i in order if parts[i] == k] for k in range(3)
    ]
    starts, goals = meiro.endpoints(many, rng=1)
    for ends in ((starts, goals), (goals, starts)):
        sides = meiro.split(many, *ends, **options)
        for k, part in enumerate(sides):
            assert part.replicates.tolist() == np.flatnonzero(parts == k).tolist()
        assert all(np.array_equal(part.starts, ends[0][parts == k]) for k, part in enumerate(sides))


def test_parts_are_shares_and_their_last_one_is_test() -> None:
    many = meiro.generate_many((5, 5), n=20_000, rng=1)
    for test in (0.2, 0.7):
        pair = meiro.split(many, test=test)
        assert meiro.split(many, parts=[1 - test, test]) == pair
        listed: Any = list(many[:50])
        assert meiro.split(listed, parts=(1 - test, test)) == meiro.split(many[:50], test=test)
    shares = (0.6, 0.0, 0.25, 0.1, 0.05)
    parts = meiro.split(many, parts=shares, symmetries=True)
    assert sum(map(len, parts)) == len(many)
    assert np.allclose([len(part) / len(many) for part in parts], shares, atol=0.015)
    assert [len(part) for part in meiro.split(many, parts=np.full(10, 0.1))] != []
    assert meiro.split(many, parts=(1,)) == (many,)


@pytest.mark.parametrize("shape", [(3, 4), (1, 1), meiro.lattices.hexagonal(3, 4), meiro.Lattice(1, [])])
def test_no_mazes_and_no_walls_are_split_too(shape: Any) -> None:
    many = meiro.generate_many(shape, n=5, rng=1)
    for symmetries in (False, True):
        assert sorted(len(part) for part in meiro.split(many, parts=(0.5, 0.5), symmetries=symmetries))[1] > 0
        assert [len(part) for part in meiro.split(many[:0], symmetries=symmetries)] == [0, 0]
        assert len(many[:0].unique(symmetries=symmetries)) == 0
    assert [*map(len, leaks(many, many[:0]).equal)][1:] == [0, 0]


def test_what_is_wrong_with_parts_is_said() -> None:
    for options, error, words in (
        ({"parts": (0.8, 0.3)}, ValueError, r"parts must have the sum 1, not 1\.1: \(0\.8, 0\.3\)"),
        ({"parts": ()}, ValueError, r"parts must have the sum 1, not 0: \(\)"),
        ({"parts": (1.5, -0.5)}, ValueError, r"parts\[0\] must be in \[0, 1\], not 1\.5"),
        ({"parts": ("all",)}, TypeError, r"parts\[0\] must be a number, not 'all'"),
        ({"parts": 0.8}, TypeError, r"parts must be shares, as \(0\.8, 0\.1, 0\.1\), not 0\.8"),
        ({"parts": (0.5, 0.5), "test": 0.5}, TypeError, r"give test= or parts=, not both: test=0\.5"),
        ({"symmetries": 1}, TypeError, "symmetries must be True or False, not 1"),
    ):
        refused(error, words, meiro.split, meiro.generate_many((3, 3), n=3, rng=1), **options)


@pytest.mark.parametrize("shape", [(4, 4), meiro.lattices.hexagonal(3, 4)], ids=["squares", "hexagons"])
def test_samples_are_split_with_their_arrays(shape: Any) -> None:
    samples = supervised(shape, n=300, target="distances", rng=1)
    parts = meiro.split(samples, parts=(0.5, 0.25, 0.25), symmetries=True)
    wanted = meiro.split(samples.mazes, parts=(0.5, 0.25, 0.25), symmetries=True)
    for part, mazes in zip(parts, wanted, strict=True):
        assert part.mazes == mazes
        again = supervised(mazes, target="distances")
        for mine, theirs in zip([*part.inputs, *part[1:3]], [*again.inputs, *again[1:3]], strict=True):
            assert np.array_equal(mine, theirs)
    assert len(repr(samples)) < 200
    with pytest.raises(TypeError, match="starts= is for mazes: samples have starts and goals"):
        meiro.split(samples, (0, 0), (1, 1))


# What two sets have in common


def solution_of(maze: meiro.Maze) -> Hashable:
    """Return the least image of the cells of the path, from either end."""
    path = np.array(meiro.solve(maze).path)
    found = []
    for k, mirrored in TURNS:
        board = np.empty(maze.passages.shape, object)
        for cell in np.ndindex(board.shape):
            board[cell] = cell
        image = turned(board, k, mirrored)
        at = {cell: place for place, cell in np.ndenumerate(image)}
        moved = tuple(at[tuple(cell)] for cell in path.tolist())
        found += [(image.shape, moved), (image.shape, moved[::-1])]
    return min(found)


def pairs(one: list[Hashable], other: list[Hashable] | None = None) -> list[list[int]]:
    """All pairs of a maze and the first that is like it, by comparing each with each."""
    among = one if other is None else other
    found = []
    for i, key in enumerate(one):
        twin = among.index(key) if key in among else None
        if twin is not None and (other is not None or twin != i):
            found.append([i, twin])
    return found


@pytest.mark.parametrize("wrap", [(False, False), (True, True)])
def test_leaks_are_those_of_all_pairs(wrap: tuple[bool, bool]) -> None:
    many = meiro.with_ends(meiro.generate_many((3, 3), n=120, rng=1, wrap=wrap), "farthest")
    train, test = many[:80], many[80:]
    found = leaks(train, test)
    keys: dict[str, Any] = {"equal": hash, "symmetric": orbit}
    if not any(wrap):
        keys["solution"] = solution_of
    for name, key in keys.items():
        one, other = ([key(maze) for maze in mazes] for mazes in (train, test))
        twins = getattr(found, name)
        assert twins.train.tolist() == pairs(one)
        assert twins.test.tolist() == pairs(other)
        assert twins.across.tolist() == pairs(other, one)
    assert len(found.symmetric.across) > len(found.equal.across)
    lines = str(found).splitlines()
    assert lines[0] == "<Leaks: 80 mazes in train, 40 in test>"
    assert [line.split()[0] for line in lines[2:]] == ["equal", "symmetric", "solution"]
    assert [int(word) for word in lines[3].split()[1:]] == [len(each) for each in found.symmetric]


def test_leaks_of_solutions_on_a_torus_and_on_hexagons() -> None:
    torus = meiro.generate_many((4, 5), n=30, rng=1, wrap=(True, True))
    rolled = meiro.MazeBatch.from_passages(np.roll(torus.passages, (1, 2), (1, 2)), wrap=(True, True))
    starts, goals = meiro.endpoints(torus, rng=1)
    one = meiro.with_ends(torus, (starts, goals))
    ends: Any = [np.add(cells, (1, 2)) % (4, 5) for cells in (goals, starts)]
    other = meiro.with_ends(rolled, ends)
    assert {*range(30)} == {*leaks(one, other).solution.across[:, 0].tolist()}
    assert len(leaks(one, torus).solution.across) < 30
    hexagons = meiro.with_ends(meiro.generate_many(meiro.lattices.hexagonal(4, 4), n=30, rng=1), "farthest")
    turned_ = meiro.rotate(hexagons, 2)
    assert {*range(30)} == {*leaks(hexagons, turned_).solution.across[:, 0].tolist()}


def test_leaks_of_mazes_without_a_path_and_of_other_kinds() -> None:
    closed = meiro.MazeBatch.from_passages(np.zeros((3, 2, 2), np.uint8))
    found = leaks(closed, closed)
    assert [*map(len, found.solution)] == [0, 0, 0]
    assert [*map(len, found.equal)] == [2, 2, 3]
    others = meiro.generate_many(meiro.lattices.square(2, 2), n=3, rng=1)
    assert [len(twins.across) for twins in leaks(closed, others)[:3]] == [0, 0, 0]
    refused(TypeError, "test must be a MazeBatch, a GraphBatch", leaks, closed, 3)


def test_edges_of_samples_are_those_that_networks_on_graphs_take() -> None:
    samples = supervised(meiro.lattices.hexagonal(3, 4), n=5, rng=1)
    index = samples.edge_index
    n_edges = samples.mazes.lattice.n_edges
    assert index.shape == (2, 2 * n_edges)
    assert index.dtype == np.int64
    open_ = np.tile(samples.inputs.open, 2)
    for i, maze in enumerate(samples.mazes):
        ways = {tuple(pair) for pair in index[:, open_[i] == 1].T.tolist()}
        assert ways == {pair for a, b in maze.edges() for pair in ((a, b), (b, a))}
    with pytest.raises(TypeError, match="edge_index is of mazes on a lattice"):
        _ = supervised((3, 3), n=2, rng=1).edge_index


@pytest.mark.clock
def test_forms_take_little_more_than_a_turn() -> None:
    """Of mazes of 16 x 16: eight are compared, and one is written. A million a second are eight turns."""
    many = meiro.generate_many((16, 16), n=20_000, rng=1)
    turn, forms = (
        min(seconds(call) for _ in range(TRIES))
        for call in (
            lambda: _core.turned(many.passages, (True, False, True), True, 1, None),  # noqa: FBT003  # passages
            lambda: forms_of(many, symmetries=True),
        )
    )
    assert forms < 8 * turn
