"""Numbers of mazes and probabilities of walls, compared with determinants computed slowly."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
import sampling
from hypothesis import given, settings
from hypothesis import strategies as st
from periodic_mazes import lattice_of
from refusals import refused

import meiro
from meiro._utils.square import n_walls
from meiro.exact import counting
from meiro.exact._domain import Graph, Squares
from meiro.exact._modular_arithmetic import _combined, power, primes, reconstruct_by_crt, root_of_unity
from meiro.exact.counting import MOST_BITS, count_trees, log_trees
from meiro.exact.edge_probabilities import resistances as resistances_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

KNOWN: dict[str, int] = json.loads(
    (Path(meiro.__file__).parent / "exact/data/known_values.json").read_text("utf-8")
)["uniform"]["number_of_trees"]
Case = tuple["NDArray[np.bool_]", tuple[bool, bool]]


def side(text: str) -> tuple[int, int]:
    rows, cols = text.split("x")
    return int(rows), int(cols)


def some_case(seed: int) -> Case:
    """A mask of up to 7 x 7, often in several parts, on a rectangle, cylinder or torus."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 8)), int(rng.integers(1, 8)))
    wrap = (bool(rng.integers(2)) and shape[0] > 2, bool(rng.integers(2)) and shape[1] > 2)
    mask = rng.random(shape) < rng.choice([0.5, 0.7, 0.9, 1.1])
    mask[tuple(rng.integers(shape))] = True
    return mask, wrap


def graph_of(mask: NDArray[np.bool_], wrap: tuple[bool, bool]) -> nx.Graph[tuple[int, int]]:
    """What networkx makes of it: it knows of cylinders and tori by itself."""
    graph = lattice_of(mask.shape, wrap)
    graph.remove_nodes_from([cell for cell in list(graph) if not mask[cell]])
    return graph


def slow(graph: nx.Graph[tuple[int, int]]) -> int:
    """The matrix-tree theorem with fractions, a part at a time."""
    found = Fraction(1)
    for part in nx.connected_components(graph):
        tree = graph.subgraph(part)
        m = [list(map(Fraction, map(int, line))) for line in nx.laplacian_matrix(tree).toarray()[1:, 1:]]
        for k, top in enumerate(m):
            found *= top[k]
            for line in m[k + 1 :]:
                factor = line[k] / top[k]
                for j in range(k, len(m)):
                    line[j] -= factor * top[j]
    assert found.denominator == 1
    return int(found)


@pytest.mark.parametrize("shape", KNOWN)
def test_number_of_mazes_is_as_published(shape: str) -> None:
    rows, cols = side(shape)
    assert meiro.number_of_mazes((rows, cols)) == meiro.number_of_mazes((cols, rows)) == KNOWN[shape]


@pytest.mark.parametrize("shape", sampling.SHAPES, ids=str)
def test_number_of_mazes_is_the_size_of_the_uniform_law(shape: tuple[int, int]) -> None:
    assert meiro.number_of_mazes(shape) == len(sampling.load("uniform", shape).trees)


def test_number_of_mazes_of_masks_rectangles_cylinders_and_tori() -> None:
    for seed in range(60):
        mask, wrap = some_case(seed)
        graph = graph_of(mask, wrap)
        exact = slow(graph)
        assert meiro.number_of_mazes(mask=mask, wrap=wrap) == exact, (seed, mask, wrap)
        assert meiro.log_number_of_mazes(mask=mask, wrap=wrap) == pytest.approx(math.log(exact), abs=1e-10)


