"""Recipes: the keywords with which `meiro.generate` makes a maze again, as plain values.

A maze keeps the arrays of its options as they are; the recipe that users see holds what JSON can hold.

What transforms have done since are steps, ``transforms=[[name, arguments], ...]``, plain from the beginning.
With the first step the recipe that is kept gets the seed, the lattice and the openings of the maze that was
generated. In a batch the seeds of such a recipe are those of replicate 0, and a maze has those that are its
own replicate further.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import LISTED, array_digest
from meiro.mazes._openings import alike, openings_of_all
from meiro.seeds import Seed, plain_seed, replicate_of, root_of, seed_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Recipe = Mapping[str, Any]
    Step = tuple[str, dict[str, Any]]

_STEPS = "transforms"


def plain_recipe(
    recipe: Recipe | None,
    seed: Seed | None,
    openings: NDArray[np.int64] | list[Any] | None,
    n: int | None = None,
) -> dict[str, Any] | None:
    """Return a recipe that ``json.dumps`` takes, with the seed and the openings; `n` is for a batch.

    Openings are not part of what a seed makes, and may be set later. An array of more than 10,000 numbers is
    replaced by what `array_digest` returns.
    """
    if recipe is None or (seed is None and not has_steps(recipe)):
        return None
    kept = {name: recipe[name] for name in ("shape", "algorithm")} | ({} if n is None else {"n": n})
    kept["rng"] = recipe.get("rng") if seed is None or has_steps(recipe) else plain_seed(seed)
    kept |= {name: value for name, value in recipe.items() if name not in kept}
    if openings is not None and len(openings) and not has_steps(recipe):
        kept["openings"] = openings_of_all(openings) if isinstance(openings, np.ndarray) else openings
    return {name: plain(value) for name, value in kept.items()}


def algorithm_of(recipe: Recipe | None) -> str | None:
    """Return the algorithm whose mazes these are, if nothing has changed them since."""
    return None if recipe is None or has_steps(recipe) else str(recipe["algorithm"])


def has_steps(recipe: Recipe) -> bool:
    """Return whether transforms have changed what was generated."""
    return _STEPS in recipe


def require_steps(recipe: Recipe) -> None:
    """Raise an error if what a file says of steps and seeds cannot be read."""
    rngs = [recipe["rng"], *(own["rng"] for _, own in recipe[_STEPS] if "rng" in own)]
    for rng in rngs:
        seed_of(rng)


def kept_recipe(x: Any) -> Recipe | None:
    """Return the recipe that a maze or a batch keeps, with its arrays."""
    recipe: Recipe | None = x._recipe  # noqa: SLF001  # of the classes of this folder
    return recipe


def recipe_after(maze: Any, steps: Sequence[Step] | None, seed: Seed | None = None) -> Recipe | None:
    """Return the recipe of what transforms make of a maze; None if it has none, or the steps are not known.

    The seed is that of the last step.
    """
    recipe = kept_recipe(maze)
    if recipe is not None and not has_steps(recipe):
        recipe = _begun(recipe, maze.recipe)
    return None if steps is None else _with_steps(recipe, steps, seed)


def recipe_after_many(
    batch: Any, steps: Sequence[Step] | None, seed: Seed | None, first: int | None
) -> Recipe | None:
    """Return the recipe of what transforms make of a batch, in which maze i gets replicate i of the seed.

    It had replicate ``first + i``, if that is not None; without a seed it keeps its replicate.
    """
    recipe = kept_recipe(batch)
    if recipe is None or steps is None or not len(batch):
        return None
    if not has_steps(recipe):
        if alike(batch.openings) is None:
            return None
        recipe = moved(_begun(recipe, batch[:1].recipe), -int(batch.replicates[0]))
    if seed is None:
        return _with_steps(recipe, steps)
    if first is None:
        return None
    return _with_steps(moved(recipe, first - seed.replicate), steps, Seed(*root_of(seed)))


def _begun(recipe: Recipe, plain: Recipe | None) -> Recipe | None:
    """Return a recipe that is kept, with what the plain one says of seed, lattice and openings."""
    if plain is None:
        return None
    return {
        **recipe,
        **{name: plain[name] for name in ("shape", "rng", "openings") if name in plain},
        _STEPS: [],
    }


def _with_steps(recipe: Recipe | None, steps: Sequence[Step], seed: Seed | None = None) -> Recipe | None:
    if recipe is None:
        return None
    added = [[name, {key: plain(value) for key, value in own.items()}] for name, own in steps]
    if seed is not None:
        added[-1][1] |= {"rng": plain_seed(seed)}  # type: ignore[operator]  # the arguments
    return {**recipe, _STEPS: [*recipe[_STEPS], *added]}


def recipe_with_openings(recipe: Recipe | None, openings: Any) -> Recipe | None:
    """Return the recipe of mazes whose openings were changed to those of all, or None for others in each.

    Only after a step it has to say so: else openings are beside it.
    """
    if recipe is None or not has_steps(recipe):
        return recipe
    return None if openings is None else _with_steps(recipe, [("with_openings", {"openings": openings})])


def moved(recipe: Recipe | None, by: int) -> Recipe | None:
    """Return the recipe of the maze that is `by` replicates further."""
    if recipe is None or not by or not has_steps(recipe):
        return recipe
    steps = [[name, _further(own, by)] for name, own in recipe[_STEPS]]
    return {**_further(recipe, by), _STEPS: steps}


def _further(own: Recipe, by: int) -> Recipe:
    return own if "rng" not in own else {**own, "rng": plain_seed(replicate_of(seed_of(own["rng"]), by))}


def number_of(recipe: Recipe | None, seed: Seed | None) -> int | None:
    """Return the replicate of a maze, or that with which its steps begin; None if it has neither."""
    if seed is not None:
        return seed.replicate
    return seed_of(recipe["rng"]).replicate if recipe is not None and has_steps(recipe) else None


def recipe_of_one(recipe: Recipe | None, seed: Seed | None, number: int) -> Recipe | None:
    """Return the recipe of one maze of a batch, of its seed and number."""
    if recipe is None or not has_steps(recipe):
        return None if seed is None else recipe
    return moved(recipe, number)


def recipe_on(recipe: Recipe | None, lattice: Recipe) -> Recipe | None:
    """Return the recipe that a maze keeps with that of its lattice, unless steps begin on another one."""
    return recipe if recipe is None or has_steps(recipe) else {**recipe, "shape": lattice}


def refuse_digests(given: Mapping[str, object], instead: str = "give the array, {again}") -> None:
    """Raise a TypeError if an option is only the digest of an array, as a recipe holds it."""
    for name, value in given.items():
        if isinstance(value, dict) and "sha256" in value:
            again = f"generate(**{{**recipe, {name!r}: array}})"
            raise TypeError(
                f"{name} of this recipe is only the digest of an array of shape {tuple(value['array'])}, "
                f"which is too large to list: {instead.format(again=again)}"
            )


def plain(value: object) -> object:
    """Return a value as JSON can hold it; an array of many numbers as its digest."""
    if isinstance(value, np.ndarray):
        return value.tolist() if value.size <= LISTED else array_digest(value)
    if isinstance(value, list | tuple):
        return type(value)(plain(item) for item in value)
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value.item() if isinstance(value, np.generic) else value
