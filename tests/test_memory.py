"""Whether an array still fits, asked before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from meiro import memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def files(folder: Path, limit: str, used: str) -> tuple[str, str]:
    (folder / "limit").write_text(limit, encoding="ascii")
    (folder / "used").write_text(used, encoding="ascii")
    return str(folder / "limit"), str(folder / "used")


@pytest.mark.parametrize("version", ["_V1", "_V2"])
def test_a_container_may_have_less(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, version, files(tmp_path, "3000000\n", "1000000\n"))
    assert memory.available() == 2_000_000
    with pytest.raises(
        MemoryError, match=r"a pile takes 200,000,000 bytes, and 2,000,000 are free; take less"
    ):
        memory.require(200_000_000, "a pile", "take less")
    memory.require(1_000_000, "a crumb", "take less")  # not worth the question


def test_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = memory._of_the_machine()
    assert free is not None
    monkeypatch.setattr(memory, "_V2", files(tmp_path, "max\n", "1000000\n"))
    there = memory.available()
    assert there is not None
    assert there > 10**6


def test_a_system_that_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> None:
        return None

    silent: Callable[..., None] = nothing
    monkeypatch.setattr(memory, "_of_the_machine", silent)
    monkeypatch.setattr(memory, "_V1", ("/nowhere", "/nowhere"))
    monkeypatch.setattr(memory, "_V2", ("/nowhere", "/nowhere"))
    assert memory.available() is None
    memory.require(1 << 60, "a mountain", "take less")
