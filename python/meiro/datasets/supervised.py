"""Mazes for supervised learning: inputs, targets and masks as arrays, at once or in batches."""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, get_args, overload

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.validation import Threads, boolean, integer, number, one_of, require_type, thread_count
from meiro.datasets.endpoints import How, pairs_from
from meiro.datasets.samples import Samples, samples_of
from meiro.datasets.split import in_test_set
from meiro.generators.generate import generate_many
from meiro.seeds import RNG, Seed, replicate_of, seed_of
from meiro.spaces.space_of import are_several, is_maze, lattice_of_shape, mazes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from meiro._utils.square import ShapeLike
    from meiro.lattices.lattice import Lattice
    from meiro.registry import Algorithm
    from meiro.spaces.space import ManyMazes

Inputs = Literal["grid", "passages", "tokens"]
Target = Literal["path", "distances", "policy", "tokens"]
Part = Literal["train", "test"]

_NEVER = 100  # mazes of a part were due, and none came: by chance with probability exp(-100)
_MOST = 1 << 20  # mazes that are looked at together


class _Part:
    """Which mazes are in a part of `meiro.split`, found as far as they are asked for."""

    def __init__(self, name: Part, test: float, *, symmetries: bool) -> None:
        self.name, self.test, self.symmetries = name, test, symmetries
        self.numbers = np.empty(0, np.int64)
        self.tried = 0

    def find(self, mazes: Any) -> None:
        """Find those among the mazes that come next."""
        inside = in_test_set(mazes, self.test, symmetries=self.symmetries) == (self.name == "test")
        self.numbers = np.concatenate([self.numbers, np.flatnonzero(inside) + self.tried])
        self.tried += len(mazes)

    def expected(self, n: int) -> int:
        """Return how many mazes it takes for `n` more; a ValueError if it seems that no more exist."""
        share = self.test if self.name == "test" else 1 - self.test
        last = int(self.numbers[-1]) + 1 if self.numbers.size else 0
        if (self.tried - last) * share > _NEVER or share == 0:
            raise ValueError(
                f"part={self.name!r} with test={self.test:g} holds {len(self.numbers)} of {self.tried:,} "
                "mazes, and there seem to be no more: take a larger shape or another share"
            )
        return min(int(n / share), _MOST) + 1


class _Plan(NamedTuple):
    """What makes the samples."""

    shape: Any  # or the lattice; or the batch, if mazes are given
    given: bool
    on_lattice: bool
    algorithm: Algorithm | str
    n: int
    inputs: Inputs
    target: Target
    ends: How
    min_length: int | None
    seed: Seed
    threads: Threads
    part: _Part | None
    options: dict[str, Any]

    def samples(self, first: int, stop: int) -> Samples:
        """Return the samples from number `first` to before `stop`."""
        numbers, looked_at = self._numbers(first, stop)
        begin, end = (int(numbers[0]), int(numbers[-1]) + 1) if len(numbers) else (0, 1)
        begin -= begin % 2  # two mazes share a block of the stream that draws their ends
        mazes = self._between(begin, end, looked_at)
        kept: Any = numbers - begin
        if not (self.given and _has_ends(mazes)):
            mazes = self._with_ends(mazes, begin, kept)
        if len(kept) < end - begin:
            mazes = mazes[kept]
        return samples_of(mazes, self.inputs, self.target, self.threads)

    def _numbers(self, first: int, stop: int) -> tuple[NDArray[np.int64], list[tuple[int, Any]]]:
        """Return the numbers of the mazes of samples, all or those of a part, and the mazes made for that.

        These are of successive numbers; each batch of them comes with the first of its own.
        """
        part, made = self.part, []
        if part is None:
            return np.arange(first, stop), []
        while (missing := stop - len(part.numbers)) > 0:
            made.append((part.tried, self._mazes(part.tried, part.tried + part.expected(missing))))
            part.find(made[-1][1])
        return part.numbers[first:stop], made

    def _between(self, first: int, stop: int, made: list[tuple[int, Any]]) -> Any:
        """Return the mazes with these numbers, of which some were made already."""
        known = min([*(begin for begin, _ in made), stop])
        mazes = None if known <= first else self._mazes(first, known)
        for begin, batch in made:
            part = batch[max(first - begin, 0) : max(stop - begin, 0)]
            mazes = part if mazes is None else mazes + part
        return mazes

    def _with_ends(self, mazes: Any, first: int, kept: NDArray[np.int64]) -> Any:
        """Choose the start and the goal of each maze, of which the first has number `first`."""
        pairs = pairs_from(
            mazes, self.ends, first, min_length=self.min_length, rng=self.seed, threads=self.threads
        )
        without = kept[pairs[kept].min(axis=1) < 0]
        if without.size:
            raise ValueError(
                f"maze {first + int(without[0])} has no start and goal of ends={self.ends!r}, "
                f"min_length={self.min_length}: ask less of them, or give a batch of other mazes"
            )
        return mazes_of(mazes).with_ends(*np.ascontiguousarray(pairs.T))

    def _mazes(self, first: int, stop: int) -> Any:
        if self.given:
            return self.shape[first:stop]
        seed = replicate_of(self.seed, first)
        return generate_many(
            self.shape, self.algorithm, stop - first, rng=seed, threads=self.threads, **self.options
        )


