"""Files and other libraries' graphs, both ways."""

from __future__ import annotations

from meiro._public_names import import_late, names_within

# Imported when first asked for, for they are many; `tests/helpers/public_names.py` writes `__init__.pyi`.
_PUBLIC = names_within("io") | {
    "io.arrays.memmap": "open_memmap",
    "io.arrays.shards": "Shards read_shards write_shards",
    "io.books": "puzzle_book",
    "io.deep_zoom": "pyramid",
    "io.game_maps.moving_ai": "Scenarios read_scenarios save_scenarios",
    "io.game_maps.occupancy_grid": "OccupancyGrid read_occupancy_grid save_occupancy_grid",
    "io.game_maps.tiled": "read_tiled save_tiled",
    "io.peers.labmaze": "LabmazeGrid from_labmaze to_labmaze",
    "io.peers.maze_dataset": "from_maze_dataset to_maze_dataset",
    "io.peers.mazelib": "MazelibGrid from_mazelib to_mazelib",
    "io.shapes.mesh": "save_mesh",
    "results.picture_array": "PictureArray",
}

__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
