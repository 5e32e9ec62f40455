"""Masks with holes of every kind, small enough to try every maze on them."""

from __future__ import annotations

import numpy as np

_DRAWN = {
    "none": "### ### ### ###",
    "one cell": ".... .#.. ....",
    "middle of 3x3": "### #.# ###",
    "across": "### ... ###",
    "middle": "#### #.## #### ####",
    "two that touch by a corner": "#### #.## ##.# ####",
    "two by themselves": "##### #.#.# #####",
    "touches the border by a corner": "##.# #.## ####",
    "touches corner and border": ".### #.## ####",
    "two parts": "##.# ##.# ##..",
    "two parts by a corner": "##.. ##.. ..## ..##",
    "ring": "### #.# ### ###",
    "part within a ring": "##### #...# #.#.# #...# #####",
    "comb": "##### #.#.# #.#.#",
    "comb upside down": "#.#.# #.#.# #####",
    "first row missing": ".... #### ####",
    "scattered": "#.## ###. .### ##.#",
}
MASKS = {
    name: np.array([[cell == "#" for cell in row] for row in drawn.split()]) for name, drawn in _DRAWN.items()
}
