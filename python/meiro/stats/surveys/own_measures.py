"""Measures of the user's own: functions of a batch, or by `each` of one maze, and how a folder knows them."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import json
import numbers
import operator
import pickle
import sys
import textwrap
import types
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import array_digest
from meiro._utils.messages import short_repr
from meiro._utils.set_module import set_module
from meiro._utils.validation import items_of, plain_array, require_shape
from meiro.registry import MEASURES
from meiro.stats.measure import measure_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

OwnMeasure = Callable[[Any], Any]
"""A function of a `MazeBatch` or `GraphBatch`, which returns a number for each maze."""

_COLUMNS = "algorithm lattice rows cols replicate seed_0 seed_1 stream version"  # of the tables of a survey


class _Each:
    """A measure of a batch that calls a function with one maze after the other."""

    def __init__(self, function: Callable[[Any], Any], version: str | int | None) -> None:
        functools.update_wrapper(self, function)
        self.__name__ = name_of(function)
        self.__qualname__ = getattr(function, "__qualname__", self.__name__)
        self.function = function
        self.version = getattr(function, "version", None) if version is None else version

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the function; one that was decorated is found in this object, which has its name."""
        public: Any = sys.modules.get(self.__module__)
        with contextlib.suppress(AttributeError):
            if operator.attrgetter(self.__qualname__)(public) is self:
                self.function.__qualname__ = f"{self.__qualname__}.function"
        return _Each, (self.function, self.version)

    def __repr__(self) -> str:
        return f"each({self.__name__})"

    def __call__(self, mazes: MazeBatch | GraphBatch) -> NDArray[np.float64]:
        """Return the number of each maze."""
        return _values_of_each(self, mazes, "mazes[{}]".format)


def _values_of_each(measure: _Each, mazes: Iterable[Any], tell: Callable[[int], str]) -> NDArray[np.float64]:
    """Return the number of each maze; notes of errors say which maze it was, as `tell` does."""
    found = []
    for i, maze in enumerate(mazes):
        try:
            found.append(_number(measure.function(maze), measure.__name__))
        except Exception as error:
            error.add_note(f"{measure.__name__!r} of {tell(i)}")
            raise
    return np.array(found, np.float64)


@set_module("meiro.stats")
def each(
    function: Callable[[Maze], float] | Callable[[GraphMaze], float], *, version: str | int | None = None
) -> Callable[[MazeBatch | GraphBatch], NDArray[np.float64]]:
    """Make a measure of the user's own, for `meiro.survey`, of a function of one maze.

    Parameters
    ----------
    function : callable
        It takes a `Maze` (on a lattice a `GraphMaze`) and returns a number, NaN where the maze has none.
    version : str or int, optional
        What the folder of a survey knows the measure by, instead of a digest of its source (see Notes).

    Returns
    -------
    callable
        It takes a batch and returns an array of float64 with a number for each maze. It has the name of the
        function. An error of the function has a note that says of which maze it is.

    Raises
    ------
    TypeError
        If `function` cannot be called with one maze, or `version` is neither a text nor an integer.

    See Also
    --------
    meiro.survey : Generate and measure many mazes without keeping them.
    meiro.measure : The measures that meiro has, which are far faster.

    Notes
    -----
    A survey that is resumed from a folder knows a measure of the user's own by its name and by a digest of
    the source of the function, of its defaults, and of what it has from the functions around it (its
    closure). Functions and values of the module that it uses by their names, its globals, are not seen.
    Where a digest does not do, `version` stands for it, or an attribute ``version`` of the function: what has
    no source, as a function typed in at some prompts, needs one, and whoever changes what is not seen gives
    another one.

    Examples
    --------
    >>> def reach(maze):
    ...     return meiro.distances(maze, (0, 0)).max()
    >>> mazes = meiro.generate_many((8, 8), "kruskal", 4, rng=7)
    >>> meiro.stats.each(reach)(mazes)
    array([21., 19., 19., 18.])
    >>> table = meiro.survey((8, 8), "kruskal", 400, rng=7, measures=[meiro.stats.each(reach)])
    >>> table["measure"].tolist(), table["mean"].round(1).tolist()
    (['reach'], [21.5])
    """
    _require_callable(function, "function")
    if isinstance(version, bool) or not isinstance(version, str | int | None):
        raise TypeError(f"version must be a text or an integer, not {short_repr(version)}")
    return _Each(function, version)


def name_of(measure: object) -> str:
    """Return the name of a measure of the user's own, which its column has."""
    return str(getattr(measure, "__name__", type(measure).__name__))


def split_measures(measures: Any, *, on_lattice: bool) -> tuple[list[str], dict[str, OwnMeasure]]:
    """Return the names of all measures in their order, and those of the user's own by their names."""
    if measures is None:
        return measure_names(None, on_lattice=on_lattice), {}
    alone = isinstance(measures, str | bytes) or callable(measures)
    several = [measures] if alone else items_of(measures, "measures", "names such as 'dead_ends'")
    names: dict[str, None] = {}
    own: dict[str, OwnMeasure] = {}
    for measure in several:
        if not callable(measure):
            names |= dict.fromkeys(measure_names([measure], on_lattice=on_lattice))
            continue
        name = name_of(_require_callable(measure, "measures"))
        if name in {*MEASURES, *_COLUMNS.split()} or name.startswith(("option_", "transform_")):
            raise ValueError(
                f"measures: {name!r} is a column of meiro's: give {short_repr(measure)} another __name__"
            )
        if own.get(name, measure) is not measure:
            raise ValueError(f"measures: two functions have the name {name!r}: give one another __name__")
        names[name] = None
        own[name] = measure
    return list(names), own


