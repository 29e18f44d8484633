// TextDecoder: the standard's shape, for every encoding.
import test from "node:test";
import assert from "node:assert/strict";
import { bytes, placemat, random, thrown } from "./common.mjs";
import { STANDARD } from "./standard.mjs";

const { TextDecoder, IllFormedError } = placemat;
const all = (label, web = true) => placemat.lookup(label, { web });

test("attributes are those of the standard", () => {
  const decoder = new TextDecoder("LATIN1 ", { fatal: true, ignoreBOM: true });
  assert.deepEqual([decoder.encoding, decoder.fatal, decoder.ignoreBOM], ["windows-1252", true, true]);
  const plain = new TextDecoder();
  assert.deepEqual([plain.encoding, plain.fatal, plain.ignoreBOM], ["utf-8", false, false]);
  assert.equal(Object.prototype.toString.call(plain), "[object TextDecoder]");
});

test("a mark is dropped once, at the start of each text, in every encoding that has one", () => {
  for (const encoding of placemat.encodings().filter((encoding) => encoding.dropsMark)) {
    const marked = placemat.encode("\uFEFFa", encoding);
    const twice = placemat.encode("\uFEFF\uFEFFa", encoding);
    const decoder = new TextDecoder(encoding);
    for (let round = 0; round < 2; round++) {
      assert.equal(decoder.decode(marked), "a", encoding.name);
      assert.equal(decoder.decode(twice), "\uFEFFa", encoding.name);
      let text = "";
      for (const byte of marked) text += decoder.decode(Uint8Array.of(byte), { stream: true });
      assert.equal(text + decoder.decode(), "a", encoding.name);
    }
    assert.equal(new TextDecoder(encoding, { ignoreBOM: true }).decode(marked), "\uFEFFa", encoding.name);
  }
});

test("of gb18030 the mark is text, and others' marks are too", () => {
  assert.equal(new TextDecoder("gb18030").decode(bytes("84319533 61")), "\uFEFFa");
  assert.equal(new TextDecoder("utf-16le").decode(bytes("feff 6100")), "\uFFFEa");
  assert.equal(new TextDecoder("windows-1252").decode(bytes("efbbbf")), "ï»¿");
});

test("input is an ArrayBuffer, a SharedArrayBuffer, any view, or nothing", () => {
  const source = bytes("00 e3 81 82 00 00 00 00");
  const shared = new SharedArrayBuffer(8);
  new Uint8Array(shared).set(source);
  const decoder = new TextDecoder("utf-8");
  for (const input of [source, source.buffer, shared, new Uint8Array(shared), new DataView(source.buffer), new Uint16Array(shared), new Float64Array(source.buffer), Buffer.from(source)]) {
    assert.equal(decoder.decode(input), "\0あ\0\0\0\0");
  }
  assert.equal(decoder.decode(new DataView(source.buffer, 1, 3)), "あ");
  assert.equal(decoder.decode(), "");
  for (const input of ["text", 5, null, {}, [1, 2], new Date(), true]) {
    assert.throws(() => decoder.decode(input), TypeError);
  }
});

test("a detached buffer is empty", () => {
  const source = bytes("61 62");
  structuredClone(source.buffer, { transfer: [source.buffer] });
  assert.equal(new TextDecoder().decode(source), "");
  assert.equal(new TextDecoder().decode(source.buffer), "");
  assert.equal(new TextDecoder("shift_jis").decode(source), "");
});

test("an error is an object with its place", () => {
  const error = thrown(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes("2f 2e c0 af 65")));
  assert.ok(error instanceof IllFormedError && error instanceof TypeError);
  assert.deepEqual([error.name, error.offset, error.length, error.code, error.encoding], ["IllFormedError", 2, 1, "overlong-2", "utf-8"]);
  assert.deepEqual([...error.bytes], [0xc0]);
  assert.match(error.message, /^overlong sequence 0xc0 0xaf at byte 2/);
  assert.match(error.help, /never decode it/);
});

