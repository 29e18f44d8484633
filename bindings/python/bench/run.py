"""The speed of placemat against CPython's own codecs: python bench/run.py [NAME...]

Both run in this process on the same objects, in turn; a figure is the least of the rounds. First both must give the same. Names
select rows by a part of their name.
"""

from __future__ import annotations

import codecs
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import placemat
from texts import WORDS, damaged, text

ROUNDS = 21
#: A text alone, time and again, teaches the processor where its branches go. So short texts are many, of this many bytes together.
TOGETHER = 100_000
GROUPS: dict[str, list[float]] = {}


def loop(call: str, values: list[Any]) -> Callable[[int], float]:
    """A function that makes the call that often with each value `x`, and returns the seconds of one call. No other call is between."""
    code = f"def run(times):\n start = now()\n for _ in range(times):\n  for x in values: {call}\n return (now() - start) / times"
    space = {"now": time.perf_counter, "decode": placemat.decode, "encode": placemat.encode, "range": range, "values": values}
    exec(code, space)
    run: Callable[[int], float] = space["run"]
    return lambda times: run(times) / len(values)


def compare(group: str, name: str, theirs: str, ours: str, values: list[Any], size: int) -> None:
    """Times two calls; `size` is that of one value, in bytes."""
    name = f"{group}, {name}"
    if len(sys.argv) > 1 and not any(part.lower() in name.lower() for part in sys.argv[1:]):
        return
    for x in values:
        space = {"decode": placemat.decode, "encode": placemat.encode, "x": x}
        assert eval(theirs, space) == eval(ours, space), name
    their_loop, our_loop = loop(theirs, values), loop(ours, values)
    times = max(1, int(0.002 / max(their_loop(3), 1e-8) / len(values)))
    rounds = [(their_loop(times), our_loop(times)) for _ in range(ROUNDS)]
    their, our = (min(figures) for figures in zip(*rounds))
    if size < 1000:
        figures = f"{their * 1e9:8.0f} ns   {our * 1e9:8.0f} ns  "
    else:
        figures = f"{size / their / 1e9:8.2f} GB/s {size / our / 1e9:8.2f} GB/s"
    GROUPS.setdefault(group, []).append(their / our)
    print(f"{name:58} {figures} {their / our:7.2f} ×", flush=True)


