"""Mazes on paper: SVG and PDF files, of one page."""

from __future__ import annotations

from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro._utils.paper import MOST_PAGE
from meiro._utils.validation import checked_outside, items_of
from meiro.drawing.page import page_of, shown_of, title_of
from meiro.drawing.picture import Picture, picture_of
from meiro.drawing.svg import pictures_svg
from meiro.io.text import write_in_pieces
from meiro.spaces.space_of import is_maze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze


_PDF = 64  # bytes a cell while it is drawn; 40 were measured


def write_svg(file: IO[bytes], x: Maze | GraphMaze | Sequence[Maze | GraphMaze], **options: Any) -> None:
    """Write mazes on one page as SVG, with the paths of their solutions."""
    pictures = pictures_of(x, options, puzzle=options.get("page") is not None)
    write_in_pieces(file, pictures_svg(pictures, options))


def write_pdf(file: IO[bytes], x: Maze | GraphMaze | Sequence[Maze | GraphMaze], **options: Any) -> None:
    """Write mazes on one page as PDF, with the paths of their solutions."""
    pictures = pictures_of(x, options, puzzle=True)
    require_pdf(pictures)
    page = page_of(pictures, options, "A4")
    if max(page.width, page.height) > MOST_PAGE:
        size = f"{page.width:,.0f} x {page.height:,.0f} mm"
        raise ValueError(f"a page of {size} is too large, a PDF ends at {MOST_PAGE:,.0f}: give a smaller mm=")
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.pdf import write_pages
    write_pages(file, [page], title_of(options))


def require_pdf(pictures: Sequence[Picture]) -> None:
    """Check that there is memory to draw mazes as PDF."""
    require(
        _PDF * sum(one.geometry.places for one in pictures),
        "the text of the picture",
        "write a .png, or crop a part",
    )


def pictures_of(x: Any, options: dict[str, Any], *, puzzle: bool) -> Sequence[Picture]:
    """Return the mazes of a page, each with its solution; the options for it are taken out."""
    shown = shown_of(options)
    solution, start, goal, locks = (
        options.pop(name, None) for name in ("solution", "start", "goal", "locks")
    )
    if is_maze(x):
        pictures = [picture_of(x, solution, start, goal, **shown, puzzle=puzzle, locks=locks)]
    else:
        for name, given in (("start", start), ("goal", goal), ("labels", shown["labels"])):
            if given is not None:
                how = "" if name == "labels" else "; give each maze its own by meiro.with_ends"
                raise ValueError(f"{name}= is for a single maze{how}")
        pictures = [
            picture_of(maze, way, **shown, puzzle=puzzle, name=f"solution[{i}]")
            for i, (maze, way) in enumerate(zip(x, _ways(solution, len(x)), strict=True))
        ]
    if checked_outside(options.get("outside", "blank")) != "blank" and any(
        one.geometry.plane for one in pictures
    ):
        raise ValueError("outside= is for a Maze with a mask: a lattice has no cells outside of it")
    return pictures


def _ways(solution: object, n: int) -> list[Any]:
    """Return the solutions of n mazes, None for a maze without one."""
    if solution is None:
        return [None] * n
    ways = list(islice(items_of(solution, "solution", "a list of solutions"), n + 1))
    if len(ways) != n:
        held = f"more than {n}" if len(ways) > n else len(ways)
        raise ValueError(f"solution= holds {held} for {n} mazes: give one, or None, for each")
    return ways
