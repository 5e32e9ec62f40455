"""Files are written by `atomic` or `atomic_folder` alone, and a writer that fails leaves the old one."""

from __future__ import annotations

import ast
import os
import random
from collections.abc import Iterator
from pathlib import Path

import power
import pytest

TESTS = Path(__file__).parents[1]
PACKAGE = TESTS.parent / "python" / "meiro"
WRITES = {
    *("write_text", "write_bytes", "tofile", "savez", "savez_compressed", "savetxt", "savefig", "touch"),
    *(
        "mkdir", "makedirs", "rename", "NamedTemporaryFile", "mkstemp", "mkdtemp", "copyfile", "move",
        "memmap",
    ),
}  # fmt: skip
KNOWN = {
    "_utils/atomic.py": {"open", "mkdir", "rename"},
    "cli/main.py": {"open"},  # /dev/null
    "drawing/matplotlib/pdf.py": {"savefig"},  # to a file that io has opened
    "io/arrays/npz.py": {"open"},  # a member of an archive
    "io/arrays/shards.py": {"mkdir"},
    "io/arrays/streamed_zarr.py": {
        "mkdir",
        "open",
        "savez",
    },  # .part, its lock, and the state for resume=True
    "io/files.py": {"open", "rename"},  # in a temporary folder
    "io/deep_zoom.py": {"mkdir", "open", "write_text"},  # in an atomic folder
    "solvers/by_bands.py": {"mkdir"},
    "stats/surveys/parquet.py": {"mkdir"},
}


def writing_calls(source: str) -> Iterator[str]:
    """Yield the names of calls that write files, or may."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        mode = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg in {"mode", None})]
        if name == "open":
            words = [str(arg.value) if isinstance(arg, ast.Constant) else "?" for arg in mode]
            reads = not words or words[-1] in {"r", "rb"} or all("/" in word for word in words)
            if not (reads or getattr(getattr(node.func, "value", None), "id", "") == "Image"):
                yield name
        elif name in WRITES or (name == "save" and getattr(node.func, "value", None) == "np"):
            yield name


def test_sources_open_no_file_for_writing_but_in_atomic() -> None:
    found: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        if names := {*writing_calls(file.read_text("utf-8"))}:
            found[file.relative_to(PACKAGE).as_posix()] = names
    assert found == KNOWN


def test_sources_that_write_are_seen() -> None:
    for source in ("open(x, 'w')", "path.open('ab')", "path.write_text('')", "np.savez(x)", "open(x, mode)"):
        assert list(writing_calls(source)), source
    for source in ("path.open('rb')", "path.open(encoding='ascii')", "open('/proc/x')"):
        assert not list(writing_calls(source)), source


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
@pytest.mark.parametrize("part", range(4))
def test_a_writer_that_fails_leaves_the_old_file(part: int, tmp_path: Path) -> None:
    import disks
    from campaign import Campaign

    campaign, draw = Campaign(1, 1, tmp_path / "report.json"), random.Random(1)
    for number, (name, writer) in list(enumerate(disks.writers().items()))[part::4]:
        (tmp_path / f"{number}").mkdir()
        pristine = [disks.saved(writer, i, str(tmp_path)) for i in (0, 1)]
        for _ in range(3 if power.full else 1):
            disks.limited(disks.Case(campaign, name, tmp_path / f"{number}", pristine), draw)
    assert campaign.findings == []
