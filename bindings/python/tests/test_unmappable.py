"""Text that a single-byte encoding cannot represent: by stock policies, and by handlers."""

from __future__ import annotations

import codecs
import random

import pytest
from common import TEXTS, lets_others_run, with_handler, with_surrogates

import placemat

#: Python's codecs that mean the same as placemat's.
SAME = ["ascii", "latin-1", "koi8-r", "cp437", "cp850", "cp1256", "iso8859-2", "iso8859-15", "mac-roman", "cp037", "hp-roman8"]
POLICIES = ["replace", "ignore", "xmlcharrefreplace", "backslashreplace"]
BMP = "".join(chr(c) for c in range(0x10000))


@pytest.mark.parametrize("encoding", SAME)
@pytest.mark.parametrize("errors", [*POLICIES, "namereplace"])
def test_stock_policies_do_what_cpython_does(encoding: str, errors: str) -> None:
    rng = random.Random(f"{encoding} {errors}")
    texts = [BMP, BMP[::-1], "\U0010ffff😀a\U00010000", "", "я", "\x00я\x00", "\xff\x80", *with_surrogates(6, 60)]
    texts += ["".join(rng.choice(TEXTS) for _ in range(rng.randrange(40))) for _ in range(100)]
    # Longer than any step, of each width.
    texts += [("a" * 30_000 + c) * 40 + c * 40_000 for c in "éя😀"]
    for text in texts:
        assert placemat.encode(text, encoding, errors) == text.encode(encoding, errors)


@pytest.mark.parametrize("encoding", ["ascii", "koi8-r", "shift_jis", "gbk", "big5", "euc-kr"])
def test_names_stand_where_strict_refuses(encoding: str) -> None:
    rng = random.Random(encoding)
    text = "".join(chr(rng.randrange(rng.choice([0x100, 0x3000, 0x10000, 0x20000]))) for _ in range(20_000))
    expected = b""
    for c in text:
        try:
            expected += placemat.encode(c, encoding)
        except placemat.EncodeError:
            expected += c.encode("ascii", "namereplace")
    assert placemat.encode(text, encoding, "namereplace") == expected


def test_another_handler_by_the_name_of_a_stock_one() -> None:
    try:
        codecs.register_error("namereplace", lambda e: ("<?>" * (e.end - e.start), e.end))  # type: ignore[attr-defined]
        assert placemat.encode("aяяb", "ascii", "namereplace") == b"a<?><?>b"
    finally:
        codecs.register_error("namereplace", codecs.namereplace_errors)
    assert placemat.encode("aяb", "ascii", "namereplace") == b"a\\N{CYRILLIC SMALL LETTER YA}b"


def test_names_that_the_encoding_lacks() -> None:
    """The error is the whole run, as CPython's is."""
    lacking = [name for name in single_bytes() if not placemat.lookup(name).is_ascii_compatible]
    seen = 0
    for encoding in lacking:
        try:
            placemat.encode("\\N{A}", encoding)
        except placemat.EncodeError:
            seen += 1
            one = next(c for c in map(chr, range(0x20, 0x3000)) if placemat.encode(c, encoding, "ignore"))
            found = []
            for errors in ["strict", "namereplace"]:
                with pytest.raises(placemat.EncodeError) as info:
                    placemat.encode(f"{one}\u0e01\u0e02{one}", encoding, errors)
                found.append((info.value.start, info.value.end, info.value.reason))
            assert found[0] == found[1] and found[0][:2] == (1, 3)
    assert seen > 0


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp", "gbk", "gb18030", "big5", "euc-kr", "iso-8859-1", "koi8-r"])
def test_escaped_bytes_come_back_among_all_text(encoding: str) -> None:
    rng = random.Random(encoding)
    for length in [0, 1, 63, 64, 65, 500, 5000]:
        text, expected = "", b""
        while len(text) < length:
            c = chr(rng.choice([rng.randrange(0x80), rng.randrange(0x3000), rng.randrange(0x3000, 0xA000), rng.randrange(0xDC80, 0xDD00), 0x20000]))
            try:
                one = bytes([ord(c) - 0xDC00]) if 0xDC80 <= ord(c) <= 0xDCFF else placemat.encode(c, encoding)
            except placemat.EncodeError:
                continue
            text, expected = text + c, expected + one
        assert placemat.encode(text, encoding, "surrogateescape") == expected
        for wrong in ["\ud800", "\udc7f", "\udd00"]:
            with pytest.raises(placemat.EncodeError) as info:
                placemat.encode(text + wrong + text, encoding, "surrogateescape")
            assert info.value.start == len(text)


@pytest.mark.parametrize("encoding", SAME)
def test_handlers_are_called_as_cpython_calls_them(encoding: str) -> None:
    rng = random.Random(encoding)
    calls: "list[tuple[object, ...]]" = []

    def handler(error: UnicodeError) -> "tuple[str | bytes, int]":
        assert isinstance(error, UnicodeEncodeError)
        calls.append((error.object, error.start, error.end))
        if isinstance(error, placemat.EncodeError):
            assert (error.offset, error.code) == (error.start, "surrogate" if "\ud800" <= error.object[error.start] <= "\udfff" else "not-held")
            assert f"U+{ord(error.object[error.start]):04X}" in error.reason
        else:
            assert type(error) is UnicodeEncodeError
        # Depends on the place alone, so that both give the same.
        choice = (error.start * 7 + error.end) % 5
        put: "str | bytes" = ["?", b"<>", "", "ab" * (error.end - error.start), b"\xff"][choice]
        return put, error.end if choice else -(len(error.object) - error.end) or error.end

    name = with_handler(f"unmappable-{encoding}", handler)
    for text in [*with_surrogates(7, 100), *("".join(rng.choice(TEXTS) for _ in range(8)) for _ in range(60)), BMP]:
        calls.clear()
        expected = text.encode(encoding, name)
        theirs = [*calls]
        calls.clear()
        assert placemat.encode(text, encoding, name) == expected
        assert calls == theirs


