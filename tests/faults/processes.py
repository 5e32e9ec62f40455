"""Ends of processes, forks, signals and callbacks in the middle of long calls, each in a process of its own.

Every script draws its long call and its moments from a seed, and prints "right" when what it computed
afterwards is what it computed before. It must end by itself, with the status and the standard error that are
expected.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from campaign import Campaign

PATIENCE = 60.0  # seconds until a child hangs

START = """
import atexit, gc, os, random, signal, sys, threading, time, weakref
import numpy as np
rng = random.Random(int(sys.argv[1]))
signal.signal(signal.SIGINT, signal.default_int_handler)
"""
MEIRO = """
import meiro

maze = meiro.generate((1500, 1500), "backtracker", rng=1)
many = meiro.generate_many((16, 16), "kruskal", 3000, rng=1)
room = np.zeros((1500, 1500), np.uint8)

def digest():
    small = meiro.generate((30, 40), "wilson", rng=1)
    batch = meiro.generate_many((9, 9), "kruskal", 50, rng=1, threads=2)
    table = meiro.survey((5, 5), "wilson", 50, rng=1, threads=2)
    return hash(small), hash(meiro.solve(small)), hash(tuple(batch)), float(table["mean"].sum())

def expect(*_):
    assert digest() == before
    print("right", flush=True)

before = digest()
long_calls = [
    lambda **o: meiro.generate((5000, 5000), "wilson", rng=1, **o),
    lambda **o: meiro.generate((3000, 3000), "kruskal", rng=1, threads=2, **o),
    lambda **o: meiro.generate_many((16, 16), "wilson", 200_000, rng=1, threads=2, **o),
    lambda **o: [meiro.solve(maze, **o) for _ in range(200)],
    lambda **o: [meiro.distances(room, (0, 0), **o) for _ in range(100)],
    lambda **o: meiro.trace((2000, 2000), "backtracker", rng=1, max_events=10**8, **o),
    lambda **o: meiro.survey((16, 16), ["wilson", "kruskal"], 100_000, rng=1, threads=2, **o),
    lambda **o: [meiro.measure(many, threads=2, **o) for _ in range(50)],
]
long = rng.choice(long_calls)

def until(seconds, then):
    "Do something after a while, in another thread."
    timer = threading.Timer(seconds, then)
    timer.daemon = True
    timer.start()

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

def in_thread(call, daemon=True):
    thread = threading.Thread(target=call, daemon=daemon)
    thread.start()
    return thread
"""


class Scenario(NamedTuple):
    """A script, and how it must end."""

    script: str
    out: str = "right\n"
    status: int = 0
    imports: str = MEIRO


SCENARIOS = {
    "the end of the interpreter while daemon threads are in long calls": Scenario("""
for call in rng.choices(long_calls, k=3):
    in_thread(call)
time.sleep(rng.uniform(0, 0.3))
expect()
"""),
    "sys.exit while a daemon thread with a progress callback is in a long call": Scenario(
        """
in_thread(lambda: long(progress=lambda *_: None))
time.sleep(rng.uniform(0, 0.3))
sys.exit(5)
""",
        out="",
        status=5,
    ),
    "the end of the main thread before another": Scenario("""
def work():
    time.sleep(rng.uniform(0, 0.1))
    expect()
in_thread(work, daemon=False)
"""),
    "an exception in the main thread while a daemon thread works": Scenario(
        """
in_thread(long)
time.sleep(rng.uniform(0, 0.2))
os.close(2)
raise ValueError
""",
        out="",
        status=1,
    ),
    "a fork of a parent with threads in long calls": Scenario("""
for call in rng.choices(long_calls, k=2):
    in_thread(call)
for _ in range(4):
    time.sleep(rng.uniform(0, 0.1))
    child = os.fork()
    if child == 0:
        signal.alarm(40)
        os._exit(0 if digest() == before else 1)
    assert os.waitpid(child, 0)[1] == 0, "the child"
expect()
"""),
    "a fork in a progress callback": Scenario("""
children = []
def fork(*_):
    if len(children) < 3:
        child = os.fork()
        if child == 0:
            signal.alarm(40)
            os._exit(0 if digest() == before else 1)
        children.append(child)
