"""What no argument should be is refused before anything happens, by an error that names the argument."""

from __future__ import annotations

import inspect
import itertools
import math
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import valid_calls
from refusals import refused

import meiro
from meiro._utils import memory
from meiro._utils.messages import short_repr
from meiro._utils.validation import boolean, checked_path, items_of, one_of, plain_array

public: Any = meiro  # its types refuse most of what is tried here
MAZE = public.generate((3, 4), rng=1)
RINGS = public.generate(public.lattices.polar(3), rng=1)
MANY = public.generate_many((3, 4), n=3, rng=1)
GRID = np.array(MAZE.grid)
HUGE = 10**400
SIGNALLING = Decimal("sNaN")


def masked(array: Any) -> Any:
    """Return an array of which the first entry is masked."""
    values = np.array(array)
    return np.ma.masked_array(values, np.arange(values.size).reshape(values.shape) == 0)


def test_refusals_name_their_argument() -> None:
    for call, error, name in (
        (lambda: public.generate((2, 2), "kruskal", weights=[HUGE, 1, 2, 3]), ValueError, "weights"),
        (lambda: public.generate((2, 2), "kruskal", weights=[SIGNALLING, 1, 2, 3]), TypeError, "weights"),
        (lambda: public.generate((2, 2), "kruskal", weights=np.ones(4, complex)), TypeError, "weights"),
        (lambda: public.from_image([[0, 1.0]], threshold=HUGE), ValueError, "threshold"),
        (lambda: public.from_image([[0, 1.0]], threshold=SIGNALLING), TypeError, "threshold"),
        (lambda: MAZE.to_svg(mm=HUGE), ValueError, "mm"),
        (lambda: MAZE.to_svg(mm=1e308), ValueError, "mm"),
        (lambda: public.solve(GRID, (1, 1), (1, 3), road=SIGNALLING), TypeError, "road"),
        (lambda: public.solve(GRID, (1, 1), (1, 3), road=HUGE), ValueError, "road"),
        (lambda: public.solve(GRID, (1, 1), (1, 3), moves=[4]), TypeError, "moves"),
        (lambda: public.solve(MAZE, visit_order=GRID), TypeError, "visit_order"),
        (lambda: public.solve(MAZE, algorithm=GRID), TypeError, "algorithm"),
        (lambda: public.generate((2, 2), "rooms", fill=GRID), TypeError, "fill"),
        (lambda: public.generate((2, 2), threads=np.ones(3)), TypeError, "threads"),
        (lambda: public.generate((2, 2), wrap=np.array(1)), TypeError, "wrap"),
        (lambda: public.generate((10**5000, 2)), ValueError, "shape"),
        (lambda: public.trace((2, 2), progress=GRID), TypeError, "progress"),
        (lambda: public.longest_path(MAZE, exact=GRID), TypeError, "exact"),
        (lambda: MANY.solve(paths=GRID), TypeError, "paths"),
        (lambda: MANY.unique(return_counts=GRID), TypeError, "return_counts"),
        (lambda: public.replicate(-1, 0), ValueError, "root"),
        (lambda: public.stitch([MAZE, MAZE], n_doors=2**63), ValueError, "n_doors"),
        (lambda: public.eller_rows(10**5000), ValueError, "cols"),
        (lambda: public.crop(MAZE, slice(None, None, 0)), TypeError, "window"),
        (lambda: public.survey((2, 2), "wilson", 3, measures=np.array(1)), TypeError, "measures"),
        (lambda: public.sampler_test("wilson", GRID), TypeError, "law"),
        (lambda: public.Table(np.array(1)), TypeError, "columns"),
        (lambda: public.Table({"a": [1]}).sort(by=1), TypeError, "by"),
        (lambda: public.Table({"a": [1]}).plot("a", "b"), KeyError, "y"),
        (lambda: MAZE.to_grid(dtype="no dtype"), TypeError, "dtype"),
        (lambda: public.read(3), TypeError, "path"),
        (lambda: MAZE.save("a\0.png"), ValueError, "path"),
        (lambda: public.Table({"a": [1]}).to_csv(b"x"), TypeError, "path"),
        (lambda: public.from_image("\0"), ValueError, "picture"),
        (lambda: public.solve(MAZE, np.array([2**64 - 1, 0], np.uint64)), ValueError, "start"),
        (lambda: public.wall_cells((2, 2), np.array([2**64 - 1], np.uint64)), ValueError, "ids"),
    ):
        refused(error, rf"(?<!\w){name}(?!\w)", call)


