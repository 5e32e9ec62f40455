"""What the tests share: no skips where CI=true, no window, and the registry as parameters."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import hypothesis
import power
import pytest
from programs import needs

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

pytest_plugins = ["browser"]
pytest.register_assert_rewrite("path_checks", "sampling")

os.environ["MPLBACKEND"] = "Agg"  # before anything imports matplotlib, subprocesses included
signal.signal(signal.SIGINT, signal.default_int_handler)  # what is begun in the background ignores Ctrl-C

hypothesis.settings.register_profile("any load", deadline=None)  # on a busy machine anything takes long
hypothesis.settings.load_profile("any load")

FEW = 4
CI = os.environ.get("CI", "").lower() in {"1", "true"}


@pytest.fixture(name="needs")
def needs_fixture() -> Callable[[str, str], str]:
    """`needs(command, package)`, for tests that do not import it."""
    return needs


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--full-laws`: ten times as many samples; `--few-of-each`: a sample of the parameters."""
    parser.addoption(
        "--full-laws", action="store_true", help="draw all samples of the tests marked `laws`, not a tenth"
    )
    parser.addoption(
        "--few-of-each", action="store_true", help=f"run each test with {FEW} of its parameters at most"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before any module of tests asks how many samples to draw."""
    power.full = config.getoption("full_laws")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Keep with its report which deviation a test of a law sees."""
    power.found.clear()
    yield
    item.user_properties += power.found.items()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which deviations the tests of laws see."""
    seen: dict[str, list[tuple[float, str]]] = {}
    for report in terminalreporter.stats.get("passed", []):
        for what, deviation in report.user_properties:
            seen.setdefault(what, []).append((deviation, report.nodeid))
    for what, found in seen.items():
        found.sort()
        (middle, _), (worst, where) = found[len(found) // 2], found[-1]
        terminalreporter.write_line(
            f"laws: {len(found)} tests see a {what} of {middle:.2g} (median) or {worst:.2g} ({where})"
        )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--few-of-each`, keep some parameters of each test: the first, the last and some between."""
    if not config.getoption("few_of_each"):
        return
    by_test: dict[tuple[object, str], list[pytest.Item]] = {}
    for item in items:
        by_test.setdefault((item.path, getattr(item, "originalname", item.name)), []).append(item)
    kept = set()
    for several in by_test.values():
        last, steps = len(several) - 1, max(min(FEW, len(several)) - 1, 1)
        kept |= {several[i * last // steps] for i in range(steps + 1)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `algorithm`, `perfect` (such an algorithm) or `solver` runs for each there is."""
    from meiro import ALGORITHMS, SOLVERS

    perfect = [name for name, facts in ALGORITHMS.items() if facts.perfect]
    for name, registry in (("algorithm", ALGORITHMS), ("perfect", perfect), ("solver", SOLVERS)):
        marks = [m for m in metafunc.definition.iter_markers("parametrize") if name in str(m.args[0])]
        if name in metafunc.fixturenames and not marks:
            metafunc.parametrize(name, list(registry))


def _not_in_ci(report: pytest.TestReport | pytest.CollectReport) -> None:
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"no test is skipped where CI=true: {why}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skipped test is a failed one in CI."""
    report = yield
    _not_in_ci(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """And so is a skipped module."""
    report = yield
    _not_in_ci(report)
    return report


@pytest.fixture(autouse=True)
def _no_figures_left() -> Generator[None, Any, None]:
    """Close the figures that a test leaves, if it drew any."""
    yield
    import sys

    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
