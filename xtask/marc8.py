"""Makes the tables of MARC-8 from pymarc's: python3 marc8.py marc8_mapping.py FOLDER.

pymarc (5.4.0, BSD-2-Clause) has the code tables of the Library of Congress. It reads the codes of all variants
of a character as that character; the encoder writes the least of them. 16-bit words, least significant byte first.

marc8_single.bin: as multi_byte.py says; a row for each set of single bytes in the order of SETS, columns by seven bits.
marc8_marks.bin: the code points of those sets that are written before their base.
marc8_eacc.bin, three bytes a character, of which the first two are a row and the third is 20 + column:
    rows that are there (R), pages that are there (P)
    for each row: its name, 94 * (first - 21) + second - 21 (hex)
    for each row: 96 bits, a column each, whether it is assigned; and the rank of the first
    by rank: the code point
    for each of 100 (hex) pages of 256 code points: its place among those that are there, or FFFF
    for each page that is there: a bit for each of its code points, whether it is held; and the rank of the first
    by that rank: the rank of the code
"""

import pathlib
import runpy
import struct
import sys

sys.argv, (mapping, folder) = [sys.argv[0]], sys.argv[1:]
here = pathlib.Path(__file__).parent
Set = runpy.run_path(str(here / "multi_byte.py"), run_name="tables")["Set"]
sets = runpy.run_path(mapping)["CODESETS"]
folder = pathlib.Path(folder)

# ASCII and ANSEL come first: the encoder writes a character of several sets in the first of them.
SETS = [0x42, 0x45, 0x53, 0x4E, 0x51, 0x32, 0x33, 0x34, 0x67, 0x62, 0x70]
single = Set(128, len(SETS))
marks = set()
for row, final in enumerate(SETS):
    for code, (c, mark) in sets[final].items():
        code &= 0x7F
        if 0x21 <= code <= 0x7E:
            single.cells[row, code] = chr(c)
            if mark:
                marks.add(c)
for row, final in enumerate(SETS):
    for code, (c, mark) in sets[final].items():
        assert bool(mark) == (c in marks) or not 0x21 <= code & 0x7F <= 0x7E, hex(c)
(folder / "marc8_single.bin").write_bytes(single.table())
marks = sorted(marks)
(folder / "marc8_marks.bin").write_bytes(struct.pack(f"<{len(marks)}H", *marks))

codes = {code: c for code, (c, _) in sets[0x31].items()}
rows = sorted({code >> 8 for code in codes})
name = lambda row: 94 * ((row >> 8) - 0x21) + (row & 0xFF) - 0x21
ordered = sorted(codes)
rank = {code: i for i, code in enumerate(ordered)}
words = []
for row in rows:
    here = [code for code in ordered if code >> 8 == row]
    columns = [(code & 0xFF) - 0x20 for code in here]
    words += [sum(1 << c % 16 for c in columns if c // 16 == word) for word in range(6)] + [rank[here[0]]]
least = {}
for code in ordered:
    least.setdefault(codes[code], code)
values = sorted(least)
assert values[-1] < 0xFFFF
pages = sorted({c >> 8 for c in values})
bits, first = [], 0
for page in pages:
    here = [c & 0xFF for c in values if c >> 8 == page]
    bits += [sum(1 << c % 16 for c in here if c // 16 == word) for word in range(16)] + [first]
    first += len(here)
words = (
    [len(rows), len(pages)]
    + [name(row) for row in rows]
    + words
    + [codes[code] for code in ordered]
    + [pages.index(page) if page in pages else 0xFFFF for page in range(0x100)]
    + bits
    + [rank[least[c]] for c in values]
)
(folder / "marc8_eacc.bin").write_bytes(struct.pack(f"<{len(words)}H", *words))
print(len(codes), "codes,", len(values), "code points,", 2 * len(words), "bytes")
