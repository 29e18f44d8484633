"""Handlers that are registered with `codecs`, compared with CPython's calls of them."""

from __future__ import annotations

import codecs
import copy
import random

import pytest
from common import LONG, damaged, result, with_handler, with_surrogates

import placemat


def hexadecimal(e: UnicodeError) -> tuple[str, int]:
    if isinstance(e, UnicodeDecodeError):
        return f"<{e.object[e.start : e.end].hex()}>", e.end
    assert isinstance(e, UnicodeEncodeError)
    return "".join(f"<{ord(c):x}>" for c in e.object[e.start : e.end]), e.end


def wide(e: UnicodeError) -> tuple[str, int]:
    assert isinstance(e, UnicodeDecodeError)
    return "\U0001f4a9" if e.start % 2 else "é", e.end


def as_bytes(e: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(e, UnicodeEncodeError)
    return b"\xff" * (e.end - e.start), e.end


HANDLERS = {name: with_handler(name, handler) for name, handler in [("hex", hexadecimal), ("wide", wide), ("bytes", as_bytes)]}


@pytest.mark.parametrize("name", ["hex", "wide"])
def test_decoding(name: str) -> None:
    for data in damaged(31, 20_000 if LONG else 1000):
        expected = result(data.decode, "utf-8", HANDLERS[name])
        assert result(placemat.decode, data, "utf-8", HANDLERS[name]) == expected
        assert result(placemat.decode, bytearray(data), "utf-8", HANDLERS[name]) == expected


@pytest.mark.parametrize("text", ["plain words", "déjà vu, mot à mot", "короткие слова", "短い文", "😀 one 短い é", "é" * 40 + "x"])
def test_an_error_at_each_distance_from_another(text: str) -> None:
    words = (text * 60).encode()
    for start in [b"", b"a", "ш".encode(), "😀".encode()]:
        for length in [*range(0, 300 if LONG else 40), *range(110, 150), *range(250, 270), *range(370, 400), 500, 640]:
            for error in [b"\xff", b"\xe2\x82", b"\xf0\x9f"]:
                data = start + b"\xff" + words[:length] + error + b"end"
                expected = result(data.decode, "utf-8", HANDLERS["hex"])
                assert result(placemat.decode, data, "utf-8", HANDLERS["hex"]) == expected
                assert result(placemat.decode, data[:-3], "utf-8", HANDLERS["hex"]) == result(data[:-3].decode, "utf-8", HANDLERS["hex"])


def test_each_error_has_its_own_reason() -> None:
    seen: list[tuple[int, str, str]] = []

    def handler(e: placemat.DecodeError) -> tuple[str, int]:
        seen.append((e.start, e.reason, e.code))
        return "", e.end

    name = with_handler("reasons", handler)
    for data in damaged(37, 5000 if LONG else 300):
        seen.clear()
        placemat.decode(data, "utf-8", name)
        for start, reason, code in seen:
            with pytest.raises(placemat.DecodeError) as found:
                placemat.decode(data[start:])
            assert (0, reason, code) == (found.value.start, found.value.reason, found.value.code)


@pytest.mark.parametrize("encoding", ["ascii", "iso8859-3", "iso8859-6", "iso8859-7", "iso8859-8", "cp856", "cp424", "cp1006"])
def test_decoding_by_a_table(encoding: str) -> None:
    rng = random.Random(encoding)
    undefined = [b for b in range(256) if not bytes([b]).decode(encoding, "ignore")]
    undefined = [b for b in undefined if not placemat.decode(bytes([b]), encoding, "ignore")]
    same = [b for b in range(256) if placemat.decode(bytes([b]), encoding, "ignore") == bytes([b]).decode(encoding, "ignore")]
    for rate in [0.0, 0.001, 0.1, 0.9]:
        for length in [0, 1, 255, 256, 257, 5000, 100_000]:
            data = bytes(rng.choice(undefined if undefined and rng.random() < rate else same) for _ in range(length))
            expected = result(data.decode, encoding, HANDLERS["wide"])
            assert result(placemat.decode, data, encoding, HANDLERS["wide"]) == expected
            expected = result(data.decode, encoding, HANDLERS["hex"])
            assert result(placemat.decode, data, encoding, HANDLERS["hex"]) == expected


def test_the_offset_moves_with_the_exception() -> None:
    seen: list[tuple[object, ...]] = []

    def note(e: UnicodeError) -> tuple[str, int]:
        assert isinstance(e, (placemat.DecodeError, placemat.EncodeError))
        copied = copy.copy(e)
        seen.append((e.offset, e.start, copied.offset == copied.start, e.code))
        return "", e.end

    name = with_handler("offset", note)
    placemat.decode(b"a\xffb\xc0\xaf", "utf-8", name)
    placemat.decode(b"a\xffb\xff", "ascii", name)
    placemat.encode("aяbя", "ascii", name)
    placemat.encode("aกbก", "gbk", name)
    assert [one[0] for one in seen] == [one[1] for one in seen] == [1, 3, 4, 1, 3, 1, 3, 1, 3]
    assert all(one[2] for one in seen) and len({one[3] for one in seen}) > 2
    # A part of a text has the offset in the whole.
    decoder = placemat.Decoder("utf-8", name)
    decoder.decode(b"abc")
    decoder.decode(b"d\xff")
    assert seen[-1][:2] == (4, 1)


@pytest.mark.parametrize("name", ["hex", "bytes"])
def test_encoding(name: str) -> None:
    for text in with_surrogates(37, 20_000 if LONG else 1000):
        for encoding in ["utf-8", "ascii", "iso-8859-1", "koi8-r"]:
            expected = result(text.encode, encoding, HANDLERS[name])
            assert result(placemat.encode, text, encoding, HANDLERS[name]) == expected


def test_what_it_is_given() -> None:
    seen: list[tuple[object, ...]] = []

    def note(e: UnicodeError) -> tuple[str, int]:
        # One exception serves all errors of a call, as CPython has it.
        seen.append((type(e), e.object is data, e.start, e.end, e.code, e.offset, e.reason))  # type: ignore[attr-defined]
        return "", e.end  # type: ignore[attr-defined]

    name = with_handler("note", note)
    data = b"a\xffb\xc0\xaf"
    assert placemat.decode(data, "utf-8", name) == "ab"
    assert [one[2:6] for one in seen] == [
        (1, 2, "never-byte", 1), (3, 4, "overlong-2", 3), (4, 5, "unexpected-continuation", 4)
    ]  # fmt: skip
    assert {one[:2] for one in seen} == {(placemat.DecodeError, True)}
    # Each reason is that of the error alone.
    for _, _, start, _, code, _, reason in seen:
        with pytest.raises(placemat.DecodeError) as raised:
            placemat.decode(data[start:])  # type: ignore[misc]
        assert (raised.value.code, raised.value.reason) == (code, reason)
    given: list[tuple[object, ...]] = []

    def note_place(e: UnicodeError) -> tuple[str, int]:
        given.append((type(e), e.start, e.end))  # type: ignore[attr-defined]
        return "", e.end  # type: ignore[attr-defined]

    name = with_handler("note-place", note_place)
    assert placemat.encode("a\ud800\udc00b€", "ascii", name) == b"ab"
    assert given == [(placemat.EncodeError, 1, 3), (placemat.EncodeError, 4, 5)]


@pytest.mark.parametrize("position", [0, 1, 2, 3, 4, 5, -1, -2, -3, -5, -6, 6, 1000, 2**100, -(2**100)])
def test_moving_the_position(position: int) -> None:
    def move(e: UnicodeError) -> tuple[str, int]:
        calls.append(1)
        # Back a few times only, or it would never end.
        return "<?>", position if len(calls) < 4 else e.end  # type: ignore[attr-defined]

    name = with_handler("move", move)
    for data in [b"ab\xffcd", b"ab\xff\xfed", b"\xe2\x82xyz"]:
        calls: list[int] = []
        ours = result(placemat.decode, data, "utf-8", name)
        calls = []
        assert ours == result(data.decode, "utf-8", name)
    for text in ["ab€cd", "ab\ud800\udc00d"]:
        calls = []
        ours = result(placemat.encode, text, "ascii", name)
        calls = []
        assert ours == result(text.encode, "ascii", name)


@pytest.mark.parametrize("answer", [None, 1, "text", ("text",), ("text", "1"), (1, 1), ("a", 1, 2), ["a", 1], ("a", 1.5)])
def test_wrong_answers(answer: object) -> None:
    name = with_handler("wrong", lambda e: answer)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError):
        placemat.decode(b"\xff", "utf-8", name)
    with pytest.raises(TypeError):
        placemat.encode("\ud800", "utf-8", name)


