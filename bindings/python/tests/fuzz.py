"""Random calls, compared with CPython's or undone, for as long as asked: python tests/fuzz.py SECONDS [SEED]

Each case has a seed of its own, which is printed when it fails; `python tests/fuzz.py 0 SEED` runs that case alone.
"""

from __future__ import annotations

import array
import random
import sys
import time
from typing import Any

import placemat
from common import PIECES, TEXTS, result, with_handler

SINGLE_BYTE = ["us-ascii", "iso-8859-1", "iso-8859-7", "iso-8859-15", "koi8-r", "ibm437", "ibm866", "ibm037"]
#: Encodings whose errors have the same places in CPython. (To EBCDIC, surrogates are not written as bytes: those could be ASCII.)
ENCODINGS = ["utf-8", *SINGLE_BYTE]
#: In these, CPython reports other places, and other errors.
OTHERS = ["utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le", "utf-32be", "utf-8-sig"]

ON_DECODE = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass"]
ON_ENCODE = [*ON_DECODE, "xmlcharrefreplace", "namereplace"]


class Random:
    """A handler that answers by a seed: any text or bytes, and any position, for a number of errors, and then an exception."""

    def __init__(self, name: str) -> None:
        self.name = with_handler(name, self)
        self.start(0)

    def start(self, seed: float) -> None:
        self.rng, self.left = random.Random(seed), 20

    def __call__(self, e: UnicodeError) -> "tuple[str | bytes, int]":
        assert isinstance(e, (UnicodeDecodeError, UnicodeEncodeError))
        self.left -= 1
        position = self.rng.choice([e.end, e.end, e.end, e.start, e.start + 1, e.end + 1, 0, -1, len(e.object)])
        if self.left < 0 and position < e.end:
            raise e
        if isinstance(e, UnicodeDecodeError):
            return self.rng.choice(["", "?", "é", "п", "日本", "😀", "\udc80", "x" * 300]), position
        # CPython takes no text beyond ASCII in UTF-8.
        return self.rng.choice(["", "?", "long text " * 9, b"", b"\xff\x00", b"bytes"]), position


HANDLER = Random("random")


def some_bytes(rng: random.Random) -> bytes:
    """Text with ill-formed sequences, few or many, short or long."""
    kind = rng.random()
    if kind < 0.2:
        return rng.randbytes(rng.choice([1, 3, 8, 40, 300]))
    source, rate = rng.choice(TEXTS).encode(), rng.choice([0.0, 0.01, 0.1, 0.5])
    text = bytearray()
    length = rng.choice([3, 20, 70, 200, 5000] if kind < 0.98 else [70_000, 2_000_000])
    while len(text) < length:
        text += rng.choice(PIECES) if rng.random() < rate else source * rng.choice([1, 1, 20])
    start = rng.randrange(4)
    return bytes(text[start : start + length])


def some_text(rng: random.Random) -> str:
    """Text of any width, with surrogates or without."""
    strange = ["\ud800", "\udc80", "\udcff", "\udfff", "\ud83d\ude00", "\udce9\udca9", "\x00", "\uffff", "\U0010ffff"]
    source, rate = rng.choice(TEXTS), rng.choice([0.0, 0.01, 0.1, 0.5])
    text = ""
    length = rng.choice([1, 5, 20, 70, 200, 5000])
    while len(text) < length:
        text += rng.choice(strange) if rng.random() < rate else rng.choice([source, source * 20, rng.choice(source)])
    return text[:length]


def some_errors(rng: random.Random, names: "list[str]", encoding: str) -> str:
    errors = rng.choice(names)
    only = {"surrogatepass": encoding == "utf-8", "surrogateescape": encoding != "ibm037"}
    return errors if only.get(errors, True) else "replace"


def as_buffer(rng: random.Random, data: bytes) -> Any:
    return rng.choice([bytes, bytearray, memoryview, lambda data: memoryview(b"a" + data + b"b")[1:-1], lambda d: array.array("B", d)])(
        data
    )


def call(seed: float, function: Any, *args: Any) -> Any:
    HANDLER.start(seed)
    return result(function, *args)


def decoding(rng: random.Random) -> None:
    data, encoding = some_bytes(rng), rng.choice(ENCODINGS)
    errors, seed = some_errors(rng, [*ON_DECODE, HANDLER.name], encoding), rng.random()
    theirs = call(seed, data.decode, encoding, errors)
    assert call(seed, placemat.decode, data, encoding, errors) == theirs, (data, encoding, errors)
    if len(data) <= 5000:
        assert call(seed, placemat.decode, as_buffer(rng, data), encoding, errors) == theirs, (data, encoding, errors)
    if errors == "strict":
        assert placemat.is_valid(as_buffer(rng, data), encoding) == (theirs[0] != "decode"), (data, encoding)