SHARED: dict[str, dict[object, str]] = {  # what each call refuses, and in which words
    "threads": dict.fromkeys((0, 1.5, "two"), 'threads must be a positive integer or "all"'),
    "rng": {"x": "rng must be|no option 'rng'", -1: "rng must not be negative|no option 'rng'"},
    "progress": {7: "progress must be False, True or a callable"},
}
NOT_ALWAYS = {"with_ends", "with_openings", "io.to_maze_dataset", "save"}  # need it for some arguments


@pytest.mark.parametrize("name", SHARED)
def test_every_call_refuses_wrong_threads_seeds_and_progress(name: str, tmp_path: Path) -> None:
    tried = set(NOT_ALWAYS if name != "threads" else ())
    for call in valid_calls.calls():
        function = call.bind()
        if isinstance(function, partial) or call.name in tried:  # the first is a property
            continue
        if name in inspect.signature(function).parameters:
            tried.add(call.name)
            given = call.arguments(tmp_path)
            for wrong, words in SHARED[name].items():
                with pytest.raises((TypeError, ValueError), match=words):
                    valid_calls.use(function(**given | {name: wrong}))
    assert len(tried) > 30


def test_masked_arrays_are_refused_where_no_mask_is_honoured() -> None:
    for call, name in (
        (lambda: public.distances(MAZE, (0, 0), weights=masked(np.ones((3, 4)))), "weights"),
        (lambda: public.generate((2, 2), "kruskal", weights=masked(np.ones(4))), "weights"),
        (lambda: public.generate((2, 2), "kruskal", order=masked(range(4))), "order"),
        (lambda: public.generate((2, 2), mask=masked(np.ones((2, 2)))), "mask"),
        (lambda: public.generate(mask=masked(np.ones((2, 2)))), "mask"),
        (lambda: public.generate((2, 2), rng=masked([1, 2])), "rng"),
        (lambda: public.Maze(masked([[2, 8]])), "passages"),
        (lambda: public.Maze([[2, 8]], openings=masked([[0, 1]])), "openings"),
        (lambda: public.Maze.from_wall_ids((2, 2), masked([0])), "ids"),
        (lambda: public.Maze.from_edges((1, 2), masked([[0, 1]])), "edges"),
        (lambda: public.wall_cells((2, 2), masked([0])), "ids"),
        (lambda: public.cells_to_grid(masked([[0, 0], [0, 1]])), "path"),
        (lambda: public.eller(masked([[1], [0]]), [[0, 0], [0, 0]]), "right"),
        (lambda: public.from_image(masked([[0.0, 1.0]])), "picture"),
        (lambda: public.brightness(masked([[0.0, 1.0]])), "picture"),
        (lambda: public.sampler_test(masked(MANY.passages)), "sampler"),
        (lambda: MANY.filter(masked([True, False, True])), "condition"),
        (lambda: public.Table({"a": masked([1, 2])}), "column 'a'"),
        (lambda: MAZE.to_grid(masked(np.zeros((7, 9), np.uint8))), "out"),
    ):
        refused((TypeError, ValueError), rf"^{name} ", call)


@pytest.mark.parametrize("kind", [np.uint8, float, bool])
def test_masked_entries_of_walls_and_roads_are_walls(kind: Any) -> None:
    grid = np.ma.masked_array(np.zeros((3, 3), kind), [[False, True, False]] * 3)
    assert public.check(grid).regions == 2


