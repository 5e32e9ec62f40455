"""Locks: doors that every path passes, keys that lie before them, and the law by which they are drawn."""

from __future__ import annotations

import dataclasses
import io
import math
import re
from collections import Counter
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.stats
from matplotlib import pyplot as plt
from PIL import Image
from refusals import refused

import meiro
from meiro import lattices
from meiro.drawing.graph_outline import plane_to_plot
from meiro.drawing.matplotlib.overlays import CellLabels
from meiro.drawing.picture import geometry_of
from meiro.spaces.space_of import mazes_of

LOOPS = meiro.with_passages(
    meiro.generate((7, 9), rng=3), open=[((0, 0), (0, 1)), ((3, 3), (3, 4)), ((6, 7), (5, 7))]
)
PARALLEL = meiro.Lattice(6, [(0, 1), (1, 2), (1, 2), (2, 3), (3, 4), (2, 5)], labels=list("abcdef"))
MAZES: dict[str, Any] = {
    "squares": meiro.generate((7, 9), rng=1),
    "openings": meiro.generate((7, 9), rng=2, openings="top_bottom"),
    "loops": LOOPS,
    "torus": meiro.generate((7, 9), rng=4, wrap=(True, True)),
    "mask": meiro.generate(mask=np.arange(63).reshape(7, 9) % 11 != 5, rng=5),
    "a row": meiro.generate((1, 9), rng=1),
    "a column": meiro.generate((9, 1), rng=1),
    "hexagons": meiro.generate(lattices.hexagonal(6, 7), rng=6),
    "polar": meiro.generate(lattices.polar(5), rng=7),
    "box": meiro.generate(lattices.box(2, 4, 5), rng=8),
    "parallel": meiro.GraphMaze(PARALLEL, np.ones(6, bool), start="a", goal="e"),
}


def parts_of(maze: Any) -> tuple[nx.MultiGraph, int, int]:
    """The maze as a graph of numbers, its start and its goal."""
    space = mazes_of(maze)
    start, goals = space.endpoints(None, None)
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(space.size))
    edges = maze.to_networkx().edges()
    graph.add_edges_from((int(space.number(a, "a")), int(space.number(b, "b"))) for a, b in edges)
    return graph, start, int(goals[0])


def doors_of(graph: nx.MultiGraph, start: int, goal: int) -> list[tuple[int, int]]:
    """The bridges between start and goal, in order; without that at the start before which is no room."""
    path = nx.shortest_path(graph, start, goal)
    simple = nx.Graph(graph)
    bridges = {frozenset(edge) for edge in nx.bridges(simple) if graph.number_of_edges(*edge) == 1}
    found = [edge for edge in pairwise(path) if frozenset(edge) in bridges]
    return found[1:] if found and found[0][0] == start and graph.degree(start) == 1 else found


def numbers_of(locks: meiro.Locks) -> tuple[list[list[int]], list[int]]:
    space = mazes_of(locks.maze)
    doors = [[int(space.number(cell, "cell")) for cell in door] for door in locks.doors.tolist()]
    return doors, [int(space.number(key, "key")) for key in locks.keys.tolist()]


def walks_to(graph: nx.MultiGraph, start: int, goal: int, doors: list[Any], keys: list[int]) -> bool:
    """Whether a search of cells with the keys that are held reaches the goal; these open doors."""
    door_at = {frozenset(door): i for i, door in enumerate(doors)}
    todo, seen = [(start, frozenset[int]())], set()
    while todo:
        cell, held = todo.pop()
        held |= {i for i, key in enumerate(keys) if key == cell}
        if (cell, held) in seen:
            continue
        seen.add((cell, held))
        todo += [(to, held) for to in graph[cell] if door_at.get(frozenset((cell, to)), -1) in {-1, *held}]
    return any(cell == goal for cell, _ in seen)


def joined(graph: nx.MultiGraph, start: int, key: int, shut: list[Any]) -> bool:
    open_ = graph.copy()
    open_.remove_edges_from(shut)
    return bool(nx.has_path(open_, start, key))


@pytest.mark.parametrize("kind", MAZES)
def test_each_key_lies_before_its_door(kind: str) -> None:
    maze = MAZES[kind]
    graph, start, goal = parts_of(maze)
    most = doors_of(graph, start, goal)
    for n in sorted({1, 2, 3, len(most)} & {*range(len(most) + 1)}):
        for seed in range(3):
            locks = meiro.locks(maze, n, rng=seed)
            doors, keys = numbers_of(locks)
            assert len(locks) == len(doors) == len(keys) == n
            places = [most.index(tuple(door)) for door in doors]  # type: ignore[arg-type]
            assert places == sorted(set(places))
            assert walks_to(graph, start, goal, doors, keys)
            for i, key in enumerate(keys):
                assert key not in {start, goal}
                assert not walks_to(graph, start, goal, doors, [*keys[:i], -1, *keys[i + 1 :]])
                assert joined(graph, start, key, doors[i:])
                assert i == 0 or not joined(graph, start, key, doors[i - 1 :])
            assert meiro.check(locks.closed).regions == meiro.check(maze).regions + n
    with pytest.raises(ValueError, match=rf"{len(most) or 'no'} passages? between .* can be a door"):
        meiro.locks(maze, len(most) + 1, rng=1)