def encoding(rng: random.Random) -> None:
    text, name = some_text(rng), rng.choice(ENCODINGS)
    errors, seed = some_errors(rng, [*ON_ENCODE, HANDLER.name], name), rng.random()
    theirs, ours = call(seed, text.encode, name, errors), call(seed, placemat.encode, text, name, errors)
    if theirs[0] == "encode" and errors == "surrogateescape":
        # CPython's run begins with surrogates that this would have written as bytes.
        assert ours[0] == "encode" and theirs[2] <= ours[2] < ours[3] <= theirs[3], (text, name)
        assert all("\udc80" <= c <= "\udcff" for c in text[theirs[2] : ours[2]]), (text, name)
    else:
        assert ours == theirs, (text, name, errors)


def round_trip(rng: random.Random) -> None:
    """Well-formed text in encodings whose errors differ, both ways, at once and in pieces."""
    text, name = some_text(rng).encode("utf-8", "ignore").decode(), rng.choice(OTHERS)
    data = text.encode(name)
    ours = placemat.encode(text, "utf-8-bom" if name == "utf-8-sig" else name)
    if name not in ("utf-16", "utf-32"):
        assert ours == data, (text, name)
    assert placemat.decode(data, "utf-8-bom" if name == "utf-8-sig" else name) == text, (text, name)
    assert ours.decode(name) == text, (text, name)


def cuts(rng: random.Random, length: int) -> "list[int]":
    return sorted(rng.randrange(length + 1) for _ in range(rng.choice([0, 1, 2, 5, 20]))) + [length]


def in_pieces(rng: random.Random) -> None:
    """Decoders, with their states carried to others between the pieces, against the whole at once."""
    data, name = some_bytes(rng), rng.choice(ENCODINGS)
    errors = some_errors(rng, ON_DECODE, name)
    ours, whole, got, start, base = placemat.Decoder(name, errors), result(data.decode, name, errors), "", 0, 0
    for end in cuts(rng, len(data)):
        last = end == len(data)
        if rng.random() < 0.2:
            state, ours = ours.getstate(), placemat.Decoder(name, errors)
            ours.setstate(state)
            # A state does not say where it was.
            base = start - len(state[0])
        try:
            got += ours.decode(as_buffer(rng, data[start:end]), last)
        except placemat.DecodeError as e:
            assert whole[0] == "decode", (data, name, errors)
            assert base + e.offset == whole[2] and e.end - e.start == whole[3] - whole[2], (data, name, errors)
            return
        start = end
        if last:
            break
    assert got == whole[0], (data, name, errors)


def out_in_pieces(rng: random.Random) -> None:
    text, name = some_text(rng), rng.choice(ENCODINGS)
    errors = some_errors(rng, ON_ENCODE, name)
    ours, whole, got, start, base = placemat.Encoder(name, errors), result(text.encode, name, errors), b"", 0, 0
    for end in cuts(rng, len(text)):
        last = end == len(text)
        if rng.random() < 0.2:
            state, ours, base = ours.getstate(), placemat.Encoder(name, errors), start
            ours.setstate(state)
        try:
            got += ours.encode(text[start:end], last)
        except placemat.EncodeError as e:
            # CPython reports a run, of which a piece may have the end alone, after surrogates that it wrote as bytes.
            assert whole[0] == "encode" and whole[2] <= base + e.offset < whole[3], (text, name, errors, base, e.offset, whole)
            assert base + e.offset == whole[2] or errors == "surrogateescape", (text, name, errors)
            return
        start = end
        if last:
            break
    assert got == whole[0], (text, name, errors)


def between_encodings(rng: random.Random) -> None:
    data, source, target = some_bytes(rng), rng.choice(ENCODINGS), rng.choice(ENCODINGS)
    errors = rng.choice(["strict", "replace", "ignore"])
    try:
        expected: Any = data.decode(source, errors)
    except UnicodeDecodeError as e:
        expected = e.start
    try:
        assert placemat.transcode(data, source, target, errors, "xmlcharrefreplace") == expected.encode(target, "xmlcharrefreplace")
    except placemat.DecodeError as e:
        assert e.start == expected, (data, source, target, errors)


def repairs(rng: random.Random) -> None:
    """A repair is undone, and all bytes are in a region."""
    data = some_bytes(rng)
    text = data.decode(errors="surrogateescape") + rng.choice(["", "Ã©", "\ud800", "\ud83d\udc80", "\udcc3\udca9"])
    for source in (data, text):
        repaired = placemat.repair(source)
        repaired.text.encode()
        assert repaired.undo() == source, source
    assert sum(region.length for region in placemat.regions(data)) == len(data), data
    assert placemat.detect(data).len == len(data)


def edits(rng: random.Random) -> None:
    """An edit that is made changes the text so, and no byte outside of it; one that is refused changes nothing."""
    data, name, new = some_bytes(rng), rng.choice([*ENCODINGS, *OTHERS, "shift_jis", "gb18030"]), rng.choice(["x", "é", "", "日"])
    document = placemat.Document(data, name)
    text = document.text
    start = rng.randrange(len(text) + 1)
    end = rng.randrange(start, len(text) + 1)
    assert document.to_bytes() == data, (data, name)
    try:
        changed = document.replace(start, end, new)
    except (placemat.EncodeError, placemat.EditError):
        assert document.to_bytes() == data, (data, name)
        return
    after = document.to_bytes()
    assert after[: changed.start] == data[: changed.start], (data, name, start, end, new)
    assert after[changed.start + changed.length :] == data[changed.end :], (data, name, start, end, new)
    assert (document.text, document.text_len) == (text[:start] + new + text[end:], len(text) - end + start + len(new)), (data, name)


