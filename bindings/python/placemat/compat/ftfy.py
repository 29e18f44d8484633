"""ftfy by placemat: `fix_text`, `fix_encoding`, `fix_and_explain`, `guess_bytes` and others.

>>> from placemat.compat import ftfy
>>> ftfy.fix_text("âœ” No problems")
'✔ No problems'
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
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple, Optional, TextIO, Union

from placemat._placemat import decode
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


_ENTITY = re.compile(r"&#?[0-9A-Za-z]{1,24};")
_TERMINAL_ESCAPE = re.compile("\x1b\\[[0-9;]*[A-Za-z]")
_LIGATURES = re.compile("[\u0132\u0133\u0149\u01c4-\u01cc\u01f1-\u01f3\ufb00-\ufb06]")
_WIDTHS = re.compile("[\u3000\uff01-\uffef]+")
_SINGLE_QUOTES = re.compile("[\u02bc\u2018-\u201b]")
_DOUBLE_QUOTES = re.compile("[\u201c-\u201f]")
_LINE_BREAKS = re.compile("\r\n|[\r\x85\u2028\u2029]")
_SEQUENCE = re.compile("[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_C1_CONTROL = re.compile("[\x80-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
#: Controls that no text needs: those of ASCII but tab, line feed, form feed and carriage return; U+206A to U+206F,
#: U+FEFF, and U+FFF9 to U+FFFB.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\u206a-\u206f\ufeff\ufff9-\ufffb]")


#: The C1 controls, and what windows-1252 has at their bytes.
_C1 = {byte: decode(bytes([byte]), "windows-1252") for byte in range(0x80, 0xA0)}


def _entity(found: "re.Match[str]") -> str:
    text = html.unescape(found[0])
    # `&EACUTE;` in a text that was put in capitals.
    return html.unescape(found[0].lower()).upper() if text == found[0] and text.isupper() else text


def _compatible(found: "re.Match[str]") -> str:
    return unicodedata.normalize("NFKC", found[0])


def _unescape_html(text: str) -> str:
    return _ENTITY.sub(_entity, text) if "&" in text else text


def _sequence(found: "re.Match[str]") -> str:
    try:
        return found[0].encode("latin-1").decode() if _C1_CONTROL.search(found[0]) else found[0]
    except UnicodeDecodeError:
        return found[0]


def _fix_encoding(text: str) -> str:
    if text.isascii():
        return text
    # A sequence of UTF-8 that has a C1 control as Latin-1, which no text has, needs no other evidence.
    return _SEQUENCE.sub(_sequence, repair(text).text)


def _fix_surrogates(text: str) -> str:
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


#: The steps that are on by name, in the order in which `fix_text` takes them.
FIXERS: dict[str, Callable[[str], str]] = {
    "unescape_html": _unescape_html,
    "remove_terminal_escapes": lambda text: _TERMINAL_ESCAPE.sub("", text) if "\x1b" in text else text,
    "fix_encoding": _fix_encoding,
    "fix_c1_controls": lambda text: text.translate(_C1) if _C1_CONTROL.search(text) else text,
    "fix_latin_ligatures": lambda text: _LIGATURES.sub(_compatible, text),
    "fix_character_width": lambda text: _WIDTHS.sub(_compatible, text),
    "uncurl_quotes": lambda text: _SINGLE_QUOTES.sub("'", _DOUBLE_QUOTES.sub('"', text)),
    "fix_line_breaks": lambda text: _LINE_BREAKS.sub("\n", text),
    "fix_surrogates": _fix_surrogates,
    "remove_control_chars": lambda text: _CONTROLS.sub("", text),
}
#: The steps without an effect on ASCII.
_BEYOND_ASCII = {"fix_encoding", "fix_c1_controls", "fix_latin_ligatures", "fix_character_width", "uncurl_quotes", "fix_surrogates"}


def _config(config: Optional[TextFixerConfig], settings: "dict[str, Any]") -> TextFixerConfig:
    return (config or TextFixerConfig())._replace(**settings)


def _normal(form: str, text: str) -> str:
    return unicodedata.normalize(form, text)  # type: ignore[arg-type]  # any name that the caller gives


def _fixed(text: str, config: TextFixerConfig, only: "tuple[str, ...]" = tuple(FIXERS)) -> ExplainedText:
    if not isinstance(text, str):
        raise TypeError(
            f"fix_text takes str, not {type(text).__name__}: guess_bytes(data)[0] reads those, "
            "and placemat.repair(data).text repairs them"
        )
    steps: list[ExplanationStep] = []
    for name in only:
        wanted = getattr(config, name)
        if not wanted or (wanted == "auto" and "<" in text) or (name in _BEYOND_ASCII and text.isascii()):
            continue
        fixed = FIXERS[name](text)
        if fixed != text:
            text = fixed
            steps.append(ExplanationStep("apply", name))
    if only == tuple(FIXERS) and config.normalization:
        fixed = _normal(config.normalization, text)
        if fixed != text:
            text = fixed
            steps.append(ExplanationStep("normalize", config.normalization))
    return ExplainedText(text, steps if config.explain else None)


def fix_and_explain(text: str, config: Optional[TextFixerConfig] = None, **settings: Any) -> ExplainedText:
    """Fixes a text, and returns the steps too."""
    return _fixed(text, _config(config, settings))


def fix_text(text: str, config: Optional[TextFixerConfig] = None, **settings: Any) -> str:
    """Fixes mojibake, and what else the settings name: entities, ligatures, widths, quotes, line ends, controls.

    >>> from placemat.compat import ftfy
    >>> ftfy.fix_text("LOUD&nbsp;ＮＯＩＳＥＳ &amp; “quotes”"), ftfy.fix_text("“quotes”", uncurl_quotes=False)
    ('LOUD\\xa0NOISES & "quotes"', '“quotes”')
    """
    return _fixed(text, _config(config, {**settings, "explain": False})).text


fix_text_segment = fix_text


def fix_encoding_and_explain(text: str, config: Optional[TextFixerConfig] = None, **settings: Any) -> ExplainedText:
    """Fixes only mojibake, and returns the steps too."""
    return _fixed(text, _config(config, settings), ("fix_encoding",))


def fix_encoding(text: str, config: Optional[TextFixerConfig] = None, **settings: Any) -> str:
    """Fixes only mojibake."""
    return fix_encoding_and_explain(text, config, **settings).text


def apply_plan(text: str, plan: "list[tuple[str, str]]") -> str:
    """Takes the steps of an explanation on another text.

    >>> from placemat.compat import ftfy
    >>> ftfy.apply_plan("cafÃ©", ftfy.fix_and_explain("l’humanitÃ©").explanation)
    'café'
    """
    for action, parameter in plan:
        if action == "normalize":
            text = _normal(parameter, text)
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
