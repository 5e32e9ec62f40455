"""Functions that take a batch: maze i is what the call on ``batch[i]`` alone gives, with replicate i."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import refused
from some_batches import SQUARES as BATCHES
from thinning import long_but

import meiro
from meiro import Maze, MazeBatch
from meiro._utils import memory

any_: Any = meiro  # what users may do wrong

TRANSFORMS: dict[str, Callable[..., Any]] = {
    "braid": lambda x, rng, **more: meiro.braid(x, rng=rng, **more),
    "braid_some": lambda x, rng, **more: meiro.braid(x, 0.4, rng=rng, **more),
    "add_loops": lambda x, rng, **more: meiro.add_loops(x, 0, rng=rng, **more),
    "add_loops_share": lambda x, rng, **more: meiro.add_loops(x, share=0.3, rng=rng, **more),
    "join_regions": lambda x, rng, **more: meiro.join_regions(x, rng=rng, **more),
    "remove_islands": lambda x, rng, **more: meiro.remove_islands(x, rng=rng, **more),
    "sparsify": lambda x, _, **more: meiro.sparsify(x, **more),
    "sparsify_twice": lambda x, _, **more: meiro.sparsify(x, 2, **more),
    "fill_dead_ends": lambda x, _, **more: meiro.fill_dead_ends(x, **more),
    "fill_all_dead_ends": lambda x, _, **more: meiro.fill_dead_ends(x, keep=[], **more),
    "with_ends": lambda x, _, **more: meiro.with_ends(x, **more),
    "with_ends_random": lambda x, rng, **more: meiro.with_ends(x, "random", rng=rng, **more),
    "with_ends_farthest": lambda x, _, **more: meiro.with_ends(x, "farthest", **more),
    "with_openings": lambda x, _, **more: meiro.with_openings(x, **more),
    "with_openings_random": lambda x, rng, **more: meiro.with_openings(x, "random", rng=rng, **more),
    "with_openings_farthest": lambda x, _, **more: meiro.with_openings(x, "farthest", **more),
    "with_openings_none": lambda x, _, **more: meiro.with_openings(x, (), **more),
    "rotate": lambda x, _, **more: meiro.rotate(x, **more),
    "rotate_twice": lambda x, _, **more: meiro.rotate(x, 2, **more),
    "rotate_back": lambda x, _, **more: meiro.rotate(x, -1, **more),
    "rotate_by_nothing": lambda x, _, **more: meiro.rotate(x, 0, **more),
    "flip": lambda x, _, **more: meiro.flip(x, **more),
    "flip_rows": lambda x, _, **more: meiro.flip(x, 0, **more),
    "flip_cols": lambda x, _, **more: meiro.flip(x, 1, **more),
    "transpose": lambda x, _, **more: meiro.transpose(x, **more),
    "crop": lambda x, *_, **__: meiro.crop(x, np.s_[:, :3]),
}
RANDOM = {
    name
    for name in TRANSFORMS
    if "random" in name or name.split("_")[0] in {"braid", "add", "join", "remove"}
}


of_batches = pytest.mark.parametrize("kind", BATCHES)


def same_maze(one: Maze, other: Maze) -> bool:
    """Whether all of two mazes is the same, ends and seeds too."""
    return one == other and (one.start, one.goal, one.seed) == (other.start, other.goal, other.seed)


def same_cells(one: Any, other: Any) -> bool:
    return np.array_equal(one, other)


def refusal(call: Callable[[], object]) -> str | None:
    try:
        call()
    except ValueError as error:
        return str(error)
    return None


@of_batches
@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_of_a_batch_are_those_of_its_mazes(name: str, kind: str) -> None:
    batch, transform = BATCHES[kind](), TRANSFORMS[name]
    mazes = list(batch)
    wrong = [refusal(lambda m=maze, i=i: transform(m, meiro.replicate(7, i))) for i, maze in enumerate(mazes)]  # type: ignore[misc]
    if any(wrong):  # as openings in a torus: the batch names the first such maze
        first = next(i for i, word in enumerate(wrong) if word)
        refused(ValueError, f"maze {first} of <MazeBatch of {len(batch)}: ", transform, batch, 7)
        return
    made = [transform(batch, 7, threads=threads) for threads in (1, 2, 3)]
    for one in made:
        assert isinstance(one, MazeBatch)
        assert len(one) == len(mazes)
        for i, maze in enumerate(mazes):
            alone = transform(maze, meiro.replicate(7, i))
            assert one[i] == alone, i
            assert (one[i].start, one[i].goal) == (alone.start, alone.goal), i
            assert one[i].openings.tolist() == alone.openings.tolist(), i
            mask = one[i].mask
            assert mask is None or not mask.all()
            if name in RANDOM - {"with_ends_random", "with_openings_random"}:
                assert one[i].seed == one.seed(i) == alone.seed == meiro.replicate(7, i)
    assert made[0] == made[1] == made[2]
    assert not made[0].passages.flags.writeable
    again = MazeBatch(made[0]) if mazes else made[0]
    assert again == made[0]
    changed = list(made[0])
    for pick in (slice(None, None, -2), [0] if mazes else [], np.arange(len(mazes)) % 3 == 1):
        numbers = np.arange(len(mazes))[pick]
        assert all(map(same_maze, made[0][pick], [changed[i] for i in numbers]))


@pytest.mark.parametrize("name", TRANSFORMS)
def test_what_a_batch_keeps(name: str) -> None:
    """Seeds and recipe as the transform of one maze keeps them."""
    batch = meiro.generate_many((4, 6), "kruskal", 5, rng=1)
    made, alone = TRANSFORMS[name](batch, 3), TRANSFORMS[name](batch[0], 3)
    assert (made.recipe is None) == (alone.recipe is None)
    assert (made.seed(0) is None) == (alone.seed is None)
    if alone.recipe is not None:
        assert meiro.generate_many(**made.recipe) == made
    if made.algorithm is None:
        assert made.description in {"4 rows x 6 cols", "6 rows x 4 cols", "4 rows x 3 cols"}
    else:
        assert (made.passages == batch.passages).all()
    wanted = (
        range(5)
        if name not in RANDOM or alone.algorithm
        else [meiro.replicate(3, i).replicate for i in range(5)]
    )
    assert made.replicates.tolist() == list(wanted)
    if name in RANDOM and alone.seed != batch.seed(0) and alone.seed:
        later = TRANSFORMS[name](batch, meiro.replicate(3, (1 << 64) - 2))
        assert [later.seed(i) for i in range(5)] == [
            meiro.replicate(3, word % (1 << 64)) for word in range(-2, 3)
        ]


@pytest.mark.parametrize("name", ["fill_all_dead_ends", "add_loops_share", "with_openings_random", "rotate"])
@pytest.mark.parametrize("kind", ["loose masks, with ends", "masks of their own"])
def test_transforms_band_by_band(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = BATCHES[kind]()
    made = TRANSFORMS[name](batch, 7)
    monkeypatch.setattr("meiro._utils.bands.BAND", 20)
    assert all(map(same_maze, TRANSFORMS[name](batch, 7), made))


def test_unique_tells_masks_and_openings_apart() -> None:
    plain = MazeBatch([Maze([[2, 8, 0]])] * 2)
    mazes = [*plain, Maze([[2, 8, 0]], [[1, 1, 0]]), Maze([[2, 8, 0]], openings=[(0, 1)]), plain[0]]
    batch, counts = MazeBatch(mazes).unique(return_counts=True)
    assert list(batch) == list(dict.fromkeys(mazes))
    assert counts.tolist() == [3, 1, 1]
    assert MazeBatch(mazes) != MazeBatch([mazes[0]] * 5)


ENDS = [((0, 0), (2, 3)), ((-1, -1), (0, 1)), [[0, 0], [1, 1]]]


@pytest.mark.parametrize("ends", ENDS, ids=str)
def test_given_ends_of_a_batch(ends: Any) -> None:
    batch = meiro.generate_many((3, 4), n=4, rng=1)
    made = meiro.with_ends(batch, ends)
    assert [(maze.start, maze.goal) for maze in made] == [
        (alone.start, alone.goal) for alone in (meiro.with_ends(maze, ends) for maze in batch)
    ]
    assert made.recipe == batch.recipe
    each = meiro.with_ends(batch, ([ends[0]] * 4, [ends[1]] * 4))
    assert same_cells(each.starts, made.starts)
    assert same_cells(each.goals, made.goals)


@of_batches
def test_openings_of_each_maze_are_those_of_the_maze_alone(kind: str) -> None:
    """In any order, and -1 where there are fewer; in corners and within they are refused."""
    batch, rng = BATCHES[kind](), np.random.default_rng(2)
    n, (rows, cols) = len(batch), batch.shape
    corners = [(0, 0), (0, 2 * cols), (2 * rows, 0), (2 * rows, 2 * cols)]
    border = [(row, col) for row in (0, 2 * rows) for col in range(1, 2 * cols, 2)]
    border += [(row, col) for col in (0, 2 * cols) for row in range(1, 2 * rows, 2)]
    good, bad = [], []
    for maze in batch:
        fits = [refusal(lambda m=maze, s=site: meiro.with_openings(m, [s])) is None for site in border]  # type: ignore[misc]
        good.append([site for site, fit in zip(border, fits, strict=True) if fit])
        bad.append([site for site, fit in zip(border, fits, strict=True) if not fit] + corners + [(1, 1)])
    given = np.full((n, 5, 2), -1)
    for sites, possible in zip(given, good, strict=True):
        number = int(rng.integers(0, min(4, len(possible)) + 1))
        sites[1 : number + 1] = rng.permutation(possible)[:number] if number else -1
    made = meiro.with_openings(batch, given)
    alone = [meiro.with_openings(m, s[s[:, 0] >= 0]) for m, s in zip(batch, given, strict=True)]
    assert list(made) == alone
    assert [m.openings.tolist() for m in made] == [m.openings.tolist() for m in alone]
    for i, wrong in enumerate(bad):
        for site in wrong:
            given[i, 2] = site
            with pytest.raises(ValueError, match=rf"openings: \({site[0]}, {site[1]}\) .* in maze {i}$"):
                meiro.with_openings(batch, given)
            given[i, 2] = -1
    none = meiro.with_openings(batch, np.full((n, 2, 2), -1))
    assert none.openings is None
    assert list(none) == [meiro.with_openings(maze, ()) for maze in batch]


def test_cells_to_keep_in_each_maze_of_a_batch() -> None:
    for kind in ("perfect", "loose masks, with ends", "masked"):
        batch = BATCHES[kind]()[:2]
        there = np.array([np.ones(batch.shape, bool) if m.mask is None else m.mask for m in batch])
        cells = np.argwhere(there.all(axis=0)).tolist()
        for keep in (cells[-1], cells[:3]):
            made = meiro.fill_dead_ends(batch, keep=keep)
            assert list(made) == [meiro.fill_dead_ends(maze, keep=keep) for maze in batch]


def test_a_batch_of_ends_and_openings_refuses_bad_ones() -> None:
    batch, masked = meiro.generate_many((3, 4), n=3, rng=1), BATCHES["loose masks, with ends"]()
    gone = np.argwhere(~masked.masks.all(axis=0))[0].tolist()  # type: ignore[union-attr]
    first = int((~masked.masks[:, gone[0], gone[1]]).argmax())  # type: ignore[index]
    refused(ValueError, 'ends must be "corners"', any_.with_ends, batch, "middle")
    refused(TypeError, "ends must be start and goal", any_.with_ends, batch, ((0, 0),))
    refused(TypeError, "ends must be start and goal", any_.with_ends, batch, 3)
    refused(ValueError, r"goal \(9, 0\) of maze 0 is outside", any_.with_ends, batch, ((0, 0), (9, 0)))
    refused(ValueError, r"start must .* not \(2, 2\)", any_.with_ends, batch, ([(0, 0)] * 2, (0, 0)))
    refused(ValueError, f"start .* masked out in maze {first}", any_.with_ends, masked, (gone, gone))
    refused(ValueError, f"keep .* masked out in maze {first}", any_.fill_dead_ends, masked, keep=gone)
    refused(ValueError, r"keep \(3, 0\) is outside", any_.fill_dead_ends, batch, keep=(3, 0))
    refused(ValueError, 'openings must be "corners"', any_.with_openings, batch, "middle")
    refused(ValueError, r"openings: \(1, 1\) is not the site", any_.with_openings, batch, [(1, 1)])
    refused(ValueError, r"must have shape \(k, 2\)", any_.with_openings, batch, [[[0, 1]]] * 2)
    refused(ValueError, "n is 7, but maze 0 has only 6 walls", any_.add_loops, batch, 7)
    refused(TypeError, "not only starts; the shares of the parts", any_.split, batch, (0, 0))
    refused(TypeError, "starts must be cells, not 0.3; .* is test=", any_.split, batch, 0.3)
    assert any_.rotate(list(batch)) == any_.rotate(batch)
    assert list(any_.unicursal(batch)) == [any_.unicursal(maze) for maze in batch]


# What is no batch: distances, policies, checks


@of_batches
def test_distances_and_policy_of_a_batch(kind: str) -> None:
    batch = BATCHES[kind]()
    n = len(batch)
    rng = np.random.default_rng(1)
    cells = [
        rng.permutation(np.argwhere(np.ones(m.passages.shape, bool) if m.mask is None else m.mask))[:2]
        for m in batch
    ]
    several = np.array([np.resize(some, (2, 2)) for some in cells], np.int64).reshape(n, 2, 2)
    weights = rng.random(batch.passages.shape)
    for threads in (1, 2, 3):
        for sources in (several[:, 0], several):
            steps = meiro.distances(batch, sources, threads=threads)
            costs = meiro.distances(batch, sources, weights=weights, threads=threads)
            moves = meiro.policy(batch, sources, threads=threads)
            assert steps.shape == costs.shape == moves.shape == batch.passages.shape
            assert [str(x.dtype) for x in (steps, costs, moves)] == ["int32", "float64", "uint8"]
            for i, maze in enumerate(batch):
                assert (steps[i] == meiro.distances(maze, sources[i])).all()
                assert (costs[i] == meiro.distances(maze, sources[i], weights=weights[i])).all()
                assert (moves[i] == meiro.policy(maze, sources[i])).all()
    if n == 0:
        assert meiro.distances(batch, (0, 0)).shape == batch.passages.shape
        return
    narrow = np.empty(batch.passages.shape, np.int16)
    assert meiro.distances(batch, several, out=narrow) is narrow
    assert (narrow == meiro.distances(batch, several)).all()
    shared = meiro.distances(batch, several, weights=weights[0])
    assert (shared[-1] == meiro.distances(batch[-1], several[-1], weights=weights[0])).all()


def test_distances_and_policy_refuse_bad_arguments() -> None:
    batch, masked = meiro.generate_many((3, 4), n=3, rng=1), meiro.generate_many(n=2, mask=[[1, 0, 1]], rng=1)
    long = meiro.generate_many((1, 200), n=2, rng=1)
    refused(ValueError, r"sources must .*\(3, 2\).*not \(2, 2\)", any_.distances, batch, [(0, 0)] * 2)
    refused(ValueError, r"not \(3, 0, 2\)", any_.distances, batch, np.empty((3, 0, 2), int))
    refused(ValueError, r"sources \(0, 4\) of maze 0 is outside", any_.distances, batch, (0, 4))
    refused(ValueError, r"\(5, 0\) of maze 2", any_.distances, batch, [(0, 0), (0, 1), (5, 0)])
    refused(ValueError, r"sources \(0, 1\) is masked .* maze 0", any_.distances, masked, (0, 1))
    refused(TypeError, "moves=8 is for arrays", any_.distances, batch, (0, 0), moves=8)
    refused(ValueError, "moves must be 4 or 8, not 5", any_.distances, batch, (0, 0), moves=5)
    refused(TypeError, "moves must be an integer", any_.distances, batch, (0, 0), moves=np.empty(0))
    refused(TypeError, "road=", any_.distances, batch, (0, 0), road=0)
    refused(ValueError, r"weights has shape \(1, 1\)", any_.distances, batch, (0, 0), weights=[[1]])
    refused(ValueError, "out must be a", any_.distances, batch, (0, 0), out=np.empty((3, 4), int))
    refused(ValueError, "wider", any_.distances, long, (0, 0), out=np.empty((2, 1, 200), np.int8))
    refused(TypeError, "goal must be integers", any_.policy, batch, "start")
    refused(ValueError, r"goal \(0, 1\) is masked .* maze 1", any_.policy, masked, [(0, 0), (0, 1)])
    refused(TypeError, "moves=8 is for arrays", any_.policy, batch, (0, 0), moves=8)
    refused(TypeError, "road=", any_.check, batch, road=1)


@of_batches
def test_check_of_a_batch_has_the_reports_of_its_mazes(kind: str) -> None:
    batch = BATCHES[kind]()
    tables = [meiro.check(batch, threads=threads) for threads in (1, 2, 3)]
    assert tables[0] == tables[1] == tables[2]
    names = [
        "perfect", "regions", "parts", "loops", "islands", "enclosed_regions", "open_blocks", "bare_posts",
    ]  # fmt: skip
    assert list(tables[0]) == ["replicate", *names]
    assert tables[0]["replicate"].tolist() == batch.replicates.tolist()
    assert tables[0]["perfect"].dtype == np.bool_
    for i, maze in enumerate(batch):
        report = meiro.check(maze)
        assert [tables[0][name][i] for name in names] == [getattr(report, name) for name in names]
        drawn = meiro.check(maze.grid) if not any(maze.wrap) and len(maze.openings) == 0 else report
        assert (drawn.loops, drawn.islands, drawn.bare_posts) == (
            report.loops,
            report.islands,
            report.bare_posts,
        )


# Many mazes take long: progress, Ctrl-C and memory

LONG: dict[str, Callable[..., Any]] = {
    **{
        name: lambda x, name=name, **more: TRANSFORMS[name](x, 1, **more)
        for name in TRANSFORMS
        if name != "crop"
    },
    "distances": lambda x, **more: meiro.distances(x, (0, 0), **more),
    "costs": lambda x, **more: meiro.distances(x, (0, 0), weights=np.ones(x.shape), **more),
    "policy": lambda x, **more: meiro.policy(x, (0, 0), **more),
    "check": meiro.check,
}
IN_NO_TIME = {"with_ends", "with_openings_none"}  # they report nothing: there is no work in the core


@pytest.mark.parametrize("name", sorted(set(LONG) - IN_NO_TIME))
def test_progress_of_a_batch_ends_at_all_cells(name: str) -> None:
    batch = meiro.generate_many((8, 8), n=40, rng=1)
    seen: list[tuple[int, int]] = []
    LONG[name](batch, threads=2, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (40 * 64, 40 * 64)
    assert seen == sorted(seen)
    if name != "costs":  # its weights are of a batch
        LONG[name](batch[0], progress=lambda done, total: seen.append((done, total)))
        assert seen[-1] == (64, 64)


class StopError(Exception):
    """What a callback raises."""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "name", long_but(sorted(set(LONG) - IN_NO_TIME), "braid", "costs", "distances", "check")
)
def test_a_callback_stops_a_batch(name: str, threads: int) -> None:
    batch = meiro.generate_many((40, 40), n=4, rng=1)[np.arange(40_000) % 4]

    def stop(done: int, _: int) -> None:
        raise StopError(done)

    with pytest.raises(StopError) as stopped:
        LONG[name](batch, threads=threads, progress=stop)
    assert stopped.value.args[0] <= batch.passages.size


@pytest.mark.parametrize(
    "name",
    sorted(
        set(LONG)
        - {"with_ends", "with_openings", "with_openings_none", "with_ends_random", "with_openings_random"}
    ),
)
def test_a_batch_asks_for_memory_first(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = meiro.generate_many((40, 40), n=1, rng=1)[np.zeros(90_000, int)]
    monkeypatch.setattr(memory, "available", lambda: 1 << 10)
    if name == "check" or "farthest" in name:  # little memory for any number of mazes
        monkeypatch.setattr(memory, "CHECKED_FROM", 0)
    refused(MemoryError, r"<MazeBatch of 90000|check", LONG[name], batch)
