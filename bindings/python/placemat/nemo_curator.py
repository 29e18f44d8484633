"""A reader for NeMo Curator: its `JsonlReader`, for files in any encoding and with any policy.

NeMo Curator gives up a file that is not strict UTF-8. In a pipeline, replace

    from nemo_curator.stages.text.io.reader import JsonlReader

by

    from placemat.nemo_curator import JsonlReader

`encoding` and `errors` are two more arguments. Files are read by pandas, whose other options `read_kwargs` takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nemo_curator.stages.text.io.reader import jsonl


@dataclass
class JsonlReaderStage(jsonl.JsonlReaderStage):  # type: ignore[misc]  # NeMo Curator brings no types
    """NeMo Curator's JsonlReaderStage, with an encoding and a policy for errors."""

    encoding: str = "utf-8"
    errors: str = "replace"

    def read_data(
        self,
        paths: list[str],
        read_kwargs: dict[str, Any] | None = None,
        fields: list[str] | None = None,
    ) -> Any:
        # The codecs are registered where the stage runs, in another process.
        from placemat import codecs

        given = dict(read_kwargs or {}, engine="pandas", encoding_errors=self.errors)
        given["encoding"] = codecs.info(self.encoding).name
        return super().read_data(paths, given, fields)


@dataclass
class JsonlReader(jsonl.JsonlReader):  # type: ignore[misc]
    """NeMo Curator's JsonlReader, with an encoding and a policy for errors."""

    encoding: str = "utf-8"
    errors: str = "replace"

    def decompose(self) -> list[Any]:
        partition, stage = super().decompose()
        return [
            partition,
            JsonlReaderStage(
                fields=stage.fields,
                read_kwargs=stage.read_kwargs,
                _generate_ids=stage._generate_ids,
                _assign_ids=stage._assign_ids,
                encoding=self.encoding,
                errors=self.errors,
            ),
        ]
