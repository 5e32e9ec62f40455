from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING

import numpy as np
import png_by_hand
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from png_by_hand import CHANNELS, KINDS, SIGNATURE, chunk

from meiro._utils import memory, png
from meiro.io.png_reader import Reader

if TYPE_CHECKING:
    from numpy.typing import NDArray


def decode(data: bytes) -> NDArray[np.uint8]:
    reader = Reader(io.BytesIO(data), "the picture")
    out = np.full((reader.height, reader.width), 99, np.uint8)
    for block in reader.blocks():
        out[block.rows, block.cols] = block.values
    return out


def random_samples(
    rng: np.random.Generator, height: int, width: int, colors: int, depth: int
) -> tuple[NDArray[np.int64], bytes]:
    palette = rng.bytes(3 << min(depth, 8)) if colors == 3 else b""
    samples = rng.integers(0, 1 << depth, (height, width, CHANNELS[colors]))
    return samples, palette


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize(("colors", "depth"), KINDS)
def test_every_kind_of_picture_with_every_filter(colors: int, depth: int, interlaced: bool) -> None:  # noqa: FBT001
    rng = np.random.default_rng([colors, depth])
    for height, width in [(1, 1), (3, 2), (5, 7), (1, 17), (19, 1), (33, 21)]:
        samples, palette = random_samples(rng, height, width, colors, depth)
        data = png_by_hand.encode(
            samples,
            colors,
            depth,
            filters=lambda: int(rng.integers(5)),
            palette=palette,
            interlaced=interlaced,
            pieces=11,
        )
        found = decode(data)
        assert np.abs(found - png_by_hand.brightness(samples, colors, depth, palette)).max() <= 1
        picture = Image.open(io.BytesIO(data))
        if colors in {0, 2, 3} and picture.mode != "I;16":
            np.testing.assert_array_equal(found, np.asarray(picture.convert("L")))


@pytest.mark.parametrize(
    ("colors", "depth", "clear"),
    [
        (0, 1, [1]), (0, 2, [2]), (0, 4, [7]), (0, 8, [5]), (0, 16, [0x0102]), (2, 8, [1, 2, 3]),
        (2, 16, [0x0102, 0x0304, 0x0506]),
    ],
)  # fmt: skip
def test_one_transparent_colour(colors: int, depth: int, clear: list[int]) -> None:
    rng = np.random.default_rng(3)
    samples = rng.integers(0, 1 << depth, (6, 5, CHANNELS[colors]))
    samples[2, 3] = clear
    samples[4, 1] = clear
    samples[4, 1, -1] ^= 1  # nearly
    key = np.array(clear, ">u2").tobytes()
    found = decode(png_by_hand.encode(samples, colors, depth, clear=key))
    assert found[2, 3] == 255
    assert np.abs(found - png_by_hand.brightness(samples, colors, depth, clear=key)).max() <= 1


def test_transparent_colours_of_a_palette() -> None:
    samples = np.arange(4)[None, :, None]
    data = png_by_hand.encode(
        samples, 3, 2, palette=bytes([0] * 6 + [255] * 3 + [0, 255, 0]), clear=bytes([0, 128, 0])
    )
    assert decode(data).tolist() == [[255, 127, 255, 150]]


def test_an_index_beyond_the_palette_is_black() -> None:
    samples = np.array([0, 1, 2, 3])[None, :, None]
    assert decode(png_by_hand.encode(samples, 3, 2, palette=b"\xff" * 6)).tolist() == [[255, 255, 0, 0]]


