"""Pictures of mazes as a camera takes them: tilted, blurred, in uneven light, with noise."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

import meiro

CELL, WALL, MARGIN = 14, 4, 30  # pixels
PAPER = 235
MARKS = ((205, 40, 45), (40, 150, 60))  # red in the first cell, green in the last


def drawing(maze: meiro.Maze, *, marks: bool = True) -> Image.Image:
    """Return a maze with wide corridors and thin walls on white paper."""
    grid = maze.to_grid(corridor=CELL, wall=WALL)
    picture = Image.fromarray(np.where(grid == 1, 30, PAPER).astype(np.uint8)).convert("RGB")
    draw = ImageDraw.Draw(picture)
    ends = ((0, 0), (maze.rows - 1, maze.cols - 1)) if marks else ()
    for cell, color in zip(ends, MARKS, strict=False):
        y, x = (WALL + (CELL + WALL) * i + CELL / 2 for i in cell)
        draw.ellipse((x - 4, y - 4, x + 4, y + 4), color)
    paper = Image.new("RGB", (picture.width + 2 * MARGIN, picture.height + 2 * MARGIN), (PAPER,) * 3)
    paper.paste(picture, (MARGIN, MARGIN))
    return paper


def photograph(
    maze: meiro.Maze, *, tilt: float = 5.0, noise: float = 12.0, darkest: float = 0.35, marks: bool = True
) -> Image.Image:
    """Return a drawing tilted clockwise by `tilt` degrees, darkest at the upper left, with Gaussian noise."""
    paper = drawing(maze, marks=marks)
    turned = paper.rotate(-tilt, Image.Resampling.BICUBIC, expand=True, fillcolor=(PAPER,) * 3)
    pixels = np.asarray(turned.filter(ImageFilter.GaussianBlur(0.8)), float)
    height, width = pixels.shape[:2]
    light = np.add.outer(np.linspace(0, 1, height), np.linspace(0, 1, width)) / 2
    pixels = pixels * (darkest + (1 - darkest) * light[..., np.newaxis])
    pixels += np.random.default_rng(1).normal(0, noise, (height, width, 1))
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
