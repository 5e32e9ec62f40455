"""What a survey is asked for, checked: which mazes, how many, what is measured, and in which pieces."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._core import __version__
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, Shape
from meiro._utils.validation import integer
from meiro.generators.request import GenerateRequest, parse_request
from meiro.maze._validation import as_bytes
from meiro.registry import ALGORITHMS, MEASURES
from meiro.seeds import STREAM, Seed
from meiro.stats.measure import names_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import ShapeLike

AlgorithmLike = str | tuple[str, Mapping[str, Any]]

JOB = 1 << 22  # cells, in whole mazes, that are measured in one go
SHARED = 1 << 16  # cells at least, where workers share the jobs of one kind of maze,
JOBS = 32  # of which there are so many then
PART = 1 << 24  # cells of a file
MOST = 1 << 16  # mazes of a job, and of a file


class Job(NamedTuple):
    """Mazes of one kind to be measured: all that a worker is told."""

    kind: int
    algorithm: str
    shape: Shape
    mask: NDArray[np.uint8] | None
    wrap: tuple[bool, bool]
    options: dict[str, object]
    names: list[str]
    key: tuple[int, int]
    replicate: int  # of the first maze
    first: int  # its number in the survey
    n: int
    threads: int

    def __str__(self) -> str:
        """Return which mazes these are, in words."""
        last = (self.replicate + self.n - 1) % (1 << 64)
        which = f"replicate {self.replicate}" if self.n == 1 else f"replicates {self.replicate} to {last}"
        return f"{self.algorithm!r} of {self.shape}, {which}"


class SurveyRequest(NamedTuple):
    """What a survey is asked for, checked."""

    kinds: list[GenerateRequest]  # of mazes: one for each algorithm, its options, and shape
    n: int  # of each kind
    names: list[str]  # of the measures
    seed: Seed

    @property
    def whole(self) -> list[bool]:
        """Which of the measures are integers."""
        return [MEASURES[name].kind == "int" for name in self.names]

    @property
    def total(self) -> int:
        """Number of mazes."""
        return self.n * len(self.kinds)

    def parts(self) -> Iterator[tuple[int, int, int]]:
        """Yield (kind, first, n) of what is kept in one file: a rule that knows the shape and n only."""
        for kind, plan in enumerate(self.kinds):
            size = _clamped(PART // math.prod(plan.shape), 16)
            for first in range(0, self.n, size) if self.n else (0,):
                yield kind, first, min(size, self.n - first)

    def jobs(self, part: tuple[int, int, int], threads: int, *, shared: bool) -> Iterator[Job]:
        """Yield the pieces of a part; smaller ones if workers share them. No result depends on them."""
        kind, first, n = part
        plan = self.kinds[kind]
        size = _clamped(JOB // math.prod(plan.shape), 2 * threads)
        if shared:
            size = min(size, max(-(-self.n // JOBS), SHARED // math.prod(plan.shape)))
        for begin in range(first, first + n, size or 1):
            yield Job(
                kind=kind,
                algorithm=plan.facts.name,
                shape=plan.shape,
                mask=as_bytes(plan.mask),
                wrap=plan.wrap,
                options=plan.options,
                names=self.names,
                key=self.seed.key,
                replicate=(self.seed.replicate + begin) % (1 << 64),
                first=begin,
                n=min(size, first + n - begin),
                threads=threads,
            )

    def identity(self) -> dict[str, object]:
        """Return what tells a survey from all others."""
        kinds = [[plan.facts.name, list(plan.shape), words_of(plan)] for plan in self.kinds]
        return json.loads(  # type: ignore[no-any-return]
            json.dumps(
                {
                    "meiro": __version__,
                    "stream": STREAM,
                    "seed": [*self.seed.key, self.seed.replicate],
                    "n": self.n,
                    "measures": self.names,
                    "mazes": kinds,
                }
            )
        )


def parse_survey(
    algorithms: AlgorithmLike | Sequence[AlgorithmLike],
    shapes: ShapeLike | Sequence[ShapeLike],
    n: int,
    seed: Seed,
    measures: str | Sequence[str] | None,
) -> SurveyRequest:
    """Return what `meiro.survey` is asked for, checked."""
    count = integer(n, "n", 0, 1 << 63)
    kinds: list[GenerateRequest] = []
    for algorithm in _several(algorithms, _is_algorithm, "algorithms"):
        name, options = (
            algorithm if _is_algorithm(algorithm) and not isinstance(algorithm, str) else (algorithm, {})
        )
        facts = ALGORITHMS.find(name)
        given = {key: value for key, value in options.items() if value is not None}
        mask, wrap = given.pop("mask", None), given.pop("wrap", FLAT)
        kinds += (
            parse_request(facts, shape, None, mask, wrap, dict(given))
            for shape in _several(shapes, _is_shape, "shapes")
        )
    _each_once(kinds)
    return SurveyRequest(kinds, count, names_of(measures), seed)


def _several(given: Any, is_one: Callable[[Any], bool], what: str) -> list[Any]:
    if is_one(given):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, str | Mapping):
        msg = f"{what} must be a sequence, not {short_repr(given)}"
        raise TypeError(msg)
    several = list(given)
    if not several:
        msg = f"{what} must hold at least one"
        raise ValueError(msg)
    return several


def _is_algorithm(given: Any) -> bool:
    return isinstance(given, str) or (
        isinstance(given, Sequence) and len(given) == 2 and isinstance(given[1], Mapping)
    )


def _is_shape(given: Any) -> bool:
    return (
        isinstance(given, Sequence | np.ndarray)
        and len(given) == 2
        and all(hasattr(i, "__index__") for i in given)
    )


def _each_once(kinds: list[GenerateRequest]) -> None:
    seen = set()
    for plan in kinds:
        kind = (plan.facts.name, plan.shape, tuple(sorted(words_of(plan).items())))
        if kind in seen:
            msg = f"{plan.facts.name!r} of {plan.shape} comes twice with the same options: {words_of(plan)}"
            raise ValueError(msg)
        seen.add(kind)


def _clamped(n: int, least: int) -> int:
    return min(max(n, least), MOST)


def options_of(request: GenerateRequest) -> dict[str, object]:
    """Return the options of a kind of maze, with mask and wrap, as they were given."""
    kept = dict(request.kept)
    if request.mask is not None:
        kept["mask"] = request.mask
    if any(request.wrap):
        kept["wrap"] = request.wrap
    return kept


def words_of(request: GenerateRequest) -> dict[str, str]:
    """Return the options in words; of an array its type, shape and a hash."""
    return {name: _word(value) for name, value in options_of(request).items()}


def _word(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
    return f"{value.dtype} {value.shape} sha256:{digest[:16]}"
