from typing import Optional, Union

from typing_extensions import Buffer, TypeAlias

_Settings: TypeAlias = tuple[Optional[list[str]], float, str, Optional[str]]

def repair_bytes(
    data: Buffer, settings: _Settings
) -> tuple[str, str, list[tuple[str, int, bytes, int, str, list[str], bool, float, float]]]: ...
def repair_text(
    text: str, settings: _Settings
) -> tuple[str, list[tuple[str, int, str, int, str, list[str], bool, float, float]]]: ...
def undo_bytes(
    text: str, encoding: str, changes: list[tuple[str, int, bytes, int, str]]
) -> Union[bytes, int]: ...
