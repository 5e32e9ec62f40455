"""What a maze of `meiro.dask.generate` costs on a cluster, measured here, and a plan made of it.

    python tests/bench/cluster.py             measures, keeps tests/bench/cluster.json
    python tests/helpers/guide_tables.py      writes the tables of notebooks/guide/clusters.md from that file

Two workers that are processes of one thread make mazes by Kruskal of 4 x 4 chunks, which go to zarr. The
bytes sent are those of the results of the tasks, with the graph of 16 x 16 chunks.
"""

from __future__ import annotations

import json
import os
import pickle
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import dask
import dask.callbacks
import distributed
import numpy as np

import meiro
import meiro.dask
from meiro.generators.pieces import apply, open_within, reduce_piece
from meiro.generators.region import large_maze

KEPT = Path(__file__).with_name("cluster.json")
SIDES = (2000, 4000, 6000)
"""Of the chunks."""
ROUNDS = 3
PLANNED = (4000, 10_000, 20_000)
WORKERS, CELLS = 100, 10**12


def measured() -> dict[str, Any]:
    """Return what a chunk costs, by its side, and what is sent of all chunks."""
    found: dict[str, Any] = {"chunks": {}, "sent": sent(16, 250), "cpus": os.cpu_count()}
    for side in SIDES:
        found["chunks"][str(side)] = {**times(side), **peak(side)}
    return found


def times(side: int) -> dict[str, float]:
    """Return the CPU time of the two passes over a chunk in ns a cell, and of `meiro.generate`."""
    maze = large_maze((10**6, 10**6), "kruskal", 7, {}, "")
    at, size = (10**5, 10**5), (side, side)
    rounds: dict[str, list[float]] = {"reduce_ns": [], "apply_ns": [], "generate_ns": []}
    for _ in range(ROUNDS):
        begin = [time.process_time()]
        piece = reduce_piece(maze, at, size)
        begin.append(time.process_time())
        apply(maze, at, size, open_within(maze, at, size))
        begin.append(time.process_time())
        meiro.generate(size, "kruskal", rng=7)
        begin.append(time.process_time())
        for times_of, seconds in zip(rounds.values(), np.diff(begin).tolist(), strict=True):
            times_of.append(seconds / side**2 * 1e9)
    medians = {name: statistics.median(times_of) for name, times_of in rounds.items()}
    return medians | {"sent_bytes": len(pickle.dumps(piece))}


def peak(side: int) -> dict[str, float]:
    """Return the largest memory of a worker before and after its work, in bytes, and the time of it."""
    local_cluster: Any = distributed.LocalCluster
    connected: Any = distributed.Client
    with (
        tempfile.TemporaryDirectory() as folder,
        dask.config.set(temporary_directory=folder),
        local_cluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster,
        connected(cluster) as client,
    ):
        first: Any = meiro.dask.generate((64, 64), "kruskal", rng=7, chunks=8)
        first.to_zarr(f"{folder}/first.zarr")
        before = max(client.run(largest).values())
        made: Any = meiro.dask.generate((4 * side, 4 * side), "kruskal", rng=7, chunks=side)
        begin = time.perf_counter()
        made.to_zarr(f"{folder}/it.zarr")
        seconds = time.perf_counter() - begin
        stored = sum(file.stat().st_size for file in Path(folder, "it.zarr").rglob("*") if file.is_file())
        return {
            "stored_bytes_a_cell": stored / (4 * side) ** 2,
            "before": before,
            "peak": max(client.run(largest).values()),
            "seconds_a_chunk": seconds / 16,
        }


def largest() -> int:
    """Return the largest memory of this process so far, in bytes."""
    status = Path("/proc/self/status").read_text("ascii")  # ru_maxrss has that of the parent, too
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def sent(count: int, side: int) -> dict[str, float]:
    """Return tasks a chunk, and bytes a chunk for each cell of its side: of the chunks, and of all tasks."""
    made: Any = meiro.dask.generate((count * side,) * 2, "kruskal", rng=7, chunks=side)
    graph = dict(made.__dask_graph__())
    bytes_of: dict[str, int] = {"reduce": 0, "merge": 0, "open": 0}

    def told(key: Any, value: Any, *_: object) -> None:
        kind = key[0].rpartition("-")[2]
        if kind in bytes_of:
            bytes_of[kind] += len(pickle.dumps(value))

    callback: Any = dask.callbacks.Callback
    with callback(posttask=told):
        made.sum().compute(scheduler="sync")
    unit = count**2 * side
    return {
        "tasks_a_chunk": len(graph) / count**2,
        "by_chunks": bytes_of["reduce"] / unit,
        "in_all": sum(bytes_of.values()) / unit,
    }


