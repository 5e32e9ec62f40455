"""What the tests share: how much runs, no skips where CI=true, no window, and the registry as parameters.

By default each test runs with few of its parameters or examples, those marked `laws` draw a tenth of their
samples, and those marked `long` are left out. With `--all`, and where tests are named
(`tests/x/test_y.py::test_z`), all of it runs.
"""

from __future__ import annotations

import functools
import gc
import os
import re
import signal
import xml.etree.ElementTree as ET
from pathlib import Path
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
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # those of several processes of tests wait for each other
os.environ["SKBUILD_EDITABLE_VERBOSE"] = "0"  # an editable install prints to the stderr that tests compare
signal.signal(signal.SIGINT, signal.default_int_handler)  # what is begun in the background ignores Ctrl-C

# On a busy machine anything takes long.
hypothesis.settings.register_profile("few", deadline=None, max_examples=20)
hypothesis.settings.register_profile("all", deadline=None)

CI = os.environ.get("CI", "").lower() in {"1", "true"}


@pytest.fixture(name="needs")
def needs_fixture() -> Callable[[str, str], str]:
    """`needs(command, package)`, for tests that do not import it."""
    return needs


@pytest.fixture
def advise(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Say something at the end of the run, for a reader to judge: no test fails by it."""
    return lambda line: request.node.user_properties.append(("advice", line))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--all` and `--but`."""
    parser.addoption(
        "--all",
        action="store_true",
        help="run each test with all its parameters and samples, and those marked `long`",
    )
    parser.addoption(
        "--but",
        metavar="REPORT",
        type=Path,
        help="leave out what passed by this report (--junitxml of a run without --all), if it would do no "
        "more now; with =, or the report is taken for a test",
    )


def wholly(config: pytest.Config) -> bool:
    """Whether all runs: with `--all`, and for tests that are named."""
    return bool(config.getoption("--all")) or any("::" in arg for arg in config.args)


def pytest_configure(config: pytest.Config) -> None:
    """Before any module of tests asks how many samples to draw."""
    power.full = wholly(config)
    hypothesis.settings.load_profile("all" if power.full else "few")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Keep with its report which deviation a test of a law sees."""
    power.found.clear()
    yield
    item.user_properties += power.found.items()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which deviations the tests of laws see, and what tests advise."""
    seen: dict[str, list[tuple[Any, str]]] = {}
    for report in terminalreporter.stats.get("passed", []):
        for what, deviation in report.user_properties:
            seen.setdefault(what, []).append((deviation, report.nodeid))
    for line, _ in seen.pop("advice", []):
        terminalreporter.write_line(f"advice: {line}")
    for what, found in seen.items():
        found.sort()
        (middle, _), (worst, where) = found[len(found) // 2], found[-1]
        terminalreporter.write_line(
            f"laws: {len(found)} tests see a {what} of {middle:.2g} (median) or {worst:.2g} ({where})"
        )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Collect without the cyclic garbage collector, which would visit all syntax trees again and again."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `long`, or has passed."""
    report = config.getoption("--but")
    passed = set() if report is None else passed_in(report)
    out = {
        item
        for item in items
        if (item.get_closest_marker("long") and not wholly(config))
        or (item.nodeid in passed and not draws_more_with_all(item))
    }
    config.hook.pytest_deselected(items=[*out])
    items[:] = [item for item in items if item not in out]


def passed_in(report: Path) -> set[str]:
    """Return the tests that passed by a report of `--junitxml`."""
    return {
        f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}"
        for case in ET.parse(report).iter("testcase")  # noqa: S314  # our own
        if not any(child.tag in {"skipped", "failure", "error"} for child in case)
    }


def draws_more_with_all(item: pytest.Item) -> bool:
    """Whether hypothesis draws the examples of a test, or its file asks how many samples to draw."""
    return getattr(getattr(item, "obj", None), "is_hypothesis_test", False) or asks_for_samples(item.path)


@functools.cache
def asks_for_samples(file: Path) -> bool:
    return re.search(r"\b(power\.|samples\()", file.read_text("utf-8")) is not None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None]:
    """A test that asks for `algorithm`, `perfect` (such an algorithm) or `solver` runs for each there is."""
    from meiro import ALGORITHMS, SOLVERS

    perfect = [name for name, facts in ALGORITHMS.items() if facts.perfect]
    for name, registry in (("algorithm", ALGORITHMS), ("perfect", perfect), ("solver", SOLVERS)):
        marks = [m for m in metafunc.definition.iter_markers("parametrize") if name in str(m.args[0])]
        if name in metafunc.fixturenames and not marks:
            metafunc.parametrize(name, list(registry))
    yield
    if not wholly(metafunc.config):
        metafunc._calls = few(metafunc._calls)


def few(calls: list[Any]) -> list[Any]:
    """Return some of the calls of a parametrised test, in which each value of each parameter occurs.

    Before they are made items, which takes longer than to run most of them.
    """
    calls = [call for call in calls if not any(mark.name == "long" for mark in call.marks)] or calls
    values = [{(name, _key(value)) for name, value in call.params.items()} for call in calls]
    missing = set().union(*values)
    if len(missing) == sum(map(len, values)):
        return calls
    kept: set[int] = set()
    while missing:
        best = max(range(len(calls)), key=lambda i: len(missing & values[i]))
        kept.add(best)
        missing -= values[best]
    return [call for i, call in enumerate(calls) if i in kept]


def _key(value: object) -> object:
    """Return what is equal for equal values of one type, and for nothing else."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return type(value), value


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
