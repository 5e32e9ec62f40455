"""Meshes, and how formats write them: STL (binary), Wavefront OBJ, glTF 2.0 (binary or text)."""

from __future__ import annotations

import base64
import json
import struct
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.bands import bands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray


class Sizes(NamedTuple):
    """Lengths in millimetres: see `meiro.io.save_mesh`."""

    mm: float
    wall: float
    height: float
    base: float


class Mesh(NamedTuple):
    """A closed surface.

    Attributes
    ----------
    vertices : ndarray of float32, shape (n, 3)
        In millimetres, z up; no two are the same.
    n_triangles : int
    triangles : callable
        Returns an iterator over pieces of them, shape (k, 3), numbers of vertices, counterclockwise as seen
        from outside.
    """

    vertices: NDArray[np.float32]
    n_triangles: int
    triangles: Callable[[], Iterator[NDArray[np.integer]]]


def placed(lengths: NDArray[np.float64], sizes: Sizes) -> NDArray[np.float32]:
    """Return coordinates, all different, in the precision of files; ValueError if some fall together."""
    found = lengths.astype(np.float32)
    if (np.diff(found) == 0).any():
        given = ", ".join(f"{name}={value:g}" for name, value in sizes._asdict().items())
        raise ValueError(
            f"{given}: sizes differ too much, numbers of 32 bits cannot tell all places of the mesh"
        )
    return found


def heights(sizes: Sizes) -> NDArray[np.float32]:
    """Return the heights of levels 0 (the bottom), 1 (the floor) and 2 (the top of walls)."""
    if sizes.base == 0:
        return placed(np.array([0, sizes.height]), sizes)[[0, 0, 1]]
    return placed(np.array([0, sizes.base, sizes.base + sizes.height]), sizes)


def upright(a: NDArray[np.int64], b: NDArray[np.int64], below: int, above: int) -> NDArray[np.int64]:
    """Return two triangles for each edge from `a` to `b`, from one level to another; added to vertices."""
    one = np.stack([a + below, b + below, b + above], axis=1)
    return np.concatenate([one, np.stack([a + below, b + above, a + above], axis=1)])


_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEADER = b"meiro, in millimetres"  # must not begin with "solid", which is that of text


def write_stl(file: IO[bytes], mesh: Mesh) -> None:
    """Write a mesh as STL."""
    if mesh.n_triangles >> 32:
        raise ValueError(f"a .stl holds fewer than 2^32 triangles, not {mesh.n_triangles:,}")
    file.write(_HEADER.ljust(80, b"\0") + np.uint32(mesh.n_triangles).astype("<u4").tobytes())
    for piece in mesh.triangles():
        corners = mesh.vertices[piece]
        out = np.zeros(len(corners), _TRIANGLE)
        out["corners"] = corners
        sides = np.diff(corners.astype(np.float64), axis=1)
        normals = np.cross(sides[:, 0], sides[:, 1])
        out["normal"] = normals / np.linalg.norm(normals, axis=1)[:, None]
        file.write(out.data)


def write_obj(file: IO[bytes], mesh: Mesh) -> None:
    """Write a mesh as OBJ."""
    file.write(b"# meiro, in millimetres\no maze\n")
    for band in bands(len(mesh.vertices), 16):
        part = mesh.vertices[band]
        file.write((len(part) * "v %.9g %.9g %.9g\n" % tuple(part.reshape(-1).tolist())).encode())
    for piece in mesh.triangles():
        corners = piece.reshape(-1).astype("u8") + 1
        file.write((len(corners) // 3 * "f %d %d %d\n" % tuple(corners.tolist())).encode())


_FLOAT, _UINT = 5126, 5125
_VERTICES, _INDICES = 34962, 34963
_URI = "its buffer"


def write_glb(file: IO[bytes], mesh: Mesh) -> None:
    """Write a mesh as binary glTF; programs make its normals, one for each face, as the format has it."""
    head = _head(mesh)
    size = head["buffers"][0]["byteLength"]
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 4)
    whole = 12 + 8 + len(text) + 8 + size
    if whole >> 32:
        raise ValueError(f"a .glb has less than 4 GiB, not {whole:,} bytes; write a .stl")
    file.write(struct.pack("<4sII", b"glTF", 2, whole) + struct.pack("<I4s", len(text), b"JSON") + text)
    file.write(struct.pack("<I4s", size, b"BIN\0"))
    for piece in _buffer(mesh):
        file.write(piece)


def write_gltf(file: IO[bytes], mesh: Mesh) -> None:
    """Write a mesh as glTF in JSON, with its buffer in base64."""
    head = _head(mesh)
    head["buffers"][0]["uri"] = _URI
    before, after = json.dumps(head).encode().split(_URI.encode())
    file.write(before + b"data:application/octet-stream;base64,")
    rest = b""
    for piece in _buffer(mesh):  # three bytes are four characters
        rest += piece
        whole = len(rest) // 3 * 3
        file.write(base64.b64encode(rest[:whole]))
        rest = rest[whole:]
    file.write(base64.b64encode(rest) + after)


def _buffer(mesh: Mesh) -> Iterator[bytes]:
    """Yield places, then triangles."""
    for band in bands(len(mesh.vertices), 16):
        yield _turned(mesh.vertices[band]).astype("<f4").tobytes()
    for piece in mesh.triangles():
        yield piece.astype("<u4").tobytes()


def _head(mesh: Mesh) -> dict[str, Any]:
    low, high = (_turned(of(mesh.vertices, axis=0)) for of in (np.min, np.max))
    sizes = [mesh.vertices.nbytes, 12 * mesh.n_triangles]
    return {
        "asset": {"version": "2.0", "generator": f"meiro {_core.__version__}"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "maze"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": sum(sizes)}],
        "bufferViews": [
            {"buffer": 0, "byteLength": sizes[0], "target": _VERTICES},
            {"buffer": 0, "byteOffset": sizes[0], "byteLength": sizes[1], "target": _INDICES},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": _FLOAT,
                "count": len(mesh.vertices),
                "type": "VEC3",
                "min": np.minimum(low, high).tolist(),
                "max": np.maximum(low, high).tolist(),
            },
            {"bufferView": 1, "componentType": _UINT, "count": 3 * mesh.n_triangles, "type": "SCALAR"},
        ],
    }


def _turned(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return places in metres, y up."""
    return points[..., [0, 2, 1]] * np.array([1e-3, 1e-3, -1e-3], np.float32)


WRITERS = {".stl": write_stl, ".obj": write_obj, ".glb": write_glb, ".gltf": write_gltf}
"""What writes a mesh to a binary file, by the suffix."""
