"""`player` and `play`: traces that play and mazes to walk in, in notebooks and in web pages."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import requires_extra
from meiro._utils.pixel_layout import layout_of
from meiro._utils.validation import checked_outside, integer
from meiro.colors import THEMES
from meiro.drawing.notebook.html_page import PLAYER_FPS
from meiro.drawing.notebook.lattice_scene import lattice_scene, packed, require_shown, steps_from
from meiro.drawing.numbers import (
    FIRST_CLUSTER,
    STANDING,
    Numbers,
    checked_numbers,
    cluster_hues,
    has_clusters,
    paints_of,
    wall_places,
)
from meiro.lattices.lattice import words_of
from meiro.mazes._outside import outside_sites
from meiro.solvers.solve import solve
from meiro.spaces.grids import Sites
from meiro.spaces.space_of import are_several, on_lattice, refuse_grid_arguments, space_of
from meiro.traces import captions
from meiro.traces.domain import INTO
from meiro.traces.events import LEGEND, Paint
from meiro.traces.frame_deltas import FrameDeltas, compute_deltas, frame_colors, legend_of
from meiro.traces.trace import Trace, code_of, named_traces

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike

    from meiro._utils.paper import Outside
    from meiro._utils.square import Cell, CellLike, Shape
    from meiro.drawing.notebook.widgets import Play, Player
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution

_SECONDS = 15  # that a trace takes, by default

_READABLE, _READABLE_ROOM = 12, 9.6  # pixels of a cell with a number in it; and of what is free of walls
_ROOM = 570  # pixels across an output of JupyterLab in a small window, without what is between pictures


def player(
    traces: Trace | Sequence[Trace] | Mapping[str, Trace],
    *,
    every: int = 1,
    fps: float | None = None,
    numbers: Numbers = False,
    size: int | None = None,
    outside: Outside = "blank",
    colors: Mapping[str, ColorType] | None = None,
) -> Player:
    """Show traces with buttons to play, to step forward and to step back.

    In Jupyter it is a widget; ``.save("x.html")`` writes it as a web page that needs neither a kernel nor a
    network. Keys: space plays, arrows step, Home and End go to the first and the last frame.

    Parameters
    ----------
    traces : Trace, or a sequence or mapping of them
        One trace, or several side by side that advance together; a shorter one stays at its last frame. The
        names of the algorithms, or the keys of a mapping, are written below the pictures.
    every : int
        Show every n-th frame of each trace.
    fps : float
        Frames per second, 0.5 to 10,000. Default: such that all frames take 15 seconds, but at least 2.
        Frames are skipped if the screen is slower.
    numbers : bool, "clusters" or "walls"
        Whether the numbers in the cells are shown at first. A button shows and hides them, if the cells are
        large enough. "clusters" gives each cluster of joined cells its colour as well (kruskal, boruvka,
        eller, percolation); "walls" writes instead the ids of `meiro.wall_ids` on the walls that stand.
    size : int
        Pixels of the longer side of each picture, about. Default: 480, or less if there are several.
    outside : {"blank", "wall"}
        How cells that do not exist, of a mask, are drawn: as paper, or as wall.
    colors : mapping of str to color, optional
        Colours for "wall", "road", "visited", "path", "start", "goal" and "text", in place of those of both
        themes, the light and the dark one, as in `meiro.plot`.

    Returns
    -------
    Player
        A widget. ``frame`` is the index of the frame that is shown, from -1 (before the first event) to the
        last; it can be set, as can ``playing``, ``fps`` and ``numbers``.

    Raises
    ------
    TypeError
        If `traces` holds anything but traces, or an argument that must be a number is not a number.
    ValueError
        If there is no trace, a trace has too many changes to be played (give a larger `every`), a picture is
        too large, or a number is out of range.
    ImportError
        If anywidget is not installed: ``pip install 'meiro[notebook]'``.

    Examples
    --------
    >>> maze = meiro.generate((6, 9), rng=7)
    >>> pair = [meiro.trace_solve(maze, algorithm=name) for name in ("dfs", "bfs")]
    >>> player = meiro.player(pair)
    >>> player
    <Player of 68 frames: dfs, bfs>
    >>> player.frame = 10
    >>> player.save("searches.html")
    """
    named = [(title or trace.algorithm, trace) for title, trace in named_traces(traces)]
    count = integer(every, "every", 1, 1 << 62)
    side = min(max(_ROOM // len(named), 180), 480) if size is None else integer(size, "size", 16)
    blank = checked_outside(outside)
    kind = checked_numbers(numbers, [trace for _, trace in named])
    scenes = [scene_of(trace, caption, count, side, outside=blank) for caption, trace in named]
    for scene, (_, trace) in zip(scenes, named, strict=True):
        scene["legend"] = list(legend_of(trace, clusters=kind == "clusters"))
        if kind == "clusters" and trace.lattice is not None:
            scene["hues"] = cluster_hues(trace.lattice).tobytes()
        if kind == "walls":
            scene |= {
                "walls": wall_places(trace).tolist(),
                "numbers": b"",
                "renumbered": b"",
                "number_ends": b"",
            }
    frames = max(scene["frames"] for scene in scenes)
    if fps is None:
        fps = float(np.clip(round(frames / _SECONDS), 2, PLAYER_FPS[1]))
    shown = bool(kind)
    if shown and not any(scene["numbers"] or scene["walls"] for scene in scenes):
        raise ValueError(
            f"numbers cannot be read in cells of so few pixels: give a larger size=, more than {side}"
        )
    captions = ", ".join(caption for caption, _ in named)
    given = {**_common(f"Player: {captions}", colors), "scenes": scenes, "clusters": kind == "clusters"}
    given["standing"] = np.flatnonzero(STANDING).tolist()
    made: Player = _widgets().Player(given, fps=fps, numbers=shown)
    return made


def play(
    x: Maze | GraphMaze | ArrayLike,
    start: CellLike | Hashable | None = None,
    goal: CellLike | Hashable | None = None,
    *,
    road: object = None,
    size: int = 480,
    outside: Outside = "blank",
) -> Play:
    """Show a maze to walk in by the arrow keys, W A S D or buttons.

    Steps are counted and compared with the shortest path. ``.save("x.html")`` writes it as a web page that
    needs neither a kernel nor a network.

    On a lattice a key leads to the open neighbour that lies nearest to where the key points, if less than 90
    degrees away; of two that are as near to the one of the smaller number. Q, E, Z and C (or Home, Page Up,
    End, Page Down) point aslant; between the levels of a `meiro.lattices.box` E and Q (or Page Up and Page
    Down) lead up and down. A click on a neighbour leads there, too. Without positions networkx finds some, as
    in `meiro.plot`.

    Parameters
    ----------
    x : Maze, GraphMaze or array_like of shape (h, w)
        A maze, or walls and roads (0 is road).
    start, goal, road : various, optional
        As in `meiro.solve`.
    size : int
        Pixels of the longer side, about.
    outside : {"blank", "wall"}
        How cells that do not exist, of a mask, are drawn: as paper, or as wall.

    Returns
    -------
    Play
        A widget. ``position``, ``steps`` and ``solved`` follow the walk; ``restart()`` begins it again.

    Raises
    ------
    NoPathError
        If there is no path from start to goal.
    ValueError, TypeError
        As in `meiro.solve`; and if the picture is too large, or a lattice has no place in the plane.
    ImportError
        If anywidget is not installed: ``pip install 'meiro[notebook]'``.

    Examples
    --------
    >>> game = meiro.play(meiro.generate((6, 9), rng=7))
    >>> game.position, game.shortest
    ((0, 0), 17)
    """
    side, blank = integer(size, "size", 16), checked_outside(outside)
    if are_several(x):
        raise TypeError(f"x is {space_of(x).x!r}, and one maze is walked through, as x[0]")
    if on_lattice(x):
        refuse_grid_arguments(x, road=road, outside=blank if blank != "blank" else None)
        return _play_on_lattice(x, solve(x, start, goal), side)
    on, way = space_of(x, road=road), solve(x, start, goal, road=road)
    walls, ways = (on.walls, on.walls) if isinstance(on, Sites) else (on.x.grid, on.x.passages)
    first = np.where(walls != 0, Paint.WALL, 0).astype(np.uint8)
    mask = None if on.sites else on.x.mask
    if mask is not None and blank == "blank":
        first[outside_sites(mask, on.wrap)] = 0
    for paint, (row, col) in ((Paint.START, way.start), (Paint.GOAL, way.goal)):
        first[(row, col) if on.sites else (2 * row + 1, 2 * col + 1)] = paint
    scene = {
        **_squares((walls.shape[0], walls.shape[1]), on.shape, way.space, side, "maze of "),
        "first": first.tobytes(),
        "ways": ways.tobytes(),
        "mask": b"" if mask is None else mask.tobytes(),
    }
    return _play(scene, way.start, way.goal, way.length)


def _play_on_lattice(maze: GraphMaze, way: Solution, size: int) -> Play:
    lattice = maze.lattice
    first = np.zeros(lattice.n_cells + lattice.n_edges, np.uint8)
    first[lattice.n_cells :][~maze.open] = Paint.WALL
    start, goal = way.path_numbers[[0, -1]].tolist()
    first[start], first[goal] = Paint.START, Paint.GOAL
    scene = {
        "label": f"{lattice.name} maze of {lattice.n_cells:,} cell{'s' * (lattice.n_cells != 1)}",
        **lattice_scene(lattice, maze.openings, first, size),
        **steps_from(maze),
    }
    return _play(scene, start, goal, way.length)


def _play(scene: dict[str, Any], start: Cell | int, goal: Cell | int, shortest: int) -> Play:
    ends = {"start": start, "goal": goal, "shortest": shortest}
    title = f"Walk through a {scene['label']}"
    made: Play = _widgets().Play({**_common(title), **ends, "scenes": [scene]})
    return made


def scene_of(
    trace: Trace, caption: str, every: int, size: int, *, outside: Outside = "blank"
) -> dict[str, Any]:
    """Return the data of a trace for player.js; arrays as bytes, little-endian."""
    if trace.lattice is not None:
        return _scene_on_lattice(trace, trace.lattice, caption, every, size)
    place = _squares(trace.grid_shape, trace.shape, trace.space, size, f"{caption}, ")
    _, cell = place["layout"]
    film = compute_deltas(trace, every, numbers=cell >= _READABLE, outside=outside)
    return place | _film(trace, film, caption)


def _scene_on_lattice(trace: Trace, lattice: Lattice, caption: str, every: int, size: int) -> dict[str, Any]:
    picture = lattice_scene(lattice, trace.domain.openings, frame_colors(trace, -1), size)
    film = compute_deltas(trace, every, numbers=picture["side"] >= _READABLE_ROOM)
    domain: Any = trace.domain
    named = words_of(lattice) is not None
    names = [domain.name_cell(cell) for cell in range(lattice.n_cells)] if named else None
    place = {
        **picture,
        "label": f"{caption}, {domain.size}",
        "pairs": lattice.edges.astype("<i4").tobytes(),
        "into": [int(kind) for kind in INTO],
        "names": names,
    }
    return place | _film(trace, film, caption)


def _film(trace: Trace, film: FrameDeltas, caption: str) -> dict[str, Any]:
    code = code_of(trace)
    return {
        "frames": len(film),
        "most": max(film.numbers.max(initial=-1), film.renumbered[:, 1].max(initial=-1)).item(),
        "before": trace.before.note,
        "walls": [],
        "clusters": has_clusters(trace),
        "source": code.source,
        "steps": code.steps,
        "which": code.which,
        "starts": film.starts,
        "caption": caption,
        **packed({one.name: getattr(film, one.name) for one in fields(film) if one.name != "starts"}),
    }


def _common(title: str, own: Any = None) -> dict[str, Any]:
    return {
        "title": title,
        "style": Path(__file__).with_name("player.css").read_text("utf-8"),
        "themes": {name: [color.hex for color in paints_of(name, own)] for name in THEMES},
        "first_cluster": FIRST_CLUSTER,
        "legend": list(LEGEND.items()),
        "phrases": {
            "names": captions.NAMES,
            "steps": captions.STEPS,
            "from": captions.FROM,
            "cell": captions.CELL,
            "post": captions.POST,
            "site": captions.SITE,
        },
    }


def _squares(grid: Shape, shape: Any, space: str, size: int, what: str) -> dict[str, Any]:
    """Return where squares lie, and the label of their picture."""
    layout = layout_of(grid, cells=space == "cells", size=size)
    require_shown(*layout.size(grid), "maze or size=")
    label = f"{what}{shape[0]} x {shape[1]} {space}"
    return {"grid": grid, "shape": shape, "space": space, "layout": tuple(layout), "label": label}


def _widgets() -> Any:
    with requires_extra("notebook", "anywidget"):
        import anywidget  # noqa: F401  # so that an error in the module below keeps its own message
    from meiro.drawing.notebook import widgets

    return widgets
