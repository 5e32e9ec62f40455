"""The commands `meiro generate`, `solve`, `measure` and so on; pipes, JSON, and programs that are tested."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from programs import printed, run_python

import meiro
from meiro.cli import main
from meiro.cli.main import COMMANDS

MEIRO = [sys.executable, "-m", "meiro"]


def process(*words: object, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [*MEIRO, *map(str, words)]
    return subprocess.run(command, input=given, capture_output=True, timeout=60, check=False, env=os.environ)


def give(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Put bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_a_page_of_help_with_examples(command: str, capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main([command, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert f"meiro {command}" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_unknown_options_are_errors_in_one_line(command: str, run: Any) -> None:
    status, out, err = run(command, *["maze.png"] * (command == "solve"), "--strange")
    assert (status, out) == (main.ERROR, "")
    assert err.startswith("meiro: ")
    assert err.count("\n") == 1


def test_list_is_the_registry_in_json(run: Any) -> None:
    listed = json.loads(run("list", "--json")[1])
    assert [each["name"] for each in listed["algorithms"]] == list(meiro.ALGORITHMS)
    assert [each["name"] for each in listed["solvers"]] == list(meiro.SOLVERS)
    assert listed["algorithms"][0]["options"] == meiro.ALGORITHMS[listed["algorithms"][0]["name"]].options


@pytest.mark.parametrize(
    ("words", "needs", "not_needed"),
    [
        (["completion", "bash"], "cli.completion registry", "cli.generate"),
        (["3", "2"], "cli.generate drawing.text.render", "solvers traces io.files"),
    ],
)
def test_a_command_loads_what_it_needs(words: list[str], needs: str, not_needed: str) -> None:
    code = f"import sys; from meiro.cli.main import main; main({words}); print(*sys.modules)"
    own = {name.removeprefix("meiro.") for name in printed(code).split() if name.startswith("meiro.")}
    assert {*needs.split()} <= own
    assert not {"stats", "datasets", "exact", *not_needed.split()} & own


@pytest.mark.parametrize("words", [["--version"], *([name, "--help"] for name in COMMANDS if name != "play")])
def test_help_needs_no_numpy(words: list[str]) -> None:
    code = (
        "import sys; from meiro.cli.main import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\nprint(*sys.modules, file=sys.stderr)"
    )
    done = run_python(code, *words)
    assert "meiro.cli.main" in done.stderr.split()
    assert "numpy" not in done.stderr.split()
    assert done.stdout.startswith((f"meiro {meiro.__version__}\n", "usage: "))


STREAMED = ["-", "-.npz", "-.png", "-.csv", "-.npy", "-.txt", "-.map", "-.geojson", "-.wkt", "-.dxf"]


@pytest.mark.parametrize("output", STREAMED)
def test_a_maze_goes_through_standard_streams(output: str, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", io.TextIOWrapper(out, "utf-8"))
        assert run(12, 8, "--seed", 4, "-o", output) == (0, "", "")
        written = out.getvalue()
    give(monkeypatch, written)
    steps = 2 * meiro.solve(meiro.generate((8, 12), rng=4)).length
    assert run("solve", "-", "-q") == (0, f"steps {steps}\nsites {steps + 1}\n", "")
    give(monkeypatch, written)
    assert run("convert", "-", "again.npy")[0] == 0
    assert meiro.read("again.npy") == meiro.generate((8, 12), rng=4)


@pytest.mark.parametrize("suffix", [".graphml", ".gml", ".gexf", ".json"])
def test_a_graph_goes_through_standard_streams(
    suffix: str, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    maze = meiro.generate(meiro.lattices.hexagonal(3, 4), rng=4)
    maze.save(f"a{suffix}")
    give(monkeypatch, Path(f"a{suffix}").read_bytes())
    status, out, err = run("solve", "-", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["steps"] == meiro.solve(maze).length


@pytest.mark.parametrize("output", ["-.tmx", "-.tmj", "-.yaml", "-.YML"])
def test_formats_of_two_files_are_not_written_to_standard_output(output: str, run: Any) -> None:
    status, out, err = run(4, 3, "-q", "-o", output)
    assert (status, out) == (main.ERROR, "")
    assert "beside it, which standard output cannot hold: write a file" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("suffix", [".tmx", ".tmj"])
def test_a_map_of_tiled_goes_through_standard_input(
    suffix: str, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    maze = meiro.generate((8, 12), rng=4)
    maze.save(f"a{suffix}")
    give(monkeypatch, Path(f"a{suffix}").read_bytes())
    assert run("convert", "-", "b.yaml") == (0, "", "")
    assert meiro.read("b.yaml") == maze
    give(monkeypatch, Path("b.yaml").read_bytes())
    status, out, err = run("convert", "-", "c.npz")
    assert (status, out) == (main.ERROR, "")
    assert "is two files, of which standard input holds one" in err


@pytest.mark.parametrize("words", [["-o", "-"], []], ids=["written", "printed"])
def test_a_maze_goes_through_a_pipe(words: list[str]) -> None:
    made = process(12, 8, "--seed", 4, *words)
    assert (made.returncode, made.stderr) == (0, b"")
    solved = process("solve", "-", "-q", given=made.stdout)
    steps = 2 * meiro.solve(meiro.generate((8, 12), rng=4)).length
    assert solved.stdout.decode().split() == ["steps", str(steps), "sites", str(steps + 1)]


@pytest.mark.parametrize("given", [b"", b" \n", b"PK\3\4 and no more", b"\x89PNG", b"<svg/>", b"hello\n"])
def test_strange_input_is_an_error_that_names_standard_input(
    given: bytes, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(monkeypatch, given)
    status, out, err = run("solve", "-")
    assert (status, out) == (main.ERROR, "")
    assert "standard input" in err
    assert "tmp" not in err
    assert err.count("\n") == 1


def test_convert_writes_the_same_maze(run: Any) -> None:
    maze = meiro.generate((5, 6), rng=2)
    maze.save("a.map")
    assert run("convert", "a.map", "b.png", "--scale", 4) == (0, "", "")
    assert meiro.read("b.png") == maze


def test_json_has_the_seed_and_the_path(run: Any) -> None:
    status, out, err = run(9, 4, "--json", "--solve")
    assert (status, err) == (0, "")
    facts = json.loads(out)
    solution = meiro.solve(meiro.generate((4, 9), rng=facts["seed"]))
    assert facts["shape"] == [4, 9]
    assert facts["path"] == solution.path.tolist()
    assert facts["steps"] == solution.length


@pytest.mark.parametrize("shape", [(5, 6), meiro.lattices.polar(4)], ids=["squares", "polar"])
def test_measure_prints_what_measure_returns(shape: Any, run: Any) -> None:
    batch = meiro.generate_many(shape, n=3, rng=2)
    batch.save("many.npz")
    rows = json.loads(run("measure", "many.npz", "-m", "dead_ends", "--json")[1])
    assert [row["dead_ends"] for row in rows] == meiro.measure(batch, "dead_ends")["dead_ends"].tolist()
    batch[0].save("one.npz")
    told = dict(line.split() for line in run("measure", "one.npz")[1].splitlines())
    assert int(told["dead_ends"]) == rows[0]["dead_ends"]


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
def test_survey_writes_the_table_of_survey(suffix: str, run: Any) -> None:
    name = f"table{suffix}"
    words = ["-a", "kruskal", "wilson", "-n", 20, "--seed", 5, "-m", "dead_ends"]
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    assert run("survey", 6, 4, *words, "-o", name) == (0, "", "")
    means = meiro.survey((4, 6), ["kruskal", "wilson"], 20, rng=5, measures="dead_ends")["mean"].tolist()
    if suffix == ".csv":
        lines = [line.split(",") for line in Path(name).read_text("utf-8").splitlines()]
        assert [float(line[lines[0].index("mean")]) for line in lines[1:]] == means
    elif suffix == ".json":
        assert [row["mean"] for row in json.loads(Path(name).read_text("utf-8"))] == means
    else:
        import pyarrow.parquet

        assert pyarrow.parquet.read_table(name)["mean"].to_pylist() == means


def test_survey_tells_long_sources_below_the_table(run: Any) -> None:
    words = ["-a", "wilson", "percolation", "-n", 5, "-m", "dead_ends", "regions"]
    head, *rows, first, second = run("survey", 6, 4, *words)[1].splitlines()
    assert head.endswith("  source")
    assert [row.split()[-1] for row in rows] == ["[1]", "-", "[2]", "-"]
    assert max(map(len, [head, *rows])) < 170
    table = meiro.survey((4, 6), ["wilson", "percolation"], 5, measures="dead_ends")
    assert [first, second] == [f"[{k + 1}] {text}" for k, text in enumerate(table["source"])]
    assert all("[" not in str(row["source"]) for row in json.loads(run("survey", 6, 4, *words, "--json")[1]))


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_table_fits_a_narrow_terminal(width: int, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["-a", "wilson", "kruskal", "-n", 5, "-q", "-m", "dead_ends", "river"]
    wide = run("survey", 6, 4, "--seed", 1, *words)[1].splitlines()
    monkeypatch.setattr("meiro.cli.shared.tables.sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = run("survey", 6, 4, "--seed", 1, *words)[1].splitlines()
    assert max(map(len, wide)) > width >= max(map(len, narrow))
    for line in range(5):  # every cell of the wide table, in its order; labels stand again in each block
        found = " ".join(part for k in range(line, len(narrow), 6) for part in narrow[k].split())
        cells = wide[line].split()
        assert all(f" {cell} " in f" {found} " for cell in cells), (line, found)
    blocks = "\n".join(narrow).split("\n\n")
    assert len(blocks) > 1
    assert all("measure" in block.splitlines()[0] for block in blocks)


def test_survey_changes_mazes(run: Any) -> None:
    words = ["-n", 20, "--seed", 5, "-m", "dead_ends", "solution_length", "--openings", "random", "--json"]
    steps = [("braid", {"p": 0.5}), ("fill_dead_ends", {}), ("add_loops", {"share": 0.1, "rng": 3})]
    changes = ["--transform", "braid:p=0.5", "fill_dead_ends", "add_loops:share=0.1,rng=3"]
    told = run("survey", 6, 4, *words, *changes)
    given: dict[str, Any] = {"rng": 5, "measures": ["dead_ends", "solution_length"], "openings": "random"}
    table = meiro.survey((4, 6), "wilson", 20, transforms=steps, **given)
    assert [row["mean"] for row in json.loads(told[1])] == table["mean"].tolist()
    told = run("survey", 6, 4, *words, "--transform", "braid:p=[0,0.5],rng=2")
    table = meiro.survey((4, 6), "wilson", 20, transforms=[("braid", {"p": [0, 0.5], "rng": 2})], **given)
    rows = json.loads(told[1])
    assert [row["mean"] for row in rows] == table["mean"].tolist()
    assert [row["transform_braid_p"] for row in rows] == [0, 0, 0.5, 0.5]
    for wrong, message in (
        ("braid:0.5", "--transform: must be NAME=VALUE, as choose=oldest, not '0.5'"),
        ("braids", "transforms[0] is 'braids', and no transform"),
    ):
        status, _, err = run("survey", 6, 4, "--transform", wrong)
        assert (status, message in err) == (main.ERROR, True)


@pytest.mark.parametrize("threads", ["x", "0", "1.5"])
def test_survey_refuses_a_number_of_threads_in_one_line(threads: str, run: Any) -> None:
    code, out, err = run("survey", 6, 4, "-n", 2, "--threads", threads)
    assert (code, out) == (2, "")
    assert err.startswith("meiro: threads must be a positive integer or")
    assert err.count("\n") == 1


def test_survey_refuses_a_file_before_it_works(run: Any) -> None:
    status, _, err = run("survey", 1000, 1000, "-n", 10**9, "-o", "table.xls")
    assert status == main.ERROR
    assert "'.xls'" in err


# A program that is tested

UNIFORM = """
import sys, meiro
for maze in meiro.generate_many((2, 3), "{algorithm}", 500, rng=int(sys.argv[1])):
    if "{form}" == "text":
        print(maze, end="\\n\\n")
    else:
        print("\\n".join("".join("{form}"[site] for site in row) for row in maze.grid.tolist()), end="\\n\\n")
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "algorithm", "status"),
    [("text", "wilson", 0), ("01", "wilson", 0), (".#", "wilson", 0), (" #", "binary_tree", 1)],
)
def test_sampler_test_judges_a_program(form: str, algorithm: str, status: int, run: Any) -> None:
    Path("mine.py").write_text(UNIFORM.format(algorithm=algorithm, form=form), "utf-8")
    words = ["--size", 3, 2, "-n", 1000, "--json", "--seconds", 60, "--", sys.executable, "mine.py", "{seed}"]
    found, out, err = run("sampler-test", *words)
    assert (found, err) == (status, "")
    facts = json.loads(out)
    assert (facts["n"], facts["calls"], facts["accepted"]) == (1000, 2, status == 0)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('hello')", "printed 'hello"),
        ("", "printed nothing"),
        ("import sys; sys.exit('no mazes today')", "exit status 1; its output: 'no mazes today'"),
        pytest.param("import time; time.sleep(60)", "still running after 2 s", marks=pytest.mark.long),
        ("print('###' '\\n' '# #' '\\n' '###')", "1 x 1 cells, not 3 x 3"),
        ("print([[1, 1, 1], [1, 0, 1], [1, 1, 1]])", "1 x 1 cells, not 3 x 3"),  # an array is read, too
    ],
)
def test_sampler_test_names_what_a_program_did(code: str, said: str, run: Any) -> None:
    Path("mine.py").write_text(code, "utf-8")
    status, out, err = run("sampler-test", "--seconds", 2, "--", sys.executable, "mine.py", "{seed}")
    assert (status, out) == (main.ERROR, "")
    assert said in err
    assert "mine.py 0" in err
    assert err.count("\n") == 1


