# The extension module, as the package sees it.
# tests/test_stubs.py compares names and defaults with what is bound.
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__version__: str

_Bytes: TypeAlias = NDArray[np.uint8]
_Mask: TypeAlias = NDArray[np.bool_] | None
_Seed: TypeAlias = tuple[int, int, int]
_Told: TypeAlias = Callable[[int, int], object] | None
_Space: TypeAlias = (
    tuple[_Bytes, _Mask, tuple[bool, bool]]
    | tuple[_Bytes, int]
    | tuple[_Bytes, int, tuple[bool, bool], str]
    | tuple[Graph, _Bytes]
)  # src/bindings/held_space.hpp
_Numbers: TypeAlias = NDArray[np.int64]

class EventKind(IntEnum):
    VISIT = 0
    WALK = 1
    CARVE = 2
    KEEP = 3
    BUILD = 4
    ERASE = 5
    COMMIT = 6
    BACK = 7
    CLOSE = 9
    PATH = 10
    FILL = 11

class State(IntEnum):
    UNTOUCHED = 0
    FRONTIER = 1
    WALK = 2
    IN_MAZE = 3
    VISITED = 4
    FILLED = 5
    PATH = 6
    KEPT = 7
    GROWING = 8
    BUILT = 9
    TORN_DOWN = 10
    CURRENT = 11

class LabelKind(IntEnum):
    NONE = 0
    ORDER = 1
    AREAS = 2
    SETS = 3
    DISTANCE = 4

class Paint(IntEnum):
    ROAD = 0
    WALL = 12
    CLOSED = 13
    START = 14
    GOAL = 15

PURPOSE_GENERATE: int
PURPOSE_ENDPOINTS: int
PURPOSE_AGENTS: int
RANDOM_CELL: int
STREAM: int

def last_call() -> tuple[float, int]: ...

GENERATORS: list[dict[str, Any]]
SOLVERS: list[dict[str, Any]]
MEASURES: list[dict[str, Any]]
OPTIONS: dict[str, dict[str, Any]]

