"""`truncate`, against slices of Python."""

import itertools

import placemat
import pytest

TEXTS = [
    "".join(text)
    for length in range(6)
    for text in itertools.product(["a", "\u00e9", "\u20ac", "\U0001f600", "\ud800"], repeat=length)
]


def size(text):
    return len(text.encode("utf-8", "surrogatepass"))


def test_strings():
    for text in TEXTS:
        for limit in range(8):
            fits = [text[:end] for end in range(len(text) + 1) if size(text[:end]) <= limit]
            assert placemat.truncate(text, bytes=limit) == fits[-1]
            assert placemat.truncate(text, chars=limit) == text[:limit]


def test_bytes():
    for text in TEXTS:
        data = text.encode("utf-8", "surrogatepass")
        for limit in range(8):
            fits = [text[:end] for end in range(len(text) + 1) if size(text[:end]) <= limit]
            assert placemat.truncate(data, bytes=limit).decode("utf-8", "surrogatepass") == fits[-1]
            assert placemat.truncate(data, chars=limit).decode("utf-8", "surrogatepass") == text[:limit]


def test_long_texts():
    text = "a\u00e9\u20ac\U0001f600" * 50_000
    data = text.encode()
    for limit in [65_535, 65_536, 65_537, 199_999, 200_000, 200_001, 10**30]:
        assert placemat.truncate(data, chars=limit).decode() == text[:limit]
        by_bytes = placemat.truncate(data, bytes=limit)
        assert by_bytes.decode() == data[:limit].decode(errors="ignore")
        assert placemat.truncate(text, bytes=limit) == by_bytes.decode()


#: Texts as their grapheme clusters (UAX #29).
CLUSTERS = [
    ["e\u0301\u0302", "a", "\r\n", "\n"],
    ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7", "\U0001f1ea"],
    ["\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd", "!"],
    ["\ud55c", "\u1100\u1161\u11a8", "\u0915\u094d\u0937\u093f"],
    # As Unicode 18 has it.
    ["\u25cc\u094d\u0915", "\u0600\u0661", "\u0915\u094d", "a"],
    ["\ud800", "\u0301", "\udfff", "x"],
]


def test_grapheme_clusters():
    for clusters in CLUSTERS:
        text = "".join(clusters)
        for limit in range(len(clusters) + 2):
            want = "".join(clusters[:limit])
            assert placemat.truncate(text, graphemes=limit) == want
            if "\ud800" not in text:
                assert placemat.truncate(text.encode(), graphemes=limit) == want.encode()
    damaged = b"a\xff\xe2\x82e\xcc\x81b"
    for limit, end in enumerate([0, 1, 2, 3, 4, 7, 8]):
        assert placemat.truncate(damaged, graphemes=limit) == damaged[:end]
    assert placemat.truncate("abc", graphemes=10**30) == "abc"


def test_ill_formed_bytes():
    assert placemat.truncate(b"ab\xe2\x82c", bytes=3) == b"ab"
    assert placemat.truncate(b"\x80" * 6, bytes=5) == b"\x80\x80"
    assert placemat.truncate(b"\x80\xff\x80a", chars=1) == b"\x80\xff\x80"
    assert placemat.truncate(b"", bytes=0) == b"" == placemat.truncate(b"", chars=0)


def test_other_buffers():
    for data in [bytearray(b"a\xc3\xa9"), memoryview(b"a\xc3\xa9")]:
        result = placemat.truncate(data, bytes=2)
        assert result == b"a" and type(result) is bytes


def test_limits_that_are_none():
    for limits in [{}, {"bytes": 1, "chars": 1}, {"chars": 1, "graphemes": 1}]:
        with pytest.raises(TypeError, match="one limit"):
            placemat.truncate("a", **limits)
    for limits in [{"bytes": -1}, {"chars": -1}, {"graphemes": -1}]:
        with pytest.raises(ValueError, match="from 0 on"):
            placemat.truncate("a", **limits)
    with pytest.raises(TypeError):
        placemat.truncate(5, bytes=1)
