"""What one maze of any kind has: the questions that are asked of it most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from meiro.stats.measure import Measures


class OneMaze:
    """The methods of `Maze` and of `GraphMaze` that only pass themselves on."""

    __slots__ = ()

    def measure(self, measures: str | Iterable[str] | None = None, **options: Any) -> Measures:
        """Measure the maze: `meiro.measure` of it, with its options.

        Examples
        --------
        >>> meiro.generate((20, 30), rng=7).measure(["dead_ends", "diameter"])
        {'dead_ends': 169, 'diameter': 104}
        """
        from meiro.stats.measure import measure

        this: Any = self  # of a class that measure() knows
        found: Measures = measure(this, measures, **options)
        return found

    def distances(self, sources: Any = None, **options: Any) -> NDArray[Any]:
        """Compute the distance of each cell from the sources: `meiro.distances` of it, with its options.

        Examples
        --------
        >>> meiro.generate(meiro.lattices.hexagonal(3, 4), rng=7).distances().shape
        (12,)
        """
        from meiro.solvers.distances import distances

        this: Any = self  # of a class that distances() knows
        return distances(this, sources, **options)