def generate(
    algorithm: str,
    place: tuple[_Mask, tuple[bool, bool]] | Graph,
    out: _Bytes,
    seed: _Seed,
    options: dict[str, object],
    threads: int,
    progress: _Told,
    recording: Recording | GraphRecording | None,
) -> None: ...
def generate_window(
    algorithm: str,
    shape: tuple[int, int],
    first: tuple[int, int],
    out: _Bytes,
    seed: _Seed,
    options: dict[str, object],
    threads: int,
    progress: _Told,
) -> None: ...
def tile_reduce(
    shape: tuple[int, int],
    first: tuple[int, int],
    size: tuple[int, int],
    seed: _Seed,
    options: dict[str, object],
    threads: int,
    progress: _Told,
) -> NDArray[np.int64]: ...
def tile_merge(
    shape: tuple[int, int],
    seed: _Seed,
    options: dict[str, object],
    first_a: tuple[int, int],
    size_a: tuple[int, int],
    critical_a: NDArray[np.int64],
    first_b: tuple[int, int],
    size_b: tuple[int, int],
    critical_b: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def tile_apply(
    shape: tuple[int, int],
    first: tuple[int, int],
    out: _Bytes,
    seed: _Seed,
    options: dict[str, object],
    open_walls: NDArray[np.int64],
    threads: int,
    progress: _Told,
) -> None: ...
def cellular_automaton(
    sites: _Bytes,
    rule: tuple[int, int],
    wrap: tuple[bool, bool],
    outside: bool,
    steps: int,
    seed: _Seed | None,
    p: float,
) -> None: ...
def seed_key(entropy: bytes) -> tuple[int, int]: ...
def random_words(
    address: tuple[int, int, int, int], purpose: int, first: int, n: int
) -> NDArray[np.uint64]: ...
def expand_rows(
    passages: _Bytes, mask: _Mask, first: int, out: _Bytes, posts: bool, threads: int
) -> None: ...
def contract_grid(
    grid: _Bytes, wrap: tuple[bool, bool]
) -> tuple[_Bytes, _Mask, tuple[str, int, int] | None]: ...
def first_fault(passages: _Bytes, mask: _Mask, wrap: tuple[bool, bool]) -> tuple[int, int]: ...
def open_seam(
    passages: _Bytes,
    mask: _Mask,
    first: tuple[int, int],
    size: int,
    below: bool,
    doors: int,
    seed: _Seed,
    lane: int,
) -> int: ...
def widen(
    passages: _Bytes,
    mask: _Mask,
    wide: tuple[int, int],
    road: bytes,
    wall: bytes,
    out: NDArray[Any],
    posts: bool,
    threads: int,
) -> None: ...
def narrow(sites: _Bytes, wide: tuple[int, int]) -> tuple[_Bytes, tuple[int, int] | None]: ...
def measure_scratch(
    shape: tuple[int, int], wrap: tuple[bool, bool], names: list[str], threads: int
) -> int: ...
def measure_many(
    algorithm: str,
    n: int,
    shape: tuple[int, int],
    seed: _Seed,
    mask: _Mask,
    wrap: tuple[bool, bool],
    options: dict[str, object],
    names: list[str],
    threads: int,
    progress: _Told,
) -> NDArray[np.float64]: ...
def cell_sums(passages: _Bytes) -> list[int]: ...
def position_counts(space: _Space, name: str, progress: _Told) -> NDArray[np.int64]: ...
def walk(
    steps: _Bytes, row: int, col: int, stride: int, height: int, width: int, moves: int
) -> NDArray[np.int64]: ...
def wall_cells(ids: _Numbers, shape: tuple[int, int], wrap: tuple[bool, bool]) -> _Numbers: ...
def wall_ids(pairs: _Numbers, shape: tuple[int, int], wrap: tuple[bool, bool]) -> _Numbers: ...
def edges(passages: _Bytes, wrap: tuple[bool, bool]) -> _Numbers: ...
def partial_mazes(
    n: int,
    rows: int,
    cols: int,
    seed: _Seed,
    start: int,
    cells: int,
    depth: int,
    forks: bool,
    threads: int,
    progress: _Told,
) -> tuple[_Bytes, _Bytes, NDArray[np.int64]]: ...
def two_sites(
    space: _Space,
    beside: NDArray[np.int64],
    how: int,
    seed: _Seed,
    threads: int,
    progress: _Told,
) -> NDArray[np.int64]: ...
def turned(
    layers: _Bytes, how: tuple[bool, bool, bool], passages: bool, threads: int, progress: _Told
) -> _Bytes: ...
def canonical(
    rows: _Bytes,
    places: NDArray[np.int64],
    values: _Bytes,
    shape: tuple[int, int],
    wrap: tuple[bool, bool],
    threads: int,
    progress: _Told,
) -> _Bytes: ...
def unicursal(passages: _Bytes, mask: _Mask) -> tuple[_Bytes, _Mask]: ...
def symmetric(
    passages: _Bytes, mask: _Mask, wrap: tuple[bool, bool], seed: _Seed, how: int
) -> tuple[_Bytes, NDArray[np.bool_]]: ...

TRANSFORM_BYTES: dict[str, int]

def grid_paths(
    paths: NDArray[np.int32],
    lengths: NDArray[np.int64],
    shape: tuple[int, int],
    ask: Callable[[int], object],
) -> NDArray[np.int32]: ...
def path_masks(
    paths: NDArray[np.int32], lengths: NDArray[np.int64], shape: tuple[int, int]
) -> NDArray[np.bool_]: ...
def eller_given(
    right: _Bytes, lower: _Bytes, out: _Bytes, progress: _Told, recording: Recording | None
) -> None: ...
def endless_window(
    algorithm: str,
    out: _Bytes,
    first: tuple[int, int],
    seed: _Seed,
    share: int,
    threads: int,
    progress: _Told,
) -> None: ...
def trace_bytes(place: tuple[int, int] | Graph, sites: bool, search: bool) -> int: ...

_Film: TypeAlias = tuple[
    _Bytes,
    NDArray[np.uint32],
    NDArray[np.uint32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.uint32],
    NDArray[np.int32],
]

class Recording:
    def __init__(self) -> None: ...
    def keep(
        self,
        start: _Bytes,
        sites: bool,
        wrap: tuple[bool, bool],
        mask: _Mask,
        search: bool,
        labels: LabelKind,
        window: tuple[int, int, int],
        every: bool,
        words: NDArray[np.uint64],
    ) -> None: ...
    def at(self, position: int) -> tuple[_Bytes | None, _Bytes, NDArray[np.int32] | None, int]: ...
    def paints(self, position: int, walls: _Bytes | None, ends: tuple[int, int]) -> _Bytes: ...
    def film(
        self, stride: int, walls: _Bytes | None, ends: tuple[int, int], numbers: bool, most: int
    ) -> _Film | None: ...
    def sides(self, position: int) -> tuple[int, int]: ...
    def count(self) -> int: ...
    def kinds(self) -> int: ...

class GraphRecording:
    def __init__(self) -> None: ...
    def keep(
        self,
        graph: Graph,
        passages: _Bytes | None,
        labels: LabelKind,
        window: tuple[int, int, int],
        every: bool,
        words: NDArray[np.uint64],
    ) -> None: ...
    def at(self, position: int) -> tuple[_Bytes | None, _Bytes, NDArray[np.int32] | None, int]: ...
    def paints(self, position: int, walls: None, ends: tuple[int, int]) -> _Bytes: ...
    def film(
        self, stride: int, walls: None, ends: tuple[int, int], numbers: bool, most: int
    ) -> _Film | None: ...
    def sides(self, position: int) -> tuple[int, int]: ...
    def count(self) -> int: ...
    def kinds(self) -> int: ...

class Graph:
    def __init__(
        self,
        cells: int,
        ends: NDArray[np.int32],
        weight_addresses: NDArray[np.uint64] | None,
        straight: NDArray[np.int32] | None,
    ) -> None: ...

def graph_search_tree(graph: Graph, start: int, depth_first: bool, out: _Bytes) -> None: ...
def forests_modulo(graph: Graph, primes: NDArray[np.uint64]) -> NDArray[np.uint64]: ...
def log_forests(
    graph: Graph,
    conductances: NDArray[np.float64] | None,
    resistances: NDArray[np.float64] | None,
    most_updates: int,
) -> float: ...
def match_polygons(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    corners: NDArray[np.float64],
    joined: NDArray[np.int64] | None,
    joints: int,
    middles: bool,
    straight: bool,
) -> tuple[
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.float64] | None,
    NDArray[np.int32] | None,
    NDArray[np.int64] | None,
    NDArray[np.int32] | None,
]: ...
def place_tiles(
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    kind: NDArray[np.uint8] | None,
    forms: Sequence[NDArray[np.int64]],
    unit: tuple[float, float],
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]: ...
def circumcentres(
    triangles: NDArray[np.int32],
    places: NDArray[np.float64],
    points: int,
    low: Sequence[float],
    high: Sequence[float],
    band: float,
    rim: bool,
) -> tuple[NDArray[np.int32], NDArray[np.float64], bool]: ...
def dual_polygons(
    triangles: NDArray[np.int32], centres: NDArray[np.float64], places: NDArray[np.float64], near: float
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]: ...
def graph_arrays(graph: Graph) -> tuple[Any, ...]: ...
def contract(
    passages: _Bytes, terminals: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def walk_corridors(
    passages: _Bytes,
    terminals: NDArray[np.int64],
    corridors: NDArray[np.int64],
    offsets: NDArray[np.int64],
    out: _Bytes,
) -> None: ...
def spread_distances(
    passages: _Bytes, cells: NDArray[np.int64], known: NDArray[np.int64], out: NDArray[Any]
) -> None: ...

class EllerRows:
    def __init__(self, cols: int, seed: _Seed, row: int, sets: _Bytes | None, finished: bool) -> None: ...
    def make(self, out: _Bytes, right: _Bytes | None, lower: _Bytes | None, last: bool) -> None: ...
    def row(self) -> int: ...
    def finished(self) -> bool: ...
    def state(self) -> tuple[int, bool, _Bytes]: ...

class Agents:
    def __init__(
        self,
        ground: tuple[Any, ...],
        n: int,
        observation: str,
        window: int,
        random_ends: bool,
        limit: int,
        locks: int,
        rewards: tuple[float, float, float, float],
        algorithm: str | None,
        options: Mapping[str, object],
        mazes: _Bytes | None,
        ends: NDArray[np.int64] | None,
    ) -> None: ...
    def begin(self, keys: NDArray[np.uint64] | None, ends: NDArray[np.int64] | None) -> NDArray[Any]: ...
    def saved(self) -> NDArray[np.uint64]: ...
    def resume(self, saved: NDArray[np.uint64]) -> None: ...
    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]: ...
    def state(self, i: int) -> tuple[int, int, int, int, bool, NDArray[np.int64]]: ...
    def best(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64], NDArray[np.bool_]]: ...

