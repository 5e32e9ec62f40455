"""Save and read mazes; the suffix of the path selects the format."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro._utils.arrays import refuse_road, walls
from meiro._utils.atomic import atomic
from meiro._utils.messages import listed, short_repr
from meiro._utils.options import PageOptions
from meiro._utils.paper import PAGES
from meiro._utils.validation import Threads, boolean, checked_path, thread_count
from meiro.generators.row_stream import RowStream, StreamedMaze, refuse_rows, streamed
from meiro.io.arrays import BATCHES
from meiro.io.formats import FORMATS, Format, format_of, format_table, suffixes
from meiro.io.pictures.blocks import shrunk
from meiro.lattices.lattice import Lattice
from meiro.mazes._outside import checked_outside
from meiro.mazes.graph_maze import GraphMaze
from meiro.mazes.maze import Maze
from meiro.results.picture_array import PictureArray
from meiro.results.solution import Solution
from meiro.spaces.space_of import are_several, is_maze, listed_mazes, mazes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.paper import Caps, Outside
    from meiro._utils.progress import Progress
    from meiro._utils.square import CellLike
    from meiro.drawing.text.render import Style
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch

_DEFAULTS: dict[str, object] = {
    **dict.fromkeys(("solution", "start", "goal", *PageOptions.__annotations__)),
    "scale": None,
    "style": "unicode",
    "outside": "blank",
    "posts": True,
    "marks": True,
    "threads": 1,
}


def save(
    x: Maze | GraphMaze | Lattice | RowStream | Sequence[Maze] | Sequence[GraphMaze] | ArrayLike,
    path: str | os.PathLike[str],
    *,
    solution: Solution | ArrayLike | Sequence[Solution | None] | None = None,
    scale: int | None = None,
    style: Style = "unicode",
    road: object = None,
    outside: Outside = "blank",
    posts: bool = True,
    start: CellLike | Hashable = None,
    goal: CellLike | Hashable = None,
    mm: float | None = None,
    page: str | ArrayLike | None = None,
    margin: float | None = None,
    wall_width: float | None = None,
    path_width: float | None = None,
    caps: Caps | None = None,
    colors: Mapping[str, str] | None = None,
    title: str | None = None,
    marks: bool = True,
    threads: Threads = None,
    rows: SupportsIndex | None = None,
    resume: bool = False,
    progress: Progress = False,
) -> None:
    """Write a maze, many mazes or a wall/road array to a file; the suffix selects the format.

    [formats]

    All but ``.npz``, graphs and maps of Tiled show a periodic maze with an open border, and are read back
    with openings there; ``Maze.from_grid(grid, wrap=)`` turns those into passages again.

    Parameters
    ----------
    x : Maze, GraphMaze, Lattice, RowStream, MazeBatch, GraphBatch, list of mazes, or array_like, shape (h, w)
        What to write. [graphs] take a GraphMaze, ``.npz`` a Lattice alone, too. [arrays] also
        take a wall/road array, and [several] a batch or a list of mazes, which are arranged on one page.
        {batches} hold a batch with its seeds, as `MazeBatch.save` and `GraphBatch.save` write it.
        [stream] take a stream, and need the memory of some of its rows; so does ``.zarr``, an array of
        its passages.
    path : path
        Where to. The file appears only when all of it is written. A second file has the same name with the
        suffix named above, and replaces one that is there.
    solution : Solution, optional
        What `meiro.solve` found in `x`; for [solution]. Of a GraphMaze it may be a path of cells. A list
        of them, or None, for several mazes.
    scale : int, optional
        Pixels a site, each way; for [scale]. Default: 1. Of a GraphMaze pixels a cell, by default 24.
    style : {"unicode", "ascii", "block", "posts"}
        How a text is drawn; for [style].
    road : scalar or sequence of scalars, optional
        The value of a road, or several, in an array that holds other values than 0 (road) and 1 (wall).
    outside : {"blank", "wall"}
        How cells that do not exist, of a mask, are drawn: as paper, or as wall; for [outside]. A PNG has them
        transparent, in a colour that `read` and `from_image` take for wall.
    posts : bool
        False leaves out the posts of a Maze at which no wall ends, the pillars of rooms; for [posts].
    start, goal : (int, int), optional
        The cells with marks; for [start], as all that follows. Default: the ends of the solution, else those
        of the maze, else on a page where `solve` would begin and end, unless there are openings.
    mm : float, optional
        The side of a cell in millimetres, as all lengths here. Default: as large as the page allows.
    page : str or (float, float), optional
        {pages}, or width and height; "fit" is as large as the maze. A page with a name is laid on its side if
        the cells are then larger. Default: "A4" for ``.pdf``, "fit" for ``.svg``.
    margin : float, optional
        On each side. Default: 15; 0 for "fit".
    wall_width, path_width : float, optional
        Default: 0.14 and 0.28 of a cell, on a page at least 0.25 and 0.45 mm and at most 1.2 and 2.5 mm.
    caps : {"square", "round"}, optional
        The ends of walls.
    colors : dict of str to str, optional
        Colours as "#1d3fb8" or "blue" for "wall", "road", "path", "start", "goal" and "text".
    title : str, optional
        A line above the maze.
    marks : bool
        Whether start and goal are marked: the start by a dot, the goal by a ring.
    threads : int or "all"
        How many compress the picture; for [threads]. The file is the same.
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
    options = {
        "solution": solution,
        "scale": scale,
        "style": style,
        "outside": checked_outside(outside),
        "posts": boolean(posts, "posts"),
        "start": start,
        "goal": goal,
        "mm": mm,
        "page": page,
        "margin": margin,
        "wall_width": wall_width,
        "path_width": path_width,
        "caps": caps,
        "colors": colors,
        "title": title,
        "marks": marks,
        "threads": thread_count(threads),
    }
    given: Any = x
    suffix, is_stream = checked_path(path).suffix.lower(), isinstance(x, RowStream)
    as_array = is_stream and suffix == ".zarr"
    if boolean(resume, "resume") and not as_array:
        msg = f"resume=True is for a stream in a .zarr folder, not for {os.fspath(path)!r}"
        raise ValueError(msg)
    if not is_stream:
        refuse_rows(rows)
    as_batch = suffix in BATCHES and are_several(x)
    if as_array or as_batch:
        refuse_road(road)
        for option in _given(options):
            held = "a batch" if as_batch else "the passages of a stream"
            msg = f"{option}= is not for {os.fspath(path)!r}, which holds {held}"
            raise ValueError(msg)
    if as_batch:
        from meiro.io.arrays.batch_files import save_batch

        save_batch(mazes_of(given, "x", many=True).x, path)
    elif as_array:
        from meiro.io.arrays.streamed_zarr import save_streamed

        save_streamed(streamed(given, rows, "save")._replace(progress=progress), path, resume=resume)
    else:
        form = format_of(path, "write")
        given = _streamed(form, given, path, rows, progress) if is_stream else x
        write_as(form, given, path, road=road, **options)


