"""Disks that are full or read-only, writers that are killed, and several writers and readers of one path.

Every format that can be written is in `writers`: those of the tables of formats come by themselves. A path
must always hold one of the two contents that are saved to it, whole; an error must be an OSError that names
the path; beside it there may be nothing but the temporary files of writers that were killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import os
import random
import re
import resource
import shutil
import signal
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import meiro
from meiro.drawing.animation.encoders import WRITERS
from meiro.io.formats import beside_of, suffixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from campaign import Campaign

SIDE = 60
TURN = 0.6  # seconds of several writers and readers
LATE = 30  # seconds after which a process is ended by its alarm
DISK = 8 << 20
NEW_NAMESPACE, PRIVATE, WRITABLE, READ_ONLY = (
    0x20000,
    0x4000 | 0x40000,
    32,
    33,
)  # flags of unshare(2) and mount(2)
DISK_ERRORS = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM}
_PAGE_ID = re.compile(rb"meiro-[0-9a-f]{16}")  # a page is given another one each time


class Writer(NamedTuple):
    """How content 0 or 1 is saved to a path, and how a path is compared with what was saved."""

    suffix: str
    save: Callable[[int, Path], object]
    read: Callable[[Path], object]


def _bytes(path: Path) -> object:
    return _PAGE_ID.sub(b"", path.read_bytes())


def _tiles(folder: Path) -> object:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _batch(path: Path) -> object:
    batch = meiro.MazeBatch.open(path)
    return batch.passages.tobytes(), batch.replicates.tobytes()


def _maze(path: Path) -> object:
    maze = meiro.read(path)
    return maze.grid.tobytes() if isinstance(maze, meiro.Maze) else np.asarray(maze).tobytes()


@functools.cache
def writers() -> dict[str, Writer]:
    """Return a writer for each format."""
    mazes = [meiro.generate((SIDE, SIDE), "kruskal", rng=i) for i in (1, 2)]
    batches = [meiro.generate_many((20, 20), "wilson", 300, rng=i) for i in (1, 2)]
    traces = [meiro.trace((8, 8), rng=i) for i in (1, 2)]
    films = [meiro.animate(trace, max_frames=20, size=60) for trace in traces]
    pages = [meiro.player(trace) for trace in traces]
    tables = [meiro.survey((5, 5), "wilson", 2000, rng=i, by="maze") for i in (1, 2)]
    found = {
        f"maze {suffix}": Writer(
            suffix, lambda i, path: mazes[i].save(path), _maze if suffix == ".npz" else _bytes
        )
        for suffix in suffixes("write")
        if suffix != ".pdf"
    }
    found["maze .pdf"] = Writer(".pdf", lambda i, path: mazes[i].save(path, page="fit", mm=1), _bytes)
    found["book"] = Writer(".pdf", lambda i, path: meiro.io.puzzle_book(path, batches[i][:9]), _bytes)
    for suffix in (".npz", ".zarr"):
        found[f"batch {suffix}"] = Writer(suffix, lambda i, path: batches[i].save(path), _batch)
    for suffix in WRITERS if shutil.which("ffmpeg") else [each for each in WRITERS if each != ".mp4"]:
        found[f"animation {suffix}"] = Writer(suffix, lambda i, path: films[i].save(path), _bytes)
    found["page"] = Writer(".html", lambda i, path: pages[i].save(path), _bytes)
    found["table"] = Writer(".csv", lambda i, path: tables[i].to_csv(path), _bytes)
    found["table .parquet"] = Writer(".parquet", lambda i, path: tables[i].to_parquet(path), _bytes)
    found["pyramid"] = Writer(".tiles", lambda i, path: meiro.io.pyramid(mazes[i], path), _tiles)
    return found


class Case:
    """One writer and one path, whose content is compared with the two that may be there."""

    def __init__(self, campaign: Campaign, name: str, folder: Path, pristine: list[object]) -> None:
        self.campaign = campaign
        self.name = name
        self.writer = writers()[name]
        self.path = folder / f"x{self.writer.suffix}"
        self.beside = self.path.with_suffix(beside_of(self.writer.suffix) or self.writer.suffix)
        self.pristine = pristine

    def save(self, i: int) -> None:
        self.writer.save(i, self.path)

    def content(self) -> int:
        """Return which content the path holds; ValueError if it is neither."""
        return self.pristine.index(self.writer.read(self.path))

    def wrong(self, what: str) -> None:
        self.campaign.found("wrong answer", f"{self.name}: {what}")

    def check(self, what: str, among: tuple[int, ...]) -> None:
        """Find a content that is torn, mixed or not among the given."""
        try:
            if (found := self.content()) not in among:
                self.wrong(f"{what}: the path holds content {found}")
        except (OSError, ValueError) as e:
            self.wrong(f"{what}: the path holds neither content: {e!r}"[:300])

    def check_clean(self, what: str) -> None:
        """Find files beside the path."""
        left = sorted(
            {file.name for file in self.path.parent.iterdir()} - {self.path.name, self.beside.name, "filler"}
        )
        if left:
            self.wrong(f"{what}: there are {left}")

    def try_save(self, what: str) -> bool:
        """Save content 1 where the disk refuses it, and find any error but an OSError that names the path."""
        try:
            self.save(1)
        except OSError as e:
            if e.errno not in DISK_ERRORS or os.fspath(e.filename or "") not in {
                str(self.path),
                str(self.beside),
            }:
                self.campaign.found("undocumented exception", f"{self.name}: {what}: {e!r} of {e.filename}")
        except Exception as e:  # noqa: BLE001  # it is what is looked for
            if not (isinstance(e, RuntimeError) and self.path.suffix == ".mp4"):  # of ffmpeg, as documented
                self.campaign.found("undocumented exception", f"{self.name}: {what}: {e!r}"[:300])
        else:
            return True
        return False


def forked(work: Callable[[], object]) -> int:
    """Do some work in a child process, which ends with 0, or with 1 after an error."""
    child = os.fork()
    if child == 0:
        signal.alarm(LATE)
        code = 1
        try:
            work()
            code = 0
        except BaseException:  # noqa: BLE001  # the parent only sees the code
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def kill(case: Case, rng: random.Random) -> None:
    """Kill a process that saves again and again."""
    after = rng.uniform(0, 0.15)
    what = f"killed after {after:.4f} s"

    def work() -> None:
        for i in range(10**6):
            case.save(i % 2)

    case.save(0)
    child = forked(work)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    left = [file for file in case.path.parent.iterdir() if file.suffix == ".tmp"]
    if not case.path.exists():  # killed between the two names of folders: both lie beside, whole
        left.pop([file.is_dir() for file in left].index(True)).rename(case.path)
    case.check(what, (0, 1))
    case.save(1)
    case.check(f"saved after being {what}", (1,))
    for file in left:
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    case.check_clean(f"saved after being {what}")


def limited(case: Case, rng: random.Random) -> None:
    """Save where no file may be longer than some bytes."""
    case.save(0)
    most = rng.randrange(1, 1 + max(size_of(case.path), 2))
    what = f"RLIMIT_FSIZE {most}"
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, unlimited[1]))
    try:
        saved = case.try_save(what)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    case.check(what, (1,) if saved else (0,))
    case.check_clean(what)


def full(case: Case, rng: random.Random) -> None:
    """Save on a disk with some bytes left."""
    case.save(0)
    size = size_of(case.path)
    disk = os.statvfs(case.path.parent)
    left = rng.randrange(max(size, disk.f_frsize) + disk.f_frsize)
    what = f"a disk with {left} bytes left"
    filler = case.path.with_name("filler")
    filler.write_bytes(bytes(max(disk.f_bavail * disk.f_frsize - left, 0)))
    saved = case.try_save(what)
    case.check(what, (1,) if saved else (0,))
    case.check_clean(what)
    filler.unlink()
    case.save(1)
    case.check(f"saved after {what}", (1,))


def read_only(case: Case, _rng: random.Random, remount: Callable[[int], None]) -> None:
    """Save on a disk that has become read-only."""
    case.save(0)
    remount(READ_ONLY)
    try:
        if case.try_save("a read-only disk"):
            case.wrong("saved on a read-only disk")
        case.check("a read-only disk", (0,))
    finally:
        remount(WRITABLE)


def several(case: Case, rng: random.Random) -> None:
    """Let 4 processes save to one path, and 4 read it."""
    case.save(0)
    end = time.monotonic() + TURN
    first = rng.randrange(2)

    def write() -> None:
        for i in range(10**6):
            case.save((first + i) % 2)
            if time.monotonic() > end:
                return

    def read() -> None:
        while time.monotonic() < end:
            case.content()

    children = [forked(work) for work in (write, read) * 4]
    failed = sum(os.waitpid(child, 0)[1] != 0 for child in children)
    if failed:
        case.wrong(f"{failed} of 4 writers and 4 readers failed: see standard error")
    case.check("4 writers and 4 readers", (0, 1))
    case.check_clean("4 writers and 4 readers")


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of the files of a folder."""
    return sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")))


