// Document: text that is edited in its own encoding.
import test from "node:test";
import assert from "node:assert/strict";
import { bytes, placemat, random, thrown } from "./common.mjs";

await placemat.init({ detect: true });
const { Document } = placemat;

const ENCODINGS = ["utf-8", "utf-16le", "utf-32be", "windows-1251", "koi8-r", "iso-8859-1", "shift_jis", "gb18030", "euc-kr"];
const PARTS = ["naïve café", "Привет, мир", "日本語テキスト", "한국어 ", "😀🌊", "a\r\nb\rc\n", "plain text ", "é", "\u2028", "€ 5"];

/** The part of a text that an encoding represents. */
const held = (text, label) => placemat.decode(placemat.encode(text, label, { unmappable: "ignore", web: false }), label, { web: false });
const boundaries = (text) => [...text].reduce((all, c) => [...all, all.at(-1) + c.length], [0]);

test("an edit is that of the string, and other bytes stay", () => {
  const next = random(7);
  const any = (list) => list[next(list.length)];
  for (const label of ENCODINGS) {
    for (let i = 0; i < 60; i++) {
      let text = held(Array.from({ length: next(6) }, () => any(PARTS)).join(""), label);
      const encode = (string) => placemat.encode(string, label, { web: false });
      const document = new Document(encode(text), label, { web: false });
      for (let j = 0; j < 6; j++) {
        const [start, end] = [any(boundaries(text)), any(boundaries(text))].sort((a, b) => a - b);
        const part = held(any(PARTS), label);
        const before = document.toBytes();
        const replaced = document.replace(start, end, part);
        text = text.slice(0, start) + part + text.slice(end);
        const after = document.toBytes();
        assert.equal(document.text, text);
        assert.equal(document.slice(start, start + part.length), part);
        assert.deepEqual(after, encode(text));
        assert.deepEqual(after.slice(0, replaced.start), before.slice(0, replaced.start));
        assert.deepEqual(after.slice(replaced.start + replaced.length), before.slice(replaced.end));
        assert.deepEqual([document.length, document.textLength], [after.length, text.length]);
      }
      document.free();
    }
  }
});

test("offsets lead to bytes, lines and back", () => {
  for (const label of ["utf-8", "utf-16be", "gb18030"]) {
    const text = PARTS.join("\r\n");
    const document = new Document(placemat.encode(text, label), label);
    let [line, start] = [0, 0];
    for (const at of boundaries(text)) {
      const byte = placemat.encode(text.slice(0, at), label).length;
      assert.deepEqual([document.textToByte(at), document.textOfByte(byte)], [byte, at]);
      const ended = at > 0 && (text[at - 1] === "\n" || (text[at - 1] === "\r" && text[at] !== "\n"));
      if (ended) [line, start] = [line + 1, at];
      if (text[at] === "\n" && text[at - 1] === "\r") continue;
      assert.deepEqual(document.positionOfText(at), { line, column: at - start });
      assert.equal(document.textOfPosition(line, at - start), at);
    }
    assert.equal(document.lineCount, line + 1);
    for (const beyond of [text.length + 1, 1e12, -1, 0.5, NaN]) {
      assert.deepEqual([document.textToByte(beyond), document.positionOfText(beyond)], [null, null]);
    }
    assert.deepEqual([document.textOfByte(document.length + 1), document.textOfPosition(line + 1, 0)], [null, null]);
  }
});

test("bytes without text stay", () => {
  const next = random(9);
  for (let i = 0; i < 300; i++) {
    const source = Uint8Array.from({ length: next(40) }, () => [0x41, 0xc3, 0xa9, 0xff, 0xe2, 0x82, 0xf0, 0x0a][next(8)]);
    const document = new Document(source);
    assert.deepEqual(document.toBytes(), source);
    assert.equal(document.standIns === null, placemat.isValid(source));
    const at = boundaries(document.text)[next([...document.text].length + 1)];
    const byte = document.textToByte(at);
    document.replace(at, at, "-");
    assert.deepEqual(document.toBytes(), Uint8Array.of(...source.slice(0, byte), 0x2d, ...source.slice(byte)));
  }
  assert.equal(new Document(bytes("ff")).standIns, String.fromCodePoint(...Array.from({ length: 256 }, (_, byte) => 0x10fe00 + byte)));
  // U+FEFF after a signature is text.
  const document = new Document(bytes("ef bb bf ef bb bf 61"));
  assert.deepEqual([document.text, document.signature], ["\uFEFFa", bytes("ef bb bf")]);
});

