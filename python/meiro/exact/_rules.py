"""The laws of algorithms on small shapes, by following every choice that their rules allow.

A step of a rule takes a state to the states that may come next, each with its probability, or to none at the
end. The probabilities of the ways to a state add up, and it is followed once. A state begins with the open
walls, bit i for wall i in the order of pairs of cells; what else a rule needs to know comes after them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro.exact._minimum_trees import minimum_trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from meiro._utils.square import Shape

    Masks = dict[int, Fraction]
    State = tuple[Any, ...]
    Ways = list[tuple[Fraction | int, State]]  # an integer n for the probability 1 / n
    Step = Callable[[State], Ways]


class _Board(NamedTuple):
    """Cells and walls of a shape.

    Attributes
    ----------
    shape : (int, int)
    edges : list of (int, int)
        The pairs of cells, in order.
    near : list of list of (int, int)
        The neighbours of each cell, and the bit of the wall to each.
    """

    shape: Shape
    edges: list[tuple[int, int]]
    near: list[list[tuple[int, int]]]

    def bit(self, one: int, other: int) -> int:
        """Return the bit of the wall between two neighbours."""
        return next(bit for cell, bit in self.near[one] if cell == other)

    def beyond(self, cell: int, inside: int) -> list[tuple[int, int]]:
        """Return the neighbours of a cell that are not in the maze, and the bits of the walls between."""
        return [(other, bit) for other, bit in self.near[cell] if not inside >> other & 1]

    def beside(self, inside: int) -> dict[int, list[int]]:
        """Return the bits of the walls between each cell beside the maze and the maze."""
        found = {}
        for cell, around in enumerate(self.near):
            bits = [bit for other, bit in around if inside >> other & 1]
            if bits and not inside >> cell & 1:
                found[cell] = bits
        return found


def edges_of(shape: Shape) -> list[tuple[int, int]]:
    """Return the pairs of neighbouring cells, in order."""
    rows, cols = shape
    cells = range(rows * cols)
    beside = [(cell, cell + 1) for cell in cells if cell % cols < cols - 1]
    return sorted(beside + [(cell, cell + cols) for cell in cells if cell + cols in cells])


def _board_of(shape: Shape) -> _Board:
    """Return the board of a shape."""
    edges = edges_of(shape)
    near: list[list[tuple[int, int]]] = [[] for _ in range(math.prod(shape))]
    for i, (one, other) in enumerate(edges):
        near[one].append((other, 1 << i))
        near[other].append((one, 1 << i))
    return _Board(shape, edges, near)


def law_by_rule(law: str, shape: Shape) -> dict[int, Fraction]:
    """Return the probability of each possible maze, by its open walls."""
    return RULES[law](_board_of(shape))


def _followed(begin: State, step: Step) -> dict[int, Fraction]:
    """Go on by every way until nothing comes next; those of a round are integers over one scale."""
    now, scale = {begin: 1}, 1
    ended: dict[int, Fraction] = defaultdict(Fraction)
    while now:
        rounds: dict[int, dict[State, int]] = defaultdict(lambda: defaultdict(int))
        for state, p in now.items():
            ways = step(state)
            if not ways:
                ended[state[0]] += Fraction(p, scale)
            for share, to in ways:
                if isinstance(share, int):
                    rounds[share][to] += p
                else:
                    rounds[share.denominator][to] += p * share.numerator
        common = math.lcm(*rounds)
        now = defaultdict(int)
        for denominator, states in rounds.items():
            factor = common // denominator
            for state, p in states.items():
                now[state] += p * factor
        scale *= common
    return dict(ended)


def _evenly(states: Iterable[State]) -> Ways:
    found = list(states)
    return [(len(found), state) for state in found]


def _cells(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _prim_frontier_cell(board: _Board) -> Masks:
    """Join a uniform cell beside the maze to a uniform one of its neighbours in the maze."""

    def step(state: State) -> Ways:
        open_, inside = state
        frontier = board.beside(inside)
        return [
            (len(frontier) * len(ways), (open_ | bit, inside | 1 << cell))
            for cell, ways in frontier.items()
            for bit in ways
        ]

    return _followed((0, 1), step)


def _prim_frontier_edge(board: _Board) -> Masks:
    """Open a uniform one of the walls between the maze and the rest."""

    def step(state: State) -> Ways:
        open_, inside = state
        return _evenly(
            (open_ | bit, inside | 1 << other)
            for cell in _cells(inside)
            for other, bit in board.beyond(cell, inside)
        )

    return _followed((0, 1), step)


def _growing_tree_random(board: _Board) -> Masks:
    """Go from a uniform one of the cells with new neighbours to a uniform one of these.

    A choice of another cell has no effect but that it is not chosen again.
    """

    def step(state: State) -> Ways:
        open_, inside = state
        live = [ways for cell in _cells(inside) if (ways := board.beyond(cell, inside))]
        return [
            (len(live) * len(ways), (open_ | bit, inside | 1 << other))
            for ways in live
            for other, bit in ways
        ]

    return _followed((0, 1), step)


def _growing(board: _Board, end: int) -> Masks:
    """Go from the newest (-1) or oldest (0) of the cells with new neighbours to a uniform one of these."""

    def step(state: State) -> Ways:
        open_, inside, live = state
        found = []
        for other, bit in board.beyond(live[end], inside) if live else ():
            now = inside | 1 << other
            left = tuple(cell for cell in (*live, other) if board.beyond(cell, now))
            found.append((open_ | bit, now, left))
        return _evenly(found)

    return _followed((0, 1, (0,) if board.edges else ()), step)


def _hunt_and_kill(board: _Board) -> Masks:
    """Walk to uniform new cells until stuck; then the first new cell beside the maze joins it uniformly."""

    def step(state: State) -> Ways:
        open_, inside, at = state
        ways = board.beyond(at, inside)
        if not ways:
            at, bits = next(iter(board.beside(inside).items()), (at, []))
            ways = [(at, bit) for bit in bits]
        return _evenly((open_ | bit, inside | 1 << cell, cell) for cell, bit in ways)

    return _followed((0, 1, 0), step)


def _binary_tree(board: _Board) -> Masks:
    """Each cell but the first opens its wall to the north or to the west."""

    def step(state: State) -> Ways:
        open_, cell = state
        bits = [bit for other, bit in board.near[cell] if other < cell] if cell < len(board.near) else []
        return _evenly((open_ | bit, cell + 1) for bit in bits)

    return _followed((0, 1), step)


def _sidewinder(board: _Board) -> Masks:
    """Open the first row; in others each run of cells, ended with 1/2, has one way to the north."""
    _, cols = board.shape

    def step(state: State) -> Ways:
        open_, cell, start = state
        if cell == len(board.near):
            return []
        last = cell % cols == cols - 1
        on = (open_ if last else open_ | board.bit(cell, cell + 1)), cell + 1
        if cell < cols:
            return [(1, (*on, cell + 1))]
        run = range(start, cell + 1)
        ends = [(open_ | board.bit(one, one - cols), cell + 1, cell + 1) for one in run]
        return _evenly(ends) if last else [(2, (*on, start)), *((2 * len(run), to) for to in ends)]

    return _followed((0, 0, 0), step)


def _pole_toppling(board: _Board) -> Masks:
    """Let posts fall down, left, right, in the first row also up, uniformly to where no wall stands."""
    rows, cols = board.shape
    ways = []
    for row in range(1, rows):
        for cell in range(row * cols, row * cols + cols - 1):  # the one below and to the left of the post
            above = cell - cols
            falls = [(cell, cell + 1), (above, cell), (above + 1, cell + 1)]
            ways.append([board.bit(*ends) for ends in falls + [(above, above + 1)] * (row == 1)])

    def step(state: State) -> Ways:
        open_, post = state
        left = ways[post] if post < len(ways) else []
        return _evenly((open_ & ~bit, post + 1) for bit in left if open_ & bit)

    return _followed(((1 << len(board.edges)) - 1, 0), step)


def _eller(board: _Board) -> Masks:
    """Draw row by row walls to the right, then below, each with 1/2 where the rule leaves a choice."""
    rows, cols = board.shape

    def joined(open_: int, cell: int, sets: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Open the wall to the right, between two sets."""
        one, other = sets[cell % cols : cell % cols + 2]
        return open_ | board.bit(cell, cell + 1), tuple(one if at == other else at for at in sets)

    def below(open_: int, cell: int, sets: tuple[int, ...], walled: int) -> list[State]:
        col = cell % cols
        found: list[State] = [(open_ | board.bit(cell, cell + cols), sets, walled)]
        if any(at == sets[col] and i != col and not walled >> i & 1 for i, at in enumerate(sets)):
            found.append((open_, sets, walled | 1 << col))
        if col == cols - 1:
            return [(now, _sets_below(labels, under), 0) for now, labels, under in found]
        return found

    def step(state: State) -> Ways:
        open_, sets, walled, at = state
        row, place = divmod(at, 2 * cols)
        cell, parts = row * cols + place % cols, False
        if row == rows:
            return []
        if place % cols < cols - 1:
            parts = sets[place % cols] != sets[place % cols + 1]
        if place >= cols and row < rows - 1:
            found = below(open_, cell, sets, walled)
        else:
            found = [(open_, sets, 0)]
            if parts:  # the last walls between two sets go
                found = [*(found if place < cols else []), (*joined(open_, cell, sets), 0)]
        return _evenly((*to, at + 1) for to in found)

    return _followed((0, tuple(range(cols)), 0, 0), step)


