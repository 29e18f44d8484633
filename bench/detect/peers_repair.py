#!/usr/bin/env python3
"""Repair damaged texts with ftfy and plsfix.

    peers_repair.py ftfy|plsfix texts FILE OUT     OUT: id, a tab, and the result in hexadecimal; `repair answers` judges it
    peers_repair.py ftfy|plsfix clean PATH…        the changes to clean files, a line each

Only the repair of the encoding is asked for.  plsfix cannot do that alone: where its result is what it makes of the wanted
text, it counts as the wanted text.  Install them by `pip install ftfy plsfix`.
"""

import sys
import time


def load(tool):
    if tool == "ftfy":
        import ftfy

        return ftfy.fix_encoding, lambda data: ftfy.guess_bytes(data)[0]
    import plsfix

    return plsfix.fix_text, lambda data: data.decode("utf8", "replace")


def texts(tool, path, out):
    fix, decode = load(tool)
    size, begun = 0, time.perf_counter()
    with open(path) as f, open(out, "w") as o:
        for line in f:
            name, _, data, wanted = line.rstrip("\n").split("\t")
            data = bytes.fromhex(data)
            size += len(data)
            try:
                text = data.decode()
            except UnicodeDecodeError:
                text = decode(data)
            found = fix(text)
            if tool == "plsfix":
                # Of pieces with alternatives, the first of each.
                first = "".join(piece.split(",")[0] for piece in wanted.split("/"))
                for want in first.split("|"):
                    want = bytes.fromhex(want).decode()
                    if found == fix(want):
                        found = want
                        break
            o.write(f"{name}\t{found.encode().hex()}\n")
    print(f"{tool}: {size / (time.perf_counter() - begun) / 1e6:.2f} MB/s")


def clean(tool, paths):
    fix, _ = load(tool)
    size = changes = 0
    begun = time.perf_counter()
    for path in paths:
        for line in open(path, encoding="utf8"):
            line = line.rstrip("\n")
            size += len(line.encode()) + 1
            if line.isascii():
                continue
            found = fix(line)
            if found != line:
                changes += 1
                at = next((i for i, (a, b) in enumerate(zip(line, found)) if a != b), 0)
                print(path.rsplit("/", 1)[-1], line[max(0, at - 12):at + 24], found[max(0, at - 12):at + 24], sep="\t")
    print(f"{tool}: {changes} lines changed in {size / 1e6:.1f} MB, {size / (time.perf_counter() - begun) / 1e6:.2f} MB/s")


if __name__ == "__main__":
    if sys.argv[2] == "texts":
        texts(sys.argv[1], *sys.argv[3:5])
    else:
        clean(sys.argv[1], sys.argv[3:])
