"""The sets of tiles that maps of Tiled are written with: what each tile looks like, and is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The eight neighbours of a tile, clockwise from north, in which order Tiled has them, too.
_AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_FLOOR, _WALL, _EDGE, _DOOR, _OPENING = range(5)  # colours of a plan
_PLAN = ((240, 236, 226), (126, 136, 150), (45, 52, 64), (176, 112, 48), (150, 196, 130))


def _is_blob(code: int) -> bool:
    """Return whether each corner has both sides beside it: there are 47 such codes of eight neighbours."""
    return all(code >> i & 1 <= (code >> i - 1 & code >> (i + 1) % 8 & 1) for i in range(1, 8, 2))


BLOBS = [code for code in range(256) if _is_blob(code)]
_NUMBER_OF = np.zeros(256, np.uint8)
_NUMBER_OF[BLOBS] = range(1, len(BLOBS) + 1)
FLOOR = 0
DOORS, OPENINGS = (len(BLOBS) + 1, len(BLOBS) + 2), (len(BLOBS) + 3, len(BLOBS) + 4)
"""Tiles in a wall that runs across, and in one that runs down."""


class TileSet(NamedTuple):
    """A row of tiles in a picture.

    Attributes
    ----------
    pixels : ndarray of uint8, shape (size, n * size)
        The number of the colour of each pixel.
    palette : ndarray of uint8, shape (k, 3)
    classes : list of str
        What each tile is called, "" for nothing.
    around : dict of int to int
        For tiles that continue each other: the neighbours that are of the same kind, a bit each.
    """

    pixels: NDArray[np.uint8]
    palette: NDArray[np.uint8]
    classes: list[str]
    around: dict[int, int]


def tile_set(kind: str, size: int) -> TileSet:
    """Return the tiles of a kind of maps, `size` pixels each way."""
    if kind == "blob":
        tiles = [_floor(size), *(_wall(code, size) for code in BLOBS)]
        tiles += [_threshold(color, side, size) for color in (_DOOR, _OPENING) for side in (0, 1)]
        classes = ["floor", *["wall"] * len(BLOBS), "door", "door", "opening", "opening"]
        around = {1 + i: code for i, code in enumerate(BLOBS) if code}
        return TileSet(np.hstack(tiles), np.array(_PLAN, np.uint8), classes, around)
    if kind == "wide":
        tiles, classes = [np.full((size, size), color, np.uint8) for color in (1, 0)], ["floor", "wall"]
    else:
        tiles, classes = [_cell_tile(code, size) for code in range(16)], [""] * 16
    return TileSet(np.hstack(tiles), np.array([_BLACK, _WHITE], np.uint8), classes, {})


def _cell_tile(code: int, size: int) -> NDArray[np.uint8]:
    """Return a cell, 1 for road, with walls where no passage is."""
    wall = max(1, size // 8)
    inner = slice(wall, -wall)
    tile = np.zeros((size, size), np.uint8)
    tile[inner, inner] = 1
    tile[:wall, inner] = code & 1
    tile[inner, -wall:] = code >> 1 & 1
    tile[-wall:, inner] = code >> 2 & 1
    tile[inner, :wall] = code >> 3
    return tile


def _floor(size: int) -> NDArray[np.uint8]:
    return np.full((size, size), _FLOOR, np.uint8)


def _wall(code: int, size: int) -> NDArray[np.uint8]:
    """Return a wall with an edge where a neighbour, at a side or a corner, is not a wall."""
    tile = np.full((size, size), _WALL, np.uint8)
    edge = max(1, size // 8)
    part = {-1: slice(edge), 0: slice(None), 1: slice(-edge, None)}
    for i, (down, across) in enumerate(_AROUND):
        if not code >> i & 1:
            tile[part[down], part[across]] = _EDGE
    return tile


def _threshold(color: int, side: int, size: int) -> NDArray[np.uint8]:
    """Return a floor with a bar across it, or down."""
    tile = _floor(size)
    tile[3 * size // 8 : -(3 * size // 8)] = color
    return tile.T if side else tile


def blob_tiles(walls: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the tile of each wall by its eight neighbours; 0 where no wall is."""
    (rows, cols), around = walls.shape, np.pad(walls, 1)
    sides = [around[1 + down : 1 + down + rows, 1 + across : 1 + across + cols] for down, across in _AROUND]
    codes = np.zeros(walls.shape, np.uint8)
    for i, side in enumerate(sides):
        codes |= (side & sides[i - 1] & sides[(i + 1) % 8] if i % 2 else side).astype(np.uint8) << np.uint8(i)
    return np.where(walls, _NUMBER_OF[codes], np.uint8(0))


def turned_code(code: int, flips: int) -> int:
    """Return the code of a cell whose tile is turned: bits to flip it across (4), down (2), both axes (1)."""
    north, east, south, west = (code >> i & 1 for i in range(4))
    if flips & 1:
        north, east, south, west = west, south, east, north
    if flips & 4:
        east, west = west, east
    if flips & 2:
        north, south = south, north
    return north | east << 1 | south << 2 | west << 3
