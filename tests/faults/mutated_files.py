"""Damaged files of every format that is read: an error that names the file, or what the file holds.

Valid files are made of every readable suffix in `meiro.io.formats`, and of batches. Their bytes are changed
blindly, and by their structure where checksums would hide what is behind them: chunks of PNG with their CRC
corrected, members of zip files, heads of NumPy arrays, lines of text, files of a folder.

An attempt fails if another exception than ValueError, OSError or MemoryError comes, if it does not name the
file, if reading takes longer than `SLOW` or more memory than `LARGE`, if the result is not sound, if reading
unpickles, starts a program or opens a connection; and, in formats with checksums, if another maze is read.
"""

from __future__ import annotations

import copy
import io
import random
import resource
import shutil
import struct
import sys
import tempfile
import time
import warnings
import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PIL import Image

import meiro
from meiro._utils import png
from meiro.drawing.text.render import STYLES
from meiro.io import formats, image

if TYPE_CHECKING:
    from collections.abc import Callable

    from campaign import Campaign

SLOW = 10.0  # seconds
LARGE = 1 << 29  # bytes
CHECKED = {".png", ".npz", ".zarr", ".zanj"}  # formats with checksums
NUMBERS = [0, 1, 2, 3, 7, 8, 15, 16, 255, 256, 65535, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1]
FORBIDDEN = {
    "pickle.find_class", "os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "socket.connect",
}  # fmt: skip


class Sample(NamedTuple):
    """A valid file (or the files of a folder), how it may be read, and what the first of these returns."""

    name: str
    files: dict[str, bytes]
    readers: tuple[Callable[[Path], Any], ...]
    holds: Any

    @property
    def suffix(self) -> str:
        """The suffix of the file."""
        return Path(self.name).suffix


def run(campaign: Campaign) -> None:
    """Damage files until the time is over."""
    warnings.simplefilter("ignore")  # of Pillow, about pictures
    image.MAX_PIXELS = 1 << 22
    seen: list[str] = []
    sys.addaudithook(lambda event, _: seen.append(event) if event in FORBIDDEN else None)
    rng = random.Random(campaign.seed)
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        found = samples(Path(folder, "valid"))
        campaign.note("valid files", len(found))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for sample in campaign.in_turn(found, rng):
            seed = rng.getrandbits(48)
            campaign.attempt(f"{sample.name}, changed by random.Random({seed})")
            seen.clear()
            began = time.perf_counter()
            trouble = trouble_with(sample, seed, Path(folder, "damaged"), found)
            took = time.perf_counter() - began
            slowest = max(slowest, took)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            if took > SLOW:
                trouble = "hang", f"reading took {took:.1f} s"
            elif (peak - before) * 1024 > LARGE:
                trouble = "wrong answer", f"reading took {(peak - before) // 1024} MB"
                before = peak
            elif seen:
                trouble = "wrong answer", f"reading does {sorted({*seen})}"
            if trouble is not None:
                campaign.found(trouble[0], f"{sample.name}, random.Random({seed}): {trouble[1]}")
    campaign.note("slowest read", f"{slowest:.3f} s")


def trouble_with(sample: Sample, seed: int, folder: Path, found: list[Sample]) -> tuple[str, str] | None:
    """Damage a file and read it; return the kind and description of what went wrong."""
    own = random.Random(seed)
    path, blind = damage(sample, folder, own, found)
    read = own.choice(sample.readers)
    got, trouble = attempt(read, path)
    if trouble is None and got is not None:
        exact = blind and sample.suffix in CHECKED and read is sample.readers[0]
        exact = exact and not begins_with_another(path, sample, found)
        trouble = judge(sample, got, exact=exact)
    return trouble


def begins_with_another(path: Path, sample: Sample, valid: list[Sample]) -> bool:
    """Return whether a spliced file begins with a whole other one, which is what is read then."""
    if not path.is_file():
        return False
    data = path.read_bytes()
    others = (other for other in valid if other is not sample and len(other.files) == 1)
    return any(data.startswith(content) for other in others for content in other.files.values())


