"""Allocations that fail and threads that cannot be started, at every place of every public operation.

Each call of `valid_calls` is repeated while its 1st, 2nd, ... allocation fails, alone or with `BURST` that
come after it: it raises MemoryError or succeeds, leaves no memory or file behind, and the next call of the
same object is right. What fails are the allocations of meiro's module (core), those of what it calls, as
CPython and NumPy (border), and those of the Python interpreter anywhere (python: in runs of a minute and
more, and before CPython 3.13, which frees code twice where it cannot make a function). Where threads cannot
be started (threads), results are the same. Under a limit of the address space (limit) MemoryError says how
many bytes.

In the scopes border and python other libraries fail, too, and these are told apart:

- CPython, NumPy and others replace a MemoryError: `os.fspath` says that a Path is no path, `numpy.unique`
  that integers cannot be compared. Such an exception is one of theirs if neither a ``raise`` of meiro nor a
  call of its module has raised it. Notes count them by type and file: a new one there may be a MemoryError
  that meiro itself lost. Objects and files are judged after them as after a MemoryError.
- They crash. Each such crash is repeated by a small program without meiro: `foreign_crashes`. Any other crash
  is a finding, whichever library it is in.
"""

from __future__ import annotations

import dis
import gc
import itertools
import linecache
import os
import pickle
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import meiro
from meiro import _core

if __name__ == "__main__":  # a worker
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "helpers")]

from foreign_crashes import BURST as SOME
from foreign_crashes import crashed_in, is_repeated
from operations.long_operations import OPERATIONS
from system_faults import SCOPES, SystemFaults, build
from valid_calls import Call, calls, use

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from campaign import Campaign

SILENT = 40.0  # seconds without a new attempt: a hang
# How many fail, if not one. CPython ends the process where 32 of its own fail in a row for one exception.
BURST = {"core": 1 << 60, "border": SOME, "python": SOME, "threads": 1 << 60}
AT_ONCE = 40  # failing allocations of one call in one round
MARGIN = 3 << 20  # bytes that may still be allocated under the limit
BOUND = re.compile(r"([\w.]+\.)?(_core|_rows|recording|found)\.\w+\(")  # a call of meiro's module

THREADED = {
    "generate": "meiro.generate((300, 300), 'kruskal', rng=1, threads=4)",
    "generate strips": "meiro.generate((600, 40), 'binary_tree', rng=1, threads=4)",
    "generate turned": "meiro.generate((600, 400), 'sidewinder', towards='north', rng=1, threads=4)",
    "generate posts": "meiro.generate((900, 1300), 'pole_toppling', rng=1, threads=4)",
    "generate_many": "meiro.generate_many((8, 8), n=3000, rng=1, threads=4)",
    "measure": "meiro.measure(many, ['dead_ends'], threads=4)",
    "MazeBatch.solve": "many.solve((0, 0), (7, 7), paths=True, threads=4)",
    "endpoints": "meiro.endpoints(many, 'farthest', threads=4)",
    "Maze.to_grid": "large.to_grid(threads=4)",
    "Maze.to_grid wide": "large.to_grid(corridor=2, threads=4)",
    "survey": "meiro.survey((8, 8), 'wilson', n=3000, rng=1, threads=4)",
}
LIMITED = [  # rows of the table of long operations
    *(f"generate {name}" for name in meiro.ALGORITHMS),
    *(f"solve {name}" for name in meiro.SOLVERS),
    *[
        "distances",
        "measure",
        "check",
        "braid",
        "sparsify",
        "unicursal",
        "longest_path",
        "policy",
        "bottlenecks",
        "locks",
    ],
    *["shortest_paths", "components", "rotate", "Maze.to_grid"],
    "generate_many wilson",
]