test("offsets count from the start of a stream, and an error may come from the piece before", () => {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  assert.equal(decoder.decode(bytes("61 e3 81"), { stream: true }), "a");
  const error = thrown(() => decoder.decode(bytes("41"), { stream: true }));
  assert.deepEqual([error.offset, error.length, error.code], [1, 2, "truncated"]);
  // The next text begins from scratch.
  decoder.decode(new Uint8Array(0));
  assert.equal(thrown(() => decoder.decode(bytes("ff"))).offset, 0);
});

test("every policy, and functions", () => {
  const source = bytes("61 80 e9 62");
  const decode = (errors) => new TextDecoder("utf-8", { errors }).decode(source);
  assert.equal(decode("replace"), "a\uFFFD\uFFFDb");
  assert.equal(decode("ignore"), "ab");
  assert.equal(decode("hex"), "a\\x80\\xe9b");
  assert.equal(decode("latin1"), "a\x80éb");
  assert.equal(decode("cp1252"), "a€éb");
  assert.equal(decode("surrogateescape"), "a\uDC80\uDCE9b");
  assert.equal(decode("optu"), "a\uEF80\uEFE9b");
  assert.equal(decode({ with: "<?>" }), "a<?><?>b");
  assert.equal(decode((error) => `[${error.offset}:${error.bytes[0].toString(16)}]`), "a[1:80][2:e9]b");
  assert.throws(() => decode("fatal"), IllFormedError);
  assert.throws(() => decode(() => undefined), IllFormedError);
  assert.throws(() => decode("nonsense"), /unknown policy 'nonsense'/);
  assert.throws(() => decode("__proto__"), /unknown policy/);
  assert.throws(() => decode({ with: "x".repeat(1025) }), /1024/);
  assert.equal(placemat.decode(bytes("ed a0 80"), "utf-8", { errors: "surrogatepass" }), "\uD800");
});

test("a policy for each kind", () => {
  const source = bytes("61 ff 62 c0 af 63 ed a0 80 64 e2 82");
  const decode = (errors, from = source) => placemat.decode(from, "utf-8", { errors });
  assert.equal(decode({ overlong: "skip", default: "replace" }), "a\uFFFDbc\uFFFDd\uFFFD");
  assert.equal(decode({ surrogate: "surrogatepass", default: "ignore" }), "abc\uD800d");
  assert.equal(decode({ default: "ignore", end: "hex" }), "abcd\\xe2\\x82");
  assert.equal(decode({ end: "replace" }, bytes("61 e2")), "a\uFFFD");
  assert.equal(decode({}, bytes("61")), "a");
  assert.throws(() => decode({ default: "replace", overlong: "fatal" }), (error) => error.code === "overlong-2" && error.offset === 3 && error.length === 2);
  assert.throws(() => decode({ end: "ignore" }), (error) => error.code === "never-byte");
  for (const size of [1, 2, 3, 5]) {
    const decoder = new TextDecoder("utf-8", { errors: { overlong: "latin1", surrogate: "surrogatepass", default: "replace" } });
    let text = "";
    for (let at = 0; at < source.length; at += size) text += decoder.decode(source.subarray(at, at + size), { stream: true });
    assert.equal(text + decoder.decode(), "a\uFFFDbÀ¯c\uD800d\uFFFD", size);
  }
  assert.equal(Buffer.from(placemat.transcode(source, "utf-8", "utf-16be", { errors: { default: "ignore", lead: "replace" } })).toString("hex"), "0061fffd006200630064");
  for (const [errors, words] of [
    [{ overlog: "fatal" }, /unknown kind 'overlog'; there are/],
    [{ "overlong=x,end": "fatal" }, /unknown kind/],
    [{ overlong: "nonsense" }, /errors.overlong: unknown policy 'nonsense'/],
    [{ end: "surrogatepass" }, /only surrogates can pass/],
  ]) {
    assert.throws(() => decode(errors), (error) => error instanceof RangeError && words.test(error.message));
  }
  assert.throws(() => decode({ overlong: { with: "x" } }), TypeError);
  assert.throws(() => placemat.decode(source, "utf-8", { errors: { end: "ignore" }, span: "maximal" }), RangeError);
  // The refused names leave no state.
  assert.equal(placemat.decode(bytes("61 ff"), "utf-8", { errors: { with: "!" } }), "a!");
});