def attempt(read: Callable[[Path], Any], path: Path) -> tuple[Any, tuple[str, str] | None]:
    """Read a damaged file; return what it holds, and the kind and description of what went wrong."""
    try:
        return read(path), None
    except (ValueError, OSError, MemoryError) as error:
        if path.name in str(error):
            return None, None
        return None, ("undocumented exception", f"{error!r} does not name the file")
    except Exception as error:  # noqa: BLE001  # that is what is looked for
        return None, ("undocumented exception", repr(error))


def judge(sample: Sample, got: Any, *, exact: bool) -> tuple[str, str] | None:
    """Return what is wrong with what was read."""
    try:
        require_sound(got)
    except Exception as error:  # noqa: BLE001
        return "wrong answer", f"what was read is not sound: {error!r}"
    if exact and not same(got, sample.holds):
        return "wrong answer", f"another maze was read, and nothing said: {got!r}"
    return None


def same(one: Any, other: Any) -> bool:
    """Return whether two results are equal."""
    return type(one) is type(other) and bool(np.all(one == other)) and np.shape(one) == np.shape(other)


def require_sound(got: Any) -> None:
    """Raise an error if what was read is not what its class promises."""
    if isinstance(got, meiro.Maze):
        again = meiro.Maze(
            got.passages, got.mask, got.openings, start=got.start, goal=got.goal, wrap=got.wrap
        )
        assert again == got
        assert copy.deepcopy(got) == got
        meiro.check(got)
        str(got)
    elif isinstance(got, meiro.GraphMaze):
        assert meiro.GraphMaze(got.lattice, got.open, start=got.start, goal=got.goal) == got
        assert copy.deepcopy(got) == got
        meiro.check(got)
        repr(got)
    elif isinstance(got, meiro.Lattice):
        assert copy.deepcopy(got) == got
    elif isinstance(got, meiro.MazeBatch):
        for i in range(len(got)):
            require_sound(got[i])
    elif isinstance(got, meiro.io.OccupancyGrid):
        assert got.walls.shape == got.unknown.shape
        assert not (got.unknown & (got.walls == 0)).any()
        assert got.resolution > 0
        assert np.isfinite(got.metres((0, 0))).all()
    elif isinstance(got, meiro.io.Scenarios):
        assert got.tasks.shape == (len(got.lengths), 2, 2)
        assert got.tasks.min() >= 0
        assert (got.tasks < got.shape).all()
        assert (np.isfinite(got.lengths) & (got.lengths >= 0)).all()
    elif got.dtype == np.float64:  # brightness
        assert got.ndim == 2
        assert got.min() >= 0
        assert got.max() <= 1
    else:
        assert got.dtype in (np.uint8, np.bool_)
        assert got.ndim == 2
        assert got.size
        assert got.max() <= 1


# ---- valid files


def lattices() -> dict[str, meiro.Lattice]:
    return {
        "polar": meiro.lattices.polar(3),
        "weave": meiro.lattices.weave(4, 4, rng=1),
        "labels": meiro.lattices.from_graph([("a", (1, "b")), ((1, "b"), 2.5)]),
    }


@cache
def mazes() -> dict[str, meiro.Maze]:
    """Return small mazes of every kind."""
    mask = np.ones((4, 5), bool)
    mask[1, 2] = mask[0, 0] = False
    masked = meiro.generate(mask=mask, rng=3)
    return {
        "plain": meiro.generate((4, 5), rng=1),
        "open": meiro.with_openings(meiro.generate((3, 3), "kruskal", rng=2), rng=2),
        "masked": masked,
        "torus": meiro.generate((4, 3), wrap=(True, True), rng=4),
        "weighted": meiro.generate((2, 3), "kruskal", weights=np.arange(7.0), rng=5),
    }


NETWORKS = ".graphml", ".gml", ".gexf", ".json"


