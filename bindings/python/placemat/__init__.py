"""UTF-8 and more than 300 other encodings: text from bytes and bytes from text, with exact errors and every policy;
detection, repair, and editing in the text's own encoding."""

from placemat._placemat import (
    UNICODE_VERSION,
    DecodeError,
    Decoder,
    EncodeError,
    Encoder,
    __version__,
    decode,
    encode,
    is_valid,
    transcode,
)
from placemat.detection import (
    Candidate,
    Damage,
    Declared,
    Detection,
    Detector,
    Region,
    RuledOut,
    detect,
    regions,
    sniff,
)
from placemat.editing import Document, EditError, Replaced, normalize
from placemat.files import open, wrap
from placemat.repairing import Change, Repaired, UndoError, repair, undo
from placemat.reports import (
    Encoding,
    Finding,
    Lengths,
    check,
    count,
    encodings,
    lookup,
)
from placemat.truncation import truncate

__all__ = [
    "Candidate",
    "Change",
    "Damage",
    "Declared",
    "DecodeError",
    "Decoder",
    "Detection",
    "Detector",
    "Document",
    "EditError",
    "EncodeError",
    "Encoder",
    "Encoding",
    "Finding",
    "Lengths",
    "Region",
    "Repaired",
    "Replaced",
    "RuledOut",
    "UNICODE_VERSION",
    "UndoError",
    "check",
    "count",
    "decode",
    "detect",
    "encode",
    "encodings",
    "is_valid",
    "lookup",
    "normalize",
    "open",
    "regions",
    "repair",
    "sniff",
    "transcode",
    "truncate",
    "undo",
    "wrap",
    "__version__",
]
