"""The house: what may include and import what, how long a file should be, and what `import meiro` costs."""

from __future__ import annotations

import ast
import functools
import graphlib
import itertools
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from timing import best

ROOT = Path(__file__).parents[2]
CORE = sorted((ROOT / "src/core").rglob("*.?pp"))
BINDINGS = sorted((ROOT / "src/bindings").rglob("*.?pp"))
PACKAGE = sorted((ROOT / "python/meiro").rglob("*.py"))
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def includes(path: Path) -> Iterator[tuple[str, str]]:
    yield from INCLUDE.findall(path.read_text("ascii"))


OF_THE_SYSTEM = {("huge_pages.cpp", "sys/mman.h")}  # a hint that the core does without elsewhere


def foreign(path: Path, within: Path, headers: str) -> list[str]:
    """Return what a file includes that is neither a file of a folder nor such a header."""
    found = []
    for kind, name in includes(path):
        target = (path.parent / name).resolve()
        ours = target.is_relative_to(within) and target.is_file()
        system = re.fullmatch(headers, name) or (path.name, name) in OF_THE_SYSTEM
        if not (ours if kind == '"' else system):
            found.append(f"{path.relative_to(ROOT)}: {name}")
    return found


def test_the_core_includes_itself_and_the_standard_library() -> None:
    assert CORE
    assert [name for path in CORE for name in foreign(path, ROOT / "src/core", r"[a-z_0-9]+")] == []


def test_the_bindings_include_the_core_and_pybind11() -> None:
    assert BINDINGS
    headers = r"[a-z_0-9]+|pybind11/[a-z0-9_]+\.h"
    assert [name for path in BINDINGS for name in foreign(path, ROOT / "src", headers)] == []


FORBIDDEN = {
    "core": r"std::(\w+_distribution|s?rand|shuffle|sample|mt19937\w*|random_device|function)\b"
    r"|\bprintf|std::c(out|err)|\babort\(|\bexit\(|catch \(\.\.\.\)"
    r"|\bthrow (?!std::|Cancelled\b|OutOfMemory\b)",  # a worker catches no other, and the process ends
    "bindings": r"gil_scoped_release|catch \(\.\.\.\)|std::c(out|err)|\bprintf\(",
}


def test_what_the_agreement_forbids() -> None:
    found = {
        str(path.relative_to(ROOT)): match[0]
        for path in (*CORE, *BINDINGS)
        if (
            match := re.search(
                FORBIDDEN[path.relative_to(ROOT / "src").parts[0]], COMMENT.sub("", path.read_text("ascii"))
            )
        )
    }
    assert found == {}


def test_the_sources_of_the_tests_are_ascii_too() -> None:
    sources = [*(ROOT / "tests/cpp").glob("*.?pp")]
    assert sources
    assert [path.name for path in sources if not path.read_bytes().isascii()] == []


SHARED_BY_TESTS = {ROOT / "tests" / name for name in ("faults", "helpers", "reference")}


def test_files_and_folders_are_short(advise: Callable[[str], None]) -> None:
    """More than 600 lines, or 15 modules, are for a reader to judge: the summary of pytest names them."""
    for path in (*CORE, *BINDINGS, *PACKAGE):
        if (lines := len(path.read_text("utf-8").splitlines())) > 600:
            advise(f"{path.relative_to(ROOT)} has {lines} lines")
    for folder in sorted({path.parent for path in PACKAGE} | SHARED_BY_TESTS):
        if (modules := len([path for path in folder.glob("*.py") if path.name != "__init__.py"])) > 15:
            advise(f"{folder.relative_to(ROOT)} has {modules} modules")


# The layers: a folder (or a small module of the top) imports only from those before it. Inside a folder a
# circle is refused as well. `__init__` of the top is the facade over all.
LAYERS = (
    "_public_names", "_utils", "errors", "colors", "results", "seeds", "lattices", "registry", "mazes",
    "spaces", "generators", "exact", "solvers", "transforms", "stats", "stats.surveys", "datasets",
    "traces", "drawing", "drawing.text", "drawing.matplotlib", "drawing.animation", "drawing.notebook",
    "drawing.terminal", "io.graphs", "io.game_maps", "io.peers", "io.arrays", "io.pictures", "io.shapes",
    "io", "gym", "dask", "cli.shared", "cli",
)  # fmt: skip
# The methods of `Maze`, `MazeBatch`, `Solution`, `Locks`, `Table`, `Scaling`, `Comparison`, `Trace` and
# `Frame` that show or save them, and `EndlessMaze.solve`, import what does so when they are called: the only
# imports that lead upwards.
FACADES = {
    "_utils.arrays": "drawing.text.parse io.image",
    "generators.endless": "solvers.distances solvers.solve",
    "generators.generate": "transforms._replay",
    "lattices.lattice": "drawing.notebook.rich_display",
    "mazes._batch": "datasets.forms drawing.matplotlib.plot drawing.notebook.rich_display "
    "io.arrays.batch_files solvers.solve_many stats.measure",
    "mazes._one_maze": "drawing.matplotlib.plot drawing.notebook.rich_display drawing.svg io.files "
    "io.graphviz io.networkx solvers.distances solvers.solve stats.measure "
    "transforms.passages",
    "mazes.batch": "io.arrays.batch_files",
    "mazes.graph_maze": "drawing.text.render io.networkx",
    "mazes.maze": "drawing.text.parse drawing.text.render io.image io.networkx",
    "registry": "drawing.notebook.rich_display",
    "results.locks": "drawing.matplotlib.plot io.files solvers.solve spaces.space_of transforms.passages",
    "results.solution": "drawing.notebook.rich_display io.files io.painting",
    "results.table": "drawing.matplotlib.statistics",
    "stats.compare": "drawing.matplotlib.statistics",
    "stats.scaling": "drawing.matplotlib.statistics",
    "traces.frames": "drawing.notebook.rich_display",
    "traces.trace": "drawing.notebook.rich_display",
}


