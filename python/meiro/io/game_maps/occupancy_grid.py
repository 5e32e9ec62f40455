"""Occupancy grids of ROS, as its map_server reads them: a file of YAML, and a PGM beside it."""

from __future__ import annotations

import json
import math
import os
import re
import struct
from contextlib import suppress
from itertools import islice
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, requires_extra, short_repr
from meiro._utils.square import ROAD, WALL
from meiro._utils.validation import checked_path, integers, items_of, number, path_ending_in
from meiro.spaces.space_of import is_maze, sites_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro.mazes.maze import Maze

_SUFFIXES = (".yaml", ".yml")
_GREYS = np.array([254, 0], np.uint8)  # of road and wall, as map_saver has them
_OCCUPIED, _FREE = 0.65, 0.196
_MOST = 1 << 20  # bytes of YAML
_GREY = ("1", "L", "I", "I;16", "I;16B")  # modes of Pillow
_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error)
_UNKNOWN, _FULL = -1, 100
_PLAIN = re.compile(r"[\w./-]+")
_INSTEAD = "cut it into parts"


class OccupancyGrid(NamedTuple):
    """A map of a robot's surroundings.

    Attributes
    ----------
    walls : ndarray of uint8, shape (h, w)
        0 where a pixel is free, 1 elsewhere; the first row is the upper one.
    unknown : ndarray of bool, shape (h, w)
        True where a pixel is neither free nor occupied; it is a wall.
    resolution : float
        The side of a pixel in metres.
    origin : (float, float, float)
        x and y of the lower left corner in metres, and the yaw of the map in radians, counterclockwise.
    values : ndarray of int8, shape (h, w), or None
        As map_server sends them, but for the first row, which is the upper one: 0 (free) to 100 (occupied),
        and -1 (unknown). None if the grid is not from a file.

    Examples
    --------
    >>> meiro.io.save_occupancy_grid(["....", ".##."], "room.yaml", resolution=0.5, origin=(-1, 2, 0))
    >>> room = meiro.io.read_occupancy_grid("room.yaml")
    >>> path = meiro.solve(room.walls, room.sites((-0.8, 2.2)), room.sites((0.6, 2.1))).path
    >>> room.metres(path)[:2].tolist()
    [[-0.75, 2.25], [-0.75, 2.75]]
    """

    walls: NDArray[np.uint8]
    unknown: NDArray[np.bool_]
    resolution: float
    origin: tuple[float, float, float]
    values: NDArray[np.int8] | None = None

    def metres(self, sites: ArrayLike) -> NDArray[np.float64]:
        """Return x and y of the middles of sites, in metres.

        Parameters
        ----------
        sites : array_like of int, shape (..., 2)
            (row, col), as the paths of `meiro.solve` have them.

        Returns
        -------
        ndarray of float64, shape (..., 2)
            The coordinates x and y.

        Raises
        ------
        ValueError
            If the last axis of `sites` is not 2.
        TypeError
            If `sites` are not integers.

        Examples
        --------
        >>> room = meiro.io.OccupancyGrid(np.zeros((2, 4), np.uint8), np.zeros((2, 4), bool), 0.5, (0, 0, 0))
        >>> room.metres((1, 0)).tolist()
        [0.25, 0.25]
        """
        places = integers(sites, "sites")
        if places.shape[-1:] != (2,):
            raise ValueError(f"sites must have shape (..., 2), (row, col) of each, not {places.shape}")
        pixels = places[..., 1] + 0.5 + 1j * (len(self.walls) - 0.5 - places[..., 0])
        left, low, yaw = self.origin
        found = complex(left, low) + pixels * self.resolution * np.exp(1j * yaw)
        return np.stack([found.real, found.imag], axis=-1)

    def sites(self, metres: ArrayLike) -> NDArray[np.int64]:
        """Return the sites in which places lie: the inverse of `metres`.

        Parameters
        ----------
        metres : array_like of float, shape (..., 2)
            The coordinates x and y.

        Returns
        -------
        ndarray of int64, shape (..., 2)
            (row, col), as `meiro.solve` takes them.

        Raises
        ------
        ValueError
            If the last axis of `metres` is not 2, or a place is outside of the map.

        Examples
        --------
        >>> room = meiro.io.OccupancyGrid(np.zeros((2, 4), np.uint8), np.zeros((2, 4), bool), 0.5, (0, 0, 0))
        >>> room.sites([(0.25, 0.25), (1.9, 0.6)]).tolist()
        [[1, 0], [0, 3]]
        """
        try:
            places = np.asarray(metres, np.float64)
        except (TypeError, ValueError):
            raise TypeError(
                f"metres must be numbers, (x, y) of each place, not {short_repr(metres)}"
            ) from None
        if places.shape[-1:] != (2,):
            raise ValueError(f"metres must have shape (..., 2), x and y of each, not {places.shape}")
        left, low, yaw = self.origin
        with np.errstate(all="ignore"):  # of infinite places, which are outside
            pixels = (places[..., 0] - left + 1j * (places[..., 1] - low)) * np.exp(-1j * yaw)
            pixels /= self.resolution
        found = np.floor(np.stack([pixels.real, pixels.imag], axis=-1))
        height, width = self.walls.shape
        inside = ((found >= 0) & (found < (width, height))).all(axis=-1)
        if not inside.all():
            x, y = places[~inside][0].tolist()
            size = f"{width * self.resolution:g} x {height * self.resolution:g}"
            raise ValueError(
                f"({x:g}, {y:g}) is outside of the map, of {size} m with its origin at {self.origin}"
            )
        return np.stack([height - 1 - found[..., 1], found[..., 0]], axis=-1).astype(np.int64)


