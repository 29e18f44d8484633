"""Facts about UTF-8 of docs/utf-8/ that a program shows better than a command."""

from __future__ import annotations

import pytest
from common import with_handler

import placemat

SCALARS = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))


def test_the_bytes_that_never_occur() -> None:
    """FE and FF, which begin the signatures of UTF-16 and commands of Telnet, and eleven more."""
    data = placemat.encode(SCALARS)
    assert len(SCALARS) == 1_112_064
    assert len(data) == 128 + 2 * 1_920 + 3 * 61_440 + 4 * 1_048_576
    assert sorted(set(range(256)) - set(data)) == [0xC0, 0xC1, *range(0xF5, 0x100)]


def test_a_character_is_known_with_its_last_byte() -> None:
    """No sequence is the start of another one."""
    decoder = placemat.Decoder("utf-8")
    pieces = [decoder.decode(bytes([byte])) for byte in "€é𐍈a".encode()]
    assert pieces == ["", "", "€", "", "é", "", "", "", "𐍈", "a"]


def test_errors_of_each_kind_can_be_treated_apart() -> None:
    """A handler that keeps surrogates, replaces legacy bytes, and refuses overlong forms."""

    def by_kind(e: UnicodeError) -> tuple[str, int]:
        assert isinstance(e, placemat.DecodeError)
        if e.code == "overlong-2":
            raise e
        return f"<{e.code}>", e.end

    name = with_handler("by-kind", by_kind)
    text = placemat.decode(b"a\xed\xa0\x80b\xffc\xe2\x82", errors=name)
    assert text == "a<surrogate><unexpected-continuation><unexpected-continuation>b<never-byte>c<incomplete>"
    with pytest.raises(placemat.DecodeError) as caught:
        placemat.decode(b"..\xc0\xaf", errors=name)
    assert (caught.value.code, caught.value.start) == ("overlong-2", 2)
