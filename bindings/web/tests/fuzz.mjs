// Random calls, compared with Node's own, with each other, or undone: node tests/fuzz.mjs SECONDS [SEED]
//
// Each case has a seed of its own, which a failure names; `node tests/fuzz.mjs 0 SEED` runs that case alone. With 0 SECONDS and no seed,
// the same cases run each time, three times over: the memory of the modules does not grow after the second time. With
// the program in PLACEMAT_PROGRAM, repairs and detections are compared with the command's.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");

/** All instances of the modules. More than one of a module would mean that one was lost to a trap. */
const instances = [];
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...all) {
    super(...all);
    instances.push(this);
  }
};
const placemat = await import("../package/src/node.js");
await placemat.init({ detect: true });
const memory = () => instances.reduce((bytes, { exports }) => bytes + exports.memory.buffer.byteLength, 0);

/** The seed of the fixed cases, and their number. */
const FIRST = 1;
const FIXED = 2000;

const NAMES = placemat.encodings().map(({ name }) => name);
/** The encodings whose code points a string can hold: all but those of 31 bits. */
const HELD = NAMES.filter((name) => !placemat.lookup(name, { web: false }).repertoire.includes("31 bits"));
const ERRORS = ["fatal", "replace", "ignore", "hex", "latin1", "cp1252", "surrogateescape", "surrogatepass", "optu", "optu16"];
const UNMAPPABLE = ["fatal", "replace", "ignore", "hex", "xmlref", "translit", "surrogateescape", "surrogatepass", "optu", "optu16"];
const SPANS = ["maximal", "unit", "structural", "lead"];
const TEXTS = ["plain words, ", "café déjà vu € ", "Привет, мир! ", "日本語の文章 ", "καλημέρα ", "😀👨‍👩‍👧 ", "\r\n", "\n", "\0", "\uFEFF", "naÃ¯ve cafÃ© ", "ÐŸÑ€Ð¸Ð²ÐµÑ‚ ", "\u2028", "e\u0301", "한국어 "];
const LONE = ["\uD800", "\uDC80", "\uDFFF", "\uDCC3\uDCA9", "\uD83D"];
const ODD = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0xe9], [0x1b, 0x24, 0x42], [0x0e], [0], [0xfe, 0xff], [0xc3, 0x83, 0xc2, 0xa9]];

/** The labels whose bytes Node reads, one at a time, as the Encoding Standard has them; some tables of ICU differ from it. */
const AGREEING = NAMES.filter((name) => {
  const each = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  try {
    const [theirs, ours] = [new TextDecoder(name), new placemat.TextDecoder(name, { web: "strict" })];
    return name !== "utf-8" && placemat.lookup(name).maxBytes === 1 && each.every((byte) => theirs.decode(byte) === ours.decode(byte));
  } catch {
    return false;
  }
});
assert.ok(AGREEING.length > 20, `${AGREEING}`);

