"""Cells by their passages, means and variances: against all trees, laws, published numbers, limits."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import meiro
from meiro.exact._domain import Squares
from meiro.exact.count_variances import uniform_variances
from meiro.exact.local_patterns import (
    binary_tree_patterns,
    counted_sides,
    percolation_patterns,
    pole_toppling_patterns,
    sidewinder_patterns,
    uniform_patterns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

KNOWN: dict[str, Any] = json.loads(
    (Path(meiro.__file__).parent / "exact/data/known_values.json").read_text("utf-8")
)
DEGREE = np.array([bits.bit_count() for bits in range(16)])
FLAT = (False, False)


def mazes(lattice: Squares, *, perfect: bool) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield the number of open walls, and how many cells have each set of open sides, of every maze."""
    ids, rows, cols = lattice.walls, *lattice.shape
    ends = meiro.wall_cells(lattice.shape, ids, wrap=lattice.wrap)
    inner = rows * (cols - 1), rows * (cols - 1) + (rows - 1) * cols
    across = (ids < inner[0]) | ((ids >= inner[1]) & (ids < inner[1] + rows * lattice.wrap[1]))
    cells = lattice.cells.reshape(-1)
    sizes = [int(cells.sum()) - lattice.lattice.n_components] if perfect else range(len(ids) + 1)
    for size in sizes:
        for walls in itertools.combinations(range(len(ids)), size):
            tree, sides = np.arange(cells.size), np.zeros(cells.size, int)
            for wall in walls:
                a, b = ends[wall]
                if perfect and tree[a] == tree[b]:
                    break
                tree[tree == tree[a]] = tree[b]
                sides[[a, b]] |= (2, 8) if across[wall] else (4, 1)
            else:
                yield size, np.bincount(sides[cells], minlength=16)


RING = np.array([[1, 1, 1, 0], [1, 0, 1, 1], [1, 1, 1, 0]], np.bool_)
PARTS = np.array([[1, 1, 0, 1], [1, 1, 0, 1], [0, 0, 0, 1]], np.bool_)
SMALL = [
    *(Squares(shape, None, FLAT) for shape in ((1, 1), (1, 2), (4, 1), (2, 2), (2, 5), (3, 3))),
    *(Squares(mask.shape, mask, FLAT) for mask in (RING, RING.T, PARTS, np.ones((3, 3), np.bool_))),
    Squares((3, 2), None, (True, False)),
    Squares((1, 5), None, (False, True)),
    Squares((3, 4), RING, (False, True)),
    Squares((3, 3), None, (False, True)),
]


@pytest.mark.parametrize("lattice", SMALL, ids=lambda x: f"{x} wrap={x.wrap}")
def test_uniform_patterns_are_the_mean_of_all_trees(lattice: Squares) -> None:
    trees = np.array([sides for _, sides in mazes(lattice, perfect=True)])
    assert uniform_patterns(lattice) == pytest.approx(trees.mean(axis=0), abs=1e-12)
    variances = uniform_variances(lattice)
    for name, sides in counted_sides().items():
        assert variances[name] == pytest.approx((trees @ sides).var(), abs=1e-12), name


@pytest.mark.parametrize("lattice", [x for x in SMALL if len(x.walls) < 11], ids=lambda x: f"{x} {x.wrap}")
@pytest.mark.parametrize("p", [0, 0.3, 0.5, 1])
def test_percolation_patterns_are_the_mean_of_all_mazes(lattice: Squares, p: float) -> None:
    n = len(lattice.walls)
    found = sum(p**k * (1 - p) ** (n - k) * sides for k, sides in mazes(lattice, perfect=False))
    assert percolation_patterns(lattice, p) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("wrap", list(itertools.product((False, True), repeat=2)), ids=str)
@pytest.mark.parametrize("shape", [(5, 7), (3, 4), (12, 12), (9, 3)], ids=str)
def test_eigenvectors_and_elimination_agree(shape: tuple[int, int], wrap: tuple[bool, bool]) -> None:
    whole = uniform_patterns(Squares(shape, None, wrap))
    assert uniform_patterns(Squares(shape, np.ones(shape, np.bool_), wrap)) == pytest.approx(whole, abs=1e-10)
    assert whole @ DEGREE == pytest.approx(2 * (shape[0] * shape[1] - 1))


