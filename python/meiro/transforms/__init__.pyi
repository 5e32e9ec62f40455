# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro.transforms.dead_ends import fill_dead_ends as fill_dead_ends
from meiro.transforms.dead_ends import sparsify as sparsify
from meiro.transforms.geometry import crop as crop
from meiro.transforms.geometry import flip as flip
from meiro.transforms.geometry import rotate as rotate
from meiro.transforms.geometry import transpose as transpose
from meiro.transforms.locks import locks as locks
from meiro.transforms.loops import add_loops as add_loops
from meiro.transforms.loops import braid as braid
from meiro.transforms.loops import join_regions as join_regions
from meiro.transforms.loops import remove_islands as remove_islands
from meiro.transforms.openings import with_ends as with_ends
from meiro.transforms.openings import with_openings as with_openings
from meiro.transforms.passages import with_passages as with_passages
from meiro.transforms.stitch import stitch as stitch
from meiro.transforms.symmetric import symmetric as symmetric
from meiro.transforms.tree_walks import origin_shift as origin_shift
from meiro.transforms.tree_walks import perturb as perturb
from meiro.transforms.unicursal import unicursal as unicursal

_PUBLIC: dict[str, str]

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
