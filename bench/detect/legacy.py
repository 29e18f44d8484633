"""Encodings as others define them (Python's codecs, the C library's iconv), and the languages that were written in each.

Nothing here is the library's: what this encodes is the judge of what the library detects.
"""

import codecs
import functools
import re
import subprocess
import unicodedata

# The codecs of Python that have another name than this list.
PYTHON = {
    "windows-874": "cp874", "iso-8859-11": "iso8859_11", "macintosh": "mac_roman", "x-mac-ce": "mac_latin2",
    "x-mac-croatian": "mac_croatian", "x-mac-romanian": "mac_romanian", "x-mac-greek": "mac_greek",
    "x-mac-turkish": "mac_turkish", "x-mac-icelandic": "mac_iceland", "x-mac-cyrillic": "mac_cyrillic",
    "shift_jis": "cp932", "big5": "cp950", "big5-hkscs": "big5hkscs", "euc-kr": "euc_kr", "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be", "utf-32le": "utf-32-le", "utf-32be": "utf-32-be", "hp-roman8": "hp_roman8",
    "iso-2022-jp": "iso2022_jp", "iso-2022-kr": "iso2022_kr",
}
# Encodings that Python lacks, by their names in iconv.
ICONV = {
    "viscii": "VISCII", "tcvn": "TCVN5712-1", "armscii-8": "ARMSCII-8", "georgian-ps": "GEORGIAN-PS",
    "georgian-academy": "GEORGIAN-ACADEMY", "koi8-ru": "KOI8-RU", "euc-tw": "EUC-TW", "koi8-t": "KOI8-T",
}
ICONV |= {f"ibm{n}": f"IBM{n}" for n in "277 278 280 284 285 297 420 423 870 871 880 1047 1025 1112 1122 1123".split()}
ICONV["ibm838"] = "IBM-1160"
STATEFUL = {"iso-2022-jp", "iso-2022-kr", "hz", "utf-7"}

WEST = ("ibm850 ibm858 ibm437 macintosh windows-1252 iso-8859-1 iso-8859-15 ibm037 ibm500 ibm1140 ibm1047")
NATURAL = [
    ("af ca da de es eu fi fr ga gl is it nb nl nn pt sv sq oc br ast", WEST),
    ("fy lb fo", "windows-1252 iso-8859-1 ibm850 iso-8859-15"),
    ("pt", "ibm860"), ("is", "ibm861 x-mac-icelandic ibm871 iso-8859-10"), ("fr", "ibm863 ibm297"),
    ("da nb nn", "ibm865 ibm277"), ("de", "ibm273 hp-roman8"), ("sv fi", "ibm278"), ("it", "ibm280"),
    ("es", "ibm284"), ("fr sv", "hp-roman8"),
    ("cy ga gd br", "iso-8859-14"), ("eo mt", "iso-8859-3"),
    ("lt lv et", "windows-1257 iso-8859-13 iso-8859-4 ibm775 ibm1112"), ("et", "ibm1122 windows-1252"),
    ("lt lv", "x-mac-ce iso-8859-10"),
    ("cs sk pl hu hr sl bs sr-Latn hsb dsb szl", "windows-1250 iso-8859-2 ibm852 x-mac-ce ibm870"),
    ("hr sl bs sr-Latn", "x-mac-croatian iso-8859-16"), ("pl hu", "iso-8859-16"),
    ("ro", "windows-1250 iso-8859-2 ibm852 iso-8859-16 x-mac-romanian"), ("sq", "windows-1250"),
    ("tr kmr", "windows-1254 iso-8859-9 ibm857 x-mac-turkish ibm1026"), ("az", "windows-1254 iso-8859-9"),
    ("ru bg be mk sr", "windows-1251 iso-8859-5 ibm855 x-mac-cyrillic ibm1025"), ("ru bg be", "ibm866 koi8-r"),
    ("ru be", "koi8-ru"), ("ru bg", "ibm880"),
    ("uk", "windows-1251 koi8-u iso-8859-5 ibm1125 x-mac-cyrillic ibm1123"), ("kk", "kz1048 ptcp154"),
    ("tt ba", "ptcp154"), ("tg", "koi8-t"), ("mn ky", "windows-1251"),
    ("el", "windows-1253 iso-8859-7 ibm737 ibm869 x-mac-greek ibm875"),
    ("he", "windows-1255 iso-8859-8 ibm862 ibm424"), ("yi", "windows-1255"),
    ("ar", "windows-1256 iso-8859-6 ibm720"), ("ur fa", "windows-1256"),
    ("th", "windows-874 iso-8859-11"), ("vi", "windows-1258 viscii tcvn"),
    ("ka", "georgian-ps georgian-academy"), ("hy", "armscii-8"),
    ("ja", "shift_jis euc-jp iso-2022-jp utf-16le utf-16be"),
    ("zh-Hans", "gb18030 gbk gb2312 hz utf-16le utf-16be"),
    ("zh-Hant", "big5 big5-hkscs euc-tw gb18030 utf-16le"),
    ("ko", "euc-kr cp949 johab iso-2022-kr utf-16le utf-16be"),
    ("ru el ar hi th de tr vi he", "utf-8 utf-16le utf-16be utf-32le utf-7"),
    ("ta bn hy ka", "utf-8 utf-16le"),
]


