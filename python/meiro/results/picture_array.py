"""The result of `meiro.from_image`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from meiro._utils.set_module import set_module

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell


class Turned(NamedTuple):
    """How an array lies in its picture: site (r, c) is at origin + r * (cos, -sin) + c * (sin, cos).

    Attributes
    ----------
    origin : (float, float)
        Row and column of site (0, 0) in the picture.
    cos, sin : float
        Of the angle by which the frame was tilted, clockwise.
    """

    origin: tuple[float, float] = (0.0, 0.0)
    cos: float = 1.0
    sin: float = 0.0

    def in_picture(self, sites: NDArray[Any]) -> NDArray[np.float64]:
        """Return where sites of the array, shape (n, 2), are in the picture."""
        turn = np.array([[self.cos, -self.sin], [self.sin, self.cos]])
        return np.asarray(sites @ turn + self.origin, np.float64)

    def in_array(self, pixels: NDArray[Any]) -> NDArray[np.float64]:
        """Return where pixels of the picture, shape (n, 2), are in the array."""
        turn = np.array([[self.cos, self.sin], [-self.sin, self.cos]])
        return np.asarray((pixels - np.array(self.origin)) @ turn, np.float64)


UPRIGHT = Turned()


@set_module("meiro.io")
class PictureArray(np.ndarray[tuple[int, int], np.dtype[np.uint8]]):
    """Walls (1) and roads (0) read from a picture: an array of uint8, and what was decided in reading it.

    What is computed of it is an ordinary array, and slices and copies have no start, goal and source.

    Attributes
    ----------
    start, goal : (int, int) or None
        Sites of the array; `meiro.solve` begins and ends there.
    decisions : dict
        What was decided, by name: ``threshold``, the least luminance of a road, or for a local one the least
        and the greatest; ``start`` and ``goal``, the pixel, the number of pixels of a coloured mark and how
        the colour was found ("exactly" or "by hue"); ``speckles``, the number of components removed, of
        wall and of road; ``angle``, the tilt of the frame in degrees, clockwise; ``frame``, row and column of
        its corners in the picture, from the top left one clockwise.
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

    start: Cell | None
    goal: Cell | None
    decisions: dict[str, Any]
    source: Any
    turned: Turned

    def __array_finalize__(self, _: object) -> None:
        """Begin without attributes: a part of the array is not the picture."""
        self.start = self.goal = self.source = None
        self.decisions, self.turned = {}, UPRIGHT

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
