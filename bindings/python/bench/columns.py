"""The speed of columns against pyarrow, Polars, DuckDB and loops in Python: python bench/columns.py [ROWS]

A million rows of text in several scripts, 187 bytes in the mean, one thread. All are run in turn; a figure is the least of the
rounds. First the rows must be the same. Needs pyarrow; others are left out where they are not installed.
"""

from __future__ import annotations

import os

# Before they are imported: they make their threads at once.
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pyarrow.compute
from texts import WORDS, damaged, text

from placemat import arrow

ROUNDS = 15


def made(result: Any) -> Any:
    return pa.array(result) if hasattr(result, "__arrow_c_array__") else pa.chunked_array(result)


def run(title: str, ways: dict[str, Callable[[], Any]], rounds: int = ROUNDS) -> None:
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            began = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - began)
    print(title)
    for name, seconds in times.items():
        print(f"    {name:40} {min(seconds) * 1000:8.1f} ms", flush=True)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rng = random.Random(count)
    some = [text(language, size).encode() for language in WORDS for size in range(120, 254)]
    clean = pa.array([rng.choice(some) for _ in range(count)])
    bad = [damaged(row, 0.001) for row in some]
    rows = [rng.choice(bad if rng.random() < 0.01 else some) for _ in range(count)]
    dirty = pa.array(rows)
    print(f"{count} rows, {clean.nbytes >> 20} MiB")

    ways = {
        "placemat.arrow.is_valid": lambda: arrow.is_valid(clean),
        "placemat.arrow.decode, strict": lambda: arrow.decode(clean),
        "pyarrow, cast to string": lambda: clean.cast(pa.string()),
    }
    try:
        import polars

        series = polars.Series(clean)
        ways["Polars, cast to String"] = lambda: series.cast(polars.String)
    except ImportError:
        print("Polars is not installed")
    try:
        import duckdb

        connection = duckdb.connect(config={"threads": 1})
        table = pa.table({"body": clean})
        connection.register("rows", table)
        ways["DuckDB, decode"] = lambda: connection.sql("SELECT sum(length(decode(body))) FROM rows").fetchall()
    except ImportError:
        print("DuckDB is not installed")
    run("validate, all rows well-formed", ways)

    def lossy() -> Any:
        return pa.array([row.decode("utf-8", "replace") for row in dirty.to_pylist()])

    assert made(arrow.make_valid(dirty)).equals(lossy())
    run("make_valid, 1 % of rows damaged", {"placemat.arrow.make_valid": lambda: arrow.make_valid(dirty)})
    run("", {"Python, a row at a time": lossy}, 2)

    words = [text("Russian", size).encode("cp1251", "ignore") for size in range(120, 254)]
    legacy = pa.array([rng.choice(words) for _ in range(count)])

    def decoded() -> Any:
        return pa.array([row.decode("cp1251") for row in legacy.to_pylist()])

    assert made(arrow.decode(legacy, "cp1251")).equals(decoded())
    run(f"windows-1251 to string, {legacy.nbytes >> 20} MiB", {"placemat.arrow.decode": lambda: arrow.decode(legacy, "cp1251")})
    run("", {"Python, a row at a time": decoded}, 2)

    # In the cache of a core, so that memory is not what they wait for.
    small = dirty[:1000]
    with ThreadPoolExecutor(2) as pool:
        def work(_: int) -> None:
            for _ in range(500):
                arrow.make_valid(small)

        def seconds(parts: list[int]) -> float:
            began = time.perf_counter()
            list(pool.map(work, parts))
            return time.perf_counter() - began

        rounds = [(seconds([0]), seconds([0, 1])) for _ in range(ROUNDS)]
        one, two = (min(figures) for figures in zip(*rounds))
    print(f"two threads, placemat.arrow.make_valid: {2 * one / two:.2f} × one")


if __name__ == "__main__":
    main()