/** Makes a generator of random numbers (mulberry32) with helpers. */
function random(seed) {
  const below = (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
  return { below, of: (all) => all[below(all.length)], oneIn: (times) => below(times) === 0 };
}

function someText(r, strange = 0.1) {
  const length = r.of([0, 1, 5, 20, 70, 200, 3000, r.oneIn(30) ? 200_000 : 12]);
  const rate = r.of([0, 0, strange]);
  const repeat = r.of([1, 1, 20]);
  let text = "";
  while (text.length < length) text += r.below(1000) < 1000 * rate ? r.of(LONE) : r.of(TEXTS).repeat(repeat);
  return text.slice(0, length);
}

function someBytes(r, name = "utf-8") {
  if (r.oneIn(6)) return Uint8Array.from({ length: r.of([1, 3, 8, 40, 300]) }, () => r.below(256));
  const text = someText(r, 0);
  const bytes = [...placemat.encode(text, name, { web: false, unmappable: "ignore" })];
  for (let left = r.of([0, 0, 1, 3, 30]); left > 0; left--) {
    const at = r.below(bytes.length + 1);
    bytes.splice(at, r.below(3), ...r.of(ODD));
  }
  return Uint8Array.from(bytes);
}

/** Puts bytes into a buffer of some kind. */
function held(r, bytes) {
  const before = r.below(9);
  const around = (buffer) => {
    new Uint8Array(buffer).set(bytes, before);
    return new Uint8Array(buffer, before, bytes.length);
  };
  const most = { maxByteLength: bytes.length + 100 };
  return r.of([
    () => bytes,
    () => bytes.slice().buffer,
    () => around(new ArrayBuffer(bytes.length + 20)),
    () => around(new SharedArrayBuffer(bytes.length + 20)),
    () => Buffer.from(bytes),
    () => new DataView(around(new ArrayBuffer(bytes.length + 20)).buffer, before, bytes.length),
    () => {
      const buffer = new ArrayBuffer(bytes.length, most);
      new Uint8Array(buffer).set(bytes);
      return new Uint8Array(buffer);
    },
    () => {
      // A view without a length of its own follows its buffer.
      const buffer = new ArrayBuffer(0, most);
      const view = new Uint8Array(buffer);
      buffer.resize(bytes.length);
      view.set(bytes);
      return view;
    },
    () => {
      const buffer = new SharedArrayBuffer(0, most);
      buffer.grow(bytes.length);
      new Uint8Array(buffer).set(bytes);
      return buffer;
    },
  ])();
}

function cuts(r, length) {
  const all = Array.from({ length: r.of([0, 1, 2, 5, 20]) }, () => r.below(length + 1)).sort((a, b) => a - b);
  return [...all, length];
}

/** Returns the value of a call, or its error. */
function result(call) {
  try {
    return { value: call() };
  } catch (error) {
    mustBeDocumented(error);
    return { error };
  }
}

const own = new Error("thrown by the caller's own code");

/** Throws unless the error is of a kind that the types name, about the arguments and not about the package. */
function mustBeDocumented(error) {
  if (error === own) return;
  const isKnown = error instanceof TypeError || error instanceof RangeError || error instanceof placemat.EditError;
  const isInternal = /module failed|unreachable|memory access|of undefined|is not a function|Invalid typed array|offset is out/i;
  if (!isKnown || isInternal.test(error.message)) throw new Error(`not a documented error: ${error}`, { cause: error });
}

const shown = (value) => (value?.error ? `${value.error.name} ${value.error.code ?? ""} at ${value.error.offset}` : value?.value);

/** Decoders of UTF-8 and of single bytes, in pieces, against Node's. */
function decoding(r) {
  const name = r.oneIn(2) ? "utf-8" : r.of(AGREEING);
  const bytes = someBytes(r, name);
  const options = { fatal: r.oneIn(3), ignoreBOM: r.oneIn(2) };
  const [theirs, ours] = [new TextDecoder(name, options), new placemat.TextDecoder(name, options)];
  let start = 0;
  for (const end of cuts(r, bytes.length)) {
    const stream = end < bytes.length;
    const piece = bytes.subarray(start, end);
    const [wanted, got] = [result(() => theirs.decode(piece, { stream })), result(() => ours.decode(held(r, piece), { stream }))];
    assert.equal(got.value, wanted.value, `${name} ${JSON.stringify(options)} ${start}..${end}`);
    assert.equal(got.error instanceof TypeError, wanted.error instanceof TypeError, `${name} ${start}..${end}: ${got.error} ${wanted.error}`);
    if (got.error) return;
    start = end;
    if (!stream) break;
  }
}

/** UTF-16 against the strings of the language. */
function wide(r) {
  const text = someText(r, 0.3).slice(0, 2 ** 14);
  const little = new Uint8Array(Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).buffer);
  const big = Uint8Array.from(little, (_, i) => little[i ^ 1]);
  const odd = r.oneIn(3) ? [0x61] : [];
  // Half a pair and half a unit after it are one error.
  const isJoined = /[\uD800-\uDBFF]$/.test(text);
  const wanted = text.toWellFormed() + (odd.length && !isJoined ? "\uFFFD" : "");
  for (const [name, bytes] of [["utf-16le", little], ["utf-16be", big]]) {
    const decoder = new placemat.TextDecoder(name, { ignoreBOM: true });
    assert.equal(decoder.decode(held(r, Uint8Array.of(...bytes, ...odd))), wanted, name);
    if (text.isWellFormed()) assert.deepEqual(placemat.encode(text, name), bytes);
  }
}

