"""ezdxf reads our DXF, and finds nothing to mend."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import meiro
from meiro import lattices
from meiro.io.shapes.wall_shapes import wall_shapes

if TYPE_CHECKING:
    from pathlib import Path

    from meiro.drawing.graph_outline import Lines

MASK = np.tri(6, 8, 3) > 0
MAZES: dict[str, meiro.Maze | meiro.GraphMaze] = {
    "maze": meiro.generate((5, 7), rng=1),
    "masked": meiro.with_openings(meiro.generate(mask=MASK, rng=2), "farthest"),
    "torus": meiro.generate((5, 7), "wilson", wrap=(True, True), rng=3),
    "hexagonal": meiro.generate(lattices.hexagonal(4, 5), "wilson", rng=4),
    "polar": meiro.generate(lattices.polar(5), "wilson", rng=5),
    "voronoi": meiro.generate(lattices.voronoi(30, rng=1), "wilson", rng=6),
}


def points_of(lines: Lines | None) -> list[Any]:
    assert lines is not None
    return [lines.points[a:b].tolist() for a, b in pairwise(lines.starts.tolist())]


@pytest.mark.peers
@pytest.mark.parametrize("name", MAZES)
def test_ezdxf_reads_ours(name: str, tmp_path: Path) -> None:
    ezdxf = import_module("ezdxf")

    maze = MAZES[name]
    solution = meiro.solve(maze)
    maze.save(tmp_path / "a.dxf", solution=solution)
    document: Any = ezdxf.readfile(tmp_path / "a.dxf")
    audit = document.audit()
    assert not audit.errors
    assert not audit.fixes
    assert document.dxfversion == "AC1009"
    assert {"WALLS", "SOLUTION"} <= {layer.dxf.name for layer in document.layers}
    found: dict[str, list[Any]] = {"WALLS": [], "SOLUTION": []}
    for one in document.modelspace():
        line = one.dxftype() == "LINE"
        points = [one.dxf.start, one.dxf.end] if line else [vertex.dxf.location for vertex in one.vertices]
        assert len(points) == 2 or not line
        found[one.dxf.layer].append([(x, y) for x, y, _ in points])
    walls, path, _ = wall_shapes(maze, solution)
    for layer, lines in (("WALLS", walls), ("SOLUTION", path)):
        expected = points_of(lines)
        assert list(map(len, found[layer])) == list(map(len, expected))
        for own, other in zip(found[layer], expected, strict=True):
            np.testing.assert_allclose(own, other, rtol=1e-11, atol=1e-11)
