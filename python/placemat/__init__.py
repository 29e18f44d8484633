"""UTF-8 and 315 other encodings: text from bytes and bytes from text, with exact errors and every policy."""

from placemat._placemat import DecodeError, EncodeError, decode, encode, is_valid

__all__ = ["DecodeError", "EncodeError", "decode", "encode", "is_valid"]
