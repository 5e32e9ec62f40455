"""Read pictures as wall/road arrays, and as luminance; files are decoded by Pillow."""

from __future__ import annotations

import io
import os
import struct
import warnings
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from meiro._utils import png
from meiro._utils.arrays import is_pillow_image
from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, printable, requires_extra
from meiro._utils.paper import checked_color
from meiro._utils.square import checked_cell
from meiro._utils.validation import boolean, checked_path, integer, number, one_of, plain_array
from meiro.io.pictures.blocks import shrunk
from meiro.io.pictures.cells import sites_of
from meiro.io.pictures.color_marks import ColorMarks, without_colors
from meiro.io.pictures.local_threshold import is_wall, local_threshold
from meiro.io.pictures.otsu import SEPARATION, otsu_threshold
from meiro.io.pictures.photograph import Photograph, photographed
from meiro.io.pictures.speckles import remove_speckles
from meiro.io.png import OUTSIDE, PALETTE
from meiro.mazes.maze import Maze
from meiro.results.picture_array import PictureArray, picture_array

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, NDArray
    from PIL import Image

    from meiro._utils.square import Cell, CellLike
    from meiro.io.pictures.cells import Cells
    from meiro.io.pictures.light import Light
    from meiro.io.pictures.local_threshold import LocalThreshold

    Picture = str | os.PathLike[str] | IO[bytes] | Image.Image | ArrayLike

MAX_PIXELS = 1 << 31  # of a file; more are refused, for a small file may claim to be a huge picture

_GREY = {"1", "L", "LA", "La"}
_COLORFUL = 48  # of 255: the least difference between the channels of a colour
_NOT_BLACK = 90  # of 255: the least value of its largest channel
_ORIENTATION = 0x0112  # of EXIF
_DAMAGED = OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError, OverflowError, struct.error


def from_image(
    picture: Picture,
    *,
    threshold: float | str | None = None,
    start: str | tuple[float, float, float] | CellLike | None = None,
    goal: str | tuple[float, float, float] | CellLike | None = None,
    speckles: int = 0,
    deskew: bool = False,
) -> PictureArray:
    """Read a picture as a wall/road array: bright pixels are road.

    Parameters
    ----------
    picture : path, binary file, Pillow image, or array_like of shape (h, w) or (h, w, channels)
        Files need Pillow (``meiro[image]``). An array holds luminance, or 1 to 4 channels: grey, grey and
        alpha, RGB, RGBA. In a boolean array True is bright, as in Pillow's black and white pictures; floats
        go from 0 to 1.
    threshold : float or "local", optional
        The least luminance of a road: 0 to 255 in files and images, the array's own numbers in an array.
        Default: Otsu's threshold, which parts dark from bright pixels best; a warning says where they are
        not apart. "local" follows the light, for photographs: Otsu's threshold of each of about 16 x 16
        squares, interpolated between them. With `deskew` it always follows the light, unless it is a number.
    start, goal : str, (float, float, float) or (int, int), optional
        Where `solve` begins and ends: a colour as "red", "#00ff00" or (1, 0, 0), or row and column of a
        pixel. A colour is that of one mark in the picture, which becomes road. If no pixel has it exactly,
        the hue decides (30 degrees on both sides), as in a photograph; specks of less than a fourth of the
        mark's pixels do not count.
    speckles : int
        The most pixels of a component of walls, or of roads, that is noise and is removed.
    deskew : bool
        Whether the maze is looked for in a photograph, and seen from the front: on a table or a page, from
        any side, with walls darker or brighter than what is between. The array is cut to its frame. If the
        maze has square cells, gaps in their walls are closed, and what lies in passages is taken out; else a
        warning says so. What is around a round maze becomes wall, and its two openings start and goal.

    Returns
    -------
    PictureArray of uint8, shape (h, w)
        0 for a road, 1 for a wall. Its ``start`` and ``goal`` are where `solve` begins and ends;
        ``decisions`` tells what was decided.

    Raises
    ------
    ValueError
        If a file is damaged, is not a picture or has more than ``meiro.io.image.MAX_PIXELS`` pixels, or if an
        array does not say what full brightness is; if a colour is not in the picture, or in several places;
        if a pixel is outside the picture or wall; if there is no frame.
    ImportError
        If Pillow is needed but not installed.
    MemoryError
        If a picture is too large, before memory is allocated for it.

    See Also
    --------
    meiro.io.PictureArray : what is returned.
    Solution.save : paints a path over the picture.
    mask_from_image, brightness : other uses of a picture.
    read : any file format that holds a maze.

    Notes
    -----
    A picture is taken as viewers show it: turned as its EXIF data say. Colours become luminance by ITU-R
    BT.601, transparent pixels lie on white. Where most of what is dark is black or grey, colours are marks or
    a painted path and no wall. Files of 16 bits a pixel that use fewer, as cameras write, are white at the
    largest number of these. A picture that `meiro.save` wrote reads as the maze below the drawing; what is
    outside a mask, where it is transparent, reads as wall.

    N. Otsu, IEEE Trans. Syst. Man Cybern. 9 (1979) 62. doi:10.1109/TSMC.1979.4310076

    The steps are taken in the order frame, threshold, cells, marks, speckles. Walls are adjacent in eight
    directions where speckles are counted, roads in four. A photograph from the side is set right by the
    projective transform of the four corners of the frame; which way is up remains open by 90 degrees.

    Examples
    --------
    >>> x = meiro.from_image([[0, 255, 0], [0, 200, 255]])
    >>> x.tolist()
    [[1, 0, 1], [1, 0, 0]]

    A photograph, with a red and a green mark:

    >>> import numpy as np
    >>> photo = np.full((9, 20, 3), 255, np.uint8)
    >>> photo[[0, -1]] = photo[:, [0, -1]] = 0
    >>> photo[3:5, 2:4], photo[5:8, 15:18] = (200, 30, 40), (40, 160, 60)
    >>> x = meiro.from_image(photo, start="red", goal="#00ff00")
    >>> meiro.solve(x, centre=True)
    <Solution of 17 steps in sites, dijkstra from (3, 2) to (6, 16), 83 explored>
    """
    return _understood(picture, threshold, start, goal, speckles, deskew=deskew)[0]


