"""The corridors of bands of rows, and the folder that keeps them for a call that is interrupted."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.atomic import atomic
from meiro._utils.memory import require
from meiro._utils.validation import checked_path

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Contracted = tuple[NDArray[np.int64], NDArray[np.int64]]

_FORMAT = b"meiro band 2"
_DIGEST = 20  # bytes


class ContractedBands:
    """Bands of rows of which dead ends are filled, and corridors are the edges of a graph.

    With a folder, each is kept in a file whose name is a digest of the band and its terminals: the same rows
    are contracted once, and those of another maze are never taken for them. A file ends with the digest of
    its name and its numbers; one that is damaged, or has the content of another, is written anew.
    """

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self._folder = None if folder is None else checked_path(folder, "parts")
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def of(self, passages: NDArray[np.uint8], terminals: NDArray[np.int64]) -> Contracted:
        """Return the cells that are nodes, and their edges: two nodes, the length, and two moves each."""
        if self._folder is None:
            return _core.contract(passages, terminals)
        facts = np.array([*passages.shape, *terminals], "<i8")
        name = _digest_of(facts, passages)
        path = self._folder / f"{name.hex()}.band"
        if (found := _read_contracted(path, name)) is not None:
            return found
        cells, edges = _core.contract(passages, terminals)
        numbers = np.concatenate([[len(cells)], cells, edges.ravel()]).astype("<i8")
        with atomic(path) as file:
            file.write(numbers.data)
            file.write(_digest_of(name, numbers))
        return cells, edges


def _digest_of(*parts: NDArray[np.generic] | bytes) -> bytes:
    digest = hashlib.blake2b(_FORMAT, digest_size=_DIGEST)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.data)
    return digest.digest()


def _read_contracted(path: Path, name: bytes) -> Contracted | None:
    """Return what a file holds, or None if it is not there, or its digest is another one."""
    try:
        require(2 * path.stat().st_size, f"the corridors in {os.fspath(path)!r}", "free memory")
        content = np.fromfile(path, np.uint8)
    except FileNotFoundError:
        return None
    numbers, digest = content[:-_DIGEST], content[-_DIGEST:]
    if len(numbers) % 8 != 0 or _digest_of(name, numbers.view("<i8")) != digest.tobytes():
        return None
    found = numbers.view("<i8").astype(np.int64)
    n_cells = int(found[0])
    return found[1 : 1 + n_cells], found[1 + n_cells :].reshape(-1, 5)
