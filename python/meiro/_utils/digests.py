"""What stands in recipes for arrays that are too large to list."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LISTED = 10_000  # numbers of an array that a recipe lists


def array_digest(array: NDArray[Any]) -> dict[str, object]:
    """Return what stands for an array in a recipe or in the name of a survey."""
    digest = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return {"array": list(array.shape), "dtype": str(array.dtype), "sha256": digest[:16]}
