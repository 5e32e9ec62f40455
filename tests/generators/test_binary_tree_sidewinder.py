"""Binary tree, sidewinder and pole toppling towards every side: laws, rotations, threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
import sampling
from power import samples

import meiro
from meiro._utils.square import E, N, S, W

if TYPE_CHECKING:
    from numpy.typing import NDArray

Side = Literal["north", "east", "south", "west"]
Corner = Literal["north_west", "north_east", "south_east", "south_west"]
SIDES: tuple[Side, ...] = ("north", "east", "south", "west")
CORNERS: tuple[Corner, ...] = ("north_west", "north_east", "south_east", "south_west")
TOWARDS = ("sidewinder", "pole_toppling")
N_MAZES = samples(200_000)
LARGE = [(1, 3000), (3000, 1), (257, 256), (255, 300), (700, 1000), (3, 400_000), (400_000, 2), (40, 20_000)]


def renamed(passages: NDArray[np.uint8], *to: int) -> NDArray[np.uint8]:
    """Return passages whose N, E, S and W are called otherwise."""
    table = np.array(
        [sum(b for a, b in zip((N, E, S, W), to, strict=True) if bits & a) for bits in range(16)], np.uint8
    )
    return table[passages]


def upside_down(passages: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return renamed(passages[..., ::-1, :], S, E, N, W)


def mirrored(passages: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return renamed(passages[..., ::-1], N, W, S, E)


def exchanged(passages: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return renamed(passages.swapaxes(-1, -2), W, S, E, N)


def upright(passages: NDArray[np.uint8], towards: Side) -> NDArray[np.uint8]:
    """Return the maze with the side in the north; along it, left to right or top to bottom."""
    if towards == "south":
        return upside_down(passages)
    if towards == "east":
        return exchanged(mirrored(passages))
    return exchanged(passages) if towards == "west" else passages


@pytest.mark.laws
@pytest.mark.parametrize("shape", sampling.SHAPES, ids=str)
@pytest.mark.parametrize("corner", CORNERS)
def test_binary_tree_law_towards_every_corner(corner: Corner, shape: tuple[int, int]) -> None:
    many = meiro.generate_many(shape, "binary_tree", N_MAZES, rng=12, corner=corner)
    passages = many.passages
    if corner.startswith("south"):
        passages = upside_down(passages)
    if corner.endswith("east"):
        passages = mirrored(passages)
    law = sampling.load("binary_tree", shape)
    sampling.check_law(sampling.numbers(passages), law)
    if corner != "north_west" and shape == (3, 3):
        assert sampling.p_value(sampling.numbers(many.passages), law) < sampling.FALSE_ALARM


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (5, 7), (63, 64), (65, 130), (300, 517)], ids=str)
@pytest.mark.parametrize("towards", SIDES)
@pytest.mark.parametrize("algorithm", TOWARDS)
def test_row_local_towards_a_side_is_the_maze_rotated(
    algorithm: str, towards: Side, shape: tuple[int, int]
) -> None:
    north = meiro.generate(shape, algorithm, rng=13).passages
    asked = shape if towards in {"north", "south"} else shape[::-1]
    turned = meiro.generate(asked, algorithm, rng=13, towards=towards)
    meiro.Maze(turned.passages)
    assert (upright(turned.passages, towards) == north).all()


def options() -> list[tuple[str, dict[str, Any]]]:
    of_binary_tree = [("binary_tree", {"corner": corner}) for corner in CORNERS]
    of_percolation = [("percolation", {"p": 0.4, "wrap": (wrap, wrap)}) for wrap in (False, True)]
    return of_binary_tree + of_percolation + [(name, {"towards": side}) for name in TOWARDS for side in SIDES]


@pytest.mark.parametrize("shape", LARGE, ids=str)
@pytest.mark.parametrize(("algorithm", "option"), options(), ids=str)
def test_row_local_is_the_same_for_any_number_of_threads(
    algorithm: str, option: dict[str, Any], shape: tuple[int, int]
) -> None:
    """More than one strip, band and share of a thread; wider than a band."""
    if "wrap" in option:
        shape = max(shape[0], 3), max(shape[1], 3)
    maze = meiro.generate(shape, algorithm, rng=14, **option)
    assert maze.is_perfect == meiro.ALGORITHMS[algorithm].perfect
    for threads in (2, 3):
        again = meiro.generate(shape, algorithm, rng=14, threads=threads, **option)
        assert (again.passages == maze.passages).all()


@pytest.mark.parametrize("corner", CORNERS)
def test_binary_tree_corridors_meet_in_the_corner(corner: Corner) -> None:
    passages = meiro.generate((300, 400), "binary_tree", rng=15, corner=corner).passages
    row, col = 0 if "north" in corner else -1, 0 if "west" in corner else -1
    along, across = W if "west" in corner else E, N if "north" in corner else S
    assert np.count_nonzero(passages[row] & along) == 399
    assert np.count_nonzero(passages[:, col] & across) == 299
    inner = passages[1:-1, 1:-1]  # elsewhere one of the two, as often as not
    assert abs(np.count_nonzero(inner & along) / inner.size - 0.5) < 6 * 0.5 / np.sqrt(inner.size)


def test_sidewinder_runs_of_any_length_choose_any_member() -> None:
    """Where in its run the way to the north is, by the length of the run; runs cross words of 64."""
    passages = meiro.generate((3000, 1000), "sidewinder", rng=16).passages[1:]
    ends = (passages & E) == 0
    first = np.roll(ends.reshape(-1), 1).reshape(ends.shape)
    assert first[:, 0].all()
    begins, closes = np.flatnonzero(first), np.flatnonzero(ends)
    member = np.flatnonzero(passages & N)
    assert len(begins) == len(closes) == len(member)
    assert ((begins <= member) & (member <= closes)).all()
    lengths = closes - begins + 1
    for length in range(1, 13):
        at = (member - begins)[lengths == length]
        seen = np.bincount(at, minlength=length)
        z = (seen - len(at) / length) / np.sqrt(len(at) / length)
        assert np.abs(z).max() < 5, (length, seen)
    # The runs that cross a multiple of 64 cells of their row are treated apart.
    crossing = (begins % 1000 // 64 != closes % 1000 // 64) & (lengths == 3)
    seen = np.bincount((member - begins)[crossing], minlength=3)
    assert (np.abs(seen - seen.sum() / 3) < 5 * np.sqrt(seen.sum() / 3)).all()


SPELLINGS = {
    "north": ("N", "n", "up", "North"),
    "west": ("W", "left", "WEST"),
    "north_west": ("NW", "nw", "north-west", "up_left", "Up-Left"),
    "south_east": ("SE", "south-east", "down_right"),
}


@pytest.mark.parametrize(("word", "other"), [(w, s) for w, others in SPELLINGS.items() for s in others])
def test_directions_may_be_spelled_in_several_ways(word: Any, other: Any) -> None:
    algorithm, option = ("binary_tree", "corner") if "_" in word else ("sidewinder", "towards")
    maze = meiro.generate((5, 6), algorithm, rng=1, **{option: word})
    same = meiro.generate((5, 6), algorithm, rng=1, **{option: other})
    assert same == maze
    assert same.recipe == maze.recipe
    if "_" not in word:
        first = meiro.with_openings(maze, [((0, 0), word)])
        assert meiro.with_openings(maze, [((0, 0), other)]) == first


@pytest.mark.parametrize("other", ["north_north", "NN", "upp", "x", ""])
def test_other_words_are_no_directions(other: Any) -> None:
    with pytest.raises(ValueError, match="towards must be"):
        meiro.generate((5, 6), "sidewinder", rng=1, towards=other)
