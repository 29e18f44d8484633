"""ftfy by placemat: `fix_text`, `fix_encoding`, `fix_and_explain`, `guess_bytes` and others.

>>> from placemat.compat import ftfy
>>> ftfy.fix_text("âœ” No problems")
'✔ No problems'
>>> ftfy.fix_text("LOUD&nbsp;ＮＯＩＳＥＳ &amp; “quotes”"), ftfy.fix_text("“quotes”", uncurl_quotes=False)
('LOUD\\xa0NOISES & "quotes"', '“quotes”')
>>> ftfy.fix_encoding("l’humanitÃ©")
'l’humanité'
>>> ftfy.fix_and_explain("l’humanitÃ©")
ExplainedText(text="l'humanité", explanation=[('apply', 'fix_encoding'), ('apply', 'uncurl_quotes')])
>>> ftfy.fix_text(b"caf\\xe9")
Traceback (most recent call last):
TypeError: fix_text takes str, not bytes: guess_bytes(data)[0] reads those, and placemat.repair(data).text repairs them
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO, NamedTuple, Optional, TextIO, Union

from placemat._placemat import fixing as _fixing
from placemat.detection import detect
from placemat.repairing import repair

#: The version of ftfy whose functions these are.
__version__ = "6.3.1"


class TextFixerConfig(NamedTuple):
    """The settings of `fix_text`, by the names of ftfy. A line that has `<` keeps its entities if `unescape_html` is 'auto'. The
    parts of `fix_encoding` are one step here, which takes only what the text proves."""

    unescape_html: Union[str, bool] = "auto"
    remove_terminal_escapes: bool = True
    fix_encoding: bool = True
    restore_byte_a0: bool = True
    replace_lossy_sequences: bool = True
    decode_inconsistent_utf8: bool = True
    fix_c1_controls: bool = True
    fix_latin_ligatures: bool = True
    fix_character_width: bool = True
    uncurl_quotes: bool = True
    fix_line_breaks: bool = True
    fix_surrogates: bool = True
    remove_control_chars: bool = True
    normalization: Optional[str] = "NFC"
    max_decode_length: int = 1_000_000
    explain: bool = True


class ExplanationStep(NamedTuple):
    """A step: 'apply', and its name; or 'normalize', and the normal form."""

    action: str
    parameter: str

    def __repr__(self) -> str:
        return repr(tuple(self))


class ExplainedText(NamedTuple):
    """A text, and the steps that changed it."""

    text: str
    explanation: Optional[list[ExplanationStep]]


def _entity(entity: str) -> str:
    text = html.unescape(entity)
    # `&EACUTE;` in a text that was put in capitals.
    return html.unescape(entity.lower()).upper() if text == entity and text.isupper() else text


#: The steps that are on by name, in the order in which `fix_text` takes them.
FIXERS: dict[str, Callable[[str], str]] = {name: partial(_fixing.step, name) for name in _fixing.STEPS}

fix_text = _fixing.fix_text
fix_text_segment = fix_text
fix_and_explain = _fixing.fix_and_explain
fix_encoding = _fixing.fix_encoding
fix_encoding_and_explain = _fixing.fix_encoding_and_explain


def apply_plan(text: str, plan: "list[tuple[str, str]]") -> str:
    """Takes the steps of an explanation on another text.

    >>> from placemat.compat import ftfy
    >>> ftfy.apply_plan("cafÃ©", ftfy.fix_and_explain("l’humanitÃ©").explanation)
    'café'
    """
    for action, parameter in plan:
        if action == "normalize":
            text = unicodedata.normalize(parameter, text)  # type: ignore[arg-type]  # any name that the caller gives
        elif action == "apply" and parameter in FIXERS:
            text = FIXERS[parameter](text)
        elif action in ("encode", "decode"):
            raise ValueError(f"{action!r} is a step of ftfy itself: make the plan with placemat's fix_and_explain")
        else:
            raise ValueError(f"unknown step of a plan: {(action, parameter)!r}")
    return text


def guess_bytes(bstring: bytes) -> "tuple[str, str]":
    """Returns the text of bytes in an unknown encoding, and the name of the encoding. Bytes in several encodings are read
    by `placemat.repair`.

    >>> from placemat.compat import ftfy
    >>> ftfy.guess_bytes("déjà vu, un café crème".encode("cp1252"))
    ('déjà vu, un café crème', 'windows-1252')
    """
    if isinstance(bstring, str):
        raise UnicodeError("guess_bytes takes bytes: this is a str, which is text already")
    found = detect(bstring)
    if found.encoding is None or found.encoding == "us-ascii":
        return repair(bstring, steps=["wide", "pairs", "bytes", "lost"]).text, "utf-8" if found.encoding is None else "ascii"
    return repair(bstring, steps=["wide", "pairs", "bytes", "lost"]).text, found.encoding


def fix_file(
    input_file: Union[TextIO, BinaryIO], encoding: Optional[str] = None, config: Optional[TextFixerConfig] = None, **settings: Any
) -> Iterator[str]:
    """Fixes a file, line by line."""
    for line in input_file:
        if isinstance(line, bytes):
            line = guess_bytes(line)[0] if encoding is None else line.decode(encoding)
        yield fix_text(line, config, **settings)
