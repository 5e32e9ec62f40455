"""Save and read mazes, by paths or open files; the suffix of the path selects the format."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, Unpack, cast

import numpy as np

from meiro._utils.arrays import refuse_road, walls
from meiro._utils.atomic import atomic
from meiro._utils.messages import listed, right_word
from meiro._utils.options import SaveOptions
from meiro._utils.validation import boolean, checked_path, require_type
from meiro.generators.row_stream import RowStream, StreamedMaze, refuse_rows, streamed
from meiro.io.arrays import BATCHES
from meiro.io.formats import FORMATS, Format, Kind, beside_of, format_of, suffix_of_content, suffixes
from meiro.lattices.lattice import Lattice
from meiro.mazes.maze import Maze
from meiro.results.locks import Locks
from meiro.results.picture_array import PictureArray
from meiro.results.solution import Solution
from meiro.spaces.space_of import are_several, is_maze, lattice_of, listed_mazes, mazes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from _typeshed import SupportsRead, SupportsWrite
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.progress import Progress
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.mazes.graph_maze import GraphMaze

_PIECE = 1 << 20  # bytes
_GUESSED = ".csv", ".txt", ".json"  # what has no mark of its own: the name of the file says more


def save(
    x: Maze | GraphMaze | Locks | Lattice | RowStream | Sequence[Maze | GraphMaze] | ArrayLike,
    path: str | os.PathLike[str] | SupportsWrite[Any],
    *,
    solution: Solution | ArrayLike | Sequence[Solution | None] | None = None,
    road: object = None,
    rows: SupportsIndex | None = None,
    resume: bool = False,
    progress: Progress = False,
    **options: Unpack[SaveOptions],
) -> None:
    """Write a maze, many mazes or a wall/road array to a file; the suffix selects the format.

    - ``.png``: a picture, one pixel a site (or `scale`), with the solution in colours; bright is road
    - ``.svg``: a picture for print and for the web, as of `Maze.to_svg`
    - ``.pdf``: a page for print, in vectors
    - ``.txt``: text, as of `Maze.to_text`
    - ``.csv``: the grid, 0 (road) and 1 (wall) between commas
    - ``.map``: the grid as a map of the MovingAI benchmarks, ``.`` road and ``@`` wall
    - ``.tmx``, ``.tmj``: a map of Tiled, and the picture of its tiles as ``.tiles.png`` beside it, as of
      `meiro.io.save_tiled`
    - ``.yaml``, ``.yml``: an occupancy grid of ROS, and its picture as ``.pgm`` beside it, as of
      `meiro.io.save_occupancy_grid`
    - ``.npy``: the grid as an array of uint8
    - ``.npz``: everything: passages, mask, openings, wrap, start, goal, seed, recipe and version
    - ``.graphml``: the graph of `Maze.to_networkx` for Gephi, yEd, igraph and others; read back as the maze
      it was, or as they changed it
    - ``.gml``, ``.gexf``, ``.json``: the same in GML, in GEXF with places for Gephi, as node-link JSON of
      networkx and d3
    - ``.geojson``, ``.wkt``: walls as lines, each as long as it can be, and the path of a solution, in
      GeoJSON and as well-known text
    - ``.dxf``: the same for CAD and laser cutters, on the layers WALLS and SOLUTION
    - ``.stl``, ``.obj``, ``.glb``, ``.gltf``: a closed mesh to be printed, as high as
      `meiro.io.save_mesh` has it by default; ``.gltf`` is text, a third larger than ``.glb``
    - ``.dot``, ``.gv``: Graphviz, as of `Maze.to_dot`, with the ends of the solution

    All but ``.npz``, graphs and maps of Tiled show a periodic maze with an open border, and are read back
    with openings there; ``Maze.from_grid(grid, wrap=)`` turns those into passages again.

    Parameters
    ----------
    x : Maze, GraphMaze, MazeBatch, GraphBatch, list of mazes, Locks, Lattice, RowStream, or array_like (h, w)
        What to write. All but ``.csv``, ``.map``, ``.tmx``, ``.tmj``, ``.yaml``, ``.yml`` and ``.npy``, which
        are of rows and columns, take a GraphMaze, ``.npz`` a Lattice alone, too. ``.png``, ``.csv``,
        ``.map``, ``.yaml``, ``.yml`` and ``.npy`` also take a wall/road array, ``.svg`` and ``.pdf`` a batch
        or a list of mazes, which are arranged on one page. ``.npz``, ``.zarr`` and ``.zanj`` hold a batch
        with its seeds, as `MazeBatch.save` and `GraphBatch.save` write it. ``.png``, ``.csv`` and ``.npy``
        take a stream, and need the memory of some of its rows; so does ``.zarr``, an array of its passages.
        ``.png``, ``.svg``, ``.pdf``, ``.tmx`` and ``.tmj`` take Locks, as `Locks.save` says.
    path : path or open file
        Where to. The file appears only when all of it is written. A second file has the same name with the
        suffix named above, and replaces one that is there. An open file or buffer takes all formats of one
        file.
    format : str, optional
        Such as "png". Default: the suffix of the path, or of the name of an open file; of a buffer "npz", and
        "txt" of one that takes text.
    solution : Solution, optional
        What `meiro.solve` found in `x`; for pictures, text, lines (``.geojson``, ``.wkt``, ``.dxf``) and
        Graphviz. Of a GraphMaze it may be a path of cells. A list of them, or None, for several mazes.
    scale : int, optional
        Pixels a site, each way; for ``.png``. Default: 1. Of a GraphMaze, and with any keyword of a page but
        `explored` and `colors`, what is drawn is as on a page, and these are pixels a cell, by default 24,
        or 300 an inch where lengths are given.
    style : {"unicode", "ascii", "block", "posts"}
        How a text is drawn; for ``.txt``.
    road : scalar or sequence of scalars, optional
        The value of a road, or several, in an array that holds other values than 0 (road) and 1 (wall).
    outside : {"blank", "wall"}
        How cells that do not exist, of a mask, are drawn: as paper, or as wall; for ``.png``, ``.svg`` and
        ``.pdf``. A PNG has them transparent, in a colour that `read` and `from_image` take for wall.
    posts : bool
        False leaves out the posts of a Maze at which no wall ends, the pillars of rooms; for ``.png``,
        ``.csv``, ``.map``, ``.yaml``, ``.yml`` and ``.npy``, and for ``.tmx`` and ``.tmj``, which are then
        floor plans. Files with rooms are read as arrays then.
    start, goal : (int, int), optional
        The cells with marks; for ``.svg``, ``.pdf`` and ``.png``, as all that follows. Default: the ends of
        the solution, else those of the maze, else on a page where `solve` would begin and end.
    labels : array_like or mapping, optional
        Texts and numbers in the cells, one for each, or of some as ``{cell: text}``, as in `meiro.plot`.
    explored : bool
        Whether the cells that the search explored are light blue. Default: True in a ``.png``, else False.
    mm : float, optional
        The side of a cell in millimetres, as all lengths here; for ``.svg``, ``.pdf``, ``.dxf`` and meshes.
        Default: as large as the page allows; 10 in a mesh; in a ``.dxf`` a unit of the drawing, of no length.
    wall, kerf : float, optional
        How thick walls are. Meshes have them so, by default a fifth of `mm`. In ``.dxf``, ``.svg`` and
        ``.pdf`` their outlines are drawn, for laser cutters: closed, by lines of 0.1 mm (or `wall_width`),
        of cells that have 10 mm by default in a ``.dxf``. A cut of width `kerf` along them leaves walls as
        thick as `wall`. Those of a GraphMaze need shapely (extra ``maps``).
    page : str or (float, float), optional
        "A3", "A4", "A5", "letter", "legal" or "tabloid", or width and height; "fit" is as large as the maze.
        A page with a name is laid on its side if the cells are then larger. Default: "A4" for ``.pdf``,
        "fit" for ``.svg``.
    margin : float, optional
        On each side. Default: 15; 0 for "fit".
    wall_width, path_width : float, optional
        Default: 0.14 and 0.28 of a cell, on a page at least 0.25 and 0.45 mm and at most 1.2 and 2.5 mm.
    caps : {"square", "round"}, optional
        The ends of walls.
    colors : dict of str to color, optional
        Colours as matplotlib takes them, as "crimson" or "#1d3fb8", for "wall", "road", "visited", "path",
        "start", "goal", "text" and "door".
    title : str, optional
        A line above the maze; a long title takes up to three.
    marks : bool or mapping, optional
        Whether start and goal are marked: the start by a dot, the goal by a ring, openings on a page, and
        elsewhere with True, by arrows. Default: not with `wall`. Texts as ``{cell: "S"}`` stand in their
        place.
    threads : int or "all"
        How many compress the picture; for ``.png``. The file is the same.
    rows : int, optional
        For a stream, the number of rows of its maze, if the stream was not made with one. The stream itself
        gives no rows away: it stays at its beginning.
    resume : bool
        Of a stream in ``.zarr``: what is made is kept after Ctrl-C, an error or a kill, beside the path with
        ``.part`` behind its name, and the same call goes on with it; after a kill with what was made some
        seconds before.
    progress : bool or callable
        Of a stream: True for a progress bar, or ``callable(done, total)``, in cells.

    Raises
    ------
    ValueError
        If the suffix is unknown, the format does not take what is given, or the solution is of another maze;
        if the page is too small (the message names the smallest), or a line is wider than a cell.
    TypeError
        If `solution` is not a Solution, or an array is given for a format that takes a Maze only.
    ImportError
        If it is a PDF and matplotlib is not installed.
    OSError
        If the file cannot be written.

    See Also
    --------
    read : the inverse.
    meiro.io.puzzle_book : many mazes and their solutions, on pages.
    MazeBatch.save : the formats of batches.

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> meiro.save(maze, "maze.npz")
    >>> meiro.read("maze.npz") == maze
    True
    >>> meiro.save(maze, "sheet.pdf", page="A5", title="A small maze", wall_width=0.8, caps="round")
    """
    given = _given(options)
    form = given.pop("format", None)
    if solution is not None:
        given = {"solution": solution} | given
    if is_open(path) or form is not None:
        own: Any = {"road": road, "rows": rows, "resume": resume, "progress": progress}
        opened: Any = nullcontext(path) if is_open(path) else atomic(cast("str", path))
        with opened as file, output_path(file, form, name_of(path)) as copy:
            save(x, copy, **own, **given)
        return
    where = cast("str | os.PathLike[str]", path)
    suffix, name = checked_path(where).suffix.lower(), repr(os.fspath(where))
    is_stream = isinstance(x, RowStream)
    as_array, as_batch = is_stream and suffix == ".zarr", suffix in BATCHES and are_several(x)
    if boolean(resume, "resume") and not as_array:
        raise ValueError(f"resume=True is for a stream in a .zarr folder, not for {name}")
    if rows is not None and not is_stream:
        refuse_rows(rows)
    what: Any = x
    if not (as_array or as_batch):
        facts = format_of(where, "write")
        if is_stream:
            _require_held(facts, "stream", x, name)
            what = streamed(what, rows, "save")._replace(progress=progress)
        if isinstance(x, Locks):
            what, given["locks"] = _maze_to_write(x, facts, name), x
        write_as(facts, what, where, road=road, **given)
        return
    refuse_road(road)
    for option in given:
        held = "a batch" if as_batch else "the passages of a stream"
        raise ValueError(f"{option}= is not for {name}, which holds {held}")
    if as_batch:
        from meiro.io.arrays.batch_files import save_batch

        save_batch(mazes_of(what, "x", many=True).x, where)
    else:
        from meiro.io.arrays.streamed_zarr import save_streamed

        save_streamed(streamed(what, rows, "save")._replace(progress=progress), where, resume=resume)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are given; a TypeError for one that there is not."""
    for name in options:
        if name not in SaveOptions.__annotations__:
            known = ("solution", "road", "rows", "resume", "progress", *SaveOptions.__annotations__)
            hint = right_word(name, known)
            if name in {"height", "base", "carved"}:
                hint = " (meiro.io.save_mesh takes it)"
            raise TypeError(f"save() takes no {name}={hint}; it takes {listed(f'{one}=' for one in known)}")
    return {name: value for name, value in options.items() if value is not None}


