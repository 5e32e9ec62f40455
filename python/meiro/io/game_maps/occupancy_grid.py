"""Occupancy grids of ROS, as its map_server reads them: a file of YAML, and a PGM beside it."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.arrays import refuse_road, walls
from meiro._utils.atomic import atomic
from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import ROAD, WALL
from meiro._utils.validation import checked_path, integers, items_of, number
from meiro.maze.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

_SUFFIXES = (".yaml", ".yml")
_GREYS = np.array([254, 0], np.uint8)  # of road and wall, as map_saver has them
_OCCUPIED, _FREE = 0.65, 0.196
_MOST = 1 << 20  # bytes of YAML
_HEAD = 1 << 12  # bytes of the header of a PGM
_NUMBER = re.compile(r"[-+]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][-+]?\d{1,4})?", re.ASCII)
_QUOTED = re.compile(r'"[^"\\]*"|' + r"'[^']*'")
_PLAIN = re.compile(r"[\w./-]+")
_TOKEN = re.compile(rb"(?:\s|#[^\n]*\n)*([0-9]{1,10})(?![0-9])")
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

    Examples
    --------
    >>> meiro.io.save_occupancy_grid(["....", ".##."], "room.yaml", resolution=0.5, origin=(-1, 2, 0))
    >>> room = meiro.io.read_occupancy_grid("room.yaml")
    >>> path = meiro.solve(room.walls, (1, 0), (1, 3)).path
    >>> room.metres(path)[:2].tolist()
    [[-0.75, 2.25], [-0.75, 2.75]]
    """

    walls: NDArray[np.uint8]
    unknown: NDArray[np.bool_]
    resolution: float
    origin: tuple[float, float, float]

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
            msg = f"sites must have shape (..., 2), (row, col) of each, not {places.shape}"
            raise ValueError(msg)
        x = (places[..., 1] + 0.5) * self.resolution
        y = (len(self.walls) - 0.5 - places[..., 0]) * self.resolution
        left, low, yaw = self.origin
        turned = x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) + y * math.cos(yaw)
        return np.stack([left + turned[0], low + turned[1]], axis=-1)


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
    final = checked_path(path)
    if final.suffix.lower() not in _SUFFIXES:
        msg = f"path {short_repr(os.fspath(path))} must end in {' or '.join(_SUFFIXES)}"
        raise ValueError(msg)
    side = number(resolution, "resolution", 0)
    if side == 0:
        msg = "resolution must be more than 0 metres"
        raise ValueError(msg)
    pose = []
    for item in items_of(origin, "origin", "x, y and yaw"):
        pose.append(number(item, "origin"))
        if len(pose) > 3:
            break
    if len(pose) != 3:
        many = "more" if len(pose) > 3 else len(pose)
        msg = f"origin must be x, y and yaw, three numbers, not {many}"
        raise ValueError(msg)
    if isinstance(x, Maze):
        refuse_road(road)
    grid = x.to_grid() if isinstance(x, Maze) else walls(x, road=road)
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
    if isinstance(x, Maze) and (recipe := x.recipe) is not None:
        lines.append(f"# recipe: {json.dumps(recipe)}")
    with atomic(path) as file, atomic(picture) as beside:
        file.write("".join(line + "\n" for line in lines).encode())
        file.flush()  # a full disk is an error before either file is replaced
        beside.write(f"P5\n{grid.shape[1]} {grid.shape[0]}\n255\n".encode())
        for band in bands(*grid.shape):
            beside.write(_GREYS[grid[band]].data)


def _scalar(name: str) -> str:
    """Return the name of a picture as a scalar of YAML."""
    if _PLAIN.fullmatch(name) and name[0] not in "-.":
        return name
    if not name.isprintable() or '"' in name or "\\" in name:
        msg = f"the name of path makes the picture {short_repr(name)}: take it without quotes, backslashes"
        raise ValueError(msg)
    return f'"{name}"'


