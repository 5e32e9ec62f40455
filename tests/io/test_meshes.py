"""STL, OBJ and glTF: surfaces are closed, seen from outside, and enclose the exact volume."""

from __future__ import annotations

import base64
import itertools
import json
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import drawn_grid, mazes
from hypothesis import given
from numpy.typing import NDArray
from periodic_mazes import WRAPS, periodic_maze
from refusals import refused
from some_lattices import EVERY

import meiro
from meiro import lattices
from meiro.io import save_mesh
from meiro.io.shapes.mesh import mesh_of
from meiro.io.shapes.mesh_files import Mesh, Sizes
from meiro.io.shapes.wall_lines import wall_shapes
from meiro.mazes._outside import outside_sites

SIZES = Sizes(8, 2.5, 6, 1.5)
ALONE = SIZES._replace(base=0)
LATTICES = "hexagonal", "triangular", "polar", "cairo", "voronoi", "moebius"
CORNERED = meiro.Maze(
    [[0, 0], [0, 0]], [[True, True], [True, False]], openings=[(2, 3), (3, 2)]
)  # two openings of the cell that is not there


def read_mesh(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return vertices and triangles of a file, in millimetres and z up."""
    data = path.read_bytes()
    if path.suffix == ".obj":
        lines = [line.split() for line in data.decode("ascii").splitlines() if line[0] in "vf"]
        points = np.array([line[1:] for line in lines if line[0] == "v"], np.float64)
        return points, np.array([line[1:] for line in lines if line[0] == "f"], np.int64) - 1
    if path.suffix == ".stl":
        (n,) = struct.unpack_from("<I", data, 80)
        assert len(data) == 84 + 50 * n
        assert not data.startswith(b"solid")
        records = np.frombuffer(data, np.uint8, offset=84).reshape(n, 50)
        numbers = records[:, :48].copy().view("<f4").reshape(n, 4, 3).astype(np.float64)
        sides = np.diff(numbers[:, 1:], axis=1)
        normals = np.cross(sides[:, 0], sides[:, 1])
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        np.testing.assert_allclose(numbers[:, 0], normals, atol=1e-6)
        points, which = np.unique(numbers[:, 1:].reshape(-1, 3), axis=0, return_inverse=True)
        return points, which.reshape(-1, 3)
    if path.suffix == ".gltf":
        head = json.loads(data)
        (buffer,) = head["buffers"]
        kind, _, text = buffer["uri"].partition(",")
        assert kind == "data:application/octet-stream;base64"
        binary = base64.b64decode(text, validate=True)
        assert buffer["byteLength"] == len(binary)
    else:
        magic, version, whole, size, kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, whole, kind) == (b"glTF", 2, len(data), b"JSON")
        head = json.loads(data[20 : 20 + size])
        assert struct.unpack_from("<I4s", data, 20 + size) == (len(data) - 28 - size, b"BIN\0")
        binary = data[28 + size :]
    place, order = head["accessors"]
    points = np.frombuffer(binary, "<f4", 3 * place["count"]).reshape(-1, 3).astype(np.float64)
    np.testing.assert_array_equal([place["min"], place["max"]], [points.min(axis=0), points.max(axis=0)])
    begin = head["bufferViews"][1]["byteOffset"]
    triangles = np.frombuffer(binary, "<u4", order["count"], begin).reshape(-1, 3).astype(np.int64)
    return points[:, [0, 2, 1]] * (1000, -1000, 1000), triangles


def of(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    triangles = np.concatenate(list(mesh.triangles())).astype(np.int64)
    assert len(triangles) == mesh.n_triangles
    return mesh.vertices.astype(np.float64), triangles


def volume(points: NDArray[np.float64], triangles: NDArray[np.int64]) -> float:
    """Return the volume, after each edge was found once in each direction."""
    n = len(points)
    assert len(np.unique(points, axis=0)) == n
    assert len(np.unique(triangles)) == n
    edges = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)
    there, back = edges @ (n, 1), edges @ (1, n)
    assert len(np.unique(there)) == len(edges)
    np.testing.assert_array_equal(np.sort(there), np.sort(back))
    a, b, c = points[triangles].transpose(1, 0, 2)
    sides = np.cross(b - a, c - a)
    assert (np.linalg.norm(sides, axis=1) > 0).all()
    return float((a * sides).sum() / 6)


def exact_volume(maze: meiro.Maze, sizes: Sizes, *, carved: bool) -> float:
    walls = drawn_grid(maze, "wall" if carved else "blank") == 1
    ground = np.ones_like(walls)
    if maze.mask is not None and not carved:
        ground &= ~outside_sites(maze.mask, maze.wrap)
    down, across = (
        np.where(np.arange(side) % 2 == 0, sizes.wall, sizes.mm - sizes.wall) for side in walls.shape
    )
    area = np.multiply.outer(down, across)
    return float(sizes.height * area[walls].sum() + sizes.base * area[ground].sum())


@given(maze=mazes())
def test_meshes_are_closed_and_have_the_exact_volume(maze: meiro.Maze) -> None:
    for sizes, carved in itertools.product((SIZES, ALONE), (False, True)):
        found = volume(*of(mesh_of(maze, sizes, carved=carved)))
        assert found == pytest.approx(exact_volume(maze, sizes, carved=carved), rel=1e-6)


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("sizes", [SIZES, ALONE])
def test_meshes_of_periodic_mazes(wrap: tuple[bool, bool], sizes: Sizes) -> None:
    maze = periodic_maze((4, 5), wrap, 3, 1)
    found = volume(*of(mesh_of(maze, sizes)))
    assert found == pytest.approx(exact_volume(maze, sizes, carved=False), rel=1e-6)


def test_bands_of_a_large_maze_join(monkeypatch: pytest.MonkeyPatch) -> None:
    maze = meiro.generate((23, 31), "wilson", rng=1)
    whole = of(mesh_of(maze, SIZES))
    monkeypatch.setattr("meiro.io.shapes.mesh.BAND", 1)  # a row at a time
    points, triangles = of(mesh_of(maze, SIZES))
    np.testing.assert_array_equal(points, whole[0])
    np.testing.assert_array_equal(np.unique(triangles, axis=0), np.unique(whole[1], axis=0))


@pytest.mark.parametrize("suffix", ["stl", "obj", "glb", "gltf"])
@pytest.mark.parametrize("carved", [False, True])
def test_files_hold_the_mesh(suffix: str, *, carved: bool, tmp_path: Path) -> None:
    maze = meiro.generate(mask=np.tri(6, 5, 1) > 0, rng=2)
    path = tmp_path / f"a.{suffix}"
    save_mesh(maze, path, **SIZES._asdict(), carved=carved)
    points, triangles = read_mesh(path)
    assert volume(points, triangles) == pytest.approx(exact_volume(maze, SIZES, carved=carved), rel=1e-5)
    low, high = points.min(axis=0), points.max(axis=0)
    np.testing.assert_allclose(low, 0, atol=1e-6)
    np.testing.assert_allclose(high, (5 * 8 + 2.5, 6 * 8 + 2.5, 7.5), rtol=1e-6)
    if not carved:  # the upper right corner is not there, so x is right and y is up
        assert points[points[:, 1] > high[1] - 1, 0].max() < high[0] - 8
    maze.save(tmp_path / f"b.{suffix}")
    assert volume(*read_mesh(tmp_path / f"b.{suffix}")) == pytest.approx(
        exact_volume(maze, Sizes(10, 2, 10, 2), carved=False), rel=1e-5
    )


@pytest.mark.parametrize("sizes", [SIZES, ALONE])
@pytest.mark.parametrize("name", LATTICES)
def test_meshes_on_lattices_are_closed(name: str, sizes: Sizes) -> None:
    shapely = pytest.importorskip("shapely", minversion="2.1")
    maze = meiro.generate(EVERY[name], "wilson", rng=4)
    points, triangles = of(mesh_of(maze, sizes))
    found = volume(points, triangles)
    walls = wall_shapes(maze, mm=sizes.mm)[0]
    lines = [walls.points[a:b] for a, b in itertools.pairwise(walls.starts.tolist())]
    thin, thick = (
        shapely.union_all(shapely.buffer([shapely.LineString(x) for x in lines], r, quad_segs=32)).area
        for r in (0.98 * sizes.wall / 2, 1.1 * sizes.wall / 2)
    )
    cells = floor_area(points, triangles) if sizes.base else 0.0
    assert thin * sizes.height < found - cells * sizes.base < thick * sizes.height


def floor_area(points: NDArray[np.float64], triangles: NDArray[np.int64]) -> float:
    flat = points[triangles]
    flat = flat[(flat[:, :, 2] == 0).all(axis=1), :, :2]
    (x, y), (x1, y1) = (flat[:, 1:] - flat[:, :1]).transpose(1, 2, 0)
    return float(np.abs(x * y1 - y * x1).sum() / 2)


@pytest.mark.parametrize("sizes", [SIZES, ALONE])
def test_a_lattice_of_squares_has_the_mesh_of_a_maze(sizes: Sizes) -> None:
    pytest.importorskip("shapely", minversion="2.1")
    maze = meiro.generate(lattices.square(5, 7), "wilson", rng=4)
    own = meiro.Maze.from_edges((5, 7), np.stack(np.divmod(maze.edges(), 7), axis=-1))
    expected = exact_volume(own, sizes, carved=False)
    # posts at which no wall ends are no walls of a lattice
    posts = own.grid.copy()
    posts[::2, ::2] = 0
    around = np.pad(posts, 1)
    near = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
    alone = int((near[::2, ::2] == 0).sum())
    expected -= alone * sizes.wall**2 * sizes.height
    assert volume(*of(mesh_of(maze, sizes))) == pytest.approx(expected, rel=1e-6)


def test_districts_of_several_parts_have_a_floor_each() -> None:
    shapely = pytest.importorskip("shapely", minversion="2.1")
    whole = shapely.union_all([shapely.box(0, 0, 4, 4), shapely.box(5, 0, 6, 1)])
    parts = [whole, shapely.box(4, 0, 5, 4), shapely.box(0, 4, 5, 7)]
    lattice = lattices.from_polygons(parts)
    maze = meiro.generate(lattice, "wilson", rng=1)
    points, triangles = of(mesh_of(maze, SIZES))
    volume(points, triangles)
    unit, millimetres = (np.ptp(wall_shapes(maze, mm=mm)[0].points) for mm in (None, SIZES.mm))
    scale = millimetres / unit
    covered = shapely.union_all(parts).buffer(SIZES.wall / 2 / scale, join_style="mitre")
    assert floor_area(points, triangles) == pytest.approx(covered.area * scale**2, rel=1e-3)


def test_memory_is_bounded() -> None:
    maze = meiro.generate((500, 500), "wilson", rng=1)
    tracemalloc.start()
    try:
        mesh = mesh_of(maze, SIZES)
        n = sum(len(piece) for piece in mesh.triangles())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert n == mesh.n_triangles
    assert peak < 40 * maze.grid.size + (1 << 25)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mm": 0}, r"^mm must be from 0\.001 to 1,000,000 millimetres, not 0$"),
        ({"wall": -1}, "^wall must be from .*, not -1$"),
        ({"height": 2e6}, r"^height must be from .*, not 2e\+06$"),
        ({"base": 1e-9}, "^base must be 0, or from .*, not 1e-09$"),
        ({"wall": 10}, "^wall=10 must be less than mm=10: no corridor is left$"),
        ({"mm": 1e6, "wall": 0.001}, r"mm=1e\+06, wall=0.001.*differ too much"),
        ({"height": 0.001, "base": 1e6}, "differ too much"),
    ],
)
def test_wrong_sizes_are_refused(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    refused(ValueError, message, save_mesh, meiro.generate((3, 4), rng=1), tmp_path / "a.stl", **options)
    assert not list(tmp_path.iterdir())


def test_what_has_no_closed_surface_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"at site \(3, 3\) walls touch only at an edge"):
        save_mesh(CORNERED, tmp_path / "a.stl", carved=True)
    weave = meiro.generate(lattices.weave(4, 4, rng=1), "wilson", rng=1)
    refused(ValueError, "has no walls in the plane", save_mesh, weave, tmp_path / "a.stl")
    hexagonal = meiro.generate(EVERY["hexagonal"], "wilson", rng=1)
    refused(ValueError, "carved=True is for a Maze", save_mesh, hexagonal, tmp_path / "a.stl", carved=True)
    with pytest.raises(ValueError, match=r"wall=0\.005 must be at least 0\.01"):
        save_mesh(hexagonal, tmp_path / "a.stl", wall=0.005)
    with pytest.raises(ValueError, match=r"'.*a\.ply' must end in \.stl, \.obj, \.glb or \.gltf"):
        save_mesh(CORNERED, tmp_path / "a.ply")
    refused(TypeError, "maze must be a Maze, not list", save_mesh, [[0]], tmp_path / "a.stl")
    assert not list(tmp_path.iterdir())
    save_mesh(CORNERED, tmp_path / "a.stl")
    volume(*read_mesh(tmp_path / "a.stl"))


@pytest.mark.peers
@pytest.mark.parametrize("suffix", ["stl", "obj", "glb", "gltf"])
@pytest.mark.parametrize("carved", [False, True])
@pytest.mark.parametrize("base", [0, 1.5])
def test_trimesh_finds_them_closed(suffix: str, base: float, *, carved: bool, tmp_path: Path) -> None:
    import trimesh

    mask = np.ones((7, 8), np.bool_)
    mask[2:4, 3:5] = mask[0, 0] = False
    maze = meiro.with_openings(meiro.generate(mask=mask, rng=2), "top_bottom")
    path = tmp_path / f"a.{suffix}"
    sizes = SIZES._replace(base=base)
    save_mesh(maze, path, **sizes._asdict(), carved=carved)
    mesh: Any = trimesh.load(path, force="mesh")
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.is_volume
    unit = 1e-9 if "gl" in suffix else 1
    assert mesh.volume == pytest.approx(unit * exact_volume(maze, sizes, carved=carved), rel=1e-5)
