"""Readers for datatrove: its `JsonlReader` and `CSVReader`, for files in any encoding and with any policy.

datatrove reads text files as strict UTF-8 and leaves a file at its first error. In a pipeline, replace

    from datatrove.pipeline.readers import JsonlReader

by the line below; `encoding` and `errors` are two more arguments.

    >>> import os, tempfile
    >>> from placemat.datatrove import JsonlReader
    >>> folder = tempfile.mkdtemp()
    >>> with open(os.path.join(folder, "a.jsonl"), "wb") as file:
    ...     size = file.write(b'{"text": "caf\\xe9"}\\n{"text": "caf\\xc3\\xa9"}\\n')
    >>> [document.text for document in JsonlReader(folder).run()]
    ['caf\\ufffd', 'café']
    >>> [document.text for document in JsonlReader(folder, errors="cp1252").run()]
    ['café', 'café']
"""

from __future__ import annotations

from typing import Any

from datatrove.pipeline import readers

from placemat.files import wrap


class _Decoding:
    """A folder whose text files are decoded by placemat; all else is the folder's."""

    def __init__(self, folder: Any, encoding: str, errors: str) -> None:
        self._folder = folder
        self._encoding = encoding
        self._errors = errors

    def __getattr__(self, name: str) -> Any:
        # Pickle asks before there is a folder.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._folder, name)

    def open(self, path: str, mode: str = "rb", *args: Any, **kwargs: Any) -> Any:
        if "b" in mode or mode.strip("t") != "r":
            return self._folder.open(path, mode, *args, **kwargs)
        newline = kwargs.pop("newline", None)
        for replaced in ("encoding", "errors"):
            kwargs.pop(replaced, None)
        return wrap(
            self._folder.open(path, "rb", *args, **kwargs), self._encoding, self._errors, newline
        )


def _decode(reader: Any, encoding: str, errors: str) -> None:
    reader.data_folder = _Decoding(reader.data_folder, encoding, errors)


class JsonlReader(readers.JsonlReader):  # type: ignore[misc]  # datatrove brings no types
    """datatrove's JsonlReader, with an encoding and a policy for errors."""

    def __init__(
        self, *args: Any, encoding: str = "utf-8", errors: str = "replace", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        _decode(self, encoding, errors)


class CSVReader(readers.CSVReader):  # type: ignore[misc]
    """datatrove's CSVReader, with an encoding and a policy for errors."""

    def __init__(
        self, *args: Any, encoding: str = "utf-8", errors: str = "replace", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        _decode(self, encoding, errors)