def save_occupancy_grid(
    x: Maze | ArrayLike,
    path: str | os.PathLike[str],
    *,
    resolution: float = 0.05,
    origin: Sequence[float] = (0.0, 0.0, 0.0),
    road: object = None,
) -> None:
    """Write a maze as an occupancy grid of ROS: a ``.yaml`` for map_server, and a ``.pgm`` beside it.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, of which each site is a pixel, or walls (1) and roads (0). Periodic mazes have an open border.
    path : path
        Of the YAML: ``.yaml`` or ``.yml``. The picture has the same name with ``.pgm``, and replaces one that
        is there.
    resolution : float
        The side of a pixel in metres, more than 0.
    origin : (float, float, float)
        Place of the lower left corner of the map, x and y in metres, and its yaw in radians.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.

    Raises
    ------
    ValueError
        If the suffix is another, or `resolution` is not more than 0.

    See Also
    --------
    read_occupancy_grid : the inverse.

    Notes
    -----
    Roads are 254 (free) and walls 0 (occupied), as map_saver writes them. A comment holds the recipe of a
    maze.

    References
    ----------
    http://wiki.ros.org/map_server#Map_format

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> meiro.io.save_occupancy_grid(maze, "map.yaml", resolution=0.1, origin=(-1, -1, 0))
    >>> meiro.Maze.from_grid(meiro.io.read_occupancy_grid("map.yaml").walls) == maze
    True
    """
    final = path_ending_in(_SUFFIXES, path)
    side = number(resolution, "resolution", 0)
    if side == 0:
        raise ValueError("resolution must be more than 0 metres")
    pose = [number(item, "origin") for item in islice(items_of(origin, "origin", "x, y and yaw"), 4)]
    if len(pose) != 3:
        many = "more" if len(pose) > 3 else len(pose)
        raise ValueError(f"origin must be x, y and yaw, three numbers, not {many}")
    grid = sites_of(x, road)
    picture = final.with_suffix(".pgm")
    lines = [
        f"image: {_scalar(picture.name)}",
        "mode: trinary",
        f"resolution: {_decimal(side)}",
        f"origin: [{', '.join(map(_decimal, pose))}]",
        "negate: 0",
        f"occupied_thresh: {_OCCUPIED}",
        f"free_thresh: {_FREE}",
    ]
    maze: Any = x
    if is_maze(x) and (recipe := maze.recipe) is not None:
        lines.append(f"# recipe: {json.dumps(recipe)}")
    with atomic(path) as file, atomic(picture) as beside:
        file.write("".join(line + "\n" for line in lines).encode())
        file.flush()  # a full disk is an error before either file is replaced
        beside.write(f"P5\n{grid.shape[1]} {grid.shape[0]}\n255\n".encode())
        beside.write(_GREYS[grid].data)


def _scalar(name: str) -> str:
    """Return the name of a picture as a scalar of YAML."""
    if _PLAIN.fullmatch(name) and name[0] not in "-.":
        return name
    if not name.isprintable() or '"' in name or "\\" in name:
        raise ValueError(
            f"the name of path makes the picture {short_repr(name)}: take it without quotes, backslashes"
        )
    return f'"{name}"'


