// The cases that every door answers equally: crates/placemat/tests/doors.json.
import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { bytes as fromHex, placemat } from "./common.mjs";

await placemat.init({ detect: true });

const cases = JSON.parse(readFileSync(new URL("../../../crates/placemat/tests/doors.json", import.meta.url), "utf8"));
const bytes = (one) => fromHex(one.bytes.replace(/../g, "$& ").trim());
const hex = (all) => Buffer.from(all).toString("hex");
const near = (found, want) => assert.ok(Math.abs(found - want) < 1e-6, `${found}, expected ${want}`);

/** The names of policies here, by those of Python. */
const ERRORS = { strict: "fatal", backslashreplace: "hex" };
const UNMAPPABLE = { ...ERRORS, xmlcharrefreplace: "xmlref" };

const ANSWERS = {
  detect(one) {
    const found = placemat.detect(bytes(one));
    near(found.confidence, one.confidence);
    const { verdict, encoding, language, mixed } = found;
    return {
      verdict, encoding, language, mixed, first_non_ascii: found.firstNonAscii, ill_formed: found.damage?.illFormed ?? null,
      contradicts_declaration: found.declared?.contradicted ?? false, confidence: one.confidence,
    };
  },
  regions(one) {
    return { regions: placemat.regions(bytes(one)).map(({ confidence, ...rest }) => rest) };
  },
  repair(one) {
    const { steps, lost, fallback, min_confidence: minConfidence } = one;
    const source = bytes(one);
    const repaired = placemat.repair(source, { steps, lost, fallback, minConfidence });
    assert.equal(hex(placemat.undo(repaired.text, repaired)), one.bytes);
    const changes = repaired.changes.map(({ step, offset, before, repairedOffset, after, encodings, lossy, confidence }, i) => {
      near(confidence, one.changes[i].confidence);
      return { step, offset, before: hex(before), repaired_offset: repairedOffset, after, encodings, lossy, confidence: one.changes[i].confidence };
    });
    return { text: repaired.text, source_encoding: repaired.encoding, changes };
  },
  edit(one) {
    const document = new placemat.Document(bytes(one), one.encoding, { web: false });
    const { text } = document;
    const points = [...text];
    // The index in the string; beyond the end, it stays so.
    const index = (at) => points.slice(0, at).join("").length + Math.max(0, at - points.length);
    const count = (string, at) => [...string.slice(0, at)].length;
    const places = Array.from({ length: points.length + 1 }, (_, at) => {
      const byte = document.textToByte(index(at));
      const { line, column } = document.positionOfText(index(at));
      return { byte, from_byte: count(text, document.textOfByte(byte)), line, column, from_position: count(text, document.textOfPosition(line, column)) };
    });
    const facts = {
      text, places, signature: hex(document.signature), stand_in: document.standIns?.codePointAt(0) ?? null, lines: document.lineCount,
    };
    let [replaced, error] = [null, null];
    try {
      replaced = document.replace(index(one.start), index(one.end), one.new);
    } catch (e) {
      if (e instanceof RangeError) error = "range";
      else if (e instanceof placemat.EditError) error = "reads otherwise";
      else error = { code_point: e.codePoint, offset: count(one.new, e.offset) };
    }
    const result = hex(document.toBytes());
    document.free();
    return { ...facts, replaced, error, result };
  },
  check(one) {
    // Offsets here are in bytes, and lengths in code units.
    const found = [...placemat.check(bytes(one), one.encoding, { web: false })];
    return { errors: found.map(({ offset, length, code }) => ({ offset, length, code })) };
  },
  convert(one) {
    const options = { errors: ERRORS[one.errors] ?? one.errors, unmappable: UNMAPPABLE[one.unmappable] ?? one.unmappable, web: false };
    try {
      return { result: hex(placemat.transcode(bytes(one), one.from, one.to, options)) };
    } catch (error) {
      const { offset, code, codePoint } = error;
      return { error: error instanceof placemat.IllFormedError ? { offset, code } : { offset, code_point: codePoint } };
    }
  },
  truncate(one) {
    const { text, bytes, chars } = one;
    return { result: placemat.truncate(text, bytes === undefined ? { chars } : { bytes }) };
  },
};

for (const [name, answer] of Object.entries(ANSWERS)) {
  test(name, () => {
    assert.ok(cases[name].length > 2);
    for (const one of cases[name]) assert.deepEqual({ ...one, ...answer(one) }, one);
  });
}
