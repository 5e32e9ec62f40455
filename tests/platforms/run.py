"""Builds the C++ core for every platform this machine can, and compares what it computes.

    python tests/platforms/run.py                    all platforms
    python tests/platforms/run.py s390x i386         some of them
    python tests/platforms/run.py --goldens          without the C++ unit tests

On each platform the golden hashes (tests/data/goldens.txt) are compared and the unit tests are run. What the
machine lacks is named and skipped; Debian's packages are beside each compiler below. Needs CMake and Ninja.
Exits with 1 if anything differs or fails.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "platforms"
GOLDENS = ROOT / "tests" / "data" / "goldens.txt"
SYSTEMS = {"windows": "Windows", "macos": "Darwin"}  # of zig's targets
ZIG = [sys.executable, "-m", "ziglang"]


@dataclass(frozen=True)
class Platform:
    """A compiler, its flags, and what runs the programs that it builds."""

    name: str
    compiler: str  # "zig": the wheel ziglang
    flags: str = ""
    link: str = ""
    run: str = ""
    sanitize: str = ""
    build_type: str = "Release"
    most: int = 0  # cells beyond which hashes are left out, where a run is slow
    unit_tests: bool = True
    runs: bool = True  # or it is only compiled


CROSS: dict[str, Any] = {"build_type": "RelWithDebInfo", "link": "-static"}
PLATFORMS = [
    Platform("gcc-O0", "g++", build_type="Debug"),
    Platform("gcc-O3", "g++"),
    Platform("gcc-O3-native", "g++", "-march=native"),
    Platform("gcc-no-int128", "g++", "-DMEIRO_NO_INT128", build_type="RelWithDebInfo"),
    Platform("gcc-asan-ubsan", "g++", sanitize="address,undefined", build_type="RelWithDebInfo"),
    Platform("gcc-tsan", "g++", sanitize="thread", build_type="RelWithDebInfo"),
    Platform(
        "gcc-valgrind",
        "g++",
        run="valgrind --quiet --error-exitcode=99 --leak-check=full",
        build_type="RelWithDebInfo",
        most=1000,
        unit_tests=False,
    ),
    Platform("clang-14", "clang++-14", unit_tests=False),  # the oldest that is promised
    # clang-19, libclang-rt-19-dev, libc++-19-dev, libc++abi-19-dev
    Platform("clang-libstdc++", "clang++-19"),
    Platform("clang-libc++", "clang++-19", "-stdlib=libc++", "-stdlib=libc++", unit_tests=False),
    # g++-i686-linux-gnu, g++-aarch64-linux-gnu, g++-arm-linux-gnueabihf, g++-s390x-linux-gnu; qemu-user
    Platform("i386", "i686-linux-gnu-g++", "-msse2 -mfpmath=sse", **CROSS),
    Platform("armhf", "arm-linux-gnueabihf-g++", run="qemu-arm", **CROSS),
    Platform("aarch64", "aarch64-linux-gnu-g++", run="qemu-aarch64", **CROSS),
    Platform("s390x", "s390x-linux-gnu-g++", run="qemu-s390x", **CROSS),
    # g++-mingw-w64-x86-64-posix; wine
    Platform("mingw", "x86_64-w64-mingw32-g++-posix", run="wine", unit_tests=False, **CROSS),
    # lld-19, wasi-libc, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32; nodejs
    Platform(
        "wasm32",
        "clang++-19",
        "--target=wasm32-wasi",
        run=f"node --no-warnings {Path(__file__).with_name('wasi.mjs')}",
        build_type="MinSizeRel",
        unit_tests=False,
    ),
    # the wheel ziglang
    Platform("musl", "zig", "-target x86_64-linux-musl", "-static", unit_tests=False),
    Platform("windows", "zig", "-target x86_64-windows-gnu", unit_tests=False, runs=False),
    Platform("macos", "zig", "-target aarch64-macos", unit_tests=False, runs=False),
]


def lacks(platform: Platform) -> str:
    """Return what the machine needs for the platform and does not have."""
    if platform.compiler == "zig":
        return "" if importlib.util.find_spec("ziglang") else "ziglang"
    needed = [platform.compiler, *shlex.split(platform.run)[:1]]
    return ", ".join(program for program in needed if not shutil.which(program))


def build(platform: Platform, targets: list[str]) -> Path:
    """Build the programs and return their folder."""
    folder = BUILD / platform.name
    folder.mkdir(parents=True, exist_ok=True)
    flags, compiler = platform.flags, platform.compiler
    system = "Windows" if "mingw" in compiler else "WASI" if "wasi" in flags else "Linux"
    if compiler == "zig":
        wrapper = folder / "zig-c++"
        wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(ZIG)} c++ {flags} "$@"\n', "utf-8")
        wrapper.chmod(0o755)
        flags, compiler = "", str(wrapper)
        system = next((name for mark, name in SYSTEMS.items() if mark in platform.flags), system)
    options = {
        "MEIRO_PYTHON": "OFF",
        "MEIRO_TESTS": "ON",
        "MEIRO_SANITIZE": platform.sanitize,
        "CMAKE_SYSTEM_NAME": system,
        "CMAKE_BUILD_TYPE": platform.build_type,
        "CMAKE_CXX_COMPILER": compiler,
        "CMAKE_CXX_FLAGS": flags,
        "CMAKE_EXE_LINKER_FLAGS": platform.link,
    }
    given = [f"-D{name}={value}" for name, value in options.items()]
    subprocess.run(
        ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *given], check=True, capture_output=True
    )
    subprocess.run(["ninja", "-C", folder, *targets], check=True, capture_output=True)
    return folder / "tests" / "cpp"


def last_line(command: list[str], log: Path) -> tuple[bool, str]:
    """Run a program; return whether it succeeded, and its last line."""
    environment = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1", "UBSAN_OPTIONS": "halt_on_error=1"}
    with log.open("w", encoding="utf-8") as out:
        code = subprocess.run(
            command, stdout=out, stderr=subprocess.STDOUT, env=environment, check=False
        ).returncode
    lines = log.read_text("utf-8", "replace").strip().splitlines() or [""]
    return code == 0, lines[-1] if code == 0 else f"exit {code}: {lines[-1]} ({log.relative_to(ROOT)})"


def check(platform: Platform, *, unit_tests: bool) -> bool:
    """Build and run one platform and print its row; return whether all is equal."""
    if missing := lacks(platform):
        print(f"{platform.name:<16}not here: {missing}", flush=True)
        return True
    unit_tests = unit_tests and platform.unit_tests
    began = time.monotonic()
    try:
        folder = build(platform, ["meiro_goldens", *["meiro_tests"] * unit_tests])
    except subprocess.CalledProcessError as error:
        text = (error.stdout + error.stderr).decode("utf-8", "replace")
        log = BUILD / f"{platform.name}-build.log"
        log.write_text(text, "utf-8")
        print(f"{platform.name:<16}does not build ({log.relative_to(ROOT)})", flush=True)
        return False
    built = time.monotonic() - began
    if not platform.runs:
        print(f"{platform.name:<16}{built:>6.0f} s  compiles", flush=True)
        return True
    began = time.monotonic()
    runner = shlex.split(platform.run)
    most = ["--most", str(platform.most)] * bool(platform.most)
    suffix = ".exe" if "mingw" in platform.compiler else ""
    command = [*runner, str(folder / f"meiro_goldens{suffix}"), str(GOLDENS), *most]
    good, text = last_line(command, BUILD / f"{platform.name}-goldens.log")
    if unit_tests:
        passed, _ = last_line([*runner, str(folder / "meiro_tests")], BUILD / f"{platform.name}-tests.log")
        text += f"; unit tests {'pass' if passed else 'FAIL'}"
        good &= passed
    ran = time.monotonic() - began
    print(f"{platform.name:<16}{built:>6.0f} s{ran:>6.0f} s  {text}", flush=True)
    return good


def main() -> int:
    """Check the platforms that are asked for and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [platform.name for platform in PLATFORMS]
    parser.add_argument("platforms", nargs="*", metavar="platform", help=f"of {', '.join(names)}; all")
    parser.add_argument("--goldens", action="store_true", help="without the unit tests")
    arguments = parser.parse_args()
    if unknown := sorted({*arguments.platforms} - {*names}):
        parser.error(f"there is no platform {', '.join(unknown)}: {', '.join(names)}")
    print(f"{'platform':<16}{'build':>8}{'run':>8}  goldens, unit tests")
    chosen = [p for p in PLATFORMS if p.name in (arguments.platforms or names)]
    good = [check(platform, unit_tests=not arguments.goldens) for platform in chosen]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
