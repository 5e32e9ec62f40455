"""Read pictures as wall/road arrays, and as luminance; files are decoded by Pillow."""

from __future__ import annotations

import io
import os
import struct
from typing import IO, TYPE_CHECKING, Any, cast

import numpy as np

from meiro._utils import png
from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, printable, requires_extra
from meiro._utils.validation import checked_path, number, plain_array
from meiro.io.png_writer import OUTSIDE, PALETTE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from PIL import Image

    Picture = str | os.PathLike[str] | IO[bytes] | Image.Image | ArrayLike

MAX_PIXELS = 1 << 31  # of a file; more are refused, for a small file may claim to be a huge picture

_BAND = 1 << 20  # pixels converted at a time
_DAMAGED = OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError, OverflowError, struct.error


def from_image(picture: Picture, *, threshold: float | None = None) -> NDArray[np.uint8]:
    """Read a picture as a wall/road array: bright pixels are road.

    Parameters
    ----------
    picture : path, binary file, Pillow image, or array_like of shape (h, w) or (h, w, channels)
        Files need Pillow (``meiro[image]``). An array holds luminance, or 1 to 4 channels: grey, grey and
        alpha, RGB, RGBA. In a boolean array True is bright, as in Pillow's black and white pictures; floats
        go from 0 to 1.
    threshold : float, optional
        The least luminance of a road: 0 to 255 in files and images, the array's own numbers in an array.
        Default: half of the full range.

    Returns
    -------
    ndarray of uint8, shape (h, w)
        0 for a road, 1 for a wall.

    Raises
    ------
    ValueError
        If a file is damaged, is not a picture or has more than ``meiro.io.image.MAX_PIXELS`` pixels, or if an
        array does not say what full brightness is.
    ImportError
        If Pillow is needed but not installed.
    MemoryError
        If a picture is too large, before memory is allocated for it.

    See Also
    --------
    mask_from_image, brightness : other uses of a picture.
    read : any file format that holds a maze.

    Notes
    -----
    Colours become luminance by ITU-R BT.601, transparent pixels lie on white, 16 bits are cut to 8 in files.
    A picture that `meiro.save` wrote reads as the maze below the drawing; what is outside a mask, where it is
    transparent, reads as wall.

    Examples
    --------
    >>> meiro.from_image([[0, 255, 0], [0, 200, 255]])
    array([[1, 0, 1],
           [1, 0, 0]], dtype=uint8)
    """
    least = None if threshold is None else number(threshold, "threshold")
    values, full = read_luminance(picture, "say threshold= (of a road)" if threshold is None else None)
    out = np.empty(values.shape, np.uint8)
    for band in bands(*values.shape):
        np.less(values[band], full / 2 if least is None else least, out=out[band].view(np.bool_))
    return out


def read_luminance(picture: Picture, unsure: str | None) -> tuple[NDArray[Any], float]:
    """Read the luminance of pixels.

    Parameters
    ----------
    picture : path, binary file, Pillow image, or array_like of shape (h, w) or (h, w, channels)
    unsure : str or None
        The advice in the error for an array that does not say how bright white is; None accepts such arrays.

    Returns
    -------
    values : ndarray, shape (h, w)
        It may share memory with an array.
    full : float
        The luminance of white.
    """
    if isinstance(picture, str | os.PathLike):
        path = checked_path(picture, "picture")
        with path.open("rb") as file:
            return _from_file(file, printable(str(path))), 255.0
    if hasattr(picture, "convert") and hasattr(picture, "mode"):
        return _from_pillow(picture, "the picture"), 255.0
    if hasattr(picture, "read"):
        name = printable(str(getattr(picture, "name", "the file")))
        return _from_file(cast("IO[bytes]", picture), name), 255.0
    return _from_array(plain_array(picture, "picture"), unsure)


def _from_file(file: IO[bytes], name: str) -> NDArray[np.uint8]:
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
    start = file.tell()
    with requires_extra("image", "Pillow"):
        from PIL import Image, PngImagePlugin, UnidentifiedImageError
    try:
        # Image.open() would refuse more than 179 million pixels; the limits of _from_pillow are ours.
        picture = PngImagePlugin.PngImageFile(file) if head == png.SIGNATURE else Image.open(file)
    except TimeoutError:  # of a signal handler
        raise
    except UnidentifiedImageError as e:
        msg = f"{name} is not a picture of a known format"
        raise ValueError(msg) from e
    except (*_DAMAGED, Image.DecompressionBombError) as e:
        msg = f"{name} is damaged or too large for Pillow: {e}"
        raise ValueError(msg) from e
    values = _from_pillow(picture, name)
    if head == png.SIGNATURE:
        file.seek(start + len(head))
        if not png.checksums_agree(file):  # Pillow does not compare those of pixels
            msg = f"{name} is damaged: a checksum of it does not agree, or it is cut"
            raise ValueError(msg)
    return values


