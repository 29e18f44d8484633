#!/usr/bin/env python3
"""Clean text that is no prose: tables of characters, phonetic transcription, emoji, frames, character sets, names.

    tables.py OUT    writes files of text into the folder OUT, the same ones each time

Everything is made from the Unicode data of Python, its codecs, and the locale sources of glibc (/usr/share/i18n/locales).
"""

import glob
import os
import random
import re
import sys
import unicodedata

RANDOM = random.Random(14)
PAGES = (
    "latin1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-13 iso8859-14 iso8859-15 "
    "iso8859-16 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp437 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 "
    "cp861 cp862 cp863 cp864 cp865 cp866 cp869 cp874 koi8-r koi8-u koi8-t kz1048 ptcp154 mac_roman mac_latin2 mac_cyrillic mac_greek "
    "mac_turkish mac_iceland hp_roman8 cp037 cp500 cp1026 cp1140"
).split()
VOWELS = "aeiouyøœɶɪʏʊəɘɵɤɛɜɞʌɔæɐɑɒɨʉɯ"
CONSONANTS = "pbtdʈɖcɟkɡqɢʔmɱnɳɲŋɴʙrʀⱱɾɽɸβfvθðszʃʒʂʐçʝxɣχʁħʕhɦɬɮʋɹɻjɰlɭʎʟɕʑɺɧʍwɥʜʢʡ"
MODIFIERS = ["ː", "ˑ", "ʰ", "ʷ", "ʲ", "ˠ", "ˤ", "ⁿ", "ˡ", "\u0303", "\u0329", "\u032f", "\u0325", "\u0361", "\u031a", "˞", "˥", "˩", "˧"]
FRAMES = ["┌─┬┐│├┼┤└┴┘", "╔═╦╗║╠╬╣╚╩╝", "╒═╤╕│╞╪╡╘╧╛", "╓─╥╖║╟╫╢╙╨╜", "┏━┳┓┃┣╋┫┗┻┛", "╭─┬╮│├┼┤╰┴╯"]


def characters():
    for value in range(0xA0, 0x30000):
        c = chr(value)
        if unicodedata.category(c) not in ("Cn", "Cs", "Cc", "Co"):
            yield c


def names():
    """A line for each character: its number, itself, its name, what stands beside it in other forms."""
    for c in characters():
        if 0x3400 <= ord(c) <= 0x9FFF or 0xAC00 <= ord(c) <= 0xD7A3 or ord(c) > 0x1FFFF:
            continue
        name = unicodedata.name(c, "?")
        forms = " ".join(dict.fromkeys(f(c) for f in (str.upper, str.lower, lambda c: unicodedata.normalize("NFKD", c)) if f(c) != c))
        yield f"U+{ord(c):04X} {c} {name} {forms}".rstrip()


def grids():
    """All characters, sixteen in a line, with and without spaces."""
    row = []
    for c in characters():
        row.append(c)
        if len(row) == 16:
            yield f"{ord(row[0]):05X} " + " ".join(row)
            yield "".join(row)
            row = []


def quoted():
    """Characters as they stand in programs."""
    for c in characters():
        if ord(c) < 0x3000:
            yield f"'{c}': \"{unicodedata.name(c, '?').lower().replace(' ', '_')}\",  // {c}"
            yield f'x = x.replace("{c}", "&#{ord(c)};").replace("{c}{c}", "{c}")'


def sets():
    """Tables of character sets, as manuals print them."""
    for page in PAGES:
        yield f"# {page}"
        cells = []
        for byte in range(0x80, 0x100):
            try:
                c = bytes([byte]).decode(page)
            except UnicodeDecodeError:
                c = " "
            cells.append(c if c.isprintable() else " ")
        for row in range(8):
            line = cells[row * 16 : row * 16 + 16]
            yield f"{0x80 + row * 16:02X} | " + " | ".join(line) + " |"
            yield f"{0x80 + row * 16:02X} " + "".join(line)
        for n, c in enumerate(cells):
            yield f"0x{0x80 + n:02X}\t0x{ord(c):04X}\t{c}\t# {unicodedata.name(c, '')}"


def phonetic():
    def syllable():
        onset = "".join(RANDOM.choice(CONSONANTS) for _ in range(RANDOM.choice((0, 1, 1, 1, 2))))
        rest = RANDOM.choice(VOWELS) + (RANDOM.choice(MODIFIERS) if RANDOM.random() < 0.35 else "")
        return onset + rest + (RANDOM.choice(CONSONANTS) if RANDOM.random() < 0.5 else "")

    for n in range(60_000):
        word = "".join(("ˈ" if k == 0 and RANDOM.random() < 0.6 else "ˌ" if RANDOM.random() < 0.1 else "") + syllable() for k in range(RANDOM.randint(1, 4)))
        yield (f"word{n} /{word}/", f"entry [{word}] n.", f"{word} ~ {word[::-1]}", f"<span class=\"ipa\">{word}</span>")[n % 4]