def test_sampler_test_needs_a_program_and_a_seed(run: Any) -> None:
    assert "comes after --" in run("sampler-test")[2]
    assert "{seed}" in run("sampler-test", "--", "true")[2]
    assert "take 21 or more" in run("sampler-test", "-n", 20, "--", "./no-such-program", "{seed}")[2]
    assert "no-such-program" in run("sampler-test", "--", "./no-such-program", "{seed}")[2]


@pytest.mark.long
def test_sampler_test_ends_a_program_that_prints_or_runs_for_ever(run: Any, tmp_path: Path) -> None:
    endless = "import sys\nwhile True: sys.stdout.write('#' * 100_000)"
    status, _, said = run("sampler-test", "-q", "--", sys.executable, "-c", endless, "{seed}")
    assert (status, "printed more than 67,108,864 bytes" in said) == (2, True)
    child = f"import time, pathlib\ntime.sleep(3)\npathlib.Path({str(tmp_path / 'late')!r}).touch()"
    parent = (
        f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)"
    )
    status, _, said = run("sampler-test", "-q", "--seconds", 1, "--", sys.executable, "-c", parent, "{seed}")
    assert (status, "still running after 1 s" in said) == (2, True)
    time.sleep(3)
    assert not (tmp_path / "late").exists()


def test_convert_knows_the_value_of_a_road(run: Any, tmp_path: Path) -> None:
    maze = meiro.generate((3, 4), rng=1)
    np.save(tmp_path / "a.npy", np.where(maze.grid == 1, 0, 255).astype(np.uint8))
    status, *_ = run("convert", str(tmp_path / "a.npy"), str(tmp_path / "b.txt"), "--road", "255")
    assert status == 0
    assert meiro.read(tmp_path / "b.txt") == maze


