"""The options of `meiro.generate`, checked: one check for each kind that the facts of the core name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.cell_words import MIDDLE
from meiro._utils.messages import listed, right_word, short_repr
from meiro._utils.square import E, N, S, Shape, W, direction_word, existing_cell, n_walls
from meiro._utils.validation import (
    integer,
    integers,
    number,
    number_array,
    one_of,
    pair,
    plain_array,
    require_shape,
)
from meiro.lattices.lattice import cell_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import CellLike
    from meiro.lattices.lattice import Lattice
    from meiro.registry import Algorithm, AlgorithmFacts

FACTS: Mapping[str, Mapping[str, Any]] = _core.OPTIONS
_HUGE = 1e300  # sums of conductances stay finite
_EXACT = 1 << 53  # from here on doubles do not tell integers apart
Choice = Literal["newest", "oldest", "random", "middle"]


class GenerateOptions(TypedDict, total=False):
    """The options of all algorithms, for type checkers."""

    start: CellLike | Literal["random"] | None
    after_dead_end: Literal["newest", "random"] | None
    order: ArrayLike | None
    weights: ArrayLike | None
    falls: ArrayLike | None
    corner: Literal["north_west", "north_east", "south_east", "south_west"] | None
    towards: Literal["north", "east", "south", "west"] | None
    choose: Choice | Mapping[Choice, float] | None
    hunt: Literal["row_major", "random_row"] | None
    walks: Literal["posts", "cells"] | None
    room: int | None
    run: float | None
    bias: float | None
    p: float | None
    steps: int | None
    trees: int | None
    tries: int | None
    sides: tuple[int, int] | None
    doors: float | None
    dead_ends: Literal["keep", "remove"] | None
    fill: Algorithm | str | None


class OptionContext(NamedTuple):
    """What options are checked against: the algorithm, and a shape or a lattice."""

    facts: AlgorithmFacts
    shape: Shape
    mask: NDArray[np.bool_] | None
    wrap: tuple[bool, bool]
    lattice: Lattice | None = None

    @property
    def takes(self) -> Iterable[str]:
        """The options that the algorithm takes there."""
        return self.facts.options if self.lattice is None else self.facts.graph_options

    @property
    def n_walls(self) -> int:
        """The number of walls between cells: of edges."""
        return n_walls(self.shape, self.wrap) if self.lattice is None else self.lattice.n_edges

    @property
    def description(self) -> str:
        """The kind of maze, in error messages."""
        return f"a maze of {self.shape}" if self.lattice is None else f"{self.lattice!r}"


def given_options(options: Mapping[str, object]) -> dict[str, object]:
    """Return the options that are given, those that no algorithm has with whatever value."""
    given = {name: options[name] for name in FACTS if options.get(name) is not None}
    return given | {name: value for name, value in options.items() if name not in FACTS}


def prepare_options(
    context: OptionContext, given: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Check the options of an algorithm; return them as the core takes them and as a recipe keeps them."""
    core: dict[str, object] = {}
    recipe: dict[str, object] = {}
    takes = context.takes
    for name, value in given.items():
        if name not in takes:
            where = "" if context.lattice is None else " on a lattice"
            from meiro.registry import ALGORITHMS

            raise TypeError(unknown_option(context.facts.name, name, takes, where, ALGORITHMS.values()))
        core[name], recipe[name] = _KINDS[FACTS[name]["kind"]](name, value, context)
    if recipe.get("walks") == "posts" and all(context.wrap):
        raise ValueError(
            'walks="posts" is not for a torus, wrap=(True, True), whose walls are no tree: leave it out'
        )
    if context.lattice is not None and "run" in core and not context.lattice.knows_straight:
        raise ValueError(
            f"run needs to know which step goes straight on, and {context.lattice!r} does not: leave it out"
        )
    for one, other, what in _RIVALS:
        if one in core and other in core:
            raise TypeError(f"{one} and {other} both set {what}: give one of them")
    return core, recipe


_RIVALS = (
    ("order", "weights", "the order of the walls"),
    ("order", "bias", "the order of the walls"),
    ("weights", "bias", "the weights of the walls"),
    ("falls", "towards", "the direction of the falls"),
)