test("spans say how much is one error", () => {
  const count = (span) => placemat.decode(bytes("f4 90 80 80 21"), "utf-8", { errors: "replace", span }).length - 1;
  assert.deepEqual(["maximal", "unit", "structural", "lead"].map(count), [4, 4, 1, 1]);
});

test("a policy that is a function may use the package", () => {
  const source = new Uint8Array(200_000).fill(0x61);
  for (let i = 100; i < source.length; i += 999) source[i] = 0xff;
  const expected = new globalThis.TextDecoder().decode(source);
  const errors = () => placemat.decode(placemat.encode("\uFFFD", "utf-16be"), "utf-16be");
  assert.equal(placemat.decode(source, "utf-8", { errors }), expected);
  const decoder = new TextDecoder("utf-8", { errors: () => decoder.decode(new Uint8Array(0), { stream: true }) });
  assert.throws(() => decoder.decode(bytes("ff"), { stream: true }), /at work/);
});

test("pieces of every size give the text of the whole, in every encoding", () => {
  const next = random(7);
  for (const encoding of placemat.encodings()) {
    const source = Uint8Array.from({ length: 120 }, () => (next(3) ? next(256) : 0x20 + next(0x5f)));
    const whole = new TextDecoder(encoding).decode(source);
    const decoder = new TextDecoder(encoding);
    for (const size of [1, 2, 3, 7, 64]) {
      let text = "";
      for (let at = 0; at < source.length; at += size) text += decoder.decode(source.subarray(at, at + size), { stream: true });
      text += decoder.decode();
      assert.equal(text, whole, `${encoding.name}, ${size} bytes at a time`);
    }
  }
});

test("long texts are as their parts, around the size of a piece", () => {
  const unit = "aé日😀";
  for (const label of ["utf-8", "utf-16le", "gb18030", "shift_jis"]) {
    const part = label === "shift_jis" ? "aァ日ｱ" : unit;
    for (const length of [65530, 65536, 65537, 131072, 300_001]) {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length - 1) + "z";
      const well = text.toWellFormed();
      const encoded = placemat.encode(well.replaceAll("\uFFFD", "?"), label);
      assert.equal(placemat.decode(encoded, label), well.replaceAll("\uFFFD", "?"), `${label} ${length}`);
    }
  }
});

test("memory grows and detaches views, and nothing notices", () => {
  const decoders = ["big5", "euc-kr", "gb18030", "shift_jis", "euc-jp", "iso-2022-jp"].map((label) => new TextDecoder(label));
  for (let i = 0; i < 300; i++) {
    for (const decoder of decoders) {
      assert.equal(decoder.decode(bytes("61"), { stream: true }), "a");
      new TextDecoder(decoder.encoding).decode(bytes("a4 a2"), { stream: true });
    }
  }
  assert.equal(placemat.decode(bytes("82 a0"), "shift_jis"), "あ");
  // A replacement of the greatest length needs a larger output buffer.
  const errors = { with: "\u{1F600}".repeat(256) };
  const source = new Uint8Array(3000).fill(0xff);
  assert.equal(placemat.decode(source, "utf-8", { errors }).length, 3000 * 512);
});

test("U+FEFF within a text stays, of which TextDecoder('utf-16le') would eat the first", () => {
  const text = "\uFEFFa\uFEFF" + "b".repeat(100);
  for (const label of ["utf-8", "utf-16le", "utf-16be", "utf-32le"]) {
    assert.equal(placemat.decode(placemat.encode(text, label), label), text);
  }
  assert.equal(placemat.decode(bytes("84319533 84319533"), "gb18030"), "\uFEFF\uFEFF");
});

