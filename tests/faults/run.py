"""Injects faults into every public operation of meiro and counts what goes wrong.

    python tests/faults/run.py                     every campaign, some minutes each
    python tests/faults/run.py --seconds 60        every campaign, one minute in all (.ci/run)
    python tests/faults/run.py --hours 1 soak      one campaign, an hour

Each campaign is a module beside this one and runs in a process of its own: one that dies is a crash, one that
is silent for too long a hang, and both name the attempt they were at. Exits with 1 if anything was found.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "helpers")]

from campaign import KINDS, Campaign  # noqa: E402  # the folder is no package

# The share of each campaign in the time of all, and its seconds by default.
CAMPAIGNS: dict[str, tuple[float, float]] = {
    "workers": (8, 180),
    "mutated_files": (8, 600),
    "fuzz_core": (12, 3000),
    "disks": (8, 300),
    "soak": (6, 300),
    "interrupts": (8, 900),
    "processes": (8, 300),
    "hostile_values": (4, 900),
    "allocations": (8, 600),
}
SILENT = 60.0  # seconds an attempt may take beyond which it is a hang, unless the campaign says otherwise


def child(name: str, seconds: float, seed: int, report: Path) -> None:
    """Run one campaign in this process."""
    import faulthandler
    import importlib

    faulthandler.enable()
    module = importlib.import_module(name)
    campaign = Campaign(seconds, seed, report)
    module.run(campaign)
    campaign.write()


def run(name: str, seconds: float, seed: int, folder: Path) -> dict[str, Any]:
    """Run one campaign in a process of its own and return its report."""
    report = folder / f"{name}.json"
    command = [sys.executable, __file__, "--child", name, str(seconds), str(seed), str(report)]
    began = time.monotonic()
    process = subprocess.Popen(command, start_new_session=True)
    hung = False
    try:
        code = process.wait(seconds * 1.5 + SILENT)
    except subprocess.TimeoutExpired:
        hung = True
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
    found: dict[str, Any] = {"tried": 0, "counts": dict.fromkeys(KINDS, 0), "findings": [], "notes": {}}
    if report.exists():
        found = json.loads(report.read_text("utf-8"))
    if hung or code != 0:
        current = report.with_suffix(".current")
        at = current.read_text("utf-8").strip() if current.exists() else "nothing yet"
        kind = "hang" if hung else "crash"
        found["counts"][kind] += 1
        found["findings"].append(f"{kind}: the campaign ended with {code} at: {at}")
    elif not found["tried"]:
        found["findings"].append(f"nothing was tried in {seconds:.0f} s")
    return found | {"seconds": round(time.monotonic() - began, 1)}


def main() -> int:
    """Run the campaigns that are asked for, print their counts and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("campaigns", nargs="*", metavar="campaign", help=f"of {', '.join(CAMPAIGNS)}; all")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=float, help="of all campaigns together")
    length.add_argument("--hours", type=float, help="of all campaigns together")
    parser.add_argument("--seed", type=int, default=1, help="of what is random (1)")
    parser.add_argument("--json", type=Path, help="write the counts to this file, too")
    arguments = parser.parse_args()
    if unknown := sorted({*arguments.campaigns} - {*CAMPAIGNS}):
        parser.error(f"there is no campaign {', '.join(unknown)}: {', '.join(CAMPAIGNS)}")
    names = arguments.campaigns or list(CAMPAIGNS)
    total = arguments.hours * 3600 if arguments.hours else arguments.seconds
    shares = sum(CAMPAIGNS[name][0] for name in names)
    reports = {}
    print(f"{'campaign':<20}{'seconds':>8}{'tried':>10}" + "".join(f"{kind:>24}" for kind in KINDS))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            share, default = CAMPAIGNS[name]
            report = run(name, total * share / shares if total else default, arguments.seed, Path(folder))
            reports[name] = report
            counts = "".join(f"{report['counts'][kind]:>24}" for kind in KINDS)
            print(f"{name:<20}{report['seconds']:>8}{report['tried']:>10}{counts}", flush=True)
            for note, value in report["notes"].items():
                print(f"    {note}: {value}", flush=True)
            for finding in report["findings"]:
                print(f"  ! {finding}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(reports, indent=1) + "\n", "utf-8")
    return int(any(report["findings"] for report in reports.values()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        _, _, name, seconds, seed, report = sys.argv
        child(name, float(seconds), int(seed), Path(report))
    else:
        sys.exit(main())
