"""The soak finds a planted leak and a planted wrong answer, and nothing where nothing is planted."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import printed

FAULTS = Path(__file__).parents[1] / "faults"
SCRIPT = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[1:3]
import soak
from campaign import Campaign
{plant}
campaign = Campaign(4, 1, Path(sys.argv[3]))
soak.run(campaign, after_each)
print(*campaign.findings, sep="\\n")
"""
PLANTS = {
    "": ("after_each = lambda: None", ""),
    "leak": (
        "kept = []\nafter_each = lambda: kept.append(b'x' * 1_000_000)",
        "wrong answer: memory grows by",
    ),
    "lie": (
        "import meiro\nafter_each = lambda: None\nmeiro.rank = lambda maze: -1",
        "wrong answer: soak.py 1",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("plant", PLANTS)
def test_soak_finds_what_is_planted(plant: str, tmp_path: Path) -> None:
    code, wanted = PLANTS[plant]
    words = (FAULTS, FAULTS.parent / "helpers", tmp_path / "report.json")
    findings = printed(SCRIPT.format(plant=code), *words, timeout=100).strip()
    assert findings.startswith(wanted)
    assert wanted or not findings