meiro.generate((3000, 3000), "wilson", rng=1, progress=fork)
assert children
assert all(os.waitpid(child, 0)[1] == 0 for child in children), "a child"
expect()
"""),
    **{
        f"multiprocessing by {method}, with a thread in a long call": Scenario(f"""
import multiprocessing
in_thread(long)
with multiprocessing.get_context({method!r}).Pool(2) as pool:
    jobs = [pool.apply_async(meiro.generate, ((20, 20), "wilson"), {{"rng": i}}) for i in range(6)]
    made = [job.get(40) for job in jobs]
assert made == [meiro.generate((20, 20), "wilson", rng=i) for i in range(6)]
expect()
""")
        for method in ("fork", "spawn", "forkserver")
    },
    "Ctrl-C twice": Scenario("""
until(rng.uniform(0, 0.3), interrupt)
until(rng.uniform(0, 0.3), interrupt)
caught = 0
while caught < 1:
    try:
        long()
    except KeyboardInterrupt:
        caught += 1
try:
    time.sleep(0.4)
except KeyboardInterrupt:
    pass
expect()
"""),
    "Ctrl-C again and again": Scenario("""
inside = False
def once(*_):
    global inside
    if inside:
        inside = False
        raise KeyboardInterrupt
signal.signal(signal.SIGINT, once)
for _ in range(20):
    until(rng.uniform(0, 1.5), interrupt)
end = time.monotonic() + 1.8
while time.monotonic() < end:
    try:
        inside = True
        long()
        inside = False
    except KeyboardInterrupt:
        pass
expect()
"""),
    "SIGTERM while saving": Scenario(
        """
from pathlib import Path
path = Path(sys.argv[2], "maze.png")
meiro.save(meiro.Maze([[2, 8]]), path)
print("right", flush=True)
until(rng.uniform(0, 0.2), lambda: os.kill(os.getpid(), signal.SIGTERM))
while True:
    meiro.save(maze, path)
""",
        status=-signal.SIGTERM,
    ),
    "sys.exit in a progress callback": Scenario("long(progress=lambda *_: sys.exit(3))", out="", status=3),
    "a progress callback that raises": Scenario("""
class Own(BaseException):
    pass
own = Own("mine")
def fail(*_):
    if rng.random() < 0.5:
        raise own
try:
    while True:
        long(progress=fail)
except Own as error:
    assert error is own and error.args == ("mine",)
expect()
"""),
    "a slow progress callback": Scenario("""
calls = []
def slow(done, total):
    calls.append((done, total))
    time.sleep(0.05)
got = meiro.generate((2000, 2000), "wilson", rng=1, progress=slow)
assert calls[-1][0] == calls[-1][1] and got == meiro.generate((2000, 2000), "wilson", rng=1)
expect()
"""),
    "a progress callback that calls meiro": Scenario("""
seen = []
def again(*_):
    seen.append(digest() == before)
    if len(seen) < 3:
        meiro.generate((600, 600), "wilson", rng=1, progress=again)
got = meiro.generate((2000, 2000), "wilson", rng=1, progress=again)
assert seen and all(seen) and got == meiro.generate((2000, 2000), "wilson", rng=1)
expect()
"""),
    "a progress callback beside threads that take the GIL": Scenario("""
stop = []
def spin():
    while not stop:
        sum(range(1000))
threads = [in_thread(spin) for _ in range(3)]
got = meiro.generate((2000, 2000), "wilson", rng=1, progress=lambda *_: None)
stop.append(True)
assert got == meiro.generate((2000, 2000), "wilson", rng=1)
expect()
"""),
    "one progress callback in many threads": Scenario("""
told = []
def work():
    meiro.generate_many((16, 16), "wilson", 20_000, rng=1, threads=2, progress=lambda *t: told.append(t))
threads = [in_thread(work) for _ in range(4)]
[thread.join() for thread in threads]
assert told.count((20_000, 20_000)) >= 4
expect()
"""),
    "use at exit": Scenario("atexit.register(expect)"),
    "use at exit beside a daemon thread": Scenario("""
atexit.register(expect)
in_thread(long)
time.sleep(rng.uniform(0, 0.2))
"""),
    "Ctrl-C during the import, and the import again": Scenario(
        """
