"""The table of file formats that `meiro.save`, `meiro.read` and the command go by.

The formats of batches are `meiro.io.arrays.BATCHES`; animations, whose encoders take frames, have a table of
their own.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from meiro._utils.options import PictureOptions

if TYPE_CHECKING:
    from collections.abc import Callable

Kind = Literal["maze", "array", "stream", "several", "graph", "lattice"]
"""A `Maze`, a wall/road array, the maze of a stream, several mazes; a `GraphMaze`, a `Lattice` alone."""


class Format(NamedTuple):
    """A file format. Its functions are ``"module:function"`` in `meiro.io`, imported when they are called.

    Attributes
    ----------
    read : str, optional
        ``read(path)`` returns a `Maze`, a `GraphMaze` or a wall/road array.
    write : str, optional
        ``write(file, x)`` writes to a binary file.
    holds : tuple of str
        The kinds that `write` takes.
    takes : tuple of str
        The keywords of `write`; and "road" and "layer", if `read` takes them.
    of_squares, of_mazes : tuple of str
        Further ones, for what has rows and columns only, and for mazes of any kind only.
    sites : bool
        Whether a maze is written as nothing but its sites, so that "posts" is an option without `write`.
    beside : str
        The suffix of a second file that belongs to each: then ``write(x, path)`` writes both.
    begins, mentions : tuple of bytes
        How the content begins, and what stands near its beginning, so that it is known without a name.
    """

    read: str = ""
    write: str = ""
    holds: tuple[Kind, ...] = ("maze",)
    takes: tuple[str, ...] = ()
    of_squares: tuple[str, ...] = ()
    of_mazes: tuple[str, ...] = ()
    sites: bool = False
    beside: str = ""
    begins: tuple[bytes, ...] = ()
    mentions: tuple[bytes, ...] = ()

    def function(self, use: Literal["read", "write"]) -> Callable[..., Any]:
        """Import a function that the format has, and return it."""
        module, _, name = getattr(self, use).partition(":")
        return cast("Callable[..., Any]", getattr(import_module(f"meiro.io.{module}"), name))

    def options(self, kind: Kind) -> tuple[str, ...]:
        """Return the keywords of `write` for what is of a kind."""
        of_mazes = self.of_mazes if kind in {"maze", "graph", "several"} else ()
        if kind in {"graph", "lattice"}:
            return self.takes + of_mazes
        return self.takes + of_mazes + self.of_squares + (("posts",) if self.sites else ())


_BOTH: tuple[Kind, ...] = ("maze", "graph")
_SITES: tuple[Kind, ...] = ("maze", "array")
_BANDS: tuple[Kind, ...] = ("maze", "array", "stream")
_OUTLINES = ("wall", "kerf")
_PICTURE = ("solution", "locks", *(name for name in PictureOptions.__annotations__ if name != "outside"))
_PAGE = (*_PICTURE, *_OUTLINES)


def _page(write: str, **more: Any) -> Format:
    return Format("", write, (*_BOTH, "several"), _PAGE, of_squares=("outside",), **more)


def _graph(name: str, *mentions: bytes, begins: tuple[bytes, ...] = ()) -> Format:
    module = "network_files"
    return Format(f"{module}:read_{name}", f"{module}:write_{name}", _BOTH, begins=begins, mentions=mentions)


def _walls(name: str, *mentions: bytes, module: str = "geometries", takes: tuple[str, ...] = ()) -> Format:
    read, write = (f"shapes.{module}:{use}_{name}" for use in ("read", "write"))
    return Format(read, write, _BOTH, ("solution", *takes), mentions=mentions)


def _mesh(name: str) -> Format:
    return Format("", f"shapes.mesh:write_{name}", _BOTH, ("mm", "wall"))


def _tiled(mention: bytes) -> Format:
    read, write = "game_maps.tiled:read_map", "game_maps.tiled:save_map"
    return Format(
        read, write, takes=("layer",), of_squares=("posts", "locks"), beside=".tiles.png", mentions=(mention,)
    )


def _picture(*begins: bytes) -> Format:
    return Format("image:from_image", begins=begins)


_DOT = Format("", "graphviz:write_dot", _BOTH, ("solution",))
_OCCUPANCY = Format(
    "game_maps.occupancy_grid:read_walls",
    "game_maps.occupancy_grid:save_occupancy_grid",
    _SITES,
    sites=True,
    beside=".pgm",
    begins=(b"image:",),
)
FORMATS = {
    ".png": Format(
        "image:from_image",
        "png:write_png",
        (*_BANDS, "graph", "several"),
        ("solution", "scale", "explored", "colors"),
        of_squares=("outside", "posts", "threads"),
        of_mazes=_PICTURE,
        begins=(b"\x89PNG",),
    ),
    ".svg": _page("paper:write_svg", mentions=(b"<svg",)),  # which is not read: the error says so
    ".pdf": _page("paper:write_pdf"),
    ".txt": Format("text:read_text", "text:write_text", _BOTH, ("solution", "style", "road")),
    ".csv": Format("text:read_text", "text:write_csv", _BANDS, ("road",), sites=True),
    ".map": Format(
        "game_maps.moving_ai:read_map",
        "game_maps.moving_ai:write_map",
        _SITES,
        ("road",),
        sites=True,
        begins=(b"type ",),
    ),
    ".tmx": _tiled(b"<map"),
    ".tmj": _tiled(b'"tiledversion"'),
    ".yaml": _OCCUPANCY,
    ".yml": _OCCUPANCY,
    ".npy": Format(
        "arrays.npz:read_npy",
        "arrays.npz:write_npy",
        _BANDS,
        ("road",),
        sites=True,
        begins=(b"\x93NUMPY",),
    ),
    ".npz": Format(
        "arrays.maze_files:read_npz",
        "arrays.maze_files:write_npz",
        (*_BOTH, "lattice"),
        ("road",),
        begins=(b"PK",),
    ),
    ".graphml": _graph("graphml", b"<graphml"),
    ".gml": _graph("gml", begins=(b"graph [",)),
    ".gexf": _graph("gexf", b"<gexf"),
    ".json": _graph("node_link"),
    ".geojson": _walls(
        "geojson", b'"FeatureCollection"', b'"GeometryCollection"', b'LineString"', takes=("layer",)
    ),
    ".wkt": _walls("wkt"),
    ".dxf": _walls("dxf", module="dxf", takes=("mm", *_OUTLINES, "layer")),
    ".stl": _mesh("stl"),
    ".obj": _mesh("obj"),
    ".glb": _mesh("glb"),
    ".gltf": _mesh("gltf"),
    ".dot": _DOT,
    ".gv": _DOT,
    ".bmp": _picture(b"BM"),
    ".gif": _picture(b"GIF8"),
    ".jpeg": _picture(),
    ".jpg": _picture(b"\xff\xd8"),
    ".pbm": _picture(b"P4"),
    ".pgm": _picture(b"P5"),
    ".pnm": _picture(),
    ".ppm": _picture(b"P6"),
    ".tif": _picture(),
    ".tiff": _picture(),
    ".webp": _picture(b"RIFF"),
}


def format_of(path: str | os.PathLike[str], use: Literal["read", "write"]) -> Format:
    """Return the format that the suffix of a path names; ValueError if it cannot be read or written."""
    suffix = _suffix_of(path)
    known = suffixes(use)
    if suffix not in known:
        msg = f"{os.fspath(path)!r}: suffix {suffix!r} is not one of {', '.join(known)}"
        if suffix in FORMATS:
            msg += f"; {suffix} is only {'written' if use == 'read' else 'read'}"
        elif use == "read":
            msg += '; format= says what it is, as format="txt"'
        raise ValueError(msg)
    return FORMATS[suffix]


def beside_of(suffix: str) -> str:
    """Return the suffix of the second file of a format; "" if it has no second file, or is unknown."""
    form = FORMATS.get(suffix.lower())
    return "" if form is None else form.beside


def reads_pictures(path: str | os.PathLike[str]) -> bool:
    """Return whether the suffix of a path is that of a picture that `meiro.from_image` reads."""
    form = FORMATS.get(_suffix_of(path))
    return form is not None and form.read == FORMATS[".png"].read


def suffix_of_content(start: bytes) -> str:
    """Return the suffix for a file without a name, by its first bytes, of which there are some."""
    for suffix, form in FORMATS.items():
        if start.startswith(form.begins):
            return suffix
    if re.match(
        rb"\s*(?:SRID\s*=\s*\d+\s*;\s*)?(?:(?:MULTI)?LINESTRING|GEOMETRYCOLLECTION)", start, re.IGNORECASE
    ):
        return ".wkt"
    for suffix, form in FORMATS.items():
        if any(word in start for word in form.mentions):
            return suffix
    if start.startswith(b"{"):
        return ".json"
    if start.split(None, 2)[:2] == [b"0", b"SECTION"] or start.split(None, 1)[0] == b"999":  # a comment
        return ".dxf"
    return ".csv" if b"," in start.split(b"\n", 1)[0] else ".txt"


def _suffix_of(path: str | os.PathLike[str]) -> str:
    from meiro._utils.validation import checked_path  # needs NumPy, and the help of the command does not

    return checked_path(path).suffix.lower()


def suffixes(having: str, kind: Kind = "maze") -> list[str]:
    """Return the suffixes of the formats that are read or written, hold a kind, or take a keyword for one."""
    return [
        suffix
        for suffix, form in FORMATS.items()
        if having in form.holds or having in form.options(kind) or getattr(form, having, None)
    ]
