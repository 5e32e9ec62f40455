"""Mazes on lattices and lattices in files: what is read is what was written, and damage is named."""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import networkx as nx
import numpy as np
import pytest
from arbitrary_mazes import loose_maze
from files.changed_archives import rewrite_npz
from refusals import refused
from some_lattices import LATTICES

import meiro

la = meiro.lattices
lattices = pytest.mark.parametrize("name", LATTICES)


def maze_on(name: str) -> meiro.GraphMaze:
    return meiro.generate(LATTICES[name], "wilson", rng=7)


@lattices
def test_npz_holds_everything(name: str, tmp_path: Path) -> None:
    maze, path = maze_on(name), tmp_path / "maze.npz"
    maze.save(path)
    found = meiro.read(path)
    assert isinstance(found, meiro.GraphMaze)
    assert found == maze
    assert (found.seed, found.recipe, found.algorithm) == (maze.seed, maze.recipe, maze.algorithm)
    assert found.lattice.recipe == maze.lattice.recipe
    meiro.save(maze.lattice, path)
    assert meiro.read(path) == maze.lattice


def test_npz_holds_start_goal_and_options(tmp_path: Path) -> None:
    lattice = LATTICES["labels"]
    maze = meiro.GraphMaze(lattice, [0, 2], start="a", goal=(1, "b"))
    maze.save(tmp_path / "maze.npz")
    found = meiro.read(tmp_path / "maze.npz")
    assert isinstance(found, meiro.GraphMaze)
    assert (found.start, found.goal, found.seed) == ("a", (1, "b"), None)
    weighed = meiro.generate(la.square(3, 3), "kruskal", rng=1, weights=np.arange(12.0))
    weighed.save(tmp_path / "maze.npz")
    found = meiro.read(tmp_path / "maze.npz")
    assert isinstance(found, meiro.GraphMaze)
    assert found.recipe == weighed.recipe
    assert meiro.generate(**found.recipe) == weighed  # type: ignore[arg-type]


networks = pytest.mark.parametrize("suffix", [".graphml", ".gml", ".gexf", ".json"])
ODD = "\u8ff7\u8def <\"&'> #;", "tab\tand\nline", "\u00e9\U0001f600", "\x00\x1b", "\ud800", "[ a ]", "1", ""
DISTRICTS = [[(x, y), (x + 1, y), (x + 1.5, y + 1), (x + 0.5, y + 1)] for x in range(4) for y in (0, 1)]
ODD_EDGES = [*pairwise(ODD), (ODD[0], 1)]
HOLES = np.ones((6, 7), bool)
HOLES[:2, :2] = HOLES[4, 4] = False
MAZES: dict[str, Callable[[], meiro.Maze | meiro.GraphMaze]] = {
    **{name: partial(maze_on, name) for name in LATTICES},
    "triangular": lambda: meiro.generate(la.triangular(4, 7), rng=7),
    "masked twice": lambda: meiro.generate(la.hexagonal(4, 5).mask(range(4, 20)).mask(range(3, 14)), rng=7),
    "districts": lambda: meiro.generate(la.from_polygons(DISTRICTS), rng=7),
    "odd labels": lambda: meiro.GraphMaze(la.from_graph(ODD_EDGES), [0, 3, 5], goal=ODD[3]),
    "weighted edges": lambda: meiro.generate(LATTICES["karate"], "kruskal", rng=1, weights=np.arange(78.0)),
    "on a lattice, with loops": lambda: meiro.braid(maze_on("hexagonal"), rng=1),
    "on a lattice, with openings": lambda: meiro.with_openings(maze_on("hexagonal"), "top_bottom"),
    "on a lattice, with ends": lambda: meiro.with_ends(maze_on("polar"), "farthest"),
    "squares": lambda: meiro.generate((5, 6), "wilson", rng=7),
    "one square": lambda: meiro.Maze([[0]]),
    "mask": lambda: meiro.generate(algorithm="wilson", mask=HOLES, rng=7),
    "torus": lambda: meiro.generate((3, 4), "wilson", rng=7, wrap=(True, True)),
    "openings": lambda: meiro.generate((5, 6), rng=meiro.replicate([3, 1 << 70], 9), openings="top_bottom"),
    "ends": lambda: meiro.with_ends(meiro.generate((5, 6), rng=7), ((0, 3), (4, 2))),
    "weights": lambda: meiro.generate((3, 4), "kruskal", rng=1, weights=np.arange(17.0)),
    "loops and islands": lambda: loose_maze(6, 7, 1, holes=True),
}
CHANGED = ["squares", "hexagonal", "karate", "districts", "torus", "mask", "masked", "openings", "ends"]
CHANGED += ["on a lattice, with openings", "on a lattice, with ends"]
mazes = pytest.mark.parametrize("name", MAZES)