class SampleBatches:
    """Samples in batches, made when they are asked for, as `supervised` returns them with `batch_size`.

    ``batches[k]`` is batch `k`, ``len`` their number. A ``DataLoader`` of PyTorch takes it with
    ``batch_size=None`` as an ``IterableDataset`` if torch was imported before, else as a sequence; with
    several workers each makes batches of its own, and the order is the same.

    Parameters
    ----------
    plan : object
        As `supervised` makes it.
    batch_size : int
        Mazes in a batch; the last may have fewer.

    Examples
    --------
    >>> batches = meiro.datasets.supervised((4, 5), "wilson", 10, rng=7, batch_size=4)
    >>> len(batches), [len(inputs) for inputs, targets, masks in batches]
    (3, [4, 4, 2])
    """

    __module__ = "meiro.datasets"

    def __init__(self, plan: Any, batch_size: SupportsIndex) -> None:
        require_type(plan, _Plan, "plan", "made by meiro.datasets.supervised(..., batch_size=)")
        self._plan: _Plan = plan
        self.batch_size = integer(batch_size, "batch_size", 1)
        dataset = getattr(getattr(sys.modules.get("torch"), "utils", None), "data", None)
        if dataset is not None:
            dataset.IterableDataset.register(type(self))

    @property
    def description(self) -> dict[str, Any]:
        """What makes the samples, as JSON can hold it; equal samples have the same."""
        plan = self._plan
        mazes = plan.shape
        if plan.given:
            digest = hashlib.blake2b(digest_size=16)
            own = (mazes.lattice.edges, mazes.open) if plan.on_lattice else (mazes.passages, mazes.masks)
            parts = (*own, *mazes_of(mazes).given_starts_and_goals())
            for array in parts:
                digest.update(b"-" if array is None else np.ascontiguousarray(array).data)
            made: dict[str, Any] = {"mazes": digest.hexdigest()}
        else:
            options = {name: repr(value) for name, value in plan.options.items()}
            shape = mazes.recipe if plan.on_lattice else list(map(int, mazes))
            made = {"shape": shape, "algorithm": str(plan.algorithm), "options": options}
        return made | {
            "n": plan.n,
            "inputs": plan.inputs,
            "target": plan.target,
            "ends": repr(plan.ends),
            "min_length": plan.min_length,
            "seed": [*plan.seed.key, plan.seed.replicate],
            "batch_size": self.batch_size,
            **({} if plan.part is None else {"part": plan.part.name, "test": plan.part.test}),
            **({"symmetries": True} if plan.part is not None and plan.part.symmetries else {}),
        }

    def __len__(self) -> int:
        """Return the number of batches."""
        return (self._plan.n + self.batch_size - 1) // self.batch_size

    def __getitem__(self, k: SupportsIndex) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
        """Return the inputs, targets and masks of batch `k`."""
        which = integer(k, "k")
        if not -len(self) <= which < len(self):
            raise IndexError(f"k={short_repr(k)} is no batch of {len(self)}")
        first = which % len(self) * self.batch_size
        found = self._plan.samples(first, min(first + self.batch_size, self._plan.n))
        return found.inputs, found.targets, found.masks

    def __iter__(self) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]]:
        """Yield the batches; in a worker of a ``DataLoader`` its share of them."""
        data = getattr(getattr(sys.modules.get("torch"), "utils", None), "data", None)
        worker = None if data is None else data.get_worker_info()
        first, step = (0, 1) if worker is None else (worker.id, worker.num_workers)
        return (self[k] for k in range(first, len(self), step))

    def __repr__(self) -> str:
        """Return the numbers of mazes and batches."""
        return f"<SampleBatches: {self._plan.n:,} mazes in {len(self):,} batches>"


