"""The table of file formats that `meiro.save`, `meiro.read` and the command go by.

The formats of batches are `meiro.io.arrays.BATCHES`; animations, whose encoders take frames, have a table of
their own.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from meiro._utils.options import PageOptions

if TYPE_CHECKING:
    from collections.abc import Callable


class Format(NamedTuple):
    """A file format. Its functions are ``"module:function"`` in `meiro.io`, imported when they are called.

    Attributes
    ----------
    description : str
        A line for the tables in docstrings.
    read : str, optional
        ``read(path)`` returns a `Maze`, a `GraphMaze` or a wall/road array.
    write : str, optional
        ``write(file, maze)`` writes to a binary file.
    takes : tuple of str
        The keywords of `read` (road) and `write` (solution, scale, style, outside, posts, and of paper); and
        "arrays", if `write` takes wall/road arrays of uint8 as well, "several", if it takes several mazes.
    beside : str
        The suffix of a second file that belongs to each: then ``write(maze, path)`` writes both.
    write_graph : str, optional
        ``write_graph(file, maze)`` writes a `GraphMaze`.
    graph_takes : tuple of str
        The keywords of `write_graph`; and "lattice", if it takes a `Lattice` as well.
    """

    description: str
    read: str = ""
    write: str = ""
    takes: tuple[str, ...] = ()
    beside: str = ""
    write_graph: str = ""
    graph_takes: tuple[str, ...] = ()

    def function(self, use: Literal["read", "write", "write_graph"]) -> Callable[..., Any]:
        """Import a function that the format has, and return it."""
        module, _, name = getattr(self, use).partition(":")
        return cast("Callable[..., Any]", getattr(import_module(f"meiro.io.{module}"), name))


def _for_both(description: str, write: str, *takes: str, read: str = "") -> Format:
    """Return a format that one function writes, of a `Maze` and of a `GraphMaze`."""
    return Format(description, read, write, takes, write_graph=write, graph_takes=takes)


_DOT = Format(
    "Graphviz, as of `Maze.to_dot`, with the ends of the solution",
    "",
    "graphviz:write_dot",
    ("solution",),
    write_graph="graphviz:write_graph_dot",
    graph_takes=("solution",),
)
_TILED = Format(
    "a map of Tiled, and the picture of its tiles as ``.tiles.png`` beside it, as of `meiro.io.save_tiled`",
    "game_maps.tiled:read_tiled",
    "game_maps.tiled:save_tiled",
    beside=".tiles.png",
)
_OCCUPANCY = Format(
    "an occupancy grid of ROS, and its picture as ``.pgm`` beside it, as of `meiro.io.save_occupancy_grid`",
    "game_maps.occupancy_grid:read_walls",
    "game_maps.occupancy_grid:save_occupancy_grid",
    ("arrays",),
    beside=".pgm",
)
_PAPER = ("solution", "several", "start", "goal", *PageOptions.__annotations__)
_GRAPH_PAPER = tuple(name for name in _PAPER if name not in {"several", "outside"})
_PICTURE = Format("other pictures, as `meiro.from_image` reads them", "image:from_image")
FORMATS = {
    ".png": Format(
        "a picture, one pixel a site (or `scale`), with the solution in colours; bright is road",
        "image:from_image",
        "png_writer:write_png",
        ("arrays", "stream", "solution", "scale", "outside", "posts", "threads"),
        write_graph="paper:write_graph_png",
        graph_takes=("solution", "scale", "start", "goal"),
    ),
    ".svg": Format(
        "a picture for print and for the web, as of `Maze.to_svg`",
        "",
        "paper:write_svg",
        _PAPER,
        write_graph="paper:write_svg",
        graph_takes=_GRAPH_PAPER,
    ),
    ".pdf": Format(
        "a page for print, in vectors",
        "",
        "paper:write_pdf",
        _PAPER,
        write_graph="paper:write_pdf",
        graph_takes=_GRAPH_PAPER,
    ),
    ".txt": Format(
        "text, as of `Maze.to_text`",
        "text:read_text",
        "text:write_text",
        ("solution", "style"),
        write_graph="text:write_graph_text",
        graph_takes=("solution", "style"),
    ),
    ".csv": Format(
        "the grid, 0 (road) and 1 (wall) between commas",
        "csv:read_csv",
        "csv:write_csv",
        ("arrays", "stream", "road"),
    ),
    ".map": Format(
        "the grid as a map of the MovingAI benchmarks, ``.`` road and ``@`` wall",
        "game_maps.moving_ai:read_map",
        "game_maps.moving_ai:write_map",
        ("arrays",),
    ),
    ".tmx": _TILED,
    ".tmj": _TILED,
    ".yaml": _OCCUPANCY,
    ".yml": _OCCUPANCY,
    ".npy": Format(
        "the grid as an array of uint8",
        "arrays.npz:read_npy",
        "arrays.npz:write_npy",
        ("arrays", "stream", "road"),
    ),
    ".npz": Format(
        "everything: passages, mask, openings, wrap, start, goal, seed, recipe and version",
        "arrays.npz:read_npz",
        "arrays.npz:write_npz",
        write_graph="graph_files:write_npz",
        graph_takes=("lattice",),
    ),
    ".graphml": _for_both(
        "the graph of `Maze.to_networkx` for Gephi, yEd, igraph and others; read back as the maze it was, or "
        "as they changed it",
        "network_files:write_graphml",
        read="network_files:read_graphml",
    ),
    ".gml": _for_both("the same in GML", "network_files:write_gml", read="network_files:read_gml"),
    ".gexf": _for_both(
        "the same in GEXF, with places for Gephi", "network_files:write_gexf", read="network_files:read_gexf"
    ),
    ".json": _for_both(
        "the same as node-link JSON of networkx and d3",
        "network_files:write_node_link",
        read="network_files:read_node_link",
    ),
    ".geojson": _for_both(
        "walls as lines, each as long as it can be, and the path of a solution, in GeoJSON",
        "shapes.geojson:write_geojson",
        "solution",
        read="shapes.geojson:read_geojson",
    ),
    ".wkt": _for_both(
        "the same as well-known text", "shapes.wkt:write_wkt", "solution", read="shapes.wkt:read_wkt"
    ),
    ".dxf": _for_both(
        "the same for CAD and laser cutters, on the layers WALLS and SOLUTION",
        "shapes.dxf:write_dxf",
        "solution",
        read="shapes.dxf:read_dxf",
    ),
    ".stl": _for_both(
        "a closed mesh to be printed, with the sizes that `meiro.io.save_mesh` has by default",
        "shapes.mesh:write_stl",
    ),
    ".obj": _for_both("the same as OBJ", "shapes.mesh:write_obj"),
    ".glb": _for_both("the same as glTF", "shapes.mesh:write_glb"),
    ".gltf": _for_both("the same as glTF in text, a third larger", "shapes.mesh:write_gltf"),
    ".dot": _DOT,
    ".gv": _DOT,
    **dict.fromkeys(
        (".bmp", ".gif", ".jpeg", ".jpg", ".pbm", ".pgm", ".pnm", ".ppm", ".tif", ".tiff", ".webp"), _PICTURE
    ),
}


def format_of(path: str | os.PathLike[str], use: Literal["read", "write"]) -> Format:
    """Return the format that the suffix of a path names; ValueError if it cannot be read or written."""
    suffix = _suffix_of(path)
    known = suffixes(use)
    if suffix not in known:
        msg = f"{os.fspath(path)!r}: suffix {suffix!r} is not one of {', '.join(known)}"
        if suffix in FORMATS:
            msg += f"; {suffix} is only {'written' if use == 'read' else 'read'}"
        raise ValueError(msg)
    return FORMATS[suffix]


def beside_of(suffix: str) -> str:
    """Return the suffix of the second file of a format; "" if it has no second file, or is unknown."""
    form = FORMATS.get(suffix.lower())
    return "" if form is None else form.beside


def reads_pictures(path: str | os.PathLike[str]) -> bool:
    """Return whether the suffix of a path is that of a picture that `meiro.from_image` reads."""
    form = FORMATS.get(_suffix_of(path))
    return form is not None and form.read == _PICTURE.read


def _suffix_of(path: str | os.PathLike[str]) -> str:
    from meiro._utils.validation import checked_path  # needs NumPy, and the help of the command does not

    return checked_path(path).suffix.lower()


def suffixes(having: str) -> list[str]:
    """Return the suffixes of the formats that have an attribute, or take a keyword."""
    return [suffix for suffix, form in FORMATS.items() if having in form.takes or getattr(form, having, None)]


def format_table(use: Literal["read", "write"]) -> str:
    """Return the formats for reading or writing as a list in reStructuredText."""
    lines: dict[Format, list[str]] = {}
    for suffix, form in FORMATS.items():
        if getattr(form, use):
            lines.setdefault(form, []).append(f"``{suffix}``")
    return "\n".join(f"- {', '.join(names)}: {form.description}" for form, names in lines.items())
