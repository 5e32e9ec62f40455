from __future__ import annotations

import io
import threading
import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from refusals import refused

from meiro._utils import memory, png
from meiro.io import image
from meiro.io.image import read_luminance

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def head_of(width: int, height: int, depth: int = 8, colors: int = 0) -> bytes:
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return png.SIGNATURE + chunk(b"IHDR", size + bytes([depth, colors, 0, 0, 0]))


def encode(samples: Any, depth: int, colors: int, extra: bytes = b"") -> bytes:
    """Return the file of samples of shape (h, w, channels), 8 or 16 bits each, without filters."""
    height, width, _ = samples.shape
    raw = b"".join(b"\0" + row.tobytes() for row in samples.astype(f">u{depth // 8}"))
    data = chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
    return head_of(width, height, depth, colors) + extra + data


def pack(values: NDArray[np.uint8], depth: int) -> NDArray[np.uint8]:
    bits = np.unpackbits(values[..., None], axis=2)[..., 8 - depth :]
    return np.packbits(bits.reshape(len(values), -1), axis=1)


def decode(data: bytes) -> NDArray[np.uint8]:
    values, full = read_luminance(io.BytesIO(data), None)
    if values.dtype == np.uint8:
        assert full == 255
        return values
    assert values.max() <= full  # of 16 bits a pixel, or as many as are used
    return (values >> 8).astype(np.uint8)


def luminance(samples: NDArray[Any], depth: int, colors: int) -> NDArray[np.float64]:
    """Brightness on white by the definitions of the standard, in floats."""
    high = (samples >> (depth - 8)).astype(float)
    grey = high[..., :3] @ [0.299, 0.587, 0.114] if colors in {2, 6} else high[..., 0]
    alpha = high[..., -1] / 255 if colors in {4, 6} else 1
    result: NDArray[np.float64] = grey * alpha + 255 * (1 - alpha)
    return result


@pytest.mark.parametrize("depth", [8, 16])
@pytest.mark.parametrize("colors", [0, 2, 4, 6])
def test_pictures_of_every_colour_type_are_read(
    colors: int, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meiro._utils.bands.BAND", 50)
    rng = np.random.default_rng([colors, depth])
    for size in [(1, 1), (3, 2), (5, 7), (1, 17), (19, 1), (33, 21)]:
        samples = rng.integers(0, 1 << depth, (*size, CHANNELS[colors]))
        found = decode(encode(samples, depth, colors))
        assert np.abs(found - luminance(samples, depth, colors)).max() <= 1


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_palettes_with_transparent_colours_are_read(depth: int) -> None:
    rng = np.random.default_rng(depth)
    colors, clear = rng.integers(0, 256, (1 << depth, 3)), rng.integers(0, 256, 1 << depth - 1)
    indices = rng.integers(0, 1 << depth, (9, 16), np.uint8)
    file = io.BytesIO()
    png.write(file, (9, 16), [pack(indices, depth)], depth=depth, palette=bytes(colors.reshape(-1).tolist()))  # type: ignore[arg-type]
    plain = colors[indices] @ [0.299, 0.587, 0.114]
    assert np.abs(decode(file.getvalue()) - plain).max() <= 1
    at = file.getvalue().index(b"IDAT") - 4
    data = file.getvalue()[:at] + chunk(b"tRNS", bytes(clear.tolist())) + file.getvalue()[at:]
    alpha = np.concatenate([clear, np.full((1 << depth) - len(clear), 255)])[indices] / 255
    assert np.abs(decode(data) - (plain * alpha + 255 * (1 - alpha))).max() <= 1


@pytest.mark.parametrize(("colors", "depth", "clear"), [(0, 8, [5]), (0, 16, [0x0102]), (2, 8, [1, 2, 3])])
def test_one_transparent_colour_is_white(colors: int, depth: int, clear: list[int]) -> None:
    samples = np.random.default_rng(3).integers(0, 1 << depth, (6, 5, CHANNELS[colors]))
    samples[2, 3] = samples[4, 1] = clear
    samples[4, 1, -1] ^= 1  # nearly
    found = decode(encode(samples, depth, colors, chunk(b"tRNS", np.array(clear, ">u2").tobytes())))
    expected = luminance(samples, depth, colors)
    expected[2, 3] = 255
    assert np.abs(found - expected).max() <= 1


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
@pytest.mark.parametrize("repeat", [1, 3])
@pytest.mark.parametrize("size", [(1, 1), (5, 9), (40, 33)])
def test_what_is_written_is_read_by_pillow(depth: int, repeat: int, size: tuple[int, int]) -> None:
    rng = np.random.default_rng(depth)
    height, width = size
    values = rng.integers(0, 1 << depth, size, np.uint8)
    packed = pack(values, depth)
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


@pytest.mark.parametrize("depth", [1, 8])
def test_the_file_is_the_same_for_any_number_of_threads(depth: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "_LINES", 1 << 12)  # many pieces, shorter than what deflate looks back
    rows = np.random.default_rng(depth).integers(0, 4, (700, 50), np.uint8)
    files = []
    for threads in (1, 2, 5):
        file = io.BytesIO()
        bands = [rows[:300], rows[300:]]
        png.write(file, (1400, 50 * 8 // depth), bands, depth=depth, repeat=2, threads=threads)
        files.append(file.getvalue())
    assert files[0] == files[1] == files[2]
    expected = rows if depth == 8 else np.unpackbits(rows, axis=1) * 255
    np.testing.assert_array_equal(decode(files[0]), expected.repeat(2, axis=0))
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(files[0])).convert("L")), decode(files[0]))