def _decimal(value: float) -> str:
    return np.format_float_positional(value, trim="0")  # no exponent, which some readers take for text


def read_occupancy_grid(path: str | os.PathLike[str]) -> OccupancyGrid:
    """Read an occupancy grid of ROS: what is free is road, what is occupied or unknown wall.

    Needs the extra ``robots``.

    Parameters
    ----------
    path : path
        Of the YAML, as map_server and map_saver have it. The picture that it names, a PGM, PNG, BMP or
        another that Pillow reads, is in the same folder or one inside. One with an absolute path, as
        map_saver writes it, is found by its name, too.

    Returns
    -------
    OccupancyGrid
        Its walls, where nothing is known, resolution, origin, and values.

    Raises
    ------
    ValueError
        If a value is missing or wrong, or the picture is elsewhere or damaged; with the file and the line.
    ImportError
        If PyYAML or Pillow is not installed.

    See Also
    --------
    save_occupancy_grid : the inverse.

    Notes
    -----
    Values are those of map_server. A pixel v of at most m is occupied with probability 1 - v / m, or v / m if
    `negate` is set; v is the mean of the colours, and of the opacity too if `mode` is trinary. More than
    `occupied_thresh` is occupied (100), less than `free_thresh` is free (0). What lies between is unknown
    (-1), or 0 to 100 if `mode` is scale, where it is unknown if it is not opaque. If `mode` is raw, pixels
    are the values, and unknown above 100.

    In each mode what lies between the thresholds is neither free nor occupied: a wall, and unknown. Of raw
    pixels they are percents.

    References
    ----------
    http://wiki.ros.org/map_server#Value_Interpretation

    Examples
    --------
    >>> meiro.io.save_occupancy_grid(["....", ".##."], "room.yaml")
    >>> meiro.io.read_occupancy_grid("room.yaml").walls
    array([[0, 0, 0, 0],
           [0, 1, 1, 0]], dtype=uint8)
    """
    final = checked_path(path)
    name = repr(os.fspath(path))
    facts, line_of = _facts(final, name)
    picture = _beside(final, facts["image"])
    if picture is None:
        given = short_repr(facts["image"])
        raise ValueError(
            f"{name}, line {line_of['image']}: the image {given} is not in its folder: copy it there"
        )
    mode = facts.get("mode", "trinary")
    pixels, most, clear = _pixels(picture, with_opacity=mode == "trinary")
    shade = np.arange(most + 1) / most
    raw = np.rint(255 * shade)
    occupied = raw / _FULL if mode == "raw" else shade if facts["negate"] else 1 - shade
    low, high = facts["free_thresh"], facts["occupied_thresh"]
    free, full = occupied < low, occupied > high
    if mode == "raw":
        full &= raw <= _FULL
        value = np.where(raw <= _FULL, raw, _UNKNOWN)
    elif mode == "scale":
        value = np.rint((occupied.clip(low, high) - low) / (high - low or 1) * _FULL)
    else:
        value = np.where(full, _FULL, np.where(free, 0, _UNKNOWN))
    values, walls, unknown = (
        table[pixels]
        for table in (value.astype(np.int8), np.where(free, ROAD, WALL).astype(np.uint8), ~(free | full))
    )
    if mode == "scale":
        values[clear], walls[clear], unknown[clear] = _UNKNOWN, WALL, True
    x, y, yaw = facts["origin"]
    return OccupancyGrid(walls, unknown, facts["resolution"], (x, y, yaw), values)


def _beside(path: Path, image: str) -> Path | None:
    """Return the place of a picture in the folder of its YAML, or None."""
    named = PureWindowsPath(image)  # which takes both kinds of slashes
    folder = os.path.realpath(path.parent)
    for part in [named.as_posix(), *([named.name] if named.anchor else [])]:
        picture = path.parent / part
        is_file = os.path.isfile(picture)  # noqa: PTH113  # False, too, if its name is too long
        if is_file and Path(os.path.realpath(picture)).is_relative_to(folder):
            return picture
    return None


