"""The folder of a survey: a Parquet file for each part, written completely or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.messages import requires_extra
from meiro.seeds import Seed
from meiro.stats.surveys.tables import maze_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.stats.surveys.jobs import Job, SurveyRequest

_KEY = b"meiro"  # of the metadata: the identity of the survey
_UNFINISHED = ".part-*.tmp"  # as `atomic` names the file of a part until it is complete


class SurveyFolder:
    """The finished parts of a survey.

    Parameters
    ----------
    path : str or path-like
        Created if it does not exist.
    request : SurveyRequest
    resume : bool
        Whether the folder may hold parts already.

    Attributes
    ----------
    finished : set of (int, int)
        The finished parts: configuration and first number.

    Raises
    ------
    ValueError
        If the folder holds parts of another survey, or a Parquet file that is not part of a survey.
    FileExistsError
        If the folder holds parts, and `resume` is False.
    ImportError
        If pyarrow is not installed.
    """

    def __init__(self, path: str | os.PathLike[str], request: SurveyRequest, *, resume: bool) -> None:
        self.path = Path(path)
        self._request = request
        self._identity = request.identity()
        self._sizes = {(i, first): n for i, first, n in request.parts()}
        self._incomplete: dict[tuple[int, int], tuple[NDArray[np.float64], int]] = {}
        self.finished: set[tuple[int, int]] = set()
        _import_parquet()
        self.path.mkdir(parents=True, exist_ok=True)
        files = {self._name(*part): part for part in self._sizes}
        for file in sorted(self.path.glob("*.parquet")):
            found, rows = _read_identity(file)
            if found != self._identity:
                raise ValueError(_describe_difference(file, found, self._identity))
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
    def _name(configuration: int, first: int) -> str:
        return f"part-{configuration:04}-{first:012}.parquet"

    def add(self, job: Job, values: NDArray[np.float64]) -> None:
        """Add the measures of a job, one row for each maze; a complete part is written."""
        size = self._sizes[job.configuration, 0]
        part = job.configuration, job.first - job.first % size
        rows, missing = self._incomplete.pop(part, (None, self._sizes[part]))
        if rows is None:
            rows = np.empty((len(self._request.names), missing))
        begin = job.first - part[1]
        rows[:, begin : begin + job.n] = values.T
        if missing > job.n:
            self._incomplete[part] = rows, missing - job.n
        else:
            self.write(part, rows)

    def write(self, part: tuple[int, int], values: NDArray[np.float64]) -> None:
        """Write a part, shape (measures, mazes)."""
        pa, pq = _import_parquet()
        configuration, first = part
        n = values.shape[1]
        number = np.arange(first, first + n, dtype=np.uint64)
        index = np.full(n, configuration, np.intp)
        columns: dict[str, Any] = dict(maze_columns(self._request, index, number, values))
        for name, whole in zip(self._request.names, self._request.whole, strict=True):
            columns[name] = _arrow_column(columns[name], whole=whole)
        table = pa.table(columns).replace_schema_metadata({_KEY: json.dumps(self._identity)})
        path = self.path / self._name(*part)
        try:
            with atomic(path) as file:
                pq.write_table(table, file)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            why = f"{error.strerror or error}: finished parts stay in {self.path}; resume=True goes on"
            raise OSError(error.errno, why, str(path)) from error
        self.finished.add(part)

    def read(self, part: tuple[int, int]) -> NDArray[np.float64]:
        """Return the measures of a finished part, one row for each maze."""
        _, pq = _import_parquet()
        table = pq.read_table(self.path / self._name(*part), columns=list(self._request.names))
        columns = [table[name].to_numpy().astype(np.float64) for name in self._request.names]
        return np.array(columns).reshape(len(columns), table.num_rows).T


def seed_of_folder(path: str | os.PathLike[str]) -> Seed | None:
    """Return the seed of the survey in a folder, or None for a folder without a survey."""
    file = min(Path(path).glob("*.parquet"), default=None)
    found = None if file is None else _read_identity(file)[0]
    return Seed((found["seed"][0], found["seed"][1]), found["seed"][2]) if found else None


def _import_parquet() -> tuple[Any, Any]:
    with requires_extra("data", "pyarrow"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    return pa, pq


def _arrow_column(column: NDArray[np.float64], *, whole: bool) -> Any:
    """Return a measure as an Arrow array; NaN becomes null in a column of integers."""
    pa, _ = _import_parquet()
    undefined = np.isnan(column)
    if whole and (np.abs(column[~undefined]) < 1 << 63).all():
        return pa.array(np.where(undefined, 0, column).astype(np.int64), mask=undefined)
    return pa.array(column)


def _read_identity(file: Path) -> tuple[dict[str, Any], int]:
    """Return the identity of the survey that a file belongs to, and its number of rows."""
    pa, pq = _import_parquet()
    try:
        head = pq.read_metadata(file)
        found = json.loads(head.metadata[_KEY])
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError) as error:
        msg = f"{file} is not part of a survey ({type(error).__name__}: {error}): give a folder of its own"
        raise ValueError(msg) from None
    return found, head.num_rows


def _describe_difference(file: Path, found: dict[str, Any], asked: dict[str, object]) -> str:
    name, theirs, ours = next((k, found.get(k), v) for k, v in asked.items() if found.get(k) != v)
    return f"{file.parent} holds another survey: {name} is {theirs} in {file.name}, not {ours}"
