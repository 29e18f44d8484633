"""chardet by placemat: `detect`, `detect_all`, `UniversalDetector`.

>>> from placemat.compat import chardet
>>> found = chardet.detect("Съешь же ещё этих мягких французских булок".encode("cp1251"))
>>> found["encoding"], found["language"], found["confidence"] > 0.9
('Windows-1251', 'ru', True)
>>> chardet.detect(b"\\x00\\x01\\xff\\x00")
{'encoding': None, 'confidence': 0.0, 'language': None}
>>> chardet.detect("text")
Traceback (most recent call last):
TypeError: a bytes-like object is required, not 'str', which is text already
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Optional

from placemat.compat._spelling import spelled
from placemat.detection import Detection, Detector

#: The version of chardet whose functions these are; programs ask for it.
__version__ = VERSION = "7.0.0"

#: The least confidence of an answer of `detect_all`.
MINIMUM_THRESHOLD = 0.2

#: Wider encodings that read the same text, for `should_rename_legacy`.
_WIDER = {
    "ascii": "Windows-1252",
    "ISO-8859-1": "Windows-1252",
    "ISO-8859-9": "Windows-1254",
    "ISO-8859-11": "CP874",
}

#: Bytes that are kept to choose between names of one encoding.
_KEPT = 1 << 16


def _bare(language: Optional[str]) -> str:
    """Returns the code of a language without its script."""
    return (language or "").split("-")[0]


def _answer(found: Detection, data: bytes, wider: bool) -> "dict[str, Any]":
    name = spelled(found.encoding, found, data)
    if name is None:
        return {"encoding": None, "confidence": 0.0, "language": None}
    name = _WIDER.get(name, name) if wider else name
    return {"encoding": name, "confidence": found.confidence, "language": _bare(found.language)}


class UniversalDetector:
    """Detects the encoding of text in pieces.

    >>> from placemat.compat.chardet import UniversalDetector
    >>> detector = UniversalDetector()
    >>> for piece in ("naïve ".encode(), "cafés".encode()):
    ...     detector.feed(piece)
    >>> detector.close()["encoding"], detector.done
    ('utf-8', True)
    """

    MINIMUM_THRESHOLD = MINIMUM_THRESHOLD

    def __init__(self, lang_filter: object = None, should_rename_legacy: bool = False) -> None:
        self._wider = should_rename_legacy
        self.reset()

    def reset(self) -> None:
        """Begins a new text."""
        self._detector = Detector()
        self._start = b""
        #: The answer, once `close` was called.
        self.result: dict[str, Any] = {"encoding": None, "confidence": 0.0, "language": None}
        #: Whether there is an answer. More bytes are ignored then.
        self.done = False

    def feed(self, byte_str: bytes) -> None:
        """Reads the next bytes."""
        if not self.done:
            self._detector.feed(byte_str)
            if len(self._start) < _KEPT:
                self._start += byte_str[: _KEPT - len(self._start)]

    def close(self) -> "dict[str, Any]":
        """Ends the text, and returns the answer."""
        if not self.done:
            self.result = _answer(self._detector.finish(), self._start, self._wider)
            self.done = True
        return self.result

    def __enter__(self) -> UniversalDetector:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self.close()


def detect(byte_str: bytes, should_rename_legacy: bool = False) -> "dict[str, Any]":
    """Returns the most probable encoding of bytes: a dictionary of `encoding`, `confidence` and `language`."""
    detector = Detector()
    detector.feed(byte_str)
    return _answer(detector.finish(), bytes(byte_str), should_rename_legacy)


def detect_all(
    byte_str: bytes, ignore_threshold: bool = False, should_rename_legacy: bool = False
) -> "list[dict[str, Any]]":
    """Returns all probable encodings, the most probable first.

    >>> from placemat.compat import chardet
    >>> [found["encoding"] for found in chardet.detect_all("déjà vu, un café crème".encode("cp1252"))][0]
    'Windows-1252'
    >>> chardet.detect_all(b"")
    [{'encoding': None, 'confidence': 0.0, 'language': None}]
    """
    detector = Detector()
    detector.feed(byte_str)
    found, data = detector.finish(), bytes(byte_str)
    answers: list[dict[str, Any]] = [_answer(found, data, should_rename_legacy)]
    for other in found.candidates[1:] if found.encoding else []:
        name = spelled(other.encoding, found, data)
        if name and should_rename_legacy:
            name = _WIDER.get(name, name)
        answer = {"encoding": name, "confidence": other.confidence, "language": _bare(other.language)}
        if name not in [known["encoding"] for known in answers]:
            answers.append(answer)
    return answers[:1] + [one for one in answers[1:] if ignore_threshold or one["confidence"] > MINIMUM_THRESHOLD]