test("shared memory that changes meanwhile gives some text, and no torn one", async () => {
  const shared = new SharedArrayBuffer(1 << 20);
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(
    `const { workerData } = require("node:worker_threads"); const bytes = new Uint8Array(workerData);
     for (let i = 0; ; i++) { const [a, b] = i & 1 ? [0x61, 0x61] : [0xc3, 0xa9]; for (let at = 0; at < bytes.length; at += 2) { bytes[at] = a; bytes[at + 1] = b; } }`,
    { eval: true, workerData: shared },
  );
  try {
    await new Promise((go) => setTimeout(go, 50));
    for (let i = 0; i < 20; i++) {
      const text = new TextDecoder().decode(shared);
      assert.match(text.slice(0, 1000), /^[\0aé\uFFFD]*$/);
      assert.equal(/[^\0aé\uFFFD]/.test(text), false);
    }
  } finally {
    await worker.terminate();
  }
});

test("labels: those of the web by default, the standards' with web: false", () => {
  assert.equal(all("latin1").name, "windows-1252");
  assert.equal(all("latin1", false).name, "iso-8859-1");
  assert.equal(all("utf-16").name, "utf-16le");
  assert.equal(all("UTF_08").name, "utf-8");
  assert.equal(all("win1251").name, "windows-1251");
  assert.equal(all("utf-9"), undefined);
  assert.equal(all(""), undefined);
  assert.equal(new TextDecoder(all("latin1", false)).encoding, "iso-8859-1");
  assert.throws(() => new TextDecoder("iso-2022-kr"), RangeError);
  assert.equal(new TextDecoder("iso-2022-kr", { web: false }).encoding, "iso-2022-kr");
  for (const label of ["utf-8\0", "\u00a0utf-8", "utf-8\u00a0", "ｕｔｆ-8", "\u212aoi8-r", "\vutf-8"]) {
    assert.throws(() => new TextDecoder(label), RangeError, JSON.stringify(label));
  }
  for (const label of [undefined, "\tutf-8\n", "\fUTF8\r "]) assert.equal(new TextDecoder(label).encoding, "utf-8");
});

