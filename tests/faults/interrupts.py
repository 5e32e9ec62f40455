"""Ctrl-C at random times in every long operation, also of the command and of a Jupyter kernel.

Each operation of `long_operations` runs once undisturbed while a timer asks every few milliseconds whether
Python would run a signal handler: its longest silence is the worst latency. Then it is interrupted at random
times, by KeyboardInterrupt and by an exception of the user's own handler. After each of these: the exception
arrived within 100 ms, 300 ms where NumPy works alone, and unchanged, no file is torn and no temporary one
left, no thread is left, and a small call of the same operation returns what it returned before.

Time is that of the CPU, as the machine may be busy, except where an operation waits for others. What is
silent in a call of another package (Pillow decodes a WebP picture in one) is noted, not found.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import os
import pickle
import queue
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

os.environ["MPLBACKEND"] = "Agg"

import numpy as np
from operations import long_operations
from operations.long_operations import OPERATIONS, SMALL, Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

    from campaign import Campaign

STANDARD = Path(os.__file__).parent  # the standard library
LIMIT = 0.1  # seconds from the signal to the exception
NUMPY_LIMIT = 0.3  # the same where NumPy works alone, which hears no signal
WALL_LIMIT = 1.0  # the same where others are waited for, which a busy machine delays
TICK = 0.004
TIMES = 2  # an operation is interrupted in its turn
TRIES = 3  # the best of several decides whether something is too slow
BINS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.3)  # of the histogram, in seconds


class UserError(Exception):
    """What the user's own signal handler raises."""


class Clock:
    """A timer that sends a signal, and the clock that it goes by."""

    def __init__(self, *, waits: bool, numpy: bool = False) -> None:
        self.timer, self.signal = (
            (signal.ITIMER_REAL, signal.SIGALRM) if waits else (signal.ITIMER_PROF, signal.SIGPROF)
        )
        self.now = time.monotonic if waits else time.process_time
        self.limit = WALL_LIMIT if waits else NUMPY_LIMIT if numpy else LIMIT


class Silence(NamedTuple):
    """The longest time of a call without a chance for a signal handler."""

    seconds: float
    place: str  # the file and line where it ended
    foreign: bool  # whether that is in another package


def place_of(frame: FrameType | None) -> tuple[str, bool]:
    """Return the file and line of a frame, and whether another package is there, or calls NumPy or Python."""
    at = frame
    while at is not None:
        file = Path(at.f_code.co_filename)
        if "numpy" not in file.parts and ("site-packages" in file.parts or STANDARD not in file.parents):
            break
        at = at.f_back
    if frame is None or at is None:
        return "?", False
    place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
    return place, "site-packages" in Path(at.f_code.co_filename).parts


def silences(call: Callable[[], object], clock: Clock) -> tuple[float, Silence]:
    """Return how long a call takes, and its longest silence."""
    begun = last = clock.now()
    longest = Silence(0, "", foreign=False)

    def look(_: int, frame: FrameType | None) -> None:
        nonlocal last, longest
        now = clock.now()
        if now - last > longest.seconds:
            longest = Silence(now - last, *place_of(frame))
        last = clock.now()

    old = signal.signal(clock.signal, look)
    signal.setitimer(clock.timer, TICK, TICK)
    try:
        call()
    finally:
        signal.setitimer(clock.timer, 0)
        look(0, sys._getframe())
        signal.signal(clock.signal, old)
    return clock.now() - begun, longest


class Answer(NamedTuple):
    """What came of an interrupt."""

    seconds: float | None  # from the signal to the exception; None if the call had ended
    foreign: bool  # whether another package was at work
    instead: object  # what was raised instead of the exception of the handler


def interrupt(call: Callable[[], object], after: float, error: type[BaseException], clock: Clock) -> Answer:
    """Interrupt a call after some time by an exception of a signal handler."""
    foreign = False

    def ignored(unraisable: sys.UnraisableHookArgs) -> None:
        nonlocal foreign  # CPython ignores what is raised in a finalizer or a callback of the collector
        foreign |= unraisable.exc_type is error

    def stop(_: int, frame: FrameType | None) -> None:
        nonlocal foreign
        foreign = place_of(frame)[1]
        raise error("stopped")

    old = signal.signal(clock.signal, stop)
    hook, sys.unraisablehook = sys.unraisablehook, ignored
    seconds: float | None = None
    ended: float | None = None
    instead: object = None
    try:
        begun = clock.now()
        signal.setitimer(clock.timer, after)
        try:
            call()
        finally:
            ended = clock.now()
            signal.setitimer(clock.timer, 0)
        if ended - begun > after + clock.limit:
            instead = "nothing: the call went on to its end"
    except error as caught:
        if ended is not None:  # else the signal came right after the call
            seconds = max(0.0, ended - begun - after)
        if type(caught) is not error or caught.args != ("stopped",):
            instead = caught
    except BaseException as other:  # noqa: BLE001  # whatever it is, it is reported
        instead = other
    finally:
        signal.setitimer(clock.timer, 0)
        signal.signal(clock.signal, old)
        sys.unraisablehook = hook
    return Answer(seconds, foreign, instead)


