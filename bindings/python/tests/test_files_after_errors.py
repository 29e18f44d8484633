"""The messages of files about errors, and the text that their readers give afterwards."""

from __future__ import annotations

import codecs
import io
from pathlib import Path
from typing import Any, Callable

import pytest

import placemat
import placemat.codecs

GOOD = "one\ntwo\n" * 3000
#: The error is in the middle of a line, far beyond the first piece that a reader takes.
DATA = GOOD.encode() + b"before \xff after\nnext\n" + GOOD.encode() * 2
AT = len(GOOD.encode()) + len("before ")


def text_file(path: Path) -> Any:
    return placemat.open(path)


def builtin(path: Path) -> Any:
    return open(path, encoding="placemat.utf-8")


def stream_reader(path: Path) -> Any:
    return codecs.open(str(path), encoding="placemat.utf-8")


@pytest.fixture(params=[text_file, builtin, stream_reader])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    path = tmp_path / "text"
    path.write_bytes(DATA)
    make: "Callable[[Path], Any]" = request.param
    with make(path) as file:
        yield file


def test_no_rest_of_a_line_is_a_line(file: Any) -> None:
    lines = []
    with pytest.raises(placemat.DecodeError) as info:
        while True:
            lines.append(file.readline())
    assert set(lines) <= {"one\n", "two\n"}
    assert info.value.offset == AT
    assert f"at byte {AT} of the text" in str(info.value) or info.value.start == AT
    for read in [file.readline, file.read, lambda: next(iter(file))]:
        with pytest.raises(placemat.DecodeError) as again:
            read()
        assert again.value.offset == AT
    file.seek(0)
    assert file.readline() == "one\n"


def test_a_short_file_says_its_offset_once() -> None:
    file = placemat.wrap(io.BytesIO(b"a\xff"))
    with pytest.raises(placemat.DecodeError) as info:
        file.read()
    assert info.value.offset == 1 and "of the text" not in str(info.value)


def test_pieces_say_the_offset_in_the_text() -> None:
    decoder = placemat.Decoder()
    decoder.decode(b"abc")
    for _ in range(2):
        with pytest.raises(placemat.DecodeError, match="in position 1: invalid lead byte 0xff, at byte 4 of the text"):
            decoder.decode(b"d\xff")
    # The decoder stands before the piece that failed, and goes on from there.
    assert decoder.decode(b"de") == "de"
    decoder.setstate((b"", 0))
    with pytest.raises(placemat.DecodeError) as info:
        decoder.decode(b"d\xff")
    assert "of the text" not in str(info.value)
    decoder.reset()
    decoder.decode(b"abc")
    with pytest.raises(placemat.DecodeError, match="at byte 3 of the text"):
        decoder.decode(b"\xff")


def test_a_decoder_for_files_fails_until_it_is_set_again() -> None:
    decoder = placemat.Decoder(for_file=True)
    with pytest.raises(placemat.DecodeError):
        decoder.decode(b"a\xff")
    for final in [False, True]:
        with pytest.raises(placemat.DecodeError):
            decoder.decode(b"b", final)
    decoder.reset()
    assert decoder.decode(b"b") == "b"
    decoder = placemat.Decoder(errors="replace", for_file=True)
    assert decoder.decode(b"a\xff") == "a\ufffd" and decoder.decode(b"b") == "b"


EAST_ASIAN = ["shift_jis", "big5", "gb18030", "gbk", "euc-jp", "euc-kr", "big5-hkscs", "johab", "shift_jis-2004", "euc-tw", "ibm943"]


@pytest.mark.parametrize("encoding", EAST_ASIAN)
def test_surrogateescape_gives_all_bytes_back(encoding: str) -> None:
    pairs = [bytes([a, b]) for a in range(256) for b in range(256)]
    texts = [placemat.decode(pair, encoding, "surrogateescape") for pair in pairs]
    for pair, text in zip(pairs, texts):
        assert placemat.encode(text, encoding, "surrogateescape") == pair
    data = b"".join(pair + b" text " for pair in pairs)
    whole = placemat.decode(data, encoding, "surrogateescape")
    assert placemat.encode(whole, encoding, "surrogateescape") == data
    # In pieces, and in a buffer.
    decoder = placemat.Decoder(encoding, "surrogateescape")
    parts = [decoder.decode(data[at : at + 1001]) for at in range(0, len(data), 1001)]
    assert "".join(parts) + decoder.decode(b"", True) == whole
    assert placemat.decode(bytearray(data * 3), encoding, "surrogateescape") == placemat.decode(data * 3, encoding, "surrogateescape")


@pytest.mark.parametrize(("encoding", "text"), [("shift_jis", "日本語 text"), ("gb18030", "中文 😀"), ("big5", "中文"), ("euc-kr", "한국어")])
def test_surrogateescape_leaves_what_comes_back(encoding: str, text: str) -> None:
    data = text.encode(encoding) * 5000
    assert placemat.decode(data, encoding, "surrogateescape") == text * 5000
    # NEC's form of a symbol that has another.
    assert placemat.decode(b"a\x87\x9ab", "shift_jis", "surrogateescape") == "a\udc87\udc9ab"
    assert placemat.decode(b"a\x87\x9ab", "shift_jis") == "a∵b"
