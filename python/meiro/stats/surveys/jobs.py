"""The arguments of a survey, checked, and its division into files (parts) and jobs."""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._core import __version__
from meiro._utils.arrays import array_digest
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, Shape, ShapeLike
from meiro._utils.validation import integer, items_of, pair, plain_array
from meiro.exact._domain import domain_of
from meiro.generators.request import GenerateRequest, parse_request
from meiro.lattices._recipes import from_recipe
from meiro.lattices.lattice import Lattice
from meiro.registry import ALGORITHMS, MEASURES, AlgorithmFacts
from meiro.seeds import STREAM, Entropy, Seed
from meiro.stats.surveys.changes import Changes, combinations
from meiro.stats.surveys.own_measures import OwnMeasure, known_by, split_measures

if TYPE_CHECKING:
    from numpy.typing import NDArray

AlgorithmLike = str | tuple[str, Mapping[str, Any]]
Algorithms = AlgorithmLike | Sequence[AlgorithmLike] | Mapping[str, Mapping[str, Any]]

SurveyShape = ShapeLike | Lattice | Mapping[str, Any]

JOB_CELLS = 1 << 22  # of a job, in whole mazes
SHARED_CELLS = 1 << 16  # of a job at least, if the workers of an executor share a configuration
SHARED_JOBS = 32  # of a configuration then, about
PART_CELLS = 1 << 24  # of a file
MOST_MAZES = 1 << 16  # of a job, and of a file


class BatchWork(NamedTuple):
    """What is done with mazes that are made as a batch."""

    changes: Changes
    own: dict[str, OwnMeasure]  # measures of the user's own, by name


class Job(NamedTuple):
    """Mazes of one configuration to be generated and measured: all that a worker needs to know."""

    configuration: int
    algorithm: str
    shape: Shape | tuple[int]
    lattice: Lattice | dict[str, Any] | None  # or its recipe; None: rows and columns
    mask: NDArray[np.bool_] | None
    wrap: tuple[bool, bool]
    options: dict[str, object]  # as the core takes them; of a batch as `generate_many` does
    batch: BatchWork | None  # None: the core makes and measures one maze after the other
    names: list[str]
    key: tuple[int, int]
    entropy: Entropy  # of the key
    replicate: int  # of the first maze
    first: int  # its number in the survey
    n: int
    threads: int

    def __str__(self) -> str:
        """Return a description of the mazes for error messages."""
        last = (self.replicate + self.n - 1) % (1 << 64)
        which = f"replicate {self.replicate}" if self.n == 1 else f"replicates {self.replicate} to {last}"
        of = self.shape if self.lattice is None else lattice_text(lattice_of(self.lattice))
        return f"{self.algorithm!r} of {of}, {which}"

    def part(self, begin: int, n: int) -> Job:
        """Return some of its mazes."""
        replicate = (self.replicate + begin) % (1 << 64)
        return self._replace(replicate=replicate, first=self.first + begin, n=n)

    def seed(self, number: int) -> Seed:
        """Return the seed of one of its mazes."""
        return Seed(self.key, (self.replicate + number) % (1 << 64), self.entropy)


def lattice_of(lattice: Lattice | dict[str, Any]) -> Lattice:
    """Return the lattice of a job, which a worker makes once of its recipe."""
    return _made(tuple(lattice.items())) if isinstance(lattice, dict) else lattice


@functools.lru_cache(maxsize=4)
def _made(recipe: tuple[tuple[str, Any], ...]) -> Lattice:
    return from_recipe(dict(recipe))