def test_layers_with_walls_are_named(run: Any, tmp_path: Path) -> None:
    line = '{"type":"Feature","properties":{"Layer":"%s"},"geometry":{"type":"LineString","coordinates":%s}}'
    drawn = {"a": [[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]], "b": [[0, 0.3], [1, 2]]}
    features = ",".join(line % both for both in drawn.items())
    (tmp_path / "a.geojson").write_text(f'{{"type":"FeatureCollection","features":[{features}]}}')
    assert run("convert", str(tmp_path / "a.geojson"), str(tmp_path / "b.txt"), "--layer", "A")[0] == 0
    _, _, said = run("solve", str(tmp_path / "a.geojson"), "--layer", "c")
    assert "no line is on a layer 'c', --layer" in said


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("meiro sam", ["sampler-test"]),
        ("meiro -a wi", ["wilson"]),
        ("meiro solve x --solver a_", ["a_star"]),
        ("meiro --best diam", ["diameter"]),
        ("meiro --solve", ["--solve", "--solver"]),
    ],
)
def test_a_shell_completes_words(words: str, wanted: list[str], run: Any) -> None:
    _, script, _ = run("completion", "bash")
    code = f"{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))"
    code += "; _meiro; echo ${COMPREPLY[@]}"
    shell = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert shell.stdout.split() == wanted
    assert script in run("completion", "zsh")[1]
    assert "wilson" in run("completion", "fish")[1]
