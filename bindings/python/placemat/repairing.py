"""Repair of damaged text, with every change on record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from placemat._placemat import repairing as _repairing

if TYPE_CHECKING:
    from typing_extensions import Buffer


class UndoError(ValueError):
    """The text is not the one that the record of a repair belongs to. `offset` is where it differs, in code points."""

    def __init__(self, offset: int) -> None:
        super().__init__(
            f"the text at offset {offset} is not what the record says: undo takes the text and the changes of one repair, unchanged"
        )
        self.offset = offset


class Change(NamedTuple):
    """A change that a repair made: these bytes, or this part of a `str`, became this text."""

    #: The step that made the change: 'wide', 'pairs', 'bytes', 'lost', 'mojibake', 'legacy' or 'controls'.
    step: str
    #: The offset in the source: in bytes, or for a `str` in code points.
    offset: int
    #: The part of the source.
    before: Union[bytes, str]
    #: The offset in the repaired text, in code points.
    repaired_offset: int
    #: The text in its place.
    after: str
    #: The encodings that explain the damage, one for each layer, the outermost first.
    encodings: list[str]
    #: Whether some of the text had to be guessed, because the damage destroyed it.
    lossy: bool
    #: The gain in nats that the language model sees in the change of the line; 0 where the proof is another.
    gain: float
    #: The probability that the change is right, from 0 to 1.
    confidence: float


class Repaired(NamedTuple):
    """A repaired text, and how it came about."""

    text: str
    #: The encoding of the source: UTF-8, also where bytes of other encodings stand inside it; one of UTF-16 and UTF-32; or
    #: the legacy encoding that all of the text is in. None if the source was a `str`.
    encoding: Optional[str]
    #: The changes, in the order of their offsets.
    changes: list[Change]

    def undo(self) -> Union[bytes, str]:
        """Returns the source: bytes, or a `str`.

        >>> import placemat
        >>> placemat.repair(b"caf\\xe9").undo()
        b'caf\\xe9'
        >>> placemat.repair("cafÃ©")._replace(text="tea").undo()
        Traceback (most recent call last):
        placemat.repairing.UndoError: the text at offset 3 is not what the record says: undo takes the text and the changes of one repair, unchanged
        """
        return undo(self.text, self.encoding, self.changes)


def repair(
    source: Union[str, Buffer],
    *,
    steps: Iterable[str] | None = None,
    min_confidence: float = 0.0,
    lost: str = "replace",
    fallback: str | None = None,
) -> Repaired:
    """Repairs damaged text: bytes of any origin, or a `str` that was decoded wrongly. Text without damage stays as it is.

    `steps` are the names of the only steps to take. `min_confidence`, from 0 to 1, is how sure a change must be; bytes
    that are ill-formed change in any case. `lost` chooses what to write for bytes that cannot be recovered: 'replace'
    (U+FFFD) or 'escape' (`\\\\xHH`). `fallback` is the encoding of ill-formed bytes, which is detected otherwise. In a
    `str`, an escaped byte, U+DC80 to U+DCFF as 'surrogateescape' makes them, is repaired as the byte.

    >>> import placemat
    >>> repaired = placemat.repair(b"na\\xc3\\x83\\xc2\\xafve, d\\xe9j\\xe0 vu")
    >>> repaired.text
    'naïve, déjà vu'
    >>> for change in repaired.changes:
    ...     print(change.offset, change.before, change.after, change.step, change.encodings)
    2 b'\\xc3\\x83\\xc2\\xaf' ï mojibake ['windows-1252']
    11 b'\\xe9' é bytes ['windows-1252']
    13 b'\\xe0' à bytes ['windows-1252']
    >>> placemat.repair("cafÃ© crÃ¨me").text, placemat.repair("café crème").changes
    ('café crème', [])
    >>> placemat.repair("cafÃ©", steps=["magic"])
    Traceback (most recent call last):
    ValueError: unknown step of a repair: magic; there are wide, pairs, bytes, lost, mojibake, legacy, controls
    """
    if isinstance(steps, str):
        raise TypeError(f"steps is a list of names: [{steps!r}], not {steps!r}")
    settings = (None if steps is None else list(steps), min_confidence, lost, fallback)
    if isinstance(source, str):
        text, changes = _repairing.repair_text(source, settings)
        return Repaired(text, None, [Change(*change) for change in changes])
    text, encoding, found = _repairing.repair_bytes(source, settings)
    return Repaired(text, encoding, [Change(*change) for change in found])


def undo(text: str, encoding: str | None, changes: Sequence[Change]) -> Union[bytes, str]:
    """Returns the source from which a repair made `text`, by the record of the repair. `encoding` is `Repaired.encoding`:
    with None, the source was a `str`, and else it was bytes.

    >>> import placemat
    >>> text, encoding, changes = placemat.repair(b"a well-formed \\xc3\\xa9, a lone \\xe9")
    >>> placemat.undo(text, encoding, changes)
    b'a well-formed \\xc3\\xa9, a lone \\xe9'
    >>> placemat.undo("another text", encoding, changes)
    Traceback (most recent call last):
    placemat.repairing.UndoError: the text at offset 12 is not what the record says: undo takes the text and the changes of one repair, unchanged
    """
    at = 0
    parts: list[str] = []
    for change in changes:
        start, end = change.repaired_offset, change.repaired_offset + len(change.after)
        if start < at or text[start:end] != change.after:
            raise UndoError(min(start, len(text)))
        if encoding is None:
            parts += [text[at:start], str(change.before)]
        at = end
    if encoding is None:
        return "".join([*parts, text[at:]])
    found = _repairing.undo_bytes(text, encoding, [change[:5] for change in changes])  # type: ignore[misc]
    if isinstance(found, int):
        raise UndoError(found)
    return found
