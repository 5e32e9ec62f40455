"""Random walks that sample trees: conductances by the weighted matrix-tree theorem, and origin shift.

A tree is as likely as the product of the conductances of its edges, and an edge is in it with probability
conductance times effective resistance, which the Laplacian gives (Kirchhoff).
"""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
import sampling
from holed_masks import MASKS
from power import samples
from reference.exact import RULES, graph
from reference.origin_shift import origin_shift
from scipy.stats import norm
from timing import SILENCE, silence

import meiro
from meiro._utils.square import E, S, Shape, Wrap, n_walls

if TYPE_CHECKING:
    from numpy.typing import NDArray

WALKS = ("wilson", "aldous_broder")
N = samples(200_000)
FLAT, TORUS = (False, False), (True, True)


class Ground(NamedTuple):
    """Where a maze goes, and its walls: for each wall id the two cells, and the direction of the first's."""

    mask: NDArray[np.bool_]
    wrap: Wrap
    walls: list[tuple[int, int, int]]

    @property
    def shape(self) -> Shape:
        rows, cols = self.mask.shape
        return rows, cols

    @property
    def inside(self) -> list[int]:
        """The wall ids whose two cells exist."""
        there = self.mask.ravel()
        return [i for i, (a, b, _) in enumerate(self.walls) if there[a] and there[b]]

    def mazes(self, n: int, algorithm: str, **options: Any) -> NDArray[np.uint8]:
        mask = None if self.mask.all() else self.mask
        options |= {"mask": mask, "wrap": self.wrap, "rng": 20261121, "threads": 2}
        return meiro.generate_many(self.shape, algorithm, n, **options).passages

    def opened(self, passages: NDArray[np.uint8], wall: int) -> NDArray[np.bool_]:
        """Return which mazes have a wall open."""
        cell, _, direction = self.walls[wall]
        opened: NDArray[np.bool_] = passages.reshape(len(passages), -1)[:, cell] & direction != 0
        return opened

    def numbers(self, passages: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return a number for each maze: bit i says that wall i is open."""
        return sum(
            (self.opened(passages, wall).astype(np.int64) << wall for wall in self.inside),
            start=np.zeros(len(passages), np.int64),
        )

    def law(self, conductances: NDArray[np.float64]) -> sampling.Law:
        """Return the law of all trees, each as likely as the product of its conductances."""
        trees = all_trees(self.mask.tobytes(), self.shape, self.wrap)
        ids = {(min(a, b), max(a, b)): wall for wall, (a, b, _) in enumerate(self.walls)}
        walls = np.array([[ids[e] for e in tree] for tree in trees], dtype=int)
        product = conductances[walls].prod(axis=1)
        return sampling.Law(self.shape, (1 << walls).sum(axis=1), product / product.sum())


@cache
def all_trees(mask: bytes, shape: Shape, wrap: Wrap) -> list[frozenset[tuple[int, int]]]:
    return list(RULES["uniform"](graph(np.frombuffer(mask, bool).reshape(shape), wrap)))


def ground(mask: object, wrap: Wrap = FLAT) -> Ground:
    """Number the walls as the documentation does: vertical, horizontal, over the east rim, the south rim."""
    there = np.array(mask, bool)
    cell = np.arange(there.size).reshape(there.shape)
    pairs = [(cell[:, :-1], cell[:, 1:], E), (cell[:-1], cell[1:], S)]
    if wrap[1]:
        pairs.append((cell[:, -1], cell[:, 0], E))
    if wrap[0]:
        pairs.append((cell[-1], cell[0], S))
    walls = [
        (int(a), int(b), d) for one, other, d in pairs for a, b in zip(one.flat, other.flat, strict=True)
    ]
    return Ground(there, wrap, walls)


def holes(side: int) -> NDArray[np.bool_]:
    """Return a mask in two parts, with holes."""
    mask = np.ones((side, side), bool)
    mask[:, side // 2 + 1] = False
    mask[2:4, 1:3] = mask[-1, :2] = False
    return mask


GROUNDS = {
    "2x2": ground(np.ones((2, 2))),
    "2x3": ground(np.ones((2, 3))),
    "3x3": ground(np.ones((3, 3))),
    "L": ground([[1, 1, 0], [1, 1, 0], [1, 1, 1]]),
    "two parts": ground([[1, 1, 0, 1, 1], [1, 1, 0, 1, 1]]),
    "cylinder": ground(np.ones((3, 2)), (True, False)),
    "masked torus": ground([[1, 1, 1], [1, 0, 1], [1, 1, 0]], TORUS),
    "torus": ground(np.ones((3, 3)), TORUS),
}


def some_conductances(where: Ground) -> NDArray[np.float64]:
    return np.exp2(np.random.default_rng(1).uniform(-2, 2, len(where.walls)))


def leaning(where: Ground, bias: float) -> NDArray[np.float64]:
    return np.array([bias if direction == E else 1.0 for _, _, direction in where.walls])


@pytest.mark.laws
@pytest.mark.parametrize("name", GROUNDS)
@pytest.mark.parametrize("algorithm", WALKS)
def test_weights_are_conductances(algorithm: str, name: str) -> None:
    where = GROUNDS[name]
    weights = some_conductances(where)
    law = where.law(weights)
    n = sampling.samples(200_000, law)
    sampling.check_law(where.numbers(where.mazes(n, algorithm, weights=weights)), law)


CYLINDERS = [
    (name, wrap)
    for name in ("one cell", "middle of 3x3", "two parts", "ring", "comb", "across", "first row missing")
    for wrap in ((True, False), (False, True))
]


@pytest.mark.laws
@pytest.mark.parametrize("options", ["", "weights", "ratios", "bias"])
@pytest.mark.parametrize(("name", "wrap"), [*((name, FLAT) for name in MASKS), *CYLINDERS])
def test_wilson_around_holes(name: str, wrap: Wrap, options: str) -> None:
    """With weights whose ratio is up to 65,536, too."""
    where = ground(MASKS[name], wrap)
    given: dict[str, Any] = {}
    conductances = np.ones(len(where.walls))
    if options == "bias":
        given["bias"], conductances = 3, leaning(where, 3)
    elif options:
        conductances = some_conductances(where) ** (1 if options == "weights" else 4)
        given["weights"] = conductances
    law = where.law(conductances)
    sampling.check_law(where.numbers(where.mazes(sampling.samples(200_000, law), "wilson", **given)), law)


@pytest.mark.laws
@pytest.mark.parametrize("algorithm", [*WALKS, "origin_shift"])
def test_components_are_independent(algorithm: str) -> None:
    where = GROUNDS["two parts"]
    sample = where.numbers(where.mazes(N, algorithm))
    sampling.check_law(sample, where.law(np.ones(len(where.walls))))


@pytest.mark.laws
@pytest.mark.parametrize("bias", [0.25, 3])
@pytest.mark.parametrize("name", ["3x3", "two parts", "torus"])
@pytest.mark.parametrize("algorithm", WALKS)
def test_bias_is_the_conductance_of_horizontal_passages(algorithm: str, name: str, bias: float) -> None:
    where = GROUNDS[name]
    law = where.law(leaning(where, bias))
    sample = where.numbers(where.mazes(sampling.samples(200_000, law), algorithm, bias=bias))
    sampling.check_law(sample, law)


@pytest.mark.parametrize("algorithm", WALKS)
def test_weights_of_wrong_conductances_are_rejected(algorithm: str) -> None:
    where = GROUNDS["3x3"]
    conductances = some_conductances(where)
    law = where.law(conductances)
    for wrong in ({}, {"weights": 1 / conductances}, {"weights": np.roll(conductances, 1)}, {"bias": 3}):
        sample = where.numbers(where.mazes(20_000, algorithm, **wrong))
        assert sampling.p_value(sample, law) < sampling.FALSE_ALARM, wrong


@pytest.mark.parametrize("algorithm", WALKS)
def test_weights_of_the_least_size_there_is(algorithm: str) -> None:
    """Their shares are less than any number."""
    for rng in range(20):
        assert meiro.generate((6, 7), algorithm, rng=rng, weights=np.full(71, 5e-324)).is_perfect


@pytest.mark.laws
@pytest.mark.parametrize(
    ("algorithm", "options"), [("wilson", {}), ("wilson", {"walks": "cells"}), ("aldous_broder", {})]
)
def test_weights_of_the_least_size_follow_the_law(algorithm: str, options: dict[str, Any]) -> None:
    """The half of 5e-324 is 0 or 5e-324: draws must not be shares of such sums."""
    where = GROUNDS["2x3"]
    units = np.array([1.0, 2, 3, 1, 5, 2, 4])
    sample = where.numbers(where.mazes(1_000_000, algorithm, weights=5e-324 * units, **options))
    sampling.check_law(sample, where.law(units))


@pytest.mark.laws
@pytest.mark.parametrize("algorithm", WALKS)
def test_weights_of_any_size(algorithm: str) -> None:
    """Equal ones make all trees alike, however great; a tree that conducts all there is comes always."""
    where = GROUNDS["torus"]
    law = where.law(np.ones(len(where.walls)))
    n = sampling.samples(200_000, law)
    for unit in (1e-300, 1e300):
        sample = where.numbers(where.mazes(n, algorithm, weights=np.full(len(where.walls), unit)))
        sampling.check_law(sample, law)
    tree = where.mazes(1, "kruskal")
    weights = np.where([where.opened(tree, wall)[0] for wall in where.inside], 1e90, 1e-90)
    assert (where.mazes(100, algorithm, weights=weights) == tree).all()


def edge_frequencies(where: Ground, conductances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each wall to be open: conductance times effective resistance."""
    a, b = np.array([where.walls[wall][:2] for wall in where.inside]).T
    c = conductances[where.inside]
    joined = np.zeros((where.mask.size, where.mask.size))
    joined[a, b] = joined[b, a] = c
    potential = np.linalg.pinv(np.diag(joined.sum(axis=0)) - joined, hermitian=True)
    found: NDArray[np.float64] = c * (potential[a, a] + potential[b, b] - 2 * potential[a, b])
    return found


SMALL = {
    "plain": ground(np.ones((8, 8))),
    "torus": ground(np.ones((8, 8)), TORUS),
    "cylinder": ground(np.ones((8, 8)), (False, True)),
    "mask": ground(holes(8)),
    "masked torus": ground(holes(8), TORUS),
}
LARGE = {"large": ground(np.ones((27, 33))), "large masked torus": ground(holes(32), TORUS)}  # it leaps


@pytest.mark.long
@pytest.mark.laws
@pytest.mark.parametrize(
    ("algorithm", "options", "name"),
    [
        *((a, o, w) for a in WALKS for o in ("", "weights", "bias") for w in SMALL),
        *(("origin_shift", "", w) for w in SMALL),
        *(("aldous_broder", "", w) for w in LARGE),
    ],
)
def test_edge_frequencies_are_those_of_effective_resistance(algorithm: str, options: str, name: str) -> None:
    where = (SMALL | LARGE)[name]
    given: dict[str, Any] = {}
    conductances = np.ones(len(where.walls))
    if options == "weights":
        given["weights"] = conductances = some_conductances(where)
    elif options == "bias":
        given["bias"], conductances = 3, leaning(where, 3)
    n = samples(10_000) if where.mask.size < 100 else samples(1000, least=200)
    passages = where.mazes(n, algorithm, **given)
    expected = edge_frequencies(where, conductances)
    seen = np.array([where.opened(passages, wall).mean() for wall in where.inside])
    sure = expected > 1 - 1e-9
    assert (seen[sure] == 1).all()
    z = (seen - expected)[~sure] * np.sqrt(n / (expected * (1 - expected))[~sure])
    assert np.abs(z).max() < norm.isf(sampling.FALSE_ALARM / 2 / z.size)


def slow_origin_shift(steps: int) -> NDArray[np.int64]:
    rng = random.Random(5)
    return sampling.tree_numbers((3, 3), (origin_shift(3, 3, steps, rng) for _ in range(samples(4000))))


@pytest.mark.laws
@pytest.mark.parametrize("steps", [0, 1, 2, 5, 50])
def test_origin_shift_by_steps(steps: int) -> None:
    mazes = meiro.generate_many((3, 3), "origin_shift", N, rng=3, steps=steps)
    sampling.check_same_law(sampling.numbers(mazes.passages), slow_origin_shift(steps))


@pytest.mark.laws
def test_origin_shift_begins_with_a_comb_and_ends_uniform() -> None:
    comb = meiro.generate((4, 5), "origin_shift", steps=0, rng=1)
    assert (comb.passages[1:-1, 0] == 7).all()
    assert (comb.passages[:, 1:-1] == 10).all()
    for start in np.ndindex(4, 5):
        maze = meiro.generate((4, 5), "origin_shift", steps=0, rng=2, start=start)
        assert (maze.passages == comb.passages).all()
    for name, many in (("3x3", 500), ("L", 500), ("torus", 200)):
        where = GROUNDS[name]
        uniform = where.law(np.ones(len(where.walls)))
        n = sampling.samples(200_000, uniform)
        for steps in (5, many):
            sample = where.numbers(where.mazes(n, "origin_shift", steps=steps))
            if steps == many:
                sampling.check_law(sample, uniform)
            else:
                assert sampling.p_value(sample, uniform) < sampling.FALSE_ALARM


@pytest.mark.laws
@pytest.mark.parametrize("wrap", [FLAT, TORUS])
@pytest.mark.parametrize("start", [(0, 0), (1, 1), (2, 0), (0, 2)])
def test_origin_shift_by_one_step(start: tuple[int, int], wrap: Wrap) -> None:
    """Each neighbour of `start` alike: it is pointed at, and loses its way to `start` in the comb."""
    where = ground(np.ones((3, 3)), wrap)
    comb = int(where.numbers(where.mazes(1, "origin_shift", steps=0, start=start))[0])
    root = start[0] * 3 + start[1]
    expected = []
    for to in graph(where.mask, wrap).near[root]:
        wall = next(i for i, (a, b, _) in enumerate(where.walls) if {a, b} == {root, to})
        expected.append((comb & ~(1 << first_wall(where, comb, to, root))) | 1 << wall)
    shares = np.full(len(expected), 1 / len(expected))
    trees, which = np.unique(expected, return_inverse=True)
    law = sampling.Law((3, 3), trees, np.bincount(which, shares).astype(float))
    sampling.check_law(where.numbers(where.mazes(20_000, "origin_shift", steps=1, start=start)), law)


def first_wall(where: Ground, tree: int, cell: int, to: int) -> int:
    """Return the wall id of the first passage on the way between two cells of a tree."""
    todo = [(to, -1)]
    for at, through in todo:
        if at == cell:
            return through
        for wall, (a, b, _) in enumerate(where.walls):
            if tree >> wall & 1 and at in (a, b) and wall != through:
                todo.append((a + b - at, wall))
    raise AssertionError((cell, to))


@pytest.mark.parametrize("steps", [0, 1, 1000])
def test_origin_shift_in_components(steps: int) -> None:
    where = ground(holes(12))
    mazes = where.mazes(20, "origin_shift", steps=steps, start=(0, 11))
    opened = np.stack([where.opened(mazes, wall) for wall in where.inside], axis=1)
    assert (len(np.unique(opened, axis=0)) == 1) == (steps == 0)
    assert (opened.sum(axis=1) == where.mask.sum() - 2).all()


@pytest.mark.parametrize("options", ["weights", "bias"])
@pytest.mark.parametrize("algorithm", WALKS)
def test_weights_and_bias_keep_maze_i_the_same_anywhere(algorithm: str, options: str) -> None:
    where = ground(holes(30), TORUS)
    given: dict[str, Any] = {options: some_conductances(where) if options == "weights" else 0.3}
    many = where.mazes(6, algorithm, **given)
    for i in (0, 5):
        alone = meiro.generate_many(
            n=1, algorithm=algorithm, mask=where.mask, wrap=TORUS, rng=meiro.replicate(20261121, i), **given
        )
        assert (alone.passages[0] == many[i]).all()


@pytest.mark.laws
@pytest.mark.parametrize("name", ["2x3", "3x3"])
def test_weights_are_conductances_of_walks_through_cells(name: str) -> None:
    where = GROUNDS[name]
    weights = some_conductances(where)
    law = where.law(weights)
    n = sampling.samples(200_000, law)
    sampling.check_law(where.numbers(where.mazes(n, "wilson", weights=weights, walks="cells")), law)


@pytest.mark.parametrize(
    "rare", [*(pytest.param(rare, marks=pytest.mark.long) for rare in (1e-9, 1e-90)), 5e-324]
)
def test_long_walks_between_posts_are_given_up(rare: float) -> None:
    """Walls whose passages are rare conduct so well that a walk between their posts would not end."""
    weights = np.ones(2 * 9 * 8)
    weights[40], weights[9 * 8 + 35] = rare, rare
    mazes = meiro.generate_many((9, 9), "wilson", 300, rng=3, weights=weights).passages.reshape(300, -1)
    assert (mazes[:, 35] & S == 0).all()
    assert (mazes[:, 45] & E == 0).all()
    traced = meiro.trace((9, 9), "wilson", rng=meiro.replicate(3, 5), weights=weights)
    assert (traced.result.passages.ravel() == mazes[5]).all()


@pytest.mark.parametrize(("algorithm", "n"), [("wilson", 400_000), ("aldous_broder", 400_000)])
def test_a_passage_of_little_weight_is_as_rare_as_it_says(algorithm: str, n: int) -> None:
    """Its share is less than one part of the first bits of a draw, which tell most directions."""
    where = GROUNDS["2x2"]
    weights = np.array([1, 1, 1, 0.0007])
    law = where.law(weights)
    sampling.check_law(where.numbers(where.mazes(n, algorithm, weights=weights)), law)


@pytest.mark.parametrize(
    ("algorithm", "bias"),
    [
        ("wilson", 1 / 1000),
        ("wilson", 700),
        *(pytest.param("aldous_broder", b, marks=pytest.mark.long) for b in (1 / 1000, 700)),
    ],
)
def test_a_strong_bias_is_exact(algorithm: str, bias: float) -> None:
    where = GROUNDS["2x3"]
    law = where.law(leaning(where, bias))
    sampling.check_law(where.numbers(where.mazes(400_000, algorithm, bias=bias)), law)


@pytest.mark.clock
@pytest.mark.parametrize("shape", [(2, 2_000_000), (1500, 1500)])
def test_weights_are_prepared_without_silence(shape: Shape) -> None:
    weights = np.random.default_rng(1).uniform(0.5, 2, n_walls(shape))
    assert silence(lambda: meiro.generate(shape, "wilson", weights=weights, rng=1)) < SILENCE * 2 / 3


@pytest.mark.parametrize("mask", [None, [[1, 1, 1], [1, 0, 1], [1, 1, 1]]])
def test_walks_on_a_torus_go_through_cells(mask: Any) -> None:
    cells = meiro.generate((3, 3), rng=1, walks="cells", wrap=TORUS, mask=mask)
    assert meiro.generate((3, 3), rng=1, wrap=TORUS, mask=mask) == cells
    with pytest.raises(ValueError, match='walks="posts" is not for a torus'):
        meiro.generate((3, 3), rng=1, walks="posts", wrap=TORUS, mask=mask)


def test_walks_through_posts_are_the_default() -> None:
    posts, cells = (meiro.generate((9, 9), rng=1, walks=walks) for walks in ("posts", "cells"))
    assert meiro.generate((9, 9), rng=1) == posts != cells
    assert cells.recipe == {"shape": (9, 9), "algorithm": "wilson", "rng": 1, "walks": "cells"}
    assert meiro.generate_many((9, 9), n=2, rng=1, walks="cells")[0] == cells