class SurveyRequest(NamedTuple):
    """The arguments of `meiro.survey`, checked."""

    configurations: list[GenerateRequest]  # each algorithm with its options, and shape, once for each change
    n: int  # mazes of each configuration
    names: list[str]  # of the measures
    own: dict[str, OwnMeasure]  # those of the user's own
    pipelines: list[Changes]  # in turns, one for each configuration
    seed: Seed

    @property
    def changes(self) -> Changes:
        """What is done to the mazes of the first configuration; to others the same, with other arguments."""
        return self.pipelines[0]

    def changes_of(self, configuration: int) -> Changes:
        """Return what is done to the mazes of a configuration."""
        return self.pipelines[configuration % len(self.pipelines)]

    @property
    def whole(self) -> list[bool]:
        """For each measure, whether its values are integers."""
        return [name not in self.own and MEASURES[name].kind == "int" for name in self.names]

    @property
    def total(self) -> int:
        """Number of mazes."""
        return self.n * len(self.configurations)

    def parts(self) -> Iterator[tuple[int, int, int]]:
        """Yield (configuration, first, n) of each file, which depend on shape and n only."""
        for i, request in enumerate(self.configurations):
            size = _clamp(PART_CELLS // math.prod(request.shape), 16)
            for first in range(0, self.n, size) if self.n else (0,):
                yield i, first, min(size, self.n - first)

    def jobs(self, part: tuple[int, int, int], threads: int, *, shared: bool) -> Iterator[Job]:
        """Yield the jobs of a part, smaller ones if workers share them. No result depends on the division."""
        i, first, n = part
        request = self.configurations[i]
        cells = math.prod(request.shape)
        size = _clamp(JOB_CELLS // cells, 2 * threads)
        if shared:
            size = min(size, max(-(-self.n // SHARED_JOBS), SHARED_CELLS // cells))
        in_batches = request.lattice is not None or self.own or self.changes
        for begin in range(first, first + n, size or 1):
            yield Job(
                configuration=i,
                algorithm=request.facts.name,
                shape=request.shape,
                lattice=None if request.lattice is None else _sent(request.lattice, shared=shared),
                mask=request.mask,
                wrap=request.wrap,
                options=request.kept if in_batches else request.options,
                batch=BatchWork(self.changes_of(i), self.own) if in_batches else None,
                names=self.names,
                key=self.seed.key,
                entropy=self.seed.entropy,
                replicate=(self.seed.replicate + begin) % (1 << 64),
                first=begin,
                n=min(size, first + n - begin),
                threads=threads,
            )

    def identity(self) -> dict[str, object]:
        """Return the arguments as JSON values; two surveys are the same if these are equal."""
        own, each = self.own, self.configurations[:: len(self.pipelines)]
        mazes = [[request.facts.name, _place(request), option_texts(request)] for request in each]
        identity = {
            "meiro": __version__,
            "stream": STREAM,
            "seed": [*self.seed.key, self.seed.replicate],
            "n": self.n,
            "measures": [{name: known_by(own[name])} if name in own else name for name in self.names],
            "mazes": mazes,
            **self.changes.identity(),
            **(
                {"axes": [one.identity()["transforms"] for one in self.pipelines]}
                if self.changes.axes
                else {}
            ),
        }
        return json.loads(json.dumps(identity))  # type: ignore[no-any-return]


def parse_survey(
    shapes: SurveyShape | Sequence[SurveyShape],
    algorithms: Algorithms,
    n: int,
    measures: Any,
    *,
    seed: Seed,
    pipelines: list[Changes],
) -> SurveyRequest:
    """Check the arguments of `meiro.survey`."""
    if _is_algorithm(shapes) or (isinstance(shapes, list | tuple) and any(map(_is_algorithm, shapes[:1]))):
        found = f"{short_repr(shapes)} first, then {short_repr(algorithms)}"
        raise TypeError(
            f"the order is survey(shapes, algorithms, n), as in ((20, 30), 'kruskal', 1000); not {found}"
        )
    if isinstance(shapes, list) and len(shapes) == 2 and isinstance(shapes[0], int):
        rows, cols = shapes
        two = f"[({rows}, {rows}), ({cols}, {cols})]"
        raise TypeError(
            f"shapes must be one, ({rows}, {cols}), or a list of shapes, as {two}, not {short_repr(shapes)}"
        )
    count = integer(n, "n", 0, 1 << 63)
    sizes = [_checked_shape(shape) for shape in _several(shapes, _is_shape, "shapes")]
    configurations: list[GenerateRequest] = []
    several = _combinations(algorithms) if isinstance(algorithms, Mapping) else algorithms
    for algorithm in _several(several, _is_algorithm, "algorithms"):
        paired = _is_algorithm(algorithm) and not isinstance(algorithm, str)
        name, options = algorithm if paired else (algorithm, {})
        facts = ALGORITHMS.find(name, "algorithms")
        given = {key: value for key, value in options.items() if value is not None}
        configurations += (_configuration(facts, shape, dict(given)) for shape in sizes)
    if not configurations:
        raise ValueError(f"{'algorithms' if sizes else 'shapes'} must hold at least one")
    _refuse_duplicates(configurations)
    on_lattices = any(request.lattice is not None for request in configurations)
    names, own = split_measures(measures, on_lattice=on_lattices)
    for request, changes in itertools.product(configurations, pipelines):
        changes.check(request)
    each = [request for request in configurations for _ in pipelines]
    return SurveyRequest(each, count, names, own, pipelines, seed)


def _combinations(algorithms: Mapping[Any, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each algorithm with each combination of its options, of which a list has several values."""
    for name, options in algorithms.items():
        if not isinstance(options, Mapping):
            example = f'{{{short_repr(name)}: {{"option": [value, value]}}}}'
            raise TypeError(
                f"algorithms[{short_repr(name)}] must be options, as {example}, not {short_repr(options)}"
            )
        yield from ((name, some) for some in combinations(options, f"algorithms[{short_repr(name)}]"))


def _checked_shape(shape: Any) -> Shape | Lattice:
    return domain_of(from_recipe(shape) if isinstance(shape, Mapping) else shape).shape


def _configuration(facts: AlgorithmFacts, shape: Any, given: dict[str, Any]) -> GenerateRequest:
    mask, wrap = given.pop("mask", None), given.pop("wrap", FLAT)
    return parse_request(facts, shape, None, mask, wrap, given)


def _sent(lattice: Lattice, *, shared: bool) -> Lattice | dict[str, Any]:
    """Return the lattice of a configuration as workers get it: its recipe, if that is small."""
    recipe = lattice.recipe
    return recipe if shared and _is_small(recipe) else lattice


def _is_small(recipe: Mapping[str, Any]) -> bool:
    """Return whether a recipe holds no arrays."""
    return all(isinstance(value, str | int | float | tuple) for value in recipe.values())


def lattice_text(lattice: Lattice) -> str:
    """Return a lattice in a few words: how it is made, or if that is long its size."""
    parts = {name: value for name, value in lattice.recipe.items() if name != "lattice" and value is not None}
    if _is_small(parts):
        return f"{lattice.recipe['lattice']}({', '.join(f'{name}={value}' for name, value in parts.items())})"
    return f"{lattice.description} {hash(lattice):x}"


def _place(request: GenerateRequest) -> list[object]:
    """Return where mazes are made, as JSON values."""
    if request.lattice is None:
        return list(request.shape)
    return [lattice_text(request.lattice), f"{hash(request.lattice):x}"]


def _several(given: Any, is_one: Callable[[Any], bool], name: str) -> Iterator[Any]:
    # Not a list of all: the first that is wrong ends what has no end.
    one = is_one(given) or isinstance(given, str | Mapping)
    if isinstance(given, np.ndarray):
        given = plain_array(given, name)
    return iter([given]) if one else items_of(given, name, "a sequence")


def _is_algorithm(given: Any) -> bool:
    return isinstance(given, str) or (
        isinstance(given, tuple | list) and len(given) == 2 and isinstance(given[1], Mapping)
    )


def _is_shape(given: Any) -> bool:
    if isinstance(given, Lattice | Mapping):
        return True
    if not isinstance(given, Sequence | np.ndarray):  # an iterator would be used up
        return False
    try:
        pair(given, "shapes")
    except (TypeError, ValueError):
        return False
    return True


def _refuse_duplicates(configurations: list[GenerateRequest]) -> None:
    seen = set()
    for request in configurations:
        texts = option_texts(request)
        place = request.lattice or request.shape
        key = (request.facts.name, place, tuple(sorted(texts.items())))
        if key in seen:
            name = request.facts.name
            raise ValueError(f"algorithms: {name!r} of {place} comes twice with the same options: {texts}")
        seen.add(key)


def _clamp(n: int, least: int) -> int:
    return min(max(n, least), MOST_MAZES)


def options_of(request: GenerateRequest) -> dict[str, object]:
    """Return the options of a configuration as they were given, with mask and wrap."""
    recipe = request.recipe()
    return {name: value for name, value in recipe.items() if name not in {"shape", "algorithm"}}


def option_texts(request: GenerateRequest) -> dict[str, str]:
    """Return the options as text."""
    return {name: option_text(value) for name, value in options_of(request).items()}


def option_text(value: object) -> str:
    """Return the value of an option as text; for an array its dtype, shape and a hash."""
    if not isinstance(value, np.ndarray):
        return str(value)
    return f"{value.dtype} {value.shape} sha256:{array_digest(value)['sha256']}"
