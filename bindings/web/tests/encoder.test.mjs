// TextEncoder, and encode: strings, with and without lone surrogates.
import test from "node:test";
import assert from "node:assert/strict";
import { hex, placemat, random, thrown } from "./common.mjs";

const { TextEncoder, UnmappableError } = placemat;

test("the standard's shape: UTF-8, lone surrogates become U+FFFD", () => {
  const encoder = new TextEncoder();
  assert.equal(encoder.encoding, "utf-8");
  assert.equal(Object.prototype.toString.call(encoder), "[object TextEncoder]");
  assert.equal(hex(encoder.encode("é\uD800")), "c3 a9 ef bf bd");
  assert.equal(encoder.encode().length, 0);
  assert.equal(hex(encoder.encode(undefined)), "");
  assert.equal(hex(encoder.encode(null)), "6e 75 6c 6c");
  const into = new Uint8Array(5);
  assert.deepEqual(encoder.encodeInto("é😀x", into), { read: 1, written: 2 });
  assert.equal(hex(into), "c3 a9 00 00 00");
});

test("other encodings stop at what they lack", () => {
  const error = thrown(() => new TextEncoder("iso-8859-2").encode("5 €"));
  assert.ok(error instanceof UnmappableError && error instanceof TypeError);
  assert.deepEqual([error.offset, error.length, error.code, error.codePoint], [2, 1, "not-held", 0x20ac]);
  assert.match(error.message, /iso-8859-2 cannot represent U\+20AC, at offset 2/);
  assert.match(error.help, /xmlref/);
  assert.deepEqual([thrown(() => placemat.encode("ab😀", "koi8-r")).offset, thrown(() => placemat.encode("ab😀", "koi8-r")).length], [2, 2]);
});

test("lone surrogates: each policy says what happens, and nothing is replaced unasked", () => {
  const text = "a\uD800b\uDC80";
  const encode = (label, unmappable) => hex(placemat.encode(text, label, { unmappable }));
  assert.throws(() => placemat.encode(text, "utf-8"), (error) => error.code === "surrogate" && error.offset === 1);
  assert.throws(() => placemat.encode(text, "koi8-r"), (error) => error.offset === 1);
  assert.throws(() => placemat.encode(text, "iso-2022-jp"), (error) => error.offset === 1);
  assert.equal(encode("utf-8", "replace"), "61 ef bf bd 62 ef bf bd");
  assert.equal(encode("koi8-r", "replace"), "61 3f 62 3f");
  assert.equal(encode("utf-8", "ignore"), "61 62");
  assert.equal(encode("utf-8", "surrogatepass"), "61 ed a0 80 62 ed b2 80");
  assert.equal(encode("utf-16be", "surrogatepass"), "00 61 d8 00 00 62 dc 80");
  assert.equal(Buffer.from(placemat.encode(text, "ascii", { unmappable: "hex", web: false })).toString(), "a\\ud800b\\udc80");
  assert.equal(Buffer.from(placemat.encode(text, "koi8-r", { unmappable: "xmlref" })).toString(), "a&#55296;b&#56448;");
  assert.throws(() => encode("utf-8", "surrogateescape"), UnmappableError);
  assert.equal(hex(placemat.encode("b\uDC80", "utf-8", { unmappable: "surrogateescape" })), "62 80");
  assert.equal(hex(placemat.encode(text, "wtf-8")), "61 ed a0 80 62 ed b2 80");
  assert.equal(hex(placemat.encode(text, "utf-8", { unmappable: { with: "«»" } })), "61 c2 ab c2 bb 62 c2 ab c2 bb");
});

test("surrogateescape gives every byte string back, in every encoding that takes it", () => {
  const next = random(3);
  for (const label of ["utf-8", "koi8-u", "iso-8859-6", "windows-1255"]) {
    for (let i = 0; i < 50; i++) {
      const source = Uint8Array.from({ length: 40 }, () => next(256));
      let text;
      try {
        text = placemat.decode(source, label, { errors: "surrogateescape" });
      } catch {
        continue; // An error with bytes of ASCII in it stops.
      }
      assert.deepEqual(placemat.encode(text, label, { unmappable: "surrogateescape" }), source, label);
    }
  }
});

