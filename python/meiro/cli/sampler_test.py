"""``meiro sampler-test``: a program in any language, against an exact law."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import tempfile
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from meiro._utils.messages import short_repr
from meiro.cli.shared import values
from meiro.cli.shared.parser import command_parser
from meiro.cli.shared.streams import progress_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from meiro.mazes.maze import Maze

_EXAMPLES = """\
  meiro sampler-test -- ./my_program {seed}
  meiro sampler-test --size 3 2 --law kruskal -n 2000 -- node maze.js 3 2 {seed}
  meiro sampler-test --size 2 2 -n 20 -- meiro 2 2 --seed {seed}
  meiro sampler-test -n 3000 -- ./my_program {seed} {n}

the program: {seed} in its arguments is replaced by another number each time,
{n} by the number of mazes that are still wanted.
It prints mazes to standard output, one or many, and exits with 0. A maze is
text, as meiro prints it, or 2 H + 1 lines of 2 W + 1 characters: # or 1 for a
wall; a space, . or 0 for a road. An empty line lies between two mazes. The
program is called until N mazes are there. Of more than 3 x 3 cells it is
frequencies of passages that are compared: 15 seconds at 20 x 20.

exit status: 0; 1 if the p-value is below 0.001 or a maze is impossible;
2 on an error; 130 after Ctrl-C
"""
_LEAST_P = 1e-3
REJECTED = 1  # the exit status
_MOST = 1 << 26  # bytes that a call prints


def run(command: str, words: Sequence[str]) -> int:
    """Run the program, and print what the test says."""
    parser = command_parser(command, "Test a program against an exact law.", _EXAMPLES)
    add = parser.add_argument
    add(
        "--size",
        nargs=2,
        type=values.natural,
        default=(3, 3),
        metavar=("W", "H"),
        help="in cells; default: 3 3",
    )
    add(
        "--law",
        default="uniform",
        metavar="NAME",
        help="a law or an algorithm that has one; default: uniform",
    )
    add("-n", type=values.natural, default=2000, metavar="N", help="mazes; default: 2000")
    add("--seed", type=values.seed, default=0, metavar="N", help="the first of the seeds; default: 0")
    add("--seconds", type=values.rate, default=10.0, metavar="S", help="time limit of a call; default: 10")
    add("--json", action="store_true", help="print the result as JSON")
    add("-q", "--quiet", action="store_true", help="show no progress")
    own, program = list(words), []
    if "--" in own:
        at = own.index("--")
        own, program = own[:at], own[at + 1 :]
    args = parser.parse_args(own)
    if not program:
        parser.error("the program comes after --, as in meiro sampler-test -- ./my_program {seed}")
    if args.n > 1 and not any("{seed}" in word for word in program):
        parser.error("the program needs {seed} among its arguments, lest every call print the same mazes")

    from meiro.exact.goodness_of_fit import require_testable, sampler_test

    shape = (args.size[1], args.size[0])
    require_testable(args.n, args.law, shape)  # before the program is run
    mazes: list[Maze] = []
    calls = 0
    with progress_bar(args) as bar:
        while len(mazes) < args.n:
            mazes += _printed(program, args.seed + calls, args.n - len(mazes), shape, args.seconds)
            calls += 1
            if callable(bar):
                bar(min(len(mazes), args.n), args.n)
        found = sampler_test(mazes[: args.n], args.law, shape, progress=bar)
    accepted = found.p_value >= _LEAST_P
    if args.json:
        statistic = found.statistic if math.isfinite(found.statistic) else None
        facts = {"n": found.n, "calls": calls, "statistic": statistic, "dof": found.dof}
        facts |= {"p_value": found.p_value, "impossible": found.impossible, "accepted": accepted}
        print(json.dumps(facts if found.sees is None else facts | {"sees": found.sees}))
    else:
        print(f"mazes {found.n}, of {calls} calls")
        if found.sees is None:
            print(f"chi-square {found.statistic:.1f}, {found.dof} degrees of freedom")
        else:
            print(f"largest deviation {found.statistic:.1f} standard deviations, of {found.dof} frequencies")
            print(f"power: an edge is seen whose probability is off by {found.sees:.2g}")
        if found.impossible:
            print(
                f"impossible {found.impossible}: loops, or parts that are not connected, or not of this law"
            )
        answer = "no deviation from" if accepted else "deviates from"
        print(f"p-value {found.p_value:.4g}: {answer} the law {args.law!r}")
    return 0 if accepted else REJECTED


def _printed(
    program: list[str], seed: int, wanted: int, shape: tuple[int, int], seconds: float
) -> list[Maze]:
    """Return the mazes that one call of the program prints."""
    from meiro.drawing.text.parse import all_of_text

    command = [word.replace("{seed}", str(seed)).replace("{n}", str(wanted)) for word in program]
    called = " ".join(command)
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(  # noqa: S603  # the program that the user gives
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
            start_new_session=os.name == "posix",  # so that its children end with it
        )
        late = threading.Event()

        def end_late() -> None:
            late.set()
            _end(running)

        watch = threading.Timer(seconds, end_late)
        watch.start()
        try:
            out = running.stdout.read(_MOST + 1) if running.stdout is not None else b""
            if len(out) <= _MOST:
                running.wait()
        finally:  # after Ctrl-C, too
            watch.cancel()
            _end(running)
            if running.stdout is not None:
                running.stdout.close()
            running.wait()
        said.seek(0)
        errors = said.read(_MOST).decode("utf-8", "replace").strip()
    if late.is_set():
        raise ValueError(f"{called}: still running after {seconds:g} s: --seconds allows more")
    if len(out) > _MOST:
        raise ValueError(f"{called}: printed more than {_MOST:,} bytes")
    text = out.decode("utf-8", "replace")
    if running.returncode:
        tail = (errors or text.strip())[-200:]
        raise ValueError(f"{called}: exit status {running.returncode}; its output: {short_repr(tail)}")
    if not text.strip():
        raise ValueError(f"{called}: printed nothing to standard output")
    try:
        mazes = [sites.maze() for sites in all_of_text(text)]
    except ValueError as error:
        raise ValueError(f"{called}: printed {short_repr(text)}, which is no maze: {error}") from None
    for height, width in {maze.shape for maze in mazes} - {shape}:
        raise ValueError(f"{called}: printed {width} x {height} cells, not {shape[1]} x {shape[0]} (--size)")
    return mazes


def _end(program: subprocess.Popen[bytes]) -> None:
    """End a program, and what it has started."""
    if program.poll() is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()
