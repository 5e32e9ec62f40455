"""`solve_by_bands` and `distances_by_bands` beside `solve` and `distances`, for bands of any height."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro import _core
from meiro.solvers import by_bands

SHAPES = [(1, 1), (1, 17), (17, 1), (2, 9), (9, 7), (23, 30)]


def in_bands(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    """Make bands of at most so many cells, at least a row."""
    monkeypatch.setattr(by_bands, "_LEAST_BAND", cells)
    monkeypatch.setattr(by_bands, "_LARGEST_BAND", cells)


def mazes() -> list[Any]:
    """Mazes of each generator, with loops, several regions, masks and wrap."""
    found = [
        pytest.param(meiro.generate(shape, name, rng=7), id=f"{name} {shape}")
        for name in meiro.ALGORITHMS
        for shape in SHAPES
    ]
    rng = np.random.default_rng(1)
    holes = rng.random((23, 30)) < 0.85
    some = {
        "mask": meiro.generate(mask=holes, algorithm="percolation", p=0.7, rng=1),
        "cylinder": meiro.generate((9, 11), wrap=(False, True), rng=1),
        "tube": meiro.generate((11, 9), wrap=(True, False), rng=2),
        "torus": meiro.generate((8, 9), wrap=(True, True), rng=3),
        "torus with loops": meiro.transforms.braid(meiro.generate((13, 12), wrap=(True, True), rng=4), rng=4),
        "all open": meiro.generate((12, 14), "percolation", p=1, rng=1),
        "all closed": meiro.generate((12, 14), "percolation", p=0, rng=1),
    }
    for p in (0.3, 0.5, 0.6, 0.8):
        some[f"percolation {p}"] = meiro.generate((25, 31), "percolation", p=p, rng=5)
    return found + [pytest.param(maze, id=name) for name, maze in some.items()]


def checked_path(maze: meiro.Maze, path: np.ndarray, start: Any, goal: Any) -> None:
    """Check that a path goes through passages, from the start to the goal."""
    assert path.dtype == np.int64
    assert (tuple(path[0]), tuple(path[-1])) == (tuple(start), tuple(goal))
    sites = meiro.cells_to_grid(path, shape=maze.shape, wrap=maze.wrap)  # of adjacent cells
    assert not maze.grid[tuple(sites.T)].any()


@pytest.mark.parametrize("cells", [1, 40, 100, 10**6])
@pytest.mark.parametrize("maze", mazes())
def test_paths_and_distances_are_those_of_the_whole(
    monkeypatch: pytest.MonkeyPatch, maze: meiro.Maze, cells: int
) -> None:
    in_bands(monkeypatch, cells)
    rng = np.random.default_rng(cells)
    exist = np.argwhere(np.ones((maze.rows, maze.cols), bool) if maze.mask is None else maze.mask)
    for _ in range(3):
        start, goal, other = (tuple(map(int, exist[k])) for k in rng.integers(len(exist), size=3))
        for sources in (start, [start, other]):
            assert (meiro.solvers.distances_by_bands(maze, sources) == meiro.distances(maze, sources)).all()
        steps = meiro.distances(maze, start)[goal]
        if steps < 0:
            refused(meiro.NoPathError, "no path from", meiro.solvers.solve_by_bands, maze, start, goal)
            continue
        path = meiro.solvers.solve_by_bands(maze, start, goal)
        assert len(path) == steps + 1
        checked_path(maze, path, start, goal)


@pytest.mark.parametrize("algorithm", ["eller", "sidewinder", "binary_tree", "pole_toppling"])
def test_a_stream_is_solved_as_its_maze(monkeypatch: pytest.MonkeyPatch, algorithm: str) -> None:
    in_bands(monkeypatch, 500)
    maze = meiro.generate((201, 60), algorithm, rng=7)
    stream = meiro.generators.stream(algorithm, 60, rng=7)
    assert (meiro.solvers.solve_by_bands(stream, rows=201) == maze.solve().path).all()
    assert (meiro.solvers.distances_by_bands(stream, (3, 5), rows=201) == meiro.distances(maze, (3, 5))).all()
    assert (
        meiro.solvers.solve_by_bands(stream, (0, 3), (2, 3), rows=201) == maze.solve((0, 3), (2, 3)).path
    ).all()
    assert stream.row == 0


def test_the_endpoints_of_a_maze_are_the_default() -> None:
    maze = meiro.generate((20, 30), rng=7, openings="top_bottom")
    assert (meiro.solvers.solve_by_bands(maze) == maze.solve().path).all()
    assert (meiro.solvers.distances_by_bands(maze) == meiro.distances(maze)).all()


class Rows:
    """An array that gives rows and nothing else, and says which."""

    def __init__(self, passages: np.ndarray) -> None:
        self.shape, self.dtype, self._passages = passages.shape, passages.dtype, passages
        self.read: list[int] = []

    def __getitem__(self, rows: slice) -> np.ndarray:
        """Return some rows."""
        self.read.append(rows.start)
        return self._passages[rows].copy()


def test_an_array_is_read_by_bands_and_those_beside_the_path_once(monkeypatch: pytest.MonkeyPatch) -> None:
    in_bands(monkeypatch, 300)
    maze = meiro.generate((100, 30), rng=7)
    rows: Any = Rows(maze.passages)
    path = meiro.solvers.solve_by_bands(rows, (0, 0), (3, 29))
    assert (path == maze.solve((0, 0), (3, 29)).path).all()
    assert rows.read[:10] == list(range(0, 100, 10))
    assert rows.read[10:] == sorted({int(row) // 10 * 10 for row in path[:, 0]})


@pytest.mark.parametrize("kind", ["int8", "int16", "uint16", "int64"])
def test_integers_of_any_kind_are_passages(kind: str) -> None:
    maze = meiro.generate((9, 12), rng=7)
    assert (meiro.solvers.solve_by_bands(maze.passages.astype(kind)) == maze.solve().path).all()
    assert (meiro.solvers.solve_by_bands(maze.passages.tolist()) == maze.solve().path).all()


def test_results_go_to_out(tmp_path: Any) -> None:
    maze = meiro.generate((30, 40), rng=7)
    expected = meiro.distances(maze)
    for kind in ("int32", "int64"):
        out = meiro.io.open_memmap(tmp_path / f"{kind}.npy", (30, 40), kind)
        assert meiro.solvers.distances_by_bands(maze, out=out) is out
        assert (out == expected).all()
    with pytest.raises(ValueError, match="int16: distances_by_bands takes int32 or int64"):
        meiro.solvers.distances_by_bands(maze, out=np.empty((30, 40), np.int16))
    refused(ValueError, "shape", meiro.solvers.distances_by_bands, maze, out=np.empty((30, 41), np.int32))


@pytest.fixture
def contracted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of rows of each band that is contracted."""
    rows: list[int] = []

    def contract(passages: np.ndarray, terminals: np.ndarray) -> Any:
        rows.append(len(passages))
        return contract_band(passages, terminals)

    contract_band = _core.contract
    monkeypatch.setattr(_core, "contract", contract)
    in_bands(monkeypatch, 300)
    return rows


