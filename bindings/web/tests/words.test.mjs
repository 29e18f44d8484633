// The words about an error do not depend on where the text was cut into pieces.
import test from "node:test";
import assert from "node:assert/strict";
import { bytes, placemat } from "./common.mjs";

const TEXTS = {
  "utf-8": ["61 e2 82 41 62", "e3 81 e3 81 82", "f0 9f 98 c3 a9", "c0 af 61", "f0 80 80 80 61", "61 e9 62 63", "ed a0 bd ed b8 80", "f4 90 80 80", "61 f0 9f 98"],
  "utf-16le": ["3d d8 61 00 62 00", "61 00 00 dc 62 00", "3d d8 3d d8 00 de", "61 00 3d d8", "61 00 62"],
  "utf-16be": ["d8 3d 00 61 00 62", "00 61 dc 00 00 62"],
  "shift_jis": ["93 fa 96 20 61 62", "61 82", "81 ff 61 62"],
  "gb18030": ["81 30 81 61 62 63", "84 31 a5", "ff 61"],
  "euc-jp": ["8f a2 61 62", "a4 61 62"],
};
const END = /text ends here|get the rest/;
const wordsOf = ({ offset, message, help }) => `${offset} ${message} (${help})`;

/** Calls back with each text, its first error as a whole, and each place to cut it. */
async function eachCut(test) {
  for (const [label, texts] of Object.entries(TEXTS)) {
    for (const text of texts.map(bytes)) {
      const whole = [...placemat.check(text, label)].map(wordsOf);
      assert.ok(whole.length > 0, `${label} ${text}`);
      for (let cut = 0; cut <= text.length; cut++) await test(label, text, whole, [text.slice(0, cut), text.slice(cut)]);
    }
  }
}

test("check of a stream", () =>
  eachCut(async (label, text, whole, pieces) => {
    const found = [];
    for await (const error of placemat.check(new Blob(pieces).stream(), label)) found.push(wordsOf(error));
    assert.deepEqual(found, whole);
    const later = [];
    for await (const error of placemat.check(iterable(pieces), label)) later.push(error);
    assert.deepEqual(later.map(({ offset }) => offset), whole.map((words) => parseInt(words)));
    later.forEach((error, i) => mustNotEnd(error, whole[i], `${label} ${pieces.map((piece) => `[${piece}]`)}`));
  }));

async function* iterable(pieces) {
  yield* pieces;
}

/** Fails if an error says that the text ends at it, and it does not. */
function mustNotEnd(error, whole, what) {
  if (!END.test(whole)) assert.doesNotMatch(wordsOf(error), END, what);
}

test("decoding and transcoding in pieces", () =>
  eachCut(async (label, text, [whole], pieces) => {
    const decoder = new placemat.TextDecoder(label, { fatal: true });
    const attempts = [
      async () => pieces.map((piece, i) => decoder.decode(piece, { stream: i === 0 })),
      async () => placemat.decode(iterable(pieces), label, { errors: "fatal" }),
      async () => placemat.transcode(iterable(pieces), label, "utf-32le"),
      async () => new Response(new Blob(pieces).stream().pipeThrough(placemat.transcodeStream(label, "utf-8"))).arrayBuffer(),
      async () => placemat.decode(iterable(pieces), label, { errors: (error) => { throw error; } }),
    ];
    for (const attempt of attempts) {
      const error = await attempt().then(() => assert.fail("it threw nothing"), (error) => error);
      assert.ok(error instanceof placemat.IllFormedError, String(error));
      assert.equal(error.offset, parseInt(whole));
      mustNotEnd(error, whole, `${label} ${pieces.map((piece) => `[${piece}]`)}`);
    }
  }));

test("long texts, whose pieces end within a sequence", async () => {
  for (const size of [128 * 1024 - 1, 128 * 1024 - 2, 64 * 1024 - 1]) {
    const text = new Uint8Array(size + 300).fill(0x61);
    text.set([0xe2, 0x82], size);
    const expected = `truncated sequence 0xe2 0x82 at byte ${size}: needs 1 more continuation byte, found 0x61 'a'`;
    assert.deepEqual([...placemat.check(text)].map(({ message }) => message), [expected]);
    for await (const { message } of placemat.check(new Blob([text]))) assert.equal(message, expected);
    assert.throws(() => placemat.decode(text), { message: expected });
    assert.throws(() => placemat.transcode(text, "utf-8", "utf-16le"), { message: expected });
    await assert.rejects(placemat.decode(new Blob([text])), { message: expected });
    await assert.rejects(new Response(new Blob([text]).stream().pipeThrough(placemat.transcodeStream("utf-8", "utf-16le"))).text(), { message: expected });
    const heard = [];
    placemat.decode(text, "utf-8", { errors: ({ message }) => (heard.push(message), "") });
    assert.deepEqual(heard, [expected]);
  }
});

test("an error in the list has all that a thrown one has", () => {
  const [listed] = placemat.check(bytes("61 c0 af"));
  let thrown;
  try {
    placemat.decode(bytes("61 c0 af"));
  } catch (error) {
    thrown = error;
  }
  assert.ok(listed instanceof placemat.IllFormedError && listed instanceof TypeError && listed instanceof Error);
  for (const key of ["name", "message", "offset", "length", "code", "encoding", "help", "constructor"]) assert.equal(listed[key], thrown[key], key);
  assert.deepEqual(listed.bytes, thrown.bytes);
  assert.equal(String(listed), String(thrown));
  assert.equal(listed.stack, String(thrown));
});
