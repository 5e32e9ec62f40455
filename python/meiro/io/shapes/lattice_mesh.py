"""Meshes of mazes on lattices: shapely joins the walls, and cuts floor and walls into triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.interruptible import interruptible
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro.drawing.graph_outline import more_walls, plane_of, polygons
from meiro.drawing.lines import GRID, chords, thickened
from meiro.io.shapes.mesh_files import Mesh, Sizes, heights, upright
from meiro.io.shapes.wall_lines import walls_on_lattice

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.drawing.lines import Lines
    from meiro.mazes.graph_maze import GraphMaze

_THINNEST = 0.001
_MEMORY = 8000  # bytes an edge


def lattice_mesh(maze: GraphMaze, sizes: Sizes, *, carved: bool = False) -> Mesh:
    """Return the mesh of a maze on a lattice with outlines."""
    if carved:
        raise ValueError("carved=True is for a Maze: a lattice has no cells outside of it")
    if sizes.wall < _THINNEST * sizes.mm:
        least = _THINNEST * sizes.mm
        raise ValueError(
            f"wall={sizes.wall:g} must be at least {least:g}, {_THINNEST} of a cell of a lattice"
        )
    require(_MEMORY * maze.lattice.n_edges, f"the mesh of {maze!r}", "write a .dxf")
    plane = plane_of(maze.lattice)
    lines = walls_on_lattice(maze, plane_of(maze.lattice, maze.openings))
    if not len(lines.points):
        raise ValueError(f"{maze!r} has no walls to raise")
    with requires_extra("maps", "shapely 2.1"):
        from shapely import constrained_delaunay_triangles  # noqa: F401
    corners, stands = interruptible(lambda check: _triangles(plane, lines, sizes, check))
    return _raised(corners, stands, sizes)


def _triangles(
    plane: Plane, lines: Lines, sizes: Sizes, check: Callable[[], None]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the triangles of walls and floor, (n, 3, 2), counterclockwise, and which of them are walls."""
    import shapely
    from shapely import constrained_delaunay_triangles

    scale = sizes.mm / plane.cell
    unit = sizes.mm * GRID
    points = lines.points * scale
    low = points.min(axis=0)
    points -= low
    walls = thickened(lines._replace(points=points), sizes.wall, sizes.mm, check)
    rings = _cells(plane, lambda points: points * scale * (1, -1) - low, unit)
    # cells cut floor and walls into small pieces: the time for triangles grows faster than a piece does
    edges = shapely.union_all([walls.boundary, shapely.multilinestrings(rings)], grid_size=unit)
    check()
    faces = shapely.get_parts(shapely.polygonize([*shapely.get_parts(edges)]))
    check()
    inside = shapely.point_on_surface(faces)
    shapely.prepare(walls)
    stands = shapely.contains(walls, inside)
    kept = stands.copy()
    if sizes.base:
        floor, _ = shapely.STRtree(shapely.polygons(rings)).query(inside, predicate="within")
        kept[floor] = True
    check()
    cut, of = shapely.get_parts(constrained_delaunay_triangles(faces[kept]), return_index=True)
    corners = shapely.get_coordinates(shapely.orient_polygons(cut)).reshape(-1, 4, 2)[:, :3]
    return corners, stands[kept][of]


def _cells(
    plane: Plane, place: Callable[[NDArray[np.float64]], NDArray[np.float64]], unit: float
) -> NDArray[Any]:
    """Return the rings of cells, at their places in the mesh; districts may have several each."""
    import shapely

    outline = plane.outline
    assert outline is not None  # noqa: S101  # or it has no walls
    if plane.districts:
        borders = np.concatenate([outline.walls, outline.rim, more_walls(outline)[1]])
        lines = shapely.linestrings(place(borders.reshape(-1, 2)).reshape(-1, 2, 2))
        lines = shapely.union_all(lines, grid_size=unit)
        parts = shapely.get_parts(shapely.polygonize([*shapely.get_parts(lines)]))
        return np.asarray(shapely.get_exterior_ring(parts))
    cells = chords(polygons(outline), plane.cell)
    of = np.repeat(np.arange(len(cells.starts) - 1), np.diff(cells.starts))
    return np.asarray(shapely.linearrings(place(cells.points), indices=of))


def _raised(corners: NDArray[np.float64], stands: NDArray[np.bool_], sizes: Sizes) -> Mesh:
    """Return the mesh over triangles of the plane, counterclockwise, some of which are walls."""
    places = corners.reshape(-1, 2).astype(np.float32) + np.float32(0)  # a zero has no sign
    numbers, which = np.unique(places.view(np.uint64).reshape(-1), return_inverse=True)
    plan = numbers.view(np.float32).reshape(-1, 2)
    faces = which.reshape(-1, 3)
    kept = (faces != np.roll(faces, 1, axis=1)).all(axis=1)
    faces, stands = faces[kept], stands[kept]
    n = len(plan)
    walls, parts = faces[stands], []
    if sizes.base:
        parts += [faces[:, ::-1], faces[~stands] + n, walls + 2 * n]
        parts += [_sides(faces, 0, n, n), _sides(walls, n, 2 * n, n)]
    else:
        parts += [walls[:, ::-1], walls + 2 * n, _sides(walls, 0, 2 * n, n)]
    triangles = np.concatenate(parts)
    used = np.flatnonzero(np.bincount(triangles.reshape(-1)))
    triangles = np.searchsorted(used, triangles).astype(np.uint32)
    vertices = np.concatenate([plan[used % n], heights(sizes)[used // n][:, None]], axis=1)
    return Mesh(vertices, len(triangles), lambda: (triangles[band] for band in bands(len(triangles), 16)))


def _sides(faces: NDArray[np.int64], below: int, above: int, n: int) -> NDArray[np.int64]:
    """Return the sides around triangles of the plane."""
    edges = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    forth, back = edges @ (n, 1), np.sort(edges @ (1, n))
    found = np.searchsorted(back[:-1], forth)
    a, b = edges[back[found] != forth].T
    if np.bincount(a, minlength=1).max() > 1:
        raise ValueError(
            "walls touch only at an edge, so that their surface is not closed: take another wall="
        )
    return upright(a, b, below, above)