os_kill = threading.Timer(rng.uniform(0, 0.06), lambda: os.kill(os.getpid(), signal.SIGINT))
os_kill.daemon = True
os_kill.start()
try:
    import meiro
    meiro.generate((3, 3))
    meiro.read
    time.sleep(1)
except KeyboardInterrupt:
    pass
import meiro
assert meiro.generate((30, 40), rng=1).is_perfect
assert {name: getattr(meiro, name) for name in meiro.__all__}
print("right")
""",
        imports="",
    ),
    "generators dropped half-way, in other threads and at the end": Scenario("""
def begin():
    streams = [
        meiro.eller_rows(50_000, rng=1),
        meiro.enumerate_mazes((4, 4)),
        meiro.all_shortest_paths(room, (0, 0), (1499, 1499)),
        iter(many),
        iter(meiro.animate(meiro.trace((9, 9), rng=1))),
        meiro.solve(maze).path_chunks(),
    ]
    for stream in streams:
        for _ in range(rng.randrange(3)):
            next(stream, None)
    return streams
dropped = begin()
del dropped
threads = [in_thread(begin) for _ in range(3)]
[thread.join() for thread in threads]
handed = begin()
in_thread(lambda: [next(stream, None) for stream in handed]).join()
in_thread(handed.clear).join()
circle = begin()
circle.append(circle)
del circle
gc.collect()
left = begin()
expect()
"""),
    "cycles are collected": Scenario("""
class Holder:
    pass
def cycle():
    holder = Holder()
    trace = meiro.trace((9, 9), rng=1)
    holder.things = [holder, trace, trace[3], trace.result, many[:3], meiro.check(room), meiro.solve(maze)]
    holder.things += [meiro.animate(trace), meiro.eller_rows(9), lambda: holder]
    def progress(*_):
        return holder
    meiro.generate((300, 300), progress=progress)
    holder.things.append(progress)
    return weakref.ref(holder)
gone = [cycle() for _ in range(20)]
gc.collect()
assert not any(holder() for holder in gone), "holders are left"
expect()
"""),
}


def run_scenario(campaign: Campaign, name: str, seed: int, folder: Path) -> None:
    """Run one scenario in a process of its own and judge how it ended."""
    scenario = SCENARIOS[name]
    what = f"{name}, seed {seed}"
    campaign.attempt(what)
    code = START + scenario.imports + scenario.script
    command = [sys.executable, "-X", "faulthandler", "-W", "ignore", "-c", code, str(seed), str(folder)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, errors = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGABRT)  # faulthandler says where it was
        try:
            _, errors = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, errors = process.communicate()
        campaign.found("hang", f"{what}: {errors[-600:]!r}")
        return
    if process.returncode != scenario.status and process.returncode < 0:
        campaign.found("crash", f"{what}: signal {-process.returncode}, {errors[-600:]!r}")
    elif process.returncode != scenario.status or errors:
        campaign.found("undocumented exception", f"{what}: {process.returncode}, {errors[-600:]!r}")
    elif out != scenario.out:
        campaign.found("wrong answer", f"{what}: printed {out!r}")


def after_sigterm(campaign: Campaign, folder: Path) -> None:
    """Check that the file that was replaced is complete, and that no more than a temporary file is left."""
    import meiro

    path = folder / "maze.png"
    if not path.exists():
        return
    try:
        meiro.read(path)
    except ValueError as error:
        campaign.found("wrong answer", f"SIGTERM tore a file: {error}")
    meiro.save(meiro.Maze([[2, 8]]), path)
    left = [other.name for other in folder.iterdir() if other != path]
    if len(left) > 1 or not all(name.endswith(".tmp") for name in left):
        campaign.found("wrong answer", f"after SIGTERM and another save there is {left}")


def run(campaign: Campaign) -> None:
    """Run the scenarios in random order, again and again."""
    rng = random.Random(campaign.seed)
    slowest = 0.0
    for name in campaign.in_turn(list(SCENARIOS), rng):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            run_scenario(campaign, name, rng.randrange(10**6), Path(folder))
            slowest = max(slowest, time.monotonic() - began)
            after_sigterm(campaign, Path(folder))
    campaign.note("scenarios", len(SCENARIOS))
    campaign.note("longest run", f"{slowest:.1f} s")