@given(st.integers(1, 22), st.integers(1, 22), st.booleans(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_number_of_mazes_by_either_method_agrees(rows: int, cols: int, over: bool, around: bool) -> None:  # noqa: FBT001
    """The one has eigenvalues, the other none."""
    wrap = over and rows > 2, around and cols > 2
    exact = meiro.number_of_mazes((rows, cols), wrap=wrap)
    assert count_trees(Squares((rows, cols), None, wrap)) == exact
    assert meiro.log_number_of_mazes((rows, cols), wrap=wrap) == pytest.approx(math.log(exact), abs=1e-9)


def test_number_of_mazes_of_64_x_64() -> None:
    exact = meiro.number_of_mazes((64, 64))
    assert exact.bit_length() == 6727
    assert math.log(exact) == pytest.approx(meiro.log_number_of_mazes((64, 64)), rel=1e-13)
    # Of a square the eigenvalues a + b and b + a pair up, and those 2 a have the product 2^(n-1) n.
    root = math.isqrt(exact // (2**63 * 64))
    assert exact == 2**63 * 64 * root**2


def test_number_of_mazes_of_a_large_mask() -> None:
    row, col = np.mgrid[:40, :40] - 19.5
    disc = row**2 + col**2 < 400
    exact = meiro.number_of_mazes(mask=disc)
    assert math.log(exact) == pytest.approx(meiro.log_number_of_mazes(mask=disc), rel=1e-13)
    # Cut along the middle, the two halves have a known number each.
    strip = np.ones((21, 30), np.bool_)
    strip[10] = False
    assert meiro.number_of_mazes(mask=strip) == meiro.number_of_mazes((10, 30)) ** 2


def test_number_of_mazes_does_not_depend_on_how_many_primes_are_taken_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def two_at_once(bound: int, step: int, _: int, remainders: Any) -> tuple[int, int]:
        return reconstruct_by_crt(bound, step, 2, remainders)

    row, col = np.mgrid[:15, :15] - 7
    disc = row**2 + col**2 < 50
    cases = [(disc, (False, False)), (disc, (True, False)), *map(some_case, range(20))]
    exact = [meiro.number_of_mazes(mask=mask, wrap=wrap) for mask, wrap in cases]
    monkeypatch.setattr(counting, "reconstruct_by_crt", two_at_once)
    assert [meiro.number_of_mazes(mask=mask, wrap=wrap) for mask, wrap in cases] == exact


def test_number_of_mazes_as_a_logarithm_of_any_size() -> None:
    catalan = 0.915965594177219015
    for wrap in ((False, False), (False, True), (True, True)):
        for shape in ((100_000, 100_000), (3, 10**9), (10**9, 3)):
            found = meiro.log_number_of_mazes(shape, wrap=wrap)
            if shape[0] == shape[1]:
                rim = 0 if all(wrap) else 4e-5 / (1 + any(wrap))
                assert found / math.prod(shape) == pytest.approx(4 * catalan / math.pi, abs=1e-9 + rim)
            assert found == pytest.approx(meiro.log_number_of_mazes(shape[::-1], wrap=wrap[::-1]), rel=1e-14)
    assert meiro.log_number_of_mazes((1, 7)) == meiro.log_number_of_mazes((7, 1)) == 0
    assert meiro.log_number_of_mazes((1, 7), wrap=(False, True)) == pytest.approx(math.log(7))


# Walls


def resistances(graph: nx.Graph[tuple[int, int]], mask: NDArray[np.bool_]) -> dict[frozenset[int], float]:
    """Of each edge, by the pseudo-inverse of the Laplacian."""
    nodes = list(graph)
    inverse = np.linalg.pinv(nx.laplacian_matrix(graph, nodes).toarray().astype(float), hermitian=True)
    at = {node: i for i, node in enumerate(nodes)}
    cols = mask.shape[1]
    return {
        frozenset((a[0] * cols + a[1], b[0] * cols + b[1])): inverse[at[a], at[a]]
        + inverse[at[b], at[b]]
        - 2 * inverse[at[a], at[b]]
        for a, b in graph.edges
    }


def test_edge_probabilities_of_random_lattices() -> None:
    for seed in range(60):
        mask, wrap = some_case(seed)
        graph = graph_of(mask, wrap)
        known = resistances(graph, mask)
        ids = np.arange(n_walls(mask.shape, wrap))
        cells = meiro.wall_cells(mask.shape, ids, wrap=wrap)
        expected = [known.get(frozenset(pair), math.nan) for pair in cells.tolist()]
        found = meiro.edge_probabilities(mask=mask, wrap=wrap)
        np.testing.assert_allclose(found, expected, atol=1e-10, err_msg=str(seed))
        parts = nx.number_connected_components(graph)
        assert np.nansum(found) == pytest.approx(len(graph) - parts, abs=1e-9)


@pytest.mark.parametrize("wrap", [(False, False), (True, False), (False, True), (True, True)], ids=str)
def test_edge_probabilities_by_eigenvectors_and_elimination_agree(wrap: tuple[bool, bool]) -> None:
    for shape in ((5, 9), (9, 4), (12, 12)):
        whole = meiro.edge_probabilities(shape, wrap=wrap)
        ground = Squares(shape, None, wrap)
        assert resistances_of(ground) == pytest.approx(whole, abs=1e-11)
        assert whole.sum() == pytest.approx(math.prod(shape) - 1)


@pytest.mark.parametrize("shape", sampling.SHAPES, ids=str)
def test_edge_probabilities_are_those_of_the_exact_laws(shape: tuple[int, int]) -> None:
    law = meiro.law(shape, "uniform")
    open_ = np.zeros(n_walls(shape))
    for maze, p in law.items():
        standing = np.ones(len(open_))
        standing[maze.wall_ids()] = 0
        open_ += standing * float(p)
    assert meiro.edge_probabilities(shape) == pytest.approx(open_, abs=1e-13)


@pytest.mark.parametrize("masked", [False, True])
def test_edge_probabilities_are_those_of_wilsons_mazes(masked: bool) -> None:  # noqa: FBT001
    mask = np.ones((7, 9), np.bool_)
    if masked:
        mask[2:4, 3:5] = mask[0, 0] = False
    n = 40_000
    passages = meiro.generate_many(None, n=n, mask=mask, rng=5, threads=2).passages
    seen = np.concatenate(
        [
            ((passages[:, :, :-1] & 2) != 0).mean(axis=0).ravel(),
            ((passages[:, :-1] & 4) != 0).mean(axis=0).ravel(),
        ]
    )
    known = meiro.edge_probabilities(mask=mask)
    there = ~np.isnan(known)
    assert not seen[~there].any()
    p, share = known[there], seen[there]
    sure = p > 1 - 1e-9  # the only way there
    assert (share[sure] == 1).all()
    assert (np.abs(share - p)[~sure] < 5 * np.sqrt(p * (1 - p) / n)[~sure]).all()


def test_edge_probabilities_far_from_the_border_are_a_half() -> None:
    found = meiro.edge_probabilities((200, 200))
    across = found[: 200 * 199].reshape(200, 199)
    assert across[100, 100] == pytest.approx(0.5, abs=1e-4)
    assert meiro.edge_probabilities((30, 40), wrap=(True, True))[: 30 * 39] == pytest.approx(
        meiro.edge_probabilities((30, 40), wrap=(True, True))[0]
    )


# Whole numbers by remainders


def test_primes_and_roots() -> None:
    first = next(primes(2))
    slow_primes = [p for p in range((1 << 31) - 1, (1 << 31) - 2000, -2) if _prime(p)]
    assert first[: len(slow_primes)].tolist() == slow_primes
    for order in (2, 6, 8, 30, 128):
        some = next(primes(order))[:20]
        assert (some % np.uint64(order) == 1).all()
        roots = root_of_unity(order, some)
        for root, p in zip(roots.tolist(), some.tolist(), strict=True):
            assert [k for k in range(1, order + 1) if pow(root, k, p) == 1] == [order]
        assert power(roots, some - np.uint64(1), some).tolist() == [1] * len(some)


def _prime(n: int) -> bool:
    return all(n % d for d in range(2, math.isqrt(n) + 1))


@given(st.integers(0, 10**200), st.integers(2, 40), st.integers(1, 70))
@settings(max_examples=25, deadline=None)
def test_chinese_remainders_give_the_number_back(n: int, step: int, at_once: int) -> None:
    def remainders(prime: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        good = prime % np.uint64(7) != 3  # some primes cannot be used
        return np.array([n % p for p in prime.tolist()], np.uint64), good

    found, product = reconstruct_by_crt(n, 2 * step, at_once, remainders)
    assert found == n
    assert product > 2 * n


@pytest.mark.long
def test_chinese_remainders_take_every_prime_and_say_when_these_are_too_few() -> None:
    def remainders(prime: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        return np.array([n % p for p in prime.tolist()], np.uint64), np.ones(prime.shape, np.bool_)

    step = 1 << 18  # 8,191 candidates, more than are looked at in one go
    every = [p for p in range(step + 1, 1 << 31, step) if _prime(p)]
    for n in (math.prod(every) // 16, math.prod(every) * 4):
        if n < math.prod(every):
            assert reconstruct_by_crt(n, step, 50, remainders)[0] == n
        else:
            with pytest.raises(OverflowError, match="too few primes 1 \\+ k \\* 262144 below"):
                reconstruct_by_crt(n, step, 50, remainders)
    n = 1
    refused(OverflowError, "too few primes", reconstruct_by_crt, n, 1 << 30, 50, remainders)


def test_chinese_remainders_by_hand() -> None:
    rest, those = np.array([2, 3, 2], np.uint64), np.array([3, 5, 7], np.uint64)
    assert _combined(rest, those) == (23, 105)


# What is refused


@pytest.mark.parametrize(
    "function", [meiro.number_of_mazes, meiro.log_number_of_mazes, meiro.edge_probabilities]
)
def test_counting_refuses_bad_arguments(function: object) -> None:
    assert callable(function)
    refused(TypeError, "give shape", function)
    refused(ValueError, r"shape must be at least \(1, 1\)", function, (0, 3))
    refused(TypeError, "shape must be a pair", function, 3)
    refused(ValueError, "mask has shape", function, (2, 2), mask=np.ones((2, 3)))
    refused(ValueError, "False everywhere", function, mask=np.zeros((2, 3)))
    refused(ValueError, "2-D", function, mask=[1, 1])
    refused(ValueError, "periodic rows are at least 3", function, (2, 3), wrap=(True, False))


@pytest.mark.long
def test_counting_refuses_what_is_too_large_beforehand() -> None:
    words = r"of \(100000, 100000\) has up to 5,06\d,\d{3},\d{3} digits: meiro.log_number"
    refused(ValueError, words, meiro.number_of_mazes, (10**5, 10**5))
    with pytest.raises(ValueError, match=r"a mask of \(2, \d+\) has up to 631,30\d digits"):
        meiro.number_of_mazes((2, MOST_BITS // 4 + 1), mask=np.arange(MOST_BITS // 2 + 2).reshape(2, -1) > 0)
    assert meiro.number_of_mazes((1, 10**9)) == 1
    assert meiro.number_of_mazes((3, 1), wrap=(True, False)) == 3
    refused(MemoryError, "bytes", meiro.edge_probabilities, (10**6, 10**6))
    large = np.ones((20_000, 20_000), np.bool_)
    large[0, 0] = False
    refused(MemoryError, "take a smaller mask", meiro.log_number_of_mazes, mask=large)


def test_the_logarithm_is_that_of_the_determinant() -> None:
    mask = np.ones((30, 40), np.bool_)
    mask[3:9, 4:7] = mask[0, 1] = mask[1, 0] = False  # a cell alone
    cases: list[Squares | Graph] = [Squares((30, 40), mask, wrap) for wrap in ((False, False), (True, True))]
    cases.append(Graph(meiro.Lattice(4, [(0, 1), (0, 1), (1, 2), (2, 2), (2, 0)])))
    hubs = meiro.lattices.from_graph(
        nx.complete_bipartite_graph(3, 400)
    )  # cells of very many neighbours come last
    cases.append(Graph(hubs))
    for domain in cases:
        matrix = np.diag(domain.diagonal.astype(float))
        one, other = domain.lattice.edges[domain.lattice.edges[:, 0] != domain.lattice.edges[:, 1]].T
        np.add.at(matrix, (one, other), -1)
        np.add.at(matrix, (other, one), -1)
        assert log_trees(domain) == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-13)
    assert meiro.log_number_of_mazes((2, 2)) == pytest.approx(math.log(4))
    np.testing.assert_allclose(meiro.edge_probabilities(hubs), 402 / 1200, rtol=1e-13)


def test_what_takes_too_many_updates_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice = meiro.lattices.hexagonal(9, 9)
    monkeypatch.setattr(counting, "MOST_UPDATES", 1 << 9)
    for call in (log_trees, partial(resistances_of, most_updates=1 << 9)):
        refused(ValueError, r"too dense.* 2\*\*9 updates", call, Graph(lattice))


def test_cells_of_one_side_of_a_dense_bipartite_graph_are_not_taken_for_adjacent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "MOST_UPDATES", 3 * 250**3 // 4)  # 2/3 of it is expected, 4/3 if they were
    lattice = meiro.lattices.from_graph(nx.complete_bipartite_graph(250, 250))
    assert log_trees(Graph(lattice)) == pytest.approx(2 * 249 * math.log(250))
