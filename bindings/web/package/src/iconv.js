// The names and calls of iconv-lite. The results are the same too, except where tests/iconv-lite.md
// says otherwise.
//
// In browsers, load the module first: `await init({ all: true })`, or `await init()` for Unicode and single bytes.

import { find, ISO_8859_1, US_ASCII, UTF_16LE, UTF_32LE, UTF_8 } from "./labels.js";
import { bytesOf, concat } from "./bytes.js";
import { FromBytes, decodeWhole } from "./decode.js";
import { FromString, encodeWhole } from "./encode.js";
import { errorPolicy, unmappablePolicy } from "./policies.js";

export { init, load } from "./load.js";

/** The replacement for code points that a single-byte encoding does not have. */
export let defaultCharSingleByte = "?";
export let defaultCharUnicode = "\uFFFD";

const NodeBuffer = globalThis.Buffer;
const asBuffer = NodeBuffer ? (bytes) => NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : (bytes) => bytes;
const REPLACE = errorPolicy("replace");
const SUBSTITUTE = unmappablePolicy("replace");
const PASS = unmappablePolicy("surrogatepass");

const canonical = (name) => String(name).toLowerCase().replace(/:\d{4}$|[^0-9a-z]/g, "");
const INTERNAL = {
  utf8: { encoding: UTF_8, mark: true },
  cesu8: { encoding: find("cesu-8") },
  ucs2: { encoding: UTF_16LE },
  utf16le: { encoding: UTF_16LE },
  binary: { encoding: ISO_8859_1 },
  base64: {},
  hex: {},
};
/** Code pages of Windows that are known by number. */
const PAGES = { 20127: "ascii", 20866: "koi8-r", 21866: "koi8-u", 65001: "utf-8", 1200: "utf-16le", 1201: "utf-16be", 12000: "utf-32le", 12001: "utf-32be" };
/** Names that mean another encoding on the web, or are unknown there. */
const NAMES = {
  iso88599: "x-iso-8859-9", latin5: "x-iso-8859-9", csisolatin5: "x-iso-8859-9", l5: "x-iso-8859-9", isoir148: "x-iso-8859-9",
  iso885911: "x-iso-8859-11", tis620: "x-tis-620", 10000: "macintosh", 10006: "x-mac-greek", 10007: "x-mac-cyrillic", 10029: "x-mac-ce",
  10079: "x-mac-iceland", 10081: "x-mac-turkish", ascii8bit: "us-ascii", ansix34: "us-ascii", iso646irv: "us-ascii", celtic: "iso-8859-14",
  celtic8: "iso-8859-14", ms31j: "shift_jis", gb23121980: "gbk", cn: "iso646-cn", arabic8: "iso-8859-6",
};
const known = new Map();

/** Returns the encoding that a name means, and its peculiarities. */
function codec(name) {
  const key = canonical(name);
  let found = known.get(key);
  if (found === undefined) {
    found = Object.hasOwn(INTERNAL, key) ? { ...INTERNAL[key], key } : other(key, name);
    if (found) known.set(key, found);
  }
  if (!found) throw new Error(`Encoding not recognized: '${name}' (searched as: '${key}')`);
  return found;
}

function other(key, name) {
  if (/^(unicode11utf8)$/.test(key)) return { encoding: UTF_8, key };
  if (key === "ucs4") return other("utf32", "utf-32");
  if (Object.hasOwn(NAMES, key)) return { encoding: find(NAMES[key], false) ?? find(name, false), key };
  if (/^(utf16|utf32)$/.test(key)) return { encoding: key === "utf16" ? UTF_16LE : UTF_32LE, key, sniffs: true, addsMark: key === "utf16" || key === "utf32" };
  if (key === "ascii") return { encoding: US_ASCII, key };
  if (/^turkish8?$/.test(key)) return { encoding: find("x-iso-8859-9", false), key };
  const page = /^(?:cp|windows|win)?(\d{3,5})$/.exec(key)?.[1];
  if (page && Object.hasOwn(PAGES, page)) return { encoding: find(PAGES[page], false), key };
  if (page >= 28591 && page <= 28606) return { encoding: find(`${page === "28599" || page === "28601" ? "x-" : ""}iso-8859-${page - 28590}`, false), key };
  const encoding = find(name, false) ?? find(key, false) ?? find(name) ?? find(key) ?? find(key.replace(/^cs/, ""), false);
  return encoding && { encoding, key };
}

export function encodingExists(name) {
  try {
    codec(name);
    return true;
  } catch {
    return false;
  }
}

