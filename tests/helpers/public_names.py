"""Writes the stub of the public names from their table: `python tests/helpers/public_names.py`."""

from __future__ import annotations

from pathlib import Path

import meiro

STUB = Path(__file__).parents[2] / "python/meiro/__init__.pyi"


def stub() -> str:
    """Return the text of `python/meiro/__init__.pyi`."""
    names = sorted(meiro.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    lines = [
        "# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.",
        *(f"from meiro import {name} as {name}" for name in meiro._FOLDERS),
        *(
            f"from meiro.{module} import {name} as {name}"
            for module, several in meiro._PUBLIC.items()
            for name in several.split()
        ),
        "",
        "_PUBLIC: dict[str, str]",
        "_FOLDERS: tuple[str, ...]",
        "",
        "__all__ = [",
        *(f'    "{name}",' for name in names),
        "]",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    STUB.write_text(stub(), "utf-8")
