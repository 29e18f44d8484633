"""Text files in any encoding."""

from __future__ import annotations

import builtins
import io
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import os


def _codec(encoding: str) -> str:
    """The name under which Python knows placemat's codec. Only files need it registered, so importing placemat does not."""
    from placemat import codecs

    return codecs.info(encoding).name


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
    placemat.DecodeError: 'utf-8' codec can't decode byte 0xe9 in position 3: missing continuation byte after e9
    """
    name = _codec(encoding)
    return io.TextIOWrapper(file, name, errors, newline, line_buffering, write_through)


def open(
    file: str | bytes | os.PathLike[str] | os.PathLike[bytes] | int,
    mode: str = "r",
    encoding: str = "utf-8",
    errors: str = "strict",
    newline: str | None = None,
    buffering: int = -1,
) -> io.TextIOWrapper:
    """Opens a text file, as Python's `open` does, in any encoding and with any policy. `buffering` is the size of the buffer in
    bytes; 1 writes each line at once.

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
    return builtins.open(file, mode, buffering, name, errors, newline)  # type: ignore[return-value]