@pytest.mark.parametrize("encoding", [*SAME, "shift_jis", "gbk", "big5", "gb18030", "euc-jp"])
def test_each_error_has_the_reason_that_strict_gives(encoding: str) -> None:
    rng = random.Random(encoding)
    seen: "list[tuple[str, str, str]]" = []

    def note(error: UnicodeError) -> "tuple[str, int]":
        assert isinstance(error, placemat.EncodeError)
        seen.append((error.object[error.start], error.code, error.reason))
        return "", error.start + 1

    name = with_handler(f"reasons-{encoding}", note)
    placemat.encode("".join(chr(rng.randrange(rng.choice([0x100, 0x3000, 0xE000, 0x110000]))) for _ in range(2000)), encoding, name)
    for c, code, reason in seen:
        with pytest.raises(placemat.EncodeError) as info:
            placemat.encode(c, encoding)
        assert (info.value.code, info.value.reason) == (code, reason)


def test_a_handler_gets_one_exception_that_moves() -> None:
    seen = []
    name = with_handler("moves", lambda e: (seen.append(e), ("", e.end))[1])  # type: ignore[func-returns-value]
    assert placemat.encode("яaя", "ascii", name) == "яaя".encode("ascii", name) == b"a"
    assert seen[0] is seen[1] and seen[2] is seen[3]


def test_what_a_handler_gives_must_fit() -> None:
    for put, wrong in [("я", UnicodeEncodeError), (7, TypeError), ("aя", UnicodeEncodeError)]:
        name = with_handler(f"gives-{put!r}", lambda e, put=put: (put, e.end))  # type: ignore[misc]
        for call in [str.encode, placemat.encode]:
            with pytest.raises(wrong):
                call("aяb", "ascii", name)
    name = with_handler("beyond", lambda e: ("", 9))
    for call in [str.encode, placemat.encode]:
        with pytest.raises(IndexError):
            call("aяb", "ascii", name)


def single_bytes() -> "list[str]":
    return [name for name in placemat.encodings() if placemat.lookup(name).max_bytes == 1]


@pytest.mark.parametrize("encoding", single_bytes())
def test_policies_agree_with_strict(encoding: str) -> None:
    """All of the BMP: what strict refuses is what the policies replace."""
    runs: "list[tuple[int, int]]" = []
    name = with_handler(f"runs-{encoding}", lambda e: (runs.append((e.start, e.end)), ("", e.end))[1])  # type: ignore[func-returns-value]
    placemat.encode(BMP, encoding, name)
    lacks = {c for start, end in runs for c in range(start, end)}
    has = [c for c in BMP if ord(c) not in lacks]
    some = random.Random(encoding).sample(sorted(lacks), min(200, len(lacks)))
    for c in some:
        with pytest.raises(placemat.EncodeError):
            placemat.encode(chr(c), encoding)
    alone = [placemat.encode(c, encoding) for c in has]
    assert placemat.encode(BMP, encoding, "ignore") == b"".join(alone)
    if "?" in has:
        byte = placemat.encode("?", encoding)
        table = dict(zip(has, alone))
        assert placemat.encode(BMP, encoding, "replace") == b"".join(table.get(c, byte) for c in BMP)


def test_other_threads_run() -> None:
    text = "я" * 400_000
    for errors in POLICIES:
        assert lets_others_run(lambda: placemat.encode(text, "ascii", errors))


@pytest.mark.parametrize("errors", ["strict", *POLICIES, "surrogateescape"])
def test_pieces_do_what_cpython_does(errors: str) -> None:
    for encoding in SAME:
        if (encoding, errors) == ("cp037", "surrogateescape"):
            # EBCDIC, where an escaped byte could read as ASCII.
            continue
        theirs, ours = codecs.getincrementalencoder(encoding)(errors), placemat.Encoder(encoding, errors)
        for at, text in enumerate([*TEXTS, "plain", "", "\udc80", "я" * 5000, "a" * 5000]):
            try:
                expected = theirs.encode(text, at % 3 == 0)
            except UnicodeEncodeError as e:
                with pytest.raises(placemat.EncodeError) as info:
                    ours.encode(text, at % 3 == 0)
                assert (info.value.start, info.value.end) == (e.start, e.end)
            else:
                assert ours.encode(text, at % 3 == 0) == expected


def test_an_error_after_pieces_counts_from_the_start() -> None:
    encoder = placemat.Encoder("latin-1")
    assert encoder.encode("café ") == b"caf\xe9 "
    with pytest.raises(placemat.EncodeError) as info:
        encoder.encode("5 €")
    assert (info.value.start, info.value.offset) == (2, 7)