def _require_callable(function: Any, argument: str) -> Any:
    """Return a function that can be called with one argument."""
    why = ""
    if callable(function) and not isinstance(function, type):
        try:
            inspect.signature(function).bind(None)
        except ValueError:  # a builtin, which does not tell its arguments
            return function
        except TypeError as error:
            why = f": {error}"
        else:
            return function
    raise TypeError(f"{argument} must be a function of one argument, not {short_repr(function)}{why}")


def own_values(
    measure: OwnMeasure, mazes: MazeBatch | GraphBatch, tell: Callable[[int], str]
) -> NDArray[np.float64]:
    """Return what a measure of the user's own gives for each maze; `tell` says which maze has a number."""
    if isinstance(measure, _Each):
        return _values_of_each(measure, mazes, tell)
    name, n = name_of(measure), len(mazes)
    result = measure(mazes)
    what = f"measures: the result of {name!r}"
    array = plain_array(result, what)
    if array.dtype.kind not in "biuf" or not array.ndim:
        kind = f" of {array.dtype}" if array.ndim else ""
        raise TypeError(f"{what} must be {n} numbers, one for each maze, not {short_repr(result)}{kind}")
    require_shape(array, (n,), what, "a number for each maze")
    values = array.astype(np.float64)
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise ValueError(_infinite(name, values[infinite[0]], f" for {tell(int(infinite[0]))}"))
    return values


def _number(value: Any, name: str) -> float:
    """Return what a function of one maze gave."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, numbers.Real | np.bool_):
        raise TypeError(
            f"measures: the result of {name!r} must be a number, NaN for none, not {short_repr(value)}"
        )
    found = float(value)
    if found in {np.inf, -np.inf}:
        raise ValueError(_infinite(name, found))
    return found


def _infinite(name: str, value: float, where: str = "") -> str:
    return f"measures: the result of {name!r} is {value}{where}: give NaN where a maze has no number"


def known_by(measure: OwnMeasure) -> str:
    """Return by what a folder knows a measure beside its name: its version, or a digest of what it is."""
    version = getattr(measure, "version", None)
    if version is not None:
        return f"version {version}"
    function = measure.function if isinstance(measure, _Each) else measure
    try:
        described = json.dumps(_described(function, ()))
    except (TypeError, ValueError, OSError) as error:
        what = f"measures: no digest tells whether {name_of(measure)!r} has changed ({error})"
        raise TypeError(
            f"{what}: give it a version, by each(..., version=1) or as its attribute version"
        ) from None
    return f"sha256 {hashlib.sha256(described.encode()).hexdigest()[:16]}"


def _described(value: Any, around: tuple[object, ...]) -> Any:
    """Return what makes up a function or a value of its defaults and closure, as JSON values."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return [type(value).__name__, repr(value)]
    if any(value is outer for outer in around):
        return ["within itself"]
    for kinds, parts in _PARTS:
        if isinstance(value, kinds):
            return [type(value).__name__, *(_described(part, (*around, value)) for part in parts(value))]
    name = getattr(value, "__qualname__", getattr(value, "__name__", None))
    if not around or name is None:
        raise TypeError(f"{short_repr(value)} has no source")
    return ["name", getattr(value, "__module__", None), name]  # a class, a module, a function in C


def _parts_of_function(function: types.FunctionType) -> list[Any]:
    source = textwrap.dedent(inspect.getsource(function.__code__))
    closure = [cell.cell_contents for cell in function.__closure__ or ()]
    return [source, function.__defaults__, function.__kwdefaults__, closure]


_PARTS: list[tuple[Any, Callable[[Any], Iterable[Any]]]] = [
    (types.FunctionType, _parts_of_function),
    (functools.partial, lambda some: [some.func, some.args, some.keywords]),
    (_Each, lambda measure: [measure.function]),
    (Mapping, lambda mapping: mapping.items()),
    ((list, tuple), iter),
    (AbstractSet, functools.partial(sorted, key=repr)),
    (np.ndarray | np.generic, lambda x: [x.tolist() if x.dtype.hasobject else array_digest(np.asarray(x))]),
]


def why_not_sent(own: Mapping[str, OwnMeasure]) -> str:
    """Return what keeps processes from having measures of the user's own, or an empty text."""
    for name, measure in own.items():
        try:
            pickle.dumps(measure)
        except Exception:  # noqa: BLE001  # whatever keeps it from being sent
            return f"; {name!r} cannot be pickled: define it at the top of a module, or take threads"
        if getattr(measure, "__module__", None) == "__main__":
            return f"; processes may not find {name!r}, of __main__: define it at the top of a module"
    return ""
