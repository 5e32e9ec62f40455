"""Random requests: algorithms, shapes, masks, wraps and options drawn from the facts of the registry."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import meiro
from meiro import ALGORITHMS, SOLVERS
from meiro._utils.square import n_walls
from meiro.generators.options import FACTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

RIVALS = ({"order", "weights", "bias"}, {"falls", "towards"})  # at most one of each


def random_shape(draw: np.random.Generator, most: int = 200) -> tuple[int, int]:
    """Return any shape, small ones more often; some are thin."""
    rows, cols = (int(math.exp(draw.uniform(0, math.log(most + 1)))) for _ in range(2))
    return rows, cols


def random_mask(draw: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return a mask: random holes, a disc or a block cut out; at least one cell exists."""
    kind = draw.integers(3)
    mask: NDArray[np.bool_] = draw.random(shape) < draw.uniform(0.3, 1)
    if kind == 1:
        row, col = np.ogrid[: shape[0], : shape[1]]
        mask = np.hypot((row + 0.5) / shape[0] - 0.5, (col + 0.5) / shape[1] - 0.5) < 0.5
    elif kind == 2:
        mask = np.ones(shape, np.bool_)
        mask[shape[0] // 3 : shape[0] // 2 + 1, shape[1] // 3 : shape[1] // 2 + 1] = False
    mask.flat[draw.integers(mask.size)] = True
    return mask


def random_option(
    draw: np.random.Generator, name: str, shape: tuple[int, int], request: dict[str, Any]
) -> Any:
    """Return a valid value of an option of `generate`, by its kind in the facts."""
    facts = FACTS[name]
    least, choices = int(facts["least"]), list(facts["choices"])
    cells = np.argwhere(request.get("mask", np.ones(shape))).tolist()
    walls = n_walls(shape, request.get("wrap", (False, False)))
    fillers = [f.name for f in ALGORITHMS.values() if f.masks and f.perfect]
    values: dict[str, Callable[[], Any]] = {
        "cell": lambda: "random" if draw.random() < 0.3 else tuple(cells[draw.integers(len(cells))]),
        "choice": lambda: str(draw.choice(choices)),
        "wall_order": lambda: draw.permutation(walls),
        "wall_weights": lambda: draw.uniform(0.1, 10, walls),
        # east or south, so that no two fall on one wall
        "post_directions": lambda: 1 << draw.integers(1, 3, (shape[0] - 1, shape[1] - 1)),
        "mix": lambda: {str(word): float(draw.integers(1, 9)) for word in draw.permutation(choices)[:2]},
        "count": lambda: int(draw.integers(least, max(least, min(300, len(cells))) + 1)),
        "factor": lambda: float(2.0 ** draw.uniform(-4, 4)),
        "probability": lambda: float(draw.random()),
        "sides": lambda: tuple(sorted(int(side) for side in draw.integers(least, 12, 2))),
        "generator": lambda: str(draw.choice(fillers)),
    }
    return values[facts["kind"]]()


def random_request(draw: np.random.Generator, most: int = 200) -> dict[str, Any]:
    """Return arguments of `meiro.generate`."""
    name = str(draw.choice(list(ALGORITHMS)))
    facts, shape = ALGORITHMS[name], random_shape(draw, most)
    request: dict[str, Any] = {"shape": shape, "algorithm": name, "rng": int(draw.integers(1 << 62))}
    if facts.wraps and draw.random() < 0.3:
        sides = draw.random(2) < 0.6
        request["wrap"] = tuple(bool(s and side >= 3) for s, side in zip(sides, shape, strict=True))
    if facts.masks and draw.random() < 0.3:
        request["mask"] = random_mask(draw, shape)
    chosen: set[str] = set()
    for option in facts.options:
        if draw.random() < 0.4 and not any(option in rivals and chosen & rivals for rivals in RIVALS):
            chosen.add(option)
            request[option] = random_option(draw, option, shape, request)
    if "walks" in request and {"mask", "wrap", "weights", "bias"} & set(request):
        request["walks"] = "cells"
    return request


def random_maze(draw: np.random.Generator, most: int = 200) -> meiro.Maze:
    """Return a maze of a random request, some with loops or missing passages."""
    maze: meiro.Maze = meiro.generate(**random_request(draw, most))
    kind = draw.integers(4)
    if kind == 0:
        return meiro.add_loops(maze, share=float(draw.random()) / 4, rng=int(draw.integers(1 << 32)))
    if kind == 1 and maze.wall_ids().size:
        shape = maze.rows, maze.cols
        more = np.flatnonzero(draw.random(n_walls(shape, maze.wrap)) < 0.05)
        ids = np.union1d(maze.wall_ids(), more)
        return meiro.Maze.from_wall_ids(shape, ids, mask=maze.mask, wrap=maze.wrap)
    return maze


def random_walls(draw: np.random.Generator, most: int = 150) -> NDArray[np.uint8]:
    """Return an array of walls and roads, with at least one road."""
    shape = random_shape(draw, most)
    walls: NDArray[np.uint8] = (draw.random(shape) < draw.choice([0, 0.1, 0.3, 0.4])).astype(np.uint8)
    if draw.random() < 0.3:
        walls[::5] = 1
        walls[draw.random(shape) < 0.1] = 0
    walls.flat[draw.integers(walls.size)] = 0
    return walls


def random_solver_options(
    draw: np.random.Generator, solver: str, shape: tuple[int, int], *, sites: bool
) -> dict[str, Any]:
    """Return valid options of a solver."""
    options: dict[str, Any] = {}
    for name in SOLVERS[solver].options:
        if draw.random() < 0.5 and not (SOLVERS[solver].random and name == "rng"):
            continue
        if name == "directions":
            options[name] = "".join(draw.permutation(list("NESW")))
        elif name == "rng" and "directions" not in options:
            options[name] = int(draw.integers(1 << 32))
        elif name == "hand":
            options[name] = str(draw.choice(["left", "right"]))
        elif name == "moves" and sites:
            options[name] = int(draw.choice([4, 8]))
        elif name == "weights":
            options[name] = draw.integers(0, 9, shape).astype(float)
    return options
