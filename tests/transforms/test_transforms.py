"""Transforms: what each documents of its maze, by slow versions, exact laws and networkx."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import networkx as nx
import numpy as np
import pytest
import sampling
from arbitrary_mazes import beside, rim_of, some_maze
from numpy.typing import NDArray
from periodic_mazes import WRAPS, lattice_of, maze_of, periodic_maze
from reference_graphs import existing, graph_of
from refusals import refused
from scipy.stats import chisquare
from timing import SILENCE, silence

import meiro
from meiro import Maze, _core
from meiro._utils.square import Cell, E, N, S, W

Wall = frozenset["Cell"]
SEEDS = range(50)
HOWS = ("left_right", "top_bottom", "half_turn")
ONE_BIT = (N, E, S, W)
OPEN = Maze.from_wall_ids((2, 3), [])
COMB = Maze([[6, 14, 14, 12], [1, 1, 1, 1]])
"""A row of four dead ends under a corridor."""
RING = Maze([[4, 2, 14, 8], [5, 4, 5, 0], [3, 11, 11, 8], [0, 0, 0, 0]])
"""Dead ends around a loop's corner, and cells without any passage."""

ANYTHING: Any = meiro  # what users may do wrong

EVERY: dict[str, Callable[[Maze, int], Maze]] = {
    "braid": lambda maze, rng: meiro.braid(maze, rng=rng),
    "braid_some": lambda maze, rng: meiro.braid(maze, 0.4, rng=rng),
    "add_loops": lambda maze, rng: meiro.add_loops(maze, share=0.3, rng=rng),
    "join_regions": lambda maze, rng: meiro.join_regions(maze, rng=rng),
    "remove_islands": lambda maze, rng: meiro.remove_islands(maze, rng=rng),
    "sparsify": lambda maze, _: meiro.sparsify(maze, 2),
    "fill_dead_ends": lambda maze, _: meiro.fill_dead_ends(maze),
    "left_right": lambda maze, rng: meiro.symmetric(maze, "left_right", rng=rng),
    "top_bottom": lambda maze, rng: meiro.symmetric(maze, "top_bottom", rng=rng),
    "half_turn": lambda maze, rng: meiro.symmetric(maze, "half_turn", rng=rng),
}


def cells_of(maze: Maze) -> set[Cell]:
    return set(graph_of(maze))


def whole(maze: Maze) -> nx.Graph[Cell]:
    """All cells that exist, joined with all their neighbours."""
    graph: nx.Graph[Cell] = lattice_of(maze.passages.shape, maze.wrap).subgraph(cells_of(maze)).copy()
    return graph


def edges(graph: nx.Graph[Cell]) -> set[Wall]:
    return {frozenset(edge) for edge in graph.edges}


def loops(graph: nx.Graph[Cell]) -> int:
    found: int = graph.number_of_edges() - graph.number_of_nodes() + nx.number_connected_components(graph)
    return found


def regions(graph: nx.Graph[Cell]) -> set[frozenset[Cell]]:
    return {frozenset(part) for part in nx.connected_components(graph)}


def degrees(maze: Maze) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.bitwise_count(maze.passages).astype(np.int64)
    return found


