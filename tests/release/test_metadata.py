"""What others read of the project: its metadata, its workflows, how to cite it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="an sdist has no .github")


# For each platform of cibuildwheel: the processors of the machines in wheels.yml, and tags of their wheels.
WHEELS = {
    "linux": (
        ["x86_64", "aarch64"],
        {"manylinux_x86_64", "musllinux_x86_64", "manylinux_aarch64", "musllinux_aarch64"},
    ),
    "macos": (["x86_64", "arm64"], {"macosx_x86_64", "macosx_arm64"}),
    "windows": (["AMD64", "ARM64"], {"win_amd64", "win_arm64"}),
}


def run(program: str, *arguments: str | Path) -> str:
    """Run a program that is installed beside Python, and return what it prints."""
    command = [Path(sys.executable).with_name(program), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.dev
def test_repo_review_is_clean_but_for_what_has_a_reason() -> None:
    assert all(len(reason) > 10 for reason in PROJECT["tool"]["repo-review"]["ignore"].values())
    run("sp-repo-review", ".")


@pytest.mark.dev
def test_workflows_are_valid_and_safe() -> None:
    run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    run("check-jsonschema", "--builtin-schema", "vendor.dependabot", ".github/dependabot.yml")
    run("zizmor", "--offline", "--quiet", ".github")
    run("actionlint", *WORKFLOWS)  # expressions, and names of jobs, machines and inputs


@pytest.mark.dev
@pytest.mark.parametrize("platform", WHEELS)
def test_wheels_are_configured_for_each_python_and_machine(platform: str) -> None:
    processors, tags = WHEELS[platform]
    wanted = (
        "cibuildwheel",
        "--print-build-identifiers",
        "--platform",
        platform,
        "--archs",
        ",".join(processors),
    )
    found: dict[str, set[str]] = {}
    for identifier in run(*wanted).split():
        python, tag = identifier.split("-")
        found.setdefault(tag, set()).add(python)
    assert found.keys() == tags
    classifiers = " ".join(PROJECT["project"]["classifiers"])
    claimed = {f"cp3{minor}" for minor in re.findall(r"Python :: 3\.(\d+)", classifiers)}
    assert len(claimed) >= 4
    for pythons in found.values():
        assert pythons >= claimed | {"cp314t"}
        assert not pythons & {"cp310", "cp313t"}


@pytest.mark.dev
def test_citation_is_valid() -> None:
    run("check-jsonschema", "--builtin-schema", "vendor.citation-file-format", "CITATION.cff")
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"license: {PROJECT['project']['license']}\n" in text
    assert f"repository-code: {PROJECT['project']['urls']['Source']}\n" in text


def test_commands_of_the_workflows_exist() -> None:
    text = "".join(path.read_text("utf-8") for path in WORKFLOWS)
    assert "run: .ci/run\n" in text
    if (ROOT / "notebooks/conf.py").exists():
        assert {*re.findall(r"--group (\w+)", text)} <= {*PROJECT["dependency-groups"]}
    for folder in PROJECT["tool"]["cibuildwheel"]["test-command"].split():
        if folder.startswith("tests/"):
            assert (ROOT / folder).is_dir(), folder
