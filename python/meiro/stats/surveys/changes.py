"""What a survey does to mazes before it measures them: openings and transforms."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from meiro.generators.generate import generate_many
from meiro.mazes._recipe import plain
from meiro.seeds import Seed, replicate_of, seed_of

if TYPE_CHECKING:
    from meiro.generators.request import GenerateRequest

_PLACES = "with_openings", "with_ends"  # draw two of these, both from the same numbers, if they are "random"


class Step(NamedTuple):
    """A transform with its arguments; the seed is that of the first maze, None where nothing is drawn."""

    name: str
    arguments: dict[str, Any]
    seed: Seed | None
    threads: bool  # whether it takes them


class Changes(NamedTuple):
    """Openings, and transforms in their order."""

    openings: Any
    steps: tuple[Step, ...]

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return self.openings is not None or bool(self.steps)

    def keywords(self, first: int, threads: int) -> dict[str, Any]:
        """Return the arguments of `generate_many` for mazes of which one of this number is the first."""
        steps = []
        for name, arguments, seed, takes_threads in self.steps:
            more: dict[str, Any] = {} if seed is None else {"rng": replicate_of(seed, first)}
            steps.append((name, arguments | more | ({"threads": threads} if takes_threads else {})))
        return {"openings": self.openings, "transforms": steps or None}

    def check(self, request: GenerateRequest) -> None:
        """Raise the errors of arguments, before the first maze is made."""
        if self:
            recipe: dict[str, Any] = {**request.recipe(), "shape": request.lattice or request.shape}
            generate_many(**recipe, n=0, **self.keywords(0, 1))

    def identity(self) -> dict[str, object]:
        """Return what a folder keeps of them, as JSON values: those that are given."""
        steps = [
            [name, plain(arguments), *(() if seed is None else (*seed.key, seed.replicate))]
            for name, arguments, seed, _ in self.steps
        ]
        given = {"openings": plain(self.openings), "transforms": steps}
        return {name: json.loads(json.dumps(value, default=repr)) for name, value in given.items() if value}


def parse_changes(openings: Any, transforms: Any, seed: Seed) -> Changes:
    """Check the names of transforms and give each that draws a seed: its own, or that of the survey.

    With one seed different transforms are independent (`meiro.transforms.loops`); one that comes again has a
    seed that is made of it.
    """
    if transforms is None:
        return Changes(openings, ())
    from meiro import transforms as public
    from meiro.transforms._replay import steps_of

    steps: list[Step] = []
    drawn: list[Any] = [_PLACES] if _is_random(openings) else []
    for name, given in steps_of(transforms):
        takes = inspect.signature(getattr(public, name)).parameters
        arguments = {key: value for key, value in given.items() if key != "rng"}
        own = None
        if "rng" in takes and (name not in _PLACES or any(map(_is_random, arguments.values()))):
            stream = _PLACES if name in _PLACES else name
            again = drawn.count(stream)
            drawn.append(stream)
            own = seed if not again else Seed(seed_of((*seed.key, again)).key, seed.replicate)
        if given.get("rng") is not None:
            own = seed_of(given["rng"])
        steps.append(Step(name, arguments, own, "threads" in takes and "threads" not in given))
    return Changes(openings, tuple(steps))


def _is_random(value: object) -> bool:
    return isinstance(value, str) and value == "random"
