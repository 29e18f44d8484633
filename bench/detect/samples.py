#!/usr/bin/env python3
"""Samples of text in known encodings.

    samples.py CORPUS tuning|fresh OUT [--per 4] [--seed N]

CORPUS is what `cargo train corpus build` writes.  OUT has lines of an id, language, encoding, size, domain, and the bytes in
hexadecimal.  A paragraph whose SHA-256 begins below 80 is in tuning sets alone, every other in fresh sets alone.

Every pair of a language and an encoding has equally many samples of each size.  They are `near` (the kind of text that
the model is trained on) or `far` (stories, sayings, a book): three quarters are far where a language has both, so that
each makes half of the whole set.  Samples in languages without text for training are `untrained`, and apart in all tables.
"""

import argparse
import collections
import hashlib
import os
import random
import sys

from legacy import UNTRAINED, Encoder, natural_pairs, spelled_for

SIZES = (20, 50, 100, 200, 1000, 10000)


def paragraphs(corpus, domain, language, tuning):
    path = f"{corpus}/{domain}/{language}.txt"
    if not os.path.exists(path):
        return []
    found = []
    with open(path, encoding="utf8") as f:
        for line in f:
            line = line.rstrip("\n")
            if len(line) >= 8 and (hashlib.sha256(line.encode()).digest()[0] < 0x80) == tuning:
                found.append(line)
    return found


def sample(encoder, texts, size, rnd):
    """A text of `size` bytes, or a little less; None if this place of the corpus has none."""
    start = rnd.randrange(len(texts))
    end = "\r\n" if rnd.random() < 0.3 and "\r" in encoder.keys else "\n"
    text, skipped = "", 0
    for i in range(start, start + len(texts)):
        paragraph = spelled_for(texts[i % len(texts)], encoder.encoding)
        if not encoder.can(paragraph):
            skipped += 1
            if skipped > 400:
                return None
            continue
        text += paragraph + end
        if len(text) >= size * 1.3 + 20:
            break
    if size <= 200 and len(text) > size:
        # Begin at a word in the text.
        at = text.find(" ", rnd.randrange(max(1, min(len(text) - size // 2, 400))))
        if 0 <= at < len(text) - size // 2:
            text = text[at + 1:]
    text = encoder.prefix(text, size).rstrip("\r\n")
    data = encoder.encode(text)
    # Text in ASCII alone tells nothing of its encoding.
    if len(data) < size * 0.6 or text.isascii():
        return None
    return data


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("set", choices=["tuning", "fresh"])
    parser.add_argument("out")
    parser.add_argument("--per", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rnd = random.Random(args.seed)
    counts = collections.Counter()
    missing = []
    by_language = {}
    for language, encoding in natural_pairs():
        by_language.setdefault(language, []).append(encoding)
    encoders_used, languages_used, pairs_used = set(), set(), 0
    with open(args.out, "w") as out:
        for language, encodings in by_language.items():
            texts = {domain: paragraphs(args.corpus, domain, language, args.set == "tuning") for domain in ("near", "far")}
            texts = {domain: found for domain, found in texts.items() if sum(map(len, found)) >= 10000}
            if not texts:
                missing.append(language)
                continue
            characters = set().union(*(set(x) for found in texts.values() for x in found)) | set("\n\r\x20şţŞŢ\u064a")
            for encoding in encodings:
                encoder = Encoder(encoding, characters)
                found = 0
                for size in SIZES:
                    domains = list(texts)
                    wanted = {d: args.per for d in domains}
                    if len(domains) == 2:
                        wanted = {"near": args.per // 4, "far": args.per - args.per // 4}
                    for domain in domains:
                        # A domain without a text of this size leaves its share to the other.
                        got = 0
                        for _ in range(400):
                            if got == wanted[domain]:
                                break
                            data = sample(encoder, texts[domain], size, rnd)
                            if data is None:
                                continue
                            n = counts.total()
                            shown = "untrained" if language in UNTRAINED else domain
                            out.write(f"{language}/{encoding}/{size}/{shown}/{n}\t{language}\t{encoding}\t{size}\t{shown}\t{data.hex()}\n")
                            counts[size, shown] += 1
                            got += 1
                        found += got
                        if got < wanted[domain] and domain != domains[-1]:
                            wanted[domains[-1]] += wanted[domain] - got
                if found:
                    pairs_used += 1
                    encoders_used.add(encoding)
                    languages_used.add(language)
                if found < args.per * len(SIZES):
                    missing.append(f"{language}/{encoding}: {found} of {args.per * len(SIZES)}")
    print(f"{counts.total()} samples, {len(languages_used)} languages, {len(encoders_used)} encodings, {pairs_used} pairs", dict(counts))
    print("short:", ", ".join(missing), file=sys.stderr)


if __name__ == "__main__":
    main()
