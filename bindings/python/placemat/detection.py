"""The probable encoding of bytes, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional

from placemat._placemat import detection as _detection

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Candidate(NamedTuple):
    """An encoding that bytes may be in."""

    encoding: str
    #: The probability, from 0 to 1.
    confidence: float
    #: The language in which the text is most probable: its code, such as 'ru'.
    language: Optional[str]
    #: Whether this encoding reads the bytes as the same text as the detected one.
    same_text: bool


class Declared(NamedTuple):
    """The encoding that a text says it is in."""

    #: Where that is said, such as 'XML declaration'.
    convention: str
    label: str
    #: The encoding of that label, if it is known.
    encoding: Optional[str]
    #: The offset of the label, in bytes.
    offset: int
    #: Whether the bytes are in another encoding, which reads them differently.
    contradicted: bool


class RuledOut(NamedTuple):
    """An encoding that the bytes prove wrong."""

    encoding: str
    #: The offset of the first ill-formed sequence.
    offset: int
    #: Its bytes.
    bytes: bytes


class Damage(NamedTuple):
    """The state of a text in damaged UTF-8."""

    #: Ill-formed sequences.
    ill_formed: int
    #: Well-formed sequences of several bytes.
    well_formed: int
    #: The offset of the first ill-formed sequence.
    first: int


class Region(NamedTuple):
    """A stretch of bytes that is in one encoding: whole lines, or a run inside a line of UTF-8."""

    #: The offset of its first byte.
    offset: int
    #: Its length in bytes.
    length: int
    #: The number of the line in which it begins, from 1. Lines end with U+000A.
    line: int
    #: The number of lines of which the region has at least a part.
    lines: int
    encoding: str
    #: The probability that the encoding is right, from 0 to 1.
    confidence: float


class Detection(NamedTuple):
    """The probable encoding of bytes, as `detect` finds it, and why."""

    #: 'text', 'binary', 'empty' or 'unknown'.
    verdict: str
    #: The most probable encoding, if the verdict is 'text'.
    encoding: Optional[str]
    #: The probability that it is right, or another encoding that reads the same text: from 0 to 1.
    confidence: float
    #: The code of the language, if the language model was asked.
    language: Optional[str]
    #: The evidence: 'signature', 'ascii', 'well-formed', 'structure', 'statistics', 'declaration' or 'nothing'.
    basis: str
    #: The signature at the start: its encoding, and its length in bytes.
    signature: Optional[tuple[str, int]]
    #: All encodings that are worth a look, the most probable first.
    candidates: list[Candidate]
    #: The offset of the first byte that is not ASCII.
    first_non_ascii: Optional[int]
    declared: Optional[Declared]
    ruled_out: list[RuledOut]
    damage: Optional[Damage]
    #: The encodings of its lines, if they are clearly in several. `regions` finds which line is in which.
    mixed: list[str]
    #: The number of bytes that were read.
    len: int
    #: Whether the text goes on after the bytes that were read.
    is_prefix: bool
    #: The name of the language in English, such as 'Russian'.
    language_name: Optional[str]

    @property
    def same_text(self) -> list[str]:
        """The other encodings that read the same text."""
        return [c.encoding for c in self.candidates if c.same_text and c.encoding != self.encoding]

    @property
    def contradicts_declaration(self) -> bool:
        """Whether the text declares an encoding that reads it otherwise."""
        return self.declared is not None and self.declared.contradicted

    @property
    def advice(self) -> str:
        """The call that makes text of the bytes, `data`; empty if they are no text.

        Text in several encodings and damaged UTF-8 need `repair`: `decode` with the encoding found would ruin the rest.

        >>> import placemat
        >>> placemat.detect(b"d\\xe9j\\xe0 vu, un caf\\xe9 cr\\xe8me").advice
        "placemat.decode(data, 'windows-1252')"
        >>> two = "Это первая строка.\\n".encode() + "А это другая строка.\\n".encode("cp1251")
        >>> placemat.detect(two).advice
        'placemat.repair(data).text'
        """
        if self.encoding is None:
            return ""
        if self.mixed or self.damage:
            return "placemat.repair(data).text"
        return f"placemat.decode(data, {self.encoding!r})"

    def __str__(self) -> str:
        words = self.encoding or self.verdict
        if others := self.same_text:
            words += f" or reads the same ({others[0]}{', …' if others[1:] else ''})"
        if self.mixed or self.damage:
            words += f", with parts in other encodings or damaged: {self.advice} keeps all of it"
        if self.is_prefix:
            words += f", by a prefix of {self.len} bytes"
        return words


class Detector:
    """Detects the encoding of a text that comes in pieces, in constant memory.

    >>> import placemat
    >>> detector = placemat.Detector()
    >>> for piece in (b"na\\xc3", b"\\xafve caf\\xc3\\xa9s"):
    ...     detector.feed(piece)
    >>> detector.finish().encoding
    'utf-8'
    >>> detector.feed("text")
    Traceback (most recent call last):
    TypeError: a bytes-like object is required, not 'str', which is text already
    """

    def __init__(self) -> None:
        self._detector = _detection.Detector()

    def feed(self, data: Buffer) -> None:
        """Reads the next bytes."""
        self._detector.feed(data)

    def finish(self) -> Detection:
        """Returns the answer for a text that ends here. More bytes may follow all the same; the next answer is for all."""
        return _named(self._detector.finish())

    def finish_prefix(self) -> Detection:
        """Returns the answer for the start of a text that goes on: a sequence that the cut divides does not count, and a
        start in ASCII is called UTF-8.

        >>> import placemat
        >>> detector = placemat.Detector()
        >>> detector.feed(b"id;name\\n1;Ren")
        >>> detector.finish_prefix().encoding, detector.finish().encoding
        ('utf-8', 'us-ascii')
        """
        return _named(self._detector.finish_prefix())


def detect(data: Buffer) -> Detection:
    """The probable encoding of bytes, by all of them.

    >>> import placemat
    >>> found = placemat.detect("Съешь же ещё этих мягких французских булок".encode("koi8-r"))
    >>> found.encoding, found.language, found.basis
    ('koi8-r', 'ru', 'statistics')
    >>> placemat.detect(b"\\x00\\xff\\x00\\x01\\x02").encoding is None
    True
    """
    detector = Detector()
    detector.feed(data)
    return detector.finish()


#: The former name of `detect`.
sniff = detect


def regions(data: Buffer) -> list[Region]:
    """The stretches of bytes that are in one encoding each; together they are all of the bytes.

    >>> import placemat
    >>> text = "Это первая строка, в UTF-8.\\nИ вторая строка.\\n"
    >>> other = "Эта строка в другой кодировке, к сожалению.\\n".encode("cp1251")
    >>> for region in placemat.regions(text.encode() + other):
    ...     print(region.line, region.lines, region.encoding)
    1 2 utf-8
    3 1 windows-1251
    >>> placemat.regions(b"")
    []
    """
    return [Region(*region) for region in _detection.regions(data)]


def _named(answer: _detection._Answer) -> Detection:
    verdict, reasons = answer
    signature, candidates, first_non_ascii, declared, ruled_out, damage, mixed = reasons
    kind, encoding, confidence, language, basis, length, is_prefix, language_name = verdict
    return Detection(
        verdict=kind,
        encoding=encoding,
        confidence=confidence,
        language=language,
        basis=basis,
        signature=signature,
        candidates=[Candidate(*candidate) for candidate in candidates],
        first_non_ascii=first_non_ascii,
        declared=declared and Declared(*declared),
        ruled_out=[RuledOut(*out) for out in ruled_out],
        damage=damage and Damage(*damage),
        mixed=mixed,
        len=length,
        is_prefix=is_prefix,
        language_name=language_name,
    )
