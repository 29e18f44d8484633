"""transcode is encode after decode."""

from __future__ import annotations

import random

import pytest
from common import TEXTS, damaged, result, with_handler

import placemat

ENCODINGS = ["utf-8", "utf-16", "utf-16be", "utf-32le", "windows-1251", "shift_jis", "gb18030", "iso-2022-jp", "cesu-8", "wtf-8",
             "utf-7", "scsu", "iso-8859-1", "ibm037", "utf-8-bom", "us-ascii"]  # fmt: skip
ERRORS = ["strict", "replace", "ignore", "question", "backslashreplace", "surrogateescape", "surrogatepass", "cp1252", "optu"]
UNMAPPABLE = ["strict", "replace", "ignore", "substitute", "xmlcharrefreplace", "backslashreplace", "namereplace", "translit",
              "surrogateescape", "surrogatepass", "optu"]  # fmt: skip


def two_steps(data: bytes, source: str, target: str, errors: str, unmappable: str) -> bytes:
    return placemat.encode(placemat.decode(data, source, errors), target, unmappable)


@pytest.mark.parametrize("source", ENCODINGS)
def test_all_pairs_and_policies(source: str) -> None:
    rng = random.Random(source)
    texts = [placemat.encode(text, source, "ignore") for text in TEXTS] + list(damaged(4, 12, 60))
    for target in ENCODINGS:
        for data in texts:
            args = (data, source, target, rng.choice(ERRORS), rng.choice(UNMAPPABLE))
            assert result(placemat.transcode, *args) == result(two_steps, *args), args


def test_long_texts() -> None:
    text = "".join(TEXTS) * 40_000
    data = placemat.encode(text, "utf-8")
    assert len(data) > 8 << 20
    for source in [data, bytearray(data), memoryview(data)]:
        assert placemat.transcode(source, "utf-8", "utf-16le") == text.encode("utf-16le")
    for bad, error in [(data + b"\xff", placemat.DecodeError), (data + "€".encode(), placemat.EncodeError)]:
        with pytest.raises(error) as info:
            placemat.transcode(bad, "utf-8", "utf-16le" if error is placemat.DecodeError else "ucs-2be")
        assert info.value.offset is not None


def test_handlers_and_defaults() -> None:
    name = with_handler("transcode", lambda e: ("<?>", e.end))  # type: ignore[attr-defined]
    assert placemat.transcode(b"a\xff", "utf-8", "utf-16be", name) == "a<?>".encode("utf-16be")
    assert placemat.transcode("€".encode(), "utf-8", "ascii", unmappable=name) == b"<?>"
    assert placemat.transcode(b"caf\xe9", "latin1") == "café".encode()
    with pytest.raises(placemat.EncodeError) as info:
        placemat.transcode("5 €".encode(), "utf-8", "latin1")
    assert (info.value.object, info.value.start) == ("5 €", 2)
    with pytest.raises(LookupError):
        placemat.transcode(b"", "utf-8", "utf9")
