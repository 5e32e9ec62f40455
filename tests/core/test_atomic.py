"""Files and folders appear under their name when they are complete; what dead writers leave is removed."""

from __future__ import annotations

import errno
import importlib.util
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from meiro._utils import leftovers
from meiro._utils.atomic import atomic
from meiro._utils.atomic_folder import _exchanged, atomic_folder, read_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ["x", "x" * 255, "迷" * 85, "\N{MATHEMATICAL BOLD CAPITAL A}" * 63, "é" * 122, "x\x1b\n\udcff"]
HANGS = {
    "atomic": "with atomic(path) as file:\n    file.write(b'half'); file.flush(); wait()",
    "atomic_folder": "with atomic_folder(path) as new:\n    new.mkdir(); (new / 'a').touch(); wait()",
}


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def save(path: Path, text: str) -> None:
    with atomic(path, "w") as file:
        file.write(text)


def save_folder(path: Path, text: str) -> None:
    with atomic_folder(path) as folder:
        folder.mkdir()
        for name in "ab":
            (folder / name).write_text(text)


def of_folder(path: Path) -> str:
    return "".join((path / name).read_text() for name in "ab")


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that are writing x and never end."""
    found = []
    for kind, code in HANGS.items():
        script = (
            f"import sys, time; from pathlib import Path; from meiro._utils.{kind} import {kind}\n"
            f"path = Path({str(tmp_path)!r}, 'x')\n"
            f"def wait(): print('go', flush=True); sys.stdin.read()\n{code}"
        )
        command = [sys.executable, "-c", script]
        pipe = subprocess.PIPE
        found.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True))
    for process in found:
        assert process.stdout is not None
        assert process.stdout.readline() == "go\n"
    yield found
    for process in found:
        process.kill()
        process.communicate()


@pytest.mark.skipif(os.name == "nt", reason="locks of POSIX")
def test_what_a_killed_writer_leaves_is_removed_by_the_next(
    tmp_path: Path, hanging: list[subprocess.Popen[str]]
) -> None:
    left = names(tmp_path)
    assert len(left) == 3, "a file; a folder, and the file that stands for it"
    save(tmp_path / "y", "new")
    assert names(tmp_path) == [*left, "y"], "their writers are alive"
    for process in hanging:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert names(tmp_path) == [*left, "y"]
    time.sleep(0.05)
    save(tmp_path / "y", "newer")
    assert names(tmp_path) == ["y"]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_writers_that_are_alive_end_their_files(tmp_path: Path, hanging: list[subprocess.Popen[str]]) -> None:
    for process in hanging:
        save(tmp_path / "y", "new")
        assert process.communicate("", timeout=30)[1] == ""
        assert process.returncode == 0
        assert (tmp_path / "x").exists()
        found = tmp_path / "x"
        found.unlink() if found.is_file() else shutil.rmtree(found)
    assert names(tmp_path) == ["y"]


@pytest.mark.skipif(os.name == "nt", reason="locks of POSIX")
def test_what_other_machines_leave_is_removed_after_a_day(tmp_path: Path) -> None:
    for i, machine in enumerate(("0" * 8, "f" * 8, leftovers._machine())):
        for age in (0, 23, 25):
            file = tmp_path / f".x.meiro-{machine}-{i:06}{age:06}.tmp"
            file.write_text("half")
            file.with_suffix(".d").mkdir()
            os.utime(file, (time.time() - 3600 * age,) * 2)
    for name in (".x.0123456789ab.tmp", ".x.meiro-short.tmp", "x.meiro-00000000-000000000000.tmp"):
        (tmp_path / name).write_text("of others")
    before = names(tmp_path)
    save(tmp_path / "y", "new")
    gone = {*before} - {*names(tmp_path)}
    assert len(gone) == 2 * (1 + 1 + 3)
    assert all("000025" in name or leftovers._machine() in name for name in gone)


@pytest.mark.skipif(os.name == "nt", reason="locks of POSIX")
def test_a_folder_that_lost_its_file_is_removed_as_one_with_it(tmp_path: Path) -> None:
    kept = tmp_path / f".x.meiro-{'f' * 8}-{1:012}.d"
    gone = [tmp_path / f".x.meiro-{machine}-{2:012}.d" for machine in ("f" * 8, leftovers._machine())]
    for folder in (kept, *gone):
        (folder / "new").mkdir(parents=True)
    os.utime(gone[0], (time.time() - 90_000,) * 2)
    save(tmp_path / "y", "new")
    assert names(tmp_path) == [kept.name, "y"]


def test_a_large_folder_is_not_searched_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []

    def many(folder: Path) -> list[str]:
        searched.append(folder)
        return ["other"] * 1_000_000

    monkeypatch.setattr("meiro._utils.leftovers.os.listdir", many)
    for i in range(3):
        save(tmp_path / str(i), "new")
    assert searched == [tmp_path]


@pytest.mark.parametrize("call", ["dup", "fstat", "listdir"])
def test_ctrl_c_before_anything_is_written_leaves_nothing(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    save(tmp_path / "x", "old")
    time.sleep(0.01)
    monkeypatch.setattr(os, call, stop)
    with pytest.raises(KeyboardInterrupt):
        save(tmp_path / "x", "new")
    monkeypatch.undo()
    assert names(tmp_path) == ["x"]
    assert (tmp_path / "x").read_text() == "old"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no list of open files")
@pytest.mark.parametrize("name", ["dup", "fstat", "unlink", "Path.replace"])
def test_without_memory_nothing_stays_open(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    save(tmp_path / "x", "old")
    opened = len(list(Path("/dev/fd").iterdir()))
    with monkeypatch.context() as patch:
        if name == "Path.replace":
            patch.setattr(Path, "replace", no_memory)
        else:
            patch.setattr(name if "." in name else f"os.{name}", no_memory)
        with pytest.raises(MemoryError):
            save(tmp_path / "x", "new")
    assert len(list(Path("/dev/fd").iterdir())) == opened
    save(tmp_path / "x", "newer")
    assert names(tmp_path) == ["x"]


def test_error_stays_itself_where_a_path_has_no_memory_in_the_cleanup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_method(self: Path) -> str:
        msg = f"expected str, bytes or os.PathLike object, not {type(self).__name__}"
        raise TypeError(msg)  # what CPython says where it has no memory for the bound method

    def fail(patch: pytest.MonkeyPatch) -> None:
        with atomic(tmp_path / "x", "w"):
            patch.setattr(PurePath, "__fspath__", no_method)
            raise MemoryError

    with monkeypatch.context() as patch, pytest.raises(MemoryError):
        fail(patch)
    assert names(tmp_path) == []


def test_file_that_the_system_made_but_python_could_not_open_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def no_memory(self: Path, *arguments: Any, **options: Any) -> None:
        opened(self, *arguments, **options).close()
        raise MemoryError

    monkeypatch.setattr(Path, "open", no_memory)
    with pytest.raises(MemoryError):
        save(tmp_path / "x", "new")
    assert names(tmp_path) == []


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_every_name_that_is_valid_can_be_saved(name: str, tmp_path: Path) -> None:
    for text in ("old", "new"):
        save(tmp_path / name, text)
        assert (tmp_path / name).read_text() == text
    (tmp_path / name).unlink()
    for text in ("old", "new"):
        save_folder(tmp_path / name, text)
        assert read_folder(tmp_path / name, of_folder) == 2 * text
    assert names(tmp_path) == [name]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="another owner is given by root")
def test_root_keeps_the_owner_and_drops_set_uid(tmp_path: Path) -> None:
    path, folder = tmp_path / "x", tmp_path / "folder"
    path.write_text("old")
    os.chown(path, 12345, 23456)
    path.chmod(0o6751)
    with atomic(path, "w") as file:
        file.write("new")
        file.flush()
        beside = next(other for other in tmp_path.iterdir() if other != path).stat()
        assert (beside.st_uid, stat.S_IMODE(beside.st_mode)) == (12345, 0o751), (
            "nobody else may read it earlier"
        )
    found = path.stat()
    assert path.read_text() == "new"
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 23456, 0o751)
    save_folder(folder, "old")
    os.chown(folder, 12345, 23456)
    folder.chmod(0o2710)
    save_folder(folder, "new")
    assert of_folder(folder) == "newnew"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o710
    for place in (folder, folder / "a"):
        assert (place.stat().st_uid, place.stat().st_gid) == (12345, 23456)


def test_errors_of_writing_name_the_path(tmp_path: Path) -> None:
    def fail(error: Exception) -> None:
        with atomic(tmp_path / "x"):
            raise error

    with pytest.raises(OSError, match=r"No space left on device: .*x'") as caught:
        fail(OSError(28, "No space left on device"))
    assert caught.value.filename == str(tmp_path / "x")
    with pytest.raises(FileNotFoundError, match="'other'"):
        fail(FileNotFoundError(2, "No such file or directory", "other"))
    with pytest.raises(FileNotFoundError, match=r"^ffmpeg is missing$"):
        fail(FileNotFoundError("ffmpeg is missing"))
    with pytest.raises(FileNotFoundError) as lost, atomic_folder(tmp_path / "none" / "x"):
        pass
    assert lost.value.filename == str(tmp_path / "none" / "x")
    assert names(tmp_path) == []


def replaced_beside_readers(path: Path) -> tuple[set[str], list[Exception]]:
    """Return what readers found in a folder while two others replaced it, and all errors."""
    save_folder(path, "0")
    seen: set[str] = set()
    wrong: list[Exception] = []

    def read(folder: Path) -> str:
        text = of_folder(folder)
        if text[0] != text[1]:
            raise ValueError(text)
        return text

    def work(name: str) -> None:
        try:
            for _ in range(30):
                save_folder(path, name) if name else seen.add(read_folder(path, read))
        except (OSError, ValueError) as e:
            wrong.append(e)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("1", "2", "", "", "")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen, wrong


def test_a_folder_is_replaced_beside_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_EXCHANGE", 2), ("_exchanged", lambda *_: False), ("LOCKS", False)):
        monkeypatch.setattr(atomic_folder.__module__ + "." + name, value)
        seen, wrong = replaced_beside_readers(tmp_path / "x")
        assert wrong == []
        assert seen <= {"00", "11", "22"}
        assert names(tmp_path) == ["x"]


@pytest.mark.skipif(os.name == "nt", reason="locks of POSIX")
@pytest.mark.parametrize("replaced", [False, True])
def test_a_folder_whose_writer_died_between_two_renames_comes_back(tmp_path: Path, *, replaced: bool) -> None:
    path = tmp_path / "x"
    save_folder(path, "old")
    left = tmp_path / f".x.meiro-{leftovers._machine()}-{0:012}.tmp"
    left.write_text("x")
    left.with_suffix(".d").mkdir()
    path.rename(left.with_suffix(".d") / "old-1234")
    if replaced:
        shutil.copytree(left.with_suffix(".d") / "old-1234", path)
        (path / "b").write_text("new")
    save(tmp_path / "y", "new")
    assert of_folder(path) == ("oldnew" if replaced else "oldold")
    assert names(tmp_path) == ["x", "y"]


def test_a_folder_gives_way_to_a_faster_writer_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where names cannot be exchanged: once for the new folder, once for the old one that is put back."""
    path = tmp_path / "x"
    save_folder(path, "old")
    rename = Path.rename
    faster: list[str] = []

    def beaten(source: Path, target: Path) -> Path:
        if target == path and len(faster) < 2:
            faster.append(source.name[:3])
            if len(faster) == 2:
                shutil.copytree(source, path)
            raise OSError(errno.ENOTEMPTY, "Directory not empty")
        return rename(source, target)

    monkeypatch.setattr("meiro._utils.atomic_folder._exchanged", lambda *_: False)
    monkeypatch.setattr(Path, "rename", beaten)
    save_folder(path, "new")
    assert faster == ["new", "old"]
    assert of_folder(path) == "newnew"
    assert names(tmp_path) == ["x"]


