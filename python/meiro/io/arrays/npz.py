"""Files of NumPy: a maze as named arrays, archives of these, and the grid alone. Pickles are never read."""

from __future__ import annotations

import json
import math
import os
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only, walls
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as
from meiro._utils.square import FLAT
from meiro._utils.validation import pair
from meiro.io.arrays.site_bands import site_bands
from meiro.mazes._recipe import has_steps, kept_recipe, require_steps
from meiro.mazes.maze import Maze
from meiro.seeds import STREAM

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from meiro.generators.row_stream import StreamedMaze

_PIECE = 1 << 19  # bytes compressed at a time, so that Ctrl-C does not wait for all
_INFLATE_MOST = 1032  # the greatest ratio of compression that deflate can reach
FORMAT = 1
"""Of headers, which lattices and batches have."""
VERSIONS: dict[str, Any] = {"format": FORMAT, "meiro": _core.__version__, "stream": STREAM}
"""With what headers of batches, samples and streams begin."""
BROKEN = ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError
_BROKEN_HEADS = (
    *(ValueError, KeyError, IndexError, EOFError, UnicodeError, SyntaxError, TypeError, RecursionError),
    tokenize.TokenError,  # of a head that is not Python
)
_BROKEN_ARCHIVES = zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError
_END = 22  # bytes of the record at the end of an archive, before its comment
_ENCRYPTED = 1  # zipfile would raise RuntimeError, as CPython does without memory for a lock
_PLAIN_HEAD = 512  # bytes; a longer head can nest so deep that Python's parser says MemoryError
_BRACKETS = 100  # so can one with as many brackets


def arrays_of(maze: Maze) -> dict[str, NDArray[Any]]:
    """Return passages, mask, openings, wrap, start, goal, seed, recipe and versions, each as an array.

    ``seed`` holds the two words of the key and the replicate, ``entropy`` the JSON of what the key was made
    of, ``recipe`` the JSON of `encode_recipe`.
    """
    arrays: dict[str, NDArray[Any]] = {
        "passages": maze.passages,
        "openings": maze.openings,
        "meiro": np.array(_core.__version__),
        "stream": np.array(STREAM),
    }
    if maze.mask is not None:
        arrays["mask"] = maze.mask
    for name, cell in (("start", maze.start), ("goal", maze.goal)):
        if cell is not None:
            arrays[name] = np.array(cell, np.int64)
    if any(maze.wrap):
        arrays["wrap"] = np.array(maze.wrap)
    if maze.seed is not None:
        arrays["seed"] = np.array([*maze.seed.key, maze.seed.replicate], np.uint64)
        if maze.seed.entropy is not None:
            arrays["entropy"] = np.array(json.dumps(maze.seed.entropy))
    if (recipe := kept_recipe(maze)) is not None:
        arrays["recipe"] = np.array(json.dumps(encode_recipe(recipe, arrays)))
    return arrays


def write_arrays(
    file: IO[bytes], arrays: Mapping[str, NDArray[Any]], texts: Mapping[str, str] | None = None
) -> None:
    """Write arrays as `numpy.savez_compressed` does, and files of text before them."""
    # Measured on 64 M cells: level 1 0.7 s, 31 MB; level 4 1.2 s, 29 MB; level 6 6 s, 28 MB.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as archive:
        for name, text in (texts or {}).items():
            with _new_member(archive, name) as member:
                member.write(text.encode())
        for name, array in arrays.items():
            with _new_member(archive, f"{name}.npy") as member:
                _write_array(member, array)


def _new_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    try:
        return archive.open(name, "w", force_zip64=True)
    except BaseException:  # there is no memory for its compressor
        archive.fp = None  # it would be closed, and refuse that: a member was begun
        raise


def _write_array(file: IO[bytes], array: NDArray[Any]) -> None:
    """Write an array as numpy.save does, in pieces."""
    array = np.asarray(array, order="C")
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
    data = array.reshape(-1).view(np.uint8)
    for first in range(0, len(data), _PIECE):
        file.write(data[first : first + _PIECE].data)