# Languages that no package under the MPL-2.0 is translated into: the model knows nothing of them.
UNTRAINED = frozenset("ba fo lb mt yi".split())


def natural_pairs():
    """Pairs of a language and an encoding, each once."""
    pairs = {}
    for languages, encodings in NATURAL:
        for language in languages.split():
            for encoding in encodings.split():
                pairs[language, encoding] = None
    return list(pairs)


def python_name(encoding):
    return PYTHON.get(encoding, "cp" + encoding[3:] if re.match(r"ibm\d", encoding) else encoding)


TONES = "\u0300\u0301\u0303\u0309\u0323"
COMMA_BELOW = str.maketrans("șțȘȚ", "şţŞŢ")


def spelled_for(text, encoding):
    """The text as its writers spelled it where an encoding lacks a letter."""
    if encoding in ("windows-1250", "iso-8859-2", "ibm852", "ibm870", "x-mac-ce"):
        return text.translate(COMMA_BELOW)
    if encoding in ("windows-1256", "ibm720"):
        return text.replace("\u06cc", "\u064a")
    return text


def with_tones_apart(c):
    """windows-1258 writes the marks of the five tones as characters of their own."""
    parts = unicodedata.normalize("NFD", c)
    tone = [p for p in parts if p in TONES]
    if not tone or not c.isalpha():
        return c
    return unicodedata.normalize("NFC", "".join(p for p in parts if p not in TONES)) + tone[0]


class Encoder:
    """Encodes character by character, by a map that it makes once."""

    def __init__(self, encoding, characters):
        self.encoding = encoding
        self.stateful = encoding in STATEFUL
        self.map = {}
        if encoding in ICONV:
            self.map = iconv_map(ICONV[encoding], characters)
        else:
            codec = python_name(encoding)
            for c in characters:
                try:
                    self.map[c] = (with_tones_apart(c) if encoding == "windows-1258" else c).encode(codec)
                except UnicodeEncodeError:
                    pass
        self.keys = frozenset(self.map)

    def can(self, text):
        return self.keys.issuperset(text)

    def encode(self, text):
        if self.stateful:
            return text.encode(python_name(self.encoding))
        return b"".join(map(self.map.__getitem__, text))

    def prefix(self, text, size):
        """The most characters of a text that take at most `size` bytes."""
        if self.stateful:
            low, high = 0, len(text)
            while low < high:
                middle = (low + high + 1) // 2
                if len(self.encode(text[:middle])) <= size:
                    low = middle
                else:
                    high = middle - 1
            return text[:low]
        n = 0
        for i, c in enumerate(text):
            n += len(self.map[c])
            if n > size:
                return text[:i]
        return text


def iconv_map(name, characters):
    """Return iconv's output for each character, from one call: line ends separate the characters."""
    run = lambda text: subprocess.run(["iconv", "-c", "-f", "UTF-8", "-t", name], input=text.encode(), capture_output=True).stdout
    end = run("\n")
    listed = [c for c in sorted(characters) if c not in "\n\r\x85"]
    parts = run("\n".join(listed)).split(end)
    assert len(parts) == len(listed), name
    return {c: part for c, part in zip(listed, parts) if part} | {"\n": end}


