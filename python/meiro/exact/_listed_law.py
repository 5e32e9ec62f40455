"""What the laws of mazes have in common: every possible maze is listed with its probability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, TypeVar

from meiro._utils.messages import short_repr

if TYPE_CHECKING:
    from fractions import Fraction

M = TypeVar("M")


class ListedLaw(Mapping[M, "Fraction"]):
    """A mapping from each possible maze to its probability: a dataclass with a field `_mazes`."""

    _kind: ClassVar[type]  # of the mazes
    _mazes: Mapping[M, Fraction]

    def __getitem__(self, maze: M) -> Fraction:
        """Return the probability of a possible maze; KeyError for an impossible one."""
        if isinstance(maze, self._kind) and maze in self._mazes:
            return self._mazes[maze]
        msg = f"maze must be one of the law, not {short_repr(maze)}"
        raise KeyError(msg)

    def __iter__(self) -> Iterator[M]:
        """Iterate over the possible mazes."""
        return iter(self._mazes)

    def __len__(self) -> int:
        """Return the number of possible mazes."""
        return len(self._mazes)