def run(campaign: Campaign) -> None:
    """Run workers, each until it dies, until all has been tried or the time is over."""
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder))
        if library is None:
            campaign.note("skipped", "there is no g++ for the library that makes allocations fail")
            return
        # Dask works in the thread that is armed.
        faults = {"LD_PRELOAD": str(library), "PYTHONMALLOC": "malloc", "DASK_SCHEDULER": "sync"}
        works = [("faults", faults), ("python", faults), ("limit", {})]
        if campaign.seconds < 60 or sys.version_info >= (3, 13):
            del works[1]
        foreign: Counter[str] = Counter()
        for rest, (work, environment) in zip(range(len(works))[::-1], works, strict=True):
            first, until = 0, campaign.time_left() * (0.2, 0.55)[rest - 1] if rest else 0.0
            while first >= 0 and campaign.time_left() > until:
                seconds = campaign.time_left() - until
                command = [sys.executable, __file__, work, *map(str, (campaign.seed, first, seconds))]
                first = watch(campaign, command, environment, folder, foreign)
        campaign.note("crashes and exceptions of other libraries in the scope python", sum(foreign.values()))
        for what, times in foreign.most_common(20):
            campaign.note(what, times)


def watch(
    campaign: Campaign, command: list[str], faults: dict[str, str], folder: str, foreign: Counter[str]
) -> int:
    """Run a worker in `folder`; return the job after the one it died of, -1 if it did not."""
    environment = {**os.environ, **faults, "MPLBACKEND": "agg"}
    job, at, rest, died = -1, "its start", b"", "crash"
    with tempfile.TemporaryFile() as errors:
        worker = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors)
        assert worker.stdout is not None
        while True:
            if not select.select([worker.stdout], [], [], SILENT)[0]:
                died = "hang"
                worker.kill()
                break
            block = os.read(worker.stdout.fileno(), 1 << 16)
            if not block:
                break
            *lines, rest = (rest + block).split(b"\n")
            for kind, number, text in (line.decode().split(" ", 2) for line in lines):
                if kind == "at":
                    job, at = int(number), text
                    campaign.attempt(at)
                elif kind == "note":
                    campaign.note(*text.split("=", 1))
                elif kind == "foreign":
                    foreign[text] += 1
                else:
                    campaign.found(kind.replace("_", " "), text)
        code = worker.wait()
        worker.stdout.close()
        if code == 0:
            return -1
        errors.seek(0)
        last = errors.read().decode(errors="replace")[-4000:]
        function = crashed_in(last) if died == "crash" and command[2] == "python" else None
        if function is not None and is_repeated(function, faults):
            foreign[f"crash in {function}"] += 1
        else:
            last = last[-300:].replace("\n", " | ")
            campaign.found(died, f"{at}: exit {code}: {last}")
    return job + 1


class Target(NamedTuple):
    """A call, which of its allocations fail, and how many of them: one, or with those that follow."""

    name: str
    scope: str
    many: int
    prepare: Callable[[Path], tuple[Callable[..., object], dict[str, Any]]]


