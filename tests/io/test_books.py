"""Books of puzzles: pages, numbers, solutions."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from files.pdf_reader import PdfPage, pages_of, rendered
from programs import needs
from refusals import refused
from timing import best, seconds

import meiro
from meiro.io import puzzle_book

MAZES = meiro.generate_many((14, 10), n=20, rng=3)
WALL, GREY, PATH = "#141414", "#8c8c8c", "#d7191c"


def book(path: Path, mazes: Any = MAZES, **options: Any) -> list[PdfPage]:
    puzzle_book(path, mazes, **options)
    return pages_of(path.read_bytes())


def numbers(page: PdfPage) -> list[int]:
    return [int(text) for text in page.texts if text.isdigit()]


@pytest.mark.parametrize(
    ("per_page", "puzzles", "solutions"), [(1, 20, 5), (2, 10, 3), (4, 5, 2), (6, 4, 1), (30, 1, 1)]
)
def test_a_book_of_twenty_has_its_pages_and_numbers(
    per_page: int, puzzles: int, solutions: int, tmp_path: Path
) -> None:
    pages = book(tmp_path / "a.pdf", per_page=per_page, title="Twenty")
    assert len(pages) == puzzles + solutions
    first, second = pages[:puzzles], pages[puzzles:]
    for part in (first, second):
        assert [n for page in part for n in numbers(page)] == list(range(1, 21))
    assert all(page.texts[0] == "Twenty" for page in first)
    assert all(page.texts[0] == "Solutions" for page in second)
    assert [page.texts[-1] for page in pages] == [f"{i + 1} / {len(pages)}" for i in range(len(pages))]
    assert {(round(page.width, 3), round(page.height, 3)) for page in pages} == {(210, 297)}
    for page in first:
        colors = [stroke.color for stroke in page.strokes]
        assert colors.count(WALL) == len(numbers(page))
        assert PATH not in colors
    for page in second:
        colors = [stroke.color for stroke in page.strokes]
        assert colors.count(GREY) == colors.count(PATH) == len(numbers(page))
    assert len((tmp_path / "a.pdf").read_bytes()) < 200_000


def test_pages_of_a_book_are_arranged_alike(tmp_path: Path) -> None:
    pages = book(tmp_path / "a.pdf", MAZES[:19], per_page=6, solutions="none")
    assert [len(numbers(page)) for page in pages] == [6, 6, 6, 1]  # not in the middle
    corners = [
        [stroke.lines.min(axis=(0, 1)).round(3).tolist() for stroke in page.strokes if stroke.color == WALL]
        for page in pages
    ]
    assert corners[0] == corners[1] == corners[2]
    assert corners[3] == corners[0][:1]


def test_solutions_of_a_book_are_the_paths(tmp_path: Path) -> None:
    mazes = [meiro.generate((5 + i, 9 - i), rng=i) for i in range(3)]
    mazes[1] = meiro.with_openings(mazes[1], [(0, 1), (12, 15)])
    mazes[2] = meiro.Maze(mazes[2].passages, start=(6, 6), goal=(0, 3))
    *_, page = book(tmp_path / "a.pdf", mazes)
    walls = [stroke.lines for stroke in page.strokes if stroke.color == GREY]
    paths = [stroke.lines for stroke in page.strokes if stroke.color == PATH]
    ends: list[tuple[tuple[float, float], tuple[float, float]]]
    ends = [((0, 0), (4, 8)), ((-0.5, 0), (5.5, 7)), ((6, 6), (0, 3))]  # through the openings of the second
    for maze, wall, path, (start, goal) in zip(mazes, walls, paths, ends, strict=True):
        left, top = wall.min(axis=(0, 1))
        cell = (wall[..., 0].max() - left) / maze.cols
        cells = (path - (left, top)) / cell - 0.5
        assert cells[0, 0].round(2).tolist() == list(start[::-1])
        assert cells[-1, 1].round(2).tolist() == list(goal[::-1])
        steps = np.abs(np.diff(cells, axis=1)).sum()
        assert round(float(steps), 2) == (len(meiro.solve(maze).grid_path) - 1) / 2


def test_the_path_of_a_solution_is_the_darkest_line_in_grey(tmp_path: Path) -> None:
    book(tmp_path / "a.pdf", MAZES[:1])
    grey = rendered(tmp_path / "a.pdf", 2, dpi=150) @ (0.299, 0.587, 0.114)
    drawn = rendered(tmp_path / "a.pdf", 2, dpi=150)
    path = (drawn[..., 0] > 200) & (drawn[..., 1] < 60)
    walls = (np.abs(drawn.astype(int) - 0x8C) < 6).all(axis=2)
    assert min(path.sum(), walls.sum()) > 1000
    assert grey[path].mean() + 40 < grey[walls].mean()


def test_a_book_has_the_options_of_pages(tmp_path: Path) -> None:
    pages = book(
        tmp_path / "a.pdf", page=(297, 210), per_page=2, wall_width=1.0, caps="round", heading="Ответы",
        colors={"wall": "navy"}, marks=False, margin=10,
    )  # fmt: skip
    assert {(round(page.width, 3), round(page.height, 3)) for page in pages} == {(297, 210)}
    walls = [stroke for stroke in pages[0].strokes if stroke.color == "#000080"]
    assert {round(stroke.width, 4) for stroke in walls} == {1.0}
    assert {stroke.cap for stroke in walls} == {1}
    assert len(pages[0].strokes) == 2  # no marks
    assert {stroke.width < 1 for page in pages[10:] for stroke in page.strokes if stroke.color == GREY} == {
        True
    }
    puzzle_book(tmp_path / "b.pdf", meiro.generate_many((30, 60), n=2, rng=1))
    assert {page.width < page.height for page in pages_of((tmp_path / "b.pdf").read_bytes())} == {True}


@pytest.mark.parametrize(
    ("side", "on_a_page"), [(30, 4), (60, 2), (90, 1), pytest.param(150, 1, marks=pytest.mark.long)]
)
def test_as_many_solutions_stand_on_a_page_as_can_be_read(side: int, on_a_page: int, tmp_path: Path) -> None:
    mazes = meiro.generate_many((side, side), n=4, rng=1)
    pages = book(tmp_path / "a.pdf", mazes)[4:]
    assert [len(numbers(page)) for page in pages] == [on_a_page] * (4 // on_a_page)


def test_the_cells_of_a_book_have_the_size_that_is_given_and_those_of_solutions_fit(tmp_path: Path) -> None:
    pages = book(tmp_path / "a.pdf", MAZES[:5], mm=10)
    assert [len(numbers(page)) for page in pages] == [1, 1, 1, 1, 1, 4, 1]
    for page, cell in zip(pages, [10.0] * 5 + [((267 - 14 - 10) / 2 - 7.65) / 14.25] * 2, strict=True):
        for left, top, right, bottom in boxes_of(page):
            assert (right - left, bottom - top) == pytest.approx((10 * cell, 14 * cell), abs=1e-2)


def boxes_of(page: PdfPage) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of each maze."""
    walls = [stroke.lines for stroke in page.strokes if stroke.color in {WALL, GREY}]
    return [(*lines.min(axis=(0, 1)), *lines.max(axis=(0, 1))) for lines in walls]


