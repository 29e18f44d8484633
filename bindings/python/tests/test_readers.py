"""The readers for datatrove and NeMo Curator, where these are installed."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import placemat

TEXTS = ["plain", "été 日本語", "Привет, мир", "😀"]


def lines(encoding: str) -> bytes:
    rows = "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in TEXTS)
    return placemat.encode(rows, encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "cesu-8"])
def test_datatrove(tmp_path: Path, encoding: str) -> None:
    pytest.importorskip("datatrove", reason="datatrove is not installed: NOT tested")
    from placemat.datatrove import CSVReader, JsonlReader

    (tmp_path / "a.jsonl").write_bytes(lines(encoding))
    reader = JsonlReader(str(tmp_path), encoding=encoding, glob_pattern="*.jsonl")
    assert [document.text for document in reader.run()] == TEXTS
    # Pipelines go to other processes.
    again = pickle.loads(pickle.dumps(reader.data_folder))
    assert again.open("a.jsonl", "r").read() == placemat.decode(lines(encoding), encoding)
    assert again.open("a.jsonl", "rb").read() == lines(encoding)
    (tmp_path / "b.csv").write_bytes(placemat.encode('text\n"été, Ж"\n', encoding))
    found = CSVReader(str(tmp_path), encoding=encoding, glob_pattern="*.csv").run()
    assert [document.text for document in found] == ["été, Ж"]


def test_datatrove_goes_on_after_errors(tmp_path: Path) -> None:
    pytest.importorskip("datatrove", reason="datatrove is not installed: NOT tested")
    from datatrove.pipeline import readers

    from placemat.datatrove import JsonlReader

    (tmp_path / "a.jsonl").write_bytes(b'{"text": "caf\xe9"}\n' + lines("utf-8"))
    assert [document.text for document in readers.JsonlReader(str(tmp_path)).run()] != ["caf\ufffd", *TEXTS]
    assert [document.text for document in JsonlReader(str(tmp_path)).run()] == ["caf\ufffd", *TEXTS]
    assert [document.text for document in JsonlReader(str(tmp_path), errors="cp1252").run()] == ["café", *TEXTS]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "cesu-8"])
def test_nemo_curator(tmp_path: Path, encoding: str) -> None:
    pytest.importorskip("nemo_curator", reason="nemo_curator is not installed: NOT tested")
    from placemat.nemo_curator import JsonlReader, JsonlReaderStage

    path = tmp_path / "a.jsonl"
    path.write_bytes(lines(encoding))
    reader = JsonlReader(str(path), encoding=encoding, errors="replace", fields=["text"])
    stage = reader.decompose()[1]
    assert isinstance(stage, JsonlReaderStage)
    assert list(stage.read_data([str(path)], stage.read_kwargs, stage.fields)["text"]) == TEXTS
    if encoding == "utf-8":
        path.write_bytes(b'{"text": "caf\xe9"}\n')
        assert list(stage.read_data([str(path)])["text"]) == ["caf\ufffd"]