def _understood(
    picture: Picture,
    threshold: float | str | None,
    start: str | tuple[float, float, float] | CellLike | None,
    goal: str | tuple[float, float, float] | CellLike | None,
    speckles: int,
    *,
    deskew: bool,
) -> tuple[PictureArray, Cells | None]:
    """Return walls and roads, and the cells if they were looked for and found."""
    local = isinstance(threshold, str) and one_of(threshold, "threshold", ("local",)) == "local"
    least = None if threshold is None or local else number(threshold, "threshold")
    most = integer(speckles, "speckles", 0, 1 << 62)
    turns = boolean(deskew, "deskew")
    ends: dict[str, str | CellLike] = {
        name: checked_color(end, name) if isinstance(end, list | tuple) and len(end) == 3 else end
        for name, end in (("start", start), ("goal", goal))
        if end is not None
    }
    colors = {name: checked_color(end, name) for name, end in ends.items() if isinstance(end, str)}
    unsure = "say threshold= (of a road)" if threshold is None or local else None
    source = _source(picture, unsure, 2 + len(colors))
    full, unit, shape = source.full, source.unit, source.shape
    values, colorful, marks = _read_pixels(source, colors)
    del source
    given = None if least is None else least * full / unit
    photograph: Photograph | None = None
    limit: Light | LocalThreshold | float
    if turns:
        photograph = photographed(values, full, given, colorful, marked=bool(ends))
        out, limit, colored = photograph.walls, photograph.threshold, photograph.colored
        for mark in marks.values():
            mark.found, mark.where = photograph.view(mark.found), "in the frame"
    else:
        if local:
            limit = local_threshold(values, full)
        else:
            limit = _clear_threshold(values, full) if given is None else given
        out = np.empty(values.shape, np.uint8)
        is_wall(values, limit, out.view(np.bool_))
        colored = 0 if colorful is None else without_colors(out, colorful)
    del values, colorful
    decisions: dict[str, Any] = {
        "threshold": limit * unit / full
        if isinstance(limit, float)
        else tuple(round(end, 1) for end in limit.ends(unit / full))
    }
    if colored:
        decisions["colors"] = colored
    read = picture_array(out, _source_of(picture), decisions)
    if photograph is not None:
        read.perspective = photograph.frame.perspective
    _set_ends(read, ends, marks, None if photograph is None else shape)
    if most:
        decisions["speckles"] = remove_speckles(out, most)
    if photograph is None:
        return read, None
    _tell(read, photograph)
    return read, photograph.cells


