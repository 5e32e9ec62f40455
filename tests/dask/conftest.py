"""A cluster of Dask: two processes on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import pytest


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    """Return the client of a cluster that is the default scheduler; any port will do."""
    distributed = pytest.importorskip("distributed")
    with (
        dask.config.set(temporary_directory=tmp_path),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