@pytest.mark.parametrize("per_page", [2, 3, 4, 7])
def test_mazes_of_any_sizes_and_their_numbers_have_places_of_their_own(per_page: int, tmp_path: Path) -> None:
    shapes = [(3, 4), (9, 5), (6, 12), (10, 10), (2, 2), (12, 3), (7, 8)]
    mazes = [meiro.generate(shape, rng=i) for i, shape in enumerate(shapes)]
    for page in book(tmp_path / "a.pdf", mazes, per_page=per_page, title="Mazes", margin=20):
        (_, title), *places, (_, foot) = page.places
        boxes = boxes_of(page)
        assert len(places) == len(boxes)
        assert min(top for _, top, _, _ in boxes) > title > 20
        assert page.height - 20 < foot < page.height
        for i, (left, top, right, bottom) in enumerate(boxes):
            x, y = places[i]
            assert left < x < right
            assert bottom + 4 < y < page.height - 20  # letters of 4.5 mm
            assert 20 < left < right < page.width - 20
            for left_1, top_1, right_1, bottom_1 in boxes[:i]:
                assert left > right_1 or right < left_1 or top > bottom_1 or bottom < top_1
            for j, (left_1, top_1, right_1, _) in enumerate(boxes):
                below = top_1 > top and left < right_1 and right > left_1
                assert i == j or not below or y < top_1


