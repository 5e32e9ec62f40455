"""Making mazes: one, or many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from meiro import _core
from meiro._utils.arrays import check_out
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT
from meiro._utils.validation import Threads, integer, thread_count
from meiro.generators.options import FACTS
from meiro.generators.request import parse_request
from meiro.maze._validation import NO_OPENINGS, as_bytes, mask_left
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.registry import ALGORITHMS, Algorithm
from meiro.seeds import RNG, seed_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import CellLike, ShapeLike

Choice = Literal["newest", "oldest", "random", "middle"]


def generate(
    shape: ShapeLike | None = None,
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    wrap: tuple[bool, bool] = FLAT,
    threads: Threads = None,
    progress: Progress = False,
    start: CellLike | Literal["random"] | None = None,
    after_dead_end: Literal["newest", "random"] | None = None,
    order: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    falls: ArrayLike | None = None,
    corner: Literal["north_west", "north_east", "south_east", "south_west"] | None = None,
    towards: Literal["north", "east", "south", "west"] | None = None,
    choose: Choice | Mapping[Choice, float] | None = None,
    hunt: Literal["row_major", "random_row"] | None = None,
    room: int | None = None,
    run: float | None = None,
    bias: float | None = None,
    p: float | None = None,
    steps: int | None = None,
    trees: int | None = None,
    tries: int | None = None,
    sides: tuple[int, int] | None = None,
    doors: float | None = None,
    dead_ends: Literal["keep", "remove"] | None = None,
    fill: Algorithm | str | None = None,
) -> Maze:
    """Make a maze.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns, in cells. May be left out if `grid_shape` or `mask` says it.
    algorithm : str
        One of `meiro.ALGORITHMS`. The default is uniform: every perfect maze is equally likely.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed makes the same maze everywhere. None takes entropy from the system; ``maze.seed``
        tells afterwards.
    grid_shape : (int, int)
        Height and width of the drawn grid in sites, both odd, instead of `shape`.
    mask : array_like of bool, shape (rows, cols)
        True where the maze may go. Every part becomes a tree of its own. See `meiro.mask_from_text` and
        `meiro.mask_from_image`.
    wrap : (bool, bool)
        Whether rows and columns go on at the other side: (False, True) is a cylinder, (True, True) a
        torus. A side that wraps is at least 3 long.
    threads : int or "all"
        For the algorithms that can use them; 1 by default. The maze is the same.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells.
    start : (int, int) or "random"
        The cell to begin from, where the law depends on it.
    after_dead_end : "newest" or "random"
        Backtracker: where to go on after a dead end.
    order : array_like of int, shape (walls,)
        Kruskal: every wall id once, in the order they are looked at.
    weights : array_like of float, shape (walls,)
        By wall id, not negative. Kruskal, Prim, Boruvka: the lightest is looked at first, ties by the lower
        id. Wilson, Aldous-Broder: conductances, above 0; the probability of a maze is proportional to the
        product of those of its passages.
    falls : array_like of int, shape (rows - 1, cols - 1)
        Pole toppling: direction bits N=1, E=2, S=4, W=8 of each inner post.
    corner : "north_west", "north_east", "south_east" or "south_west"
        Binary tree: the corner that all ways lead to.
    towards : "north", "east", "south" or "west"
        Sidewinder, pole toppling: the side the rule begins from, where the odd rows are.
    choose : "newest", "oldest", "random", "middle", or a mapping of these to odds
        Growing tree, growing forest: the cell to grow from.
    hunt : "row_major" or "random_row"
        Hunt and kill: where to look for the next cell.
    room : int
        Recursive division: the smallest side that is still cut, 2 by default; more leaves rooms.
    run : float
        Backtracker, growing tree, hunt and kill: how many times as likely it is to go straight on.
    bias : float
        How many times as likely a horizontal passage is as a vertical one; for Kruskal, Prim and Boruvka
        the weights of horizontal walls are divided by it.
    p : float
        Percolation: the probability that a wall is open, 0.5 by default.
    steps : int
        Origin shift: how often the root moves. By default until it has been everywhere, which makes the
        maze uniform.
    trees : int
        Growing forest: how many trees; one for 100 cells by default.
    tries : int
        Rooms: how many are tried; one for 10 cells by default.
    sides : (int, int)
        Rooms: least and greatest side in cells, (2, 5) by default.
    doors : float
        Rooms: the probability that a further wall between two regions is a door, 0 by default.
    dead_ends : "keep" or "remove"
        Rooms: whether corridors that lead nowhere stay. Cells that are removed are masked out.
    fill : str
        Rooms: the algorithm of the corridors, "backtracker" by default.

    Returns
    -------
    Maze

    Raises
    ------
    ValueError
        If there is no such algorithm, shape, mask or value of an option.
    TypeError
        If the algorithm does not take an option.
    MemoryError
        If the maze cannot fit, before anything is taken.

    Examples
    --------
    >>> maze = meiro.generate((3, 4), "kruskal", rng=7)
    >>> maze
    <Maze 3 rows x 4 cols, kruskal>
    >>> maze.is_perfect
    True
    """
    facts = ALGORITHMS.find(algorithm)
    given: dict[str, object] = {
        name: value
        for name, value in (
            ("start", start),
            ("after_dead_end", after_dead_end),
            ("order", order),
            ("weights", weights),
            ("falls", falls),
            ("corner", corner),
            ("towards", towards),
            ("choose", choose),
            ("hunt", hunt),
            ("room", room),
            ("run", run),
            ("bias", bias),
            ("p", p),
            ("steps", steps),
            ("trees", trees),
            ("tries", tries),
            ("sides", sides),
            ("doors", doors),
            ("dead_ends", dead_ends),
            ("fill", fill),
        )
        if value is not None
    }
    request = parse_request(facts, shape, grid_shape, mask, wrap, given)
    seed = seed_of(rng)
    team = thread_count(threads)
    out = request.allocate(1, team)
    _core.generate(
        facts.name,
        out,
        (*seed.key, seed.replicate),
        as_bytes(request.mask),
        request.wrap,
        request.options,
        team,
        reporter(progress),
    )
    recipe = request.recipe(seed)
    return Maze._made(
        out[0], mask_left(out[0], request.mask, recipe), NO_OPENINGS, seed, recipe, request.wrap
    )


def generate_many(
    n: int,
    shape: ShapeLike | None = None,
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    wrap: tuple[bool, bool] = FLAT,
    threads: Threads = None,
    progress: Progress = False,
    out: NDArray[np.uint8] | None = None,
    **options: Any,
) -> MazeBatch:
    """Make many mazes of one kind.

    Maze ``i`` is the same alone (``generate(..., rng=meiro.replicate(rng, i))``), in any batch and on any
    number of threads.

    Parameters
    ----------
    n : int
        How many.
    shape, algorithm, rng, grid_shape, mask, wrap
        As in `meiro.generate`.
    threads : int or "all"
        How many threads share the mazes; 1 by default.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in mazes.
    out : ndarray of uint8, shape (n, rows, cols)
        Where the passages go, C-contiguous; a new array by default.
    **options
        As in `meiro.generate`: ``start=`` and so on.

    Returns
    -------
    MazeBatch

    Raises
    ------
    ValueError
        If `n` is negative, there is no such algorithm, shape, mask or value of an option, or `out` is
        another array than it must be.
    TypeError
        If `n` is no integer, or the algorithm does not take an option.
    MemoryError
        If the mazes cannot fit, before anything is taken.

    Examples
    --------
    >>> many = meiro.generate_many(1000, (8, 8), "wilson", rng=7)
    >>> many
    <MazeBatch of 1000: 8 rows x 8 cols, wilson>
    >>> many[3] == meiro.generate((8, 8), "wilson", rng=meiro.replicate(7, 3))
    True
    """
    count = integer(n, "n", 0)
    facts = ALGORITHMS.find(algorithm)
    given = {name: value for name, value in options.items() if value is not None or name not in FACTS}
    request = parse_request(facts, shape, grid_shape, mask, wrap, given)
    team = thread_count(threads)
    seed = seed_of(rng)
    if out is None:
        out = request.allocate(count, team)
    else:
        check_out(out, (count, *request.shape))
    told = reporter(progress, unit=request.shape[0] * request.shape[1])
    words = (*seed.key, seed.replicate)
    _core.generate(facts.name, out, words, as_bytes(request.mask), request.wrap, request.options, team, told)
    numbers = range(seed.replicate, seed.replicate + count)
    return MazeBatch._made(out, request.mask, seed.key, numbers, request.recipe(seed), request.wrap)