# What the labels of libraries and tools mean, by the names of Python or of the list above.
NAMES = {
    "windows949": "cp949", "uhc": "cp949", "windows874": "cp874", "windows31j": "cp932", "windows936": "gbk", "tis620": "tis_620",
    "iso885911": "iso8859_11", "macintosh": "mac_roman", "macroman": "mac_roman", "xmacroman": "mac_roman",
    "xmaccyrillic": "mac_cyrillic", "maccyrillic": "mac_cyrillic", "xmacce": "mac_latin2", "maccentraleurope": "mac_latin2",
    "maclatin2": "mac_latin2", "xmacgreek": "mac_greek", "xmacturkish": "mac_turkish", "xmacromanian": "mac_romanian",
    "xmaccroatian": "mac_croatian", "xmacicelandic": "mac_iceland", "maciceland": "mac_iceland", "macicelandic": "mac_iceland",
    "utf16be": "utf_16_be", "utf16le": "utf_16_le", "utf32be": "utf_32_be", "utf32le": "utf_32_le", "utf8sig": "utf_8",
    "iso88598i": "iso8859_8", "hzgb2312": "hz", "ibm037": "cp037", "usascii": "ascii", "xeuctw": "euctw",
    "hproman8": "hp_roman8", "maccroatian": "mac_croatian", "macromania": "mac_romanian", "macromanian": "mac_romanian",
    "macgreek": "mac_greek", "macturkish": "mac_turkish", "xmacukrainian": "mac_cyrillic", "macukrainian": "mac_cyrillic",
    "tcvn57121": "tcvn", "tcvn": "tcvn", "tcvn3": "tcvn", "ibm00858": "cp858", "ibm1160": "ibm838", "cp1160": "ibm838",
    "xmaccentraleurope": "mac_latin2", "xmaciceland": "mac_iceland", "xmacromania": "mac_romanian", "xkoi8u": "koi8_u",
    "xkoi8ru": "koi8-ru", "xkoi8t": "koi8_t", "binary": "binary", "unknown8bit": "unknown", "unknown": "unknown",
}
FAMILIES = [
    {"ascii", "utf_8"}, {"gb2312", "gbk", "gb18030"}, {"euc_kr", "cp949"}, {"shift_jis", "cp932"},
    {"big5", "big5hkscs", "cp950"}, {"iso8859_1", "cp1252"}, {"iso8859_9", "cp1254"},
    {"tis_620", "iso8859_11", "cp874"}, {"iso8859_8", "cp1255"},
]
FOLDED_ICONV = {re.sub(r"[^a-z0-9]", "", name): name for name in ICONV}
FOLDED_ICONV |= {"cp" + name[3:]: name for name in ICONV if name.startswith("ibm")}


@functools.cache
def canonical(label):
    """A label folded to the name of a codec of Python or of a name in ICONV."""
    key = re.sub(r"[^a-z0-9]", "", label.lower())
    if key in FOLDED_ICONV:
        return FOLDED_ICONV[key]
    if key in NAMES:
        return NAMES[key]
    for name in (label, key, re.sub(r"^(ibm|windows|xmac|x)", "cp", key)):
        try:
            found = codecs.lookup(name).name.replace("-", "_")
            return "utf_8" if found == "utf_8_sig" else found
        except (LookupError, ValueError):
            pass
    return key


@functools.lru_cache(1 << 14)
def decoded(name, data):
    """The text of bytes in an encoding; None where it has none, or where the encoding is not known here."""
    if name in ICONV:
        done = subprocess.run(["iconv", "-f", ICONV[name], "-t", "UTF-8"], input=data, capture_output=True)
        return done.stdout.decode() if done.returncode == 0 else None
    try:
        return data.decode(name)
    except (LookupError, UnicodeError, ValueError):
        return None


def same_text(true, found, data):
    """Whether an answer is right: the encoding itself, one of its family, or one that decodes the bytes to the same text."""
    a, b = canonical(true), canonical(found)
    if a == b or any(a in family and b in family for family in FAMILIES):
        return True
    text = decoded(a, data)
    return text is not None and text == decoded(b, data)
