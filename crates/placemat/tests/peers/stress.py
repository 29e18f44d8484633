"""Writes tests/vectors/stress.txt and tests/vectors/cases/stress-*.jsonl: the borders of UTF-8, as CPython reads them.

    python3 stress.py ../vectors

Each line of stress.txt quotes one sequence. The cases are those sequences alone, with the verdict, the offset and the text
with U+FFFD of CPython (3.11); and surrogates in WTF-8 and in UTF-16, converted with its `surrogatepass`.
"""
import json, sys
from pathlib import Path

OUT = Path(sys.argv[1])


def encode31(value, length):
    """The pattern of UTF-8 in `length` bytes, which may be overlong or above U+10FFFF."""
    out = []
    for _ in range(length - 1):
        out.insert(0, 0x80 | value & 0x3F)
        value >>= 6
    lead = {1: 0, 2: 0xC0, 3: 0xE0, 4: 0xF0, 5: 0xF8, 6: 0xFC}[length]
    return bytes([lead | value] + out)


LAST = [0x7F, 0x7FF, 0xFFFF, 0x1FFFFF, 0x3FFFFFF, 0x7FFFFFFF]
SECTIONS = []


def section(name, sequences):
    SECTIONS.append((name, [bytes(s) for s in sequences]))


section("first and last code point of each length",
        [encode31(n, l) for l in range(1, 7) for n in ((LAST[l - 2] + 1 if l > 1 else 0), LAST[l - 1])])
section("both sides of other borders",
        [chr(c).encode() for c in (0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFE, 0x10FFFF)] + [encode31(0x110000, 4)])
section("noncharacters, which are well-formed", [chr(c).encode() for c in range(0xFDD0, 0xFDF0)])
section("continuation bytes alone, one to nine of them", [[0x80] * n for n in range(1, 10)] + [[0xBF]])
section("each continuation byte", [range(0x80, 0xC0)] + [[b] for b in range(0x80, 0xC0, 7)])
section("each lead byte before a space", [bytes([b, 0x20]) for b in range(0xC0, 0x100)])
section("each lead byte at the end", [[b] for b in range(0xC0, 0x100)])
CUT = [chr(c).encode() for c in (0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF)] + [encode31(LAST[4], 5), encode31(LAST[5], 6)]
section("sequences that end early", [s[:n] for s in CUT for n in range(1, len(s))])
section("sequences that end early, one after the other", [b"".join(s[:-1] for s in CUT), b"".join(s[:1] for s in CUT)])
section("overlong forms of U+002F, NUL and the last of each length",
        [encode31(c, l) for c in (0x2F, 0) for l in range(2, 7)] + [encode31(LAST[l - 2], l) for l in range(2, 7)])
HALVES = [0xD800, 0xDB7F, 0xDB80, 0xDBFF, 0xDC00, 0xDF80, 0xDFFF]
section("surrogates alone", [encode31(h, 3) for h in HALVES])
section("surrogates in pairs", [encode31(a, 3) + encode31(b, 3) for a in HALVES[:4] for b in HALVES[4:]])
section("surrogates in the wrong order", [encode31(b, 3) + encode31(a, 3) for a in (0xD800, 0xDBFF) for b in (0xDC00, 0xDFFF)])
section("a signature at the start, within, and cut", [b"\xEF\xBB\xBFa", b"a\xEF\xBB\xBFb", b"\xEF\xBB", b"\xEF\xBB\xBF\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"])
section("other encodings taken for UTF-8", [
    "Zürich, Ålesund".encode("latin1"), "тест".encode("cp1251"), "日本語".encode("shift_jis"), "中文".encode("gb18030"),
    "한국어".encode("euc_kr"), '{"é":1}'.encode("utf-16-le"), '{"é":1}'.encode("utf-16"), "“so”".encode("cp1252")])
section("ill-formed bytes within JSON", [b'["' + s + b'"]' for s in (
    b"\xE9", b"\x81", b"\xFF", b"\xC0\xAF", b"\xED\xA0\x80", b"\xE0\xFF", b"\xF4\xBF\xBF\xBF", b"\xFC\x83\xBF\xBF\xBF\xBF",
    b"\xC3", "é\u0430\U0001F600".encode(), b"\xF0\x9F\x98", b"\\uD83D\xED\xB8\x80")] + [b"[1e1\xE5]", b"[-123\xE5]", b"\xE5", b"[\xE5]", b"[0\xE5]\n", b"{\"x\xB9\":\"0\",}"])

text = bytearray("A stress test for decoders of UTF-8. Each line quotes one sequence; this one is well-formed: κόσμε.\n".encode())
validate, replace = [], []
for name, sequences in SECTIONS:
    text += f"\n{name}\n".encode()
    for number, s in enumerate(sequences, 1):
        text += b'"' + s + b'"\n'
        ident = f"{name}: {number}"
        try:
            s.decode("utf-8")
            offset = None
        except UnicodeDecodeError as e:
            offset = e.start
        validate.append({"suite": "stress-validate", "id": ident, "op": "validate", "in": s.hex(), "valid": offset is None, "offset": offset})
        want = s.decode("utf-8", "replace").encode().hex()
        replace.append({"suite": "stress-replace", "id": ident, "op": "convert", "from": "utf-8", "to": "utf-8", "errors": "replace", "in": s.hex(), "want": want})

halves = []
UNITS = [[0x00], [0x7F], [0x80], [0x7FF], [0x800], [0x2C3C], [0xFFFF], [0xD834, 0xDF06], [0xD83D, 0xDCA9], [0xDBFF, 0xDFFF]]
UNITS += [[h] for h in HALVES] + [[0xD800, 0x41], [0x41, 0xDC00], [0xDC00, 0xD800], [0xD834, 0xD834, 0xDF06, 0xDF06], [0x20AC, 0xD800, 0xFFFD]]
for number, units in enumerate(UNITS, 1):
    utf16 = b"".join(u.to_bytes(2, "little") for u in units)
    plain = utf16.decode("utf-16-le", "surrogatepass")
    wtf8 = plain.encode("utf-8", "surrogatepass")
    well_formed = not any(0xD800 <= ord(c) <= 0xDFFF for c in plain)
    for source, target, src, want in (("wtf-8", "utf-16le", wtf8, utf16), ("utf-16le", "wtf-8", utf16, wtf8),
                                      ("wtf-8", "utf-8", wtf8, wtf8 if well_formed else None), ("utf-16le", "utf-8", utf16, wtf8 if well_formed else None)):
        halves.append({"suite": "stress-halves", "id": f"{number}: {source} to {target}", "op": "convert", "from": source, "to": target,
                       "errors": "surrogatepass" if target in ("wtf-8", "utf-16le") else "strict", "in": src.hex(), "want": want.hex() if want is not None else None})

signatures = []
for name, mark in (("utf-8", b"\xEF\xBB\xBF"), ("utf-16le", b"\xFF\xFE"), ("utf-16be", b"\xFE\xFF")):
    for text_of in "abc", "", "\uFEFFa":
        src = mark + text_of.encode(name)
        for bom, want in (("keep", src), ("strip", src[len(mark):])):
            signatures.append({"suite": "stress-signatures", "id": f"{name}, {bom}: {len(text_of)}", "op": "convert", "from": name, "to": "utf-8",
                               "errors": "replace", "in": src.hex(), "want": want.decode(name).encode().hex(), "bom": bom})

(OUT / "stress.txt").write_bytes(text)
for cases in validate, replace, halves, signatures:
    lines = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)
    (OUT / "cases" / f"{cases[0]['suite']}.jsonl").write_text(lines)
    print(cases[0]["suite"], len(cases))
