"""What mazes of all kinds have in common, for type checkers and for ``isinstance``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from meiro._utils.set_module import set_module

if TYPE_CHECKING:
    import os

    import numpy as np
    from numpy.typing import NDArray


@set_module("meiro")
@runtime_checkable
class AnyMaze(Protocol):
    """A maze, or many: `Maze`, `GraphMaze`, `MazeBatch` and `GraphBatch` are.

    For annotations of functions that take any of them, and for ``isinstance``.

    Examples
    --------
    >>> def hardest(mazes: meiro.AnyMaze) -> int:
    ...     return int(mazes.distances().max())
    >>> hardest(meiro.generate((8, 8), rng=7))
    18
    >>> hardest(meiro.generate_many(meiro.lattices.polar(4), n=9, rng=7))
    28
    >>> isinstance(meiro.generate((8, 8), rng=7).grid, meiro.AnyMaze)
    False
    """

    @property
    def algorithm(self) -> str | None:
        """The name of the algorithm that made it, if a recipe does without transforms."""

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The arguments of `meiro.generate`, or of `meiro.generate_many`, as plain values."""

    @property
    def openings(self) -> NDArray[np.int64] | None:
        """Where the rim is open: (k, 2), or (n, k, 2) of many."""

    @property
    def endpoints(self) -> tuple[Any, Any]:
        """Where paths begin and end."""

    def solve(self, *ends: Any, **options: Any) -> Any:
        """Find a path: `meiro.solve`."""

    def distances(self, sources: Any = ..., **options: Any) -> NDArray[Any]:
        """Compute the distance of each cell from the sources: `meiro.distances`."""

    def measure(self, measures: Any = ...) -> Any:
        """Measure it: `meiro.measure`."""

    def plot(self, **options: Any) -> Any:
        """Draw it: `meiro.plot`."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file: `meiro.save`."""
