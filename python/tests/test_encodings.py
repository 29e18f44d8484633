"""Encodings that CPython has too, compared with it; and others."""

from __future__ import annotations

import codecs
import encodings.aliases
import random

import pytest
from common import result

import placemat

#: Of one byte for each code point, and the same in CPython. (To the Web, and here, ISO-8859-9 and -11 are windows-1254 and -874,
#: and KOI8-U has two more letters.)
SINGLE_BYTE = [
    *(f"iso-8859-{part}" for part in range(1, 17) if part not in (9, 11, 12)),
    "us-ascii", "koi8-r", "ibm437", "ibm850", "ibm852", "ibm855", "ibm866", "ibm037", "ibm500",
]  # fmt: skip
#: Of several bytes, in which CPython reads and writes the code points of `text` alike.
SEVERAL_BYTES = {
    "utf-16le": "aé€日😀",
    "utf-16be": "aé€日😀",
    "utf-32le": "aé€日😀",
    "utf-32be": "aé€日😀",
    "shift_jis": "日本語、カタカナ ｶﾅ abc",
    "euc-jp": "日本語、カタカナ ｶﾅ abc",
    "iso-2022-jp": "日本語、カタカナ abc",
    "gbk": "我能吞下玻璃而不伤身体。abc",
    "gb18030": "我能吞下玻璃而不伤身体。é€😀 abc",
    "big5": "我能吞下玻璃而不傷身體。abc",
    "euc-kr": "나는 유리를 먹을 수 있어요 abc",
}
ERRORS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape"]


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_single_bytes(name: str) -> None:
    rng = random.Random(name)
    for byte in range(256):
        for errors in ERRORS:
            data = bytes([byte])
            assert result(placemat.decode, data, name, errors) == result(data.decode, name, errors)
    for _ in range(300):
        data = rng.randbytes(rng.randrange(200))
        errors = rng.choice(ERRORS)
        decoded = result(placemat.decode, data, name, errors)
        assert decoded == result(data.decode, name, errors)
        if isinstance(decoded[0], str):
            assert result(placemat.encode, decoded[0], name, errors) == result(decoded[0].encode, name, errors)


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_what_a_single_byte_cannot_hold(name: str) -> None:
    for errors in ["strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "namereplace"]:
        for text in ["a日b", "日本", "x" * 100 + "\U0001f600" + "y" * 100, "€日é"]:
            assert result(placemat.encode, text, name, errors) == result(text.encode, name, errors)


@pytest.mark.parametrize("name", SEVERAL_BYTES)
def test_several_bytes(name: str) -> None:
    text = SEVERAL_BYTES[name]
    rng = random.Random(name)
    for _ in range(200):
        some = "".join(rng.choice(text) for _ in range(rng.randrange(3000)))
        data = placemat.encode(some, name)
        assert data == some.encode(name)
        assert result(placemat.decode, data, name) == result(data.decode, name)


@pytest.mark.parametrize("name", ["cesu-8", "mutf-8", "wtf-8", "scsu", "bocu-1", "marc-8", "utf-7-imap", "utf-ebcdic"])
def test_encodings_that_python_lacks(name: str) -> None:
    # Python's own search function; placemat.codecs may have registered another.
    assert encodings.search_function(name.replace("-", "_")) is None
    text = "plain, e\u0301, €" if name == "marc-8" else "plain, é, €, 日, 😀"
    data = placemat.encode(text, name)
    assert placemat.decode(data, name) == text
    assert placemat.is_valid(data, name)


def test_known_bytes_of_encodings_that_python_lacks() -> None:
    pair = b"\xed\xa0\xbd\xed\xb8\x80"
    assert placemat.decode(pair, "cesu-8") == "\U0001f600"
    assert placemat.encode("\U0001f600", "cesu-8") == pair
    assert not placemat.is_valid(pair, "utf-8")
    assert not placemat.is_valid("\U0001f600".encode(), "cesu-8")
    assert placemat.encode("\0", "mutf-8") == b"\xc0\x80"
    assert placemat.decode(b"\xed\xa0\xbd", "wtf-8") == "\ud83d"
    assert placemat.encode("\ud83d", "wtf-8") == b"\xed\xa0\xbd"


def test_every_name_that_python_has() -> None:
    unknown = set()
    for name in {*encodings.aliases.aliases, *encodings.aliases.aliases.values()}:
        try:
            if not codecs.lookup(name)._is_text_encoding:  # type: ignore[attr-defined]
                with pytest.raises(LookupError):
                    placemat.lookup(name)
                continue
        except LookupError:
            # Of Windows alone.
            continue
        try:
            placemat.lookup(name)
        except LookupError:
            unknown.add(name)
    assert unknown <= {"unicode_escape", "raw_unicode_escape", "punycode", "idna", "undefined", "charmap"}
    assert placemat.lookup("u16").name == "utf-16" and placemat.lookup("Latin").name == "iso-8859-1"
