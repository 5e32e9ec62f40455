"""Maps of Tiled (``.tmx``, ``.tmj``): layers of tiles, and one of start, goal, openings, rooms and doors."""

from __future__ import annotations

import json
import math
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from meiro._utils import png
from meiro._utils.atomic import atomic
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, listed, short_repr
from meiro._utils.validation import (
    boolean,
    checked_path,
    integer,
    layer_names,
    one_of,
    path_ending_in,
    plain_array,
)
from meiro.io.game_maps import tiled_files
from meiro.io.game_maps.tiled_files import names_of, properties_of, written
from meiro.io.game_maps.tiled_tiles import DOORS, FLOOR, OPENINGS, TileSet, blob_tiles, tile_set, turned_code
from meiro.mazes._openings import cells_beside, checked_openings, on_rim
from meiro.mazes._outside import outside_sites
from meiro.mazes.maze import Maze, require_maze
from meiro.results.locks import Locks
from meiro.results.picture_array import PictureArray
from meiro.transforms.locks import maze_with_ends, sides_of_doors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, Shape
    from meiro.io.game_maps.tiled_files import Properties
    from meiro.mazes.rooms import Room

_TYPES = {bool: "bool", int: "int", str: "string"}  # of properties
_FORMAT, _TILED = "1.10", "1.10.2"
_SUFFIXES = (".tmx", ".tmj")
_TILES = {"passages": 40, "wide": 80, "blob": 200}  # bytes that a cell takes in writing
PICTURE = ".tiles.png"  # ".png" alone would be the picture of the maze, which `save` writes
_SIDES = {"north": (0, 1), "east": (1, 2), "south": (2, 1), "west": (1, 0)}
_BITS = np.array([[0, 1, 0], [8, 0, 2], [0, 4, 0]], np.uint8)  # by the place of a side around its cell
_LAYER = "maze"
_FLOOR, _WALLS, _DOORS = "floor", "walls", "doors"  # layers of blob tiles
_ENDS = ("start", "goal")
_UNTURNED = tiled_files.NUMBER + 1
_SQUARE = ("orthogonal", "isometric")  # maps whose rows and columns are those of a grid
_CODES = np.array([[turned_code(code, flips) for code in range(16)] for flips in range(8)], np.uint8)


class _Mark(NamedTuple):
    """The middle of an object, in tiles of a layer, and whether it says where an end is by default."""

    y: float
    x: float
    default: bool

    @property
    def tile(self) -> Cell:
        return math.floor(self.y), math.floor(self.x)

    def nearest_cell(self, shape: Shape) -> Cell:
        """Return the cell next to it, if the tiles are sites."""
        row, col = (
            min(max(math.floor((at - 0.5) / 2), 0), n - 1) for at, n in zip(self[:2], shape, strict=True)
        )
        return row, col

    def is_moved(self, tile: Cell) -> bool:
        """Return whether it is not, as it was written, in the middle of a tile."""
        return not self.default or (self.y - 0.5, self.x - 0.5) != tile


_Marks = dict[str, list[_Mark]]


