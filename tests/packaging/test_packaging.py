"""The wheel holds the package only; the sdist builds without git; both are the same bytes again."""

from __future__ import annotations

import importlib.machinery
import json
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
    wanted = {
        "pyproject.toml", "CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "PKG-INFO",
        "CITATION.cff",
    }  # fmt: skip
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
    assert sdist.stat().st_size < 2_050_000


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"meiro-{meiro.__version__}.dist-info/METADATA").decode()
    kinds = {".py", ".pyi", ".js", ".css", ".json", ".html"}
    package = ROOT / "python"
    sources = {str(p.relative_to(package)) for p in (package / "meiro").rglob("*") if p.suffix in kinds}
    sources |= {f"meiro/exact/data/laws/{p.name}" for p in (ROOT / "python/meiro/exact/data/laws").iterdir()}
    info = f"meiro-{meiro.__version__}.dist-info"
    assert names == sources | {
        "meiro/py.typed",
        "meiro/exact/data/known_values.json",
        f"meiro/_core{importlib.machinery.EXTENSION_SUFFIXES[0]}",
        *(f"{info}/{n}" for n in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")),
        f"{info}/sboms/meiro.cdx.json",
    }
    assert re.findall(r"^Requires-Dist: ([^;\n]*)$", metadata, re.MULTILINE) == ["numpy>=2.0"]
    assert "License-Expression: BSD-3-Clause" in metadata
    assert wheel.stat().st_size < 2_200_000


def test_long_description_is_absolute(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"meiro-{meiro.__version__}.dist-info/METADATA").decode()
    pictures = re.findall(r'<img src="([^"]+)"', text)
    assert len([link for link in pictures if link.startswith("https://raw.githubusercontent.com/")]) == 4
    links = re.findall(r"\]\(([^)\s]+)\)", text) + pictures
    assert [link for link in links if not link.startswith("https://")] == []
    for path in re.findall(r"https://\S+?/meiro/meiro/(?:blob/)?main/([\w./-]+)", text):
        assert (ROOT / path).is_file(), path


def test_sdist_and_wheel_are_the_same_bytes_again(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    (source,) = (ROOT / "build/sdist").iterdir()
    shutil.rmtree(source / "build")
    again = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
    builder = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path)]
    for what, where in [("--sdist", ROOT), ("--wheel", source)]:
        subprocess.run([*builder, what], cwd=where, env=again, check=True, capture_output=True, timeout=500)
    assert (tmp_path / sdist.name).read_bytes() == sdist.read_bytes()
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_bill_of_materials_is_valid_and_names_what_is_compiled_in(wheel: Path) -> None:
    json_schema = pytest.importorskip("cyclonedx.validation.json")
    schema = pytest.importorskip("cyclonedx.schema")
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"meiro-{meiro.__version__}.dist-info/sboms/meiro.cdx.json").decode()
    validator = json_schema.JsonStrictValidator(schema.SchemaVersion.V1_6)
    assert validator.validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["component"]["version"] == meiro.__version__
    names = {component["name"]: component.get("version") for component in bill["components"]}
    assert names.keys() == {"pybind11", "numpy"}
    assert re.fullmatch(r"3\.1\.\d+", names["pybind11"])
    assert {entry["ref"] for entry in bill["dependencies"]} >= {c["bom-ref"] for c in bill["components"]}


@pytest.mark.skipif(sys.platform != "linux", reason="ELF")
def test_module_is_stripped_and_needs_only_the_system(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        binary = archive.read(f"meiro/_core{importlib.machinery.EXTENSION_SUFFIXES[0]}")
    assert b".dynsym" in binary  # where names of sections are
    assert not [name for name in (b".symtab", b".debug_info") if name in binary]
    said = run(sys.executable, "-m", "auditwheel", "show", wheel)
    assert re.search(r'platform tag:\s+"(many|musl)linux_', said), said


def test_wheel_installs_in_a_bare_environment(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "bare")
    bin_folder = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin")
    run(bin_folder / "python", "-m", "pip", "install", "-q", wheel)
    assert run(bin_folder / "meiro", "9", "4", "--seed", "1", cwd=tmp_path).count("\n") >= 9
    version = "import importlib.metadata; print(importlib.metadata.version('meiro'))"
    assert run(bin_folder / "python", "-c", version).strip() == meiro.__version__
    run(bin_folder / "python", "-m", "pip", "check")


def test_wheel_and_sdist_pass_the_checkers(sdist: Path, wheel: Path) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel)
    run(Path(sys.executable).with_name("check-wheel-contents"), wheel)


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


def test_all_pages_name_the_same_compilers() -> None:
    told = {}
    for name in ("README.md", ".github/CONTRIBUTING.md", "notebooks/quick_start.md"):
        text = (ROOT / name).read_text("utf-8")
        found = re.search(r"g\+\+ (?:from )?(\d+),? (?:or )?clang (?:from )?(\d+)", text)
        assert found, name
        told[name] = found.groups()
    assert len(set(told.values())) == 1, told