def _sets_below(sets: tuple[int, ...], walled: int) -> tuple[int, ...]:
    """Return the sets of the next row, by their first cells: one of its own below each wall."""
    first: dict[int, int] = {}
    return tuple(col if walled >> col & 1 else first.setdefault(at, col) for col, at in enumerate(sets))


def _wall_extension(board: _Board) -> Masks:
    """Grow walls from uniform bare posts, one post at a time, until they meet a wall or are torn down."""
    rows, cols = board.shape
    all_open = (1 << len(board.edges)) - 1

    def beside(post: tuple[int, int]) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the next posts, and the walls between."""
        row, col = post
        for (down, along), ends in {
            (-1, 0): ((row - 1, col - 1), (row - 1, col)),
            (1, 0): ((row, col - 1), (row, col)),
            (0, -1): ((row - 1, col - 1), (row, col - 1)),
            (0, 1): ((row - 1, col), (row, col)),
        }.items():
            one, other = (r * cols + c for r, c in ends)
            yield (row + down, col + along), board.bit(one, other)

    inner = {(row, col): 1 << i for i, (row, col) in enumerate(product(range(1, rows), range(1, cols)))}

    @cache
    def walls(built: int) -> list[tuple[Fraction, int, int]]:
        """Return the next walls: their probability, bits and posts."""
        bare = [post for post, bit in inner.items() if not built & bit]
        found = []
        for post in bare:
            ended = list(grown(post, built, 0, inner[post]))
            total = sum((p for p, _, _ in ended), Fraction(0)) * len(bare)  # after a failure, once more
            found += [(p / total, bits, posts) for p, bits, posts in ended]
        return found

    def grown(
        post: tuple[int, int], built: int, bits: int, posts: int
    ) -> Iterator[tuple[Fraction, int, int]]:
        ways = [(to, bit) for to, bit in beside(post) if not posts & inner.get(to, 0)]
        for to, bit in ways:
            own = inner.get(to, 0)
            if not own or built & own:
                yield Fraction(1, len(ways)), bits | bit, posts
            else:
                for p, all_bits, all_posts in grown(to, built, bits | bit, posts | own):
                    yield p / len(ways), all_bits, all_posts

    def step(state: State) -> Ways:
        open_, built = state
        return [(p, (open_ & ~bits, built | posts)) for p, bits, posts in walls(built)]

    return _followed((all_open, 0), step)


def _recursive_division(board: _Board) -> Masks:
    """Put a uniform wall with a uniform gap across the shorter side of a part, either if it is square."""
    rows, cols = board.shape

    @cache
    def divided(top: int, left: int, bottom: int, right: int) -> Masks:
        height, width = bottom - top, right - left
        if min(height, width) == 1:
            inside = {row * cols + col for row in range(top, bottom) for col in range(left, right)}
            return {sum(1 << i for i, ends in enumerate(board.edges) if inside.issuperset(ends)): Fraction(1)}
        across = [
            ((top, left, bottom, at), (top, at, bottom, right), at - 1, 1, cols, range(top, bottom))
            for at in range(left + 1, right)
            if width >= height
        ]
        down = [
            ((top, left, at, right), (at, left, bottom, right), (at - 1) * cols, cols, 1, range(left, right))
            for at in range(top + 1, bottom)
            if height >= width
        ]
        found: Masks = defaultdict(Fraction)
        for cuts in (across, down):
            for one, other, first, over, along, gaps in cuts:
                share = Fraction(1 + (height != width), 2 * len(cuts) * len(gaps))
                for gap in gaps:
                    bit = board.bit(first + gap * along, first + gap * along + over)
                    for (a, p), (b, q) in product(divided(*one).items(), divided(*other).items()):
                        found[a | b | bit] += share * p * q
        return dict(found)

    return divided(0, 0, rows, cols)


def _symmetries(shape: Shape) -> list[list[int]]:
    """Return to which cell each one comes by turns and flips."""
    cells = np.arange(math.prod(shape)).reshape(shape)
    flipped = [cells, cells[::-1], cells[:, ::-1], cells[::-1, ::-1]]
    turned = [one.T for one in flipped if shape[0] == shape[1]]
    return [one.reshape(-1).tolist() for one in flipped + turned]


RULES: dict[str, Callable[[_Board], Masks]] = {
    "backtracker": lambda board: _growing(board, -1),
    "binary_tree": _binary_tree,
    "eller": _eller,
    "growing_tree_oldest": lambda board: _growing(board, 0),
    "growing_tree_random": _growing_tree_random,
    "hunt_and_kill": _hunt_and_kill,
    "pole_toppling": _pole_toppling,
    "prim_frontier_cell": _prim_frontier_cell,
    "prim_frontier_edge": _prim_frontier_edge,
    "random_mst": lambda board: minimum_trees(board.edges, _symmetries(board.shape)),
    "recursive_division": _recursive_division,
    "sidewinder": _sidewinder,
    "wall_extension": _wall_extension,
}
