"""The golden hashes of mazes, tests/data/goldens.txt, which the C++ program of tests/cpp/goldens writes.

A line is a key and a hash, as ``generate/rooms/sides=1,3/mask/7x9 1f2e...``: the algorithm, a value of one of
its options, the lattice unless it is the plain one, and the shape. Here they are compared with what
`meiro.generate` makes; the C++ program compares these and all others on every platform.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import meiro
from meiro._utils.square import n_walls

FILE = Path(__file__).parents[1] / "data" / "goldens.txt"
_WRAPS = {"rows": (True, False), "cols": (False, True), "torus": (True, True), "mask_torus": (True, True)}
_WORD = np.uint64(0xFFFFFFFF)


def read() -> dict[str, str]:
    """Return the hash of each key, and the version of the stream as that of ``stream``."""
    return dict(line.split() for line in FILE.read_text("utf-8").splitlines())


def scattered(size: int) -> NDArray[np.int64]:
    """Return the numbers of ``scattered`` in tests/cpp/goldens/goldens.hpp."""
    word = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(2654435761) & _WORD
    word = (word ^ word >> np.uint64(15)) * np.uint64(2246822519) & _WORD
    return (word >> np.uint64(8)).astype(np.int64)


def arguments(key: str) -> dict[str, Any]:
    """Return the keywords of `meiro.generate` that a key stands for."""
    _, algorithm, *middle, size = key.split("/")
    shape = tuple(map(int, size.split("x")))
    found: dict[str, Any] = {"shape": shape, "algorithm": algorithm, "rng": meiro.Seed((1, 2), 3)}
    if middle and "=" not in middle[-1]:
        lattice = middle.pop()
        found["wrap"] = _WRAPS.get(lattice, (False, False))
        if lattice.startswith("mask"):
            found["mask"] = scattered(shape[0] * shape[1]).reshape(shape) % 4 != 0
    for option in middle:
        name, text = option.split("=")
        found[name] = _value(name, text, found)
    return found


def _value(name: str, text: str, given: dict[str, Any]) -> Any:
    rows, cols = given["shape"]
    walls = n_walls((rows, cols), given.get("wrap", (False, False)))
    if text == "scattered":
        return {
            "order": np.argsort(scattered(walls), kind="stable"),
            "weights": (scattered(walls) % 1000 + 1) / 8,
            "falls": (2 << scattered((rows - 1) * (cols - 1)) % 2).reshape(rows - 1, cols - 1),
        }[name]
    if text == "last":
        cells = np.argwhere(given.get("mask", np.ones((rows, cols), bool)))
        return tuple(cells[-1].tolist())
    if ":" in text:
        return {word: int(odds) for word, odds in (pair.split(":") for pair in text.split(","))}
    if text[0].isdigit():
        numbers = json.loads(f"[{text}]")
        return numbers[0] if len(numbers) == 1 else tuple(numbers)
    return text


def digest(key: str) -> str:
    """Return the hash of the passages of one maze."""
    passages = meiro.generate(**arguments(key)).passages
    return hashlib.sha256(passages.data).hexdigest()[:16]