_EVERYWHERE = ("rng", "shape", "n", "start", "goal", "algorithm", "threads")  # arguments of most functions


def unknown_option(
    owner: str, option: str, takes: Iterable[str], where: str = "", others: Iterable[Any] = ()
) -> str:
    """Say that an algorithm or solver does not take an option, which ones it takes, and which others do."""
    hint = right_word(option, (*takes, *_EVERYWHERE))
    if option == "n" or "'n'" in hint:
        hint = " (meiro.generate_many makes n mazes)"
    able = [repr(facts.name) for facts in others if option in facts.options]
    which = f"; {option} is for {listed(able)}" if able else ""
    return f"{owner!r} takes no option {option!r}{where}{hint}; it takes {', '.join(takes) or 'none'}{which}"


def _start_cell(name: str, value: object, context: OptionContext) -> tuple[object, object]:
    if context.lattice is not None and (value != "random" or "random" in (context.lattice.labels or ())):
        number_of_cell = cell_of(context.lattice, value, name)
        return number_of_cell, value
    if isinstance(value, str):
        if value == "random":
            return _core.RANDOM_CELL, value
        if value != MIDDLE:
            raise ValueError(
                f'{name} must be a cell (row, col), "{MIDDLE}" or "random", not {short_repr(value)}'
            )
    cell = existing_cell(value, context.shape, context.mask, name)
    return cell[0] * context.shape[1] + cell[1], cell


def _choice(name: str, value: object, _context: OptionContext) -> tuple[object, object]:
    choices = FACTS[name]["choices"]
    if isinstance(value, str) and choices[0].startswith("north"):
        value = direction_word(value)
    word = one_of(value, name, choices)
    return choices.index(word), word


