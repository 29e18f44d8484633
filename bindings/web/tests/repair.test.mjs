// detect, Detector, regions, repair and undo.
import test from "node:test";
import assert from "node:assert/strict";
import { bytes, placemat, random } from "./common.mjs";

await placemat.init({ detect: true });

const text = new TextEncoder();
const russian = () => placemat.encode("Сегодня в меню: борщ, пельмени и чёрный хлеб с маслом.\n", "windows-1251");

test("a detection in pieces is that of the whole", async () => {
  const inputs = [russian(), text.encode("naïve cafés"), bytes("89 50 4e 47 0d 0a 1a 0a 00 00"), new Uint8Array(0), placemat.encode("日本語の文章です。", "utf-16be")];
  for (const input of inputs) {
    const whole = placemat.detect(input);
    assert.equal(whole.length, input.length);
    const detector = new placemat.Detector();
    for (let again = 0; again < 2; again++) {
      for (const byte of input) detector.feed(Uint8Array.of(byte));
      assert.deepEqual(detector.finish(), whole);
    }
    assert.deepEqual(await placemat.detect(new Blob([input])), whole);
    assert.deepEqual(placemat.sniff(input), whole);
  }
  assert.equal(placemat.detect(russian()).encoding, "windows-1251");
  assert.equal(placemat.detect(russian()).candidates[0].sameText, true);
  const detector = new placemat.Detector();
  detector.feed(text.encode("id;name\n"));
  const found = detector.finish({ prefix: true });
  assert.deepEqual([found.encoding, found.isPrefix], ["utf-8", true]);
  assert.throws(() => placemat.detect("text"), /strings are encoded, not decoded/);
});

test("regions are all of the bytes", async () => {
  const mixed = Uint8Array.of(...text.encode("Это первая строка, в UTF-8.\n"), ...russian(), ...text.encode("И ещё одна строка.\n"));
  const found = placemat.regions(mixed);
  assert.deepEqual(found.map(({ encoding, line }) => [encoding, line]), [["utf-8", 1], ["windows-1251", 2], ["utf-8", 3]]);
  let at = 0;
  for (const { offset, length } of found) {
    assert.equal(offset, at);
    at += length;
  }
  assert.equal(at, mixed.length);
  assert.deepEqual(await placemat.regions(new Blob([mixed])), found);
  assert.deepEqual(placemat.detect(mixed).mixed.sort(), ["utf-8", "windows-1251"]);
});

test("settings of a repair, and wrong ones", () => {
  const steps = (input, options) => placemat.repair(input, options).changes.map((change) => change.step);
  assert.deepEqual(steps("cafÃ©"), ["mojibake"]);
  assert.deepEqual(steps("cafÃ©", { steps: ["bytes", "lost"] }), []);
  assert.deepEqual(steps("cafÃ©", { minConfidence: 0.99999999 }), []);
  assert.equal(placemat.repair(bytes("2e 2e c0 af")).text, "..\uFFFD\uFFFD");
  assert.equal(placemat.repair(bytes("2e 2e c0 af"), { lost: "escape" }).text, "..\\xc0\\xaf");
  assert.equal(placemat.repair(bytes("d0 94 d0 b0 3b 20 e4 c1"), { fallback: "koi8-r" }).text, "Да; Да");
  for (const options of [{ steps: ["magic"] }, { steps: [] }, { lost: "ignore" }, { fallback: "utf-9" }, { minConfidence: 2 }, { minConfidence: NaN }]) {
    assert.throws(() => placemat.repair("a", options), RangeError, JSON.stringify(options));
  }
  assert.throws(() => placemat.repair(5), TypeError);
});

test("offsets and indices point to the changes; undo gives the bytes back", async () => {
  const next = random(5);
  const parts = ["cafÃ© ", "naïve ", "😀", "ðŸ˜€ ", "a", "\n", "日本 ", "â‚¬5 "].map((part) => text.encode(part)).concat(bytes("e9 20"), bytes("ff"), bytes("c0 af"), bytes("ed a0 bd ed b8 80"));
  for (let i = 0; i < 400; i++) {
    const source = Uint8Array.from(Array.from({ length: next(30) }, () => [...parts[next(parts.length)]]).flat());
    const repaired = placemat.repair(source);
    const utf8 = text.encode(repaired.text);
    assert.ok(repaired.text.isWellFormed());
    for (const { offset, before, repairedOffset, index, after } of repaired.changes) {
      assert.deepEqual(source.slice(offset, offset + before.length), before);
      assert.deepEqual(utf8.slice(repairedOffset, repairedOffset + text.encode(after).length), text.encode(after));
      assert.ok(repaired.text.startsWith(after, index));
    }
    assert.deepEqual(placemat.undo(repaired.text, repaired), source);
    assert.deepEqual(placemat.undo(utf8, JSON.parse(JSON.stringify(repaired, (key, value) => (value instanceof Uint8Array ? [...value] : value)))), source);
    assert.deepEqual(await placemat.repair(new Blob([source])), repaired);
    const change = repaired.changes.find(({ after }) => after !== "");
    if (change) assert.throws(() => placemat.undo(repaired.text.slice(0, change.index), repaired), RangeError);
  }
  // Longer than a piece of the module, and a change at the border.
  const long = "a".repeat(131_071) + "Ã©" + "b".repeat(300_000);
  const repaired = placemat.repair(long);
  assert.equal(repaired.text.length, long.length - 1);
  assert.equal(new TextDecoder().decode(placemat.undo(repaired.text, repaired)), long);
});