/** `TextEncoder`, and where it stops for want of room, against Node's. */
function encoding(r) {
  const text = someText(r, 0.2);
  assert.deepEqual(new placemat.TextEncoder().encode(text), new TextEncoder().encode(text));
  const room = r.below(3 * text.length + 2);
  const make = () => new Uint8Array(new ArrayBuffer(room + 9), r.below(9), room);
  const [ours, theirs] = [make(), make()];
  assert.deepEqual(new placemat.TextEncoder().encodeInto(text, ours), new TextEncoder().encodeInto(text, theirs), JSON.stringify(text));
  const { written } = new TextEncoder().encodeInto(text, theirs);
  assert.deepEqual(ours.subarray(0, written), theirs.subarray(0, written));
}

/** A decoder of any encoding in pieces gives what one call gives; so does an encoder. */
function pieces(r) {
  const name = r.of(NAMES);
  const options = { web: false, errors: r.of(ERRORS), span: r.of([undefined, undefined, ...SPANS]) };
  const bytes = someBytes(r, name);
  const make = () => new placemat.TextDecoder(name, { ...options, ignoreBOM: true });
  const whole = result(() => make().decode(bytes));
  const decoder = make();
  let [text, start] = ["", 0];
  const got = result(() => {
    for (const end of cuts(r, bytes.length)) {
      text += decoder.decode(held(r, bytes.subarray(start, end)), { stream: true });
      start = end;
    }
    return text + decoder.decode();
  });
  assert.equal(shown(got), shown(whole), `${name} ${JSON.stringify(options)}`);
  if (whole.error) return;

  const unmappable = r.of(UNMAPPABLE);
  const encoder = () => new placemat.TextEncoder(name, { web: false, unmappable });
  const [once, later] = [result(() => encoder().encode(text)), encoder()];
  const parts = result(() => {
    const all = [];
    let from = 0;
    for (const end of cuts(r, text.length)) {
      all.push(later.encode(text.slice(from, end), { stream: true }));
      from = end;
    }
    return Buffer.concat([...all, later.encode("")]);
  });
  const hex = (found) => (found.error ? shown(found) : Buffer.from(found.value).toString("hex"));
  assert.equal(hex(parts), hex(once), `${name} ${unmappable} ${JSON.stringify(text.slice(0, 200))}`);
}

/** A conversion is a decoding and an encoding; a verdict and a list of errors agree with it. */
function converting(r) {
  const [from, to] = [r.of(HELD), r.of(NAMES)];
  const bytes = someBytes(r, from);
  const input = held(r, bytes);
  const errors = r.of(["replace", "ignore", "fatal", { with: "<é>" }, { overlong: "fatal", default: "replace" }, (error) => `[${error.offset}]`]);
  const unmappable = r.of(["replace", "ignore", "hex", "xmlref", "translit", { with: "?" }]);
  const text = result(() => placemat.decode(input, from, { web: false, errors }));
  const found = result(() => placemat.transcode(input, from, to, { web: false, errors, unmappable }));
  if (text.error) {
    // The replacement of an unmappable character may itself be unmappable, and stops the conversion before.
    assert.ok(found.error instanceof placemat.UnmappableError || shown(found) === shown(text), `${from} ${to}: ${shown(found)}`);
  } else if (!placemat.lookup(from, { web: false }).repertoire.includes(" included")) {
    // A string joins two surrogates that the bytes have one by one.
    const wanted = result(() => placemat.encode(text.value, to, { web: false, unmappable }));
    const told = ({ value, error }) => (error ? `${error.code} ${error.codePoint}` : Buffer.from(value).toString("hex"));
    assert.equal(told(found), told(wanted), `${from} ${to}`);
  }
  const isValid = placemat.isValid(input, from, { web: false });
  const [first] = placemat.check(input, from, { web: false });
  const strict = result(() => placemat.decode(input, from, { web: false }));
  assert.equal(isValid, strict.error === undefined, from);
  assert.deepEqual([first?.offset, first?.code], [strict.error?.offset, strict.error?.code], from);
  assert.equal(placemat.count(input, from, { web: false }).bytes, bytes.length);
}

