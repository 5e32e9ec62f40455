"""Means and variances of measures that are known, exactly or as published."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.memory import fits
from meiro.exact._domain import Graph, Squares
from meiro.exact.count_variances import MOST_EDGES, seconds, uniform_variances
from meiro.exact.counting import number_of_mazes
from meiro.exact.laws import law
from meiro.exact.local_degrees import percolation_degrees, uniform_degrees
from meiro.exact.local_patterns import (
    binary_tree_patterns,
    counted_sides,
    percolation_patterns,
    pole_toppling_patterns,
    sidewinder_patterns,
    uniform_patterns,
)
from meiro.registry import MEASURES
from meiro.stats.measure import measure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Shape, Wrap
    from meiro.generators.request import GenerateRequest
    from meiro.lattices.lattice import Lattice
    from meiro.results.accumulators import Accumulator

_MOST_WORK = 300_000_000  # operations: 512 x 512 cells, or 1 x 3000
_MOST_MASK_WORK = 1 << 36  # operations of elimination: 512 x 512
_MOST_OF_A_LAW = 3  # rows and columns of the mazes whose laws are stored
_MOST_EDGES, _MOST_TREES = 16, 200  # of a lattice whose mazes are listed; as many cells
_MOST_CELLS, _MOST_SECONDS = 1 << 10, 2  # of variances: they are computed before the first maze
_ROUNDING = 1e-9  # of means and variances
_LISTED_LAWS = "uniform", "random_mst"  # on lattices
_BYTES = np.arange(16)
_SHARES = "dead_end_share", "horizontal_share"

_PULLEN_COLUMNS = {"dead_end_share": (0, 0.5), "solution_share": (1, 0.05)}  # column, rounding error in %
_ONE_BY_ONE = "exact: the {} draw one by one"
_WALL_BY_WALL = "exact: each wall draws by itself"
_BURTON = "exact, by the transfer-current theorem: R. Burton, R. Pemantle, Ann. Probab. 21 (1993) 1329"


class ExpectedValues(NamedTuple):
    """The known mean and variance of a measure."""

    mean: float
    variance: float  # NaN if it is not known
    uncertainty: float  # of the mean itself, as a standard deviation; 0 if it is exact
    source: str

    def z(self, found: Accumulator) -> tuple[float, float]:
        """Return the deviations of the mean and the variance of a sample, in standard errors."""
        error = math.hypot(found.standard_error, self.uncertainty)
        of_mean, of_variance = _z(found.mean, self.mean, error), math.nan
        if not math.isnan(self.variance) and found.n > 1:
            # The estimate is nearly 0 where a fair coin fell evenly; no law has an error below this one.
            least = self.variance * math.sqrt(2 / (found.n * (found.n - 1)))
            of_variance = _z(found.variance, self.variance, max(found.variance_error, least))
        return of_mean, of_variance


def _z(found: float, expected: float, error: float) -> float:
    if error < _ROUNDING and math.isclose(found, expected, abs_tol=_ROUNDING):  # the same in every maze
        return 0.0
    return (found - expected) / error if error else math.inf * (found - expected)


def expected_values(request: GenerateRequest, measures: Sequence[str]) -> dict[str, ExpectedValues]:
    """Return what is known of a configuration: of those measures that have a known mean.

    Exact are all measures of the smallest mazes of an algorithm whose law is stored; and counts of cells by
    their passages, of uniform mazes of any shape, mask and wrap, and of algorithms that decide each row, cell
    or wall by itself. On lattices exact are all measures of those with few mazes under the laws that can be
    listed, and counts of cells by their passages of uniform mazes, weighted or not, and of percolation.
    Variances are known of laws that are listed, and of uniform mazes that are not too large.
    """
    exact = _of_a_law(request) or _of_counts(request, measures)
    known = {name: exact.get(name) or _published_mean(request, name) for name in measures}
    return {name: values for name, values in known.items() if values is not None}


def of_passages(measures: Sequence[str]) -> list[str]:
    """Return those measures that depend on the passages of cells alone, not on start and goal."""
    return [name for name in measures if name in {*counted_sides(), "passages", *_SHARES}]


@functools.cache
def _known_values() -> Mapping[str, Any]:
    path = Path(__file__).parents[2] / "exact/data/known_values.json"
    values: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return values


def _of_a_law(request: GenerateRequest) -> dict[str, ExpectedValues]:
    """Return the values of all measures by `meiro.law`, of squares and lattices that have few mazes."""
    lattice, law = request.lattice, request.facts.law
    if lattice is None:
        known = min(request.shape) >= 2 and max(request.shape) <= _MOST_OF_A_LAW and bool(law)
    else:
        known = max(lattice.n_cells, lattice.n_edges) <= _MOST_EDGES and law in _LISTED_LAWS
    plain = request.mask is None and not any(request.wrap) and not request.kept
    return _values_of_law(lattice or request.shape, law) if plain and known else {}


@functools.lru_cache(maxsize=64)
def _values_of_law(shape: Shape | Lattice, name: str) -> dict[str, ExpectedValues]:
    if number_of_mazes(shape) > _MOST_TREES:
        return {}
    exact: Mapping[Any, Any] = law(shape, name)
    table: Any = measure(list(exact))
    weights, found = np.array([float(p) for p in exact.values()]), {}
    for measured in MEASURES:
        if measured in table and (defined := ~np.isnan(table[measured])).any():
            values, shares = table[measured][defined], weights[defined] / weights[defined].sum()
            mean = float(shares @ values)
            variance = float(shares @ (values - mean) ** 2)
            found[measured] = ExpectedValues(mean, variance, 0, "exact: meiro.law")
    return found


def _of_counts(request: GenerateRequest, measures: Sequence[str]) -> dict[str, ExpectedValues]:
    """Return the means, and of uniform mazes the variances, of the numbers of cells by their passages."""
    wanted, found = of_passages(measures), None
    if wanted:
        found = _patterns(request) if request.lattice is None else _degrees(request, request.lattice)
    if found is None:
        return {}
    counts, passages, source = found
    means = {name: float(counting @ counts) for name, counting in counted_sides().items()} | {
        "passages": passages
    }
    means["dead_end_share"] = means["dead_ends"] / float(counts.sum())
    if passages > 0 and request.facts.perfect:  # else the mean of the share is not that of the sums
        means["horizontal_share"] = means["horizontal_passages"] / passages
    variances: dict[str, float] = {}
    if source == _BURTON:
        mask = b"" if request.mask is None else request.mask.tobytes()
        weights = dict[str, Any](request.options).get("weights")
        key = b"" if weights is None else weights.tobytes()
        variances, why = _variances(request.lattice or request.shape, mask, request.wrap, key)
        source += why
    return {
        name: ExpectedValues(means[name], variances.get(name, math.nan), 0, source)
        for name in wanted
        if name in means
    }


@functools.lru_cache(maxsize=64)
def _variances(
    place: Shape | Lattice, mask: bytes, wrap: Wrap, weights: bytes
) -> tuple[dict[str, float], str]:
    """Return the variances of uniform mazes, or none and why, as the end of a source."""
    if isinstance(place, tuple):
        cells = np.frombuffer(mask, np.bool_).reshape(place) if mask else None
        domain: Squares | Graph = Squares(place, cells, wrap)
    else:
        domain = Graph(place)
    if domain.n_cells > _MOST_CELLS:
        return {}, f"; no variance beyond {_MOST_CELLS:,} cells"
    degrees = domain.lattice.degrees
    if degrees.max(initial=0) > MOST_EDGES or seconds(degrees) > _MOST_SECONDS:
        return {}, "; no variance, cells have too many edges"
    try:
        return uniform_variances(domain, np.frombuffer(weights) if weights else None), ""
    except ValueError:
        return {}, "; no variance, weights are too unlike each other"


def _degrees(request: GenerateRequest, lattice: Lattice) -> tuple[NDArray[np.float64], float, str] | None:
    """Return the expected numbers of cells with each number of passages on a lattice, as `_patterns`."""
    kept: dict[str, Any] = dict(request.kept)
    law, p, source = None, kept.get("p", 0.5), _BURTON
    if request.facts.name == "percolation":
        law, source = percolation_degrees(lattice, p), _WALL_BY_WALL
    elif request.facts.law == "uniform" and not set(kept) - {"start", "weights"}:
        law = uniform_degrees(lattice, dict[str, Any](request.options).get("weights"))
    if law is None:
        return None
    counts = np.zeros(16)
    counts[[0b0000, 0b0001, 0b0011, 0b0111, 0b1111]] = law
    loops = np.count_nonzero(lattice.edges[:, 0] == lattice.edges[:, 1])  # which stay closed
    tree = lattice.n_cells - lattice.n_components
    return counts, tree if request.facts.perfect else p * (lattice.n_edges - loops), source


def _patterns(request: GenerateRequest) -> tuple[NDArray[np.float64], float, str] | None:
    """Return the expected numbers of cells with each set of passages, and of passages, and their source."""
    found = _rules_of_squares(request)
    return None if found is None else (found[0], float(np.bitwise_count(_BYTES) @ found[0] / 2), found[1])


def _rules_of_squares(request: GenerateRequest) -> tuple[NDArray[np.float64], str] | None:
    name, shape = request.facts.name, request.shape
    kept: dict[str, Any] = dict(request.kept)
    rows, cols = shape
    domain = Squares(shape, request.mask, request.wrap)
    if name == "percolation":
        return percolation_patterns(domain, kept.get("p", 0.5)), _WALL_BY_WALL
    if request.facts.law == "uniform":
        if request.mask is None:
            small = rows * cols * (rows + cols) + 32 * (rows**2 + cols**2) <= _MOST_WORK
        else:
            cells = domain.n_cells  # a large mask takes more than the mazes
            small = cells * min(shape) ** 2 <= _MOST_MASK_WORK and fits(3000 * cells)
        return (uniform_patterns(domain), _BURTON) if small and not set(kept) - {"start"} else None
    rule = {
        "binary_tree": (binary_tree_patterns, "cells", "corner"),
        "sidewinder": (sidewinder_patterns, "rows", "towards"),
        "pole_toppling": (pole_toppling_patterns, "rows", "towards"),
    }.get(request.facts.law or "")
    if rule is None or set(kept) - {rule[2]}:
        return None
    function, what, option = rule
    if kept.get(option) not in {"east", "west"}:
        return function(shape), _ONE_BY_ONE.format(what)
    turned = (_BYTES & 1) << 3 | (_BYTES & 8) >> 3 | (_BYTES & 2) << 1 | (_BYTES & 4) >> 1  # transposed
    return function((cols, rows))[turned], _ONE_BY_ONE.format(what)


def _published_mean(request: GenerateRequest, measure: str) -> ExpectedValues | None:
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
        or "x".join(map(str, request.shape)) != pullen["shape"]
    ):
        return None
    column, rounding = _PULLEN_COLUMNS[measure]
    return ExpectedValues(row[column] / 100, math.nan, rounding / 100 / math.sqrt(3), pullen["source"])