# Of any space: each is bound once.
QUERY_BYTES: dict[str, tuple[float, float]]

def distances(
    space: _Space,
    sources: _Numbers,
    weights: NDArray[np.float64],
    out: NDArray[Any],
    threads: int,
    progress: _Told,
) -> None: ...
def clearance(walls: _Bytes, wrap: tuple[bool, bool], progress: _Told) -> NDArray[np.int64]: ...
def policy(space: _Space, goals: _Numbers, threads: int, progress: _Told) -> NDArray[np.integer[Any]]: ...
def shortest_paths(
    space: _Space, start: int, goals: _Numbers, progress: _Told
) -> tuple[int, NDArray[np.uint64] | None, _Mask]: ...
def bottlenecks(space: _Space, start: int, goals: _Numbers) -> _Numbers | None: ...
def locks(space: _Space, start: int, goal: int, n: int, seed: _Seed) -> _Numbers | None: ...
def longest_path(space: _Space, exact: bool) -> tuple[int, int, int, int, _Numbers]: ...
def farthest(space: _Space, threads: int) -> _Numbers: ...
def far_counts(space: _Space, among: _Bytes, least: int) -> _Numbers: ...
def components(space: _Space, threads: int) -> tuple[NDArray[np.integer[Any]], _Numbers]: ...
def check(space: _Space, threads: int, progress: _Told) -> _Numbers: ...
def measure(
    space: _Space, starts: _Numbers, goals: _Numbers, names: list[str], threads: int, progress: _Told
) -> NDArray[np.float64]: ...
def measure_reasons(space: _Space, starts: _Numbers, goals: _Numbers, names: list[str]) -> list[str]: ...
def solve(
    algorithm: str,
    space: _Space,
    start: int,
    goals: _Numbers,
    options: dict[str, Any],
    progress: _Told,
    recording: Recording | GraphRecording | None,
) -> dict[str, Any]: ...
def solve_many(
    space: _Space,
    starts: _Numbers,
    goals: _Numbers,
    ask: Callable[[int], object] | None,
    threads: int,
    progress: _Told,
) -> tuple[_Numbers, NDArray[np.int32] | None]: ...
def transform(
    name: str, space: _Space, seed: _Seed, numbers: NDArray[np.uint64], threads: int, progress: _Told
) -> _Bytes: ...
def count_walls(space: _Space, threads: int) -> _Numbers: ...
def fill_dead_ends(
    space: _Space, kept: _Numbers, rounds: int, threads: int, progress: _Told
) -> tuple[_Bytes, _Mask]: ...
def two_cells(space: _Space, seed: _Seed | None, threads: int, progress: _Told) -> _Numbers: ...

class ShortestPaths:
    def __init__(self, space: _Space, start: int, goals: _Numbers, progress: _Told) -> None: ...
    def length(self) -> int: ...
    def next(self) -> _Numbers | None: ...
