"""The expression namespace `placemat` for Polars: `import placemat.polars`, then `pl.col("body").placemat.decode("cp1251")`.

    >>> import polars as pl, placemat.polars
    >>> frame = pl.DataFrame({"body": [b"caf\\xe9", b"caf\\xc3\\xa9"]})
    >>> frame.select(pl.col("body").placemat.make_valid())["body"].to_list()
    ['caf\\ufffd', 'café']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

import polars as pl

from placemat import DecodeError, EncodeError, arrow

_Type = Union[pl.DataType, type[pl.DataType]]

_ERROR = pl.Struct(
    {
        "offset": pl.UInt64,
        "length": pl.UInt32,
        "code": pl.String,
        "bytes": pl.Binary,
        "message": pl.String,
    }
)
_DETECTED = pl.Struct(
    {
        "verdict": pl.String,
        "encoding": pl.String,
        "confidence": pl.Float32,
        "language": pl.String,
        "first_non_ascii": pl.UInt64,
        "ill_formed": pl.UInt64,
        "contradicts_declaration": pl.Boolean,
        "mixed": pl.List(pl.String),
    }
)
_CHANGE = pl.Struct(
    {
        "step": pl.String,
        "offset": pl.UInt64,
        "before": pl.Binary,
        "repaired_offset": pl.UInt64,
        "after": pl.String,
        "encodings": pl.List(pl.String),
        "lossy": pl.Boolean,
        "gain": pl.Float32,
        "confidence": pl.Float32,
    }
)
_REPAIRED = pl.Struct({"text": pl.String, "encoding": pl.String, "changes": pl.List(_CHANGE)})


@pl.api.register_expr_namespace("placemat")
class Placemat:
    """The functions of `placemat.arrow`, as expressions."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _map(
        self, function: Callable[..., Any], dtype: _Type, *arguments: str, **settings: Any
    ) -> pl.Expr:
        def batch(series: pl.Series) -> pl.Series:
            try:
                made = function(series, *arguments, **settings)
            except (DecodeError, EncodeError) as e:
                # Polars makes an error of the same type from the message alone, which ours does not allow.
                raise pl.exceptions.ComputeError(str(e)) from e
            return pl.Series(series.name, made, dtype=dtype)

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

    def transcode(
        self, source: str, target: str, errors: str = "strict", unmappable: str = "strict"
    ) -> pl.Expr:
        """Bytes in one encoding, as bytes in another."""
        return self._map(arrow.transcode, pl.Binary, source, target, errors, unmappable)

    def first_error(self, encoding: str = "utf-8") -> pl.Expr:
        """The first error of each row: a struct of offset, length, code, bytes and message; null where there is none."""
        return self._map(arrow.first_error, _ERROR, encoding)

    def detect(self) -> pl.Expr:
        """The probable encoding of each row: a struct."""
        return self._map(arrow.detect, _DETECTED)

    def repair(self, **settings: Any) -> pl.Expr:
        """Each row repaired, with the settings of `placemat.repair`: a struct of text, encoding and changes."""
        return self._map(arrow.repair, _REPAIRED, **settings)
