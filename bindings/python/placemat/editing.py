"""Text that is edited in its own encoding, and normal forms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Optional, overload

from placemat._placemat import editing as _editing
from placemat._placemat.editing import EditError as EditError

if TYPE_CHECKING:
    from typing_extensions import Buffer

_SURROGATES = re.compile("([\ud800-\udfff]+)")


class Replaced(NamedTuple):
    """The bytes of a file that an edit changed."""

    #: The range of the bytes, before the edit, that were replaced.
    start: int
    end: int
    #: The number of bytes in their place after the edit.
    length: int


class Document:
    """The bytes of a file in some encoding, edited as text: all bytes outside of a change stay as they are, even those that
    are no text. Offsets of the text count code points, as indexes of `text` do.

    A byte of an ill-formed sequence is one code point in the text, its stand-in: U+10FE00 plus the byte, unless the text
    has such code points itself. A signature at the start of the file is not part of the text, and stays.

    >>> import placemat
    >>> # Shift_JIS with a stray byte, and NEC's form of a symbol that encoders write in another way.
    >>> document = placemat.Document(b"\\x93\\xfa\\x96\\x7b \\xff colour \\x87\\x9a\\r\\n", "shift_jis")
    >>> document.text
    '日本 \\U0010feff colour ∵\\r\\n'
    >>> at = document.text.index("colour")
    >>> document.replace(at, at + 6, "color")
    Replaced(start=11, end=12, length=0)
    >>> document.to_bytes()
    b'\\x93\\xfa\\x96{ \\xff color \\x87\\x9a\\r\\n'
    >>> document.replace(0, 0, "5 € ")
    Traceback (most recent call last):
    placemat.EncodeError: 'shift_jis' codec can't encode character '\\u20ac' in position 2: the target encoding cannot represent U+20AC
    """

    def __init__(self, data: Buffer, encoding: str = "utf-8") -> None:
        self._document = _editing.Document(data, encoding)

    @property
    def encoding(self) -> str:
        """The name of the encoding."""
        return self._document.encoding()

    @property
    def signature(self) -> bytes:
        """The signature at the start of the file; empty if there is none."""
        return self._document.signature()

    @property
    def stand_ins(self) -> str | None:
        """The 256 code points that represent bytes without text, in the order of the bytes; None if the file had no such
        bytes when it was opened."""
        return self._document.stand_ins()

    @property
    def text(self) -> str:
        """The whole text, without the signature. It is made again for each use."""
        return self._document.text()

    def to_bytes(self) -> bytes:
        """Returns the bytes of the file."""
        return self._document.to_bytes()

    __bytes__ = to_bytes

    def __len__(self) -> int:
        """Returns the length of the file in bytes, with the signature."""
        return self._document.lengths()[0]

    def __bool__(self) -> bool:
        return True

    @property
    def text_len(self) -> int:
        """The length of the text in code points."""
        return self._document.lengths()[1]

    @property
    def utf16_len(self) -> int:
        """The length of the text in code units of UTF-16."""
        return self._document.lengths()[2]

    @property
    def line_count(self) -> int:
        """The number of lines: of line ends, and one more."""
        return self._document.lengths()[3]

    def slice(self, start: int, end: int) -> str:
        """Returns a part of the text, without making all of it."""
        return self._document.slice(start, end)

    def replace(self, start: int, end: int, new: str) -> Replaced:
        """Puts `new` in the place of a range of the text.

        Raises EncodeError if the encoding cannot represent a character of it, IndexError if there is no such range, and
        EditError if a byte without text would become part of a character. The document is then unchanged.

        >>> import placemat
        >>> placemat.Document(b"abc").replace(2, 5, "")
        Traceback (most recent call last):
        IndexError: 2:5 is no range of a text of 3 characters
        """
        return Replaced(*self._document.replace(start, end, new))

    def replace_all(self, changes: Iterable[tuple[int, int, str]]) -> None:
        """Makes all changes, or none if one cannot be made. The ranges are those of the text before all of them, from the
        first to the last.

        >>> import placemat
        >>> document = placemat.Document(b"caf\\xe9, th\\xe9\\n", "iso-8859-1")
        >>> document.replace_all([(0, 4, "crème"), (6, 9, "eau")])
        >>> document.to_bytes()
        b'cr\\xe8me, eau\\n'
        """
        self._document.replace_all([(start, end, new) for start, end, new in changes])

    def text_to_byte(self, offset: int) -> Optional[int]:
        """Returns the byte of the file at which the sequence of a code point of the text begins; None beyond the end.

        >>> import placemat
        >>> document = placemat.Document("\\ufeffhé!".encode("utf-16le"), "utf-16le")
        >>> document.text_to_byte(2), document.text_of_byte(6), document.text_to_byte(9)
        (6, 2, None)
        """
        return self._document.text_to_byte(offset)

    def text_of_byte(self, byte: int) -> Optional[int]:
        """Returns the code point of the text whose sequence has a byte of the file; None beyond the end."""
        return self._document.text_of_byte(byte)

    def utf16_of_text(self, offset: int) -> Optional[int]:
        """Returns the offset in code units of UTF-16 of a code point of the text; None beyond the end."""
        return self._document.utf16_of_text(offset)

    def text_of_utf16(self, utf16: int) -> Optional[int]:
        """Returns the code point of the text at an offset in code units of UTF-16; None beyond the end."""
        return self._document.text_of_utf16(utf16)

    def position_of_text(self, offset: int) -> Optional[tuple[int, int]]:
        """Returns the line and the column of a code point of the text, as editors and the Language Server Protocol count:
        both from 0, the column in code units of UTF-16. LF, CR LF and CR end a line.

        >>> import placemat
        >>> document = placemat.Document("é\\r\\n😀!".encode())
        >>> document.position_of_text(4), document.text_of_position(1, 2), document.text_of_position(2, 0)
        ((1, 2), 4, None)
        """
        return self._document.position_of_text(offset)

    def text_of_position(self, line: int, column: int) -> Optional[int]:
        """Returns the code point of the text at a line and a column; None for a line that the text does not have."""
        return self._document.text_of_position(line, column)

    def __repr__(self) -> str:
        return f"<placemat.Document {self.encoding}, {len(self)} bytes>"


@overload
def normalize(text: str, form: str = "nfc") -> str: ...
@overload
def normalize(text: Buffer, form: str = "nfc") -> bytes: ...
def normalize(text: str | Buffer, form: str = "nfc") -> str | bytes:
    """Brings a text into a normal form: 'nfc', 'nfd', 'nfkc', 'nfkd'; 'mac', which Apple's file systems use for names; or
    'net' of RFC 5198. A `str` gives a `str`, and bytes in UTF-8 give bytes.

    >>> import placemat
    >>> placemat.normalize("cafe\\u0301"), placemat.normalize("ﬁ", "nfkc")
    ('café', 'fi')
    >>> placemat.normalize(b"caf\\xe9")
    Traceback (most recent call last):
    placemat.DecodeError: 'utf-8' codec can't decode byte 0xe9 in position 3: incomplete sequence 0xe9
    """
    if not isinstance(text, str):
        from placemat import decode

        return _editing.normalize(decode(text), form).encode()
    if text.isascii() or not _SURROGATES.search(text):
        return _editing.normalize(text, form)
    # A surrogate combines with nothing.
    parts = _SURROGATES.split(text)
    parts[::2] = [_editing.normalize(part, form) for part in parts[::2]]
    return "".join(parts)
