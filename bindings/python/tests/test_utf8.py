"""UTF-8 and `str`, compared with CPython."""

from __future__ import annotations

import random

import pytest
from common import LONG, PIECES, TEXTS, damaged, result, size, with_surrogates

import placemat

DECODING = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass"]
ENCODING = [
    "strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "namereplace", "surrogateescape", "surrogatepass"
]  # fmt: skip


def same_both_ways(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    decoded = placemat.decode(data, "utf-8", "surrogatepass")
    assert decoded == text and size(decoded) == size(data.decode("utf-8", "surrogatepass"))
    assert placemat.encode(text, "utf-8", "surrogatepass") == data


def test_every_code_point() -> None:
    for first in range(0, 0x110000, 0x100):
        text = "".join(map(chr, range(first, first + 0x100)))
        same_both_ways(text)
        if not 0xD800 <= first < 0xE000:
            assert result(placemat.decode, text.encode()) == result(str, text.encode(), "utf-8")
            assert placemat.encode(text) == text.encode()
    for c in range(0, 0x110000, 1 if LONG else 251):
        same_both_ways(chr(c))


@pytest.mark.parametrize("text", TEXTS)
def test_every_length_and_the_least_width(text: str) -> None:
    long = text * 40
    for length in [*range(200), *range(250, 300), 500]:
        for start in range(min(3, len(text))):
            piece = long[start : start + length]
            data = piece.encode()
            assert result(placemat.decode, data) == result(data.decode)
            assert result(placemat.encode, piece) == result(piece.encode)


@pytest.mark.parametrize("wide", ["", "é", "я", "€", "😀"])
def test_one_wide_code_point_anywhere(wide: str) -> None:
    for length in [0, 1, 7, 15, 16, 31, 32, 33, 63, 64, 65, 127, 130, 4095, 4096, 4097, 9000]:
        for at in {0, 1, length // 2, max(length - 1, 0), length}:
            text = "a" * at + wide + "b" * (length - at)
            assert result(placemat.decode, text.encode()) == result(text.encode().decode)
            assert result(placemat.encode, text) == result(text.encode)


def test_long_texts_go_in_pieces() -> None:
    for text in ["a" * 1000, "я" * 333, "aé" * 300, "€ " * 256, "😀€é" * 100, "a" * 999 + "я"]:
        long = text * (24_000_000 // len(text.encode()))
        for cut in range(4):
            data = long[cut:].encode()
            decoded = placemat.decode(data)
            assert decoded == long[cut:] and size(decoded) == size(data.decode())
            assert placemat.encode(long[cut:]) == data
        bad = bytearray(long.encode())
        bad[-5] = 0xFF
        with pytest.raises(placemat.DecodeError) as caught:
            placemat.decode(bytes(bad))
        with pytest.raises(UnicodeDecodeError) as expected:
            bytes(bad).decode()
        assert (caught.value.start, caught.value.end) == (expected.value.start, expected.value.end)


def test_long_texts_whose_start_is_unlike_the_rest() -> None:
    # The room for the bytes is made by the start, so it grows.
    parts = ["a", "é", "я", "\uffff", "😀"]
    for first in parts:
        for second in parts:
            text = first * 200_000 + second * 3_000_000
            data = placemat.encode(text)
            assert data == text.encode() and size(data) == size(bytes(bytearray(data)))
    # Two surrogates, on either side of the end of a piece, and beyond the parts between which signals are seen.
    for place in [1024, 4096, 32 << 10, 128 << 10, 1 << 20, 2 << 20]:
        for filler in ["я", "😀"]:
            text = filler * (place - 1) + "\ud83d\ude00" + filler * 2_000_000
            with pytest.raises(placemat.EncodeError) as caught:
                placemat.encode(text)
            assert (caught.value.start, caught.value.end) == (place - 1, place + 1)


@pytest.mark.parametrize("length", [*range(0, 20), *range(1000, 1050), *range(4080, 4110), 131_071, 131_072, 131_073])
def test_lengths_at_which_the_way_changes(length: int) -> None:
    for letter in ["a", "é", "я", "€", "😀"]:
        text = letter * length
        for some in [text, text[: length // 2] + "a" * (length - length // 2)]:
            assert result(placemat.encode, some) == result(str.encode, some)
            assert result(placemat.decode, some.encode()) == result(bytes.decode, some.encode())
            data = some.encode()[:length]
            assert result(placemat.decode, data) == result(bytes.decode, data)


@pytest.mark.parametrize("errors", DECODING)
def test_every_short_sequence(errors: str) -> None:
    edges = sorted({*range(0x00, 0x100, 37), *b"\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xed\xef\xf0\xf4\xf5\xff"})
    for a in range(256):
        for b in range(256):
            data = bytes([a, b])
            assert result(placemat.decode, data, "utf-8", errors) == result(data.decode, "utf-8", errors)
    for a in range(0xC0, 256):
        for b in edges:
            for c in edges:
                for data in (bytes([a, b, c]), bytes([a, b, c, 0x80]), bytes([a, b, c, 0x41, 0x80])):
                    assert result(placemat.decode, data, "utf-8", errors) == result(data.decode, "utf-8", errors)


@pytest.mark.parametrize("errors", DECODING)
def test_random_damage(errors: str) -> None:
    for data in damaged(17, 200_000 if LONG else 3000):
        assert result(placemat.decode, data, "utf-8", errors) == result(data.decode, "utf-8", errors), data


@pytest.mark.parametrize("errors", DECODING)
def test_random_bytes(errors: str) -> None:
    rng = random.Random(3)
    for _ in range(100_000 if LONG else 2000):
        data = rng.randbytes(rng.randrange(40))
        assert result(placemat.decode, data, "utf-8", errors) == result(data.decode, "utf-8", errors), data


@pytest.mark.parametrize("errors", DECODING)
def test_damage_in_long_texts(errors: str) -> None:
    for source in TEXTS[:8]:
        for piece in PIECES:
            text = source.encode() * (6000 // len(source.encode()))
            for at in (0, 4090, len(text)):
                data = text[:at] + piece + text[at:]
                assert result(placemat.decode, data, "utf-8", errors) == result(data.decode, "utf-8", errors)


@pytest.mark.parametrize("errors", DECODING)
def test_ascii_with_stray_bytes(errors: str) -> None:
    rng = random.Random(errors)
    for length in [1, 15, 16, 17, 100, 1023, 1024, 1025, 5000, 70_000]:
        for rate in [0.001, 0.01, 0.3]:
            for strays in [b"\xff", b"\x80\xbf", b"\xe9\xc3", bytes(range(0x80, 0x100))]:
                data = bytearray(rng.choices(b"text and more\n", k=length))
                for _ in range(max(1, int(rate * length))):
                    data[rng.randrange(length)] = rng.choice(strays)
                for some in [bytes(data), bytes(data) + b"\xe9", b"\xc2" + bytes(data), bytes(data) + "é".encode()]:
                    if errors != "surrogatepass":
                        assert result(placemat.decode, some, "utf-8", errors) == result(some.decode, "utf-8", errors)


@pytest.mark.parametrize("errors", ENCODING)
def test_random_surrogates(errors: str) -> None:
    for text in with_surrogates(5, 100_000 if LONG else 3000):
        for encoding in ["utf-8", "ascii", "iso-8859-1"]:
            ours = result(placemat.encode, text, encoding, errors)
            assert ours == result(text.encode, encoding, errors), (text, encoding)


def test_two_surrogates_side_by_side_are_two() -> None:
    text = "\ud83d\ude00"
    with pytest.raises(placemat.EncodeError) as caught:
        placemat.encode(text)
    assert (caught.value.start, caught.value.end, caught.value.object) == (0, 2, text)
    assert placemat.encode(text, errors="surrogatepass") == b"\xed\xa0\xbd\xed\xb8\x80"
    assert placemat.encode(text, errors="replace") == b"??"
    assert placemat.decode(b"\xed\xa0\xbd\xed\xb8\x80", errors="surrogatepass") == text
    assert placemat.decode(b"\xed\xa0\xbd\xed\xb8\x80", "wtf-8", "replace") != "\U0001f600"
    assert len(placemat.decode(b"\x3d\xd8\x00\xde", "utf-16le")) == 1


def test_the_width_is_the_least_after_replacement() -> None:
    for data, errors, expected in [
        (b"caf\xff", "ignore", "caf"),
        (b"caf\xff", "question", "caf?"),
        (b"caf\xe9", "latin1", "café"),
        (b"caf\x80", "cp1252", "caf€"),
        (b"caf\xff", "replace", "caf\ufffd"),
        (b"caf\xff", "optu", "caf\uefff"),
        (b"\xf0\x9f\x98!", "ignore", "!"),
    ]:
        for data, expected in [(data, expected), (data + b"a" * 5000, expected + "a" * 5000)]:
            assert result(placemat.decode, data, "utf-8", errors) == result(str, expected)


def test_round_trip_of_all_bytes() -> None:
    for data in damaged(23, 500):
        text = placemat.decode(data, errors="surrogateescape")
        assert text == data.decode(errors="surrogateescape")
        assert placemat.encode(text, errors="surrogateescape") == data
        assert placemat.encode(text, errors="surrogateescape-checked") == data
        assert placemat.encode(placemat.decode(data, errors="optu"), errors="optu") == data
    with pytest.raises(placemat.EncodeError) as caught:
        placemat.encode("\udcc3\udca9", errors="surrogateescape-checked")
    assert caught.value.code == "forged-sequence"
    assert placemat.encode("\udcc3\udca9", errors="surrogateescape") == "é".encode()


def test_arguments() -> None:
    assert placemat.decode(data=b"a", encoding="ascii", errors="strict") == "a"
    assert placemat.decode(b"a", errors=None) == "a"
    assert placemat.decode(b"a", None) == "a"
    assert placemat.encode(text="a", encoding="ascii") == b"a"
    assert placemat.is_valid(b"a") and not placemat.is_valid(b"\xff")
    for call in [
        lambda: placemat.decode(),
        lambda: placemat.decode(b"", "utf-8", "strict", 1),
        lambda: placemat.decode(b"", data=b""),
        lambda: placemat.decode(b"", nothing=1),
        lambda: placemat.decode("text"),
        lambda: placemat.decode(1),
        lambda: placemat.decode(b"", 1),
        lambda: placemat.decode(b"", "utf-8", 1),
        lambda: placemat.encode(b""),
        lambda: placemat.encode("", 1),
        lambda: placemat.encode(),
        lambda: placemat.is_valid(),
    ]:
        with pytest.raises(TypeError):
            call()


#: What comes after a long start in ASCII.
ENDS = [b"", b"\xff", "é".encode(), "€я".encode(), "😀".encode(), b"\xc3", b"\xed\xa0\x80", b"\x80" * 9, b"a\xffb", "é\udc80".encode(errors="surrogateescape")]


@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass"])
@pytest.mark.parametrize("size", [1000, 1024, 1025, 4095, 4096, 4097, 9000, 200_000])
def test_the_end_of_long_ascii_is_decoded_as_cpython_does(size: int, errors: str) -> None:
    for end in ENDS:
        for data in [b"a" * size + end, b"a" * size + end + b"b" * (size // 2), end + b"a" * size, b"a" * size + end * 300]:
            assert result(placemat.decode, data, "utf-8", errors) == result(bytes.decode, data, "utf-8", errors)
            assert result(placemat.decode, bytearray(data), "utf-8", errors) == result(bytes.decode, data, "utf-8", errors)
