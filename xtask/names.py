"""Makes crates/placemat-diagnose/src/names/added.txt: python3 names.py FOLDER, where `.ci/unicode-data` prints FOLDER.

The file has the names of the characters that the last version of Unicode added, since the crate `unicode_names2` knows those
of the version before. A line is a code point in hex, a space, and its name. A line that begins with `+` is about the next code
point, and `+3 REST` means the first three words of the name before it, and REST. Names that end in the code point follow a rule
and are left out.
"""

import pathlib
import sys

SOURCE = pathlib.Path(sys.argv[1])
TARGET = pathlib.Path(__file__).parent.parent / "crates/placemat-diagnose/src/names/added.txt"

ages = {}
for line in (SOURCE / "DerivedAge.txt").read_text().splitlines():
    fields = line.split("#")[0].split(";")
    if len(fields) == 2:
        first, _, last = fields[0].strip().partition("..")
        for c in range(int(first, 16), int(last or first, 16) + 1):
            ages[c] = tuple(map(int, fields[1].split(".")))
newest = max(ages.values())

lines, before, words_before = [], None, []
for line in (SOURCE / "names.txt").read_text().splitlines():
    code_point, name = line.split(";")
    c = int(code_point, 16)
    if ages[c] != newest or name.endswith(f"-{c:04X}"):
        continue
    words = name.split(" ")
    if c - 1 == before:
        shared = 0
        while words[shared : shared + 1] == words_before[shared : shared + 1] and shared < len(words) - 1:
            shared += 1
        lines.append(f"+{shared} {' '.join(words[shared:])}")
    else:
        lines.append(f"{c:04X} {name}")
    before, words_before = c, words
TARGET.write_text("".join(line + "\n" for line in lines))
print(f"{len(lines)} names of Unicode {newest[0]}.{newest[1]}: {TARGET.stat().st_size} bytes")
