# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro.lattices._archimedean import kagome as kagome
from meiro.lattices._archimedean import upsilon as upsilon
from meiro.lattices._box import box as box
from meiro.lattices._cairo import cairo as cairo
from meiro.lattices._crossing import weave as weave
from meiro.lattices._crossing import zeta as zeta
from meiro.lattices._from_graph import from_graph as from_graph
from meiro.lattices._from_polygons import from_polygons as from_polygons
from meiro.lattices._hexagonal import hexagonal as hexagonal
from meiro.lattices._polar import polar as polar
from meiro.lattices._recipes import from_recipe as from_recipe
from meiro.lattices._square import square as square
from meiro.lattices._surfaces import cube as cube
from meiro.lattices._surfaces import moebius as moebius
from meiro.lattices._triangular import triangular as triangular
from meiro.lattices._voronoi import voronoi as voronoi
from meiro.lattices.lattice import Lattice as Lattice
from meiro.lattices.lattice import Outline as Outline

_PUBLIC: dict[str, str]

__all__ = [
    "Lattice",
    "Outline",
    "box",
    "cairo",
    "cube",
    "from_graph",
    "from_polygons",
    "from_recipe",
    "hexagonal",
    "kagome",
    "moebius",
    "polar",
    "square",
    "triangular",
    "upsilon",
    "voronoi",
    "weave",
    "zeta",
]