def _maze_to_write(locks: Locks, form: Format, name: str) -> Any:
    """Return the maze of locks; a ValueError if a format has no doors and keys."""
    if "locks" not in form.options("maze"):
        raise ValueError(f"{name} cannot hold doors and keys: {listed(suffixes('locks'))} files do")
    from meiro.transforms.locks import maze_with_ends

    return maze_with_ends(locks)


def write_as(
    form: Format, x: Any, path: str | os.PathLike[str], *, road: object = None, **given: Any
) -> None:
    """Write a file in a format, whatever its suffix; else as `save`, with the options that are given."""
    kind, name = _kind_of(x), repr(os.fspath(path))
    if road is not None and kind != "array":
        refuse_road(road)
    _require_held(form, kind, x, name)
    _require_taken(form, kind, x, name, given)
    if kind == "array":
        x = walls(x, road=road)
    elif kind == "several":
        x = list(listed_mazes(x, "x", "several mazes"))
        if not x:
            raise ValueError(f"x holds no maze to draw in {name}")
    if form.sites and not given.pop("posts", True):
        x = x.to_grid(posts=False)
    write = form.function("write")
    if form.beside:
        write(x, path, **given)
        return
    with atomic(path) as file:
        write(file, x, **given)


def _kind_of(x: Any) -> Kind:
    if isinstance(x, Lattice):
        return "lattice"
    if isinstance(x, StreamedMaze):
        return "stream"
    if are_several(x):
        return "several"
    if not is_maze(x):
        return "array"
    return "maze" if lattice_of(x) is None else "graph"


