"""What the readers and writers of zarr folders share."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

from meiro._utils.messages import requires_extra

if TYPE_CHECKING:
    from pathlib import Path

# What zarr, pyarrow and their codecs raise; not Exception, which may come from a signal handler of the user.
DAMAGED = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, EOFError),
    *(OSError, RuntimeError, zlib.error),
)


def zarr_library() -> Any:
    """Import zarr; an ImportError names the extra."""
    with requires_extra("dist", "zarr"):
        import zarr
    return zarr


def node(path: Path) -> dict[str, Any]:
    """Return what a folder of zarr says of itself; nothing if it is none."""
    try:
        found = json.loads((path / "zarr.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def says(path: Path, name: str) -> bool:
    """Return whether a folder of zarr has an attribute."""
    attributes = node(path).get("attributes")
    return isinstance(attributes, dict) and name in attributes