def samples(folder: Path) -> list[Sample]:
    """Write valid files of every format and return them."""
    folder.mkdir()
    found: list[Sample] = []

    def add(path: Path, *readers: Callable[[Path], Any]) -> None:
        inside = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
        files = {str(p.relative_to(folder)): p.read_bytes() for p in inside}
        found.append(Sample(path.name, files, readers, readers[0](path)))

    for suffix in formats.suffixes("read"):
        form = formats.FORMATS[suffix]
        if form.read == "image:from_image":
            for path in pictures(folder, suffix):
                add(path, meiro.read, meiro.from_image, meiro.brightness)
        for name, maze in mazes().items() if form.write else ():
            path = folder / f"{name}{suffix}"
            add(path, save_both(maze, path) if form.beside else save_one(maze, path))
        for name, lattice in lattices().items() if suffix in {".npz", *NETWORKS} else ():
            path = folder / f"on_{name}{suffix}"
            meiro.generate(lattice, "wilson", rng=6).save(path)
            add(path, meiro.read)
        for style in STYLES if "style" in form.takes else ():
            path = folder / f"style_{style}{suffix}"
            meiro.save(mazes()["masked"], path, style=style)
            add(path, meiro.read)
        assert any(sample.suffix == suffix for sample in found), f"no valid {suffix} file"
    for name, odds in (("plain", None), ("choose", {"newest": 2, "random": 1})):
        batch = meiro.generate_many((3, 4), "growing_tree", 3, choose=odds, rng=6)
        square = meiro.generate_many((4, 4), "growing_tree", 3, choose=odds, rng=6)
        for suffix in (".npz", ".zarr", ".zanj"):
            path = folder / f"batch_{name}{suffix}"
            (square if suffix == ".zanj" else batch).save(path)
            add(path, meiro.MazeBatch.open)
    add_game_maps(folder, add)
    return found


def save_one(maze: meiro.Maze, path: Path) -> Callable[[Path], Any]:
    """Write a file; return what reads it."""
    maze.save(path)
    return meiro.read


def save_both(maze: meiro.Maze, folder: Path) -> Callable[[Path], Any]:
    """Write a file and the one beside it into a folder of the file's name; return what reads that folder."""
    folder.mkdir()
    maze.save(folder / folder.name)
    return lambda at: meiro.read(at / folder.name)


def add_game_maps(folder: Path, add: Callable[..., None]) -> None:
    """Add what is not read by `meiro.read`."""
    scenarios = folder / "tasks.scen"
    meiro.io.save_scenarios(mazes()["plain"], [((0, 0), (3, 4)), ((1, 1), (0, 2))], scenarios)
    add(scenarios, meiro.io.read_scenarios)


def pictures(folder: Path, suffix: str) -> list[Path]:
    """Write pictures of the modes that a format takes."""
    grid = mazes()["open"].grid
    out = []
    for mode in ("1", "L", "P", "I;16", "LA", "RGB", "RGBA"):
        path = folder / f"mode_{mode.replace(';', '')}{suffix}"
        bright = Image.fromarray(np.where(grid == 0, 255, 0).astype(np.uint8))
        try:
            wide = Image.fromarray(np.where(grid == 0, 65535, 0).astype(np.uint16))
            (wide if mode == "I;16" else bright.convert(mode)).save(path)
            with Image.open(path) as written:
                assert written.mode != "I"  # a range that the file does not say
        except (
            OSError,
            ValueError,
            KeyError,
            AssertionError,
        ):  # Pillow does not write this mode in this format
            path.unlink(missing_ok=True)
            continue
        out.append(path)
    if suffix == ".png":
        for depth in (1, 2, 4, 8, 16):
            for interlaced in (False, True):
                path = folder / f"grey_{depth}{'_interlaced' * interlaced}.png"
                path.write_bytes(grey_png(grid, depth, interlaced=interlaced))
                out.append(path)
    return out