def _require_held(form: Format, kind: Kind, x: Any, name: str) -> None:
    """Raise a TypeError for what a format does not hold."""
    if kind in form.holds:
        return
    grid, arrays = f"{name} cannot hold a {type(x).__name__}, which has no grid", listed(suffixes("array"))
    raise TypeError(
        {
            "graph": f"{grid}: write a {listed(suffixes('graph'), 'or')} file",
            "lattice": f"{name} cannot hold a Lattice: .npz files do; a GraphMaze on it can be drawn",
            "several": f"x holds several mazes, which {name} cannot: "
            f"{listed([*suffixes('several'), *BATCHES])} do",
            "stream": f"x is a stream, which {name} cannot hold: it is written to "
            f"{listed([*suffixes('stream'), '.zarr'])} files",
            "array": f"{name}: only a Maze can be written to it; x is not one, and wall/road arrays go into "
            f"{arrays} files",
        }[kind]
    )


def _require_taken(form: Format, kind: Kind, x: Any, name: str, given: Mapping[str, Any]) -> None:
    """Raise an error for an option that a format does not take, or for what is not a solution."""
    solution = given.get("solution")
    if solution is not None and kind == "stream":
        raise TypeError("solution= is of a maze in memory: a stream is drawn without")
    if solution is not None and kind in {"maze", "array"}:
        require_type(solution, Solution, "solution", "a Solution (see meiro.solve)")
    for option in given:
        if option not in form.options(kind):
            those = suffixes(option, kind)
            where = f"is for {listed(those)} files" if those else "is for a Maze"
            if kind in {"array", "stream"} and option in form.options("maze"):
                where = "is for a maze (Maze.from_grid makes one of an array)"
            whose = f"a {type(x).__name__} in {name}" if kind in {"graph", "lattice"} else name
            raise ValueError(f"{option}= {where}, not for {whose}")
    if not boolean(given.get("posts", True), "posts") and kind != "maze":
        raise ValueError("posts=False is for a Maze: an array or a stream is drawn as it is")


