"""Mazes as graphs in files of other programs: GraphML, GML, GEXF and node-link JSON.

The graph is that of `to_networkx`, with numbers as nodes and their names as labels. Its attribute ``meiro``
(in GEXF, where graphs have none, that of the first node) holds all else in JSON, with the names of the
``.npz`` files: shape or recipe of the lattice, seed, recipe, openings, start and goal. A lattice that its
recipe does not make again is there as a whole.

Nodes and edges count: what another program moved or removed has changed the maze, which then has no seed and
no recipe. Graphs of other programs are read as well: an edge is open unless it says ``open=false``.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import xml.etree.ElementTree as ET
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require, whole_file
from meiro._utils.messages import invalid_as, requires_extra, short_repr
from meiro._utils.square import checked_shape
from meiro.io.arrays import npz
from meiro.io.arrays.maze_files import (
    BROKEN,
    arrays_of_lattice,
    lattice_of_arrays,
    maze_on_lattice,
    maze_parts,
)
from meiro.io.networkx import graph_maze_from_networkx, graph_of, nodes_of, numbered, open_edges, passages_of
from meiro.lattices._from_graph import graph_parts
from meiro.lattices._recipes import from_recipe
from meiro.lattices.lattice import Lattice
from meiro.mazes._edges import edge_numbers
from meiro.mazes._openings import on_rim
from meiro.mazes.graph_maze import GraphMaze, ends_of_graph_maze
from meiro.mazes.maze import Maze
from meiro.spaces.space_of import lattice_of
from meiro.transforms.geometry import crop

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

FORMAT = 2
_MEMORY = 100  # bytes that reading takes for a byte of a file, about
_NEAR = 1e-5  # of the greatest coordinate: other programs round places to 32 bits
_NO_TEXT = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML cannot hold
_BROKEN = (*BROKEN, ET.ParseError)


def _networkx() -> Any:
    with requires_extra("graph", "networkx"):
        import networkx as nx
    return nx


def _graph_of(maze: Maze | GraphMaze) -> Any:
    """Return the graph of a maze as files have it, its nodes 0, 1, ... where all cells exist."""
    nodes = nodes_of(maze)
    numbers = nodes.numbers.tolist()
    graph = graph_of(maze, nodes, numbers)
    graph.graph["meiro"] = json.dumps(_kept(maze))
    for number, name in zip(numbers, nodes.names, strict=True):
        if name != number:
            graph.nodes[number]["label"] = _NO_TEXT.sub("\ufffd", str(name))
    return graph


def _kept(maze: Any) -> dict[str, Any]:
    """Return what a maze is beside its graph."""
    kept: dict[str, Any] = {"format": FORMAT, "digest": _digest(nodes_of(maze).numbers, passages_of(maze)[1])}
    lattice = lattice_of(maze)
    if lattice is None:
        kept["shape"], arrays = maze.shape, npz.arrays_of(maze)
        del arrays["passages"]
    else:
        kept["maze"], arrays = maze_parts(maze)
        del arrays["open"]
        kept["lattice"], more = arrays_of_lattice(lattice)
        if _made_again(lattice):
            kept["lattice"] = {"recipe": kept["lattice"]["recipe"]}
        else:
            arrays |= more
    kept["arrays"] = {
        name: [array.dtype.str, array.shape, array.reshape(-1).tolist()] for name, array in arrays.items()
    }
    return kept


def _made_again(lattice: Lattice) -> bool:
    """Return whether the recipe of a lattice makes it again."""
    try:
        return lattice.recipe["lattice"] != "graph" and from_recipe(lattice.recipe) == lattice
    except (ValueError, TypeError):
        return False


def _digest(cells: NDArray[np.int64], ids: NDArray[np.int64]) -> str:
    """Return a digest of cells that exist and of walls that are open, by which a change is seen."""
    digest = hashlib.sha256()
    for numbers in (cells, ids):
        digest.update(np.unique(numbers).astype("<i8").tobytes() + b" ")
    return digest.hexdigest()[:16]


def write_graphml(file: IO[bytes], maze: Maze | GraphMaze) -> None:
    """Write the graph of a maze for yEd, Gephi, igraph and others."""
    graph = _graph_of(maze)
    _networkx().write_graphml(graph, file, named_key_ids=True)


def write_gml(file: IO[bytes], maze: Maze | GraphMaze) -> None:
    """Write the graph of a maze in GML, where ids count the nodes, and labels differ."""
    nx, graph = _networkx(), _graph_of(maze)
    labels = {}
    for node, own in graph.nodes(data=True):
        own["cell"] = node
        labels[node] = own.pop("label", str(node))
    nx.write_gml(nx.relabel_nodes(graph, labels) if len(set(labels.values())) == len(labels) else graph, file)


def write_gexf(file: IO[bytes], maze: Maze | GraphMaze) -> None:
    """Write the graph of a maze for Gephi, with places for its pictures."""
    nx, graph = _networkx(), _graph_of(maze)
    for _, own in graph.nodes(data=True):
        if "x" in own:  # y points up there
            x, y, z = own.pop("x"), own.pop("y"), own.pop("z", 0.0)
            own["viz"] = {"position": {"x": x, "y": -y, "z": z}}
    first = next(iter(graph))
    graph.nodes[first]["meiro"] = graph.graph.pop("meiro")
    writer = nx.readwrite.gexf.GEXFWriter(encoding="utf-8", prettyprint=True, version="1.2draft")
    writer.add_graph(graph)
    for meta in writer.xml.iter("meta"):
        meta.attrib.pop("lastmodifieddate", None)  # the same maze is the same file
    writer.write(file)


def write_node_link(file: IO[bytes], maze: Maze | GraphMaze) -> None:
    """Write the graph of a maze as JSON, as `networkx.node_link_data` and d3 have it."""
    graph = _graph_of(maze)
    data = {
        "directed": False,
        "multigraph": graph.is_multigraph(),
        "graph": graph.graph,
        "nodes": [{"id": node, **own} for node, own in graph.nodes(data=True)],
        "edges": [{"source": one, "target": other, **own} for one, other, own in graph.edges(data=True)],
    }
    text = io.TextIOWrapper(file, "utf-8", newline="\n")
    json.dump(data, text, allow_nan=False)
    text.write("\n")
    text.flush()
    text.detach()


def _reader(kind: str, graph_of: Callable[[bytes], Any]) -> Callable[..., Maze | GraphMaze]:
    """Return what reads a maze of a file in a format; `graph_of` makes a graph of networkx of its bytes."""

    def read(path: str | os.PathLike[str]) -> Maze | GraphMaze:
        nx = _networkx()
        name, data = whole_file(path, _MEMORY)
        if b"<!ENTITY" in data or b"<!DOCTYPE" in data:
            raise ValueError(f"{name} declares entities, which are not read")
        with invalid_as(f"{name} is damaged or not a {kind} file", nx.NetworkXException, *_BROKEN):
            graph = graph_of(data)
        if graph.is_directed():
            way = "read by networkx, graph.to_undirected() is taken by meiro.lattices.from_graph"
            raise ValueError(f"{name} holds a directed graph, but passages are not: {way}")
        if not graph:
            raise ValueError(f"{name} holds a graph without nodes, and a lattice has at least one cell")
        with invalid_as(f"{name} is damaged or not a {kind} file", nx.NetworkXException, *_BROKEN):
            try:
                return _maze_of(graph)
            except MemoryError as e:  # of a recipe that was changed
                raise MemoryError(f"{name}: {e}") from e

    return read


def _graph_of_graphml(data: bytes) -> Any:
    return _networkx().read_graphml(io.BytesIO(data), force_multigraph=True)


def _graph_of_gml(data: bytes) -> Any:
    nx = _networkx()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # as the format has it
    graph = nx.parse_gml(text.splitlines(), label="id")
    ours = "meiro" in graph.graph
    labels = {
        node: own.get("cell", f"node {node}") if ours else own.get("label", node)
        for node, own in graph.nodes(data=True)
    }
    if len(set(labels.values())) == len(labels):
        return nx.relabel_nodes(graph, labels)
    graph.graph.pop("meiro", None)  # nodes were doubled
    return graph


def _graph_of_gexf(data: bytes) -> Any:
    try:
        graph = _networkx().read_gexf(io.BytesIO(data))
    except RecursionError:
        raise
    except RuntimeError as e:  # a bare `raise` of networkx before 3.7, without an exception
        raise ValueError("it has attributes of an unknown class") from e
    places = [own.get("viz", {}).get("position") for _, own in graph.nodes(data=True)]
    in_space = any(place["z"] for place in places if place)
    for (_, own), place in zip(graph.nodes(data=True), places, strict=True):
        if place:  # y points up there
            own.update({"x": place["x"], "y": 0.0 - place["y"]}, **({"z": place["z"]} if in_space else {}))
        if "meiro" in own:
            graph.graph["meiro"] = own["meiro"]
    return graph


def _graph_of_node_link(data: bytes) -> Any:
    nx, read = _networkx(), json.loads(data)
    if not isinstance(read, dict) or "nodes" not in read or not ("edges" in read or "links" in read):
        tiled = isinstance(read, dict) and "tilewidth" in read
        hint = "; it is a map of Tiled: rename it to .tmj, or take meiro.io.read_tiled" if tiled else ""
        hint = '; format="txt" reads an array of rows' if isinstance(read, list) else hint
        raise ValueError(f"it has no lists of nodes and edges (or links){hint}")
    graph = (nx.MultiDiGraph if read.get("directed", False) else nx.MultiGraph)(**read.get("graph", {}))
    for i, node in enumerate(read["nodes"]):
        graph.add_node(_node(node.pop("id", i)), **node)  # d3 counts nodes without an id
    for edge in read["edges"] if "edges" in read else read["links"]:
        ends = [_node(edge.pop(end)) for end in ("source", "target")]
        if not (ends[0] in graph and ends[1] in graph):
            raise ValueError(
                f"an edge goes from {short_repr(ends[0])} to {short_repr(ends[1])}, which are no two nodes"
            )
        graph.add_edge(*ends, key=edge.pop("key", None), **edge)
    return graph


def _node(value: Any) -> Hashable:
    """Return a node as networkx has it: JSON holds tuples as lists."""
    if isinstance(value, list):
        return tuple(map(_node, value))
    if isinstance(value, dict):
        raise TypeError(f"the id of a node is {short_repr(value)}")
    return value  # type: ignore[no-any-return]  # a scalar


read_graphml = _reader("GraphML", _graph_of_graphml)
read_gml = _reader("GML", _graph_of_gml)
read_gexf = _reader("GEXF", _graph_of_gexf)
read_node_link = _reader("node-link JSON", _graph_of_node_link)


def _maze_of(graph: Any) -> Maze | GraphMaze:
    """Return the maze of a graph: what was written, or else the graph as it is."""
    text = graph.graph.get("meiro")
    if isinstance(text, str):
        kept = json.loads(text if text.startswith('{"') else html.unescape(text))  # igraph escapes it twice
        if kept["format"] != FORMAT:
            raise ValueError(f"its format is {short_repr(kept['format'])}; this meiro reads {FORMAT}")
        if (maze := _restored(kept, graph)) is not None:
            return maze
    return graph_maze_from_networkx(graph)


def _restored(kept: dict[str, Any], graph: Any) -> Maze | GraphMaze | None:
    """Return the maze that was written, as changed as the graph is; None if it has come to other cells."""
    arrays = {
        name: np.array(values, dtype).reshape(shape)
        for name, (dtype, shape, values) in kept["arrays"].items()
    }
    numbers = {node: numbered(own.get("id", node)) for node, own in graph.nodes(data=True)}  # of igraph
    pairs, given = open_edges(graph, numbers)
    cells = np.array(list(numbers.values()), np.int64)
    if not len(cells) or len(np.unique(cells)) < len(cells):
        return None
    maze = (
        _squares(kept, arrays, cells, pairs)
        if "shape" in kept
        else _lattice(kept, arrays, cells, pairs, given)
    )
    places = graph_parts(graph).positions
    if maze is None or places is None:
        return maze
    places, own = places[np.argsort(cells)], nodes_of(maze).places
    if (
        own is not None
        and own.shape == places.shape
        and np.abs(places - own).max() <= _NEAR * np.abs(own).max()
    ):
        return maze
    return _moved(maze, places)


def _squares(
    kept: dict[str, Any], arrays: dict[str, NDArray[Any]], cells: NDArray[np.int64], pairs: NDArray[np.int64]
) -> Maze | None:
    """Return the maze of rows and columns; None if there are other cells or edges."""
    shape, wrap = checked_shape(kept["shape"]), tuple(arrays.get("wrap", np.zeros(2, np.bool_)).tolist())
    require(30 * shape[0] * shape[1], f"a maze of {shape}", "its file says that it is so large")
    ids = _core.wall_ids(pairs, shape, wrap)
    exists = arrays.get("mask", np.ones(shape, np.bool_)).reshape(-1)
    if cells.min() < 0 or cells.max() >= len(exists) or not exists[cells].all() or (ids < 0).any():
        return None
    left = {"seed", "recipe"} if _digest(cells, ids) != kept["digest"] else set()
    if len(cells) < exists.sum():
        mask = arrays["mask"] = np.isin(np.arange(len(exists)), cells).reshape(shape)
        left |= {end for end in ("start", "goal") if end in arrays and not mask[tuple(arrays[end])]}
        if "openings" in arrays:
            sites = arrays["openings"]
            arrays["openings"] = sites[on_rim(sites, shape, mask, wrap)]
    arrays["passages"] = Maze.from_edges(shape, pairs, wrap=wrap).passages
    return npz.maze_of({name: array for name, array in arrays.items() if name not in left})


def _lattice(
    kept: dict[str, Any],
    arrays: dict[str, NDArray[Any]],
    cells: NDArray[np.int64],
    pairs: NDArray[np.int64],
    given: NDArray[np.int64],
) -> GraphMaze | None:
    """Return the maze on a lattice; None if there are other cells or edges."""
    header, own = kept["lattice"], kept["maze"]
    if "n_cells" in header:
        lattice = lattice_of_arrays(header, arrays, f"a lattice of {header['n_cells']:,} cells")
    else:
        lattice = from_recipe(header["recipe"])
    if cells.min() < 0 or cells.max() >= lattice.n_cells:
        return None
    try:
        ids = edge_numbers(lattice, pairs, given)
    except ValueError:  # two cells are not adjacent
        return None
    arrays["open"] = np.isin(np.arange(lattice.n_edges), ids)
    if _digest(cells, ids) != kept["digest"]:
        own = own | {"seed": None, "recipe": None}
    maze = maze_on_lattice(lattice, own, arrays)
    if len(cells) == lattice.n_cells:
        return maze
    return crop(maze, np.isin(np.arange(lattice.n_cells), cells))


def _moved(maze: Any, places: NDArray[np.float64]) -> GraphMaze:
    """Return a maze with cells elsewhere: of dots and lines, without squares or polygons to be opened."""
    nodes = nodes_of(maze)
    if lattice_of(maze) is not None:
        lattice = Lattice(maze.n_cells, maze.lattice.edges, places, maze.lattice.labels)
        start, goal = (nodes.names[end] for end in ends_of_graph_maze(maze))
        return GraphMaze(lattice, maze.open, start=start, goal=goal)
    every = Maze.from_wall_ids(maze.shape, [], mask=maze.mask, wrap=maze.wrap).edges()
    ends, passages = (np.searchsorted(nodes.numbers, pairs) for pairs in (every, maze.edges()))
    lattice = Lattice(len(nodes.names), ends, places, nodes.names)
    start, goal = maze.endpoints
    return GraphMaze(lattice, edge_numbers(lattice, passages), start=start, goal=goal)