def fingerprint(result: object) -> str:
    """Return a digest of a result, for comparison with that of the same call."""
    if isinstance(result, np.ndarray):
        digest = hashlib.blake2b(np.ascontiguousarray(result).tobytes()).hexdigest()
        return f"{result.dtype} {result.shape} {digest}"
    if isinstance(result, list | tuple):
        return repr([*map(fingerprint, result)])
    if type(result).__module__.startswith("meiro"):
        return hashlib.blake2b(pickle.dumps(result)).hexdigest()
    return repr(result)


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of each file below a folder, but the inputs and the names drawn for players."""
    return {
        str(path.relative_to(folder)): re.sub(rb"meiro-[0-9a-f]{16}", b"", path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.name != "input"
    }


def n_threads(least: int) -> int:
    """Return how many threads this process has; those that are about to end get a moment."""
    found = 0
    for _ in range(100):
        found = len([*Path("/proc/self/task").iterdir()])
        if found <= least:
            break
        time.sleep(0.01)
    return found


class Interrupts:
    """The campaign, with the latencies it has seen."""

    def __init__(self, campaign: Campaign, folder: Path) -> None:
        self.campaign, self.folder = campaign, folder
        self.rng = random.Random(campaign.seed)
        self.latencies: dict[str, list[float]] = {}
        self.silent: dict[str, float] = {}
        self.foreign: dict[str, float] = {}
        self.late = 0

    def operation(self, op: Operation) -> None:
        """Run one operation undisturbed, then interrupt it several times, and report."""
        try:
            self.disturb(op)
        except Exception as error:  # noqa: BLE001  # whatever it is, the other operations follow
            self.campaign.found("undocumented exception", f"{op.name}, undisturbed: {error!r}")
        self.report()
        self.campaign.write()

    def disturb(self, op: Operation) -> None:
        """Run one operation undisturbed, then interrupt it several times."""
        clock = Clock(waits=op.waits, numpy=op.numpy)
        self.campaign.attempt(f"{op.name}: a small call")
        small = op.build(SMALL)
        before = fingerprint(small())
        call = op.build(op.side)
        self.campaign.attempt(f"{op.name}, side {op.side}: silences")
        took = self.listen(op, call, clock)
        small()  # the small file again, which the interrupted call is to replace
        written, threads = files(self.folder), n_threads(0)
        for i in range(TIMES):
            if self.campaign.time_left() <= 0:
                break
            error = UserError if i % 2 else KeyboardInterrupt
            after = self.rng.uniform(0.001, max(took, 0.002))
            what = f"{op.name}, side {op.side}: {error.__name__} after {after:.4f} s"
            self.campaign.attempt(what)
            ended = self.interrupt(op, what, clock.limit, lambda: interrupt(call, after, error, clock))  # noqa: B023
            self.check_left(what, written, threads, None if ended else call)
            if fingerprint(small()) != before:
                self.campaign.found("wrong answer", f"{what}: the next call returned something else")
        self.clean()

    def listen(self, op: Operation, call: Callable[[], object], clock: Clock) -> float:
        """Return how long a call takes, and find it if it is silent for too long."""
        gc.collect()
        gc.freeze()  # what other operations have left takes the collector 100 ms each time
        took, silence = silences(call, clock)
        for _ in range(TRIES - 1):
            if silence.seconds < clock.limit:
                break
            silence = min(silence, silences(call, clock)[1])
        (self.foreign if silence.foreign else self.silent)[op.name] = silence.seconds
        if silence.seconds >= clock.limit and not silence.foreign:
            what = f"{op.name}, side {op.side}: {1000 * silence.seconds:.0f} ms silent at {silence.place}"
            self.campaign.found("hang", what)
        return took

    def interrupt(self, op: Operation, what: str, limit: float, one: Callable[[], Answer]) -> bool:
        """Interrupt a call, again if the answer was late, and return whether it had ended before."""
        name, answer = op.name, one()
        for _ in range(TRIES - 1):
            if answer.seconds is None or answer.seconds < limit:
                break
            again = one()
            if again.seconds is not None and again.seconds < answer.seconds:
                answer = again
        if answer.instead is not None and not answer.foreign:
            self.campaign.found("undocumented exception", f"{what}: {answer.instead!r}")
        if answer.seconds is None:
            self.late += 1
        elif answer.foreign:
            self.foreign[name] = max(self.foreign.get(name, 0), answer.seconds)
        else:
            self.latencies.setdefault(name, []).append(answer.seconds)
            if answer.seconds >= limit:
                self.campaign.found("hang", f"{what}: {1000 * answer.seconds:.0f} ms until the exception")
        return answer.seconds is None

    def check_left(
        self, what: str, written: dict[str, bytes], threads: int, call: Callable[[], object] | None
    ) -> None:
        """Check files and threads after an interrupt; None for a call that had ended, whose output is new.

        Between a file that has its name and the end of the call there is a moment, so the output of a `call`
        may be that of an undisturbed one as well.
        """
        found = files(self.folder)
        torn = [name for name, data in found.items() if written.get(name) != data]
        if call is None:
            torn = [name for name in torn if not name.startswith("output")]
        elif torn:
            call()
            whole = files(self.folder)
            torn = [name for name in torn if whole.get(name) != found[name]]
        if torn or (torn := sorted(written.keys() - found.keys())):
            self.campaign.found("wrong answer", f"{what}: files torn, lost or left: {torn}")
        if n_threads(threads) > threads:
            names = [thread.name for thread in threading.enumerate()]
            self.campaign.found("wrong answer", f"{what}: threads left: {names}")

    def clean(self) -> None:
        """Remove what the operation before has written."""
        for path in self.folder.iterdir():
            if path.name != "input":
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def report(self) -> None:
        """Note the latencies of all operations and of the slowest."""
        everything = sorted(x for xs in self.latencies.values() for x in xs)
        self.campaign.notes.clear()  # an earlier report
        self.campaign.note("operations", len(self.silent | self.foreign))
        self.campaign.note("interrupts that came too late", self.late)
        if not everything:
            return
        self.campaign.note("latency of all", summary(everything))
        edges = (0.0, *BINS, float("inf"))
        histogram = {
            f"below {1000 * high:.0f} ms": sum(low <= x < high for x in everything)
            for low, high in itertools.pairwise(edges)
            if high < float("inf")
        }
        histogram["longer"] = sum(x >= BINS[-1] for x in everything)
        self.campaign.note("latencies", histogram)
        slowest = sorted(self.latencies, key=lambda name: -max(self.latencies[name]))[:10]
        for name in slowest:
            self.campaign.note(f"latency of {name}", summary(self.latencies[name]))
        for name in sorted(self.silent, key=lambda name: -self.silent[name])[:5]:
            self.campaign.note(f"longest silence of {name}", f"{1000 * self.silent[name]:.0f} ms")
        for name in sorted(self.foreign, key=lambda name: -self.foreign[name])[:5]:
            self.campaign.note(f"{name}, in another package", f"{1000 * self.foreign[name]:.0f} ms")


def summary(seconds: Iterable[float]) -> str:
    """Return median, 99 % quantile and maximum."""
    ms = sorted(1000 * x for x in seconds)
    p99 = ms[min(len(ms) - 1, int(0.99 * len(ms)))]
    middle = statistics.median(ms)
    return f"{len(ms)} interrupts: median {middle:.1f} ms, p99 {p99:.1f} ms, worst {ms[-1]:.1f} ms"


COMMAND = """
import sys
from meiro.cli.main import main
print("go", flush=True)
sys.exit(main(sys.argv[1:]))
"""
# What the command `meiro` does for a while, with the file that it writes.
COMMANDS = [
    ("3000 3000 -q -o output.png", "output.png"),
    ("2500 2500 -q -o output.txt --solve", "output.txt"),
    ("2000 2000 -q -a kruskal --check --solve --solver tremaux -o output.npz", "output.npz"),
    ("1000 1000 -q --dot output.dot", "output.dot"),
    ("400 400 --seed 1", ""),
]


def interrupt_command(campaign: Campaign, folder: Path, rng: random.Random) -> float:
    """Interrupt the command `meiro` by a real SIGINT and return the seconds until its process had ended."""
    words, output = rng.choice(COMMANDS)
    after = rng.uniform(0, 1)
    what = f"meiro {words}: SIGINT after {after:.3f} s"
    campaign.attempt(what)
    answers = []
    for _ in range(TRIES):
        command = [sys.executable, "-c", COMMAND, *words.split()]
        with subprocess.Popen(  # what is interrupted may end within a character
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", cwd=folder
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(after)
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=60)
        if child.returncode == 0:
            break  # it had ended
        answers.append(time.monotonic() - sent)
        if child.returncode != 130 or errors:
            campaign.found("undocumented exception", f"{what}: status {child.returncode}, {errors[-300:]!r}")
        if left := [path.name for path in folder.iterdir() if path.name not in {"input", output}]:
            campaign.found("wrong answer", f"{what}: left {left}")
        if answers[-1] < LIMIT:
            break
    return min(answers, default=0.0)


CELL = """
import sys, tempfile, time
from pathlib import Path
sys.path[:0] = {folders!r}
from operations import long_operations
from operations.long_operations import OPERATIONS
long_operations.FOLDER = Path(tempfile.mkdtemp())
op = OPERATIONS[{name!r}]
call = op.build(op.side)
try:
    print("go", flush=True)
    call()
    print("came to its end", flush=True)
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
"""
IN_KERNEL = (
    "generate wilson", "solve blind_alley_filling", "Maze.to_svg", "save .csv", "survey", "plot solution",
)  # fmt: skip


class Kernel:
    """A real Jupyter kernel."""

    def __init__(self) -> None:
        from jupyter_client.manager import start_new_kernel

        self.manager, self.client = start_new_kernel()

    def close(self) -> None:
        """End it."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def printed(self, cell: str) -> str:
        """Return what a cell prints next."""
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=40)
            except queue.Empty:
                return "the kernel is silent"
            if message["parent_header"].get("msg_id") != cell:
                continue  # of an earlier cell, which was interrupted at its end
            if message["msg_type"] == "stream":
                return str(message["content"]["text"])
            if message["msg_type"] == "error":
                return str(message["content"]["evalue"])

    def interrupt(self, campaign: Campaign, name: str, after: float) -> float:
        """Interrupt an operation in a cell and return the seconds until its KeyboardInterrupt."""
        folders = [str(Path(__file__).parent), *map(str, filter(None, sys.path[2:]))]
        answers = []
        what = f"{name} in a Jupyter kernel: interrupted after {after:.3f} s"
        campaign.attempt(what)
        for _ in range(TRIES):
            cell = self.client.execute(CELL.format(folders=folders, name=name))
            if (text := self.printed(cell)).strip() != "go":
                campaign.found("undocumented exception", f"{what}: {text!r}")
                return 0.0
            time.sleep(after)
            sent = time.monotonic()
            self.manager.interrupt_kernel()
            text = self.printed(cell)
            if text.startswith("came"):  # before the interrupt
                time.sleep(0.2)
                return 0.0
            try:
                answers.append(float(text) - sent)
            except ValueError:
                campaign.found("undocumented exception", f"{what}: {text!r}")
                return 0.0
            if answers[-1] < LIMIT:
                break
        return min(answers)


