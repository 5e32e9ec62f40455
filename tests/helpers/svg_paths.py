"""An own reader of paths in SVG."""

from __future__ import annotations

import math
import re

import numpy as np

Line = list[tuple[float, float]]


def lines_of_path(data: str) -> list[Line]:
    """Return the lines of a path: its corners, and points on its arcs by the formulas of the standard."""
    lines: list[list[complex]] = []
    at = begin = 0j
    for letter, text in re.findall(r"([MhvlLaz])([^MhvlLaz]*)", data):
        numbers = [float(x) for x in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", text)]
        if letter == "M":
            at = begin = complex(*numbers[:2])
            lines.append([at])
        elif letter == "h":
            at += numbers[0]
            lines[-1].append(at)
        elif letter == "v":
            at += 1j * numbers[0]
            lines[-1].append(at)
        elif letter == "l":
            for x, y in zip(numbers[::2], numbers[1::2], strict=True):
                at += complex(x, y)
                lines[-1].append(at)
        elif letter == "a":
            radius, _, _, large, sweep, x, y = numbers
            assert large == 0
            to = at + complex(x, y)
            half = abs(to - at) / 2
            up = 1j * (to - at) / abs(to - at) * math.sqrt(max(radius**2 - half**2, 0))
            middle = (at + to) / 2 + (up if sweep else -up)
            turn = abs(np.angle((to - middle) / (at - middle))) * (1 if sweep else -1)
            lines[-1] += [middle + (at - middle) * np.exp(1j * turn * i / 90) for i in range(1, 91)]
            at = to
        else:
            lines[-1].append(begin)
            at = begin
    return [[(z.real, z.imag) for z in line] for line in lines]