def _set_ends(
    read: PictureArray,
    ends: Mapping[str, str | CellLike],
    marks: dict[str, ColorMarks],
    size: tuple[int, int] | None,
) -> None:
    """Set start and goal: colours of marks, or pixels of a picture, whose size is given if it was cut."""
    for name, end in ends.items():
        if isinstance(end, str):
            site, pixels, exactly = marks.pop(name).mark(end)
            read[tuple(pixels.T)] = 0
            pixel = _pixel(read, site)
            more = {"pixels": len(pixels), "found": "exactly" if exactly else "by hue"}
        else:
            site = pixel = checked_cell(end, size or read.shape, name, "pixel")
            more = {}
            if size:
                site = _in_frame(read, pixel, name)
        read.decisions[name] = {"pixel": pixel, **more}
        setattr(read, name, site)
    for name in ends:
        if read[getattr(read, name)]:
            pixel = read.decisions[name]["pixel"]
            raise ValueError(
                f"{name}: pixel {pixel} is wall, darker than its threshold: give another, or threshold="
            )


def _tell(read: PictureArray, photograph: Photograph) -> None:
    """Write down what was found in a photograph; warn where that is not sure."""
    frame, cells, openings = photograph.frame, photograph.cells, photograph.openings
    read.decisions |= {
        "walls": "bright" if frame.bright else "dark",
        "angle": round(photograph.angle, 2) + 0.0,
        "frame": tuple((round(row, 1) + 0.0, round(col, 1) + 0.0) for row, col in frame.corners.tolist()),
    }
    if cells is not None:
        read.decisions["cells"] = cells.shape
    if (doubt := _doubt(photograph, f"in the frame at {read.decisions['frame']} (row, col)")) is not None:
        warnings.warn(f"deskew: {doubt}", UserWarning, stacklevel=4)
    if len(openings) == 2 and read.start is None and read.goal is None:
        read.start, read.goal = openings


def _doubt(photograph: Photograph, where: str) -> str | None:
    """Return why what was found in a photograph may be wrong, and what to do; None if that is not likely."""
    cells, quality = photograph.cells, photograph.quality
    if cells is not None and cells.openings > 2:
        return (
            f"the frame has {cells.openings} openings, more than two: if the maze has not, lay "
            "the paper flat, or cut the picture to the maze"
        )
    if cells is None and photograph.openings:
        what, sure = "an outline without four sides may be a part of the maze", quality > 2
    elif cells is None:
        what, sure = "no rows and columns of square cells are clear", quality > 1
    else:
        found = "the {} x {} cells".format(*cells.shape)
        if photograph.frame.bright and not cells.connected:  # what is between dark walls may seem to be some
            what, sure = f"{found} with bright walls are not all connected", False
        elif cells.unclear and not cells.is_tree:
            what, sure = f"{cells.unclear} walls between {found} are not clear", False
        else:
            what, sure = f"{found} are few", quality > 1
    look = "see by meiro.plot(x) whether that is the maze, or cut the picture to it"
    return None if sure else f"{where} {what}; {look}"


def _pixel(x: PictureArray, site: Cell) -> Cell:
    """Return the pixel of the picture at a site of the array."""
    row, col = np.rint(x.perspective.in_picture(np.array([site]))[0]).astype(int).tolist()
    return row, col


def _clear_threshold(values: NDArray[Any], full: float) -> float:
    """Return Otsu's threshold; a warning where dark and bright are not apart."""
    limit, separation = otsu_threshold(values, full)
    if separation < SEPARATION:
        msg = (
            'the picture is not parted into dark walls and bright roads: try threshold="local", or say '
            "threshold= (of a road)"
        )
        warnings.warn(msg, UserWarning, stacklevel=4)
    return limit


def maze_from_image(picture: Picture, threshold: float | str | None, *, deskew: bool) -> Maze:
    """Return the maze of a picture: of a photograph, or of a drawing as `drawn_sites` understands it."""
    found, cells = _understood(picture, threshold, None, None, 0, deskew=deskew)
    if cells is not None:
        return Maze.from_grid(cells.grid)
    if deskew:
        raise ValueError(
            "the picture shows no maze whose rows and columns of square cells are clear: see meiro.from_image"
        )
    try:
        return Maze.from_grid(drawn_sites(np.asarray(found)))
    except ValueError as error:
        raise ValueError(
            f"{error}; with deskew=True corridors may be uneven, walls bright, and all of it askew on a page"
        ) from None


