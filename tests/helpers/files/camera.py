"""Pictures of mazes as people take them, with known cells: from any side, in bad light, on a table."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

import meiro

Color = tuple[int, int, int]


@dataclass(frozen=True)
class Taken:
    """How a picture is taken of a maze of square cells, or of a round one."""

    seed: int = 1
    shape: tuple[int, int] = (12, 16)
    algorithm: str = "backtracker"
    openings: Any = "top_bottom"
    corridor: int = 18
    wall: int = 4
    margin: int = 40  # of paper, all around
    ink: Color = (30, 30, 30)
    paper: Color = (235, 233, 228)
    table: Color | None = None
    table_width: int = 80
    marks: bool = False
    degrees: float = 0.0
    quarters: int = 0
    perspective: float = 0.0  # of a side: how far corners move
    blur: float = 0.0
    noise: float = 0.0
    darkest: float = 1.0  # of a gradient of light
    shadow: float = 1.0  # of light in a shadow with an edge
    quality: int | None = None  # of JPEG
    around: bool = False  # a round maze

    @property
    def maze(self) -> meiro.Maze:
        """The maze, whose columns go round in a round one."""
        if self.around:
            return meiro.generate(self.shape, self.algorithm, rng=self.seed, wrap=(False, True))
        made = meiro.generate(self.shape, self.algorithm, rng=self.seed)
        return made if self.marks else meiro.with_openings(made, self.openings)

    @property
    def cells(self) -> list[list[int]]:
        """The cells of the true path."""
        if self.around:
            rows, cols = self.shape
            found = self.maze.solve((rows - 1, 0), (rows - 1, cols // 2))
        else:
            found = self.maze.solve()
        cells: list[list[int]] = found.path.tolist()
        return cells

    @property
    def ways(self) -> dict[str, Any]:
        """What `from_image` is told."""
        return {"deskew": True, **({"start": "red", "goal": "green"} if self.marks else {})}

    def _drawn(self) -> Image.Image:
        if self.around:
            return self._round()
        grid = self.maze.to_grid(corridor=self.corridor, wall=self.wall)
        colors = np.array([self.paper, self.ink], np.uint8)
        picture = Image.fromarray(colors[grid])
        draw = ImageDraw.Draw(picture)
        ends = ((0, 0), (self.shape[0] - 1, self.shape[1] - 1)) if self.marks else ()
        for cell, color in zip(ends, ((205, 40, 45), (40, 150, 60)), strict=False):
            y, x = (self.wall + self.pitch * i + self.corridor / 2 for i in cell)
            r = 0.3 * self.corridor
            draw.ellipse((x - r, y - r, x + r, y + r), color)
        return picture

    def _round(self) -> Image.Image:
        """Draw rings of the same number of cells around a middle of two rings' width."""
        maze, (rows, cols) = self.maze, self.shape
        outer = (rows + 2) * self.pitch
        side = 2 * outer + self.wall + 1
        fine = 4
        picture = Image.new("RGB", (side * fine, side * fine), self.paper)
        draw = ImageDraw.Draw(picture)
        middle = side * fine / 2
        grid = maze.grid
        gaps = {0, cols // 2}
        for ring in range(rows + 1):
            for col in range(cols):
                closed = grid[2 * ring, 2 * col + 1] or ring in {0, rows}
                if closed and not (ring == rows and col in gaps):
                    r = ((ring + 2) * self.pitch + self.wall / 2) * fine
                    box = (middle - r, middle - r, middle + r, middle + r)
                    ends = 360 * col / cols - 0.4, 360 * (col + 1) / cols + 0.4
                    draw.arc(box, *ends, self.ink, round(self.wall * fine))
        for ring in range(rows):
            for col in range(cols):
                if grid[2 * ring + 1, 2 * col]:
                    angle = 2 * math.pi * col / cols
                    way = np.array([math.cos(angle), math.sin(angle)])
                    line = [(ring + 2 + i) * self.pitch * fine * way + middle for i in (0, 1)]
                    draw.line([*map(tuple, np.array(line).tolist())], self.ink, round(self.wall * fine))
        return picture.reduce(fine)

    @property
    def pitch(self) -> int:
        """From wall to wall."""
        return self.corridor + self.wall

    @property
    def page(self) -> Image.Image:
        """The maze on paper, before a picture of it is taken."""
        drawn = self._drawn()
        page = Image.new("RGB", (drawn.width + 2 * self.margin, drawn.height + 2 * self.margin), self.paper)
        page.paste(drawn, (self.margin, self.margin))
        return page

    def take(self) -> tuple[Image.Image, NDArray[np.float64]]:
        """Return the picture, and the matrix from its (x, y, 1) to those of the drawing."""
        random = np.random.default_rng(self.seed)
        page = self.page
        around = 0
        if self.table is not None:
            around = self.table_width
            table = random.normal(0, 6, (page.height + 2 * around, page.width + 2 * around, 1)) + self.table
            whole = Image.fromarray(np.clip(table, 0, 255).astype(np.uint8))
            whole.paste(page, (around, around))
            page = whole
        background = self.table or self.paper
        width, height = page.size
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
        moved = corners + random.uniform(0, self.perspective, (4, 2)) * (width, height) * [
            (1, 1),
            (-1, 1),
            (-1, -1),
            (1, -1),
        ]
        angle = math.radians(self.degrees + 90 * self.quarters)
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        moved = moved @ turn.T
        moved -= moved.min(axis=0)
        size = np.ceil(moved.max(axis=0)).astype(int).tolist()
        back = homography(moved, corners)
        taken = page.transform(
            tuple(size),
            Image.Transform.PERSPECTIVE,
            (back / back[2, 2]).reshape(-1)[:8].tolist(),
            Image.Resampling.BICUBIC,
            fillcolor=background,
        )
        if self.blur:
            taken = taken.filter(ImageFilter.GaussianBlur(self.blur))
        pixels: NDArray[Any] = np.asarray(taken, np.float32)
        rows, cols = pixels.shape[:2]
        down, across = (
            np.linspace(0, 1, rows, dtype=np.float32)[:, None],
            np.linspace(0, 1, cols, dtype=np.float32)[None],
        )
        light = self.darkest + (1 - self.darkest) * (down + across) / 2
        if self.shadow < 1:
            away = (down - 0.3 - 0.5 * across) * min(rows, cols) / 4
            light = light * (1 - (1 - self.shadow) / (1 + np.exp(-np.clip(away, -50, 50))))
        pixels = pixels * light[..., None]
        if self.noise:
            pixels = pixels + random.normal(0, self.noise, (rows, cols, 1)).astype(np.float32)
        picture = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
        if self.quality is not None:
            file = io.BytesIO()
            picture.save(file, "JPEG", quality=self.quality)
            picture = Image.open(file)
        offset = self.margin + around
        return picture, np.array([[1, 0, -offset], [0, 1, -offset], [0, 0, 1]]) @ back

    def crossed(self, pixels: NDArray[Any], back: NDArray[np.float64]) -> list[list[int]]:
        """Return the true cells on the way of pixels (row, col) of the picture, without back and forth."""
        at = np.column_stack([pixels[:, ::-1] + 0.5, np.ones(len(pixels))]) @ back.T
        x, y = (at[:, :2] / at[:, 2:]).T
        if self.around:
            middle = (self.shape[0] + 2) * self.pitch + (self.wall + 1) / 2
            r = np.hypot(x - middle, y - middle)
            turn = np.arctan2(y - middle, x - middle) / (2 * np.pi) % 1
            cells = np.stack([r / self.pitch - 2, turn * self.shape[1]], axis=1).astype(int)
        else:
            cells = np.floor((np.stack([y, x], axis=1) - self.wall / 2) / self.pitch).astype(int)
        cells = np.clip(cells, 0, np.array(self.shape) - 1)
        way: list[list[int]] = []
        for cell in cells.tolist():
            if len(way) > 1 and cell == way[-2]:
                way.pop()
            elif not way or cell != way[-1]:
                way.append(cell)
        return way


def homography(points: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrix that takes four points (x, y) to four others."""
    lines: list[list[float]] = []
    for (x, y), (u, v) in zip(points.tolist(), others.tolist(), strict=True):
        lines += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
    found: NDArray[np.float64] = np.linalg.svd(np.array(lines))[2][-1].reshape(3, 3)
    return found
