"""The speed of columns in Spark: python bench/spark.py [ROWS [ROUNDS]]

A file of a million rows of text, one in a hundred ill-formed, is read by two cores and thrown away: through a `mapInArrow` and an
`arrow_udf` that give back what they get, through placemat's, and through Spark's own `make_valid_utf8`. All are run in turn; a
figure is the least of the rounds. First ours and Spark's must have the same rows. Needs Java, PySpark 4.1 and pyarrow.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from texts import WORDS, damaged, text

import placemat.spark


def write_rows(path: Path, count: int) -> int:
    """Writes rows of about 187 bytes, of all texts; returns the bytes of them."""
    rng = random.Random(count)
    some = [text(language, size).encode() for language in WORDS for size in range(120, 254)]
    bad = [damaged(row, 0.001) for row in some]
    rows = [rng.choice(bad if rng.random() < 0.01 else some) for _ in range(count)]
    table = pa.table({"id": pa.array(range(count), pa.int64()), "body": pa.array(rows, pa.binary())})
    pyarrow.parquet.write_table(table, path, row_group_size=count // 8, compression="none")
    return sum(map(len, rows))


def same(batches: Iterable[Any]) -> Iterator[Any]:
    yield from batches


def same_column(column: pa.Array) -> pa.Array:
    return column


# PySpark reads the annotations themselves.
same_column.__annotations__ = {"column": pa.Array, "return": pa.Array}


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(Path(placemat.__file__).parents[1])
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")  # type: ignore[attr-defined]
    builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    spark = builder.config("spark.driver.memory", "4g").config("spark.log.level", "ERROR").getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        size = write_rows(path, count)
        frame = spark.read.parquet(str(path))
        text_schema = "id bigint, body string"
        cast = f.col("body").cast("string")
        # What each is compared with, and itself.
        ways: dict[str, tuple[str, DataFrame]] = {
            "mapInArrow, the same batches": ("mapInArrow, the same batches", frame.mapInArrow(same, frame.schema)),
            "mapInArrow, placemat.spark.making_valid": (
                "mapInArrow, the same batches",
                frame.mapInArrow(placemat.spark.making_valid("body"), text_schema),
            ),
            "arrow_udf, the same column": (
                "arrow_udf, the same column",
                frame.select("id", f.arrow_udf(same_column, "binary")("body").alias("body")),
            ),
            "arrow_udf, placemat.spark.make_valid_udf": (
                "arrow_udf, the same column",
                frame.select("id", placemat.spark.make_valid_udf()("body").alias("body")),
            ),
            "make_valid_utf8 of Spark": ("mapInArrow, the same batches", frame.select("id", f.make_valid_utf8(cast).alias("body"))),
        }
        _, (_, ours), _, (_, udf), (_, theirs) = ways.values()
        assert ours.exceptAll(theirs).isEmpty() and udf.exceptAll(theirs).isEmpty(), "the rows differ"
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, (_, way) in ways.items():
                began = time.perf_counter()
                way.write.format("noop").mode("overwrite").save()
                times[name].append(time.perf_counter() - began)
    spark.stop()
    print(f"{count} rows, {size >> 20} MiB")
    for name, (other, _) in ways.items():
        print(f"{name:45} {min(times[name]):6.2f} s  {min(times[name]) / min(times[other]):5.2f} × {other}")


if __name__ == "__main__":
    main()
