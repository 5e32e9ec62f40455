# The extension module, as the package sees it. tests/test_stubs.py compares names and defaults with what is bound.
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

def last_silence() -> float: ...
def generators() -> list[dict[str, Any]]: ...
def options() -> dict[str, dict[str, Any]]: ...
def generate(
    algorithm: str,
    out: NDArray[np.uint8],
    seed: tuple[int, int, int],
    mask: NDArray[np.uint8] | None,
    options: dict[str, object],
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> None: ...
def random_words(address: tuple[int, int, int, int], purpose: int, first: int, n: int) -> NDArray[np.uint64]: ...
def expand_rows(passages: NDArray[np.uint8], mask: NDArray[np.uint8] | None, first: int, out: NDArray[np.uint8]) -> None: ...
def contract_grid(
    grid: NDArray[np.uint8],
) -> tuple[str, int, int] | tuple[NDArray[np.uint8], NDArray[np.uint8] | None]: ...
def first_fault(passages: NDArray[np.uint8], mask: NDArray[np.uint8] | None) -> int: ...