def rows() -> None:
    for size in [8, 32, 100, 1000, 80_000, 16_000_000]:
        for language in WORDS:
            some = [text(language, size, number) for number in range(max(1, TOGETHER // size))]
            data = [x.encode() for x in some]
            kind = "ASCII" if language == "ASCII" else "text"
            compare(f"{kind}, bytes to str, {size}", language, "x.decode()", "decode(x)", data, size)
            compare(f"{kind}, str to bytes, {size}", language, "x.encode()", "encode(x)", some, size)
    for errors in ["replace", "ignore", "backslashreplace", "surrogateescape"]:
        for language in ["ASCII", "French", "Russian", "Chinese"]:
            data = [damaged(text(language, 80_000).encode(), 0.01)]
            calls = f"x.decode('utf-8', {errors!r})", f"decode(x, 'utf-8', {errors!r})"
            compare(f"{errors}, 1 %", language, *calls, data, len(data[0]))
    for name, language, group in [
        ("windows-1251", "Russian", "single bytes"), ("koi8-r", "Russian", "single bytes"), ("windows-1252", "French", "single bytes"),
        ("shift_jis", "Japanese", "several bytes"), ("euc-jp", "Japanese", "several bytes"), ("gbk", "Chinese", "several bytes"),
        ("gb18030", "Chinese", "several bytes"), ("big5", "Chinese", "several bytes"), ("euc-kr", "Korean", "several bytes"),
    ]:  # fmt: skip
        one = text(language, 80_000).encode(name, "ignore").decode(name)
        coded = one.encode(name)
        compare(f"read {group}", name, f"x.decode({name!r})", f"decode(x, {name!r})", [coded], len(coded))
        compare(f"write {group}", name, f"x.encode({name!r})", f"encode(x, {name!r})", [one], len(coded))
    ascii = text("ASCII", 1_000_000).encode()
    for errors in ["replace", "ignore", "backslashreplace", "surrogateescape"]:
        calls = f"x.decode('utf-8', {errors!r})", f"decode(x, 'utf-8', {errors!r})"
        compare("ASCII, then one error", errors, *calls, [ascii + b"\xff"], len(ascii))
    for end in "é€😀":
        for size in [1000, 80_000, 1_000_000]:
            some = [text("ASCII", size, number).encode() + end.encode() for number in range(max(1, TOGETHER // size))]
            compare("ASCII, then one other", f"{end}, {size}", "x.decode()", "decode(x)", some, size)
    for name in ["ascii", "latin-1", "koi8-r", "shift_jis"]:
        one = text("Russian" if name in ("ascii", "latin-1") else "Korean", 80_000)
        compare("write what the encoding lacks", f"{name}, namereplace", f"x.encode({name!r}, 'namereplace')", f"encode(x, {name!r}, 'namereplace')", [one], len(one))
    for name, language in [("ascii", "ASCII"), ("utf-8", "ASCII"), ("utf-8", "Russian"), ("latin-1", "French"), ("shift_jis", "Japanese")]:
        damage = damaged(text(language, 80_000).encode(name if name == "shift_jis" else "utf-8", "ignore"), 0.01)
        one = damage.decode(name, "surrogateescape")
        calls = f"x.encode({name!r}, 'surrogateescape')", f"encode(x, {name!r}, 'surrogateescape')"
        if one.encode(name, "surrogateescape") == damage:
            compare("write escaped bytes", f"{name}, {language}", *calls, [one], len(damage))
    for language, name in [("ASCII", "ascii"), ("ASCII", "utf-8"), ("French", "utf-8"), ("Russian", "utf-8"), ("Chinese", "utf-8"), ("Japanese", "shift_jis")]:
        data = [damaged(text(language, 80_000).encode(name, "ignore"), 0.01)]
        if data[0].decode(name, "mark") == placemat.decode(data[0], name, "mark"):
            compare("read with a handler", f"{language}, {name}", f"x.decode({name!r}, 'mark')", f"decode(x, {name!r}, 'mark')", data, len(data[0]))
    for name, language in [("ascii", "Russian"), ("koi8-r", "Chinese"), ("shift_jis", "Korean"), ("gbk", "Korean")]:
        one = text(language, 80_000)
        for errors in ["runs-to-marks", "one-to-mark"]:
            calls = f"x.encode({name!r}, {errors!r})", f"encode(x, {name!r}, {errors!r})"
            compare("write with a handler", f"{name}, {errors}", *calls, [one], len(one.encode()))
    russian = text("Russian", 4_700_000)
    for name in ["ascii", "latin-1", "cp1252", "koi8-r"]:
        one = russian if name != "koi8-r" else text("Chinese", 4_700_000)
        for errors in ["replace", "ignore", "xmlcharrefreplace", "backslashreplace", "runs-to-marks"]:
            calls = f"x.encode({name!r}, {errors!r})", f"encode(x, {name!r}, {errors!r})"
            compare("write what the encoding lacks", f"{name}, {errors}", *calls, [one], len(one))


codecs.register_error("runs-to-marks", lambda e: ("?" * (e.end - e.start), e.end))  # type: ignore[attr-defined]
codecs.register_error("one-to-mark", lambda e: ("?", e.start + 1))  # type: ignore[attr-defined]
codecs.register_error("mark", lambda e: ("\ufffd", e.end))  # type: ignore[attr-defined]


def threads() -> None:
    """Needs two cores that nobody else uses."""
    data = text("Russian", 80_000).encode()
    with ThreadPoolExecutor(2) as pool:
        for name, call in [("bytes.decode", bytes.decode), ("placemat.decode", placemat.decode)]:
            def work(_: int) -> None:
                for _ in range(2000):
                    call(data)

            def seconds(parts: list[int]) -> float:
                began = time.perf_counter()
                list(pool.map(work, parts))
                return time.perf_counter() - began

            rounds = [(seconds([0]), seconds([0, 1])) for _ in range(9)]
            one, two = (min(figures) for figures in zip(*rounds))
            print(f"two threads, {name}: {2 * one / two:.2f} × one")


if __name__ == "__main__":
    print(f"{'':58} {'CPython':>13} {'placemat':>13}")
    rows()
    print("\nratios of the groups: mean, least")
    for group, ratios in GROUPS.items():
        print(f"{group:58} {statistics.geometric_mean(ratios):7.2f} × {min(ratios):7.2f} ×")
    if len(sys.argv) == 1 or "threads" in sys.argv:
        threads()
