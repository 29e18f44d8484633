// Encodings against the Rust library: all bytes, all pairs, errors, all code points of three planes. PLACEMAT_ORACLE names a file
// with the output of bindings/web/oracle. One encoding of three is compared, since all of them take minutes; with PLACEMAT_LONG, each.
import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { placemat, random } from "./common.mjs";

const file = process.env.PLACEMAT_ORACLE;
if (!file) console.error("\n**** RUNS WITHOUT THE ORACLE: set PLACEMAT_ORACLE to the output of bindings/web/oracle ****\n");

const START = 0x811c9dc5;
const byUnits = (sum, text) => {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    sum = Math.imul(sum ^ (unit & 0xff), 0x01000193);
    sum = Math.imul(sum ^ (unit >> 8), 0x01000193);
  }
  return sum;
};
const byBytes = (sum, bytes) => {
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum;
};

test("encodings, compared with the library", { skip: file ? false : "there is no oracle" }, () => {
  let text = "";
  for (let plane = 0; plane < 0x30000; plane += 0x100) {
    if (plane >= 0xd800 && plane < 0xe000) continue;
    text += String.fromCodePoint(...Array.from({ length: 0x100 }, (_, i) => plane + i));
  }
  const lines = readFileSync(file, "utf8").trim().split("\n");
  assert.equal(lines.length, placemat.encodings().length);
  const step = process.env.PLACEMAT_LONG ? 1 : 3;
  const one = new Uint8Array(1);
  const two = Uint8Array.of(0, 0, 0x41);
  for (const [i, encoding] of placemat.encodings().entries()) {
    const [name, ...sums] = lines[i].split("\t");
    assert.equal(encoding.canonicalName, name);
    if (i % step) continue;
    const decoder = new placemat.TextDecoder(encoding, { ignoreBOM: true });
    let bytes = START;
    for (one[0] = 0; ; one[0]++) {
      bytes = byUnits(bytes, decoder.decode(one));
      if (one[0] === 255) break;
    }
    assert.equal(bytes >>> 0, Number(sums[0]), `${name}: bytes`);
    let pairs = START;
    const last = encoding.maxBytes > 1 ? 0xffff : 0;
    for (let pair = 0; pair <= last; pair++) {
      two[0] = pair >> 8;
      two[1] = pair & 0xff;
      pairs = byUnits(pairs, decoder.decode(two));
    }
    assert.equal(pairs >>> 0, Number(sums[1]), `${name}: pairs`);
    let errors = START;
    const next = random(5);
    for (let n = 0; n < 300; n++) {
      const source = Uint8Array.from({ length: 40 }, () => next(256));
      const [error] = placemat.check(source, encoding);
      if (error) errors = byBytes(errors, Buffer.from(`${error.offset} ${error.length} ${error.code};`));
    }
    assert.equal(errors >>> 0, Number(sums[2]), `${name}: errors`);
    const encoded = byBytes(START, placemat.encode(text, encoding, { unmappable: "ignore" }));
    assert.equal(encoded >>> 0, Number(sums[3]), `${name}: encoding`);
  }
});
