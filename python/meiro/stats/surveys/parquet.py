"""The folder of a survey: a Parquet file for each part, written completely or not at all.

The metadata of a part hold its identity and a SHA-256 digest of the whole file, computed with zeros in the
place of the digest, so that a part that has changed in any bit since it was written is never counted.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.messages import printable, requires_extra
from meiro.seeds import Seed
from meiro.stats.surveys.tables import maze_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.stats.surveys.jobs import Job, SurveyRequest

_KEY = b"meiro"  # of the metadata: the identity of the survey, the name of the part, and the digest
_BEFORE_DIGEST = b'"sha256": "'
_NO_DIGEST = "0" * 64
_PARTS = "part-????-????????????.parquet"


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
    OSError
        If a part is damaged.
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
            found = _read_identity(file)
            part = files.get(file.name)
            if part is None or found != self._identity_of(part):
                _verified(file)
                raise ValueError(_describe_difference(file, found, self._identity))
            if not resume:
                raise FileExistsError(
                    f"{printable(str(self.path))} holds parts of this survey: resume=True goes on with it"
                )
            self.finished.add(part)

    @staticmethod
    def _name(configuration: int, first: int) -> str:
        return f"part-{configuration:04}-{first:012}.parquet"

    def _identity_of(self, part: tuple[int, int]) -> dict[str, object]:
        return {**self._identity, "part": self._name(*part), "rows": self._sizes[part]}

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
        path = self.path / self._name(*part)
        identity = {**self._identity_of(part), "sha256": _NO_DIGEST}
        table = pa.table(columns).replace_schema_metadata({_KEY: json.dumps(identity)})
        content = pa.BufferOutputStream()
        pq.write_table(table, content)
        try:
            with atomic(path) as file:
                file.write(_with_digest(content.getvalue().to_pybytes()))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if error.errno is None:  # not of the system: the TimeoutError of a signal handler
                raise
            why = f"{error.strerror or error}: finished parts stay in {self.path}; resume=True goes on"
            raise OSError(error.errno, printable(why), str(path)) from error
        self.finished.add(part)

    def read(self, part: tuple[int, int]) -> NDArray[np.float64]:
        """Return the measures of a finished part, one row for each maze."""
        pa, pq = _import_parquet()
        content = pa.BufferReader(_verified(self.path / self._name(*part)))
        table = pq.read_table(content, columns=list(self._request.names))
        columns = [table[name].to_numpy().astype(np.float64) for name in self._request.names]
        return np.array(columns).reshape(len(columns), table.num_rows).T


def seed_of_folder(path: str | os.PathLike[str]) -> Seed | None:
    """Return the seed of the survey in a folder, or None for a folder without a survey."""
    file = min(Path(path).glob("*.parquet"), default=None)
    if file is None:
        return None
    found = _read_identity(file)
    _verified(file)
    *key, replicate = found["seed"]
    return Seed((key[0], key[1]), replicate)


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


def _with_digest(content: bytes) -> bytes:
    """Return the content of a part with its digest, or with the right one."""
    place = content.rfind(_BEFORE_DIGEST) + len(_BEFORE_DIGEST)
    before, after = content[:place], content[place + len(_NO_DIGEST) :]
    digest = hashlib.sha256(before + _NO_DIGEST.encode() + after).hexdigest()
    return before + digest.encode() + after


def _verified(file: Path) -> bytes:
    """Return the content of a part; a part that has changed since it was written is refused."""
    content = file.read_bytes()
    if _with_digest(content) != content:
        why = "this part is damaged, or has no digest: delete it, and resume=True makes it again"
        raise OSError(errno.EIO, why, str(file))
    return content


def _read_identity(file: Path) -> dict[str, Any]:
    """Return the identity of the survey that a file belongs to, and name and rows of the part."""
    pa, pq = _import_parquet()
    with file.open("rb") as stream:
        try:
            found: dict[str, Any] = json.loads(pq.read_metadata(stream).metadata[_KEY])
            found.pop("sha256", None)
        except (pa.ArrowException, OSError, LookupError, TypeError, ValueError, AttributeError) as error:
            unreadable = isinstance(error, OSError | ValueError) and file.match(_PARTS)
            if unreadable or _BEFORE_DIGEST in file.read_bytes():
                _verified(file)
            why = f"{type(error).__name__}: {error}"
            raise ValueError(
                f"{printable(str(file))} is not part of a survey ({why}): give a folder of its own"
            ) from None
    return found


def _describe_difference(file: Path, found: dict[str, Any], asked: dict[str, object]) -> str:
    for name in dict.fromkeys([*asked, *found]):
        if name not in {"part", "rows"} and (theirs := found.get(name)) != (ours := asked.get(name)):
            other = f"{file.parent} holds another survey: {name} is {theirs} in {file.name}, not {ours}"
            return printable(other)
    was = f"{found['part']} with {found['rows']} rows"
    return f"{printable(str(file))} is a part of this survey under another name: it was written as {was}"
