// isValid, check, count, lengths, lookup, signature, and inputs that come later.
import test from "node:test";
import assert from "node:assert/strict";
import buffer from "node:buffer";
import { bytes, placemat, random } from "./common.mjs";

test("isValid agrees with the platform, and with check", () => {
  const next = random(11);
  for (let i = 0; i < 3000; i++) {
    const source = Uint8Array.from({ length: next(30) }, () => [0x61, 0xc3, 0xa9, 0xe3, 0x81, 0x82, 0xf0, 0x9f, 0x98, 0x80, next(256)][next(11)]);
    const valid = placemat.isValid(source);
    assert.equal(valid, buffer.isUtf8(source));
    assert.equal([...placemat.check(source)].length === 0, valid);
    const shared = new Uint8Array(new SharedArrayBuffer(source.length));
    shared.set(source);
    assert.equal(placemat.isValid(shared), valid);
  }
  assert.equal(placemat.isValid(bytes("00 d8"), "utf-16le"), false);
  assert.equal(placemat.isValid(bytes("82"), "shift_jis"), false);
  assert.equal(placemat.isValid(new Uint8Array(0)), true);
});

test("check finds all errors, lazily, and the module may be used meanwhile", () => {
  const source = new Uint8Array(500_000).fill(0x61);
  for (let at = 5; at < source.length; at += 1000) source[at] = 0xff;
  let found = 0;
  for (const error of placemat.check(source)) {
    assert.equal(error.offset, 5 + 1000 * found);
    assert.equal(placemat.decode(bytes("82 a0"), "shift_jis"), "あ");
    found++;
  }
  assert.equal(found, 500);
  const started = performance.now();
  const [first] = placemat.check(new Uint8Array(50_000_000).fill(0xff));
  assert.equal(first.offset, 0);
  assert.ok(performance.now() - started < 1000, "only the first is looked for");
  // Twice from one iterable, and two at once.
  const errors = placemat.check(bytes("ff 61 ff"));
  assert.deepEqual([...errors].map((error) => error.offset), [0, 2]);
  const [one, two] = [errors[Symbol.iterator](), errors[Symbol.iterator]()];
  assert.equal(one.next().value.offset, 0);
  assert.equal(two.next().value.offset, 0);
  assert.equal(one.next().value.offset, 2);
  assert.equal(two.next().value.offset, 2);
});

test("an error across the border of pieces", () => {
  const source = new Uint8Array(131_073).fill(0x61);
  source.set([0xe3, 0x81], 131_071);
  const found = [...placemat.check(source)];
  assert.deepEqual(found.map(({ offset, length, code }) => [offset, length, code]), [[131_071, 2, "incomplete"]]);
  assert.ok(found[0].message && found[0].help);
});

test("count and lengths", () => {
  const text = "aé日😀\n";
  const all = { bytes: 0, codePoints: 5, utf8Bytes: 11, utf16Units: 6, utf32Bytes: 20, lineFeeds: 1, illFormed: 0 };
  for (const label of ["utf-8", "utf-16be", "gb18030", "utf-7"]) {
    const source = placemat.encode(text, label);
    assert.deepEqual(placemat.count(source, label), { ...all, bytes: source.length });
  }
  assert.equal(placemat.count(bytes("61 ff fe 62")).illFormed, 2);
  assert.deepEqual(placemat.lengths("aé日😀\uD800"), { codePoints: 5, utf8: 13, utf16: 12, utf32: 20, latin1: undefined, loneSurrogates: 1 });
  assert.equal(placemat.lengths("aé").latin1, 2);
  const next = random(2);
  for (let i = 0; i < 300; i++) {
    const some = String.fromCodePoint(...Array.from({ length: 20 }, () => next([0x80, 0x900, 0xd000, 0x110000][next(4)]))).toWellFormed();
    const found = placemat.lengths(some);
    for (const [key, label] of [["utf8", "utf-8"], ["utf16", "utf-16le"], ["utf32", "utf-32le"]]) {
      assert.equal(found[key], placemat.encode(some, label).length, key);
    }
  }
});

test("input that comes later: Blob, File, Response, streams, iterables", async () => {
  const source = placemat.encode("日本語", "euc-jp");
  const pieces = async function* () {
    for (const byte of source) yield Uint8Array.of(byte);
  };
  const inputs = [new Blob([source]), new File([source], "a.txt"), new Response(source), new Blob([source]).stream(), pieces()];
  for (const input of inputs) assert.equal(await placemat.decode(input, "euc-jp"), "日本語");
  assert.equal(await placemat.isValid(new Blob([source]), "euc-jp"), true);
  assert.equal(await placemat.isValid(new Blob([source])), false);
  assert.equal((await placemat.count(new Blob([source]), "euc-jp")).codePoints, 3);
  assert.deepEqual([...(await placemat.transcode(new Blob([source]), "euc-jp", "utf-8"))], [...Buffer.from("日本語")]);
  const found = [];
  for await (const error of placemat.check(new Blob([bytes("61 ff"), bytes("e3 81")]))) found.push(error.offset);
  assert.deepEqual(found, [1, 2]);
  await assert.rejects(placemat.decode(new Blob([bytes("ff")])), placemat.IllFormedError);
  await assert.rejects(placemat.decode(new ReadableStream({ start: (c) => (c.enqueue("text"), c.close()) })), TypeError);
  await assert.rejects(placemat.decode(new Blob(["a".repeat(10_000_000)]), "utf-8", { signal: AbortSignal.abort(new Error("no")) }), /no/);
  await assert.rejects(placemat.decode(new ReadableStream({ start: (c) => c.error(new Error("broken")) })), /broken/);
});

test("a source is closed when its reader stops at an error", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(bytes("ff")),
    cancel: () => (cancelled = true),
  });
  assert.equal(await placemat.isValid(endless), false);
  assert.equal(cancelled, true);
});

test("the facts about encodings", () => {
  const all = placemat.encodings();
  assert.ok(all.length >= 328);
  assert.equal(new Set(all.map((encoding) => encoding.name)).size, all.length);
  for (const encoding of all) {
    assert.equal(placemat.lookup(encoding.canonicalName, { web: false }), encoding, encoding.name);
    for (const label of encoding.labels) assert.equal(placemat.lookup(label, { web: false }), encoding, label);
    for (const label of encoding.webLabels) if (encoding.name !== "replacement") assert.equal(placemat.lookup(label), encoding, label);
  }
  assert.equal(`${placemat.lookup("sjis")}`, "shift_jis");
  assert.throws(() => { placemat.lookup("utf-8").name = "x"; }, TypeError);
  assert.throws(() => new placemat.Encoding(), TypeError);
});

test("signatures", () => {
  const of = (hex) => placemat.signature(bytes(hex));
  assert.deepEqual(of("ef bb bf 61"), { encoding: "utf-8", length: 3 });
  assert.deepEqual(of("ff fe 61 00"), { encoding: "utf-16le", length: 2 });
  assert.deepEqual(of("ff fe 00 00"), { encoding: "utf-32le", length: 4 });
  assert.deepEqual(of("84 31 95 33"), { encoding: "gb18030", length: 4 });
  assert.equal(of("ef bb"), undefined);
});