def emoji():
    faces = [chr(v) for v in (*range(0x1F300, 0x1F650), *range(0x1F680, 0x1F6D8), *range(0x1F900, 0x1FA00), *range(0x2600, 0x27C0))]
    skins = [chr(v) for v in range(0x1F3FB, 0x1F400)]
    words = "ok yes no thanks great see you été naïve Привет да спасибо はい ありがとう 谢谢 고마워 مرحبا שלום danke schön señor".split()
    for n in range(60_000):
        parts = []
        for _ in range(RANDOM.randint(1, 6)):
            face = RANDOM.choice(faces)
            kind = RANDOM.random()
            face += "\uFE0F" if kind < 0.2 else RANDOM.choice(skins) if kind < 0.3 else "\u200D" + RANDOM.choice(faces) if kind < 0.4 else ""
            parts.append(RANDOM.choice(words) if RANDOM.random() < 0.4 else "")
            parts.append(face * RANDOM.choice((1, 1, 1, 2, 3)))
        yield (" " if n % 2 else "").join(parts)


def frames():
    words = "name Größe naïve Имя размер 名前 サイズ 크기 حجم שם ชื่อ όνομα Č š ž ą ę".split()
    shades = "█▓▒░▀▄▌▐■□▪▫●○◆◇▲▼►◄"
    for n in range(6_000):
        (tl, h, t, tr, v, l, x, r, bl, b, br) = FRAMES[n % len(FRAMES)]
        widths = [RANDOM.randint(1, 14) for _ in range(RANDOM.randint(1, 5))]
        line = lambda left, middle, right: left + middle.join(h * w for w in widths) + right
        yield line(tl, t, tr)
        for _ in range(RANDOM.randint(1, 3)):
            yield v + v.join(f"{RANDOM.choice(words):<{w}}" for w in widths) + v
            yield line(l, x, r)
        yield line(bl, b, br)
        yield f"{RANDOM.choice(words)} {RANDOM.choice(shades) * RANDOM.randint(1, 30)}{RANDOM.choice(shades) * RANDOM.randint(0, 9)} {n % 100} %"
        yield "├── " + RANDOM.choice(words) + "\n│   └── " + RANDOM.choice(words)


def locales():
    """The strings of the locale sources: names of days, months, languages, currencies."""
    for path in sorted(glob.glob("/usr/share/i18n/locales/*")):
        with open(path, encoding="utf8", errors="replace") as f:
            text = f.read()
        text = re.sub(r"<U([0-9A-F]{4,8})>", lambda m: chr(int(m[1], 16)), text)
        strings = re.findall(r'"([^"\n]+)"', text)
        yield os.path.basename(path)
        yield " ".join(strings)
        yield ";".join(f'"{s}"' for s in strings)
        yield from strings


def people():
    """Names with the letters of many alphabets, among English words."""
    letters = {}
    for c in characters():
        if c.isalpha() and ord(c) < 0x2000 and ord(c) != 0xAA:
            letters.setdefault(unicodedata.name(c, "?").split()[0], []).append(c)
    latin = [c for c in letters["LATIN"] if ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00]
    plain = {ord(c): "e" for c in characters() if ord(c) < 0x3000}
    for n in range(60_000):
        def word():
            body = "".join(RANDOM.choice(latin).lower() if RANDOM.random() < 0.2 else RANDOM.choice("abcdefghijklmnoprstuvz") for _ in range(RANDOM.randint(2, 9)))
            if RANDOM.random() < 0.1:
                return RANDOM.choice(latin).upper()[:1] + body.translate(plain)
            return RANDOM.choice("ABCDEFGHIJKLMNOPRSTUVZ") + body
        pattern = ("{} {}", "{}, {}.", "Mc{} & {}", "{}-{} (1987)", "© 2019 {} {}", "<a href=\"/{0}\">{1}</a>", "{}’s “{}”", "{}\t{}\t§ 12", "@author {} <{}@example.org>")
        yield pattern[n % len(pattern)].format(word(), word())


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for make in (names, grids, quoted, sets, phonetic, emoji, frames, locales, people):
        with open(f"{folder}/{make.__name__}.txt", "w", encoding="utf8") as f:
            f.writelines(line + "\n" for line in make())


if __name__ == "__main__":
    main()
