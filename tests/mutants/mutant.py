"""What a mutant is, and the tables that hold all of them."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Mutant(NamedTuple):
    """A bug that the tests have to see: `old`, which occurs once in `file`, is written as `new`.

    A test is a line of arguments for pytest, or `C++ FILE: CASE` with a file and a test case of `tests/cpp`.
    """

    name: str
    file: str
    old: str
    new: str
    tests: list[str]

    def applied(self, text: str) -> str:
        """Return the text of the file with the bug in it, or raise LookupError."""
        if (found := text.count(self.old)) != 1:
            message = f"{self.name}: its old text occurs {found} times in {self.file}, and has to occur once"
            raise LookupError(message)
        return text.replace(self.old, self.new)


def tables() -> dict[str, list[Mutant]]:
    """Return every table by the name of its file."""
    names = sorted(path.stem for path in HERE.glob("*.py") if path.stem.startswith(("core_", "python_")))
    return {name: importlib.import_module(f"mutants.{name}").MUTANTS for name in names}
