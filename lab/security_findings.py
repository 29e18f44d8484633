"""Counts the findings of `check --lint security` in source trees, and judges each by the table of reasons below.

    python3 lab/security_findings.py PLACEMAT DIRECTORY

DIRECTORY has a tree in each of its folders. A finding is a printed line: of a kind, 20 of a file, and the line that counts the
others. The judgement of a file is a line of `security_findings.tsv`: wanted or not, kind, part of a path, and why.
"""

import collections
import json
import pathlib
import subprocess
import sys

KINDS = {
    "control",
    "eof-1a",
    "bidi-control",
    "bidi-unterminated",
    "invisible",
    "confusable",
    "mixed-script",
    "lookalike",
    "bom-shebang",
}


def judgements():
    lines = pathlib.Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def main():
    placemat, directory = sys.argv[1:]
    table = judgements()
    verdicts = collections.Counter()
    reasons = collections.Counter()
    unjudged = collections.Counter()
    trees = sorted(path for path in pathlib.Path(directory).iterdir() if path.is_dir())
    for tree in trees:
        command = [placemat, "check", "--hidden", "--no-ignore", "--lint", "security", "--format", "jsonl", str(tree)]
        ran = subprocess.run(command, capture_output=True, check=False)
        for line in ran.stdout.decode("utf-8", "replace").splitlines():
            finding = json.loads(line)
            if finding.get("kind") not in KINDS:
                continue
            path = f"{tree.name}/{pathlib.Path(finding['path']).relative_to(tree)}"
            for verdict, kind, part, why in table:
                if kind in ("*", finding["kind"]) and part in path:
                    verdicts[verdict] += 1
                    reasons[verdict, why] += 1
                    break
            else:
                unjudged[path, finding["kind"], finding["message"][:100]] += 1
    for (verdict, why), count in reasons.most_common():
        print(f"{count:6} {verdict:8} {why}")
    for (path, kind, message), count in unjudged.most_common():
        print(f"{count:6} ?        {kind} {path}: {message}")
    total = sum(verdicts.values())
    print(f"{len(trees)} trees, {total} judged findings, {100 * verdicts['wanted'] / max(1, total):.1f} % wanted, {sum(unjudged.values())} not judged")


main()