def test_what_has_no_end_is_refused_at_its_first_items() -> None:
    for call, name in (
        (lambda: public.generate((2, 2), wrap=itertools.repeat(False)), "wrap"),  # noqa: FBT003
        (lambda: public.generate((2, 2), rng=range(10**18)), "rng"),
        (lambda: public.generate((2, 2), rng=np.broadcast_to(1, 1 << 40)), "rng"),
        (lambda: public.Table(itertools.repeat((0, 0))), "columns"),
        (lambda: public.animate(itertools.count()), "traces"),
        (lambda: public.measure(MAZE, itertools.count()), "measures"),
        (lambda: public.survey((2, 2), range(10**18), 3), "algorithms"),
        (lambda: public.survey(range(10**18), "wilson", 3), "shape"),
        (lambda: public.sampler_test(range(10**18)), "sampler"),
        (lambda: public.stitch(range(10**18)), "mazes"),
        (lambda: public.solve(MAZE, goal=range(10**18)), "goal"),
        (lambda: public.with_ends(MAZE, itertools.count()), "ends"),
    ):
        refused((TypeError, ValueError, MemoryError), rf"(?<!\w){name}(?!\w)", call)


def test_arrays_of_repeated_rows_must_fit_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    for call, name in (
        (lambda walls: public.solve(walls, (0, 0), (1, 1)), "x"),
        (public.check, "x"),
        (public.Maze, "passages"),
        (lambda walls: public.Maze.from_wall_ids((2, 2), walls), "ids"),
        (public.from_image, "picture"),
        (lambda walls: public.eller(walls, walls), "right"),
        (lambda walls: public.generate(mask=walls), "mask"),
    ):
        monkeypatch.setattr(memory, "available", lambda: 1 << 30)
        walls = np.broadcast_to(np.uint8(0), (1 << 20, 1 << 20))
        refused(MemoryError, rf"^{name} of shape \(1048576, 1048576\) takes", call, walls)


def test_indices_that_repeat_for_ever_must_fit_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 1 << 30)
    with pytest.raises(MemoryError, match="i of shape"):
        MANY[np.broadcast_to(1, (1 << 40,))]


def test_rows_of_a_table_are_selected_by_integers_and_booleans() -> None:
    with pytest.raises(IndexError, match="booleans or integers, not a 1-D one of float64"):
        public.Table({"a": [1, 2]})[np.ones(1)]


def test_an_empty_goal_is_refused() -> None:
    with pytest.raises(ValueError, match=r"goal must be \(row, col\), or several"):
        public.shortest_paths(MAZE, (0, 0), np.empty((0, 2), int))


def test_a_solution_of_a_maze_is_not_drawn_over_an_array_with_an_even_side(tmp_path: Path) -> None:
    solution = public.solve(MAZE)
    taller = np.concatenate([GRID, GRID[-1:]])
    with pytest.raises(ValueError, match="solution was found in a maze, and what is drawn is not its grid"):
        public.save(taller, tmp_path / "a.png", solution=solution)


def test_player_and_animation_refuse_by_name() -> None:
    trace = public.trace((3, 4), rng=1)
    refused(
        TypeError, "ax must be ordinary matplotlib axes, not 0", public.animate(trace).to_matplotlib, ax=0
    )
    refused(ValueError, r"every must be less than 2\*\*62", public.player, trace, every=2**63)
    player = public.player(trace)
    with pytest.raises(TypeError, match="playing must be True or False, not 'x'"):
        player.playing = "x"
    game = public.play(MAZE)
    with pytest.raises(ValueError, match="steps must be at least 0, not -1"):
        game.steps = -1
    refused(ValueError, "k must be less than", trace.frame, len(trace))


def test_plot_refuses_by_name() -> None:
    for name in ("explored", "colorbar", "legend", "vmin", "cmap", "wall_color", "path_color"):
        refused((TypeError, ValueError), name, public.plot, MAZE, values=np.ones((3, 4)), **{name: GRID})
    with pytest.raises(ValueError, match=r"frames must be from 1 to 1,000, or a list"):
        public.plot_trace(public.trace((30, 40), rng=1), 1001)


