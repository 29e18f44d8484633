"""detect, Detector and regions."""

from __future__ import annotations

import random
import threading

import pytest
from common import damaged, lets_others_run

import placemat

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. "


def test_detect() -> None:
    text = RUSSIAN
    for encoding in ["windows-1251", "koi8-r", "utf-8", "utf-16le", "cp866"]:
        found = placemat.detect((text * 5).encode(encoding))
        assert (found.verdict, placemat.decode((text * 5).encode(encoding), found.encoding)) == ("text", text * 5), encoding
        assert found.candidates[0].encoding == found.encoding and 0.5 < found.confidence <= 1
    found = placemat.detect(b'<?xml version="1.0" encoding="koi8-r"?><a>\xc5\xd3\xd4\xd8</a>')
    assert found.declared and found.declared.encoding == "koi8-r" and not found.declared.contradicted
    assert placemat.detect(b"\xef\xbb\xbfa").signature == ("utf-8", 3)
    assert placemat.detect(b"").verdict == "empty" and placemat.detect(b"plain").basis == "ascii"
    found = placemat.detect(b"caf\xe9 au lait, d\xe9j\xe0 vu")
    assert ("utf-8", 3, b"\xe9 ") not in found.ruled_out
    assert [(r.encoding, r.offset) for r in found.ruled_out][:1] == [("utf-8", 3)]
    damage = placemat.detect("Ελληνικά και ".encode() * 9 + b"\xff " + "άλλα".encode()).damage
    assert damage is not None and (damage.ill_formed, damage.first) == (1, 216)


def test_sniff_is_detect() -> None:
    assert placemat.sniff is placemat.detect


def fed(pieces: "list[bytes]") -> placemat.Detector:
    detector = placemat.Detector()
    for piece in pieces:
        detector.feed(piece)
    return detector


def test_a_detector_answers_the_same_however_it_is_fed() -> None:
    rng = random.Random(3)
    texts = [*damaged(11, 60, 3000), (RUSSIAN * 9).encode("koi8-r"), "naïve".encode("utf-16"), b"", b"\x00\xff" * 99]
    for text in texts:
        pieces, at = [], 0
        while at < len(text):
            length = rng.choice([1, 7, 100, 1000])
            pieces.append(text[at : at + length])
            at += length
        detector = fed(pieces)
        assert detector.finish() == placemat.detect(text)
        # An answer ends nothing.
        detector.feed(text)
        assert detector.finish() == placemat.detect(text + text)


def test_a_prefix_says_that_it_is_one() -> None:
    found = fed([b"id;name\n"]).finish_prefix()
    assert (found.encoding, found.is_prefix, found.len) == ("utf-8", True, 8)
    assert str(found).endswith("by a prefix of 8 bytes")
    found = fed([b"na\xc3\xafve \xe2\x82"]).finish_prefix()
    assert (found.encoding, found.damage) == ("utf-8", None)
    assert not placemat.detect(b"abc").is_prefix


def test_the_advice_keeps_all_of_a_mixed_text() -> None:
    utf8, other = ("Это строка в UTF-8, и длинная.\n" * 3), ("А это строка в другой кодировке.\n" * 3)
    data = utf8.encode() + other.encode("cp1251")
    found = placemat.detect(data)
    assert set(found.mixed) == {"utf-8", "windows-1251"}
    assert eval(found.advice, {"placemat": placemat, "data": data}) == utf8 + other
    # The call that this text would not survive.
    assert found.encoding and placemat.decode(data, found.encoding, "replace") != utf8 + other
    assert found.advice in str(found)
    for encoding in ["utf-8", "koi8-r", "utf-16"]:
        data = (RUSSIAN * 3).encode(encoding)
        assert eval(placemat.detect(data).advice, {"placemat": placemat, "data": data}).lstrip("\ufeff") == RUSSIAN * 3
    assert placemat.detect(b"\x7fELF\x02\x01\x01" + bytes(200)).advice == ""


def test_same_text() -> None:
    data = "Le café est à la fenêtre, déjà très chaud".encode("cp1252")
    found = placemat.detect(data)
    assert found.encoding == "windows-1252" and "iso-8859-1" in found.same_text
    for encoding in found.same_text:
        assert placemat.decode(data, encoding) == placemat.decode(data, "windows-1252")
    assert "or reads the same (" in str(found)


def test_regions_are_all_of_the_bytes_in_order() -> None:
    utf8, other = ("Это строка в UTF-8, и длинная.\n" * 3).encode(), ("А это строка в другой кодировке.\n" * 3).encode("cp1251")
    data = utf8 + other + utf8
    found = placemat.regions(data)
    assert [(r.encoding, r.line, r.lines) for r in found] == [("utf-8", 1, 3), ("windows-1251", 4, 3), ("utf-8", 7, 3)]
    for data in [data, b"", *damaged(12, 100, 2000)]:
        at = 0
        for region in placemat.regions(data):
            assert region.offset == at and region.length > 0
            assert region.line == data.count(b"\n", 0, at) + 1
            at += region.length
        assert at == len(data)


def test_threads_can_share_a_detector() -> None:
    detector = placemat.Detector()
    piece = RUSSIAN.encode() * 2000
    threads = [threading.Thread(target=detector.feed, args=(piece,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert detector.finish() == placemat.detect(piece * 8)
    assert lets_others_run(lambda: placemat.detect(piece))


@pytest.mark.parametrize("call", [placemat.detect, placemat.regions, placemat.repair, placemat.Document])
def test_what_has_no_bytes_is_refused(call: "object") -> None:
    with pytest.raises(TypeError):
        call(7)  # type: ignore[operator]