def model(kept: dict[str, Any]) -> dict[str, float]:
    """Return the numbers by which chunks of other sides are planned."""
    chunks = {int(side): values for side, values in kept["chunks"].items()}
    large = chunks[max(chunks)]
    cells = np.array([side**2 for side in chunks], float)
    grown = np.array([of["peak"] - of["before"] for of in chunks.values()], float)
    return {
        **kept["sent"],
        "base": float(np.mean([of["before"] for of in chunks.values()])),
        "bytes_a_cell": float((grown / cells).max()),
        "zarr_ns": max(2e9 * of["seconds_a_chunk"] / side**2 for side, of in chunks.items()),  # two workers
        "stored": large["stored_bytes_a_cell"],
        "ns": large["reduce_ns"] + large["apply_ns"],
    }


def costs() -> str:
    """Return what was measured, as Markdown."""
    kept = json.loads(KEPT.read_text("utf-8"))
    heads: tuple[str, ...] = (
        "n",
        "reduce, ns a cell",
        "make, ns a cell",
        "`meiro.generate`, ns a cell",
        "sent by a chunk",
    )
    heads += ("seconds a chunk, two workers, zarr", "peak of a worker")
    lines = [f"| {' | '.join(heads)} |", "|--:" * len(heads) + "|"]
    for side, of in kept["chunks"].items():
        lines.append(
            f"| {int(side):,} | {of['reduce_ns']:.0f} | {of['apply_ns']:.0f} | {of['generate_ns']:.0f} "
            f"| {of['sent_bytes'] / 1e6:.2f} MB | {of['seconds_a_chunk']:.2f} | {of['peak'] / 1e6:.0f} MB |"
        )
    by = model(kept)
    sums = (
        f"There are {by['tasks_a_chunk']:.1f} tasks a chunk. A chunk sends {by['by_chunks']:.0f} n bytes, "
        f"and all tasks {by['in_all']:.0f} n a chunk. A worker takes {by['base'] / 1e6:.0f} MB for Python "
        f"and Dask, and up to {by['bytes_a_cell']:.1f} bytes a cell of a chunk; zarr keeps a cell in "
        f"{by['stored']:.2f} bytes."
    )
    return "\n".join([*lines, "", sums]) + "\n"


def plan() -> str:
    """Return what 10^12 cells cost by the numbers that were measured, as Markdown."""
    by = model(json.loads(KEPT.read_text("utf-8")))
    hours = CELLS * by["ns"] / 1e9 / 3600
    heads: tuple[str, ...] = (
        "n",
        "chunks",
        "tasks",
        "CPU hours",
        "time",
        "time to zarr",
        "sent by a chunk",
        "sent in all",
    )
    heads = (*heads, "peak of a worker")
    lines = [
        f"| {' | '.join(heads)} |",
        "|--:" * len(heads) + "|",
    ]
    for side in PLANNED:
        chunks = CELLS // side**2
        lines.append(
            f"| {side:,} | {chunks:,} | {by['tasks_a_chunk'] * chunks:,.0f} | {hours:.0f} "
            f"| {hours * 60 / WORKERS:.0f} minutes | {by['zarr_ns'] * CELLS / 6e10 / WORKERS:.0f} minutes "
            f"| {by['by_chunks'] * side / 1e6:.1f} MB "
            f"| {by['in_all'] * side * chunks / 1e9:.0f} GB "
            f"| {(by['base'] + by['bytes_a_cell'] * side**2) / 1e9:.1f} GB |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    KEPT.write_text(json.dumps(measured(), indent=1) + "\n", "utf-8")