/** Streams give what one call gives. */
async function streaming(r) {
  const [from, to] = [r.of(["utf-8", "shift_jis", "utf-16le", r.of(NAMES)]), r.of(["utf-8", "utf-16be", r.of(NAMES)])];
  const bytes = someBytes(r, from);
  const options = { web: false, errors: r.of(["replace", "fatal"]), unmappable: "hex" };
  const wanted = result(() => placemat.transcode(bytes, from, to, options));
  const all = cuts(r, bytes.length);
  const source = new ReadableStream({
    start(controller) {
      let start = 0;
      for (const end of all) {
        controller.enqueue(bytes.slice(start, end));
        start = end;
      }
      controller.close();
    },
  });
  const parts = [];
  try {
    for await (const part of source.pipeThrough(placemat.transcodeStream(from, to, options))) parts.push(part);
  } catch (error) {
    mustBeDocumented(error);
    assert.equal(shown({ error }), shown(wanted), `${from} ${to}`);
    return;
  }
  assert.equal(Buffer.concat(parts).toString("hex"), wanted.error ? shown(wanted) : Buffer.from(wanted.value).toString("hex"), `${from} ${to}`);
}

const program = process.env.PLACEMAT_PROGRAM;
const command = (args, input) => execFileSync(program, args, { input, stdio: ["pipe", "pipe", "ignore"] });

/** A repair is well-formed and undone by its record; regions are all of the bytes; pieces of a detection do not matter. */
function repairing(r) {
  const bytes = someBytes(r, r.of(["utf-8", "utf-8", "windows-1251", "shift_jis", "utf-16le"]));
  const options = r.oneIn(2) ? {} : { lost: r.of(["replace", "escape"]), minConfidence: r.of([0, 0.5, 1]), steps: r.of([undefined, ["mojibake"], ["bytes", "wide"]]) };
  const repaired = placemat.repair(held(r, bytes), options);
  assert.ok(repaired.text.isWellFormed());
  assert.deepEqual(placemat.undo(repaired.text, repaired), bytes);
  const found = placemat.detect(held(r, bytes));
  const detector = new placemat.Detector();
  let start = 0;
  for (const end of cuts(r, bytes.length)) {
    detector.feed(held(r, bytes.subarray(start, end)));
    start = end;
  }
  assert.deepEqual(detector.finish(), found);
  let at = 0;
  for (const region of placemat.regions(bytes)) {
    assert.equal(region.offset, at);
    at += region.length;
  }
  assert.equal(at, bytes.length);
  if (program && r.oneIn(20)) {
    assert.equal(placemat.repair(bytes).text, command(["repair"], bytes).toString());
    const said = JSON.parse(command(["detect", "--format", "jsonl"], bytes));
    assert.deepEqual([said.verdict, said.encoding], [found.verdict, found.encoding]);
  }
}

/** An edit changes the text so, and no byte outside of it; one that is refused changes nothing. */
function editing(r) {
  const name = r.of(["utf-8", "utf-8", "utf-16le", "shift_jis", "windows-1252", r.of(NAMES)]);
  const bytes = someBytes(r, name);
  const opened = result(() => new placemat.Document(held(r, bytes), name, { web: false }));
  if (opened.error) return;
  const document = opened.value;
  const { text } = document;
  assert.deepEqual(document.toBytes(), bytes, name);
  const [start, end] = [r.below(text.length + 3), r.below(text.length + 3)].sort((a, b) => a - b);
  const added = r.of(["x", "é", "", "日", "\uD800", "\r\n", "😀"]);
  const made = result(() => document.replace(start, end, added));
  if (made.error) {
    assert.deepEqual(document.toBytes(), bytes, name);
    assert.equal(document.text, text, name);
  } else {
    const after = document.toBytes();
    const { start: from, end: to, length } = made.value;
    assert.deepEqual(after.subarray(0, from), bytes.subarray(0, from), name);
    assert.deepEqual(after.subarray(from + length), bytes.subarray(to), name);
    assert.equal(document.text, text.slice(0, start) + added + text.slice(end), name);
  }
  const huge = r.of([0, -1, 0.5, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, Infinity, NaN, text.length, text.length + 1]);
  for (const call of [() => document.slice(0, huge), () => document.slice(huge, huge), () => document.textToByte(huge), () => document.textOfByte(huge), () => document.positionOfText(huge), () => document.textOfPosition(huge, 0), () => document.textOfPosition(0, huge), () => document.replace(huge, huge, "")]) result(call);
  if (r.oneIn(2)) document.free();
}

