"""Means of measures that are known, exactly or as published."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.memory import fits
from meiro.exact.counting import SquareLattice
from meiro.exact.edge_probabilities import cost_of_mask
from meiro.exact.graph_laws import law_on_lattice
from meiro.exact.graph_trees import count_trees
from meiro.exact.laws import law
from meiro.exact.local_degrees import percolation_degrees, uniform_degrees
from meiro.exact.local_patterns import (
    binary_tree_patterns,
    percolation_patterns,
    pole_toppling_patterns,
    sidewinder_patterns,
    uniform_patterns,
)
from meiro.generators.on_lattices import LatticeRequest
from meiro.mazes._batch import batch_of
from meiro.mazes.batch import MazeBatch
from meiro.mazes.graph_batch import GraphBatch, GraphBatchData
from meiro.registry import MEASURES
from meiro.stats.measure import measure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Shape
    from meiro.generators.request import GenerateRequest
    from meiro.lattices.lattice import Lattice
    from meiro.results.table import Table
    from meiro.stats.surveys.jobs import Configuration

_MOST_WORK = 300_000_000  # operations: 512 x 512 cells, or 1 x 3000
_MOST_MASK_WORK = 1 << 36  # operations of elimination: 512 x 512
_MOST_OF_A_LAW = 3  # rows and columns of the mazes whose laws are stored
_MOST_EDGES, _MOST_TREES = 16, 200  # of a lattice whose mazes are listed; as many cells
_BITS = np.arange(16)
_DEGREE = np.array([bits.bit_count() for bits in range(16)])
_STRAIGHT = (_BITS == 5) | (_BITS == 10)
_WEIGHTS: dict[str, NDArray[Any]] = {
    "isolated": _DEGREE == 0,
    "dead_ends": _DEGREE == 1,
    "corridors": _DEGREE == 2,
    "junctions": _DEGREE == 3,
    "crossroads": _DEGREE == 4,
    "straights": _STRAIGHT,
    "turns": (_DEGREE == 2) & ~_STRAIGHT,
    "passages": _DEGREE / 2,
    "horizontal_passages": _BITS >> 1 & 1,  # each is the east side of one cell
    "vertical_passages": _BITS >> 2 & 1,
}
"""What a cell counts in a measure, by the direction bits of its passages."""

_DEGREES = dict(
    zip(("isolated", "dead_ends", "corridors", "junctions", "crossroads"), np.eye(5), strict=True)
)
_SHARES = {"dead_end_share": "dead_ends", "horizontal_share": "horizontal_passages"}
_PULLEN_COLUMNS = {"dead_end_share": (0, 0.5), "solution_share": (1, 0.05)}  # column, rounding error in %
_ONE_BY_ONE = "exact: the {} draw one by one"
_WALL_BY_WALL = "exact: each wall draws by itself"
_BURTON = "exact, by the transfer-current theorem: R. Burton, R. Pemantle, Ann. Probab. 21 (1993) 1329"


class ExpectedMean(NamedTuple):
    """The known mean of a measure."""

    value: float
    uncertainty: float  # of the value itself, as a standard deviation; 0 if it is exact
    source: str

    def z(self, mean: float, standard_error: float) -> float:
        """Return the deviation of a sample mean in standard errors."""
        difference = mean - self.value
        error = math.hypot(standard_error, self.uncertainty)
        if error == 0:  # the measure is the same in every maze
            return (
                0.0 if math.isclose(mean, self.value, abs_tol=1e-9) else math.copysign(math.inf, difference)
            )
        return difference / error


def expected_means(request: Configuration, measures: Sequence[str]) -> dict[str, ExpectedMean]:
    """Return the known means of a configuration: of those measures that have one.

    Exact are all measures of the smallest mazes of an algorithm whose law is stored; and counts of cells by
    their passages, of uniform mazes of any shape, mask and wrap, and of algorithms that decide each row, cell
    or wall by itself. On lattices exact are all measures of those with few mazes under the laws that can be
    listed, and counts of cells by their passages of uniform mazes, weighted or not, and of percolation.
    """
    if isinstance(request, LatticeRequest):
        exact = _of_all_trees(request) or _of_degrees(request, measures)
        return {name: exact[name] for name in measures if name in exact}
    exact = _of_a_stored_law(request) or _of_patterns(request, measures)
    means = {name: exact.get(name) or _published_mean(request, name) for name in measures}
    return {name: mean for name, mean in means.items() if mean is not None}


@functools.cache
def _known_values() -> Mapping[str, Any]:
    path = Path(__file__).parents[2] / "exact/data/known_values.json"
    values: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return values


def _of_a_stored_law(request: GenerateRequest) -> dict[str, ExpectedMean]:
    """Return the means of all measures by `meiro.law`."""
    plain = request.mask is None and not any(request.wrap) and not request.kept
    small = min(request.shape) >= 2 and max(request.shape) <= _MOST_OF_A_LAW
    return _means_of_law(request.shape, request.facts.name) if plain and small and request.facts.law else {}


@functools.cache
def _means_of_law(shape: Shape, algorithm: str) -> dict[str, ExpectedMean]:
    exact = law(shape, algorithm)
    return _means_of(measure(MazeBatch(list(exact))), np.array([float(p) for p in exact.values()]))


def _means_of(table: Table, weights: NDArray[np.float64]) -> dict[str, ExpectedMean]:
    """Return the means of measures, where they are defined, of mazes of these probabilities."""
    found = {}
    for name in MEASURES:
        if name in table and (defined := ~np.isnan(table[name])).any():
            mean = float(weights[defined] @ table[name][defined] / weights[defined].sum())
            found[name] = ExpectedMean(mean, 0, "exact: meiro.law")
    return found


@functools.lru_cache(maxsize=16)
def _means_of_trees(lattice: Lattice, law: str) -> dict[str, ExpectedMean]:
    if count_trees(lattice) > _MOST_TREES:
        return {}
    exact = law_on_lattice(lattice, law, law)
    mazes = np.stack([maze.open for maze in exact])
    many = batch_of(GraphBatch, GraphBatchData(lattice, mazes, None, range(len(mazes)), None))
    return _means_of(measure(many), np.array([float(p) for p in exact.values()]))


def _of_all_trees(request: LatticeRequest) -> dict[str, ExpectedMean]:
    """Return the means of all measures on a lattice that has few mazes."""
    listed = request.facts.law in {"uniform", "random_mst"} and not request.kept
    small = max(request.lattice.n_cells, request.lattice.n_edges) <= _MOST_EDGES
    return _means_of_trees(request.lattice, request.facts.law) if listed and small else {}


def _of_degrees(request: LatticeRequest, measures: Sequence[str]) -> dict[str, ExpectedMean]:
    """Return the means of the numbers of cells by their passages on a lattice."""
    wanted = [name for name in measures if name in _DEGREES or name in {"dead_end_share", "passages"}]
    lattice, law, source = request.lattice, None, _BURTON
    if wanted and request.facts.name == "percolation":
        law, source = percolation_degrees(lattice, request.kept.get("p", 0.5)), _WALL_BY_WALL
    elif wanted and request.facts.law == "uniform" and not set(request.kept) - {"start", "weights"}:
        law = uniform_degrees(lattice, request.options.get("weights"))
    if law is None:
        return {}
    means = {name: float(weights @ law) for name, weights in _DEGREES.items()}
    means["dead_end_share"] = means["dead_ends"] / lattice.n_cells
    if request.facts.perfect:
        means["passages"] = lattice.n_cells - lattice.n_components
    else:
        loops = np.count_nonzero(lattice.edges[:, 0] == lattice.edges[:, 1])  # which stay closed
        means["passages"] = request.kept.get("p", 0.5) * (lattice.n_edges - loops)
    return {name: ExpectedMean(means[name], 0, source) for name in wanted}


def _of_patterns(request: GenerateRequest, measures: Sequence[str]) -> dict[str, ExpectedMean]:
    wanted = {name for name in measures if name in _WEIGHTS or name in _SHARES}
    found = _patterns(request) if wanted else None
    if found is None:
        return {}
    patterns, source = found
    means = {name: float(weights @ patterns) for name, weights in _WEIGHTS.items()}
    for name, count in _SHARES.items():
        whole = means["passages"] if name == "horizontal_share" else float(patterns.sum())
        if whole > 0 and (request.facts.perfect or name == "dead_end_share"):
            means[name] = means[count] / whole
    return {name: ExpectedMean(means[name], 0, source) for name in wanted if name in means}


def _patterns(request: GenerateRequest) -> tuple[NDArray[np.float64], str] | None:
    """Return the expected numbers of cells with each set of passages, and their source."""
    name = request.facts.name
    kept: dict[str, Any] = dict(request.kept)
    lattice = SquareLattice(request.shape, request.mask, request.wrap)
    if name == "percolation":
        return percolation_patterns(lattice, kept.get("p", 0.5)), _WALL_BY_WALL
    if request.facts.law == "uniform":
        if request.mask is None:
            rows, cols = request.shape
            small = rows * cols * (rows + cols) + 32 * (rows**2 + cols**2) <= _MOST_WORK
        else:
            work, need = cost_of_mask(lattice)
            small = work <= _MOST_MASK_WORK and fits(need)  # a large mask takes more than the mazes
        return (uniform_patterns(lattice), _BURTON) if small and not set(kept) - {"start"} else None
    rule = {
        "binary_tree": (binary_tree_patterns, "cells", "corner"),
        "sidewinder": (sidewinder_patterns, "rows", "towards"),
        "pole_toppling": (pole_toppling_patterns, "rows", "towards"),
    }.get(request.facts.law or "")
    if rule is None or set(kept) - {rule[2]}:
        return None
    function, what, option = rule
    if kept.get(option) not in {"east", "west"}:
        return function(request.shape), _ONE_BY_ONE.format(what)
    turned = (_BITS & 1) << 3 | (_BITS & 8) >> 3 | (_BITS & 2) << 1 | (_BITS & 4) >> 1  # transposed
    return function(request.shape[::-1])[turned], _ONE_BY_ONE.format(what)


def _published_mean(request: GenerateRequest, measure: str) -> ExpectedMean | None:
    """Return Pullen's number, if the configuration is his: a random start cell, at his size."""
    pullen = _known_values()["walter_pullen_think_labyrinth"]
    row = pullen.get(request.facts.name, ())
    options = {"start": "random"} if "start" in request.facts.options else {}
    if (
        request.mask is not None
        or any(request.wrap)
        or measure not in _PULLEN_COLUMNS
        or len(row) != 2
        or request.kept != options
        or _size(request.shape) != pullen["shape"]
    ):
        return None
    column, rounding = _PULLEN_COLUMNS[measure]
    return ExpectedMean(row[column] / 100, rounding / 100 / math.sqrt(3), pullen["source"])


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[0]}x{shape[1]}"
