"""Puts one bug after another into a copy of the repository and asks whether the tests see it.

    python tests/mutants/run.py                    every mutant of every table
    python tests/mutants/run.py core_solvers       those of one table
    python tests/mutants/run.py NAME ...           single ones

Works in build/mutants: a copy of the files that git knows, built without optimisation that matters to bugs.
First all tests that the mutants name have to pass without any. Needs cmake, ninja, pybind11 and doctest.
Exits with 1 if a mutant survives, cannot be built, or no longer fits its file.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

sys.path[:0] = [str(Path(__file__).parents[1])]

from mutants.mutant import ROOT, Mutant, tables  # noqa: E402  # the folder is no package

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMIT = 90.0  # seconds for the tests of one mutant, which pass in a few
MEMORY = 12 << 30  # bytes of address space for what runs: a loop without an end may allocate
_SECONDS = itertools.count(2)
PYTEST = ["-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-o", "timeout=0", "--tb=line"]
PYTEST += ["-m", "not dev and not clock"]
CPP = re.compile(r"C\+\+ (\S+): (.+)")


class Outcome(NamedTuple):
    """What became of a mutant; `by` is the test that saw it, or the end of what the compiler said."""

    what: str
    by: str
    building: float
    testing: float


def run(
    command: list[str], folder: Path, environment: dict[str, str], limit: float
) -> tuple[int | None, str]:
    """Run a command and return its exit status, None beyond the limit of time, and its output."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]
        return process.returncode, output