def read(
    path: str | os.PathLike[str] | SupportsRead[Any],
    *,
    road: object = None,
    layer: str | Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002
) -> Maze | MazeBatch | GraphMaze | GraphBatch | Lattice | NDArray[np.uint8]:
    """Read a maze, or a batch, from a file; the suffix selects the format.

    - ``.png``, ``.bmp``, ``.gif``, ``.jpeg``, ``.jpg``, ``.pbm``, ``.pgm``, ``.pnm``, ``.ppm``, ``.tif``,
      ``.tiff``, ``.webp``: pictures, as `meiro.from_image` reads them
    - ``.txt``, ``.csv``: text of any kind: drawings as `Maze.from_text` reads them, one character a site, and
      numbers or characters between separators, as NumPy and pandas write them
    - ``.map``, ``.tmx``, ``.tmj``, ``.yaml``, ``.yml``, ``.npy``, ``.npz``, ``.graphml``, ``.gml``,
      ``.gexf``, ``.json``, ``.geojson``, ``.wkt``, ``.dxf``: as `save` writes them

    Parameters
    ----------
    path : path or open file
        What `save` wrote, or another program.
    road : scalar or sequence of scalars, optional
        The value of a road, or several, in ``.txt``, ``.csv``, ``.npy``, ``.npz`` and ``.map`` files that
        hold other values than 0 (road) and 1 (wall); of characters each letter of a string counts.
    layer : str or sequence of str, optional
        The names of the layers that have walls, of ``.dxf``, ``.geojson``, ``.tmx`` and ``.tmj`` files of
        other programs.
    format : str, optional
        Such as "csv". Default: the suffix of the path, or of the name of an open file, else what its content
        says.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch, Lattice or ndarray of uint8, shape (h, w)
        A `Maze` where the file holds a maze grid, in a picture at any scale, or ``.zarr`` one array of
        passages; a batch where ``.npz``, ``.zarr`` or ``.zanj`` hold one, or a text has several mazes with
        empty lines between, and from ``.npz`` a `GraphMaze` or a `Lattice`. Graphs are what was written, and
        a `GraphMaze` if another program made them, or moved nodes; a maze that was changed has no seed.
        Otherwise the walls (1) and roads (0), which `meiro.solve` and `meiro.check` take as they are: as with
        wide corridors, even sides, openings beside masked-out cells or rooms without posts (which
        `Maze.from_grid` reads, with ``mask=`` for such openings). Of a text with start and goal it is a
        `meiro.io.PictureArray`, which has them.

    Raises
    ------
    ValueError
        If the suffix is unknown, or the file is damaged, foreign or ragged; with its name and the place.
    ImportError
        If it is a picture and Pillow is not installed.
    MemoryError
        If it is too large, before memory is allocated for it.

    See Also
    --------
    save : the inverse.
    from_image : read a picture with a threshold.
    meiro.io.read_tiled : walls of any map of Tiled.
    meiro.io.read_occupancy_grid : with places in metres, and what is unknown.
    MazeBatch.open : reads batches only.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> maze = meiro.generate((4, 4), rng=7)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "maze.csv")
    ...     maze.save(path)
    ...     meiro.read(path) == maze
    True
    """
    if is_open(path) or format is not None:
        opened: Any = nullcontext(path) if is_open(path) else checked_path(path).open("rb")
        with opened as file, input_path(file, format, name_of(path)) as copy:
            return read(copy, road=road, layer=layer)
    where = cast("str | os.PathLike[str]", path)
    form, load = Format(), _array_reader(where)
    if load is None:
        form = format_of(where, "read")
        load = form.function("read")
    given = {"road": road, "layer": layer}
    given = {word: value for word, value in given.items() if value is not None}
    for word in given:
        if word not in form.takes:
            raise ValueError(f"{word}= is for {listed(suffixes(word))} files, not for {os.fspath(where)!r}")
    found: Maze | MazeBatch | GraphMaze | GraphBatch | Lattice | NDArray[np.uint8]
    found = load(where, **given)
    picture = isinstance(found, PictureArray)
    if not isinstance(found, np.ndarray) or (picture and form.read != FORMATS[".png"].read):
        return found  # the latter is a text with start and goal
    grid = found
    if picture:
        from meiro.io.image import drawn_sites

        grid = drawn_sites(np.asarray(found))
    if not grid[::2, ::2].all():  # a post is road: more likely an open room than a maze without posts
        return found
    try:
        return Maze.from_grid(grid)
    except ValueError:  # of odd sides it is a maze with openings beside masked-out cells, at any scale
        return grid if all(side % 2 for side in grid.shape) else found


