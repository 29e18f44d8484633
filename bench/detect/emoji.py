#!/usr/bin/env python3
"""Makes lines with an emoji or a symbol that were read by a wrong page, as `repair texts` reads them.

    emoji.py EMOJI-TEST.TXT [--every N] > emoji.tsv

EMOJI-TEST.TXT is Unicode's list (Debian: unicode-data).  A byte that the page does not define becomes the C1 control of its number.
Each line: id, group, damaged text and wanted text in hexadecimal.  A line that two pages give for two texts has both of them.
"""

import collections
import sys

PAGES = "cp1252 latin1 cp1250 cp1251 cp1253 cp1254 mac_roman cp437 cp850 cp866 koi8-r cp1257".split()
CONTEXTS = ["{}\n", "## {} Features\n", "- {} Done\n", "Status: {}\n", "echo \"{} Build finished\"\n", "| {} | ready |\n", "{} Warning: see the log\n",
            "print('{}')\n"]
SYMBOLS = ("✓✔✗✘★☆●○■□▲△▼▽◆◇→←↑↓↔⇒⇐⇔─│┌┐└┘├┤┬┴┼═║∞≈≠≤≥±×÷√∑∏∫∂∆∇∈∉∩∪⊂⊃∀∃∅¬∧∨€£¥₹₽₿©®™§¶†‡•…‰′″–—‘’“”„«»¿¡°µ½¼¾²³¹ªº")


def read(text, page):
    """UTF-8 read by a page."""
    out = []
    for byte in text.encode():
        try:
            out.append(bytes([byte]).decode(page))
        except UnicodeDecodeError:
            out.append(chr(byte))
    return "".join(out)


def main():
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    emoji = []
    for line in open(sys.argv[1], encoding="utf-8"):
        fields = line.split(";")
        if len(fields) > 1 and fields[1].strip().startswith("fully-qualified"):
            emoji.append("".join(chr(int(c, 16)) for c in fields[0].split()))
    wanted = collections.defaultdict(list)
    for number, sign in enumerate(emoji[::every] + list(SYMBOLS)):
        group = "symbol" if sign in SYMBOLS else "emoji"
        for page in PAGES:
            for context in CONTEXTS:
                text = context.format(sign)
                damaged = read(text, page)
                if damaged != text and text not in wanted[damaged]:
                    wanted[damaged].append(text)
                    wanted[damaged, "group"] = f"{group} {page}"
    number = 0
    for damaged, texts in wanted.items():
        if isinstance(damaged, str):
            print(number, wanted[damaged, "group"], damaged.encode().hex(), "|".join(text.encode().hex() for text in texts), sep="\t")
            number += 1


if __name__ == "__main__":
    main()
