// Encoding into a charset that lacks some of the text: whichever of its paths the package takes, the bytes are those of the library,
// which encodes one code point at a time here, strictly.
import test from "node:test";
import assert from "node:assert/strict";
import { placemat, random } from "./common.mjs";

const ALPHABET = ["a", "é", "ÿ", "я", "Ж", "€", "ß", "日", "あ", "😀", "\n", "\0", "\uDC00"];

/** Returns the bytes of a code point, or undefined if the encoding lacks it: by strict encoding, which asks no policy. */
function strictly(c, encoding) {
  try {
    return placemat.encode(c, encoding);
  } catch (error) {
    assert.ok(error instanceof placemat.UnmappableError);
    return undefined;
  }
}

test("every single-byte charset", () => {
  const next = random(5);
  const encodings = placemat.encodings().filter(({ maxBytes, unicode }) => maxBytes === 1 && !unicode);
  assert.ok(encodings.length > 255, String(encodings.length));
  for (const encoding of encodings) {
    const known = new Map(ALPHABET.map((c) => [c, strictly(c, encoding)]));
    // Few charsets have neither U+FFFD nor `?`.
    const hasNone = ["?", "\uFFFD"].every((c) => strictly(c, encoding) === undefined);
    const substitute = hasNone ? undefined : placemat.encode("\u{10FFFF}", encoding, { unmappable: "replace" });
    const written = (text) => strictly(text, encoding) ?? new Uint8Array(0);
    const answers = {
      ...(substitute && { replace: () => substitute }),
      ignore: () => new Uint8Array(0),
      xmlref: (c) => written(`&#${c.codePointAt(0)};`),
    };
    for (const [unmappable, answer] of Object.entries(answers)) {
      const parts = Array.from({ length: 30 }, () => ALPHABET[next(ALPHABET.length - 1)]);
      const expected = Buffer.concat(parts.map((c) => known.get(c) ?? answer(c)));
      const what = `${encoding.name} ${unmappable} ${JSON.stringify(parts.join(""))}`;
      // Not every charset has the letters of a reference.
      if (unmappable === "xmlref" && expected.length < 30) continue;
      assert.deepEqual(Buffer.from(placemat.encode(parts.join(""), encoding, { unmappable })), expected, what);
      const long = placemat.encode(parts.join("").repeat(2500), encoding, { unmappable });
      assert.deepEqual(Buffer.from(long.subarray(0, expected.length)), expected, what);
      assert.deepEqual(Buffer.from(long.subarray(-expected.length)), expected, what);
      assert.equal(long.length, 2500 * expected.length, what);
      const heard = placemat.encode(parts.join(""), encoding, { unmappable: (error) => answer(String.fromCodePoint(error.codePoint)) });
      assert.deepEqual(Buffer.from(heard), expected, what);
    }
  }
});

test("a function hears of each code point that the target lacks, with its offset", () => {
  const text = "a€b😀c\uD800日".repeat(20_000);
  const heard = [];
  const bytes = placemat.encode(text, "us-ascii", { web: false, unmappable: (error) => (heard.push(error), `[${error.codePoint.toString(16)}]`) });
  assert.equal(Buffer.from(bytes).toString("latin1"), "a[20ac]b[1f600]c[d800][65e5]".repeat(20_000));
  assert.equal(heard.length, 80_000);
  heard.forEach((error, i) => assert.equal(error.offset, 8 * (i >> 2) + [1, 3, 6, 7][i & 3]));
  const [first] = heard;
  assert.ok(first instanceof placemat.UnmappableError && first instanceof TypeError);
  assert.equal(first.message, "us-ascii cannot represent U+20AC, at offset 1");
  assert.throws(() => placemat.encode(text, "us-ascii", { web: false, unmappable: () => undefined }), { name: "UnmappableError", offset: 1 });
});