def _decimal(value: float) -> str:
    return np.format_float_positional(value, trim="0")  # no exponent, which some readers take for text


def read_occupancy_grid(path: str | os.PathLike[str]) -> OccupancyGrid:
    """Read an occupancy grid of ROS: what is free is road, what is occupied or unknown wall.

    Parameters
    ----------
    path : path
        Of the YAML: lines of ``key: value``. The picture that it names is a PGM (P5, of 8 bits), in the same
        folder or one inside.

    Returns
    -------
    OccupancyGrid
        Its walls, where nothing is known, resolution and origin.

    Raises
    ------
    ValueError
        If a line is another, a value is missing or wrong, `mode` is not trinary, the picture is elsewhere, or
        damaged; with the file and the line or byte.

    See Also
    --------
    save_occupancy_grid : the inverse.

    Notes
    -----
    A pixel v of at most m is occupied with probability 1 - v / m, or v / m if `negate` is set; it is free
    if that is less than `free_thresh`, and unknown if it is not more than `occupied_thresh` either.

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
    picture = final.parent / facts["image"]
    folder = os.path.realpath(final.parent)
    if not Path(os.path.realpath(picture)).is_relative_to(folder):
        msg = f"{name}, line {line_of['image']}: the image {short_repr(facts['image'])} is not in its folder"
        raise ValueError(msg)
    pixels, most = _pgm(picture)
    value = np.arange(256) / most
    occupied = value if facts["negate"] else 1 - value
    meaning = np.where(occupied < facts["free_thresh"], ROAD, WALL).astype(np.uint8)
    doubtful = (occupied >= facts["free_thresh"]) & (occupied <= facts["occupied_thresh"])
    sites, unknown = np.empty(pixels.shape, np.uint8), np.empty(pixels.shape, np.bool_)
    for band in bands(*pixels.shape):
        sites[band] = meaning[pixels[band]]
        unknown[band] = doubtful[pixels[band]]
    x, y, yaw = facts["origin"]
    return OccupancyGrid(sites, unknown, facts["resolution"], (x, y, yaw))


def read_walls(path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """Return the walls (1) and roads (0) of an occupancy grid."""
    return read_occupancy_grid(path).walls


def _facts(path: Path, name: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the values of the YAML, and the line of each."""
    with path.open("rb") as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        msg = f"{name} is larger than the {_MOST:,} bytes of a map's YAML"
        raise ValueError(msg)
    found: dict[str, Any] = {}
    line_of: dict[str, int] = {}
    for i, raw in enumerate(data.split(b"\n"), 1):
        try:
            line = raw.decode("utf-8-sig" if i == 1 else "utf-8").strip()
            if not line or line.startswith("#"):
                continue
            key, colon, rest = line.partition(":")
            key = key.strip()
            if not colon or raw[:1].isspace() or (rest and not rest[0].isspace()) or key not in _VALUES:
                msg = f"{short_repr(line)} is not 'key: value', with a key of {', '.join(_VALUES)}"
                raise ValueError(msg)  # noqa: TRY301
            if key in found:
                msg = f"{key} is there twice, in line {line_of[key]}, too"
                raise ValueError(msg)  # noqa: TRY301
            found[key] = _VALUES[key](key, _without_comment(rest.strip()))
            line_of[key] = i
        except ValueError as e:
            msg = f"{name}, line {i}: {e}"
            raise ValueError(msg) from e
    for key in _VALUES:
        if key not in found and key != "mode":
            msg = f"{name} has no {key}"
            raise ValueError(msg)
    if found["free_thresh"] > found["occupied_thresh"]:
        msg = f"{name}, line {line_of['free_thresh']}: free_thresh is more than occupied_thresh"
        raise ValueError(msg)
    return found, line_of


