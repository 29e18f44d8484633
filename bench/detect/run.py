#!/usr/bin/env python3
"""Makes the sets, asks all tools, and writes the tables: README.md says what each step is.

    run.py CORPUS WORK [--set fresh] [--seed 1] [--steps wild,sets,short,detect,peers,noise,mixed,repair,repair-peers,clean,speed,report]

Run it with the Python of an environment in which the peers are installed.  What a step wrote is kept: remove a file of WORK to
have it made again.
"""

import argparse
import glob
import os
import subprocess
import sys

import wild

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STEPS = "wild,sets,short,detect,peers,noise,mixed,repair,repair-peers,clean,speed,report".split(",")
DAMAGES = {"mojibake": 1, "wild": 1, "legacy": 4, "bytes": 3}
# Unicode's list of emoji: Debian's package unicode-data.
EMOJI = "/usr/share/unicode/emoji/emoji-test.txt"
# Texts of this machine that are not prose: code, tables, lists of names, character sets.
OTHER = ["/usr/share/doc/**/*", "/usr/lib/python3*/**/*.py", "/usr/share/perl/**/*.p[lm]", "/usr/share/i18n/**/*", "/usr/share/X11/**/*",
         "/usr/share/**/*.txt", "/usr/share/**/*.html", "/usr/share/**/*.md", "/usr/lib/**/*.js", "/usr/share/**/*.json",
         "/usr/share/common-licenses/*", "/usr/share/zoneinfo/*.tab", "/usr/include/**/*.h", "/usr/share/vim/**/*.vim"]


