"""`_core.pyi` is what is bound: by stubtest, which is blind to pybind11's signatures, and by these."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from meiro import _core

ROOT = Path(__file__).parents[2]
STUB = ROOT / "python/meiro/_core.pyi"
Signature = list[tuple[str, str | None]]


def signature(function: ast.FunctionDef) -> Signature:
    """Names and defaults of the parameters, and where the keyword-only ones begin."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + [ast.unparse(d) for d in given.defaults]
    out: Signature = [(a.arg, d) for a, d in zip(plain, defaults, strict=True)]
    if given.kwonlyargs:
        out.append(("*", None))
    for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        out.append((a.arg, None if d is None else ast.unparse(d)))
    return out


def of_stub(source: str) -> dict[str, Signature]:
    found: dict[str, Signature] = {}
    for node in ast.parse(source).body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for member in members:
            if isinstance(member, ast.FunctionDef) and not member.decorator_list:
                found[prefix + member.name] = signature(member)
    return found


def of_module(module: object) -> dict[str, Signature]:
    found: dict[str, Signature] = {}
    for owner, prefix in [
        (module, ""),
        *((c, f"{n}.") for n, c in vars(module).items() if isinstance(c, type)),
    ]:
        for name, value in vars(owner).items():
            doc = (getattr(value, "__doc__", None) or "").partition("\n")[0]
            if callable(value) and not isinstance(value, type) and doc.startswith(f"{name}("):
                (function,) = ast.parse(f"def {doc}: ...").body
                assert isinstance(function, ast.FunctionDef)
                found[prefix + name] = signature(function)
    return found


def test_stub_has_the_bound_names_and_defaults() -> None:
    bound, stub = of_module(_core), of_stub(STUB.read_text("utf-8"))
    assert len(bound) >= 7
    assert stub == bound


@pytest.mark.parametrize(
    ("was", "wrong"),
    [
        ("def last_call() ->", "def last_call(x: int) ->"),
        ("    threads: int,", "    thread: int,"),
        ("first: int, n: int", "first: int, n: int = 0"),
        ("last: bool) -> None", "final: bool) -> None"),
        ("def first_fault(", "def first_faults("),
    ],
)
def test_stub_that_is_wrong_is_noticed(was: str, wrong: str) -> None:
    source = STUB.read_text("utf-8")
    assert was in source
    assert of_stub(source.replace(was, wrong)) != of_module(_core)


@pytest.mark.dev
@pytest.mark.timeout(300)  # it reads NumPy's stubs, beside whatever else runs
def test_stub_passes_stubtest() -> None:
    options = ["--mypy-config-file", "pyproject.toml", "--allowlist", "tests/stubtest_allow.txt"]
    command = [sys.executable, "-m", "mypy.stubtest", "meiro._core", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