@pytest.mark.parametrize("kind", range(5))
def test_filters_over_many_bands(kind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(kind)
    samples = rng.integers(0, 256, (60, 40, 3))
    data = png_by_hand.encode(samples, 2, 8, filters=lambda: kind)
    monkeypatch.setattr("meiro.io.png_reader._BAND", 500)
    np.testing.assert_array_equal(decode(data), np.asarray(Image.open(io.BytesIO(data)).convert("L")))


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "I;16"])
def test_what_pillow_writes_is_read(mode: str) -> None:
    rng = np.random.default_rng(8)
    smooth = np.add.outer(np.arange(90), np.arange(70)) + rng.integers(0, 9, (90, 70))
    if mode == "I;16":
        picture = Image.fromarray((smooth * 300).astype(np.uint16))
    else:
        picture = Image.fromarray(smooth.astype(np.uint8)).convert(mode)
    file = io.BytesIO()
    picture.save(file, "PNG")
    expected = (smooth * 300).astype(np.uint16) >> 8 if mode == "I;16" else np.asarray(picture.convert("L"))
    np.testing.assert_array_equal(decode(file.getvalue()), expected)


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
@pytest.mark.parametrize("repeat", [1, 3])
@pytest.mark.parametrize("size", [(1, 1), (5, 9), (40, 33)])
def test_what_is_written_is_read_by_pillow(depth: int, repeat: int, size: tuple[int, int]) -> None:
    rng = np.random.default_rng(depth)
    height, width = size
    values = rng.integers(0, 1 << depth, size)
    packed = np.array([list(png_by_hand._packed(row, depth)) for row in values], np.uint8)
    palette = rng.bytes(3 << depth)
    for colors in (None, palette):
        file = io.BytesIO()
        bands = [packed[:2], packed[2:2], packed[2:]]
        png.write(file, (height * repeat, width), bands, depth=depth, palette=colors, repeat=repeat)  # type: ignore[arg-type]
        picture = np.asarray(Image.open(file).convert("RGB"))
        expected: NDArray[np.generic]
        if colors is None:
            expected = (values * (255 // ((1 << depth) - 1)))[..., None].repeat(3, axis=2)
        else:
            expected = np.frombuffer(palette, np.uint8).reshape(-1, 3)[values]
        np.testing.assert_array_equal(picture, expected.repeat(repeat, axis=0))
        np.testing.assert_array_equal(decode(file.getvalue()), np.asarray(Image.open(file).convert("L")))


@pytest.mark.parametrize("most", [1, 40, 90, 1 << 21])
def test_rows_repeated_many_times(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "_LINES", most)
    packed = np.array([[0x12], [0x34], [0x34], [0xFF]], np.uint8)
    file = io.BytesIO()
    png.write(file, (4 * 13, 8), [packed], depth=1, repeat=13)
    expected = np.unpackbits(packed, axis=1).repeat(13, axis=0) * 255
    np.testing.assert_array_equal(decode(file.getvalue()), expected)


def test_bands_that_make_no_picture_are_refused() -> None:
    with pytest.raises(ValueError, match="2 rows, the picture 3"):
        png.write(io.BytesIO(), (3, 8), [np.zeros((2, 1), np.uint8)], depth=1)
    with pytest.raises(ValueError, match="a row of 9 pixels has 2 bytes"):
        png.write(io.BytesIO(), (3, 9), [np.zeros((3, 1), np.uint8)], depth=1)


def good() -> bytes:
    rng = np.random.default_rng(1)
    samples, palette = random_samples(rng, 9, 13, 3, 4)
    return png_by_hand.encode(
        samples,
        3,
        4,
        filters=lambda: int(rng.integers(5)),
        palette=palette,
        clear=b"\x10",
        interlaced=True,
        pieces=20,
    )


def test_every_flipped_byte_and_every_cut_is_told() -> None:
    data = good()
    reference = decode(data)
    for at in range(len(data)):
        for change in (1, 128):
            broken = bytearray(data)
            broken[at] ^= change
            with pytest.raises(ValueError, match=r"^the picture .*\(at byte"):
                decode(bytes(broken))
        with pytest.raises(ValueError, match=r"^the picture .*\(at byte"):
            decode(data[:at])
    np.testing.assert_array_equal(decode(data + b"more"), reference)


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_chunks_with_good_checksums_and_wild_content_never_crash(data: st.DataObject) -> None:
    depth, colors = (
        data.draw(st.sampled_from([1, 2, 4, 8, 16, 3])),
        data.draw(st.sampled_from([0, 2, 3, 4, 6, 1])),
    )
    side = st.sampled_from([0, 1, 2, 7, 1 << 20, (1 << 31) - 1, 1 << 31])
    width, height = data.draw(side), data.draw(side)
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    head += bytes([depth, colors, 0, 0, data.draw(st.integers(0, 2))])
    middle = data.draw(
        st.lists(st.tuples(st.sampled_from([b"PLTE", b"tRNS", b"tEXt", b"ABCD"]), st.binary(max_size=9)))
    )
    pixels = data.draw(st.one_of(st.binary(max_size=60), st.binary(max_size=60).map(zlib.compress)))
    text = SIGNATURE + chunk(b"IHDR", head) + b"".join(chunk(*part) for part in middle)
    text += chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    try:
        found = decode(text)
    except ValueError as e:
        assert str(e).startswith("the picture ")  # noqa: PT017
    else:
        assert found.shape == (height, width)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "ends too early"),
        (b"GIF89a......", "is no PNG file"),
        (SIGNATURE + chunk(b"IDAT", b""), "begins with no IHDR"),
        (SIGNATURE + chunk(b"IHDR", bytes(13)), "says 0 x 0 pixels"),
    ],
)
def test_what_is_foreign_is_named(data: bytes, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        decode(data)


def head_of(width: int, height: int) -> bytes:
    return SIGNATURE + chunk(
        b"IHDR", width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    )


def test_a_size_that_the_file_cannot_hold_is_refused_at_once() -> None:
    bomb = (
        head_of(2_000_000_000, 2_000_000_000)
        + chunk(b"IDAT", zlib.compress(bytes(100)))
        + chunk(b"IEND", b"")
    )
    with pytest.raises(
        ValueError, match=r"2000000000 x 2000000000 pixels, 4,000,000,002,000,000,000 bytes; the \d+ bytes"
    ):
        Reader(io.BytesIO(bomb), "bomb.png")


def test_a_size_that_memory_cannot_hold_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 1 << 27)
    full = head_of(1 << 14, 1 << 14) + chunk(b"IDAT", bytes(1 << 20))
    with pytest.raises(MemoryError, match=r"full.png: a picture of 16384 x 16384 pixels takes 268,"):
        Reader(io.BytesIO(full), "full.png")


def test_pixels_that_are_missing_or_too_many() -> None:
    head = head_of(4, 4)
    for count, message in ((19, "1 bytes of pixels are missing"), (0, "20 bytes of pixels are missing")):
        with pytest.raises(ValueError, match=message):
            decode(head + chunk(b"IDAT", zlib.compress(bytes(count))) + chunk(b"IEND", b""))
    assert decode(head + chunk(b"IDAT", zlib.compress(bytes(99_999))) + chunk(b"IEND", b"")).shape == (4, 4)
    wrong = bytearray(20)
    wrong[10] = 5
    with pytest.raises(ValueError, match="unknown filter 5 in row 2"):
        decode(head + chunk(b"IDAT", zlib.compress(wrong)) + chunk(b"IEND", b""))


def test_a_stream_that_cannot_seek_is_read() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def read(self, size: int | None = -1) -> bytes:
            return super().read(min(size or 1, 7) if size != -1 else 7)  # a little at a time

    reader = Reader(Pipe(good()))
    assert sum(block.values.size for block in reader.blocks()) == 9 * 13
