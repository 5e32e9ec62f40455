"""A path holds the whole old file or folder, or the whole new one; an error leaves nothing beside it."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import threading
import time
from pathlib import Path, PurePath
from typing import Any

import pytest
from refusals import refused

from meiro._utils.atomic import atomic, atomic_folder, read_folder, worker

NAMES = ["x", "x" * 255, "迷" * 85, "\N{MATHEMATICAL BOLD CAPITAL A}" * 63, "é" * 122, "x\x1b\n\udcff"]
ERRORS = [ValueError("no maze"), KeyboardInterrupt(), OSError(errno.EIO, "Input/output error")]


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def save(path: Path, text: str, error: BaseException | None = None) -> None:
    with atomic(path, "w") as file:
        file.write(text)
        file.flush()
        if error is not None:
            raise error


def save_folder(path: Path, text: str, error: BaseException | None = None) -> None:
    with atomic_folder(path) as folder:
        for name in "ab":
            (folder / name).write_text(text)
            if error is not None:
                raise error


def of_folder(path: Path) -> str:
    return "".join((path / name).read_text() for name in "ab")


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_every_name_that_is_valid_can_be_saved_and_replaced(name: str, tmp_path: Path) -> None:
    for text in ("old\n", "nü\n"):
        save(tmp_path / name, text)
        assert (tmp_path / name).read_bytes() == text.encode()
    (tmp_path / name).unlink()
    for text in ("old", "new"):
        save_folder(tmp_path / name, text)
        assert read_folder(tmp_path / name, of_folder) == 2 * text
    assert names(tmp_path) == [name]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_after_an_error_the_path_is_as_it_was(error: BaseException, tmp_path: Path) -> None:
    path, folder = tmp_path / "x", tmp_path / "y"
    for old in ([], ["x", "y"]):
        for write, place in ((save, path), (save_folder, folder)):
            with pytest.raises(type(error)) as caught:
                write(place, "new", error)
            if isinstance(error, OSError):
                assert getattr(caught.value, "filename", None) == str(place)
        assert names(tmp_path) == old
        save(path, "old")
        save_folder(folder, "old")
    assert (path.read_text(), of_folder(folder)) == ("old", "oldold")


@pytest.mark.parametrize("error", ERRORS[1:], ids=repr)
@pytest.mark.parametrize("back", [True, False])
def test_a_folder_that_cannot_take_the_name_gives_it_back(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, back: bool
) -> None:
    path = tmp_path / "x"
    save_folder(path, "old")
    failed: list[Path] = []
    rename = Path.rename

    def fails(self: Path, target: Path) -> Path:
        if target == path and not (failed and back):
            assert not path.exists()
            failed.append(self)
            raise error
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(type(error)):
        save_folder(path, "new")
    left = names(tmp_path)
    assert len(left) == 1, "the old folder under its name, or at least beside it"
    assert (left == ["x"]) is back
    assert of_folder(tmp_path / left[0]) == "oldold"


@pytest.mark.parametrize("closed_twice", [False, True])
def test_ctrl_c_while_the_old_folder_is_removed_leaves_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, closed_twice: bool
) -> None:
    save_folder(tmp_path / "x", "old")
    stopped: list[Path] = []
    remove = shutil.rmtree

    def stops(path: Path, **options: Any) -> None:
        if not stopped:
            stopped.append(path)
            try:
                raise KeyboardInterrupt
            finally:
                if closed_twice:  # as shutil closes a folder if Ctrl-C comes while it does so
                    raise OSError(errno.EBADF, "Bad file descriptor")
        remove(path, **options)

    monkeypatch.setattr(shutil, "rmtree", stops)
    with pytest.raises(KeyboardInterrupt):
        save_folder(tmp_path / "x", "new")
    assert of_folder(tmp_path / "x") == "newnew"
    assert names(tmp_path) == ["x"]


def test_work_in_another_thread_has_ended_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def stop(_: threading.Thread) -> None:
        raise KeyboardInterrupt

    def work() -> None:
        time.sleep(0.05)
        done.append("done")

    def interrupted() -> None:
        with worker() as pool:
            monkeypatch.setattr(threading.Thread, "start", stop)  # there is no other thread to begin
            pool.submit(work)
            done.append("begun")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == ["begun", "done"]


def test_readers_and_writers_at_the_same_time_see_one_folder_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meiro._utils.atomic._TRIES", 10_000)  # a busy machine may stop between two names
    path = tmp_path / "x"
    save_folder(path, "0")
    seen: set[str] = set()
    wrong: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for _ in range(30):
                save_folder(path, name) if name else seen.add(read_folder(path, of_folder))
        except BaseException as e:  # noqa: BLE001  # of a thread
            wrong.append(e)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("1", "2", "", "", "")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert seen <= {"00", "11", "22"}
    assert names(tmp_path) == ["x"]


def test_a_folder_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    path, turns = tmp_path / "x", iter(range(1000))
    save_folder(path, "0")

    def read(folder: Path, most: int) -> str:
        first, turn = (folder / "a").read_text(), next(turns)
        if turn < most:
            save_folder(path, str(turn))
        return first + (folder / "b").read_text()

    assert read_folder(path, lambda folder: read(folder, 3)) == "22"
    refused(BlockingIOError, "replaced again and again", read_folder, path, lambda folder: read(folder, 1000))
    with pytest.raises(FileNotFoundError) as caught:
        read_folder(tmp_path / "none", of_folder)
    assert caught.value.filename == str(tmp_path / "none")
    refused(FileNotFoundError, r"'.*a'", read_folder, tmp_path, of_folder)


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_permissions_owners_and_links_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, link, folder = tmp_path / "x", tmp_path / "link", tmp_path / "folder"
    owner = (12345, 23456) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    save(path, "1")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    save_folder(folder, "old")
    link.symlink_to(path)
    for place, mode in ((path, 0o6640), (folder, 0o2710)):
        os.chown(place, *owner)
        place.chmod(mode)
    with atomic(link) as file:
        beside = next(other for other in tmp_path.iterdir() if other.suffix == ".tmp").stat()
        assert stat.S_IMODE(beside.st_mode) == 0o640, "nobody else may read it earlier"
        file.write(b"2")
    save_folder(folder, "new")
    assert link.is_symlink()
    assert (path.read_text(), of_folder(folder)) == ("2", "newnew")
    for place, mode in ((path, 0o640), (folder, 0o710)):
        found = place.stat()
        assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (*owner, mode)
    path.chmod(0o400)
    if os.access(path, os.W_OK):  # root may write everything
        monkeypatch.setattr(os, "access", lambda place, _: place != path)
    with pytest.raises(PermissionError) as caught:
        save(path, "3")
    assert caught.value.filename == str(path)
    assert names(tmp_path) == ["folder", "link", "x"]


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    save(pipe, "through")
    reader.join(10)
    assert found == [b"through"]
    assert pipe.is_fifo()


def test_errors_name_the_path(tmp_path: Path) -> None:
    for write in (save, save_folder):
        with pytest.raises(FileNotFoundError) as caught:
            write(tmp_path / "none" / "x", "new")
        assert caught.value.filename == str(tmp_path / "none" / "x")
    with pytest.raises(IsADirectoryError):
        save(tmp_path, "new")
    refused(ValueError, "mode must be", atomic(tmp_path / "x", "r").__enter__)
    with pytest.raises(FileNotFoundError, match="'other'"):
        save(tmp_path / "x", "new", FileNotFoundError(2, "No such file or directory", "other"))
    with pytest.raises(FileNotFoundError, match=r"^ffmpeg is missing$"):
        save(tmp_path / "x", "new", FileNotFoundError("ffmpeg is missing"))
    assert names(tmp_path) == []


def test_error_stays_itself_where_a_path_has_no_memory_in_the_cleanup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_method(self: Path) -> str:
        raise TypeError(  # what CPython says where it has no memory for the bound method
            f"expected str, bytes or os.PathLike object, not {type(self).__name__}"
        )

    def fail(patch: pytest.MonkeyPatch) -> None:
        with atomic(tmp_path / "x", "w"):
            patch.setattr(PurePath, "__fspath__", no_method)
            raise MemoryError

    with monkeypatch.context() as patch, pytest.raises(MemoryError):
        fail(patch)
    assert names(tmp_path) == []
