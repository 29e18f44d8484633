#!/usr/bin/env python3
"""The tables of a run, as Markdown, and the picture of accuracy by size.

    report.py WORK [--picture SVG]

WORK has samples.tsv and the answers TOOL.out, as run.py writes them.
"""

import argparse
import collections
import os

from judge import SIZES, read

TOOLS = [
    ("placemat", "placemat"), ("chardet", "chardet 7.7"), ("charset_normalizer", "charset-normalizer 3.5"), ("uchardet", "uchardet (faust-cchardet 3.2)"),
    ("icu", "ICU 72"), ("chardetng", "chardetng 1.0"), ("file", "file 5.44"),
]
# A tool knows an encoding if it names it in this share of the samples of 200 and 1,000 bytes.
KNOWN = 0.34


def percent(rows):
    rows = list(rows)
    return 100 * sum(r[4] for r in rows) / len(rows) if rows else 0.0


def by_size(rows):
    return [percent(r for r in rows if r[2] == size) for size in SIZES] + [percent(rows)]


def line(name, cells, bold=False):
    cells = [f"{c:.2f}" for c in cells]
    if bold:
        cells = [f"**{c}**" for c in cells]
    return f"| {name} | " + " | ".join(cells) + " |"


def trained(rows):
    return {tool: [r for r in found if r[3] != "untrained"] for tool, found in rows.items()}


def tables(rows):
    out = []
    untrained = [r for r in rows["placemat"] if r[3] == "untrained"]
    rows = trained(rows)
    ours = rows["placemat"]
    languages, encodings = {r[0] for r in ours}, {r[1] for r in ours}
    pairs = {(r[0], r[1]) for r in ours}
    out.append(f"{len(ours):,} texts, {len(languages)} languages, {len(encodings)} encodings, {len(pairs)} pairs.\n")
    head = "| | " + " | ".join(f"{int(s):,} bytes" for s in SIZES) + " | all |\n|" + " --- |" * (len(SIZES) + 2)
    out.append(head)
    out.append(line("placemat", by_size(ours), bold=True))
    for domain, name in (("near", "of these: manuals, descriptions, interfaces"), ("far", "of these: stories, sayings, a book")):
        out.append(line(f"– {name}", by_size([r for r in ours if r[3] == domain])))
    for tool, name in TOOLS[1:]:
        if tool in rows:
            out.append(line(name, by_size(rows[tool])))
    if untrained:
        names = ", ".join(sorted({r[0] for r in untrained}))
        out.append(f"\nLanguages without text for training ({names}; {len(untrained)} texts, not among those above):\n")
        out.append(head)
        out.append(line("placemat", by_size(untrained)))
    out.append("\nEach tool on the encodings that it knows, and ours on the same texts:\n")
    out.append("| tool | encodings | texts | tool % | placemat % |\n| --- | --- | --- | --- | --- |")
    right = {r[7]: r[4] for r in ours}
    for tool, name in TOOLS[1:]:
        if tool not in rows:
            continue
        counts = collections.defaultdict(list)
        for r in rows[tool]:
            if r[2] in ("200", "1000"):
                counts[r[1]].append(r[4])
        known = {e for e, found in counts.items() if sum(found) >= KNOWN * len(found)}
        theirs = [r for r in rows[tool] if r[1] in known]
        same = [right[r[7]] for r in theirs]
        out.append(f"| {name} | {len(known)} | {len(theirs):,} | {percent(theirs):.2f} | {100 * sum(same) / len(same):.2f} |")
    wrong = [r for r in ours if not r[4]]
    out.append("\n| confidence | answers | right % |\n| --- | --- | --- |")
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 0.99), (0.99, 0.999), (0.999, 1.01)):
        band = [r for r in ours if low <= r[6] < high]
        out.append(f"| {low}–{min(high, 1)} | {len(band):,} | {percent(band):.2f} |")
    for limit in (0.9, 0.99):
        n = sum(r[6] >= limit for r in wrong)
        out.append(f"\nWrong with a confidence of {limit} or more: {n} of {len(ours):,}, {100 * n / len(ours):.3f} %.")
    out.append("\nThe most frequent mistakes:\n\n| written in | said | times |\n| --- | --- | --- |")
    for (encoding, label), n in collections.Counter((r[1], r[5]) for r in wrong).most_common(20):
        label = "cannot tell" if label.endswith("?") or label == "none" else label
        out.append(f"| {encoding} | {label} | {n} |")
    for name, column in (("encoding", 1), ("language", 0)):
        counts = collections.defaultdict(lambda: [0, 0])
        for r in ours:
            counts[r[column]][0] += 1
            counts[r[column]][1] += not r[4]
        worst = sorted(counts.items(), key=lambda x: (-x[1][1] / x[1][0], x[0]))[:10]
        out.append(f"\nLowest by {name}: " + ", ".join(f"{k} {100 - 100 * b / n:.1f} %" for k, (n, b) in worst) + ".")
    return "\n".join(out)


STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .small { font-size: 11px; fill: #59636e; }
  .grid { stroke: #d1d9e0; }
  .ours { stroke: #2f6fd0; stroke-width: 3; fill: none; }
  .other { stroke: #59636e; stroke-width: 1.5; fill: none; }
  .dot { fill: #2f6fd0; }
  .name { font-weight: 600; fill: #2f6fd0; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .grid { stroke: #30363d; }
    .ours { stroke: #6ea8fe; }
    .other { stroke: #9198a1; }
    .dot, .name { fill: #6ea8fe; }
  }
"""


def picture(rows, path):
    left, top, width, height = 56, 64, 520, 300
    rows = trained(rows)
    x = lambda i: left + width * i / (len(SIZES) - 1)
    y = lambda value: top + height * (100 - value) / 100
    ours = rows["placemat"]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 420" width="800" height="420" role="img" aria-label="Encodings found, by the size of the text">', f"<style>{STYLE}</style>"]
    out.append('<text class="title" x="8" y="22">Encodings found, in % of the texts, by the size of the text</text>')
    languages, encodings = len({r[0] for r in ours}), len({r[1] for r in ours})
    out.append(f'<text class="small" x="8" y="40">{len(ours):,} texts in {languages} languages and {encodings} encodings, half of them of other kinds than the training</text>')
    for value in range(0, 101, 20):
        out.append(f'<line class="grid" x1="{left}" x2="{left + width}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        out.append(f'<text class="small" x="{left - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>')
    for i, size in enumerate(SIZES):
        out.append(f'<text class="small" x="{x(i):.1f}" y="{top + height + 18}" text-anchor="middle">{int(size):,}</text>')
    out.append(f'<text class="small" x="{left + width / 2}" y="{top + height + 36}" text-anchor="middle">bytes</text>')
    ends = sorted(((by_size(rows[tool])[:-1], tool, name) for tool, name in TOOLS if tool in rows), key=lambda e: -e[0][-1])
    last = 0
    for values, tool, name in ends:
        points = " ".join(f"{x(i):.1f},{y(v):.1f}" for i, v in enumerate(values))
        mine = tool == "placemat"
        out.append(f'<polyline class="{"ours" if mine else "other"}" points="{points}"/>')
        # Names keep a distance where lines end side by side.
        last = max(y(values[-1]) + 4, last + 15)
        title = f"{values[0]:.1f} to {values[-1]:.1f} %"
        out.append(f'<text class="{"name" if mine else "small"}" x="{left + width + 10}" y="{last:.1f}">{name}<title>{title}</title></text>')
        if mine:
            for i, v in enumerate(values):
                out.append(f'<circle class="dot" cx="{x(i):.1f}" cy="{y(v):.1f}" r="3.5"><title>{v:.2f} %</title></circle>')
                out.append(f'<text class="small" x="{x(i):.1f}" y="{y(v) - 9:.1f}" text-anchor="middle">{v:.1f}</text>')
    out.append("</svg>\n")
    with open(path, "w") as f:
        f.write("\n".join(out))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work")
    parser.add_argument("--picture")
    args = parser.parse_args()
    rows = {}
    for tool, _ in TOOLS:
        path = f"{args.work}/{tool}.out"
        if os.path.exists(path):
            rows[tool] = read(f"{args.work}/samples.tsv", path)
    print(tables(rows))
    if args.picture:
        picture(rows, args.picture)


if __name__ == "__main__":
    main()
