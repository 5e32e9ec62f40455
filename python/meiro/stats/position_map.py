"""`position_map`: the mean of a local measure in each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.messages import listed
from meiro._utils.progress import Progress, reporter
from meiro.registry import MEASURES
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.spaces.space import EitherMaze, ManyMazes


def position_map(
    x: EitherMaze | ManyMazes,
    measure: str,
    *,
    progress: Progress = False,
) -> NDArray[np.float64]:
    """Map a local measure: the share of mazes in which each cell contributes to the sum.

    Parameters
    ----------
    x : Maze, GraphMaze, MazeBatch, GraphBatch or list of mazes
        The mazes whose mean is taken; of one maze the map is its own.
    measure : str
        One of the local measures of ``meiro.MEASURES``, which are sums over cells, such as ``"dead_ends"``.
        A passage counts in its western or northern cell. On a lattice those whose ``graphs`` is true as well.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in mazes.

    Returns
    -------
    ndarray of float64, shape (rows, cols), on a lattice (n_cells,)
        The mean over the mazes in which the cell exists: 1 if it contributes in all of them; NaN if it exists
        in none. If all mazes have the same cells, the sum of the map is the mean of the measure.

    Raises
    ------
    ValueError
        If the measure does not exist, or is not local.
    TypeError
        If `x` is neither a maze nor a batch, or the measure has no meaning on its lattice.

    See Also
    --------
    meiro.measure : The sum for each maze.
    meiro.edge_probabilities : The exact probability of each passage, for some algorithms.

    Examples
    --------
    In the upper two rows of pole toppling fewer walls stand than in all other rows, which have 2/5 of them:

    >>> many = meiro.generate_many((6, 20), "pole_toppling", 20_000, rng=7)
    >>> passages = meiro.position_map(many, "horizontal_passages")[:, 5:-1]
    >>> (1 - passages.mean(axis=1)).round(2).tolist()
    [0.27, 0.27, 0.4, 0.4, 0.4, 0.4]

    On a disc the cells of the rim are more often dead ends:

    >>> disc = meiro.lattices.polar(6)
    >>> ends = meiro.position_map(meiro.generate_many(disc, n=1000, rng=7), "dead_ends")
    >>> len(ends) == disc.n_cells, ends[disc.outline.rim_cells].mean() > ends.mean()
    (True, np.True_)
    """
    facts, space = MEASURES.find(measure, "measure"), mazes_of(x, "x")
    known = [m.name for m in MEASURES.values() if m.local and (m.graphs or not space.on_lattice)]
    if not facts.local:
        raise ValueError(f"{facts.name!r} is not a sum over cells; these are: {', '.join(known)}")
    if facts.name not in known:
        raise TypeError(
            f"{facts.name!r} needs rows and columns, which {space.lattice!r} has not; it has {listed(known)}"
        )
    counts = _core.position_counts(space.core, facts.name, reporter(progress, space.size or 1))
    exist = space.existing()
    mazes: Any = np.broadcast_to(space.n, counts.shape)
    if exist is not None:
        mazes = exist.sum(axis=0) * (space.n if len(exist) == 1 else 1)
    with np.errstate(invalid="ignore"):  # NaN for cells of no maze
        return np.asarray(counts / mazes).reshape(space.shape)
