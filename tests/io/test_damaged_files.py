"""Each format: a damaged file gives an error that names it, or what it still holds, as in `mutated_files`."""

from __future__ import annotations

from pathlib import Path

import mutated_files
import power
import pytest

from meiro.io import formats, image


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> list[mutated_files.Sample]:
    return mutated_files.samples(tmp_path_factory.mktemp("files") / "valid")


@pytest.mark.filterwarnings("ignore")  # of Pillow, about pictures
@pytest.mark.parametrize("suffix", [*formats.suffixes("read"), ".zarr", ".zanj", ".scen"])
def test_damaged_files_are_read_as_they_were_or_refused_by_name(
    suffix: str, valid: list[mutated_files.Sample], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image, "MAX_PIXELS", 1 << 22)
    own = [sample for sample in valid if sample.suffix == suffix]
    assert own
    for sample in own:
        for seed in range(power.samples(50)):
            trouble = mutated_files.trouble_with(sample, seed, tmp_path / "damaged", valid)
            assert trouble is None, f"{sample.name}, random.Random({seed}): {trouble}"