def grey_png(grid: Any, depth: int, *, interlaced: bool) -> bytes:
    """Return a grey PNG of any depth, as Pillow does not write them."""
    passes = (
        [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
        if interlaced
        else [(0, 0, 1, 1)]
    )
    data = b""
    for row, col, down, right in passes:
        for line in grid[row::down, col::right]:
            bits = "".join(("0" if wall else "1") * depth for wall in line)
            if bits:
                bits += "0" * (-len(bits) % 8)
                data += b"\0" + int(bits, 2).to_bytes(len(bits) // 8, "big")
    height, width = grid.shape
    head = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, interlaced)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(data)), (b"IEND", b"")]
    return png.SIGNATURE + b"".join(chunk(*c) for c in chunks)


# ---- damage


def damage(sample: Sample, folder: Path, rng: random.Random, found: list[Sample]) -> tuple[Path, bool]:
    """Write a damaged copy; return its path, and whether the change was blind and kept the format."""
    if len(sample.files) > 1:
        shutil.rmtree(folder, ignore_errors=True)
    files = dict(sample.files)
    name = rng.choice(sorted(files))
    by_structure = STRUCTURED.get(Path(name).suffix)
    blind = by_structure is None or rng.random() < 0.5
    if len(files) > 1 and rng.random() < 0.2:
        blind = True
        other = rng.choice(sorted(files))
        if rng.random() < 0.5:
            del files[name]
        else:
            files[name], files[other] = files[other], files[name]
    elif blind:
        others = rng.choice(found).files
        new = change(files[name], rng, rng.choice(sorted(others.values())))
        blind = new[:8] == files[name][:8]  # or it may be a valid picture of another format
        files[name] = new
    else:
        assert by_structure is not None
        files[name] = by_structure(files[name], rng)
    for each, data in files.items():
        path = folder / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder / sample.name, blind


def change(data: bytes, rng: random.Random, other: bytes = b"") -> bytes:
    """Change some bytes, whatever they mean."""
    new = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        first = rng.randrange(len(new) + 1)
        last = min(len(new), first + rng.choice((1, 1, 2, 4, 16, 100)))
        kind = rng.randrange(8)
        if kind <= 1 and first < len(new):
            new[first] ^= 1 << rng.randrange(8)
        elif kind == 2:
            del new[first:]
        elif kind == 3:
            del new[first:last]
        elif kind == 4:
            new[first:first] = new[first:last] * rng.choice((1, 2, 50))
        elif kind == 5:
            new[first:last] = rng.randbytes(last - first)
        elif kind == 6:
            new[first:last] = rng.choice((b"\0", b"\xff")) * (last - first)
        else:
            new[first:last] = other[: rng.randrange(200)]
    return bytes(new)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG file with its checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def change_png(data: bytes, rng: random.Random) -> bytes:
    """Change chunks of a PNG file, with right checksums."""
    chunks, at = [], 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    i, k = rng.randrange(len(chunks)), rng.randrange(len(chunks))
    kind, body = chunks[i]
    what = rng.randrange(7)
    if what == 0:
        del chunks[i]
    elif what == 1:
        chunks.insert(k, chunks[i])
    elif what == 2:
        chunks[i], chunks[k] = chunks[k], chunks[i]
    elif what == 3:
        head = bytearray(chunks[0][1])
        field = rng.randrange(7)
        if field < 2:
            struct.pack_into(">I", head, 4 * field, rng.choice(NUMBERS))
        elif len(head) == 13:
            head[field + 6] = rng.randrange(20)
        chunks[0] = chunks[0][0], bytes(head)
    elif what == 4:
        pixels = change(zlib.decompress(b"".join(b for c, b in chunks if c == b"IDAT")), rng)
        chunks = [c for c in chunks if c[0] not in (b"IDAT", b"IEND")]
        chunks += [(b"IDAT", zlib.compress(pixels)), (b"IEND", b"")]
    elif what == 5:
        bomb = zlib.compress(bytes(1 << 24), 9)
        chunks[i] = rng.choice(((b"IDAT", bomb), (b"zTXt", b"x\0\0" + bomb), (b"iCCP", b"x\0\0" + bomb)))
    else:
        chunks[i] = rng.choice((kind, b"PLTE", b"tRNS", b"acTL", b"fdAT", b"eXIf")), change(body, rng)
    return data[:8] + b"".join(chunk(*c) for c in chunks)