def with_openings(maze: Maze) -> Maze:
    """The same with openings anywhere on the rim, if it has any, start and goal."""
    there, rim = np.argwhere(existing(maze)), rim_of(maze)
    ends = {"start": tuple(there[0].tolist()), "goal": tuple(there[-1].tolist())}
    return Maze(maze.passages, maze.mask, rim[:: max(1, len(rim) // 3)][::-1], wrap=maze.wrap, **ends)


@pytest.mark.parametrize("name", EVERY)
def test_transforms_are_the_same_for_the_same_seed(name: str) -> None:
    for seed in SEEDS:
        maze = some_maze(seed) if seed % 2 else with_openings(some_maze(seed))
        try:
            made = EVERY[name](maze, seed)
        except ValueError as error:
            assert "the half that 'left_right' takes contains no cell" in str(error)  # noqa: PT017  # in a few of them
            continue
        whole_again = Maze(made.passages, made.mask, made.openings, wrap=made.wrap)
        assert made == whole_again == EVERY[name](maze, seed)
        assert not made.passages.flags.writeable
        assert not made.openings.flags.writeable
        assert made.algorithm is None
        assert made.wrap == maze.wrap
        if made.seed is not None:
            assert made == EVERY[name](maze, made.seed)  # type: ignore[arg-type]  # a Seed is a seed
        if name not in HOWS:
            assert np.array_equal(made.openings, maze.openings)
            assert (made.start, made.goal) == (maze.start, maze.goal)
        if name not in {*HOWS, "sparsify", "fill_dead_ends"}:
            assert cells_of(made) == cells_of(maze)


# braid


def candidates(graph: nx.Graph[Cell], lattice: nx.Graph[Cell], cell: Cell) -> list[Cell]:
    return [other for other in lattice[cell] if other not in graph[cell] and graph.degree(other)]


def braid_law(maze: Maze, p: Fraction = Fraction(1)) -> dict[frozenset[Wall], Fraction]:
    """Every set of walls that may be opened, with its probability: the rule of the docstring, in words."""
    graph, lattice = graph_of(maze), whole(maze)
    ends = [cell for cell, degree in graph.degree if degree == 1]
    ways = {end: candidates(graph, lattice, end) for end in ends}

    @cache
    def rounds(asking: frozenset[Cell]) -> dict[frozenset[Wall], Fraction]:
        beside = {end: [other for other in ways[end] if other in asking] for end in asking}
        done = [end for end in asking if not beside[end]]
        pairing = sorted(asking - set(done))
        law: dict[frozenset[Wall], Fraction] = {}
        able = [end for end in done if ways[end]]
        for opened in itertools.product(*(ways[end] for end in able)):
            share = Fraction(1, math.prod(len(ways[end]) for end in able))
            add(law, frozenset(map(frozenset, zip(able, opened, strict=True))), share)
        if not pairing:
            return law
        pairs: dict[frozenset[Wall], Fraction] = {}
        for asked in itertools.product(*(beside[end] for end in pairing)):
            asks = dict(zip(pairing, asked, strict=True))
            mutual = frozenset(frozenset({a, b}) for a, b in asks.items() if asks[b] == a)
            add(pairs, mutual, Fraction(1, math.prod(len(beside[end]) for end in pairing)))
        again = pairs.pop(frozenset(), Fraction(0))  # nothing has happened: the same once more
        both: dict[frozenset[Wall], Fraction] = {}
        for joined, share in pairs.items():
            rest = frozenset(pairing) - {cell for wall in joined for cell in wall}
            for (first, q), (then, r) in itertools.product(law.items(), rounds(rest).items()):
                add(both, first | joined | then, share / (1 - again) * q * r)
        return both

    law: dict[frozenset[Wall], Fraction] = {}
    for taken in itertools.product((False, True), repeat=len(ends)):
        share = math.prod((p if take else 1 - p for take in taken), start=Fraction(1))
        chosen = frozenset(end for end, take in zip(ends, taken, strict=True) if take)
        for opened, q in rounds(chosen).items() if share else ():
            add(law, opened, share * q)
    return law


def add(law: dict[Any, Fraction], key: Any, share: Fraction) -> None:
    law[key] = law.get(key, Fraction(0)) + share


def follows(law: dict[frozenset[Wall], Fraction], seen: Iterable[frozenset[Wall]]) -> float:
    """Return the p-value; 0 for what cannot be."""
    counts = dict.fromkeys(law, 0)
    for opened in seen:
        if opened not in counts:
            return 0.0
        counts[opened] += 1
    total = sum(counts.values())
    assert sum(law.values()) == 1
    return float(chisquare(list(counts.values()), [float(q) * total for q in law.values()]).pvalue)


def opened_by(what: Callable[[meiro.Seed], Maze], samples: int, before: set[Wall]) -> list[frozenset[Wall]]:
    """The walls that are open and were not before, for each of `samples` mazes."""

    @cache
    def opened(passages: bytes, shape: tuple[int, int], wrap: tuple[bool, bool]) -> frozenset[Wall]:
        bytes_ = np.frombuffer(passages, np.uint8).reshape(shape)
        return frozenset(edges(graph_of(Maze(bytes_, wrap=wrap))) - before)

    many = (what(meiro.Seed((5, 6), i)) for i in range(samples))
    return [opened(one.passages.tobytes(), one.passages.shape, one.wrap) for one in many]


def torus_comb() -> Maze:
    """Three columns of a torus are joined by a ring; their other ends are adjacent over the border."""
    graph = nx.Graph([((0, c), (0, (c + 1) % 3)) for c in range(3)])
    graph.add_edges_from(((r, c), (r + 1, c)) for r in range(2) for c in range(3))
    return maze_of(graph, (3, 3), (False, True))


@pytest.mark.laws
@pytest.mark.parametrize(
    ("maze", "p"),
    [(COMB, 1.0), (COMB, 0.5), (RING, 1.0), (RING, 0.75), (torus_comb(), 1.0), (torus_comb(), 0.25)],
    ids=["comb", "comb_half", "ring", "ring_some", "torus", "torus_some"],
)
def test_braid_follows_its_rule(maze: Maze, p: float) -> None:
    before, law = edges(graph_of(maze)), braid_law(maze, Fraction(p))
    assert 2 <= len(law) < 200
    seen = opened_by(lambda seed: meiro.braid(maze, p, rng=seed), 4000, before)
    assert follows(law, seen) > sampling.FALSE_ALARM
    assert follows(law, [next(iter(law))] * 4000) < sampling.FALSE_ALARM


def test_braid_leaves_no_dead_end_that_could_go() -> None:
    for seed in SEEDS:
        maze = some_maze(seed)
        made = meiro.braid(maze, rng=seed)
        graph, after, lattice = graph_of(maze), graph_of(made), whole(maze)
        opened = edges(after) - edges(graph)
        assert edges(graph) <= edges(after)
        for wall in opened:
            assert any(graph.degree(cell) == 1 for cell in wall)
            assert all(graph.degree(cell) for cell in wall)
        for cell, degree in after.degree:
            if degree == 1:
                assert not candidates(graph, lattice, cell)
        ends = sum(degree == 1 for _, degree in graph.degree)
        assert len(opened) <= ends
        assert meiro.braid(maze, 0, rng=seed) == maze


def test_braid_takes_about_the_share() -> None:
    maze = meiro.generate((400, 400), "binary_tree", rng=3)  # few of its dead ends are side by side
    before = np.isin(maze.passages, ONE_BIT)
    for p in (0.1, 0.5, 0.9):
        opened = (meiro.braid(maze, p, rng=3).passages != maze.passages) & before
        assert p - 0.02 < opened.sum() / before.sum() < p + 0.15


# add_loops, join_regions, remove_islands


def test_add_loops_counts_the_walls_between_cells_that_exist() -> None:
    for seed in SEEDS:
        maze = some_maze(seed)
        standing = len(edges(whole(maze)) - edges(graph_of(maze)))
        for share in (0.0, 0.25, 0.5, 1.0):
            made = meiro.add_loops(maze, share=share, rng=seed)
            before, after = edges(graph_of(maze)), edges(graph_of(made))
            assert before <= after
            assert len(after - before) == round(Fraction(share) * standing)
        assert meiro.add_loops(maze, standing, rng=seed) == made
        with pytest.raises(ValueError, match=f"n is {standing + 1}, but the maze has only {standing} walls"):
            meiro.add_loops(maze, standing + 1, rng=seed)


@pytest.mark.laws
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_add_loops_is_uniform(n: int) -> None:
    maze = Maze(np.zeros((2, 3), np.uint8))
    subsets = [frozenset(s) for s in itertools.combinations(edges(whole(maze)), n)]
    seen = opened_by(lambda seed: meiro.add_loops(maze, n, rng=seed), 3000, set())
    assert follows(dict.fromkeys(subsets, Fraction(1, len(subsets))), seen) > sampling.FALSE_ALARM


def kruskal_law(what: Callable[[Any], Maze]) -> float:
    sample = np.stack([what(meiro.Seed((2, 3), i)).passages for i in range(8000)])
    return sampling.p_value(sampling.numbers(sample), sampling.load("random_mst", (2, 3)))


def test_join_regions_and_remove_islands_are_kruskal() -> None:
    none = Maze(np.zeros((2, 3), np.uint8))
    assert kruskal_law(lambda seed: meiro.join_regions(none, rng=seed)) > sampling.FALSE_ALARM
    assert kruskal_law(lambda seed: meiro.remove_islands(OPEN, rng=seed)) > sampling.FALSE_ALARM


def test_join_regions_joins_all_and_adds_no_loop() -> None:
    for seed in SEEDS:
        maze = some_maze(seed)
        graph, after = graph_of(maze), graph_of(meiro.join_regions(maze, rng=seed))
        assert edges(graph) <= edges(after)
        assert regions(after) == regions(whole(maze))
        assert loops(after) == loops(graph)


def test_islands_are_removed_by_random_numbers_of_their_own() -> None:
    """Not by the weights of the maze that the same seed makes."""
    room = Maze.from_wall_ids((30, 30), [])
    assert meiro.remove_islands(room, rng=7) != meiro.generate((30, 30), "kruskal", rng=7)


def test_remove_islands_leaves_the_regions_as_trees() -> None:
    for seed in SEEDS:
        maze = some_maze(seed)
        trees = meiro.remove_islands(maze, rng=seed)
        graph, after = graph_of(maze), graph_of(trees)
        assert edges(after) <= edges(graph)
        assert regions(after) == regions(graph)
        assert loops(after) == 0
        assert meiro.join_regions(trees, rng=seed).is_perfect


# sparsify, fill_dead_ends


def filled(maze: Maze, kept: set[Cell], rounds: int) -> nx.Graph[Cell]:
    """The rule of the docstring, slowly."""
    graph = graph_of(maze)
    kept = kept | {beside(maze, site) for site in maze.openings.tolist()}
    for _ in range(rounds):
        ends = {cell for cell, degree in graph.degree if degree == 1} - kept
        stay = {cell for cell in ends for other in graph[cell] if other in ends and cell < other}
        if not ends:
            break
        graph.remove_nodes_from(ends - stay)
    return graph


@pytest.mark.parametrize("n", [0, 1, 2, 5, 10**30])
def test_sparsify_round_by_round(n: int) -> None:
    for seed in SEEDS:
        maze = some_maze(seed) if seed % 3 else with_openings(some_maze(seed))
        made = meiro.sparsify(maze, n)
        expected = filled(maze, {end for end in (maze.start, maze.goal) if end}, min(n, 1000))
        assert cells_of(made) == set(expected)
        assert edges(graph_of(made)) == edges(expected)
        assert loops(expected) == loops(graph_of(maze))
        assert made.is_perfect >= maze.is_perfect


def test_fill_dead_ends_keeps_given_cells() -> None:
    for seed in SEEDS:
        maze = some_maze(seed) if seed % 3 else with_openings(some_maze(seed))
        cells = sorted(cells_of(maze))
        ends = [end for end in (maze.start, maze.goal) if end] or [cells[0], cells[-1]]
        several = [cells[(7 * seed + 13 * k) % len(cells)] for k in range(seed % 4)]
        from_the_end = (cells[0][0] - maze.rows, cells[0][1])
        for keep, kept in ((None, ends), (several, several), ([from_the_end], [cells[0]])):
            made = meiro.fill_dead_ends(maze, keep=keep)
            expected = filled(maze, set(kept), 1000)
            assert cells_of(made) == set(expected)
            assert edges(graph_of(made)) == edges(expected)


# unicursal


def check_one_path(maze: Maze) -> None:
    made = meiro.unicursal(maze)
    assert made.is_perfect
    assert made.passages.shape == (2 * maze.rows, 2 * maze.cols)
    assert made.wrap == maze.wrap
    quarters = itertools.product(cells_of(maze), (0, 1), (0, 1))
    assert cells_of(made) == {(2 * r + i, 2 * c + j) for (r, c), i, j in quarters}
    start, goal = made.start, made.goal
    assert start is not None
    assert goal is not None
    ends = {(r, c) for r, c in cells_of(made) if degrees(made)[r, c] == 1}
    assert ends == {start, goal}
    assert {degrees(made)[cell] for cell in cells_of(made) - ends} <= {2}
    assert goal in whole(made)[start]  # the two are beside each other
    path = meiro.solve(made).path
    assert len(path) == 4 * len(cells_of(maze))
    graph = graph_of(maze)
    passed: dict[Wall, int] = {}
    for a, b in itertools.pairwise(map(tuple, (path // 2).tolist())):
        assert a == b or b in graph[a]  # within a cell, or through a passage
        if a != b:
            passed[frozenset({a, b})] = passed.get(frozenset({a, b}), 0) + 1
    assert sum(passed.values()) >= 2 * graph.number_of_edges() - 1
    assert max(passed.values(), default=2) == 2  # there and back


def test_unicursal_of_every_perfect_maze(perfect: str) -> None:
    facts = meiro.ALGORITHMS[perfect]
    maze = meiro.generate((8, 11), perfect, rng=7, wrap=(facts.wraps, facts.wraps))
    if maze.is_perfect and meiro.check(maze).regions == 1:
        check_one_path(maze)
    if facts.masks:
        mask = np.ones((8, 11), bool)
        mask[3:5, :7] = False
        check_one_path(meiro.remove_islands(meiro.generate(None, perfect, rng=7, mask=mask), rng=1))


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (4, 1), (2, 2)])
@pytest.mark.parametrize("start", [None, (0, 0), (-1, -1)])
def test_unicursal_of_small_mazes(shape: tuple[int, int], start: Cell | None) -> None:
    maze = meiro.generate(shape, rng=1)
    check_one_path(Maze(maze.passages, start=start))


@pytest.mark.parametrize("wrap", WRAPS)
def test_unicursal_of_periodic_mazes(wrap: tuple[bool, bool]) -> None:
    for seed in range(8):
        check_one_path(periodic_maze((4, 5), wrap, seed))


def test_unicursal_of_a_cell_open_on_all_sides() -> None:
    for wrap in ((False, False), (True, True)):
        cross = np.zeros((3, 3), np.uint8)
        cross[1, 1], cross[0, 1], cross[1, 2], cross[2, 1], cross[1, 0] = 15, S, W, N, E
        check_one_path(Maze(cross, cross != 0, start=(1, 1), wrap=wrap))


@pytest.mark.parametrize("opening", [(0, 3), (3, 0), (6, 1), (5, 6)])
def test_unicursal_is_cut_at_the_opening(opening: Cell) -> None:
    maze = meiro.generate((3, 3), rng=5)
    made = meiro.unicursal(Maze(maze.passages, openings=[opening]))
    sides = [[2 * place + (k if place % 2 else 0) for place in opening] for k in (-1, 1)]
    assert made.openings.tolist() == sides
    grid = meiro.solve(made.grid == 1)  # from one opening to the other
    assert grid.length == 2 * len(meiro.solve(made).path)


def test_unicursal_refuses_other_mazes() -> None:
    refused(ValueError, "not one of 2 loops: meiro.remove_islands", meiro.unicursal, OPEN)
    refused(ValueError, "not one of 2 regions: meiro.join_regions", meiro.unicursal, Maze([[2, 8, 0]]))
    with pytest.raises(ValueError, match=r"not one of 2 regions: meiro.join_regions, or a connected mask"):
        meiro.unicursal(Maze([[2, 8, 0, 2, 8]], [[1, 1, 0, 1, 1]]))


# symmetric


def imaged(array: NDArray[Any], how: str) -> NDArray[Any]:
    over = {"left_right": (1,), "top_bottom": (0,), "half_turn": (0, 1)}[how]
    return np.flip(array, over)


def half_of(shape: tuple[int, int], how: str) -> NDArray[np.bool_]:
    """Where a cell comes before its image, or is it."""
    number = np.arange(math.prod(shape)).reshape(shape)
    found: NDArray[np.bool_] = number <= imaged(number, how)
    return found


@pytest.mark.parametrize("how", HOWS)
def test_symmetric_is_its_own_image(how: str) -> None:
    for seed in SEEDS:
        maze = some_maze(seed)
        shape = maze.passages.shape
        there = existing(maze)
        half = half_of(shape, how)
        if not (there & half).any():
            continue
        made = meiro.symmetric(with_openings(maze), how, rng=seed)  # type: ignore[arg-type]  # one of them
        assert (imaged(made.grid, how) == made.grid).all()
        expected = (there & half) | imaged(there & half, how)
        assert cells_of(made) == {(int(r), int(c)) for r, c in np.argwhere(expected)}
        # What was open within the half is open still.
        within = {cell for cell in cells_of(maze) if half[cell] and not imaged(half, how)[cell]}
        assert edges(graph_of(maze).subgraph(within)) <= edges(graph_of(made))
        if seed % 2 == 0 or maze.mask is None:
            assert regions(graph_of(made)) == regions(whole(made))


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("shape", [(4, 6), (4, 7), (5, 6), (5, 7), (1, 4), (1, 5), (6, 1), (1, 1), (2, 2)])
def test_symmetric_of_a_perfect_maze_with_a_middle_is_perfect(how: Any, shape: tuple[int, int]) -> None:
    for seed in range(12):
        report = meiro.check(meiro.symmetric(meiro.generate(shape, rng=seed), how, rng=seed))
        no_middle = how == "half_turn" and shape[0] % 2 == 0 and shape[1] % 2 == 0
        assert (report.regions, report.loops) == (1, int(no_middle))


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("how", ["left_right", "top_bottom"])
def test_symmetric_of_periodic_mazes_is_perfect(how: Any, wrap: tuple[bool, bool]) -> None:
    for seed, shape in enumerate([(4, 6), (5, 6), (4, 5), (5, 5)]):
        assert meiro.symmetric(periodic_maze(shape, wrap, seed), how, rng=seed).is_perfect


def test_symmetric_keeps_the_middle() -> None:
    lane = Maze([[2, 10, 8]], openings=[(0, 3)])
    assert meiro.symmetric(lane, "half_turn", rng=1).openings.tolist() == [[0, 3], [2, 3]]
    alone = Maze([[0, 0, 0]], [[False, True, False]])
    assert meiro.symmetric(alone, "left_right", rng=1) == alone
    assert meiro.symmetric(alone, "half_turn", rng=1) == alone


def test_symmetric_door_is_uniform() -> None:
    maze = Maze(np.full((4, 2), N | S, np.uint8) & np.array([[S], [15], [15], [N]], np.uint8))
    rows = [
        int(np.flatnonzero(meiro.symmetric(maze, rng=meiro.Seed((3, 4), i)).passages[:, 0] & E)[0])
        for i in range(2000)
    ]
    assert chisquare(np.bincount(rows, minlength=4)).pvalue > sampling.FALSE_ALARM


# What is refused, and how long it takes


def test_transforms_refuse_bad_arguments() -> None:
    refused(ValueError, "grid", ANYTHING.braid, [[0]])
    refused(TypeError, r"maze must be a maze or many \(.*\), not str", ANYTHING.braid, "maze")
    refused(ValueError, r"p must be in \[0, 1\], not 1.5", ANYTHING.braid, OPEN, 1.5)
    refused(ValueError, "p must be in", ANYTHING.braid, OPEN, math.nan)
    refused(TypeError, "p must be a number, not '1'", ANYTHING.braid, OPEN, "1")
    refused(TypeError, "give either n", ANYTHING.add_loops, OPEN)
    refused(TypeError, "give either n", ANYTHING.add_loops, OPEN, 1, share=0.5)
    refused(ValueError, "n must be at least 0, not -1", ANYTHING.add_loops, OPEN, -1)
    refused(TypeError, "n must be an integer, not 1.0", ANYTHING.add_loops, OPEN, 1.0)
    refused(ValueError, "share must be in", ANYTHING.add_loops, OPEN, share=-1)
    refused(TypeError, "not NoneType: meiro.Maze.from_grid", ANYTHING.join_regions, None)
    refused(ValueError, "grid", ANYTHING.remove_islands, OPEN.grid[1:])
    refused(ValueError, "n must be at least 0, not -2", ANYTHING.sparsify, OPEN, -2)
    refused(TypeError, "n must be an integer", ANYTHING.sparsify, OPEN, "1")
    refused(ValueError, r"keep \(2, 0\) is outside", ANYTHING.fill_dead_ends, OPEN, keep=(2, 0))
    refused(TypeError, r"keep must be \(row, col\), or several", ANYTHING.fill_dead_ends, OPEN, keep=[0.5, 1])
    with pytest.raises(ValueError, match=r"keep \(0, 1\) is masked out"):
        ANYTHING.fill_dead_ends(Maze([[0, 0]], [[1, 0]]), keep=[(0, 0), (0, 1)])
    refused(TypeError, "maze must be a maze or many", ANYTHING.unicursal, 3)
    refused(ValueError, "how must be 'left_right' or", ANYTHING.symmetric, OPEN, "diagonal")
    with pytest.raises(ValueError, match="the half that 'left_right' takes contains no cell"):
        ANYTHING.symmetric(Maze([[0, 0]], [[0, 1]]))


def test_transforms_in_the_core_leave_out_what_leads_over_the_rim() -> None:
    seed, one = (0, 0, 0), (1, None)
    everything = np.full((2, 3, 4), 255, np.uint8)
    chance = np.array([1 << 63], np.uint64)
    for made in (
        _core.transform("braid", (everything, None, (False, False)), seed, chance, *one),
        _core.transform("remove_islands", (everything, None, (False, False)), seed, chance, *one),
        _core.fill_dead_ends((everything, None, (False, False)), np.empty((2, 0), np.int64), 9, *one)[0],
    ):
        assert len(meiro.MazeBatch.from_passages(made)) == 2


large = pytest.mark.parametrize("shape", [(1100, 1100), (1, 1 << 20), (1 << 19, 2)], ids=str)


def maze_for(name: str, shape: tuple[int, int]) -> Maze:
    return meiro.generate(shape, "percolation" if "is" in name else "binary_tree", rng=1)


@pytest.mark.clock
@large
@pytest.mark.parametrize("name", EVERY)
def test_transforms_are_never_silent_for_long(name: str, shape: tuple[int, int]) -> None:
    maze = maze_for(name, shape)
    assert silence(lambda: EVERY[name](maze, 1)) < SILENCE


@large
@pytest.mark.parametrize("name", EVERY)
def test_transforms_take_no_more_scratch_than_they_say(name: str, shape: tuple[int, int]) -> None:
    maze = maze_for(name, shape)
    EVERY[name](maze, 1)
    most = {"braid": 5, "braid_some": 5, "add_loops": 0, "sparsify": 4, "fill_dead_ends": 4}.get(name, 21)
    assert _core.last_call()[1] <= (most + 0.1) * maze.passages.size
