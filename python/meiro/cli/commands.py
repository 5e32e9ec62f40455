"""The commands, each loaded when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS = {
    "generate": "arguments",
    "solve": "arguments",
    "watch": "arguments",
    "play": "play",
    "measure": "measure",
    "survey": "survey",
    "convert": "convert",
    "sampler-test": "sampler_test",
    "list": "listing",
    "completion": "completion",
}
"""The module of each command, in the order of the help. It imports what needs NumPy after its arguments."""


def command(name: str) -> Callable[[str, Sequence[str]], int]:
    """Return what runs a command: it takes its name and its arguments, and returns the exit status."""
    module = import_module(f"meiro.cli.{COMMANDS[name]}")
    return cast("Callable[[str, Sequence[str]], int]", module.run)
