#!/usr/bin/env python3
"""The cases that every door answers equally, crates/placemat/tests/doors.json, for libplacemat: doors.py LIBRARY"""

import ctypes
import json
import pathlib
import sys
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_float, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

CASES = pathlib.Path(__file__).resolve().parents[4] / "crates/placemat/tests/doors.json"
DONE, ILL_FORMED, UNMAPPABLE, BAD_ARGUMENT, READS_OTHERWISE = 0, 3, 4, 6, 7
MAX_CANDIDATES = MAX_LAYERS = 8
VERDICTS = ["empty", "text", "binary", "unknown"]
STEPS = {"wide": 1, "pairs": 2, "bytes": 4, "lost": 8, "mojibake": 16, "legacy": 32, "controls": 64}
HEX_ESCAPE = 4


class Candidate(Structure):
    _fields_ = [("encoding", c_uint32), ("confidence", c_float), ("is_same_text", c_uint32)]


class Detection(Structure):
    _fields_ = [
        ("verdict", c_uint32), ("encoding", c_uint32), ("confidence", c_float), ("is_prefix", c_uint32), ("length", c_uint64),
        ("first_non_ascii", c_uint64), ("ill_formed", c_uint64), ("first_ill_formed", c_uint64), ("signature_length", c_size_t),
        ("declared", c_uint32), ("contradicts_declaration", c_uint32), ("candidate_count", c_uint32), ("mixed_count", c_uint32),
        ("candidates", Candidate * MAX_CANDIDATES), ("mixed", c_uint32 * MAX_CANDIDATES), ("language", c_char * 32),
    ]  # fmt: skip


class Region(Structure):
    _fields_ = [
        ("offset", c_uint64), ("length", c_uint64), ("line", c_uint64), ("lines", c_uint64), ("encoding", c_uint32),
        ("confidence", c_float),
    ]  # fmt: skip


class Change(Structure):
    _fields_ = [
        ("step", c_uint32), ("is_lossy", c_uint32), ("offset", c_uint64), ("before", c_void_p), ("before_length", c_size_t),
        ("repaired_offset", c_uint64), ("after", c_void_p), ("after_length", c_size_t), ("confidence", c_float),
        ("encoding_count", c_uint32), ("encodings", c_uint32 * MAX_LAYERS),
    ]  # fmt: skip


class Replaced(Structure):
    _fields_ = [("start", c_size_t), ("end", c_size_t), ("length", c_size_t)]


class Position(Structure):
    _fields_ = [("line", c_size_t), ("column", c_size_t)]


class Error(Structure):
    _fields_ = [
        ("offset", c_uint64), ("length", c_size_t), ("code_point", c_uint32), ("is_incomplete", c_uint32), ("byte_count", c_uint32),
        ("bytes", c_uint8 * 16), ("code", c_char * 28), ("message", c_char * 128),
    ]  # fmt: skip


class Progress(Structure):
    _fields_ = [("status", c_uint32), ("read", c_size_t), ("written", c_size_t)]


class Policy(Structure):
    _fields_ = [
        ("on_error", c_uint32), ("on_unmappable", c_uint32), ("span", c_uint32), ("error_text", c_char_p),
        ("error_text_length", c_size_t), ("unmappable_text", c_char_p), ("unmappable_text_length", c_size_t),
        ("callback", c_void_p), ("data", c_void_p),
    ]  # fmt: skip


OnRegion = ctypes.CFUNCTYPE(ctypes.c_bool, c_void_p, POINTER(Region))
OnText = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)
OnChange = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Change))


class Settings(Structure):
    _fields_ = [
        ("steps", c_uint32), ("lost", c_uint32), ("fallback", c_uint32), ("min_confidence", c_float), ("write", OnText),
        ("changed", OnChange), ("data", c_void_p),
    ]  # fmt: skip


c = ctypes.CDLL(sys.argv[1])
c.placemat_convert.restype = c.placemat_transcoder_convert.restype = Progress
c.placemat_transcoder_new.restype = c_void_p
c.placemat_utf8_truncate.restype = c.placemat_utf8_truncate_code_points.restype = c_size_t
c.placemat_document_open.restype = c_void_p
for lengths in ["length", "signature_length", "text_length", "line_count", "text_to_byte", "text_of_byte", "text_of_position"]:
    getattr(c, f"placemat_document_{lengths}").restype = c_size_t
