"""Whatever has the buffer protocol."""

from __future__ import annotations

import array
import ctypes
import mmap
import threading
from pathlib import Path

import pytest
from common import TEXTS

import placemat


@pytest.mark.parametrize("size", [0, 5, 100, 5000, 1 << 20, (1 << 20) + 1, 3_000_001])
def test_kinds_of_buffers(size: int, tmp_path: Path) -> None:
    for source in [TEXTS[0], TEXTS[3], TEXTS[10]]:
        data = (source * (size // len(source.encode()) + 1)).encode()[:size]
        expected = data.decode(errors="ignore")
        while data and data != expected.encode():
            data = data[:-1]
        path = tmp_path / "file"
        path.write_bytes(data or b"\n")
        unsigned = array.array("B", data)
        given = [bytearray(data), memoryview(data), unsigned, (ctypes.c_char * len(data)).from_buffer_copy(data)]
        for buffer in given:
            assert placemat.decode(buffer) == expected
            assert placemat.is_valid(buffer)
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert placemat.decode(mapped) == (expected or "\n")


def test_strides_and_wider_items() -> None:
    data = "naïve".encode()
    twice = bytes(byte for byte in data for _ in range(2))
    assert placemat.decode(memoryview(twice)[::2]) == "naïve"
    assert placemat.decode(memoryview(data[::-1])[::-1]) == "naïve"
    assert placemat.decode(memoryview(bytearray(twice * 1_000_000))[::2]) == "naïve" * 1_000_000
    assert placemat.decode(array.array("H", [0x61, 0x20AC]), "utf-16le") == "a€"
    assert placemat.decode(memoryview(b"abcdef").cast("B", (2, 3))) == "abcdef"


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    data = numpy.frombuffer("naïve €".encode() * 300_000, dtype=numpy.uint8)
    assert placemat.decode(data) == "naïve €" * 300_000
    assert placemat.decode(data.copy()[::-1][::-1]) == "naïve €" * 300_000
    table = numpy.array([[97, 98], [99, 100]], dtype=numpy.uint8)
    assert placemat.decode(table) == "abcd"
    assert placemat.decode(table.T) == "acbd"


def test_no_buffer() -> None:
    for wrong in [None, 1, [97], object()]:
        with pytest.raises(TypeError):
            placemat.decode(wrong)


def test_subclasses() -> None:
    class Bytes(bytes):
        pass

    class Text(str):
        pass

    assert placemat.decode(Bytes(b"caf\xc3\xa9")) == "café"
    assert placemat.encode(Text("café")) == b"caf\xc3\xa9"


@pytest.mark.parametrize("size", [2000, 200_000, 4_000_000])
def test_another_thread_writes_meanwhile(size: int) -> None:
    # Texts of all widths, so that a text measured at one moment and converted at another would not fit.
    texts = [(source * (size // len(source.encode()) + 1)).encode()[:size] for source in [TEXTS[0], TEXTS[3], TEXTS[5], TEXTS[8]]]
    buffer = bytearray(texts[0])
    stop = False

    def write() -> None:
        i = 0
        while not stop:
            i += 1
            buffer[:] = texts[i % len(texts)]

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(30 if size > 1_000_000 else 200):
            # Any text at all, and a good one: the memory of a str with other contents than its header says crashes here.
            text = placemat.decode(buffer, errors="replace")
            assert placemat.decode(text.encode()) == text
            placemat.is_valid(buffer)
    finally:
        stop = True
        writer.join()


def test_a_buffer_is_given_back() -> None:
    for size in [10, 5_000_000]:
        buffer = bytearray(b"a" * size)
        placemat.decode(buffer)
        placemat.is_valid(buffer)
        with pytest.raises(placemat.DecodeError):
            placemat.decode(bytearray(b"\xff") + buffer)
        # Fails while somebody holds it.
        buffer.append(97)
