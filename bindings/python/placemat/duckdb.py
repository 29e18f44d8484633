"""Arrow functions for DuckDB: `placemat.duckdb.register(connection)`, then `SELECT placemat_decode(body, 'cp1251') FROM t`.

    >>> import duckdb, placemat.duckdb
    >>> connection = duckdb.connect()
    >>> placemat.duckdb.register(connection)
    >>> connection.execute("SELECT placemat_decode('\\\\xCF\\\\xF0'::BLOB, 'windows-1251')").fetchone()
    ('Пр',)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Union

import pyarrow

from placemat import arrow

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: pyarrow has no types of its own: an array, or one of chunks.
_Column = Any
_Made = Union[arrow.ArrowArray, arrow.ArrowStream]


def _by_names(
    function: Callable[..., _Made], column: _Column, names: Sequence[_Column], result: Any
) -> _Column:
    """Calls `function` for the rows with the same names; mostly all rows have them."""
    kinds = [of.unique().to_pylist() for of in names]
    if all(len(kind) == 1 and kind[0] is not None for kind in kinds):
        return pyarrow.chunked_array(function(column, *(kind[0] for kind in kinds))).cast(result)
    places: dict[tuple[Any, ...], list[int]] = {}
    for place, arguments in enumerate(zip(*(of.to_pylist() for of in names))):
        if None not in arguments:
            places.setdefault(arguments, []).append(place)
    rows = [None] * len(column)
    for arguments, some in places.items():
        made = pyarrow.chunked_array(function(column.take(some), *arguments)).to_pylist()
        for place, row in zip(some, made):
            rows[place] = row
    return pyarrow.array(rows, result)


def _converted(
    name: str, function: Callable[..., _Made], columns: Sequence[_Column], required: int, result: Any
) -> _Column:
    """Converts a column by names that follow it, the last of which is a policy and may be left out."""
    if not required <= len(columns) <= required + 1:
        raise TypeError(f"{name} takes {required} or {required + 1} arguments: the last is the policy for errors")
    column, *names = map(_chunked, columns)
    if len(columns) == required:
        names.append(pyarrow.chunked_array([pyarrow.repeat("replace", len(column))]))
    return _by_names(function, column, names, result)


def _chunked(column: _Column) -> _Column:
    return column if isinstance(column, pyarrow.ChunkedArray) else pyarrow.chunked_array([column])


def register(connection: DuckDBPyConnection) -> None:
    """Adds functions, of which `errors`, the name of a policy as in `placemat.arrow`, may be left out:

    - `placemat_is_valid(blob)`
    - `placemat_make_valid(blob, errors)`: U+FFFD for errors
    - `placemat_decode(blob, encoding, errors)`: U+FFFD for errors
    - `placemat_encode(varchar, encoding, errors)`: `?` or the like for what the encoding lacks

    >>> import duckdb, placemat.duckdb
    >>> connection = duckdb.connect()
    >>> placemat.duckdb.register(connection)
    >>> connection.execute("SELECT placemat_decode('caf\\\\xE9'::BLOB, 'utf-8', 'cp1252')").fetchone()
    ('café',)
    """

    def is_valid(column: _Column) -> _Column:
        return pyarrow.chunked_array(arrow.is_valid(_chunked(column)))

    # DuckDB has no optional parameters, but functions of any number of them.
    def make_valid(*columns: _Column) -> _Column:
        return _converted("placemat_make_valid", arrow.make_valid, columns, 1, pyarrow.string())

    def decode(*columns: _Column) -> _Column:
        return _converted("placemat_decode", arrow.decode, columns, 2, pyarrow.string())

    def encode(*columns: _Column) -> _Column:
        return _converted("placemat_encode", arrow.encode, columns, 2, pyarrow.binary())

    for name, function, parameters, result in (
        ("placemat_is_valid", is_valid, ["BLOB"], "BOOLEAN"),
        ("placemat_make_valid", make_valid, None, "VARCHAR"),
        ("placemat_decode", decode, None, "VARCHAR"),
        ("placemat_encode", encode, None, "BLOB"),
    ):
        # DuckDB takes the name of the kind too, which its types leave out.
        # A row becomes NULL by the policy "null" too.
        connection.create_function(  # type: ignore[call-overload]
            name, function, parameters, result, type="arrow", null_handling="special"
        )
