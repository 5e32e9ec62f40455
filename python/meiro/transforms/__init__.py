"""Transforms: a new maze from one maze or from several."""

from __future__ import annotations

from meiro._public_names import import_late

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = {
    "transforms.dead_ends": "fill_dead_ends sparsify",
    "transforms.geometry": "crop flip rotate transpose",
    "transforms.locks": "locks",
    "transforms.loops": "add_loops braid join_regions remove_islands",
    "transforms.openings": "with_ends with_openings",
    "transforms.passages": "with_passages",
    "transforms.stitch": "stitch",
    "transforms.symmetric": "symmetric",
    "transforms.tree_walks": "origin_shift perturb",
    "transforms.unicursal": "unicursal",
}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
