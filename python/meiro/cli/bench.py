"""``meiro bench``: how fast the algorithms are on this machine."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from meiro.cli.shared import values
from meiro.cli.shared.parser import command_parser

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIDE, _TRIES = 500, 3
_EXAMPLES = """\
  meiro bench
  meiro bench wilson kruskal --size 2000 2000
"""


def run(command: str, words: Sequence[str]) -> int:
    """Print cells a second."""
    parser = command_parser(command, "Measure how many cells a second each algorithm makes.", _EXAMPLES)
    parser.add_argument("algorithms", nargs="*", metavar="NAME", help="which; default: all")
    size = f"size in cells; default: {_SIDE} {_SIDE}"
    parser.add_argument(
        "--size", nargs=2, type=values.natural, default=(_SIDE, _SIDE), metavar=("W", "H"), help=size
    )
    parser.add_argument("--json", action="store_true", help="print a list of JSON objects")
    args = parser.parse_args(words)

    from meiro.cli.shared.tables import printed
    from meiro.registry import ALGORITHMS

    width, height = args.size
    rows = []
    names = [ALGORITHMS.find(name).name for name in args.algorithms] or list(ALGORITHMS)
    for done, name in enumerate(names):
        if sys.stderr is not None and sys.stderr.isatty():
            print(f"\r\x1b[K{done + 1}/{len(names)} {name}", end="", file=sys.stderr, flush=True)
        seconds = min(_seconds(name, (height, width), seed) for seed in range(_TRIES))
        rows.append({"algorithm": name, "cells_per_second": round(width * height / seconds)})
    if sys.stderr is not None and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if args.json:
        print(json.dumps(rows))
        return 0
    rows.sort(key=lambda row: -int(row["cells_per_second"]))
    shown = [
        {"algorithm": row["algorithm"], "Mcells/s": f"{int(row['cells_per_second']) / 1e6:8.2f}"}
        for row in rows
    ]
    print(printed(shown))
    print(f"{width} x {height} cells, one thread, the best of {_TRIES}")
    return 0


def _seconds(name: str, shape: tuple[int, int], seed: int) -> float:
    from meiro.generators.generate import generate

    began = time.perf_counter()
    generate(shape, name, rng=seed)
    return max(time.perf_counter() - began, 1e-9)
