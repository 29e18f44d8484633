"""For Spark: columns in batches, `mapInArrow` and `arrow_udf`.

    from placemat.spark import decode_udf, decoding

    frame.mapInArrow(decoding("body", "windows-1251"), "id bigint, body string")
    frame.select(decode_udf("windows-1251")("body"))        # PySpark 4.1 and later

The functions that `mapInArrow` takes get record batches and return them with one column replaced; all other columns keep
their buffers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Union

import pyarrow

from placemat import arrow

#: pyarrow has no types of its own: an array, and a record batch.
_Column = Any
_Batch = Any
_Function = Callable[[_Column], Union[arrow.ArrowArray, arrow.ArrowStream]]
MapInArrow = Callable[[Iterable[_Batch]], Iterator[_Batch]]


def _replacing(name: str, function: _Function) -> MapInArrow:
    def map_batches(batches: Iterable[_Batch]) -> Iterator[_Batch]:
        for batch in batches:
            place = batch.schema.get_field_index(name)
            if place < 0:
                raise KeyError(name)
            column = pyarrow.array(function(batch.column(place)))
            arrays = [column if i == place else batch.column(i) for i in range(batch.num_columns)]
            yield pyarrow.RecordBatch.from_arrays(arrays, batch.schema.names)

    return map_batches


def _udf(function: _Function, result: str) -> Any:
    try:
        from pyspark.sql.functions import arrow_udf
    except ImportError as e:
        raise ImportError(
            "arrow_udf came with PySpark 4.1: with an older one, use mapInArrow and placemat.spark.decoding"
        ) from e

    def of(column: pyarrow.Array) -> pyarrow.Array:
        return pyarrow.array(function(column))

    # PySpark reads the annotations themselves to tell the kind of function.
    of.__annotations__ = {"column": pyarrow.Array, "return": pyarrow.Array}
    return arrow_udf(of, result)


def making_valid(name: str, errors: str = "replace") -> MapInArrow:
    """Bytes in the column `name` that should be UTF-8, as strings."""
    return _replacing(name, lambda column: arrow.make_valid(column, errors))


def decoding(name: str, encoding: str, errors: str = "replace") -> MapInArrow:
    """Bytes in the column `name` in `encoding`, as strings."""
    return _replacing(name, lambda column: arrow.decode(column, encoding, errors))


def encoding_to(name: str, encoding: str, errors: str = "replace") -> MapInArrow:
    """Strings in the column `name`, as bytes in `encoding`."""
    return _replacing(name, lambda column: arrow.encode(column, encoding, errors))


def make_valid_udf(errors: str = "replace") -> Any:
    """A function of columns: bytes that should be UTF-8, as strings. Needs PySpark 4.1."""
    return _udf(lambda column: arrow.make_valid(column, errors), "string")


def decode_udf(encoding: str, errors: str = "replace") -> Any:
    """A function of columns: bytes in `encoding`, as strings. Needs PySpark 4.1."""
    return _udf(lambda column: arrow.decode(column, encoding, errors), "string")


def encode_udf(encoding: str, errors: str = "replace") -> Any:
    """A function of columns: strings, as bytes in `encoding`. Needs PySpark 4.1."""
    return _udf(lambda column: arrow.encode(column, encoding, errors), "binary")
