"""A maze as text, in four styles, and text as a maze again.

The drawing itself is in `text_draw`, the reader in `text_read`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from meiro.drawing.text.parse import parse
from meiro.drawing.text.render import STYLES, Style, draw

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from meiro._utils.square import CellLike
    from meiro.maze.maze import Maze
    from meiro.solvers.solution import Solution

__all__ = ["STYLES", "Style", "draw", "from_text", "to_text"]


def to_text(
    maze: Maze,
    style: Style = "unicode",
    *,
    path: Solution | ArrayLike | None = None,
    start: CellLike | None = None,
    goal: CellLike | None = None,
    labels: ArrayLike | None = None,
) -> str:
    r"""Draw a maze with characters.

    Parameters
    ----------
    maze : Maze
        What to draw.
    style : {"unicode", "ascii", "block", "posts"}
        "unicode" joined lines, one character a site; "ascii" ``+ - |``, one character a site; "block" full
        blocks, two characters a site; "posts" lines with a fixed glyph at every post.
    path : Solution or array_like of shape (k, 2), optional
        The way to show: what `solve` returned, or cells (row, col), each next to the one before.
    start, goal : (int, int), optional
        Cells to mark with S and G. Default: the ends of the path; without a path those of the maze, if it
        has any and there are no labels.
    labels : array_like of shape (rows, cols), optional
        Numbers or short strings to write into the cells. All cells are as wide as the longest.

    Returns
    -------
    str
        Lines parted by newlines, with none at the end.

    Raises
    ------
    ValueError
        If the style is unknown, the path leaves the maze or goes through a wall, or a label cannot be
        written.

    Examples
    --------
    >>> maze = meiro.Maze([[2, 12], [2, 9]])
    >>> print(maze.to_text("posts", labels=[[0, 1], [2, 3]]))
    ┌─┬─┐
    │0 1│
    ├─┼ ┤
    │2 3│
    └─┴─┘
    >>> print(maze.to_text("ascii", path=[(0, 0), (0, 1), (1, 1)]))
    +-+-+
    |S**|
    +-+*+
    |  G|
    +-+-+
    """
    return str(draw(maze, style, path=path, start=start, goal=goal, labels=labels))


def from_text(text: str, *, style: str | None = None) -> Maze:
    """Read a maze that was drawn with characters.

    Every style of `to_text` is read, and grids of ``#`` and space (or ``.``) and of 0 and 1. Numbers in
    cells and a drawn path are passed over; S and G become the start and goal of the maze. Spaces that an
    editor took from the ends of lines, a common indent, a byte order mark and any kind of newline do no harm.

    Parameters
    ----------
    text : str
        The drawing. To read a file use `meiro.read`.
    style : {"unicode", "ascii", "block", "posts", "plain"}, optional
        What the text must be; "plain" is ``#`` or 0 and 1. Default: found out from the first character.

    Returns
    -------
    Maze
        With the passages, openings and masked-out cells that the text shows.

    Raises
    ------
    ValueError
        If the text is not a maze. The message gives line and column, counted from 1, and what is expected
        there.

    Examples
    --------
    >>> meiro.Maze.from_text('''
    ... #####
    ... #S..#
    ... ###.#
    ... #G..#
    ... #####
    ... ''').goal
    (1, 0)
    """
    from meiro.maze.maze import Maze

    grid, start, goal = parse(text, style)
    maze = Maze.from_grid(grid)
    if start is None and goal is None:
        return maze
    return Maze(maze.passages, maze.mask, maze.openings, start=start, goal=goal)