def drawn_sites(walls: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the sites of a drawing of square blocks, or of walls and corridors of other widths."""
    grid = shrunk(walls)
    return grid if grid[::2, ::2].all() else sites_of(grid)


def _source_of(picture: Picture) -> Any:
    if isinstance(picture, str | os.PathLike):
        return str(Path(picture).absolute())
    return None if hasattr(picture, "read") else picture


def _in_frame(x: PictureArray, pixel: Cell, name: str) -> Cell:
    """Return the site of a pixel in a picture that was cut to its frame."""
    site = np.rint(x.perspective.in_array(np.array([pixel]))[0]).astype(int)
    if (site < 0).any() or (site >= x.shape).any():
        raise ValueError(
            f"{name}: pixel {pixel} is outside of the frame: leave out {name}=, or give deskew=False"
        )
    row, col = site.tolist()
    return row, col


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
    source = _source(picture, unsure, 1)
    return _read_pixels(source, None)[0], source.full


def _read_pixels(
    source: _Source, colors: Mapping[str, str] | None
) -> tuple[NDArray[Any], NDArray[np.bool_] | None, dict[str, ColorMarks]]:
    """Read the luminance of pixels; and find those of the named colours, unless that is None.

    Returns
    -------
    values : ndarray, shape (h, w)
        It may share memory with an array.
    colorful : ndarray of bool, shape (h, w), or None
        Which pixels are neither grey nor nearly black; None if none may be, or nobody asks.
    marks : dict of str to ColorMarks
    """
    marks = {key: ColorMarks(key, color, source.shape) for key, color in (colors or {}).items()}
    colorful = None if source.grey or colors is None else np.empty(source.shape, np.bool_)
    values = source.values
    if values is None:
        values = np.empty(source.shape, source.luminance(source.rows(slice(1))).dtype)
    for band in bands(*source.shape):
        part = source.rows(band)
        if source.values is None:
            values[band] = source.luminance(part)
        if colorful is None and not marks:
            continue
        rgb = source.rgb(part)
        if colorful is not None:
            most, least = rgb.max(axis=2), rgb.min(axis=2)
            colorful[band] = (most - least >= _COLORFUL) & (most >= _NOT_BLACK)
        for mark in marks.values():
            mark.see(band.start, rgb)
    if values.min() == source.full and source.has_opacities():
        raise ValueError(
            "the picture is white where it is not transparent, as in dark mode, and what is transparent lies "
            "on white: export it in light mode, or give its alpha channel, 255 - it where lines are walls"
        )
    return values, colorful, marks


def rgb_image(picture: Picture) -> Image.Image:
    """Return a picture as a new Pillow image in RGB, transparent pixels on white."""
    with requires_extra("image", "Pillow"):
        from PIL import Image
    source = _source(picture, None, 4)
    image = Image.new("RGB", source.shape[::-1])
    for band in bands(*source.shape):
        image.paste(Image.fromarray(np.ascontiguousarray(source.rgb(source.rows(band)))), (0, band.start))
    return image


class _Source(NamedTuple):
    """A picture, of which bands of rows are read.

    Attributes
    ----------
    shape : (int, int)
    full, unit : float
        The luminance of white, and that of white in the numbers of users.
    rows : callable
        Returns a band of rows.
    luminance, rgb : callable
        Return those of such a band.
    grey : bool
        Whether no pixel may have a colour.
    has_opacities : callable
        Returns whether some pixels are more transparent than others.
    values : ndarray, shape (h, w), or None
        The luminance of all pixels, where it need not be computed.
    """

    shape: tuple[int, int]
    full: float
    unit: float
    rows: Callable[[slice], Any]
    luminance: Callable[[Any], NDArray[Any]]
    rgb: Callable[[Any], NDArray[np.uint8]]
    grey: bool
    has_opacities: Callable[[], bool]
    values: NDArray[Any] | None = None


def _source(picture: Picture, unsure: str | None, more: int) -> _Source:
    """Open a picture, for which `more` bytes a pixel are needed beside it."""
    name = "the picture"
    if isinstance(picture, str | os.PathLike):
        path = checked_path(picture, "picture")
        name = printable(str(path))
        with path.open("rb") as file:
            return _source_of_image(_of_file(file, name, more), name)
    if is_pillow_image(picture):
        return _source_of_image(_loaded(picture, name, more), name)
    if hasattr(picture, "read"):
        name = printable(str(getattr(picture, "name", "the file")))
        return _source_of_image(_of_file(cast("IO[bytes]", picture), name, more), name)
    return _source_of_array(plain_array(picture, "picture"), unsure)


def _of_file(file: IO[bytes], name: str, more: int) -> Any:
    """Return the image of a file, as `_loaded` does; the checksums of a PNG are compared after decoding."""
    head = file.read(len(png.SIGNATURE))
    if not isinstance(head, bytes):
        raise TypeError(f"{name} is open as text; open it with 'rb'")
    if not head:
        raise ValueError(f"{name} is empty")
    if file.seekable():
        file.seek(-len(head), os.SEEK_CUR)
    else:
        file = io.BytesIO(head + file.read())
    start = file.tell()
    with requires_extra("image", "Pillow"):
        from PIL import Image, PngImagePlugin, UnidentifiedImageError
    try:
        # Image.open() would refuse more than 179 million pixels; the limits of _loaded are ours.
        picture = PngImagePlugin.PngImageFile(file) if head == png.SIGNATURE else Image.open(file)
    except TimeoutError:  # of a signal handler
        raise
    except UnidentifiedImageError as e:
        raise ValueError(f"{name} is not a picture of a known format") from e
    except (*_DAMAGED, Image.DecompressionBombError) as e:
        raise ValueError(f"{name} is damaged or too large for Pillow: {e}") from e
    found = _loaded(picture, name, more)
    if head == png.SIGNATURE:
        file.seek(start + len(head))
        if not png.checksums_agree(file):  # Pillow does not compare those of pixels
            raise ValueError(f"{name} is damaged: a checksum of it does not agree, or it is cut")
    return found


def _loaded(picture: Any, name: str, more: int) -> Any:
    """Return a decoded image as viewers show it, where `more` bytes a pixel fit beside it.

    It is decoded here if it was only opened, and turned as its EXIF data say.
    """
    width, height = picture.size
    pixels = width * height
    if pixels > MAX_PIXELS:
        limit = f"meiro.io.image.MAX_PIXELS = {MAX_PIXELS:,}"
        raise ValueError(
            f"{name} has {width:,} x {height:,} pixels, more than {limit}: raise that if you trust the file"
        )
    if picture.mode in {"I", "F"}:
        raise ValueError(f"{name} has mode {picture.mode!r}, of no known range: give an array and threshold=")
    stored = 1 if picture.mode in {"1", "L", "P"} else 2 if picture.mode.startswith("I;16") else 4
    what = f"{name}: a picture of {width} x {height} pixels"
    require((stored + more) * pixels + 8 * height, what, "cut it or scale it down")
    with invalid_as(f"{name} is damaged", *_DAMAGED):
        picture.load()
    try:
        turned = picture.getexif().get(_ORIENTATION, 1) in range(2, 9)
    except _DAMAGED:
        return picture
    if not turned:
        return picture
    from PIL import ImageOps

    require(2 * stored * pixels, what, "cut it or scale it down")
    return ImageOps.exif_transpose(picture)


def _source_of_image(picture: Any, name: str) -> _Source:
    drawn_by_meiro = picture.mode == "P" and bytes(picture.getpalette()[: len(PALETTE)]) == PALETTE
    full, (width, height) = _white_of(picture), picture.size
    grey = picture.mode.startswith("I;16") or picture.mode in _GREY

    def rows(band: slice) -> Any:
        return picture.crop((0, band.start or 0, width, band.stop))

    def luminance(part: Any) -> NDArray[np.unsignedinteger]:
        with invalid_as(f"{name} is damaged", ValueError):  # of more opacities than colours
            return _is_road(part) if drawn_by_meiro else _luminance(part, full)

    def rgb(part: Any) -> NDArray[np.uint8]:
        with invalid_as(f"{name} is damaged", ValueError):
            return _rgb(part, full)

    def has_opacities() -> bool:
        if not picture.has_transparency_data or picture.mode.startswith("I;16"):
            return False
        shown = picture if picture.getbands()[-1] in {"A", "a"} else picture.convert("RGBA")
        least, most = shown.getextrema()[-1]
        return bool(least < most)

    grey = grey or drawn_by_meiro
    return _Source((height, width), float(full), 255.0, rows, luminance, rgb, grey, has_opacities)


def _white_of(picture: Any) -> int:
    """Return what white is: 255, or of 16 bits a pixel the largest number of as many bits as are used."""
    if not picture.mode.startswith("I;16"):
        return 255
    values = np.asarray(picture).astype(np.uint16)
    clear = picture.info.get("transparency")
    most = int(values.max() if clear is None else values[values != clear].max(initial=0))
    return max(255, (1 << most.bit_length()) - 1)


def _rgb(picture: Any, full: int) -> NDArray[np.uint8]:
    """Return the colours of pixels, transparent ones on white, which has the luminance `full`."""
    if picture.mode.startswith("I;16") or picture.mode in _GREY:
        grey = (_luminance(picture, full) >> (full.bit_length() - 8)).astype(np.uint8)
        return np.broadcast_to(grey[..., np.newaxis], (*grey.shape, 3))
    if picture.has_transparency_data:
        pixels = np.asarray(picture.convert("RGBA"), np.uint16)
        return (255 - ((255 - pixels[..., :3]) * pixels[..., 3:] + 127) // 255).astype(np.uint8)
    return np.asarray(picture.convert("RGB"))


def _is_road(picture: Any) -> NDArray[np.uint8]:
    """Return what lies below the drawing of a maze: walls, and what is outside its mask, are wall."""
    colors = np.asarray(picture)
    return np.where((colors == 0) | (colors == OUTSIDE), np.uint8(0), np.uint8(255))


def _luminance(picture: Any, full: int) -> NDArray[np.unsignedinteger]:
    """Return the luminance of pixels; `full` is that of white where pixels have 16 bits."""
    if picture.mode.startswith("I;16"):
        values = np.asarray(picture).astype(np.uint16)
        return np.where(values == picture.info.get("transparency"), np.uint16(full), values)
    if picture.has_transparency_data:
        colours = picture if picture.mode == "La" else picture.convert("RGBA")
        light, alpha = np.moveaxis(np.asarray(colours.convert("LA"), np.uint16), 2, 0)
        return np.asarray((255 - ((255 - light) * alpha + 127) // 255).astype(np.uint8))
    return np.asarray(picture.convert("L"))


def _source_of_array(array: NDArray[Any], unsure: str | None) -> _Source:
    full, shape = _white_of_array(array, unsure), (len(array), array.shape[1])
    channels = 1 if array.ndim == 2 else array.shape[2]
    return _Source(
        shape,
        full,
        full,
        lambda band: array[band],
        lambda part: _luminance_of_channels(part, full),
        lambda part: _rgb_of_channels(part, full),
        channels < 3,
        lambda: channels in {2, 4} and bool(np.ptp(array[..., -1])),
        array.reshape(shape) if channels == 1 else None,
    )


def _white_of_array(array: NDArray[Any], unsure: str | None) -> float:
    """Return what white is in an array of a picture.

    Other shapes and types, NaN, and numbers that do not say what white is are errors, these with the advice
    `unsure`, unless that is None.
    """
    if array.dtype.kind not in "biuf":
        file = "; the bytes of a file go through io.BytesIO" if array.dtype.kind == "S" else ""
        raise TypeError(f"a picture holds numbers, not {array.dtype}{file}")
    if array.size == 0 or array.ndim not in {2, 3} or (array.ndim == 3 and not 1 <= array.shape[2] <= 4):
        raise ValueError(
            f"picture must have shape (h, w) or (h, w, 1 to 4 channels) and not be empty, not {array.shape}"
        )
    full = 1 if array.dtype.kind in "bf" else np.iinfo(array.dtype).max
    if array.dtype.kind in "iu" and array.dtype.itemsize > 2:
        full = 255  # whole numbers that were never meant to fill 32 or 64 bits
    least, most = array.min(), array.max()
    if array.dtype.kind == "f" and np.isnan(most):
        raise ValueError("picture holds NaN")
    other = least < 0 or most > full or (most == 1 and full > 1) or (0 < most <= 255 < full)
    if unsure is not None and other:
        value = f"least value is {least}" if least < 0 else f"greatest value is {most}"
        raise ValueError(f"picture: the {value}, and {array.dtype} is bright at {full}: {unsure}")
    return float(full)


def _rgb_of_channels(array: NDArray[Any], full: float) -> NDArray[np.uint8]:
    channels = array[..., np.newaxis] if array.ndim == 2 else array
    if array.dtype == np.uint8 and channels.shape[2] == 3:
        return channels
    colors = channels[..., :3] if channels.shape[2] > 2 else channels[..., [0, 0, 0]]
    shares = colors / full
    if channels.shape[2] in {2, 4}:
        alpha = channels[..., -1:] / full
        shares = shares * alpha + (1 - alpha)
    return np.rint(np.clip(shares, 0, 1) * 255).astype(np.uint8)


def _luminance_of_channels(array: NDArray[Any], full: float) -> NDArray[Any]:
    channels = array.shape[2]
    values = array[..., 0] if channels == 2 else array[..., :3] @ np.array([0.299, 0.587, 0.114])
    if channels in {2, 4}:
        alpha = array[..., -1] / full
        values = values * alpha + full * (1 - alpha)
    return values
