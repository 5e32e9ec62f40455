"""glTF 2.0, binary (``.glb``) or text (``.gltf``): one mesh, in metres, y up."""

from __future__ import annotations

import base64
import json
import struct
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.bands import bands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro.io.shapes.solid import Mesh

_FLOAT, _UINT = 5126, 5125
_VERTICES, _INDICES = 34962, 34963
_URI = "its buffer"


def write(file: IO[bytes], mesh: Mesh) -> None:
    """Write a mesh as binary glTF; programs make its normals, one for each face, as the format has it."""
    head = _head(mesh)
    size = head["buffers"][0]["byteLength"]
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 4)
    whole = 12 + 8 + len(text) + 8 + size
    if whole >> 32:
        msg = f"a .glb has less than 4 GiB, not {whole:,} bytes; write a .stl"
        raise ValueError(msg)
    file.write(struct.pack("<4sII", b"glTF", 2, whole) + struct.pack("<I4s", len(text), b"JSON") + text)
    file.write(struct.pack("<I4s", size, b"BIN\0"))
    for piece in _buffer(mesh):
        file.write(piece)


def write_json(file: IO[bytes], mesh: Mesh) -> None:
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