class Silent:
    def __repr__(self) -> str:  # noqa: D105
        raise RuntimeError


def test_short_repr_always_has_something_to_show() -> None:
    assert short_repr(Silent()) == "<Silent>"
    assert short_repr([Silent()]) == "<list>"
    assert short_repr(10**5000) == "a number of 16,610 bits"
    assert short_repr([10**5000]) == "<list>"


def test_words_booleans_paths_and_items(tmp_path: Path) -> None:
    assert one_of("a", "n", ("a", "b")) == "a"
    refused(TypeError, r"n must be 'a' or 'b', not \['a'\]", one_of, ["a"], "n", ("a", "b"))
    assert boolean(np.True_, "n") is True
    refused(TypeError, "n must be True or False, not 1", boolean, 1, "n")
    assert checked_path(str(tmp_path)) == tmp_path
    for wrong in ("a\0b", "\ud800x"):
        refused(ValueError, "n must be the name of a file", checked_path, wrong, "n")
    assert list(items_of((1, 2), "n", "numbers")) == [1, 2]
    refused(TypeError, "n must be numbers, not 5", items_of, 5, "n", "numbers")


def test_plain_array_takes_what_numpy_takes() -> None:
    assert type(plain_array(np.ones((1, 1)).view(np.matrix), "n")) is np.ndarray
    assert plain_array([Fraction(1, 2)], "n").dtype == object
    refused(ValueError, "n is not an array", plain_array, [[1], [1, 2]], "n")
    assert math.isclose(plain_array(0.5, "n").item(), 0.5)


def test_wrong_words_are_answered_with_the_right_ones() -> None:
    for call, message in (
        (
            lambda: public.generate((2, 2), seed=1),
            r"'wilson' takes no option 'seed' \(did you mean 'rng'\?\)",
        ),
        (lambda: public.generate_many((2, 2), n=2, seed=1), r"no option 'seed' \(did you mean 'rng'\?\)"),
        (lambda: public.generate(size=(2, 2)), r"no option 'size' \(did you mean 'shape'\?\)"),
        (lambda: public.trace((2, 2), seed=1), r"no option 'seed' \(did you mean 'rng'\?\)"),
        (lambda: public.survey((2, 2), "prim", 3, seed=1), r"survey takes no argument 'seed' .*'rng'\?"),
        (lambda: public.solve(MAZE, end=(0, 0)), r"solve takes no argument 'end' \(did you mean 'goal'\?\)"),
        (lambda: public.generate((2, 2), lattice="hexagonal"), r"'lattice' \(did you mean 'shape'\?\)"),
        (lambda: public.generate((2, 2), openings=["top", "bottom"]), r'one word, as "top_bottom", .* side'),
        (lambda: public.generate(width=5), r"no option 'width' \(did you mean 'shape'\?\)"),
        (lambda: MAZE.plot(solution=True), r"solution must be a Solution .* or a path, not True"),
        (lambda: MAZE.save("x.stl", height=6), r"no height= \(meiro\.io\.save_mesh takes it\)"),
        (lambda: public.solve(MAZE, goal="center"), r'goal must be \(row, col\) or "middle", or several of'),
        (lambda: public.solve(RINGS, goal="center"), "goal must be a cell or \"middle\", not 'center'"),
        (
            lambda: public.lattices.from_polygons(["POINT (0 0)"]),
            r"polygons\[0\] .* shapely\.from_wkt WKT",
        ),
        (lambda: public.lattices.from_polygons({"type": "Feature"}), r"polygons\[0\] .* geopandas reads"),
        (lambda: public.solve(MAZE, diagonal=True), r"'diagonal' \(did you mean 'moves'\?\)"),
        (lambda: public.solve(MAZE, solver="dfs"), r"no argument 'solver' \(did you mean 'algorithm'\?\)"),
        (lambda: MAZE.solve(source=(0, 0)), r"solve takes no argument 'source' \(did you mean 'start'\?\)"),
        (lambda: public.trace_solve(MAZE, target=(0, 0)), r"no option 'target' \(did you mean 'goal'\?\)"),
        (lambda: public.distances(MAZE, source=(0, 0)), r"distances .*'source' \(did you mean 'sources'\?\)"),
        (lambda: public.plot(MAZE, figsize=(3, 3)), r"no argument 'figsize': plt\.subplots\(figsize=.*ax="),
        (lambda: MAZE.plot(path=[(0, 0)]), r"plot takes no argument 'path' \(did you mean 'solution'\?\)"),
        (lambda: public.generate(5, 6), r"shape is one argument, a pair: \(5, 6\), not 5, 6"),
        (lambda: public.trace(5, 6), r"one argument, a pair: \(5, 6\)"),
        (lambda: public.survey([10, 20], "wilson", 3), r"one, \(10, 20\), or a list of shapes"),
        (
            lambda: public.solve(GRID, (1, 1), (1, 3), weights=GRID),
            "'bfs' takes no option 'weights'; .*weights is for 'a_star' and 'dijkstra'$",
        ),
        (lambda: public.generate((2, 2), order=[0]), "order is for 'kruskal'$"),
        (lambda: public.lattices.box(shape={3, 1, 2}), "shape must be the sides of a box, not {1, 2, 3}"),
        (lambda: public.measure(MAZE, b""), "measures must be a name such as 'cells', not b''"),
        (lambda: public.survey((2, 2), "wilson", 3, measures=b"ab"), "measures must be a name .* not b'ab'"),
        (lambda: public.solvers.distances_by_bands(masked(MAZE.passages), (0, 0)), "x is a numpy.ma array"),
        (
            lambda: public.plot(MAZE, zzz=1),
            r"^plot takes no argument 'zzz'; it takes maze, ax, .* and figure$",
        ),
        (lambda: public.plot(public.trace((2, 2))), r"maze is a Trace: meiro\.plot_trace draws its frames"),
    ):
        refused(TypeError, message, call)


