"""The path of a solution, painted over the picture in which it was found."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any, cast

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.messages import requires_extra
from meiro._utils.paper import checked_color
from meiro._utils.validation import checked_path, number
from meiro.colors import PATH
from meiro.io.image import from_image, rgb_image
from meiro.results.picture_array import UPRIGHT, PictureArray
from meiro.solvers.clearance import clearance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from PIL import Image

    from meiro.io.image import Picture
    from meiro.results.solution import Solution

_SHARE = 0.5  # of a corridor that the line takes
_MOST_WIDTH = 10_000.0
_KEEPING: dict[str, dict[str, Any]] = {"JPEG": {"quality": 95, "subsampling": 0}, "WEBP": {"lossless": True}}
_LINE = 1 << 14  # points that Pillow draws in one call
_FINE = 4  # fine pixels a pixel, each way, of a smooth line
_ROWS = 256  # that are drawn finely at a time


def paint_solution(
    solution: Solution,
    path: str | os.PathLike[str],
    *,
    picture: PictureArray | Picture,
    color: Any,
    width: float | None,
) -> None:
    """Paint a path over a picture: see `Solution.save`."""
    with requires_extra("image", "Pillow"):
        import PIL  # noqa: F401
    ink = PATH.hex if color is None else checked_color(color, "color")
    given = None if width is None else number(width, "width", 0.0, _MOST_WIDTH)
    form = _format_of(path)
    if not solution.found:
        raise ValueError(f"there is no path to paint: {solution.reason}")
    image = rgb_image(_source_of(picture))
    perspective = picture.perspective if isinstance(picture, PictureArray) else UPRIGHT
    fits = isinstance(picture, PictureArray) and solution.space == "sites" and solution.shape == picture.shape
    side = 1 if fits else _pixels_a_site(solution, image, turned=perspective is not UPRIGHT)
    lines = None
    if given is None and side == 1:
        lines = _widths(solution, np.asarray(picture) if fits else np.asarray(from_image(image)))
    first = 0
    for sites in _site_chunks(solution):
        pixels = perspective.in_picture(sites if side == 1 else sites * side + (side - 1) / 2)
        widths = np.full(len(sites), max(1.0, _SHARE * side) if given is None else given)
        if lines is not None:
            widths = lines[first : first + len(sites)]
        first += len(sites) - 1
        _draw(image, pixels, widths, ink)
    with atomic(path) as file:
        image.save(cast("IO[bytes]", _Stream(file)), form, **_KEEPING.get(form, {}))


class _Stream:
    """A file without a number: Pillow then writes piece by piece in Python, where Ctrl-C is seen."""

    def __init__(self, file: IO[bytes]) -> None:
        self.write, self.seek, self.tell, self.flush = file.write, file.seek, file.tell, file.flush


def _format_of(path: str | os.PathLike[str]) -> str:
    from PIL import Image

    suffix = checked_path(path).suffix.lower()
    known = {end: form for end, form in Image.registered_extensions().items() if form in Image.SAVE}
    if suffix not in known:
        raise ValueError(
            f"{os.fspath(path)!r}: suffix {suffix!r} is not one of a picture, as .png, .jpg or .webp"
        )
    return known[suffix]


def _source_of(picture: PictureArray | Picture) -> Any:
    if not isinstance(picture, PictureArray):
        return picture
    if picture.source is None:
        raise ValueError(
            "picture was read from an open file, or is a part of such an array: read it from a path"
        )
    return picture.source


def _pixels_a_site(solution: Solution, image: Image.Image, *, turned: bool) -> int:
    """Return the side of the squares of pixels that are the sites of a solution."""
    rows, cols = solution.shape
    height, width = (rows, cols) if solution.space == "sites" else (2 * rows + 1, 2 * cols + 1)
    side = image.height // height
    if turned or side < 1 or image.size != (width * side, height * side):
        raise ValueError(
            f"picture has {image.height} x {image.width} pixels, and the solution was found in {height} x "
            f"{width} sites: give picture= what meiro.from_image returned, and the solution of that"
        )
    return side


def _site_chunks(solution: Solution) -> Iterator[NDArray[np.int64]]:
    """Yield the path in sites, in pieces that each begin where the piece before ends."""
    if solution.space == "sites":
        yield from solution.path_chunks()
    else:
        yield solution.grid_path


def _widths(solution: Solution, walls: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the width of the line at each site of the path."""
    steps = clearance(walls)
    pieces = [steps[tuple(sites.T)][i > 0 :] for i, sites in enumerate(_site_chunks(solution))]
    along = np.concatenate(pieces)
    return np.asarray(np.maximum(1.0, _SHARE * (2 * np.minimum(along, np.median(along)) - 1)))


