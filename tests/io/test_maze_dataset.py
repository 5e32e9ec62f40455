"""Forms of maze-dataset: round trips here, and maze-dataset itself as the judge (`pytest -m peers`)."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.io import from_maze_dataset, to_maze_dataset

FORMS = ("connections", "pixels", "ascii", "tokens")
MAZES = [
    meiro.generate((1, 1)),
    meiro.generate((1, 7)),
    meiro.generate((6, 1)),
    meiro.generate((5, 8), "wilson", rng=1),
    meiro.braid(meiro.generate((7, 4), rng=2), rng=3),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("maze", MAZES, ids=map(str, range(len(MAZES))))
def test_round_trip(maze: meiro.Maze, form: Any) -> None:
    solution = maze.solve()
    kept: Any = {} if form == "connections" else {"solution": solution}
    again = from_maze_dataset(to_maze_dataset(maze, form, **kept))
    np.testing.assert_array_equal(again.passages, maze.passages)
    if form != "connections" and solution.start != solution.goal:
        assert (again.start, again.goal) == (solution.start, solution.goal)


def test_tokens_in_random_order_are_the_same_maze() -> None:
    maze = MAZES[3]
    plain, one, other = (to_maze_dataset(maze, "tokens", rng=rng) for rng in (None, 1, 2))
    assert sorted(plain) == sorted(one) == sorted(other)
    assert plain != one != other
    assert to_maze_dataset(maze, "tokens", rng=1) == one
    assert from_maze_dataset(" ".join(one)) == from_maze_dataset(other) == meiro.Maze(maze.passages)


@pytest.mark.parametrize(
    "edges",
    [
        "(0,0) <--> (0,1) ; (0,1) <--> (1,1) ; (1,1) <--> (1,0) ;",
        "( 0 , 0 ) <--> ( 0 , 1 ) ; ( 0 , 1 ) <--> ( 1 , 1 ) ; ( 1 , 1 ) <--> ( 1 , 0 ) ;",
        "0 0 <--> 0 1 ; 0 1 <--> 1 1 ; 1 1 <--> 1 0 ;",
        "0 , 0 <--> 0 , 1 0 , 1 <--> 1 , 1 1 , 1 <--> 1 , 0",
        "(0,0) (0,1) <--> ; (0,1) (1,1) <--> ; (1,1) (1,0) <--> ; (0,0) (1,0) <XX> ;",
        "ADJ_GROUP (0,0) <--> (0,1) & <XX> (1,0) & ; ADJ_GROUP (1,1) <--> (0,1) & <--> (1,0) & ;",
        "(0,0) <--> EAST ; (0,1) <--> SOUTH ; (1,0) <--> EAST ;",
    ],
)
def test_tokens_of_other_tokenizers(edges: str) -> None:
    ends = "<ORIGIN_START> ( 0 , 0 ) <ORIGIN_END> <TARGET_START> (1,0) || <TARGET_END>"
    maze = from_maze_dataset(f"<ADJLIST_START> {edges} <ADJLIST_END> {ends}")
    assert maze.passages.tolist() == [[2, 12], [2, 9]]
    assert (maze.start, maze.goal) == ((0, 0), (1, 0))


def test_batches_have_lists_of_connections() -> None:
    batch = meiro.generate_many((4, 6), "kruskal", 9, rng=4)
    lists = to_maze_dataset(batch)
    assert lists.shape == (9, 2, 4, 6)
    for i, connections in enumerate(lists):
        np.testing.assert_array_equal(from_maze_dataset(connections).passages, batch.passages[i])
    np.testing.assert_array_equal(lists[3], to_maze_dataset(batch[3]))


def test_openings_are_start_and_goal() -> None:
    maze = meiro.generate((4, 5), rng=7, openings="top_bottom")
    again = from_maze_dataset(to_maze_dataset(maze, "ascii"))
    assert (again.start, again.goal) == maze.endpoints
    assert not len(again.openings)


def test_what_is_wrong_is_said() -> None:
    refused(ValueError, "periodic borders", to_maze_dataset, meiro.generate((4, 4), wrap=(True, True)))
    refused(ValueError, "a mask", to_maze_dataset, meiro.generate((2, 2), mask=[[1, 1], [1, 0]]))
    refused(ValueError, "form must be", to_maze_dataset, MAZES[3], "png")
    with pytest.raises(ValueError, match=r"s \(0, 0\) and \(4, 4\)"):
        to_maze_dataset(MAZES[3], "ascii", solution=[(0, 0), (4, 4)])
    refused(ValueError, r"there is no cell \(0, 9\)", to_maze_dataset, MAZES[3], "ascii", solution=[(0, 9)])
    refused(ValueError, "lead out of the maze", from_maze_dataset, np.ones((2, 3, 3), bool))
    refused(ValueError, "a connection list is bool", from_maze_dataset, np.zeros((3, 3, 3), bool))
    nines = np.full((3, 3, 3), 9, np.uint8)
    refused(ValueError, r"\[0, 0\] = \[9, 9, 9\] is no colour", from_maze_dataset, nines)
    refused(ValueError, r"line 2 holds '\?'", from_maze_dataset, "###\n#?#\n###")
    refused(ValueError, "line 3 has 4 characters", from_maze_dataset, "###\n# #\n####")
    refused(ValueError, "has no <ADJLIST_END>", from_maze_dataset, ["<ADJLIST_START>", "(0,0)"])
    refused(ValueError, "no <ADJLIST_START>", from_maze_dataset, ["(0,0)"])
    refused(ValueError, "not adjacent", from_maze_dataset, "<ADJLIST_START> (0,0) <--> (7,7) ; <ADJLIST_END>")
    refused(ValueError, "'x' is no cell", from_maze_dataset, "<ADJLIST_START> (0,0) <--> x ; <ADJLIST_END>")
    with pytest.raises(ValueError, match="are only 2"):
        from_maze_dataset("<ADJLIST_START> (0,9999) <--> (0,9998) ; <ADJLIST_END>")


def test_data_sets_in_files(tmp_path: Path) -> None:
    batch = meiro.transforms.with_ends(meiro.generate_many((6, 6), "wilson", 30, rng=5), "random", rng=6)
    path = tmp_path / "mazes.zanj"
    batch.save(path)
    again = meiro.MazeBatch.open(path)
    for name in ("passages", "starts", "goals"):
        np.testing.assert_array_equal(getattr(again, name), getattr(batch, name))
    whole = path.read_bytes()
    batch.save(path)
    assert path.read_bytes() == whole  # no time of the day in it


def test_data_sets_hold_square_solved_mazes(tmp_path: Path) -> None:
    path = tmp_path / "mazes.zanj"
    with pytest.raises(ValueError, match="square mazes of at most 127 rows, not 2 of 3 x 4"):
        meiro.generate_many((3, 4), n=2).save(path)
    cut = meiro.generate_many((3, 3), "percolation", 2, rng=1, p=0.0)
    refused(ValueError, "maze 0 has no path from start to goal", cut.save, path)
    assert not path.exists()


@pytest.mark.parametrize("text", [b"{", b"[]", b'{"__muutils_format__": "x"}', b"[" * 100_000])
def test_foreign_data_sets_are_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "mazes.zanj"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("__zanj__.json", text)
    refused(ValueError, r"mazes.zanj", meiro.MazeBatch.open, path)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
class TestMazeDataset:
    """maze-dataset reads ours, and ours is what it writes."""

    @pytest.mark.parametrize("maze", MAZES[1:], ids=map(str, range(1, len(MAZES))))
    def test_its_mazes_are_ours(self, maze: meiro.Maze) -> None:
        from maze_dataset import SolvedMaze

        solution = maze.solve()
        theirs = SolvedMaze(to_maze_dataset(maze), solution.path)
        np.testing.assert_array_equal(theirs.as_pixels(), to_maze_dataset(maze, "pixels", solution=solution))
        assert theirs.as_ascii() == to_maze_dataset(maze, "ascii", solution=solution)
        again = from_maze_dataset(theirs)
        np.testing.assert_array_equal(again.passages, maze.passages)
        assert (again.start, again.goal) == (solution.start, solution.goal)
        found = theirs.find_shortest_path(solution.start, solution.goal)
        assert len(found) == solution.length + 1

    def test_its_tokens_are_ours(self) -> None:
        from maze_dataset import LatticeMaze, SolvedMaze
        from maze_dataset.tokenization import MazeTokenizerModular

        tokenizer = MazeTokenizerModular()
        maze = meiro.generate((6, 6), "wilson", rng=1)
        solution = maze.solve()
        ours = to_maze_dataset(maze, "tokens", solution=solution, rng=3)
        theirs = SolvedMaze(to_maze_dataset(maze), solution.path).as_tokens(tokenizer)

        def sorted_edges(tokens: list[str]) -> list[str]:
            end = tokens.index("<ADJLIST_END>")
            edges = [tuple(sorted((tokens[i], tokens[i + 2]))) for i in range(1, end, 4)]
            return [*map(str, sorted(edges)), *tokens[end:]]

        assert sorted_edges(ours) == sorted_edges(theirs)
        assert tokenizer.encode(ours)  # all are in its vocabulary
        again: Any = LatticeMaze.from_tokens(ours, tokenizer)
        np.testing.assert_array_equal(again.connection_list, to_maze_dataset(maze))
        np.testing.assert_array_equal(again.solution, solution.path)

    def test_it_reads_our_data_sets(self, tmp_path: Path) -> None:
        from maze_dataset import MazeDataset

        batch = meiro.generate_many((5, 5), "kruskal", 150, rng=1)
        batch.save(tmp_path / "ours.zanj")
        theirs = MazeDataset.read(tmp_path / "ours.zanj")
        assert len(theirs) == theirs.cfg.n_mazes == 150
        assert theirs.cfg.maze_ctor.__name__ == "gen_kruskal"
        for i in (0, 77, 149):
            np.testing.assert_array_equal(theirs[i].connection_list, to_maze_dataset(batch[i]))
            np.testing.assert_array_equal(theirs[i].solution, batch[i].solve().path)

    @pytest.mark.parametrize(("n", "side"), [(3, 4), (3, 13), (120, 4)])
    def test_we_read_its_data_sets(self, tmp_path: Path, n: int, side: int) -> None:
        from maze_dataset import MazeDataset, MazeDatasetConfig
        from maze_dataset.generation import LatticeMazeGenerators

        cfg = MazeDatasetConfig(
            name="theirs", grid_n=side, n_mazes=n, maze_ctor=LatticeMazeGenerators.gen_wilson
        )
        theirs = MazeDataset.from_config(cfg, load_local=False, save_local=False, do_download=False)
        theirs.save(tmp_path / "theirs.zanj")
        ours = meiro.MazeBatch.open(tmp_path / "theirs.zanj")
        assert len(ours) == n
        for i in range(n):
            np.testing.assert_array_equal(to_maze_dataset(ours[i]), theirs[i].connection_list)
            assert ours[i].start == tuple(theirs[i].start_pos)
            assert ours[i].goal == tuple(theirs[i].end_pos)