@overload
def supervised(
    shape: ShapeLike | ManyMazes | Lattice | Mapping[str, Any],
    algorithm: Algorithm | str = ..., n: SupportsIndex = ..., *, batch_size: None = ..., **options: Any,
) -> Samples: ...  # fmt: skip
@overload
def supervised(
    shape: ShapeLike | ManyMazes | Lattice | Mapping[str, Any],
    algorithm: Algorithm | str = ..., n: SupportsIndex = ..., *, batch_size: SupportsIndex, **options: Any,
) -> SampleBatches: ...  # fmt: skip
def supervised(
    shape: ShapeLike | ManyMazes | Lattice | Mapping[str, Any],
    algorithm: Algorithm | str = "wilson",
    n: SupportsIndex = 1000,
    *,
    inputs: Inputs | None = None,
    target: Target = "path",
    ends: How = "random",
    min_length: SupportsIndex | None = None,
    part: Part | None = None,
    test: float = 0.2,
    symmetries: bool = False,
    batch_size: SupportsIndex | None = None,
    rng: RNG = None,
    threads: Threads = None,
    **options: Any,
) -> Samples | SampleBatches:
    """Make mazes for supervised learning: inputs, targets and masks as arrays, or batches of them.

    ============= ============================================== =================================
    target        its array                                      masks
    ============= ============================================== =================================
    ``path``      bool, as each channel of the inputs: the       the cells, or sites, of the maze
                  places of a shortest path
    ``distances`` int32 (n, rows, cols): steps to the goal, or   where the goal is reachable
                  -1
    ``policy``    uint8 (n, rows, cols): all optimal moves, N 1, where there is one, so not at the
                  E 2, S 4, W 8                                  goal
    ``tokens``    int32 (n, rows * cols + 2): a shortest path    where no padding is
    ============= ============================================== =================================

    On a lattice targets and masks have shape (n, n_cells), tokens (n, n_cells + 2), and ``policy`` is int32:
    the next cell on a shortest path, as `meiro.policy` says it, or -1.

    Parameters
    ----------
    shape : (int, int), Lattice, MazeBatch, GraphBatch, list of mazes or one maze
        Rows and columns; or a lattice, or its recipe; or mazes, such as a set of `meiro.split`, of which
        `algorithm` and `n` are ignored and whose own starts and goals are kept if all have them.
    algorithm, n, rng, **options
        As in `meiro.generate_many`. Maze `i` is the same for any `n`, `batch_size`, `threads` and number of
        workers.
    inputs : {"grid", "passages", "tokens"}, optional
        Channels of (2 rows + 1, 2 cols + 1) sites, of which the first is the walls; or of (rows, cols) cells,
        of which the first is `Maze.passages`; or the numbers of tokens in `vocabulary`: connections, start
        and goal, as `meiro.io.to_maze_dataset` orders them, then padding (10) to the length that a maze
        without walls has. With them the target "path" has cells. On a lattice, which has no "grid",
        "passages" are `GraphInputs`, and connections come in the order of its edges. By default "grid", or
        "passages" on a lattice.
    target : {"path", "distances", "policy", "tokens"}
    ends, min_length
        `how` and `min_length` of `meiro.endpoints`.
    part : {"train", "test"}, optional
        Makes `n` samples of mazes that `meiro.split` puts in this set; the mazes between them are made and
        forgotten, with `batch_size` by each worker all mazes. Of given mazes, all that are in this set.
    test, symmetries : float, bool
        As in `meiro.split`, for `part`.
    batch_size : int, optional
        The number of mazes in a batch; batches are then made one at a time, instead of all at once.
    threads : int or "all", optional
        The number of threads; the result does not depend on it.

    Returns
    -------
    Samples
        ``inputs, targets, masks, mazes``; with `batch_size` instead a `SampleBatches`, whose items are
        ``inputs, targets, masks``.

    Raises
    ------
    ValueError
        If `inputs` or `target` is not one of these, `n` or `batch_size` is less than 1, or a maze has no such
        start and goal, or tokens are wanted of periodic mazes, or the grid of mazes on a lattice; and as
        `meiro.generate_many` does.
    TypeError
        If options are given with mazes, or `mask` or `wrap` with a lattice.

    See Also
    --------
    vocabulary : what the numbers of tokens stand for.
    meiro.split : training and test mazes by content: equal mazes are never on both sides.
    meiro.gym : mazes as environments.

    Examples
    --------
    >>> inputs, targets, masks, mazes = meiro.datasets.supervised((8, 8), "wilson", 100, rng=7)
    >>> inputs.shape, targets.shape
    ((100, 3, 17, 17), (100, 17, 17))
    >>> batches = meiro.datasets.supervised((8, 8), "wilson", 100, batch_size=32, target="policy", rng=7)
    >>> [len(inputs) for inputs, targets, masks in batches]
    [32, 32, 32, 4]
    >>> train, test = meiro.split(mazes)
    >>> meiro.datasets.supervised(train, target="distances").targets.shape
    (81, 8, 8)
    >>> said = meiro.datasets.supervised((8, 8), "wilson", 100, inputs="tokens", target="tokens", rng=7)
    >>> words = meiro.datasets.vocabulary((8, 8))
    >>> [words[i] for i in said.targets[0][said.masks[0]]][:3]
    ['<PATH_START>', '(7,7)', '(7,6)']
    >>> inputs, targets, masks, mazes = meiro.datasets.supervised(meiro.lattices.polar(6), n=100, rng=7)
    >>> inputs.open.shape, inputs.ends.shape, targets.shape  # mazes.lattice.edges: which cells an edge joins
    ((100, 276), (100, 139, 2), (100, 139))
    """
    one_of(target, "target", get_args(Target))
    one_of(ends, "ends", get_args(How))
    place: Any = [shape] if is_maze(shape) else shape
    given = are_several(place)
    if given:
        levels = mazes_of(place, "shape", many=True)
        place, on_lattice = levels.x, levels.on_lattice
    else:
        lattice = lattice_of_shape(place)
        place, on_lattice = place if lattice is None else lattice, lattice is not None
    form = _checked_inputs(inputs, on_lattice=on_lattice)
    if part is not None:
        one_of(part, "part", get_args(Part))
    share = number(test, "test", 0, 1)
    least = None if min_length is None else integer(min_length, "min_length", 1, 1 << 62)
    thread_count(threads)
    if given and options:
        raise TypeError(f"{', '.join(options)}: options are of the generator, and shape is {place!r}")
    count = len(place) if given else integer(n, "n", 1, 1 << 62)
    if count == 0:
        raise ValueError(f"shape is {place!r}, which holds no mazes")
    images = boolean(symmetries, "symmetries")
    chosen = None if part is None else _Part(part, share, symmetries=images)
    if given and chosen is not None:
        chosen.find(place)
        count = len(chosen.numbers)
    plan = _Plan(
        shape=place,
        given=given,
        on_lattice=on_lattice,
        algorithm=algorithm,
        n=count,
        inputs=form,
        target=target,
        ends=ends,
        min_length=least,
        seed=seed_of(rng),
        threads=threads,
        part=chosen,
        options=options,
    )
    if batch_size is None:
        return plan.samples(0, count)
    batches = SampleBatches(plan, batch_size)
    plan.samples(0, min(1, count))  # so that what is wrong is said now
    return batches


def _checked_inputs(inputs: Inputs | None, *, on_lattice: bool) -> Any:
    """Return which inputs are wanted; what has no meaning on a lattice is a ValueError."""
    usual = "passages" if on_lattice else "grid"
    chosen = one_of(usual if inputs is None else inputs, "inputs", get_args(Inputs))
    if on_lattice and chosen == "grid":
        raise ValueError(
            "inputs='grid' is for mazes of rows and columns: on a lattice take 'passages' or 'tokens'"
        )
    return chosen


def _has_ends(mazes: Any) -> bool:
    return all((cells >= 0).all() for cells in mazes_of(mazes).given_starts_and_goals())
