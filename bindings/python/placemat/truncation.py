"""The beginning of a text that fits and splits no character."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, overload

from placemat._placemat import reports as _reports

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: The continuation bytes of UTF-8.
_CONTINUATION = bytes(range(0x80, 0xC0))
#: Bytes that are looked at in one go.
_PIECE = 1 << 16
_SURROGATE = re.compile("[\ud800-\udfff]")


@overload
def truncate(
    text: str, *, bytes: int | None = None, chars: int | None = None, graphemes: int | None = None
) -> str: ...
@overload
def truncate(
    text: Buffer, *, bytes: int | None = None, chars: int | None = None, graphemes: int | None = None
) -> bytes: ...
def truncate(
    text: str | Buffer, *, bytes: int | None = None, chars: int | None = None, graphemes: int | None = None
) -> str | bytes:
    """Return the longest start of a text within a limit of bytes in UTF-8, code points, or grapheme clusters (the characters
    that a reader sees), and split none of them.

    A `str` gives a `str`, and bytes in UTF-8 give bytes. A surrogate in a `str` counts as three bytes. In bytes, an ill-formed byte
    is a grapheme cluster.

    >>> import placemat
    >>> placemat.truncate("5 €!", bytes=4), placemat.truncate("5 €!", bytes=5)
    ('5 ', '5 €')
    >>> placemat.truncate("5 €!".encode(), chars=3)
    b'5 \\xe2\\x82\\xac'
    >>> placemat.truncate("e\\u0301a", graphemes=1) == "e\\u0301"
    True
    >>> placemat.truncate(b"ab\\xe2\\x82", bytes=3)
    b'ab'
    """
    limits = [limit for limit in (bytes, chars, graphemes) if limit is not None]
    if len(limits) != 1:
        raise TypeError("truncate takes one limit: bytes, chars or graphemes")
    if limits[0] < 0:
        raise ValueError("truncate takes a limit from 0 on")
    if isinstance(text, str):
        if bytes is not None:
            return _of_str(text, bytes)
        return text[: _end_of_graphemes(text, limits[0]) if chars is None else chars]
    data = memoryview(text).cast("B")
    if bytes is not None:
        return data[: _end_of_bytes(data, bytes)].tobytes()
    if chars is not None:
        return data[: _end_of_chars(data, chars)].tobytes()
    decoded = data.tobytes().decode("utf-8", "surrogateescape")
    return decoded[: _end_of_graphemes(decoded, limits[0])].encode("utf-8", "surrogateescape")


def _end_of_graphemes(text: str, most: int) -> int:
    most = min(most, len(text))
    try:
        return _reports.clusters(text, most)
    except UnicodeEncodeError:
        # Surrogates are characters of their own, as controls are (UAX #29).
        return _reports.clusters(_SURROGATE.sub("\0", text), most)


def _of_str(text: str, most: int) -> str:
    # No code point has less than a byte.
    start = text[:most]
    data = start.encode("utf-8", "surrogatepass")
    if len(data) <= most:
        return start
    return data[: _end_of_bytes(memoryview(data), most)].decode("utf-8", "surrogatepass")


def _end_of_bytes(data: memoryview, most: int) -> int:
    if len(data) <= most:
        return len(data)
    end = most
    # Three bytes back at most, as in the library; only ill-formed text has more continuation bytes.
    while end > max(0, most - 3) and 0x80 <= data[end] < 0xC0:
        end -= 1
    return end


def _end_of_chars(data: memoryview, most: int) -> int:
    end, step = 0, _PIECE
    while step > 0 and end < len(data):
        piece = data[end : end + step].tobytes()
        count = len(piece.translate(None, _CONTINUATION))
        if count <= most:
            end += len(piece)
            most -= count
        else:
            step //= 2
    return end