def _array_reader(path: str | os.PathLike[str]) -> Callable[..., Any] | None:
    """Return what reads a format that is not in the table, as it is no single file of a maze; or None."""
    suffix = checked_path(path).suffix.lower()
    if suffix not in BATCHES or suffix in FORMATS:
        return None
    from meiro.io.arrays.batch_files import open_batch
    from meiro.io.arrays.streamed_zarr import holds_maze, read_maze

    return read_maze if suffix == ".zarr" and holds_maze(path) else open_batch


def is_open(x: object) -> bool:
    """Return whether `x` is an open file, or a buffer, and no path."""
    return (hasattr(x, "read") or hasattr(x, "write")) and not isinstance(x, str | os.PathLike)


def name_of(x: Any) -> str:
    """Return what messages call a path or an open file."""
    return "the open file" if is_open(x) else repr(os.fspath(x))


@contextmanager
def input_path(file: SupportsRead[Any], form: str | None, name: str) -> Iterator[str]:
    """Give the path of a file that holds what is read; errors call it `name`.

    Raises
    ------
    ValueError
        If it is empty, of a format of two files, or a text where the format has bytes.
    """
    with tempfile.TemporaryDirectory(prefix="meiro-") as folder:
        raw = Path(folder, "input")
        with raw.open("wb") as copy:
            try:
                while piece := file.read(_PIECE):
                    copy.write(piece.encode() if isinstance(piece, str) else piece)
            except UnicodeDecodeError as error:
                raise ValueError(
                    f'{name} is read as text, and holds bytes: open it with mode "rb"'
                ) from error
        with raw.open("rb") as copy:
            start = copy.read(4096)
        if not start.strip():
            raise ValueError(f"{name} is empty")
        suffix = _suffix(form) or suffix_of_content(start)
        if form is None and suffix in _GUESSED:
            suffix = _suffix_of_name(file) or suffix
        if suffix in {".yaml", ".yml"}:
            raise ValueError(
                f"{name}: an occupancy grid is two files, of which {name} holds one: name the .yaml file"
            )
        path = str(raw.rename(raw.with_suffix(suffix)))
        with _called(path, name):
            yield path


