"""Reports about bytes and names: every error, lengths, the names of an encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from placemat._placemat import reports as _reports

if TYPE_CHECKING:
    from typing_extensions import Buffer


#: More findings than there can be.
_ALL = 1 << 62


class Finding(NamedTuple):
    """An ill-formed sequence, as `check` finds it."""

    #: The number of bytes before it.
    offset: int
    #: Its bytes: a maximal subpart, for which the policy 'replace' puts one U+FFFD.
    bytes: bytes
    #: Its kind: a short stable name such as 'overlong-2'.
    code: str
    #: The line, from 1. Lines end with U+000A.
    line: int
    #: The column, from 1, in code points. An ill-formed sequence is one column wide.
    column: int
    #: What is wrong, in words.
    message: str
    #: What to do; may be empty.
    help: str

    @property
    def length(self) -> int:
        """The number of its bytes."""
        return len(self.bytes)

    def __str__(self) -> str:
        help = f" ({self.help})" if self.help else ""
        return f"{self.line}:{self.column}: {self.message}, at byte {self.offset}{help}"


class Lengths(NamedTuple):
    """The lengths of a text, as `count` counts them, with one U+FFFD for each ill-formed sequence."""

    bytes: int
    code_points: int
    #: Its bytes in UTF-8.
    utf8: int
    #: Its code units in UTF-16.
    utf16: int
    #: U+000A.
    line_feeds: int
    #: Ill-formed sequences.
    ill_formed: int


class Encoding(NamedTuple):
    """An encoding, as `lookup` finds it."""

    name: str
    #: Other names: those of IANA, WHATWG and vendors.
    labels: list[str]
    #: The labels that browsers accept.
    web_labels: list[str]
    #: A description in one sentence.
    about: str
    #: The documents that specify it.
    specified_in: str
    #: The code points that it can represent, in words.
    repertoire: str
    #: The length in bytes of its longest code point.
    max_bytes: int
    #: Whether bytes of ASCII mean ASCII, alone or between others.
    is_ascii_compatible: bool
    #: The bytes of U+FEFF at the start of a text; empty if it has none.
    signature: bytes


def check(data: Buffer, encoding: str = "utf-8", *, limit: int | None = None) -> list[Finding]:
    """All ill-formed sequences, in order; with `limit`, only the first ones.

    >>> import placemat
    >>> for finding in placemat.check(b"5 \\xe2\\x82\\xac\\ncaf\\xe9 \\xc0\\xaf"):
    ...     print(finding.line, finding.column, finding.code, finding.message)
    2 4 truncated lead byte 0xe9: needs 2 more continuation bytes, found 0x20 ' '; looks like Latin-1 or windows-1252 'é'
    2 6 overlong-2 overlong sequence 0xc0 0xaf: two bytes where one would do, would be U+002F '/'
    2 7 unexpected-continuation continuation byte 0xaf: belongs to the overlong sequence at byte 11
    >>> placemat.check("well-formed €".encode())
    []
    """
    if limit is not None and limit < 0:
        raise ValueError(f"limit is the number of findings, 0 or more: not {limit}")
    most = min(limit if limit is not None else _ALL, _ALL)
    return [
        Finding(offset, found, code, line, column, message, help)
        for offset, found, code, line, column, message, help in _reports.check(data, encoding, most)
    ]


def count(data: Buffer, encoding: str = "utf-8") -> Lengths:
    """The lengths of a text in every unit.

    >>> import placemat
    >>> placemat.count("5 €, 😀\\n".encode())
    Lengths(bytes=12, code_points=7, utf8=12, utf16=8, line_feeds=1, ill_formed=0)
    >>> placemat.count(b"\\xff").ill_formed
    1
    """
    return Lengths(*_reports.count(data, encoding))


def lookup(label: str, vendor: str | None = None) -> Encoding:
    """The encoding that a label means: any of IANA, WHATWG or others, in any case; or that of one vendor ('MySQL', 'Oracle',
    'PostgreSQL', 'Perl'), whose names may mean something else elsewhere.

    Raises LookupError, with the nearest name that there is.

    >>> import placemat
    >>> placemat.lookup("cp1251").name
    'windows-1251'
    >>> placemat.lookup("latin1").name, placemat.lookup("latin1", vendor="mysql").name
    ('iso-8859-1', 'windows-1252')
    >>> placemat.lookup("utf9")
    Traceback (most recent call last):
    LookupError: unknown encoding: utf9; did you mean utf8?
    """
    return Encoding(*_reports.lookup(label, vendor))


def encodings() -> list[str]:
    """The names of all encodings.

    >>> import placemat
    >>> "cesu-8" in placemat.encodings(), "utf9" in placemat.encodings()
    (True, False)
    """
    return _reports.encodings()
