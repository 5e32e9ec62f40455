"""A world of 80 columns in an empty folder, and the command in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from meiro.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def _plain_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NO_COLOR", "PYTHONIOENCODING", "PYTHONUTF8"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(name="run")
def run_fixture(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """`run("35", "10", ...)`: the exit status, standard output and standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        status = main.main([str(word) for word in words])
        return (status, *capsys.readouterr())

    return run
