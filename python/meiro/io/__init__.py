"""Files and other libraries' graphs, both ways."""

from __future__ import annotations

from meiro.io.arrays.shards import Shards, read_shards, write_shards
from meiro.io.books import puzzle_book
from meiro.io.files import read, save
from meiro.io.game_maps.moving_ai import Scenarios, read_scenarios, save_scenarios
from meiro.io.game_maps.occupancy_grid import OccupancyGrid, read_occupancy_grid, save_occupancy_grid
from meiro.io.game_maps.tiled import read_tiled, save_tiled
from meiro.io.image import from_image
from meiro.io.masks import brightness, mask_from_image, mask_from_text
from meiro.io.peers.labmaze import LabmazeGrid, from_labmaze, to_labmaze
from meiro.io.peers.maze_dataset import from_maze_dataset, to_maze_dataset
from meiro.io.peers.mazelib import MazelibGrid, from_mazelib, to_mazelib
from meiro.io.shapes.mesh import save_mesh
from meiro.results.picture_array import PictureArray

__all__ = [
    "LabmazeGrid",
    "MazelibGrid",
    "OccupancyGrid",
    "PictureArray",
    "Scenarios",
    "Shards",
    "brightness",
    "from_image",
    "from_labmaze",
    "from_maze_dataset",
    "from_mazelib",
    "mask_from_image",
    "mask_from_text",
    "puzzle_book",
    "read",
    "read_occupancy_grid",
    "read_scenarios",
    "read_shards",
    "read_tiled",
    "save",
    "save_mesh",
    "save_occupancy_grid",
    "save_scenarios",
    "save_tiled",
    "to_labmaze",
    "to_maze_dataset",
    "to_mazelib",
    "write_shards",
]