@pytest.mark.skipif(os.name == "nt", reason="locks of POSIX")
def test_a_folder_that_cannot_be_removed_is_removed_by_the_next_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_folder(tmp_path / "x", "old")
    with monkeypatch.context() as patched:
        patched.setattr("meiro._utils.atomic_folder.shutil.rmtree", lambda *_, **__: None)
        save_folder(tmp_path / "x", "new")
    assert of_folder(tmp_path / "x") == "newnew"
    assert [name.rpartition(".")[2] for name in names(tmp_path)] == ["d", "tmp", "x"]
    time.sleep(0.05)
    save(tmp_path / "y", "new")
    assert names(tmp_path) == ["x", "y"]


def test_a_file_that_may_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path / "x", "old")
    (tmp_path / "x").chmod(0o400)
    if os.access(tmp_path / "x", os.W_OK):  # root may write everything
        monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path / "x")
    with pytest.raises(PermissionError) as caught:
        save(tmp_path / "x", "new")
    assert caught.value.filename == str(tmp_path / "x")
    assert (tmp_path / "x").read_text() == "old"
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("removed", [False, True])
def test_a_temporary_file_that_another_writer_takes_for_dead_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, removed: bool
) -> None:
    taken: list[Path] = []

    def take(descriptor: int) -> bool | None:
        if not taken:
            taken.append(next(tmp_path.iterdir()))
            if removed:
                taken[0].unlink()
            return removed
        return leftovers.lock(descriptor)

    monkeypatch.setattr("meiro._utils.atomic.lock", take)
    save(tmp_path / "x", "new")
    assert (tmp_path / "x").read_text() == "new"
    assert len(taken) == 1
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.EIO, "Input/output error")], ids=repr)
def test_a_folder_that_cannot_be_renamed_is_the_old_one(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    save_folder(path, "old")
    rename = type(path).rename

    def fails(self: Path, target: Path) -> Path:
        if self.name == "new":
            assert not path.exists(), "it is renamed first"
            raise error
        return rename(self, target)

    monkeypatch.setattr("meiro._utils.atomic_folder._exchanged", lambda *_: False)
    monkeypatch.setattr(type(path), "rename", fails)
    with pytest.raises(type(error)):
        save_folder(path, "new")
    assert of_folder(path) == "oldold"
    assert names(tmp_path) == ["x"]


def test_a_folder_is_replaced_though_another_writer_was_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    save_folder(path, "old")
    save_folder(tmp_path / "other", "other")
    rename = type(path).rename
    faster = [tmp_path / "other"]

    def renamed(self: Path, target: Path) -> Path:
        if self.name == "new" and faster:
            rename(faster.pop(), path)
        return rename(self, target)

    monkeypatch.setattr("meiro._utils.atomic_folder._exchanged", lambda *_: False)
    monkeypatch.setattr(type(path), "rename", renamed)
    save_folder(path, "new")
    assert faster == []
    assert of_folder(path) == "newnew"
    assert names(tmp_path) == ["x"]


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is a call of Linux")
def test_folders_that_cannot_be_exchanged_are_an_error_with_the_name(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "file").touch()
    assert not _exchanged(tmp_path / "new", tmp_path / "none")
    with pytest.raises(NotADirectoryError) as caught:
        _exchanged(tmp_path / "new", tmp_path / "file" / "x")
    assert caught.value.filename == str(tmp_path / "file" / "x")


@pytest.fixture
def lacking(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make this system one that has no locks, or does not say since when it runs."""

    def fails(*_: object, **__: object) -> None:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    if request.param == "POSIX":
        windows = SimpleNamespace(**vars(os) | {"name": "nt"})
        monkeypatch.setattr(leftovers, "fcntl", None)
        for module in ("atomic", "atomic_folder"):
            monkeypatch.setattr(f"meiro._utils.{module}.LOCKS", False)
            monkeypatch.setattr(f"meiro._utils.{module}.os", windows)
    elif request.param == "locks of this file system":
        monkeypatch.setattr("fcntl.flock", fails)
    else:
        leftovers._machine.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(type(Path()), "read_text", fails)
            assert leftovers._machine() == "0" * 8
    yield
    leftovers._machine.cache_clear()


@pytest.mark.parametrize("lacking", ["POSIX", "locks of this file system", "boot id"], indirect=True)
@pytest.mark.usefixtures("lacking")
def test_without_locks_all_is_replaced_and_leftovers_are_removed_after_a_day(tmp_path: Path) -> None:
    left = {age: leftovers.temporary_name(tmp_path / str(age)) for age in (0, 23, 25)}
    for age, file in left.items():
        file.write_text("half")
        os.utime(file, (time.time() - 3600 * age,) * 2)
    for text in ("old", "new"):
        save(tmp_path / "x", text)
        save_folder(tmp_path / "folder", text)
    assert (tmp_path / "x").read_text() == "new"
    with pytest.raises(NotADirectoryError), atomic_folder(tmp_path / "folder") as new:
        Path(shutil.copytree(tmp_path / "folder", new), "a", "b").touch()
    assert read_folder(tmp_path / "folder", of_folder) == "newnew"
    assert names(tmp_path) == sorted([left[0].name, left[23].name, "folder", "x"])


def test_a_python_without_fcntl_has_no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert leftovers.__spec__ is not None
    assert leftovers.__spec__.loader is not None
    again = importlib.util.module_from_spec(leftovers.__spec__)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    leftovers.__spec__.loader.exec_module(again)
    assert (again.LOCKS, again.lock(0)) == (False, None)
    assert again is not leftovers


def test_the_folders_that_were_searched_are_not_kept_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = {tmp_path / str(i): float("inf") for i in range(1000)}
    monkeypatch.setattr(leftovers, "_searched", searched)
    save(tmp_path / "x", "new")
    assert list(searched) == [tmp_path]


def test_a_folder_that_is_missing_or_wrong_is_not_waited_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        read_folder(tmp_path / "none", of_folder)
    assert caught.value.filename == str(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        read_folder(tmp_path, of_folder)
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        read_folder(tmp_path / "file", of_folder)