def module_of(path: Path) -> str:
    """Dotted name within the package: `maze.batch`."""
    return ".".join(path.relative_to(ROOT / "python/meiro").with_suffix("").parts)


MODULES = {module_of(path) for path in PACKAGE}


def layer_of(module: str) -> int:
    if module in {"__init__", "__main__"}:
        return len(LAYERS)
    folder, _, name = module.rpartition(".")
    if name == "__init__":  # it exports the public names of its folder, and of the folders within
        return max(i for i, layer in enumerate(LAYERS) if f"{layer}.".startswith(f"{folder}."))
    return LAYERS.index(folder or module)


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each module of the package that a module imports, and when: "load", "type" or "call"."""
    todo: list[tuple[ast.AST, str]] = [(ast.parse(path.read_text("utf-8")), "load")]
    while todo:
        node, when = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            when = "call"
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo += [(child, "type") for child in node.body] + [(child, when) for child in node.orelse]
            continue
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.partition(".")[0] != "meiro" or name.startswith("meiro._core"):
                continue
            inner = name.removeprefix("meiro").removeprefix(".")
            while inner and inner not in MODULES and f"{inner}.__init__" not in MODULES:
                inner = inner.rpartition(".")[0]
            yield (inner if inner in MODULES else f"{inner}.__init__".removeprefix(".")), when
        todo += [(child, when) for child in ast.iter_child_nodes(node)]


@functools.cache
def arrows() -> list[tuple[str, str, str]]:
    """Return what imports what, and when; two seconds, which no worker that only collects takes."""
    return sorted({(module_of(path), name, when) for path in PACKAGE for name, when in imports(path)})


def test_folders_import_only_the_folders_below() -> None:
    facades = {(a, b) for a, names in FACADES.items() for b in names.split()}
    upward = {(a, b, when) for a, b, when in arrows() if layer_of(b) > layer_of(a)}
    assert {(a, b) for a, b, when in upward if when != "call"} == set()
    assert {(a, b) for a, b, when in upward if when == "call"} == facades


def test_modules_import_each_other_in_no_circle() -> None:
    graph: dict[str, set[str]] = {module_of(path): set() for path in PACKAGE}
    for a, b, when in arrows():
        if when != "call":
            graph[a].add(b)
    assert graph["mazes.batch"] > {"mazes.maze", "mazes._batch", "seeds"}
    try:
        list(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        pytest.fail(f"import circle: {' <- '.join(error.args[1])}")


@pytest.mark.clock
def test_import_meiro_takes_less_than_100_ms_beyond_numpy() -> None:
    command = [sys.executable, "-X", "importtime", "-c", "import numpy; import meiro"]

    def milliseconds() -> float:
        log = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stderr
        (microseconds,) = re.findall(r"\|\s*(\d+) \| meiro$", log, re.MULTILINE)
        return int(microseconds) / 1000

    assert best(milliseconds, 60) < 100


def test_these_tests_can_see_a_circle_and_a_foreign_include(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import meiro\nfrom meiro.mazes import maze\nfrom meiro.drawing.text.render import x\n"
        "if TYPE_CHECKING:\n    from meiro import generate\n"
        "def f():\n    import meiro.io.files\n"
    )
    assert set(imports(tmp_path / "a.py")) == {
        ("__init__", "load"), ("mazes.maze", "load"), ("drawing.text.render", "load"), ("__init__", "type"),
        ("io.files", "call"),
    }  # fmt: skip
    (tmp_path / "a.hpp").write_text('# include "../bindings/arrays.hpp"\n#include <pybind11/numpy.h>\n')
    assert list(includes(tmp_path / "a.hpp")) == [('"', "../bindings/arrays.hpp"), ("<", "pybind11/numpy.h")]
    for code in (
        "catch (...) {",
        "std::shuffle(a, b)",
        "std::uniform_int_distribution<int> d;",
        "std::function<int()>",
        "throw 7;",
    ):
        assert re.search(FORBIDDEN["core"], code), code
    assert not any(re.search(p, "throw Cancelled();") for p in itertools.chain(FORBIDDEN.values()))
