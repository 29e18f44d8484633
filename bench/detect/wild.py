#!/usr/bin/env python3
"""Judges detection and repair on real files and real damage.

    wild.py make WILD TEXTS                     writes the texts to repair, as `repair decode` reads them
    wild.py judge WILD DETECTED REPAIRED [--fails N]

WILD is the folder `wild` of PLACEMAT_TESTDATA: detect.jsonl names files of known encodings, repair.jsonl has damaged texts with what may
become of them, clean.jsonl has texts that must stay.  DETECTED is the output of `detect files`, REPAIRED that of `repair decode`
for TEXTS.  The answer is a table in Markdown; --fails lists the first N mistakes of each set after it.
"""

import argparse
import json
import os

from legacy import same_text

CERTAIN = 0.99


def lines_of(wild, name):
    with open(os.path.join(wild, name), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def files(wild):
    """The paths of the files in detect.jsonl."""
    return [os.path.join(wild, row["file"]) for row in lines_of(wild, "detect.jsonl")]


def make(wild, out):
    texts = [row["damaged"] for row in lines_of(wild, "repair.jsonl")] + [row["text"] for row in lines_of(wild, "clean.jsonl")]
    with open(out, "w") as f:
        for number, text in enumerate(texts):
            print(number, "-", "-", text.encode("utf-8", "surrogatepass").hex(), sep="\t", file=f)


def judge_files(wild, detected):
    """A row of the table for each kind of file, and the mistakes."""
    with open(detected) as f:
        answers = {fields[0]: fields for fields in (line.rstrip("\n").split("\t") for line in f)}
    kinds, fails = {}, []
    for row, path in zip(lines_of(wild, "detect.jsonl"), files(wild)):
        if path not in answers:
            raise SystemExit(f"{detected} has no answer for {path}")
        label, confidence = answers[path][1], float(answers[path][2])
        with open(path, "rb") as f:
            right = not label.endswith("?") and same_text(row["gold"], label, f.read())
        count = kinds.setdefault(row["kind"], {"of": 0, "right": 0, "certain": 0})
        count["of"] += 1
        count["right"] += right
        count["certain"] += not right and confidence >= CERTAIN
        if not right:
            fails.append(f"{row['kind']} {row['file']} {row['path']}: {row['gold']}, said {label} ({confidence:.4f})")
    rows = []
    for kind in sorted(kinds, reverse=True):
        n = kinds[kind]
        share = 100 * n["right"] / n["of"]
        rows.append(f"| detection: {kind}s | {n['of']} | {n['right']}, {share:.1f} % | {n['of'] - n['right']} wrong, {n['certain']} of them at {CERTAIN} or more |")
    return rows, fails


def judge_texts(wild, repaired):
    with open(repaired) as f:
        results = [bytes.fromhex(line.rstrip("\n").split("\t")[1]).decode() for line in f]
    damaged, clean = lines_of(wild, "repair.jsonl"), lines_of(wild, "clean.jsonl")
    if len(results) != len(damaged) + len(clean):
        raise SystemExit(f"{repaired} has {len(results)} texts, not {len(damaged) + len(clean)}")
    exact, left, wrong, changed, fails = 0, 0, 0, 0, []
    for row, text in zip(damaged, results):
        if text in row["want"]:
            exact += 1
            continue
        is_left = text == row["damaged"]
        left += is_left
        wrong += not is_left
        fails.append(f"{'left' if is_left else 'WRONG'} {row['damaged']!r}: {text!r}, not {row['want'][0]!r}")
    for row, text in zip(clean, results[len(damaged):]):
        if text != row["text"]:
            changed += 1
            fails.append(f"CHANGED {row['text']!r}: {text!r}")
    return [
        f"| repair: damaged texts | {len(damaged)} | {exact}, {100 * exact / len(damaged):.1f} % | {left} left as they were, {wrong} changed to something else |",
        f"| repair: clean texts | {len(clean)} | {len(clean) - changed} | {changed} changed |",
    ], fails


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("wild")
    making.add_argument("texts")
    judging = commands.add_parser("judge")
    judging.add_argument("wild")
    judging.add_argument("detected")
    judging.add_argument("repaired")
    judging.add_argument("--fails", type=int, default=0)
    args = parser.parse_args()
    if args.command == "make":
        return make(args.wild, args.texts)
    print("| real set | of | right | mistakes |\n| --- | --- | --- | --- |")
    mistakes = []
    for rows, fails in (judge_files(args.wild, args.detected), judge_texts(args.wild, args.repaired)):
        print("\n".join(rows))
        mistakes += fails[:args.fails]
    if mistakes:
        print("\n" + "\n".join(mistakes))


if __name__ == "__main__":
    main()