def save_tiled(
    maze: Maze | Locks,
    path: str | os.PathLike[str],
    *,
    tiles: Literal["passages", "wide", "blob"] = "passages",
    tile_size: int = 16,
    posts: bool = True,
) -> None:
    """Write a maze as a map of Tiled, XML or JSON, with a picture of its tiles beside it.

    Parameters
    ----------
    maze : Maze or Locks
        With its openings, start and goal, doors and keys; the passages of doors are open.
    path : path
        ``.tmx`` or ``.tmj``. The picture has the same name with ``.tiles.png``, and replaces one that is
        there; another of the same size makes another look.
    tiles : {"passages", "wide", "blob"}
        A tile for each cell, whose number in the set is the code of its passages and openings (north 1,
        east 2, south 4, west 8), none where no cell is; or one for each site of the grid, 0 road and 1 wall;
        or a floor plan of such sites, on layers "floor", "walls" and "doors", whose walls have edges: a tile
        for each of the 47 cases of eight neighbours, which Tiled's terrain brush paints, too.
    tile_size : int
        Pixels a tile, from 4 to 256.
    posts : bool
        False leaves out the posts at which no wall ends, the pillars of rooms, of sites.

    Raises
    ------
    ValueError
        If the suffix is another, the name has control characters, `tile_size` is outside, or a periodic
        maze, or one without posts, is written in tiles that do not hold it.

    See Also
    --------
    read_tiled : the inverse.

    Notes
    -----
    The layer of objects, "places", has points "start", "goal", "opening" and "door", and a rectangle "room"
    around each room. A start or goal that the maze does not have is where `Maze.endpoints` has it, with a
    property "default" until it is moved. Doors and keys of `Locks` are points "door 1", "key 1" and so on, of
    the classes "door" and "key", with a property "number"; a door on a periodic border is on both sides.
    Properties of the map are "tiles", "wrap_rows", "wrap_cols" and, of a maze that `generate` made, "recipe",
    as JSON with its seed. Tiles of sites have the classes "floor", "wall", "door" and "opening".

    References
    ----------
    https://doc.mapeditor.org/en/stable/reference/tmx-map-format/

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> meiro.io.save_tiled(maze, "maze.tmx")
    >>> meiro.io.read_tiled("maze.tmx") == maze
    True
    """
    locks = maze if isinstance(maze, Locks) else None
    maze = cast("Maze", maze if locks is None else maze_with_ends(locks))
    require_maze(maze)
    final = path_ending_in(_SUFFIXES, path)
    if not final.name.isprintable():
        raise ValueError(f"the name of path {short_repr(os.fspath(path))} holds characters that XML cannot")
    one_of(tiles, "tiles", _TILES)
    size = integer(tile_size, "tile_size", 4, 257)
    if tiles == "passages" and not boolean(posts, "posts"):
        raise ValueError('tiles="passages" are drawn with posts: take tiles="blob" or "wide" for posts=False')
    if tiles != "passages" and any(maze.wrap):
        raise ValueError(f'tiles="{tiles}" cannot hold a periodic maze: take tiles="passages"')
    require(_TILES[tiles] * maze.passages.size, f"the tiles of {maze!r}", "crop() it")
    rooms = maze.rooms()
    sites = _sites_of(maze, rooms)
    layers = _passages(maze) if tiles == "passages" else _site_layers(maze, sites, tiles, posts=posts)
    properties: Properties = {
        "tiles": tiles,
        "wrap_rows": bool(maze.wrap[0]),
        "wrap_cols": bool(maze.wrap[1]),
    }
    if (recipe := maze.recipe) is not None:
        properties["recipe"] = json.dumps(recipe)
    picture, look = final.with_suffix(PICTURE), tile_set(tiles, size)
    unit, middle = (size / 2, 0.0) if tiles == "passages" else (size, 0.5)
    objects = _objects(maze, rooms, sites, locks, unit, middle)
    tiled = _map_of(layers, size, properties, objects) | {"tilesets": [_set_of(look, size, picture.name)]}
    data = written(tiled, final.suffix.lower())
    with atomic(path) as file, atomic(picture) as beside:
        file.write(data)
        file.flush()  # a full disk is an error before either file is replaced
        png.write_indexed(beside, look.pixels, look.palette)


def save_map(
    maze: Maze, path: str | os.PathLike[str], *, posts: bool = True, locks: Locks | None = None
) -> None:
    """Write a maze, or locks, as `meiro.save` does: without posts as a floor plan."""
    save_tiled(maze if locks is None else locks, path, tiles="passages" if posts else "blob", posts=posts)


def _sites_of(maze: Maze, rooms: list[Room]) -> list[tuple[str, int, int]]:
    """Return openings and doors, each with its site."""
    found = [("opening", row, col) for row, col in maze.openings.tolist()]
    for room in rooms:
        for (row, col), side in room.doors:
            found.append(("door", 2 * row + _SIDES[side][0], 2 * col + _SIDES[side][1]))
    return found