@contextmanager
def output_path(file: SupportsWrite[Any], form: str | None, name: str) -> Iterator[str]:
    """Give a path to write to; what is there in the end is written to the open file, as a text if it is one.

    Without a format it is that of the name of the file, else ``.npz``, which holds everything, or of texts
    ``.txt``.
    """
    is_text = hasattr(file, "encoding")
    suffix = _suffix(form) or _suffix_of_name(file) or (".txt" if is_text else ".npz")
    beside = beside_of(suffix)
    if beside or suffix == ".zarr":
        what = f"comes with a {beside} file beside it" if beside else "is a folder"
        raise ValueError(f"{name}: {suffix} {what}, which {name} cannot hold: write a file")
    with tempfile.TemporaryDirectory(prefix="meiro-") as folder:
        path = str(Path(folder, f"output{suffix}"))
        with _called(path, name):
            yield path
        if not is_text:
            with Path(path).open("rb") as made:
                shutil.copyfileobj(made, file)
            return
        try:
            text = Path(path).read_text("utf-8")
        except UnicodeDecodeError as error:
            raise TypeError(
                f'{name} takes text, and {suffix} is not: open it with mode "wb", or give io.BytesIO()'
            ) from error
        file.write(text)


def _suffix(form: str | None) -> str:
    if form is not None and not isinstance(form, str):
        raise TypeError(f'format must be a suffix, such as "png", not {form!r}')
    if form is not None and not form.strip("."):
        raise ValueError(f'format must be a suffix, such as "png", not {form!r}')
    return "" if form is None else f".{form.lower().removeprefix('.')}"


def _suffix_of_name(file: object) -> str:
    name = getattr(file, "name", None)
    suffix = Path(name).suffix.lower() if isinstance(name, str) else ""
    return suffix if suffix in FORMATS else ""


@contextmanager
def _called(path: str, name: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        if path not in str(error):
            raise
        kind = ValueError if isinstance(error, OSError) else type(error)
        raise kind(str(error).replace(repr(path), name).replace(path, name)) from error
