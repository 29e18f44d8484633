"""Makes the tables of crates/placemat-core/src/transliteration: python3 transliteration.py FOLDER.

FOLDER holds the locales of the GNU C library (2.36), each compiled by localedef from its definition as NAME.UTF-8. The
script reads from the library the table that its iconv uses in each of them, and in the built-in C and C.UTF-8.

table.txt has a line for each code point that is similar to something in C.UTF-8: five digits, the tables that have the
same line (1: C, 2: without letters with marks, 4: without all that most locales include), a space, and what is similar,
the first choice first, separated by tabs.

locales.txt has what differs. A section begins with `=`, the names of its locales, the table it is a change of, and `?`
where what is similar to nothing becomes that, or `-` where it is refused. Then lines as above. Left out are the variants
of Chinese characters in Japanese, and Hangul as letters in Korean: 19,000 lines.
"""

import collections
import ctypes
import os
import pathlib
import sys

libc = ctypes.CDLL("libc.so.6")
libc.setlocale.restype = ctypes.c_char_p
libc.nl_langinfo.restype = ctypes.c_void_p
# langinfo.h: _NL_CTYPE_TRANSLIT_TAB_SIZE, then the four tables, then the length and text of the default.
ITEM = 61
HERE = pathlib.Path(__file__).parent.parent / "crates/placemat-core/src/transliteration"


def table(name, folder=""):
    """The similar texts of each code point, and the default."""
    libc.setenv(b"LOCPATH", folder.encode(), 1)
    if libc.setlocale(0, name.encode()) is None:
        return None
    words = ctypes.POINTER(ctypes.c_uint32)
    count = (libc.nl_langinfo(ITEM) or 0) & 0xFFFFFFFF
    start, sources, first, targets = (ctypes.cast(libc.nl_langinfo(ITEM + i), words) for i in range(1, 5))
    made = {}
    for i in range(count):
        assert sources[start[i] + 1] == 0, "one code point each"
        choices, at = [], first[i]
        while True:
            text = ""
            while targets[at]:
                text += chr(targets[at])
                at += 1
            choices.append(text)
            at += 1
            # An empty text always fits, and ends the list.
            if not targets[at] or not text:
                break
        made[sources[start[i]]] = choices
    missing = (libc.nl_langinfo(ITEM + 5) or 0) & 0xFFFFFFFF
    return made, missing > 0


def line(c, bits, choices):
    assert not any(set(choice) & set("\t\n") for choice in choices)
    return f"{c:05X}{bits} " + "\t".join(choices) + "\n"


def main(folder):
    base = table("C.UTF-8")[0]
    tables = {"C": table("C")}
    for name in sorted(os.listdir(folder)):
        found = table(name, folder)
        name = name.replace(".UTF-8", "")
        if found and name not in ("C", "ja_JP", "ko_KR"):
            tables[name] = found
    plain = tables["eu_FR"][0]
    bare = tables["tr_TR"][0]
    subsets = {"C": tables["C"][0], "plain": plain, "bare": bare}
    bits = {"C": 1, "plain": 2, "bare": 4, "all": 0}
    with open(HERE / "table.txt", "w") as out:
        for c in sorted(base):
            own = sum(bits[name] for name, made in subsets.items() if made.get(c) == base[c])
            out.write(line(c, own, base[c]))
    sections = collections.defaultdict(list)
    for name, (made, question) in tables.items():
        # The subset that the fewest lines have to be added to, and none is too many of.
        def rest(subset):
            kept = {c for c in base if subset == "all" or subsets[subset].get(c) == base[c]}
            return [c for c in kept if c not in made], {c: made[c] for c in made if c not in kept or made[c] != base[c]}
        subset = min((s for s in bits if not rest(s)[0]), key=lambda s: len(rest(s)[1]))
        own = rest(subset)[1]
        if own or subset != "all" or not question:
            lines = "".join(line(c, 0, own[c]) for c in sorted(own))
            sections[subset, question, lines].append(name)
    with open(HERE / "locales.txt", "w") as out:
        for (subset, question, lines), names in sorted(sections.items(), key=lambda item: item[1]):
            out.write(f"={' '.join(names)} {bits[subset]} {'?' if question else '-'}\n{lines}")
            print(len(names), names[:6], subset, question, lines.count("\n"))


if __name__ == "__main__":
    main(sys.argv[1])
