"""Writes the stubs of the public names from their tables: `python tests/helpers/public_names.py`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import meiro

PACKAGES = (
    *(meiro, meiro.datasets, meiro.exact, meiro.generators, meiro.io, meiro.lattices, meiro.solvers),
    *(meiro.stats, meiro.transforms),
)
"""Those whose names are imported when they are asked for."""


def stub_of(package: ModuleType) -> Path:
    """Return the path of the stub."""
    folder = Path(__file__).parents[2] / "python" / package.__name__.replace(".", "/")
    return folder / "__init__.pyi"


def stub(package: ModuleType) -> str:
    """Return the text of the stub."""
    names = sorted(package.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    folders = getattr(package, "_FOLDERS", ())
    lines = [
        "# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.",
        *(f"from {package.__name__} import {name} as {name}" for name in folders),
        *(
            f"from meiro.{module} import {name} as {name}"
            for module, several in sorted(package._PUBLIC.items())
            for name in several.split()
        ),
        "",
        "_PUBLIC: dict[str, str]",
        *(["_FOLDERS: tuple[str, ...]"] if folders else []),
        "",
        "__all__ = [",
        *(f'    "{name}",' for name in names),
        "]",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for each in PACKAGES:
        stub_of(each).write_text(stub(each), "utf-8")
