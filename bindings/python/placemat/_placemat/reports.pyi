from typing import Optional

from typing_extensions import Buffer

def check(
    data: Buffer, encoding: str, limit: int
) -> list[tuple[int, bytes, str, int, int, str, str]]: ...
def count(data: Buffer, encoding: str) -> tuple[int, int, int, int, int, int]: ...
def clusters(text: str, most: int) -> int: ...
def lookup(
    label: str, vendor: Optional[str]
) -> tuple[str, list[str], list[str], str, str, str, int, bool, bytes]: ...
def encodings() -> list[str]: ...
def sniff(
    data: Buffer,
) -> tuple[
    tuple[str, Optional[str], float, Optional[str], str],
    tuple[
        Optional[tuple[str, int]],
        list[tuple[str, float, Optional[str]]],
        Optional[int],
        Optional[tuple[str, str, Optional[str], int, bool]],
        list[tuple[str, int, bytes]],
        Optional[tuple[int, int, int]],
        list[str],
    ],
]: ...
