"""The expression namespace `placemat` for Polars: `import placemat.polars`, then `pl.col("body").placemat.decode("cp1251")`.

    >>> import polars as pl, placemat.polars
    >>> frame = pl.DataFrame({"body": [b"caf\\xe9", b"caf\\xc3\\xa9"]})
    >>> frame.select(pl.col("body").placemat.make_valid())["body"].to_list()
    ['caf\\ufffd', 'café']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from placemat import arrow


@pl.api.register_expr_namespace("placemat")
class Placemat:
    """The functions of `placemat.arrow`, as expressions."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _map(
        self, function: Callable[..., Any], dtype: type[pl.DataType], *arguments: str
    ) -> pl.Expr:
        def batch(series: pl.Series) -> pl.Series:
            return pl.Series(series.name, function(series, *arguments))

        return self._expr.map_batches(batch, return_dtype=dtype, is_elementwise=True)

    def is_valid(self, encoding: str = "utf-8") -> pl.Expr:
        """Whether each row is well-formed."""
        return self._map(arrow.is_valid, pl.Boolean, encoding)

    def count(self, encoding: str = "utf-8") -> pl.Expr:
        """The number of code points of each row."""
        return self._map(arrow.count, pl.Int64, encoding)

    def make_valid(self, errors: str = "replace") -> pl.Expr:
        """Bytes that should be UTF-8, as strings."""
        return self._map(arrow.make_valid, pl.String, errors)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> pl.Expr:
        """Bytes in an encoding, as strings."""
        return self._map(arrow.decode, pl.String, encoding, errors)

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> pl.Expr:
        """Strings, as bytes in an encoding."""
        return self._map(arrow.encode, pl.Binary, encoding, errors)
