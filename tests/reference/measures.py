"""Every measure, as slowly and plainly as can be: networkx knows the graph, and nothing is fast."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np
from reference_graphs import graph_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import meiro

Cell = tuple[int, int]
Graph: TypeAlias = "nx.Graph[Cell]"


def direction(one: Cell, other: Cell) -> Cell:
    """Return the step between two neighbours, over the rim or not."""
    row, col = (b - a for a, b in zip(one, other, strict=True))
    return (row if abs(row) < 2 else -np.sign(row), col if abs(col) < 2 else -np.sign(col))


def arcs(path: list[Cell]) -> list[int]:
    """Return the lengths of the straight pieces of a path."""
    ways = [direction(a, b) for a, b in itertools.pairwise(path)]
    return [len(list(same)) for _, same in itertools.groupby(ways)]


def gamma(path: list[Cell]) -> float:
    """Return McClendon's complexity of a hallway, all of whose turns are right angles."""
    pieces = arcs(path)
    return sum(pieces) * sum(math.pi / 2 / (math.pi * piece) for piece in pieces)


def chains(graph: Graph, ends: set[Cell]) -> Iterator[list[Cell]]:
    """Yield the paths between two of `ends` with none between, each once."""
    for end in ends:
        for first in graph[end]:
            path = [end, first]
            while path[-1] not in ends:
                (on,) = set(graph[path[-1]]) - {path[-2]}
                path.append(on)
            if path <= path[::-1]:
                yield path


def hitting_time(graph: nx.Graph[Any], start: Any, goal: Any) -> float:
    """Return the mean steps of a random walk, by the linear equations."""
    cells = [cell for cell in graph if cell != goal]
    if start == goal:
        return 0.0
    number = {cell: i for i, cell in enumerate(cells)}
    a = np.eye(len(cells))
    for cell in cells:
        for beside in graph[cell]:
            if beside != goal:
                a[number[cell], number[beside]] -= 1 / graph.degree[cell]
    return float(np.linalg.solve(a, np.ones(len(cells)))[number[start]])


def of_cells(graph: Graph) -> dict[str, float]:
    """Return what is counted cell by cell."""
    degree = dict(graph.degree)
    kinds = ("isolated", "dead_ends", "corridors", "junctions", "crossroads")
    found: dict[str, float] = {kind: list(degree.values()).count(d) for d, kind in enumerate(kinds)}
    straights = 0
    for cell in graph:
        if degree[cell] == 2:
            a, b = graph[cell]
            straights += len(arcs([a, cell, b])) == 1
    ways = [direction(a, b) for a, b in graph.edges]
    across = sum(row == 0 for row, _ in ways)
    return found | {
        "cells": len(graph),
        "passages": len(ways),
        "horizontal_passages": across,
        "vertical_passages": len(ways) - across,
        "horizontal_share": across / len(ways) if ways else math.nan,
        "straights": straights,
        "turns": found["corridors"] - straights,
        "dead_end_share": found["dead_ends"] / len(graph),
    }


def of_chains(graph: Graph) -> dict[str, float]:
    """Return the measures of dead ends and branches."""
    paths = list(chains(graph, {cell for cell, d in graph.degree if d != 2}))
    lengths = [len(path) - 1 for path in paths for end in (path[0], path[-1]) if graph.degree[end] == 1]
    return {
        "mean_dead_end": float(np.mean(lengths)) if lengths else math.nan,
        "longest_dead_end": max(lengths, default=math.nan),
        "river": float(np.mean([len(path) - 1 for path in paths])) if paths else math.nan,
    }


def of_way(maze: meiro.Maze, graph: Graph, path: list[Cell] | None) -> dict[str, float]:
    """Return the measures of the solution."""
    names = ("solution_length", "solution_share", "solution_turns", "solution_decisions", "tortuosity")
    if path is None:
        return dict.fromkeys(names, math.nan)
    apart = 0
    for a, b, side, wraps in zip(path[0], path[-1], (maze.rows, maze.cols), maze.wrap, strict=True):
        apart += min(abs(a - b), side - abs(a - b)) if wraps else abs(a - b)
    on = [graph.degree[cell] - (i > 0) for i, cell in enumerate(path[:-1])]
    turns = max(len(arcs(path)) - 1, 0)
    values = (len(path) - 1, len(path) / len(graph), turns, sum(ways > 1 for ways in on))
    return dict(zip(names, (*values, (len(path) - 1) / apart if apart else math.nan), strict=True))


def of_tree(graph: Graph, start: Cell, goal: Cell) -> dict[str, float]:
    """Return the measures that only trees have."""
    names = ["absorption_time", "difficulty", "complexity", "diameter", "radius", "wiener_index"]
    names += ["mean_distance"]
    if not nx.is_tree(graph):
        return dict.fromkeys(names, math.nan)
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    total = sum(sum(to.values()) for to in lengths.values())
    n = len(graph)
    forks = {cell for cell, d in graph.degree if d != 2}
    all_hallways = sum(gamma(path) for path in chains(graph, forks))
    path = nx.shortest_path(graph, start, goal)
    hanging = graph.copy()
    hanging.remove_edges_from(itertools.pairwise(path))
    product = gamma(path)
    for cell in path:
        for first in list(hanging[cell]):
            branch = nx.node_connected_component(nx.restricted_view(hanging, [cell], []), first) | {cell}
            cut = (forks & branch) | {cell}
            product *= 1 + sum(gamma(hall) for hall in chains(graph.subgraph(branch), cut))
    values = (
        hitting_time(graph, start, goal),
        math.log(product) if start != goal else math.nan,
        math.log(all_hallways) if n > 1 else math.nan,
        nx.diameter(graph),
        nx.radius(graph),
        total // 2,
        total / (n * (n - 1)) if n > 1 else math.nan,
    )
    return dict(zip(names, values, strict=True))


def measured(
    maze: meiro.Maze, start: Cell, goal: Cell, path: list[Cell] | None, islands: int
) -> dict[str, float]:
    """Return all measures; the path and the islands are told by others."""
    graph = graph_of(maze)
    regions = nx.number_connected_components(graph)
    return (
        of_cells(graph)
        | of_chains(graph)
        | of_way(maze, graph, path)
        | of_tree(graph, start, goal)
        | {
            "regions": regions,
            "enclosed_regions": regions - 1,
            "loops": graph.number_of_edges() - len(graph) + regions,
            "islands": islands,
        }
    )
