"""What works for which kind of maze: each verb takes each kind, or refuses it with its reason."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from refusals import refused

import meiro

LATTICE = meiro.lattices.hexagonal(3, 4)
SQUARES = meiro.generate_many((3, 4), "kruskal", 3, rng=7)
HEXAGONS = meiro.generate_many(LATTICE, "kruskal", 3, rng=7)
KINDS: dict[str, Any] = {
    "Maze": SQUARES[0],
    "GraphMaze": HEXAGONS[0],
    "MazeBatch": SQUARES,
    "GraphBatch": HEXAGONS,
    "list of Maze": list(SQUARES),
    "list of GraphMaze": list(HEXAGONS),
    "array": SQUARES[0].grid,
}
ONE = {"list of Maze": "MazeBatch", "list of GraphMaze": "GraphBatch"}
ENDS: dict[str, Any] = {"Maze": ((0, 0), (2, 3)), "GraphMaze": (0, 11), "array": ((1, 1), (5, 7))}
ENDS |= {"MazeBatch": ENDS["Maze"], "GraphBatch": ENDS["GraphMaze"]}
ENDS |= {kind: ENDS[batch] for kind, batch in ONE.items()}


def adjacent_cells(x: Any) -> Any:
    return (0, 1) if hasattr(x[0] if isinstance(x, list) else x, "lattice") else ((0, 0), (0, 1))


QUERIES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "solve": meiro.solve,
    "distances": lambda x, start, _: meiro.distances(x, start),
    "policy": lambda x, _, goal: meiro.policy(x, goal),
    "shortest_paths": meiro.shortest_paths,
    "longest_path": lambda x, *_: meiro.longest_path(x),
    "bottlenecks": meiro.bottlenecks,
    "components": lambda x, *_: meiro.components(x)[0],
    "measure": lambda x, *_: meiro.measure(x, ["dead_ends"]),
    "check": lambda x, *_: meiro.check(x),
}
DATA: dict[str, Callable[[Any], Any]] = {
    "endpoints": lambda x: meiro.endpoints(x, rng=1),
    "split": lambda x: meiro.split(x, test=0.5),
    "split with ends": lambda x: meiro.split(x, *meiro.endpoints(x, rng=1), test=0.5),
    "masks": lambda x: meiro.solve_many(x, paths=True).masks,
    "supervised": lambda x: meiro.datasets.supervised(x, rng=1)[1:],
    "supervised tokens": lambda x: meiro.datasets.supervised(x, inputs="tokens", target="tokens", rng=1)[:3],
}
TRANSFORMS: dict[str, Callable[..., Any]] = {
    "braid": lambda x, rng=1: meiro.braid(x, rng=rng),
    "add_loops": lambda x, rng=1: meiro.add_loops(x, 1, rng=rng),
    "fill_dead_ends": lambda x, _=1: meiro.fill_dead_ends(x),
    "sparsify": lambda x, _=1: meiro.sparsify(x),
    "join_regions": lambda x, rng=1: meiro.join_regions(x, rng=rng),
    "remove_islands": lambda x, rng=1: meiro.remove_islands(x, rng=rng),
    "origin_shift": lambda x, rng=1: meiro.origin_shift(x, 5, rng=rng),
    "perturb": lambda x, rng=1: meiro.perturb(x, 5, rng=rng),
    "flip": lambda x, _=1: meiro.flip(x, 0),
    "with_passages": lambda x, _=1: meiro.with_passages(x, open=[adjacent_cells(x)]),
    "with_openings": lambda x, _=1: meiro.with_openings(x, "farthest"),
    "with_openings of two": lambda x, rng=1: meiro.with_openings(x, "random", rng=rng),
    "with_ends": lambda x, _=1: meiro.with_ends(x, "farthest"),
    "with_ends of two": lambda x, rng=1: meiro.with_ends(x, "random", rng=rng),
}


def numbers_of(found: Any) -> list[Any]:
    """What is compared of a result, one maze after the other."""
    if isinstance(found, meiro.SolutionBatch):
        return list(found.lengths.tolist())
    if isinstance(found, meiro.Table):
        return [
            dict(zip(found, row, strict=True)) for row in zip(*(found[name] for name in found), strict=True)
        ]
    return list(found)


@pytest.mark.parametrize("query", [*QUERIES, "braid", "locks"])
def test_what_holds_a_maze_is_refused_with_where_it_is(query: str) -> None:
    maze = meiro.generate((6, 6), rng=1)
    verb = QUERIES.get(query, lambda x, *_: getattr(meiro, query)(x))
    holders = {
        "Locks": (meiro.locks(maze, 1, rng=1), "maze"),
        "Frame": (meiro.trace((3, 3), rng=1)[2], "maze"),
        "LabmazeGrid": (meiro.io.from_labmaze(meiro.io.to_labmaze(maze)), "grid"),
    }
    for kind, (given, part) in holders.items():
        refused(TypeError, rf"(\w+) is a {kind}: take \1\.{part}$", verb, given, (1, 1), (3, 3))
        assert getattr(given, part) is not None


@pytest.mark.parametrize("query", QUERIES)
def test_each_query_takes_arrays_of_any_kind_and_refuses_others(query: str) -> None:
    walls, ends = SQUARES[0].grid, ENDS["array"]
    wide = np.zeros((2 * len(walls), 3 * len(walls[0])), np.uint8)
    wide[::2, ::3] = walls
    mirrored = walls[::-1, ::-1].copy()[::-1, ::-1]
    forms = walls != 0, np.asfortranarray(walls), wide[::2, ::3], mirrored, walls.astype(">i4"), walls * 1.0
    for array in (*forms, walls.tolist()):
        found, expected = (QUERIES[query](x, *ends) for x in (array, walls))
        if isinstance(found, meiro.ShortestPaths | meiro.LongestPath):
            assert (found.length, found.start, found.goal) == (expected.length, expected.start, expected.goal)
            found, expected = (getattr(x, "mask", x.length) for x in (found, expected))
        assert np.array_equal(found, expected) if isinstance(found, np.ndarray) else found == expected
    signs = np.where(walls, "#", ".")
    for array, road in (((1 - walls) * 255, 255), (signs, "."), (["".join(row) for row in signs], ".")):
        assert meiro.solve(array, *ends, road=road) == meiro.solve(walls, *ends)
    refused(ValueError, "two dimensions", QUERIES[query], np.zeros((2, 2, 2)), (0, 0), (0, 0))
    refused(ValueError, "empty", QUERIES[query], np.zeros((0, 4)), (0, 0), (0, 0))
    refused(ValueError, "NaN", QUERIES[query], np.full((2, 2), np.nan), (0, 0), (0, 0))
    refused(ValueError, "say road=255", QUERIES[query], [[0, 255], [0, 0]], (0, 0), (0, 0))
    refused(TypeError, "holds None", QUERIES[query], np.array([[None]]), (0, 0), (0, 0))


@pytest.mark.parametrize("kind", ["MazeBatch", "GraphBatch", *ONE])
@pytest.mark.parametrize("query", QUERIES)
def test_of_many_mazes_each_is_as_alone(query: str, kind: str) -> None:
    many = numbers_of(QUERIES[query](KINDS[kind], *ENDS[kind]))
    assert len(many) == 3
    for found, maze in zip(many, KINDS[kind], strict=True):
        alone = QUERIES[query](maze, *ENDS[kind])
        if query == "solve":
            assert found == alone.length
        elif query in {"distances", "policy", "components", "bottlenecks"}:
            np.testing.assert_array_equal(found, alone)
        elif query == "measure":
            assert found["dead_ends"] == alone["dead_ends"]
        elif query == "check":
            assert bool(found["perfect"]) == alone.perfect
        else:
            assert (found.length, found.start, found.goal) == (alone.length, alone.start, alone.goal)


@pytest.mark.parametrize("maze", [SQUARES[0], HEXAGONS[0]], ids=["squares", "hexagons"])
@pytest.mark.parametrize("transform", sorted({*TRANSFORMS} - {"flip", "with_ends", "with_ends of two"}))
def test_transforms_keep_start_and_goal(transform: str, maze: Any) -> None:
    ended = meiro.with_ends(maze, "farthest")
    made = TRANSFORMS[transform](ended)
    assert (made.start, made.goal) == (ended.start, ended.goal)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "array"])
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_each_transform_takes_each_kind(transform: str, kind: str) -> None:
    mazes = KINDS[kind]
    made = TRANSFORMS[transform](mazes)
    if kind in ONE:
        assert made == TRANSFORMS[transform](KINDS[ONE[kind]])
        return
    assert type(made) is type(mazes)
    for i in range(3) if "Batch" in kind else ():
        alone = TRANSFORMS[transform](mazes[i], meiro.replicate(1, i))
        assert made[i] == alone
        assert (made[i].seed, made[i].start, made[i].goal) == (alone.seed, alone.start, alone.goal)


OF_SQUARES: dict[str, Callable[[Any], Any]] = {
    "rotate": meiro.rotate,
    "transpose": meiro.transpose,
    "crop": lambda x: meiro.crop(x, np.s_[1:]),
    "unicursal": meiro.unicursal,
    "stitch": lambda x: meiro.stitch([x, x], rng=1),
}


@pytest.mark.parametrize("kind", [np.uint8, np.bool_, np.float64])
@pytest.mark.parametrize("transform", [*(name for name in TRANSFORMS if "with_" not in name), *OF_SQUARES])
def test_a_drawn_grid_is_transformed_as_its_maze(transform: str, kind: type) -> None:
    change = (TRANSFORMS | OF_SQUARES)[transform]
    made = change(SQUARES[0].grid.astype(kind))
    assert made.dtype == kind
    np.testing.assert_array_equal(made, change(SQUARES[0]).grid)
    if transform != "stitch":
        np.testing.assert_array_equal(change(pd.DataFrame(SQUARES[0].grid)), made)
    refused(ValueError, "grid", change, SQUARES[0].grid[1:])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "array"])
def test_one_result_of_many_mazes(kind: str) -> None:
    mazes = KINDS[kind]
    one = hasattr(mazes, "is_perfect")
    alone = [meiro.position_map(maze, "dead_ends") for maze in ([mazes] if one else mazes)]
    np.testing.assert_allclose(meiro.position_map(mazes, "dead_ends"), np.mean(alone, axis=0), rtol=1e-15)


@pytest.mark.parametrize("kind", ["MazeBatch", "GraphBatch", *ONE])
@pytest.mark.parametrize("verb", DATA)
def test_what_is_made_of_many_mazes_takes_batches_and_lists(verb: str, kind: str) -> None:
    found = DATA[verb](KINDS[kind])
    for part, other in zip(found, DATA[verb](KINDS[ONE.get(kind, kind)]), strict=True):
        np.testing.assert_array_equal(part, other) if isinstance(part, np.ndarray) else check_same(
            part, other
        )


def check_same(one: Any, other: Any) -> None:
    assert one == other
    assert one.replicates.tolist() == other.replicates.tolist()
    np.testing.assert_array_equal(one.endpoints, other.endpoints)


@pytest.mark.parametrize("batch", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_both_sets_of_a_split_have_their_ends(batch: Any) -> None:
    many = batch[[0, 1, 2] * 4]
    starts, goals = (cells.copy() for cells in meiro.endpoints(many, rng=1))
    starts[3] = goals[3] = -1
    ended = meiro.with_ends(many, (starts, goals))
    np.testing.assert_array_equal(ended.starts, starts)
    assert ended[3].start is None
    sides = [meiro.split(many, starts, goals, test=0.5), meiro.split(ended, test=0.5)]
    for one, other in zip(*sides, strict=True):
        check_same(one, other)
    assert sum(map(len, sides[0])) == 12
    assert {hash(maze) for maze in sides[0][0]}.isdisjoint({hash(maze) for maze in sides[0][1]})


@pytest.mark.parametrize("batch", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_supervised_keeps_the_ends_of_mazes(batch: Any) -> None:
    ended = meiro.with_ends(batch, "farthest")
    made = meiro.datasets.supervised(ended, target="distances", rng=1)
    check_same(made.mazes, ended)
    lengths = [maze.solve().length for maze in ended]
    assert made.targets.reshape(3, -1).max(axis=1).tolist() == lengths
    chosen = meiro.datasets.supervised(batch, rng=1).mazes
    np.testing.assert_array_equal(chosen.starts, meiro.endpoints(batch, rng=1)[0])


def test_a_list_of_both_kinds_is_refused() -> None:
    with pytest.raises(TypeError, match=r"x\[1\] is <GraphMaze .*>, and x\[0\] <Maze .*>: not of one kind"):
        meiro.distances([SQUARES[0], HEXAGONS[0]])  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [*ONE, *ONE.values()])
def test_one_maze_is_walked_through_and_searched_step_by_step(kind: str) -> None:
    for verb in (meiro.play, meiro.trace_solve):
        refused(TypeError, r"x is <(Maze|Graph)Batch of 3.*(x\[0\]|solve_many)", verb, KINDS[kind])


@pytest.mark.parametrize("kind", ["Maze", "GraphMaze"])
@pytest.mark.parametrize("held", [iter, set, lambda x: {"a": x}, lambda x: np.array([x])])
def test_many_mazes_are_a_list_or_a_batch(held: Callable[[Any], Any], kind: str) -> None:
    maze = KINDS[kind]
    given = held([maze, maze] if held in {iter, set} else maze)
    refused((TypeError, ValueError), "many mazes are a list or a batch", meiro.solve, given)


def test_what_one_maze_is_solved_with_is_refused_of_many() -> None:
    for options in ({"algorithm": "dfs"}, {"weights": np.ones((3, 4))}, {"moves": 8}, {"visit_order": True}):
        with pytest.raises(TypeError, match=f"of many mazes solve takes no {next(iter(options))}="):
            meiro.solve(SQUARES, **options)


@pytest.mark.parametrize("shape", [(3, 4), LATTICE], ids=["squares", "hexagons"])
def test_batches_of_one_recipe_with_an_array_are_joined(shape: Any) -> None:
    weights = np.arange(17 if shape == (3, 4) else shape.n_edges, dtype=float)
    one, same = (meiro.generate_many(shape, "prim", 2, rng=1, weights=weights.copy()) for _ in range(2))
    both = one + same
    assert [maze.recipe for maze in both] == [maze.recipe for maze in [*one, *same]]
    assert (one + meiro.generate_many(shape, "prim", 2, rng=1))[3].recipe is None


@pytest.mark.parametrize("batch", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
def test_batches_have_the_same_methods(batch: Any) -> None:
    kept = batch.filter(batch.solve().lengths > 0)
    assert kept == batch
    assert (batch + batch).unique() == batch
    assert type(batch)(list(batch)) == batch
    assert [seed == batch[i].seed for i, seed in enumerate(map(batch.seed, range(3)))] == [True] * 3
    np.testing.assert_array_equal(batch.distances(), meiro.distances(batch))
    np.testing.assert_array_equal(
        batch.measure("dead_ends")["dead_ends"], [m.measure("dead_ends")["dead_ends"] for m in batch]
    )
    starts, goals = batch.endpoints
    assert len(starts) == len(goals) == 3


def test_starts_and_goals_of_mazes_on_a_lattice() -> None:
    ends: Any = [1, 2, 3], 7
    ended = meiro.with_ends(HEXAGONS, ends)
    assert ended.starts is not None
    assert [maze.endpoints for maze in ended] == [((0, i), (1, 3)) for i in (1, 2, 3)]
    assert ended == HEXAGONS
    assert meiro.GraphBatch(list(ended)).endpoints[0].tolist() == [[0, 1], [0, 2], [0, 3]]
    assert (ended + HEXAGONS).endpoints[0].tolist() == [[0, 1], [0, 2], [0, 3], *[[0, 0]] * 3]
    assert meiro.braid(ended, rng=1).endpoints[1].tolist() == [[1, 3]] * 3
    assert ended[1:].solve().lengths.tolist() == [maze.solve().length for maze in ended[1:]]


def test_mazes_of_all_kinds_are_any_maze() -> None:
    def hardest(mazes: meiro.AnyMaze) -> int:
        return int(mazes.distances().max())

    one, other, many, others = (KINDS[kind] for kind in ("Maze", "GraphMaze", "MazeBatch", "GraphBatch"))
    for mazes in (one, other, many, others):
        assert isinstance(mazes, meiro.AnyMaze)
        assert hardest(mazes) > 0
    assert not isinstance(KINDS["array"], meiro.AnyMaze)
    typed: tuple[meiro.Maze, meiro.GraphMaze, meiro.MazeBatch, meiro.GraphBatch] = one, other, many, others
    assert [hardest(typed[0]), hardest(typed[1])] == [hardest(typed[2][:1]), hardest(typed[3][:1])]


EXACT: dict[str, Callable[[Any], Any]] = {
    "number_of_mazes": meiro.number_of_mazes,
    "log_number_of_mazes": meiro.log_number_of_mazes,
    "edge_probabilities": meiro.edge_probabilities,
    "enumerate_mazes": lambda shape: [
        sorted(map(tuple, maze.edges())) for maze in meiro.enumerate_mazes(shape)
    ],
    "unrank and rank": lambda shape: [meiro.rank(meiro.unrank(k, shape)) for k in (0, 100, 191)],
    "law": lambda shape: sorted(meiro.law(shape, "kruskal").values()),
    "probability": lambda shape: meiro.law(shape, "wilson").probability(meiro.generate(shape, rng=1)),
    "survey": lambda shape: meiro.survey(shape, "percolation", 1, measures="dead_ends", rng=1)["expected"],
}


@pytest.mark.parametrize("verb", EXACT)
def test_what_is_exact_is_the_same_of_a_shape_and_of_its_lattice(verb: str) -> None:
    found, same = (EXACT[verb](shape) for shape in ((3, 3), meiro.lattices.square(3, 3)))
    if verb == "enumerate_mazes":  # in another order
        found, same = sorted(found), sorted(same)
    assert found == pytest.approx(same, rel=1e-12) if isinstance(found, np.ndarray | float) else found == same


@pytest.mark.parametrize("shape", [(2, 3), meiro.lattices.square(2, 3)], ids=["squares", "lattice"])
def test_a_test_of_samplers_takes_samples_of_all_kinds(shape: Any) -> None:
    many = meiro.generate_many(shape, "wilson", 500, rng=1)
    arrays = many.passages if shape == (2, 3) else many.open
    mazes = iter(many)
    expected = meiro.sampler_test("wilson", "uniform", shape, n=500, rng=1)
    for sample in (many, list(many), tuple(many), arrays, list(arrays)):
        assert meiro.sampler_test(sample, "uniform", shape) == expected
        assert meiro.sampler_test(sample, meiro.law(shape, "uniform")) == expected
    assert meiro.sampler_test(lambda _: next(mazes), "uniform", shape, n=500) == expected
    other = meiro.generate_many(meiro.lattices.hexagonal(2, 3), n=5, rng=1)
    for sample in (other, list(other)):
        with pytest.raises(ValueError, match="the sampler made a maze of <Lattice hexagonal"):
            meiro.sampler_test(sample, "uniform", shape)


@pytest.mark.parametrize("kind", ["Maze", "GraphMaze", "array"])
def test_a_search_of_each_kind_is_recorded(kind: str) -> None:
    trace = meiro.trace_solve(KINDS[kind], *ENDS[kind])
    assert trace.result == meiro.solve(KINDS[kind], *ENDS[kind])
    assert trace[-1].note.endswith("is on the path.")
    assert np.array_equal(pickle.loads(pickle.dumps(trace)).packed, trace.packed)  # noqa: S301


@pytest.mark.parametrize("shape", [(3, 4), LATTICE, LATTICE.recipe], ids=["squares", "lattice", "recipe"])
def test_a_generator_on_each_kind_of_place_is_recorded(shape: Any) -> None:
    trace = meiro.trace(shape, "kruskal", rng=7, order=None, openings="corners" if shape == (3, 4) else None)
    assert trace.result.is_perfect
    assert trace[-1].maze() == trace.result
    assert pickle.loads(pickle.dumps(trace)).result == trace.result  # noqa: S301