def _without_comment(text: str) -> str:
    """Return a value without a comment behind it, and without its quotes."""
    if found := _QUOTED.match(text):
        rest = text[found.end() :].strip()
        if rest and not rest.startswith("#"):
            msg = f"{short_repr(text)} goes on behind its quotes"
            raise ValueError(msg)
        return found[0][1:-1]
    return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()


def _image(key: str, text: str) -> str:
    parts = text.split("/")
    if not text.isprintable() or "" in parts or ".." in parts or "\\" in text or Path(text).is_absolute():
        msg = f"the {key} {short_repr(text)} must be the name of a file in the same folder"
        raise ValueError(msg)
    return text


def _real(key: str, text: str) -> float:
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        msg = f"{key} {short_repr(text)} is not a finite number"
        raise ValueError(msg)
    return value


def _resolution(key: str, text: str) -> float:
    value = _real(key, text)
    if value <= 0:
        msg = f"{key} {short_repr(text)} must be more than 0"
        raise ValueError(msg)
    return value


def _share(key: str, text: str) -> float:
    value = _real(key, text)
    if not 0 <= value <= 1:
        msg = f"{key} {short_repr(text)} must be from 0 to 1"
        raise ValueError(msg)
    return value


def _origin(key: str, text: str) -> list[float]:
    parts = text[1:-1].split(",") if text[:1] + text[-1:] == "[]" else []
    if len(parts) != 3:
        msg = f"{key} {short_repr(text)} must be [x, y, yaw]"
        raise ValueError(msg)
    return [_real(key, part.strip()) for part in parts]


def _negate(key: str, text: str) -> bool:
    if text not in {"0", "1", "false", "true"}:
        msg = f"{key} {short_repr(text)} must be 0 or 1"
        raise ValueError(msg)
    return text in {"1", "true"}


def _mode(key: str, text: str) -> str:
    if text != "trinary":
        msg = f"{key} {short_repr(text)} is not trinary: only walls and roads are read"
        raise ValueError(msg)
    return text


_VALUES: dict[str, Callable[[str, str], Any]] = {
    "image": _image,
    "mode": _mode,
    "resolution": _resolution,
    "origin": _origin,
    "negate": _negate,
    "occupied_thresh": _share,
    "free_thresh": _share,
}


def _pgm(path: Path) -> tuple[NDArray[np.uint8], int]:
    """Return the pixels of a PGM of bytes, and the largest value that they may have."""
    name = repr(os.fspath(path))
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if head[:2] != b"P5":
            msg = f"{name}, byte 0: {head[:2]!r} is not P5, with which a PGM of bytes begins; "
            msg += "meiro.from_image reads other pictures, alone"
            raise ValueError(msg)
        at, sides = 2, []
        for what in ("width", "height", "largest value"):
            found = _TOKEN.match(head, at)
            if found is None or found.start(1) == at or int(found[1]) == 0:
                msg = f"{name}, byte {at}: there is no {what}, a number from 1 on"
                raise ValueError(msg)
            sides.append(int(found[1]))
            at = found.end()
        width, height, most = sides
        if most > 255 or not head[at : at + 1].isspace():
            msg = f"{name}, byte {at}: the largest value is {most}; of a PGM of bytes it is at most 255, and "
            msg += "white space follows"
            raise ValueError(msg)
        size = file.seek(0, os.SEEK_END) - at - 1
        if size < width * height:
            msg = f"{name}, byte {size + at + 1}: the end; {width:,} x {height:,} pixels need more bytes"
            raise ValueError(msg)
        require(4 * width * height, name, _INSTEAD)
        file.seek(at + 1)
        pixels = np.frombuffer(file.read(width * height), np.uint8)
    if len(pixels) < width * height:
        msg = f"{name} became shorter while it was read"
        raise ValueError(msg)
    if most < 255 and (wrong := pixels > most).any():
        i = int(wrong.argmax())
        msg = f"{name}, byte {at + 1 + i}: the pixel is {pixels[i]}, more than {most}"
        raise ValueError(msg)
    return pixels.reshape(height, width), most
