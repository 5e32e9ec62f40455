"""The campaign of processes finds a child that hangs, crashes, complains or is wrong."""

from __future__ import annotations

from pathlib import Path

import processes
import pytest
from campaign import Campaign
from processes import Scenario, run_scenario

PLANTED = {
    "hang": Scenario("time.sleep(60)", imports=""),
    "crash": Scenario("os.kill(os.getpid(), signal.SIGSEGV)", imports=""),
    "undocumented exception": Scenario("raise ValueError", imports=""),
    "wrong answer": Scenario("print('left')", imports=""),
    "": Scenario("print('right')", imports=""),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", PLANTED)
def test_what_is_planted_is_found(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PATIENCE", 2.0)
    monkeypatch.setitem(processes.SCENARIOS, "planted", PLANTED[kind])
    campaign = Campaign(1, 1, tmp_path / "report.json")
    run_scenario(campaign, "planted", 1, tmp_path)
    assert list(campaign.counts) == ([kind] if kind else [])
