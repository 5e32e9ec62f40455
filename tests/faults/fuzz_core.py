"""The fuzz targets of the C++ core, each for its share of the time.

The targets are `fuzz/*.cpp`, compiled with the core under ASan and UBSan, and each begins with its corpus
`fuzz/corpus/<target>`. With ``clang++-19`` and ten minutes or more libFuzzer drives them (preset fuzz);
otherwise they mutate their corpus blindly, compiled by g++ (preset asan, which .ci/run has built by then).

To keep new inputs that libFuzzer found in a folder, and only those that reach something new::

    build/fuzz/tests/faults/fuzz/fuzz_grid -merge=1 tests/faults/fuzz/corpus/grid FOLDER
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campaign import Campaign

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "fuzz"
TARGETS = sorted(p.stem for p in FOLDER.glob("*.cpp") if p.stem not in {"entry", "mutate"})


def run(campaign: Campaign) -> None:
    """Build the targets and run them."""
    guided = campaign.seconds >= 600 and shutil.which("clang++-19") is not None
    preset = "fuzz" if guided else "asan"
    campaign.attempt(f"cmake --build --preset {preset}")
    build(preset)
    for number, target in enumerate(TARGETS):
        seconds = campaign.time_left() / (len(TARGETS) - number)
        if seconds < 1:
            campaign.note(target, "no time was left for it")
            continue
        campaign.attempt(f"fuzz_{target} for {seconds:.0f} s, seed {campaign.seed}")
        fuzz(campaign, preset, target, seconds)


def build(preset: str) -> None:
    """Compile the targets; at once if they are compiled already."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    targets = [f"fuzz_{target}" for target in TARGETS]
    for command in (["--preset", preset], ["--build", "--preset", preset, "--target", *targets]):
        done = subprocess.run(
            ["cmake", *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)


def fuzz(campaign: Campaign, preset: str, target: str, seconds: float) -> None:
    """Run a target and report the input that ended it."""
    program = ROOT / "build" / preset / "tests/faults/fuzz" / f"fuzz_{target}"
    with tempfile.TemporaryDirectory() as folder:
        corpus, artifact = Path(folder, "corpus"), Path(folder, "input")
        shutil.copytree(FOLDER / "corpus" / target, corpus)
        options = [f"-max_total_time={seconds:.0f}", f"-seed={campaign.seed}", f"-artifact_prefix={artifact}"]
        done = subprocess.run(
            [program, *options, "-max_len=600", "-timeout=10", corpus],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        runs = re.search(r"Done (\d+) runs", done.stderr)
        campaign.tried += int(runs[1]) if runs else 0
        campaign.note(target, f"{runs[1] if runs else '?'} runs in {seconds:.0f} s")
        if done.returncode:
            inputs = [base64.b64encode(p.read_bytes()).decode() for p in Path(folder).glob("input*")]
            kind = "hang" if "timeout" in done.stderr else "crash"
            campaign.found(kind, f"fuzz_{target}, input in base64 {inputs}: {done.stderr[-3000:]}")