def _from_pillow(picture: Any, name: str) -> NDArray[np.uint8]:
    """Decode an image, which happens here if it was only opened, and convert it in bands of rows."""
    width, height = picture.size
    pixels = width * height
    if pixels > MAX_PIXELS:
        limit = f"meiro.io.image.MAX_PIXELS = {MAX_PIXELS:,}"
        msg = f"{name} has {width:,} x {height:,} pixels, more than {limit}: raise that if you trust the file"
        raise ValueError(msg)
    if picture.mode in {"I", "F"}:
        msg = f"{name} has mode {picture.mode!r}, of no known range: give an array and threshold="
        raise ValueError(msg)
    stored = 1 if picture.mode in {"1", "L", "P"} else 2 if picture.mode.startswith("I;16") else 4
    what = f"{name}: a picture of {width} x {height} pixels"
    require((stored + 1) * pixels + 8 * height, what, "cut it or scale it down")
    with invalid_as(f"{name} is damaged", *_DAMAGED):
        picture.load()
    drawn_by_meiro = picture.mode == "P" and bytes(picture.getpalette()[: len(PALETTE)]) == PALETTE
    convert = _is_road if drawn_by_meiro else _luminance
    values = np.empty((height, width), np.uint8)
    rows = max(1, _BAND // width)
    with invalid_as(f"{name} is damaged", ValueError):  # of more opacities than colours
        for first in range(0, height, rows):
            last = min(first + rows, height)
            values[first:last] = convert(picture.crop((0, first, width, last)))
    return values


def _is_road(picture: Any) -> NDArray[np.uint8]:
    """Return what lies below the drawing of a maze: walls, and what is outside its mask, are wall."""
    colors = np.asarray(picture)
    return np.where((colors == 0) | (colors == OUTSIDE), np.uint8(0), np.uint8(255))


def _luminance(picture: Any) -> NDArray[np.uint8]:
    if picture.mode.startswith("I;16"):
        values = np.asarray(picture).astype(np.uint16)
        values = np.where(values == picture.info.get("transparency"), np.uint16(0xFFFF), values)
        return (values >> 8).astype(np.uint8)
    if "transparency" in picture.info or picture.mode in {"LA", "La", "PA", "RGBA", "RGBa"}:
        colours = picture if picture.mode == "La" else picture.convert("RGBA")
        light, alpha = np.moveaxis(np.asarray(colours.convert("LA"), np.uint16), 2, 0)
        on_white: NDArray[np.uint8] = (255 - ((255 - light) * alpha + 127) // 255).astype(np.uint8)
        return on_white
    return np.asarray(picture.convert("L"))


def _from_array(array: NDArray[Any], unsure: str | None) -> tuple[NDArray[Any], float]:
    if array.dtype.kind not in "biuf":
        msg = f"a picture holds numbers, not {array.dtype}"
        raise TypeError(msg)
    if array.size == 0 or array.ndim not in {2, 3} or (array.ndim == 3 and not 1 <= array.shape[2] <= 4):
        msg = f"picture must have shape (h, w) or (h, w, 1 to 4 channels) and not be empty, not {array.shape}"
        raise ValueError(msg)
    full = 1 if array.dtype.kind in "bf" else np.iinfo(array.dtype).max
    if array.dtype.kind in "iu" and array.dtype.itemsize > 2:
        full = 255  # whole numbers that were never meant to fill 32 or 64 bits
    parts = [array[band] for band in bands(len(array), array[0].size)]
    most = np.max([part.max() for part in parts])
    if array.dtype.kind == "f" and np.isnan(most):
        msg = "picture holds NaN"
        raise ValueError(msg)
    least = np.min([part.min() for part in parts])
    other = least < 0 or most > full or (most == 1 and full > 1) or (0 < most <= 255 < full)
    if unsure is not None and other:
        value = f"least value is {least}" if least < 0 else f"greatest value is {most}"
        msg = f"picture: the {value}, and {array.dtype} is bright at {full}: {unsure}"
        raise ValueError(msg)
    if array.ndim == 2 or array.shape[2] == 1:
        return array.reshape(array.shape[:2]), float(full)
    values = np.empty(array.shape[:2], _luminance_of_channels(array[:1], full).dtype)
    for band in bands(*values.shape):
        values[band] = _luminance_of_channels(array[band], full)
    return values, float(full)


def _luminance_of_channels(array: NDArray[Any], full: float) -> NDArray[Any]:
    channels = array.shape[2]
    values = array[..., 0] if channels == 2 else array[..., :3] @ np.array([0.299, 0.587, 0.114])
    if channels in {2, 4}:
        alpha = array[..., -1] / full
        values = values * alpha + full * (1 - alpha)
    return values
