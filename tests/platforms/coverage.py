"""Measures which lines and branches of the C++ code the tests run. Needs the programs of Clang 19.

    python tests/platforms/coverage.py                     the C++ tests, the goldens, the Python tests
    python tests/platforms/coverage.py --add tests/core    these Python tests and what was counted before

Prints the shares of `src/core` and `src/bindings`, then each place that no test reaches. A branch is one
outcome of one condition. Templates count once: what any instance covers is covered.
"""

from __future__ import annotations

import collections
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pybind11

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "coverage"
CPP = BUILD / "tests" / "cpp"
PACKAGE = BUILD / "python" / "meiro"
MARKERS = "not (clock or browser or dev)"
Counts = dict[str, dict[tuple[int, ...], int]]


def run(*command: object, check: bool = True) -> str:
    """Run a program of Clang or CMake, or tests; return what it prints."""
    counted = {"LLVM_PROFILE_FILE": f"{BUILD}/profiles/%4m.profraw", "PYTHONPATH": str(PACKAGE.parent)}
    words = [str(word) for word in command]
    return subprocess.run(
        words, check=check, cwd=ROOT, env=os.environ | counted, text=True, stdout=subprocess.PIPE
    ).stdout


def count() -> tuple[Counts, Counts]:
    """Return how often each line and each branch was run, by file."""
    run("llvm-profdata-19", "merge", "-o", BUILD / "all", *(BUILD / "profiles").iterdir())
    objects = [f"-object={path}" for path in (CPP / "meiro_goldens", *PACKAGE.glob("_core*.so"))]
    export = ["llvm-cov-19", "export", CPP / "meiro_tests", *objects, f"-instr-profile={BUILD}/all"]
    lines: Counts = collections.defaultdict(dict)
    for line in run(*export, "-format=lcov", "-sources", ROOT / "src").splitlines():
        if line.startswith("SF:"):
            name = line[3:]
        elif line.startswith("DA:"):
            place, times = map(int, line[3:].split(","))
            lines[name][place,] = times
    branches: Counts = {name: collections.defaultdict(int) for name in lines}
    for function in json.loads(run(*export))["data"][0]["functions"]:
        for *place, true, false, file, _, _ in function["branches"]:
            name = function["filenames"][file]
            if name in branches:
                branches[name][*place, True] += true
                branches[name][*place, False] += false
    return lines, branches


def main() -> None:
    """Build, test, count and print."""
    tests = sys.argv[2:] or sorted({str(file.parent) for file in (ROOT / "tests").glob("*/test_*.py")})
    tools = {"Python_EXECUTABLE": sys.executable, "pybind11_DIR": pybind11.get_cmake_dir()}
    run("cmake", "--preset", "coverage", *(f"-D{name}={value}" for name, value in tools.items()))
    run("cmake", "--build", "--preset", "coverage")
    shutil.copytree(ROOT / "python" / "meiro", PACKAGE, dirs_exist_ok=True)
    shutil.copy(next((BUILD / "src").glob("_core*.so")), PACKAGE)
    if "--add" not in sys.argv:
        shutil.rmtree(BUILD / "profiles", ignore_errors=True)
        run(CPP / "meiro_tests")
        run(CPP / "meiro_goldens", "tests/data/goldens.txt")
    for test in tests:
        print(
            run(sys.executable, "-m", "pytest", "-q", "--all", "-m", MARKERS, test, check=False), flush=True
        )
    both = list(zip(("lines", "branches"), count(), strict=True))
    for what, counts in both:
        for part in (ROOT / "src" / "core", ROOT / "src" / "bindings"):
            ran = [n > 0 for name in counts if Path(name).is_relative_to(part) for n in counts[name].values()]
            print(f"{part.name:<9}{what:<9}{sum(ran):>6} of {len(ran):>6}  {sum(ran) / len(ran):.2%}")
    for what, counts in both:
        for name, places in sorted(counts.items()):
            for place in sorted(place for place, times in places.items() if times == 0):
                branch = f":{place[1]} is never {bool(place[-1])}" if what == "branches" else ""
                print(f"{Path(name).relative_to(ROOT)}:{place[0]}{branch}")


if __name__ == "__main__":
    main()
