from typing_extensions import Buffer

class DecodeError(UnicodeDecodeError):
    code: str
    offset: int | None

class EncodeError(UnicodeEncodeError):
    code: str
    offset: int | None

def decode(data: Buffer, encoding: str = "utf-8", errors: str = "strict") -> str: ...
def encode(text: str, encoding: str = "utf-8", errors: str = "strict") -> bytes: ...
def is_valid(data: Buffer, encoding: str = "utf-8") -> bool: ...
