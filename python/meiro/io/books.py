"""Books of puzzles: many mazes on pages, and their solutions at the end."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, Unpack

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.messages import refuse_unknown, requires_extra, short_repr
from meiro._utils.options import PageOptions
from meiro._utils.paper import checked_title
from meiro._utils.progress import Progress, close_bar, reporter
from meiro._utils.set_module import set_module
from meiro._utils.validation import checked_path, integer, items_of, one_of
from meiro.drawing.page import (
    format_of,
    largest_cell,
    lay_out,
    numbered,
    pen_of,
    shown_of,
    title_of,
)
from meiro.drawing.picture import picture_of
from meiro.errors import NoPathError
from meiro.io.paper import require_pdf
from meiro.solvers.solve import solve
from meiro.spaces.space_of import are_several, is_maze, listed_mazes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from meiro.drawing.page import Format, Page
    from meiro.drawing.picture import Pen, Picture
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution

_MOST = 10_000  # mazes
_WALLS = "#8c8c8c"  # of solutions: grey, so that the path is the darkest line, printed in grey too
_READABLE = 1.6  # mm of a cell of a solution
_STARS = 5  # of the most difficult puzzle
_SOLUTIONS = 4, 2, 1  # times as many on a page, if cells are large enough


@set_module("meiro.io")
def puzzle_book(
    path: str | os.PathLike[str],
    mazes: Iterable[Maze | GraphMaze | Iterable[Maze | GraphMaze]],
    *,
    per_page: SupportsIndex = 1,
    titles: Iterable[str | None] | None = None,
    difficulties: Iterable[str | int | None] | None = None,
    name_line: str | None = None,
    solutions: Literal["after", "none"] = "after",
    heading: str = "Solutions",
    progress: Progress = False,
    **options: Unpack[PageOptions],
) -> None:
    """Write a book of mazes as a PDF: numbered puzzles, and after them their solutions.

    Parameters
    ----------
    path : path
        A file of suffix ``.pdf``. It appears only when all of it is written.
    mazes : MazeBatch, GraphBatch or iterable of Maze, GraphMaze and batches
        In order; their sizes and kinds may differ, also on one page.
    per_page : int
        The number of puzzles on a page.
    titles : list of str, optional
        What stands below each puzzle, beside its number; None for nothing.
    difficulties : list of str or int, optional
        The difficulty of each puzzle, below it: a word, or 1 to 5 for as many stars; None for nothing.
    name_line : str, optional
        A word such as "Name": it stands at the top of each page of puzzles, before a line to write on.
    solutions : {"after", "none"}
        "after" adds pages with the solutions, which are smaller: four times as many on a page as puzzles, if
        they can still be read.
    heading : str
        What stands above the solutions.
    progress : bool or callable
        True draws a progress bar on standard error; a callable is called with ``(done, total)`` pages.
    **options
        ``page=`` (upright, "A4" by default; ``page=(297, 210)`` lies on its side), ``title=`` (on every page
        of puzzles) and the other keywords of a page, as in `meiro.save`. Walls of solutions are grey. Two
        openings of a maze have arrows, in and out.

    Raises
    ------
    NoPathError
        If a maze has no solution; nothing is written.
    ValueError
        If there is no maze, the suffix is not ``.pdf``, or the page is too small for `per_page` mazes: the
        message names the smallest.
    TypeError
        If `mazes` is one maze, or holds anything but mazes; if a keyword is unknown.
    ImportError
        If matplotlib is not installed.

    See Also
    --------
    meiro.save : one page.
    meiro.datasets.by_measure : mazes of equal difficulty.

    Notes
    -----
    A puzzle leads from one of the ``endpoints`` of its maze to the other.

    Examples
    --------
    >>> mazes = meiro.generate_many((14, 10), n=6, rng=7)
    >>> meiro.io.puzzle_book("book.pdf", mazes, per_page=2, title="Six mazes")
    >>> rings = meiro.generate(meiro.lattices.polar(6), rng=7, openings="top_bottom")
    >>> meiro.io.puzzle_book("two.pdf", [mazes[0], rings], per_page=2, difficulties=[1, 3], name_line="Name")
    """
    unknown = [name for name in options if name not in PageOptions.__annotations__]
    refuse_unknown("puzzle_book", unknown, (*puzzle_book.__annotations__, *PageOptions.__annotations__))
    if checked_path(path).suffix.lower() != ".pdf":
        raise ValueError(f"{os.fspath(path)!r}: a book is a .pdf; meiro.save writes one page as .svg")
    what = "a MazeBatch or several mazes"
    several: Any = mazes if is_maze(mazes) or not np.iterable(mazes) else _each(mazes)
    listed = list(islice(listed_mazes(several, "mazes", what, "; meiro.save writes one"), _MOST + 1))
    if not 0 < len(listed) <= _MOST:
        raise ValueError(
            f"mazes must be 1 to {_MOST:,} mazes, not {short_repr(mazes)}; more make several books"
        )
    each = min(integer(per_page, "per_page", 1, 1001), len(listed))
    head, above, name = (
        title_of(options),
        checked_title(heading, "heading"),
        checked_title(name_line, "name_line"),
    )
    marks, captions = shown_of(options)["marks"], _captions(titles, difficulties, len(listed))
    puzzles = [
        picture_of(maze, marks=marks, puzzle=True)._replace(caption=caption)
        for maze, caption in zip(listed, captions, strict=True)
    ]
    pen, form = pen_of(puzzles, options), format_of(options, "A4")
    if form.paper is None:
        raise ValueError("page='fit' is for a single page; give the size of the paper, as 'A4' or (148, 210)")
    form = form._replace(paper=form.paper._replace(turns=False))
    solved = one_of(solutions, "solutions", ("after", "none")) == "after"
    require_pdf(puzzles)
    pages = _pages(puzzles, pen, form, head, each, name=name)
    if solved:
        pictures = [
            picture_of(maze, _solution(i, maze), marks=marks, puzzle=True)._replace(caption=str(i + 1))
            for i, maze in enumerate(listed)
        ]
        most = [min(times * each, len(pictures)) for times in _SOLUTIONS]
        pen = pen._replace(wall=None, colors={**pen.colors, "wall": _WALLS})
        free = form._replace(mm=None)
        readable = [n for n in most if largest_cell(pictures, free, above, n) >= _READABLE]
        pages += _pages(pictures, pen, free, above, [*readable, most[-1]][0])
    pages = [numbered(page, f"{i + 1} / {len(pages)}", form.margin) for i, page in enumerate(pages)]
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.pdf import write_pages
    report = reporter(progress)

    def told() -> Iterator[Page]:
        for done, page in enumerate(pages):
            yield page
            if report is not None:
                report(done + 1, len(pages))

    try:
        with atomic(path) as file:
            write_pages(file, told(), title_of(options))
    finally:
        close_bar(report)


def _each(mazes: Iterable[Any]) -> Iterator[Any]:
    """Yield the mazes of batches and lists among mazes one by one."""
    for one in mazes:
        yield from _each(one) if are_several(one) else (one,)


def _captions(titles: Any, difficulties: Any, n: int) -> list[str]:
    """Return what stands below the puzzles: number and title, and in a second line the difficulty."""
    captions = [str(i + 1) for i in range(n)]
    for name, given, before in (("titles", titles, "   "), ("difficulties", difficulties, "\n")):
        if given is None:
            continue
        words = list(islice(items_of(given, name, f"a list of {n}, one for each maze"), n + 1))
        if len(words) != n or isinstance(given, str):
            raise ValueError(f"{name} must be a list of {n}, one for each maze, not {short_repr(given)}")
        for i, word in enumerate(words):
            if name == "titles" or isinstance(word, str | None):
                text = checked_title(word, f"{name}[{i}]")
            else:
                stars = integer(word, f"{name}[{i}]", 1, _STARS + 1)
                text = "★" * stars + "☆" * (_STARS - stars)
            captions[i] += f"{before}{text}" if text else ""
    return captions


def _pages(
    pictures: Sequence[Picture], pen: Pen, form: Format, title: str, places: int, *, name: str = ""
) -> list[Page]:
    """Return pages with `places` places each."""
    return [
        lay_out(pictures[first : first + places], pen, form, title, places, name)
        for first in range(0, len(pictures), places)
    ]


def _solution(i: int, maze: Maze | GraphMaze) -> Solution:
    try:
        return solve(maze)
    except NoPathError as error:
        raise NoPathError(f"mazes[{i}] has no solution: {error}") from None
