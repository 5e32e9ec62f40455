"""Recipes of transformed mazes: generate(**recipe) makes them again, also of files and pickles."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro

any_: Any = meiro
HEXAGONS = meiro.lattices.hexagonal(side=3)
HOLED = meiro.lattices.square(5, 6).mask(np.arange(30) != 8)
MAZES: dict[str, Callable[[], Any]] = {
    "squares": lambda: meiro.generate((5, 6), "kruskal", rng=7),
    "opened": lambda: meiro.generate((5, 6), "kruskal", rng=np.random.default_rng(7), openings="corners"),
    "with ends": lambda: meiro.with_ends(meiro.generate((5, 6), rng=[7, 8]), [(1, 1), (4, 4)]),
    "torus": lambda: meiro.generate((5, 6), rng=7, wrap=(True, True)),
    "rooms": lambda: meiro.generate((15, 16), "rooms", rng=7, dead_ends="remove"),
    "hexagons": lambda: meiro.with_ends(
        meiro.generate(HEXAGONS, rng=3, openings="corners"), np.array([1, 2])
    ),
    "holed": lambda: meiro.with_openings(meiro.generate(HOLED, rng=meiro.replicate(3, 8)), "corners"),
}
BATCHES: dict[str, Callable[[], Any]] = {
    "batch": lambda: meiro.generate_many((5, 6), "kruskal", 6, rng=7),
    "later": lambda: meiro.generate_many((5, 6), n=6, rng=meiro.replicate(7, 2**64 - 3), openings="corners"),
    "one end": lambda: meiro.with_ends(meiro.generate_many((5, 6), n=9, rng=7)[2:5], [(1, 1), (4, 4)]),
    "many hexagons": lambda: meiro.generate_many(HEXAGONS, "kruskal", 6, rng=7, openings="top_bottom"),
}


def walls(x: Any) -> Any:
    """Two pairs of adjacent cells."""
    if not hasattr(x, "lattice"):
        return [((1, 2), (1, 3)), ((3, 3), "south")]
    names = x.lattice.labels or range(x.lattice.n_cells)
    return [[names[cell] for cell in pair] for pair in x.lattice.edges[[3, 9]].tolist()]


def window(x: Any) -> Any:
    return np.s_[1:4, 2:] if not hasattr(x, "lattice") else np.arange(x.lattice.n_cells) > 3


TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "braid": lambda x: meiro.braid(x, 0.5, rng=1),
    "add_loops": lambda x: meiro.add_loops(x, 2, rng=[1, 4]),
    "add_loops share": lambda x: meiro.add_loops(x, share=0.2, rng=meiro.replicate(3, 9)),
    "remove_islands": lambda x: meiro.remove_islands(meiro.braid(x, rng=2), rng=1),
    "join_regions": lambda x: meiro.join_regions(meiro.with_passages(x, close=walls(x)), rng=1),
    "with_passages": lambda x: meiro.with_passages(x, open=walls(x)[:1], close=walls(x)[1:]),
    "sparsify": lambda x: meiro.sparsify(x, 2),
    "fill_dead_ends": meiro.fill_dead_ends,
    "fill_dead_ends none": lambda x: meiro.fill_dead_ends(x, keep=[]),
    "flip": meiro.flip,
    "rotate": lambda x: meiro.rotate(x, 2),
    "transpose": meiro.transpose,
    "crop": lambda x: meiro.crop(x, window(x)),
    "origin_shift": lambda x: meiro.origin_shift(x, 9, rng=1),
    "perturb": lambda x: meiro.perturb(x, 9, rng=1),
    "with_openings": lambda x: meiro.with_openings(meiro.braid(x, rng=2), "left_right"),
    "closed": lambda x: meiro.with_openings(meiro.braid(x, rng=2), []),
    "unicursal": meiro.unicursal,
    "several": lambda x: meiro.braid(
        meiro.flip(meiro.sparsify(meiro.braid(x, 0.3, rng=4))), rng=meiro.replicate(8, 3)
    ),
}
OF_ONE: dict[str, Callable[[Any], Any]] = {
    "symmetric": lambda x: meiro.symmetric(x, rng=3),
    "stitch": lambda x: any_.stitch([[x, meiro.braid(x, rng=4)], [x, x]], 2, rng=3),
}
OF_SQUARES = {"unicursal", *OF_ONE}
CASES = [
    *((kind, name) for kind in MAZES for name in {**TRANSFORMS, **OF_ONE}),
    *((kind, name) for kind in BATCHES for name in TRANSFORMS),
]
REFUSED = {  # by what the maze is
    *((kind, name) for kind in ("hexagons", "holed", "many hexagons") for name in OF_SQUARES),
    *((kind, "transpose") for kind in ("hexagons", "many hexagons")),
    *(("torus", name) for name in ("with_openings",)),
    *(("rooms", name) for name in ("origin_shift", "perturb", "unicursal", "stitch")),
    *(("rooms", name) for name in ("with_passages", "join_regions")),
}


def plain(recipe: Any) -> Any:
    return json.loads(json.dumps(recipe))


@pytest.mark.parametrize(("kind", "name"), sorted(REFUSED))
def test_what_a_maze_cannot_become(kind: str, name: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        (TRANSFORMS | OF_ONE)[name]((MAZES | BATCHES)[kind]())


@pytest.mark.parametrize(("kind", "name"), [case for case in CASES if case not in REFUSED])
def test_a_recipe_makes_what_transforms_made(kind: str, name: str, tmp_path: Path) -> None:
    x = (MAZES | BATCHES)[kind]()
    made = (TRANSFORMS | OF_ONE)[name](x)
    recipe = plain(made.recipe)
    assert recipe["transforms"]
    assert made.algorithm is None
    make: Any = meiro.generate_many if kind in BATCHES else meiro.generate
    again = make(**recipe)
    assert again == made
    assert again.seed(0) == made.seed(0) if kind in BATCHES else again.seed == made.seed
    assert plain(again.recipe) == recipe
    made.save(tmp_path / "maze.npz")
    read: Any = meiro.read(tmp_path / "maze.npz")
    for kept in (pickle.loads(pickle.dumps(made)), read):  # noqa: S301  # its own
        assert kept == made
        assert plain(kept.recipe) == recipe
    if kind not in BATCHES:
        made.save(tmp_path / "maze.json")
        read = meiro.read(tmp_path / "maze.json")
        assert plain(read.recipe) == recipe
        return
    for i in (0, len(made) - 1):
        assert meiro.generate(**made[i].recipe) == made[i]
    assert plain(type(made)(list(made)).recipe) == recipe
    assert plain((made[:1] + made[1:]).recipe) == recipe
    picked = made[[2, 0]]
    assert picked.recipe is None
    assert meiro.generate(**picked[0].recipe) == made[2]


@pytest.mark.parametrize("name", [name for name in TRANSFORMS if name not in {"transpose", "unicursal"}])
@pytest.mark.parametrize("shape", [(5, 6), HEXAGONS], ids=["squares", "hexagons"])
def test_what_no_recipe_makes_has_none_after_transforms(name: str, shape: Any) -> None:
    maze = meiro.generate(shape, rng=1)
    own = (
        meiro.GraphMaze(maze.lattice, maze.open)
        if isinstance(maze, meiro.GraphMaze)
        else meiro.Maze.from_passages(maze.passages)
    )
    assert TRANSFORMS[name](own).recipe is None
    assert TRANSFORMS[name](type(meiro.generate_many(shape, n=1, rng=1))([own])).recipe is None
    assert own == maze


def test_recipes_of_batches_whose_mazes_differ() -> None:
    many = meiro.generate_many((5, 6), n=6, rng=7)
    drawn = meiro.with_openings(many, "random", rng=1)
    assert meiro.braid(drawn, rng=2).recipe is None
    assert meiro.generate(**meiro.braid(drawn[3], rng=2).recipe) == meiro.braid(drawn[3], rng=2)  # type: ignore[arg-type]
    ended = meiro.with_ends(many, "farthest")
    assert meiro.fill_dead_ends(ended).recipe is None
    assert meiro.braid(ended, rng=1).recipe is not None
    picked = many[[4, 1, 2]]
    assert meiro.braid(picked, rng=1).recipe is None
    for maze in meiro.flip(picked):  # without seeds each keeps its number
        recipe: Any = maze.recipe
        assert meiro.generate(**recipe) == maze
    stitched = meiro.stitch([many[0], meiro.Maze.from_passages(many[1].passages)], rng=1)
    assert stitched.recipe is None


def test_generate_refuses_wrong_steps() -> None:
    maze: Any = meiro.generate((4, 4), rng=1)
    words = r"transforms\[1\] is 'shake', and no transform: there are add_loops"
    refused(ValueError, words, meiro.generate, (4, 4), transforms=[("braid", {"rng": 1}), ("shake", {})])
    for step in ("braid", ["braid"], ("braid", 0.5), 3):
        with pytest.raises(TypeError, match=r"transforms\[0\] must be a name and arguments"):
            meiro.generate((4, 4), transforms=[step])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="out receives what is generated"):
        meiro.generate((4, 4), out=np.empty((4, 4), np.uint8), transforms=[])
    with pytest.raises(TypeError, match="out receives what is generated"):
        meiro.generate_many((4, 4), n=1, out=np.empty((1, 4, 4), np.uint8), transforms=[])
    assert meiro.generate((4, 4), rng=1, transforms=[]) == maze
    large = meiro.generate((60, 60), rng=1)
    sides = meiro.lattices.square(60, 60).edges.tolist()
    changed: Any = meiro.with_passages(large, open=[(divmod(a, 60), divmod(b, 60)) for a, b in sides])
    refused(TypeError, "open of this recipe is only the digest of an array", meiro.generate, **changed.recipe)
