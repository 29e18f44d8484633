"""`errors` with a policy for each kind of ill-formed sequence."""

import codecs
import io

import placemat
import placemat.codecs
import pytest

TEXT = b"a\xffb\xc0\xafc\xed\xa0\x80d\xe2\x82"


def test_each_kind_has_its_policy():
    assert placemat.decode(TEXT, errors="replace,overlong=ignore") == "a\ufffdbc\ufffdd\ufffd"
    assert placemat.decode(TEXT, errors="ignore,surrogate=pass") == "abc\ud800d"
    assert placemat.decode(TEXT, errors="ignore,end=backslashreplace") == "abcd\\xe2\\x82"
    assert placemat.decode(TEXT, errors="lead=surrogateescape,ignore") == "a\udcffbcd"
    with pytest.raises(placemat.DecodeError) as raised:
        placemat.decode(TEXT, errors="replace,overlong=strict")
    assert (raised.value.code, raised.value.offset, raised.value.end) == ("overlong-2", 3, 5)
    with pytest.raises(UnicodeDecodeError):
        placemat.decode(TEXT, errors="end=ignore")
    # Well-formed text, and other encodings.
    assert placemat.decode("é€".encode(), errors="overlong=replace") == "é€"
    assert placemat.decode(b"a\x81", "ascii", "undefined=cp1252") == "a\x81"
    assert placemat.decode("\ue001".encode(), errors="optu,overlong=strict") == "\ue001"
    assert placemat.decode("\uef80".encode(), errors="optu,overlong=strict") == "\uefee\uefbe\uef80"


def test_pieces_are_as_the_whole():
    for errors in ["replace,overlong=ignore", "ignore,surrogate=pass", "question,truncated=latin1,end=ignore"]:
        whole = placemat.decode(TEXT * 3, errors=errors)
        for size in range(1, 9):
            decoder = placemat.Decoder("utf-8", errors)
            pieces = [(TEXT * 3)[at : at + size] for at in range(0, 3 * len(TEXT), size)]
            assert "".join(map(decoder.decode, pieces)) + decoder.decode(b"", True) == whole


def test_where_a_string_is_all_there_is():
    placemat.codecs.register()
    errors = "replace,overlong=strict"
    assert codecs.decode(b"a\xff", "placemat.utf-8", errors) == "a\ufffd"
    with pytest.raises(UnicodeDecodeError):
        codecs.decode(b"a\xc0\xaf", "placemat.utf-8", errors)
    with io.TextIOWrapper(io.BytesIO(b"a\xff\nb\xe2\x82"), "placemat.utf-8", "end=ignore,replace") as file:
        assert file.read() == "a\ufffd\nb"
    assert placemat.wrap(io.BytesIO(b"a\xffb"), "utf-8", errors).read() == "a\ufffdb"
    # What encodes has no kinds: the policy for all others is the one.
    assert codecs.encode("5 €", "placemat.iso-8859-1", "ignore,end=replace") == b"5 "
    with pytest.raises(UnicodeEncodeError):
        placemat.encode("€", "ascii", "end=replace")
    assert placemat.transcode(b"a\xff", "utf-8", "utf-16le", errors) == "a\ufffd".encode("utf-16le")


def test_names_that_mean_nothing():
    for errors, words in [
        ("overlog=strict", r'unknown kind "overlog" \(did you mean overlong\?\)'),
        ("overlong=strickt", r'unknown policy "strickt" \(did you mean strict\?\)'),
        ("replace,ignore", "second policy"),
        ("end=pass", "only surrogates can pass"),
    ]:
        with pytest.raises(ValueError, match=words):
            placemat.decode(b"a\xff", errors=errors)
        with pytest.raises(ValueError, match=words):
            placemat.encode("€", "ascii", errors)
        with pytest.raises(ValueError, match=words):
            placemat.Decoder("utf-8", errors)
        # As in CPython, names are looked at when there is an error.
        assert placemat.decode(b"a", errors=errors) == "a"
