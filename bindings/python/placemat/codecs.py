"""Codecs for Python's own functions: `str.encode`, `bytes.decode`, `open(encoding=…)`, `io.TextIOWrapper`.

After `import placemat.codecs`, Python knows every name that it lacks (cesu-8, mutf-8, wtf-8, utf-7-imap, scsu, EBCDIC, MARC-8 and the
others). Names that Python has stay Python's; placemat's are under `placemat.NAME`.

>>> import placemat.codecs
>>> "😀".encode("cesu-8")
b'\\xed\\xa0\\xbd\\xed\\xb8\\x80'
>>> b"\\xc0\\x80".decode("mutf-8")
'\\x00'
>>> b"caf\\xe9".decode("placemat.utf-8")
Traceback (most recent call last):
placemat.DecodeError: 'utf-8' codec can't decode byte 0xe9 in position 3: incomplete sequence 0xe9
>>> b"a".decode("klingon")
Traceback (most recent call last):
LookupError: unknown encoding: klingon

A program of Python that takes the name of an encoding gets the codecs without a change by

    python -m placemat.codecs csvcut -e cesu-8 -c 1 table.csv

which registers them and then runs the program: one that pip installed, by its name, or a module.
"""

from __future__ import annotations

import codecs
import re
import runpy
import sys
from functools import lru_cache, partial
from importlib import metadata
from typing import TYPE_CHECKING

from placemat._placemat import Decoder, Encoder, Lock, decode, encode
from placemat.reports import encodings, lookup

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Before a name, it says that placemat's codec is meant.
PREFIX = "placemat."


class _Reader(codecs.StreamReader):
    """Reads from a binary file; what is incomplete waits in the decoder. Calls on several threads have their turns."""

    encoding: str

    def __init__(self, stream: codecs._ReadableStream, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._decoder = Decoder(self.encoding, errors)
        self._lock = Lock()
        # The error after which the place in the file is lost.
        self._failed: UnicodeDecodeError | None = None

    def decode(self, input: Buffer, errors: str = "strict") -> tuple[str, int]:
        return self._decoder.decode(input), memoryview(input).nbytes

    def read(self, size: int = -1, chars: int = -1, firstline: bool = False) -> str:
        try:
            self._lock.acquire()
            if self._failed is not None:
                raise self._failed
            return super().read(size, chars, firstline)
        except UnicodeDecodeError as error:
            self._failed = error
            raise
        finally:
            self._lock.release()

    def readline(self, size: int | None = None, keepends: bool = True) -> str:
        try:
            self._lock.acquire()
            return super().readline(size, keepends)
        finally:
            self._lock.release()

    def seek(self, offset: int, whence: int = 0) -> None:
        with self._lock:
            super().seek(offset, whence)

    def reset(self) -> None:
        with self._lock:
            super().reset()
            self._decoder.reset()
            self._failed = None


class _Writer(codecs.StreamWriter):
    """Writes to a binary file; the state stays in the encoder. Calls on several threads have their turns."""

    encoding: str

    def __init__(self, stream: codecs._WritableStream, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._encoder = Encoder(self.encoding, errors, for_file=True)
        self._lock = Lock()

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        return self._encoder.encode(input), len(input)

    def write(self, object: str) -> None:
        # Half the time of `with`.
        try:
            self._lock.acquire()
            data, _ = self.encode(object, self.errors)
            self.stream.write(data)
        finally:
            self._lock.release()

    def seek(self, offset: int, whence: int = 0) -> None:
        with self._lock:
            super().seek(offset, whence)

    def reset(self) -> None:
        """Begins a new text."""
        with self._lock:
            self._encoder.reset()


def info(name: str) -> codecs.CodecInfo:
    """The codec of an encoding, as `codecs.lookup` gives it.

    >>> info("scsu").encode("é")
    (b'\\xe9', 1)
    >>> info("utf9")
    Traceback (most recent call last):
    LookupError: unknown encoding: utf9; did you mean utf8?
    """
    return _info(lookup(name).name)


@lru_cache(maxsize=None)
def _info(name: str) -> codecs.CodecInfo:
    def encode_all(text: str, errors: str = "strict") -> tuple[bytes, int]:
        return encode(text, name, errors), len(text)

    def decode_all(data: Buffer, errors: str = "strict") -> tuple[str, int]:
        return decode(data, name, errors), memoryview(data).nbytes

    class StreamReader(_Reader):
        encoding = name

    class StreamWriter(_Writer):
        encoding = name

    return codecs.CodecInfo(
        name=PREFIX + name,
        encode=encode_all,
        decode=decode_all,
        incrementalencoder=partial(Encoder, name, for_file=True),  # type: ignore[arg-type]  # a class, to its callers
        incrementaldecoder=partial(Decoder, name, for_file=True),  # type: ignore[arg-type]
        streamreader=StreamReader,
        streamwriter=StreamWriter,
    )


def _normal(name: str) -> str:
    """A name as `codecs.lookup` gives it to search functions."""
    return re.sub("[^a-z0-9.]+", "_", name.lower()).strip("_")


@lru_cache(maxsize=None)
def _names() -> dict[str, str]:
    """The encodings by all their normal names."""
    found: dict[str, str] = {}
    for name in encodings():
        for label in [name, *lookup(name).labels]:
            found.setdefault(_normal(label), name)
    return found


def search(name: str) -> codecs.CodecInfo | None:
    """The search function that `register` registers. Python asks it after its own."""
    plain = _normal(name)
    inner = plain[len(PREFIX) :] if plain.startswith(PREFIX) else plain
    found = _names().get(inner)
    if found is None and inner != plain and not inner.startswith(PREFIX):
        # Any name that `lookup` takes.
        try:
            found = lookup(inner).name
        except LookupError:
            return None
    return _info(found) if found else None


def register() -> None:
    """Registers the codecs, once. Importing the module does so."""
    global _registered
    if not _registered:
        codecs.register(search)
        _registered = True


_registered = False
register()


def _run(arguments: list[str]) -> None:
    """Runs a program, which pip installed or which is a module, as its own name and arguments would."""
    if not arguments or arguments[0].startswith("-"):
        sys.exit("usage: python -m placemat.codecs PROGRAM [ARGUMENT]...")
    name = arguments[0]
    sys.argv = arguments
    # The parameters of `entry_points` differ between versions of Python.
    for distribution in metadata.distributions():
        for entry in distribution.entry_points:
            if entry.group == "console_scripts" and entry.name == name:
                sys.exit(entry.load()())
    try:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    except ImportError as e:
        # A name is that of a module which the program itself lacks.
        if e.name is not None:
            raise
        sys.exit(f"placemat.codecs: no program and no module is called {name!a}")


if __name__ == "__main__":
    _run(sys.argv[1:])