c.placemat_document_position_of_text.restype = ctypes.c_bool
c.placemat_document_stand_in.restype = c_uint32
c.placemat_undo.argtypes = [c_char_p, c_size_t, c_uint32, c_void_p, c_size_t, OnText, c_void_p, c_void_p]
c.placemat_transcoder_convert.argtypes = [c_void_p, c_char_p, c_size_t, c_void_p, c_size_t, ctypes.c_bool, c_void_p]


def encoding(label):
    number = c.placemat_encoding_for_label(label.encode(), c_size_t(len(label)))
    assert number, label
    return number


def name(number):
    text = ctypes.create_string_buffer(64)
    c.placemat_encoding_name(number, text, c_size_t(64))
    return text.value.decode().lower()


def policy(name):
    return c.placemat_policy_for_name(name.encode(), c_size_t(len(name)))


def near(found, case):
    return case["confidence"] if abs(found - case["confidence"]) < 1e-6 else found


def detect(case, source):
    found = Detection()
    number = c.placemat_detect(source, c_size_t(len(source)), byref(found))
    assert number == found.encoding
    return {
        "verdict": VERDICTS[found.verdict],
        "encoding": name(number) if number else None,
        "confidence": near(found.confidence, case),
        "first_non_ascii": None if found.first_non_ascii == 2**64 - 1 else found.first_non_ascii,
        # 0 where the text is not damaged.
        "ill_formed": found.ill_formed or None,
        "contradicts_declaration": bool(found.contradicts_declaration),
        "mixed": [name(number) for number in found.mixed[: found.mixed_count]],
    }


def regions(_case, source):
    found = []

    def add(_data, region):
        one = region.contents
        found.append({"offset": one.offset, "length": one.length, "line": one.line, "lines": one.lines, "encoding": name(one.encoding)})
        return True

    assert c.placemat_regions(source, c_size_t(len(source)), OnRegion(add), None) == DONE
    return {"regions": found}


def repair(case, source):
    text, changes, kept, undone = bytearray(), [], [], bytearray()

    def changed(_data, change):
        one = Change.from_buffer_copy(change.contents)
        before = ctypes.string_at(one.before, one.before_length)
        after = ctypes.string_at(one.after, one.after_length)
        # The texts must stay, as the record points to them.
        buffers = [ctypes.create_string_buffer(part) for part in (before, after)]
        one.before, one.after = (ctypes.addressof(buffer) for buffer in buffers)
        kept.append((one, buffers))
        changes.append({
            "step": next(step for step, flag in STEPS.items() if flag == one.step),
            "offset": one.offset,
            "before": before.hex(),
            "repaired_offset": one.repaired_offset,
            "after": after.decode(),
            "encodings": [name(number) for number in one.encodings[: one.encoding_count]],
            "lossy": bool(one.is_lossy),
            "confidence": near(one.confidence, case["changes"][len(changes)]),
        })  # fmt: skip

    settings = Settings(
        sum(STEPS[step] for step in case.get("steps", [])),
        HEX_ESCAPE if case.get("lost") == "escape" else 0,
        encoding(case["fallback"]) if "fallback" in case else 0,
        case.get("min_confidence", 0),
        OnText(lambda _data, part, length: text.extend(ctypes.string_at(part, length))),
        OnChange(changed),
        None,
    )
    number = c_uint32()
    assert c.placemat_repair(source, c_size_t(len(source)), byref(settings), byref(number)) == DONE
    record = (Change * len(kept))(*(one for one, _ in kept))
    write = OnText(lambda _data, part, length: undone.extend(ctypes.string_at(part, length)))
    assert c.placemat_undo(bytes(text), len(text), number.value, record, len(kept), write, None, None) == DONE
    assert bytes(undone) == source, case
    return {"text": text.decode(), "source_encoding": name(number.value), "changes": changes}