def read_maze(path: Path) -> meiro.Maze | meiro.GraphMaze:
    found = meiro.read(path)
    assert isinstance(found, meiro.Maze | meiro.GraphMaze)
    return found


@networks
@mazes
def test_networks_are_read_back_as_what_they_were(name: str, suffix: str, tmp_path: Path) -> None:
    maze, path = MAZES[name](), tmp_path / f"maze{suffix}"
    maze.save(path)
    whole, found = path.read_bytes(), read_maze(path)
    assert found == maze
    assert (found.seed, found.recipe, found.algorithm) == (maze.seed, maze.recipe, maze.algorithm)
    assert (found.start, found.goal) == (maze.start, maze.goal)
    if isinstance(maze, meiro.GraphMaze):
        assert isinstance(found, meiro.GraphMaze)
        assert found.lattice.recipe == maze.lattice.recipe
        assert not re.search(rb"\bopen\b", whole)  # only passages: closed edges would show in other programs
    found.save(path)
    assert path.read_bytes() == whole


def written(graph: Any, path: Path) -> Path:
    """Write a graph as networkx does."""
    if path.suffix == ".json":
        path.write_text(json.dumps(nx.node_link_data(graph)))
    else:
        getattr(nx, f"write_{path.suffix[1:]}")(graph, path)
    return path


def read_graph(path: Path) -> Any:
    """Read a graph as networkx does."""
    if path.suffix == ".json":
        data = json.loads(path.read_text())
        return nx.node_link_graph({"links": data.get("edges"), **data})  # the word of older releases
    return getattr(nx, f"read_{path.suffix[1:]}")(path)


@networks
@mazes
def test_networkx_reads_and_writes_the_graphs_of_all(name: str, suffix: str, tmp_path: Path) -> None:
    maze = MAZES[name]()
    if name not in {"labels", "odd labels"}:  # None is no node, and control characters make no XML
        graph = maze.to_networkx()
        if suffix == ".gml":
            graph = nx.relabel_nodes(graph, {node: repr(node) for node in graph})
        found = read_maze(written(graph, tmp_path / f"theirs{suffix}"))
        assert isinstance(found, meiro.GraphMaze)
        assert found.open.sum() == found.lattice.n_edges == len(maze.edges())
        assert found.n_cells == maze.n_cells
        places = meiro.lattices.from_graph(graph).positions
        assert (places is None) == (found.lattice.positions is None)
        assert places is None or np.array_equal(places, cast("Any", found.lattice.positions))
    maze.save(tmp_path / f"ours{suffix}")
    again = read_graph(tmp_path / f"ours{suffix}")
    open_ = [edge for edge in again.edges(data=True) if edge[2].get("open", True)]
    assert (len(again), len(open_)) == (maze.n_cells, len(maze.edges()))
    assert read_maze(written(again, tmp_path / f"again{suffix}")) == maze


@networks
def test_labels_are_texts_for_other_programs(suffix: str, tmp_path: Path) -> None:
    def names_of(maze: meiro.Maze | meiro.GraphMaze) -> list[str]:
        maze.save(tmp_path / f"maze{suffix}")
        graph = read_graph(tmp_path / f"maze{suffix}")
        named = suffix == ".gml"
        return list(graph) if named else [own.get("label", "") for _, own in graph.nodes(data=True)]

    shown = [*ODD[:3], "\ufffd\ufffd", "\ufffd", *ODD[5:], "('a', 2)"]
    assert names_of(meiro.GraphMaze(la.from_graph([*pairwise((*ODD, ("a", 2)))]), [0])) == shown
    assert names_of(meiro.generate((2, 2), rng=1)) == ["(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)"]


