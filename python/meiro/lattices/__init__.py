"""Lattices of all kinds: what `meiro.generate` takes instead of a shape."""

from __future__ import annotations

from meiro._public_names import import_late
from meiro.lattices._recipes import MODULES

# Imported when first asked for: a maze needs one. `tests/helpers/public_names.py` writes `__init__.pyi`.
_PUBLIC = {
    "lattices._from_graph": "from_graph",
    "lattices._from_polygons": "from_polygons",
    "lattices._recipes": "from_recipe",
    "lattices.lattice": "Lattice Outline",
}
for _name, _module in MODULES.items():
    _PUBLIC[_module] = " ".join(sorted([*_PUBLIC.get(_module, "").split(), _name]))

__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