def _passages(maze: Maze) -> dict[str, NDArray[np.uint8]]:
    """Return the layer of a tile a cell."""
    gids = maze.passages + np.uint8(1)
    cells, bits = _sides_of_openings(maze.openings, maze.shape, maze.mask)
    np.add.at(gids, cells, bits)
    if maze.mask is not None:
        gids[~maze.mask] = 0
    return {_LAYER: gids}


def _site_layers(
    maze: Maze, sites: list[tuple[str, int, int]], tiles: str, *, posts: bool
) -> dict[str, NDArray[np.uint8]]:
    """Return the layers of a tile a site."""
    grid = maze.to_grid(posts=posts)
    if tiles == "wide":
        return {_LAYER: grid + np.uint8(1)}
    inside = np.ones(grid.shape, np.bool_) if maze.mask is None else ~outside_sites(maze.mask, maze.wrap)
    doors = np.zeros(grid.shape, np.uint8)
    for name, row, col in sites:
        doors[row, col] = (OPENINGS if name == "opening" else DOORS)[row % 2] + 1
    walls = blob_tiles((grid == 1) & inside)
    return {_FLOOR: inside * np.uint8(FLOOR + 1), _WALLS: walls + (walls > 0), _DOORS: doors}


def _objects(  # noqa: PLR0917  # what is placed, and how
    maze: Maze,
    rooms: list[Room],
    sites: list[tuple[str, int, int]],
    locks: Locks | None,
    unit: float,
    middle: float,
) -> list[Properties]:
    """Return the objects of a maze; a site is `unit` pixels, a point `middle` of one from its corner.

    A start or goal that the maze does not have is one by default. Doors and keys of `Locks` have a class and
    a number.
    """
    found: list[Properties] = []

    def add(
        name: str, row: int, col: int, kind: str = "", size: tuple[int, int] = (0, 0), **own: int
    ) -> None:
        height, width = (2 * side * unit if side else 0 for side in size)
        place = {"x": (col + middle) * unit, "y": (row + middle) * unit, "width": width, "height": height}
        one = {"id": len(found) + 1, "name": name, **place, "type": kind, "rotation": 0, "visible": True}
        one |= {} if any(size) else {"point": True}
        found.append(one | ({"properties": _properties(own)} if any(own.values()) else {}))

    for end, (row, col), given in zip(_ENDS, maze.endpoints, (maze.start, maze.goal), strict=True):
        add(end, 2 * row + 1, 2 * col + 1, default=given is None)
    for site in sites:
        add(*site)
    for room in rooms:
        add("room", 2 * room.row, 2 * room.col, size=(room.height, room.width))
    for kind, number, row, col in _sites_of_locks(locks):
        add(f"{kind} {number}", row, col, kind, number=number)
    return found


def _sites_of_locks(locks: Locks | None) -> Iterator[tuple[str, int, int, int]]:
    """Yield doors and keys with their numbers and sites; a door on a periodic border lies on both sides."""
    if locks is None:
        return
    maze = cast("Maze", locks.maze)
    for number, sides in enumerate(sides_of_doors(locks), 1):
        cells = np.array([divmod(place, maze.cols) for place, _ in sides])
        ways = np.concatenate([np.argwhere(bit == _BITS) for _, bit in sides])
        for row, col in dict.fromkeys(map(tuple, (2 * cells + ways).tolist())):
            yield "door", number, row, col
    for number, (row, col) in enumerate(locks.keys.tolist(), 1):
        yield "key", number, 2 * row + 1, 2 * col + 1


def _sides_of_openings(
    openings: NDArray[np.int64], shape: Shape, mask: NDArray[np.bool_] | None
) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.uint8]]:
    """Return rows and columns of the cells beside openings, and the bits of the sides that are open."""
    cells = cells_beside(openings, shape, mask)
    return tuple(cells.T), _BITS[tuple((openings - 2 * cells).T)]