def detections(rng: random.Random) -> None:
    """Pieces of a detection do not matter, and regions follow one another."""
    data, detector, start = some_bytes(rng), placemat.Detector(), 0
    for end in cuts(rng, len(data)):
        detector.feed(as_buffer(rng, data[start:end]))
        start = end
    found, whole = detector.finish(), placemat.detect(data)
    assert repr(found) == repr(whole), data
    at = 0
    for region in placemat.regions(data):
        assert region.offset == at, data
        at += region.length


def limits(rng: random.Random) -> None:
    """Truncation, against plain slices."""
    text = some_text(rng).encode("utf-8", "ignore").decode()
    limit = rng.choice([0, 1, 3, rng.randrange(len(text) + 2), 2**31, 2**63 - 1])
    assert placemat.truncate(text, chars=limit) == text[:limit], (text, limit)
    whole = text.encode()
    assert placemat.truncate(text, bytes=limit) == whole[:limit].decode(errors="ignore"), (text, limit)
    cut = whole[:limit].decode(errors="ignore").encode()
    assert placemat.truncate(as_buffer(rng, whole), bytes=limit) == cut, (text, limit)


class Own(Exception):
    """The exception of the caller's own code."""


class Odd:
    """An object that is none of the expected types, and whose conversions fail."""

    def fail(self, *_: Any) -> Any:
        raise Own

    __str__ = __index__ = __float__ = __len__ = __iter__ = __getitem__ = __bool__ = fail


def stranger(rng: random.Random) -> Any:
    released = memoryview(b"gone")
    released.release()
    numbers = [0, -1, 1.5, float("nan"), float("inf"), 2**31, 2**63, 2**64, -(2**70), True]
    words = ["", "x", "utf-8", "shift_jis", "auto", "\ud800", "\0", "a" * 5000, "strict", "replace", "ignore"]
    whole = memoryview(b"abcdef")
    buffers = [b"", b"caf\xe9 \xff", bytearray(b"abc"), whole[::2], whole[::-1], whole.cast("H"), released]
    others = [None, Odd(), Odd, object(), len, lambda *_: "é", placemat.lookup("koi8-r"), Ellipsis]
    containers = [[], (), {}, set(), [1, 2], ["mojibake"], array.array("d", [1.0])]
    kinds: "list[list[Any]]" = [numbers, words, buffers, others, containers]
    return rng.choice(rng.choice(kinds))


def strangers(rng: random.Random) -> None:
    """Arguments of every type: a call succeeds, or raises an exception that a caller may expect."""

    def any_of() -> Any:
        return rng.choice(["text", "utf-8", b"a\xff"]) if rng.random() < 0.3 else stranger(rng)

    document = placemat.Document(b"a\xff\xc3\xa9\n", "utf-8")
    decoder, encoder, detector = placemat.Decoder("utf-8"), placemat.Encoder("utf-8"), placemat.Detector()
    functions: "list[Any]" = [
        *[placemat.decode, placemat.encode, placemat.transcode, placemat.is_valid, placemat.check, placemat.count],
        *[placemat.detect, placemat.regions, placemat.repair, placemat.undo, placemat.lookup, placemat.truncate],
        *[placemat.normalize, placemat.encodings, placemat.wrap, placemat.Decoder, placemat.Encoder],
        *[placemat.Document, document.replace, detector.feed, detector.finish],
        *[decoder.decode, decoder.setstate, encoder.encode, encoder.setstate],
    ]
    function = rng.choice(functions)
    names = ["errors", "encoding", "bytes", "chars", "graphemes", "steps", "fallback", "min_confidence"]
    names += ["final", "lost", "unmappable"]
    named = {rng.choice(names): any_of() for _ in range(rng.choice([0, 0, 1, 2]))}
    arguments = [any_of() for _ in range(rng.randrange(5))]
    try:
        found = function(*arguments, **named)
        for _ in zip(range(50), found if function is placemat.check else ()):
            pass
    except (TypeError, ValueError, LookupError, OverflowError, BufferError, AttributeError, Own):
        # UnicodeError is a ValueError; a panic of the compiled part would be none of these.
        pass
    assert placemat.decode(b"\xc3\xa9", "utf-8") == "é"


KINDS = [decoding, decoding, encoding, encoding, round_trip, in_pieces, out_in_pieces, between_encodings, repairs, edits]
KINDS += [detections, limits, strangers, strangers]


def one(seed: int) -> None:
    rng = random.Random(seed)
    kind = rng.choice(KINDS)
    try:
        kind(rng)
    except BaseException:
        print(f"the case fails: {kind.__name__}, seed {seed}", file=sys.stderr)
        raise


def main() -> None:
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**48)
    end, cases = time.monotonic() + seconds, 0
    one(seed)
    while time.monotonic() < end:
        seed, cases = seed + 1, cases + 1
        one(seed)
    print(f"{cases + 1} cases, the last of seed {seed}: none differs")


if __name__ == "__main__":
    main()
