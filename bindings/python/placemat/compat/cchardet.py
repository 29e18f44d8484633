"""cchardet by placemat: `detect` and `UniversalDetector`, with names as uchardet spells them.

>>> from placemat.compat import cchardet
>>> cchardet.detect("Съешь же ещё этих мягких французских булок".encode("cp1251"))["encoding"]
'WINDOWS-1251'
>>> cchardet.detect(b"")
{'encoding': None, 'confidence': None}
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Optional

from placemat.compat import chardet as _chardet

#: The version of cchardet whose functions these are.
__version__ = "2.1.19"


def _answer(found: "dict[str, Any]") -> "dict[str, Any]":
    encoding = found["encoding"]
    if encoding is None:
        return {"encoding": None, "confidence": None}
    return {"encoding": encoding.upper(), "confidence": found["confidence"]}


def detect(msg: bytes) -> "dict[str, Any]":
    """Returns the most probable encoding of bytes: a dictionary of `encoding` and `confidence`."""
    return _answer(_chardet.detect(msg))


class UniversalDetector:
    """Detects the encoding of text in pieces.

    >>> from placemat.compat.cchardet import UniversalDetector
    >>> with UniversalDetector() as detector:
    ...     detector.feed("naïve".encode())
    >>> detector.result["encoding"]
    'UTF-8'
    """

    def __init__(self) -> None:
        self._detector = _chardet.UniversalDetector()

    def reset(self) -> None:
        """Begins a new text."""
        self._detector.reset()

    def feed(self, msg: bytes) -> None:
        """Reads the next bytes."""
        self._detector.feed(msg)

    def close(self) -> None:
        """Ends the text."""
        self._detector.close()

    @property
    def done(self) -> bool:
        """Whether there is an answer."""
        return self._detector.done

    @property
    def result(self) -> "dict[str, Any]":
        """The answer, once `close` was called."""
        return _answer(self._detector.result)

    def __enter__(self) -> UniversalDetector:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self.close()
