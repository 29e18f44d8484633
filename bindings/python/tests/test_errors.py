"""The exceptions, and what they say."""

from __future__ import annotations

import copy
import mmap
import pickle
import types
from pathlib import Path

import pytest

import placemat
import placemat.arrow
import placemat.reports


def caught(data: object, encoding: str = "utf-8", errors: str = "strict") -> placemat.DecodeError:
    with pytest.raises(placemat.DecodeError) as info:
        placemat.decode(data, encoding, errors)
    return info.value


@pytest.mark.parametrize(
    ("data", "span", "code", "reason"),
    [
        (b"caf\xe9!", (3, 4), "truncated", "missing continuation byte after 0xe9"),
        (b"/etc\xc0\xafpasswd", (4, 5), "overlong-2", "overlong sequence 0xc0"),
        (b"\xed\xa0\x80", (0, 1), "surrogate", "surrogate 0xed 0xa0"),
        (b"ab\xff", (2, 3), "never-byte", "invalid lead byte 0xff"),
        (b"\xe2\x82", (0, 2), "incomplete", "incomplete sequence 0xe2 0x82"),
        (b"\xf4\x90\x80\x80", (0, 1), "too-large", "value out of range 0xf4 0x90"),
    ],
)
def test_decode_error(data: bytes, span: tuple[int, int], code: str, reason: str) -> None:
    e = caught(data)
    assert isinstance(e, UnicodeDecodeError)
    assert ((e.start, e.end), e.code, e.reason, e.offset) == (span, code, reason, span[0])
    assert (e.encoding, e.object) == ("utf-8", data) and e.object is data
    assert reason in str(e)


def test_encode_error() -> None:
    text = "5 €€ and \ud800"
    for encoding, span, code in [("iso-8859-1", (2, 4), "not-held"), ("utf-8", (9, 10), "surrogate")]:
        with pytest.raises(placemat.EncodeError) as info:
            placemat.encode(text, encoding)
        e = info.value
        assert isinstance(e, UnicodeEncodeError)
        assert ((e.start, e.end), e.code, e.offset, e.object) == (span, code, span[0], text)
    # Code points, not units, of a text with wide ones.
    with pytest.raises(placemat.EncodeError) as info:
        placemat.encode("😀😀 €", "windows-1251", "strict")
    assert (info.value.start, info.value.end) == (0, 2)


@pytest.mark.parametrize("module", [placemat, placemat.arrow, placemat.reports])
def test_functions_are_pickled_by_name(module: types.ModuleType) -> None:
    functions = [f for f in vars(module).values() if isinstance(f, (types.BuiltinFunctionType, types.FunctionType))]
    assert functions and all(pickle.loads(pickle.dumps(f)) is f for f in functions)


def test_copies_and_pickles() -> None:
    with pytest.raises(placemat.EncodeError) as info:
        placemat.encode("€", "ascii")
    for e in [caught(b"a\xff"), info.value]:
        for other in [copy.copy(e), pickle.loads(pickle.dumps(e))]:
            assert type(other) is type(e)
            assert (other.args, other.code, other.offset, str(other)) == (e.args, e.code, e.offset, str(e))
    e = placemat.DecodeError("utf-8", b"\xff", 0, 1, "mine")
    assert (e.code, e.offset) == ("", None)


def test_unknown_names() -> None:
    for call in [lambda name: placemat.decode(b"", name), lambda name: placemat.encode("", name)]:
        with pytest.raises(LookupError, match="unknown encoding: utf9; did you mean utf8"):
            call("utf9")
        with pytest.raises(LookupError, match="shift-jiss; did you mean Shift_JIS"):
            call("shift-jiss")
        with pytest.raises(LookupError, match="unknown encoding: no such thing at all$"):
            call("no such thing at all")
        with pytest.raises(LookupError, match="unknown encoding: x{80}…$"):
            call("x" * 1000)
    # Whatever a terminal could take for a command is shown as text, and it is part of no name.
    for name, shown in [("\x1b[31mutf-8", r"\\x1b\[31m"), ("utf-8\0", r"utf-8\\x00"), ("utf\x7f8", r"utf\\x7f8")]:
        with pytest.raises(LookupError, match=f"unknown encoding: {shown}"):
            placemat.decode(b"", name)
    # As in CPython, the name of a handler matters when there is an error.
    assert placemat.decode(b"a", "utf-8", "no such handler") == "a"
    with pytest.raises(LookupError, match="no such handler"):
        placemat.decode(b"\xff", "utf-8", "no such handler")
    with pytest.raises(LookupError, match="no such handler"):
        placemat.encode("\ud800", "utf-8", "no such handler")


def test_offsets_in_other_encodings() -> None:
    e = caught("日本".encode("shift_jis") + b"\x96", "shift_jis")
    assert (e.start, e.end, e.code) == (4, 5, "incomplete")
    e = caught(b"a\0\x00\xdcb\0", "utf-16le")
    assert (e.start, e.end, e.code) == (2, 4, "unpaired-trail")
    # Above U+10FFFF there is nothing that a str holds.
    e = caught(b"a\xf8\x88\x80\x80\x80b", "utf-8-31bit")
    assert (e.start, e.end, e.code) == (1, 6, "out-of-range")


def test_a_long_buffer_shows_the_neighborhood(tmp_path: Path) -> None:
    size, at = 5_000_000, 3_333_333
    path = tmp_path / "long"
    text = bytearray(b"text " * (size // 5))
    text[at] = 0xFF
    path.write_bytes(text)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for data in [text, memoryview(text), mapped]:
            e = caught(data)
            assert e.offset == at and len(e.object) == 2049
            assert e.object[e.start : e.end] == b"\xff" and e.object == text[at - 1024 : at + 1025]
            assert placemat.decode(data, errors="replace") == text.decode(errors="replace")
        del data, e
    e = caught(bytes(text))
    assert (e.start, len(e.object)) == (at, size)