def test_a_decoding_handler_puts_no_bytes() -> None:
    name = with_handler("bytes-for-text", lambda e: (b"x", e.end))  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        placemat.decode(b"\xff", "utf-8", name)


class Own(Exception):
    pass


def test_exceptions_pass_through() -> None:
    def fail(e: UnicodeError) -> tuple[str, int]:
        raise Own(e)

    name = with_handler("fail", fail)
    with pytest.raises(Own) as info:
        placemat.decode(b"a\xff", "utf-8", name)
    assert isinstance(info.value.args[0], placemat.DecodeError)
    with pytest.raises(Own):
        placemat.encode("\ud800", "utf-8", name)
    with pytest.raises(Own):
        placemat.decode(bytearray(b"a" * 2_000_000 + b"\xff"), "utf-8", name)
    # A handler that raises the error again.
    with pytest.raises(placemat.DecodeError):
        placemat.decode(b"a\xff", "utf-8", with_handler("again", codecs.strict_errors))  # type: ignore[arg-type]


def test_text_that_the_encoding_cannot_represent_either() -> None:
    name = with_handler("worse", lambda e: ("€", e.end))  # type: ignore[attr-defined]
    with pytest.raises(placemat.EncodeError) as info:
        placemat.encode("aя", "iso-8859-1", name)
    assert (info.value.start, info.value.object) == (1, "aя")
    assert placemat.encode("aя", "iso-8859-15", name) == b"a\xa4"


