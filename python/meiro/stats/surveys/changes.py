"""What a survey does to mazes before it measures them: openings and transforms."""

from __future__ import annotations

import inspect
import itertools
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from meiro._utils.messages import short_repr
from meiro.generators.generate import generate_many
from meiro.mazes._recipe import plain
from meiro.seeds import Seed, replicate_of, seed_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from meiro.generators.request import GenerateRequest

_PLACES = "with_openings", "with_ends"  # draw two of these, both from the same numbers, if they are "random"
_SEVERAL = "Sequence", "ArrayLike", "Iterable"  # in the type of an argument that takes a list as one value


class Step(NamedTuple):
    """A transform with its arguments; the seed is that of the first maze, None where nothing is drawn."""

    name: str
    arguments: dict[str, Any]
    seed: Seed | None
    threads: bool  # whether it takes them
    axes: dict[str, Any]  # the arguments that were given several values, by the name of their column


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
        for name, arguments, seed, takes_threads, _ in self.steps:
            more: dict[str, Any] = {} if seed is None else {"rng": replicate_of(seed, first)}
            steps.append((name, arguments | more | ({"threads": threads} if takes_threads else {})))
        return {"openings": self.openings, "transforms": steps or None}

    @property
    def axes(self) -> dict[str, Any]:
        """The arguments that were given several values, by the name of their column."""
        return {name: value for step in self.steps for name, value in step.axes.items()}

    def check(self, request: GenerateRequest) -> None:
        """Raise the errors of arguments, before the first maze is made."""
        if self:
            recipe: dict[str, Any] = {**request.recipe(), "shape": request.lattice or request.shape}
            generate_many(**recipe, n=0, **self.keywords(0, 1))

    def identity(self) -> dict[str, object]:
        """Return what a folder keeps of them, as JSON values: those that are given."""
        steps = [
            [name, plain(arguments), *(() if seed is None else (*seed.key, seed.replicate))]
            for name, arguments, seed, *_ in self.steps
        ]
        given = {"openings": plain(self.openings), "transforms": steps}
        return {name: json.loads(json.dumps(value, default=repr)) for name, value in given.items() if value}


def combinations(options: Mapping[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """Yield each combination of options, of which a list has several values."""
    values = [value if type(value) is list else [value] for value in options.values()]
    if [] in values:
        option = list(options)[values.index([])]
        raise ValueError(f"{where}[{short_repr(option)}] must hold at least one value")
    return (dict(zip(options, some, strict=True)) for some in itertools.product(*values))


def parse_changes(openings: Any, transforms: Any, seed: Seed) -> list[Changes]:
    """Return what is done to mazes, for each combination of values of the arguments of transforms.

    The names are checked, and each transform that draws has a seed: its own, or that of the survey.
    With one seed different transforms are independent (`meiro.transforms.loops`); one that comes again has a
    seed that is made of it.
    """
    if transforms is None:
        return [Changes(openings, ())]
    from meiro import transforms as public
    from meiro.transforms._replay import steps_of

    steps: list[list[Step]] = []
    names: list[str] = []
    drawn: list[Any] = [_PLACES] if _is_random(openings) else []
    for i, (name, given) in enumerate(steps_of(transforms)):
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
        names.append(name)
        label = f"transform_{name}" + f"_{names.count(name)}" * (name in names[:-1])
        axes = [key for key, value in arguments.items() if type(value) is list and _varies(takes, key)]
        several = {key: value if key in axes else [value] for key, value in arguments.items()}
        for key in axes:
            _refuse_twice(several[key], f"transforms[{i}][{key!r}]")
        steps.append(
            [
                Step(
                    name,
                    one,
                    own,
                    threads="threads" in takes and "threads" not in given,
                    axes={f"{label}_{key}": one[key] for key in axes},
                )
                for one in combinations(several, f"transforms[{i}]")
            ]
        )
    return [Changes(openings, some) for some in itertools.product(*steps)]


def _varies(takes: Mapping[str, inspect.Parameter], name: str) -> bool:
    """Return whether a list has several values of an argument, and is not one itself."""
    return name in takes and not any(word in str(takes[name].annotation) for word in _SEVERAL)


def _refuse_twice(values: list[Any], where: str) -> None:
    for i, value in enumerate(values):
        if repr(value) in map(repr, values[:i]):
            raise ValueError(f"{where} holds {short_repr(value)} twice")


def _is_random(value: object) -> bool:
    return isinstance(value, str) and value == "random"
