// Facts about UTF-8 of docs/utf-8/ that a browser's own decoder shows: Node has the same.
import test from "node:test";
import assert from "node:assert/strict";
import { bytes, placemat } from "./common.mjs";

test("ill-formed UTF-8 becomes U+FFFD on the web, and never windows-1252", () => {
  for (const [hex, text] of [
    ["63 61 66 e9 20 80", "caf\uFFFD \uFFFD"],
    ["c0 af", "\uFFFD\uFFFD"],
    ["e1 a0 c0 41 42", "\uFFFD\uFFFDAB"],
    ["ed a0 80", "\uFFFD\uFFFD\uFFFD"],
    ["f4 90 80 80", "\uFFFD\uFFFD\uFFFD\uFFFD"],
  ]) {
    assert.equal(new globalThis.TextDecoder().decode(bytes(hex)), text, hex);
    assert.equal(new placemat.TextDecoder().decode(bytes(hex)), text, hex);
  }
});

test("browsers know none of the encodings that HTML forbids", () => {
  for (const label of ["utf-7", "cesu-8", "utf-32", "utf-32le", "scsu", "bocu-1", "utf-ebcdic", "ibm037"]) {
    assert.throws(() => new globalThis.TextDecoder(label), RangeError, label);
  }
});
