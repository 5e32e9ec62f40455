"""Pictures of mazes, read as walls and roads."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import numpy as np

from meiro._utils import memory, png
from meiro._utils.messages import missing_extra, short_repr
from meiro.io.png_reader import Reader
from meiro.io.png_rows import luminance, on_white
from meiro.io.png_writer import PALETTE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray
    from PIL import Image

    Picture = str | os.PathLike[str] | IO[bytes] | Image.Image | ArrayLike

_WHITE = 255.0  # in files and images


def from_image(
    picture: Picture,
    *,
    threshold: float | None = None,
) -> NDArray[np.uint8]:
    """Read a picture as a wall/road array: what is bright is road.

    Parameters
    ----------
    picture : path, binary file, Pillow image, or array_like of shape (h, w) or (h, w, channels)
        A PNG file is read by meiro itself, whatever its size; other formats need Pillow (``meiro[image]``).
        An array holds brightness, or 1 to 4 channels: grey, grey and alpha, RGB, RGBA. In a boolean array
        True is bright, as in Pillow's black and white pictures; floats go from 0 to 1.
    threshold : float, optional
        The least brightness of a road: 0 to 255 in files and images, the array's own numbers in an array.
        Default: half of the full range.

    Returns
    -------
    ndarray of uint8, shape (h, w)
        0 for a road, 1 for a wall.

    Raises
    ------
    ValueError
        If a file is damaged or no picture, or an array does not say what full brightness is.
    ImportError
        If the format needs Pillow and it is not there.
    MemoryError
        If a picture is too large, before memory is taken for it.

    Notes
    -----
    Colours become brightness by ITU-R BT.601, transparent pixels lie on white, 16 bits are cut to 8 in files.
    A solved picture that meiro drew reads as the maze below the drawing.

    Examples
    --------
    >>> meiro.from_image([[0, 255, 0], [0, 200, 255]])
    array([[1, 0, 1],
           [1, 0, 0]], dtype=uint8)
    """
    check_threshold(threshold)

    def dark(values: NDArray[Any], full: float) -> NDArray[np.uint8]:
        least = full / 2 if threshold is None else threshold
        return np.ascontiguousarray(values < least).view(np.uint8)

    return read_luminance(picture, dark, "say threshold= (of a road)" if threshold is None else None)[0]


def check_threshold(threshold: float | None) -> None:
    """Refuse what is neither None nor a finite number."""
    if threshold is not None and not -np.inf < float(threshold) < np.inf:
        msg = f"threshold must be a number, not {short_repr(threshold)}"
        raise ValueError(msg)


def read_luminance(
    picture: Picture, finish: Callable[[NDArray[Any], float], NDArray[Any]], unsure: str | None
) -> tuple[NDArray[Any], float]:
    """Read the brightness of pixels.

    Parameters
    ----------
    picture : path, binary file, Pillow image, or array_like of shape (h, w) or (h, w, channels)
    finish : callable
        ``finish(values, full)`` maps brightness to what is wanted, element by element.
    unsure : str or None
        What an array that does not say how bright white is is refused with; None if it need not say.

    Returns
    -------
    values : ndarray, shape (h, w)
        What `finish` made. It may share memory with an array.
    full : float
        The brightness of white.
    """
    if isinstance(picture, str | os.PathLike):
        path = Path(picture)
        with path.open("rb") as file:
            return _from_file(file, str(path), finish), _WHITE
    if hasattr(picture, "convert") and hasattr(picture, "mode"):
        return finish(_pillow_brightness(picture), _WHITE), _WHITE
    if hasattr(picture, "read"):
        name = str(getattr(picture, "name", "the file"))
        return _from_file(cast("IO[bytes]", picture), name, finish), _WHITE
    values, full = _from_array(np.asarray(picture), unsure)
    return finish(values, full), full


def _from_file(
    file: IO[bytes], name: str, finish: Callable[[NDArray[Any], float], NDArray[Any]]
) -> NDArray[Any]:
    head = file.read(len(png.SIGNATURE))
    if not isinstance(head, bytes):
        msg = f"{name} is open as text; open it with 'rb'"
        raise TypeError(msg)
    if not head:
        msg = f"{name} is empty"
        raise ValueError(msg)
    if file.seekable():
        file.seek(-len(head), os.SEEK_CUR)
    else:
        file = io.BytesIO(head + file.read())
    if head != png.SIGNATURE:
        return finish(_with_pillow(file, name), _WHITE)
    reader = Reader(file, name)
    if reader.palette == PALETTE and reader.levels is not None:
        reader.levels = np.where(np.arange(len(reader.levels)) == 0, np.uint8(0), np.uint8(255))
    out = np.empty((reader.height, reader.width), np.uint8)
    for block in reader.blocks(lambda values: finish(values, _WHITE)):
        out[block.rows, block.cols] = block.values
    return out


def _with_pillow(file: IO[bytes], name: str) -> NDArray[np.uint8]:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as e:
        raise missing_extra("image", "Pillow") from e  # noqa: EM101
    try:
        with Image.open(file) as picture:
            memory.require(
                8 * picture.width * picture.height,
                f"{name}: a picture of {picture.width} x {picture.height} pixels",
                "save it as PNG, which is read in parts",
            )
            return _pillow_brightness(picture)
    except UnidentifiedImageError as e:
        msg = f"{name} is no picture of a known format"
        raise ValueError(msg) from e
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombError) as e:
        msg = f"{name} is damaged or too large for Pillow: {e}"
        raise ValueError(msg) from e


def _pillow_brightness(picture: Any) -> NDArray[np.uint8]:
    if picture.mode in {"I", "F"}:
        msg = f"the picture has mode {picture.mode!r}, of no known range: give an array and threshold="
        raise ValueError(msg)
    if picture.mode.startswith("I;16"):
        return (np.asarray(picture).astype(np.uint16) >> 8).astype(np.uint8)
    if "transparency" in picture.info or picture.mode in {"LA", "La", "PA", "RGBA", "RGBa"}:
        pixels = np.asarray(picture.convert("RGBA"))
        return on_white(luminance(pixels), pixels[..., 3])
    return np.asarray(picture.convert("L"))


def _from_array(array: NDArray[Any], unsure: str | None) -> tuple[NDArray[Any], float]:
    if array.dtype.kind not in "biuf":
        msg = f"a picture holds numbers, not {array.dtype}"
        raise TypeError(msg)
    if array.size == 0 or array.ndim not in {2, 3} or (array.ndim == 3 and not 1 <= array.shape[2] <= 4):
        msg = f"a picture has shape (h, w) or (h, w, 1 to 4 channels) and is not empty, not {array.shape}"
        raise ValueError(msg)
    full = 1 if array.dtype.kind in "bf" else np.iinfo(array.dtype).max
    if array.dtype.kind in "iu" and array.dtype.itemsize > 2:
        full = 255  # whole numbers that were never meant to fill 32 or 64 bits
    most = array.max()
    if array.dtype.kind == "f" and np.isnan(most):
        msg = "the picture holds NaN"
        raise ValueError(msg)
    least = array.min()
    other = least < 0 or most > full or (most == 1 and full > 1) or (0 < most <= 255 < full)
    if unsure is not None and other:
        value = f"least value is {least}" if least < 0 else f"greatest value is {most}"
        msg = f"the {value}, and {array.dtype} is bright at {full}: {unsure}"
        raise ValueError(msg)
    if array.ndim == 3:
        array = _channels(array, float(full))
    return array, float(full)


def _channels(array: NDArray[Any], full: float) -> NDArray[Any]:
    channels = array.shape[2]
    if channels == 1:
        return array[..., 0]
    values = array[..., 0] if channels == 2 else array[..., :3] @ np.array([0.299, 0.587, 0.114])
    if channels in {2, 4}:
        alpha = array[..., -1] / full
        values = values * alpha + full * (1 - alpha)
    return values
