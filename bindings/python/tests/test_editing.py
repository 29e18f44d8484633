"""Document, normalize and truncate of what is edited."""

from __future__ import annotations

import random
import sys
import unicodedata

import pytest
from common import TEXTS, damaged

import placemat

ENCODINGS = ["utf-8", "utf-16le", "utf-32be", "cp1251", "koi8-r", "latin-1", "shift_jis", "gb18030", "euc_kr"]


def held(text: str, encoding: str) -> str:
    """The part of a text that Python's codec represents."""
    return text.encode(encoding, "ignore").decode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_edit_is_that_of_the_text(encoding: str) -> None:
    rng = random.Random(encoding)
    for _ in range(60):
        text = held("".join(rng.choice(TEXTS) for _ in range(rng.randrange(6))) + "\r\n", encoding)
        document = placemat.Document(text.encode(encoding), encoding)
        assert document.text == text and document.text_len == len(text)
        for _ in range(5):
            start = rng.randrange(len(text) + 1)
            end = rng.randrange(start, len(text) + 1)
            new = held(rng.choice(TEXTS)[: rng.randrange(9)], encoding)
            before = document.to_bytes()
            replaced = document.replace(start, end, new)
            assert document.slice(start, start + len(new)) == new
            text = text[:start] + new + text[end:]
            assert document.to_bytes() == bytes(document) == text.encode(encoding)
            after = document.to_bytes()
            assert before[: replaced.start] == after[: replaced.start]
            assert before[replaced.end :] == after[replaced.start + replaced.length :]
            assert (document.text, document.text_len, len(document)) == (text, len(text), len(after))
            assert document.utf16_len == len(text.encode("utf-16le")) // 2


def test_bytes_without_text_stay() -> None:
    rng = random.Random(4)
    for data in damaged(31, 200, 300):
        document = placemat.Document(data)
        assert document.to_bytes() == data
        text = document.text
        assert (document.stand_ins is None) == placemat.is_valid(data)
        at = rng.randrange(len(text) + 1)
        byte = document.text_to_byte(at)
        assert byte is not None and document.text_of_byte(byte) == at
        document.replace(at, at, "-")
        assert document.to_bytes() == data[:byte] + b"-" + data[byte:]
    stand_ins = placemat.Document(b"\xff").stand_ins
    assert stand_ins == "".join(chr(0x10FE00 + byte) for byte in range(256))


def test_many_changes_are_made_together_or_not_at_all() -> None:
    rng = random.Random(5)
    for encoding in ENCODINGS:
        for _ in range(30):
            text = held("".join(rng.choice(TEXTS) for _ in range(4)), encoding)
            points = sorted(rng.randrange(len(text) + 1) for _ in range(6))
            changes = [(a, b, held(rng.choice(TEXTS)[:5], encoding)) for a, b in zip(points[::2], points[1::2])]
            document = placemat.Document(text.encode(encoding), encoding)
            document.replace_all(changes)
            for start, end, new in reversed(changes):
                text = text[:start] + new + text[end:]
            assert document.text == text and document.to_bytes() == text.encode(encoding)
            assert document.text_len == len(text)
    document = placemat.Document(b"abc", "latin-1")
    for wrong in [[(0, 1, "x"), (2, 3, "€")], [(2, 3, "x"), (0, 1, "y")], [(0, 1, "x"), (2, 9, "y")]]:
        with pytest.raises((placemat.EncodeError, IndexError)):
            document.replace_all(wrong)
        assert document.to_bytes() == b"abc"


def test_offsets_lead_to_all_units() -> None:
    for text in TEXTS:
        text = f"{text}\r\n{text}\r{text}\n"
        for encoding in ["utf-8", "utf-16le", "gb18030"]:
            document = placemat.Document(text.encode(encoding), encoding)
            line, column = 0, 0
            for at, c in enumerate(text):
                byte, utf16 = len(text[:at].encode(encoding)), len(text[:at].encode("utf-16le")) // 2
                assert (document.text_to_byte(at), document.text_of_byte(byte)) == (byte, at)
                assert (document.utf16_of_text(at), document.text_of_utf16(utf16)) == (utf16, at)
                if c != "\n" or text[at - 1] != "\r":
                    assert document.position_of_text(at) == (line, column)
                    assert document.text_of_position(line, column) == at
                column += 1 + (c > "\uffff")
                if c == "\n" or (c == "\r" and text[at + 1] != "\n"):
                    line, column = line + 1, 0
            assert document.line_count == line + 1
            for ask in [document.text_to_byte, document.utf16_of_text, document.position_of_text, document.text_of_utf16]:
                assert ask(9 * len(text)) is None
            assert document.text_of_position(99, 0) is None


def test_errors_say_what_is_wrong() -> None:
    document = placemat.Document(b"5 \xa3", "iso-8859-1")
    with pytest.raises(placemat.EncodeError) as info:
        document.replace(2, 3, "£, 6 €")
    assert (info.value.start, info.value.end, info.value.object) == (5, 6, "£, 6 €")
    with pytest.raises(IndexError, match="3:9 is no range of a text of 3 characters"):
        document.replace(3, 9, "")
    with pytest.raises(IndexError, match="2:1 "):
        document.slice(2, 1)
    with pytest.raises(UnicodeEncodeError):
        document.replace(0, 0, "\ud800")
    cut = placemat.Document(b"\x83 \x93\xfa", "shift_jis")
    with pytest.raises(placemat.EditError, match="replace these bytes too"):
        cut.replace(1, 2, "A")
    assert document.to_bytes() == b"5 \xa3" and cut.to_bytes() == b"\x83 \x93\xfa"
    with pytest.raises(LookupError):
        placemat.Document(b"", "utf9")
    assert bool(placemat.Document(b"")) and len(placemat.Document(b"")) == 0


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normal_forms_are_those_of_python(form: str) -> None:
    """Python's data may be older, so only the characters that it has are compared."""
    assigned = [chr(c) for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
    rng = random.Random(form)
    for start in range(0, len(assigned), 500):
        some = assigned[start : start + 500]
        text = " ".join(some)
        assert placemat.normalize(text, form) == unicodedata.normalize(form, text)
        rng.shuffle(some)
        text = "".join(some)
        assert placemat.normalize(text, form.lower()) == unicodedata.normalize(form, text)
        assert placemat.normalize(text.encode(), form) == unicodedata.normalize(form, text).encode()
    marks = [c for c in assigned if unicodedata.combining(c)]
    for _ in range(300):
        text = "".join(rng.choice([*"aeo가각", "\ud800", "\udc80", rng.choice(marks)]) for _ in range(12))
        assert placemat.normalize(text, form) == unicodedata.normalize(form, text)


def test_normal_forms_are_of_the_stated_version() -> None:
    assert placemat.UNICODE_VERSION == "18.0.0"
    # U+1ADE, of Unicode 18, is a mark above, and goes after a mark below.
    assert placemat.normalize("a\u1ade\u0316", "nfd") == "a\u0316\u1ade"


def test_other_normal_forms() -> None:
    # Apple's form leaves this symbol, and RFC 5198 has CR LF.
    assert placemat.normalize("é\u2126", "mac") == "e\u0301\u2126"
    assert placemat.normalize("e\u0301\n", "net") == "é\r\n"
    with pytest.raises(ValueError, match="unknown normal form: nfx; there are nfc, "):
        placemat.normalize("é", "nfx")
    with pytest.raises(placemat.DecodeError):
        placemat.normalize(b"\xff", "nfc")


def test_version() -> None:
    assert placemat.__version__.count(".") == 2
