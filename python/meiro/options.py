"""The options of `meiro.generate`: one generic check against the facts that the core states."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro.errors import shown
from meiro.lattice import E, N, S, Shape, W, checked_cell, integers, n_walls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro.registry import AlgorithmFacts

FACTS: Mapping[str, Mapping[str, Any]] = _core.options()


def prepare(
    facts: AlgorithmFacts, given: Mapping[str, object], shape: Shape, mask: NDArray[np.bool_] | None
) -> tuple[dict[str, object], dict[str, object]]:
    """Check the options given to an algorithm: as the core takes them, and as a recipe keeps them."""
    core: dict[str, object] = {}
    recipe: dict[str, object] = {}
    for name, value in given.items():
        if name not in facts.options:
            raise TypeError(unknown(facts.name, name, facts.options))
        core[name], recipe[name] = _KINDS[FACTS[name]["kind"]](name, value, shape, mask)
    if "order" in core and "weights" in core:
        msg = "order and weights both say which wall comes first: give one of them"
        raise TypeError(msg)
    return core, recipe


def unknown(owner: str, option: str, takes: tuple[str, ...]) -> str:
    """Say that an option is not taken, and what is."""
    near = difflib.get_close_matches(option, takes, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"{owner!r} takes no option {option!r}{hint}; it takes {', '.join(takes) or 'none'}"


def _cell(name: str, value: object, shape: Shape, mask: NDArray[np.bool_] | None) -> tuple[object, object]:
    cell = checked_cell(value, shape, name)
    if mask is not None and not mask[cell]:
        msg = f"{name} {cell} is masked out"
        raise ValueError(msg)
    return cell[0] * shape[1] + cell[1], cell


def _choice(
    name: str, value: object, _shape: Shape, _mask: NDArray[np.bool_] | None
) -> tuple[object, object]:
    choices = FACTS[name]["choices"]
    if value not in choices:
        msg = f"{name} must be {' or '.join(map(repr, choices))}, not {shown(value)}"
        raise ValueError(msg)
    return value, value


def _order(name: str, value: Any, shape: Shape, _mask: NDArray[np.bool_] | None) -> tuple[object, object]:
    order = integers(value, name).reshape(-1)
    count = n_walls(shape)
    if len(order) != count:
        msg = f"{name} must hold each of the {count} wall ids of a maze of {shape} once, not {len(order)} ids"
        raise ValueError(msg)
    bad = np.flatnonzero((order < 0) | (order >= count))
    if bad.size:
        msg = f"{name}[{bad[0]}] = {order[bad[0]]} is no wall id of a maze of {shape}: ids are 0..{count - 1}"
        raise ValueError(msg)
    twice = np.flatnonzero(np.bincount(order, minlength=count) > 1)
    if twice.size:
        msg = f"{name} must hold each wall id once, and {twice[0]} comes more than once"
        raise ValueError(msg)
    return _kept(order), order


def _weights(name: str, value: Any, shape: Shape, _mask: NDArray[np.bool_] | None) -> tuple[object, object]:
    try:
        weights = np.array(value, np.float64)
    except (TypeError, ValueError):
        msg = f"{name} must be numbers, not {shown(value)}"
        raise TypeError(msg) from None
    if weights.shape != (n_walls(shape),):
        msg = f"{name} must have shape ({n_walls(shape)},), one number a wall id, not {weights.shape}"
        raise ValueError(msg)
    bad = np.flatnonzero(np.isnan(weights))
    if bad.size:
        msg = f"{name}[{bad[0]}] is NaN"
        raise ValueError(msg)
    return _kept(weights), weights


def _falls(name: str, value: Any, shape: Shape, _mask: NDArray[np.bool_] | None) -> tuple[object, object]:
    falls = integers(value, name)
    posts = (shape[0] - 1, shape[1] - 1)
    if falls.shape != posts and not (falls.size == 0 and 0 in posts):
        msg = f"{name} must have shape {posts}, one direction an inner post, not {falls.shape}"
        raise ValueError(msg)
    bad = np.argwhere(~np.isin(falls, (N, E, S, W)))
    if bad.size:
        at = tuple(map(int, bad[0]))
        msg = f"{name}{list(at)} = {falls[at]} is no direction: N=1, E=2, S=4, W=8"
        raise ValueError(msg)
    return _kept(falls.astype(np.uint8).reshape(posts)), _kept(falls)


def _kept(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


_KINDS = {
    "cell": _cell,
    "choice": _choice,
    "wall_order": _order,
    "wall_weights": _weights,
    "post_directions": _falls,
}
