"""The wheel holds the package and nothing else; the sdist builds without git."""

from __future__ import annotations

import importlib.machinery
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import meiro

ROOT = Path(__file__).parents[2]

# build, scikit-build-core, twine and the rest are of that group; without a cache, a wheel takes minutes
pytestmark = [pytest.mark.dev, pytest.mark.timeout(600)]


def run(*command: str | Path, cwd: Path = ROOT, **env: str) -> str:
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | env, capture_output=True, text=True, check=False, timeout=500
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", out)
    (made,) = out.glob("*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made from the unpacked sdist, where no git looks."""
    out = tmp_path_factory.mktemp("wheel")
    unpacked = ROOT / "build" / "sdist"  # as deep as a checkout has its sources: a compiler cache knows them
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out),
        cwd=source,
        GIT_DIR=str(out / "none"),
    )
    (made,) = out.glob("*.whl")
    return made


def members(sdist: Path) -> set[str]:
    with tarfile.open(sdist) as archive:
        return {m.name.partition("/")[2] for m in archive.getmembers() if m.isfile()}


def test_sdist_holds_the_sources_and_the_tests(sdist: Path) -> None:
    names = members(sdist)
    wanted = {"pyproject.toml", "CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "PKG-INFO"}
    wanted |= {
        "src/CMakeLists.txt",
        "src/core/generate/generators.cpp",
        "src/bindings/module.cpp",
        "python/meiro/_core.pyi",
        "tests/conftest.py",
    }
    assert wanted <= names
    tops = {name.split("/")[0] for name in names}
    assert tops <= {p.split("/")[0] for p in wanted} | {
        *("CMakePresets.json", ".clang-format", ".clang-tidy", ".pre-commit-config.yaml", ".gitignore")
    }
    assert not [n for n in names if re.search(r"\.(so|pyd|pyc|o|a|log)$|__pycache__|~$", n)]
    assert sdist.stat().st_size < 2_000_000


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"meiro-{meiro.__version__}.dist-info/METADATA").decode()
    kinds = {".py", ".pyi", ".js", ".css", ".json"}
    package = ROOT / "python"
    sources = {str(p.relative_to(package)) for p in (package / "meiro").rglob("*") if p.suffix in kinds}
    sources |= {f"meiro/exact/data/laws/{p.name}" for p in (ROOT / "python/meiro/exact/data/laws").iterdir()}
    info = f"meiro-{meiro.__version__}.dist-info"
    assert names == sources | {
        "meiro/py.typed",
        "meiro/exact/data/known_values.json",
        f"meiro/_core{importlib.machinery.EXTENSION_SUFFIXES[0]}",
        *(f"{info}/{n}" for n in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")),
    }
    assert re.findall(r"^Requires-Dist: ([^;\n]*)$", metadata, re.MULTILINE) == ["numpy>=2.0"]
    assert "License-Expression: BSD-3-Clause" in metadata
    assert wheel.stat().st_size < 2_000_000


def test_wheel_and_sdist_pass_the_checkers(sdist: Path, wheel: Path) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel)
    run(Path(sys.executable).with_name("check-wheel-contents"), wheel)


def test_wheel_works_where_it_is_unpacked(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)  # noqa: S202 - it is our own
    code = "import meiro, numpy; m = meiro.generate((9, 9), rng=1); print(meiro.__file__, m.is_perfect)"
    where, perfect = run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(tmp_path)).split()
    assert Path(where).is_relative_to(tmp_path)
    assert perfect == "True"


def test_version_is_stated_once(wheel: Path) -> None:
    (said,) = re.findall(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert meiro.__version__ == said
    assert wheel.name.startswith(f"meiro-{said}-")
    for path in [
        *(ROOT / "python/meiro").rglob("*.py"),
        *(ROOT / "src").rglob("*.?pp"),
        ROOT / "CMakeLists.txt",
    ]:
        assert f'"{said}"' not in path.read_text("utf-8"), path


def test_license_is_named_and_included() -> None:
    assert (ROOT / "LICENSE").read_text("utf-8").startswith("BSD 3-Clause License")
