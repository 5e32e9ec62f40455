"""The transforms of a recipe, once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meiro import transforms as public
from meiro._utils.messages import short_repr
from meiro._utils.validation import items_of
from meiro.mazes._recipe import refuse_digests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def replay(mazes: Any, steps: Any) -> Any:
    """Return what transforms make of a maze or of a batch, as `meiro.generate` takes them; see `steps_of`."""
    for name, own in steps_of(steps):
        mazes = _ADAPTED.get(name, getattr(public, name))(mazes, **own)
    return mazes


def steps_of(steps: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield names of transforms and their arguments, checked.

    Raises
    ------
    ValueError
        If a step names no transform.
    TypeError
        If it is no name with arguments, or an argument is only the digest of what was too large to list.
    """
    for i, step in enumerate(items_of(steps, "transforms", "names of transforms with their arguments")):
        if not (isinstance(step, list | tuple) and len(step) == 2 and isinstance(step[1], dict)):
            what = 'a name and arguments, as ("braid", {"p": 0.5})'
            raise TypeError(f"transforms[{i}] must be {what}, not {short_repr(step)}")
        name, own = step
        if name not in _STEPS:
            names = ", ".join(sorted(_STEPS))
            raise ValueError(f"transforms[{i}] is {short_repr(name)}, and no transform: there are {names}")
        refuse_digests(own, f"call meiro.{name} with it")
        yield name, own


def _cropped(maze: Any, window: Any) -> Any:
    """Crop: lines of rows and of columns are given by the first and the one after the last."""
    lines = window and isinstance(window[0], list | tuple)
    return public.crop(maze, tuple(slice(*line) for line in window) if lines else window)


def _stitched(maze: Any, mazes: Any, **own: Any) -> Any:
    """Stitch mazes that are given by their recipes; none is the maze so far."""
    from meiro.generators.generate import generate

    rows: Any = [[maze if recipe is None else generate(**recipe) for recipe in row] for row in mazes]
    return public.stitch(rows, **own)


_STEPS = [name for name in public.__all__ if name.islower() and name != "locks"]  # which give mazes
_ADAPTED: dict[str, Callable[..., Any]] = {"crop": _cropped, "stitch": _stitched}
