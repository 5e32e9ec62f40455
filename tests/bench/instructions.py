"""Instructions a cell of kernels, counted by callgrind: a check that a busy machine cannot move.

    python tests/bench/instructions.py           fails when a kernel needs 5 % more than was kept
    python tests/bench/instructions.py --write   keeps the counts, in instructions.json

Half a minute, and what it takes to compile the core, as for the wheel, without Python. Counts depend on the
compiler, so they are kept by its version; where it has none yet they are only printed, and where valgrind is
missing nothing is done.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/instructions"
KEPT = Path(__file__).with_name("instructions.json")
KERNELS = (
    *("kruskal", "backtracker", "wilson", "eller", "sidewinder", "binary_tree", "recursive_division"),
    *("growing_forest", "prim_frontier_edge", "wall_extension", "rooms", "aldous_broder", "origin_shift"),
    *("wilson/mask", "aldous_broder/mask", "origin_shift/mask", "backtracker/mask"),
    *("growing_tree", "bfs", "a_star", "distances", "to_grid"),
)
SIDE = 512
MOST = 1.05  # times as many as kept


def compiler() -> str:
    """Return name, version and machine of the compiler."""
    command = [os.environ.get("CXX", "g++"), "-dumpfullversion", "-dumpversion"]
    version = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return f"{Path(command[0]).name} {version}, {platform.machine()}"


def build() -> Path:
    """Build the program."""
    options = {"CMAKE_BUILD_TYPE": "Release", "MEIRO_PYTHON": "OFF", "MEIRO_TESTS": "ON", "MEIRO_UNITY": "ON"}
    options["CMAKE_CXX_COMPILER"] = os.environ.get("CXX", "g++")
    given = [f"-D{name}={value}" for name, value in options.items()]
    for command in (
        ["cmake", "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", *given],
        ["ninja", "-C", str(BUILD), "meiro_kernels"],
    ):
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
    return BUILD / "tests/cpp/meiro_kernels"


def count(program: Path, kernel: str) -> float:
    """Return the instructions a cell."""
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command = [*callgrind, "--toggle-collect=measured", str(program), kernel, f"{SIDE}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found or int(found[1]) == 0:
        raise SystemExit(f"{kernel} was not counted:\n{done.stderr}")
    return float(f"{int(found[1]) / SIDE**2:.4g}")


def main() -> int:
    """Count, and compare or keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="keep the counts")
    asked = parser.parse_args()
    if not shutil.which("valgrind"):
        print("not here: valgrind")
        return 0
    every = json.loads(KEPT.read_text("utf-8"))
    kept = every.get(compiler(), {})
    program = build()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(KERNELS, pool.map(lambda kernel: count(program, kernel), KERNELS), strict=True))
    print(
        f"{compiler()}: instructions a cell, {SIDE} x {SIDE}\n\n{'':<20}{'kept':>8}{'here':>8}{'change':>9}"
    )
    more = []
    for kernel, n in counts.items():
        was = kept.get(kernel)
        print(f"{kernel:<20}{was or '':>8}{n:>8}" + (f"{n / was - 1:>+9.1%}" if was else ""))
        if was and n > MOST * was:
            more.append(kernel)
    if asked.write:
        KEPT.write_text(json.dumps(every | {compiler(): counts}, indent=1) + "\n", "utf-8")
    elif more:
        print(f"\nmore than {MOST - 1:.0%} above: {', '.join(more)}; --write keeps the new counts")
        return 1
    elif not kept:
        print("\nno counts are kept for this compiler: --write keeps these")
    return 0


if __name__ == "__main__":
    sys.exit(main())
