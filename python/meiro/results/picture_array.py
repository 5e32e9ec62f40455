"""The result of `meiro.from_image`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell


class Perspective(NamedTuple):
    """How an array lies in its picture: site (r, c) at (y / w, x / w), where (y, x, w) = matrix @ (r, c, 1).

    R. Hartley, A. Zisserman, Multiple View Geometry in Computer Vision (2004), section 2.3.
    """

    matrix: tuple[tuple[float, float, float], ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

    def in_picture(self, sites: NDArray[Any]) -> NDArray[np.float64]:
        """Return where sites of the array, shape (n, 2), are in the picture."""
        return _projected(np.array(self.matrix), sites)

    def in_array(self, pixels: NDArray[Any]) -> NDArray[np.float64]:
        """Return where pixels of the picture, shape (n, 2), are in the array."""
        return _projected(np.linalg.inv(self.matrix), pixels)


def _projected(matrix: NDArray[Any], points: NDArray[Any]) -> NDArray[np.float64]:
    placed = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(placed[:, :2] / placed[:, 2:], np.float64)


UPRIGHT = Perspective()


class PictureArray(np.ndarray[tuple[int, int], np.dtype[np.uint8]]):
    """Walls (1) and roads (0) read from a picture: an array of uint8, and what was decided in reading it.

    Those of a map of Tiled are one, too, without a source. What is computed of it is an ordinary array, and
    slices and copies have no start, goal and source.

    Attributes
    ----------
    start, goal : (int, int) or None
        Sites of the array; `meiro.solve` begins and ends there.
    decisions : dict
        What was decided, by name: ``threshold``, the least luminance of a road, or for a local one the least
        and the greatest; ``start`` and ``goal``, the pixel, the number of pixels of a coloured mark and how
        the colour was found ("exactly" or "by hue"); ``speckles``, the number of components removed, of
        wall and of road; ``walls``, "dark" or "bright"; ``angle``, the tilt of the frame in degrees,
        clockwise; ``frame``, row and column of its corners in the picture, from the top left one clockwise;
        ``cells``, the numbers of rows and columns, if the maze has square cells.
    source : object
        The picture: an absolute path, a Pillow image or an array; None for an open file.

    See Also
    --------
    meiro.from_image : returns it.
    meiro.Solution.save : paints a path over the picture.

    Examples
    --------
    >>> x = meiro.from_image([[0, 255, 0], [0, 255, 255]], start=(0, 1))
    >>> x.start, x.decisions
    ((0, 1), {'threshold': 127.5, 'start': {'pixel': (0, 1)}})
    """

    __module__ = "meiro.io"

    start: Cell | None
    goal: Cell | None
    decisions: dict[str, Any]
    source: Any
    perspective: Perspective

    def __array_finalize__(self, _: object) -> None:
        """Begin without attributes: a part of the array is not the picture."""
        self.start = self.goal = self.source = None
        self.decisions, self.perspective = {}, UPRIGHT

    def __array_wrap__(
        self,
        array: NDArray[Any],
        context: Any = None,  # of NumPy's protocol
        return_scalar: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return what was computed of the array as an ordinary array or number."""
        if array is self:  # computed in place
            return self
        plain = np.asarray(array)
        return plain[()] if return_scalar else plain

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the attributes, too."""
        make, arguments, state = cast("tuple[Any, ...]", super().__reduce__())
        return make, arguments, (state, self.__dict__)

    def __setstate__(self, state: Any) -> None:
        """Restore array and attributes."""
        super().__setstate__(state[0])
        self.__dict__.update(state[1])


def picture_array(walls: NDArray[np.uint8], source: Any, decisions: dict[str, Any]) -> PictureArray:
    """Return walls as they are, with attributes."""
    found = walls.view(PictureArray)
    found.source, found.decisions = source, decisions
    return found
