"""`generate` and `generate_many`: mazes from a shape, an algorithm and a seed."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any, Unpack, overload

from meiro._utils.arrays import read_only, whole_array
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT, ShapeLike, require_shape_first
from meiro._utils.validation import Threads, integer, thread_count
from meiro.generators.kruskal_rows import make_all
from meiro.generators.options import GenerateOptions, given_options
from meiro.generators.region import LargeMaze
from meiro.generators.request import parse_request, refuse_square_arguments
from meiro.mazes._batch import batch_of
from meiro.mazes._batch_data import BatchData
from meiro.mazes.batch import MazeBatch
from meiro.mazes.graph_batch import GraphBatch, GraphBatchData
from meiro.registry import ALGORITHMS, Algorithm
from meiro.seeds import RNG, root_of, seed_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.options import OpeningsWord
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.seeds import Seed


@overload
def generate(
    shape: Lattice | Mapping[str, Any],
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    openings: OpeningsWord | ArrayLike | Sequence[Any] | None = None,
    transforms: Sequence[Sequence[Any]] | None = None,
    threads: Threads = None,
    progress: Progress = False,
    **options: Any,
) -> GraphMaze: ...
@overload
def generate(
    shape: ShapeLike | None = None,
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    wrap: tuple[bool, bool] = FLAT,
    openings: OpeningsWord | ArrayLike | Sequence[Any] | None = None,
    transforms: Sequence[Sequence[Any]] | None = None,
    threads: Threads = None,
    progress: Progress = False,
    out: NDArray[np.uint8] | None = None,
    **options: Unpack[GenerateOptions],
) -> Maze: ...
def generate(
    shape: ShapeLike | Lattice | Mapping[str, Any] | None = None,
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    wrap: tuple[bool, bool] = FLAT,
    openings: OpeningsWord | ArrayLike | Sequence[Any] | None = None,
    transforms: Sequence[Sequence[Any]] | None = None,
    threads: Threads = None,
    progress: Progress = False,
    out: NDArray[np.uint8] | None = None,
    **options: Any,
) -> Maze | GraphMaze:
    """Generate a maze: uniformly distributed over all perfect mazes, or by another algorithm.

    Parameters
    ----------
    shape : (int, int) or Lattice
        Rows and columns, in cells. May be omitted if `grid_shape` or `mask` is given. Or any other lattice,
        of `meiro.lattices`, or its recipe; then there are no `grid_shape`, `mask` and `wrap`.
    algorithm : str
        A name or alias in `meiro.ALGORITHMS`. The default, "wilson", is uniform: every perfect maze is
        equally likely.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed gives the same maze on every machine. None takes entropy from the system; ``maze.seed``
        then holds the seed.
    grid_shape : (int, int)
        Height and width of the grid in sites, both odd, instead of `shape`.
    mask : array_like of bool, shape (rows, cols)
        True where a cell exists. Each connected component of the mask gets a spanning tree of its own. See
        `meiro.mask_from_text` and `meiro.mask_from_image`.
    wrap : (bool, bool)
        Whether the lattice is periodic along rows and along columns: (False, True) is a cylinder,
        (True, True) a torus. A periodic side is at least 3 long.
    openings : str, array_like of int, shape (k, 2), or sequence of (cell, side)
        "corners", "top_bottom", "left_right", "random" or "farthest"; or cells with a side, as
        ``[((0, 5), "north"), ((9, 0), "south")]``: see `meiro.with_openings`, which opens them, with the seed
        of the maze. Default: none.
    transforms : sequence of (str, dict), optional
        What recipes keep of the transforms after it: their names in `meiro.transforms` with their arguments,
        as in ``[("braid", {"p": 0.5, "rng": 7})]``.
    threads : int or "all"
        Number of threads, 1 by default, for the algorithms that can use several. The maze does not depend on
        it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, counted in cells.
    out : ndarray of uint8, shape (rows, cols), optional
        Receives the passages and belongs to the maze from then on: it becomes read-only. C-contiguous;
        also of `meiro.io.open_memmap`, `numpy.memmap` or shared memory. Who writes to that memory in another
        way, through an older view or from another process, changes the maze. After an error or Ctrl-C the
        array is still writable, and what it holds is undefined. By "kruskal", "prim" and "boruvka" without
        mask, wrap and weights it may be larger than memory: from 2**32 cells on, or where the memory is not
        there, they are made twice, in bands of rows (`meiro.generators.stream` says what these take). What
        is interrupted begins anew; `meiro.save` of a stream to ``.zarr`` with ``resume=True`` goes on.
    start : (int, int) or "random"
        The first cell of the maze, where the law depends on it; the first cell of the mask by default.
    after_dead_end : "newest" or "random"
        The carved cell from which a new branch starts after a dead end: the newest one that still has an
        unvisited neighbour (backtracking), or a random one.
    order : array_like of int, shape (walls,)
        A permutation of the wall ids: the order in which the walls are considered.
    weights : array_like of float, shape (walls,)
        A weight for each wall id. Kruskal, Prim, Boruvka: edge lengths of the minimum spanning tree, of any
        size and sign; ties go to the lower id, and a recipe may hold ranks. Wilson, Aldous-Broder:
        conductances, positive; the probability of a maze is proportional to the product of the conductances
        of its passages. A random walk stays among
        cells that large weights join for as many steps as these exceed those that lead away. Where walks get
        too long, some 1,000 steps a cell, the maze is made by elimination of the cells, exact as well, and
        the time no longer depends on the weights: 300 x 300 cells take 3 s. Of graphs for which this is too
        much, such as 30,000 cells with 4 random neighbours each, the walks go on for minutes, and then there
        is a ValueError with the time and the memory that elimination would take. Ctrl-C ends all of them. The
        trace of a maze made by elimination has no walks, only its passages.
    falls : array_like of int, shape (rows - 1, cols - 1)
        The direction in which each inner post falls: N=1, E=2, S=4, W=8.
    corner : "north_west", "north_east", "south_east" or "south_west"
        The corner that contains the root: each cell opens one of its two walls on that side.
    towards : "north", "east", "south" or "west"
        The side of the root, where the rule differs from that of the other rows.
    choose : "newest", "oldest", "random", "middle", or a mapping of these to odds
        The active cell from which the tree grows.
    hunt : "row_major" or "random_row"
        Where the next cell is searched after a dead end.
    walks : "posts" or "cells"
        Whether the random walks of Wilson's algorithm go from post to post and build walls, which is faster,
        or from cell to cell and open walls, as in the textbooks. The law is the same. On a torus they
        always go from cell to cell, and so they do where `weights` make the walks from post to post very
        long.
    room : int
        The smallest side of a chamber that is still divided, 2 by default; larger values leave rooms.
    run : float
        Odds of a straight step relative to each turn, 1/1024 to 1024.
    bias : float
        Odds of a horizontal passage relative to a vertical one, 1/1024 to 1024; Kruskal, Prim and Boruvka
        divide the weights of vertical walls by it.
    p : float
        The probability that a wall is open, 0.5 by default.
    steps : int
        Number of moves of the root; by default as many as it takes to visit every cell, which makes the
        maze uniform.
    trees : int
        Number of trees at the start; one per 100 cells by default.
    tries : int
        Number of rooms that are tried; one per 10 cells by default.
    sides : (int, int)
        Least and greatest side of a room in cells, (2, 5) by default.
    doors : float
        The probability that a further wall between two connected regions gets a door, 0 by default.
    dead_ends : "keep" or "remove"
        Whether corridors that end in a dead end stay. Cells that are removed are masked out.
    fill : str
        The algorithm of the corridors between the rooms, "backtracker" by default.

    Returns
    -------
    Maze or GraphMaze
        A `GraphMaze` on a lattice.

    Raises
    ------
    ValueError
        If the algorithm is unknown, or the shape, the mask or the value of an option is invalid, or `out`
        has another shape, dtype or order or is read-only; nothing is written to it then.
    TypeError
        If the algorithm does not take an option.
    MemoryError
        If the maze does not fit in memory; nothing has been allocated then.

    See Also
    --------
    generate_many : Many mazes of one shape.
    trace : The generation of a maze, event by event.
    law : The exact probability of each small maze.
    ALGORITHMS : Law, options, reference and uses of each algorithm.

    Notes
    -----
    Options by algorithm; the others take none:

    - wilson: `weights`, `walks`, `bias`
    - aldous_broder: `weights`, `bias`
    - origin_shift: `start`, `steps`
    - backtracker: `start`, `after_dead_end`, `run`, `bias`
    - hunt_and_kill: `start`, `hunt`, `run`, `bias`
    - growing_tree: `start`, `choose`, `run`, `bias`
    - growing_forest: `choose`, `trees`
    - kruskal: `order`, `weights`, `bias`
    - prim: `weights`, `bias`
    - boruvka: `weights`, `bias`
    - prim_frontier_cell: `start`
    - prim_frontier_edge: `start`
    - binary_tree: `corner`
    - sidewinder: `towards`
    - pole_toppling: `falls`, `towards`
    - recursive_division: `room`
    - rooms: `tries`, `sides`, `doors`, `dead_ends`, `fill`
    - percolation: `p`

    References
    ----------
    D. B. Wilson, Generating random spanning trees more quickly than the cover time, STOC 1996, 296-303.
    doi:10.1145/237814.237880. Those of the other algorithms are in ``meiro.ALGORITHMS[name].reference``.

    Examples
    --------
    >>> maze = meiro.generate((3, 4), "kruskal", rng=7)
    >>> maze
    <Maze 3 rows x 4 cols, kruskal>
    >>> maze.is_perfect
    True
    """
    require_shape_first(shape, algorithm, "generate(shape, algorithm)")
    _refuse_both(out, transforms)
    facts = ALGORITHMS.find(algorithm, "algorithm")
    given = given_options(options) if options else {}
    request = parse_request(facts, shape, grid_shape, mask, wrap, given)
    seed, n_threads, report = seed_of(rng), thread_count(threads), reporter(progress)
    if request.lattice is not None:
        refuse_square_arguments(out=out)
    array = None if out is None else whole_array(out, request.shape)
    if array is not None and request.larger_than_memory():
        made = array
        make_all(LargeMaze(request.shape, facts.name, seed, request.options), made[0], n_threads, report)
    else:
        made = request.make(1, seed, n_threads, report, array)
    maze = request.maze(made[0], seed)
    if openings is not None or transforms is not None:
        maze = _finished(maze, openings, transforms, seed, n_threads)
    if out is not None:
        read_only(out)
    return maze


def _signature_with_options() -> inspect.Signature:
    """Return what `help` and notebooks show: each option as a keyword of its own."""
    signature = inspect.signature(generate)
    *own, _ = signature.parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint.__forward_arg__)
        for name, hint in GenerateOptions.__annotations__.items()
    ]
    return signature.replace(parameters=[*own, *options])


generate.__signature__ = _signature_with_options()  # type: ignore[attr-defined]


@overload
def generate_many(
    shape: Lattice | Mapping[str, Any],
    algorithm: Algorithm | str = "wilson",
    n: int | None = None,
    *,
    rng: RNG = None,
    openings: OpeningsWord | ArrayLike | Sequence[Any] | None = None,
    transforms: Sequence[Sequence[Any]] | None = None,
    threads: Threads = None,
    progress: Progress = False,
    out: NDArray[np.bool_] | None = None,
    **options: Any,
) -> GraphBatch: ...
@overload
def generate_many(
    shape: ShapeLike | None = None,
    algorithm: Algorithm | str = "wilson",
    n: int | None = None,
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    wrap: tuple[bool, bool] = FLAT,
    openings: OpeningsWord | ArrayLike | Sequence[Any] | None = None,
    transforms: Sequence[Sequence[Any]] | None = None,
    threads: Threads = None,
    progress: Progress = False,
    out: NDArray[np.uint8] | None = None,
    **options: Any,
) -> MazeBatch: ...
def generate_many(
    shape: ShapeLike | Lattice | Mapping[str, Any] | None = None,
    algorithm: Algorithm | str = "wilson",
    n: int | None = None,
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    wrap: tuple[bool, bool] = FLAT,
    openings: OpeningsWord | ArrayLike | Sequence[Any] | None = None,
    transforms: Sequence[Sequence[Any]] | None = None,
    threads: Threads = None,
    progress: Progress = False,
    out: NDArray[Any] | None = None,
    **options: Any,
) -> MazeBatch | GraphBatch:
    """Generate many mazes of one shape by one algorithm.

    Maze ``i`` is ``generate(..., rng=meiro.replicate(rng, i))``, whatever the size of the batch and the
    number of threads.

    Parameters
    ----------
    shape, algorithm : various, optional
        As in `meiro.generate`.
    n : int
        Number of mazes. Has no default.
    rng, grid_shape, mask, wrap, openings, transforms : various, optional
        As in `meiro.generate`.
    threads : int or "all"
        Number of threads that share the mazes; 1 by default.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, counted in mazes.
    out : ndarray of uint8, shape (n, rows, cols)
        Receives the passages; C-contiguous. A new array by default. On a lattice bool, shape (n, n_edges).
    **options
        As in `meiro.generate`: ``start=`` and so on.

    Returns
    -------
    MazeBatch or GraphBatch
        A `GraphBatch` on a lattice.

    Raises
    ------
    ValueError
        If `n` is negative, the algorithm is unknown, the shape, the mask or the value of an option is
        invalid, or `out` has another shape, dtype or order.
    TypeError
        If `n` is missing or not an integer, or the algorithm does not take an option.
    MemoryError
        If the mazes do not fit in memory; nothing has been allocated then.

    See Also
    --------
    generate : One maze, with a description of every option.
    survey : Measures of many mazes that are not kept.

    Examples
    --------
    >>> many = meiro.generate_many((8, 8), "wilson", 1000, rng=7)
    >>> many
    <MazeBatch of 1000: 8 rows x 8 cols, wilson>
    >>> many[3] == meiro.generate((8, 8), "wilson", rng=meiro.replicate(7, 3))
    True
    """
    require_shape_first(shape, algorithm, "generate_many(shape, algorithm, n)")
    if n is None:
        raise TypeError("generate_many needs n=, the number of mazes")
    _refuse_both(out, transforms)
    count = integer(n, "n", 0, 1 << 62)
    request = parse_request(
        ALGORITHMS.find(algorithm, "algorithm"), shape, grid_shape, mask, wrap, given_options(options)
    )
    seed, n_threads = seed_of(rng), thread_count(threads)
    made = request.make(count, seed, n_threads, reporter(progress, unit=math.prod(request.shape)), out)
    numbers = range(seed.replicate, seed.replicate + count)
    root, recipe = root_of(seed), request.recipe()
    batch: MazeBatch | GraphBatch
    if request.lattice is not None:
        batch = batch_of(GraphBatch, GraphBatchData(request.lattice, made, root, numbers, recipe))
    else:
        batch = batch_of(MazeBatch, BatchData(made, request.mask, root, numbers, recipe, request.wrap))
    batch = _finished(batch, openings, transforms, seed, n_threads)
    return batch


def _refuse_both(out: object, transforms: object) -> None:
    if out is not None and transforms is not None:
        raise TypeError(
            "out receives what is generated, and transforms make other mazes of it: give one of them"
        )


def _finished(mazes: Any, openings: Any, transforms: Any, seed: Seed, threads: int) -> Any:
    """Return mazes with openings, and then what transforms make of them."""
    if openings is not None:
        from meiro.spaces.space_of import mazes_of

        mazes = mazes_of(mazes).with_openings(openings, seed, threads)
    if transforms is not None:
        from meiro.transforms._replay import replay

        mazes = replay(mazes, transforms)
    return mazes
