# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro.io.arrays.memmap import open_memmap as open_memmap
from meiro.io.arrays.shards import Shards as Shards
from meiro.io.arrays.shards import read_shards as read_shards
from meiro.io.arrays.shards import write_shards as write_shards
from meiro.io.books import puzzle_book as puzzle_book
from meiro.io.deep_zoom import pyramid as pyramid
from meiro.io.files import read as read
from meiro.io.files import save as save
from meiro.io.game_maps.moving_ai import Scenarios as Scenarios
from meiro.io.game_maps.moving_ai import read_scenarios as read_scenarios
from meiro.io.game_maps.moving_ai import save_scenarios as save_scenarios
from meiro.io.game_maps.occupancy_grid import OccupancyGrid as OccupancyGrid
from meiro.io.game_maps.occupancy_grid import read_occupancy_grid as read_occupancy_grid
from meiro.io.game_maps.occupancy_grid import save_occupancy_grid as save_occupancy_grid
from meiro.io.game_maps.tiled import read_tiled as read_tiled
from meiro.io.game_maps.tiled import save_tiled as save_tiled
from meiro.io.image import from_image as from_image
from meiro.io.masks import brightness as brightness
from meiro.io.masks import mask_from_image as mask_from_image
from meiro.io.masks import mask_from_text as mask_from_text
from meiro.io.networkx import positions as positions
from meiro.io.peers.labmaze import LabmazeGrid as LabmazeGrid
from meiro.io.peers.labmaze import from_labmaze as from_labmaze
from meiro.io.peers.labmaze import to_labmaze as to_labmaze
from meiro.io.peers.maze_dataset import from_maze_dataset as from_maze_dataset
from meiro.io.peers.maze_dataset import to_maze_dataset as to_maze_dataset
from meiro.io.peers.mazelib import MazelibGrid as MazelibGrid
from meiro.io.peers.mazelib import from_mazelib as from_mazelib
from meiro.io.peers.mazelib import to_mazelib as to_mazelib
from meiro.io.shapes.mesh import save_mesh as save_mesh
from meiro.results.picture_array import PictureArray as PictureArray

_PUBLIC: dict[str, str]

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
    "open_memmap",
    "positions",
    "puzzle_book",
    "pyramid",
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
