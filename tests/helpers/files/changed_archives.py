"""Archives of arrays, written again with other content."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np


def rewrite_npz(path: Path, head: str | None = None, **new: Any) -> None:
    """Change arrays of an archive, None to leave one out; what its JSON `head` has is changed there."""
    with np.load(path) as archive:
        arrays: dict[str, Any] = dict(archive)
    facts = {} if head is None else json.loads(arrays[head].item())
    for name, value in new.items():
        (facts if name in facts else arrays)[name] = value
    if head is not None:
        arrays[head] = json.dumps(facts)
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