def _mix(name: str, value: object, _context: OptionContext) -> tuple[object, object]:
    from fractions import Fraction

    choices = FACTS[name]["choices"]
    odds = {value: 1} if isinstance(value, str) else value
    if not isinstance(odds, Mapping) or not set(odds) <= set(choices):
        words = " or ".join(map(repr, choices))
        raise ValueError(
            f"{name} must be {words}, or odds such as {{'newest': 3, 'random': 1}}, not {short_repr(value)}"
        )
    parts = [Fraction(number(odds.get(word, 0), f"{name}[{word!r}]", 0)) for word in choices]
    if not sum(parts):
        raise ValueError(f"{name} must give something a chance: {short_repr(value)}")
    whole = math.lcm(*(part.denominator for part in parts))
    counts = [int(part * whole) for part in parts]
    if sum(counts) >= 1 << 32:
        counts = [int(part * ((1 << 31) / sum(parts))) for part in parts]
    shared = math.gcd(*counts)
    kept = value if isinstance(value, str) else dict(odds)
    return tuple(count // shared for count in counts), kept


def _count(name: str, value: object, _context: OptionContext) -> tuple[object, object]:
    count = integer(value, name, FACTS[name]["least"], 1 << 62)
    return count, count


def scaled(share: float, unit: int) -> int:
    """Return the nearest multiple of 1 / unit, exactly."""
    from fractions import Fraction

    return round(Fraction(share) * unit)


def _factor(name: str, value: object, _context: OptionContext) -> tuple[object, object]:
    factor = number(value, name, 1 / 1024, 1024)
    return scaled(factor, 1 << 20), factor


def _probability(name: str, value: object, _context: OptionContext) -> tuple[object, object]:
    p = number(value, name, 0, 1)
    return scaled(p, 1 << 63), p


def _sides(name: str, value: object, _context: OptionContext) -> tuple[object, object]:
    sides = pair(value, name)
    least, most = (integer(side, name, FACTS[name]["least"], 1 << 62) for side in sides)
    if least > most:
        raise ValueError(f"{name} must be (least, greatest), not {(least, most)}")
    return (least, most), (least, most)


def _generator(name: str, value: object, _context: OptionContext) -> tuple[object, object]:
    from meiro.registry import ALGORITHMS

    facts = ALGORITHMS.find(value, name)  # type: ignore[arg-type]  # what is no name says so
    if not (facts.masks and facts.perfect):
        can = ", ".join(f.name for f in ALGORITHMS.values() if f.masks and f.perfect)
        raise ValueError(
            f"{name} must make perfect mazes and take a mask, not {facts.name!r}; these do: {can}"
        )
    return facts.name, facts.name


def _order(name: str, value: Any, context: OptionContext) -> tuple[object, object]:
    order = integers(value, name).reshape(-1)
    count = context.n_walls
    kind = context.description
    if len(order) != count:
        raise ValueError(
            f"{name} must hold each of the {count} wall ids of {kind} once, not {len(order)} ids"
        )
    bad = np.flatnonzero((order < 0) | (order >= count))
    if bad.size:
        raise ValueError(
            f"{name}[{bad[0]}] = {order[bad[0]]} is no wall id of {kind}: ids are 0..{count - 1}"
        )
    twice = np.flatnonzero(np.bincount(order, minlength=count) > 1)
    if twice.size:
        raise ValueError(f"{name} must hold each wall id once, and {twice[0]} comes more than once")
    return read_only(order), order


def _weights(name: str, value: Any, context: OptionContext) -> tuple[object, object]:
    given = plain_array(value, name)
    weights = np.array(number_array(given, name))
    count = context.n_walls
    require_shape(weights, (count,), name, "one number a wall id")
    conduct = context.facts.law == "uniform"
    _check_weights(name, weights, context.lattice, conduct=conduct)
    most = weights[np.isfinite(weights)].max(initial=0)
    exact = weights.min(initial=0) >= 0 and most <= _EXACT
    if not (conduct or (exact and given.dtype.kind != "O")):
        weights = _ranks(value if isinstance(value, np.ndarray) else np.array(value, object))
    return read_only(weights), weights


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return numbers in the order of any values, compared as Python does; a minimum tree needs no more."""
    return np.unique(values, return_inverse=True)[1].astype(np.float64)


def _faults(
    weights: NDArray[np.float64], lattice: Lattice | None, *, conduct: bool
) -> Iterator[tuple[NDArray[np.bool_], str]]:
    """Yield which weights are wrong, and in what, one array at a time."""
    yield np.isnan(weights), "is NaN"
    if conduct:
        yield weights < 0, "is negative, and conducts nothing: minimum trees take such weights, of kruskal"
        without = "leave cells out by mask=" if lattice is None else "make the lattice without that edge"
        yield weights == 0, f"conducts nothing: {without}"
        yield weights > _HUGE, f"is more than the {_HUGE:g} that an edge can conduct"


def _check_weights(
    name: str, weights: NDArray[np.float64], lattice: Lattice | None, *, conduct: bool
) -> None:
    """Refuse weights that are no lengths or, to `conduct`, no conductances."""
    for bad, why in _faults(weights, lattice, conduct=conduct):
        if bad.any():
            at = int(bad.argmax())
            value = "" if np.isnan(weights[at]) else f" = {weights[at]:g}"
            raise ValueError(f"{name}[{at}]{value} {why}")


def _falls(name: str, value: Any, context: OptionContext) -> tuple[object, object]:
    shape = context.shape
    falls = integers(value, name)
    posts = (shape[0] - 1, shape[1] - 1)
    if falls.size or 0 not in posts:
        require_shape(falls, posts, name, "one direction an inner post")
    bad = np.argwhere(~np.isin(falls, (N, E, S, W)))
    if bad.size:
        at = tuple(map(int, bad[0]))
        raise ValueError(f"{name}{list(at)} = {falls[at]} is no direction: N=1, E=2, S=4, W=8")
    return read_only(falls.astype(np.uint8).reshape(posts)), read_only(falls)


_KINDS = {
    "cell": _start_cell,
    "choice": _choice,
    "wall_order": _order,
    "wall_weights": _weights,
    "post_directions": _falls,
    "mix": _mix,
    "count": _count,
    "factor": _factor,
    "probability": _probability,
    "sides": _sides,
    "generator": _generator,
}
