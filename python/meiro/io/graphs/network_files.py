"""The graph of a maze on a lattice in files of other programs: GraphML, GML, GEXF and node-link JSON.

Nodes are the numbers of cells, with a label and places x, y and z, where the lattice has them. All edges of
the lattice are there; ``open`` says which are passages. Seed, recipe, start and goal are attributes of the
graph (in GEXF, which has none, start and goal are ``ends`` of their nodes). Graphs of other programs are
read as well: an edge is open unless it says otherwise.
"""

from __future__ import annotations

import io
import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, requires_extra, short_repr
from meiro.graphs.graph_maze import GraphMaze
from meiro.io.graphs.plain_values import cell_number, label_of, plain_label
from meiro.lattices.lattice import Lattice
from meiro.seeds import STREAM

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

FORMAT = 1
_MEMORY = 100  # bytes that reading takes for a byte of a file, about
_ENDS = "start", "goal"
_BROKEN = (
    *(ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError, ZeroDivisionError),
    ET.ParseError,
)


def _networkx() -> Any:
    with requires_extra("graph", "networkx"):
        import networkx as nx
    return nx


def _graph_of(maze: GraphMaze, label: str = "label") -> Any:
    """Return the graph of the lattice as a MultiGraph with plain attributes."""
    lattice = maze.lattice
    require(1500 * (lattice.n_cells + lattice.n_edges), f"the graph of {maze!r}", "save it as .npz")
    graph: Any = _networkx().MultiGraph(meiro=FORMAT, lattice=lattice.name)
    if maze.seed is not None:
        graph.graph["seed"] = json.dumps([maze.seed.key, maze.seed.replicate])
        graph.graph["stream"] = STREAM
    if maze.recipe is not None:
        graph.graph["recipe"] = json.dumps(maze.recipe)
    for name in _ENDS:
        if (cell := getattr(maze, name)) is not None:
            graph.graph[name] = cell
    labels = lattice.labels
    places = None if lattice.positions is None else lattice.positions.tolist()
    for cell in range(lattice.n_cells):
        own: dict[str, Any] = {} if labels is None else {label: json.dumps(plain_label(labels[cell]))}
        if places is not None:
            own |= dict(zip("xyz", places[cell], strict=False))
        graph.add_node(cell, **own)
    for i, ((one, other), is_open) in enumerate(zip(lattice.edges.tolist(), maze.open.tolist(), strict=True)):
        graph.add_edge(one, other, key=i, open=is_open)
    return graph


def write_graphml(file: IO[bytes], maze: GraphMaze) -> None:
    """Write the graph of a maze for yEd, Gephi, igraph and others."""
    _networkx().write_graphml(_graph_of(maze), file, named_key_ids=True)


def write_gml(file: IO[bytes], maze: GraphMaze) -> None:
    """Write the graph of a maze in GML, whose labels of nodes are their numbers; ours are called name."""
    _networkx().write_gml(_graph_of(maze, "name"), file)


def write_gexf(file: IO[bytes], maze: GraphMaze) -> None:
    """Write the graph of a maze for Gephi, with places for its pictures."""
    nx, graph = _networkx(), _graph_of(maze, "name")
    for name in _ENDS:
        if name in graph.graph:
            node = graph.nodes[graph.graph[name]]
            node["ends"] = f"{node.get('ends', '')} {name}".strip()
    for _, data in graph.nodes(data=True):
        data["meiro"] = FORMAT
        if "x" in data:  # y points up there
            data["viz"] = {"position": {"x": data["x"], "y": -data["y"], "z": data.get("z", 0.0)}}
    for *_, key, data in graph.edges(keys=True, data=True):
        data["number"] = key
    writer = nx.readwrite.gexf.GEXFWriter(encoding="utf-8", prettyprint=True, version="1.2draft")
    writer.add_graph(graph)
    for meta in writer.xml.iter("meta"):
        meta.attrib.pop("lastmodifieddate", None)  # the same maze is the same file
    writer.write(file)


def write_node_link(file: IO[bytes], maze: GraphMaze) -> None:
    """Write the graph of a maze as JSON, as `networkx.node_link_data` and d3 have it."""
    graph = _graph_of(maze)
    data = {
        "directed": False,
        "multigraph": True,
        "graph": graph.graph,
        "nodes": [{"id": node, **own} for node, own in graph.nodes(data=True)],
        "edges": [
            {"source": one, "target": other, "key": key, **own}
            for one, other, key, own in graph.edges(keys=True, data=True)
        ],
    }
    text = io.TextIOWrapper(file, "utf-8", newline="\n")
    json.dump(data, text, allow_nan=False)
    text.write("\n")
    text.flush()
    text.detach()


def read_graphml(path: str | os.PathLike[str]) -> GraphMaze:
    """Read a maze of a GraphML file, without seed and recipe: a ``.npz`` has everything."""
    nx = _networkx()
    return _read(path, "GraphML", lambda data: nx.read_graphml(io.BytesIO(data), force_multigraph=True))


def read_gml(path: str | os.PathLike[str]) -> GraphMaze:
    """Read a maze of a GML file."""
    return _read(path, "GML", _graph_of_gml)


def read_gexf(path: str | os.PathLike[str]) -> GraphMaze:
    """Read a maze of a GEXF file."""
    return _read(path, "GEXF", _graph_of_gexf)


