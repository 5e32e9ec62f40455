"""Tasks on the chunks of an array of Dask, and an array that is made or read once more.

They are written down as a graph: `dask.delayed` looks through the whole graph of an array for each chunk,
which takes minutes for some thousand chunks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro._utils.messages import requires_extra
from meiro._utils.validation import require_type

with requires_extra("dist", "dask"):
    import dask.array
    from dask.base import tokenize
    from dask.core import get_dependencies
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph
    from dask.utils import ensure_dict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_T = TypeVar("_T")


def check_array(passages: Any) -> None:
    """Raise an error if something is not an array of Dask of passages, by its type and shape."""
    what, instead = "an array of Dask", "; dask.array.from_array makes one"
    require_type(passages, dask.array.Array, "passages", what, instead)
    if passages.dtype != np.uint8:
        raise TypeError(f"passages must be uint8, not {passages.dtype}")
    if passages.ndim != 2 or 0 in passages.shape or any(np.isnan(n) for n in passages.shape):
        raise ValueError(f"passages must have shape (rows, cols), at least (1, 1), not {passages.shape}")


def corners_of(chunks: tuple[tuple[int, ...], tuple[int, ...]]) -> list[list[int]]:
    """Return the first rows and the first columns of the chunks, and those after the last."""
    return [np.cumsum((0, *sizes)).tolist() for sizes in chunks]


def keys_of_chunks(array: dask.array.Array, name: str) -> list[list[Any]]:
    """Return the key of a task for each chunk, in rows."""
    rows, cols = array.numblocks
    return [[(name, i, j) for j in range(cols)] for i in range(rows)]


def merge_all(grid: Sequence[Sequence[_T]], merge: Callable[[_T, _T], _T]) -> _T:
    """Merge neighbours two by two until one is left; the second lies to the right of the first, or below."""
    while len(grid) > 1 or len(grid[0]) > 1:
        across = len(grid[0]) >= len(grid)
        lines = grid if across else list(zip(*grid, strict=True))
        merged = [
            [merge(*line[j : j + 2]) if j + 1 < len(line) else line[j] for j in range(0, len(line), 2)]
            for line in lines
        ]
        grid = merged if across else list(zip(*merged, strict=True))
    return grid[0][0]


def with_tasks(array: dask.array.Array, key: Any, tasks: Mapping[Any, Any]) -> Any:
    """Return the Delayed that is the result of one of some tasks, which may need chunks of an array."""
    name = f"meiro-tasks-{tokenize(key)}"
    graph = HighLevelGraph.from_collections(name, tasks, dependencies=[array])  # type: ignore[list-item]
    return Delayed(key, graph, layer=name)  # type: ignore[no-untyped-call]


def made_again(array: dask.array.Array, after: Any) -> dask.array.Array:
    """Return an array that is equal to another, whose tasks all begin after another task (a Delayed).

    No chunk of `array` is kept for it: its tasks have other keys. This is what `dask.graph_manipulation.bind`
    is for, which leaves tasks of slices, of `rechunk` and of `concatenate` without the ones that they need
    (dask/dask#12127, in 2026.8).
    """
    graph: dict[Any, Any] = ensure_dict(array.dask)
    token = tokenize(array.name, after.key)
    keys = {key: _renamed(key, token) for key in graph}
    copied: dict[Any, Any] = {}
    for key, task in graph.items():
        needed = get_dependencies(graph, key)
        is_first = not needed - {key}  # a chunk that a cluster holds is a future of its own key
        copied[keys[key]] = (_first, task, after.key) if is_first else _with_keys(task, keys, keys[key])
    name = str(_renamed(array.name, token))
    layers = HighLevelGraph.from_collections(name, copied, dependencies=[after])
    return dask.array.Array(layers, name, array.chunks, meta=array)  # type: ignore[no-untyped-call]


def _renamed(key: Any, token: str) -> Any:
    if isinstance(key, tuple) and key:
        return (_renamed(key[0], token), *key[1:])
    return f"{key}-{token}"


def _with_keys(task: Any, keys: Mapping[Any, Any], key: Any) -> Any:
    """Return a task of Dask, in either of its two forms, that needs the tasks of other keys."""
    if hasattr(task, "substitute"):
        return task.substitute(keys, key=key)
    if isinstance(task, tuple) and task and callable(task[0]):
        return (task[0], *(_with_keys(value, keys, key) for value in task[1:]))
    if isinstance(task, list):
        return [_with_keys(value, keys, key) for value in task]
    try:
        return keys.get(task, task)
    except TypeError:  # of an unhashable value, such as an array
        return task


def _first(value: _T, _: object) -> _T:
    return value
