"""What fillers leave of a graph of networkx between a start and goals, the ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Collection


def without_dead_ends(graph: Any, ends: Collection[Any]) -> Any:
    graph = graph.copy()
    while dead := [n for n in graph if graph.degree[n] < 2 and n not in ends]:
        graph.remove_nodes_from(dead)
    return graph


def without_blind_alleys(graph: Any, ends: list[Any]) -> set[Any]:
    """With a way from goal to start, what lies on a circle with that way lies on a path."""
    on_paths: set[Any] = set()
    for goal in ends[1:]:
        closed = graph.copy()
        closed.add_edge(ends[0], goal)
        (block,) = (b for b in nx.biconnected_components(closed) if {ends[0], goal} <= b)
        on_paths |= block
    return on_paths


def on_shortest(graph: Any, ends: list[Any]) -> set[Any]:
    away = nx.single_source_shortest_path_length(graph, ends[0])
    goals = [goal for goal in ends[1:] if goal in away]
    least = min(away[goal] for goal in goals)
    found: set[Any] = set()
    for goal in goals:
        back = nx.single_source_shortest_path_length(graph, goal)
        found |= {n for n in back if away[n] + back[n] == least}
    return found
