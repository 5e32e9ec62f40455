"""Faults in calls of the system, by a library that is preloaded: see system_faults.cpp."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

SCOPES: Final = ("core", "border", "python", "threads")
"""Which calls are counted; the index is the number of the scope in C++."""


def build(folder: Path) -> Path | None:
    """Compile the library in `folder`; None where no g++ is, which CI must have."""
    compiler = shutil.which("g++")
    if compiler is None or os.uname().sysname != "Linux":
        if os.environ.get("CI") == "true":
            raise RuntimeError("g++ is missing")
        return None
    library = folder / "system_faults.so"
    source = Path(__file__).with_suffix(".cpp")
    subprocess.run([compiler, "-std=c++20", "-Wall", "-shared", "-fPIC", source, "-o", library], check=True)
    return library


class SystemFaults:
    """The preloaded library, in the process that has it; a crash says "crash in" and its function.

    Parameters
    ----------
    module : path, optional
        The loaded module whose allocations are counted in the scopes core and border.
    """

    def __init__(self, module: str = "") -> None:
        own = os.environ["LD_PRELOAD"]
        library = ctypes.CDLL(own)
        self.arm = library.arm
        self.arm.argtypes = (ctypes.c_int, ctypes.c_long, ctypes.c_long)
        self.arm.restype = None
        self.disarm = library.disarm
        self.disarm.restype = ctypes.c_long
        self.live_blocks = library.live_blocks
        self.live_blocks.restype = ctypes.c_long
        self.forget_blocks = library.forget_blocks
        self.forget_blocks.restype = None
        library.set_modules.restype = None
        core = (*_addresses(module), *_addresses("/libstdc++.")) if module else (0, 0, 0, 0)
        library.set_modules((ctypes.c_size_t * 8)(*core, *_addresses(_interpreter()), *_addresses(own)))
        library.tell_crashes()


def _interpreter() -> str:
    """Return the file that holds the interpreter: a library, or the program itself."""
    function = ctypes.cast(ctypes.pythonapi.PyMem_Malloc, ctypes.c_void_p).value
    assert function is not None
    with Path("/proc/self/maps").open() as maps:
        for line in maps:
            first, last = (int(end, 16) for end in line.split()[0].split("-"))
            if first <= function < last:
                return line.split()[-1]
    raise AssertionError


def _addresses(name: str) -> tuple[int, int]:
    """Return the first and last address of a loaded library."""
    with Path("/proc/self/maps").open() as maps:
        ranges = [line.split()[0].split("-") for line in maps if name in line]
    return int(ranges[0][0], 16), int(ranges[-1][1], 16)
