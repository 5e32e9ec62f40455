"""The folder of a survey: a Parquet file for each part of it, complete or not there at all."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import missing_extra
from meiro.seeds import Seed
from meiro.stats.surveys.tables import maze_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.stats.surveys.jobs import Job, SurveyRequest

_KEY = b"meiro"  # of the metadata: which survey a file belongs to
_UNFINISHED = ".part-*.tmp"


class Folder:
    """The parts of a survey that are done.

    Parameters
    ----------
    path : str or path-like
        Made if it is not there.
    plan : SurveyRequest
    resume : bool
        Whether parts may be there.

    Attributes
    ----------
    finished : set of (int, int)
        The parts that are there: kind and first number.

    Raises
    ------
    ValueError
        If parts of another survey are there, or a Parquet file that is none.
    FileExistsError
        If parts are there, and `resume` is False.
    ImportError
        If pyarrow is not installed.
    """

    def __init__(self, path: str | os.PathLike[str], plan: SurveyRequest, *, resume: bool) -> None:
        self.path = Path(path)
        self._plan = plan
        self._identity = plan.identity()
        self._sizes = {(kind, first): n for kind, first, n in plan.parts()}
        self._open: dict[tuple[int, int], tuple[NDArray[np.float64], int]] = {}
        self.finished: set[tuple[int, int]] = set()
        _parquet()
        self.path.mkdir(parents=True, exist_ok=True)
        files = {self._name(*part): part for part in self._sizes}
        for file in sorted(self.path.glob("*.parquet")):
            found, rows = _identity_of(file)
            if found != self._identity:
                raise ValueError(_other(file, found, self._identity))
            if not resume:
                msg = f"{self.path} holds parts of this survey: resume=True goes on with it"
                raise FileExistsError(msg)
            part = files.get(file.name)
            if part is None or self._sizes[part] != rows:
                msg = f"{file} is a part of this survey under another name: it has {rows} rows"
                raise ValueError(msg)
            self.finished.add(part)
        for file in self.path.glob(_UNFINISHED):
            file.unlink(missing_ok=True)

    @staticmethod
    def _name(kind: int, first: int) -> str:
        return f"part-{kind:04}-{first:012}.parquet"

    def add(self, job: Job, values: NDArray[np.float64]) -> None:
        """Take the measures of a job, one row for each maze; a part that is complete is written."""
        part = self._part_of(job)
        room, missing_rows = self._open.pop(part, (None, self._sizes[part]))
        if room is None:
            room = np.empty((len(self._plan.names), missing_rows))
        begin = job.first - part[1]
        room[:, begin : begin + job.n] = values.T
        if missing_rows > job.n:
            self._open[part] = room, missing_rows - job.n
        else:
            self.write(part, room)

    def _part_of(self, job: Job) -> tuple[int, int]:
        size = self._sizes[job.kind, 0]
        return job.kind, job.first - job.first % size

    def write(self, part: tuple[int, int], values: NDArray[np.float64]) -> None:
        """Write a part; on the disk it is there as a whole or not at all."""
        pa, pq = _parquet()
        kind, first = part
        n = values.shape[1]
        number = np.arange(first, first + n, dtype=np.uint64)
        columns: dict[str, Any] = dict(maze_columns(self._plan, np.full(n, kind, np.intp), number, values))
        for name, whole in zip(self._plan.names, self._plan.whole, strict=True):
            columns[name] = _arrow(columns[name], whole=whole)
        table = pa.table(columns).replace_schema_metadata({_KEY: json.dumps(self._identity)})
        place = self.path / self._name(*part)
        unfinished = self.path / _UNFINISHED.replace("*", f"{kind}-{first}-{os.getpid()}")
        try:
            with unfinished.open("wb") as file:
                pq.write_table(table, file)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(place)
        except OSError as error:
            why = f"{error.strerror or error}: what is finished stays in {self.path}; resume=True goes on"
            raise OSError(error.errno, why, str(place)) from error
        finally:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
        self.finished.add(part)

    def read(self, part: tuple[int, int]) -> NDArray[np.float64]:
        """Return the measures of a part that is finished, one row for each maze."""
        _, pq = _parquet()
        table = pq.read_table(self.path / self._name(*part), columns=list(self._plan.names))
        columns = [table[name].to_numpy().astype(np.float64) for name in self._plan.names]
        return np.array(columns).reshape(len(columns), table.num_rows).T


def seed_of_folder(path: str | os.PathLike[str]) -> Seed | None:
    """Return the seed of the survey that a folder holds, or None if it holds none."""
    file = min(Path(path).glob("*.parquet"), default=None)
    found = None if file is None else _identity_of(file)[0]
    return Seed((found["seed"][0], found["seed"][1]), found["seed"][2]) if found else None


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as e:
        raise missing_extra("data", "pyarrow") from e  # noqa: EM101
    return pa, pq


def _arrow(column: NDArray[np.float64], *, whole: bool) -> Any:
    """Return a measure; what cannot be told is null if others are integers, else NaN."""
    pa, _ = _parquet()
    untold = np.isnan(column)
    if whole and (np.abs(column[~untold]) < 1 << 63).all():
        return pa.array(np.where(untold, 0, column).astype(np.int64), mask=untold)
    return pa.array(column)


def _identity_of(file: Path) -> tuple[dict[str, Any], int]:
    """Return which survey a file is a part of, and how many rows it has."""
    pa, pq = _parquet()
    try:
        head = pq.read_metadata(file)
        found = json.loads(head.metadata[_KEY])
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError) as error:
        msg = f"{file} is no part of a survey ({type(error).__name__}: {error}): give a folder of its own"
        raise ValueError(msg) from None
    return found, head.num_rows


def _other(file: Path, found: dict[str, Any], asked: dict[str, object]) -> str:
    """Say in what another survey differs."""
    name, theirs, ours = next((k, found.get(k), v) for k, v in asked.items() if found.get(k) != v)
    return f"{file.parent} holds another survey: {name} is {theirs} in {file.name}, not {ours}"
