// The cases of WPT's encoding/ in the shared test data, and the labels of the standard.
import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DATA, bytes, cases, hasData, hex, placemat } from "./common.mjs";

const { TextDecoder, TextEncoder } = placemat;
const skip = hasData ? false : "there is no test data: set PLACEMAT_TESTDATA";

test("every label of the standard, with white space around, names its encoding", { skip }, () => {
  const groups = JSON.parse(readFileSync(new URL("whatwg/encodings.json", DATA), "utf8"));
  let count = 0;
  for (const { encodings } of groups) {
    for (const { name, labels } of encodings) {
      for (const label of labels) {
        for (const written of [label, label.toUpperCase(), ` ${label}`, `${label}\n`, `\t\f\r${label} `]) {
          count++;
          if (name === "replacement") assert.throws(() => new TextDecoder(written), RangeError, label);
          else assert.equal(new TextDecoder(written).encoding, name.toLowerCase(), label);
        }
        for (const written of [`\0${label}`, `${label}\0`, `\v${label}`, `\u00A0${label}`, `${label}\u2028`, `${label}\u0085`]) {
          assert.throws(() => new TextDecoder(written), RangeError, JSON.stringify(written));
        }
      }
    }
  }
  assert.ok(count >= 5 * 220, `${count}`);
});

/** Decodes like WPT: whole, and byte by byte. */
function decoded(label, source, options) {
  const decoder = new TextDecoder(label, options);
  const whole = decoder.decode(source);
  let text = "";
  for (const byte of source) text += decoder.decode(Uint8Array.of(byte), { stream: true });
  text += decoder.decode();
  assert.equal(text, whole, "byte by byte");
  return whole;
}

for (const suite of ["wpt-decode", "wpt-bom", "wpt-mb-tables", "whatwg-sb"]) {
  test(`${suite}: decoding`, { skip }, () => {
    let count = 0;
    for (const { id, from, to, errors, in: source, want, bom } of cases(suite)) {
      if (to !== "utf-8" && to !== "wtf-8" || source === undefined) continue;
      count++;
      const options = { fatal: errors === "strict", ignoreBOM: bom !== "strip" };
      const run = () => decoded(from, bytes(source), options);
      if (want === null) assert.throws(run, TypeError, id);
      else assert.equal(hex(placemat.encode(run(), to)), hex(bytes(want)), id);
    }
    assert.ok(count >= 5, `${count}`);
  });
}

test("wpt-encode: strings with surrogates", { skip }, () => {
  for (const { id, in: source, want, to } of cases("wpt-encode")) {
    // The string has the code units of the source unchanged.
    const text = placemat.decode(bytes(source), "ucs-2le", { web: false });
    assert.equal(hex(new TextEncoder(to).encode(text)), hex(bytes(want)), id);
    const into = new Uint8Array(want.length / 2);
    assert.deepEqual(new TextEncoder(to).encodeInto(text, into), { read: text.length, written: into.length }, id);
  }
});

test("the indexes of encoding_rs's own tests: whole tables, both ways", { skip }, () => {
  for (const { id, op, from, to, errors, in: source, in_file: file, want, want_file: wanted } of cases("encoding_rs")) {
    if (op !== "convert") continue;
    const read = (hexes, name) => (hexes !== undefined && hexes !== null ? bytes(hexes) : new Uint8Array(readFileSync(new URL(name, DATA))));
    const [src, expected] = [read(source, file), read(want, wanted)];
    const options = { errors: errors === "replace" ? "replace" : "fatal", unmappable: "xmlref" };
    assert.equal(hex(placemat.transcode(src, from, to, options)), hex(expected), id);
  }
});

test("what the platform gets wrong: windows-1252 80 in Node 20, strings of Big5 in Chromium", () => {
  assert.equal(new TextDecoder("windows-1252").decode(bytes("80")), "€");
  assert.equal(new TextDecoder("big5").decode(bytes("88 62 88 64 88 a3 88 a5")), "\u00CA\u0304\u00CA\u030C\u00EA\u0304\u00EA\u030C");
  assert.equal(new TextDecoder("x-user-defined").decode(bytes("80 ff")), "\uF780\uF7FF");
  assert.equal(new TextDecoder("iso-8859-8-i").encoding, "iso-8859-8-i");
  assert.equal(new TextDecoder("gbk").decode(bytes("80")), "€");
});