@pytest.mark.parametrize("kind", MAZES)
def test_the_route_is_a_shortest_way_over_all_keys(kind: str) -> None:
    maze = MAZES[kind]
    graph, start, goal = parts_of(maze)
    for seed in range(5):
        locks = meiro.locks(maze, 1, rng=seed)
        key = numbers_of(locks)[1][0]
        steps = nx.shortest_path_length(graph, start, key) + nx.shortest_path_length(graph, key, goal)
        assert len(locks.route) == steps + 1


@pytest.mark.parametrize(
    ("passages", "n"),
    [
        ([[6, 14, 14, 14, 14, 8], [1, 1, 1, 1, 1, 0]], 2),  # a branch at each place
        ([[2, 10, 10, 14, 10, 8], [0, 0, 0, 5, 0, 0], [0, 0, 0, 3, 12, 0], [0, 0, 0, 0, 1, 0]], 1),
        ([[2, 10, 10, 14, 10, 8], [0, 0, 0, 5, 0, 0], [0, 0, 0, 3, 12, 0], [0, 0, 0, 0, 1, 0]], 2),
        ([[2, 10, 10, 8]], 2),
    ],
)
def test_locks_follow_their_law(passages: list[list[int]], n: int) -> None:
    maze = meiro.Maze(passages)
    goal = (0, len(passages[0]) - 1)
    graph, _, _ = parts_of(maze)
    ends = 0, goal[1]
    law = law_of(graph, *ends, n)
    drawn: Counter[Any] = Counter()
    for seed in range(2000):
        doors, keys = numbers_of(meiro.locks(maze, n, (0, 0), goal, rng=seed))
        drawn[tuple((*door, key) for door, key in zip(doors, keys, strict=True))] += 1
    assert set(drawn) <= set(law)
    assert sum(law.values()) == pytest.approx(1)
    counts = np.array([drawn[one] for one in law])
    if len(law) > 1:
        assert scipy.stats.chisquare(counts, 2000 * np.array(list(law.values()))).pvalue > 1e-4


def law_of_doors(
    behind: dict[int, int], bridges: int, n: int, *, room_at_start: bool
) -> dict[tuple[int, ...], float]:
    """The probability of each set of bridges."""
    branches: list[list[int]] = []
    for i in range(bridges):
        if sum(place == i for place in behind.values()) > 1:
            branches.append([])
        if branches:
            branches[-1].append(i)
    if len(branches) < n:
        sets = list(combinations(range(0 if room_at_start else 1, bridges), n))
        return dict.fromkeys(sets, 1 / len(sets))
    groups = list(combinations(branches, n))
    return {
        doors: 1 / len(groups) / math.prod(map(len, group)) for group in groups for doors in product(*group)
    }


def law_of(graph: nx.MultiGraph, start: int, goal: int, n: int) -> dict[Any, float]:
    """The probability of each doors and keys, as the docstring says it, of a tree."""
    path = nx.shortest_path(graph, start, goal)
    bridges = list(pairwise(path))
    behind: dict[int, int] = {}  # of each cell, the place of the path from which it is reached
    cut = graph.copy()
    cut.remove_edges_from(bridges)
    for i, cell in enumerate(path):
        behind |= dict.fromkeys(nx.node_connected_component(cut, cell), i)
    law: dict[Any, float] = {}
    chances = law_of_doors(behind, len(bridges), n, room_at_start=graph.degree(start) > 1)
    for doors, chance in chances.items():
        regions = []
        for first, last in pairwise((-1, *doors)):
            cells = [cell for cell, i in behind.items() if first < i <= last and cell != start]
            beside = [cell for cell in cells if cell not in path]
            ends = [cell for cell in beside if graph.degree(cell) == 1]
            regions.append(ends or beside or cells)
        for keys in product(*regions):
            found = tuple((*bridges[door], key) for door, key in zip(doors, keys, strict=True))
            law[found] = chance / math.prod(map(len, regions))
    return law


@pytest.mark.parametrize("lattice", [(5, 6), lattices.hexagonal(5, 6)])
def test_batches_give_a_list(lattice: Any) -> None:
    many = meiro.generate_many(lattice, n=4, rng=1)
    found = meiro.locks(many, 2, rng=7)
    assert [len(one) for one in found] == [2] * 4
    for i, one in enumerate(found):
        alone = meiro.locks(many[i], 2, rng=meiro.replicate(7, i))
        assert np.array_equal(one.doors, alone.doors)
        assert np.array_equal(one.keys, alone.keys)


PURPLE = meiro.colors.LIGHT.growing


