"""The speed of placemat.compat.ftfy against ftfy itself: python bench/fixing.py [NAME...]

Needs ftfy. Both run in this process on the same objects, in turn; a figure is the median of the rounds. Names select rows by a part
of their name.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ftfy
import placemat
import placemat.compat.ftfy

ROUNDS = 11
FUNCTIONS = ["fix_text", "fix_encoding", "fix_and_explain"]
#: A story in several languages, one paragraph a line.
TEXTS = Path(__file__).parents[3] / "bench" / "texts"


def story(language: str) -> str:
    return (TEXTS / f"{language}.txt").read_text("utf-8")


def sentences(language: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.!?。])\s*|\n", story(language)) if part]


def misread(lines: list[str]) -> list[str]:
    """The lines, in UTF-8 that is read as windows-1252, where that damages them."""
    return [placemat.decode(line.encode(), "windows-1252") for line in lines if not line.isascii()]


def seconds(call: Callable[[str], Any], values: list[str], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        for value in values:
            call(value)
    return (time.perf_counter() - start) / times / len(values)


def compare(name: str, values: list[str]) -> None:
    if not values or len(sys.argv) > 1 and not any(part.lower() in name.lower() for part in sys.argv[1:]):
        return
    for function in FUNCTIONS:
        theirs, ours = getattr(ftfy, function), getattr(placemat.compat.ftfy, function)
        equal = sum(theirs(value)[:1] == ours(value)[:1] if function == "fix_and_explain" else theirs(value) == ours(value) for value in values)
        times = max(1, int(0.01 / max(seconds(ours, values, 2) * len(values), 1e-8)))
        rounds = [(seconds(theirs, values, 1), seconds(ours, values, times)) for _ in range(ROUNDS)]
        their, our = (statistics.median(figures) for figures in zip(*rounds))
        print(f"{name:28} {function:16} {their * 1e6:10.2f} µs {our * 1e6:9.2f} µs {their / our:8.1f} ×   {equal} of {len(values)} equal", flush=True)


if __name__ == "__main__":
    print(f"{'':45} {'ftfy':>13} {'placemat':>12}")
    for language in ["English", "French", "Russian", "Japanese"]:
        compare(f"clean lines, {language}", sentences(language))
    for language in ["English", "French", "Russian", "Japanese"]:
        compare(f"mojibake lines, {language}", misread(sentences(language)))
    for language in ["English", "French", "Japanese"]:
        compare(f"long clean text, {language}", [story(language) * 40])
        compare(f"long mojibake, {language}", misread([story(language) * 40]))