def test_a_call_that_was_interrupted_goes_on(tmp_path: Any, contracted: list[int]) -> None:
    class Interrupted(Rows):
        """Rows of which one cannot be read before Ctrl-C comes."""

        def __getitem__(self, rows: slice) -> np.ndarray:
            if rows.start == 50:
                raise KeyboardInterrupt
            return super().__getitem__(rows)

    maze = meiro.generate((97, 30), rng=7)
    interrupted: Any = Interrupted(maze.passages)
    for call, whole in (
        (meiro.solvers.solve_by_bands, maze.solve().path),
        (meiro.solvers.distances_by_bands, meiro.distances(maze)),
    ):
        contracted.clear()
        parts = tmp_path / call.__name__ / "parts"
        with pytest.raises(KeyboardInterrupt):
            call(interrupted, parts=parts)
        assert contracted == [10] * 5
        assert (call(maze, parts=str(parts)) == whole).all()
        assert contracted == [10] * 9 + [7]
        assert (call(maze.passages, parts=parts) == whole).all()
        assert len(contracted) == 10


def test_parts_serve_other_ends_and_no_other_maze(tmp_path: Any, contracted: list[int]) -> None:
    one, other = (meiro.generate((60, 30), "percolation", p=0.7, rng=seed) for seed in (1, 2))
    for maze in (one, other):
        meiro.solvers.distances_by_bands(maze, parts=tmp_path)
    assert len(contracted) == 12
    for maze in (other, one):
        for cell in ((25, 3), (29, 29)):
            found = meiro.solvers.distances_by_bands(maze, cell, parts=tmp_path)
            assert (found == meiro.distances(maze, cell)).all()
    # Each time the band that has the source now, and once the one that had it before.
    assert len(contracted) == 12 + 2 * 3
    wide = np.zeros((10, 30), np.uint8)
    for passages in (wide, wide.reshape(30, 10)):  # the same bytes
        found = meiro.solvers.distances_by_bands(passages, parts=tmp_path)
        assert (found == meiro.solvers.distances_by_bands(passages)).all()


@pytest.mark.parametrize("damage", ["changed", "shorter", "longer", "empty", "another"])
def test_damaged_parts_are_written_anew(tmp_path: Any, contracted: list[int], damage: str) -> None:
    maze = meiro.generate((60, 30), rng=7)
    path = meiro.solvers.solve_by_bands(maze, parts=tmp_path)
    files = list(tmp_path.iterdir())
    contents = [file.read_bytes() for file in files]
    for file, whole, another in zip(files, contents, contents[1:] + contents[:1], strict=True):
        middle = len(whole) // 2
        changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
        cut = {"shorter": whole[:-8], "longer": whole + bytes(8), "empty": b""}
        file.write_bytes({"changed": changed, "another": another, **cut}[damage])
    for _ in range(2):
        assert (meiro.solvers.solve_by_bands(maze, parts=tmp_path) == path).all()
        assert len(contracted) == 12


