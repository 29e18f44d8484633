"""UTF-8 and more than 300 other encodings: text from bytes and bytes from text, with exact errors and every policy."""

from placemat._placemat import (
    DecodeError,
    Decoder,
    EncodeError,
    Encoder,
    decode,
    encode,
    is_valid,
    transcode,
)
from placemat.files import open, wrap
from placemat.reports import (
    Candidate,
    Damage,
    Declared,
    Detection,
    Encoding,
    Finding,
    Lengths,
    RuledOut,
    check,
    count,
    encodings,
    lookup,
    sniff,
)
from placemat.truncation import truncate

__all__ = [
    "Candidate",
    "Damage",
    "Declared",
    "DecodeError",
    "Decoder",
    "Detection",
    "EncodeError",
    "Encoder",
    "Encoding",
    "Finding",
    "Lengths",
    "RuledOut",
    "check",
    "count",
    "decode",
    "encode",
    "encodings",
    "is_valid",
    "lookup",
    "open",
    "sniff",
    "transcode",
    "truncate",
    "wrap",
]
