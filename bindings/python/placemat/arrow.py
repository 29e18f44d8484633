"""Whole columns of text, from and for whatever speaks the Arrow PyCapsule interface: pyarrow, Polars, pandas, nanoarrow.

Each function takes a column of bytes or text (32 bits, large, views, dictionaries; slices and nulls) and returns one with
as many rows, which speaks the interface too: an array for an array, a stream of chunks for a stream. A clean column has
the same buffers.

    >>> import pyarrow, placemat.arrow
    >>> text = placemat.arrow.make_valid(pyarrow.array([b"5 \\xe2\\x82\\xac", b"caf\\xe9", None]))
    >>> pyarrow.array(text).to_pylist()
    ['5 €', 'caf\\ufffd', None]
    >>> pyarrow.array(placemat.arrow.is_valid(pyarrow.array([b"caf\\xe9"]))).to_pylist()
    [False]

`errors` takes the names of the stock policies, and "null": a row with an error becomes null.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

from placemat._placemat import arrow as _arrow

if TYPE_CHECKING:
    from placemat._placemat.arrow import _Column

ArrowArray = _arrow.ArrowArray
ArrowStream = _arrow.ArrowStream
count = _arrow.count
detect = _arrow.detect
decode = _arrow.decode
encode = _arrow.encode
first_error = _arrow.first_error
is_valid = _arrow.is_valid
make_valid = _arrow.make_valid
transcode = _arrow.transcode


def repair(
    column: _Column,
    *,
    steps: Iterable[str] | None = None,
    min_confidence: float = 0.0,
    lost: str = "replace",
    fallback: str | None = None,
) -> Union[ArrowArray, ArrowStream]:
    """Repairs each row as `placemat.repair` does, with the same settings: a struct of `text`, `encoding` and `changes`,
    whose offsets count bytes.

    >>> import pyarrow, placemat.arrow
    >>> column = pyarrow.array(placemat.arrow.repair(pyarrow.array([b"d\\xe9j\\xe0 vu", None])))
    >>> column.field("text").to_pylist()
    ['déjà vu', None]
    >>> [(change["offset"], change["before"], change["after"]) for change in column[0]["changes"].as_py()]
    [(1, b'\\xe9', 'é'), (3, b'\\xe0', 'à')]
    """
    if isinstance(steps, str):
        raise TypeError(f"steps is a list of names: [{steps!r}], not {steps!r}")
    return _arrow.repair(column, (None if steps is None else list(steps), min_confidence, lost, fallback))


__all__ = [
    "ArrowArray",
    "ArrowStream",
    "count",
    "decode",
    "detect",
    "encode",
    "first_error",
    "is_valid",
    "make_valid",
    "repair",
    "transcode",
]
