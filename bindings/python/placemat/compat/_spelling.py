"""Names of encodings as the packages spell them that guess encodings, and as Python's codecs know them."""

from __future__ import annotations

import codecs
from typing import Optional

# Python then knows the encodings that it lacks, and decodes with every name here.
import placemat.codecs  # noqa: F401
from placemat.detection import Detection

#: Names that are not just in upper case. Of several, the first is used with which Python decodes the bytes.
_SPELLED = {
    "us-ascii": ["ascii"],
    "utf-8": ["utf-8"],
    "utf-16le": ["utf-16-le"],
    "utf-16be": ["utf-16-be"],
    "utf-32le": ["utf-32-le"],
    "utf-32be": ["utf-32-be"],
    "utf-7": ["utf-7"],
    "windows-874": ["CP874"],
    "iso-8859-8-i": ["ISO-8859-8"],
    "macintosh": ["MacRoman"],
    "x-mac-cyrillic": ["MacCyrillic"],
    "shift_jis": ["CP932", "SHIFT_JIS-2004"],
    "euc-jp": ["EUC-JP", "EUC-JIS-2004"],
    "euc-kr": ["CP949"],
    "johab": ["Johab"],
    "gbk": ["GB18030"],
    "gb18030": ["GB18030"],
    "big5": ["Big5", "CP950", "Big5-HKSCS"],
}
#: The names with a signature before the text.
_SIGNED = {"utf-8": "UTF-8-SIG", "utf-16le": "UTF-16", "utf-16be": "UTF-16", "utf-32le": "UTF-32", "utf-32be": "UTF-32"}


def _reads(name: str, data: bytes) -> bool:
    try:
        data.decode(name)
    except (UnicodeError, LookupError):
        return False
    return True


def spelled(encoding: Optional[str], found: Detection, data: bytes) -> Optional[str]:
    """Returns the name of an encoding that was found, as chardet spells it. `bytes.decode` takes it."""
    if encoding is None:
        return None
    if found.signature and encoding == found.encoding and encoding in _SIGNED:
        return _SIGNED[encoding]
    if encoding.startswith("windows-125"):
        return encoding.capitalize()
    names = _SPELLED.get(encoding, [encoding.upper()])
    if len(names) == 1:
        return names[0]
    return next((name for name in names if _reads(name, data)), names[0])


def python_name(name: str) -> str:
    """Returns the name of Python's module for an encoding, as in `encodings.koi8_r`."""
    return codecs.lookup(name).name.replace("-", "_")