def _map_of(
    layers: dict[str, NDArray[np.uint8]], size: int, properties: Properties, objects: list[Properties]
) -> Properties:
    """Return a map as TMJ has it, in the order of its keys; TMX has the same but what is always so."""
    rows, cols = next(iter(layers.values())).shape
    common = {"opacity": 1, "visible": True, "x": 0, "y": 0}
    of_tiles: list[Properties] = [
        {"id": i, "name": name, "type": "tilelayer", "width": cols, "height": rows}
        | common
        | {"data": gids.ravel().tolist()}
        for i, (name, gids) in enumerate(layers.items(), 1)
    ]
    group = {"id": len(layers) + 1, "name": "places", "type": "objectgroup", "draworder": "topdown"}
    return {
        "type": "map",
        "version": _FORMAT,
        "tiledversion": _TILED,
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "infinite": False,
        "compressionlevel": -1,
        "width": cols,
        "height": rows,
        "tilewidth": size,
        "tileheight": size,
        "nextlayerid": len(layers) + 2,
        "nextobjectid": len(objects) + 1,
        "properties": _properties(properties),
        "layers": [*of_tiles, group | {"objects": objects} | common],
    }


def _set_of(look: TileSet, size: int, picture: str) -> Properties:
    """Return a set of tiles as TMJ has it."""
    n = len(look.classes)
    found: Properties = {
        "firstgid": 1,
        "name": _LAYER,
        "tilewidth": size,
        "tileheight": size,
        "tilecount": n,
        "columns": n,
        "margin": 0,
        "spacing": 0,
        "image": picture,
        "imagewidth": n * size,
        "imageheight": size,
    }
    if any(look.classes):
        found["tiles"] = [{"id": i, "type": name} for i, name in enumerate(look.classes)]
    if look.around:
        color = {"name": "wall", "color": "#2d3440", "tile": -1, "probability": 1}
        tiles = [
            {"tileid": i, "wangid": [code >> k & 1 for k in range(8)]} for i, code in look.around.items()
        ]
        found["wangsets"] = [
            {"name": _WALLS, "type": "mixed", "tile": -1, "colors": [color], "wangtiles": tiles}
        ]
    return found


def _properties(own: Properties) -> list[Properties]:
    return [{"name": name, "type": _TYPES[type(value)], "value": value} for name, value in own.items()]


def read_tiled(
    path: str | os.PathLike[str],
    *,
    layer: str | Sequence[str] | None = None,
    wall: ArrayLike | Sequence[int | str] | None = None,
) -> Maze | NDArray[np.uint8]:
    """Read a maze from a map of Tiled, or walls from any map with layers of tiles.

    Parameters
    ----------
    path : path
        What `save_tiled` wrote, Tiled saved again, or another map in XML or JSON: finite or infinite, with
        tiles in any encoding, layers in groups, and sets of tiles in files of their own. Tiles in zstd need
        the extra ``dist``, or Python 3.14.
    layer : str or sequence of str, optional
        For maps that `save_tiled` did not write: the names of the layers that have walls, of several of
        one name the first. Default: all.
    wall : int, str or sequence of these, optional
        For such maps: which tiles are walls, by their numbers in the layers (global tile ids, turned or not),
        where 0 is a place without a tile, or by their class or a property, which may also be that of a layer:
        the name of one that is true, or its text. All others are roads. Default: all tiles of `layer`.

    Returns
    -------
    Maze or ndarray of uint8, shape (h, w)
        The maze, with openings, start and goal; of sites the walls (1) and roads (0), which `Maze.from_grid`
        takes, and so with `layer` or `wall`. An infinite map ends where its tiles do. The array has `start`
        and `goal`, where `meiro.solve` begins and ends, if there are objects with these names or classes.

    Raises
    ------
    ValueError
        If the file is damaged, has no such layer or tile, or no property "tiles" where neither `layer` nor
        `wall` is given; or a number of `wall` is not in [0, 2**28).
    TypeError
        If `layer` is no text, or `wall` neither integers nor text.
    ImportError
        If tiles are in zstd and numcodecs is not installed.

    See Also
    --------
    save_tiled : the inverse.

    Notes
    -----
    An object lies in the tile in which its middle is; a tile placed as an object is anchored as its set says
    ("objectalignment"), else at its lower edge. Of hexagonal and staggered maps rows and columns are those of
    the file, whose neighbours are others, without start and goal.

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> meiro.io.save_tiled(maze, "maze.tmj", tiles="wide")
    >>> meiro.Maze.from_grid(meiro.io.read_tiled("maze.tmj")) == maze
    True
    >>> meiro.io.read_tiled("maze.tmj", wall="wall").shape
    (7, 9)
    """
    return _found(path, layer, wall)[0]