def test_arguments_in_another_order_are_refused() -> None:
    for call in (
        lambda: public.generate("kruskal", (2, 2)),
        lambda: public.generate_many(3, (2, 2), "kruskal"),
        lambda: public.generate_many(3, (2, 2)),
        lambda: public.trace("kruskal", (2, 2)),
        lambda: public.survey("kruskal", (2, 2), 3),
        lambda: public.survey(["kruskal"], (2, 2), 3),
        lambda: public.survey(("kruskal", {}), (2, 2), 3),
        lambda: public.law("kruskal", (2, 2)),
    ):
        refused(TypeError, r"the order is (?P<name>\w+)\(shapes?, algorithms?(, n)?\)", call)


def test_what_is_no_algorithm_is_looked_for_elsewhere() -> None:
    for word, hint in (
        ("hex", "meiro.lattices.hexagonal"),
        ("Polar", "other cells are a lattice"),
        ("cellular automaton", "meiro.generators.cellular_automaton"),
        ("wilsn", "did you mean 'wilson'"),
    ):
        refused(ValueError, f"there is no algorithm '{word}'; .*{hint}", public.generate, (5, 5), word)


@pytest.mark.parametrize("call", [public.generate, public.generate_many, public.datasets.supervised])
def test_several_algorithms_are_not_another_order(call: Any) -> None:
    with pytest.raises(TypeError, match=r"algorithm must be a name such as .*, not \['wilson', 'kruskal'\]"):
        call((8, 8), ["wilson", "kruskal"], **({} if call is public.generate else {"n": 9}))


def test_ragged_weights_name_their_argument() -> None:
    for x in (MAZE, MANY):
        refused(ValueError, "weights is not an array", public.distances, x, weights=[[1], [1, 2]])


def test_generate_many_needs_a_number() -> None:
    refused(TypeError, "generate_many needs n=, the number of mazes", public.generate_many, (2, 2))
