"""charset_normalizer by placemat: `from_bytes(…).best()`, `from_path`, `from_fp`, `is_binary`, `detect`.

>>> from placemat.compat.charset_normalizer import from_bytes
>>> best = from_bytes("Съешь же ещё этих мягких французских булок".encode("koi8-r")).best()
>>> best.encoding, best.language, str(best)
('koi8_r', 'Russian', 'Съешь же ещё этих мягких французских булок')
>>> from_bytes(b"\\x00\\x01\\xff\\x00").best() is None
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Optional, Union

from placemat._placemat import decode
from placemat.compat import chardet as _chardet
from placemat.compat._spelling import python_name, spelled
from placemat.detection import detect as _detect

if TYPE_CHECKING:
    import os

#: The version of charset_normalizer whose functions these are; programs ask for it.
__version__ = "3.4.0"
VERSION = __version__.split(".")


class CharsetMatch:
    """Bytes, and an encoding in which they are text."""

    def __init__(self, payload: bytes, name: str, ours: str, confidence: float, language: Optional[str], signed: bool) -> None:
        #: The bytes.
        self.raw = payload
        #: The encoding, as Python names its module.
        self.encoding = python_name(name)
        #: Whether there is a signature before the text.
        self.bom = self.byte_order_mark = signed
        #: The language in English, or 'Unknown'.
        self.language = (language or "").split(" (")[0] or ("English" if self.encoding == "ascii" else "Unknown")
        self.languages = [] if self.language == "Unknown" else [self.language]
        #: The probability, from 0 to 1.
        self.coherence = confidence
        self.chaos = 1 - confidence
        #: Other encodings that read the same text.
        self.submatch: list[CharsetMatch] = []
        self._name, self._ours = name, ours

    def __str__(self) -> str:
        # In Python's words first: those who use the name get the same text.
        try:
            text = self.raw.decode(self._name)
        except UnicodeError:
            text = decode(self.raw, self._ours, "replace")
        return text[1:] if text.startswith("\ufeff") else text

    def __repr__(self) -> str:
        return f"<CharsetMatch '{self.encoding}' bytes({self.fingerprint})>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return python_name(other) == self.encoding
        return isinstance(other, CharsetMatch) and (self.encoding, self.raw) == (other.encoding, other.raw)

    def __hash__(self) -> int:
        return hash((self.encoding, self.raw))

    def __bytes__(self) -> bytes:
        return self.output()

    def output(self, encoding: str = "utf_8") -> bytes:
        """Returns the text in another encoding, with `?` for what it cannot represent."""
        return str(self).encode(encoding, "replace")

    @property
    def percent_coherence(self) -> float:
        """The probability in percent."""
        return round(self.coherence * 100, 3)

    @property
    def percent_chaos(self) -> float:
        """The doubt in percent."""
        return round(self.chaos * 100, 3)

    @property
    def multi_byte_usage(self) -> float:
        """The share of bytes that are not the only one of their character."""
        return 1 - len(str(self)) / len(self.raw) if self.raw else 0.0

    @property
    def alphabets(self) -> "list[str]":
        """The scripts of the letters, by the first word of their names."""
        import unicodedata

        return sorted({unicodedata.name(c, "").split(" ")[0].capitalize() for c in set(str(self)) if c.isalpha()} - {""})

    @property
    def encoding_aliases(self) -> "list[str]":
        """Python's other names for the encoding."""
        from encodings.aliases import aliases

        return [alias for alias, name in aliases.items() if name == self.encoding]

    @property
    def could_be_from_charset(self) -> "list[str]":
        """All encodings that read the same text."""
        return [self.encoding, *(other.encoding for other in self.submatch)]

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the text in UTF-8."""
        return hashlib.sha256(self.output()).hexdigest()


class CharsetMatches:
    """Encodings in which bytes are text, the most probable first."""

    def __init__(self, results: "Iterable[CharsetMatch]" = ()) -> None:
        self._results = list(results)

    def __iter__(self) -> Iterator[CharsetMatch]:
        return iter(self._results)

    def __getitem__(self, item: Union[int, str]) -> CharsetMatch:
        if isinstance(item, int):
            return self._results[item]
        name = python_name(item)
        for result in self._results:
            if name in result.could_be_from_charset:
                return result
        raise KeyError(item)

    def __len__(self) -> int:
        return len(self._results)

    def __bool__(self) -> bool:
        return bool(self._results)

    def best(self) -> Optional[CharsetMatch]:
        """Returns the most probable; None if there is none."""
        return self._results[0] if self._results else None

    first = best


def from_bytes(
    sequences: bytes,
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: "Optional[list[str]]" = None,
    cp_exclusion: "Optional[list[str]]" = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = True,
) -> CharsetMatches:
    """Finds the encodings in which bytes are text. Of the settings, `cp_isolation` and `cp_exclusion` have an effect: the
    only encodings, and those that are out of the question."""
    data = bytes(sequences)
    found = _detect(data)
    if found.verdict == "empty" and not data:
        return CharsetMatches([CharsetMatch(data, "utf-8", "utf-8", 1.0, None, False)])
    only = None if cp_isolation is None else {python_name(name) for name in cp_isolation}
    never = {python_name(name) for name in cp_exclusion or ()}
    matches: list[CharsetMatch] = []
    for candidate in found.candidates if found.encoding else []:
        name = spelled(candidate.encoding, found, data)
        language = found.language_name if candidate.language == found.language else None
        signed = found.signature is not None and candidate.encoding == found.encoding
        assert name is not None
        match = CharsetMatch(data, "utf-8" if name == "UTF-8-SIG" else name, candidate.encoding, candidate.confidence, language, signed)
        if match.encoding in never or (only is not None and match.encoding not in only):
            continue
        if candidate.same_text and matches and str(matches[0]) == str(match):
            matches[0].submatch.append(match)
        else:
            matches.append(match)
    return CharsetMatches(matches)


def from_fp(fp: BinaryIO, *settings: Any, **more: Any) -> CharsetMatches:
    """`from_bytes` of all that a file has left."""
    return from_bytes(fp.read(), *settings, **more)


def from_path(path: Union[str, bytes, os.PathLike[Any]], *settings: Any, **more: Any) -> CharsetMatches:
    """`from_bytes` of a file."""
    with open(path, "rb") as file:
        return from_fp(file, *settings, **more)


def is_binary(fp_or_path_or_payload: Union[bytes, str, os.PathLike[Any], BinaryIO], **settings: Any) -> bool:
    """Returns whether bytes, or those of a file, are no text.

    >>> from placemat.compat import charset_normalizer
    >>> charset_normalizer.is_binary(b"\\x7fELF\\x02\\x01\\x01" + bytes(99)), charset_normalizer.is_binary(b"text")
    (True, False)
    """
    if isinstance(fp_or_path_or_payload, (bytes, bytearray)):
        matches = from_bytes(fp_or_path_or_payload, **settings)
    elif isinstance(fp_or_path_or_payload, (str,)) or hasattr(fp_or_path_or_payload, "__fspath__"):
        matches = from_path(fp_or_path_or_payload, **settings)
    else:
        matches = from_fp(fp_or_path_or_payload, **settings)
    return not matches


def detect(byte_str: bytes, should_rename_legacy: bool = False, **settings: Any) -> "dict[str, Any]":
    """Returns what chardet does, with the language in English.

    >>> from placemat.compat import charset_normalizer
    >>> charset_normalizer.detect("naïve cafés".encode())["encoding"]
    'utf-8'
    """
    if not byte_str:
        return {"encoding": "utf-8", "language": "", "confidence": 1.0}
    found = _chardet.detect(byte_str, should_rename_legacy)
    best = from_bytes(byte_str).best()
    language = best.language if best and best.language != "Unknown" else ""
    return {"encoding": found["encoding"], "language": language, "confidence": found["confidence"] if found["encoding"] else None}
