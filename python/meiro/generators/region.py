"""`region`: a window of a maze, without the rest of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT, Shape, ShapeLike, require_shape_first
from meiro._utils.validation import Threads, pair, thread_count, window_of
from meiro.generators.options import GenerateOptions, OptionContext, prepare_options
from meiro.registry import ALGORITHMS, Algorithm
from meiro.seeds import RNG, Seed, seed_of, seed_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

REGIONAL = tuple(sorted(name for name, facts in ALGORITHMS.items() if "windows" in facts.parts))
SAME_TREE = tuple(name for name in REGIONAL if "rows" not in ALGORITHMS[name].parts)  # by Kruskal's law
LONGEST_SIDE = 1 << 30
_EVEN = 1 << 62  # p = 1/2
_FIRST_SEGMENT = 1 << 16  # shared/segments.hpp
_OF_THE_WHOLE = ("falls", "order", "weights")  # options


@dataclass(frozen=True, slots=True)
class LargeMaze:
    """A maze of which only parts are made: the checked arguments, with options as the core takes them."""

    shape: Shape
    algorithm: str
    seed: Seed
    options: dict[str, Any]

    @property
    def words(self) -> tuple[int, int, int]:
        """The seed, for the core."""
        return seed_words(self.seed)

    @property
    def rows_from_their_begin(self) -> bool:
        """Whether a window draws all that lies before it in its rows (by ``towards=``: columns)."""
        even = self.options.get("p", _EVEN) in {0, _EVEN, 2 * _EVEN}
        if self.algorithm in {"binary_tree", *SAME_TREE} or (self.algorithm == "percolation" and even):
            return False
        sideways = self.options.get("towards", 0) % 2 == 1
        return self.shape[0 if sideways else 1] <= _FIRST_SEGMENT

    def window(
        self, first: tuple[int, int], size: Shape, *, threads: int = 1, progress: Progress = False
    ) -> NDArray[np.uint8]:
        """Return the passages of `size` rows and columns from `first` on."""
        turned = self.options.get("towards", 0) != 0
        require((1 + turned) * size[0] * size[1], f"a window of {size}", "take a smaller one")
        out = np.empty(size, np.uint8)
        given = (self.algorithm, self.shape, first, out, self.words, self.options)
        _core.generate_window(*given, threads, reporter(progress))
        return out


def large_maze(  # as region() has them
    shape: ShapeLike,
    algorithm: str,
    rng: RNG,
    given: dict[str, Any],
    call: str,
) -> LargeMaze:
    """Check the arguments of `call`, which makes parts of mazes."""
    require_shape_first(shape, algorithm, call)
    facts = ALGORITHMS.find(algorithm, "algorithm")
    if facts.name not in REGIONAL:
        raise ValueError(
            f"algorithm: parts of a maze cannot be made by {facts.name!r}; they can by {', '.join(REGIONAL)}"
        )
    rows, cols = pair(shape, "shape")
    if not (1 <= rows <= LONGEST_SIDE and 1 <= cols <= LONGEST_SIDE):
        raise ValueError(f"shape must be from (1, 1) to (2**30, 2**30), not ({rows}, {cols})")
    given = {name: value for name, value in given.items() if value is not None}
    for name in _OF_THE_WHOLE:
        if name in given and name in facts.options:
            raise TypeError(
                f"{name}= is an array of the whole maze: {call.partition('(')[0]} does not take it"
            )
    options, _ = prepare_options(OptionContext(facts, (rows, cols), None, FLAT), given)
    return LargeMaze((rows, cols), facts.name, seed_of(rng), options)


def region(
    shape: ShapeLike,
    algorithm: Algorithm | str,
    *,
    rng: RNG = None,
    rows: slice = slice(None),
    cols: slice = slice(None),
    threads: Threads = None,
    progress: Progress = False,
    **options: Unpack[GenerateOptions],
) -> NDArray[np.uint8]:
    """Generate a window of a maze, without the rest of it.

    The passages are byte for byte those of ``generate(shape, algorithm, rng=rng)`` in these rows and columns,
    but the maze may be larger than any memory.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns of the whole maze, in cells: up to 2**30 each.
    algorithm : str
        "kruskal", "prim" or "boruvka" (which make the same maze), "binary_tree", "percolation",
        "pole_toppling" or "sidewinder".
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence, Seed, mapping, or None
        As in `meiro.generate`. With None every window is one of another maze.
    rows, cols : slice
        Rows and columns of the window, as NumPy slices ``maze.passages``; all by default.
    threads : int or "all", optional
        Number of threads that share the window; the passages do not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.
    **options
        `bias`, `corner`, `p` and `towards`, where `meiro.generate` takes them.

    Returns
    -------
    ndarray of uint8, shape (n_rows, n_cols)
        The passages of each cell, N=1, E=2, S=4, W=8, those that leave the window too.

    Raises
    ------
    ValueError
        If parts of a maze cannot be made by the algorithm, the shape or the value of an option is invalid, or
        a slice has no cell or a step.
    TypeError
        If `rows` or `cols` is not a slice, or the algorithm does not take an option.
    MemoryError
        If the window does not fit in memory (nothing has been allocated then).

    See Also
    --------
    generate : The whole maze.
    endless : Mazes without borders.
    meiro.dask.generate : All windows of a maze, on a cluster.
    crop : A window of a maze that is there, with its border closed.

    Notes
    -----
    By Kruskal nearly all walls of a window are known from a box around it. From the others the heavier walls
    are followed on both sides, as far as it takes until one way comes back.
    Windows of binary_tree and of percolation with p = 1/2 take the time of their cells. How many random words
    some cells of the others take is known only when they were drawn, but every 4096 columns from column
    65,536 on (with ``towards="east"`` or "west": rows) words begin at a known place: a window also takes the
    time of the cells from there on, or from the beginning of the row. 256 x 256 cells of a maze of
    2**30 x 2**30 take 1 to 3 ms, in its first 65,536 columns up to 30 ms.

    Examples
    --------
    >>> region = meiro.generators.region
    >>> whole = meiro.generate((40, 60), "sidewinder", rng=7)
    >>> window = region((40, 60), "sidewinder", rng=7, rows=slice(10, 20), cols=slice(-5, None))
    >>> bool((window == whole.passages[10:20, -5:]).all())
    True
    >>> middle = slice(5 * 10**8, 5 * 10**8 + 3)
    >>> region((10**9, 10**9), "binary_tree", rng=7, rows=middle, cols=middle).tolist()
    [[8, 5, 5], [8, 5, 7], [12, 1, 5]]
    """
    large = large_maze(shape, algorithm, rng, dict(options), "region(shape, algorithm)")
    (top, height), (left, width) = window_of((rows, cols), large.shape, "(rows, cols)")
    return large.window((top, left), (height, width), threads=thread_count(threads), progress=progress)
