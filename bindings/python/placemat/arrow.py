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

from placemat._placemat import arrow as _arrow

ArrowArray = _arrow.ArrowArray
ArrowStream = _arrow.ArrowStream
count = _arrow.count
decode = _arrow.decode
encode = _arrow.encode
first_error = _arrow.first_error
is_valid = _arrow.is_valid
make_valid = _arrow.make_valid
transcode = _arrow.transcode

__all__ = [
    "ArrowArray",
    "ArrowStream",
    "count",
    "decode",
    "encode",
    "first_error",
    "is_valid",
    "make_valid",
    "transcode",
]
