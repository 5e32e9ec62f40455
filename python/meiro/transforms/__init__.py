"""Transforms: a new maze from one maze or from several."""

from __future__ import annotations

from meiro.transforms.dead_ends import fill_dead_ends, sparsify
from meiro.transforms.geometry import crop, flip, rotate, transpose
from meiro.transforms.locks import locks
from meiro.transforms.loops import add_loops, braid, join_regions, remove_islands
from meiro.transforms.openings import with_ends, with_openings
from meiro.transforms.passages import with_passages
from meiro.transforms.stitch import stitch
from meiro.transforms.symmetric import symmetric
from meiro.transforms.tree_walks import origin_shift, perturb
from meiro.transforms.unicursal import unicursal

__all__ = [
    "add_loops",
    "braid",
    "crop",
    "fill_dead_ends",
    "flip",
    "join_regions",
    "locks",
    "origin_shift",
    "perturb",
    "remove_islands",
    "rotate",
    "sparsify",
    "stitch",
    "symmetric",
    "transpose",
    "unicursal",
    "with_ends",
    "with_openings",
    "with_passages",
]