class Worker:
    """What a worker process does: jobs, told to its parent line by line."""

    def __init__(self, seed: int, first: int, seconds: float) -> None:
        self.seed, self.first = seed, first
        self.until = time.monotonic() + seconds
        self.job = 0
        self._parent = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        self.folder = Path.cwd() / "call"
        self.folder.mkdir(exist_ok=True)

    def tell(self, kind: str, *words: object) -> None:
        """Send a line to the parent."""
        text = " ".join(map(str, words)).replace("\n", " ")[:900]
        os.write(self._parent, f"{kind} {self.job} {text}\n".encode())

    def prepare(self, target: Target) -> tuple[Callable[..., object], dict[str, Any]]:
        """Return the call of a target, in an empty folder."""
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        return target.prepare(self.folder)

    def left(self) -> bool:
        """Return whether there is time left."""
        return time.monotonic() < self.until

    def faults(self, *scopes: str) -> None:
        """Let allocations and threads fail."""
        targets = [
            Target(call.name, scope, many, call.prepare)
            for call in _valid_calls()
            for scope in scopes
            for many in (1, BURST[scope])
        ]
        for name, text in THREADED.items() if "core" in scopes else ():
            evaluate = partial(_evaluate, text)
            targets += [Target(name, "threads", many, evaluate) for many in (1, BURST["threads"])]
        random.Random(self.seed).shuffle(targets)
        injector = SystemFaults(_core.__file__)
        more, turn = True, 0
        while more and self.left():
            more = False
            for target in targets:
                self.job += 1
                if self.job > self.first and self.left():
                    more |= self.fail(injector, turn, target)
            turn += 1

    def fail(self, injector: SystemFaults, turn: int, target: Target) -> bool:
        """Let some allocations of a call fail; return whether there are more of them for another turn."""
        self.tell("at", f"{target.name}, no fault")
        function, arguments = self.prepare(target)
        if _breaks_elsewhere(target, arguments):
            return False
        result: object = function(**arguments)
        lazy = use(result) is not result  # imports and caches, too
        expected: list[object] = []
        total = 0
        for _ in range(2):
            function, arguments = self.prepare(target)
            call = partial(function, **arguments)
            result, error, total = _armed(injector, target, 0, call, lazy=lazy)
            if error is not None:
                self.tell("undocumented_exception", f"{target.name}: {error!r} without a fault")
                return False
            expected.append(_fingerprint(result))
        stateful = expected[0] != expected[1] or target.name.endswith("__iter__")
        places = random.Random(f"{self.seed} {self.job}").sample(range(1, total + 1), total)
        for n in places[AT_ONCE * turn : AT_ONCE * (turn + 1)]:
            after = " and those after it" * (target.many > 1)
            what = f"{target.name}, {target.scope}, call {n} of {total} fails{after}"
            self.tell("at", what)
            injector.forget_blocks()
            files = _open_files()
            left: list[int] = []
            for _ in range(4):  # a leak grows
                self.attempt(injector, target, n, what, None if stateful else expected[1], lazy=lazy)
                if injector.live_blocks():
                    gc.collect()
                left.append(injector.live_blocks())
                if left[-1] == 0 or (len(left) > 1 and left[-1] <= left[-2]):
                    break
            else:
                self.tell("wrong_answer", f"{what}: leaks, {left} blocks")
            if _open_files() > files and gc.collect() >= 0 and _open_files() > files:
                self.tell("wrong_answer", f"{what}: {_open_files() - files} files stay open")
            if not self.left():
                return False
        return total > AT_ONCE * (turn + 1)

    def attempt(
        self, injector: SystemFaults, target: Target, n: int, what: str, expected: object, *, lazy: bool
    ) -> None:
        """Make a call whose n-th allocation fails; if it does, make it again with the same objects."""
        function, arguments = self.prepare(target)
        call = partial(function, **arguments)
        result, error, _ = _armed(injector, target, n, call, lazy=lazy)
        if error is not None:
            if target.scope in {"border", "python"} and not _raised_by_meiro(error):
                if not isinstance(error, MemoryError):
                    self.tell("foreign", f"{type(error).__name__} in {_file_of(error)}")
            elif not isinstance(error, MemoryError) or target.scope == "threads":
                self.tell("undocumented_exception", f"{what}: {_described(error)}")
            error, what = None, f"after {what}"
            try:
                result = use(call())
            except FileExistsError:
                return  # a survey that was begun
            except Exception as raised:  # noqa: BLE001  # whatever it is
                self.tell("wrong_answer", f"{what}: {_described(raised)}")
                return
        if expected is not None and _fingerprint(result) != expected:
            self.tell("wrong_answer", f"{what}: another result")

    def limit(self) -> None:
        """Allocate about as much as a limit of the address space allows."""
        names = sorted(LIMITED)
        random.Random(self.seed).shuffle(names)
        refused = 0
        for name in names:
            self.job += 1
            if self.job <= self.first or not self.left():
                continue
            _within(name, 10, None)  # imports
            fits, least = 64, 2048
            for _ in range(9):
                side = int((fits * least) ** 0.5)
                if side in {fits, least}:
                    break
                what = f"{name}, side={side}, {MARGIN} bytes free"
                self.tell("at", what)
                error = _within(name, side, MARGIN)
                if error is None:
                    fits = side
                    continue
                least = side
                if not isinstance(error, MemoryError) or not any(c.isdigit() for c in str(error)):
                    self.tell("undocumented_exception", f"{what}: {error!r}")
            refused += least < 2048
        self.tell("note", f"operations refused under RLIMIT_AS={refused}")


