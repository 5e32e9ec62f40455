"""Exact laws on small grids, and the test of a sampler against one.

The files `<law>_<rows>x<cols>.json` of `meiro.exact` list every maze with its probability as a fraction;
bit ``i`` of a tree's number says that edge ``i`` of `edges` is open.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import numpy as np
import power
from numpy.typing import NDArray
from reference.exact import RULES, graph
from scipy.stats import chi2, chi2_contingency, chisquare

import meiro

FOLDER = Path(meiro.__file__).parent / "exact" / "data" / "laws"
FALSE_ALARM = power.FALSE_ALARM
SHAPES = ((2, 2), (2, 3), (3, 2), (3, 3))


Edge = tuple[int, int]
K = TypeVar("K")


@dataclass(frozen=True)
class Law:
    """Probabilities of trees, the trees as numbers."""

    shape: tuple[int, int]
    trees: NDArray[np.int64]
    probabilities: NDArray[np.float64]


def load(name: str, shape: tuple[int, int]) -> Law:
    text = (FOLDER / f"{name}_{shape[0]}x{shape[1]}.json").read_text(encoding="utf-8")
    trees = json.loads(text)["trees"]
    exact = [Fraction(p) for _, p in trees]
    assert sum(exact) == 1
    return Law(shape, np.array([t for t, _ in trees]), np.array([float(p) for p in exact]))


def numbers(passages: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of each maze of (n, rows, cols): edges in order of their lower cell, E before S."""
    n, rows, cols = passages.shape
    out = np.zeros(n, np.int64)
    bit = 0
    for r in range(rows):
        for c in range(cols):
            for direction, there in ((2, c + 1 < cols), (4, r + 1 < rows)):
                if there:
                    out |= ((passages[:, r, c] & direction) != 0).astype(np.int64) << bit
                    bit += 1
    return out


def codes(passages: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return a number for each maze of (n, rows, cols), wrapped or not: two bits a cell, E and S."""
    flat = passages.reshape(len(passages), -1).astype(np.int64)
    found: NDArray[np.int64] = ((flat >> 1 & 3) << 2 * np.arange(flat.shape[1])).sum(axis=1)
    return found


def exact(name: str, mask: NDArray[np.bool_], wrap: tuple[bool, bool] = (False, False)) -> Law:
    """Return the law on a mask or a wrap, by trying every choice; its trees as `codes` has them."""
    return _exact(name, mask.tobytes(), (mask.shape[0], mask.shape[1]), wrap)


@functools.cache
def _exact(name: str, mask: bytes, shape: tuple[int, int], wrap: tuple[bool, bool]) -> Law:
    rows, cols = shape
    found = RULES[name](graph(np.frombuffer(mask, bool).reshape(shape), wrap))
    bits: dict[tuple[int, int], int] = {}
    for r, c in np.ndindex(rows, cols):
        at = r * cols + c
        for bit, to in enumerate((r * cols + (c + 1) % cols, (r + 1) % rows * cols + c)):
            # A side of 2 that does not wrap: the bit over the rim is not the one of the wall within.
            bits.setdefault((min(at, to), max(at, to)), 1 << (2 * at + bit))
    trees = np.array([sum(bits[e] for e in tree) for tree in found])
    return Law((rows, cols), trees, np.array([float(p) for p in found.values()]))


def tree_numbers(shape: tuple[int, int], trees: Iterable[Iterable[Edge]]) -> NDArray[np.int64]:
    """Return what `numbers` returns, of mazes given by their passages as pairs of cells."""
    rows, cols = shape
    order = [
        (r * cols + c, to)
        for r in range(rows)
        for c in range(cols)
        for to, inside in ((r * cols + c + 1, c + 1 < cols), ((r + 1) * cols + c, r + 1 < rows))
        if inside
    ]
    bits = {edge: 1 << bit for bit, (a, b) in enumerate(order) for edge in ((a, b), (b, a))}
    return np.array([sum(bits[edge] for edge in tree) for tree in trees])


def _chi_square(sample: NDArray[np.int64], law: Law) -> tuple[float, int]:
    """Return the p-value and the degrees of freedom."""
    order = np.argsort(law.trees)
    trees, expected = law.trees[order], law.probabilities[order] * len(sample)
    at = np.searchsorted(trees, sample).clip(max=len(trees) - 1)
    if (trees[at] != sample).any():
        return 0.0, 1
    seen = np.bincount(at, minlength=len(trees)).astype(float)
    rare = expected < 10
    if rare.any():
        seen = np.append(seen[~rare], seen[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    statistic = float(((seen - expected) ** 2 / expected).sum())
    df = len(expected) - 1
    return (float(chi2.sf(statistic, df)) if df else 1.0), df


def contingency(a: NDArray[np.int64], b: NDArray[np.int64]) -> tuple[float, int]:
    """Return the p-value and the degrees of freedom; trees that are rare in both count as one."""
    trees, at = np.unique(np.concatenate([a, b]), return_inverse=True)
    table = np.array([np.bincount(part, minlength=len(trees)) for part in (at[: len(a)], at[len(a) :])])
    rare = table.sum(axis=0) * min(len(a), len(b)) / (len(a) + len(b)) < 10
    if rare.any():
        table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    test = chi2_contingency(table)
    return float(test.pvalue), int(test.dof)


def samples(n: int, law: Law) -> int:
    """Return how many of `n` samples to draw: enough for most trees of a law not to be rare."""
    return power.samples(n, least=15 * len(law.trees))


def p_value(sample: NDArray[np.int64], law: Law) -> float:
    """Return the p-value of a chi-square test; 0 for a tree outside the law's support."""
    return _chi_square(sample, law)[0]


def same_law(a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
    """Return the p-value of two samples being of one law."""
    return contingency(a, b)[0]


def check_law(sample: NDArray[np.int64], law: Law) -> None:
    """Assert that a sample may be of a law, and note which deviation would have been seen."""
    p, df = _chi_square(sample, law)
    assert p > FALSE_ALARM
    assert df or len(law.trees) == 1, "too small a sample: every tree is rare"
    if df:
        power.say("total variation", power.total_variation(len(sample), df))


def check_same_law(a: NDArray[np.int64], b: NDArray[np.int64]) -> None:
    """Assert that two samples may be of one law, and note which deviation would have been seen."""
    p, df = contingency(a, b)
    assert p > FALSE_ALARM
    if df:
        power.say("total variation", power.total_variation(1 / (1 / len(a) + 1 / len(b)), df))


def check_counts(seen: Counter[K], law: Mapping[K, Fraction], n: int) -> None:
    """Compare how often each outcome was seen in `n` samples with its exact probability.

    Outcomes that are expected less than 10 times are taken together.
    """
    assert set(seen) <= set(law)
    likely = [outcome for outcome, share in law.items() if share * n >= 10]
    wanted = [float(law[outcome] * n) for outcome in likely]
    found = [seen[outcome] for outcome in likely]
    wanted.append(n - sum(wanted))
    found.append(n - sum(found))
    if wanted[-1] < 10:
        wanted[-2:], found[-2:] = [sum(wanted[-2:])], [sum(found[-2:])]
    assert chisquare(found, wanted).pvalue > FALSE_ALARM
    power.say("total variation", power.total_variation(n, len(found) - 1))