def _streamed(
    form: Format,
    stream: RowStream,
    path: str | os.PathLike[str],
    rows: SupportsIndex | None,
    progress: Progress,
) -> StreamedMaze:
    """Return the maze of a stream, for a format that can be written band by band."""
    if "stream" not in form.takes:
        msg = f"{os.fspath(path)!r}: a stream is written to {listed([*suffixes('stream'), '.zarr'])} files"
        raise TypeError(msg)
    return streamed(stream, rows, "save")._replace(progress=progress)


def write_as(
    form: Format,
    x: Maze | StreamedMaze | GraphMaze | Lattice | Sequence[Maze] | Sequence[GraphMaze] | ArrayLike,
    path: str | os.PathLike[str],
    *,
    road: object = None,
    **options: Any,
) -> None:
    """Write a file in a format, whatever its suffix; else as `save`."""
    name = repr(os.fspath(path))
    solution = options.get("solution")
    if isinstance(x, GraphMaze | Lattice):
        _write_graph(form, x, path, road=road, **options)
        return
    several = are_several(x)
    if isinstance(x, StreamedMaze) and solution is not None:
        msg = "solution= is of a maze in memory: a stream is drawn without"
        raise TypeError(msg)
    if not several and solution is not None and not isinstance(solution, Solution):
        msg = f"solution must be a Solution (see meiro.solve), not {short_repr(solution)}"
        raise TypeError(msg)
    given = _given(options)
    for option in given:
        if option not in form.takes:
            msg = f"{option}= is for {listed(suffixes(option))} files, not for {name}"
            raise ValueError(msg)
    drawn = _drawn(form, x, name, road, several=several)
    write = form.function("write")
    if form.beside:
        write(drawn, path, **given)
        return
    with atomic(path) as file:
        write(file, drawn, **given)


