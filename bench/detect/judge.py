#!/usr/bin/env python3
"""Judges answers against samples.

    judge.py SAMPLES ANSWERS [--tables] [--fails N] [--known SHARE]

SAMPLES is from samples.py; ANSWERS has lines of an id, a label and a confidence.  An answer is right if it is the encoding
of the sample, one of its family (legacy.py), or one that decodes the bytes to the same text.  A label that ends in `?` is a
first guess where the tool said that it cannot tell: it counts as wrong without confidence.
--known judges only the encodings that the tool names rightly in this share of its samples of 200 and 1,000 bytes, and prints
their list, for another run of judge.py with --only LIST.
"""

import argparse
import collections
import json

from legacy import same_text

SIZES = ("20", "50", "100", "200", "1000", "10000")
BANDS = ((0.0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 0.99), (0.99, 0.999), (0.999, 1.01))


def read(samples, answers):
    """Judged samples: language, encoding, size, domain, right, label, confidence, id, language that was said."""
    by_id = {}
    with open(answers) as f:
        for line in f:
            fields = line.rstrip("\n").split("\t")
            by_id[fields[0]] = fields
    out = []
    with open(samples) as f:
        for line in f:
            name, language, encoding, size, domain, data = line.rstrip("\n").split("\t")
            answer = by_id.get(name)
            if answer is None:
                continue
            label = answer[1]
            confidence = float(answer[2]) if len(answer) > 2 and answer[2] else 0.0
            right = not label.endswith("?") and same_text(encoding, label, bytes.fromhex(data))
            said = answer[3] if len(answer) > 3 else ""
            out.append((language, encoding, size, domain, right, label, confidence, name, said))
    return out


def share(rows):
    rows = list(rows)
    return f"{100 * sum(r[4] for r in rows) / len(rows):6.2f}" if rows else "     –"


def table(title, rows):
    cells = [share(r for r in rows if r[2] == size) for size in SIZES]
    print(f"{title:34} | " + " | ".join(cells) + f" | {share(rows)} | {len(rows)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("samples")
    parser.add_argument("answers")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--fails", type=int, default=0)
    parser.add_argument("--known", type=float)
    parser.add_argument("--only")
    parser.add_argument("--json")
    args = parser.parse_args()
    rows = read(args.samples, args.answers)
    if args.known is not None:
        counts = collections.defaultdict(lambda: [0, 0])
        for r in rows:
            if r[2] in ("200", "1000"):
                counts[r[1]][0] += 1
                counts[r[1]][1] += r[4]
        known = sorted(e for e, (n, right) in counts.items() if right >= args.known * n)
        rows = [r for r in rows if r[1] in known]
        table(f"known ({len(known)})", rows)
        print("known", ",".join(known))
        return
    if args.only:
        rows = [r for r in rows if r[1] in args.only.split(",")]
    print(f"{'':34} | " + " | ".join(f"{s:>6}" for s in SIZES) + " |    all | samples")
    untrained = [r for r in rows if r[3] == "untrained"]
    if untrained:
        table("languages without training", untrained)
        rows = [r for r in rows if r[3] != "untrained"]
    table("all others" if untrained else "all", rows)
    for domain in sorted({r[3] for r in rows}, reverse=True):
        table(domain, [r for r in rows if r[3] == domain])
    wrong = [r for r in rows if not r[4]]
    at = lambda limit: sum(r[6] >= limit for r in wrong)
    print(f"wrong at >= 0.9: {at(0.9)} ({100 * at(0.9) / len(rows):.3f} %), at >= 0.99: {at(0.99)} ({100 * at(0.99) / len(rows):.3f} %)")
    if args.json:
        with open(args.json, "w") as f:
            json.dump({s: 100 * sum(r[4] for r in rows if r[2] == s) / max(1, sum(r[2] == s for r in rows)) for s in SIZES}, f)
    if args.tables:
        print("\nconfidence     answers   right %")
        for low, high in BANDS:
            band = [r for r in rows if low <= r[6] < high]
            print(f"{low:5.3f}–{min(high, 1):5.3f} {len(band):9} {share(band)}")
        print("\nmistakes, the most frequent first: the encoding, what was said, how often, at how many bytes")
        pairs = collections.Counter((r[1], r[5]) for r in wrong)
        for (encoding, label), n in pairs.most_common(40):
            sizes = collections.Counter(r[2] for r in wrong if (r[1], r[5]) == (encoding, label))
            print(f"{n:5} {encoding:18} {label:20}", " ".join(f"{s}:{sizes[s]}" for s in SIZES if sizes[s]))
        for name, column in (("encoding", 1), ("language", 0)):
            print(f"\nworst by {name}: wrong, of, right %")
            counts = collections.defaultdict(lambda: [0, 0])
            for r in rows:
                counts[r[column]][0] += 1
                counts[r[column]][1] += not r[4]
            for key, (n, bad) in sorted(counts.items(), key=lambda x: -x[1][1] / x[1][0])[:25]:
                print(f"{key:18} {bad:4} {n:5} {100 - 100 * bad / n:6.2f}")
        said = [r for r in rows if r[8] not in ("", "-")]
        if said:
            print(f"\nlanguage right: {100 * sum(r[8] == r[0] for r in said) / len(said):.2f} % of {len(said)} answers that name one")
    for r in wrong[:args.fails]:
        print("FAIL", r[7], "->", r[5], r[6], r[8])


if __name__ == "__main__":
    main()
