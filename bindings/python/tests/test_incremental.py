"""Decoders and encoders by pieces, against CPython's and against whole texts."""

from __future__ import annotations

import codecs
import random
import re

import pytest
from common import TEXTS, damaged, with_handler, with_surrogates

import placemat

#: Encodings with states, of several bytes, with signatures, with marks after letters.
SOME = [
    "utf-8", "utf-8-bom", "utf-16", "utf-16be", "utf-32", "utf-7", "utf-7-imap", "scsu", "bocu-1", "iso-2022-jp", "iso-2022-kr",
    "iso-2022-cn", "hz", "gb18030", "shift_jis", "big5", "euc-jp", "cesu-8", "wtf-8", "windows-1258", "marc-8", "ibm037",
]  # fmt: skip


def pieces(rng: random.Random, text: "bytes | str"):
    at = 0
    while at < len(text):
        end = at + rng.choice([1, 1, 2, 3, 7, 50])
        yield text[at:end], end >= len(text)
        at = end


def test_utf8_as_cpython_does() -> None:
    rng = random.Random(1)
    for text in damaged(2, 400):
        if re.search(rb"\xed[\xa0-\xbf]", text):
            # CPython waits for the third byte of a surrogate, which nothing can make well-formed.
            continue
        for errors in ["strict", "replace", "ignore", "backslashreplace", "surrogateescape"]:
            ours, theirs = placemat.Decoder("utf-8", errors), codecs.getincrementaldecoder("utf-8")(errors)
            for piece, last in pieces(rng, text):
                try:
                    expected = theirs.decode(piece, last)
                except UnicodeDecodeError as e:
                    before = ours.getstate()
                    with pytest.raises(placemat.DecodeError) as info:
                        ours.decode(piece, last)
                    assert (info.value.start, info.value.end, info.value.object) == (e.start, e.end, e.object)
                    assert ours.getstate() == before
                    break
                assert ours.decode(piece, last) == expected, (text, errors)
                assert ours.getstate()[0] == theirs.getstate()[0]


@pytest.mark.parametrize("encoding", SOME)
def test_pieces_are_the_whole(encoding: str) -> None:
    rng = random.Random(encoding)
    for text in ["".join(TEXTS), *with_surrogates(3, 30), "ABC\u0300 Việt a\u0323\u0302 日本語 한국어 中文\n"]:
        for errors in ["ignore", "xmlcharrefreplace", "surrogatepass"]:
            try:
                whole = placemat.encode(text, encoding, errors)
            except placemat.EncodeError:
                continue
            encoder = placemat.Encoder(encoding, errors)
            out = b""
            for piece, last in pieces(rng, text):
                out += encoder.encode(piece, last)
            if not text:
                out += encoder.encode("", True)
            assert out == whole, (text, errors)
            decoder = placemat.Decoder(encoding, "surrogatepass")
            got = "".join(decoder.decode(piece, last) for piece, last in pieces(rng, whole))
            assert got == placemat.decode(whole, encoding, "surrogatepass")
            # The next text begins from scratch.
            assert decoder.decode(whole, True) == got and decoder.getstate() == (b"", 0)


@pytest.mark.parametrize("encoding", SOME)
def test_damaged_pieces_are_the_whole(encoding: str) -> None:
    rng = random.Random(encoding)
    for n in range(60):
        text = bytes(rng.choice([0x1B, 0x24, 0x42, 0x28, 0x2B, 0x7E, 0x7B, 0x0E, 0x0F, 0x10, rng.randrange(256)]) for _ in range(n))
        for errors in ["replace", "ignore"]:
            decoder = placemat.Decoder(encoding, errors)
            got = "".join(decoder.decode(piece, False) for piece, _ in pieces(rng, text)) + decoder.decode(b"", True)
            assert got == placemat.decode(text, encoding, errors), (text, errors)


@pytest.mark.parametrize("encoding", SOME)
def test_states_go_to_other_coders(encoding: str) -> None:
    text = "Été, АБВ аб, 日本語 and a\u0323\u0302 한국어.\nNext line: 中文 😀\n"
    whole = placemat.encode(text, encoding, "ignore")
    decoder, got = placemat.Decoder(encoding), ""
    for byte in whole:
        got += decoder.decode(bytes([byte]))
        state = decoder.getstate()
        decoder = placemat.Decoder(encoding)
        decoder.setstate(state)
        assert decoder.getstate() == state
    assert got + decoder.decode(b"", True) == placemat.decode(whole, encoding)
    if encoding != "windows-1258" and encoding != "marc-8":
        # These two keep letters back, for which the state of an encoder has no room, as with CPython's.
        encoder, out = placemat.Encoder(encoding, "ignore"), b""
        for c in text:
            out += encoder.encode(c)
            state = encoder.getstate()
            encoder = placemat.Encoder(encoding, "ignore")
            encoder.setstate(state)
        assert out + encoder.encode("", True) == whole


