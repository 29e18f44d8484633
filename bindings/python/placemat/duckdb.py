"""Arrow functions for DuckDB: `placemat.duckdb.register(connection)`, then `SELECT placemat_decode(body, 'cp1251') FROM t`.

    >>> import duckdb, placemat.duckdb
    >>> connection = duckdb.connect()
    >>> placemat.duckdb.register(connection)
    >>> connection.execute("SELECT placemat_decode('\\\\xCF\\\\xF0'::BLOB, 'windows-1251')").fetchone()
    ('Пр',)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union

import pyarrow

from placemat import arrow

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: pyarrow has no types of its own: an array, or one of chunks.
_Column = Any
_Made = Union[arrow.ArrowArray, arrow.ArrowStream]


def _by_encoding(
    function: Callable[[_Column, str], _Made], column: _Column, encodings: _Column, result: Any
) -> _Column:
    """Calls `function` for the rows of each encoding; mostly there is one."""
    names = encodings.unique().to_pylist()
    if len(names) == 1 and names[0] is not None:
        return pyarrow.chunked_array(function(column, names[0])).cast(result)
    rows = [None] * len(column)
    for name in names:
        if name is not None:
            places = [place for place, other in enumerate(encodings.to_pylist()) if other == name]
            made = pyarrow.chunked_array(function(column.take(places), name)).to_pylist()
            for place, row in zip(places, made):
                rows[place] = row
    return pyarrow.array(rows, result)


def _chunked(column: _Column) -> _Column:
    return column if isinstance(column, pyarrow.ChunkedArray) else pyarrow.chunked_array([column])


def register(connection: DuckDBPyConnection) -> None:
    """Adds `placemat_is_valid(blob)`, `placemat_make_valid(blob)`, `placemat_decode(blob, encoding)`, which replaces
    errors by U+FFFD, and `placemat_encode(varchar, encoding)`, which replaces what the encoding lacks."""

    def is_valid(column: _Column) -> _Column:
        return pyarrow.chunked_array(arrow.is_valid(_chunked(column)))

    def make_valid(column: _Column) -> _Column:
        return pyarrow.chunked_array(arrow.make_valid(_chunked(column))).cast(pyarrow.string())

    def decode(column: _Column, encodings: _Column) -> _Column:
        def of(rows: _Column, name: str) -> _Made:
            return arrow.decode(rows, name, "replace")

        return _by_encoding(of, _chunked(column), encodings, pyarrow.string())

    def encode(column: _Column, encodings: _Column) -> _Column:
        def of(rows: _Column, name: str) -> _Made:
            return arrow.encode(rows, name, "replace")

        return _by_encoding(of, _chunked(column), encodings, pyarrow.binary())

    for name, function, parameters, result in (
        ("placemat_is_valid", is_valid, ["BLOB"], "BOOLEAN"),
        ("placemat_make_valid", make_valid, ["BLOB"], "VARCHAR"),
        ("placemat_decode", decode, ["BLOB", "VARCHAR"], "VARCHAR"),
        ("placemat_encode", encode, ["VARCHAR", "VARCHAR"], "BLOB"),
    ):
        # DuckDB takes the name of the kind too, which its types leave out.
        connection.create_function(name, function, parameters, result, type="arrow")  # type: ignore[call-overload]