def test_more_places_than_mazes_are_as_many_as_mazes(tmp_path: Path) -> None:
    fewer = book(tmp_path / "a.pdf", MAZES[:3], per_page=3)
    for page, other in zip(fewer, book(tmp_path / "b.pdf", MAZES[:3], per_page=30), strict=True):
        assert boxes_of(page) == boxes_of(other)


def test_pages_of_narrow_margins_have_no_numbers(tmp_path: Path) -> None:
    for margin, written in ((0, []), (6, []), (7, ["1 / 1"])):
        (page,) = book(tmp_path / "a.pdf", MAZES[:1], solutions="none", margin=margin)
        assert page.texts[1:] == written


CUT = meiro.Maze(np.zeros((2, 2), np.uint8))
BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"mazes": CUT}, TypeError, "a MazeBatch or several mazes, not <Maze.*meiro.save writes one"),
    ({"mazes": 5}, TypeError, "mazes must be a MazeBatch or several mazes, not 5"),
    ({"mazes": []}, ValueError, r"mazes must be 1 to 10,000 mazes, not \[\]"),
    ({"mazes": [MAZES[0], 5]}, TypeError, r"mazes\[1\] must be a Maze or a GraphMaze, not 5"),
    ({"mazes": itertools.repeat(CUT)}, ValueError, "mazes must be 1 to 10,000 mazes, not repeat"),
    ({"mazes": itertools.count()}, TypeError, r"mazes\[0\] must be a Maze or a GraphMaze, not 0"),
    ({"mazes": [MAZES[0], CUT]}, meiro.NoPathError, r"mazes\[1\] has no solution: "),
    ({"per_page": 0}, ValueError, "per_page must be at least 1, not 0"),
    ({"per_page": 2.5}, TypeError, "per_page must be an integer"),
    ({"solutions": "before"}, ValueError, "solutions must be 'after' or 'none', not 'before'"),
    ({"heading": 3}, TypeError, "heading must be a text, not 3"),
    ({"page": "fit"}, ValueError, "page='fit' is for a single page"),
    ({"page": (40, 40)}, ValueError, r"page 40 x 40 mm is too small for a maze of 14 x 10"),
    ({"page": (100, 80), "per_page": 20}, ValueError, "too small for 20 mazes of .*: the smallest page is"),
    ({"progress": 3}, TypeError, "progress must be False, True or a callable"),
    ({"title": 5}, TypeError, "title must be a text"),
    ({"per_pge": 4}, TypeError, r"puzzle_book takes no argument 'per_pge' \(did you mean 'per_page'\?\)"),
    ({"foo": 3}, TypeError, "no argument 'foo'; it takes path, mazes, per_page, .*title and marks$"),
    ({"titles": ["one"]}, ValueError, "titles must be a list of 20, one for each maze"),
    ({"titles": ["x" * 190] * 20, "per_page": 4}, ValueError, "titles '1   xx.*is too long for a line of"),
    ({"difficulties": [6] * 20}, ValueError, r"difficulties\[0\] must be less than 6, not 6"),
    ({"name_line": True}, TypeError, "name_line must be a text, not True"),
]  # fmt: skip


