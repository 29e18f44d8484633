"""For Spark: `frame.mapInArrow(placemat.spark.decoding("body", "windows-1251"), schema)`.

The functions that `mapInArrow` takes get record batches and return them with one column replaced; all other columns keep
their buffers.
"""

import pyarrow

from placemat import arrow


def _replacing(name: str, function):
    def map_batches(batches):
        for batch in batches:
            place = batch.schema.get_field_index(name)
            if place < 0:
                raise KeyError(name)
            column = pyarrow.array(function(batch.column(place)))
            arrays = [column if i == place else batch.column(i) for i in range(batch.num_columns)]
            yield pyarrow.RecordBatch.from_arrays(arrays, batch.schema.names)

    return map_batches


def making_valid(name: str, errors: str = "replace"):
    """Bytes in the column `name` that should be UTF-8, as strings."""
    return _replacing(name, lambda column: arrow.make_valid(column, errors))


def decoding(name: str, encoding: str, errors: str = "replace"):
    """Bytes in the column `name` in `encoding`, as strings."""
    return _replacing(name, lambda column: arrow.decode(column, encoding, errors))


def encoding_to(name: str, encoding: str, errors: str = "replace"):
    """Strings in the column `name`, as bytes in `encoding`."""
    return _replacing(name, lambda column: arrow.encode(column, encoding, errors))
