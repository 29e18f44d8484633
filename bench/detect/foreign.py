#!/usr/bin/env python3
"""Makes sentences with a foreign word or name among their own, as prose has them: `São Paulo` in German, `Zürich` in Spanish.

    foreign.py CORPUS > foreign.tsv
    foreign.py --judge foreign.tsv ANSWERS

Each line is a sample as judge.py reads it: id, language, encoding, size, domain, bytes in hexadecimal. ANSWERS is what the program
`detect samples` of bench/ writes. What counts is how often an answer is right with a confidence of 0.8, from which on
`convert -f auto` takes it.
"""

import collections
import random
import re
import sys

WORDS = """naïve;São Paulo;Zürich;Málaga;Besançon;Göteborg;Kraków;Århus;Köln;señor;Françoise;Björk;El Niño;Genève;Düsseldorf;Saint-Étienne
Gijón;Tromsø;Ångström;José;François;Müller;Jürgen;Beyoncé;Citroën;Škoda;Łódź;Dvořák;Wrocław;Reykjavík;Coruña;Motörhead;façade;Pokémon
crème brûlée;déjà vu;Führer;smörgåsbord;Mädchen;São Tomé""".replace("\n", ";").split(";")

LANGUAGES = {
    "cp1252": ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi"],
    "cp1250": ["pl", "cs", "hu", "hr", "sk", "sl"],
    "cp1257": ["lt", "lv"],
    "iso-8859-2": ["pl", "cs", "hu"],
    "cp1254": ["tr"],
}
SAMPLES = 60

PYTHON = {"windows-1252": "cp1252", "windows-1250": "cp1250", "windows-1257": "cp1257", "windows-1254": "cp1254", "macintosh": "mac_roman"}


def sentences(corpus, language):
    text = ""
    for domain in ("near", "far"):
        try:
            with open(f"{corpus}/{domain}/{language}.txt", encoding="utf-8", errors="replace") as file:
                text += file.read(300_000)
        except FileNotFoundError:
            pass
    return [s.strip() for s in re.split(r"(?<=[.!?])\s+", text) if 50 < len(s) < 180 and "\ufffd" not in s]


def make(corpus):
    random.seed(5)
    for encoding, languages in LANGUAGES.items():
        for language in languages:
            made, all_sentences = 0, sentences(corpus, language)
            while made < SAMPLES and all_sentences:
                words = random.choice(all_sentences).split()
                for _ in range(random.choice([1, 1, 2])):
                    words.insert(random.randrange(1, len(words)), random.choice(WORDS))
                try:
                    data = " ".join(words).encode(encoding)
                except UnicodeEncodeError:
                    continue
                if not data.isascii():
                    print(f"{encoding}/{language}/{made}", language, encoding, len(data), "foreign", data.hex(), sep="\t")
                    made += 1


def judge(samples, answers):
    found = {}
    for line in open(answers, encoding="utf-8"):
        name, label, confidence, *_ = line.split("\t")
        found[name] = (label, float(confidence))
    counts = collections.defaultdict(collections.Counter)
    for line in open(samples, encoding="utf-8"):
        name, language, encoding, _, _, data = line.rstrip("\n").split("\t")
        data = bytes.fromhex(data)
        label, confidence = found[name]
        try:
            is_right = data.decode(PYTHON.get(label, label)) == data.decode(encoding)
        except (LookupError, UnicodeDecodeError):
            is_right = False
        for key in (f"{encoding} {language}", "all"):
            counts[key]["all"] += 1
            counts[key]["right"] += is_right
            counts[key]["right from 0.8"] += is_right and confidence >= 0.8
            counts[key]["wrong from 0.8"] += not is_right and confidence >= 0.8 and not label.endswith("?")
    print("| | texts | right % | right from 0.8 % | wrong from 0.8 |")
    print("| --- | --- | --- | --- | --- |")
    counts["all"] = counts.pop("all")
    for key, count in counts.items():
        share = [f"{100 * count[name] / count['all']:.1f}" for name in ("right", "right from 0.8")]
        print(f"| {key} | {count['all']} | {share[0]} | {share[1]} | {count['wrong from 0.8']} |")


if __name__ == "__main__":
    if sys.argv[1] == "--judge":
        judge(*sys.argv[2:])
    else:
        make(sys.argv[1])
