"""Writes the golden hashes of algorithms that have none yet, as ``python tests/helpers/goldens.py``.

A hash that is there is never changed: the same seed makes the same maze, as long as the stream has the
same version. Delete the file to begin a new version.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import meiro

FILE = Path(__file__).parents[1] / "data" / "goldens.json"
SHAPES = ((1, 1), (1, 50), (50, 1), (7, 9), (100, 257), (700, 900))


def digest(rows: int, cols: int, algorithm: str) -> str:
    """Return the hash of the passages of one maze."""
    passages = meiro.generate((rows, cols), algorithm, rng=meiro.Seed((1, 2), 3)).passages
    return hashlib.sha256(passages.data).hexdigest()[:16]


def main() -> None:
    """Add what is missing."""
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"stream": meiro.seeds.STREAM}
    for algorithm in meiro.ALGORITHMS:
        known.setdefault(algorithm, {f"{r}x{c}": digest(r, c, algorithm) for r, c in SHAPES})
    FILE.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