def read_map(
    path: str | os.PathLike[str], *, layer: str | Sequence[str] | None = None
) -> Maze | NDArray[np.uint8]:
    """Read a map as `meiro.read` does: sites with all posts as the maze that they are, with its ends."""
    found, marks = _found(path, layer)
    if isinstance(found, Maze) or not found[::2, ::2].all():
        return found
    grid = np.asarray(found)
    try:
        maze = Maze.from_grid(grid, mask=grid[1::2, 1::2] == 0)
    except ValueError:
        return found
    order = {mark.tile: i for i, mark in enumerate(marks["opening"])}
    places = sorted(maze.openings.tolist(), key=lambda site: order.get(tuple(site), len(order)))
    ends: list[Cell | None] = []
    for end in _ENDS:
        mark = next(iter(marks[end]), None)
        ends.append(mark.nearest_cell(maze.shape) if mark is not None and mark.is_moved(mark.tile) else None)
    with invalid_as(repr(os.fspath(path)), ValueError):
        return Maze(maze.passages, maze.mask, places, start=ends[0], goal=ends[1])


def _found(
    path: str | os.PathLike[str], layer: Any = None, wall: Any = None
) -> tuple[Maze | PictureArray, _Marks]:
    """Return what a file holds, as `read_tiled` does, and its marks."""
    final, name = checked_path(path), repr(os.fspath(path))
    layers = None if layer is None else layer_names(layer)
    numbers, words = (None, []) if wall is None else _checked_wall(wall)
    with tiled_files.reading(name):
        tiled = _Tiled(final)
        kind = properties_of(tiled.read).get("tiles")
        if wall is None and (kind in {"passages", "wide"} or (kind == "blob" and layers is None)):
            return tiled.own(kind, layers)
        if layers is None and wall is None:
            what = "" if kind is None else f"the property tiles of the map is {short_repr(kind)}: "
            raise ValueError(
                f"{what}meiro did not write it: say which tiles are walls, by wall= of meiro.io.read_tiled, "
                f"or which layers have walls alone, by layer=: there are {short_repr(tiled.names)}"
            )
        return tiled.foreign(layers, numbers, words)


