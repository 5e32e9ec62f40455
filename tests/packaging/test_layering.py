"""The house: what may include and import what, how long a file may be, and what `import meiro` costs."""

from __future__ import annotations

import ast
import graphlib
import itertools
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import meiro

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
CORE = sorted((ROOT / "src/core").rglob("*.?pp"))
BINDINGS = sorted((ROOT / "src/bindings").rglob("*.?pp"))
PACKAGE = sorted((ROOT / "python/meiro").glob("*.py"))
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def includes(path: Path) -> Iterator[tuple[str, str]]:
    yield from INCLUDE.findall(path.read_text("ascii"))


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_the_core_includes_itself_and_the_standard_library(path: Path) -> None:
    for kind, name in includes(path):
        if kind == '"':
            target = (path.parent / name).resolve()
            assert target.is_relative_to(ROOT / "src/core"), name
            assert target.is_file(), name
        else:
            assert re.fullmatch(r"[a-z_0-9]+", name), f"<{name}> is no header of the C++ standard library"


@pytest.mark.parametrize("path", BINDINGS, ids=name_of)
def test_the_bindings_include_the_core_and_pybind11(path: Path) -> None:
    for kind, name in includes(path):
        if kind == '"':
            target = (path.parent / name).resolve()
            assert target.is_relative_to(ROOT / "src"), name
            assert target.is_file(), name
        else:
            assert re.fullmatch(r"[a-z_0-9]+|pybind11/[a-z0-9_]+\.h", name), name


FORBIDDEN = {
    "core": r"std::(\w+_distribution|s?rand|shuffle|sample|mt19937\w*|random_device|function)\b"
    r"|\bprintf|std::c(out|err)|\babort\(|\bexit\(|catch \(\.\.\.\)",
    "bindings": r"gil_scoped_release|catch \(\.\.\.\)|std::c(out|err)|\bprintf\(",
}


@pytest.mark.parametrize("path", [*CORE, *BINDINGS], ids=name_of)
def test_what_the_agreement_forbids(path: Path) -> None:
    source = COMMENT.sub("", path.read_text("ascii"))
    found = re.search(FORBIDDEN[path.relative_to(ROOT / "src").parts[0]], source)
    assert found is None, found


@pytest.mark.parametrize("path", [*CORE, *BINDINGS, *PACKAGE], ids=name_of)
def test_a_file_has_at_most_300_lines(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", sorted((ROOT / "tests/cpp").glob("*.?pp")), ids=name_of)
def test_the_sources_of_the_tests_are_ascii_too(path: Path) -> None:
    path.read_text("ascii")


def imported(path: Path) -> set[str]:
    """Modules of the package that a module imports when it is loaded itself."""
    names = {p.stem for p in PACKAGE}
    found: set[str] = set()
    todo: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo += node.orelse
            continue
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "meiro":
                found |= {a.name if a.name in names else "__init__" for a in node.names if a.name != "_core"}
            elif node.module and node.module.startswith("meiro."):
                found.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {
                [*a.name.split("."), "__init__"][1] for a in node.names if a.name.split(".")[0] == "meiro"
            }
        todo += ast.iter_child_nodes(node)
    return found - {"_core"}


def test_the_modules_of_the_package_import_each_other_in_no_circle() -> None:
    graph = {path.stem: imported(path) for path in PACKAGE}
    assert graph["__init__"] > {"maze", "generate"}
    try:
        list(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        pytest.fail(f"import circle: {' <- '.join(error.args[1])}")


def python(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )


def test_import_meiro_needs_numpy_and_nothing_else() -> None:
    code = "import sys, numpy.random; old = set(sys.modules); import meiro; print(*set(sys.modules) - old)"
    new = {name.split(".")[0] for name in python(code).stdout.split()}
    assert new - set(sys.stdlib_module_names) - {"meiro", "numpy"} == set()


def test_what_is_imported_later_is_there() -> None:
    code = "import sys, meiro; assert 'meiro.ranking' not in sys.modules; print(meiro.unrank(0, (1, 2)))"
    assert python(code).stdout.startswith("┌───┐")
    for module, names in meiro._LATER.items():
        assert module not in names
        for name in names:
            assert name in meiro.__all__
            assert getattr(meiro, name).__module__ == f"meiro.{module}"
    assert {*meiro.__all__} <= {*dir(meiro)}
    with pytest.raises(AttributeError, match="module 'meiro' has no attribute 'unrunk'"):
        meiro.unrunk  # type: ignore[attr-defined]  # noqa: B018


def test_import_meiro_takes_less_than_100_ms_beyond_numpy() -> None:
    best = 1e9
    for _ in range(8):
        log = python("import numpy; import meiro", "-X", "importtime").stderr
        (line,) = re.findall(r"\|\s*(\d+) \| meiro$", log, re.MULTILINE)
        best = min(best, int(line) / 1000)
        if best < 60:
            return
    assert best < 100, f"{best:.0f} ms"


def test_these_tests_can_see_a_circle_and_a_foreign_include(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import meiro\nfrom meiro import maze, nothing\nfrom meiro.text import x\n"
    )
    assert imported(tmp_path / "a.py") == {"__init__", "maze", "text"}
    (tmp_path / "a.hpp").write_text('# include "../bindings/arrays.hpp"\n#include <pybind11/numpy.h>\n')
    assert list(includes(tmp_path / "a.hpp")) == [('"', "../bindings/arrays.hpp"), ("<", "pybind11/numpy.h")]
    for code in (
        "catch (...) {",
        "std::shuffle(a, b)",
        "std::uniform_int_distribution<int> d;",
        "std::function<int()>",
    ):
        assert re.search(FORBIDDEN["core"], code), code
    assert not any(re.search(p, "throw Cancelled();") for p in itertools.chain(FORBIDDEN.values()))
