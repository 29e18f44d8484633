"""The part of `.ci/unicode-data` that needs packages of PyPI: python unicode-data.py VERSION FOLDER.

| file | from |
| --- | --- |
| GraphemeBreakTest.txt, GraphemeBreakProperty.txt, DerivedCoreProperties.txt, emoji-data.txt | the source of graphemeu |
| NormalizationTest.txt, DerivedAge.txt | the source of pyunormalize |
| names.txt: code point, name | unicodedata2, the module of CPython with newer data |
| GraphemeBreakRandom.txt, like GraphemeBreakTest.txt | made here; wcwidth finds the clusters |
"""

import pathlib
import random
import shutil
import sys

import unicodedata2
import wcwidth

version, place = sys.argv[1], pathlib.Path(sys.argv[2])
assert unicodedata2.unidata_version == version

for name in [
    "graphemeu-*/unicode-data/GraphemeBreakTest.txt",
    "graphemeu-*/unicode-data/GraphemeBreakProperty.txt",
    "graphemeu-*/unicode-data/DerivedCoreProperties.txt",
    "graphemeu-*/unicode-data/emoji-data.txt",
    "pyunormalize-*/tests/data/NormalizationTest.txt",
    "pyunormalize-*/tests/data/DerivedAge.txt",
]:
    [found] = place.glob(f"packages/{name}")
    head = found.read_text().split("\n\n")[0]
    assert version in head or f"Version: {version[:4]}" in head, f"{found} is not of version {version}:\n{head}"
    shutil.copy(found, place)

with open(place / "names.txt", "w") as names:
    for c in map(chr, range(sys.maxunicode + 1)):
        if name := unicodedata2.name(c, ""):
            print(f"{ord(c):04X};{name}", file=names)

def values(file, *properties):
    """Returns the value of each code point in a file, of the lines about some properties."""
    found = {}
    for line in (place / file).read_text().splitlines():
        code_points, *value = (field.strip() for field in line.split("#")[0].split(";"))
        if value and (not properties or value[0] in properties):
            first, _, last = code_points.partition("..")
            found.update(dict.fromkeys(range(int(first, 16), int(last or first, 16) + 1), value[-1]))
    return found


# Some code points of each kind that a rule of UAX #29 names.
facts = [
    values("GraphemeBreakProperty.txt"),
    values("DerivedCoreProperties.txt", "InCB"),
    values("emoji-data.txt", "Extended_Pictographic"),
]
kinds = {}
for c in range(sys.maxunicode + 1):
    if not 0xD800 <= c <= 0xDFFF:
        kinds.setdefault(tuple(fact.get(c) for fact in facts), []).append(chr(c))
chance = random.Random(18)
some = [c for kind in kinds.values() for c in chance.sample(kind, min(len(kind), 8))]
with open(place / "GraphemeBreakRandom.txt", "w") as cases:
    for _ in range(20_000):
        few = chance.sample(some, 4)
        text = "".join(chance.choice(few) for _ in range(chance.randint(2, 12)))
        clusters = [" × ".join(f"{ord(c):04X}" for c in cluster) for cluster in wcwidth.iter_graphemes(text)]
        print("÷", " ÷ ".join(clusters), "÷", file=cases)
