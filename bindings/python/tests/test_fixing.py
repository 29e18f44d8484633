"""placemat.compat.ftfy against its definition: each step as a regular expression of Python."""

from __future__ import annotations

import html
import random
import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

import placemat
from placemat.compat import ftfy

LIGATURES = re.compile("[\u0132\u0133\u0149\u01c4-\u01cc\u01f1-\u01f3\ufb00-\ufb06]")
WIDTHS = re.compile("[\u3000\uff01-\uffef]+")
SEQUENCE = re.compile("[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\u206a-\u206f\ufeff\ufff9-\ufffb]")
C1 = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}


def entity(found: re.Match[str]) -> str:
    text = html.unescape(found[0])
    return html.unescape(found[0].lower()).upper() if text == found[0] and text.isupper() else text


def compatible(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found[0])


def sequence(found: re.Match[str]) -> str:
    try:
        return found[0].encode("latin-1").decode() if re.search("[\x80-\x9f]", found[0]) else found[0]
    except UnicodeDecodeError:
        return found[0]


#: The steps by the names of ftfy, in its order.
STEPS: dict[str, Callable[[str], str]] = {
    "unescape_html": lambda text: re.sub("&#?[0-9A-Za-z]{1,24};", entity, text),
    "remove_terminal_escapes": lambda text: re.sub("\x1b\\[[0-9;]*[A-Za-z]", "", text),
    "fix_encoding": lambda text: text if text.isascii() else SEQUENCE.sub(sequence, placemat.repair(text).text),
    "fix_c1_controls": lambda text: text.translate(C1),
    "fix_latin_ligatures": lambda text: LIGATURES.sub(compatible, text),
    "fix_character_width": lambda text: WIDTHS.sub(compatible, text),
    "uncurl_quotes": lambda text: re.sub("[\u02bc\u2018-\u201b]", "'", re.sub("[\u201c-\u201f]", '"', text)),
    "fix_line_breaks": lambda text: re.sub("\r\n|[\r\x85\u2028\u2029]", "\n", text),
    "fix_surrogates": lambda text: text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"),
    "remove_control_chars": lambda text: CONTROLS.sub("", text),
}


def defined(text: str, settings: dict[str, Any]) -> tuple[str, list[tuple[str, str]]]:
    plan = []
    for name, fix in STEPS.items():
        wanted = settings.get(name, "auto" if name == "unescape_html" else True)
        if wanted and not (wanted == "auto" and "<" in text):
            fixed = fix(text)
            plan += [("apply", name)] * (fixed != text)
            text = fixed
    form = settings.get("normalization", "NFC")
    if form:
        fixed = unicodedata.normalize(form, text)
        plan += [("normalize", form)] * (fixed != text)
        text = fixed
    return text, plan


PARTS = [
    "a", "e\u0301", " ", "\n", "\r\n", "\r", "\x85", "\u2028", "&amp;", "&eacute;", "&EACUTE;", "&#233;", "&#x92;", "&nosuch;", "&a", "<b>",
    "\x1b[1;31m", "\x1b[0m", "\x1b[", "\x1b", "\x00", "\x7f", "\x92", "\x93", "\x81", "ﬁ", "ǅ", "ŉ", "Ａ", "ｶﾞ", "　", "“", "’", "ʼ", "‟",
    "\ud83d", "\ude00", "\udce9", "😀", "\ufeff", "\u206a", "\ufffa", "café", "cafÃ©", "Ã¨", "â€™", "ã\x83\x84", "â\x80\x99", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "日本語",
    "привет", "\u0344", "Å", "\u1100\u1161",
]  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_each_step_is_its_definition(part: str) -> None:
    assert list(ftfy.FIXERS) == list(STEPS)
    for text in [part, f"x{part}y", f"{part} {part}", f"été {part}"]:
        for name, fix in STEPS.items():
            assert ftfy.FIXERS[name](text) == fix(text), (name, text)


@pytest.mark.parametrize("seed", range(40))
def test_the_whole_is_its_definition(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        text = "".join(rng.choices(PARTS, k=rng.randrange(1, 12)))
        settings: dict[str, Any] = {}
        if rng.random() < 0.5:
            settings = {name: rng.random() < 0.5 for name in rng.sample(list(STEPS), 4)}
            settings["normalization"] = rng.choice([None, "NFC", "NFD", "NFKC", "NFKD"])
        expected, plan = defined(text, settings)
        assert ftfy.fix_text(text, **settings) == expected, (text, settings)
        assert ftfy.fix_text(text, ftfy.TextFixerConfig(**settings)) == expected
        assert ftfy.fix_and_explain(text, **settings) == (expected, plan)
        only = STEPS["fix_encoding"](text) if settings.get("fix_encoding", True) else text
        assert ftfy.fix_encoding(text, **settings) == ftfy.fix_encoding_and_explain(text, **settings).text == only


def test_every_code_point_is_fixed_as_defined() -> None:
    for start in range(0, 0x110000, 0x100):
        block = " ".join(chr(c) for c in range(start, start + 0x100))
        for name in set(STEPS) - {"unescape_html", "fix_encoding"}:
            assert ftfy.FIXERS[name](block) == STEPS[name](block), (name, hex(start))


def test_text_without_damage_is_the_same_object() -> None:
    for text in ["", "plain", "été", "日本語", "😀"]:
        assert ftfy.fix_text(text) is text and ftfy.fix_encoding(text) is text and ftfy.fix_and_explain(text).text is text


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="unexpected field names: .*magic"):
        ftfy.fix_text("a", magic=True)
    with pytest.raises(ValueError, match="normalization form"):
        ftfy.fix_text("é", normalization="NFX")
    with pytest.raises(AttributeError):
        ftfy.fix_text("a", "settings")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes str, not bytes"):
        ftfy.fix_encoding(b"a")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ftfy.fix_text()  # type: ignore[call-arg]
    assert ftfy.fix_and_explain("é’", explain=False) == ("é'", None)
    assert ftfy.fix_text("é", max_decode_length=3, restore_byte_a0=False) == "é"