class Tree:
    """A copy of the repository with its build."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.build = folder / "build"
        tools = str(Path(sys.executable).parent)
        self.environment = os.environ | {
            "PATH": tools + os.pathsep + os.environ.get("PATH", ""),
            "PYTHONPATH": str(folder / "python"),
            "PYTHONPYCACHEPREFIX": str(folder / "build/pycache"),
            "CCACHE_BASEDIR": str(folder),
        }
        if shutil.which("ccache"):
            self.environment.setdefault("CMAKE_CXX_COMPILER_LAUNCHER", "ccache")

    def copy(self) -> None:
        """Bring the copy up to date; what has not changed keeps its time, for ninja."""
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        output = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        files = {name for name in output.split("\0") if name and (ROOT / name).is_file()}
        for name in files:
            source, target = ROOT / name, self.root / name
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        for folder in ("src", "python", "tests"):
            for path in (self.root / folder).rglob("*.?*"):
                if path.is_file() and path.suffix != ".so" and str(path.relative_to(self.root)) not in files:
                    path.unlink()

    def compile(self, *targets: str) -> tuple[bool, str]:
        """Build the module, or other targets, and return whether that succeeded, and the output."""
        if not (self.build / "build.ninja").exists():
            where = [sys.executable, "-m", "pybind11", "--cmakedir"]
            pybind11 = subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip()
            options = {
                "CMAKE_BUILD_TYPE": "Release",
                "CMAKE_CXX_FLAGS_RELEASE": "-O1 -DNDEBUG",
                "MEIRO_UNITY": "OFF",
                "MEIRO_TESTS": "ON",
                "Python_EXECUTABLE": sys.executable,
                "pybind11_DIR": pybind11,
            }
            command = ["cmake", "-S", ".", "-B", "build", "-G", "Ninja"]
            command += [f"-D{key}={value}" for key, value in options.items()]
            status, output = run(command, self.root, self.environment, 600)
            if status:
                return False, output
        status, output = run(["ninja", "-C", "build", *targets], self.root, self.environment, 3600)
        for module in (self.build / "src").glob("_core*.so"):
            shutil.copyfile(module, self.root / "python/meiro" / module.name)
        return status == 0, output

    def link(self, source: str) -> tuple[bool, str]:
        """Build one file of C++ tests, without the library if it is about headers that need none."""
        objects = [f"tests/cpp/CMakeFiles/meiro_tests.dir/{name}.o" for name in (source, "main.cpp")]
        built, output = self.compile(*objects)
        if not built:
            return False, output
        compiler = os.environ.get("CXX", "c++")
        command = [compiler, *objects, "-pthread", "-o", source.removesuffix(".cpp")]
        if run(command, self.build, self.environment, 600)[0] == 0:
            return True, ""
        built, output = self.compile("meiro_core")
        if not built:
            return False, output
        status, output = run([*command, "src/libmeiro_core.a"], self.build, self.environment, 600)
        return status == 0, output

    def prepare(self, tests: Iterable[str]) -> tuple[bool, str]:
        """Build what these tests need."""
        found = [CPP.fullmatch(test) for test in tests]
        for source in sorted({match[1] for match in found if match}):
            built, output = self.link(source)
            if not built:
                return False, output
        return self.compile("_core") if None in found else (True, "")

    def judge(self, test: str, limit: float = LIMIT) -> tuple[int | None, str]:
        """Run a test of a mutant; the status is 0 if it passes and None beyond the limit of time."""
        if match := CPP.fullmatch(test):
            name = match[2].replace(",", "\\,")
            command = [str(self.build / match[1].removesuffix(".cpp")), f"--test-case={name}"]
        else:
            command = [sys.executable, *PYTEST, *shlex.split(test)]
        status, output = run(command, self.root, self.environment, limit)
        if match and re.search(r"test cases:\s+0 ", output):
            return 5, output  # as pytest: no test was found
        return status, output


def seen_by(test: str, output: str) -> str:
    """Return the name of the test that failed."""
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", output, re.MULTILINE)
    return failed[1] if failed else test


def examine(mutant: Mutant, tree: Tree) -> Outcome:
    """Apply a mutant to the tree, build and test it, and take it back."""
    path = tree.root / mutant.file
    text = path.read_text("utf-8")

    def write(content: str) -> None:
        path.write_text(content, "utf-8")
        if path.suffix == ".py":  # Python compares whole seconds: what was mutated a moment ago would be run
            later = time.time() + next(_SECONDS)
            os.utime(path, (later, later))

    began = time.monotonic()
    try:
        write(mutant.applied(text))
    except LookupError as error:
        return Outcome("text not found", str(error), 0, 0)
    try:
        built, output = tree.prepare(mutant.tests) if mutant.file.startswith("src/") else (True, "")
        if not built:
            return Outcome("not built", output[-2000:], time.monotonic() - began, 0)
        built_at = time.monotonic()
        times = built_at - began
        for test in mutant.tests:
            status, output = tree.judge(test)
            testing = time.monotonic() - built_at
            if status is None:
                return Outcome("timeout", test, times, testing)
            if status in {4, 5}:
                return Outcome("no such test", output[-2000:], times, testing)
            if status:
                return Outcome("killed", seen_by(test, output), times, testing)
        return Outcome("SURVIVED", "", times, time.monotonic() - built_at)
    finally:
        write(text)


def unmutated(mutants: list[Mutant], tree: Tree) -> str:
    """Run the tests of all mutants in the tree as it is; return the output if one fails, or nothing."""
    tests = {test for mutant in mutants for test in mutant.tests}
    built, output = tree.prepare(tests)
    if not built:
        return output
    # One call of pytest for all that are whole, and one for each file of which tests are chosen by keyword.
    keywords: dict[str, set[str]] = {}
    whole: set[str] = set()
    calls = []
    for test in tests:
        name, _, keyword = test.partition(" -k ")
        if CPP.fullmatch(test):
            calls.append(test)
        elif keyword:
            keywords.setdefault(name, set()).add(f"({' '.join(shlex.split(keyword))})")
        else:
            whole.add(test)
    calls += [f"{name} -k {shlex.quote(' or '.join(sorted(ks)))}" for name, ks in keywords.items()]
    for start in range(0, len(whole), 40):
        calls.append(" ".join(sorted(whole)[start : start + 40]))
    for call in calls:
        status, output = tree.judge(call, 3600)
        if status != 0:
            return f"{call}\n{output}"
    return ""


def main() -> int:
    """Examine the mutants that are asked for, print what became of them and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="name", help="a mutant or a table; all")
    parser.add_argument("--jobs", type=int, default=1, help="trees that are built and tested at once (1)")
    arguments = parser.parse_args()
    known = {mutant.name: [mutant] for table in tables().values() for mutant in table} | tables()
    if unknown := sorted({*arguments.names} - {*known}):
        parser.error(f"there is no mutant or table {', '.join(unknown)}")
    chosen = {m.name: m for name in arguments.names or known for m in known[name]}
    # By file, so that the next mutant compiles little besides what the last one changed.
    mutants = sorted(chosen.values(), key=lambda mutant: mutant.file)

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    trees: SimpleQueue[Tree] = SimpleQueue()
    for number in range(arguments.jobs):
        tree = Tree(ROOT / f"build/mutants/{number}")
        tree.copy()
        if (
            output := unmutated(mutants, tree)
            if number == 0
            else ""
            if tree.compile("_core")[0]
            else "no build"
        ):
            print(output)
            print("The tests that the mutants name do not pass without them: nothing was tried.")
            return 1
        trees.put(tree)

    def one(mutant: Mutant) -> Outcome:
        tree = trees.get()
        try:
            outcome = examine(mutant, tree)
        finally:
            trees.put(tree)
        print(
            f"{mutant.name:<50} {outcome.what:<10} {outcome.building:6.1f} s built "
            f"{outcome.testing:6.1f} s tested  {outcome.by}",
            flush=True,
        )
        return outcome

    print(f"The tests pass unmutated; {len(mutants)} mutants", flush=True)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = dict(zip([mutant.name for mutant in mutants], pool.map(one, mutants), strict=True))

    print()
    whats = list(Counter(outcome.what for outcome in outcomes.values()))
    print(f"{'table':<24}" + "".join(f"{what:>16}" for what in whats))
    for table, members in tables().items():
        counts = Counter(outcomes[m.name].what for m in members if m.name in outcomes)
        if counts:
            print(f"{table:<24}" + "".join(f"{counts[what]:>16}" for what in whats))
    by = Counter(outcome.by.partition("::")[0] for outcome in outcomes.values() if outcome.what == "killed")
    print("\nkilled by")
    for file, number in by.most_common():
        print(f"{number:6}  {file}")
    left = [name for name, outcome in outcomes.items() if outcome.what not in {"killed", "timeout"}]
    print("\nleft over: " + (", ".join(left) or "none"))
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())
