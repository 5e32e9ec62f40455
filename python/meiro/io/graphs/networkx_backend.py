"""meiro as a backend of networkx: ``nx.random_spanning_tree(graph, backend="meiro")``.

networkx finds it by the entry point ``networkx.backends`` of pyproject.toml, and converts arguments by
`convert_from_nx`. What it has: `random_spanning_tree` and `minimum_spanning_tree`, of undirected graphs.
Without ``backend=`` networkx takes it if ``nx.config.backend_priority.generators`` names it: that is the
setting for all functions that return graphs.
"""

from __future__ import annotations

import random
from typing import Any

from meiro.generators.spanning_tree import spanning_tree


def convert_from_nx(graph: Any, **_attributes: object) -> Any:
    """Return a graph as this backend takes it: as it is."""
    return graph


def convert_to_nx(result: Any, **_options: object) -> Any:
    """Return a result as networkx takes it: as it is."""
    return result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether a call can be taken, or why not."""
    options = dict(zip(("graph", "weight", "algorithm", "ignore_nan"), args, strict=False)) | kwargs
    if options.get("ignore_nan"):
        return "meiro refuses NaN weights"
    if not kwargs.get("multiplicative", True):
        return "meiro draws trees by the product of their weights only: multiplicative=True"
    if name == "minimum_spanning_tree":
        return options.get("algorithm", "kruskal") in {"kruskal", "prim", "boruvka"}
    return True


def should_run(_name: str, _args: tuple[Any, ...], _kwargs: dict[str, Any]) -> bool:
    """Return whether a call is faster here: always."""
    return True


def random_spanning_tree(
    graph: Any, weight: str | None = None, *, multiplicative: bool = True, seed: Any = None
) -> Any:
    """Return a random spanning tree, as ``networkx.random_spanning_tree``: another one of the same law.

    `seed` is an integer, a ``random.Random``, a generator of NumPy, or None. The result has all attributes;
    of a multigraph it is a multigraph, and of a graph in parts a forest.
    """
    if not multiplicative:
        raise NotImplementedError(can_run("random_spanning_tree", (), {"multiplicative": False}))
    rng = seed if isinstance(seed, random.Random) else getattr(seed, "_rng", seed)  # networkx wraps NumPy's
    return spanning_tree(graph, "wilson", weights=weight, rng=rng) if graph else graph.copy()


def minimum_spanning_tree(
    graph: Any,
    weight: str = "weight",
    algorithm: str = "kruskal",
    ignore_nan: bool = False,  # noqa: FBT001, FBT002  # as networkx has it
) -> Any:
    """Return a minimum spanning tree, as ``networkx.minimum_spanning_tree`` by Kruskal's algorithm.

    Of edges of equal weight the first one counts.
    """
    if ignore_nan:
        raise NotImplementedError(can_run("minimum_spanning_tree", (), {"ignore_nan": True}))
    if not graph:
        return graph.copy()
    weights = [value for _, _, value in graph.edges(data=weight, default=1)]
    for edge, value in zip(graph.edges, weights, strict=True):
        if value != value:  # noqa: PLR0124  # NaN
            raise ValueError(f"NaN found as an edge weight. Edge {edge}")
    return spanning_tree(graph, algorithm, weights=weights)
