"""Text files in any encoding."""

from __future__ import annotations

import builtins
import io
from typing import TYPE_CHECKING, Any, BinaryIO

from placemat._placemat import Lock

if TYPE_CHECKING:
    import os
    from collections.abc import Callable


def _codec(encoding: str) -> str:
    """The name under which Python knows placemat's codec. Only files need it registered, so importing placemat does not."""
    from placemat import codecs

    return codecs.info(encoding).name


class _End(str):
    """A text without letters, for an encoder: it is the last. `io.TextIOWrapper` has no other way to say so."""

    says_that_the_text_ends = True


_write = io.TextIOWrapper.write
_readline = io.TextIOWrapper.readline


class TextFile(io.TextIOWrapper):
    """A text file that can be written to. It ends its text, as with a shift back, where Python's leave it open: before it is closed,
    and before another place is gone to.

    Calls on several threads have their turns, in the order in which they came."""

    _begun = False

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        # Before 3.13, Python's files lose text while one thread flushes and another writes.
        self._lock = Lock()
        super().__init__(*arguments, **keywords)

    def write(self, text: str, /) -> int:
        # Half the time of `with`.
        try:
            self._lock.acquire()
            if text and not self._begun:
                self._begin()
            return _write(self, text)
        finally:
            self._lock.release()

    def _begin(self) -> None:
        self._begun = True
        if self.readable() and self.seekable():
            # Tells the encoder whether there is text before: no signature is due then.
            super().seek(super().tell())

    def _end(self) -> None:
        if self._begun and not self.closed:
            self._begun = False
            super().write(_End())

    def read(self, size: int | None = -1, /) -> str:
        with self._lock:
            return super().read(size)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        try:
            self._lock.acquire()
            return _readline(self, size)
        finally:
            self._lock.release()

    def flush(self) -> None:
        with self._lock:
            super().flush()

    def close(self) -> None:
        with self._lock:
            try:
                self._end()
            finally:
                super().close()

    def detach(self) -> BinaryIO:
        with self._lock:
            self._end()
            return super().detach()  # type: ignore[return-value]

    def tell(self) -> int:
        with self._lock:
            return super().tell()

    def seek(self, cookie: int, whence: int = 0, /) -> int:
        with self._lock:
            self._end()
            return super().seek(cookie, whence)

    def truncate(self, size: int | None = None, /) -> int:
        with self._lock:
            return super().truncate(size)

    def reconfigure(self, **changes: Any) -> None:
        with self._lock:
            self._end()
            super().reconfigure(**changes)


def wrap(
    file: BinaryIO,
    encoding: str = "utf-8",
    errors: str = "strict",
    newline: str | None = None,
    line_buffering: bool = False,
    write_through: bool = False,
) -> io.TextIOWrapper:
    """A text file over a binary one, with all that `io.TextIOWrapper` has: lines, `tell` and `seek`, `newline`.

    >>> import io, placemat
    >>> placemat.wrap(io.BytesIO(b"\\x0e\\xfe\\xff\\xe9t\\xe9\\r\\n"), "scsu").read()
    '\\ufeffété\\n'
    >>> placemat.wrap(io.BytesIO(b"caf\\xe9\\n")).read()
    Traceback (most recent call last):
    placemat.DecodeError: 'utf-8' codec can't decode byte 0xe9 in position 3: missing continuation byte after 0xe9
    """
    name = _codec(encoding)
    kind = TextFile if file.writable() else io.TextIOWrapper
    return kind(file, name, errors, newline, line_buffering, write_through)


def open(
    file: str | bytes | os.PathLike[str] | os.PathLike[bytes] | int,
    mode: str = "r",
    encoding: str = "utf-8",
    errors: str = "strict",
    newline: str | None = None,
    buffering: int = -1,
    closefd: bool = True,
    opener: Callable[[str, int], int] | None = None,
) -> io.TextIOWrapper:
    """Opens a text file, as Python's `open` does, in any encoding and with any policy. `buffering` is the size of the buffer in
    bytes; 1 writes each line at once. `closefd` and `opener` are Python's.

    >>> import io, os, placemat, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "text")
    >>> with placemat.open(path, "w", "iso-2022-jp") as file:
    ...     count = file.write("日本\\n")
    >>> with io.open(path, "rb") as file:
    ...     file.read()
    b'\\x1b$BF|K\\\\\\x1b(B\\n'
    >>> placemat.open(path, "rb")
    Traceback (most recent call last):
    ValueError: placemat.open() opens text: mode 'rb' is for bytes
    """
    if "b" in mode:
        raise ValueError(f"placemat.open() opens text: mode {mode!r} is for bytes")
    name = _codec(encoding)
    text = builtins.open(file, mode, buffering, name, errors, newline, closefd, opener)
    assert isinstance(text, io.TextIOWrapper)
    if not text.writable():
        return text
    made = TextFile(text.detach(), name, errors, newline, text.line_buffering)
    made.mode = mode  # type: ignore[misc]
    return made