def test_a_handler_may_change_the_object() -> None:
    def change(e: UnicodeError) -> tuple[str, int]:
        e.object = b"<another text>"  # type: ignore[attr-defined]
        return "!", 1

    name = with_handler("change", change)
    assert placemat.decode(b"abc\xffdef", "utf-8", name) == b"abc\xffdef".decode("utf-8", name) == "abc!another text>"


def test_in_a_state() -> None:
    name = HANDLERS["hex"]
    data = "日本".encode("iso-2022-jp")[:-3]
    assert placemat.decode(data[:5] + b"\xff" + data[5:], "iso-2022-jp", name) == "日<ff>本"
    assert placemat.encode("日ü本", "iso-2022-jp", name) == "日<fc>本".encode("iso-2022-jp")


def test_encode_only_names_do_not_decode() -> None:
    for name in ["xmlcharrefreplace", "namereplace"]:
        with pytest.raises(TypeError):
            placemat.decode(b"\xff", "utf-8", name)


def test_many_errors_in_a_long_buffer() -> None:
    data = b"some text \xff and more " * 100_000
    expected = data.decode("utf-8", HANDLERS["hex"])
    assert placemat.decode(data, "utf-8", HANDLERS["hex"]) == expected
    assert placemat.decode(bytearray(data), "utf-8", HANDLERS["hex"]) == expected


@pytest.mark.parametrize(("encoding", "unit"), [("utf-16", 2), ("utf-16be", 2), ("utf-32le", 4), ("ucs-2be", 2), ("utf-8", 1)])
def test_handlers_put_whole_units(encoding: str, unit: int) -> None:
    text = "[\U0001f600]" if encoding.startswith("ucs") else "[\ud800]"
    for length in range(1, 9):
        name = with_handler("units", lambda e: (b"x" * length, e.end))  # noqa: B023
        if length % unit == 0:
            assert placemat.encode(text, encoding, name).count(b"x" * length) == 1
        else:
            with pytest.raises(placemat.EncodeError) as info:
                placemat.encode(text, encoding, name)
            assert (info.value.start, info.value.end) == (1, 2)


CUT = b'a\x1b$B$"$$'


@pytest.mark.parametrize("step", [1, 2, 3, 100])
def test_a_text_that_ends_in_a_shifted_state(step: int) -> None:
    """The error is at the shift that nothing closes, which was read long before."""
    with pytest.raises(placemat.DecodeError) as caught:
        placemat.decode(CUT, "iso-2022-jp")
    e = caught.value
    assert (e.start, e.end, e.offset, e.code, e.object) == (1, 4, 1, "unclosed-shift", CUT)
    assert e.reason == "unclosed shift 0x1b 0x24 0x42"
    for policy in ["replace", "ignore", "backslashreplace", "unclosed-shift=ignore"]:
        assert placemat.decode(CUT, "iso-2022-jp", policy) == "aあい"
    assert b"".join([CUT]).decode("placemat.iso-2022-jp", "replace") == "aあい"
    pieces = [CUT[at : at + step] for at in range(0, len(CUT), step)]
    decoder = placemat.Decoder("iso-2022-jp")
    assert "".join(map(decoder.decode, pieces)) == "aあい"
    with pytest.raises(placemat.DecodeError) as caught:
        decoder.decode(b"", True)
    assert (caught.value.offset, caught.value.code) == (1, "unclosed-shift")
    decoder = placemat.Decoder("iso-2022-jp", "replace")
    assert "".join(map(decoder.decode, pieces)) + decoder.decode(b"", True) == "aあい"
    # The state that a file keeps has no offsets.
    decoder = placemat.Decoder("iso-2022-jp")
    decoder.decode(CUT)
    other = placemat.Decoder("iso-2022-jp")
    other.setstate(decoder.getstate())
    with pytest.raises(placemat.DecodeError):
        other.decode(b"", True)
    assert not placemat.is_valid(CUT, "iso-2022-jp") and placemat.is_valid(CUT + b"\x1b(B", "iso-2022-jp")


def test_a_handler_hears_of_a_shifted_end() -> None:
    seen: list[tuple[int, int, str]] = []

    def handler(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, placemat.DecodeError)
        seen.append((error.start, error.end, error.code))
        return "?", error.end

    codecs.register_error("test.shifted", handler)
    assert placemat.decode(CUT, "iso-2022-jp", "test.shifted") == "aあい"
    assert seen == [(1, 4, "unclosed-shift")]


def test_check_says_where_the_shift_is() -> None:
    (found,) = placemat.check(b"a\nb" + CUT[1:], "iso-2022-jp")
    assert (found.offset, found.bytes, found.code, found.line, found.column) == (3, b"\x1b$B", "unclosed-shift", 2, 2)
    (found,) = placemat.check(b"a\n" * 10 + CUT + b"$$" * 3_000_000, "iso-2022-jp")
    assert (found.offset, found.line, found.column) == (21, 11, 2)