def read_node_link(path: str | os.PathLike[str]) -> GraphMaze:
    """Read a maze of a node-link JSON file."""
    return _read(path, "node-link JSON", _graph_of_node_link)


def _read(path: str | os.PathLike[str], kind: str, graph_of: Callable[[bytes], Any]) -> GraphMaze:
    nx = _networkx()
    name = repr(os.fspath(path))
    require(_MEMORY * Path(path).stat().st_size, name, "cut it into parts")
    data = Path(path).read_bytes()
    if b"<!ENTITY" in data or b"<!DOCTYPE" in data:
        msg = f"{name} declares entities, which are not read"
        raise ValueError(msg)
    with invalid_as(f"{name} is damaged or not a {kind} file", nx.NetworkXException, *_BROKEN):
        graph = graph_of(data)
        if graph.is_directed():
            raise ValueError("its graph is directed, but passages are not")  # noqa: EM101, TRY003
        return _maze_of(graph if graph.is_multigraph() else nx.MultiGraph(graph))


def _graph_of_gml(data: bytes) -> Any:
    nx = _networkx()
    graph = nx.parse_gml(data.decode().splitlines(), label="id")
    if "meiro" not in graph.graph:
        labels = {node: own.get("label", node) for node, own in graph.nodes(data=True)}
        return nx.relabel_nodes(graph, labels) if len(set(labels.values())) == len(labels) else graph
    return _named(graph)


def _named(graph: Any) -> Any:
    """Return a graph of ours with the labels that are called name in formats where labels are texts."""
    for _, own in graph.nodes(data=True):
        own.pop("label", None)
        if "name" in own:
            own["label"] = own.pop("name")
    return graph


def _graph_of_gexf(data: bytes) -> Any:
    try:
        graph = _networkx().read_gexf(io.BytesIO(data))
    except RecursionError:
        raise
    except RuntimeError as e:  # a bare `raise` of networkx before 3.7, without an exception
        raise ValueError("it has attributes of an unknown class") from e  # noqa: EM101, TRY003
    own = bool(len(graph)) and all("meiro" in one for _, one in graph.nodes(data=True))
    if not own:
        return graph
    graph.graph["meiro"] = FORMAT
    for node, one in graph.nodes(data=True):
        for end in str(one.get("ends", "")).split():
            graph.graph[end] = int(node)
    return _named(graph)


def _graph_of_node_link(data: bytes) -> Any:
    nx, read = _networkx(), json.loads(data)
    if not isinstance(read, dict) or "nodes" not in read or not ("edges" in read or "links" in read):
        raise ValueError("it has no lists of nodes and edges (or links)")  # noqa: EM101, TRY003
    graph = (nx.MultiDiGraph if read.get("directed", False) else nx.MultiGraph)(**read.get("graph", {}))
    for node in read["nodes"]:
        graph.add_node(label_of(node.pop("id")), **node)
    for edge in read["edges"] if "edges" in read else read["links"]:
        ends = [label_of(edge.pop(end)) for end in ("source", "target")]
        if not (ends[0] in graph and ends[1] in graph):
            msg = f"an edge goes from {short_repr(ends[0])} to {short_repr(ends[1])}, which are no two nodes"
            raise ValueError(msg)
        graph.add_edge(*ends, key=edge.pop("key", None), **edge)
    return graph


def _maze_of(graph: Any) -> GraphMaze:
    nodes = list(graph.nodes)
    own = "meiro" in graph.graph
    if own:
        nodes.sort(key=int)
        if list(map(int, nodes)) != list(range(len(nodes))):
            raise ValueError("its nodes are not numbered")  # noqa: EM101, TRY003
    numbers = {node: i for i, node in enumerate(nodes)}
    edges = [
        (numbers[one], numbers[other], key, data)
        for one, other, key, data in graph.edges(keys=True, data=True)
    ]
    if own:
        edges.sort(key=lambda edge: int(edge[3].get("number", edge[2])))
    places = [[graph.nodes[node].get(axis) for axis in "xyz"] for node in nodes]
    width = 3 if all(place[2] is not None for place in places) else 2
    known = all(None not in place[:width] for place in places)
    positions = np.array([place[:width] for place in places], np.float64) if known and nodes else None
    labels: list[Hashable] | None = None if own else nodes
    if own and all("label" in graph.nodes[node] for node in nodes):
        labels = [label_of(json.loads(graph.nodes[node]["label"])) for node in nodes]
    ends = np.array([edge[:2] for edge in edges], np.int64).reshape(-1, 2)
    if own and len(ends):  # networkx may have turned them
        ends.sort(axis=1)
    lattice = Lattice(len(nodes), ends, positions, labels)
    is_open = [_truth(data.get("open", True)) for *_, data in edges]
    start, goal = (graph.graph.get(end) for end in ("start", "goal"))
    named = [
        cell if cell is None or labels is None else labels[cell_number(cell, len(nodes))]
        for cell in (start, goal)
    ]
    return GraphMaze(lattice, np.array(is_open, np.bool_), start=named[0], goal=named[1])


def _truth(value: Any) -> bool:
    if not isinstance(value, bool) and value not in {0, 1}:  # GML has no booleans
        msg = f"open must be true or false, not {short_repr(value)}"
        raise TypeError(msg)
    return bool(value)