def _drawn(form: Format, x: Any, name: str, road: object, *, several: bool) -> Any:
    """Return what a format of rows and columns writes: a maze, a stream, several mazes, or walls."""
    if several or isinstance(x, StreamedMaze) or is_maze(x):
        refuse_road(road)
    if several and "several" not in form.takes:
        msg = f"x holds several mazes, which {name} cannot: {listed([*suffixes('several'), *BATCHES])} do"
        raise TypeError(msg)
    if several:
        mazes = list(listed_mazes(x, "x", "several mazes"))
        if not mazes:
            msg = f"x holds no maze to draw in {name}"
            raise ValueError(msg)
        return mazes
    if isinstance(x, StreamedMaze) or is_maze(x):
        return x
    if "arrays" in form.takes:
        return walls(x, road=road)
    arrays = listed(suffixes("arrays"))
    msg = f"{name}: only a Maze can be written to it; x is none, and wall/road arrays go into {arrays} files"
    raise TypeError(msg)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not the default."""
    return {
        key: x for key, x in options.items() if type(x) is not type(_DEFAULTS[key]) or x != _DEFAULTS[key]
    }


def _write_graph(
    form: Format,
    x: GraphMaze | Lattice,
    path: str | os.PathLike[str],
    *,
    road: object,
    **options: Any,
) -> None:
    """Write a maze on a lattice, or a lattice."""
    refuse_road(road)
    name = repr(os.fspath(path))
    able = [suffix for suffix, one in FORMATS.items() if one.write_graph]
    if not form.write_graph:
        msg = f"{name} cannot hold a {type(x).__name__}, which has no grid: write a {listed(able, 'or')} file"
        raise TypeError(msg)
    if isinstance(x, Lattice) and "lattice" not in form.graph_takes:
        msg = f"{name} cannot hold a Lattice: .npz files do; a GraphMaze on it can be drawn"
        raise TypeError(msg)
    given = _given(options)
    for option in given:
        if option not in form.graph_takes:
            those = [suffix for suffix, one in FORMATS.items() if option in one.graph_takes]
            where = f"is for {listed(those)} files" if those else "is for a Maze"
            msg = f"{option}= {where}, not for a {type(x).__name__} in {name}"
            raise ValueError(msg)
    write = form.function("write_graph")
    with atomic(path) as file:
        write(file, x, **given)


def read(
    path: str | os.PathLike[str], *, road: object = None
) -> Maze | MazeBatch | GraphMaze | GraphBatch | Lattice | NDArray[np.uint8]:
    """Read a maze, or a batch, from a file; the suffix selects the format.

    [formats]

    Parameters
    ----------
    path : path
        What `save` wrote, or another program.
    road : scalar or sequence of scalars, optional
        The value of a road, or several, in [road] files that hold other values than 0 (road) and 1 (wall).

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch, Lattice or ndarray of uint8, shape (h, w)
        A `Maze` where the file holds a maze grid, in a picture at any scale, or ``.zarr`` one array of
        passages; a batch where ``.npz``, ``.zarr`` or ``.zanj`` hold one, and from ``.npz`` a `GraphMaze` or
        a `Lattice`. Graphs are what was written, and a `GraphMaze` if another program made them, or moved
        nodes; a maze that was changed has no seed. Otherwise the walls (1) and roads (0),
        which `meiro.solve` and `meiro.check` take as they are: as with wide corridors, even sides, openings
        beside masked-out cells or rooms without posts (which `Maze.from_grid` reads, with ``mask=`` for such
        openings).

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
    takes: tuple[str, ...] = ()
    load = _array_reader(path)
    if load is None:
        form = format_of(path, "read")
        load, takes = form.function("read"), form.takes
    if road is not None and "road" not in takes:
        msg = f"road= is for {listed(suffixes('road'))} files, not for {os.fspath(path)!r}"
        raise ValueError(msg)
    found: Maze | MazeBatch | GraphMaze | GraphBatch | Lattice | NDArray[np.uint8]
    found = load(path, road=road) if "road" in takes else load(path)
    if not isinstance(found, np.ndarray):
        return found
    grid = shrunk(found) if isinstance(found, PictureArray) else found
    if not grid[::2, ::2].all():  # a post is road: more likely an open room than a maze without posts
        return found
    try:
        return Maze.from_grid(grid)
    except ValueError:
        return found


def _array_reader(path: str | os.PathLike[str]) -> Callable[..., Any] | None:
    """Return what reads a file of named arrays that holds no single maze of the table; None for others."""
    suffix = checked_path(path).suffix.lower()
    if suffix not in BATCHES:
        return None
    from meiro.io import graph_files
    from meiro.io.arrays import npz
    from meiro.io.arrays.batch_files import open_batch
    from meiro.io.arrays.streamed_zarr import holds_maze, read_maze

    if suffix == ".npz" and npz.holds_lattice(path):
        return graph_files.read_npz
    if suffix == ".zarr" and holds_maze(path):
        return read_maze
    return open_batch if suffix != ".npz" or npz.holds_batch(path) else None


for _function, _use in ((save, "write"), (read, "read")):
    _doc = inspect.cleandoc(_function.__doc__ or "").replace("[formats]", format_table(_use))  # type: ignore[arg-type]
    _doc = _doc.replace("{pages}", listed((f'"{_name}"' for _name in PAGES), "or"))
    _doc = _doc.replace("{batches}", listed(f"``{_suffix}``" for _suffix in BATCHES))
    _graphs = (_suffix for _suffix, _form in FORMATS.items() if _form.write_graph)
    _doc = _doc.replace("[graphs]", listed(f"``{_suffix}``" for _suffix in _graphs))
    for _name in ("arrays", "several", "stream", "road", *_DEFAULTS):
        _doc = _doc.replace(f"[{_name}]", listed(f"``{suffix}``" for suffix in suffixes(_name)))
    _function.__doc__ = _doc
