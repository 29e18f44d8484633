// Packs the data of a WebAssembly module; its start function unpacks it (unpack/src/lib.rs). `node pack.mjs FROM TO`.
//
// gzip looks back 32 KB, and the tables that share runs of characters are further apart. So
// repetitions are replaced by copies here, and the remaining single bytes are separated by the
// parity of their addresses, as most table entries have two bytes.
import { readFileSync, writeFileSync } from "node:fs";

const PAGE = 0x10000;
const [EXPORTS, START, MEMORY, DATA] = [7, 8, 5, 11];

/** Returns the bytes of an unsigned number in LEB128. */
function leb(number) {
  const bytes = [];
  for (; number > 0x7f; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
  return [...bytes, number];
}

/** Returns the bytes of a signed number in LEB128, as instructions contain them. */
function signedLeb(number) {
  const bytes = [];
  for (; number < -0x40 || number > 0x3f; number >>= 7) bytes.push((number & 0x7f) | 0x80);
  return [...bytes, number & 0x7f];
}

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  take(length) {
    return this.bytes.subarray(this.at, (this.at += length));
  }
  number() {
    let [number, shift, byte] = [0, 0, 0];
    do {
      byte = this.bytes[this.at++];
      number |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte > 0x7f);
    return number;
  }
}

function expect(condition, what) {
  if (!condition) throw new Error(`this module cannot be packed: ${what}`);
}

/** Returns the data of a module: the address of its first byte, and the bytes. */
function dataOf(section) {
  const reader = new Reader(section);
  const segments = [];
  for (let count = reader.number(); count > 0; count--) {
    expect(reader.number() === 0 && reader.number() === 0x41, "a segment has no constant address");
    const start = reader.number();
    expect(reader.number() === 0x0b, "the address of a segment is no constant");
    segments.push([start, reader.take(reader.number())]);
  }
  const start = Math.min(...segments.map(([start]) => start));
  const all = new Uint8Array(Math.max(...segments.map(([start, bytes]) => start + bytes.length)) - start);
  for (const [at, bytes] of segments) all.set(bytes, at - start);
  return { start, bytes: all };
}

/** Returns the exports without the function `unpack`, and the number of that function. */
function withoutUnpack(section) {
  const reader = new Reader(section);
  const count = reader.number();
  const rest = [];
  let unpack;
  for (let i = 0; i < count; i++) {
    const start = reader.at;
    const name = new TextDecoder().decode(reader.take(reader.number()));
    reader.at += 1;
    const number = reader.number();
    if (name === "unpack") unpack = number;
    else rest.push(section.subarray(start, reader.at));
  }
  expect(unpack !== undefined, "it has no function `unpack`, or was packed before");
  return { unpack, exports: Buffer.concat([Buffer.from(leb(count - 1)), ...rest]) };
}

/** The length of the shortest copy that pays, in bytes, and the number of addresses that are tried. */
const SHORTEST = 6;
const PLACES = 16;

/** Returns the parts of packed data, in the order of the directory. */
function pack(bytes, start) {
  const [runs, lengths, distances, even, odd] = [[], [], [], [], []];
  const length = bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  const newest = new Int32Array(0x40000).fill(-1);
  const older = new Int32Array(length).fill(-1);
  const key = (at) =>
    Math.imul(Math.imul(view.getInt32(at), 0x9e3779b1) ^ view.getInt16(at + 4), 0x85ebca6b) >>> 14;
  const remember = (at) => {
    if (at + SHORTEST > length) return;
    older[at] = newest[key(at)];
    newest[key(at)] = at;
  };
  let [run, distance] = [0, 0];
  /** Returns the longest copy from before `at`, at the distance of the last one if possible. */
  const longest = (at) => {
    const same = (from) => {
      let n = 0;
      while (at + n < length && bytes[from + n] === bytes[at + n]) n++;
      return n;
    };
    let best = { length: 0, distance: 0 };
    if (distance > 0) {
      const n = same(at - distance);
      if (n >= SHORTEST - 2) best = { length: n, distance };
    }
    if (at + SHORTEST > length) return best;
    for (let from = newest[key(at)], left = PLACES; from >= 0 && left > 0; from = older[from], left--) {
      const n = same(from);
      if (n >= SHORTEST && n > best.length) best = { length: n, distance: at - from };
    }
    return best;
  };
  for (let at = 0; at < length; ) {
    const copy = longest(at);
    remember(at);
    if (copy.length === 0 || longest(at + 1).length > copy.length + 1) {
      ((start + at) % 2 ? odd : even).push(bytes[at++]);
      run += 1;
      continue;
    }
    runs.push(...leb(run));
    lengths.push(...leb(copy.length));
    const change = copy.distance - distance;
    distances.push(...leb(((change << 1) ^ (change >> 31)) >>> 0));
    [run, distance] = [0, copy.distance];
    const end = at + copy.length;
    // For long copies, which are mostly zeros, the last addresses are enough.
    for (at += 1; at < end; at++) if (copy.length < 256 || end - at < 64) remember(at);
  }
  runs.push(...leb(run));
  return [runs, lengths, distances, even, odd];
}

/** Returns the module with its data packed, which is on separate pages after all others. */
function packed(module) {
  const reader = new Reader(module, 8);
  const sections = new Map();
  while (reader.at < module.length) {
    const id = reader.take(1)[0];
    const bytes = reader.take(reader.number());
    expect(!sections.has(id) || id === 0, "a section is there twice");
    if (id !== 0) sections.set(id, bytes);
  }
  const { unpack, exports } = withoutUnpack(sections.get(EXPORTS));
  expect(!sections.has(START), "it has a start function");
  const memory = new Reader(sections.get(MEMORY));
  expect(memory.number() === 1 && memory.number() === 0, "its memory has a limit, or there are several");
  const pages = memory.number();

  const { start, bytes } = dataOf(sections.get(DATA));
  const parts = pack(bytes, start);
  const directory = 4 * (2 + parts.length);
  const size = parts.reduce((sum, part) => sum + part.length, directory);
  const all = pages + Math.ceil(size / PAGE);
  let at = all * PAGE - size;
  const head = [start, start + bytes.length];
  for (const part of parts) {
    head.push(at);
    at += part.length;
  }
  const data = Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.from(Uint32Array.from(head).buffer)]);

  sections.set(EXPORTS, exports);
  sections.set(START, Buffer.from(leb(unpack)));
  sections.set(MEMORY, Buffer.from([1, 0, ...leb(all)]));
  const place = [0x41, ...signedLeb(all * PAGE - size), 0x0b];
  sections.set(DATA, Buffer.concat([Buffer.from([1, 0, ...place, ...leb(data.length)]), data]));
  // Sort by the order of the specification: the count of data, 12, comes before the code.
  const rank = (id) => (id === 12 ? 9.5 : id);
  const out = [module.subarray(0, 8)];
  for (const [id, bytes] of [...sections].sort(([a], [b]) => rank(a) - rank(b))) {
    const body = id === 12 ? Buffer.from([1]) : bytes;
    out.push(Buffer.from([id, ...leb(body.length)]), body);
  }
  return Buffer.concat(out);
}

const [from, to] = process.argv.slice(2);
writeFileSync(to, packed(readFileSync(from)));