def maze_of(arrays: Mapping[str, NDArray[Any]]) -> Maze:
    """Return the maze of what `arrays_of` returned; an error of `BROKEN` if they hold no maze."""
    start, goal, wrap = (
        tuple(arrays[name].tolist()) if name in arrays else None for name in ("start", "goal", "wrap")
    )
    openings = arrays.get("openings", np.empty((0, 2), np.int64))
    words = None
    if "seed" in arrays:
        first, second, number = arrays["seed"].tolist()
        entropy = json.loads(arrays["entropy"].item()) if "entropy" in arrays else None
        words = (first, second), number, entropy
    recipe = decode_recipe(json.loads(arrays["recipe"].item()), arrays) if "recipe" in arrays else None
    own = arrays["passages"], arrays.get("mask"), openings, words, recipe
    maze = object.__new__(Maze)
    maze.__setstate__((*own, start, goal, wrap or FLAT, arrays.get("stream")))
    return maze


def write_npy(file: IO[bytes], x: Maze | StreamedMaze | NDArray[np.uint8]) -> None:
    """Write the grid of a maze, or an array, as `numpy.save` does."""
    height, width, source = site_bands(x)
    head = {"descr": "|u1", "fortran_order": False, "shape": (height, width)}
    np.lib.format.write_array_header_1_0(file, head)
    for _, band in source:
        file.write(np.ascontiguousarray(band).data)


def read_npy(path: str | os.PathLike[str], *, road: object = None) -> NDArray[np.uint8]:
    """Read an array as walls and roads; its file must be as long as its head says."""
    name = repr(os.fspath(path))
    with Path(path).open("rb") as file:
        return walls(_read_array(file, Path(path).stat().st_size, name), road=road, name=name)


def read_archive(path: str | os.PathLike[str], texts: Collection[str] = ()) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive, each as long as its head says, and the bytes of its texts."""
    name = repr(os.fspath(path))
    with Path(path).open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                size = file.seek(0, os.SEEK_END)
                file.seek(size - len(archive.comment) - _END)
                _check_number(members, file.read(_END), name)
                _check_sizes(members, size, name)
                return {
                    info.filename.removesuffix(".npy"): _member(archive, info, name, info.filename in texts)
                    for info in members
                }
        except (*_BROKEN_ARCHIVES, OSError, ValueError) as e:
            if str(e).startswith(name) or isinstance(e, TimeoutError):  # of a signal handler
                raise
            raise ValueError(f"{name} is damaged or not an .npz file: {e}") from e


def _check_number(members: list[zipfile.ZipInfo], end: bytes, name: str) -> None:
    """Refuse an archive whose directory has another number of members than was found in it.

    zipfile counts the bytes of the directory alone: a damaged length there hides the members that follow.
    """
    said = int.from_bytes(end[10:12], "little")  # 65535: there are more, and a longer record says how many
    if said not in {len(members), 0xFFFF}:
        raise ValueError(
            f"{name} is damaged: its directory should have {said:,} arrays, and has {len(members):,}"
        )


def _check_sizes(members: list[zipfile.ZipInfo], size: int, name: str) -> None:
    """Refuse an archive of `size` bytes that claims more than it can hold: its members may overlap."""
    claimed = sum(info.file_size for info in members)
    if claimed > _INFLATE_MOST * size + 1024 * len(members):
        raise ValueError(f"{name} says that its arrays have {claimed:,} bytes, which {size:,} cannot hold")
    require(2 * claimed, name, "read its arrays one by one with numpy.load")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, is_text: bool) -> NDArray[Any]:  # noqa: FBT001
    what = f"{name}, {info.filename}"
    known = info.compress_type in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
    if not known or not (is_text or info.filename.endswith(".npy")):
        raise ValueError(f"{what} is not an array")
    if info.flag_bits & _ENCRYPTED:
        raise ValueError(f"{what} is encrypted")
    with archive.open(info) as member:
        if is_text:
            return np.frombuffer(member.read(), np.uint8)
        array = _read_array(member, info.file_size, what)
        member.read(1)  # reading to the end compares the checksum
        return array


def _read_array(file: IO[bytes], size: int, what: str) -> NDArray[Any]:
    """Read a .npy file as `numpy.load` does, after its head was found to agree with its size and memory."""
    with invalid_as(f"{what} is damaged or not a .npy array", *_BROKEN_HEADS):
        shape, columns_first, dtype = _read_head(file)
        needed = math.prod(shape) * dtype.itemsize
        left = size - file.tell()
        if dtype.hasobject:
            raise ValueError("it holds Python objects, which are not read")
        if min(shape, default=0) < 0 or bool in map(type, shape) or dtype.itemsize == 0 or needed != left:
            raise ValueError(f"an array of {shape} {dtype} has {needed:,} bytes, not {left:,}")
    require(2 * needed, what, "read it with numpy.load(mmap_mode=) and give parts")
    data = np.empty(needed, np.uint8)
    for first in range(0, needed, _PIECE):
        piece = data[first : first + _PIECE]
        if file.readinto(piece) != len(piece):  # type: ignore[attr-defined]  # any binary file has it
            raise ValueError(f"{what} is damaged: it ends early")
    return data.view(dtype).reshape(shape, order="F" if columns_first else "C")


def _read_head(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read the head of a .npy file: the shape, whether columns come first, and the type of the items."""
    form = np.lib.format
    heads = {(1, 0): form.read_array_header_1_0, (2, 0): form.read_array_header_2_0}
    try:
        return heads[form.read_magic(file)](file)
    except (MemoryError, SystemError) as e:  # SystemError: CPython 3.11 counts brackets wrongly then
        if not _is_nested(file):  # there is no memory: the file may be sound
            raise
        raise ValueError("its head is nested too deeply") from e


