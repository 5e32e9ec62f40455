"""Large mazes: exactly known means, limits of the infinite grid, and a published table."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import power
import pytest
from power import samples

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray

KNOWN: dict[str, Any] = json.loads(
    (Path(meiro.__file__).parent / "exact/data/known_values.json").read_text("utf-8")
)
LIMIT = 5.0  # standard errors: one false alarm in a million
DEGREE = np.array([bits.bit_count() for bits in range(16)])
KINDS = ("dead", "deg2", "deg3", "deg4", "straight", "turn")
CLASS = np.array([[DEGREE[b] == d for b in range(16)] for d in (1, 2, 3, 4)])
STRAIGHT = np.isin(np.arange(16), (5, 10))


def counts(passages: NDArray[np.uint8]) -> dict[str, NDArray[np.float64]]:
    """Return for each maze of (n, rows, cols) how many cells there are of a kind."""
    n = len(passages)
    of = np.array([np.bincount(maze.ravel(), minlength=16) for maze in passages], float)
    assert of.shape == (n, 16)
    found = dict(zip(("dead", "deg2", "deg3", "deg4"), (of @ CLASS.T).T, strict=True))
    found["straight"] = of @ STRAIGHT
    found["turn"] = found["deg2"] - found["straight"]
    return found


def z(sample: NDArray[np.float64], mean: float) -> float:
    """Return by how many standard errors the mean of a sample is off."""
    if (error := float(sample.std(ddof=1)) / math.sqrt(len(sample))) == 0:
        return 0 if sample[0] == pytest.approx(mean) else math.inf
    power.say("relative error of a mean", (LIMIT + 2.4) * error / abs(mean))
    return abs(float(sample.mean()) - mean) / error


def number(cells: int, shape: tuple[int, int]) -> int:
    """Return how many mazes have `cells` cells together, at least 100: `LIMIT` is for normal means."""
    return max(100, samples(cells) // math.prod(shape))


def side(text: str) -> tuple[int, int]:
    rows, cols = text.split("x")
    return int(rows), int(cols)


UNIFORM = [a for a in meiro.ALGORITHMS if meiro.ALGORITHMS[a].law == "uniform"]


@pytest.mark.laws
@pytest.mark.parametrize("shape", KNOWN["uniform"]["expected_counts"])
@pytest.mark.parametrize("algorithm", UNIFORM)
def test_uniform_mazes_have_the_known_counts(algorithm: str, shape: str) -> None:
    n = number(5_000_000 if algorithm == "wilson" else 500_000, side(shape))
    found = counts(meiro.generate_many(side(shape), algorithm, n, rng=11, threads=2).passages)
    known = KNOWN["uniform"]["expected_counts"][shape]
    for kind in KINDS:
        assert z(found[kind], known[kind]) < LIMIT, kind
    if "sd_dead" in known:  # the variance has a standard error of about its sqrt(2 / n)
        share = found["dead"].var(ddof=1) / known["sd_dead"] ** 2
        assert abs(share - 1) < 1.5 * LIMIT * math.sqrt(2 / n)


def test_uniform_mazes_on_a_large_torus_are_like_the_infinite_grid() -> None:
    """Every cell of a torus is alike, so that the finite size enters only by its inverse square."""
    n, edge = 24, 256
    many = meiro.generate_many((edge, edge), "wilson", n, wrap=(True, True), rng=12, threads=2)
    found = counts(many.passages)
    names = {"dead": "degree_1", "deg2": "degree_2", "deg3": "degree_3", "deg4": "degree_4"}
    limit = KNOWN["uniform"]["infinite_grid"]
    for kind in KINDS:
        share = limit[names.get(kind, kind)]
        assert z(found[kind] / edge**2, share) < LIMIT, kind
    assert limit["straight"] + limit["turn"] == pytest.approx(limit["degree_2"])


@pytest.mark.laws
@pytest.mark.parametrize("shape", [(2, 2), (2, 9), (9, 2), (10, 10), (30, 50)], ids=str)
def test_binary_trees_have_the_known_dead_ends(shape: tuple[int, int]) -> None:
    many = meiro.generate_many(shape, "binary_tree", number(400_000, shape), rng=13)
    known = KNOWN["binary_tree"]["expected_dead_ends"]
    assert z(counts(many.passages)["dead"], math.prod(shape) * known["of_cells"] + known["plus"]) < LIMIT


@pytest.mark.laws
@pytest.mark.parametrize("shape", KNOWN["sidewinder"]["expected_dead_ends"])
def test_sidewinders_have_the_known_dead_ends(shape: str) -> None:
    many = meiro.generate_many(side(shape), "sidewinder", number(20_000_000, side(shape)), rng=14)
    known = KNOWN["sidewinder"]["expected_dead_ends"][shape]
    assert z(counts(many.passages)["dead"], known) < LIMIT


@pytest.mark.parametrize("algorithm", ["binary_tree", "sidewinder", "pole_toppling"])
def test_degrees_far_from_the_border_are_known(algorithm: str) -> None:
    many = meiro.generate_many((500, 500), algorithm, 40, rng=15)
    inner = np.ascontiguousarray(many.passages[:, 20:-20, 20:-20])
    found, known = counts(inner), KNOWN[algorithm]["infinite_grid"]
    for degree, kind in enumerate(KINDS[:4], 1):
        assert z(found[kind] / inner[0].size, known[f"degree_{degree}"]) < LIMIT, kind
    if "horizontal_share_of_passages" in known:
        east, south = ((inner & bit != 0).sum(axis=(1, 2)) for bit in (2, 4))
        across = east / (east + south)
        assert z(across, known["horizontal_share_of_passages"]) < LIMIT


def test_perfect_mazes_have_a_dead_end_for_every_fork(perfect: str) -> None:
    found = counts(meiro.generate_many((30, 40), perfect, 20, rng=16).passages)
    assert (found["dead"] == 2 + found["deg3"] + 2 * found["deg4"]).all()
    assert (found["dead"] / 1200 < 0.67).all()


# W. D. Pullen, Think Labyrinth (astrolog.org/labyrnth/algrithm.htm): dead ends in % of the cells, and cells
# on the way from corner to corner in %, at 100 x 100, begun anywhere. Where ours differ, the rule does:
OTHER_RULES = {
    "recursive_division": (27, 5.6),  # ours cuts the longer side, at a uniform place
    "eller": (29.4, 4.0),  # ours joins with even odds; his odds are not stated
    "hunt_and_kill": (9.4, 4.9),  # ours hunts from the top, his anywhere
}
PULLEN = KNOWN["walter_pullen_think_labyrinth"]


@pytest.mark.parametrize("algorithm", [a for a in meiro.ALGORITHMS if a in PULLEN])
def test_perfect_mazes_agree_with_pullens_table(algorithm: str) -> None:
    n, shape = 150, (100, 100)
    anywhere: dict[str, Any] = {"start": "random"} if "start" in meiro.ALGORITHMS[algorithm].options else {}
    many = meiro.generate_many(shape, algorithm, n, rng=17, threads=2, **anywhere)
    dead = counts(many.passages)["dead"] / 100
    way = np.array([len(meiro.solve(maze).path) for maze in many]) / 100
    dead_ends, solution = OTHER_RULES.get(algorithm, PULLEN[algorithm][:2])
    for found, published in ((dead, dead_ends), (way, solution)):
        error = found.std(ddof=1) / math.sqrt(n)
        assert abs(found.mean() - published) < 1 + 3 * error, found.mean()
    if algorithm in OTHER_RULES:  # and differ they do
        his = PULLEN[algorithm][:2]
        assert abs(dead.mean() - his[0]) > 1 or abs(way.mean() - his[1]) > 1
