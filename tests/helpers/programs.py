"""System commands and packages that a test needs, and code in an interpreter of its own."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest


def run_python(
    code: str, *words: object, timeout: float = 60, env: dict[str, str] | None = None, **given: Any
) -> subprocess.CompletedProcess[str]:
    """Run code in an interpreter of its own, with these words, to its end."""
    command = [sys.executable, "-c", code, *map(str, words)]
    environment = os.environ | (env or {})
    return subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=timeout, env=environment, **given
    )


def printed(code: str, *words: object, **given: Any) -> str:
    """Return what such code prints; it must end well."""
    run = run_python(code, *words, **given)
    assert run.returncode == 0, run.stderr
    return run.stdout


def needs(command: str, package: str) -> str:
    """Return the path of a system command, or skip naming the Debian package. Under CI=true that fails."""
    path = shutil.which(command)
    if path is None:
        pytest.skip(f"{command} is not installed: apt-get install {package}")
    return path


def needs_package(name: str) -> None:
    """Skip, naming what to install, where a Python package is missing."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed: pip install {name}")
