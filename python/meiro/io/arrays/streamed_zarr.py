"""The passages of a stream in a ``.zarr`` folder, band by band; and arrays of passages there, read as mazes.

The folder holds one array, (rows, cols), in chunks of whole rows, and says what made it in the attribute
``meiro_maze``. What ``resume=True`` keeps of an interrupted save lies beside it in ``NAME.part``: the array,
as far as it is written, in ``new``, and in ``state.npz`` what the stream goes on from, as plain arrays.
"""

from __future__ import annotations

import copy
import json
import os
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.atomic import atomic, atomic_folder, read_folder, remove_folder, replace_folder, worker
from meiro._utils.interruptible import result_of
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as
from meiro._utils.progress import paced, reporter
from meiro.generators.row_stream import arrays_of, fill, resume_from
from meiro.io.arrays import npz
from meiro.io.arrays.zarr_folders import DAMAGED, node, says, zarr_library
from meiro.mazes.maze import Maze

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import ThreadPoolExecutor

    from numpy.typing import NDArray

    from meiro.generators.row_stream import StreamedMaze

_HEADER = "meiro_maze"
_BAND = 1 << 22  # cells: Ctrl-C waits until those of a band are written
_STATE = "state.npz"
_OFTEN, _SHARE = 10.0, 20  # seconds between two states, and how many times as long as one takes to write


def save_streamed(maze: StreamedMaze, path: str | os.PathLike[str], *, resume: bool) -> None:
    """Write the passages of a stream; with `resume` an interrupted save is kept, and goes on."""
    zarr, final = zarr_library(), Path(os.path.realpath(path))
    if final.exists() and not says(final, _HEADER):
        raise FileExistsError(f"{os.fspath(path)!r} exists and holds no maze of a stream: it is not replaced")
    if not resume:
        with atomic_folder(path) as new:
            _Writer(zarr, maze, new, None).write()
        return
    part = final.with_name(f"{final.name}.part")
    part.mkdir(exist_ok=True)
    with _only_writer(part):
        _Writer(zarr, maze, part / "new", part / _STATE).write()
        replace_folder(part / "new", final)
        remove_folder(part)


@contextmanager
def _only_writer(part: Path) -> Iterator[None]:
    with (part / "lock").open("ab") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as e:
                raise BlockingIOError(f"another process is writing {os.fspath(part)!r}") from e
            except OSError:  # a file system without locks
                pass
        yield


class _Writer:
    """What writes the rows of a stream into an array of zarr, from where `state` says, if there is one."""

    def __init__(self, zarr: Any, maze: StreamedMaze, folder: Path, state: Path | None) -> None:
        self._zarr, self._maze, self._folder, self._state = zarr, maze, folder, state
        self._band = min(max(1, _BAND // maze.cols), maze.rows)  # rows
        self._written = copy.copy(maze.stream)  # after the rows that are written
        self._header = npz.VERSIONS | {"rows": maze.rows, **maze.facts}
        self._tell = paced(reporter(maze.progress))
        self._due = time.monotonic() + _OFTEN

    def write(self) -> None:
        """Write all rows."""
        require(2 * self._band * self._maze.cols, f"a band of {self._maze.stream!r}", "take fewer cols")
        with worker() as pool:
            array = self._begun(pool)
            try:
                self._write_bands(array, pool)
            except BaseException:  # Ctrl-C as well
                self._keep()
                raise

    def _write_bands(self, array: Any, pool: ThreadPoolExecutor) -> None:
        height, cols, before = self._maze.rows, self._maze.cols, self._maze.cells_before
        self._maze._replace(stream=self._written).prepare(self._after)
        rows = copy.copy(self._written)
        band = np.empty((self._band, cols), np.uint8)
        while rows.row < height:
            part = band[: height - rows.row]
            place = slice(rows.row, rows.row + len(part))
            fill(rows, part, last=place.stop == height)
            result_of(pool.submit(array.__setitem__, place, part))
            self._written = copy.copy(rows)
            self._after(before + rows.row * cols)

    def _begun(self, pool: ThreadPoolExecutor) -> Any:
        """Return the array, new or with the rows of an interrupted save."""
        if self._state is not None:
            if self._state.exists():
                return self._interrupted(self._state)
            remove_folder(self._folder)  # of a save that was killed at its beginning
        shape = self._maze.rows, self._maze.cols
        chunks = self._band, min(shape[1], _BAND)
        making = pool.submit(
            self._zarr.create_array,
            str(self._folder),
            shape=shape,
            dtype="uint8",
            chunks=chunks,
            attributes={_HEADER: self._header},
            zarr_format=3,
        )
        array = result_of(making)
        self._keep()
        return array

    def _interrupted(self, state: Path) -> Any:
        name = repr(os.fspath(state))
        found = npz.read_archive(state)
        with invalid_as(f"{name} is damaged", *npz.BROKEN):
            header = json.loads(found.pop("header").item())
        if header != self._header:
            raise ValueError(
                f"{os.fspath(state.parent)!r} holds a part of another maze: remove it, or take another path"
            )
        with invalid_as(f"{os.fspath(state.parent)!r} is damaged: remove it", *DAMAGED):
            resume_from(self._written, found)
            return self._zarr.open_array(str(self._folder), mode="r+")

    def _after(self, done: int) -> None:
        """Tell how many cells are done, and keep the state now and then."""
        self._tell(done, self._maze.cells_before + self._maze.rows * self._maze.cols)
        if self._state is not None and time.monotonic() >= self._due:
            self._keep()

    def _keep(self) -> None:
        """Write what the stream goes on from."""
        if self._state is None:
            return
        began = time.monotonic()
        with atomic(self._state) as file:
            arrays: Any = arrays_of(self._written)
            np.savez(file, header=np.array(json.dumps(self._header)), **arrays)
        self._due = time.monotonic() + max(_OFTEN, _SHARE * (time.monotonic() - began))


def holds_maze(path: str | os.PathLike[str]) -> bool:
    """Return whether a folder is an array of zarr, of two axes: the passages of one maze."""
    found = node(Path(path))
    return found.get("node_type") == "array" and len(found.get("shape", ())) == 2


def read_maze(path: str | os.PathLike[str]) -> Maze:
    """Read the passages of a maze: those of a stream, of an array of Dask, or of another program."""
    zarr, name = zarr_library(), repr(os.fspath(path))
    return Maze(read_folder(path, lambda folder: _read_array(zarr, folder, name)))


def _read_array(zarr: Any, folder: Path, name: str) -> NDArray[Any]:
    with invalid_as(f"{name} is damaged", *DAMAGED):
        array = zarr.open_array(str(folder), mode="r")
        (rows, cols), kind = array.shape, np.dtype(array.dtype)
        at_once = max(1, array.chunks[0])
    if kind != np.uint8:
        raise ValueError(f"{name} holds {kind}: the passages of a maze are uint8")
    require(
        2 * rows * cols, name, "open it with zarr.open_array, and give it to meiro.solvers.solve_by_bands"
    )
    passages = np.empty((rows, cols), np.uint8)
    with invalid_as(f"{name} is damaged", *DAMAGED):
        for first in range(0, rows, at_once):
            passages[first : first + at_once] = array[first : first + at_once]
    return passages
