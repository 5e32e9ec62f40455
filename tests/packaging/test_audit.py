"""What the interpreter reports while meiro works: no connection is opened, and no reader runs code."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import printed

SCRIPT = """
import sys, tempfile, warnings
from pathlib import Path

warnings.simplefilter("ignore")
sys.path.insert(0, {faults!r})
seen, current = set(), None

def record(event, arguments):
    if current is not None and event.startswith({events!r}):
        seen.add(f"{{current}}: {{event}} {{arguments}}"[:200])

sys.addaudithook(record)
{body}
print(*sorted(seen), sep="\\n")
"""

CALLS = """
from valid_calls import calls, use

def run(call):
    global current
    with tempfile.TemporaryDirectory() as folder:
        current = call.name
        function, arguments = call.prepare(Path(folder))
        use(function(**arguments))
        current = None

for call in calls():
    before = {*seen}
    run(call)
    if seen != before:  # again: what is imported on demand has been imported now
        seen = before
        run(call)
"""

# Everything runs twice: whatever is imported on demand has been imported when the second time is recorded.
READERS = """
import meiro
from PIL import Image
from meiro.io.formats import FORMATS
maze = meiro.generate((4, 5), rng=1)
batch = meiro.generate_many((4, 5), n=3, rng=1)
with tempfile.TemporaryDirectory() as folder:
    readers = [(Path(folder) / f"maze{suffix}", meiro.read) for suffix, one in FORMATS.items() if one.read]
    readers += [(Path(folder) / f"batch{suffix}", meiro.MazeBatch.open) for suffix in (".npz", ".zarr")]
    for path, read in readers:
        if read is meiro.read and not FORMATS[path.suffix].write:
            Image.fromarray((1 - maze.grid) * 255).resize((88, 72), 0).save(path)
        else:
            (maze if read is meiro.read else batch).save(path)
        for current in (None, path.name):
            assert read(path) is not None
        current = None
    assert len(readers) > 6
"""


def events(body: str, *names: str) -> list[str]:
    """Return the audit events with these names that a script sees."""
    faults = str(Path(__file__).parents[1] / "faults")
    return printed(SCRIPT.format(faults=faults, events=names, body=body), timeout=110).split("\n")[:-1]


@pytest.mark.long
def test_no_call_opens_a_connection() -> None:
    assert events(CALLS, "socket.") == [""]


@pytest.mark.long
def test_no_reader_runs_code() -> None:
    assert events(READERS, "exec", "pickle.", "subprocess.", "os.system", "os.exec", "ctypes.", "import") == [
        ""
    ]


@pytest.mark.parametrize(
    ("body", "event"),
    [
        ("import socket\ncurrent = 'x'\nsocket.socket()", "socket.__new__"),
        ("import pickle\ncurrent = 'x'\npickle.loads(pickle.dumps(len))", "pickle.find_class"),
        ("current = 'x'\nexec('1')", "exec"),
    ],
)
def test_events_are_seen(body: str, event: str) -> None:
    (first, *_) = events(body, "socket.", "exec", "pickle.")
    assert first.startswith(f"x: {event} ")
