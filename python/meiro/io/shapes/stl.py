"""STL, binary: triangles with their normals, in millimetres."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from meiro.io.shapes.solid import Mesh

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEADER = b"meiro, in millimetres"  # must not begin with "solid", which is that of text


def write(file: IO[bytes], mesh: Mesh) -> None:
    """Write a mesh as STL."""
    if mesh.n_triangles >> 32:
        msg = f"a .stl holds fewer than 2^32 triangles, not {mesh.n_triangles:,}"
        raise ValueError(msg)
    file.write(_HEADER.ljust(80, b"\0") + np.uint32(mesh.n_triangles).astype("<u4").tobytes())
    for piece in mesh.triangles():
        corners = mesh.vertices[piece]
        out = np.zeros(len(corners), _TRIANGLE)
        out["corners"] = corners
        sides = np.diff(corners.astype(np.float64), axis=1)
        normals = np.cross(sides[:, 0], sides[:, 1])
        out["normal"] = normals / np.linalg.norm(normals, axis=1)[:, None]
        file.write(out.data)