def test_an_error_among_the_bands_ends_the_threads() -> None:
    def bands() -> Any:
        yield np.zeros((100, 1000), np.uint8)
        raise RuntimeError("no more")

    before = threading.active_count()
    refused(RuntimeError, "no more", png.write, io.BytesIO(), (200, 8000), bands(), depth=1, threads=4)
    assert threading.active_count() == before


def test_bands_of_another_size_than_the_picture_are_refused() -> None:
    with pytest.raises(ValueError, match="2 rows, the picture 3"):
        png.write(io.BytesIO(), (3, 8), [np.zeros((2, 1), np.uint8)], depth=1)
    with pytest.raises(ValueError, match="a row of 9 pixels has 2 bytes"):
        png.write(io.BytesIO(), (3, 9), [np.zeros((3, 1), np.uint8)], depth=1)


def good() -> bytes:
    return encode(np.random.default_rng(1).integers(0, 256, (9, 13, 4)), 8, 6)


def test_every_file_that_is_cut_is_refused() -> None:
    data = good()
    for at in range(1, len(data)):
        refused(ValueError, r"^the file is (damaged|not a picture)", decode, data[:at])
    np.testing.assert_array_equal(decode(data + b"more"), decode(data))


def test_a_file_with_any_bit_flipped_is_refused() -> None:
    data = good()
    for at in range(len(data)):
        for bit in (1, 128):
            broken = bytearray(data)
            broken[at] ^= bit
            refused(ValueError, r"^the file is (damaged|not a picture)", decode, bytes(broken))


def test_files_that_hold_no_pixels_are_refused() -> None:
    for data, what in (
        (b"", "is empty"),
        (png.SIGNATURE, "is damaged"),
        (png.SIGNATURE + chunk(b"IDAT", b""), "is damaged"),
        (head_of(0, 0) + chunk(b"IDAT", b""), "is damaged"),
        (head_of(4, 4) + chunk(b"IDAT", zlib.compress(bytes(19))) + chunk(b"IEND", b""), "truncated"),
    ):
        refused(ValueError, f"^the file .*{what}", decode, data)


def test_a_picture_above_the_limit_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = head_of(60001, 60001, 1) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
    refused(ValueError, r"60,001 x 60,001 .* meiro\.io\.image\.MAX_PIXELS = 2,147", decode, bomb)
    with pytest.raises(ValueError, match="raise that if you trust the file"):
        read_luminance(io.BytesIO(head_of(1 << 30, 1 << 30) + bomb[33:]), None)
    monkeypatch.setattr(image, "MAX_PIXELS", 30)
    small = encode(np.zeros((5, 7, 1), int), 8, 0)
    refused(ValueError, "7 x 5 pixels, more than", decode, small)
    monkeypatch.setattr(image, "MAX_PIXELS", 35)
    assert decode(small).shape == (5, 7)


def test_a_picture_above_the_limit_of_pillow_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    monkeypatch.setattr("meiro._utils.bands.BAND", 7)
    assert decode(encode(np.zeros((5, 7, 1), int), 8, 0)).tolist() == [[0] * 7] * 5


def test_a_size_that_memory_cannot_hold_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 1 << 27)
    with pytest.raises(MemoryError, match=r"the file: .* 16384 x 16384 pixels takes 537,001,984"):
        decode(head_of(1 << 14, 1 << 14) + chunk(b"IDAT", bytes(1 << 20)))


def test_a_stream_that_cannot_seek_is_read() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    np.testing.assert_array_equal(read_luminance(Pipe(good()), None)[0], decode(good()))