@networks
@pytest.mark.parametrize("name", CHANGED)
def test_what_another_program_changed_is_changed(name: str, suffix: str, tmp_path: Path) -> None:
    maze, path = MAZES[name](), tmp_path / f"maze{suffix}"
    maze.save(path)

    def after(change: Callable[[Any], None]) -> Any:
        graph = read_graph(path)
        change(graph)
        return read_maze(written(graph, tmp_path / f"changed{suffix}"))

    def close(graph: Any) -> None:
        graph.remove_edge(*next(edge for *edge, own in graph.edges(data=True) if own.get("open", True)))

    found = after(close)
    assert len(found.edges()) == len(maze.edges()) - 1
    assert (found.seed, found.recipe) == (None, None)
    assert {*map(tuple, found.edges().tolist())} < {*map(tuple, maze.edges().tolist())}
    if isinstance(maze, meiro.GraphMaze):
        assert found.lattice == maze.lattice
    else:
        assert (found.shape, found.wrap) == (maze.shape, maze.wrap)

    last = list(read_graph(path))[-1]
    found = after(lambda graph: graph.remove_node(last))
    assert found.n_cells == maze.n_cells - 1
    if name.endswith(("openings", "ends")):  # at other cells than the last
        assert found.endpoints == maze.endpoints
        assert len(found.openings) == len(maze.openings)
    if isinstance(maze, meiro.GraphMaze):
        assert found.lattice.edges.tolist() == maze.lattice.mask(range(maze.n_cells - 1)).edges.tolist()
        assert (found.lattice.outline is None) == (maze.lattice.outline is None)
    else:
        assert found.shape == maze.shape
        assert not found.mask.reshape(-1)[np.arange(maze.passages.size) == maze.passages.size - 1].any()

    first = next(iter(read_graph(path)))
    found = after(lambda graph: graph.add_edge("new", first))
    assert found.n_cells == maze.n_cells + 1
    assert len(found.edges()) == len(maze.edges()) + 1
    assert found.lattice.name == "graph"

    def move(graph: Any) -> None:
        own = graph.nodes[first]
        place = own["viz"]["position"] if "viz" in own else own
        if "x" in place:
            place["x"] += 0.25

    found = after(move)
    places = meiro.positions(maze)
    if name == "karate":  # without positions
        assert found == maze
        return
    assert isinstance(found, meiro.GraphMaze)
    assert (found.lattice.name, found.seed) == ("graph", None)
    assert len(found.edges()) == len(maze.edges())
    assert found.lattice.n_edges > len(found.edges())
    assert found.solve().length == maze.solve().length  # between the cells where it ended
    moved = found.lattice.positions - np.array(list(places.values()))
    assert moved[0].tolist() == pytest.approx([0.25, 0])
    assert np.abs(moved[1:]).max() < 1e-9


def test_places_that_a_program_rounds_are_not_moved(tmp_path: Path) -> None:
    path, maze = tmp_path / "maze.gexf", maze_on("polar")
    maze.save(path)
    graph = read_graph(path)
    for _, own in graph.nodes(data=True):
        own["viz"]["position"] = {axis: float(np.float32(at)) for axis, at in own["viz"]["position"].items()}
    assert meiro.read(written(graph, path)) == maze


