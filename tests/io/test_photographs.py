"""Photographs of mazes as people take them: the path through the true cells, and the maze."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import meiro

pytest.importorskip("PIL.Image")

from files.camera import Taken
from PIL import ImageDraw, ImageFilter

WOOD = (60, 45, 35)
BLACK, WHITE = (15, 15, 20), (235, 235, 235)
PHONE: Any = {"perspective": 0.08, "shadow": 0.5, "noise": 8, "blur": 2, "quality": 85}
DIM: Any = {"noise": 10, "blur": 0.8, "quality": 40}
TWENTY = {
    "margin": Taken(1),
    "no margin": Taken(2, margin=0),
    "1 degree": Taken(3, degrees=1),
    "30 degrees": Taken(4, degrees=30, openings="left_right"),
    "quarter turn": Taken(5, quarters=1, degrees=5),
    "noise": Taken(6, degrees=-20, noise=15, blur=0.8),
    "perspective": Taken(7, perspective=0.12, table=WOOD),
    "shadow": Taken(8, perspective=0.1, shadow=0.45, darkest=0.7, noise=6, blur=1, degrees=8),
    "JPEG 40": Taken(9, quality=40, blur=1, noise=8, degrees=3, openings="farthest"),
    "thin walls": Taken(10, corridor=22, wall=2, degrees=7, blur=0.6, algorithm="wilson"),
    "thick walls": Taken(11, corridor=14, wall=14, degrees=-12, blur=1),
    "marks": Taken(12, marks=True, degrees=4, noise=8, darkest=0.4, blur=0.8),
    "round": Taken(516, around=True, shape=(3, 6), wall=3, blur=0.6),  # gaps as wide as a side of its hull
    "marks on a table": Taken(13, marks=True, degrees=15, table=WOOD, perspective=0.05, noise=5),
    "round on a table": Taken(15, around=True, shape=(6, 24), table=WOOD, perspective=0.04, shadow=0.6),
    "black table": Taken(16, table=(25, 25, 30), degrees=6, table_width=20),
    "blue table": Taken(17, table=(40, 60, 150), degrees=-6, perspective=0.06, noise=12, quality=40),
    "white on black": Taken(18, ink=WHITE, paper=BLACK, degrees=3),
    "phone": Taken(19, (20, 26), corridor=90, wall=20, margin=200, table=WOOD, table_width=300, **PHONE),
    "dim phone": Taken(20, (24, 30), corridor=48, wall=6, margin=75, degrees=12, darkest=0.4, **DIM),
}


FEW = [
    name if i % 4 == 0 and "phone" not in name else pytest.param(name, marks=pytest.mark.long)
    for i, name in enumerate(TWENTY)
]
FLAT = [name for name in TWENTY if "round" not in name and "phone" not in name]


@pytest.mark.parametrize("name", FEW)
def test_a_path_through_a_photograph_crosses_the_true_cells(name: str) -> None:
    taken = TWENTY[name]
    picture, back = taken.take()
    x = meiro.from_image(picture, **taken.ways)
    path = meiro.solve(x, centre=True).path
    cells = taken.crossed(x.perspective.in_picture(path), back)
    assert taken.cells in (cells, cells[::-1])
    assert x.decisions["walls"] == ("bright" if taken.ink > taken.paper else "dark")
    if not taken.around:
        assert x.decisions["cells"] == (taken.shape[::-1] if taken.quarters else taken.shape)


@pytest.mark.parametrize(
    "name", [FLAT[0], *(pytest.param(name, marks=pytest.mark.long) for name in FLAT[1:])]
)
def test_a_photograph_is_a_maze(name: str) -> None:
    taken = TWENTY[name]
    found = meiro.Maze.from_image(np.asarray(taken.take()[0]), deskew=True)
    assert np.array_equal(np.rot90(found.grid, taken.quarters), taken.maze.grid)


@pytest.mark.long
def test_what_is_no_maze_is_not_silently_one() -> None:
    random = np.random.default_rng(1)
    leaves = np.kron(random.integers(0, 2, (31, 40)), np.ones((9, 9))) * 200 + 20
    leaves[[0, -1]] = leaves[:, [0, -1]] = 0
    picture = np.pad(leaves, 30, constant_values=250).astype(np.uint8)
    with pytest.warns(UserWarning, match=r"no rows and columns of square cells are clear; .* meiro\.plot"):
        meiro.from_image(picture, deskew=True)
    with pytest.raises(ValueError, match="shows no maze"), pytest.warns(UserWarning, match="no rows"):
        meiro.Maze.from_image(picture, deskew=True)


@pytest.mark.parametrize("margin", [0, 15])
def test_bright_walls_are_read_by_deskew_and_an_error_says_so(margin: int) -> None:
    taken = Taken(3, margin=margin, wall=2)
    picture = 255 - np.asarray(taken.take()[0].convert("L"))
    with pytest.raises(ValueError, match=r"picture is mostly dark; meiro\.from_image\(\.\.\., deskew=True\)"):
        meiro.solve(meiro.from_image(picture))
    assert meiro.Maze.from_image(picture, deskew=True) == taken.maze


@pytest.mark.parametrize("what", ["floats", "16 bits", "threshold", "Otsu's and speckles"])
def test_photographs_of_any_kind(what: str) -> None:
    taken = Taken(4, degrees=8, table=WOOD)
    picture, back = taken.take()
    grey = np.asarray(picture.convert("L"))
    given: Any = {"floats": grey / 255, "16 bits": grey.astype(np.uint16) * 257}.get(what, grey)
    ways: dict[str, Any] = {"threshold": {"threshold": 128}}.get(what, {})
    x = meiro.from_image(given, deskew=True, speckles=9, **ways)
    cells = taken.crossed(x.perspective.in_picture(meiro.solve(x, centre=True).path), back)
    assert cells == taken.cells


@pytest.mark.long
def test_bent_paper_is_not_silently_wrong() -> None:
    taken = Taken(5, shape=(20, 25))
    pixels = np.asarray(taken.take()[0].convert("L"))
    height, width = pixels.shape
    down, across = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    bent = 1 + 0.06 * (down**2 + across**2 - 1)
    rows, cols = ((1 + way * bent) / 2 * (n - 1) for way, n in ((down, height), (across, width)))
    rows, cols = np.clip(rows, 0, height - 1).astype(int), np.clip(cols, 0, width - 1).astype(int)
    with pytest.warns(UserWarning, match=r"lay the paper flat|no rows and columns"):
        meiro.from_image(pixels[rows, cols], deskew=True)


@pytest.mark.long
@pytest.mark.parametrize("ends", ["openings", "marks", "white on black"])
def test_a_frame_may_wave_as_lines_of_a_hand_do(ends: str) -> None:
    inks: Any = {"ink": WHITE, "paper": BLACK} if ends == "white on black" else {}
    for seed in range(3):
        taken = Taken(seed, marks=ends == "marks", degrees=2 * seed, noise=4, **inks)
        pixels = np.asarray(taken.take()[0])
        down, across = np.indices(pixels.shape[:2])
        wave = np.rint([3 * np.sin(at / 17 + seed) for at in (across, down)]).astype(int)
        rows, cols = (np.clip(at + by, 0, at.max()) for at, by in zip((down, across), wave, strict=True))
        waved = pixels[rows, cols]
        assert np.array_equal(meiro.Maze.from_image(waved, deskew=True).grid, taken.maze.grid)
        assert meiro.from_image(waved, **taken.ways).decisions["cells"] == taken.shape


@pytest.mark.parametrize("scale", [6, 20])
@pytest.mark.parametrize("shape", [(4, 5), (8, 8)])
def test_a_picture_may_be_cut_at_thick_walls(shape: tuple[int, int], scale: int) -> None:
    maze = meiro.generate(shape, rng=1)
    picture = np.kron(1.0 - maze.grid, np.ones((scale, scale)))
    assert meiro.Maze.from_image(picture, deskew=True) == maze


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (4, 4), (4, 5), (2, 4)])
def test_small_mazes_are_found(shape: tuple[int, int]) -> None:
    for seed in range(2):
        grain: Any = {"noise": 40, "wall": 2} if seed else {"noise": 5}
        taken = Taken(seed, shape, "kruskal", degrees=7 * seed - 9, blur=0.8, **grain)
        picture, back = taken.take()
        x = meiro.from_image(picture, deskew=True)
        assert x.decisions["cells"] == shape
        assert taken.cells == taken.crossed(x.perspective.in_picture(meiro.solve(x, centre=True).path), back)


@pytest.mark.parametrize(("corridor", "wall"), [(8, 2), (5, 5), (12, 4)])
@pytest.mark.parametrize("algorithm", ["serpentine", "spiral", "binary_tree", "recursive_division"])
def test_cells_are_found_where_few_walls_are_on_some_lines(algorithm: str, corridor: int, wall: int) -> None:
    for shape in ((5, 6), (12, 7), (3, 4)):
        maze = meiro.with_openings(meiro.generate(shape, algorithm, rng=1), "top_bottom")
        walls = maze.to_grid(corridor=corridor, wall=wall)
        picture = np.pad(np.where(walls, 20, 240), 12, constant_values=240).astype(np.uint8)
        assert meiro.Maze.from_image(picture, deskew=True) == maze


def test_a_mark_is_no_maze_where_an_opening_lets_one_be_looked_for() -> None:
    taken = Taken(8, (7, 16), marks=True, blur=0.6, noise=5)
    picture = np.asarray(taken.take()[0]).copy()
    middle = taken.margin + 3 * taken.pitch + taken.wall
    picture[middle : middle + taken.corridor, taken.margin : taken.margin + taken.wall] = taken.paper
    x = meiro.from_image(picture, **taken.ways)
    assert x.decisions["cells"] == taken.shape


def test_walls_between_which_nothing_is_sure_are_told_of() -> None:
    taken = Taken(21, (6, 7))
    pixels = np.asarray(taken.take()[0].convert("L")).copy()
    grid, first = taken.maze.grid, 40 + taken.wall
    row, col = np.argwhere(grid[2:-1:2, 1::2] == 0)[5].tolist()  # half of a wall between two cells
    top, left = first + taken.pitch * (row + 1) - taken.wall, first + taken.pitch * col
    pixels[top : top + taken.wall, left : left + taken.corridor // 2] = 30
    rows, cols = np.argwhere(grid[2:-1:2, 1::2] == 1)[3].tolist()  # a wall that is not there
    top, left = first + taken.pitch * (rows + 1) - taken.wall, first + taken.pitch * cols
    pixels[top : top + taken.wall, left : left + taken.corridor] = 235
    with pytest.warns(UserWarning, match=r"1 walls between the 6 x 7 cells are not clear"):
        meiro.from_image(pixels, deskew=True)


@pytest.mark.long
def test_paper_on_a_table_with_a_grain_is_looked_at_alone() -> None:
    taken = Taken(4, (9, 8), degrees=-16, table=WOOD, blur=0.6)
    picture, back = taken.take()
    pixels = np.asarray(picture).astype(float)
    rows, cols = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    grain = 18 * np.sin(rows / 3.1 + 2 * np.sin(cols / 60)) + 10 * np.sin(rows / 7.3 + 3 * np.sin(cols / 90))
    dark = pixels.max(axis=2) < 75
    page = np.asarray(picture.convert("L").filter(ImageFilter.MaxFilter(9))) > 150
    pixels[dark & ~page] += grain[dark & ~page][:, None]
    x = meiro.from_image(np.clip(pixels, 0, 255).astype(np.uint8), deskew=True)
    assert x.decisions["cells"] == taken.shape
    assert taken.cells == taken.crossed(x.perspective.in_picture(meiro.solve(x, centre=True).path), back)


def test_crosses_in_cells_are_no_walls() -> None:
    taken = Taken(8, (7, 9), degrees=6)
    picture, back = taken.take()
    draw = ImageDraw.Draw(picture)
    to_picture = np.linalg.inv(back)
    for row, col in ((0, 1), (1, 1), (2, 5), (3, 3), (6, 8), (5, 0)):
        middle = np.array([col, row]) * taken.pitch + taken.wall + taken.corridor / 2
        for way in (1, -1):
            ends = middle + np.array([[-4, -4 * way], [4, 4 * way]])
            line = np.column_stack([ends, [1, 1]]) @ to_picture.T
            draw.line([*map(tuple, (line[:, :2] / line[:, 2:]).tolist())], (60, 60, 60), 2)
    found = meiro.Maze.from_image(np.asarray(picture), deskew=True)
    assert found == taken.maze
