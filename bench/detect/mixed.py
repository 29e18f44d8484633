#!/usr/bin/env python3
"""Files whose lines are in two encodings.

    mixed.py make CORPUS tuning|fresh OUT [--per N] [--seed N]   id, language, the two encodings, the file in hexadecimal, its text in hexadecimal
    mixed.py judge FILES ANSWERS                                 the share of lines whose text is right; ANSWERS: id, text in hexadecimal

Six of ten files are UTF-8 with lines in a legacy encoding, four have two legacy encodings.  Lines stand in runs of one to
six.  Lines of ASCII alone do not count.
"""

import argparse
import collections
import random

from legacy import Encoder, natural_pairs, spelled_for
from samples import paragraphs


def make(args):
    rnd = random.Random(args.seed)
    by_language = collections.defaultdict(list)
    for language, encoding in natural_pairs():
        if not encoding.startswith(("utf", "iso-2022", "hz", "ibm")) or encoding in ("ibm850", "ibm437", "ibm852", "ibm866", "ibm737", "ibm862"):
            by_language[language].append(encoding)
    n = 0
    languages = set()
    with open(args.out, "w") as out:
        for language, encodings in by_language.items():
            lines = [x for d in ("near", "far") for x in paragraphs(args.corpus, d, language, args.set == "tuning") if 20 <= len(x) <= 300]
            lines = [x for x in lines if not x.isascii()]
            if len(lines) < 100:
                continue
            characters = set().union(*map(set, lines)) | set("\n\x20şţŞŢ\u064a")
            encoders = {e: Encoder(e, characters) for e in encodings}
            for i in range(args.per):
                first = "utf-8" if i % 5 < 3 or len(encodings) < 2 else rnd.choice(encodings)
                second = rnd.choice([e for e in encodings if e != first])
                pair = [first, second]
                pieces, texts, at = [], [], rnd.randrange(2)
                while len(pieces) < 40:
                    for _ in range(rnd.randint(1, 6)):
                        encoding = pair[at]
                        for _ in range(200):
                            text = spelled_for(rnd.choice(lines), encoding)
                            if encoding == "utf-8" or encoders[encoding].can(text):
                                pieces.append(text.encode() if encoding == "utf-8" else encoders[encoding].encode(text))
                                texts.append(text)
                                break
                    at = 1 - at
                fields = [f"{language}/{first}+{second}/{n}", language, f"{first}+{second}"]
                fields += [b"\n".join(pieces).hex(), "\n".join(texts).encode().hex()]
                out.write("\t".join(fields) + "\n")
                languages.add(language)
                n += 1
    print(f"{n} files, {len(languages)} languages")


def judge(files, answers):
    found = dict(line.rstrip("\n").split("\t") for line in open(answers))
    counts = collections.defaultdict(lambda: [0, 0])
    for line in open(files):
        name, language, pair, _, text = line.rstrip("\n").split("\t")
        wanted = bytes.fromhex(text).decode().split("\n")
        got = bytes.fromhex(found.get(name, "")).decode().split("\n")
        kind = "UTF-8 and legacy" if pair.startswith("utf-8") else "two legacy"
        for i, line in enumerate(wanted):
            if line.isascii():
                continue
            for key in (kind, "all", f"{kind}, {language}"):
                counts[key][0] += 1
                counts[key][1] += i < len(got) and got[i] == line
    for key, (n, right) in sorted(counts.items()):
        print(f"{key:36} {right:6} of {n:6} lines right {100 * right / n:6.2f} %")


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    maker = commands.add_parser("make")
    maker.add_argument("corpus")
    maker.add_argument("set", choices=["tuning", "fresh"])
    maker.add_argument("out")
    maker.add_argument("--per", type=int, default=4)
    maker.add_argument("--seed", type=int, default=1)
    judger = commands.add_parser("judge")
    judger.add_argument("files")
    judger.add_argument("answers")
    args = parser.parse_args()
    if args.command == "make":
        make(args)
    else:
        judge(args.files, args.answers)


if __name__ == "__main__":
    main()