/** The encodings in which U+FEFF at the start is a byte order mark. */
const MARKED = /^(utf-8|utf-16|utf-32|ucs-4|cesu-8)/;

/** Decodes bytes. A byte order mark at the start is dropped unless `stripBOM` is false. */
export function decode(input, name, options) {
  const how = codec(name);
  const bytes = typeof input === "string" ? stringBytes(input) : bytesOf(input);
  if (bytes === undefined) throw new TypeError("expected a Buffer or a Uint8Array");
  if (!how.encoding) return asBuffer(bytes).toString(how.key);
  const encoding = how.sniffs ? sniffed(how, bytes, options) : how.encoding;
  return withoutMark(decodeWhole(bytes, encoding, REPLACE), how, options);
}

let warned = false;
function stringBytes(text) {
  if (!skipDecodeWarning && !warned) {
    console.error("iconv.decode got a string, which is deprecated: give it a Buffer");
    warned = true;
  }
  return encodeWhole(text, ISO_8859_1, SUBSTITUTE);
}

/** Set it to true to decode strings without a warning. */
export let skipDecodeWarning = false;

function withoutMark(text, { encoding }, options) {
  if (options?.stripBOM === false || text.charCodeAt(0) !== 0xfeff || !MARKED.test(encoding.name)) return text;
  if (typeof options?.stripBOM === "function") options.stripBOM();
  return text.slice(1);
}

/** Returns the byte order of UTF-16 or UTF-32 by its mark, otherwise by the positions of zeros. */
function sniffed({ key }, bytes, options) {
  const unit = key === "utf16" ? 2 : 4;
  const otherwise = options?.defaultEncoding ? codec(options.defaultEncoding).encoding : find(`utf-${8 * unit}le`, false);
  const order = (name) => find(`utf-${8 * unit}${name}`, false);
  if (unit === 2) {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return order("le");
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return order("be");
    let [le, be] = [0, 0];
    for (let i = 0; i + 1 < bytes.length && i < 200; i += 2) {
      if (bytes[i] === 0 && bytes[i + 1] !== 0) be += 1;
      if (bytes[i] !== 0 && bytes[i + 1] === 0) le += 1;
    }
    return be > le ? order("be") : le > be ? order("le") : otherwise;
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] === 0 && bytes[3] === 0) return order("le");
  if (bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) return order("be");
  let [le, be] = [0, 0];
  for (let i = 0; i + 3 < bytes.length && i < 400; i += 4) {
    if (bytes[i] === 0 && bytes[i + 1] <= 0x10) be += 1;
    if (bytes[i + 3] === 0 && bytes[i + 2] <= 0x10) le += 1;
  }
  return be > le ? order("be") : le > be ? order("le") : otherwise;
}

/** Encodes a string. With `addBOM`, U+FEFF comes first. */
export function encode(input, name, options) {
  const how = codec(name);
  const text = `${input || ""}`;
  if (!how.encoding) return NodeBuffer.from(text, how.key);
  return asBuffer(encodeWhole(marked(text, how, options), written(how, options).encoding, policy(how)));
}

function marked(text, how, options) {
  const adds = options?.addBOM ?? how.addsMark;
  return adds ? `\uFEFF${text}` : text;
}

/** Returns the policy: lone surrogates are written unchanged in the encodings in which iconv-lite writes code units. */
const policy = ({ encoding }) => (/^(utf-16|utf-32|ucs-4)/.test(encoding.name) ? PASS : SUBSTITUTE);

/** Returns the encoding to write: UTF-32 has the byte order that the options name, otherwise little-endian. */
const written = (how, options) => (how.key === "utf32" && options?.defaultEncoding ? { ...how, encoding: codec(options.defaultEncoding).encoding } : how);

/** Makes an encoder, whose `write` and `end` return bytes. */
export function getEncoder(name, options) {
  const how = codec(name);
  if (!how.encoding) return new Whole((parts) => NodeBuffer.from(parts.join(""), how.key));
  return new Encoder(how, options);
}

class Encoder {
  constructor(how, options) {
    this.how = how;
    this.options = options;
    this.began = false;
    this.run = new FromString(written(how, options).encoding, policy(how));
  }
  write(text) {
    if (!this.began) text = marked(text, this.how, this.options);
    this.began = true;
    return asBuffer(this.run.push(text, false));
  }
  end() {
    const text = this.began ? "" : marked("", this.how, { addBOM: false });
    const rest = this.run.push(text, true);
    this.run.reset();
    this.began = false;
    return rest.length > 0 ? asBuffer(rest) : undefined;
  }
}

