"""`position_map`: the mean of a local measure in each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.progress import Progress, reporter
from meiro.maze._validation import mask_bytes
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.registry import MEASURES

if TYPE_CHECKING:
    from numpy.typing import NDArray


def position_map(x: MazeBatch | Maze, measure: str, *, progress: Progress = False) -> NDArray[np.float64]:
    """Map a local measure: the share of mazes in which each cell contributes to the sum.

    Parameters
    ----------
    x : MazeBatch or Maze
        The mazes whose mean is taken; of one maze the map is its own.
    measure : str
        One of the local measures of ``meiro.MEASURES``, which are sums over cells, such as ``"dead_ends"``.
        A passage counts in its western or northern cell.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in mazes.

    Returns
    -------
    ndarray of float64, shape (rows, cols)
        The mean over the mazes in which the cell exists: 1 if it contributes in all of them; NaN if it exists
        in none. If all mazes have the same cells, the sum of the map is the mean of the measure.

    Raises
    ------
    ValueError
        If the measure does not exist, or is not local.
    TypeError
        If `x` is neither a MazeBatch nor a Maze.

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
    """
    facts = MEASURES.find(measure, "measure")
    if not facts.local:
        local = ", ".join(m.name for m in MEASURES.values() if m.local)
        msg = f"{facts.name!r} is not a sum over cells; these are: {local}"
        raise ValueError(msg)
    if isinstance(x, MazeBatch):
        passages, mask = x.passages, x.masks
    elif isinstance(x, Maze):
        passages, mask = x.passages[np.newaxis], x.mask
    else:
        msg = f"x must be a MazeBatch or a Maze, not {type(x).__name__}"
        raise TypeError(msg)
    n, size = len(passages), passages[:1].size or 1
    counts = _core.position_counts(passages, mask_bytes(mask), facts.name, reporter(progress, size))
    if mask is None:
        mazes: Any = np.broadcast_to(n, counts.shape)
    else:
        mazes = mask.sum(axis=0) if mask.ndim == 3 else n * mask
    with np.errstate(invalid="ignore"):  # NaN for cells of no maze
        return np.asarray(counts / mazes)
