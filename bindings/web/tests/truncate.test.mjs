// truncate: against prefixes that are measured one by one. It needs no WebAssembly.
import test from "node:test";
import assert from "node:assert/strict";
import { truncate } from "../package/src/truncate.js";

const encoder = new TextEncoder();
const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Yields all texts of at most `longest` of some characters. */
function* texts(characters, longest) {
  yield "";
  if (longest > 0) for (const rest of texts(characters, longest - 1)) if ([...rest].length === longest - 1) for (const c of characters) yield rest + c;
  if (longest > 1) yield* texts(characters, longest - 1);
}

const measures = {
  bytes: { parts: (text) => [...text], cost: (part) => encoder.encode(part).length },
  chars: { parts: (text) => [...text], cost: () => 1 },
  graphemes: { parts: (text) => [...segmenter.segment(text)].map(({ segment }) => segment), cost: () => 1 },
};

function expected(text, unit, max) {
  let [out, used] = ["", 0];
  for (const part of measures[unit].parts(text)) {
    used += measures[unit].cost(part);
    if (used > max) break;
    out += part;
  }
  return out;
}

test("every short text in every unit, as a string and as bytes", () => {
  for (const text of texts(["a", "é", "€", "😀", "\u0301", "\u200d", "🇩"], 4)) {
    for (const unit of Object.keys(measures)) {
      for (let max = 0; max <= 9; max++) {
        const want = expected(text, unit, max);
        assert.equal(truncate(text, { [unit]: max }), want, `${JSON.stringify(text)} ${unit} ${max}`);
        const source = encoder.encode(text);
        const got = truncate(source, { [unit]: max });
        assert.deepEqual(got, encoder.encode(want));
        assert.equal(got.buffer, source.buffer);
      }
    }
  }
});

test("half a pair is a code point of three bytes and stays whole", () => {
  for (const lone of ["\ud83d", "\ude00"]) {
    assert.equal(truncate(lone + "a", { bytes: 2 }), "");
    assert.equal(truncate(lone + "a", { bytes: 3 }), lone);
    assert.equal(truncate(lone + "a", { chars: 1 }), lone);
  }
  assert.equal(truncate("\ud83d\ude00", { bytes: 3 }), "");
});

test("ill-formed bytes: an incomplete sequence is cut off, and each error is one character", () => {
  const bytes = (...all) => Uint8Array.from(all);
  assert.deepEqual(truncate(bytes(0x61, 0xe2, 0x82), { bytes: 2 }), bytes(0x61));
  assert.deepEqual(truncate(bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0x80), { bytes: 5 }), bytes(0x80, 0x80));
  const damaged = bytes(0xff, 0xe2, 0x82, 0x61, 0xef, 0xbf, 0xbd, 0xf0, 0x9f, 0x98, 0xc3, 0xc3, 0xa9, 0xed, 0xa0, 0x80);
  const decoded = [...segmenter.segment(new TextDecoder().decode(damaged))].length;
  const ends = [0, 1, 3, 4, 7, 10, 11, 13, 14, 15, 16];
  assert.equal(decoded, ends.length - 1);
  ends.forEach((end, max) => assert.equal(truncate(damaged, { graphemes: max }).length, end));
  assert.equal(truncate(damaged, { graphemes: Infinity }).length, damaged.length);
  const shared = new Uint8Array(new SharedArrayBuffer(damaged.length));
  shared.set(damaged);
  assert.equal(truncate(shared, { graphemes: 3 }).length, 4);
  const signed = bytes(0xef, 0xbb, 0xbf, 0x61);
  assert.equal(truncate(signed, { graphemes: 2 }).length, 4);
});

test("limits that are none", () => {
  for (const limit of [undefined, {}, { bytes: 1, chars: 1 }, { lines: 1 }]) assert.throws(() => truncate("a", limit), TypeError);
  for (const max of [-1, 1.5, NaN, "1", null]) assert.throws(() => truncate("a", { bytes: max }), RangeError);
  assert.throws(() => truncate(5, { bytes: 1 }), TypeError);
  assert.equal(truncate("a", { bytes: undefined, chars: 0 }), "");
});