def _within(name: str, side: int, margin: int | None) -> BaseException | None:
    """Run a long operation, with `margin` more bytes of address space; return its exception."""
    import resource

    call = OPERATIONS[name].build(side)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    if margin is not None:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + margin, limits[1]))
    try:
        call()
    except BaseException as error:  # noqa: BLE001  # whatever it is
        return error.with_traceback(None)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
    return None


def _armed(
    injector: SystemFaults, target: Target, n: int, call: Callable[[], object], *, lazy: bool
) -> tuple[object, BaseException | None, int]:
    """Return the result of a call or its exception, and how many calls of the system were counted.

    Nothing but the call allocates in between; it is `lazy` if its result works only when it is used: it is.
    """
    disarm = injector.disarm
    result, error = None, None
    injector.arm(SCOPES.index(target.scope), n, target.many if n else 0)
    try:
        result = use(call()) if lazy else call()
    except BaseException as raised:  # noqa: BLE001  # whatever it is
        disarm()
        error = raised
    return result, error, disarm()


def _described(error: BaseException) -> str:
    places = traceback.extract_tb(error.__traceback__)[-3:]
    return f"{error!r} at {', '.join(f'{Path(p.filename).name}:{p.lineno}' for p in places)}"


def _innermost(error: BaseException) -> TracebackType | None:
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return entry


def _file_of(error: BaseException) -> str:
    entry = _innermost(error)
    return "C" if entry is None else Path(entry.tb_frame.f_code.co_filename).name


def _raised_by_meiro(error: BaseException) -> bool:
    """Return whether a line of meiro or its module raised it, not something that meiro called, as NumPy."""
    entry = _innermost(error)
    if entry is None or "meiro" not in Path(entry.tb_frame.f_code.co_filename).parts:
        return False
    code = entry.tb_frame.f_code
    if dis.opname[code.co_code[entry.tb_lasti]].startswith("RAISE"):
        return True
    line, last, first, end = next(itertools.islice(code.co_positions(), entry.tb_lasti // 2, None))
    if line is None or line != last:
        return BOUND.match(linecache.getline(code.co_filename, line or 0).strip()) is not None
    return BOUND.match(linecache.getline(code.co_filename, line).encode()[first:end].decode()) is not None


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # allocates least


def _fingerprint(x: object) -> object:
    """Return something that is equal for equal results."""
    if isinstance(x, np.ndarray):
        return x.dtype.str, x.shape, x.tobytes()
    if isinstance(x, list | tuple):
        return tuple(map(_fingerprint, x))
    try:
        return pickle.dumps(x)
    except Exception:  # noqa: BLE001  # some cannot be pickled, each says so in its own way
        return type(x)


def _valid_calls() -> list[Call]:
    return [call for call in calls() if not call.package or find_spec(call.package)]


def _breaks_elsewhere(target: Target, arguments: dict[str, Any]) -> bool:
    """Return whether another library aborts or hangs where Python has no memory: SuperLU, Dask, zarr."""
    other = target.name.startswith(("log_number_of_mazes", "dask.")) or ".zarr" in str(arguments.get("path"))
    return target.scope == "python" and other


def _evaluate(text: str, _: Path) -> tuple[Callable[..., object], dict[str, Any]]:
    return partial(eval, compile(text, "<threaded>", "eval"), _mazes()), {}


@cache
def _mazes() -> dict[str, object]:
    many = meiro.generate_many((8, 8), n=3000, rng=1)
    return {"meiro": meiro, "many": many, "large": meiro.generate((1500, 1500), "binary_tree", rng=1)}


if __name__ == "__main__":
    worker = Worker(int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
    work: dict[str, Callable[[], None]] = {
        "faults": partial(worker.faults, "core", "border"),
        "python": partial(worker.faults, "python"),
        "limit": worker.limit,
    }
    work[sys.argv[1]]()
    os._exit(0)
