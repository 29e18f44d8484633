"""The functions for Spark, in an executor that is a process of its own, against Spark's own function. Each job takes seconds, so there
are few."""

import shutil
import sys
from pathlib import Path

import pytest
from common import SANITIZED

pytest.importorskip("pyarrow", reason="pyarrow is not installed: Spark is NOT tested")
sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed: Spark is NOT tested")
if shutil.which("java") is None:
    pytest.skip("there is no Java: Spark is NOT tested", allow_module_level=True)
if SANITIZED:
    pytest.skip("Java does not start under the address sanitizer: Spark is NOT tested", allow_module_level=True)

from pyspark.sql import functions  # noqa: E402

import placemat.spark  # noqa: E402

ROWS = ["5 €".encode(), b"caf\xe9", None, b"", b"\xf0\x9f\x98", b"a row of more than twelve bytes \xff", b"plain"]


@pytest.fixture(scope="module")
def spark():
    # The workers of Spark are this Python, with this package.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", str(Path(placemat.__file__).parents[1]))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = sql.SparkSession.builder.master("local-cluster[1,2,512]")
        for name, value in {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.executor.memory": "512m",
            "spark.log.level": "ERROR",
            "spark.sql.shuffle.partitions": "2",
            "spark.ui.enabled": "false",
        }.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()


@pytest.fixture(scope="module")
def frame(spark):
    # More partitions than rows, so that some have none.
    return spark.createDataFrame(list(enumerate(ROWS)), "id int, body binary").repartition(len(ROWS) + 1)


def by_id(frame):
    return [body for _, body in sorted(frame.collect())]


def test_map_in_arrow(frame):
    made = by_id(frame.mapInArrow(placemat.spark.making_valid("body"), "id int, body string"))
    assert made == [row if row is None else row.decode("utf-8", "replace") for row in ROWS]
    # Spark 4 has such a function too.
    if hasattr(functions, "make_valid_utf8"):
        assert made == by_id(frame.select("id", functions.make_valid_utf8(frame.body.cast("string"))))


@pytest.mark.skipif(not hasattr(functions, "arrow_udf"), reason="arrow_udf came with PySpark 4.1: NOT tested")
def test_arrow_udf(frame):
    valid, decode, encode = placemat.spark.make_valid_udf(), placemat.spark.decode_udf("koi8-r"), placemat.spark.encode_udf("koi8-r")
    made = sorted(frame.select("id", valid("body"), decode("body"), encode(decode("body"))).collect())
    for (_, *cells), row in zip(made, ROWS):
        if row is None:
            assert cells == [None, None, None]
        else:
            assert cells == [row.decode("utf-8", "replace"), row.decode("koi8-r"), row]
