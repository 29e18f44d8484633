"""check, count and lookup."""

from __future__ import annotations

import mmap
import random
from pathlib import Path

import pytest
from common import damaged

import placemat


def errors_of(data: bytes) -> "list[tuple[int, int]]":
    """The ill-formed sequences, by CPython's decoder."""
    found = []
    at = 0
    while True:
        try:
            data[at:].decode()
        except UnicodeDecodeError as e:
            found.append((at + e.start, at + e.end))
            at += e.end
        else:
            return found


def test_check_finds_what_cpython_does() -> None:
    for data in damaged(5, 800, 2000):
        found = placemat.check(data)
        assert [(f.offset, f.offset + f.length) for f in found] == errors_of(data)
        for f in found:
            assert f.bytes == data[f.offset : f.offset + f.length]
            before = data[: f.offset].decode(errors="replace")
            assert (f.line, f.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))
            assert f.message and f.code
        assert (found == []) == placemat.is_valid(data)


@pytest.mark.parametrize("encoding", ["utf-16le", "utf-32be", "gb18030", "shift_jis", "windows-1252", "us-ascii", "cesu-8", "hz"])
def test_check_finds_what_decode_does(encoding: str) -> None:
    rng = random.Random(encoding)
    for n in range(300):
        data = bytes(rng.choice([0x41, 0x0A, 0x00, 0x81, 0xD8, 0xDC, rng.randrange(256)]) for _ in range(n % 60))
        found = placemat.check(data, encoding)
        assert len(found) == placemat.count(data, encoding).ill_formed
        if found:
            with pytest.raises(placemat.DecodeError) as info:
                placemat.decode(data, encoding)
            assert (info.value.offset, info.value.code) == (found[0].offset, found[0].code)
            before = placemat.decode(data[: found[0].offset], encoding)
            assert found[0].line == before.count("\n") + 1
        else:
            placemat.decode(data, encoding)


def test_check_says_what_to_do() -> None:
    (found,) = placemat.check("naïve".encode("latin-1"))
    assert "'ï'" in found.message and "windows-1252" in found.message
    (found,) = placemat.check(b"\xef\xbb\xbf\xe2\x82\xac"[:-1])
    assert found.code == "incomplete" and "the text was cut" in found.help
    found = placemat.check("hello there".encode("utf-16"))[0]
    # As Python is told an encoding, not as the command is.
    assert "`utf-16" in found.help and "-f" not in found.help
    assert placemat.check(b"caf\xe9 au lait")[0].help.endswith('errors="cp1252" reads them')
    assert placemat.check(b"5 \xa3 and")[0].help.endswith('errors="latin1" reads them')
    rng = random.Random(9)
    helps = set()
    for encoding in placemat.encodings():
        for _ in range(20):
            data = bytes(rng.choice([rng.randrange(256), 0x41, 0xE9, 0x1B, 0x81]) for _ in range(20))
            helps.update(found.help for found in placemat.check(data, encoding))
    # The command, which pip does not install.
    assert len(helps) > 20 and not any("`placemat" in words or "-f " in words for words in helps)
    assert str(placemat.check(b"a\n\xff")[0]).startswith("2:1: byte 0xff: never occurs in UTF-8")


def test_long_input_is_the_same(tmp_path: Path) -> None:
    rng = random.Random(8)
    data = bytearray("Long lines of text, été, and more; ещё текст\n".encode() * 60_000)
    for _ in range(300):
        data[rng.randrange(len(data))] = rng.choice([0xFF, 0x80, 0xC0, 0x0A])
    whole, path = bytes(data), tmp_path / "long"
    path.write_bytes(whole)
    expected = placemat.check(whole)
    assert [(f.offset, f.offset + f.length) for f in expected] == errors_of(whole)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert placemat.check(mapped) == expected
        assert placemat.count(mapped) == placemat.count(whole)
        assert placemat.detect(mapped) == placemat.detect(whole)
        assert placemat.regions(mapped) == placemat.regions(whole)
        assert placemat.repair(mapped) == placemat.repair(whole)
        assert placemat.transcode(mapped, "utf-8", "utf-16le", "replace") == whole.decode(errors="replace").encode("utf-16le")
    assert placemat.check(whole, limit=5) == expected[:5] and placemat.check(whole, limit=0) == []
    assert placemat.check(whole, limit=2**70) == expected
    with pytest.raises(ValueError, match="not -1"):
        placemat.check(whole, limit=-1)


def test_count() -> None:
    for data in damaged(9, 300):
        text = data.decode(errors="replace")
        expected = (len(data), len(text), len(text.encode()), len(text.encode("utf-16le")) // 2, text.count("\n"))
        assert placemat.count(data)[:5] == expected
        assert placemat.count(data).ill_formed == len(errors_of(data))
    assert placemat.count("€😀\n".encode("utf-16"), "utf-16")[:5] == (10, 3, 8, 4, 1)


def test_lookup() -> None:
    found = placemat.lookup("LATIN1")
    assert (found.name, found.max_bytes, found.is_ascii_compatible, found.signature) == ("iso-8859-1", 1, True, b"")
    assert placemat.lookup("utf8").signature == b"\xef\xbb\xbf"
    assert placemat.lookup("placemat.koi8-r").name == "koi8-r"
    assert placemat.lookup("AL32UTF8", "oracle").name == "utf-8" and placemat.lookup("UTF8", "Oracle").name == "cesu-8"
    for args, words in [(("utf9",), "did you mean utf8"), (("x", "MySQL"), "MySQL has no x"), (("x", "IBM"), "unknown vendor")]:
        with pytest.raises(LookupError, match=words):
            placemat.lookup(*args)
    for label, name in [
        ("en_AU.UTF-8", "utf-8"),
        ("de_DE.ISO8859-15@euro", "iso-8859-15"),
        ("placemat.ru_RU.KOI8-R", "koi8-r"),
        ("text/html;charset=UTF-8", "utf-8"),
        ('Content-Type: text/plain; charset="koi8-r"\r\n', "koi8-r"),
    ]:
        assert placemat.lookup(label).name == name
        assert placemat.decode(b"a", label) == "a" and placemat.encode("a", label) == b"a"
    for label, words in [
        ("utf-8-mac", r"HFS\+ .*; use utf-8, and normalize the text to NFD$"),
        ("utf-8b", "use utf-8 with the policy surrogateescape$"),
        ("utf-9", r"RFC 4042.*; use utf-8$"),
        ("placemat.UTF-18", r"RFC 4042"),
    ]:
        for call in [placemat.lookup, lambda name: placemat.decode(b"", name)]:
            with pytest.raises(LookupError, match=words) as info:
                call(label)
            assert "did you mean" not in str(info.value)
    names = placemat.encodings()
    assert len(names) == len(set(names)) >= 316
    for name in names:
        about = placemat.lookup(name)
        assert about.name == name and about.about and all(placemat.lookup(label).name == name for label in about.labels)
