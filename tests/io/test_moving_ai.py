"""Maps and scenarios of MovingAI: round trips, the format's own example, lengths against a slow search."""

from __future__ import annotations

import codecs
from pathlib import Path

import numpy as np
import pytest
from arbitrary_mazes import mazes
from hypothesis import given
from numpy.typing import NDArray
from path_checks import step_graph
from refusals import refused
from scipy.sparse import csgraph

import meiro
from meiro.io import read_scenarios, save_scenarios

HEADER = b"type octile\nheight 2\nwidth 3\nmap\n"
LINE = "0\ta.map\t3\t2\t1\t1\t0\t0\t1.5\n"


@given(maze=mazes())
def test_a_maze_comes_back(maze: meiro.Maze, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("map") / "a.map"
    maze.save(path)
    again = meiro.read(path)
    np.testing.assert_array_equal(again.grid if isinstance(again, meiro.Maze) else again, maze.grid)


def test_the_file_is_what_the_format_says(tmp_path: Path) -> None:
    path = tmp_path / "a.map"
    meiro.save([[0, 1, 0], [1, 1, 0]], path)
    assert path.read_bytes() == HEADER + b".@.\n@@.\n"
    for text in (b".GS\n@OT\n", b".GS\r\n@OW", b"...\n@@T\n\n"):
        path.write_bytes(HEADER.replace(b"\n", b"\r\n" if b"\r" in text else b"\n") + text)
        np.testing.assert_array_equal(meiro.read(path), [[0, 0, 0], [1, 1, 1]])
    path.write_bytes(b"type octile\nwidth 3\nheight 1\nmap\n@.@")  # some maps have the width first
    np.testing.assert_array_equal(meiro.read(path), [[1, 0, 1]])


@pytest.mark.parametrize(
    ("rows", "road", "expected"),
    [
        (b".SE\n@T@\n", None, [[0, 0, 0], [1, 1, 1]]),  # of the League of Robot Runners
        (b".@T  \nGSW\t\r\n  \n\n", None, [[0, 1, 1], [0, 0, 1]]),
        (b".@E\n...\n", ".E", [[0, 1, 0], [0, 0, 0]]),
        (b".@E\n...\n", ["."], [[0, 1, 1], [0, 0, 0]]),
        (b"#  \n # ", " ", [[1, 0, 0], [0, 1, 0]]),
        (b"#  \n #   \n", b" ", [[1, 0, 0], [0, 1, 0]]),
    ],
)
def test_maps_of_others_are_read(rows: bytes, road: object, expected: object, tmp_path: Path) -> None:
    path = tmp_path / "a.map"
    for mark in (b"", codecs.BOM_UTF8):
        path.write_bytes(mark + HEADER + rows)
        np.testing.assert_array_equal(meiro.read(path, road=road), expected)
    for wrong, message in (("x", "has no road"), (3, "road must be characters"), ("ß", "must be characters")):
        refused(ValueError, message, meiro.read, path, road=wrong)


def test_damaged_maps_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.map"
    for data, message in (
        (b"", "line 1: the end is not type octile"),
        (b"type tile\n", "line 1: "),
        (b"type tile\nheight 2\n", "line 1: 'type tile' is not type octile"),
        (HEADER.replace(b" 2", b" x") + b"...\n...", "line 2: 'height x' is not height or width"),
        (HEADER.replace(b" 2", b" 0") + b"...\n...", "line 2"),
        (HEADER.replace(b" 3", b" 99999999999") + b"...\n...", "line 3"),
        (HEADER.replace(b" 3", b" 9999999999") + b"...\n...", "line 5: a row of 3 .* 9,999,999,999"),
        (HEADER.replace(b"width", b"height") + b"...\n...", "line 3"),
        (HEADER.replace(b"map", b"...") + b"...\n...", "line 4: '...' is not map"),
        (HEADER + b"...\n", "line 6: 1 rows, and the height is 2"),
        (HEADER + b"...\n...\n...\n", "line 7: 3 rows"),
        (HEADER + b"...\n..\n", "line 6: a row of 2 characters, and the width is 3"),
        (HEADER + b"...\n.x.\n", "line 6, column 2: 'x' is not one of the characters .*road="),
        (HEADER + b"...\n... .\n", "line 6: a row of 5 characters"),
        (HEADER + b"..\n....\n", "line 5: a row of 2"),
    ):
        path.write_bytes(data)
        refused(ValueError, rf"a\.map', {message}", meiro.read, path)


def octile(grid: NDArray[np.uint8], tasks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Search slowly: a diagonal step is sqrt(2) long, and the two sites beside it must be road."""
    lengths: NDArray[np.float64] = csgraph.dijkstra(step_graph(grid == 0))
    numbers: NDArray[np.int64] = tasks @ (grid.shape[1], 1)
    return lengths[numbers[:, 0], numbers[:, 1]]


def test_lengths_of_arrays_are_octile(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    path = tmp_path / "a.scen"
    grid = (rng.random((9, 12)) < 0.3).astype(np.uint8)
    roads = np.argwhere(grid == 0)
    tasks = rng.choice(roads, (60, 2))
    wanted = octile(grid, tasks)
    tasks, wanted = tasks[np.isfinite(wanted)], wanted[np.isfinite(wanted)]
    assert len(wanted) > 30
    assert (wanted % 1).any()
    save_scenarios(grid, tasks, path)
    found = read_scenarios(path)
    np.testing.assert_allclose(found.lengths, wanted, atol=1e-8)
    np.testing.assert_array_equal(found.tasks, tasks)
    assert found[:2] == ("a.map", (9, 12))
    buckets = [int(line.split("\t")[0]) for line in path.read_text().splitlines()[1:]]
    assert buckets == [int(length // 4) for length in wanted]


def test_lengths_of_mazes(tmp_path: Path) -> None:
    maze = meiro.transforms.braid(meiro.generate((7, 9), rng=3), rng=1)
    tasks = np.stack(meiro.endpoints(meiro.MazeBatch([maze] * 20), rng=1), axis=1)
    path = tmp_path / "braid.map.scen"
    save_scenarios(maze, tasks, path)
    found = read_scenarios(path)
    np.testing.assert_array_equal(found.tasks // 2, tasks)
    np.testing.assert_array_equal(found.lengths, octile(maze.grid, found.tasks))
    assert found[:2] == ("braid.map", (15, 19))


def test_the_example_of_the_format_is_read(tmp_path: Path) -> None:
    path = tmp_path / "arena.map.scen"
    path.write_text(
        "\ufeffversion 1.0\n0\tmaps/dao/arena.map\t49\t49\t1\t11\t1\t12\t1\n"
        "0\tmaps/dao/arena.map\t49\t49\t1\t13\t4\t12\t3.41421\n",
        "utf-8",
    )
    found = read_scenarios(path)
    assert found[:2] == ("maps/dao/arena.map", (49, 49))
    assert found.tasks.tolist() == [[[11, 1], [12, 1]], [[13, 1], [12, 4]]]
    assert found.lengths.tolist() == [1, 3.41421]


def test_damaged_scenarios_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.scen"
    for text, message in (
        ("", " holds no scenario"),
        ("version 1\n", " holds no scenario"),
        (LINE, "line 1: .* is not 'version 1'"),
        ("version 2\n" + LINE, "line 1: 'version 2' is not 'version 1'"),
        ("version 1\n" + LINE.replace("\t1.5", ""), "line 2: .* has 8 fields"),
        ("version 1\n" + LINE + LINE.replace("a.map", "b.map"), "line 3: .* is of map b.map, 3 x 2"),
        ("version 1\n" + LINE.replace("\t3\t", "\t-3\t"), "line 2: .* has the width '-3'"),
        ("version 1\n" + LINE.replace("\t1\t1\t", "\t3\t1\t"), "line 2: .* has the start x 3, outside of 3"),
        ("version 1\n" + LINE.replace("1.5", "nan"), "line 2: .* has the length 'nan'"),
        ("version 1\n" + LINE.replace("1.5", "-1"), "line 2: .* has the length '-1'"),
        ("version 1\n" + LINE.replace("a.map", "a" * 5000), "line 2: .* is longer"),
    ):
        path.write_text(text)
        refused(ValueError, rf"a\.scen'.*{message}", read_scenarios, path)


def test_what_cannot_be_a_scenario_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.scen"
    grid = [[0, 1, 0]]
    with pytest.raises(ValueError, match=r"tasks\[1\]: there is no way from \(0, 2\) to \(0, 0\)"):
        save_scenarios(grid, [((0, 0), (0, 0)), ((0, 2), (0, 0))], path)
    refused(ValueError, r"tasks \(0, 1\) is in a wall", save_scenarios, grid, [((0, 0), (0, 1))], path)
    refused(ValueError, r"shape \(n, 2, 2\)", save_scenarios, grid, [(0, 0), (0, 0)], path)
    with pytest.raises(ValueError, match="'my map' must be a word"):
        save_scenarios(grid, [((0, 0), (0, 0))], path, map_name="my map")
    with pytest.raises(ValueError, match="periodic"):
        save_scenarios(meiro.generate((4, 4), wrap=(True, False)), [((0, 0), (0, 1))], path)
    assert not path.exists()