def test_states_of_others_are_refused() -> None:
    decoder = placemat.Decoder("iso-2022-jp")
    decoder.decode(b"\x1b$B")
    state = decoder.getstate()
    assert state[0] == b"" and state[1] > 0
    other = placemat.Decoder("scsu")
    with pytest.raises(ValueError, match="no state that getstate"):
        other.setstate(state)
    with pytest.raises(ValueError):
        other.setstate((b"", 1 << 30))
    decoder.reset()
    assert decoder.decode(b"$") == "$"


def test_handlers_and_positions() -> None:
    seen = []

    def handler(e: UnicodeError) -> "tuple[str, int]":
        assert isinstance(e, placemat.DecodeError)
        seen.append((e.start, e.offset))
        return "<>", e.end

    decoder = placemat.Decoder("utf-8", with_handler("incremental", handler))
    out = [decoder.decode(piece) for piece in [b"ab\xe2", b"\x82", b"c\xff", b"\xe2"]] + [decoder.decode(b"", True)]
    assert out == ["ab", "", "<>c<>", "", "<>"]
    assert seen == [(0, 2), (3, 5), (0, 6)]
    encoder = placemat.Encoder("ascii")
    assert encoder.encode("abc") == b"abc"
    with pytest.raises(placemat.EncodeError) as info:
        encoder.encode("de€")
    assert (info.value.start, info.value.offset) == (2, 5)
    assert encoder.encode("f", True) == b"f"


def test_arguments() -> None:
    with pytest.raises(LookupError, match="did you mean utf8"):
        placemat.Decoder("utf9")
    with pytest.raises(TypeError):
        placemat.Decoder().decode("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes str, not bytes"):
        placemat.Encoder().encode(b"bytes")  # type: ignore[arg-type]
    with pytest.raises(LookupError):
        placemat.Decoder("utf-8", "no such handler").decode(b"\xff")
    decoder = placemat.Decoder("koi8-r", "replace")
    assert (decoder.encoding, decoder.errors, repr(decoder)) == ("koi8-r", "replace", "<placemat.Decoder koi8-r replace>")
    assert placemat.Decoder().decode(bytearray(b"a\xc3")) + "" == "a"


def test_arguments_are_those_of_codecs() -> None:
    for final in [1, True, "yes"]:
        assert placemat.Decoder("utf-8", "replace").decode(input=b"\xe2", final=final) == "\ufffd"
        assert placemat.Encoder("utf-7-imap").encode(input="é", final=final) == b"&AOk-"
    assert placemat.Decoder().decode(b"\xe2", 0) == ""
    for wrong in [placemat.Decoder().decode, placemat.Encoder().encode]:
        with pytest.raises(TypeError):
            wrong(1)  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", SOME)
def test_encoders_for_files(encoding: str) -> None:
    text = "".join(c for c in "".join(TEXTS) + "ABC é\n" if placemat.encode(c, encoding, "ignore"))
    encoder, out = placemat.Encoder(encoding, for_file=True), b""
    states = []
    size = 1000 if encoding == "utf-7-imap" else 3
    for at in range(0, len(text), size):
        states.append((encoder.getstate(), out))
        out += encoder.encode(text[at : at + size])
        # More text may come, so the last shift is open.
        assert placemat.decode(out, encoding, "unclosed-shift=ignore") == text[: at + size]
    # From each state, in another encoder too.
    for n, (state, before) in enumerate(states):
        other = placemat.Encoder(encoding, for_file=True)
        other.setstate(state)
        assert placemat.decode(before + other.encode(text[size * n :], True), encoding, "unclosed-shift=ignore") == text


def test_a_state_costs_the_same_however_many_there_are() -> None:
    # To search 100,000 states for each of as many would take half a minute.
    rng = random.Random(4)
    decoder = placemat.Decoder("scsu")
    states = []
    for _ in range(100_000):
        # Puts one of eight windows in another place.
        decoder.decode(bytes([0x18 + rng.randrange(8), rng.randrange(1, 0x60)]))
        states.append((decoder.getstate(), decoder.decode(b"\x90"), decoder.getstate()))
    assert len({before for before, *_ in states}) > 99_000
    for before, text, after in rng.sample(states, 2000):
        decoder.setstate(before)
        assert decoder.decode(b"\x90") == text
        assert decoder.getstate() == after