class _Tiled:
    """A map that is being read."""

    def __init__(self, path: Path) -> None:
        self.folder, self.size = path.parent, path.stat().st_size
        self.read = tiled_files.read_file(path, "map")
        self.layers = list(tiled_files.layers_of(self.read, "tilelayer"))
        self.names = [layer.get("name") for layer in self.layers]
        self.templates: dict[str, tuple[Properties, list[Properties]]] = {}

    @cached_property
    def sets(self) -> list[Properties]:
        """Sets of tiles, whose files are read only if something depends on them."""
        return tiled_files.tile_sets(self.read, self.folder)

    def layer(self, name: str) -> Properties:
        """Return the first layer of a name."""
        if name in self.names:
            return self.layers[self.names.index(name)]
        raise ValueError(
            f"no layer of tiles has the name {short_repr(name)}, layer=: there are {short_repr(self.names)}"
        )

    def own(self, kind: str, names: list[str] | None) -> tuple[Maze | PictureArray, _Marks]:
        """Return what `save_tiled` wrote."""
        if kind == "blob":
            chosen = [self.layer(name) for name in (_FLOOR, _WALLS)]
            (floor, walls), origin = tiled_files.grids_of(chosen, self.layers, self.size)
            marks = self.marks(chosen[0], origin)
            return _with_ends((walls != 0) | (floor == 0), marks), marks
        layer = self.layers[0] if not names and len(self.layers) == 1 else self.layer((names or [_LAYER])[0])
        (gids,), origin = tiled_files.grids_of([layer], self.layers, self.size)
        numbers = gids & tiled_files.NUMBER
        codes, flips = numbers - self.first(), gids >> 29
        wrong = (codes < 0) | (codes > (1 if kind == "wide" else 15))
        if kind == "passages":
            wrong &= numbers != 0
        if wrong.any():
            row, col = np.argwhere(wrong)[0].tolist()
            raise ValueError(
                f"the tile in row {row}, column {col} is {numbers[row, col]}, not one of the set"
            )
        marks = self.marks(layer, origin)
        if kind == "wide":
            return _with_ends(codes == 1, marks), marks
        mask = numbers != 0
        passages = np.where(mask, _CODES[flips, np.where(mask, codes, 0)], np.uint8(0))
        return self.maze(passages, mask, marks), marks

    def maze(self, passages: NDArray[np.uint8], mask: NDArray[np.bool_], marks: _Marks) -> Maze:
        """Return the maze of codes, openings included."""
        own = properties_of(self.read)
        wrap = own.get("wrap_rows") is True, own.get("wrap_cols") is True
        sites = [_site_on_rim(mark, mask, wrap) for mark in marks["opening"]]
        openings = checked_openings(sites, mask.shape, mask, wrap)[0]
        cells, bits = _sides_of_openings(openings, mask.shape, mask)
        np.bitwise_and.at(passages, cells, ~bits)
        maze = Maze(passages, mask, openings, wrap=wrap)
        ends = []
        for end, default in zip(_ENDS, maze.endpoints, strict=True):
            mark = next(iter(marks[end]), None)
            ends.append(mark.tile if mark is not None and mark.is_moved(default) else None)
        return Maze(maze.passages, maze.mask, openings, start=ends[0], goal=ends[1], wrap=wrap)

    def first(self) -> int:
        """Return the number of the first tile of the set that `save_tiled` wrote, or of one in its place."""
        sets = self.read.get("tilesets") or [{"firstgid": 1}]
        own = (
            one
            for one in sets
            if _LAYER in {one.get("name"), Path(tiled_files.posix(one.get("source") or "")).stem}
        )
        return tiled_files.whole(next(own, sets[0]), "firstgid")

    def foreign(
        self, names: list[str] | None, numbers: NDArray[np.int64] | None, words: list[str]
    ) -> tuple[PictureArray, _Marks]:
        """Return the walls of any map, in all layers or those with the names."""
        chosen = self.layers if names is None else [self.layer(name) for name in names]
        if not chosen:
            raise ValueError("no layer has tiles")
        grids, origin = tiled_files.grids_of(chosen, self.layers, self.size)
        tiles = [gids & tiled_files.NUMBER for gids in grids]
        empty = np.logical_and.reduce([gids == 0 for gids in tiles])
        if numbers is None:
            if not empty.any():
                raise ValueError(
                    f"all places of layer={short_repr(names)} have a tile: say which are walls, by wall="
                )
            walls = ~empty
        else:
            named = self.named(words, chosen)
            solid = np.concatenate([numbers[numbers != 0], *(named[word] for word in words)])
            walls = empty if (numbers == 0).any() else np.zeros_like(empty)
            for layer, gids in zip(chosen, tiles, strict=True):
                is_wall = names_of(layer, "class").intersection(words)
                walls = walls | (gids != 0 if is_wall else np.isin(gids, solid))
            if not (words or 0 in numbers or walls.any()):
                there = np.unique(tiles).tolist()
                raise ValueError(
                    f"no tile is {short_repr(numbers.tolist())}, wall=: there are {short_repr(there)}"
                )
        marks = self.marks(chosen[0], origin)
        return _with_ends(walls, marks), marks

    def named(self, words: list[str], chosen: list[Properties]) -> dict[str, NDArray[np.int64]]:
        """Return the numbers of the tiles with each class or property that is asked for."""
        if not words:
            return {}
        found = tiled_files.named_tiles(self.sets)
        known = set(found).union(*(names_of(layer, "class") for layer in chosen))
        for word in words:
            if word not in known:
                away = [one["source"] for one in self.sets if "tilewidth" not in one and "source" in one]
                msg = f"no tile or layer has the class or property {short_repr(word)}, wall=: there are "
                msg += f"{short_repr(sorted(known))}" + (f"; not there: {listed(away)}" if away else "")
                raise ValueError(msg)
        return {word: np.array(found.get(word, []), np.int64) for word in words}

    def whole_object(self, one: Properties) -> tuple[Properties, list[Properties]]:
        """Return an object with what its template has, and the sets of tiles of its number."""
        sets = self.sets if one.get("gid") else []
        source = one.get("template")
        if not source:
            return one, sets
        if source not in self.templates:
            self.templates[source] = tiled_files.template_of(source, self.folder)
        own, others = self.templates[source]
        properties = {**properties_of(own), **properties_of(one)}
        return {**own, **one, "properties": properties}, sets or others

    def marks(self, layer: Properties, origin: tuple[int, int]) -> _Marks:
        """Return start, goal and openings, by name or class, in tiles of a layer."""
        found: _Marks = {name: [] for name in (*_ENDS, "opening")}
        shape = self.read.get("orientation", "orthogonal")
        if shape not in _SQUARE:
            return found
        across, down = (tiled_files.whole(self.read, key) for key in ("tilewidth", "tileheight"))
        usual = {"tilewidth": across, "tileheight": down, "objectalignment": "bottom"}
        usual |= {"objectalignment": "bottomleft"} if shape == "orthogonal" else {}
        step = across if shape == "orthogonal" else down  # isometric maps measure along both axes alike
        for group in tiled_files.layers_of(self.read, "objectgroup"):
            for each in group.get("objects", []):
                one, sets = self.whole_object(each)
                names = (str(one.get(key)).lower() for key in ("name", "type", "class"))
                name = next((name for name in names if name in found), None)
                if name is None:
                    continue
                x, y = tiled_files.middle_of(one, sets, usual)
                x, y = x + group["at"][0] - layer["at"][0], y + group["at"][1] - layer["at"][1]
                default = properties_of(one).get("default") is True
                found[name].append(_Mark(y / down - origin[0], x / step - origin[1], default))
        return found


