"""Each format: a damaged file gives an error that names it, or what it still holds, as in `mutated_files`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mutated_files
import power
import pytest

from meiro.io import image

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.filterwarnings("ignore")  # of Pillow, about pictures
def test_damaged_files_are_read_as_they_were_or_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image, "MAX_PIXELS", 1 << 22)
    valid = mutated_files.samples(tmp_path / "valid")
    for sample in valid:
        for seed in range(power.samples(50)):
            trouble = mutated_files.trouble_with(sample, seed, tmp_path / "damaged", valid)
            assert trouble is None, f"{sample.name}, random.Random({seed}): {trouble}"