@pytest.mark.parametrize("call", [meiro.solvers.solve_by_bands, meiro.solvers.distances_by_bands])
@pytest.mark.parametrize(
    ("cell", "byte", "fault"),
    [
        ((0, 0), 2, "part of .* at .0, 0. .* in row 0 of it is open on one side only"),
        ((3, 1), 4, "one across the border of the parts at .4, 0. is open on one side only"),
        ((5, 1), 1, "in row 1 of it is open on one side only"),
        ((0, 1), 1, "one leads out"),
        ((7, 1), 4, "one leads out"),
        ((4, 0), 8, "one leads out"),
        ((4, 2), 2, "one leads out"),
        ((4, 2), 16, "16 at .4, 2.: passages are 0 to 15"),
    ],
)
def test_what_is_not_a_maze_is_refused(
    monkeypatch: pytest.MonkeyPatch, call: Any, cell: tuple[int, int], byte: int, fault: str
) -> None:
    in_bands(monkeypatch, 12)
    passages = np.zeros((8, 3), np.uint8)
    passages[2, 0], passages[2, 1] = 2, 8  # so that it is no grid of 0 and 1
    passages[cell] |= byte
    with pytest.raises(ValueError, match=fault):
        call(passages, (2, 0), (2, 1)) if call is meiro.solvers.solve_by_bands else call(passages, (2, 0))


STREAM = meiro.generators.stream("eller", 5, rng=1)
WRONG: dict[str, tuple[tuple[Any, ...], dict[str, Any], Any, str]] = {
    "no rows": ((STREAM,), {}, TypeError, "solve_by_bands needs rows="),
    "rows of a maze": ((meiro.generate((4, 5), rng=1),), {"rows": 3}, TypeError, "rows=3"),
    "outside": ((meiro.generate((4, 5), rng=1), (4, 0)), {}, ValueError, "start"),
    "outside of an array": ((np.zeros((4, 5), np.uint8), (0, 0), (0, 5)), {}, ValueError, "goal"),
    "a word": ((np.zeros((4, 5), np.uint8), "corner"), {}, TypeError, "start"),
    "bits": ((np.full((4, 5), 16),), {}, ValueError, r"holds 16 at \(0, 0\)"),
    "negative": ((np.full((4, 5), -1),), {}, ValueError, "holds -1"),
    "floats": ((np.zeros((4, 5)),), {}, TypeError, "float64"),
    "walls": ((meiro.generate((4, 5), rng=1).grid,), {}, ValueError, "only 0 and 1, as walls and roads"),
    "one row": ((np.zeros(5, np.uint8),), {}, ValueError, r"shape \(5,\)"),
    "empty": ((np.zeros((0, 5), np.uint8),), {}, ValueError, r"\(0, 5\)"),
    "a module": ((np,), {}, (TypeError, ValueError), "x must be"),
    "parts": ((meiro.generate((4, 5), rng=1),), {"parts": 7}, TypeError, "parts must be a path, not 7"),
    "file": ((meiro.generate((4, 5), rng=1),), {"parts": __file__}, FileExistsError, "test_by_bands"),
    "graph": ((meiro.generate(meiro.lattices.hexagonal(3, 3), rng=1),), {}, TypeError, "GraphMaze"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(case: str) -> None:
    args, named, kind, text = WRONG[case]
    refused(kind, text, meiro.solvers.solve_by_bands, *args, **named)


def test_contractions_have_few_nodes() -> None:
    """A tree with k terminals, on its rim or asked for, has at most k - 2 forks between them."""
    passages = meiro.generate((60, 300), rng=7).passages
    for first, last in ((0, 60), (0, 7), (20, 29)):
        band = passages[first:last]
        rim = np.count_nonzero(band[0] & 1) + np.count_nonzero(band[-1] & 4)
        nodes, _ = _core.contract(np.ascontiguousarray(band), np.array([0, 5]))
        assert len(nodes) <= 2 * (rim + 2)


def test_corridors_that_are_not_there_are_refused() -> None:
    band = np.array([[2, 10, 10, 10, 8]], np.uint8), np.array([0, 4])
    for corridors, offsets in (
        ([[0, 5, 1]], [0]),
        ([[9, 1, 1]], [0]),
        ([[0, 1, 99]], [0]),
        ([[0, 1, 2]], [19]),
        ([[0, 1, 1]], [0]),
        ([[0, 3, 4]], [0]),
    ):
        assert _core.contract(*band)[1].tolist() == [[0, 1, 4, 1, 3]]
        with pytest.raises(ValueError, match="corridor"):
            _core.walk_corridors(*band, np.array(corridors), np.array(offsets), np.zeros(20, np.uint8))
