"""repair and undo."""

from __future__ import annotations

import random

import pytest
from common import damaged, lets_others_run, with_surrogates

import placemat

STEPS = ["wide", "pairs", "bytes", "lost", "mojibake", "legacy", "controls"]
SENTENCES = [
    "L'été à Noël, où êtes-vous ? Ça coûte 5 €, naïvement.",
    "Ходит песенка по кругу, потому что круглая земля.",
    "Grüße aus Köln – „schön“ ist’s über den Dächern.",
    "Zażółć gęślą jaźń, pchnąć w tę łódź jeża.",
    "ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
]


def mojibake(text: str, encoding: str) -> str:
    """The text as a program shows it that reads its UTF-8 as another encoding, by Python's own codecs."""
    return "".join(chr(b) if b in b"\x81\x8d\x8f\x90\x9d" else bytes([b]).decode(encoding) for b in text.encode())


@pytest.mark.parametrize("text", SENTENCES)
def test_utf8_that_was_read_as_another_encoding_is_undone(text: str) -> None:
    once = mojibake(text, "cp1252")
    twice = mojibake(once, "cp1252")
    for source in [once, twice]:
        assert placemat.repair(source).text == text
        repaired = placemat.repair(source.encode())
        assert (repaired.text, repaired.encoding) == (text, "utf-8")
        assert {change.step for change in repaired.changes} == {"mojibake"}
    assert placemat.repair(text).changes == [] and placemat.repair(text.encode()).changes == []


@pytest.mark.parametrize(
    ("text", "encoding"), [(SENTENCES[0], "cp1252"), (SENTENCES[1], "cp1251"), (SENTENCES[1], "koi8-r"), (SENTENCES[0], "utf-16")]
)
def test_bytes_of_another_encoding_become_text(text: str, encoding: str) -> None:
    data = "\n".join([text] * 3).encode(encoding)
    repaired = placemat.repair(data)
    assert repaired.text == "\n".join([text] * 3)
    assert repaired.encoding == ("utf-16le" if encoding == "utf-16" else placemat.lookup(encoding).name)
    assert repaired.undo() == data
    # The rest of this file is UTF-8.
    data = f"{text} {text}\n".encode() + data + b"\n" if encoding != "utf-16" else data
    assert placemat.repair(data).undo() == data


def made_by(changes: "list[placemat.Change]", source: "bytes | str", text: str) -> None:
    """Checks that the source with its changes made is the text, and that no change contains another."""
    at, parts = 0, []
    for change in changes:
        end = change.offset + len(change.before)
        assert at <= change.offset and source[change.offset : end] == change.before
        kept = source[at : change.offset]
        parts.append(kept if isinstance(kept, str) else kept.decode())
        assert sum(map(len, parts)) == change.repaired_offset
        parts.append(change.after)
        at = end
    rest = source[at:]
    parts.append(rest if isinstance(rest, str) else rest.decode())
    assert "".join(parts) == text


def test_every_change_of_bytes_is_on_record_and_undone() -> None:
    for data in [*damaged(21, 400, 400), b"", b"\xef\xbb\xbfa\xff"]:
        repaired = placemat.repair(data)
        repaired.text.encode()
        assert repaired.undo() == data
        if not any(change.step == "wide" for change in repaired.changes):
            made_by(repaired.changes, data, repaired.text)