def edit(case, source):
    document = c_void_p(c.placemat_document_open(source, c_size_t(len(source)), encoding(case["encoding"])))

    def contents():
        length = c_size_t(c.placemat_document_length(document))
        buffer = ctypes.create_string_buffer(length.value + 1)
        assert c.placemat_document_bytes(document, buffer, length) == DONE
        return buffer.raw[: length.value]

    length = c_size_t(c.placemat_document_text_length(document))
    buffer = ctypes.create_string_buffer(length.value + 1)
    assert c.placemat_document_text(document, c_size_t(0), length, buffer, length) == DONE
    text = buffer.raw[: length.value].decode()
    assert contents() == source

    def before(points):
        """Returns the offset in UTF-8; beyond the end, it stays so."""
        return c_size_t(len(text[:points].encode()) + max(0, points - len(text)))

    def points(utf8):
        return len(text.encode()[:utf8].decode())

    places = []
    for at in range(len(text) + 1):
        byte, position = c.placemat_document_text_to_byte(document, before(at)), Position()
        assert c.placemat_document_position_of_text(document, before(at), byref(position))
        places.append({
            "byte": byte,
            "from_byte": points(c.placemat_document_text_of_byte(document, c_size_t(byte))),
            "line": position.line,
            "column": position.column,
            "from_position": points(c.placemat_document_text_of_position(document, position)),
        })  # fmt: skip
    signature = source[: c.placemat_document_signature_length(document)]
    facts = {
        "text": text,
        "signature": signature.hex(),
        "stand_in": c.placemat_document_stand_in(document, c_uint8(0)) or None,
        "lines": c.placemat_document_line_count(document),
        "places": places,
    }
    new, replaced, error = case["new"].encode(), Replaced(), Error()
    status = c.placemat_document_replace(
        document, before(case["start"]), before(case["end"]), new, c_size_t(len(new)), byref(replaced), byref(error)
    )
    why = {BAD_ARGUMENT: "range", READS_OTHERWISE: "reads otherwise", DONE: None}.get(status)
    if status == UNMAPPABLE:
        why = {"code_point": error.code_point, "offset": len(new[: error.offset].decode())}
        assert f"U+{error.code_point:04X}" in error.message.decode()
    edited = None
    if status == DONE:
        edited = {"start": replaced.start, "end": replaced.end, "length": replaced.length}
    result = contents().hex()
    c.placemat_document_free(document)
    return {**facts, "error": why, "replaced": edited, "result": result}


def check(case, source):
    # To UTF-32, which holds what every encoding has, and whose length is that of the output here.
    transcoder = c_void_p(c.placemat_transcoder_new(encoding(case["encoding"]), encoding("utf-32le"), None, None))
    out, error, errors, at = ctypes.create_string_buffer(4096), Error(), [], 0
    while True:
        progress = c.placemat_transcoder_convert(transcoder, source[at:], len(source) - at, out, 4096, True, byref(error))
        at += progress.read
        if progress.status != ILL_FORMED:
            assert progress.status == DONE, case
            c.placemat_transcoder_free(transcoder)
            return {"errors": errors}
        errors.append({"offset": error.offset, "length": error.length, "code": error.code.decode()})


def convert(case, source):
    policies = Policy(policy(case["errors"]), policy(case["unmappable"]))
    out, error = ctypes.create_string_buffer(4096), Error()
    progress = c.placemat_convert(
        encoding(case["from"]), encoding(case["to"]), byref(policies), source, c_size_t(len(source)), out, c_size_t(4096), byref(error)
    )
    if progress.status == ILL_FORMED:
        return {"error": {"offset": error.offset, "code": error.code.decode()}}
    if progress.status == UNMAPPABLE:
        return {"error": {"offset": error.offset, "code_point": error.code_point}}
    assert progress.status == DONE, case
    return {"result": out.raw[: progress.written].hex()}


def truncate(case, _source):
    text = case["text"].encode()
    cut = c.placemat_utf8_truncate if "bytes" in case else c.placemat_utf8_truncate_code_points
    most = case["bytes"] if "bytes" in case else case["chars"]
    return {"result": text[: cut(text, c_size_t(len(text)), c_size_t(most))].decode()}


def main():
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    count = 0
    for answer in (detect, regions, repair, edit, check, convert, truncate):
        for case in cases[answer.__name__]:
            source = b"" if answer is truncate else bytes.fromhex(case["bytes"])
            for field, value in answer(case, source).items():
                assert value == case[field], (answer.__name__, field, value, case)
            count += 1
    assert count > 60
    print(f"{count} cases answered as by the other doors")


main()
