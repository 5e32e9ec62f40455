"""Maps: where in a maze something is, on average."""

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
    """Tell how often each cell counts in a measure that is a sum over cells.

    Parameters
    ----------
    x : MazeBatch or Maze
    measure : str
        One of those of ``meiro.MEASURES`` that are local, such as ``"dead_ends"``. A passage is counted at
        its western or northern cell.
    progress : bool or callable
        True for a bar, or ``callable(done, total)``, in mazes.

    Returns
    -------
    ndarray of float64, shape (rows, cols)
        The mean over the mazes that have the cell: 1 where it counts in all of them; NaN where there is none.
        Its sum is the mean of the measure, where all mazes have the same cells.

    Raises
    ------
    ValueError
        If there is no such measure, or it is not local.

    Examples
    --------
    The upper two rows of pole toppling are thinner than the others, where 2/5 of the walls stand:

    >>> many = meiro.generate_many(20_000, (6, 20), "pole_toppling", rng=7)
    >>> passages = meiro.position_map(many, "horizontal_passages")[:, 5:-1]
    >>> (1 - passages.mean(axis=1)).round(2).tolist()
    [0.27, 0.27, 0.4, 0.4, 0.4, 0.4]
    """
    facts = MEASURES.find(measure)
    if not facts.local:
        local = ", ".join(m.name for m in MEASURES.values() if m.local)
        msg = f"{facts.name!r} is no sum over cells; these are: {local}"
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
        mazes: Any = np.full(counts.shape, n)
    else:
        mazes = mask.sum(axis=0) if mask.ndim == 3 else n * mask
    out = np.full(counts.shape, np.nan)
    np.divide(counts, mazes, out=out, where=mazes > 0)
    return out