def test_every_change_of_a_str_is_on_record_and_undone() -> None:
    texts = [*with_surrogates(22, 400), *(data.decode(errors="surrogateescape") for data in damaged(23, 400, 400))]
    # Escaped bytes that are well-formed together; a lone surrogate, which has three ill-formed bytes; a pair of two.
    texts += ["a\udcc3\udca9b", "\udcc3\udca9", "\ud800", "x\udcff\ud800\udcc3\udca9", "\ud83d\ude00", "\udcc3é\udca9", "\ud83d\udc80", "\ud83d\ud83d\udc80\udc80", "\udcef\udcbf\udcbd\ud800"]
    for text in texts:
        repaired = placemat.repair(text)
        repaired.text.encode()
        assert repaired.encoding is None and repaired.undo() == text
        made_by(repaired.changes, text, repaired.text)
    assert placemat.repair("a\udcc3\udca9b").text == "aéb" and placemat.repair("\ud83d\ude00").text == "😀"
    # The second half of this pair alone would be an escaped byte.
    assert placemat.repair("\ud83d\udc80").text == "💀" and placemat.repair("a\ud800b\udfff").text == "a\ufffdb\ufffd"


def test_an_escaped_byte_is_repaired_as_the_byte() -> None:
    data = b"caf\xe9 cr\xe8me, na\xc3\xafve"
    assert placemat.repair(data.decode(errors="surrogateescape")).text == placemat.repair(data).text == "café crème, naïve"


def test_settings() -> None:
    source = "cafÃ©s ".encode() + b"\xe9 \xc0\xaf"
    assert placemat.repair(source, steps=["mojibake"]).text == "cafés \ufffd \ufffd\ufffd"
    assert placemat.repair(source, steps=iter(["mojibake"]), lost="escape").text == r"cafés \xe9 \xc0\xaf"
    assert placemat.repair(source, steps=[]).text == "cafÃ©s \ufffd \ufffd\ufffd"
    assert placemat.repair("cafÃ©", min_confidence=0.9999).text == "cafÃ©"
    assert placemat.repair(b"\xd0\x94\xd0\xb0 \xe4\xc1", fallback="koi8-r").text == "Да Да"
    wrong: "list[tuple[dict[str, object], str]]" = [
        ({"steps": ["magic"]}, "unknown step of a repair: magic; there are wide, "),
        ({"min_confidence": 1.5}, "from 0 to 1: not 1.5"),
        ({"min_confidence": float("nan")}, "not NaN"),
        ({"lost": "drop"}, "'replace' or 'escape': not drop"),
        ({"fallback": "utf9"}, "did you mean utf8"),
        ({"steps": "mojibake"}, "list of names"),
    ]
    for settings, words in wrong:
        for source in [b"a", "a"]:
            with pytest.raises((ValueError, TypeError, LookupError), match=words):
                placemat.repair(source, **settings)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="for bytes"):
        placemat.repair("a", steps=["wide"])


def test_undo_refuses_another_text() -> None:
    rng = random.Random(24)
    for source in [b"caf\xe9 na\xc3\x83\xc2\xafve", "cafÃ© crÃ¨me", "naïve".encode("utf-16")]:
        text, encoding, changes = placemat.repair(source)
        assert placemat.undo(text, encoding, changes) == source
        for change in changes:
            if not change.after:
                continue
            at = change.repaired_offset + rng.randrange(len(change.after))
            with pytest.raises(placemat.UndoError) as info:
                placemat.undo(text[:at] + "~" + text[at + 1 :], encoding, changes)
            assert info.value.offset == change.repaired_offset
        with pytest.raises(placemat.UndoError):
            placemat.undo(text[: changes[-1].repaired_offset], encoding, [*changes, changes[-1]])


def test_a_long_text_is_repaired_alike() -> None:
    line = (SENTENCES[0] + " ").encode() + mojibake(SENTENCES[0], "cp1252").encode() + b" d\xe9j\xe0\n"
    plain = "So is this one, without any damage.\n" * 1000
    count = (3 << 20) // len(plain)
    data = (line + plain.encode()) * count
    repaired = placemat.repair(data)
    assert repaired.text == (f"{SENTENCES[0]} {SENTENCES[0]} déjà\n" + plain) * count
    assert repaired.undo() == data
    assert lets_others_run(lambda: placemat.repair(data), 30)
    assert lets_others_run(lambda: placemat.repair(plain + "cafÃ©"), 30)
