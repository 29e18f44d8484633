"""The speed of placemat against CPython's own codecs: python bench/run.py [NAME...]

Both run in this process on the same objects, in turn; a figure is the median of the rounds. First both must give the same. Names
select rows by a part of their name.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import placemat
from texts import WORDS, damaged, text

ROUNDS = 21


def seconds(call: Callable[[], object], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - began) / times


def compare(name: str, size: int, theirs: Callable[[], object], ours: Callable[[], object]) -> None:
    if len(sys.argv) > 1 and not any(part.lower() in name.lower() for part in sys.argv[1:]):
        return
    assert theirs() == ours(), name
    times = max(1, int(0.002 / max(seconds(theirs, 3), 1e-8)))
    rounds = [(seconds(theirs, times), seconds(ours, times)) for _ in range(ROUNDS)]
    their, our = (statistics.median(figures) for figures in zip(*rounds))
    if size < 1000:
        figures = f"{their * 1e9:8.0f} ns   {our * 1e9:8.0f} ns  "
    else:
        figures = f"{size / their / 1e9:8.2f} GB/s {size / our / 1e9:8.2f} GB/s"
    print(f"{name:58} {figures} {their / our:7.2f} ×", flush=True)


def rows() -> None:
    for size in [8, 32, 100, 1000, 80_000, 16_000_000]:
        for language in WORDS:
            some = text(language, size)
            data = some.encode()
            compare(f"bytes to str, UTF-8, {size} {language}", len(data), lambda: data.decode(), lambda: placemat.decode(data))
            compare(f"str to bytes, UTF-8, {size} {language}", len(data), lambda: some.encode(), lambda: placemat.encode(some))
    for errors in ["replace", "ignore", "backslashreplace", "surrogateescape"]:
        for language in ["ASCII", "French", "Russian", "Chinese"]:
            data = damaged(text(language, 80_000).encode(), 0.01)
            compare(
                f"bytes to str, UTF-8, {errors}, 1 % {language}",
                len(data),
                lambda: data.decode("utf-8", errors),
                lambda: placemat.decode(data, "utf-8", errors),
            )
    for name, language in [
        ("windows-1251", "Russian"), ("koi8-r", "Russian"), ("windows-1252", "French"), ("shift_jis", "Japanese"),
        ("euc-jp", "Japanese"), ("gbk", "Chinese"), ("gb18030", "Chinese"), ("big5", "Chinese"), ("euc-kr", "Korean"),
    ]:  # fmt: skip
        some = text(language, 80_000)
        some = some.encode(name, "ignore").decode(name)
        data = some.encode(name)
        compare(f"bytes to str, {name} {language}", len(data), lambda: data.decode(name), lambda: placemat.decode(data, name))
        compare(f"str to bytes, {name} {language}", len(data), lambda: some.encode(name), lambda: placemat.encode(some, name))


def threads() -> None:
    data = text("Russian", 80_000).encode()
    with ThreadPoolExecutor(2) as pool:
        for name, call in [("bytes.decode", bytes.decode), ("placemat.decode", placemat.decode)]:
            def work(_: int) -> None:
                for _ in range(2000):
                    call(data)

            one = min(seconds(lambda: list(pool.map(work, [0])), 1) for _ in range(5))
            two = min(seconds(lambda: list(pool.map(work, [0, 1])), 1) for _ in range(5))
            print(f"two threads, {name}: {2 * one / two:.2f} × one")


if __name__ == "__main__":
    print(f"{'':58} {'CPython':>13} {'placemat':>13}")
    rows()
    threads()