def _with_ends(walls: NDArray[np.bool_], marks: _Marks) -> PictureArray:
    """Return walls (1) and roads (0) with start and goal, where they are inside."""
    found = walls.astype(np.uint8).view(PictureArray)
    for end in _ENDS:
        for mark in marks[end][:1]:
            row, col = mark.tile
            inside = 0 <= row < walls.shape[0] and 0 <= col < walls.shape[1]
            if inside and not (marks["opening"] and not mark.is_moved(mark.tile)):
                setattr(found, end, (row, col))
    return found


def _site_on_rim(mark: _Mark, mask: NDArray[np.bool_], wrap: tuple[bool, bool]) -> Cell:
    """Return the site of the rim next to a mark, or where it is if that is elsewhere."""
    place = np.array([2 * mark.y, 2 * mark.x])
    nearest = np.rint(place).astype(np.int64)
    sites = nearest + np.argwhere(np.ones((3, 3))) - 1
    sites = sites[on_rim(sites, mask.shape, mask, wrap)]
    if len(sites):
        nearest = sites[((sites - place) ** 2).sum(axis=1).argmin()]
    row, col = nearest.tolist()
    return row, col


def _checked_wall(wall: Any) -> tuple[NDArray[np.int64], list[str]]:
    """Return numbers and names of tiles."""
    several = list(wall) if isinstance(wall, list | tuple | set) else [wall]
    words = [one for one in several if isinstance(one, str)]
    if words:
        wall = [one for one in several if not isinstance(one, str)]
    array = plain_array(wall, "wall").reshape(-1)
    if words and not len(array):
        return np.empty(0, np.int64), words
    if array.dtype.kind not in "iu" or not len(array):
        raise TypeError(f"wall must be numbers of tiles, or classes or properties, not {short_repr(wall)}")
    if array.min() < 0 or array.max() >= _UNTURNED:
        raise ValueError(f"wall must be numbers of tiles, 0 to {_UNTURNED - 1:,}, not {short_repr(wall)}")
    return array.astype(np.int64), words
