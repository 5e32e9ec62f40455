"""A user's program is well typed for mypy and basedpyright, both at their strictest, and runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests/data/user_program.py"
WRONG = """
import meiro

maze: meiro.Maze = meiro.generate_many((3, 4), n=5)
meiro.solve(maze).length.upper()
meiro.solve()
"""


pytestmark = pytest.mark.timeout(300)


def mypy(program: Path, folder: Path) -> str:
    """Return the errors of `mypy --strict`."""
    options = ["--strict", "--config-file=", "--follow-imports=silent", f"--cache-dir={folder / 'cache'}"]
    environment = os.environ | {"MYPYPATH": str(ROOT / "python")}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    return done.stdout if done.returncode else ""


def basedpyright(program: Path, folder: Path) -> str:
    """Return the errors of basedpyright in its mode `strict`."""
    settings = {
        "include": [str(program)],
        "extraPaths": [str(ROOT / "python")],
        "pythonVersion": "3.11",
        "typeCheckingMode": "strict",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = [sys.executable, "-m", "basedpyright", "--project", str(folder), "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    return done.stdout if done.returncode else ""


@pytest.mark.dev
@pytest.mark.parametrize("checker", [mypy, basedpyright])
def test_a_users_program_has_no_error_of_types(checker: Callable[[Path, Path], str], tmp_path: Path) -> None:
    assert checker(PROGRAM, tmp_path) == ""
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG, "utf-8")
    found = checker(wrong, tmp_path)
    assert [line for line in (4, 5, 6) if f"wrong.py:{line}:" not in found] == []


@pytest.mark.long
def test_the_program_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, PROGRAM, tmp_path], capture_output=True, text=True, check=True, timeout=60
    )
    facts = json.loads(done.stdout[: done.stdout.index("}") + 1])
    assert (facts["cells"], facts["perfect"], facts["paths"], facts["sampled well"]) == (96, 1, 1, 1)
    assert "no path" in done.stdout
    assert (tmp_path / "hexagons.svg").read_text("utf-8").startswith("<svg")
    assert 95 <= len(PROGRAM.read_text("utf-8").splitlines()) <= 120
