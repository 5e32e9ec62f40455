"""What a user might write: two strict type checkers find nothing in it (tests/release/test_user_types.py)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

import meiro
from meiro import GraphMaze, Maze, MazeBatch, Solution, Table, Trace


def make(rows: int, cols: int, seed: int) -> Maze:
    """Return a uniform maze with two openings."""
    maze = meiro.generate((rows, cols), "wilson", rng=seed)
    return meiro.with_openings(maze, [((0, 0), "north"), ((rows - 1, cols - 1), "south")])


def dead_ends(maze: Maze) -> list[tuple[int, int]]:
    """Return the cells with one passage, from the bits of the passages."""
    passages: npt.NDArray[np.uint8] = maze.passages
    degrees = np.unpackbits(passages[..., np.newaxis], axis=-1).sum(axis=-1)
    return [(int(row), int(col)) for row, col in np.argwhere(degrees == 1)]


def describe(maze: Maze) -> dict[str, int | float]:
    """Return some numbers of a maze."""
    solution: Solution = meiro.solve(maze, algorithm="a_star")
    count: int = meiro.shortest_paths(maze).count
    longest = meiro.longest_path(maze)
    return {
        "cells": maze.rows * maze.cols,
        "perfect": int(maze.is_perfect),
        "steps": solution.length,
        "explored": int(solution.explored.sum()),
        "paths": count,
        "longest": longest.length,
        "dead ends": len(dead_ends(maze)),
    }


def hard_ones(shape: tuple[int, int], n: int) -> Iterator[Maze]:
    """Yield mazes whose solutions are longer than the mean."""
    batch: MazeBatch = meiro.generate_many(shape, "backtracker", n, rng=3, threads=1)
    lengths: npt.NDArray[np.int64] = meiro.solve_many(batch).lengths
    for maze, length in zip(batch, lengths, strict=True):
        if length > lengths.mean():
            yield maze


def compare(shape: tuple[int, int]) -> Table:
    """Return measures of two algorithms, with standard errors."""
    return meiro.survey(shape, ["wilson", "kruskal"], 20, rng=1, measures=["dead_end_share", "diameter"])


def on_hexagons(seed: int) -> str:
    """Return a maze of hexagons as SVG."""
    maze: GraphMaze = meiro.generate(meiro.lattices.hexagonal(4, 5), "kruskal", rng=seed)
    ended = meiro.with_ends(maze, (0, 19))
    return ended.to_svg(solution=ended.solve(), labels={0: "in", (3, 4): "out"}, explored=True)


def many(shape: tuple[int, int]) -> list[int]:
    """Return numbers of many mazes, in a batch and in a list, as of one."""
    batch = meiro.generate_many(shape, n=3, rng=1)
    mazes: list[Maze] = list(batch)
    lengths: npt.NDArray[np.int64] = meiro.solve(batch).lengths + meiro.solve(mazes).lengths
    parts: npt.NDArray[np.int64] = meiro.components(batch)[1]
    table, report, (starts, _) = meiro.measure(mazes), meiro.check(mazes), meiro.endpoints(mazes)
    longest = [one.length for one in meiro.longest_path(batch)]
    return [int(lengths.sum()), int(parts.sum()), len(table), len(report), len(starts), *longest]


def captions(shape: tuple[int, int]) -> list[str]:
    """Return what the first steps of a generator are called."""
    trace: Trace = meiro.trace(shape, "prim", rng=2)
    return [trace[k].note for k in range(5)]


def outcome(text: str) -> str:
    """Solve a maze of text, and say how it went."""
    try:
        return f"{meiro.solve(text.splitlines()).length} steps"
    except meiro.NoPathError as error:
        return f"no path: {error}"


def main(folder: Path) -> None:
    """Write what was found into a folder."""
    maze = make(8, 12, seed=7)
    maze.save(folder / "maze.svg", solution=maze.solve())
    meiro.braid(maze, 0.5, rng=7).save(folder / "loops.npz")
    again = meiro.read(folder / "loops.npz")
    facts = describe(maze)
    facts["kept"] = sum(1 for _ in hard_ones((6, 6), 50))
    facts["mazes"] = float(meiro.log_number_of_mazes((8, 12)))
    p_value: float = meiro.sampler_test("wilson", "uniform", shape=(2, 2), n=1000, rng=1).p_value
    facts["sampled well"] = int(p_value > 1e-6)
    law: dict[str, float] = {name: float(value) for name, value in meiro.measure(maze, ["diameter"]).items()}
    means: npt.NDArray[np.float64] = np.asarray(compare((5, 5))["mean"], np.float64)
    train, test = meiro.split(meiro.generate_many((4, 4), n=30, rng=1), test=0.3)
    print(json.dumps(facts | law), means.shape, len(train) + len(test), type(again).__name__)
    print(len(many((4, 4))))
    print(outcome("#####\n#S.G#\n#####"), outcome("#####\n#S#G#\n#####"), captions((4, 4))[0], sep="\n")
    (folder / "hexagons.svg").write_text(on_hexagons(5), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