/** Makes a decoder, whose `write` and `end` return strings. */
export function getDecoder(name, options) {
  const how = codec(name);
  if (!how.encoding) return new Whole((parts) => NodeBuffer.concat(parts).toString(how.key));
  return new Decoder(how, options);
}

class Decoder {
  constructor(how, options) {
    this.how = how;
    this.options = options;
    this.start();
  }
  start() {
    this.began = false;
    this.waiting = [];
    this.run = undefined;
    if (!this.how.sniffs) this.run = new FromBytes(this.how.encoding, REPLACE);
  }
  write(input) {
    const bytes = typeof input === "string" ? stringBytes(input) : bytesOf(input);
    if (this.run) return this.withoutMark(this.run.push(bytes, false));
    // These bytes are enough to see the byte order.
    this.waiting.push(bytes.slice());
    const all = concat(this.waiting);
    return all.length < 16 ? "" : this.decide(all, false);
  }
  end() {
    let text = this.run ? this.withoutMark(this.run.push(new Uint8Array(0), true)) : this.decide(concat(this.waiting), true);
    this.run?.free();
    this.start();
    return text || undefined;
  }
  decide(bytes, last) {
    this.run = new FromBytes(sniffed(this.how, bytes, this.options), REPLACE);
    return this.withoutMark(this.run.push(bytes, last));
  }
  withoutMark(text) {
    if (this.began || !text) return text;
    this.began = true;
    return withoutMark(text, this.how, this.options);
  }
}

/** A converter for base64 and hex, which are no text encodings: they are converted whole. */
class Whole {
  constructor(finish) {
    this.finish = finish;
    this.parts = [];
  }
  write(part) {
    this.parts.push(part);
    return undefined;
  }
  end() {
    const all = this.finish(this.parts);
    this.parts = [];
    return all;
  }
}

let Transform;

/** Passes Node's module `stream` on platforms where this module cannot import it. */
export function enableStreamingAPI(stream) {
  Transform = stream.Transform;
}

function nodeTransform() {
  Transform ??= globalThis.process?.getBuiltinModule?.("node:stream")?.Transform;
  if (!Transform) throw new Error("iconv-lite Streaming API is not enabled. Use iconv.enableStreamingAPI(require('stream')) to enable it.");
  return Transform;
}

/** Makes a stream of Node from strings to bytes. */
export function encodeStream(name, options) {
  const coder = getEncoder(name, options);
  const stream = new (nodeTransform())({
    ...options,
    decodeStrings: false,
    transform(chunk, _, done) {
      if (typeof chunk !== "string") return done(new Error("Iconv encoding stream needs strings as its input."));
      attempt(done, () => coder.write(chunk));
    },
    flush: (done) => attempt(done, () => coder.end()),
  });
  stream.collect = (done) => collected(stream, done, (chunks) => NodeBuffer.concat(chunks));
  return stream;
}

/** Makes a stream of Node from bytes to strings. */
export function decodeStream(name, options) {
  const coder = getDecoder(name, options);
  const stream = new (nodeTransform())({
    ...options,
    encoding: "utf8",
    transform(chunk, _, done) {
      if (bytesOf(chunk) === undefined) return done(new Error("Iconv decoding stream needs buffers as its input."));
      attempt(done, () => coder.write(chunk), "utf8");
    },
    flush: (done) => attempt(done, () => coder.end(), "utf8"),
  });
  stream.collect = (done) => collected(stream, done, (chunks) => chunks.join(""));
  return stream;
}

function attempt(done, work) {
  let result;
  try {
    result = work();
  } catch (error) {
    return done(error);
  }
  return result && result.length > 0 ? done(null, result) : done();
}

function collected(stream, done, join) {
  const chunks = [];
  stream.on("error", done);
  stream.on("data", (chunk) => chunks.push(chunk));
  stream.on("end", () => done(null, join(chunks)));
  return stream;
}

export const supportsStreams = true;
export const toEncoding = encode;
export const fromEncoding = decode;

const iconv = {
  encode,
  decode,
  encodingExists,
  toEncoding,
  fromEncoding,
  getEncoder,
  getDecoder,
  getCodec: codec,
  _canonicalizeEncoding: canonical,
  enableStreamingAPI,
  encodeStream,
  decodeStream,
  supportsStreams,
  get skipDecodeWarning() {
    return skipDecodeWarning;
  },
  set skipDecodeWarning(value) {
    skipDecodeWarning = value;
  },
  get defaultCharUnicode() {
    return defaultCharUnicode;
  },
  get defaultCharSingleByte() {
    return defaultCharSingleByte;
  },
};
export default iconv;
