"""System commands and packages that a test needs."""

from __future__ import annotations

import importlib.util
import shutil

import pytest


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
