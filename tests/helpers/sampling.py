"""Exact laws on small grids, and the test of a sampler against one.

The files `<law>_<rows>x<cols>.json` of `meiro.exact` list every maze with its probability as a fraction;
bit ``i`` of a tree's number says that edge ``i`` of `edges` is open.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from reference.exact import RULES, graph
from scipy.stats import chi2, chi2_contingency

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = Path(meiro.__file__).parent / "data" / "laws"
SHAPES = ((2, 2), (2, 3), (3, 2), (3, 3))
FALSE_ALARM = 1e-6


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
    rows, cols = mask.shape
    found = RULES[name](graph(mask, wrap))
    bits: dict[tuple[int, int], int] = {}
    for r, c in np.ndindex(rows, cols):
        at = r * cols + c
        for bit, to in enumerate((r * cols + (c + 1) % cols, (r + 1) % rows * cols + c)):
            # A side of 2 that does not wrap: the bit over the rim is not the one of the wall within.
            bits.setdefault((min(at, to), max(at, to)), 1 << (2 * at + bit))
    trees = np.array([sum(bits[e] for e in tree) for tree in found])
    return Law((rows, cols), trees, np.array([float(p) for p in found.values()]))


def p_value(sample: NDArray[np.int64], law: Law) -> float:
    """Return the p-value of a chi-square test; 0 for a tree outside the law's support."""
    order = np.argsort(law.trees)
    trees, expected = law.trees[order], law.probabilities[order] * len(sample)
    at = np.searchsorted(trees, sample).clip(max=len(trees) - 1)
    if (trees[at] != sample).any():
        return 0.0
    seen = np.bincount(at, minlength=len(trees)).astype(float)
    rare = expected < 10
    if rare.any():
        seen = np.append(seen[~rare], seen[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    statistic = float(((seen - expected) ** 2 / expected).sum())
    return float(chi2.sf(statistic, len(expected) - 1)) if len(expected) > 1 else 1.0


def same_law(a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
    """Return the p-value of two samples being of one law; trees that are rare in both count as one."""
    trees = np.unique(np.concatenate([a, b]))
    table = np.array([[np.sum(sample == tree) for tree in trees] for sample in (a, b)])
    rare = table.sum(axis=0) * min(len(a), len(b)) / (len(a) + len(b)) < 10
    if rare.any():
        table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    return float(chi2_contingency(table).pvalue)
