"""The interrupt campaign: its operations run, and what goes wrong in one is found."""

from __future__ import annotations

import json
import signal
import threading
import time
from pathlib import Path

import pytest
from campaign import Campaign
from interrupts import IN_KERNEL, Clock, Interrupts, Kernel, interrupt, silences
from operations import long_operations
from operations.long_operations import NUMPY, OPERATIONS, SMALL, WAITS, Operation
from programs import needs
from timing import ANSWER, best
from valid_calls import public_names

import meiro


def test_every_operation_is_of_something_public() -> None:
    assert {name.split(" ")[0] for name in OPERATIONS} <= {*public_names()}
    assert OPERATIONS.keys() >= NUMPY | WAITS


@pytest.mark.long
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_runs_on_a_small_input(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name.endswith(".mp4"):
        needs("ffmpeg", "ffmpeg")
    monkeypatch.setattr(long_operations, "FOLDER", tmp_path)
    OPERATIONS[name].build(SMALL)()


FILES = [
    *("Maze.to_dot", "Maze.to_svg", "Maze.edges", "Maze.from_edges", "Maze.from_wall_ids"),
    *(f"save {suffix}" for suffix in (".dot", ".npz", ".npy", ".csv", ".svg", ".png", ".pdf")),
    *(f"MazeBatch.{way} {suffix}" for way in ("save", "open") for suffix in (".npz", ".zarr")),
]
CALLS = [
    *(f"generate {name}" for name in meiro.ALGORITHMS),
    *(f"solve {name} room" for name in meiro.SOLVERS),
    *("generate_many wilson", "check room", "distances room", "distances room threads"),
    *("trace wilson", "trace_solve bfs", "trace_eller"),
]


@pytest.mark.clock
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="timers of POSIX")
@pytest.mark.parametrize("name", [*FILES, *CALLS])
def test_ctrl_c_is_answered(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it comes: no time without a chance for a signal handler is long."""
    monkeypatch.setattr(long_operations, "FOLDER", tmp_path)
    operation = OPERATIONS[name]
    side = operation.side // 3 if name in FILES else operation.side
    call, clock = operation.build(side), Clock(waits=operation.waits)
    assert best(lambda: silences(call, clock)[1].seconds, ANSWER) < ANSWER


def busy(seconds: float) -> None:
    """Work without a chance for a signal handler."""
    end = time.process_time() + seconds
    while sum(range(100_000)) and time.process_time() < end:
        pass


@pytest.mark.clock
def test_a_planted_silence_and_a_swallowed_interrupt_are_found(tmp_path: Path) -> None:
    clock = Clock(waits=False)
    quiet = b"x" * (1 << 26)
    # Several times: the thread that is sent the signal may be another, which this one hears of late.
    _, silence = silences(lambda: [quiet.count(b"xy") for _ in range(4)], clock)
    assert silence.seconds > 0.02
    assert silence.place.startswith("test_long_operations")
    assert not silence.foreign

    def swallows() -> None:
        try:
            busy(1)
        except KeyboardInterrupt:
            busy(0.3)

    answer = interrupt(swallows, 0.05, KeyboardInterrupt, clock)
    assert answer.seconds is None
    assert "went on" in str(answer.instead)

    def wraps() -> None:
        try:
            busy(1)
        except KeyboardInterrupt as error:
            raise RuntimeError from error

    assert isinstance(interrupt(wraps, 0.05, KeyboardInterrupt, clock).instead, RuntimeError)
    answer = interrupt(lambda: busy(1), 0.05, KeyboardInterrupt, clock)
    assert answer.seconds is not None
    assert answer.seconds < 0.1
    assert answer.instead is None

    seen = threading.Event()

    def leaves() -> str:
        threading.Thread(target=seen.wait, daemon=True).start()
        busy(0.3)
        (tmp_path / "torn.tmp").write_text("x")
        return "done"

    campaign = Campaign(20, 1, tmp_path / "report.json")
    (tmp_path / "work").mkdir()
    interrupts = Interrupts(campaign, tmp_path)
    interrupts.operation(Operation("leaves", 1, lambda n: leaves if n == 1 else lambda: "done"))
    seen.set()
    assert any("threads left" in found for found in campaign.findings)
    interrupts.operation(Operation("fails", 1, lambda _: lambda: 1 // 0))
    assert "fails, undisturbed: ZeroDivisionError" in campaign.findings[-1]
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["findings"] == campaign.findings


@pytest.mark.browser
def test_the_campaign_interrupts_a_kernel(tmp_path: Path) -> None:
    campaign = Campaign(60, 1, tmp_path / "report.json")
    kernel = Kernel()
    try:
        assert kernel.interrupt(campaign, IN_KERNEL[0], 0.01) > 0
    finally:
        kernel.close()
    assert campaign.findings == []
    assert set(IN_KERNEL) <= OPERATIONS.keys()
