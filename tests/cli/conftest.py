"""A world of 80 columns in an empty folder, and the command in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from meiro.cli import main, watch


@pytest.fixture(autouse=True)
def _plain_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NO_COLOR", "COLORFGBG", "PYTHONIOENCODING", "PYTHONUTF8"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
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


class Tty(io.TextIOWrapper):
    """An output that calls itself a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(name="written_by_watch")
def written_by_watch_fixture(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """`written_by_watch("5", "4", ...)`: what is written on a terminal, every frame of it, in no time."""

    def run(
        *words: object, columns: int = 80, lines: int = 30, fps: float = 30, encoding: str = "utf-8"
    ) -> str:
        now = [0.0]

        def sleep(seconds: float) -> None:
            now[0] += min(seconds, 1 / fps) + 1e-9

        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(lines))
        out = io.BytesIO()
        with monkeypatch.context() as patched:
            patched.setattr(watch, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
            patched.setattr(sys, "stdout", tty := Tty(out, encoding=encoding))
            assert main.main([*map(str, words), "--watch", "--fps", str(fps)]) == 0
            tty.flush()
        return out.getvalue().decode(encoding)

    return run
