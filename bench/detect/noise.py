#!/usr/bin/env python3
"""Data that is no text: strings of noise, and how often a tool gives them an encoding.

    noise.py make OUT [--seed N]           10,000 strings of eleven kinds, of 20 to 4,000 bytes: id, hexadecimal
    noise.py judge STRINGS ANSWERS         counts, by kind, of those named an encoding with a confidence of 0.5 or more
    noise.py binaries ANSWERS              the same for the answers to files: those that file(1) calls no text

Strings of ASCII alone may be named US-ASCII.
"""

import base64
import bz2
import collections
import glob
import lzma
import random
import subprocess
import sys
import zlib


def seeded_words(rnd, n):
    """Text for compressors: words over sixteen letters."""
    letters = "etaoinshrdlucmfw"
    words = ["".join(rnd.choice(letters) for _ in range(rnd.randint(1, 9))) for _ in range(200)]
    return " ".join(rnd.choice(words) for _ in range(n)).encode()


def programs():
    data = b""
    for path in sorted(glob.glob("/usr/bin/*"))[:400]:
        try:
            with open(path, "rb") as f:
                if f.read(4) == b"\x7fELF":
                    f.seek(0x2000)
                    data += f.read(20000)
        except OSError:
            pass
    return data


def make(out, seed):
    rnd = random.Random(seed)
    code = programs()

    def machine_code(n):
        at = rnd.randrange(max(1, len(code) - n))
        return code[at:at + n]

    def compressed(n):
        text = seeded_words(rnd, n * 2)
        packed = rnd.choice([zlib.compress, bz2.compress, lzma.compress])(text)
        at = rnd.randrange(max(1, len(packed) - n))
        return packed[at:at + n]

    kinds = {
        "uniform": rnd.randbytes,
        "high bytes": lambda n: bytes(rnd.randrange(0x80, 0x100) for _ in range(n)),
        "high bytes A0-FF": lambda n: bytes(rnd.randrange(0xA0, 0x100) for _ in range(n)),
        "half high, half letters": lambda n: bytes(rnd.choice((rnd.randrange(0x80, 0x100), rnd.randrange(0x61, 0x7B))) for _ in range(n)),
        "zeros": lambda n: bytes(n),
        "one byte": lambda n: bytes([rnd.randrange(0x80, 0x100)]) * n,
        "two bytes": lambda n: bytes(rnd.choices([rnd.randrange(256), rnd.randrange(128, 256)], k=n)),
        "base64": lambda n: base64.b64encode(rnd.randbytes(n))[:n],
        "compressed": compressed,
        "machine code": machine_code,
        "samples of sound": lambda n: b"".join((int(9000 * ((i * 7919) % 997 / 498 - 1)) + rnd.randint(-300, 300)).to_bytes(2, "little", signed=True) for i in range(n // 2)),
    }
    with open(out, "w") as f:
        for i in range(10000):
            kind = list(kinds)[i % len(kinds)]
            n = int(20 * 200 ** rnd.random())
            f.write(f"{kind}/{i}\t{kinds[kind](n).hex()}\n")


def named(label, confidence):
    return not label.endswith("?") and label not in ("none", "binary", "unknown-8bit", "unknown", "us-ascii?") and confidence >= 0.5


def judge(strings, answers):
    data = dict(line.rstrip("\n").split("\t") for line in open(strings))
    counts, wrong, examples = collections.Counter(), collections.Counter(), []
    for line in open(answers):
        fields = line.rstrip("\n").split("\t")
        bytes_ = bytes.fromhex(data[fields[0]])
        kind = fields[0].rsplit("/", 1)[0]
        counts[kind] += 1
        label = fields[1].lower()
        if named(label, float(fields[2])) and not (bytes_.isascii() and label in ("us-ascii", "ascii", "utf-8")):
            wrong[kind] += 1
            examples.append((fields[0], len(bytes_), fields[1], fields[2], bytes_[:24].hex()))
    for kind in counts:
        print(f"{kind:26} {wrong[kind]:5} of {counts[kind]}")
    print(f"{'all':26} {wrong.total():5} of {counts.total()}")
    for example in examples[:30]:
        print("  ", *example)


def binaries(answers):
    lines = [line.rstrip("\n").split("\t") for line in open(answers)]
    paths = "".join(line[0] + "\n" for line in lines)
    done = subprocess.run(["file", "--brief", "--mime-type", "-L", "-f", "-"], input=paths, capture_output=True, text=True, check=True)
    wrong = n = 0
    for fields, kind in zip(lines, done.stdout.splitlines(), strict=True):
        if kind.startswith(("text/", "inode/")) or "script" in kind or kind == "application/json":
            continue
        n += 1
        if named(fields[1].lower(), float(fields[2])):
            wrong += 1
            print("  ", *fields[:3], kind)
    print(f"binaries: {wrong} of {n} named an encoding")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[4]) if len(sys.argv) > 4 else 7)
    elif sys.argv[1] == "judge":
        judge(*sys.argv[2:4])
    else:
        binaries(sys.argv[2])
