"""Encodings that CPython has too, compared with it; and others."""

from __future__ import annotations

import codecs
import encodings.aliases
import pkgutil
import random

import pytest
from common import result, size

import placemat
import placemat.codecs

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
            assert codecs.lookup("placemat." + name).name == "placemat." + placemat.lookup(name).name
        except LookupError:
            unknown.add(name)
    assert unknown <= {"unicode_escape", "raw_unicode_escape", "punycode", "idna", "undefined", "charmap"}
    assert placemat.lookup("u16").name == "utf-16" and placemat.lookup("Latin").name == "iso-8859-1"


@pytest.mark.parametrize("name", ["shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5"])
def test_pairs_of_bytes(name: str) -> None:
    # A long text goes by a table of pairs, if it has them all; one of some bytes never does.
    good = []
    for first in range(256):
        for second in range(256):
            pair = bytes([first, second])
            short = result(placemat.decode, pair, name)
            long = result(placemat.decode, pair * 1500, name)
            if isinstance(short[0], str) and short[0] != "decode":
                # A second byte that leads begins another sequence in a repetition.
                if len(short[0]) == 1 or second < 0x80:
                    assert long == (short[0] * 1500, size(short[0] * 1500)), pair
                    good.append((pair, short[0]))
            elif second < 0x30:
                assert long[0] == "decode" and long[2:] == short[2:], pair
    rng = random.Random(name)
    for errors in ["strict", "replace", "ignore", "backslashreplace"]:
        for end in [b"", b"a", b"\xff", b"\xe0", "日😀é".encode("gb18030") if name == "gb18030" else b"\x8f\xb0\xa1"]:
            some = [rng.choice(good) for _ in range(3000)]
            data, text = b"".join(pair for pair, _ in some), "".join(text for _, text in some)
            assert placemat.decode(data, name) == text
            try:
                expected = text + placemat.decode(end, name, errors)
            except placemat.DecodeError as e:
                with pytest.raises(placemat.DecodeError) as info:
                    placemat.decode(data + end, name, errors)
                assert (info.value.start, info.value.end) == (len(data) + e.start, len(data) + e.end)
            else:
                assert placemat.decode(data + end, name, errors) == expected


@pytest.mark.parametrize("name", ["windows-1251", "koi8-r", "iso-8859-7", "windows-1258", "ibm037", "us-ascii"])
def test_long_text_to_single_bytes(name: str) -> None:
    good = [c for c in map(chr, range(0x2200)) if len(placemat.encode(c, name, "ignore")) == 1]
    rng = random.Random(name)
    for length in [0, 1, 100, 5000, 100_000]:
        text = "".join(rng.choices(good, k=length))
        data = b"".join(placemat.encode(c, name) for c in text)
        assert placemat.encode(text, name) == data
        for bad, count in [("\ud83d\ude00", 2), ("\U0001f600", 1), ("日", 1)]:
            if length:
                assert placemat.encode(text + bad, name, "replace") == data + placemat.encode("?" * count, name)
                with pytest.raises(placemat.EncodeError) as info:
                    placemat.encode(text + bad, name)
                assert (info.value.start, info.value.end) == (length, length + count)


#: Python's names that mean something else here, mostly as on the web; docs/guides/python.md says so.
OTHERWISE = {
    "big5": "with the characters of Hong Kong", "cp950": "as big5", "big5hkscs": "of 2008", "cp1006": "its Urdu letters",
    "cp1250": "no byte is undefined", "cp1251": "", "cp1252": "", "cp1253": "", "cp1254": "", "cp1255": "", "cp1257": "", "cp1258": "",
    "cp874": "", "cp273": "one sign", "cp424": "two signs", "cp856": "two signs", "cp875": "bytes that Python reads as U+001A",
    "cp932": "shift_jis", "shift_jis": "windows-31j", "euc_jp": "as browsers read it", "euc_kr": "windows-949", "gb2312": "gbk",
    "gbk": "as browsers read it", "gb18030": "of 2022", "hz": "ends in ASCII", "euc_jis_2004": "the dash", "euc_jisx0213": "", "shift_jis_2004": "",
    "shift_jisx0213": "", "iso2022_jp": "no shifts", "iso2022_jp_1": "", "iso2022_jp_2": "", "iso2022_jp_2004": "", "iso2022_jp_3": "",
    "iso2022_jp_ext": "", "iso2022_kr": "the header", "iso8859_9": "windows-1254", "iso8859_11": "windows-874", "tis_620": "windows-874",
    "johab": "some bytes are undefined", "koi8_u": "with the Belarusian letter", "mac_arabic": "the first of two bytes for a sign",
    "mac_farsi": "", "utf_7": "what it must not have is an error",
}  # fmt: skip


def test_names_mean_what_they_mean_in_python_or_are_listed() -> None:
    same, wrong = [], []
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x10000)]))
    for module in pkgutil.iter_modules(encodings.__path__):
        name = module.name
        try:
            if not codecs.lookup(name)._is_text_encoding or not placemat.lookup(name):  # type: ignore[attr-defined]
                continue
        except LookupError:
            continue
        units = [bytes([byte]) for byte in range(256)]
        if placemat.lookup(name).max_bytes > 1:
            units += [bytes([first, second]) for first in range(256) for second in range(256)]
        equal = every.encode(name, "xmlcharrefreplace") == placemat.encode(every, name, "xmlcharrefreplace") and all(
            result(data.decode, name)[0] == result(placemat.decode, data, name)[0] for data in units
        )
        if equal == (name in OTHERWISE):
            wrong.append(name)
        same.append(name)
    assert not wrong and len(same) > 90