test("all changes, or none", () => {
  const document = new Document(placemat.encode("café, thé\n", "latin1"), "latin1");
  document.replaceAll([[0, 4, "crème"], [6, 9, "eau"]]);
  assert.equal(placemat.decode(document.toBytes(), "latin1"), "crème, eau\n");
  document.replaceAll([]);
  for (const [wrong, kind] of [
    [[[0, 1, "C"], [7, 8, "日"]], placemat.UnmappableError],
    [[[0, 1, "C"], [7, 99, "x"]], RangeError],
    [[[7, 8, "x"], [0, 1, "C"]], RangeError],
    [[[0, 1, "C"], [7, 8, "\uD800"]], placemat.UnmappableError],
  ]) {
    assert.throws(() => document.replaceAll(wrong), kind);
    assert.equal(document.text, "crème, eau\n");
  }
  document.replaceAll([[5, 5, "!"]]);
  assert.equal(document.text, "crème!, eau\n");
});

test("what is refused says why, and changes nothing", () => {
  const document = new Document(bytes("35 20 a3"), "iso-8859-1", { web: false });
  const lacking = thrown(() => document.replace(2, 3, "£, 😀 6 €"));
  assert.ok(lacking instanceof placemat.UnmappableError);
  assert.deepEqual([lacking.codePoint, lacking.offset, lacking.encoding], [0x1f600, 3, "iso-8859-1"]);
  assert.match(lacking.message, /iso-8859-1 cannot represent U\+1F600, at offset 3/);
  assert.equal(thrown(() => document.replace(2, 3, "😀€")).length, 2);
  assert.deepEqual([thrown(() => document.replace(0, 0, "a\uDC00")).code, thrown(() => document.replace(0, 0, "a\uDC00")).offset], ["surrogate", 1]);
  for (const [start, end] of [[3, 9], [2, 1], [-1, 0], [0, 2 ** 32 + 1], [0.5, 1], [undefined, 1]]) {
    assert.throws(() => document.replace(start, end, ""), /^RangeError: .* is no range of whole characters of a text of 3 UTF-16 units/, String([start, end]));
    assert.throws(() => document.slice(start, end), RangeError);
  }
  const pair = new Document(placemat.encode("😀", "utf-8"));
  assert.throws(() => pair.replace(1, 2, ""), RangeError);
  const cut = new Document(bytes("83 20 93 fa"), "shift_jis");
  assert.throws(() => cut.replace(2, 3, "A"), (error) => error instanceof placemat.EditError && /replace these bytes too/.test(error.message));
  assert.deepEqual([document.toBytes(), cut.toBytes()], [bytes("35 20 a3"), bytes("83 20 93 fa")]);
  assert.throws(() => new Document("text"), /strings are encoded, not decoded/);
  assert.throws(() => new Document(new Uint8Array(0), "utf-9"), RangeError);
  assert.throws(() => new Document(new Uint8Array(0), "cesu-8", { web: "strict" }), RangeError);
  document.free();
  document.free();
  assert.throws(() => document.text, /the document is freed/);
});

test("a long text", () => {
  const text = "Сегодня в меню: борщ, пельмени.\r\n".repeat(20_000);
  const document = new Document(placemat.encode(text, "windows-1251"), "windows-1251");
  const at = text.lastIndexOf("борщ");
  document.replace(at, at + 4, "щи");
  assert.equal(document.text, text.slice(0, at) + "щи" + text.slice(at + 4));
  assert.equal(document.length, text.length - 2);
});