test("in strict mode there are the labels of the standard and no others", () => {
  const strict = { web: "strict" };
  const standard = new Map(Object.entries(STANDARD).flatMap(([name, labels]) => labels.split(" ").map((label) => [label, name.toLowerCase()])));
  assert.equal(standard.size, 228);
  // Test each label of any registry, and variations of it.
  const others = placemat.encodings().flatMap(({ canonicalName, labels }) => [canonicalName.toLowerCase(), ...labels]);
  const label = (change) => [...standard.keys()].map(change);
  const quoted = ['"', "'", "`"].flatMap((mark) => label((label) => mark + label + mark));
  const around = [...label((label) => `en_AU.${label}`), ...label((label) => `text/html;charset=${label}`), ...label((label) => label.replaceAll("-", "_"))];
  let refused = 0;
  for (const label of [...standard.keys(), ...others, ...quoted, ...around, "", "utf-9", "en_AU.UTF-8"]) {
    const name = standard.get(label);
    for (const written of [label, label.toUpperCase(), `\t\f\r\n ${label} `]) {
      if (name === undefined || name === "replacement") {
        const error = thrown(() => new TextDecoder(written, strict));
        assert.ok(error instanceof RangeError && error.message.length > 20, written);
        assert.equal(placemat.lookup(written, strict), undefined, written);
        refused++;
      } else {
        assert.equal(new TextDecoder(written, strict).encoding, name, written);
        assert.equal(new placemat.TextEncoder(written, strict).encoding, name, written);
      }
    }
  }
  assert.ok(refused > 3000, `${refused}`);
  // As in the standard, other white space and zeros are part of a label.
  for (const label of ["utf-8\0", "\vutf-8", "\u00a0utf-8", "utf-08", "win1251"]) assert.throws(() => new TextDecoder(label, strict), RangeError);
  assert.match(thrown(() => new TextDecoder("cesu-8", strict)).message, /^"cesu-8" is no label of the web's standard; without the option web: "strict" it is cesu-8$/);
  // Everything that takes a label takes the option.
  for (const label of ["cesu-8", "utf-7", "utf-32", "scsu", "bocu-1", all("cesu-8"), all("replacement", false)]) {
    for (const call of [
      () => placemat.decode(bytes("61"), label, strict),
      () => placemat.encode("a", label, strict),
      () => placemat.transcode(bytes("61"), label, "utf-8", strict),
      () => placemat.transcode(bytes("61"), "utf-8", label, strict),
      () => new placemat.TextDecoderStream(label, strict),
      () => new placemat.TextEncoderStream(label, strict),
    ]) assert.throws(call, RangeError, String(label));
  }
  assert.equal(new TextDecoder(all("koi8-r"), strict).encoding, "koi8-r");
  assert.throws(() => new TextDecoder("utf-8", { web: "only" }), /TypeError|neither true nor false nor "strict"/);
});

test("labels come in locales and headers too, and in quotes they are none", () => {
  for (const [label, name] of [
    ["en_AU.UTF-8", "utf-8"], ["de_DE.ISO8859-15@euro", "iso-8859-15"], ["C.UTF-8", "utf-8"],
    ["text/html;charset=UTF-8", "utf-8"], ['Content-Type: text/html; x="charset=a;"; CharSet="koi8-r"\r\n', "koi8-r"],
    ["text/plain; charset=latin1", "windows-1252"],
  ]) {
    assert.equal(new TextDecoder(label).encoding, name, label);
  }
  assert.equal(placemat.lookup("text/plain; charset=latin1", { web: false }).name, "iso-8859-1");
  for (const label of ['"utf-8"', "'utf-8'", '"cesu-8"', "en_AU", "notes.utf-8", "en_AU.klingon", "text/html", "text;charset=utf-8", "text/html;charset=iso-2022-kr"]) {
    assert.throws(() => new TextDecoder(label), RangeError, label);
  }
});

test("a label that is no string is unknown, as in the standard", () => {
  for (const label of [null, 5, true, {}, []]) {
    assert.throws(() => new TextDecoder(label), { name: "RangeError", message: /^unknown encoding: / });
    assert.throws(() => placemat.transcode(bytes("61"), "utf-8", label), RangeError);
  }
  assert.throws(() => placemat.transcode(bytes("61"), undefined, "utf-8"), { name: "RangeError", message: /^unknown encoding: "undefined"/ });
});

test("names that are no encodings are explained", () => {
  for (const [label, words] of [["utf-8b", /surrogateescape/], ["UTF-9", /RFC 4042/], ["utf-18", /RFC 4042/], ["utf-8-mac", /HFS\+/], ["utf8-mac", /NFD/]]) {
    const error = thrown(() => new TextDecoder(label));
    assert.ok(error instanceof RangeError, label);
    assert.match(error.message, words);
  }
  assert.match(thrown(() => new TextDecoder("utf9")).message, /encodings\(\) lists/);
});

test("a label of a megabyte is unknown at once, and its error is short", () => {
  for (const label of ["a".repeat(1 << 20), " ".repeat(1 << 20), "utf-8" + "0".repeat(1 << 20), "-".repeat(1 << 20)]) {
    const start = performance.now();
    const error = thrown(() => new TextDecoder(label));
    assert.ok(error instanceof RangeError && error.message.length < 200);
    assert.ok(performance.now() - start < 1000);
  }
  assert.equal(new TextDecoder(" ".repeat(1 << 20) + "utf-8").encoding, "utf-8");
});

test("a text beyond the longest string is an error that says so", { skip: process.env.PLACEMAT_LONG ? false : "long: set PLACEMAT_LONG" }, () => {
  const source = new Uint8Array(2 ** 29 + 100);
  for (let at = 0; at < source.length; at += 2) source[at] = 0xe9;
  assert.throws(() => placemat.decode(source, "windows-1251"), /longer than a string can be/);
  assert.throws(() => placemat.decode(new Uint8Array(2 ** 29 + 100).fill(0x61)), /longer than a string can be/);
});

test("UTF-16LE of every length, with lone surrogates and pairs anywhere", () => {
  const bytesOf = (text) => new Uint8Array(Uint16Array.from(text, (_, i) => text.charCodeAt(i)).buffer);
  const piece = 65_536; // the units of a piece of the module
  for (const before of [0, 1, 5, 20, 250, 300, 5000, piece - 2, piece - 1, piece, 2 * piece - 1, 3 * piece + 7]) {
    for (const [part, well] of [["😀", true], ["\uD83D", false], ["\uDE00", false], ["\uDE00\uD83D", false], ["\uFEFF\uFFFF\0", true], ["", true]]) {
      for (const after of ["", "x", "é".repeat(300), "日".repeat(70_000)]) {
        const text = "語".repeat(before) + part + after;
        // The bytes at an odd address, too.
        for (const bytes of [bytesOf(text), Uint8Array.of(0, ...(text.length < 1000 ? bytesOf(text) : [])).subarray(1)]) {
          if (bytes.length !== 2 * text.length) continue;
          const what = `${before} ${JSON.stringify(part)} ${after.length}`;
          assert.equal(placemat.decode(bytes, "utf-16le", { errors: "replace" }), text.toWellFormed(), what);
          if (well) assert.equal(placemat.decode(bytes, "utf-16le"), text, what);
          else assert.equal(thrown(() => placemat.decode(bytes, "utf-16le")).offset, 2 * before, what);
          assert.equal(placemat.decode(bytes, "utf-16le", { errors: "surrogatepass" }), text, what);
          if (text) assert.throws(() => placemat.decode(bytes.subarray(0, -1), "utf-16le"), placemat.IllFormedError, what);
        }
      }
    }
  }
});

test("texts that end in a shifted state", () => {
  const cut = bytes("61 1b 24 42 24 22");
  // The standard lets them end anywhere.
  assert.equal(new TextDecoder("iso-2022-jp", { fatal: true }).decode(cut), "aあ");
  const streaming = new TextDecoder("iso-2022-jp", { fatal: true });
  assert.equal(streaming.decode(cut, { stream: true }) + streaming.decode(), "aあ");
  assert.equal(new TextDecoder("iso-2022-jp").decode(cut), "aあ");
  // Elsewhere it is an error, at the shift that nothing closes.
  const is = { code: "unclosed-shift", offset: 1, length: 3 };
  assert.throws(() => placemat.decode(cut, "iso-2022-jp", { errors: "strict" }), is);
  assert.throws(() => placemat.transcode(cut, "iso-2022-jp", "utf-8", { errors: "strict" }), is);
  assert.equal(placemat.decode(cut, "iso-2022-jp", { errors: "replace" }), "aあ");
  assert.equal(placemat.decode(cut, "iso-2022-jp", { errors: { "unclosed-shift": "ignore" } }), "aあ");
  const codes = [];
  assert.equal(placemat.decode(cut, "iso-2022-jp", { errors: (error) => (codes.push(error.code), "?") }), "aあ");
  assert.deepEqual(codes, ["unclosed-shift"]);
  const long = new Uint8Array(300_000).fill(0x21);
  long.set(cut);
  for (let at = 4; at < long.length; at += 2) long.set([0x24, 0x22], at);
  assert.throws(() => placemat.decode(long, "iso-2022-jp", { errors: "strict" }), is);
  assert.deepEqual([...placemat.check(long, "iso-2022-jp")].map(({ code, offset, length }) => ({ code, offset, length })), [is]);
});