def read_walls(path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """Return the walls (1) and roads (0) of an occupancy grid."""
    return read_occupancy_grid(path).walls


def _facts(path: Path, name: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the values of the YAML, and the line of each."""
    with requires_extra("robots", "PyYAML"):
        import yaml
    with path.open("rb") as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise ValueError(f"{name} is larger than the {_MOST:,} bytes of a map's YAML")
    with invalid_as(f"{name} is not YAML", UnicodeDecodeError, yaml.reader.ReaderError, RecursionError):
        text = data.decode("utf-8-sig")
        loader = yaml.SafeLoader(text)
        try:
            root = loader.get_single_node()
        except yaml.MarkedYAMLError as e:
            raise ValueError(f"{name}, line {e.problem_mark.line + 1} is not YAML: {e.problem}") from e
    found: dict[str, Any] = {}
    line_of: dict[str, int] = {}
    for key, node in root.value if isinstance(root, yaml.MappingNode) else ():
        fact, line = key.value, key.start_mark.line + 1
        if not isinstance(fact, str) or fact not in _VALUES:
            continue  # of other programs
        if fact in found:
            raise ValueError(f"{name}, line {line}: {fact} is there twice, in line {line_of[fact]}, too")
        value_of, is_right, must = _VALUES[fact]
        value = None
        with suppress(TypeError, ValueError, OverflowError, RecursionError, yaml.YAMLError):
            value = value_of(loader.construct_object(node, deep=True))
        if value is None or not is_right(value):
            given = short_repr(text[node.start_mark.index : node.end_mark.index].strip())
            raise ValueError(f"{name}, line {line}: {fact} {given} {must}")
        found[fact], line_of[fact] = value, line
    for fact in _VALUES:
        if fact not in found and fact != "mode":
            raise ValueError(f"{name} has no {fact}")
    if found["free_thresh"] > found["occupied_thresh"]:
        raise ValueError(f"{name}, line {line_of['free_thresh']}: free_thresh is more than occupied_thresh")
    return found, line_of


def _pose(value: Any) -> list[float]:
    return [float(x) for x in value] if isinstance(value, list) else []


# How the value of a key is made of what YAML has, whether it is right, and what it must be.
_SHARE = (float, lambda x: 0 <= x <= 1, "must be from 0 to 1")
_VALUES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], bool], str]] = {
    "image": (os.fspath, lambda x: x != "" and x.isprintable(), "must be the name of a file"),
    "mode": (str, {"trinary", "scale", "raw"}.__contains__, "is not trinary, scale or raw"),
    "resolution": (float, lambda x: 0 < x < math.inf, "must be a finite number, more than 0"),
    "origin": (_pose, lambda x: len(x) == 3 and all(map(math.isfinite, x)), "must be [x, y, yaw], numbers"),
    "negate": (float, {0.0, 1.0}.__contains__, "must be 0 or 1"),
    "occupied_thresh": _SHARE,
    "free_thresh": _SHARE,
}


def _pixels(path: Path, *, with_opacity: bool) -> tuple[NDArray[Any], int, NDArray[np.bool_]]:
    """Return pixels as sums of channels, the largest sum that there can be, and which are not opaque."""
    with requires_extra("robots", "Pillow"):
        from PIL import Image, PngImagePlugin, PpmImagePlugin
    name = repr(os.fspath(path))
    with (
        path.open("rb") as file,
        invalid_as(f"{name} is no picture, or damaged", *_DAMAGED, Image.DecompressionBombError),
    ):
        head = file.read(2)
        file.seek(0)
        grey = dict.fromkeys((b"P2", b"P5"), PpmImagePlugin.PpmImageFile)
        opened: Any = {b"\x89P": PngImagePlugin.PngImageFile, **grey}
        picture = opened.get(head, Image.open)(file)  # which refuses more than 179 million pixels
        width, height = picture.size
        require((6 if picture.mode in _GREY else 20) * width * height, name, _INSTEAD)
        if picture.mode == "F" or (picture.mode == "I" and picture.format != "PPM"):
            raise ValueError("its pixels are floats, or of 32 bits")
        picture.load()
    clear = np.zeros((height, width), np.bool_)
    if picture.mode.startswith("I"):
        return np.asarray(picture).astype(np.uint16), 65535, clear
    if "A" not in picture.mode and "transparency" not in picture.info:
        if picture.mode in _GREY:
            return np.asarray(picture.convert("L")), 255, clear
        return np.asarray(picture.convert("RGB")).sum(axis=-1, dtype=np.uint16), 765, clear
    channels = np.asarray(picture.convert("RGBA"))
    n = 4 if with_opacity else 3
    return channels[..., :n].sum(axis=-1, dtype=np.uint16), 255 * n, channels[..., 3] < 255