def _draw(image: Image.Image, pixels: NDArray[np.float64], widths: NDArray[np.float64], ink: str) -> None:
    """Draw a line from pixel to pixel, (row, col) each."""
    from PIL import ImageDraw

    if widths.max() >= 2:
        _draw_smoothly(image, pixels, widths, ink)
        return
    draw = ImageDraw.Draw(image)
    for first in range(0, len(pixels), _LINE):
        part = np.rint(pixels[first : first + _LINE + 1, ::-1])
        draw.line([*map(tuple, part.tolist())], ink)
        draw.point([*map(tuple, part.tolist())], ink)


def _draw_smoothly(
    image: Image.Image, pixels: NDArray[np.float64], widths: NDArray[np.float64], ink: str
) -> None:
    """Draw a wide line with round joints, averaged along a quarter of a corridor, in fine pixels."""
    from PIL import Image, ImageDraw

    usual = float(np.median(widths))
    spacing = float(np.median(np.hypot(*np.diff(pixels, axis=0).T))) if len(pixels) > 1 else 1.0
    along = np.column_stack([pixels, widths])
    for _ in range(2):
        along = _averaged(along, int(usual / max(spacing, 1e-9) / 2))
    step = max(1, int(usual / max(spacing, 1e-9) / 4))
    kept = along[np.unique([*range(0, len(along), step), len(along) - 1])]
    kept = kept if len(kept) > 1 else np.repeat(kept, 2, axis=0)
    reach = kept[:, 2].max() / 2 + 1
    upper = np.minimum(kept[:-1, 0], kept[1:, 0]) - reach
    lower = np.maximum(kept[:-1, 0], kept[1:, 0]) + reach
    for top in range(0, image.height, _ROWS):
        there = np.flatnonzero((lower >= top) & (upper < top + _ROWS))
        if not there.size:
            continue
        ends = np.concatenate([there, there + 1])
        left = max(0, int(kept[ends, 1].min() - reach))
        right = min(image.width, int(kept[ends, 1].max() + reach) + 2)
        rows = min(_ROWS, image.height - top)
        mask = Image.new("L", ((right - left) * _FINE, rows * _FINE))
        draw = ImageDraw.Draw(mask)
        placed = (kept - (top - 0.5, left - 0.5, 0)) * _FINE
        for i in there.tolist():
            (y0, x0, w0), (y1, x1, w1) = placed[i : i + 2].tolist()
            draw.line((x0, y0, x1, y1), 255, round((w0 + w1) / 2))
            for y, x, wide in ((y0, x0, w0), (y1, x1, w1)):
                draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), 255)
        image.paste(ink, (left, top, right, top + rows), mask.reduce(_FINE))


def _averaged(along: NDArray[np.float64], half: int) -> NDArray[np.float64]:
    """Return means of `half` neighbours on both sides, of fewer near the ends, which stay."""
    sums = np.vstack([np.zeros(along.shape[1]), np.cumsum(along, axis=0)])
    at = np.arange(len(along))
    reach = np.minimum(np.minimum(at, at[::-1]), half)
    return np.asarray((sums[at + reach + 1] - sums[at - reach]) / (2 * reach + 1)[:, np.newaxis])