def test_uniform_patterns_sum_up_on_random_masks() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        shape, wrap = tuple(rng.integers(3, 20, 2).tolist()), tuple((rng.random(2) < 0.5).tolist())
        lattice = Squares(shape, rng.random(shape) < rng.uniform(0.5, 1), wrap)
        found = uniform_patterns(lattice)
        cells, trees = int(lattice.cells.sum()), lattice.lattice.n_components
        assert found.min() > -1e-10
        assert found.sum() == pytest.approx(cells)
        assert found @ DEGREE == pytest.approx(2 * (cells - trees))
        open_ = np.nan_to_num(meiro.edge_probabilities(mask=lattice.cells, wrap=wrap))
        assert found @ DEGREE == pytest.approx(2 * open_.sum())


def test_uniform_patterns_have_the_published_means() -> None:
    for size, counts in KNOWN["uniform"]["expected_counts"].items():
        rows, cols = map(int, size.split("x"))
        found = uniform_patterns(Squares((rows, cols), None, FLAT))
        wanted = [counts[name] for name in ("dead", "deg2", "deg3", "deg4")]
        assert [found[degree == DEGREE].sum() for degree in (1, 2, 3, 4)] == pytest.approx(wanted, abs=6e-7)
        assert found[[5, 10]].sum() == pytest.approx(counts["straight"], abs=6e-7)


def test_uniform_patterns_of_tori_approach_the_infinite_grid() -> None:
    """By the inverse square of the side; dead ends have the share 8 / pi^2 (1 - 2 / pi)."""
    limit = [KNOWN["uniform"]["infinite_grid"][f"degree_{degree}"] for degree in (1, 2, 3, 4)]
    assert limit[0] == pytest.approx(8 / np.pi**2 * (1 - 2 / np.pi), abs=1e-12)
    off = []
    for side in (64, 128, 256):
        shares = uniform_patterns(Squares((side, side), None, (True, True))) / side**2
        off.append([shares[degree == DEGREE].sum() - limit[degree - 1] for degree in (1, 2, 3, 4)])
    assert np.abs(off[-1]).max() < 2e-5
    assert np.divide(off[:-1], off[1:]) == pytest.approx(4, rel=1e-2)


RULES: list[tuple[str, Callable[[tuple[int, int]], Any]]] = [
    ("binary_tree", binary_tree_patterns),
    ("sidewinder", sidewinder_patterns),
    ("pole_toppling", pole_toppling_patterns),
]


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (3, 3)], ids=str)
@pytest.mark.parametrize(("algorithm", "patterns"), RULES)
def test_patterns_of_rows_are_those_of_the_law(algorithm: str, patterns: Any, shape: tuple[int, int]) -> None:
    law = meiro.law(shape, algorithm)
    wanted = sum(float(p) * np.bincount(maze.passages.reshape(-1), minlength=16) for maze, p in law.items())
    found = patterns(shape)
    corner = [1, 8] if algorithm == "binary_tree" else []  # a law is that of any corner: compare by degrees
    if corner:
        assert [found[k == DEGREE].sum() for k in range(5)] == pytest.approx(
            [np.asarray(wanted)[k == DEGREE].sum() for k in range(5)]
        )
    else:
        assert found == pytest.approx(np.asarray(wanted))


@pytest.mark.parametrize(("algorithm", "patterns"), RULES)
def test_patterns_of_rows_have_the_published_limits(algorithm: str, patterns: Any) -> None:
    side = 10_000
    inner = (patterns((side, side)) - patterns((side, side - 8))) - (
        patterns((side - 8, side)) - patterns((side - 8, side - 8))
    )
    limit = KNOWN[algorithm]["infinite_grid"]
    for degree in (1, 2, 3, 4):
        assert inner[degree == DEGREE].sum() / 64 == pytest.approx(limit[f"degree_{degree}"], abs=1e-6)


@pytest.mark.parametrize(("algorithm", "patterns"), RULES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 200), (5, 150), (200, 3)], ids=str)
def test_patterns_of_rows_are_of_perfect_mazes(algorithm: str, patterns: Any, shape: tuple[int, int]) -> None:
    found = patterns(shape)
    assert found.sum() == pytest.approx(shape[0] * shape[1])
    assert found @ DEGREE == pytest.approx(2 * (shape[0] * shape[1] - 1)), algorithm
    assert found.min() >= 0


def test_sidewinder_patterns_have_the_known_dead_ends() -> None:
    for size, dead_ends in KNOWN["sidewinder"]["expected_dead_ends"].items():
        rows, cols = map(int, size.split("x"))
        assert sidewinder_patterns((rows, cols))[DEGREE == 1].sum() == pytest.approx(dead_ends, abs=6e-7)
