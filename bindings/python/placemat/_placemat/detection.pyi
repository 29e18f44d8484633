from typing import Optional, final

from typing_extensions import Buffer, TypeAlias

_Answer: TypeAlias = tuple[
    tuple[str, Optional[str], float, Optional[str], str, int, bool, Optional[str]],
    tuple[
        Optional[tuple[str, int]],
        list[tuple[str, float, Optional[str], bool]],
        Optional[int],
        Optional[tuple[str, str, Optional[str], int, bool]],
        list[tuple[str, int, bytes]],
        Optional[tuple[int, int, int]],
        list[str],
    ],
]

@final
class Detector:
    def __new__(cls) -> Detector: ...
    def feed(self, data: Buffer) -> None: ...
    def finish(self) -> _Answer: ...
    def finish_prefix(self) -> _Answer: ...

def regions(data: Buffer) -> list[tuple[int, int, int, int, str, float]]: ...