@networks
def test_unknown_formats_of_later_versions_are_named(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"maze{suffix}"
    maze_on("polar").save(path)
    data = path.read_bytes()
    changed = re.sub(rb'(format(?:\\?"|&quot;|&#34;): )2', rb"\g<1>9", data)
    assert changed != data
    path.write_bytes(changed)
    refused(ValueError, rf"maze{suffix}' .*: its format is 9; this meiro reads 2", meiro.read, path)


@pytest.mark.parametrize(
    ("name", "change", "error", "words"),
    [
        ("squares", ('"shape": [5, 6], "ar', '"shape": [500000, 600000], "ar'), MemoryError, "a maze of"),
        ("squares", ('"shape": [5, 6], "arrays"', '"shape": [5], "arrays"'), ValueError, "shape"),
        ("karate", ('"n_cells": 34', '"n_cells": 1000000000'), MemoryError, "a lattice of 1,000,000,000"),
        ("polar", ('"rings": 4', '"rings": 400000'), ValueError, "too large: at most"),
        ("polar", ('"lattice": "polar"', '"lattice": "bipolar"'), ValueError, "no recipe of a lattice"),
        ("karate", ('"arrays": {', '"arrays": {"edges": ["O", [1], [1]], "old": {'), ValueError, "damaged"),
        ("squares", ('"arrays": {', '"others": {'), ValueError, "'arrays'"),
    ],
)
def test_what_is_wrong_with_the_rest_is_named(
    name: str, change: tuple[str, str], error: type[Exception], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "maze.json"
    MAZES[name]().save(path)
    data = json.loads(path.read_text())
    assert change[0] in data["graph"]["meiro"]
    data["graph"]["meiro"] = data["graph"]["meiro"].replace(*change)
    path.write_text(json.dumps(data))
    refused(error, rf"maze\.json'.*{words}", meiro.read, path)


@pytest.mark.parametrize("twice", ["cell 3", "cell 4"])
def test_gml_with_a_node_twice_is_a_graph_of_its_own(twice: str, tmp_path: Path) -> None:
    maze, path = maze_on("hexagonal"), tmp_path / "maze.gml"
    maze.save(path)
    path.write_text(path.read_text().replace("cell 3\n", f"{twice}\n"))
    found = read_maze(path)
    assert (found == maze) == (twice == "cell 3")
    assert (found.n_cells, len(found.edges())) == (20, 19)


@pytest.mark.filterwarnings("ignore:One or more unknown entities")  # quotes, which igraph leaves as they are
def test_other_programs_read_the_networks(tmp_path: Path) -> None:
    """Igraph is none of those that wrote them."""
    import igraph

    for name in ("polar", "karate"):
        maze = maze_on(name)
        for suffix in (".graphml", ".gml"):
            path = tmp_path / f"maze{suffix}"
            maze.save(path)
            graph = igraph.Graph.Read(str(path))
            assert (graph.vcount(), graph.ecount()) == (maze.n_cells, len(maze.edges()))
            passages = [tuple(sorted(edge.tuple)) for edge in graph.es]
            assert sorted(passages) == sorted(map(tuple, np.sort(maze.edges(), axis=1).tolist()))
            graph.write(str(tmp_path / f"theirs{suffix}"))
            again = read_maze(tmp_path / f"theirs{suffix}")
            assert (again, again.seed, again.recipe) == (maze, maze.seed, maze.recipe)
            if name == "polar":
                np.testing.assert_allclose(graph.vs["x"], maze.lattice.positions[:, 0])  # type: ignore[index]
    maze.save(tmp_path / "maze.json")
    data = json.loads((tmp_path / "maze.json").read_text("utf-8"))
    data["links"] = data.pop("edges")  # the word of older releases of networkx
    (tmp_path / "links.json").write_text(json.dumps(data))
    assert meiro.read(tmp_path / "links.json") == maze


@pytest.mark.parametrize("text", ["3", "null", "[]", '{"nodes": []}', '{"type": "Topology", "arcs": []}'])
def test_json_of_another_kind_says_what_is_missing(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ValueError, match=r"a\.json' is .*: it has no lists of nodes and edges"):
        meiro.read(tmp_path / "a.json")
    (tmp_path / "a.json").write_text("[[1, 1, 1], [1, 0, 1], [1, 1, 1]]")
    refused(ValueError, r"""; format="txt" reads an array of rows$""", meiro.read, tmp_path / "a.json")
    assert meiro.read(tmp_path / "a.json", format="txt") == meiro.Maze([[0]])


@networks
def test_networks_of_networkx_are_read(suffix: str, tmp_path: Path) -> None:
    graph = nx.les_miserables_graph()
    written(graph, tmp_path / f"a{suffix}")
    found = meiro.read(tmp_path / f"a{suffix}")
    assert isinstance(found, meiro.GraphMaze)
    assert found.lattice.labels == tuple(graph)
    assert found.open.all()
    assert found.lattice.n_edges == graph.number_of_edges()
    written(nx.DiGraph([(0, 1)]), tmp_path / f"b{suffix}")
    words = rf"b{suffix}' holds a directed graph, .*to_undirected\(\) is taken by meiro\.lattices\.from_graph"
    refused(ValueError, words, meiro.read, tmp_path / f"b{suffix}")
    written(nx.Graph(), tmp_path / f"b{suffix}")
    refused(ValueError, rf"b{suffix}' holds a graph without nodes", meiro.read, tmp_path / f"b{suffix}")
    (tmp_path / f"c{suffix}").write_text('<!DOCTYPE x [<!ENTITY a "aaaa">]><graphml>&a;</graphml>')
    refused(ValueError, "declares entities", meiro.read, tmp_path / f"c{suffix}")
    for text in ("", "{", "[1]", '{"nodes": 3}', "graph [", "<gexf/>", "[" * 100_000):
        (tmp_path / f"d{suffix}").write_text(text)
        refused(ValueError, f"d{suffix}", meiro.read, tmp_path / f"d{suffix}")


def test_json_of_d3_counts_its_nodes(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        '{"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": 1, "target": 0}]}'
    )
    found = read_maze(tmp_path / "a.json")
    assert (found.n_cells, found.edges().tolist()) == (2, [[0, 1]])


def test_gml_is_read_in_utf_8_and_in_latin_1(tmp_path: Path) -> None:
    text = 'graph [ node [ id 1 label "Jos\u00e9" ] node [ id 2 label "b" ] edge [ source 1 target 2 ] ]'
    for encoding in ("utf-8", "utf-8-sig", "latin-1"):
        (tmp_path / "a.gml").write_text(text, encoding)
        found = read_maze(tmp_path / "a.gml")
        assert isinstance(found, meiro.GraphMaze)
        assert found.lattice.labels == ("Jos\u00e9", "b")


def test_attributes_of_an_unknown_class_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.gexf"
    maze_on("polar").save(path)
    path.write_text(path.read_text().replace('class="node"', 'class="knot"'))
    said = "attributes of an unknown class|Unknown attribute class knot"  # the second by networkx 3.7
    refused(ValueError, rf"a\.gexf' .*({said})", meiro.read, path)


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png", ".dot", ".gv"])
def test_pictures_are_written(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"maze{suffix}"
    for name in ("karate", "polar"):  # the first one has no places
        maze = maze_on(name)
        maze.save(path, solution=maze.solve())
        first = path.read_bytes()
        maze.save(path, solution=maze.solve())
        assert path.read_bytes() == first
        assert first.lstrip(b"\x89%<").startswith((b"svg", b"PDF", b"PNG", b"graph"))
    if suffix == ".png":
        width, height = struct.unpack(">II", first[16:24])
        assert width == height
        assert abs(width - 24 * 10) < 24  # about ten cells
        maze.save(path, scale=10)
        assert abs(struct.unpack(">I", path.read_bytes()[16:20])[0] - width * 10 / 24) <= 1


def test_what_a_format_does_not_take(tmp_path: Path) -> None:
    maze = maze_on("hexagonal")
    words = "cannot hold a GraphMaze, which has no grid: write a .png"
    refused(TypeError, words, maze.save, tmp_path / "a.csv")
    refused(TypeError, "cannot hold a Lattice", meiro.save, maze.lattice, tmp_path / "a.svg")
    words = "title= is for .png, .svg and .pdf files, not for a GraphMaze"
    refused(ValueError, words, maze.save, tmp_path / "a.npz", title="x")
    refused(ValueError, "posts= is for a Maze", maze.save, tmp_path / "a.png", posts=False)
    refused(ValueError, "scale=20000 makes", maze.save, tmp_path / "a.png", scale=20_000)
    odd = meiro.GraphMaze(meiro.Lattice(2, [(0, 1)], labels=[frozenset({1}), "b"]), [True])
    for suffix in (".npz", ".graphml", ".json"):
        refused(TypeError, r"frozenset.* cannot be saved: str, int", odd.save, tmp_path / f"a{suffix}")
    assert not list(tmp_path.iterdir())


FACTS = dict.fromkeys(("seed", "recipe", "start", "goal")) | {"stream": meiro.seeds.STREAM}


def test_wrong_values_are_named(tmp_path: Path) -> None:
    path = tmp_path / "maze.npz"
    maze_on("hexagonal").save(path)
    with np.load(path) as archive:
        arrays: dict[str, Any] = dict(archive)
    for name, value in (
        ("format", 2),
        ("n_cells", -1),
        ("n_cells", 3),
        ("n_cells", "many"),
        ("labels", ["a"]),
        ("name", 7),
        ("maze", {}),
        ("maze", FACTS | {"seed": [[1, 2], -5, None]}),
        ("maze", FACTS | {"start": 99}),
        ("maze", FACTS | {"recipe": [1]}),
        ("edges", arrays["edges"] + 100),
        ("edges", arrays["edges"][:-1]),
        ("edges", arrays["edges"].astype(float)),
        ("open", arrays["open"][:-1]),
        ("open", arrays["open"].astype(int)),
        ("positions", arrays["positions"] * np.nan),
        ("positions", arrays["positions"][:3]),
        ("outline_indices", arrays["outline_indices"] + 1000),
        ("outline_indptr", arrays["outline_indptr"][::-1]),
        ("outline_walls", arrays["outline_walls"][:, :1]),
        ("outline_walls", arrays["outline_walls"] * np.inf),
        ("outline_rim_cells", arrays["outline_rim_cells"] - 100),
    ):
        np.savez(path, **arrays)
        rewrite_npz(path, "lattice", **{name: value})
        refused(ValueError, r"maze.npz' holds no lattice", meiro.read, path)


def test_a_size_that_no_memory_holds_is_refused_first(tmp_path: Path) -> None:
    path = tmp_path / "maze.npz"
    maze_on("hexagonal").save(path)
    rewrite_npz(path, "lattice", n_cells=1 << 50)
    refused(MemoryError, r"maze.npz", meiro.read, path)


def test_members_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "maze.npz"
    maze_on("hexagonal").save(path)
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    for left_out in set(members) - {"lattice.npy", "positions.npy", "outline_corners.npy"}:
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in members.items():
                if name != left_out:
                    archive.writestr(name, data)
        if left_out in {"outline_wall_arcs.npy", "straight.npy", "weight_addresses.npy"}:
            continue
        refused(ValueError, r"maze.npz' holds no lattice", meiro.read, path)