/** Limits and lengths, against plain loops. */
function lengths(r) {
  const text = someText(r, 0.2);
  const found = placemat.lengths(text);
  const well = text.toWellFormed();
  assert.equal(found.utf8, Buffer.byteLength(well));
  assert.equal(found.utf16, text.length * 2 === found.utf16 ? found.utf16 : text.length);
  assert.equal(found.codePoints, [...text].length);
  const limit = r.of([0, 1, 3, r.below(text.length + 2), 2 ** 31, 2 ** 32, 2 ** 53 - 1]);
  if (text.isWellFormed()) {
    const cut = placemat.truncate(text, { bytes: limit });
    assert.ok(text.startsWith(cut) && Buffer.byteLength(cut) <= limit);
    const next = [...text.slice(cut.length, cut.length + 2)][0];
    assert.ok(next === undefined || Buffer.byteLength(cut + next) > limit);
  }
  assert.equal(placemat.truncate(text, { chars: limit }), [...text].slice(0, limit).join(""));
}

/** Values that no argument should be, and some that it should. */
function junk(r) {
  const throwing = { toString: () => { throw own; }, valueOf: () => { throw own; }, get length() { throw own; } };
  const gone = new Uint8Array(8);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  const shrunk = new ArrayBuffer(8, { maxByteLength: 8 });
  const outside = new Uint8Array(shrunk, 4, 4);
  shrunk.resize(2);
  return r.of([
    undefined, null, 0, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 53, "", "x", "utf-8", "shift_jis", "latin1", "\uD800", "a".repeat(5000), true, Symbol("s"), 10n,
    {}, [], [1, 2], ["bytes"], () => {}, () => "é", () => 5, () => { throw own; }, new Date(0), new Map(), { length: 5 }, { with: "x" }, { with: 5 }, { bytes: 3 }, { chars: -1 }, { graphemes: 1.5 },
    { default: "replace" }, { overlong: 3 }, Object.create(null), throwing, gone, gone.buffer, outside, shrunk, new Float64Array(2), new DataView(new ArrayBuffer(3)), Uint8Array.of(0xff, 0xc3, 0xa9),
    placemat.lookup("koi8-r"), { name: "utf-8" }, { encoding: "utf-8", changes: [] }, { encoding: "utf-8", changes: [{ offset: 5, before: gone, repairedOffset: 2 ** 40, after: "x" }] }, Buffer.from("text"), new Proxy({}, {}), "replace", "fatal", [[0, 1, "x"]], [[0, 2 ** 40, ""]],
  ]);
}