def _is_nested(file: IO[bytes]) -> bool:
    try:
        file.seek(0)
        text = file.read(_PLAIN_HEAD)
    except (*_BROKEN_ARCHIVES, OSError, ValueError):  # a member that was not read to its end, without memory
        return False
    head, end, _ = text[12:].partition(b"\n")
    return (not end and len(text) == _PLAIN_HEAD) or sum(map(head.count, (b"(", b"[", b"{"))) >= _BRACKETS


def require_format(header: Any) -> None:
    """Raise an error unless this meiro reads what the header is of."""
    if header["format"] != FORMAT:
        raise ValueError(
            f"its format is {header['format']}, of meiro {header['meiro']}; this meiro reads {FORMAT}"
        )


def checked(
    arrays: Mapping[str, NDArray[Any]], name: str, dtype: type, shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """Return an array of a file, or raise an error that says what is wrong with it."""
    array = arrays[name]
    wanted = tuple(side if want is None else want for side, want in zip(array.shape, shape, strict=False))
    if array.dtype != dtype or array.ndim != len(shape) or array.shape != wanted:
        raise ValueError(f"{name} must be {np.dtype(dtype)} {shape}, not {array.dtype} {array.shape}")
    return read_only(np.ascontiguousarray(array))


def checked_if_there(
    arrays: Mapping[str, NDArray[Any]], name: str, dtype: type, shape: tuple[int | None, ...]
) -> NDArray[Any] | None:
    """Return an array that need not be there, or raise an error that says what is wrong with it."""
    return checked(arrays, name, dtype, shape) if name in arrays else None


def encode_recipe(recipe: Mapping[str, Any], arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Return a recipe as JSON can hold it; its arrays are added to `arrays`.

    ``{"array": name}`` stands for an array, ``{"tuple": [...]}`` for a tuple.
    """
    return {name: _encode(value, f"recipe_{name}", arrays) for name, value in recipe.items()}


def decode_recipe(
    encoded: Any, arrays: Mapping[str, NDArray[Any]], *, on_lattice: bool = False
) -> dict[str, Any] | None:
    """Return the recipe that `encode_recipe` encoded, None of None; an error if it is no recipe."""
    if encoded is None:
        return None
    recipe = decode_plain(encoded, arrays)
    if not (isinstance(recipe, dict) and isinstance(recipe.get("algorithm"), str)):
        raise TypeError("its recipe names no algorithm")
    if not on_lattice:  # which is stored beside it
        pair(recipe.get("shape"), "the shape of its recipe")
    if has_steps(recipe):
        require_steps(recipe)
        return recipe
    return {name: value for name, value in recipe.items() if name not in {"n", "rng", "openings"}}


def _encode(value: object, name: str, arrays: dict[str, NDArray[Any]]) -> object:
    if isinstance(value, np.ndarray):
        arrays[name] = value
        return {"array": name}
    if isinstance(value, list | tuple):
        items = [_encode(item, f"{name}_{i}", arrays) for i, item in enumerate(value)]
        return items if isinstance(value, list) else {"tuple": items}
    return value.item() if isinstance(value, np.generic) else value


def decode_plain(value: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Return what `encode_recipe` encoded, whatever it names."""
    if isinstance(value, list):
        return [decode_plain(item, arrays) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"array"}:
        return read_only(arrays[value["array"]])
    if set(value) == {"tuple"}:
        return tuple(decode_plain(item, arrays) for item in value["tuple"])
    return {key: decode_plain(item, arrays) for key, item in value.items()}