def run(campaign: Campaign) -> None:
    """Interrupt the operations in turn, the command and a kernel between them."""
    with tempfile.TemporaryDirectory() as name:
        interrupts = Interrupts(campaign, Path(name))
        long_operations.FOLDER = interrupts.folder
        missing = ".mp4" if shutil.which("ffmpeg") is None else "none"
        rng, order = interrupts.rng, [op for op in OPERATIONS.values() if not op.name.endswith(missing)]
        latencies = interrupts.latencies
        for number in (signal.SIGALRM, signal.SIGPROF):
            signal.signal(number, signal.SIG_IGN)  # one that comes after its timer was stopped
        kernel = None if campaign.seconds < 60 else Kernel()
        try:
            for i, op in enumerate(campaign.in_turn(order, rng)):
                interrupts.operation(op)
                if i % 40 == 1:
                    took = interrupt_command(campaign, interrupts.folder, rng)
                    if took >= WALL_LIMIT:
                        campaign.found("hang", f"the command took {1000 * took:.0f} ms to end")
                    latencies.setdefault("the command, until its process has ended", []).append(took)
                    interrupts.clean()
                if kernel is not None and i % 10 == 5:
                    where = rng.choice(IN_KERNEL)
                    took = kernel.interrupt(campaign, where, rng.uniform(0, 0.3))
                    if took >= WALL_LIMIT:
                        campaign.found("hang", f"{where} in a Jupyter kernel: {1000 * took:.0f} ms")
                    latencies.setdefault("a Jupyter kernel", []).append(took)
        finally:
            if kernel is not None:
                kernel.close()
        interrupts.report()