@contextlib.contextmanager
def small_disk() -> Iterator[tuple[str, Callable[[int], None]] | None]:
    """Mount a small disk in memory that only this process sees; None where that is not allowed.

    Yields its path, and a function that mounts it again with other flags.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    with tempfile.TemporaryDirectory() as name:

        def mount(flags: int) -> None:
            if libc.mount(b"tmpfs", os.fsencode(name), b"tmpfs", flags, b"size=%d" % DISK):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

        try:
            if libc.unshare(NEW_NAMESPACE) or libc.mount(b"none", b"/", None, PRIVATE, None):
                raise PermissionError
            mount(0)
        except (OSError, AttributeError):
            yield None
            return
        try:
            yield name, mount
        finally:
            libc.umount2(os.fsencode(name), 2)


def run(campaign: Campaign) -> None:
    """Try every writer with every fault, in random order, until the time is up."""
    rng = random.Random(campaign.seed)
    with small_disk() as disk, tempfile.TemporaryDirectory() as folder:
        faults: dict[str, Callable[[Case, random.Random], None]] = {
            "kill": kill,
            "several": several,
            "limited": limited,
        }
        if disk is not None:
            faults |= {"full": full, "read-only": functools.partial(read_only, remount=disk[1])}
        campaign.note("disk in memory", "not allowed" if disk is None else "mounted")
        pristine: dict[str, list[object]] = {}
        tried = dict.fromkeys(faults, 0)
        cases = [(fault, name) for fault in faults for name in writers()]
        for fault, name in campaign.in_turn(cases, rng):
            if name not in pristine:
                pristine[name] = [saved(writers()[name], i, folder) for i in (0, 1)]
            campaign.attempt(f"{fault}: {name}")
            place = disk[0] if disk is not None and fault in {"full", "read-only"} else folder
            with tempfile.TemporaryDirectory(dir=place) as inner:
                case = Case(campaign, name, Path(inner), pristine[name])
                try:
                    faults[fault](case, rng)
                except Exception as e:  # noqa: BLE001  # it is what is looked for
                    campaign.found("undocumented exception", f"{fault}: {name}: {e!r}"[:300])
            tried[fault] += 1
        campaign.note("tried", ", ".join(f"{fault} {n}" for fault, n in tried.items()))


def saved(writer: Writer, i: int, folder: str) -> object:
    """Return what is read when content `i` was saved."""
    path = Path(folder, f"x{writer.suffix}")
    writer.save(i, path)
    return writer.read(path)