@pytest.mark.parametrize("kind", MAZES)
def test_pictures_have_a_letter_at_each_door_and_in_the_cell_of_each_key(kind: str, tmp_path: Path) -> None:
    maze = MAZES[kind]
    space = mazes_of(maze)
    locks = meiro.locks(maze, 1 if kind == "a row" else 2, rng=1)
    locks.save(tmp_path / "a.svg", colors={"wall": "#000001"})
    text = (tmp_path / "a.svg").read_text()
    words = {
        letter: (float(x), float(y) - 0.3645 * float(size))
        for x, y, size, letter in re.findall(
            r'<text x="([^"]+)" y="([^"]+)" font-size="([^"]+)"[^>]+>(\w)</text>', text
        )
    }
    assert set(words) == set("AaBb"[: 2 * len(locks)])
    assert text.count("<circle") == 2  # start and goal
    assert {f'stroke="{PURPLE.hex}"' in text, 'stroke="#000001"' in text} == {True}
    geometry = geometry_of(maze)
    for number, door, key in zip(range(len(locks)), *numbers_of(locks), strict=True):
        (place,) = geometry.spots(np.array([key]))
        assert words["ab"[number]] == pytest.approx(place, abs=1e-3)
        cells = geometry.spots(np.array(door))
        away = np.hypot(*(cells - words["AB"[number]]).T)
        if np.hypot(*(cells[0] - cells[1])) < 2:  # not over a periodic border
            assert away.max() < 1.2
    locks.save(tmp_path / "a.png", solution=space.x.solve(locks.start, locks.goal))
    locks.save(tmp_path / "a.pdf", title="Locks")
    picture = np.asarray(Image.open(tmp_path / "a.png").convert("RGB"))
    assert (picture == PURPLE).all(axis=2).sum() > 50


@pytest.mark.parametrize(
    ("doors", "lines"),
    [
        ([((0, 0), (0, 1))], ["M1 0v1"]),
        ([((1, 1), (0, 1))], ["M1 1h1"]),
        ([((0, 0), (0, 2))], ["M0 0v1", "M3 0v1"]),  # over a periodic border
    ],
)
def test_a_door_is_the_side_between_its_cells(doors: Any, lines: list[str]) -> None:
    maze = meiro.Maze(np.full((3, 3), 15), wrap=(True, True))
    locks = meiro.locks(MAZES["squares"], 1, rng=1)
    locks = dataclasses.replace(locks, maze=maze, doors=np.array(doors), keys=np.array([(2, 2)]), goal=(1, 2))
    file = io.BytesIO()
    locks.save(file, format="svg")
    (drawn,) = re.findall(rf'stroke="{PURPLE.hex}"[^>]+"butt"[^>]+ d="(.+?)"', file.getvalue().decode())
    assert re.findall("M[^M]+", drawn) == lines


@pytest.mark.parametrize("kind", MAZES)
@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_plots_have_doors_in_the_colour_of_the_theme(kind: str, style: str) -> None:
    locks = meiro.locks(MAZES[kind], 1, rng=1)
    with plt.style.context(style):
        ax = plt.figure().add_subplot()
        theme = meiro.colors.DARK if style == "dark_background" else meiro.colors.LIGHT
        colored: Any = {"colors": {"door": "red"}}
        for options, color in (({}, theme.growing.unit), (colored, (1, 0, 0))):
            ax.clear()
            assert meiro.plot(locks, ax=ax, labels={locks.goal: "end"}, **options) is ax
            ax.figure.canvas.draw()
            edges = [patch.get_edgecolor()[:3] for patch in ax.patches]
            assert edges.count(color) == 2  # lines and discs
        plt.close("all")


def test_letters_of_doors_are_not_larger_than_cells_of_any_size() -> None:
    maze = meiro.generate(meiro.lattices.voronoi(30, rng=3), rng=2)
    ax = meiro.locks(maze, 1, rng=1).plot(ax=plt.figure().add_subplot())
    words = [patch.get_path().vertices for patch in ax.patches if isinstance(patch, CellLabels)]
    assert len(words) == 2  # A and a
    assert max(np.ptp(np.asarray(word)[:, 1]) for word in words) < plane_to_plot(maze.lattice).cell
    plt.close("all")


@pytest.mark.parametrize("suffix", ["npz", "txt", "csv", "dxf"])
def test_formats_without_doors_are_refused(suffix: str, tmp_path: Path) -> None:
    locks = meiro.locks(MAZES["squares"], 1, rng=1)
    with pytest.raises(ValueError, match=r"cannot hold doors and keys: .*\.png, \.svg, .*\.tmj files do"):
        locks.save(tmp_path / f"a.{suffix}")
    refused(TypeError, "which has no grid", meiro.locks(MAZES["hexagons"], 1, rng=1).save, tmp_path / "a.tmx")
    assert list(tmp_path.iterdir()) == []


def test_what_is_wrong_is_named() -> None:
    maze = meiro.generate((4, 5), rng=1)
    apart = meiro.Maze([[0, 0]])
    refused(meiro.NoPathError, r"no path from \(0, 0\) to \(0, 1\)", meiro.locks, apart)
    refused(ValueError, "n must be at least 1", meiro.locks, maze, 0)
    refused(ValueError, "no passages between", meiro.locks, maze, 1, (0, 0), (0, 0))
    refused(ValueError, "goal must be one cell, not 2", meiro.locks, maze, 1, (0, 0), [(1, 1), (2, 2)])
    refused(TypeError, "maze must be a maze", meiro.locks, [[0, 0]])