def test_a_book_of_mazes_of_all_kinds(tmp_path: Path) -> None:
    disc, hexagons = meiro.lattices.polar(4), meiro.lattices.hexagonal(5, 6)
    mixed = book(tmp_path / "a.pdf", [meiro.generate(disc, rng=1), MAZES[0]], per_page=2)
    assert [numbers(page) for page in mixed] == [[1, 2], [1, 2]]
    assert [stroke.color for stroke in mixed[1].strokes].count(PATH) == 2
    nested = book(tmp_path / "a.pdf", [MAZES[:2], [meiro.generate(disc, rng=1), MAZES[3]]], solutions="none")
    assert [numbers(page) for page in nested] == [[1], [2], [3], [4]]
    pages = book(tmp_path / "b.pdf", meiro.generate_many(hexagons, n=3, rng=1))
    assert [numbers(page) for page in pages] == [[1], [2], [3], [1, 2, 3]]


@pytest.mark.parametrize(("options", "kind", "message"), BAD, ids=str)
def test_a_book_refuses_bad_arguments(options: Any, kind: Any, message: str, tmp_path: Path) -> None:
    refused(kind, message, puzzle_book, tmp_path / "a.pdf", **{"mazes": MAZES, **options})
    with pytest.raises(ValueError, match=r"a\.svg': a book is a \.pdf; meiro\.save writes one page as \.svg"):
        puzzle_book(tmp_path / "a.svg", MAZES)
    assert not list(tmp_path.iterdir())


def test_puzzles_have_titles_difficulties_and_arrows_and_pages_a_line_for_a_name(tmp_path: Path) -> None:
    hexagons = meiro.generate(meiro.lattices.hexagonal(5, 6), rng=1, openings="left_right")
    opened = meiro.with_openings(MAZES[1], "top_bottom")
    book(
        tmp_path / "a.pdf", [MAZES[0], opened, hexagons], per_page=3, title="All", name_line="Name",
        titles=["Square", None, "Лабиринт"], difficulties=[2, "easy", None],
    )  # fmt: skip
    command = [needs("pdftotext", "poppler-utils"), str(tmp_path / "a.pdf"), "-"]
    text = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    puzzles, solved = (page.split() for page in text.split("\f")[:2])
    for word in ("All", "Name:", 28 * "_", "Square", "★★☆☆☆", "easy", "Лабиринт"):
        assert puzzles.count(word) == 1 or not word.isascii()  # older releases of matplotlib draw the others
    assert "".join(solved[4:]) == "2/2"
    assert solved[:4] == ["Solutions", "1", "2", "3"]
    for number in (1, 2):  # a dot, then an arrow for each opening, and a ring
        drawn = rendered(tmp_path / "a.pdf", number, dpi=60)
        for color in (meiro.colors.START, meiro.colors.GOAL):
            assert (np.abs(drawn.astype(int) - color) < 40).all(axis=2).sum() > 20


def test_a_colon_of_the_line_for_a_name_is_not_doubled(tmp_path: Path) -> None:
    for name in ("Name", "Name:"):
        book(tmp_path / f"{len(name)}.pdf", MAZES[:1], name_line=name)
    assert (tmp_path / "4.pdf").read_bytes() == (tmp_path / "5.pdf").read_bytes()


def test_unsolvable_mazes_make_a_book_without_solutions(tmp_path: Path) -> None:
    assert len(book(tmp_path / "a.pdf", [CUT], solutions="none")) == 1


@pytest.mark.clock
def test_a_book_of_200_mazes_takes_less_than_20_s(tmp_path: Path) -> None:
    mazes = meiro.generate_many((30, 22), n=200, rng=1)
    assert best(lambda: seconds(lambda: puzzle_book(tmp_path / "a.pdf", mazes)), 1) < 20  # 5 s usually