class Trap:
    """Its pickle raises the event `pickle.find_class`, and makes a file when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Touch a file."""
        return Path.touch, (Path(tempfile.gettempdir(), "unpickled"),)


def change_npy(data: bytes, rng: random.Random) -> bytes:
    """Change the head of an array, or make it one of pickles."""
    what = rng.randrange(5)
    if what == 0:
        file = io.BytesIO()
        np.save(file, np.array([Trap()], object), allow_pickle=True)
        return file.getvalue()
    array = np.lib.format.read_array(io.BytesIO(data))
    shape: Any = tuple(
        rng.choice((*array.shape, *NUMBERS, -1, True, 1 << 62)) for _ in range(rng.randrange(4))
    )
    descr: Any = rng.choice(
        ("|u1", "<f8", ">u2", "|O", "|b1", "<U3", "<c16", "|V0", "|S1", "<m8[s]", [("a", "|O")])
    )
    if what == 1:
        shape = array.shape
    elif what == 2:
        descr = array.dtype.str
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        file, {"descr": descr, "fortran_order": rng.random() < 0.3, "shape": shape}
    )
    body = array.tobytes()
    return file.getvalue() + rng.choice((body, change(body, rng) if body else b"", bytes(1 << 16)))


def change_npz(data: bytes, rng: random.Random) -> bytes:
    """Change members of an archive, with right checksums."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    i, k = rng.randrange(len(members)), rng.randrange(len(members))
    (name, body), (other, another) = members[i], members[k]
    what = rng.randrange(7)
    if what == 0:
        del members[i]
    elif what == 1:
        members.append((other, body))
    elif what == 2:
        members[i], members[k] = (name, another), (other, body)
    elif what == 3:
        members[i] = name, bytes(1 << 25)
    elif what == 4:
        members[i] = rng.choice((other, "x.npy", "../x.npy", "/x")), body
    elif what == 5:
        members[i] = name, change(body, rng, another)
    else:
        members[i] = name, change_npy(body, rng)
    file = io.BytesIO()
    how = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    with zipfile.ZipFile(file, "w", how) as archive:
        for member in members:
            archive.writestr(*member)
    return file.getvalue()


def change_lines(data: bytes, rng: random.Random) -> bytes:
    """Change lines and characters of a text."""
    lines = data.decode().split("\n")
    for _ in range(rng.choice((1, 1, 2, 5))):
        i, k = rng.randrange(len(lines)), rng.randrange(len(lines))
        what = rng.randrange(7)
        if what == 0:
            lines[i], lines[k] = lines[k], lines[i]
        elif what == 1:
            lines.insert(i, lines[k][: 1 << 12] * rng.choice((1, 1, 2, 1000)))
        elif what == 2 and len(lines) > 1:
            del lines[i]
        else:
            at = rng.randrange(len(lines[i]) + 1)
            letters = "01,;\t #+-|█░·SG.\r\x00\"'nane9" + chr(rng.randrange(0xD800)) + "".join(lines[k][:3])
            lines[i] = lines[i][:at] + rng.choice(letters) + lines[i][at + rng.randrange(2) :]
    return "\n".join(lines).encode(rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")))


STRUCTURED: dict[str, Callable[[bytes, random.Random], bytes]] = {
    ".png": change_png,
    ".npy": change_npy,
    ".npz": change_npz,
    ".txt": change_lines,
    ".csv": change_lines,
    ".map": change_lines,
    ".scen": change_lines,
    ".tmx": change_lines,
    ".tmj": change_lines,
    ".yaml": change_lines,
    ".json": change_lines,
}
