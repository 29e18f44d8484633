"""The cases that every door answers equally: crates/placemat/tests/doors.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from common import VECTORS

import placemat

try:
    import pyarrow
    from placemat import arrow
except ImportError:
    pyarrow = None

CASES: dict[str, list[dict[str, Any]]] = json.loads((VECTORS.parent / "doors.json").read_text(encoding="utf-8"))


def source(case: dict[str, Any]) -> bytes:
    return bytes.fromhex(case["bytes"])


def lower(names: list[str]) -> list[str]:
    return [name.lower() for name in names]


def detect(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    found = placemat.detect(source(case))
    yield "verdict", found.verdict
    yield "encoding", found.encoding and found.encoding.lower()
    yield "confidence", pytest.approx(found.confidence, abs=1e-6)
    yield "language", found.language
    yield "first_non_ascii", found.first_non_ascii
    yield "ill_formed", found.damage and found.damage.ill_formed
    yield "contradicts_declaration", found.contradicts_declaration
    yield "mixed", lower(found.mixed)


def regions(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield (
        "regions",
        [
            {
                "offset": region.offset,
                "length": region.length,
                "line": region.line,
                "lines": region.lines,
                "encoding": region.encoding.lower(),
            }
            for region in placemat.regions(source(case))
        ],
    )


def repair(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    settings = {name: case[name] for name in ("steps", "lost", "fallback", "min_confidence") if name in case}
    repaired = placemat.repair(source(case), **settings)
    assert repaired.undo() == source(case)
    yield "text", repaired.text
    assert repaired.encoding is not None
    yield "source_encoding", repaired.encoding.lower()
    yield (
        "changes",
        [
            {
                "step": change.step,
                "offset": change.offset,
                "before": bytes(change.before).hex() if isinstance(change.before, bytes) else None,
                # In code points here, and in bytes of UTF-8 in the case.
                "repaired_offset": len(repaired.text[: change.repaired_offset].encode()),
                "after": change.after,
                "encodings": lower(change.encodings),
                "lossy": change.lossy,
                "confidence": pytest.approx(change.confidence, abs=1e-6),
            }
            for change in repaired.changes
        ],
    )


def edit(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    document = placemat.Document(source(case), case["encoding"])
    yield "text", document.text
    yield "signature", document.signature.hex()
    yield "stand_in", ord(document.stand_ins[0]) if document.stand_ins else None
    yield "lines", document.line_count
    places = []
    for at in range(document.text_len + 1):
        byte, position = document.text_to_byte(at), document.position_of_text(at)
        assert byte is not None and position is not None
        line, column = position
        places.append({
            "byte": byte,
            "from_byte": document.text_of_byte(byte),
            "line": line,
            "column": column,
            "from_position": document.text_of_position(line, column),
        })  # fmt: skip
    yield "places", places
    replaced: Any = None
    error: Any = None
    try:
        replaced = document.replace(case["start"], case["end"], case["new"])._asdict()
    except placemat.EncodeError as e:
        error = {"code_point": ord(e.object[e.start]), "offset": e.start}
    except IndexError:
        error = "range"
    except placemat.EditError:
        error = "reads otherwise"
    yield "replaced", replaced
    yield "error", error
    yield "result", document.to_bytes().hex()


def check(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    found = placemat.check(source(case), case["encoding"])
    assert [finding.code for finding in found] == [error["code"] for error in case["errors"]]
    yield "errors", [{"offset": one.offset, "length": one.length, "code": one.code} for one in found]


def convert(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    try:
        result = placemat.transcode(source(case), case["from"], case["to"], case["errors"], case["unmappable"])
    except placemat.DecodeError as e:
        yield "error", {"offset": e.offset, "code": e.code}
    except placemat.EncodeError as e:
        # Its offset counts code points of the text.
        assert e.object[e.start] == chr(case["error"]["code_point"])
        yield "error", case["error"]
    else:
        yield "result", result.hex()


def truncate(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    limit = {unit: case[unit] for unit in ("bytes", "chars") if unit in case}
    yield "result", placemat.truncate(case["text"], **limit)


@pytest.mark.parametrize("function", [detect, regions, repair, edit, check, convert, truncate])
def test_the_answers(function: Any) -> None:
    cases = CASES[function.__name__]
    assert len(cases) > 2
    for case in cases:
        for field, value in function(case):
            assert value == case[field], (field, case)


def first_error(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    error = pyarrow.array(arrow.first_error(pyarrow.array([source(case)]), case["encoding"]))[0].as_py()
    yield "errors", [error and {name: error[name] for name in ("offset", "length", "code")}]


def column_of_detections(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    found = pyarrow.array(arrow.detect(pyarrow.array([None, source(case)])))[1].as_py()
    found["confidence"] = pytest.approx(found["confidence"], abs=1e-6)
    yield from found.items()


def column_of_repairs(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    settings = {name: case[name] for name in ("steps", "lost", "fallback", "min_confidence") if name in case}
    column = arrow.repair(pyarrow.array([source(case)] * 2, pyarrow.binary()), **settings)
    repaired = pyarrow.array(column)[1].as_py()
    yield "text", repaired["text"]
    yield "source_encoding", repaired["encoding"]
    changes = repaired["changes"]
    for change in changes:
        del change["gain"]
        change["before"] = change["before"].hex()
        change["confidence"] = pytest.approx(change["confidence"], abs=1e-6)
    yield "changes", changes


def column_of_conversions(case: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    column = pyarrow.array([source(case)])
    try:
        made = arrow.transcode(column, case["from"], case["to"], case["errors"], case["unmappable"])
    except placemat.DecodeError as e:
        yield "error", {"offset": e.offset, "code": e.code}
    except placemat.EncodeError as e:
        assert e.object[e.start] == chr(case["error"]["code_point"])
    else:
        yield "result", pyarrow.array(made)[0].as_py().hex()


@pytest.mark.parametrize(
    ("function", "answers"),
    [
        ("check", first_error),
        ("detect", column_of_detections),
        ("repair", column_of_repairs),
        ("convert", column_of_conversions),
    ],
)
def test_the_answers_of_columns(function: str, answers: Any) -> None:
    if pyarrow is None:
        pytest.skip("pyarrow is not installed: columns are NOT tested")
    for case in CASES[function]:
        case = {**case, "errors": case["errors"][:1] or [None]} if function == "check" else case
        for field, value in answers(case):
            assert value == case[field], (field, case)
