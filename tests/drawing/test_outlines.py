"""Outlines of walls: closed, once, without touching, and around exactly what the walls cover."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from arbitrary_mazes import mazes
from ezdxf.filemanagement import readfile
from hypothesis import given
from refusals import refused
from svg_paths import lines_of_path

import meiro
from meiro import lattices
from meiro.drawing.lines import square_outlines
from meiro.drawing.raster import wall_segments
from meiro.io.shapes.wall_lines import wall_shapes

WIDTH = 0.25
KINDS: dict[str, Any] = {
    "openings": meiro.with_openings(meiro.generate((5, 7), rng=1)),
    "islands": meiro.braid(meiro.generate((7, 7), rng=1), 0.8, rng=1),
    "torus": meiro.generate((5, 7), "wilson", wrap=(True, True), rng=3),
    "hexagonal": meiro.generate(lattices.hexagonal(4, 5), "wilson", rng=4),
    "polar": meiro.generate(lattices.polar(5), "wilson", rng=5),
    "voronoi": meiro.generate(lattices.voronoi(30, rng=1), "wilson", rng=6),
}


def region(loops: list[Any]) -> Any:
    """Return what lies within loops, none of which meets another or itself."""
    rings = [shapely.linearrings(loop) for loop in loops]
    assert all(ring.is_simple for ring in rings)
    tree = shapely.STRtree(rings)
    assert len(tree.query(rings, predicate="intersects")[0]) == len(rings)
    found = shapely.Polygon()
    for ring in rings:
        found = found.symmetric_difference(shapely.Polygon(ring))
    return found


def thick(lines: Any, width: float) -> Any:
    ways = shapely.buffer(lines, width / 2, cap_style="square", join_style="mitre", mitre_limit=2)
    return shapely.union_all(ways)


@given(maze=mazes())
def test_outlines_are_around_the_walls(maze: meiro.Maze) -> None:
    lines = square_outlines(maze, WIDTH)
    loops = [lines.points[a:b] for a, b in pairwise(lines.starts.tolist())]
    for loop in loops:
        np.testing.assert_array_equal(loop[0], loop[-1])
        turns = np.diff(loop, axis=0) != 0  # right and down in turn, so that no point lies within a side
        assert (turns.sum(axis=1) == 1).all()
        assert (turns[1:] != turns[:-1]).all()
    walls = thick(shapely.linestrings(wall_segments(maze)), WIDTH)
    assert region(loops).symmetric_difference(walls).area == 0
    assert len(loops) == sum(1 + len(part.interiors) for part in shapely.get_parts(walls))


def of_dxf(path: Path) -> list[Any]:
    """Return the closed polylines of a drawing in millimetres."""
    document: Any = readfile(path)
    audit = document.audit()
    assert not audit.errors
    assert not audit.fixes
    assert document.units == 4
    entities = [*document.modelspace()]
    assert all(one.dxftype() == "POLYLINE" and one.is_closed and one.dxf.layer == "WALLS" for one in entities)
    return [[(v.dxf.location.x, v.dxf.location.y) for v in one.vertices] for one in entities]


def of_svg(path: Path) -> list[Any]:
    """Return the closed lines of a picture, in millimetres, y up."""
    text = path.read_text()
    assert text.count("<path") == 1
    assert 'fill="none"' in text
    (box,) = re.findall(r'width="([\d.]+)mm" height="([\d.]+)mm" viewBox="(\S+) (\S+) (\S+) (\S+)"', text)
    width, height, left, top, across, down = map(float, box)
    assert width / across == pytest.approx(8)
    assert height / down == pytest.approx(8)
    corner = re.findall(r'<g transform="translate\((\S+) (\S+)\)', text) or [(0, 0)]
    shift = np.array(corner[0], np.float64)
    loops = [np.array(line) for data in re.findall(r' d="([^"]*z)"', text) for line in lines_of_path(data)]
    for loop in loops:
        assert (loop + shift >= (left, top)).all()
        assert (loop + shift <= (left + across, top + down)).all()
    return [loop * (8, -8) for loop in loops]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("suffix", ["dxf", "svg"])
def test_files_hold_outlines(name: str, suffix: str, tmp_path: Path) -> None:
    maze = KINDS[name]
    maze.save(tmp_path / f"a.{suffix}", mm=8, wall=2.5, kerf=0.3)
    found = region((of_dxf if suffix == "dxf" else of_svg)(tmp_path / f"a.{suffix}"))
    walls = wall_shapes(maze, mm=8)[0]
    lines = [walls.points[a:b] for a, b in pairwise(walls.starts.tolist())]
    wanted = thick([shapely.linestrings(line) for line in lines], 2.8)
    if suffix == "svg":
        shift = np.subtract(wanted.bounds[:2], found.bounds[:2])
        found = shapely.transform(found, lambda points: points + shift)
    assert found.symmetric_difference(wanted).area < 1e-4 * wanted.area
    assert len(shapely.get_parts(found)) == len(shapely.get_parts(wanted))


def test_a_cut_along_the_outlines_leaves_walls_of_their_size(tmp_path: Path) -> None:
    maze = KINDS["openings"]
    for name, kerf in (("a", None), ("b", 0.5)):
        maze.save(tmp_path / f"{name}.dxf", wall=2, kerf=kerf)
    sharp, cut = (region(of_dxf(tmp_path / f"{name}.dxf")) for name in "ab")
    assert sharp.bounds == (-1, -1, 71, 51)  # of cells of 10 mm
    assert cut.buffer(-0.25, join_style="mitre").symmetric_difference(sharp).area < 1e-9


def test_pages_have_room_for_outlines(tmp_path: Path) -> None:
    maze = KINDS["openings"]
    maze.save(tmp_path / "a.pdf", mm=8, wall=6, page="fit")
    (box,) = re.findall(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", (tmp_path / "a.pdf").read_bytes())
    np.testing.assert_allclose([float(side) * 25.4 / 72 for side in box], [7 * 8 + 6, 5 * 8 + 6], rtol=1e-6)
    meiro.save([maze, KINDS["hexagonal"]], tmp_path / "a.svg", mm=8, wall=2, page="A4")
    assert "<circle" not in (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize("suffix", ["dxf", "svg", "pdf"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kerf": 0.1}, "kerf= is of the outlines of walls: give wall="),
        ({"wall": 7.9, "kerf": 0.1, "mm": 8}, "8 mm, must be less than a cell of 8 mm: no corridor is left"),
        ({"wall": -1}, "wall must be positive, in millimetres"),
        ({"wall": 1, "kerf": -1}, "kerf must be 0 or more, in millimetres"),
    ],
)
def test_wrong_outlines_are_refused(suffix: str, options: Any, message: str, tmp_path: Path) -> None:
    refused(ValueError, message, KINDS["openings"].save, tmp_path / f"a.{suffix}", **options)
    assert not list(tmp_path.iterdir())


def test_what_has_no_outlines_is_refused(tmp_path: Path) -> None:
    weave = meiro.generate(lattices.weave(4, 4, rng=1), "wilson", rng=1)
    refused(ValueError, "its cells have no outlines; leave out wall=", weave.save, tmp_path / "a.svg", wall=1)
    with pytest.raises(ValueError, match="leave one of them out"):
        meiro.generate(mask=np.tri(3) > 0, rng=1).save(tmp_path / "a.svg", wall=1, outside="wall")
    with pytest.raises(ValueError, match=r"wall= is for .*\.svg, \.pdf, \.dxf, \.stl.* not for .*a\.wkt"):
        KINDS["openings"].save(tmp_path / "a.wkt", wall=1)
