"""Draws the six lattices of the guide: `python tests/helpers/files/lattices_figure.py`."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
from PIL import Image

import meiro
from meiro import lattices

PICTURE = Path(__file__).parents[3] / "notebooks/lattices.png"
SIX: tuple[Callable[[], meiro.Lattice], ...] = (
    lambda: lattices.hexagonal(side=7),
    lambda: lattices.polar(9),
    lambda: lattices.triangular(side=16),
    lambda: lattices.cairo(9, 9),
    lambda: lattices.voronoi(n=150, rng=3),
    lambda: lattices.weave(11, 11, rng=5),
)


def draw() -> Image.Image:
    """Return the strip, of few colours."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, row = plt.subplots(1, 6, figsize=(15, 2.8), layout="tight")
    for ax, make in zip(row, SIX, strict=True):
        maze: meiro.GraphMaze = meiro.generate(make(), rng=7)
        meiro.plot(maze, solution=maze.solve(), ax=ax)
        ax.set_title(maze.lattice.name, fontsize=11)
    data = io.BytesIO()
    figure.savefig(data, dpi=110)
    picture = Image.open(data).convert("RGB")
    return picture.quantize(32, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


if __name__ == "__main__":
    draw().save(PICTURE, optimize=True)