test("policies for what is unmappable, and functions", () => {
  const encode = (unmappable) => Buffer.from(placemat.encode("5 €!", "iso-8859-2", { unmappable })).toString("latin1");
  assert.equal(encode("xmlref"), "5 &#8364;!");
  assert.equal(encode("html"), "5 &#8364;!");
  assert.equal(encode("hex"), "5 \\u20ac!");
  assert.equal(encode("translit"), "5 EUR!");
  assert.equal(encode("ignore"), "5 !");
  assert.equal(encode("replace"), "5 ?!");
  assert.equal(encode((error) => `<${error.codePoint}>`), "5 <8364>!");
  assert.equal(encode(() => Uint8Array.of(0xff)), "5 \xFF!");
  assert.throws(() => encode(() => null), UnmappableError);
  assert.throws(() => encode(() => "€"), UnmappableError);
  const later = placemat.encode("€" + "a".repeat(100_000) + "€", "iso-8859-2", { unmappable: ({ offset }) => `${offset}` });
  assert.equal(Buffer.from(later).toString(), "0" + "a".repeat(100_000) + "100001");
});

test("parts of every size give the bytes of the whole, pairs and shifts across their borders", () => {
  const text = "a😀é日本\uD83D".repeat(9) + "\uDE00 𠮷が";
  for (const label of ["utf-8", "utf-16", "gb18030", "iso-2022-jp", "utf-7", "scsu", "utf-16be", "big5-hkscs", "iso-2022-kr"]) {
    const options = { unmappable: "hex", web: false };
    const whole = placemat.encode(text, label, options);
    const encoder = new TextEncoder(label, options);
    for (const size of [1, 2, 3, 10]) {
      const parts = [];
      for (let at = 0; at < text.length; at += size) parts.push(encoder.encode(text.slice(at, at + size), { stream: true }));
      parts.push(encoder.encode());
      assert.equal(hex(Buffer.concat(parts)), hex(whole), `${label}, ${size}`);
    }
  }
});

test("encodeInto fills as far as whole characters fit", () => {
  for (const [label, text] of [["shift_jis", "日本aｱ語"], ["utf-16le", "a😀b"], ["gb18030", "a😀é中"], ["koi8-r", "рус"], ["iso-2022-jp", "a日b本"]]) {
    const encoder = new TextEncoder(label);
    const whole = encoder.encode(text);
    for (let room = 0; room <= whole.length + 3; room++) {
      const into = new Uint8Array(room + 2).fill(0xee);
      const { read, written } = encoder.encodeInto(text, into.subarray(0, room));
      assert.ok(written <= room && read <= text.length);
      assert.deepEqual([...into.subarray(room)], [0xee, 0xee], "nothing behind the room");
      if (room >= whole.length) assert.deepEqual([read, written], [text.length, whole.length], `${label} ${room}`);
      assert.equal(hex(into.subarray(0, written)), hex(whole.subarray(0, written)), `${label} ${room}`);
      if (label !== "iso-2022-jp") assert.equal(encoder.encode(text.slice(0, read)).length, written, `${label} ${room}`);
    }
  }
  const text = "日本語".repeat(60_000);
  const into = new Uint8Array(1_000_000);
  assert.deepEqual(new TextEncoder("euc-jp").encodeInto(text, into), { read: text.length, written: 2 * text.length });
  assert.throws(() => new TextEncoder().encodeInto("a", new Uint16Array(2)), TypeError);
  assert.throws(() => new TextEncoder("koi8-r").encodeInto("a", [1]), TypeError);
});

test("long strings, around the size of a piece", () => {
  for (const label of ["euc-kr", "utf-16be", "iso-2022-jp", "utf-8"]) {
    for (const length of [16383, 16384, 32767, 32768, 32769, 100_000]) {
      const text = ("a" + (label === "euc-kr" ? "가" : "日")).repeat(length).slice(0, length);
      assert.equal(placemat.decode(placemat.encode(text, label), label), text, `${label} ${length}`);
    }
    // A surrogate pair lies across the boundary.
    if (label === "utf-16be") {
      const text = "a".repeat(32767) + "😀".repeat(3);
      assert.equal(placemat.decode(placemat.encode(text, label), label), text);
    }
  }
  const error = thrown(() => placemat.encode("日".repeat(50_000) + "😀", "iso-2022-jp"));
  assert.equal(error.offset, 50_000);
});

test("every character of every encoding goes there and back", () => {
  // The encoding `replacement` represents no text.
  for (const encoding of placemat.encodings().filter(({ name }) => name !== "replacement")) {
    let text = "";
    for (let c = 0x20; c < 0x2900; c++) text += String.fromCharCode(c);
    const encoded = placemat.encode(text, encoding, { unmappable: "ignore" });
    const decoded = placemat.decode(encoded, encoding);

    const again = placemat.encode(decoded, encoding);
    assert.equal(hex(again), hex(encoded), encoding.name);
    assert.ok(decoded.length >= 10, `${encoding.name}: ${decoded.length}`);
  }
});