/** Arguments of every kind: a call succeeds, or throws an error of a documented kind. */
async function strangers(r) {
  const any = () => (r.oneIn(3) ? r.of([Uint8Array.of(0x61, 0xff), "text", "utf-8"]) : junk(r));
  const options = () => r.oneIn(3) ? junk(r) : { errors: any(), unmappable: r.oneIn(2) ? any() : undefined, span: r.oneIn(3) ? any() : undefined, web: r.of([true, false, any()]), fatal: r.oneIn(4) ? any() : false, ignoreBOM: any(), steps: r.oneIn(4) ? any() : undefined, lost: r.oneIn(4) ? any() : undefined, fallback: r.oneIn(4) ? any() : undefined, minConfidence: r.oneIn(4) ? any() : undefined, prefix: any(), stream: any() };
  const document = new placemat.Document(Uint8Array.of(0x61, 0xff, 0xc3, 0xa9, 0x0a), "utf-8");
  const [name, call] = r.of(Object.entries({
    decode: () => placemat.decode(any(), any(), options()),
    encode: () => placemat.encode(any(), any(), options()),
    transcode: () => placemat.transcode(any(), any(), any(), options()),
    isValid: () => placemat.isValid(any(), any(), options()),
    check: () => { for (const error of placemat.check(any(), any(), options())) if (error.offset > 50) break; },
    count: () => placemat.count(any(), any(), options()),
    lengths: () => placemat.lengths(any()),
    truncate: () => placemat.truncate(any(), any()),
    lookup: () => placemat.lookup(any(), options()),
    signature: () => placemat.signature(any()),
    detect: () => placemat.detect(any(), options()),
    regions: () => placemat.regions(any()),
    repair: () => placemat.repair(any(), options()),
    undo: () => placemat.undo(any(), any()),
    decoder: () => new placemat.TextDecoder(any(), options()).decode(any(), options()),
    encoder: () => new placemat.TextEncoder(any(), options()).encode(any(), options()),
    encodeInto: () => new placemat.TextEncoder().encodeInto(any(), any()),
    detector: () => { const detector = new placemat.Detector(); detector.feed(any()); detector.finish(options()); },
    streams: () => { new placemat.TextDecoderStream(any(), options()); new placemat.TextEncoderStream(any(), options()); placemat.transcodeStream(any(), any(), options()); },
    document: () => new placemat.Document(any(), any(), options()),
    replace: () => document.replace(any(), any(), any()),
    replaceAll: () => document.replaceAll(any()),
    slice: () => document.slice(any(), any()),
    offsets: () => [document.textToByte(any()), document.textOfByte(any()), document.positionOfText(any()), document.textOfPosition(any(), any())],
  }));
  try {
    await call();
  } catch (error) {
    try {
      mustBeDocumented(error);
    } catch (wrong) {
      throw new Error(`${name}: ${wrong.message}`, { cause: error });
    }
  }
  document.free();
  assert.equal(placemat.decode(Uint8Array.of(0xc3, 0xa9)), "é");
}

const KINDS = [decoding, decoding, wide, encoding, pieces, pieces, converting, converting, streaming, repairing, editing, lengths, strangers, strangers];

async function one(seed) {
  const r = random(seed);
  r.below(2);
  const kind = r.of(KINDS);
  try {
    await kind(r);
    assert.ok(instances.length <= 3, "an instance was lost");
  } catch (error) {
    console.error(`the case fails: ${kind.name}, seed ${seed}`);
    throw error;
  }
}

/** Returns the memory of the modules when no garbage is left. */
async function settled() {
  for (let i = 0; i < 4; i++) {
    collect();
    await setImmediate();
  }
  return memory();
}

const seconds = Number(process.argv[2] || 0);
if (seconds === 0 && process.argv[3] === undefined) {
  const sizes = [];
  for (let round = 0; round < 3; round++) {
    for (let seed = FIRST; seed < FIRST + FIXED; seed++) {
      await one(seed);
      if (seed % 500 === 0) await settled();
    }
    sizes.push(await settled());
  }
  // The garbage collector may be later in one round than in another.
  assert.ok(sizes[2] - sizes[1] < 2 ** 20, `the memory of the modules grows: ${sizes} bytes`);
  console.log(`${3 * FIXED} cases: none differs; the modules have ${sizes[2]} bytes of memory`);
} else {
  let seed = Number(process.argv[3] ?? Date.now() % 2 ** 40);
  const [first, end] = [seed, performance.now() + 1000 * seconds];
  await one(seed);
  let peak = 0;
  while (performance.now() < end) {
    await one(++seed);
    if (seed % 500 === 0) peak = Math.max(peak, await settled());
  }
  console.log(`${seed - first + 1} cases, the last of seed ${seed}: none differs; the modules have ${peak} bytes of memory`);
}