def run(out, *command, always=False):
    """Runs a command whose output is a file, unless the file is there."""
    if out and os.path.exists(out) and not always:
        return
    print("$", *command[:6], file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    if out:
        with open(out, "wb") as f:
            f.write(done.stdout)


def script(out, name, *arguments, always=False):
    run(out, sys.executable, f"{HERE}/{name}", *arguments, always=always)


def wild_folder():
    """The real files: in the folder that PLACEMAT_TESTDATA names, by default shared/testdata beside the repository."""
    data = os.environ.get("PLACEMAT_TESTDATA") or f"{ROOT}/../shared/testdata"
    return os.path.abspath(f"{data}/wild")


def texts_of_the_machine(limit):
    """Files in UTF-8 with something above ASCII, each content once, at most `limit` bytes of them."""
    seen, size = set(), 0
    for pattern in OTHER:
        for path in sorted(glob.glob(pattern, recursive=True)):
            try:
                if not os.path.isfile(path) or os.path.getsize(path) > 20_000_000:
                    continue
                with open(path, "rb") as f:
                    data = f.read()
                data.decode()
            except (OSError, UnicodeDecodeError):
                continue
            if data.isascii() or b"\0" in data or hash(data) in seen:
                continue
            seen.add(hash(data))
            size += len(data)
            if size > limit:
                return
            yield path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("work")
    parser.add_argument("--set", choices=["tuning", "fresh"], default="fresh")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--steps", default=",".join(STEPS))
    parser.add_argument("--target", default=f"{ROOT}/bench/target")
    args = parser.parse_args()
    steps, work, seed = args.steps.split(","), args.work, ["--seed", args.seed]
    os.makedirs(work, exist_ok=True)
    detect, repair = (f"{args.target}/release/{name}" for name in ("detect", "repair"))
    subprocess.run(["cargo", "build", "--release", "--quiet", "--manifest-path", f"{ROOT}/bench/Cargo.toml", "--target-dir", args.target,
                    "--bin", "detect", "--bin", "repair"], check=True)
    at = lambda name: f"{work}/{name}"
    if "wild" in steps:
        folder = wild_folder()
        if os.path.isdir(folder):
            script(None, "wild.py", "make", folder, at("real.tsv"), always=True)
            run(at("real-detect.out"), detect, "files", *wild.files(folder))
            run(at("real-repair.out"), repair, "decode", at("real.tsv"))
            script(at("real.md"), "wild.py", "judge", folder, at("real-detect.out"), at("real-repair.out"), "--fails", "40", always=True)
        else:
            print(f"WARNING: {folder} is no folder: the real sets were NOT judged", file=sys.stderr)
    if "sets" in steps:
        def make(name, *command):
            # These scripts write the file that they are given, and what they say is kept beside it.
            if not os.path.exists(at(name)):
                script(at(name + ".log"), *command, *seed, always=True)

        make("samples.tsv", "samples.py", args.corpus, args.set, at("samples.tsv"))
        make("noise.tsv", "noise.py", "make", at("noise.tsv"))
        make("mixed.tsv", "mixed.py", "make", args.corpus, args.set, at("mixed.tsv"))
        for kind, per in DAMAGES.items():
            make(f"{kind}.tsv", "damage.py", args.corpus, args.set, at(f"{kind}.tsv"), "--kind", kind, "--per", str(per))
    if "short" in steps:
        script(at("symbols.tsv"), "symbols.py")
        run(at("symbols.out"), detect, "samples", at("symbols.tsv"))
        script(at("symbols.txt"), "judge.py", at("symbols.tsv"), at("symbols.out"), "--tables")
        if os.path.exists(EMOJI):
            # Every seventh of 3,700 emoji: a quarter of a million texts with all of them.
            script(at("emoji.tsv"), "emoji.py", EMOJI, "--every", "7")
            run(at("emoji.txt"), repair, "texts", at("emoji.tsv"), "--fails", "40")
        else:
            print(f"WARNING: {EMOJI} is missing: emoji were NOT judged", file=sys.stderr)
    if "detect" in steps:
        run(at("placemat.out"), detect, "samples", at("samples.tsv"))
        script(at("placemat.txt"), "judge.py", at("samples.tsv"), at("placemat.out"), "--tables")
    if "peers" in steps:
        run(at("chardetng.out"), detect, "chardetng", at("samples.tsv"))
        for tool in ("uchardet", "icu", "file", "chardet", "charset_normalizer"):
            if not os.path.exists(at(tool + ".out")):
                script(at(tool + ".log"), "peers.py", tool, at("samples.tsv"), at(tool + ".out"), always=True)
    if "noise" in steps:
        run(at("noise.out"), detect, "strings", at("noise.tsv"))
        script(at("noise.txt"), "noise.py", "judge", at("noise.tsv"), at("noise.out"))
        run(at("binaries.out"), detect, "files", *sorted(p for p in glob.glob("/usr/bin/*") if os.path.isfile(p)))
        script(at("binaries.txt"), "noise.py", "binaries", at("binaries.out"))
    if "mixed" in steps:
        run(at("mixed.out"), repair, "decode", at("mixed.tsv"))
        script(at("mixed.txt"), "mixed.py", "judge", at("mixed.tsv"), at("mixed.out"))
        run(at("regions.out"), detect, "regions", at("mixed.tsv"))
        script(at("regions.txt"), "mixed.py", "judge", at("mixed.tsv"), at("regions.out"))
    for kind in DAMAGES:
        if "repair" in steps:
            run(at(f"{kind}.txt"), repair, "texts", at(f"{kind}.tsv"), "--fails", "40")
        if "repair-peers" in steps:
            for tool in ("ftfy", "plsfix"):
                out = at(f"{kind}-{tool}.out")
                if not os.path.exists(out):
                    script(at(f"{kind}-{tool}.log"), "peers_repair.py", tool, "texts", at(f"{kind}.tsv"), out, always=True)
                run(at(f"{kind}-{tool}.txt"), repair, "answers", at(f"{kind}.tsv"), out)
    if "clean" in steps:
        script(None, "tables.py", at("tables"), always=True)
        corpus = sorted(path for use in ("training", "near", "far") for path in glob.glob(f"{args.corpus}/{use}/*.txt"))
        paths = corpus + sorted(glob.glob(at("tables/*.txt"))) + list(texts_of_the_machine(80_000_000))
        run(at("clean.txt"), repair, "clean", *paths)
    if "speed" in steps:
        script(at("speed.txt"), "speed.py", args.corpus, at("samples.tsv"), work, detect)
        damaged = at("damaged.txt")
        with open(damaged, "wb") as f:
            for line in open(at("mojibake.tsv")):
                f.write(bytes.fromhex(line.split("\t")[2]) + b"\n")
        clean = [at(f"utf-8-{language}.txt") for language in ("French", "Russian", "Japanese")]
        run(at("speed-repair.txt"), repair, "speed", *clean, damaged)
    if "report" in steps:
        script(at("report.md"), "report.py", work, "--picture", at("detect.svg"), always=True)


if __name__ == "__main__":
    main()
