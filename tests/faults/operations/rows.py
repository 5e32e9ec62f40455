"""What a row of the table of long operations is, and how rows are added for mazes, batches, traces, ..."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from operations.large_inputs import batch_of, colours, maze_of, noise, room_of, table_of, trace_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    import meiro

SMALL = 10


class Operation(NamedTuple):
    """A public operation that takes long: its name, the side of its input, and what prepares a call."""

    name: str
    side: int
    build: Callable[[int], Callable[[], object]]
    waits: bool = False  # for other threads or processes: the time of the wall is judged, not that of the CPU


OPERATIONS: dict[str, Operation] = {}


def add(
    name: str, side: int, build: Callable[..., Callable[[], object]], *given: object, waits: bool = False
) -> None:
    """Add a row; `build` is called with a side and what is given."""
    assert name not in OPERATIONS, name
    OPERATIONS[name] = Operation(name, side, lambda n: build(n, *given), waits)


def consumed(items: Iterator[object], n: int) -> object:
    """Return the last of `n` items."""
    item = None
    for item, _ in zip(items, range(n), strict=False):  # noqa: B007
        pass
    return item


def on_maze(
    name: str, side: int, call: Callable[..., object], *given: object, algorithm: str = "backtracker"
) -> None:
    """Add a row for a function of a maze."""
    add(name, side, lambda n: partial(call, maze_of(n, algorithm), *given))


def on_batch(name: str, side: int, call: Callable[..., object], *given: object, waits: bool = False) -> None:
    """Add a row for a function of a batch of `side` times `side` mazes of 16 x 16."""
    add(name, side, lambda n: partial(call, batch_of(n * n), *given), waits=waits)


def on_room(
    name: str, side: int, call: Callable[[NDArray[np.uint8]], object], *, rough: bool = False
) -> None:
    """Add a row for a function of an array of walls and roads."""
    add(name, side, lambda n: partial(call, noise(n) if rough else room_of(n)))


def on_picture(name: str, side: int, call: Callable[[NDArray[np.uint8]], object]) -> None:
    """Add a row for a function of a picture."""
    add(name, side, lambda n: partial(call, colours(n)))


def on_table(name: str, side: int, call: Callable[[meiro.Table], object]) -> None:
    """Add a row for a method of a table of `side` times `side` rows."""
    add(name, side, lambda n: partial(call, table_of(n * n)))


def on_trace(name: str, side: int, call: Callable[[meiro.Trace], object], *, solve: bool = False) -> None:
    """Add a row for a function of a trace."""
    add(name, side, lambda n: partial(call, trace_of(n, solve=solve)))
