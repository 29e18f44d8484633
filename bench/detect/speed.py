#!/usr/bin/env python3
"""The speed of detectors, in turn on the same texts, one core.

    speed.py CORPUS SAMPLES WORK RUNNER    WORK holds the long files; RUNNER is the program `detect` of bench/

The long files have 8 MB for this library and chardetng, and their first 500 KB for the others.
"""

import os
import subprocess
import sys
import time

import peers

FILES = [
    ("ascii", "en", None), ("utf-8 Russian", "ru", "utf-8"), ("utf-8 French", "fr", "utf-8"), ("utf-8 Japanese", "ja", "utf-8"),
    ("windows-1251 Russian", "ru", "cp1251"), ("windows-1252 French", "fr", "cp1252"), ("windows-1250 Polish", "pl", "cp1250"),
    ("windows-874 Thai", "th", "cp874"), ("ibm273 German", "de", "cp273"), ("shift_jis Japanese", "ja", "cp932"),
    ("euc-jp Japanese", "ja", "euc_jp"), ("iso-2022-jp Japanese", "ja", "iso2022_jp"), ("big5 Chinese", "zh-Hant", "big5"),
    ("gb18030 Chinese", "zh-Hans", "gb18030"), ("euc-kr Korean", "ko", "euc_kr"), ("utf-16le German", "de", "utf-16-le"),
]


def write(corpus, work):
    paths = []
    for name, language, encoding in FILES:
        path = f"{work}/{name.replace(' ', '-')}.txt"
        paths.append(path)
        if os.path.exists(path):
            continue
        data = b""
        with open(f"{corpus}/near/{language}.txt", encoding="utf8") as f:
            lines = f.read().split("\n")
        while len(data) < 8_000_000:
            for line in lines:
                if encoding is None:
                    if not line.isascii():
                        continue
                    piece = line.encode()
                else:
                    try:
                        piece = line.encode(encoding)
                    except UnicodeEncodeError:
                        continue
                data += piece + "\n".encode(encoding or "ascii")
                if len(data) >= 8_000_000:
                    break
        with open(path, "wb") as f:
            f.write(data)
    return paths


def main():
    corpus, samples, work, runner = sys.argv[1:5]
    paths = write(corpus, work)
    tools = {name: peers.TOOLS[name]() for name in peers.TOOLS}
    print("MB/s:", "file", "placemat", "chardetng", *tools, sep="\t")
    for path in paths:
        ours = subprocess.run([runner, "speed", path], capture_output=True, text=True, check=True).stdout.strip().split("\t")
        data = open(path, "rb").read()[:500_000]
        best = dict.fromkeys(tools, float("inf"))
        for _ in range(3):
            for name, detect in tools.items():
                begun = time.perf_counter()
                detect(data)
                best[name] = min(best[name], time.perf_counter() - begun)
        rates = [f"{len(data) / best[name] / 1e6:.1f}" for name in tools]
        print(os.path.basename(path), ours[2], ours[4], *rates, ours[1], sep="\t")
    for size in ("20", "100", "1000"):
        print(f"microseconds for texts of {size} bytes:")
        done = subprocess.run([runner, "short", samples, size], capture_output=True, text=True, check=True)
        print(done.stdout, end="")
        rows = (line.rstrip("\n").split("\t") for line in open(samples))
        texts = [bytes.fromhex(row[5]) for row in rows if row[3] == size][::5]
        times = {name: [] for name in tools}
        for text in texts:
            for name, detect in tools.items():
                begun = time.perf_counter()
                detect(text)
                times[name].append((time.perf_counter() - begun) * 1e6)
        for name, found in times.items():
            found.sort()
            half, most = found[len(found) // 2], found[len(found) * 95 // 100]
            print(f"{name}\tmedian {half:.2f}\t95 % {most:.2f}\tmost {found[-1]:.2f}\tof {len(found)}")


if __name__ == "__main__":
    main()
