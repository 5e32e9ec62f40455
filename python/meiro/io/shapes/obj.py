"""Wavefront OBJ: vertices and triangles as text, in millimetres."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from meiro._utils.bands import bands

if TYPE_CHECKING:
    from meiro.io.shapes.solid import Mesh


def write(file: IO[bytes], mesh: Mesh) -> None:
    """Write a mesh as OBJ."""
    file.write(b"# meiro, in millimetres\no maze\n")
    for band in bands(len(mesh.vertices), 16):
        part = mesh.vertices[band]
        file.write((len(part) * "v %.9g %.9g %.9g\n" % tuple(part.reshape(-1).tolist())).encode())
    for piece in mesh.triangles():
        corners = piece.reshape(-1).astype("u8") + 1
        file.write((len(corners) // 3 * "f %d %d %d\n" % tuple(corners.tolist())).encode())
